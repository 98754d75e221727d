#include "cli/check_options.h"

#include <signal.h>

#include "base/shown.h"
#include "cli/report/screen.h"

static void warn(const char *text)
{
	xs_print(stderr, "xstep: %s\n", text);
}

void cli_check_begin(struct cli_check *check)
{
	struct ora_hearing *record = &check->record;
	if (!record->witness)
		record->witness = "xstep";
	record->program.steady = true;
	check->audience.format = CLI_FORMAT_NONE;
	cli_audience_attend(&check->audience, record, check->quiet);
	check->checking =
		(struct ora_checking){.cache = {.hearing = *record,
					      /* What the program reads is not kept. */
					      .fresh = check->fresh || record->program.in ||
						       record->program.environment.vec.len},
			.on_warning = warn};
}

struct xs_error *cli_check_named(
	struct cli_check *check, const char *path, const struct ora_trace_need *needs, size_t count)
{
	return ora_trace_cache_take(&check->checking.cache, path, check->traces.vec.data,
		check->traces.vec.len, needs, count);
}

void cli_check_words(struct cli_check *check, const char *name)
{
	const struct ora_hearing *record = &check->record;
	const char *words[] = {"check", name, "--format", "json", "--quiet",
		check->alone ? NULL : "--witness", check->alone ? NULL : record->witness,
		record->from ? "--from" : NULL, record->from, record->program.in ? "--stdin" : NULL,
		record->program.in ? "stdin" : NULL,
		record->program.unsteady ? "--no-steady" : NULL};
	const char *const paths[][2] = {{"--gdb", record->gdb}, {"--lldb", record->lldb}};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		cli_again_word(&check->again, words[i]);
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		/* The script runs elsewhere. */
		XS_AUTO_FREE char *path = paths[i][1] ? realpath(paths[i][1], NULL) : NULL;
		cli_again_word(&check->again, path ? paths[i][0] : NULL);
		cli_again_word(&check->again, path);
	}
	for (size_t i = 0; i < record->program.environment.vec.len; i++) {
		cli_again_word(&check->again, "--env");
		cli_again_word(&check->again, record->program.environment.vec.data[i]);
	}
}

struct xs_error *cli_check_print(struct cli_check *check, const char *command, const char *headline)
{
	struct cli_violations print = {.out = stdout,
		.command = command,
		.headline = headline,
		.wishes = &check->wishes,
		.report = check->report,
		.build = check->build,
		.program = &check->record.program,
		.gdb = check->record.gdb,
		.lldb = check->record.lldb,
		.again = &check->again};
	struct xs_error *err = cli_violations_print(&print, &check->checking);
	const struct ora_asked *asked = &check->checking.check.asked;
	check->found = print.found;
	/* Silence is no answer. */
	if (!err && asked->rules.len && !ora_asked_total(asked))
		err = xs_error_create("%s: nothing could be asked", command);
	return err;
}

int cli_check_end(struct cli_check *check, struct xs_error *err)
{
	int signal = check->checking.cache.signal;
	bool trouble = check->checking.cache.trouble;
	ora_checking_deinit(&check->checking);
	cli_again_deinit(&check->again);
	cli_audience_deinit(&check->audience);
	ora_hearing_deinit(&check->record);
	xs_vec_deinit(&check->traces.vec);
	xs_vec_deinit(&check->wishes.known.vec);
	ora_baseline_deinit(&check->wishes.baseline);
	int status = err            ? cli_fail(err)
		     : trouble      ? CLI_TROUBLE
		     : check->found ? CLI_FOUND
				    : CLI_NOTHING;
	/* Whoever sent it expects us to die of it. */
	if (signal && signal != SIGALRM)
		cli_screen_die(signal);
	return status;
}
