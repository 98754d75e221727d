/* xml.h - text in XML. */
#ifndef CLI_XML_H
#define CLI_XML_H

#include <stdio.h>

/* Text as content or in quotes; what XML cannot hold, or a terminal would obey, is escaped as
 * base/shown.h has it. NULL is nothing. */
void cli_xml_text(FILE *out, const char *text);
/* The same, as content of several lines. */
void cli_xml_lines(FILE *out, const char *text);

#endif
