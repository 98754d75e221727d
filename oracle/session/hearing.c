#include "oracle/session/hearing.h"

#include <inttypes.h>
#include <signal.h>

#include "dwarf/gaps.h"
#include "engine/interrupt.h"
#include "oracle/session/witnesses.h"
#include "oracle/store/keep.h"
#include "oracle/store/repeat.h"
#include "oracle/witness/debugger/debugger.h"
#include "oracle/witness/debugger/plan.h"
#include "oracle/witness/debugger/shared.h"
#include "oracle/witness/symboliser/heard.h"
#include "oracle/witness/testimony.h"

/* A hearing while it lasts. */
struct session {
	struct ora_hearing *hearing;
	struct ora_witnesses witnesses; /* who is asked, in order */
	struct ora_keep *keep;          /* the store, or NULL */
	struct ora_heard heard;         /* the stops that xstep told, for symbolisers */
	struct ora_sink *sink;          /* all that hear it */
	json_t *plan;                   /* the stops that xstep foretells; NULL: not made yet */
	uint64_t stops;                 /* that xstep has kept; 0: it is not known yet */
};

void ora_hearing_deinit(struct ora_hearing *hearing)
{
	ora_program_deinit(&hearing->program);
	xs_vec_deinit(&hearing->modules.vec);
}

static void XS_PRINTF(2, 3) note(const struct ora_hearing *hearing, const char *format, ...)
{
	if (!hearing->on_note)
		return;
	va_list args;
	char *text = NULL;
	va_start(args, format);
	xs_assert(vasprintf(&text, format, args) >= 0);
	va_end(args);
	hearing->on_note(hearing->context, text);
	free(text);
}

/* Says what is being done now. */
static void XS_PRINTF(3, 4)
	begin_phase(const struct ora_hearing *hearing, uint64_t total, const char *format, ...)
{
	if (!hearing->on_phase)
		return;
	va_list args;
	va_start(args, format);
	XS_AUTO_FREE char *name = xs_vasprintf(format, args);
	va_end(args);
	hearing->on_phase(hearing->context, name, 0, total);
}

/* Whether the user has had enough. The clock is each witness's own. */
static bool is_over(const struct ora_hearing *hearing)
{
	return hearing->interrupted_by && hearing->interrupted_by != SIGALRM;
}

/* Notes it if that was while nobody testified. */
static bool note_wish(struct ora_hearing *hearing)
{
	if (eng_interrupt_is_wish())
		hearing->interrupted_by = eng_interrupt_signal();
	return is_over(hearing);
}

/* --- what goes with what ---------------------------------------------------------------------- */

/* Of xstep's own part. */
static struct xs_error *settle_own(const struct ora_hearing *hearing)
{
	bool unique = hearing->mode == ORA_MODE_UNIQUE, all = hearing->threads == ORA_THREADS_ALL;
	bool asked = (hearing->vars != ORA_NOT_GIVEN && hearing->vars != ORA_VARS_NONE) ||
		     hearing->frames || hearing->regs;
	const char *why =
		unique && hearing->sample != ORA_SAMPLE_UNIQUE
			? "--mode unique is --mode exact with --sample unique: choose --mode exact "
			  "for another sample"
		: all && hearing->level ? "--threads all goes with --level instruction only"
		: hearing->sample == ORA_SAMPLE_NONE && asked
			? "--sample none keeps control facts only: for --vars, --frames and --regs "
			  "choose --sample all, unique or dtd"
		: hearing->keep_order && !hearing->store
			? "--keep-order: only a store keeps it; write to one with -o FILE.db"
			: NULL;
	return why ? xs_error_create("%s", why) : NULL;
}

static bool asks_others(const struct ora_hearing *hearing)
{
	return hearing->witness && strcmp(hearing->witness, "xstep") != 0;
}

