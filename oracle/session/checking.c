#include "oracle/session/checking.h"

#include <elf.h>
#include <stdlib.h>

#include "base/clock.h"
#include "oracle/check/calculation.h"
#include "oracle/store/identity.h"
#include "dwarf/unit.h"
#include "oracle/session/json_text.h"
#include "oracle/session/witnesses.h"
#include "oracle/witness/question.h"
#include "source/uses.h"

enum { MOVED_RUNS = 3 }; /* if the first one goes another way */

/* --- the traces ------------------------------------------------------------------------------ */

/* Whether a trace can be checked; if not, that is told. */
static bool is_whole(struct ora_checking *checking, const struct ora_trace_info *info)
{
	if (info->end.complete && !info->end.trouble)
		return true;
	XS_AUTO_FREE char *warning = ora_trace_cache_lose(&checking->cache, info);
	if (warning)
		checking->on_warning(warning);
	return false;
}

/* Adds the traces of one witness, if it has all, and all are complete. */
static struct xs_error *add_witness(struct ora_checking *checking, size_t witness,
	const struct ora_trace_need *needs, size_t count, const char *subject)
{
	const struct ora_trace_cache *cache = &checking->cache;
	struct ora_check *to = &checking->check;
	size_t begin = to->count;
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < cache->found.len; k++) {
			const struct ora_cached_trace *one = &cache->found.data[k];
			const struct ora_trace_info *info = ora_trace_cache_info(cache, one->id);
			if (one->witness != witness || one->program != cache->program ||
				strcmp(one->role, needs[i].role) != 0)
				continue;
			if (!is_whole(checking, info))
				continue;
			if (to->count == ORA_COMPARE_MAX)
				return xs_error_create(
					"too many traces: at most %d", ORA_COMPARE_MAX);
			if (!strcmp(one->role, subject))
				to->subject = info->subject.path;
			struct ora_seen seen;
			struct xs_error *err =
				ora_identity_verify(&info->subject, info->subject.path, &seen);
			to->changed[to->count] = err;
			xs_error_destroy(err);
			to->roles[to->count] = one->role;
			to->traces[to->count++] = info;
			break;
		}
	if (to->count != begin + count)
		to->count = begin;
	return NULL;
}

/* xstep's complete trace by line of these bytes, among what was found; 0: none. */
static uint64_t find_own(const struct ora_checking *checking, const char *hash)
{
	const struct ora_trace_cache *cache = &checking->cache;
	for (size_t i = 0; i < cache->found.len; i++) {
		const struct ora_trace_info *info =
			ora_trace_cache_info(cache, cache->found.data[i].id);
		if (info && !strcmp(info->trace.witness, "xstep") &&
			!strcmp(info->trace.level, ora_level_text(ORA_LEVEL_LINE)) &&
			!strcmp(info->subject.hash, hash))
			return info->id;
	}
	return 0;
}

/* Has xstep record one run. */
static struct xs_error *record_run(struct ora_checking *checking, char *const *argv,
	const struct ora_trace_need *need, uint64_t *ret)
{
	struct ora_trace_cache *cache = &checking->cache;
	const char *who = cache->hearing.witness;
	size_t before = cache->found.len;
	cache->hearing.witness = "xstep";
	struct xs_error *err = ora_trace_cache_fill(cache, argv, need, 1);
	cache->hearing.witness = who;
	if (err || cache->found.len == before)
		return err;
	uint64_t id = cache->found.data[before].id;
	*ret = is_whole(checking, ora_trace_cache_info(cache, id)) ? id : 0;
	return NULL;
}

/* Adds what two runs do not have in common. */
static struct xs_error *compare_runs(
	const struct ora_checking *checking, uint64_t one, uint64_t other, struct ora_unsteady *ret)
{
	XS_AUTO(ora_store) store = NULL;
	struct xs_error *err = ora_store_open(checking->cache.path, ORA_STORE_READ, &store);
	return err ? err : ora_unsteady_find(store, one, other, ret);
}

/* Whether a program has a fixed address. */
static bool is_fixed(const char *path)
{
	XS_AUTO_FILE FILE *file = fopen(path, "re");
	Elf64_Ehdr header;
	return file && fread(&header, sizeof header, 1, file) == 1 && header.e_type == ET_EXEC;
}

/* Whether a program calculates with floating values. */
static bool calculates(const char *path)
{
	XS_AUTO(di_module) module = NULL;
	XS_AUTO(xs_error) err = di_module_open(path, &module);
	return !err && ora_calculation_of(module);
}

/* Whether it was built to do so otherwise than the source says. */
static bool is_loose(const char *path)
{
	XS_AUTO(di_module) module = NULL;
	XS_AUTO(xs_error) err = di_module_open(path, &module);
	return !err && ora_calculation_is_loose(module);
}

/* Two runs that round otherwise than the one: each inexact result is another one in one of them. A
 * program that waits for a result to come near another one may wait forever there, and so they are
 * cut: what they would have told is not known, and differs. */
