/* cmd_check_twins.c - xstep check twins: whether two builds with the same machine code and other
 * debug information say the same. */
#include <errno.h>

#include "base/path.h"
#include "base/private.h"
#include "base/scratch.h"
#include "base/shown.h"
#include "cli/check_options.h"
#include "cli/commands.h"
#include "oracle/session/twin_builds.h"
#include "oracle/session/twinning.h"

struct options {
	struct cli_check check;
	struct xs_strings sources, flags;
	bool open, identical;
	const char *compiler, *options, *libraries, *keep;
	struct xs_strings variants;
};

#define RECORD(name) offsetof(struct options, check.record.name)

static const struct cli_option options[] = {
	{"What to check", "from", 0, CLI_STRING, "PLACE",
		"begin at the first call of FUNCTION, or at the first arrival at FILE:LINE, "
		"and end when that call returns (default: main)",
		RECORD(from)},
	{"What to check", "limit", 0, CLI_COUNT, "N",
		"end the program after N stops (default: no limit)", RECORD(limit)},
	{"What to check", "vars", 0, CLI_CHOICE, "none|locals|all",
		"which variables: those of the active function, or globals as well "
		"(default: all)",
		RECORD(vars)},
	{"What to check", "max-leaves", 0, CLI_COUNT, "N",
		"look at no more than N leaves of a variable (default: 4096)", RECORD(max_leaves)},
	{"What to check", "identical", 0, CLI_FLAG, NULL,
		"a tool made OTHER of PROGRAM: everything must be the same (default: if both "
		"have one build-id)",
		offsetof(struct options, identical)},
	{"What to check", "open", 0, CLI_FLAG, NULL,
		"list what is open, too: assignments that take effect at another moment, and "
		"values that are lost in one unless they are stale in the other",
		offsetof(struct options, open)},
	{"What to check", "source", 0, CLI_STRINGS, "FILE",
		"a C source of the program, which tells parameters that are never written; "
		"may be repeated",
		offsetof(struct options, sources)},
	{"What to check", "flag", 0, CLI_STRINGS, "FLAG",
		"an option for the parser, as for a compiler: -Iinclude, -DNAME; may be "
		"repeated",
		offsetof(struct options, flags)},
	{"What to build", "compiler", 0, CLI_STRING, "NAME",
		"build the program and its twins from --source FILE... by this compiler: "
		"gcc-12, clang-15, ...; what follows are the program's arguments (default: "
		"nothing is built)",
		offsetof(struct options, compiler)},
	{"What to build", "flags", 0, CLI_STRING, "FLAGS",
		"the compiler's options, for all builds (default: -g -O2)",
		offsetof(struct options, options)},
	{"What to build", "libs", 0, CLI_STRING, "LIBS",
		"what stands behind the sources: -lm (default: none)",
		offsetof(struct options, libraries)},
	{"What to build", "variant", 0, CLI_STRINGS, "FLAGS",
		"a twin: options that are added, or what a tool makes of the program: dwz, "
		"keep-debug, debuglink, dwp; may be repeated (default: all known for the "
		"compiler)",
		offsetof(struct options, variants)},
	{"What to build", "keep", 0, CLI_STRING, "DIR",
		"keep the builds in this folder (default: they are removed)",
		offsetof(struct options, keep)},
	{"How", "mode", 0, CLI_CHOICE, "exact|single",
		"exact: block by block; single: PTRACE_SINGLESTEP for each instruction "
		"(default: exact)",
		RECORD(mode)},
	{"How", "sample", 0, CLI_CHOICE, "none|all|unique|dtd",
		"which stops to look at: all; unique: the first of each transition; dtd: the "
		"choice of the DTD paper (default: dtd)",
		RECORD(sample)},
	{"How", "seed", 0, CLI_NUMBER, "N", "changes which stops dtd chooses (default: 0)",
		RECORD(seed)},
	CLI_PROGRAM_OPTIONS(struct options, check.record.program),
	{"Output", "quiet", 'q', CLI_FLAG, NULL, "print no line of progress on the terminal",
		offsetof(struct options, check.quiet)},
	CLI_CHECK_FINDING_OPTIONS(struct options, check),
	{0},
};

