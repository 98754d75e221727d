/* lldb does not put together what DW_OP_bit_piece describes.
 *
 * wrong:     lldb
 * rule:      G3 loss lldb:bit-piece
 * basis:     replayed
 * build:     gcc-12 -g -O1 -o lldb_bit_piece lldb_bit_piece.c
 * xstep:     xstep diff lldb_bit_piece
 * $ lldb-15 -x -b -o 'breakpoint set -s lldb_bit_piece -a 0x112b' -o run \
 *       -o 'frame variable bits.low' lldb_bit_piece
 * > (unsigned int:5) bits.low = <parent failed to evaluate: unable to extract
 * $ gdb -nx -q -batch -ex 'break *work+2' -ex run -ex 'print bits.low' lldb_bit_piece
 * > $1 = 3
 * actual:    `unable to extract DW_OP_bit_piece`
 * expected:  3: the pieces are of 5, 7 and 20 bits (DWARF 5, 2.6.1.2).
 * versions:  lldb 14.0.6, 15.0.6, 16.0.6, 19.1.7: so; the program by gcc 12.2.
 * known:     DTD 7
 */
volatile int sink;
struct bits {
	unsigned low : 5, high : 7;
};
__attribute__((noinline)) static int work(int number)
{
	struct bits bits;
	bits.low = number;
	bits.high = number + 1;
	sink = bits.low;
	sink = bits.high;
	return number;
}
int main(void)
{
	return work(3) - 3;
}
