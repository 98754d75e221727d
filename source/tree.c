#include "source/tree.h"

/* The expression inside implicit conversions: one child of the same text. */
static bool unwrap(const struct src_pass *pass, CXCursor *cursor)
{
	struct src_children children;
	unsigned begin[2], end[2];
	if (!src_cursor_is(*cursor, CXCursor_UnexposedExpr))
		return false;
	src_children_of(*cursor, &children);
	CXCursor child = children.vec.len == 1 ? children.vec.data[0] : *cursor;
	bool one = children.vec.len == 1 && src_clang.isExpression(src_clang.getCursorKind(child));
	xs_vec_deinit(&children.vec);
	if (!one || !src_begin(pass->unit, *cursor, &begin[0], NULL) ||
		!src_begin(pass->unit, child, &begin[1], NULL) ||
		!src_end(pass->unit, *cursor, &end[0], NULL) ||
		!src_end(pass->unit, child, &end[1], NULL) || begin[0] != begin[1] ||
		end[0] != end[1])
		return false;
	*cursor = child;
	return true;
}

struct seen {
	bool effects, reads;
};

static enum CXChildVisitResult on_seen(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct seen *seen = data;
	(void)parent;
	switch (src_clang.getCursorKind(cursor)) {
	case CXCursor_IntegerLiteral:
	case CXCursor_FloatingLiteral:
	case CXCursor_CharacterLiteral:
	case CXCursor_StringLiteral:
	case CXCursor_ParenExpr:
	case CXCursor_UnexposedExpr:
	case CXCursor_CStyleCastExpr:
	case CXCursor_UnaryExpr:
	case CXCursor_ConditionalOperator:
	case CXCursor_TypeRef:
		break;
	case CXCursor_DeclRefExpr:
		seen->reads |= !src_cursor_is(
			src_clang.getCursorReferenced(cursor), CXCursor_EnumConstantDecl);
		seen->effects |= src_clang.isVolatileQualifiedType(src_clang.getCursorType(cursor));
		break;
	case CXCursor_BinaryOperator: /* perhaps an assignment: that has a variable in it */
	case CXCursor_UnaryOperator:
		break;
	default:
		seen->effects = seen->reads = true;
	}
	return CXChildVisit_Recurse;
}

bool src_is_fixed(CXCursor cursor)
{
	struct seen seen = {0};
	on_seen(cursor, cursor, &seen);
	src_clang.visitChildren(cursor, on_seen, &seen);
	return !seen.effects && !seen.reads;
}

/* The first token at an offset or behind it that is no comment. */
static size_t token_from(const struct src_pass *pass, unsigned offset)
{
	size_t token = src_token_from(&pass->tokens, offset);
	if (token < pass->tokens.vec.len && pass->tokens.vec.data[token].kind == SRC_COMMENT)
		token = src_token_next(pass, token);
	return token;
}

static void add_child(const struct src_pass *pass, struct src_node *node, CXCursor cursor)
{
	struct src_node *child = src_node_create(pass, cursor);
	xs_vec_push(&node->children, child);
}

/* The form of a binary operator. The operator must stand where it seems to stand. */
static enum src_form binary_form(const struct src_pass *pass, CXCursor left, CXCursor right)
{
	static const char *const assigns[] = {
		"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", NULL};
	static const char *const others[] = {"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>",
		"<", ">", "<=", ">=", "==", "!=", NULL};
	unsigned end, begin;
	if (!src_end(pass->unit, left, &end, NULL) || !src_begin(pass->unit, right, &begin, NULL))
		return SRC_OPAQUE_FORM;
	size_t token = token_from(pass, end), next = src_token_next(pass, token);
	if (next >= pass->tokens.vec.len || pass->tokens.vec.data[next].begin != begin)
		return SRC_OPAQUE_FORM;
	if (src_token_is(pass, token, "&&"))
		return SRC_AND;
	if (src_token_is(pass, token, "||"))
		return SRC_OR;
	if (src_token_is(pass, token, ","))
		return SRC_COMMA;
	for (size_t i = 0; assigns[i]; i++)
		if (src_token_is(pass, token, assigns[i]))
			return SRC_ASSIGN;
	for (size_t i = 0; others[i]; i++)
		if (src_token_is(pass, token, others[i]))
			return SRC_BINARY;
	return SRC_OPAQUE_FORM;
}

