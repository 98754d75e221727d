/* cmd_help.c - xstep help: what a command does, as text, as a man page, for bash. */
#include <errno.h>
#include <sys/stat.h>

#include "cli/commands.h"

enum completion { COMPLETION_NONE = -1, COMPLETION_BASH };

struct options {
	bool man;
	int completion; /* enum completion */
	const char *write;
};

static const struct cli_option options[] = {
	{"Output", "man", 0, CLI_FLAG, NULL,
		"print the man page of COMMAND, in roff, instead of its help",
		offsetof(struct options, man)},
	{"Output", "completion", 0, CLI_CHOICE, "bash",
		"print a script that completes the words of all commands",
		offsetof(struct options, completion)},
	{"Output", "write", 0, CLI_STRING, "DIR",
		"write all man pages to DIR/man/man1 and the script for bash to "
		"DIR/bash-completion/completions",
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

static struct xs_error *write_all(const char *folder)
{
	static const char *const folders[] = {
		"", "/man", "/man/man1", "/bash-completion", "/bash-completion/completions"};
	struct xs_error *err;
	FILE *file;
	XS_AUTO_FREE char *manuals = xs_asprintf("%s/man/man1", folder);
	XS_AUTO_FREE char *scripts = xs_asprintf("%s/bash-completion/completions", folder);
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		XS_AUTO_FREE char *path = xs_asprintf("%s%s", folder, folders[i]);
		if ((err = make_folder(path)))
			return err;
	}
	if ((err = write_manuals(manuals, &cli_xstep)) ||
		(err = open_file(scripts, "xstep", &file)))
		return err;
	cli_print_completion(&cli_xstep, file);
	return close_file(file, scripts);
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
	else if (!err && values.completion == COMPLETION_BASH)
		cli_print_completion(&cli_xstep, stdout);
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
	.summary = "Print help, man pages, or a script for bash's completion",
	.details = details,
	.options = options,
	.run = cmd_help,
};
