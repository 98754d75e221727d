#include "oracle/session/reply.h"

#include <ctype.h>
#include <math.h>

#include "base/path.h"

/* --- lines ---------------------------------------------------------------------------------- */

static char *copy(const char *from, size_t length)
{
	return xs_asprintf("%.*s", (int)length, from);
}

static const char *next_line(const char *at)
{
	at += strcspn(at, "\n");
	return *at ? at + 1 : NULL;
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* Whether a command is this one, with or without more words. */
static bool is_command(const char *command, const char *name)
{
	size_t length = strlen(name);
	return !strncmp(command, name, length) &&
	       (!command[length] || command[length] == ' ' || command[length] == '/');
}

/* All lines but empty ones, to be freed. */
static char *condense(const char *text)
{
	char *ret = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&ret, &size);
	xs_assert(out);
	for (const char *line = text; line; line = next_line(line)) {
		size_t length = strcspn(line, "\r\n");
		if (strspn(line, " \t") < length)
			fprintf(out, "%s%.*s", ftell(out) ? "\n" : "", (int)length, line);
	}
	xs_assert(!fclose(out));
	return ret;
}

/* Behind a type in parentheses and the blank after it; the text itself if there is none. */
static const char *skip_type(const char *text)
{
	int depth = 0;
	if (*text != '(')
		return text;
	for (const char *at = text; *at && *at != '\n'; at++) {
		depth += *at == '(';
		depth -= *at == ')';
		if (!depth)
			return at[1] == ' ' ? at + 2 : text;
	}
	return text;
}

/* --- values --------------------------------------------------------------------------------- */

static bool says_gone(const char *text)
{
	return strstr(text, "optimized out") || strstr(text, "not available") ||
	       strstr(text, "no location") || strstr(text, "<not saved>") ||
	       strstr(text, "<unavailable>");
}

/* Whether an aggregate has parts, and none of them has a value. */
static bool is_all_gone(const char *text)
{
	bool any = false;
	while (*text) {
		size_t name = strcspn(text, "={}()<, \n[]\"'");
		if (*text == '<') {
			size_t length = strcspn(text, ">");
			XS_AUTO_FREE char *inside = copy(text, length + (text[length] == '>'));
			bool repeats = begins(inside, "<repeats ");
			if (!repeats && !says_gone(inside))
				return false;
			any |= !repeats;
			text += strlen(inside);
		} else if (*text == '[') { /* [0] = */
			text += strcspn(text, "]");
			text += *text == ']';
		} else if (!name) {
			text++;
		} else if (begins(text + name, " = ") || begins(text, "...")) {
			text += name;
		} else {
			return false; /* a value */
		}
	}
	return any;
}

/* The value in a text that begins behind ` = `. */
static void read_value(const char *text, struct ora_reply *ret)
{
	const char *value = skip_type(text);
	size_t length = strlen(value);
	while (length && isspace((unsigned char)value[length - 1]))
		length--;
	ret->read = true;
	free(ret->value);
	ret->value = copy(value, length);
	if (begins(value, "<synthetic pointer>")) {
		ret->state = ORA_STATE_VALUE;
		free(ret->value);
		ret->value = xs_strdup("implicit");
	} else if (is_all_gone(ret->value)) {
		ret->state = ORA_STATE_OPTIMIZED_OUT;
	} else {
		/* A text in angle brackets alone is a message. */
		ret->state = *value == '<' ? ORA_STATE_ERROR : ORA_STATE_VALUE;
	}
}

/* Whether gdb complains of the question, and not of the variable. */
static bool is_refused(const char *text)
{
	static const char *const words[] = {"syntax error", "There is no member", "No frame",
		"No symbol table is loaded", "has unknown type", "Undefined command", "Ambiguous",
		"ambiguous", "No process", "The program is not being run",
		"Cannot take address of method"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strstr(text, words[i]))
			return true;
	return !*text;
}

