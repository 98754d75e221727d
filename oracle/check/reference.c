#include "oracle/check/reference.h"

#include <dwarf.h>

#include "base/path.h"
#include "dwarf/scope.h"
#include "dwarf/symbol.h"
#include "oracle/check/twice.h"

uint64_t ora_line_hash(const char *file, uint32_t line)
{
	return xs_mix(xs_hash_text(1, xs_base_name(file)) ^ line);
}

uint64_t ora_function_hash(const char *name)
{
	XS_AUTO_FREE char *bare = ora_bare_function(name);
	return xs_hash_text(4, bare);
}

/* --- backtraces ------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
	return left < right ? -1 : left > right;
}

uint64_t ora_backtrace_hash(const struct ora_told *told)
{
	uint64_t ret = told->frames.len + 1;
	for (size_t i = 0; i < told->frames.len; i++)
		ret = xs_hash_text(ret, told->frames.data[i].function);
	return ret;
}

struct ora_names ora_names_of(const struct ora_told *told)
{
	struct ora_names ret = {0};
	size_t size, count = 0;
	FILE *out = open_memstream(&ret.text, &size);
	xs_assert(out);
	for (size_t i = 0; i < told->frames.len; i++) {
		XS_AUTO_FREE char *name = ora_bare_function(told->frames.data[i].function);
		uint64_t hash = xs_hash_text(4, name);
		bool known = !name;
		for (size_t k = 0; !known && k < ret.vec.len; k++)
			known = ret.vec.data[k] == hash;
		if (known)
			continue;
		fprintf(out, "%s%s", count++ ? " < " : "", name);
		xs_vec_push(&ret.vec, hash);
	}
	xs_assert(!fclose(out));
	if (ret.vec.len)
		qsort(ret.vec.data, ret.vec.len, sizeof *ret.vec.data, by_number);
	return ret;
}

void ora_names_deinit(struct ora_names *names)
{
	xs_vec_deinit(&names->vec);
	free(names->text);
}

bool ora_names_have(const struct ora_names *names, uint64_t hash)
{
	return names->vec.len &&
	       bsearch(&hash, names->vec.data, names->vec.len, sizeof *names->vec.data, by_number);
}

bool ora_names_are_within(const struct ora_names *a, const struct ora_names *b)
{
	for (size_t i = 0; i < a->vec.len; i++)
		if (!ora_names_have(b, a->vec.data[i]))
			return false;
	return true;
}

/* --- values ----------------------------------------------------------------------------------- */

char *ora_comparable(struct di_module *module, const char *type, const char *value)
{
	bool pointer = type && strchr(type, '*') && !strncmp(value, "0x", 2);
	uint64_t offset, bias;
	if (!pointer)
		return strncmp(value, "0x", 2) ? xs_strdup(value) : NULL;
	xs_addr address = strtoull(value, NULL, 16);
	if (!address || !module)
		return address ? NULL : xs_strdup("null");
	if (!di_module_position(module, &bias))
		return NULL;
	const char *name = di_symbol_at(module, address - bias, &offset);
	/* `table.0` in one is `table.1` in another. */
	return name ? xs_asprintf("&%.*s+%" PRIu64, (int)strcspn(name, "."), name, offset) : NULL;
}

/* --- UNOPT ------------------------------------------------------------------------------------ */

struct ora_reference_line *ora_reference_line(
	struct ora_reference *unopt, const char *file, uint32_t number)
{
	uint32_t first = src_extent_first(&unopt->extents, file, number);
	const uint64_t *index = xs_map_find(&unopt->line_index, ora_line_hash(file, first), 0);
	return index && *index ? &unopt->lines.data[*index - 1] : NULL;
}

uint64_t ora_reference_statement(struct ora_reference *unopt, const char *file, uint32_t line)
{
	return ora_line_hash(file, src_extent_first(&unopt->extents, file, line));
}

/* The same as ora_leaf_hash(), of a variable that comes again and again. */
static uint64_t known_hash(struct ora_reference *unopt, const struct ora_store_variable *variable)
{
	uint64_t *hash = xs_map_at(&unopt->hashes, (uint64_t)(uintptr_t)variable, 0);
	if (!*hash)
		*hash = ora_variable_hash(variable);
	return *hash;
}

