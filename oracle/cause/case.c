#include "oracle/cause/case.h"

#include <ctype.h>

#include "base/clock.h"
#include "oracle/campaign/box.h"
#include "oracle/campaign/outcome.h"
#include "oracle/campaign/prepare.h"
#include "oracle/cause/memo.h"
#include "oracle/session/json_text.h"

enum {
	COMPILE_SECONDS = 60,
	SLOWER = 20,               /* so many times as long a program may take with sanitizers */
	MEMORY_MOST = 4096 * 1024, /* KiB, of all processes of a command */
	OUTPUT_MOST = 64 << 20,    /* bytes that an oracle may print */
	PRINT_MOST = 1 << 20,      /* and the program */
};

void ora_case_deinit(struct ora_case *one)
{
	char **const texts[] = {&one->xstep, &one->source, &one->compiler, &one->level,
		&one->witness, &one->signature, &one->wrong, &one->basis, &one->function,
		&one->variable, &one->sanitizer, &one->memory, &one->pass};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		free(*texts[i]);
	ora_command_deinit(&one->flags);
	ora_command_deinit(&one->options);
	ora_command_deinit(&one->warnings);
	ora_command_deinit(&one->without);
	*one = (struct ora_case){0};
}

void ora_case_answer_deinit(struct ora_case_answer *answer)
{
	free(answer->why);
	ora_campaign_job_deinit(&answer->job);
	*answer = (struct ora_case_answer){0};
}

/* --- warnings --------------------------------------------------------------------------------- */

static bool means_undefined(const char *kind)
{
	static const char *const kinds[] = {"aggressive-loop-optimizations", "array-bounds",
		"builtin-declaration-mismatch", "conditional-uninitialized", "dangling-pointer",
		"div-by-zero", "division-by-zero", "format", "free-nonheap-object",
		"implicit-function-declaration", "implicit-int", "incompatible-pointer-types",
		"incompatible-function-pointer-types", "infinite-recursion", "int-conversion",
		"int-to-pointer-cast", "integer-overflow", "main", "main-return-type",
		"maybe-uninitialized", "nonnull", "null-dereference", "overflow",
		"pointer-to-int-cast", "restrict", "return-local-addr", "return-mismatch",
		"return-stack-address", "return-type", "sequence-point", "shift-count-negative",
		"shift-count-overflow", "shift-negative-value", "shift-overflow",
		"sometimes-uninitialized", "strict-aliasing", "stringop-overflow",
		"stringop-overread", "uninitialized", "uninitialized-const-reference",
		"unsequenced", "use-after-free"};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		size_t length = strlen(kinds[i]);
		if (!strncmp(kind, kinds[i], length) && (!kind[length] || kind[length] == '='))
			return true; /* -Wformat=, -Wstringop-overflow=: a level is behind it */
	}
	return false;
}

static bool has_word(const struct ora_command *line, const char *word)
{
	for (size_t i = 0; i < line->vec.len; i++)
		if (!strcmp(line->vec.data[i], word))
			return true;
	return false;
}

void ora_case_kinds(const char *said, struct ora_command *ret)
{
	for (const char *at = said; at && (at = strstr(at, "[-W"));) {
		const char *begin = at + 3;
		size_t length = strcspn(begin, "],\n");
		XS_AUTO_FREE char *kind = xs_asprintf("%.*s", (int)length, begin);
		/* Ten calls of undeclared functions are one kind. */
		if (begin[length] == ']' && means_undefined(kind) && !has_word(ret, kind))
			ora_command_add(ret, kind, NULL);
		at = begin + length;
	}
}

/* The first kind that the case's own source does not have; NULL: none. To be freed. */
static char *new_kind(const struct ora_case *one, const char *said)
{
	struct ora_command kinds = {0};
	char *found = NULL;
	ora_case_kinds(said, &kinds);
	for (size_t i = 0; !found && i < kinds.vec.len; i++)
		if (!has_word(&one->warnings, kinds.vec.data[i]))
			found = xs_strdup(kinds.vec.data[i]);
	ora_command_deinit(&kinds);
	return found;
}

/* --- builds and runs -------------------------------------------------------------------------- */

/* What is asked this time, all changes applied. */
struct asking {
	const struct ora_case *one;
	const struct ora_case_change *change;
	const char *source, *compiler, *level, *witness, *scratch;
	char *program; /* the build that is asked about */
	struct ora_case_answer *ret;
};

