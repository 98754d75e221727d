#include "oracle/session/proving.h"

#include <time.h>

#include "oracle/session/resymbolise.h"
#include "oracle/session/stored_words.h"
#include "oracle/witness/own/replay.h"

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* --- xstep once more -------------------------------------------------------------------------- */

/* Whether there is something to replay, and not only a way to find. */
static bool is_replayed(const struct ora_finding *finding)
{
	enum ora_aspect aspect = finding->difference->aspect;
	return (aspect == ORA_ASPECT_VARIABLE || aspect == ORA_ASPECT_LOOKUP ||
		       aspect == ORA_ASPECT_FRAMES) &&
	       (!finding->contest || finding->contest == ORA_CONTEST_LEFTOVER);
}

static struct ora_replay question_of(
	const struct ora_verdicts *verdicts, const struct ora_finding *finding)
{
	const struct ora_difference *one = finding->difference;
	bool replayed = is_replayed(finding), gdb = false, lldb = false;
	for (size_t w = 0; w < verdicts->comparison->count; w++)
		if (finding->differs >> w & 1) {
			gdb |= ora_witness_is(verdicts->witnesses[w], ORA_WITNESS_GDB);
			lldb |= ora_witness_is(verdicts->witnesses[w], ORA_WITNESS_LLDB);
		}
	return (struct ora_replay){.number = one->number,
		.prev = one->prev,
		.pc = one->pc,
		.n = one->n,
		.scope = one->scope,
		.var = replayed ? one->var : NULL,
		.path = one->path,
		.decl_line = one->decl_line,
		.global = one->global,
		.frame = one->frame,
		.rank = one->rank,
		.nth = one->nth,
		.gdb = gdb,
		.lldb = lldb,
		.lookup = one->aspect == ORA_ASPECT_LOOKUP,
		.frames = replayed && one->aspect == ORA_ASPECT_FRAMES};
}

/* Whether a backtrace tells of a function: the DWARF knows it. */
static bool is_told(struct di_module *module, const char *function, bool inlined)
{
	const struct di_function *known =
		function ? di_functions_named(module->functions, function) : NULL;
	return function && (inlined || (known && !known->symbol));
}

static void put_frame(FILE *out, const char *function)
{
	fprintf(out, "%s%s", ftell(out) ? " < " : "", function);
}

/* The frames that a witness shows, as they are replayed: `f < g < main`; to be freed. */
static char *frames_text(
	const struct ora_verdicts *verdicts, const struct ora_difference *one, size_t w)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	xs_assert(out);
	for (size_t i = 0; i <= one->frames.len; i++) {
		for (size_t k = one->added.len; k-- > 0;)
			if (one->added.data[k].trace == w && one->added.data[k].outside == i &&
				is_told(verdicts->module, one->added.data[k].function, true))
				put_frame(out, one->added.data[k].function);
		const struct ora_frame_shown *frame =
			i < one->frames.len ? &one->frames.data[i] : NULL;
		if (frame && !(frame->lack >> w & 1) &&
			is_told(verdicts->module, frame->function, frame->inlined))
			put_frame(out, frame->function);
	}
	xs_assert(!fclose(out));
	return text;
}

/* Whether a function is one of those that the witnesses show of the program. */
static bool is_of_program(
	const struct ora_verdicts *verdicts, const struct ora_difference *one, const char *function)
{
	for (size_t i = 0; i < one->frames.len; i++)
		if (one->frames.data[i].function &&
			(one->frames.data[i].inlined || one->frames.data[i].pc != XS_ADDR_NONE) &&
			!strcmp(one->frames.data[i].function, function))
			return true;
	return is_told(verdicts->module, function, false);
}

