#include <complex.h>
float complex f = 0.5f - 1.5f * I; double complex d;
static double complex turn(double complex v) { return v * I; }
int main(void)
{
	d = turn(f);
	d = turn(d) + 1;
	return creal(d) > 10;
}
