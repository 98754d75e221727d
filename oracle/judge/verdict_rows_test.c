/* verdict_rows_test.c - every rule of verdict_rule.c: what it fits, and what it just does not fit.
 *
 * A case of the table is the narrowest that its rule fits. The test then takes away one condition
 * after the other: each feature, the debugger, the words, the outer frame, the states. The rule
 * must not fit any more. Rules by xstep's own words are in verdict_rule_test.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/judge/fake_trace.h"

#define F(feature) (1ULL << DI_FEATURE_##feature)

enum { V = 1, O = 2, E = 4, A = 8, ANY = 15 }; /* states, in this order */

static const enum ora_state states[] = {
	ORA_STATE_VALUE, ORA_STATE_OPTIMIZED_OUT, ORA_STATE_ERROR, ORA_STATE_ABSENT};

static const struct rule_case {
	const char *rule, *witness;
	uint64_t all, any;    /* features: all of these, and one of those */
	unsigned judge, said; /* states */
	const char *words;    /* that the debugger says; NULL: whatever */
	bool outer;           /* in an outer frame only */
} cases[] = {
	{"empty-first-entry", "gdb", F(EMPTY_FIRST_ENTRY) | F(FUNCTION_ENTRY), 0, ANY, ANY, NULL,
		0},
	{"wide-bit-field", "gdb", F(BIT_FIELD), 0, V | O, E, "it has more than 8 bytes", 0},
	{"wide", "gdb", F(WIDE), 0, V | O, E, NULL, 0},
	{"synthetic-pointer", "gdb", 0, F(PIECE_GAP) | F(PIECES_SHORT) | F(PIECE), O, V, "implicit",
		0},
	{"behind-pieces", "gdb", F(PIECES_SHORT), 0, O, V, NULL, 0},
	{"block-without-code", "gdb", F(BLOCK_WITHOUT_CODE), 0, A, V | O | E, NULL, 0},
	{"omitted-block", "gdb", F(ABSTRACT_ONLY), 0, A, V | O, NULL, 0},
	{"inner-block", "gdb", 0, F(ABSTRACT_ORIGIN) | F(ORIGIN_CHAIN), A, V | O, NULL, 0},
	{"declaration", NULL, F(DECLARATION), 0, A, ANY, NULL, 0},
	{"callee-leftover", "gdb", F(REGISTER), 0, O | E, V, NULL, true},
	{"abstract-callee", "gdb", F(ENTRY_VALUE) | F(ABSTRACT_CALLEE), 0, V, O, NULL, 0},
	{"tail-call-at-return", "gdb", F(ENTRY_VALUE) | F(TAIL_CALLED) | F(AT_RETURN), 0, V, O,
		NULL, 0},
	{"tail-call-behind-pointer", "gdb", F(ENTRY_VALUE) | F(POINTER_CALLED), 0, V, O, NULL, 0},
	{"inlined-entry-value", "gdb", F(ENTRY_VALUE) | F(INLINED), 0, V, V | O, NULL, 0},
	{"list-kind", "gdb", F(DEFAULT_ENTRY), 0, ANY, E, NULL, 0},
	{"list-kind", "gdb", F(LIST), 0, ANY, E, "Corrupted DWARF expression.", 0},
	{"typed", "gdb", F(TYPED), 0, V | O, E, NULL, 0},
	{"type", "gdb", 0, 0, V, E, "it is of a type that gdb does not know", 0},
	{"operator", "gdb", 0, 0, V | O, E, "Unhandled dwarf expression opcode 0xed", 0},

	{"split-function", "lldb", F(SPLIT_FUNCTION), 0, V | O, A, NULL, 0},
	{"no-location-not-listed", "lldb", F(NO_LOCATION), 0, O, A, NULL, 0},
	{"abstract-only", "lldb", F(ABSTRACT_ONLY), F(STATIC) | F(CONST_VALUE), V, A, NULL, 0},
	{"empty-scope-range", "lldb", F(EMPTY_SCOPE_RANGE), 0, V | O, A, NULL, 0},
	{"cfa-restore", "lldb", F(RESTORED), 0, V, V | O, NULL, true},
	{"bit-piece", "lldb", F(BIT_PIECE), 0, V | O, ANY, NULL, 0},
	{"implicit-pointer", "lldb", F(IMPLICIT_POINTER), 0, V, O | E | A, NULL, 0},
	{"entry-value", "lldb", F(ENTRY_VALUE), 0, V, O | E | A, NULL, 0},
	{"typed", "lldb", F(TYPED), 0, V | O, O | E | A, NULL, 0},
	{"mixed-types", "lldb", F(TYPED), 0, E, V, NULL, 0},
	{"call", "lldb", F(CALL), 0, V, O | E | A, NULL, 0},
	{"gnu-operator", "lldb", F(GNU_OPERATOR), 0, V, O | E | A, NULL, 0},
	{"indexed", "lldb", F(INDEXED), 0, V, E, "Unhandled opcode DW_OP_addrx", 0},
	{"tls", "lldb", F(TLS), 0, V, E, NULL, 0},
	{"div", "lldb", F(DIV), 0, V, V | E, NULL, 0},
	{"deref-size", "lldb", F(DEREF_SIZE), 0, V, V, NULL, 0},
	{"arithmetic", "lldb", 0, F(MOD) | F(COMPARISON) | F(SHIFT), V, V | E, NULL, 0},
	{"bit-field", "lldb", F(BIT_FIELD), 0, V, V, NULL, 0},
	{"gap-as-0", "lldb", 0, F(PIECE_GAP) | F(PIECES_SHORT) | F(NO_LOCATION), O, V, NULL, 0},
	{"constant-data", "lldb", 0, F(CONST_VALUE) | F(IMPLICIT_VALUE), V, O | E | A, NULL, 0},
	{"piece", "lldb", F(PIECE), 0, V | O, V | E, NULL, 0},
	{"default-entry", "lldb", F(DEFAULT_ENTRY), 0, V, O | E | A, NULL, 0},
	{"dynamic-type", "lldb", F(DYNAMIC_TYPE), 0, ANY, ANY, NULL, 0},
	{"address-value", "lldb", F(STATIC) | F(STACK_VALUE), 0, V, V, NULL, 0},
	{"abstract-listed", "lldb", F(ABSTRACT_ONLY), 0, A, ANY, NULL, 0},
	{"block-without-code", "lldb", F(BLOCK_WITHOUT_CODE), 0, A, ANY, NULL, 0},
	{"callee-leftover", "lldb", F(REGISTER), 0, O | E, V, NULL, true},
	{"implicit-pointer", "lldb", 0, 0, V, E, "Could not evaluate DW_OP_implicit_pointer.", 0},
	{"entry-value", "lldb", 0, 0, V, E, "Could not evaluate DW_OP_entry_value.", 0},
	{"operator", "lldb", 0, 0, V, E, "Unhandled opcode DW_OP_piece", 0},
};

