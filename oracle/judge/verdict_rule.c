/* verdict_rule.c - mistakes that gdb and lldb are known to make, and how to tell them.
 *
 * The first row that fits explains a case. Each was seen in gdb 13.1 or lldb 15 on a subject of
 * testdata/ (dwarf_*.S) or on generated programs (bench/study/compare_vars.py). */
#include "oracle/judge/verdict.h"

#define TRAP_FLAG  0x100
#define F(feature) (1ULL << DI_FEATURE_##feature)

enum { V = 1, O = 2, E = 4, A = 8, NO_VALUE = O | E | A, ANY = 15 }; /* states */

struct row {
	const char *witness;  /* whose; NULL: anybody's */
	uint64_t all, any;    /* features it needs: all of these, and if any != 0 one of those */
	unsigned judge, said; /* states of xstep and of the witness */
	const char *words;    /* in what the witness says, message or value; NULL: whatever */
	bool outer;           /* in an outer frame only */
	struct ora_rule rule;
};

static const struct row rows[] = {
	/* gdb */
	{"gdb", F(EMPTY_FIRST_ENTRY) | F(FUNCTION_ENTRY), 0, ANY, ANY, NULL, false,
		{"empty-first-entry",
			"takes the first entry of the location list at a function's first "
			"instruction, though its range is empty",
			"2.6.2"}},
	{"gdb", F(BIT_FIELD), 0, V | O, E, "more than 8 bytes", false,
		{"wide-bit-field", "cannot read a bit-field that touches more than 8 bytes",
			"5.7.6"}},
	{"gdb", F(WIDE), 0, V | O, E, NULL, false,
		{"wide", "has no integers of more than 64 bits in an expression", "2.5.1.6"}},
	{"gdb", 0, F(PIECE_GAP) | F(PIECES_SHORT) | F(PIECE), O, V, "implicit", false,
		{"synthetic-pointer",
			"says synthetic pointer of what no piece describes and is no pointer",
			"2.6.1.2"}},
	{"gdb", F(PIECES_SHORT), 0, O, V, NULL, false,
		{"behind-pieces",
			"shows bits behind the last piece, of which nothing is said, as 0",
			"2.6.1.2"}},
	{"gdb", F(BLOCK_WITHOUT_CODE), 0, A, V | O | E, NULL, false,
		{"block-without-code",
			"gives the variables of a block without code to the block around it",
			"2.17"}},
	{"gdb", F(ABSTRACT_ONLY), 0, A, O | V, NULL, false,
		{"omitted-block",
			"gives the variables of a block that the concrete instance leaves out, and "
			"that "
			"has no code, to the function",
			"3.3.8.2"}},
	{"gdb", 0, F(ABSTRACT_ORIGIN) | F(ORIGIN_CHAIN), A, O | V, NULL, false,
		{"inner-block",
			"gives the variable of an inner block or call to the function around it "
			"too, as the "
			"abstract instance lists it",
			"3.3.8.2"}},
	{NULL, F(DECLARATION), 0, A, ANY, NULL, false,
		{"declaration",
			"lists what is only declared in the function, its definition being outside",
			"2.13.1"}},
	{"gdb", F(REGISTER), 0, O | E, V, NULL, true,
		{"callee-leftover",
			"takes what the callee left in a register that it need not preserve for "
			"the "
			"caller's",
			"6.4.1"}},
	{"gdb", F(ENTRY_VALUE) | F(ABSTRACT_CALLEE), 0, V, O, NULL, false,
		{"abstract-callee",
			"does not find the code of a function that a call site names by its "
			"abstract instance",
			"3.4.1"}},
	{"gdb", F(ENTRY_VALUE) | F(TAIL_CALLED) | F(AT_RETURN), 0, V, O, NULL, false,
		{"tail-call-at-return",
			"goes by the look of a return instruction there, and then does not follow "
			"the tail "
			"calls that led to the function",
			"2.5.1.7"}},
	{"gdb", F(ENTRY_VALUE) | F(POINTER_CALLED), 0, V, O, NULL, false,
		{"tail-call-behind-pointer",
			"does not follow tail calls of a function that was called through a "
			"pointer",
			"3.4.1"}},
	{"gdb", F(ENTRY_VALUE) | F(INLINED), 0, V, V | O, NULL, false,
		{"inlined-entry-value",
			"evaluates what the call site says in the function around an inlined call "
			"and not in "
			"its caller",
			"2.5.1.7"}},
	{"gdb", F(DEFAULT_ENTRY), 0, ANY, E, NULL, false,
		{"list-kind", "does not know a kind of entry in the location list", "7.7.3"}},
	{"gdb", F(LIST), 0, ANY, E, "Corrupted DWARF", false,
		{"list-kind", "does not know a kind of entry in the location list", "7.7.3"}},
	{"gdb", F(TYPED), 0, V | O, E, NULL, false,
		{"typed", "cannot evaluate an operator on typed values", "2.5.1.6"}},
	{"gdb", 0, 0, V, E, "a type that gdb does not know", false,
		{"type", "does not know the type", "5.1"}},
	{"gdb", 0, 0, V | O, E, "Unhandled", false,
		{"operator", "does not know an operator of the expression", "2.5"}},

	/* lldb */
	{"lldb", F(SPLIT_FUNCTION), 0, V | O, A, NULL, false,
		{"split-function",
			"does not know the variables of a function whose code is in several "
			"stretches",
			"2.17.3"}},
	{"lldb", F(NO_LOCATION), 0, O, A, NULL, false,
		{"no-location-not-listed", "does not list a variable that has no location", "4.1"}},
	{"lldb", F(ABSTRACT_ONLY), F(STATIC) | F(CONST_VALUE), V, A, NULL, false,
		{"abstract-only",
			"does not list a variable whose address or constant only the abstract "
			"instance has",
			"3.3.8.2"}},
	{"lldb", F(EMPTY_SCOPE_RANGE), 0, V | O, A, NULL, false,
		{"empty-scope-range",
			"does not ignore a block's empty range and then picks the wrong block",
			"2.17.3"}},
	{"lldb", F(RESTORED), 0, V, V | O, NULL, true,
		{"cfa-restore",
			"takes a register from where it was saved, though DW_CFA_restore says that "
			"it is not any "
			"more",
			"6.4.2.3"}},
	{"lldb", F(BIT_PIECE), 0, V | O, ANY, NULL, false,
		{"bit-piece", "does not handle DW_OP_bit_piece", "2.6.1.2"}},
	{"lldb", F(IMPLICIT_POINTER), 0, V, NO_VALUE, NULL, false,
		{"implicit-pointer", "does not evaluate DW_OP_implicit_pointer", "2.6.1.1.4"}},
	{"lldb", F(ENTRY_VALUE), 0, V, NO_VALUE, NULL, false,
		{"entry-value", "does not evaluate DW_OP_entry_value by the call site", "2.5.1.7"}},
	{"lldb", F(TYPED), 0, V | O, NO_VALUE, NULL, false,
		{"typed", "does not know operators of the typed stack", "2.5.1.6"}},
	{"lldb", F(TYPED), 0, E, V, NULL, false,
		{"mixed-types",
			"computes with operands of different types, which the standard forbids",
			"2.5.1.4"}},
	{"lldb", F(CALL), 0, V, NO_VALUE, NULL, false,
		{"call", "does not know DW_OP_call2, call4 and call_ref", "2.5.1.5"}},
	{"lldb", F(GNU_OPERATOR), 0, V, NO_VALUE, NULL, false,
		{"gnu-operator", "does not know a GNU operator that gcc emits", NULL}},
	{"lldb", F(INDEXED), 0, V, E, "Unhandled", false,
		{"indexed", "does not know an operator that refers to .debug_addr", "2.5.1.1"}},
	{"lldb", F(TLS), 0, V, E, NULL, false,
		{"tls", "does not find thread-local storage", "2.5.1.3"}},
	{"lldb", F(DIV), 0, V, V | E, NULL, false,
		{"div", "divides unsigned where DW_OP_div divides signed", "2.5.1.4"}},
	{"lldb", F(DEREF_SIZE), 0, V, V, NULL, false,
		{"deref-size", "takes the result of DW_OP_deref_size for unsigned", "2.5.1.3"}},
	{"lldb", 0, F(MOD) | F(COMPARISON) | F(SHIFT), V, V | E, NULL, false,
		{"arithmetic", "gives operators other types than the generic one", "2.5.1.4"}},
	{"lldb", F(BIT_FIELD), 0, V, V, NULL, false,
		{"bit-field", "reads a bit-field from the wrong bits", "5.7.6"}},
	{"lldb", 0, F(PIECE_GAP) | F(PIECES_SHORT) | F(NO_LOCATION), O, V, NULL, false,
		{"gap-as-0", "shows 0 for what is optimised out", "2.6.1.2"}},
	{"lldb", 0, F(CONST_VALUE) | F(IMPLICIT_VALUE), V, NO_VALUE, NULL, false,
		{"constant-data", "shows a constant as empty", "4.1"}},
	{"lldb", 0, F(PIECE), V | O, E | V, NULL, false,
		{"piece", "does not put pieces together as they are described", "2.6.1.2"}},
	{"lldb", F(DEFAULT_ENTRY), 0, V, NO_VALUE, NULL, false,
		{"default-entry", "ignores the default entry of a location list", "7.7.3"}},
	{"lldb", F(DYNAMIC_TYPE), 0, ANY, ANY, NULL, false,
		{"dynamic-type", "does not evaluate what a type leaves to expressions", "5.5"}},
	{"lldb", F(STATIC) | F(STACK_VALUE), 0, V, V, NULL, false,
		{"address-value",
			"takes an address that is itself the value as the file has it, and not as "
			"it was "
			"loaded",
			"2.5.1.1"}},
	{"lldb", F(ABSTRACT_ONLY), 0, A, ANY, NULL, false,
		{"abstract-listed", "lists what only the abstract instance has", "3.3.8.2"}},
	{"lldb", F(BLOCK_WITHOUT_CODE), 0, A, ANY, NULL, false,
		{"block-without-code", "shows the variables of a block without code", "2.17"}},
	{"lldb", F(REGISTER), 0, O | E, V, NULL, true,
		{"callee-leftover",
			"takes what the callee left in a register that it need not preserve for "
			"the "
			"caller's",
			"6.4.1"}},
	/* It says itself what it fails on. */
	{"lldb", 0, 0, V, E, "DW_OP_implicit_pointer", false,
		{"implicit-pointer", "does not evaluate DW_OP_implicit_pointer", "2.6.1.1.4"}},
	{"lldb", 0, 0, V, E, "DW_OP_entry_value", false,
		{"entry-value", "does not evaluate DW_OP_entry_value by the call site", "2.5.1.7"}},
	{"lldb", 0, 0, V, E, "Unhandled opcode", false,
		{"operator", "does not know an operator of the expression", "2.5"}},
};

