typedef int (*operation)(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static operation table[] = {add, sub};
static int apply(operation f, int a, int b) { return f(a, b); }
int main(void)
{
	int r = 0;
	for (unsigned i = 0; i < 2; i++)
		r += apply(table[i], 5, 3);
	return r - 10;
}
