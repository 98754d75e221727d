#include "oracle/session/plain_debugger.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "base/private.h"
#include "base/scratch.h"
#include "engine/interrupt.h"
#include "oracle/witness/debugger/silence.h"

#define MARK "xstep-mark"

enum { ARGUMENTS_BEFORE = 16, POLL_MS = 100 };

char *ora_plain_path(const struct ora_plain *plain, const char *name)
{
	return xs_asprintf("%s/%s", plain->folder, name);
}

/* In its folder. Commands come through ORA_HELPER_FD, which becomes its standard input. */
static struct xs_error *start_child(struct ora_plain *plain, const struct ora_by_hand *session)
{
	const struct ora_witness *debugger = plain->debugger;
	bool gdb = debugger->kind == ORA_WITNESS_GDB;
	size_t count = 0, at = 0;
	while (session->run->argv[count])
		count++;
	XS_AUTO_FREE char **argv = xs_calloc(count + ARGUMENTS_BEFORE, sizeof *argv);
	char *const gdb_words[] = {(char[]){"-nx"}, (char[]){"-nh"}, (char[]){"-q"},
		(char[]){"-iex"}, (char[]){"set auto-load off"}, (char[]){"--args"}, NULL};
	char *const lldb_words[] = {(char[]){"--no-lldbinit"}, NULL};
	argv[at++] = (char[]){"/bin/sh"};
	argv[at++] = (char[]){"-c"};
	argv[at++] = (char[]){"exec \"$@\" <&3 3<&-"};
	argv[at++] = (char[]){"sh"};
	argv[at++] = debugger->path;
	for (char *const *word = gdb ? gdb_words : lldb_words; *word; word++)
		argv[at++] = *word;
	if (ora_by_hand_is_started_on(session))
		argv[at++] = (char *)(uintptr_t)session->run->path;
	for (char *const *word = session->run->argv + 1; gdb && *word; word++)
		argv[at++] = *word;
	XS_AUTO_FREE char *modules = debugger->modules
					     ? xs_asprintf("PYTHONPATH=%s", debugger->modules)
					     : xs_strdup("XSTEP_NOTHING");
	XS_AUTO_FREE char *search = debugger->search ? xs_asprintf("PATH=%s", debugger->search)
						     : xs_strdup("XSTEP_NOTHING");
	char *variables[] = {(char[]){"TERM=dumb"}, (char[]){"LC_ALL=C.UTF-8"},
		(char[]){"SHELL=/bin/sh"}, (char[]){"DEBUGINFOD_URLS"},
		(char[]){"PYTHONDONTWRITEBYTECODE=1"}, modules, search, NULL};
	return ora_helper_start(argv, variables, plain->folder, true, NULL, &plain->helper);
}

/* What makes it say the same whatever terminal there is, and keeps the program out of it. */
static void prepare(const struct ora_plain *plain, struct ora_commands *ret)
{
	static const char *const gdb[] = {"set prompt", "set pagination off", "set width 0",
		"set height 0", "set style enabled off", "set inferior-tty /dev/null"};
	static const char *const lldb[] = {"settings set auto-confirm true",
		"settings set use-color false", "settings set stop-disassembly-display never",
		"settings set stop-line-count-before 0", "settings set stop-line-count-after 0"};
	bool is_gdb = plain->debugger->kind == ORA_WITNESS_GDB;
	const char *const *words = is_gdb ? gdb : lldb;
	size_t count = is_gdb ? sizeof gdb / sizeof *gdb : sizeof lldb / sizeof *lldb;
	for (size_t i = 0; i < count; i++)
		xs_vec_push(&ret->vec, xs_strdup(words[i]));
}

struct xs_error *ora_plain_start(struct ora_plain *plain, const struct ora_by_hand *session)
{
	struct ora_commands commands = {0}, texts = {0};
	struct xs_error *err;
	plain->helper = (struct ora_helper){.said = -1, .results = -1};
	plain->pidfd = -1;
	if ((err = xs_scratch_create("plain", &plain->folder)) ||
		(err = start_child(plain, session)))
		return err;
	plain->pidfd = (int)syscall(SYS_pidfd_open, plain->helper.pid, 0);
	eng_interrupt_arm(plain->pidfd, 0);
	prepare(plain, &commands);
	ora_by_hand_settings(session, &commands);
	ora_plain_ask(plain, &commands, &texts); /* what becomes of it the first question tells */
	ora_commands_deinit(&commands);
	ora_commands_deinit(&texts);
	return NULL;
}

/* --- question and answer -------------------------------------------------------------------- */

static bool send_text(struct ora_plain *plain, const char *text, size_t length)
{
	while (length) {
		ssize_t sent = send(plain->helper.results, text, length, MSG_NOSIGNAL);
		if (sent < 0 && errno == EAGAIN) {
			struct pollfd room = {.fd = plain->helper.results, .events = POLLOUT};
			if (poll(&room, 1, (int)(plain->patience * 1000)) <= 0)
				return false;
			continue;
		}
		if (sent < 0)
			return false;
		text += sent;
		length -= (size_t)sent;
	}
	return true;
}

