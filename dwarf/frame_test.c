/* frame_test.c - real stacks: this process's own, and those of a child at its every instruction. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <execinfo.h>
#include <link.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <ucontext.h>

#include "dwarf/cfi.h"
#include "dwarf/frame.h"
#include "dwarf/frame_subject.h"
#include "dwarf/second.h"
#include "dwarf/words.h"

/* --- a process as a machine state ------------------------------------------------------------- */

struct loaded {
	struct di_mapping mapping;
	struct xs_ranges ranges; /* its segments, process addresses */
};

/* This process, or a child that was forked from it and so has the same modules. */
struct process {
	pid_t pid;
	uint64_t value[DI_REG_GENERAL];
	unsigned reads; /* how often memory was asked for */
};

static struct loaded modules[32];
static size_t module_count;

static int load_module(struct dl_phdr_info *info, size_t size, void *arg)
{
	(void)size, (void)arg;
	const char *path = info->dlpi_name[0] ? info->dlpi_name : "/proc/self/exe";
	struct loaded *loaded = &modules[module_count];
	struct xs_error *err;
	if (module_count == 32 || strchr(path, '/') == NULL) /* the vdso has no file */
		return 0;
	if ((err = di_module_open(path, &loaded->mapping.module)))
		fail_msg("%s", err->message);
	loaded->mapping.bias = info->dlpi_addr;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		xs_addr lo = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
		if (info->dlpi_phdr[i].p_type == PT_LOAD)
			xs_ranges_add(&loaded->ranges, lo, lo + info->dlpi_phdr[i].p_memsz);
	}
	xs_ranges_normalise(&loaded->ranges);
	module_count++;
	return 0;
}

static int load_modules(void **state)
{
	(void)state;
	dl_iterate_phdr(load_module, NULL);
	return 0;
}

static int unload_modules(void **state)
{
	(void)state;
	for (size_t i = 0; i < module_count; i++) {
		di_module_destroy(modules[i].mapping.module);
		xs_ranges_deinit(&modules[i].ranges);
	}
	return 0;
}

static bool process_reg(void *arg, unsigned reg, uint8_t bytes[DI_REG_BYTES], unsigned *size)
{
	const struct process *process = arg;
	if (reg >= DI_REG_GENERAL)
		return false;
	*size = 8;
	memcpy(bytes, &process->value[reg], 8);
	return true;
}

/* By system call, so that a bad address is refused and not a crash. */
static bool process_memory(void *arg, xs_addr addr, void *ret, size_t size)
{
	struct process *process = arg;
	struct iovec local = {ret, size}, remote = {(void *)(uintptr_t)addr, size};
	process->reads++;
	return process_vm_readv(process->pid, &local, 1, &remote, 1, 0) == (ssize_t)size;
}

static const struct di_mapping *process_find(void *arg, xs_addr addr)
{
	(void)arg;
	for (size_t i = 0; i < module_count; i++)
		if (xs_ranges_find(&modules[i].ranges, addr))
			return &modules[i].mapping;
	return NULL;
}

static struct di_target target_of(struct process *process)
{
	return (struct di_target){
		.arg = process, .reg = process_reg, .memory = process_memory, .find = process_find};
}

static struct process from_context(const ucontext_t *context)
{
	static const int order[DI_REG_GENERAL] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI,
		REG_RDI, REG_RBP, REG_RSP, REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13,
		REG_R14, REG_R15, REG_RIP};
	struct process process = {.pid = getpid()};
	for (unsigned i = 0; i < DI_REG_GENERAL; i++)
		process.value[i] = (uint64_t)context->uc_mcontext.gregs[order[i]];
	return process;
}

static struct process from_child(pid_t pid)
{
	struct process process = {.pid = pid};
	struct user_regs_struct regs;
	assert_int_equal(ptrace(PTRACE_GETREGS, pid, NULL, &regs), 0);
	uint64_t value[DI_REG_GENERAL] = {regs.rax, regs.rdx, regs.rcx, regs.rbx, regs.rsi,
		regs.rdi, regs.rbp, regs.rsp, regs.r8, regs.r9, regs.r10, regs.r11, regs.r12,
		regs.r13, regs.r14, regs.r15, regs.rip};
	memcpy(process.value, value, sizeof value);
	return process;
}

/* --- this process ----------------------------------------------------------------------------- */

static struct di_stack stack; /* of the last walk */
static struct di_opinion opinion;
static void *traced[256]; /* what backtrace() says there */
static int traced_count;

static void walk(struct process *process)
{
	struct di_target target = target_of(process);
	struct xs_error *err = di_stack_walk(&target, &stack);
	if (err)
		fail_msg("%s", err->message);
}

