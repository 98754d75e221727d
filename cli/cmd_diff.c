/* cmd_diff.c - xstep diff: where debuggers do not agree, who is wrong, and why. */
#include <signal.h>

#include "base/shown.h"
#include "cli/commands.h"
#include "cli/finding_options.h"
#include "cli/program_options.h"
#include "cli/report/audience.h"
#include "cli/report/discrepancies.h"
#include "engine/interrupt.h"

struct options {
	struct ora_hearing record;
	bool quiet;
	struct xs_strings traces;
	struct cli_finding_wishes wishes;
	const char *report, *build, *against;
	bool no_reproduce;
};

#define FIELD(name) offsetof(struct options, name)

static const struct cli_option options[] = {
	{"What to compare", "witness", 0, CLI_STRING, "WHO[,WHO...]",
		"who is asked: xstep, gdb, lldb, gdb@PATH, lldb@PATH, gdb:print, "
		"lldb:expression, or all: xstep, and the gdb and the lldb that are found; "
		"and the symbolisers addr2line, llvm-symbolizer, eu-addr2line, each with "
		"@PATH, too (default: xstep,gdb,lldb)",
		FIELD(record.witness)},
	{"What to compare", "gdb", 0, CLI_STRING, "PATH",
		"the gdb to ask (default: the first on PATH)", FIELD(record.gdb)},
	{"What to compare", "lldb", 0, CLI_STRING, "PATH",
		"the lldb to ask (default: the newest on PATH that works)", FIELD(record.lldb)},
	{"What to compare", "trace", 0, CLI_STRINGS, "N",
		"with FILE.db: compare this trace; may be repeated (default: the last trace "
		"of each witness)",
		FIELD(traces)},
	{"What to compare", "against", 0, CLI_STRING, "OTHER",
		"an unoptimised build of the same source: a value that the variable "
		"never has in that build on the same line is the compiler's mistake",
		FIELD(against)},
	{"What to compare", "from", 0, CLI_STRING, "PLACE",
		"begin at the first call of FUNCTION, or at the first arrival at FILE:LINE, "
		"and end when that call returns (default: main)",
		FIELD(record.from)},
	{"What to compare", "limit", 0, CLI_COUNT, "N",
		"end the program after N stops; with --mode unique, after N that are kept "
		"(default: no limit)",
		FIELD(record.limit)},
	{"What to compare", "max-leaves", 0, CLI_COUNT, "N",
		"compare at most N leaves of a variable (default: 4096)", FIELD(record.max_leaves)},
	{"What to compare", "mode", 0, CLI_CHOICE, "exact|single|unique",
		"how xstep runs the program, see xstep trace --help; unique is exact with "
		"--sample unique (default: exact)",
		FIELD(record.mode)},
	{"What to compare", "sample", 0, CLI_CHOICE, "none|all|unique|dtd",
		"at which stops to compare, see xstep trace --help (default: dtd)",
		FIELD(record.sample)},
	{"What to compare", "seed", 0, CLI_NUMBER, "N",
		"changes which stops dtd chooses (default: 0)", FIELD(record.seed)},
	{"What to compare", "drive", 0, CLI_CHOICE, "auto|shared|native",
		"shared: the debuggers look at the process that xstep holds; native: each "
		"debugger runs a process of its own (default: auto, which is shared if "
		"xstep is asked and each step is an instruction)",
		FIELD(record.drive)},
	{"What to compare", "repeat", 0, CLI_COUNT, "N",
		"2: run each debugger twice and set aside what differs between its two runs "
		"(default: 2 if values differ for no known reason, else 1)",
		FIELD(record.repeat)},
	{"What to compare", "no-plan", 0, CLI_FLAG, NULL,
		"let each debugger step by itself; else xstep foretells the stops, and "
		"breakpoints take the debugger there where that is faster",
		FIELD(record.no_plan)},
	{"What to compare", "no-reproduce", 0, CLI_FLAG, NULL,
		"do not ask the plain debuggers again: only what a model of the mistake "
		"explains is proven then",
		FIELD(no_reproduce)},
	{"What to compare", "patience", 0, CLI_SECONDS, "S",
		"give up on a debugger that shows no sign of life for S seconds (default: "
		"60)",
		FIELD(record.patience)},

	CLI_PROGRAM_OPTIONS(struct options, record.program),

	{"Output", "output", 'o', CLI_STRING, "FILE.db",
		"keep the traces in this store (default: a temporary store)", FIELD(record.store)},
	CLI_FINDING_OPTIONS(struct options, wishes, "discrepancy"),
	{"Output", "contested", 0, CLI_FLAG, NULL,
		"list what the standard leaves open, too; else it is only counted",
		FIELD(wishes.contested)},
	{"Output", "presentation", 0, CLI_FLAG, NULL,
		"list differences in presentation, too; else they are only counted",
		FIELD(wishes.presentation)},
	{"Output", "artefacts", 0, CLI_FLAG, NULL,
		"list what a debugger did not say again, too; else it is only counted",
		FIELD(wishes.artefacts)},
	{"Output", "report", 0, CLI_STRING, "DIR",
		"write a folder for each cluster, ready to be filed upstream: the report, "
		"scripts that show the bug without xstep, and regression tests",
		FIELD(report)},
	{"Output", "build", 0, CLI_STRING, "COMMAND",
		"how PROGRAM was built, for --report: the command is run again in this "
		"directory to keep the compiler's .i and .s",
		FIELD(build)},
	{"Output", "quiet", 'q', CLI_FLAG, NULL, "print no line of progress on the terminal",
		FIELD(quiet)},
	{0},
};

