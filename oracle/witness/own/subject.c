#include "oracle/witness/own/subject.h"

#include <elf.h>
#include <sys/stat.h>

#include "base/log.h"
#include "dwarf/gaps.h"

struct xs_error *ora_subject_create(
	const char *path, const struct di_module_options *options, struct ora_subject **ret)
{
	XS_AUTO(ora_subject) subject = xs_calloc(1, sizeof *subject);
	struct di_module *info;
	struct xs_error *err = di_module_open_with(path, options, &info);
	if (err)
		return err;
	if (options && options->debug_root)
		subject->debug_root = xs_strdup(options->debug_root);
	info->program = true;
	xs_vec_push(&subject->modules, ((struct ora_module){.info = info}));
	*ret = xs_take(&subject);
	return NULL;
}

void ora_subject_destroy(struct ora_subject *subject)
{
	if (!subject)
		return;
	for (size_t i = 0; i < subject->modules.len; i++)
		if (!subject->modules.data[i].again)
			di_module_destroy(subject->modules.data[i].info);
	for (size_t i = 0; i < subject->places.len; i++)
		free(subject->places.data[i]);
	xs_vec_deinit(&subject->modules);
	xs_vec_deinit(&subject->places);
	xs_ranges_deinit(&subject->ranges);
	xs_map_deinit(&subject->known);
	free(subject->debug_root);
	free(subject);
}

/* Adds what is of interest in a module that has been located. */
static void add_ranges(struct ora_subject *subject, const struct ora_module *module)
{
	const struct di_module *info = module->info;
	for (size_t i = 0; i < info->interest.vec.len; i++)
		xs_ranges_add(&subject->ranges, info->interest.vec.data[i].lo + module->bias,
			info->interest.vec.data[i].hi + module->bias);
	xs_ranges_normalise(&subject->ranges);
}

/* Says how well a module's code is known. */
static void tell_knowledge(const struct di_module *info)
{
	const char *first, *unread = di_gaps_unread(info);
	size_t count = di_gaps_functions(info, &first);
	if (info->knowledge == DI_KNOW_LINES && count)
		xs_log(XS_LOG_ORACLE, XS_LOG_WARN,
			"%s: %zu function%s without line information, such as %s: nothing is known "
			"of the code but its symbols, and it is not stepped; compile all with -g",
			info->path, count, count > 1 ? "s" : "", first);
	else if (info->knowledge == DI_KNOW_SYMBOLS)
		xs_log(XS_LOG_ORACLE, XS_LOG_WARN,
			"%s: no line information%s%s%s: stops are told by function symbol; "
			"compile with -g",
			info->path, unread ? " (" : "", unread ? unread : "", unread ? ")" : "");
	else if (info->knowledge == DI_KNOW_NOTHING)
		xs_log(XS_LOG_ORACLE, XS_LOG_WARN,
			"%s: stripped: no line information and no symbol table; "
			"all of .text is stepped, and stops are told by exported symbol or address",
			info->path);
}

struct xs_error *ora_subject_locate(struct ora_subject *subject, struct eng_process *process)
{
	struct ora_module *module = &subject->modules.data[0];
	uint64_t entry;
	struct xs_error *err = eng_process_auxv(process, AT_ENTRY, &entry);
	if (err)
		return err;
	module->bias = module->home = entry - module->info->entry;
	add_ranges(subject, module);
	tell_knowledge(module->info);
	return NULL;
}

/* --- shared objects --------------------------------------------------------------------------- */

/* What tells a file from one that was put in its place. */
static struct ora_file_mark mark_of(const char *path)
{
	struct stat status;
	if (stat(path, &status))
		return (struct ora_file_mark){0};
	return (struct ora_file_mark){.device = status.st_dev,
		.inode = status.st_ino,
		.size = (uint64_t)status.st_size,
		.seconds = status.st_mtim.tv_sec,
		.nanoseconds = status.st_mtim.tv_nsec};
}

static bool is_same_file(
	const struct ora_module *module, const char *path, const struct ora_file_mark *mark)
{
	return !strcmp(module->info->path, path) && module->mark.device == mark->device &&
	       module->mark.inode == mark->inode && module->mark.size == mark->size &&
	       module->mark.seconds == mark->seconds &&
	       module->mark.nanoseconds == mark->nanoseconds;
}

/* Shared objects stay open for the next subject: to read what there is on the C library takes
 * longer than to trace a short program. */
static XS_VEC(struct kept {
	struct ora_module module;
	char *debug_root; /* or NULL */
}) kept;

static struct di_module *find_kept(
	const char *path, const char *debug_root, const struct ora_file_mark *mark)
{
	for (size_t i = 0; i < kept.len; i++) {
		const struct kept *one = &kept.data[i];
		bool root = debug_root && one->debug_root ? !strcmp(debug_root, one->debug_root)
							  : debug_root == one->debug_root;
		if (root && is_same_file(&one->module, path, mark))
			return one->module.info;
	}
	return NULL;
}

