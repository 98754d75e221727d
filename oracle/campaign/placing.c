#include "oracle/campaign/placing.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>

#include "base/alloc.h"
#include "base/private.h"
#include "oracle/campaign/prepare.h"

#define ENDING ".part"

/* This machine's name, as it may stand in a file's. */
static void host_name(char ret[65])
{
	if (gethostname(ret, 65))
		strcpy(ret, "unnamed");
	ret[64] = '\0';
	for (char *at = ret; *at; at++)
		if (*at == '/' || *at == '.')
			*at = '_';
}

char *ora_place_part(const char *path)
{
	char host[65];
	host_name(host);
	return xs_asprintf("%s.%s.%ld" ENDING, path, host, (long)getpid());
}

bool ora_place_is_part(const char *name)
{
	size_t length = strlen(name), ending = strlen(ENDING);
	return length > ending && !strcmp(name + length - ending, ENDING);
}

/* Has the bytes of a file, or the names in a folder, reach the disk. */
static bool reach_disk(const char *path)
{
	XS_AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd >= 0 && !fsync(fd);
}

/* Gives a part its name, unless there is an error, after which it is gone. */
static struct xs_error *finish(struct xs_error *err, const char *part, const char *path)
{
	if (!err && rename(part, path))
		err = xs_error_sys("%s", path);
	if (err)
		unlink(part);
	return err;
}

struct xs_error *ora_place_firmly(const char *part, const char *path)
{
	const char *slash = strrchr(path, '/');
	XS_AUTO_FREE char *folder =
		slash ? xs_asprintf("%.*s/", (int)(slash - path), path) : xs_strdup(".");
	struct xs_error *err =
		finish(reach_disk(part) ? NULL : xs_error_sys("%s", part), part, path);
	reach_disk(folder); /* not every file system can do that */
	return err;
}

struct xs_error *ora_place_copy(const char *from, const char *path)
{
	XS_AUTO_FREE char *part = ora_place_part(path);
	return finish(ora_copy_file(from, part), part, path);
}

struct xs_error *ora_place_text(const char *path, const char *text)
{
	XS_AUTO_FREE char *part = ora_place_part(path);
	FILE *file = xs_private_open(part, false);
	bool good = file && fputs(text, file) >= 0;
	if (file && fclose(file))
		good = false;
	return finish(good ? NULL : xs_error_sys("%s", path), part, path);
}

void ora_place_settle(const char *folder)
{
	XS_AUTO_CLOSE int fd = open(folder, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		syncfs(fd);
}

/* Whether a name is that of a part whose process was one of this machine, and is dead. */
static bool is_dead(const char *name, const char *host)
{
	if (!ora_place_is_part(name))
		return false;
	XS_AUTO_FREE char *stem = xs_asprintf("%.*s", (int)(strlen(name) - strlen(ENDING)), name);
	char *number = strrchr(stem, '.'), *end;
	if (!number)
		return false;
	*number++ = '\0';
	const char *its = strrchr(stem, '.');
	long pid = strtol(number, &end, 10);
	return its && !strcmp(its + 1, host) && pid > 0 && !*end && kill((pid_t)pid, 0) &&
	       errno == ESRCH;
}

void ora_place_sweep(const char *folder)
{
	char host[65];
	DIR *all = opendir(folder);
	host_name(host);
	for (struct dirent *entry; all && (entry = readdir(all));)
		if (is_dead(entry->d_name, host))
			unlinkat(dirfd(all), entry->d_name, 0);
	if (all)
		closedir(all);
}
