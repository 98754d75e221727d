#include "source/extent.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"

enum {
	TEXT_MAX = 16 << 20, /* bytes of a file that is read */
	DEPTH_MAX = 256,     /* of parentheses and braces; what is deeper is not told apart */
};

/* Where the reading is. */
struct reading {
	const char *text;
	size_t size, at;
	uint32_t line; /* from 0 */
	struct src_extent_file *file;

	bool open;          /* a statement has begun, */
	uint32_t begin;     /* on this line, */
	uint32_t end;       /* and was last seen on this one */
	bool assigns;       /* it has a `=` or a `return`: braces are an initialiser's */
	unsigned questions; /* `?` without their `:` */
	char last;          /* significant character; 0: the statement begins */
	bool condition;     /* what comes is executed on one */
	bool behind;        /* the last character closed a block, */
	uint32_t closed;    /* on this line */
	bool repeats;       /* a loop began on the line `repeated`: not the end of a do */
	uint32_t repeated;
	bool control; /* it began with if, for, while or switch: ends behind its parentheses */

	size_t depth; /* of what is open: */
	struct {
		char mark;      /* ( [ or {; I: braces of an initialiser */
		bool control;   /* the parentheses of a control statement */
		bool condition; /* what was around it */
	} nest[DEPTH_MAX];
};

/* Ends the statement: its lines are one group. */
static void end_statement(struct reading *at)
{
	struct src_extent_line *lines = at->file->lines.data;
	uint32_t group = at->open ? lines[at->begin].first : 0;
	for (uint32_t i = at->begin; at->open && i <= at->end; i++)
		lines[i].first = group;
	at->open = at->assigns = at->control = at->condition = false;
	at->questions = 0;
	at->last = 0;
}

static void see(struct reading *at, char mark)
{
	if (!at->open) {
		at->open = true;
		at->begin = at->line;
	}
	at->end = at->line;
	at->last = mark;
	at->behind = false;
	/* Words and literals; what closes may stand anywhere. */
	if ((mark == 'a' || mark == '"' || mark == '\'') && !at->condition)
		at->file->lines.data[at->line].certain = true;
}

static void next_line(struct reading *at)
{
	at->line++;
	xs_vec_push(&at->file->lines, (struct src_extent_line){.first = at->line});
}

/* Skips to behind a character that is not escaped; with it, lines are counted. */
static void skip_past(struct reading *at, char mark)
{
	for (at->at++; at->at < at->size && at->text[at->at] != mark; at->at++) {
		if (at->text[at->at] == '\\' && at->at + 1 < at->size)
			at->at++;
		if (at->text[at->at] == '\n')
			next_line(at);
	}
}

static void skip_comment(struct reading *at)
{
	for (at->at += 2; at->at < at->size; at->at++) {
		if (at->text[at->at] == '\n')
			next_line(at);
		if (at->text[at->at] == '/' && at->text[at->at - 1] == '*')
			return;
	}
}

/* Skips to the newline that ends this line, continuations included. */
static void skip_line(struct reading *at)
{
	for (; at->at + 1 < at->size && at->text[at->at + 1] != '\n'; at->at++)
		if (at->text[at->at + 1] == '\\' && at->at + 2 < at->size &&
			at->text[at->at + 2] == '\n') {
			next_line(at);
			at->at += 2;
		}
}

static void open_nest(struct reading *at, char mark)
{
	if (at->depth < DEPTH_MAX) {
		at->nest[at->depth].mark = mark;
		at->nest[at->depth].control = mark == '(' && at->control;
		at->nest[at->depth].condition = at->condition;
	}
	at->depth++;
	at->control = at->control && mark != '(';
}

static bool is_word(const char *word, size_t length, const char *wanted)
{
	return strlen(wanted) == length && !memcmp(word, wanted, length);
}

static void read_word(struct reading *at)
{
	const char *word = at->text + at->at;
	size_t length = 0;
	while (at->at + length < at->size &&
		(isalnum((unsigned char)word[length]) || word[length] == '_'))
		length++;
	bool control = is_word(word, length, "if") || is_word(word, length, "for") ||
		       is_word(word, length, "while") || is_word(word, length, "switch");
	bool ends_do = is_word(word, length, "while") && at->behind && at->closed == at->line;
	see(at, 'a');
	at->control |= control;
	if (!ends_do && (is_word(word, length, "for") || is_word(word, length, "while") ||
				is_word(word, length, "do"))) {
		at->repeats = true;
		at->repeated = at->line;
	}
	at->file->lines.data[at->line].loop |= is_word(word, length, "for") ||
					       is_word(word, length, "while") ||
					       is_word(word, length, "do");
	at->assigns |= is_word(word, length, "return");
	at->at += length - 1;
	if (is_word(word, length, "else") || is_word(word, length, "do"))
		end_statement(at);
}

