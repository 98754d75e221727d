/* cmd_diff.c - xstep diff: where debuggers do not agree, who is wrong, and why. */
#include <signal.h>

#include "cli/commands.h"
#include "cli/program.h"
#include "cli/report/audience.h"
#include "cli/report/discrepancies.h"

struct options {
	struct ora_hearing record;
	bool quiet;
	struct xs_strings traces;
	struct cli_finding_wishes wishes;
	const char *report, *build, *against;
	bool presentation;
};

#define FIELD(name) offsetof(struct options, name)

static const struct cli_option options[] = {
	{"What to compare", "witness", 0, CLI_STRING, "WHO[,WHO...]",
		"who is asked: xstep, gdb, lldb, gdb@PATH, lldb@PATH, gdb:print, lldb:expression "
		"(xstep,gdb,lldb)",
		FIELD(record.witness)},
	{"What to compare", "gdb", 0, CLI_STRING, "PATH", "the gdb to ask (found on PATH)",
		FIELD(record.gdb)},
	{"What to compare", "lldb", 0, CLI_STRING, "PATH",
		"the lldb to ask (the newest on PATH that can be)", FIELD(record.lldb)},
	{"What to compare", "trace", 0, CLI_STRINGS, "N",
		"of FILE.db: this trace; may be repeated (the last of each witness)",
		FIELD(traces)},
	{"What to compare", "against", 0, CLI_STRING, "OTHER",
		"an unoptimised build of the same source: values that it never has on the same "
		"line are "
		"the compiler's mistake",
		FIELD(against)},
	{"What to compare", "from", 0, CLI_STRING, "PLACE",
		"begin at the first call of a FUNCTION, or where FILE:LINE is first arrived at, "
		"and end "
		"when that call returns (main)",
		FIELD(record.from)},
	{"What to compare", "limit", 0, CLI_COUNT, "N", "end the program after N stops (no limit)",
		FIELD(record.limit)},
	{"What to compare", "max-leaves", 0, CLI_COUNT, "N",
		"compare at most N leaves of a variable (4096)", FIELD(record.max_leaves)},
	{"What to compare", "mode", 0, CLI_CHOICE, "exact|single|unique",
		"how xstep runs the program: see xstep trace --help; unique: each transition once, "
		"for programs that run long (exact)",
		FIELD(record.mode)},
	{"What to compare", "sample", 0, CLI_CHOICE, "none|all|unique|dtd",
		"at which stops: see xstep trace --help (dtd)", FIELD(record.sample)},
	{"What to compare", "seed", 0, CLI_NUMBER, "N", "of dtd's choice (0)", FIELD(record.seed)},
	{"What to compare", "drive", 0, CLI_CHOICE, "auto|shared|native",
		"debuggers look at the process that xstep holds; or each runs one of its own "
		"(auto: shared, if xstep is asked and every step is an instruction)",
		FIELD(record.drive)},
	{"What to compare", "repeat", 0, CLI_COUNT, "N",
		"2: run each debugger twice and set aside what differs between its runs (2 if "
		"values differ for no known reason)",
		FIELD(record.repeat)},
	{"What to compare", "no-plan", 0, CLI_FLAG, NULL,
		"have each debugger step by itself; else it is brought to the stops that xstep "
		"foretells, by breakpoints where that is faster",
		FIELD(record.no_plan)},
	{"What to compare", "patience", 0, CLI_SECONDS, "S",
		"give a debugger up that shows no sign of life for S seconds (60)",
		FIELD(record.patience)},

	CLI_PROGRAM_OPTIONS(struct options, record.program),

	{"Output", "output", 'o', CLI_STRING, "FILE.db",
		"keep the traces in this store (a temporary one)", FIELD(record.store)},
	CLI_FINDING_OPTIONS(struct options, wishes, "discrepancy"),
	{"Output", "presentation", 0, CLI_FLAG, NULL,
		"list differences in presentation, too (they are counted)", FIELD(presentation)},
	{"Output", "report", 0, CLI_STRING, "DIR",
		"write a bundle for each cluster that can be filed upstream, with scripts that "
		"show it "
		"without xstep",
		FIELD(report)},
	{"Output", "build", 0, CLI_STRING, "COMMAND",
		"how PROGRAM was built, for --report: run again in this directory to keep the "
		"compiler's .i and .s",
		FIELD(build)},
	{"Output", "quiet", 'q', CLI_FLAG, NULL, "no line of progress on the terminal",
		FIELD(quiet)},
	{0},
};

