#include "oracle/truth/probes.h"

#include <inttypes.h>

#include "dwarf/declared.h"
#include "dwarf/feature.h"
#include "dwarf/view.h"
#include "oracle/witness/own/record.h"

static const char what[] = "operands";

/* One operand at one arrival. */
struct question {
	struct ora_check_probes *all;
	const struct ora_probe_place *place;
	const struct di_probe *probe;
	const struct di_probe_operand *operand;
	const struct ora_probe_meaning *meaning;
	uint64_t number;                /* of the stop; 0: nobody counts */
	const struct di_target *target; /* the machine state */
	struct ora_subject *subject;
	struct di_view *view;
	unsigned frame; /* index into view->frames that has the variable */
	uint64_t truth; /* what the operand holds */

	/* Found. */
	const struct di_variable *variable; /* NULL: there is none in scope */
	size_t candidates;                  /* how many there could be */
	bool leaf;                          /* the next ones hold */
	enum di_leaf_state state;
	uint64_t bits;
	unsigned bit_size;
	bool implicit; /* an implicit pointer */
	const struct di_type *type;
	char *text, *message; /* or NULL */
};

static void leave(const struct question *ask, const char *reason)
{
	ora_asked_leave(&ask->all->check->asked, "P1", what, reason, 1);
}

/* --- looking ---------------------------------------------------------------------------------- */

static void on_leaf(void *arg, const struct di_leaf *leaf)
{
	struct question *ask = arg;
	/* A state of the whole is that of every part. */
	bool whole = leaf->state != DI_LEAF_VALUE && leaf->state != DI_LEAF_CUT &&
		     !strcmp(leaf->path, ask->meaning->variable);
	if (ask->leaf || leaf->state == DI_LEAF_CUT ||
		(strcmp(leaf->path, ask->meaning->path) != 0 && !whole))
		return;
	ask->leaf = true;
	ask->state = leaf->state;
	ask->bits = leaf->bits.limb[0];
	ask->bit_size = leaf->bit_size;
	ask->implicit = leaf->pointer;
	ask->type = leaf->type;
	ask->text = leaf->state == DI_LEAF_VALUE ? xs_strdup(leaf->text) : NULL;
}

static bool is_meant(const struct question *ask, const struct di_variable *variable)
{
	return !strcmp(variable->name, ask->meaning->variable) &&
	       (!ask->meaning->line || !variable->line || variable->line == ask->meaning->line);
}

static struct xs_error *on_sight(void *arg, const struct di_sight *sight)
{
	struct question *ask = arg;
	if (!is_meant(ask, sight->variable))
		return NULL;
	ask->candidates++;
	if (ask->variable)
		return NULL;
	ask->variable = sight->variable;
	return di_sight_look(sight, ask->all->max_leaves, NULL, on_leaf, ask);
}

/* The frame that the variable belongs to: the innermost of the function that the probe is in. */
static bool find_frame(struct question *ask)
{
	size_t same = 0;
	ask->frame = 0;
	if (!ask->meaning->function)
		return ask->view->frames.len && ask->view->frames.data[0].activation;
	for (size_t i = ask->view->frames.len; i-- > 0;) {
		const char *function = ask->view->frames.data[i].function;
		if (!function || !ask->view->frames.data[i].activation ||
			strcmp(function, ask->meaning->function) != 0)
			continue;
		ask->frame = (unsigned)i;
		same++;
	}
	/* Of a function that is inlined into itself, one call may have been lost. */
	return same == 1 || (same && !ask->frame);
}

/* --- saying ----------------------------------------------------------------------------------- */

/* A number as a variable of a type shows it; to be freed. */
static char *text_of(const struct di_type *type, const struct di_probe_operand *operand,
	uint64_t bits, unsigned bit_size)
{
	char fp[DI_FP_TEXT], number[DI_WIDE_TEXT];
	struct di_wide wide = di_wide_from_u(bits);
	bool is_signed = operand->is_signed;
	if (type && type->kind == DI_TYPE_POINTER)
		return xs_asprintf("0x%" PRIx64, bits);
	if (type && type->kind == DI_TYPE_BASE && type->base.kind == DI_BASE_FLOAT &&
		type->base.bits == bit_size)
		return xs_strdup(di_fp_text(type->base.format, wide, fp));
	if (type && (type->kind == DI_TYPE_BASE || type->kind == DI_TYPE_ENUM))
		is_signed = type->base.kind == DI_BASE_SIGNED;
	return xs_strdup(is_signed ? di_wide_text_s(di_wide_sext(wide, bit_size), number)
				   : di_wide_text_u(wide, number));
}

