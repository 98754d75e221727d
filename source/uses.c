#include "source/uses.h"

#include "source/clang.h"

/* What is walked, and where the walk is. */
struct walk {
	const struct src_unit *unit;
	struct src_facts *facts;
	XS_VEC(CXCursor) declarations; /* of facts->variables */
	size_t function;               /* the current one */
	unsigned scope_begin, scope;   /* the block around */
	unsigned conditions; /* that decide whether this is executed, from the function on */
};

static void walk(struct walk *at, CXCursor cursor, unsigned access);

static char *name_of(CXCursor cursor)
{
	CXString text = src_clang.getCursorSpelling(cursor);
	char *ret = xs_strdup(src_clang.getCString(text));
	src_clang.disposeString(text);
	return ret;
}

/* --- variables -------------------------------------------------------------------------------- */

/* The local variable that a cursor declares or refers to; the count of them if none. */
static size_t variable_of(const struct walk *at, CXCursor declaration)
{
	size_t i = at->declarations.len;
	while (i-- > 0)
		if (src_clang.equalCursors(at->declarations.data[i], declaration))
			return i;
	return at->declarations.len;
}

static size_t referenced(const struct walk *at, CXCursor cursor)
{
	cursor = src_bare(cursor);
	if (src_clang.getCursorKind(cursor) != CXCursor_DeclRefExpr)
		return at->declarations.len;
	return variable_of(at, src_clang.getCursorReferenced(cursor));
}

/* Whether a cursor is, or is a part of, something at file scope: g, g.f, g[i]. */
static bool is_global(CXCursor cursor)
{
	for (;;) {
		cursor = src_bare(cursor);
		enum CXCursorKind kind = src_clang.getCursorKind(cursor);
		if (kind == CXCursor_DeclRefExpr) {
			CXCursor declaration = src_clang.getCursorReferenced(cursor);
			return src_clang.getCursorKind(declaration) == CXCursor_VarDecl &&
			       src_clang.getCursorKind(src_clang.getCursorSemanticParent(
				       declaration)) == CXCursor_TranslationUnit;
		}
		if (kind != CXCursor_ArraySubscriptExpr && kind != CXCursor_MemberRefExpr)
			return false;
		/* Through a pointer it is somewhere else. */
		struct src_children children;
		src_children_of(cursor, &children);
		CXCursor base = children.vec.len ? children.vec.data[0] : src_clang.getNullCursor();
		xs_vec_deinit(&children.vec);
		if (src_clang.Cursor_isNull(base))
			return false;
		enum CXTypeKind type =
			src_clang.getCanonicalType(src_clang.getCursorType(src_bare(base))).kind;
		if (type == CXType_Pointer)
			return false;
		cursor = base;
	}
}

static bool is_scalar(CXType type)
{
	enum CXTypeKind kind = src_clang.getCanonicalType(type).kind;
	return (kind >= CXType_Bool && kind <= CXType_LongDouble) || kind == CXType_Pointer ||
	       kind == CXType_Enum;
}

static void use(struct walk *at, size_t variable, CXCursor where, unsigned access, bool constant)
{
	struct src_use one = {.variable = variable,
		.access = access,
		.constant = constant,
		.certain =
			!at->conditions || src_clang.isDeclaration(src_clang.getCursorKind(where))};
	if (!src_begin(at->unit, where, &one.offset, &one.line))
		return;
	xs_vec_push(&at->facts->uses, one);
	at->facts->variables.data[variable].escapes |= (access & SRC_ADDRESS) != 0;
	at->facts->variables.data[variable].writes += (access & SRC_WRITE) != 0;
}

/* A literal, or an address of something. */
static bool is_constant(const struct src_unit *unit, CXCursor cursor)
{
	char sign[4];
	cursor = src_bare(cursor);
	switch (src_clang.getCursorKind(cursor)) {
	case CXCursor_IntegerLiteral:
	case CXCursor_FloatingLiteral:
	case CXCursor_CharacterLiteral:
	case CXCursor_StringLiteral:
		return true;
	case CXCursor_UnaryOperator: {
		struct src_children children;
		src_children_of(cursor, &children);
		src_unary_operator(unit, cursor, sign);
		bool ret = children.vec.len &&
			   (!strcmp(sign, "-") || !strcmp(sign, "+") || !strcmp(sign, "~")) &&
			   is_constant(unit, children.vec.data[0]);
		/* Of something at file scope: that of a local is nowhere, maybe. */
		ret |= children.vec.len && !strcmp(sign, "&") && is_global(children.vec.data[0]);
		xs_vec_deinit(&children.vec);
		return ret;
	}
	default:
		return false;
	}
}

