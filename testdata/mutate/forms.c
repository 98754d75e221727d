/* forms.c - what is easily done wrong when C is rewritten: each part prints what it came to. For
 * cli/mutate_test.py, which compares mutants of this with it. */
#include <complex.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TWICE(x)  ((x) + (x))
#define BARE      1 + 2
#define UNLESS(c) if (!(c))
#define TEXT(x)   #x
#define NEXT(n)                                                                                    \
	n++;                                                                                       \
	break
#define EACH(i, n) for (int i = 0; i < (n); i++)

struct point {
	int x, y;
};
struct bits {
	unsigned narrow : 3;
	signed wide : 17;
	unsigned long huge : 40;
	_Bool flag : 1;
};
union word {
	unsigned whole;
	unsigned char parts[4];
};
enum color { RED, GREEN = 5, BLUE };
typedef struct {
	char name[8];
	short values[3];
} unnamed;

static int trace_count;
static volatile int watched = 3;
static struct bits field = {5, -3, 0, 1};
static int global = 10, table[4] = {1, 2, 3, 4};
static const char *const words[] = {"zero", "one", "two"};

/* Says that it was called, so that order and number of calls show. */
static int say(const char *what, int value)
{
	printf("%s%d ", what, value);
	trace_count++;
	return value;
}

static int side(int *at)
{
	return (*at)++;
}

static struct point make(int x, int y)
{
	return (struct point){x, y};
}

static int sum(int count, ...)
{
	va_list list;
	int total = 0;
	va_start(list, count);
	for (int i = 0; i < count; i++)
		total += va_arg(list, int);
	va_end(list);
	return total;
}

static int old_style(a, b)
int a;
char b;
{
	return a * 2 + b;
}

static void short_circuits(void)
{
	int a = 0, b = 1;
	int r = a && say("never", 1);
	r += b || say("never", 2);
	r += (a || say("or", 3)) && (b && say("and", 0));
	if (say("if", 1) && (a ? say("no", 1) : say("yes", 2)) > 1 && !(a = 0, b = 7, 0))
		printf("then %d %d ", a, b);
	b &&say("statement", b);
	a || say("statement", a);
	a ? say("left", 1) : say("right", 2);
	double d = b > 3 ? 2 : 1.5;
	const char *text = a ? NULL : words[b - 6];
	void *nothing = b ? 0 : &a;
	printf("%d %g %s %d\n", r, d, text, nothing == NULL);
}

static void orders(void)
{
	int i = 0, x[6] = {0};
	x[say("index", 2)] = 4;
	i = say("a", 1) + i * 2 + (int)sizeof(say("never", 3));
	i += (say("d", 1), say("e", 2), side(&i));
	x[i % 6] += side(&i) + 1;
	global = side(&global) - 2;
	int k = watched + 1;
	k += (watched = 2, watched) * k;
	printf("%d %d %d %d %d %d\n", i, x[2], x[3], x[4], global, k);
}

static void types(void)
{
	unsigned char c = 200;
	signed char s = -7;
	unsigned u = 1;
	long long big = 1LL << 40;
	float f = 0.1f;
	printf("%d %d %u %lld %d ", c + c, (unsigned char)(c + c), u - 2, big * s, s < u);
	printf("%.9g %.17g %d ", f * 3, f * 3.0, (int)(f * 10) / 3);
	printf("%d %d %d ", c >> 1 << 2, ~c & 0xff, -s % 4);
	enum color color = BLUE;
	color -= GREEN;
	_Bool truth = big;
	double _Complex z = 1 + 2 * I;
	z *= z;
	printf("%d %d %g %g ", color, truth + truth, creal(z), cimag(z));
	union word w = {.whole = 0x01020304};
	union {
		float f;
		int i;
	} pun;
	pun.f = 1;
	color = pun.i >> 20;
	printf("%d ", color);
	printf("%d %zu %s\n", w.parts[1] + w.parts[2], sizeof(struct { char q[3]; }) + sizeof c++,
		TEXT(a + b));
}

static void bit_fields(void)
{
	struct bits *p = &field;
	int a = p->narrow + 3, b = p->wide * 2;
	p->narrow += 7;
	int c = (p->narrow = 12) + 1, d = ++p->narrow;
	p->huge = 0;
	printf("%d %d %d %d %d %d\n", a, b, c, d, p->huge - 1 > 0, p->flag ? -p->wide : 0);
}