/* What was replayed, without the frames of libraries; to be freed. */
static char *replayed_text(
	const struct ora_verdicts *verdicts, const struct ora_difference *one, const char *replayed)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	XS_AUTO_FREE char *copy = xs_strdup(replayed ? replayed : "");
	xs_assert(out);
	for (char *rest = copy, *end; rest; rest = end) {
		if ((end = strstr(rest, " < "))) {
			*end = 0;
			end += 3;
		}
		if (*rest && is_of_program(verdicts, one, rest))
			put_frame(out, rest);
	}
	xs_assert(!fclose(out));
	return text;
}

/* What is left of frames from a function on; all of them, if it is NULL or not among them. */
static const char *from_function(const char *frames, const char *function)
{
	size_t length = function ? strlen(function) : 0;
	for (const char *at = function ? frames : NULL; at; at = strstr(at, " < ")) {
		at += at == frames ? 0 : 3;
		if (!strncmp(at, function, length) && (!at[length] || at[length] == ' '))
			return at;
	}
	return frames;
}

/* The function around the inlined calls that a witness may show or not, for they begin where it
 * stands; NULL: none. It must not have made up any others. */
static const char *border_of(
	const struct ora_verdicts *verdicts, const struct ora_difference *one, size_t w)
{
	size_t inner = ora_frames_at_border(verdicts->module, one);
	for (size_t i = 0; i < one->added.len; i++)
		if (one->added.data[i].trace == w && one->added.data[i].outside <= inner)
			return NULL;
	return inner ? one->frames.data[inner].function : NULL;
}

/* Backtraces are compared by their functions, and then told in the witness's own words. */
static void take_frames(const struct ora_verdicts *verdicts, struct ora_finding *finding,
	size_t judge, const struct ora_replay *replay)
{
	const struct ora_difference *one = finding->difference;
	struct ora_proof *proof = &finding->proof;
	XS_AUTO_FREE char *own = frames_text(verdicts, one, judge);
	proof->looked = true;
	XS_AUTO_FREE char *again = replayed_text(verdicts, one, replay->own.value);
	proof->own = !strcmp(again, own);
	for (size_t w = 0; w < verdicts->comparison->count; w++) {
		if (!(finding->differs >> w & 1))
			continue;
		XS_AUTO_FREE char *theirs = frames_text(verdicts, one, w);
		const char *border = border_of(verdicts, one, w);
		if (!strcmp(from_function(theirs, border), from_function(own, border)))
			continue;
		for (size_t i = 0; i < replay->made.len; i++) {
			XS_AUTO_FREE char *with =
				replayed_text(verdicts, one, replay->made.data[i].said.value);
			if (strcmp(from_function(with, border), from_function(theirs, border)) != 0)
				continue;
			struct ora_model model = {replay->made.data[i].mistake, ORA_STATE_VALUE,
				xs_strdup(one->said[w].value)};
			xs_vec_push(&proof->models, model);
		}
	}
}

static bool is_same(const struct ora_replayed *a, const struct ora_replayed *b)
{
	return ora_replayed_is(a, b->state, b->value);
}

/* What was found, as the judge weighs it. */
static void take(const struct ora_verdicts *verdicts, struct ora_finding *finding, size_t judge,
	struct ora_replay *replay)
{
	struct ora_proof *proof = &finding->proof;
	const struct ora_said *said = &finding->difference->said[judge];
	if (replay->frames && replay->there && judge < verdicts->comparison->count)
		take_frames(verdicts, finding, judge, replay);
	if (!replay->var || !replay->there)
		return;
	proof->looked = true;
	proof->own = ora_replayed_is(&replay->own, said->state, said->value);
	proof->written = replay->leftover && replay->leftover_known && replay->leftover_written;
	proof->bytes = xs_take(&replay->explained);
	for (size_t i = 0; i < replay->made.len; i++) {
		struct ora_mistaken *one = &replay->made.data[i];
		struct ora_model model = {one->mistake, one->said.state, one->said.value};
		if (is_same(&one->said, &replay->own))
			continue;
		one->said.value = NULL;
		xs_vec_push(&proof->models, model);
	}
}