/* --- what has been written -------------------------------------------------------------------- */

/* The calls that are under way: a new one begins where another function is, where there was none,
 * and where the first step of one comes again, which may be a loop as well. */
static void take_calls(struct ora_reference *unopt, const struct ora_told *told)
{
	size_t count = told->frames.len, same = 0;
	while (same < count && same < unopt->activations.len &&
		unopt->activations.data[same].function ==
			xs_hash_text(1, told->frames.data[count - 1 - same].function))
		same++;
	bool again = count && same == count && unopt->activations.len == count &&
		     unopt->activations.data[count - 1].begin == told->place->address;
	/* What was told of it stands, and is not written. */
	struct ora_activation *call = again ? &unopt->activations.data[count - 1] : NULL;
	for (size_t i = 0; call && i < call->leaves.len; i++)
		call->leaves.data[i].written = false;
	for (size_t i = same; i < unopt->activations.len; i++)
		xs_vec_deinit(&unopt->activations.data[i].leaves);
	unopt->activations.len = same;
	for (size_t i = same; i < count; i++) {
		const char *name = told->frames.data[count - 1 - i].function;
		struct ora_activation fresh = {
			.function = xs_hash_text(1, name), .begin = told->place->address};
		xs_vec_push(&unopt->activations, fresh);
	}
}

static void take_writing(
	struct ora_reference *unopt, const struct ora_told_fact *fact, uint64_t key)
{
	if (!fact->depth || fact->depth > unopt->activations.len || strchr(fact->path, '['))
		return;
	struct ora_activation *call = &unopt->activations.data[fact->depth - 1];
	uint64_t value = xs_hash_text(1, fact->value);
	for (size_t i = 0; i < call->leaves.len; i++) {
		struct ora_activation_leaf *leaf = &call->leaves.data[i];
		if (leaf->leaf != key)
			continue;
		leaf->written |= fact->state == ORA_STATE_VALUE && leaf->value != value;
		leaf->value = value;
		if (fact->state == ORA_STATE_ABSENT)
			*leaf = call->leaves.data[--call->leaves.len];
		return;
	}
	if (fact->state == ORA_STATE_VALUE)
		xs_vec_push(&call->leaves,
			((struct ora_activation_leaf){.leaf = key,
				.value = value,
				.declared = ora_reference_statement(
					unopt, fact->variable->file, fact->variable->line)}));
}

/* At a step: what the call in which it is may not have written yet. */
static void take_unsettled(struct ora_reference *unopt, const struct ora_scene *scene)
{
	size_t depth = unopt->activations.len;
	if (!depth)
		return;
	struct ora_activation *call = &unopt->activations.data[depth - 1];
	uint64_t statement = ora_reference_statement(unopt, scene->file, scene->line);
	uint64_t last = depth <= unopt->last.len ? unopt->last.data[depth - 1] : 0;
	for (size_t i = 0; i < call->leaves.len; i++) {
		struct ora_activation_leaf *leaf = &call->leaves.data[i];
		/* A declaration that initialises it does so always. */
		leaf->written |= leaf->declared == last &&
				 xs_map_find(&unopt->changes, leaf->leaf, last) != NULL;
		if (!leaf->written)
			*xs_map_at(&unopt->unsettled, leaf->leaf, statement) = 1;
	}
}

/* --- steps ------------------------------------------------------------------------------------ */

static void take_value(struct ora_reference *unopt, const struct ora_told_fact *fact)
{
	if (!fact->depth)
		return;
	uint64_t key = xs_hash_text(known_hash(unopt, fact->variable), fact->path);
	take_writing(unopt, fact, key);
	if (fact->state != ORA_STATE_VALUE || !fact->value)
		return;
	/* Told because it is another one than before. */
	if (fact->depth <= unopt->last.len)
		*xs_map_at(&unopt->changes, key, unopt->last.data[fact->depth - 1]) = 1;
	XS_AUTO_FREE char *value = ora_comparable(unopt->module, fact->type, fact->value);
	uint64_t *index = xs_map_at(&unopt->leaf_index, key, 0);
	if (!*index) {
		xs_vec_push(&unopt->leaves, (struct ora_reference_leaf){0});
		*index = unopt->leaves.len;
	}
	struct ora_reference_leaf *leaf = &unopt->leaves.data[*index - 1];
	leaf->opaque |= !value;
	uint64_t *known = value ? xs_map_at(&unopt->values, key, xs_hash_text(0, value)) : NULL;
	if (!value || *known)
		return;
	*known = 1;
	leaf->values++;
	ora_rounding_add(&leaf->rounding, fact->type, value);
	if (leaf->texts.len < ORA_REFERENCE_TEXTS)
		xs_vec_push(&leaf->texts, xs_strdup(value));
}

