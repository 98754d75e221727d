/* mutate_fco.c - fine control of optimisation: attributes of types, functions, variables and
 * labels.
 *
 * Only where both compilers take them and nothing but the code changes:
 * - always_inline must not fail, for gcc makes an error of that. So it is given only to static
 *   functions that are not recursive, in no way, and called with the arguments that they have.
 * - always_inline and flatten multiply code: not more than LIMIT tokens of it.
 * - A type's alignment grows only where nobody can tell: not if it is a part of another type, its
 *   size is asked for, or pointers to it come from others. Its own alignment can be said anywhere.
 * - Sections hold one thing each: two could want different flags. */
#include "source/pass.h"

enum { LIMIT = 20000 };

struct function {
	CXCursor first;      /* declaration, by which it is known */
	CXCursor definition; /* null cursor: none in the file */
	size_t tokens;       /* of the definition */
	size_t uses;         /* how often it is called or mentioned */
	bool mismatch;       /* called with another number of arguments */
	bool fixed;          /* its body must not be copied: labels' addresses, asm, ... */
	XS_VEC(size_t) mentions;
};

struct record {
	CXCursor definition;
	bool exposed; /* its size or alignment shows somewhere */
};

struct variable {
	CXCursor first;
	size_t declarations;
};

struct fco {
	struct src_pass *pass;
	XS_VEC(struct function) functions;
	XS_VEC(struct record) records;
	XS_VEC(struct variable) variables;
	/* By what libclang has behind a cursor: where it is in its list, plus 1. */
	struct xs_map known;
	size_t current; /* function that is gone through; SIZE_MAX outside */
	size_t grown;   /* tokens that were multiplied so far */
};

/* --- what there is --- */

/* Where a declaration is in its list; it is to be added if that is `len`. Each is in one list only.
 */
static size_t index_of(struct fco *fco, CXCursor declaration, size_t len)
{
	uint64_t *known = xs_map_at(&fco->known, (uintptr_t)declaration.data[0], 0);
	if (!*known)
		*known = len + 1;
	return (size_t)(*known - 1);
}

static size_t function_index(struct fco *fco, CXCursor cursor)
{
	struct function one = {.first = src_clang.getCanonicalCursor(cursor),
		.definition = src_clang.getNullCursor()};
	size_t index = index_of(fco, one.first, fco->functions.len);
	if (index == fco->functions.len)
		xs_vec_push(&fco->functions, one);
	return index;
}

/* The record that a type is or is made of. */
static CXCursor record_of(CXType type)
{
	type = src_clang.getCanonicalType(type);
	while (type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray)
		type = src_clang.getCanonicalType(src_clang.getArrayElementType(type));
	return type.kind == CXType_Record
		       ? src_clang.getCursorDefinition(src_clang.getTypeDeclaration(type))
		       : src_clang.getNullCursor();
}

static struct record *note_record(struct fco *fco, CXCursor definition)
{
	struct record one = {definition, false};
	size_t index = index_of(fco, definition, fco->records.len);
	if (index == fco->records.len)
		xs_vec_push(&fco->records, one);
	return &fco->records.data[index];
}

static void expose(struct fco *fco, CXType type)
{
	CXCursor record = record_of(type);
	if (!src_clang.Cursor_isNull(record))
		note_record(fco, record)->exposed = true;
}

static void note_variable(struct fco *fco, CXCursor cursor)
{
	struct variable one = {src_clang.getCanonicalCursor(cursor), 0};
	size_t index = index_of(fco, one.first, fco->variables.len);
	if (index == fco->variables.len)
		xs_vec_push(&fco->variables, one);
	fco->variables.data[index].declarations++;
}

/* A pointer to a record that was another pointer before. */
static void note_conversion(struct fco *fco, CXCursor cursor)
{
	struct src_children parts;
	CXType to = src_clang.getCanonicalType(src_clang.getCursorType(cursor));
	if (to.kind != CXType_Pointer)
		return;
	CXType target = src_clang.getPointeeType(to);
	CXCursor record = record_of(target);
	src_children_of(cursor, &parts);
	if (parts.vec.len && !src_clang.Cursor_isNull(record)) {
		CXType from = src_clang.getCanonicalType(
			src_clang.getCursorType(parts.vec.data[parts.vec.len - 1]));
		CXCursor other = src_clang.getNullCursor();
		if (from.kind == CXType_Pointer)
			other = record_of(src_clang.getPointeeType(from));
		else if (from.kind == CXType_ConstantArray)
			other = record_of(from);
		if (!src_clang.equalCursors(record, other))
			expose(fco, target);
	}
	xs_vec_deinit(&parts.vec);
}

