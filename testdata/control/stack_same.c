/* Prints what a program can see of how it was started. Two runs print the same, and so does
 *   env -i LC_ALL=C PATH=/usr/bin:/bin setarch -R PROGRAM
 * but for the random bytes, which xstep makes constant.
 * end: main returned; exited with status 0
 * functions: main
 */
#include <stdio.h>
#include <sys/auxv.h>

int main(int argc, char **argv, char **environment)
{
	int local;
	const unsigned char *random = (const unsigned char *)getauxval(AT_RANDOM);
	printf("stack %p, %d arguments, argv[0] %s\n", (void *)&local, argc, argv[0]);
	for (; *environment; environment++)
		printf("%s\n", *environment);
	printf("random");
	for (int i = 0; i < 16; i++)
		printf(" %02x", random[i]);
	printf("\n");
	return 0;
}
