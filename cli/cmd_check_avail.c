/* cmd_check_avail.c - xstep check avail: whether variables that must be there are, by facts of the
 * source. */
#include <unistd.h>

#include "base/path.h"
#include "base/shown.h"
#include "cli/check_options.h"
#include "cli/commands.h"
#include "source/opaque.h"

struct options {
	struct cli_check check;
	struct xs_strings sources, flags;
	bool inject;
	uint64_t seed;
};

static const struct cli_option options[] = {
	{"What to check", "source", 0, CLI_STRINGS, "FILE",
		"a C source of the program; may be repeated", offsetof(struct options, sources)},
	{"What to check", "flag", 0, CLI_STRINGS, "FLAG",
		"an option for the parser, as for a compiler: -Iinclude, -DNAME; may be "
		"repeated",
		offsetof(struct options, flags)},
	{"What to check", "from", 0, CLI_STRING, "PLACE",
		"begin at the first call of FUNCTION, or at the first arrival at FILE:LINE, "
		"and end when that call returns (default: main)",
		offsetof(struct options, check.record.from)},
	{"What to check", "trace", 0, CLI_STRINGS, "N",
		"with FILE.db: a trace by breakpoints; traces of other witnesses may follow",
		offsetof(struct options, check.traces)},
	{"What to check", "inject-opaque", 0, CLI_FLAG, NULL,
		"instead, print the source with a call of " SRC_OPAQUE
		"(count, ...) in each function; the visible locals are passed to it",
		offsetof(struct options, inject)},
	{"What to check", "seed", 0, CLI_NUMBER, "N",
		"with --inject-opaque: decides where in the functions the calls go "
		"(default: 0)",
		offsetof(struct options, seed)},
	CLI_CHECK_WITNESS_OPTIONS(struct options, check),
	CLI_PROGRAM_OPTIONS(struct options, check.record.program),
	CLI_CHECK_STORE_OPTIONS(struct options, check),
	CLI_CHECK_FINDING_OPTIONS(struct options, check),
	{0},
};

static const char details[] =
	"Runs the program from one temporary breakpoint on a line to the next. At the\n"
	"first hit of each line it looks up which variables have a value. Which variables\n"
	"must have one is worked out from the sources, which libclang parses. The\n"
	"conjectures are those of the paper on completeness:\n"
	"  C1  A variable that is passed to a function nobody can look into has a value\n"
	"      at the call: a function defined elsewhere; one of a library or called\n"
	"      through a pointer, if the code there has a call.\n"
	"  C2  At an assignment to global storage, an operand has a value if it is\n"
	"      constant, or an index or a loop's variable that is used later. Left alone\n"
	"      are lines whose code, where it is hit, stores nothing: a load that was\n"
	"      moved.\n"
	"  C3  After an assignment, a variable's availability does not improve until the\n"
	"      next one. Asked if the value was there all the time: a constant, or\n"
	"      registers and memory that are not written in between.\n"
	"\n"
	"Each violation says what is wrong with the variable's entry in the DWARF:\n"
	"  missing     there is no entry\n"
	"  hollow      it has no location\n"
	"  incomplete  its location list does not cover the pc\n"
	"  incorrect   it is not in scope there, or cannot be evaluated\n"
	"\n"
	"Who is wrong: see xstep check opt --help. The JSON is described there, too; here\n"
	"each violation has `flaw` as well.\n"
	"\n"
	"For C1, compile what --inject-opaque prints, and link it with\n"
	"`void " SRC_OPAQUE "(int n, ...) {}` from another file.\n"
	"\n"
	"Exit status:\n"
	"  0  no violation\n"
	"  1  at least one violation\n"
	"  2  trouble; also if nothing could be asked\n";

static const struct ora_trace_need needs[] = {
	{"break", ORA_LEVEL_BREAK, ORA_SAMPLE_ALL, .bare = false}};

