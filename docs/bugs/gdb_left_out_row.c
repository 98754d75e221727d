/* gdb leaves out a row of the line table and steps over a statement.
 *
 * wrong:     gdb
 * rule:      R2 lie gdb:order-later
 * basis:     evidence
 * build:     gcc-12 -g -O1 -o gdb_left_out_row gdb_left_out_row.c
 * xstep:     xstep check levels --witness xstep,gdb,lldb gdb_left_out_row
 * $ gdb -nx -q -batch -ex 'break find' -ex run -ex step -ex step -ex step -ex step gdb_left_out_row
 * > for (one = from
 * > if (one->length
 * > if (one->length
 * > if (one->length
 * $ lldb-15 -x -b -o 'breakpoint set -n find' -o run -o step -o step -o step -o step \
 *       gdb_left_out_row
 * > -> ... {
 * > -> ... for (one = from
 * > -> ... if (one->length
 * > -> ... for (one = from
 * > -> ... if (one->length
 * actual:    Steps stop on the line of the loop when it begins, and then go from the line
 *            inside to itself, over `one = one->next`.
 * expected:  The loop's line in every round: a row with is_stmt begins there. lldb stops on it.
 * versions:  gdb 13.1: so; the program by gcc 12.2.
 * known:     -
 */
struct node {
	int key, length;
	const struct node *next;
};

static const struct node third = {3, 3, 0}, second = {2, 2, &third}, first = {1, 1, &second};
const struct node *volatile list = &first;

__attribute__((noinline)) static const struct node *
find(const struct node *from, int key, int length)
{
	const struct node *one;
	for (one = from; one; one = one->next) {
		if (one->length == length && one->key == key)
			break;
	}
	return one;
}

int main(void)
{
	return find(list, 4, 4) != 0;
}
