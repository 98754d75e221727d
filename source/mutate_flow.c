/* mutate_flow.c - RCL, the statements: loops and conditions become if and goto, declarations are
 * split.
 *
 * Nothing moves but a for loop's third part. Each statement that is lowered stays one, a block, so
 * that it can stand wherever it stood: under a label or a case, as somebody's body. Labels are put
 * in no scope that could hold an array of variable length without its goto being there, too. Jumps
 * into bodies from outside, Duff's device among them, go on as they did. */
#include "source/pass.h"

/* Where break and continue lead, if the loop or switch that they belong to was lowered; else NULL.
 */
struct jumps {
	const char *on_break, *on_continue;
};

static void visit(struct src_pass *pass, CXCursor cursor, struct jumps jumps);

static char *new_label(struct src_pass *pass)
{
	return xs_asprintf("%sl%u", pass->prefix, ++pass->names);
}

static const struct src_token *token_at(const struct src_pass *pass, size_t index)
{
	return &pass->tokens.vec.data[index];
}

/* Whether a token is this text, and not a macro's. */
static bool is_plain_token(const struct src_pass *pass, size_t token, const char *text)
{
	return src_token_is(pass, token, text) && !src_in_macro(pass, token_at(pass, token)->begin);
}

struct scan {
	const struct src_pass *pass;
	bool in_loop, in_switch; /* of its own, below the loop that is looked at */
	bool ok;
};

static enum CXChildVisitResult on_scan(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct scan *scan = data, inner = *scan;
	struct src_span span;
	(void)parent;
	switch (src_clang.getCursorKind(cursor)) {
	case CXCursor_StmtExpr:
		scan->ok = false;
		break;
	case CXCursor_BreakStmt:
		scan->ok &= scan->in_loop || scan->in_switch ||
			    src_statement_span(scan->pass, cursor, &span);
		break;
	case CXCursor_ContinueStmt:
		scan->ok &= scan->in_loop || src_statement_span(scan->pass, cursor, &span);
		break;
	case CXCursor_ForStmt:
	case CXCursor_WhileStmt:
	case CXCursor_DoStmt:
		inner.in_loop = true;
		break;
	case CXCursor_SwitchStmt:
		inner.in_switch = true;
		break;
	default:
		break;
	}
	if (scan->ok) {
		src_clang.visitChildren(cursor, on_scan, &inner);
		scan->ok = inner.ok;
	}
	return scan->ok ? CXChildVisit_Continue : CXChildVisit_Break;
}

/* Whether each break and continue of a statement's own can be rewritten. */
static bool jumps_are_plain(const struct src_pass *pass, CXCursor cursor)
{
	struct scan scan = {.pass = pass, .ok = true};
	src_clang.visitChildren(cursor, on_scan, &scan);
	return scan.ok;
}

/* Whether a pragma stands right before an offset, which may want the statement as it is. */
static bool is_behind_directive(const struct src_pass *pass, unsigned offset)
{
	size_t before = src_token_before(pass, src_token_from(&pass->tokens, offset));
	return before != SIZE_MAX && token_at(pass, before)->kind == SRC_DIRECTIVE;
}

/* What a statement begins with: `word (`, and the `)` that belongs to it, before `limit`. */
struct head {
	size_t word, open, close; /* tokens */
};

static bool head_at(const struct src_pass *pass, unsigned offset, const char *word, unsigned limit,
	struct head *ret)
{
	ret->word = src_token_from(&pass->tokens, offset);
	ret->open = src_token_next(pass, ret->word);
	if (!is_plain_token(pass, ret->word, word) || !is_plain_token(pass, ret->open, "("))
		return false;
	ret->close = src_token_closing(pass, ret->open);
	return is_plain_token(pass, ret->close, ")") && token_at(pass, ret->close)->end <= limit;
}

/* `if (condition) goto yes` or `if (!(condition)) goto no`, around what begins and ends the
 * condition; what follows runs if it holds. */
