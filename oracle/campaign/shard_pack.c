#include "oracle/campaign/shard_pack.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <sys/stat.h>
#include <zlib.h>

#include "base/private.h"
#include "oracle/campaign/campaign_plan.h"

#define FORMAT "xstep shard 1 "

enum { CHUNK = 65536, LINE = 256 };

/* --- packing ---------------------------------------------------------------------------------- */

static struct xs_error *trouble(gzFile file, const char *path)
{
	int code;
	const char *words = gzerror(file, &code);
	if (code == Z_ERRNO)
		return xs_error_sys("%s", path);
	return xs_error_create("%s: %s", path, *words ? words : "cannot be written");
}

static struct xs_error *pack_one(
	gzFile file, const char *path, const char *folder, const char *name)
{
	XS_AUTO_FREE char *from = xs_asprintf("%s/%s", folder, name);
	XS_AUTO_CLOSE int in = open(from, O_RDONLY | O_CLOEXEC);
	struct stat about;
	char buffer[CHUNK];
	if (in < 0 || fstat(in, &about))
		return xs_error_sys("%s", from);
	if (gzprintf(file, "%jd %s\n", (intmax_t)about.st_size, name) <= 0)
		return trouble(file, path);
	for (off_t left = about.st_size; left > 0;) {
		ssize_t got = read(in, buffer, sizeof buffer);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0 || got > left)
			return xs_error_sys("%s: changed while it was read", from);
		if (gzwrite(file, buffer, (unsigned)got) != got)
			return trouble(file, path);
		left -= got;
	}
	return NULL;
}

/* An id, and how copies of a language's sources end. */
static bool is_source(const char *name)
{
	for (const struct ora_language *one = ora_languages; one->name; one++) {
		size_t length = strlen(name), end = strlen(one->ending);
		if (length <= end || strcmp(name + length - end, one->ending) != 0)
			continue;
		XS_AUTO_FREE char *id = xs_asprintf("%.*s", (int)(length - end), name);
		return ora_is_id(id);
	}
	return false;
}

/* The sources; whatever else is in the folder stays there. */
static struct xs_error *pack_programs(gzFile file, const char *path, const char *folder)
{
	XS_AUTO_FREE char *programs = xs_asprintf("%s/programs", folder);
	struct dirent **all = NULL;
	int count = scandir(programs, &all, NULL, alphasort);
	struct xs_error *err = count < 0 ? xs_error_sys("%s", programs) : NULL;
	for (int i = 0; i < count; i++) {
		XS_AUTO_FREE char *name = xs_asprintf("programs/%s", all[i]->d_name);
		if (!err && is_source(all[i]->d_name))
			err = pack_one(file, path, folder, name);
		free(all[i]);
	}
	free(all);
	return err;
}

struct xs_error *ora_shard_pack(const char *folder, const char *name, const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, XS_PRIVATE_FILE);
	gzFile file = fd < 0 ? NULL : gzdopen(fd, "wb");
	if (!file) {
		struct xs_error *err = xs_error_sys("%s", path);
		if (fd >= 0)
			close(fd);
		return err;
	}
	struct xs_error *err = gzprintf(file, FORMAT "%s\n", name) > 0 ? NULL : trouble(file, path);
	if (!err && !(err = pack_one(file, path, folder, "campaign.db")) &&
		!(err = pack_programs(file, path, folder)) && gzputs(file, "end\n") < 0)
		err = trouble(file, path);
	if (gzclose(file) != Z_OK && !err)
		err = xs_error_sys("%s", path);
	return err;
}

/* --- unpacking -------------------------------------------------------------------------------- */

/* A line without its end; false: there is none. */
static bool read_line(gzFile file, char line[LINE])
{
	if (!gzgets(file, line, LINE))
		return false;
	size_t length = strlen(line);
	if (!length || line[length - 1] != '\n')
		return false;
	line[length - 1] = '\0';
	return true;
}

static bool is_own_path(const char *path)
{
	static const char inner[] = "programs/";
	size_t start = strlen(inner);
	return !strcmp(path, "campaign.db") ||
	       (!strncmp(path, inner, start) && is_source(path + start));
}

static struct xs_error *unpack_one(
	gzFile file, const char *path, uint64_t left, const char *folder, const char *name)
{
	char buffer[CHUNK];
	XS_AUTO_FREE char *to = folder ? xs_asprintf("%s/%s", folder, name) : NULL;
	XS_AUTO_FILE FILE *out = to ? xs_private_open(to, true) : NULL;
	if (to && !out)
		return xs_error_sys("%s", to);
	while (left) {
		unsigned want = left < sizeof buffer ? (unsigned)left : sizeof buffer;
		int got = gzread(file, buffer, want);
		if (got <= 0)
			return xs_error_corrupt(
				"%s: damaged: it ends, or makes no sense, in %s", path, name);
		if (out && fwrite(buffer, 1, (size_t)got, out) != (size_t)got)
			return xs_error_sys("%s", to);
		left -= (uint64_t)got;
	}
	if (out && fflush(out))
		return xs_error_sys("%s", to);
	return NULL;
}

static struct xs_error *unpack_all(
	gzFile file, const char *path, const char *name, const char *folder)
{
	char line[LINE];
	bool campaign = false;
	struct xs_error *err = NULL;
	if (!read_line(file, line) || strncmp(line, "xstep shard ", 12) != 0)
		return xs_error_corrupt("%s: not a shard of a campaign", path);
	if (strncmp(line, FORMAT, strlen(FORMAT)) != 0)
		return xs_error_corrupt(
			"%s: a shard of another format: `%s`; use an xstep of its time", path,
			line);
	if (strcmp(line + strlen(FORMAT), name) != 0)
		return xs_error_corrupt(
			"%s: is shard %s under another name", path, line + strlen(FORMAT));
	while (!err && read_line(file, line) && strcmp(line, "end") != 0) {
		char *end;
		uint64_t size = strtoull(line, &end, 10);
		if (end == line || *end != ' ' || size > INT64_MAX || !is_own_path(end + 1))
			return xs_error_corrupt("%s: damaged: it has something in it that no "
						"shard has",
				path);
		campaign |= !strcmp(end + 1, "campaign.db");
		err = unpack_one(file, path, size, folder, end + 1);
	}
	if (!err && (strcmp(line, "end") != 0 || gzread(file, line, 1) != 0 || !campaign))
		err = xs_error_corrupt("%s: damaged: it has no end", path);
	return err;
}

struct xs_error *ora_shard_unpack(const char *path, const char *name, const char *folder)
{
	struct stat about;
	if (stat(path, &about))
		return xs_error_sys("%s", path);
	if (!S_ISREG(about.st_mode))
		return xs_error_corrupt("%s: not a file", path);
	gzFile file = gzopen(path, "rb");
	if (!file)
		return xs_error_sys("%s", path);
	/* What is not compressed is no shard: zlib would read it as it is. */
	struct xs_error *err = gzdirect(file)
				       ? xs_error_corrupt("%s: not a shard of a campaign", path)
				       : unpack_all(file, path, name, folder);
	if (gzclose(file) != Z_OK && !err)
		err = xs_error_corrupt("%s: damaged: its checksum is wrong", path);
	return err;
}