/* What kind of lie it is, by what the DWARF says. */
static const char *kind_of_lie(const struct question *ask)
{
	struct di_features features;
	di_features_of(ask->subject->modules.data[0].info, ask->place->pc, ask->variable->scope,
		DI_LEVEL_ANY, ask->variable->name, ask->variable->line, ask->meaning->path,
		&features);
	const char *expr = features.expr;
	if (DI_HAS(features.set, ENTRY_VALUE))
		return "wrong-entry-value";
	if (DI_HAS(features.set, CONST_VALUE) || !strncmp(expr, "DW_OP_lit", 9) ||
		!strncmp(expr, "DW_OP_const", 11) || DI_HAS(features.set, IMPLICIT_VALUE))
		return "wrong-constant";
	if (!DI_HAS(features.set, LIST))
		return "stale-memory";
	return !strncmp(expr, "DW_OP_reg", 9) ? "wrong-register" : "wrong-value";
}

static char *copy(const char *text)
{
	return text ? xs_strdup(text) : NULL;
}

/* All that was said. */
static struct ora_probe_said said_of(const struct question *ask)
{
	const struct ora_place *place = ora_subject_place(
		ask->subject, ask->place->pc + ask->subject->modules.data[0].home);
	const struct di_view_frame *frame = &ask->view->frames.data[0];
	const struct di_variable *variable = ask->variable;
	const struct di_type *type = ask->type ? ask->type
				     : variable && !strpbrk(ask->meaning->path, ".[")
					     ? variable->type
					     : NULL;
	bool has_value = variable && ask->state == DI_LEAF_VALUE;
	return (struct ora_probe_said){.number = ask->number,
		.arrival = ask->place->arrivals,
		.pc = ask->place->pc,
		.frame = ask->frame,
		.function = copy(frame->function ? frame->function : place->function),
		.file = copy(frame->file ? frame->file : place->file),
		.line = frame->line,
		.scope = copy(variable ? variable->scope : ask->meaning->function),
		.variable = copy(ask->meaning->variable),
		.path = copy(ask->meaning->path),
		.decl_file = copy(variable && variable->file ? variable->file : place->file),
		.decl_line = variable ? variable->line : ask->meaning->line,
		.type = copy(ask->type ? ask->type->name : NULL),
		.truth = text_of(type, ask->operand, ask->truth, ask->operand->size * 8),
		.state = !variable   ? ORA_STATE_ABSENT
			 : has_value ? ORA_STATE_VALUE
				     : ORA_STATE_OPTIMIZED_OUT,
		.value = has_value ? copy(ask->text) : NULL,
		.right = has_value && ask->bits == ask->truth,
		.remark = xs_asprintf("probe %s at 0x%" PRIx64 ": %s is %s", ask->probe->name,
			ask->place->pc, ask->meaning->path, ask->operand->text)};
}

/* --- asking ----------------------------------------------------------------------------------- */

/* Why an operand cannot be held against what was found; NULL: it can. */
static const char *obstacle(const struct question *ask)
{
	unsigned bits = ask->operand->size * 8;
	if (ask->candidates > 1)
		return "of a variable that the DWARF has several of there";
	if (!ask->variable)
		return NULL;
	if (!ask->leaf)
		return "of a part that the variable does not have, or that is cut";
	if (ask->state == DI_LEAF_ERROR)
		return "whose location xstep cannot evaluate";
	if (ask->state != DI_LEAF_VALUE)
		return NULL;
	if (ask->implicit)
		return "whose DWARF is an implicit pointer";
	if (ask->bit_size != bits)
		return "of another size than the variable has";
	if (ask->type->kind != DI_TYPE_BASE && ask->type->kind != DI_TYPE_ENUM &&
		ask->type->kind != DI_TYPE_POINTER)
		return "of another type than numbers and pointers";
	bool is_float = ask->type->kind == DI_TYPE_BASE && ask->type->base.kind == DI_BASE_FLOAT;
	return is_float == ask->operand->is_float ? NULL : "of another type than the variable has";
}

/* Why nobody can say that a variable is lost that is not in scope; NULL: it is. */
static const char *doubt(const struct question *ask)
{
	const struct di_block *function = ask->view->frames.data[ask->frame].activation->function;
	const struct di_declarations declared =
		di_declared_in(function, ask->meaning->variable, ask->meaning->line);
	if (ask->meaning->line) /* of another declaration, nobody knows what became of this one */
		return declared.there || !declared.lines
			       ? NULL
			       : "of a variable that is declared on another line now";
	/* By its name alone it could be anything that is not a local. */
	return !declared.lines      ? "of a name that is no local variable's"
	       : declared.lines > 1 ? "of a name that several variables of the function have"
				    : NULL;
}

