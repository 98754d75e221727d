/* clang loses a constant of a block with an inner loop.
 *
 * wrong:     clang
 * rule:      C1 loss producer:argument missing [abstract-only]
 * basis:     evidence
 * build:     clang-15 -g -O1 -o clang_constant_block clang_constant_block.c
 * xstep:     xstep check avail --source clang_constant_block.c clang_constant_block
 * $ gdb -nx -q -batch -ex 'break *opaque' -ex run -ex 'print $esi' -ex up -ex 'print eight' \
 *       clang_constant_block
 * > $1 = 8
 * > $2 = <optimized out>
 * actual:    `eight` is optimised out in the call that it is passed by.
 * expected:  8, as in esi when opaque() is entered.
 * culprit:   pass 217 of 252, CodeGen Prepare on function (main): gone with -mllvm
 *            -opt-bisect-limit=216; found with -O1, -O2, -O3, -Og; gone with -O0, -Os, -Oz.
 * versions:  clang 13.0.1, 14.0.6, 15.0.6, 16.0.6, 19.1.7: so.
 * known:     Conjectures A, llvm 55115
 */
extern void opaque(int, ...); /* nobody can look into that: */
__asm__(".pushsection .text\n.globl opaque\n"
	".type opaque, @function\nopaque: ret\n.popsection");
int turn;
char wait_for;
void work(void)
{
	for (; turn <= 0; turn = 9) {
		int eight = 8;
		for (; wait_for;)
			opaque(0);
		opaque(1, eight);
	}
}
int main(void)
{
	work();
}
