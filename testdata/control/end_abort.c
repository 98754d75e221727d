/* end: killed by SIGABRT (Aborted)
 * functions: main
 */
#include <stdlib.h>

int main(void)
{
	abort();
}
