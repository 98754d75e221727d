#include "source/collect.h"

/* Notes a use as the next point of the flow. */
static struct src_use *use(struct src_walk *at, size_t variable, CXCursor where, unsigned access)
{
	static struct src_use nothing;
	struct src_facts *facts = at->facts;
	struct src_use one = {.variable = variable, .access = access, .target = SRC_NOWHERE};
	if (!src_where(at, where, &one.file, &one.line, &one.offset))
		return &nothing;
	one.point = src_flow_add(&facts->flow, one.file, one.line, facts->uses.len);
	src_flow_edge(&facts->flow, at->point, one.point);
	at->point = one.point;
	xs_vec_push(&facts->uses, one);
	facts->variables.data[variable].escapes |= (access & SRC_ADDRESS) != 0;
	facts->variables.data[variable].writes += (access & SRC_WRITE) != 0;
	return &facts->uses.data[facts->uses.len - 1];
}

/* A point for a line that has none yet. */
static void touch(struct src_walk *at, CXCursor cursor)
{
	const struct src_flow *flow = &at->facts->flow;
	unsigned file, line;
	if (!src_where(at, cursor, &file, &line, NULL) ||
		(at->point != SRC_NOWHERE && flow->points.data[at->point].line == line &&
			flow->points.data[at->point].file == file))
		return;
	size_t point = src_flow_add(&at->facts->flow, file, line, SRC_NOWHERE);
	src_flow_edge(&at->facts->flow, at->point, point);
	at->point = point;
}

/* The local whose address an expression is; SRC_NOWHERE: of none. */
static size_t address_of(struct src_walk *at, CXCursor cursor)
{
	CXCursor place = src_operand_of(at->unit, src_bare(cursor), "&");
	return src_clang.Cursor_isNull(place) ? SRC_NOWHERE : src_referenced(at, place);
}

/* Says what is written. */
static void set_value(struct src_walk *at, struct src_use *write, CXCursor from)
{
	if (src_clang.Cursor_isNull(from))
		return;
	size_t target = address_of(at, from);
	bool constant = src_is_constant(at->unit, from, &write->key);
	write->constant = constant;
	write->target = target;
}

/* --- declarations ----------------------------------------------------------------------------- */

void src_walk_declaration(struct src_walk *at, CXCursor cursor, bool parameter)
{
	CXType type = src_clang.getCursorType(cursor);
	struct src_facts *facts = at->facts;
	struct src_variable one = {.name = src_name_of(cursor),
		.function = at->function,
		.base = facts->variables.len,
		.scope_begin = at->scope_begin,
		.scope = at->scope,
		.parameter = parameter,
		.scalar = src_is_scalar(type),
		.bytes = src_scalar_size(type),
		.pointer = src_clang.getCanonicalType(type).kind == CXType_Pointer};
	enum CX_StorageClass storage = src_clang.Cursor_getStorageClass(cursor);
	CXFile file;
	CXSourceLocation where = src_clang.getCursorLocation(cursor);
	src_clang.getFileLocation(where, &file, &one.line, NULL, &one.offset);
	if (!*one.name || storage == CX_SC_Static || storage == CX_SC_Extern || !file ||
		!src_clang.File_isEqual(file, at->unit->file)) {
		free(one.name);
		return;
	}
	if (at->lines) {
		char *presumed;
		one.line = src_presumed(where, &presumed);
		free(presumed);
	}
	xs_vec_push(&facts->variables, one);
	xs_vec_push(&at->declarations, cursor);
	if (parameter)
		use(at, one.base, cursor, SRC_WRITE);
	CXCursor value = src_clang.Cursor_getVarDeclInitializer(cursor);
	if (src_clang.Cursor_isNull(value))
		return;
	touch(at, cursor);
	src_walk_place(at, cursor, SRC_WRITE, value);
}

/* --- expressions ------------------------------------------------------------------------------ */

/* Whether a pointer is known to be used in no way that its target goes anywhere. */
static bool is_tame(const struct src_walk *at, size_t pointer)
{
	return pointer != SRC_NOWHERE && pointer - at->first < at->stands_for.len &&
	       at->stands_for.data[pointer - at->first] != SRC_NOWHERE;
}