static const char details[] =
	"xstep diff PROGRAM lets every witness run the program and compares what they say\n"
	"at the same stops. xstep diff FILE.db compares stored traces. Each discrepancy\n"
	"gets a verdict: who is wrong (witnesses, or the producer of the DWARF), of which\n"
	"kind it is, and on which basis. Discrepancies with the same signature form one\n"
	"cluster, which one of them stands for.\n"
	"\n"
	"Nobody is accused on xstep's word alone. xstep runs the program once more to each\n"
	"of these stops, and the plain debuggers, without any script, are asked about the\n"
	"one that stands for a cluster, with the commands that are printed. What they do\n"
	"not say again is an artefact of xstep's: it is counted, and not listed.\n"
	"\n"
	"A symboliser (--witness xstep,addr2line,llvm-symbolizer,eu-addr2line) reads the\n"
	"file alone. It is asked about the pc of each stop: line, column, the function and\n"
	"the inlined calls. With xstep and symbolisers only it takes seconds.\n"
	"\n"
	"Kinds:\n"
	"  lie        a wrong value, line or frame\n"
	"  loss       the debugger declines what the DWARF gives\n"
	"  extra      the debugger shows what is not there\n"
	"  crash      the debugger does not survive it\n"
	"\n"
	"Bases, the most certain first:\n"
	"  replayed   xstep, making one known mistake of the debugger's, says just what it\n"
	"             says; or the debugger says itself what it cannot do\n"
	"  evidence   the DWARF decides, and another debugger reads it as xstep does, or\n"
	"             there is nothing in it to be read\n"
	"  contested  the standard leaves it open, or it is done on purpose: nobody is wrong\n"
	"  majority   most witnesses agree\n"
	"  suspected  they differ, and nothing proves whose mistake it is\n"
	"\n"
	"Groups of the DTD paper:\n"
	"  G1  lost in gdb\n"
	"  G2  shown by lldb out of scope\n"
	"  G3  lost in lldb\n"
	"  G4  shown by gdb out of scope\n"
	"  G5  values differ\n"
	"  G6  control facts differ: line table, frames, stops\n"
	"  X   xstep itself is to be looked at\n"
	"\n"
	"Compiler or debugger:\n"
	"--against OTHER asks who lies. xstep runs the other build as well. On arrival at\n"
	"a line, the DWARF of PROGRAM must give a variable a value that it has there in\n"
	"the other build; at the same arrival, if both builds come there equally often.\n"
	"If it does not, the producer is wrong. Stored traces of two builds are compared\n"
	"in the same way: --trace OPTIMISED --trace OTHER, both made with --sample all.\n"
	"\n"
	"JSON:\n"
	"\t{\"format\", \"command\", \"subject\",\n"
	"\t\"witnesses\": [{witness, version, trace, complete, how,\n"
	"\ttrouble}], \"summary\",\n"
	"\t\"clusters\": [{first, count, places, stops, leaves, basis, signature, known}],\n"
	"\t\"discrepancies\": [{id, stop: {number, prev, pc, n, function, file, line},\n"
	"\taspect, group, kind, path, var, decl, scope, frame, frame_pc, type,\n"
	"\tfacts: {WITNESS: {state, value, message}}, wrong, differs, basis, contested,\n"
	"\tartefact, again: {WITNESS: {same, words}}, reason, signature, known,\n"
	"\tfeatures, evidence, times, stops, other}]}\n"
	"`other` has the values in the other build, or is null.\n"
	"\n"
	"Reports:\n"
	"--report DIR makes a folder for the first finding of each cluster: report.md (for\n"
	"GitHub) and report.txt (for a Bugzilla), page.html, the program and its sources,\n"
	"sessions with gdb and lldb, the working, regression tests as far as they can be,\n"
	"and scripts for git bisect run. These take the path of a debugger, and exit with\n"
	"1 while the bug is there, 0 once it is gone, and 125 if that cannot be told.\n"
	"\n"
	"Continuous integration:\n"
	"--baseline FILE tells only what is new: FILE is what an earlier run printed as\n"
	"JSON or SARIF, or has an id or a signature on each line. A signature that names\n"
	"a mistake counts wherever that is made; one with a ? in the same function and\n"
	"variable only.\n"
	"\n"
	"Known bugs:\n"
	"A line of a --known file is PATTERN | REFERENCE | NOTE; patterns are matched\n"
	"against each WHO:WHY of a signature, or against all of it.\n"
	"\n"
	"Exit status:\n"
	"  0  no discrepancy, or only such as are contested or not reproduced\n"
	"  1  at least one discrepancy of another basis\n"
	"  2  trouble, such as a witness that failed; what was found is printed all the\n"
	"     same\n"
	"A signal that ends it (^C, SIGTERM) ends the recording. What was recorded by then\n"
	"is compared and printed, as far as that goes in a second or two; xstep then dies\n"
	"of that signal.\n";

