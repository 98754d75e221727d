/* C2, for xstep check avail: clang 15 at -Os loses the index of the outermost loop where an element is
 * assigned to global storage; gcc 12 at -Os does not.
 * end: main returned; exited with status 0
 * functions: main
 */
volatile int sink;
int cube[2][4][4] = {{{1, 2, 3, 4}}};

int main(void)
{
	int i, j, k;
	for (i = 0; i < 2; i++)
		for (j = 0; j < 4; j++)
			for (k = 0; k < 4; k++)
				sink = cube[i][j][k];
	for (i = 0; i < 4; i++)
		sink = i;
	return 0;
}
