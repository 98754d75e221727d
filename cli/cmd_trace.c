/* cmd_trace.c - xstep trace: runs a program and prints what there is to see at each stop. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>

#include "cli/commands.h"
#include "cli/print.h"

enum format { FORMAT_TEXT, FORMAT_JSON };

struct options {
	const char *from, *output, *in, *out, *debug_file, *debug_root; /* see the table */
	struct cli_strings modules, environment;
	uint64_t limit;
	double timeout;
	int mode, sample, format;
};

#define FIELD(name) offsetof(struct options, name)

static const struct cli_option options[] = {
	{"What to trace", "from", 0, CLI_STRING, "FUNCTION",
		"begin at the first call of FUNCTION and end when it returns (main)", FIELD(from)},
	{"What to trace", "module", 0, CLI_STRINGS, "NAME",
		"step through this loaded shared object too; may be repeated", FIELD(modules)},
	{"What to trace", "limit", 0, CLI_COUNT, "N", "end the program after N stops (no limit)",
		FIELD(limit)},
	{"What to trace", "timeout", 0, CLI_SECONDS, "S",
		"end the program after S seconds (no limit)", FIELD(timeout)},

	{"Debug information", "debug-file", 0, CLI_STRING, "FILE",
		"where the program's debug information is, if not in itself (looked for)",
		FIELD(debug_file)},
	{"Debug information", "debug-root", 0, CLI_STRING, "DIR",
		"where separate debug files are kept (" DI_DEBUG_ROOT ")", FIELD(debug_root)},

	{"How", "mode", 0, CLI_CHOICE, "single",
		"single: step every instruction with PTRACE_SINGLESTEP (single)", FIELD(mode)},
	{"How", "sample", 0, CLI_CHOICE, "none", "none: every stop, control facts only (none)",
		FIELD(sample)},

	{"The program's surroundings", "env", 0, CLI_STRINGS, "NAME=VALUE",
		"add to its environment (LC_ALL=C, PATH=/usr/bin:/bin); may be repeated",
		FIELD(environment)},
	{"The program's surroundings", "stdin", 0, CLI_STRING, "FILE",
		"what it reads (xstep's own standard input)", FIELD(in)},
	{"The program's surroundings", "stdout", 0, CLI_STRING, "FILE",
		"where its output goes (standard error: never into the trace)", FIELD(out)},

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

/* The program's path made absolute, its directory without symbolic links: what argv[0] is decides
 * where its stack lies. */
static struct xs_error *absolute_path(const char *program, char **ret)
{
	const char *slash = strrchr(program, '/');
	XS_AUTO_FREE char *folder =
		slash ? xs_asprintf("%.*s/", (int)(slash - program), program) : xs_strdup(".");
	char real[PATH_MAX];
	if (!realpath(folder, real))
		return xs_error_sys("%s", program);
	*ret = xs_asprintf("%s/%s", strcmp(real, "/") ? real : "", slash ? slash + 1 : program);
	return NULL;
}

static struct xs_error *open_for(const char *option, const char *path, int flags, int *ret)
{
	*ret = open(path, flags | O_CLOEXEC, 0666);
	return *ret < 0 ? xs_error_sys("--%s %s", option, path) : NULL;
}

/* The fixed environment with what --env adds or replaces. The strings stay the caller's. */
static struct xs_error *build_environment(const struct cli_strings *extra, char ***ret)
{
	XS_VEC(char *) all = {0};
	for (size_t i = 0; ora_environment[i]; i++)
		xs_vec_push(&all, ora_environment[i]);
	for (size_t i = 0; i < extra->vec.len; i++) {
		const char *text = extra->vec.data[i];
		size_t name = strcspn(text, "="), at = 0;
		if (!name || !text[name]) {
			xs_vec_deinit(&all);
			return xs_error_create("--env: '%s' is not NAME=VALUE", text);
		}
		while (at < all.len && strncmp(all.data[at], text, name + 1))
			at++;
		if (at == all.len)
			xs_vec_push(&all, NULL);
		all.data[at] = (char *)(uintptr_t)text; /* execve takes them so, and changes none */
	}
	xs_vec_push(&all, NULL);
	*ret = all.data;
	return NULL;
}

struct sink {
	struct cli_printer printer;
	void (*print)(struct cli_printer *printer, const struct ora_stop *stop);
};

static bool on_stop(void *context, const struct ora_stop *stop)
{
	struct sink *sink = context;
	sink->print(&sink->printer, stop);
	return !ferror(sink->printer.out);
}

/* One line on stderr: why the trace is over and what became of the program. */
static void report(const struct ora_recording *recording, const struct options *values)
{
	const char *name = recording->subject->modules.data[0].info->name;
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
			fprintf(stderr, "ended by --timeout %g; ", values->timeout);
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
	struct sink sink = {
		.print = values->format == FORMAT_JSON ? cli_print_json : cli_print_text};
	cli_printer_init(&sink.printer, out, recording->subject);
	recording->on_stop = on_stop;
	recording->context = &sink;
	struct xs_error *err = ora_record(recording);
	cli_printer_deinit(&sink.printer);
	if (!err && (fflush(out) || ferror(out)))
		err = xs_error_sys("%s", values->output ? values->output : "standard output");
	return err;
}

static struct xs_error *run(
	const struct options *values, char **argv, struct ora_recording *recording)
{
	XS_AUTO_FREE char *path = NULL;
	XS_AUTO_FREE char **environment = NULL;
	XS_AUTO_CLOSE int in = -1;
	XS_AUTO_CLOSE int out = -1;
	XS_AUTO_FILE FILE *file = NULL;
	struct xs_error *err;
	if ((err = absolute_path(argv[0], &path)) ||
		(err = build_environment(&values->environment, &environment)))
		return err;
	argv[0] = path;
	recording->path = path;
	recording->argv = argv;
	recording->environment = environment;
	recording->from = values->from;
	recording->modules = values->modules.vec.data;
	recording->module_count = values->modules.vec.len;
	recording->debug_file = values->debug_file;
	recording->debug_root = values->debug_root;
	recording->limit = values->limit;
	recording->timeout = values->timeout;
	/* The subject first: a mistyped name must not cost anybody an old trace. */
	if ((err = ora_recording_open(recording)))
		return err;
	if (values->in && (err = open_for("stdin", values->in, O_RDONLY, &in)))
		return err;
	if (values->out &&
		(err = open_for("stdout", values->out, O_WRONLY | O_CREAT | O_TRUNC, &out)))
		return err;
	recording->in = in >= 0 ? in : STDIN_FILENO;
	recording->out = out >= 0 ? out : STDERR_FILENO;
	recording->err = STDERR_FILENO;
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
	ora_recording_deinit(&recording);
	xs_vec_deinit(&values.modules.vec);
	xs_vec_deinit(&values.environment.vec);
	if (err)
		return cli_fail(err);
	/* Whoever sent it expects us to die of it. */
	if (signal && signal != SIGALRM)
		raise(signal);
	return CLI_NOTHING;
}

const struct cli_command cli_trace = {
	.name = "trace",
	.operands = "PROGRAM [ARG...]",
	.summary = "Run a program and print a reference trace: what there is to see at each stop",
	.details = details,
	.options = options,
	.run = cmd_trace,
};
