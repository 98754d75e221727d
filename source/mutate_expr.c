/* mutate_expr.c - RCL, the expressions: parts become temporaries, and what is evaluated or not, as
 * && || ?: have it, becomes an if.
 *
 * Rules:
 * 1. A statement whose expression is lowered becomes a block, in which what was taken out comes
 *    first, each into a variable of exactly its type. In loops it is done each time; labels stay
 *    outside.
 *    Or the variables are declared where the function begins: compilers drop a block with its
 *    variables when they have optimised away what it does, but not those of the function.
 * 2. Only what is evaluated for certain is taken out, in the order of the text, a value before the
 *    place that it is assigned to: C allows several orders, and this is clang's.
 * 3. What stays in the expression is evaluated later than all that is taken out. So an operand is
 *    taken out, too, if something that is evaluated after it could change it or see what it does.
 *    If it cannot be taken out, everything after it stays.
 * 4. Constant conditions stay as they are, for compilers leave out what depends on them. */
#include "source/tree.h"

#define OUTSIDE 0.6 /* chance that a variable is declared in the function's block */

struct text {
	XS_VEC(char) vec;
	struct text *outside; /* where variables are declared instead, if not here; may be NULL */
	size_t taken;         /* how many variables and statements there are in it */
};

static void put(struct text *text, const char *format, ...) XS_PRINTF(2, 3);
static void put(struct text *text, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	XS_AUTO_FREE char *more = xs_vasprintf(format, args);
	va_end(args);
	size_t size = strlen(more);
	text->vec.data = xs_vec_grow(text->vec.data, &text->vec.cap, text->vec.len + size + 1, 1);
	memcpy(text->vec.data + text->vec.len, more, size + 1);
	text->vec.len += size;
}

static void text_deinit(struct text *text)
{
	xs_vec_deinit(&text->vec);
}

static const char *text_of(const struct text *text)
{
	return text->vec.data ? text->vec.data : "";
}

static char *new_name(struct src_pass *pass)
{
	return xs_asprintf("%st%u", pass->prefix, ++pass->names);
}

/* The text of a node, with its children as they are now; NULL for those that did not change. */
static char *render(const struct src_pass *pass, const struct src_node *node, char *const *texts)
{
	struct src_edits edits = {0};
	size_t size, base = node->span.begin;
	for (size_t i = 0; i < node->children.len; i++) {
		struct src_span span = node->children.data[i]->span;
		if (texts && texts[i])
			src_edit_replace(&edits, (unsigned)(span.begin - base),
				(unsigned)(span.end - base), "%s", texts[i]);
	}
	char *made = src_edits_apply(
		&edits, pass->unit->text + base, node->span.end - node->span.begin, &size);
	src_edits_deinit(&edits);
	return made;
}

static char *as_written(const struct src_pass *pass, const struct src_node *node)
{
	return render(pass, node, NULL);
}

/* --- what can be taken out --- */

static bool is_scalar(CXType type)
{
	return type.kind == CXType_Pointer || type.kind == CXType_Enum ||
	       (type.kind >= CXType_Bool && type.kind <= CXType_LongDouble);
}

static bool is_fixed(const struct src_node *node)
{
	return !node->effects && !node->reads;
}

/* Whether a node is left alone with all that is in it: gcc computes in a type that cannot be said,
 * to which operands would be converted otherwise if they had a type of their own. */
static bool is_rigid(const struct src_node *node)
{
	switch (node->form) {
	case SRC_UNARY:
	case SRC_STEP:
	case SRC_BINARY:
	case SRC_AND:
	case SRC_OR:
	case SRC_COMMA:
	case SRC_CHOICE:
		return node->odd;
	case SRC_ASSIGN:
		return node->odd && src_cursor_is(node->bare, CXCursor_CompoundAssignOperator);
	default:
		return node->form == SRC_OPAQUE_FORM;
	}
}

/* Whether two must be evaluated in their order. */
static bool conflict(const struct src_node *first, const struct src_node *second)
{
	return (first->effects && !is_fixed(second)) || (second->effects && first->reads);
}

