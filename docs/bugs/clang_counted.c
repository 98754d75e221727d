/* clang loses the counter of an empty loop.
 *
 * wrong:     clang
 * rule:      C1 loss producer:argument missing [abstract-only,no-location]
 * basis:     evidence
 * build:     clang-15 -g -O1 -o clang_counted clang_counted.c
 * xstep:     xstep check avail --source clang_counted.c clang_counted
 * $ gdb -nx -q -batch -ex 'break *opaque' -ex run -ex 'print $edx' -ex up -ex 'print turn' \
 *       clang_counted
 * > $1 = 8
 * > $2 = <optimized out>
 * actual:    `turn` is optimised out in the call that it is passed by.
 * expected:  8, as in edx when opaque() is entered.
 * culprit:   pass 59 of 222, InlinerPass on (main): gone with -mllvm -opt-bisect-limit=58;
 *            found with -O1, -O2, -O3, -Os, -Og; gone with -O0, -Oz.
 * versions:  clang 13.0.1, 14.0.6, 15.0.6, 16.0.6, 19.1.7: so.
 * known:     Conjectures A, gcc 105007
 */
extern void opaque(int, ...); /* nobody can look into that: */
__asm__(".pushsection .text\n.globl opaque\n"
	".type opaque, @function\nopaque: ret\n.popsection");
void work(void)
{
	int five = 5, turn = 0;
	for (; turn < 8; turn++)
		;
	opaque(2, five, turn);
}
int main(void)
{
	work();
}
