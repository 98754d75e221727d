/* A variable is shown further down but not here: its register is another one by then.
 * case: clang-15 -O2 avail | C3 loss producer:decay incomplete [not-covered] | Two-Address instruction pass |
 */
extern void elsewhere(int, ...); /* nobody can look into that: */
__asm__(".pushsection .text\n.globl elsewhere\n.type elsewhere, @function\nelsewhere: ret\n.popsection");
volatile int in = 0, out;
int cell, other, row[16], table[16][16];

static int f(int a, int b)
{
	b += a;
	out = in;
	int v40 = b;
	return a + b;
}

int main(void)
{
	int x = in, y = in + 2;
	out = f((4 ^ y), x);
	for (int i = 0; i < in + 5; i++) {
		int v78 = (x ^ 2);
		x = 7;
		cell += row[i];
	}
	for (int i = 0; i < 4; i++) {
		int v51 = 6;
		cell += row[i];
	}
	elsewhere(y);
	y += x;
	out = f(x, 1);
	return 0;
}
