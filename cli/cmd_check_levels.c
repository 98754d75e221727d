/* cmd_check_levels.c - xstep check levels: one program stepped by line, by instruction, by
 * breakpoints. */
#include "base/path.h"
#include "cli/check.h"
#include "cli/commands.h"
#include "dwarf/arrival.h"

struct options {
	struct cli_check check;
	bool no_stmt, no_break;
	uint64_t random_starts, seed;
};

static const struct cli_option options[] = {
	{"What to check", "from", 0, CLI_STRING, "PLACE",
		"begin at the first call of a FUNCTION, or where FILE:LINE is first arrived at, "
		"and "
		"end when that call returns (main)",
		offsetof(struct options, check.record.from)},
	{"What to check", "random-starts", 0, CLI_COUNT, "N",
		"begin at N more lines as well, chosen among those that are stepped on",
		offsetof(struct options, random_starts)},
	{"What to check", "seed", 0, CLI_NUMBER, "N", "which lines those are (0)",
		offsetof(struct options, seed)},
	{"What to check", "no-break", 0, CLI_FLAG, NULL, "do without breakpoints on every line",
		offsetof(struct options, no_break)},
	{"What to check", "no-stmt", 0, CLI_FLAG, NULL,
		"R1: list lines that no row with is_stmt names, too (they are counted)",
		offsetof(struct options, no_stmt)},
	{"What to check", "trace", 0, CLI_STRINGS, "N",
		"of FILE.db: the traces by line, by instruction and by breakpoints (without these, "
		"with --no-break); more of other witnesses may follow",
		offsetof(struct options, check.traces)},
	CLI_CHECK_WITNESS_OPTIONS(struct options, check),
	CLI_PROGRAM_OPTIONS(struct options, check.record.program),
	CLI_CHECK_STORE_OPTIONS(struct options, check),
	CLI_CHECK_FINDING_OPTIONS(struct options, check),
	{0},
};

static const char details[] =
	"Steps through a program by line (all steps are kept), by instruction (the first of each "
	"transition\n"
	"at least) and from one breakpoint on a line to the next, by each witness, and compares "
	"what that\n"
	"witness says. Relations, as the DEVIL paper has them:\n"
	"  R1  a line is hit by line steps if and only if it is hit by instruction steps: "
	"line-only;\n"
	"      instruction-only, although a row of it with is_stmt was executed; break-only, "
	"no-break: by\n"
	"      breakpoints alone, or not at all; more-hits: a place more often than it was "
	"executed\n"
	"  R2  lines are hit first in the same order\n"
	"  R3  at the first line step on a line, values are those of the first arrival at that pc\n"
	"Steps begin at main, at --from, and with --random-starts at other lines as well: what is "
	"found from\n"
	"several of them is one violation.\n"
	"Who is wrong: see xstep check opt --help. JSON likewise; facts are by label (`gdb line`,\n"
	"`gdb instruction`, `gdb break`).\n"
	"\n"
	"Exit status: 0 no violation, 1 some, 2 trouble.\n";

static const struct cli_check_need needs[] = {
	{"line", ORA_LEVEL_LINE, CLI_SAMPLE_ALL},
	{"instruction", ORA_LEVEL_INSTRUCTION, CLI_SAMPLE_DTD},
	{"break", ORA_LEVEL_BREAK, CLI_SAMPLE_ALL},
};

/* --- starts ----------------------------------------------------------------------------------- */

struct starts {
	XS_VEC(char *) vec; /* FILE:LINE */
};

static void starts_deinit(struct starts *starts)
{
	for (size_t i = 0; i < starts->vec.len; i++)
		free(starts->vec.data[i]);
	xs_vec_deinit(&starts->vec);
}

/* Whether a program that arrives at a line may do so at an address. */
static bool is_arrival(
	const struct di_module *module, const char *file, uint32_t line, xs_addr address)
{
	struct di_arrivals arrivals;
	di_arrivals_find(module, file, line, &arrivals);
	bool ret = xs_ranges_find(&arrivals.addresses, address) != NULL;
	di_arrivals_deinit(&arrivals);
	return ret;
}

/* All lines that the first witness stepped on, but for the first. */
static struct xs_error *list_starts(const struct cli_check *check, uint64_t trace,
	const struct di_module *module, struct starts *ret)
{
	XS_AUTO(ora_store) store = NULL;
	struct xs_map seen = {0};
	struct xs_error *err = ora_store_open(check->path, ORA_STORE_READ, &store);
	if (err)
		return err;
	struct ora_scene scene = {.store = store, .trace = trace};
	while (!(err = ora_scene_next(&scene)) && scene.told) {
		if (scene.told->number == 1 || scene.told->place->module || !scene.line ||
			!scene.file)
			continue;
		uint64_t *known = xs_map_at(&seen, xs_hash_text(0, scene.file), scene.line);
		if (!*known &&
			is_arrival(module, scene.file, scene.line, scene.told->place->address))
			xs_vec_push(&ret->vec, xs_asprintf("%s:%u", scene.file, scene.line));
		*known = 1;
	}
	ora_scene_deinit(&scene);
	xs_map_deinit(&seen);
	return err;
}