static enum src_form unary_form(const struct src_pass *pass, struct src_span span)
{
	size_t first = src_token_from(&pass->tokens, span.begin);
	size_t last = src_token_before(pass, src_token_from(&pass->tokens, span.end));
	if (src_token_is(pass, first, "*"))
		return SRC_DEREFERENCE;
	if (src_token_is(pass, first, "&"))
		return SRC_REFERENCE;
	if (src_token_is(pass, first, "-") || src_token_is(pass, first, "~") ||
		src_token_is(pass, first, "!") || src_token_is(pass, first, "+"))
		return SRC_UNARY;
	if (src_token_is(pass, first, "++") || src_token_is(pass, first, "--") ||
		src_token_is(pass, last, "++") || src_token_is(pass, last, "--"))
		return SRC_STEP;
	return SRC_OPAQUE_FORM;
}

/* Whether a function is more than that: the compiler's own, or one whose calls must stay put. */
static bool is_special(CXCursor function)
{
	static const char *const names[] = {"alloca", "setjmp", "vfork", "longjmp", NULL};
	XS_AUTO_FREE char *name = src_name_of(function);
	for (size_t i = 0; names[i]; i++)
		if (!strcmp(names[i], name))
			return true;
	return !strncmp(name, "__", 2) || !strncmp(name, "_mm", 3);
}

/* A call: what is computed for it, in order. */
static void build_call(
	const struct src_pass *pass, struct src_node *node, const struct src_children *parts)
{
	if (!parts->vec.len)
		return;
	CXCursor callee = parts->vec.data[0];
	while (unwrap(pass, &callee))
		;
	CXCursor function = src_clang.getCursorReferenced(callee);
	bool direct = src_cursor_is(callee, CXCursor_DeclRefExpr) &&
		      src_cursor_is(function, CXCursor_FunctionDecl);
	if (direct && is_special(function))
		return;
	node->form = SRC_CALL;
	for (size_t i = direct; i < parts->vec.len; i++)
		add_child(pass, node, parts->vec.data[i]);
}

/* Whether a reference is to a bit-field; *wide if one of more bits than an int, whose type gcc
 * makes up. */
static bool is_bits(CXCursor cursor, bool *wide)
{
	CXCursor field = src_clang.getCursorReferenced(cursor);
	bool bits = src_cursor_is(field, CXCursor_FieldDecl) && src_clang.Cursor_isBitField(field);
	*wide = bits && src_clang.Type_getSizeOf(src_clang.getCursorType(field)) > 4;
	return bits;
}

static void build(const struct src_pass *pass, struct src_node *node, CXCursor bare)
{
	struct src_children parts;
	src_children_of(bare, &parts);
	size_t count = parts.vec.len;
	enum CXCursorKind kind = src_clang.getCursorKind(bare);
	switch (kind) {
	case CXCursor_IntegerLiteral:
	case CXCursor_FloatingLiteral:
	case CXCursor_CharacterLiteral:
		node->form = SRC_CONSTANT;
		break;
	case CXCursor_StringLiteral:
		node->form = SRC_TEXT;
		break;
	case CXCursor_DeclRefExpr:
		node->form = src_cursor_is(
				     src_clang.getCursorReferenced(bare), CXCursor_EnumConstantDecl)
				     ? SRC_CONSTANT
				     : SRC_VARIABLE;
		break;
	case CXCursor_ParenExpr:
		node->form = count == 1 ? SRC_PAREN : SRC_OPAQUE_FORM;
		break;
	case CXCursor_MemberRefExpr:
		node->form = count == 1 ? SRC_MEMBER : SRC_OPAQUE_FORM;
		node->bits = is_bits(bare, &node->odd);
		break;
	case CXCursor_ArraySubscriptExpr:
		node->form = count == 2 ? SRC_SUBSCRIPT : SRC_OPAQUE_FORM;
		break;
	case CXCursor_UnaryOperator:
		node->form = count == 1 ? unary_form(pass, node->span) : SRC_OPAQUE_FORM;
		break;
	case CXCursor_CStyleCastExpr:
		node->form = count ? SRC_CAST : SRC_OPAQUE_FORM;
		break;
	case CXCursor_BinaryOperator:
	case CXCursor_CompoundAssignOperator:
		node->form = count == 2 ? binary_form(pass, parts.vec.data[0], parts.vec.data[1])
					: SRC_OPAQUE_FORM;
		break;
	case CXCursor_ConditionalOperator:
		node->form = count == 3 ? SRC_CHOICE : SRC_OPAQUE_FORM;
		break;
	case CXCursor_CallExpr:
		build_call(pass, node, &parts);
		break;
	default:
		break;
	}
	if (node->form >= SRC_MEMBER && node->form < SRC_CALL)
		for (size_t i = node->form == SRC_CAST ? count - 1 : 0; i < count; i++)
			add_child(pass, node, parts.vec.data[i]);
	xs_vec_deinit(&parts.vec);
}

