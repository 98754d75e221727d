#include "dwarf/explain.h"

#include <ctype.h>
#include <dwarf.h>
#include <errno.h>
#include <stdarg.h>

#include "base/nearest.h"
#include "dwarf/enclosing.h"
#include "dwarf/entered.h"
#include "dwarf/name_text.h"
#include "dwarf/symbol.h"
#include "dwarf/text.h"
#include "dwarf/type_name.h"
#include "dwarf/words.h"

enum {
	BYTES_SHOWN = 32,
	STEPS_SHOWN = 1000, /* operators; only loops have more */
	FIELDS_SHOWN = 64,  /* bit-fields of a struct */
};

static void add_line(struct di_lines_of_text *lines, const char *format, ...) XS_PRINTF(2, 3);
static void add_line(struct di_lines_of_text *lines, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	xs_vec_push(&lines->vec, xs_vasprintf(format, args));
	va_end(args);
}

static void lines_deinit(struct di_lines_of_text *lines)
{
	for (size_t i = 0; i < lines->vec.len; i++)
		free(lines->vec.data[i]);
	xs_vec_deinit(&lines->vec);
}

void di_explanation_deinit(struct di_explanation *explanation)
{
	for (size_t i = 0; i < explanation->leaves.len; i++) {
		struct di_explained_leaf *leaf = &explanation->leaves.data[i];
		free(leaf->path);
		free(leaf->type);
		free(leaf->value);
		free(leaf->enumerator);
		free(leaf->symbol);
		free(leaf->message);
	}
	xs_vec_deinit(&explanation->leaves);
	lines_deinit(&explanation->die);
	lines_deinit(&explanation->entries);
	lines_deinit(&explanation->steps);
	lines_deinit(&explanation->decoding);
	free(explanation->path);
	free(explanation->absent);
	free(explanation->location);
	*explanation = (struct di_explanation){0};
}

/* --- the DIE and its place -------------------------------------------------------------------- */

static void explain_die(const struct di_variable *variable, struct di_explanation *ret)
{
	Dwarf_Die die = variable->die;
	unsigned chain = 0;
	add_line(&ret->die, ".debug_info+0x%" PRIx64 " %s '%s' in unit %s", dwarf_dieoffset(&die),
		variable->parameter ? "DW_TAG_formal_parameter" : "DW_TAG_variable", variable->name,
		variable->unit->name);
	if (variable->line)
		add_line(&ret->die, "declared at %s:%u:%u, type %s",
			variable->file ? variable->file : "?", variable->line, variable->column,
			variable->type->name);
	else
		add_line(&ret->die, "type %s", variable->type->name);
	while (di_die_origin(&die, &chain))
		add_line(&ret->die, "an instance of .debug_info+0x%" PRIx64, dwarf_dieoffset(&die));
	if (variable->block) {
		Dwarf_Die block = variable->block->die;
		add_line(&ret->die, "in %s of %s, .debug_info+0x%" PRIx64,
			variable->block->kind == DI_BLOCK_FUNCTION  ? "the body"
			: variable->block->kind == DI_BLOCK_INLINED ? "an inlined copy"
								    : "a block",
			variable->scope, dwarf_dieoffset(&block));
	}
}

struct entry_listing {
	const struct di_variable *variable;
	struct di_explanation *ret;
};

static void list_entry(void *arg, const struct di_place_entry *entry)
{
	const struct entry_listing *listing = arg;
	char text[600];
	di_op_text_all(&listing->variable->unit->expr, entry->data, entry->size, text, sizeof text);
	if (entry->is_default)
		add_line(&listing->ret->entries, "+0x%" PRIx64 " default: %s (%s)", entry->offset,
			*text ? text : "(empty)", entry->verdict);
	else
		add_line(&listing->ret->entries,
			"+0x%" PRIx64 " [0x%" PRIx64 ", 0x%" PRIx64 "): %s (%s)", entry->offset,
			entry->lo, entry->hi, *text ? text : "(empty)", entry->verdict);
}

