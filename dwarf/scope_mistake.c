#include "dwarf/scope_mistake.h"

#include <dwarf.h>

enum { ORIGINS_MAX = 16, RANGES_MAX = 4096 };

bool di_scope_has_declarations(enum di_mistake mistake)
{
	return mistake == DI_MISTAKE_GDB_DECLARATION || mistake == DI_MISTAKE_LLDB_DECLARATION;
}

bool di_scope_has_hollow(enum di_mistake mistake, Dwarf_Die *die)
{
	/* One with ranges that are all empty is skipped with all that is in it. */
	return (mistake == DI_MISTAKE_GDB_BLOCK_WITHOUT_CODE ||
		       mistake == DI_MISTAKE_LLDB_BLOCK_WITHOUT_CODE) &&
	       !dwarf_hasattr(die, DW_AT_low_pc) && !dwarf_hasattr(die, DW_AT_ranges);
}

bool di_scope_is_shallow(enum di_mistake mistake)
{
	return mistake == DI_MISTAKE_GDB_OMITTED_BLOCK || mistake == DI_MISTAKE_GDB_INNER_BLOCK ||
	       mistake == DI_MISTAKE_GDB_LISTED_TWICE || mistake == DI_MISTAKE_GDB_ABSTRACT_HIDES;
}

bool di_scope_is_transparent(Dwarf_Die *die)
{
	if (dwarf_hasattr(die, DW_AT_low_pc) || dwarf_hasattr(die, DW_AT_ranges))
		return false;
	switch (dwarf_tag(die)) {
	case DW_TAG_lexical_block:
		return true;
	case DW_TAG_inlined_subroutine:
		return !dwarf_hasattr_integrate(die, DW_AT_call_line) ||
		       !dwarf_hasattr_integrate(die, DW_AT_call_file);
	default:
		return false;
	}
}

bool di_scope_is_timeless(enum di_mistake mistake)
{
	return mistake == DI_MISTAKE_GDB_FUTURE_SCOPE || mistake == DI_MISTAKE_LLDB_FUTURE_SCOPE ||
	       mistake == DI_MISTAKE_GDB_ABSTRACT_HIDES || di_scope_has_declarations(mistake);
}

static bool origin_of(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;
	return dwarf_attr(die, DW_AT_abstract_origin, &attr) && dwarf_formref_die(&attr, ret);
}

/* The next sibling, or the first child; *there is false if there is none. */
static void step(Dwarf_Die *die, bool *there)
{
	*there = *there && !dwarf_siblingof(die, die);
}

/* Whether both have children of the same kinds in the same order. */
static bool are_alike(Dwarf_Die *die, Dwarf_Die *abstract)
{
	Dwarf_Die a, b;
	bool has_a = !dwarf_child(die, &a), has_b = !dwarf_child(abstract, &b);
	while (has_a || has_b) {
		if (!has_a || !has_b || dwarf_tag(&a) != dwarf_tag(&b))
			return false;
		step(&a, &has_a);
		step(&b, &has_b);
	}
	return true;
}

void di_scope_note_children(Dwarf_Die *die, Dwarf_Die *abstract, struct xs_map *noted)
{
	Dwarf_Die child, twin = {0}, origin;
	bool alike = are_alike(die, abstract);
	bool there = !dwarf_child(die, &child), has_twin = alike && !dwarf_child(abstract, &twin);
	for (; there; step(&child, &there), step(&twin, &has_twin)) {
		int tag = dwarf_tag(&child);
		if (tag == DW_TAG_call_site || tag == DW_TAG_GNU_call_site)
			continue;
		origin = child;
		for (unsigned i = 0; i < ORIGINS_MAX && origin_of(&origin, &origin); i++)
			;
		/* clang leaves the origin of a block out. */
		if (origin.addr == child.addr && has_twin && tag == DW_TAG_lexical_block)
			origin = twin;
		if (origin.addr != child.addr)
			*xs_map_at(noted, (uintptr_t)origin.addr, 0) = 1;
	}
}

bool di_scope_holds_by_half(const Dwarf_Die *die, xs_addr pc)
{
	Dwarf_Die block = *die;
	struct {
		xs_addr lo, hi;
	} *ranges = xs_calloc(RANGES_MAX, sizeof *ranges);
	Dwarf_Addr base, lo, hi;
	ptrdiff_t offset = 0;
	size_t count = 0, first = 0;
	while (count < RANGES_MAX && (offset = dwarf_ranges(&block, offset, &base, &lo, &hi)) > 0) {
		ranges[count].lo = lo;
		ranges[count++].hi = hi;
	}
	/* The first that does not begin before the pc, by halves. */
	for (size_t length = count; length;) {
		size_t half = length / 2;
		if (ranges[first + half].lo < pc) {
			first += half + 1;
			length -= half + 1;
		} else {
			length = half;
		}
	}
	bool holds = (first < count && ranges[first].lo <= pc && pc < ranges[first].hi) ||
		     (first && ranges[first - 1].lo <= pc && pc < ranges[first - 1].hi);
	free(ranges);
	return holds;
}