static struct ora_box box_of(const struct asking *asking, double seconds)
{
	return (struct ora_box){.folder = asking->scratch,
		.scratch = asking->scratch,
		.seconds = seconds,
		.memory = (uint64_t)MEMORY_MOST * 1024,
		.output = OUTPUT_MOST};
}

/* Takes `why`. The first reason counts. */
static bool unfit(struct asking *asking, char *why)
{
	if (asking->ret->why)
		free(why);
	else
		asking->ret->why = why;
	asking->ret->end = ORA_CASE_UNFIT;
	return false;
}

/* changed: with those of this time, too. */
static void add_flags(const struct asking *asking, bool changed, struct ora_command *line)
{
	const struct ora_command *const lists[] = {&asking->one->flags, asking->change->flags};
	for (size_t k = 0; k < (changed ? 2 : 1); k++)
		for (size_t i = 0; lists[k] && i < lists[k]->vec.len; i++)
			ora_command_add(line, lists[k]->vec.data[i], NULL);
}

/* Compiles. `first` are the words before the others. *said, if not NULL, is to be freed. */
static bool compile(struct asking *asking, const char *compiler, const char *level,
	const char *const *first, const char *output, char **said)
{
	struct ora_command line = {0};
	struct ora_boxed boxed;
	struct ora_box box = box_of(asking, COMPILE_SECONDS);
	box.folder = "/"; /* which DWARF names: the same for all builds */
	ora_command_add(&line, compiler, NULL);
	for (; *first; first++)
		ora_command_add(&line, *first, NULL);
	ora_command_split(&line, level);
	/* What is asked about is built otherwise; what it is compared with is not. */
	add_flags(asking, output == asking->program, &line);
	if (asking->change->unrecorded && output == asking->program)
		ora_command_add(&line, "-gno-record-gcc-switches", NULL);
	ora_command_add(&line, "-o", output, asking->source, "-lm", NULL);
	ora_box_run(&box, ora_command_words(&line), &boxed);
	bool good = boxed.end == ORA_BOX_EXITED && !boxed.status;
	if (!good)
		unfit(asking, xs_asprintf("it does not compile: %s",
				      boxed.end == ORA_BOX_HUNG ? "the compiler takes too long"
								: boxed.said));
	if (good && said)
		*said = xs_strdup(boxed.said);
	ora_boxed_deinit(&boxed);
	ora_command_deinit(&line);
	return good;
}

/* Runs the program, and says how that went; NULL: it ended by itself. */
static const char *run(struct asking *asking, const char *program, double seconds, bool bare,
	struct ora_boxed *boxed)
{
	static const char *const ends[] = {[ORA_BOX_EXITED] = NULL,
		[ORA_BOX_KILLED] = "it dies of a signal",
		[ORA_BOX_HUNG] = "it does not end in time",
		[ORA_BOX_MEMORY] = "it takes too much memory",
		[ORA_BOX_OUTPUT] = "it prints too much",
		[ORA_BOX_NOT_RUN] = "it cannot be run"};
	const char *const argv[] = {program, NULL};
	struct ora_box box = box_of(asking, seconds);
	box.bare = bare;
	box.output = PRINT_MOST;
	ora_box_run(&box, argv, boxed);
	return ends[boxed->end];
}

static bool run_twice(struct asking *asking)
{
	struct ora_boxed runs[2];
	const char *bad = NULL;
	unsigned count = 0;
	/* One that does not end need not be waited for twice. */
	for (; count < 2 && !bad; count++)
		bad = run(asking, asking->program, asking->one->run_seconds, true, &runs[count]);
	if (bad)
		unfit(asking, xs_strdup(bad));
	else if (runs[0].status != runs[1].status || runs[0].out_size != runs[1].out_size ||
		 memcmp(runs[0].out, runs[1].out, runs[0].out_size) != 0 ||
		 strcmp(runs[0].said, runs[1].said) != 0)
		unfit(asking, xs_strdup("two runs of it differ"));
	while (count)
		ora_boxed_deinit(&runs[--count]);
	return !asking->ret->why;
}