static const char details[] =
	"xstep diff PROGRAM has every witness run the program and compares what they say at the "
	"same\n"
	"stops; xstep diff FILE.db compares traces that are stored. Each discrepancy gets a "
	"verdict: who is\n"
	"wrong (witnesses, or the producer of the DWARF), the kind (a lie: a wrong value; a loss: "
	"declines\n"
	"what the DWARF gives; extra: shows what is not there) and the basis (evidence: the DWARF "
	"decides;\n"
	"majority: it does not). Groups are those of the DTD paper: G1 lost in gdb, G2 shown by "
	"lldb out\n"
	"of scope, G3 lost in lldb, G4 shown by gdb out of scope, G5 values differ, G6 control "
	"facts\n"
	"differ (line table, frames, stops; presentation is only counted); X: xstep itself.\n"
	"Discrepancies with the same signature are one cluster; the first stands for the others.\n"
	"\n"
	"--against asks who lies, compiler or debugger: xstep runs the other build, too, and what "
	"the DWARF\n"
	"of PROGRAM gives a variable on arrival at a line must be a value that it has there in the "
	"other build\n"
	"(at the same arrival, if both come there equally often). What is not is the producer's "
	"mistake.\n"
	"Stored traces of two builds (--trace OPTIMISED --trace OTHER, both with --sample all) are "
	"compared so.\n"
	"\n"
	"JSON: "
	"{\"subject\",\"witnesses\":[{witness,version,trace}],\"summary\",\"clusters\":[{signature,"
	"count,\n"
	"stops,first,known}],\"discrepancies\":[{id,stop:{number,prev,pc,n,function,file,line},"
	"aspect,group,\n"
	"kind,path,var,decl,scope,frame,frame_pc,type,facts:{WITNESS:{state,value,message}},wrong,"
	"basis,reason,\n"
	"signature,known,features,evidence,times,stops,other}]}; other: values in the other build, "
	"or null.\n"
	"\n"
	"--report DIR makes a folder for the first finding of each cluster: report.md to read, the "
	"program\n"
	"and its sources, sessions with gdb and lldb, the working behind the verdict, the code "
	"with its line\n"
	"rows, and check_gdb.py and check_lldb.py, which take the path of a debugger and exit with "
	"1 while the\n"
	"bug is there, 0 once it is not, 125 if that cannot be found out: made for git bisect "
	"run.\n"
	"A file for --known has lines PATTERN | REFERENCE | NOTE; patterns are matched against "
	"each\n"
	"WHO:WHY of a signature, or against all of it.\n"
	"\n"
	"Exit status: 0 no discrepancy, 1 some, 2 trouble (also if a witness failed; what was "
	"found is\n"
	"printed all the same).\n";

/* Compares and prints; *signal: what interrupted a recording. */
static struct xs_error *run(
	struct options *values, char **argv, bool *found, bool *trouble, int *signal)
{
	bool stored = ora_store_is_meant(argv[0]);
	struct cli_audience audience = {.format = CLI_FORMAT_NONE};
	struct ora_comparing comparing = {.recorder = ora_recorder_of(&values->record),
		.output = values->record.store,
		.against = values->against,
		.once = values->record.repeat != 0,
		.numbers = values->traces.vec.data,
		.number_count = values->traces.vec.len};
	struct cli_discrepancies print = {.out = stdout,
		.wishes = &values->wishes,
		.presentation = values->presentation,
		.report = values->report,
		.build = values->build,
		.program = &values->record.program,
		.gdb = values->record.gdb,
		.lldb = values->record.lldb};
	if (!values->record.witness)
		values->record.witness = "xstep,gdb,lldb";
	cli_audience_attend(&audience, &values->record, values->quiet);
	struct xs_error *err = stored ? ora_comparing_store(&comparing, argv[0])
				      : ora_comparing_program(&comparing, argv);
	if (!err && !comparing.signal)
		err = cli_discrepancies_print(&print, &comparing, stored ? NULL : argv);
	*found = print.found;
	*trouble = comparing.trouble;
	*signal = comparing.signal;
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
	int status = err ? cli_fail(err) : trouble ? CLI_TROUBLE : found ? CLI_FOUND : CLI_NOTHING;
	/* Whoever sent it expects us to die of it. */
	if (signal && signal != SIGALRM)
		raise(signal);
	return status;
}

const struct cli_command cli_diff = {
	.name = "diff",
	.operands = "PROGRAM [ARG...] | FILE.db",
	.summary = "Compare what debuggers say of a program: who is wrong, where and why",
	.details = details,
	.options = options,
	.run = cmd_diff,
};