/* What follows from the children. */
static void conclude(struct src_node *node, CXCursor bare, bool wrapped)
{
	bool place = node->form == SRC_VARIABLE || node->form == SRC_TEXT ||
		     node->form == SRC_MEMBER || node->form == SRC_SUBSCRIPT ||
		     node->form == SRC_DEREFERENCE;
	size_t last = node->children.len - 1;
	node->value = wrapped || (!place && node->form != SRC_OPAQUE_FORM);
	if (node->form == SRC_PAREN)
		node->value = wrapped || node->children.data[0]->value;
	for (size_t i = 0; i < node->children.len; i++) {
		const struct src_node *child = node->children.data[i];
		node->effects |= child->effects;
		node->reads |= child->reads;
		node->odd |= child->odd;
	}
	node->bits |= node->form == SRC_PAREN && node->children.data[0]->bits;
	if (node->form == SRC_CALL || node->form == SRC_ASSIGN || node->form == SRC_STEP)
		node->effects = node->reads = true;
	/* The value of such an assignment has the type of the bit-field in gcc. */
	if ((node->form == SRC_ASSIGN || node->form == SRC_STEP) && node->children.data[0]->bits)
		node->odd = true;
	if (node->form == SRC_COMMA && node->children.data[last]->bits)
		node->odd = true;
	if (place && wrapped && node->form != SRC_TEXT)
		node->reads = true;
	if (place && src_clang.isVolatileQualifiedType(src_clang.getCursorType(bare)))
		node->effects = true;
	if (src_clang.getCanonicalType(src_clang.getCursorType(bare)).kind == CXType_Atomic)
		node->effects = true;
}

struct src_node *src_node_create(const struct src_pass *pass, CXCursor cursor)
{
	struct src_node *node = xs_calloc(1, sizeof *node);
	bool wrapped = false;
	node->cursor = cursor;
	node->type = src_clang.getCanonicalType(src_clang.getCursorType(cursor));
	CXCursor bare = cursor, first = cursor; /* conversion, if there is one */
	for (CXCursor next = cursor; unwrap(pass, &next); bare = next) {
		first = bare;
		wrapped = true;
	}
	if (src_span_of(pass, cursor, &node->span))
		build(pass, node, bare);
	else
		node->span = (struct src_span){0};
	if (node->form == SRC_OPAQUE_FORM)
		node->effects = node->reads = !src_is_fixed(bare);
	node->bare = bare;
	conclude(node, bare, wrapped);
	bool place = node->form >= SRC_TEXT && node->form <= SRC_DEREFERENCE;
	node->inner = src_clang.getCanonicalType(src_clang.getCursorType(place ? first : bare));
	if (node->form == SRC_PAREN && node->children.data[0]->value)
		node->inner = node->children.data[0]->type;
	else if (node->form == SRC_PAREN)
		node->inner = src_clang.getCanonicalType(src_clang.getCursorType(first));
	return node;
}

void src_node_destroy(struct src_node *node)
{
	if (!node)
		return;
	for (size_t i = 0; i < node->children.len; i++)
		src_node_destroy(node->children.data[i]);
	xs_vec_deinit(&node->children);
	free(node);
}
