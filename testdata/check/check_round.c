/* check_round.c - a loop on one line that leaves its variable as it was: what the variable has within, UNOPT
 * never shows, and nobody is wrong.
 * end: main returned; exited with status 0
 * functions: main
 */
volatile int sink;
int table[9];

int main(void)
{
	int i;
	for (i = 0; i < 9; i++)
		table[i] = sink;
	for (i = 0; i < 9; i++) table[i] += sink;
	sink = i;
	return table[3];
}
