/* fair_tail.c - a function that ends with a tail call to one of the same name: gdb shows a frame for the
 * first one, which is not the second one's. */
int step(int n);

__attribute__((noinline)) static int work(int n)
{
	return step(n + 1);
}

int main(int argc, char **argv)
{
	int (*volatile call)(int) = work;
	return work(argc) + (call != 0) - 8;
}
