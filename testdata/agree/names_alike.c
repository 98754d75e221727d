/* Functions whose names differ in the first letter alone, each with a variable. */
#include <stdio.h>

static void a_work(void)
{
	int x = 1;
	printf("%d\n", x);
}

static void b_work(void)
{
	int y = 2;
	printf("%d\n", y);
}

int main(void)
{
	a_work();
	b_work();
	return 0;
}
