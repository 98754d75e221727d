/* shadow_test.c - the true stack by events alone: calls, returns, and all ways to leave that are
 * neither. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/truth/shadow.h"

/* Functions are 0x100 apart; a call takes five bytes. */
enum { MAIN = 0x1000, F = 0x1100, G = 0x1200, LIBRARY = 0x9000, SP = 0x8000, LENGTH = 5 };

struct world {
	struct ora_shadow shadow;
	uint64_t reg[DI_REG_GENERAL];
	struct ora_interrupted interrupted;
};

/* A stop at pc behind the instruction at prev, with rsp at sp and `top` there. */
static void stop(
	struct world *world, enum ora_way way, xs_addr prev, xs_addr pc, xs_addr sp, uint64_t top)
{
	struct ora_shadow_step step = {.way = way,
		.prev = prev,
		.next = prev + LENGTH,
		.pc = pc,
		.entry = !(pc & 0xff),
		.function = pc & ~0xffull,
		.reg = world->reg,
		.top_known = true,
		.top = top,
		.interrupted = world->interrupted.pc ? &world->interrupted : NULL,
		.waits = XS_ADDR_NONE};
	world->reg[DI_REG_RSP] = sp;
	world->reg[DI_REG_RIP] = pc;
	ora_shadow_step(&world->shadow, &step);
	world->interrupted.pc = 0;
}

/* The same at a call that leads out. */
static void stop_waiting(struct world *world, xs_addr prev, xs_addr pc, xs_addr sp)
{
	struct ora_shadow_step step = {.way = ORA_WAY_DIRECT,
		.prev = prev,
		.next = pc,
		.pc = pc,
		.function = pc & ~0xffull,
		.reg = world->reg,
		.waits = pc + LENGTH};
	world->reg[DI_REG_RSP] = sp;
	ora_shadow_step(&world->shadow, &step);
}

static struct world begin(void)
{
	struct world world = {0};
	stop(&world, ORA_WAY_FIRST, XS_ADDR_NONE, MAIN, SP, LIBRARY);
	return world;
}

static void expect(struct world *world, size_t depth, xs_addr slot, xs_addr back)
{
	const struct ora_activation *top = ora_shadow_top(&world->shadow);
	assert_non_null(top);
	assert_int_equal(world->shadow.stack.len, depth);
	assert_int_equal(top->slot, slot);
	assert_int_equal(top->back, back);
}

static void end(struct world *world)
{
	ora_shadow_deinit(&world->shadow);
}

static void a_call_and_its_return(void **state)
{
	struct world world = begin();
	(void)state;
	expect(&world, 1, SP, LIBRARY);
	world.reg[DI_REG_RBX] = 7;
	stop(&world, ORA_WAY_CALL, MAIN + 8, F, SP - 24, MAIN + 13);
	expect(&world, 2, SP - 24, MAIN + 13);
	assert_true(ora_shadow_top(&world.shadow)->joined);
	assert_int_equal(ora_shadow_top(&world.shadow)->caller[DI_REG_RBX], 7);
	stop(&world, ORA_WAY_RETURN, F + 9, MAIN + 13, SP - 16, 0);
	expect(&world, 1, SP, LIBRARY);
	end(&world);
}

/* The first call out of the middle of something is known, what it returns to is not. */
static void a_start_in_the_middle_is_lost(void **state)
{
	struct world world = {0};
	(void)state;
	stop(&world, ORA_WAY_FIRST, XS_ADDR_NONE, MAIN + 3, SP, LIBRARY);
	assert_null(ora_shadow_top(&world.shadow));
	stop(&world, ORA_WAY_CALL, MAIN + 8, F, SP - 24, MAIN + 13);
	expect(&world, 1, SP - 24, MAIN + 13);
	assert_false(ora_shadow_top(&world.shadow)->joined);
	stop(&world, ORA_WAY_RETURN, F + 9, MAIN + 13, SP - 16, 0);
	assert_null(ora_shadow_top(&world.shadow));
	end(&world);
}

/* `call next; pop` pushes; a call of what is no function is odd until its word is gone. */
static void calls_that_enter_no_function(void **state)
{
	struct world world = begin();
	(void)state;
	stop(&world, ORA_WAY_CALL, MAIN + 8, MAIN + 13, SP - 24, MAIN + 13);
	expect(&world, 1, SP, LIBRARY);
	assert_int_equal(ora_shadow_top(&world.shadow)->odd, XS_ADDR_NONE);
	stop(&world, ORA_WAY_CALL, MAIN + 20, MAIN + 40, SP - 32, MAIN + 25);
	expect(&world, 1, SP, LIBRARY);
	assert_int_equal(ora_shadow_top(&world.shadow)->odd, SP - 32);
	stop(&world, ORA_WAY_RETURN, MAIN + 44, MAIN + 25, SP - 24, 0);
	expect(&world, 1, SP, LIBRARY);
	assert_int_equal(ora_shadow_top(&world.shadow)->odd, XS_ADDR_NONE);
	end(&world);
}

