#include "engine/tracee.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

struct xs_error *eng_tracee_init(struct eng_tracee *tracee, pid_t pid)
{
	*tracee = (struct eng_tracee){.pid = pid, .epoch = 1};
	XS_AUTO_FREE char *path = xs_asprintf("/proc/%d/mem", pid);
	tracee->mem = open(path, O_RDWR | O_CLOEXEC);
	if (tracee->mem < 0)
		return xs_error_sys("open(%s)", path);
	tracee->pages = xs_calloc(ENG_CACHE_PAGES, sizeof *tracee->pages);
	tracee->buffers = xs_calloc(ENG_CACHE_PAGES, 2 * ENG_PAGE_SIZE);
	for (size_t i = 0; i < ENG_CACHE_PAGES; i++) {
		tracee->pages[i].bytes = tracee->buffers + 2 * i * ENG_PAGE_SIZE;
		tracee->pages[i].spare = tracee->pages[i].bytes + ENG_PAGE_SIZE;
	}
	return NULL;
}

void eng_tracee_deinit(struct eng_tracee *tracee)
{
	if (tracee->pages)
		close(tracee->mem);
	free(tracee->pages);
	free(tracee->buffers);
	*tracee = (struct eng_tracee){.mem = -1};
}

/* The error of a ptrace request, noting if the thread is no longer there. */
static struct xs_error *request_failed(struct eng_tracee *tracee, const char *request)
{
	tracee->gone = errno == ESRCH;
	return xs_error_sys("ptrace(%s, %d)", request, tracee->pid);
}

void eng_tracee_notice(struct eng_tracee *tracee)
{
	struct user_regs_struct regs;
	if (ptrace(PTRACE_GETREGS, tracee->pid, NULL, &regs) && errno == ESRCH)
		tracee->gone = true;
}

struct xs_error *eng_tracee_regs(struct eng_tracee *tracee, struct user_regs_struct **ret)
{
	if (!tracee->regs_valid && ptrace(PTRACE_GETREGS, tracee->pid, NULL, &tracee->regs))
		return request_failed(tracee, "GETREGS");
	tracee->regs_valid = true;
	*ret = &tracee->regs;
	return NULL;
}

struct xs_error *eng_tracee_pc(struct eng_tracee *tracee, xs_addr *ret)
{
	struct user_regs_struct *regs = NULL;
	struct xs_error *err = eng_tracee_regs(tracee, &regs);
	*ret = regs ? regs->rip : XS_ADDR_NONE;
	return err;
}

struct xs_error *eng_tracee_xstate(struct eng_tracee *tracee, const struct xs_xstate **ret)
{
	uint8_t area[XS_XSAVE_MAX];
	struct iovec buffer = {.iov_base = area, .iov_len = sizeof area};
	struct xs_xsave_layout layout = xs_xsave_layout_here();
	*ret = &tracee->xstate;
	if (tracee->xstate_valid)
		return NULL;
	if (ptrace(PTRACE_GETREGSET, tracee->pid, (void *)(uintptr_t)NT_X86_XSTATE, &buffer)) {
		/* A processor or a kernel without XSAVE: x87 and SSE are all there is. */
		if (ptrace(PTRACE_GETFPREGS, tracee->pid, NULL, area))
			return request_failed(tracee, "GETFPREGS");
		buffer.iov_len = sizeof(struct user_fpregs_struct);
	}
	if (!xs_xstate_decode(&tracee->xstate, area, buffer.iov_len, &layout))
		return xs_error_create("ptrace(GETREGSET, %d): %zu bytes are too few", tracee->pid,
			buffer.iov_len);
	tracee->xstate_valid = true;
	return NULL;
}

struct xs_error *eng_tracee_write_xsave(struct eng_tracee *tracee, size_t offset, const void *bytes,
	size_t size, unsigned component)
{
	enum { IN_USE_AT = 512 };
	uint8_t area[XS_XSAVE_MAX];
	struct iovec buffer = {.iov_base = area, .iov_len = sizeof area};
	void *set = (void *)(uintptr_t)NT_X86_XSTATE;
	uint64_t used;
	if (ptrace(PTRACE_GETREGSET, tracee->pid, set, &buffer))
		return request_failed(tracee, "GETREGSET");
	if (offset + size > buffer.iov_len || buffer.iov_len < IN_USE_AT + sizeof used)
		return xs_error_create("ptrace(GETREGSET, %d): no such register", tracee->pid);
	memcpy(area + offset, bytes, size);
	memcpy(&used, area + IN_USE_AT, sizeof used);
	used |= UINT64_C(1) << component;
	memcpy(area + IN_USE_AT, &used, sizeof used);
	if (ptrace(PTRACE_SETREGSET, tracee->pid, set, &buffer))
		return request_failed(tracee, "SETREGSET");
	tracee->xstate_valid = false;
	return NULL;
}