static void explain_place(const struct di_place *place, struct di_explanation *ret)
{
	char text[600], words[DI_WORDS];
	switch (place->kind) {
	case DI_PLACE_NONE:
		add_line(&ret->die, "no DW_AT_location and no DW_AT_const_value");
		break;
	case DI_PLACE_CONSTANT:
		add_line(&ret->die, "DW_AT_const_value");
		break;
	case DI_PLACE_EXPR:
	case DI_PLACE_ELSEWHERE:
		if (place->section) {
			add_line(&ret->die, "DW_AT_location: list at %s+0x%" PRIx64, place->section,
				place->list);
			break;
		}
		di_op_text_all(
			place->expr.unit, place->expr.data, place->expr.size, text, sizeof text);
		add_line(&ret->die, "DW_AT_location: %s", *text ? text : "(empty expression)");
		break;
	case DI_PLACE_BAD:
		add_line(&ret->die, "its location cannot be read: %s",
			di_why_text(&place->why, words));
		break;
	}
}

static void note_step(void *arg, const struct di_expr_step *step)
{
	struct di_explanation *ret = arg;
	char stack[512], value[DI_VALUE_TEXT];
	struct di_text text = {.buf = stack, .size = sizeof stack};
	if (ret->steps.vec.len == STEPS_SHOWN)
		add_line(&ret->steps, "...");
	if (ret->steps.vec.len > STEPS_SHOWN)
		return;
	di_text_put(&text, "%s", "");
	for (size_t i = 0; i < step->count; i++)
		di_text_put(&text, "%s%s", i ? ", " : "", di_value_text(&step->stack[i], value));
	add_line(&ret->steps, "%*s%s  stack: %s", (int)(2 * step->depth), "", step->text,
		step->count ? stack : "(empty)");
}

static void note_caller(void *arg, const char *text)
{
	struct di_explanation *ret = arg;
	add_line(&ret->steps, "  %s", text);
}

/* Notes which entry values are asked for. */
static struct xs_error *note_entered(void *arg, const struct di_expr_source *source,
	struct di_expr_budget *budget, struct di_value *ret, struct di_answer *answer)
{
	struct di_context *context = arg;
	struct di_explanation *explanation = context->trace_arg;
	struct di_entered named = di_entered_of(source);
	if (named.kind == DI_ENTERED_REGISTER && named.reg < DI_REG_RIP)
		explanation->entered |= 1u << named.reg;
	return di_callsite_entry_value(context, source, budget, ret, answer);
}

/* --- leaves ----------------------------------------------------------------------------------- */

/* `table+8` for an address of the process, or NULL. */
static char *symbol_of(const struct di_view *view, xs_addr address)
{
	const struct di_mapping *mapping = view->target->find(view->target->arg, address);
	uint64_t offset = 0;
	const char *name =
		mapping ? di_symbol_at(mapping->module, address - mapping->bias, &offset) : NULL;
	if (!name)
		return NULL;
	return offset ? xs_asprintf("%s+%" PRIu64, name, offset) : xs_strdup(name);
}

struct leaf_listing {
	const struct di_view *view;
	struct di_explanation *ret;
	unsigned stars; /* in front of the path that was asked for */
};

/* The path of a leaf as C reads it: what follows `*p` binds closer than the star. */
static char *leaf_path(const struct leaf_listing *listing, const char *path)
{
	const char *asked = listing->ret->path, *rest = path + strlen(asked);
	const char *pointer = asked + strspn(asked, " *");
	if (!listing->stars || !*rest)
		return xs_strdup(path);
	if (listing->stars == 1 && *rest == '.' && !strchr(asked, '&'))
		return xs_asprintf("%s->%s", pointer, rest + 1);
	return xs_asprintf("(%s)%s", asked, rest);
}

