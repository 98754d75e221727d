#include "oracle/witness/own/run.h"

#include <signal.h>
#include <unistd.h>

#include "engine/inject.h"
#include "engine/interrupt.h"
#include "engine/relocate.h"

/* Enough for programs that run others or print text; the same everywhere, for the stack begins
 * below it. */
char *const ora_environment[] = {(char[]){"LC_ALL=C"}, (char[]){"PATH=/usr/bin:/bin"}, NULL};

struct xs_error *ora_run_open(struct ora_run *run)
{
	struct xs_error *err;
	if (run->subject)
		return NULL;
	struct di_module_options options = {
		.debug_file = run->debug_file, .debug_root = run->debug_root};
	if ((err = ora_subject_create(run->path, &options, &run->subject)))
		return err;
	if (access(run->path, X_OK))
		return xs_error_sys("%s: cannot be executed", run->path);
	return NULL;
}

void ora_run_deinit(struct ora_run *run)
{
	ora_subject_destroy(run->subject);
	run->subject = NULL;
}

/* What became of a program that should have gone on. */
static struct xs_error *never_reached(
	const struct ora_run *run, const struct eng_process *process, const char *what)
{
	if (eng_interrupt_signal() && eng_interrupt_signal() != SIGALRM)
		return xs_error_create("%s: interrupted before %s was reached", run->path, what);
	if (eng_interrupt_signal())
		return xs_error_create(
			"%s: %s was not reached within %g seconds", run->path, what, run->timeout);
	if (!process->ended)
		return xs_error_create(
			"%s: became another program before %s was reached", run->path, what);
	if (process->end.kind == ENG_EVENT_EXITED)
		return xs_error_create("%s: exited with status %d before %s was reached", run->path,
			process->end.status, what);
	return xs_error_create("%s: killed by SIG%s before %s was reached", run->path,
		sigabbrev_np(process->end.signal), what);
}

struct xs_error *ora_run_to(const struct ora_run *run, struct eng_process *process,
	const struct xs_ranges *addresses, const char *what)
{
	struct eng_fence fence;
	struct eng_event event;
	eng_fence_init(&fence, addresses);
	struct xs_error *err = eng_process_run_into(process, &fence, 0, &event);
	eng_fence_deinit(&fence);
	if (!err && event.kind != ENG_EVENT_TRAP)
		err = never_reached(run, process, what);
	/* A signal on the very doorstep: send it again, to arrive as soon as the program goes on.
	 */
	if (!err && event.signal)
		kill(process->tracee.pid, event.signal);
	return err;
}

static struct xs_error *run_to_one(
	const struct ora_run *run, struct eng_process *process, xs_addr address, const char *what)
{
	struct xs_ranges set = {0};
	xs_ranges_add(&set, address, address + 1);
	struct xs_error *err = ora_run_to(run, process, &set, what);
	xs_ranges_deinit(&set);
	return err;
}

enum {
	MOVED_FILL = 0xa5,   /* what is below a moved stack */
	MOVED_HEAP = 0x21130 /* by how much a moved heap is higher, as often as it is moved */
};

/* The memory below the stack pointer belongs to nobody, but what the loader left there shows in
 * variables that have no value yet: readings of the clock, which are never the same twice. */
static struct xs_error *clear_dead_stack(struct ora_run *run, struct eng_process *process, int fill)
{
	XS_AUTO_FREE char *path = xs_asprintf("/proc/%d/maps", process->tracee.pid);
	XS_AUTO_FREE char *line = NULL;
	struct user_regs_struct *regs;
	uint64_t lo, hi, rsp;
	size_t size = 0;
	struct xs_error *err = eng_tracee_regs(&process->tracee, &regs);
	if (err)
		return err;
	rsp = regs->rsp;
	XS_AUTO_FILE FILE *maps = fopen(path, "re");
	while (maps && getline(&line, &size, maps) > 0) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64, &lo, &hi) != 2 || rsp <= lo || rsp > hi)
			continue;
		run->stack_lo = lo;
		run->stack_hi = hi;
		XS_AUTO_FREE void *bytes = xs_calloc(1, rsp - lo);
		memset(bytes, fill, rsp - lo);
		return eng_tracee_write(&process->tracee, lo, bytes, rsp - lo);
	}
	return xs_error_create("%s: no stack at 0x%" PRIx64, path, rsp);
}

struct xs_error *ora_run_forget(const struct ora_run *run, struct eng_process *process)
{
	enum { FORGOTTEN = 2048 }; /* bytes: the locals of most functions, arrays apart */
	uint8_t bytes[FORGOTTEN];
	struct user_regs_struct *regs;
	struct xs_error *err = eng_tracee_regs(&process->tracee, &regs);
	/* Stacks of the program's own may end anywhere. */
	if (err || regs->rsp < run->stack_lo + FORGOTTEN || regs->rsp >= run->stack_hi)
		return err;
	memset(bytes, MOVED_FILL + (int)run->moved, sizeof bytes);
	return eng_tracee_write(&process->tracee, regs->rsp - FORGOTTEN, bytes, sizeof bytes);
}

