#include "dwarf/replayed.h"

#include <dwarf.h>

#include "dwarf/attribute.h"
#include "dwarf/name_text.h"
#include "dwarf/op.h"
#include "dwarf/scope_mistake.h"
#include "dwarf/text.h"
#include "dwarf/view.h"

enum { QUOTED = 600, BYTES_QUOTED = 24, DEPTH_MAX = 200 };

/* --- the frame --- */

static const char *last_of(const char *scope)
{
	return scope ? di_name_in_scope(scope) : NULL;
}

static bool is_of(const struct di_view_frame *frame, const char *function)
{
	return frame->function && function && !strcmp(frame->function, function);
}

static unsigned rank_of(const struct di_view *view, size_t number, const char *function)
{
	unsigned rank = 0;
	for (size_t i = number; i < view->frames.len; i++)
		rank += is_of(&view->frames.data[i], function);
	return rank;
}

/* The frame that has the variable. Its number may be that of somebody who shows more frames; its
 * function and rank do not lie. */
static bool find_frame(const struct di_replay *replay, const struct di_view *view, size_t *ret)
{
	const char *function = last_of(replay->scope);
	*ret = replay->global ? 0 : replay->frame;
	if (replay->global || !function || !*function)
		return *ret < view->frames.len;
	if (*ret < view->frames.len && is_of(&view->frames.data[*ret], function) &&
		(!replay->rank || rank_of(view, *ret, function) == replay->rank))
		return true;
	for (*ret = 0; *ret < view->frames.len; ++*ret)
		if (is_of(&view->frames.data[*ret], function) &&
			(!replay->rank || rank_of(view, *ret, function) == replay->rank))
			return true;
	return false;
}

/* --- the variable --- */

static bool is_it(const struct di_replay *replay, const struct di_variable *variable)
{
	return !strcmp(variable->name, replay->name) &&
	       (!replay->line || !variable->line || variable->line == replay->line);
}

/* A global of that name: what a declaration of it means. */
static const struct di_variable *defined(
	const struct di_scopes *scopes, const struct di_variable *variable)
{
	const struct di_globals *globals = di_scopes_file(scopes)->globals;
	for (size_t i = 0; i < globals->list.len; i++)
		if (!strcmp(globals->list.data[i]->name, variable->name))
			return globals->list.data[i];
	return variable;
}

static bool is_mere_declaration(const struct di_variable *variable)
{
	Dwarf_Die die = variable->die;
	return dwarf_hasattr(&die, DW_AT_declaration) &&
	       !di_hasattr_integrate(&die, DW_AT_location) &&
	       !di_hasattr_integrate(&die, DW_AT_const_value);
}

static int is_data16(Dwarf_Attribute *attr, void *arg)
{
	*(bool *)arg |= dwarf_whatform(attr) == DW_FORM_data16;
	return DWARF_CB_OK;
}

static bool has_data16(Dwarf_Die *die, unsigned depth)
{
	Dwarf_Die child;
	bool ret = false;
	dwarf_getattrs(die, is_data16, &ret, 0);
	if (ret || depth > DEPTH_MAX || dwarf_child(die, &child))
		return ret;
	do
		ret = has_data16(&child, depth + 1);
	while (!ret && !dwarf_siblingof(&child, &child));
	return ret;
}

/* lldb cannot read a unit in which an attribute has this form. */
static bool unit_has_data16(const struct di_unit *unit)
{
	Dwarf_Die die;
	uint64_t *known = xs_map_at(&unit->module->scopes->data16, (uintptr_t)unit->cu, 0);
	if (!*known)
		*known = dwarf_cu_die(unit->cu, &die, NULL, NULL, NULL, NULL, NULL, NULL) &&
					 has_data16(&die, 0)
				 ? 1
				 : 2;
	return *known == 1;
}

/* What lldb has no variables of. */
static bool is_unlisted(const struct di_replay *replay, const struct di_scopes *scopes,
	const struct di_variable *variable, const struct di_place *place)
{
	const struct di_block *root =
		scopes->activations.len
			? scopes->activations.data[scopes->activations.len - 1].function
			: NULL;
	Dwarf_Die die = variable->die, origin = {0};
	Dwarf_Attribute attr;
	bool of_concrete = dwarf_attr(&die, DW_AT_abstract_origin, &attr) != NULL;
	bool abstract =
		variable->block && !of_concrete &&
		dwarf_hasattr((origin = variable->block->die, &origin), DW_AT_abstract_origin);
	switch (replay->mistake) {
	case DI_MISTAKE_LLDB_SPLIT_FUNCTION:
		return variable->block && root && root->ranges.vec.len > 1;
	case DI_MISTAKE_LLDB_NO_LOCATION:
		return place->kind == DI_PLACE_NONE && (!variable->parameter || abstract);
	case DI_MISTAKE_LLDB_DATA16:
		return unit_has_data16(variable->unit);
	case DI_MISTAKE_LLDB_ABSTRACT_ONLY:
		return abstract;
	default:
		return false;
	}
}

