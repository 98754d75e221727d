/* clang loses the counter of a loop that runs once.
 *
 * wrong:     clang
 * rule:      C1 loss producer:argument hollow [no-location]
 * basis:     evidence
 * build:     clang-15 -g -O2 -o clang_loop_of_one clang_loop_of_one.c
 * xstep:     xstep check avail --source clang_loop_of_one.c clang_loop_of_one
 * $ gdb -nx -q -batch -ex 'break *opaque' -ex run -ex 'print $esi' -ex up -ex 'print turn' \
 *       clang_loop_of_one
 * > $1 = 0
 * > $2 = <optimized out>
 * actual:    `turn` is optimised out in the call that it is passed by.
 * expected:  0, as in esi when opaque() is entered.
 * culprit:   pass 15 of 128, SimplifyCFGPass on main: gone with -mllvm -opt-bisect-limit=14;
 *            found with -O1, -O2, -O3, -Os, -Og, -Oz; gone with -O0.
 * versions:  clang 13.0.1, 14.0.6, 15.0.6, 16.0.6, 19.1.7: so.
 * known:     Conjectures 5.3, llvm 49546
 */
extern void opaque(int, ...); /* nobody can look into that: */
__asm__(".pushsection .text\n.globl opaque\n"
	".type opaque, @function\nopaque: ret\n.popsection");
int main(void)
{
	int turn;
	for (turn = 0; turn < 1; turn++)
		opaque(1, turn);
}
