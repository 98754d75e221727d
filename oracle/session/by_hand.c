#include "oracle/session/by_hand.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/path.h"
#include "base/quoting.h"

/* Signals that the program gets as if nobody looked. lldb knows them when there is a process. */
#define LLDB_PASS                                                                                  \
	"process handle --stop false --notify false --pass true SIGHUP SIGILL SIGABRT SIGBUS "     \
	"SIGFPE SIGUSR1 SIGSEGV SIGUSR2 SIGPIPE SIGALRM SIGTERM SIGCHLD SIGURG SIGVTALRM SIGPROF " \
	"SIGWINCH SIGIO SIGSYS"

/* Rule 4. The comment is for those who print them all the same. */
static void add_unsayable(struct ora_commands *commands)
{
	commands->unsayable = true;
	xs_vec_push(&commands->vec, xs_strdup("# a name that cannot be said here"));
}

XS_PRINTF(2, 3) static void add(struct ora_commands *commands, const char *format, ...)
{
	char *text = NULL;
	va_list list;
	va_start(list, format);
	int length = vasprintf(&text, format, list);
	va_end(list);
	xs_assert(length >= 0);
	if (xs_quote_is_line(text)) {
		xs_vec_push(&commands->vec, text);
	} else {
		free(text);
		add_unsayable(commands);
	}
}

/* --- words ---------------------------------------------------------------------------------- */

static void put_word(FILE *out, const char *before, const char *word, char *(*quote)(const char *))
{
	XS_AUTO_FREE char *text = quote(word);
	fprintf(out, "%s%s", before, text);
}

/* Words with a blank before each; to be freed. */
static char *join(char *const *words, char *(*quote)(const char *))
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	xs_assert(out);
	for (; *words; words++)
		put_word(out, " ", *words, quote);
	xs_assert(!fclose(out));
	return text;
}

static char *const *environment_of(const struct ora_run *run)
{
	return run->environment ? run->environment : ora_environment;
}

/* Whether a variable is one that every program gets. */
static bool is_usual(const char *variable)
{
	for (char *const *each = ora_environment; *each; each++)
		if (!strcmp(*each, variable))
			return true;
	return false;
}

/* Without a shell gdb redirects nothing and takes arguments apart at blanks; and a backslash at the
 * end of a line is not the argument's. */
static bool needs_shell(const struct ora_by_hand *session)
{
	for (char *const *word = session->run->argv + 1; *word; word++)
		if (!**word || strpbrk(*word, " \t\n") || (*word)[strlen(*word) - 1] == '\\')
			return true;
	return session->in || session->out;
}

/* lldb makes a command of the path that it is started with, and reads backticks and line breaks in
 * it as it does in any. */
bool ora_by_hand_is_started_on(const struct ora_by_hand *session)
{
	const char *path = session->run->path;
	return session->who == ORA_WITNESS_GDB || (xs_quote_is_line(path) && !strchr(path, '`'));
}

/* --- from the start to the stop ------------------------------------------------------------- */

static void settings_gdb(const struct ora_by_hand *session, struct ora_commands *ret)
{
	char *const *environment = environment_of(session->run);
	add(ret, "set confirm off");
	add(ret, "set disable-randomization on");
	add(ret, "set debuginfod enabled off");
	add(ret, "unset environment");
	if (needs_shell(session)) {
		/* Shells add variables of their own. */
		XS_AUTO_FREE char *words = join(environment, xs_quote_shell);
		add(ret, "set exec-wrapper env -i%s", words);
	} else {
		XS_AUTO_FREE char *words = join(session->run->argv + 1, xs_strdup);
		add(ret, "set startup-with-shell off");
		for (char *const *each = environment; *each; each++)
			add(ret, "set environment %s", *each);
		if (*words)
			add(ret, "set args%s", words);
	}
	add(ret, "handle all nostop noprint pass");
	add(ret, "set backtrace past-main on");
}

/* A path for a debugger that runs elsewhere, as lldb does (see line_of()); to be freed. */
static char *from_anywhere(const struct ora_by_hand *session, const char *path)
{
	char here[PATH_MAX];
	if (session->who == ORA_WITNESS_GDB || *path == '/' || !getcwd(here, sizeof here))
		return xs_strdup(path);
	return xs_asprintf("%s/%s", here, path);
}

