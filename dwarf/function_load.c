/* Finds the functions of a module, by its DWARF and its symbols. Part of function.h. */
#include <dwarf.h>
#include <gelf.h>

#include "base/log.h"
#include "base/search.h"
#include "dwarf/attribute.h"
#include "dwarf/gaps.h"
#include "dwarf/name.h"
#include "dwarf/ranges.h"
#include "dwarf/split.h"
#include "dwarf/symtab.h"
#include "dwarf/words.h"

enum { DEPTH_MAX = 200 }; /* of nested DIEs that may hold a function; hostile files nest more */

/* The symbols' place in the order, behind all subprograms. */
#define AFTER_SUBPROGRAMS (UINT64_C(1) << 63)

static int by_lo(const void *a, const void *b)
{
	const struct di_function_range *x = a, *y = b;
	if (x->lo != y->lo)
		return x->lo > y->lo ? 1 : -1;
	return (x->function->order > y->function->order) -
	       (x->function->order < y->function->order);
}

static struct di_function *add_function(struct di_functions *functions, uint64_t order)
{
	struct di_function *function = xs_calloc(1, sizeof *function);
	function->index = functions->list.len;
	function->order = order;
	xs_vec_push(&functions->list, function);
	return function;
}

/* The stretches that are being found, of one unit or of the symbols. */
struct found {
	XS_VEC(struct di_function_range) vec;
};

/* --- subprograms ------------------------------------------------------------------------------ */

/* A unit while it is read. */
struct reading {
	struct di_functions *functions;
	const struct di_unit *unit;
	uint64_t order;     /* of the next function */
	struct found found; /* its stretches of code */
};

static void add_subprogram(struct reading *reading, Dwarf_Die *die)
{
	struct di_function *function = NULL;
	const char *name = NULL;
	struct di_ranges ranges;
	struct xs_range range;
	char words[DI_WORDS];
	di_ranges_open(&ranges, reading->unit, die);
	while (di_ranges_next(&ranges, &range)) {
		if (range.lo == range.hi)
			continue;
		if (!function) {
			if (!(name = di_name_of_function(reading->functions->module, die)))
				return;
			function = add_function(reading->functions, reading->order++);
			function->name = name;
			function->entry = range.lo;
			function->die = *die;
			di_ranges_entry(reading->unit, die, &function->entry);
		}
		xs_vec_push(&reading->found.vec,
			((struct di_function_range){
				.lo = range.lo, .hi = range.hi, .function = function}));
	}
	if (ranges.why.code)
		xs_log(XS_LOG_DWARF, XS_LOG_WARN, "%s: .debug_info+0x%" PRIx64 ": ranges of %s: %s",
			reading->functions->module->name, (uint64_t)dwarf_dieoffset(die),
			name ? name : "a function", di_why_text(&ranges.why, words));
}

/* Looks for subprograms among the children of die: beside each other, in namespaces and types, and
 * (nested functions, lambdas) in the blocks of other functions. */
static void walk_children(struct reading *reading, Dwarf_Die *die, unsigned depth, bool inside)
{
	Dwarf_Die child;
	const struct di_module *module = reading->functions->module;
	if (depth > DEPTH_MAX || di_gaps_child(module, die, &child))
		return;
	do {
		switch (dwarf_tag(&child)) {
		case DW_TAG_subprogram:
			if (inside && !dwarf_hasattr(&child, DW_AT_declaration))
				reading->functions->nested = true;
			add_subprogram(reading, &child);
			walk_children(reading, &child, depth + 1, true);
			break;
		case DW_TAG_namespace:
		case DW_TAG_module:
		case DW_TAG_class_type:
		case DW_TAG_structure_type:
		case DW_TAG_union_type:
		case DW_TAG_enumeration_type: /* methods of an enum of Rust without data */
			walk_children(reading, &child, depth + 1, false);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_inlined_subroutine:
			walk_children(reading, &child, depth + 1, inside);
			break;
		default:
			break;
		}
	} while (!di_gaps_sibling(module, &child, &child));
}