static void declare(struct walk *at, CXCursor cursor, bool parameter)
{
	struct src_variable one = {.name = name_of(cursor),
		.function = at->function,
		.scope_begin = at->scope_begin,
		.scope = at->scope,
		.parameter = parameter,
		.scalar = is_scalar(src_clang.getCursorType(cursor))};
	enum CX_StorageClass storage = src_clang.Cursor_getStorageClass(cursor);
	CXFile file;
	src_clang.getFileLocation(
		src_clang.getCursorLocation(cursor), &file, &one.line, NULL, &one.offset);
	if (!*one.name || storage == CX_SC_Static || storage == CX_SC_Extern || !file ||
		!src_clang.File_isEqual(file, at->unit->file)) {
		free(one.name);
		return;
	}
	xs_vec_push(&at->facts->variables, one);
	xs_vec_push(&at->declarations, cursor);
	if (parameter)
		use(at, at->declarations.len - 1, cursor, SRC_WRITE, false);
	CXCursor value = src_clang.Cursor_getVarDeclInitializer(cursor);
	if (src_clang.Cursor_isNull(value))
		return;
	walk(at, value, SRC_READ);
	use(at, variable_of(at, cursor), cursor, SRC_WRITE, is_constant(at->unit, value));
}

/* --- calls and stores ------------------------------------------------------------------------- */

static bool is_opaque(CXCursor callee)
{
	return src_clang.getCursorKind(callee) == CXCursor_FunctionDecl &&
	       src_clang.Cursor_isNull(src_clang.getCursorDefinition(callee)) &&
	       !src_clang.Location_isInSystemHeader(src_clang.getCursorLocation(callee)) &&
	       src_clang.Cursor_getStorageClass(callee) != CX_SC_Static;
}

static void take_call(struct walk *at, CXCursor cursor)
{
	struct src_call call = {.function = at->function};
	CXCursor callee = src_clang.getCursorReferenced(cursor);
	if (!is_opaque(callee) || !src_begin(at->unit, cursor, &call.offset, &call.line) ||
		!src_end(at->unit, cursor, &call.end, NULL))
		return;
	call.callee = name_of(callee);
	int count = src_clang.Cursor_getNumArguments(cursor);
	for (int i = 0; i < count; i++) {
		size_t variable = referenced(at, src_clang.Cursor_getArgument(cursor, (unsigned)i));
		if (variable < at->declarations.len && at->facts->variables.data[variable].scalar)
			xs_vec_push(&call.arguments, variable);
	}
	xs_vec_push(&at->facts->calls, call);
}

/* Collects the locals of an expression; false if it can be simplified, or has effects of its own.
 */