static char *or_null(const char *text)
{
	return text && *text ? xs_strdup(text) : NULL;
}

static void note_leaf(void *arg, const struct di_leaf *leaf)
{
	const struct leaf_listing *listing = arg;
	char words[DI_WORDS];
	struct di_explained_leaf one = {.path = leaf_path(listing, leaf->path),
		.type = xs_strdup(leaf->type ? leaf->type->name : ""),
		.state = leaf->state,
		.value = leaf->state == DI_LEAF_VALUE ? xs_strdup(leaf->text) : NULL,
		.enumerator = or_null(leaf->name),
		.message = leaf->answer ? or_null(di_answer_text(leaf->answer, words)) : NULL};
	if (leaf->state == DI_LEAF_CUT)
		one.message = xs_asprintf("%" PRIu64 " more leaves", leaf->missing);
	if (leaf->state == DI_LEAF_VALUE && leaf->type->kind == DI_TYPE_POINTER && !leaf->pointer)
		one.symbol = symbol_of(listing->view, leaf->bits.limb[0]);
	if (leaf->pointer)
		add_line(&listing->ret->decoding,
			"%s points %" PRId64 " bytes into what .debug_info+0x%" PRIx64 " describes",
			leaf->path, leaf->pointer->pointer.offset, leaf->pointer->pointer.die);
	xs_vec_push(&listing->ret->leaves, one);
}

/* --- decoding --------------------------------------------------------------------------------- */

/* Shows the object's bytes where it is one piece of memory; of a bit-field, those that it is in. */
static void explain_bytes(const struct di_view *view, const struct di_part *part, uint64_t whole,
	struct di_explanation *ret)
{
	const struct di_location *location = part->location;
	uint8_t bytes[BYTES_SHOWN];
	char text[3 * BYTES_SHOWN + 8];
	uint64_t low = part->bit_offset % 8;
	if (part->bit_size)
		whole = (low + part->bit_size + 7) / 8;
	if (location->answer.state != DI_ANSWER_KNOWN || location->composite ||
		location->count != 1 || location->piece[0].kind != DI_PIECE_MEMORY || !whole)
		return;
	xs_addr address = location->piece[0].address + part->bit_offset / 8;
	size_t size = whole < BYTES_SHOWN ? (size_t)whole : BYTES_SHOWN;
	if (!view->target->memory(view->target->arg, address, bytes, size))
		return;
	struct di_text out = {.buf = text, .size = sizeof text};
	for (size_t i = 0; i < size; i++)
		di_text_put(&out, "%s%02x", i ? " " : "", bytes[i]);
	add_line(&ret->decoding, "%" PRIu64 " byte%s at 0x%" PRIx64 ": %s%s", whole,
		whole == 1 ? "" : "s", address, text, whole > size ? " ..." : "");
	if (!part->bit_size || part->bit_size > 64)
		return;
	char bits[65] = "";
	for (uint64_t i = 0; i < part->bit_size; i++) {
		uint64_t at = low + part->bit_size - 1 - i;
		bits[i] = bytes[at / 8] >> at % 8 & 1 ? '1' : '0';
	}
	add_line(&ret->decoding, "of these, bits %" PRIu64 " to %" PRIu64 ": %s", low,
		low + part->bit_size - 1, bits);
}

/* The attribute that says how many elements an array has, as it stands there. */
static void bound_text(struct di_module *module, const struct di_type *type, char *buf, size_t size)
{
	Dwarf_Die subrange = type->subrange, other;
	Dwarf_Attribute attr;
	Dwarf_Block block;
	bool counted = dwarf_hasattr(&subrange, DW_AT_count);
	struct di_text out = {.buf = buf, .size = size};
	di_text_put(&out, "%s of .debug_info+0x%" PRIx64,
		counted ? "DW_AT_count" : "DW_AT_upper_bound", dwarf_dieoffset(&subrange));
	if (!dwarf_attr_integrate(&subrange, counted ? DW_AT_count : DW_AT_upper_bound, &attr))
		return;
	char text[400];
	if (!dwarf_formblock(&attr, &block)) {
		di_op_text_all(&di_unit_of(module, &subrange)->expr, block.data, block.length, text,
			sizeof text);
		di_text_put(&out, ": %s", *text ? text : "(empty expression)");
	} else if (dwarf_formref_die(&attr, &other)) {
		di_text_put(&out, ": the value of .debug_info+0x%" PRIx64, dwarf_dieoffset(&other));
	}
}