static void read_print(const char *text, struct ora_reply *ret)
{
	for (const char *line = text; line; line = next_line(line)) {
		const char *equals = strstr(line, " = ");
		if (*line == '$' && isdigit((unsigned char)line[1]) && equals) {
			read_value(equals + 3, ret);
			return;
		}
	}
	ret->read = true;
	ret->state = ORA_STATE_ERROR;
	free(ret->value);
	ret->value = condense(text);
	if (begins(ret->value, "No symbol \"")) {
		ret->state = ORA_STATE_ABSENT;
	} else if (says_gone(ret->value)) {
		ret->state = ORA_STATE_OPTIMIZED_OUT;
	} else if (strstr(ret->value, "component of a value that is not a structure")) {
		ret->read = false;
		ret->complex = true;
	} else if (is_refused(ret->value)) {
		ret->read = false;
	}
}

/* An element is there if the array has so many. */
static void read_bound(const char *text, const char *path, struct ora_reply *ret)
{
	unsigned long long index = strtoull(strrchr(path, '[') + 1, NULL, 10), count;
	if (sscanf(text, "$%*u = %llu", &count) != 1) {
		read_print(text, ret);
		return;
	}
	ret->read = true;
	ret->state = index < count ? ORA_STATE_VALUE : ORA_STATE_ABSENT;
}

/* A line of lldb's: `[module`][file:line:column: ](type) name = value`. */
struct entry {
	const char *file;  /* of its declaration; NULL: not told */
	size_t file_len;   /* of that */
	unsigned line;     /* likewise */
	const char *name;  /* of the variable, or its path */
	size_t name_len;   /* of that */
	const char *value; /* up to the end of the text */
};

static bool parse_entry(const char *line, struct entry *ret)
{
	*ret = (struct entry){0};
	size_t length = strcspn(line, "\n");
	const char *open = memchr(line, '(', length);
	if (!open || (open > line && (open < line + 2 || open[-2] != ':')))
		return false;
	if (open > line) {
		const char *tick = memchr(line, '`', (size_t)(open - line));
		const char *colon = memchr(line, ':', (size_t)(open - line));
		ret->file = tick ? tick + 1 : line;
		/* A name may hold a colon, but a number follows the one that is meant. */
		while (colon && !isdigit((unsigned char)colon[1]))
			colon = colon + 1 < open
					? memchr(colon + 1, ':', (size_t)(open - colon - 1))
					: NULL;
		if (colon) {
			ret->file_len = (size_t)(colon - ret->file);
			ret->line = (unsigned)strtoul(colon + 1, NULL, 10);
		} else {
			ret->file = NULL;
		}
	}
	const char *name = skip_type(open), *equals = strstr(name, " = ");
	if (name == open || !equals)
		return false;
	ret->name = name;
	ret->name_len = (size_t)(equals - name);
	ret->value = equals + 3;
	return true;
}

static bool is_declared(const struct entry *entry, const struct ora_by_hand_question *question)
{
	const char *unit = question->unit ? xs_base_name(question->unit) : NULL;
	if (!entry->file || !question->line)
		return true;
	return entry->line == question->line &&
	       (!unit || (strlen(unit) == entry->file_len &&
				 !strncmp(unit, entry->file, entry->file_len)));
}

/* Whether it is of that variable. A static of a function that is in several units is `f()::var`, by
 * its linkage name. */
static bool is_entry_of(const struct entry *entry, const char *var)
{
	size_t length = strlen(var);
	if (entry->name_len < length ||
		strncmp(entry->name + entry->name_len - length, var, length) != 0)
		return false;
	size_t before = entry->name_len - length;
	return !before || (before > 3 && !strncmp(entry->name + before - 2, "::", 2) &&
				  memchr(entry->name, ')', before));
}

/* The entry of a variable up to the next one's, to be freed. */
static char *entry_text(const char *value)
{
	const char *end = value;
	struct entry entry;
	for (end = next_line(end); end && !parse_entry(end, &entry); end = next_line(end))
		;
	return end ? copy(value, (size_t)(end - value)) : xs_strdup(value);
}

