/* R2, for xstep check levels, at gcc 12's -O1: gdb 13 leaves out the row of the loop's third expression, whose
 * discriminator is not 0 and which is behind another row of its line. Line steps stop on the loop's line
 * when it begins; later they go from the line inside to itself, over it. lldb 15 stops there.
 * end: main returned; exited with status 0
 * functions: main find
 */
struct node {
	int key, length;
	const struct node *next;
};

static const struct node third = {3, 3, 0}, second = {2, 2, &third}, first = {1, 1, &second};
const struct node *volatile list = &first;

static __attribute__((noinline)) const struct node *find(const struct node *from, int key, int length)
{
	const struct node *one;
	for (one = from; one; one = one->next) {
		if (one->length == length && one->key == key)
			break;
	}
	return one;
}

int main(void)
{
	return find(list, 4, 4) != 0;
}
