/* clang describes an object of eight bytes by one piece of one byte.
 *
 * wrong:     clang
 * rule:      G5 lie producer:pieces-short
 * basis:     evidence
 * build:     clang-15 -g -O1 -o clang_pieces_short clang_pieces_short.c
 * xstep:     xstep diff clang_pieces_short
 * $ readelf --debug-dump=info clang_pieces_short
 * > DW_OP_piece: 1
 * actual:    DW_OP_addrx, DW_OP_piece 1, for a union of 8 bytes: nothing is said of the other
 *            7.
 * expected:  All 8 bytes, or a location that says which are gone (DWARF 5, 2.6.1.2).
 * versions:  clang 14.0.6, 15.0.6, 16.0.6, 19.1.7: so; clang 13.0.1: not so.
 * known:     DTD 1, llvm-project 61924
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
