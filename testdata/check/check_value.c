/* PI, for xstep check opt: gcc 12 at -O2 makes one of two inlined calls with the same code, and shows
 * the tag of the one that is never executed; not so at -O1.
 * end: main returned; exited with status 0
 * functions: main note
 */
volatile int input = 3, sink;

static inline void note(int tag, int value)
{
	sink = value;
	sink = value + 1;
}

int main(void)
{
	int number = input;
	if (number < 100)
		note(1, number);
	else
		note(2, number);
	return 0;
}
