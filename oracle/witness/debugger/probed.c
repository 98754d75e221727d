#include "oracle/witness/debugger/probed.h"

#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include "base/map.h"
#include "base/private.h"

enum { KEPT_MOST = 32 }; /* debuggers; then it begins anew */

/* The file, its folder made if it is not there; NULL if there can be none. */
static char *cache_path(void)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	if ((!cache || *cache != '/') && (!home || *home != '/'))
		return NULL;
	XS_AUTO_FREE char *above =
		cache && *cache == '/' ? xs_strdup(cache) : xs_asprintf("%s/.cache", home);
	XS_AUTO_FREE char *folder = xs_asprintf("%s/xstep", above);
	mkdir(above, 0700);
	mkdir(folder, 0700);
	return xs_asprintf("%s/debuggers.json", folder);
}

static bool is_program(const char *path)
{
	char start[4] = "";
	XS_AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd >= 0 && read(fd, start, sizeof start) == sizeof start &&
	       !memcmp(start, "\177ELF", sizeof start);
}

/* What changes when a file does goes on in the hash. */
static uint64_t hash_file(uint64_t hash, const char *path)
{
	struct stat about;
	if (stat(path, &about))
		return xs_hash_text(hash, path);
	XS_AUTO_FREE char *text = xs_asprintf("%s %ju %ju %jd %jd.%09ld %jd.%09ld", path,
		(uintmax_t)about.st_dev, (uintmax_t)about.st_ino, (intmax_t)about.st_size,
		(intmax_t)about.st_mtim.tv_sec, about.st_mtim.tv_nsec,
		(intmax_t)about.st_ctim.tv_sec, about.st_ctim.tv_nsec);
	return xs_hash_text(hash, text);
}

/* The same of the libraries that lie where the debugger's do. */
static uint64_t hash_libraries(uint64_t hash, const char *real)
{
	XS_AUTO_FREE char *folder = xs_strdup(real);
	for (int up = 0; up < 2; up++) {
		char *slash = strrchr(folder, '/');
		if (slash)
			*slash = 0;
	}
	XS_AUTO_FREE char *pattern = xs_asprintf("%s/lib*/liblldb*.so*", folder);
	glob_t found;
	if (!glob(pattern, 0, NULL, &found)) {
		for (size_t i = 0; i < found.gl_pathc; i++)
			hash = hash_file(hash, found.gl_pathv[i]);
		globfree(&found);
	}
	return hash;
}

/* What the debugger is known by; NULL: nothing is to be kept of it. */
static char *key_of(const struct ora_witness *witness)
{
	static const char *const names[] = {
		"PATH", "PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH", "LD_PRELOAD"};
	char real[PATH_MAX];
	if (!witness->path || !realpath(witness->path, real) || !is_program(real))
		return NULL;
	uint64_t hash = xs_hash_text(witness->kind, XSTEP_VERSION);
	hash = hash_file(hash, real);
	if (witness->kind == ORA_WITNESS_LLDB)
		hash = hash_libraries(hash, real);
	if (witness->modules) {
		XS_AUTO_FREE char *module = xs_asprintf("%s/lldb/__init__.py", witness->modules);
		hash = hash_file(hash, module);
	}
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *value = getenv(names[i]);
		hash = xs_hash_text(xs_hash_text(hash, names[i]), value ? value : "\1");
	}
	return xs_asprintf("%s %016" PRIx64, witness->path, hash);
}

static char *text_of(const json_t *entry, const char *name)
{
	const char *text = json_string_value(json_object_get(entry, name));
	return text ? xs_strdup(text) : NULL;
}

bool ora_probed_recall(struct ora_witness *witness)
{
	XS_AUTO_FREE char *path = cache_path();
	XS_AUTO_FREE char *key = path ? key_of(witness) : NULL;
	json_t *cache = key ? json_load_file(path, 0, NULL) : NULL;
	const json_t *entry = json_object_get(cache, key ? key : "");
	char *version = text_of(entry, "version"), *python = text_of(entry, "python");
	bool known = version && python;
	if (known) {
		witness->version = xs_take(&version);
		witness->python = xs_take(&python);
		witness->search = text_of(entry, "search");
	}
	free(version);
	free(python);
	json_decref(cache);
	return known;
}

void ora_probed_keep(const struct ora_witness *witness)
{
	XS_AUTO_FREE char *path = cache_path();
	XS_AUTO_FREE char *key = path && witness->version && witness->python && !witness->problem
					 ? key_of(witness)
					 : NULL;
	if (!key)
		return;
	json_t *cache = json_load_file(path, 0, NULL);
	if (!json_is_object(cache) || json_object_size(cache) >= KEPT_MOST) {
		json_decref(cache);
		cache = json_object();
	}
	json_object_set_new(cache, key,
		json_pack("{s:s, s:s, s:s?}", "version", witness->version, "python",
			witness->python, "search", witness->search));
	/* Whole or not at all: another xstep may be reading it. */
	XS_AUTO_FREE char *mine = xs_asprintf("%s.%d", path, (int)getpid());
	FILE *file = xs_private_open(mine, true);
	bool bad = !file || json_dumpf(cache, file, JSON_INDENT(1));
	if ((file && fclose(file)) || bad || rename(mine, path))
		unlink(mine);
	json_decref(cache);
}

void ora_probed_forget(void)
{
	XS_AUTO_FREE char *path = cache_path();
	if (path)
		unlink(path);
}
