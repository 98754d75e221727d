#include "dwarf/scope.h"

#include <dwarf.h>

#include "base/path.h"
#include "dwarf/attribute.h"
#include "dwarf/gaps.h"
#include "dwarf/name.h"
#include "dwarf/nested.h"
#include "dwarf/place.h"
#include "dwarf/ranges.h"
#include "dwarf/scope_mistake.h"
#include "dwarf/variable.h"

enum { WRONGS_MAX = 4096 }; /* scopes with a mistake that are kept */

/* --- blocks ----------------------------------------------------------------------------------- */

static void read_ranges(struct di_module *module, Dwarf_Die *die, struct di_block *block)
{
	const struct di_unit *unit = di_unit_of(module, die);
	struct di_ranges ranges;
	struct xs_range range;
	di_ranges_open(&ranges, unit, die);
	while (di_ranges_next(&ranges, &range))
		xs_ranges_add(&block->ranges, range.lo, range.hi); /* empty ones are not added */
	xs_ranges_normalise(&block->ranges);
	if (!di_ranges_entry(unit, die, &block->entry) ||
		!xs_ranges_find(&block->ranges, block->entry))
		block->entry = block->ranges.vec.len ? block->ranges.vec.data[0].lo : 0;
}

static const char *scope_of(const struct di_block *block)
{
	while (block->kind == DI_BLOCK_LEXICAL)
		block = block->outer;
	return block->scope;
}

/* Adds die to the block, if it is a variable or declares one that is elsewhere. */
static bool add_variable(struct di_module *module, struct di_block *block, Dwarf_Die *die)
{
	bool variable = di_is_variable(module, die);
	if (!variable && !di_is_extern(module, die))
		return false;
	struct di_variable one = di_variable_describe(module, die, block, scope_of(block));
	if (variable)
		xs_vec_push(&block->variables, one);
	else
		xs_vec_push(&block->externs, one);
	return true;
}

/* Notes which abstract variables the entries below die are instances of, in inner blocks too. */
static void note_origins(Dwarf_Die *die, unsigned depth, struct xs_map *noted)
{
	Dwarf_Die child, origin;
	if (depth > DI_SCOPE_DEPTH || dwarf_child(die, &child))
		return;
	do {
		int tag = dwarf_tag(&child);
		origin = child;
		if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter)
			for (unsigned i = 0; i < DI_ORIGINS && di_variable_origin(&origin, &origin);
				i++)
				*xs_map_at(noted, (uintptr_t)origin.addr, 0) = 1;
		else
			note_origins(&child, depth + 1, noted);
	} while (!dwarf_siblingof(&child, &child));
}

/* Adds the variables that an abstract instance of the block lists and the block itself, with all
 * that is inside, does not (rule 2). */
static void inherit_variables(struct di_module *module, struct di_block *block, Dwarf_Die *die)
{
	Dwarf_Die abstract = *die, child;
	struct xs_map noted = {0};
	if (dwarf_hasattr(die, DW_AT_abstract_origin))
		note_origins(die, 0, &noted);
	for (unsigned i = 0; i < DI_ORIGINS && di_variable_origin(&abstract, &abstract); i++) {
		for (int end = dwarf_child(&abstract, &child); !end;
			end = dwarf_siblingof(&child, &child))
			if (!xs_map_find(&noted, (uintptr_t)child.addr, 0))
				add_variable(module, block, &child);
		note_origins(&abstract, 0, &noted);
	}
	xs_map_deinit(&noted);
}

/* Adds the variables of an abstract entry, and of the blocks without code in it. */
static void inherit_entry(
	struct di_module *module, struct di_block *block, Dwarf_Die *die, unsigned depth)
{
	Dwarf_Die child;
	if (add_variable(module, block, die))
		return;
	if (!di_scope_is_transparent(die) || depth > DI_SCOPE_DEPTH || dwarf_child(die, &child))
		return;
	do
		inherit_entry(module, block, &child, depth + 1);
	while (!dwarf_siblingof(&child, &child));
}

