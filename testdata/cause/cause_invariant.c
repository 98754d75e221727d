/* A loop variable is lost where something is moved out of its loop.
 * case: clang-15 -O1 avail | C2 loss producer:induction incomplete [not-covered] | LICMPass |
 */
extern void elsewhere(int, ...); /* nobody can look into that: */
__asm__(".pushsection .text\n.globl elsewhere\n.type elsewhere, @function\nelsewhere: ret\n.popsection");
volatile int in = 0, out;
int cell, other, row[16], table[16][16];

__attribute__((noinline)) static int f(int a, int b)
{
	for (int i = 0; i < 8; i++) {
		elsewhere(i, i);
		int v41 = ((2 - 3) - i);
		table[i][i] = (b | i);
	}
	if (a) {
		int v28 = ((b - in) & (3 & a));
	} else {
		if ((a - b)) {
			elsewhere(a, a);
		} else {
		}
		if (((1 | 4) | (b ^ 2))) {
			other = 6;
		}
		int v95 = a;
	}
	for (int i = 0; i < 4; i++) {
		other = i;
		cell = ((a - a) & (a ^ in));
		cell += row[i];
	}
	return a + b;
}

static int g(int a, int b)
{
	cell = ((a | a) & (1 + 9));
	out = f(((a * 5) - (3 ^ cell)), 7);
	out = f(9, 7);
	b += b;
	elsewhere(b, a, a);
	return a + b;
}

int main(void)
{
	int x = in, y = in + 2;
	cell = y;
	elsewhere(x, x);
	int v88 = 2;
	int v85 = 0;
	out = f(x, 4);
	out = g(x, 5);
	return 0;
}
