/* tool_replay.c - makes the mistakes of debuggers on purpose, for tests and tables.
 *
 *     tool_replay [--stdin FILE] PROGRAM [ARG...] < questions
 *
 * A question is a line of words, a tab between them: number, prev, pc, n, scope, variable, path,
 * line of the declaration, global, frame, rank, lookup, nth, frames; `-` for nothing. The answers
 * are lines for each: `N there STATE VALUE` of xstep itself, `N MISTAKE STATE VALUE` for each
 * mistake that says something else, `N route PLACE ARRIVALS STEP`, `N quoted TEXT`,
 * `N leftover REG KNOWN WRITTEN VALUE`. */
#include "oracle/witness/own/replay.h"

#include <fcntl.h>
#include <unistd.h>

static const char *word(char **at)
{
	char *ret = strsep(at, "\t\n");
	return ret && strcmp(ret, "-") != 0 ? ret : NULL;
}

static uint64_t number(char **at, uint64_t otherwise)
{
	const char *text = word(at);
	return text ? strtoull(text, NULL, 0) : otherwise;
}

static struct ora_replay read_question(char *line)
{
	char **at = &line;
	struct ora_replay ret = {.number = number(at, 0), .gdb = true, .lldb = true};
	ret.prev = number(at, XS_ADDR_NONE);
	ret.pc = number(at, 0);
	ret.n = number(at, 0);
	ret.scope = word(at);
	ret.var = word(at);
	ret.path = word(at);
	ret.decl_line = (uint32_t)number(at, 0);
	ret.global = number(at, 0);
	ret.frame = (unsigned)number(at, 0);
	ret.rank = (unsigned)number(at, 0);
	ret.lookup = number(at, 0);
	ret.nth = (unsigned)number(at, 0);
	ret.frames = number(at, 0);
	return ret;
}

static void print_one(size_t i, const char *name, const struct ora_replayed *one)
{
	static const char *const states[] = {"value", "optimized-out", "error", "absent", "cut"};
	printf("%zu\t%s\t%s\t%s\n", i, name, states[one->state], one->value ? one->value : "-");
}

static void print(size_t i, const struct ora_replay *replay)
{
	const struct ora_route *route = &replay->route;
	printf("%zu\troute\t%#" PRIx64 "\t%" PRIu64 "\t%d\n", i,
		route->place == XS_ADDR_NONE ? 0 : route->place, route->arrivals, route->step);
	if (!replay->there)
		return;
	print_one(i, "there", &replay->own);
	for (size_t k = 0; k < replay->made.len; k++)
		print_one(i, di_mistake_text(replay->made.data[k].mistake),
			&replay->made.data[k].said);
	if (replay->explained)
		printf("%zu\tquoted\t%s\n", i, replay->explained);
	if (replay->leftover)
		printf("%zu\tleftover\t%u\t%d\t%d\t%#" PRIx64 "\n", i, replay->leftover_reg,
			replay->leftover_known, replay->leftover_written, replay->leftover_value);
}

int main(int argc, char **argv)
{
	bool reads = argc > 2 && !strcmp(argv[1], "--stdin");
	int in = open(reads ? argv[2] : "/dev/null", O_RDONLY | O_CLOEXEC);
	int out = open("/dev/null", O_WRONLY | O_CLOEXEC);
	argv += 2 * reads;
	argc -= 2 * reads;
	XS_VEC(char *) lines = {0};
	XS_VEC(struct ora_replay) list = {0};
	char *line = NULL;
	size_t size = 0;
	if (argc < 2 || in < 0 || out < 0)
		return 2;
	struct ora_run run = {.path = argv[1], .argv = argv + 1, .in = in, .out = out, .err = 2};
	while (getline(&line, &size, stdin) > 0) {
		xs_vec_push(&lines, xs_strdup(line));
		xs_vec_push(&list, read_question(lines.data[lines.len - 1]));
	}
	struct ora_rerun rerun = {.run = &run, .list = list.data, .count = list.len};
	struct xs_error *err = ora_rerun(&rerun);
	if (err)
		fprintf(stderr, "tool_replay: %s\n", err->message);
	for (size_t i = 0; i < list.len; i++) {
		if (!err)
			print(i, &list.data[i]);
		ora_replay_deinit(&list.data[i]);
		free(lines.data[i]);
	}
	int status = err != NULL;
	xs_error_destroy(err);
	ora_run_deinit(&run);
	close(in);
	close(out);
	xs_vec_deinit(&list);
	xs_vec_deinit(&lines);
	free(line);
	return status;
}
