#include "oracle/witness/debugger/shared.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "base/log.h"
#include "engine/fingerprint.h"
#include "engine/interrupt.h"
#include "engine/rsp_server.h"
#include "oracle/witness/debugger/driver.h"
#include "oracle/witness/debugger/silence.h"

enum {
	PAGE = 4096,
	WAIT_MS = 200,          /* between two looks at the clock */
	FLOOD = 10,             /* so many times its patience a debugger may ask without telling */
	LAST_WORDS_SECONDS = 2, /* for it to die when its results have ended */
	LONG_LINE = 1 << 20,    /* bytes, which take a while to read: not after an interruption */
	SPOOL_MOST = 1 << 16,   /* bytes: to empty a file costs more than to let it grow */
};
/* So long after an interruption what a debugger has said is still told, each in its turn. */
#define TELLING_SECONDS 0.6

/* One debugger. */
struct looker {
	struct ora_driver driver;
	int listener;                 /* -1 when it has connected */
	struct eng_rsp_client client; /* if it has */
	bool connected;
	bool lent;                    /* it was not started but borrowed */
	bool done;                    /* it has ended, or was dropped */
	bool looked;                  /* it has asked for the next stop at least once */
	int spool;                    /* its lines */
	off_t told;                   /* how much of that was passed on */
	struct ora_silence unheard;   /* since it last showed signs of life */
	struct ora_silence untold;    /* since it last told something */
	uint64_t packets;             /* how many there were then */
	xs_addr pc;                   /* of the last stop */
	bool has_memory;              /* it has been sent the process's memory, or that cannot be */
	struct ora_shared_page *page; /* mapped */
};

struct ora_shared {
	size_t count;
	struct looker *lookers;
	struct eng_rsp_server server;
	void (*meanwhile)(void *context); /* done while they look; NULL: nothing */
	void *context;                    /* passed to it */
};

static void break_silence(struct looker *looker)
{
	ora_silence_break(&looker->unheard);
	ora_silence_break(&looker->untold);
}

/* --- beginning ------------------------------------------------------------------------------- */

static struct xs_error *make_page(struct looker *looker)
{
	XS_AUTO_FREE char *path = ora_driver_path(&looker->driver, "stop");
	XS_AUTO_CLOSE int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0 || ftruncate(fd, PAGE))
		return xs_error_sys("%s", path);
	void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		return xs_error_sys("mmap(%s)", path);
	looker->page = page;
	return NULL;
}

static struct xs_error *make_spool(struct looker *looker)
{
	XS_AUTO_FREE char *path = ora_driver_path(&looker->driver, "lines");
	looker->spool = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (looker->spool < 0)
		return xs_error_sys("%s", path);
	unlink(path);
	return NULL;
}

static struct xs_error *listen_for(struct looker *looker)
{
	XS_AUTO_FREE char *path = ora_driver_path(&looker->driver, "socket");
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	if (snprintf(address.sun_path, sizeof address.sun_path, "%s", path) >=
		(int)sizeof address.sun_path)
		return xs_error_create("%s: too long for a socket; choose another TMPDIR", path);
	looker->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (looker->listener < 0 ||
		bind(looker->listener, (struct sockaddr *)&address, sizeof address) ||
		listen(looker->listener, 1))
		return xs_error_sys("%s", path);
	return NULL;
}

static struct xs_error *begin(struct looker *looker)
{
	struct xs_error *err;
	if ((err = ora_driver_prepare(&looker->driver)) || (err = make_page(looker)) ||
		(err = make_spool(looker)) || (err = listen_for(looker)) ||
		(err = ora_driver_start(&looker->driver)))
		return err;
	looker->lent = looker->driver.helper.lent;
	XS_AUTO_FREE char *job = ora_driver_path(&looker->driver, "job");
	XS_AUTO_FREE char *mark = xs_asprintf("XSTEP_JOB=%s", job);
	ora_helper_share(&looker->driver.helper, mark);
	break_silence(looker);
	return NULL;
}

