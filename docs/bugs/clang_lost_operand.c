/* clang takes 0 for an operand that it has lost.
 *
 * wrong:     clang
 * rule:      PI lie producer:foreign-value-of-local
 * basis:     evidence
 * build:     clang-15 -g -O0 -o clang_lost_operand.O0 clang_lost_operand.c
 * build:     clang-15 -g -O1 -o clang_lost_operand clang_lost_operand.c
 * xstep:     xstep check opt clang_lost_operand.O0 clang_lost_operand
 * $ gdb -nx -q -batch -ex 'break *upper+17' -ex run -ex 'print top' -ex 'print $ecx' clang_lost_operand
 * > $1 = 0
 * > $2 = 2048
 * $ readelf --debug-dump=loc clang_lost_operand
 * > DW_OP_lit0; DW_OP_lit11; DW_OP_shr; DW_OP_stack_value
 * actual:    `top` is bits >> 11, and described as 0 >> 11. `mixed` is described as 0 ^ EAX.
 * expected:  1: ECX has `bits`, 2048. Or no value.
 * versions:  clang 14.0.6, 15.0.6: so; 15.0.6 at -O1, -O2 and -Os.
 * known:     -
 */
static volatile unsigned source = 0xf00, mask = 0xff;
static unsigned kept;

__attribute__((noinline)) unsigned upper(unsigned *to)
{
	unsigned bits = source & 0x800;
	unsigned top = bits >> 11;
	unsigned mixed = top ^ mask;
	*to = bits;
	return mixed >> 1;
}

int main(void)
{
	return upper(&kept) != 0x7f;
}
