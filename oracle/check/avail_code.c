#include "oracle/check/avail.h"

#include "dwarf/callee.h"
#include "dwarf/place.h"
#include "dwarf/scope.h"
#include "engine/insn.h"

enum { INSTRUCTIONS = 20000 }; /* that are looked at between two hits */

static struct eng_insn decode(
	const struct di_module *module, xs_addr at, const uint8_t **bytes, size_t *size)
{
	*bytes = di_module_bytes(module, at, size);
	*size = *bytes && *size < ENG_INSN_MAX ? *size : ENG_INSN_MAX;
	return *bytes ? eng_insn_decode(*bytes, *size) : (struct eng_insn){0};
}

/* Whether the code of a hit's line has such an instruction, up to the next line's code; with
 * `block` up to a branch. */
static bool has_instruction(const struct ora_check *check, const struct ora_hit *hit, bool block,
	bool (*is_such)(const struct eng_insn *insn, const uint8_t *bytes, size_t size))
{
	const struct di_module *module = check->verdicts.module;
	xs_addr at = hit->place.address;
	const struct di_row *row = module ? di_lines_find(&module->lines, at) : NULL;
	while (row && (row->line == hit->line || block) && !row->end_sequence) {
		size_t size;
		const uint8_t *bytes;
		struct eng_insn insn = decode(module, at, &bytes, &size);
		if (!insn.length)
			return false;
		if (row->line == hit->line && is_such(&insn, bytes, size))
			return true;
		if (block && insn.kind != ENG_INSN_PLAIN && insn.kind != ENG_INSN_REP)
			return false;
		at += insn.length;
		row = di_lines_find(&module->lines, at);
	}
	return false;
}

static bool is_store(const struct eng_insn *insn, const uint8_t *bytes, size_t size)
{
	(void)insn;
	return eng_insn_stores(bytes, size);
}

bool ora_code_stores(const struct ora_check *check, const struct ora_hit *hit, bool block)
{
	return has_instruction(check, hit, block, is_store);
}

/* --- calls ------------------------------------------------------------------------------------ */

/* The slot that a call or jump takes its target from; false: it has none of a fixed address. */
static bool find_slot(const struct eng_insn *insn, xs_addr at, xs_addr *ret)
{
	bool indirect =
		insn->kind == ENG_INSN_INDIRECT_CALL || insn->kind == ENG_INSN_INDIRECT_JUMP;
	*ret = at + insn->length + (uint64_t)insn->offset;
	return indirect && insn->memory && insn->base == ENG_INSN_RIP &&
	       insn->index == ENG_INSN_NO_REG;
}

/* Whether a jump stays in its function. */
static bool is_within(struct di_module *module, xs_addr from, xs_addr to)
{
	const struct di_function *function = di_functions_find(module->functions, from);
	return function && function == di_functions_find(module->functions, to);
}

/* Whether a call, or a jump instead of a last call, goes to that function. */
static bool goes_to(
	struct di_module *module, const struct eng_insn *insn, xs_addr at, const char *name)
{
	xs_addr slot, target = eng_insn_target(insn, at);
	switch (insn->kind) {
	case ENG_INSN_JUMP:
	case ENG_INSN_CONDITIONAL:
		return !is_within(module, at, target) && di_callee_is(module, target, name);
	case ENG_INSN_CALL:
		return di_callee_is(module, target, name);
	default:
		return find_slot(insn, at, &slot) && di_callee_is_linked(module, slot) &&
		       di_callee_slot_is(module, slot, name);
	}
}

/* The same by the names that headers of the C library make of a function's. */
static bool goes_to_some(
	struct di_module *module, const struct eng_insn *insn, xs_addr at, const char *name)
{
	XS_AUTO_FREE char *checked = xs_asprintf("__%s_chk", name);
	XS_AUTO_FREE char *c99 = xs_asprintf("__isoc99_%s", name);
	return goes_to(module, insn, at, name) || goes_to(module, insn, at, checked) ||
	       goes_to(module, insn, at, c99);
}

