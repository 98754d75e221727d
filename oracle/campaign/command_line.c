#include "oracle/campaign/command_line.h"

#include <stdarg.h>
#include <stdint.h>

#include "base/quoting.h"

void ora_command_take(struct ora_command *line, char *word)
{
	xs_vec_push(&line->vec, word);
}

void ora_command_add(struct ora_command *line, ...)
{
	va_list words;
	va_start(words, line);
	for (const char *word; (word = va_arg(words, const char *));)
		ora_command_take(line, xs_strdup(word));
	va_end(words);
}

void ora_command_split(struct ora_command *line, const char *text)
{
	static const char blanks[] = " \t\n";
	for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
		size_t length = strcspn(text, blanks);
		ora_command_take(line, xs_asprintf("%.*s", (int)length, text));
		text += length;
	}
}

const char *const *ora_command_words(struct ora_command *line)
{
	xs_vec_push(&line->vec, NULL);
	line->vec.len--;
	return (const char *const *)(uintptr_t)line->vec.data;
}

char *ora_command_text(const struct ora_command *line)
{
	char *text = xs_strdup("");
	for (size_t i = 0; i < line->vec.len; i++) {
		XS_AUTO_FREE char *word = xs_quote_paste(line->vec.data[i]);
		char *more = xs_asprintf("%s%s%s", text, i ? " " : "", word);
		free(text);
		text = more;
	}
	return text;
}

void ora_command_deinit(struct ora_command *line)
{
	for (size_t i = 0; i < line->vec.len; i++)
		free(line->vec.data[i]);
	xs_vec_deinit(&line->vec);
}