static struct xs_error *round_otherwise(struct ora_checking *checking, char *const *argv,
	const struct ora_trace_need *need, uint64_t one, double seconds)
{
	enum { DOWN = 1, UP = 2, TIMES = 2, MORE = 1000, SLOWER = 8, SECONDS = 5 };
	const struct ora_trace_info *info = ora_trace_cache_info(&checking->cache, one);
	struct ora_trace_cache *cache = &checking->cache;
	struct ora_trace_need other = *need;
	const char *who = cache->hearing.witness;
	struct xs_error *err = NULL;
	other.role = "rounded";
	other.limit = TIMES * info->end.stops + MORE;
	other.seconds = SLOWER * seconds + SECONDS;
	checking->rounded.moved = true; /* such runs may part anywhere, like those */
	for (other.rounding = DOWN; !err && other.rounding <= UP; other.rounding++) {
		size_t before = cache->found.len;
		bool trouble = cache->trouble;
		cache->hearing.witness = "xstep";
		err = ora_trace_cache_fill(cache, argv, &other, 1);
		cache->hearing.witness = who;
		cache->trouble = trouble;
		if (!err && cache->found.len > before &&
			!(err = compare_runs(checking, one, cache->found.data[before].id,
				  &checking->rounded))) {
			checking->check.is_unsteady = ora_unsteady_is;
			checking->check.rounded = &checking->rounded;
		}
	}
	return err;
}

struct xs_error *ora_checking_twice(struct ora_checking *checking, char *const *argv,
	const struct ora_trace_need *need, const char *moved)
{
	struct ora_trace_need first = *need, second = *need;
	XS_AUTO_FREE char *hash = NULL;
	uint64_t one, other = 0;
	double began = xs_now();
	struct xs_error *err = ora_hash_file(argv[0], &hash);
	if (err)
		return err;
	first.role = "first";
	if (!(one = find_own(checking, hash)) && (err = record_run(checking, argv, &first, &one)))
		return err;
	const struct ora_trace_info *info = ora_trace_cache_info(&checking->cache, one);
	if (!info)
		return NULL;
	second.role = "second";
	second.name = moved;
	second.again = !moved;
	/* What is told of it is the same, or the two cannot be compared. */
	second.inner = info->trace.mode && strstr(info->trace.mode, ORA_MODE_INNER);
	checking->unsteady.moved = moved;
	checking->check.fixed = moved && (is_fixed(argv[0]) || is_fixed(moved));
	/* Where the program's way depends on addresses, one other way is little to know it by. */
	for (unsigned i = 1; !err && i <= (checking->unsteady.parted ? MOVED_RUNS : 1); i++) {
		second.moved = moved ? i : 0;
		other = 0;
		if (!(err = record_run(checking, argv, &second, &other)) && other &&
			!(err = compare_runs(checking, one, other, &checking->unsteady)))
			checking->check.is_unsteady = ora_unsteady_is;
		if (!moved)
			break;
	}
	checking->check.unsteady = &checking->unsteady;
	second.moved = 0;
	second.name = NULL;
	if (err || !moved || !calculates(argv[0]))
		return err;
	checking->check.loose = is_loose(moved);
	return round_otherwise(checking, argv, &second, one, xs_now() - began);
}

/* Adds all witnesses. */
static struct xs_error *add_witnesses(struct ora_checking *checking,
	const struct ora_trace_need *needs, size_t count, const char *subject)
{
	size_t witnesses = ora_trace_cache_witnesses(&checking->cache);
	struct xs_error *err = NULL;
	checking->check.count = 0;
	for (size_t i = 0; !err && i < witnesses; i++)
		err = add_witness(checking, i, needs, count, subject);
	return err;
}

struct xs_error *ora_checking_turn(struct ora_checking *checking,
	const struct ora_trace_need *needs, size_t count, size_t program, bool *whole)
{
	struct ora_check *check = &checking->check;
	size_t before = check->count;
	checking->cache.program = program;
	struct xs_error *err = add_witnesses(checking, needs, count, "");
	*whole = check->count == before;
	for (size_t i = 0; i < check->count; i++)
		check->comparison.traces[i] = check->traces[i]->id;
	return err;
}

struct xs_error *ora_checking_begin(struct ora_checking *checking,
	const struct ora_trace_need *needs, size_t count, const char *subject)
{
	const struct ora_trace_cache *cache = &checking->cache;
	struct xs_error *err;
	if (cache->found.len &&
		(err = ora_store_open(cache->path, ORA_STORE_READ, &checking->store)))
		return err;
	if ((err = add_witnesses(checking, needs, count, subject)))
		return err;
	if (!checking->check.count) {
		XS_AUTO_FREE char *losses = ora_lost_text(&cache->lost);
		return xs_error_create("no witness told all that is needed%s%s", losses ? ": " : "",
			losses ? losses : "");
	}
	checking->check.store = checking->store;
	ora_check_begin(&checking->check);
	return NULL;
}

