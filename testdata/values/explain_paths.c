/* Variables of every shape and state, looked at by cli/explain_test.py at the lines marked @.
 * end: main returned; exited with status 0
 * functions: main twice outer
 */
struct pair {
	int a, b;
};
struct node {
	struct node *next;
	struct pair f[3];
	char tag;
	unsigned low : 3, high : 5;
};

int global = 7;
static volatile int value = 100;
int big[5000] = {1, 2, 3};
enum colour { RED, GREEN = 5 } colour = GREEN;

__attribute__((noinline)) int twice(int x) { /* @opening */
	int y = 2 * x;
	__asm__ volatile("nop" : : "r"(y) : "memory"); /* @twice */
	return y;
}

static inline __attribute__((always_inline)) int plus(int a, int b)
{
	int sum = a + b;
	__asm__ volatile("nop" : : "r"(sum) : "memory"); /* @plus */
	return sum;
}

__attribute__((noinline)) void outer(int depth)
{
	int before = depth + 1;
	__asm__ volatile("nop" : : "r"(before) : "memory"); /* @before */
	int value = 1;
	{
		int value = 2;
		__asm__ volatile("nop" : : "r"(value) : "memory"); /* @inside */
	}
	__asm__ volatile("nop" : : "r"(value), "r"(plus(depth, 40)) : "memory"); /* @behind */
}

__attribute__((noinline)) void never(void)
{
	global = value; /* @never */
}

int main(int argc, char **argv)
{
	struct node second = {0, {{21, 22}, {23, 24}, {25, 26}}, 'B', 2, 20};
	struct node first = {&second, {{11, 12}, {13, 14}, {15, -16}}, 'A', 1, 10};
	struct node *p = &first;
	int total = 0;
	__asm__ volatile("nop" : : "r"(p) : "memory"); /* @paths */
	for (int i = 0; i < 3; i++)
		total += twice(i); /* @loop */
	int gone = twice(argc + 10);
	struct pair half = {twice(argc), twice(argc + 1)};
	__asm__ volatile("nop" : : "r"(half.b) : "memory");
	__asm__ volatile("nop" : : : "memory", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9",
			 "r10", "r11");
	__asm__ volatile("nop" : : "r"(half.a) : "memory"); /* @states */
	outer(argc);
	if (argc > 5)
		never();
	return total != 6 || p != &first;
}
