static int calls = START;

__attribute__((noinline)) static int step(int by)
{
	static int total = START;
	int twice = by * 2;
	calls++;
	total += twice;
	return twice < START ? total : calls;
}
