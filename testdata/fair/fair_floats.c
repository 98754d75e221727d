/* fair_floats.c - long doubles and complex numbers that are in no memory when optimised. gdb prints them. */
#include <complex.h>
#include <stdio.h>

__attribute__((noinline)) static long double work(long double x, int n)
{
	long double constant = 1.5L;
	long double huge = 1e4900L;
	_Complex double point = n + 2.5 * I;
	long double sum = x * 3 + n;
	for (int i = 0; i < n; i++) {
		sum += constant * i;
		printf("%d %Lg\n", i, sum);
		point *= point;
	}
	return sum + creal(point) + (huge > sum);
}

int main(int argc, char **argv)
{
	return work(argc + 0.5L, argc + 1) < 0;
}