/* The same as gdb does it, on purpose: it looks only at the direct children of both. */
static void inherit_shallowly(struct di_module *module, struct di_block *block, Dwarf_Die *die)
{
	Dwarf_Die abstract, child;
	struct xs_map noted = {0};
	if (!di_variable_origin(die, &abstract))
		return;
	di_scope_note_children(die, &abstract, &noted);
	for (int end = dwarf_child(&abstract, &child); !end; end = dwarf_siblingof(&child, &child))
		if (!xs_map_find(&noted, (uintptr_t)child.addr, 0))
			inherit_entry(module, block, &child, 0);
	xs_map_deinit(&noted);
}

static struct di_block *build(struct di_module *module, Dwarf_Die *die, enum di_block_kind kind,
	struct di_block *outer, unsigned depth);

/* Adds what the children of die declare to block. hollow: die itself has no code, so that only
 * blocks further inside may count. */
static void add_children(struct di_module *module, Dwarf_Die *die, struct di_block *block,
	bool hollow, unsigned depth)
{
	Dwarf_Die child;
	if (depth > DI_SCOPE_DEPTH || di_gaps_child(module, die, &child))
		return;
	do {
		struct di_block *inner = NULL;
		switch (dwarf_tag(&child)) {
		case DW_TAG_formal_parameter:
		case DW_TAG_variable:
			if (!hollow)
				add_variable(module, block, &child);
			break;
		case DW_TAG_common_block: /* a name for storage; its variables are the function's */
			add_children(module, &child, block, hollow, depth + 1);
			break;
		case DW_TAG_inlined_subroutine:
			inner = build(module, &child, DI_BLOCK_INLINED, block, depth + 1);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_try_block:
		case DW_TAG_catch_block:
			inner = build(module, &child, DI_BLOCK_LEXICAL, block, depth + 1);
			if (!inner)
				add_children(module, &child, block,
					hollow || !di_scope_has_hollow(
							  module->scopes->mistake, &child),
					depth + 1);
			break;
		default:
			break;
		}
		if (inner)
			xs_vec_push(&block->inner, inner);
	} while (!di_gaps_sibling(module, &child, &child));
}

static void block_destroy(struct di_block *block)
{
	for (size_t i = 0; i < block->inner.len; i++)
		block_destroy(block->inner.data[i]);
	xs_vec_deinit(&block->inner);
	xs_vec_deinit(&block->variables);
	xs_vec_deinit(&block->externs);
	xs_ranges_deinit(&block->ranges);
	free(block->scope);
	free(block);
}

/* The tree below die; NULL if it has no code. */
static struct di_block *build(struct di_module *module, Dwarf_Die *die, enum di_block_kind kind,
	struct di_block *outer, unsigned depth)
{
	struct di_block *block = xs_calloc(1, sizeof *block);
	block->kind = kind;
	block->die = *die;
	block->outer = outer;
	block->unit = di_unit_of(module, die);
	block->home = kind == DI_BLOCK_LEXICAL ? outer->home : di_home_of(module, die);
	read_ranges(module, die, block);
	if (!block->ranges.vec.len) {
		block_destroy(block);
		return NULL;
	}
	if (kind != DI_BLOCK_LEXICAL) {
		block->name = di_name_of_function(module, die);
		block->scope = xs_asprintf("%s%s%s", outer ? scope_of(outer) : "", outer ? "/" : "",
			block->name ? block->name : "");
	}
	if (kind == DI_BLOCK_INLINED) {
		block->call_file = di_die_file(module, die, DW_AT_call_file);
		block->call_line = di_die_number(die, DW_AT_call_line);
		block->call_column = di_die_number(die, DW_AT_call_column);
	}
	add_children(module, die, block, false, depth);
	if (di_scope_is_shallow(module->scopes->mistake))
		inherit_shallowly(module, block, die);
	else
		inherit_variables(module, block, die);
	return block;
}