/* Walks what is assigned. The address of a local goes nowhere if the pointer is tame. */
static void walk_value(struct src_walk *at, size_t into, CXCursor from)
{
	size_t target = address_of(at, from);
	if (target == SRC_NOWHERE || !is_tame(at, into))
		src_walk(at, from, SRC_READ);
}

static void walk_parts(struct src_walk *at, CXCursor cursor, unsigned access)
{
	struct src_children children;
	src_children_of(cursor, &children);
	for (size_t i = 0; i < children.vec.len; i++) {
		enum CXTypeKind type = src_type_kind(children.vec.data[i]);
		if (!i && type != CXType_Pointer)
			src_walk_place(at, children.vec.data[i],
				access & SRC_WRITE ? access | SRC_PART : access,
				src_clang.getNullCursor());
		else
			src_walk(at, children.vec.data[i], SRC_READ);
	}
	xs_vec_deinit(&children.vec);
}

void src_walk_place(struct src_walk *at, CXCursor cursor, unsigned access, CXCursor from)
{
	if (src_cursor_is(cursor, CXCursor_VarDecl)) {
		size_t declared = src_variable_of(at, cursor);
		walk_value(at, declared, from);
		set_value(at, use(at, declared, cursor, access), from);
		return;
	}
	CXCursor bare = src_bare(cursor);
	size_t variable = src_referenced(at, bare);
	enum CXCursorKind kind = src_clang.getCursorKind(bare);
	if (variable != SRC_NOWHERE) {
		set_value(at, use(at, variable, bare, access), from);
		return;
	}
	if (kind == CXCursor_MemberRefExpr || kind == CXCursor_ArraySubscriptExpr)
		walk_parts(at, bare, access);
	else
		src_walk(at, bare, SRC_READ);
}

/* x = x + 1, x = x - 1 */
static bool is_step(struct src_walk *at, size_t variable, CXCursor right)
{
	struct src_children children;
	char sign[4] = "";
	right = src_bare(right);
	if (variable == SRC_NOWHERE || !src_cursor_is(right, CXCursor_BinaryOperator))
		return false;
	src_children_of(right, &children);
	if (children.vec.len == 2)
		src_binary_operator(at->unit, children.vec.data[0], children.vec.data[1], sign);
	bool ret = (!strcmp(sign, "+") || !strcmp(sign, "-")) &&
		   src_referenced(at, children.vec.data[0]) == variable &&
		   src_is_fixed(children.vec.data[1]);
	xs_vec_deinit(&children.vec);
	return ret;
}

static void walk_assignment(struct src_walk *at, CXCursor cursor, CXCursor left, CXCursor right)
{
	size_t variable = src_referenced(at, left);
	if (variable != SRC_NOWHERE && variable == src_referenced(at, right)) {
		src_walk(at, right, SRC_READ);
		return;
	}
	if (is_step(at, variable, right)) {
		use(at, variable, left, SRC_WRITE | SRC_STEP);
		return;
	}
	walk_value(at, variable, right);
	src_walk_place(at, left, SRC_WRITE, right);
	src_take_store(at, cursor, left, right, "=");
}

static bool is_comparison(const char *sign)
{
	return !strcmp(sign, "==") || !strcmp(sign, "!=") || *sign == '<' || *sign == '>';
}

/* An operand of a comparison: the address of something goes nowhere by it. */
static void walk_compared(struct src_walk *at, CXCursor cursor)
{
	if (address_of(at, cursor) == SRC_NOWHERE)
		src_walk(at, cursor, SRC_READ);
}

static void walk_binary(struct src_walk *at, CXCursor cursor, CXCursor left, CXCursor right)
{
	char sign[4];
	bool discard = at->discard;
	src_binary_operator(at->unit, left, right, sign);
	at->discard = discard && *sign == ',';
	if (!strcmp(sign, "=")) {
		at->discard = false;
		walk_assignment(at, cursor, left, right);
	} else if (!strncmp(sign, "&&", 2) || !strncmp(sign, "||", 2)) {
		src_walk(at, left, SRC_READ);
		size_t fork = at->point;
		src_walk(at, right, SRC_READ);
		at->point = src_walk_join(at, fork, at->point);
	} else if (!*sign) {
		/* Out of a macro: it may be an assignment, or have a condition. */
		size_t fork = at->point;
		src_walk_place(
			at, left, SRC_READ | SRC_WRITE | SRC_ADDRESS, src_clang.getNullCursor());
		src_walk(at, right, SRC_READ);
		at->point = src_walk_join(at, fork, at->point);
	} else if (is_comparison(sign)) {
		walk_compared(at, left);
		walk_compared(at, right);
	} else {
		bool comma = *sign == ',';
		at->discard = comma;
		src_walk(at, left, SRC_READ);
		at->discard = comma && discard;
		src_walk(at, right, SRC_READ);
	}
}

