#include "engine/rsp_run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/socket.h>

#include "engine/interrupt.h"

enum { WAIT_MS = 500 };

/* --- interrupts ------------------------------------------------------------------------------ */

/* While the process runs its tracer waits for it and for nothing else: that something has come from
 * the client is told by a signal. */
static volatile sig_atomic_t awaited_fd = -1, awaited_pid;

static void on_input(int signal)
{
	int saved = errno;
	char byte;
	struct pollfd end = {.fd = awaited_fd, .events = POLLRDHUP};
	(void)signal;
	ssize_t got = awaited_fd < 0 ? -1 : recv(awaited_fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
	if (got == 1 && byte == 0x03) {
		got = recv(awaited_fd, &byte, 1, MSG_DONTWAIT);
		kill(awaited_pid, SIGINT);
	} else if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR && awaited_fd >= 0)) {
		kill(awaited_pid, SIGKILL); /* nobody is there any more to stop it */
	} else if (got == 1 && poll(&end, 1, 0) > 0) {
		kill(awaited_pid, SIGKILL); /* nor behind what is still to be read */
	}
	errno = saved;
}

static void await_input(const struct eng_rsp_client *client, pid_t pid, bool await)
{
	struct sigaction action = {
		.sa_handler = await ? on_input : SIG_IGN, .sa_flags = SA_RESTART};
	int flags = fcntl(client->fd, F_GETFL);
	awaited_pid = pid;
	awaited_fd = await ? client->fd : -1;
	sigemptyset(&action.sa_mask);
	sigaction(SIGIO, &action, NULL);
	if (client->fd < 0)
		return;
	fcntl(client->fd, F_SETOWN, getpid());
	fcntl(client->fd, F_SETFL, await ? flags | O_ASYNC : flags & ~O_ASYNC);
	if (await)
		on_input(SIGIO); /* it may have come before we asked to be told */
}

/* --- going on -------------------------------------------------------------------------------- */

static bool has_break(const struct eng_rsp_client *client, xs_addr pc)
{
	for (size_t i = 0; i < client->breaks.len; i++)
		if (client->breaks.data[i].addr == pc)
			return true;
	return false;
}

/* Runs from where there is no breakpoint, or one that was passed, to the next event. */
static struct xs_error *run_freely(struct eng_process *process, const struct eng_rsp_client *client,
	int signal, struct eng_event *event)
{
	struct eng_traps traps = {0};
	struct xs_error *err = NULL;
	for (size_t i = 0; !err && i < client->breaks.len; i++)
		if (!eng_traps_has(&traps, client->breaks.data[i].addr))
			err = eng_traps_add(&traps, &process->tracee, client->breaks.data[i].addr);
	if (!err)
		err = eng_traps_plant(&traps, &process->tracee);
	process->traps = &traps;
	if (!err)
		err = eng_process_go(process, PTRACE_CONT, signal, event);
	if (!process->ended)
		eng_traps_clear(&traps, &process->tracee);
	process->traps = NULL;
	eng_traps_deinit(&traps);
	return err;
}

static struct xs_error *step(struct eng_process *process, int signal, struct eng_event *event)
{
	struct eng_insn insn;
	return eng_process_step(process, signal, &insn, event);
}

/* Does what the client wishes, up to the next event. */
static struct xs_error *go_on(
	struct eng_process *process, struct eng_rsp_client *client, struct eng_event *event)
{
	struct user_regs_struct *regs;
	int signal = client->wish_signal;
	struct xs_error *err = eng_tracee_regs(&process->tracee, &regs);
	if (err)
		return err;
	if (client->wish_addressed) {
		regs->rip = client->wish_address;
		process->tracee.regs_changed = true;
	}
	if (client->wish == ENG_RSP_WISH_STEP)
		return step(process, signal, event);
	if (has_break(client, regs->rip)) {
		/* The instruction under it is executed first. */
		if ((err = step(process, signal, event)) || process->ended ||
			event->kind != ENG_EVENT_STEP)
			return err;
		signal = 0;
		if ((err = eng_tracee_regs(&process->tracee, &regs)))
			return err;
		if (has_break(client, regs->rip)) {
			event->kind = ENG_EVENT_TRAP;
			return NULL;
		}
	}
	return run_freely(process, client, signal, event);
}

/* What an event is to the client. */
static struct xs_error *describe(struct eng_process *process, const struct eng_rsp_client *client,
	const struct eng_event *event, struct eng_rsp_stop *ret)
{
	struct user_regs_struct *regs;
	struct xs_error *err = eng_tracee_regs(&process->tracee, &regs);
	if (err)
		return err;
	*ret = (struct eng_rsp_stop){.signal = SIGTRAP};
	if (event->kind == ENG_EVENT_STEP) {
		ret->step = true;
	} else if (event->kind == ENG_EVENT_SIGNAL) {
		ret->signal = event->signal;
	} else if (event->kind == ENG_EVENT_TRAP && has_break(client, regs->rip - 1) &&
		   client->wish != ENG_RSP_WISH_STEP) {
		regs->rip--;
		process->tracee.regs_changed = true;
		ret->breakpoint = true;
	} else if (event->kind == ENG_EVENT_TRAP && has_break(client, regs->rip)) {
		ret->breakpoint = true;
	}
	return NULL;
}

static struct xs_error *run(struct eng_rsp_server *server, struct eng_rsp_client *client)
{
	struct eng_process *process = server->view.process;
	struct eng_event event = {.kind = ENG_EVENT_EXEC};
	struct eng_rsp_stop stop;
	struct xs_error *err = NULL;
	await_input(client, process->tracee.pid, true);
	err = go_on(process, client, &event);
	/* Another program in its place: the client's breakpoints were in the one before. */
	while (!err && !process->ended && event.kind == ENG_EVENT_EXEC)
		err = eng_process_go(process, PTRACE_CONT, 0, &event);
	await_input(client, process->tracee.pid, false);
	if (process->tracee.gone && !process->ended) {
		xs_error_destroy(err);
		err = eng_process_finish(process, 0);
	}
	if (err)
		return err;
	if (process->ended) {
		eng_rsp_client_ended(client, process->end.kind == ENG_EVENT_KILLED,
			process->end.kind == ENG_EVENT_KILLED ? process->end.signal
							      : process->end.status);
		return NULL;
	}
	if ((err = describe(process, client, &event, &stop)))
		return err;
	eng_rsp_client_stopped(server, client, &stop);
	return NULL;
}

struct xs_error *eng_rsp_run(struct eng_rsp_server *server, struct eng_rsp_client *client)
{
	struct xs_error *err = NULL;
	while (!err && client->state != ENG_RSP_LEFT && !eng_interrupt_signal()) {
		struct pollfd ready = {.fd = client->fd,
			.events =
				(short)(POLLIN | (eng_rsp_client_has_more(client) ? POLLOUT : 0))};
		if (client->state == ENG_RSP_RUNS) {
			err = run(server, client);
		} else if (poll(&ready, 1, WAIT_MS) > 0) {
			if (ready.revents & POLLOUT)
				eng_rsp_client_flush(client);
			eng_rsp_client_take(server, client);
		}
	}
	/* What is still to be said: the answer to D, the exit status. */
	for (int i = 0; i < 20 && eng_rsp_client_has_more(client); i++) {
		poll(&(struct pollfd){.fd = client->fd, .events = POLLOUT}, 1, 100);
		eng_rsp_client_flush(client);
	}
	return err;
}
