#include "oracle/testimony.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "dwarf/leaf.h"
#include "engine/interrupt.h"
#include "engine/process.h"
#include "oracle/helper.h"

#define PATIENCE 60.0 /* seconds; drivers show that they are alive each second */

enum {
	SAID_KEPT = 8192,   /* bytes of what the debugger said last */
	COMMAND_MAX = 4096, /* of the last command: a page */
	LINE_MAX_BYTES = 1 << 28,
};

/* What one testimony works with. */
struct session {
	struct ora_testimony *testimony;
	char folder[64];          /* for the job and its kind; "" until it is made */
	struct ora_helper helper; /* the debugger */
	int output;               /* of the program, to be read */
	XS_VEC(char) line;        /* what has come of the next line */
	char said[SAID_KEPT + 1]; /* the end of what the debugger said */
	size_t said_len;
	bool over;  /* on_line has had enough */
	bool ended; /* there was a line of the kind `end` */
};

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static char *in_folder(const struct session *session, const char *name)
{
	return xs_asprintf("%s/%s", session->folder, name);
}

/* --- the driver ---------------------------------------------------------------------------------
 */

struct xs_error *ora_testimony_drivers(char **ret)
{
	static const char *const places[] = {"/../share/xstep/witness", "/witness"};
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
	self[length > 0 ? length : 0] = 0;
	char *slash = strrchr(self, '/');
	if (slash)
		*slash = 0;
	for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
		XS_AUTO_FREE char *folder = xs_asprintf("%s%s", self, places[i]);
		XS_AUTO_FREE char *driver = xs_asprintf("%s/common.py", folder);
		if (!access(driver, R_OK)) {
			*ret = xs_take(&folder);
			return NULL;
		}
	}
	if (!access(XSTEP_DRIVERS "/common.py", R_OK)) {
		*ret = xs_strdup(XSTEP_DRIVERS);
		return NULL;
	}
	return xs_error_create("%s/../share/xstep/witness: the debuggers' drivers are not there; "
			       "install xstep with cmake --install",
		self);
}

/* --- the job ------------------------------------------------------------------------------------
 */

/* What a second run has at AT_RANDOM and in the dead stack: what depends on it was never written by
 * the program. */
static const uint8_t other_random[16] = "another 16 bytes";
enum { OTHER_FILL = 0xa5 };

static json_t *hex(const void *bytes, size_t size)
{
	char text[64] = "";
	for (size_t i = 0; i < size; i++)
		snprintf(text + 2 * i, 3, "%02x", ((const uint8_t *)bytes)[i]);
	return json_string(text);
}

/* JSON has no unsigned numbers of 64 bits; addresses of user space fit into signed ones. */
static json_t *address(xs_addr addr)
{
	return json_integer((json_int_t)addr);
}

/* What the program reads: a file can be read again by each witness, a pipe or terminal cannot. */
static char *input_path(int fd)
{
	char link[64], path[PATH_MAX];
	struct stat about;
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	ssize_t length = readlink(link, path, sizeof path - 1);
	if (length <= 0 || fstat(fd, &about) || !S_ISREG(about.st_mode))
		return xs_strdup("/dev/null");
	path[length] = 0;
	return xs_strdup(path);
}

static json_t *environment_of(const struct ora_run *run)
{
	json_t *ret = json_object();
	char *const *each = run->environment ? run->environment : ora_environment;
	for (; *each; each++) {
		XS_AUTO_FREE char *name = xs_strdup(*each);
		char *equals = strchr(name, '=');
		*equals = 0;
		json_object_set_new(ret, name, json_string(equals + 1));
	}
	return ret;
}

static struct xs_error *entry_of(const struct ora_testimony *testimony, xs_addr *ret)
{
	const struct di_module *info = testimony->run->subject->modules.data[0].info;
	const char *name = testimony->from ? testimony->from : "main";
	const struct di_function *function = di_functions_named(&info->functions, name);
	if (!function)
		return xs_error_create(
			"%s: no function '%s'; choose one with --from", testimony->run->path, name);
	*ret = function->entry;
	return NULL;
}

/* The lines to break at: [[file, line], ...], those that a row with is_stmt names, each once. */
static json_t *lines_of(const struct di_lines *lines)
{
	json_t *ret = json_array();
	struct xs_map seen = {0};
	for (size_t i = 0; i < lines->rows.len; i++) {
		const struct di_row *row = &lines->rows.data[i];
		const char *file = di_lines_file(lines, row);
		if (!row->is_stmt || row->end_sequence || !row->line || !file)
			continue;
		uint64_t *known = xs_map_at(&seen, row->file, row->line);
		if (!*known)
			json_array_append_new(ret, json_pack("[s,I]", file, (json_int_t)row->line));
		*known = 1;
	}
	xs_map_deinit(&seen);
	return ret;
}

