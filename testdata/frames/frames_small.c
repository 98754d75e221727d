/* gcc -Oz loads small numbers by `push $5; pop %rdi`, and no row speaks of it where the CFA counts from rsp:
 * F1 wrong-cfa-stack-pointer, behind each push. */
static volatile int sink;

__attribute__((noipa)) static int take(int a, int b)
{
	return sink += a - b;
}

int main(void)
{
	sink = 3;
	return take(5, 6) + take(7, 2) == 12345;
}
