#include "oracle/cause/reduce.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/path.h"
#include "base/private.h"
#include "base/quoting.h"
#include "base/scratch.h"
#include "oracle/campaign/box.h"
#include "oracle/campaign/prepare.h"

#define SMALL "small.c"

/* --- files ------------------------------------------------------------------------------------ */

static struct ora_size size_of(const char *path)
{
	struct ora_size size = {0};
	XS_AUTO_FILE FILE *file = fopen(path, "re");
	for (int c; file && (c = getc(file)) != EOF; size.bytes++)
		size.lines += c == '\n';
	return size;
}

static char *in_work(const struct ora_reduce *reduce, const char *name)
{
	return xs_asprintf("%s/%s", reduce->work, name);
}

static struct xs_error *write_text(const char *path, const char *text)
{
	FILE *file = xs_private_open(path, false);
	bool good = file && fputs(text, file) >= 0;
	good = file && !fclose(file) && good;
	return good ? NULL : xs_error_sys("%s", path);
}

static void say(struct ora_reduce *reduce, const char *phase)
{
	reduce->phase = phase;
	if (reduce->on_progress)
		reduce->on_progress(reduce->context, reduce);
}

static void on_moment(void *context)
{
	struct ora_reduce *reduce = context;
	XS_AUTO_FREE char *small = in_work(reduce, SMALL);
	struct ora_size now = size_of(small);
	if (now.bytes) /* the reducer may be writing it */
		reduce->now = now;
	if (reduce->on_progress)
		reduce->on_progress(reduce->context, reduce);
}

static struct ora_asker asker_of(struct ora_reduce *reduce)
{
	return (struct ora_asker){.one = reduce->one,
		.scratch = reduce->scratch,
		.jobs = reduce->jobs,
		.on_moment = on_moment,
		.context = reduce};
}

/* --- before ----------------------------------------------------------------------------------- */

/* Whether a source has the finding, and is fit; an error only if the user wants to end. */
static struct xs_error *is_fine(struct ora_reduce *reduce, const char *source, bool *ret)
{
	const struct ora_case_change change = {.source = source, .strict = true};
	struct ora_asker asker = asker_of(reduce);
	enum ora_case_end end = ORA_CASE_GONE;
	struct xs_error *err = ora_asker_ask_one(&asker, &change, &end);
	*ret = end == ORA_CASE_FOUND;
	return err;
}

/* The source in one piece, without what it includes and defines. What gcc makes of system headers
 * no other compiler reads, so that sanitizers could not be asked: clang's is for all. */
static struct xs_error *preprocess(struct ora_reduce *reduce, const char *compiler, const char *to)
{
	const struct ora_case *one = reduce->one;
	struct ora_asker asker = asker_of(reduce);
	struct ora_command line = {0};
	XS_AUTO_FREE char *said = NULL;
	int status = -1;
	ora_command_add(&line, compiler, "-E", "-P", "-w", NULL);
	ora_command_split(&line, one->level);
	for (size_t i = 0; i < one->flags.vec.len; i++)
		ora_command_add(&line, one->flags.vec.data[i], NULL);
	ora_command_add(&line, "-o", to, one->source, NULL);
	struct xs_error *err = ora_asker_run(&asker, "/", &line, &said, &status);
	ora_command_deinit(&line);
	if (!err && status)
		unlink(to);
	return err;
}

/* The first candidate: what an earlier run left, or the preprocessed source, or the source. */
static struct xs_error *begin(struct ora_reduce *reduce)
{
	XS_AUTO_FREE char *small = in_work(reduce, SMALL);
	bool fine = false;
	struct xs_error *err = NULL;
	say(reduce, "asking about the source");
	reduce->before = reduce->now = size_of(reduce->one->source);
	if (!access(small, R_OK)) {
		if ((err = is_fine(reduce, small, &fine)) || fine) {
			reduce->continued = fine;
			return err;
		}
	}
	const char *const compilers[] = {reduce->one->memory, reduce->one->compiler};
	for (size_t i = 0; !err && !fine && i < 2; i++)
		if (compilers[i] && !(err = preprocess(reduce, compilers[i], small)) &&
			!access(small, R_OK))
			err = is_fine(reduce, small, &fine);
	if (err || fine)
		return err;
	if (!(err = ora_copy_file(reduce->one->source, small)))
		err = is_fine(reduce, small, &fine);
	return err || fine
		       ? err
		       : xs_error_create("%s: it has the finding, but it is not fit to be "
					 "reduced: it has undefined behaviour, does not end, or "
					 "two runs of it differ",
				 reduce->one->source);
}

