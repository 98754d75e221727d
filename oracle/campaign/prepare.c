#include "oracle/campaign/prepare.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/private.h"
#include "oracle/campaign/dejagnu.h"
#include "oracle/campaign/own_cpp.h"
#include "oracle/session/json_text.h"
#include "oracle/store/identity.h"

enum {
	SLOWER = 10, /* times that a program with sanitizers may take longer */
	STEP_SECONDS = 60,
	PRINT_MOST = 1 << 20, /* bytes that a program prints */
};

struct preparing {
	const struct ora_plan *plan;
	const struct ora_origin *origin;
	const char *base, *scratch;
	struct ora_campaign_program *program;
	char *programs, *source; /* the folder of sources; the file's name in it */
	char *first;             /* a copy of the first build, to be run */
};

/* What somebody said, without what another program or another campaign would not have in it. Takes
 * the text. */
static char *without_paths(const struct preparing *job, char *text)
{
	const char *id = job->program->id;
	text = ora_words_replace(text, job->scratch, "");
	text = ora_words_replace(text, job->plan->folder, "");
	return ora_words_replace(text, id ? id : "", "PROGRAM");
}

/* The program is left out; detail is taken. */
static void leave_out(struct preparing *job, const char *reason, char *detail)
{
	if (job->program->reason) {
		free(detail);
		return;
	}
	job->program->reason = xs_strdup(reason);
	job->program->detail = detail;
}

struct xs_error *ora_prepare_full(const char *folder, const char *scratch)
{
	return xs_error_create("no space left in %s or %s: make room, and go on", folder, scratch);
}

struct ora_box ora_prepare_box(
	const struct ora_plan *plan, const char *folder, const char *scratch, double seconds)
{
	return (struct ora_box){.folder = folder,
		.scratch = scratch,
		.seconds = seconds,
		.memory = ora_setting_number(&plan->settings, ORA_SET_MEMORY) << 20,
		.output = ora_setting_number(&plan->settings, ORA_SET_OUTPUT) << 20};
}

static double compile_seconds(const struct ora_plan *plan)
{
	return (double)ora_setting_number(&plan->settings, ORA_SET_COMPILE_SECONDS);
}

struct xs_error *ora_copy_file(const char *from, const char *to)
{
	struct stat about;
	XS_AUTO_CLOSE int in = open(from, O_RDONLY | O_CLOEXEC);
	if (in < 0 || fstat(in, &about))
		return xs_error_sys("%s", from);
	XS_AUTO_CLOSE int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, about.st_mode);
	if (out < 0)
		return xs_error_sys("%s", to);
	for (off_t left = about.st_size; left > 0;) {
		ssize_t put = sendfile(out, in, NULL, (size_t)left);
		if (put <= 0)
			return xs_error_sys("%s", to);
		left -= put;
	}
	return NULL;
}

/* --- its text --------------------------------------------------------------------------------- */

/* What a command printed is the text, to be written to a file. */
static struct xs_error *keep_text(const char *path, const char *text, size_t size)
{
	XS_AUTO_FILE FILE *file = xs_private_open(path, false);
	if (!file || fwrite(text, 1, size, file) != size || fflush(file))
		return xs_error_sys("%s", path);
	return NULL;
}

static struct xs_error *generate(struct preparing *job, const char *path)
{
	struct ora_command line = {0};
	struct ora_boxed boxed;
	struct ora_box box =
		ora_prepare_box(job->plan, job->scratch, job->scratch, compile_seconds(job->plan));
	struct xs_error *err = NULL;
	if (job->plan->own) {
		XS_AUTO_FREE char *text = ora_own_cpp(job->origin->seed);
		return keep_text(path, text, strlen(text));
	}
	ora_plan_generator(job->plan, job->origin->seed, &line);
	ora_box_run(&box, ora_command_words(&line), &boxed);
	if (ora_boxed_is_full(&boxed))
		err = ora_prepare_full(job->plan->folder, job->scratch);
	else if (boxed.end != ORA_BOX_EXITED || boxed.status)
		leave_out(job, "the generator failed", ora_boxed_words(&boxed));
	else if (!boxed.out_size)
		leave_out(job, "the generator printed nothing", ora_boxed_words(&boxed));
	else
		err = keep_text(path, boxed.out, boxed.out_size);
	ora_boxed_deinit(&boxed);
	ora_command_deinit(&line);
	return err;
}

