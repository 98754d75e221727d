/* source_lines.h - lines of source files, each file read once. */
#ifndef CLI_SOURCE_LINES_H
#define CLI_SOURCE_LINES_H

#include "base/cleanup.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether a path is one that a source has. Paths come from programs and stores, and lines and whole
 * files go into reports that are sent to others: a key or a list of passwords is not taken along
 * because a line table says that it was compiled. */
bool cli_source_is_named(const char *path);

struct cli_source;

struct cli_source *cli_source_create(void);
/* The same, whose lines keep their tabs. */
struct cli_source *cli_source_create_tabbed(void);
void cli_source_destroy(struct cli_source *source);
/* Line number `line` of the file, without its newline, and with a blank for each tab; NULL if there
 * is no such file or line. Lives as long as the source. */
const char *cli_source_line(struct cli_source *source, const char *path, uint32_t line);

#endif
