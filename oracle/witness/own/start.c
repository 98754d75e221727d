#include "oracle/witness/own/start.h"

#include <ctype.h>
#include <fcntl.h>

#include "dwarf/arrival.h"
#include "dwarf/frame.h"

/* No name of a function begins so. */
static const char until[] = "until ", advance[] = "advance ";

/* `*0x1139#3`. */
static bool parse_stop(struct ora_start *start)
{
	char *end;
	if (start->place[0] != '*' || strncmp(start->place + 1, "0x", 2) != 0)
		return false;
	start->address = strtoull(start->place + 1, &end, 16);
	if (*end != '#' || !isdigit((unsigned char)end[1]))
		return false;
	start->arrival = strtoull(end + 1, &end, 10);
	return !*end && start->arrival;
}

struct ora_start ora_start_parse(const char *from)
{
	struct ora_start ret = {.place = from};
	if (!from)
		return ret;
	if (!strncmp(from, until, sizeof until - 1))
		ret = (struct ora_start){ORA_START_UNTIL, .place = from + sizeof until - 1};
	else if (!strncmp(from, advance, sizeof advance - 1))
		ret = (struct ora_start){ORA_START_ADVANCE, .place = from + sizeof advance - 1};
	else if (parse_stop(&ret))
		ret.way = ORA_START_RANDOM;
	const char *colon = strrchr(ret.place, ':');
	size_t digits = colon ? strspn(colon + 1, "0123456789") : 0;
	/* C++ has colons in names, but no number behind them. */
	if (!digits || colon[1 + digits] || colon == ret.place)
		return ret;
	ret.file = xs_asprintf("%.*s", (int)(colon - ret.place), ret.place);
	ret.line = (uint32_t)strtoul(colon + 1, NULL, 10);
	return ret;
}

void ora_start_deinit(struct ora_start *start)
{
	free(start->file);
}

char *ora_start_text(enum ora_start_way way, const char *place)
{
	return xs_asprintf("%s%s",
		way == ORA_START_UNTIL     ? until
		: way == ORA_START_ADVANCE ? advance
					   : "",
		place);
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

/* From main to the arrival that is meant. */
static struct xs_error *run_to_stop(
	const struct ora_run *run, struct eng_process *process, const struct ora_start *start)
{
	xs_addr address = start->address + run->subject->modules.data[0].bias;
	struct xs_ranges set = {0};
	struct xs_error *err = NULL;
	xs_ranges_add(&set, address, address + 1);
	for (uint64_t i = 0; !err && i < start->arrival; i++)
		err = ora_run_to(run, process, &set, start->place);
	xs_ranges_deinit(&set);
	return err;
}

static struct xs_error *run_to_line(
	const struct ora_run *run, struct eng_process *process, const struct ora_start *start)
{
	struct xs_ranges addresses = {0};
	bool approximate;
	struct xs_error *err =
		ora_start_addresses(run, start->file, start->line, &addresses, &approximate);
	xs_ranges_normalise(&addresses);
	if (!err)
		err = ora_run_to(run, process, &addresses, start->place);
	xs_ranges_deinit(&addresses);
	return err;
}

/* To the place, wherever the process is. */
static struct xs_error *run_on(
	const struct ora_run *run, struct eng_process *process, const struct ora_start *start)
{
	return start->way == ORA_START_RANDOM ? run_to_stop(run, process, start)
	       : start->file                  ? run_to_line(run, process, start)
					      : ora_run_to_function(run, process, start->place);
}

struct xs_error *ora_start_run(
	const struct ora_run *run, struct eng_process *process, const char *from)
{
	struct ora_start start = ora_start_parse(from);
	struct xs_error *err = NULL;
	if (start.way != ORA_START_BREAKPOINT)
		err = ora_run_to_function(run, process, NULL);
	if (!err)
		err = run_on(run, process, &start);
	ora_start_deinit(&start);
	return err;
}

/* The same for a start that is no function. */
static struct xs_error *find_above(struct ora_machine *machine, const char *from, uint64_t *ret)
{
	struct user_regs_struct *regs;
	struct di_stack stack = {0};
	struct xs_error *err = eng_tracee_regs(&machine->process->tracee, &regs);
	if (err)
		return err;
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

struct xs_error *ora_start_above(struct ora_machine *machine, const char *from, uint64_t *ret)
{
	struct ora_start start = ora_start_parse(from);
	bool function = !start.file && start.way != ORA_START_RANDOM;
	ora_start_deinit(&start);
	*ret = 0;
	return function ? NULL : find_above(machine, from, ret);
}

/* Where a process is, as a link-time address, and its stack pointer. */
static struct xs_error *look(
	const struct ora_run *run, struct eng_process *process, xs_addr *address, uint64_t *sp)
{
	struct user_regs_struct *regs;
	struct xs_error *err = eng_tracee_regs(&process->tracee, &regs);
	if (err)
		return err;
	*address = regs->rip - run->subject->modules.data[0].bias;
	*sp = regs->rsp;
	return NULL;
}

static struct xs_error *run_there(struct ora_run *run, const char *from,
	const struct ora_start *start, struct ora_start_found *ret)
{
	XS_AUTO(eng_process) process = NULL;
	XS_AUTO(ora_machine) machine = NULL;
	uint64_t main_sp = 0, sp;
	struct xs_error *err = ora_run_launch(run, &process);
	if (!err && ret->from_main && !(err = ora_run_to_function(run, process, NULL)))
		err = look(run, process, &ret->main, &main_sp);
	if (err || (err = run_on(run, process, start)) ||
		(err = ora_machine_create(process, run->subject, &machine)) ||
		(err = ora_start_above(machine, from, &ret->above)) ||
		(err = look(run, process, &ret->address, &sp)))
		return err;
	ret->in_main = ret->from_main && sp + ret->above == main_sp;
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

/* The first instruction of a function. */
static struct xs_error *find_function(
	const struct ora_run *run, const char *place, struct ora_start_found *ret)
{
	const struct di_module *info = run->subject->modules.data[0].info;
	const char *name = place ? place : "main";
	const struct di_function *function = di_functions_named(info->functions, name);
	if (!function)
		return xs_error_create(
			"%s: no function '%s'; choose one with --from", run->path, name);
	ret->address = function->entry;
	return NULL;
}

struct xs_error *ora_start_find(
	const struct ora_run *run, const char *from, struct ora_start_found *ret)
{
	struct ora_start start = ora_start_parse(from);
	*ret = (struct ora_start_found){.from_main = start.way != ORA_START_BREAKPOINT};
	if (!start.file && !ret->from_main)
		return find_function(run, start.place, ret);
	XS_AUTO_CLOSE int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct xs_error *err = nothing < 0 ? xs_error_sys("/dev/null") : NULL;
	if (!err) {
		struct ora_run own = another(run, nothing);
		err = run_there(&own, from, &start, ret);
		ora_run_deinit(&own);
		if (run->in >= 0)
			lseek(run->in, 0, SEEK_SET); /* it is read again, if it can be */
	}
	ora_start_deinit(&start);
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
