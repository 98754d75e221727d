/* units_moved_with.c - the other unit of units_moved.c, with statics of the same names. */
#include "units_moved.h"

static long counter = 200;
static struct point table[3] = {{21, 22}, {23, 24}, {25, 26}};
static struct all everything = {{{51, 52}, {53, 54}}, PLUM, SMALL, 2, 70, {.u = 9}, {55, {{5, 6, 7, 8}}}, 0, 0};
int only_there = 17;

__attribute__((noinline)) static int stop(int number)
{
	counter += number;
	SHOW(counter); /* two */
	SHOW(table[0].x);
	SHOW(table[2].y);
	SHOW(everything.corner[1].y);
	SHOW(everything.fruit);
	SHOW(everything.wide);
	SHOW(everything.nested.inner);
	SHOW(everything.nested.whole);
	SHOW(only_there);
	return (int)counter + header_limit;
}

int other(const struct all *all, enum fruit fruit)
{
	table[0].x = all->corner[0].x;
	only_there++;
	return stop(fruit) + (int)everything.fruit;
}
