/* Never ends by itself: --limit and --timeout do it. The end below is that of --limit 1000.
 * options: --limit 1000
 * end: ended by --limit 1000
 * functions: main
 */
int main(void)
{
	for (volatile unsigned i = 0;; i++)
		;
}
