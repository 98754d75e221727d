/* cfi.h - call frame information: at a pc, where the caller's registers are.
 *
 * Reads .eh_frame and .debug_frame: versions 1, 3 and 4, both DWARF formats, every augmentation and
 * pointer encoding that occurs on x86-64. All addresses are link-time addresses.
 *
 * Rules:
 * 1. .eh_frame is asked first. It is the table that the program itself unwinds by, so it is loaded,
 *    complete (the psABI asks for it) and exact at every instruction; .debug_frame is there for
 *    code built without it, and linkers leave entries of discarded functions behind in it.
 * 2. What cannot be read is skipped and the first such place remembered. A pc that no entry covers
 *    then gets that as its answer, for the entry that is missing may be the one that was skipped.
 * 3. Rows are kept: a pc that was asked for once costs one look into a hash map. They live as long
 *    as the di_cfi does.
 * 4. An entry's program is decoded when a pc in it is first asked for, in one pass over its bytes.
 *    One that is wrong is wrong for the pcs behind the wrong place only. */
#ifndef DI_CFI_H
#define DI_CFI_H

#include "dwarf/answer.h"
#include "dwarf/module.h"
#include "dwarf/target.h"
#include "dwarf/text.h"

/* Where a register of the caller is; for the CFA, what it is. */
enum di_rule_kind {
	DI_RULE_NONE,           /* nothing is said; of the CFA: not defined */
	DI_RULE_UNDEFINED,      /* it cannot be recovered */
	DI_RULE_SAME,           /* it has not been changed */
	DI_RULE_OFFSET,         /* saved in memory at CFA + offset */
	DI_RULE_VAL_OFFSET,     /* its value is CFA + offset; of the CFA: reg + offset */
	DI_RULE_REGISTER,       /* saved in reg */
	DI_RULE_EXPRESSION,     /* saved in memory where the expression says */
	DI_RULE_VAL_EXPRESSION, /* its value is what the expression says; the CFA too */
};

struct di_rule {
	enum di_rule_kind kind;
	uint32_t size; /* of the expression, in bytes */
	uint64_t reg;  /* DI_RULE_REGISTER, and the CFA's base: DWARF number */
	union {
		int64_t offset;      /* the two kinds of offset */
		const uint8_t *expr; /* the two kinds of expression: in the section's bytes */
	};
};

/* One of the two sections, and what the pointers in it may count from. */
struct di_cfi_section {
	struct di_cursor bytes; /* all of it; its name is for messages */
	bool eh;                /* .eh_frame, not .debug_frame */
	bool open;              /* its size is not known: it ends at a zero length */
	xs_addr addr;           /* where it is loaded, for pcrel */
	xs_addr text;           /* for textrel: .text */
	xs_addr data;           /* for datarel: the global offset table */
	/* Where functions may begin: what begins elsewhere was thrown away. NULL: anywhere. */
	const struct xs_ranges *code;
};

/* A common information entry: what several functions share. */
struct di_cie {
	const struct di_cfi_section *section;
	size_t offset;        /* of the entry in the section */
	unsigned version;     /* 1, 3 or 4 */
	uint64_t code_factor; /* code alignment factor */
	int64_t data_factor;  /* data alignment factor */
	unsigned ra;          /* column of the return address, below DI_REG_GENERAL */
	uint8_t encoding;     /* DW_EH_PE_* of addresses in its FDEs */
	bool sized;           /* augmentation 'z': FDEs say how much augmentation data they have */
	bool signal;          /* augmentation 'S': frames that the kernel made for a signal */
	bool good;            /* it could be read; otherwise only `offset` holds */
	const uint8_t *program; /* initial instructions */
	const uint8_t *end;     /* behind them */
};

/* A frame description entry: one stretch of code. */
struct di_fde {
	xs_addr lo, hi;           /* [lo, hi) */
	xs_addr reach;            /* the greatest hi of all entries up to this one */
	size_t offset;            /* of the entry in the section */
	const struct di_cie *cie; /* the entry it refers to */
	const uint8_t *program;   /* instructions */
	const uint8_t *end;       /* behind them */
};

/* The rules for the pcs of [lo, hi). */
struct di_cfi_row {
	xs_addr lo, hi;
	const struct di_fde *fde;           /* the entry that it comes from */
	struct di_rule cfa;                 /* val_offset (of reg) or val_expression, or none */
	struct di_rule reg[DI_REG_GENERAL]; /* by DWARF number; wider registers are not kept */
	uint64_t args_size;                 /* DW_CFA_GNU_args_size */
	uint32_t restored;          /* mask of registers that DW_CFA_restore left without a rule */
	int64_t saved_lo, saved_hi; /* all DI_RULE_OFFSET slots are in CFA + [lo, hi) */
};

struct di_cfi;

/* The call frame information of the module, made when it is first asked for and then kept in the
 * module. NULL, with the reason in answer, if a section cannot be read. */
struct di_cfi *di_module_cfi(struct di_module *module, struct di_answer *answer);

/* From sections, of which `debug` and `eh` may have no bytes; their bytes must outlive it. */
struct di_cfi *di_cfi_create(const struct di_cfi_section *eh, const struct di_cfi_section *debug);
void di_cfi_destroy(struct di_cfi *cfi);
XS_DEFINE_CLEANUP(di_cfi);

/* The row for pc. False: the table is wrong, and the answer says where. True with *ret NULL: no
 * entry covers pc. */
bool di_cfi_find(
	struct di_cfi *cfi, xs_addr pc, const struct di_cfi_row **ret, struct di_answer *answer);
/* How many entries there are, and how many rows have been worked out. */
size_t di_cfi_entries(const struct di_cfi *cfi);
size_t di_cfi_rows(const struct di_cfi *cfi);

/* A pointer in an encoding of the DW_EH_PE_ kind at the cursor, which is inside section. `plain`
 * leaves the base away: for sizes. False if nobody can tell what it means. */
bool di_cfi_pointer(const struct di_cfi_section *section, struct di_cursor *cursor,
	uint8_t encoding, bool plain, uint64_t *ret, struct di_answer *answer);
/* Runs the program of an entry until pc. */
bool di_cfi_run(
	const struct di_fde *fde, xs_addr pc, struct di_cfi_row *ret, struct di_answer *answer);
/* The same with lldb's mistake: a register that DW_CFA_restore leaves without a rule keeps the one
 * that it had (mistake.h). */
bool di_cfi_run_unrestored(
	const struct di_fde *fde, xs_addr pc, struct di_cfi_row *ret, struct di_answer *answer);
/* `.eh_frame+0x4c: <what>`; returns false. */
bool di_cfi_is_wrong(struct di_answer *answer, const struct di_cfi_section *section, size_t offset,
	const struct di_why *why);
#define di_cfi_wrong(answer, section, offset, ...)                                                 \
	di_cfi_is_wrong(answer, section, offset, &(const struct di_why){.code = __VA_ARGS__})
/* What the cursor has to say, if it failed; returns whether it did not. */
bool di_cfi_read(struct di_answer *answer, const struct di_cursor *cursor);

/* The rule of a register in words, `at CFA-16`, `at {DW_OP_breg7 RSP+160}`; of the CFA, `RBP+16`.
 */
void di_rule_text(const struct di_rule *rule, struct di_text *text);
void di_rule_cfa_text(const struct di_rule *rule, struct di_text *text);

#endif
