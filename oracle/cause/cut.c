#include "oracle/cause/cut.h"

#include "base/clock.h"
#include "base/private.h"
#include "source/trim.h"

enum {
	ROUNDS_MOST = 4,
	JOBS_MOST = 16, /* candidates at a time */
};

/* The cuts of one kind and depth, in one text. */
struct cutting {
	const struct ora_cut *trim;
	struct ora_command *flags; /* for the parser */
	char *text;                /* that all offsets are of */
	size_t size;
	struct src_parts parts;
	bool *gone; /* by part: it is cut out */
	bool found; /* some are */
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
		if (unit)
			*ret = (struct candidate){from, to, path};
		else
			free(path);
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
		if (asked[i].end != ORA_CASE_FOUND)
			continue;
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

/* All parts at once, then halves, and so on down to single ones. */
static struct xs_error *cut_all(struct cutting *cutting)
{
	const struct ora_cut *trim = cutting->trim;
	struct xs_error *err = NULL;
	size_t jobs = trim->asker->jobs < JOBS_MOST ? trim->asker->jobs : JOBS_MOST;
	for (size_t many = cutting->parts.vec.len; !err && many && !is_time_up(trim);
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

/* Cuts parts of a kind and depth. *there: there are some that deep. */
static struct xs_error *cut(const struct ora_cut *trim, struct ora_command *flags,
	enum src_trim_kind kind, unsigned depth, bool *there, bool *found)
{
	struct cutting cutting = {.trim = trim, .flags = flags};
	struct xs_error *err = NULL;
	size_t count = 0;
	XS_AUTO(src_unit) unit = parse(flags, trim->path);
	*there = false;
	if (!unit)
		return NULL;
	src_trim_parts(unit, kind, &cutting.parts);
	for (size_t i = 0; i < cutting.parts.vec.len; i++)
		if (cutting.parts.vec.data[i].depth == depth)
			cutting.parts.vec.data[count++] = cutting.parts.vec.data[i];
	*there = count > 0;
	cutting.parts.vec.len = count;
	/* From the end: callers stand behind what they call, which may be of no use then. */
	for (size_t i = 0; i < count / 2; i++) {
		struct src_part kept = cutting.parts.vec.data[i];
		cutting.parts.vec.data[i] = cutting.parts.vec.data[count - 1 - i];
		cutting.parts.vec.data[count - 1 - i] = kept;
	}
	cutting.gone = xs_calloc(count + 1, sizeof *cutting.gone);
	cutting.text = xs_calloc(1, unit->size + 1);
	cutting.size = unit->size;
	memcpy(cutting.text, unit->text, unit->size);
	err = cut_all(&cutting);
	*found |= cutting.found;
	src_parts_deinit(&cutting.parts);
	free(cutting.gone);
	free(cutting.text);
	return err;
}

/* Each kind, from the outside in; what nobody needs any more in between. */
static struct xs_error *one_round(
	const struct ora_cut *trim, struct ora_command *flags, bool *found)
{
	static const enum src_trim_kind kinds[] = {SRC_TRIM_UNUSED, SRC_TRIM_STATEMENT,
		SRC_TRIM_AROUND, SRC_TRIM_VALUE, SRC_TRIM_ONLY_LAST, SRC_TRIM_ONLY_FIRST};
	struct xs_error *err = NULL;
	for (size_t i = 0; !err && i < sizeof kinds / sizeof *kinds; i++) {
		bool there = true;
		for (unsigned depth = 0; !err && there && !is_time_up(trim); depth++) {
			bool some = false, none;
			err = cut(trim, flags, kinds[i], depth, &there, &some);
			if (!err && some && kinds[i] != SRC_TRIM_UNUSED)
				err = cut(trim, flags, SRC_TRIM_UNUSED, 0, &none, &some);
			*found |= some;
		}
	}
	return err;
}

struct xs_error *ora_cut(const struct ora_cut *trim)
{
	const struct ora_case *one = trim->asker->one;
	struct ora_command flags = {0};
	struct xs_error *err = NULL;
	bool found = true;
	for (size_t i = 0; i < one->flags.vec.len; i++)
		if (ora_flag_is_for_parser(one->flags.vec.data[i]))
			ora_command_add(&flags, one->flags.vec.data[i], NULL);
	XS_AUTO(src_unit) unit = parse(&flags, trim->path);
	if (!unit)
		add_types(&flags);
	for (unsigned i = 0; !err && found && i < ROUNDS_MOST && !is_time_up(trim); i++) {
		found = false;
		err = one_round(trim, &flags, &found);
	}
	ora_command_deinit(&flags);
	return err;
}