/* Builds with a sanitizer, and runs that. */
static bool run_sanitized(
	struct asking *asking, const char *compiler, const char *const *first, const char *level)
{
	static const char *const words[] = {"runtime error:", "ERROR: AddressSanitizer",
		"ERROR: LeakSanitizer", "WARNING: MemorySanitizer", NULL};
	XS_AUTO_FREE char *path = xs_asprintf("%s/sanitized", asking->scratch);
	struct ora_boxed boxed;
	if (!compile(asking, compiler, level, first, path, NULL))
		return false;
	const char *bad = run(asking, path, SLOWER * asking->one->run_seconds, false, &boxed);
	for (size_t i = 0; words[i]; i++) {
		const char *found = strstr(boxed.said, words[i]);
		if (found)
			unfit(asking, xs_asprintf("its behaviour is undefined: %.*s",
					      (int)strcspn(found, "\n"), found));
	}
	if (bad)
		unfit(asking, xs_asprintf("with sanitizers %s", bad));
	ora_boxed_deinit(&boxed);
	return !asking->ret->why;
}

static bool is_defined(struct asking *asking)
{
	static const char *const plain[] = {
		"-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", NULL};
	static const char *const memory[] = {"-w", "-fsanitize=memory", NULL};
	const struct ora_case *one = asking->one;
	return (!one->sanitizer || run_sanitized(asking, one->sanitizer, plain, "-O1")) &&
	       (!one->memory || run_sanitized(asking, one->memory, memory, "-O0"));
}

/* --- the oracle ------------------------------------------------------------------------------- */

static bool is_wanted(const struct ora_case *one, const struct ora_campaign_finding *found)
{
	return one->signature && !strcmp(found->signature, one->signature) &&
	       (!one->wrong || !strcmp(found->wrong, one->wrong)) &&
	       (!one->basis || (found->basis && !strcmp(found->basis, one->basis)));
}

/* The words that ask. */
static void ask_words(struct asking *asking, const char *unopt, struct ora_command *ret)
{
	const struct ora_case *one = asking->one;
	struct ora_command flags = {0}, plain = {0};
	add_flags(asking, true, &flags);
	const struct ora_oracle_case words = {.program = asking->program,
		.unopt = unopt,
		.source = asking->source,
		.compiler = asking->compiler,
		.level = asking->level,
		.flags = ora_command_words(&flags),
		.witness = asking->witness,
		.language = ora_language_find("c")};
	ora_oracle_words(one->oracle, one->xstep, &words, &plain);
	/* The case's own options stand behind the words of the command. */
	size_t command = !strcmp(plain.vec.data[1], "check") ? 3 : 2;
	for (size_t i = 0; i < plain.vec.len; i++) {
		for (size_t k = 0; i == command && k < one->options.vec.len; k++)
			ora_command_add(ret, one->options.vec.data[k], NULL);
		ora_command_add(ret, plain.vec.data[i], NULL);
	}
	ora_command_deinit(&plain);
	ora_command_deinit(&flags);
}

static void ask_oracle(struct asking *asking, const char *unopt)
{
	const struct ora_case *one = asking->one;
	struct ora_case_answer *ret = asking->ret;
	struct ora_box box = box_of(asking, one->ask_seconds);
	struct ora_command line = {0};
	struct ora_boxed boxed;
	ask_words(asking, unopt, &line);
	ora_box_run(&box, ora_command_words(&line), &boxed);
	ora_outcome_read(&ret->job, &boxed);
	ret->end = ORA_CASE_GONE;
	for (size_t i = 0; i < ret->job.findings.len; i++)
		if (is_wanted(one, &ret->job.findings.data[i]))
			ret->end = ORA_CASE_FOUND;
	const char *outcome = ret->job.outcome;
	if (ret->end == ORA_CASE_GONE && strcmp(outcome, "clean") != 0 &&
		strcmp(outcome, "found") != 0 && strcmp(outcome, "unasked") != 0)
		unfit(asking, xs_asprintf("%s: %s", outcome,
				      ret->job.detail ? ret->job.detail : "no more is known"));
	ora_boxed_deinit(&boxed);
	ora_command_deinit(&line);
}

/* What an answer depends on, besides the bytes of the program; to be freed. */
static char *rest_of(const struct asking *asking)
{
	struct ora_command all = {0};
	ora_command_add(&all, asking->source, asking->compiler, asking->witness, NULL);
	add_flags(asking, false, &all);
	for (size_t i = 0; i < asking->one->options.vec.len; i++)
		ora_command_add(&all, asking->one->options.vec.data[i], NULL);
	char *text = ora_command_text(&all);
	ora_command_deinit(&all);
	return text;
}

