/* peak.c - runs a program and tells how long it took and how much memory it had at most.
 *
 * Usage: peak FILE PROGRAM [ARG...]
 * Writes seconds and kilobytes to FILE; exits as the program did. Small itself, because the kernel
 * counts what a process had before exec as its own: a child of Python's has 20 MB from the start.
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
	fprintf(file, "%.6f %ld\n", now() - began, usage.ru_maxrss);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}
