#include "oracle/cause/reduce.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/path.h"
#include "base/private.h"
#include "base/quoting.h"
#include "base/scratch.h"
#include "oracle/campaign/box.h"
#include "oracle/campaign/prepare.h"
#include "oracle/cause/cut.h"

#define SMALL "small.c"
#define ASKED "asked"
enum { SMALL_ENOUGH = 400 }; /* bytes: a reducer takes minutes to make less of it */

#define PROBES_HEADER "#include <sys/sdt.h>\n" /* as source/mutate_probes.c writes it */

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
		.keepers = &reduce->keepers,
		.on_moment = on_moment,
		.context = reduce};
}

static void count(struct ora_reduce *reduce, const struct ora_asker *asker)
{
	reduce->asked += asker->asked;
	reduce->found += asker->found;
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
	count(reduce, &asker);
	return err;
}

/* A whole file, to be freed; NULL: it cannot be read. */
static char *read_text(const char *path)
{
	char *text = NULL;
	size_t size = 0;
	XS_AUTO_FILE FILE *file = fopen(path, "re");
	if (file && getdelim(&text, &size, '\0', file) >= 0)
		return text;
	free(text);
	return NULL;
}

/* The source without the header of probes: what they are made of can no longer be read once they
 * are preprocessed. *ret: to be freed. */
static struct xs_error *without_probes(struct ora_reduce *reduce, char **ret)
{
	XS_AUTO_FREE char *text = read_text(reduce->one->source);
	char *path = *ret = in_work(reduce, "plain.c");
	if (!text)
		return xs_error_sys("%s", reduce->one->source);
	XS_AUTO_FREE char *named = ora_case_named_probes(text);
	char *header = strstr(named, PROBES_HEADER);
	if (header)
		memmove(header, header + strlen(PROBES_HEADER),
			strlen(header + strlen(PROBES_HEADER)) + 1);
	return write_text(path, named);
}

/* Puts the header of probes before a source. */
static struct xs_error *with_probes(const char *path)
{
	XS_AUTO_FREE char *text = read_text(path);
	if (!text)
		return xs_error_sys("%s", path);
	XS_AUTO_FREE char *all = xs_asprintf(PROBES_HEADER "%s", text);
	return write_text(path, all);
}

/* The source in one piece, without what it includes and defines. What gcc makes of system headers
 * no other compiler reads, so that sanitizers could not be asked: clang's is for all. */
static struct xs_error *preprocess(struct ora_reduce *reduce, const char *compiler, const char *to)
{
	const struct ora_case *one = reduce->one;
	struct ora_asker asker = asker_of(reduce);
	struct ora_command line = {0};
	XS_AUTO_FREE char *said = NULL;
	XS_AUTO_FREE char *plain = NULL;
	int status = -1;
	bool probes = one->oracle->need == ORA_NEEDS_PROBES;
	struct xs_error *err = probes ? without_probes(reduce, &plain) : NULL;
	ora_command_add(&line, compiler, "-E", "-P", "-w", NULL);
	ora_command_split(&line, one->level);
	for (size_t i = 0; i < one->flags.vec.len; i++)
		ora_command_add(&line, one->flags.vec.data[i], NULL);
	ora_command_add(&line, "-o", to, plain ? plain : one->source, NULL);
	if (!err)
		err = ora_asker_run(&asker, "/", &line, &said, &status);
	ora_command_deinit(&line);
	if (!err && status)
		unlink(to);
	else if (!err && probes)
		err = with_probes(to);
	return err;
}

/* The case that the questions are about, as it was. */
static void copy_case(const struct ora_case *one, struct ora_case *ret)
{
	json_t *packed = ora_case_pack(one);
	xs_assert(ora_case_unpack(packed, ret));
	json_decref(packed);
}

/* Puts the case back to what was asked first. */
static void restore(struct ora_reduce *reduce, const struct ora_case *whole)
{
	ora_case_deinit(reduce->one);
	copy_case(whole, reduce->one);
}

/* How much less is asked. */
enum { FEWER_STOPS = 1, NOT_BY_HAND = 2, ONE_WITNESS = 4, LESS_TIME = 8, CHEAPEST = 15 };

enum { CANDIDATE_SECONDS = 2 }; /* that a candidate may run: many do not end */