/* The text of a source, to be freed; NULL: it is too large anyway. */
static struct xs_error *read_source(const struct preparing *job, const char *path, char **ret)
{
	uint64_t most = ora_setting_number(&job->plan->settings, ORA_SET_MAX_SOURCE);
	struct stat about;
	XS_AUTO_FILE FILE *file = fopen(path, "re");
	*ret = NULL;
	if (!file || fstat(fileno(file), &about))
		return xs_error_sys("%s", path);
	if ((uint64_t)about.st_size > most)
		return NULL;
	*ret = xs_calloc((size_t)about.st_size + 1, 1);
	if (fread(*ret, 1, (size_t)about.st_size, file) == (size_t)about.st_size)
		return NULL;
	free(*ret);
	*ret = NULL;
	return xs_error_sys("%s", path);
}

/* Whether a text includes a file that is in the folder where it comes from. */
static bool includes_neighbour(const char *text, const char *folder)
{
	for (const char *at = text; (at = strstr(at, "include"));) {
		const char *hash = at;
		while (hash > text && (hash[-1] == ' ' || hash[-1] == '\t'))
			hash--;
		at += strlen("include");
		const char *name = at + strspn(at, " \t");
		if (hash == text || hash[-1] != '#' || *name != '"')
			continue;
		XS_AUTO_FREE char *path =
			xs_asprintf("%s/%.*s", folder, (int)strcspn(name + 1, "\"\n"), name + 1);
		if (!access(path, R_OK))
			return true;
	}
	return false;
}

/* What a source of a folder says of itself: options for its builds, or why it is left out. What it
 * includes is found where it comes from. from: where its text is. */
static struct xs_error *read_test(struct preparing *job, const char *from)
{
	const struct ora_plan *plan = job->plan;
	XS_AUTO_FREE char *path =
		xs_asprintf("%s/%s", plan->settings.value[ORA_SET_SOURCES], job->origin->source);
	XS_AUTO_FREE char *folder = xs_asprintf("%.*s", (int)(strrchr(path, '/') - path), path);
	XS_AUTO_FREE char *text = NULL;
	struct ora_command builds = {0};
	struct ora_dejagnu test;
	struct xs_error *err = read_source(job, from, &text);
	if (err || !text)
		return err;
	XS_AUTO_FREE char *flags = NULL;
	for (size_t i = 0; i < plan->flags.vec.len; i++) {
		char *more = xs_asprintf("%s %s", flags ? flags : "", plan->flags.vec.data[i]);
		free(flags);
		flags = more;
	}
	for (size_t i = 0; i < plan->levels.vec.len; i++)
		ora_command_take(
			&builds, xs_asprintf("%s%s", plan->levels.vec.data[i], flags ? flags : ""));
	ora_dejagnu_read(text, path, ora_command_words(&builds), &test);
	bool near = includes_neighbour(text, folder);
	free(job->program->flags);
	job->program->flags = xs_asprintf("%s%s%s%s", test.flags, near && *test.flags ? " " : "",
		near ? "-iquote" : "", near ? folder : "");
	if (test.reason)
		leave_out(job, test.reason, xs_strdup(test.detail));
	else if (near && strpbrk(folder, " \t\n"))
		leave_out(job, "it includes files of a folder with a blank in its name", NULL);
	ora_dejagnu_deinit(&test);
	ora_command_deinit(&builds);
	return NULL;
}

/* Whether xstep mutate says that it has planted none. */
static bool has_no_probes(const struct ora_boxed *boxed)
{
	json_t *told = json_loadb(boxed->out, boxed->out_size, 0, NULL);
	const json_t *probes = json_object_get(json_object_get(told, "applied"), "probes");
	bool none = json_is_integer(probes) && !json_integer_value(probes);
	json_decref(told);
	return none;
}

