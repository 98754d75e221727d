/* code.h - the machine code of a relocatable object (x86-64 or i386), and what it refers to.
 *
 * A section is bytes and relocations; how they are numbered and where they lie in the file is of no
 * matter. For those who must look inside there are atoms: a function, a variable, or a stretch of
 * unnamed data (a string, a jump table) that begins where something refers to it. A reference is
 * then an atom and an offset, whether it was written with a symbol, with a section and a number, or
 * without any relocation at all; in mergeable sections it is the string or the constant itself.
 *
 * Rules:
 * 1. Only sections that are loaded count (SHF_ALLOC). Notes do not: they have build-ids.
 * 2. The order of calls is open, [same], look, ...; everything handed out lives as long as the
 *    code. */
#ifndef ORA_CODE_H
#define ORA_CODE_H

#include "base/addr.h"
#include "dwarf/file.h"
#include "engine/disasm.h"

#define ORA_CODE_NONE UINT32_MAX

struct ora_code_reloc {
	uint64_t offset; /* of the field, in its section */
	uint32_t type;   /* R_X86_64_... or R_386_... */
	uint32_t symbol; /* index */
	int64_t addend;
};

struct ora_code_section {
	const char *name;
	uint32_t twin; /* how many of that name come before it */
	uint32_t type; /* SHT_... */
	uint64_t flags, size, align, entry;
	const uint8_t *bytes;                 /* NULL: not loaded, or zeros (.bss) */
	bool counts;                          /* rule 1 */
	XS_VEC(struct ora_code_reloc) relocs; /* by offset */
	size_t first, end;                    /* its atoms */
};

struct ora_code_symbol {
	const char *name;
	uint64_t value, size;
	uint32_t section; /* index; ORA_CODE_NONE: not defined here, or common */
	bool common;      /* room that the linker makes; `value` is its alignment */
	bool absolute;    /* `value` is not a place but a number */
	uint8_t type, binding, visibility;
};

/* What a field of an instruction or of data refers to. */
struct ora_target {
	uint32_t type; /* of the relocation; plain calls and plain addresses relative to the pc are
			* one type, with a relocation or without */
	uint32_t section; /* where it is; ORA_CODE_NONE: in another object */
	int64_t position; /* offset in the section, or from `name` */
	const char *name; /* in another object: of what */
	const char *said; /* the symbol that was used to name it; NULL: the section's */
	uint64_t anchor;  /* an offset inside the atom that is meant */
	unsigned traits;  /* of the symbol, what a linker looks at: a function to be resolved;
			   * in another object: weak, hidden, ... */
};

struct ora_insn {
	struct eng_disasm parts;
	uint64_t at;   /* offset in the section */
	uint32_t rank; /* how many of its atom that are no nops come before it */
	uint64_t key;  /* equal if two instructions are, but for the places that labels stand for */
	uint64_t opaque;  /* equal if they are but for what they refer to */
	unsigned targets; /* how many it has */
	struct ora_target target[2];
};

struct ora_atom {
	const char *name; /* NULL: it has none, or one that the compiler made up */
	bool code, global;
	uint32_t section;
	uint64_t lo, hi; /* offsets in the section */
	uint64_t key;    /* of its name without numbers; what an unnamed one has is its section's */
	size_t first, end; /* CODE: its instructions */
};

struct ora_code {
	struct di_file *file;
	bool is_64;
	XS_VEC(struct ora_code_section) sections; /* by section number */
	XS_VEC(struct ora_code_symbol) symbols;   /* by symbol number */
	/* From ora_code_look() on: */
	XS_VEC(struct ora_atom) atoms; /* by section and offset */
	XS_VEC(struct ora_insn) insns;
};

/* Reads an object file. Refuses what is not one. */
XS_MUST_CHECK struct xs_error *ora_code_open(const char *path, struct ora_code **ret);
void ora_code_destroy(struct ora_code *code);
XS_DEFINE_CLEANUP(ora_code);

/* Whether all that counts is the same, byte by byte and relocation by relocation: then nothing else
 * needs to be asked. Unwind tables can be left out. */
bool ora_code_same(const struct ora_code *a, const struct ora_code *b, bool unwind);
/* Finds the atoms and takes the instructions apart. */
void ora_code_look(struct ora_code *code);
/* The atom that a target is in and the offset from its beginning; NULL: in another object, or in
 * mergeable data. */
const struct ora_atom *ora_code_atom(
	const struct ora_code *code, const struct ora_target *target, int64_t *offset);
/* A place in data that is told by section and number may be meant as one before a variable, or
 * behind it (x[i - 1], the end of x). Whether two such places are that of one variable, and which
 * it is in both; names are all that is looked at. */
bool ora_code_meet(const struct ora_code *a, const struct ora_target *x, const struct ora_code *b,
	const struct ora_target *y, const struct ora_atom *atoms[2], int64_t *offset);
/* The string or constant that a target in mergeable data stands for, and the offset from its
 * beginning; NULL if it is not in such. */
const uint8_t *ora_code_content(const struct ora_code *code, const struct ora_target *target,
	size_t *size, int64_t *offset);
/* Where a relocation in data leads to; relative ones are counted from `base`, the beginning of a
 * table. */
struct ora_target ora_code_data_target(
	const struct ora_code *code, const struct ora_code_reloc *reloc, uint64_t base);
/* The index of the first relocation of a section at or behind an offset. */
size_t ora_code_reloc_from(const struct ora_code_section *section, uint64_t offset);
/* Bytes in the field of a relocation. */
unsigned ora_code_field(const struct ora_code *code, uint32_t type);
/* The hash of a name without the numbers that compilers put behind dots; whether it has such. */
uint64_t ora_code_name_key(const char *name);
bool ora_code_has_numbers(const char *name);
/* Whether somebody goes through the whole section, to whom nothing in the object refers: what runs
 * before main and behind it, and sections that a linker gives names for their ends. */
bool ora_code_is_walked(const struct ora_code_section *section);
/* Whether a section has unwind tables. */
bool ora_code_is_unwind(const struct ora_code_section *section);

/* The text of an instruction: offsets count from the beginning of the atom, and what it refers to
 * stands behind it. */
void ora_code_text(const struct ora_code *code, const struct ora_atom *atom,
	const struct ora_insn *insn, char *text, size_t size);
/* All functions, as text. */
void ora_code_print(const struct ora_code *code, FILE *out);

#endif