/* One way to vary a case. */
struct variation {
	const char *witness;
	uint64_t set;         /* features */
	unsigned judge, said; /* one state each; judge 0: it is not asked */
	const char *words;
	bool outer;
};

static struct ora_said saying(unsigned bit, const char *words)
{
	static char one[] = "1";
	struct ora_said ret = {.heard = true};
	for (size_t i = 0; i < sizeof states / sizeof *states; i++)
		if (bit >> i & 1)
			ret.state = states[i];
	bool value = ret.state == ORA_STATE_VALUE;
	char *text = (char *)(uintptr_t)words;
	ret.value = value ? text ? text : one : NULL;
	ret.message = value ? NULL : text;
	return ret;
}

static const struct ora_rule *rule_of(const struct variation *variation)
{
	struct di_features features = {.found = true, .set = variation->set};
	struct ora_said judge = saying(variation->judge, NULL);
	struct ora_said said = saying(variation->said, variation->words);
	return ora_rule_for(&(struct ora_rule_case){.aspect = ORA_ASPECT_VARIABLE,
		.witness = variation->witness,
		.features = &features,
		.judge = variation->judge ? &judge : NULL,
		.said = &said,
		.outer = variation->outer});
}

/* The row of a case: the n-th of its name and debugger is the n-th in the table. */
static const struct ora_rule *row_of(const struct rule_case *one)
{
	struct variation plain = {one->witness ? one->witness : "gdb",
		one->all | (one->any & -one->any), one->judge & -one->judge, one->said & -one->said,
		one->words, one->outer};
	return rule_of(&plain);
}

static void must(
	const struct rule_case *one, const struct variation *variation, bool fit, const char *what)
{
	bool fits = rule_of(variation) == row_of(one);
	if (fits != fit)
		fail_msg("%s of %s %s: %s", one->rule, one->witness ? one->witness : "anybody",
			fits ? "fits" : "does not fit", what);
}

/* The narrowest case has the rule's name, and each row has its case. */
static void every_rule_has_a_case(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct ora_rule *rule = row_of(&cases[i]);
		assert_non_null(rule);
		assert_string_equal(rule->name, cases[i].rule);
		assert_true(*rule->sentence);
	}
	const struct ora_rule *row;
	for (size_t i = 0; (row = ora_rule_row(i)); i++) {
		bool covered = false;
		for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
			covered |= row_of(&cases[k]) == row;
		if (!covered)
			fail_msg("row %zu of verdict_rule.c, %s, has no case in this test", i,
				row->name);
	}
}

