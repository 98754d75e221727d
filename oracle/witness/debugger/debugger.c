#include "oracle/witness/debugger/debugger.h"

#include <signal.h>

#include "oracle/witness/debugger/listen.h"
#include "oracle/witness/debugger/shared.h"
#include "oracle/witness/own/run.h"

struct xs_error *ora_debugger_begin(const struct ora_testimony *testimony)
{
	const struct ora_question *question = testimony->question;
	const struct ora_witness *witness = testimony->witness;
	const struct ora_run *run = question->run;
	const char *label = ora_witness_label(witness);
	struct ora_told_about about = {.title = label,
		.witness = label,
		.version = witness->version,
		.path = witness->path,
		.program = run->path,
		.argv = run->argv,
		.info = run->subject->modules.data[0].info,
		.texts = question->ask == ORA_ASK_TEXT && question->vars != ORA_VARS_NONE,
		.trace = ora_question_trace(question)};
	about.trace.witness = label;
	about.trace.version = witness->version ? witness->version : "";
	const char *mode = testimony->shared ? "shared"
			   : testimony->plan ? "native, planned"
					     : "native";
	XS_AUTO_FREE char *words = xs_asprintf("%s%s%s", mode, run->steady ? ORA_MODE_STEADY : "",
		testimony->plan && question->only ? ORA_MODE_ONLY : "");
	about.trace.mode = words;
	return ora_sink_begin(testimony->sink, &about);
}

/* Tells how it ended, whatever became of it; the first error is what matters. */
static struct xs_error *finish(struct ora_transcript *transcript, struct xs_error *err)
{
	const struct ora_testimony *testimony = transcript->testimony;
	struct ora_told_end *end = &transcript->end;
	bool timeout = testimony->interrupted_by == SIGALRM;
	if (testimony->interrupted_by)
		end->ending =
			(struct ora_ending){.over = timeout ? ORA_OVER_TIMEOUT : ORA_OVER_SIGNAL,
				.timeout = testimony->question->run->timeout,
				.interrupted_by = testimony->interrupted_by};
	if (testimony->crashed)
		end->ending = (struct ora_ending){.over = ORA_OVER_CRASH};
	end->trouble = testimony->trouble          ? testimony->trouble
		       : timeout                   ? "ended by --timeout"
		       : testimony->interrupted_by ? "interrupted"
		       : err                       ? err->message
						   : NULL;
	if (!end->stops) /* it had no time to say how many there were */
		end->stops = transcript->told.number;
	end->failed = err;
	struct xs_error *worse = ora_sink_end(testimony->sink, end);
	ora_transcript_deinit(transcript);
	if (err)
		xs_error_destroy(worse);
	return err ? err : worse;
}

static struct xs_error *testify(struct ora_testimony *testimony)
{
	struct ora_transcript fresh = {.testimony = testimony,
				      .end = {.ending = {.over = ORA_OVER_CUT}}},
			      *transcript = testimony->begun ? testimony->begun : &fresh;
	struct xs_error *err = testimony->begun ? NULL : ora_debugger_begin(testimony);
	if (err)
		return err;
	err = testimony->shared ? ora_shared_tell(testimony->shared, testimony->which,
					  testimony->recording, transcript)
				: ora_listen(transcript);
	return finish(transcript, err);
}

const struct ora_witness_ops ora_debugger_ops = {.testify = testify};
