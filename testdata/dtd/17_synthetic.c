/* DTD bug 17: by clang -O2 a part of `pair` is described by no piece; gdb 13 calls it a synthetic
 * pointer, though it is a number. */
static volatile int sink;

struct pair {
	int low, high;
};

__attribute__((noinline)) static int work(int number)
{
	struct pair pair;
	pair.low = number + 1;
	sink = pair.low;
	sink = number;
	return pair.low;
}

int main(void)
{
	return work(3) - 4;
}
