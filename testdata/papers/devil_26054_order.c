/* DEVIL figure 2 (gdb 26054, gcc 95360), R2: by line the body of a loop comes before its head. */
unsigned int inner = 0, outer = 0;
static int table[1][2] = {{0, 1}};

int main(void)
{
	for (; outer < 1; outer++)
		for (; inner < 1; inner++) /* @head */
			table[inner][outer + 1] = 0; /* @body */

	return 0;
}