/* What frame variable, target variable and expression say of one. */
static void read_shown(
	const char *text, const struct ora_by_hand_question *question, struct ora_reply *ret)
{
	bool any = false;
	for (const char *line = text; line; line = next_line(line)) {
		struct entry entry;
		if (!parse_entry(line, &entry))
			continue;
		any = true;
		if (!is_declared(&entry, question))
			continue;
		XS_AUTO_FREE char *value = entry_text(entry.value);
		read_value(value, ret);
		return;
	}
	const char *dot = question->path ? strrchr(question->path, '.') : NULL;
	ret->read = true;
	ret->state = any ? ORA_STATE_ABSENT : ORA_STATE_ERROR;
	free(ret->value);
	ret->value = condense(text);
	/* Of a path that it cannot follow lldb may say that there is no such variable. */
	ret->complex = !any && !question->complex && dot &&
		       (!strcmp(dot, ".real") || !strcmp(dot, ".imag"));
	if (strstr(text, "no variable named") || strstr(text, "undeclared identifier") ||
		strstr(text, "can't find global variable") || strstr(text, "is not valid for"))
		ret->state = ORA_STATE_ABSENT;
	else if (strstr(text, "is not a member of") || strstr(text, "requires a process") ||
		 (!any && !strstr(text, "error:")))
		ret->read = false;
	else if (!any && says_gone(text))
		ret->state = ORA_STATE_OPTIMIZED_OUT;
}

/* --- lists ---------------------------------------------------------------------------------- */

/* The value that a line of gdb's list gives a variable; NULL if it is another one's. */
static const char *listed_by_gdb(const char *line, const char *var)
{
	size_t length = strlen(var);
	return !strncmp(line, var, length) && begins(line + length, " = ") ? line + length + 3
									   : NULL;
}

struct listing {
	bool asked;    /* for a list */
	bool refused;  /* nothing was listed, for another reason than that there is nothing */
	size_t count;  /* entries that may be the variable */
	char *first;   /* value of the first of these */
	char *further; /* of the others, a line each */
};

static void take_listed(struct listing *listing, char *value)
{
	if (!listing->count++) {
		listing->first = value;
		return;
	}
	char *longer = xs_asprintf("%s%s\n", listing->further ? listing->further : "", value);
	free(listing->further);
	free(value);
	listing->further = longer;
}

static void read_list(enum ora_witness_kind who, const char *text,
	const struct ora_by_hand_question *question, struct listing *listing)
{
	const char *var = question->var ? question->var : question->path;
	listing->asked = true;
	listing->refused |= begins(text, "No frame") || begins(text, "error:");
	for (const char *line = text; var && line; line = next_line(line)) {
		struct entry entry;
		const char *value = NULL;
		if (who == ORA_WITNESS_GDB) {
			value = listed_by_gdb(line, var);
			if (value)
				take_listed(listing, copy(value, strcspn(value, "\n")));
		} else if (parse_entry(line, &entry) && is_entry_of(&entry, var) &&
			   is_declared(&entry, question)) {
			take_listed(listing, entry_text(entry.value));
		}
	}
}

/* What a list says of a variable that no expression reaches, or that is looked for. */
static void settle_list(
	const struct ora_by_hand_question *question, struct listing *listing, struct ora_reply *ret)
{
	bool scalar = question->path && question->var && !strcmp(question->path, question->var);
	if (!listing->asked || listing->refused ||
		(ret->read && question->state != ORA_STATE_ABSENT && !question->hidden))
		return;
	if (!listing->count) {
		/* What its own path shows is there, whatever the list calls it. */
		if (ret->read && ret->state == ORA_STATE_VALUE && !question->hidden)
			return;
		ret->read = true;
		ret->state = ORA_STATE_ABSENT;
		free(ret->value);
		ret->value = NULL;
	} else if (!ret->read || question->hidden) {
		/* gdb 13 does not say which is which: those behind the first are hidden. */
		const char *value = listing->first;
		if (question->hidden && listing->further)
			value = listing->further;
		XS_AUTO_FREE char *line = copy(value, strcspn(value, "\n"));
		read_value(question->hidden ? line : value, ret);
		if (!scalar && ret->state == ORA_STATE_VALUE)
			free(xs_take(&ret->value)); /* it is there */
	}
}

