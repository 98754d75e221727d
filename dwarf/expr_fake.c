#include "dwarf/expr_fake.h"

#include <dwarf.h>

const struct di_expr_unit fake_unit = {
	.version = 5, .address_size = 8, .offset_size = 4, .die_base = 0x100, .bias = 0x10000};

static const struct di_expr_unit unit_without_sizes = {.version = 5};

static struct xs_error *fake_reg(
	void *arg, uint64_t reg, struct di_wide *ret, unsigned *bits, struct di_answer *answer)
{
	(void)arg;
	*bits = 64;
	switch (reg) {
	case 0:
		*ret = di_wide_from_u((uint64_t)-2);
		break;
	case 3:
		di_answer_gone(answer, DI_WHY_OTHER, .text = {"not saved"});
		break;
	case 5:
		*ret = di_wide_from_u(0x5000);
		break;
	case 7:
		*ret = di_wide_from_u(0x7000);
		break;
	case 17:
		*ret = (struct di_wide){.limb = {0x3ff8000000000000, UINT64_MAX}};
		*bits = 128;
		break;
	case 33:
		*ret = (struct di_wide){.limb = {0xc000000000000000, 0x3fff}};
		*bits = 80;
		break;
	case 51:
		*ret = di_wide_from_u(0x33);
		*bits = 16;
		break;
	default:
		di_answer_error(answer, DI_WHY_NO_REGISTER, .number = {reg});
	}
	return NULL;
}

static struct xs_error *fake_memory(void *arg, uint64_t space, xs_addr address, void *ret,
	size_t size, struct di_answer *answer)
{
	(void)arg;
	uint8_t *bytes = ret;
	if (address == 0xdead)
		return xs_error_create("the process is gone");
	if (address < 0x5000 || address >= 0x5040 || size > 0x5040 - address)
		di_answer_error(answer, DI_WHY_FRAME_MEMORY, .number = {size, address});
	for (size_t i = 0; i < size; i++)
		bytes[i] = space == 257 ? 0x11 : (uint8_t)(0xf0 + address + i);
	return NULL;
}

static struct xs_error *fake_frame_base(
	void *arg, struct di_expr_budget *budget, xs_addr *ret, struct di_answer *answer)
{
	(void)arg, (void)budget, (void)answer;
	*ret = 0x6000;
	return NULL;
}

static struct xs_error *fake_cfa(void *arg, xs_addr *ret, struct di_answer *answer)
{
	(void)arg, (void)answer;
	*ret = 0x7010;
	return NULL;
}

static struct xs_error *fake_object(void *arg, xs_addr *ret, struct di_answer *answer)
{
	(void)arg, (void)answer;
	*ret = 0x8000;
	return NULL;
}

static struct xs_error *fake_tls(void *arg, const struct di_expr_unit *unit, uint64_t offset,
	xs_addr *ret, struct di_answer *answer)
{
	(void)arg, (void)unit, (void)answer;
	*ret = 0x9000 + offset;
	return NULL;
}

static struct xs_error *fake_indexed(void *arg, const struct di_expr_unit *unit, uint64_t index,
	uint64_t *ret, struct di_answer *answer)
{
	(void)arg, (void)unit;
	*ret = index == 0 ? 0x401000 : 42;
	if (index > 1)
		di_answer_error(answer, DI_WHY_OTHER, .text = {"2 entries in .debug_addr"});
	return NULL;
}

static bool fake_discarded(void *arg, xs_addr address)
{
	(void)arg;
	return address <= 1;
}

