/* mutate_probes.c - SystemTap probes with variables in scope as operands: the code generator then
 * says, beside the DWARF, where each of them is at that nop.
 *
 * Rules:
 * 1. A probe stands before a statement of a block. Its operands are locals and parameters of up to
 *    8 bytes, and members and elements of them that the source itself names (`s.a`, `a[2]`).
 * 2. Only what was written on every way to that place: reading it is no undefined behaviour. No
 *    volatile, no bit-field, nothing behind a pointer.
 * 3. Only what the source itself reads later, by its name: it had to be kept anyway.
 * 4. Lines stay as they are, but for one that is added at the very top: #include <sys/sdt.h>. It
 *    defines macros that begin with _SDT, STAP or DTRACE, and declares next to nothing.
 * 5. Which variables are meant is said by the probe's name, `p17__a__2`: an id, then a variable, or
 *    a number where a name would not do. A section that is not loaded, .xstep.probes, has a line of
 *    text for each probe: its name, the function, and for each operand the line of the variable's
 *    declaration and the path: `p17__a__2 main 12:a 9:s.f[2]`. */
#include <limits.h>

#include "source/pass.h"
#include "source/reaching.h"

enum {
	FEW = 6,   /* operands of most probes, at most */
	MOST = 12, /* of any */
	WIDEST = 8 /* bytes of an operand */
};

struct text {
	XS_VEC(char) vec; /* with a NUL behind it once there is some */
};

struct probes {
	struct src_pass *pass;
	struct src_facts facts;
	struct xs_map taken;     /* hashes of names that are macros', or not only locals' */
	struct xs_map open;      /* where functions begin that can be changed */
	unsigned line_directive; /* offset of the first #line; UINT_MAX: there is none */
	unsigned count;          /* of probes */
	struct text index;       /* the text for the section, as a C source */
};

/* --- what there is to know of the source ------------------------------------------------------ */

/* Names of macros, and of locals that are elsewhere: a static one may hide another. */
static enum CXChildVisitResult on_name(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct probes *probes = data;
	enum CXCursorKind kind = src_clang.getCursorKind(cursor);
	(void)parent;
	if (kind == CXCursor_MacroDefinition || kind == CXCursor_VarDecl) {
		enum CX_StorageClass storage = src_clang.Cursor_getStorageClass(cursor);
		bool global = src_cursor_is(
			src_clang.getCursorSemanticParent(cursor), CXCursor_TranslationUnit);
		XS_AUTO_FREE char *name = src_name_of(cursor);
		if (kind == CXCursor_MacroDefinition ||
			(!global && (storage == CX_SC_Static || storage == CX_SC_Extern ||
					    (storage == CX_SC_Register &&
						    src_clang.Cursor_hasAttrs(cursor)))))
			*xs_map_at(&probes->taken, xs_hash_text(0, name), 0) = 1;
	}
	return kind == CXCursor_MacroDefinition ? CXChildVisit_Continue : CXChildVisit_Recurse;
}

static void on_function(struct src_pass *pass, CXCursor function, CXCursor body, void *data)
{
	struct probes *probes = data;
	struct src_span span;
	(void)body;
	if (src_begin(pass->unit, function, &span.begin, NULL) &&
		src_end(pass->unit, function, &span.end, NULL) &&
		!src_has_word(pass, span.begin, span.end, src_untouchable))
		*xs_map_at(&probes->open, span.begin, 0) = 1;
}

/* Where lines are first said to be others. */
static unsigned find_line_directive(const struct src_pass *pass)
{
	for (size_t i = 0; i < pass->tokens.vec.len; i++) {
		const struct src_token *token = &pass->tokens.vec.data[i];
		const char *at = pass->unit->text + token->begin + 1;
		if (token->kind != SRC_DIRECTIVE)
			continue;
		at += strspn(at, " \t");
		if ((*at >= '0' && *at <= '9') || !strncmp(at, "line", 4))
			return token->begin;
	}
	return UINT_MAX;
}

/* --- which operands --------------------------------------------------------------------------- */

/* Whether a name means this variable at an offset. */
static bool is_visible(const struct src_facts *facts, size_t variable, unsigned offset)
{
	const struct src_variable *one = &facts->variables.data[variable];
	if (one->offset >= offset || offset < one->scope_begin || offset >= one->scope)
		return false;
	/* Another one of its name may be nearer; which one is, does not matter. */
	for (size_t i = 0; i < facts->variables.len; i++) {
		const struct src_variable *other = &facts->variables.data[i];
		if (other->function == one->function && !other->path && i != one->base &&
			!strcmp(other->name, one->name) && offset >= other->scope_begin &&
			offset < other->scope)
			return false;
	}
	return true;
}

