#include "oracle/witness/debugger/silence.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"

#define PAUSE  0.2  /* seconds between two looks at the least */
#define ASLEEP 0.01 /* of the processor: who uses less of it sleeps */

/* What a process, all that it started and all that it waited for have used of the processor. */
static double processor_seconds(pid_t pid)
{
	char path[64], line[1024] = "";
	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	XS_AUTO_FILE FILE *stat = fopen(path, "re");
	snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
	XS_AUTO_FILE FILE *children = fopen(path, "re");
	uint64_t own[2] = {0}, others[2] = {0};
	int child;
	const char *name_end = stat && fgets(line, sizeof line, stat) ? strrchr(line, ')') : NULL;
	if (name_end)
		sscanf(name_end + 1,
			" %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %" SCNu64 " %" SCNu64
			" %" SCNu64 " %" SCNu64,
			&own[0], &own[1], &others[0], &others[1]);
	double ret =
		(double)(own[0] + own[1] + others[0] + others[1]) / (double)sysconf(_SC_CLK_TCK);
	while (children && fscanf(children, "%d", &child) == 1)
		ret += processor_seconds(child);
	return ret;
}

void ora_silence_break(struct ora_silence *silence)
{
	silence->seconds = 0;
	silence->counted = xs_now();
}

double ora_silence_seconds(struct ora_silence *silence, pid_t pid)
{
	double present = xs_now(), passed = present - silence->counted;
	if (passed < PAUSE)
		return silence->seconds;
	double processor = processor_seconds(pid), used = processor - silence->processor;
	silence->seconds += used > ASLEEP * passed && used < passed ? used : passed;
	silence->counted = present;
	silence->processor = processor;
	return silence->seconds;
}
