/* cmd_help.c - xstep help: what a command does, as text, as a man page, for shells. */
#include <errno.h>
#include <sys/stat.h>

#include "cli/commands.h"

/* By the words of --completion; -1: none is asked for. */
static const struct completion {
	const char *folder, *name; /* of the file */
	void (*print)(const struct cli_command *top, FILE *out);
} completions[] = {
	{"bash-completion/completions", "xstep", cli_print_completion},
	{"zsh/site-functions", "_xstep", cli_print_completion_zsh},
	{"fish/vendor_completions.d", "xstep.fish", cli_print_completion_fish},
};
enum { COMPLETION_NONE = -1, COMPLETIONS = sizeof completions / sizeof *completions };

struct options {
	bool man;
	int completion; /* index of `completions` */
	const char *write;
};

static const struct cli_option options[] = {
	{"Output", "man", 0, CLI_FLAG, NULL,
		"print the man page of COMMAND, in roff, instead of its help",
		offsetof(struct options, man)},
	{"Output", "completion", 0, CLI_CHOICE, "bash|zsh|fish",
		"print a script that completes the words of all commands in that shell",
		offsetof(struct options, completion)},
	{"Output", "write", 0, CLI_STRING, "DIR",
		"write all man pages to DIR/man/man1, and the scripts for shells to "
		"DIR/bash-completion/completions, DIR/zsh/site-functions and "
		"DIR/fish/vendor_completions.d",
		offsetof(struct options, write)},
	{0},
};

static const char details[] =
	"Without COMMAND the page is that of xstep itself. A check has two words:\n"
	"xstep help check opt. All texts are made from the tables of options that\n"
	"xstep itself reads its command line by.\n"
	"\n"
	"Exit status:\n"
	"  0  done\n"
	"  2  trouble\n";

static struct xs_error *make_folder(const char *path)
{
	return !mkdir(path, 0777) || errno == EEXIST ? NULL : xs_error_sys("%s", path);
}

static struct xs_error *open_file(const char *folder, const char *name, FILE **ret)
{
	XS_AUTO_FREE char *path = xs_asprintf("%s/%s", folder, name);
	*ret = fopen(path, "we");
	return *ret ? NULL : xs_error_sys("%s", path);
}

static struct xs_error *close_file(FILE *file, const char *folder)
{
	bool failed = ferror(file);
	return fclose(file) || failed ? xs_error_sys("%s", folder) : NULL;
}

static struct xs_error *write_manuals(const char *folder, const struct cli_command *command)
{
	struct xs_error *err;
	FILE *file;
	XS_AUTO_FREE char *page = cli_manual_name(command);
	XS_AUTO_FREE char *name = xs_asprintf("%s.1", page);
	if ((err = open_file(folder, name, &file)))
		return err;
	cli_print_manual(command, file);
	if ((err = close_file(file, folder)))
		return err;
	for (size_t i = 0; command->commands && command->commands[i]; i++)
		if ((err = write_manuals(folder, command->commands[i])))
			return err;
	return NULL;
}

/* Makes a folder below another, and those on the way. */
static struct xs_error *make_way(const char *folder, const char *below, char **ret)
{
	struct xs_error *err = make_folder(folder);
	*ret = xs_asprintf("%s/%s", folder, below);
	for (char *slash = *ret + strlen(folder) + 1; !err && (slash = strchr(slash, '/'));
		slash++) {
		*slash = 0;
		err = make_folder(*ret);
		*slash = '/';
	}
	return err ? err : make_folder(*ret);
}

static struct xs_error *write_all(const char *folder)
{
	XS_AUTO_FREE char *manuals = NULL;
	struct xs_error *err = make_way(folder, "man/man1", &manuals);
	FILE *file;
	if (err || (err = write_manuals(manuals, &cli_xstep)))
		return err;
	for (size_t i = 0; i < COMPLETIONS; i++) {
		XS_AUTO_FREE char *scripts = NULL;
		if ((err = make_way(folder, completions[i].folder, &scripts)) ||
			(err = open_file(scripts, completions[i].name, &file)))
			return err;
		completions[i].print(&cli_xstep, file);
		if ((err = close_file(file, scripts)))
			return err;
	}
	return NULL;
}

static int cmd_help(int argc, char **argv)
{
	struct options values = {.completion = COMPLETION_NONE};
	struct xs_strings words = {0};
	const struct cli_command *topic = &cli_xstep;
	bool help = false;
	struct xs_error *err = cli_parse_all(&cli_help, argc, argv, &values, &words, &help);
	for (size_t i = 0; !err && i < words.vec.len; i++)
		err = cli_command_find(topic, words.vec.data[i], &topic);
	if (!err && help)
		cli_print_help(&cli_help, stdout);
	else if (!err && values.write)
		err = write_all(values.write);
	else if (!err && values.completion != COMPLETION_NONE)
		completions[values.completion].print(&cli_xstep, stdout);
	else if (!err && values.man)
		cli_print_manual(topic, stdout);
	else if (!err)
		cli_print_help(topic, stdout);
	xs_vec_deinit(&words.vec);
	return err ? cli_fail(err) : CLI_NOTHING;
}

const struct cli_command cli_help = {
	.name = "help",
	.operands = "[COMMAND...]",
	.summary = "Print help, man pages, or a script for a shell's completion",
	.details = details,
	.options = options,
	.run = cmd_help,
	.paged = true,
};
