/* clang, any version so far: with debug information the body of a parallel loop becomes a function of its
 * own, behind another one that calls it; and the names of places in the source are other strings.
 * build: -fopenmp
 * expect: operand at -O0 */
int sum[64];

void fill(int by)
{
#pragma omp parallel for
	for (int i = 0; i < 64; i++)
		sum[i] = i * by;
}
