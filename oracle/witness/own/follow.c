#include "oracle/witness/own/follow.h"

#include "base/log.h"

/* Whether path is the file that somebody calls name. */
static bool is_called(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');
	return !strcmp(path, name) || (slash && !strcmp(slash + 1, name));
}

/* --- what is loaded --------------------------------------------------------------------------- */

static void forget_present(struct ora_follow *follow)
{
	for (size_t i = 0; i < follow->present.len; i++)
		free(follow->present.data[i].path);
	follow->present.len = 0;
}

/* A file begins at start. */
static void meet(struct ora_follow *follow, const char *path, xs_addr start)
{
	bool called = false;
	for (size_t i = 0; i < follow->count; i++) {
		bool this_one = is_called(path, follow->names[i]);
		follow->met[i] |= this_one;
		called |= this_one;
	}
	if (called) {
		xs_vec_push(&follow->present, ((struct ora_presence){xs_strdup(path), start}));
		return;
	}
	XS_AUTO_FREE char *before = follow->others;
	follow->others = xs_asprintf("%s%s%s", before, *before ? ", " : "", strrchr(path, '/') + 1);
}

/* Reads the list of mappings. What counts is a file that is mapped from its first byte on and has
 * code: a program that merely reads one does not run it. */
static struct xs_error *read_mappings(struct ora_follow *follow)
{
	XS_AUTO_FREE char *maps_path = xs_asprintf("/proc/%d/maps", follow->process->tracee.pid);
	XS_AUTO_FILE FILE *maps = fopen(maps_path, "re");
	XS_AUTO_FREE char *line = NULL;
	XS_AUTO_FREE char *path = xs_strdup(""); /* of the file that began last, "" if it was met */
	xs_addr start = 0;
	size_t size = 0;
	if (!maps)
		return xs_error_sys("%s", maps_path);
	free(follow->others);
	follow->others = xs_strdup("");
	while (getline(&line, &size, maps) > 0) {
		uint64_t lo, offset;
		char rights[8];
		int at = 0;
		line[strcspn(line, "\n")] = 0;
		if (sscanf(line, "%" SCNx64 "-%*x %7s %" SCNx64 " %*s %*s %n", &lo, rights, &offset,
			    &at) < 3 ||
			!at || line[at] != '/')
			continue;
		if (!offset) {
			free(path);
			path = xs_strdup(line + at);
			start = lo;
		}
		if (strchr(rights, 'x') && !strcmp(path, line + at)) {
			meet(follow, path, start);
			*path = 0;
		}
	}
	return NULL;
}

static bool is_same(
	const struct ora_follow *follow, const struct ora_presence *before, size_t count)
{
	if (count != follow->present.len)
		return false;
	for (size_t i = 0; i < count; i++)
		if (before[i].start != follow->present.data[i].start ||
			strcmp(before[i].path, follow->present.data[i].path) != 0)
			return false;
	return true;
}

/* --- what that means -------------------------------------------------------------------------- */

/* A module that is loaded now is of interest, and may not be at home. */
static struct xs_error *follow_module(
	struct ora_follow *follow, const struct ora_presence *presence)
{
	struct ora_subject *subject = follow->subject;
	const struct ora_module *module;
	struct xs_error *err =
		ora_subject_module_at(subject, presence->path, presence->start, &module);
	if (err)
		return err;
	/* The program itself is of interest anyway. */
	if (module == &subject->modules.data[0])
		return NULL;
	uint64_t home = ora_subject_take_interest(subject, module);
	const struct xs_ranges *code = &module->info->code;
	if (home != module->bias && code->vec.len) {
		struct xs_range now = {code->vec.data[0].lo + module->bias,
			code->vec.data[code->vec.len - 1].hi + module->bias};
		xs_vec_push(&follow->homes.list, ((struct eng_home){now, home - module->bias}));
	}
	return NULL;
}

struct xs_error *ora_follow_look(struct ora_follow *follow, bool *changed)
{
	struct ora_follow before = *follow;
	struct xs_error *err;
	if (!follow->met)
		follow->met = xs_calloc(follow->count, sizeof *follow->met);
	follow->present.data = NULL;
	follow->present.len = follow->present.cap = 0;
	err = read_mappings(follow);
	*changed = !err && !is_same(follow, before.present.data, before.present.len);
	forget_present(&before);
	xs_vec_deinit(&before.present);
	if (err || !*changed)
		return err;
	follow->homes.list.len = 0;
	ora_subject_lose_interest(follow->subject);
	for (size_t i = 0; i < follow->present.len; i++) {
		const struct ora_presence *presence = &follow->present.data[i];
		xs_log(XS_LOG_ORACLE, XS_LOG_INFO, "%s is at 0x%" PRIx64, presence->path,
			presence->start);
		if ((err = follow_module(follow, presence)))
			return err;
	}
	return NULL;
}

void ora_follow_deinit(struct ora_follow *follow)
{
	forget_present(follow);
	xs_vec_deinit(&follow->present);
	xs_vec_deinit(&follow->homes.list);
	free(xs_take(&follow->met));
	free(xs_take(&follow->others));
}
