/* gdb does not find the code of a function that a call site names by its abstract instance.
 *
 * wrong:     gdb
 * rule:      G1 loss gdb:abstract-callee
 * basis:     replayed
 * build:     gcc-12 -g -O2 -o gdb_abstract_callee gdb_abstract_callee.c
 * xstep:     xstep diff gdb_abstract_callee
 * $ gdb -nx -q -batch -ex 'break *work' -ex run -ex 'print $edi' -ex 'print number' \
 *       -ex 'tbreak *work+25' -ex continue -ex 'print number' -ex 'set debug entry-values 1' \
 *       -ex 'print number' gdb_abstract_callee
 * > $1 = 3
 * > $2 = 3
 * > $3 = <optimized out>
 * > DW_AT_call_target is not specified at
 * actual:    `number` is optimised out in the out-of-line copy of work().
 * expected:  3: its location is DW_OP_entry_value(RDI), which main's call site gives. The call
 *            site names work() by its abstract instance (DW_AT_call_origin; DWARF 5, 3.4.1), and
 *            gdb takes that for no target.
 * versions:  gdb 13.1: so; the program by gcc 12.2.
 * known:     -
 */
volatile int sink = 3;
__attribute__((noinline)) static int leaf(int n)
{
	sink = n;
	return sink;
}
static int work(int number)
{
	int got = leaf(number);
	__asm__ volatile("xor %%edi, %%edi" : : : "rdi");
	sink = got * 3 + leaf(got + 5) + leaf(got ^ 7) + leaf(got - 9);
	return sink;
}
static inline __attribute__((always_inline)) int twice(int n)
{
	return work(n) + work(n + 1);
}
int (*volatile pointer)(int) = work;
__attribute__((flatten, noinline)) static int flat(int n)
{
	return work(n);
}
int main(void)
{
	int all = twice(sink) + pointer(sink) + flat(4);
	return all * 0;
}
