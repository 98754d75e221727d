/* code_atom.c - what an object's code consists of: atoms, instructions, and what they refer to. */
#include "base/map.h"
#include "base/search.h"
#include "oracle/code/code.h"

static uint64_t add(uint64_t hash, uint64_t more)
{
	return xs_mix(hash ^ xs_mix(more));
}

static uint64_t hash_bytes(uint64_t hash, const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ bytes[i]) * 0x100000001b3;
	return xs_mix(hash);
}

/* The length of the dot and the number that the rest of a name begins with; 0: it does not. LLVM
 * has a word in between for data without a name, of which rustc makes sections. */
static size_t number_at(const char *at)
{
	static const char unnamed[] = ".L__unnamed_";
	size_t begin = !strncmp(at, unnamed, strlen(unnamed)) ? strlen(unnamed) : *at == '.';
	size_t digits = begin ? strspn(at + begin, "0123456789") : 0;
	char next = at[begin + digits];
	return digits && (!next || next == '.') ? begin + digits : 0;
}

uint64_t ora_code_name_key(const char *name)
{
	uint64_t hash = 0xcbf29ce484222325;
	for (const char *at = name; *at;) {
		size_t number = number_at(at);
		if (number)
			at += number;
		else
			hash = (hash ^ (unsigned char)*at++) * 0x100000001b3;
	}
	return xs_mix(hash);
}

bool ora_code_has_numbers(const char *name)
{
	while (*name && !number_at(name))
		name++;
	return *name;
}

/* --- relocations ----------------------------------------------------------------------------- */

/* Whether the field holds a distance from itself. */
static bool is_relative(const struct ora_code *code, uint32_t type)
{
	if (!code->is_64)
		return type == R_386_PC32 || type == R_386_PLT32 || type == R_386_GOTPC ||
		       type == R_386_PC16 || type == R_386_PC8;
	switch (type) {
	case R_X86_64_PC64:
	case R_X86_64_PC32:
	case R_X86_64_PC16:
	case R_X86_64_PC8:
	case R_X86_64_PLT32:
	case R_X86_64_GOTPCREL:
	case R_X86_64_GOTPCREL64:
	case R_X86_64_GOTPCRELX:
	case R_X86_64_REX_GOTPCRELX:
	case R_X86_64_GOTPC32:
	case R_X86_64_GOTPC64:
	case R_X86_64_GOTTPOFF:
	case R_X86_64_TLSGD:
	case R_X86_64_TLSLD:
	case R_X86_64_GOTPC32_TLSDESC:
		return true;
	default:
		return false;
	}
}

/* Calls and addresses relative to the pc need no relocation in the section itself, and the numbers
 * of the types are those of i386 too. */
static uint32_t plain_type(uint32_t type)
{
	return type == R_X86_64_PLT32 ? R_X86_64_PC32 : type;
}

static struct ora_target target_of(
	const struct ora_code *code, const struct ora_code_reloc *reloc, int64_t adjust)
{
	const struct ora_code_symbol *symbol = &code->symbols.data[reloc->symbol];
	struct ora_target ret = {.type = plain_type(reloc->type),
		.section = symbol->section,
		.position = reloc->addend + adjust};
	if (symbol->section == ORA_CODE_NONE) {
		ret.name = ret.said = symbol->name;
		ret.traits = (unsigned)symbol->binding << 8 | symbol->visibility;
		return ret;
	}
	ret.traits = symbol->type == STT_GNU_IFUNC;
	ret.position += (int64_t)symbol->value;
	ret.anchor = ret.position > 0 ? (uint64_t)ret.position : 0;
	if (symbol->type != STT_SECTION) {
		ret.said = symbol->name;
		ret.anchor = symbol->value;
	}
	return ret;
}

struct ora_target ora_code_data_target(
	const struct ora_code *code, const struct ora_code_reloc *reloc, uint64_t base)
{
	return target_of(code, reloc,
		is_relative(code, reloc->type) ? (int64_t)base - (int64_t)reloc->offset : 0);
}

/* --- instructions ---------------------------------------------------------------------------- */

