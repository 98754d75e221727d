#include "oracle/witness/own/tell.h"

#include "oracle/store/buffer.h"

bool ora_teller_looks(const struct ora_teller *teller)
{
	return teller->which || teller->frames || teller->regs;
}

void ora_teller_deinit(struct ora_teller *teller)
{
	for (size_t i = 0; i < teller->places.len; i++) {
		free(teller->places.data[i]->inlined);
		free(teller->places.data[i]);
	}
	for (size_t i = 0; i < teller->variables.len; i++)
		free(teller->variables.data[i]);
	for (size_t i = 0; i < teller->texts.len; i++)
		free(teller->texts.data[i]);
	xs_vec_deinit(&teller->places);
	xs_vec_deinit(&teller->variables);
	xs_vec_deinit(&teller->texts);
	xs_map_deinit(&teller->variable_index);
	xs_vec_deinit(&teller->told.frames);
	xs_vec_deinit(&teller->told.facts);
	xs_vec_deinit(&teller->told.regs);
	ora_facts_destroy(teller->facts);
	di_view_deinit(&teller->view);
	di_second_destroy(teller->second);
	di_opinion_deinit(&teller->opinion);
}

/* --- places ----------------------------------------------------------------------------------- */

/* The inlined calls at a place, innermost first; NULL if there are none. */
static char *inlined_calls(const struct ora_place *place)
{
	struct ora_buffer text = {0};
	const struct di_scopes *scopes = di_scopes_at(place->module, place->pc);
	for (size_t i = 0; i < scopes->activations.len; i++) {
		const struct di_block *function = scopes->activations.data[i].function;
		if (function->kind != DI_BLOCK_INLINED)
			continue;
		ora_buffer_put(&text, text.len ? ",{\"function\":" : "[{\"function\":");
		ora_buffer_json(&text, function->name);
		ora_buffer_put(&text, ",\"file\":");
		ora_buffer_json(&text, function->call_file);
		ora_buffer_put(&text, ",\"line\":");
		ora_buffer_number(&text, function->call_line);
		ora_buffer_put(&text, ",\"column\":");
		ora_buffer_number(&text, function->call_column);
		ora_buffer_put(&text, "}");
	}
	if (text.len)
		ora_buffer_put(&text, "]");
	return text.data;
}

const struct ora_store_place *ora_tell_place(
	struct ora_teller *teller, const struct ora_place *place)
{
	while (teller->places.len <= place->index)
		xs_vec_push(&teller->places, xs_calloc(1, sizeof **teller->places.data));
	struct ora_told_place *known = teller->places.data[place->index];
	if (known->made)
		return &known->place;
	known->made = true;
	if (teller->inlined)
		known->inlined = inlined_calls(place);
	known->place = (struct ora_store_place){.module = place->main ? NULL : place->module->name,
		.address = place->pc,
		.function = place->function,
		.offset = place->offset,
		.has_row = place->row,
		.file = place->file,
		.line = place->row ? place->row->line : 0,
		.column = place->row ? place->row->column : 0,
		.inlined = known->inlined};
	return &known->place;
}

/* --- frames ----------------------------------------------------------------------------------- */

/* Has libunwind walk the same stack, and notes where it differs. */
static struct xs_error *ask_libunwind(struct ora_teller *teller, const struct di_target *target)
{
	size_t frame;
	struct xs_error *err;
	teller->disagreement[0] = 0;
	if (!teller->second && (err = di_second_create(&teller->second)))
		return err;
	di_second_walk(teller->second, target, &teller->opinion);
	if (!di_opinion_agrees(&teller->opinion, &teller->view.stack, &frame, teller->disagreement,
		    sizeof teller->disagreement))
		teller->told.note = teller->disagreement;
	return NULL;
}

static struct xs_error *tell_frames(struct ora_teller *teller, const struct di_target *target)
{
	const struct di_view *view = &teller->view;
	const struct di_module *program = teller->subject->modules.data[0].info;
	for (size_t i = 0; i < view->frames.len; i++) {
		const struct di_view_frame *frame = &view->frames.data[i];
		const struct di_frame *physical = &view->stack.frames.data[frame->physical];
		struct ora_store_frame told = {.function = frame->function,
			.file = frame->file,
			.line = frame->line,
			.column = frame->column,
			.inlined = frame->inlined,
			.address = XS_ADDR_NONE};
		/* The address of the innermost physical frame is the stop's. */
		if (frame->physical && physical->mapping) {
			told.address = physical->pc - physical->mapping->bias;
			if (physical->mapping->module != program)
				told.module = physical->mapping->module->name;
		}
		xs_vec_push(&teller->told.frames, told);
	}
	teller->told.has_frames = true;
	return teller->inner ? NULL : ask_libunwind(teller, target);
}

