/* Other stacks: coroutines by makecontext and swapcontext that go back and forth, and some of
 * whose calls begin before they are seen again. Nothing is wrong, and what is not known is left. */
#include <stdlib.h>
#include <ucontext.h>

static ucontext_t main_context, one, two;
static int sum;

__attribute__((noinline)) static void give(ucontext_t *from, ucontext_t *to, int value)
{
	sum += value;
	swapcontext(from, to);
	sum ^= value;
}

__attribute__((noinline)) static int add(int a, int b)
{
	return sum += a + b;
}

static void first(void)
{
	for (int i = 0; i < 3; i++) {
		add(i, 1);
		give(&one, &two, i);
		add(i, 2);
	}
}

static void second(void)
{
	for (int i = 0; i < 3; i++) {
		give(&two, &one, add(i, 3));
		add(i, 4);
	}
}

int main(void)
{
	void *stacks[2] = {malloc(65536), malloc(65536)};
	ucontext_t *contexts[2] = {&one, &two};
	for (int i = 0; i < 2; i++) {
		getcontext(contexts[i]);
		contexts[i]->uc_stack.ss_sp = stacks[i];
		contexts[i]->uc_stack.ss_size = 65536;
		contexts[i]->uc_link = &main_context;
		makecontext(contexts[i], i ? second : first, 0);
	}
	swapcontext(&main_context, &one);
	add(1, 1);
	return sum == 12345;
}
