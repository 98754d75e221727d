/* Debug² snippet 5, PI: a parameter is shown as -1 which is 1; the value of a comparison, of one bit. */
typedef unsigned word;
char turn;
word other;
int kept;

int given(int value) { return value; }
static int look(word flag)
{
	for (; turn; turn = 5)
		flag || other;
	return 0;
}
int main(void)
{
	int truth;
	kept = given(8);
	truth = kept && 9;
	look(truth); /* @call */
} /* @end */