/* Compares and prints; *signal: what interrupted a recording. */
static struct xs_error *run(
	struct options *values, char **argv, bool *found, bool *trouble, int *signal)
{
	bool stored = ora_store_is_meant(argv[0]);
	struct cli_audience audience = {.format = CLI_FORMAT_NONE};
	if (!values->record.witness)
		values->record.witness = "xstep,gdb,lldb";
	cli_audience_attend(&audience, &values->record, values->quiet);
	struct ora_comparing comparing = {.hearing = values->record,
		.against = values->against,
		.numbers = values->traces.vec.data,
		.number_count = values->traces.vec.len};
	struct cli_discrepancies print = {.out = stdout,
		.wishes = &values->wishes,
		.no_reproduce = values->no_reproduce,
		.report = values->report,
		.build = values->build,
		.program = &values->record.program,
		.gdb = values->record.gdb,
		.lldb = values->record.lldb,
		.absent = &audience.absent};
	eng_interrupt_hold();
	struct xs_error *err = stored ? ora_comparing_store(&comparing, argv[0])
				      : ora_comparing_program(&comparing, argv);
	if (!err && comparing.compared)
		err = cli_discrepancies_prove(&print, &comparing, stored ? NULL : argv);
	cli_progress_end(&audience.progress);
	*signal = comparing.signal ? comparing.signal : eng_interrupt_signal();
	/* From here on nothing is left behind by who just dies, and a reader may take its time. */
	ora_comparing_hide(&comparing);
	eng_interrupt_release();
	if (!err && comparing.signal)
		xs_print(stderr, "xstep: interrupted: %s\n",
			comparing.compared ? "what follows is not the whole of it"
					   : "nothing is there yet that could be compared");
	if (!err && comparing.compared)
		err = cli_discrepancies_print(&print, &comparing);
	*found = print.found;
	*trouble = comparing.trouble;
	cli_discrepancies_deinit(&print);
	ora_comparing_deinit(&comparing);
	cli_audience_deinit(&audience);
	return err;
}

static int cmd_diff(int argc, char **argv)
{
	struct options values = {.record = ORA_HEARING_INIT};
	int first = 0, signal = 0;
	bool help = false, found = false, trouble = false;
	struct xs_error *err = cli_parse(&cli_diff, argc, argv, &values, &first, &help);
	bool stored = first < argc && ora_store_is_meant(argv[first]);
	if (!err && help)
		cli_print_help(&cli_diff, stdout);
	else if (!err && first >= argc)
		err = xs_error_create("diff: no program or trace store; see xstep diff --help");
	else if (!err && stored && values.against)
		err = xs_error_create(
			"--against: goes with a program; of a store, name the traces of both "
			"builds with --trace");
	else if (!err && stored && first + 1 < argc)
		err = xs_error_create(
			"diff: %s: one store at a time; xstep store merge makes one of several",
			argv[first + 1]);
	else if (!err && !stored && values.traces.vec.len)
		err = xs_error_create("--trace: %s is not a trace store", argv[first]);
	else if (!err)
		err = run(&values, argv + first, &found, &trouble, &signal);
	ora_hearing_deinit(&values.record);
	xs_vec_deinit(&values.traces.vec);
	xs_vec_deinit(&values.wishes.known.vec);
	ora_baseline_deinit(&values.wishes.baseline);
	int status = err ? cli_fail(err) : trouble ? CLI_TROUBLE : found ? CLI_FOUND : CLI_NOTHING;
	/* Whoever sent it expects us to die of it. */
	if (signal && signal != SIGALRM)
		cli_screen_die(signal);
	return status;
}

const struct cli_command cli_diff = {
	.name = "diff",
	.operands = "PROGRAM [ARG...] | FILE.db",
	.summary = "Compare what debuggers say about a program: who is wrong, and why",
	.details = details,
	.options = options,
	.run = cmd_diff,
	.paged = true,
};