/* Makes questions cheaper. The case is changed; `whole` gets what it was. */
static struct xs_error *cheapen(struct ora_reduce *reduce, struct ora_case *whole)
{
	struct ora_case *one = reduce->one;
	XS_AUTO_FREE char *small = in_work(reduce, SMALL);
	struct xs_error *err = NULL;
	bool fine;
	json_t *packed = ora_case_pack(one);
	xs_assert(ora_case_unpack(packed, whole));
	json_decref(packed);
	if (!one->oracle->debuggers)
		return NULL;
	say(reduce, "looking for cheaper questions");
	ora_command_add(&one->options, "--sample", "unique", NULL);
	if ((err = is_fine(reduce, small, &fine)))
		return err;
	if (!fine) {
		ora_command_deinit(&one->options);
		for (size_t i = 0; i < whole->options.vec.len; i++)
			ora_command_add(&one->options, whole->options.vec.data[i], NULL);
	}
	if (*one->witness || (strcmp(one->wrong, "gdb") != 0 && strcmp(one->wrong, "lldb") != 0))
		return NULL;
	free(one->witness);
	one->witness = xs_asprintf("xstep,%s", one->wrong);
	if ((err = is_fine(reduce, small, &fine)) || fine)
		return err;
	free(one->witness);
	one->witness = xs_strdup(whole->witness);
	return NULL;
}

/* --- the reducer ------------------------------------------------------------------------------ */

/* The first of some that is on PATH; to be freed. */
static char *find_program(const char *const *names)
{
	char *path = NULL;
	for (; *names && !path; names++)
		path = xs_path_find(*names);
	return path;
}

static struct xs_error *write_test(struct ora_reduce *reduce, const char *test)
{
	XS_AUTO_FREE char *file = in_work(reduce, "case.json");
	XS_AUTO_FREE char *quoted = xs_quote_paste(file);
	XS_AUTO_FREE char *xstep = xs_quote_paste(reduce->one->xstep);
	XS_AUTO_FREE char *text =
		xs_asprintf("#!/bin/sh\nexec %s reduce --test %s\n", xstep, quoted);
	json_t *packed = ora_case_pack(reduce->one);
	char *json = json_dumps(packed, JSON_INDENT(1) | JSON_ENSURE_ASCII);
	json_decref(packed);
	struct xs_error *err = write_text(file, json);
	free(json);
	if (!err)
		err = write_text(test, text);
	return !err && chmod(test, XS_PRIVATE_PROGRAM) ? xs_error_sys("%s", test) : err;
}

static struct xs_error *run_reducer(struct ora_reduce *reduce, const char *program)
{
	XS_AUTO_FREE char *test = in_work(reduce, "test.sh");
	XS_AUTO_FREE char *log = in_work(reduce, "log");
	XS_AUTO_FREE char *jobs = xs_asprintf("%u", (unsigned)reduce->jobs);
	XS_AUTO_FREE char *seconds = xs_asprintf("%u", (unsigned)(2 * reduce->one->ask_seconds));
	XS_AUTO_FREE char *said = NULL;
	struct ora_asker asker = asker_of(reduce);
	struct ora_command line = {0};
	int status = -1;
	struct xs_error *err = write_test(reduce, test);
	if (err)
		return err;
	ora_command_add(&line, program, "--n", jobs, "--timeout", seconds, test, SMALL, NULL);
	asker.jobs = 1;
	err = ora_asker_run(&asker, reduce->work, &line, &said, &status);
	ora_command_deinit(&line);
	if (err)
		return err;
	if (said)
		err = write_text(log, said);
	if (!err && status)
		err = xs_error_create(
			"%s: it failed with status %d; %s has what it said", program, status, log);
	return err;
}

/* --- after ------------------------------------------------------------------------------------ */

/* The result as people would write it, if the finding survives that. */
static struct xs_error *format(struct ora_reduce *reduce, const char *small)
{
	static const char *const names[] = {
		"clang-format-15", "clang-format", "clang-format-19", "clang-format-16", NULL};
	XS_AUTO_FREE char *program = find_program(names);
	XS_AUTO_FREE char *pretty = in_work(reduce, "pretty.c");
	XS_AUTO_FREE char *said = NULL;
	struct ora_asker asker = asker_of(reduce);
	struct ora_command line = {0};
	int status = -1;
	bool fine = false;
	struct xs_error *err;
	if (!program)
		return NULL;
	if ((err = ora_copy_file(small, pretty)))
		return err;
	ora_command_add(
		&line, program, "-i", "--style={BasedOnStyle: LLVM, IndentWidth: 4}", pretty, NULL);
	err = ora_asker_run(&asker, reduce->work, &line, &said, &status);
	ora_command_deinit(&line);
	if (!err && !status)
		err = is_fine(reduce, pretty, &fine);
	if (!err && fine && rename(pretty, small))
		err = xs_error_sys("%s", small);
	return err;
}