/* The program, if the debugger is not started on it, and its debug file. */
static void add_files(const struct ora_by_hand *session, struct ora_commands *ret)
{
	bool gdb = session->who == ORA_WITNESS_GDB;
	if (!ora_by_hand_is_started_on(session)) {
		XS_AUTO_FREE char *word = xs_quote_lldb(session->run->path);
		add(ret, "target create %s", word);
	}
	if (!session->run->debug_file)
		return;
	XS_AUTO_FREE char *path = from_anywhere(session, session->run->debug_file);
	XS_AUTO_FREE char *word = gdb ? xs_quote_gdb(path) : xs_quote_lldb(path);
	add(ret, gdb ? "symbol-file %s" : "target symbols add %s", word);
}

void ora_by_hand_settings(const struct ora_by_hand *session, struct ora_commands *ret)
{
	if (session->who == ORA_WITNESS_GDB)
		settings_gdb(session, ret);
	else
		add(ret, "settings set target.inherit-env false");
	add_files(session, ret);
}

/* gdb takes it as it stands, without quotes, but for blanks at its end. */
static void add_directory(const char *directory, struct ora_commands *ret)
{
	if (isspace((unsigned char)directory[strlen(directory) - 1]))
		add_unsayable(ret);
	else
		add(ret, "set cwd %s", directory);
}

/* By its name alone: folders of a build may be gone. */
static void add_line_gdb(const struct ora_by_hand *session, struct ora_commands *ret)
{
	const char *name = xs_base_name(session->file);
	if (strpbrk(name, "'\"\\"))
		add_unsayable(ret);
	else
		add(ret, "break -source '%s' -line %u", name, session->line);
}

static void way_gdb(const struct ora_by_hand *session, struct ora_commands *ret)
{
	const struct ora_route *route = session->route;
	XS_AUTO_FREE char *in = session->in ? xs_quote_shell(session->in) : NULL;
	XS_AUTO_FREE char *out = session->out ? xs_quote_shell(session->out) : NULL;
	for (char *const *each = environment_of(session->run); session->brief && *each; each++)
		if (!is_usual(*each))
			add(ret, "set environment %s", *each);
	if (session->directory && *session->directory)
		add_directory(session->directory, ret);
	/* What follows it takes the place of the arguments that were given before. */
	XS_AUTO_FREE char *words =
		in || out ? join(session->run->argv + 1, xs_quote_shell) : xs_strdup("");
	if (!route)
		add_line_gdb(session, ret);
	add(ret, "%s%s%s%s%s%s%s", route ? "starti" : "run", words, in ? " < " : "", in ? in : "",
		out ? " > " : "", out ? out : "", out ? " 2>&1" : "");
	if (!route)
		return;
	add(ret, "tbreak *0x%" PRIx64, route->entry);
	add(ret, "continue");
	if (route->place != XS_ADDR_NONE) {
		add(ret, "break *0x%" PRIx64, route->place);
		if (route->arrivals > 1)
			add(ret, "ignore $bpnum %" PRIu64, route->arrivals - 1);
		add(ret, "continue");
	}
	if (route->step)
		add(ret, "stepi");
}

static void way_lldb(const struct ora_by_hand *session, struct ora_commands *ret)
{
	const struct ora_route *route = session->route;
	XS_AUTO_FREE char *words = join(session->run->argv + 1, xs_quote_lldb);
	char here[PATH_MAX], *options = NULL;
	/* lldb itself runs elsewhere: see line_of(). */
	const char *directory = session->directory ? session->directory : getcwd(here, sizeof here);
	size_t size = 0;
	FILE *out = open_memstream(&options, &size);
	xs_assert(out);
	if (directory && *directory)
		put_word(out, " -w ", directory, xs_quote_lldb);
	if (session->in) {
		XS_AUTO_FREE char *path = from_anywhere(session, session->in);
		put_word(out, " --stdin ", path, xs_quote_lldb);
	}
	if (session->out) {
		put_word(out, " --stdout ", session->out, xs_quote_lldb);
		put_word(out, " --stderr ", session->out, xs_quote_lldb);
	}
	for (char *const *each = environment_of(session->run); *each; each++)
		if (!session->brief || !is_usual(*each))
			put_word(out, " --environment ", *each, xs_quote_lldb);
	xs_assert(!fclose(out));
	if (!route) {
		XS_AUTO_FREE char *name = xs_quote_lldb(xs_base_name(session->file));
		add(ret, "breakpoint set -f %s -l %u", name, session->line);
	}
	add(ret, "process launch%s%s%s%s", route ? " -s" : "", options, *words ? " --" : "", words);
	free(options);
	if (!session->brief && route)
		add(ret, LLDB_PASS);
	if (!route)
		return;
	add(ret, "breakpoint set -o 1 -a 0x%" PRIx64, route->entry);
	add(ret, "continue");
	if (route->place != XS_ADDR_NONE) {
		XS_AUTO_FREE char *ignore =
			route->arrivals > 1 ? xs_asprintf(" -i %" PRIu64, route->arrivals - 1)
					    : xs_strdup("");
		add(ret, "breakpoint set -a 0x%" PRIx64 "%s", route->place, ignore);
		add(ret, "continue");
	}
	if (route->step)
		add(ret, "stepi");
}