static struct xs_error *inject(const struct options *values)
{
	XS_AUTO(src_unit) unit = NULL;
	struct src_facts facts = {0};
	if (values->sources.vec.len != 1)
		return xs_error_create("--inject-opaque: name exactly one --source FILE");
	struct xs_error *err = src_unit_open(
		values->sources.vec.data[0], values->flags.vec.data, values->flags.vec.len, &unit);
	if (err)
		return err;
	src_facts_collect(unit, &facts);
	src_inject_opaque(unit, &facts, values->seed, stdout);
	src_facts_deinit(&facts);
	return fflush(stdout) || ferror(stdout) ? xs_error_sys("standard output") : NULL;
}

/* A source that is not there is refused before the program is run. */
static struct xs_error *check_sources(const struct xs_strings *sources)
{
	for (size_t i = 0; i < sources->vec.len; i++)
		if (access(sources->vec.data[i], R_OK))
			return xs_error_sys("--source %s", sources->vec.data[i]);
	return NULL;
}

/* Sees that the traces are there, of a program or of a store. */
static struct xs_error *find_traces(struct cli_check *check, char **argv)
{
	if (ora_store_is_meant(argv[0]))
		return cli_check_named(check, argv[0], needs, 1);
	if (check->traces.vec.len)
		return xs_error_create("--trace: it takes a trace store, not a program");
	return ora_trace_cache_fill(&check->checking.cache, argv, needs, 1);
}

/* What it takes to do it again, for --report. */
static void tell_words(struct options *values, char **argv)
{
	struct cli_check *check = &values->check;
	if (ora_store_is_meant(argv[0]))
		return;
	cli_check_words(check, "avail");
	for (size_t i = 0; i < values->sources.vec.len; i++) {
		cli_again_word(&check->again, "--source");
		cli_again_file(&check->again, values->sources.vec.data[i], "source");
	}
	for (size_t i = 0; i < values->flags.vec.len; i++) {
		cli_again_word(&check->again, "--flag");
		cli_again_word(&check->again, values->flags.vec.data[i]);
	}
	cli_again_subject(&check->again, argv);
}

static int cmd_check_avail(int argc, char **argv)
{
	struct options values = {.check = CLI_CHECK_INIT};
	struct cli_check *check = &values.check;
	struct ora_check_avail avail = {.check = &check->checking.check};
	int first = 0;
	bool help = false;
	struct xs_error *err = cli_parse(&cli_check_avail, argc, argv, &values, &first, &help);
	cli_check_begin(check);
	if (!err && help)
		cli_print_help(&cli_check_avail, stdout);
	else if (!err && values.inject)
		err = inject(&values);
	else if (!err && (first >= argc || !values.sources.vec.len))
		err = xs_error_create(
			"check avail: name a program and its --source FILE; see xstep check "
			"avail --help");
	else if (!err && !(err = check_sources(&values.sources)) &&
		 !(err = find_traces(check, argv + first)) &&
		 !(err = ora_checking_begin(&check->checking, needs, 1, "break"))) {
		tell_words(&values, argv + first);
		for (size_t i = 0; !err && i < values.sources.vec.len; i++)
			err = ora_checking_source(&avail, values.sources.vec.data[i],
				values.flags.vec.data, values.flags.vec.len);
		if (!err && !avail.stops)
			err = xs_error_create("check avail: nothing could be asked: no line of %s "
					      "was hit; is the program made of it?",
				values.sources.vec.data[0]);
		XS_AUTO_FREE char *headline =
			xs_asprintf("%s: %" PRIu64 " lines of the sources hit",
				xs_base_name(check->checking.check.subject), avail.hits);
		if (!err)
			err = cli_check_print(check, "check avail", headline);
	}
	xs_vec_deinit(&values.sources.vec);
	xs_vec_deinit(&values.flags.vec);
	return cli_check_end(check, err);
}

const struct cli_command cli_check_avail = {
	.name = "check avail",
	.operands = "--source FILE... PROGRAM [ARG...] | --source FILE... FILE.db",
	.summary = "Find variables that must have a value, by the facts of the source",
	.details = details,
	.options = options,
	.run = cmd_check_avail,
	.paged = true,
};