static void loops(void)
{
	int n = 0, m = 0;
	for (int i = 0; i < 10; i++) {
		if (i == 3)
			continue;
		if (i == 8)
			break;
		for (int j = i; j-- > 0;)
			if (j & 1)
				continue;
			else if (j > 5)
				break;
			else
				n += j;
	}
	do {
		if (n > 40)
			break;
		n += 7;
		if (n % 2)
			continue;
		m++;
	} while (n < 60 && m < 5);
	while (m < 100) {
		switch (m % 4) {
		case 0:
			m += 3;
			break;
		case 1:
			m++;
			continue;
		case 2: {
			int inner = m;
			m += inner;
		} /* through */
		default:
			m += 5;
		}
		if (m > 90)
			goto out;
	}
out:
	for (;;) {
		if (++m > 130)
			break;
	}
	EACH(i, 3) m += i;
	for (int i = 0, step = 2; i < 9; i += step, step++)
		m += i * step;
	while (0)
		say("never", 0);
	printf("%d %d\n", n, m);
}

static void jumps(int way)
{
	int total = 0;
	switch (way) {
		int unset;
	case 0:
		unset = 4;
		total += unset;
	case 1:
		do {
			total += 10;
		case 2:
			total += 100;
		} while (total < 300);
		break;
	default:
		total = -1;
	}
	int i = 0;
	if (way == 3)
		goto inside;
	for (; i < 3; i++) {
		int fresh = i * 2;
		total += fresh;
	inside:
		total++;
		i = total > 200 ? 3 : i;
		if (0)
		never:
			say("never", 0);
	}
	static void *labels[] = {&&first, &&second};
	goto *labels[way & 1];
first:
	total += 1000;
second:
	total += 2000;
	if (total < 0)
		goto never;
	printf("%d ", total);
}

static void arrays(int n)
{
	int v[n + 1], (*row)[3], grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
	int total = 0;
	for (int i = 0; i <= n; i++) {
		int w[i + 1];
		w[i] = i * i;
		v[i] = w[i] + (int)sizeof w;
	}
	row = grid;
	row++;
	for (int i = 0; i < 3; i++)
		total += (*row)[i] * grid[0][i] + i[table] + *(table + i);
	int *p = table, *q = &table[3];
	total += *p++ + *++p + (int)(q - p) + p[-1] + "abc"[1];
	char *s = "xyz", copy[4] = "uvw";
	total += s[0] + copy[2] + (int)strlen(words[1]) + (int)sizeof(words) / (int)sizeof words[0];
	printf("%d %d %d\n", v[n], total, ((int[]){7, 8, 9})[1]);
}

static void structs(void)
{
	struct point a = make(1, 2), b = a, *p = &b;
	struct {
		struct point at;
		int (*call)(const char *, int);
	} local = {{3, 4}, say};
	unnamed thing = {"name", {1, 2, 3}}, other;
	p->x += make(5, 6).y + local.at.x;
	b = a.x > 1 ? a : b;
	other = thing;
	int r = local.call("pointer", b.x) + (*local.call)("star", b.y) + (&*say)("amp", 1);
	printf("%d %d %d %s %d\n", a.x, b.x, r, other.name,
		other.values[2] + old_style(r, (char)3));
}

static int macros(int x)
{
	int n = 2 * BARE * x;
	UNLESS(x > 3) n++;
	while (x < 20) {
		x += TWICE(x + n % 2);
		if (x > 15) {
			NEXT(x);
		}
	}
#if defined __GNUC__
	n += x;
#else
	n -= x;
#endif
	int value = ({
		int t = n;
		t * 2;
	});
	return offsetof(struct point, y) + (size_t)value + TWICE(side(&n));
}

static int recursive(int n, int depth)
{
	static int deepest;
	register int fast = n;
	int const local = depth;
	if (depth > deepest)
		deepest = depth;
	return fast <= 1 ? local + deepest
			 : recursive(n % 2 ? 3 * n + 1 : n / 2, depth + 1) + fast % 3;
}

static int last(int row[3], char text[])
{
	int *at = row + 2;
	char *behind = text + 1;
	return row == at ? *row : *at + *behind + row[1] * (text != behind);
}

static int by_number(const void *a, const void *b)
{
	int const *left = a, *right = b;
	return (*left > *right) - (*left < *right);
}

int main(int argc, char **argv)
{
	(void)argv;
	short_circuits();
	orders();
	types();
	bit_fields();
	loops();
	for (int i = 0; i < 5; i++)
		jumps(i);
	puts("");
	arrays(argc + 3);
	structs();
	printf("%d %d %d\n", macros(1), macros(5), recursive(27, 0));
	printf("%d\n", last(table, (char[]){"ab"}));
	int mixed[] = {3, -1, 2, watched}, total = sum(3, argc, (char)2, global), i;
	qsort(mixed, 4, sizeof *mixed, by_number);
	for (i = 0; i < 4; i++)
		printf("%d ", mixed[i]);
	printf("%d %d\n", total, trace_count);
	return total & 15;
}
