/* xml.h - text in XML. */
#ifndef CLI_XML_H
#define CLI_XML_H

#include <stdio.h>

/* Text as content or in quotes; what XML cannot hold becomes `?`. NULL is nothing. */
void cli_xml_text(FILE *out, const char *text);

#endif
