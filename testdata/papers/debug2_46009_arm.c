/* Debug² snippet 1 (llvm 46009), LI: an arm of a condition that is not taken, on a line of its own. */
int divisor, result;

int main(void)
{
	{
		int first = 5, second = divisor;
		result =
			second == 0 ?
			first :
			(first / second); /* @dead */
	}
	return 0;
}
