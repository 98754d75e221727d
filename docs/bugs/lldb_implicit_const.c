/* lldb ignores bit-fields of a structure whose size is a DW_FORM_implicit_const.
 *
 * wrong:     lldb
 * rule:      G3 loss lldb:?absent [bit-field]
 * basis:     evidence
 * build:     gcc-12 -g -O0 -o lldb_implicit_const lldb_implicit_const.c
 * xstep:     xstep diff lldb_implicit_const
 * $ lldb-15 -x -b -o 'breakpoint set -n main' -o run -o 'target variable first second' lldb_implicit_const
 * > (first) first = {}
 * > (second) second = {}
 * $ gdb -nx -q -batch -ex 'break main' -ex run -ex 'print first' lldb_implicit_const
 * > $1 = {low = 5, high = 6}
 * $ readelf --debug-dump=abbrev lldb_implicit_const
 * > DW_AT_byte_size DW_FORM_implicit_const: 8
 * actual:    lldb warns that a member `has invalid bit offset` and `will be ignored`, and shows {}.
 * expected:  {low = 5, high = 6}. Both structures have the size 8, which gcc writes into the
 *            abbreviation once (DWARF 5, 7.5.3). With one structure only it does not, and lldb shows
 *            the members.
 * versions:  lldb 15.0.6: so; the program by gcc 12.2.
 * known:     -
 */
struct first {
	long long low : 52, high : 12;
} first = {5, 6};
struct second {
	long long low : 12, high : 52;
} second = {7, 8};

int main(void)
{
	return first.low + second.low == 0;
}
