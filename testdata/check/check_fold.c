/* C2, for xstep check avail: `keep` is 0 wherever it is read (the shape of gcc bug 105161). gcc and
 * clang fold the product, and from -O1 on its entry has no value.
 * end: main returned; exited with status 0
 * functions: main fill
 */
volatile int sink;
int grid[10][2];

__attribute__((noinline)) static void fill(void)
{
	int row = 0, keep, step;
	for (; row < 10; row++) {
		keep = step = 0;
		for (; step < 1; step++)
			sink = grid[row][(keep)*step];
	}
}

int main(void)
{
	fill();
	return 0;
}
