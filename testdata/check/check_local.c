/* PI of a local, for xstep check opt: gcc 12 at -O2 makes one of two inlined calls with the same code, and
 * shows what the one that is never executed has in `kind`; not so at -O1. `never` is not written before its
 * address is passed on: whatever it shows until then is no violation.
 * end: main returned; exited with status 0
 * functions: main note set
 */
volatile int input = 3, sink;

static inline void note(int tag, int value)
{
	int kind = tag * 10;
	sink = value;
	sink = value + 1;
}

__attribute__((noinline)) void set(int *where)
{
	*where = input;
}

int main(void)
{
	int number = input;
	int never;
	if (number < 100)
		note(1, number);
	else
		note(2, number);
	set(&never);
	return never - 3;
}