/* Makes the questions about a case cheaper. False: they are not. */
static bool cheapen(struct ora_reduce *reduce, unsigned how)
{
	struct ora_case *one = reduce->one;
	bool debugger = !strcmp(one->wrong, "gdb") || !strcmp(one->wrong, "lldb");
	bool less = (how & LESS_TIME) && one->run_seconds > CANDIDATE_SECONDS;
	if (less)
		one->run_seconds = CANDIDATE_SECONDS;
	if (!one->oracle->debuggers)
		return less;
	if (how & FEWER_STOPS)
		ora_command_add(&one->options, "--sample", "unique", NULL);
	if (how & NOT_BY_HAND)
		ora_command_add(&one->options, "--no-reproduce", NULL);
	if ((how & ONE_WITNESS) && !*one->witness && debugger) {
		free(one->witness);
		one->witness = xs_asprintf("xstep,%s", one->wrong);
		return true;
	}
	return less || (how & (FEWER_STOPS | NOT_BY_HAND));
}

/* Finds out how cheap questions about a source can be that has the finding: all at once if that
 * will do, else what will do by itself. */
static struct xs_error *find_cheapest(
	struct ora_reduce *reduce, const char *source, const struct ora_case *whole)
{
	static const unsigned ways[] = {LESS_TIME, FEWER_STOPS, NOT_BY_HAND, ONE_WITNESS};
	unsigned good = 0;
	struct xs_error *err = NULL;
	say(reduce, "looking for cheaper questions");
	for (size_t i = 0; !err && i < sizeof ways / sizeof *ways; i++) {
		bool fine = false;
		restore(reduce, whole);
		if (cheapen(reduce, good | ways[i]))
			err = is_fine(reduce, source, &fine);
		if (fine)
			good |= ways[i];
	}
	restore(reduce, whole);
	cheapen(reduce, good);
	return err;
}

/* Whether a source will do as the first candidate. If it does, the case asks as little as it can.
 */
static struct xs_error *try_first(
	struct ora_reduce *reduce, const char *source, const struct ora_case *whole, bool *ret)
{
	struct xs_error *err = NULL;
	*ret = false;
	if (access(source, R_OK))
		return NULL;
	if (cheapen(reduce, CHEAPEST) && ((err = is_fine(reduce, source, ret)) || *ret))
		return err;
	restore(reduce, whole);
	if (!(err = is_fine(reduce, source, ret)) && *ret)
		err = find_cheapest(reduce, source, whole);
	return err;
}

