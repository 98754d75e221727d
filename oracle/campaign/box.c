#include "oracle/campaign/box.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/clock.h"

enum {
	LOOK_MS = 200,         /* between two looks at the clock and the memory */
	WORDS_MOST = 300,      /* bytes of what a message quotes */
	FILE_MOST = 1 << 30,   /* bytes of a file that a command writes */
	NO_SUCH_PROGRAM = 127, /* exit status, as a shell has it */
	LENT_SECONDS = 30,     /* that a process which was killed may take to end */
};

static volatile sig_atomic_t told; /* to end */

static void on_term(int signal)
{
	(void)signal;
	told = 1;
}

void ora_box_prepare(void)
{
	struct sigaction action = {.sa_handler = on_term};
	signal(SIGINT, SIG_IGN); /* the terminal's goes to everybody; who started us will tell us */
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_DFL);
	sigaction(SIGTERM, &action, NULL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
}

/* --- all that it started ---------------------------------------------------------------------- */

struct pids {
	XS_VEC(pid_t) vec;
};

/* The children of one thread. */
static void add_children(struct pids *pids, const char *path)
{
	XS_AUTO_FILE FILE *file = fopen(path, "re");
	for (int pid; file && fscanf(file, "%d", &pid) == 1;)
		xs_vec_push(&pids->vec, (pid_t)pid);
}

/* Those of a process: of each of its threads. */
static void add_descendants(struct pids *pids, pid_t pid)
{
	XS_AUTO_FREE char *folder = xs_asprintf("/proc/%d/task", pid);
	DIR *threads = opendir(folder);
	for (struct dirent *entry; threads && (entry = readdir(threads));) {
		XS_AUTO_FREE char *path = xs_asprintf("%s/%s/children", folder, entry->d_name);
		if (*entry->d_name != '.')
			add_children(pids, path);
	}
	if (threads)
		closedir(threads);
}

/* Those that were lent to the command `main`. */
static void add_lent(const struct ora_box *box, pid_t main, struct pids *pids)
{
	for (size_t i = 0; i < box->keeper_count; i++) {
		size_t kept = pids->vec.len;
		add_descendants(pids, box->keepers[i]);
		for (size_t k = kept; k < pids->vec.len; k++)
			if (getpgid(pids->vec.data[k]) == main)
				pids->vec.data[kept++] = pids->vec.data[k];
		pids->vec.len = kept;
	}
}

static void find_all(const struct ora_box *box, pid_t main, struct pids *pids)
{
	add_descendants(pids, getpid());
	add_lent(box, main, pids);
	for (size_t i = 0; i < pids->vec.len; i++)
		add_descendants(pids, pids->vec.data[i]);
}

