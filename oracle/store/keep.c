#include "oracle/store/keep.h"

uint32_t ora_keep_place(
	struct ora_keeper *keeper, const struct ora_store_place *place, size_t index)
{
	while (keeper->places.len <= index)
		xs_vec_push(&keeper->places, 0);
	if (!keeper->places.data[index])
		keeper->places.data[index] = ora_writer_place(keeper->writer, place);
	return keeper->places.data[index];
}

static uint32_t keep_variable(struct ora_keeper *keeper, const struct ora_told_fact *fact)
{
	while (keeper->variables.len <= fact->key)
		xs_vec_push(&keeper->variables, 0);
	if (!keeper->variables.data[fact->key])
		keeper->variables.data[fact->key] =
			ora_writer_variable(keeper->writer, fact->variable, fact->key);
	return keeper->variables.data[fact->key];
}

struct xs_error *ora_keep(struct ora_keeper *keeper, const struct ora_told *told)
{
	struct ora_writer *writer = keeper->writer;
	uint32_t prev = told->prev ? ora_keep_place(keeper, told->prev, told->prev_index) : 0;
	uint32_t place = ora_keep_place(keeper, told->place, told->place_index);
	ora_writer_stop_begin(writer, told->number, prev, place, told->n);
	for (size_t i = 0; i < told->frames.len; i++)
		ora_writer_frame(writer, &told->frames.data[i]);
	ora_writer_frames(writer, told->frame_count);
	if (told->note)
		ora_writer_note(writer, told->note);
	for (size_t i = 0; i < told->regs.len; i++) {
		const struct ora_told_reg *reg = &told->regs.data[i];
		if (reg->known && !reg->text)
			ora_writer_reg(writer, reg->name, reg->value);
		else
			ora_writer_reg_text(writer, reg->name, reg->known ? reg->text : NULL);
	}
	for (size_t i = 0; i < told->facts.len; i++) {
		const struct ora_told_fact *fact = &told->facts.data[i];
		ora_writer_fact(
			writer, &(struct ora_store_fact){.variable = keep_variable(keeper, fact),
					.depth = fact->depth,
					.path = fact->path,
					.type = fact->type,
					.state = fact->state,
					.value = fact->value,
					.enumerator = fact->enumerator,
					.message = fact->message,
					.shadowed = fact->shadowed,
					.undeclared = fact->undeclared});
	}
	return ora_writer_stop_end(writer);
}

void ora_keeper_deinit(struct ora_keeper *keeper)
{
	xs_vec_deinit(&keeper->places);
	xs_vec_deinit(&keeper->variables);
}
