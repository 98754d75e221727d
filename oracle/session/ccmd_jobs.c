/* ccmd_jobs.c - runs cases in parallel, keeps their results, goes on where an earlier run ended.
 *
 * A case is a process (ora_ccmd_check); its answer comes through a pipe, one line. With an output
 * folder each line is appended to cases.jsonl as it comes, so that nothing is lost whenever it
 * ends. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/map.h"
#include "base/path.h"
#include "base/private.h"
#include "base/scratch.h"
#include "oracle/session/ccmd.h"
#include "oracle/session/json_text.h"
#include "oracle/session/mutants.h"

struct job {
	pid_t pid;
	int answer;        /* what it says, to be read */
	size_t number;     /* of the case, or of the unit if `making` */
	bool making;       /* a mutant */
	XS_VEC(char) said; /* so far */
};

struct runner {
	struct ora_ccmd *ccmd;
	XS_VEC(struct job) jobs;
	size_t next; /* the first case that may not have been started */
	size_t done, findings;
	int kept; /* cases.jsonl; -1: none */
};

static volatile sig_atomic_t came;

static void on_signal(int signal)
{
	came = signal;
}

/* --- files ----------------------------------------------------------------------------------- */

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
	(void)status;
	(void)kind;
	(void)walk;
	return remove(path);
}

static void remove_folder(const char *folder)
{
	/* A compiler that was just killed may still be at its last system call. */
	for (unsigned i = 0; i < 50 && nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS); i++)
		usleep(10000);
}

static struct xs_error *make_folder(const char *path)
{
	return xs_private_folder(path) && errno != EEXIST ? xs_error_sys("%s", path) : NULL;
}

/* The hash of a file's bytes; 0 if it cannot be read. */
static uint64_t hash_file(const char *path)
{
	XS_AUTO_FILE FILE *file = fopen(path, "re");
	uint64_t hash = 0xcbf29ce484222325;
	int c;
	while (file && (c = getc_unlocked(file)) != EOF)
		hash = (hash ^ (uint64_t)c) * 0x100000001b3;
	return file && !ferror(file) ? xs_mix(hash) : 0;
}

/* --- which cases there are ------------------------------------------------------------------- */

/* What a mutant is made of, besides its seed. */
static uint64_t mutation_key(const struct ora_ccmd *ccmd, uint64_t content)
{
	for (size_t i = 0; i < SRC_MUTATORS; i++)
		content = xs_mix(content + (uint64_t)(ccmd->how.chance[i] * 1e6));
	return content;
}

/* All that decides about the result: another compiler, another source is another case. */
static void set_id(const struct ora_ccmd *ccmd, struct ora_ccmd_case *one, uint64_t content)
{
	const struct ora_ccmd_unit *unit = &ccmd->units.data[one->unit];
	uint64_t hash[2] = {content, ~content};
	for (unsigned i = 0; i < 2; i++) {
		hash[i] = xs_hash_text(hash[i], XSTEP_VERSION);
		hash[i] = xs_hash_text(hash[i] + unit->mutant, unit->source);
		hash[i] = xs_hash_text(hash[i], one->compiler->path);
		hash[i] = xs_hash_text(hash[i], one->compiler->version);
		hash[i] = xs_hash_text(hash[i], one->level);
		for (size_t k = 0; k < ccmd->extra.vec.len; k++)
			hash[i] = xs_hash_text(hash[i], ccmd->extra.vec.data[k]);
		for (size_t k = 0; k < ccmd->gs.vec.len; k++)
			hash[i] = xs_hash_text(hash[i], ccmd->gs.vec.data[k]);
		hash[i] = xs_mix(hash[i] + ccmd->no_compare_debug);
	}
	snprintf(one->id, sizeof one->id, "%016" PRIx64 "%016" PRIx64, hash[0], hash[1]);
}

static void add_cases(struct ora_ccmd *ccmd, size_t unit, uint64_t content)
{
	for (size_t c = 0; c < ccmd->compilers.len; c++)
		for (size_t l = 0; l < ccmd->levels.vec.len; l++) {
			struct ora_ccmd_case one = {.unit = unit,
				.compiler = &ccmd->compilers.data[c],
				.level = ccmd->levels.vec.data[l]};
			set_id(ccmd, &one, content);
			xs_vec_push(&ccmd->cases, one);
		}
}

