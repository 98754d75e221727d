/* verdict_rule_test.c - which mistake of a debugger explains a case, and which it must not be taken
 * for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/judge/verdict.h"

#define F(feature) (1ULL << DI_FEATURE_##feature)

#define V ORA_STATE_VALUE
#define O ORA_STATE_OPTIMIZED_OUT
#define E ORA_STATE_ERROR
#define A ORA_STATE_ABSENT

static const struct {
	const char *name;
	const char *witness;
	uint64_t set;
	enum ora_state judge;
	const char *judged; /* xstep's message */
	enum ora_state said;
	const char *message;
	bool outer;
	const char *rule; /* NULL: none */
} cases[] = {
	{"a call site that names an abstract instance", "gdb", F(ENTRY_VALUE) | F(ABSTRACT_CALLEE),
		V, NULL, O, NULL, false, "abstract-callee"},
	{"one that names the code", "gdb", F(ENTRY_VALUE), V, NULL, O, NULL, false, NULL},
	{"an abstract callee is no reason for another value", "gdb",
		F(ENTRY_VALUE) | F(ABSTRACT_CALLEE), V, NULL, V, NULL, false, NULL},
	{"nor of anything that lldb says", "lldb", F(ABSTRACT_CALLEE), V, NULL, O, NULL, false,
		NULL},
	{"an entry value in an inlined call", "gdb", F(ENTRY_VALUE) | F(INLINED), V, NULL, V, NULL,
		false, "inlined-entry-value"},
	{"one outside of inlined calls", "gdb", F(ENTRY_VALUE), V, NULL, V, NULL, false, NULL},
	{"an inlined call without one", "gdb", F(INLINED), V, NULL, V, NULL, false, NULL},
	{"a tail call that is left open", "gdb", F(ENTRY_VALUE), O,
		"the caller called f, and g runs: more than one way of tail calls leads to it", V,
		NULL, false, "tail-call-guess"},
	{"the same by lldb", "lldb", F(ENTRY_VALUE), O,
		"the caller called f, and f runs: a tail call may have led back to it", V, NULL,
		false, "tail-call-guess"},
	{"a call site that does not tell", "gdb", F(ENTRY_VALUE), O, "the call site does not tell",
		V, NULL, false, NULL},
	{"what went with a function", "gdb", F(ENTRY_VALUE), O,
		"a register of a function that a tail call ended", V, NULL, false, "ended-frame"},
	{"behind a pointer", "gdb", F(ENTRY_VALUE) | F(POINTER_CALLED), V, NULL, O, NULL, false,
		"tail-call-behind-pointer"},
	{"at a return", "gdb", F(ENTRY_VALUE) | F(TAIL_CALLED) | F(AT_RETURN), V, NULL, O, NULL,
		false, "tail-call-at-return"},
	{"at a return of who was called", "gdb", F(ENTRY_VALUE) | F(AT_RETURN), V, NULL, O, NULL,
		false, NULL},
	{"a function in several stretches", "lldb", F(SPLIT_FUNCTION), V, NULL, A, NULL, false,
		"split-function"},
	{"whose variable it lists", "lldb", F(SPLIT_FUNCTION), V, NULL, V, NULL, false, NULL},
	{"and gdb does not", "gdb", F(SPLIT_FUNCTION), V, NULL, A, NULL, false, NULL},
	{"a static of the abstract instance", "lldb", F(ABSTRACT_ONLY) | F(STATIC), V, NULL, A,
		NULL, false, "abstract-only"},
	{"a constant of it, in a function with empty ranges", "lldb",
		F(ABSTRACT_ONLY) | F(CONST_VALUE) | F(EMPTY_SCOPE_RANGE), V, NULL, A, NULL, false,
		"abstract-only"},
	{"a static of its own", "lldb", F(STATIC), V, NULL, A, NULL, false, NULL},
	{"a register that is not saved any more", "lldb", F(RESTORED), V, NULL, V, NULL, true,
		"cfa-restore"},
	{"in the innermost frame", "lldb", F(RESTORED), V, NULL, V, NULL, false, NULL},
	{"it says what it fails on", "lldb", 0, V, NULL, E, "Could not evaluate DW_OP_entry_value.",
		false, "entry-value"},
	{"it fails on something", "lldb", 0, V, NULL, E, "could not read memory", false, NULL},
};

static struct ora_said saying(enum ora_state state, const char *message)
{
	static char value[] = "1";
	return (struct ora_said){.heard = true,
		.state = state,
		.value = state == ORA_STATE_VALUE ? value : NULL,
		.message = (char *)(uintptr_t)message};
}

static void rules_of_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct di_features features = {.found = true, .set = cases[i].set};
		struct ora_said judge = saying(cases[i].judge, cases[i].judged);
		struct ora_said said = saying(cases[i].said, cases[i].message);
		struct ora_rule_case one = {.aspect = ORA_ASPECT_VARIABLE,
			.witness = cases[i].witness,
			.features = &features,
			.judge = &judge,
			.said = &said,
			.outer = cases[i].outer};
		const struct ora_rule *rule = ora_rule_for(&one);
		const char *found = rule ? rule->name : "none";
		const char *wanted = cases[i].rule ? cases[i].rule : "none";
		if (strcmp(found, wanted) != 0)
			fail_msg("%s: %s and not %s", cases[i].name, found, wanted);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(rules_of_cases)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
