/* reads_test.c - what was said of a variable holds as long as its place and all that it was read
 * from are the same, and not longer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "dwarf/recall.h"

enum { BASE = 0x1000 };

/* A machine with 64 bytes of memory. */
struct machine {
	uint8_t memory[64];
	uint64_t fetches; /* what `mark` says */
	bool certain;     /* whether it claims that nothing changed since any mark */
	unsigned compared;
};

static bool read_memory(void *arg, xs_addr addr, void *ret, size_t size)
{
	struct machine *machine = arg;
	if (addr < BASE || addr + size > BASE + sizeof machine->memory)
		return false;
	memcpy(ret, machine->memory + (addr - BASE), size);
	machine->compared++;
	return true;
}

static bool read_register(void *arg, unsigned reg, uint8_t bytes[DI_REG_BYTES], unsigned *size)
{
	const struct machine *machine = arg;
	memset(bytes, machine->memory[0], DI_REG_BYTES);
	*size = 32;
	return reg == DI_REG_XMM0;
}

static uint64_t mark(void *arg)
{
	return ((struct machine *)arg)->fetches;
}

static bool is_same(void *arg, xs_addr addr, size_t size, uint64_t since)
{
	const struct machine *machine = arg;
	(void)addr, (void)size;
	return machine->certain && since == machine->fetches;
}

struct fixture {
	struct machine machine;
	struct di_target target;
	struct di_mapping mapping;
	struct di_frame frame;
	struct di_stack stack;
	struct di_context context;
	struct di_place place;
	struct di_reads reads;
};

static void init(struct fixture *fixture)
{
	static const uint8_t expression[] = {0};
	*fixture = (struct fixture){0};
	fixture->target = (struct di_target){
		.arg = &fixture->machine, .reg = read_register, .memory = read_memory};
	fixture->frame = (struct di_frame){
		.lookup = 0x40, .cfa_known = true, .cfa = 0x7000, .known = 1u << DI_REG_RBX};
	fixture->frame.value[DI_REG_RBX] = 5;
	xs_vec_push(&fixture->stack.frames, fixture->frame);
	di_context_init(&fixture->context, &fixture->target, &fixture->stack, 0);
	fixture->context.mapping = &fixture->mapping;
	fixture->place = (struct di_place){
		.kind = DI_PLACE_EXPR, .expr = {.data = expression, .size = 1}, .entry = 8};
	di_reads_begin(&fixture->reads, &fixture->context, &fixture->place);
	fixture->context.reads = &fixture->reads;
}

static void deinit(struct fixture *fixture)
{
	di_reads_deinit(&fixture->reads);
	xs_vec_deinit(&fixture->stack.frames);
}

/* Asks as an evaluation would. */
static void ask_memory(struct fixture *fixture, xs_addr address, size_t size)
{
	uint8_t bytes[64];
	struct di_answer answer;
	di_answer_known(&answer);
	const struct di_leaf_host *host = &fixture->context.leaf;
	assert_null(host->memory(host->arg, address, bytes, size, &answer));
}

static void ask_register(struct fixture *fixture, unsigned reg)
{
	struct di_wide content;
	unsigned bits;
	struct di_answer answer;
	di_answer_known(&answer);
	const struct di_leaf_host *host = &fixture->context.leaf;
	assert_null(host->reg(host->arg, reg, &content, &bits, &answer));
}

static bool holds(struct fixture *fixture)
{
	fixture->context.reads = NULL;
	return di_reads_hold(&fixture->reads, &fixture->context, &fixture->place);
}

static void test_memory(void **state)
{
	struct fixture fixture;
	(void)state;
	init(&fixture);
	ask_memory(&fixture, BASE + 8, 4);
	assert_true(holds(&fixture));
	fixture.machine.memory[12] = 1; /* behind it */
	assert_true(holds(&fixture));
	fixture.machine.memory[11] = 1;
	assert_false(holds(&fixture));
	fixture.machine.memory[11] = 0;
	assert_true(holds(&fixture));
	deinit(&fixture);
}

static void test_registers_and_the_cfa(void **state)
{
	struct fixture fixture;
	xs_addr cfa;
	struct di_answer answer;
	(void)state;
	init(&fixture);
	di_answer_known(&answer);
	ask_register(&fixture, DI_REG_RBX);
	ask_register(&fixture, DI_REG_XMM0); /* 32 bytes */
	assert_null(fixture.context.expr.cfa(&fixture.context, &cfa, &answer));
	assert_true(holds(&fixture));
	fixture.stack.frames.data[0].value[DI_REG_RBX] = 6;
	assert_false(holds(&fixture));
	fixture.stack.frames.data[0].value[DI_REG_RBX] = 5;
	fixture.machine.memory[0] = 1; /* of which xmm0 is made */
	assert_false(holds(&fixture));
	fixture.machine.memory[0] = 0;
	fixture.stack.frames.data[0].cfa += 8;
	assert_false(holds(&fixture));
	fixture.stack.frames.data[0].cfa -= 8;
	fixture.stack.frames.data[0].known = 0;
	assert_false(holds(&fixture));
	deinit(&fixture);
}

