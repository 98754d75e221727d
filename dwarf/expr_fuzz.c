/* expr_fuzz.c - any bytes as an expression: the evaluator must end, in bounds, in one of its three
 * outcomes, twice the same, with a stack that keeps value.h's promises after every operator.
 *
 * The first byte picks the unit (version, sizes) and what is asked for; the rest is the expression.
 * Built by the preset fuzz; run as `build/fuzz/dwarf/expr_fuzz -max_total_time=300 WORKDIR
 * testdata/fuzz/expr`. */
#include "dwarf/expr_fake.h"

#define OPERATORS 1000 /* enough for a loop to be one; more would only be slow */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_step(void *arg, const struct di_expr_step *step)
{
	size_t *steps = arg;
	struct di_answer answer;
	char buf[DI_VALUE_TEXT];
	xs_assert(++*steps <= OPERATORS);
	xs_assert(step->count <= DI_EXPR_STACK && step->pieces <= DI_LOCATION_PIECES);
	xs_assert(step->offset < step->source->size && step->text[0]);
	/* Only the topmost three: no operator changes more, and loops would take for ever. */
	for (size_t i = step->count > 3 ? step->count - 3 : 0; i < step->count; i++) {
		const struct di_value *value = &step->stack[i];
		xs_assert(di_base_check(&value->type, &answer));
		xs_assert(di_wide_length(value->bits) <= value->type.bits);
		if (*steps < 100)
			xs_assert(di_value_text(value, buf)[0]);
	}
}

static void check_location(const struct di_location *location)
{
	if (location->answer.state != DI_ANSWER_KNOWN) {
		xs_assert(location->count == 0 && location->answer.why.code != DI_WHY_NONE);
		return;
	}
	xs_assert(location->count >= 1 && location->count <= DI_LOCATION_PIECES);
	xs_assert(location->composite || location->count == 1);
	for (size_t i = 0; !location->composite && i < location->count; i++)
		xs_assert(location->piece[i].kind != DI_PIECE_EMPTY);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct di_location location;
	static char watched[8192], unwatched[8192];
	if (size == 0)
		return 0;
	struct di_expr_unit unit = fake_unit;
	unit.version = 2 + (data[0] & 3);
	unit.address_size = data[0] & 4 ? 4 : 8;
	unit.offset_size = data[0] & 8 ? 8 : 4;
	struct di_base generic = di_base_generic(unit.address_size);
	struct di_value cfa = di_value_make(&generic, di_wide_from_u(0x7010));
	size_t steps = 0;
	struct di_expr_budget budget = {OPERATORS, DI_EXPR_DEPTH};
	struct di_expr_request request = {.source = {data + 1, size - 1, &unit, ".debug_loc", 0x10},
		.host = data[0] & 16 ? &fake_empty_host : &fake_host,
		.budget = &budget,
		.as_value = data[0] & 32,
		.initial = &cfa,
		.initial_count = data[0] & 64 ? 1 : 0,
		.trace = check_step,
		.trace_arg = &steps};
	XS_AUTO(xs_error) err = di_expr_eval(&request, &location);
	if (err)
		return 0;
	check_location(&location);
	di_location_text(&location, watched, sizeof watched);
	xs_assert(budget.depth == DI_EXPR_DEPTH);
	budget.operators = OPERATORS;
	request.trace = NULL;
	XS_AUTO(xs_error) again = di_expr_eval(&request, &location);
	xs_assert(!again);
	di_location_text(&location, unwatched, sizeof unwatched);
	xs_assert(strcmp(watched, unwatched) == 0);
	di_op_text_all(&unit, data + 1, size - 1, unwatched, sizeof unwatched);
	return 0;
}
