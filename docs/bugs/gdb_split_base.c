/* gdb does not add the base address to the offsets of a location list in a .dwo.
 *
 * wrong:     gdb
 * rule:      G1 loss gdb:?optimized-out
 * basis:     evidence
 * build:     clang-15 -g -O1 -gsplit-dwarf -o gdb_split_base gdb_split_base.c
 * xstep:     xstep diff gdb_split_base
 * $ gdb -nx -q -batch -ex 'break *twice+21' -ex run -ex 'print first' gdb_split_base
 * > $1 = <optimized out>
 * $ llvm-dwarfdump-15 --debug-loclists gdb_split_base.dwo
 * > DW_LLE_base_addressx   (0x0000000000000001)
 * > DW_LLE_offset_pair     (0x0000000000000035, 0x000000000000003d): DW_OP_reg0 RAX
 * actual:    `first` is optimised out wherever a list describes it. `info scope twice` shows the
 *            range 0x35-0x3d without the base.
 * expected:  1764, which lldb shows: an offset pair is added to the base address that
 *            DW_LLE_base_addressx sets (DWARF 5, 2.6.2).
 * versions:  gdb 13.1: so; the program by clang 15.0.6. gcc 12.2 writes entries of another kind,
 *            and gdb reads them.
 * known:     -
 */
static volatile int sink = 21;

__attribute__((noinline)) static int twice(int n)
{
	int first = n + sink;
	sink = first;
	first *= sink;
	sink = first;
	return first + n;
}

int main(void)
{
	return twice(sink) == 0;
}
