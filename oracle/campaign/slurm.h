/* slurm.h - shards as tasks of Slurm: job arrays, and a job that depends on them and merges.
 *
 * Rules:
 * 1. Slurm is asked by its own commands, as a user would: scontrol, squeue, sbatch.
 * 2. An array has indices 1 to `span`, which MaxArraySize allows. Array number B has the name
 *    `xstep-ID` or, from the second on, `xstep-ID.B`, and does shard B * span + index. ID is a
 *    digest of the folder's path. So the queue says which shards are waiting, whoever submitted
 *    them.
 * 3. That a shard is submitted twice does no harm: it is done once, or twice with the same
 *    result. */
#ifndef ORA_SLURM_H
#define ORA_SLURM_H

#include "oracle/campaign/shards.h"

/* What waits or runs of a campaign. Zero-initialised is empty. */
struct ora_slurm_queue {
	uint64_t span;                    /* indices of an array */
	XS_VEC(uint64_t) waiting, active; /* shards, ascending */
	XS_VEC(char *) jobs;              /* numbers of the arrays that these are of */
	XS_VEC(char *) merges;            /* numbers of jobs that merge */
};

/* Whether there is a Slurm to be asked: sbatch, squeue and scontrol are on PATH. */
bool ora_slurm_is_there(void);
/* An error says what is missing, or what Slurm said. */
XS_MUST_CHECK struct xs_error *ora_slurm_look(
	const struct ora_shards *shards, struct ora_slurm_queue *ret);
void ora_slurm_queue_deinit(struct ora_slurm_queue *queue);

/* What was submitted. Zero-initialised is empty. */
struct ora_slurm_submitted {
	XS_VEC(char *) arrays; /* their numbers */
	uint64_t shards;       /* in them */
	char *merge;           /* number of the job that merges; NULL: none was needed */
};

/* Submits those that are neither done nor in the queue, and then a job that merges: after these,
 * and after those that are in the queue. minutes: that one takes. */
XS_MUST_CHECK struct xs_error *ora_slurm_submit(const struct ora_shards *shards,
	const struct ora_shards_state *state, const struct ora_slurm_queue *queue, double minutes,
	struct ora_slurm_submitted *ret);
void ora_slurm_submitted_deinit(struct ora_slurm_submitted *submitted);

#endif
