/* steady_children.c - forks, and runs other programs. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

static volatile int poked;

static void on_poke(int number)
{
	poked += number == SIGUSR1;
}

int main(int argc, char **argv)
{
	pid_t parent = getpid(), told = 0;
	int pipes[2], status;
	signal(SIGUSR1, on_poke);
	if (pipe(pipes))
		return 1;
	time_t before = time(NULL);
	pid_t child = fork();
	if (!child) {
		pid_t self = getpid();
		int ok = getppid() == parent && !kill(getppid(), SIGUSR1) && __rdtsc() &&
			 time(NULL) >= before;
		if (write(pipes[1], &self, sizeof self) != sizeof self)
			return 2;
		/* The parent may be gone before, and so may be whoever traces it. */
		if (argc > 1) {
			close(pipes[1]);
			sleep(1);
			FILE *file = fopen(argv[1], "w");
			if (!file || getpid() != self || time(NULL) < before ||
				fprintf(file, "done\n") < 0 || fclose(file))
				return 3;
			execl("/bin/sh", "sh", "-c", "echo more >> $0", argv[1], (char *)NULL);
		}
		return !ok;
	}
	if (read(pipes[0], &told, sizeof told) != sizeof told)
		return 4;
	printf("told %s\n", told == child ? "ok" : "failed");
	if (argc > 1)
		return 0;
	if (waitpid(child, &status, 0) != child)
		return 5;
	printf("child %s\n", status ? "failed" : "ok");
	printf("poked %s\n", poked == 1 ? "ok" : "failed");
	printf("shell %s\n", system("exit 3") == 3 << 8 ? "ok" : "failed");
	fflush(stdout);
	FILE *date = popen("/bin/sh -c 'exit 0'", "r");
	printf("pipe %s\n", date && !pclose(date) ? "ok" : "failed");
	return 0;
}