/* xstep mutate makes NAME.SEED.c of NAME.c. */
static struct xs_error *mutate(struct preparing *job, const char *path)
{
	XS_AUTO_FREE char *base =
		ora_source_path(job->plan->folder, job->base, job->plan->language);
	XS_AUTO_FREE char *seed = xs_asprintf("%" PRIu64, job->origin->mutant);
	XS_AUTO_FREE char *folder = xs_asprintf("%s/mutants", job->scratch);
	XS_AUTO_FREE char *made = xs_asprintf("%s/%s.%s.c", folder, job->base, seed);
	struct ora_command line = {0};
	struct ora_boxed boxed;
	ora_command_add(&line, job->plan->xstep, "mutate", "--json", "--seed", seed, "-o", folder,
		job->origin->probed ? "--probes" : NULL, NULL);
	for (size_t i = 0; i < job->plan->flags.vec.len; i++)
		if (ora_flag_is_for_parser(job->plan->flags.vec.data[i]))
			ora_command_add(&line, "--flag", job->plan->flags.vec.data[i], NULL);
	ora_flags_for_parser(&line, job->program->flags);
	ora_command_add(&line, base, NULL);
	struct ora_box box =
		ora_prepare_box(job->plan, job->scratch, job->scratch, compile_seconds(job->plan));
	ora_box_run(&box, ora_command_words(&line), &boxed);
	bool good = boxed.end == ORA_BOX_EXITED && !boxed.status;
	if (!good)
		leave_out(job, "it could not be mutated", ora_boxed_words(&boxed));
	else if (job->origin->probed && has_no_probes(&boxed))
		leave_out(job, "no probe can be planted in it", NULL);
	ora_boxed_deinit(&boxed);
	ora_command_deinit(&line);
	return good && !job->program->reason ? ora_copy_file(made, path) : NULL;
}

/* Its text, in a file of the scratch folder; none if it is left out. */
static struct xs_error *make(struct preparing *job, const char *path)
{
	struct stat about;
	struct xs_error *err;
	if (job->origin->mutant) {
		XS_AUTO_FREE char *base =
			ora_source_path(job->plan->folder, job->base, job->plan->language);
		err = job->origin->source ? read_test(job, base) : NULL;
		if (!err)
			err = mutate(job, path);
	} else if (job->origin->source) {
		XS_AUTO_FREE char *from = xs_asprintf(
			"%s/%s", job->plan->settings.value[ORA_SET_SOURCES], job->origin->source);
		if (!(err = ora_copy_file(from, path)))
			err = read_test(job, path);
	} else {
		err = generate(job, path);
	}
	if (err || job->program->reason)
		return err;
	if (stat(path, &about))
		return xs_error_sys("%s", path);
	job->program->size = (uint64_t)about.st_size;
	if (job->program->size > ora_setting_number(&job->plan->settings, ORA_SET_MAX_SOURCE))
		leave_out(job, "its source is too large",
			xs_asprintf("%" PRIu64 " bytes", job->program->size));
	return ora_hash_file(path, &job->program->hash);
}

/* It is what it is by where it comes from and its text; the file is called like that. */
static struct xs_error *name(struct preparing *job, const char *path)
{
	struct ora_campaign_program *program = job->program;
	char id[ORA_CAMPAIGN_ID];
	ora_campaign_id(id, program->origin, program->hash ? program->hash : "", NULL);
	program->id = xs_strdup(id);
	job->source = xs_asprintf("%s%s", id, job->plan->language->ending);
	if (program->reason)
		return NULL;
	XS_AUTO_FREE char *to = ora_source_path(job->plan->folder, id, job->plan->language);
	XS_AUTO_FREE char *part = xs_asprintf("%s.part", to);
	struct xs_error *err = ora_copy_file(path, part);
	return !err && rename(part, to) ? xs_error_sys("%s", to) : err;
}

/* --- builds ----------------------------------------------------------------------------------- */