static void walk_unary(struct src_walk *at, CXCursor cursor, CXCursor operand)
{
	char sign[4];
	CXCursor nothing = src_clang.getNullCursor();
	unsigned read = at->discard ? 0 : SRC_READ;
	src_unary_operator(at->unit, cursor, sign);
	at->discard = false;
	if (!strcmp(sign, "++") || !strcmp(sign, "--")) {
		src_walk_place(at, operand, read | SRC_WRITE | SRC_STEP, nothing);
		src_take_store(at, cursor, operand, nothing, sign);
	} else if (!*sign) {
		src_walk_place(at, operand, SRC_READ | SRC_WRITE | SRC_ADDRESS, nothing);
	} else if (!strcmp(sign, "&")) {
		/* `&*p` is p. */
		CXCursor pointer = src_operand_of(at->unit, src_bare(operand), "*");
		if (src_clang.Cursor_isNull(pointer))
			src_walk_place(at, operand, SRC_READ | SRC_ADDRESS, nothing);
		else
			src_walk(at, pointer, SRC_READ);
	} else if (!strcmp(sign, "*")) {
		/* `*p`, and `*&x`, which is x. */
		size_t variable = src_referenced(at, cursor), pointer = src_referenced(at, operand);
		if (pointer != SRC_NOWHERE)
			use(at, pointer, operand, SRC_READ | SRC_DEREF);
		else if (variable == SRC_NOWHERE)
			src_walk(at, operand, SRC_READ);
		if (variable != SRC_NOWHERE)
			use(at, variable, cursor, SRC_READ);
	} else {
		src_walk(at, operand, SRC_READ);
	}
}

static void walk_compound(struct src_walk *at, CXCursor cursor, CXCursor left, CXCursor right)
{
	char sign[4];
	bool discard = at->discard;
	size_t variable = src_referenced(at, left);
	src_binary_operator(at->unit, left, right, sign);
	at->discard = false;
	src_walk(at, right, SRC_READ);
	bool step = (!strcmp(sign, "+=") || !strcmp(sign, "-=")) && src_is_fixed(right) &&
		    variable != SRC_NOWHERE;
	src_walk_place(at, left,
		SRC_WRITE | (step ? SRC_STEP : 0) | (step && discard ? 0 : SRC_READ),
		src_clang.getNullCursor());
	src_take_store(at, cursor, left, right, *sign ? sign : "?=");
}

static void walk_choice(struct src_walk *at, const struct src_children *children)
{
	src_walk(at, children->vec.data[0], SRC_READ);
	size_t fork = at->point;
	src_walk(at, children->vec.data[1], SRC_READ);
	size_t one = at->point;
	at->point = fork;
	src_walk(at, children->vec.data[2], SRC_READ);
	at->point = src_walk_join(at, one, at->point);
}

/* asm may write what is named in it, and jump. */
static void walk_asm(struct src_walk *at, CXCursor cursor, const struct src_children *children)
{
	unsigned begin, end;
	for (size_t i = 0; i < children->vec.len; i++)
		src_walk_place(at, children->vec.data[i], SRC_READ | SRC_WRITE | SRC_ADDRESS,
			src_clang.getNullCursor());
	if (!src_begin(at->unit, cursor, &begin, NULL) || !src_end(at->unit, cursor, &end, NULL))
		end = begin = 0;
	XS_AUTO_FREE char *text = xs_asprintf("%.*s", (int)(end - begin), at->unit->text + begin);
	at->facts->functions.data[at->function].unclear |= strstr(text, "goto") != NULL;
}

/* What has several parts and is not known: each may be left out. */
static void walk_others(struct src_walk *at, const struct src_children *children, bool certain)
{
	for (size_t i = 0; i < children->vec.len; i++) {
		size_t fork = at->point;
		src_walk(at, children->vec.data[i], SRC_READ);
		if (!certain)
			at->point = src_walk_join(at, fork, at->point);
	}
}

