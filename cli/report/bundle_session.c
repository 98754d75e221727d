/* bundle_session.c - a finding in a plain debugger: its commands, and what it says to them. */
#include "base/private.h"
#include "base/quoting.h"
#include "base/scratch.h"
#include "base/shown.h"
#include "cli/report/bundle.h"
#include "oracle/session/by_hand.h"
#include "oracle/witness/debugger/helper.h"

enum { SECONDS = 120 }; /* for a debugger's session, or a script */

/* --- files ---------------------------------------------------------------------------------- */

struct xs_error *cli_bundle_put(const char *folder, const char *name, const char *text)
{
	XS_AUTO_FREE char *path = xs_asprintf("%s/%s", folder, name);
	FILE *out = xs_private_open(path, true);
	if (!out)
		return xs_error_sys("%s", path);
	bool bad = fputs(text, out) < 0;
	return fclose(out) || bad ? xs_error_sys("%s", path) : NULL;
}

struct xs_error *cli_bundle_run(char *const *argv, const struct ora_witness *witness,
	const char *where, char **said, int *status)
{
	XS_AUTO_FREE char *modules = witness && witness->modules
					     ? xs_asprintf("PYTHONPATH=%s", witness->modules)
					     : xs_strdup("XSTEP_NOTHING");
	XS_AUTO_FREE char *search = witness && witness->search
					    ? xs_asprintf("PATH=%s", witness->search)
					    : xs_strdup("XSTEP_NOTHING");
	char *const variables[] = {
		(char[]){"TERM=dumb"}, (char[]){"LC_ALL=C.UTF-8"}, modules, search, NULL};
	return ora_helper_run(argv, variables, where, SECONDS, said, status);
}

struct xs_error *cli_bundle_keep(const char *folder, char *const *argv,
	const struct ora_witness *witness, const char *where, const char *name, int *status)
{
	XS_AUTO_FREE char *said = NULL, *text = NULL;
	size_t size = 0;
	struct xs_error *err = cli_bundle_run(argv, witness, where, &said, status);
	if (err)
		return err;
	/* What somebody said, line by line, as it may be read on a terminal. */
	FILE *out = open_memstream(&text, &size);
	xs_assert(out);
	xs_shown_lines(out, "", said ? said : "");
	xs_assert(!fclose(out));
	return cli_bundle_put(folder, name, text);
}

void cli_bundle_print_word(FILE *out, const char *word)
{
	XS_AUTO_FREE char *text = xs_quote_paste(word);
	xs_print(out, " %s", text);
}

/* --- sessions ------------------------------------------------------------------------------- */

/* How a session is run by hand, in the folder of the report: nothing else is read from there. */
static void print_start(
	FILE *out, const struct cli_bundle_session *session, const struct ora_by_hand *by_hand)
{
	bool gdb = by_hand->who == ORA_WITNESS_GDB;
	XS_AUTO_FREE char *program = xs_quote_paste(session->program);
	xs_print(out,
		gdb ? "# gdb -nx -nh -q -batch -x %s.gdb --args"
		    : "# env -C / lldb -x --batch -s \"$PWD/%s.lldb\"",
		session->name);
	if (ora_by_hand_is_started_on(by_hand))
		xs_print(out, " %s/%s", gdb ? "." : "\"$PWD\"", program);
	for (char *const *word = by_hand->run->argv + 1; gdb && *word; word++)
		cli_bundle_print_word(out, *word);
	fputs(gdb ? "\nset trace-commands on\n" : "\n", out);
}

/* What there is to ask. */
static void ask(const struct cli_bundle_session *session, const struct ora_by_hand *by_hand,
	struct ora_commands *commands)
{
	const struct ora_difference *one = session->finding->difference;
	xs_addr bias = by_hand->route ? by_hand->route->bias : 0;
	struct ora_by_hand_question question = ora_by_hand_about(one, session->w, false, bias);
	if (one->aspect == ORA_ASPECT_CHECK) { /* all that it may be about */
		question = ora_by_hand_of_violation(one, bias);
		question.aspect = ORA_ASPECT_LINE;
		if (by_hand->route)
			ora_by_hand_ask(by_hand, &question, commands);
		question.aspect = ORA_ASPECT_FRAMES;
		ora_by_hand_ask(by_hand, &question, commands);
		question.aspect = ORA_ASPECT_VARIABLE;
	}
	ora_by_hand_ask(by_hand, &question, commands);
}

/* The commands, to be freed; NULL if they cannot be said. directory: see ora_by_hand; in: what the
 * program reads, as the debugger finds it. */
