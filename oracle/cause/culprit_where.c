/* culprit_where.c - in which pass a culprit has its effect, and what the code is before and after
 * it. Several options of gcc's may be named, each without which the finding is gone: one makes the
 * finding, the others make what it works on. The one whose effect comes last is told first. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>

#include "base/private.h"
#include "oracle/campaign/prepare.h"
#include "oracle/cause/culprit.h"
#include "oracle/cause/dumps.h"

enum { LINES_MOST = 200 }; /* of a comparison that is shown instead of two files */

/* --- files ------------------------------------------------------------------------------------ */

/* `-fcrossjumping` as a file's name: crossjumping. To be freed. */
static char *slug_of(const struct ora_culprit_row *row)
{
	const char *from = strncmp(row->name, "-f", 2) ? row->name : row->name + 2;
	char *slug = row->number ? xs_asprintf("%s-%s-%" PRIu64, ora_culprit_word(row->kind), from,
					   row->number)
				 : xs_asprintf("%s-%s", ora_culprit_word(row->kind), from);
	for (char *at = slug; *at; at++)
		if (!isalnum((unsigned char)*at))
			*at = '-';
	return slug;
}

static size_t lines_of(const char *text)
{
	size_t lines = 0;
	for (; *text; text++)
		lines += *text == '\n';
	return lines;
}

static struct xs_error *put_text(const char *path, const char *text)
{
	FILE *file = xs_private_open(path, false);
	bool good = file && fputs(text, file) >= 0;
	good = file && !fclose(file) && good;
	return good ? NULL : xs_error_sys("%s", path);
}

/* The comparison if it is small, else both; the row says where. */
static struct xs_error *keep(
	struct ora_culprit *culprit, struct ora_culprit_row *row, const struct ora_dump *dump)
{
	XS_AUTO_FREE char *slug = slug_of(row);
	XS_AUTO_FREE char *base = xs_asprintf("%s/%s", culprit->dumps, slug);
	XS_AUTO_FREE char *told = NULL;
	XS_AUTO_FREE char *said = NULL;
	struct ora_command line = {0};
	int status = -1;
	if (xs_private_folder(culprit->dumps) && errno != EEXIST)
		return xs_error_sys("%s", culprit->dumps);
	ora_command_add(&line, "diff", "-u", "--label", "before", "--label", "after", dump->before,
		dump->after, NULL);
	struct xs_error *err = ora_asker_listen(&culprit->asker, "/", &line, &told, &said, &status);
	ora_command_deinit(&line);
	if (err)
		return err;
	/* Status 1: they differ; any other: there is no such program. */
	if (told && status == 1 && lines_of(told) <= LINES_MOST) {
		row->dump = xs_asprintf("%s.diff", base);
		return put_text(row->dump, told);
	}
	XS_AUTO_FREE char *before = xs_asprintf("%s.before", base);
	XS_AUTO_FREE char *after = xs_asprintf("%s.after", base);
	row->dump = xs_asprintf("%s, %s", before, after);
	unlink(before);
	unlink(after);
	err = ora_copy_file(dump->before, before);
	return err ? err : ora_copy_file(dump->after, after);
}

/* --- rows ------------------------------------------------------------------------------------- */

/* The flags of gcc's with which the finding is there, and those with which it is gone. */
static void flags_of(
	const struct ora_culprit_row *row, struct ora_command *with, struct ora_command *without)
{
	struct ora_command names = {0};
	if (row->kind == ORA_CULPRIT_COUNTER) {
		ora_command_take(
			with, xs_asprintf("-fdbg-cnt=%s:%" PRIu64, row->name, row->number));
		ora_command_take(
			without, xs_asprintf("-fdbg-cnt=%s:%" PRIu64, row->name, row->number - 1));
		return;
	}
	ora_command_split(&names, row->name);
	for (size_t i = 0; i < names.vec.len; i++)
		ora_command_take(without, xs_asprintf("-fno-%s", names.vec.data[i] + 2));
	ora_command_deinit(&names);
}

static struct xs_error *find_where(
	struct ora_culprit *culprit, struct ora_culprit_row *row, const char *folder)
{
	struct ora_command with = {0}, without = {0};
	struct ora_dump dump = {0};
	struct xs_error *err;
	if (culprit->gcc) {
		flags_of(row, &with, &without);
		err = ora_dump_gcc(&culprit->asker, &with, &without, folder, &dump);
	} else {
		err = ora_dump_clang(&culprit->asker, row->number, folder, &dump);
	}
	if (!err && culprit->gcc && dump.pass) {
		row->pass = xs_strdup(dump.pass);
		row->order = dump.order;
	}
	if (!err && culprit->dumps && dump.before)
		err = keep(culprit, row, &dump);
	ora_dump_deinit(&dump);
	ora_command_deinit(&with);
	ora_command_deinit(&without);
	return err;
}

/* Of options that are named, the one whose effect comes last first. */
static void sort_rows(struct ora_culprit *culprit)
{
	struct ora_culprit_row *rows = culprit->rows.data;
	for (size_t i = 0; i < culprit->rows.len; i++)
		for (size_t k = 0; k < i; k++) {
			struct ora_culprit_row later = rows[i];
			if (rows[k].kind != ORA_CULPRIT_OPTION ||
				rows[i].kind != ORA_CULPRIT_OPTION ||
				!ora_culprit_is_one(&rows[k]) || !ora_culprit_is_one(&rows[i]) ||
				rows[k].order >= rows[i].order)
				continue;
			rows[i] = rows[k];
			rows[k] = later;
		}
}

struct xs_error *ora_culprit_where(struct ora_culprit *culprit)
{
	struct xs_error *err = NULL;
	if (!culprit->gcc && !culprit->dumps)
		return NULL; /* clang's passes have names already */
	for (size_t i = 0; !err && i < culprit->rows.len; i++) {
		struct ora_culprit_row *row = &culprit->rows.data[i];
		XS_AUTO_FREE char *folder = xs_asprintf("%s/dumps-%zu", culprit->asker.scratch, i);
		if (ora_culprit_is_one(row))
			err = find_where(culprit, row, folder);
	}
	sort_rows(culprit);
	return err;
}