/* --- lines of source, frames, registers ----------------------------------------------------- */

static void set_value(struct ora_reply *ret, char *value)
{
	free(ret->value);
	ret->value = value;
	ret->read = value != NULL;
	ret->state = ORA_STATE_VALUE;
}

/* `Line 13 of "t.c" starts at ...`, `No line number information available...`. */
static void read_line_gdb(const char *text, struct ora_reply *ret)
{
	unsigned line;
	const char *at = strstr(text, "Line "), *name = at ? strstr(at, " of \"") : NULL;
	if (strstr(text, "No line number information")) {
		set_value(ret, xs_strdup("no row"));
	} else if (name && sscanf(at, "Line %u of", &line) == 1) {
		XS_AUTO_FREE char *file = copy(name + 5, strcspn(name + 5, "\""));
		set_value(ret, xs_asprintf("%s:%u", xs_base_name(file), line));
	}
}

/* `file:line` of `/path/file:line:column` or `/path/file:line`; to be freed, NULL if it is none. */
static char *file_and_line(const char *text, size_t length)
{
	XS_AUTO_FREE char *place = copy(text, length);
	char *last = strrchr(place, ':'), *end;
	if (!last || !isdigit((unsigned char)last[1]))
		return NULL;
	*last = 0;
	char *before = strrchr(place, ':');
	if (before && isdigit((unsigned char)before[1]) && (strtoul(before + 1, &end, 10), !*end))
		return xs_strdup(xs_base_name(place));
	*last = ':';
	return xs_strdup(xs_base_name(place));
}

static void read_line_lldb(const char *text, struct ora_reply *ret)
{
	const char *at = strstr(text, "LineEntry: "), *place = at ? strstr(at, "): ") : NULL;
	if (place) {
		size_t length = strcspn(place + 3, "\r\n");
		char *found = file_and_line(place + 3, length);
		XS_AUTO_FREE char *file = copy(place + 3, length);
		/* Without a line it is line 0. */
		set_value(ret, found ? found : xs_asprintf("%s:0", xs_base_name(file)));
	}
	if (!place && (strstr(text, "Address: ") || !strstr(text, "error:")))
		set_value(ret, xs_strdup("no row"));
}

static void read_register(const char *text, const char *name, struct ora_reply *ret)
{
	const char *at = strstr(text, name), *value = at ? strstr(at, "0x") : NULL;
	if (value)
		set_value(ret, xs_asprintf("0x%llx", strtoull(value, NULL, 16)));
}

/* Behind the name of a function in gdb's `#1  0x... in f (x=1) at t.c:3`; NULL: no frame. */
static const char *frame_gdb(const char *line)
{
	char *end;
	if (*line != '#' || !isdigit((unsigned char)line[1]))
		return NULL;
	strtoul(line + 1, &end, 10);
	end += strspn(end, " ");
	const char *in = strstr(end, " in ");
	return begins(end, "0x") && in ? in + 4 : end;
}

/* Likewise in lldb's `  * frame #1: 0x... t`g [inlined] f(x=1) at t.c:3:4`. */
static const char *frame_lldb(const char *line)
{
	size_t length = strcspn(line, "\n");
	const char *at = memmem(line, length, "frame #", 7);
	const char *tick = at ? memchr(at, '`', length - (size_t)(at - line)) : NULL;
	if (!at)
		return NULL;
	if (!tick)
		return "";
	/* The program's name before it may have such a mark, too. */
	size_t name = strcspn(tick, "(\n");
	tick = memrchr(tick, '`', name);
	const char *inlined = memmem(tick, length - (size_t)(tick - line), " [inlined] ", 11);
	return inlined ? inlined + 11 : tick + 1;
}

void ora_reply_frames(enum ora_witness_kind who, const char *text, struct ora_commands *ret)
{
	for (const char *line = text; line; line = next_line(line)) {
		const char *name = who == ORA_WITNESS_GDB ? frame_gdb(line) : frame_lldb(line);
		if (!name)
			continue;
		size_t length =
			who == ORA_WITNESS_GDB ? strcspn(name, " \n") : strcspn(name, "( \n");
		xs_vec_push(&ret->vec, length && *name != '?' ? copy(name, length) : NULL);
	}
}

