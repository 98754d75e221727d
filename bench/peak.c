/* peak.c - runs a program and tells how much time, processor time and memory it took.
 *
 * Usage: peak FILE PROGRAM [ARG...]
 * Writes three figures to FILE: seconds of the clock, seconds of the processor (user and system, of
 * the program and of all children that it waited for), and kilobytes at the peak. Exits as the
 * program did. Small itself, because the kernel counts what a process had before exec as its own: a
 * child of Python's has 20 MB from the start.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

int main(int argc, char **argv)
{
	struct rusage usage;
	int status;
	if (argc < 3)
		return 2;
	FILE *file = fopen(argv[1], "we");
	double began = now();
	pid_t pid = fork();
	if (!pid) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	if (!file || pid < 0 || wait4(pid, &status, 0, &usage) != pid)
		return 2;
	fprintf(file, "%.6f %.6f %ld\n", now() - began,
		seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}