static struct xs_error *settle_others(const struct ora_hearing *hearing)
{
	const char *why =
		hearing->repeat > 2 || (hearing->repeat == 2 && !hearing->store)
			? "--repeat: 1 or 2, and 2 only into a store: -o FILE.db"
		: hearing->plan && hearing->no_plan ? "--plan and --no-plan: choose one"
		: hearing->ask == ORA_ASK_TEXT && (hearing->store || hearing->plan)
			? "--ask text is for comparison: it goes neither into a store nor with "
			  "--plan"
		: hearing->plan && hearing->level ? "--plan goes with --level instruction only"
		: asks_others(hearing) && hearing->threads == ORA_THREADS_ALL
			? "--threads all: only xstep itself traces all threads: --witness xstep"
		: asks_others(hearing) && hearing->modules.vec.len
			? "--module: only xstep itself looks into shared objects: --witness xstep"
			: NULL;
	return why ? xs_error_create("%s", why) : NULL;
}

struct xs_error *ora_hearing_settle(struct ora_hearing *hearing)
{
	struct xs_error *err;
	if (hearing->sample == ORA_NOT_GIVEN)
		hearing->sample =
			hearing->mode == ORA_MODE_UNIQUE ? ORA_SAMPLE_UNIQUE : ORA_SAMPLE_DTD;
	if ((err = settle_own(hearing)) || (err = settle_others(hearing)))
		return err;
	/* A store is for whoever comes later and wants to know something else. */
	bool whole = hearing->store && hearing->sample != ORA_SAMPLE_NONE &&
		     hearing->vars == ORA_NOT_GIVEN;
	hearing->frames |= whole;
	hearing->regs |= whole;
	if (hearing->vars == ORA_NOT_GIVEN)
		hearing->vars = whole ? ORA_VARS_ALL : ORA_VARS_NONE;
	return NULL;
}

static bool asks_xstep(const struct session *session)
{
	for (size_t i = 0; i < session->witnesses.vec.len; i++)
		if (session->witnesses.vec.data[i].kind == ORA_WITNESS_XSTEP)
			return true;
	return false;
}

/* Whether somebody is to look at the process. */
static bool is_debugger(const struct ora_witness *witness)
{
	return witness->kind != ORA_WITNESS_XSTEP && !ora_witness_is_symboliser(witness->kind);
}

static bool asks_debuggers(const struct session *session)
{
	for (size_t i = 0; i < session->witnesses.vec.len; i++)
		if (is_debugger(&session->witnesses.vec.data[i]))
			return true;
	return false;
}

static bool asks_symbolisers(const struct session *session)
{
	for (size_t i = 0; i < session->witnesses.vec.len; i++)
		if (ora_witness_is_symboliser(session->witnesses.vec.data[i].kind))
			return true;
	return false;
}

/* Symbolisers know no stops of their own. */
static struct xs_error *settle_symbolisers(const struct session *session)
{
	const struct ora_hearing *hearing = session->hearing;
	const struct ora_program *program = &hearing->program;
	for (size_t i = 0; i < session->witnesses.vec.len; i++) {
		const struct ora_witness *witness = &session->witnesses.vec.data[i];
		if (!ora_witness_is_symboliser(witness->kind))
			continue;
		const char *why = !asks_xstep(session) ? "xstep, at whose stops it is asked: "
							 "--witness xstep,..."
				  : hearing->sample == ORA_SAMPLE_NONE
					  ? "stops that are kept, not with --sample none"
				  : program->debug_file || program->debug_root
					  ? "debug files that it finds by itself, not with "
					    "--debug-file or --debug-root"
					  : NULL;
		if (why)
			return xs_error_create(
				"--witness %s goes with %s", ora_witness_name(witness->kind), why);
	}
	return NULL;
}

/* Settles who drives the debuggers. */
static struct xs_error *choose_drive(struct session *session)
{
	struct ora_hearing *hearing = session->hearing;
	const char *why = hearing->level                      ? "--level instruction only"
			  : hearing->plan || hearing->no_plan ? "neither --plan nor --no-plan"
			  : hearing->repeat > 1      ? "one run, as nothing differs between two"
			  : hearing->modules.vec.len ? "no --module"
			  : hearing->threads         ? "--threads main only"
			  : hearing->sample == ORA_SAMPLE_NONE
				  ? "stops whose state is looked at, not with "
				    "--sample none"
			  : !asks_xstep(session) ? "xstep, whose process it is: --witness xstep,..."
						 : NULL;
	if (hearing->drive == ORA_DRIVE_SHARED && why)
		return xs_error_create("--drive shared goes with %s", why);
	if (hearing->drive == ORA_DRIVE_AUTO)
		hearing->drive = why || hearing->ask == ORA_ASK_TEXT || !asks_debuggers(session)
					 ? ORA_DRIVE_NATIVE
					 : ORA_DRIVE_SHARED;
	return NULL;
}

