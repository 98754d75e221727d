/*
 * parser_main.c - parses and computes an expression, and looks at other values on the way.
 */
#include "parser.h"

static struct { /* without a tag, of parser_main.c only */
	int state;
	struct {
		int state;
	} nested[2];
} state = {1, {{2}, {3}}};

int main(int argc, char **argv)
{
	double input[4] = {opaque_real(1), opaque_real(0.5), opaque_real(-2), opaque_real(3)};
	struct pair pair = {opaque_real(8), (float)opaque_real(0.1)};
	struct mixed mixed = {opaque(-3), opaque_real(1e-3)};
	node *root;
	double value;
	lexer_tables(0);
	lexer_tables(1);
	lexer_blocks((int)opaque(10));
	root = tree_parse(1);
	value = tree_value(root, 1);
	tree_free(root);
	tree_aligned((int)opaque(5));
	tree_big((int)opaque(-3));
	pair = values_pair(pair, mixed, 0);
	mixed = values_mixed(mixed, 4);
	values_local_types((int)opaque(21));
	values_loops((int)opaque(3), input);
	values_old_style((short)opaque(-5), (float)opaque_real(2.5), (char *)"old");
	values_even((unsigned)opaque(6));
	values_even((unsigned)opaque(5));
	shared_counter((int)opaque(1));
	MARK();
	SHOW(argc);
	SHOW_PTR(argv);
	SHOW_PTR(argv[0]);
	SHOW(value);
	SHOW_PTR(root);
	SHOW_ARRAY(input, 4);
	SHOW(pair.first);
	SHOW(pair.second);
	SHOW(mixed.whole);
	SHOW(mixed.part);
	SHOW(state.state);
	SHOW(state.nested[0].state);
	SHOW(state.nested[1].state);
	return 0;
}
