/* code_compare.h - is the machine code of two objects the same, and if not, how does it differ?
 *
 * Functions are paired by name, instructions by their order. What they refer to is paired as it is
 * met: each atom of one side with one of the other, whatever they are called and wherever they lie,
 * and data must then have the same content. So two objects are the same if no execution could tell
 * them apart by anything but addresses; padding is looked at, too, and is a kind of its own. */
#ifndef ORA_CODE_COMPARE_H
#define ORA_CODE_COMPARE_H

#include "oracle/code/code.h"

/* In the order in which one stands for an object in which several are found. The words are those of
 * ora_code_kind_text(). */
enum ora_code_kind {
	ORA_CODE_EXTRA,    /* the second has instructions that the first has not */
	ORA_CODE_MISSING,  /* the other way round */
	ORA_CODE_REGISTER, /* the same instruction on other registers */
	ORA_CODE_OPERAND,  /* with another number, or on something else */
	ORA_CODE_OTHER,    /* another instruction */
	ORA_CODE_ORDER,    /* the same instructions of straight code in another order */
	ORA_CODE_LAYOUT,   /* the same, across jumps; functions in another order or section */
	ORA_CODE_TARGET,   /* the same, but a jump leads elsewhere */
	ORA_CODE_FUNCTION, /* a function that only one has */
	ORA_CODE_DATA,     /* the same code, but data that it uses, or that is exported, differs */
	ORA_CODE_SYMBOL,  /* another binding, type, visibility, size or place of an exported name */
	ORA_CODE_UNWIND,  /* all the same but the unwind tables */
	ORA_CODE_PADDING, /* all the same but nops that fill space, or alignment */
	ORA_CODE_ENCODING, /* all the same but the lengths of jumps */
	ORA_CODE_KINDS,
};

#define ORA_CODE_NO_INSN SIZE_MAX

struct ora_code_difference {
	enum ora_code_kind kind;
	const char *where; /* the function or variable; the section if it has no name; the symbol */
	const struct ora_atom *atoms[2]; /* it, on both sides; NULL: not there */
	size_t insns[2]; /* where it first differs; ORA_CODE_NO_INSN: nowhere, or at the end */
	bool met;        /* both go on alike behind: */
	size_t spans[2]; /* so many instructions, nops not counted */
	bool nops;       /* nothing else differs, and spans counts them */
	uint64_t offset; /* DATA: of the first byte that differs */
};

struct ora_code_comparison {
	const struct ora_code *sides[2];
	XS_VEC(struct ora_code_difference)
	differences;      /* one for each function or variable, in order */
	size_t functions; /* that both have */
};

/* Compares; both must have been looked at (ora_code_look). */
void ora_code_compare(
	const struct ora_code *a, const struct ora_code *b, struct ora_code_comparison *ret);
void ora_code_comparison_deinit(struct ora_code_comparison *comparison);
/* The difference that stands for all of them: the first of the gravest; NULL if there is none. */
const struct ora_code_difference *ora_code_worst(const struct ora_code_comparison *comparison);

/* In which way the instructions of two functions differ, and where first. False if they do not,
 * nops and places of labels aside. */
bool ora_code_kind_of(const struct ora_code *a, const struct ora_atom *x, const struct ora_code *b,
	const struct ora_atom *y, struct ora_code_difference *ret);

/* Where it first differs, with what stands around it: `-` the first, `+` the second. */
void ora_code_difference_print(const struct ora_code_comparison *comparison,
	const struct ora_code_difference *one, FILE *out);
/* The operation in which a side first differs; `-` if it has nothing there. */
const char *ora_code_difference_word(const struct ora_code_comparison *comparison,
	const struct ora_code_difference *one, unsigned side);

/* `extra`, `register`, ... */
const char *ora_code_kind_text(enum ora_code_kind kind);
/* A sentence. */
const char *ora_code_kind_means(enum ora_code_kind kind);

#endif
