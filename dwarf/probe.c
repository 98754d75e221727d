#include "dwarf/probe.h"

#include <ctype.h>
#include <errno.h>

#include "base/map.h"
#include "dwarf/symtab.h"

/* --- operands --------------------------------------------------------------------------------- */

/* A text that is being read. */
struct reader {
	const char *at, *end;
	const struct di_probe_symbols *symbols;
	const char *why; /* what was wrong first; NULL: nothing */
};

static bool refuse(struct reader *reader, const char *why)
{
	if (!reader->why)
		reader->why = why;
	return false;
}

static bool skip(struct reader *reader, char c)
{
	if (reader->at == reader->end || *reader->at != c)
		return false;
	reader->at++;
	return true;
}

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

/* A register by its name, its DWARF number, its width in bytes, and how many lie below it. */
struct name {
	int reg;
	unsigned width, skipped;
};

static bool find_name(const char *text, size_t length, struct name *ret)
{
	static const struct {
		const char *name;
		int reg;
		unsigned width, skipped;
	} names[] = {
		{"rax", 0, 8, 0},
		{"rdx", 1, 8, 0},
		{"rcx", 2, 8, 0},
		{"rbx", 3, 8, 0},
		{"rsi", 4, 8, 0},
		{"rdi", 5, 8, 0},
		{"rbp", 6, 8, 0},
		{"rsp", 7, 8, 0},
		{"eax", 0, 4, 0},
		{"edx", 1, 4, 0},
		{"ecx", 2, 4, 0},
		{"ebx", 3, 4, 0},
		{"esi", 4, 4, 0},
		{"edi", 5, 4, 0},
		{"ebp", 6, 4, 0},
		{"esp", 7, 4, 0},
		{"ax", 0, 2, 0},
		{"dx", 1, 2, 0},
		{"cx", 2, 2, 0},
		{"bx", 3, 2, 0},
		{"si", 4, 2, 0},
		{"di", 5, 2, 0},
		{"bp", 6, 2, 0},
		{"sp", 7, 2, 0},
		{"al", 0, 1, 0},
		{"dl", 1, 1, 0},
		{"cl", 2, 1, 0},
		{"bl", 3, 1, 0},
		{"sil", 4, 1, 0},
		{"dil", 5, 1, 0},
		{"bpl", 6, 1, 0},
		{"spl", 7, 1, 0},
		{"ah", 0, 1, 1},
		{"dh", 1, 1, 1},
		{"ch", 2, 1, 1},
		{"bh", 3, 1, 1},
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strlen(names[i].name) == length && !memcmp(names[i].name, text, length)) {
			*ret = (struct name){names[i].reg, names[i].width, names[i].skipped};
			return true;
		}
	char *end, copy[8] = "";
	if (length < 2 || length >= sizeof copy)
		return false;
	memcpy(copy, text, length);
	bool vector = length >= 4 && !memcmp(copy, "xmm", 3);
	const char *digits = copy + (vector ? 3 : 1);
	if ((!vector && copy[0] != 'r') || !isdigit((unsigned char)*digits))
		return false;
	unsigned long number = strtoul(digits, &end, 10);
	if (vector && !*end && number < 32) {
		*ret = (struct name){
			(int)(number < 16 ? DI_REG_XMM0 + number : DI_REG_XMM16 + number - 16), 16,
			0};
		return true;
	}
	unsigned width = !*end ? 8 : end[1] ? 0 : *end == 'd' ? 4 : *end == 'w' ? 2 : *end == 'b';
	*ret = (struct name){(int)number, width, 0};
	return !vector && number >= DI_REG_R8 && number <= DI_REG_R15 && width;
}

/* `%eax`. */
static bool read_register(struct reader *reader, struct name *ret)
{
	if (!skip(reader, '%'))
		return refuse(reader, "no operand as gas writes it");
	const char *begin = reader->at;
	while (reader->at < reader->end && isalnum((unsigned char)*reader->at))
		reader->at++;
	if (reader->at < reader->end && *reader->at == ':')
		return refuse(reader, "relative to a segment register");
	if (!find_name(begin, (size_t)(reader->at - begin), ret))
		return refuse(reader, "a register that is not known");
	return true;
}

static bool read_number(struct reader *reader, uint64_t *ret)
{
	char copy[32] = "", *end;
	size_t length = 0;
	while (reader->at + length < reader->end && length < sizeof copy - 1 &&
		isalnum((unsigned char)reader->at[length])) {
		copy[length] = reader->at[length];
		length++;
	}
	errno = 0;
	*ret = strtoull(copy, &end, 0);
	if (!length || *end || errno)
		return refuse(reader, "no operand as gas writes it");
	reader->at += length;
	return true;
}

