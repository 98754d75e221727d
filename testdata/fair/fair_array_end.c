/* fair_array_end.c - an array that reaches beyond the stack before its function has made room for it: at
 * the first instruction some of its elements cannot be read, and the others can. */
#include <stdio.h>

__attribute__((noinline)) static int fill(int n)
{
	int buffer[1000];
	for (int i = 0; i < n; i++)
		buffer[i] = i;
	fwrite(buffer, sizeof *buffer, (size_t)n, stdout);
	return buffer[n - 1];
}

int main(int argc, char **argv)
{
	return fill(argc + 1) - argc;
}
