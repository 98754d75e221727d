/* Conjectures, introduction (gcc 105161), C2: a product is folded to 0, and a constant in it is lost. */
volatile int kept;
int table[10][2];
int main(void)
{
	int row = 0, zero, cell;
	for (; row < 10; row++) {
		zero = cell = 0;
		for (; cell < 1; cell++)
			kept = table[row][(zero) * cell]; /* @store */
	}
}