static const char details[] =
	"Runs PROGRAM, and reads every variable at each stop twice: by its own debug\n"
	"information, and by that of OTHER. OTHER has the same machine code, which is\n"
	"proven first: what is loaded is the same, byte for byte. It may be another build\n"
	"(gcc -fno-var-tracking-assignments, clang -gdwarf-4), or what a tool has made of\n"
	"PROGRAM: a debug file, a dwz'ed, stripped or compressed copy.\n"
	"  T1  Two values at one stop: one of them is a lie.\n"
	"  T2  A value in one only: a loss that need not be.\n"
	"  T3  What a tool made of PROGRAM says the same as PROGRAM: in every value, state,\n"
	"      line, function and inlined call.\n"
	"\n"
	"Words of T1:\n"
	"  contradiction  Both said the same before in that call, and no moment of one\n"
	"                 assignment explains what they say now; or a parameter that the\n"
	"                 source never writes.\n"
	"  other-moment   One says the new value sooner than the other (--open).\n"
	"\n"
	"Words of T2; behind each, -in-other if it is OTHER that has no value:\n"
	"  gap            No value between two places where both say the same.\n"
	"  late           A parameter's value only from some place on.\n"
	"  lost           Both said it; one still does (--open).\n"
	"  malformed      Its expression breaks a rule of DWARF; the other one's does not.\n"
	"\n"
	"Who is wrong:\n"
	"Which of two values is the lie is open, and nobody is named, unless --source says\n"
	"that it is a parameter that is never written: it has one value in one call. That\n"
	"also tells a loss from what is stale. Of T3 the tool is wrong, or xstep.\n"
	"\n"
	"Exit status:\n"
	"  0  no violation\n"
	"  1  at least one violation\n"
	"  2  trouble; also if the code is not the same, or nothing could be asked\n";

/* What it takes to do it again, for --report. */
static void tell_words(struct options *values, const struct ora_twinning *twinning, char **argv)
{
	struct cli_check *check = &values->check;
	cli_check_words(check, "twins");
	if (values->open)
		cli_again_word(&check->again, "--open");
	if (values->identical)
		cli_again_word(&check->again, "--identical");
	for (size_t i = 0; i < values->sources.vec.len; i++) {
		cli_again_word(&check->again, "--source");
		cli_again_file(&check->again, values->sources.vec.data[i], "source");
	}
	for (size_t i = 0; i < values->flags.vec.len; i++) {
		cli_again_word(&check->again, "--flag");
		cli_again_word(&check->again, values->flags.vec.data[i]);
	}
	/* Of several twins nobody knows which one a finding is about. */
	if (twinning->files.len == 1)
		cli_again_twin(&check->again, (char *)(uintptr_t)twinning->files.data[0].path,
			!twinning->debug_file, argv);
	else
		cli_again_subject(&check->again, argv);
}

/* Runs the program, and has it compared with all files. */
static struct xs_error *compare(struct options *values, struct ora_twinning *twinning)
{
	struct cli_check *check = &values->check;
	char **argv = (char **)(uintptr_t)twinning->argv;
	twinning->checking = &check->checking;
	twinning->open = values->open;
	struct xs_error *err = ora_checking_begin_live(&check->checking, argv, "other",
		"other debug information of the same code", "twins");
	if (!err)
		err = ora_twinning_run(twinning);
	check->checking.cache.signal = twinning->interrupted_by;
	if (err)
		return err;
	tell_words(values, twinning, argv);
	XS_AUTO_FREE char *others = twinning->compared == 1
					    ? xs_strdup(twinning->files.data[0].name)
					    : xs_asprintf("%zu twins", twinning->compared);
	XS_AUTO_FREE char *headline = xs_asprintf(
		"%s and %s: %" PRIu64 " stops", xs_base_name(argv[0]), others, twinning->stops);
	return cli_check_print(check, "check twins", headline);
}

