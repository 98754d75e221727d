/* cmd_serve.c - xstep serve: a program for gdb, lldb or any client of the gdb remote protocol. */
#include <signal.h>

#include "base/shown.h"
#include "cli/commands.h"
#include "cli/program_options.h"
#include "engine/interrupt.h"
#include "oracle/session/serving.h"

struct options {
	struct ora_program program;
	const char *listen, *from;
	bool plan, any_file;
	int sample;
	uint64_t seed, limit, clients;
};

#define FIELD(name) offsetof(struct options, name)

static const struct cli_option options[] = {
	{"Who may connect", "listen", 0, CLI_STRING, "ADDR",
		"[HOST]:PORT or unix:PATH; port 0 is any free port (default: a unix socket in a "
		"temporary folder, for nobody but you)",
		FIELD(listen)},
	{"Who may connect", "any-file", 0, CLI_FLAG, NULL,
		"clients may read every file that you can (default: the program, its libraries, "
		"and their debug files)",
		FIELD(any_file)},
	{"What going on means", "plan", 0, CLI_FLAG, NULL,
		"continue and step lead to the next stop that xstep trace would keep; the "
		"process is read-only",
		FIELD(plan)},
	{"What going on means", "sample", 0, CLI_CHOICE, "all|unique|dtd",
		"with --plan: which stops, see xstep trace --help (default: all)", FIELD(sample)},
	{"What going on means", "seed", 0, CLI_NUMBER, "N",
		"with --plan: changes which stops dtd chooses (default: 0)", FIELD(seed)},
	{"What going on means", "from", 0, CLI_STRING, "FUNCTION",
		"with --plan: begin at the first call of FUNCTION (default: main)", FIELD(from)},
	{"What going on means", "limit", 0, CLI_COUNT, "N",
		"with --plan: end after N stops (default: no limit)", FIELD(limit)},
	{"What going on means", "clients", 0, CLI_COUNT, "N",
		"with --plan: wait for N clients; the program goes on when all of them have "
		"asked for it (default: 1)",
		FIELD(clients)},
	CLI_PROGRAM_OPTIONS(struct options, program),
	{0},
};

static const char details[] =
	"Starts the program, stopped before its first instruction, and waits for one\n"
	"client. What to type in gdb and in lldb is printed on standard error.\n"
	"\n"
	"The client has breakpoints, steps, signals, registers and memory, as with\n"
	"gdbserver; watchpoints are refused. The first thread is driven. If the client\n"
	"detaches, the program runs on, and xstep waits for its end. If the client goes\n"
	"away, xstep ends the program. With --plan the program ends with the last client:\n"
	"when one client detaches, goes away or misbehaves, the others go on.\n"
	"\n"
	"Whoever can connect can do with the program what its user can. That is only you,\n"
	"unless --listen names a port: each user of this machine can connect to one of\n"
	"127.0.0.1. xstep warns about that, and about an address that is not this\n"
	"machine's own.\n"
	"\n"
	"Exit status:\n"
	"  0  the program ended\n"
	"  2  trouble\n";

static void on_leave(size_t number, const char *why)
{
	if (number)
		xs_print(stderr, "xstep: client %zu: %s\n", number, why);
	else
		xs_print(stderr, "xstep: %s; the program is ended\n", why);
}

static void on_refused(void)
{
	xs_print(stderr,
		"xstep: a client asked for a file that no symbols are loaded from: refused "
		"(--any-file)\n");
}

static struct xs_error *begin_listening(const char *text, struct ora_listening *ret)
{
	struct xs_error *err = ora_listening_begin(text, ret);
	if (err)
		return text ? xs_error_context(err, "--listen %s", text) : err;
	if (ret->is_open || ret->is_shared)
		xs_print(stderr,
			"xstep: warning: --listen %s: %s can use the program, and this machine, as "
			"you can\n",
			text,
			ret->is_open ? "whoever reaches this address"
				     : "each user of this machine");
	xs_print(stderr,
		"xstep: listening on %s\n"
		"xstep:   gdb: target remote %s\n"
		"xstep:   lldb: process connect --plugin gdb-remote %s://%s\n",
		ret->name, ret->name, ret->is_unix ? "unix-connect" : "connect", ret->name);
	return NULL;
}

static struct xs_error *serve(const struct options *values, const struct ora_listening *listening,
	struct ora_recording *recording)
{
	static const enum eng_sample samples[] = {
		ENG_SAMPLE_ALL, ENG_SAMPLE_UNIQUE, ENG_SAMPLE_DTD};
	struct ora_serving serving = {.listening = listening,
		.clients = values->clients,
		.on_leave = on_leave,
		.any_file = values->any_file,
		.on_refused = on_refused};
	if (values->plan) {
		recording->from = values->from;
		recording->mode = ENG_MODE_EXACT;
		recording->sample = samples[values->sample];
		recording->seed = values->seed;
		recording->limit = values->limit;
		return ora_serve_stops(&serving, recording);
	}
	struct xs_error *err = ora_serve(&serving, &recording->run);
	if (serving.ended && serving.end.kind == ENG_EVENT_EXITED)
		xs_print(stderr, "xstep: exited with status %d\n", serving.end.status);
	else if (serving.ended)
		xs_print(stderr, "xstep: killed by SIG%s\n", sigabbrev_np(serving.end.signal));
	return err;
}

static int cmd_serve(int argc, char **argv)
{
	struct options values = {.clients = 1};
	struct ora_recording recording = {0};
	struct ora_listening listening = {.fd = -1};
	int first = 0;
	bool help = false;
	struct xs_error *err = cli_parse(&cli_serve, argc, argv, &values, &first, &help);
	if (!err && help)
		cli_print_help(&cli_serve, stdout);
	else if (!err && first >= argc)
		err = xs_error_create("serve: no program to run; see xstep serve --help");
	else if (!err && !values.plan &&
		 (values.from || values.limit || values.sample || values.seed ||
			 values.clients > 1))
		err = xs_error_create(
			"serve: --sample, --seed, --from, --limit and --clients go with --plan");
	else if (!err && values.plan && values.any_file)
		err = xs_error_create(
			"serve: --any-file goes without --plan: with it no file is read");
	else if (!err && (!values.clients || values.clients > ORA_SERVING_MOST))
		err = xs_error_create("--clients %" PRIu64 ": expected 1 to %d", values.clients,
			ORA_SERVING_MOST);
	else if (!err &&
		 !(err = ora_program_prepare(&values.program, argv + first, &recording.run))) {
		if (!values.program.out)
			recording.run.out = STDOUT_FILENO;
		if (!(err = begin_listening(values.listen, &listening)))
			err = serve(&values, &listening, &recording);
	}
	ora_listening_end(&listening);
	int signal = eng_interrupt_signal();
	ora_recording_deinit(&recording);
	ora_program_deinit(&values.program);
	int status = err ? cli_fail(err) : CLI_NOTHING;
	/* Whoever sent it expects us to die of it. */
	if (signal && signal != SIGALRM)
		raise(signal);
	return status;
}

const struct cli_command cli_serve = {
	.name = "serve",
	.operands = "PROGRAM [ARG...]",
	.summary = "Run a program for gdb, lldb or any client of the gdb remote protocol",
	.details = details,
	.options = options,
	.run = cmd_serve,
};