struct xs_error *ora_shared_create(
	struct ora_testimony *const *testimonies, size_t count, struct ora_shared **ret)
{
	XS_AUTO(ora_shared) shared = xs_calloc(1, sizeof *shared);
	struct xs_error *err = NULL;
	shared->count = count;
	shared->lookers = xs_calloc(count, sizeof *shared->lookers);
	shared->server.read_only = true;
	for (size_t i = 0; i < count; i++)
		shared->lookers[i] = (struct looker){
			.driver = {.testimony = testimonies[i], .shared = true, .output = -1},
			.listener = -1,
			.client = {.fd = -1},
			.spool = -1};
	for (size_t i = 0; !err && i < count; i++)
		err = begin(&shared->lookers[i]);
	if (!err)
		*ret = xs_take(&shared);
	return err;
}

/* --- ending ---------------------------------------------------------------------------------- */

/* The debugger is of no more use. */
static void finish(struct looker *looker)
{
	looker->done = true;
	if (looker->connected)
		eng_rsp_client_deinit(&looker->client);
	looker->connected = false;
	if (looker->listener >= 0)
		close(looker->listener);
	looker->listener = -1;
	ora_driver_deinit(&looker->driver);
}

void ora_shared_destroy(struct ora_shared *shared)
{
	if (!shared)
		return;
	for (size_t i = 0; i < shared->count; i++) {
		struct looker *looker = &shared->lookers[i];
		if (!looker->done)
			finish(looker);
		if (looker->spool >= 0)
			close(looker->spool);
		if (looker->page)
			munmap(looker->page, PAGE);
	}
	eng_rsp_view_deinit(&shared->server.view);
	free(shared->lookers);
	free(shared);
}

/* What it has written goes into the spool. False when that has ended. */
static bool take_lines(struct looker *looker)
{
	static char buffer[1 << 16];
	for (;;) {
		ssize_t got = read(looker->driver.helper.results, buffer, sizeof buffer);
		if (got < 0 && (errno == EAGAIN || errno == EINTR))
			return true;
		if (got <= 0)
			return false;
		break_silence(looker);
		for (ssize_t done = 0, wrote; done < got; done += wrote)
			if ((wrote = write(looker->spool, buffer + done, (size_t)(got - done))) <=
				0) {
				if (!looker->driver.testimony->trouble)
					looker->driver.testimony->trouble =
						xs_asprintf("what it says could not be kept: %s/"
							    "lines: %s",
							looker->driver.folder, strerror(errno));
				return false; /* what is there is told */
			}
	}
}

/* It has ended, or will in a moment. */
static void take_leave(struct looker *looker)
{
	struct ora_driver *driver = &looker->driver;
	ora_silence_break(&looker->unheard);
	while (!ora_helper_has_ended(&driver->helper) &&
		ora_silence_seconds(&looker->unheard, driver->helper.pid) < LAST_WORDS_SECONDS) {
		ora_driver_hear_said(driver);
		usleep(1000);
	}
	ora_driver_hear_said(driver);
}

/* Whether its last line is one of the kind `end`. */
static bool has_told_end(const struct looker *looker)
{
	static const char mark[] = "{\"kind\":\"end\"";
	char tail[4096];
	off_t size = lseek(looker->spool, 0, SEEK_END), from = size > 4095 ? size - 4095 : 0;
	ssize_t got = pread(looker->spool, tail, sizeof tail - 1, from);
	tail[got > 0 ? got : 0] = 0;
	return strstr(tail, mark);
}

/* Ends it before its time. */
static void drop(struct looker *looker, const char *why, bool hung)
{
	struct ora_testimony *testimony = looker->driver.testimony;
	if (why && !testimony->trouble)
		testimony->trouble = xs_asprintf("dropped: %s (last packet: %s)", why,
			*looker->client.last ? looker->client.last : "none");
	else
		ora_driver_tell_end(&looker->driver, hung);
	finish(looker);
}

/* It has ended by itself. */
static void drop_ended(struct looker *looker)
{
	looker->driver.ended = has_told_end(looker);
	drop(looker, NULL, false);
}

/* --- at a stop ------------------------------------------------------------------------------- */

static void let_in(struct looker *looker)
{
	static const struct eng_rsp_stop first = {.signal = SIGTRAP, .step = true};
	int fd = accept4(looker->listener, NULL, NULL, SOCK_CLOEXEC);
	if (fd < 0)
		return;
	close(looker->listener);
	looker->listener = -1;
	eng_rsp_client_init(&looker->client, fd, &first);
	looker->connected = true;
	ora_silence_break(&looker->unheard);
}