static bool take_operands(struct walk *at, CXCursor cursor, struct src_store *store, bool index)
{
	cursor = src_bare(cursor);
	struct src_children children;
	src_children_of(cursor, &children);
	CXCursor *parts = children.vec.data;
	size_t count = children.vec.len, variable = referenced(at, cursor);
	char sign[4];
	bool ret = true;
	switch (src_clang.getCursorKind(cursor)) {
	case CXCursor_DeclRefExpr:
		if (variable < at->declarations.len) {
			xs_vec_push(&store->operands, variable);
			xs_vec_push(&store->index, index);
		}
		break;
	case CXCursor_IntegerLiteral:
	case CXCursor_CharacterLiteral:
		break;
	case CXCursor_ArraySubscriptExpr:
		ret = count == 2 && take_operands(at, parts[0], store, index) &&
		      take_operands(at, parts[1], store, is_global(parts[0]));
		break;
	case CXCursor_MemberRefExpr:
		ret = count == 1 && take_operands(at, parts[0], store, index);
		break;
	case CXCursor_UnaryOperator:
		src_unary_operator(at->unit, cursor, sign);
		ret = count == 1 &&
		      (!strcmp(sign, "-") || !strcmp(sign, "~") || !strcmp(sign, "+")) &&
		      take_operands(at, parts[0], store, false);
		break;
	case CXCursor_BinaryOperator: {
		/* x - x, x ^ x, x * 0, x & 0 do not need x: different things remain.
		 */
		ret = count == 2;
		if (ret)
			src_binary_operator(at->unit, parts[0], parts[1], sign);
		size_t before = store->operands.len;
		bool sum = ret && (!strcmp(sign, "+") || !strcmp(sign, "-") || !strcmp(sign, "^"));
		bool product =
			ret && (!strcmp(sign, "*") || !strcmp(sign, "&") || !strcmp(sign, "|") ||
				       !strcmp(sign, "<<") || !strcmp(sign, ">>"));
		store->may_fold |= product;
		ret = (sum || (product && !is_constant(at->unit, parts[0]) &&
				      !is_constant(at->unit, parts[1]))) &&
		      take_operands(at, parts[0], store, false);
		size_t middle = store->operands.len;
		ret = ret && take_operands(at, parts[1], store, false);
		for (size_t i = before; ret && i < middle; i++)
			for (size_t k = middle; ret && k < store->operands.len; k++)
				ret = store->operands.data[i] != store->operands.data[k];
		break;
	}
	default:
		ret = false;
		break;
	}
	xs_vec_deinit(&children.vec);
	return ret;
}

static void take_store(struct walk *at, CXCursor cursor, CXCursor left, CXCursor right)
{
	struct src_store store = {.function = at->function};
	if (is_global(left) && src_begin(at->unit, cursor, &store.offset, &store.line) &&
		src_end(at->unit, cursor, &store.end, NULL) &&
		take_operands(at, right, &store, false) && take_operands(at, left, &store, false) &&
		store.operands.len) {
		xs_vec_push(&at->facts->stores, store);
		return;
	}
	xs_vec_deinit(&store.operands);
	xs_vec_deinit(&store.index);
}

/* --- the walk --------------------------------------------------------------------------------- */

/* Walks a place that is written: x, x.f, x[i], *p. */
static void walk_target(struct walk *at, CXCursor cursor, unsigned access, bool constant)
{
	CXCursor bare = src_bare(cursor);
	size_t variable = referenced(at, bare);
	if (variable < at->declarations.len) {
		use(at, variable, bare, access, constant);
		return;
	}
	enum CXCursorKind kind = src_clang.getCursorKind(bare);
	if (kind != CXCursor_MemberRefExpr && kind != CXCursor_ArraySubscriptExpr) {
		walk(at, bare, SRC_READ);
		return;
	}
	/* A part of it is written: so is it. */
	struct src_children children;
	src_children_of(bare, &children);
	for (size_t i = 0; i < children.vec.len; i++) {
		enum CXTypeKind type = src_clang
					       .getCanonicalType(src_clang.getCursorType(
						       src_bare(children.vec.data[i])))
					       .kind;
		if (!i && type != CXType_Pointer)
			walk_target(at, children.vec.data[i], access | SRC_READ, false);
		else
			walk(at, children.vec.data[i], SRC_READ);
	}
	xs_vec_deinit(&children.vec);
}

static void walk_binary(struct walk *at, CXCursor cursor, CXCursor left, CXCursor right)
{
	char sign[4];
	src_binary_operator(at->unit, left, right, sign);
	if (!strcmp(sign, "=")) {
		walk(at, right, SRC_READ);
		walk_target(at, left, SRC_WRITE, is_constant(at->unit, right));
		take_store(at, cursor, left, right);
		return;
	}
	/* Out of a macro it may be an assignment. */
	if (!*sign)
		walk_target(at, left, SRC_READ | SRC_WRITE | SRC_ADDRESS, false);
	else
		walk(at, left, SRC_READ);
	walk(at, right, SRC_READ);
}