/* The mutants of a source, to be made when their turn comes: unless an earlier run has made them.
 */
static void add_mutants(struct ora_ccmd *ccmd, const char *source, uint64_t content)
{
	const char *name = xs_base_name(source);
	size_t stem =
		strlen(name) - (strlen(name) > 2 && !strcmp(name + strlen(name) - 2, ".c") ? 2 : 0);
	content = mutation_key(ccmd, content);
	for (uint64_t n = 0; n < ccmd->mutants; n++) {
		struct ora_ccmd_unit unit = {.source = source, .mutant = ccmd->how.seed + n};
		unit.path = xs_asprintf("%s/mutants/%.*s.%" PRIu64 "-%08" PRIx64 ".c",
			ccmd->output ? ccmd->output : ccmd->scratch, (int)stem, name, unit.mutant,
			xs_hash_text(content, source) >> 32);
		unit.pending = access(unit.path, R_OK) != 0;
		xs_vec_push(&ccmd->units, unit);
		add_cases(ccmd, ccmd->units.len - 1, content);
	}
}

static struct xs_error *add_units(struct ora_ccmd *ccmd)
{
	for (size_t i = 0; i < ccmd->sources.len; i++) {
		const char *source = ccmd->sources.data[i];
		uint64_t content = hash_file(source);
		if (!content)
			return xs_error_sys("%s", source);
		struct ora_ccmd_unit own = {.source = source, .path = xs_strdup(source)};
		xs_vec_push(&ccmd->units, own);
		add_cases(ccmd, ccmd->units.len - 1, content);
		add_mutants(ccmd, source, content);
	}
	return NULL;
}

/* --- what is known from an earlier run ------------------------------------------------------- */

static struct ora_ccmd_case *find_case(
	const struct ora_ccmd *ccmd, const struct xs_map *by_id, const char *id)
{
	const uint64_t *found = id ? xs_map_find(by_id, xs_hash_text(0, id), 0) : NULL;
	return found ? &ccmd->cases.data[*found] : NULL;
}

static struct xs_error *load(struct runner *runner, FILE *file)
{
	struct ora_ccmd *ccmd = runner->ccmd;
	struct xs_map by_id = {0};
	XS_AUTO_FREE char *line = NULL;
	size_t size = 0;
	for (size_t i = 0; i < ccmd->cases.len; i++)
		*xs_map_at(&by_id, xs_hash_text(0, ccmd->cases.data[i].id), 0) = i;
	while (getline(&line, &size, file) >= 0) {
		json_t *result = json_loads(line, 0, NULL); /* a line that was cut is run again */
		const char *id = json_string_value(json_object_get(result, "case"));
		struct ora_ccmd_case *one = find_case(ccmd, &by_id, id);
		if (!one || one->result) {
			json_decref(result);
			continue;
		}
		one->result = result;
		one->started = one->kept = true;
		runner->done++;
		runner->findings += json_array_size(json_object_get(result, "findings"));
	}
	xs_map_deinit(&by_id);
	return NULL;
}

static struct xs_error *open_kept(struct runner *runner)
{
	const char *output = runner->ccmd->output;
	struct xs_error *err;
	if (!output)
		return NULL;
	XS_AUTO_FREE char *path = xs_asprintf("%s/cases.jsonl", output);
	XS_AUTO_FREE char *failing = xs_asprintf("%s/failing", output);
	if ((err = make_folder(failing)))
		return err;
	runner->kept = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, XS_PRIVATE_FILE);
	if (runner->kept < 0)
		return xs_error_sys("%s", path);
	if (flock(runner->kept, LOCK_EX | LOCK_NB))
		return xs_error_create("%s: another xstep ccmd is at work in it", output);
	XS_AUTO_FILE FILE *file = fopen(path, "re");
	if (!file)
		return xs_error_sys("%s", path);
	err = load(runner, file);
	/* A line that was cut short must not run into the next. */
	off_t end = lseek(runner->kept, 0, SEEK_END);
	char last = '\n';
	if (end > 0 && pread(runner->kept, &last, 1, end - 1) == 1 && last != '\n' &&
		write(runner->kept, "\n", 1) != 1)
		err = xs_error_sys("%s", path);
	return err;
}

