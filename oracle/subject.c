#include "oracle/subject.h"

#include <elf.h>

#include "base/log.h"

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

/* Adds what is of interest in a module that has been located, and says once how well its code is
 * known. */
static void add_ranges(struct ora_subject *subject, const struct ora_module *module)
{
	const struct di_module *info = module->info;
	for (size_t i = 0; i < info->interest.vec.len; i++)
		xs_ranges_add(&subject->ranges, info->interest.vec.data[i].lo + module->bias,
			info->interest.vec.data[i].hi + module->bias);
	xs_ranges_normalise(&subject->ranges);
	if (info->knowledge == DI_KNOW_SYMBOLS)
		xs_log(XS_LOG_ORACLE, XS_LOG_WARN,
			"%s: no line information: stops are told by function symbol; compile with "
			"-g",
			info->path);
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
	module->bias = entry - module->info->entry;
	add_ranges(subject, module);
	return NULL;
}

/* --- shared objects -----------------------------------------------------------------------------
 */

/* Whether path is the file that somebody calls name: the path itself or its last component. */
static bool is_called(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');
	return !strcmp(path, name) || (slash && !strcmp(slash + 1, name));
}

/* Where the first byte of the file was mapped, and its path. Without one called name: no path, and
 * in *loaded what there is. */
static struct xs_error *find_mapping(
	pid_t pid, const char *name, char **path, xs_addr *start, char **loaded)
{
	XS_AUTO_FREE char *maps_path = xs_asprintf("/proc/%d/maps", pid);
	XS_AUTO_FILE FILE *maps = fopen(maps_path, "re");
	XS_AUTO_FREE char *line = NULL;
	size_t size = 0;
	if (!maps)
		return xs_error_sys("%s", maps_path);
	*loaded = xs_strdup("");
	while (getline(&line, &size, maps) > 0) {
		uint64_t lo, offset;
		int at = 0;
		line[strcspn(line, "\n")] = 0;
		if (sscanf(line, "%" SCNx64 "-%*x %*s %" SCNx64 " %*s %*s %n", &lo, &offset, &at) <
				2 ||
			!at || line[at] != '/' || offset)
			continue;
		const char *file = line + at, *slash = strrchr(file, '/');
		if (is_called(file, name)) {
			*path = xs_strdup(file);
			*start = lo;
			return NULL;
		}
		XS_AUTO_FREE char *before = *loaded;
		*loaded = xs_asprintf("%s%s%s", before, *before ? ", " : "", slash + 1);
	}
	return NULL;
}

struct xs_error *ora_subject_add_module(
	struct ora_subject *subject, struct eng_process *process, const char *name)
{
	XS_AUTO_FREE char *path = NULL;
	XS_AUTO_FREE char *loaded = NULL;
	xs_addr start = 0;
	const struct ora_module *module;
	struct xs_error *err = find_mapping(process->tracee.pid, name, &path, &start, &loaded);
	if (err)
		return err;
	if (!path)
		return xs_error_create(
			"--module %s: no such module is loaded; there are: %s", name, loaded);
	if ((err = ora_subject_module_at(subject, path, start, &module)))
		return err;
	if (module == &subject->modules.data[0])
		return NULL; /* the program itself is of interest anyway */
	add_ranges(subject, module);
	return NULL;
}

struct xs_error *ora_subject_module_at(
	struct ora_subject *subject, const char *path, xs_addr start, const struct ora_module **ret)
{
	struct di_module_options options = {.debug_root = subject->debug_root};
	struct ora_module module = {0};
	for (size_t i = 0; i < subject->modules.len; i++) {
		*ret = &subject->modules.data[i];
		/* What the executable is called does not matter: nothing else is loaded there. */
		if ((*ret)->bias + di_module_base((*ret)->info) == start &&
			(!i || !strcmp((*ret)->info->path, path)))
			return NULL;
	}
	struct xs_error *err = di_module_open_with(path, &options, &module.info);
	if (err)
		return err;
	module.bias = start - di_module_base(module.info);
	xs_vec_push(&subject->modules, module);
	*ret = &subject->modules.data[subject->modules.len - 1];
	return NULL;
}

/* --- places --------------------------------------------------------------------------------------
 */

static struct ora_place look_up(const struct ora_subject *subject, xs_addr pc)
{
	/* The last module whose code holds it; the executable answers for what none holds. */
	size_t i = subject->modules.len - 1;
	while (i && !xs_ranges_find(&subject->modules.data[i].info->code,
			    pc - subject->modules.data[i].bias))
		i--;
	const struct di_module *info = subject->modules.data[i].info;
	struct ora_place place = {
		.module = info, .main = !i, .pc = pc - subject->modules.data[i].bias};
	const struct di_function *function = di_functions_find(&info->functions, place.pc);
	if (function) {
		place.function = function->name;
		place.offset = (int64_t)(place.pc - function->entry);
	}
	place.row = di_lines_find(&info->lines, place.pc);
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