static struct di_visible find_local(const struct di_replay *replay, const struct di_scopes *scopes,
	const struct di_activation *wanted)
{
	const void *function = wanted ? wanted->function->die.addr : NULL;
	unsigned nth = replay->nth;
	for (size_t i = 0; i < scopes->locals.len; i++) {
		const struct di_visible *visible = &scopes->locals.data[i];
		const struct di_activation *activation =
			&scopes->activations.data[visible->activation];
		/* A frame that is left out by mistake lists nothing. */
		if (visible->activation < scopes->framed &&
			activation->function->die.addr == function &&
			is_it(replay, visible->variable) && !nth--)
			return *visible;
	}
	return (struct di_visible){0};
}

static struct di_visible find_global(const struct di_replay *replay, const struct di_scopes *scopes)
{
	const struct di_globals *globals = di_scopes_file(scopes)->globals;
	for (size_t i = 0; i < globals->list.len; i++) {
		const struct di_variable *variable = globals->list.data[i];
		bool scoped = replay->scope && *replay->scope;
		if (is_it(replay, variable) && (!scoped || !strcmp(variable->scope, replay->scope)))
			return di_scopes_global(scopes, i);
	}
	return (struct di_visible){0};
}

/* --- the leaf --- */

static bool is_around(const char *whole, const char *path)
{
	size_t length = strlen(whole);
	return !strncmp(whole, path, length) && (path[length] == '.' || path[length] == '[');
}

static void on_leaf(void *arg, const struct di_leaf *leaf)
{
	struct di_replay *replay = arg;
	bool exact = !strcmp(leaf->path, replay->path);
	if (replay->told || leaf->state == DI_LEAF_CUT ||
		(!exact && (leaf->state == DI_LEAF_VALUE || !is_around(leaf->path, replay->path))))
		return;
	replay->told = true;
	replay->state = leaf->state;
	if (leaf->state == DI_LEAF_VALUE) {
		replay->text = xs_strdup(leaf->text);
		return;
	}
	replay->why = leaf->answer ? leaf->answer->why.code : DI_WHY_NONE;
	replay->leftover = replay->why == DI_WHY_REGISTER_NOT_SAVED;
	if (replay->leftover)
		replay->reg = (unsigned)leaf->answer->why.number[0];
}

/* `.debug_loclists+0x1a: 91 a8 7f: DW_OP_fbreg -88` */
static char *quote(const struct di_place *place)
{
	char *ret = xs_calloc(1, QUOTED), expr[400];
	struct di_text text = {.buf = ret, .size = QUOTED};
	const struct di_expr_source *source = &place->expr;
	if (place->kind != DI_PLACE_EXPR) {
		free(ret);
		return NULL;
	}
	if (source->section)
		di_text_put(&text, "%s+0x%" PRIx64 ":", source->section, source->offset);
	for (size_t i = 0; i < source->size && i < BYTES_QUOTED; i++)
		di_text_put(&text, " %02x", source->data[i]);
	if (source->size > BYTES_QUOTED)
		di_text_put(&text, " ...");
	di_op_text_all(source->unit, source->data, source->size, expr, sizeof expr);
	di_text_put(&text, ": %s", expr);
	return ret;
}

static struct xs_error *look(struct di_replay *replay, struct di_view *view, size_t number,
	const struct di_scopes *scopes, const struct di_variable *variable)
{
	const struct di_view_frame *frame = &view->frames.data[number];
	/* gdb goes by the symbol table. */
	if (is_mere_declaration(variable) && replay->mistake == DI_MISTAKE_GDB_DECLARATION)
		variable = defined(scopes, variable);
	Dwarf_Die die = variable->die;
	struct di_location *location = xs_calloc(1, sizeof *location);
	struct di_context context;
	struct di_place place;
	di_context_init(&context, view->target, &view->stack, frame->physical);
	di_context_mistake(&context, replay->mistake);
	context.inlined = frame->inlined;
	di_place_mistaken(variable->unit, &die, variable->block ? scopes->pc : 0,
		context.function ? context.function->entry : XS_ADDR_NONE, replay->mistake, &place);
	if (is_unlisted(replay, scopes, variable, &place)) {
		replay->listed = false;
		free(location);
		return NULL;
	}
	struct di_leaf_request request = {.host = &context.leaf,
		.path = variable->name,
		.type = variable->type,
		.location = location,
		.max_leaves = replay->max_leaves,
		.on_leaf = on_leaf,
		.arg = replay,
		.enough = &replay->told};
	struct xs_error *err = di_context_locate(&context, &place, location);
	if (!err)
		err = di_leaves(&request);
	replay->quoted = quote(&place);
	free(location);
	return err;
}