/* Whether a place is still there when its expression is done: not in what a call returned. */
static bool lasts(const struct src_node *node)
{
	const struct src_node *first = node->children.len ? node->children.data[0] : NULL;
	switch (node->form) {
	case SRC_VARIABLE:
	case SRC_TEXT:
	case SRC_DEREFERENCE:
		return true;
	case SRC_SUBSCRIPT:
		if (first->type.kind != CXType_Pointer)
			first = node->children.data[1];
		return lasts(first) ||
		       src_clang.getCanonicalType(src_clang.getCursorType(first->bare)).kind ==
			       CXType_Pointer;
	case SRC_MEMBER:
		return first->type.kind == CXType_Pointer || lasts(first);
	case SRC_PAREN:
		return lasts(first);
	default:
		return false;
	}
}

/* The type of the variable for a node's value; NULL if it cannot be one. */
static char *type_for(const struct src_pass *pass, const struct src_node *node)
{
	/* An array becomes a pointer to it. */
	enum CXTypeKind kind = src_clang.getCanonicalType(src_clang.getCursorType(node->bare)).kind;
	if ((kind == CXType_ConstantArray || kind == CXType_VariableArray) && !lasts(node))
		return NULL;
	if (!node->value || node->odd || node->span.begin == node->span.end ||
		node->form == SRC_OPAQUE_FORM)
		return NULL;
	/* An array in something packed would become a pointer that promises too much. */
	if (pass->packed && (node->form == SRC_MEMBER || node->form == SRC_SUBSCRIPT) &&
		!is_scalar(src_clang.getCanonicalType(src_clang.getCursorType(node->bare))))
		return NULL;
	return src_type_text(pass, node->type);
}

static bool can_take(const struct src_pass *pass, const struct src_node *node)
{
	XS_AUTO_FREE char *type = type_for(pass, node);
	return type;
}

static bool is_arithmetic(CXType type)
{
	return type.kind >= CXType_Bool && type.kind <= CXType_LongDouble;
}

/* Whether a node's value is converted before it is used, and that could be done in two steps. */
static bool is_converted(const struct src_node *node)
{
	bool kinds = is_arithmetic(node->inner)
			     ? is_arithmetic(node->type)
			     : node->inner.kind == CXType_Pointer &&
				       node->type.kind == CXType_Pointer && !is_fixed(node);
	return kinds && !src_clang.equalTypes(node->inner, node->type);
}

/* How likely a node is to be taken out: what is nothing but itself already, less. */
static double chance_for(const struct src_pass *pass, const struct src_node *node)
{
	switch (node->form) {
	case SRC_CONSTANT:
	case SRC_TEXT:
		return pass->chance / 2;
	case SRC_PAREN: /* what is inside had its chance */
		return is_converted(node) ? pass->chance : 0;
	default:
		return pass->chance;
	}
}

/* --- lowering --- */

static char *lower(struct src_pass *pass, struct text *before, struct src_node *node, bool must);
static void discard(struct src_pass *pass, struct text *before, struct src_node *node);

/* Whether a type can be named at the beginning of the function, and assigned to. */
static bool can_be_outside(CXType type)
{
	while (type.kind == CXType_Pointer)
		type = src_clang.getCanonicalType(src_clang.getPointeeType(type));
	if (type.kind == CXType_Enum || type.kind == CXType_Record)
		return src_cursor_is(
			src_clang.getCursorSemanticParent(src_clang.getTypeDeclaration(type)),
			CXCursor_TranslationUnit);
	return type.kind == CXType_Void || is_scalar(type);
}

/* Puts a variable with a value; NULL: it gets one later, and is not to be looked at before. */
static void put_variable(struct src_pass *pass, struct text *before, CXType kind, const char *type,
	const char *name, const char *value)
{
	XS_AUTO_FREE char *declared = src_declare(type, name);
	bool out = before->outside && is_scalar(kind) && can_be_outside(kind) &&
		   !src_clang.isConstQualifiedType(kind) && src_flip(pass, OUTSIDE);
	if (out)
		put(before->outside, "%s; ", declared);
	if (value)
		put(before, "%s = %s; ", out ? name : declared, value);
	else if (!out)
		put(before, "%s; ", declared);
	before->taken++;
}