/* Something has come from a debugger: on which of its descriptors is told by fds. */
static void take(struct ora_shared *shared, struct looker *looker, const struct pollfd *fds)
{
	if (fds[1].revents)
		ora_driver_hear_said(&looker->driver);
	if (fds[0].revents && !take_lines(looker)) {
		take_leave(looker);
		drop_ended(looker);
		return;
	}
	if (looker->listener >= 0 && fds[2].revents)
		let_in(looker);
	if (!looker->connected || looker->client.fd < 0 || !fds[2].revents)
		return;
	eng_rsp_client_take(&shared->server, &looker->client);
	if (eng_rsp_client_has_more(&looker->client))
		eng_rsp_client_flush(&looker->client);
	if (looker->client.packets != looker->packets)
		ora_silence_break(&looker->unheard);
	looker->packets = looker->client.packets;
	looker->looked |= looker->client.state == ENG_RSP_RUNS;
	if (looker->client.state != ENG_RSP_LEFT || !looker->client.why)
		return;
	/* Who dies closes the connection, too. */
	if (looker->client.closed)
		take_leave(looker);
	take_lines(looker);
	if (looker->client.closed && looker->driver.helper.ended)
		drop_ended(looker);
	else
		drop(looker, looker->client.why, false);
}

/* Whether the process may move on without hearing from it. */
static bool is_waiting(const struct looker *looker)
{
	return looker->done || (looker->connected && (looker->client.state == ENG_RSP_RUNS ||
							     looker->page->looked));
}

static void watch_clock(struct looker *looker)
{
	double patience = ora_driver_patience(looker->driver.testimony);
	pid_t pid = looker->driver.helper.pid;
	if (ora_silence_seconds(&looker->unheard, pid) > patience)
		drop(looker, NULL, true);
	else if (ora_silence_seconds(&looker->untold, pid) > FLOOD * patience)
		drop(looker, "it asks without end and tells nothing", false);
}

/* Waits for something to happen and deals with it. */
static void turn(struct ora_shared *shared)
{
	struct pollfd fds[3 * shared->count];
	for (size_t i = 0; i < shared->count; i++) {
		struct looker *looker = &shared->lookers[i];
		struct pollfd *mine = &fds[3 * i];
		short more =
			looker->connected && eng_rsp_client_has_more(&looker->client) ? POLLOUT : 0;
		mine[0] = (struct pollfd){
			.fd = looker->done ? -1 : looker->driver.helper.results, .events = POLLIN};
		mine[1] = (struct pollfd){
			.fd = looker->done ? -1 : looker->driver.helper.said, .events = POLLIN};
		mine[2] = (struct pollfd){.fd = looker->done        ? -1
						: looker->connected ? looker->client.fd
								    : looker->listener,
			.events = (short)(POLLIN | more)};
	}
	bool heard = poll(fds, 3 * shared->count, WAIT_MS) > 0;
	for (size_t i = 0; i < shared->count; i++) {
		struct looker *looker = &shared->lookers[i];
		if (!looker->done && heard)
			take(shared, looker, &fds[3 * i]);
		if (!looker->done && !is_waiting(looker))
			watch_clock(looker);
	}
}

static bool all_wait(const struct ora_shared *shared)
{
	for (size_t i = 0; i < shared->count; i++)
		if (!is_waiting(&shared->lookers[i]))
			return false;
	return true;
}

/* Lets a driver see which bytes have changed without asking for all of them by the protocol:
 * rule 6. */
static void send_memory(struct looker *looker, pid_t pid)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/mem", (int)pid);
	XS_AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
	looker->has_memory = true;
	if (fd < 0 || !ora_helper_send(&looker->driver.helper, fd))
		xs_log(XS_LOG_ORACLE, XS_LOG_DEBUG, "%s: not sent to %s", path,
			looker->driver.testimony->witness->path);
}

