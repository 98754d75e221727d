#include "oracle/campaign/slurm.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <sys/wait.h>

#include "base/path.h"
#include "base/private.h"
#include "base/quoting.h"
#include "base/scratch.h"

enum {
	SLACK = 4,           /* times that a shard may take longer than expected */
	MINUTES_LEAST = 60,  /* that Slurm is asked for */
	MERGE_MINUTES = 240, /* the same for merging */
};

/* --- commands --------------------------------------------------------------------------------- */

static bool is_on_path(const char *name)
{
	XS_AUTO_FREE char *path = xs_path_find(name);
	return path;
}

bool ora_slurm_is_there(void)
{
	return is_on_path("sbatch") && is_on_path("squeue") && is_on_path("scontrol");
}

static struct xs_error *refuse_missing(const struct ora_shards *shards)
{
	static const char *const names[] = {"sbatch", "squeue", "scontrol"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!is_on_path(names[i]))
			return xs_error_create(
				"%s: not found on PATH: is this a machine of a Slurm "
				"cluster? xstep campaign shard %s K does shard K "
				"without it",
				names[i], shards->folder);
	return NULL;
}

static char *read_all(const char *path)
{
	XS_VEC(char) text = {0};
	XS_AUTO_FILE FILE *file = fopen(path, "r");
	for (int c; file && (c = getc(file)) != EOF;)
		xs_vec_push(&text, (char)c);
	xs_vec_push(&text, '\0');
	return text.data;
}

static void send_to(const char *path, int fd)
{
	int to = open(path, O_WRONLY | O_CREAT | O_TRUNC, XS_PRIVATE_FILE);
	if (to < 0 || dup2(to, fd) < 0)
		_exit(127);
}

/* Runs a command. *ret: what it printed on standard output, to be freed. If it fails, the error has
 * what it said. */
static struct xs_error *ask(struct ora_command *line, const char *scratch, char **ret)
{
	XS_AUTO_FREE char *out = xs_asprintf("%s/out", scratch);
	XS_AUTO_FREE char *said = xs_asprintf("%s/said", scratch);
	const char *const *argv = ora_command_words(line);
	int status = 0;
	*ret = NULL;
	pid_t pid = fork();
	if (!pid) {
		int null = open("/dev/null", O_RDONLY);
		dup2(null, STDIN_FILENO);
		send_to(out, STDOUT_FILENO);
		send_to(said, STDERR_FILENO);
		setenv("LC_ALL", "C", 1);
		execvp(argv[0], (char *const *)(uintptr_t)argv);
		_exit(127);
	}
	if (pid < 0)
		return xs_error_sys("fork");
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	if (WIFEXITED(status) && !WEXITSTATUS(status)) {
		*ret = read_all(out);
		return NULL;
	}
	XS_AUTO_FREE char *words = read_all(said);
	size_t length = strlen(words);
	while (length && words[length - 1] == '\n')
		words[--length] = '\0';
	for (char *at = words; (at = strchr(at, '\n'));)
		*at = ' ';
	return xs_error_create("%s: failed: %s", argv[0], *words ? words : "it said nothing");
}

/* --- the queue -------------------------------------------------------------------------------- */

static void free_all(char **texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(texts[i]);
}

void ora_slurm_queue_deinit(struct ora_slurm_queue *queue)
{
	free_all(queue->jobs.data, queue->jobs.len);
	free_all(queue->merges.data, queue->merges.len);
	xs_vec_deinit(&queue->jobs);
	xs_vec_deinit(&queue->merges);
	xs_vec_deinit(&queue->waiting);
	xs_vec_deinit(&queue->active);
}

/* Rule 2; block 0 is the first array. To be freed. */
static char *job_name(const struct ora_shards *shards, uint64_t block)
{
	char id[ORA_CAMPAIGN_ID];
	ora_campaign_id(id, shards->folder, NULL);
	return block ? xs_asprintf("xstep-%s.%" PRIu64, id, block) : xs_asprintf("xstep-%s", id);
}

static char *merge_name(const struct ora_shards *shards)
{
	XS_AUTO_FREE char *name = job_name(shards, 0);
	return xs_asprintf("%s.merge", name);
}

