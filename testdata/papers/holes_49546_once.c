/* Conjectures, section 5.3 (llvm 49546), C1: the counter of a loop that runs once. */
void opaque(int, ...);
int main(void)
{
	int turn;
	for (turn = 0; turn < 1; turn++)
		opaque(1, turn); /* @call */
}
