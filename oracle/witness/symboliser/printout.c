#include "oracle/witness/symboliser/printout.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

#define REMARK_IN     " in "
#define DISCRIMINATOR " (discriminator " /* of addr2line, behind a line */

static void free_frames(struct ora_answer *answer)
{
	for (size_t i = 0; i < answer->frames.len; i++) {
		free(answer->frames.data[i].function);
		free(answer->frames.data[i].file);
	}
	xs_vec_deinit(&answer->frames);
}

/* Keeps the first ones only. */
static void cut(struct ora_answers *answers, size_t count)
{
	while (answers->vec.len > count)
		free_frames(&answers->vec.data[--answers->vec.len]);
}

void ora_answers_deinit(struct ora_answers *answers)
{
	cut(answers, 0);
	xs_vec_deinit(&answers->vec);
}

/* A name, to be freed; NULL if it stands for none. */
static char *name_of(const char *text, size_t length)
{
	if (!length || (length == 2 && !strncmp(text, "??", 2)))
		return NULL;
	return xs_asprintf("%.*s", (int)length, text);
}

/* --- lines of text ---------------------------------------------------------------------------- */

/* The line at *text, which moves behind it; false: there is none. */
static bool next_line(const char **text, const char **line, size_t *length)
{
	*line = *text;
	*length = strcspn(*text, "\n");
	if (!(*text)[*length])
		return false;
	*text += *length + 1;
	return true;
}

/* Whether a line is the address that the answer to a question begins with. */
static bool is_address(const char *line, size_t length, xs_addr *ret)
{
	if (length != 18 || strncmp(line, "0x", 2) != 0 ||
		strspn(line + 2, "0123456789abcdef") != 16)
		return false;
	*ret = strtoull(line, NULL, 16);
	return true;
}

/* Takes `:NUMBER` or `:?` off the end of a text. */
static bool take_number(const char *text, size_t *length, uint32_t *ret)
{
	size_t at = *length;
	while (at && text[at - 1] >= '0' && text[at - 1] <= '9')
		at--;
	if (at == *length && at && text[at - 1] == '?')
		at--;
	if (at == *length || !at || text[at - 1] != ':' || *length - at > 9)
		return false;
	*ret = (uint32_t)strtoul(text + at, NULL, 10); /* of `?`: 0 */
	*length = at - 1;
	return true;
}

/* `FILE:7 (discriminator 2)`, `FILE:7:3`, `??:0`. */
static bool read_place(
	enum ora_dialect dialect, const char *line, size_t length, struct ora_answer_frame *ret)
{
	if (dialect == ORA_DIALECT_ADDR2LINE && length && line[length - 1] == ')') {
		size_t at = length - 1;
		while (at && line[at - 1] >= '0' && line[at - 1] <= '9')
			at--;
		size_t mark = strlen(DISCRIMINATOR);
		if (at < mark || strncmp(line + at - mark, DISCRIMINATOR, mark) != 0)
			return false;
		length = at - mark;
	}
	uint32_t last, before;
	if (!take_number(line, &length, &last))
		return false;
	ret->line = last;
	if (dialect == ORA_DIALECT_EU && take_number(line, &length, &before)) {
		ret->line = before;
		ret->column = last;
	}
	ret->file = name_of(line, length);
	return length > 0;
}

/* *remarked: the remark behind the innermost function, if there is one. */
static bool read_frame(enum ora_dialect dialect, const char **text, struct ora_answer *answer,
	const char **remarked)
{
	const char *name, *place;
	size_t name_length, place_length;
	struct ora_answer_frame frame = {0};
	if (!next_line(text, &name, &name_length) || !next_line(text, &place, &place_length) ||
		!read_place(dialect, place, place_length, &frame))
		return false;
	const char *remark = dialect == ORA_DIALECT_EU
				     ? memmem(name, name_length, ORA_PRINTOUT_REMARK,
					       strlen(ORA_PRINTOUT_REMARK))
				     : NULL;
	frame.function = name_of(name, remark ? (size_t)(remark - name) : name_length);
	xs_vec_push(&answer->frames, frame);
	if (remark && answer->frames.len == 1)
		*remarked = remark;
	return true;
}