/* --- what a pc selects ------------------------------------------------------------------------ */

/* The tree of the function at a pc, as a mistake has it. */
static const struct di_block *function_at(
	struct di_module *module, xs_addr pc, enum di_mistake mistake)
{
	struct di_scope_tables *tables = module->scopes;
	const struct di_function *function = di_functions_find_debug(module->functions, pc);
	if (!function)
		return NULL;
	Dwarf_Die die = function->die;
	/* Two skeletons of one split unit have the same bytes, and a unit each. */
	uint64_t *index = xs_map_at(&tables->functions[di_scope_tree(di_scope_way(mistake))],
		(uintptr_t)die.addr, (uintptr_t)die.cu);
	if (!*index) {
		tables->mistake = mistake;
		struct di_block *root = build(module, &die, DI_BLOCK_FUNCTION, NULL, 0);
		tables->mistake = DI_MISTAKE_NONE;
		if (!root)
			return NULL;
		xs_vec_push(&tables->roots, root);
		*index = tables->roots.len;
	}
	return tables->roots.data[*index - 1];
}

static const struct di_block *innermost_at(
	const struct di_block *block, xs_addr pc, enum di_mistake mistake)
{
	for (size_t i = 0; i < block->inner.len; i++) {
		const struct di_block *inner = block->inner.data[i];
		if (mistake == DI_MISTAKE_LLDB_EMPTY_SCOPE_RANGE
				? di_scope_holds_by_half(inner->unit, &inner->die, pc)
				: xs_ranges_find(&inner->ranges, pc) != NULL)
			return innermost_at(inner, pc, mistake);
	}
	return block;
}

static void find_activations(struct di_module *module, struct di_scopes *scopes)
{
	const struct di_block *block = function_at(module, scopes->pc, scopes->mistake);
	const struct di_row *row = di_lines_find(&module->lines, scopes->pc);
	struct di_activation activation = {0};
	if (row && row->line) {
		activation.file = di_lines_file(&module->lines, row);
		activation.line = row->line;
		activation.column = row->column;
	}
	block = block ? innermost_at(block, scopes->pc, scopes->mistake) : NULL;
	while (block) {
		activation.innermost = block;
		while (block->kind == DI_BLOCK_LEXICAL)
			block = block->outer;
		activation.function = block;
		xs_vec_push(&scopes->activations, activation);
		activation = (struct di_activation){.file = block->call_file,
			.line = block->call_line,
			.column = block->call_column};
		block = block->outer;
	}
}

/* How many activations have frames if lldb must get from each to the one around it. */
static size_t count_framed(const struct di_scopes *scopes)
{
	const struct di_activation *all = scopes->activations.data;
	size_t count = scopes->activations.len, i = 0;
	const struct di_block *outermost = count ? all[count - 1].function : NULL;
	xs_addr pc = scopes->pc;
	while (i + 1 < count && di_scope_leads_out(outermost->unit, &outermost->die,
					&all[i].function->die, pc, &pc))
		i++;
	return count ? i + 1 : 0;
}

/* Paths come from two readers of the line table, which may join them differently. */
static bool same_file(const char *a, const char *b)
{
	return a && b && !strcmp(xs_base_name(a), xs_base_name(b));
}

/* Whether the producer says of just this pc what the variable is. An expression or a constant for
 * the whole of its scope says nothing of the pc. */
static bool has_place_at(const struct di_variable *variable, xs_addr pc)
{
	Dwarf_Die die = variable->die;
	struct di_place place;
	di_place_of_variable(variable->unit, &die, pc, &place, NULL, NULL);
	return place.kind == DI_PLACE_EXPR && place.section;
}

