#include "cli/report/prose.h"

#include <string.h>

#include "cli/report/screen.h"

enum { HEADING_MOST = 32 }; /* characters: a longer line is a sentence that happens to end in ':' */

static bool is_heading(const char *line, size_t length)
{
	return length > 1 && length <= HEADING_MOST && line[length - 1] == ':' &&
	       !memchr(line, ',', length);
}

/* How many bytes follow that go on with a block: its further lines. */
static size_t rest_of(const char *text, bool item)
{
	size_t length = strcspn(text, "\n");
	while (text[length] == '\n') {
		const char *line = text + length + 1;
		bool goes_on = item ? !strncmp(line, "   ", 3)
				    : *line && *line != '\n' && *line != ' ' && *line != '\t';
		if (!goes_on)
			break;
		length += 1 + strcspn(line, "\n");
	}
	return length;
}

bool cli_block_next(const char **details, struct cli_block *ret)
{
	const char *at = *details;
	*ret = (struct cli_block){0};
	for (; *at == '\n'; at++)
		ret->apart = true;
	if (!*at)
		return false;
	size_t line = strcspn(at, "\n");
	ret->text = at;
	ret->length = line;
	if (*at == '\t') {
		ret->kind = CLI_BLOCK_VERBATIM;
		ret->text++;
		ret->length--;
	} else if (!strncmp(at, "  ", 2)) {
		const char *term = at + 2, *gap = strstr(term, "  ");
		ret->kind = CLI_BLOCK_ITEM;
		ret->term = term;
		ret->term_size = gap && gap < at + line ? (size_t)(gap - term) : line - 2;
		ret->text = term + ret->term_size;
		ret->text += strspn(ret->text, " ");
		ret->length = rest_of(ret->text, true);
	} else if (is_heading(at, line)) {
		ret->kind = CLI_BLOCK_HEADING;
		ret->length--;
	} else {
		ret->kind = CLI_BLOCK_PARAGRAPH;
		ret->length = rest_of(at, false);
	}
	at = ret->text + ret->length + (ret->kind == CLI_BLOCK_HEADING);
	*details = *at ? at + 1 : at;
	return true;
}

void cli_prose_wrap(FILE *out, const char *text, size_t length, size_t column, size_t indent)
{
	bool begun = false; /* a word is on this line */
	size_t width = cli_screen_room(out, CLI_PROSE_WIDTH);
	for (const char *end = text + length; text < end;) {
		size_t word = 0;
		while (text + word < end && !strchr(" \n", text[word]))
			word++;
		if (word && begun && column + 1 + word > width) {
			fprintf(out, "\n%*s", (int)indent, "");
			column = indent;
			begun = false;
		}
		if (word) {
			fprintf(out, "%s%.*s", begun ? " " : "", (int)word, text);
			column += word + begun;
			begun = true;
		}
		text += word ? word : 1;
	}
	fputc('\n', out);
}