/* The page's spare holds what memory holds now. */
static void take_spare(struct eng_tracee *tracee, struct eng_page *page)
{
	uint8_t *before = page->bytes;
	if (memcmp(before, page->spare, ENG_PAGE_SIZE))
		page->changed = tracee->fetches;
	page->bytes = page->spare;
	page->spare = before;
	page->epoch = tracee->epoch;
}

/* Reads pages anew, as many of the first ones as can be read in one call. */
static void fetch(struct eng_tracee *tracee, struct eng_page *const *pages, size_t count)
{
	struct iovec here[ENG_CACHE_PAGES], there[ENG_CACHE_PAGES];
	size_t parts = 0; /* neighbours are one to the kernel, and cheaper so */
	for (size_t i = 0; i < count; i++) {
		pages[i]->epoch = 0;
		here[i] = (struct iovec){pages[i]->spare, ENG_PAGE_SIZE};
		if (i && pages[i]->address == pages[i - 1]->address + ENG_PAGE_SIZE)
			there[parts - 1].iov_len += ENG_PAGE_SIZE;
		else
			there[parts++] = (struct iovec){(void *)pages[i]->address, ENG_PAGE_SIZE};
	}
	tracee->fetches++;
	/* Half the cost of /proc/PID/mem, which can read more: what is not readable is left to it.
	 */
	ssize_t done = process_vm_readv(tracee->pid, here, count, there, parts, 0);
	for (size_t i = 0; done >= 0 && i < (size_t)done / ENG_PAGE_SIZE; i++)
		take_spare(tracee, pages[i]);
}

/* At the first look at memory in this stop: reads again what the last one needed. */
static void fetch_again(struct eng_tracee *tracee)
{
	struct eng_page *pages[ENG_CACHE_PAGES];
	size_t count = 0;
	for (size_t i = 0; i < ENG_CACHE_PAGES; i++)
		if (tracee->looked && tracee->pages[i].used == tracee->looked)
			pages[count++] = &tracee->pages[i];
	tracee->looked = tracee->epoch;
	if (count)
		fetch(tracee, pages, count);
}

/* The page that begins at address, or NULL if it cannot be read. */
static const struct eng_page *page_at(struct eng_tracee *tracee, xs_addr address)
{
	struct eng_page *page = &tracee->pages[address / ENG_PAGE_SIZE % ENG_CACHE_PAGES];
	if (tracee->looked != tracee->epoch)
		fetch_again(tracee);
	page->used = tracee->epoch;
	if (page->address == address && page->epoch == tracee->epoch)
		return page;
	if (page->address != address)
		page->changed = tracee->fetches + 1;
	page->address = address;
	fetch(tracee, &page, 1);
	if (page->epoch != tracee->epoch &&
		pread(tracee->mem, page->spare, ENG_PAGE_SIZE, (off_t)address) == ENG_PAGE_SIZE)
		take_spare(tracee, page);
	return page->epoch == tracee->epoch ? page : NULL;
}

bool eng_tracee_is_same(struct eng_tracee *tracee, xs_addr addr, size_t size, uint64_t since)
{
	xs_addr end = addr + size;
	for (xs_addr at = addr - addr % ENG_PAGE_SIZE; at < end; at += ENG_PAGE_SIZE) {
		const struct eng_page *page = at <= INT64_MAX ? page_at(tracee, at) : NULL;
		if (!page || page->changed > since)
			return false;
	}
	return true;
}

struct xs_error *eng_tracee_read_some(
	struct eng_tracee *tracee, xs_addr addr, void *buffer, size_t size, size_t *ret)
{
	uint8_t *to = buffer;
	*ret = 0;
	/* The upper half is the kernel's, and a negative offset for pread. */
	while (*ret < size && addr + *ret <= INT64_MAX) {
		xs_addr at = addr + *ret;
		size_t within = at % ENG_PAGE_SIZE, part = ENG_PAGE_SIZE - within;
		const struct eng_page *page = page_at(tracee, at - within);
		if (!page)
			break;
		part = part < size - *ret ? part : size - *ret;
		memcpy(to + *ret, page->bytes + within, part);
		*ret += part;
	}
	return NULL;
}

