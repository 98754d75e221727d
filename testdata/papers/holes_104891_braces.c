/* Conjectures, appendix (gcc 104891), C2: constants of a block that has no other reason than its braces. */
volatile int kept;
static int put(int by)
{
	{
		int one = 1, two = 2, three = 3;
		kept = one + two * three + by; /* @store */
	}
	return kept;
}
int main(void)
{
	return put(4) - 11;
}
