#include "oracle/cause/cut.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/private.h"
#include "source/trim.h"

enum {
	ROUNDS_MOST = 6,
	JOBS_MOST = 16, /* candidates at a time */
	WORTH = 8,      /* a round that makes it smaller by less than one in so many is the last */
	/* Bytes that are not worth another round; not worth a third one. */
	LITTLE = 300,
	ENOUGH = 500,
};

/* The cuts of one kind and depth, in one text. */
struct cutting {
	struct ora_cut *trim;
	struct ora_command *flags; /* for the parser */
	enum src_trim_kind kind;
	char *text; /* that all offsets are of */
	size_t size;
	struct src_parts parts;
	bool *gone;     /* by part: it is cut out */
	uint64_t *keys; /* by part: what is known to be refused */
	bool found;     /* some are */
};

/* A candidate: parts [from, to) are cut out, too. */
struct candidate {
	size_t from, to;
	char *path; /* NULL: there is none */
};

static bool is_time_up(const struct ora_cut *trim)
{
	return trim->until > 0 && xs_now() >= trim->until;
}

static struct xs_error *write_text(const char *path, const char *text, size_t size)
{
	FILE *file = xs_private_open(path, false);
	bool good = file && fwrite(text, 1, size, file) == size;
	good = file && !fclose(file) && good;
	return good ? NULL : xs_error_sys("%s", path);
}

/* NULL: it cannot be parsed. */
static struct src_unit *parse(struct ora_command *flags, const char *path)
{
	struct src_unit *unit = NULL;
	XS_AUTO(xs_error)
	err = src_unit_open(path, ora_command_words(flags), flags->vec.len, &unit);
	return err ? NULL : unit;
}

/* gcc's own types of floating point are in the headers that it was preprocessed with. What they are
 * does not matter to who only looks for parts. */
static void add_types(struct ora_command *flags)
{
	ora_command_add(flags, "-D_Float32=float", "-D_Float32x=double", "-D_Float64=double",
		"-D_Float64x=long double", "-D_Float128=long double", NULL);
}

/* The text without parts that are gone, and without [from, to), in a file. */
static struct xs_error *write_without(
	struct cutting *cutting, size_t from, size_t to, const char *path)
{
	size_t count = cutting->parts.vec.len, size;
	XS_AUTO_FREE bool *chosen = xs_calloc(count + 1, sizeof *chosen);
	for (size_t i = 0; i < count; i++)
		chosen[i] = cutting->gone[i] || (i >= from && i < to);
	XS_AUTO_FREE char *text =
		src_trim_apply(cutting->text, cutting->size, &cutting->parts, chosen, &size);
	return write_text(path, text, size);
}

/* --- what was refused ------------------------------------------------------------------------- */

enum { SLOTS = 1 << 16 }; /* of what is remembered: more than there are questions */

static uint64_t mix(uint64_t hash, const void *data, size_t size)
{
	const unsigned char *at = data;
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ at[i]) * 0x100000001b3;
	return hash;
}

/* Where the declaration at file scope around an offset begins or ends: a line that begins with
 * neither a blank nor a brace is the first of one. */
static size_t edge(const struct cutting *cutting, size_t at, bool end)
{
	const char *text = cutting->text;
	at += end;
	while (at > 0 && at < cutting->size &&
		!(text[at - 1] == '\n' && !strchr(" \t\n{}#", text[at])))
		at += end ? 1 : -(size_t)1;
	return at;
}

/* What a part is, in what is around it: another text is another question. A part that reaches
 * farther is one of the whole text. */
static uint64_t key_of(const struct cutting *cutting, const struct src_part *part)
{
	const struct src_cut *cuts = &cutting->parts.cuts.data[part->first];
	size_t begin = edge(cutting, cuts[0].begin, false);
	size_t end = edge(cutting, cuts[0].begin, true);
	uint64_t hash = mix(0xcbf29ce484222325, &cutting->kind, sizeof cutting->kind);
	for (size_t i = 0; i < part->count; i++)
		if (cuts[i].begin < begin || cuts[i].end > end) {
			begin = 0;
			end = cutting->size;
		}
	for (size_t i = 0; i < part->count; i++) {
		const size_t place[] = {cuts[i].begin - begin, cuts[i].end - begin};
		hash = mix(hash, place, sizeof place);
		hash = mix(hash, cuts[i].instead, strlen(cuts[i].instead));
	}
	hash = mix(hash, cutting->text + begin, end - begin);
	return hash ? hash : 1;
}

