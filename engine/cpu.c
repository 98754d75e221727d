#include "engine/cpu.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <stdbool.h>

#include "base/log.h"

enum { SLOTS = 64 }; /* runs that may share a core before we stop counting */

/* Claims slot number slot of a core; -1 if somebody has it. */
static int claim(unsigned core, int slot)
{
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	/* A leading NUL makes the name abstract: no file. */
	int length = snprintf(
		name.sun_path + 1, sizeof name.sun_path - 1, "xstep/core/%u/%d", core, slot);
	socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
	if (!bind(fd, (struct sockaddr *)&name, size))
		return fd;
	close(fd);
	return -1;
}

static bool choose(struct eng_cpu *cpu)
{
	for (int slot = 0; slot < SLOTS; slot++) {
		for (unsigned core = 0; core < CPU_SETSIZE; core++) {
			if (!CPU_ISSET(core, &cpu->original))
				continue;
			cpu->claim = claim(core, slot);
			cpu->core = (int)core;
			if (cpu->claim >= 0)
				return true;
		}
	}
	return false;
}

void eng_cpu_take(struct eng_cpu *cpu)
{
	*cpu = (struct eng_cpu){.core = -1, .claim = -1};
	if (sched_getaffinity(0, sizeof cpu->original, &cpu->original)) {
		CPU_ZERO(&cpu->original);
		return;
	}
	if (!choose(cpu)) {
		cpu->core = -1;
		return;
	}
	cpu_set_t one;
	CPU_ZERO(&one);
	CPU_SET((unsigned)cpu->core, &one);
	if (sched_setaffinity(0, sizeof one, &one))
		xs_log(XS_LOG_ENGINE, XS_LOG_INFO, "cannot stay on core %d", cpu->core);
	else
		xs_log(XS_LOG_ENGINE, XS_LOG_INFO, "took core %d", cpu->core);
}

void eng_cpu_release(const struct eng_cpu *cpu, pid_t pid)
{
	if (cpu->core >= 0)
		(void)!sched_setaffinity(pid, sizeof cpu->original, &cpu->original);
}

void eng_cpu_drop(struct eng_cpu *cpu)
{
	eng_cpu_release(cpu, 0);
	if (cpu->claim >= 0)
		close(cpu->claim);
	cpu->claim = cpu->core = -1;
}