/* That what is about to run is what was looked at. Nobody writes into a file that is running. */
static struct xs_error *check_file(const struct ora_run *run, const struct eng_process *process)
{
	XS_AUTO_FREE char *file = xs_asprintf("/proc/%d/exe", process->tracee.pid);
	if (!run->seen.number || ora_seen_is_at(&run->seen, file))
		return NULL;
	return xs_error_create("%s: became another file after it was looked at", run->path);
}

/* Before the program has asked for any. */
static struct xs_error *move_heap(struct eng_process *process, xs_addr entry, unsigned moved)
{
	int signal = 0;
	struct xs_error *err = eng_inject_brk(process, entry, (size_t)MOVED_HEAP * moved, &signal);
	if (!err && signal)
		kill(process->tracee.pid, signal);
	return err;
}

/* The loader has done its work, and the first instruction of the program's own is to come. */
static struct xs_error *set_rounding(struct eng_process *process, unsigned rounding)
{
	enum { CONTROL_AT = 0, MXCSR_AT = 24, X87 = 0, SSE = 1 };
	const uint16_t control = (uint16_t)(0x37f | rounding << 10); /* both as they are at first */
	const uint32_t mxcsr = 0x1f80 | rounding << 13;
	struct eng_tracee *tracee = &process->tracee;
	struct xs_error *err =
		eng_tracee_write_xsave(tracee, CONTROL_AT, &control, sizeof control, X87);
	return err ? err : eng_tracee_write_xsave(tracee, MXCSR_AT, &mxcsr, sizeof mxcsr, SSE);
}

struct xs_error *ora_run_launch(struct ora_run *run, struct eng_process **ret)
{
	struct xs_error *err;
	XS_AUTO(eng_process) process = NULL;
	if ((err = ora_run_open(run)))
		return err;
	struct eng_launch launch = {.path = run->path,
		.argv = run->argv,
		.environment = run->environment ? run->environment : ora_environment,
		.in = run->in,
		.out = run->out,
		.err = run->err,
		.moved = run->moved,
		.steady = run->steady};
	if ((err = eng_process_create(&launch, run->timeout, &process)) ||
		(err = check_file(run, process)) ||
		(run->moved && (err = eng_relocate(process, run->moved))) ||
		(err = ora_subject_locate(run->subject, process)))
		return err;
	const struct ora_module *module = &run->subject->modules.data[0];
	xs_addr entry = module->info->entry + module->bias;
	if ((err = run_to_one(run, process, entry, "its entry point")) ||
		(err = clear_dead_stack(
			 run, process, run->moved ? MOVED_FILL + (int)run->moved : 0)) ||
		(run->moved && (err = move_heap(process, entry, run->moved))) ||
		(run->rounding && (err = set_rounding(process, run->rounding))))
		return err;
	*ret = xs_take(&process);
	return NULL;
}

/* A stripped program does not say where main is, but its entry code does: the first call it makes
 * is that of the C library's start function, main being the first argument. */
static struct xs_error *find_main(
	const struct ora_run *run, struct eng_process *process, xs_addr *ret)
{
	const struct ora_module *module = &run->subject->modules.data[0];
	struct user_regs_struct *regs;
	struct eng_insn insn = {0};
	struct eng_event event;
	struct xs_error *err;
	for (int i = 0; i < 64; i++) {
		if ((err = eng_process_step(process, 0, &insn, &event)))
			return err;
		if (process->ended || event.kind != ENG_EVENT_STEP)
			break;
		if ((err = eng_tracee_regs(&process->tracee, &regs)))
			return err;
		*ret = regs->rdi;
		bool call = insn.kind == ENG_INSN_CALL || insn.kind == ENG_INSN_INDIRECT_CALL;
		if (call && xs_ranges_find(&module->info->code, regs->rdi - module->bias))
			return NULL;
		if (call)
			break;
	}
	return xs_error_create("%s: stripped, and its entry point does not lead to main; "
			       "keep its symbols (link without -s)",
		run->path);
}

struct xs_error *ora_run_to_function(
	const struct ora_run *run, struct eng_process *process, const char *from)
{
	const struct ora_module *module = &run->subject->modules.data[0];
	struct di_functions *functions = module->info->functions;
	const char *name = from ? from : "main";
	const struct di_function *function = di_functions_named(functions, name);
	xs_addr start = 0;
	struct xs_error *err;
	if (function) {
		start = function->entry + module->bias;
	} else if (!from && (module->info->knowledge != DI_KNOW_LINES || !functions->complete)) {
		if ((err = find_main(run, process, &start)))
			return err;
	} else {
		const char *nearest = di_functions_nearest(functions, name);
		return xs_error_create("%s: no function '%s'%s%s%s; choose one with --from",
			run->path, name, nearest ? " (nearest: '" : "", nearest ? nearest : "",
			nearest ? "')" : "");
	}
	return run_to_one(run, process, start, name);
}