/* Puts a variable with this value before; returns its name. */
static char *take(
	struct src_pass *pass, struct text *before, const struct src_node *node, const char *value)
{
	XS_AUTO_FREE char *type = type_for(pass, node);
	XS_AUTO_FREE char *inner = is_converted(node) ? src_type_text(pass, node->inner) : NULL;
	char *name = new_name(pass);
	if (inner && src_flip(pass, pass->chance)) {
		XS_AUTO_FREE char *first = name;
		name = new_name(pass);
		put_variable(pass, before, node->inner, inner, first, value);
		put_variable(pass, before, node->type, type, name, first);
		return name;
	}
	put_variable(pass, before, node->type, type, name, value);
	return name;
}

/* Whether a member lies in a union: read through a pointer, it would be no business of what was
 * written to another one. */
static bool is_in_union(CXCursor field)
{
	for (CXCursor at = src_clang.getCursorSemanticParent(field);;
		at = src_clang.getCursorSemanticParent(at)) {
		if (src_cursor_is(at, CXCursor_UnionDecl))
			return true;
		if (!src_cursor_is(at, CXCursor_StructDecl))
			return false;
	}
}

/* Whether the address of a place can be taken. */
static bool is_addressable(const struct src_node *node)
{
	const struct src_node *first = node->children.len ? node->children.data[0] : NULL;
	CXCursor variable = src_clang.getCursorReferenced(node->bare);
	switch (node->form) {
	case SRC_VARIABLE:
		return (src_cursor_is(variable, CXCursor_VarDecl) ||
			       src_cursor_is(variable, CXCursor_ParmDecl)) &&
		       src_clang.Cursor_getStorageClass(variable) != CX_SC_Register;
	case SRC_MEMBER:
		return !node->bits && !is_in_union(variable) &&
		       (first->type.kind == CXType_Pointer || is_addressable(first));
	case SRC_SUBSCRIPT:
		if (first->type.kind != CXType_Pointer)
			return false;
		/* An array has to be one that is somewhere. */
		return src_clang.getCanonicalType(src_clang.getCursorType(first->bare)).kind ==
			       CXType_Pointer ||
		       is_addressable(first);
	case SRC_PAREN:
		return is_addressable(first);
	default:
		return false;
	}
}

/* Puts the address of a place into a variable before, and returns what stands for the place; NULL
 * if it is left as it is. */
static char *take_address(
	struct src_pass *pass, struct text *before, const struct src_node *node, const char *place)
{
	/* A pointer to what is packed would promise too much. */
	if (!src_flip(pass, pass->chance) || pass->packed || !is_addressable(node))
		return NULL;
	CXType type = src_clang.getCanonicalType(src_clang.getCursorType(node->bare));
	XS_AUTO_FREE char *text = is_scalar(type) ? src_type_text(pass, type) : NULL;
	if (!text || strpbrk(text, "(["))
		return NULL;
	XS_AUTO_FREE char *name = new_name(pass), *pointer = xs_asprintf("%s *", text);
	put(before, "%s%s = &%s; ", pointer, name, place);
	before->taken++;
	return xs_asprintf("(*%s)", name);
}

/* Operands in the order of their evaluation. texts[i] is NULL where nothing changed. */
static void lower_operands(struct src_pass *pass, struct text *before,
	struct src_node *const *nodes, size_t count, char **texts)
{
	for (size_t i = 0; i < count; i++) {
		bool must = false;
		for (size_t j = i + 1; j < count; j++)
			must |= conflict(nodes[i], nodes[j]);
		if (must && !can_take(pass, nodes[i]))
			return;
		texts[i] = lower(pass, before, nodes[i], must);
	}
}

static void free_texts(char **texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(texts[i]);
	free(texts);
}

