/* A loop variable is lost where instructions are selected.
 * case: clang-15 -O1 avail | C2 loss producer:index incomplete [not-covered] | X86 DAG->DAG Instruction Selection |
 */
extern void elsewhere(int, ...); /* nobody can look into that: */
__asm__(".pushsection .text\n.globl elsewhere\n.type elsewhere, @function\nelsewhere: ret\n.popsection");
volatile int in = 0, out;
int cell, other, row[16], table[16][16];

static int f(int a, int b)
{
	for (int i = 0; i < 4; i++) {
		if (a) {
			a += 1;
			int v31 = ((4 & 1) | (2 | b));
			int v93 = 0;
		}
		out = row[i];
	}
	if (((b - b) - (a | in))) {
		elsewhere(a, a, a);
		if (a) {
			b += b;
		} else {
		}
	}
	out = (b | b);
	return a + b;
}

static int g(int a, int b)
{
	int v51 = ((9 ^ 6) - b);
	b ^= ((in * 1) | cell);
	return a + b;
}

int main(void)
{
	int x = in, y = in + 2;
	for (int i = 0; i < in + 5; i++) {
		cell = i;
		int v12 = 1;
		out = row[i];
	}
	for (int i = 0; i < 4; i++) {
		if (x) {
			x ^= (2 * (x + i));
		}
		cell += row[i];
	}
	elsewhere(y, x);
	out = 2;
	int v53 = x;
	out = f(v53, in);
	out = f(x, 5);
	out = g(x, 8);
	return 0;
}
