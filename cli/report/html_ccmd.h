/* html_ccmd.h - where -g changes the machine code, as a page to look at (docs/page.md). */
#ifndef CLI_HTML_CCMD_H
#define CLI_HTML_CCMD_H

#include <jansson.h>
#include <stdio.h>

/* report: what `ccmd --format json` prints. */
void cli_html_ccmd(FILE *out, const json_t *report);

#endif
