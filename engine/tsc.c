#include "engine/tsc.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "engine/insn.h"

static const uint64_t begin = UINT64_C(1) << 40;
static const uint64_t step = 1000000; /* a millisecond, or so */

static const uint8_t rdtsc[] = {0x0f, 0x31}, rdtscp[] = {0x0f, 0x01, 0xf9};

/* Whether an instruction begins at code + at: decoding finds the beginnings of instructions soon,
 * wherever it starts. */
static bool begins(const uint8_t *code, size_t size, size_t at)
{
	enum { BEFORE = 64 };
	size_t now = at > BEFORE ? at - BEFORE : 0;
	while (now < at) {
		unsigned length = eng_insn_decode(code + now, size - now).length;
		now += length ? length : 1;
	}
	return now == at;
}

static bool has(const uint8_t *code, size_t size, const uint8_t *insn, size_t length)
{
	const uint8_t *found = code;
	while ((found = memmem(found, size - (size_t)(found - code), insn, length))) {
		if (begins(code, size, (size_t)(found - code)))
			return true;
		found++;
	}
	return false;
}

bool eng_tsc_is_read_by(const char *path)
{
	struct stat about;
	bool ret = false;
	XS_AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &about) || about.st_size < (off_t)sizeof(Elf64_Ehdr))
		return false;
	size_t size = (size_t)about.st_size;
	const uint8_t *file = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (file == MAP_FAILED)
		return false;
	Elf64_Ehdr header;
	memcpy(&header, file, sizeof header);
	for (size_t i = 0; !ret && i < header.e_phnum; i++) {
		Elf64_Phdr part;
		uint64_t at = header.e_phoff + i * sizeof part;
		if (at < header.e_phoff || at > size - sizeof part)
			break;
		memcpy(&part, file + at, sizeof part);
		if (part.p_type != PT_LOAD || !(part.p_flags & PF_X) || part.p_offset > size ||
			part.p_filesz > size - part.p_offset)
			continue;
		const uint8_t *code = file + part.p_offset;
		ret = has(code, part.p_filesz, rdtsc, sizeof rdtsc) ||
		      has(code, part.p_filesz, rdtscp, sizeof rdtscp);
	}
	munmap((void *)(uintptr_t)file, size);
	return ret;
}

void eng_tsc_forbid(void)
{
	prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0);
}

/* Waits until the child is at the begin or at the end of a system call. Signals that come meanwhile
 * are sent again. */
static bool to_call(pid_t child)
{
	for (;;) {
		int status;
		pid_t pid;
		if (ptrace(PTRACE_SYSCALL, child, NULL, NULL))
			return false;
		while ((pid = waitpid(child, &status, __WALL)) < 0 && errno == EINTR)
			;
		if (pid != child || !WIFSTOPPED(status))
			return false;
		if (status >> 8 == ENG_CALL_STOP)
			return true;
		if (!(status >> 16))
			syscall(SYS_tgkill, child, child, WSTOPSIG(status));
	}
}

void eng_tsc_allow(pid_t child)
{
	enum { SYSCALL = 0x050f };
	struct user_regs_struct regs, saved;
	if (ptrace(PTRACE_GETREGS, child, NULL, &saved))
		return;
	/* It comes from a system call, and makes another one by the same instruction. */
	regs = saved;
	regs.rip -= 2;
	errno = 0;
	long code = ptrace(PTRACE_PEEKTEXT, child, (void *)(uintptr_t)regs.rip, NULL);
	if (errno || (code & 0xffff) != SYSCALL)
		return;
	regs.orig_rax = UINT64_MAX;
	regs.rax = SYS_prctl;
	regs.rdi = PR_SET_TSC;
	regs.rsi = PR_TSC_ENABLE;
	regs.rdx = regs.r10 = regs.r8 = 0;
	if (!ptrace(PTRACE_SETREGS, child, NULL, &regs) && to_call(child) && to_call(child))
		ptrace(PTRACE_SETREGS, child, NULL, &saved);
}

/* The length of the instruction, if it reads the clock; else 0. */
static unsigned reads(pid_t pid, uint64_t pc, bool *with_core)
{
	errno = 0;
	long word = ptrace(PTRACE_PEEKTEXT, pid, (void *)(uintptr_t)pc, NULL);
	*with_core = !memcmp(&word, rdtscp, sizeof rdtscp);
	if (errno)
		return 0;
	return *with_core ? sizeof rdtscp : !memcmp(&word, rdtsc, sizeof rdtsc) ? sizeof rdtsc : 0;
}

bool eng_tsc_read(const struct eng_event *event, uint64_t *readings)
{
	struct user_regs_struct regs;
	bool with_core;
	/* What the processor refuses has no address, and comes from the kernel. */
	if (event->kind != ENG_EVENT_SIGNAL || event->signal != SIGSEGV ||
		event->signal_code != SI_KERNEL || ptrace(PTRACE_GETREGS, event->pid, NULL, &regs))
		return false;
	unsigned length = reads(event->pid, regs.rip, &with_core);
	if (!length)
		return false;
	uint64_t time = begin + ++*readings * step;
	regs.rip += length;
	regs.rax = (uint32_t)time;
	regs.rdx = time >> 32;
	if (with_core)
		regs.rcx = 0;
	return !ptrace(PTRACE_SETREGS, event->pid, NULL, &regs);
}
