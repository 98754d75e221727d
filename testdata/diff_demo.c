/* What `./dev demo` shows: a program of which, compiled by gcc -O2, gdb and lldb each say something
 * wrong. Of `pair` only one half is anywhere; `numbers` is gone behind the loop and the DWARF says how
 * to get it from the caller; lists of locations begin with empty ranges; `i` of main is in a register
 * that a call need not preserve.
 * end: main returned; exited with status 0
 * functions: main scaled note halves
 */
#include <stdio.h>

struct pair {
	int low, high;
};

static volatile int sink;

__attribute__((noinline)) static void note(int value)
{
	sink = value;
}

__attribute__((noinline)) static int scaled(int scale, int value)
{
	note(scale);
	return value + 1;
}

__attribute__((noinline)) static int halves(const int *numbers, int count)
{
	struct pair pair = {0, 7};
	struct pair *at = &pair;
	for (int i = 0; i < count; i++)
		at->low += numbers[i] / 2;
	note(at->low);
	return at->low;
}

int main(void)
{
	int numbers[] = {4, -6, 9};
	int sum = 0;
	for (int i = 0; i < 3; i++)
		sum += scaled(i, numbers[i]);
	printf("%d %d\n", sum, halves(numbers, 3));
	return 0;
}
