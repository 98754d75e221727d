/* cmd_quote.c - xstep quote: the commands that make gdb and lldb say again what a store says of
 * them. */
#include <inttypes.h>
#include <jansson.h>

#include "cli/commands.h"
#include "cli/program.h"
#include "oracle/route.h"
#include "oracle/store.h"

struct options {
	struct cli_program program; /* surroundings, as for the trace */
	uint64_t trace, at;         /* see the table */
	const char *var, *by;
};

#define FIELD(name) offsetof(struct options, name)

static const struct cli_option options[] = {
	{"Which fact", "trace", 0, CLI_COUNT, "N", "of that trace (1)", FIELD(trace)},
	{"Which fact", "at", 0, CLI_COUNT, "N", "at the stop of that number (1)", FIELD(at)},
	{"Which fact", "var", 0, CLI_STRING, "PATH",
		"of that leaf, as the trace names it, in the innermost frame that has it (all that "
		"is visible)",
		FIELD(var)},
	{"Which fact", "by", 0, CLI_STRING, "gdb|lldb", "commands for that one only (both)",
		FIELD(by)},
	CLI_PROGRAM_OPTIONS(struct options, program),
	{0},
};

static const char details[] =
	"Runs the program once to count arrivals, then prints commands to be pasted into a shell "
	"and "
	"the\n"
	"debugger: they take a person to the stop and print the variable. Integers and pointers "
	"come "
	"out\n"
	"as the store has them; floats in the debugger's own digits. A comment says what the trace "
	"says.\n"
	"\n"
	"Exit status: 0 quoted, 2 trouble.\n";

/* What the trace says of the leaf. */
struct fact {
	const char *path;
	bool found, file_scope;
	unsigned depth; /* of its frame, from the outermost */
	unsigned frame; /* that it is seen from */
	enum ora_state state;
	char *value, *type;
};

struct search {
	struct fact *fact;
	unsigned frames; /* at the stop */
};

static void on_fact(void *arg, const struct ora_told_fact *told)
{
	struct search *search = arg;
	struct fact *fact = search->fact;
	/* Of several the one that a debugger means by that name: of the innermost frame. */
	if (strcmp(told->path, fact->path) ||
		(fact->found && (told->shadowed || told->depth <= fact->depth)))
		return;
	free(fact->value);
	free(fact->type);
	*fact = (struct fact){.path = fact->path,
		.found = true,
		.depth = told->depth,
		.file_scope = !told->depth,
		.frame = told->depth ? search->frames - told->depth : 0,
		.state = told->state,
		.value = told->value ? xs_strdup(told->value) : NULL,
		.type = told->type ? xs_strdup(told->type) : NULL};
}

static void on_reg(void *arg, const struct ora_told_reg *reg)
{
	(void)arg, (void)reg;
}

static struct xs_error *find_fact(
	struct ora_store *store, uint64_t trace, uint64_t number, struct fact *fact)
{
	XS_AUTO(ora_reader) reader = NULL;
	const struct ora_told *told = NULL;
	struct xs_error *err = ora_reader_create(store, trace, &reader);
	while (!err && !(err = ora_reader_next(reader, &told)) && told && told->number < number)
		;
	if (err)
		return err;
	if (!told || told->number != number)
		return xs_error_create("trace %" PRIu64 " keeps no stop %" PRIu64, trace, number);
	if (!fact->path)
		return NULL;
	struct search search = {.fact = fact, .frames = told->frame_count};
	ora_reader_state(reader, on_fact, on_reg, &search);
	return fact->found ? NULL
			   : xs_error_create("trace %" PRIu64 " lists no '%s' at stop %" PRIu64,
				     trace, fact->path, number);
}

static bool is_integer(const char *value)
{
	value += *value == '-';
	return *value && strspn(value, "0123456789") == strlen(value) && strlen(value) <= 20;
}

static bool is_float(const struct fact *fact)
{
	return fact->type && (strstr(fact->type, "float") || strstr(fact->type, "double") ||
				     strstr(fact->type, "Float"));
}

static void print_gdb(const struct ora_run *run, const struct ora_route *route, struct fact *fact)
{
	printf("gdb -nx -nh -q %s\n"
	       "set confirm off\nset startup-with-shell off\nset disable-randomization on\n"
	       "set debuginfod enabled off\nunset environment\n",
		run->path);
	for (char *const *each = run->environment; *each; each++)
		printf("set environment %s\n", *each);
	if (run->argv[1]) {
		printf("set args");
		for (char *const *word = run->argv + 1; *word; word++)
			printf(" %s", *word);
		putchar('\n');
	}
	printf("handle all nostop noprint pass\nset backtrace past-main on\nstarti\n"
	       "tbreak *0x%" PRIx64 "\ncontinue\n",
		route->entry);
	if (route->place != XS_ADDR_NONE)
		printf("break *0x%" PRIx64 "\nignore $bpnum %" PRIu64 "\ncontinue\n", route->place,
			route->arrivals - 1);
	if (route->step)
		puts("stepi");
	if (!fact->path) {
		puts("info args\ninfo locals");
		return;
	}
	if (fact->frame)
		printf("frame %u\n", fact->frame);
	const char *value = fact->state == ORA_STATE_VALUE ? fact->value : NULL;
	if (value && !strncmp(value, "0x", 2))
		printf("print/x (unsigned long)%s\n", fact->path);
	else if (value && is_integer(value) && !is_float(fact))
		printf("print (%s)%s\n", *value == '-' ? "long long" : "unsigned long long",
			fact->path);
	else
		printf("print %s\n", fact->path);
}