/* The call that the frame is in. */
static void find_call(struct di_replay *replay, const struct di_view *view, size_t physical)
{
	uint8_t bytes[DI_REG_BYTES];
	unsigned size;
	const struct di_frame *frame = &view->stack.frames.data[physical];
	replay->leftover = physical && frame[-1].cfa_known &&
			   view->target->reg(view->target->arg, replay->reg, bytes, &size);
	if (!replay->leftover)
		return;
	replay->now = di_wide_from_bytes(bytes, size).limb[0];
	replay->behind = frame->pc - frame->mapping->bias;
	replay->module = frame->mapping->module;
	replay->sp = frame[-1].cfa;
}

struct xs_error *di_replay(struct di_replay *replay, struct di_view *view)
{
	size_t number;
	if (!find_frame(replay, view, &number))
		return NULL;
	const struct di_view_frame *frame = &view->frames.data[number];
	if (!frame->scopes)
		return NULL;
	struct di_module *module = view->stack.frames.data[frame->physical].mapping->module;
	const struct di_scopes *scopes =
		replay->mistake ? di_scopes_mistaken(module, frame->scopes->pc, replay->mistake)
				: frame->scopes;
	replay->there = true;
	struct di_visible visible = replay->global ? find_global(replay, scopes)
						   : find_local(replay, scopes, frame->activation);
	struct xs_error *err = NULL;
	if (visible.variable) {
		replay->listed = true;
		replay->shadowed = visible.shadowed;
		err = look(replay, view, number, scopes, visible.variable);
	}
	if (replay->leftover)
		find_call(replay, view, frame->physical);
	return err;
}

bool di_replay_moves(enum di_mistake mistake)
{
	return mistake == DI_MISTAKE_LLDB_CFA_RESTORE;
}

bool di_replay_frames_differ(enum di_mistake mistake)
{
	return di_replay_moves(mistake) || di_scope_way(mistake) != DI_SCOPE_PLAIN ||
	       mistake == DI_MISTAKE_LLDB_SPLIT_FUNCTION;
}

static bool is_same_frame(const struct di_frame *a, const struct di_frame *b)
{
	return a->pc == b->pc && a->mapping == b->mapping && a->lookup == b->lookup &&
	       a->signal == b->signal && a->cfa_known == b->cfa_known && a->cfa == b->cfa &&
	       a->known == b->known && !memcmp(a->value, b->value, sizeof a->value);
}

bool di_replay_is_same(const struct di_view *a, const struct di_view *b)
{
	if (a->stack.frames.len != b->stack.frames.len || a->stack.end != b->stack.end ||
		a->stack.reason.state != b->stack.reason.state ||
		a->stack.reason.why.code != b->stack.reason.why.code)
		return false;
	for (size_t i = 0; i < a->stack.frames.len; i++)
		if (!is_same_frame(&a->stack.frames.data[i], &b->stack.frames.data[i]))
			return false;
	return true;
}

struct xs_error *di_replay_open(
	struct di_view *view, const struct di_target *target, enum di_mistake mistake)
{
	view->stack.mistake = mistake;
	return di_view_open(view, target, true);
}

/* The functions of one physical frame. */
static void put_functions(const struct di_frame *frame, enum di_mistake mistake, FILE *out)
{
	struct di_module *module = frame->mapping->module;
	const struct di_scopes *scopes = di_scopes_mistaken(module, frame->lookup, mistake);
	size_t count = scopes->activations.len, first = 0;
	/* Of a function in several stretches lldb has the symbol, and nothing that is inside. */
	if (mistake == DI_MISTAKE_LLDB_SPLIT_FUNCTION && count &&
		scopes->activations.data[count - 1].function->ranges.vec.len > 1)
		first = count - 1;
	for (size_t i = first; i < scopes->framed; i++) {
		/* Where lldb does not get any further it has the name of the function that all of
		 * it is inlined into. */
		size_t named = i + 1 < scopes->framed ? i : i + count - scopes->framed;
		const char *name = scopes->activations.data[named].function->name;
		fprintf(out, "%s%s", ftell(out) ? " < " : "", name ? name : "?");
	}
}

struct xs_error *di_replay_frames(
	const struct di_target *target, enum di_mistake mistake, char **ret)
{
	struct di_stack stack = {.mistake = mistake};
	struct xs_error *err = di_stack_walk(target, &stack);
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	xs_assert(out);
	for (size_t i = 0; !err && i < stack.frames.len; i++)
		if (stack.frames.data[i].mapping)
			put_functions(&stack.frames.data[i], mistake, out);
	xs_assert(!fclose(out));
	di_stack_deinit(&stack);
	if (err)
		free(text);
	else
		*ret = text;
	return err;
}

void di_replay_deinit(struct di_replay *replay)
{
	free(replay->text);
	free(replay->quoted);
}
