/* gdb takes an entry of no length in a location list at a function's first instruction.
 *
 * wrong:     gdb
 * rule:      G4 extra gdb:empty-first-entry
 * basis:     replayed
 * build:     gcc-12 -g -O1 -o gdb_empty_first_entry gdb_empty_first_entry.c
 * xstep:     xstep diff gdb_empty_first_entry
 * $ gdb -nx -q -batch -ex 'break *pick' -ex run -ex 'print where' gdb_empty_first_entry
 * > $1 = (int *) 0x0
 * $ lldb-15 -x -b -o 'breakpoint set -s gdb_empty_first_entry -a 0x1129' -o run \
 *       -o 'frame variable where' gdb_empty_first_entry
 * > where = <variable not available>
 * $ readelf --debug-dump=loc gdb_empty_first_entry
 * > 0000000000001129 0000000000001129 (DW_OP_lit0; DW_OP_stack_value)
 * actual:    At the first instruction of pick() gdb shows `where` = 0x0.
 * expected:  No value: the entry that gdb takes begins and ends at that address, and such an
 *            entry covers nothing (DWARF 5, 2.6.2). lldb says so.
 * versions:  gdb 13.1: so; the program by gcc 12.2.
 * known:     DTD 5, gdb 28987
 */
static int a, b;

__attribute__((noinline)) static int pick(void)
{
	int *where = 0;
	int **at = &where;
	*at = &a;
	b = 0;
	return a;
}

int main(void)
{
	a = 4;
	return pick() - 4;
}
