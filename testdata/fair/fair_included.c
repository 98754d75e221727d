/* fair_included.c - a unit whose source another unit includes: each has a table of its own, and the other one's
 * is a constant without an address. */
static const int table[4] = {3, 1, 4, 1};

__attribute__((noinline)) static int look(unsigned at)
{
	return table[at & 3];
}

#ifndef INCLUDED
int second(void);

int main(int argc, char **argv)
{
	int n = look((unsigned)argc) + second();
	return n == 0;
}
#endif