static struct xs_error *fake_base_type(void *arg, const struct di_expr_unit *unit, uint64_t die,
	struct di_base *ret, struct di_answer *answer)
{
	static const struct di_base types[FAKE_TYPES_END] = {
		[FAKE_S8] = {DI_BASE_SIGNED, DI_FP_NONE, 8, 1, 0},
		[FAKE_U8] = {DI_BASE_UNSIGNED, DI_FP_NONE, 8, 1, 0},
		[FAKE_S16] = {DI_BASE_SIGNED, DI_FP_NONE, 16, 2, 0},
		[FAKE_S32] = {DI_BASE_SIGNED, DI_FP_NONE, 32, 4, 0},
		[FAKE_U32] = {DI_BASE_UNSIGNED, DI_FP_NONE, 32, 4, 0},
		[FAKE_S64] = {DI_BASE_SIGNED, DI_FP_NONE, 64, 8, 0},
		[FAKE_U64] = {DI_BASE_UNSIGNED, DI_FP_NONE, 64, 8, 0},
		[FAKE_S72] = {DI_BASE_SIGNED, DI_FP_NONE, 72, 9, 0},
		[FAKE_S128] = {DI_BASE_SIGNED, DI_FP_NONE, 128, 16, 0},
		[FAKE_U128] = {DI_BASE_UNSIGNED, DI_FP_NONE, 128, 16, 0},
		[FAKE_U512] = {DI_BASE_UNSIGNED, DI_FP_NONE, 512, 64, 0},
		[FAKE_U7] = {DI_BASE_UNSIGNED, DI_FP_NONE, 7, 1, 0},
		[FAKE_BOOL] = {DI_BASE_BOOL, DI_FP_NONE, 8, 1, 0},
		[FAKE_ADDRESS] = {DI_BASE_ADDRESS, DI_FP_NONE, 64, 8, 0},
		[FAKE_HALF] = {DI_BASE_FLOAT, DI_FP_HALF, 16, 2, 0},
		[FAKE_FLOAT] = {DI_BASE_FLOAT, DI_FP_SINGLE, 32, 4, 0},
		[FAKE_DOUBLE] = {DI_BASE_FLOAT, DI_FP_DOUBLE, 64, 8, 0},
		[FAKE_LONG_DOUBLE] = {DI_BASE_FLOAT, DI_FP_X87, 128, 16, 0},
		[FAKE_FLOAT128] = {DI_BASE_FLOAT, DI_FP_QUAD, 128, 16, 0},
		[FAKE_U1024] = {DI_BASE_UNSIGNED, DI_FP_NONE, 1024, 128, 0},
		[FAKE_FLOAT24] = {DI_BASE_FLOAT, DI_FP_NONE, 24, 3, 0},
	};
	(void)arg;
	uint64_t index = die - unit->die_base;
	if (index < FAKE_TYPES_END)
		*ret = types[index];
	else
		di_answer_error(answer, DI_WHY_NO_BASE_TYPE, .number = {die});
	return NULL;
}

static struct xs_error *fake_called(void *arg, const struct di_expr_unit *unit, uint64_t die,
	struct di_expr_source *ret, struct di_answer *answer)
{
	static const uint8_t lit5[] = {DW_OP_lit5}, reg5[] = {DW_OP_reg5},
			     lost[] = {DW_OP_breg3, 0};
	static const uint8_t self[] = {DW_OP_call2, FAKE_CALL_SELF, 0};
	static const uint8_t piece[] = {DW_OP_reg0, DW_OP_piece, 4},
			     bad[] = {DW_OP_lit1, DW_OP_plus};
	(void)arg;
	switch (die - unit->die_base) {
	case FAKE_CALL_LIT5:
		*ret = (struct di_expr_source){.data = lit5, .size = sizeof lit5};
		break;
	case FAKE_CALL_REG5:
		*ret = (struct di_expr_source){.data = reg5, .size = sizeof reg5};
		break;
	case FAKE_CALL_NOTHING:
		break;
	case FAKE_CALL_SELF:
		*ret = (struct di_expr_source){.data = self, .size = sizeof self};
		break;
	case FAKE_CALL_LOST:
		*ret = (struct di_expr_source){.data = lost, .size = sizeof lost};
		break;
	case FAKE_CALL_PIECE:
		*ret = (struct di_expr_source){.data = piece, .size = sizeof piece};
		break;
	case FAKE_CALL_BAD:
		*ret = (struct di_expr_source){
			.data = bad, .size = sizeof bad, .section = ".debug_loc", .offset = 0x77};
		break;
	case FAKE_CALL_BAD_UNIT:
		*ret = (struct di_expr_source){.data = bad, .size = 1, .unit = &unit_without_sizes};
		break;
	case FAKE_TROUBLE:
		return xs_error_create("the file is gone");
	default:
		di_answer_error(answer, DI_WHY_NO_DIE, .number = {die});
	}
	return NULL;
}

