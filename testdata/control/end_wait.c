/* Never ends by itself, in the C library: only --timeout does it.
 * options: --timeout 0.3
 * end: ended by --timeout 0.3
 * functions: main
 */
#include <unistd.h>

int main(void)
{
	for (;;)
		pause();
}
