/* case_probes.c - whether probes still mean what they say.
 * `DTRACE_PROBE2(xstep, p7__n__2, n, a[1])` names its operands, by the variable or by a number, for
 * which .xstep.probes has the text. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/cause/case.h"

/* The next argument of a macro, without blanks around it; *at is behind it then, at a comma or at
 * the parenthesis. To be freed. */
static char *next_argument(const char **at)
{
	int depth = 0;
	const char *begin = *at + strspn(*at, " \t\n"), *end = begin;
	while (*end && (depth || (*end != ',' && *end != ')'))) {
		depth += *end == '(' || *end == '[';
		depth -= *end == ')' || *end == ']';
		end++;
	}
	*at = end;
	while (end > begin && isspace((unsigned char)end[-1]))
		end--;
	return xs_asprintf("%.*s", (int)(end - begin), begin);
}

/* The text that .xstep.probes has for an operand, counted from 1, of a probe; NULL: none. To be
 * freed. */
static char *indexed(const char *text, const char *probe, unsigned long number)
{
	XS_AUTO_FREE char *word = xs_asprintf("\\\"%s ", probe); /* \"NAME FUNCTION LINE:PATH ... */
	const char *at = strstr(text, word);
	for (unsigned long i = 0; at && i <= number; i++)
		at = strchr(at + (i > 0), ' ');
	at = at ? strchr(at, ':') : NULL;
	return at ? xs_asprintf("%.*s", (int)strcspn(at + 1, " \\\"\n"), at + 1) : NULL;
}

/* A part of the probe's name, and the operand that it is about. */
static bool is_true(const char *text, const char *probe, const char *part, const char *operand)
{
	if (!isdigit((unsigned char)*part))
		return !strcmp(part, operand);
	XS_AUTO_FREE char *path = indexed(text, probe, strtoul(part, NULL, 10));
	return path && !strcmp(path, operand);
}

char *ora_case_false_probe(const char *text)
{
	for (const char *at = text; (at = strstr(at, "DTRACE_PROBE"));) {
		at += strcspn(at, "(;\n");
		if (*at != '(')
			continue;
		at++;
		XS_AUTO_FREE char *provider = next_argument(&at);
		if (strcmp(provider, "xstep") != 0 || *at != ',')
			continue;
		at++;
		XS_AUTO_FREE char *probe = next_argument(&at);
		for (const char *part = strstr(probe, "__"); part;) {
			const char *next = strstr(part + 2, "__");
			XS_AUTO_FREE char *name = xs_asprintf("%.*s",
				(int)(next ? (size_t)(next - part) - 2 : strlen(part + 2)),
				part + 2);
			at += *at == ',';
			XS_AUTO_FREE char *operand = next_argument(&at);
			if (!is_true(text, probe, name, operand))
				return xs_asprintf("probe %s has %s for its operand %s", probe,
					*operand ? operand : "nothing", name);
			part = next;
		}
		if (*at == ',')
			return xs_asprintf("probe %s has more operands than it names", probe);
	}
	return NULL;
}

/* Whether a probe is in a source: its name is there other than as the first word of a string. */
static bool is_there(const char *text, const char *probe, size_t length)
{
	for (const char *at = text; (at = memmem(at, strlen(at), probe, length)); at += length) {
		unsigned char behind = (unsigned char)at[length];
		if (at > text && at[-1] != '"' && !isalnum((unsigned char)at[-1]) &&
			!isalnum(behind) && behind != '_')
			return true;
	}
	return false;
}

/* Of a line of .xstep.probes, the lines of declarations become 0. */
static void forget_lines(char *line)
{
	for (char *at = line; (at = strchr(at, ' '));) {
		size_t digits = strspn(++at, "0123456789");
		if (!digits || at[digits] != ':')
			continue;
		*at = '0';
		memmove(at + 1, at + digits, strlen(at + digits) + 1);
	}
}

char *ora_case_named_probes(const char *text)
{
	static const char entry[] = ".ascii \\\"p";
	char *ret = xs_strdup("");
	for (const char *at = text; *at;) {
		size_t length = strcspn(at, "\n") + 1;
		length -= !at[length - 1];
		XS_AUTO_FREE char *line = xs_asprintf("%.*s", (int)length, at);
		const char *probe = strstr(line, entry);
		at += length;
		if (probe) {
			probe += strlen(entry) - 1;
			if (!is_there(text, probe, strcspn(probe, " ")))
				continue;
			forget_lines(line);
		}
		char *longer = xs_asprintf("%s%s", ret, line);
		free(ret);
		ret = longer;
	}
	return ret;
}