/* The driver waits for it: rule 7. One that is dead is noticed by its silence. */
static void wake(const struct looker *looker)
{
	(void)!send(looker->driver.helper.results, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void tell_stop(struct ora_shared *shared, struct looker *looker,
	const struct ora_shared_page *page, xs_addr pc)
{
	/* lldb steps until the pc changes: where it does not, a signal ends the step all the same.
	 */
	bool same = looker->looked && looker->pc == pc;
	struct eng_rsp_stop stop = {.signal = same ? SIGINT : SIGTRAP, .step = !same};
	looker->pc = pc;
	if (looker->done)
		return;
	bool awaits = looker->page->looked;
	*looker->page = *page;
	if (!looker->has_memory)
		send_memory(looker, shared->server.view.process->tracee.pid);
	if (looker->looked)
		break_silence(looker);
	if (awaits)
		wake(looker);
	else if (looker->connected)
		eng_rsp_client_stopped(&shared->server, &looker->client, &stop);
}

/* With XSTEP_LOG=oracle:debug: proof that rule 2 holds, for whoever doubts it. */
static void log_process(const struct ora_stop *stop, const char *when)
{
	uint64_t print = 0;
	if (!xs_log_enabled(XS_LOG_ORACLE, XS_LOG_DEBUG))
		return;
	XS_AUTO(xs_error) err = eng_fingerprint(stop->process, &print);
	xs_log(XS_LOG_ORACLE, XS_LOG_DEBUG,
		"stop %" PRIu64 ": process %s the witnesses: %016" PRIx64 "%s%s", stop->number,
		when, print, err ? ", not all of it: " : "", err ? err->message : "");
}

/* In the order of REGISTERS in the drivers. */
static void tell_registers(const struct ora_stop *stop, struct ora_shared_page *page)
{
	struct user_regs_struct *now;
	XS_AUTO(xs_error) err = eng_tracee_regs(&stop->process->tracee, &now);
	if (err)
		return; /* debuggers are asked for all of them */
	const uint64_t all[] = {now->rax, now->rdx, now->rcx, now->rbx, now->rsi, now->rdi,
		now->rbp, now->rsp, now->r8, now->r9, now->r10, now->r11, now->r12, now->r13,
		now->r14, now->r15, now->rip};
	_Static_assert(sizeof all == sizeof page->reg, "as many as drivers expect");
	memcpy(page->reg, all, sizeof all);
	page->regs = 1;
}

bool ora_shared_stop(
	struct ora_shared *shared, const struct ora_run *run, const struct ora_stop *stop)
{
	xs_addr bias = run->subject->modules.data[0].bias;
	struct ora_shared_page page = {.number = stop->number,
		.prev = stop->prev ? stop->prev->pc : XS_ADDR_NONE,
		.pc = stop->place->pc,
		.n = stop->n,
		.bias = bias};
	xs_assert(stop->process);
	tell_registers(stop, &page);
	shared->server.view.process = stop->process;
	shared->server.view.code = &run->subject->ranges;
	shared->server.view.path = run->path;
	log_process(stop, "before");
	for (size_t i = 0; i < shared->count; i++)
		tell_stop(shared, &shared->lookers[i], &page, stop->place->pc + bias);
	if (shared->meanwhile)
		shared->meanwhile(shared->context);
	while (!all_wait(shared) && !eng_interrupt_signal())
		turn(shared);
	log_process(stop, "after");
	return !eng_interrupt_signal();
}

bool ora_shared_was_lent(const struct ora_shared *shared, size_t which)
{
	return shared->lookers[which].lent;
}

/* --- the end --------------------------------------------------------------------------------- */

static bool all_done(const struct ora_shared *shared)
{
	for (size_t i = 0; i < shared->count; i++)
		if (!shared->lookers[i].done)
			return false;
	return true;
}

void ora_shared_end(struct ora_shared *shared, const struct ora_recording *recording, bool cut)
{
	bool killed = !recording->finished || recording->fate.kind == ENG_EVENT_KILLED;
	struct ora_shared_page page = {.stops = recording->stops,
		.end = recording->end == ENG_END_RETURN  ? 1
		       : recording->end == ENG_END_LIMIT ? 3
							 : 2,
		.status = killed ? UINT64_MAX : (uint64_t)recording->fate.status,
		.signal = killed && recording->finished ? (uint64_t)recording->fate.signal
							: UINT64_MAX};
	for (size_t i = 0; i < shared->count; i++) {
		struct looker *looker = &shared->lookers[i];
		if (looker->done)
			continue;
		if (cut || !looker->connected) {
			looker->driver.testimony->interrupted_by = recording->interrupted_by;
			drop(looker, cut ? NULL : "the program ended before it had connected",
				false);
			continue;
		}
		bool awaits = looker->page->looked;
		*looker->page = page;
		break_silence(looker);
		if (awaits)
			wake(looker);
		eng_rsp_client_ended(&looker->client, killed,
			!recording->finished ? SIGKILL
			: killed             ? recording->fate.signal
					     : recording->fate.status);
	}
	shared->server.view.process = NULL;
	while (!all_done(shared) && !eng_interrupt_signal())
		turn(shared);
	for (size_t i = 0; i < shared->count; i++) {
		struct looker *looker = &shared->lookers[i];
		if (looker->done)
			continue;
		looker->driver.testimony->interrupted_by = eng_interrupt_signal();
		drop(looker, NULL, false);
	}
}

bool ora_shared_looked(const struct ora_shared *shared, size_t which)
{
	return shared->lookers[which].looked;
}

static void tell_transitions(
	struct ora_transcript *transcript, const struct ora_recording *recording)
{
	for (size_t i = 0; i < recording->transitions.len; i++) {
		const struct ora_transition *one = &recording->transitions.data[i];
		ora_transcript_transition(transcript, one->prev ? one->prev->pc : XS_ADDR_NONE,
			one->pc->pc, one->count);
	}
}

void ora_shared_meanwhile(struct ora_shared *shared, void (*call)(void *context), void *context)
{
	shared->meanwhile = call;
	shared->context = context;
}

struct xs_error *ora_shared_tell_some(
	struct ora_shared *shared, size_t which, struct ora_transcript *transcript)
{
	struct looker *looker = &shared->lookers[which];
	off_t size = lseek(looker->spool, 0, SEEK_END);
	if (size <= looker->told)
		return NULL;
	XS_AUTO_FREE char *text = xs_calloc((size_t)(size - looker->told), 1);
	ssize_t got = pread(looker->spool, text, (size_t)(size - looker->told), looker->told);
	const char *at = text, *end;
	struct xs_error *err = NULL;
	looker->driver.transcript = transcript;
	while (!err && got > 0 && (end = memchr(at, '\n', (size_t)(text + got - at)))) {
		const char *kind;
		json_t *line;
		size_t length = (size_t)(end + 1 - at);
		if (eng_interrupt_is_wish() && length > LONG_LINE)
			break;
		if ((err = ora_driver_parse(&looker->driver, at, length, &kind, &line)))
			return err;
		bool last = !strcmp(kind, "end");
		if (!last)
			err = ora_driver_pass_on(&looker->driver, kind, line);
		json_decref(line);
		if (last)
			break;
		looker->told += (off_t)length;
		at = end + 1;
	}
	/* What everybody has heard takes little room. */
	if (looker->told == size && size > SPOOL_MOST && !ftruncate(looker->spool, 0))
		looker->told = lseek(looker->spool, 0, SEEK_SET);
	return err;
}

struct xs_error *ora_shared_tell(struct ora_shared *shared, size_t which,
	const struct ora_recording *recording, struct ora_transcript *transcript)
{
	struct looker *looker = &shared->lookers[which];
	struct ora_driver *driver = &looker->driver;
	XS_AUTO_FREE char *text = NULL;
	size_t size = 0;
	ssize_t length;
	struct xs_error *err = NULL;
	driver->transcript = transcript;
	lseek(looker->spool, looker->told, SEEK_SET);
	XS_AUTO_FILE FILE *file = fdopen(looker->spool, "r");
	if (!file)
		return xs_error_sys("fdopen");
	looker->spool = -1;
	while (!err && (length = getline(&text, &size, file)) > 0) {
		const char *kind;
		json_t *line;
		if (text[length - 1] != '\n')
			break; /* it was cut off */
		if (eng_interrupt_age() > TELLING_SECONDS * (double)(which + 1) ||
			(eng_interrupt_is_wish() && length > LONG_LINE)) {
			driver->testimony->interrupted_by = eng_interrupt_signal();
			break;
		}
		if ((err = ora_driver_parse(driver, text, (size_t)length, &kind, &line)))
			break;
		if (!strcmp(kind, "end"))
			tell_transitions(transcript, recording);
		err = ora_driver_pass_on(driver, kind, line);
		json_decref(line);
		if (driver->testimony->on_progress)
			driver->testimony->on_progress(driver->testimony->context,
				transcript->told.number, driver->testimony->lines);
	}
	return err;
}