static void walk_call(struct src_walk *at, CXCursor cursor, const struct src_children *children)
{
	static const char *const twice[] = {
		"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "vfork", "__builtin_setjmp", NULL};
	CXCursor callee = src_clang.getCursorReferenced(cursor);
	walk_others(at, children, true);
	src_take_call(at, cursor);
	if (src_clang.Cursor_isNull(callee))
		return;
	XS_AUTO_FREE char *name = src_name_of(callee);
	for (size_t i = 0; twice[i]; i++)
		at->facts->functions.data[at->function].unclear |= !strcmp(name, twice[i]);
	CXString type = src_clang.getTypeSpelling(src_clang.getCursorType(callee));
	if (strstr(src_clang.getCString(type), "noreturn") ||
		!strcmp(name, "__builtin_unreachable"))
		at->point = SRC_NOWHERE;
	src_clang.disposeString(type);
}

/* A name by itself: an array is its address. */
static void walk_name(struct src_walk *at, CXCursor cursor, unsigned access)
{
	size_t variable = src_referenced(at, cursor);
	if (variable == SRC_NOWHERE)
		return;
	enum CXTypeKind type = src_type_kind(cursor);
	bool array = type == CXType_ConstantArray || type == CXType_IncompleteArray ||
		     type == CXType_VariableArray;
	use(at, variable, cursor, access | (array ? SRC_ADDRESS : 0));
}

static void walk_expression(struct src_walk *at, CXCursor cursor, unsigned access)
{
	enum CXCursorKind kind = src_clang.getCursorKind(cursor);
	struct src_children children;
	src_children_of(cursor, &children);
	size_t count = children.vec.len;
	bool discard = at->discard;
	if (kind != CXCursor_BinaryOperator && kind != CXCursor_UnaryOperator &&
		kind != CXCursor_CompoundAssignOperator && kind != CXCursor_ParenExpr)
		at->discard = false;
	if (kind == CXCursor_UnaryExpr) {
		/* sizeof: nothing is executed. */
	} else if (kind == CXCursor_BinaryOperator && count == 2) {
		walk_binary(at, cursor, children.vec.data[0], children.vec.data[1]);
	} else if (kind == CXCursor_CompoundAssignOperator && count == 2) {
		walk_compound(at, cursor, children.vec.data[0], children.vec.data[1]);
	} else if (kind == CXCursor_UnaryOperator && count == 1) {
		walk_unary(at, cursor, children.vec.data[0]);
	} else if (kind == CXCursor_ConditionalOperator && count == 3) {
		walk_choice(at, &children);
	} else if (kind == CXCursor_MemberRefExpr || kind == CXCursor_ArraySubscriptExpr) {
		bool array = src_type_kind(cursor) == CXType_ConstantArray;
		src_walk_place(
			at, cursor, access | (array ? SRC_ADDRESS : 0), src_clang.getNullCursor());
	} else if (kind == CXCursor_GCCAsmStmt || kind == CXCursor_MSAsmStmt) {
		walk_asm(at, cursor, &children);
	} else if (kind == CXCursor_CallExpr) {
		walk_call(at, cursor, &children);
	} else {
		/* A label's address, a block: who knows where it goes on. */
		if (kind == CXCursor_AddrLabelExpr || kind == CXCursor_IndirectGotoStmt ||
			kind == CXCursor_BlockExpr || kind == CXCursor_GenericSelectionExpr)
			at->facts->functions.data[at->function].unclear = true;
		bool known = kind != CXCursor_UnexposedExpr && kind != CXCursor_UnexposedStmt;
		walk_others(at, &children, known || count == 1);
	}
	at->discard = discard;
	xs_vec_deinit(&children.vec);
}

void src_walk(struct src_walk *at, CXCursor cursor, unsigned access)
{
	enum CXCursorKind kind = src_clang.getCursorKind(cursor);
	if (kind == CXCursor_VarDecl) {
		src_walk_declaration(at, cursor, false);
		return;
	}
	if (kind == CXCursor_DeclRefExpr) {
		walk_name(at, cursor, access);
		return;
	}
	if (src_clang.isStatement(kind) || src_clang.isExpression(kind))
		touch(at, cursor);
	if (!src_walk_statement(at, cursor))
		walk_expression(at, cursor, access);
}
