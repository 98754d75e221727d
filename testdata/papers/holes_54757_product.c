/* Conjectures, appendix (llvm 54757), C2: the counter of a loop that runs once, times 0. */
long kept;
int main(void)
{
	int zero, turn;
	for (zero = turn = 0; turn < 1; turn++)
		kept = (zero) * turn; /* @store */
}