/* --- asking ----------------------------------------------------------------------------------- */

static struct ora_question question_of(const struct ora_hearing *hearing, struct ora_run *run)
{
	return (struct ora_question){.run = run,
		.from = hearing->from,
		.modules = hearing->modules.vec.data,
		.module_count = hearing->modules.vec.len,
		.level = hearing->level,
		.sample = hearing->sample,
		.vars = hearing->vars,
		.ask = hearing->ask,
		.threads = hearing->threads,
		.mode = hearing->mode,
		.seed = hearing->seed,
		.limit = hearing->limit,
		.max_leaves = hearing->max_leaves,
		.frames = hearing->frames,
		.regs = hearing->regs,
		.inner = hearing->inner,
		.only = hearing->only,
		.patience = hearing->patience};
}

static void tell_absent(struct session *session, const struct ora_witness *witness)
{
	session->hearing->trouble = true;
	ora_sink_absent(session->sink,
		&(struct ora_told_about){.title = ora_witness_label(witness),
			.witness = ora_witness_label(witness),
			.version = witness->version,
			.path = witness->path},
		witness->problem);
}

/* Has a testimony told, and notes how it ended. */
static struct xs_error *have_told(struct session *session, struct ora_testimony *testimony)
{
	struct ora_hearing *hearing = session->hearing;
	struct xs_error *err = ora_testify(testimony);
	hearing->trouble |= !err && testimony->trouble;
	if (testimony->interrupted_by)
		hearing->interrupted_by = testimony->interrupted_by;
	ora_testimony_deinit(testimony);
	return err;
}

static void on_progress(void *context, uint64_t executed, uint64_t kept)
{
	const struct session *session = context;
	const struct ora_hearing *hearing = session->hearing;
	hearing->on_progress(
		hearing->context, executed, kept, session->keep ? ora_keep_size(session->keep) : 0);
}

/* Opens the program, and refuses one without what the job needs: that nothing is found in it would
 * mean nothing. */
static struct xs_error *prepare(
	const struct ora_hearing *hearing, struct ora_program *program, struct ora_run *run)
{
	struct xs_error *err = ora_program_prepare(program, hearing->argv, run);
	if (err || hearing->need == ORA_NEED_NOTHING)
		return err;
	const struct di_module *module = run->subject->modules.data[0].info;
	const char *reason = di_gaps_reason(module, hearing->need == ORA_NEED_LINES);
	return reason ? xs_error_create("%s: %s; " DI_GAPS_ADVICE, module->path, reason) : NULL;
}

/* Asks one witness, which runs a program of its own; *trace is its number in the store. */
static struct xs_error *ask(
	struct session *session, const struct ora_witness *witness, bool again, uint64_t *trace)
{
	struct ora_hearing *hearing = session->hearing;
	struct ora_program program = ora_program_another(&hearing->program);
	struct ora_run run = {0};
	struct ora_question question = question_of(hearing, &run);
	struct ora_testimony testimony = {.witness = witness,
		.question = &question,
		.sink = session->sink,
		.on_progress = hearing->on_progress ? on_progress : NULL,
		.context = session,
		.heard = &session->heard,
		.again = again};
	struct xs_error *err = prepare(hearing, &program, &run);
	bool plans = hearing->plan && is_debugger(witness);
	begin_phase(hearing, session->stops ? session->stops : hearing->limit, "recording %s%s",
		ora_witness_label(witness), again ? " once more" : "");
	if (!err && plans && !session->plan)
		err = ora_plan_make(&run, hearing->from, ora_own_sample(hearing->sample),
			hearing->seed, hearing->limit, hearing->mode == ORA_MODE_UNIQUE,
			hearing->only, &session->plan);
	testimony.plan = plans ? session->plan : NULL;
	if (!err)
		err = have_told(session, &testimony);
	*trace = session->keep ? ora_keep_trace(session->keep) : 0;
	ora_run_deinit(&run);
	ora_program_release(&program);
	return err;
}

