#include "oracle/campaign/crew.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/private.h"
#include "base/scratch.h"
#include "oracle/campaign/box.h"

enum {
	LOOK_MS = 200,    /* that the owner waits */
	PATIENCE_MS = 50, /* between two looks whether a worker has ended that was told to, */
	PATIENCE = 60,    /* and how many there are */
};

void ora_crew_init(struct ora_crew *crew, const char *scratch, size_t size)
{
	*crew = (struct ora_crew){.scratch = scratch};
	for (size_t i = 0; i < size; i++)
		xs_vec_push(&crew->workers, (struct ora_worker){0});
}

size_t ora_crew_busy(const struct ora_crew *crew)
{
	size_t busy = 0;
	for (size_t i = 0; i < crew->workers.len; i++)
		busy += crew->workers.data[i].pid != 0;
	return busy;
}

bool ora_crew_is_free(const struct ora_crew *crew)
{
	return ora_crew_busy(crew) < crew->workers.len;
}

/* The folder of a worker: rule 2. */
static char *folder_of(const struct ora_crew *crew, size_t number)
{
	return xs_asprintf("%s/%04zu", crew->scratch, number);
}

/* --- in a worker ------------------------------------------------------------------------------ */

static _Noreturn void work_in(const char *folder, void *task, int answer, pid_t owner,
	json_t *(*work)(void *, void *, const char *), void *context)
{
	ora_box_prepare();
	if (getppid() != owner)
		_exit(2);
	json_t *result = work(context, task, folder);
	char *text = json_dumps(result, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_ENCODE_ANY);
	for (size_t at = 0, size = text ? strlen(text) : 0; at < size;) {
		ssize_t put = write(answer, text + at, size - at);
		if (put < 0 && errno != EINTR)
			_exit(2);
		at += put > 0 ? (size_t)put : 0;
	}
	_exit(text ? 0 : 2);
}

/* --- in the owner ----------------------------------------------------------------------------- */

struct xs_error *ora_crew_begin(struct ora_crew *crew, void *task,
	json_t *(*work)(void *context, void *task, const char *scratch), void *context)
{
	size_t number = 0;
	int pipe_fd[2];
	pid_t owner = getpid();
	while (crew->workers.data[number].pid)
		number++;
	struct ora_worker *worker = &crew->workers.data[number];
	XS_AUTO_FREE char *folder = folder_of(crew, number);
	if (xs_private_folder(folder))
		return xs_error_sys("%s", folder);
	if (pipe2(pipe_fd, O_CLOEXEC))
		return xs_error_sys("pipe");
	pid_t pid = fork();
	if (!pid)
		work_in(folder, task, pipe_fd[1], owner, work, context);
	close(pipe_fd[1]);
	*worker = (struct ora_worker){.pid = pid, .answer = pipe_fd[0], .task = task};
	if (pid > 0)
		return NULL;
	close(pipe_fd[0]);
	*worker = (struct ora_worker){0};
	return xs_error_sys("fork");
}

/* A worker has ended, or is to: its place is free again. */
static json_t *dismiss(struct ora_crew *crew, size_t number)
{
	struct ora_worker *worker = &crew->workers.data[number];
	int status = 0;
	close(worker->answer);
	while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR)
		continue;
	json_t *answer = WIFEXITED(status) && !WEXITSTATUS(status) && worker->said.len
				 ? json_loadb(worker->said.data, worker->said.len, 0, NULL)
				 : NULL;
	xs_vec_deinit(&worker->said);
	xs_scratch_destroy(folder_of(crew, number));
	*worker = (struct ora_worker){0};
	return answer;
}

/* True: it has said all that it will. */
static bool listen(struct ora_worker *worker)
{
	char buffer[65536];
	ssize_t got = read(worker->answer, buffer, sizeof buffer);
	if (got < 0 && errno == EINTR)
		return false;
	if (got <= 0)
		return true;
	worker->said.data = xs_vec_grow(
		worker->said.data, &worker->said.cap, worker->said.len + (size_t)got, 1);
	memcpy(worker->said.data + worker->said.len, buffer, (size_t)got);
	worker->said.len += (size_t)got;
	return false;
}

bool ora_crew_wait(struct ora_crew *crew, void **task, json_t **answer)
{
	XS_VEC(struct pollfd) wanted = {0};
	bool done = false;
	for (size_t i = 0; i < crew->workers.len; i++) {
		const struct ora_worker *worker = &crew->workers.data[i];
		struct pollfd one = {.fd = worker->pid ? worker->answer : -1, .events = POLLIN};
		xs_vec_push(&wanted, one);
	}
	int ready = poll(wanted.data, wanted.len, LOOK_MS);
	for (size_t i = 0; ready > 0 && !done && i < wanted.len; i++)
		if (wanted.data[i].revents && listen(&crew->workers.data[i])) {
			*task = crew->workers.data[i].task;
			*answer = dismiss(crew, i);
			done = true;
		}
	xs_vec_deinit(&wanted);
	return done;
}

/* Waits until it has ended, but not for ever. */
static void see_it_end(pid_t pid)
{
	for (unsigned i = 0; i < PATIENCE; i++) {
		siginfo_t info = {0};
		if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT | WNOHANG) || info.si_pid)
			return;
		usleep(PATIENCE_MS * 1000);
	}
	kill(pid, SIGKILL);
}

void *ora_crew_end(struct ora_crew *crew)
{
	for (size_t i = 0; i < crew->workers.len; i++)
		if (crew->workers.data[i].pid)
			kill(crew->workers.data[i].pid, SIGTERM);
	for (size_t i = 0; i < crew->workers.len; i++)
		if (crew->workers.data[i].pid) {
			void *task = crew->workers.data[i].task;
			see_it_end(crew->workers.data[i].pid);
			json_decref(dismiss(crew, i));
			return task;
		}
	return NULL;
}

void ora_crew_deinit(struct ora_crew *crew)
{
	xs_vec_deinit(&crew->workers);
}
