#include "cli/option.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <inttypes.h>

#include "base/nearest.h"
#include "base/shown.h"
#include "cli/report/screen.h"
#include "oracle/judge/baseline.h"

int cli_fail(struct xs_error *err)
{
	cli_screen_end();
	xs_print(stderr, "xstep: %s\n", err->message);
	xs_error_destroy(err);
	return CLI_TROUBLE;
}

const struct cli_option cli_common_options[] = {
	{"Terminal", "color", 0, CLI_CHOICE, "auto|always|never",
		"colours in text: on a terminal, always, or never (default: auto)",
		offsetof(struct cli_screen_wishes, colour)},
	{"Terminal", "no-pager", 0, CLI_FLAG, NULL,
		"print a report that is longer than the terminal is high without a pager",
		offsetof(struct cli_screen_wishes, no_pager)},
	{"Help", "help", 'h', CLI_FLAG, NULL, "print this help", 0},
	{0},
};

/* --- parsing ---------------------------------------------------------------------------------- */

static struct xs_error *parse_count(
	const char *name, const char *text, uint64_t least, uint64_t *ret)
{
	char *end;
	errno = 0;
	unsigned long long value = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || value < least)
		return xs_error_create(
			"--%s: '%s' is not a whole number from %" PRIu64 " on", name, text, least);
	*ret = value;
	return NULL;
}

static struct xs_error *parse_seconds(const char *name, const char *text, double *ret)
{
	char *end;
	double value = strtod(text, &end);
	if (end == text || *end || !isfinite(value) || value <= 0 || value > 1e9)
		return xs_error_create("--%s: '%s' is not a number of seconds above 0", name, text);
	/* The clock counts microseconds, and 0 would mean no limit. */
	*ret = value < 1e-6 ? 1e-6 : value;
	return NULL;
}

static struct xs_error *parse_chance(const char *name, const char *text, double *ret)
{
	char *end;
	double value = strtod(text, &end);
	if (end == text || *end || !(value >= 0 && value <= 1))
		return xs_error_create("--%s: '%s' is not a chance from 0 to 1", name, text);
	*ret = value;
	return NULL;
}

static struct xs_error *parse_choice(const struct cli_option *option, const char *text, int *ret)
{
	size_t length = strlen(text);
	int index = 0;
	for (const char *word = option->argument; word; index++) {
		const char *bar = strchr(word, '|');
		size_t size = bar ? (size_t)(bar - word) : strlen(word);
		if (size == length && !strncmp(word, text, size)) {
			*ret = index;
			return NULL;
		}
		word = bar ? bar + 1 : NULL;
	}
	return xs_error_create("--%s: '%s' is none of %s", option->name, text, option->argument);
}

static struct xs_error *store(const struct cli_option *option, const char *text, void *values)
{
	void *field = (char *)values + option->offset;
	switch (option->kind) {
	case CLI_FLAG:
		*(bool *)field = true;
		return NULL;
	case CLI_STRING:
		*(const char **)field = text;
		return NULL;
	case CLI_STRINGS: {
		struct xs_strings *strings = field;
		xs_vec_push(&strings->vec, text);
		return NULL;
	}
	case CLI_OPTIONAL:
		*(struct cli_optional *)field = (struct cli_optional){true, text};
		return NULL;
	case CLI_COUNT:
		return parse_count(option->name, text, 1, field);
	case CLI_NUMBER:
		return parse_count(option->name, text, 0, field);
	case CLI_SECONDS:
		return parse_seconds(option->name, text, field);
	case CLI_CHANCE:
		return parse_chance(option->name, text, field);
	case CLI_BASELINE: {
		struct xs_error *err = ora_baseline_load(field, text);
		return err ? xs_error_context(err, "--%s", option->name) : NULL;
	}
	case CLI_CHOICE:
		return parse_choice(option, text, field);
	}
	return NULL;
}

static struct xs_error *unknown(const struct cli_command *command, const char *word)
{
	const char *equals = strchr(word, '=');
	XS_AUTO_FREE char *typed =
		xs_asprintf("%.*s", (int)(equals ? equals - word : (ptrdiff_t)strlen(word)), word);
	struct xs_nearest nearest = xs_nearest_to(typed + strspn(typed, "-"));
	for (const struct cli_option *option = command->options; option->name; option++)
		xs_nearest_try(&nearest, option->name);
	for (const struct cli_option *option = cli_common_options; option->name; option++)
		xs_nearest_try(&nearest, option->name);
	if (nearest.best)
		return xs_error_create("%s%sunknown option %s; did you mean --%s?", command->name,
			*command->name ? ": " : "", typed, nearest.best);
	return xs_error_create("%s%sunknown option %s; see xstep %s%s--help", command->name,
		*command->name ? ": " : "", typed, command->name, *command->name ? " " : "");
}

