#include "oracle/witness/debugger/spelling.h"

#include "base/alloc.h"
#include "dwarf/language.h"
#include "dwarf/name_text.h"
#include "dwarf/name_at.h"

void ora_spellings_deinit(struct ora_spellings *spellings)
{
	for (size_t i = 0; i < spellings->list.len; i++)
		free(spellings->list.data[i].name);
	xs_vec_deinit(&spellings->list);
	xs_map_deinit(&spellings->index);
}

/* The entry of a spelling of some kind; its name is NULL if it is new. */
static struct ora_spelling *entry_of(
	struct ora_spellings *spellings, uint64_t kind, const char *text)
{
	uint64_t *index = xs_map_at(&spellings->index, xs_hash_text(0, text), kind);
	if (!*index) {
		xs_vec_push(&spellings->list, (struct ora_spelling){0});
		*index = spellings->list.len;
	}
	return &spellings->list.data[*index - 1];
}

/* Rule 2: the name of the function that the code at pc belongs to, if its language is not read. */
static const char *by_pc(struct di_module *module, xs_addr pc)
{
	const struct di_function *function = di_functions_find_debug(module->functions, pc);
	return function && !di_language_is_read(di_language_at(module, pc)) ? function->name : NULL;
}

/* Rule 4: the same, if a spelling has nothing in it that could be another function's name. */
static const char *by_pc_alone(struct di_module *module, xs_addr pc, const char *text)
{
	XS_AUTO_FREE char *plain = di_name_plain(text);
	const struct di_function *function = di_functions_find_debug(module->functions, pc);
	return function && !*plain ? function->name : NULL;
}

const char *ora_spelling_function(
	struct ora_spellings *spellings, xs_addr pc, bool inlined, const char *text)
{
	if (!text)
		return NULL;
	const char *nameless =
		pc == XS_ADDR_NONE || inlined ? NULL : by_pc_alone(spellings->module, pc, text);
	if (nameless)
		return nameless;
	struct ora_spelling *entry = entry_of(spellings, 1, text);
	if (entry->settled || (entry->name && pc == XS_ADDR_NONE))
		return entry->name;
	const char *known = pc == XS_ADDR_NONE ? NULL : di_name_at(spellings->module, pc, text);
	if (!known && pc != XS_ADDR_NONE && !inlined)
		known = by_pc(spellings->module, pc);
	if (known || !entry->name) {
		free(entry->name);
		entry->name = known ? xs_strdup(known) : di_name_plain(text);
	}
	entry->settled = known;
	return entry->name;
}

const char *ora_spelling_scope(struct ora_spellings *spellings, xs_addr pc, const char *scope)
{
	if (!scope || !*scope)
		return scope;
	const struct ora_spelling *known = entry_of(spellings, 2, scope);
	if (known->settled)
		return known->name;
	/* The last one is the innermost; all before it are around it. */
	const char *last = di_name_in_scope(scope);
	bool outer = last > scope;
	const char *name = ora_spelling_function(spellings, pc, outer, last);
	XS_AUTO_FREE char *before =
		outer ? xs_asprintf("%.*s", (int)(last - scope - 1), scope) : NULL;
	const char *around = outer ? ora_spelling_scope(spellings, pc, before) : NULL;
	char *whole = outer ? xs_asprintf("%s/%s", around, name) : xs_strdup(name);
	struct ora_spelling *entry = entry_of(spellings, 2, scope);
	free(entry->name);
	entry->name = whole;
	entry->settled = pc != XS_ADDR_NONE;
	return entry->name;
}

const char *ora_spelling_global(struct ora_spellings *spellings, const char *text)
{
	text += strncmp(text, "::", 2) ? 0 : 2; /* lldb's word for what is in no namespace */
	if (!strpbrk(text, ":<"))
		return text;
	struct ora_spelling *entry = entry_of(spellings, 3, text);
	if (!entry->settled) {
		const char *name = di_name_of_global(spellings->module, text);
		entry->name = xs_strdup(name ? name : text);
		entry->settled = true;
	}
	return entry->name;
}