static enum di_declared declared_at(const struct di_scopes *scopes,
	const struct di_activation *activation, const struct di_variable *variable, bool *by_place)
{
	Dwarf_Die die = variable->die;
	Dwarf_Attribute attr;
	Dwarf_Word start;
	if (variable->parameter)
		return DI_DECLARED_YES;
	if (variable->block && di_attr_integrate(&die, DW_AT_start_scope, &attr) &&
		!dwarf_formudata(&attr, &start))
		return scopes->pc - variable->block->entry >= start ? DI_DECLARED_YES
								    : DI_DECLARED_LATER;
	if (!activation->line || !variable->line || !same_file(activation->file, variable->file))
		return DI_DECLARED_YES;
	bool later = variable->line > activation->line ||
		     (variable->line == activation->line && activation->column &&
			     variable->column > activation->column);
	if (!later)
		return DI_DECLARED_YES;
	if (!di_unit_is_optimised(variable->unit))
		return DI_DECLARED_LATER;
	*by_place = variable->block && has_place_at(variable, scopes->pc);
	return *by_place ? DI_DECLARED_YES : DI_DECLARED_LATER_BY_LINE;
}

/* Whether one that is declared so hides others of its name. */
static bool hides(const struct di_scopes *scopes, enum di_declared declared)
{
	return declared != DI_DECLARED_LATER || di_scope_is_timeless(scopes->mistake);
}

/* Of several of a name in a function's own block gdb takes the first that is no parameter, else the
 * last. The variables of the block have just been added. */
static void choose_like_gdb(struct di_scopes *scopes, const struct di_block *block)
{
	size_t end = scopes->locals.len, begin = end - block->variables.len;
	struct di_visible *list = scopes->locals.data;
	for (size_t i = begin; i < end && block->kind != DI_BLOCK_LEXICAL; i++) {
		size_t meant = SIZE_MAX;
		bool inside = false;
		for (size_t k = 0; k < end; k++) {
			if (list[k].variable->name_hash != list[i].variable->name_hash ||
				list[k].activation != list[i].activation)
				continue;
			inside |= k < begin;
			if (k >= begin && (meant == SIZE_MAX || list[meant].variable->parameter))
				meant = k;
		}
		list[i].shadowed = inside || i != meant;
	}
}

/* What is known of a name in an activation. */
enum taken {
	TAKEN_NOT,    /* nobody has declared it so far */
	TAKEN_LOCAL,  /* it means a local */
	TAKEN_GLOBAL, /* it means a global: rule 5 */
};

/* Makes a name mean a global: rule 5. */
static void take_for_global(struct di_scopes *scopes, unsigned activation,
	const struct di_variable *declaration, struct xs_map *names)
{
	uint64_t *taken = xs_map_at(names, declaration->name_hash, activation);
	if (*taken)
		return;
	*taken = TAKEN_GLOBAL;
	if (!activation)
		xs_vec_push(&scopes->externs, declaration->name_hash);
}

static void add_locals(struct di_scopes *scopes, unsigned activation, const struct di_block *block,
	struct xs_map *names)
{
	const struct di_activation *at = &scopes->activations.data[activation];
	for (size_t i = 0; i < block->variables.len; i++) {
		const struct di_variable *variable = &block->variables.data[i];
		uint64_t *taken = xs_map_at(names, variable->name_hash, activation);
		struct di_visible visible = {
			.variable = variable, .activation = activation, .shadowed = *taken};
		visible.declared = declared_at(scopes, at, variable, &visible.by_place);
		xs_vec_push(&scopes->locals, visible);
		if (!*taken && hides(scopes, visible.declared))
			*taken = TAKEN_LOCAL;
	}
	for (size_t i = 0; i < block->externs.len; i++) {
		const struct di_variable *one = &block->externs.data[i];
		bool ignored;
		if (declared_at(scopes, at, one, &ignored) == DI_DECLARED_YES ||
			di_scope_is_timeless(scopes->mistake))
			take_for_global(scopes, activation, one, names);
	}
}