/* The functions and, if frame 0 tells it, the line: as compare_control.c writes them. */
static void read_frames(enum ora_witness_kind who, const char *text, struct ora_reply *ret)
{
	struct ora_commands names = {0};
	char *value = NULL;
	size_t size = 0;
	ora_reply_frames(who, text, &names);
	if (!names.vec.len)
		return;
	FILE *out = open_memstream(&value, &size);
	xs_assert(out);
	for (size_t i = 0; i < names.vec.len; i++)
		fprintf(out, "%s%s", i ? " < " : "", names.vec.data[i] ? names.vec.data[i] : "?");
	const char *first = strstr(text, who == ORA_WITNESS_GDB ? "#0 " : "frame #0:");
	size_t length = first ? strcspn(first, "\n") : 0;
	const char *at = NULL;
	for (const char *next = first; next; at = next ? next : at)
		next = memmem(at ? at + 4 : first, length - (size_t)((at ? at + 4 : first) - first),
			" at ", 4);
	if (at) {
		at += 4;
		XS_AUTO_FREE char *place = file_and_line(at, strcspn(at, " \r\n"));
		if (place)
			fprintf(out, " at %s", place);
	}
	xs_assert(!fclose(out));
	ora_commands_deinit(&names);
	set_value(ret, value);
}

/* --- all of it ------------------------------------------------------------------------------ */

/* Which variable a name means, by the line of its declaration. */
static void read_lookup(enum ora_witness_kind who, const char *text,
	const struct ora_by_hand_question *question, struct ora_reply *ret)
{
	if (!question->line)
		return;               /* nothing tells one from the other */
	if (who == ORA_WITNESS_GDB) { /* a number alone, or a complaint that there is no such */
		char *end;
		unsigned long line = strtoul(text, &end, 10);
		bool number = end != text && !*(end + strspn(end, "\r\n "));
		bool none = strstr(text, "NoneType") != NULL;
		if (number || none)
			set_value(ret,
				xs_strdup(number && line == question->line ? "visible" : "hidden"));
		return;
	}
	for (const char *line = text; line; line = next_line(line)) {
		struct entry entry;
		if (parse_entry(line, &entry) && entry.file) {
			set_value(ret,
				xs_strdup(is_declared(&entry, question) ? "visible" : "hidden"));
			return;
		}
	}
	if (strstr(text, "no variable named"))
		set_value(ret, xs_strdup("hidden"));
}

/* The same by the type of the whole, `(int[3]) a = ...`. */
static void read_length(
	const char *text, const struct ora_by_hand_question *question, struct ora_reply *ret)
{
	unsigned long long index = strtoull(strrchr(question->path, '[') + 1, NULL, 10), count;
	struct entry entry = {0};
	const char *line = text;
	while (line && (!parse_entry(line, &entry) || !is_declared(&entry, question)))
		line = next_line(line);
	if (!line) {
		read_shown(text, question, ret);
		return;
	}
	const char *open = memchr(line, '(', (size_t)(entry.name - line));
	const char *bound = open ? memchr(open, '[', (size_t)(entry.name - open)) : NULL;
	if (!bound || sscanf(bound, "[%llu]", &count) != 1)
		return;
	ret->read = true;
	ret->state = index < count ? ORA_STATE_VALUE : ORA_STATE_ABSENT;
}