/* Whether nobody who differs would be at a stop: the file says it all. */
static bool is_of_symbolisers(const struct ora_proving *proving, const struct ora_finding *finding)
{
	const struct ora_verdicts *verdicts = &proving->comparing->verdicts;
	if (!ora_aspect_is_static(finding->difference->aspect))
		return false;
	for (size_t w = 0; w < verdicts->comparison->count; w++)
		if (finding->differs >> w & 1 &&
			!ora_witness_is_of_symboliser(verdicts->witnesses[w]))
			return false;
	return true;
}

/* Whether a finding is gone to once more. */
static bool is_worth_it(const struct ora_proving *proving, const struct ora_finding *finding)
{
	return finding->difference->aspect != ORA_ASPECT_STOPS &&
	       !is_of_symbolisers(proving, finding) &&
	       (proving->ways || !finding->contest || is_replayed(finding));
}

/* The questions of a list, asked in a run of their own. */
static struct xs_error *ask_list(struct ora_proving *proving, struct ora_replay *list, size_t count)
{
	const struct ora_store_trace *trace = &proving->comparing->traces[0]->trace;
	struct ora_rerun rerun = {.run = &proving->run,
		.from = trace->from,
		.modules = (const char *const *)proving->comparing->hearing.modules.vec.data,
		.module_count = proving->comparing->hearing.modules.vec.len,
		.max_leaves = trace->max_leaves,
		.list = list,
		.count = count};
	return count ? ora_rerun(&rerun) : NULL;
}

/* Whether the program itself may have had another value this time: the time of day, say. */
static bool is_other_value(
	const struct ora_finding *finding, size_t judge, const struct ora_replay *replay)
{
	return replay->var && replay->there && finding->proof.looked && !finding->proof.own &&
	       replay->own.state == ORA_STATE_VALUE &&
	       finding->difference->said[judge].state == ORA_STATE_VALUE;
}

/* Whether a debugger read in the trace what xstep did: then it was so. A program may be told how
 * often its pages were touched, which depends on where it is stopped. */
static bool is_seconded(const struct ora_finding *finding, size_t judge, size_t count)
{
	const struct ora_said *own = &finding->difference->said[judge];
	for (size_t w = 0; w < count; w++) {
		const struct ora_said *said = &finding->difference->said[w];
		if (w != judge && said->heard && said->state == own->state && said->value &&
			own->value && !strcmp(said->value, own->value))
			return true;
	}
	return false;
}

/* A value that is another one in each run: xstep did not come to that moment again, and is not to
 * be looked at for it. What xstep reads in two ways, in a trace and in a rerun, is the same in two
 * reruns, and nobody else reads it as the trace does. */
static struct xs_error *find_unsteady(struct ora_proving *proving, const struct ora_replay *first,
	const size_t *whose, size_t count)
{
	struct ora_verdicts *verdicts = &proving->comparing->verdicts;
	size_t judge = ora_verdicts_judge(verdicts), asked = 0;
	struct ora_replay *list = xs_calloc(count + 1, sizeof *list);
	XS_VEC(size_t) which = {0};
	for (size_t i = 0; i < count; i++)
		if (is_other_value(&verdicts->findings.data[whose[i]], judge, &first[i])) {
			list[asked++] = question_of(verdicts, &verdicts->findings.data[whose[i]]);
			xs_vec_push(&which, i);
		}
	struct xs_error *err = ask_list(proving, list, asked);
	for (size_t i = 0; i < asked; i++) {
		struct ora_finding *finding = &verdicts->findings.data[whose[which.data[i]]];
		if (!err && (!list[i].there || !is_same(&list[i].own, &first[which.data[i]].own) ||
				    is_seconded(finding, judge, verdicts->comparison->count)))
			finding->proof.looked = false;
		ora_replay_deinit(&list[i]);
	}
	free(list);
	xs_vec_deinit(&which);
	return err;
}

