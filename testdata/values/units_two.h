/* units_two.h - each of the two units has these for itself. */
int other(int x);
static int turns;

__attribute__((noinline)) static int next(void)
{
	int before = turns;
	turns += 3;
	return before;
}
