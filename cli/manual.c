/* manual.c - man pages, in the macros of man(7), which groff and mandoc both read. */
#include <ctype.h>

#include "cli/help.h"
#include "cli/report/prose.h"

/* Text for a line of its own: what roff would take for something else is escaped. */
static void print_text(FILE *out, const char *text, size_t length)
{
	bool begins = true; /* a line, where `.` and `'` would make a request */
	for (size_t i = 0; i < length; i++) {
		char c = text[i];
		if (begins && (c == '.' || c == '\''))
			fputs("\\&", out);
		if (c == '\\')
			fputs("\\e", out);
		else if (c == '-')
			fputs("\\-", out);
		else if (c == '\'')
			fputs("\\(aq", out);
		else if (c == '`')
			fputs("\\(ga", out);
		else if (c == '^')
			fputs("\\(ha", out);
		else if (c == '~')
			fputs("\\(ti", out);
		else if (!begins || (c != ' ' && c != '\t')) /* roff would keep an indentation */
			fputc(c, out);
		begins = c == '\n' || (begins && (c == ' ' || c == '\t'));
	}
	if (!begins)
		fputc('\n', out);
}

static void print_string(FILE *out, const char *text)
{
	print_text(out, text, strlen(text));
}

static void print_bold(FILE *out, const char *text)
{
	fputs("\\fB", out);
	for (; *text; text++)
		fprintf(out, *text == '-' ? "\\-" : "%c", *text);
	fputs("\\fR", out);
}

char *cli_manual_name(const struct cli_command *command)
{
	char *name = xs_asprintf("xstep%s%s", *command->name ? "-" : "", command->name);
	for (char *c = name; *c; c++)
		if (*c == ' ')
			*c = '-';
	return name;
}

static void print_option(const struct cli_option *option, FILE *out)
{
	char letter[] = {'-', option->letter, 0};
	XS_AUTO_FREE char *name = xs_asprintf("--%s", option->name);
	fputs(".TP\n", out);
	if (option->letter) {
		print_bold(out, letter);
		fputs(", ", out);
	}
	print_bold(out, name);
	if (option->kind == CLI_OPTIONAL)
		fprintf(out, "[=\\fI%s\\fR]", option->argument);
	else if (option->kind == CLI_CHOICE)
		fprintf(out, " %s", option->argument);
	else if (option->argument)
		fprintf(out, " \\fI%s\\fR", option->argument);
	fputc('\n', out);
	print_string(out, option->help);
}

static void print_options(const struct cli_option *options, FILE *out)
{
	const char *group = NULL;
	for (const struct cli_option *option = options; option->name; option++) {
		if (!group || strcmp(group, option->group)) {
			fputs(".SS ", out);
			print_string(out, option->group);
		}
		group = option->group;
		print_option(option, out);
	}
}

static void print_block(const struct cli_block *block, bool follows, FILE *out)
{
	switch (block->kind) {
	case CLI_BLOCK_HEADING:
		fputs(".SH ", out);
		for (size_t i = 0; i < block->length; i++)
			fputc(toupper((unsigned char)block->text[i]), out);
		fputc('\n', out);
		return;
	case CLI_BLOCK_PARAGRAPH:
		fputs(follows ? "" : ".PP\n", out);
		print_text(out, block->text, block->length);
		return;
	case CLI_BLOCK_VERBATIM:
		fputs(".PD 0\n.PP\n.PD\n.nf\n", out);
		print_text(out, block->text, block->length);
		fputs(".fi\n", out);
		return;
	case CLI_BLOCK_ITEM:
		fputs(".TP\n", out);
		print_text(out, block->term, block->term_size);
		print_text(out, block->text, block->length);
		return;
	}
}

/* What comes before the first heading is the description; the rest comes after the options. */
static const char *print_description(const char *details, FILE *out)
{
	struct cli_block block;
	const char *next = details;
	while (cli_block_next(&next, &block) && block.kind != CLI_BLOCK_HEADING) {
		print_block(&block, false, out);
		details = next;
	}
	return details;
}

static void print_commands(const struct cli_command *command, FILE *out)
{
	fputs(".SH COMMANDS\n", out);
	for (size_t i = 0; command->commands[i]; i++) {
		XS_AUTO_FREE char *page = cli_manual_name(command->commands[i]);
		fputs(".TP\n", out);
		print_bold(out, page);
		fputs("(1)\n", out);
		print_string(out, command->commands[i]->summary);
	}
}

static void print_see_also(const struct cli_command *command, FILE *out)
{
	fputs(".SH SEE ALSO\n", out);
	if (*command->name) {
		print_bold(out, "xstep");
		fputs("(1),\n", out);
	}
	print_bold(out, "gdb");
	fputs("(1),\n", out);
	print_bold(out, "lldb");
	fputs("(1)\n", out);
}

void cli_print_manual(const struct cli_command *command, FILE *out)
{
	XS_AUTO_FREE char *page = cli_manual_name(command);
	char *usage;
	fputs(".\\\" Made by `xstep help --man`.\n.TH \"", out);
	for (const char *c = page; *c; c++)
		fputc(toupper((unsigned char)*c), out);
	fprintf(out, "\" 1 \"\" \"xstep %s\" \"xstep\"\n", XSTEP_VERSION);
	fputs(".SH NAME\n", out);
	fprintf(out, "%s \\- %c", page, tolower((unsigned char)*command->summary));
	print_string(out, command->summary + 1);
	fputs(".SH SYNOPSIS\n", out);
	for (size_t n = 0; (usage = cli_command_usage(command, n)); n++) {
		fputs(n ? ".br\n" : "", out);
		print_string(out, usage);
		free(usage);
	}
	fputs(".SH DESCRIPTION\n", out);
	XS_AUTO_FREE char *summary = xs_asprintf("%s.", command->summary);
	print_string(out, summary);
	const char *rest = print_description(command->details ? command->details : "", out);
	if (command->commands)
		print_commands(command, out);
	fputs(".SH OPTIONS\n", out);
	print_options(command->options, out);
	print_options(cli_common_options, out);
	bool follows = false; /* a heading */
	for (struct cli_block block; cli_block_next(&rest, &block);) {
		print_block(&block, follows, out);
		follows = block.kind == CLI_BLOCK_HEADING;
	}
	print_see_also(command, out);
}
