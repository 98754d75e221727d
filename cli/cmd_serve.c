/* cmd_serve.c - xstep serve: a program for gdb, lldb or any client of the gdb remote protocol. */
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "cli/commands.h"
#include "cli/program.h"
#include "engine/interrupt.h"
#include "engine/rsp_run.h"
#include "oracle/witness/own/record.h"

enum { WAIT_MS = 200, CLIENTS_MOST = 64 };

struct options {
	struct cli_program program;
	const char *listen, *from;
	bool plan;
	int sample;
	uint64_t seed, limit, clients;
};

#define FIELD(name) offsetof(struct options, name)

static const struct cli_option options[] = {
	{"Who may connect", "listen", 0, CLI_STRING, "ADDR",
		"[HOST]:PORT, or unix:PATH; port 0 is any that is free (127.0.0.1:0)",
		FIELD(listen)},
	{"What going on means", "plan", 0, CLI_FLAG, NULL,
		"continue and step lead to the next stop that xstep trace would keep; the process "
		"is "
		"read-only",
		FIELD(plan)},
	{"What going on means", "sample", 0, CLI_CHOICE, "all|unique|dtd",
		"with --plan: which stops, see xstep trace --help (all)", FIELD(sample)},
	{"What going on means", "seed", 0, CLI_NUMBER, "N", "of dtd's choice (0)", FIELD(seed)},
	{"What going on means", "from", 0, CLI_STRING, "FUNCTION",
		"with --plan: begin at the first call of FUNCTION (main)", FIELD(from)},
	{"What going on means", "limit", 0, CLI_COUNT, "N",
		"with --plan: end after N stops (no limit)", FIELD(limit)},
	{"What going on means", "clients", 0, CLI_COUNT, "N",
		"with --plan: wait for N clients; all see each stop, and it goes on when all have "
		"asked to (1)",
		FIELD(clients)},
	CLI_PROGRAM_OPTIONS(struct options, program),
	{0},
};

static const char details[] =
	"Starts the program, stopped before its first instruction, and waits for one client. In "
	"gdb:\n"
	"target remote ADDR; in lldb: gdb-remote ADDR, or process connect unix-connect://PATH. "
	"Where it\n"
	"listens is told on stderr. Breakpoints, steps, signals, registers and memory are the "
	"client's to\n"
	"use, as with gdbserver; watchpoints are refused. The first thread is driven. A client "
	"that\n"
	"detaches lets the program run on, and xstep with it; one that goes away ends it. With "
	"--plan\n"
	"the program ends with the last client: one that detaches, goes away or misbehaves leaves "
	"it to\n"
	"the others.\n"
	"\n"
	"Whoever can connect can do with the program what its user can: an address that is not "
	"this\n"
	"machine's own is warned of.\n"
	"\n"
	"Exit status: 0 the program ended, or was detached from and ended; 2 trouble.\n";

/* --- listening -------------------------------------------------------------------------------- */

/* A listening socket, and the name of where it is, to be freed; `path` is to be removed. */
struct place {
	int fd;
	char *name;
	char *path;
};

static struct xs_error *listen_unix(const char *path, struct place *ret)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	if (snprintf(address.sun_path, sizeof address.sun_path, "%s", path) >=
		(int)sizeof address.sun_path)
		return xs_error_create("--listen unix:%s: the path is too long", path);
	ret->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	mode_t before = umask(0177); /* nobody else's */
	bool bound = ret->fd >= 0 && !bind(ret->fd, (struct sockaddr *)&address, sizeof address);
	umask(before);
	if (!bound)
		return xs_error_sys("--listen unix:%s", path);
	ret->path = xs_strdup(path);
	ret->name = xs_strdup(path);
	return listen(ret->fd, CLIENTS_MOST) ? xs_error_sys("--listen unix:%s", path) : NULL;
}

static bool is_own(const struct sockaddr *address)
{
	if (address->sa_family == AF_INET)
		return ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr) >> 24 == 127;
	return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)address)->sin6_addr);
}