/* Asks, unless a build with the same bytes was asked about. An oracle that builds by itself goes by
 * the options. */
static void ask_once(struct asking *asking, const char *unopt)
{
	struct ora_case_answer *ret = asking->ret;
	const char *memo = asking->one->oracle->need == ORA_NEEDS_SOURCE || asking->change->strict
				   ? NULL
				   : asking->change->memo;
	XS_AUTO_FREE char *rest = rest_of(asking);
	int known = 0;
	if (memo && ora_memo_get(memo, asking->program, rest, &known)) {
		ret->end = (enum ora_case_end)known;
		ret->same = true;
		return;
	}
	static const char *const quiet[] = {"-g", "-w", NULL};
	if (unopt && !compile(asking, asking->compiler, ORA_UNOPTIMISED, quiet, unopt, NULL))
		return;
	ask_oracle(asking, unopt);
	if (memo && ret->end != ORA_CASE_UNFIT)
		ora_memo_put(memo, asking->program, rest, (int)ret->end);
}

/* Whether the oracle may take the probes' operands for the truth. */
static bool probes_are_true(struct asking *asking)
{
	XS_AUTO_FREE char *text = NULL;
	size_t size = 0;
	XS_AUTO_FILE FILE *file = fopen(asking->source, "re");
	if (asking->one->oracle->need != ORA_NEEDS_PROBES)
		return true;
	if (!file || getdelim(&text, &size, '\0', file) < 0)
		return unfit(asking, xs_strdup("it cannot be read"));
	char *why = ora_case_false_probe(text);
	return !why || unfit(asking, why);
}

/* The builds that the oracle needs; those that take least first. */
static void build_and_ask(struct asking *asking)
{
	static const char *const quiet[] = {"-g", "-w", NULL};
	static const char *const loud[] = {"-g", "-Wall", "-Wextra", NULL};
	const struct ora_case *one = asking->one;
	bool strict = asking->change->strict;
	XS_AUTO_FREE char *unopt = xs_asprintf("%s/case-O0", asking->scratch);
	XS_AUTO_FREE char *said = NULL;
	bool two = one->oracle->need == ORA_NEEDS_TWO;
	if ((strict && !probes_are_true(asking)) ||
		!compile(asking, asking->compiler, asking->level, strict ? loud : quiet,
			asking->program, &said))
		return;
	char *kind = strict ? new_kind(one, said) : NULL;
	if (kind) {
		unfit(asking, xs_asprintf("the compiler warns of it: -W%s", kind));
		free(kind);
		return;
	}
	if (strict && !run_twice(asking))
		return;
	/* Most candidates have lost the finding, few have undefined behaviour, and two builds with
	 * sanitizers cost as much as a debugger that is lent. */
	ask_once(asking, two ? unopt : NULL);
	if (strict && asking->ret->end == ORA_CASE_FOUND)
		is_defined(asking);
}

void ora_case_ask(const struct ora_case *one, const struct ora_case_change *change,
	const char *scratch, struct ora_case_answer *ret)
{
	double began = xs_now();
	struct asking asking = {.one = one,
		.change = change,
		.source = change->source ? change->source : one->source,
		.compiler = change->compiler ? change->compiler : one->compiler,
		.level = change->level ? change->level : one->level,
		.witness = change->witness ? change->witness : one->witness,
		.scratch = scratch,
		.program = xs_asprintf("%s/case", scratch),
		.ret = ret};
	*ret = (struct ora_case_answer){.end = ORA_CASE_GONE};
	build_and_ask(&asking);
	char *other = change->strict && ret->end == ORA_CASE_FOUND
			      ? ora_case_other_culprit(one, change, scratch)
			      : NULL;
	if (other)
		unfit(&asking, other);
	ret->seconds = xs_now() - began;
	free(asking.program);
}

/* --- which finding ---------------------------------------------------------------------------- */

/* All signatures of an answer, a line each. */
static char *list_signatures(const struct ora_campaign_job *job)
{
	char *text = xs_strdup("");
	for (size_t i = 0; i < job->findings.len; i++) {
		XS_AUTO_FREE char *line = xs_asprintf("\n  %s", job->findings.data[i].signature);
		if (strstr(text, line))
			continue;
		char *more = xs_asprintf("%s%s", text, line);
		free(text);
		text = more;
	}
	return text;
}