static void put_condition(struct src_pass *pass, unsigned word, unsigned word_end,
	unsigned close_end, const char *before, const char *no)
{
	if (src_flip(pass, 0.5)) {
		src_edit_replace(&pass->edits, word, word_end, "%sif (!", before);
		src_edit_behind(&pass->edits, close_end, ") goto %s; ", no);
		return;
	}
	XS_AUTO_FREE char *yes = new_label(pass);
	src_edit_replace(&pass->edits, word, word_end, "%sif ", before);
	src_edit_behind(&pass->edits, close_end, " goto %s; else goto %s; %s:; ", yes, no, yes);
}

static void lower_while(
	struct src_pass *pass, CXCursor body, struct src_span span, struct head head)
{
	XS_AUTO_FREE char *again = new_label(pass), *end = new_label(pass);
	XS_AUTO_FREE char *before = xs_asprintf("{ %s:; ", again);
	visit(pass, body, (struct jumps){end, again});
	put_condition(pass, span.begin, token_at(pass, head.word)->end,
		token_at(pass, head.close)->end, before, end);
	src_edit_behind(&pass->edits, span.end, " goto %s; %s:; }", again, end);
	pass->applied++;
}

static void lower_do(struct src_pass *pass, CXCursor body, struct src_span span, struct head head)
{
	XS_AUTO_FREE char *again = new_label(pass), *next = new_label(pass), *end = new_label(pass);
	visit(pass, body, (struct jumps){end, next});
	src_edit_replace(&pass->edits, span.begin, span.begin + 2, "{ %s:; ", again);
	src_edit_replace(&pass->edits, token_at(pass, head.word)->begin,
		token_at(pass, head.word)->end, " %s:; if ", next);
	src_edit_replace(&pass->edits, span.end - 1, span.end, " goto %s; %s:; }", again, end);
	pass->applied++;
}

static void lower_for(struct src_pass *pass, CXCursor body, struct src_span span, struct head head,
	const size_t semicolons[2])
{
	XS_AUTO_FREE char *again = new_label(pass), *next = new_label(pass), *end = new_label(pass);
	const struct src_token *first = token_at(pass, semicolons[0]);
	const struct src_token *second = token_at(pass, semicolons[1]);
	const struct src_token *close = token_at(pass, head.close);
	bool endless = src_token_next(pass, semicolons[0]) == semicolons[1];
	visit(pass, body, (struct jumps){end, next});
	src_edit_replace(&pass->edits, span.begin, token_at(pass, head.open)->end, "{ ");
	src_edit_behind(&pass->edits, first->end, endless ? " %s:;" : " %s:; if (!(", again);
	if (endless)
		src_edit_replace(&pass->edits, second->begin, close->end, " ");
	else
		src_edit_replace(&pass->edits, second->begin, close->end, ")) goto %s; ", end);
	src_edit_behind(&pass->edits, span.end, " %s:; %.*s; goto %s; %s:; }", next,
		(int)(close->begin - second->end), pass->unit->text + second->end, again, end);
	pass->applied++;
}

/* The two semicolons in the head of a for loop. */
static bool find_semicolons(const struct src_pass *pass, struct head head, size_t ret[2])
{
	size_t found = 0;
	for (size_t i = src_token_next(pass, head.open); i < head.close;
		i = src_token_next(pass, i)) {
		if (src_token_is(pass, i, "(") || src_token_is(pass, i, "[") ||
			src_token_is(pass, i, "{"))
			i = src_token_closing(pass, i);
		else if (src_token_is(pass, i, ";")) {
			if (found == 2 || src_in_macro(pass, token_at(pass, i)->begin))
				return false;
			ret[found++] = i;
		}
	}
	/* What is moved has no comment that could swallow the rest. */
	for (size_t i = found == 2 ? ret[1] : head.close; i < head.close; i++)
		if (token_at(pass, i)->kind == SRC_COMMENT)
			return false;
	return found == 2;
}

