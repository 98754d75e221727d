/* scope_extern.c - declarations of globals in blocks. A marked line prints what the name in front of the
 * `_` means there. */
#include <stdio.h>

int i = 100;
int j = 200;

__attribute__((noinline)) int first(int i)
{
	int sum = i;
	{
		extern int i;
		sum += i;
		printf("i_global=%d\n", i); /* @i_global */
		{
			int i = sum / 10;
			sum += i;
			printf("i_inside=%d\n", i); /* @i_inside */
		}
		i++;
	}
	sum += i;
	printf("i_parameter=%d\n", i); /* @i_parameter */
	return sum;
}

__attribute__((noinline)) int second(int n)
{
	int j = n + 3;
	int sum = j;
	{
		sum++;
		printf("j_local=%d\n", j); /* @j_local */
		extern int j;
		sum += j;
		printf("j_global=%d\n", j); /* @j_global */
	}
	return sum + j;
}

__attribute__((noinline)) int third(void)
{
	extern int late;
	late++;
	printf("late_global=%d\n", late); /* @late_global */
	return late;
}

int late = 300;

int main(void)
{
	return first(1) + second(1) + third() < 500;
}