static void walk_unary(struct walk *at, CXCursor cursor, CXCursor operand)
{
	char sign[4];
	src_unary_operator(at->unit, cursor, sign);
	if (!strcmp(sign, "++") || !strcmp(sign, "--"))
		walk_target(at, operand, SRC_READ | SRC_WRITE, false);
	else if (!strcmp(sign, "&") || !*sign)
		walk_target(at, operand, SRC_READ | SRC_ADDRESS, false);
	else
		walk(at, operand, SRC_READ);
}

/* Notes where statements can be put into a block. */
static void take_slots(struct walk *at, const struct src_children *children)
{
	for (size_t i = 0; i < children->vec.len; i++) {
		struct src_slot slot = {.function = at->function};
		if (src_clang.getCursorKind(children->vec.data[i]) != CXCursor_DeclStmt &&
			src_begin(at->unit, children->vec.data[i], &slot.offset, NULL))
			xs_vec_push(&at->facts->slots, slot);
	}
}

static void walk_all(struct walk *at, const struct src_children *children)
{
	for (size_t i = 0; i < children->vec.len; i++)
		walk(at, children->vec.data[i], SRC_READ);
}

/* Whether they are the operands of && or ||. */
static bool is_logical(const struct walk *at, const struct src_children *children)
{
	char sign[4] = "";
	if (children->vec.len == 2)
		src_binary_operator(at->unit, children->vec.data[0], children->vec.data[1], sign);
	return !strncmp(sign, "&&", 2) || !strncmp(sign, "||", 2) || !*sign;
}

static void walk(struct walk *at, CXCursor cursor, unsigned access)
{
	enum CXCursorKind kind = src_clang.getCursorKind(cursor);
	struct src_children children;
	unsigned outer_begin = at->scope_begin, outer = at->scope;
	size_t variable;
	if (kind == CXCursor_VarDecl) {
		declare(at, cursor, false);
		return;
	}
	if (kind == CXCursor_DeclRefExpr) {
		if ((variable = referenced(at, cursor)) < at->declarations.len) {
			bool whole = !at->facts->variables.data[variable].scalar;
			use(at, variable, cursor, access | (whole ? SRC_ADDRESS : 0), false);
		}
		return;
	}
	src_children_of(cursor, &children);
	bool condition = kind == CXCursor_IfStmt || kind == CXCursor_SwitchStmt ||
			 kind == CXCursor_ConditionalOperator || kind == CXCursor_ForStmt ||
			 kind == CXCursor_WhileStmt || kind == CXCursor_LabelStmt ||
			 (kind == CXCursor_BinaryOperator && is_logical(at, &children));
	at->conditions += condition;
	bool loop =
		kind == CXCursor_ForStmt || kind == CXCursor_WhileStmt || kind == CXCursor_DoStmt;
	if (kind == CXCursor_CompoundStmt || kind == CXCursor_ForStmt) {
		unsigned begin, end;
		if (src_begin(at->unit, cursor, &begin, NULL) &&
			src_end(at->unit, cursor, &end, NULL)) {
			at->scope_begin = begin;
			at->scope = end;
		}
	}
	struct src_loop around;
	if (loop && src_begin(at->unit, cursor, &around.begin, NULL) &&
		src_end(at->unit, cursor, &around.end, NULL))
		xs_vec_push(&at->facts->loops, around);
	if (kind == CXCursor_CompoundStmt)
		take_slots(at, &children);
	if (kind == CXCursor_BinaryOperator && children.vec.len == 2) {
		walk_binary(at, cursor, children.vec.data[0], children.vec.data[1]);
	} else if (kind == CXCursor_CompoundAssignOperator && children.vec.len == 2) {
		walk(at, children.vec.data[1], SRC_READ);
		walk_target(at, children.vec.data[0], SRC_READ | SRC_WRITE, false);
	} else if (kind == CXCursor_UnaryOperator && children.vec.len == 1) {
		walk_unary(at, cursor, children.vec.data[0]);
	} else {
		walk_all(at, &children);
		if (kind == CXCursor_CallExpr)
			take_call(at, cursor);
	}
	xs_vec_deinit(&children.vec);
	at->conditions -= condition;
	at->scope_begin = outer_begin;
	at->scope = outer;
}

