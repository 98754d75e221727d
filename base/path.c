#include "base/path.h"

#include <string.h>

const char *xs_base_name(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;
	return slash ? slash + 1 : path;
}
