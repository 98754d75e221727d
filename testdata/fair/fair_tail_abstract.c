/* A function that may end with a tail call of one that has an abstract instance: gdb looks through all tail
 * calls that a function can lead to, whether one comes back to it. It does not find the code of this one,
 * and tells no entry value of the function at all.
 *
 *     gcc-12 -g -O2 fair_tail_abstract.c
 *
 * expected: G1 loss gdb:abstract-callee, of `number` in choose(). */
static volatile int sink = 3;

__attribute__((noinline)) static int leaf(int n)
{
	sink = n;
	return sink;
}

static int work(int n)
{
	int got = leaf(n);
	sink = got * 3 + leaf(got + 5) + leaf(got ^ 7) + leaf(got - 9);
	return sink;
}

__attribute__((flatten, noinline)) static int flat(int n)
{
	return work(n);
}

__attribute__((noipa)) static int choose(int number)
{
	int got = leaf(number);
	__asm__ volatile("xor %%edi, %%edi" : : : "rdi");
	if (got & 64)
		return work(got);
	return got;
}

int main(void)
{
	return choose(5) + flat(4) + work(sink) - 5;
}
