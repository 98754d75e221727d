/* gcc loses a constant that takes part in a product.
 *
 * wrong:     gcc
 * rule:      C2 loss producer:constant hollow [no-location]
 * basis:     evidence
 * build:     gcc-12 -g -O1 -o gcc_folded_product gcc_folded_product.c
 * xstep:     xstep check avail --source gcc_folded_product.c gcc_folded_product
 * $ gdb -nx -q -batch -ex 'break *main+11' -ex run -ex 'print zero' gcc_folded_product
 * > kept = table[row][(zero) * cell];
 * > $1 = <optimized out>
 * actual:    `zero` is optimised out wherever it is used: its entry has no location.
 * expected:  0, which is all that it ever holds there.
 * versions:  gcc 11.3, 12.2: so.
 * known:     Conjectures 1, gcc 105161
 */
volatile int kept;
int table[10][2];
int main(void)
{
	int row = 0, zero, cell;
	for (; row < 10; row++) {
		zero = cell = 0;
		for (; cell < 1; cell++)
			kept = table[row][(zero) * cell];
	}
}