static enum CXChildVisitResult on_anything(CXCursor cursor, CXCursor parent, CXClientData data);

static void note_function(struct fco *fco, CXCursor cursor)
{
	struct src_span span;
	size_t index = function_index(fco, cursor), outer = fco->current;
	if (src_clang.isCursorDefinition(cursor) &&
		src_begin(fco->pass->unit, cursor, &span.begin, NULL) &&
		src_end(fco->pass->unit, cursor, &span.end, NULL)) {
		fco->functions.data[index].definition = cursor;
		fco->functions.data[index].tokens = src_token_from(&fco->pass->tokens, span.end) -
						    src_token_from(&fco->pass->tokens, span.begin);
		fco->functions.data[index].fixed |=
			src_has_word(fco->pass, span.begin, span.end, src_untouchable);
		fco->current = index;
	}
	src_clang.visitChildren(cursor, on_anything, fco);
	fco->current = outer;
}

static void note_call(struct fco *fco, CXCursor cursor)
{
	CXCursor callee = src_clang.getCursorReferenced(cursor);
	if (!src_cursor_is(callee, CXCursor_FunctionDecl))
		return;
	size_t index = function_index(fco, callee);
	CXCursor definition = src_clang.getCursorDefinition(callee);
	if (!src_clang.Cursor_isNull(definition) &&
		src_clang.Cursor_getNumArguments(cursor) !=
			src_clang.Cursor_getNumArguments(definition))
		fco->functions.data[index].mismatch = true;
}

static enum CXChildVisitResult on_anything(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct fco *fco = data;
	unsigned offset;
	(void)parent;
	if (!src_begin(fco->pass->unit, cursor, &offset, NULL))
		return CXChildVisit_Continue;
	switch (src_clang.getCursorKind(cursor)) {
	case CXCursor_FunctionDecl:
		note_function(fco, cursor);
		return CXChildVisit_Continue;
	case CXCursor_StructDecl:
	case CXCursor_UnionDecl:
		if (src_clang.isCursorDefinition(cursor))
			note_record(fco, cursor);
		break;
	case CXCursor_FieldDecl:
		expose(fco, src_clang.getCursorType(cursor));
		break;
	case CXCursor_VarDecl:
		note_variable(fco, cursor);
		break;
	case CXCursor_UnaryExpr: { /* sizeof and _Alignof: of whatever is below it */
		struct src_children parts;
		src_children_of(cursor, &parts);
		for (size_t i = 0; i < parts.vec.len; i++)
			expose(fco, src_clang.getCursorType(parts.vec.data[i]));
		xs_vec_deinit(&parts.vec);
		break;
	}
	case CXCursor_CStyleCastExpr:
	case CXCursor_UnexposedExpr:
		note_conversion(fco, cursor);
		break;
	case CXCursor_CallExpr:
		note_call(fco, cursor);
		break;
	case CXCursor_DeclRefExpr: {
		CXCursor function = src_clang.getCursorReferenced(cursor);
		if (!src_cursor_is(function, CXCursor_FunctionDecl))
			break;
		size_t index = function_index(fco, function);
		fco->functions.data[index].uses++;
		if (fco->current != SIZE_MAX)
			xs_vec_push(&fco->functions.data[fco->current].mentions, index);
		break;
	}
	case CXCursor_AsmStmt:
	case CXCursor_AddrLabelExpr:
	case CXCursor_IndirectGotoStmt:
	case CXCursor_StmtExpr:
		if (fco->current != SIZE_MAX)
			fco->functions.data[fco->current].fixed = true;
		break;
	default:
		break;
	}
	return CXChildVisit_Recurse;
}

/* How many tokens a function is with all that it calls in its place; more than LIMIT if it cannot
 * be done: recursion, or a body that must not be copied. */
static size_t whole(const struct fco *fco, size_t index, size_t depth)
{
	const struct function *one = &fco->functions.data[index];
	size_t sum = one->tokens;
	if (one->fixed || depth > fco->functions.len)
		return LIMIT + 1;
	for (size_t i = 0; sum <= LIMIT && i < one->mentions.len; i++)
		sum += whole(fco, one->mentions.data[i], depth + 1) + 1;
	return sum;
}

/* --- functions --- */