const struct ora_rule *ora_rule_row(size_t i)
{
	return i < sizeof rows / sizeof *rows ? &rows[i].rule : NULL;
}

static unsigned state_bit(const struct ora_said *said)
{
	switch (said->state) {
	case ORA_STATE_VALUE:
		return V;
	case ORA_STATE_OPTIMIZED_OUT:
		return O;
	case ORA_STATE_ERROR:
		return E;
	default:
		return A;
	}
}

static bool says(const struct ora_said *said, const char *words)
{
	return !words || (said->message && strstr(said->message, words)) ||
	       (said->value && strstr(said->value, words));
}

/* Whether the case is about this debugger, in either voice. */
static bool is_of(const struct ora_rule_case *one, const char *name)
{
	size_t length = strlen(name);
	return !strncmp(one->witness, name, length) &&
	       (!one->witness[length] || one->witness[length] == ':');
}

static bool fits(const struct row *row, const struct ora_rule_case *one)
{
	uint64_t set = one->features->set;
	return (!row->witness || is_of(one, row->witness)) && (set & row->all) == row->all &&
	       (!row->any || set & row->any) &&
	       (!one->judge || row->judge & state_bit(one->judge)) &&
	       row->said & state_bit(one->said) && says(one->said, row->words) &&
	       (!row->outer || one->outer);
}