size_t ora_code_reloc_from(const struct ora_code_section *section, uint64_t offset)
{
	size_t i;
	xs_search(i, 0, section->relocs.len, section->relocs.data[i].offset < offset);
	return i;
}

/* Zeroes a field of a copy of the instruction. */
static void mask(uint8_t *bytes, uint64_t at, unsigned size)
{
	for (unsigned i = 0; i < size && at + i < 16; i++)
		bytes[at + i] = 0;
}

/* Takes one instruction apart: where its fields lead to, and the key without that. */
static void look_at(const struct ora_code *code, uint32_t index, struct ora_insn *insn)
{
	const struct ora_code_section *section = &code->sections.data[index];
	const struct eng_disasm *parts = &insn->parts;
	uint64_t end = insn->at + parts->length;
	uint8_t bytes[16] = {0};
	bool filled = false; /* the field that counts from the pc has a relocation */
	memcpy(bytes, section->bytes + insn->at, parts->length);
	for (size_t i = ora_code_reloc_from(section, insn->at);
		i < section->relocs.len && section->relocs.data[i].offset < end; i++) {
		const struct ora_code_reloc *reloc = &section->relocs.data[i];
		uint64_t at = reloc->offset - insn->at;
		unsigned size = ora_code_field(code, reloc->type);
		if (insn->targets < 2)
			insn->target[insn->targets++] = target_of(code, reloc,
				is_relative(code, reloc->type) ? (int64_t)(end - reloc->offset)
							       : 0);
		filled |= (parts->branch && at == parts->imm[0].at) ||
			  (parts->relative && at == parts->disp.at);
		mask(bytes, at, size);
		insn->parts.nop = false; /* what looks like lea 0(%eax), %eax is not yet complete */
	}
	if ((parts->branch || parts->relative) && !filled && insn->targets < 2) {
		int64_t position =
			(int64_t)end + (parts->branch ? parts->distance : parts->disp_value);
		insn->target[insn->targets++] = (struct ora_target){.type = R_X86_64_PC32,
			.section = index,
			.position = position,
			.anchor = position > 0 ? (uint64_t)position : 0};
		mask(bytes, parts->branch ? parts->imm[0].at : parts->disp.at,
			parts->branch ? parts->imm[0].size : parts->disp.size);
	}
	/* However long a jump is encoded, it is the same jump. */
	insn->opaque = parts->branch ? add(parts->mnemonic, 1)
				     : hash_bytes(parts->length, bytes, parts->length);
}

static void decode(struct ora_code *code, struct ora_atom *atom)
{
	const struct ora_code_section *section = &code->sections.data[atom->section];
	uint32_t rank = 0;
	atom->first = code->insns.len;
	for (uint64_t at = atom->lo; at < atom->hi;) {
		struct ora_insn insn = {
			.parts = eng_disasm(section->bytes + at, atom->hi - at, code->is_64),
			.at = at};
		look_at(code, atom->section, &insn);
		insn.rank = rank;
		rank += !insn.parts.nop;
		at += insn.parts.length;
		xs_vec_push(&code->insns, insn);
	}
	atom->end = code->insns.len;
}

/* --- atoms ----------------------------------------------------------------------------------- */

static bool is_code(const struct ora_code_section *section)
{
	return section->counts && section->bytes && section->flags & SHF_EXECINSTR;
}

static bool is_mergeable(const struct ora_code_section *section)
{
	return section->counts && section->bytes && section->flags & SHF_MERGE && section->entry &&
	       !section->relocs.len;
}

/* Names that a compiler makes up for what has none. */
static bool is_made_up(const char *name)
{
	return !*name || !strncmp(name, ".L", 2);
}

/* Whether a symbol begins an atom. */
static bool is_beginning(const struct ora_code *code, const struct ora_code_symbol *symbol)
{
	if (symbol->section == ORA_CODE_NONE || symbol->type == STT_SECTION ||
		symbol->type == STT_FILE)
		return false;
	const struct ora_code_section *section = &code->sections.data[symbol->section];
	if (!section->counts || is_mergeable(section) || symbol->value > section->size)
		return false;
	/* A label in code is a function only if others can call it. */
	return is_code(section) ? symbol->type != STT_NOTYPE || symbol->binding != STB_LOCAL
				: symbol->type != STT_NOTYPE || !is_made_up(symbol->name);
}

