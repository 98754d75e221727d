/* gdb cannot read a bit-field that touches nine bytes.
 *
 * wrong:     gdb
 * rule:      G1 loss gdb:wide-bit-field
 * basis:     replayed
 * build:     gcc-12 -g -O0 -o gdb_wide_bit_field gdb_wide_bit_field.c
 * xstep:     xstep diff gdb_wide_bit_field
 * $ gdb -nx -q -batch -ex 'break *main' -ex run -ex 'print global.second' \
 *       -ex 'print *(unsigned long *)&global >> 7 | (unsigned long)((char *)&global)[8] << 57' \
 *       gdb_wide_bit_field
 * > not available on integers of more than 8 bytes
 * >  = 1311768467463790320
 * actual:    `That operation is not available on integers of more than 8 bytes.`
 * expected:  0x123456789abcdef0: 64 bits at bit 7 of a packed structure.
 * versions:  gdb 13.1: so; the program by gcc 12.2.
 * known:     -
 */
#pragma pack(push, 1)
struct packed {
	unsigned first : 7;
	unsigned long second : 64;
	unsigned third : 1;
};
#pragma pack(pop)
static struct packed global = {1, 0x123456789abcdef0, 1};
volatile int sink;

int main(void)
{
	global.first = 2;
	sink = (int)global.second;
	return 0;
}
