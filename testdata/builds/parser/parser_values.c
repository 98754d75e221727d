/*
 * parser_values.c - structs in registers, types of blocks, loops, old-style functions.
 */
#include "parser.h"

union both {
	long l;
	double d;
};

static union both kept;

APART struct pair values_pair(struct pair given, struct mixed mixed, union both *none)
{
	struct pair made = {given.first + mixed.part, given.second * (float)mixed.whole};
	union both both = {.d = opaque_real(-0.5)};
	kept = both;
	MARK();
	SHOW(given.first);
	SHOW(given.second);
	SHOW(mixed.whole);
	SHOW(mixed.part);
	SHOW_PTR(none);
	SHOW(made.first);
	SHOW(made.second);
	SHOW(both.l);
	SHOW(both.d);
	SHOW(kept.l);
	SHOW(kept.d);
	return made;
}

APART struct mixed values_mixed(struct mixed given, int times)
{
	struct mixed sum = {0, 0};
	for (int i = 0; i < times; i++) {
		struct mixed step = {given.whole + opaque(i), given.part * opaque_real(i)};
		sum.whole += step.whole;
		sum.part += step.part;
		if (i == 2) {
			MARK();
			SHOW(given.whole);
			SHOW(given.part);
			SHOW(times);
			SHOW(i);
			SHOW(step.whole);
			SHOW(step.part);
			SHOW(sum.whole);
			SHOW(sum.part);
		}
	}
	return sum;
}

APART void values_local_types(int seed)
{
	typedef long kind; /* hides the tag's ordinary sense: enum kind is still there */
	enum local { HERE = -100, THERE = 100 };
	struct local_pair {
		kind a;
		enum local b;
		enum kind c;
	} pair = {opaque(seed), (enum local)opaque(-100), (enum kind)opaque('c')};
	struct {
		unsigned bits : 4;
		_Bool flag : 1;
		long far : 59;
	} anonymous = {(unsigned)opaque(9), 1, 0};
	anonymous.far = opaque(-288230376151711744);
	{
		struct local_pair {
			char a[2];
			short b;
		} pair = {{(char)opaque('A'), 'b'}, (short)opaque(seed * 2)};
		typedef float kind;
		kind real = (float)opaque_real(0.75);
		MARK();
		SHOW_ARRAY(pair.a, 2);
		SHOW(pair.b);
		SHOW(real);
		SHOW_INT(anonymous.bits);
	}
	int *literal = (int[]){(int)opaque(5), 6, (int)opaque(7)};
	struct pair *compound = &(struct pair){.second = (float)opaque_real(2.5)};
	struct pair array[3] = {[1] = {opaque_real(1), 2}, [2].second = 3};
#if !IS_TCC
	struct nothing {
	} nothing;
	struct {
		int first;
		struct nothing empty;
		int none[0];
		int last;
	} holes = {(int)opaque(1), {}, {}, (int)opaque(2)};
	int expression = ({
		int inner = (int)opaque(seed + 3);
		inner * 2;
	});
	(void)&nothing;
#endif
	MARK();
	SHOW(seed);
	SHOW(pair.a);
	SHOW_INT(pair.b);
	SHOW_INT(pair.c);
	SHOW_INT(anonymous.bits);
	SHOW_INT(anonymous.flag);
	SHOW_INT(anonymous.far);
	SHOW_PTR(literal);
	SHOW(literal[2]);
	SHOW_PTR(compound);
	SHOW(compound->first);
	SHOW(compound->second);
	for (show_i = 0; show_i < 3; show_i++) {
		SHOW_AS("array[%].first", array[show_i].first);
		SHOW_AS("array[%].second", array[show_i].second);
	}
#if !IS_TCC
	SHOW(holes.first);
	SHOW(holes.last);
	SHOW(expression);
#endif
}

/* Loops that an optimiser vectorises, unrolls and turns round. */
APART void values_loops(int rounds, const double *input)
{
	double squares[16], sum = 0;
	unsigned short checks[16];
	for (int i = 0; i < 16; i++)
		squares[i] = input[i & 3] * input[i & 3];
	for (int i = 0; i < 16; i++)
		checks[i] = (unsigned short)(i * rounds);
	for (int i = 0; i < rounds; i++)
		for (int j = i; j < 16; j += 4) {
			sum += squares[j];
			if (i == 1 && j == 9) {
				double part = sum * 2;
				MARK();
				SHOW(i);
				SHOW(j);
				SHOW(sum);
				SHOW(part);
				SHOW(rounds);
				SHOW_PTR(input);
				SHOW(*input);
				sum += part;
			}
		}
	MARK();
	SHOW(rounds);
	SHOW(sum);
	SHOW_ARRAY(squares, 16);
	SHOW_ARRAY(checks, 16);
}

APART int values_old_style(first, second, third)
	short first;
	float second;
	char *third;
{
	int sum = first + (int)second;
	MARK();
	SHOW(first);
	SHOW(second);
	SHOW_PTR(third);
	SHOW(third[1]);
	SHOW(sum);
	return sum;
}

static int values_odd(unsigned left)
{
	unsigned before = left + 1;
	if (left == 0) {
		MARK();
		SHOW(left);
		SHOW(before);
		return 0;
	}
	return values_even(left - 1);
}

APART int values_even(unsigned left)
{
	unsigned doubled = left * 2;
	if (left == 0) {
		MARK();
		SHOW(left);
		SHOW(doubled);
		return 1;
	}
	return values_odd(left - 1);
}
