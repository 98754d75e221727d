/* large.c - the one unit of a large program that is looked at; large.py links the others to it. */
static int twice(int number)
{
	int result = number * 2;
	return result;
}

int main(void)
{
	return twice(21) != 42;
}