static void check_opinion(struct process *process, struct di_second *second)
{
	struct di_target target = target_of(process);
	char text[512];
	size_t frame;
	di_second_walk(second, &target, &opinion);
	if (!di_opinion_agrees(&opinion, &stack, &frame, text, sizeof text))
		fail_msg("at 0x%" PRIx64 ": %s", stack.frames.data[0].pc, text);
}

static int walk_here(int a)
{
	ucontext_t context;
	traced_count = backtrace(traced, 256);
	getcontext(&context);
	struct process process = from_context(&context);
	walk(&process);
	return a;
}

static void check_traced(void)
{
	assert_int_equal(stack.end, DI_STACK_OUTERMOST);
	/* ASan puts a function of its own before backtrace(). */
	size_t more = (size_t)traced_count - stack.frames.len;
	assert_true(more <= 1);
	for (size_t i = 1; i < stack.frames.len; i++)
		assert_int_equal(stack.frames.data[i].pc, (uintptr_t)traced[i + more]);
}

static void own_stack_is_what_backtrace_says(void **state)
{
	(void)state;
	subject_call_o0(walk_here, 1);
	check_traced();
	subject_call_o2(walk_here, 2);
	check_traced();
	subject_call_o2fp(walk_here, 3);
	check_traced();
}

static void caller_is_looked_up_inside_the_call(void **state)
{
	(void)state;
	subject_call_o2(walk_here, 1);
	const struct di_frame *frame = stack.frames.data;
	assert_int_equal(frame[0].lookup, frame[0].pc - frame[0].mapping->bias);
	assert_int_equal(frame[1].lookup, frame[1].pc - frame[1].mapping->bias - 1);
	/* Calls preserve six registers, the stack pointer and the pc follow from the frame. */
	uint32_t preserved = 1u << DI_REG_RBX | 1u << DI_REG_RBP | 0xfu << 12 | 1u << DI_REG_RSP |
			     1u << DI_REG_RIP;
	assert_int_equal(frame[0].known, (1u << DI_REG_GENERAL) - 1);
	assert_int_equal(frame[1].known, preserved);
	assert_int_equal(frame[1].value[DI_REG_RSP], frame[0].cfa);
	assert_int_equal(frame[1].value[DI_REG_RIP], frame[1].pc);
}

static void code_without_eh_frame_is_found_in_debug_frame(void **state)
{
	(void)state;
	char text[1024];
	subject_call_debug(walk_here, 1);
	assert_int_equal(stack.end, DI_STACK_OUTERMOST);
	struct process process = {.pid = getpid()};
	struct di_target target = target_of(&process);
	di_frame_explain(&target, &stack.frames.data[1], text, sizeof text);
	assert_non_null(strstr(text, ".debug_frame+"));
	di_frame_explain(&target, &stack.frames.data[2], text, sizeof text);
	assert_non_null(strstr(text, ".eh_frame+"));
}

/* The next walk of the same stack: fewer reads than frames, no program run again. */
static void repeated_walk_is_cheap(void **state)
{
	(void)state;
	ucontext_t context;
	struct di_answer answer = {0};
	getcontext(&context);
	struct process process = from_context(&context);
	walk(&process);
	size_t rows = 0, again = 0;
	for (size_t i = 0; i < module_count; i++)
		rows += di_cfi_rows(di_module_cfi(modules[i].mapping.module, &answer));
	process.reads = 0;
	walk(&process);
	for (size_t i = 0; i < module_count; i++)
		again += di_cfi_rows(di_module_cfi(modules[i].mapping.module, &answer));
	assert_int_equal(rows, again);
	assert_true(process.reads < stack.frames.len);
	struct di_target target = target_of(&process);
	process.reads = 0;
	assert_null(di_stack_top(&target, &stack));
	assert_int_equal(stack.frames.len, 1);
	assert_int_equal(stack.end, DI_STACK_ASKED);
	assert_true(stack.frames.data[0].cfa_known);
	assert_int_equal(process.reads, 0);
}

