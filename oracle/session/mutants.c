#include "oracle/session/mutants.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/path.h"
#include "base/private.h"

struct xs_error *ora_mutant_write(const struct src_mutant *mutant, const char *path)
{
	XS_AUTO_FREE char *part = xs_asprintf("%s.part", path);
	XS_AUTO_FILE FILE *file = xs_private_open(part, false);
	if (!file)
		return xs_error_sys("%s", part);
	bool ok = fwrite(mutant->text, 1, mutant->size, file) == mutant->size && !fflush(file) &&
		  !rename(part, path);
	struct xs_error *err = ok ? NULL : xs_error_sys("%s", path);
	if (err)
		unlink(part);
	return err;
}

/* NAME of .../NAME.c, to be freed. */
static char *name_of(const char *source)
{
	char *name = xs_strdup(xs_base_name(source));
	char *dot = strrchr(name, '.');
	if (dot && dot != name && (!strcmp(dot, ".c") || !strcmp(dot, ".i")))
		*dot = 0;
	return name;
}

/* Whether there is such a source. */
static struct xs_error *check_source(const char *source)
{
	static const char *const others[] = {
		".cc", ".cpp", ".cxx", ".C", ".c++", ".ii", ".m", NULL};
	const char *dot = strrchr(source, '.');
	if (access(source, R_OK))
		return xs_error_sys("%s", source);
	for (size_t i = 0; dot && others[i]; i++)
		if (!strcmp(dot, others[i]))
			return xs_error_create("%s: not a C source, and only C is mutated", source);
	return NULL;
}

/* The mutants of a source; if dry, only whether they could be written. */
static struct xs_error *mutate(const struct ora_mutants *mutants, const char *source, bool dry)
{
	XS_AUTO_FREE char *name = name_of(source);
	struct src_mutate how = mutants->how;
	struct xs_error *err = NULL;
	for (uint64_t i = 0; !err && i < mutants->count; i++) {
		struct src_mutant mutant = {0};
		how.seed = mutants->how.seed + i;
		XS_AUTO_FREE char *path =
			xs_asprintf("%s/%s.%" PRIu64 ".c", mutants->folder, name, how.seed);
		if (!mutants->force && !access(path, F_OK))
			err = xs_error_create("%s: exists already; --force overwrites it", path);
		if (!err && !dry)
			err = src_mutate(source, &how, &mutant);
		if (!err && !dry)
			err = ora_mutant_write(&mutant, path);
		if (!err && !dry)
			mutants->on_mutant(mutants->context, source, &how, path, &mutant);
		src_mutant_deinit(&mutant);
	}
	return err;
}

/* *made: it was not there before. */
static struct xs_error *make_folder(const char *path, bool *made)
{
	struct stat info;
	*made = !xs_private_folder(path);
	if (!*made && errno != EEXIST)
		return xs_error_sys("%s", path);
	if (stat(path, &info))
		return xs_error_sys("%s", path);
	return S_ISDIR(info.st_mode) ? NULL : xs_error_create("%s: not a folder", path);
}

struct xs_error *ora_mutants_make(
	const struct ora_mutants *mutants, const char *const *sources, size_t count)
{
	struct xs_error *err = NULL;
	bool made = false;
	for (size_t i = 0; !err && i < count; i++)
		err = check_source(sources[i]);
	if (!err)
		err = make_folder(mutants->folder, &made);
	for (size_t i = 0; !err && i < count; i++)
		err = mutate(mutants, sources[i], true);
	for (size_t i = 0; !err && i < count; i++)
		err = mutate(mutants, sources[i], false);
	if (err && made)
		rmdir(mutants->folder); /* if nothing is in it */
	return err;
}