/* Rule 3: ` inlined at FILE:7:3 in FUNCTION`, up to the end of its line. */
static void read_remark(const char *remark, struct ora_answer *answer)
{
	struct ora_answer_frame frame = {0};
	const char *at = remark + strlen(ORA_PRINTOUT_REMARK);
	size_t length = strcspn(at, "\n");
	const char *in = memmem(at, length, REMARK_IN, strlen(REMARK_IN));
	if (!in || !read_place(ORA_DIALECT_EU, at, (size_t)(in - at), &frame))
		return;
	in += strlen(REMARK_IN);
	frame.function = name_of(in, length - (size_t)(in - at));
	xs_vec_push(&answer->frames, frame);
}

/* What follows an address, up to the next one or the end. */
static void read_frames(enum ora_dialect dialect, const char **text, struct ora_answer *answer)
{
	const char *remark = NULL;
	answer->read = true;
	for (;;) {
		const char *line, *rest = *text;
		size_t length;
		xs_addr pc;
		if (!next_line(&rest, &line, &length) || is_address(line, length, &pc))
			break;
		if (answer->read)
			answer->read = read_frame(dialect, text, answer, &remark);
		else
			*text = rest; /* whatever it is */
	}
	answer->read &= answer->frames.len > 0;
	if (answer->read && remark && answer->frames.len == 1)
		read_remark(remark, answer);
}

static bool read_lines(enum ora_dialect dialect, const char *text, const xs_addr *pcs, size_t count,
	struct ora_answers *ret)
{
	for (size_t i = 0; i < count; i++) {
		const char *line;
		size_t length;
		xs_addr pc;
		if (!next_line(&text, &line, &length) || !is_address(line, length, &pc) ||
			pc != pcs[i])
			return false;
		xs_vec_push(&ret->vec, ((struct ora_answer){0}));
		read_frames(dialect, &text, &ret->vec.data[ret->vec.len - 1]);
	}
	return !*text;
}

/* --- JSON ------------------------------------------------------------------------------------- */

static uint32_t number_of(json_t *object, const char *key)
{
	json_int_t number = json_integer_value(json_object_get(object, key));
	return number > 0 && number <= UINT32_MAX ? (uint32_t)number : 0;
}

static char *text_of(json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	return text ? name_of(text, strlen(text)) : NULL;
}

static bool read_object(json_t *object, xs_addr pc, struct ora_answer *answer)
{
	const char *address = json_string_value(json_object_get(object, "Address"));
	json_t *frame;
	size_t i;
	if (!address || strtoull(address, NULL, 16) != pc)
		return false;
	json_array_foreach(json_object_get(object, "Symbol"), i, frame) xs_vec_push(&answer->frames,
		((struct ora_answer_frame){.function = text_of(frame, "FunctionName"),
			.file = text_of(frame, "FileName"),
			.line = number_of(frame, "Line"),
			.column = number_of(frame, "Column")}));
	answer->read = answer->frames.len > 0;
	return true;
}

static bool read_json(const char *text, const xs_addr *pcs, size_t count, struct ora_answers *ret)
{
	json_t *list = json_loads(text, 0, NULL);
	bool good = list && json_array_size(list) == count;
	for (size_t i = 0; good && i < count; i++) {
		xs_vec_push(&ret->vec, ((struct ora_answer){0}));
		good = read_object(
			json_array_get(list, i), pcs[i], &ret->vec.data[ret->vec.len - 1]);
	}
	json_decref(list);
	return good;
}

bool ora_answers_read(enum ora_dialect dialect, const char *text, const xs_addr *pcs, size_t count,
	struct ora_answers *ret)
{
	size_t before = ret->vec.len;
	bool good = dialect == ORA_DIALECT_JSON ? read_json(text, pcs, count, ret)
						: read_lines(dialect, text, pcs, count, ret);
	if (!good)
		cut(ret, before);
	return good;
}