static struct xs_error *ask_operand(struct question *ask)
{
	const struct ora_module *module = &ask->subject->modules.data[0];
	struct ora_asked *asked = &ask->all->check->asked;
	const char *why = di_probe_value(ask->operand, ask->target, module->bias, &ask->truth);
	if (!why && !find_frame(ask))
		why = "at a pc that by the DWARF is not in the probe's function";
	if (why) {
		leave(ask, why);
		return NULL;
	}
	struct xs_error *err = di_view_each(ask->view, ask->frame, DI_WHICH_LOCALS, on_sight, ask);
	if (err)
		return err;
	if ((why = obstacle(ask)) || (!ask->variable && (why = doubt(ask)))) {
		leave(ask, why);
		return NULL;
	}
	ora_asked_add(asked, "P1", what, 1);
	ora_asked_add(asked, "P2", what, 1);
	bool hears = ask->all->check->count > ask->all->traces.own + 1,
	     lost = !ask->variable || ask->state != DI_LEAF_VALUE;
	if (!hears && !lost && ask->bits == ask->truth)
		return NULL;
	struct ora_probe_said said = said_of(ask);
	if (!said.right) {
		said.why = lost ? "lost" : kind_of_lie(ask);
		said.violation = ora_probe_violate(ask->all->check, &ask->all->traces, &said,
			ask->all->traces.own, !lost, said.why);
	}
	if (hears)
		xs_vec_push(&ask->all->saids, said);
	else
		ora_probe_said_deinit(&said);
	return NULL;
}

static struct xs_error *ask_probe(struct question *about)
{
	struct ora_check_probes *all = about->all;
	const struct di_view *view = about->view;
	struct ora_probe_meanings meanings;
	struct xs_error *err = NULL;
	XS_VEC(const char *) functions = {0};
	for (size_t i = 0; i < view->frames.len; i++)
		xs_vec_push(&functions, view->frames.data[i].function);
	ora_probe_meanings(&all->index, about->probe, functions.data, functions.len, &meanings);
	if (meanings.why)
		ora_asked_leave(
			&all->check->asked, "P1", what, meanings.why, about->probe->operands.len);
	for (size_t i = 0; !err && i < meanings.vec.len; i++) {
		struct question ask = *about;
		ask.operand = &about->probe->operands.data[i];
		ask.meaning = &meanings.vec.data[i];
		err = ask_operand(&ask);
		free(ask.text);
	}
	ora_probe_meanings_deinit(&meanings);
	xs_vec_deinit(&functions);
	return err;
}

/* All probes of a place. */
static struct xs_error *ask_place(struct ora_check_probes *all, const struct ora_probe_place *place,
	uint64_t number, const struct di_target *target)
{
	struct di_view view = {0};
	struct xs_error *err = di_view_open(&view, target, false);
	for (size_t i = 0; !err && i < place->count; i++)
		err = ask_probe(&(struct question){.all = all,
			.place = place,
			.probe = &all->probes.list.data[place->first + i],
			.number = number,
			.target = target,
			.subject = all->run.run->subject,
			.view = &view});
	di_view_deinit(&view);
	return err;
}

static struct xs_error *on_arrival(
	void *context, const struct ora_probe_place *place, struct ora_machine *machine)
{
	return ask_place(context, place, 0, &machine->target);
}

/* --- with debuggers: every instruction is counted --------------------------------------------- */

struct counting {
	struct ora_check_probes *all;
	struct xs_error *err;
};

static struct ora_probe_place *place_at(struct ora_check_probes *all, xs_addr pc)
{
	size_t low = 0, high = all->run.places.len;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (all->run.places.data[middle].pc < pc)
			low = middle + 1;
		else
			high = middle;
	}
	return low < all->run.places.len && all->run.places.data[low].pc == pc
		       ? &all->run.places.data[low]
		       : NULL;
}

static void on_step(void *context, const struct ora_stop *stop)
{
	struct counting *counting = context;
	struct ora_probe_place *place =
		stop->place->main ? place_at(counting->all, stop->place->pc) : NULL;
	if (place)
		place->arrivals++;
}

/* The same stops as those of the plan (witness/debugger/plan.c). */
static uint64_t next(void *context, xs_addr prev, xs_addr pc, uint64_t n)
{
	const struct counting *counting = context;
	const struct ora_check_probes *all = counting->all;
	return xs_ranges_find(&all->pcs, pc)
		       ? eng_sample_next(ENG_SAMPLE_DTD, all->run.seed, prev, pc, n)
		       : UINT64_MAX;
}

