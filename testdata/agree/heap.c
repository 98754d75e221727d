#include <stdlib.h>
struct list { int count; int items[]; };
int main(void)
{
	struct list *l = malloc(sizeof *l + 3 * sizeof(int));
	l->count = 3;
	for (int i = 0; i < l->count; i++)
		l->items[i] = i + 1;
	int last = l->items[2];
	free(l);
	return last - 3;
}