/* Adds what the functions around a nested one declare. */
static void add_outers(struct di_module *module, struct di_scopes *scopes, unsigned activation,
	struct xs_map *names)
{
	const struct di_block *function = scopes->activations.data[activation].function;
	unsigned level = 1;
	for (const struct di_block *block = di_nested_around(module, function); block;
		block = block->outer) {
		for (size_t i = 0; i < block->variables.len; i++) {
			const struct di_variable *variable = &block->variables.data[i];
			if (!di_nested_sees(function, variable))
				continue;
			uint64_t *taken = xs_map_at(names, variable->name_hash, activation);
			struct di_visible visible = {.variable = variable,
				.activation = activation,
				.shadowed = *taken,
				.level = level};
			xs_vec_push(&scopes->outers, visible);
			*taken = *taken ? *taken : TAKEN_LOCAL;
		}
		for (size_t i = 0; i < block->externs.len; i++)
			if (di_nested_sees(function, &block->externs.data[i]))
				take_for_global(scopes, activation, &block->externs.data[i], names);
		if (block->kind == DI_BLOCK_FUNCTION) {
			function = block;
			level++;
		}
	}
}

static void find_locals(struct di_module *module, struct di_scopes *scopes)
{
	struct xs_map names = {0}; /* (hash of a name, activation) -> enum taken */
	for (unsigned i = 0; i < scopes->activations.len; i++) {
		const struct di_activation *activation = &scopes->activations.data[i];
		for (const struct di_block *block = activation->innermost; block;
			block = block->outer) {
			add_locals(scopes, i, block, &names);
			if (scopes->mistake == DI_MISTAKE_GDB_ABSTRACT_HIDES)
				choose_like_gdb(scopes, block);
			if (block == activation->function)
				break;
		}
		add_outers(module, scopes, i, &names);
	}
	xs_map_deinit(&names);
}

static int by_index(const void *a, const void *b)
{
	const struct di_special *left = a, *right = b;
	return left->index < right->index ? -1 : left->index > right->index;
}

static struct di_special *special_at(const struct di_file_scope *file, size_t index)
{
	struct di_special key = {.index = index};
	return file->specials.len ? bsearch(&key, file->specials.data, file->specials.len,
					    sizeof key, by_index)
				  : NULL;
}

/* Notes how the global is seen that a name means. Others of that name are hidden by it anyway. */
static void set_special(
	struct di_file_scope *file, uint64_t name_hash, bool shadowed, bool declared)
{
	const uint64_t *first = xs_map_find(&file->globals->names, name_hash, 0);
	if (!first)
		return;
	struct di_special *special = special_at(file, *first - 1);
	if (special) {
		special->shadowed = shadowed;
		special->declared = declared ? DI_DECLARED_YES : special->declared;
		return;
	}
	xs_vec_push(&file->specials, ((struct di_special){*first - 1, shadowed, DI_DECLARED_YES}));
	qsort(file->specials.data, file->specials.len, sizeof *file->specials.data, by_index);
}

/* Finds the globals that are hidden by a local, or declared below the pc's line. Few are. */
static void find_specials(const struct di_scopes *scopes)
{
	struct di_file_scope *file = scopes->file;
	const struct di_globals *globals = file->globals;
	bool ignored;
	if (!scopes->activations.len)
		return;
	const struct di_activation *activation = &scopes->activations.data[0];
	for (size_t i = 0; activation->line <= globals->last_line && i < globals->list.len; i++) {
		enum di_declared declared =
			declared_at(scopes, activation, globals->list.data[i], &ignored);
		if (declared != DI_DECLARED_YES)
			xs_vec_push(&file->specials,
				((struct di_special){i, globals->hidden.data[i], declared}));
	}
	for (size_t i = 0; i < scopes->locals.len; i++) {
		const struct di_visible *local = &scopes->locals.data[i];
		if (!local->activation && !local->shadowed && hides(scopes, local->declared))
			set_special(file, local->variable->name_hash, true, false);
	}
	for (size_t i = 0; i < scopes->outers.len; i++) {
		const struct di_visible *outer = &scopes->outers.data[i];
		if (!outer->activation && !outer->shadowed)
			set_special(file, outer->variable->name_hash, true, false);
	}
	for (size_t i = 0; i < scopes->externs.len; i++)
		set_special(file, scopes->externs.data[i], false, true);
}