static void print_lldb(const struct ora_run *run, const struct ora_route *route, struct fact *fact)
{
	printf("lldb --no-lldbinit %s\nsettings set target.inherit-env false\n"
	       "process launch --stop-at-entry",
		run->path);
	for (char *const *each = run->environment; *each; each++)
		printf(" -E %s", *each);
	printf(" --");
	for (char *const *word = run->argv + 1; *word; word++)
		printf(" %s", *word);
	printf("\nbreakpoint set --one-shot true --address 0x%" PRIx64 "\nprocess continue\n",
		route->entry);
	if (route->place != XS_ADDR_NONE)
		printf("breakpoint set --address 0x%" PRIx64 " --ignore-count %" PRIu64
		       "\nprocess continue\n",
			route->place, route->arrivals - 1);
	if (route->step)
		puts("thread step-inst");
	const char *command = fact->file_scope ? "target variable" : "frame variable";
	if (!fact->path) {
		puts("frame variable");
		return;
	}
	if (fact->frame)
		printf("frame select %u\n", fact->frame);
	const char *value = fact->state == ORA_STATE_VALUE ? fact->value : NULL;
	if (value && !strncmp(value, "0x", 2))
		printf("%s --format x %s\n", command, fact->path);
	else if (value && is_integer(value) && !is_float(fact))
		printf("%s --format %s %s\n", command, *value == '-' ? "d" : "u", fact->path);
	else
		printf("%s %s\n", command, fact->path);
}

/* The words of the traced program, up to NULL; both to be freed by their owner, the array. */
static char **words_of(json_t *array)
{
	char **words = xs_calloc(json_array_size(array) + 1, sizeof *words);
	for (size_t i = 0; i < json_array_size(array); i++)
		words[i] = (char *)(uintptr_t)json_string_value(json_array_get(array, i));
	return words;
}

static struct xs_error *quote(
	struct options *values, struct ora_store *store, const struct ora_trace_info *trace)
{
	struct fact fact = {.path = values->var};
	struct ora_route route;
	struct ora_run run = {0};
	json_t *array = json_loads(trace->trace.arguments, 0, NULL);
	if (!json_array_size(array)) {
		json_decref(array);
		return xs_error_create("trace %" PRIu64 " does not say what was run", trace->id);
	}
	char **argv = words_of(array);
	struct xs_error *err = find_fact(store, trace->id, values->at, &fact);
	const char *nothing = "/dev/null";
	values->program.out = values->program.out ? values->program.out : nothing;
	if (!err && !(err = cli_program_prepare(&values->program, argv, &run)))
		err = ora_route_find(&run, trace->trace.from, values->at, &route);
	if (!err) {
		printf("# %s, %s: stop %" PRIu64, trace->trace.witness, trace->trace.version,
			values->at);
		if (fact.path)
			printf(": %s is %s", fact.path,
				fact.value ? fact.value : ora_state_text(fact.state));
		putchar('\n');
		if (!values->by || !strcmp(values->by, "gdb"))
			print_gdb(&run, &route, &fact);
		if (!values->by || !strcmp(values->by, "lldb"))
			print_lldb(&run, &route, &fact);
	}
	ora_run_deinit(&run);
	free(fact.value);
	free(fact.type);
	free(argv);
	json_decref(array);
	return err;
}

static struct xs_error *run_quote(struct options *values, const char *path)
{
	XS_AUTO(ora_store) store = NULL;
	struct ora_trace_list list = {0};
	struct xs_error *err;
	uint64_t wanted = values->trace ? values->trace : 1;
	values->at = values->at ? values->at : 1;
	if ((err = ora_store_open(path, ORA_STORE_READ, &store)))
		return err;
	if (!(err = ora_store_traces(store, &list))) {
		const struct ora_trace_info *trace = NULL;
		for (size_t i = 0; i < list.vec.len; i++)
			if (list.vec.data[i].id == wanted)
				trace = &list.vec.data[i];
		err = trace ? quote(values, store, trace)
			    : xs_error_create("%s: no trace %" PRIu64, path, wanted);
	}
	ora_trace_list_deinit(&list);
	return err;
}

static int cmd_quote(int argc, char **argv)
{
	struct options values = {0};
	struct cli_strings operands = {0};
	bool help = false;
	struct xs_error *err = cli_parse_all(&cli_quote, argc, argv, &values, &operands, &help);
	if (!err && help)
		cli_print_help(&cli_quote, stdout);
	else if (!err && operands.vec.len != 1)
		err = xs_error_create("quote: name one trace store; see xstep quote --help");
	else if (!err)
		err = run_quote(&values, operands.vec.data[0]);
	xs_vec_deinit(&operands.vec);
	cli_program_deinit(&values.program);
	return err ? cli_fail(err) : CLI_NOTHING;
}

const struct cli_command cli_quote = {
	.name = "quote",
	.operands = "FILE.db",
	.summary = "Print the commands that make a debugger say again what a store says of it",
	.details = details,
	.options = options,
	.run = cmd_quote,
};
