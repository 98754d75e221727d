/* C3, for xstep check avail: `first` is the address of `cell` all the time (the shape of gcc bug
 * 104938). gcc 12 at -O1 and -Og shows it only from the last line of wait() on; at -O2 everywhere.
 * end: main returned; exited with status 0
 * functions: main wait touch
 */
volatile int busy;
int cell;

__attribute__((noinline)) static void touch(int *where)
{
	*where = 1;
	busy = 0;
}

__attribute__((noinline)) static void wait(void)
{
	int *first = &cell;
	int **second = &first;
again:
	if (busy)
		goto again;
	*second = first;
	touch(*second);
}

int main(void)
{
	wait();
	return 0;
}