static void take_opening(struct ora_reference *unopt, const struct ora_store_place *place)
{
	if (!place->function || place->module || !unopt->module)
		return;
	xs_addr entry = place->address - (uint64_t)place->offset;
	uint64_t *seen = xs_map_at(&unopt->functions, entry, 0);
	const struct di_row *row = *seen ? NULL : di_lines_find(&unopt->module->lines, entry);
	*seen = 1;
	if (!row)
		return;
	*xs_map_at(&unopt->opening,
		ora_line_hash(di_lines_file(&unopt->module->lines, row), row->line), 0) = 1;
	/* Its name and its brace may be on different lines. */
	const struct di_function *function =
		di_functions_find_debug(unopt->module->functions, entry);
	Dwarf_Die die = function ? function->die : (Dwarf_Die){0};
	int line = 0;
	if (function && !dwarf_decl_line(&die, &line)) {
		di_scopes_at(unopt->module, entry); /* which keep the names of files */
		const char *file = di_die_file(unopt->module, &die, DW_AT_decl_file);
		*xs_map_at(&unopt->opening, ora_line_hash(file, (uint32_t)line), 0) = 1;
	}
}

/* The variables that a step lists: a set of the line. */
static void take_listed(struct ora_reference_line *line, const struct ora_scene *scene)
{
	const struct ora_scene_variable *variable;
	uint64_t hash = ora_function_hash(scene->function);
	for (size_t i = 0; (variable = ora_scene_variable(scene, i)); i++)
		if (variable->live)
			hash += xs_mix(variable->hash);
	size_t k = 0;
	while (k < line->sets.len && line->sets.data[k].hash != hash)
		k++;
	xs_vec_push(&line->arrivals, (uint32_t)k);
	if (k < line->sets.len)
		return;
	xs_vec_push(&line->sets, ((struct ora_reference_set){.hash = hash}));
	for (size_t i = 0; (variable = ora_scene_variable(scene, i)); i++)
		if (variable->live)
			*xs_map_at(&line->sets.data[k].variables, variable->hash, 0) = 1;
}

/* The statements of all frames; where a frame further out has not moved, its statement has not. */
static void take_statements(struct ora_reference *unopt, const struct ora_told *told)
{
	size_t count = told->frames.len, same = 0;
	while (same + 1 < count && same < unopt->last.len &&
		told->frames.data[count - 1 - same].address != XS_ADDR_NONE &&
		told->frames.data[count - 1 - same].address == unopt->addresses.data[same])
		same++;
	unopt->last.len = unopt->addresses.len = same;
	for (size_t i = count - same; i-- > 0;) {
		const struct ora_store_frame *frame = &told->frames.data[i];
		xs_vec_push(&unopt->last, ora_reference_statement(unopt, frame->file, frame->line));
		xs_vec_push(&unopt->addresses, frame->address);
	}
}

static void take_step(struct ora_reference *unopt, const struct ora_scene *scene)
{
	const struct ora_told *told = scene->told;
	take_calls(unopt, told);
	for (size_t i = 0; i < told->facts.len; i++)
		take_value(unopt, &told->facts.data[i]);
	if (scene->line)
		take_unsettled(unopt, scene);
	take_statements(unopt, told);
	take_opening(unopt, told->place);
	if (!scene->line)
		return;
	uint32_t first = src_extent_first(&unopt->extents, scene->file, scene->line);
	uint64_t *index = xs_map_at(&unopt->line_index, ora_line_hash(scene->file, first), 0);
	*xs_map_at(&unopt->stepped, ora_line_hash(scene->file, scene->line), 0) = 1;
	if (!*index) {
		xs_vec_push(&unopt->lines, (struct ora_reference_line){0});
		*index = unopt->lines.len;
	}
	struct ora_reference_line *line = &unopt->lines.data[*index - 1];
	*xs_map_at(&line->functions, ora_function_hash(scene->function), 0) = 1;
	take_listed(line, scene);
	uint64_t *seen = xs_map_at(&unopt->backtraces, *index, ora_backtrace_hash(told));
	if (*seen)
		return;
	*seen = 1;
	struct ora_names names = ora_names_of(told);
	bool known = false;
	for (size_t i = 0; !known && i < line->backtraces.len; i++)
		known = names.vec.len == line->backtraces.data[i].vec.len &&
			ora_names_are_within(&names, &line->backtraces.data[i]);
	if (known)
		ora_names_deinit(&names);
	else
		xs_vec_push(&line->backtraces, names);
}