static struct xs_error *make_job(const struct session *session, json_t **ret)
{
	const struct ora_testimony *testimony = session->testimony;
	const struct ora_run *run = testimony->run;
	const struct di_module *info = run->subject->modules.data[0].info;
	XS_AUTO_FREE char *in = input_path(run->in);
	XS_AUTO_FREE char *out = in_folder(session, "output");
	XS_AUTO_FREE char *command = in_folder(session, "command");
	char directory[PATH_MAX];
	xs_addr entry = 0;
	struct xs_error *err = entry_of(testimony, &entry);
	if (err)
		return err;
	if (!getcwd(directory, sizeof directory))
		return xs_error_sys("getcwd");
	json_t *arguments = json_array(), *ranges = json_array(), *functions = json_array();
	for (char *const *each = run->argv + 1; *each; each++)
		json_array_append_new(arguments, json_string(*each));
	for (size_t i = 0; i < info->interest.vec.len; i++)
		json_array_append_new(
			ranges, json_pack("[o,o]", address(info->interest.vec.data[i].lo),
					address(info->interest.vec.data[i].hi)));
	for (size_t i = 0; i < info->functions.list.len; i++)
		if (xs_ranges_find(&info->interest, info->functions.list.data[i].entry))
			json_array_append_new(
				functions, address(info->functions.list.data[i].entry));
	*ret = json_pack("{s:s, s:o, s:o, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "program",
		run->path, "arguments", arguments, "environment", environment_of(run), "directory",
		directory, "stdin", in, "stdout", out, "stderr", out, "ranges", ranges, "functions",
		functions, "elf_entry", address(info->entry), "entry", address(entry), "random",
		hex(testimony->again ? other_random : eng_process_random,
			sizeof eng_process_random));
	json_t *more = json_pack("{s:s, s:I, s:I, s:s, s:s, s:b, s:b, s:I, s:s, s:s, s:b, s:i}",
		"sample", testimony->sample, "seed", (json_int_t)testimony->seed, "limit",
		(json_int_t)testimony->limit, "level", testimony->level, "vars", testimony->vars,
		"frames", testimony->frames, "regs", testimony->regs, "max_leaves",
		(json_int_t)(testimony->max_leaves ? testimony->max_leaves : DI_LEAF_MAX), "ask",
		testimony->ask, "command", command, "debuginfod",
		getenv("DEBUGINFOD_URLS") != NULL, "fill", testimony->again ? OTHER_FILL : 0);
	if (!*ret || !more) {
		json_decref(*ret);
		json_decref(more);
		return xs_error_create(
			"%s: a path or an argument is not UTF-8: debuggers cannot be "
			"told of it",
			run->path);
	}
	json_object_update(*ret, more);
	json_decref(more);
	if (testimony->plan)
		json_object_set(*ret, "plan", testimony->plan);
	if (!strcmp(testimony->level, "break"))
		json_object_set_new(*ret, "lines", lines_of(&info->lines));
	return NULL;
}

/* The folder, and in it the job, the pipe for the program's output, and a page for the last
 * command.
 */