/* exact: some finding is called just like that, which then means no other. */
static bool is_named(const struct ora_campaign_finding *found, const char *name, bool exact)
{
	if (exact)
		return !strcmp(found->signature, name);
	return !name || !strncmp(found->signature, name, strlen(name)) ||
	       !strncmp(found->id, name, strlen(name));
}

/* Whether a name is a whole signature: it is meant, even if others begin with it. */
static bool is_whole(const struct ora_campaign_job *job, const char *name)
{
	for (size_t i = 0; name && i < job->findings.len; i++)
		if (!strcmp(job->findings.data[i].signature, name))
			return true;
	return false;
}

/* The best of all findings that are named: a proof is better than a suspicion. */
static struct xs_error *choose(struct ora_case *one, const struct ora_campaign_job *job)
{
	static const char *const bases[] = {
		"replayed", "evidence", "contested", "majority", "suspected"};
	const struct ora_campaign_finding *best = NULL;
	size_t rank = sizeof bases / sizeof *bases;
	XS_AUTO_FREE char *all = list_signatures(job);
	bool exact = is_whole(job, one->signature);
	for (size_t i = 0; i < job->findings.len; i++) {
		const struct ora_campaign_finding *found = &job->findings.data[i];
		size_t at = 0;
		if (!is_named(found, one->signature, exact))
			continue;
		if (best && strcmp(best->signature, found->signature) != 0)
			return xs_error_create("%s: more than one signature%s%s; name one with "
					       "--signature:%s",
				one->source, one->signature ? " begins with " : "",
				one->signature ? one->signature : "", all);
		while (at < sizeof bases / sizeof *bases &&
			(!found->basis || strcmp(bases[at], found->basis) != 0))
			at++;
		if (best && at >= rank)
			continue;
		best = found;
		rank = at;
	}
	if (!best)
		return xs_error_create("%s: %s finds %s%s%s", one->source, one->oracle->name,
			job->findings.len ? "something else:" : "nothing", all,
			one->signature ? "" : ": there is no finding to look into");
	free(one->signature);
	one->signature = xs_strdup(best->signature);
	one->wrong = xs_strdup(best->wrong);
	one->basis = best->basis ? xs_strdup(best->basis) : NULL;
	one->function = best->function ? xs_strdup(best->function) : NULL;
	one->variable = best->variable ? xs_strdup(best->variable) : NULL;
	return NULL;
}

/* What its own source warns of; and a sanitizer that complains of it already is of no use. */
static void settle_fitness(struct ora_case *one, const char *scratch)
{
	static const char *const loud[] = {"-g", "-Wall", "-Wextra", NULL};
	static const char *const plain[] = {
		"-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", NULL};
	static const char *const memory[] = {"-w", "-fsanitize=memory", NULL};
	const struct ora_case_change none = {0};
	struct ora_case_answer answer = {0};
	XS_AUTO_FREE char *said = NULL;
	XS_AUTO_FREE char *program = xs_asprintf("%s/case", scratch);
	struct asking asking = {.one = one,
		.change = &none,
		.source = one->source,
		.scratch = scratch,
		.ret = &answer};
	if (compile(&asking, one->compiler, one->level, loud, program, &said))
		ora_case_kinds(said, &one->warnings);
	if (one->sanitizer && !run_sanitized(&asking, one->sanitizer, plain, "-O1")) {
		free(one->sanitizer);
		one->sanitizer = NULL;
	}
	ora_case_answer_deinit(&answer);
	if (one->memory && !run_sanitized(&asking, one->memory, memory, "-O0")) {
		free(one->memory);
		one->memory = NULL;
	}
	ora_case_answer_deinit(&answer);
}

/* Asks once more. Options that are not recorded are tried at the same time: see rule 3. */
static struct xs_error *settle_again(struct ora_case *one, const char *memo, const char *scratch)
{
	const struct ora_case_change changes[] = {
		{.unrecorded = true, .memo = memo}, {.memo = memo}};
	for (size_t i = 0; i < 2; i++) {
		struct ora_case_answer answer;
		ora_case_ask(one, &changes[i], scratch, &answer);
		bool found = answer.end == ORA_CASE_FOUND;
		ora_case_answer_deinit(&answer);
		if (found) {
			one->unrecorded = changes[i].unrecorded;
			return NULL;
		}
	}
	return xs_error_create("%s: %s finds this when it is asked once, and not when it is asked "
			       "again: %s; what comes and goes by itself has no cause that can be "
			       "searched like this",
		one->source, one->oracle->name, one->signature);
}

