/* Becomes another program, which runs to its own end.
 * end: became another program; exited with status 5
 * functions: main
 */
#include <unistd.h>

int main(void)
{
	execl("/bin/sh", "sh", "-c", "exit 5", (char *)0);
	return 1;
}
