#include "cli/report/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "cli/report/columns.h"

#define PAUSE 0.2 /* seconds between two lines */
#define SOON  2.0 /* seconds before anything can be foretold, */
#define FEW   10  /* and things done by then */

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

/* A line that is longer than the terminal could not be wiped again: it is cut. */
static void put_line(const struct cli_progress *progress, const char *text)
{
	struct winsize size = {0};
	ioctl(STDERR_FILENO, TIOCGWINSZ, &size);
	fputc('\r', stderr);
	cli_columns_print(stderr, size.ws_col > 1 ? size.ws_col - 1U : CLI_COLUMNS, "%s, %.0f s",
		text, progress->last);
	fputs("\033[K", stderr);
	fflush(stderr);
}

/* Writes the line in one piece: what is being done, how far that is, how long the phase will still
 * take if that can be known, and how long everything took. */
static void write_line(struct cli_progress *progress, const char *text, uint64_t done)
{
	char left[48] = "";
	progress->last = elapsed(progress);
	progress->shown = true;
	double took = progress->last - progress->phase_began;
	if (done >= FEW && progress->total > done && took >= SOON)
		snprintf(left, sizeof left, ", about %.0f s left",
			took * (double)(progress->total - done) / (double)done);
	XS_AUTO_FREE char *line = xs_asprintf(
		"%s%s%s%s", progress->phase, *progress->phase && *text ? ": " : "", text, left);
	put_line(progress, line);
}

void cli_progress_show(struct cli_progress *progress, uint64_t steps, uint64_t stops, uint64_t size)
{
	if (!progress->on)
		return;
	double took = elapsed(progress) - progress->phase_began;
	char kept[48] = "";
	if (size)
		snprintf(kept, sizeof kept, ", %" PRIu64 " KiB", size / 1024);
	XS_AUTO_FREE char *text =
		xs_asprintf("%" PRIu64 " steps, %" PRIu64 " stops kept, %.0f steps/s%s", steps,
			stops, took > 0 ? (double)steps / took : 0.0, kept);
	write_line(progress, text, stops);
}

void cli_progress_phase(
	struct cli_progress *progress, const char *phase, uint64_t done, uint64_t total)
{
	char text[64] = "";
	bool other = strcmp(progress->phase, phase) != 0;
	if (!progress->on || (!other && !cli_progress_due(progress)))
		return;
	if (other) {
		snprintf(progress->phase, sizeof progress->phase, "%s", phase);
		progress->phase_began = elapsed(progress);
	}
	progress->total = total;
	if (total)
		snprintf(text, sizeof text, "%" PRIu64 " of %" PRIu64, done, total);
	else if (done)
		snprintf(text, sizeof text, "%" PRIu64, done);
	write_line(progress, text, done);
}

void cli_progress_text(struct cli_progress *progress, const char *text)
{
	if (!progress->on)
		return;
	progress->last = elapsed(progress);
	progress->shown = true;
	put_line(progress, text);
}

void cli_progress_end(struct cli_progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
	progress->shown = false;
}
