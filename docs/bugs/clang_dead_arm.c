/* clang counts the arm of a condition that is not taken as executed.
 *
 * wrong:     clang
 * rule:      LI extra producer:dead-line
 * basis:     evidence
 * build:     clang-15 -g -O0 -o clang_dead_arm.O0 clang_dead_arm.c
 * build:     clang-15 -g -O2 -o clang_dead_arm clang_dead_arm.c
 * xstep:     xstep check opt --witness xstep clang_dead_arm.O0 clang_dead_arm
 * $ gdb -nx -q -batch -ex 'break main' -ex run -ex next -ex next -ex next clang_dead_arm
 * > five / none;
 * $ gdb -nx -q -batch -ex 'break main' -ex run -ex next -ex next -ex 'print none' clang_dead_arm.O0
 * > $1 = 0
 * actual:    Steps stop on the line of the division by 0.
 * expected:  No code of that line is executed: `none` is 0.
 * culprit:   pass 119 of 128, Control Flow Optimizer on function (main): gone with -mllvm
 *            -opt-bisect-limit=118; found with -O1, -O2, -O3, -Os, -Og; gone with -Oz.
 * versions:  clang 13.0.1, 14.0.6, 15.0.6, 16.0.6, 19.1.7: so.
 * known:     Debug2 snippet 1, llvm 46009
 */
int zero, out;

int main(void)
{
	int five = 5, none = zero;
	out =
		none == 0 ?
		five :
		five / none; /* never executed */
	return 0;
}