static bool is_pointer_call(struct di_module *module, const struct eng_insn *insn, xs_addr at)
{
	xs_addr slot;
	return insn->kind == ENG_INSN_INDIRECT_CALL &&
	       !(find_slot(insn, at, &slot) && di_callee_is_linked(module, slot));
}

/* The function or inlined call that code is of. */
static const struct di_block *instance_of(struct di_module *module, xs_addr at)
{
	const struct di_scopes *scopes = di_scopes_at(module, at);
	return scopes->activations.len ? scopes->activations.data[0].function : NULL;
}

xs_addr ora_code_call(const struct ora_check *check, const struct ora_hit *hit, const char *callee)
{
	struct di_module *module = check->verdicts.module;
	xs_addr at = hit->place.address;
	const struct di_row *row = module ? di_lines_find(&module->lines, at) : NULL;
	while (row && (row->line == hit->line || !row->line) && !row->end_sequence) {
		size_t size;
		const uint8_t *bytes;
		struct eng_insn insn = decode(module, at, &bytes, &size);
		/* Arguments that are constants are of no line: that is gone through. */
		if (!insn.length || (!row->line && insn.kind != ENG_INSN_PLAIN))
			return XS_ADDR_NONE;
		if (callee ? goes_to_some(module, &insn, at, callee)
			   : is_pointer_call(module, &insn, at))
			return instance_of(module, at) == instance_of(module, hit->place.address)
				       ? at
				       : XS_ADDR_NONE;
		/* What follows these is not reached from here. */
		if (insn.kind == ENG_INSN_JUMP || insn.kind == ENG_INSN_INDIRECT_JUMP ||
			insn.kind == ENG_INSN_RETURN || insn.kind == ENG_INSN_OTHER)
			return XS_ADDR_NONE;
		at += insn.length;
		row = di_lines_find(&module->lines, at);
	}
	return XS_ADDR_NONE;
}

/* --- what a variable is made of --------------------------------------------------------------- */

struct made_of {
	uint32_t registers; /* as eng_insn_writes() has them */
	bool memory;        /* of its frame: nobody has its address */
};

/* Bits of the registers that a call may change. */
#define CLOBBERED 0xffff0fc7u

/* The bit of a register by its DWARF number; 0: it has none. */
static uint32_t bit_of(uint64_t reg)
{
	static const uint8_t numbers[] = {0, 2, 1, 3, 6, 7, 5, 4};
	if (reg < 8)
		return 1u << numbers[reg];
	if (reg < 16)
		return 1u << reg;
	return reg >= 17 && reg < 33 ? 1u << (reg - 1) : 0;
}

/* False if it cannot be said. */
static bool read_expression(const struct di_expr_source *source, struct made_of *ret)
{
	enum { FBREG = 0x91, STACK_VALUE = 0x9f, REGX = 0x90, BREGX = 0x92 };
	bool place = true;
	struct di_op op;
	struct di_answer answer = {0};
	*ret = (struct made_of){0};
	for (size_t at = 0; at < source->size; at = op.next) {
		if (!di_op_decode(source->unit, source->data, source->size, at, &op, &answer))
			return false;
		bool named = op.code == REGX || op.code == BREGX;
		uint32_t bit = bit_of(named ? op.operand[0] : op.info->implied);
		switch (op.info->class) {
		case DI_OP_REGISTER:
		case DI_OP_BASED:
			if (!bit)
				return false;
			ret->registers |= bit;
			place &= op.info->class == DI_OP_BASED;
			break;
		case DI_OP_CONTEXT:
			if (op.code != FBREG)
				return false;
			break;
		case DI_OP_IMPLICIT:
			place = false;
			break;
		case DI_OP_DEREF:
			ret->memory = true;
			break;
		case DI_OP_CONSTANT:
		case DI_OP_ADDRESS:
		case DI_OP_STACK:
		case DI_OP_UNARY:
		case DI_OP_BINARY:
		case DI_OP_TYPED:
			break;
		default:
			return false;
		}
	}
	ret->memory |= place;
	return source->size > 0;
}

