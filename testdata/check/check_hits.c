/* For what xstep check prints to be pasted: with -DLAST=77 tag has a value that it has not without,
 * but not before the ninth arrival at its line, which is the third step there: the loop is on one
 * line. The arguments and what is read are needed to get there.
 * end: main returned; exited with status 0
 * functions: main
 */
#include <stdio.h>
#include <string.h>

#ifndef LAST
#define LAST 2
#endif

int sink;

static void look(int lines, int tag)
{
	do sink += tag; while (--lines > 0);
}

int main(int argc, char **argv)
{
	char line[80];
	int lines = 0;
	if (argc < 3 || strcmp(argv[1], "it's $x") || strcmp(argv[2], "a  b"))
		return 0;
	while (fgets(line, sizeof line, stdin))
		lines++;
	for (int i = 0; i < 3 && lines; i++)
		look(lines, i < 2 ? i : LAST);
	return 0;
}
