/* Calls from inlined calls that begin at one pc: what a debugger says of an outer frame follows from
 * where its innermost call returns to, not from where an inlined call begins.
 * end: main returned; exited with status 0
 * functions: main caller leaf
 */
static volatile int sink;

__attribute__((noinline)) static void leaf(int x)
{
	sink = x;
}

__attribute__((always_inline)) static inline void inner(int x)
{
	leaf(x);
	sink++;
}

__attribute__((always_inline)) static inline void outer(int x)
{
	inner(x);
	leaf(x + 1);
	sink++;
}

__attribute__((noinline)) static void caller(int x)
{
	outer(x);
	leaf(x + 2);
	sink++;
}

int main(void)
{
	caller(1);
	caller(2);
	return 0;
}