static struct xs_error *listen_tcp(const char *text, struct place *ret)
{
	const char *colon = strrchr(text, ':');
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found = NULL;
	if (!colon || !colon[1])
		return xs_error_create("--listen %s: no port: [HOST]:PORT or unix:PATH", text);
	bool brackets = *text == '[' && colon[-1] == ']';
	XS_AUTO_FREE char *host =
		xs_asprintf("%.*s", (int)(colon - text) - 2 * brackets, text + brackets);
	int problem = getaddrinfo(*host ? host : "127.0.0.1", colon + 1, &hints, &found);
	if (problem)
		return xs_error_create("--listen %s: %s", text, gai_strerror(problem));
	struct sockaddr_storage own;
	socklen_t size = sizeof own;
	ret->fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	setsockopt(ret->fd, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
	bool works = ret->fd >= 0 && !bind(ret->fd, found->ai_addr, found->ai_addrlen) &&
		     !listen(ret->fd, CLIENTS_MOST) &&
		     !getsockname(ret->fd, (struct sockaddr *)&own, &size);
	if (works && !is_own(found->ai_addr))
		fprintf(stderr,
			"xstep: warning: --listen %s: whoever reaches this address can use the "
			"program, and this machine, as you can\n",
			text);
	freeaddrinfo(found);
	if (!works)
		return xs_error_sys("--listen %s", text);
	char name[NI_MAXHOST], port[NI_MAXSERV];
	getnameinfo((struct sockaddr *)&own, size, name, sizeof name, port, sizeof port,
		NI_NUMERICHOST | NI_NUMERICSERV);
	ret->name = xs_asprintf(strchr(name, ':') ? "[%s]:%s" : "%s:%s", name, port);
	return NULL;
}

static struct xs_error *begin_listening(const char *text, struct place *ret)
{
	struct xs_error *err =
		!strncmp(text, "unix:", 5) ? listen_unix(text + 5, ret) : listen_tcp(text, ret);
	if (!err)
		fprintf(stderr, "xstep: listening on %s\n", ret->name);
	return err;
}

static void stop_listening(struct place *place)
{
	if (place->fd >= 0)
		close(place->fd);
	if (place->path)
		unlink(place->path);
	free(xs_take(&place->name));
	free(xs_take(&place->path));
	place->fd = -1;
}

/* Waits for a client; -1 if the run was interrupted. */
static int accept_client(const struct place *place)
{
	while (!eng_interrupt_signal()) {
		struct pollfd ready = {.fd = place->fd, .events = POLLIN};
		int fd = poll(&ready, 1, WAIT_MS) > 0 ? accept4(place->fd, NULL, NULL, SOCK_CLOEXEC)
						      : -1;
		if (fd >= 0)
			return fd;
	}
	return -1;
}

/* --- as gdbserver ----------------------------------------------------------------------------- */

static void report(const struct eng_process *process)
{
	if (process->end.kind == ENG_EVENT_EXITED)
		fprintf(stderr, "xstep: exited with status %d\n", process->end.status);
	else
		fprintf(stderr, "xstep: killed by SIG%s\n", sigabbrev_np(process->end.signal));
}

static struct xs_error *serve(const struct ora_run *run, const struct place *place)
{
	static const struct eng_rsp_stop first = {.signal = SIGTRAP};
	XS_AUTO(eng_process) process = NULL;
	struct eng_launch launch = {.path = run->path,
		.argv = run->argv,
		.environment = run->environment ? run->environment : ora_environment,
		.in = run->in,
		.out = run->out,
		.err = run->err};
	struct xs_error *err = eng_process_create(&launch, run->timeout, &process);
	if (err)
		return err;
	struct eng_rsp_server server = {.view = {.process = process, .path = run->path}};
	struct eng_rsp_client client = {.fd = -1};
	int fd = accept_client(place);
	if (fd >= 0) {
		setsockopt(fd, IPPROTO_TCP, 1 /* TCP_NODELAY */, &(int){1}, sizeof(int));
		eng_rsp_client_init(&client, fd, &first);
		err = eng_rsp_run(&server, &client);
	}
	bool detached = client.wish == ENG_RSP_WISH_DETACH;
	if (!err && client.why)
		fprintf(stderr, "xstep: %s; the program is ended\n", client.why);
	eng_rsp_client_deinit(&client);
	eng_rsp_view_deinit(&server.view);
	if (!err && detached)
		err = eng_process_finish(process, 0);
	if (!err && process->ended)
		report(process);
	return err;
}

/* --- from stop to stop ------------------------------------------------------------------------ */

struct tour {
	const struct place *place;
	struct eng_rsp_server server;
	struct eng_rsp_client clients[CLIENTS_MOST];
	size_t count;     /* how many are waited for at the first stop */
	size_t connected; /* how many came, whether they are still there or not */
	const struct ora_run *run;
};

static const struct eng_rsp_stop tour_stop = {.signal = SIGTRAP, .step = true};

static size_t count_clients(const struct tour *tour, enum eng_rsp_state state)
{
	size_t count = 0;
	for (size_t i = 0; i < tour->connected; i++)
		count += tour->clients[i].state == state;
	return count;
}

/* Waits for something to come from those who look, and answers. */
static void turn(struct tour *tour)
{
	struct pollfd ready[CLIENTS_MOST];
	for (size_t i = 0; i < tour->connected; i++) {
		const struct eng_rsp_client *client = &tour->clients[i];
		bool more = eng_rsp_client_has_more(client);
		ready[i] = (struct pollfd){
			.fd = client->fd, .events = (short)(POLLIN | (more ? POLLOUT : 0))};
	}
	if (poll(ready, tour->connected, WAIT_MS) <= 0)
		return;
	for (size_t i = 0; i < tour->connected; i++) {
		struct eng_rsp_client *client = &tour->clients[i];
		if (!ready[i].revents)
			continue;
		eng_rsp_client_flush(client);
		eng_rsp_client_take(&tour->server, client);
		if (client->state == ENG_RSP_LEFT && client->why && tour->count > 1)
			fprintf(stderr, "xstep: client %zu: %s\n", i + 1, client->why);
	}
}

static bool on_stop(void *context, const struct ora_stop *stop)
{
	struct tour *tour = context;
	tour->server.view.process = stop->process;
	tour->server.view.code = &tour->run->subject->ranges;
	tour->server.view.path = tour->run->path;
	for (size_t i = 0; i < tour->connected; i++)
		eng_rsp_client_stopped(&tour->server, &tour->clients[i], &tour_stop);
	while (tour->connected < tour->count) {
		int fd = accept_client(tour->place);
		if (fd < 0)
			return false;
		eng_rsp_client_init(&tour->clients[tour->connected++], fd, &tour_stop);
	}
	while (count_clients(tour, ENG_RSP_LOOKS) && !eng_interrupt_signal())
		turn(tour);
	return count_clients(tour, ENG_RSP_RUNS);
}

static struct xs_error *serve_plan(
	const struct options *values, struct ora_recording *recording, const struct place *place)
{
	static const enum eng_sample samples[] = {
		ENG_SAMPLE_ALL, ENG_SAMPLE_UNIQUE, ENG_SAMPLE_DTD};
	struct tour tour = {.place = place,
		.server = {.read_only = true},
		.count = values->clients,
		.run = &recording->run};
	recording->from = values->from;
	recording->mode = ENG_MODE_EXACT;
	recording->sample = samples[values->sample];
	recording->seed = values->seed;
	recording->limit = values->limit;
	recording->live = true;
	recording->on_stop = on_stop;
	recording->context = &tour;
	struct xs_error *err = ora_record(recording);
	bool killed = !recording->finished || recording->fate.kind == ENG_EVENT_KILLED;
	for (size_t i = 0; i < tour.connected; i++) {
		if (!err)
			eng_rsp_client_ended(&tour.clients[i], killed,
				!recording->finished ? SIGKILL
				: killed             ? recording->fate.signal
						     : recording->fate.status);
		eng_rsp_client_deinit(&tour.clients[i]);
	}
	eng_rsp_view_deinit(&tour.server.view);
	return err;
}

static int cmd_serve(int argc, char **argv)
{
	struct options values = {.listen = "127.0.0.1:0", .clients = 1};
	struct ora_recording recording = {0};
	struct place place = {.fd = -1};
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
	else if (!err && (!values.clients || values.clients > CLIENTS_MOST))
		err = xs_error_create(
			"--clients %" PRIu64 ": 1 to %d", values.clients, CLIENTS_MOST);
	else if (!err &&
		 !(err = cli_program_prepare(&values.program, argv + first, &recording.run))) {
		if (!values.program.out)
			recording.run.out = STDOUT_FILENO;
		if (!(err = begin_listening(values.listen, &place)))
			err = values.plan ? serve_plan(&values, &recording, &place)
					  : serve(&recording.run, &place);
	}
	stop_listening(&place);
	int signal = eng_interrupt_signal();
	ora_recording_deinit(&recording);
	cli_program_deinit(&values.program);
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
