/* Wide registers keep what is in them over each stop, rounding mode and x87 too. */
#include <fenv.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	long out[4] = {0}, in[4] = {1, 2, 3, 4};
	double third = 0;
	if (!__builtin_cpu_supports("avx"))
		return 0;
	__asm__ volatile("vmovdqu (%0), %%ymm13" ::"r"(in) : "xmm13");
	fesetround(FE_UPWARD);
	for (volatile int i = 0; i < 50; i++)
		third += 1.0 / 3;
	__asm__ volatile("vmovdqu %%ymm13, (%0); vzeroupper" ::"r"(out) : "memory");
	printf("%ld %.17g %d\n", out[0] + out[1] * 10 + out[2] * 100 + out[3] * 1000, third,
		fegetround() == FE_UPWARD);
	return 0;
}
