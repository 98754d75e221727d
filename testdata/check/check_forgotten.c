/* What calls leave on the stack, for xstep check opt: the second call of find does not write `value`, and the
 * unoptimised program passes 4 on, which the first one wrote there. clang 15 passes 8 on, for any value will do. Neither
 * is wrong.
 * end: main returned; exited with status 0
 * functions: main find use
 */
volatile int sink;

struct found {
	int has, value;
};

static struct found find(const int *list, int count, int key)
{
	struct found ret;
	ret.has = 0;
	for (int i = 0; i < count; i++)
		if (list[i] == key) {
			ret.has = 1;
			ret.value = i;
			break;
		}
	return ret;
}

__attribute__((noinline)) int use(struct found found)
{
	if (found.has)
		return found.value;
	return -1;
}

int main(void)
{
	int list[] = {3, 1, 4, 1, 5, 9, 2, 6};
	int sum = use(find(list, 8, 5));
	sum += use(find(list, 8, 100));
	sink = sum;
	return 0;
}
