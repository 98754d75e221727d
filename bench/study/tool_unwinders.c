/* tool_unwinders.c - at every stop of a program: do xstep's unwinder and libunwind agree?
 *
 * Prints each disagreement once per pc, then `STOPS stops, FRAMES frames, N disagreements`.
 * Exit status 0: they agree; 1: they do not; 2: trouble. */
#include <fcntl.h>

#include "dwarf/second.h"
#include "oracle/witness/own/record.h"

struct walk {
	struct di_second *second;
	struct di_stack stack;     /* by xstep */
	struct di_opinion opinion; /* by libunwind */
	struct xs_map told;        /* pcs that were complained about */
	uint64_t frames, sure; /* how many of xstep's there were, and sure ones of libunwind's */
	uint64_t disagreements;
	struct xs_error *err;
};

static bool on_stop(void *context, const struct ora_stop *stop)
{
	struct walk *walk = context;
	char text[512];
	size_t frame;
	if ((walk->err = di_stack_walk(stop->target, &walk->stack)))
		return false;
	di_second_walk(walk->second, stop->target, &walk->opinion);
	walk->frames += walk->stack.frames.len;
	walk->sure += walk->opinion.sure;
	if (di_opinion_agrees(&walk->opinion, &walk->stack, &frame, text, sizeof text))
		return true;
	walk->disagreements++;
	if (!(*xs_map_at(&walk->told, walk->stack.frames.data[0].pc, 0))++)
		printf("stop %" PRIu64 ", 0x%" PRIx64 ": %s\n", stop->number, stop->place->pc,
			text);
	return true;
}

static struct xs_error *run(char **argv, struct walk *walk, struct ora_recording *recording)
{
	struct xs_error *err;
	recording->run = (struct ora_run){.path = argv[0],
		.argv = argv,
		.in = open("/dev/null", O_RDONLY | O_CLOEXEC),
		.out = open("/dev/null", O_WRONLY | O_CLOEXEC),
		.err = STDERR_FILENO,
		.timeout = 600};
	recording->limit = 100000;
	recording->on_stop = on_stop;
	recording->context = walk;
	if ((err = di_second_create(&walk->second)) || (err = ora_run_open(&recording->run)))
		return err;
	err = ora_record(recording);
	return err ? err : xs_take(&walk->err);
}

int main(int argc, char **argv)
{
	struct walk walk = {0};
	struct ora_recording recording = {0};
	if (argc < 2) {
		fprintf(stderr, "usage: tool_unwinders /PROGRAM [ARG...]\n");
		return 2;
	}
	struct xs_error *err = run(argv + 1, &walk, &recording);
	if (err)
		fprintf(stderr, "%s: %s\n", argv[1], err->message);
	printf("%" PRIu64 " stops, %" PRIu64 " frames, %" PRIu64 " of libunwind's by CFI, %" PRIu64
	       " disagreements\n",
		recording.stops, walk.frames, walk.sure, walk.disagreements);
	int status = err ? 2 : walk.disagreements != 0;
	xs_error_destroy(err);
	di_second_destroy(walk.second);
	di_stack_deinit(&walk.stack);
	di_opinion_deinit(&walk.opinion);
	xs_map_deinit(&walk.told);
	ora_run_deinit(&recording.run);
	return status;
}
