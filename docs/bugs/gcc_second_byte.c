/* gcc describes the second byte of a register by a shift to the left by -8.
 *
 * wrong:     gcc
 * rule:      E1 lie producer:wrong-call-value
 * basis:     evidence
 * build:     gcc-12 -g -O1 -o gcc_second_byte gcc_second_byte.c
 * xstep:     xstep check frames gcc_second_byte
 * $ gdb -nx -q -batch -ex 'break *take' -ex 'ignore 1 1' -ex run -ex 'print/x $edi' \
 *       -ex 'print/x byte@entry' gcc_second_byte
 * > $1 = 0x34
 * > $2 = 0x0
 * $ readelf --debug-dump=info gcc_second_byte
 * > DW_OP_breg3 (rbx): 0; DW_OP_const1s: -8; DW_OP_shl
 * actual:    The call site of `movzbl %bh, %edi` says DW_OP_breg3 RBX, DW_OP_const1s -8,
 *            DW_OP_shl: 0 for every number. A debugger shows byte@entry = 0.
 * expected:  0x34, which is in edi when take() is entered the second time: a shift to the right
 *            by 8.
 * versions:  gcc 11.3, 12.2: so.
 * known:     -
 */
static volatile int sink;

__attribute__((noipa)) static void take(unsigned char byte)
{
	sink += byte;
}

__attribute__((noipa)) static void bytes(unsigned long number)
{
	take(number & 0xff);
	take(number >> 8 & 0xff);
	take(number >> 16 & 0xff);
}

int main(void)
{
	bytes(0x123456);
	return sink == 0x12 + 0x34 + 0x56 ? 0 : 1;
}
