#include <stdlib.h>
static int visits;
static int compare(const void *key, const void *item)
{
	visits++;
	return *(const int *)key - *(const int *)item;
}
int main(void)
{
	int sorted[] = {1, 3, 5, 7, 9}, key = 7;
	int *found = bsearch(&key, sorted, 5, sizeof *sorted, compare);
	return !found || visits == 0;
}