const struct di_file_scope *di_scopes_file(const struct di_scopes *scopes)
{
	if (!scopes->file->globals) {
		/* The innermost call's: link time optimisation inlines functions of other units. */
		const struct di_unit *unit =
			scopes->activations.len ? scopes->activations.data[0].function->home : NULL;
		scopes->file->globals = di_globals_of(scopes->module, unit);
		find_specials(scopes);
	}
	return scopes->file;
}

struct di_visible di_scopes_global(const struct di_scopes *scopes, size_t index)
{
	const struct di_file_scope *file = di_scopes_file(scopes);
	const struct di_special *special = special_at(file, index);
	return (struct di_visible){.variable = file->globals->list.data[index],
		.shadowed = special ? special->shadowed : file->globals->hidden.data[index],
		.declared = special ? special->declared : DI_DECLARED_YES};
}

static struct di_scopes *scopes_create(struct di_module *module, xs_addr pc)
{
	struct di_scopes *scopes = xs_calloc(1, sizeof *scopes);
	scopes->module = module;
	scopes->pc = pc;
	scopes->file = xs_calloc(1, sizeof *scopes->file);
	return scopes;
}

bool di_scopes_next(
	const struct di_scopes *scopes, unsigned activation, size_t *at, struct di_visible *ret)
{
	size_t locals = scopes->locals.len, inside = locals + scopes->outers.len;
	while (*at < inside) {
		size_t i = (*at)++;
		*ret = i < locals ? scopes->locals.data[i] : scopes->outers.data[i - locals];
		if (ret->activation == activation)
			return true;
	}
	if (*at - inside >= di_scopes_file(scopes)->globals->list.len)
		return false;
	*ret = di_scopes_global(scopes, (*at)++ - inside);
	return true;
}

static void find_all(struct di_module *module, struct di_scopes *scopes)
{
	find_activations(module, scopes);
	scopes->framed = scopes->mistake == DI_MISTAKE_LLDB_EMPTY_SCOPE_RANGE
				 ? count_framed(scopes)
				 : scopes->activations.len;
	find_locals(module, scopes);
}

static void scopes_destroy(struct di_scopes *scopes)
{
	xs_vec_deinit(&scopes->activations);
	xs_vec_deinit(&scopes->locals);
	xs_vec_deinit(&scopes->outers);
	xs_vec_deinit(&scopes->externs);
	xs_vec_deinit(&scopes->file->specials);
	free(scopes->file);
	free(scopes);
}

const struct di_scopes *di_scopes_at(struct di_module *module, xs_addr pc)
{
	if (!module->types)
		module->types = di_types_create(module);
	if (!module->scopes)
		module->scopes = xs_calloc(1, sizeof *module->scopes);
	const uint64_t *known = xs_map_find(&module->scopes->pcs, pc, 0);
	if (known)
		return module->scopes->scopes.data[*known - 1];
	struct di_scopes *scopes = scopes_create(module, pc);
	find_all(module, scopes);
	xs_vec_push(&module->scopes->scopes, scopes);
	*xs_map_at(&module->scopes->pcs, pc, 0) = module->scopes->scopes.len;
	return scopes;
}

static void forget_wrongs(struct di_scope_tables *tables)
{
	for (size_t i = 0; i < tables->wrongs.len; i++)
		scopes_destroy(tables->wrongs.data[i]);
	xs_vec_deinit(&tables->wrongs);
	xs_map_deinit(&tables->mistaken);
}

static bool is_same_die(const Dwarf_Die *a, const Dwarf_Die *b)
{
	return a->addr == b->addr && a->cu == b->cu;
}

static bool is_same_variable(const struct di_visible *a, const struct di_visible *b)
{
	return is_same_die(&a->variable->die, &b->variable->die) &&
	       is_same_die(&a->variable->block->die, &b->variable->block->die) &&
	       a->activation == b->activation && a->shadowed == b->shadowed &&
	       a->declared == b->declared && a->by_place == b->by_place && a->level == b->level;
}