/* --- units ------------------------------------------------------------------------------------ */

static void find_reach(struct di_function_range *ranges, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		xs_addr before = i ? ranges[i - 1].reach : 0;
		ranges[i].reach = ranges[i].hi > before ? ranges[i].hi : before;
	}
}

/* Merges what was found, which is sorted, with what is known. */
static void merge(struct di_functions *functions, const struct found *found)
{
	struct found both = {0};
	size_t i = 0, k = 0;
	while (i < functions->debug_ranges.len || k < found->vec.len) {
		const struct di_function_range *known =
			i < functions->debug_ranges.len ? &functions->debug_ranges.data[i] : NULL;
		const struct di_function_range *next =
			k < found->vec.len ? &found->vec.data[k] : NULL;
		bool first = !next || (known && by_lo(known, next) <= 0);
		xs_vec_push(&both.vec, first ? *known : *next);
		*(first ? &i : &k) += 1;
	}
	find_reach(both.vec.data, both.vec.len);
	xs_vec_deinit(&functions->debug_ranges);
	functions->debug_ranges.data = both.vec.data;
	functions->debug_ranges.len = both.vec.len;
	functions->debug_ranges.cap = both.vec.cap;
}

static void read_unit(struct di_functions *functions, size_t index, struct found *found)
{
	struct di_unit_state *unit = &functions->units.data[index];
	struct reading reading = {
		.functions = functions, .order = (uint64_t)index << 32, .found = *found};
	if (unit->read)
		return;
	unit->read = true;
	Dwarf_Die die = di_unit_die(functions->module, unit->cu);
	reading.unit = di_unit_of(functions->module, &die);
	walk_children(&reading, &die, 0, false);
	*found = reading.found;
}

static void keep(struct di_functions *functions, struct found *found)
{
	if (found->vec.len) {
		qsort(found->vec.data, found->vec.len, sizeof *found->vec.data, by_lo);
		merge(functions, found);
	}
	xs_vec_deinit(&found->vec);
}

void di_functions_read_at(struct di_functions *functions, xs_addr pc)
{
	const struct di_unit_range *ranges = functions->unit_ranges.data;
	struct found found = {0};
	size_t i;
	if (functions->all_read)
		return;
	xs_search(i, 0, functions->unit_ranges.len, ranges[i].lo <= pc);
	for (; i > 0 && ranges[i - 1].reach > pc; i--)
		if (ranges[i - 1].hi > pc)
			read_unit(functions, ranges[i - 1].unit, &found);
	keep(functions, &found);
}

void di_functions_read_unplaced(struct di_functions *functions)
{
	struct found found = {0};
	for (size_t i = 0; !functions->unplaced_read && i < functions->units.len; i++)
		if (!functions->units.data[i].placed)
			read_unit(functions, i, &found);
	functions->unplaced_read = true;
	keep(functions, &found);
}

void di_functions_read_all(struct di_functions *functions)
{
	struct found found = {0};
	for (size_t i = 0; !functions->all_read && i < functions->units.len; i++)
		read_unit(functions, i, &found);
	functions->unplaced_read = functions->all_read = true;
	keep(functions, &found);
}

static int by_unit_lo(const void *a, const void *b)
{
	const struct di_unit_range *x = a, *y = b;
	return (x->lo > y->lo) - (x->lo < y->lo);
}

