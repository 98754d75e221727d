/* A program without a library, small and rich in debug information: the seed of module_fuzz. */
struct inner { short a : 5, b : 11; char c[3]; };
struct node { struct node *next; struct inner in; union { int i; float f; }; enum { RED, BLUE = -2 } e; double d; };
typedef const struct node *handle;
static struct node pool[2] = {{&pool[1], {1, 2, "ab"}, {3}, BLUE, 0.5}};
int table[2][3] = {{1, 2, 3}, {4, 5, 6}};
long counter;
static int (*twist)(int);
__attribute__((noinline)) static int twice(int x) { return 2 * x; }
static inline int mix(int a, struct inner s) { int t = a * s.c[0]; counter += t; return t ^ a; }
__attribute__((noinline)) int sum(int n, handle h)
{
	int total = 0;
	int vla[n + 1];
	vla[n] = n;
	for (int i = 0; i < n; i++) {
		int square = i * i;
		total += mix(square, h->in) + vla[n] + table[i % 2][i % 3];
	}
	int *p = &total;
	return *p + twist(n);
}
void _start(void)
{
	twist = twice;
	volatile int r = sum(3, pool);
	for (;;)
		r = r + 1;
}