/* Whether what a mistake finds at a pc is what is found without it: every variable by the same
 * entry, in the same block and order, as visible as there. */
static bool is_same(const struct di_scopes *plain, const struct di_scopes *mistaken)
{
	if (plain->activations.len != mistaken->activations.len ||
		plain->framed != mistaken->framed || plain->locals.len != mistaken->locals.len ||
		plain->outers.len != mistaken->outers.len ||
		plain->externs.len != mistaken->externs.len)
		return false;
	for (size_t i = 0; i < plain->activations.len; i++) {
		const struct di_activation *a = &plain->activations.data[i];
		const struct di_activation *b = &mistaken->activations.data[i];
		if (!is_same_die(&a->function->die, &b->function->die) ||
			!is_same_die(&a->innermost->die, &b->innermost->die))
			return false;
	}
	bool timeless = di_scope_is_timeless(mistaken->mistake);
	for (size_t i = 0; i < plain->locals.len; i++) {
		const struct di_visible *one = &plain->locals.data[i];
		/* What is declared further down hides a global, which is found out later. */
		if (!is_same_variable(one, &mistaken->locals.data[i]) ||
			(timeless && one->declared == DI_DECLARED_LATER))
			return false;
	}
	for (size_t i = 0; i < plain->outers.len; i++)
		if (!is_same_variable(&plain->outers.data[i], &mistaken->outers.data[i]))
			return false;
	for (size_t i = 0; i < plain->externs.len; i++)
		if (plain->externs.data[i] != mistaken->externs.data[i])
			return false;
	return true;
}

const struct di_scopes *di_scopes_mistaken(
	struct di_module *module, xs_addr pc, enum di_mistake mistake)
{
	const struct di_scopes *plain = di_scopes_at(module, pc);
	struct di_scope_tables *tables = module->scopes;
	enum di_scope_way way = di_scope_way(mistake);
	if (way == DI_SCOPE_PLAIN)
		return plain;
	const uint64_t *known = xs_map_find(&tables->mistaken, pc, way);
	if (known)
		return *known == SIZE_MAX ? plain : tables->wrongs.data[*known - 1];
	struct di_scopes *scopes = scopes_create(module, pc);
	scopes->mistake = mistake;
	find_all(module, scopes);
	if (tables->wrongs.len == WRONGS_MAX)
		forget_wrongs(tables);
	uint64_t *at = xs_map_at(&tables->mistaken, pc, way);
	if (is_same(plain, scopes)) {
		scopes_destroy(scopes);
		*at = SIZE_MAX;
		return plain;
	}
	xs_vec_push(&tables->wrongs, scopes);
	*at = tables->wrongs.len;
	return scopes;
}

void di_scope_tables_destroy(struct di_scope_tables *tables)
{
	if (!tables)
		return;
	for (size_t i = 0; i < tables->roots.len; i++)
		block_destroy(tables->roots.data[i]);
	for (size_t i = 0; i < tables->scopes.len; i++)
		scopes_destroy(tables->scopes.data[i]);
	forget_wrongs(tables);
	for (size_t i = 0; i < tables->shells.len; i++)
		block_destroy(tables->shells.data[i]);
	xs_vec_deinit(&tables->shells);
	xs_vec_deinit(&tables->around);
	xs_map_deinit(&tables->nested);
	di_globals_deinit(tables);
	for (size_t i = 0; i < tables->files.len; i++)
		free(tables->files.data[i]);
	xs_vec_deinit(&tables->files);
	xs_map_deinit(&tables->joined);
	xs_map_deinit(&tables->data16);
	for (size_t i = 0; i < DI_TREE_COUNT; i++)
		xs_map_deinit(&tables->functions[i]);
	xs_map_deinit(&tables->pcs);
	xs_vec_deinit(&tables->roots);
	xs_vec_deinit(&tables->scopes);
	free(tables);
}