static void take_twice(void *arg, const char *name)
{
	*xs_map_at(arg, ora_function_hash(name), 0) = 1;
}

struct xs_error *ora_reference_take(
	const struct ora_check *check, size_t trace, struct ora_reference *unopt)
{
	if (!check->changed[trace])
		xs_error_destroy(
			di_module_open(check->traces[trace]->subject.path, &unopt->module));
	if (unopt->module)
		ora_twice_find(unopt->module, take_twice, &unopt->twice);
	struct ora_scene scene = ora_check_scene(check, trace, unopt->module);
	struct xs_error *err;
	while (!(err = ora_scene_next(&scene)) && scene.told)
		take_step(unopt, &scene);
	ora_scene_deinit(&scene);
	return err;
}

/* All rows at the address of a pc's row are executed with it. */
static void take_executed_at(struct ora_reference *unopt, xs_addr pc)
{
	const struct di_lines *lines = &unopt->module->lines;
	const struct di_row *last = di_lines_find(lines, pc);
	for (const struct di_row *row = last; row && row >= lines->rows.data &&
					      row->address == last->address && !row->end_sequence;
		row--)
		if (row->line)
			*xs_map_at(&unopt->executed,
				ora_line_hash(di_lines_file(lines, row), row->line), 0) = 1;
}

struct xs_error *ora_reference_take_executed(
	const struct ora_check *check, uint64_t trace, struct ora_reference *unopt)
{
	XS_AUTO(ora_reader) reader = NULL;
	const struct ora_told *told = NULL;
	struct xs_error *err = ora_reader_create(check->store, trace, &reader);
	while (!err && !(err = ora_reader_next(reader, &told)) && told)
		if (!told->place->module)
			take_executed_at(unopt, told->place->address);
	return err;
}

void ora_reference_deinit(struct ora_reference *unopt)
{
	for (size_t i = 0; i < unopt->lines.len; i++) {
		struct ora_reference_line *line = &unopt->lines.data[i];
		for (size_t k = 0; k < line->backtraces.len; k++)
			ora_names_deinit(&line->backtraces.data[k]);
		xs_vec_deinit(&line->backtraces);
		for (size_t k = 0; k < line->sets.len; k++)
			xs_map_deinit(&line->sets.data[k].variables);
		xs_vec_deinit(&line->sets);
		xs_vec_deinit(&line->arrivals);
		xs_map_deinit(&line->functions);
	}
	for (size_t i = 0; i < unopt->leaves.len; i++) {
		for (size_t k = 0; k < unopt->leaves.data[i].texts.len; k++)
			free(unopt->leaves.data[i].texts.data[k]);
		xs_vec_deinit(&unopt->leaves.data[i].texts);
		ora_rounding_deinit(&unopt->leaves.data[i].rounding);
	}
	xs_vec_deinit(&unopt->lines);
	xs_vec_deinit(&unopt->leaves);
	xs_map_deinit(&unopt->line_index);
	xs_map_deinit(&unopt->stepped);
	xs_map_deinit(&unopt->executed);
	xs_map_deinit(&unopt->rows);
	src_extents_deinit(&unopt->extents);
	xs_map_deinit(&unopt->opening);
	xs_map_deinit(&unopt->functions);
	xs_map_deinit(&unopt->leaf_index);
	xs_map_deinit(&unopt->values);
	xs_map_deinit(&unopt->changes);
	xs_vec_deinit(&unopt->last);
	for (size_t i = 0; i < unopt->activations.len; i++)
		xs_vec_deinit(&unopt->activations.data[i].leaves);
	xs_vec_deinit(&unopt->activations);
	xs_map_deinit(&unopt->unsettled);
	xs_map_deinit(&unopt->backtraces);
	xs_vec_deinit(&unopt->addresses);
	xs_map_deinit(&unopt->hashes);
	xs_map_deinit(&unopt->twice);
	xs_map_deinit(&unopt->passing);
	di_module_destroy(unopt->module);
}

