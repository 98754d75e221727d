#include "cli/report/xml.h"

void cli_xml_text(FILE *out, const char *text)
{
	for (const char *at = text ? text : ""; *at; at++) {
		const char *entity = *at == '&'   ? "&amp;"
				     : *at == '<' ? "&lt;"
				     : *at == '>' ? "&gt;"
				     : *at == '"' ? "&quot;"
						  : NULL;
		if (entity)
			fputs(entity, out);
		else
			putc((unsigned char)*at < ' ' && *at != '\n' && *at != '\t' ? '?' : *at,
				out);
	}
}