/* What a call site says is evaluated in the caller's frame, by its registers. */
static void test_callers(void **state)
{
	struct fixture fixture;
	struct di_context caller;
	struct di_wide content;
	unsigned bits;
	struct di_answer answer;
	(void)state;
	init(&fixture);
	xs_vec_push(&fixture.stack.frames, fixture.frame);
	assert_true(di_context_caller(&fixture.context, 1, &caller));
	assert_false(di_context_caller(&fixture.context, 2, &caller));
	di_answer_known(&answer);
	assert_null(caller.expr.reg(&caller, DI_REG_RBX, &content, &bits, &answer));
	di_reads_note(&fixture.reads, DI_READ_PC, 1, 0, &fixture.stack.frames.data[1].pc, 8);
	assert_true(holds(&fixture));
	fixture.stack.frames.data[0].value[DI_REG_RBX] = 6; /* its own is none of it */
	assert_true(holds(&fixture));
	fixture.stack.frames.data[1].value[DI_REG_RBX] = 6;
	assert_false(holds(&fixture));
	fixture.stack.frames.data[1].value[DI_REG_RBX] = 5;
	fixture.stack.frames.data[1].pc++;
	assert_false(holds(&fixture));
	fixture.stack.frames.data[1].pc--;
	assert_true(holds(&fixture));
	fixture.stack.frames.len = 1; /* nobody walked that far */
	assert_false(holds(&fixture));
	deinit(&fixture);
}

/* A register that nobody saved stays unknown, until a callee does save it. */
static void test_registers_that_are_not_saved(void **state)
{
	struct fixture fixture;
	(void)state;
	init(&fixture);
	xs_vec_push(&fixture.stack.frames, fixture.frame);
	fixture.context.frame = 1;
	ask_register(&fixture, DI_REG_RAX);
	assert_true(holds(&fixture));
	fixture.stack.frames.data[1].known |= 1u << DI_REG_RAX;
	assert_false(holds(&fixture));
	deinit(&fixture);
}

/* Another expression, another entry of the list, another module: another place. */
static void test_place(void **state)
{
	static const uint8_t other[] = {0};
	struct fixture fixture;
	struct di_mapping elsewhere = {0};
	(void)state;
	init(&fixture);
	assert_true(holds(&fixture));
	struct di_place place = fixture.place;
	fixture.place.expr.data = other;
	assert_false(holds(&fixture));
	fixture.place = place;
	fixture.place.entry++;
	assert_false(holds(&fixture));
	fixture.place = (struct di_place){.kind = DI_PLACE_ELSEWHERE, .entry = place.entry};
	assert_false(holds(&fixture));
	fixture.place = place;
	fixture.context.mapping = &elsewhere;
	assert_false(holds(&fixture));
	deinit(&fixture);
}

/* Where the pc chose something beyond the place (a bound that is a variable with a list). */
static void test_pc(void **state)
{
	struct fixture fixture;
	(void)state;
	init(&fixture);
	fixture.stack.frames.data[0].lookup = 0x44;
	assert_true(holds(&fixture));
	fixture.reads.lookup = 0x40;
	assert_false(holds(&fixture));
	deinit(&fixture);
}

/* What could not be read may be readable, or unreadable for another reason, next time. */
static void test_what_failed_is_asked_again(void **state)
{
	struct fixture fixture;
	(void)state;
	init(&fixture);
	ask_memory(&fixture, BASE - 8, 4);
	assert_false(holds(&fixture));
	deinit(&fixture);
	init(&fixture);
	ask_register(&fixture, 200);
	assert_false(holds(&fixture));
	deinit(&fixture);
}

/* A machine that knows what changed is believed, and spares the comparison. */
static void test_marks(void **state)
{
	struct fixture fixture;
	(void)state;
	init(&fixture);
	fixture.target.mark = mark;
	fixture.target.is_same = is_same;
	ask_memory(&fixture, BASE, 4);
	assert_true(holds(&fixture));
	unsigned compared = fixture.machine.compared;
	fixture.machine.certain = true;
	assert_true(holds(&fixture));
	assert_int_equal(fixture.machine.compared, compared);
	fixture.machine.fetches++;
	assert_true(holds(&fixture)); /* not sure any more, but the same */
	assert_int_equal(fixture.machine.compared, compared + 1);
	assert_true(holds(&fixture)); /* and sure again since then */
	assert_int_equal(fixture.machine.compared, compared + 1);
	deinit(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_registers_and_the_cfa),
		cmocka_unit_test(test_callers),
		cmocka_unit_test(test_registers_that_are_not_saved),
		cmocka_unit_test(test_place),
		cmocka_unit_test(test_pc),
		cmocka_unit_test(test_what_failed_is_asked_again),
		cmocka_unit_test(test_marks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
