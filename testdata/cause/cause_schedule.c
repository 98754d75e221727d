/* An index is lost where the scheduler moves instructions after registers are given out.
 * case: gcc-12 -O2 avail | C2 loss producer:index incomplete [not-covered] | -fschedule-insns2 | -fno-schedule-insns2
 */
extern void elsewhere(int, ...); /* nobody can look into that: */
__asm__(".pushsection .text\n.globl elsewhere\n.type elsewhere, @function\nelsewhere: ret\n.popsection");
volatile int in = 0, out;
int cell, other, row[16], table[16][16];

__attribute__((noinline)) static int f(int a, int b)
{
	b = (b * (4 - 1));
	int v35 = a;
	out = (cell & b);
	if (cell) {
		for (int j = 0; j < 3; j++) {
			out = ((j * in) & b);
			out = row[j];
		}
		if ((2 * (3 - v35))) {
			out = (b | v35);
		} else {
		}
		if (9) {
			elsewhere(b);
			elsewhere(b, a, a);
		}
	}
	return a + b;
}

static int g(int a, int b)
{
	if (5) {
		int v63 = b;
		if ((1 ^ v63)) {
			b ^= b;
		} else {
			cell = f(cell, b);
		}
	} else {
		if ((cell + (a ^ b))) {
			int v37 = b;
			out = 8;
		} else {
			elsewhere(b);
			elsewhere(a, b, b);
		}
		int v43 = a;
	}
	if (5) {
		int v22 = 0;
	} else {
		if (a) {
		}
		for (int j = 0; j < 8; j++) {
			row[j] = b;
		}
	}
	return a + b;
}

int main(void)
{
	int x = in, y = in + 2;
	for (int i = 0; i < in + 5; i++) {
		other = cell;
		out = 5;
		table[i][i] = cell;
	}
	cell = x;
	for (int i = 0; i < in + 5; i++) {
		int v41 = y;
		out = 2;
		out = row[i];
	}
	cell = g(((4 + in) | x), 5);
	out = f(x, 9);
	out = g(x, 8);
	return 0;
}
