/* lldb does not know DW_OP_GNU_parameter_ref, which gcc writes for a parameter that it removed.
 *
 * wrong:     lldb
 * rule:      G3 loss lldb:gnu-operator
 * basis:     replayed
 * build:     gcc-12 -g -O2 -o lldb_gnu_parameter_ref lldb_gnu_parameter_ref.c
 * xstep:     xstep diff lldb_gnu_parameter_ref
 * $ lldb-15 -x -b -o 'breakpoint set -s lldb_gnu_parameter_ref -a 0x1150' -o run \
 *       -o 'frame variable unused' lldb_gnu_parameter_ref
 * > unused = <Unhandled opcode DW_OP_unknown_fa in DWARFExpression>
 * $ gdb -nx -q -batch -ex 'break find' -ex run -ex 'print unused' lldb_gnu_parameter_ref
 * > $1 = 7
 * actual:    `Unhandled opcode DW_OP_unknown_fa in DWARFExpression`
 * expected:  7: the call site in main still says what was passed. gdb finds it. The operator is
 *            a GNU extension.
 * versions:  lldb 14.0.6, 15.0.6, 16.0.6, 19.1.7: so; the program by gcc 12.2.
 * known:     -
 */
volatile int sink;
__attribute__((noinline)) static int find(int unused, int number)
{
	sink = number;
	return sink;
}
int main(void)
{
	int first = find(7, 3);
	return find(8, first) - 3;
}