struct xs_error *eng_tracee_read(struct eng_tracee *tracee, xs_addr addr, void *buffer, size_t size)
{
	size_t have;
	struct xs_error *err = eng_tracee_read_some(tracee, addr, buffer, size, &have);
	if (!err && have < size)
		err = xs_error_create("no memory at 0x%" PRIx64, addr + have);
	return err;
}

struct xs_error *eng_tracee_write(
	struct eng_tracee *tracee, xs_addr addr, const void *bytes, size_t size)
{
	ssize_t written = pwrite(tracee->mem, bytes, size, (off_t)addr);
	if (written < 0 || (size_t)written < size) {
		eng_tracee_notice(tracee);
		return xs_error_create(
			"no memory at 0x%" PRIx64, addr + (size_t)(written < 0 ? 0 : written));
	}
	eng_tracee_forget_memory(tracee);
	return NULL;
}

void eng_tracee_forget_page(struct eng_tracee *tracee, xs_addr address)
{
	/* A word may lie in two pages. */
	tracee->pages[address / ENG_PAGE_SIZE % ENG_CACHE_PAGES].epoch = 0;
	tracee->pages[(address + 7) / ENG_PAGE_SIZE % ENG_CACHE_PAGES].epoch = 0;
}

void eng_tracee_forget_memory(struct eng_tracee *tracee)
{
	for (size_t i = 0; i < ENG_CACHE_PAGES; i++)
		tracee->pages[i].epoch = 0;
}

/* Rule 2. */
static struct xs_error *write_back(struct eng_tracee *tracee)
{
	void *rip = (void *)offsetof(struct user, regs.rip);
	if (tracee->regs_changed && ptrace(PTRACE_SETREGS, tracee->pid, NULL, &tracee->regs) &&
		errno != ESRCH)
		return request_failed(tracee, "SETREGS");
	if (!tracee->regs_changed && tracee->pc_changed &&
		ptrace(PTRACE_POKEUSER, tracee->pid, rip, (void *)tracee->regs.rip) &&
		errno != ESRCH)
		return request_failed(tracee, "POKEUSER");
	tracee->regs_valid = tracee->regs_changed = tracee->pc_changed = false;
	return NULL;
}

struct xs_error *eng_tracee_flush(struct eng_tracee *tracee)
{
	return write_back(tracee);
}

void eng_tracee_follow(struct eng_tracee *tracee, pid_t pid)
{
	eng_assert(tracee, !tracee->regs_changed && !tracee->pc_changed);
	tracee->pid = pid;
	tracee->regs_valid = tracee->xstate_valid = tracee->gone = false;
	/* Others have run since it stopped: memory is not what it was. */
	tracee->epoch++;
}

struct xs_error *eng_tracee_resume(struct eng_tracee *tracee, int request, int signal)
{
	struct xs_error *err = write_back(tracee);
	if (err)
		return err;
	tracee->xstate_valid = false;
	tracee->epoch++;
	/* The request is an enum to glibc and an int to everybody else. */
	if (ptrace((enum __ptrace_request)request, tracee->pid, NULL, (void *)(intptr_t)signal) &&
		errno != ESRCH)
		return request_failed(tracee, request == PTRACE_CONT         ? "CONT"
					      : request == PTRACE_SYSCALL    ? "SYSCALL"
					      : request == PTRACE_SINGLESTEP ? "SINGLESTEP"
									     : "LISTEN");
	return NULL;
}

void eng_assert_failed(struct eng_tracee *tracee, const char *file, int line, const char *condition)
{
	xs_addr pc = 0;
	xs_error_destroy(eng_tracee_pc(tracee, &pc)); /* best effort: we are failing already */
	fprintf(stderr, "xstep: thread %d at pc 0x%" PRIx64 ", resumed %" PRIu64 " times\n",
		tracee->pid, pc, tracee->epoch - 1);
	xs_assert_failed(file, line, condition);
}

void eng_tracee_move_fault(const struct eng_tracee *tracee, xs_addr from, xs_addr to)
{
	siginfo_t info;
	if (ptrace(PTRACE_GETSIGINFO, tracee->pid, NULL, &info) || info.si_addr != (void *)from ||
		(info.si_signo != SIGFPE && info.si_signo != SIGILL))
		return;
	info.si_addr = (void *)to;
	ptrace(PTRACE_SETSIGINFO, tracee->pid, NULL, &info);
}