static int by_place(const void *a, const void *b)
{
	const struct ora_atom *x = a, *y = b;
	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	if (x->lo != y->lo)
		return x->lo < y->lo ? -1 : 1;
	if (x->global != y->global)
		return x->global ? -1 : 1;
	if (!x->name || !y->name)
		return !x->name - !y->name;
	return strcmp(x->name, y->name);
}

/* Sorts, drops all but the first of those that begin at one place, and ends each where the next
 * begins at the latest. */
static void settle(struct ora_code *code)
{
	size_t kept = 0;
	if (code->atoms.len)
		qsort(code->atoms.data, code->atoms.len, sizeof *code->atoms.data, by_place);
	for (size_t i = 0; i < code->atoms.len; i++) {
		struct ora_atom *atom = &code->atoms.data[i],
				*last = kept ? &code->atoms.data[kept - 1] : NULL;
		if (last && last->section == atom->section) {
			if (last->lo == atom->lo) {
				last->hi = last->hi > atom->hi ? last->hi : atom->hi;
				continue;
			}
			if (last->hi == last->lo || last->hi > atom->lo)
				last->hi = atom->lo;
		}
		code->atoms.data[kept++] = *atom;
	}
	code->atoms.len = kept;
	for (size_t i = 0; i < code->atoms.len; i++) {
		struct ora_atom *atom = &code->atoms.data[i];
		bool last = i + 1 == code->atoms.len ||
			    code->atoms.data[i + 1].section != atom->section;
		if (last && atom->hi == atom->lo)
			atom->hi = code->sections.data[atom->section].size;
	}
}

static void add_symbols(struct ora_code *code)
{
	for (size_t i = 0; i < code->symbols.len; i++) {
		const struct ora_code_symbol *symbol = &code->symbols.data[i];
		if (!is_beginning(code, symbol))
			continue;
		const struct ora_code_section *section = &code->sections.data[symbol->section];
		struct ora_atom atom = {.name = is_made_up(symbol->name) ? NULL : symbol->name,
			.code = is_code(section),
			.global = symbol->binding != STB_LOCAL,
			.section = symbol->section,
			.lo = symbol->value};
		uint64_t room = section->size - symbol->value;
		atom.hi = atom.lo + (symbol->size < room ? symbol->size : room);
		xs_vec_push(&code->atoms, atom);
	}
}

/* Code that no symbol covers: nothing but nops is padding, anything else an atom. */
static void add_unnamed_code(struct ora_code *code, uint32_t index, uint64_t lo, uint64_t hi)
{
	const struct ora_code_section *section = &code->sections.data[index];
	size_t reloc = ora_code_reloc_from(section, lo);
	bool padding = reloc == section->relocs.len || section->relocs.data[reloc].offset >= hi;
	for (uint64_t at = lo; at < hi && padding;) {
		struct eng_disasm parts = eng_disasm(section->bytes + at, hi - at, code->is_64);
		padding = parts.nop || !section->bytes[at] ||
			  section->bytes[at] == 0xcc; /* int3: clang */
		at += parts.length;
	}
	struct ora_atom atom = {.code = true, .section = index, .lo = lo, .hi = hi};
	if (!padding)
		xs_vec_push(&code->atoms, atom);
}

static void add_gaps(struct ora_code *code)
{
	size_t named = code->atoms.len, i = 0;
	for (uint32_t index = 0; index < code->sections.len; index++) {
		uint64_t at = 0;
		for (; i < named && code->atoms.data[i].section < index; i++)
			;
		if (!is_code(&code->sections.data[index]))
			continue;
		for (; i < named && code->atoms.data[i].section == index; i++) {
			uint64_t lo = code->atoms.data[i].lo, hi = code->atoms.data[i].hi;
			if (at < lo)
				add_unnamed_code(code, index, at, lo);
			at = hi;
		}
		if (at < code->sections.data[index].size)
			add_unnamed_code(code, index, at, code->sections.data[index].size);
	}
}