static struct xs_error *fake_entry_value(void *arg, const struct di_expr_source *source,
	struct di_expr_budget *budget, struct di_value *ret, struct di_answer *answer)
{
	(void)arg, (void)budget;
	if (source->size == 1 && source->data[0] == DW_OP_reg5)
		*ret = (struct di_value){
			.type = di_base_generic(8), .bits = di_wide_from_u(0xe5 + source->offset)};
	else
		di_answer_gone(answer, DI_WHY_OTHER, .text = {"no call site"});
	return NULL;
}

static struct xs_error *fake_parameter_ref(void *arg, const struct di_expr_unit *unit, uint64_t die,
	struct di_expr_budget *budget, struct di_value *ret, struct di_answer *answer)
{
	(void)arg, (void)budget;
	*ret = (struct di_value){
		.type = {DI_BASE_SIGNED, DI_FP_NONE, 32, 4, 0}, .bits = di_wide_from_s(-7)};
	if (die != unit->die_base + FAKE_PARAMETER)
		di_answer_gone(answer, DI_WHY_OTHER, .text = {"no call site parameter"});
	return NULL;
}

/* Recursion through the host: the budget must end it. */
static struct xs_error *fake_variable_value(void *arg, const struct di_expr_unit *unit,
	uint64_t die, struct di_expr_budget *budget, struct di_value *ret, struct di_answer *answer)
{
	static const uint8_t itself[] = {
		DW_OP_GNU_variable_value, FAKE_VARIABLE_RECURSIVE, 0x01, 0, 0, DW_OP_stack_value};
	static const struct di_base real = {DI_BASE_FLOAT, DI_FP_DOUBLE, 64, 8, 0};
	(void)arg;
	if (die == unit->die_base + FAKE_TROUBLE)
		return xs_error_create("the file is gone");
	if (die == unit->die_base + FAKE_VARIABLE) {
		*ret = di_value_make(&real, di_wide_from_u(0x4004000000000000));
	} else if (die == unit->die_base + FAKE_VARIABLE_RECURSIVE) {
		static _Thread_local struct di_location location;
		struct di_expr_request request = {.source = {itself, sizeof itself, unit, NULL, 0},
			.host = &fake_host,
			.budget = budget};
		struct xs_error *err = di_expr_eval(&request, &location);
		if (!err)
			*answer = location.answer;
		return err;
	} else {
		di_answer_error(answer, DI_WHY_NO_DIE, .number = {die});
	}
	return NULL;
}

const struct di_expr_host fake_host = {
	.reg = fake_reg,
	.memory = fake_memory,
	.frame_base = fake_frame_base,
	.cfa = fake_cfa,
	.object = fake_object,
	.tls = fake_tls,
	.indexed = fake_indexed,
	.discarded = fake_discarded,
	.base_type = fake_base_type,
	.called = fake_called,
	.entry_value = fake_entry_value,
	.parameter_ref = fake_parameter_ref,
	.variable_value = fake_variable_value,
};

const struct di_expr_host fake_empty_host = {0};

const char *fake_eval(const uint8_t *bytes, size_t count, bool as_value, char *buf, size_t size)
{
	static _Thread_local struct di_location location;
	struct di_expr_request request = {.source = {bytes, count, &fake_unit, NULL, 0},
		.host = &fake_host,
		.as_value = as_value};
	XS_AUTO(xs_error) err = di_expr_eval(&request, &location);
	if (!err)
		return di_location_text(&location, buf, size);
	snprintf(buf, size, "trouble: %s", err->message);
	return buf;
}