struct list {
	XS_VEC(char) vec; /* of attributes, by comma */
};

static void add(struct list *list, const char *format, ...) XS_PRINTF(2, 3);
static void add(struct list *list, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	XS_AUTO_FREE char *more = xs_vasprintf(format, args);
	va_end(args);
	size_t size = strlen(more), comma = list->vec.len ? 2 : 0;
	list->vec.data =
		xs_vec_grow(list->vec.data, &list->vec.cap, list->vec.len + size + comma + 1, 1);
	memcpy(list->vec.data + list->vec.len, ", ", comma);
	memcpy(list->vec.data + list->vec.len + comma, more, size + 1);
	list->vec.len += size + comma;
}

/* Where a declaration begins, if an attribute can be put there. */
static bool declaration_begin(const struct src_pass *pass, CXCursor cursor, unsigned *ret)
{
	XS_AUTO_FREE char *name = src_name_of(cursor);
	if (!src_begin(pass->unit, cursor, ret, NULL) || src_in_macro(pass, *ret) ||
		src_clang.Location_isInSystemHeader(src_clang.getCursorLocation(cursor)))
		return false;
	size_t token = src_token_from(&pass->tokens, *ret);
	size_t before = src_token_before(pass, token);
	return pass->tokens.vec.data[token].kind == SRC_WORD &&
	       !src_token_is(pass, token, name) /* no type at all */ &&
	       (before == SIZE_MAX || pass->tokens.vec.data[before].kind == SRC_DIRECTIVE ||
		       src_token_is(pass, before, ";") || src_token_is(pass, before, "}"));
}

/* The attributes that a function gets; whether `inline` has to be said, too. */
static void choose_function(struct fco *fco, size_t index, struct list *list, bool *add_inline)
{
	static const char *const levels[] = {"O0", "O1", "O2", "O3", "Os"};
	struct src_pass *pass = fco->pass;
	const struct function *one = &fco->functions.data[index];
	XS_AUTO_FREE char *name = src_name_of(one->definition);
	bool is_main = !strcmp(name, "main");
	bool is_static = src_clang.Cursor_getStorageClass(one->definition) == CX_SC_Static;
	size_t size = whole(fco, index, 0);
	bool copied = false;
	switch (src_pick(pass, 4)) {
	case 0:
		if (!is_main)
			add(list, "noinline");
		break;
	case 1:
		if (is_static && !is_main && !one->mismatch && size <= LIMIT &&
			!src_clang.Cursor_isVariadic(one->definition) &&
			fco->grown + size * one->uses <= LIMIT) {
			fco->grown += size * one->uses;
			add(list, "always_inline");
			if (src_flip(pass, 0.5))
				add(list, "artificial");
			*add_inline = copied = true;
		}
		break;
	case 2:
		if (size <= LIMIT && fco->grown + size <= LIMIT) {
			fco->grown += size;
			add(list, "flatten");
		}
		break;
	default:
		break;
	}
	if (src_flip(pass, 0.4))
		add(list, src_flip(pass, 0.5) ? "hot" : "cold");
	if (src_flip(pass, 0.3))
		add(list, "aligned(%zu)", (size_t)16 << src_pick(pass, 4));
	if (src_flip(pass, 0.4) && !copied)
		add(list, "optimize(\"%s\")", levels[src_pick(pass, 5)]);
	if (src_flip(pass, 0.2) && !is_main)
		add(list, "section(\".text.%s%u\")", pass->prefix, ++pass->names);
}

static void change_functions(struct fco *fco)
{
	struct src_pass *pass = fco->pass;
	for (size_t i = 0; i < fco->functions.len; i++) {
		const struct function *one = &fco->functions.data[i];
		struct list list = {0};
		bool add_inline = false;
		unsigned offset;
		if (src_clang.Cursor_isNull(one->definition) || !src_flip(pass, pass->chance))
			continue;
		/* What is external and inline has rules of its own. */
		bool plain = !src_clang.Cursor_hasAttrs(one->definition) &&
			     (src_clang.Cursor_getStorageClass(one->definition) == CX_SC_Static ||
				     !src_clang.Cursor_isFunctionInlined(one->definition));
		CXCursor where = src_flip(pass, 0.5) ? one->first : one->definition;
		if (!plain || !declaration_begin(pass, where, &offset))
			continue;
		choose_function(fco, i, &list, &add_inline);
		if (list.vec.len) {
			src_edit_before(&pass->edits, offset, "__attribute__((%s)) %s",
				list.vec.data, add_inline ? "inline " : "");
			pass->applied++;
		}
		xs_vec_deinit(&list.vec);
	}
}

