/* completion.c - what bash offers after `xstep`: commands, options, the words of an option,
 * files. */
#include "cli/help.h"

enum cli_offer cli_option_offer(const struct cli_option *option)
{
	static const char *const files[] = {"FILE", "FILE.db", "PATH", "CORE", "PROGRAM", "OTHER"};
	if (option->argument && !strcmp(option->argument, "DIR"))
		return CLI_OFFER_FOLDERS;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		if (option->argument && !strcmp(option->argument, files[i]))
			return CLI_OFFER_FILES;
	return CLI_OFFER_NOTHING;
}

static void print_option_case(
	const struct cli_command *command, const struct cli_option *option, FILE *out)
{
	if (option->kind == CLI_FLAG)
		return;
	fprintf(out, "\t'%s --%s'", command->name, option->name);
	if (option->letter)
		fprintf(out, " | '%s -%c'", command->name, option->letter);
	static const char *const offers[] = {"nothing", "files", "folders"};
	if (option->kind != CLI_CHOICE) {
		fprintf(out, ") _xstep_kind=%s ;;\n",
			option->kind == CLI_OPTIONAL ? "optional"
						     : offers[cli_option_offer(option)]);
		return;
	}
	fputs(") _xstep_kind=words _xstep_words='", out);
	for (const char *c = option->argument; *c; c++)
		fputc(*c == '|' ? ' ' : *c, out);
	fputs("' ;;\n", out);
}

/* The words that a command may begin with: its commands, or `merge` and `check` of
 * `merge OUT IN... | check FILE...`. */
static void print_first_words(const struct cli_command *command, FILE *out)
{
	const char *way = command->operands;
	for (size_t i = 0; command->commands && command->commands[i]; i++)
		fprintf(out, " %s", cli_command_word(command->commands[i]));
	while (!command->commands && way) {
		if (*way >= 'a' && *way <= 'z')
			fprintf(out, " %.*s", (int)strcspn(way, " "), way);
		way = strstr(way, " | ");
		way = way ? way + 3 : NULL;
	}
}

static void print_command(const struct cli_command *command, FILE *out)
{
	fprintf(out, "\t'%s') _xstep_first='", command->name);
	print_first_words(command, out);
	fputs("' _xstep_options='", out);
	for (const struct cli_option *option = command->options; option->name; option++)
		fprintf(out, "--%s ", option->name);
	for (const struct cli_option *option = cli_common_options; option->name; option++)
		fprintf(out, option[1].name ? "--%s " : "--%s", option->name);
	fputs("' ;;\n", out);
}

static void for_each(const struct cli_command *command,
	void (*print)(const struct cli_command *, FILE *), FILE *out)
{
	print(command, out);
	for (size_t i = 0; command->commands && command->commands[i]; i++)
		for_each(command->commands[i], print, out);
}

static void print_options(const struct cli_command *command, FILE *out)
{
	for (const struct cli_option *option = command->options; option->name; option++)
		print_option_case(command, option, out);
	for (const struct cli_option *option = cli_common_options; option->name; option++)
		print_option_case(command, option, out);
}

static const char before[] =
	"# bash completion for xstep, made by `xstep help --completion bash`.\n"
	"\n"
	"# _xstep_about COMMAND: the words that it may begin with, and its options.\n"
	"_xstep_about()\n"
	"{\n"
	"\t_xstep_first= _xstep_options=\n"
	"\tcase $1 in\n";

static const char between[] =
	"\tesac\n"
	"}\n"
	"\n"
	"# _xstep_value COMMAND OPTION: what its value is; `none` if it takes none.\n"
	"_xstep_value()\n"
	"{\n"
	"\t_xstep_kind=none _xstep_words=\n"
	"\tcase \"$1 $2\" in\n";

/* clang-format off */
static const char after[] =
	"\tesac\n"
	"}\n"
	"\n"
	"# _xstep_enter COMMAND: the words that may follow it. `help` takes the words of\n"
	"# all commands, and has options of its own.\n"
	"_xstep_enter()\n"
	"{\n"
	"\tlocal topic=${1#help} options\n"
	"\t_xstep_about \"$1\"\n"
	"\tif [[ $1 == help* ]]; then\n"
	"\t\t_xstep_about help\n"
	"\t\toptions=$_xstep_options\n"
	"\t\t_xstep_about \"${topic# }\"\n"
	"\t\t_xstep_options=$options\n"
	"\tfi\n"
	"}\n"
	"\n"
	"_xstep()\n"
	"{\n"
	"\tlocal IFS=$' \\t\\n' word=${COMP_WORDS[COMP_CWORD]} option= command= operand= i\n"
	"\tlocal _xstep_first _xstep_options _xstep_kind _xstep_words\n"
	"\tCOMPREPLY=()\n"
	"\t_xstep_enter ''\n"
	"\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	"\t\tif [[ ${COMP_WORDS[i]} == '=' ]]; then\n"
	"\t\t\tcontinue # --option=VALUE comes as three words\n"
	"\t\telif [[ -n $option ]]; then\n"
	"\t\t\toption= # this word was its value\n"
	"\t\telif [[ ${COMP_WORDS[i]} == -?* ]]; then\n"
	"\t\t\toption=${COMP_WORDS[i]}\n"
	"\t\t\t_xstep_value \"${command/#help */help}\" \"$option\"\n"
	"\t\t\t[[ $_xstep_kind == none ]] && option=\n"
	"\t\t\t[[ $_xstep_kind == optional && ${COMP_WORDS[i + 1]} != '=' ]] && option=\n"
	"\t\telif [[ -z $operand && \" $_xstep_first \" == *\" ${COMP_WORDS[i]} \"* ]]; then\n"
	"\t\t\tcommand=${command:+$command }${COMP_WORDS[i]}\n"
	"\t\t\t_xstep_enter \"$command\"\n"
	"\t\telse\n"
	"\t\t\toperand=${COMP_WORDS[i]}\n"
	"\t\tfi\n"
	"\tdone\n"
	"\t[[ $word == '=' ]] && word=\n"
	"\tif [[ -n $option ]]; then\n"
	"\t\t_xstep_value \"${command/#help */help}\" \"$option\"\n"
	"\t\tcase $_xstep_kind in\n"
	"\t\twords) COMPREPLY=($(compgen -W \"$_xstep_words\" -- \"$word\")) ;;\n"
	"\t\tfolders)\n"
	"\t\t\tmapfile -t COMPREPLY < <(compgen -d -- \"$word\")\n"
	"\t\t\tcompopt -o filenames 2>/dev/null\n"
	"\t\t\t;;\n"
	"\t\tnothing) compopt +o default +o bashdefault 2>/dev/null ;;\n"
	"\t\tesac # files: bash's own way\n"
	"\telif [[ $word == -* ]]; then\n"
	"\t\tCOMPREPLY=($(compgen -W \"$_xstep_options\" -- \"$word\"))\n"
	"\telif [[ -z $operand ]]; then\n"
	"\t\tCOMPREPLY=($(compgen -W \"$_xstep_first\" -- \"$word\"))\n"
	"\tfi\n"
	"}\n"
	"complete -o bashdefault -o default -F _xstep xstep\n";
/* clang-format on */

void cli_print_completion(const struct cli_command *top, FILE *out)
{
	fputs(before, out);
	for_each(top, print_command, out);
	fputs(between, out);
	for_each(top, print_options, out);
	fputs(after, out);
}