static struct xs_error *prepare(struct session *session)
{
	const char *tmp = getenv("TMPDIR");
	struct xs_error *err;
	json_t *job = NULL;
	if (snprintf(session->folder, sizeof session->folder, "%s/xstep-XXXXXX",
		    tmp && *tmp ? tmp : "/tmp") >= (int)sizeof session->folder)
		snprintf(session->folder, sizeof session->folder, "/tmp/xstep-XXXXXX");
	if (!mkdtemp(session->folder)) {
		err = xs_error_sys("%s", session->folder);
		session->folder[0] = 0;
		return err;
	}
	XS_AUTO_FREE char *output = in_folder(session, "output");
	XS_AUTO_FREE char *command = in_folder(session, "command");
	XS_AUTO_FREE char *file = in_folder(session, "job");
	/* Open for writing too, or it would be at its end whenever the program has closed it. */
	if (mkfifo(output, 0600) ||
		(session->output = open(output, O_RDWR | O_NONBLOCK | O_CLOEXEC)) < 0)
		return xs_error_sys("%s", output);
	XS_AUTO_CLOSE int page = open(command, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (page < 0 || ftruncate(page, COMMAND_MAX))
		return xs_error_sys("%s", command);
	if ((err = make_job(session, &job)))
		return err;
	if (json_dump_file(job, file, JSON_COMPACT))
		err = xs_error_sys("%s", file);
	json_decref(job);
	return err;
}

static void clean_up(struct session *session)
{
	static const char *const names[] = {"output", "command", "job"};
	ora_helper_end(&session->helper);
	if (session->output >= 0)
		close(session->output);
	for (size_t i = 0; *session->folder && i < sizeof names / sizeof *names; i++) {
		XS_AUTO_FREE char *path = in_folder(session, names[i]);
		unlink(path);
	}
	if (*session->folder)
		rmdir(session->folder);
	xs_vec_deinit(&session->line);
}

static struct xs_error *start(struct session *session)
{
	const struct ora_witness *witness = session->testimony->witness;
	XS_AUTO_FREE char *folder = NULL;
	struct xs_error *err = ora_testimony_drivers(&folder);
	if (err)
		return err;
	XS_AUTO_FREE char *job = xs_asprintf("XSTEP_JOB=%s/job", session->folder);
	XS_AUTO_FREE char *out = xs_asprintf("XSTEP_OUT=%d", ORA_HELPER_FD);
	XS_AUTO_FREE char *modules =
		xs_asprintf("PYTHONPATH=%s", witness->modules ? witness->modules : "");
	XS_AUTO_FREE char *search = xs_asprintf("PATH=%s", witness->search ? witness->search : "");
	XS_AUTO_FREE char *driver = xs_asprintf(
		"%s/%s_driver.py", folder, witness->kind == ORA_WITNESS_GDB ? "gdb" : "lldb");
	XS_AUTO_FREE char *import = xs_asprintf("command script import \"%s\"", driver);
	char *gdb[] = {witness->path, (char[]){"-nx"}, (char[]){"-nh"}, (char[]){"-q"},
		(char[]){"-batch"}, (char[]){"-iex"}, (char[]){"set auto-load off"}, (char[]){"-x"},
		driver, NULL};
	char *lldb[] = {witness->path, (char[]){"--no-lldbinit"}, (char[]){"--batch"},
		(char[]){"-o"}, import, NULL};
	char *variables[] = {job, out, (char[]){"PYTHONDONTWRITEBYTECODE=1"},
		(char[]){"LC_ALL=C.UTF-8"}, (char[]){"TERM=dumb"},
		witness->modules ? modules : (char[]){"XSTEP_NOTHING"},
		witness->search ? search : (char[]){"XSTEP_NOTHING"}, NULL};
	return ora_helper_start(
		witness->kind == ORA_WITNESS_GDB ? gdb : lldb, variables, true, &session->helper);
}

/* --- listening ----------------------------------------------------------------------------------
 */

/* A whole line. */
static struct xs_error *hear(struct session *session)
{
	struct ora_testimony *testimony = session->testimony;
	json_error_t problem;
	json_t *line = json_loadb(session->line.data, session->line.len, 0, &problem);
	const char *kind = json_string_value(json_object_get(line, "kind"));
	struct xs_error *err = NULL;
	/* Before the line is passed on: whoever gets it may change it. */
	bool end = kind && !strcmp(kind, "end");
	const char *message = json_string_value(json_object_get(line, "message"));
	if (end && message && !testimony->trouble)
		testimony->trouble = xs_strdup(message);
	if (!kind)
		err = xs_error_create("%s: its driver wrote what is not a line of a testimony: %s",
			testimony->witness->path, line ? "no kind" : problem.text);
	else if (!session->over && !testimony->on_line(testimony->context, kind, line))
		session->over = true;
	session->ended |= end;
	testimony->lines++;
	json_decref(line);
	session->line.len = 0;
	return err;
}

/* What has come of the results. *open becomes false at their end. */
static struct xs_error *take_results(struct session *session, bool *open)
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

/* What the debugger says goes nowhere; the end of it is kept, for it may be its last words. */
static void take_said(struct session *session)
{
	char buffer[4096];
	ssize_t got;
	while ((got = read(session->helper.said, buffer, sizeof buffer)) > 0) {
		size_t room = SAID_KEPT - session->said_len;
		if ((size_t)got > room) {
			size_t drop = (size_t)got - room;
			drop = drop > session->said_len ? session->said_len : drop;
			memmove(session->said, session->said + drop, session->said_len - drop);
			session->said_len -= drop;
		}
		memcpy(session->said + session->said_len, buffer, (size_t)got);
		session->said_len += (size_t)got;
		session->said[session->said_len] = 0;
	}
}

static void pass_output(struct session *session)
{
	char buffer[4096];
	ssize_t got;
	while ((got = read(session->output, buffer, sizeof buffer)) > 0)
		for (ssize_t done = 0, wrote; done < got; done += wrote)
			if ((wrote = write(session->testimony->run->out, buffer + done,
				     (size_t)(got - done))) <= 0)
				return;
}

/* The line of its last words that says most, or NULL. */
static char *last_words(struct session *session)
{
	static const char *const marks[] = {"internal-error", "Assertion", "LLVM ERROR",
		"Fatal signal", "fatal error", "out of memory", "bad_alloc", "rror"};
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		char *at = strstr(session->said, marks[i]);
		if (!at)
			continue;
		while (at > session->said && at[-1] != '\n')
			at--;
		return xs_asprintf("%.*s", (int)strcspn(at, "\n"), at);
	}
	return NULL;
}