/* Files that are there. */
static struct xs_error *compare_files(struct options *values, char *other, char **argv)
{
	struct ora_twinning twinning = {
		.argv = argv, .sources = values->sources, .flags = values->flags};
	bool namesakes = !strcmp(xs_base_name(other), xs_base_name(argv[0]));
	xs_vec_push(&twinning.files, ((struct ora_twin_file){.path = other,
					     .name = namesakes ? other : xs_base_name(other),
					     .identical = values->identical}));
	struct xs_error *err = compare(values, &twinning);
	xs_vec_deinit(&twinning.files);
	return err;
}

/* Files that are to be made; words: the program's arguments, behind one that is the program's
 * place. */
static struct xs_error *compare_builds(struct options *values, char **words)
{
	struct cli_check *check = &values->check;
	struct ora_twin_builds builds = {.compiler = values->compiler,
		.options = values->options ? values->options : "-g -O2",
		.libraries = values->libraries,
		.sources = values->sources,
		.variants = values->variants,
		.folder = values->keep,
		.on_warning = check->checking.on_warning};
	struct ora_twinning twinning = {.argv = words, .sources = values->sources, .made = true};
	char *scratch = NULL;
	struct xs_error *err = NULL;
	if (!values->sources.vec.len)
		err = xs_error_create("--compiler: name the program's --source FILE, too");
	else if (!values->keep && !(err = xs_scratch_create("twins", &scratch)))
		builds.folder = scratch;
	else if (!err && values->keep && xs_private_folder(values->keep) && errno != EEXIST)
		err = xs_error_sys("%s", values->keep);
	if (!err)
		err = ora_twin_builds_make(&builds);
	for (size_t i = 0; i < builds.parser.len; i++)
		xs_vec_push(&twinning.flags.vec, builds.parser.data[i]);
	for (size_t i = 0; i < builds.list.len; i++) {
		const struct ora_twin_build *one = &builds.list.data[i];
		struct ora_twin_file file = {.path = one->path,
			.name = one->name,
			.identical = one->identical,
			.optional = true};
		xs_vec_push(&twinning.files, file);
	}
	words[0] = builds.program;
	if (!err && !builds.list.len)
		err = xs_error_create("check twins: no twin could be built");
	if (!err)
		err = compare(values, &twinning);
	xs_vec_deinit(&twinning.files);
	xs_vec_deinit(&twinning.flags.vec);
	ora_twin_builds_deinit(&builds);
	xs_scratch_destroy(scratch);
	return err;
}

static int cmd_check_twins(int argc, char **argv)
{
	struct options values = {.check = CLI_CHECK_INIT};
	values.check.alone = true;
	struct cli_check *check = &values.check;
	int first = 0;
	bool help = false;
	struct xs_error *err = cli_parse(&cli_check_twins, argc, argv, &values, &first, &help);
	cli_check_begin(check);
	if (!err && help) {
		cli_print_help(&cli_check_twins, stdout);
	} else if (!err && values.compiler) {
		err = compare_builds(&values, argv + first - 1);
	} else if (!err && argc - first < 2) {
		err = xs_error_create("check twins: name a program and another file with its code; "
				      "see xstep check twins --help");
	} else if (!err) {
		char *other = argv[first + 1];
		argv[first + 1] = argv[first];
		err = compare_files(&values, other, argv + first + 1);
	}
	xs_vec_deinit(&values.sources.vec);
	xs_vec_deinit(&values.flags.vec);
	xs_vec_deinit(&values.variants.vec);
	return cli_check_end(check, err);
}

const struct cli_command cli_check_twins = {
	.name = "check twins",
	.operands = "PROGRAM OTHER [ARG...] | --compiler NAME --source FILE... [ARG...]",
	.summary = "Compare two debug informations of the same machine code",
	.details = details,
	.options = options,
	.run = cmd_check_twins,
	.paged = true,
};