/* The text of a node whose operands are lowered, all of which are evaluated. */
static char *lower_children(struct src_pass *pass, struct text *before, struct src_node *node)
{
	size_t count = node->children.len;
	char **texts = xs_calloc(count + 1, sizeof *texts);
	if (node->form == SRC_ASSIGN) {
		/* The value first. */
		struct src_node *const swapped[] = {node->children.data[1], node->children.data[0]};
		char *made[2] = {0};
		lower_operands(pass, before, swapped, 2, made);
		texts[0] = made[1];
		texts[1] = made[0];
		if (!conflict(swapped[0], swapped[1]) || can_take(pass, swapped[0])) {
			XS_AUTO_FREE char *place =
				texts[0] ? xs_strdup(texts[0]) : as_written(pass, swapped[1]);
			char *through = take_address(pass, before, swapped[1], place);
			if (through) {
				free(texts[0]);
				texts[0] = through;
			}
		}
	} else if (node->form == SRC_AND || node->form == SRC_OR || node->form == SRC_CHOICE ||
		   node->form == SRC_COMMA) {
		/* Only the first is evaluated first, and for certain. */
		if (!is_fixed(node->children.data[0]))
			texts[0] = lower(pass, before, node->children.data[0], false);
	} else
		lower_operands(pass, before, node->children.data, count, texts);
	char *made = render(pass, node, texts);
	free_texts(texts, count);
	return made;
}

/* The text of an operand in a context of its own. */
static char *lower_or_keep(struct src_pass *pass, struct text *before, struct src_node *node)
{
	char *made = is_fixed(node) ? NULL : lower(pass, before, node, false);
	return made ? made : as_written(pass, node);
}

static bool can_cut_children(const struct src_node *node)
{
	for (size_t i = 0; i < node->children.len; i++)
		if (node->children.data[i]->span.begin == node->children.data[i]->span.end)
			return false;
	return true;
}

/* `name = value;` in a block, with what comes before it. */
static void put_branch(struct src_pass *pass, struct text *before, struct src_node *node,
	const char *name, bool truth)
{
	struct text inner = {.outside = before->outside};
	XS_AUTO_FREE char *value = lower_or_keep(pass, &inner, node);
	put(before, truth ? "{ %s%s = (%s) != 0; } " : "{ %s%s = %s; } ", text_of(&inner), name,
		value);
	before->taken += inner.taken + 1;
	text_deinit(&inner);
}

/* && || and ?: as if statements; returns the name of the result. */
static char *lower_branches(struct src_pass *pass, struct text *before, struct src_node *node)
{
	char *name = new_name(pass);
	XS_AUTO_FREE char *condition = lower_or_keep(pass, before, node->children.data[0]);
	XS_AUTO_FREE char *type = type_for(pass, node);
	put_variable(pass, before, node->type, type, name,
		node->form == SRC_AND  ? "0"
		: node->form == SRC_OR ? "1"
				       : NULL);
	if (node->form == SRC_CHOICE) {
		put(before, "if (%s) ", condition);
		put_branch(pass, before, node->children.data[1], name, false);
		put(before, "else ");
		put_branch(pass, before, node->children.data[2], name, false);
	} else {
		put(before, node->form == SRC_AND ? "if (%s) " : "if (!(%s)) ", condition);
		put_branch(pass, before, node->children.data[1], name, true);
	}
	return name;
}

/* The new text of a node, NULL if it stays; what must come first is put before. If it must be taken
 * out (and can be), nothing of it is left to be evaluated. */
static char *lower(struct src_pass *pass, struct text *before, struct src_node *node, bool must)
{
	if (is_rigid(node) || node->span.begin == node->span.end)
		return NULL;
	bool chosen = must || src_flip(pass, chance_for(pass, node));
	bool branches = node->form == SRC_AND || node->form == SRC_OR || node->form == SRC_CHOICE;
	if (chosen && branches && is_scalar(node->type) && can_take(pass, node) &&
		can_cut_children(node) && !is_fixed(node->children.data[0]))
		return lower_branches(pass, before, node);
	if (chosen && node->form == SRC_COMMA && can_cut_children(node) && can_take(pass, node)) {
		discard(pass, before, node->children.data[0]);
		XS_AUTO_FREE char *made = lower_or_keep(pass, before, node->children.data[1]);
		return take(pass, before, node, made);
	}
	char *made = lower_children(pass, before, node);
	if (chosen && can_take(pass, node)) {
		XS_AUTO_FREE char *through = take_address(pass, before, node, made);
		char *name = take(pass, before, node, through ? through : made);
		free(made);
		return name;
	}
	return made;
}