/* How many indices an array may have, if they begin with 1. */
static struct xs_error *ask_span(const char *scratch, uint64_t *ret)
{
	static const char key[] = "MaxArraySize";
	struct ora_command line = {0};
	XS_AUTO_FREE char *config = NULL;
	ora_command_add(&line, "scontrol", "show", "config", NULL);
	struct xs_error *err = ask(&line, scratch, &config);
	ora_command_deinit(&line);
	if (err)
		return err;
	const char *at = strstr(config, key);
	at = at ? strchr(at, '=') : NULL;
	uint64_t size = at ? strtoull(at + 1, NULL, 10) : 0;
	if (size < 2)
		return xs_error_create("scontrol show config: %s",
			at ? "its MaxArraySize allows no job arrays" : "says no MaxArraySize");
	*ret = size - 1;
	return NULL;
}

static void add_once(struct ora_slurm_queue *queue, const char *job)
{
	for (size_t i = 0; i < queue->jobs.len; i++)
		if (!strcmp(queue->jobs.data[i], job))
			return;
	xs_vec_push(&queue->jobs, xs_strdup(job));
}

/* A line of squeue's: the job's number, index, state and name. */
static void read_line(const struct ora_shards *shards, char *line, struct ora_slurm_queue *ret)
{
	char *save = NULL, *job = strtok_r(line, " ", &save), *index = strtok_r(NULL, " ", &save),
	     *state = strtok_r(NULL, " ", &save), *name = strtok_r(NULL, " ", &save);
	XS_AUTO_FREE char *first = job_name(shards, 0);
	XS_AUTO_FREE char *merge = merge_name(shards);
	if (!name)
		return;
	if (!strcmp(name, merge)) {
		xs_vec_push(&ret->merges, xs_strdup(job));
		return;
	}
	const char *block = name + strlen(first);
	uint64_t number = strtoull(index, NULL, 10);
	if (strncmp(name, first, strlen(first)) != 0 || (*block && *block != '.') || !number)
		return;
	number += (*block ? strtoull(block + 1, NULL, 10) : 0) * ret->span;
	add_once(ret, job);
	if (!strcmp(state, "PD"))
		xs_vec_push(&ret->waiting, number);
	else
		xs_vec_push(&ret->active, number);
}

static int by_number(const void *a, const void *b)
{
	uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
	return (one > other) - (one < other);
}

static struct xs_error *ask_queue(
	const struct ora_shards *shards, const char *scratch, struct ora_slurm_queue *ret)
{
	struct ora_command line = {0};
	XS_AUTO_FREE char *told = NULL;
	char *names = merge_name(shards), *save = NULL;
	for (uint64_t block = 0; block * ret->span < ora_shards_count(shards); block++) {
		XS_AUTO_FREE char *name = job_name(shards, block);
		char *more = xs_asprintf("%s,%s", names, name);
		free(names);
		names = more;
	}
	ora_command_add(&line, "squeue", "--noheader", "--array", "--format=%F %K %t %j", NULL);
	ora_command_take(&line, xs_asprintf("--name=%s", names));
	free(names);
	struct xs_error *err = ask(&line, scratch, &told);
	ora_command_deinit(&line);
	for (char *one = err ? NULL : strtok_r(told, "\n", &save); one;
		one = strtok_r(NULL, "\n", &save))
		read_line(shards, one, ret);
	if (ret->waiting.len)
		qsort(ret->waiting.data, ret->waiting.len, sizeof *ret->waiting.data, by_number);
	if (ret->active.len)
		qsort(ret->active.data, ret->active.len, sizeof *ret->active.data, by_number);
	return err;
}

struct xs_error *ora_slurm_look(const struct ora_shards *shards, struct ora_slurm_queue *ret)
{
	char *scratch = NULL;
	struct xs_error *err;
	*ret = (struct ora_slurm_queue){0};
	if ((err = refuse_missing(shards)) || (err = xs_scratch_create("slurm", &scratch)))
		return err;
	if (!(err = ask_span(scratch, &ret->span)))
		err = ask_queue(shards, scratch, ret);
	xs_scratch_destroy(scratch);
	return err;
}

