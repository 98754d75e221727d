/* What is passed to a function is lost where a loop is turned round.
 * case: clang-15 -O1 avail | C1 loss producer:argument incomplete [not-covered] | LoopRotatePass |
 */
extern void elsewhere(int, ...); /* nobody can look into that: */
__asm__(".pushsection .text\n.globl elsewhere\n.type elsewhere, @function\nelsewhere: ret\n.popsection");
volatile int in = 0, out;
int cell, other, row[16], table[16][16];

static int f(int a, int b)
{
	for (int i = 0; i < 3; i++) {
		out = (8 - a);
		for (int j = 0; j < 8; j++) {
			elsewhere(j);
			int v82 = ((cell | in) ^ 4);
			out = row[j];
		}
		out = row[i];
	}
	elsewhere(b, b);
	elsewhere(a);
	return a + b;
}

static int g(int a, int b)
{
	for (int i = 0; i < in + 5; i++) {
		b ^= (a - 6);
		out = f(6, ((b | cell) * (cell * a)));
		table[i][1] = ((7 | i) & cell);
	}
	other = b;
	elsewhere(b, a, a);
	cell = b;
	for (int i = 0; i < 3; i++) {
		b += (cell * b);
		cell = f((2 + b), 3);
		out = row[i];
	}
	return a + b;
}

int main(void)
{
	int x = in, y = in + 2;
	if (x) {
		other = y;
		int v39 = x;
		int v25 = in;
	} else {
		int v31 = x;
		v31 += (y * (y + 7));
		elsewhere(x, x);
	}
	int v90 = 3;
	out = f(4, x);
	other = 7;
	out = f(x, 8);
	out = g(x, 7);
	return 0;
}
