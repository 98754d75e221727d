/* cmd_trace.c - xstep trace: runs a program and prints, or stores, what there is to see at each
 * stop.
 */
#include <signal.h>

#include "cli/commands.h"
#include "cli/program_options.h"
#include "cli/report/audience.h"
#include "oracle/session/hearing.h"

struct options {
	struct ora_hearing hearing; /* see the table */
	const char *output, *transitions;
	struct cli_optional stats;
	int format;
	bool quiet;
};

#define FIELD(name) offsetof(struct options, hearing.name)
#define OWN(name)   offsetof(struct options, name)

static const struct cli_option options[] = {
	{"What to trace", "from", 0, CLI_STRING, "PLACE",
		"begin at the first call of FUNCTION, or at the first arrival at FILE:LINE, "
		"and end when that call returns (default: main)",
		FIELD(from)},
	{"What to trace", "module", 0, CLI_STRINGS, "NAME",
		"step through this shared object, too, whenever it is loaded; may be "
		"repeated",
		FIELD(modules)},
	{"What to trace", "threads", 0, CLI_CHOICE, "main|all",
		"main: the first thread only; all: each thread, one at a time, in a trace "
		"of its own (default: main)",
		FIELD(threads)},
	{"What to trace", "limit", 0, CLI_COUNT, "N",
		"end the program after N stops; with --mode unique, after N that are kept "
		"(default: no limit)",
		FIELD(limit)},
	{"What to tell", "vars", 0, CLI_CHOICE, "none|locals|all",
		"which variables: none, those of the active functions, or globals as well "
		"(default: none; all in a store)",
		FIELD(vars)},
	{"What to tell", "frames", 0, CLI_FLAG, NULL,
		"print the backtrace and the variables of every frame, and where libunwind "
		"differs",
		FIELD(frames)},
	{"What to tell", "regs", 0, CLI_FLAG, NULL, "print the general registers", FIELD(regs)},
	{"What to tell", "max-leaves", 0, CLI_COUNT, "N",
		"print at most N leaves of a variable (default: 4096)", FIELD(max_leaves)},

	{"How", "mode", 0, CLI_CHOICE, "exact|single|unique",
		"exact: in a code cache, or block by block; single: PTRACE_SINGLESTEP for "
		"each instruction; unique: exact with --sample unique (default: exact)",
		FIELD(mode)},
	{"How", "level", 0, CLI_CHOICE, "instruction|line|break",
		"what one step is: an instruction; a source line, into calls; or the way to "
		"the next line that has not been hit, by temporary breakpoints (default: "
		"instruction)",
		FIELD(level)},
	{"How", "sample", 0, CLI_CHOICE, "none|all|unique|dtd",
		"which stops to keep: none: every stop without its state; all: every stop; "
		"unique: the first stop of each transition; dtd: the choice of the DTD "
		"paper (default: dtd)",
		FIELD(sample)},
	{"How", "seed", 0, CLI_NUMBER, "N", "changes which stops dtd chooses (default: 0)",
		FIELD(seed)},

	{"Other witnesses", "witness", 0, CLI_STRING, "WHO[,WHO...]",
		"who is asked: xstep, gdb, lldb, gdb@PATH, lldb@PATH, or all: xstep, and the "
		"gdb and the lldb that are found; gdb:print and lldb:expression are asked for "
		"variables by name, as expressions; addr2line, llvm-symbolizer and "
		"eu-addr2line, also with @PATH, are asked about the code at xstep's stops "
		"(default: xstep)",
		FIELD(witness)},
	{"Other witnesses", "gdb", 0, CLI_STRING, "PATH",
		"the gdb to ask (default: the first on PATH)", FIELD(gdb)},
	{"Other witnesses", "lldb", 0, CLI_STRING, "PATH",
		"the lldb to ask (default: the newest on PATH that works)", FIELD(lldb)},
	{"Other witnesses", "ask", 0, CLI_CHOICE, "needed|all|text",
		"needed: ask for a text where its bytes changed or are new; all: ask for "
		"every text at each stop; text: ask for whole variables in the debugger's "
		"own text, as a plain script does (default: needed)",
		FIELD(ask)},
	{"Other witnesses", "plan", 0, CLI_FLAG, NULL,
		"native drive: run to the stops that xstep foretells, by breakpoints where "
		"that is faster; counts are then xstep's (default if xstep is asked, too)",
		FIELD(plan)},
	{"Other witnesses", "no-plan", 0, CLI_FLAG, NULL,
		"let each debugger step and count by itself, whoever else is asked",
		FIELD(no_plan)},
	{"Other witnesses", "drive", 0, CLI_CHOICE, "auto|shared|native",
		"shared: the debuggers look at the process that xstep holds; native: each "
		"debugger runs a process of its own (default: auto, which is shared if "
		"xstep is asked and each step is an instruction)",
		FIELD(drive)},
	{"Other witnesses", "repeat", 0, CLI_COUNT, "N",
		"2: run each debugger twice and mark, in a store, the leaves that differ "
		"(default: 1)",
		FIELD(repeat)},
	{"Other witnesses", "patience", 0, CLI_SECONDS, "S",
		"give up on a debugger that shows no sign of life for S seconds (default: "
		"60)",
		FIELD(patience)},

	CLI_PROGRAM_OPTIONS(struct options, hearing.program),

	{"Output", "format", 0, CLI_CHOICE, "text|json|none",
		"text to read, JSON lines, or no stops at all (default: text)", OWN(format)},
	{"Output", "output", 'o', CLI_STRING, "FILE",
		"write the trace to FILE; it becomes a store if it is one already or its "
		"name ends in .db or .sqlite (default: standard output)",
		OWN(output)},
	{"Output", "keep-order", 0, CLI_FLAG, NULL,
		"store: keep the order of all executed transitions, too", FIELD(keep_order)},
	{"Output", "quiet", 'q', CLI_FLAG, NULL, "print no line of progress on the terminal",
		OWN(quiet)},
	{"Output", "stats", 0, CLI_OPTIONAL, "FILE",
		"print what the run took, as a line of JSON: to FILE, or as the last line "
		"on standard error",
		OWN(stats)},
	{"Output", "transitions", 0, CLI_STRING, "FILE",
		"write the different transitions to FILE, sorted, as JSON lines", OWN(transitions)},
	{0},
};

