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
	char phase[64];        /* what is being done; "": nobody said */
	double phase_began;    /* when that began, seconds after `began` */
	uint64_t total;        /* stops that there will be in that phase; 0: nobody knows */
};

void cli_progress_init(struct cli_progress *progress, bool quiet);
/* size: bytes written, 0 if that is not known. Writes a few times a second at most. */
void cli_progress_show(
	struct cli_progress *progress, uint64_t steps, uint64_t stops, uint64_t size);
/* What is being done now, and how far it is: done of total, 0: nobody knows. Another phase is shown
 * at once. */
void cli_progress_phase(
	struct cli_progress *progress, const char *phase, uint64_t done, uint64_t total);
/* The same for those who count other things; the time is put behind it. */
void cli_progress_text(struct cli_progress *progress, const char *text);
/* Whether the line is due: asking for the size may cost something. */
bool cli_progress_due(const struct cli_progress *progress);
/* Wipes the line out. */
void cli_progress_end(struct cli_progress *progress);

#endif
