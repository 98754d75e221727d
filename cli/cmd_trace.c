/* cmd_trace.c - xstep trace: runs a program and prints what there is to see at each stop. */
#include <signal.h>

#include "cli/commands.h"
#include "cli/print.h"
#include "cli/program.h"

enum format { FORMAT_TEXT, FORMAT_JSON };
enum vars { VARS_NONE, VARS_LOCALS, VARS_ALL };
enum mode { MODE_EXACT, MODE_SINGLE };

struct options {
	struct cli_program program;
	const char *from, *output; /* see the table */
	struct cli_strings modules;
	uint64_t limit, max_leaves;
	int mode, sample, format, vars;
	bool frames, regs;
};

#define FIELD(name) offsetof(struct options, name)

static const struct cli_option options[] = {
	{"What to trace", "from", 0, CLI_STRING, "FUNCTION",
		"begin at the first call of FUNCTION and end when it returns (main)", FIELD(from)},
	{"What to trace", "module", 0, CLI_STRINGS, "NAME",
		"step through this loaded shared object too; may be repeated", FIELD(modules)},
	{"What to trace", "limit", 0, CLI_COUNT, "N", "end the program after N stops (no limit)",
		FIELD(limit)},
	{"What to tell", "vars", 0, CLI_CHOICE, "none|locals|all",
		"variables: none, those of the functions, or globals too (none)", FIELD(vars)},
	{"What to tell", "frames", 0, CLI_FLAG, NULL,
		"the backtrace, and the variables of every frame; says where libunwind differs",
		FIELD(frames)},
	{"What to tell", "regs", 0, CLI_FLAG, NULL, "the general registers", FIELD(regs)},
	{"What to tell", "max-leaves", 0, CLI_COUNT, "N",
		"tell at most N leaves of a variable (4096)", FIELD(max_leaves)},

	{"How", "mode", 0, CLI_CHOICE, "exact|single",
		"exact: block by block; single: PTRACE_SINGLESTEP; same stops (exact)",
		FIELD(mode)},
	{"How", "sample", 0, CLI_CHOICE, "none", "none: every stop, control facts only (none)",
		FIELD(sample)},

	CLI_PROGRAM_OPTIONS(struct options, program),

	{"Output", "format", 0, CLI_CHOICE, "text|json", "text to read, or JSON lines (text)",
		FIELD(format)},
	{"Output", "output", 'o', CLI_STRING, "FILE", "write the trace to FILE (standard output)",
		FIELD(output)},
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
	"Exit status: 0 traced (whatever the program's own status), 2 trouble.\n";

static bool on_stop(void *context, const struct ora_stop *stop)
{
	struct cli_printer *printer = context;
	if (printer->json)
		cli_print_json(printer, stop);
	else
		cli_print_text(printer, stop);
	return !printer->err && !ferror(printer->out);
}

/* One line on stderr: why the trace is over and what became of the program. */
static void report(const struct ora_recording *recording, const struct options *values)
{
	const char *name = recording->run.subject->modules.data[0].info->name;
	fprintf(stderr, "xstep: %s: ", name);
	switch (recording->end) {
	case ENG_END_RETURN:
		fprintf(stderr, "%s returned; ", values->from ? values->from : "main");
		break;
	case ENG_END_EXEC:
		fprintf(stderr, "became another program; ");
		break;
	case ENG_END_LIMIT:
		fprintf(stderr, "ended by --limit %" PRIu64 "; ", values->limit);
		break;
	case ENG_END_INTERRUPTED:
		if (recording->interrupted_by == SIGALRM)
			fprintf(stderr, "ended by --timeout %g; ", values->program.timeout);
		else
			fprintf(stderr, "interrupted by SIG%s; ",
				sigabbrev_np(recording->interrupted_by));
		break;
	case ENG_END_PROGRAM:
	case ENG_END_CALLER:
		break;
	}
	if (recording->finished && recording->end != ENG_END_INTERRUPTED) {
		if (recording->fate.kind == ENG_EVENT_EXITED)
			fprintf(stderr, "exited with status %d; ", recording->fate.status);
		else
			fprintf(stderr, "killed by SIG%s (%s); ",
				sigabbrev_np(recording->fate.signal),
				sigdescr_np(recording->fate.signal));
	}
	fprintf(stderr, "%" PRIu64 " stop%s, %" PRIu64 " different transition%s\n",
		recording->stops, recording->stops == 1 ? "" : "s", recording->transitions,
		recording->transitions == 1 ? "" : "s");
}

/* Records into `out`, already open. */
static struct xs_error *record(
	struct ora_recording *recording, const struct options *values, FILE *out)
{
	struct cli_printer printer;
	cli_printer_init(&printer, out, recording->run.subject);
	printer.json = values->format == FORMAT_JSON;
	printer.which = values->vars == VARS_ALL      ? DI_WHICH_LOCALS | DI_WHICH_GLOBALS
			: values->vars == VARS_LOCALS ? DI_WHICH_LOCALS
						      : 0;
	printer.frames = values->frames;
	printer.regs = values->regs;
	printer.max_leaves = values->max_leaves;
	recording->on_stop = on_stop;
	recording->context = &printer;
	struct xs_error *err = ora_record(recording);
	if (!err)
		err = xs_take(&printer.err);
	cli_printer_deinit(&printer);
	if (!err && (fflush(out) || ferror(out)))
		err = xs_error_sys("%s", values->output ? values->output : "standard output");
	return err;
}

static struct xs_error *run(struct options *values, char **argv, struct ora_recording *recording)
{
	XS_AUTO_FILE FILE *file = NULL;
	struct xs_error *err;
	recording->from = values->from;
	recording->modules = values->modules.vec.data;
	recording->module_count = values->modules.vec.len;
	recording->limit = values->limit;
	recording->mode = values->mode == MODE_EXACT ? ENG_MODE_EXACT : ENG_MODE_SINGLE;
	recording->live = values->vars != VARS_NONE || values->frames || values->regs;
	if ((err = cli_program_prepare(&values->program, argv, &recording->run)))
		return err;
	if (values->output && !(file = fopen(values->output, "we")))
		return xs_error_sys("--output %s", values->output);
	if ((err = record(recording, values, file ? file : stdout)))
		return err;
	report(recording, values);
	return NULL;
}

static int cmd_trace(int argc, char **argv)
{
	struct options values = {0};
	struct ora_recording recording = {0};
	int first = 0;
	bool help = false;
	struct xs_error *err = cli_parse(&cli_trace, argc, argv, &values, &first, &help);
	if (!err && help)
		cli_print_help(&cli_trace, stdout);
	else if (!err && first >= argc)
		err = xs_error_create("trace: no program to run; see xstep trace --help");
	else if (!err)
		err = run(&values, argv + first, &recording);
	int signal = recording.interrupted_by;
	ora_run_deinit(&recording.run);
	cli_program_deinit(&values.program);
	xs_vec_deinit(&values.modules.vec);
	int status = err ? cli_fail(err) : CLI_NOTHING;
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
