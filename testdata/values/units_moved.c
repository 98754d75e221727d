/* units_moved.c - debug information that tools move about: type units, dwz, link time optimisation.
 *
 * Both units have the types of one header, and statics of the same names. At the lines marked `one`
 * and `two` the program prints what a debugger must say before they are executed.
 *
 * end: main returned; exited with status 0
 * functions: main stop other */
#include "units_moved.h"

int other(const struct all *all, enum fruit fruit);

static int counter = 100;
static struct point table[2] = {{1, 2}, {3, 4}};
static struct node tail = {NULL, {.f = 1.5f}};
struct all everything_here = {{{5, 6}, {7, 8}}, PEAR, LARGE, 5, 100, {.u = 77}, {9, {{1, 2, 3, 4}}},
	&tail, other};
static pair reals = {0.5, -2.25};
union number shared = {.u = 1234567};

__attribute__((noinline)) static int stop(struct all all, const struct node *node, enum fruit fruit)
{
	counter += fruit;
	SHOW(counter); /* one */
	SHOW(table[0].x);
	SHOW(table[1].y);
	SHOW(all.corner[0].x);
	SHOW(all.fruit);
	SHOW(all.wide);
	SHOW(all.low);
	SHOW(all.high);
	SHOW(all.number.u);
	SHOW(all.nested.inner);
	SHOW(all.nested.whole);
	SHOW(all.nested.bytes[3]);
	SHOW(everything_here.corner[1].y);
	SHOW(everything_here.wide);
	SHOW(everything_here.high);
	SHOW_REAL(node->value.f);
	SHOW(tail.value.u);
	SHOW_REAL(reals.imaginary);
	SHOW(shared.u);
	SHOW(fruit);
	return counter + header_limit;
}

int main(int argc, char **argv)
{
	table[0].x += (short)argc;
	shared.u += argc;
	everything_here.corner[1].y += argc;
	int sum = stop(everything_here, everything_here.next, everything_here.fruit);
	sum += everything_here.act(&everything_here, APPLE);
	return sum == 0;
}
