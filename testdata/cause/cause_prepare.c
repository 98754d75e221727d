/* An index is lost before instructions are selected.
 * case: clang-15 -O1 avail | C2 loss producer:index incomplete [not-covered] | CodeGen Prepare | -mllvm -disable-cgp
 */
extern void elsewhere(int, ...); /* nobody can look into that: */
__asm__(".pushsection .text\n.globl elsewhere\n.type elsewhere, @function\nelsewhere: ret\n.popsection");
volatile int in = 0, out;
int cell, other, row[16], table[16][16];

__attribute__((noinline)) static int f(int a, int b)
{
	elsewhere(b);
	if (((b * b) + 2)) {
		cell = b;
		elsewhere(b, b, a);
		elsewhere(b);
	}
	int v10 = a;
	for (int i = 0; i < in + 5; i++) {
		if (i) {
			elsewhere(v10, b, b);
		} else {
			elsewhere(a, a, b);
		}
		cell = (a & b);
		row[i] = (6 & v10);
	}
	b = ((a & 3) & v10);
	return a + b;
}

int main(void)
{
	int x = in, y = in + 2;
	cell = y;
	other = y;
	out = f(9, 2);
	out = f(x, 8);
	return 0;
}
