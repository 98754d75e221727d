/* lldb shows what is at address 0 of the program for a variable that the linker threw away.
 *
 * wrong:     lldb
 * rule:      G2 extra lldb:discarded
 * basis:     replayed
 * build:     gcc-12 -g -O0 -ffunction-sections -fdata-sections -Wl,--gc-sections -o
 *            lldb_discarded lldb_discarded.c
 * xstep:     xstep diff lldb_discarded
 * $ lldb-15 -x -b -o 'breakpoint set -n main' -o run -o 'target variable unused' lldb_discarded
 * > unused = 1179403647
 * $ gdb -nx -q -batch -ex 'break *main' -ex run -ex 'print unused' lldb_discarded
 * > No symbol "unused" in current context.
 * $ nm lldb_discarded | grep -c unused
 * > 0
 * actual:    1179403647, which is 0x464c457f: the first bytes of the ELF header.
 * expected:  No value: the linker left 0 as its address. gdb does not know such a variable.
 * versions:  lldb 14.0.6, 15.0.6, 16.0.6, 19.1.7: so; the program by gcc 12.2.
 * known:     -
 */
volatile int sink;
static int used = 3;
int unused = 7;
int nobody(void) { return unused; }

int main(void)
{
	sink = used;
	return 0;
}