static struct xs_error *rerun(struct ora_proving *proving)
{
	struct ora_verdicts *verdicts = &proving->comparing->verdicts;
	size_t count = verdicts->findings.len, asked = 0, judge = ora_verdicts_judge(verdicts);
	struct ora_replay *list = xs_calloc(count + 1, sizeof *list);
	XS_VEC(size_t) whose = {0};
	for (size_t i = 0; i < count; i++)
		if (is_worth_it(proving, &verdicts->findings.data[i])) {
			list[asked++] = question_of(verdicts, &verdicts->findings.data[i]);
			xs_vec_push(&whose, i);
		}
	struct xs_error *err = ask_list(proving, list, asked);
	if (!err)
		proving->routes = xs_calloc(count + 1, sizeof *proving->routes);
	for (size_t i = 0; i < asked && !err; i++) {
		proving->routes[whose.data[i]] = list[i].route;
		take(verdicts, &verdicts->findings.data[whose.data[i]], judge, &list[i]);
	}
	if (!err)
		err = find_unsteady(proving, list, whose.data, asked);
	for (size_t i = 0; i < asked; i++)
		ora_replay_deinit(&list[i]);
	free(list);
	xs_vec_deinit(&whose);
	return err;
}

/* --- the debuggers once more ------------------------------------------------------------------ */

/* Finds the debugger of each trace: the one that was heard, by its version. */
static struct xs_error *find_debuggers(struct ora_proving *proving)
{
	const struct ora_comparing *comparing = proving->comparing;
	const struct ora_hearing *hearing = &comparing->hearing;
	struct ora_witnesses named = {0};
	struct xs_error *err = NULL;
	if (proving->argv && hearing->witness)
		err = ora_witnesses_named(hearing->witness, hearing->gdb, hearing->lldb, &named);
	for (size_t w = 0; !err && w < comparing->count; w++) {
		const char *label = comparing->traces[w]->trace.witness;
		const char *version = comparing->traces[w]->trace.version;
		struct ora_witness found = {0};
		for (size_t i = 0; i < named.vec.len && !found.path; i++) {
			struct ora_witness *one = &named.vec.data[i];
			if (one->path && !strcmp(ora_witness_label(one), label) && one->version &&
				!strcmp(one->version, version)) {
				found = *one;
				*one = (struct ora_witness){0};
			}
		}
		if (!found.path && strcmp(label, "xstep") != 0)
			err = ora_witness_named(label,
				ora_witness_path(label, hearing->gdb, hearing->lldb), &found);
		/* Another version is another witness. */
		if (!err && found.path && (!found.version || strcmp(found.version, version))) {
			ora_witness_deinit(&found);
			found = (struct ora_witness){0};
		}
		if (!err)
			xs_vec_push(&proving->witnesses.vec, found);
	}
	ora_witnesses_deinit(&named);
	return err;
}

const struct ora_witness *ora_proving_debugger(const struct ora_proving *proving, size_t w)
{
	const struct ora_witnesses *list = &proving->witnesses;
	return w < list->vec.len && list->vec.data[w].path ? &list->vec.data[w] : NULL;
}

static bool is_known(const struct ora_route *route)
{
	return route->entry != 0;
}

/* The finding that a cluster is asked about: of those with a way the nearest. */
static void choose(const struct ora_proving *proving, size_t number)
{
	struct ora_verdicts *verdicts = &proving->comparing->verdicts;
	struct ora_cluster *cluster = &verdicts->clusters.data[number];
	const struct ora_route *best = &proving->routes[cluster->first];
	for (size_t i = 0; i < verdicts->findings.len; i++) {
		const struct ora_route *route = &proving->routes[i];
		if (verdicts->findings.data[i].cluster == number + 1 && is_known(route) &&
			(!is_known(best) || route->arrivals < best->arrivals)) {
			best = route;
			cluster->first = i;
		}
	}
}

