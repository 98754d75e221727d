#include "oracle/cause/dumps.h"

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>

#include "base/private.h"

void ora_dump_deinit(struct ora_dump *dump)
{
	free(dump->pass);
	free(dump->before);
	free(dump->after);
	*dump = (struct ora_dump){0};
}

/* The compiler with the case's own options; what else is to be said follows. */
static void begin_line(const struct ora_case *one, struct ora_command *line)
{
	ora_command_add(line, one->compiler, "-g", "-w", NULL);
	ora_command_split(line, one->level);
	for (size_t i = 0; i < one->flags.vec.len; i++)
		ora_command_add(line, one->flags.vec.data[i], NULL);
}

/* --- gcc -------------------------------------------------------------------------------------- */

struct files {
	XS_VEC(char *) vec; /* `d.034t.einline`: by the number */
};

static int by_name(const void *a, const void *b)
{
	char *const *left = a, *const *right = b;
	return strcmp(*left, *right);
}

/* The dumps in a folder, in the order of passes. */
static void list_dumps(const char *folder, struct files *ret)
{
	DIR *stream = opendir(folder);
	for (struct dirent *entry; stream && (entry = readdir(stream));)
		/* Not what gcc writes about all passes together, which is number 0, and what it
		 * estimates, which is no code. */
		if (!strstr(entry->d_name, "fnsummary") && !strncmp(entry->d_name, "d.", 2) &&
			isdigit((unsigned char)entry->d_name[2]) &&
			strncmp(entry->d_name + 2, "000", 3) != 0)
			xs_vec_push(&ret->vec, xs_strdup(entry->d_name));
	if (stream)
		closedir(stream);
	if (ret->vec.len)
		qsort(ret->vec.data, ret->vec.len, sizeof *ret->vec.data, by_name);
}

static void files_deinit(struct files *files)
{
	for (size_t i = 0; i < files->vec.len; i++)
		free(files->vec.data[i]);
	xs_vec_deinit(&files->vec);
}

/* The next line that is about the code; false: there is none. */
static bool read_line(FILE *file, char **line, size_t *size)
{
	while (getline(line, size, file) >= 0)
		if (!strstr(*line, "***dbgcnt:"))
			return true;
	return false;
}

static bool same_text(const char *a, const char *b)
{
	XS_AUTO_FILE FILE *left = fopen(a, "re");
	XS_AUTO_FILE FILE *right = fopen(b, "re");
	XS_AUTO_FREE char *one = NULL;
	XS_AUTO_FREE char *two = NULL;
	size_t one_size = 0, two_size = 0;
	bool same = left && right, more = same, other = same;
	while (same && more) {
		more = read_line(left, &one, &one_size);
		other = read_line(right, &two, &two_size);
		same = more == other && (!more || !strcmp(one, two));
	}
	return same;
}

static struct xs_error *dump_build(
	struct ora_asker *asker, const struct ora_command *flags, const char *folder)
{
	struct ora_command line = {0};
	XS_AUTO_FREE char *place = xs_asprintf("%s/", folder);
	XS_AUTO_FREE char *said = NULL;
	int status = -1;
	if (xs_private_folder(folder))
		return xs_error_sys("%s", folder);
	begin_line(asker->one, &line);
	for (size_t i = 0; flags && i < flags->vec.len; i++)
		ora_command_add(&line, flags->vec.data[i], NULL);
	ora_command_add(&line, "-fdump-tree-all", "-fdump-ipa-all", "-fdump-rtl-all",
		"-fdump-noaddr", "-fdump-unnumbered", "-dumpdir", place, "-dumpbase", "d", "-c",
		"-o", "/dev/null", asker->one->source, NULL);
	struct xs_error *err = ora_asker_run(asker, "/", &line, &said, &status);
	ora_command_deinit(&line);
	return err;
}

/* `d.034t.einline` is pass einline, the 34th. */
static void name_pass(const char *file, struct ora_dump *ret)
{
	const char *dot = strchr(file + 2, '.');
	ret->pass = xs_strdup(dot ? dot + 1 : file);
	ret->order = strtoull(file + 2, NULL, 10);
}

