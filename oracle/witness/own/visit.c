#include "oracle/witness/own/visit.h"

#include "dwarf/arrival.h"
#include "dwarf/context.h"
#include "dwarf/entered.h"
#include "dwarf/x86.h"
#include "engine/insn.h"
#include "oracle/witness/own/start.h"

/* Calls of a function that are looked at on the way to a place in it: each takes its time. */
enum { ENTRIES_SEEN = 20000 };

/* A breakpoint in the middle of an instruction would change it. Rows of the line table begin with
 * one; where there is none, nobody can tell. */
static struct xs_error *check_boundary(
	const struct ora_visit *visit, const struct ora_module *module)
{
	const struct di_row *row = di_lines_find(&module->info->lines, visit->address);
	struct eng_tracee *tracee = &visit->process->tracee;
	uint8_t bytes[ENG_INSN_MAX];
	size_t have;
	struct xs_error *err = NULL;
	for (xs_addr at = row ? row->address : visit->address; at < visit->address;) {
		if ((err = eng_tracee_read_some(
			     tracee, at + module->bias, bytes, sizeof bytes, &have)))
			return err;
		struct eng_insn insn = eng_insn_decode(bytes, have);
		if (!insn.length)
			break;
		if (at + insn.length > visit->address)
			return xs_error_create("%s: 0x%" PRIx64
					       " is inside of the instruction at 0x%" PRIx64,
				visit->run.path, visit->address, at);
		at += insn.length;
	}
	return err;
}

/* Where a function is arrived at. Without one of that name there is none, which is an error unless
 * it is main: that can be found in a stripped program, too. */
static struct xs_error *find_function(
	struct ora_visit *visit, struct xs_ranges *addresses, char **what)
{
	const struct ora_module *module = &visit->run.subject->modules.data[0];
	struct di_functions *functions = module->info->functions;
	const char *name = visit->function ? visit->function : "main";
	const struct di_function *function = di_functions_named(functions, name);
	*what = xs_strdup(name);
	if (!function && visit->function) {
		const char *nearest = di_functions_nearest(functions, name);
		return xs_error_create("%s: no function '%s'%s%s%s", visit->run.path, name,
			nearest ? " (nearest: '" : "", nearest ? nearest : "", nearest ? "')" : "");
	}
	if (function) {
		xs_addr behind = di_arrival_behind_prologue(module->info, function->entry);
		xs_ranges_add(addresses, behind + module->bias, behind + module->bias + 1);
	}
	return NULL;
}

/* The addresses of the place, in the process. */
static struct xs_error *find_place(
	struct ora_visit *visit, struct xs_ranges *addresses, char **what)
{
	const struct ora_module *module = &visit->run.subject->modules.data[0];
	const struct di_module *info = module->info;
	if (visit->by_address) {
		*what = xs_asprintf("0x%" PRIx64, visit->address);
		if (!xs_ranges_find(&info->code, visit->address))
			return xs_error_create("%s: no code at %s", visit->run.path, *what);
		xs_ranges_add(addresses, visit->address + module->bias,
			visit->address + module->bias + 1);
		return check_boundary(visit, module);
	}
	if (!visit->line)
		return find_function(visit, addresses, what);
	*what = xs_asprintf("%s%sline %u", visit->file ? visit->file : "", visit->file ? ", " : "",
		visit->line);
	return ora_start_addresses(
		&visit->run, visit->file, visit->line, addresses, &visit->approximate);
}

/* --- entries on the way ----------------------------------------------------------------------- */

/* Whether a variable at a link-time pc is worked out by an entry value. */
static bool asks_entry(struct di_module *module, xs_addr pc)
{
	const struct di_scopes *scopes = di_scopes_at(module, pc);
	for (size_t i = 0; i < scopes->locals.len; i++) {
		const struct di_variable *variable = scopes->locals.data[i].variable;
		Dwarf_Die die = variable->die;
		struct di_place place;
		di_place_of_variable(variable->unit, &die, pc, &place, NULL, NULL);
		if (place.kind == DI_PLACE_EXPR && di_entered_may_be_in(&place.expr))
			return true;
	}
	return false;
}

