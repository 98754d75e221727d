#include "cli/report/quote.h"

#include <inttypes.h>

#include "base/shown.h"
#include "oracle/session/by_hand.h"
#include "oracle/session/stored_words.h"
#include "oracle/session/witnesses.h"
#include "oracle/witness/witness.h"

/* What the trace says of the leaf. */
struct fact {
	const char *path;
	bool found, file_scope;
	bool by_name;   /* by a debugger's other voice */
	unsigned depth; /* of its frame, from the outermost */
	unsigned frame; /* that it is seen from */
	enum ora_state state;
	char *value, *type;
	char *var, *scope, *unit; /* the variable that it is a leaf of; see ora_by_hand_question */
	unsigned line;            /* of its declaration */
	bool hidden;              /* its name means another one */
};

static char *copy(const char *text)
{
	return text ? xs_strdup(text) : NULL;
}

static void fact_deinit(struct fact *fact)
{
	free(fact->value);
	free(fact->type);
	free(fact->var);
	free(fact->scope);
	free(fact->unit);
}

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
	const struct ora_store_variable *variable = told->variable;
	bool by_name = fact->by_name;
	const char *path = fact->path;
	fact_deinit(fact);
	*fact = (struct fact){.path = path,
		.by_name = by_name,
		.found = true,
		.depth = told->depth,
		.file_scope = !told->depth,
		.frame = told->depth && told->depth <= search->frames ? search->frames - told->depth
								      : 0,
		.state = told->state,
		.value = copy(told->value),
		.type = copy(told->type),
		.var = copy(variable->name),
		.scope = copy(variable->scope),
		.unit = copy(variable->file),
		.line = variable->line,
		.hidden = told->shadowed && told->depth};
}

static void print_session(enum ora_witness_kind who, const struct cli_quote *quote,
	const struct ora_run *run, const struct ora_route *route, const struct fact *fact)
{
	struct ora_by_hand_question question = {.aspect = ORA_ASPECT_VARIABLE,
		.path = fact->path,
		.var = fact->var,
		.scope = fact->scope,
		.unit = fact->unit,
		.line = fact->line,
		.hidden = fact->hidden,
		.file_scope = fact->file_scope,
		.by_name = fact->by_name,
		.frame = fact->frame,
		.state = fact->state,
		.value = fact->value,
		.type = fact->type};
	const struct ora_told *stop = quote->stop;
	bool outer = fact->frame && stop->has_frames && fact->frame < stop->frames.len;
	xs_addr pc = outer ? stop->frames.data[fact->frame].address - 1 : stop->place->address;
	if (pc != XS_ADDR_NONE)
		ora_by_hand_know(&question, run->subject->modules.data[0].info, pc);
	struct ora_witness witness = {0};
	/* It may be lldb-15. Where there is none the commands are good elsewhere. */
	xs_error_destroy(ora_witness_named(ora_witness_name(who), NULL, &witness));
	XS_AUTO_FREE char *called = witness.path ? ora_by_hand_called(witness.path) : NULL;
	ora_witness_deinit(&witness);
	struct ora_by_hand session = {.who = who,
		.debugger = called,
		.run = run,
		.route = route,
		.in = quote->program->in};
	struct ora_commands commands = {0};
	XS_AUTO_FREE char *start = ora_by_hand_start(&session);
	xs_print(stdout, "%s\n", start);
	ora_by_hand_settings(&session, &commands);
	ora_by_hand_way(&session, &commands);
	ora_by_hand_ask(&session, &question, &commands);
	for (size_t i = 0; i < commands.vec.len; i++)
		xs_print(stdout, "%s\n", commands.vec.data[i]);
	ora_commands_deinit(&commands);
}

/* The way to the stop, whatever its number counts: of one that is shared with a debugger, those
 * that were told. */
static struct xs_error *find_route(
	const struct cli_quote *quote, struct ora_run *run, struct ora_route *ret)
{
	const struct ora_trace_info *trace = quote->trace;
	const struct ora_told *stop = quote->stop;
	uint64_t number = stop->number;
	if (stop->place->module)
		return xs_error_create("--quote: stop %" PRIu64 " is in %s, not in the program",
			number, stop->place->module);
	if (!stop->n)
		return xs_error_create(
			"--quote: stop %" PRIu64
			": nobody knows how the program came there; use --mode exact",
			number);
	return ora_route_find(run, trace->trace.from,
		stop->prev ? stop->prev->address : XS_ADDR_NONE, stop->place->address, stop->n,
		ret);
}

struct xs_error *cli_quote(const struct cli_quote *quote)
{
	const struct ora_trace_info *trace = quote->trace;
	uint64_t number = quote->stop->number;
	struct fact fact = {
		.path = quote->var, .by_name = ora_witness_is_by_name(trace->trace.witness)};
	struct search search = {.fact = &fact, .frames = quote->stop->frame_count};
	struct ora_route route;
	struct ora_run run = {0};
	struct xs_error *err = NULL;
	/* Such a stop's number counts the stops of that witness, not what was executed. */
	if (strcmp(trace->trace.level, "instruction") != 0)
		return xs_error_create("--quote: trace %" PRIu64 " was stepped by %s: nobody but "
				       "its witness knows the way to a stop",
			trace->id, trace->trace.level);
	char **argv = NULL;
	if ((err = ora_stored_words(trace, &argv)))
		return err;
	if (fact.path)
		ora_reader_state(quote->reader, on_fact, NULL, &search);
	if (fact.path && !fact.found)
		err = xs_error_create("--var %s: trace %" PRIu64 " lists none at stop %" PRIu64,
			fact.path, trace->id, number);
	if (!quote->program->out)
		quote->program->out = "/dev/null";
	if (!err && !(err = ora_stored_prepare(quote->program, trace, argv, &run)))
		err = find_route(quote, &run, &route);
	if (!err) {
		xs_print(stdout, "# %s, %s: stop %" PRIu64, trace->trace.witness,
			trace->trace.version, number);
		if (fact.path)
			xs_print(stdout, ": %s is %s", fact.path,
				fact.value ? fact.value : ora_state_text(fact.state));
		putchar('\n');
		if (quote->by != CLI_QUOTE_LLDB)
			print_session(ORA_WITNESS_GDB, quote, &run, &route, &fact);
		if (quote->by != CLI_QUOTE_GDB)
			print_session(ORA_WITNESS_LLDB, quote, &run, &route, &fact);
	}
	ora_run_deinit(&run);
	fact_deinit(&fact);
	ora_stored_words_free(argv);
	return err;
}
