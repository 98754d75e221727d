/* lldb shows 0 for a member that no piece describes.
 *
 * wrong:     lldb
 * rule:      G2 extra lldb:gap-as-0
 * basis:     replayed
 * build:     clang-15 -g -O2 -o lldb_gap_as_0 lldb_gap_as_0.c
 * xstep:     xstep diff lldb_gap_as_0
 * $ lldb-15 -x -b -o 'breakpoint set -s lldb_gap_as_0 -a 0x1140' -o run \
 *       -o 'frame variable pair.high' lldb_gap_as_0
 * > pair.high = 0
 * $ readelf --debug-dump=info lldb_gap_as_0
 * > DW_OP_lit4; DW_OP_stack_value; DW_OP_piece: 4
 * actual:    `pair.high` = 0
 * expected:  No value: the location ends after 4 of 8 bytes, and what is behind is undefined
 *            (DWARF 5, 2.6.1.2). `high` was never written.
 * versions:  lldb 14.0.6, 15.0.6, 16.0.6, 19.1.7: so; the program by clang 15.0.6.
 * known:     DTD 15
 */
static volatile int sink;

struct pair {
	int low, high;
};

__attribute__((noinline)) static int work(int number)
{
	struct pair pair;
	pair.low = number + 1;
	sink = pair.low;
	sink = number;
	return pair.low;
}

int main(void)
{
	return work(3) - 4;
}
