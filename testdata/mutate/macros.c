/* macros.c - macros wherever one can be, directives in the midst, odd spelling. For
 * cli/mutate_test.py. */
#include <assert.h>
#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BEGIN	    {
#define END	    }
#define IF(c)	    if (c) {
#define ELSE	    } else {
#define FI	    }
#define FOREVER	    for (;;)
#define LESS(a, b)  ((a) < (b))
#define PLUS	    +
#define SEMI	    ;
#define INT	    int
#define DECLARE(t, n, v) t n = v
#define CALL(f, ...) f(__VA_ARGS__)
#define SWAP(a, b) do { __typeof__(a) swap_ = (a); (a) = (b); (b) = swap_; } while (0)
#define MAX(a, b) ({ __typeof__(a) a_ = (a), b_ = (b); a_ > b_ ? a_ : b_; })
#define PASTE(a, b) a##b
#define NAME(n) PASTE(var_, n)
#define STRING(...) #__VA_ARGS__
#define RETURN return
#define OPEN (
#define CLOSE )
#define EMPTY
#define FIELDS \
	X(int, one) \
	X(long, two)

struct fields {
#define X(type, name) type name;
	FIELDS
#undef X
};

static int count;
static jmp_buf back;

static int touch(int n)
{
	return count += n, n;
}

static int shapes(int n) BEGIN
	INT a = 1, rounds = 0, NAME(x) = 2 PLUS n;
	DECLARE(int, b, touch(3));
	IF(a < n)
		a = MAX(b, touch(n)) * 2;
	ELSE
		a += LESS(a, b) ? CALL(touch, a + 1) : CALL(touch, (a, 2));
	FI
	FOREVER BEGIN
		if (a++ > 20 || ++rounds > 9) break;
		SWAP(a, b);
		if LESS(b, 3) continue;
		a += NAME(x) SEMI
		while OPEN b > 3 CLOSE b--;
	END
	RETURN a PLUS b * EMPTY NAME(x);
END

static int directives(int n)
{
	int r = touch(1) +
#ifdef __GNUC__
		touch(n)
#else
		touch(99)
#endif
		+ 2;
	if (n
#if 1
	    > 2
#endif
	) {
		r++;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
	} else if (r)
		/* a comment */ r += /* another */ touch(2) /* ; */; // done ; }
#pragma GCC diagnostic pop
	for (int i = 0; // first
	     i < 3;	/* second */
	     i++ /* third */)
		r += i;
#pragma GCC unroll 2
	for (int i = 0; i < 4; i++)
		r += i ^ n;
	return r;
}

static int odd(int n)
{
	int a<:2:> = <% n, 1 %>;
	char *s = "a \" ; { /* no comment */ // nor this \\", c = '"', d = '\'', e = '{';
	wchar_t w = L';';
	int x=n+++ +a[0],y=a[1]---n;
	x=-(-x);y=+ +y-- -x;
	r1: r2:if(x>y){;}else{;;x=y;}
	return (int)strlen("more" "\x41" u8"z")+*s+c+d+e+(int)w+x*y+sizeof a/sizeof*a;
}

static int returns_twice(int n)
{
	volatile int tries = 0;
	int code = setjmp(back);
	if (code < 3) {
		tries += n;
		longjmp(back, code + 1);
	}
	return tries * 10 + code;
}

static int unusual(int n)
{
	extern int count;
	int declared(int);
	static int kept = 3, *where = &kept;
	typedef struct fields fields;
	fields f = {touch(1), 2}, *p = &f;
	assert(n > 0 && touch(2));
	errno = n;
	p->two += errno;
	*where += (int)p->two;
	_Static_assert(sizeof(int) == 4, "int");
	kept += declared(n) + (int)sizeof(STRING(a, b   c));
	if (n > 100)
		abort();
	return kept + p->one;
}

int declared(int n)
{
	return n ? n * declared(n - 1) : 1;
}

inline static const int static_late(int n)
{
	const int *const p = &n;
	return p[0] > 1 ? static_late(*p - 1) + 1 : 0;
}

int main(int argc, char *argv[])
{
	for (int i = 1; i < 6; ++i)
		printf("%d %d %d ", shapes(i), directives(i), odd(i));
	printf("%d ", returns_twice(argc));
	printf("%d ", unusual(2));
	printf("%d\n", unusual(5));
	printf("%d %d %s\n", static_late(6), count, argv[argc] ? argv[0] : "none");
	exit(count & 31);
}
