/* Debug² snippet 2 (llvm 45895), LI: the value of a condition that fails counts as the line of the other arm. */
int amount;

int shifted(char value)
{
	return (amount > 2 || value >> amount)
		? value /* @dead */
		: 0;
}

int main(void)
{
	return shifted(0);
}