/* --- jobs ------------------------------------------------------------------------------------ */

static _Noreturn void answer_with(json_t *result, int answer)
{
	XS_AUTO_FREE char *text = json_dumps(result, JSON_COMPACT | JSON_ENSURE_ASCII);
	for (size_t at = 0, size = strlen(text); at < size;) {
		ssize_t put = write(answer, text + at, size - at);
		if (put < 0)
			_exit(2);
		at += (size_t)put;
	}
	_exit(0);
}

/* The process of a case. */
static _Noreturn void work(const struct ora_ccmd *ccmd, size_t number, int answer)
{
	XS_AUTO_FREE char *folder = xs_asprintf("%s/%zu", ccmd->scratch, number);
	xs_private_folder(folder);
	json_t *result = ora_ccmd_check(ccmd, &ccmd->cases.data[number], folder);
	remove_folder(folder);
	answer_with(result, answer);
}

struct flags {
	XS_VEC(const char *) vec; /* in the order given */
};

/* Options that the parser of the mutators needs to know, too. */
static void parser_flags(const struct ora_ccmd *ccmd, struct flags *flags)
{
	static const char *const wanted[] = {
		"-I", "-D", "-U", "-std", "-iquote", "-isystem", "-include", "-m32"};
	for (size_t i = 0; i < ccmd->extra.vec.len; i++)
		for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
			const char *word = ccmd->extra.vec.data[i];
			size_t length = strlen(wanted[k]);
			if (strncmp(word, wanted[k], length) != 0)
				continue;
			xs_vec_push(&flags->vec, word);
			/* Its value may be the next word. */
			if (!word[length] && strcmp(word, "-m32") != 0 &&
				i + 1 < ccmd->extra.vec.len)
				xs_vec_push(&flags->vec, ccmd->extra.vec.data[++i]);
			break;
		}
}

static struct xs_error *make_mutant(const struct ora_ccmd *ccmd, const struct ora_ccmd_unit *unit)
{
	struct src_mutate how = ccmd->how;
	struct src_mutant mutant = {0};
	struct flags flags = {0};
	parser_flags(ccmd, &flags);
	how.seed = unit->mutant;
	how.flags = flags.vec.data;
	how.flag_count = flags.vec.len;
	struct xs_error *err = src_mutate(unit->source, &how, &mutant);
	if (!err)
		err = ora_mutant_write(&mutant, unit->path);
	src_mutant_deinit(&mutant);
	xs_vec_deinit(&flags.vec);
	return err;
}

/* The process of a mutant. */
static _Noreturn void mutate(const struct ora_ccmd *ccmd, size_t number, int answer)
{
	struct xs_error *err = make_mutant(ccmd, &ccmd->units.data[number]);
	json_t *result = json_object();
	json_object_set_new(result, "error", ora_json_text(err ? err->message : NULL));
	answer_with(result, answer);
}

static struct xs_error *start(struct runner *runner, size_t number, bool making)
{
	int pipe_fd[2];
	if (pipe2(pipe_fd, O_CLOEXEC))
		return xs_error_sys("pipe");
	fflush(stdout);
	pid_t self = getpid(), pid = fork();
	if (!pid) {
		close(pipe_fd[0]);
		ora_compile_die_together();
		if (getppid() != self)
			_exit(2);
		(making ? mutate : work)(runner->ccmd, number, pipe_fd[1]);
	}
	close(pipe_fd[1]);
	if (pid < 0) {
		close(pipe_fd[0]);
		return xs_error_sys("fork");
	}
	struct job job = {.pid = pid, .answer = pipe_fd[0], .number = number, .making = making};
	xs_vec_push(&runner->jobs, job);
	return NULL;
}

