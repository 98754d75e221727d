/* Recursion until there is no more stack. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int deep(int n)
{
	volatile char room[100000];
	room[n % 1000] = (char)n;
	return deep(n + 1) + room[n % 1000];
}

int main(void)
{
	return deep(0);
}