static bool is_refused(const struct ora_cut *trim, uint64_t key)
{
	size_t at = key % SLOTS;
	while (trim->refused[at] && trim->refused[at] != key)
		at = (at + 1) % SLOTS;
	return trim->refused[at] == key;
}

static void refuse(struct ora_cut *trim, uint64_t key)
{
	size_t at = key % SLOTS;
	if (trim->refused_count >= SLOTS / 2)
		return;
	while (trim->refused[at] && trim->refused[at] != key)
		at = (at + 1) % SLOTS;
	trim->refused_count += !trim->refused[at];
	trim->refused[at] = key;
}

/* --- candidates ------------------------------------------------------------------------------- */

/* The next candidate of so many parts, from a part on; its path is NULL if there is none. */
static struct xs_error *next_candidate(
	struct cutting *cutting, size_t *at, size_t many, size_t number, struct candidate *ret)
{
	struct xs_error *err = NULL;
	size_t count = cutting->parts.vec.len;
	*ret = (struct candidate){0};
	while (!err && !ret->path && *at < count) {
		size_t from = *at, to = count - from < many ? count : from + many;
		bool more = false;
		for (size_t i = from; i < to; i++)
			more |= !cutting->gone[i];
		*at = to;
		if (!more)
			continue;
		char *path = xs_asprintf("%s/trim-%zu.c", cutting->trim->asker->scratch, number);
		err = write_without(cutting, from, to, path);
		XS_AUTO(src_unit) unit = err ? NULL : parse(cutting->flags, path);
		if (unit) {
			*ret = (struct candidate){from, to, path};
		} else {
			free(path);
			if (!err && to == from + 1)
				refuse(cutting->trim, cutting->keys[from]);
		}
	}
	return err;
}

/* Asks about some; the first that will do is taken. *at: where to go on. */
static struct xs_error *try_some(
	struct cutting *cutting, struct candidate *some, size_t count, size_t *at)
{
	struct ora_asked asked[JOBS_MOST] = {0};
	for (size_t i = 0; i < count; i++)
		asked[i].change = (struct ora_case_change){.source = some[i].path, .strict = true};
	struct xs_error *err = ora_asker_ask(cutting->trim->asker, asked, count);
	for (size_t i = 0; !err && i < count; i++) {
		if (asked[i].end != ORA_CASE_FOUND) {
			if (some[i].to == some[i].from + 1)
				refuse(cutting->trim, cutting->keys[some[i].from]);
			continue;
		}
		XS_AUTO_FREE char *part = xs_asprintf("%s.part", cutting->trim->path);
		cutting->found = true;
		for (size_t k = some[i].from; k < some[i].to; k++)
			cutting->gone[k] = true;
		*at = some[i].to;
		if (!(err = write_without(cutting, 0, 0, part)) &&
			rename(part, cutting->trim->path))
			err = xs_error_sys("%s", cutting->trim->path);
		break;
	}
	for (size_t i = 0; i < count; i++)
		free(asked[i].why);
	return err;
}

/* How many parts to begin with. Together they are refused if one of them is needed: of operands one
 * mostly is, and what was refused together once is so again. */
static size_t first_many(const struct cutting *cutting)
{
	enum { FEW = 16, FEWER = 4 };
	size_t count = cutting->parts.vec.len;
	switch (cutting->kind) {
	case SRC_TRIM_UNUSED:
		return count;
	case SRC_TRIM_CALL:
	case SRC_TRIM_LEFTOVER:
	case SRC_TRIM_CHECKED:
	case SRC_TRIM_TYPEDEF:
	case SRC_TRIM_WORD:
		return cutting->trim->round && count ? 1 : count;
	case SRC_TRIM_VALUE:
	case SRC_TRIM_ONLY_FIRST:
	case SRC_TRIM_ONLY_LAST:
		return count && (cutting->trim->round || count <= FEW) ? 1 : count;
	default:
		return count && (cutting->trim->round || count <= FEWER) ? 1 : count;
	}
}