enum ora_compile_end ora_prepare_judge(const struct ora_boxed *boxed)
{
	switch (boxed->end) {
	case ORA_BOX_EXITED:
		return ora_compile_judge(W_EXITCODE(boxed->status, 0), boxed->said);
	case ORA_BOX_KILLED:
		return ora_compile_judge(W_EXITCODE(0, boxed->status), boxed->said);
	case ORA_BOX_HUNG:
		return ORA_HUNG;
	case ORA_BOX_MEMORY:
	case ORA_BOX_OUTPUT:
	case ORA_BOX_NOT_RUN:
		break;
	}
	return ORA_STOPPED; /* by our own limits */
}

enum ora_compile_end ora_prepare_compile(const struct ora_plan *plan, const char *folder,
	const char *scratch, struct ora_command *line, struct ora_boxed *boxed)
{
	struct ora_box box = ora_prepare_box(plan, folder, scratch, compile_seconds(plan));
	ora_box_run(&box, ora_command_words(line), boxed);
	return ora_prepare_judge(boxed);
}

/* What a compiler complained of, without the file and the line that it begins with: the same
 * mistake in two programs is to read the same. */
static char *bare_complaint(const char *complaint)
{
	const char *at = strstr(complaint, "internal compiler error");
	at = at ? at : strstr(complaint, "fatal error");
	at = at ? at : strstr(complaint, "error:");
	return xs_strdup(at ? at : complaint);
}

/* A compiler that crashes or hangs is a finding, of an oracle that nobody has to ask. That it hangs
 * is told by the clock, which proves nothing. */
static void blame(struct preparing *job, const struct ora_campaign_build *build)
{
	XS_AUTO_FREE char *bare = bare_complaint(build->detail);
	bool crash = !strcmp(build->outcome, "crashed");
	struct ora_campaign_finding finding = {
		.signature = xs_asprintf("%s %s%s%s", crash ? "crash" : "hang", build->compiler,
			crash ? ": " : "", crash ? bare : ""),
		.basis = xs_strdup(crash ? "evidence" : "suspected"),
		.wrong = xs_strdup(crash ? "producer" : "")};
	char id[ORA_CAMPAIGN_ID];
	ora_campaign_id(id, job->program->id, build->compiler, build->level, build->outcome, NULL);
	finding.id = xs_strdup(id);
	json_t *report = json_pack("{s:s, s:s, s:s}", "compiler", build->compiler, "level",
		build->level, "outcome", build->outcome);
	json_object_set_new(report, "said", ora_json_text(build->detail));
	finding.report = json_dumps(report, JSON_COMPACT | JSON_ENSURE_ASCII);
	json_decref(report);
	struct ora_campaign_job done = {.program = xs_strdup(job->program->id),
		.oracle = xs_strdup("build"),
		.compiler = xs_strdup(build->compiler),
		.level = xs_strdup(build->level),
		.outcome = xs_strdup("found"),
		.seconds = build->seconds};
	xs_vec_push(&done.findings, finding);
	xs_vec_push(&job->program->jobs, done);
}