/* The bounds of an array that are worked out, dimension by dimension. *whole is its size. */
static struct xs_error *explain_bounds(struct di_context *context, const struct di_part *part,
	uint64_t *whole, struct di_explanation *ret)
{
	struct di_answer answer;
	struct xs_error *err;
	uint64_t count, stride;
	xs_addr at;
	char text[600];
	bool placed = di_location_address(part->location, part->bit_offset, &at);
	const xs_addr *object = placed ? &at : NULL;
	for (const struct di_type *type = part->type; type->kind == DI_TYPE_ARRAY && !type->problem;
		type = type->target) {
		bool first = type == part->type;
		if (!type->count_dynamic && !(first && !type->size_known))
			continue;
		if ((err = di_array_count(&context->leaf, type, object, &count, &answer)))
			return err;
		if (answer.state != DI_ANSWER_KNOWN)
			return NULL;
		if (type->count_dynamic) {
			bound_text(context->mapping->module, type, text, sizeof text);
			add_line(&ret->decoding,
				"%s has %" PRIu64 " elements here, from [%" PRId64 "] on: %s",
				type->name, count, type->lower, text);
		}
		if (!first)
			continue;
		if ((err = di_array_stride(&context->leaf, type, object, &stride, &answer)))
			return err;
		if (answer.state == DI_ANSWER_KNOWN && !type->data_elsewhere &&
			__builtin_mul_overflow(count, stride / 8, whole))
			*whole = 0;
	}
	return NULL;
}

static void explain_type(const struct di_part *part, struct di_explanation *ret)
{
	const struct di_type *type = part->type;
	char base[DI_BASE_TEXT];
	unsigned fields = 0;
	if (type->kind == DI_TYPE_BASE || type->kind == DI_TYPE_ENUM ||
		type->kind == DI_TYPE_POINTER) {
		struct di_base shown = type->base;
		if (part->bit_size)
			shown.bits = (unsigned)part->bit_size;
		add_line(&ret->decoding, "%s%s read as %s", type->name,
			part->bit_size ? ", a bit-field, is" : " is", di_base_text(&shown, base));
	} else if (type->size_known) {
		add_line(&ret->decoding, "%s is %" PRIu64 " bytes", type->name, type->size);
	}
	if (type->kind != DI_TYPE_STRUCT && type->kind != DI_TYPE_UNION)
		return;
	for (size_t i = 0; i < type->members.len && fields < FIELDS_SHOWN; i++) {
		const struct di_member *member = &type->members.data[i];
		if (!member->bit_field || member->dynamic_offset)
			continue;
		fields++;
		add_line(&ret->decoding,
			"%s is %" PRIu64 " bits, from bit %" PRIu64 " of byte %" PRIu64 " on",
			member->name ? member->name : "(unnamed)", member->bit_size,
			member->bit_offset % 8, member->bit_offset / 8);
	}
}

static void note_way(void *arg, const char *text)
{
	struct di_context *context = arg;
	struct di_explanation *ret = context->trace_arg;
	add_line(&ret->decoding, "%s", text);
}

/* --- paths ------------------------------------------------------------------------------------ */

