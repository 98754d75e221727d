#include "oracle/witness/own/machine.h"

#include "base/log.h"
#include "dwarf/x86.h"

/* --- what is loaded --------------------------------------------------------------------------- */

static void loaded_destroy(struct ora_loaded *loaded)
{
	free(loaded->path);
	free(loaded);
}

/* Moves the entry with that start and path out of the old list, if there is one. */
static struct ora_loaded *known_entry(struct ora_machine *machine, xs_addr start, const char *path)
{
	for (size_t i = 0; i < machine->loaded.len; i++) {
		struct ora_loaded *old = machine->loaded.data[i];
		if (old && old->start == start && !strcmp(old->path, path)) {
			machine->loaded.data[i] = NULL;
			return old;
		}
	}
	struct ora_loaded *fresh = xs_calloc(1, sizeof *fresh);
	fresh->start = start;
	fresh->path = xs_strdup(path);
	return fresh;
}

/* Reads the list again. A file counts if it is mapped from its first byte on and has code: a
 * program that merely reads one is not running it. */
static struct xs_error *read_loaded(struct ora_machine *machine)
{
	XS_AUTO_FREE char *maps_path = xs_asprintf("/proc/%d/maps", machine->process->tracee.pid);
	XS_AUTO_FILE FILE *maps = fopen(maps_path, "re");
	XS_AUTO_FREE char *line = NULL;
	XS_AUTO_FREE char *path = xs_strdup(""); /* of the file that began last */
	XS_VEC(struct ora_loaded *) fresh = {0};
	xs_addr start = 0;
	bool listed = false;
	size_t size = 0;
	if (!maps)
		return xs_error_sys("%s", maps_path);
	while (getline(&line, &size, maps) > 0) {
		uint64_t lo, hi, offset;
		char rights[8];
		int at = 0;
		line[strcspn(line, "\n")] = 0;
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %n", &lo, &hi,
			    rights, &offset, &at) < 4 ||
			!at)
			continue;
		if (line[at] == '/' && !offset) {
			free(path);
			path = xs_strdup(line + at);
			start = lo;
			listed = false;
		}
		bool same = !strcmp(path, line + at);
		if (!listed && same && strchr(rights, 'x')) {
			xs_vec_push(&fresh, known_entry(machine, start, path));
			listed = true;
		}
		/* What is behind .data without a name is .bss. */
		struct ora_loaded *last = listed ? fresh.data[fresh.len - 1] : NULL;
		if (last && (same || (!line[at] && lo == last->end)))
			last->end = hi;
	}
	/* What was not found again is gone. */
	for (size_t i = 0; i < machine->loaded.len; i++)
		if (machine->loaded.data[i])
			xs_vec_push(&machine->gone, machine->loaded.data[i]);
	machine->loaded.len = 0;
	for (size_t i = 0; i < fresh.len; i++)
		xs_vec_push(&machine->loaded, fresh.data[i]);
	xs_vec_deinit(&fresh);
	return NULL;
}

/* --- from an address to a module -------------------------------------------------------------- */

/* Opens the module, once; what cannot be opened is warned of, once. */
static struct di_module *module_of(struct ora_machine *machine, struct ora_loaded *loaded)
{
	const struct ora_module *module = NULL;
	if (loaded->tried)
		return loaded->mapping.module;
	loaded->tried = true;
	XS_AUTO(xs_error)
	err = ora_subject_module_at(machine->subject, loaded->path, loaded->start, &module);
	if (err)
		xs_log(XS_LOG_ORACLE, XS_LOG_WARN, "%s; nothing is known about its code",
			err->message);
	else
		loaded->mapping = (struct di_mapping){module->info, module->bias};
	return loaded->mapping.module;
}

/* The one whose segments hold addr: the last that begins before it, or none. */
static const struct di_mapping *find_loaded(struct ora_machine *machine, xs_addr addr)
{
	size_t i = machine->loaded.len;
	while (i && machine->loaded.data[i - 1]->start > addr)
		i--;
	if (!i || addr >= machine->loaded.data[i - 1]->end)
		return NULL;
	struct ora_loaded *loaded = machine->loaded.data[i - 1];
	struct di_module *module = module_of(machine, loaded);
	return module && di_module_holds(module, addr - loaded->mapping.bias) ? &loaded->mapping
									      : NULL;
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
	for (size_t i = 0; i < machine->gone.len; i++)
		loaded_destroy(machine->gone.data[i]);
	xs_vec_deinit(&machine->loaded);
	xs_vec_deinit(&machine->gone);
	xs_map_deinit(&machine->unknown);
	free(machine);
}
