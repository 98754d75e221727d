/* Debug² snippet 11 (gcc 95865), LI: two returns are one piece of code, which counts as the wrong one. */
int chosen = 3, count;
int *find(void)
{
	if (chosen)
		return &chosen;
	count = 0;
	return &chosen; /* @dead */
}
int main(void) { find(); }
