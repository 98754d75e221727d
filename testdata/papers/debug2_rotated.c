/* Debug² snippet 10, LI: a loop is rotated, and the function that would give its next value is stepped on. */
int sum(int first, int second)
{
	return first + second; /* @dead */
}
int turn;
int leave = 4;
int other;
int main(void)
{
	for (turn = 0; (turn < 49); turn = sum(turn, 9)) {
		for (; other; other++)
			;
		if (leave)
			break;
	}
}