static uint64_t memory_of(pid_t pid)
{
	XS_AUTO_FREE char *path = xs_asprintf("/proc/%d/statm", pid);
	XS_AUTO_FILE FILE *file = fopen(path, "re");
	uint64_t size, resident;
	if (!file || fscanf(file, "%" SCNu64 " %" SCNu64, &size, &resident) != 2)
		return 0;
	return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t memory_of_all(const struct ora_box *box, pid_t main)
{
	struct pids pids = {0};
	uint64_t sum = 0;
	find_all(box, main, &pids);
	for (size_t i = 0; i < pids.vec.len; i++)
		sum += memory_of(pids.vec.data[i]);
	xs_vec_deinit(&pids.vec);
	return sum;
}

/* Whether a process has ended, and only its parent has not asked how. */
static bool is_zombie(pid_t pid)
{
	XS_AUTO_FREE char *path = xs_asprintf("/proc/%d/stat", pid);
	XS_AUTO_FILE FILE *file = fopen(path, "re");
	char text[512] = "";
	if (!file || !fread(text, 1, sizeof text - 1, file))
		return true;
	const char *name_end = strrchr(text, ')'); /* a name may have anything in it */
	return name_end && (!strncmp(name_end, ") Z", 3) || !strncmp(name_end, ") X", 3));
}

/* Ends all of them. Those whose parent dies become our children, so that none is missed. */
static void end_all(const struct ora_box *box, pid_t main, int *status)
{
	for (bool left = true; left;) {
		struct pids pids = {0};
		find_all(box, main, &pids);
		for (size_t i = 0; i < pids.vec.len; i++)
			kill(pids.vec.data[i], SIGKILL);
		xs_vec_deinit(&pids.vec);
		int how;
		pid_t pid = waitpid(-1, &how, __WALL);
		if (pid == main)
			*status = how;
		left = pid > 0 || errno == EINTR;
	}
	/* Of those that were lent somebody else is the parent, who may be stopped: that they have
	 * ended is enough, and what does not end for so long never will. */
	double limit = xs_now() + LENT_SECONDS;
	for (bool left = box->keeper_count; left && xs_now() < limit;) {
		struct pids pids = {0};
		add_lent(box, main, &pids);
		left = false;
		for (size_t i = 0; i < pids.vec.len; i++) {
			kill(pids.vec.data[i], SIGKILL);
			left |= !is_zombie(pids.vec.data[i]);
		}
		xs_vec_deinit(&pids.vec);
		if (left)
			usleep(1000);
	}
}

/* --- running ---------------------------------------------------------------------------------- */

/* The child's side. */
static _Noreturn void become(
	const struct ora_box *box, const char *const *argv, int out, int said, pid_t parent)
{
	static const char *const bare[] = {"LC_ALL=C", "PATH=/usr/bin:/bin", NULL};
	const struct rlimit file = {FILE_MOST, FILE_MOST}, none = {0, 0};
	int null = open("/dev/null", O_RDONLY);
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(NO_SUCH_PROGRAM);
	signal(SIGINT, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	setrlimit(RLIMIT_FSIZE, &file);
	setrlimit(RLIMIT_CORE, &none);
	dup2(null, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(said, STDERR_FILENO);
	setenv("TMPDIR", box->scratch, 1);
	setenv("LC_ALL", "C", 1);
	setenv("SOURCE_DATE_EPOCH", "0", 1);
	if (chdir(box->folder)) {
		dprintf(STDERR_FILENO, "%s: %s\n", box->folder, strerror(errno));
		_exit(NO_SUCH_PROGRAM);
	}
	char *const *words = (char *const *)(uintptr_t)argv;
	if (box->bare)
		execve(argv[0], words, (char *const *)(uintptr_t)bare);
	else
		execvp(argv[0], words);
	dprintf(STDERR_FILENO, "%s: %s\n", argv[0], strerror(errno));
	_exit(NO_SUCH_PROGRAM);
}

struct stream {
	int fd; /* -1: it is closed */
	XS_VEC(char) vec;
};

static void read_some(struct stream *stream)
{
	char buffer[65536];
	ssize_t got = stream->fd < 0 ? 0 : read(stream->fd, buffer, sizeof buffer);
	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (got <= 0) {
		if (stream->fd >= 0)
			close(stream->fd);
		stream->fd = -1;
		return;
	}
	stream->vec.data = xs_vec_grow(
		stream->vec.data, &stream->vec.cap, stream->vec.len + (size_t)got + 1, 1);
	memcpy(stream->vec.data + stream->vec.len, buffer, (size_t)got);
	stream->vec.len += (size_t)got;
}

/* Its text, which is the caller's. */
static char *take_text(struct stream *stream)
{
	xs_vec_push(&stream->vec, '\0');
	if (stream->fd >= 0)
		close(stream->fd);
	return stream->vec.data;
}

/* Listens until it ends, or is to be ended. */
static enum ora_box_end watch(
	const struct ora_box *box, pid_t main, int pidfd, struct stream *out, struct stream *said)
{
	double limit = xs_now() + box->seconds, look = 0;
	for (;;) {
		struct pollfd wanted[] = {{.fd = out->fd, .events = POLLIN},
			{.fd = said->fd, .events = POLLIN}, {.fd = pidfd, .events = POLLIN}};
		poll(wanted, 3, LOOK_MS);
		if (wanted[0].revents)
			read_some(out);
		if (wanted[1].revents)
			read_some(said);
		if (out->vec.len + said->vec.len > box->output)
			return ORA_BOX_OUTPUT;
		if (wanted[2].revents && !wanted[0].revents && !wanted[1].revents)
			return ORA_BOX_EXITED;
		if (told || xs_now() > limit)
			return ORA_BOX_HUNG;
		if (xs_now() > look && memory_of_all(box, main) > box->memory)
			return ORA_BOX_MEMORY;
		if (xs_now() > look)
			look = xs_now() + LOOK_MS / 1e3;
	}
}

static void conclude(struct ora_boxed *ret, int status)
{
	if (ret->end != ORA_BOX_EXITED)
		return;
	if (WIFSIGNALED(status)) {
		ret->end = ORA_BOX_KILLED;
		ret->status = WTERMSIG(status);
	} else {
		ret->status = WEXITSTATUS(status);
		if (ret->status == NO_SUCH_PROGRAM)
			ret->end = ORA_BOX_NOT_RUN;
	}
}

void ora_box_run(const struct ora_box *box, const char *const *argv, struct ora_boxed *ret)
{
	int out[2], said[2], status = 0;
	pid_t parent = getpid();
	*ret = (struct ora_boxed){.end = ORA_BOX_NOT_RUN};
	if (told)
		_exit(2);
	if (pipe2(out, O_CLOEXEC) || pipe2(said, O_CLOEXEC))
		_exit(2); /* no descriptors: the job is under way still, and will be done again */
	double began = xs_now();
	pid_t pid = fork();
	if (!pid)
		become(box, argv, out[1], said[1], parent);
	close(out[1]);
	close(said[1]);
	if (pid < 0)
		_exit(2);
	struct stream streams[] = {{.fd = out[0]}, {.fd = said[0]}};
	XS_AUTO_CLOSE int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (pidfd >= 0)
		ret->end = watch(box, pid, pidfd, &streams[0], &streams[1]);
	end_all(box, pid, &status);
	if (told || pidfd < 0) /* without that nobody sees it end */
		_exit(2);
	ret->seconds = xs_now() - began;
	ret->out_size = streams[0].vec.len;
	ret->out = take_text(&streams[0]);
	ret->said = take_text(&streams[1]);
	conclude(ret, status);
}

void ora_boxed_deinit(struct ora_boxed *boxed)
{
	free(boxed->out);
	free(boxed->said);
	*boxed = (struct ora_boxed){0};
}

/* The line of what it said that begins with `xstep: `, the last of them; else the first one. */
static const char *telling_line(const char *said)
{
	const char *best = said;
	for (const char *at = said; (at = strstr(at, "xstep: ")); at++)
		if (at == said || at[-1] == '\n')
			best = at;
	return best;
}

char *ora_boxed_words(const struct ora_boxed *boxed)
{
	static const char *const ends[] = {[ORA_BOX_HUNG] = "it took too long",
		[ORA_BOX_MEMORY] = "it took too much memory",
		[ORA_BOX_OUTPUT] = "it printed too much",
		[ORA_BOX_NOT_RUN] = "it could not be run"};
	const char *line = boxed->said ? telling_line(boxed->said) : "";
	int length = (int)strcspn(line, "\n");
	length = length > WORDS_MOST ? WORDS_MOST : length;
	XS_AUTO_FREE char *how =
		boxed->end == ORA_BOX_EXITED   ? xs_asprintf("exit status %d", boxed->status)
		: boxed->end == ORA_BOX_KILLED ? xs_asprintf("signal %d", boxed->status)
					       : xs_strdup(ends[boxed->end]);
	return xs_asprintf("%s%s%.*s", how, length ? ": " : "", length, line);
}

bool ora_boxed_is_full(const struct ora_boxed *boxed)
{
	return (boxed->end != ORA_BOX_EXITED || boxed->status) && boxed->said &&
	       (strstr(boxed->said, "No space left on device") ||
		       strstr(boxed->said, "database or disk is full"));
}

char *ora_words_replace(char *text, const char *word, const char *other)
{
	for (char *at = text; at && *word && (at = strstr(at, word));) {
		size_t before = (size_t)(at - text);
		char *more = xs_asprintf("%.*s%s%s", (int)before, text, other, at + strlen(word));
		free(text);
		text = more;
		at = text + before + strlen(other);
	}
	return text;
}
