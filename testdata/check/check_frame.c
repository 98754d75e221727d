/* BI, for xstep check opt: gcc 12 at -O2 makes one of the two calls of note(), and shows the one in
 * large(), which is never called; not so at -O1.
 * end: main returned; exited with status 0
 * functions: main small note
 */
volatile int input = 3, sink;

static inline void note(int value)
{
	sink = value;
	sink = value + 1;
}

static inline void small(int value)
{
	note(value);
}

static inline void large(int value)
{
	note(value);
}

int main(void)
{
	int number = input;
	if (number > 100)
		large(number);
	else
		small(number);
	return 0;
}
