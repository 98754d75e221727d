#include "oracle/testimony.h"

#include <errno.h>
#include <poll.h>
#include <sys/syscall.h>

#include "base/clock.h"
#include "engine/interrupt.h"
#include "oracle/session.h"

enum { LINE_MAX_BYTES = 1 << 28 };

/* A whole line. */
static struct xs_error *hear(struct ora_session *session)
{
	const char *kind;
	json_t *line;
	struct xs_error *err =
		ora_session_parse(session, session->line.data, session->line.len, &kind, &line);
	session->line.len = 0;
	if (err)
		return err;
	ora_session_pass_on(session, kind, line);
	json_decref(line);
	return NULL;
}

/* What has come of the results. *open becomes false at their end. */
static struct xs_error *take_results(struct ora_session *session, bool *open)
{
	static char buffer[1 << 16];
	struct xs_error *err = NULL;
	ssize_t got = read(session->helper.results, buffer, sizeof buffer);
	if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
		*open = false;
	for (ssize_t i = 0; i < got && !err; i++) {
		if (buffer[i] == '\n')
			err = hear(session);
		else if (session->line.len < LINE_MAX_BYTES)
			xs_vec_push(&session->line, buffer[i]);
	}
	return err;
}

static void pass_output(struct ora_session *session)
{
	char buffer[4096];
	ssize_t got;
	while ((got = read(session->output, buffer, sizeof buffer)) > 0)
		for (ssize_t done = 0, wrote; done < got; done += wrote)
			if ((wrote = write(session->testimony->run->out, buffer + done,
				     (size_t)(got - done))) <= 0)
				return;
}

/* Until the debugger ends, or is ended. */
static struct xs_error *listen_to(struct ora_session *session)
{
	struct ora_testimony *testimony = session->testimony;
	double patience = testimony->patience > 0 ? testimony->patience : ORA_SESSION_PATIENCE;
	double heard = xs_now();
	bool open = true, hung = false;
	struct xs_error *err = NULL;
	while (open && !err && !hung && !session->over && !eng_interrupt_signal()) {
		struct pollfd fds[] = {{.fd = session->helper.results, .events = POLLIN},
			{.fd = session->helper.said, .events = POLLIN},
			{.fd = session->output, .events = POLLIN}};
		poll(fds, 3, 200);
		uint64_t before = testimony->lines;
		ora_session_hear_said(session);
		pass_output(session);
		err = take_results(session, &open);
		if (testimony->lines != before)
			heard = xs_now();
		hung = xs_now() - heard > patience;
	}
	testimony->interrupted_by = eng_interrupt_signal();
	/* With its results at an end it has nothing more to do; if it died it is dead by now. */
	for (int i = 0; i < 2000 && !open && !ora_helper_has_ended(&session->helper); i++) {
		ora_session_hear_said(session);
		usleep(1000);
	}
	ora_session_hear_said(session);
	pass_output(session);
	ora_session_tell_end(session, hung);
	return err;
}

struct xs_error *ora_testify(struct ora_testimony *testimony)
{
	struct ora_session session = {.testimony = testimony, .output = -1};
	struct xs_error *err;
	if (!(err = ora_session_prepare(&session)) && !(err = ora_session_start(&session))) {
		int pidfd = (int)syscall(SYS_pidfd_open, session.helper.pid, 0);
		eng_interrupt_arm(pidfd, testimony->run->timeout);
		err = listen_to(&session);
		eng_interrupt_disarm();
		if (pidfd >= 0)
			close(pidfd);
	}
	ora_session_deinit(&session);
	return err;
}

void ora_testimony_deinit(struct ora_testimony *testimony)
{
	free(testimony->trouble);
	testimony->trouble = NULL;
}
