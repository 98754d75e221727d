#include "cli/report/json.h"

#include <ctype.h>

#include "base/shown.h"
#include "base/utf8.h"
#include "oracle/witness/own/tell.h"

/* How many bytes from text on stand for themselves. */
static size_t plain_length(const char *text)
{
	size_t length = 0;
	while (text[length] >= ' ' && text[length] != '"' && text[length] != '\\' &&
		(unsigned char)text[length] < 0x7f)
		length++;
	return length;
}

/* A character that is not to be seen, by its number. Returns how many bytes it has. */
static size_t put_unseen(FILE *out, const char *text, size_t size)
{
	char escape[XS_SHOWN_MAX];
	int32_t code;
	size_t length = xs_shown_escape(text, size, escape, &code);
	if (code > 0xffff)
		fprintf(out, "\\u%04x\\u%04x", 0xd7c0 + ((unsigned)code >> 10),
			0xdc00 | ((unsigned)code & 0x3ff));
	else if (code >= 0)
		fprintf(out, "\\u%04x", (unsigned)code);
	else
		fprintf(out, "\\udc%02x", (unsigned char)*text); /* Python's surrogateescape */
	return length;
}

void cli_json_part(FILE *out, const char *text)
{
	for (;;) {
		size_t plain = plain_length(text); /* mostly all of it, in one go */
		fwrite(text, 1, plain, out);
		if (!*(text += plain))
			break;
		size_t length = xs_utf8_length(text);
		if (*text == '"' || *text == '\\') {
			fprintf(out, "\\%c", *text);
		} else if (length && xs_shown_plain(text, length) == length) {
			fwrite(text, 1, length, out);
		} else {
			length = put_unseen(out, text, length ? length : 1);
		}
		text += length;
	}
}

void cli_json_string(FILE *out, const char *text)
{
	if (!text) {
		fputs("null", out);
		return;
	}
	putc('"', out);
	cli_json_part(out, text);
	putc('"', out);
}

void cli_json_dump(FILE *out, const json_t *value)
{
	XS_AUTO_FREE char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
	xs_assert(text);
	size_t size = strlen(text);
	/* What is not plain can be nowhere but in a string. */
	for (size_t at = 0; at < size;) {
		size_t plain = xs_shown_plain(text + at, size - at);
		fwrite(text + at, 1, plain, out);
		if ((at += plain) < size)
			at += put_unseen(out, text + at, size - at);
	}
	putc('\n', out);
}

void cli_json_key(FILE *out, const char *key, const char *text)
{
	fputs(",\"", out);
	cli_json_part(out, key);
	fputs("\":", out);
	cli_json_string(out, text);
}

void cli_json_told(FILE *out, const struct ora_told_fact *fact, const char *symbol, bool foreign)
{
	const struct ora_store_variable *variable = fact->variable;
	fputs("{\"path\":", out);
	cli_json_string(out, fact->path);
	cli_json_key(out, "var", variable->name);
	fputs(",\"decl\":{\"file\":", out);
	cli_json_string(out, variable->file);
	fprintf(out, ",\"line\":%u}", variable->line);
	if (foreign)
		cli_json_key(out, "unit", variable->unit);
	cli_json_key(out, "scope", variable->scope);
	fprintf(out, ",\"frame\":%u", fact->frame);
	if (foreign)
		fprintf(out, ",\"depth\":%u", fact->depth);
	fprintf(out, ",\"shadowed\":%s,\"declared\":%s", fact->shadowed ? "true" : "false",
		fact->undeclared ? "false" : "true");
	cli_json_key(out, "type", fact->type);
	cli_json_key(out, "state", ora_state_text(fact->state));
	cli_json_key(out, "value", fact->value);
	if (foreign && fact->nth)
		fprintf(out, ",\"nth\":%u", fact->nth);
	if (fact->enumerator)
		cli_json_key(out, "enumerator", fact->enumerator);
	if (symbol)
		cli_json_key(out, "symbol", symbol);
	cli_json_key(out, "message", fact->message);
	putc('}', out);
}

void cli_json_fact(FILE *out, const struct ora_fact *fact, const char *symbol)
{
	struct ora_store_variable variable = ora_variable_of(fact->variable);
	struct ora_told_fact told = ora_told_of(fact, &variable);
	cli_json_told(out, &told, symbol, false);
}

void cli_json_uri(FILE *out, const char *path)
{
	size_t first = strcspn(path, "/");
	/* `x:y` would be a scheme. */
	fputs(memchr(path, ':', first) ? "\"./" : "\"", out);
	for (; *path; path++) {
		unsigned char byte = (unsigned char)*path;
		if (byte < 0x80 && (isalnum(byte) || strchr("-._~/", byte)))
			putc(byte, out);
		else
			fprintf(out, "%%%02X", byte);
	}
	putc('"', out);
}
