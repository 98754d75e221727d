#include "base/path.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"

const char *xs_base_name(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;
	return slash ? slash + 1 : path;
}

char *xs_path_find(const char *name)
{
	const char *at = getenv("PATH");
	if (strchr(name, '/'))
		return access(name, X_OK) ? NULL : xs_strdup(name);
	for (at = at ? at : "/usr/bin:/bin"; *at;) {
		size_t length = strcspn(at, ":");
		char *path = xs_asprintf("%.*s/%s", (int)length, at, name);
		if (length && !access(path, X_OK))
			return path;
		free(path);
		at += length + (at[length] == ':');
	}
	return NULL;
}

struct xs_error *xs_path_self(char **ret)
{
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof path);
	if (length < 0 || (size_t)length >= sizeof path)
		return xs_error_sys("/proc/self/exe");
	*ret = xs_asprintf("%.*s", (int)length, path);
	return NULL;
}