void ora_by_hand_way(const struct ora_by_hand *session, struct ora_commands *ret)
{
	if (session->brief)
		add_files(session, ret);
	if (session->who == ORA_WITNESS_GDB)
		way_gdb(session, ret);
	else
		way_lldb(session, ret);
}

/* --- the question --------------------------------------------------------------------------- */

static bool is_integer(const char *value)
{
	value += *value == '-';
	return *value && strspn(value, "0123456789") == strlen(value);
}

static bool is_float(const struct ora_by_hand_question *question)
{
	return question->type &&
	       (strstr(question->type, "float") || strstr(question->type, "double") ||
		       strstr(question->type, "Float"));
}

/* The letter of the format in which what is printed reads as in a trace; 0: none. */
static char letter_of(const struct ora_by_hand_question *question)
{
	const char *value = question->state == ORA_STATE_VALUE ? question->value : NULL;
	if (!value || question->plain || is_float(question))
		return 0;
	if (question->letter)
		return question->letter;
	if (!strncmp(value, "0x", 2))
		return 'x';
	return !is_integer(value) ? 0 : *value == '-' ? 'd' : 'u';
}

/* The path without the half of a complex number; to be freed. */
static char *whole_of(const struct ora_by_hand_question *question)
{
	char *whole = xs_strdup(question->path);
	char *dot = strrchr(whole, '.');
	if (question->complex && dot)
		*dot = 0;
	return whole;
}

static void ask_gdb(const struct ora_by_hand_question *question, struct ora_commands *ret)
{
	XS_AUTO_FREE char *whole = whole_of(question);
	char letter = letter_of(question);
	/* By its file: others may have a static of that name, and a local may hide it. */
	XS_AUTO_FREE char *name =
		question->file_scope && question->unit && !question->by_name
			? xs_asprintf("'%s'::%s", xs_base_name(question->unit), whole)
			: xs_strdup(whole);
	const char format[] = {letter ? '/' : 0, letter, 0};
	if (question->complex)
		add(ret, "print%s $_c%s(%s)", format,
			!strcmp(strrchr(question->path, '.'), ".imag") ? "imag" : "real", name);
	else
		add(ret, "print%s %s", format, name);
}

static void ask_lldb(const struct ora_by_hand_question *question, struct ora_commands *ret)
{
	XS_AUTO_FREE char *whole = whole_of(question);
	char letter = letter_of(question);
	XS_AUTO_FREE char *format = letter ? xs_asprintf(" -f %c", letter) : xs_strdup("");
	/* A whole complex number has no such format. */
	if (question->complex && !question->by_name)
		*format = 0;
	bool imaginary = question->complex && !strcmp(strrchr(question->path, '.'), ".imag");
	if (question->by_name)
		add(ret, "expression%s -- %s%s", format,
			!question->complex ? ""
			: imaginary        ? "__imag__ "
					   : "__real__ ",
			whole);
	else if (question->file_scope) /* of several files: all of them, with their places */
		add(ret, "target variable --show-declaration%s %s", format, whole);
	else
		add(ret, "frame variable%s %s", format, whole);
}

/* Whether its names are names, so that nothing else is evaluated in their place. A program may call
 * a variable `system("...")`. */
static bool can_be_said(enum ora_witness_kind who, const struct ora_by_hand_question *question)
{
	const char *unit = question->unit ? xs_base_name(question->unit) : "";
	bool quoted = who == ORA_WITNESS_GDB && question->file_scope && !question->by_name;
	return (!question->path || xs_quote_is_variable(question->path)) &&
	       (!question->var || xs_quote_is_variable(question->var)) &&
	       (!quoted || !strpbrk(unit, "'\\"));
}

