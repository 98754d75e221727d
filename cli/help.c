#include "cli/help.h"

#include "cli/report/prose.h"
#include "cli/report/screen.h"

enum {
	COLUMN = 30,       /* where the texts of options begin, */
	COLUMN_NARROW = 8, /* and where on a narrow terminal, */
	NARROW = 64,       /* which has fewer columns */
	GAP = 2,           /* between the columns */
};

static void print_heading(const char *text, size_t length, FILE *out)
{
	cli_ink(out, CLI_INK_TITLE);
	fprintf(out, "%.*s:", (int)length, text);
	cli_ink(out, CLI_INK_NONE);
	fputc('\n', out);
}

char *cli_option_usage(const struct cli_option *option)
{
	const char *before = option->kind == CLI_OPTIONAL ? "[=" : option->argument ? " " : "";
	return xs_asprintf("--%s%s%s%s", option->name, before,
		option->argument ? option->argument : "", option->kind == CLI_OPTIONAL ? "]" : "");
}

char *cli_command_usage(const struct cli_command *command, size_t n)
{
	const char *way = command->operands, *bar;
	for (size_t i = 0; i < n; i++) {
		if (!(bar = strstr(way, " | ")))
			return NULL;
		way = bar + 3;
	}
	bar = strstr(way, " | ");
	size_t length = bar ? (size_t)(bar - way) : strlen(way);
	return xs_asprintf("xstep%s%s%s%s%.*s", *command->name ? " " : "", command->name,
		command->options->name && *command->name ? " [OPTION...]" : "", length ? " " : "",
		(int)length, way);
}

static void print_option(const struct cli_option *option, FILE *out)
{
	char letter[] = {'-', option->letter, ',', 0};
	XS_AUTO_FREE char *usage = cli_option_usage(option);
	bool narrow = cli_screen_room(out, NARROW) < NARROW;
	int column = narrow ? COLUMN_NARROW : COLUMN;
	fprintf(out, "  %s ", option->letter ? letter : "   ");
	cli_ink(out, CLI_INK_TITLE);
	int width = (int)sizeof "  -x, " - 1 + fprintf(out, "%s", usage);
	cli_ink(out, CLI_INK_NONE);
	if (width + GAP > column)
		fprintf(out, "\n%*s", column, "");
	else
		fprintf(out, "%*s", column - width, "");
	cli_prose_wrap(out, option->help, strlen(option->help), (size_t)column, (size_t)column);
}

static void print_options(const struct cli_option *options, FILE *out)
{
	const char *group = NULL;
	for (const struct cli_option *option = options; option->name; option++) {
		if (!group || strcmp(group, option->group)) {
			fputc('\n', out);
			print_heading(option->group, strlen(option->group), out);
		}
		group = option->group;
		print_option(option, out);
	}
}

/* The widest term of the items that follow one another, so that their texts are aligned. */
static size_t widest(const char *details, const struct cli_block *first)
{
	struct cli_block block = *first;
	size_t most = 0;
	do {
		if (block.term_size > most)
			most = block.term_size;
	} while (cli_block_next(&details, &block) && block.kind == CLI_BLOCK_ITEM && !block.apart);
	return most;
}

static void print_details(const char *details, FILE *out)
{
	struct cli_block block;
	size_t column = 0; /* where the texts of items begin; 0: no item came before */
	while (cli_block_next(&details, &block)) {
		if (block.apart)
			fputc('\n', out);
		if (block.kind != CLI_BLOCK_ITEM)
			column = 0;
		else if (!column || block.apart)
			column = 2 + widest(details, &block) + GAP;
		switch (block.kind) {
		case CLI_BLOCK_HEADING:
			print_heading(block.text, block.length, out);
			break;
		case CLI_BLOCK_VERBATIM:
			cli_screen_verbatim(out, true);
			fprintf(out, "  %.*s\n", (int)block.length, block.text);
			cli_screen_verbatim(out, false);
			break;
		case CLI_BLOCK_PARAGRAPH:
			cli_prose_wrap(out, block.text, block.length, 0, 0);
			break;
		case CLI_BLOCK_ITEM:
			fprintf(out, "  %-*.*s", (int)column - 2, (int)block.term_size, block.term);
			cli_prose_wrap(out, block.text, block.length, column, column);
			break;
		}
	}
}

static void print_commands(const struct cli_command *command, FILE *out)
{
	size_t most = 0;
	for (size_t i = 0; command->commands[i]; i++) {
		size_t length = strlen(cli_command_word(command->commands[i]));
		most = length > most ? length : most;
	}
	fputc('\n', out);
	print_heading("Commands", sizeof "Commands" - 1, out);
	for (size_t i = 0; command->commands[i]; i++) {
		const struct cli_command *one = command->commands[i];
		size_t column = 2 + most + GAP;
		cli_ink(out, CLI_INK_TITLE);
		fprintf(out, "  %-*s", (int)column - 2, cli_command_word(one));
		cli_ink(out, CLI_INK_NONE);
		cli_prose_wrap(out, one->summary, strlen(one->summary), column, column);
	}
}

void cli_print_help(const struct cli_command *command, FILE *out)
{
	char *usage;
	for (size_t n = 0; (usage = cli_command_usage(command, n)); n++) {
		fprintf(out, "%s %s\n", n ? "      " : "Usage:", usage);
		free(usage);
	}
	fputc('\n', out);
	XS_AUTO_FREE char *summary = xs_asprintf("%s.", command->summary);
	cli_prose_wrap(out, summary, strlen(summary), 0, 0);
	if (command->commands)
		print_commands(command, out);
	print_options(command->options, out);
	print_options(cli_common_options, out);
	if (command->details) {
		fputc('\n', out);
		print_details(command->details, out);
	}
}

int cli_run_below(const struct cli_command *parent, const char *missing, int argc, char **argv)
{
	const struct cli_command *command;
	int first = 1;
	bool help = false;
	struct xs_error *err = cli_parse_before(parent, argc, argv, NULL, &first, &help);
	if (!err && help) {
		cli_screen_begin(true, false);
		cli_print_help(parent, stdout);
		return CLI_NOTHING;
	}
	if (!err && first >= argc)
		err = xs_error_create("%s", missing);
	if (!err)
		err = cli_command_find(parent, argv[first], &command);
	return err ? cli_fail(err) : command->run(argc - first, argv + first);
}
