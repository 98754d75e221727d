int main(void)
{
	int r = 0;
	{
		int a = 1;
		r += a;
		{
			int b = 2;
			r += a + b;
		}
	}
	{
		int c = 3;
		r += c;
	}
	return r - 7;
}
