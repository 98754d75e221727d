/* Bit-fields, a pointer to a structure and arrays with bounds that are worked out, looked at by
 * cli/explain_test.py at the line marked @here.
 * end: main returned; exited with status 0
 * functions: main work
 */
struct node {
	int x;
	unsigned low : 3;
	int high : 5;
	struct node *next;
};

__attribute__((noinline)) int work(int n, struct node *p)
{
	int v[n];
	for (int i = 0; i < n; i++)
		v[i] = 10 * i;
	__asm__ volatile("nop" : : "r"(v), "r"(p) : "memory"); /* @here */
	return v[n - 1] + p->next->high;
}

int main(int argc, char **argv)
{
	struct node one = {7, 5, -3, 0};
	one.next = &one;
	return work(argc + 2, &one) - 17;
}
