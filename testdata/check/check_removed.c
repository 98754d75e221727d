/* C1, for xstep check avail: compilers remove the calls of elsewhere(), which are behind a condition that
 * does not hold. What they would pass is then not computed, and nothing of it is left.
 * end: main returned; exited with status 0
 * functions: main
 */
extern int elsewhere(int), fetch(void); /* nobody can look into these: */
__asm__(".pushsection .text\n.globl elsewhere, fetch\n.type elsewhere, @function\n.type fetch, @function\n"
	"elsewhere: xor %eax, %eax\nret\nfetch: xor %eax, %eax\nxor %ecx, %ecx\nret\n.popsection");

static int base = 3, sink;

static inline __attribute__((always_inline)) void report(int verbose, int seed)
{
	int wanted = seed * 37 + base;
	base = fetch();
	if (fetch() && verbose) elsewhere(wanted);
	sink++;
}

int main(void)
{
	report(0, fetch());
	return sink - 1;
}
