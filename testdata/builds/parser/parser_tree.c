/*
 * parser_tree.c - a recursive descent, trees, aligned and large frames.
 */
#include "parser.h"

#include <stdlib.h>
#include <string.h>

struct state { /* not parser_lexer.c's */
	double depth;
	node *latest;
	long counts[2];
};

static struct state state;
static struct token ahead;
static int started;

static double apply_add(double a, double b)
{
	return a + b;
}

static double apply_subtract(double a, double b)
{
	return a - b;
}

static double apply_multiply(double a, double b)
{
	double product = a * b;
	MARK();
	SHOW(a);
	SHOW(b);
	SHOW(product);
	return product;
}

static double apply_divide(double a, double b)
{
	return a / b;
}

static const struct {
	char sign;
	int rank;
	double (*apply)(double, double);
} operators[] = {
	{'+', 1, apply_add}, {'-', 1, apply_subtract}, {'*', 2, apply_multiply}, {'/', 2, apply_divide}};

static int operator_find(char sign)
{
	for (int i = 0; i < 4; i++)
		if (operators[i].sign == sign)
			return i;
	return -1;
}

static node *node_new(struct token token, node *left, node *right)
{
	node *made = calloc(1, sizeof *made);
	made->token = token;
	made->left = left;
	made->right = right;
	state.latest = made;
	state.counts[left != 0]++;
	return made;
}

APART node *tree_parse(int least)
{
	node *left;
	int found;
	if (!started) {
		started = 1;
		ahead = lexer_next();
	}
	if (ahead.kind == OPEN) {
		ahead = lexer_next();
		left = tree_parse(1);
		ahead = lexer_next();
	} else {
		left = node_new(ahead, 0, 0);
		ahead = lexer_next();
	}
	while (ahead.kind == OPERATOR && (found = operator_find(ahead.as.operator)) >= 0 &&
		   operators[found].rank >= least) {
		struct token sign = ahead;
		ahead = lexer_next();
		left = node_new(sign, left, tree_parse(operators[found].rank + 1));
		left->apply = operators[found].apply;
		if (sign.as.operator == '/') {
			MARK();
			SHOW(least);
			SHOW(found);
			SHOW_PTR(left);
			SHOW_INT(sign.kind);
			SHOW_INT(sign.position);
			SHOW(sign.as.operator);
			SHOW_PTR(left->left);
			SHOW_PTR(left->apply);
			SHOW(left->right->token.as.number);
			SHOW_INT(left->left->right->token.kind);
			SHOW(state.depth);
			SHOW_PTR(state.latest);
			SHOW_ARRAY(state.counts, 2);
			SHOW(operators[2].sign);
			SHOW(operators[2].rank);
			SHOW_PTR(operators[2].apply);
		}
	}
	return left;
}

APART double tree_value(const node *root, int level)
{
	double left, right;
	int stop = mark_stop;
	if (!root->apply)
		return root->token.as.number;
	state.depth = level;
	left = tree_value(root->left, level + 1);
	right = tree_value(root->right, level + 1);
	return stop <= mark_stop ? root->apply(left, right) : 0;
}

APART void tree_free(node *root)
{
	if (root) {
		tree_free(root->left);
		tree_free(root->right);
		free(root);
	}
}

/* The frame is aligned, has a variable size, and is still in use after other calls. */
APART void tree_aligned(int count)
{
	_Alignas(64) int line[3] = {(int)opaque(1), count, (int)opaque(-3)};
	int many[count];
	for (int i = 0; i < count; i++)
		many[i] = (int)opaque(i + 50);
	_Alignas(32) double wide = opaque_real(count * 1.25);
	int counted = shared_counter(count);
	MARK();
	SHOW(count);
	SHOW_ARRAY(line, 3);
	SHOW_ARRAY(many, count);
	SHOW(wide);
	SHOW(counted);
}

APART void tree_big(int seed)
{
	char buffer[70000];
	int after = (int)opaque(seed + 1);
	memset(buffer, (int)opaque(seed), sizeof buffer);
	MARK();
	SHOW(seed);
	SHOW(after);
	SHOW(buffer[0]);
	SHOW(buffer[4000]);
	SHOW(buffer[69999]);
}
