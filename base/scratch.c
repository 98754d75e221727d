#include "base/scratch.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/vec.h"

enum { LETTERS = 6, TRIES = 100, DEPTH_MOST = 200 };

#define PREFIX "xstep-"

struct held {
	char *path;
	int fd; /* the folder's, locked */
};

static XS_VEC(struct held) held_ones; /* by this process */

const char *xs_scratch_place(void)
{
	const char *place = getenv("TMPDIR");
	return place && *place ? place : "/tmp";
}

/* --- removing -------------------------------------------------------------------------------- */

static int open_folder(int in, const char *name)
{
	return openat(in, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Removes all that is in a folder. What cannot be removed keeps the others from nothing. */
static void empty(int folder, unsigned depth)
{
	int again = fcntl(folder, F_DUPFD_CLOEXEC, 0);
	DIR *all = again < 0 ? NULL : fdopendir(again);
	if (!all && again >= 0)
		close(again);
	for (struct dirent *entry; all && (entry = readdir(all));) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
			!unlinkat(folder, entry->d_name, 0) || depth == DEPTH_MOST)
			continue;
		XS_AUTO_CLOSE int inner = open_folder(folder, entry->d_name);
		if (inner < 0)
			continue;
		empty(inner, depth + 1);
		unlinkat(folder, entry->d_name, AT_REMOVEDIR);
	}
	if (all)
		closedir(all);
}

/* Whether the name in a place is still this open folder's. */
static bool is_there(int place, const char *name, int folder)
{
	struct stat open, named;
	return !fstat(folder, &open) && !fstatat(place, name, &named, AT_SYMLINK_NOFOLLOW) &&
	       open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

static bool is_own_name(const char *name)
{
	size_t length = strlen(name);
	if (strncmp(name, PREFIX, strlen(PREFIX)) || length < strlen(PREFIX) + 1 + LETTERS ||
		name[length - LETTERS - 1] != '.')
		return false;
	for (size_t i = length - LETTERS; i < length; i++)
		if (!isalnum((unsigned char)name[i]))
			return false;
	return true;
}

static void sweep_one(int place, const char *name)
{
	struct stat about;
	XS_AUTO_CLOSE int folder = open_folder(place, name);
	if (folder < 0 || fstat(folder, &about) || about.st_uid != geteuid() ||
		flock(folder, LOCK_EX | LOCK_NB) || !is_there(place, name, folder))
		return;
	empty(folder, 0);
	unlinkat(place, name, AT_REMOVEDIR);
}

void xs_scratch_sweep(const char *place)
{
	DIR *all = opendir(place);
	for (struct dirent *entry; all && (entry = readdir(all));)
		if (is_own_name(entry->d_name))
			sweep_one(dirfd(all), entry->d_name);
	if (all)
		closedir(all);
}

/* --- making ---------------------------------------------------------------------------------- */

/* Locks a folder that was just made. False if it was swept before: rule 3. Where the file system
 * knows no locks nobody can sweep either. */
static bool hold(const char *path)
{
	struct held held = {.fd = open_folder(AT_FDCWD, path)};
	if (held.fd < 0)
		return false;
	if ((flock(held.fd, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK) ||
		!is_there(AT_FDCWD, path, held.fd)) {
		close(held.fd);
		return false;
	}
	held.path = xs_strdup(path);
	xs_vec_push(&held_ones, held);
	return true;
}

struct xs_error *xs_scratch_create_in(const char *place, const char *what, char **ret)
{
	for (unsigned i = 0; i < TRIES; i++) {
		*ret = xs_asprintf("%s/" PREFIX "%s.XXXXXX", place, what);
		if (!mkdtemp(*ret))
			break;
		if (hold(*ret))
			return NULL;
		rmdir(*ret);
		free(*ret);
		errno = EBUSY;
		*ret = NULL;
	}
	struct xs_error *err = xs_error_sys("%s", *ret ? *ret : place);
	free(*ret);
	*ret = NULL;
	return err;
}

struct xs_error *xs_scratch_create(const char *what, char **ret)
{
	return xs_scratch_create_in(xs_scratch_place(), what, ret);
}

/* --- ending ---------------------------------------------------------------------------------- */

void xs_scratch_destroy(char *folder)
{
	int fd = folder ? open_folder(AT_FDCWD, folder) : -1;
	if (fd >= 0) {
		empty(fd, 0);
		close(fd);
		rmdir(folder);
	}
	for (size_t i = held_ones.len; folder && i-- > 0;) {
		struct held *held = &held_ones.data[i];
		if (strcmp(held->path, folder))
			continue;
		close(held->fd);
		free(held->path);
		*held = held_ones.data[--held_ones.len];
	}
	free(folder);
}
