/* gcc says that a parameter stays in its register, which a loop before that code changes.
 *
 * wrong:     gcc
 * rule:      PI lie producer:foreign-value
 * basis:     evidence
 * build:     gcc-12 -g -O0 -o gcc_loop_register.O0 gcc_loop_register.c
 * build:     gcc-12 -g -Og -o gcc_loop_register gcc_loop_register.c
 * xstep:     xstep check opt gcc_loop_register.O0 gcc_loop_register
 * $ gdb -nx -q -batch -ex 'break *look+9' -ex run -ex 'print d.low == 4' gcc_loop_register
 * > $1 = 0
 * $ objdump -d --disassemble=look gcc_loop_register
 * > ...lea ...,%rcx...
 * > ...jmp    112e...
 * $ llvm-dwarfdump-15 -c --name=look gcc_loop_register
 * > DW_AT_name	("d")
 * > [0x0000000000001129, 0x0000000000001143): DW_OP_reg2 RCX...
 * actual:    `d` is said to be in RCX at all of [0x1129, 0x1143). The loop writes RCX at 0x113c
 *            and jumps back into that range: there `d` is a part of the address of `other`.
 * expected:  {4, 5}, or no value once RCX is written.
 * versions:  gcc 12.2: so.
 * known:     -
 */
struct pair {
	short low, high;
};
int other;

__attribute__((noinline)) static int look(int a, int b, int c, struct pair d)
{
	int *room[1];
	for (int i = 0; i < 1; i++)
		room[i] = &other;
	return other;
}

int main(void)
{
	return look(1, 2, 3, (struct pair){4, 5});
}
