#include "cli/report/json.h"

#include "base/utf8.h"
#include "oracle/witness/own/tell.h"

/* How many bytes from text on stand for themselves. */
static size_t plain_length(const char *text)
{
	size_t length = 0;
	while (text[length] >= ' ' && text[length] != '"' && text[length] != '\\' &&
		(unsigned char)text[length] < 0x80)
		length++;
	return length;
}

void cli_json_string(FILE *out, const char *text)
{
	if (!text) {
		fputs("null", out);
		return;
	}
	putc('"', out);
	for (;;) {
		size_t plain = plain_length(text); /* mostly all of it, in one go */
		fwrite(text, 1, plain, out);
		if (!*(text += plain))
			break;
		unsigned char byte = (unsigned char)*text;
		unsigned length = xs_utf8_length(text);
		if (byte == '"' || byte == '\\')
			fprintf(out, "\\%c", byte);
		else if (byte < ' ')
			fprintf(out, "\\u%04x", byte);
		else if (length)
			fwrite(text, 1, length, out);
		else
			fprintf(out, "\\udc%02x", byte); /* as Python's surrogateescape has it */
		text += length ? length : 1;
	}
	putc('"', out);
}

void cli_json_key(FILE *out, const char *key, const char *text)
{
	fputs(",\"", out);
	fputs(key, out);
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
