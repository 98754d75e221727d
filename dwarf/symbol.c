#include "dwarf/symbol.h"

#include <gelf.h>

#include "base/search.h"
#include "dwarf/symtab.h"

struct symbol {
	xs_addr lo, hi;   /* what it covers */
	const char *name; /* libelf's */
	size_t number;    /* place in the table, which decides among equals */
};

struct di_symbols {
	XS_VEC(struct symbol) list; /* by lo */
};

void di_symbols_destroy(struct di_symbols *symbols)
{
	if (symbols)
		xs_vec_deinit(&symbols->list);
	free(symbols);
}

static int by_lo(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;
	if (x->lo != y->lo)
		return x->lo > y->lo ? 1 : -1;
	/* Of several at one address the first comes last, where it is found first. */
	return (x->number < y->number) - (x->number > y->number);
}

static void add_table(struct di_symbols *symbols, const struct di_symtab *table)
{
	GElf_Sym symbol;
	for (int i = 0; gelf_getsym(table->data, i, &symbol); i++) {
		int type = GELF_ST_TYPE(symbol.st_info);
		const char *name = di_symtab_name(table, &symbol);
		if ((type != STT_FUNC && type != STT_OBJECT) || symbol.st_shndx == SHN_UNDEF ||
			!name)
			continue;
		uint64_t size = symbol.st_size ? symbol.st_size : 1;
		xs_vec_push(
			&symbols->list, ((struct symbol){symbol.st_value, symbol.st_value + size,
						name, symbols->list.len}));
	}
}

static struct di_symbols *load(struct di_module *module)
{
	struct di_symbols *symbols = xs_calloc(1, sizeof *symbols);
	struct di_symtab tables[DI_SYMTABS];
	bool complete;
	size_t count = di_symtabs_of(module, tables, &complete);
	for (size_t i = 0; i < count; i++)
		add_table(symbols, &tables[i]);
	if (symbols->list.len)
		qsort(symbols->list.data, symbols->list.len, sizeof *symbols->list.data, by_lo);
	return symbols;
}

const char *di_symbol_at(struct di_module *module, xs_addr address, uint64_t *offset)
{
	if (!module->symbols)
		module->symbols = load(module);
	const struct symbol *list = module->symbols->list.data;
	size_t i;
	xs_search(i, 0, module->symbols->list.len, list[i].lo <= address);
	/* Objects do not nest: a few steps back are enough. */
	for (size_t back = 0; i > 0 && back < 8; i--, back++) {
		if (address < list[i - 1].hi) {
			*offset = address - list[i - 1].lo;
			return list[i - 1].name;
		}
	}
	return NULL;
}
