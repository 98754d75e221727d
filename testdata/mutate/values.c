/* values.c - types, conversions and initialisers that must come out as they went in. For
 * cli/mutate_test.py. */
#include <complex.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct inner {
	short s;
	char text[6];
	double d;
};
struct outer {
	int first;
	struct inner in[2];
	union {
		int whole;
		struct {
			unsigned char low, high;
		};
		float real;
	};
	const struct inner *to;
	int (*call)(struct inner, int);
	int more[];
};
struct bits {
	signed a : 5;
	unsigned b : 11;
	long long c : 37;
	_Bool d : 1;
	unsigned : 0;
	unsigned char e : 3, f : 4;
	enum { OFF, ON } g : 2;
};
typedef int row[3];
typedef row *rows;
typedef int binary(int, int);

static int at;
static _Atomic int shared = 5;
static _Thread_local long own = 3;

static int next(void)
{
	return ++at;
}

static int inner_sum(struct inner one, int k)
{
	one.s += (short)k;
	return one.s + (int)one.d + one.text[1];
}

static struct outer make(int n)
{
	return (struct outer){.in[1] = {.text = "abc", .d = n / 2.0, .s = (short)n},
		.first = n,
		.whole = 0x0102,
		.call = inner_sum};
}

static void initialisers(void)
{
	int a[] = {[4] = 9, [1] = next(), 3}, n = 2;
	struct outer o = make(n), *p = &o, q = o;
	struct inner list[] = {[0 ... 1] = {1, "xy", 2.5}, {.d = n}};
	q.to = &(struct inner){7, "qrs", 8};
	p->in[0] = list[n - 1];
	p->in[n - 2].text[1] += 1;
	char text[][4] = {"one", "two"}, *words[] = {text[1], "end", [3] = text[0] + 1};
	printf("%zu %d %d %d %d\n", sizeof a / sizeof *a, a[1] * a[2], a[4], o.low, p->high);
	printf("%d %d %s %s\n", q.call(*q.to, 3), (*p->call)(p->in[0], p->first++), words[0],
		words[3]);
	printf("%d %d %s\n", make(4).in[1].s, make(5).call(make(6).in[1], 1), list[1].text);
	o = n ? q : *p;
	*p = (struct outer){.first = p->first + 1};
	printf("%d %d\n", o.first, p->in[1].s);
}

static void arithmetic(void)
{
	unsigned char c = 250;
	signed char s = -128;
	short h = -1;
	unsigned short w = 65535;
	unsigned u = 7;
	long l = -9;
	long double x = 1.0L / 3;
	double d = 0.1;
	float f = 0.1f;
	__int128 big = (__int128)1 << 100;
	c += 10, s -= 0, h >>= 1;
	printf("%d %d %d %d ", c, -s, h, w * 1 > h);
	printf("%d %d %d ", l < u, (int)l < (int)u, -1 < (h ? u : l));
	printf("%lu %d ", (unsigned long)(u - 8), u - 8 > 0);
	printf("%.18Lg %.17g %.9g ", x * 3, d * 3, f * 3);
	printf("%d %d ", f == 0.1, d == 0.1);
	printf("%d %d %lld ", l / 2 == -4, (int)(l % 4), (long long)(big >> 70));
	c = (unsigned char)(s >> 1 | 3);
	u = (unsigned)-d;
	l = (long)(x * 1e18L);
	_Bool t = 0.4, v = !t == (f > 0);
	printf("%d %u %ld %d\n", c, u & 0, l, t + v);
	double complex z = 3 + 4 * I, y = conj(z);
	float complex e = (float complex)(z / 2);
	z = z * y + (t ? e : 1);
	printf("%g %g %g %g\n", creal(z), cimag(z), cabs(y), crealf(e));
}

static void bit_fields(void)
{
	struct bits b = {-3, 2000, 1LL << 35, true, .g = ON}, *p = &b;
	int n = b.a++ + --p->b;
	b.e = 9, p->f = b.e + 20;
	b.c -= p->a * 5;
	n += (b.d = n) + (b.b += 100) + (p->a = 31);
	printf("%d %d %d %d %d %d %d\n", n, b.a, b.b, (int)(b.c >> 20), b.e, b.f, b.g == ON);
	printf("%d %d %d\n", b.b - 2000 < 0, b.e - 2 < 0, (b.c > 0) - b.d);
}