/* A sum of numbers and at most one symbol: `-8`, `sym`, `sym+8`, `8+sym`. */
static bool read_sum(struct reader *reader, struct di_probe_operand *ret)
{
	if (reader->at == reader->end)
		return refuse(reader, "no operand as gas writes it");
	for (bool first = true; reader->at < reader->end && *reader->at != '('; first = false) {
		bool minus = skip(reader, '-');
		uint64_t number;
		if (!minus && !skip(reader, '+') && !first)
			return refuse(reader, *reader->at == '@'
						      ? "by a relocation, such as a slot of the GOT"
						      : "no operand as gas writes it");
		if (reader->at < reader->end && isdigit((unsigned char)*reader->at)) {
			if (!read_number(reader, &number))
				return false;
			ret->number += minus ? -number : number;
			continue;
		}
		const char *begin = reader->at;
		while (reader->at < reader->end && is_name(*reader->at))
			reader->at++;
		if (begin == reader->at || minus || ret->loaded)
			return refuse(reader, "no operand as gas writes it");
		xs_addr address;
		if (!reader->symbols || !reader->symbols->find(reader->symbols->arg, begin,
						(size_t)(reader->at - begin), &address))
			return refuse(reader, "by a symbol that is not there, or not the only one "
					      "of its name");
		ret->number += address;
		ret->loaded = true;
	}
	return true;
}

/* What is between parentheses: `%rsp`, `%rbp,%rax,4`, `,%rax,4`, `%rip`. */
static bool read_address(struct reader *reader, struct di_probe_operand *ret)
{
	struct name name;
	uint64_t scale = 1;
	if (!skip(reader, '('))
		return refuse(reader, "no operand as gas writes it");
	if (reader->at + 4 < reader->end && !memcmp(reader->at, "%rip)", 5)) {
		reader->at += 5;
		/* Behind a symbol it says how the address is encoded, not that pc is added. */
		return ret->loaded || refuse(reader, "relative to the pc without a symbol");
	}
	if (reader->at < reader->end && *reader->at != ',') {
		if (!read_register(reader, &name))
			return false;
		if (name.width != 8)
			return refuse(reader, "by an address of fewer than 64 bits");
		ret->reg = name.reg;
	}
	if (skip(reader, ',')) {
		if (!read_register(reader, &name) ||
			(skip(reader, ',') && !read_number(reader, &scale)))
			return false;
		if (name.width != 8)
			return refuse(reader, "by an address of fewer than 64 bits");
		ret->index = name.reg;
		ret->scale = (unsigned)scale;
		if (scale != 1 && scale != 2 && scale != 4 && scale != 8)
			return refuse(reader, "no operand as gas writes it");
	}
	return skip(reader, ')') || refuse(reader, "no operand as gas writes it");
}

/* `-4@`, `8f@`, or nothing. */
static void read_size(struct reader *reader, struct di_probe_operand *ret)
{
	const char *at = reader->at;
	bool minus = at < reader->end && *at == '-';
	unsigned size = 0;
	at += minus;
	while (at < reader->end && isdigit((unsigned char)*at) && size < 1000)
		size = size * 10 + (unsigned)(*at++ - '0');
	bool is_float = at < reader->end && *at == 'f';
	at += is_float;
	if (at >= reader->end || *at != '@' || !size)
		return;
	reader->at = at + 1;
	ret->size = size;
	ret->is_signed = minus;
	ret->is_float = is_float;
}

static bool read_operand(struct reader *reader, struct di_probe_operand *ret)
{
	struct name name;
	read_size(reader, ret);
	if (reader->at == reader->end)
		return refuse(reader, "no operand as gas writes it");
	if (*reader->at == '%') {
		ret->where = DI_PROBE_REGISTER;
		if (!read_register(reader, &name))
			return false;
		ret->reg = name.reg;
		ret->skipped = name.skipped;
		ret->size = ret->size ? ret->size : name.width;
		if (ret->size > name.width)
			return refuse(reader, "in a register that is narrower than it");
	} else if (skip(reader, '$')) {
		ret->where = DI_PROBE_CONSTANT;
		if (!read_sum(reader, ret))
			return false;
	} else {
		ret->where = DI_PROBE_MEMORY;
		if (*reader->at != '(' && !read_sum(reader, ret))
			return false;
		if (reader->at < reader->end && !read_address(reader, ret))
			return false;
	}
	if (reader->at < reader->end)
		return refuse(reader, "no operand as gas writes it");
	if (ret->size != 1 && ret->size != 2 && ret->size != 4 && ret->size != 8)
		return refuse(reader, "of another size than 1, 2, 4 or 8 bytes");
	return true;
}

