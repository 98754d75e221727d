/* Calls what frames_asm.S has, which is compiled with it. Argument: the names' numbers; none: all. */
#include <stdlib.h>

int right(int), moves(int), early(int), clobbers(int), elsewhere(int), silent(int), bottom(int);

int main(int argc, char **argv)
{
	int (*const all[])(int) = {right, moves, early, clobbers, elsewhere, silent, bottom};
	int sum = 0;
	for (int i = 0; i < 7; i++)
		if (argc < 2 || atoi(argv[1]) == i)
			sum += all[i](i);
	return sum == 12345;
}
