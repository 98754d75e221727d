#include "oracle/session/served.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

/* Makes a file known, once. */
static void serve_file(struct ora_served *served, const char *path)
{
	struct stat about;
	if (stat(path, &about) || !S_ISREG(about.st_mode))
		return;
	uint64_t *known = xs_map_at(&served->files, about.st_dev, about.st_ino);
	if (!*known)
		di_companions_add(&served->companions, path);
	*known = 1;
}

/* What is mapped may be more than the last time. */
static void serve_mapped(struct ora_served *served)
{
	char path[64], line[PATH_MAX + 128];
	snprintf(path, sizeof path, "/proc/%d/exe", (int)served->pid);
	serve_file(served, path);
	snprintf(path, sizeof path, "/proc/%d/maps", (int)served->pid);
	XS_AUTO_FILE FILE *maps = fopen(path, "re");
	while (maps && fgets(line, sizeof line, maps)) {
		const char *name = strchr(line, '/');
		line[strcspn(line, "\n")] = 0;
		if (name)
			serve_file(served, name);
	}
}

/* What gdb reads there: `info proc`, and the arguments for a core file. */
static bool is_about_process(const struct ora_served *served, int fd)
{
	static const char *const names[] = {
		"auxv", "cmdline", "coredump_filter", "maps", "smaps", "stat", "status"};
	char real[PATH_MAX], judged[64], wanted[64];
	snprintf(judged, sizeof judged, "/proc/self/fd/%d", fd);
	ssize_t length = readlink(judged, real, sizeof real - 1);
	real[length > 0 ? length : 0] = 0;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(wanted, sizeof wanted, "/proc/%d/%s", (int)served->pid, names[i]);
		if (!strcmp(real, wanted))
			return true;
	}
	return false;
}

static bool is_served(struct ora_served *served, int fd)
{
	char judged[64];
	struct stat about;
	if (served->any)
		return true;
	if (fstat(fd, &about) || !S_ISREG(about.st_mode))
		return false;
	if (is_about_process(served, fd))
		return true;
	serve_mapped(served);
	if (xs_map_find(&served->files, about.st_dev, about.st_ino))
		return true;
	snprintf(judged, sizeof judged, "/proc/self/fd/%d", fd);
	if (!di_companions_has(&served->companions, judged))
		return false;
	serve_file(served, judged);
	return true;
}

static bool allows_file(void *context, int fd)
{
	struct ora_served *served = context;
	bool allowed = is_served(served, fd);
	if (!allowed && !served->has_refused && served->on_refused)
		served->on_refused();
	served->has_refused |= !allowed;
	return allowed;
}

static bool allows_link(void *context, const char *path)
{
	const struct ora_served *served = context;
	char exe[64], cwd[64];
	snprintf(exe, sizeof exe, "/proc/%d/exe", (int)served->pid);
	snprintf(cwd, sizeof cwd, "/proc/%d/cwd", (int)served->pid);
	return served->any || !strcmp(path, exe) || !strcmp(path, cwd);
}

struct eng_rsp_gate ora_served_gate(struct ora_served *served)
{
	return (struct eng_rsp_gate){.file = allows_file, .link = allows_link, .context = served};
}

void ora_served_deinit(struct ora_served *served)
{
	di_companions_deinit(&served->companions);
	xs_map_deinit(&served->files);
}
