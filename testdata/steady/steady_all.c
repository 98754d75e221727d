/* steady_all.c - asks for everything that differs from run to run. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

int main(void)
{
	struct timespec real, monotonic, cpu;
	struct timeval day;
	struct tms used;
	struct rusage usage;
	struct sysinfo info;
	unsigned long long random = 0, device = 0, tsc, tscp, later;
	unsigned core;
	char *block = malloc(16);
	time_t now = time(NULL);
	clock_gettime(CLOCK_REALTIME, &real);
	clock_gettime(CLOCK_MONOTONIC, &monotonic);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
	gettimeofday(&day, NULL);
	clock_t ticks = times(&used), processor = clock();
	getrusage(RUSAGE_SELF, &usage);
	sysinfo(&info);
	pid_t pid = getpid(), tid = gettid(), parent = getppid(), group = getpgrp();
	if (getrandom(&random, sizeof random, 0) != sizeof random)
		return 1;
	int fd = open("/dev/urandom", O_RDONLY);
	if (fd < 0 || read(fd, &device, sizeof device) != sizeof device)
		return 2;
	close(fd);
	printf("time %ld\nreal %ld.%09ld\nmonotonic %ld.%09ld\ncpu %ld.%09ld\nday %ld.%06ld\n", now,
		real.tv_sec, real.tv_nsec, monotonic.tv_sec, monotonic.tv_nsec, cpu.tv_sec,
		cpu.tv_nsec, day.tv_sec, day.tv_usec);
	printf("times %ld %ld\nclock %ld\nusage %ld.%06ld\nuptime %ld\n", ticks, used.tms_utime,
		processor, usage.ru_utime.tv_sec, usage.ru_utime.tv_usec, info.uptime);
	printf("pid %d\ntid %d\nparent %d\ngroup %d\n", pid, tid, parent, group);
	printf("random %llx\ndevice %llx\n", random, device);
	fflush(stdout);
	/* No debugger can pin these. */
	tsc = __rdtsc();
	tscp = __rdtscp(&core);
	later = __rdtsc();
	printf("tsc %llx\ntscp %llx\nlater %llx\n", tsc, tscp, later);
	free(block);
	return later > tsc ? 0 : 3;
}