/* lldb runs what it reads from a pipe in the background, and a file command by command. */
static bool send_commands(struct ora_plain *plain, const struct ora_commands *commands)
{
	bool gdb = plain->debugger->kind == ORA_WITNESS_GDB;
	XS_AUTO_FREE char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	xs_assert(out);
	for (size_t i = 0; i < commands->vec.len; i++)
		fprintf(out, gdb ? "%s\necho \\n" MARK " %u\\n\n" : "%s\n# " MARK " %u\n",
			commands->vec.data[i], plain->mark + 1 + (unsigned)i);
	xs_assert(!fclose(out));
	if (gdb)
		return send_text(plain, text, size);
	/* Another file each time: it may not have seen the end of the last one yet. */
	XS_AUTO_FREE char *name = xs_asprintf("commands%u", plain->mark);
	XS_AUTO_FREE char *path = ora_plain_path(plain, name);
	XS_AUTO_FREE char *source = xs_asprintf("command source -e false -c false %s\n", name);
	FILE *file = xs_private_open(path, false);
	if (!file)
		return false;
	bool bad = fwrite(text, 1, size, file) != size;
	return !fclose(file) && !bad && send_text(plain, source, strlen(source));
}

/* A text without the marks, prompts and repeated commands; to be freed. */
static char *tidy(const char *text, size_t length)
{
	char *ret = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&ret, &size);
	xs_assert(out);
	for (const char *line = text, *end = text + length; line < end;) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));
		size_t much = (size_t)((stop ? stop : end) - line);
		bool echo = much >= 6 && !strncmp(line, "(lldb)", 6);
		bool sourced = much >= 22 && !strncmp(line, "Executing commands in ", 22);
		if (much && !echo && !sourced)
			fprintf(out, "%.*s\n", (int)much, line);
		line += much + 1;
	}
	xs_assert(!fclose(out));
	return ret;
}

/* Takes the texts of all commands whose mark has come. */
static void take_texts(struct ora_plain *plain, size_t count, struct ora_commands *texts)
{
	while (texts->vec.len < count) {
		char mark[64];
		bool gdb = plain->debugger->kind == ORA_WITNESS_GDB;
		int length = snprintf(mark, sizeof mark,
			gdb ? "\n" MARK " %u\n" : "# " MARK " %u\n", plain->mark + 1);
		char *at = plain->heard.len ? memmem(plain->heard.data, plain->heard.len, mark,
						      (size_t)length)
					    : NULL;
		if (!at)
			return;
		size_t before = (size_t)(at - plain->heard.data), all = before + (size_t)length;
		xs_vec_push(&texts->vec, tidy(plain->heard.data, before));
		memmove(plain->heard.data, plain->heard.data + all, plain->heard.len - all);
		plain->heard.len -= all;
		plain->mark++;
	}
}

static bool reports_internal_error(const struct ora_plain *plain)
{
	static const char *const words[] = {"internal-error:", "A problem internal to GDB",
		"Fatal signal:", "PLEASE submit a bug report", "LLVM ERROR"};
	for (size_t i = 0; plain->heard.len && i < sizeof words / sizeof *words; i++)
		if (memmem(plain->heard.data, plain->heard.len, words[i], strlen(words[i])))
			return true;
	return false;
}

/* Hears what there is; false at the end of it. */
static bool hear(struct ora_plain *plain, struct ora_silence *silence)
{
	char buffer[1 << 14];
	ssize_t got;
	while ((got = read(plain->helper.said, buffer, sizeof buffer)) > 0) {
		for (ssize_t i = 0; i < got; i++)
			xs_vec_push(&plain->heard, buffer[i]);
		ora_silence_break(silence);
	}
	return got < 0 && (errno == EAGAIN || errno == EINTR);
}

enum ora_plain_end ora_plain_ask(
	struct ora_plain *plain, const struct ora_commands *commands, struct ora_commands *texts)
{
	struct ora_silence silence = {0};
	size_t count = commands->vec.len;
	enum ora_plain_end ret = ORA_PLAIN_ANSWERED;
	plain->heard.len = 0;
	ora_silence_break(&silence);
	if (!send_commands(plain, commands))
		ret = ORA_PLAIN_DIED;
	while (ret == ORA_PLAIN_ANSWERED && texts->vec.len < count) {
		struct pollfd said = {.fd = plain->helper.said, .events = POLLIN};
		poll(&said, 1, POLL_MS);
		bool open = hear(plain, &silence);
		take_texts(plain, count, texts);
		if (eng_interrupt_signal())
			ret = ORA_PLAIN_INTERRUPTED;
		else if (texts->vec.len < count && (!open || reports_internal_error(plain) ||
							   ora_helper_has_ended(&plain->helper)))
			ret = ORA_PLAIN_DIED;
		else if (ora_silence_seconds(&silence, plain->helper.pid) > plain->patience)
			ret = ORA_PLAIN_DEBUGGER_HUNG;
	}
	if (ret == ORA_PLAIN_ANSWERED)
		return ret;
	hear(plain, &silence);
	xs_vec_push(&texts->vec, tidy(plain->heard.data, plain->heard.len));
	return ret;
}

void ora_plain_deinit(struct ora_plain *plain)
{
	if (plain->helper.pid) {
		ora_helper_end(&plain->helper);
		eng_interrupt_disarm();
		if (plain->pidfd >= 0)
			close(plain->pidfd);
	}
	xs_scratch_destroy(xs_take(&plain->folder));
	xs_vec_deinit(&plain->heard);
}
