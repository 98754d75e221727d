#include "oracle/witness/own/visit.h"

#include "engine/insn.h"
#include "oracle/witness/own/start.h"

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
	*what = xs_asprintf("%s%sline %u", visit->file ? visit->file : "", visit->file ? ", " : "",
		visit->line);
	return ora_start_addresses(
		&visit->run, visit->file, visit->line, addresses, &visit->approximate);
}

/* Runs to the hit-th arrival at the place. */
static struct xs_error *go_there(struct ora_visit *visit)
{
	struct xs_ranges addresses = {0};
	XS_AUTO_FREE char *what = NULL;
	struct xs_error *err = find_place(visit, &addresses, &what);
	xs_ranges_normalise(&addresses);
	while (!err && visit->n < visit->hit) {
		XS_AUTO_FREE char *which = visit->hit > 1 ? xs_asprintf("arrival %" PRIu64 " at %s",
								    visit->n + 1, what)
							  : xs_strdup(what);
		if (!(err = ora_run_to(&visit->run, visit->process, &addresses, which)))
			visit->n++;
	}
	xs_ranges_deinit(&addresses);
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
	if (visit->by_address || visit->line) {
		err = go_there(visit);
	} else if (!(err = ora_run_to_function(&visit->run, visit->process, NULL))) {
		visit->n = 1;
	}
	if (err || (err = ora_machine_create(visit->process, visit->run.subject, &visit->machine)))
		return err;
	visit->target = visit->machine->target;
	return NULL;
}

void ora_visit_deinit(struct ora_visit *visit)
{
	ora_machine_destroy(visit->machine);
	di_core_destroy(visit->core_file);
	eng_process_destroy(visit->process);
	ora_run_deinit(&visit->run);
}
