#include "cli/quote.h"

#include <inttypes.h>
#include <jansson.h>

#include "oracle/route.h"

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

struct xs_error *cli_quote(const struct cli_quote *quote)
{
	const struct ora_trace_info *trace = quote->trace;
	uint64_t number = quote->stop->number;
	struct fact fact = {.path = quote->var};
	struct search search = {.fact = &fact, .frames = quote->stop->frame_count};
	struct ora_route route;
	struct ora_run run = {0};
	struct xs_error *err = NULL;
	/* Such a stop's number counts the stops of that witness, not what was executed. */
	if (strcmp(trace->trace.level, "instruction") != 0)
		return xs_error_create("--quote: trace %" PRIu64 " was stepped by %s: nobody but "
				       "its witness knows the way to a stop",
			trace->id, trace->trace.level);
	json_t *array = json_loads(trace->trace.arguments, 0, NULL);
	if (!json_array_size(array)) {
		json_decref(array);
		return xs_error_create("trace %" PRIu64 " does not say what was run", trace->id);
	}
	char **argv = words_of(array);
	if (fact.path)
		ora_reader_state(quote->reader, on_fact, NULL, &search);
	if (fact.path && !fact.found)
		err = xs_error_create("--var %s: trace %" PRIu64 " lists none at stop %" PRIu64,
			fact.path, trace->id, number);
	if (!quote->program->out)
		quote->program->out = "/dev/null";
	if (!err && !(err = cli_program_prepare(quote->program, argv, &run)))
		err = ora_route_find(&run, trace->trace.from, number, &route);
	if (!err) {
		printf("# %s, %s: stop %" PRIu64, trace->trace.witness, trace->trace.version,
			number);
		if (fact.path)
			printf(": %s is %s", fact.path,
				fact.value ? fact.value : ora_state_text(fact.state));
		putchar('\n');
		if (quote->by != CLI_QUOTE_LLDB)
			print_gdb(&run, &route, &fact);
		if (quote->by != CLI_QUOTE_GDB)
			print_lldb(&run, &route, &fact);
	}
	ora_run_deinit(&run);
	free(fact.value);
	free(fact.type);
	free(argv);
	json_decref(array);
	return err;
}