static struct xs_error *build_cell(
	struct preparing *job, const struct ora_compiler *compiler, const char *level)
{
	static const char *const outcomes[] = {[ORA_COMPILED] = "built",
		[ORA_REFUSED] = "refused",
		[ORA_CRASHED] = "crashed",
		[ORA_HUNG] = "hung",
		[ORA_STOPPED] = NULL}; /* nothing is known of it */
	static const char *const reasons[] = {[ORA_REFUSED] = "a compiler refuses it",
		[ORA_CRASHED] = "a compiler crashes",
		[ORA_HUNG] = "a compiler hangs",
		[ORA_STOPPED] = "a compiler was stopped"};
	XS_AUTO_FREE char *name = ora_build_name(job->program->id, compiler->name, level);
	XS_AUTO_FREE char *path = ora_build_path(job->plan->folder, job->program->id, name);
	struct ora_command line = {0};
	struct ora_boxed boxed;
	struct stat about;
	struct xs_error *err = NULL;
	ora_command_add(&line, compiler->path, NULL);
	ora_plan_compile(job->plan, level, job->program->flags, job->source, path, &line);
	enum ora_compile_end end =
		ora_prepare_compile(job->plan, job->programs, job->scratch, &line, &boxed);
	if (end == ORA_COMPILED && stat(path, &about))
		end = ORA_REFUSED;
	struct ora_campaign_build build = {.compiler = xs_strdup(compiler->name),
		.level = xs_strdup(level),
		.outcome = outcomes[end] ? xs_strdup(outcomes[end]) : NULL,
		.seconds = boxed.seconds};
	if (ora_boxed_is_full(&boxed))
		err = ora_prepare_full(job->plan->folder, job->scratch);
	else if (boxed.end == ORA_BOX_NOT_RUN && access(compiler->path, X_OK))
		err = xs_error_sys("%s", compiler->path);
	if (end != ORA_COMPILED) {
		const struct ora_compilation said = {.said = boxed.said};
		bool silent = end == ORA_REFUSED && boxed.end == ORA_BOX_EXITED && !boxed.status;
		char *complaint = ora_compilation_complaint(&said);
		bool ended = boxed.end != ORA_BOX_EXITED && !*complaint;
		build.detail = end == ORA_HUNG      ? xs_strdup("it took too long")
			       : end == ORA_STOPPED ? without_paths(job, ora_boxed_words(&boxed))
			       : silent ? xs_strdup("it says that it built it, and it did not")
			       : ended  ? ora_boxed_words(&boxed)
					: without_paths(job, xs_take(&complaint));
		free(complaint);
		leave_out(job, reasons[end],
			xs_asprintf("%s %s: %s", compiler->name, level, build.detail));
	} else {
		build.size = (uint64_t)about.st_size;
		err = ora_hash_file(path, &build.hash);
	}
	if (build.outcome) {
		xs_vec_push(&job->program->builds, build);
	} else {
		free(build.compiler);
		free(build.level);
		free(build.detail);
	}
	if (end == ORA_CRASHED || end == ORA_HUNG)
		blame(job, &build);
	ora_boxed_deinit(&boxed);
	ora_command_deinit(&line);
	return err;
}

static bool was_refused(const struct ora_campaign_program *program)
{
	for (size_t i = 0; i < program->builds.len; i++)
		if (!strcmp(program->builds.data[i].outcome, "refused"))
			return true;
	return false;
}

/* Each cell once. What one compiler refuses the others need not see. */
static struct xs_error *build_all(struct preparing *job)
{
	const struct ora_plan *plan = job->plan;
	XS_AUTO_FREE char *folder = ora_build_path(plan->folder, job->program->id, NULL);
	struct xs_error *err = NULL;
	if (xs_private_folder(folder) && errno != EEXIST)
		return xs_error_sys("%s", folder);
	for (size_t c = 0; !err && c < plan->compilers.len; c++)
		for (size_t l = 0; !err && l < plan->levels.vec.len; l++)
			if (!was_refused(job->program))
				err = build_cell(
					job, &plan->compilers.data[c], plan->levels.vec.data[l]);
	return err;
}

/* --- runs ------------------------------------------------------------------------------------- */

/* Why a run says that the program is not fit; NULL: it is. */
static const char *unfit(const struct ora_boxed *boxed)
{
	static const char *const reasons[] = {[ORA_BOX_EXITED] = NULL,
		[ORA_BOX_KILLED] = "it dies of a signal",
		[ORA_BOX_HUNG] = "it does not end in time",
		[ORA_BOX_MEMORY] = "it takes too much memory",
		[ORA_BOX_OUTPUT] = "it prints too much",
		[ORA_BOX_NOT_RUN] = "it cannot be run"};
	return reasons[boxed->end];
}

static double run_seconds(const struct ora_plan *plan)
{
	return (double)ora_setting_number(&plan->settings, ORA_SET_RUN_SECONDS);
}