static bool on_stop(void *context, const struct ora_stop *stop)
{
	struct counting *counting = context;
	struct ora_probe_place *place = place_at(counting->all, stop->place->pc);
	if (!place || !stop->target)
		return true;
	place->looked++;
	counting->err = ask_place(counting->all, place, stop->number, stop->target);
	return !counting->err;
}

static struct xs_error *count_instructions(struct ora_check_probes *all)
{
	struct counting counting = {.all = all};
	struct ora_recording recording = {.run = *all->run.run,
		.from = all->run.from,
		.mode = ENG_MODE_EXACT,
		.sample = ENG_SAMPLE_DTD,
		.seed = all->run.seed,
		.next = next,
		.live = true,
		.on_stop = on_stop,
		.on_step = on_step,
		.context = &counting};
	ora_probe_run_group(&all->run);
	struct xs_error *err = ora_record(&recording);
	all->run.interrupted_by = recording.interrupted_by;
	ora_recording_release(&recording);
	if (err || !counting.err)
		return err;
	return counting.err;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* How many operands the probes of a place have. */
static uint64_t operands_of(const struct ora_check_probes *all, const struct ora_probe_place *place)
{
	uint64_t ret = 0;
	for (size_t i = 0; i < place->count; i++)
		ret += all->probes.list.data[place->first + i].operands.len;
	return ret;
}

static void count(struct ora_check_probes *all)
{
	struct ora_asked *asked = &all->check->asked;
	ora_asked_add(asked, "P1", what, 0);
	ora_asked_add(asked, "P2", what, 0);
	for (size_t i = 0; i < all->run.places.len; i++) {
		const struct ora_probe_place *place = &all->run.places.data[i];
		uint64_t operands = operands_of(all, place);
		all->arrivals += place->arrivals;
		all->looked += place->looked;
		all->reached += place->arrivals != 0;
		if (place->skipped)
			ora_asked_leave(asked, "P1", what, place->why, operands);
		else if (!place->arrivals)
			ora_asked_leave(asked, "P1", what,
				all->run.blind ? "of probes that one thread alone never reached"
					       : "of probes that were never reached",
				operands);
		else if (place->arrivals > place->looked)
			ora_asked_leave(asked, "P1", what, "at arrivals that were not looked at",
				operands * (place->arrivals - place->looked));
	}
	if (all->probes.unread)
		ora_asked_leave(
			asked, "P1", what, "of notes that make no sense", all->probes.unread);
	if (all->index.unread)
		ora_asked_leave(asked, "P1", what, "of lines of .xstep.probes that make no sense",
			all->index.unread);
}

struct xs_error *ora_check_probes_open(struct ora_check_probes *all)
{
	struct di_cursor index;
	struct xs_error *err = ora_run_open(all->run.run);
	if (err)
		return err;
	struct di_module *module = all->run.run->subject->modules.data[0].info;
	if ((err = di_probes_read(module, &all->probes)))
		return err;
	if (!all->probes.list.len)
		return xs_error_create("%s: %s; plant some with xstep mutate --probes",
			all->run.run->path,
			all->probes.unread ? "none of its probes can be read"
					   : "it has no probes (.note.stapsdt)");
	if ((err = di_module_section(module, ".xstep.probes", &index)))
		return err;
	ora_probe_index_read(&all->index, (const char *)index.at, di_cursor_left(&index));
	for (size_t i = 0; i < all->probes.list.len; i++)
		xs_ranges_add(
			&all->pcs, all->probes.list.data[i].pc, all->probes.list.data[i].pc + 1);
	xs_ranges_normalise(&all->pcs);
	all->run.probes = &all->probes;
	all->run.on_arrival = on_arrival;
	all->run.context = all;
	return NULL;
}

struct xs_error *ora_check_probes(struct ora_check_probes *all)
{
	bool hears = all->check->count > all->traces.own + 1;
	struct xs_error *err = hears ? count_instructions(all) : ora_probe_run(&all->run);
	if (!err)
		count(all);
	return err || !hears ? err : ora_probes_hear(all);
}

void ora_check_probes_deinit(struct ora_check_probes *all)
{
	ora_probe_run_deinit(&all->run);
	ora_probe_index_deinit(&all->index);
	di_probes_deinit(&all->probes);
	xs_ranges_deinit(&all->pcs);
	for (size_t i = 0; i < all->saids.len; i++)
		ora_probe_said_deinit(&all->saids.data[i]);
	xs_vec_deinit(&all->saids);
}