/* What an implicit pointer points to. */
static struct xs_error *follow_implicit(void *arg, const struct di_piece *pointer,
	const struct di_type **type, struct di_location *location, struct di_answer *answer)
{
	struct di_context *context = arg;
	struct di_module *module = context->mapping->module;
	Dwarf_Die die;
	struct di_place place;
	if (!dwarf_offdie(module->dwarf, pointer->pointer.die, &die)) {
		di_answer_error(answer, DI_WHY_NO_DIE, .number = {pointer->pointer.die});
		return NULL;
	}
	*type = di_type_of(module->types, &die);
	di_place_of_variable(di_unit_of(module, &die), &die,
		context->stack->frames.data[context->frame].lookup, &place, NULL, NULL);
	return di_context_locate(context, &place, location);
}

/* Flattens the part of the variable that the path behind its name means. stars and address are
 * what stands before it. */
static struct xs_error *explain_part(struct di_view *view, struct di_context *context,
	const struct di_type *type, struct di_location *location, const char *rest, unsigned stars,
	bool address, uint64_t max_leaves, struct di_explanation *ret)
{
	struct di_path_host host = {
		.leaf = &context->leaf, .deref = follow_implicit, .note = note_way, .arg = context};
	struct di_part part = {.type = type, .location = location};
	struct di_answer answer;
	struct xs_error *err;
	di_answer_known(&answer);
	if (*rest && (err = di_path_follow(&host, rest, &part, &answer)))
		return err;
	for (unsigned i = 0; i < stars && answer.state == DI_ANSWER_KNOWN; i++)
		if ((err = di_path_deref(&host, &part, &answer)))
			return err;
	if (answer.state == DI_ANSWER_ERROR) {
		char words[DI_WORDS];
		ret->absent = xs_strdup(di_answer_text(&answer, words));
		return NULL;
	}
	if (answer.state == DI_ANSWER_OPTIMIZED_OUT)
		di_answer_copy(&location->answer, &answer);
	char text[400];
	free(ret->location);
	ret->location = xs_strdup(di_location_text(location, text, sizeof text));
	if (address) {
		struct di_explained_leaf one = {
			.path = xs_strdup(ret->path), .type = xs_asprintf("%s *", part.type->name)};
		xs_addr at;
		if (part.bit_size) {
			one.state = DI_LEAF_ERROR;
			one.message = xs_strdup("a bit-field has no address");
		} else if (di_location_address(location, part.bit_offset, &at)) {
			one.value = xs_asprintf("0x%" PRIx64, at);
			one.symbol = symbol_of(view, at);
		} else {
			one.state = DI_LEAF_ERROR;
			one.message = xs_strdup("it is not in memory, and has no address");
		}
		xs_vec_push(&ret->leaves, one);
		return NULL;
	}
	uint64_t whole = part.type->size_known ? part.type->size : 0;
	if ((err = explain_bounds(context, &part, &whole, ret)))
		return err;
	explain_bytes(view, &part, whole, ret);
	explain_type(&part, ret);
	struct leaf_listing listing = {view, ret, stars};
	struct di_leaf_request request = {.host = &context->leaf,
		.path = ret->path,
		.type = part.type,
		.location = location,
		.bit_offset = part.bit_offset,
		.bit_size = part.bit_size,
		.max_leaves = max_leaves,
		.on_leaf = note_leaf,
		.arg = &listing};
	return di_leaves(&request);
}

/* Whether it is at the same place in every call of its function. */
static bool is_static(const struct di_place *place)
{
	struct di_op op;
	struct di_answer ignored;
	di_answer_known(&ignored);
	return place->kind == DI_PLACE_CONSTANT ||
	       (place->kind == DI_PLACE_EXPR && place->expr.size &&
		       di_op_decode(place->expr.unit, place->expr.data, place->expr.size, 0, &op,
			       &ignored) &&
		       op.info->class == DI_OP_ADDRESS);
}

/* Moves *context and *variable from a nested function to the call around it that has the variable;
 * without one, the answer says why. */
