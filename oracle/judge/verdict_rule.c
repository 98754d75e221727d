/* verdict_rule.c - what the known mistakes of gdb and lldb are called, and how it is told that one
 * was made: the model of it gives the debugger's very words, or the debugger names it itself. That
 * the DWARF has the feature that a mistake is about tells nothing. */
#include "oracle/judge/verdict.h"

/* By enum di_mistake. */
static const struct ora_rule rules[DI_MISTAKE_COUNT] = {
	[DI_MISTAKE_GDB_EMPTY_FIRST_ENTRY] = {"empty-first-entry",
		"takes the first entry of the location list at a function's first instruction, "
		"though its range is empty",
		"2.6.2"},
	[DI_MISTAKE_GDB_LIST_KIND] = {"list-kind",
		"does not know a kind of entry in the location list", "7.7.3"},
	[DI_MISTAKE_GDB_WIDE] = {"wide", "has no integers of more than 64 bits in an expression",
		"2.5.1.6"},
	[DI_MISTAKE_GDB_TYPED] = {"typed", "cannot evaluate an operator on typed values",
		"2.5.1.6"},
	[DI_MISTAKE_GDB_MIXED_TYPES] = {"mixed-types",
		"computes with operands of different types, which the standard forbids", "2.5.1.4"},
	[DI_MISTAKE_GDB_OPERATOR] = {"operator", "does not know an operator of the expression",
		"2.5"},
	[DI_MISTAKE_GDB_SYNTHETIC_POINTER] = {"synthetic-pointer",
		"says synthetic pointer of what no piece describes: there is no "
		"DW_OP_implicit_pointer",
		"2.6.1.2"},
	[DI_MISTAKE_GDB_BEHIND_PIECES] = {"behind-pieces",
		"shows bits behind the last piece, of which nothing is said, as 0", "2.6.1.2"},
	[DI_MISTAKE_GDB_WIDE_BIT_FIELD] = {"wide-bit-field",
		"cannot read a bit-field that touches more than 8 bytes", "5.7.6"},
	[DI_MISTAKE_GDB_WIDE_TAG] = {"wide-tag",
		"cannot read an enum, or choose a variant, by an integer of more than 8 bytes",
		"5.7.10"},
	[DI_MISTAKE_GDB_TYPE] = {"type", "does not know the type", "5.1"},
	[DI_MISTAKE_GDB_CALLEE_LEFTOVER] = {"callee-leftover",
		"takes what the callee left in a register that it need not preserve for the "
		"caller's",
		"6.4.1"},
	[DI_MISTAKE_GDB_ABSTRACT_CALLEE] = {"abstract-callee",
		"does not find the code of a function that a call site names by its abstract "
		"instance",
		"3.4.1"},
	[DI_MISTAKE_GDB_TAIL_CALL_AT_RETURN] = {"tail-call-at-return",
		"goes by the look of a return instruction there, and then does not follow the "
		"tail calls that led to the function",
		"2.5.1.7"},
	[DI_MISTAKE_GDB_TAIL_CALL_BEHIND_POINTER] = {"tail-call-behind-pointer",
		"does not follow tail calls of a function that was called through a pointer",
		"3.4.1"},
	[DI_MISTAKE_GDB_INLINED_ENTRY_VALUE] = {"inlined-entry-value",
		"evaluates what the call site says in the function around an inlined call and not "
		"in its caller",
		"2.5.1.7"},
	[DI_MISTAKE_GDB_ENDED_FRAME] = {"ended-frame",
		"takes what is in registers or on the stack now for what a function that a tail "
		"call ended had there",
		"2.5.1.7"},
	[DI_MISTAKE_GDB_BLOCK_WITHOUT_CODE] = {"block-without-code",
		"gives the variables of a block without code to the block around it", "2.17"},
	[DI_MISTAKE_GDB_OMITTED_BLOCK] = {"omitted-block",
		"gives the variables of a block that the concrete instance leaves out, and that "
		"has no code, to the function",
		"3.3.8.2"},
	[DI_MISTAKE_GDB_INNER_BLOCK] = {"inner-block",
		"gives the variable of an inner block or call to the function around it too, as "
		"the abstract instance lists it",
		"3.3.8.2"},
	[DI_MISTAKE_GDB_LISTED_TWICE] = {"listed-twice",
		"lists it once more, as the abstract instance has it, beside the concrete one",
		"3.3.8.2"},
	[DI_MISTAKE_GDB_FUTURE_SCOPE] = {"future-scope",
		"takes a variable that is declared further down for the one that the name means",
		"3.3.8"},
	[DI_MISTAKE_GDB_ABSTRACT_HIDES] = {"abstract-hides",
		"lets the variable of the abstract instance hide the concrete one", "3.3.8.2"},
	[DI_MISTAKE_GDB_DECLARATION] = {"declaration",
		"takes a mere declaration inside of the function for another variable", "2.13.1"},

	[DI_MISTAKE_LLDB_DEFAULT_ENTRY] = {"default-entry",
		"ignores the default entry of a location list", "7.7.3"},
	[DI_MISTAKE_LLDB_CONSTANT_DATA] = {"constant-data",
		"does not show a constant that the DWARF itself holds", "4.1"},
	[DI_MISTAKE_LLDB_DIV] = {"div", "divides unsigned where DW_OP_div divides signed",
		"2.5.1.4"},
	[DI_MISTAKE_LLDB_DEREF_SIZE] = {"deref-size",
		"takes the result of DW_OP_deref_size for unsigned", "2.5.1.3"},
	[DI_MISTAKE_LLDB_ARITHMETIC] = {"arithmetic",
		"gives operators other types than the generic one", "2.5.1.4"},
	[DI_MISTAKE_LLDB_IMPLICIT_POINTER] = {"implicit-pointer",
		"does not evaluate DW_OP_implicit_pointer", "2.6.1.1.4"},
	[DI_MISTAKE_LLDB_TYPED] = {"typed", "does not know operators of the typed stack",
		"2.5.1.6"},
	[DI_MISTAKE_LLDB_MIXED_TYPES] = {"mixed-types",
		"computes with operands of different types, which the standard forbids", "2.5.1.4"},
	[DI_MISTAKE_LLDB_CALL] = {"call", "does not know DW_OP_call2, call4 and call_ref",
		"2.5.1.5"},
	[DI_MISTAKE_LLDB_GNU_OPERATOR] = {"gnu-operator",
		"does not know a GNU operator that gcc emits", NULL},
	[DI_MISTAKE_LLDB_INDEXED] = {"indexed",
		"does not know an operator that refers to .debug_addr", "2.5.1.1"},
	[DI_MISTAKE_LLDB_UNRELOCATED] = {"unrelocated",
		"calculates with an address of .debug_addr as if the program were not loaded "
		"elsewhere",
		"2.5.1.1"},
	[DI_MISTAKE_LLDB_FILE_ADDRESS] = {"file-address",
		"calculates with an address of DW_OP_addr as if the program were not loaded "
		"elsewhere",
		"2.5.1.1"},
	[DI_MISTAKE_LLDB_OPERATOR] = {"operator", "does not know an operator of the expression",
		"2.5"},
	[DI_MISTAKE_LLDB_TLS] = {"tls", "does not find thread-local storage", "2.5.1.3"},
	[DI_MISTAKE_GDB_DISCARDED] = {"discarded",
		"shows what is at the address that the linker left of a variable that it threw "
		"away",
		NULL},
	[DI_MISTAKE_LLDB_DISCARDED] = {"discarded",
		"shows what is at the address that the linker left of a variable that it threw "
		"away",
		NULL},
	[DI_MISTAKE_LLDB_GAP_AS_0] = {"gap-as-0", "shows 0 for what is optimised out", "2.6.1.2"},
	[DI_MISTAKE_LLDB_BIT_PIECE] = {"bit-piece", "does not handle DW_OP_bit_piece", "2.6.1.2"},
	[DI_MISTAKE_LLDB_PIECE] = {"piece", "does not put pieces together as they are described",
		"2.6.1.2"},
	[DI_MISTAKE_LLDB_BIT_FIELD] = {"bit-field", "reads a bit-field from the wrong bits",
		"5.7.6"},
	[DI_MISTAKE_LLDB_DYNAMIC_TYPE] = {"dynamic-type",
		"does not evaluate what a type leaves to expressions", "5.5"},
	[DI_MISTAKE_LLDB_VARIANT_PART] = {"variant-part",
		"does not read variant parts: what is in an enum with data is not shown", "5.7.10"},
	[DI_MISTAKE_LLDB_ENTRY_VALUE] = {"entry-value",
		"does not evaluate DW_OP_entry_value, though a call site gives the value",
		"2.5.1.7"},
	[DI_MISTAKE_LLDB_CALLEE_LEFTOVER] = {"callee-leftover",
		"takes what the callee left in a register that it need not preserve for the "
		"caller's",
		"6.4.1"},
	[DI_MISTAKE_LLDB_CFA_RESTORE] = {"cfa-restore",
		"takes a register from where it was saved, though DW_CFA_restore says that it is "
		"not any more",
		"6.4.2.3"},
	[DI_MISTAKE_LLDB_DATA16] = {"data16",
		"does not know DW_FORM_data16 and then reads none of the file's units", "7.5.6"},
	[DI_MISTAKE_LLDB_SPLIT_FUNCTION] = {"split-function",
		"does not know the variables of a function whose code is in several stretches",
		"2.17.3"},
	[DI_MISTAKE_LLDB_EMPTY_SCOPE_RANGE] = {"empty-scope-range",
		"does not ignore a block's empty range and then picks the wrong block, or does not "
		"get from an inlined call to what is around it",
		"2.17.3"},
	[DI_MISTAKE_LLDB_NO_LOCATION] = {"no-location-not-listed",
		"does not list a variable that has no location", "4.1"},
	[DI_MISTAKE_LLDB_ABSTRACT_ONLY] = {"abstract-only",
		"does not list a variable whose address or constant only the abstract instance "
		"has",
		"3.3.8.2"},
	[DI_MISTAKE_LLDB_ABSTRACT_LISTED] = {"abstract-listed",
		"lists what only the abstract instance has", "3.3.8.2"},
	[DI_MISTAKE_LLDB_BLOCK_WITHOUT_CODE] = {"block-without-code",
		"shows the variables of a block without code", "2.17"},
	[DI_MISTAKE_LLDB_FUTURE_SCOPE] = {"future-scope",
		"takes a variable that is declared further down for the one that the name means",
		"3.3.8"},
	[DI_MISTAKE_LLDB_DECLARATION] = {"declaration",
		"takes a mere declaration inside of the function for another variable", "2.13.1"},

	[DI_MISTAKE_ADDR2LINE_SPLIT] = {"split",
		"does not read split DWARF, and takes the skeleton for all there is", "3.1.2"},
	[DI_MISTAKE_EU_ADDR2LINE_SPLIT] = {"split",
		"looks for functions in the skeleton of a split unit, which has none", "3.1.2"},
	[DI_MISTAKE_ADDR2LINE_RNGLISTX] = {"rnglistx",
		"does not read ranges that are named by an index, and so does not find an inlined "
		"call by its code",
		"7.25"},
	[DI_MISTAKE_ADDR2LINE_FIRST_FILE] = {"first-file",
		"takes the file that a line number program begins with for entry 0 of the table's "
		"files: it is entry 1",
		"6.2.2"},
	[DI_MISTAKE_EU_ADDR2LINE_ARANGES] = {"aranges",
		"finds units by .debug_aranges alone, which is optional and does not list this one",
		"6.1.2"},
};