/* --- submitting ------------------------------------------------------------------------------- */

struct submitting {
	const struct ora_shards *shards;
	char *scratch, *xstep;
	uint64_t span, minutes;
};

/* Has a script submitted; `words` are options, which are taken. *ret: the job's number. What the
 * user wants comes last, and so wins. */
static struct xs_error *submit(struct submitting *submitting, const char *name, const char *log,
	struct ora_command *words, const char *script, char **ret)
{
	XS_AUTO_FREE char *file = xs_asprintf("%s/script", submitting->scratch);
	XS_AUTO_FREE char *memory = xs_strdup(submitting->shards->settings.value[ORA_SET_MEMORY]);
	struct ora_command line = {0};
	struct xs_error *err = NULL;
	FILE *out = xs_private_open(file, false);
	bool good = out && fputs(script, out) >= 0;
	if (out && fclose(out))
		good = false;
	if (!good)
		err = xs_error_sys("%s", file);
	ora_command_add(&line, "sbatch", "--parsable", "--requeue", "--open-mode=append", NULL);
	ora_command_take(&line, xs_asprintf("--job-name=%s", name));
	ora_command_take(&line, xs_asprintf("--output=%s", log));
	ora_command_take(&line, xs_asprintf("--mem-per-cpu=%s", memory));
	for (size_t i = 0; i < words->vec.len; i++)
		ora_command_add(&line, words->vec.data[i], NULL);
	ora_command_split(&line, submitting->shards->sbatch);
	ora_command_add(&line, file, NULL);
	if (!err)
		err = ask(&line, submitting->scratch, ret);
	if (err)
		err = xs_error_context(err,
			"%s: was not submitted, with `%s` from --sbatch (what was submitted before "
			"stays so)",
			submitting->shards->folder, submitting->shards->sbatch);
	/* `NUMBER;CLUSTER` */
	if (!err)
		(*ret)[strspn(*ret, "0123456789")] = '\0';
	if (!err && !**ret)
		err = xs_error_create("sbatch: printed no number of a job");
	ora_command_deinit(&line);
	ora_command_deinit(words);
	return err;
}

/* A path in which sbatch replaces nothing. */
static char *without_percents(const char *path)
{
	char *text = xs_calloc(2 * strlen(path) + 1, 1), *to = text;
	for (; *path; path++) {
		*to++ = *path;
		if (*path == '%')
			*to++ = '%';
	}
	return text;
}

/* `3,7-12`: the indices of shards in one array. */
static char *indices(const uint64_t *shards, size_t count, uint64_t before)
{
	struct xs_ranges all = {0};
	for (size_t i = 0; i < count; i++)
		xs_ranges_add(&all, shards[i] - before, shards[i] - before + 1);
	xs_ranges_normalise(&all);
	char *text = ora_seeds_text(&all);
	xs_ranges_deinit(&all);
	return text;
}

/* Shards of one array. */
static struct xs_error *submit_array(struct submitting *submitting, uint64_t block,
	const uint64_t *numbers, size_t count, char **ret)
{
	const struct ora_shards *shards = submitting->shards;
	struct ora_command words = {0}, run = {0};
	XS_AUTO_FREE char *name = job_name(shards, block);
	XS_AUTO_FREE char *folder = without_percents(shards->folder);
	XS_AUTO_FREE char *log = xs_asprintf("%s/logs/%%A_%%a.log", folder);
	XS_AUTO_FREE char *list = indices(numbers, count, block * submitting->span);
	ora_command_add(
		&run, submitting->xstep, "campaign", "shard", "--quiet", shards->folder, NULL);
	XS_AUTO_FREE char *text = ora_command_text(&run);
	XS_AUTO_FREE char *script =
		xs_asprintf("#!/bin/sh\nexec %s $((%" PRIu64 " + SLURM_ARRAY_TASK_ID))\n", text,
			block * submitting->span);
	ora_command_deinit(&run);
	ora_command_take(&words, xs_asprintf("--array=%s", list));
	ora_command_take(&words, xs_asprintf("--time=%" PRIu64, submitting->minutes));
	ora_command_take(
		&words, xs_asprintf("--cpus-per-task=%s", shards->settings.value[ORA_SET_JOBS]));
	return submit(submitting, name, log, &words, script, ret);
}