static struct xs_error *go_around(struct di_view *view, unsigned frame, unsigned level,
	struct di_context *context, const struct di_variable **variable, struct di_explanation *ret,
	struct di_answer *answer)
{
	struct di_instance call;
	struct xs_error *err =
		di_enclosing_find(context, view->frames.data[frame].index, level, &call, answer);
	const struct di_block *function = (*variable)->block;
	while (function->outer && function->kind == DI_BLOCK_LEXICAL)
		function = function->outer;
	ret->around = function->name ? function->name : "a function";
	if (err || answer->state != DI_ANSWER_KNOWN)
		return err;
	const struct di_variable *found = di_enclosing_variable(&call, *variable);
	if (!found) {
		di_answer_error(answer, DI_WHY_STATIC_LINK_NO_VARIABLE, .text = {call.block->name});
		return NULL;
	}
	*variable = found;
	di_context_init(context, view->target, &view->stack, call.frame);
	for (unsigned i = frame; i < view->frames.len; i++)
		if (view->frames.data[i].physical == call.frame &&
			view->frames.data[i].index == call.activation)
			ret->frame = i;
	ret->found_around = true;
	return NULL;
}

static void begin_notes(struct di_context *context, struct di_explanation *ret)
{
	context->trace = note_step;
	context->trace_arg = ret;
	context->note = note_caller;
	context->expr.entry_value = note_entered;
}

static struct xs_error *explain(struct di_view *view, unsigned frame,
	const struct di_visible *visible, const char *rest, unsigned stars, bool address,
	uint64_t max_leaves, struct di_explanation *ret)
{
	const struct di_variable *variable = visible->variable;
	struct di_view_frame at = view->frames.data[frame];
	struct entry_listing listing = {.ret = ret};
	struct di_context context;
	struct di_place place;
	struct di_location location = {0};
	struct di_answer around;
	struct xs_error *err = NULL;
	char text[800];
	ret->frame = frame;
	ret->shadowed = visible->shadowed;
	ret->declared = visible->declared;
	ret->by_place = visible->by_place;
	di_context_init(&context, view->target, &view->stack, at.physical);
	di_answer_known(&around);
	begin_notes(&context, ret);
	if (visible->level &&
		(err = go_around(view, frame, visible->level, &context, &variable, ret, &around)))
		return err;
	begin_notes(&context, ret);
	ret->variable = listing.variable = variable;
	Dwarf_Die die = variable->die;
	explain_die(variable, ret);
	di_place_of_variable(variable->unit, &die, view->stack.frames.data[context.frame].lookup,
		&place, list_entry, &listing);
	explain_place(&place, ret);
	if (around.state == DI_ANSWER_KNOWN || is_static(&place))
		err = di_context_locate(&context, &place, &location);
	else
		di_answer_copy(&location.answer, &around);
	if (err)
		return err;
	context.trace = NULL;
	context.note = NULL;
	ret->location = xs_strdup(di_location_text(&location, text, sizeof text));
	return explain_part(
		view, &context, variable->type, &location, rest, stars, address, max_leaves, ret);
}

struct xs_error *di_explain_variable(struct di_view *view, unsigned frame,
	const struct di_visible *visible, uint64_t max_leaves, struct di_explanation *ret)
{
	*ret = (struct di_explanation){.path = xs_strdup(visible->variable->name)};
	return explain(view, frame, visible, "", 0, false, max_leaves, ret);
}

/* The variable of that name as seen from a frame: the one that a compiler would mean, else one that
 * is hidden or not yet declared, else one at file scope that may be written so. */
