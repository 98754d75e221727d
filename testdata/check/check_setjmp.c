/* Locals that are changed between setjmp() and longjmp(), for xstep check opt: they have no certain value then.
 * Optimised code has the old ones of `count` and of `both`, which is made of it, and executes line 30; that is no
 * violation. Neither is it in built(). `tag` of note, which calls nothing of the kind, is one, by gcc 12 at -O2: see
 * check_value.c.
 * end: main returned; exited with status 0
 * functions: main work again built note
 */
#include <setjmp.h>

volatile int input = 3, sink;
static jmp_buf env;
static void *buffer[5];

__attribute__((noinline)) void again(int which)
{
	if (which)
		longjmp(env, 1);
	__builtin_longjmp(buffer, 1);
}

__attribute__((noinline)) void work(int first)
{
	int count = first;
	volatile int kept = first;
	if (setjmp(env)) {
		int both = count * 2 + 1;
		sink = both;
		sink = both + 1;
		if (count == first)
			sink = 1;
		return;
	}
	count += input;
	kept += count;
	sink = count;
	again(1);
}

__attribute__((noinline)) void built(int first)
{
	int count = first;
	if (__builtin_setjmp(buffer)) {
		int both = count * 2 + 1;
		sink = both;
		sink = both + 1;
		return;
	}
	count += input;
	sink = count;
	again(0);
}

static inline void note(int tag, int value)
{
	sink = value;
	sink = value + 1;
}

int main(void)
{
	int number = input;
	work(number);
	built(number);
	if (number < 100)
		note(1, number);
	else
		note(2, number);
	return 0;
}
