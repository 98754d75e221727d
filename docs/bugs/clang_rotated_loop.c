/* clang steps into the function that would give a loop its next value, though the loop ends
 * before.
 *
 * wrong:     clang
 * rule:      LI extra producer:dead-line
 * basis:     evidence
 * build:     clang-15 -g -O0 -o clang_rotated_loop.O0 clang_rotated_loop.c
 * build:     clang-15 -g -Oz -o clang_rotated_loop clang_rotated_loop.c
 * xstep:     xstep check opt --witness xstep clang_rotated_loop.O0 clang_rotated_loop
 * $ gdb -nx -q -batch -ex 'break main' -ex run -ex step -ex step -ex step clang_rotated_loop
 * > sum (first=0, second=9)
 * > return first + second;
 * $ gdb -nx -q -batch -ex 'break sum' -ex run clang_rotated_loop.O0
 * > exited normally
 * actual:    A stop in sum(), on `return first + second`.
 * expected:  sum() is never called: the loop is left by break in its first round.
 * culprit:   pass 152 of 267, LoopRotatePass on Loop at depth 1 containing:
 *            %4<header><exiting>,%9,%12,%14<exiting>,%15<latch>,%8: gone with -mllvm
 *            -opt-bisect-limit=151; found with -Oz; gone with -O1, -O2, -O3, -Os, -Og.
 * versions:  clang 13.0.1, 14.0.6, 15.0.6, 16.0.6, 19.1.7: so.
 * known:     Debug2 snippet 10
 */
int sum(int first, int second)
{
	return first + second;
}
int turn;
int leave = 4;
int other;
int main(void)
{
	for (turn = 0; (turn < 49); turn = sum(turn, 9)) {
		for (; other; other++)
			;
		if (leave)
			break;
	}
}