static void disagreement_is_told(void **state)
{
	(void)state;
	XS_AUTO(di_second) second = NULL;
	ucontext_t context;
	char text[512], expected[128];
	size_t frame;
	assert_null(di_second_create(&second));
	getcontext(&context);
	struct process process = from_context(&context);
	walk(&process);
	check_opinion(&process, second);
	assert_true(opinion.outermost);
	struct di_second_frame *third = &opinion.frames.data[2];
	third->kept[0] ^= 1;
	assert_false(di_opinion_agrees(&opinion, &stack, &frame, text, sizeof text));
	assert_int_equal(frame, 2);
	assert_int_equal(strncmp(text, "frame 2: RBX 0x", 15), 0);
	third->sp += 8;
	assert_false(di_opinion_agrees(&opinion, &stack, &frame, text, sizeof text));
	snprintf(expected, sizeof expected, "frame 2: sp 0x%" PRIx64 ", libunwind 0x%" PRIx64,
		third->sp - 8, third->sp);
	assert_string_equal(text, expected);
	opinion.sure = 2;
	assert_false(di_opinion_agrees(&opinion, &stack, &frame, text, sizeof text));
	assert_int_equal(frame, 2);
	opinion.blind = true; /* it does not know, so it does not contradict */
	assert_true(di_opinion_agrees(&opinion, &stack, &frame, text, sizeof text));
}

/* --- signals ---------------------------------------------------------------------------------- */

static ucontext_t interrupted; /* what the kernel says was */

static void on_signal(int signal, siginfo_t *info, void *context)
{
	(void)info;
	interrupted = *(ucontext_t *)context;
	walk_here(signal);
}

static void walk_in_handler(int flags)
{
	struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | flags}, old;
	assert_int_equal(sigaction(SIGUSR2, &action, &old), 0);
	raise(SIGUSR2);
	sigaction(SIGUSR2, &old, NULL);
}

static void check_interrupted(void)
{
	struct process there = from_context(&interrupted);
	size_t i = 0;
	check_traced();
	while (i < stack.frames.len && !stack.frames.data[i].signal)
		i++;
	assert_true(i + 1 < stack.frames.len);
	const struct di_frame *frame = &stack.frames.data[i + 1];
	assert_int_equal(frame->pc, there.value[DI_REG_RIP]);
	assert_int_equal(frame->lookup, frame->pc - frame->mapping->bias);
	assert_int_equal(frame->known, (1u << DI_REG_GENERAL) - 1);
	for (unsigned reg = 0; reg < DI_REG_GENERAL; reg++)
		assert_int_equal(frame->value[reg], there.value[reg]);
}

static void signal_frame_brings_every_register_back(void **state)
{
	(void)state;
	walk_in_handler(0);
	check_interrupted();
}

static void signal_frame_leads_to_another_stack(void **state)
{
	(void)state;
	size_t size = 256 * 1024;
	XS_AUTO_FREE char *memory = xs_calloc(1, size);
	stack_t other = {.ss_sp = memory, .ss_size = size}, old;
	assert_int_equal(sigaltstack(&other, &old), 0);
	walk_in_handler(SA_ONSTACK);
	assert_int_equal(sigaltstack(&old, NULL), 0);
	check_interrupted();
}

/* --- what cannot be walked -------------------------------------------------------------------- */

static void pc_in_no_module_ends_the_walk(void **state)
{
	(void)state;
	char text[128];
	struct process process = {.pid = getpid(), .value = {[DI_REG_RIP] = 0x10}};
	walk(&process);
	assert_int_equal(stack.frames.len, 1);
	assert_int_equal(stack.end, DI_STACK_NO_CFI);
	assert_string_equal(
		di_answer_text(&stack.reason, (char[DI_WORDS]){0}), "0x10 is in no module");
	assert_false(stack.frames.data[0].cfa_known);
	struct di_target target = target_of(&process);
	di_frame_explain(&target, &stack.frames.data[0], text, sizeof text);
	assert_string_equal(text, "0x10 is in no module");
}

static void bad_stack_pointer_is_an_answer(void **state)
{
	(void)state;
	struct process process = {.pid = getpid()};
	process.value[DI_REG_RIP] = (uintptr_t)subject_o2;
	process.value[DI_REG_RSP] = 0x1000;
	walk(&process);
	assert_int_equal(stack.frames.len, 1);
	assert_int_equal(stack.frames.data[0].cfa, 0x1008);
	assert_int_equal(stack.end, DI_STACK_ERROR);
	assert_string_equal(di_answer_text(&stack.reason, (char[DI_WORDS]){0}),
		"cannot read 8 bytes at 0x1000");
}

/* A frame pointer chain that bites its tail, in code that has one. */
static void loop_is_noticed(void **state)
{
	(void)state;
	struct di_answer answer = {0};
	const struct di_mapping *self = process_find(NULL, (uintptr_t)subject_o2fp);
	const struct di_cfi_row *row = NULL;
	xs_addr pc = (uintptr_t)subject_o2fp;
	for (; !row || row->cfa.reg != DI_REG_RBP; pc++)
		assert_true(di_cfi_find(
			di_module_cfi(self->module, &answer), pc - self->bias, &row, &answer));
	uint64_t chain[2];
	chain[0] = (uintptr_t)chain;
	chain[1] = pc;
	struct process process = {.pid = getpid()};
	process.value[DI_REG_RIP] = pc;
	process.value[DI_REG_RSP] = process.value[DI_REG_RBP] = (uintptr_t)chain;
	walk(&process);
	assert_int_equal(stack.frames.len, 1);
	assert_int_equal(stack.end, DI_STACK_LIMIT);
	assert_non_null(
		strstr(di_answer_text(&stack.reason, (char[DI_WORDS]){0}), "frame 1, at 0x"));
}

