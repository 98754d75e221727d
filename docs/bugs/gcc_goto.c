/* gcc shows a pointer at a call and not before, though nothing assigned it in between.
 *
 * wrong:     gcc
 * rule:      C3 loss producer:decay incomplete [not-covered]
 * basis:     evidence
 * build:     gcc-12 -g -Og -o gcc_goto gcc_goto.c
 * xstep:     xstep check avail --source gcc_goto.c gcc_goto
 * $ gdb -nx -q -batch -ex 'break main' -ex run -ex 'print place' -ex next -ex 'print place' \
 *       gcc_goto
 * > if (again)
 * > $1 = <optimized out>
 * > use(*hold);
 * > <target>
 * actual:    `place` is optimised out on the line of the test.
 * expected:  &target, as on the line of the call.
 * versions:  gcc 11.3, 12.2: so.
 * known:     Conjectures 3.4, gcc 104938
 */
int again, target = 0;
void use(int *at) { again = 0; }
int main(void)
{
	int *place = &target;
	int **hold = &place;
retry:	if (again)
		goto retry;
	*hold = place;
	use(*hold);
}