/* Starts what can be started. A mutant is made before the first of its cases. */
static struct xs_error *start_more(struct runner *runner)
{
	struct ora_ccmd *ccmd = runner->ccmd;
	struct xs_error *err = NULL;
	for (size_t i = runner->next; !err && i < ccmd->cases.len && runner->jobs.len < ccmd->jobs;
		i++) {
		struct ora_ccmd_case *one = &ccmd->cases.data[i];
		struct ora_ccmd_unit *unit = &ccmd->units.data[one->unit];
		if (i == runner->next && one->started)
			runner->next++;
		if (one->started || unit->making)
			continue;
		if (unit->pending) {
			unit->making = true;
			err = start(runner, one->unit, true);
		} else {
			one->started = true;
			err = start(runner, i, false);
		}
	}
	return err;
}

/* A result for a case whose process did not give one. */
static json_t *no_result(
	const struct ora_ccmd *ccmd, const struct ora_ccmd_case *one, const char *why)
{
	const struct ora_ccmd_unit *unit = &ccmd->units.data[one->unit];
	return json_pack("{s:s, s:o, s:I, s:o, s:o, s:i, s:i, s:f, s:f, s:f, s:o, s:[]}", "case",
		one->id, "source", ora_json_text(unit->source), "mutant", (json_int_t)unit->mutant,
		"compiler", ora_json_text(one->compiler->name), "flags", ora_json_text(one->level),
		"builds", 0, "taken_apart", 0, "compile_seconds", 0.0, "compare_debug_seconds", 0.0,
		"check_seconds", 0.0, "error", ora_json_text(why), "findings");
}

/* A mutant is there, or there will be none: then its cases have their result. */
static void finish_mutant(struct runner *runner, size_t number, json_t *result)
{
	struct ora_ccmd *ccmd = runner->ccmd;
	struct ora_ccmd_unit *unit = &ccmd->units.data[number];
	const char *error = json_string_value(json_object_get(result, "error"));
	unit->pending = unit->making = false;
	if (!result)
		error = "the mutator failed: a bug in xstep";
	for (size_t i = 0; error && i < ccmd->cases.len; i++) {
		struct ora_ccmd_case *one = &ccmd->cases.data[i];
		if (one->unit != number || one->started)
			continue;
		one->started = true;
		one->result = no_result(ccmd, one, error);
		runner->done++;
	}
	json_decref(result);
}

static struct xs_error *finish_case(struct runner *runner, struct job *job, json_t *result)
{
	struct ora_ccmd_case *one = &runner->ccmd->cases.data[job->number];
	struct xs_error *err = NULL;
	if (result && runner->kept >= 0) {
		xs_vec_push(&job->said, '\n');
		if (write(runner->kept, job->said.data, job->said.len) != (ssize_t)job->said.len)
			err = xs_error_sys("%s/cases.jsonl", runner->ccmd->output);
	}
	one->result =
		result ? result
		       : no_result(runner->ccmd, one, "xstep failed to check it: a bug in xstep");
	runner->done++;
	runner->findings += json_array_size(json_object_get(one->result, "findings"));
	return err;
}

static struct xs_error *finish(struct runner *runner, struct job *job)
{
	struct xs_error *err = NULL;
	int status = 0;
	close(job->answer);
	while (waitpid(job->pid, &status, 0) < 0 && errno == EINTR)
		;
	json_t *result = WIFEXITED(status) && !WEXITSTATUS(status) && job->said.len
				 ? json_loadb(job->said.data, job->said.len, 0, NULL)
				 : NULL;
	if (job->making)
		finish_mutant(runner, job->number, result);
	else
		err = finish_case(runner, job, result);
	xs_vec_deinit(&job->said);
	*job = runner->jobs.data[--runner->jobs.len];
	return err;
}