/* The variable's location at a hit; false if there is none, or it is too odd. */
static bool find_made_of(struct di_module *module, const struct ora_hit *hit,
	const struct src_variable *variable, struct made_of *ret)
{
	const struct di_scopes *scopes = di_scopes_at(module, hit->place.address);
	struct di_visible visible;
	for (size_t at = 0; di_scopes_next(scopes, 0, &at, &visible);) {
		const struct di_variable *one = visible.variable;
		if (one->line != variable->line || strcmp(one->name, variable->name) != 0)
			continue;
		struct di_place place;
		Dwarf_Die die = one->die;
		di_place_of_variable(one->unit, &die, hit->place.address, &place, NULL, NULL);
		return place.kind == DI_PLACE_EXPR && read_expression(&place.expr, ret);
	}
	return false;
}

/* --- the ways between two hits ---------------------------------------------------------------- */

struct ways {
	const struct di_module *module;
	struct made_of what;
	xs_addr from, to;
	struct xs_map seen; /* (pc, written) */
	XS_VEC(struct way {
		xs_addr pc;
		bool written; /* on the way here */
	})
	open;
	bool clean, dirty; /* ways that arrive */
};

static void go(struct ways *ways, xs_addr pc, bool written)
{
	if (pc == ways->to) {
		*(written ? &ways->dirty : &ways->clean) = true;
		return;
	}
	uint64_t *seen = xs_map_at(&ways->seen, pc, written);
	if (*seen || pc == ways->from)
		return;
	*seen = 1;
	struct way way = {pc, written};
	xs_vec_push(&ways->open, way);
}

/* False if nobody knows where it goes on. */
static bool follow(struct ways *ways, struct way way)
{
	const uint8_t *bytes;
	size_t size;
	struct eng_insn insn = decode(ways->module, way.pc, &bytes, &size);
	if (!insn.length)
		return false;
	bool call = insn.kind == ENG_INSN_CALL || insn.kind == ENG_INSN_INDIRECT_CALL;
	uint32_t writes = eng_insn_writes(bytes, size) | (call ? CLOBBERED : 0);
	/* A call leaves the stack as it was. */
	writes &= call ? ~(1u << ENG_INSN_RSP) : UINT32_MAX;
	bool written = way.written || writes & ways->what.registers ||
		       (ways->what.memory && eng_insn_writes_frame(bytes, size) && !call);
	switch (insn.kind) {
	case ENG_INSN_JUMP:
		go(ways, eng_insn_target(&insn, way.pc), written);
		return true;
	case ENG_INSN_CONDITIONAL:
		go(ways, eng_insn_target(&insn, way.pc), written);
		go(ways, way.pc + insn.length, written);
		return true;
	case ENG_INSN_RETURN:
	case ENG_INSN_OTHER:
		return true;
	case ENG_INSN_INDIRECT_JUMP:
		return false;
	default:
		go(ways, way.pc + insn.length, written);
		return true;
	}
}

bool ora_code_keeps(const struct ora_check *check, const struct ora_hit *earlier,
	const struct ora_hit *later, const struct src_variable *variable)
{
	struct ways ways = {.module = check->verdicts.module,
		.from = earlier->place.address,
		.to = later->place.address};
	if (!ways.module || !find_made_of(check->verdicts.module, later, variable, &ways.what) ||
		!(ways.what.registers || ways.what.memory))
		return false;
	bool known = follow(&ways, (struct way){ways.from, false});
	for (unsigned count = 0; known && ways.open.len; count++) {
		struct way way = ways.open.data[--ways.open.len];
		known = count < INSTRUCTIONS && follow(&ways, way);
	}
	xs_map_deinit(&ways.seen);
	xs_vec_deinit(&ways.open);
	return known && ways.clean && !ways.dirty;
}
