/* fair_wide.c - a constant of DW_FORM_data16: lldb 15 reads nothing of such a file. */
#include <stdio.h>

static const __int128 big = ((__int128)5 << 100) + 3;

int main(int argc, char **argv)
{
	int n = argc * 2;
	printf("%d %d\n", n, (int)(big >> 100));
	return 0;
}
