/* Debug² snippet 7 (lldb 46456), with gcc: rows that are no statements look like a second call. */
#include <stdio.h>
int number;
void show(void) { printf("%X\n", number); }
int main(void)
{
	number = 1;
	show(); /* @call */
}