static char *last_command(const struct session *session)
{
	char text[COMMAND_MAX + 1];
	XS_AUTO_FREE char *path = in_folder(session, "command");
	XS_AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? 0 : read(fd, text, COMMAND_MAX);
	text[got > 0 ? got : 0] = 0;
	return xs_strdup(*text ? text : "none");
}

/* The debugger's end, if it was not a good one, in a sentence. */
static void tell_end(struct session *session, bool hung)
{
	struct ora_testimony *testimony = session->testimony;
	if (testimony->trouble || session->over || testimony->interrupted_by ||
		(session->ended && !hung))
		return;
	XS_AUTO_FREE char *words = last_words(session);
	XS_AUTO_FREE char *command = last_command(session);
	XS_AUTO_FREE char *how = NULL;
	int status = session->helper.status;
	double patience = testimony->patience > 0 ? testimony->patience : PATIENCE;
	if (hung)
		how = xs_asprintf("no sign of life for %g s", patience);
	else if (WIFSIGNALED(status))
		how = xs_asprintf("killed by SIG%s%s", sigabbrev_np(WTERMSIG(status)),
			WTERMSIG(status) == SIGKILL ? " (out of memory?)" : "");
	else
		how = xs_asprintf("ended with status %d", WEXITSTATUS(status));
	testimony->trouble = xs_asprintf("%s; last command: %s%s%s", how, command,
		words ? "; it said: " : "", words ? words : "");
}

/* Until the debugger ends, or is ended. */
static struct xs_error *listen_to(struct session *session)
{
	struct ora_testimony *testimony = session->testimony;
	double patience = testimony->patience > 0 ? testimony->patience : PATIENCE;
	double heard = now();
	bool open = true, hung = false;
	struct xs_error *err = NULL;
	while (open && !err && !hung && !session->over && !eng_interrupt_signal()) {
		struct pollfd fds[] = {{.fd = session->helper.results, .events = POLLIN},
			{.fd = session->helper.said, .events = POLLIN},
			{.fd = session->output, .events = POLLIN}};
		poll(fds, 3, 200);
		uint64_t before = testimony->lines;
		take_said(session);
		pass_output(session);
		err = take_results(session, &open);
		if (testimony->lines != before)
			heard = now();
		hung = now() - heard > patience;
	}
	testimony->interrupted_by = eng_interrupt_signal();
	/* With its results at an end it has nothing more to do; if it died it is dead by now. */
	for (int i = 0; i < 2000 && !open && !ora_helper_has_ended(&session->helper); i++) {
		take_said(session);
		usleep(1000);
	}
	take_said(session);
	pass_output(session);
	tell_end(session, hung);
	return err;
}

struct xs_error *ora_testify(struct ora_testimony *testimony)
{
	struct session session = {.testimony = testimony, .output = -1};
	struct xs_error *err;
	if (!(err = prepare(&session)) && !(err = start(&session))) {
		int pidfd = (int)syscall(SYS_pidfd_open, session.helper.pid, 0);
		eng_interrupt_arm(pidfd, testimony->run->timeout);
		err = listen_to(&session);
		eng_interrupt_disarm();
		if (pidfd >= 0)
			close(pidfd);
	}
	clean_up(&session);
	return err;
}

void ora_testimony_deinit(struct ora_testimony *testimony)
{
	free(testimony->trouble);
	testimony->trouble = NULL;
}