/* Puts an expression before as a statement, its value not used. */
static void discard(struct src_pass *pass, struct text *before, struct src_node *node)
{
	bool cut = can_cut_children(node) && !is_rigid(node);
	if (node->form == SRC_COMMA && cut) {
		discard(pass, before, node->children.data[0]);
		discard(pass, before, node->children.data[1]);
		return;
	}
	bool branches = node->form == SRC_AND || node->form == SRC_OR || node->form == SRC_CHOICE;
	if (branches && cut && !is_fixed(node->children.data[0])) {
		XS_AUTO_FREE char *condition = lower_or_keep(pass, before, node->children.data[0]);
		put(before, node->form == SRC_OR ? "if (!(%s)) " : "if (%s) ", condition);
		for (size_t i = 1; i < node->children.len; i++) {
			struct text inner = {.outside = before->outside};
			discard(pass, &inner, node->children.data[i]);
			put(before, i == 1 ? "{ %s} " : "else { %s} ", text_of(&inner));
			before->taken += inner.taken + 1;
			text_deinit(&inner);
		}
		return;
	}
	XS_AUTO_FREE char *made =
		is_rigid(node) ? as_written(pass, node) : lower_children(pass, before, node);
	put(before, node->effects ? "%s; " : "(void)(%s); ", made);
}

/* --- statements --- */

/* `E;` */
static void lower_expression(struct src_pass *pass, struct text *outside, CXCursor cursor)
{
	struct src_span span;
	struct text before = {.outside = outside};
	XS_AUTO(src_node) node = src_node_create(pass, cursor);
	if (node->form == SRC_OPAQUE_FORM || src_has_literal(cursor) ||
		!src_statement_span(pass, cursor, &span))
		return;
	discard(pass, &before, node);
	if (before.taken) {
		src_edit_replace(&pass->edits, span.begin, span.end, "{ %s}", text_of(&before));
		pass->applied += before.taken;
	}
	text_deinit(&before);
}

/* An expression that a statement begins with: `return E;`, `if (E)`, `switch (E)`. */
static void lower_head(
	struct src_pass *pass, struct text *outside, CXCursor statement, CXCursor expression)
{
	struct src_span span;
	struct text before = {.outside = outside};
	XS_AUTO(src_node) node = src_node_create(pass, expression);
	if (!src_statement_span(pass, statement, &span) || is_fixed(node) || !node->value ||
		src_has_literal(expression))
		return;
	XS_AUTO_FREE char *made = lower(pass, &before, node, false);
	if (made && before.taken) {
		src_edit_before(&pass->edits, span.begin, "{ %s", text_of(&before));
		src_edit_replace(&pass->edits, node->span.begin, node->span.end, "%s", made);
		src_edit_behind(&pass->edits, span.end, " }");
		pass->applied += before.taken;
	}
	text_deinit(&before);
}

struct mention {
	CXCursor variable;
	bool found;
};

static enum CXChildVisitResult on_mention(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct mention *mention = data;
	(void)parent;
	mention->found |=
		src_cursor_is(cursor, CXCursor_DeclRefExpr) &&
		src_clang.equalCursors(src_clang.getCursorReferenced(cursor), mention->variable);
	return CXChildVisit_Recurse;
}

static bool mentions(CXCursor expression, CXCursor variable)
{
	struct mention mention = {variable, false};
	on_mention(expression, expression, &mention);
	src_clang.visitChildren(expression, on_mention, &mention);
	return mention.found;
}