static char *commands_of(
	const struct cli_bundle_session *session, const char *directory, const char *in)
{
	const struct cli_findings *print = session->print;
	const struct ora_difference *one = session->finding->difference;
	struct ora_by_hand by_hand = {.who = session->debugger->kind,
		.run = session->run,
		.route = session->run == print->run || print->same_code
				 ? &print->routes[session->finding->origin]
				 : NULL,
		.file = one->file,
		.line = one->line,
		.in = session->report->program->in ? in : NULL,
		.directory = directory};
	struct ora_commands commands = {0};
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	xs_assert(out);
	print_start(out, session, &by_hand);
	ora_by_hand_settings(&by_hand, &commands);
	ora_by_hand_way(&by_hand, &commands);
	ask(session, &by_hand, &commands);
	for (size_t i = 0; i < commands.vec.len; i++) {
		fputs(commands.vec.data[i], out); /* as it is: it is for the debugger */
		putc('\n', out);
	}
	xs_assert(!fclose(out));
	if (commands.unsayable)
		free(xs_take(&text));
	ora_commands_deinit(&commands);
	return text;
}

/* In the folder, where the file is that the program reads. */
static struct xs_error *run_gdb(const struct cli_bundle_session *session, const char *folder)
{
	const struct ora_run *run = session->run;
	XS_AUTO_FREE char *file = xs_asprintf("%s/%s.gdb", folder, session->name);
	XS_AUTO_FREE char *said = xs_asprintf("%s.gdb.txt", session->name);
	char *const words[] = {session->debugger->path, (char[]){"-nx"}, (char[]){"-nh"},
		(char[]){"-q"}, (char[]){"-batch"}, (char[]){"-iex"}, (char[]){"set auto-load off"},
		(char[]){"-x"}, file, (char[]){"--args"}, (char *)(uintptr_t)run->path, NULL};
	size_t count = 0, at = 0;
	int status;
	while (run->argv[count])
		count++;
	XS_AUTO_FREE char **argv = xs_calloc(count + sizeof words / sizeof *words, sizeof *argv);
	for (char *const *word = words; *word; word++)
		argv[at++] = *word;
	for (char *const *word = run->argv + 1; *word; word++)
		argv[at++] = *word;
	const char *where = session->report->program->in ? folder : NULL;
	return cli_bundle_keep(session->folder, argv, session->debugger, where, said, &status);
}

/* In a folder of its own: lldb reads from where it runs, and takes a path with a quote apart. */
static struct xs_error *run_lldb(const struct cli_bundle_session *session, const char *commands)
{
	const struct ora_run *run = session->run;
	const struct ora_by_hand by_hand = {.who = ORA_WITNESS_LLDB, .run = run};
	XS_AUTO_FREE char *said = xs_asprintf("%s.lldb.txt", session->name);
	char *const program =
		ora_by_hand_is_started_on(&by_hand) ? (char *)(uintptr_t)run->path : NULL;
	char *const argv[] = {session->debugger->path, (char[]){"--no-lldbinit"},
		(char[]){"--batch"}, (char[]){"-s"}, (char[]){"session.lldb"}, program, NULL};
	char *folder = NULL;
	int status;
	struct xs_error *err = xs_scratch_create("session", &folder);
	if (!err)
		err = cli_bundle_put(folder, "session.lldb", commands);
	if (!err)
		err = cli_bundle_keep(
			session->folder, argv, session->debugger, folder, said, &status);
	xs_scratch_destroy(folder);
	return err;
}

struct xs_error *cli_bundle_session(const struct cli_bundle_session *session)
{
	bool gdb = session->debugger->kind == ORA_WITNESS_GDB;
	XS_AUTO_FREE char *folder = realpath(session->folder, NULL);
	if (!folder)
		return xs_error_sys("%s", session->folder);
	XS_AUTO_FREE char *in = xs_asprintf("%s/stdin", folder);
	XS_AUTO_FREE char *name = xs_asprintf("%s.%s", session->name, gdb ? "gdb" : "lldb");
	/* Who gets the report does not have the folder where the program ran. */
	XS_AUTO_FREE char *kept = commands_of(session, "", gdb ? "stdin" : in);
	XS_AUTO_FREE char *here = kept && !gdb ? commands_of(session, NULL, in) : NULL;
	if (!kept || (!gdb && !here))
		return NULL;
	struct xs_error *err = cli_bundle_put(session->folder, name, kept);
	if (err)
		return err;
	return gdb ? run_gdb(session, folder) : run_lldb(session, here);
}