static bool find_variable(const struct di_view_frame *at, const char *name, struct di_visible *ret,
	const char **nearest)
{
	struct xs_nearest near = xs_nearest_to(name);
	bool found = false, fits = false;
	struct di_visible visible;
	for (size_t i = 0; at->scopes && di_scopes_next(at->scopes, at->index, &i, &visible);) {
		const char *its = visible.variable->name;
		xs_nearest_try(&near, its);
		if (strcmp(its, name)) {
			if (!found && !fits && strstr(its, "::") && di_name_fits(its, name)) {
				*ret = visible;
				fits = true;
			}
			continue;
		}
		bool good = !visible.shadowed && visible.declared == DI_DECLARED_YES;
		if (good || !found)
			*ret = visible;
		found = true;
		if (good)
			return true;
	}
	*nearest = near.best;
	return found || fits;
}

/* Whether what follows a variable's name is `.f`, `->q`, `::f`, `[2]` any number of times. */
static bool is_path(const char *rest)
{
	while (*(rest += strspn(rest, " \t"))) {
		char *end;
		if (*rest == '[') {
			errno = 0;
			strtoll(rest + 1, &end, 0);
			if (end == rest + 1 || errno)
				return false;
			rest = end + strspn(end, " \t");
			if (*rest++ != ']')
				return false;
			continue;
		}
		if (*rest != '.' && strncmp(rest, "->", 2) != 0 && strncmp(rest, "::", 2) != 0)
			return false;
		rest += *rest == '.' ? 1 : 2;
		rest += strspn(rest, " \t");
		const char *name = rest;
		while (isalnum((unsigned char)*rest) || *rest == '_' || *rest == '$' ||
			*rest == '#' || (unsigned char)*rest >= 0x80)
			rest++;
		/* v.0 of Rust is a name, too. */
		if (rest == name || (isdigit((unsigned char)*name) &&
					    name + strspn(name, "0123456789") != rest))
			return false;
	}
	return true;
}

/* A path in which `(*p).f` is written `p[0].f`: it means the same, and has the variable first. */
static char *without_parentheses(const char *path)
{
	const char *open = path + strspn(path, "*& \t"), *at = open;
	const char *close = strchr(path, ')');
	size_t stars = 0;
	if (*open != '(' || !close || di_name_length(open))
		return xs_strdup(path);
	for (at++; *at == '*' || *at == ' '; at++)
		stars += *at == '*';
	char *ret = xs_asprintf("%.*s%.*s", (int)(open - path), path, (int)(close - at), at);
	for (; stars; stars--) {
		char *longer = xs_asprintf("%s[0]", ret);
		free(ret);
		ret = longer;
	}
	char *whole = xs_asprintf("%s%s", ret, close + 1);
	free(ret);
	return whole;
}

struct xs_error *di_explain_path(struct di_view *view, unsigned frame, const char *path,
	uint64_t max_leaves, struct di_explanation *ret)
{
	XS_AUTO_FREE char *plain = without_parentheses(path);
	const char *at = plain, *nearest = NULL;
	unsigned stars = 0;
	bool address = false;
	struct di_visible visible;
	*ret = (struct di_explanation){.path = xs_strdup(path), .frame = frame};
	for (; *at == '*' || *at == '&' || *at == ' '; at++) {
		if (*at == '&' && address)
			return xs_error_create("'%s': an address has no address", path);
		/* &*p and *&p are p. */
		if (*at == '&' && stars)
			stars--;
		else if (*at == '&')
			address = true;
		else if (*at == '*' && address)
			address = false;
		else if (*at == '*')
			stars++;
	}
	size_t length = di_name_length(at);
	if (!length || !is_path(at + length))
		return xs_error_create("'%s' is not a path to a variable", path);
	XS_AUTO_FREE char *name = xs_asprintf("%.*s", (int)length, at);
	if (!find_variable(&view->frames.data[frame], name, &visible, &nearest)) {
		ret->absent = xs_asprintf("no variable '%s' is visible there%s%s%s", name,
			nearest ? "; the nearest name is '" : "", nearest ? nearest : "",
			nearest ? "'" : "");
		return NULL;
	}
	return explain(view, frame, &visible, at + length, stars, address, max_leaves, ret);
}
