/* cmd_ccmd.c - xstep ccmd: is the machine code the same with debug information and without? */
#include <signal.h>

#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/report/ccmd_print.h"

struct options {
	const char *compilers, *levels, *gs;
	struct xs_strings extra;
	struct cli_finding_wishes wishes;
	struct ora_ccmd ccmd;
	bool quiet;
	struct cli_progress progress; /* its own: while it runs */
};

#define FIELD(name) offsetof(struct options, name)

static const struct cli_option options[] = {
	{"What to compare", "compiler", 0, CLI_STRING, "CC[,CC...]",
		"compilers, by name or path (the newest gcc and the newest clang on PATH)",
		FIELD(compilers)},
	{"What to compare", "levels", 0, CLI_STRING, "LEVEL[,...]",
		"levels of optimisation; a word of several, as '-O2 -m32', is one "
		"(-O0,-O1,-O2,-O3,-Os)",
		FIELD(levels)},
	{"What to compare", "g", 0, CLI_STRING, "-gX[,...]",
		"debug information, each against -g0 (-g2)", FIELD(gs)},
	{"What to compare", "extra", 0, CLI_STRINGS, "FLAGS",
		"more options for all builds, as -I, -m32, -flto, -ffunction-sections; may be "
		"repeated",
		FIELD(extra)},
	{"What to compare", "no-compare-debug", 0, CLI_FLAG, NULL,
		"gcc: do not run its own check, -fcompare-debug, beside",
		FIELD(ccmd.no_compare_debug)},

	{"What to compare", "mutate", 0, CLI_COUNT, "N",
		"N mutants of each source, too: see xstep mutate --help (none)",
		FIELD(ccmd.mutants)},
	{"What to compare", "seed", 0, CLI_COUNT, "N", "of the first mutant; the next has N+1 (1)",
		FIELD(ccmd.how.seed)},
	{"What to compare", "rcl", 0, CLI_CHANCE, "P", "mutants: chance of a place for rcl (0.9)",
		FIELD(ccmd.how.chance[SRC_MUTATE_RCL])},
	{"What to compare", "fco", 0, CLI_CHANCE, "P", "for fco (0.5)",
		FIELD(ccmd.how.chance[SRC_MUTATE_FCO])},
	{"What to compare", "asm", 0, CLI_CHANCE, "P", "for asm (0)",
		FIELD(ccmd.how.chance[SRC_MUTATE_ASM])},
	{"What to compare", "ocp", 0, CLI_CHANCE, "P", "for ocp (0.05)",
		FIELD(ccmd.how.chance[SRC_MUTATE_OCP])},

	{"How", "jobs", 'j', CLI_COUNT, "N", "cases at a time (the number of processors)",
		FIELD(ccmd.jobs)},
	{"How", "timeout", 0, CLI_SECONDS, "S",
		"a compiler that is not done after S seconds hangs (60)", FIELD(ccmd.timeout)},

	{"Output", "output", 'o', CLI_STRING, "DIR",
		"keep results and failing cases there; what is there already is not run again",
		FIELD(ccmd.output)},
	CLI_FINDING_OPTIONS(struct options, wishes, "finding"),
	{"Output", "quiet", 'q', CLI_FLAG, NULL, "no line of progress on the terminal",
		FIELD(quiet)},
	{0},
};

/* Lines as they are printed. */
/* clang-format off */
static const char details[] =
	"Compiles each source without debug information (-g0) and with it, all else being equal, and\n"
	"compares the machine code of the objects: executable sections, function by function, and the\n"
	"data that they refer to. A reference is what it points at, however it is written: a symbol, an\n"
	"instruction of a function, a string by its content. Offsets, order of data, numbers in local\n"
	"names, notes and .comment are of no matter. With -flto code comes into being at link time: the\n"
	"object is then linked by itself with -r (gcc: -flinker-output=nolto-rel), which keeps symbols\n"
	"and needs no main.\n"
	"\n"
	"Kinds of findings:\n"
	"  extra, missing  with debug information there are more, or fewer, instructions\n"
	"  register        the same instruction on other registers\n"
	"  operand         the same instruction with another number, or on something else\n"
	"  other           another instruction in its place\n"
	"  order, layout   the same instructions in another order: of straight code, or across jumps\n"
	"  target          the same, but a jump leads elsewhere\n"
	"  function        a function that only one build has\n"
	"  data            data that the code uses, or that is exported, differs\n"
	"  symbol          an exported name is weak, hidden, of another type or size, or elsewhere\n"
	"  unwind          only the unwind tables differ\n"
	"  padding         only nops that fill space, or alignment; encoding: only lengths of jumps\n"
	"  crash, hang     the compiler crashes, or is not done in time; refused: only with -g\n"
	"  unstable        two builds with -g0 differ, too: -g need not be to blame\n"
	"  disagreement    gcc's -fcompare-debug sees a difference, and the machine code has none\n"
	"Of several differences in an object the first in code stands for all. Findings with the same\n"
	"signature (kind, compiler, flags, pair of operations) are one cluster; a line of a --known file\n"
	"is PATTERN | REFERENCE | NOTE, and patterns are matched against the signature.\n"
	"\n"
	"-o DIR: DIR/cases.jsonl has a line for each case that is done, so that an interrupted run goes\n"
	"on where it ended; DIR/mutants has the mutants. DIR/failing/KIND-ID has the source, the two\n"
	"commands, the two disassemblies (g0.txt, g2.txt, addresses counted from each function) and\n"
	"where they part (difference.txt).\n"
	"\n"
	"JSON: {\"compilers\":[{compiler,version}],\"cases\":[{case,source,mutant,compiler,flags,builds,\n"
	"taken_apart,compile_seconds,compare_debug_seconds,check_seconds,error,findings}],\n"
	"\"clusters\":[{signature,count,first,known}],\"findings\":[{id,signature,kind,meaning,source,\n"
	"mutant,compiler,version,flags,g,where,file,line,functions,differ,differences:[{where,kind}],\n"
	"instructions,context,commands,compare_debug,folder,known}]}; taken_apart: how many builds were\n"
	"compared by function, as their bytes differ; instructions and commands: without -g, then with it.\n"
	"\n"
	"Exit status: 0 no finding, 1 some, 2 trouble (also if a source does not compile; the others are\n"
	"checked all the same).\n";
