/* DTD bug 5 (gdb 28987): by gcc -O1 nothing is left of the first lines of pick(); the list of `where`
 * begins with an entry of no length, which gdb takes at the function's first instruction. */
static int a, b;

__attribute__((noinline)) static int pick(void)
{
	int *where = 0;
	int **at = &where;
	*at = &a;
	b = 0;
	return a;
}

int main(void)
{
	a = 4;
	return pick() - 4;
}
