/* Conjectures, appendix (gcc 105239), C1: in a loop, a call without arguments right before the call. */
void opaque(int, ...);
int turn, table[4];
void nothing(void) { table[1] = turn; }
int main(void)
{
	int value;
	for (turn = 0; turn < 3; turn++) {
		value = table[turn];
		nothing();
		opaque(1, value); /* @call */
	}
}
