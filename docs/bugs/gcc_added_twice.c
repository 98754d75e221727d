/* gcc adds an operand to a sum a second time.
 *
 * wrong:     gcc
 * rule:      PI lie producer:foreign-value-of-local [empty-entry]
 * basis:     evidence
 * build:     gcc-12 -g -O0 -o gcc_added_twice.O0 gcc_added_twice.c
 * build:     gcc-12 -g -O2 -o gcc_added_twice gcc_added_twice.c
 * xstep:     xstep check opt gcc_added_twice.O0 gcc_added_twice
 * $ gdb -nx -q -batch -ex 'break *step+45' -ex run -ex 'print n' gcc_added_twice
 * > $1 = 9
 * $ gdb -nx -q -batch -ex 'break 40' -ex run -ex 'print n' gcc_added_twice.O0
 * > $1 = 7
 * $ objdump -d --disassemble=step gcc_added_twice
 * > ...add    $0x2,%eax
 * > ...mov    $0x2,%ecx
 * > ...jmp    117d...
 * $ llvm-dwarfdump-15 -c --name=step gcc_added_twice
 * > DW_AT_name	("n")
 * > [0x000000000000117d, 0x000000000000119e): DW_OP_breg2 RCX+0, DW_OP_breg0 RAX+0, DW_OP_plus...
 * actual:    From 0x117d on `n` is said to be RAX + RCX. All ways there have added RCX, which is
 *            `token`, to RAX.
 * expected:  RAX: 5 + 2.
 * versions:  gcc 11.3, 12.2: so.
 * known:     -
 */
static const short base[] = {5, 9};
static const short check[16] = {1, 2, 3, 4, 5, 6, 7, 2};
static const short table[16] = {0, 1, 2, 3, 4, 5, 6, 8};
static const unsigned char translate[16] = {0, 2, 3, 1, 2};
int character = 20;

__attribute__((noinline)) int step(int state)
{
	int n = base[state], token;
	if (character <= 0)
		token = 0;
	else
		token = character < 16 ? translate[character] : 2;
	n += token;
	if (n < 0 || n > 15 || check[n] != token)
		return -1;
	n = table[n];
	return n;
}

int main(int argc, char **argv)
{
	return step(argc - 1) == !argv;
}
