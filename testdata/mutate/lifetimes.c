/* lifetimes.c - how long things live, how often and in which order they are looked at. For
 * cli/mutate_test.py. */
#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
	int a[3], b;
};
typedef float four __attribute__((vector_size(16)));

static volatile int port = 1;
static int log_count;
static char trail[4000];

static int mark(int c)
{
	trail[log_count++] = (char)('a' + (c & 15));
	return c;
}

static void smear(int n)
{
	volatile char room[256];
	memset((char *)room, n, sizeof room);
}

static struct pair make(int n)
{
	return (struct pair){{n, n + 1, n + 2}, mark(n)};
}

/* A compound literal lives as long as the block that it is written in. */
static int literals(int n)
{
	struct pair *p = NULL, *q;
	int total = 0, *list;
	p = &(struct pair){{1, 2, 3}, n};
	list = (int[]){n, n * 2, mark(3)};
	smear(85);
	total += p->b + list[1] + list[2];
	if ((q = &(struct pair){{n}, 4})->b > n) {
		smear(86);
		total += q->b + q->a[0];
	} else {
		smear(87);
		total -= q->a[0];
	}
	q = n > 2 ? &(struct pair){.b = 5} : p;
	n > 3 && (list = (int[]){7, 8}) && mark(1);
	smear(88);
	total += q->b * list[0];
	for (int *at = (int[]){3, 2, 1, 0}; *at; at++)
		total += *at * mark(*at);
	while ((q = &(struct pair){.b = n})->b > 2) {
		smear(89);
		n -= q->b / 2;
	}
	do
		smear(90);
	while ((list = (int[2]){n--, 1})[0] > 0 && list[1]);
	switch ((q = &(struct pair){.b = 3})->b) {
	case 3:
		smear(91);
		total += q->b;
	}
	const char *s = total > 5 ? (char[]){"long"} : (char[]){"short"};
	smear(92);
	total += make(4).a[1];
	total += (make(5).a)[n & 1 ? 2 : 0];
	return total + (int)strlen(s) + *make(6).a;
}

static int temporaries(int n)
{
	struct pair x = make(n), y;
	int r = (y = x).a[1];
	r += (n > 2 ? x : y).a[2] + (mark(1), x).a[0];
	r += make(make(n).b).a[n & 1];
	r += *(make(2).a + 1);
	for (int i = 0; i < make(3).a[0]; i++)
		r += x.a[i % 3]++ + --y.a[i % 3];
	return r;
}

/* Each read and write of what is volatile is done once, in order. */
static int watched(int n)
{
	volatile int v = n, *p = &v;
	int r = v + v * 2;
	v += port++;
	*p = v = r;
	r += (v, *p, 3) + (v ? v : 1) + (*p && v > 2) + !v;
	port = port + (v -= 2);
	while (v-- > r - 4)
		r += port;
	return r + *p;
}

static int effects(int n)
{
	int a[8] = {0}, i = 0, *p = a;
	a[mark(1)] = n + 4;
	a[2] = n - mark(3) * 2 + n;
	a[i] = mark(5), i++, a[i] += mark(6);
	*p++ = mark(7);
	*++p = a[mark(1)]++;
	p[1] <<= mark(2);
	int x = (mark(1) || mark(2)) && (mark(0) || mark(4)) && (mark(0) && mark(9));
	x += mark(1) ? mark(0) ? 1 : mark(2) : mark(3);
	x = (mark(6), i = 2, i) + x;
	n = x > (i += 2) ? mark(n) : -mark(n + 1);
	if (!(mark(8) & 1) && !mark(0))
		mark(10);
	for (mark(1), i = 0; mark(2), i < 2; mark(3), i++)
		mark(4);
	unsigned char c = 255;
	short h = 300;
	int big = c = (unsigned char)(h = (short)70000);
	c += 1.5, h -= c *= 3;
	float f = x = 7.9;
	double d = f /= 2;
	big += (c ^= 5) + (h >>= 1) + (int)(d *= 1.5);
	long diff = &a[5] - p + (&a[1] < p) - (p == a);
	return a[0] + a[1] * 2 + a[2] * 3 + a[3] + x + n + big + (int)diff + c;
}

static int sizes(int n)
{
	int k = n, grid[n][k + 1];
	size_t s = sizeof(int[k++]) + sizeof grid[1] + sizeof(mark(2)) + sizeof *grid;
	int(*p)[k] = malloc(sizeof *p * 2);
	p[1][k - 1] = mark(3);
	memset(grid, 0, sizeof grid);
	for (int i = 0; i < n; i++) {
		int w[n - i];
		char *kept = alloca(4);
		if (i == 1)
			continue;
		w[n - i - 1] = (int)sizeof w;
		sprintf(kept, "%d", w[n - i - 1]);
		grid[i][k - 1] = atoi(kept);
		if (i > 2)
			goto out;
	}
out:;
	int r = grid[0][k - 1] + grid[1][k - 1] + grid[2][k - 1] + p[1][k - 1];
	free(p);
	return r + (int)s + k;
}

static void drop(int *p)
{
	mark(*p);
}

static int cleaned(int n)
{
	for (int i = 0; i < 3; i++) {
		int held __attribute__((cleanup(drop))) = i + n;
		if (i == 1)
			continue;
		held += 4;
		if (held > 9)
			break;
	}
	int last __attribute__((cleanup(drop))) = n;
	return n > 3 ? last : mark(11);
}

static float vectors(float x)
{
	four a = {x, 2, 3, 4}, b = a * 2 + x;
	b[1] += a[2];
	a = a[0] > 2 ? b : a - 1;
	return a[0] + b[1] * a[3];
}

static int const *choose(int const *a, int const *b, int which)
{
	int const *(*self)(int const *, int const *, int) = which > 5 ? choose : NULL;
	return self ? self(b, a, which - 3) : which & 1 ? a : b;
}

_Noreturn static void finish(int code)
{
	printf("%s\n", trail);
	exit(code);
}

int main(void)
{
	for (int i = 1; i < 6; i++) {
		printf("%d ", literals(i));
		printf("%d ", temporaries(i));
		printf("%d ", watched(i));
		printf("%d ", effects(i));
		printf("%d ", sizes(i + 3));
		printf("%d %g\n", cleaned(i), vectors((float)i));
	}
	int x = 1, y = 2;
	printf("%d %d %d\n", *choose(&x, &y, 1), *choose(&x, &y, 7), *choose(&x, &y, 12));
	finish(log_count & 63);
}
