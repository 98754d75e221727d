/* DTD bug 9: by gcc -O1 `pair` is DW_AT_const_value of the form block, or DW_OP_implicit_value; lldb
 * shows it as empty. */
static volatile int sink;

struct pair {
	float x, y;
};

__attribute__((noinline)) static int work(void)
{
	struct pair pair = {1.5f, 2.5f};
	const double wide[2] = {1, 2};
	sink = (int)(pair.x + pair.y + wide[1]);
	return 6;
}

int main(void)
{
	return work() - 6;
}
