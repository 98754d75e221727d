/* lldb does not show a structure that the DWARF itself holds.
 *
 * wrong:     lldb
 * rule:      G3 loss lldb:constant-data
 * basis:     replayed
 * build:     gcc-12 -g -O1 -o lldb_constant_data lldb_constant_data.c
 * xstep:     xstep diff lldb_constant_data
 * $ lldb-15 -x -b -o 'breakpoint set -s lldb_constant_data -a 0x1129' -o run \
 *       -o 'frame variable pair.x' lldb_constant_data
 * > failed to read memory DW_OP_piece(4) from host address
 * $ gdb -nx -q -batch -ex 'break *work' -ex run -ex 'print pair.x' lldb_constant_data
 * > $1 = 1.5
 * actual:    `failed to read memory DW_OP_piece(4) from host address`
 * expected:  1.5: DW_OP_implicit_value, DW_OP_piece (DWARF 5, 2.6.1.1.3).
 * versions:  lldb 14.0.6, 15.0.6, 16.0.6, 19.1.7: so; the program by gcc 12.2.
 * known:     DTD 9
 */
static volatile int sink;

struct pair {
	float x, y;
};

__attribute__((noinline)) static int work(void)
{
	struct pair pair = {1.5f, 2.5f};
	const double wide[2] = {1, 2};
	sink = (int)(pair.x + pair.y + wide[1]);
	return 6;
}

int main(void)
{
	return work() - 6;
}
