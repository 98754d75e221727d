/* clang loses a variable that is assigned inside of a condition and passed on.
 *
 * wrong:     clang
 * rule:      C1 loss producer:argument missing [abstract-only,no-location]
 * basis:     evidence
 * build:     clang-15 -g -O1 -o clang_and clang_and.c
 * xstep:     xstep check avail --source clang_and.c clang_and
 * $ gdb -nx -q -batch -ex 'break *elsewhere' -ex run -ex 'print $edi' -ex up -ex 'print copy' \
 *       clang_and
 * > $1 = 4
 * > $2 = <optimized out>
 * actual:    `copy` is optimised out in the call that it is passed by.
 * expected:  4, as in edi when elsewhere() is entered.
 * culprit:   pass 55 of 147, InstCombinePass on main: gone with -mllvm -opt-bisect-limit=54;
 *            found with -O1, -O2, -O3, -Os, -Og, -Oz; gone with -O0.
 * versions:  clang 13.0.1, 14.0.6, 15.0.6, 16.0.6: so; clang 19.1.7: not so.
 * known:     Conjectures 3.2, llvm 49975
 */
extern void elsewhere(int, ...); /* nobody can look into that: */
__asm__(".pushsection .text\n.globl elsewhere\n"
	".type elsewhere, @function\nelsewhere: ret\n.popsection");

static short level = 4;

static void pass(int scale)
{
	int copy, two = 2, nine = 9,
		which = ((copy = level) == 0) & scale;
	elsewhere(copy, two, nine, which);
}

int main(void)
{
	pass(level);
	level = 0;
	return 0;
}