/* All parts at once, then halves, and so on down to single ones; from the second round on these
 * only. */
static struct xs_error *cut_all(struct cutting *cutting)
{
	const struct ora_cut *trim = cutting->trim;
	struct xs_error *err = NULL;
	size_t jobs = trim->asker->jobs < JOBS_MOST ? trim->asker->jobs : JOBS_MOST;
	for (size_t many = first_many(cutting); !err && many && !is_time_up(trim);
		many = many > 1 ? (many + 1) / 2 : 0) {
		size_t at = 0;
		while (!err && at < cutting->parts.vec.len && !is_time_up(trim)) {
			struct candidate some[JOBS_MOST];
			size_t count = 0;
			for (; !err && count < jobs; count++) {
				err = next_candidate(cutting, &at, many, count, &some[count]);
				if (err || !some[count].path)
					break;
			}
			if (!err && count)
				err = try_some(cutting, some, count, &at);
			for (size_t i = 0; i < count; i++) {
				unlink(some[i].path);
				free(some[i].path);
			}
		}
	}
	return err;
}

/* Leaves parts of a depth that nobody has refused, from the end: callers stand behind what they
 * call, which may be of no use then. True: there are some that deep. */
static bool choose(struct cutting *cutting, unsigned depth)
{
	struct src_parts *parts = &cutting->parts;
	size_t count = 0, all = 0;
	cutting->keys = xs_calloc(parts->vec.len + 1, sizeof *cutting->keys);
	for (size_t i = 0; i < parts->vec.len; i++) {
		struct src_part part = parts->vec.data[i];
		uint64_t key = part.depth == depth ? key_of(cutting, &part) : 0;
		all += key != 0;
		if (!key || is_refused(cutting->trim, key))
			continue;
		parts->vec.data[count] = part;
		cutting->keys[count++] = key;
	}
	for (size_t i = 0; i < count / 2; i++) {
		struct src_part part = parts->vec.data[i];
		uint64_t key = cutting->keys[i];
		parts->vec.data[i] = parts->vec.data[count - 1 - i];
		parts->vec.data[count - 1 - i] = part;
		cutting->keys[i] = cutting->keys[count - 1 - i];
		cutting->keys[count - 1 - i] = key;
	}
	parts->vec.len = count;
	return all > 0;
}

/* Cuts parts of a kind and depth. *there: there are some that deep. */
static struct xs_error *cut(struct ora_cut *trim, struct ora_command *flags,
	enum src_trim_kind kind, unsigned depth, bool *there, bool *found)
{
	struct cutting cutting = {.trim = trim, .flags = flags, .kind = kind};
	struct xs_error *err = NULL;
	uint64_t asked = trim->asker->asked;
	XS_AUTO(src_unit) unit = parse(flags, trim->path);
	*there = false;
	if (!unit)
		return NULL;
	cutting.text = xs_calloc(1, unit->size + 1);
	cutting.size = unit->size;
	memcpy(cutting.text, unit->text, unit->size);
	src_trim_parts(unit, kind, &cutting.parts);
	*there = choose(&cutting, depth);
	size_t count = cutting.parts.vec.len;
	cutting.gone = xs_calloc(count + 1, sizeof *cutting.gone);
	double began = xs_now();
	err = cut_all(&cutting);
	*found |= cutting.found;
	if (count)
		xs_log(XS_LOG_ORACLE, XS_LOG_DEBUG,
			"%s, depth %u: %zu parts in %zu bytes, %" PRIu64 " questions, %.1f s%s",
			src_trim_word(kind), depth, count, cutting.size, trim->asker->asked - asked,
			xs_now() - began, cutting.found ? ", some gone" : "");
	src_parts_deinit(&cutting.parts);
	free(cutting.gone);
	free(cutting.keys);
	free(cutting.text);
	return err;
}

