/* The plain case: main calls, loops and returns.
 * end: main returned; exited with status 6
 * functions: main add
 */
static int add(int a, int b)
{
	return a + b;
}

int main(void)
{
	int sum = 0;
	for (int i = 1; i <= 3; i++)
		sum = add(sum, i);
	return sum;
}