/* The first candidate: what an earlier run left, or the preprocessed source, or the source. */
static struct xs_error *begin(struct ora_reduce *reduce, const struct ora_case *whole)
{
	XS_AUTO_FREE char *small = in_work(reduce, SMALL);
	bool fine = false;
	struct xs_error *err;
	say(reduce, "asking about the source");
	reduce->before = reduce->now = size_of(whole->source);
	if ((err = try_first(reduce, small, whole, &fine)) || fine) {
		reduce->continued = fine;
		return err;
	}
	/* Headers have types that one compiler only knows, and mostly nobody uses them. */
	const struct {
		const char *compiler;
		bool whole;
	} ways[] = {{whole->memory, false}, {whole->compiler, false}, {whole->memory, true},
		{whole->compiler, true}};
	for (size_t i = 0; !err && !fine && i < sizeof ways / sizeof *ways; i++) {
		if (!ways[i].compiler || (err = preprocess(reduce, ways[i].compiler, small)))
			continue;
		if (!ways[i].whole && !access(small, R_OK))
			err = ora_cut_unused(whole, small);
		if (!err)
			err = try_first(reduce, small, whole, &fine);
	}
	if (!err && !fine && !(err = ora_copy_file(whole->source, small)))
		err = try_first(reduce, small, whole, &fine);
	return err || fine
		       ? err
		       : xs_error_create("%s: it has the finding, but it is not fit to be "
					 "reduced: it has undefined behaviour, does not end, or "
					 "two runs of it differ",
				 whole->source);
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

/* What of cvise's passes is of use in C, and quick enough: what other languages need takes as long
 * as all the rest, and so do tokens that are left out by patterns. `main` is done again and again,
 * until nothing changes. */
/* clang-format off */
static const struct {
	const char *group, *pass;
	const char *const *args; /* "": it takes none */
} passes[] = {
#define LIST(...) (const char *const[]){__VA_ARGS__, NULL}
	{"first", "includes", LIST("")},
	{"first", "comments", LIST("")},
	{"first", "blank", LIST("")},
	{"first", "clangbinarysearch", LIST("remove-unused-function")},
	{"first", "lines", LIST("0", "1")},
	{"main", "clang", LIST("remove-unused-function", "callexpr-to-value", "param-to-global",
		"param-to-local", "return-void", "simple-inliner", "aggregate-to-scalar",
		"union-to-struct", "reduce-pointer-level", "copy-propagation", "simplify-if",
		"reduce-array-dim", "reduce-array-size", "simplify-comma-expr",
		"replace-simple-typedef", "remove-unused-field", "empty-struct-to-int",
		"remove-pointer", "remove-array", "remove-addr-taken", "simplify-struct")},
	{"main", "clangbinarysearch", LIST("remove-unused-var")},
	{"main", "balanced", LIST("curly", "curly-only", "parens", "parens-only", "parens-inside",
		"curly-inside")},
	{"main", "lines", LIST("0", "2", "4")},
	{"main", "clex", LIST("rm-toks-1", "rm-toks-2", "rm-toks-3", "rm-toks-4", "rm-toks-6")},
	{"main", "ints", LIST("a")},
	{"last", "clang", LIST("rename-fun", "rename-param", "rename-var")},
	{"last", "lines", LIST("0")},
#undef LIST
};
/* clang-format on */

/* As --pass-group-file has them. */
static struct xs_error *write_passes(const char *path)
{
	json_t *all = json_pack("{s:[], s:[], s:[]}", "first", "main", "last");
	for (size_t i = 0; i < sizeof passes / sizeof *passes; i++)
		for (const char *const *arg = passes[i].args; *arg; arg++)
			json_array_append_new(json_object_get(all, passes[i].group),
				json_pack("{s:s, s:s*}", "pass", passes[i].pass, "arg",
					**arg ? *arg : NULL));
	char *text = json_dumps(all, JSON_INDENT(1));
	struct xs_error *err = write_text(path, text);
	free(text);
	json_decref(all);
	return err;
}

static bool is_time_up(const struct ora_reduce *reduce)
{
	return reduce->until > 0 && xs_now() >= reduce->until;
}

/* The words that run it. One that is not known is given no more than what all reducers take. */
static struct xs_error *reducer_words(
	struct ora_reduce *reduce, const char *program, const char *test, struct ora_command *ret)
{
	XS_AUTO_FREE char *file = in_work(reduce, "passes.json");
	struct xs_error *err = NULL;
	if (reduce->until > 0) { /* ^C: what it has then is whole */
		double left = reduce->until - xs_now();
		ora_command_add(ret, "timeout", "--signal=INT", "--kill-after=20", NULL);
		ora_command_take(ret, xs_asprintf("%.0f", left > 1 ? left : 1));
	}
	ora_command_add(ret, program, "--n", NULL);
	ora_command_take(ret, xs_asprintf("%u", (unsigned)reduce->jobs));
	ora_command_add(ret, "--timeout", NULL);
	ora_command_take(ret, xs_asprintf("%u", (unsigned)(2 * reduce->one->ask_seconds)));
	if (strstr(xs_base_name(program), "cvise")) {
		err = write_passes(file);
		ora_command_add(ret, "--pass-group-file", file, "--renaming", NULL);
	}
	ora_command_add(ret, test, SMALL, NULL);
	return err;
}

/* What the reducer has asked: a letter each, as ora_reduce_test() writes them. */
static void count_tests(struct ora_reduce *reduce)
{
	XS_AUTO_FREE char *path = in_work(reduce, ASKED);
	XS_AUTO_FILE FILE *file = fopen(path, "re");
	for (int c; file && (c = getc(file)) != EOF; reduce->asked++)
		reduce->found += c == 'y';
	unlink(path);
}

static struct xs_error *run_reducer(struct ora_reduce *reduce, const char *program)
{
	enum { OF_TIMEOUT = 124 };
	XS_AUTO_FREE char *test = in_work(reduce, "test.sh");
	XS_AUTO_FREE char *log = in_work(reduce, "log");
	XS_AUTO_FREE char *said = NULL;
	struct ora_asker asker = asker_of(reduce);
	struct ora_command line = {0};
	int status = -1;
	struct xs_error *err = write_test(reduce, test);
	if (!err)
		err = reducer_words(reduce, program, test, &line);
	asker.jobs = 1;
	if (!err)
		err = ora_asker_run(&asker, reduce->work, &line, &said, &status);
	ora_command_deinit(&line);
	if (err)
		return err;
	if (said)
		err = write_text(log, said);
	count_tests(reduce);
	reduce->cut_short = reduce->until > 0 && status == OF_TIMEOUT;
	if (!err && status && !reduce->cut_short)
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
	XS_AUTO_FREE char *text = program ? read_text(small) : NULL;
	if (!text)
		return NULL;
	XS_AUTO_FREE char *named = ora_case_named_probes(text);
	if ((err = write_text(pretty, named)))
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

/* Cuts, then runs the reducer, if there is one. */
static struct xs_error *make_small(
	struct ora_reduce *reduce, const char *program, const char *small)
{
	XS_AUTO_FREE char *test = in_work(reduce, "test.sh");
	const char *name = program ? xs_base_name(program) : "";
	struct ora_asker asker = asker_of(reduce);
	struct ora_cut trim = {.asker = &asker, .path = small, .until = reduce->until};
	bool known = strstr(name, "cvise") || strstr(name, "creduce");
	struct xs_error *err = write_test(reduce, test); /* that small.c is fit is known now */
	say(reduce, "cutting");
	/* Who names another program wants that one's work. */
	if (!err && (!program || known))
		err = ora_cut(&trim);
	count(reduce, &asker);
	if (err)
		return err;
	reduce->cut_short = is_time_up(reduce);
	say(reduce, "reducing");
	bool enough = !program || (known && size_of(small).bytes <= SMALL_ENOUGH);
	return reduce->cut_short || enough ? NULL : run_reducer(reduce, program);
}

static struct xs_error *reduce_in_work(struct ora_reduce *reduce, const char *program)
{
	XS_AUTO_FREE char *small = in_work(reduce, SMALL);
	struct ora_case whole = {0};
	bool fine = false;
	copy_case(reduce->one, &whole);
	struct xs_error *err = begin(reduce, &whole);
	for (unsigned i = 0; !err && !fine && i < 2; i++) {
		err = make_small(reduce, program, small);
		restore(reduce, &whole); /* the second time, all is asked of each candidate */
		say(reduce, "judging the result");
		if (!err && !(err = format(reduce, small)))
			err = is_fine(reduce, small, &fine);
		if (err || fine || is_time_up(reduce))
			break;
		if (!i) {
			unlink(small);
			if (!(err = begin(reduce, &whole)))
				restore(reduce, &whole);
		}
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
	XS_AUTO_FREE char *program = NULL; /* without one there is what is cut here */
	if (!reduce->reducer)
		program = find_program(names);
	else if (strcmp(reduce->reducer, "none") != 0)
		program = xs_strdup(reduce->reducer);
	reduce->work = xs_asprintf("%s.reduce", reduce->output);
	if (xs_private_folder(reduce->work) && errno != EEXIST)
		return xs_error_sys("%s", reduce->work);
	char *full = realpath(reduce->work, NULL);
	if (!full)
		return xs_error_sys("%s", reduce->work);
	free(reduce->work);
	reduce->work = full;
	if (reduce->seconds > 0)
		reduce->until = xs_now() + reduce->seconds;
	if (reduce->one->oracle->debuggers) {
		ora_keepers_init_named(&reduce->keepers, reduce->one->witness, reduce->scratch);
		ora_keepers_check(&reduce->keepers);
	}
	return reduce_in_work(reduce, program);
}

void ora_reduce_deinit(struct ora_reduce *reduce)
{
	ora_keepers_deinit(&reduce->keepers);
	free(reduce->work);
	reduce->work = NULL;
}

/* --- what the reducer asks -------------------------------------------------------------------- */

/* Keeps count, beside the case. One that is not counted is no trouble. */
static void note(const char *file, bool found)
{
	const char *slash = strrchr(file, '/');
	XS_AUTO_FREE char *path =
		xs_asprintf("%.*s" ASKED, slash ? (int)(slash - file) + 1 : 0, file);
	FILE *out = fopen(path, "ae");
	if (out) {
		putc(found ? 'y' : 'n', out);
		fclose(out);
	}
}

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
		note(file, answer.end == ORA_CASE_FOUND);
		*end = answer.end;
		*why = answer.why ? xs_strdup(answer.why) : NULL;
		ora_case_answer_deinit(&answer);
	}
	xs_scratch_destroy(scratch);
	free(source);
	ora_case_deinit(&one);
	return err;
}
