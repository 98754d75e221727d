/* Conjectures, appendix (llvm 55115), C1: a constant, set in a block that is simplified away. */
void opaque(int, ...);
int turn;
char wait_for;
void work(void)
{
	for (; turn <= 0; turn = 9) {
		int eight = 8;
		for (; wait_for;)
			opaque(0);
		opaque(1, eight); /* @call */
	}
}
int main(void)
{
	work();
}