/* What debuggers say themselves that they cannot do. */
static const struct confession {
	const char *witness, *words; /* in its message */
	enum di_mistake mistake;     /* NONE: one that needs no model, */
	struct ora_rule rule;        /* which is this */
} confessions[] = {
	{"gdb", "Unhandled dwarf expression opcode", DI_MISTAKE_GDB_OPERATOR, {0}},
	{"lldb", "DW_OP_entry_value", DI_MISTAKE_LLDB_ENTRY_VALUE, {0}},
	{"lldb", "DW_OP_GNU_entry_value", DI_MISTAKE_LLDB_ENTRY_VALUE, {0}},
	{"lldb", "DW_OP_implicit_pointer", DI_MISTAKE_LLDB_IMPLICIT_POINTER, {0}},
	{"lldb", "DW_OP_GNU_implicit_pointer", DI_MISTAKE_LLDB_IMPLICIT_POINTER, {0}},
	{"lldb", "DW_OP_call", DI_MISTAKE_LLDB_CALL, {0}},
	/* It takes the operand for an offset in .debug_info. */
	{"lldb", "Cannot resolve DW_OP_convert type DIE", DI_MISTAKE_NONE,
		{"convert-type",
			"counts the type's offset in DW_OP_convert from the section's start and "
			"not "
			"from its unit's",
			"2.5.1.6"}},
	/* It converts to integers alone. */
	{"lldb", "Unsupported encoding in DW_OP_convert", DI_MISTAKE_LLDB_TYPED, {0}},
	{"lldb", "from file address", DI_MISTAKE_NONE,
		{"piece-address",
			"reads a piece at its link-time address and not where it was loaded",
			"2.6.1.2"}},
	{"lldb", "DW_OP_bit_piece", DI_MISTAKE_LLDB_BIT_PIECE, {0}},
	{"lldb", "Unhandled opcode", DI_MISTAKE_LLDB_OPERATOR, {0}},
};