/* Adds the first instructions of the functions that these addresses are in, where that helps. */
static void find_entries(
	const struct ora_visit *visit, const struct xs_ranges *addresses, struct xs_ranges *ret)
{
	const struct ora_module *module = &visit->run.subject->modules.data[0];
	for (size_t i = 0; i < addresses->vec.len; i++)
		for (xs_addr at = addresses->vec.data[i].lo; at < addresses->vec.data[i].hi; at++) {
			xs_addr pc = at - module->bias;
			const struct di_function *function =
				di_functions_find_debug(module->info->functions, pc);
			if (function && asks_entry(module->info, pc))
				xs_ranges_add(ret, function->entry + module->bias,
					function->entry + module->bias + 1);
		}
	xs_ranges_normalise(ret);
}

/* The function is at its first instruction. */
static void note_entry(struct ora_visit *visit, const struct user_regs_struct *regs)
{
	struct ora_visit_entry entry = {.slot = regs->rsp};
	uint8_t bytes[DI_REG_BYTES];
	unsigned size;
	for (unsigned reg = 0; reg < DI_REG_GENERAL; reg++)
		if (di_x86_reg(regs, NULL, reg, bytes, &size))
			memcpy(&entry.reg[reg], bytes, sizeof entry.reg[reg]);
	/* Calls further in are over. */
	while (visit->entries.len && visit->entries.data[visit->entries.len - 1].slot <= entry.slot)
		visit->entries.len--;
	xs_vec_push(&visit->entries, entry);
}

const uint64_t *ora_visit_entered(const struct ora_visit *visit, xs_addr cfa)
{
	for (size_t i = 0; i < visit->entries.len; i++)
		if (visit->entries.data[i].slot == cfa - 8)
			return visit->entries.data[i].reg;
	return NULL;
}

/* Runs to the next arrival at the place, past entries, of which *left are still looked at. */
static struct xs_error *go_on(struct ora_visit *visit, const struct xs_ranges *addresses,
	const struct xs_ranges *entries, unsigned *left, const char *which)
{
	struct user_regs_struct *regs;
	struct xs_error *err;
	struct xs_ranges both = {0};
	xs_ranges_add_all(&both, addresses);
	xs_ranges_add_all(&both, entries);
	xs_ranges_normalise(&both);
	bool there = false;
	do {
		if ((err = ora_run_to(
			     &visit->run, visit->process, *left ? &both : addresses, which)) ||
			(err = eng_tracee_regs(&visit->process->tracee, &regs)))
			break;
		if (xs_ranges_find(entries, regs->rip) && *left) {
			note_entry(visit, regs);
			/* What was seen is no more if not all is seen. */
			if (!--*left)
				visit->entries.len = 0;
		}
		there = xs_ranges_find(addresses, regs->rip);
	} while (!there);
	xs_ranges_deinit(&both);
	return err;
}

/* Runs to the hit-th arrival at the place. */
static struct xs_error *go_there(struct ora_visit *visit)
{
	struct xs_ranges addresses = {0}, entries = {0};
	XS_AUTO_FREE char *what = NULL;
	struct xs_error *err = find_place(visit, &addresses, &what);
	unsigned left = ENTRIES_SEEN;
	xs_ranges_normalise(&addresses);
	if (!err)
		find_entries(visit, &addresses, &entries);
	if (!err && !addresses.vec.len &&
		!(err = ora_run_to_function(&visit->run, visit->process, NULL)))
		visit->n = visit->hit;
	while (!err && visit->n < visit->hit) {
		XS_AUTO_FREE char *which = visit->hit > 1 ? xs_asprintf("arrival %" PRIu64 " at %s",
								    visit->n + 1, what)
							  : xs_strdup(what);
		if (!(err = go_on(visit, &addresses, &entries, &left, which)))
			visit->n++;
	}
	xs_ranges_deinit(&addresses);
	xs_ranges_deinit(&entries);
	return err;
}

struct xs_error *ora_visit(struct ora_visit *visit)
{
	struct xs_error *err;
	if (visit->core) {
		struct di_module_options options = {
			.debug_file = visit->run.debug_file, .debug_root = visit->run.debug_root};
		if ((err = di_core_open(visit->core, visit->run.path, &options, &visit->core_file)))
			return err;
		visit->target = visit->core_file->target;
		return NULL;
	}
	if ((err = ora_run_launch(&visit->run, &visit->process)))
		return err;
	if ((err = go_there(visit)) ||
		(err = ora_machine_create(visit->process, visit->run.subject, &visit->machine)))
		return err;
	visit->target = visit->machine->target;
	return NULL;
}

void ora_visit_deinit(struct ora_visit *visit)
{
	ora_machine_destroy(visit->machine);
	di_core_destroy(visit->core_file);
	xs_vec_deinit(&visit->entries);
	eng_process_destroy(visit->process);
	ora_run_deinit(&visit->run);
}