/* Whether an answer is what was expected: of a crash, that it crashed. */
static bool is_answered(const struct ora_reproduction *one)
{
	return one->again ==
	       (one->difference->aspect == ORA_ASPECT_CRASH ? ORA_AGAIN_CRASHED : ORA_AGAIN_SAME);
}

/* A session may fail for reasons of its own, on a busy machine: what it did not say again is asked
 * of another one before anybody calls it an artefact. */
static struct xs_error *ask_once_more(struct ora_reproducing *session)
{
	struct ora_reproducing second = {.run = session->run,
		.debugger = session->debugger,
		.in = session->in,
		.patience = session->patience};
	XS_VEC(size_t) whose = {0};
	for (size_t i = 0; i < session->asked.len; i++) {
		const struct ora_reproduction *one = &session->asked.data[i];
		if (is_answered(one))
			continue;
		struct ora_reproduction again = {.difference = one->difference,
			.w = one->w,
			.route = one->route,
			.by_name = one->by_name};
		xs_vec_push(&second.asked, again);
		xs_vec_push(&whose, i);
	}
	struct xs_error *err = second.asked.len ? ora_reproduce(&second) : NULL;
	for (size_t i = 0; !err && i < whose.len; i++)
		if (is_answered(&second.asked.data[i])) {
			struct ora_reproduction old = session->asked.data[whose.data[i]];
			session->asked.data[whose.data[i]] = second.asked.data[i];
			second.asked.data[i] = old;
		}
	session->interrupted_by = second.interrupted_by;
	xs_vec_deinit(&whose);
	ora_reproducing_deinit(&second);
	return err;
}

/* Asks one debugger about all clusters that it is a part of. */
static struct xs_error *ask(struct ora_proving *proving, size_t w, struct ora_reproducing *session)
{
	struct ora_verdicts *verdicts = &proving->comparing->verdicts;
	XS_VEC(size_t) whose = {0};
	struct xs_error *err = NULL;
	bool reads = ora_witness_is_symboliser(ora_proving_debugger(proving, w)->kind);
	*session = (struct ora_reproducing){.run = &proving->run,
		.debugger = ora_proving_debugger(proving, w),
		.in = proving->program->in,
		.patience = proving->comparing->hearing.patience};
	for (size_t i = 0; i < verdicts->clusters.len; i++) {
		size_t first = verdicts->clusters.data[i].first;
		struct ora_finding *finding = &verdicts->findings.data[first];
		if (!(finding->differs >> w & 1) || (!is_known(&proving->routes[first]) && !reads))
			continue;
		struct ora_reproduction one = {.difference = finding->difference,
			.w = w,
			.route = &proving->routes[first],
			.by_name = ora_witness_is_by_name(verdicts->witnesses[w])};
		xs_vec_push(&session->asked, one);
		xs_vec_push(&whose, first);
	}
	if (reads)
		ora_resymbolise(session);
	else if (session->asked.len)
		err = ora_reproduce(session);
	if (!err && !reads && !session->interrupted_by)
		err = ask_once_more(session);
	for (size_t i = 0; !err && i < whose.len; i++) {
		const struct ora_reproduction *one = &session->asked.data[i];
		struct ora_proof *proof = &verdicts->findings.data[whose.data[i]].proof;
		proof->asked |= (unsigned)(one->again != ORA_AGAIN_NOT_ASKED) << w;
		proof->again |= (unsigned)is_answered(one) << w;
		free(proof->words[w]);
		proof->words[w] = one->words ? xs_strdup(one->words) : NULL;
	}
	xs_vec_deinit(&whose);
	proving->signal = session->interrupted_by;
	return err;
}