/* Whether there are compound literals in what a loop begins or ends with. */
static bool heads_have_literals(CXCursor loop, const struct src_children *children)
{
	size_t body = src_cursor_is(loop, CXCursor_DoStmt) ? 0 : children->vec.len - 1;
	for (size_t i = 0; i < children->vec.len; i++)
		if (i != body && src_has_literal(children->vec.data[i]))
			return true;
	return false;
}

static bool try_loop(struct src_pass *pass, CXCursor cursor, struct src_children *children)
{
	struct src_span span, body;
	struct head head;
	size_t semicolons[2], count = children->vec.len;
	enum CXCursorKind kind = src_clang.getCursorKind(cursor);
	if (!src_statement_span(pass, cursor, &span) || count < 1 ||
		is_behind_directive(pass, span.begin) || !jumps_are_plain(pass, cursor) ||
		heads_have_literals(cursor, children))
		return false;
	CXCursor inner = children->vec.data[kind == CXCursor_DoStmt ? 0 : count - 1];
	if (!src_statement_span(pass, inner, &body))
		return false;
	switch (kind) {
	case CXCursor_WhileStmt:
		if (!head_at(pass, span.begin, "while", body.begin, &head))
			return false;
		lower_while(pass, inner, span, head);
		return true;
	case CXCursor_DoStmt:
		if (!is_plain_token(pass, src_token_from(&pass->tokens, span.begin), "do") ||
			!head_at(pass, body.end, "while", span.end, &head))
			return false;
		lower_do(pass, inner, span, head);
		return true;
	default:
		if (!head_at(pass, span.begin, "for", body.begin, &head) ||
			!find_semicolons(pass, head, semicolons))
			return false;
		lower_for(pass, inner, span, head, semicolons);
		return true;
	}
}

static bool try_if(
	struct src_pass *pass, CXCursor cursor, struct src_children *children, struct jumps jumps)
{
	struct src_span span, then, other;
	struct head head;
	bool has_else = children->vec.len == 3;
	size_t word = 0;
	/* What can never run is left out by compilers, with what it calls, as long as they see
	 * that. */
	if (children->vec.len < 2 || src_is_fixed(children->vec.data[0]) ||
		src_has_literal(children->vec.data[0]) ||
		!src_statement_span(pass, cursor, &span) || is_behind_directive(pass, span.begin) ||
		!src_statement_span(pass, children->vec.data[1], &then) ||
		!head_at(pass, span.begin, "if", then.begin, &head))
		return false;
	if (has_else) {
		word = src_token_from(&pass->tokens, then.end);
		if (word < pass->tokens.vec.len && token_at(pass, word)->kind == SRC_COMMENT)
			word = src_token_next(pass, word);
		if (!is_plain_token(pass, word, "else") ||
			!src_statement_span(pass, children->vec.data[2], &other))
			return false;
	}
	XS_AUTO_FREE char *no = new_label(pass), *end = new_label(pass);
	for (size_t i = 1; i < children->vec.len; i++)
		visit(pass, children->vec.data[i], jumps);
	put_condition(pass, span.begin, token_at(pass, head.word)->end,
		token_at(pass, head.close)->end, "{ ", no);
	if (has_else) {
		src_edit_replace(&pass->edits, token_at(pass, word)->begin,
			token_at(pass, word)->end, " goto %s; %s:; ", end, no);
		src_edit_behind(&pass->edits, span.end, " %s:; }", end);
	} else
		src_edit_behind(&pass->edits, span.end, " %s:; }", no);
	pass->applied++;
	return true;
}

/* --- declarations --- */

/* The token of a variable's name; tokens.vec.len if it is a macro's. */
static size_t name_token(const struct src_pass *pass, CXCursor variable)
{
	CXFile file;
	unsigned offset;
	src_clang.getFileLocation(
		src_clang.getCursorLocation(variable), &file, NULL, NULL, &offset);
	size_t token = src_token_from(&pass->tokens, offset);
	XS_AUTO_FREE char *name = src_name_of(variable);
	return *name && is_plain_token(pass, token, name) && token_at(pass, token)->begin == offset
		       ? token
		       : pass->tokens.vec.len;
}