static void read_one(enum ora_witness_kind who, const struct ora_by_hand_question *question,
	const char *command, const char *text, struct listing *listing, struct ora_reply *ret)
{
	bool gdb = who == ORA_WITNESS_GDB;
	switch (question->aspect) {
	case ORA_ASPECT_LINE:
		(gdb ? read_line_gdb : read_line_lldb)(text, ret);
		return;
	case ORA_ASPECT_REGISTER:
		read_register(text, question->path + (*question->path == '$'), ret);
		return;
	case ORA_ASPECT_LOOKUP:
		if (!is_command(command, "frame select") && !is_command(command, "print"))
			read_lookup(who, text, question, ret);
		return;
	case ORA_ASPECT_VARIABLE:
	case ORA_ASPECT_BUILDS:
		if (!strcmp(command, "info args") || !strcmp(command, "info locals") ||
			!strcmp(command, ORA_LLDB_LIST))
			read_list(who, text, question, listing);
		else if (begins(command, "print sizeof("))
			read_bound(text, question->path, ret);
		else if (is_command(command, "print"))
			read_print(text, ret);
		else if (question->state == ORA_STATE_ABSENT && !question->by_name &&
			 strrchr(question->path, '[') &&
			 (is_command(command, "frame variable") ||
				 is_command(command, "target variable")))
			read_length(text, question, ret);
		else if (is_command(command, "frame variable") ||
			 is_command(command, "target variable") ||
			 is_command(command, "expression"))
			read_shown(text, question, ret);
		return;
	default:
		read_frames(who, text, ret);
		return;
	}
}

/* The lines of a list that are about a variable; everything else as it is. */
static char *words_of(enum ora_witness_kind who, const struct ora_by_hand_question *question,
	const char *command, const char *text)
{
	const char *var = question->var ? question->var : question->path;
	bool list = !strcmp(command, "info args") || !strcmp(command, "info locals") ||
		    !strcmp(command, ORA_LLDB_LIST);
	char *ret = NULL;
	size_t size = 0;
	if (!list || !var)
		return condense(text);
	FILE *out = open_memstream(&ret, &size);
	xs_assert(out);
	for (const char *line = text; line; line = next_line(line)) {
		struct entry entry;
		bool mine = who == ORA_WITNESS_GDB
				    ? listed_by_gdb(line, var) != NULL
				    : parse_entry(line, &entry) && is_entry_of(&entry, var);
		if (mine)
			fprintf(out, "%s%.*s", ftell(out) ? "\n" : "", (int)strcspn(line, "\r\n"),
				line);
	}
	xs_assert(!fclose(out));
	return ret;
}

void ora_reply_read(enum ora_witness_kind who, const struct ora_by_hand_question *question,
	const struct ora_printed *printed, struct ora_reply *ret)
{
	struct listing listing = {0};
	bool refused = false;
	char *words = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&words, &size);
	xs_assert(out);
	*ret = (struct ora_reply){0};
	for (size_t i = 0; i < printed->commands->vec.len; i++) {
		const char *command = printed->commands->vec.data[i];
		const char *text = printed->texts->vec.data[i];
		if (is_command(command, "frame select") ||
			(is_command(command, "frame") && isdigit((unsigned char)command[6]))) {
			/* What follows would be of another frame. */
			refused |= begins(text, "No frame") || begins(text, "error:");
			continue;
		}
		read_one(who, question, command, text, &listing, ret);
		XS_AUTO_FREE char *lines = words_of(who, question, command, text);
		fprintf(out, "%s%s", ftell(out) && *lines ? "\n" : "", lines);
	}
	xs_assert(!fclose(out));
	settle_list(question, &listing, ret);
	/* A member that it does not know may be one that it calls otherwise, unless it shows that
	 * there are none at all. */
	if (question->state == ORA_STATE_ABSENT && listing.count == 1 &&
		begins(listing.first, "{}") && strstr(words, "is not a member of")) {
		ret->read = true;
		ret->state = ORA_STATE_ABSENT;
		free(xs_take(&ret->value));
	}
	ret->read &= !refused && !(listing.refused && question->state == ORA_STATE_ABSENT);
	if (!*words && ret->read && ret->state == ORA_STATE_ABSENT) {
		free(words);
		words = xs_asprintf("%s is not listed", question->var ? question->var : "it");
	}
	ret->words = words;
	free(listing.first);
	free(listing.further);
}

void ora_reply_deinit(struct ora_reply *answer)
{
	free(answer->value);
	free(answer->words);
	*answer = (struct ora_reply){0};
}
