/* progress.h - a line on the terminal that says how far things are. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct cli_progress {
	bool on;               /* stderr is a terminal, and nobody minds */
	bool shown;            /* there is a line to be wiped out */
	struct timespec began; /* when it was made */
	double last;           /* seconds after that: when the line was last written */
};

void cli_progress_init(struct cli_progress *progress, bool quiet);
/* size: bytes written, 0 if that is not known. Writes a few times a second at most. */
void cli_progress_show(
	struct cli_progress *progress, uint64_t steps, uint64_t stops, uint64_t size);
/* The same for those who count other things; the time is put behind it. */
void cli_progress_text(struct cli_progress *progress, const char *text);
/* Whether the line is due: asking for the size may cost something. */
bool cli_progress_due(const struct cli_progress *progress);
/* Wipes the line out. */
void cli_progress_end(struct cli_progress *progress);

#endif