/* How its store is opened. */
static enum ora_store_access access_of(const struct ora_hearing *hearing)
{
	return hearing->fleeting ? ORA_STORE_FLEETING : ORA_STORE_WRITE;
}

/* Asks a debugger once more, and marks in the store what it says otherwise then. */
static struct xs_error *ask_again(
	struct session *session, const struct ora_witness *witness, uint64_t first)
{
	struct ora_hearing *hearing = session->hearing;
	XS_AUTO(ora_store) store = NULL;
	uint64_t second, unstable = 0;
	struct xs_error *err = ask(session, witness, true, &second);
	if (err || hearing->trouble || hearing->interrupted_by)
		return err;
	if ((err = ora_store_open(hearing->store, access_of(hearing), &store)) ||
		(err = ora_repeat_compare(store, first, second, &unstable)))
		return err;
	note(hearing, "%s: %" PRIu64 " stretches of unstable leaves", ora_witness_label(witness),
		unstable);
	return NULL;
}

/* Asks one witness, as often as that is wanted. */
static struct xs_error *ask_enough(struct session *session, const struct ora_witness *witness)
{
	uint64_t trace;
	if (witness->problem) {
		tell_absent(session, witness);
		return NULL;
	}
	bool before = session->hearing->trouble;
	session->hearing->trouble = false;
	struct xs_error *err = ask(session, witness, false, &trace);
	if (!err && session->hearing->repeat == 2 && is_debugger(witness) &&
		!session->hearing->trouble && !session->hearing->interrupted_by)
		err = ask_again(session, witness, trace);
	session->hearing->trouble |= before;
	return err;
}

/* --- each by itself --------------------------------------------------------------------------- */

/* What is wrong with one is told, and the others are asked all the same. */
static struct xs_error *hear_natively(struct session *session)
{
	struct ora_hearing *hearing = session->hearing;
	struct xs_error *err = NULL;
	/* Who takes xstep's word for what was executed gets the same facts sooner. */
	if (!hearing->level && !hearing->no_plan && hearing->ask != ORA_ASK_TEXT &&
		hearing->witness)
		hearing->plan |= asks_xstep(session);
	for (size_t i = 0; !err && !note_wish(hearing) && i < session->witnesses.vec.len; i++)
		if (!ora_witness_is_symboliser(session->witnesses.vec.data[i].kind))
			err = ask_enough(session, &session->witnesses.vec.data[i]);
	return err;
}

/* What was executed is known by then. */
static struct xs_error *hear_symbolisers(struct session *session)
{
	struct xs_error *err = NULL;
	for (size_t i = 0; !err && !note_wish(session->hearing) && i < session->witnesses.vec.len;
		i++)
		if (ora_witness_is_symboliser(session->witnesses.vec.data[i].kind))
			err = ask_enough(session, &session->witnesses.vec.data[i]);
	return err;
}

/* --- all at once ------------------------------------------------------------------------------ */

static bool on_live(void *context, const struct ora_stop *stop);

/* One process, and who looks at it. */
struct common {
	struct session *session;
	struct ora_shared *shared;          /* the debuggers, or NULL */
	struct ora_run run;                 /* xstep's */
	struct ora_recording recording;     /* what it counted */
	struct ora_testimony *testimonies;  /* by witness */
	struct ora_transcript *transcripts; /* likewise, of those whose telling has begun */
	struct xs_error *err;               /* what went wrong with that */
};

static void on_common_progress(void *context, uint64_t executed, uint64_t kept)
{
	const struct common *common = context;
	on_progress(common->session, executed, kept);
}

static bool on_live(void *context, const struct ora_stop *stop)
{
	struct common *common = context;
	/* A stop takes so long that nobody is asked too often. */
	if (common->session->hearing->on_progress)
		on_progress(common->session, stop->number, common->recording.kept);
	return ora_shared_stop(common->shared, &common->run, stop) && !common->err;
}