static const char details[] =
	"Text:\n"
	"Each stop is one line: its number, the address about to be executed, the\n"
	"function and offset, file:line:column of its row in the line table, and the\n"
	"source when the line changes. `-` means that no row covers the address; line 0\n"
	"is a row that stands for no source line. Addresses are link-time addresses;\n"
	"those of shared objects are written NAME+0x... How the program ended is printed\n"
	"on standard error.\n"
	"\n"
	"JSON:\n"
	"\t{stop, prev, pc, n, function, file, line, column}\n"
	"One object for each stop. `n` counts how often the transition prev -> pc has\n"
	"been taken.\n"
	"\n"
	"Samples:\n"
	"--sample says which stops are kept, printed and stored. dtd keeps a transition\n"
	"that was seen C times before if C is 0, else one in C, by a hash of the seed,\n"
	"prev, pc and C: every run picks the same stops. none keeps control facts only.\n"
	"The others go with --vars, --frames and --regs, which print what has changed\n"
	"since the last stop that was kept. A store gets all three, unless --vars says\n"
	"otherwise.\n"
	"\n"
	"Modes:\n"
	"single and exact yield the same stops with the same counts. With --sample dtd\n"
	"and unique, exact runs the program in a code cache: it counts by itself, and\n"
	"stops where a stop is kept. Elsewhere, and with --limit, --module, --threads\n"
	"all, --level line and --keep-order, it goes from block to block, which takes\n"
	"about a microsecond an instruction.\n"
	"\n"
	"Threads:\n"
	"--threads all lets one thread run at a time: until it sleeps, yields, ends or\n"
	"has come a long way; then the next. Threads are numbered from 1 in the order of\n"
	"creation. Text has [2] before the stop, JSON and --transitions have the key\n"
	"`thread`, and a store has a trace for each thread.\n"
	"\n"
	"Figures:\n"
	"--stats has the keys mode, instructions, transitions, stops (at breakpoints),\n"
	"steps, signals, seconds, and with --threads all threads. --transitions has prev,\n"
	"pc, count.\n"
	"\n"
	"Exit status:\n"
	"  0  traced, whatever the program's own exit status\n"
	"  2  trouble\n";

/* What goes with what. */
static struct xs_error *settle(struct options *values)
{
	bool store = values->output && ora_store_is_meant(values->output);
	if (store && values->format != ORA_NOT_GIVEN)
		return xs_error_create(
			"--format: %s is a trace store; xstep show prints it", values->output);
	if (store) {
		values->hearing.store = values->output;
		values->output = NULL;
		values->format = CLI_FORMAT_NONE;
	}
	if (values->format == ORA_NOT_GIVEN)
		values->format = CLI_FORMAT_TEXT;
	return ora_hearing_settle(&values->hearing);
}

static struct xs_error *trace(struct options *values)
{
	struct xs_error *err = settle(values);
	if (err)
		return err;
	struct cli_audience audience = {.output = values->output,
		.transitions_path = values->transitions,
		.stats_path = values->stats.value,
		.format = (enum cli_format)values->format,
		.heads = values->hearing.witness};
	cli_audience_attend(&audience, &values->hearing, values->quiet);
	err = ora_hear(&values->hearing);
	if (!err && values->stats.given && audience.totals.mode) {
		if (!audience.stats && isatty(STDERR_FILENO))
			cli_totals_text(&audience.totals, stderr);
		else
			cli_totals_json(&audience.totals, audience.stats ? audience.stats : stderr);
	}
	if (!err)
		err = cli_audience_flush(&audience);
	cli_audience_deinit(&audience);
	return err;
}

static int cmd_trace(int argc, char **argv)
{
	struct options values = {.hearing = ORA_HEARING_INIT, .format = ORA_NOT_GIVEN};
	int first = 0;
	bool help = false;
	struct xs_error *err = cli_parse(&cli_trace, argc, argv, &values, &first, &help);
	values.hearing.argv = argv + first;
	if (!err && help)
		cli_print_help(&cli_trace, stdout);
	else if (!err && first >= argc)
		err = xs_error_create("trace: no program to run; see xstep trace --help");
	else if (!err)
		err = trace(&values);
	int signal = values.hearing.interrupted_by;
	bool trouble = values.hearing.trouble;
	ora_hearing_deinit(&values.hearing);
	int status = err ? cli_fail(err) : trouble ? CLI_TROUBLE : CLI_NOTHING;
	/* Whoever sent it expects us to die of it. */
	if (signal && signal != SIGALRM)
		raise(signal);
	return status;
}

const struct cli_command cli_trace = {
	.name = "trace",
	.operands = "PROGRAM [ARG...]",
	.summary = "Run a program and print or store what there is to see at each stop",
	.details = details,
	.options = options,
	.run = cmd_trace,
};
