/* lldb reads a piece of a global at its address in the file, and not where it was loaded.
 *
 * wrong:     lldb
 * rule:      G3 loss lldb:piece-address
 * basis:     replayed
 * build:     clang-15 -g -O2 -o lldb_piece_address lldb_piece_address.c
 * xstep:     xstep diff lldb_piece_address
 * $ lldb-15 -x -b -o 'breakpoint set -s lldb_piece_address -a 0x1130' -o run \
 *       -o 'frame variable pair.low' lldb_piece_address
 * > (int) pair.low = <parent failed to evaluate: failed to read memory DW_OP_piece(4)
 * $ gdb -nx -q -batch -ex 'break *main+0' -ex run -ex 'print pair.low' lldb_piece_address
 * > $1 = 0
 * actual:    `failed to read memory DW_OP_piece(4) from file address`
 * expected:  0: the pieces are DW_OP_addrx, and the program is loaded elsewhere. gdb shows both
 *            members.
 * versions:  lldb 14.0.6, 15.0.6, 16.0.6, 19.1.7: so; the program by clang 15.0.6.
 * known:     seen in DTD's case 3, which blames clang alone (llvm-project 61924)
 */
volatile int sink = 3;
static struct {
	int low, high;
} pair;
__attribute__((noinline)) static void put(int n)
{
	pair.low = n;
	pair.high += n;
}
int main(void)
{
	put(sink);
	sink = pair.low;
	put(sink + 1);
	sink = pair.high;
	return 0;
}
