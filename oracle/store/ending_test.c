/* How a testimony ended, in words: the same whoever testified. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "oracle/store/ending.h"

static void endings_have_their_words(void **state)
{
	static const struct {
		struct ora_ending ending;
		const char *words;
		bool complete;
	} cases[] = {
		{{.over = ORA_OVER_RETURN, .fate = ORA_FATE_EXITED, .status = 4},
			"main returned; exited with status 4", true},
		{{.over = ORA_OVER_RETURN,
			 .from = "f",
			 .fate = ORA_FATE_KILLED,
			 .killed_by = SIGSEGV},
			"f returned; killed by SIGSEGV (Segmentation fault)", true},
		{{.over = ORA_OVER_PROGRAM, .fate = ORA_FATE_EXITED}, "exited with status 0", true},
		{{.over = ORA_OVER_PROGRAM, .fate = ORA_FATE_KILLED, .killer = "SIGWAITING"},
			"killed by SIGWAITING", true},
		{{.over = ORA_OVER_EXEC}, "became another program", true},
		{{.over = ORA_OVER_THREAD}, "ended", true},
		{{.over = ORA_OVER_LIMIT, .limit = 30}, "ended by --limit 30", false},
		{{.over = ORA_OVER_TIMEOUT, .timeout = 0.5}, "ended by --timeout 0.5", false},
		{{.over = ORA_OVER_SIGNAL, .interrupted_by = SIGINT}, "interrupted by SIGINT",
			false},
		{{.over = ORA_OVER_CUT}, "", false},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *words = ora_ending_text(&cases[i].ending);
		assert_string_equal(words, cases[i].words);
		assert_int_equal(ora_ending_complete(&cases[i].ending), cases[i].complete);
		free(words);
	}
}

static void signals_have_numbers(void **state)
{
	(void)state;
	assert_int_equal(ora_ending_signal("SIGABRT"), SIGABRT);
	assert_int_equal(ora_ending_signal("ABRT"), 0);
	assert_int_equal(ora_ending_signal("SIGNONE"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(endings_have_their_words),
		cmocka_unit_test(signals_have_numbers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