static void list_variables(enum ora_witness_kind who, const char *path, struct ora_commands *ret)
{
	if (who == ORA_WITNESS_GDB) {
		add(ret, "info locals"); /* first what hides the other */
		add(ret, "info args");
	} else {
		/* Without --show-globals it has none of a function's statics. */
		add(ret, path ? ORA_LLDB_LIST : "frame variable");
	}
}

static void ask_variable(const struct ora_by_hand *session,
	const struct ora_by_hand_question *question, struct ora_commands *ret)
{
	bool gdb = session->who == ORA_WITNESS_GDB;
	bool lookup = question->aspect == ORA_ASPECT_LOOKUP;
	if (!can_be_said(session->who, question)) {
		add_unsayable(ret);
		return;
	}
	if (question->frame)
		add(ret, gdb ? "frame %u" : "frame select %u", question->frame);
	if (!question->path || (!question->by_name && !question->file_scope &&
				       (question->listed || question->hidden)))
		list_variables(session->who, question->path, ret);
	if (!question->path || (question->hidden && !question->by_name && !question->file_scope))
		return; /* no expression of its own reaches it */
	const char *var = question->var ? question->var : question->path;
	if (lookup && gdb) {
		add(ret, "print %s", var);
		/* Nothing else tells which of several it means. */
		add(ret, "python print(gdb.lookup_symbol(\"%s\")[0].line)", var);
	} else if (lookup) {
		add(ret, "frame variable --show-declaration %s", var);
	} else if (question->state == ORA_STATE_ABSENT && question->listed && !question->by_name &&
		   !strcmp(question->path, var)) {
		return;
	} else if (question->state == ORA_STATE_ABSENT && gdb && strrchr(question->path, '[')) {
		/* gdb prints what is behind an array, too. */
		int length = (int)(strrchr(question->path, '[') - question->path);
		add(ret, "print sizeof(%.*s) / sizeof(*%.*s)", length, question->path, length,
			question->path);
	} else if (gdb) {
		ask_gdb(question, ret);
	} else if (question->state == ORA_STATE_ABSENT && !question->by_name &&
		   strrchr(question->path, '[')) {
		/* So does lldb: the type of the whole tells how many there are. */
		add(ret,
			question->file_scope ? "target variable --show-declaration %.*s"
					     : "frame variable %.*s",
			(int)(strrchr(question->path, '[') - question->path), question->path);
	} else {
		ask_lldb(question, ret);
	}
}

void ora_by_hand_ask(const struct ora_by_hand *session, const struct ora_by_hand_question *question,
	struct ora_commands *ret)
{
	bool gdb = session->who == ORA_WITNESS_GDB;
	switch (question->aspect) {
	case ORA_ASPECT_LINE:
		add(ret,
			gdb ? "info line *0x%" PRIx64
			    : "image lookup --verbose --address 0x%" PRIx64,
			question->pc);
		break;
	case ORA_ASPECT_REGISTER: {
		const char *name = question->path + (*question->path == '$');
		if (xs_quote_is_name(name))
			add(ret, gdb ? "info registers %s" : "register read %s", name);
		else
			add_unsayable(ret);
		break;
	}
	case ORA_ASPECT_VARIABLE:
	case ORA_ASPECT_LOOKUP:
	case ORA_ASPECT_BUILDS:
		ask_variable(session, question, ret);
		break;
	default:
		add(ret, gdb ? "backtrace" : "thread backtrace");
		break;
	}
}

struct ora_by_hand_question ora_by_hand_about(
	const struct ora_difference *difference, size_t w, bool by_name, xs_addr bias)
{
	const struct ora_said *said = &difference->said[w];
	bool local = difference->aspect == ORA_ASPECT_VARIABLE && !difference->global;
	struct ora_by_hand_question ret = {.aspect = difference->aspect,
		.path = difference->path,
		.var = difference->var,
		.scope = difference->scope,
		.unit = difference->decl_file,
		.line = difference->decl_line,
		.file_scope = difference->global,
		.hidden = local && said->shadowed,
		.by_name = by_name,
		.frame = difference->global ? 0 : difference->frame,
		.state = said->state,
		.value = said->value,
		.type = difference->type,
		.pc = difference->pc + bias};
	if (difference->aspect == ORA_ASPECT_CRASH)
		ret.aspect = ORA_ASPECT_VARIABLE;
	ret.listed = local && (said->state == ORA_STATE_ABSENT ||
				      (difference->said[0].heard &&
					      difference->said[0].state == ORA_STATE_ABSENT));
	return ret;
}

