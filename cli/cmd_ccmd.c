/* cmd_ccmd.c - xstep ccmd: is the machine code the same with debug information and without? */
#include <signal.h>

#include "cli/commands.h"
#include "cli/finding_options.h"
#include "cli/report/progress.h"
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
		"compilers, by name or path (default: the newest gcc and the newest clang "
		"on PATH)",
		FIELD(compilers)},
	{"What to compare", "levels", 0, CLI_STRING, "LEVEL[,...]",
		"levels of optimisation; one level may have several words: '-O2 -m32' "
		"(default: -O0,-O1,-O2,-O3,-Os)",
		FIELD(levels)},
	{"What to compare", "g", 0, CLI_STRING, "-gX[,...]",
		"options for debug information; each is compared with -g0 (default: -g2)",
		FIELD(gs)},
	{"What to compare", "extra", 0, CLI_STRINGS, "FLAGS",
		"more options for all builds, such as -I, -m32, -flto or "
		"-ffunction-sections; may be repeated",
		FIELD(extra)},
	{"What to compare", "no-compare-debug", 0, CLI_FLAG, NULL,
		"do not run gcc's own check, -fcompare-debug, as well",
		FIELD(ccmd.no_compare_debug)},

	{"What to compare", "mutate", 0, CLI_COUNT, "N",
		"check N mutants of each source, too; see xstep mutate --help (default: "
		"none)",
		FIELD(ccmd.mutants)},
	{"What to compare", "seed", 0, CLI_COUNT, "N",
		"the seed of the first mutant; the next one has N+1 (default: 1)",
		FIELD(ccmd.how.seed)},
	{"What to compare", "rcl", 0, CLI_CHANCE, "P",
		"mutants: the chance that rcl changes a place, 0 to 1 (default: 0.9)",
		FIELD(ccmd.how.chance[SRC_MUTATE_RCL])},
	{"What to compare", "fco", 0, CLI_CHANCE, "P",
		"mutants: the chance that fco changes a place (default: 0.5)",
		FIELD(ccmd.how.chance[SRC_MUTATE_FCO])},
	{"What to compare", "asm", 0, CLI_CHANCE, "P",
		"mutants: the chance that asm changes a place (default: 0)",
		FIELD(ccmd.how.chance[SRC_MUTATE_ASM])},
	{"What to compare", "ocp", 0, CLI_CHANCE, "P",
		"mutants: the chance that ocp changes a place (default: 0.05)",
		FIELD(ccmd.how.chance[SRC_MUTATE_OCP])},

	{"How", "jobs", 'j', CLI_COUNT, "N",
		"run N cases at a time (default: the number of processors)", FIELD(ccmd.jobs)},
	{"How", "timeout", 0, CLI_SECONDS, "S",
		"a compiler that takes longer than S seconds hangs (default: 60)",
		FIELD(ccmd.timeout)},

	{"Output", "output", 'o', CLI_STRING, "DIR",
		"keep results and failing cases in DIR; do not run again what is there "
		"already",
		FIELD(ccmd.output)},
	CLI_FINDING_OPTIONS(struct options, wishes, "finding"),
	{"Output", "quiet", 'q', CLI_FLAG, NULL, "print no line of progress on the terminal",
		FIELD(quiet)},
	{0},
};