/* --- types --- */

/* Packs members of a record: says how many. */
static size_t pack_members(struct src_pass *pass, CXCursor record)
{
	struct src_children all;
	size_t packed = 0;
	src_children_of(record, &all);
	for (size_t i = 0; i < all.vec.len; i++) {
		CXCursor one = all.vec.data[i];
		unsigned offset;
		CXFile file;
		if (!src_cursor_is(one, CXCursor_FieldDecl) || src_clang.Cursor_isBitField(one) ||
			src_clang.Cursor_hasAttrs(one) || !src_flip(pass, 0.5))
			continue;
		src_clang.getFileLocation(
			src_clang.getCursorLocation(one), &file, NULL, NULL, &offset);
		size_t token = src_token_from(&pass->tokens, offset);
		XS_AUTO_FREE char *name = src_name_of(one);
		if (!*name || !src_token_is(pass, token, name) || src_in_macro(pass, offset))
			continue;
		size_t end = src_declarator_end(pass, token);
		if ((!src_token_is(pass, end, ";") && !src_token_is(pass, end, ",")) ||
			src_in_macro(pass, pass->tokens.vec.data[end].begin))
			continue;
		src_edit_before(
			&pass->edits, pass->tokens.vec.data[end].begin, " __attribute__((packed))");
		packed++;
	}
	xs_vec_deinit(&all.vec);
	return packed;
}

static void change_records(struct fco *fco)
{
	static const char *const asserts[] = {"_Static_assert", "static_assert", NULL};
	struct src_pass *pass = fco->pass;
	unsigned size = (unsigned)pass->unit->size;
	for (size_t i = 0; i < fco->records.len && !pass->packed; i++) {
		const struct record *one = &fco->records.data[i];
		CXType type = src_clang.getCursorType(one->definition);
		long long bytes = src_clang.Type_getSizeOf(type);
		long long alignment = src_clang.Type_getAlignOf(type);
		struct src_span span;
		struct list list = {0};
		if (!src_flip(pass, pass->chance) || bytes <= 0 || alignment <= 0 ||
			src_clang.Cursor_hasAttrs(one->definition) ||
			src_clang.Location_isInSystemHeader(
				src_clang.getCursorLocation(one->definition)) ||
			!src_span_of(pass, one->definition, &span))
			continue;
		size_t token = src_token_from(&pass->tokens, span.begin);
		if (!src_token_is(pass, token, "struct") && !src_token_is(pass, token, "union"))
			continue;
		if (!one->exposed && alignment < 16 && bytes % (alignment * 2) == 0 &&
			src_flip(pass, 0.5))
			alignment *= 2;
		bool pack = pass->how->packed && src_flip(pass, 0.5) &&
			    !src_has_word(pass, 0, size, asserts);
		if (pack && src_flip(pass, 0.5)) {
			pass->applied += pack_members(pass, one->definition);
			continue;
		}
		if (pack)
			add(&list, "packed");
		else
			add(&list, "aligned(%lld)", alignment);
		src_edit_behind(&pass->edits, pass->tokens.vec.data[token].end,
			" __attribute__((%s))", list.vec.data);
		pass->applied++;
		xs_vec_deinit(&list.vec);
	}
}

/* --- variables --- */

/* Whether a type is named before a declarator: `static x;` takes no attribute behind x. */
static bool has_type(const struct src_pass *pass, size_t name)
{
	static const char *const others[] = {
		"static", "auto", "const", "volatile", "extern", "restrict", NULL};
	for (size_t i = src_token_before(pass, name); i != SIZE_MAX;
		i = src_token_before(pass, i)) {
		const struct src_token *token = &pass->tokens.vec.data[i];
		if (src_token_is(pass, i, ";") || src_token_is(pass, i, "{") ||
			src_token_is(pass, i, "}") || token->kind == SRC_DIRECTIVE)
			break;
		if (token->kind == SRC_WORD &&
			!src_has_word(pass, token->begin, token->end, others))
			return true;
	}
	return false;
}

