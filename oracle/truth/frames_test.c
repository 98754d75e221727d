/* frames_test.c - a walk against the true stack: what is paired, what is wrong, what is left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/truth/frames.h"

enum { SLOT = 0x7000, BACK = 0x1105, MAIN_SLOT = 0x7100, MAIN_BACK = 0x9000, RBX = 5 };

/* main has called a function, and the walk is right. */
struct world {
	struct ora_shadow shadow;
	struct di_stack stack;
	struct di_target target;
	struct ora_asked asked;
	struct ora_frames frames;
	xs_addr changed; /* a slot that no longer holds the return address */
};

static bool memory(void *arg, xs_addr addr, void *ret, size_t size)
{
	const struct world *world = arg;
	uint64_t word = addr == SLOT ? BACK : addr == MAIN_SLOT ? MAIN_BACK : 0;
	if (addr == world->changed)
		word = 0;
	memcpy(ret, &word, size);
	return true;
}

static void add_activation(struct world *world, enum ora_came came, xs_addr slot, xs_addr back)
{
	struct ora_activation one = {.came = came,
		.joined = world->shadow.stack.len,
		.slot = slot,
		.back = back,
		.odd = XS_ADDR_NONE,
		.held_pc = BACK};
	one.caller[DI_REG_RBX] = RBX;
	xs_vec_push(&world->shadow.stack, one);
}

static void add_frame(struct world *world, xs_addr pc, xs_addr cfa)
{
	struct di_frame frame = {.pc = pc, .cfa = cfa, .cfa_known = true, .known = 0x1ffff};
	frame.value[DI_REG_RBX] = RBX;
	xs_vec_push(&world->stack.frames, frame);
}

static void begin(struct world *world, enum ora_came came)
{
	*world = (struct world){.target = {.arg = world, .memory = memory}};
	add_activation(world, ORA_CAME_START, MAIN_SLOT, MAIN_BACK);
	add_activation(world, came, SLOT, BACK);
	add_frame(world, 0x1200, SLOT + 8);
	add_frame(world, BACK, MAIN_SLOT + 8);
	add_frame(world, MAIN_BACK, MAIN_SLOT + 0x100);
	world->stack.end = DI_STACK_OUTERMOST;
}

static enum ora_flaw compare(struct world *world)
{
	ora_frames_compare(
		&world->stack, &world->target, &world->shadow, &world->asked, &world->frames);
	return world->frames.flaw;
}

static void end(struct world *world)
{
	ora_shadow_deinit(&world->shadow);
	di_stack_deinit(&world->stack);
	ora_asked_deinit(&world->asked);
	ora_frames_deinit(&world->frames);
}

static void all_is_right(void **state)
{
	struct world world;
	(void)state;
	begin(&world, ORA_CAME_CALL);
	assert_int_equal(compare(&world), ORA_FLAW_NONE);
	assert_int_equal(world.frames.pairs.len, 2);
	assert_int_equal(world.frames.pairs.data[1].activation, 0);
	/* Two CFAs, two return addresses, two times six registers. */
	assert_int_equal(ora_asked_total(&world.asked), 16);
	end(&world);
}

static void each_thing_can_be_wrong(void **state)
{
	struct world world;
	(void)state;
	begin(&world, ORA_CAME_CALL);
	world.stack.frames.data[0].cfa = SLOT;
	assert_int_equal(compare(&world), ORA_FLAW_CFA);
	assert_int_equal(world.frames.truth, SLOT + 8);
	world.stack.frames.data[0].cfa = SLOT + 8;
	world.stack.frames.data[1].pc = 0x1111;
	assert_int_equal(compare(&world), ORA_FLAW_RETURN);
	assert_int_equal(world.frames.given, 0x1111);
	world.stack.frames.data[1].pc = BACK;
	world.stack.frames.data[1].value[DI_REG_RBX] = 6;
	assert_int_equal(compare(&world), ORA_FLAW_REGISTER);
	assert_int_equal(world.frames.registers, 1u << DI_REG_RBX);
	/* Of an outer frame, too. */
	world.stack.frames.data[1].value[DI_REG_RBX] = RBX;
	world.stack.frames.data[1].cfa++;
	assert_int_equal(compare(&world), ORA_FLAW_CFA);
	assert_int_equal(world.frames.pairs.len, 2);
	end(&world);
}