/* The row of the line table that the witness took instead. */
static const struct ora_rule *line_rule(const struct ora_rule_case *one)
{
	static const struct ora_rule is_stmt = {"is-stmt-row",
		"prefers a row with is_stmt to the last one at the same address", "6.2.5"};
	static const struct ora_rule same_address = {"other-row-at-address",
		"takes another row of the same address than the last", "6.2.5"};
	static const struct ora_rule line_0 = {"line-0",
		"drops rows of line 0, which say that no source line stands for the code", "6.2.2"};
	static const struct ora_rule not_stmt = {"no-stmt-row",
		"skips a row without is_stmt and stays with the one before", "6.2.5"};
	const struct di_lines *lines = one->module ? &one->module->lines : NULL;
	const struct di_row *row = lines ? di_lines_find(lines, one->pc) : NULL;
	if (!row || !one->said->value)
		return NULL;
	const char *colon = strrchr(one->said->value, ':');
	unsigned long line = colon ? strtoul(colon + 1, NULL, 10) : 0;
	for (const struct di_row *at = row;
		at > lines->rows.data && at[-1].address == row->address && !at[-1].end_sequence;
		at--)
		if (at[-1].line == line)
			return row->line == 0 ? &line_0 : at[-1].is_stmt ? &is_stmt : &same_address;
	return row->line == 0 ? &line_0 : !row->is_stmt ? &not_stmt : NULL;
}

