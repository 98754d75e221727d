/* An index is lost where instructions are selected.
 * case: clang-15 -O2 avail | C2 loss producer:index incomplete [not-covered] | X86 DAG->DAG Instruction Selection |
 */
extern void elsewhere(int, ...); /* nobody can look into that: */
__asm__(".pushsection .text\n.globl elsewhere\n.type elsewhere, @function\nelsewhere: ret\n.popsection");
volatile int in = 0, out;
int cell, other, row[16], table[16][16];

__attribute__((noinline)) static int f(int a, int b)
{
	int v11 = (7 | (a | cell));
	cell = (a + 5);
	if ((a | 1)) {
		for (int j = 0; j < 3; j++) {
			elsewhere(b, a, b);
			cell += row[j];
		}
		if (1) {
		}
	} else {
		for (int j = 0; j < 8; j++) {
			int v40 = v11;
			elsewhere(b, a, j);
			row[j] = (8 + j);
		}
		if (a) {
			b += 9;
			int v68 = 5;
		} else {
		}
	}
	a += (3 | v11);
	return a + b;
}

static int g(int a, int b)
{
	for (int i = 0; i < in + 5; i++) {
		a ^= i;
		table[i][i] = b;
	}
	out = f(5, b);
	for (int i = 0; i < 4; i++) {
		a += i;
		cell = f((0 | a), b);
		table[i][i] = 0;
	}
	if (9) {
		for (int j = 0; j < 4; j++) {
			cell = f(j, a);
			cell += row[j];
		}
	}
	return a + b;
}

int main(void)
{
	int x = in, y = in + 2;
	cell = y;
	int v21 = (x | (3 - y));
	cell = f(v21, x);
	out = f(x, 6);
	out = g(x, 2);
	return 0;
}
