#include "dwarf/scope_mistake.h"

#include <dwarf.h>

#include "dwarf/attribute.h"
#include "dwarf/ranges.h"

enum { ORIGINS_MAX = 16, DEPTH_MAX = 200 };

enum di_scope_way di_scope_way(enum di_mistake mistake)
{
	switch (mistake) {
	case DI_MISTAKE_GDB_FUTURE_SCOPE:
	case DI_MISTAKE_LLDB_FUTURE_SCOPE:
		return DI_SCOPE_TIMELESS;
	case DI_MISTAKE_LLDB_EMPTY_SCOPE_RANGE:
		return DI_SCOPE_BY_HALVES;
	case DI_MISTAKE_GDB_DECLARATION:
	case DI_MISTAKE_LLDB_DECLARATION:
		return DI_SCOPE_DECLARATIONS;
	case DI_MISTAKE_GDB_BLOCK_WITHOUT_CODE:
	case DI_MISTAKE_LLDB_BLOCK_WITHOUT_CODE:
		return DI_SCOPE_HOLLOW;
	case DI_MISTAKE_GDB_OMITTED_BLOCK:
	case DI_MISTAKE_GDB_INNER_BLOCK:
	case DI_MISTAKE_GDB_LISTED_TWICE:
		return DI_SCOPE_SHALLOW;
	case DI_MISTAKE_GDB_ABSTRACT_HIDES:
		return DI_SCOPE_HIDING;
	default:
		return DI_SCOPE_PLAIN;
	}
}

enum di_scope_tree di_scope_tree(enum di_scope_way way)
{
	switch (way) {
	case DI_SCOPE_DECLARATIONS:
		return DI_TREE_DECLARATIONS;
	case DI_SCOPE_HOLLOW:
		return DI_TREE_HOLLOW;
	case DI_SCOPE_SHALLOW:
	case DI_SCOPE_HIDING:
		return DI_TREE_SHALLOW;
	default:
		return DI_TREE_PLAIN;
	}
}

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
		return !di_hasattr_integrate(die, DW_AT_call_line) ||
		       !di_hasattr_integrate(die, DW_AT_call_file);
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
	return dwarf_attr(die, DW_AT_abstract_origin, &attr) && di_formref_die(&attr, ret);
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

/* --- ranges as lldb has them ------------------------------------------------------------------ */

struct span {
	xs_addr lo, hi;
};

struct spans {
	XS_VEC(struct span) list;
};

/* The span that holds the given one, found by halves; NULL: none is found. */
static const struct span *find(const struct spans *spans, struct span wanted, bool whole)
{
	const struct span *data = spans->list.data;
	size_t first = 0;
	/* The first that does not begin before it. */
	for (size_t length = spans->list.len; length;) {
		size_t half = length / 2;
		if (data[first + half].lo < wanted.lo) {
			first += half + 1;
			length -= half + 1;
		} else {
			length = half;
		}
	}
	for (size_t i = first + 1; i-- > 0 && i + 1 >= first;)
		if (i < spans->list.len && data[i].lo <= wanted.lo && wanted.lo < data[i].hi &&
			(!whole || wanted.hi <= data[i].hi))
			return &data[i];
	return NULL;
}

static int by_place(const void *a, const void *b)
{
	const struct span *left = a, *right = b;
	if (left->lo != right->lo)
		return left->lo < right->lo ? -1 : 1;
	return left->hi < right->hi ? -1 : left->hi > right->hi;
}

/* Sorts, and joins those that touch. */
static void settle(struct spans *spans)
{
	size_t kept = 0;
	struct span *data = spans->list.data;
	if (spans->list.len < 2)
		return;
	qsort(data, spans->list.len, sizeof *data, by_place);
	for (size_t i = 1; i < spans->list.len; i++) {
		if (data[kept].lo <= data[i].hi && data[kept].hi >= data[i].lo)
			data[kept].hi = data[kept].hi > data[i].hi ? data[kept].hi : data[i].hi;
		else
			data[++kept] = data[i];
	}
	spans->list.len = kept + 1;
}

/* A block while the tree is read. */
struct reader {
	const struct di_unit *unit;
	const struct reader *outer;
	struct spans *spans;
};

static void add(const struct reader *reader, struct span span)
{
	if (reader->outer && !find(reader->outer->spans, span, true))
		add(reader->outer, span);
	xs_vec_push(&reader->spans->list, span);
}

static void read_spans(const Dwarf_Die *die, const struct reader *reader)
{
	Dwarf_Die block = *die;
	struct di_ranges ranges;
	struct xs_range range;
	di_ranges_open(&ranges, reader->unit, &block);
	while (di_ranges_next(&ranges, &range))
		add(reader, (struct span){range.lo, range.hi});
}

static bool is_block(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);
	return tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine ||
	       tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

/* Reads a block and all that is in it; what becomes of the wanted one is moved to *ret. */
static void read_tree(const struct di_unit *unit, Dwarf_Die *die, const struct reader *outer,
	unsigned depth, const Dwarf_Die *wanted, struct spans *ret)
{
	struct spans spans = {0};
	struct reader reader = {.unit = unit, .outer = outer, .spans = &spans};
	Dwarf_Die child;
	read_spans(die, &reader);
	settle(&spans);
	bool there = depth < DEPTH_MAX && !dwarf_child(die, &child);
	for (; there; step(&child, &there))
		if (is_block(&child))
			read_tree(unit, &child, &reader, depth + 1, wanted, ret);
	if (die->addr == wanted->addr)
		*ret = spans;
	else
		xs_vec_deinit(&spans.list);
}

bool di_scope_leads_out(const struct di_unit *unit, const Dwarf_Die *function,
	const Dwarf_Die *block, xs_addr pc, xs_addr *begin)
{
	Dwarf_Die root = *function;
	struct spans spans = {0};
	read_tree(unit, &root, NULL, 0, block, &spans);
	const struct span *found = find(&spans, (struct span){pc, pc}, false);
	if (found)
		*begin = found->lo;
	xs_vec_deinit(&spans.list);
	return found;
}

bool di_scope_holds_by_half(const struct di_unit *unit, const Dwarf_Die *die, xs_addr pc)
{
	struct spans spans = {0};
	read_spans(die, &(struct reader){.unit = unit, .spans = &spans});
	bool ret = find(&spans, (struct span){pc, pc}, false);
	xs_vec_deinit(&spans.list);
	return ret;
}
