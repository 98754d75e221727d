#include "oracle/witness/own/start.h"

#include <ctype.h>
#include <fcntl.h>

#include "dwarf/arrival.h"
#include "dwarf/frame.h"

struct ora_start_line ora_start_line(const char *from)
{
	struct ora_start_line ret = {0};
	const char *colon = from ? strrchr(from, ':') : NULL;
	size_t digits = colon ? strspn(colon + 1, "0123456789") : 0;
	/* C++ has colons in names, but no number behind them. */
	if (!digits || colon[1 + digits] || colon == from)
		return ret;
	ret.file = xs_asprintf("%.*s", (int)(colon - from), from);
	ret.line = (uint32_t)strtoul(colon + 1, NULL, 10);
	return ret;
}

struct xs_error *ora_start_addresses(const struct ora_run *run, const char *file, uint32_t line,
	struct xs_ranges *ret, bool *approximate)
{
	const struct ora_module *module = &run->subject->modules.data[0];
	struct di_arrivals arrivals;
	if (file && !di_arrivals_know_file(module->info, file))
		return xs_error_create("%s: no code comes from a file '%s'", run->path, file);
	di_arrivals_find(module->info, file, line, &arrivals);
	*approximate = arrivals.approximate;
	for (size_t i = 0; i < arrivals.addresses.vec.len; i++)
		for (xs_addr at = arrivals.addresses.vec.data[i].lo;
			at < arrivals.addresses.vec.data[i].hi; at++)
			xs_ranges_add(ret, at + module->bias, at + module->bias + 1);
	uint32_t next = arrivals.next;
	di_arrivals_deinit(&arrivals);
	if (ret->vec.len)
		return NULL;
	XS_AUTO_FREE char *what =
		xs_asprintf("%s%sline %u", file ? file : "", file ? ", " : "", line);
	if (next)
		return xs_error_create(
			"%s: no code for %s; the next line with code is %u", run->path, what, next);
	return xs_error_create("%s: no code for %s, nor for any line behind it", run->path, what);
}

struct xs_error *ora_start_run(
	const struct ora_run *run, struct eng_process *process, const char *from)
{
	struct ora_start_line start = ora_start_line(from);
	XS_AUTO_FREE char *file = start.file;
	struct xs_ranges addresses = {0};
	bool approximate;
	if (!file)
		return ora_run_to_function(run, process, from);
	struct xs_error *err = ora_start_addresses(run, file, start.line, &addresses, &approximate);
	xs_ranges_normalise(&addresses);
	if (!err)
		err = ora_run_to(run, process, &addresses, from);
	xs_ranges_deinit(&addresses);
	return err;
}

struct xs_error *ora_start_above(struct ora_machine *machine, const char *from, uint64_t *ret)
{
	struct ora_start_line start = ora_start_line(from);
	XS_AUTO_FREE char *file = start.file;
	struct user_regs_struct *regs;
	struct di_stack stack = {0};
	struct xs_error *err;
	*ret = 0;
	if (!file || (err = eng_tracee_regs(&machine->process->tracee, &regs)))
		return file ? err : NULL;
	if (!(err = di_stack_top(&machine->target, &stack))) {
		const struct di_frame *top = &stack.frames.data[0];
		if (!top->cfa_known || top->cfa < regs->rsp + 8)
			err = xs_error_create("%s: no CFI tells where it returns to; begin at a "
					      "function",
				from);
		else
			*ret = top->cfa - 8 - regs->rsp;
	}
	di_stack_deinit(&stack);
	return err;
}

static struct xs_error *run_there(
	struct ora_run *run, const char *from, xs_addr *address, uint64_t *above)
{
	XS_AUTO(eng_process) process = NULL;
	XS_AUTO(ora_machine) machine = NULL;
	struct user_regs_struct *regs;
	struct xs_error *err;
	if ((err = ora_run_launch(run, &process)) || (err = ora_start_run(run, process, from)) ||
		(err = ora_machine_create(process, run->subject, &machine)) ||
		(err = ora_start_above(machine, from, above)) ||
		(err = eng_tracee_regs(&process->tracee, &regs)))
		return err;
	*address = regs->rip - run->subject->modules.data[0].bias;
	return NULL;
}

/* The same program once more, whose output goes nowhere. A subject of its own: this one learns
 * where the program was loaded. */
static struct ora_run another(const struct ora_run *run, int nothing)
{
	struct ora_run own = *run;
	own.subject = NULL;
	own.out = own.err = nothing;
	return own;
}

struct xs_error *ora_start_find(
	const struct ora_run *run, const char *from, xs_addr *address, uint64_t *above)
{
	const struct di_module *info = run->subject->modules.data[0].info;
	struct ora_start_line start = ora_start_line(from);
	XS_AUTO_FREE char *file = start.file;
	const char *name = from ? from : "main";
	*above = 0;
	if (!file) {
		const struct di_function *function = di_functions_named(info->functions, name);
		if (!function)
			return xs_error_create(
				"%s: no function '%s'; choose one with --from", run->path, name);
		*address = function->entry;
		return NULL;
	}
	XS_AUTO_CLOSE int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (nothing < 0)
		return xs_error_sys("/dev/null");
	struct ora_run own = another(run, nothing);
	struct xs_error *err = run_there(&own, from, address, above);
	ora_run_deinit(&own);
	if (run->in >= 0)
		lseek(run->in, 0, SEEK_SET); /* it is read again, if it can be */
	return err;
}

struct xs_error *ora_start_bias(const struct ora_run *run, uint64_t *ret)
{
	XS_AUTO_CLOSE int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	XS_AUTO(eng_process) process = NULL;
	if (nothing < 0)
		return xs_error_sys("/dev/null");
	struct ora_run own = another(run, nothing);
	own.in = nothing;
	struct xs_error *err = ora_run_launch(&own, &process);
	if (!err)
		*ret = own.subject->modules.data[0].bias;
	ora_run_deinit(&own);
	return err;
}