struct ora_by_hand_question ora_by_hand_of_violation(
	const struct ora_difference *difference, xs_addr bias)
{
	struct ora_by_hand_question ret =
		ora_by_hand_about(difference, difference->trace, false, bias);
	ret.aspect = difference->path ? ORA_ASPECT_VARIABLE : ORA_ASPECT_FRAMES;
	for (size_t w = 0; w < ORA_COMPARE_MAX; w++)
		ret.listed |= difference->path && difference->said[w].heard &&
			      difference->said[w].state == ORA_STATE_ABSENT;
	return ret;
}

bool ora_by_hand_may_be_brief(const struct ora_by_hand_question *question)
{
	if (question->state != ORA_STATE_VALUE || !question->value)
		return true;
	/* An integer may hold one, too: what a callee left in a register. */
	return strncmp(question->value, "0x7ff", 5) != 0 &&
	       strtoull(question->value, NULL, 10) >> 36 != 0x7ff;
}

/* --- for a shell ---------------------------------------------------------------------------- */

char *ora_by_hand_called(const char *path)
{
	const char *name = xs_base_name(path), *search = getenv("PATH");
	XS_AUTO_FREE char *folders = xs_strdup(search ? search : "");
	for (char *rest = folders, *folder; (folder = strsep(&rest, ":"));) {
		XS_AUTO_FREE char *there = xs_asprintf("%s/%s", *folder ? folder : ".", name);
		if (!access(there, X_OK))
			return xs_strdup(strcmp(there, path) ? path : name);
	}
	return xs_strdup(path);
}

static const char *name_of(const struct ora_by_hand *session)
{
	return session->debugger ? session->debugger : ora_witness_name(session->who);
}

static void put_options(FILE *out, const char *option, const struct ora_commands *commands)
{
	for (size_t i = 0; i < commands->vec.len; i++) {
		fprintf(out, " %s", option);
		put_word(out, " ", commands->vec.data[i], xs_quote_paste);
	}
}

/* The debugger's own path from anywhere; to be freed. */
static char *absolute(const char *name)
{
	char *path = *name != '/' && strchr(name, '/') ? realpath(name, NULL) : NULL;
	return path ? path : xs_strdup(name);
}

/* Without init files. lldb imports Python's `lldb` from the folder where it runs if its own is not
 * where it looks (Debian's is not): it runs where nobody else writes. */
static char *line_of(const struct ora_by_hand *session, const struct ora_commands *commands)
{
	bool gdb = session->who == ORA_WITNESS_GDB;
	bool words = gdb && session->run->argv[1];
	XS_AUTO_FREE char *name = absolute(name_of(session));
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	xs_assert(out);
	put_word(out, gdb ? "" : "env -C / ", name, xs_quote_paste);
	fputs(gdb ? " -nx -q" : " -x", out);
	put_options(out, gdb ? "-ex" : "-o", commands);
	if (ora_by_hand_is_started_on(session))
		put_word(out, words ? " --args " : " ", session->run->path, xs_quote_paste);
	for (char *const *word = session->run->argv + 1; words && *word; word++)
		put_word(out, " ", *word, xs_quote_paste);
	xs_assert(!fclose(out));
	return text;
}

char *ora_by_hand_start(const struct ora_by_hand *session)
{
	return line_of(session, &(struct ora_commands){0});
}

char *ora_by_hand_line(
	const struct ora_by_hand *session, const struct ora_by_hand_question *question)
{
	struct ora_commands commands = {0};
	if (!session->brief)
		ora_by_hand_settings(session, &commands);
	else if (session->who == ORA_WITNESS_GDB && question->in_main)
		/* What main was called with, only its caller knows. */
		add(&commands, "set backtrace past-main on");
	ora_by_hand_way(session, &commands);
	ora_by_hand_ask(session, question, &commands);
	char *line = commands.unsayable
			     ? xs_asprintf("# %s has no command that could say these names",
				       ora_witness_name(session->who))
			     : line_of(session, &commands);
	ora_commands_deinit(&commands);
	return line;
}

void ora_commands_deinit(struct ora_commands *commands)
{
	for (size_t i = 0; i < commands->vec.len; i++)
		free(commands->vec.data[i]);
	xs_vec_deinit(&commands->vec);
}