static void every_feature_is_needed(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct rule_case *one = &cases[i];
		struct variation it = {one->witness ? one->witness : "gdb", 0,
			one->judge & -one->judge, one->said & -one->said, one->words, one->outer};
		for (unsigned k = 0; k < DI_FEATURE_COUNT; k++) {
			uint64_t bit = 1ULL << k;
			it.set = (one->all & ~bit) | (one->any & -one->any);
			if (one->all & bit)
				must(one, &it, false, di_feature_text(k));
			it.set = one->all | bit;
			if (one->any & bit)
				must(one, &it, true, di_feature_text(k));
		}
		it.set = one->all;
		if (one->any)
			must(one, &it, false, "none of its features");
	}
}

static void the_debugger_matters(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct rule_case *one = &cases[i];
		bool gdb = !one->witness || !strcmp(one->witness, "gdb");
		struct variation it = {gdb ? "lldb" : "gdb", one->all | (one->any & -one->any),
			one->judge & -one->judge, one->said & -one->said, one->words, one->outer};
		must(one, &it, !one->witness, "the other debugger");
		it.witness = "gdbserver";
		must(one, &it, !one->witness, "another one whose name begins so");
		/* Its other voice makes the same mistakes. */
		it.witness = gdb ? "gdb:print" : "lldb:expression";
		must(one, &it, true, "its other voice");
	}
}

static void states_matter(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct rule_case *one = &cases[i];
		struct variation it = {one->witness ? one->witness : "gdb",
			one->all | (one->any & -one->any), 0, 0, one->words, one->outer};
		for (it.judge = V; it.judge <= A; it.judge <<= 1)
			for (it.said = V; it.said <= A; it.said <<= 1) {
				XS_AUTO_FREE char *what = xs_asprintf(
					"states %u of xstep and %u of it", it.judge, it.said);
				must(one, &it, one->judge & it.judge && one->said & it.said, what);
			}
	}
}

static void words_matter(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct rule_case *one = &cases[i];
		struct variation it = {one->witness ? one->witness : "gdb",
			one->all | (one->any & -one->any), one->judge & -one->judge,
			one->said & -one->said, "something else", one->outer};
		must(one, &it, !one->words, "other words");
	}
}

static void the_frame_matters(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct rule_case *one = &cases[i];
		struct variation it = {one->witness ? one->witness : "gdb",
			one->all | (one->any & -one->any), one->judge & -one->judge,
			one->said & -one->said, one->words, false};
		must(one, &it, !one->outer, "the innermost frame");
		it.outer = true;
		must(one, &it, true, "an outer frame");
	}
}

/* Who has no xstep to ask goes by what is said alone. */
static void without_xstep_its_state_does_not_matter(void **state)
{
	struct variation it = {.witness = "lldb", .set = F(CALL), .said = E};
	(void)state;
	assert_string_equal(rule_of(&it)->name, "call");
	it.said = V;
	assert_null(rule_of(&it));
}

/* --- rules beside the table ----------------------------------------------------------------- */

static const struct {
	const char *name;
	enum ora_aspect aspect;
	const char *witness;
	uint64_t set;
	bool visible;             /* the variable, at the pc */
	const char *judge, *said; /* values; NULL: absent */
	const char *rule;         /* NULL: none */
} others[] = {
	{"a name means a later one", ORA_ASPECT_LOOKUP, "gdb", F(NAMESAKE), true, "hidden",
		"visible", "future-scope"},
	{"whoever says so", ORA_ASPECT_LOOKUP, "lldb", F(NAMESAKE), true, "hidden", "visible",
		"future-scope"},
	{"without a later one", ORA_ASPECT_LOOKUP, "gdb", 0, true, "hidden", "visible", NULL},
	{"asked for a name it has nothing to say", ORA_ASPECT_VARIABLE, "gdb:print", F(NAMESAKE),
		true, "1", NULL, "future-scope"},
	{"asked for a list it has", ORA_ASPECT_VARIABLE, "gdb", F(NAMESAKE), true, "1", NULL, NULL},
	{"asked for a name it says something", ORA_ASPECT_VARIABLE, "gdb:print", F(NAMESAKE), true,
		"1", "2", NULL},
	{"a declaration is taken for a variable", ORA_ASPECT_LOOKUP, "lldb", F(DECLARATION), true,
		"hidden", "visible", "declaration"},
	{"the abstract instance hides the concrete one", ORA_ASPECT_LOOKUP, "gdb",
		F(ABSTRACT_ORIGIN), true, "visible", "hidden", "abstract-hides"},
	{"in its other voice", ORA_ASPECT_LOOKUP, "gdb:print", F(ABSTRACT_ORIGIN), true, "visible",
		"hidden", "abstract-hides"},
	{"not in lldb", ORA_ASPECT_LOOKUP, "lldb", F(ABSTRACT_ORIGIN), true, "visible", "hidden",
		NULL},
	{"an empty range leads to another block", ORA_ASPECT_LOOKUP, "lldb", F(EMPTY_SCOPE_RANGE),
		true, "visible", "hidden", "empty-scope-range"},
	{"not in gdb", ORA_ASPECT_LOOKUP, "gdb", F(EMPTY_SCOPE_RANGE), true, "visible", "hidden",
		NULL},
	{"listed twice", ORA_ASPECT_VARIABLE, "gdb", F(ABSTRACT_ORIGIN), true, NULL, "1",
		"listed-twice"},
	{"listed though none is visible", ORA_ASPECT_VARIABLE, "gdb", F(ABSTRACT_ORIGIN), false,
		NULL, "1", "inner-block"},
	{"another value of what is listed once", ORA_ASPECT_VARIABLE, "gdb", F(ABSTRACT_ORIGIN),
		true, "1", "2", NULL},
	{"lldb lists it twice", ORA_ASPECT_VARIABLE, "lldb", F(ABSTRACT_ORIGIN), true, NULL, "1",
		NULL},
	{"the trap flag in a variable", ORA_ASPECT_VARIABLE, "gdb", 0, true, "582", "838",
		"trap-flag"},
	{"in a register", ORA_ASPECT_REGISTER, "lldb", 0, true, "0x246", "0x346", "trap-flag"},
	{"another bit", ORA_ASPECT_REGISTER, "lldb", 0, true, "0x246", "0x446", NULL},
	{"two bits", ORA_ASPECT_REGISTER, "lldb", 0, true, "0x246", "0x347", NULL},
	{"nothing is known of frames", ORA_ASPECT_FRAMES, "lldb", F(EMPTY_SCOPE_RANGE), true, "a",
		"b", NULL},
};