static struct xs_error *submit_merge(struct submitting *submitting,
	const struct ora_slurm_queue *queue, struct ora_slurm_submitted *ret)
{
	struct ora_command words = {0}, run = {0};
	XS_AUTO_FREE char *name = merge_name(submitting->shards);
	XS_AUTO_FREE char *folder = without_percents(submitting->shards->folder);
	XS_AUTO_FREE char *log = xs_asprintf("%s/logs/%%j.log", folder);
	ora_command_add(
		&run, submitting->xstep, "campaign", "merge", submitting->shards->folder, NULL);
	XS_AUTO_FREE char *text = ora_command_text(&run);
	XS_AUTO_FREE char *script = xs_asprintf("#!/bin/sh\nexec %s\n", text);
	ora_command_deinit(&run);
	char *after = xs_strdup("--dependency=afterany");
	const struct {
		char *const *jobs;
		size_t count;
	} lists[] = {{ret->arrays.data, ret->arrays.len}, {queue->jobs.data, queue->jobs.len},
		{queue->merges.data, queue->merges.len}};
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		for (size_t k = 0; k < lists[i].count; k++) {
			char *more = xs_asprintf("%s:%s", after, lists[i].jobs[k]);
			free(after);
			after = more;
		}
	if (strchr(after, ':'))
		ora_command_take(&words, after);
	else
		free(after);
	ora_command_take(&words, xs_asprintf("--time=%d", MERGE_MINUTES));
	return submit(submitting, name, log, &words, script, &ret->merge);
}

static bool has(const uint64_t *numbers, size_t count, uint64_t number)
{
	return count && bsearch(&number, numbers, count, sizeof *numbers, by_number);
}

static struct xs_error *submit_all(struct submitting *submitting,
	const struct ora_shards_state *state, const struct ora_slurm_queue *queue,
	struct ora_slurm_submitted *ret)
{
	XS_VEC(uint64_t) wanted = {0};
	struct xs_error *err = NULL;
	for (size_t i = 0; i < state->missing.len; i++)
		if (!has(queue->waiting.data, queue->waiting.len, state->missing.data[i]) &&
			!has(queue->active.data, queue->active.len, state->missing.data[i]))
			xs_vec_push(&wanted, state->missing.data[i]);
	for (size_t i = 0, end; !err && i < wanted.len; i = end) {
		uint64_t block = (wanted.data[i] - 1) / queue->span;
		char *job = NULL;
		for (end = i; end < wanted.len && (wanted.data[end] - 1) / queue->span == block;)
			end++;
		if ((err = submit_array(submitting, block, wanted.data + i, end - i, &job))) {
			free(job);
			break;
		}
		xs_vec_push(&ret->arrays, job);
		ret->shards += end - i;
	}
	/* One that waits already waits for what was in the queue before it. */
	if (!err &&
		(ret->arrays.len || (!queue->merges.len && (queue->jobs.len || !state->merged))))
		err = submit_merge(submitting, queue, ret);
	xs_vec_deinit(&wanted);
	return err;
}

struct xs_error *ora_slurm_submit(const struct ora_shards *shards,
	const struct ora_shards_state *state, const struct ora_slurm_queue *queue, double minutes,
	struct ora_slurm_submitted *ret)
{
	struct submitting submitting = {.shards = shards,
		.span = queue->span,
		.minutes = (uint64_t)fmax(ceil(minutes * SLACK), MINUTES_LEAST)};
	*ret = (struct ora_slurm_submitted){0};
	struct xs_error *err = xs_path_self(&submitting.xstep);
	if (!err && !(err = xs_scratch_create("slurm", &submitting.scratch)))
		err = submit_all(&submitting, state, queue, ret);
	xs_scratch_destroy(submitting.scratch);
	free(submitting.xstep);
	return err;
}

void ora_slurm_submitted_deinit(struct ora_slurm_submitted *submitted)
{
	free_all(submitted->arrays.data, submitted->arrays.len);
	xs_vec_deinit(&submitted->arrays);
	free(submitted->merge);
}