const struct ora_rule *ora_rule_of(enum di_mistake mistake)
{
	return mistake && rules[mistake].name ? &rules[mistake] : NULL;
}

/* Whether a witness is this debugger, in either voice. */
static bool is_of(const char *witness, const char *name)
{
	size_t length = strlen(name);
	return !strncmp(witness, name, length) && (!witness[length] || witness[length] == ':');
}

/* Whether a model says what a witness says: the same value, that there is none, or nothing. */
static bool gives(const struct ora_model *model, const struct ora_said *said)
{
	bool value = said->state == ORA_STATE_VALUE;
	if (value || model->state == ORA_STATE_VALUE)
		return value && model->state == ORA_STATE_VALUE && said->value && model->value &&
		       !strcmp(said->value, model->value);
	return (said->state == ORA_STATE_ABSENT) == (model->state == ORA_STATE_ABSENT);
}

/* lldb's arithmetic is one model with four names, and so are its pieces: what is there to be seen
 * gives them their own. */
static bool is_named_so(enum di_mistake mistake, uint64_t features, bool value)
{
	switch (mistake) {
	case DI_MISTAKE_LLDB_GAP_AS_0:
	case DI_MISTAKE_GDB_ENDED_FRAME:
		return value;
	/* A wrong sign leads to a wrong number, and never to none. */
	case DI_MISTAKE_LLDB_DIV:
		return value && DI_HAS(features, DIV);
	case DI_MISTAKE_LLDB_DEREF_SIZE:
		return value && DI_HAS(features, DEREF_SIZE);
	case DI_MISTAKE_LLDB_MIXED_TYPES:
		return DI_HAS(features, TYPED);
	default:
		return true;
	}
}