static __attribute__((noinline)) int recurse(int depth)
{
	volatile int rest = depth;
	return depth ? recurse(rest - 1) + rest : walk_here(rest);
}

static void deep_stack_is_cut(void **state)
{
	(void)state;
	recurse(2 * DI_STACK_MAX);
	assert_int_equal(stack.frames.len, DI_STACK_MAX);
	assert_int_equal(stack.end, DI_STACK_LIMIT);
	assert_string_equal(
		di_answer_text(&stack.reason, (char[DI_WORDS]){0}), "more than 1024 frames");
}

/* --- every instruction of a child ------------------------------------------------------------- */

static pid_t fork_child(int (*subject)(int))
{
	pid_t pid = fork();
	if (pid == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		subject(4);
		raise(SIGSTOP);
		_exit(0);
	}
	return pid;
}

/* Steps through the subject: at each instruction the walk ends at the outermost frame, has all the
 * frames that were there before the subject was called, and libunwind agrees. */
static void step_through(int (*subject)(int), bool has_opinion)
{
	XS_AUTO(di_second) second = NULL;
	assert_null(di_second_create(&second));
	pid_t pid = fork_child(subject);
	unsigned steps = 0, sure = 0, signals = 0;
	xs_addr outermost = 0;
	int status, signal = 0;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	for (;;) {
		assert_int_equal(ptrace(PTRACE_SINGLESTEP, pid, NULL, signal), 0);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSTOPPED(status));
		signal = WSTOPSIG(status);
		if (signal == SIGSTOP)
			break;
		signal = signal == SIGTRAP ? 0 : signal;
		struct process process = from_child(pid);
		walk(&process);
		if (stack.end != DI_STACK_OUTERMOST)
			fail_msg("step %u, at 0x%" PRIx64 ": %s", steps, stack.frames.data[0].pc,
				di_answer_text(&stack.reason, (char[DI_WORDS]){0}));
		const struct di_frame *last = &stack.frames.data[stack.frames.len - 1];
		outermost = outermost ? outermost : last->cfa;
		assert_int_equal(last->cfa, outermost);
		check_opinion(&process, second);
		sure += opinion.sure == stack.frames.len;
		for (size_t i = 0; i < stack.frames.len; i++)
			signals += stack.frames.data[i].signal;
		steps++;
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	print_message("%u stops, libunwind walked %u to the end, %u through a signal frame\n",
		steps, sure, signals);
	assert_true(steps > 500);
	assert_true(signals > 20);
	if (has_opinion)
		assert_int_equal(sure, steps);
}

static void every_instruction_o0(void **state)
{
	(void)state;
	step_through(subject_o0, true);
}

static void every_instruction_o2(void **state)
{
	(void)state;
	step_through(subject_o2, true);
}

static void every_instruction_with_frame_pointer(void **state)
{
	(void)state;
	step_through(subject_o2fp, true);
}

static void every_instruction_by_debug_frame(void **state)
{
	(void)state;
	step_through(subject_debug, false);
}

static int release_walks(void **state)
{
	di_stack_deinit(&stack);
	di_opinion_deinit(&opinion);
	return unload_modules(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(own_stack_is_what_backtrace_says),
		cmocka_unit_test(caller_is_looked_up_inside_the_call),
		cmocka_unit_test(code_without_eh_frame_is_found_in_debug_frame),
		cmocka_unit_test(repeated_walk_is_cheap),
		cmocka_unit_test(disagreement_is_told),
		cmocka_unit_test(signal_frame_brings_every_register_back),
		cmocka_unit_test(signal_frame_leads_to_another_stack),
		cmocka_unit_test(pc_in_no_module_ends_the_walk),
		cmocka_unit_test(bad_stack_pointer_is_an_answer),
		cmocka_unit_test(loop_is_noticed),
		cmocka_unit_test(deep_stack_is_cut),
		cmocka_unit_test(every_instruction_o0),
		cmocka_unit_test(every_instruction_o2),
		cmocka_unit_test(every_instruction_with_frame_pointer),
		cmocka_unit_test(every_instruction_by_debug_frame),
	};
	return cmocka_run_group_tests(tests, load_modules, release_walks);
}
