#include "engine/fingerprint.h"

#include <elf.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

static uint64_t mix(uint64_t hash, const void *bytes, size_t size)
{
	/* FNV-1a, a word at a time where there are words. */
	const uint8_t *at = bytes;
	for (; size >= 8; at += 8, size -= 8) {
		uint64_t word;
		memcpy(&word, at, sizeof word);
		hash = (hash ^ word) * 1099511628211u;
		hash ^= hash >> 32;
	}
	for (; size; at++, size--)
		hash = (hash ^ *at) * 1099511628211u;
	return hash;
}

static struct xs_error *mix_registers(pid_t pid, uint64_t *hash)
{
	static const long sets[] = {NT_PRSTATUS, NT_X86_XSTATE};
	uint8_t buffer[16384];
	for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
		struct iovec area = {buffer, sizeof buffer};
		if (ptrace(PTRACE_GETREGSET, pid, sets[i], &area))
			return xs_error_sys("ptrace(GETREGSET, %d)", (int)pid);
		*hash = mix(*hash, buffer, area.iov_len);
	}
	return NULL;
}

struct xs_error *eng_fingerprint(struct eng_process *process, uint64_t *ret)
{
	struct eng_tracee *tracee = &process->tracee;
	char path[64];
	XS_AUTO_FREE char *line = NULL;
	size_t room = 0;
	uint64_t hash = 14695981039346656037u, lo, hi;
	uint8_t page[ENG_PAGE_SIZE];
	struct xs_error *err = eng_tracee_flush(tracee);
	if (err || (err = mix_registers(tracee->pid, &hash)))
		return err;
	snprintf(path, sizeof path, "/proc/%d/maps", (int)tracee->pid);
	XS_AUTO_FILE FILE *maps = fopen(path, "re");
	if (!maps)
		return xs_error_sys("%s", path);
	while (getline(&line, &room, maps) > 0) {
		char rights[5] = "";
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s", &lo, &hi, rights) != 3 ||
			rights[1] != 'w')
			continue;
		hash = mix(hash, &lo, sizeof lo);
		for (; lo < hi; lo += sizeof page)
			if (pread(tracee->mem, page, sizeof page, (off_t)lo) == sizeof page)
				hash = mix(hash, page, sizeof page);
	}
	*ret = hash;
	return NULL;
}
