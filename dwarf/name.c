#include "dwarf/name.h"

#include <dwarf.h>

#include "base/map.h"
#include "dwarf/attribute.h"
#include "dwarf/gaps.h"
#include "dwarf/language.h"
#include "dwarf/split.h"
#include "dwarf/type_name.h"
#include "dwarf/variable.h"

enum { DEPTH_MAX = 200 }; /* of entries inside each other; hostile files nest more */

/* An entry that others are in, or that has a name to be found. */
struct inside {
	Dwarf_Die die;
	size_t parent; /* index, plus 1; 0: the unit */
};

struct di_names {
	XS_VEC(struct inside) entries;
	struct xs_map index;  /* address of an entry -> index into entries, plus 1 */
	struct xs_map units;  /* address of a unit's entry -> 1: its entries are known */
	struct xs_map named;  /* address of an entry -> pointer to its name, or NULL */
	XS_VEC(char *) texts; /* names that were put together */
};

void di_names_destroy(struct di_names *names)
{
	if (!names)
		return;
	for (size_t i = 0; i < names->texts.len; i++)
		free(names->texts.data[i]);
	xs_vec_deinit(&names->texts);
	xs_vec_deinit(&names->entries);
	xs_map_deinit(&names->index);
	xs_map_deinit(&names->units);
	xs_map_deinit(&names->named);
	free(names);
}

static struct di_names *names_of(struct di_module *module)
{
	if (!module->names)
		module->names = xs_calloc(1, sizeof *module->names);
	return module->names;
}

/* --- what an entry is in ---------------------------------------------------------------------- */

static bool holds_names(int tag)
{
	switch (tag) {
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_subprogram:
	case DW_TAG_lexical_block:
		return true;
	default:
		return false;
	}
}

static void note_children(struct di_module *module, Dwarf_Die *die, size_t parent, unsigned depth)
{
	struct di_names *names = module->names;
	Dwarf_Die child;
	if (depth > DEPTH_MAX || di_gaps_child(module, die, &child))
		return;
	do {
		int tag = dwarf_tag(&child);
		if (!holds_names(tag) && tag != DW_TAG_variable && tag != DW_TAG_member)
			continue;
		xs_vec_push(&names->entries, ((struct inside){.die = child, .parent = parent}));
		*xs_map_at(&names->index, (uintptr_t)child.addr, 0) = names->entries.len;
		if (holds_names(tag))
			note_children(module, &child, names->entries.len, depth + 1);
	} while (!di_gaps_sibling(module, &child, &child));
}

/* What an entry is in, as an index plus 1; 0: in nothing but its unit. */
static size_t parent_of(struct di_module *module, Dwarf_Die *die)
{
	struct di_names *names = names_of(module);
	Dwarf_Die unit = di_unit_of(module, die)->die;
	uint64_t *known = xs_map_at(&names->units, (uintptr_t)unit.addr, 0);
	if (!*known) {
		*known = 1;
		note_children(module, &unit, 0, 0);
	}
	const uint64_t *at = xs_map_find(&names->index, (uintptr_t)die->addr, 0);
	return at ? names->entries.data[*at - 1].parent : 0;
}

/* --- names ------------------------------------------------------------------------------------ */

static const char *string_of(Dwarf_Die *die, unsigned at)
{
	Dwarf_Attribute attr;
	return dwarf_formstring(di_attr_integrate(die, at, &attr));
}

/* The name of something that others are in; NULL: it adds nothing to their names. */
static const char *outer_name(Dwarf_Die *die)
{
	const char *name = string_of(die, DW_AT_name);
	switch (dwarf_tag(die)) {
	case DW_TAG_namespace:
		return name && *name ? name : "(anonymous namespace)";
	case DW_TAG_lexical_block:
		return NULL;
	default:
		return name && *name ? name : "{unnamed}";
	}
}

/* The name with all that it is in; to be freed. */
static char *path_of(struct di_module *module, Dwarf_Die *die)
{
	Dwarf_Die at = *die;
	const char *name = string_of(die, DW_AT_name);
	unsigned chain = 0;
	/* A definition outside of its class refers to the declaration inside. */
	while (di_die_origin(&at, &chain))
		;
	char *ret = xs_strdup(name ? name : "");
	size_t parent = parent_of(module, &at);
	for (unsigned depth = 0; parent && depth < DEPTH_MAX; depth++) {
		Dwarf_Die outer = module->names->entries.data[parent - 1].die;
		const char *word = outer_name(&outer);
		if (word) {
			char *longer = xs_asprintf("%s::%s", word, ret);
			free(ret);
			ret = longer;
		}
		parent = module->names->entries.data[parent - 1].parent;
		/* What is in a class that is defined elsewhere is in what that is in. */
		chain = 0;
		if (di_die_origin(&outer, &chain))
			parent = parent_of(module, &outer);
	}
	return ret;
}

/* Rule 1 for C++; NULL: there is no linkage name that can be read. */
static char *demangled_name(Dwarf_Die *die)
{
	const char *linkage = string_of(die, DW_AT_linkage_name);
	if (!linkage || strncmp(linkage, "_Z", 2) != 0)
		return NULL;
	char *ret = di_name_plain(linkage);
	if (strncmp(ret, "_Z", 2) != 0)
		return ret;
	free(ret);
	return NULL;
}

static char *make_name(struct di_module *module, Dwarf_Die *die)
{
	char *ret = NULL;
	switch (di_language_of(di_home_of(module, die))) {
	case DI_LANGUAGE_CPP:
		ret = demangled_name(die);
		if (!ret && string_of(die, DW_AT_name))
			ret = path_of(module, die);
		break;
	case DI_LANGUAGE_RUST:
		if (string_of(die, DW_AT_name))
			ret = path_of(module, die);
		break;
	default:
		break;
	}
	return ret;
}

static const char *name_of(struct di_module *module, Dwarf_Die *die)
{
	struct di_names *names = names_of(module);
	const uint64_t *known = xs_map_find(&names->named, (uintptr_t)die->addr, 0);
	if (known)
		return (const char *)(uintptr_t)*known;
	char *made = make_name(module, die);
	if (made)
		xs_vec_push(&names->texts, made);
	const char *ret = made ? made : string_of(die, DW_AT_name);
	ret = ret ? ret : string_of(die, DW_AT_linkage_name);
	*xs_map_at(&names->named, (uintptr_t)die->addr, 0) = (uintptr_t)ret;
	return ret;
}

const char *di_name_of_function(struct di_module *module, Dwarf_Die *die)
{
	return name_of(module, die);
}

const char *di_name_of_variable(struct di_module *module, Dwarf_Die *die)
{
	return name_of(module, die);
}