struct xs_error *ora_checking_hear_debuggers(
	struct ora_checking *checking, char *const *argv, const struct ora_trace_need *need)
{
	struct ora_trace_cache *cache = &checking->cache;
	const char *all = cache->hearing.witness;
	XS_AUTO_FREE char *missing = NULL;
	XS_AUTO_FREE char *words =
		ora_witnesses_spell(all, cache->hearing.gdb, cache->hearing.lldb, &missing);
	XS_AUTO_FREE char *debuggers = xs_calloc(strlen(words) + 2, 1);
	for (char *rest = words, *word; (word = strsep(&rest, ","));)
		if (strcmp(word, "xstep") != 0)
			strcat(*debuggers ? strcat(debuggers, ",") : debuggers, word);
	if (!*debuggers)
		return NULL;
	cache->hearing.witness = debuggers;
	struct xs_error *err = ora_trace_cache_fill(cache, argv, need, 1);
	cache->hearing.witness = all;
	return err;
}

/* What a store would say of a trace that nobody stores. */
static struct ora_trace_info live_info(
	const struct ora_checking *checking, const char *witness, const char *version)
{
	return (struct ora_trace_info){
		.subject = {.path = checking->live_path, .hash = ""},
		.trace = {.witness = witness,
			.version = version,
			.mode = "live",
			.level = ora_level_text(ORA_LEVEL_INSTRUCTION),
			.sample = "",
			.arguments = checking->live_words},
		.end = {.complete = true},
	};
}

static char *words_json(char *const *argv, const char *path)
{
	json_t *array = json_array();
	json_array_append_new(array, ora_json_text(path));
	for (size_t i = 1; argv[i]; i++)
		json_array_append_new(array, ora_json_text(argv[i]));
	char *ret = json_dumps(array, JSON_COMPACT);
	json_decref(array);
	xs_assert(ret);
	return ret;
}

struct xs_error *ora_checking_begin_live(struct ora_checking *checking, char *const *argv,
	const char *truth, const char *about, const char *role)
{
	const struct ora_trace_cache *cache = &checking->cache;
	const struct ora_trace_need need = {.role = role};
	struct ora_check *check = &checking->check;
	struct xs_error *err = NULL;
	if (!(checking->live_path = realpath(argv[0], NULL)))
		return xs_error_sys("%s", argv[0]);
	checking->live_words = words_json(argv, checking->live_path);
	checking->live[ORA_LIVE_TRUTH] = live_info(checking, truth, about);
	checking->live[ORA_LIVE_XSTEP] = live_info(checking, "xstep", XSTEP_VERSION);
	for (check->count = 0; check->count < ORA_LIVE_OTHERS; check->count++)
		check->traces[check->count] = &checking->live[check->count];
	if (cache->found.len &&
		(err = ora_store_open(cache->path, ORA_STORE_READ, &checking->store)))
		return err;
	for (size_t i = 0; !err && i < ora_trace_cache_witnesses(cache); i++)
		err = add_witness(checking, i, &need, 1, "");
	if (err)
		return err;
	/* One trace a witness: no role is needed to tell them apart. */
	memset(check->roles, 0, sizeof check->roles);
	check->subject = checking->live_path;
	check->store = checking->store;
	ora_check_begin(check);
	return NULL;
}

struct xs_error *ora_checking_same_source(const char *one, const char *other)
{
	XS_AUTO(di_module) left = NULL;
	XS_AUTO(di_module) right = NULL;
	struct xs_error *err;
	if ((err = di_module_open(one, &left)) || (err = di_module_open(other, &right)))
		return err;
	return di_units_are_foreign(left, right)
		       ? xs_error_create(
				 "%s and %s are not of one source: no file is in both", one, other)
		       : NULL;
}

/* libclang reads C++, too, and what is asked of C then finds next to nothing to ask. */
static struct xs_error *refuse_other_languages(const char *path)
{
	static const char *const others[] = {".cc", ".cpp", ".cxx", ".C", ".c++", ".ii", ".m",
		".rs", ".f90", ".d", ".adb", NULL};
	const char *dot = strrchr(path, '.');
	for (size_t i = 0; dot && others[i]; i++)
		if (!strcmp(dot, others[i]))
			return xs_error_create(
				"%s: not a C source, and only C is read for this check", path);
	return NULL;
}

struct xs_error *ora_checking_source(struct ora_check_avail *avail, const char *path,
	const char *const *flags, size_t flag_count)
{
	XS_AUTO(src_unit) unit = NULL;
	struct src_facts facts = {0};
	struct xs_error *err = refuse_other_languages(path);
	if (err || (err = src_unit_open(path, flags, flag_count, &unit)))
		return err;
	src_facts_collect(unit, &facts);
	avail->facts = &facts;
	err = ora_check_avail(avail);
	src_facts_deinit(&facts);
	return err;
}

void ora_checking_deinit(struct ora_checking *checking)
{
	ora_check_deinit(&checking->check);
	ora_unsteady_deinit(&checking->unsteady);
	ora_unsteady_deinit(&checking->rounded);
	ora_store_destroy(checking->store);
	ora_trace_cache_deinit(&checking->cache);
	free(checking->live_path);
	free(checking->live_words);
}
