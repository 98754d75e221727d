/* gcc -O2 moves a load of line 18 to the first instruction of main: by the last row there steps begin
 * on that line. When its statement begins they are on it still: nobody is wrong.
 * end: main returned; exited with status 0
 * functions: main check
 */
static double value;
static int wrong;

__attribute__((noinline)) void check(int a, int b)
{
	wrong += a != b;
}

int main(void)
{
	value = 0.0;
	__asm__("" : "+m"(value));
	check(__builtin_isgreater(value, 1.0), 0);
	check(__builtin_isgreaterequal(value, 1.0), 0);
	check(__builtin_isless(value, 1.0), 1);
	return wrong;
}