static void change_variables(struct fco *fco)
{
	struct src_pass *pass = fco->pass;
	for (size_t i = 0; i < fco->variables.len; i++) {
		const struct variable *one = &fco->variables.data[i];
		enum CX_StorageClass storage = src_clang.Cursor_getStorageClass(one->first);
		CXFile file;
		unsigned offset;
		if (!src_flip(pass, pass->chance) || one->declarations != 1 ||
			storage == CX_SC_Extern || storage == CX_SC_Register ||
			src_clang.Cursor_hasAttrs(one->first) ||
			src_clang.getCursorTLSKind(one->first) != CXTLS_None ||
			src_clang.Type_getSizeOf(src_clang.getCursorType(one->first)) <= 0)
			continue;
		src_clang.getFileLocation(
			src_clang.getCursorLocation(one->first), &file, NULL, NULL, &offset);
		size_t token = src_token_from(&pass->tokens, offset);
		XS_AUTO_FREE char *name = src_name_of(one->first);
		if (!*name || !src_token_is(pass, token, name) || src_in_macro(pass, offset) ||
			!has_type(pass, token))
			continue;
		size_t end = src_declarator_end(pass, token);
		if (end == pass->tokens.vec.len || pass->tokens.vec.data[end].kind != SRC_PUNCT ||
			src_token_is(pass, end, ":") || src_token_is(pass, end, "{") ||
			src_in_macro(pass, pass->tokens.vec.data[end].begin))
			continue;
		bool lasting = storage == CX_SC_Static ||
			       src_cursor_is(src_clang.getCursorSemanticParent(one->first),
				       CXCursor_TranslationUnit);
		if (lasting && src_flip(pass, 0.4))
			src_edit_before(&pass->edits, pass->tokens.vec.data[end].begin,
				" __attribute__((section(\"%s%u\"))) ", pass->prefix,
				++pass->names);
		else
			src_edit_before(&pass->edits, pass->tokens.vec.data[end].begin,
				" __attribute__((aligned(%zu))) ", (size_t)16 << src_pick(pass, 3));
		pass->applied++;
	}
}

/* --- labels --- */

static void visit_labels(struct src_pass *pass, CXCursor cursor)
{
	struct src_children children;
	if (src_clang.isExpression(src_clang.getCursorKind(cursor)))
		return;
	src_children_of(cursor, &children);
	bool block = src_cursor_is(cursor, CXCursor_CompoundStmt);
	for (size_t i = 0; i < children.vec.len; i++) {
		CXCursor one = children.vec.data[i];
		unsigned offset;
		visit_labels(pass, one);
		/* The attribute ends in a semicolon: what follows must be a statement of its own.
		 */
		if (!block || !src_cursor_is(one, CXCursor_LabelStmt) ||
			!src_flip(pass, pass->chance) ||
			!src_begin(pass->unit, one, &offset, NULL) || src_in_macro(pass, offset))
			continue;
		size_t colon = src_token_next(pass, src_token_from(&pass->tokens, offset));
		if (!src_token_is(pass, colon, ":") ||
			src_in_macro(pass, pass->tokens.vec.data[colon].begin))
			continue;
		src_edit_behind(&pass->edits, pass->tokens.vec.data[colon].end,
			" __attribute__((%s));", src_flip(pass, 0.5) ? "hot" : "cold");
		pass->applied++;
	}
	xs_vec_deinit(&children.vec);
}

static void on_function(struct src_pass *pass, CXCursor function, CXCursor body, void *data)
{
	(void)function;
	(void)data;
	visit_labels(pass, body);
}

void src_mutate_fco(struct src_pass *pass)
{
	/* Names that others give to functions, and functions that ask where they are. */
	static const char *const names[] = {"alias", "__alias__", "ifunc", "weak", "__weak__",
		"weakref", "__builtin_return_address", "__builtin_frame_address", "__builtin_apply",
		"__builtin_va_arg_pack", "__builtin_extract_return_addr", NULL};
	struct fco fco = {.pass = pass, .current = SIZE_MAX};
	if (pass->tokens.spliced)
		return;
	src_clang.visitChildren(
		src_clang.getTranslationUnitCursor(pass->unit->unit), on_anything, &fco);
	if (!src_has_word(pass, 0, (unsigned)pass->unit->size, names))
		change_functions(&fco);
	change_records(&fco);
	change_variables(&fco);
	src_each_function(pass, on_function, NULL);
	for (size_t i = 0; i < fco.functions.len; i++)
		xs_vec_deinit(&fco.functions.data[i].mentions);
	xs_vec_deinit(&fco.functions);
	xs_vec_deinit(&fco.records);
	xs_vec_deinit(&fco.variables);
	xs_map_deinit(&fco.known);
}
