/* gdb gives the variables of a block without code to the block around it.
 *
 * wrong:     gdb
 * rule:      G4 extra gdb:block-without-code
 * basis:     replayed
 * build:     gcc-12 -g -O0 -o gdb_block_without_code gdb_block_without_code.c
 * xstep:     xstep diff gdb_block_without_code
 * $ gdb -nx -q -batch -ex 'break *main+4' -ex run -ex 'info locals' gdb_block_without_code
 * > hidden = 4
 * $ lldb-15 -x -b -o 'breakpoint set -n main' -o run -o 'frame variable hidden' \
 *       gdb_block_without_code
 * > no variable named 'hidden' found in this frame
 * actual:    `hidden` is listed and printed in main.
 * expected:  `hidden` is in a block that has no code: no pc is in its scope (DWARF 5, 2.17).
 *            lldb does not list it.
 * versions:  gdb 13.1: so; the program by gcc 12.2.
 * known:     -
 */
volatile int sink;

int main(void)
{
	{
		static int hidden = 4;
	}
	sink = 3;
	return 0;
}
