#include "oracle/check/reference.h"

#include <dwarf.h>

#include "base/path.h"
#include "dwarf/scope.h"
#include "dwarf/symbol.h"

uint64_t ora_line_hash(const char *file, uint32_t line)
{
	return xs_mix(xs_hash_text(1, xs_base_name(file)) ^ line);
}

uint64_t ora_function_hash(const char *name)
{
	XS_AUTO_FREE char *bare = ora_bare_function(name);
	return xs_hash_text(4, bare);
}

uint64_t ora_variable_hash(const struct ora_store_variable *variable)
{
	XS_AUTO_FREE char *function = ora_bare_function(variable->scope);
	return xs_mix(xs_hash_text(xs_hash_text(2, function), variable->name) ^ variable->line);
}

uint64_t ora_leaf_hash(const struct ora_store_variable *variable, const char *path)
{
	XS_AUTO_FREE char *function = ora_bare_function(variable->scope);
	return xs_hash_text(xs_hash_text(xs_hash_text(3, function), variable->name), path);
}

/* --- backtraces ------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
	return left < right ? -1 : left > right;
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

static void take_value(struct ora_reference *unopt, const struct ora_told_fact *fact)
{
	if (fact->state != ORA_STATE_VALUE || !fact->value || !fact->depth)
		return;
	uint64_t key = ora_leaf_hash(fact->variable, fact->path);
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

static void take_step(struct ora_reference *unopt, const struct ora_scene *scene)
{
	const struct ora_told *told = scene->told;
	for (size_t i = 0; i < told->facts.len; i++)
		take_value(unopt, &told->facts.data[i]);
	unopt->last.len = 0;
	for (size_t i = told->frames.len; i-- > 0;)
		xs_vec_push(&unopt->last, ora_reference_statement(unopt, told->frames.data[i].file,
						  told->frames.data[i].line));
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
	line->steps++;
	*xs_map_at(&line->functions, ora_function_hash(scene->function), 0) = 1;
	const struct ora_scene_variable *variable;
	for (size_t i = 0; (variable = ora_scene_variable(scene, i)); i++)
		if (variable->live)
			++*xs_map_at(&line->listed, ora_variable_hash(variable->variable), 0);
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

struct xs_error *ora_reference_take(
	const struct ora_check *check, size_t trace, struct ora_reference *unopt)
{
	if (!check->changed[trace])
		xs_error_destroy(
			di_module_open(check->traces[trace]->subject.path, &unopt->module));
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
		xs_map_deinit(&line->listed);
		xs_map_deinit(&line->functions);
	}
	for (size_t i = 0; i < unopt->leaves.len; i++) {
		for (size_t k = 0; k < unopt->leaves.data[i].texts.len; k++)
			free(unopt->leaves.data[i].texts.data[k]);
		xs_vec_deinit(&unopt->leaves.data[i].texts);
	}
	xs_vec_deinit(&unopt->lines);
	xs_vec_deinit(&unopt->leaves);
	xs_map_deinit(&unopt->line_index);
	xs_map_deinit(&unopt->stepped);
	xs_map_deinit(&unopt->executed);
	xs_map_deinit(&unopt->aside);
	xs_map_deinit(&unopt->rows);
	src_extents_deinit(&unopt->extents);
	xs_map_deinit(&unopt->opening);
	xs_map_deinit(&unopt->functions);
	xs_map_deinit(&unopt->leaf_index);
	xs_map_deinit(&unopt->values);
	xs_map_deinit(&unopt->changes);
	xs_vec_deinit(&unopt->last);
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
