#include "engine/traps.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ptrace.h>

static const uint8_t int3 = 0xcc;

bool eng_traps_has(const struct eng_traps *traps, xs_addr address)
{
	const uint64_t *index = xs_map_find(&traps->index, address, 0);
	return index && *index;
}

struct xs_error *eng_traps_add(struct eng_traps *traps, struct eng_tracee *tracee, xs_addr address)
{
	struct xs_error *err;
	struct eng_trap trap = {.address = address};
	if (eng_traps_has(traps, address))
		return NULL;
	if ((err = eng_tracee_read(tracee, address, &trap.original, 1)))
		return err;
	xs_vec_push(&traps->list, trap);
	*xs_map_at(&traps->index, address, 0) = traps->list.len;
	return traps->planted ? eng_tracee_write(tracee, address, &int3, 1) : NULL;
}

struct xs_error *eng_traps_lift(struct eng_traps *traps, struct eng_tracee *tracee, xs_addr address)
{
	uint64_t *index = xs_map_at(&traps->index, address, 0);
	if (!*index)
		return NULL;
	struct eng_trap trap = traps->list.data[*index - 1];
	struct eng_trap last = traps->list.data[--traps->list.len];
	traps->list.data[*index - 1] = last;
	uint64_t place = *index;
	*index = 0;
	if (last.address != address)
		*xs_map_at(&traps->index, last.address, 0) = place;
	return traps->planted ? eng_tracee_write(tracee, address, &trap.original, 1) : NULL;
}

struct xs_error *eng_traps_plant(struct eng_traps *traps, struct eng_tracee *tracee)
{
	struct xs_error *err;
	for (size_t i = 0; !traps->planted && i < traps->list.len; i++)
		if ((err = eng_tracee_write(tracee, traps->list.data[i].address, &int3, 1)))
			return err;
	traps->planted = true;
	return NULL;
}

void eng_traps_clear(struct eng_traps *traps, struct eng_tracee *tracee)
{
	/* What cannot be read has been unmapped, and what is no int3 any more has been written
	 * over: nobody's trap. */
	for (size_t i = 0; traps->planted && i < traps->list.len; i++) {
		const struct eng_trap *trap = &traps->list.data[i];
		uint8_t now;
		size_t got;
		xs_error_destroy(eng_tracee_read_some(tracee, trap->address, &now, 1, &got));
		if (got && now == int3)
			(void)!pwrite(tracee->mem, &trap->original, 1, (off_t)trap->address);
	}
	eng_tracee_forget_memory(tracee);
	traps->planted = false;
}

struct xs_error *eng_traps_show(const struct eng_traps *traps, struct eng_tracee *tracee,
	xs_addr address, unsigned size, bool show)
{
	struct xs_error *err;
	/* What is no instruction still has a first byte. */
	for (unsigned i = 0; traps->planted && i < (size ? size : 1); i++) {
		const uint64_t *index = xs_map_find(&traps->index, address + i, 0);
		if (!index || !*index)
			continue;
		const uint8_t *byte = show ? &int3 : &traps->list.data[*index - 1].original;
		if ((err = eng_tracee_write(tracee, address + i, byte, 1)))
			return err;
	}
	return NULL;
}

/* For a child whose memory can only be reached by ptrace. */
static void poke(pid_t child, const struct eng_trap *trap)
{
	xs_addr at = trap->address & ~(xs_addr)7;
	unsigned shift = 8 * (unsigned)(trap->address - at);
	errno = 0;
	uint64_t word = (uint64_t)ptrace(PTRACE_PEEKTEXT, child, (void *)at, NULL);
	word = (word & ~(UINT64_C(0xff) << shift)) | (uint64_t)trap->original << shift;
	if (!errno)
		ptrace(PTRACE_POKETEXT, child, (void *)at, (void *)word);
}

void eng_traps_heal(const struct eng_traps *traps, pid_t child)
{
	XS_AUTO_FREE char *path = xs_asprintf("/proc/%d/mem", child);
	XS_AUTO_CLOSE int mem = open(path, O_RDWR | O_CLOEXEC);
	for (size_t i = 0; traps->planted && i < traps->list.len; i++) {
		const struct eng_trap *trap = &traps->list.data[i];
		if (mem < 0 || pwrite(mem, &trap->original, 1, (off_t)trap->address) != 1)
			poke(child, trap);
	}
}

struct xs_error *eng_traps_read(const struct eng_traps *traps, struct eng_tracee *tracee,
	xs_addr address, uint8_t *buffer, size_t size, size_t *ret)
{
	struct xs_error *err = eng_tracee_read_some(tracee, address, buffer, size, ret);
	for (size_t i = 0; !err && traps->planted && i < *ret; i++) {
		const uint64_t *index =
			buffer[i] == int3 ? xs_map_find(&traps->index, address + i, 0) : NULL;
		if (index && *index)
			buffer[i] = traps->list.data[*index - 1].original;
	}
	return err;
}

void eng_traps_deinit(struct eng_traps *traps)
{
	xs_map_deinit(&traps->index);
	xs_vec_deinit(&traps->list);
}