/* Where the first declarator begins: its name, or the stars and parentheses before it. */
static size_t declarator_begin(const struct src_pass *pass, size_t name)
{
	size_t begin = name;
	for (size_t i = src_token_before(pass, name); i != SIZE_MAX;
		i = src_token_before(pass, i)) {
		if (src_token_is(pass, i, "*") || src_token_is(pass, i, "("))
			begin = i;
		else if (!src_token_is(pass, i, "const") && !src_token_is(pass, i, "volatile") &&
			 !src_token_is(pass, i, "restrict") && !src_token_is(pass, i, "__restrict"))
			break;
	}
	return begin;
}

/* Whether the words before the declarators can be said again. */
static bool can_repeat(const struct src_pass *pass, struct src_span words)
{
	size_t i = src_token_from(&pass->tokens, words.begin);
	for (; i < pass->tokens.vec.len && token_at(pass, i)->begin < words.end; i++)
		if (token_at(pass, i)->kind != SRC_WORD || src_token_is(pass, i, "__auto_type") ||
			src_in_macro(pass, token_at(pass, i)->begin))
			return false;
	return words.begin < words.end;
}

/* Whether a variable can be assigned to instead of being initialised. */
static bool can_assign(CXCursor variable)
{
	CXType type = src_clang.getCanonicalType(src_clang.getCursorType(variable));
	enum CX_StorageClass storage = src_clang.Cursor_getStorageClass(variable);
	CXCursor value = src_clang.Cursor_getVarDeclInitializer(variable);
	return (storage == CX_SC_None || storage == CX_SC_Auto || storage == CX_SC_Register) &&
	       ((type.kind >= CXType_Bool && type.kind <= CXType_LongDouble) ||
		       type.kind == CXType_Pointer || type.kind == CXType_Enum) &&
	       !src_clang.isConstQualifiedType(type) && !src_clang.isVolatileQualifiedType(type) &&
	       !src_clang.Cursor_isNull(value) && !src_cursor_is(value, CXCursor_InitListExpr);
}

static void try_declaration(struct src_pass *pass, CXCursor cursor)
{
	struct src_children all;
	struct src_span span, words;
	src_children_of(cursor, &all);
	size_t count = all.vec.len, none = pass->tokens.vec.len;
	XS_AUTO_FREE size_t *names = xs_calloc(count + 1, sizeof *names);
	XS_AUTO_FREE size_t *ends = xs_calloc(count + 1, sizeof *ends); /* `=`, `,` or `;` */
	bool ok = count && src_statement_span(pass, cursor, &span);
	for (size_t i = 0; ok && i < count; i++) {
		ok = src_cursor_is(all.vec.data[i], CXCursor_VarDecl) &&
		     (names[i] = name_token(pass, all.vec.data[i])) != none &&
		     (ends[i] = src_declarator_end(pass, names[i])) != none &&
		     token_at(pass, ends[i])->kind == SRC_PUNCT &&
		     !src_token_is(pass, ends[i], ":") &&
		     !src_in_macro(pass, token_at(pass, ends[i])->begin);
	}
	if (ok) {
		words = (struct src_span){
			span.begin, token_at(pass, declarator_begin(pass, names[0]))->begin};
		ok = can_repeat(pass, words);
	}
	/* All or none: `int a; a = 1, b;` would not do. */
	if (ok && count > 1 && src_flip(pass, pass->chance)) {
		for (size_t i = 1; ok && i < count; i++) {
			size_t comma = ends[i - 1];
			while (comma != none && !src_token_is(pass, comma, ",")) {
				if (src_token_is(pass, comma, "(") ||
					src_token_is(pass, comma, "[") ||
					src_token_is(pass, comma, "{"))
					comma = src_token_closing(pass, comma);
				comma = src_token_next(pass, comma);
			}
			ends[count] = comma;
			ok = comma != none && comma < names[i] &&
			     !src_in_macro(pass, token_at(pass, comma)->begin);
			if (!ok)
				break;
			src_edit_replace(&pass->edits, token_at(pass, comma)->begin,
				token_at(pass, comma)->end, "; %.*s ",
				(int)(words.end - words.begin), pass->unit->text + words.begin);
			pass->applied++;
		}
	} else
		ok &= count == 1;
	for (size_t i = 0; ok && i < count; i++)
		if (src_token_is(pass, ends[i], "=") && can_assign(all.vec.data[i]) &&
			src_flip(pass, pass->chance)) {
			const struct src_token *name = token_at(pass, names[i]);
			src_edit_replace(&pass->edits, token_at(pass, ends[i])->begin,
				token_at(pass, ends[i])->end,
				"; %.*s =", (int)(name->end - name->begin),
				pass->unit->text + name->begin);
			pass->applied++;
		}
	xs_vec_deinit(&all.vec);
}

