/* clang computes with operands of different types in a location.
 *
 * wrong:     clang
 * rule:      G5 extra producer:incompatible-types
 * basis:     evidence
 * build:     clang-15 -g -O1 -o clang_operand_types clang_operand_types.c
 * xstep:     xstep diff clang_operand_types
 * $ gdb -nx -q -batch -ex 'break *narrow' -ex run -ex 'print low' clang_operand_types
 * > Incompatible types on DWARF stack
 * $ readelf --debug-dump=info clang_operand_types
 * > DW_OP_convert <0x2f>; DW_OP_lit8; DW_OP_shl
 * actual:    DW_OP_convert gives a value a type, and DW_OP_shl shifts it by a DW_OP_lit8, which
 *            is of the generic type. gdb: `Incompatible types on DWARF stack`.
 * expected:  Operands of one type (DWARF 5, 2.5.1.4), so that `low` can be shown: -56.
 * versions:  clang 14.0.6, 15.0.6, 16.0.6, 19.1.7: so; clang 13.0.1: not so.
 * known:     DTD 2
 */
static volatile int sink;
static int sum;

__attribute__((noinline)) static void keep(int value)
{
	sink = value;
}

__attribute__((noinline)) static int narrow(int number)
{
	short low = (short)((short)number << 8) >> 8;
	keep(number);
	return number + 1;
}

int main(void)
{
	sum = narrow(200) + narrow(-3);
	return 0;
}
