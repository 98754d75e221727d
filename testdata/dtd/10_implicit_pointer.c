/* DTD bug 10: by gcc -O1 `at` points to what is in no memory: DW_OP_implicit_pointer. lldb does not
 * evaluate it. */
static volatile int sink;

__attribute__((noinline)) static int work(int number)
{
	int copy = number + 1;
	int *at = &copy;
	sink = *at;
	return *at;
}

int main(void)
{
	return work(3) - 4;
}
