/* reproduce_tool.c - for by_hand_test.py: compares a program, then asks plain debuggers again
 * whatever their witnesses said at each difference, right or wrong.
 *
 *     reproduce_tool [--first] [--in FILE] PROGRAM [ARG...]
 *
 * --first: only at the first of each cluster.
 *
 * A line each: who, how it ended, what, what was said, what is said now, and the line for a shell;
 * last the time that each debugger took. */
#include <stdio.h>

#include "oracle/session/comparing.h"
#include "oracle/session/reproduce.h"
#include "oracle/session/witnesses.h"

static void print_text(const char *text)
{
	for (; *text; text++)
		fputs(*text == '\n' ? "\\n" : *text == '\t' ? " " : (char[]){*text, 0}, stdout);
	putchar('\t');
}

static void print_one(const struct ora_reproducing *all, const struct ora_reproduction *one,
	const char *who, const char *in)
{
	const struct ora_difference *difference = one->difference;
	const struct ora_said *said = &difference->said[one->w];
	const struct ora_by_hand session = {.who = all->debugger->kind,
		.debugger = all->debugger->path,
		.run = all->run,
		.route = one->route,
		.in = in};
	XS_AUTO_FREE char *line = one->again == ORA_AGAIN_NOT_ASKED
					  ? xs_strdup("-")
					  : ora_by_hand_line(&session, &one->question);
	printf("%s\t%s%s\t%s %s at 0x%" PRIx64 "\t%s\t", who, ora_again_text(one->again),
		one->cleared ? ", cleared" : "", ora_aspect_text(difference->aspect),
		difference->path ? difference->path : "-", difference->pc,
		ora_state_text(said->state));
	print_text(said->value ? said->value : said->message ? said->message : "-");
	print_text(one->words ? one->words : "-");
	print_text(line);
	putchar('\n');
}

static struct xs_error *reproduce(struct ora_comparing *comparing, struct ora_run *run,
	const struct ora_route *routes, const bool *wanted, enum ora_witness_kind kind,
	const char *in)
{
	const struct ora_verdicts *verdicts = &comparing->verdicts;
	struct ora_witness witness = {0};
	struct ora_reproducing all = {.run = run, .debugger = &witness, .in = in};
	struct xs_error *err = ora_witness_named(ora_witness_name(kind), NULL, &witness);
	for (size_t i = 0; !err && i < verdicts->findings.len; i++)
		for (size_t w = 1; w < comparing->count; w++) {
			struct ora_reproduction one = {
				.difference = verdicts->findings.data[i].difference,
				.w = w,
				.route = &routes[i],
				.by_name = ora_witness_is_by_name(verdicts->witnesses[w])};
			if (wanted[i] && ora_witness_is(verdicts->witnesses[w], kind) &&
				one.difference->said[w].heard)
				xs_vec_push(&all.asked, one);
		}
	if (!err)
		err = ora_reproduce(&all);
	for (size_t i = 0; !err && i < all.asked.len; i++)
		print_one(&all, &all.asked.data[i], verdicts->witnesses[all.asked.data[i].w], in);
	if (!err)
		printf("%s\ttook %.2f s for %zu questions in %zu runs%s%s\n",
			ora_witness_name(kind), all.seconds, all.asked.len, all.runs,
			all.trouble ? "; " : "", all.trouble ? all.trouble : "");
	ora_reproducing_deinit(&all);
	ora_witness_deinit(&witness);
	return err;
}

int main(int argc, char **argv)
{
	struct ora_comparing comparing = {.hearing = ORA_HEARING_INIT};
	struct ora_program program = {.in = "/dev/null", .out = "/dev/null"};
	struct ora_run run = {0};
	struct xs_error *err;
	const char *in = NULL;
	bool first = argc > 1 && !strcmp(argv[1], "--first");
	argc -= first;
	argv += first;
	if (argc > 2 && !strcmp(argv[1], "--in")) {
		in = program.in = argv[2];
		argv += 2;
	}
	comparing.hearing.program = program;
	comparing.hearing.witness = "xstep,gdb,lldb";
	comparing.hearing.frames = true;
	err = ora_comparing_program(&comparing, argv + 1);
	size_t count = comparing.verdicts.findings.len;
	struct ora_route *routes = xs_calloc(count + 1, sizeof *routes);
	bool *wanted = xs_calloc(count + 1, sizeof *wanted);
	memset(wanted, !first, count);
	for (size_t i = 0; first && i < comparing.verdicts.clusters.len; i++)
		wanted[comparing.verdicts.clusters.data[i].first] = true;
	uint64_t *numbers = xs_calloc(count + 1, sizeof *numbers);
	for (size_t i = 0; i < count; i++)
		numbers[i] = comparing.verdicts.findings.data[i].difference->number;
	if (!err && !(err = ora_program_prepare(&program, argv + 1, &run)))
		err = ora_routes_find(&run, NULL, numbers, count, routes);
	if (!err)
		err = reproduce(&comparing, &run, routes, wanted, ORA_WITNESS_GDB, in);
	if (!err)
		err = reproduce(&comparing, &run, routes, wanted, ORA_WITNESS_LLDB, in);
	if (err)
		fprintf(stderr, "reproduce_tool: %s\n", err->message);
	int status = err != NULL;
	xs_error_destroy(err);
	free(routes);
	free(wanted);
	free(numbers);
	ora_run_deinit(&run);
	ora_program_deinit(&program);
	ora_comparing_deinit(&comparing);
	return status;
}
