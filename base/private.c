#include "base/private.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

FILE *xs_private_open(const char *path, bool fresh)
{
	int fd = open(
		path, O_WRONLY | O_CREAT | O_CLOEXEC | (fresh ? O_EXCL : O_TRUNC), XS_PRIVATE_FILE);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
	if (fd >= 0 && !file) {
		int number = errno;
		close(fd);
		errno = number;
	}
	return file;
}

int xs_private_folder(const char *path)
{
	return mkdir(path, XS_PRIVATE_FOLDER);
}