/* The option that word names; *value is what follows a '=' or the letter, NULL if nothing does. */
static const struct cli_option *find(
	const struct cli_option *options, const char *word, const char **value)
{
	*value = NULL;
	for (const struct cli_option *option = options; option->name; option++) {
		size_t length = strlen(option->name);
		if (word[1] != '-' && option->letter && word[1] == option->letter) {
			*value = word[2] ? word + 2 : NULL;
			return option;
		}
		if (word[1] == '-' && !strncmp(word + 2, option->name, length) &&
			(!word[2 + length] || word[2 + length] == '=')) {
			*value = word[2 + length] ? word + 3 + length : NULL;
			return option;
		}
	}
	return NULL;
}

/* Whether what is printed is for a program, or for another one's input: not to be laid out. */
static bool is_data(const struct cli_command *command, const void *values)
{
	static const char *const names[] = {"json", "man", "completion", "inject-opaque", "quote"};
	for (const struct cli_option *option = command->options; option->name; option++) {
		const void *field = (const char *)values + option->offset;
		if (!strcmp(option->name, "format") &&
			(*(const int *)field > 0 || strncmp(option->argument, "text", 4) != 0))
			return true;
		for (size_t i = 0; i < sizeof names / sizeof *names; i++)
			if (!strcmp(option->name, names[i]) &&
				(option->kind == CLI_FLAG            ? *(const bool *)field
					: option->kind == CLI_STRING ? !!*(char *const *)field
								     : *(const int *)field >= 0))
				return true;
	}
	return false;
}

static void begin_screen(const struct cli_command *command, const void *values, bool help)
{
	cli_screen_begin(command->paged || help, !help && is_data(command, values));
}

struct xs_error *cli_parse(const struct cli_command *command, int argc, char **argv, void *values,
	int *first, bool *help)
{
	struct xs_error *err = cli_parse_before(command, argc, argv, values, first, help);
	if (!err)
		begin_screen(command, values, *help);
	return err;
}

struct xs_error *cli_parse_before(const struct cli_command *command, int argc, char **argv,
	void *values, int *first, bool *help)
{
	struct xs_error *err;
	int i = 1;
	for (; i < argc && argv[i][0] == '-' && argv[i][1]; i++) {
		const char *word = argv[i], *value;
		if (!strcmp(word, "--")) {
			i++;
			break;
		}
		if (!strcmp(word, "--help") || !strcmp(word, "-h")) {
			*help = true;
			return NULL;
		}
		const struct cli_option *option = find(command->options, word, &value);
		void *into = values;
		if (!option) {
			option = find(cli_common_options, word, &value);
			into = &cli_screen_wishes;
		}
		if (!option)
			return unknown(command, word);
		if (option->kind == CLI_FLAG && value)
			return xs_error_create("--%s takes no value", option->name);
		if (option->kind == CLI_FLAG || option->kind == CLI_OPTIONAL) {
			if ((err = store(option, value, into)))
				return err;
			continue;
		}
		if (!value && ++i >= argc)
			return xs_error_create("--%s needs a value: --%s %s", option->name,
				option->name, option->argument);
		if ((err = store(option, value ? value : argv[i], into)))
			return err;
	}
	*first = i;
	return NULL;
}

struct xs_error *cli_parse_all(const struct cli_command *command, int argc, char **argv,
	void *values, struct xs_strings *operands, bool *help)
{
	for (int at = 0, first; at < argc; at += first) {
		struct xs_error *err =
			cli_parse_before(command, argc - at, argv + at, values, &first, help);
		if (err)
			return err;
		if (*help || at + first >= argc)
			break;
		xs_vec_push(&operands->vec, argv[at + first]);
	}
	begin_screen(command, values, *help);
	return NULL;
}

/* --- commands --------------------------------------------------------------------------------- */

const char *cli_command_word(const struct cli_command *command)
{
	const char *blank = strrchr(command->name, ' ');
	return blank ? blank + 1 : command->name;
}

struct xs_error *cli_command_find(
	const struct cli_command *parent, const char *word, const struct cli_command **ret)
{
	struct xs_nearest nearest = xs_nearest_to(word);
	const char *in = parent->name, *colon = *in ? ": " : "", *gap = *in ? " " : "";
	for (size_t i = 0; parent->commands && parent->commands[i]; i++) {
		const char *name = cli_command_word(parent->commands[i]);
		if (!strcmp(name, word)) {
			*ret = parent->commands[i];
			return NULL;
		}
		xs_nearest_try(&nearest, name);
	}
	if (nearest.best)
		return xs_error_create("%s%sunknown command '%s'; did you mean '%s'?", in, colon,
			word, nearest.best);
	return xs_error_create(
		"%s%sunknown command '%s'; see xstep%s%s --help", in, colon, word, gap, in);
}
