/* A loop variable is worked out of another one, which counts otherwise.
 * case: clang-15 -O1 opt | PI lie producer:foreign-value-of-local | Loop Strength Reduction | -mllvm -disable-lsr
 */
extern void elsewhere(int, ...); /* nobody can look into that: */
__asm__(".pushsection .text\n.globl elsewhere\n.type elsewhere, @function\nelsewhere: ret\n.popsection");
volatile int in = 0, out;
int cell, other, row[16], table[16][16];

__attribute__((noinline)) static int f(int a, int b)
{
	if (a) {
		for (int j = 0; j < 4; j++) {
			int v14 = (j | 6);
			table[j][j] = b;
		}
	} else {
		other = (a & in);
		for (int j = 0; j < 4; j++) {
			int v28 = ((j ^ 2) - (2 * in));
			elsewhere(j, j);
			out = row[j];
		}
	}
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < in + 5; j++) {
			int v13 = (in | 4);
			cell += row[j];
		}
		out = in;
		table[i][i] = (a | (a & cell));
	}
	return a + b;
}

int main(void)
{
	int x = in, y = in + 2;
	out = f(9, ((3 & 4) * x));
	cell = 0;
	int v82 = (x - (2 ^ 8));
	elsewhere(y, x, v82);
	v82 += y;
	cell = y;
	out = f(x, 4);
	return 0;
}