/* The same where a function begins is a call of it: the one before ends with a call that does not
 * return. */
static void a_call_of_the_function_behind(void **state)
{
	struct world world = begin();
	(void)state;
	stop(&world, ORA_WAY_CALL, F - LENGTH, F, SP - 24, F);
	expect(&world, 2, SP - 24, F);
	end(&world);
}

/* A retpoline enters a function by a return: the word at rsp is the address behind the call. */
static void a_return_that_calls(void **state)
{
	struct world world = begin();
	(void)state;
	stop(&world, ORA_WAY_CALL, MAIN + 20, MAIN + 40, SP - 32, MAIN + 25);
	stop(&world, ORA_WAY_RETURN, MAIN + 50, G, SP - 32, MAIN + 25);
	expect(&world, 2, SP - 32, MAIN + 25);
	stop(&world, ORA_WAY_RETURN, G + 9, MAIN + 25, SP - 24, 0);
	expect(&world, 1, SP, LIBRARY);
	end(&world);
}

/* The frame stays, with what its caller had in its registers; the entry values are new. */
static void a_tail_call(void **state)
{
	struct world world = begin();
	(void)state;
	world.reg[DI_REG_RDI] = 1;
	stop(&world, ORA_WAY_CALL, MAIN + 8, F, SP - 24, MAIN + 13);
	world.reg[DI_REG_RDI] = 2;
	stop(&world, ORA_WAY_DIRECT, F + 9, G, SP - 24, MAIN + 13);
	expect(&world, 2, SP - 24, MAIN + 13);
	const struct ora_activation *top = ora_shadow_top(&world.shadow);
	assert_int_equal(top->caller[DI_REG_RDI], 1);
	assert_int_equal(top->entered[DI_REG_RDI], 2);
	assert_int_equal(top->ended[DI_REG_RDI], 1);
	assert_int_equal(top->tail, F + 9);
	assert_true(top->entered_known);
	/* A jump to its own first instruction may be a loop. */
	stop(&world, ORA_WAY_DIRECT, G + 9, G, SP - 24, MAIN + 13);
	assert_false(ora_shadow_top(&world.shadow)->entered_known);
	/* Out of the library, behind another tail call, it returns to main. */
	stop(&world, ORA_WAY_JUMP_OUT, G + 20, MAIN + 13, SP - 16, 0);
	expect(&world, 1, SP, LIBRARY);
	end(&world);
}

/* Library code calls handlers in a loop, from one place: each is a call of its own, with registers
 * of its own, though the one before has ended with a jump into the library. */
static void handlers_that_end_with_a_jump_out(void **state)
{
	struct world world = begin();
	(void)state;
	world.reg[DI_REG_RBX] = 1;
	stop(&world, ORA_WAY_CALL_OUT, MAIN + 8, F, SP - 64, LIBRARY + 40);
	expect(&world, 2, SP - 64, LIBRARY + 40);
	world.reg[DI_REG_RBX] = 2;
	stop(&world, ORA_WAY_JUMP_OUT, F + 9, G, SP - 64, LIBRARY + 40);
	expect(&world, 2, SP - 64, LIBRARY + 40);
	const struct ora_activation *top = ora_shadow_top(&world.shadow);
	assert_int_equal(top->came, ORA_CAME_OUTSIDE);
	assert_int_equal(top->caller[DI_REG_RBX], 2);
	assert_int_equal(top->tail, XS_ADDR_NONE);
	assert_int_equal(top->function, G);
	/* Called by what is stepped, it can only have been jumped to. */
	stop(&world, ORA_WAY_CALL, G + 8, F, SP - 96, G + 13);
	stop(&world, ORA_WAY_JUMP_OUT, F + 9, MAIN, SP - 96, G + 13);
	expect(&world, 3, SP - 96, G + 13);
	assert_int_equal(ora_shadow_top(&world.shadow)->tail, F + 9);
	end(&world);
}

/* Assembly pushes what an interrupt leaves, and jumps to its handler: no tail call, and it is not
 * known what the frame is until that is gone from the stack. */
static void a_jump_with_something_pushed(void **state)
{
	struct world world = begin();
	(void)state;
	stop(&world, ORA_WAY_CALL, MAIN + 8, F, SP - 24, MAIN + 13);
	stop(&world, ORA_WAY_DIRECT, F + 9, G, SP - 64, 0x12345);
	const struct ora_activation *top = ora_shadow_top(&world.shadow);
	assert_int_equal(top->odd, SP - 64);
	assert_false(top->entered_known);
	/* What is called from there is known. */
	stop(&world, ORA_WAY_CALL, G + 8, F, SP - 96, G + 13);
	expect(&world, 3, SP - 96, G + 13);
	stop(&world, ORA_WAY_RETURN, F + 9, G + 13, SP - 88, 0);
	assert_int_equal(ora_shadow_top(&world.shadow)->odd, SP - 64);
	stop(&world, ORA_WAY_DIRECT, G + 30, F + 20, SP - 24, 0);
	assert_int_equal(ora_shadow_top(&world.shadow)->odd, XS_ADDR_NONE);
	expect(&world, 2, SP - 24, MAIN + 13);
	end(&world);
}