/* clang-format on */

/* --- compilers ------------------------------------------------------------------------------- */

static struct xs_error *find_compilers(const struct options *values, struct ora_ccmd *ccmd)
{
	struct ora_ccmd_words names = {0};
	struct xs_error *err = NULL;
	if (values->compilers) {
		ora_ccmd_split(&names, values->compilers, ",");
	} else {
		char *found[] = {ora_compiler_newest("gcc"), ora_compiler_newest("clang")};
		for (unsigned i = 0; i < 2; i++)
			if (found[i])
				xs_vec_push(&names.vec, found[i]);
	}
	if (!names.vec.len)
		err = xs_error_create(
			"no compiler: neither gcc nor clang is on PATH; apt-get install gcc-12, or "
			"name one with --compiler");
	for (size_t i = 0; i < names.vec.len; i++) {
		struct ora_compiler compiler;
		if (!err) {
			err = xs_error_context(
				ora_compiler_init(&compiler, names.vec.data[i]), "--compiler");
			xs_vec_push(&ccmd->compilers, compiler);
		}
	}
	ora_ccmd_words_deinit(&names);
	return err;
}

/* --- the command ----------------------------------------------------------------------------- */

static struct xs_error *prepare(struct options *values)
{
	struct ora_ccmd *ccmd = &values->ccmd;
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	ora_ccmd_split(&ccmd->levels, values->levels ? values->levels : "-O0,-O1,-O2,-O3,-Os", ",");
	ora_ccmd_split(&ccmd->gs, values->gs ? values->gs : "-g2", ",");
	for (size_t i = 0; i < values->extra.vec.len; i++)
		ora_ccmd_split(&ccmd->extra, values->extra.vec.data[i], " \t\n");
	for (size_t i = 0; i < ccmd->gs.vec.len; i++)
		if (strncmp(ccmd->gs.vec.data[i], "-g", 2) != 0 ||
			!strcmp(ccmd->gs.vec.data[i], "-g0") || strchr(ccmd->gs.vec.data[i], '/'))
			return xs_error_create("--g: '%s' is no option for debug information: -g1, "
					       "-g2, -g3, -ggdb",
				ccmd->gs.vec.data[i]);
	if (!ccmd->levels.vec.len || !ccmd->gs.vec.len)
		return xs_error_create("--%s: nothing is named", ccmd->gs.vec.len ? "levels" : "g");
	if (!ccmd->jobs)
		ccmd->jobs = processors > 0 ? (uint64_t)processors : 1;
	return find_compilers(values, ccmd);
}

static void on_progress(void *context, size_t done, size_t findings)
{
	struct options *values = context;
	if (!cli_progress_due(&values->progress))
		return;
	XS_AUTO_FREE char *text = xs_asprintf("%zu of %zu cases, %zu finding%s", done,
		values->ccmd.cases.len, findings, findings == 1 ? "" : "s");
	cli_progress_text(&values->progress, text);
}

static struct xs_error *run(struct options *values)
{
	struct xs_error *err = prepare(values);
	if (err)
		return err;
	values->ccmd.on_progress = on_progress;
	values->ccmd.context = values;
	cli_progress_init(&values->progress, values->quiet);
	err = ora_ccmd_run(&values->ccmd);
	cli_progress_end(&values->progress);
	return err;
}

static int cmd_ccmd(int argc, char **argv)
{
	struct options values = {.ccmd = {.timeout = 60, .how = SRC_MUTATE_INIT}};
	struct xs_strings sources = {0};
	struct ora_ccmd *ccmd = &values.ccmd;
	bool help = false;
	ccmd->how.seed = 1;
	struct xs_error *err = cli_parse_all(&cli_ccmd, argc, argv, &values, &sources, &help);
	for (size_t i = 0; i < sources.vec.len; i++)
		xs_vec_push(&ccmd->sources, sources.vec.data[i]);
	struct cli_ccmd_print print = {.out = stdout, .ccmd = ccmd, .wishes = &values.wishes};
	if (!err && help)
		cli_print_help(&cli_ccmd, stdout);
	else if (!err && !ccmd->sources.len)
		err = xs_error_create("ccmd: no source; see xstep ccmd --help");
	else if (!err && !(err = run(&values)) && !ccmd->signal)
		err = cli_ccmd_print(&print);
	int signal = ccmd->signal;
	ora_ccmd_deinit(ccmd);
	xs_vec_deinit(&sources.vec);
	xs_vec_deinit(&values.extra.vec);
	xs_vec_deinit(&values.wishes.known.vec);
	int status = err             ? cli_fail(err)
		     : print.trouble ? CLI_TROUBLE
		     : print.shown   ? CLI_FOUND
				     : CLI_NOTHING;
	if (signal) /* whoever sent it expects us to die of it */
		raise(signal);
	return status;
}

const struct cli_command cli_ccmd = {
	.name = "ccmd",
	.operands = "SOURCE...",
	.summary =
		"Compare the machine code that compilers make with and without debug information",
	.details = details,
	.options = options,
	.run = cmd_ccmd,
};
