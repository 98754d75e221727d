/* machine_test.c - the state of a live process, against what the program put there. */
#include "oracle/witness/own/machine.h"
#include "oracle/witness/own/record.h"
#include "testdata/tool/registers.h"

static void succeed(struct xs_error *err)
{
	if (err)
		fail_msg("%s", err->message);
}

static void run_to(struct eng_process *process, const struct ora_subject *subject, const char *name)
{
	const struct ora_module *module = &subject->modules.data[0];
	const struct di_function *function = di_functions_named(module->info->functions, name);
	struct xs_ranges set = {0};
	struct eng_fence fence;
	struct eng_event event;
	assert_non_null(function);
	xs_addr address = function->entry + module->bias;
	xs_ranges_add(&set, address, address + 1);
	eng_fence_init(&fence, &set);
	xs_ranges_deinit(&set);
	succeed(eng_process_run_into(process, &fence, 0, &event));
	eng_fence_deinit(&fence);
	assert_int_equal(event.kind, ENG_EVENT_TRAP);
}

static void live_process(void **state)
{
	(void)state;
	char path[] = SUBJECT, *argv[] = {path, NULL};
	XS_AUTO(ora_subject) subject = NULL;
	XS_AUTO(eng_process) process = NULL;
	XS_AUTO(ora_machine) machine = NULL;
	struct eng_launch launch = {
		.path = path, .argv = argv, .environment = ora_environment, .out = 2, .err = 2};
	succeed(ora_subject_create(path, NULL, &subject));
	succeed(eng_process_create(&launch, 60, &process));
	succeed(ora_subject_locate(subject, process));
	run_to(process, subject, "before");
	succeed(ora_machine_create(process, subject, &machine));
	const struct di_target *target = &machine->target;
	/* Modules are opened when they are asked for, and once. */
	assert_int_equal(subject->modules.len, 1);
	const struct di_mapping *own = target->find(target->arg, number_in(target, DI_REG_RIP, 8));
	assert_ptr_equal(own->module, subject->modules.data[0].info);
	assert_int_equal(subject->modules.len, 1);

	/* libm is loaded behind the machine's back. */
	run_to(process, subject, "stop_here");
	check_registers(target);
	check_memory(target);
	check_modules(target);
	assert_int_equal(subject->modules.len, 2);
	assert_ptr_equal(target->find(target->arg, number_in(target, DI_REG_RIP, 8)), own);
	check_modules(target);
	assert_int_equal(subject->modules.len, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(live_process),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
