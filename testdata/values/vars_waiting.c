/* vars_waiting.c - variables of frames that wait for a call to return: in registers that calls
 * preserve, in memory that the callee writes, passed and gone, and of calls that come to the same
 * place with other values.
 * end: main returned; exited with status 0
 * functions: main outer middle inner
 */
struct pair {
	int a;
	long b;
};

static volatile int sink;

__attribute__((noinline)) static int inner(struct pair *pair, int depth)
{
	int before = pair->a;
	pair->a += depth;
	pair->b = before;
	sink = before;
	if (depth > 1)
		return inner(pair, depth - 1) + before;
	return pair->a ^ before;
}

__attribute__((noinline)) static int middle(int x, int y, struct pair *pair)
{
	int kept = x * 3 + y, other = x - y;
	int got = inner(pair, 2);
	sink = kept;
	got += inner(pair, 1) * kept;
	sink = other + got;
	return got - other;
}

__attribute__((noinline)) static int outer(int x)
{
	struct pair pair = {x, -x};
	int sum = 0;
	for (int i = 0; i < 3; i++)
		sum += middle(x + i / 2, i, &pair);
	return sum + (int)pair.b;
}

int main(int argc, char **argv)
{
	int result = outer(argc + 4);
	sink = result;
	return !argv;
}