/* --- all statements --- */

static void rewrite_jump(struct src_pass *pass, CXCursor cursor, const char *label)
{
	struct src_span span;
	if (!label || !src_statement_span(pass, cursor, &span))
		return;
	size_t word = src_token_from(&pass->tokens, span.begin);
	src_edit_replace(&pass->edits, span.begin, token_at(pass, word)->end, "goto %s", label);
}

static void visit(struct src_pass *pass, CXCursor cursor, struct jumps jumps)
{
	struct src_children children;
	enum CXCursorKind kind = src_clang.getCursorKind(cursor);
	bool done = false;
	src_children_of(cursor, &children);
	switch (kind) {
	case CXCursor_BreakStmt:
		rewrite_jump(pass, cursor, jumps.on_break);
		break;
	case CXCursor_ContinueStmt:
		rewrite_jump(pass, cursor, jumps.on_continue);
		break;
	case CXCursor_WhileStmt:
	case CXCursor_DoStmt:
	case CXCursor_ForStmt:
		done = src_flip(pass, pass->chance) && try_loop(pass, cursor, &children);
		if (!done && children.vec.len)
			visit(pass,
				children.vec
					.data[kind == CXCursor_DoStmt ? 0 : children.vec.len - 1],
				(struct jumps){0});
		break;
	case CXCursor_SwitchStmt:
		if (children.vec.len)
			visit(pass, children.vec.data[children.vec.len - 1],
				(struct jumps){NULL, jumps.on_continue});
		break;
	case CXCursor_IfStmt:
		done = src_flip(pass, pass->chance) && try_if(pass, cursor, &children, jumps);
		for (size_t i = 1; !done && i < children.vec.len; i++)
			visit(pass, children.vec.data[i], jumps);
		break;
	case CXCursor_CompoundStmt:
	case CXCursor_LabelStmt:
	case CXCursor_CaseStmt:
	case CXCursor_DefaultStmt:
	case CXCursor_UnexposedStmt:
		for (size_t i = 0; i < children.vec.len; i++)
			visit(pass, children.vec.data[i], jumps);
		break;
	case CXCursor_DeclStmt:
		try_declaration(pass, cursor);
		break;
	default:
		break;
	}
	xs_vec_deinit(&children.vec);
}

static void on_function(struct src_pass *pass, CXCursor function, CXCursor body, void *data)
{
	struct src_span span;
	(void)data;
	if (src_begin(pass->unit, function, &span.begin, NULL) &&
		src_end(pass->unit, function, &span.end, NULL) &&
		!src_has_word(pass, span.begin, span.end, src_untouchable))
		visit(pass, body, (struct jumps){0});
}

void src_mutate_flow(struct src_pass *pass)
{
	if (!pass->tokens.spliced)
		src_each_function(pass, on_function, NULL);
}
