/* bare_step.c - the barest PTRACE_SINGLESTEP loop there can be: the peer of every mode of xstep.
 *
 * Usage: bare_step START LO HI LIMIT PROGRAM [ARG...]
 * Runs to START, then steps until pc leaves [LO, HI) or LIMIT steps were made (0: no limit),
 * reading no register but pc. It steps no library code: with that, each instruction of interest
 * would seem to cost more. Addresses are link-time ones, in hex. Prints steps, seconds, and seconds
 * of the processor: its own and the program's. */
#include <elf.h>
#include <fcntl.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static unsigned long load_bias(pid_t pid, const char *path)
{
	char auxv_path[64];
	Elf64_Ehdr header;
	uint64_t entry[2];
	int file = open(path, O_RDONLY);
	snprintf(auxv_path, sizeof auxv_path, "/proc/%d/auxv", pid);
	int auxv = open(auxv_path, O_RDONLY);
	if (read(file, &header, sizeof header) != sizeof header)
		exit(2);
	while (read(auxv, entry, sizeof entry) == sizeof entry && entry[0] != AT_ENTRY)
		;
	return entry[1] - header.e_entry;
}

static double read_clock(clockid_t clock)
{
	struct timespec time;
	clock_gettime(clock, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
	int status;
	cpu_set_t one;
	if (argc < 6)
		return 2;
	CPU_ZERO(&one);
	CPU_SET((unsigned)sched_getcpu(), &one);
	sched_setaffinity(0, sizeof one, &one);
	pid_t pid = fork();
	if (!pid) {
		personality(ADDR_NO_RANDOMIZE);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execv(argv[5], argv + 5);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	ptrace(PTRACE_SETOPTIONS, pid, NULL, (void *)PTRACE_O_EXITKILL);
	unsigned long bias = load_bias(pid, argv[5]);
	unsigned long start = strtoul(argv[1], NULL, 16) + bias;
	unsigned long lo = strtoul(argv[2], NULL, 16) + bias;
	unsigned long hi = strtoul(argv[3], NULL, 16) + bias;
	unsigned long limit = strtoul(argv[4], NULL, 10), steps = 0;
	long word = ptrace(PTRACE_PEEKTEXT, pid, (void *)start, NULL);
	ptrace(PTRACE_POKETEXT, pid, (void *)start, (void *)((word & ~0xffL) | 0xcc));
	ptrace(PTRACE_CONT, pid, NULL, NULL);
	waitpid(pid, &status, 0);
	ptrace(PTRACE_POKETEXT, pid, (void *)start, (void *)word);
	ptrace(PTRACE_POKEUSER, pid, (void *)offsetof(struct user, regs.rip), (void *)start);

	clockid_t its;
	clock_getcpuclockid(pid, &its);
	double began = read_clock(CLOCK_MONOTONIC);
	double used = read_clock(CLOCK_PROCESS_CPUTIME_ID) + read_clock(its);
	for (unsigned long pc = start; pc >= lo && pc < hi && (!limit || steps < limit); steps++) {
		ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL);
		waitpid(pid, &status, 0);
		if (WIFEXITED(status) || WIFSIGNALED(status))
			return 2; /* no program ends inside of its own code */
		pc = (unsigned long)ptrace(
			PTRACE_PEEKUSER, pid, (void *)offsetof(struct user, regs.rip), NULL);
	}
	printf("%lu %.6f %.6f\n", steps, read_clock(CLOCK_MONOTONIC) - began,
		read_clock(CLOCK_PROCESS_CPUTIME_ID) + read_clock(its) - used);
	return 0;
}
