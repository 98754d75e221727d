#include "oracle/witness/own/machine.h"

#include "base/log.h"
#include "dwarf/x86.h"
#include "oracle/witness/own/mapped.h"

/* --- what is loaded --------------------------------------------------------------------------- */

static void loaded_destroy(struct ora_loaded *loaded)
{
	free(loaded->path);
	free(loaded);
}

/* Reads the list again. */
static struct xs_error *read_loaded(struct ora_machine *machine)
{
	di_loads_deinit(&machine->mapped);
	return ora_mapped_read(machine->process, &machine->mapped);
}

/* --- from an address to a module -------------------------------------------------------------- */

static void warn_of(const char *path, const char *why)
{
	xs_log(XS_LOG_ORACLE, XS_LOG_WARN, "%s%s%s; nothing is known about its code",
		path ? path : "", path ? ": " : "", why);
}

/* The entry of a load, made when it is first asked for; NULL is that of a file that cannot be
 * placed. What cannot be opened is warned of, once. */
static struct ora_loaded *entry_of(
	struct ora_machine *machine, const char *path, const struct di_load *load)
{
	const struct ora_module *module = NULL;
	uint64_t bias = load ? load->bias : XS_ADDR_NONE;
	for (size_t i = 0; i < machine->loaded.len; i++) {
		struct ora_loaded *known = machine->loaded.data[i];
		if (known->bias == bias && !strcmp(known->path, path))
			return known;
	}
	struct ora_loaded *fresh = xs_calloc(1, sizeof *fresh);
	*fresh = (struct ora_loaded){.path = xs_strdup(path), .bias = bias};
	xs_vec_push(&machine->loaded, fresh);
	if (!load) {
		warn_of(path, "cannot be read, or is not what was mapped");
		return fresh;
	}
	XS_AUTO(xs_error) err = ora_subject_module_at(machine->subject, path, load, &module);
	if (err)
		warn_of(NULL, err->message);
	else
		fresh->mapping = (struct di_mapping){module->info, module->bias};
	return fresh;
}

static bool holds(const struct di_mapping *mapping, xs_addr addr)
{
	return mapping->module && di_module_holds(mapping->module, addr - mapping->bias);
}

/* The one whose segments hold addr, or NULL. */
static const struct di_mapping *find_loaded(struct ora_machine *machine, xs_addr addr)
{
	const struct di_loads *mapped = &machine->mapped;
	if (holds(&machine->program, addr))
		return &machine->program;
	const struct di_load *load = di_loads_at(&machine->mapped, addr);
	size_t file = load ? load->file : di_loads_file_at(mapped, addr);
	if (file == SIZE_MAX)
		return NULL;
	const struct ora_loaded *loaded = entry_of(machine, mapped->files.data[file].path, load);
	return holds(&loaded->mapping, addr) ? &loaded->mapping : NULL;
}

static const struct di_mapping *find(void *arg, xs_addr addr)
{
	struct ora_machine *machine = arg;
	const struct di_mapping *mapping = find_loaded(machine, addr);
	if (mapping || (*xs_map_at(&machine->unknown, addr / ENG_PAGE_SIZE, 0))++)
		return mapping;
	XS_AUTO(xs_error) err = read_loaded(machine);
	if (err)
		xs_log(XS_LOG_ORACLE, XS_LOG_WARN, "%s", err->message);
	return find_loaded(machine, addr);
}

/* --- registers and memory --------------------------------------------------------------------- */

static bool reg(void *arg, unsigned number, uint8_t bytes[DI_REG_BYTES], unsigned *size)
{
	struct eng_tracee *tracee = &((struct ora_machine *)arg)->process->tracee;
	struct user_regs_struct *regs = NULL;
	const struct xs_xstate *xstate = NULL;
	XS_AUTO(xs_error)
	err = di_x86_is_extended(number) ? eng_tracee_xstate(tracee, &xstate)
					 : eng_tracee_regs(tracee, &regs);
	if (err)
		xs_log(XS_LOG_ORACLE, XS_LOG_WARN, "register %u: %s", number, err->message);
	return !err && di_x86_reg(regs, xstate, number, bytes, size);
}

/* Whether a mode may have planted something there, which is nobody's business but its own. */
static bool may_be_trapped(const struct ora_machine *machine, xs_addr addr, size_t size)
{
	return machine->process->traps &&
	       xs_ranges_meet(&machine->subject->ranges, addr, addr + size);
}

static bool memory(void *arg, xs_addr addr, void *ret, size_t size)
{
	struct ora_machine *machine = arg;
	struct eng_process *process = machine->process;
	size_t have = 0;
	XS_AUTO(xs_error)
	err = may_be_trapped(machine, addr, size)
		      ? eng_traps_read(process->traps, &process->tracee, addr, ret, size, &have)
		      : eng_tracee_read_some(&process->tracee, addr, ret, size, &have);
	return !err && have == size;
}

static uint64_t mark(void *arg)
{
	return ((struct ora_machine *)arg)->process->tracee.fetches;
}

static bool is_same(void *arg, xs_addr addr, size_t size, uint64_t mark)
{
	const struct ora_machine *machine = arg;
	return !may_be_trapped(machine, addr, size) &&
	       eng_tracee_is_same(&machine->process->tracee, addr, size, mark);
}

/* --- interface -------------------------------------------------------------------------------- */

struct xs_error *ora_machine_create(
	struct eng_process *process, struct ora_subject *subject, struct ora_machine **ret)
{
	XS_AUTO(ora_machine) machine = xs_calloc(1, sizeof *machine);
	struct xs_error *err;
	machine->process = process;
	machine->subject = subject;
	machine->program =
		(struct di_mapping){subject->modules.data[0].info, subject->modules.data[0].bias};
	machine->target = (struct di_target){.arg = machine,
		.reg = reg,
		.memory = memory,
		.mark = mark,
		.is_same = is_same,
		.find = find};
	if ((err = read_loaded(machine)))
		return err;
	*ret = xs_take(&machine);
	return NULL;
}

struct xs_error *ora_machine_reload(struct ora_machine *machine)
{
	xs_map_deinit(&machine->unknown);
	return read_loaded(machine);
}

void ora_machine_destroy(struct ora_machine *machine)
{
	if (!machine)
		return;
	for (size_t i = 0; i < machine->loaded.len; i++)
		loaded_destroy(machine->loaded.data[i]);
	xs_vec_deinit(&machine->loaded);
	di_loads_deinit(&machine->mapped);
	xs_map_deinit(&machine->unknown);
	free(machine);
}
