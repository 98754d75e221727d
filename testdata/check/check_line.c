/* LI, for xstep check opt: clang 15 computes the quotient's line whichever way the condition goes, from
 * -O1 on; gcc 12 does not.
 * end: main returned; exited with status 0
 * functions: main
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