/* Whether a load is that of the executable: its entry point is in it, whatever it is called. */
static bool is_executable(const struct ora_subject *subject, const struct di_load *load)
{
	const struct ora_module *module = &subject->modules.data[0];
	xs_addr entry = module->info->entry + module->bias;
	return entry >= load->lo && entry < load->hi;
}

struct xs_error *ora_subject_module_at(struct ora_subject *subject, const char *path,
	const struct di_load *load, const struct ora_module **ret)
{
	struct di_module_options options = {.debug_root = subject->debug_root};
	struct ora_module module = {.home = ORA_HOMELESS, .mark = mark_of(path)};
	struct xs_error *err;
	*ret = &subject->modules.data[0];
	if (is_executable(subject, load))
		return NULL;
	for (size_t i = 1; i < subject->modules.len; i++) {
		*ret = &subject->modules.data[i];
		bool same = is_same_file(*ret, path, &module.mark);
		if (same && (*ret)->bias == load->bias)
			return NULL;
		if (same && !module.info)
			module.info = (*ret)->info;
	}
	if (!module.info)
		module.info = find_kept(path, subject->debug_root, &module.mark);
	if (!module.info) {
		if ((err = di_module_open_with(path, &options, &module.info)))
			return err;
		xs_vec_push(&kept,
			((struct kept){module,
				subject->debug_root ? xs_strdup(subject->debug_root) : NULL}));
	}
	module.again = true;
	module.bias = load->bias;
	xs_vec_push(&subject->modules, module);
	*ret = &subject->modules.data[subject->modules.len - 1];
	return NULL;
}

static xs_addr end_of(const struct di_module *info)
{
	return info->code.vec.len ? info->code.vec.data[info->code.vec.len - 1].hi : 0;
}

/* Whether another module has its home where this one would with that bias. */
static bool is_taken(const struct ora_subject *subject, const struct di_module *info, uint64_t bias)
{
	xs_addr lo = bias, hi = bias + end_of(info);
	for (size_t i = 0; i < subject->modules.len; i++) {
		const struct ora_module *other = &subject->modules.data[i];
		if (other->home != ORA_HOMELESS && lo < other->home + end_of(other->info) &&
			other->home < hi)
			return true;
	}
	return false;
}

uint64_t ora_subject_take_interest(struct ora_subject *subject, const struct ora_module *module)
{
	struct ora_module *first = NULL;
	for (size_t i = 0; !first && i < subject->modules.len; i++)
		if (subject->modules.data[i].info == module->info)
			first = &subject->modules.data[i];
	if (first->home == ORA_HOMELESS) {
		uint64_t home = module->bias;
		/* No program has code up there. */
		for (uint64_t i = 1; is_taken(subject, module->info, home); i++)
			home = i << 56;
		first->home = home;
		tell_knowledge(module->info);
	}
	add_ranges(subject, module);
	return first->home;
}

void ora_subject_lose_interest(struct ora_subject *subject)
{
	subject->ranges.vec.len = 0;
	add_ranges(subject, &subject->modules.data[0]);
}

/* --- places ----------------------------------------------------------------------------------- */

static struct ora_place look_up(const struct ora_subject *subject, xs_addr pc)
{
	/* The module whose code is at home there; the executable answers for what none is. */
	size_t i = subject->modules.len - 1;
	while (i && (subject->modules.data[i].home == ORA_HOMELESS ||
			    !xs_ranges_find(&subject->modules.data[i].info->code,
				    pc - subject->modules.data[i].home)))
		i--;
	struct di_module *info = subject->modules.data[i].info;
	struct ora_place place = {
		.module = info, .main = !i, .pc = pc - subject->modules.data[i].home};
	const struct di_function *function = di_functions_find(info->functions, place.pc);
	if (function) {
		place.function = function->name;
		place.offset = (int64_t)(place.pc - function->entry);
	}
	place.row = di_lines_find(&info->lines, place.pc);
	if (!place.row && info->knowledge == DI_KNOW_LINES)
		xs_log(XS_LOG_ORACLE, XS_LOG_WARN,
			"%s: no line information for the code of %s; compile all with -g",
			info->path, place.function ? place.function : "what has no symbol");
	place.file = place.row ? di_lines_file(&info->lines, place.row) : NULL;
	return place;
}

const struct ora_place *ora_subject_place(struct ora_subject *subject, xs_addr pc)
{
	uint64_t *index = xs_map_at(&subject->known, pc, 0);
	if (!*index) {
		struct ora_place *place = xs_calloc(1, sizeof *place);
		*place = look_up(subject, pc);
		place->index = subject->places.len;
		xs_vec_push(&subject->places, place);
		*index = subject->places.len;
	}
	return subject->places.data[*index - 1];
}