/* Whether it was asked for what a function had that a tail call ended. */
static bool is_ended(enum di_why_code why)
{
	return why == DI_WHY_ENDED_REGISTER || why == DI_WHY_ENDED_FRAME_BASE;
}

/* Whether tail calls leave open how the function that runs was come to. */
static bool is_left_open(enum di_why_code why)
{
	switch (why) {
	case DI_WHY_TAIL_BY_POINTER:
	case DI_WHY_TAIL_TOO_MANY:
	case DI_WHY_TAIL_OF_COPIES:
	case DI_WHY_TAIL_NONE:
	case DI_WHY_TAIL_BACK:
	case DI_WHY_TAIL_SEVERAL:
	case DI_WHY_TAIL_UNDESCRIBED:
		return true;
	default:
		return false;
	}
}

const struct ora_rule *ora_rule_for(const struct ora_rule_case *one)
{
	static const struct ora_rule empty_range = {"empty-scope-range",
		"does not ignore a block's empty range and then picks the wrong block", "2.17.3"};
	static const struct ora_rule declared = {"declaration",
		"takes a mere declaration inside of the function for another variable", "2.13.1"};
	static const struct ora_rule abstract = {"abstract-hides",
		"lets the variable of the abstract instance hide the concrete one", "3.3.8.2"};
	static const struct ora_rule later = {"future-scope",
		"takes a variable that is declared further down for the one that the name means",
		"3.3.8"};
	static const struct ora_rule twice = {"listed-twice",
		"lists it once more, as the abstract instance has it, beside the concrete one",
		"3.3.8.2"};
	static const struct ora_rule trap_flag = {"trap-flag",
		"lets the trap flag of its stepping leak into what the program reads", NULL};
	static const struct ora_rule guess = {"tail-call-guess",
		"guesses which call site it was where tail calls leave that open", "2.5.1.7"};
	static const struct ora_rule ended = {"ended-frame",
		"takes what is in registers or on the stack now for what a function that a tail "
		"call ended "
		"had there",
		"2.5.1.7"};
	if (one->aspect == ORA_ASPECT_LINE)
		return line_rule(one);
	if (one->judge && one->judge->value && one->said->value &&
		(strtoull(one->judge->value, NULL, 0) ^ strtoull(one->said->value, NULL, 0)) ==
			TRAP_FLAG)
		return &trap_flag;
	/* Who is asked for names has nothing to say of what its name does not mean. */
	bool unnamed = one->aspect == ORA_ASPECT_VARIABLE && strchr(one->witness, ':') &&
		       state_bit(one->said) == A;
	if ((one->aspect == ORA_ASPECT_LOOKUP || unnamed) && DI_HAS(one->features->set, NAMESAKE))
		return &later;
	if (one->aspect == ORA_ASPECT_LOOKUP && DI_HAS(one->features->set, DECLARATION))
		return &declared;
	if (one->aspect == ORA_ASPECT_LOOKUP && is_of(one, "gdb") &&
		DI_HAS(one->features->set, ABSTRACT_ORIGIN))
		return &abstract;
	if (one->aspect == ORA_ASPECT_LOOKUP)
		return is_of(one, "lldb") && DI_HAS(one->features->set, EMPTY_SCOPE_RANGE)
			       ? &empty_range
			       : NULL;
	if (one->aspect != ORA_ASPECT_VARIABLE)
		return NULL;
	if (DI_HAS(one->features->set, ENTRY_VALUE) && one->judge && state_bit(one->judge) == O &&
		state_bit(one->said) == V && one->judge->why)
		return is_ended(one->judge->why)       ? &ended
		       : is_left_open(one->judge->why) ? &guess
						       : NULL;
	/* One of this name and declaration is visible, and what the judge does not have is
	 * another. */
	if (!strcmp(one->witness, "gdb") && one->judge && one->judge->state == ORA_STATE_ABSENT &&
		one->features->visible && DI_HAS(one->features->set, ABSTRACT_ORIGIN))
		return &twice;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (fits(&rows[i], one))
			return &rows[i].rule;
	return NULL;
}
