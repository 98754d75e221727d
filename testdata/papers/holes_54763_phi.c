/* Conjectures, appendix (llvm 54763), C2: two constants, chosen by a condition right before the store. */
volatile int chosen;
int kept;
int main(void)
{
	int one, two;
	if (chosen) {
		one = 3;
		two = 4;
	} else {
		one = 5;
		two = 6;
	}
	kept = one * 7 + two; /* @store */
}
