#include "source/mutate.h"

#include "base/log.h"
#include <inttypes.h>

#include "base/map.h"
#include "source/pass.h"

const char *const src_mutator_names[SRC_MUTATORS] = {"rcl", "fco", "asm", "ocp", "probes"};

/* Each is a round over a text that was parsed anew. */
static const struct {
	enum src_mutator mutator;
	void (*run)(struct src_pass *pass);
} rounds[] = {
	{SRC_MUTATE_RCL, src_mutate_flow},
	{SRC_MUTATE_RCL, src_mutate_expr},
	{SRC_MUTATE_FCO, src_mutate_fco},
	{SRC_MUTATE_ASM, src_mutate_asm},
	{SRC_MUTATE_OCP, src_mutate_ocp},
	{SRC_MUTATE_PROBES, src_mutate_probes},
};
enum { ROUNDS = sizeof rounds / sizeof *rounds };

static struct xs_error *read_source(const char *path, char **text, size_t *size)
{
	XS_VEC(char) all = {0};
	XS_AUTO_FILE FILE *file = fopen(path, "re");
	if (!file)
		return xs_error_sys("%s", path);
	size_t got;
	do {
		all.data = xs_vec_grow(all.data, &all.cap, all.len + 65536, 1);
		got = fread(all.data + all.len, 1, 65535, file);
		all.len += got;
	} while (got && all.len < UINT32_MAX / 2);
	*text = all.data;
	*size = all.len;
	all.data[all.len] = 0;
	if (ferror(file))
		return xs_error_sys("%s", path);
	if (!feof(file))
		return xs_error_create("%s: too large for a source", path);
	if (memchr(all.data, 0, all.len))
		return xs_error_create("%s: not a C source: it has a byte 0", path);
	return NULL;
}

/* One round: *unit becomes that of the new text, which takes the old one's place in ret. */
static struct xs_error *run_round(
	size_t round, const struct src_mutate *how, struct src_unit **unit, struct src_mutant *ret)
{
	enum src_mutator mutator = rounds[round].mutator;
	struct src_pass pass;
	double chance = how->chance[mutator];
	for (;; chance *= 2) {
		src_pass_init(&pass, *unit, how, mutator, xs_mix(how->seed ^ xs_mix(round + 1)));
		pass.chance = chance;
		rounds[round].run(&pass);
		if (pass.applied || chance >= 1)
			break;
		src_pass_deinit(&pass);
	}
	size_t size;
	char *text = src_edits_apply(&pass.edits, ret->text, ret->size, &size);
	uint64_t applied = pass.applied;
	src_pass_deinit(&pass);
	XS_AUTO(src_unit) next = NULL;
	XS_AUTO_FREE char *path = xs_strdup((*unit)->path);
	struct xs_error *err =
		src_unit_open_text(path, text, size, how->flags, how->flag_count, &next);
	if (err && mutator == SRC_MUTATE_PROBES && strstr(err->message, "sys/sdt.h")) {
		free(text);
		return xs_error_context(err, "probes need <sys/sdt.h>; install systemtap-sdt-dev");
	}
	if (err) {
		xs_log(XS_LOG_CLI, XS_LOG_WARN, "%s, seed %" PRIu64 ": %s is undone: %s", path,
			how->seed, src_mutator_names[mutator], err->message);
		xs_error_destroy(err);
		free(text);
		ret->dropped[mutator] = true;
		return NULL;
	}
	src_unit_destroy(*unit);
	*unit = xs_take(&next);
	free(ret->text);
	ret->text = text;
	ret->size = size;
	ret->applied[mutator] += applied;
	return NULL;
}

struct xs_error *src_mutate(const char *path, const struct src_mutate *how, struct src_mutant *ret)
{
	XS_AUTO(src_unit) unit = NULL;
	*ret = (struct src_mutant){0};
	struct xs_error *err = read_source(path, &ret->text, &ret->size);
	if (!err)
		err = src_unit_open_text(
			path, ret->text, ret->size, how->flags, how->flag_count, &unit);
	for (size_t i = 0; !err && i < ROUNDS; i++)
		if (how->chance[rounds[i].mutator] > 0)
			err = run_round(i, how, &unit, ret);
	if (err)
		src_mutant_deinit(ret);
	return err;
}

void src_mutant_deinit(struct src_mutant *mutant)
{
	free(mutant->text);
	*mutant = (struct src_mutant){0};
}
