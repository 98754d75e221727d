#include "source/pass.h"

#include <ctype.h>

#include "base/path.h"

/* Functions that return twice, and what must stand right before or behind something. */
const char *const src_untouchable[] = {"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp",
	"__builtin_setjmp", "vfork", "getcontext", "fallthrough", "__fallthrough__", "musttail",
	"_Pragma", "__label__", "__builtin_apply_args", "__builtin_return", NULL};

/* --- dice --- */

uint64_t src_roll(struct src_pass *pass)
{
	pass->dice += 0x9e3779b97f4a7c15;
	return xs_mix(pass->dice);
}

size_t src_pick(struct src_pass *pass, size_t count)
{
	return (size_t)(src_roll(pass) % count);
}

bool src_flip(struct src_pass *pass, double chance)
{
	return (double)(src_roll(pass) >> 11) * 0x1p-53 < chance;
}

/* --- places --- */

bool src_in_macro(const struct src_pass *pass, unsigned offset)
{
	size_t low = 0, high = pass->macros.len;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (pass->macros.data[middle].end <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low < pass->macros.len && pass->macros.data[low].begin <= offset;
}

bool src_has_directive(const struct src_pass *pass, unsigned begin, unsigned end)
{
	size_t i = src_token_from(&pass->tokens, begin);
	for (; i < pass->tokens.vec.len && pass->tokens.vec.data[i].begin < end; i++)
		if (pass->tokens.vec.data[i].kind == SRC_DIRECTIVE)
			return true;
	return false;
}

/* Where a cursor begins and ends, both outside of macros. */
static bool edges_of(const struct src_pass *pass, CXCursor cursor, struct src_span *ret)
{
	return src_begin(pass->unit, cursor, &ret->begin, NULL) &&
	       src_end(pass->unit, cursor, &ret->end, NULL) && ret->begin < ret->end &&
	       !src_in_macro(pass, ret->begin) && !src_in_macro(pass, ret->end - 1);
}

bool src_span_of(const struct src_pass *pass, CXCursor cursor, struct src_span *ret)
{
	return edges_of(pass, cursor, ret) && !src_has_directive(pass, ret->begin, ret->end);
}

bool src_statement_span(const struct src_pass *pass, CXCursor cursor, struct src_span *ret)
{
	if (!edges_of(pass, cursor, ret))
		return false;
	struct src_children children;
	struct src_span last;
	bool ok = true;
	switch (src_clang.getCursorKind(cursor)) {
	case CXCursor_IfStmt:
	case CXCursor_ForStmt:
	case CXCursor_WhileStmt:
	case CXCursor_SwitchStmt:
	case CXCursor_LabelStmt:
	case CXCursor_CaseStmt:
	case CXCursor_DefaultStmt:
		src_children_of(cursor, &children);
		ok = children.vec.len &&
		     src_statement_span(pass, children.vec.data[children.vec.len - 1], &last);
		xs_vec_deinit(&children.vec);
		ret->end = ok ? last.end : 0;
		break;
	case CXCursor_CompoundStmt:
	case CXCursor_NullStmt:
	case CXCursor_DeclStmt:
		ok = strchr("};", pass->unit->text[ret->end - 1]);
		break;
	case CXCursor_UnexposedStmt: /* attributes; who knows */
		return false;
	default: {
		size_t next = src_token_from(&pass->tokens, ret->end);
		while (next < pass->tokens.vec.len &&
			pass->tokens.vec.data[next].kind == SRC_COMMENT)
			next++;
		ok = src_token_is(pass, next, ";") &&
		     !src_in_macro(pass, pass->tokens.vec.data[next].begin);
		ret->end = ok ? pass->tokens.vec.data[next].end : 0;
	}
	}
	return ok && !src_has_directive(pass, ret->begin, ret->end);
}

bool src_token_is(const struct src_pass *pass, size_t token, const char *text)
{
	if (token >= pass->tokens.vec.len)
		return false;
	const struct src_token *one = &pass->tokens.vec.data[token];
	size_t length = one->end - one->begin;
	return one->kind != SRC_COMMENT && strlen(text) == length &&
	       !memcmp(pass->unit->text + one->begin, text, length);
}

size_t src_token_next(const struct src_pass *pass, size_t token)
{
	do
		token++;
	while (token < pass->tokens.vec.len && pass->tokens.vec.data[token].kind == SRC_COMMENT);
	return token < pass->tokens.vec.len ? token : pass->tokens.vec.len;
}

size_t src_token_before(const struct src_pass *pass, size_t token)
{
	do
		token--;
	while (token != SIZE_MAX && pass->tokens.vec.data[token].kind == SRC_COMMENT);
	return token;
}

static bool is_one_of(const struct src_pass *pass, size_t token, const char *marks)
{
	const struct src_token *one = &pass->tokens.vec.data[token];
	return one->kind == SRC_PUNCT && one->end - one->begin == 1 &&
	       strchr(marks, pass->unit->text[one->begin]);
}

size_t src_token_closing(const struct src_pass *pass, size_t token)
{
	size_t depth = 0;
	for (; token < pass->tokens.vec.len; token++) {
		if (is_one_of(pass, token, "([{"))
			depth++;
		else if (is_one_of(pass, token, ")]}") && !--depth)
			return token;
	}
	return pass->tokens.vec.len;
}

bool src_has_word(
	const struct src_pass *pass, unsigned begin, unsigned end, const char *const *words)
{
	size_t i = src_token_from(&pass->tokens, begin);
	for (; i < pass->tokens.vec.len && pass->tokens.vec.data[i].begin < end; i++)
		for (size_t w = 0; words[w] && pass->tokens.vec.data[i].kind == SRC_WORD; w++)
			if (src_token_is(pass, i, words[w]))
				return true;
	return false;
}

size_t src_declarator_end(const struct src_pass *pass, size_t name)
{
	size_t none = pass->tokens.vec.len;
	for (size_t i = src_token_next(pass, name); i < none; i = src_token_next(pass, i)) {
		if (pass->tokens.vec.data[i].kind == SRC_DIRECTIVE)
			return none;
		if (is_one_of(pass, i, "(["))
			i = src_token_closing(pass, i);
		else if (!is_one_of(pass, i, ")"))
			return is_one_of(pass, i, "=,;:{") ||
					       pass->tokens.vec.data[i].kind == SRC_WORD
				       ? i
				       : none;
		if (i == none)
			return none;
	}
	return none;
}

/* --- cursors --- */

bool src_cursor_is(CXCursor cursor, enum CXCursorKind kind)
{
	return src_clang.getCursorKind(cursor) == kind;
}

static enum CXChildVisitResult on_literal(CXCursor cursor, CXCursor parent, CXClientData data)
{
	bool *found = data;
	(void)parent;
	*found |= src_cursor_is(cursor, CXCursor_CompoundLiteralExpr);
	return *found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

bool src_has_literal(CXCursor cursor)
{
	bool found = src_cursor_is(cursor, CXCursor_CompoundLiteralExpr);
	src_clang.visitChildren(cursor, on_literal, &found);
	return found;
}

char *src_name_of(CXCursor cursor)
{
	CXString spelling = src_clang.getCursorSpelling(cursor);
	const char *text = src_clang.getCString(spelling);
	char *copy = xs_strdup(text ? text : "");
	src_clang.disposeString(spelling);
	return copy;
}

void src_each_function(struct src_pass *pass,
	void (*on)(struct src_pass *pass, CXCursor function, CXCursor body, void *data), void *data)
{
	static const char *const naked[] = {"naked", "__naked__", NULL};
	struct src_children all, parts;
	src_children_of(src_clang.getTranslationUnitCursor(pass->unit->unit), &all);
	for (size_t i = 0; i < all.vec.len; i++) {
		CXCursor one = all.vec.data[i];
		struct src_span span, body;
		if (!src_cursor_is(one, CXCursor_FunctionDecl) ||
			!src_clang.isCursorDefinition(one) || !edges_of(pass, one, &span) ||
			src_clang.Location_isInSystemHeader(src_clang.getCursorLocation(one)))
			continue;
		src_children_of(one, &parts);
		CXCursor last = parts.vec.len ? parts.vec.data[parts.vec.len - 1] : one;
		xs_vec_deinit(&parts.vec);
		if (src_cursor_is(last, CXCursor_CompoundStmt) && edges_of(pass, last, &body) &&
			!src_has_word(pass, span.begin, body.begin, naked))
			on(pass, one, last, data);
	}
	xs_vec_deinit(&all.vec);
}

/* --- types --- */

/* Whether a variable of the type can be declared, as far as its kind goes. */
static bool is_plain(CXType type)
{
	type = src_clang.getCanonicalType(type);
	switch (type.kind) {
	case CXType_Pointer:
		return is_plain(src_clang.getPointeeType(type));
	case CXType_ConstantArray:
	case CXType_IncompleteArray:
		return is_plain(src_clang.getArrayElementType(type));
	case CXType_FunctionProto:
	case CXType_FunctionNoProto:
		return is_plain(src_clang.getResultType(type));
	case CXType_Record:
	case CXType_Enum:
	case CXType_Void:
	case CXType_Complex:
		return true;
	default:
		return (type.kind >= CXType_Bool && type.kind <= CXType_UInt128) ||
		       (type.kind >= CXType_Char_S && type.kind <= CXType_LongDouble);
	}
}

/* Whether each name in a type's text can only be the type that is meant. */
static bool is_clear(const struct src_pass *pass, const char *text)
{
	static const char *const fine[] = {"struct", "union", "enum", "const", "volatile",
		"restrict", "unsigned", "signed", "char", "short", "int", "long", "float", "double",
		"void", "_Bool", "_Complex", "__int128", NULL};
	if (strstr(text, "unnamed") || strstr(text, "anonymous") || strstr(text, "__va_list") ||
		strstr(text, "__attribute__") || strchr(text, '/'))
		return false;
	while (*text) {
		if (!src_is_word(*text) || isdigit((unsigned char)*text)) {
			/* Numbers are sizes of arrays. */
			text++;
			continue;
		}
		size_t length = 0, known = 0;
		while (src_is_word(text[length]))
			length++;
		XS_AUTO_FREE char *word = xs_asprintf("%.*s", (int)length, text);
		while (fine[known] && strcmp(fine[known], word))
			known++;
		const uint64_t *count = xs_map_find(&pass->declared, xs_hash_text(0, word), 0);
		if (!fine[known] && count && *count != SRC_DECLARED_TYPE)
			return false;
		text += length;
	}
	return true;
}

char *src_type_text(const struct src_pass *pass, CXType type)
{
	type = src_clang.getCanonicalType(type);
	/* libclang calls a parameter an array that is written as one, though it is a pointer. */
	if (!is_plain(type) || type.kind == CXType_Void || type.kind == CXType_ConstantArray ||
		type.kind == CXType_IncompleteArray || src_clang.isVolatileQualifiedType(type) ||
		src_clang.Type_getSizeOf(type) < 0)
		return NULL;
	CXString spelling = src_clang.getTypeSpelling(type);
	const char *text = src_clang.getCString(spelling);
	char *copy = text && is_clear(pass, text) ? xs_strdup(text) : NULL;
	src_clang.disposeString(spelling);
	return copy;
}

char *src_declare(const char *type, const char *name)
{
	if (strpbrk(type, "(["))
		return xs_asprintf("__typeof__(%s) %s", type, name);
	return xs_asprintf("%s %s", type, name);
}

/* --- making one --- */

static enum CXChildVisitResult on_declared(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct src_pass *pass = data;
	struct src_span span;
	(void)parent;
	enum CXCursorKind kind = src_clang.getCursorKind(cursor);
	bool type = kind == CXCursor_StructDecl || kind == CXCursor_UnionDecl ||
		    kind == CXCursor_EnumDecl || kind == CXCursor_TypedefDecl;
	if (!src_begin(pass->unit, cursor, &span.begin, NULL))
		return CXChildVisit_Continue;
	if (kind == CXCursor_MacroExpansion && src_end(pass->unit, cursor, &span.end, NULL))
		xs_vec_push(&pass->macros, span);
	bool variable = kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl;
	if ((type || variable || kind == CXCursor_FunctionDecl ||
		    kind == CXCursor_EnumConstantDecl) &&
		src_clang.equalCursors(cursor, src_clang.getCanonicalCursor(cursor))) {
		XS_AUTO_FREE char *name = src_name_of(cursor);
		uint64_t *count = xs_map_at(&pass->declared, xs_hash_text(0, name), 0);
		*count += type       ? SRC_DECLARED_TYPE
			  : variable ? SRC_DECLARED_VARIABLE
				     : SRC_DECLARED_OTHER;
	}
	return CXChildVisit_Recurse;
}

static int compare_spans(const void *a, const void *b)
{
	const struct src_span *left = a, *right = b;
	if (left->begin != right->begin)
		return left->begin < right->begin ? -1 : 1;
	return left->end > right->end ? -1 : left->end < right->end;
}

/* Sorted, and none inside another. */
static void tidy_macros(struct src_pass *pass)
{
	size_t kept = 0;
	if (pass->macros.len)
		qsort(pass->macros.data, pass->macros.len, sizeof *pass->macros.data,
			compare_spans);
	for (size_t i = 0; i < pass->macros.len; i++)
		if (!kept || pass->macros.data[i].begin >= pass->macros.data[kept - 1].end)
			pass->macros.data[kept++] = pass->macros.data[i];
		else if (pass->macros.data[i].end > pass->macros.data[kept - 1].end)
			pass->macros.data[kept - 1].end = pass->macros.data[i].end;
	pass->macros.len = kept;
}

/* Whether a text includes itself: then what is at a place there may be at it twice. */
static bool includes_itself(const struct src_pass *pass)
{
	const char *name = xs_base_name(pass->unit->path);
	for (size_t i = 0; i < pass->tokens.vec.len; i++) {
		const struct src_token *token = &pass->tokens.vec.data[i];
		if (token->kind != SRC_DIRECTIVE)
			continue;
		XS_AUTO_FREE char *line = xs_asprintf(
			"%.*s", (int)(token->end - token->begin), pass->unit->text + token->begin);
		if (strstr(line, "include") && (strstr(line, name) || strstr(line, "__FILE__") ||
						       strstr(line, "__INCLUDE")))
			return true;
	}
	return false;
}

void src_pass_init(struct src_pass *pass, const struct src_unit *unit, const struct src_mutate *how,
	enum src_mutator mutator, uint64_t seed)
{
	*pass = (struct src_pass){
		.unit = unit, .how = how, .chance = how->chance[mutator], .dice = seed};
	src_tokens_read(unit->text, unit->size, &pass->tokens);
	pass->tokens.spliced |= includes_itself(pass);
	src_clang.visitChildren(src_clang.getTranslationUnitCursor(unit->unit), on_declared, pass);
	tidy_macros(pass);
	pass->packed = strstr(unit->text, "pragma pack") || strstr(unit->text, "packed");
	pass->prefix = xs_asprintf("%s_", src_mutator_names[mutator]);
	while (strstr(unit->text, pass->prefix)) {
		char *longer = xs_asprintf("%s_", pass->prefix);
		free(pass->prefix);
		pass->prefix = longer;
	}
}

void src_pass_deinit(struct src_pass *pass)
{
	src_tokens_deinit(&pass->tokens);
	xs_vec_deinit(&pass->macros);
	xs_map_deinit(&pass->declared);
	src_edits_deinit(&pass->edits);
	free(pass->prefix);
}