static void rules_beside_the_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		struct di_features features = {
			.found = true, .visible = others[i].visible, .set = others[i].set};
		struct ora_said judge = saying(others[i].judge ? V : A, others[i].judge);
		struct ora_said said = saying(others[i].said ? V : A, others[i].said);
		const struct ora_rule *rule =
			ora_rule_for(&(struct ora_rule_case){.aspect = others[i].aspect,
				.witness = others[i].witness,
				.features = &features,
				.judge = &judge,
				.said = &said});
		const char *found = rule ? rule->name : "none";
		const char *wanted = others[i].rule ? others[i].rule : "none";
		if (strcmp(found, wanted) != 0)
			fail_msg("%s: %s and not %s", others[i].name, found, wanted);
	}
}

/* --- lines: which row of the line table was taken instead ------------------------------------ */

static const struct {
	const char *name;
	xs_addr pc; /* in fake_program.S */
	const char *said, *rule;
} lines[] = {
	{"a row with is_stmt before the last one", 0x401004, "a.c:14", "is-stmt-row"},
	{"a row that is not there", 0x401004, "a.c:13", "no-stmt-row"},
	{"another row of the address, no statement's", 0x401006, "a.c:16", "other-row-at-address"},
	{"the line before line 0", 0x401005, "a.c:15", "line-0"},
	{"the other row of an address with line 0", 0x401007, "a.c:18", "line-0"},
	{"the line before a row without is_stmt", 0x401003, "a.c:12", "no-stmt-row"},
	{"another line where there is a statement", 0x401002, "a.c:11", NULL},
	{"nothing is covered there", 0x500000, "a.c:11", NULL},
};

static void rules_of_lines(void **state)
{
	XS_AUTO(di_module) module = NULL;
	struct di_features features = {0};
	(void)state;
	fake_succeed(di_module_open(FAKE_PROGRAM, &module));
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct ora_said said = saying(V, lines[i].said);
		struct ora_rule_case one = {.aspect = ORA_ASPECT_LINE,
			.witness = "gdb",
			.features = &features,
			.said = &said,
			.module = module,
			.pc = lines[i].pc};
		const struct ora_rule *rule = ora_rule_for(&one);
		const char *found = rule ? rule->name : "none";
		const char *wanted = lines[i].rule ? lines[i].rule : "none";
		if (strcmp(found, wanted) != 0)
			fail_msg("%s: %s and not %s", lines[i].name, found, wanted);
		/* Without the program there is no line table to look at. */
		one.module = NULL;
		assert_null(ora_rule_for(&one));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_rule_has_a_case),
		cmocka_unit_test(every_feature_is_needed),
		cmocka_unit_test(the_debugger_matters),
		cmocka_unit_test(states_matter),
		cmocka_unit_test(words_matter),
		cmocka_unit_test(the_frame_matters),
		cmocka_unit_test(without_xstep_its_state_does_not_matter),
		cmocka_unit_test(rules_beside_the_table),
		cmocka_unit_test(rules_of_lines),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
