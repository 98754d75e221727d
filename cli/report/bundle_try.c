#include "cli/report/bundle_try.h"

#include "base/path.h"
#include "base/quoting.h"
#include "cli/report/bundle.h"

enum {
	STOPS_MAX = 16, /* that are gone to; a test that needs more is none */
	WORDS_MAX = 32 + 4 * STOPS_MAX,
};

/* The words of a command, all of them owned. */
struct words {
	char *argv[WORDS_MAX + 1];
	size_t count;
};

static void add(struct words *words, const char *word)
{
	xs_assert(words->count < WORDS_MAX);
	words->argv[words->count++] = xs_strdup(word);
}

static void deinit(struct words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->argv[i]);
}

static bool is_gdb(const struct cli_try *try)
{
	return try->debugger->kind == ORA_WITNESS_GDB;
}

static void add_command(const struct cli_try *try, struct words *words, const char *command)
{
	add(words, is_gdb(try) ? "-ex" : "-o");
	add(words, command);
}

/* The breakpoint, and the start. ignore: how many stops to run over. */
static void begin(const struct cli_try *try, struct words *words, unsigned ignore)
{
	bool gdb = is_gdb(try);
	add(words, try->debugger->path);
	static const char *const quiet[] = {
		"-nx", "-nh", "-q", "-batch", "-iex", "set auto-load off", NULL};
	static const char *const quiet_lldb[] = {"--no-lldbinit", "--batch", NULL};
	for (const char *const *word = gdb ? quiet : quiet_lldb; *word; word++)
		add(words, *word);
	if (gdb)
		add_command(try, words, "set debuginfod enabled off");
	XS_AUTO_FREE char *place =
		gdb ? xs_asprintf("break %s:%u", try->file, try->line)
		    : xs_asprintf("breakpoint set -f %s -l %u -i %u", try->file, try->line, ignore);
	XS_AUTO_FREE char *over = xs_asprintf("ignore 1 %u", ignore);
	add_command(try, words, place);
	if (gdb && ignore)
		add_command(try, words, over);
	add_command(try, words,
		gdb ? "run > /dev/null 2>&1 < /dev/null"
		    : "process launch -i /dev/null -o /dev/null -e /dev/null");
}

/* In a folder of nobody's: lldb reads Python's modules from where it runs. */
static struct xs_error *run(const struct cli_try *try, struct words *words, char **said)
{
	int status;
	add(words, try->program);
	struct xs_error *err = cli_bundle_run(words->argv, try->debugger, "/", said, &status);
	deinit(words);
	return err;
}

struct xs_error *cli_try_stops(struct cli_try *try)
{
	struct words words = {0};
	XS_AUTO_FREE char *said = NULL;
	bool gdb = is_gdb(try);
	const char *mark = gdb ? "at-pc 0x" : "rip = 0x";
	begin(try, &words, 0);
	for (size_t i = 0; i < STOPS_MAX; i++) {
		/* Without a process it is an error, and nothing is printed. */
		add_command(
			try, &words, gdb ? "printf \"at-pc %#lx\\n\", $pc" : "register read pc");
		add_command(try, &words, "continue");
	}
	struct xs_error *err = run(try, &words, &said);
	if (err)
		return err;
	for (const char *at = said ? said : ""; (at = strstr(at, mark));) {
		at += strlen(mark);
		xs_vec_push(&try->stops, strtoull(at, NULL, 16) - try->bias);
	}
	try->well = said && strstr(said, "exited normally");
	try->all = try->stops.len < STOPS_MAX;
	return NULL;
}

/* The answer in what was said after the last command. */
static char *answer_of(const char *said, const char *mark)
{
	const char *from = NULL;
	for (const char *at = said; at && (at = strstr(at, mark)); at++)
		from = at;
	from = from ? strchr(from, '\n') : NULL;
	while (from && (*from == '\n' || *from == ' '))
		from++;
	if (!from || !*from)
		return NULL;
	size_t length = strcspn(from, "\n");
	const char *is = strstr(from, " = ");
	if (is && is + 3 <= from + length) {
		length -= (size_t)(is + 3 - from);
		from = is + 3;
	}
	return xs_asprintf("%.*s", (int)length, from);
}

struct xs_error *cli_try_ask(
	const struct cli_try *try, unsigned stop, const char *command, char **ret)
{
	struct words words = {0};
	XS_AUTO_FREE char *said = NULL;
	bool gdb = is_gdb(try);
	begin(try, &words, stop - 1);
	if (gdb)
		add_command(try, &words, "echo (asked)\\n");
	add_command(try, &words, command);
	struct xs_error *err = run(try, &words, &said);
	if (err)
		return err;
	XS_AUTO_FREE char *echo = gdb ? xs_strdup("(asked)") : xs_asprintf("(lldb) %s", command);
	*ret = answer_of(said, echo);
	return NULL;
}

char *cli_try_line(const struct cli_try *try, unsigned stop, const char *command)
{
	bool gdb = is_gdb(try);
	XS_AUTO_FREE char *program = xs_quote_paste(xs_base_name(try->program));
	XS_AUTO_FREE char *asked = xs_quote_paste(command);
	XS_AUTO_FREE char *over = stop == 1 ? xs_strdup("")
				  : gdb     ? xs_asprintf(" -ex 'ignore 1 %u'", stop - 1)
					    : xs_asprintf(" -i %u", stop - 1);
	/* lldb reads from where it runs: not from where this is pasted. */
	return gdb ? xs_asprintf("gdb -nx -q -batch -ex 'break %s:%u'%s -ex run -ex %s ./%s",
			     try->file, try->line, over, asked, program)
		   : xs_asprintf("env -C / lldb -x --batch -o 'breakpoint set -f %s -l %u%s' -o "
				 "run -o %s \"$PWD\"/%s",
			     try->file, try->line, over, asked, program);
}

void cli_try_deinit(struct cli_try *try)
{
	xs_vec_deinit(&try->stops);
	try->stops.len = 0;
}