static void read_brace(struct reading *at)
{
	bool inside = at->depth && at->depth <= DEPTH_MAX && at->nest[at->depth - 1].mark == 'I';
	bool value = at->open && at->last != '(' && (inside || at->assigns || at->last == ',');
	if (inside || value) {
		see(at, '{');
		open_nest(at, 'I');
		return;
	}
	if (at->open)
		see(at, '{');
	end_statement(at);
	open_nest(at, '{');
}

/* One that closes. */
static void read_close(struct reading *at, char mark)
{
	if (at->depth)
		at->depth--;
	bool known = at->depth < DEPTH_MAX;
	if (mark == '}' && !(known && at->nest[at->depth].mark == 'I')) {
		end_statement(at);
		at->behind = true;
		at->closed = at->line;
		return;
	}
	see(at, mark);
	at->condition = known && at->nest[at->depth].condition;
	if (mark == ')' && known && at->nest[at->depth].control)
		end_statement(at);
}

static void read_mark(struct reading *at, char mark)
{
	switch (mark) {
	case '{':
		read_brace(at);
		break;
	case '(':
	case '[':
		see(at, mark);
		open_nest(at, mark);
		break;
	case ')':
	case ']':
	case '}':
		read_close(at, mark);
		break;
	case ';':
		see(at, mark);
		/* Those of a for are none of its body's. */
		if (at->repeats && at->repeated == at->line &&
			!(at->depth && at->depth <= DEPTH_MAX &&
				at->nest[at->depth - 1].mark == '('))
			at->file->lines.data[at->line].whole = true;
		end_statement(at);
		break;
	case ',': /* the next argument, or operand */
		see(at, mark);
		at->condition =
			at->depth && at->depth <= DEPTH_MAX && at->nest[at->depth - 1].condition;
		break;
	case ':':
		see(at, mark);
		if (at->questions)
			at->questions--;
		else
			end_statement(at);
		break;
	default:
		at->condition |= mark == '?' || ((mark == '&' || mark == '|') && at->last == mark);
		see(at, mark);
		at->questions += mark == '?';
		at->assigns |= mark == '=';
		break;
	}
}

void src_extent_read(const char *text, size_t size, struct src_extent_file *ret)
{
	struct reading at = {.text = text, .size = size, .file = ret};
	bool fresh = true; /* nothing but blanks on this line so far */
	xs_vec_push(&ret->lines, (struct src_extent_line){0});
	for (; at.at < size; at.at++) {
		char mark = text[at.at], next = at.at + 1 < size ? text[at.at + 1] : 0;
		bool blank = isspace((unsigned char)mark) || mark == '\\';
		if (mark == '\n')
			next_line(&at);
		else if (mark == '/' && next == '*')
			skip_comment(&at);
		else if ((mark == '/' && next == '/') || (mark == '#' && fresh))
			skip_line(&at);
		else if (mark == '"' || mark == '\'') {
			see(&at, mark);
			skip_past(&at, mark);
			at.end = at.line;
		} else if (isalnum((unsigned char)mark) || mark == '_')
			read_word(&at);
		else if (!blank)
			read_mark(&at, mark);
		fresh = mark == '\n' || (fresh && blank);
	}
}

/* What is known of a line; NULL: nothing. */
static const struct src_extent_line *find(
	struct src_extents *extents, const char *path, uint32_t line)
{
	if (!path || !line)
		return NULL;
	uint64_t *index = xs_map_at(&extents->index, xs_hash_text(5, path), 0);
	if (!*index) {
		struct src_extent_file file = {0};
		XS_AUTO_FILE FILE *from = fopen(path, "re");
		XS_AUTO_FREE char *text = from ? malloc(TEXT_MAX) : NULL;
		size_t size = text ? fread(text, 1, TEXT_MAX, from) : 0;
		if (size && size < TEXT_MAX)
			src_extent_read(text, size, &file);
		xs_vec_push(&extents->files, file);
		*index = extents->files.len;
	}
	const struct src_extent_file *file = &extents->files.data[*index - 1];
	return line <= file->lines.len ? &file->lines.data[line - 1] : NULL;
}

