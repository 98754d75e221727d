#include "cli/report/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#define PAUSE 0.2 /* seconds between two lines */

static double elapsed(const struct cli_progress *progress)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - progress->began.tv_sec) +
	       (double)(now.tv_nsec - progress->began.tv_nsec) / 1e9;
}

void cli_progress_init(struct cli_progress *progress, bool quiet)
{
	*progress = (struct cli_progress){.on = !quiet && isatty(STDERR_FILENO)};
	clock_gettime(CLOCK_MONOTONIC, &progress->began);
}

bool cli_progress_due(const struct cli_progress *progress)
{
	return progress->on && elapsed(progress) - progress->last >= PAUSE;
}

void cli_progress_show(struct cli_progress *progress, uint64_t steps, uint64_t stops, uint64_t size)
{
	if (!progress->on)
		return;
	double seconds = elapsed(progress);
	progress->last = seconds;
	progress->shown = true;
	fprintf(stderr, "\r%" PRIu64 " steps, %" PRIu64 " stops kept, %.0f steps/s", steps, stops,
		seconds > 0 ? (double)steps / seconds : 0.0);
	if (size)
		fprintf(stderr, ", %" PRIu64 " KiB", size / 1024);
	fprintf(stderr, ", %.0f s\033[K", seconds);
	fflush(stderr);
}

void cli_progress_text(struct cli_progress *progress, const char *text)
{
	if (!progress->on)
		return;
	progress->last = elapsed(progress);
	progress->shown = true;
	fprintf(stderr, "\r%s, %.0f s\033[K", text, progress->last);
	fflush(stderr);
}

void cli_progress_end(struct cli_progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
	progress->shown = false;
}
