/* clang reads 16 bytes by DW_OP_deref_size where it keeps a double on the stack.
 *
 * wrong:     clang
 * rule:      G5 extra producer:wide-deref
 * basis:     evidence
 * build:     clang-15 -g -O1 -o clang_spilled_double clang_spilled_double.c
 * xstep:     xstep diff clang_spilled_double
 * $ gdb -nx -q -batch -ex 'break other' -ex run -ex up -ex 'print number' clang_spilled_double
 * > That operation is not available on integers of more than 8 bytes.
 * $ objdump -d --no-show-raw-insn clang_spilled_double
 * > movsd %xmm0,(%rsp)
 * $ readelf --debug-dump=loc clang_spilled_double
 * > DW_OP_breg7 (rsp): 0; DW_OP_deref_size: 16; DW_OP_stack_value
 * actual:    XMM0 is stored on the stack before the call, and from there on `number` is what
 *            DW_OP_deref_size 16 reads, as if the whole register had been stored. gdb refuses;
 *            lldb says that an assertion failed, and shows 0.
 * expected:  DW_OP_breg7 RSP+0, which is a place in memory: 3. The operand of DW_OP_deref_size may
 *            not be larger than the generic type, 8 (DWARF 5, 2.5.1.3).
 * versions:  clang 15.0.6: so, at -O1, -O2, -O3, -Os, -Og, -Oz; clang 14.0.6: not so.
 * known:     -
 */
static volatile double sink;

__attribute__((noinline)) static void other(void)
{
	sink = 1.5;
}

__attribute__((noinline)) static double keep(double number)
{
	other();
	return number + sink;
}

int main(void)
{
	sink = 3.0;
	return keep(sink) != 4.5;
}
