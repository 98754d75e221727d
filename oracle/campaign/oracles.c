#include "oracle/campaign/oracles.h"

#define WORDS(...)                                                                                 \
	(const char *const[])                                                                      \
	{                                                                                          \
		__VA_ARGS__, NULL                                                                  \
	}
#define AS_JSON "{json}"

/* clang-format off */
const struct ora_oracle ora_oracles[] = {
	{"diff", ORA_NEEDS_BUILD, true, ORA_LANGUAGE_ANY, NULL,
		WORDS("diff", AS_JSON, "{witness}", "{sample}", "{program}")},
	{"opt", ORA_NEEDS_TWO, false, ORA_LANGUAGE_ANY, NULL,
		WORDS("check", "opt", AS_JSON, "{unopt}", "{program}")},
	{"levels", ORA_NEEDS_BUILD, false, ORA_LANGUAGE_ANY, NULL,
		WORDS("check", "levels", AS_JSON, "{program}")},
	{"avail", ORA_NEEDS_BUILD, false, ORA_LANGUAGE_C,
		"it works out from the text of a function which variables are alive, and reads C",
		WORDS("check", "avail", AS_JSON, "--source", "{source}", "{parser}", "{program}")},
	{"metrics", ORA_NEEDS_FAMILY, false, ORA_LANGUAGE_ANY, NULL,
		WORDS("check", "metrics", AS_JSON, "{unopt}", "{opts}")},
	{"frames", ORA_NEEDS_BUILD, false, ORA_LANGUAGE_ANY, NULL,
		WORDS("check", "frames", AS_JSON, "{program}")},
	{"probes", ORA_NEEDS_PROBES, false, ORA_LANGUAGE_C,
		"xstep mutate plants the probes, and reads C",
		WORDS("check", "probes", AS_JSON, "{program}")},
	{"twins", ORA_NEEDS_SOURCE, false, ORA_LANGUAGE_ANY, NULL,
		WORDS("check", "twins", AS_JSON, "--compiler", "{compiler}", "--flags", "{flags}",
			"{libs}", "--source", "{source}", "{parser}")},
	{"ccmd", ORA_NEEDS_SOURCE, false, ORA_LANGUAGE_ANY, NULL,
		WORDS("ccmd", AS_JSON, "--jobs", "1", "--compiler", "{compiler}", "--levels",
			"{level}", "{extra}", "{source}")},
	{0},
};
/* clang-format on */

const struct ora_oracle *ora_oracle_find(const char *name)
{
	for (const struct ora_oracle *one = ora_oracles; one->name; one++)
		if (!strcmp(one->name, name))
			return one;
	return NULL;
}

char *ora_oracle_names(void)
{
	char *text = xs_strdup("");
	for (const struct ora_oracle *one = ora_oracles; one->name; one++) {
		char *more = xs_asprintf("%s%s%s", text, *text ? ", " : "", one->name);
		free(text);
		text = more;
	}
	return text;
}

/* --- words ------------------------------------------------------------------------------------ */

static void add_flags(struct ora_command *line, const struct ora_oracle_case *one)
{
	struct ora_command words = {0};
	ora_language_level(one->language, one->level, &words);
	ora_language_begin(one->language, &words);
	char *text = xs_strdup("");
	for (size_t i = 0; i < words.vec.len; i++) {
		char *more = xs_asprintf("%s%s%s", text, i ? " " : "", words.vec.data[i]);
		free(text);
		text = more;
	}
	ora_command_deinit(&words);
	for (size_t i = 0; one->flags && one->flags[i]; i++) {
		char *more = xs_asprintf("%s %s", text, one->flags[i]);
		free(text);
		text = more;
	}
	ora_command_take(line, text);
}

bool ora_flag_is_for_parser(const char *flag)
{
	static const char *const wanted[] = {"-I", "-D", "-U", "-std", "-iquote", "-isystem"};
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		if (!strncmp(flag, wanted[i], strlen(wanted[i])))
			return true;
	return false;
}

void ora_flags_for_parser(struct ora_command *line, const char *flags)
{
	struct ora_command words = {0};
	ora_command_split(&words, flags);
	for (size_t i = 0; i < words.vec.len; i++)
		if (ora_flag_is_for_parser(words.vec.data[i]))
			ora_command_add(line, "--flag", words.vec.data[i], NULL);
	ora_command_deinit(&words);
}

static void add_each(
	struct ora_command *line, const char *option, const char *const *values, bool parser)
{
	for (size_t i = 0; values && values[i]; i++) {
		if (parser && !ora_flag_is_for_parser(values[i]))
			continue;
		if (option)
			ora_command_add(line, option, NULL);
		ora_command_add(line, values[i], NULL);
	}
}

static void add_word(struct ora_command *line, const char *word, const struct ora_oracle_case *one)
{
	const struct {
		const char *name, *value;
	} plain[] = {{"{program}", one->program}, {"{unopt}", one->unopt},
		{"{source}", one->source}, {"{compiler}", one->compiler}, {"{level}", one->level}};
	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
		if (!strcmp(word, plain[i].name)) {
			ora_command_add(line, plain[i].value ? plain[i].value : "", NULL);
			return;
		}
	if (!strcmp(word, "{opts}")) {
		add_each(line, NULL, one->opts, false);
	} else if (!strcmp(word, "{flags}")) {
		add_flags(line, one);
	} else if (!strcmp(word, "{libs}")) {
		if (one->language->bit != ORA_LANGUAGE_RUST)
			ora_command_add(line, "--libs", "-lm", NULL);
	} else if (!strcmp(word, "{extra}")) {
		add_each(line, "--extra", one->flags, false);
	} else if (!strcmp(word, "{parser}")) {
		add_each(line, "--flag", one->flags, true);
	} else if (!strcmp(word, "{json}")) {
		if (!one->for_people)
			ora_command_add(line, "--format", "json", "--quiet", NULL);
	} else if (!strcmp(word, "{witness}")) {
		if (one->witness && *one->witness) {
			ora_command_add(line, "--witness", NULL);
			ora_command_add(line, one->witness, NULL);
		}
	} else if (!strcmp(word, "{sample}")) {
		if (one->sample && *one->sample)
			ora_command_add(line, "--sample", one->sample, NULL);
	} else {
		ora_command_add(line, word, NULL);
	}
}

void ora_oracle_words(const struct ora_oracle *oracle, const char *xstep,
	const struct ora_oracle_case *one, struct ora_command *ret)
{
	ora_command_add(ret, xstep, NULL);
	for (const char *const *word = oracle->words; *word; word++)
		add_word(ret, *word, one);
}
