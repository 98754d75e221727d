/* A frame that assembly builds: what an interrupt leaves is pushed, with and without an error code,
 * and the handler is jumped to, which is no tail call. Where the frame pointer tells the CFA of
 * main, nothing is wrong. */
#include <stdlib.h>

struct frame {
	unsigned long ip, cs, flags, sp, ss;
};

static volatile int sum;

__attribute__((noinline)) static int add(int value)
{
	int before = sum;
	sum = before + value;
	return before;
}

#ifdef ERROR_CODE
__attribute__((interrupt, used)) void handler(struct frame *frame, unsigned long code)
{
	add((int)code);
#else
__attribute__((interrupt, used)) void handler(struct frame *frame)
{
#endif
	for (int i = 0; i < 6; i++)
		add((int)frame->ip);
	exit(sum == 0);
}

int main(void)
{
	add(1);
	__asm__ volatile("push $5; push $4; push $3; push $2; push $1;"
#ifdef ERROR_CODE
			 "push $6;"
#endif
			 "jmp handler");
	return 0;
}