/* Notes where each unit says that its code is. */
static void find_units(struct di_functions *functions)
{
	struct di_module *module = functions->module;
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	while (module->dwarf && !dwarf_get_units(module->dwarf, cu, &cu, NULL, NULL, &unit, NULL)) {
		struct di_unit_state state = {.cu = cu};
		struct di_ranges ranges;
		struct xs_range range;
		di_ranges_open(&ranges, di_unit_of(module, &unit), &unit);
		while (di_ranges_next(&ranges, &range))
			if (range.lo < range.hi)
				xs_vec_push(&functions->unit_ranges,
					((struct di_unit_range){.lo = range.lo,
						.hi = range.hi,
						.unit = functions->units.len}));
		/* Where the list cannot be read to its end, it may be anywhere. */
		state.placed = ranges.told && !ranges.why.code;
		xs_vec_push(&functions->units, state);
	}
	struct di_unit_range *ranges = functions->unit_ranges.data;
	if (functions->unit_ranges.len)
		qsort(ranges, functions->unit_ranges.len, sizeof *ranges, by_unit_lo);
	for (size_t i = 0; i < functions->unit_ranges.len; i++) {
		xs_addr before = i ? ranges[i - 1].reach : 0;
		ranges[i].reach = ranges[i].hi > before ? ranges[i].hi : before;
	}
}

/* --- symbols ---------------------------------------------------------------------------------- */

/* The better a symbol names its address, the lower: global, weak, local. */
static int rank(const GElf_Sym *symbol)
{
	int bind = GELF_ST_BIND(symbol->st_info);
	return bind == STB_GLOBAL ? 0 : bind == STB_WEAK ? 1 : 2;
}

/* Adds the functions of a table whose symbols are of this rank. */
static void add_symbols(struct di_module *module, const struct di_symtab *table, int round)
{
	struct di_functions *functions = module->functions;
	GElf_Sym symbol;
	for (int i = 0; gelf_getsym(table->data, i, &symbol); i++) {
		int type = GELF_ST_TYPE(symbol.st_info);
		const char *name = di_symtab_name(table, &symbol);
		if ((type != STT_FUNC && type != STT_GNU_IFUNC) || rank(&symbol) != round ||
			symbol.st_shndx == SHN_UNDEF || !name ||
			!xs_ranges_find(&module->code, symbol.st_value))
			continue;
		struct di_function *function =
			add_function(functions, AFTER_SUBPROGRAMS | functions->list.len);
		function->name = name;
		function->entry = symbol.st_value;
		function->symbol = true;
		xs_vec_push(&functions->symbol_ranges,
			((struct di_function_range){.lo = symbol.st_value,
				.hi = symbol.st_value + symbol.st_size,
				.function = function}));
	}
}

static void load_symbols(struct di_module *module)
{
	struct di_functions *functions = module->functions;
	struct di_symtab tables[DI_SYMTABS];
	size_t tables_count = di_symtabs_of(module, tables, &functions->complete);
	/* In three rounds, so that of several names for an address the best is found first. */
	for (int round = 0; round < 3; round++)
		for (size_t i = 0; i < tables_count; i++)
			add_symbols(module, &tables[i], round);
	struct di_function_range *ranges = functions->symbol_ranges.data;
	size_t kept = 0, count = functions->symbol_ranges.len;
	if (!count)
		return;
	qsort(ranges, count, sizeof *ranges, by_lo);
	for (size_t i = 1; i < count; i++)
		if (ranges[i].lo != ranges[kept].lo)
			ranges[++kept] = ranges[i];
	functions->symbol_ranges.len = kept + 1;
	/* Assembly often gives no size: such a symbol reaches to the next one. */
	for (size_t i = 0; i <= kept; i++) {
		xs_addr end = xs_ranges_find(&module->code, ranges[i].lo)->hi;
		xs_addr next = i < kept && ranges[i + 1].lo < end ? ranges[i + 1].lo : end;
		if (ranges[i].hi == ranges[i].lo)
			ranges[i].hi = next;
	}
	find_reach(ranges, kept + 1);
}

struct xs_error *di_functions_load(struct di_module *module)
{
	struct di_functions *functions = xs_calloc(1, sizeof *functions);
	functions->module = module;
	functions->lines = &module->lines;
	module->functions = functions;
	find_units(functions);
	load_symbols(module);
	return NULL;
}