static bool is_fit(const struct probes *probes, size_t variable, const struct src_slot *slot)
{
	const struct src_variable *one = &probes->facts.variables.data[variable];
	const uint64_t *declared =
		xs_map_find(&probes->pass->declared, xs_hash_text(0, one->name), 0);
	return one->function == slot->function && one->scalar && one->bytes &&
	       one->bytes <= WIDEST &&
	       !xs_map_find(&probes->taken, xs_hash_text(0, one->name), 0) && declared &&
	       *declared % SRC_DECLARED_VARIABLE == 0 && !src_in_macro(probes->pass, one->offset) &&
	       is_visible(&probes->facts, variable, slot->offset) &&
	       src_is_set(&probes->facts, variable, slot->point) &&
	       src_is_read_later(&probes->facts, variable, slot->point);
}

/* --- probes ----------------------------------------------------------------------------------- */

static void add(struct text *text, const char *format, ...) XS_PRINTF(2, 3);
static void add(struct text *text, const char *format, ...)
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

/* The line that DWARF will have. */
static unsigned line_of(const struct probes *probes, const struct src_variable *variable)
{
	return variable->line + (variable->offset < probes->line_directive);
}

/* A probe with these variables before a statement. */
static void put_probe(
	struct probes *probes, const struct src_slot *slot, const size_t *chosen, size_t count)
{
	const struct src_variable *all = probes->facts.variables.data;
	struct text name = {0}, operands = {0}, places = {0};
	add(&name, "p%u", ++probes->count);
	for (size_t i = 0; i < count; i++) {
		const struct src_variable *one = &all[chosen[i]];
		if (one->path)
			add(&name, "__%zu", i + 1);
		else
			add(&name, "__%s", one->name);
		add(&operands, ", %s", one->path ? one->path : one->name);
		add(&places, " %u:%s", line_of(probes, one), one->path ? one->path : one->name);
	}
	src_edit_before(&probes->pass->edits, slot->offset, "DTRACE_PROBE%zu(xstep, %s%s); ", count,
		name.vec.data, operands.vec.data);
	add(&probes->index, "\t\".ascii \\\"%s %s%s\\\\n\\\"\\n\"\n", name.vec.data,
		probes->facts.functions.data[slot->function].name, places.vec.data);
	xs_vec_deinit(&name.vec);
	xs_vec_deinit(&operands.vec);
	xs_vec_deinit(&places.vec);
	probes->pass->applied++;
}

/* Whether a statement can stand at an offset: no pragma belongs to what is there. */
static bool is_place(const struct src_pass *pass, unsigned offset)
{
	size_t token = src_token_from(&pass->tokens, offset);
	size_t before = src_token_before(pass, token);
	return !src_in_macro(pass, offset) && before != SIZE_MAX && token < pass->tokens.vec.len &&
	       pass->tokens.vec.data[token].begin == offset &&
	       pass->tokens.vec.data[before].kind != SRC_DIRECTIVE &&
	       pass->tokens.vec.data[token].kind != SRC_DIRECTIVE;
}

static void visit_slot(struct probes *probes, const struct src_slot *slot)
{
	struct src_pass *pass = probes->pass;
	const struct src_function *function = &probes->facts.functions.data[slot->function];
	XS_VEC(size_t) fit = {0};
	if (slot->point == SRC_NOWHERE || function->unclear ||
		!xs_map_find(&probes->open, function->begin, 0) || !is_place(pass, slot->offset) ||
		!src_flip(pass, pass->chance))
		return;
	for (size_t i = 0; i < probes->facts.variables.len; i++)
		if (is_fit(probes, i, slot))
			xs_vec_push(&fit, i);
	/* The last ones are the nearest: shuffled, so that all have their turn. */
	for (size_t i = fit.len; i > 1; i--) {
		size_t other = src_pick(pass, i), kept = fit.data[i - 1];
		fit.data[i - 1] = fit.data[other];
		fit.data[other] = kept;
	}
	size_t most = src_flip(pass, 0.1) ? MOST : FEW;
	size_t wanted = 1 + src_pick(pass, most);
	if (fit.len)
		put_probe(probes, slot, fit.data, fit.len < wanted ? fit.len : wanted);
	xs_vec_deinit(&fit);
}

void src_mutate_probes(struct src_pass *pass)
{
	struct probes probes = {.pass = pass};
	if (pass->tokens.spliced)
		return;
	probes.line_directive = find_line_directive(pass);
	src_clang.visitChildren(
		src_clang.getTranslationUnitCursor(pass->unit->unit), on_name, &probes);
	src_each_function(pass, on_function, &probes);
	src_facts_collect(pass->unit, &probes.facts);
	for (size_t i = 0; i < probes.facts.slots.len; i++)
		visit_slot(&probes, &probes.facts.slots.data[i]);
	if (probes.count) {
		src_edit_before(&pass->edits, 0, "#include <sys/sdt.h>\n");
		src_edit_behind(&pass->edits, (unsigned)pass->unit->size,
			"\n__asm__(\".pushsection .xstep.probes,\\\"\\\",@progbits\\n\"\n%s"
			"\t\".popsection\\n\");\n",
			probes.index.vec.data);
	}
	src_facts_deinit(&probes.facts);
	xs_map_deinit(&probes.taken);
	xs_map_deinit(&probes.open);
	xs_vec_deinit(&probes.index.vec);
}
