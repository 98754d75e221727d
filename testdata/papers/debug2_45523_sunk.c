/* Debug² snippet 12 (llvm 45523), LI: stores of both arms are sunk out of a loop as the line of the dead one. */
volatile int first, down, up;
int kept[2];
int main(void)
{
	for (; down > -9; down--)
		;
	for (; up <= 5; up++) {
		kept[1] = 0;
		if (down)
			;
		else {
			char table[3][4][3] = {0};
			kept[1] = table[2][3][2]; /* @dead */
		}
	}
}
