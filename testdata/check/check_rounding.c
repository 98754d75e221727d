/* What goes by the last digits, for xstep check opt: with -ffast-math, gcc 12 and clang 15 make a + b - b to a.
 * `rest` and `whole` are other numbers then, and line 20 is executed instead of line 22. None of that is a
 * violation: it depends on how the sum is rounded. Clang at -O3 makes `real` of its addends in another order: only
 * the last digit is another one.
 * end: main returned; exited with status 0
 * functions: main show pick
 */
volatile double tenth = 0.1, seventh = 1 / 7.0;
double large = 1e16;
volatile int sink;

__attribute__((noinline)) void show(double real, double rest)
{
	sink += real < rest;
	sink++;
}

__attribute__((noinline)) int pick(int whole)
{
	if (whole > 50)
		sink += whole;
	else
		sink -= whole;
	return sink;
}

int main(void)
{
	double a = tenth, b = large, c = seventh, real = 0;
	double parts[8];
	for (int i = 0; i < 8; i++)
		parts[i] = c * (i + sink);
	for (int i = 0; i < 8; i++)
		real += parts[i] * a;
	double rest = a + b - b;
	int whole = (int)(rest * 1e3);
	show(real, rest);
	pick(whole);
	return 0;
}
