/* cpu.h - one core for tracer and tracee together.
 *
 * Handing control over between two cores costs four times what it costs on one. Parallel runs of
 * xstep must then take different cores: each run binds an abstract socket named after its core
 * and a slot; the kernel frees it when the run ends, however it ends, and nothing is left on disk.
 */
#ifndef ENG_CPU_H
#define ENG_CPU_H

#include <sched.h>
#include <sys/types.h>

struct eng_cpu {
	cpu_set_t original; /* where this process was allowed to run before */
	int core;           /* the one taken, -1 if none */
	int claim;          /* the bound socket, -1 if none */
};

/* Moves this process to the least claimed of its cores. Children inherit it. Never fails: without
 * a core of its own xstep is slower, not wrong. */
void eng_cpu_take(struct eng_cpu *cpu);
/* Lets pid (0: this process) run where xstep was allowed to run. */
void eng_cpu_release(const struct eng_cpu *cpu, pid_t pid);
/* Gives the core back. */
void eng_cpu_drop(struct eng_cpu *cpu);

#endif
