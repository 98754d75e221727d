/* pace.h - how long the rest of a campaign will take, by what was done in this run.
 *
 * Programs that are still to be made take as long as those that were made, as many of them are
 * kept, and each of these has as many jobs. Jobs take as long as those that were done. Workers
 * share all of that. */
#ifndef ORA_PACE_H
#define ORA_PACE_H

#include <stdbool.h>
#include <stdint.h>

/* Zero-initialised is the beginning. */
struct ora_pace {
	uint64_t programs, kept; /* made; and of these fit to be asked about */
	uint64_t brought;        /* jobs of these, to be done */
	uint64_t builds;         /* of these */
	uint64_t jobs;           /* done */
	double making, working;  /* seconds of workers: for programs, and for jobs */
};

/* Seconds until all is done; less than 0: nobody can know that yet. */
double ora_pace_left(
	const struct ora_pace *pace, double programs_left, double jobs_left, uint64_t workers);

#endif