static void a_callback_and_a_longjmp(void **state)
{
	struct world world = begin();
	(void)state;
	stop_waiting(&world, MAIN + 6, MAIN + 8, SP - 16);
	stop(&world, ORA_WAY_CALL_OUT, MAIN + 8, F, SP - 200, LIBRARY + 9);
	expect(&world, 2, SP - 200, LIBRARY + 9);
	assert_int_equal(ora_shadow_top(&world.shadow)->came, ORA_CAME_OUTSIDE);
	/* The second callback: the first has returned into the library. */
	stop(&world, ORA_WAY_RETURN, F + 9, F, SP - 200, LIBRARY + 9);
	expect(&world, 2, SP - 200, LIBRARY + 9);
	stop(&world, ORA_WAY_CALL, F + 8, G, SP - 240, F + 13);
	expect(&world, 3, SP - 240, F + 13);
	/* longjmp to another place of main's, with less on its stack. */
	stop(&world, ORA_WAY_CALL_OUT, G + 8, MAIN + 60, SP - 8, 0);
	expect(&world, 1, SP, LIBRARY);
	end(&world);
}

/* Two activations of one function: rsp tells which of them goes on. */
static void an_exception_in_a_recursion(void **state)
{
	struct world world = begin();
	(void)state;
	stop(&world, ORA_WAY_CALL, MAIN + 8, F, SP - 24, MAIN + 13);
	stop(&world, ORA_WAY_CALL, F + 8, F, SP - 64, F + 13);
	stop(&world, ORA_WAY_CALL, F + 8, F, SP - 104, F + 13);
	stop_waiting(&world, F + 20, F + 30, SP - 120);
	stop(&world, ORA_WAY_CALL_OUT, F + 30, F + 70, SP - 56, 0);
	expect(&world, 2, SP - 24, MAIN + 13);
	end(&world);
}

static void a_signal_between_two_instructions(void **state)
{
	struct world world = begin();
	(void)state;
	stop(&world, ORA_WAY_CALL, MAIN + 8, F, SP - 24, MAIN + 13);
	world.interrupted = (struct ora_interrupted){F + 3, SP - 40, F};
	stop(&world, ORA_WAY_OTHER, F + 1, G, SP - 900, LIBRARY);
	expect(&world, 3, SP - 900, LIBRARY);
	assert_int_equal(ora_shadow_top(&world.shadow)->came, ORA_CAME_SIGNAL);
	/* Another signal follows at once: the kernel makes the same frame again. */
	world.interrupted = (struct ora_interrupted){F + 3, SP - 40, F};
	stop(&world, ORA_WAY_RETURN, G + 9, G, SP - 900, LIBRARY);
	expect(&world, 3, SP - 900, LIBRARY);
	stop(&world, ORA_WAY_RETURN, G + 9, F + 3, SP - 40, 0);
	expect(&world, 2, SP - 24, MAIN + 13);
	end(&world);
}

/* Control comes back on a stack of which nothing is known, at a pc that is known from another. */
static void another_stack_is_lost(void **state)
{
	struct world world = begin();
	(void)state;
	stop(&world, ORA_WAY_CALL, MAIN + 8, F, SP - 24, MAIN + 13);
	stop_waiting(&world, F + 6, F + 8, SP - 40);
	stop(&world, ORA_WAY_CALL_OUT, F + 8, F + 13, 0x400, 0);
	assert_null(ora_shadow_top(&world.shadow));
	/* And on the first one again. */
	stop(&world, ORA_WAY_CALL_OUT, F + 8, F + 13, SP - 40, 0);
	expect(&world, 2, SP - 24, MAIN + 13);
	end(&world);
}

/* A switch of stacks by hand: the return leads to the right address, but on another stack. */
static void a_return_on_another_stack(void **state)
{
	struct world world = begin();
	(void)state;
	stop(&world, ORA_WAY_CALL, MAIN + 8, F, SP - 24, MAIN + 13);
	stop(&world, ORA_WAY_RETURN, F + 9, MAIN + 13, 0x400, 0);
	assert_null(ora_shadow_top(&world.shadow));
	end(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_and_its_return),
		cmocka_unit_test(a_start_in_the_middle_is_lost),
		cmocka_unit_test(calls_that_enter_no_function),
		cmocka_unit_test(a_call_of_the_function_behind),
		cmocka_unit_test(a_return_that_calls),
		cmocka_unit_test(a_tail_call),
		cmocka_unit_test(handlers_that_end_with_a_jump_out),
		cmocka_unit_test(a_jump_with_something_pushed),
		cmocka_unit_test(a_callback_and_a_longjmp),
		cmocka_unit_test(an_exception_in_a_recursion),
		cmocka_unit_test(a_signal_between_two_instructions),
		cmocka_unit_test(another_stack_is_lost),
		cmocka_unit_test(a_return_on_another_stack),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