/* Leaves N of them, the same for the same seed. */
static struct xs_error *choose_starts(const struct options *values, struct starts *ret)
{
	const struct cli_check *check = &values->check;
	const struct ora_trace_info *info = NULL;
	for (size_t i = 0; !info && i < check->list.vec.len && check->found.len; i++)
		if (check->list.vec.data[i].id == check->found.data[0].id)
			info = &check->list.vec.data[i];
	if (!info)
		return xs_error_create("no witness told anything");
	struct di_module *module = NULL;
	struct xs_error *err = di_module_open(info->subject.path, &module);
	if (!err)
		err = list_starts(check, info->id, module, ret);
	di_module_destroy(module);
	for (size_t i = 0; i < ret->vec.len && i < values->random_starts; i++) {
		size_t other = i + xs_mix(values->seed ^ xs_mix(i)) % (ret->vec.len - i);
		char *text = ret->vec.data[i];
		ret->vec.data[i] = ret->vec.data[other];
		ret->vec.data[other] = text;
	}
	while (ret->vec.len > values->random_starts)
		free(ret->vec.data[--ret->vec.len]);
	return err;
}

/* Records from each of them, as programs 1, 2, ... */
static struct xs_error *trace_starts(
	struct options *values, char **argv, size_t count, struct starts *starts)
{
	struct cli_check *check = &values->check;
	struct xs_error *err = values->random_starts ? choose_starts(values, starts) : NULL;
	for (size_t i = 0; !err && i < starts->vec.len; i++) {
		check->record.from = starts->vec.data[i];
		check->program = i + 1;
		err = cli_check_trace(check, argv, needs, count);
	}
	check->program = 0;
	return err;
}

/* Checks what was recorded from each. */
static struct xs_error *check_starts(struct cli_check *check, size_t count,
	struct ora_check_levels *levels, const struct starts *starts)
{
	struct xs_error *err = NULL;
	for (size_t i = 0; !err && i < starts->vec.len; i++) {
		bool whole;
		if ((err = cli_check_turn(check, needs, count, i + 1, &whole)))
			return err;
		check->check.start = xs_base_name(starts->vec.data[i]);
		if (whole)
			err = ora_check_levels(levels);
		else
			fprintf(stderr, "xstep: %s: left out\n", check->check.start);
	}
	return err;
}

static int cmd_check_levels(int argc, char **argv)
{
	struct options values = {.check = CLI_CHECK_INIT};
	struct cli_check *check = &values.check;
	struct ora_check_levels levels = {.check = &check->check};
	struct starts starts = {0};
	int first = 0;
	bool help = false, found = false;
	struct xs_error *err = cli_parse(&cli_check_levels, argc, argv, &values, &first, &help);
	size_t count = values.no_break ? 2 : 3;
	if (!err && help) {
		cli_print_help(&cli_check_levels, stdout);
		return cli_check_end(check, NULL, false);
	}
	if (!err && first >= argc)
		err = xs_error_create(
			"check levels: no program or trace store; see xstep check levels "
			"--help");
	else if (!err && ora_store_is_meant(argv[first]) && values.random_starts)
		err = xs_error_create("--random-starts: it takes a program, not a trace store");
	else if (!err && ora_store_is_meant(argv[first]))
		err = cli_check_named(check, argv[first], needs, count);
	else if (!err && check->traces.vec.len)
		err = xs_error_create("--trace: it takes a trace store, not a program");
	else if (!err && values.random_starts && check->report)
		err = xs_error_create(
			"--report: not with --random-starts; begin at one of them, --from");
	else if (!err && !(err = cli_check_trace(check, argv + first, needs, count))) {
		cli_check_words(check, "levels");
		cli_check_word(check, values.no_break ? "--no-break" : NULL);
		cli_check_word(check, values.no_stmt ? "--no-stmt" : NULL);
		cli_check_subject(check, argv + first);
		err = trace_starts(&values, argv + first, count, &starts);
	}
	levels.no_stmt = values.no_stmt;
	if (!err && !(err = cli_check_begin(check, needs, count, "line")) &&
		!(err = ora_check_levels(&levels)) &&
		!(err = check_starts(check, count, &levels, &starts))) {
		XS_AUTO_FREE char *headline =
			xs_asprintf("%s: %" PRIu64 " lines stepped on; %" PRIu64
				    " without a statement set aside%s",
				xs_base_name(check->check.subject), levels.steps, levels.set_aside,
				starts.vec.len ? "; all starts together" : "");
		err = cli_check_print(check, "check levels", headline, &found);
	}
	starts_deinit(&starts);
	return cli_check_end(check, err, found);
}

const struct cli_command cli_check_levels = {
	.name = "check levels",
	.operands = "PROGRAM [ARG...] | FILE.db",
	.summary = "One program by line, by instruction and by breakpoints: lines, order, values",
	.details = details,
	.options = options,
	.run = cmd_check_levels,
};