uint32_t src_extent_first(struct src_extents *extents, const char *path, uint32_t line)
{
	const struct src_extent_line *found = find(extents, path, line);
	return found ? found->first + 1 : line;
}

bool src_extent_is_certain(struct src_extents *extents, const char *path, uint32_t line)
{
	const struct src_extent_line *found = find(extents, path, line);
	return found && found->certain;
}

bool src_extent_is_loop(struct src_extents *extents, const char *path, uint32_t line)
{
	const struct src_extent_line *found = find(extents, path, line);
	return found && found->loop;
}

/* Behind the parts of a variable that follow its name, `.x`, `->x` and `[i]`, and blanks. */
static const char *skip_parts(const char *at)
{
	for (;;) {
		at += strspn(at, " \t)");
		if (*at == '[') {
			at += strcspn(at, "]");
			at += *at == ']';
		} else if ((*at == '.' && !isdigit((unsigned char)at[1])) ||
			   (*at == '-' && at[1] == '>')) {
			at += *at == '.' ? 1 : 2;
			at += strspn(at, " \t");
			while (isalnum((unsigned char)*at) || *at == '_')
				at++;
		} else {
			return at;
		}
	}
}

/* Whether what stands behind a variable writes it. */
static bool is_assignment(const char *at)
{
	if ((*at == '+' || *at == '-') && at[1] == *at)
		return true;
	if ((*at == '<' || *at == '>') && at[1] == *at)
		return at[2] == '=';
	if (*at && strchr("+-*/%&|^", *at))
		return at[1] == '=';
	return *at == '=' && at[1] != '=';
}

/* Whether what stands before a variable writes it, or takes its address. */
static bool is_changed_before(const char *line, const char *at)
{
	while (at > line && strchr(" \t(*", at[-1]))
		at--;
	return at > line &&
	       (at[-1] == '&' || (at - line > 1 && strchr("+-", at[-1]) && at[-2] == at[-1]));
}

static unsigned count_writes(const char *line, const char *name)
{
	size_t length = strlen(name);
	unsigned ret = 0;
	for (const char *at = line; (at = strstr(at, name)); at += length) {
		bool begins = at == line || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
		bool ends = !(isalnum((unsigned char)at[length]) || at[length] == '_');
		if (begins && ends &&
			(is_changed_before(line, at) || is_assignment(skip_parts(at + length))))
			ret++;
	}
	return ret;
}

/* How often the text of the group that a line is in writes a variable; once in a loop that is on
 * one line is often. */
static unsigned writes_of_group(
	struct src_extents *extents, const char *path, uint32_t line, const char *name)
{
	uint32_t first = src_extent_first(extents, path, line), number = 0;
	XS_AUTO_FILE FILE *file = path ? fopen(path, "re") : NULL;
	XS_AUTO_FREE char *text = NULL;
	size_t size = 0;
	unsigned ret = 0;
	while (file && ret < 2 && getline(&text, &size, file) > 0)
		if (++number >= first && src_extent_first(extents, path, number) == first) {
			const struct src_extent_line *found = find(extents, path, number);
			unsigned count = count_writes(text, name);
			/* At the head of another loop each is one by itself: a body is between. */
			if (found && found->loop && count)
				count = found->whole ? 2 : 1;
			ret += count;
		}
	return ret;
}

bool src_extent_may_write(
	struct src_extents *extents, const char *path, uint32_t line, const char *name)
{
	return writes_of_group(extents, path, line, name) > 0;
}

bool src_extent_may_pass(
	struct src_extents *extents, const char *path, uint32_t line, const char *name)
{
	return writes_of_group(extents, path, line, name) > 1;
}

uint32_t src_extent_lines(struct src_extents *extents, const char *path)
{
	if (!find(extents, path, 1))
		return 0;
	uint64_t index = *xs_map_at(&extents->index, xs_hash_text(5, path), 0);
	return (uint32_t)extents->files.data[index - 1].lines.len;
}

void src_extents_deinit(struct src_extents *extents)
{
	for (size_t i = 0; i < extents->files.len; i++)
		xs_vec_deinit(&extents->files.data[i].lines);
	xs_vec_deinit(&extents->files);
	xs_map_deinit(&extents->index);
}
