/* Finds the functions of a module, by its DWARF and its symbols. Part of function.h. */
#include <dwarf.h>
#include <gelf.h>

#include "base/log.h"
#include "dwarf/gaps.h"
#include "dwarf/module.h"
#include "dwarf/split.h"

enum { DEPTH_MAX = 200 }; /* of nested DIEs that may hold a function; hostile files nest more */

static int by_lo(const void *a, const void *b)
{
	const struct di_function_range *x = a, *y = b;
	if (x->lo != y->lo)
		return x->lo > y->lo ? 1 : -1;
	/* Equal starts: the order in which they were found. */
	return (x->function > y->function) - (x->function < y->function);
}

/* --- subprograms ------------------------------------------------------------------------------ */

static const char *die_name(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attr));
	if (!name)
		name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attr));
	return name;
}

static void add_subprogram(struct di_module *module, Dwarf_Die *die)
{
	struct di_functions *functions = &module->functions;
	Dwarf_Addr base, lo, hi, entry;
	ptrdiff_t offset = 0;
	bool added = false;
	const char *name = die_name(die);
	while (name && (offset = dwarf_ranges(die, offset, &base, &lo, &hi)) > 0) {
		/* Empty ranges hold no code; ranges elsewhere were discarded by the linker. */
		if (lo >= hi || !xs_ranges_find(&module->code, lo))
			continue;
		if (!added) {
			if (dwarf_entrypc(die, &entry) || !xs_ranges_find(&module->code, entry))
				entry = lo;
			xs_vec_push(&functions->list,
				((struct di_function){
					.name = xs_strdup(name), .entry = entry, .die = *die}));
			added = true;
		}
		xs_vec_push(&functions->debug_ranges,
			((struct di_function_range){lo, hi, functions->list.len - 1}));
	}
	if (offset < 0)
		xs_log(XS_LOG_DWARF, XS_LOG_WARN, "%s: .debug_info+0x%" PRIx64 ": ranges of %s: %s",
			module->name, (uint64_t)dwarf_dieoffset(die), name, dwarf_errmsg(-1));
}

/* Looks for subprograms among the children of die: beside each other, in namespaces and types, and
 * (nested functions, lambdas) in the blocks of other functions. */
static void walk_children(struct di_module *module, Dwarf_Die *die, unsigned depth)
{
	Dwarf_Die child;
	int end = depth > DEPTH_MAX ? 1 : dwarf_child(die, &child);
	if (end < 0)
		di_gaps_tell_entry(module, die);
	if (end)
		return;
	do {
		switch (dwarf_tag(&child)) {
		case DW_TAG_subprogram:
			add_subprogram(module, &child);
			walk_children(module, &child, depth + 1);
			break;
		case DW_TAG_namespace:
		case DW_TAG_module:
		case DW_TAG_class_type:
		case DW_TAG_structure_type:
		case DW_TAG_union_type:
		case DW_TAG_lexical_block:
		case DW_TAG_inlined_subroutine:
			walk_children(module, &child, depth + 1);
			break;
		default:
			break;
		}
	} while (!(end = dwarf_siblingof(&child, &child)));
	if (end < 0)
		di_gaps_tell_entry(module, &child);
}

/* --- symbols ---------------------------------------------------------------------------------- */

/* The better a symbol names its address, the lower: global, weak, local. */
static int rank(const GElf_Sym *symbol)
{
	int bind = GELF_ST_BIND(symbol->st_info);
	return bind == STB_GLOBAL ? 0 : bind == STB_WEAK ? 1 : 2;
}

static Elf_Scn *section_of_type(Elf *elf, GElf_Word type, GElf_Shdr *header)
{
	Elf_Scn *scn = NULL;
	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, header) && header->sh_type == type)
			return scn;
	return NULL;
}

/* The best symbol table there is, and the file that it is in: all symbols of the program, or of its
 * separate debug file, or those that the program exports. */
static Elf_Scn *symbol_section(const struct di_module *module, Elf **elf, GElf_Shdr *header)
{
	Elf_Scn *scn = section_of_type(*elf = module->elf, SHT_SYMTAB, header);
	if (!scn && module->separate)
		scn = section_of_type(*elf = module->separate->elf, SHT_SYMTAB, header);
	if (!scn)
		scn = section_of_type(*elf = module->elf, SHT_DYNSYM, header);
	return scn;
}

static void load_symbols(struct di_module *module)
{
	struct di_functions *functions = &module->functions;
	GElf_Shdr header;
	Elf *elf;
	Elf_Scn *scn = symbol_section(module, &elf, &header);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	functions->complete = data && header.sh_type == SHT_SYMTAB;
	GElf_Sym symbol;
	/* In three rounds, so that of several names for an address the best is found first. */
	for (int round = 0; data && round < 3; round++) {
		for (int i = 0; gelf_getsym(data, i, &symbol); i++) {
			int type = GELF_ST_TYPE(symbol.st_info);
			const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
			if ((type != STT_FUNC && type != STT_GNU_IFUNC) || rank(&symbol) != round ||
				symbol.st_shndx == SHN_UNDEF || !name || !*name ||
				!xs_ranges_find(&module->code, symbol.st_value))
				continue;
			xs_vec_push(&functions->list, ((struct di_function){.name = xs_strdup(name),
							      .entry = symbol.st_value,
							      .symbol = true}));
			xs_vec_push(&functions->symbol_ranges,
				((struct di_function_range){symbol.st_value,
					symbol.st_value + symbol.st_size,
					functions->list.len - 1}));
		}
	}
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
}

struct xs_error *di_functions_load(struct di_module *module)
{
	struct di_functions *functions = &module->functions;
	Dwarf_CU *cu = NULL;
	while (module->dwarf && !dwarf_get_units(module->dwarf, cu, &cu, NULL, NULL, NULL, NULL)) {
		Dwarf_Die unit = di_unit_die(cu);
		walk_children(module, &unit, 0);
	}
	if (functions->debug_ranges.len)
		qsort(functions->debug_ranges.data, functions->debug_ranges.len,
			sizeof *functions->debug_ranges.data, by_lo);
	load_symbols(module);
	return NULL;
}
