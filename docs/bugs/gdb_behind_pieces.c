/* gdb shows bits behind the last piece of a location as 0.
 *
 * wrong:     gdb
 * rule:      G4 extra gdb:behind-pieces
 * basis:     replayed
 * build:     clang-15 -g -O1 -o gdb_behind_pieces gdb_behind_pieces.c
 * xstep:     xstep diff gdb_behind_pieces
 * $ gdb -nx -q -batch -ex 'break *main' -ex run -ex 'print shared.half' gdb_behind_pieces
 * > $1 = 255
 * $ readelf --debug-dump=info gdb_behind_pieces
 * > DW_OP_piece: 1
 * actual:    `shared.half` = 255 at the first instruction of main.
 * expected:  No value, or a part of one: the location describes one byte of two (DWARF 5,
 *            2.6.1.2). The source makes it 4095. That clang describes one byte alone is
 *            clang_pieces_short.
 * versions:  gdb 13.1: so; the program by clang 15.0.6.
 * known:     seen in DTD's case 3, which blames clang alone (llvm-project 61924)
 */
static volatile int source = 3;
static union {
	short half;
	unsigned char low;
	int word;
	long all;
} shared = {0x0fff};

__attribute__((noinline)) static void put(void)
{
	char *at = (char *)&shared;
	*at = (char)source;
}

int main(void)
{
	put();
	char *at = (char *)&shared;
	return *at - 3;
}
