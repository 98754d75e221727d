#include <complex.h>
double complex z = 1 + 2 * I;
int main(void) { z *= z; float complex w = z; return creal(w) > 0; }
