/* fair_border.c - lldb leaves out what is inlined into outer(), whose code is in two stretches, and, where it may, leaf()
 * at its first instruction. */
volatile int sink = 1;
extern void abort(void);

static inline __attribute__((always_inline)) int leaf(int n)
{
	sink = n + 1;
	return sink;
}

__attribute__((noipa)) static int inner(int n)
{
	int ret = sink;
	return leaf(n) + ret;
}

static inline __attribute__((always_inline)) int middle(int n)
{
	return inner(n) * 3;
}

__attribute__((noipa)) static int outer(int n)
{
	int part = middle(n);
	if (part > 1000) {
		sink = part * 3;
		abort();
	}
	return part + n;
}

int main(void)
{
	return outer(3) == 0;
}
