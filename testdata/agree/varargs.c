#include <stdarg.h>
static int total(int count, ...)
{
	va_list list;
	int sum = 0;
	va_start(list, count);
	for (int i = 0; i < count; i++)
		sum += va_arg(list, int);
	va_end(list);
	return sum;
}
int main(void)
{
	int s = total(3, 1, 2, 3);
	return s - total(1, 6);
}
