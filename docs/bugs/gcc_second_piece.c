/* gcc says that a structure stays in two registers, of which the second is written.
 *
 * wrong:     gcc
 * rule:      PI lie producer:foreign-value [piece]
 * basis:     evidence
 * build:     gcc-12 -g -O0 -o gcc_second_piece.O0 gcc_second_piece.c
 * build:     gcc-12 -g -Og -o gcc_second_piece gcc_second_piece.c
 * xstep:     xstep check opt gcc_second_piece.O0 gcc_second_piece
 * $ gdb -nx -q -batch -ex 'break *all+40' -ex run -ex 'print b' gcc_second_piece
 * > $1 = {x = 3, y = 12}
 * $ objdump -d --disassemble=all gcc_second_piece
 * > ...mov    0x48(%rsp),%rcx
 * $ llvm-dwarfdump-15 -c --name=all gcc_second_piece
 * > DW_AT_name	("b")
 * > [0x0000000000001139, 0x00000000000011b2): DW_OP_reg1 RDX, DW_OP_piece 0x8, DW_OP_reg2 RCX, DW_OP_piece 0x8...
 * actual:    `b` is said to be in RDX and RCX at all of the function. RCX is loaded with `f.y` at
 *            0x115c, and `b.y` is in RAX from there on.
 * expected:  {3, 4}, or no value of `b.y` once RCX is written.
 * versions:  gcc 11.3, 12.2: so, at -Og; 12.2 at -O1, too.
 * known:     -
 */
#include <stdlib.h>

struct point {
	long x, y;
};

__attribute__((noipa)) void all(struct point a, struct point b, struct point c, struct point d,
	struct point e, struct point f)
{
	if (a.x != 1 || a.y != 2 || b.x != 3 || b.y != 4 || c.x != 5 || c.y != 6 || d.x != 7 ||
		d.y != 8 || e.x != 9 || e.y != 10 || f.x != 11 || f.y != 12)
		abort();
}

int main(void)
{
	struct point a = {1, 2}, b = {3, 4}, c = {5, 6}, d = {7, 8}, e = {9, 10}, f = {11, 12};
	all(a, b, c, d, e, f);
	return 0;
}