/* See the rules above. */
static void compare(const char *with, const char *without, struct ora_dump *ret)
{
	struct files files = {0};
	char *last = NULL;          /* the dump that both have, alike */
	const char *missing = NULL; /* behind that: the first that one has not */
	list_dumps(with, &files);
	for (size_t i = 0; i < files.vec.len && !ret->pass; i++) {
		const char *name = files.vec.data[i];
		XS_AUTO_FREE char *left = xs_asprintf("%s/%s", with, name);
		XS_AUTO_FREE char *right = xs_asprintf("%s/%s", without, name);
		if (access(right, R_OK)) {
			missing = missing ? missing : name;
		} else if (same_text(left, right)) {
			free(last);
			last = xs_take(&left);
			missing = NULL;
		} else {
			name_pass(missing ? missing : name, ret);
			ret->before = missing && last ? xs_strdup(last) : xs_strdup(right);
			ret->after = xs_asprintf("%s/%s", with, missing ? missing : name);
		}
	}
	free(last);
	files_deinit(&files);
}

struct xs_error *ora_dump_gcc(struct ora_asker *asker, const struct ora_command *with,
	const struct ora_command *without, const char *folder, struct ora_dump *ret)
{
	XS_AUTO_FREE char *left = xs_asprintf("%s/with", folder);
	XS_AUTO_FREE char *right = xs_asprintf("%s/without", folder);
	struct xs_error *err = xs_private_folder(folder) ? xs_error_sys("%s", folder) : NULL;
	*ret = (struct ora_dump){0};
	if (!err && !(err = dump_build(asker, with, left)) &&
		!(err = dump_build(asker, without, right)))
		compare(left, right, ret);
	return err;
}

/* --- clang ------------------------------------------------------------------------------------ */

/* The beginning of the next line; NULL: there is none. */
static const char *next_line(const char *at)
{
	const char *end = strchr(at, '\n');
	return end && end[1] ? end + 1 : NULL;
}

static bool is_head(const char *line)
{
	XS_AUTO_FREE char *own = xs_asprintf("%.*s", (int)strcspn(line, "\n"), line);
	return strstr(own, "*** IR Dump ") != NULL;
}

/* What follows the head of a dump, up to where something else begins; to be freed. */
static char *body_of(const char *head)
{
	const char *begin = next_line(head), *at = begin;
	while (at && !is_head(at) && strncmp(at, "BISECT: ", 8) != 0)
		at = next_line(at);
	return !begin ? xs_strdup("")
	       : at   ? xs_asprintf("%.*s", (int)(at - begin), begin)
		      : xs_strdup(begin);
}

void ora_dump_split(const char *told, uint64_t number, char **before, char **after)
{
	XS_AUTO_FREE char *mark = xs_asprintf("BISECT: running pass (%" PRIu64 ") ", number);
	const char *head = NULL;
	bool passed = false;
	*before = *after = NULL;
	for (const char *at = told; at && *at && !*after; at = next_line(at)) {
		if (!strncmp(at, mark, strlen(mark)))
			passed = true;
		else if (!is_head(at))
			continue;
		else if (passed)
			*after = body_of(at);
		else
			head = at;
	}
	if (*after && head)
		*before = body_of(head);
}

static struct xs_error *put_text(const char *path, const char *text)
{
	FILE *file = xs_private_open(path, false);
	bool good = file && fputs(text, file) >= 0;
	good = file && !fclose(file) && good;
	return good ? NULL : xs_error_sys("%s", path);
}

struct xs_error *ora_dump_clang(
	struct ora_asker *asker, uint64_t number, const char *folder, struct ora_dump *ret)
{
	struct ora_command line = {0};
	XS_AUTO_FREE char *out = NULL;
	XS_AUTO_FREE char *told = NULL;
	XS_AUTO_FREE char *before = NULL;
	XS_AUTO_FREE char *after = NULL;
	int status = -1;
	*ret = (struct ora_dump){0};
	if (xs_private_folder(folder))
		return xs_error_sys("%s", folder);
	begin_line(asker->one, &line);
	ora_command_add(&line, "-mllvm", NULL);
	ora_command_take(&line, xs_asprintf("-opt-bisect-limit=%" PRIu64, number));
	ora_command_add(&line, "-mllvm", "-print-after-all", "-mllvm", "-print-module-scope", "-c",
		"-o", "/dev/null", asker->one->source, NULL);
	struct xs_error *err = ora_asker_listen(asker, "/", &line, &out, &told, &status);
	ora_command_deinit(&line);
	if (err || !told)
		return err;
	ora_dump_split(told, number, &before, &after);
	if (!before || !after)
		return NULL;
	ret->before = xs_asprintf("%s/before", folder);
	ret->after = xs_asprintf("%s/after", folder);
	ret->order = number;
	err = put_text(ret->before, before);
	return err ? err : put_text(ret->after, after);
}