/* A debugger's telling begins, while it goes on looking. */
static struct xs_error *begin_telling(struct common *common, size_t number, size_t which)
{
	struct ora_sink *sink = common->session->sink;
	struct ora_testimony *testimony = &common->testimonies[number];
	struct ora_transcript *transcript = &common->transcripts[number];
	*transcript = (struct ora_transcript){
		.testimony = testimony, .end = {.ending = {.over = ORA_OVER_CUT}}};
	testimony->shared = common->shared;
	testimony->which = which;
	testimony->sink = sink->ops->split(sink);
	testimony->begun = transcript;
	return ora_debugger_begin(testimony);
}

/* Tells what the debuggers have said by now, while they look at the next stop. */
static void tell_some(void *context)
{
	struct common *common = context;
	const struct ora_witnesses *witnesses = &common->session->witnesses;
	size_t which = 0;
	for (size_t i = 0; !common->err && i < witnesses->vec.len; i++) {
		const struct ora_witness *witness = &witnesses->vec.data[i];
		if (!is_debugger(witness) || witness->problem)
			continue;
		if (ora_shared_looked(common->shared, which) && !common->testimonies[i].begun)
			common->err = begin_telling(common, i, which);
		if (!common->err && common->testimonies[i].begun)
			common->err = ora_shared_tell_some(
				common->shared, which, &common->transcripts[i]);
		which++;
	}
}

/* xstep runs the program, and the debuggers look. */
static struct xs_error *run_common(struct common *common, const struct ora_question *question)
{
	struct session *session = common->session;
	struct ora_testimony *own = NULL;
	XS_VEC(struct ora_testimony *) lookers = {0};
	struct xs_error *err = NULL;
	for (size_t i = 0; i < session->witnesses.vec.len; i++) {
		const struct ora_witness *witness = &session->witnesses.vec.data[i];
		struct ora_testimony *testimony = &common->testimonies[i];
		*testimony = (struct ora_testimony){.witness = witness,
			.question = question,
			.sink = session->sink,
			.recording = &common->recording};
		if (witness->kind == ORA_WITNESS_XSTEP)
			own = testimony;
		else if (is_debugger(witness) && !witness->problem)
			xs_vec_push(&lookers, testimony);
	}
	if (lookers.len)
		err = ora_shared_create(lookers.data, lookers.len, &common->shared);
	xs_vec_deinit(&lookers);
	if (err)
		return err;
	own->on_progress = session->hearing->on_progress ? on_common_progress : NULL;
	own->on_live = common->shared ? on_live : NULL;
	own->context = common;
	if (common->shared && session->hearing->at_once)
		ora_shared_meanwhile(common->shared, tell_some, common);
	begin_phase(session->hearing, session->hearing->limit, "recording %s",
		session->hearing->witness);
	err = have_told(session, own);
	session->stops = common->recording.kept;
	if (common->err && !err)
		err = xs_take(&common->err);
	if (common->shared)
		ora_shared_end(common->shared, &common->recording,
			err || common->recording.interrupted_by);
	return err;
}

/* One that looked tells what it said; one that did not get so far is asked natively. */
static struct xs_error *hear_looker(
	struct common *common, const struct ora_witness *witness, struct ora_testimony *testimony)
{
	struct session *session = common->session;
	if (ora_shared_looked(common->shared, testimony->which) || is_over(session->hearing)) {
		begin_phase(session->hearing, session->stops, "keeping what %s said",
			ora_witness_label(witness));
		testimony->on_progress = session->hearing->on_progress ? on_common_progress : NULL;
		testimony->context = common;
		return have_told(session, testimony);
	}
	/* One that is started might have looked: whoever lends must not change what is heard. */
	if (ora_shared_was_lent(common->shared, testimony->which))
		return xs_error_create("%s: a copy of a kept debugger did not come to look (%s)",
			ora_witness_label(witness),
			testimony->trouble ? testimony->trouble : "no reason");
	note(session->hearing,
		"warning: %s could not look at xstep's process (%s); it is asked with --drive "
		"native",
		ora_witness_label(witness), testimony->trouble ? testimony->trouble : "no reason");
	ora_testimony_deinit(testimony);
	session->hearing->plan = true;
	return ask_enough(session, witness);
}