bool ora_reference_executes(const struct ora_reference *unopt, const char *file, uint32_t line)
{
	uint64_t hash = ora_line_hash(file, line);
	return xs_map_find(&unopt->stepped, hash, 0) || xs_map_find(&unopt->executed, hash, 0) ||
	       xs_map_find(&unopt->opening, hash, 0);
}

bool ora_reference_has_code(struct ora_reference *unopt, const char *file, uint32_t line)
{
	const struct di_lines *lines = unopt->module ? &unopt->module->lines : NULL;
	bool known = unopt->rows.len;
	if (lines && !known)
		di_lines_keep_all(lines);
	for (size_t i = 0; lines && !known && i < lines->rows.len; i++) {
		const struct di_row *row = &lines->rows.data[i];
		const char *name = di_lines_file(lines, row);
		if (name && !row->end_sequence)
			*xs_map_at(&unopt->rows, ora_line_hash(name, row->line), 0) = 1;
	}
	return !lines || xs_map_find(&unopt->rows, ora_line_hash(file, line), 0);
}

bool ora_reference_is_settled(
	struct ora_reference *unopt, uint64_t leaf, const char *file, uint32_t line)
{
	return !xs_map_find(&unopt->unsettled, leaf, ora_reference_statement(unopt, file, line));
}

bool ora_reference_lists(const struct ora_reference_line *line, uint64_t variable)
{
	for (size_t i = 0; i < line->sets.len; i++)
		if (xs_map_find(&line->sets.data[i].variables, variable, 0))
			return true;
	return false;
}

bool ora_reference_is_twice(const struct ora_reference *unopt, const char *function)
{
	return function && xs_map_find(&unopt->twice, ora_function_hash(function), 0);
}

/* Whether a leaf has values within a line that are seen at none: UNOPT changes it at a line whose
 * text writes it several times. It reads the file for each such line, and so it is found out
 * once. */
static bool passes(
	struct ora_reference *unopt, const struct ora_store_variable *variable, uint64_t leaf)
{
	enum { NOT = 1, PASSES = 2 };
	uint64_t *known = xs_map_at(&unopt->passing, leaf, 0);
	uint32_t count = *known ? 0 : src_extent_lines(&unopt->extents, variable->file);
	*known = *known ? *known : NOT;
	for (uint32_t line = 1; line <= count && *known == NOT; line++)
		if (xs_map_find(&unopt->changes, leaf,
			    ora_reference_statement(unopt, variable->file, line)) &&
			src_extent_may_pass(&unopt->extents, variable->file, line, variable->name))
			*known = PASSES;
	return *known == PASSES;
}

enum ora_left ora_reference_excuse(struct ora_reference *unopt,
	const struct ora_store_variable *variable, const struct ora_scene_leaf *leaf,
	const char *value)
{
	const uint64_t *index = xs_map_find(&unopt->leaf_index, leaf->hash, 0);
	if (index &&
		ora_rounding_is_near(&unopt->leaves.data[*index - 1].rounding, leaf->type, value))
		return ORA_LEFT_ROUNDED;
	bool certain = leaf->type && strstr(leaf->type, "volatile");
	if (!certain && ora_reference_is_twice(unopt, variable->scope))
		return ORA_LEFT_TWICE;
	return passes(unopt, variable, leaf->hash) ? ORA_LEFT_PASSES : ORA_LEFT_COUNT;
}

char *ora_reference_values(const struct ora_reference_leaf *leaf)
{
	char *ret = NULL;
	size_t size;
	FILE *out = open_memstream(&ret, &size);
	xs_assert(out);
	for (size_t i = 0; i < leaf->texts.len; i++)
		fprintf(out, "%s%s", i ? " or " : "", leaf->texts.data[i]);
	if (leaf->values > leaf->texts.len)
		fprintf(out, " or %zu more", leaf->values - leaf->texts.len);
	xs_assert(!fclose(out));
	return ret;
}
