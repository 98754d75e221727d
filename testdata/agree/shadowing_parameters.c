static int count = 100;
static int f(int count)
{
	int total = count;
	count *= 2;
	return total + count;
}
int main(void)
{
	int r = f(5);
	return r + count - 115;
}
