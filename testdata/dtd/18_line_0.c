/* DTD bug 18: clang -O1 gives code of an inlined loop line 0, in main's own range. gdb drops such rows and stays
 * with the one before, which is the callee's: `main () at` a line of fill(). */
static volatile int sink;
static int data[40];

static int sum(int n)
{
	int total = 0;
	for (int i = 1; i < n; i += 3) {
		total += data[i] * i;
		sink = total;
	}
	return total;
}

static void fill(int from, int to)
{
	for (int k = from; k < to; k++) {
		int square = k * k;
		data[k] = square - 5;
	}
}

int main(void)
{
	fill(3, 30);
	sink = sum(20);
	return 0;
}
