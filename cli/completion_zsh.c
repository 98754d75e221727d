/* completion_zsh.c - what zsh offers after `xstep`, by its own _arguments. */
#include "cli/help.h"

/* A text between single quotes, in a specification of _arguments or _describe. */
static void put(FILE *out, const char *text)
{
	for (; *text; text++)
		if (*text == '\'')
			fputs("'\\''", out);
		else if (strchr("[]:\\", *text))
			fprintf(out, "\\%c", *text);
		else
			fputc(*text, out);
}

static void print_value(const struct cli_option *option, FILE *out)
{
	fputs(option->kind == CLI_OPTIONAL ? "::" : ":", out);
	put(out, option->argument);
	fputc(':', out);
	if (option->kind == CLI_CHOICE) {
		fputc('(', out);
		for (const char *c = option->argument; *c; c++)
			fputc(*c == '|' ? ' ' : *c, out);
		fputc(')', out);
		return;
	}
	switch (cli_option_offer(option)) {
	case CLI_OFFER_FILES:
		fputs("_files", out);
		break;
	case CLI_OFFER_FOLDERS:
		fputs("_files -/", out);
		break;
	case CLI_OFFER_NOTHING:
		fputc(' ', out);
		break;
	}
}

static void print_option(const struct cli_option *option, const char *dashes, FILE *out)
{
	bool flag = option->kind == CLI_FLAG, letter = !dashes[1];
	fprintf(out, "\t\t\t'%s", option->kind == CLI_STRINGS ? "*" : "");
	if (letter)
		fprintf(out, "-%c", option->letter);
	else
		fprintf(out, "--%s", option->name);
	fputs(flag ? "" : option->kind == CLI_OPTIONAL ? "=-" : letter ? "+" : "=", out);
	fputc('[', out);
	put(out, option->help);
	fputc(']', out);
	if (!flag)
		print_value(option, out);
	fputs("' \\\n", out);
}

static void print_options(const struct cli_option *options, FILE *out)
{
	for (const struct cli_option *option = options; option->name; option++) {
		print_option(option, "--", out);
		if (option->letter)
			print_option(option, "-", out);
	}
}

static void print_command(const struct cli_command *command, FILE *out)
{
	bool help = !strcmp(command->name, "help");
	const struct cli_command *const *below = command->commands;
	fprintf(out, "\t'%s')\n", command->name);
	fputs("\t\t_xstep_below=(", out);
	for (size_t i = 0; below && below[i]; i++) {
		fputs("\n\t\t\t'", out);
		put(out, cli_command_word(below[i]));
		fputc(':', out);
		put(out, below[i]->summary);
		fputc('\'', out);
	}
	fputs(")\n\t\t_arguments -S \\\n", out);
	print_options(command->options, out);
	print_options(cli_common_options, out);
	fprintf(out, "\t\t\t'*::operand:%s' ;;\n",
		below  ? "_xstep_commands"
		: help ? " "
		       : "_files");
}

/* The words that lead to a command. */
static void print_ways(const struct cli_command *command, const char *mark, FILE *out)
{
	for (size_t i = 0; command->commands && command->commands[i]; i++) {
		fprintf(out, "%s'%s %s'", mark, command->name,
			cli_command_word(command->commands[i]));
		mark = " | ";
		print_ways(command->commands[i], mark, out);
	}
}

static void print_all(const struct cli_command *command, FILE *out)
{
	print_command(command, out);
	for (size_t i = 0; command->commands && command->commands[i]; i++)
		print_all(command->commands[i], out);
}

void cli_print_completion_zsh(const struct cli_command *top, FILE *out)
{
	fputs("#compdef xstep\n"
	      "# zsh completion for xstep, made by `xstep help --completion zsh`.\n"
	      "\n"
	      "_xstep_commands()\n"
	      "{\n"
	      "\t_describe -t commands command _xstep_below\n"
	      "}\n"
	      "\n"
	      "_xstep()\n"
	      "{\n"
	      "\tlocal command= i=2\n"
	      "\tlocal -a _xstep_below\n"
	      "\twhile (( i < CURRENT )); do\n"
	      "\t\tcase \"$command $words[i]\" in\n"
	      "\t\t",
		out);
	print_ways(top, "", out);
	fputs(") command=\"${command:+$command }$words[i]\" ;;\n"
	      "\t\t*) break ;;\n"
	      "\t\tesac\n"
	      "\t\t(( i++ ))\n"
	      "\tdone\n"
	      "\twords=(xstep \"${(@)words[i,-1]}\")\n"
	      "\t(( CURRENT -= i - 2 ))\n"
	      "\tcase $command in\n",
		out);
	print_all(top, out);
	fputs("\tesac\n"
	      "}\n"
	      "\n"
	      "[[ $funcstack[1] == _xstep ]] && _xstep \"$@\" || compdef _xstep xstep\n",
		out);
}