static void no_information(void **state)
{
	struct world world;
	(void)state;
	begin(&world, ORA_CAME_CALL);
	world.stack.frames.len = 1;
	world.stack.frames.data[0].cfa_known = false;
	world.stack.end = DI_STACK_NO_CFI;
	assert_int_equal(compare(&world), ORA_FLAW_NO_CFI);
	world.stack.end = DI_STACK_ERROR;
	assert_int_equal(compare(&world), ORA_FLAW_BAD_CFI);
	/* The return address is undefined on purpose: nothing is claimed. */
	world.stack.frames.data[0].cfa_known = true;
	world.stack.end = DI_STACK_OUTERMOST;
	assert_int_equal(compare(&world), ORA_FLAW_NONE);
	assert_non_null(world.frames.ended);
	end(&world);
}

/* A frame that the walk comes to and does not believe still tells what its callee's row says. */
static void a_refused_frame_counts(void **state)
{
	struct world world;
	(void)state;
	begin(&world, ORA_CAME_CALL);
	world.stack.refused = world.stack.frames.data[1];
	world.stack.refused.value[DI_REG_RBX] = 6;
	world.stack.refused_known = true;
	world.stack.frames.len = 1;
	world.stack.end = DI_STACK_LIMIT;
	assert_int_equal(compare(&world), ORA_FLAW_REGISTER);
	end(&world);
}

/* What is not certain is left, whatever the walk says. */
static void what_is_not_certain_is_left(void **state)
{
	struct world world;
	(void)state;
	begin(&world, ORA_CAME_CALL);
	world.stack.frames.data[0].cfa = 1;
	world.changed = SLOT;
	assert_int_equal(compare(&world), ORA_FLAW_NONE);
	world.changed = 0;
	world.shadow.stack.data[1].odd = SLOT - 32;
	assert_int_equal(compare(&world), ORA_FLAW_NONE);
	world.shadow.lost = true;
	assert_int_equal(compare(&world), ORA_FLAW_NONE);
	assert_int_equal(world.frames.pairs.len, 0);
	assert_int_equal(ora_asked_total(&world.asked), 0);
	end(&world);
}

/* Behind library code the walk must come out at the frame that waits, or nothing is asked. */
static void library_code_lies_between(void **state)
{
	struct world world;
	(void)state;
	begin(&world, ORA_CAME_OUTSIDE);
	world.shadow.stack.data[1].back = 0x9900;
	world.changed = XS_ADDR_NONE;
	struct di_frame library = {
		.pc = 0x9900, .cfa = 0x7080, .cfa_known = true, .known = 0x1ffff};
	library.value[DI_REG_RBX] = RBX;
	world.stack.frames.len = 1;
	xs_vec_push(&world.stack.frames, library);
	add_frame(&world, BACK, MAIN_SLOT + 8);
	add_frame(&world, MAIN_BACK, MAIN_SLOT + 0x100);
	/* Its slot holds another word than it was called with. */
	assert_int_equal(compare(&world), ORA_FLAW_NONE);
	assert_int_equal(world.frames.pairs.len, 1);
	world.shadow.stack.data[1].back = BACK;
	world.stack.frames.data[1].pc = BACK;
	assert_int_equal(compare(&world), ORA_FLAW_NONE);
	assert_int_equal(world.frames.pairs.len, 2);
	assert_int_equal(world.frames.pairs.data[1].frame, 2);
	world.stack.frames.data[2].cfa++;
	assert_int_equal(compare(&world), ORA_FLAW_NONE);
	assert_int_equal(world.frames.pairs.len, 1);
	end(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_is_right),
		cmocka_unit_test(each_thing_can_be_wrong),
		cmocka_unit_test(no_information),
		cmocka_unit_test(a_refused_frame_counts),
		cmocka_unit_test(what_is_not_certain_is_left),
		cmocka_unit_test(library_code_lies_between),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
