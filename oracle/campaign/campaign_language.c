#include "oracle/campaign/campaign_language.h"

#include "oracle/session/compile.h"

#define WORDS(...)                                                                                 \
	(const char *const[])                                                                      \
	{                                                                                          \
		__VA_ARGS__, NULL                                                                  \
	}

const struct ora_language ora_languages[] = {
	{.name = "c",
		.title = "C",
		.bit = ORA_LANGUAGE_C,
		.ending = ".c",
		.endings = WORDS(".c"),
		.families = WORDS("gcc", "clang"),
		.usual = "",
		.trial = "int main(void) { int class = 0; return class; }\n",
		.sanitizers = true},
	/* Of g++ 12 and clang++ 15 the default is not the same standard. */
	{.name = "c++",
		.title = "C++",
		.bit = ORA_LANGUAGE_CPP,
		.ending = ".cpp",
		.endings = WORDS(".cc", ".cpp", ".cxx", ".C"),
		.families = WORDS("g++", "clang++"),
		.usual = "-std=gnu++17",
		.usual_begins = "-std",
		.trial = "#include <string>\n"
			 "int main() { std::string s(\"x\"); return s.size() != 1; }\n",
		.sanitizers = true},
	/* A crate's name is in all mangled names: it is not to depend on the file's. */
	{.name = "rust",
		.title = "Rust",
		.bit = ORA_LANGUAGE_RUST,
		.ending = ".rs",
		.endings = WORDS(".rs"),
		.families = WORDS("rustc"),
		.usual = "--edition=2021",
		.usual_begins = "--edition",
		.trial = "fn main() { let v = vec![1u32, 2]; println!(\"{}\", v.len()); }\n"},
	{0},
};

const struct ora_language *ora_language_find(const char *name)
{
	for (const struct ora_language *one = ora_languages; one->name; one++)
		if (!strcmp(one->name, name))
			return one;
	return NULL;
}

const struct ora_language *ora_language_of(const struct ora_settings *settings)
{
	const char *name = settings->value[ORA_SET_LANGUAGE];
	const struct ora_language *found = name ? ora_language_find(name) : NULL;
	return found ? found : &ora_languages[0];
}

bool ora_language_has(const struct ora_language *language, const char *file)
{
	const char *dot = strrchr(file, '.');
	for (const char *const *one = language->endings; dot && *one; one++)
		if (!strcmp(dot, *one))
			return true;
	return false;
}

char *ora_language_endings(const struct ora_language *language)
{
	char *text = xs_strdup("");
	for (const char *const *one = language->endings; *one; one++) {
		char *more = xs_asprintf("%s%s%s", text,
			!*text   ? ""
			: one[1] ? ", "
				 : " or ",
			*one);
		free(text);
		text = more;
	}
	return text;
}

void ora_language_level(
	const struct ora_language *language, const char *level, struct ora_command *line)
{
	struct ora_command words = {0};
	ora_command_split(&words, level);
	for (size_t i = 0; i < words.vec.len; i++) {
		const char *word = words.vec.data[i];
		XS_AUTO_FREE char *rust =
			language->bit == ORA_LANGUAGE_RUST ? ora_rust_level(word) : NULL;
		ora_command_split(line, rust ? rust : word);
	}
	ora_command_deinit(&words);
}

void ora_language_begin(const struct ora_language *language, struct ora_command *line)
{
	if (language->bit == ORA_LANGUAGE_RUST)
		ora_command_add(
			line, "-g", "--cap-lints", "allow", "--crate-name", "program", NULL);
	else
		ora_command_add(line, "-g", "-w", NULL);
}
