#include "oracle/witness/own/follow.h"

#include "base/log.h"
#include "oracle/witness/own/mapped.h"

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

/* A file is loaded. */
static void meet(struct ora_follow *follow, const char *path, const struct di_load *load)
{
	bool called = false;
	for (size_t i = 0; i < follow->count; i++) {
		bool this_one = is_called(path, follow->names[i]);
		follow->met[i] |= this_one;
		called |= this_one;
	}
	if (called) {
		xs_vec_push(&follow->present, ((struct ora_presence){xs_strdup(path), *load}));
		return;
	}
	XS_AUTO_FREE char *before = follow->others;
	follow->others = xs_asprintf("%s%s%s", before, *before ? ", " : "", strrchr(path, '/') + 1);
}

static struct xs_error *read_mappings(struct ora_follow *follow)
{
	struct di_loads loads = {0};
	struct xs_error *err = ora_mapped_read(follow->process, &loads);
	free(follow->others);
	follow->others = xs_strdup("");
	di_loads_find_all(&loads);
	for (size_t i = 0; i < loads.list.len; i++) {
		const struct di_load *load = &loads.list.data[i];
		meet(follow, loads.files.data[load->file].path, load);
	}
	di_loads_deinit(&loads);
	return err;
}

static bool is_same(
	const struct ora_follow *follow, const struct ora_presence *before, size_t count)
{
	if (count != follow->present.len)
		return false;
	for (size_t i = 0; i < count; i++)
		if (before[i].load.bias != follow->present.data[i].load.bias ||
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
		ora_subject_module_at(subject, presence->path, &presence->load, &module);
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
			presence->load.lo);
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
