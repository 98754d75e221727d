/* Copies its input to its output.
 * end: main returned; exited with status 0
 * functions: main
 */
#include <stdio.h>

int main(void)
{
	int c;
	while ((c = getchar()) != EOF)
		putchar(c);
	return 0;
}
