/* completion_fish.c - what fish offers after `xstep`: one line of `complete` for each word. */
#include "cli/help.h"

/* A text between single quotes. */
static void put(FILE *out, const char *text)
{
	fputc('\'', out);
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			fputc('\\', out);
		fputc(*text, out);
	}
	fputc('\'', out);
}

static void begin(const struct cli_command *command, FILE *out)
{
	fprintf(out, "complete -c xstep -n '__xstep_at \"%s\"'", command->name);
}

static void print_value(const struct cli_option *option, FILE *out)
{
	if (option->kind == CLI_FLAG || option->kind == CLI_OPTIONAL)
		return;
	if (option->kind == CLI_CHOICE) {
		fputs(" -x -a '", out);
		for (const char *c = option->argument; *c; c++)
			fputc(*c == '|' ? ' ' : *c, out);
		fputc('\'', out);
		return;
	}
	switch (cli_option_offer(option)) {
	case CLI_OFFER_FILES:
		fputs(" -r -F", out);
		break;
	case CLI_OFFER_FOLDERS:
		fputs(" -x -a '(__fish_complete_directories)'", out);
		break;
	case CLI_OFFER_NOTHING:
		fputs(" -x", out);
		break;
	}
}

static void print_options(
	const struct cli_command *command, const struct cli_option *options, FILE *out)
{
	for (const struct cli_option *option = options; option->name; option++) {
		begin(command, out);
		if (option->letter)
			fprintf(out, " -s %c", option->letter);
		fprintf(out, " -l %s", option->name);
		print_value(option, out);
		fputs(" -d ", out);
		put(out, option->help);
		fputc('\n', out);
	}
}

static void print_command(const struct cli_command *command, FILE *out)
{
	for (size_t i = 0; command->commands && command->commands[i]; i++) {
		begin(command, out);
		fprintf(out, " -a %s -d ", cli_command_word(command->commands[i]));
		put(out, command->commands[i]->summary);
		fputc('\n', out);
	}
	if (!command->commands) {
		begin(command, out);
		fputs(" -F\n", out);
	}
	print_options(command, command->options, out);
	print_options(command, cli_common_options, out);
	for (size_t i = 0; command->commands && command->commands[i]; i++)
		print_command(command->commands[i], out);
}

static void print_names(const struct cli_command *command, FILE *out)
{
	for (size_t i = 0; command->commands && command->commands[i]; i++) {
		fprintf(out, " '%s'", command->commands[i]->name);
		print_names(command->commands[i], out);
	}
}

void cli_print_completion_fish(const struct cli_command *top, FILE *out)
{
	fputs("# fish completion for xstep, made by `xstep help --completion fish`.\n"
	      "\n"
	      "function __xstep_at --description 'Whether the words so far lead to a command'\n"
	      "\tset -l words (commandline -opc)\n"
	      "\tset -l command ''\n"
	      "\tfor word in $words[2..-1]\n"
	      "\t\tset -l longer (string trim -- \"$command $word\")\n"
	      "\t\tcontains -- \"$longer\"",
		out);
	print_names(top, out);
	fputs("; or break\n"
	      "\t\tset command $longer\n"
	      "\tend\n"
	      "\ttest \"$command\" = \"$argv[1]\"\n"
	      "end\n"
	      "\n"
	      "complete -c xstep -f\n",
		out);
	print_command(top, out);
}
