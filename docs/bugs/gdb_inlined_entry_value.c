/* gdb evaluates what a call site says in the function around an inlined call, and not in its
 * caller.
 *
 * wrong:     gdb
 * rule:      G5 lie gdb:inlined-entry-value
 * basis:     replayed
 * build:     gcc-12 -g -O2 -o gdb_inlined_entry_value gdb_inlined_entry_value.c
 * xstep:     xstep diff gdb_inlined_entry_value
 * $ gdb -nx -q -batch -ex 'break *outer+9' -ex run -ex 'set $said = at' -ex 'up 2' \
 *       -ex 'print &local == $said' -ex 'print (char *)&local - (char *)$said' \
 *       gdb_inlined_entry_value
 * > $1 = 0
 * > $2 = 32
 * actual:    In inner(), which is inlined into outer(), gdb's `at` is not the address of
 *            `local`, but the same offset in the frame of outer().
 * expected:  &local, as in frame 2. The parameter is DW_OP_entry_value(RDI), and main's call
 *            site says DW_OP_fbreg: main's frame base counts.
 * versions:  gdb 13.1: so; the program by gcc 12.2.
 * known:     -
 */
volatile int sink;
static inline int inner(int *at)
{
	int value = *at;
	__asm__ volatile("xor %%edi, %%edi" : : : "rdi");
	sink = value;
	return sink;
}
__attribute__((noinline)) static int outer(int *at)
{
	int room[8];
	__asm__ volatile("" : : "r"(room) : "memory");
	return inner(at);
}
int main(void)
{
	int local = 4;
	__asm__ volatile("" : : "r"(&local) : "memory");
	return outer(&local) - 4;
}
