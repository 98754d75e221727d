/* clang loses the value of a condition that is passed on.
 *
 * wrong:     clang
 * rule:      C1 loss producer:argument hollow [no-location]
 * basis:     evidence
 * build:     clang-15 -g -O1 -o clang_truth clang_truth.c
 * xstep:     xstep check avail --source clang_truth.c clang_truth
 * $ gdb -nx -q -batch -ex 'break *opaque' -ex run -ex 'print $esi' -ex up -ex 'print truth' \
 *       clang_truth
 * > $1 = 0
 * > $2 = <optimized out>
 * actual:    `truth` is optimised out in the call that it is passed by.
 * expected:  0, as in esi when opaque() is entered.
 * culprit:   pass 81 of 115, X86 DAG->DAG Instruction Selection on function (main): gone with
 *            -mllvm -opt-bisect-limit=80; found with -O1, -O2, -O3, -Os, -Og, -Oz; gone with
 *            -O0.
 * versions:  clang 14.0.6, 15.0.6, 16.0.6, 19.1.7: so; clang 13.0.1: not so.
 * known:     Conjectures A, gcc 105158
 */
extern void opaque(int, ...); /* nobody can look into that: */
__asm__(".pushsection .text\n.globl opaque\n"
	".type opaque, @function\nopaque: ret\n.popsection");
int first, second;
int main(void)
{
	int truth = first || (second && first);
	opaque(1, truth);
}