static bool printed_alike(const struct ora_boxed *one, const struct ora_boxed *other)
{
	return one->status == other->status && one->out_size == other->out_size &&
	       !memcmp(one->out, other->out, one->out_size);
}

static bool ran_alike(const struct ora_boxed *one, const struct ora_boxed *other)
{
	return printed_alike(one, other) && !strcmp(one->said, other->said);
}

static void run_twice(struct preparing *job)
{
	const char *const argv[] = {job->first, NULL};
	struct ora_box box =
		ora_prepare_box(job->plan, job->scratch, job->scratch, run_seconds(job->plan));
	struct ora_boxed runs[2];
	box.bare = true;
	box.output = PRINT_MOST;
	for (unsigned i = 0; i < 2; i++) {
		ora_box_run(&box, argv, &runs[i]);
		if (unfit(&runs[i]))
			leave_out(job, unfit(&runs[i]), ora_boxed_words(&runs[i]));
	}
	if (!ran_alike(&runs[0], &runs[1]))
		leave_out(job, "two runs of it differ", NULL);
	ora_boxed_deinit(&runs[0]);
	ora_boxed_deinit(&runs[1]);
}

/* Builds that do different things tell of undefined behaviour that no sanitizer sees, or of checks
 * that only one level has: what one build does then proves nothing about another. Standard error is
 * not compared: it may name addresses. */
static struct xs_error *run_builds(struct preparing *job)
{
	const struct ora_campaign_program *program = job->program;
	struct ora_box box =
		ora_prepare_box(job->plan, job->scratch, job->scratch, run_seconds(job->plan));
	XS_AUTO_FREE char *copy = xs_asprintf("%s/other", job->scratch);
	const char *const first_words[] = {job->first, NULL}, *const words[] = {copy, NULL};
	struct ora_boxed first, other;
	struct xs_error *err = NULL;
	box.bare = true;
	box.output = PRINT_MOST;
	ora_box_run(&box, first_words, &first);
	for (size_t i = 1; i < program->builds.len && !program->reason; i++) {
		const struct ora_campaign_build *build = &program->builds.data[i];
		XS_AUTO_FREE char *name =
			ora_build_name(program->id, build->compiler, build->level);
		XS_AUTO_FREE char *path = ora_build_path(job->plan->folder, program->id, name);
		if ((err = ora_copy_file(path, copy)))
			break;
		ora_box_run(&box, words, &other);
		if (unfit(&other))
			leave_out(job, unfit(&other),
				xs_asprintf("%s %s", build->compiler, build->level));
		else if (!printed_alike(&first, &other))
			leave_out(job, "its builds do different things",
				xs_asprintf("%s %s", build->compiler, build->level));
		ora_boxed_deinit(&other);
	}
	ora_boxed_deinit(&first);
	return err;
}

static struct xs_error *run_sanitized(struct preparing *job, const struct ora_compiler *compiler)
{
	static const char *const words[] = {
		"runtime error:", "ERROR: AddressSanitizer", "ERROR: LeakSanitizer", NULL};
	XS_AUTO_FREE char *path = xs_asprintf("%s/sanitized", job->scratch);
	const char *const argv[] = {path, NULL};
	struct ora_command line = {0};
	struct ora_boxed boxed;
	ora_command_add(&line, compiler->path, ORA_SANITIZE, NULL);
	ora_plan_compile(job->plan, "-O1", job->program->flags, job->source, path, &line);
	enum ora_compile_end end =
		ora_prepare_compile(job->plan, job->programs, job->scratch, &line, &boxed);
	ora_command_deinit(&line);
	if (end != ORA_COMPILED) {
		struct xs_error *err = ora_boxed_is_full(&boxed)
					       ? ora_prepare_full(job->plan->folder, job->scratch)
					       : NULL;
		leave_out(job, "it does not compile with sanitizers", ora_boxed_words(&boxed));
		ora_boxed_deinit(&boxed);
		return err;
	}
	ora_boxed_deinit(&boxed);
	struct ora_box box = ora_prepare_box(
		job->plan, job->scratch, job->scratch, SLOWER * run_seconds(job->plan));
	ora_box_run(&box, argv, &boxed);
	for (size_t i = 0; words[i]; i++) {
		const char *found = strstr(boxed.said, words[i]);
		if (found)
			leave_out(job, "its behaviour is undefined",
				xs_asprintf("%.*s", (int)strcspn(found, "\n"), found));
	}
	if (unfit(&boxed))
		leave_out(job, "it does not run with sanitizers", ora_boxed_words(&boxed));
	ora_boxed_deinit(&boxed);
	return NULL;
}

