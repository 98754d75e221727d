/*
 * parser.h - what the units of the parser share.
 */
#ifndef PARSER_H
#define PARSER_H

#include "../show.h"

#include <stddef.h>

enum kind { END, NUMBER, OPERATOR = 40, OPEN, CLOSE = 'c' };

struct token {
	enum kind kind : 8;
	unsigned position : 24;
	union {
		double number;
		char operator;
		struct {
			short line, column;
		} where;
	} as;
};

typedef struct node node;
struct node {
	struct token token;
	node *left, *right;
	double (*apply)(double, double);
};

struct pair {
	double first;
	float second;
};

struct mixed {
	long whole;
	double part;
};

/* parser_lexer.c */
extern const char *lexer_text;
struct token lexer_next(void);
void lexer_tables(int which);
int lexer_blocks(int seed);

/* parser_tree.c */
node *tree_parse(int least);
double tree_value(const node *root, int level);
void tree_free(node *root);
void tree_aligned(int count);
void tree_big(int seed);

/* parser_values.c */
union both;
struct pair values_pair(struct pair given, struct mixed mixed, union both *none);
struct mixed values_mixed(struct mixed given, int times);
void values_local_types(int seed);
void values_loops(int rounds, const double *input);
int values_old_style();
int values_even(unsigned left);

static inline int shared_counter(int by)
{
	static int counter = 100; /* one in each unit */
	counter += by;
	MARK();
	SHOW(by);
	SHOW(counter);
	return counter;
}
#endif
