/* Debug² snippet 8 (llvm 46008), LI: the test in a loop that is never entered. */
short turn = 1;
int kept, other;
short next(void) { return 2; }
int main(void)
{
	int *place = &other;
	for (; turn <= 0; turn = next())
		if ((*place)) /* @dead */
			break; /* @dead2 */
	kept = *place;
}
