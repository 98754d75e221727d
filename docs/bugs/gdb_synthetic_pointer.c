/* gdb calls a number that no piece describes a synthetic pointer.
 *
 * wrong:     gdb
 * rule:      G4 extra gdb:synthetic-pointer
 * basis:     replayed
 * build:     clang-15 -g -O2 -o gdb_synthetic_pointer gdb_synthetic_pointer.c
 * xstep:     xstep diff gdb_synthetic_pointer
 * $ gdb -nx -q -batch -ex 'break *work' -ex run -ex 'print pair.high' gdb_synthetic_pointer
 * > $1 = <synthetic pointer>
 * $ readelf --debug-dump=info gdb_synthetic_pointer
 * > DW_OP_lit4; DW_OP_stack_value; DW_OP_piece: 4
 * actual:    `<synthetic pointer>`
 * expected:  `<optimized out>`: there is no DW_OP_implicit_pointer in the program. `high` was
 *            never written.
 * versions:  gdb 13.1: so; the program by clang 15.0.6.
 * known:     DTD 17
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
