/* declared.c - see declared.h. */
#include <dwarf.h>
#include <string.h>

#include "dwarf/attribute.h"
#include "dwarf/declared.h"

enum {
	DEPTH_MAX = 100, /* of blocks inside each other; hostile files nest more */
	ORIGINS_MAX = 4, /* instances of instances; likewise */
};

struct search {
	const char *name;
	uint32_t line;  /* that is asked about */
	uint32_t first; /* the first one that was found, if one was */
	struct di_declarations found;
};

static void take(struct search *search, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Word line = 0;
	const char *name = dwarf_formstring(di_attr_integrate(die, DW_AT_name, &attr));
	if (!name || strcmp(name, search->name) != 0 || dwarf_hasattr(die, DW_AT_declaration))
		return;
	if (dwarf_formudata(di_attr_integrate(die, DW_AT_decl_line, &attr), &line))
		line = 0;
	search->found.there |= line && line == search->line;
	if (!search->found.lines) {
		search->found.lines = 1;
		search->first = (uint32_t)line;
	} else if (line != search->first) {
		search->found.lines = 2;
	}
}

static void look_in(struct search *search, Dwarf_Die *die, unsigned depth)
{
	Dwarf_Die child;
	if (depth > DEPTH_MAX || dwarf_child(die, &child))
		return;
	do {
		int tag = dwarf_tag(&child);
		if (tag == DW_TAG_lexical_block)
			look_in(search, &child, depth + 1);
		else if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter)
			take(search, &child);
	} while (!dwarf_siblingof(&child, &child));
}

struct di_declarations di_declared_in(
	const struct di_block *function, const char *name, uint32_t line)
{
	struct search search = {.name = name, .line = line};
	Dwarf_Die die = function->die;
	Dwarf_Attribute attr;
	for (unsigned i = 0; i < ORIGINS_MAX; i++) {
		look_in(&search, &die, 0);
		if (!dwarf_attr(&die, DW_AT_abstract_origin, &attr) || !di_formref_die(&attr, &die))
			break;
	}
	return search.found;
}
