/* An optimised main is in .text.startup, another stretch than the rest of its unit. In DWARF 2 a unit has
 * one stretch only, so that gcc -gdwarf-2 -gstrict-dwarf leaves main out of it. gdb then does not find the
 * call that was inlined into main: nobody is named for that.
 */
static volatile int sum;

static inline __attribute__((always_inline)) void in_pieces(void)
{
	__asm__ volatile("nop\n\t"
			 "nop\n\t"
			 "nop");
}

__attribute__((noinline)) void apart(int number)
{
	sum -= number;
}

int main(int argc, char **argv)
{
	apart(argc);
	in_pieces();
	apart(!argv);
	return 0;
}