struct xs_error *ora_case_settle(struct ora_case *one, const char *memo, const char *scratch)
{
	const struct ora_case_change none = {0};
	struct ora_case_answer answer;
	ora_case_ask(one, &none, scratch, &answer);
	struct xs_error *err = answer.why ? xs_error_create("%s: %.*s", one->source,
						    (int)strcspn(answer.why, "\n"), answer.why)
					  : choose(one, &answer.job);
	ora_case_answer_deinit(&answer);
	if (!err)
		err = settle_again(one, memo, scratch);
	if (!err)
		settle_fitness(one, scratch);
	return err;
}

/* --- as JSON ---------------------------------------------------------------------------------- */

static json_t *pack_words(const struct ora_command *line)
{
	json_t *list = json_array();
	for (size_t i = 0; i < line->vec.len; i++)
		json_array_append_new(list, ora_json_text(line->vec.data[i]));
	return list;
}

static void unpack_words(const json_t *list, struct ora_command *ret)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (json_is_string(json_array_get(list, i)))
			ora_command_add(ret, json_string_value(json_array_get(list, i)), NULL);
}

/* One table for both ways. */
#define F(name)                                                                                    \
	{                                                                                          \
#name, offsetof(struct ora_case, name)                                             \
	}
static const struct {
	const char *key;
	size_t offset; /* of a char * */
} texts[] = {F(xstep), F(source), F(compiler), F(level), F(witness), F(signature), F(wrong),
	F(basis), F(function), F(variable), F(sanitizer), F(memory), F(pass)};
#undef F

json_t *ora_case_pack(const struct ora_case *one)
{
	json_t *packed = json_object();
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		char *text;
		memcpy(&text, (const char *)one + texts[i].offset, sizeof text);
		if (text)
			json_object_set_new(packed, texts[i].key, ora_json_text(text));
	}
	json_object_set_new(packed, "oracle", ora_json_text(one->oracle->name));
	json_object_set_new(packed, "flags", pack_words(&one->flags));
	json_object_set_new(packed, "options", pack_words(&one->options));
	json_object_set_new(packed, "warnings", pack_words(&one->warnings));
	json_object_set_new(packed, "run_seconds", json_real(one->run_seconds));
	json_object_set_new(packed, "ask_seconds", json_real(one->ask_seconds));
	json_object_set_new(packed, "without", pack_words(&one->without));
	json_object_set_new(packed, "pass_turn", json_integer((json_int_t)one->pass_turn));
	json_object_set_new(packed, "unrecorded", json_boolean(one->unrecorded));
	return packed;
}

bool ora_case_unpack(const json_t *packed, struct ora_case *ret)
{
	const char *oracle = json_string_value(json_object_get(packed, "oracle"));
	*ret = (struct ora_case){.oracle = oracle ? ora_oracle_find(oracle) : NULL,
		.run_seconds = json_number_value(json_object_get(packed, "run_seconds")),
		.ask_seconds = json_number_value(json_object_get(packed, "ask_seconds")),
		.unrecorded = json_is_true(json_object_get(packed, "unrecorded"))};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		const char *value = json_string_value(json_object_get(packed, texts[i].key));
		char *text = value ? xs_strdup(value) : NULL;
		memcpy((char *)ret + texts[i].offset, &text, sizeof text);
	}
	unpack_words(json_object_get(packed, "flags"), &ret->flags);
	unpack_words(json_object_get(packed, "options"), &ret->options);
	unpack_words(json_object_get(packed, "warnings"), &ret->warnings);
	unpack_words(json_object_get(packed, "without"), &ret->without);
	ret->pass_turn = (uint64_t)json_integer_value(json_object_get(packed, "pass_turn"));
	return ret->oracle && ret->xstep && ret->source && ret->compiler && ret->level &&
	       ret->witness && ret->signature && ret->run_seconds > 0 && ret->ask_seconds > 0;
}