/* What the debuggers have said while they looked. Those whose telling has begun end it first: the
 * store has one writer. */
static struct xs_error *hear_lookers(struct common *common)
{
	struct session *session = common->session;
	struct xs_error *err = NULL;
	size_t which = 0;
	for (size_t i = 0; i < session->witnesses.vec.len; i++)
		if (is_debugger(&session->witnesses.vec.data[i]) &&
			!session->witnesses.vec.data[i].problem)
			common->testimonies[i].which = which++;
	for (int later = 0; later < 2; later++)
		for (size_t i = 0; !err && i < session->witnesses.vec.len; i++) {
			const struct ora_witness *witness = &session->witnesses.vec.data[i];
			struct ora_testimony *testimony = &common->testimonies[i];
			if (!is_debugger(witness) || later != (testimony->begun == NULL))
				continue;
			if (witness->problem) {
				tell_absent(session, witness);
				continue;
			}
			testimony->shared = common->shared;
			err = hear_looker(common, witness, testimony);
		}
	return err;
}

static struct xs_error *hear_together(struct session *session)
{
	struct ora_hearing *hearing = session->hearing;
	struct ora_program program = ora_program_another(&hearing->program);
	struct common common = {.session = session};
	common.testimonies = xs_calloc(session->witnesses.vec.len, sizeof *common.testimonies);
	common.transcripts = xs_calloc(session->witnesses.vec.len, sizeof *common.transcripts);
	struct ora_question question = question_of(hearing, &common.run);
	struct xs_error *err = prepare(hearing, &program, &common.run);
	if (!err && !(err = run_common(&common, &question)))
		err = hear_lookers(&common);
	ora_shared_destroy(common.shared);
	for (size_t i = 0; i < session->witnesses.vec.len; i++) {
		if (common.testimonies[i].begun) {
			ora_transcript_deinit(&common.transcripts[i]);
			ora_sink_destroy(common.testimonies[i].sink);
		}
		ora_testimony_deinit(&common.testimonies[i]);
	}
	xs_error_destroy(common.err);
	free(common.testimonies);
	free(common.transcripts);
	ora_recording_release(&common.recording);
	ora_run_deinit(&common.run);
	ora_program_release(&program);
	return err;
}

struct xs_error *ora_hear(struct ora_hearing *hearing)
{
	struct session session = {.hearing = hearing};
	struct xs_error *err;
	hearing->trouble = false;
	hearing->interrupted_by = 0;
	if ((err = ora_hearing_settle(hearing)))
		return err;
	if (hearing->store)
		session.keep =
			ora_keep_create(hearing->store, access_of(hearing), hearing->keep_order);
	begin_phase(hearing, 0, "looking for the debuggers");
	err = ora_witnesses_named(hearing->witness ? hearing->witness : "xstep", hearing->gdb,
		hearing->lldb, &session.witnesses);
	ora_heard_init(&session.heard);
	session.sink = ora_tee_create(
		(struct ora_sink *[]){session.keep ? ora_keep_sink(session.keep) : NULL,
			hearing->sink, asks_symbolisers(&session) ? &session.heard.sink : NULL},
		3);
	/* Nobody else could say anything about the variables. */
	if (!err && hearing->fleeting && asks_symbolisers(&session) && !asks_debuggers(&session)) {
		hearing->vars = ORA_VARS_NONE;
		hearing->frames = hearing->regs = false;
	}
	if (!err && !(err = settle_symbolisers(&session)) && !(err = choose_drive(&session)) &&
		!note_wish(hearing))
		err = hearing->drive == ORA_DRIVE_SHARED ? hear_together(&session)
							 : hear_natively(&session);
	if (!err)
		err = hear_symbolisers(&session);
	json_decref(session.plan);
	ora_sink_destroy(session.sink);
	ora_heard_deinit(&session.heard);
	ora_keep_destroy(session.keep);
	ora_witnesses_deinit(&session.witnesses);
	return err;
}
