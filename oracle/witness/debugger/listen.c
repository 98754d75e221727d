#include "oracle/witness/debugger/listen.h"

#include <errno.h>
#include <poll.h>
#include <sys/syscall.h>

#include "engine/interrupt.h"
#include "oracle/witness/debugger/driver.h"
#include "oracle/witness/debugger/silence.h"
#include "oracle/witness/own/run.h"

enum {
	LINE_MAX_BYTES = 1 << 28,
	LAST_WORDS_SECONDS = 2, /* for it to die when its results have ended */
};

/* A whole line. */
static struct xs_error *hear(struct ora_driver *driver)
{
	const char *kind;
	json_t *line;
	struct xs_error *err =
		ora_driver_parse(driver, driver->line.data, driver->line.len, &kind, &line);
	driver->line.len = 0;
	if (err)
		return err;
	err = ora_driver_pass_on(driver, kind, line);
	json_decref(line);
	return err;
}

/* What has come of the results. *open becomes false at their end. */
static struct xs_error *take_results(struct ora_driver *driver, bool *open)
{
	static char buffer[1 << 16];
	struct xs_error *err = NULL;
	ssize_t got = read(driver->helper.results, buffer, sizeof buffer);
	if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
		*open = false;
	for (ssize_t i = 0; i < got && !err; i++) {
		if (buffer[i] == '\n')
			err = hear(driver);
		else if (driver->line.len < LINE_MAX_BYTES)
			xs_vec_push(&driver->line, buffer[i]);
	}
	return err;
}

static void pass_output(struct ora_driver *driver)
{
	char buffer[4096];
	ssize_t got;
	while ((got = read(driver->output, buffer, sizeof buffer)) > 0)
		for (ssize_t done = 0, wrote; done < got; done += wrote)
			if ((wrote = write(driver->testimony->question->run->out, buffer + done,
				     (size_t)(got - done))) <= 0)
				return;
}

/* Until the debugger ends, or is ended. */
static struct xs_error *listen_to(struct ora_driver *driver)
{
	struct ora_testimony *testimony = driver->testimony;
	double patience = ora_driver_patience(testimony);
	struct ora_silence silence = {0};
	ora_silence_break(&silence);
	bool open = true, hung = false;
	struct xs_error *err = NULL;
	while (open && !err && !hung && !driver->over && !eng_interrupt_signal()) {
		struct pollfd fds[] = {{.fd = driver->helper.results, .events = POLLIN},
			{.fd = driver->helper.said, .events = POLLIN},
			{.fd = driver->output, .events = POLLIN}};
		poll(fds, 3, 200);
		uint64_t before = testimony->lines;
		ora_driver_hear_said(driver);
		pass_output(driver);
		err = take_results(driver, &open);
		if (testimony->lines != before)
			ora_silence_break(&silence);
		if (testimony->on_progress)
			testimony->on_progress(testimony->context, driver->transcript->told.number,
				testimony->lines);
		hung = ora_silence_seconds(&silence, driver->helper.pid) > patience;
	}
	testimony->interrupted_by = eng_interrupt_signal();
	/* With its results at an end it has nothing more to do; if it died it is dead by now. */
	ora_silence_break(&silence);
	while (!open && !ora_helper_has_ended(&driver->helper) &&
		ora_silence_seconds(&silence, driver->helper.pid) < LAST_WORDS_SECONDS) {
		ora_driver_hear_said(driver);
		usleep(1000);
	}
	ora_driver_hear_said(driver);
	pass_output(driver);
	ora_driver_tell_end(driver, hung);
	return err;
}

struct xs_error *ora_listen(struct ora_transcript *transcript)
{
	struct ora_testimony *testimony = transcript->testimony;
	struct ora_driver driver = {.testimony = testimony, .transcript = transcript, .output = -1};
	struct xs_error *err;
	if (!(err = ora_driver_prepare(&driver)) && !(err = ora_driver_start(&driver))) {
		int pidfd = (int)syscall(SYS_pidfd_open, driver.helper.pid, 0);
		eng_interrupt_arm(pidfd, testimony->question->run->timeout);
		err = listen_to(&driver);
		eng_interrupt_disarm();
		if (pidfd >= 0)
			close(pidfd);
	}
	ora_driver_deinit(&driver);
	return err;
}
