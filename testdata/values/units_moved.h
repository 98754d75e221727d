/* units_moved.h - what both units of units_moved.c have: types, and statics of one name. */
#include <stdio.h>

enum fruit { APPLE = -1, PEAR = 7, PLUM = 300 };
enum wide { SMALL = 1, LARGE = 0x123456789 };

struct point {
	short x, y;
};

struct node; /* complete only further down */

union number {
	unsigned u;
	float f;
	struct point at;
};

struct all {
	struct point corner[2];
	enum fruit fruit;
	enum wide wide : 40;
	unsigned low : 3, high : 7;
	union number number;
	struct {
		int inner;
		union {
			char bytes[4];
			int whole;
		};
	} nested;
	struct node *next;
	int (*act)(const struct all *, enum fruit);
};

struct node {
	struct node *next;
	union number value;
};

typedef struct {
	double real, imaginary;
} pair;

static const int header_limit = 42;

#define SHOW(path) printf("%s %lld\n", #path, (long long)(path))
#define SHOW_REAL(path) printf("%s %.17g\n", #path, (double)(path))
