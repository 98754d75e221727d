/* Conjectures, section 3.3 (llvm 53855), C2: counters that index what is stored are lost, in one loop or the
 * other, by level. */
volatile unsigned kept;
int cube[2][4][4] = {{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}},
	{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}}};
unsigned short row[4] = {1, 2, 3, 4};
int main(void)
{
	int far, middle, near;
	for (far = 0; far < 2; far++)
		for (middle = 0; middle < 4; middle++)
			for (near = 0; near < 4; near++)
				kept = cube[far][middle][near]; /* @cube */
	for (far = 0; far < 4; far++)
		kept = row[far]; /* @row */
	return 0;
}
