/* A tail call behind an epilogue. clang says of the call site that the parameter is in rbx, which the
 * epilogue has given back to the caller by then: E1 wrong-call-value-tail-call at -O1 and more. gcc says nothing
 * of what does not survive. */
static volatile int sink;

__attribute__((noinline)) void first(int *at)
{
	sink = *at;
}

__attribute__((noinline)) void last(int *at, int more)
{
	sink += *at + more;
}

__attribute__((noinline)) void both(int *at)
{
	first(at);
	last(at, 3);
}

int main(void)
{
	int value = 4;
	both(&value);
	return sink == 11 ? 0 : 1;
}
