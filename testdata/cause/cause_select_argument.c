/* What is passed to a function is lost where instructions are selected.
 * case: clang-15 -O1 avail | C1 loss producer:argument incomplete [not-covered] | X86 DAG->DAG Instruction Selection |
 */
extern void elsewhere(int, ...); /* nobody can look into that: */
__asm__(".pushsection .text\n.globl elsewhere\n.type elsewhere, @function\nelsewhere: ret\n.popsection");
volatile int in = 0, out;
int cell, other, row[16], table[16][16];

__attribute__((noinline)) static int f(int a, int b)
{
	a += b;
	a = b;
	if ((in - (a ^ 1))) {
		elsewhere(b, a, b);
		cell = (b ^ cell);
	}
	a = 3;
	elsewhere(b, b);
	return a + b;
}

__attribute__((noinline)) static int g(int a, int b)
{
	int v99 = 0;
	cell = b;
	out = f((v99 + (4 * a)), (5 & 1));
	a ^= a;
	b ^= a;
	return a + b;
}

int main(void)
{
	int x = in, y = in + 2;
	for (int i = 0; i < 8; i++) {
		for (int j = 0; j < in + 5; j++) {
			int v11 = y;
			cell += row[j];
		}
		row[i] = x;
	}
	out = y;
	cell = x;
	out = f(x, 7);
	out = g(x, 7);
	return 0;
}