void di_probe_operand_parse(const char *text, size_t length, const struct di_probe_symbols *symbols,
	struct di_probe_operand *ret)
{
	struct reader reader = {.at = text, .end = text + length, .symbols = symbols};
	*ret = (struct di_probe_operand){
		.text = xs_asprintf("%.*s", (int)length, text), .reg = -1, .index = -1};
	if (read_operand(&reader, ret))
		return;
	ret->where = DI_PROBE_UNREAD;
	ret->why = reader.why;
}

/* --- notes ------------------------------------------------------------------------------------ */

/* The operands of a note, by blanks. */
static void split(const char *text, const struct di_probe_symbols *symbols, struct di_probe *ret)
{
	struct di_probe_operand operand;
	/* Of Intel's syntax even how many there are is not clear. */
	bool foreign = strchr(text, '[') || strstr(text, "PTR");
	while (*(text += strspn(text, " "))) {
		size_t length = strcspn(text, " ");
		di_probe_operand_parse(text, length, symbols, &operand);
		if (foreign) {
			operand.where = DI_PROBE_UNREAD;
			operand.why = "in Intel's syntax";
		}
		xs_vec_push(&ret->operands, operand);
		text += length;
	}
}

static void probe_deinit(struct di_probe *probe)
{
	for (size_t i = 0; i < probe->operands.len; i++)
		free(probe->operands.data[i].text);
	xs_vec_deinit(&probe->operands);
	free(probe->provider);
	free(probe->name);
}

/* The content of one note; false if it makes no sense. */
static bool read_note(struct di_cursor *desc, xs_addr base, const struct di_probe_symbols *symbols,
	struct di_probe *ret)
{
	*ret = (struct di_probe){.pc = di_cursor_u(desc, 8)};
	uint64_t linked = di_cursor_u(desc, 8);
	ret->semaphore = di_cursor_u(desc, 8);
	const char *provider = di_cursor_string(desc);
	const char *name = di_cursor_string(desc);
	const char *operands = di_cursor_string(desc);
	if (desc->failed || !*provider || !*name)
		return false;
	if (base) {
		ret->pc += base - linked;
		ret->semaphore += ret->semaphore ? base - linked : 0;
	}
	ret->provider = xs_strdup(provider);
	ret->name = xs_strdup(name);
	split(operands, symbols, ret);
	return true;
}

static int by_pc(const void *one, const void *other)
{
	const struct di_probe *a = one, *b = other;
	if (a->pc != b->pc)
		return a->pc < b->pc ? -1 : 1;
	int ret = strcmp(a->provider, b->provider);
	return ret ? ret : strcmp(a->name, b->name);
}