static void walk_function(struct walk *at, CXCursor cursor)
{
	struct src_function function = {0};
	struct src_children children;
	if (!src_begin(at->unit, cursor, &function.begin, NULL) ||
		!src_end(at->unit, cursor, &function.end, NULL))
		return;
	src_clang.getFileLocation(
		src_clang.getCursorLocation(cursor), NULL, &function.line, NULL, NULL);
	function.name = name_of(cursor);
	src_children_of(cursor, &children);
	at->function = at->facts->functions.len;
	at->scope_begin = function.begin;
	at->scope = function.end;
	for (size_t i = 0; i < children.vec.len; i++)
		if (src_clang.getCursorKind(children.vec.data[i]) == CXCursor_CompoundStmt)
			src_begin(at->unit, children.vec.data[i], &function.body, NULL);
	xs_vec_push(&at->facts->functions, function);
	for (size_t i = 0; i < children.vec.len; i++) {
		CXCursor child = children.vec.data[i];
		if (src_clang.getCursorKind(child) == CXCursor_ParmDecl)
			declare(at, child, true);
		else if (src_clang.getCursorKind(child) == CXCursor_CompoundStmt)
			walk(at, child, SRC_READ);
	}
	xs_vec_deinit(&children.vec);
}

static int by_offset(const void *a, const void *b)
{
	const struct src_use *left = a, *right = b;
	return left->offset < right->offset ? -1 : left->offset > right->offset;
}

void src_facts_collect(const struct src_unit *unit, struct src_facts *ret)
{
	struct walk at = {.unit = unit, .facts = ret};
	struct src_children children;
	*ret = (struct src_facts){0};
	src_children_of(src_clang.getTranslationUnitCursor(unit->unit), &children);
	for (size_t i = 0; i < children.vec.len; i++) {
		CXCursor child = children.vec.data[i];
		if (src_clang.getCursorKind(child) == CXCursor_FunctionDecl &&
			src_clang.isCursorDefinition(child))
			walk_function(&at, child);
	}
	if (ret->uses.len)
		qsort(ret->uses.data, ret->uses.len, sizeof *ret->uses.data, by_offset);
	xs_vec_deinit(&children.vec);
	xs_vec_deinit(&at.declarations);
}

void src_facts_deinit(struct src_facts *facts)
{
	for (size_t i = 0; i < facts->functions.len; i++)
		free(facts->functions.data[i].name);
	for (size_t i = 0; i < facts->variables.len; i++)
		free(facts->variables.data[i].name);
	for (size_t i = 0; i < facts->calls.len; i++) {
		free(facts->calls.data[i].callee);
		xs_vec_deinit(&facts->calls.data[i].arguments);
	}
	for (size_t i = 0; i < facts->stores.len; i++) {
		xs_vec_deinit(&facts->stores.data[i].operands);
		xs_vec_deinit(&facts->stores.data[i].index);
	}
	xs_vec_deinit(&facts->functions);
	xs_vec_deinit(&facts->variables);
	xs_vec_deinit(&facts->uses);
	xs_vec_deinit(&facts->loops);
	xs_vec_deinit(&facts->calls);
	xs_vec_deinit(&facts->stores);
	xs_vec_deinit(&facts->slots);
}

bool src_is_used_later(const struct src_facts *facts, size_t variable, unsigned offset)
{
	for (size_t i = 0; i < facts->uses.len; i++) {
		const struct src_use *one = &facts->uses.data[i];
		if (one->variable != variable || !(one->access & SRC_READ))
			continue;
		if (one->offset >= offset)
			return true;
		for (size_t k = 0; k < facts->loops.len; k++) {
			const struct src_loop *loop = &facts->loops.data[k];
			if (offset > loop->begin && offset <= loop->end &&
				one->offset >= loop->begin && one->offset < loop->end)
				return true;
		}
	}
	return false;
}

bool src_is_constant(const struct src_facts *facts, size_t variable)
{
	if (facts->variables.data[variable].writes != 1 || facts->variables.data[variable].escapes)
		return false;
	for (size_t i = 0; i < facts->uses.len; i++)
		if (facts->uses.data[i].variable == variable &&
			facts->uses.data[i].access & SRC_WRITE)
			return facts->uses.data[i].constant;
	return false;
}