#define KIND(x) \
	_Generic((x), char: "char", signed char: "schar", short: "short", int: "int", \
		unsigned: "uint", long: "long", float: "float", double: "double", int *: "int *", \
		const char *: "const char *", char *: "char *", default: "else")

static void kinds(const char *text)
{
	char c = 1;
	short h = 2;
	int a[3] = {1, 2, 3};
	int const k = 4;
	printf("%s %s %s %s ", KIND(c), KIND(c + h), KIND(a), KIND(h += 1));
	printf("%s %s %s %s ", KIND(text), KIND(*text), KIND(k), KIND((c, 1.0f)));
	printf("%s %s\n", KIND(c ? 1 : 2u), KIND((void *)text));
	printf("%d %d\n", _Generic(c, char: h, default: next()), _Generic(&a, row *: at, default: 0));
}

static int add(int a, int b)
{
	return a + b;
}

static int apply(binary *f, int b, row from, rows list)
{
	binary *g = *f;
	return (**g)(f(from[0], b), (*list)[1]) + (f == &add ? 1 : g != add) + list[0][2];
}

static long sum(const char *how, ...)
{
	va_list list, copy;
	long total = 0;
	va_start(list, how);
	va_copy(copy, list);
	for (const char *p = how; *p; p++)
		switch (*p) {
		case 'i':
			total += va_arg(list, int);
			break;
		case 'l':
			total += va_arg(list, long);
			break;
		case 'd':
			total += (long)(va_arg(list, double) * 10);
			break;
		case 's': {
			struct inner one = va_arg(list, struct inner);
			total += one.s + one.text[0];
		} break;
		default:
			total += va_arg(list, const char *)[1];
		}
	va_end(list);
	total += *how == 'i' ? va_arg(copy, int) : 0;
	va_end(copy);
	return total;
}

static int kr(a, p, f, s)
	short a;
	char *p;
	float f;
	struct inner s;
{
	return a + *p + (int)(f * 4) + s.s;
}

static void atomics(void)
{
	int seen = shared++ + ++shared;
	shared *= 2;
	shared = shared - seen;
	own += shared ? own : 0;
	volatile struct {
		int x, y;
	} v = {1, 2};
	v.x += v.y++ * 3;
	int *restrict p = &at, *const q = p;
	*p = *q + v.x;
	printf("%d %d %ld %d %d\n", seen, shared, own, v.y, at);
}

static void expressions(int n)
{
	int r = ({
		int i = 0;
		while (i < n && ({ next(); 1; }))
			i++;
		i;
	});
	r += n ?: next();
	r += (n > 2 ?: 7) + __builtin_choose_expr(1, n, next());
	r += (next(), n) ? (n > 5 || next() > 3) : 0;
	r += !!n + (n == 3) * 2 + -n + ~n;
	int *p = (int[]){1, next(), 3}, **pp = &p;
	r += *(*pp)++ + (*pp)[1] + **pp++ - (int)(pp - &p);
	r += (int)offsetof(struct outer, in[1].d) + (int)_Alignof(struct inner);
	r += "hello"[n] + (n)["hello"] + *"x" + (int)sizeof("four") + (int)sizeof(int[n]);
	__typeof__(r) s = r;
	__auto_type t = s + 0L;
	const char *f = __func__;
	printf("%d %d %ld %zu %s %d\n", r, s, t, sizeof t, f, at);
}

int main(void)
{
	initialisers();
	arithmetic();
	bit_fields();
	kinds("text");
	atomics();
	expressions(3);
	row list[2] = {{1, 2, 3}, {4, 5, 6}};
	struct inner one = {3, "cd", 1};
	printf("%d\n", apply(add, 5, list[1], list));
	printf("%ld %ld\n", sum("idslp", 1, 2.5, one, 40L, "zy"), sum("l", 9L));
	printf("%d %d\n", kr(1, "b", 2.5, one), at);
	return 7;
}
