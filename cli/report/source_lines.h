/* source_lines.h - lines of source files, each file read once. */
#ifndef CLI_SOURCE_LINES_H
#define CLI_SOURCE_LINES_H

#include "base/cleanup.h"

#include <stdint.h>

struct cli_source;

struct cli_source *cli_source_create(void);
void cli_source_destroy(struct cli_source *source);
/* Line number `line` of the file, without its newline, and with a blank for each tab; NULL if there
 * is no such file or line. Lives as long as the source. */
const char *cli_source_line(struct cli_source *source, const char *path, uint32_t line);

#endif
