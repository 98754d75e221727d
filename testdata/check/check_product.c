/* C2, for xstep check avail: of two loops of one round nothing is left but a store of 0 (the shape of
 * llvm issue 54757). clang 15 from -O1 on has no values for `i` and `j`; gcc 12 has.
 * end: main returned; exited with status 0
 * functions: main multiply
 */
int result;

__attribute__((noinline)) static void multiply(void)
{
	int i = 0, j;
	for (; i < 1; i++)
		for (j = 0; j < 1; j++)
			result = (i)*j;
}

int main(void)
{
	multiply();
	return result;
}