/* The result is there under its name, whole. */
static struct xs_error *finish(struct ora_reduce *reduce, const char *small)
{
	XS_AUTO_FREE char *part = xs_asprintf("%s.part", reduce->output);
	struct xs_error *err = ora_copy_file(small, part);
	if (!err && rename(part, reduce->output))
		err = xs_error_sys("%s", reduce->output);
	if (!err) {
		reduce->now = size_of(small);
		xs_scratch_destroy(xs_strdup(reduce->work));
	}
	return err;
}

/* Puts the case back to what was asked first. */
static void restore(struct ora_reduce *reduce, struct ora_case *whole)
{
	ora_case_deinit(reduce->one);
	*reduce->one = *whole;
	*whole = (struct ora_case){0};
}

static struct xs_error *reduce_in_work(struct ora_reduce *reduce, const char *program)
{
	XS_AUTO_FREE char *small = in_work(reduce, SMALL);
	struct ora_case whole = {0};
	bool fine = false;
	struct xs_error *err = begin(reduce);
	if (!err)
		err = cheapen(reduce, &whole);
	for (unsigned i = 0; !err && !fine && i < 2; i++) {
		say(reduce, "reducing");
		err = run_reducer(reduce, program);
		if (whole.source) /* the second time, all is asked of each candidate */
			restore(reduce, &whole);
		say(reduce, "judging the result");
		if (!err && !(err = format(reduce, small)))
			err = is_fine(reduce, small, &fine);
		if (!err && !fine && !i)
			err = begin(reduce);
	}
	ora_case_deinit(&whole);
	if (!err && !fine)
		err = xs_error_create("%s: what is left of it does not have the finding when it is "
				      "built and judged again; it is in %s",
			reduce->one->source, small);
	return err ? err : finish(reduce, small);
}

struct xs_error *ora_reduce(struct ora_reduce *reduce)
{
	static const char *const names[] = {"cvise", "creduce", NULL};
	XS_AUTO_FREE char *program =
		reduce->reducer ? xs_strdup(reduce->reducer) : find_program(names);
	if (!program)
		return xs_error_create("no cvise on PATH, nor creduce: apt-get install cvise");
	reduce->work = xs_asprintf("%s.reduce", reduce->output);
	if (xs_private_folder(reduce->work) && errno != EEXIST)
		return xs_error_sys("%s", reduce->work);
	char *full = realpath(reduce->work, NULL);
	if (!full)
		return xs_error_sys("%s", reduce->work);
	free(reduce->work);
	reduce->work = full;
	return reduce_in_work(reduce, program);
}

void ora_reduce_deinit(struct ora_reduce *reduce)
{
	free(reduce->work);
	reduce->work = NULL;
}

/* --- what the reducer asks -------------------------------------------------------------------- */

struct xs_error *ora_reduce_test(const char *file, enum ora_case_end *end, char **why)
{
	struct ora_case one = {0};
	struct ora_case_answer answer;
	json_error_t wrong;
	char *scratch = NULL;
	json_t *packed = json_load_file(file, 0, &wrong);
	bool good = packed && ora_case_unpack(packed, &one);
	json_decref(packed);
	struct xs_error *err = good ? NULL
				    : xs_error_create("%s: not a case that xstep reduce wrote%s%s",
					      file, packed ? "" : ": ", packed ? "" : wrong.text);
	char *source = err ? NULL : realpath(SMALL, NULL);
	if (!err && !source)
		err = xs_error_sys(SMALL);
	if (!err)
		err = xs_scratch_create("reduce", &scratch);
	if (!err) {
		const struct ora_case_change change = {.source = source, .strict = true};
		ora_box_prepare();
		ora_case_ask(&one, &change, scratch, &answer);
		*end = answer.end;
		*why = answer.why ? xs_strdup(answer.why) : NULL;
		ora_case_answer_deinit(&answer);
	}
	xs_scratch_destroy(scratch);
	free(source);
	ora_case_deinit(&one);
	return err;
}