/* Waits for something to be said, and listens. */
static struct xs_error *listen(struct runner *runner)
{
	XS_VEC(struct pollfd) wanted = {0};
	struct xs_error *err = NULL;
	for (size_t i = 0; i < runner->jobs.len; i++) {
		struct pollfd one = {.fd = runner->jobs.data[i].answer, .events = POLLIN};
		xs_vec_push(&wanted, one);
	}
	int ready = poll(wanted.data, wanted.len, 200);
	/* From the back: a job that is done gives its place to the last one. */
	for (size_t i = wanted.len; ready > 0 && !err && i-- > 0;) {
		char buffer[16384];
		if (!wanted.data[i].revents)
			continue;
		ssize_t got = read(wanted.data[i].fd, buffer, sizeof buffer);
		for (ssize_t k = 0; k < got; k++)
			xs_vec_push(&runner->jobs.data[i].said, buffer[k]);
		if (!got || (got < 0 && errno != EINTR))
			err = finish(runner, &runner->jobs.data[i]);
	}
	xs_vec_deinit(&wanted);
	return err;
}

static void end_all(struct runner *runner)
{
	for (size_t i = 0; i < runner->jobs.len; i++)
		kill(runner->jobs.data[i].pid, SIGTERM);
	for (size_t i = 0; i < runner->jobs.len; i++) {
		while (waitpid(runner->jobs.data[i].pid, NULL, 0) < 0 && errno == EINTR)
			;
		close(runner->jobs.data[i].answer);
		xs_vec_deinit(&runner->jobs.data[i].said);
		if (runner->jobs.data[i].making) {
			XS_AUTO_FREE char *partial = xs_asprintf("%s.part",
				runner->ccmd->units.data[runner->jobs.data[i].number].path);
			unlink(partial);
		}
	}
	xs_vec_deinit(&runner->jobs);
}

static struct xs_error *run_all(struct runner *runner)
{
	struct xs_error *err = NULL;
	do {
		if (!(err = start_more(runner)) && runner->jobs.len)
			err = listen(runner);
		if (runner->ccmd->on_progress)
			runner->ccmd->on_progress(
				runner->ccmd->context, runner->done, runner->findings);
	} while (!err && !came && (runner->jobs.len || runner->next < runner->ccmd->cases.len));
	end_all(runner);
	return err;
}

static struct xs_error *make_folders(const struct ora_ccmd *ccmd)
{
	struct xs_error *err = ccmd->output ? make_folder(ccmd->output) : NULL;
	XS_AUTO_FREE char *mutants =
		xs_asprintf("%s/mutants", ccmd->output ? ccmd->output : ccmd->scratch);
	return !err && ccmd->mutants ? make_folder(mutants) : err;
}

struct xs_error *ora_ccmd_run(struct ora_ccmd *ccmd)
{
	static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = on_signal}, before[3];
	struct runner runner = {.ccmd = ccmd, .kept = -1};
	struct xs_error *err = xs_scratch_create("ccmd", &ccmd->scratch);
	if (err)
		return err;
	for (unsigned i = 0; i < 3; i++) {
		sigaction(caught[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			sigaction(caught[i], &action, NULL);
	}
	if (!(err = make_folders(ccmd)) && !(err = add_units(ccmd)) && !(err = open_kept(&runner)))
		err = run_all(&runner);
	for (unsigned i = 0; i < 3; i++)
		sigaction(caught[i], &before[i], NULL);
	ccmd->signal = came;
	if (runner.kept >= 0)
		close(runner.kept);
	remove_folder(ccmd->scratch);
	return err;
}

void ora_ccmd_deinit(struct ora_ccmd *ccmd)
{
	for (size_t i = 0; i < ccmd->compilers.len; i++)
		ora_compiler_deinit(&ccmd->compilers.data[i]);
	for (size_t i = 0; i < ccmd->units.len; i++)
		free(ccmd->units.data[i].path);
	for (size_t i = 0; i < ccmd->cases.len; i++)
		json_decref(ccmd->cases.data[i].result);
	xs_vec_deinit(&ccmd->compilers);
	xs_vec_deinit(&ccmd->units);
	xs_vec_deinit(&ccmd->cases);
	ora_ccmd_words_deinit(&ccmd->levels);
	ora_ccmd_words_deinit(&ccmd->gs);
	ora_ccmd_words_deinit(&ccmd->extra);
	xs_vec_deinit(&ccmd->sources);
	free(ccmd->scratch);
}