/* The index of the last atom of a section that begins at or before an offset, or its first;
 * ORA_CODE_NONE if it has none. */
static uint32_t find_atom(const struct ora_code *code, uint32_t section, uint64_t offset)
{
	const struct ora_atom *atoms = code->atoms.data;
	size_t i;
	xs_search(i, 0, code->atoms.len,
		atoms[i].section < section ||
			(atoms[i].section == section && atoms[i].lo <= offset));
	if (i && atoms[i - 1].section == section)
		return (uint32_t)i - 1;
	return i < code->atoms.len && atoms[i].section == section ? (uint32_t)i : ORA_CODE_NONE;
}

/* A place in data that something refers to begins an atom, unless a variable covers it. `named`:
 * how many atoms there are that symbols made, in their order. */
static void add_cut(struct ora_code *code, const struct ora_target *target, size_t named)
{
	if (target->section == ORA_CODE_NONE || target->position < 0)
		return;
	const struct ora_code_section *section = &code->sections.data[target->section];
	uint64_t at = (uint64_t)target->position;
	if (!section->counts || is_code(section) || is_mergeable(section) || at >= section->size)
		return;
	size_t all = code->atoms.len;
	code->atoms.len = named;
	uint32_t found = find_atom(code, target->section, at);
	code->atoms.len = all;
	if (found != ORA_CODE_NONE && code->atoms.data[found].lo <= at &&
		at < code->atoms.data[found].hi)
		return;
	struct ora_atom atom = {.section = target->section, .lo = at, .hi = at};
	xs_vec_push(&code->atoms, atom);
}

static void add_unnamed_data(struct ora_code *code)
{
	size_t named = code->atoms.len;
	for (size_t i = 0; i < code->insns.len; i++)
		for (unsigned k = 0; k < code->insns.data[i].targets; k++)
			add_cut(code, &code->insns.data[i].target[k], named);
	for (size_t i = 0; i < code->sections.len; i++) {
		const struct ora_code_section *section = &code->sections.data[i];
		if (is_code(section) || ora_code_is_unwind(section))
			continue;
		for (size_t k = 0; k < section->relocs.len; k++) {
			struct ora_target target = ora_code_data_target(
				code, &section->relocs.data[k], section->relocs.data[k].offset);
			add_cut(code, &target, named);
		}
		if (ora_code_is_walked(section)) {
			struct ora_atom atom = {.section = (uint32_t)i};
			xs_vec_push(&code->atoms, atom);
		}
	}
}

const struct ora_atom *ora_code_atom(
	const struct ora_code *code, const struct ora_target *target, int64_t *offset)
{
	if (target->section == ORA_CODE_NONE || is_mergeable(&code->sections.data[target->section]))
		return NULL;
	uint32_t found = find_atom(code, target->section, target->anchor);
	if (found == ORA_CODE_NONE)
		return NULL;
	*offset = target->position - (int64_t)code->atoms.data[found].lo;
	return &code->atoms.data[found];
}

/* The variable that a place in data is in, or that it may be meant to be before (`step` 1) or at
 * the end of (-1); NULL: there is none. */
static const struct ora_atom *neighbour(
	const struct ora_code *code, const struct ora_target *target, int step)
{
	if (target->section == ORA_CODE_NONE || target->said)
		return NULL;
	uint32_t found = find_atom(code, target->section, target->anchor);
	if (found == ORA_CODE_NONE || (!found && step < 0))
		return NULL;
	size_t index = (size_t)((int64_t)found + step);
	const struct ora_atom *atom = &code->atoms.data[index];
	if (index >= code->atoms.len || atom->section != target->section || atom->code ||
		!atom->name)
		return NULL;
	int64_t lo = (int64_t)atom->lo, hi = (int64_t)atom->hi, position = target->position;
	bool fits = step < 0 ? position == hi : step ? position < lo : position < hi;
	return fits ? atom : NULL;
}

