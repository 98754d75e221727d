/* lldb counts the type's offset in DW_OP_convert from the section's start, and not from its
 * unit's.
 *
 * wrong:     lldb
 * rule:      G3 loss lldb:convert-type
 * basis:     replayed
 * build:     clang-15 -g -O1 -DOTHER -c -o lldb_convert_type.o lldb_convert_type.c
 * build:     clang-15 -g -O1 -o lldb_convert_type lldb_convert_type.o lldb_convert_type.c
 * xstep:     xstep diff lldb_convert_type
 * $ lldb-15 -x -b -o 'breakpoint set -s lldb_convert_type -a 0x1140' -o run \
 *       -o 'frame variable number' lldb_convert_type
 * > (long) number = <Cannot resolve DW_OP_convert type DIE>
 * $ gdb -nx -q -batch -ex 'break *wide+0' -ex run -ex 'print number' lldb_convert_type
 * > $1 = 3
 * actual:    `Cannot resolve DW_OP_convert type DIE`, in every unit but the first.
 * expected:  3 (DWARF 5, 2.5.1.6: the operand is an offset in the unit). gdb shows it.
 * versions:  lldb 14.0.6, 15.0.6: so; lldb 16.0.6, 19.1.7: right; the program by clang 15.0.6.
 * known:     -
 */
#ifdef OTHER
volatile int sink;
int main(void)
{
	extern int wide(char small);
	return wide(3) - 3;
}
#else
extern volatile int sink;
__attribute__((noinline)) int wide(char small)
{
	long number = small;
	sink = small;
	return sink;
}
#endif