static struct xs_error *ask_all(struct ora_proving *proving)
{
	struct ora_verdicts *verdicts = &proving->comparing->verdicts;
	struct xs_error *err = NULL;
	for (size_t i = 0; i < verdicts->clusters.len; i++)
		choose(proving, i);
	for (size_t w = 0; !err && !proving->signal && w < proving->comparing->count; w++) {
		struct ora_reproducing *session = xs_calloc(1, sizeof *session);
		xs_vec_push(&proving->sessions, session);
		if (!ora_proving_debugger(proving, w))
			continue;
		XS_AUTO_FREE char *phase = xs_asprintf("asking %s again", verdicts->witnesses[w]);
		if (!ora_comparing_phase(proving->comparing, phase, 0, verdicts->clusters.len))
			break;
		err = ask(proving, w, session);
	}
	return err;
}

/* --- both ------------------------------------------------------------------------------------- */

/* Why nothing can be looked at again; NULL: it can. */
static char *find_silence(const struct ora_comparing *comparing)
{
	const struct ora_verdicts *verdicts = &comparing->verdicts;
	struct xs_error *err = ora_comparing_leads(comparing);
	char *ret = NULL;
	if (verdicts->changed)
		ret = xs_asprintf("%s is not the file that was traced, or is not there any more",
			verdicts->subject);
	else if (err)
		ret = xs_strdup(err->message);
	xs_error_destroy(err);
	return ret;
}

static struct xs_error *prove(struct ora_proving *proving)
{
	struct ora_verdicts *verdicts = &proving->comparing->verdicts;
	struct ora_program *program = proving->program;
	struct xs_error *err = NULL;
	const char *out = program->out;
	double start = now();
	program->out = "/dev/null";
	if (!proving->argv)
		err = ora_stored_words(proving->comparing->traces[0], &proving->words);
	if (!ora_comparing_phase(proving->comparing, "looking again", 0, verdicts->findings.len))
		return xs_error_create("interrupted");
	if (!err)
		err = proving->argv ? ora_program_prepare(program, proving->argv, &proving->run)
				    : ora_stored_prepare(program, proving->comparing->traces[0],
					      proving->words, &proving->run);
	if (!err)
		err = rerun(proving);
	program->out = out;
	proving->seconds[0] = now() - start;
	if (err)
		return err;
	ora_judge_again(verdicts);
	start = now();
	if (!(err = find_debuggers(proving)) && !proving->no_reproduce)
		err = ask_all(proving);
	proving->seconds[1] = now() - start;
	return err;
}

struct xs_error *ora_prove(struct ora_proving *proving)
{
	struct ora_verdicts *verdicts = &proving->comparing->verdicts;
	if (!verdicts->findings.len)
		return NULL;
	if (!(proving->silence = find_silence(proving->comparing))) {
		struct xs_error *err = prove(proving);
		if (err) {
			proving->silence = xs_strdup(err->message);
			xs_error_destroy(err);
		}
	}
	verdicts->trusting = proving->no_reproduce;
	ora_judge_conclude(verdicts);
	return NULL;
}

const struct ora_reproduction *ora_proving_asked(
	const struct ora_proving *proving, size_t finding, size_t w)
{
	const struct ora_difference *one =
		proving->comparing->verdicts.findings.data[finding].difference;
	const struct ora_reproducing *session =
		w < proving->sessions.len ? proving->sessions.data[w] : NULL;
	for (size_t i = 0; session && i < session->asked.len; i++)
		if (session->asked.data[i].difference == one)
			return &session->asked.data[i];
	return NULL;
}

void ora_proving_deinit(struct ora_proving *proving)
{
	for (size_t i = 0; i < proving->sessions.len; i++) {
		ora_reproducing_deinit(proving->sessions.data[i]);
		free(proving->sessions.data[i]);
	}
	xs_vec_deinit(&proving->sessions);
	ora_witnesses_deinit(&proving->witnesses);
	ora_run_deinit(&proving->run);
	if (proving->program)
		ora_program_release(proving->program);
	free(proving->routes);
	free(proving->silence);
	ora_stored_words_free(proving->words);
}