/* --- variables -------------------------------------------------------------------------------- */

static const char *copy(struct ora_teller *teller, const char *text)
{
	if (!text)
		return NULL;
	xs_vec_push(&teller->texts, xs_strdup(text));
	return teller->texts.data[teller->texts.len - 1];
}

struct ora_store_variable ora_variable_of(const struct di_variable *variable)
{
	return (struct ora_store_variable){.unit = variable->home->name,
		.scope = variable->scope,
		.name = variable->name,
		.file = variable->file,
		.line = variable->line};
}

struct ora_told_fact ora_told_of(
	const struct ora_fact *fact, const struct ora_store_variable *variable)
{
	struct ora_told_fact told = {.variable = variable,
		.frame = fact->frame,
		.path = fact->path,
		.type = fact->type,
		.state = fact->state,
		.value = fact->value,
		.enumerator = fact->enumerator,
		.message = fact->message,
		.why = fact->why ? di_why_name(fact->why) : NULL,
		.shadowed = fact->shadowed,
		.undeclared = fact->declared != DI_DECLARED_YES};
	if (!told.message && fact->declared == DI_DECLARED_LATER_BY_LINE)
		told.message = "not yet declared, by line numbers of optimised code";
	return told;
}

static void on_change(void *arg, const struct ora_fact *fact)
{
	struct ora_teller *teller = arg;
	uint64_t *index = xs_map_at(&teller->variable_index, (uintptr_t)fact->variable, 0);
	if (!*index) {
		struct ora_store_variable *variable = xs_calloc(1, sizeof *variable);
		*variable = ora_variable_of(fact->variable);
		xs_vec_push(&teller->variables, variable);
		*index = teller->variables.len;
	}
	struct ora_told_fact told = ora_told_of(fact, teller->variables.data[*index - 1]);
	told.key = *index;
	/* What is gone was seen from a frame of the stop before. */
	unsigned frames =
		told.state == ORA_STATE_ABSENT ? teller->frames_before : teller->told.frame_count;
	if (fact->variable->block)
		told.depth = frames - fact->frame;
	told.path = copy(teller, told.path);
	told.value = copy(teller, told.value);
	told.message = copy(teller, told.message);
	xs_vec_push(&teller->told.facts, told);
}

/* --- registers -------------------------------------------------------------------------------- */

/* The general registers that differ from the last time. */
static void tell_registers(struct ora_teller *teller, const struct di_target *target)
{
	static const char *const names[DI_REG_GENERAL] = {"rax", "rdx", "rcx", "rbx", "rsi", "rdi",
		"rbp", "rsp", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rip"};
	uint8_t bytes[DI_REG_BYTES];
	unsigned size;
	for (unsigned i = 0; i < DI_REG_GENERAL; i++) {
		if (!target->reg(target->arg, i, bytes, &size))
			continue;
		uint64_t value = di_wide_from_bytes(bytes, size).limb[0];
		if (teller->registers_told && teller->registers[i] == value)
			continue;
		teller->registers[i] = value;
		xs_vec_push(&teller->told.regs,
			((struct ora_told_reg){.name = names[i], .known = true, .value = value}));
	}
	teller->registers_told = true;
}

struct xs_error *ora_tell(
	struct ora_teller *teller, const struct ora_stop *stop, const struct ora_told **ret)
{
	struct ora_told *told = &teller->told;
	struct xs_error *err;
	told->number = stop->number;
	told->n = stop->n;
	told->prev = stop->prev ? ora_tell_place(teller, stop->prev) : NULL;
	told->prev_index = stop->prev ? stop->prev->index : 0;
	told->place = ora_tell_place(teller, stop->place);
	told->place_index = stop->place->index;
	*ret = told;
	if (!ora_teller_looks(teller))
		return NULL;
	for (size_t i = 0; i < teller->texts.len; i++)
		free(teller->texts.data[i]);
	teller->texts.len = told->frames.len = told->facts.len = told->regs.len = 0;
	told->note = NULL;
	if (teller->which || teller->frames) {
		if ((err = di_view_open(&teller->view, stop->target, teller->frames)))
			return err;
		teller->frames_before = told->frame_count;
		told->frame_count = (unsigned)teller->view.frames.len;
	}
	if (teller->frames && (err = tell_frames(teller, stop->target)))
		return err;
	if (!teller->facts)
		teller->facts = ora_facts_create();
	if (teller->which && (err = ora_facts_update(teller->facts, &teller->view, teller->which,
				      teller->inner, teller->max_leaves, on_change, teller)))
		return err;
	if (teller->regs)
		tell_registers(teller, stop->target);
	return NULL;
}