/* `T x = E;` in a block; of several variables, the first. */
static void lower_declaration(struct src_pass *pass, struct text *outside, CXCursor statement)
{
	struct src_children all;
	struct src_span span;
	src_children_of(statement, &all);
	CXCursor variable = all.vec.len ? all.vec.data[0] : statement;
	xs_vec_deinit(&all.vec);
	if (!src_cursor_is(variable, CXCursor_VarDecl) ||
		!src_statement_span(pass, statement, &span))
		return;
	enum CX_StorageClass storage = src_clang.Cursor_getStorageClass(variable);
	CXCursor value = src_clang.Cursor_getVarDeclInitializer(variable);
	CXType type = src_clang.getCanonicalType(src_clang.getCursorType(variable));
	if ((storage != CX_SC_None && storage != CX_SC_Auto && storage != CX_SC_Register) ||
		src_clang.Cursor_isNull(value) ||
		!(is_scalar(type) || type.kind == CXType_Record) ||
		src_cursor_is(value, CXCursor_InitListExpr) || mentions(value, variable) ||
		src_has_literal(value))
		return;
	struct text before = {.outside = outside};
	XS_AUTO(src_node) node = src_node_create(pass, value);
	XS_AUTO_FREE char *made = lower(pass, &before, node, false);
	if (made && before.taken) {
		src_edit_before(&pass->edits, span.begin, "%s", text_of(&before));
		src_edit_replace(&pass->edits, node->span.begin, node->span.end, "%s", made);
		pass->applied += before.taken;
	}
	text_deinit(&before);
}

static void visit(struct src_pass *pass, struct text *outside, CXCursor cursor)
{
	struct src_children children;
	enum CXCursorKind kind = src_clang.getCursorKind(cursor);
	src_children_of(cursor, &children);
	size_t count = children.vec.len;
	switch (kind) {
	case CXCursor_CompoundStmt:
	case CXCursor_UnexposedStmt:
		for (size_t i = 0; i < count; i++)
			visit(pass, outside, children.vec.data[i]);
		break;
	case CXCursor_LabelStmt:
	case CXCursor_CaseStmt:
	case CXCursor_DefaultStmt:
	case CXCursor_WhileStmt:
	case CXCursor_ForStmt:
		if (count)
			visit(pass, outside, children.vec.data[count - 1]);
		break;
	case CXCursor_DoStmt:
		if (count)
			visit(pass, outside, children.vec.data[0]);
		break;
	case CXCursor_IfStmt:
	case CXCursor_SwitchStmt:
		for (size_t i = 1; i < count; i++)
			visit(pass, outside, children.vec.data[i]);
		if (count > 1)
			lower_head(pass, outside, cursor, children.vec.data[0]);
		break;
	case CXCursor_ReturnStmt:
		if (count == 1)
			lower_head(pass, outside, cursor, children.vec.data[0]);
		break;
	case CXCursor_DeclStmt:
		lower_declaration(pass, outside, cursor);
		break;
	default:
		if (src_clang.isExpression(kind))
			lower_expression(pass, outside, cursor);
	}
	xs_vec_deinit(&children.vec);
}

static void on_function(struct src_pass *pass, CXCursor function, CXCursor body, void *data)
{
	struct src_span span;
	(void)data;
	if (src_begin(pass->unit, function, &span.begin, NULL) &&
		src_end(pass->unit, function, &span.end, NULL) &&
		!src_has_word(pass, span.begin, span.end, src_untouchable)) {
		struct text outside = {0};
		visit(pass, &outside, body);
		if (outside.vec.len && src_begin(pass->unit, body, &span.begin, NULL))
			src_edit_behind(&pass->edits, span.begin + 1, " %s", text_of(&outside));
		text_deinit(&outside);
	}
}

void src_mutate_expr(struct src_pass *pass)
{
	/* Types that are more than their names say: a variable of the same name would not do. */
	static const char *const more[] = {"may_alias", "__may_alias__", "aligned", "__aligned__",
		"_Alignas", "alignas", "scalar_storage_order", "address_space", NULL};
	if (!pass->tokens.spliced && !src_has_word(pass, 0, (unsigned)pass->unit->size, more))
		src_each_function(pass, on_function, NULL);
}