/* A kind, from the outside in; what nobody needs any more in between. */
static struct xs_error *cut_kind(
	struct ora_cut *trim, struct ora_command *flags, enum src_trim_kind kind, bool *found)
{
	struct xs_error *err = NULL;
	bool there = true;
	for (unsigned depth = 0; !err && there && !is_time_up(trim); depth++) {
		bool some = false, none;
		err = cut(trim, flags, kind, depth, &there, &some);
		if (!err && some && kind != SRC_TRIM_UNUSED)
			err = cut(trim, flags, SRC_TRIM_UNUSED, 0, &none, &some);
		*found |= some;
	}
	return err;
}

static size_t size_of(const char *path)
{
	struct stat about;
	return stat(path, &about) ? 0 : (size_t)about.st_size;
}

/* The coarsest first: what is left is asked about at less cost. */
static struct xs_error *one_round(struct ora_cut *trim, struct ora_command *flags, bool *found)
{
	static const enum src_trim_kind kinds[] = {SRC_TRIM_UNUSED, SRC_TRIM_CALL,
		SRC_TRIM_STATEMENT, SRC_TRIM_LEFTOVER, SRC_TRIM_DECLARATOR, SRC_TRIM_CHECKED,
		SRC_TRIM_AROUND, SRC_TRIM_VALUE, SRC_TRIM_ONLY_LAST, SRC_TRIM_ONLY_FIRST,
		SRC_TRIM_OTHERWISE, SRC_TRIM_BLOCK, SRC_TRIM_TYPEDEF, SRC_TRIM_PARAMETER,
		SRC_TRIM_INITIAL, SRC_TRIM_ZERO, SRC_TRIM_ARRAY, SRC_TRIM_FIELD, SRC_TRIM_WORD};
	struct xs_error *err = NULL;
	for (size_t i = 0; !err && i < sizeof kinds / sizeof *kinds && !is_time_up(trim); i++)
		err = cut_kind(trim, flags, kinds[i], found);
	return err;
}

/* What the parser has to know of a case's options to read a source; to be deinited. */
static void flags_for(const struct ora_case *one, const char *path, struct ora_command *ret)
{
	*ret = (struct ora_command){0};
	for (size_t i = 0; i < one->flags.vec.len; i++)
		if (ora_flag_is_for_parser(one->flags.vec.data[i]))
			ora_command_add(ret, one->flags.vec.data[i], NULL);
	XS_AUTO(src_unit) unit = parse(ret, path);
	if (!unit)
		add_types(ret);
}

struct xs_error *ora_cut_unused(const struct ora_case *one, const char *path)
{
	struct ora_command flags;
	struct src_parts parts;
	struct xs_error *err = NULL;
	flags_for(one, path, &flags);
	XS_AUTO(src_unit) unit = parse(&flags, path);
	if (unit) {
		size_t size;
		src_trim_parts(unit, SRC_TRIM_UNUSED, &parts);
		XS_AUTO_FREE bool *all = xs_calloc(parts.vec.len + 1, sizeof *all);
		memset(all, true, parts.vec.len);
		XS_AUTO_FREE char *text =
			src_trim_apply(unit->text, unit->size, &parts, all, &size);
		err = write_text(path, text, size);
		src_parts_deinit(&parts);
	}
	ora_command_deinit(&flags);
	return err;
}

struct xs_error *ora_cut(struct ora_cut *trim)
{
	struct ora_command flags;
	struct xs_error *err = NULL;
	bool found = true;
	flags_for(trim->asker->one, trim->path, &flags);
	trim->refused = xs_calloc(SLOTS, sizeof *trim->refused);
	for (trim->round = 0; !err && found && trim->round < ROUNDS_MOST && !is_time_up(trim);
		trim->round++) {
		size_t before = size_of(trim->path);
		found = false;
		err = one_round(trim, &flags, &found);
		size_t after = size_of(trim->path);
		if (before - after <= before / WORTH || after <= (trim->round ? ENOUGH : LITTLE))
			found = false;
	}
	free(trim->refused);
	trim->refused = NULL;
	ora_command_deinit(&flags);
	return err;
}
