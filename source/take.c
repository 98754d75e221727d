/* take.c - calls, and what is assigned to global storage. */
#include "source/collect.h"

/* --- calls ------------------------------------------------------------------------------------ */

static enum src_call_kind kind_of(CXCursor callee)
{
	if (!src_cursor_is(callee, CXCursor_FunctionDecl))
		return SRC_CALL_INDIRECT;
	if (!src_clang.Cursor_isNull(src_clang.getCursorDefinition(callee)) ||
		src_clang.Cursor_getStorageClass(callee) == CX_SC_Static)
		return SRC_CALL_KNOWN;
	XS_AUTO_FREE char *name = src_name_of(callee);
	return src_clang.Location_isInSystemHeader(src_clang.getCursorLocation(callee)) ||
			       !strncmp(name, "__builtin", 9)
		       ? SRC_CALL_LIBRARY
		       : SRC_CALL_OPAQUE;
}

void src_take_call(struct src_walk *at, CXCursor cursor)
{
	struct src_call call = {.function = at->function};
	CXCursor callee = src_clang.getCursorReferenced(cursor);
	if (!src_where(at, cursor, &call.file, &call.line, &call.offset) ||
		!src_end(at->unit, cursor, &call.end, NULL))
		return;
	call.kind = kind_of(callee);
	call.callee = src_clang.Cursor_isNull(callee) ? xs_strdup("(*...)") : src_name_of(callee);
	int count = src_clang.Cursor_getNumArguments(cursor);
	for (int i = 0; i < count; i++) {
		size_t variable =
			src_referenced(at, src_clang.Cursor_getArgument(cursor, (unsigned)i));
		if (variable != SRC_NOWHERE && at->facts->variables.data[variable].scalar)
			xs_vec_push(&call.arguments, variable);
	}
	xs_vec_push(&at->facts->calls, call);
}

/* --- stores ----------------------------------------------------------------------------------- */

/* How a value takes part in what is stored. */
struct part {
	bool index;
	bool folds;
	size_t product;
};

static void take_operands(
	struct src_walk *at, CXCursor cursor, struct src_store *store, struct part how);

static bool is_sum(const char *sign)
{
	return *sign == '+' || *sign == '-' || *sign == '^';
}

static bool is_product(const char *sign)
{
	return *sign == '*' || *sign == '&' || *sign == '|' || !strncmp(sign, "<<", 2) ||
	       !strncmp(sign, ">>", 2);
}

/* x - x does not need x, whatever it is. */
static void fold_twins(struct src_store *store, size_t before, size_t middle)
{
	for (size_t i = before; i < middle; i++)
		for (size_t k = middle; k < store->operands.len; k++)
			if (store->operands.data[i].variable == store->operands.data[k].variable)
				store->operands.data[i].folds = store->operands.data[k].folds =
					true;
}

static void take_binary(struct src_walk *at, CXCursor left, CXCursor right, struct src_store *store,
	struct part how)
{
	char sign[4];
	src_binary_operator(at->unit, left, right, sign);
	how.index = false;
	if (!strcmp(sign, "=")) {
		take_operands(at, right, store, how);
		return;
	}
	/* Of comparisons, divisions and conditions nobody knows what they need. */
	if (!is_sum(sign) && (!is_product(sign) || !strcmp(sign, "&&") || !strcmp(sign, "||")))
		return;
	if (is_product(sign)) {
		how.folds |= src_is_fixed(left) || src_is_fixed(right);
		how.product = how.product ? how.product : ++at->products;
	}
	size_t before = store->operands.len;
	take_operands(at, left, store, how);
	size_t middle = store->operands.len;
	take_operands(at, right, store, how);
	fold_twins(store, before, middle);
}

/* Collects the locals of an expression, as far as it is understood. */
static void take_operands(
	struct src_walk *at, CXCursor cursor, struct src_store *store, struct part how)
{
	cursor = src_bare(cursor);
	struct src_children children;
	size_t variable = src_referenced(at, cursor);
	if (variable != SRC_NOWHERE) {
		struct src_operand one = {.variable = variable,
			.index = how.index,
			.folds = how.folds,
			.product = how.product};
		xs_vec_push(&store->operands, one);
		return;
	}
	src_children_of(cursor, &children);
	CXCursor *parts = children.vec.data;
	size_t count = children.vec.len;
	struct part plain = {.folds = how.folds, .product = how.product};
	struct part index = plain;
	char sign[4];
	switch (src_clang.getCursorKind(cursor)) {
	case CXCursor_ArraySubscriptExpr:
		index.index = count == 2 && src_is_global(parts[0]);
		if (count == 2) {
			take_operands(at, parts[0], store, how);
			take_operands(at, parts[1], store, index);
		}
		break;
	case CXCursor_MemberRefExpr:
		if (count == 1)
			take_operands(at, parts[0], store, how);
		break;
	case CXCursor_UnaryOperator:
		src_unary_operator(at->unit, cursor, sign);
		if (count == 1 && *sign && strchr("-~+*", *sign) && !sign[1])
			take_operands(at, parts[0], store, plain);
		break;
	case CXCursor_BinaryOperator:
		if (count == 2)
			take_binary(at, parts[0], parts[1], store, how);
		break;
	default:
		break;
	}
	xs_vec_deinit(&children.vec);
}

struct local_search {
	struct src_walk *at;
	bool found;
};

/* Whether there is a local variable in it. */
static enum CXChildVisitResult on_local(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct local_search *search = data;
	(void)parent;
	search->found |=
		src_cursor_is(cursor, CXCursor_DeclRefExpr) &&
		src_variable_of(search->at, src_clang.getCursorReferenced(cursor)) != SRC_NOWHERE;
	return search->found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

void src_take_store(
	struct src_walk *at, CXCursor cursor, CXCursor left, CXCursor right, const char *sign)
{
	struct src_store store = {.function = at->function};
	struct local_search search = {.at = at};
	struct part how = {0};
	if (!src_is_global(left) || !src_where(at, cursor, &store.file, &store.line, &store.offset))
		return;
	/* g *= x may fold as g * x may. */
	if (strlen(sign) > 1 && is_product(sign))
		how.product = ++at->products;
	src_clang.visitChildren(cursor, on_local, &search);
	store.local = search.found;
	bool known = !strcmp(sign, "=") || is_sum(sign) || (*sign != '/' && is_product(sign));
	if (!src_clang.Cursor_isNull(right) && known)
		take_operands(at, right, &store, how);
	take_operands(at, left, &store, (struct part){0});
	store.point = at->point;
	xs_vec_push(&at->facts->stores, store);
}
