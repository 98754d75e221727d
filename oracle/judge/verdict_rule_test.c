/* verdict_rule_test.c - which mistake a debugger is proven to have made: its model gives the very
 * words, or it names the mistake itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/judge/verdict.h"

#define V ORA_STATE_VALUE
#define O ORA_STATE_OPTIMIZED_OUT
#define E ORA_STATE_ERROR
#define A ORA_STATE_ABSENT

static const struct {
	const char *name;
	const char *witness;
	enum di_mistake mistake; /* whose model says: */
	enum ora_state model;
	const char *modelled;
	enum ora_state said; /* what the witness says */
	const char *value;   /* or message */
	bool written;
	const char *rule; /* NULL: none */
} cases[] = {
	{"the same value", "lldb", DI_MISTAKE_LLDB_DIV, V, "7", V, "7", false, "div"},
	{"another value", "lldb", DI_MISTAKE_LLDB_DIV, V, "7", V, "8", false, NULL},
	{"a value that begins alike", "lldb", DI_MISTAKE_LLDB_DIV, V, "7", V, "71", false, NULL},
	{"a mistake of the other debugger", "gdb", DI_MISTAKE_LLDB_DIV, V, "7", V, "7", false,
		NULL},
	{"the other voice of the debugger", "lldb:expression", DI_MISTAKE_LLDB_DIV, V, "7", V, "7",
		false, "div"},
	{"a wrong sign is no reason to have no value", "lldb", DI_MISTAKE_LLDB_DIV, E, NULL, E,
		"Unsupported", false, NULL},
	{"no value, in any words", "lldb", DI_MISTAKE_LLDB_ENTRY_VALUE, E, NULL, O, NULL, false,
		"entry-value"},
	{"no value is not absent", "lldb", DI_MISTAKE_LLDB_ENTRY_VALUE, E, NULL, A, NULL, false,
		NULL},
	{"absent is absent", "lldb", DI_MISTAKE_LLDB_EMPTY_SCOPE_RANGE, A, NULL, A, NULL, false,
		"empty-scope-range"},
	{"a value where the model has none", "lldb", DI_MISTAKE_LLDB_ENTRY_VALUE, E, NULL, V, "7",
		false, NULL},
	{"what the callee left, if it was written", "gdb", DI_MISTAKE_GDB_CALLEE_LEFTOVER, V, "7",
		V, "7", true, "callee-leftover"},
	{"what the callee may have left alone", "gdb", DI_MISTAKE_GDB_CALLEE_LEFTOVER, V, "7", V,
		"7", false, NULL},
};

static struct ora_said saying(enum ora_state state, const char *text)
{
	char *copy = (char *)(uintptr_t)text;
	return (struct ora_said){.heard = true,
		.state = state,
		.value = state == V ? copy : NULL,
		.message = state == V ? NULL : copy};
}

static void models_must_give_the_very_words(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct ora_said said = saying(cases[i].said, cases[i].value);
		struct ora_proof proof = {.looked = true, .own = true, .written = cases[i].written};
		struct ora_model model = {cases[i].mistake, cases[i].model,
			cases[i].modelled ? xs_strdup(cases[i].modelled) : NULL};
		xs_vec_push(&proof.models, model);
		const struct ora_rule *rule =
			ora_rule_replayed(cases[i].witness, &said, &proof, 1ULL << DI_FEATURE_DIV);
		const char *found = rule ? rule->name : "none";
		const char *wanted = cases[i].rule ? cases[i].rule : "none";
		if (strcmp(found, wanted) != 0)
			fail_msg("%s: %s and not %s", cases[i].name, found, wanted);
		ora_proof_deinit(&proof);
	}
}

static const struct {
	const char *witness, *message, *rule;
} confessions[] = {
	{"lldb", "Could not evaluate DW_OP_entry_value.", "entry-value"},
	{"lldb", "Could not evaluate DW_OP_GNU_entry_value.", "entry-value"},
	{"lldb", "Unhandled opcode DW_OP_lo_user in DWARFExpression", "operator"},
	{"lldb", "Unsupported encoding in DW_OP_convert", "typed"},
	{"gdb", "Unhandled dwarf expression opcode 0xed", "operator"},
	{"gdb", "Could not evaluate DW_OP_entry_value.", NULL},
	{"lldb", "could not read memory", NULL},
};

static void debuggers_may_name_what_they_cannot_do(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof confessions / sizeof *confessions; i++) {
		struct ora_said said = saying(E, confessions[i].message);
		const struct ora_rule *rule = ora_rule_confessed(confessions[i].witness, &said);
		const char *wanted = confessions[i].rule ? confessions[i].rule : "none";
		assert_string_equal(rule ? rule->name : "none", wanted);
	}
}

/* A mistake that nobody can name would be replayed for nothing. */
static void every_mistake_has_a_name_and_a_sentence(void **state)
{
	(void)state;
	for (enum di_mistake m = DI_MISTAKE_NONE + 1; m < DI_MISTAKE_COUNT; m++) {
		const struct ora_rule *rule = ora_rule_of(m);
		if (!rule)
			fail_msg("%s has no sentence", di_mistake_text(m));
		XS_AUTO_FREE char *name = xs_asprintf("%s:%s", di_mistake_debugger(m), rule->name);
		assert_string_equal(name, di_mistake_text(m));
		assert_non_null(rule->sentence);
	}
	assert_null(ora_rule_of(DI_MISTAKE_NONE));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(models_must_give_the_very_words),
		cmocka_unit_test(debuggers_may_name_what_they_cannot_do),
		cmocka_unit_test(every_mistake_has_a_name_and_a_sentence)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
