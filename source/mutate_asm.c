/* mutate_asm.c - empty inline assembly, with variables in scope as operands: the compiler must have
 * each where it is asked for, and believes that some change.
 *
 * Nothing does: an operand that is written is read first ("+"). Wider integers than a register of
 * 32-bit x86 are operands in memory, so that -m32 takes them, too. */
#include "source/pass.h"

struct visible {
	CXCursor variable;
	uint64_t name; /* its hash */
	bool usable;   /* as an operand; else it only hides others */
};

struct scope {
	XS_VEC(struct visible) vec; /* variables that are declared here, outer ones first */
};

/* Whether a variable can be an operand: its name is nothing but variables' in the file. */
static bool is_usable(const struct src_pass *pass, CXCursor variable, uint64_t name)
{
	const uint64_t *count = xs_map_find(&pass->declared, name, 0);
	CXType type = src_clang.getCanonicalType(src_clang.getCursorType(variable));
	bool kind = (type.kind >= CXType_Bool && type.kind <= CXType_LongDouble) ||
		    type.kind == CXType_Pointer || type.kind == CXType_Enum ||
		    type.kind == CXType_Record;
	unsigned offset;
	return count && *count % SRC_DECLARED_VARIABLE == 0 && kind &&
	       src_clang.Type_getSizeOf(type) > 0 && !src_clang.isVolatileQualifiedType(type) &&
	       src_clang.Cursor_getStorageClass(variable) != CX_SC_Register &&
	       src_clang.getCursorTLSKind(variable) == CXTLS_None &&
	       src_begin(pass->unit, variable, &offset, NULL) && !src_in_macro(pass, offset);
}

static bool is_hidden(const struct scope *scope, size_t index)
{
	for (size_t i = index + 1; i < scope->vec.len; i++)
		if (scope->vec.data[i].name == scope->vec.data[index].name &&
			!src_clang.equalCursors(
				src_clang.getCanonicalCursor(scope->vec.data[i].variable),
				src_clang.getCanonicalCursor(scope->vec.data[index].variable)))
			return true;
	return false;
}

static void put_operand(struct src_pass *pass, CXCursor variable, struct src_edits *outputs,
	struct src_edits *inputs)
{
	XS_AUTO_FREE char *name = src_name_of(variable);
	CXType type = src_clang.getCanonicalType(src_clang.getCursorType(variable));
	bool integer =
		type.kind == CXType_Enum || (type.kind >= CXType_Bool && type.kind < CXType_Float);
	bool fits = type.kind == CXType_Pointer || (integer && src_clang.Type_getSizeOf(type) <= 4);
	bool writable = type.kind != CXType_Record && !src_clang.isConstQualifiedType(type);
	const char *place = fits && src_flip(pass, 0.6) ? "r" : "m";
	if (writable && src_flip(pass, 0.6))
		src_edit_behind(
			outputs, 0, "%s\"+%s\"(%s)", outputs->vec.len ? ", " : "", place, name);
	else
		src_edit_behind(
			inputs, 0, "%s\"%s\"(%s)", inputs->vec.len ? ", " : "", place, name);
}

static void put_asm(struct src_pass *pass, const struct scope *scope, unsigned offset)
{
	struct src_edits outputs = {0}, inputs = {0};
	size_t count = 1 + src_pick(pass, 3), size;
	size_t first = src_pick(pass, scope->vec.len);
	/* The nearest ones are the likelier: half of the time one of the last four. */
	if (scope->vec.len > 4 && src_flip(pass, 0.5))
		first = scope->vec.len - 1 - src_pick(pass, 4);
	for (size_t i = 0; count && i < scope->vec.len; i++) {
		size_t one = (first + i) % scope->vec.len;
		if (!scope->vec.data[one].usable || is_hidden(scope, one))
			continue;
		put_operand(pass, scope->vec.data[one].variable, &outputs, &inputs);
		count--;
	}
	if (!outputs.vec.len && !inputs.vec.len)
		return;
	XS_AUTO_FREE char *written = src_edits_apply(&outputs, "", 0, &size);
	XS_AUTO_FREE char *read = src_edits_apply(&inputs, "", 0, &size);
	src_edit_before(&pass->edits, offset, "__asm__ %s(\"\" : %s : %s%s); ",
		src_flip(pass, 0.7) ? "__volatile__" : "", written, read,
		src_flip(pass, 0.4) ? " : \"memory\"" : "");
	src_edits_deinit(&outputs);
	src_edits_deinit(&inputs);
	pass->applied++;
}

static void enter(const struct src_pass *pass, struct scope *scope, CXCursor cursor)
{
	struct src_children all;
	src_children_of(cursor, &all);
	for (size_t i = 0; i < all.vec.len; i++) {
		struct visible one = {.variable = all.vec.data[i]};
		if (!src_cursor_is(one.variable, CXCursor_VarDecl) &&
			!src_cursor_is(one.variable, CXCursor_ParmDecl))
			continue;
		XS_AUTO_FREE char *name = src_name_of(one.variable);
		one.name = xs_hash_text(0, name);
		one.usable = *name && is_usable(pass, one.variable, one.name);
		xs_vec_push(&scope->vec, one);
	}
	xs_vec_deinit(&all.vec);
}

static void visit(struct src_pass *pass, struct scope *scope, CXCursor cursor)
{
	struct src_children children;
	size_t outer = scope->vec.len;
	if (src_clang.isExpression(src_clang.getCursorKind(cursor)))
		return;
	bool block = src_cursor_is(cursor, CXCursor_CompoundStmt);
	src_children_of(cursor, &children);
	for (size_t i = 0; i < children.vec.len; i++) {
		CXCursor one = children.vec.data[i];
		unsigned offset;
		if (block && scope->vec.len && src_begin(pass->unit, one, &offset, NULL) &&
			!src_in_macro(pass, offset) && src_flip(pass, pass->chance)) {
			/* A pragma belongs to what is behind it; some are where the statement
			 * begins. */
			size_t token = src_token_from(&pass->tokens, offset);
			size_t before = src_token_before(pass, token);
			if (before != SIZE_MAX &&
				pass->tokens.vec.data[before].kind != SRC_DIRECTIVE &&
				pass->tokens.vec.data[token].kind != SRC_DIRECTIVE)
				put_asm(pass, scope, offset);
		}
		visit(pass, scope, one);
		if (src_cursor_is(one, CXCursor_DeclStmt))
			enter(pass, scope, one);
	}
	xs_vec_deinit(&children.vec);
	/* A for loop's own variables end with it, too. */
	scope->vec.len = outer;
}

static void on_function(struct src_pass *pass, CXCursor function, CXCursor body, void *data)
{
	struct scope *all = data, scope = {0};
	struct src_span span;
	unsigned offset;
	if (!src_begin(pass->unit, function, &span.begin, NULL) ||
		!src_end(pass->unit, function, &span.end, NULL) ||
		src_has_word(pass, span.begin, span.end, src_untouchable))
		return;
	for (size_t i = 0; i < all->vec.len; i++)
		if (src_begin(pass->unit, all->vec.data[i].variable, &offset, NULL) &&
			offset < span.begin)
			xs_vec_push(&scope.vec, all->vec.data[i]);
	enter(pass, &scope, function);
	visit(pass, &scope, body);
	xs_vec_deinit(&scope.vec);
}

void src_mutate_asm(struct src_pass *pass)
{
	struct scope all = {0};
	if (pass->tokens.spliced)
		return;
	enter(pass, &all, src_clang.getTranslationUnitCursor(pass->unit->unit));
	src_each_function(pass, on_function, &all);
	xs_vec_deinit(&all.vec);
}
