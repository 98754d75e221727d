/* lldb does not list a static variable of a function that is inlined everywhere.
 *
 * wrong:     lldb
 * rule:      G3 loss lldb:abstract-only
 * basis:     replayed
 * build:     gcc-12 -g -O1 -o lldb_abstract_only lldb_abstract_only.c
 * xstep:     xstep diff lldb_abstract_only
 * $ lldb-15 -x -b -o 'breakpoint set -s lldb_abstract_only -a 0x1133' -o run \
 *       -o 'frame variable count' lldb_abstract_only
 * > error: no variable named 'count' found in this frame
 * $ gdb -nx -q -batch -ex 'break *main+10' -ex run -ex 'print count' lldb_abstract_only
 * > $1 = 4
 * actual:    `no variable named 'count' found in this frame`
 * expected:  4: its address is in the abstract instance, which is the only one (DWARF 5,
 *            3.3.8.2). gdb shows it.
 * versions:  lldb 14.0.6, 15.0.6, 16.0.6, 19.1.7: so; the program by gcc 12.2.
 * known:     Conjectures 5.3, lldb 50076, is of this kind
 */
volatile int sink;
static inline int next(void)
{
	static int count = 4;
	sink = 2;
	return ++count;
}
int main(void)
{
	sink = next();
	sink = next();
	return 0;
}
