#include "oracle/check/twice.h"

#include <string.h>

#include "dwarf/callee.h"
#include "engine/insn.h"

static const char *const names[] = {"setjmp", "_setjmp", "__setjmp", "sigsetjmp", "__sigsetjmp",
	"vfork", "__vfork", "getcontext", "savectx", NULL};

/* Of one function, what rule 2 wants. */
enum { FRAME_POINTER = 1, STACK_POINTER = 2, PLACE = 4, ALL = 7 };

struct search {
	struct di_module *module;
	struct xs_map targets; /* of calls -> 1: returns once, 2: twice */
	const struct di_function *function;
	unsigned seen; /* in it */
	void (*on_function)(void *arg, const char *name);
	void *arg;
};

static bool is_one(const char *name)
{
	for (const char *const *one = names; *one; one++)
		if (name && !strcmp(name, *one))
			return true;
	return false;
}

/* Whether what is called at an address, or by a slot, returns twice. */
static bool goes_twice(struct search *search, xs_addr target, bool slot)
{
	enum { ONCE = 1, TWICE = 2 };
	uint64_t *known = xs_map_at(&search->targets, target, slot);
	if (*known)
		return *known == TWICE;
	const struct di_function *own =
		slot ? NULL : di_functions_find(search->module->functions, target);
	bool twice = own && own->entry == target && is_one(own->name);
	for (const char *const *one = names; *one && !twice && !own; one++)
		twice = slot ? di_callee_slot_is(search->module, target, *one)
			     : di_callee_is(search->module, target, *one);
	*known = twice ? TWICE : ONCE;
	return twice;
}

static bool is_within(struct search *search, xs_addr address)
{
	return di_functions_find(search->module->functions, address) == search->function &&
	       search->function->entry != address;
}

/* The parts of rule 2: `mov %rbp,...`, `mov %rsp,...`, `lea ...(%rip),...`. */
static unsigned part_of(
	struct search *search, const struct eng_insn *insn, xs_addr at, const uint8_t *bytes)
{
	enum { WIDE = 0x48, STORE = 0x89, LEA = 0x8d, FRAME = 0xe5, BY_RIP = 5, RSP = 4, RBP = 5 };
	uint8_t operands = insn->length > 2 ? bytes[2] : 0, reg = operands >> 3 & 7;
	if (insn->length < 3 || (bytes[0] & 0xf8) != WIDE)
		return 0;
	if (bytes[1] == STORE && !(bytes[0] & 4) && operands != FRAME)
		return reg == RBP ? FRAME_POINTER : reg == RSP ? STACK_POINTER : 0;
	if (bytes[1] != LEA || (operands & 0xc7) != BY_RIP || insn->length != 7)
		return 0;
	int32_t distance;
	memcpy(&distance, bytes + 3, sizeof distance);
	return is_within(search, at + insn->length + (uint64_t)(int64_t)distance) ? PLACE : 0;
}

static void look_at(
	struct search *search, const struct eng_insn *insn, xs_addr at, const uint8_t *bytes)
{
	bool slot = insn->kind == ENG_INSN_INDIRECT_CALL && insn->memory &&
		    insn->base == ENG_INSN_RIP && insn->index == ENG_INSN_NO_REG;
	if (insn->kind != ENG_INSN_CALL && insn->kind != ENG_INSN_PLAIN && !slot)
		return;
	if (insn->kind == ENG_INSN_PLAIN)
		search->seen |= part_of(search, insn, at, bytes);
	bool twice = insn->kind == ENG_INSN_PLAIN
			     ? search->seen == ALL
			     : goes_twice(search, at + insn->length + (uint64_t)insn->offset, slot);
	if (twice)
		search->on_function(search->arg, search->function->name);
}

void ora_twice_find(
	struct di_module *module, void (*on_function)(void *arg, const char *name), void *arg)
{
	struct search search = {.module = module, .on_function = on_function, .arg = arg};
	size_t count;
	const struct di_function_range *ranges = di_functions_ranges(module->functions, &count);
	for (size_t i = 0; i < count; i++) {
		if (search.function != ranges[i].function)
			search.seen = 0;
		search.function = ranges[i].function;
		for (xs_addr at = ranges[i].lo; at < ranges[i].hi;) {
			size_t size;
			const uint8_t *bytes = di_module_bytes(module, at, &size);
			struct eng_insn insn =
				bytes ? eng_insn_decode(
						bytes, size < ENG_INSN_MAX ? size : ENG_INSN_MAX)
				      : (struct eng_insn){0};
			if (!insn.length)
				break;
			look_at(&search, &insn, at, bytes);
			at += insn.length;
		}
	}
	xs_map_deinit(&search.targets);
}