void di_probes_parse(struct di_cursor *notes, xs_addr base, const struct di_probe_symbols *symbols,
	struct di_probes *ret)
{
	enum { NOTE_TYPE = 3, ALIGNMENT = 4 };
	while (di_cursor_left(notes)) {
		uint64_t name_size = di_cursor_u(notes, 4), size = di_cursor_u(notes, 4);
		uint64_t type = di_cursor_u(notes, 4);
		const uint8_t *name =
			di_cursor_bytes(notes, (name_size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
		const uint8_t *desc = di_cursor_bytes(notes, size);
		struct di_probe probe;
		if (notes->failed) {
			ret->unread++;
			break;
		}
		uint64_t padding = (ALIGNMENT - size % ALIGNMENT) % ALIGNMENT;
		if (padding <= di_cursor_left(notes))
			di_cursor_bytes(notes, padding);
		if (type != NOTE_TYPE || name_size != sizeof "stapsdt" ||
			memcmp(name, "stapsdt", sizeof "stapsdt") != 0)
			continue;
		struct di_cursor content = di_cursor_over(".note.stapsdt", desc, size);
		if (read_note(&content, base, symbols, &probe))
			xs_vec_push(&ret->list, probe);
		else
			ret->unread++;
	}
	if (ret->list.len)
		qsort(ret->list.data, ret->list.len, sizeof *ret->list.data, by_pc);
}

/* The symbols of a module by the hashes of their names, read when the first is asked for. */
struct symbols {
	const struct di_module *module;
	struct xs_map found; /* hash of a name -> index into list, plus 1 */
	XS_VEC(struct {
		const char *name;
		xs_addr address;
		bool several; /* with different addresses */
	})
	list;
	bool read;
};

static void read_symbols(struct symbols *all)
{
	struct di_symtab tables[DI_SYMTABS];
	bool complete;
	size_t count = di_symtabs_of(all->module, tables, &complete);
	all->read = true;
	for (size_t t = 0; t < count; t++) {
		GElf_Sym symbol;
		for (int i = 0; gelf_getsym(tables[t].data, i, &symbol); i++) {
			const char *name = di_symtab_name(&tables[t], &symbol);
			int type = GELF_ST_TYPE(symbol.st_info);
			if (!name || symbol.st_shndx == SHN_UNDEF || type == STT_FILE ||
				type == STT_SECTION)
				continue;
			uint64_t *index = xs_map_at(&all->found, xs_hash_text(0, name), 0);
			bool odd = type == STT_TLS || type == STT_GNU_IFUNC ||
				   symbol.st_shndx == SHN_ABS;
			if (!*index) {
				xs_vec_push(&all->list, ((__typeof__(*all->list.data)){
								name, symbol.st_value, odd}));
				*index = all->list.len;
			} else if (odd || strcmp(all->list.data[*index - 1].name, name) != 0 ||
				   all->list.data[*index - 1].address != symbol.st_value) {
				all->list.data[*index - 1].several = true;
			}
		}
	}
}

static bool find_symbol(void *arg, const char *name, size_t length, xs_addr *ret)
{
	struct symbols *all = arg;
	XS_AUTO_FREE char *copy = xs_asprintf("%.*s", (int)length, name);
	if (!all->read)
		read_symbols(all);
	const uint64_t *index = xs_map_find(&all->found, xs_hash_text(0, copy), 0);
	if (!index || all->list.data[*index - 1].several ||
		strcmp(all->list.data[*index - 1].name, copy) != 0)
		return false;
	*ret = all->list.data[*index - 1].address;
	return true;
}

struct xs_error *di_probes_read(struct di_module *module, struct di_probes *ret)
{
	struct symbols symbols = {.module = module};
	struct di_probe_symbols host = {find_symbol, &symbols};
	struct di_cursor notes;
	GElf_Shdr base;
	*ret = (struct di_probes){0};
	struct xs_error *err = di_section_read(module->elf, ".note.stapsdt", &notes);
	if (!err && !di_cursor_left(&notes) && module->separate)
		err = di_section_read(module->separate->elf, ".note.stapsdt", &notes);
	if (err)
		return xs_error_context(err, "%s", module->path);
	bool based = false;
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(module->elf, scn));)
		if (gelf_getshdr(scn, &base) &&
			!strcmp(di_section_name(module->elf, &base), ".stapsdt.base")) {
			based = true;
			break;
		}
	di_probes_parse(&notes, based ? base.sh_addr : 0, &host, ret);
	xs_map_deinit(&symbols.found);
	xs_vec_deinit(&symbols.list);
	return NULL;
}

void di_probes_deinit(struct di_probes *probes)
{
	for (size_t i = 0; i < probes->list.len; i++)
		probe_deinit(&probes->list.data[i]);
	xs_vec_deinit(&probes->list);
}

/* --- values ----------------------------------------------------------------------------------- */

static bool read_general(const struct di_target *target, int reg, uint64_t *ret)
{
	uint8_t bytes[DI_REG_BYTES] = {0};
	unsigned size = 0;
	if (!target->reg(target->arg, (unsigned)reg, bytes, &size) || size < sizeof *ret)
		return false;
	memcpy(ret, bytes, sizeof *ret);
	return true;
}

const char *di_probe_value(const struct di_probe_operand *operand, const struct di_target *target,
	uint64_t bias, uint64_t *ret)
{
	uint8_t bytes[DI_REG_BYTES] = {0};
	uint64_t number = operand->number + (operand->loaded ? bias : 0), part;
	unsigned size = 0;
	switch (operand->where) {
	case DI_PROBE_CONSTANT:
		memcpy(bytes, &number, sizeof number);
		break;
	case DI_PROBE_REGISTER:
		if (!target->reg(target->arg, (unsigned)operand->reg, bytes, &size) ||
			size < operand->skipped + operand->size)
			return "in a register that is not there";
		memmove(bytes, bytes + operand->skipped, operand->size);
		break;
	case DI_PROBE_MEMORY:
		if (operand->reg >= 0) {
			if (!read_general(target, operand->reg, &part))
				return "in a register that is not there";
			number += part;
		}
		if (operand->index >= 0) {
			if (!read_general(target, operand->index, &part))
				return "in a register that is not there";
			number += part * operand->scale;
		}
		if (!target->memory(target->arg, number, bytes, operand->size))
			return "in memory that is not there";
		break;
	case DI_PROBE_UNREAD:
		return operand->why;
	}
	*ret = 0;
	memcpy(ret, bytes, operand->size);
	return NULL;
}
