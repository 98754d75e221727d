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
