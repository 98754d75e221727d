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
	enum di_why_code judged; /* xstep's reason */
	enum ora_state said;
	const char *message;
	bool outer;
	const char *rule; /* NULL: none */
} cases[] = {
	{"a call site that names an abstract instance", "gdb", F(ENTRY_VALUE) | F(ABSTRACT_CALLEE),
		V, DI_WHY_NONE, O, NULL, false, "abstract-callee"},
	{"one that names the code", "gdb", F(ENTRY_VALUE), V, DI_WHY_NONE, O, NULL, false, NULL},
	{"an abstract callee is no reason for another value", "gdb",
		F(ENTRY_VALUE) | F(ABSTRACT_CALLEE), V, DI_WHY_NONE, V, NULL, false, NULL},
	{"nor of anything that lldb says", "lldb", F(ABSTRACT_CALLEE), V, DI_WHY_NONE, O, NULL,
		false, NULL},
	{"an entry value in an inlined call", "gdb", F(ENTRY_VALUE) | F(INLINED), V, DI_WHY_NONE, V,
		NULL, false, "inlined-entry-value"},
	{"one outside of inlined calls", "gdb", F(ENTRY_VALUE), V, DI_WHY_NONE, V, NULL, false,
		NULL},
	{"an inlined call without one", "gdb", F(INLINED), V, DI_WHY_NONE, V, NULL, false, NULL},
	{"a tail call that is left open", "gdb", F(ENTRY_VALUE), O, DI_WHY_TAIL_SEVERAL, V, NULL,
		false, "tail-call-guess"},
	{"the same by lldb", "lldb", F(ENTRY_VALUE), O, DI_WHY_TAIL_BACK, V, NULL, false,
		"tail-call-guess"},
	{"a call site that does not tell", "gdb", F(ENTRY_VALUE), O, DI_WHY_CALL_SITE_SILENT, V,
		NULL, false, NULL},
	{"what went with a function", "gdb", F(ENTRY_VALUE), O, DI_WHY_ENDED_REGISTER, V, NULL,
		false, "ended-frame"},
	{"behind a pointer", "gdb", F(ENTRY_VALUE) | F(POINTER_CALLED), V, DI_WHY_NONE, O, NULL,
		false, "tail-call-behind-pointer"},
	{"at a return", "gdb", F(ENTRY_VALUE) | F(TAIL_CALLED) | F(AT_RETURN), V, DI_WHY_NONE, O,
		NULL, false, "tail-call-at-return"},
	{"at a return of who was called", "gdb", F(ENTRY_VALUE) | F(AT_RETURN), V, DI_WHY_NONE, O,
		NULL, false, NULL},
	{"a function in several stretches", "lldb", F(SPLIT_FUNCTION), V, DI_WHY_NONE, A, NULL,
		false, "split-function"},
	{"whose variable it lists", "lldb", F(SPLIT_FUNCTION), V, DI_WHY_NONE, V, NULL, false,
		NULL},
	{"and gdb does not", "gdb", F(SPLIT_FUNCTION), V, DI_WHY_NONE, A, NULL, false, NULL},
	{"a static of the abstract instance", "lldb", F(ABSTRACT_ONLY) | F(STATIC), V, DI_WHY_NONE,
		A, NULL, false, "abstract-only"},
	{"a constant of it, in a function with empty ranges", "lldb",
		F(ABSTRACT_ONLY) | F(CONST_VALUE) | F(EMPTY_SCOPE_RANGE), V, DI_WHY_NONE, A, NULL,
		false, "abstract-only"},
	{"a static of its own", "lldb", F(STATIC), V, DI_WHY_NONE, A, NULL, false, NULL},
	{"a register that is not saved any more", "lldb", F(RESTORED), V, DI_WHY_NONE, V, NULL,
		true, "cfa-restore"},
	{"in the innermost frame", "lldb", F(RESTORED), V, DI_WHY_NONE, V, NULL, false, NULL},
	{"it says what it fails on", "lldb", 0, V, DI_WHY_NONE, E,
		"Could not evaluate DW_OP_entry_value.", false, "entry-value"},
	{"it fails on something", "lldb", 0, V, DI_WHY_NONE, E, "could not read memory", false,
		NULL},
	{"code that nobody knows by its entry", "gdb", F(ENTRY_VALUE), O, DI_WHY_ENTRY_UNKNOWN, V,
		NULL, false, NULL},
	{"a frame base that went with a function", "gdb", F(ENTRY_VALUE), O,
		DI_WHY_ENDED_FRAME_BASE, V, NULL, false, "ended-frame"},
	{"a tail call through a pointer", "gdb", F(ENTRY_VALUE), O, DI_WHY_TAIL_BY_POINTER, V, NULL,
		false, "tail-call-guess"},
	{"no value there either", "gdb", F(ENTRY_VALUE), O, DI_WHY_TAIL_BACK, O, NULL, false, NULL},
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
		struct ora_said judge = saying(cases[i].judge, NULL);
		judge.why = cases[i].judged;
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
