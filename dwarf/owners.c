#include "dwarf/owners.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdio.h>

#include "dwarf/symtab.h"
#include "dwarf/unit.h"

/* --- as it is --------------------------------------------------------------------------------- */

static bool has(const struct di_block *block, xs_addr pc)
{
	return xs_ranges_find(&block->ranges, pc) != NULL;
}

/* Whether some block has the pc twice, in two that are beside each other. */
static bool is_ambiguous(const struct di_block *block, xs_addr pc)
{
	size_t count = 0;
	bool ret = false;
	for (size_t i = 0; i < block->inner.len; i++) {
		if (!has(block->inner.data[i], pc))
			continue;
		count++;
		ret |= is_ambiguous(block->inner.data[i], pc);
	}
	return ret || count > 1;
}

static void find(struct di_module *module, xs_addr pc, struct di_owners *ret)
{
	const struct di_scopes *scopes = di_scopes_at(module, pc);
	const struct di_function *function = di_functions_find(module->functions, pc);
	ret->row = di_lines_find(&module->lines, pc);
	ret->file = ret->row ? di_lines_file(&module->lines, ret->row) : NULL;
	ret->function = function ? function->name : NULL;
	for (size_t i = 0; i < scopes->activations.len; i++) {
		const struct di_block *block = scopes->activations.data[i].function;
		if (block->kind == DI_BLOCK_INLINED)
			xs_vec_push(&ret->inlined, block);
		else
			ret->ambiguous |= is_ambiguous(block, pc);
	}
}

/* --- with a mistake --------------------------------------------------------------------------- */

/* The out-of-line function at a pc as a block; NULL: none. */
static const struct di_block *root_at(struct di_module *module, xs_addr pc)
{
	const struct di_scopes *scopes = di_scopes_at(module, pc);
	size_t count = scopes->activations.len;
	return count ? scopes->activations.data[count - 1].function : NULL;
}

static bool is_indexed(const struct di_block *block)
{
	Dwarf_Attribute attr;
	Dwarf_Die die = block->die;
	return dwarf_attr(&die, DW_AT_ranges, &attr) && attr.form == DW_FORM_rnglistx;
}

/* The code of a block, in bytes. */
static uint64_t size_of(const struct di_block *block)
{
	uint64_t ret = 0;
	for (size_t i = 0; i < block->ranges.vec.len; i++)
		ret += block->ranges.vec.data[i].hi - block->ranges.vec.data[i].lo;
	return ret;
}

/* The smallest inlined call that has the pc and whose ranges are not named by an index. */
static const struct di_block *find_smallest(
	const struct di_block *block, xs_addr pc, const struct di_block *best)
{
	for (size_t i = 0; i < block->inner.len; i++) {
		const struct di_block *inner = block->inner.data[i];
		if (inner->kind == DI_BLOCK_INLINED && has(inner, pc) && !is_indexed(inner) &&
			(!best || size_of(inner) <= size_of(best)))
			best = inner;
		best = find_smallest(inner, pc, best);
	}
	return best;
}

static void forget_indexed(struct di_module *module, xs_addr pc, struct di_owners *ret)
{
	const struct di_block *root = root_at(module, pc);
	ret->inlined.len = 0;
	for (const struct di_block *block = root ? find_smallest(root, pc, NULL) : NULL; block;
		block = block->outer)
		if (block->kind == DI_BLOCK_INLINED)
			xs_vec_push(&ret->inlined, block);
}

/* Entry 0 of the files, for rows that have entry 1 from the beginning of their sequence on: they
 * are those before a DW_LNS_set_file. (Before DWARF 5 entry 1 is the first.) */
static void begin_with_0(const struct di_module *module, xs_addr pc, struct di_owners *ret)
{
	const struct di_lines *lines = &module->lines;
	const struct di_row *row = ret->row;
	if (!row || !row->file || row->file == DI_NO_FILE)
		return;
	for (size_t i = 0; i < lines->sequences.len; i++) {
		const struct di_sequence *one = &lines->sequences.data[i];
		if (pc < one->lo || pc >= one->hi)
			continue;
		const struct di_row *first = &lines->rows.data[one->first];
		if (row < first || row >= &lines->rows.data[one->end])
			continue;
		while (first < row && first->file == row->file)
			first++;
		if (first == row)
			ret->file = lines->files.data[row->file - 1];
		return;
	}
}

/* Whether .debug_aranges says whose unit's code it is. */
static bool is_listed(const struct di_module *module, xs_addr pc)
{
	Dwarf_Aranges *aranges;
	size_t count;
	return module->dwarf && !dwarf_getaranges(module->dwarf, &aranges, &count) &&
	       dwarf_getarange_addr(aranges, pc);
}

void di_owners_find(
	struct di_module *module, xs_addr pc, enum di_mistake mistake, struct di_owners *ret)
{
	*ret = (struct di_owners){0};
	find(module, pc, ret);
	const struct di_block *root = mistake ? root_at(module, pc) : NULL;
	bool split = root && root->unit->is_split;
	if (split && (mistake == DI_MISTAKE_ADDR2LINE_SPLIT ||
			     mistake == DI_MISTAKE_EU_ADDR2LINE_SPLIT)) {
		ret->inlined.len = 0;
		ret->row = mistake == DI_MISTAKE_ADDR2LINE_SPLIT ? NULL : ret->row;
	}
	if (mistake == DI_MISTAKE_ADDR2LINE_RNGLISTX && !split)
		forget_indexed(module, pc, ret);
	if (mistake == DI_MISTAKE_ADDR2LINE_FIRST_FILE)
		begin_with_0(module, pc, ret);
	if (mistake == DI_MISTAKE_EU_ADDR2LINE_ARANGES && !is_listed(module, pc)) {
		ret->row = NULL;
		ret->inlined.len = 0;
	}
}

bool di_owners_is_symbol(struct di_module *module, xs_addr pc, const char *name)
{
	const struct di_function *function = di_functions_find(module->functions, pc);
	struct di_symtab tables[DI_SYMTABS];
	bool complete;
	size_t count = di_symtabs_of(module, tables, &complete);
	for (size_t i = 0; i < count; i++)
		for (int k = 0;; k++) {
			GElf_Sym symbol;
			if (!gelf_getsym(tables[i].data, k, &symbol))
				break;
			bool inside = function && symbol.st_value >= function->entry &&
				      symbol.st_value <= pc;
			bool there = pc - symbol.st_value < symbol.st_size ||
				     (inside && !symbol.st_size) ||
				     (inside && symbol.st_value == function->entry);
			const char *known = there ? di_symtab_name(&tables[i], &symbol) : NULL;
			if (known && !strcmp(known, name))
				return true;
		}
	return false;
}

void di_owners_deinit(struct di_owners *owners)
{
	xs_vec_deinit(&owners->inlined);
}

char *di_owners_quote(const struct di_owners *owners, xs_addr pc)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	xs_assert(out);
	for (size_t i = 0; i < owners->inlined.len; i++) {
		const struct di_block *block = owners->inlined.data[i];
		const struct xs_range *range = xs_ranges_find(&block->ranges, pc);
		Dwarf_Die die = block->die;
		fprintf(out, "%s%s .debug_info+0x%" PRIx64, i ? "; " : "",
			block->name ? block->name : "?", dwarf_dieoffset(&die));
		if (range)
			fprintf(out, " [0x%" PRIx64 ", 0x%" PRIx64 ")", range->lo, range->hi);
		fprintf(out, " called at line %u", block->call_line);
	}
	if (!owners->inlined.len)
		fputs("no inlined call has the pc", out);
	xs_assert(!fclose(out));
	return text;
}
