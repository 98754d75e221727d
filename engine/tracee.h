/* tracee.h - one stopped thread of the program: its registers and its memory.
 *
 * Rules:
 * 1. Everything here is asked of a thread in a ptrace stop. Registers are fetched once per stop,
 *    memory once per page and stop; eng_tracee_resume() forgets both. The pages that the last
 *    look at memory needed are read in one go: the next look mostly needs the same.
 * 2. Changed registers are written back when the thread is resumed, and only then.
 * 3. A thread can be killed at any moment, even while it is stopped. The call that notices fails
 *    and sets `gone`; its end is then told by the next wait. */
#ifndef ENG_TRACEE_H
#define ENG_TRACEE_H

#include <sys/types.h>
#include <sys/user.h>

#include "base/addr.h"
#include "base/error.h"
#include "base/xstate.h"

#define ENG_PAGE_SIZE   4096u
#define ENG_CACHE_PAGES 128u /* direct-mapped; a stop touches some stack and data pages */

struct eng_page {
	xs_addr address;  /* of the page's first byte */
	uint64_t epoch;   /* when it was read: stale if that is not the present one */
	uint64_t used;    /* when it was last asked for */
	uint64_t changed; /* number of the fetch that last found other bytes */
	uint8_t *bytes;   /* as they were then */
	uint8_t *spare;   /* where the next fetch goes */
};

struct eng_tracee {
	pid_t pid;                     /* thread id */
	int mem;                       /* /proc/PID/mem: reads and writes read-only pages too */
	bool gone;                     /* killed while we looked (rule 3) */
	bool regs_valid, regs_changed; /* state of regs (rules 1, 2) */
	bool pc_changed;               /* rip was, which alone is cheaper to write back */
	struct user_regs_struct regs;  /* valid only after eng_tracee_regs() */
	bool xstate_valid;             /* state of xstate (rule 1) */
	struct xs_xstate xstate;       /* valid only after eng_tracee_xstate() */
	uint64_t epoch;                /* counts resumes; stamps the pages */
	uint64_t looked;               /* the last epoch in which memory was read */
	uint64_t fetches;              /* counts system calls that read it */
	struct eng_page *pages;        /* ENG_CACHE_PAGES of them */
	uint8_t *buffers;              /* of all pages */
};

XS_MUST_CHECK struct xs_error *eng_tracee_init(struct eng_tracee *tracee, pid_t pid);
void eng_tracee_deinit(struct eng_tracee *tracee);

/* The registers; set regs_changed after changing one, pc_changed if that was rip alone. */
XS_MUST_CHECK struct xs_error *eng_tracee_regs(
	struct eng_tracee *tracee, struct user_regs_struct **ret);
/* The program counter alone. */
XS_MUST_CHECK struct xs_error *eng_tracee_pc(struct eng_tracee *tracee, xs_addr *ret);

/* The x87, SSE and AVX registers; not to be changed. */
XS_MUST_CHECK struct xs_error *eng_tracee_xstate(
	struct eng_tracee *tracee, const struct xs_xstate **ret);

/* Changes bytes of the area that these come from (xstate.h), at once; component is the number of
 * what lies there. */
XS_MUST_CHECK struct xs_error *eng_tracee_write_xsave(struct eng_tracee *tracee, size_t offset,
	const void *bytes, size_t size, unsigned component);

/* All size bytes at addr, or an error that names the first address that cannot be read. */
XS_MUST_CHECK struct xs_error *eng_tracee_read(
	struct eng_tracee *tracee, xs_addr addr, void *buffer, size_t size);
/* As many of them as can be read, counted in *ret. */
XS_MUST_CHECK struct xs_error *eng_tracee_read_some(
	struct eng_tracee *tracee, xs_addr addr, void *buffer, size_t size, size_t *ret);
/* Whether the bytes are certainly those that they were when `fetches` was `since`: nothing is
 * copied or compared that has been already. */
bool eng_tracee_is_same(struct eng_tracee *tracee, xs_addr addr, size_t size, uint64_t since);
XS_MUST_CHECK struct xs_error *eng_tracee_write(
	struct eng_tracee *tracee, xs_addr addr, const void *bytes, size_t size);

/* A page was written behind our back, or all of memory: it is read again. */
void eng_tracee_forget_page(struct eng_tracee *tracee, xs_addr address);
void eng_tracee_forget_memory(struct eng_tracee *tracee);
/* Memory that should be there was not: sets `gone` if that is because the thread was killed. */
void eng_tracee_notice(struct eng_tracee *tracee);

/* From now on it is another thread of the same program; what was changed of the first is flushed.
 */
void eng_tracee_follow(struct eng_tracee *tracee, pid_t pid);
/* Writes changed registers back now (rule 2), the thread staying where it is. */
XS_MUST_CHECK struct xs_error *eng_tracee_flush(struct eng_tracee *tracee);
/* Lets the thread go on: request is PTRACE_CONT, PTRACE_SINGLESTEP or PTRACE_LISTEN, signal is
 * delivered to it (0 for none). A thread that is gone is no error: the next wait tells. */
XS_MUST_CHECK struct xs_error *eng_tracee_resume(
	struct eng_tracee *tracee, int request, int signal);

/* A bug in xstep while it held this thread: says where the thread is and aborts. */
#define eng_assert(tracee, condition)                                                              \
	((condition) ? (void)0 : eng_assert_failed(tracee, __FILE__, __LINE__, #condition))
_Noreturn void eng_assert_failed(
	struct eng_tracee *tracee, const char *file, int line, const char *condition);

/* The signal that the thread is about to get may tell of the instruction at `from`, which is a copy
 * of the one at `to`: then it tells of that. */
void eng_tracee_move_fault(const struct eng_tracee *tracee, xs_addr from, xs_addr to);

#endif
