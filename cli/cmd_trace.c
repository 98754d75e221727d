/* cmd_trace.c - xstep trace: runs a program and prints, or stores, what there is to see at each
 * stop.
 */
#include <signal.h>

#include "cli/commands.h"
#include "cli/program.h"
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
		"begin at the first call of a FUNCTION, or where FILE:LINE is first arrived at, "
		"and end "
		"when that call returns (main)",
		FIELD(from)},
	{"What to trace", "module", 0, CLI_STRINGS, "NAME",
		"step through this shared object too, whenever it is loaded; may be repeated",
		FIELD(modules)},
	{"What to trace", "threads", 0, CLI_CHOICE, "main|all",
		"the first thread only; or each, one at a time, in a trace of its own (main)",
		FIELD(threads)},
	{"What to trace", "limit", 0, CLI_COUNT, "N", "end the program after N stops (no limit)",
		FIELD(limit)},
	{"What to tell", "vars", 0, CLI_CHOICE, "none|locals|all",
		"variables: none, those of the functions, or globals too (none; all in a store)",
		FIELD(vars)},
	{"What to tell", "frames", 0, CLI_FLAG, NULL,
		"the backtrace, and the variables of every frame; says where libunwind differs",
		FIELD(frames)},
	{"What to tell", "regs", 0, CLI_FLAG, NULL, "the general registers", FIELD(regs)},
	{"What to tell", "max-leaves", 0, CLI_COUNT, "N",
		"tell at most N leaves of a variable (4096)", FIELD(max_leaves)},

	{"How", "mode", 0, CLI_CHOICE, "exact|single|unique",
		"block by block; PTRACE_SINGLESTEP; or each transition once, then at full speed "
		"(exact)",
		FIELD(mode)},
	{"How", "level", 0, CLI_CHOICE, "instruction|line|break",
		"what one step is: an instruction; a source line, into calls; or to the next "
		"temporary breakpoint, each line having one (instruction)",
		FIELD(level)},
	{"How", "sample", 0, CLI_CHOICE, "none|all|unique|dtd",
		"which stops to keep: every one, without or with its state; the first of each "
		"transition; or those of the DTD paper (dtd)",
		FIELD(sample)},
	{"How", "seed", 0, CLI_NUMBER, "N", "of dtd's choice (0)", FIELD(seed)},

	{"Other witnesses", "witness", 0, CLI_STRING, "WHO[,WHO...]",
		"who is asked: xstep, gdb, lldb, gdb@PATH, lldb@PATH; gdb:print and "
		"lldb:expression are asked for the names of variables, as expressions (xstep)",
		FIELD(witness)},
	{"Other witnesses", "gdb", 0, CLI_STRING, "PATH", "the gdb to ask (found on PATH)",
		FIELD(gdb)},
	{"Other witnesses", "lldb", 0, CLI_STRING, "PATH",
		"the lldb to ask (the newest on PATH that can be)", FIELD(lldb)},
	{"Other witnesses", "ask", 0, CLI_CHOICE, "needed|all|text",
		"for texts whose bytes changed or are new; for all at each stop; or for whole "
		"variables in the debugger's own text, as a plain script does (needed)",
		FIELD(ask)},
	{"Other witnesses", "plan", 0, CLI_FLAG, NULL,
		"run to the sampled stops that xstep foretells, by breakpoints where that is "
		"faster; counts are xstep's then (if xstep is asked, too)",
		FIELD(plan)},
	{"Other witnesses", "no-plan", 0, CLI_FLAG, NULL,
		"have each debugger step and count by itself, whoever is asked", FIELD(no_plan)},
	{"Other witnesses", "drive", 0, CLI_CHOICE, "auto|shared|native",
		"debuggers look at the process that xstep holds; or each runs one of its own "
		"(auto: shared, if xstep is asked and every step is an instruction)",
		FIELD(drive)},
	{"Other witnesses", "repeat", 0, CLI_COUNT, "N",
		"2: run each debugger twice and mark, in a store, the leaves that differ (1)",
		FIELD(repeat)},
	{"Other witnesses", "patience", 0, CLI_SECONDS, "S",
		"give a debugger up that shows no sign of life for S seconds (60)",
		FIELD(patience)},

	CLI_PROGRAM_OPTIONS(struct options, hearing.program),

	{"Output", "format", 0, CLI_CHOICE, "text|json|none",
		"text to read, JSON lines, or no stops at all (text)", OWN(format)},
	{"Output", "output", 'o', CLI_STRING, "FILE",
		"write the trace to FILE (standard output); into a store, if it is one or is "
		"called "
		"*.db or *.sqlite",
		OWN(output)},
	{"Output", "keep-order", 0, CLI_FLAG, NULL,
		"in a store: keep the order of all executed transitions, too", FIELD(keep_order)},
	{"Output", "quiet", 'q', CLI_FLAG, NULL, "no line of progress on the terminal", OWN(quiet)},
	{"Output", "stats", 0, CLI_OPTIONAL, "FILE",
		"what it took, as a line of JSON: alone in FILE, or the last on stderr",
		OWN(stats)},
	{"Output", "transitions", 0, CLI_STRING, "FILE",
		"write the different transitions to FILE, sorted, as JSON lines", OWN(transitions)},
	{0},
};

static const char details[] =
	"Text has one line a stop: its number, the address about to be executed, the function and\n"
	"offset, file:line:column of its row in the line table, and the source when the line "
	"changes.\n"
	"`-` means that no row covers the address; line 0 is a row that stands for no source "
	"line.\n"
	"JSON has one object a stop with the keys stop, prev, pc, n, function, file, line, column; "
	"n\n"
	"counts how often the transition prev -> pc has been taken. Addresses are link-time "
	"addresses;\n"
	"those of shared objects are written NAME+0x... How the program ended is told on stderr.\n"
	"\n"
	"--sample says which stops are kept, printed and stored. dtd keeps a transition seen C "
	"times\n"
	"before if C is 0, else one in C, by a hash of seed, prev, pc and C: every run picks the "
	"same.\n"
	"none keeps control facts only; the others go with --vars, --frames and --regs, and what "
	"these\n"
	"tell has changed since the stop that was kept before. A store gets all three, "
	"unless\n"
	"--vars says otherwise.\n"
	"\n"
	"single and exact yield the same stops. unique yields the first of each transition "
	"(--sample\n"
	"unique): it traps where something new may happen and lets the program run at full speed\n"
	"elsewhere. It misses no instruction and no direct edge. Returns, indirect branches and "
	"calls\n"
	"of library code are given up on when they have told nothing new for a while: such "
	"sources\n"
	"are saturated, and are listed on stderr. A stop that nobody knows the way to then has "
	"prev\n"
	"null and n 0.\n"
	"--threads all lets one thread run at a time: until it sleeps, yields, ends or has come a "
	"long\n"
	"way, then the next. Threads are numbered from 1 in the order of creation: text has [2] "
	"before\n"
	"the stop, JSON and --transitions the key thread, a store a trace for each.\n"
	"--stats has the keys mode, instructions (null in unique), transitions, stops (at "
	"breakpoints),\n"
	"steps, signals, saturated, seconds, with --threads all also threads; --transitions prev, "
	"pc,\n"
	"count (null in unique).\n"
	"\n"
	"Exit status: 0 traced (whatever the program's own status), 2 trouble.\n";

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
	.summary = "Run a program and print a reference trace: what there is to see at each stop",
	.details = details,
	.options = options,
	.run = cmd_trace,
};
