/* A parameter that is known by what it was entered with alone: gcc says DW_OP_entry_value, and the call site
 * in main what that is. xstep explain shows beside it what was seen at the entry. */
static volatile int sink;

__attribute__((noinline)) static void use(int value)
{
	sink += value;
}

__attribute__((noipa)) static int enter(int first, int second)
{
	use(second);
	return sink; /* here */
}

int main(void)
{
	return enter(4, 5) == 5 ? 0 : 1;
}