bool ora_code_meet(const struct ora_code *a, const struct ora_target *x, const struct ora_code *b,
	const struct ora_target *y, const struct ora_atom *atoms[2], int64_t *offset)
{
	static const int steps[] = {0, 1, -1};
	if (x->type != y->type || x->traits != y->traits)
		return false;
	for (unsigned i = 0; i < 3; i++)
		for (unsigned k = 0; k < 3; k++) {
			const struct ora_atom *p = neighbour(a, x, steps[i]),
					      *q = neighbour(b, y, steps[k]);
			if (!p || !q || p->key != q->key)
				continue;
			*offset = x->position - (int64_t)p->lo;
			atoms[0] = p;
			atoms[1] = q;
			if (*offset == y->position - (int64_t)q->lo)
				return true;
			if (!i && !k)
				return false; /* another place in the same variable */
		}
	return false;
}

const uint8_t *ora_code_content(
	const struct ora_code *code, const struct ora_target *target, size_t *size, int64_t *offset)
{
	if (target->section == ORA_CODE_NONE)
		return NULL;
	const struct ora_code_section *section = &code->sections.data[target->section];
	if (!is_mergeable(section) || target->anchor >= section->size)
		return NULL;
	bool string = section->flags & SHF_STRINGS;
	/* A constant may be referred to in the middle. */
	uint64_t at = target->said || string ? target->anchor
					     : target->anchor - target->anchor % section->entry,
		 left = section->size - at;
	*offset = target->position - (int64_t)at;
	if (!string) {
		*size = section->entry < left ? section->entry : left;
		return section->bytes + at;
	}
	size_t length = 0;
	for (bool zero = false; !zero && length + section->entry <= left;
		length += section->entry) {
		zero = true;
		for (size_t i = 0; i < section->entry; i++)
			zero &= !section->bytes[at + length + i];
	}
	*size = length;
	return section->bytes + at;
}

/* --- keys ------------------------------------------------------------------------------------ */

static uint64_t target_key(
	const struct ora_code *code, const struct ora_atom *own, const struct ora_target *target)
{
	size_t size;
	int64_t offset = 0;
	uint64_t kind = add(target->type, target->traits);
	const uint8_t *content = ora_code_content(code, target, &size, &offset);
	const struct ora_atom *atom = content ? NULL : ora_code_atom(code, target, &offset);
	if (content)
		return add(hash_bytes(kind, content, size), (uint64_t)offset);
	if (!atom)
		return add(xs_hash_text(kind, target->name), (uint64_t)target->position);
	if (atom->code && atom == own)
		return add(kind, 1); /* a label */
	if (atom->code)
		return add(add(kind, atom->key), offset != 0);
	return add(add(kind, atom->key), (uint64_t)offset);
}

static void set_keys(struct ora_code *code)
{
	for (size_t i = 0; i < code->atoms.len; i++) {
		struct ora_atom *atom = &code->atoms.data[i];
		atom->key = ora_code_name_key(
			atom->name ? atom->name : code->sections.data[atom->section].name);
	}
	for (size_t i = 0; i < code->atoms.len; i++) {
		const struct ora_atom *atom = &code->atoms.data[i];
		for (size_t k = atom->first; k < atom->end; k++) {
			struct ora_insn *insn = &code->insns.data[k];
			insn->key = insn->opaque;
			for (unsigned t = 0; t < insn->targets; t++)
				insn->key =
					add(insn->key, target_key(code, atom, &insn->target[t]));
		}
	}
}

void ora_code_look(struct ora_code *code)
{
	if (code->atoms.len || code->insns.len)
		return;
	add_symbols(code);
	settle(code);
	add_gaps(code);
	settle(code);
	for (size_t i = 0; i < code->atoms.len; i++)
		if (code->atoms.data[i].code)
			decode(code, &code->atoms.data[i]);
	add_unnamed_data(code);
	settle(code);
	for (size_t i = 0; i < code->atoms.len; i++) {
		struct ora_code_section *section =
			&code->sections.data[code->atoms.data[i].section];
		if (section->end == section->first)
			section->first = i;
		section->end = i + 1;
	}
	set_keys(code);
}
