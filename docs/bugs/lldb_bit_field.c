/* lldb reads a packed bit-field that reaches over its type's size from the wrong bits.
 *
 * wrong:     lldb
 * rule:      G5 lie lldb:bit-field
 * basis:     replayed
 * build:     gcc-12 -g -O0 -o lldb_bit_field lldb_bit_field.c
 * xstep:     xstep diff lldb_bit_field
 * $ lldb-15 -x -b -o 'breakpoint set -s lldb_bit_field -a 0x1129' -o run \
 *       -o 'frame variable global.second' lldb_bit_field
 * > (int:30) global.second = 0
 * $ gdb -nx -q -batch -ex 'break *main+0' -ex run -ex 'print global.second' lldb_bit_field
 * > $1 = -12345
 * actual:    `second` = 0
 * expected:  -12345, as the source says. gdb shows it.
 * versions:  lldb 14.0.6, 15.0.6, 16.0.6, 19.1.7: so; the program by gcc 12.2.
 * known:     DTD 12
 */
#pragma pack(push, 1)
struct packed {
	signed first : 5;
	signed second : 30;
	unsigned third : 29;
};
#pragma pack(pop)
static struct packed global = {-1, -12345, 77};

int main(void)
{
	struct packed local = global;
	local.second--;
	global = local;
	return 0;
}
