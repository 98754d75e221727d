/* DEVIL figure 1 (gdb 27151), R1: a step over memset() does not stop on the next line; the program ends. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
	int *four = (int *)malloc(sizeof(int) * 4);
	memset(four, 0, sizeof(four)); /* @from */
	printf("hello world"); /* @next */
	return 0;
}
