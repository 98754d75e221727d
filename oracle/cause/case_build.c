#include "oracle/cause/case_build.h"

#include <stdlib.h>

#include "base/path.h"

void ora_case_build_deinit(struct ora_case_build *build)
{
	free(build->compiler);
	free(build->level);
	ora_command_deinit(&build->flags);
	*build = (struct ora_case_build){0};
}

static bool begins(const char *word, const char *with)
{
	return !strncmp(word, with, strlen(with));
}

/* A level, or a flag that a build of ours does not have anyway. */
static void take(struct ora_case_build *build, const char *word)
{
	static const char *const ours[] = {"-g", "-w", "-c", "-lm", "-save-temps",
		"-fasynchronous-unwind-tables", "-mtune=generic", "-march=x86-64"};
	if (begins(word, "-O")) {
		free(build->level);
		build->level = xs_strdup(word);
		return;
	}
	for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
		if (!strcmp(word, ours[i]))
			return;
	if (!begins(word, "-W"))
		ora_command_add(&build->flags, word, NULL);
}

static bool is_source(const char *word)
{
	size_t length = strlen(word);
	return *word != '-' && length > 2 && !strcmp(word + length - 2, ".c");
}

bool ora_case_build_of_command(const char *command, struct ora_case_build *ret)
{
	struct ora_command words = {0};
	*ret = (struct ora_case_build){0};
	if (strpbrk(command, "\"'`$\\|&;<>()*?\n"))
		return false;
	ora_command_split(&words, command);
	bool good = words.vec.len > 0 && (strstr(xs_base_name(words.vec.data[0]), "cc") ||
						 strstr(xs_base_name(words.vec.data[0]), "clang"));
	for (size_t i = 1; good && i < words.vec.len; i++) {
		const char *word = words.vec.data[i];
		if (!strcmp(word, "-o"))
			i++;
		else if (!is_source(word))
			take(ret, word);
	}
	if (good) {
		ret->compiler = xs_strdup(words.vec.data[0]);
		if (!ret->level) /* compilers begin there */
			ret->level = xs_strdup("-O0");
	}
	ora_command_deinit(&words);
	return good;
}

bool ora_case_build_of_producer(const char *producer, struct ora_case_build *ret)
{
	const char *clang = strstr(producer, "clang version ");
	const char *options = strchr(producer, '-');
	*ret = (struct ora_case_build){0};
	if (clang) {
		ret->compiler = xs_asprintf("clang-%lu", strtoul(clang + 14, NULL, 10));
		return true;
	}
	/* GNU C17 12.2.0 -mtune=generic -march=x86-64 -g -O2; not C++. */
	if (!begins(producer, "GNU C") || begins(producer, "GNU C+") || !strchr(producer + 5, ' '))
		return false;
	ret->compiler = xs_asprintf("gcc-%lu", strtoul(strchr(producer + 5, ' '), NULL, 10));
	struct ora_command words = {0};
	ora_command_split(&words, options ? options : "");
	for (size_t i = 0; i < words.vec.len; i++)
		take(ret, words.vec.data[i]);
	ora_command_deinit(&words);
	if (options && !ret->level)
		ret->level = xs_strdup("-O0");
	return true;
}