/* Lines as they are printed. */
static const char details[] =
	"Compiles each source without debug information (-g0) and with it. Nothing else\n"
	"differs between the two builds, so the machine code must be the same. Compared\n"
	"are the executable sections, function by function, and the data that they refer\n"
	"to. A reference counts by what it points at, however it is written: a symbol,\n"
	"an instruction of a function, the content of a string. Offsets, the order of\n"
	"data, numbers in local names, notes and .comment do not count.\n"
	"\n"
	"Sources of C++ take g++ and clang++, and those of Rust rustc: -O2 is -C opt-level=2\n"
	"there, and -g2 -C debuginfo=2, with one unit of code, unless --extra says otherwise.\n"
	"\n"
	"With -flto the linker makes the code. The object is then linked by itself with\n"
	"-r (gcc: -flinker-output=nolto-rel), which keeps symbols and needs no main.\n"
	"\n"
	"Kinds of findings:\n"
	"  extra, missing  more or fewer instructions with debug information\n"
	"  register        the same instruction with other registers\n"
	"  operand         the same instruction with another number, or on another object\n"
	"  other           another instruction in its place\n"
	"  order           the same instructions in another order, within straight code\n"
	"  layout          the same instructions in another order, across jumps\n"
	"  target          the same instructions, but a jump leads elsewhere\n"
	"  function        a function that only one build has\n"
	"  data            data that the code uses, or that is exported, differs\n"
	"  symbol          an exported name is weak, hidden, of another type or size, or\n"
	"                  elsewhere\n"
	"  unwind          only the unwind tables differ\n"
	"  padding         only alignment differs, or nops that fill space\n"
	"  encoding        only the lengths of jumps differ\n"
	"  crash, hang     the compiler crashes, or does not end in time\n"
	"  refused         the compiler refuses the source, but only with -g\n"
	"  unstable        two builds with -g0 differ, too: -g need not be the cause\n"
	"  disagreement    gcc's -fcompare-debug sees a difference that the machine code\n"
	"                  does not have\n"
	"\n"
	"If an object has several differences, the first one in code stands for all.\n"
	"Findings with the same signature (kind, compiler, flags, pair of operations)\n"
	"form one cluster. A line of a --known file is PATTERN | REFERENCE | NOTE;\n"
	"patterns are matched against the signature.\n"
	"\n"
	"Folder of -o DIR:\n"
	"  cases.jsonl      one line for each case that is done; a run that was\n"
	"                   interrupted goes on where it ended\n"
	"  mutants          the mutants\n"
	"  failing/KIND-ID  the source, the two commands, the two disassemblies (g0.txt,\n"
	"                   g2.txt; addresses are counted from each function), and where\n"
	"                   they part (difference.txt)\n"
	"\n"
	"JSON:\n"
	"\t{\"compilers\": [{compiler, version}],\n"
	"\t\"cases\": [{case, source, mutant, compiler, flags, builds, taken_apart,\n"
	"\tcompile_seconds, compare_debug_seconds, check_seconds, error, findings}],\n"
	"\t\"clusters\": [{signature, count, first, known}],\n"
	"\t\"findings\": [{id, signature, kind, meaning, source, mutant, compiler,\n"
	"\tversion, flags, g, where, file, line, functions, differ,\n"
	"\tdifferences: [{where, kind}], instructions, context, commands,\n"
	"\tcompare_debug, folder, known}]}\n"
	"`taken_apart` counts the builds whose bytes differ, so that they were compared\n"
	"by function. `instructions` and `commands` are without -g, then with it.\n"
	"\n"
	"Exit status:\n"
	"  0  no finding\n"
	"  1  at least one finding\n"
	"  2  trouble, such as a source that does not compile; the others are checked\n"
	"     all the same\n";

/* --- compilers ------------------------------------------------------------------------------- */

/* What rustc has no options for. */
static struct xs_error *check_rust(const struct ora_ccmd *ccmd)
{
	for (size_t i = 0; i < ccmd->gs.vec.len; i++) {
		XS_AUTO_FREE char *debug = ora_rust_debug(ccmd->gs.vec.data[i]);
		if (!debug)
			return xs_error_create("--g: rustc has no '%s', but -g1 and -g2: "
					       "-C debuginfo",
				ccmd->gs.vec.data[i]);
	}
	return ccmd->mutants ? xs_error_create("--mutate: xstep mutate reads C, and rustc Rust")
			     : NULL;
}

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
	for (size_t i = 0; !err && i < ccmd->compilers.len; i++)
		err = ccmd->compilers.data[i].rust ? check_rust(ccmd) : NULL;
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
		return xs_error_create(
			"--%s: the list is empty", ccmd->gs.vec.len ? "levels" : "g");
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
	ora_baseline_deinit(&values.wishes.baseline);
	int status = err             ? cli_fail(err)
		     : print.trouble ? CLI_TROUBLE
		     : print.shown   ? CLI_FOUND
				     : CLI_NOTHING;
	if (signal) /* whoever sent it expects us to die of it */
		cli_screen_die(signal);
	return status;
}

const struct cli_command cli_ccmd = {
	.name = "ccmd",
	.operands = "SOURCE...",
	.summary = "Compare the machine code of builds with and without debug information",
	.details = details,
	.options = options,
	.run = cmd_ccmd,
	.paged = true,
};
