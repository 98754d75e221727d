#include "oracle/session/serving.h"

#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>

#include "engine/interrupt.h"
#include "engine/rsp_run.h"
#include "oracle/session/served.h"

enum { WAIT_MS = 200 };

/* --- as gdbserver ---------------------------------------------------------------------------- */

struct xs_error *ora_serve(struct ora_serving *serving, const struct ora_run *run)
{
	static const struct eng_rsp_stop first = {.signal = SIGTRAP};
	XS_AUTO(eng_process) process = NULL;
	struct eng_launch launch = {.path = run->path,
		.argv = run->argv,
		.environment = run->environment ? run->environment : ora_environment,
		.in = run->in,
		.out = run->out,
		.err = run->err,
		.steady = run->steady};
	struct xs_error *err = eng_process_create(&launch, run->timeout, &process);
	if (err)
		return err;
	struct ora_served served = {.pid = process->tracee.pid,
		.any = serving->any_file,
		.on_refused = serving->on_refused};
	struct eng_rsp_server server = {
		.view = {.process = process, .path = run->path}, .gate = ora_served_gate(&served)};
	struct eng_rsp_client client = {.fd = -1};
	int fd = ora_listening_accept(serving->listening);
	if (fd >= 0) {
		setsockopt(fd, IPPROTO_TCP, 1 /* TCP_NODELAY */, &(int){1}, sizeof(int));
		eng_rsp_client_init(&client, fd, &first);
		err = eng_rsp_run(&server, &client);
	}
	bool detached = client.wish == ENG_RSP_WISH_DETACH;
	if (!err && client.why)
		serving->on_leave(0, client.why);
	eng_rsp_client_deinit(&client);
	eng_rsp_view_deinit(&server.view);
	ora_served_deinit(&served);
	if (!err && detached)
		err = eng_process_finish(process, 0);
	serving->ended = !err && process->ended;
	serving->end = process->end;
	return err;
}

/* --- from stop to stop ----------------------------------------------------------------------- */

struct tour {
	const struct ora_serving *serving;
	struct eng_rsp_server server;
	struct eng_rsp_client clients[ORA_SERVING_MOST];
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
	struct pollfd ready[ORA_SERVING_MOST];
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
		if (client->state == ENG_RSP_LEFT && client->why && tour->serving->clients > 1)
			tour->serving->on_leave(i + 1, client->why);
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
	while (tour->connected < tour->serving->clients) {
		int fd = ora_listening_accept(tour->serving->listening);
		if (fd < 0)
			return false;
		eng_rsp_client_init(&tour->clients[tour->connected++], fd, &tour_stop);
	}
	while (count_clients(tour, ENG_RSP_LOOKS) && !eng_interrupt_signal())
		turn(tour);
	return count_clients(tour, ENG_RSP_RUNS);
}

struct xs_error *ora_serve_stops(struct ora_serving *serving, struct ora_recording *recording)
{
	struct tour tour = {
		.serving = serving, .server = {.read_only = true}, .run = &recording->run};
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
