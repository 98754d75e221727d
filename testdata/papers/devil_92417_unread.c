/* DEVIL figure 5 (gcc 92417): elements of an array that nobody reads are not filled at -O2. The paper's
 * example of what is no bug: gcc's developers would not fix it. */
int unused, other, turns, kept, row;
short read_it, more, outer, rest;
void fill(void)
{
	int column, cell;
	for (; outer <= 1; outer++) {
		unsigned short table[6][2][2];
		row = 0;
		for (; row < 6; row++) {
			column = 0;
			for (; column < 2; column++) {
				cell = 0;
				for (; cell < 2; cell++)
					table[row][column][cell] = 61344;
			}
		}
		for (; turns <= 1; turns++)
			if (unused)
				break;
		if (read_it) /* @read */
			kept = table[4][1][0];
	}
}
int main(void)
{
	fill();
}