/* How many instructions of its own it executes: xstep counts. */
static void count_steps(struct preparing *job)
{
	uint64_t most = ora_setting_number(&job->plan->settings, ORA_SET_MAX_STEPS);
	XS_AUTO_FREE char *stats = xs_asprintf("%s/steps.json", job->scratch);
	XS_AUTO_FREE char *where = xs_asprintf("--stats=%s", stats);
	XS_AUTO_FREE char *limit = xs_asprintf("%" PRIu64, most + 1);
	const char *const argv[] = {job->plan->xstep, "trace", "--format", "none", "--sample",
		"none", "--vars", "none", "--limit", limit, "--quiet", where, job->first, NULL};
	struct ora_box box = ora_prepare_box(job->plan, job->scratch, job->scratch, STEP_SECONDS);
	struct ora_boxed boxed;
	ora_box_run(&box, argv, &boxed);
	json_t *told = json_load_file(stats, 0, NULL);
	const json_t *steps = json_object_get(told, "instructions");
	if (boxed.end != ORA_BOX_EXITED || !json_is_integer(steps))
		leave_out(job, "xstep does not count its instructions", ora_boxed_words(&boxed));
	job->program->steps = (uint64_t)json_integer_value(steps);
	if (job->program->steps > most)
		leave_out(job, "it executes too many instructions", NULL);
	json_decref(told);
	ora_boxed_deinit(&boxed);
}

/* A copy, so that its path has the same length in every campaign: it is on the stack. */
static struct xs_error *copy_first(struct preparing *job)
{
	const struct ora_campaign_build *build = &job->program->builds.data[0];
	XS_AUTO_FREE char *name = ora_build_name(job->program->id, build->compiler, build->level);
	XS_AUTO_FREE char *path = ora_build_path(job->plan->folder, job->program->id, name);
	job->first = xs_asprintf("%s/%s", job->scratch, name);
	return ora_copy_file(path, job->first);
}

/* --- all of it -------------------------------------------------------------------------------- */

static struct xs_error *try(struct preparing *job)
{
	XS_AUTO_FREE char *path =
		xs_asprintf("%s/made%s", job->scratch, job->plan->language->ending);
	struct xs_error *err;
	if ((err = make(job, path)) || (err = name(job, path)) || job->program->reason ||
		(err = build_all(job)) || job->program->reason || (err = copy_first(job)))
		return err;
	run_twice(job);
	if (!job->program->reason && job->plan->sanitizer)
		err = run_sanitized(job, job->plan->sanitizer);
	if (!err && !job->program->reason)
		err = run_builds(job);
	if (!err && !job->program->reason)
		count_steps(job);
	return err;
}

struct xs_error *ora_prepare(const struct ora_plan *plan, const struct ora_origin *origin,
	const char *base, const char *scratch, struct ora_campaign_program *ret)
{
	struct preparing job = {.plan = plan,
		.origin = origin,
		.base = base,
		.scratch = scratch,
		.program = ret,
		.programs = xs_asprintf("%s/programs", plan->folder)};
	double began = xs_now();
	*ret = (struct ora_campaign_program){.origin = ora_origin_text(origin),
		.rank = ora_origin_rank(origin),
		.flags = xs_strdup("")};
	struct xs_error *err = try(&job);
	if (!err && !ret->reason)
		ora_plan_jobs(plan, origin->probed, ret);
	ret->detail = without_paths(&job, ret->detail);
	ret->seconds = xs_now() - began;
	free(job.programs);
	free(job.source);
	free(job.first);
	return err;
}
