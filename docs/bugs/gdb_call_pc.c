/* gdb does not follow a tail call that is described by DW_AT_call_pc, as clang does it.
 *
 * wrong:     gdb
 * rule:      G1 loss gdb:?optimized-out [entry-value,tail-called]
 * basis:     evidence
 * build:     clang-15 -g -O2 -o gdb_call_pc gdb_call_pc.c
 * xstep:     xstep diff gdb_call_pc
 * $ gdb -nx -q -batch -ex 'break *last+8' -ex run -ex 'print number' gdb_call_pc
 * > $1 = <optimized out>
 * $ lldb-15 -x -b -o 'breakpoint set -s gdb_call_pc -a 0x1138' -o run -o 'frame variable number' \
 *       gdb_call_pc
 * > (int) number = 7
 * $ llvm-dwarfdump-15 -c --name=middle gdb_call_pc
 * > DW_AT_call_tail_call...(true)
 * > DW_AT_call_pc...(...)
 * > DW_AT_call_value...(DW_OP_lit7)
 * actual:    optimised out
 * expected:  7: `number` is DW_OP_entry_value(RDI). main calls middle(), whose only call is the
 *            tail call of last(), and that says what RDI is. lldb follows it, and so does gdb
 *            where gcc has DW_AT_call_return_pc (DWARF 5, 3.4.1).
 * versions:  gdb 13.1: so; the program by clang 15.0.6.
 * known:     -
 */
volatile int sink;

__attribute__((noinline)) void last(int number)
{
	sink = number;
	__asm__ volatile("xor %%edi, %%edi" : : : "rdi");
	sink = 2;
}

__attribute__((noinline)) void middle(void)
{
	sink = 1;
	last(7);
}

int main(void)
{
	middle();
	sink = 3;
	return 0;
}
