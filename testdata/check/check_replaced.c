/* C1, for xstep check avail: compilers call puts() instead of printf(), and do not pass `surplus`.
 * end: main returned; exited with status 0
 * functions: main
 */
#include <stdio.h>

extern int fetch(void); /* nobody can look into that: */
__asm__(".pushsection .text\n.globl fetch\n.type fetch, @function\nfetch: xor %eax, %eax\nret\n.popsection");

int main(void)
{
	int surplus = fetch() * 7;
	fetch();
	printf("plain\n", surplus);
	return fetch();
}