/* What it cannot put together may be constants. */
static enum di_mistake name_of(enum di_mistake mistake, uint64_t features)
{
	return mistake == DI_MISTAKE_LLDB_PIECE && DI_HAS(features, IMPLICIT_VALUE)
		       ? DI_MISTAKE_LLDB_CONSTANT_DATA
		       : mistake;
}

const struct ora_rule *ora_rule_replayed(const char *witness, const struct ora_said *said,
	const struct ora_proof *proof, uint64_t features)
{
	for (size_t i = 0; i < proof->models.len; i++) {
		const struct ora_model *model = &proof->models.data[i];
		/* What the callee left is as good as the caller's, unless it was written. */
		if ((model->mistake == DI_MISTAKE_GDB_CALLEE_LEFTOVER ||
			    model->mistake == DI_MISTAKE_LLDB_CALLEE_LEFTOVER) &&
			!proof->written)
			continue;
		if (is_of(witness, di_mistake_debugger(model->mistake)) && gives(model, said) &&
			is_named_so(model->mistake, features, said->state == ORA_STATE_VALUE))
			return ora_rule_of(name_of(model->mistake, features));
	}
	return NULL;
}

const struct ora_rule *ora_rule_confessed(const char *witness, const struct ora_said *said)
{
	if (said->state != ORA_STATE_ERROR || !said->message)
		return NULL;
	for (size_t i = 0; i < sizeof confessions / sizeof *confessions; i++)
		if (is_of(witness, confessions[i].witness) &&
			strstr(said->message, confessions[i].words))
			return confessions[i].mistake ? ora_rule_of(confessions[i].mistake)
						      : &confessions[i].rule;
	return NULL;
}
