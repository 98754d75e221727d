#include "oracle/witness/own/mapped.h"

struct xs_error *ora_mapped_read(const struct eng_process *process, struct di_loads *ret)
{
	XS_AUTO_FREE char *path = xs_asprintf("/proc/%d/maps", process->tracee.pid);
	XS_AUTO_FILE FILE *maps = fopen(path, "re");
	XS_AUTO_FREE char *line = NULL;
	size_t size = 0;
	if (!maps)
		return xs_error_sys("%s", path);
	while (getline(&line, &size, maps) > 0) {
		struct di_stretch stretch = {0};
		char rights[8];
		int at = 0;
		line[strcspn(line, "\n")] = 0;
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %n", &stretch.lo,
			    &stretch.hi, rights, &stretch.offset, &at) < 4 ||
			!at || line[at] != '/')
			continue;
		stretch.code = strchr(rights, 'x');
		di_loads_add(ret, line + at, stretch);
	}
	return NULL;
}
