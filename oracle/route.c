#include "oracle/route.h"

#include <gelf.h>

#include "engine/insn.h"
#include "oracle/record.h"

struct walker {
	uint64_t number;              /* that is looked for */
	XS_VEC(uint64_t) arrivals;    /* by index of the place, after the entry */
	const struct ora_place *last; /* where the stop before was */
	const struct ora_place *here; /* where it is, once it is found */
	const struct ora_place *entry;
	uint64_t at_last, at_here; /* arrivals at both, in time */
};

static void on_step(void *context, const struct ora_stop *stop)
{
	struct walker *walker = context;
	if (walker->here)
		return;
	while (walker->arrivals.len <= stop->place->index)
		xs_vec_push(&walker->arrivals, 0);
	if (stop->number == 1)
		walker->entry = stop->place;
	uint64_t count = stop->number > 1 ? ++walker->arrivals.data[stop->place->index] : 0;
	if (stop->number == walker->number) {
		walker->here = stop->place;
		walker->at_here = count;
	} else {
		walker->last = stop->place;
		walker->at_last = count;
	}
}

static bool on_stop(void *context, const struct ora_stop *stop)
{
	(void)stop;
	return !((struct walker *)context)->here;
}

/* The instruction at a link-time address, as the file has it. */
static struct eng_insn insn_at(const struct di_module *module, xs_addr address)
{
	size_t count = 0, size = 0;
	const char *raw = elf_rawfile(module->elf, &size);
	GElf_Phdr header;
	elf_getphdrnum(module->elf, &count);
	for (size_t i = 0; raw && i < count; i++) {
		if (!gelf_getphdr(module->elf, (int)i, &header) || header.p_type != PT_LOAD ||
			address < header.p_vaddr || address - header.p_vaddr >= header.p_filesz)
			continue;
		uint64_t at = address - header.p_vaddr + header.p_offset;
		if (at < size)
			return eng_insn_decode((const uint8_t *)raw + at,
				size - at < ENG_INSN_MAX ? size - at : ENG_INSN_MAX);
	}
	return (struct eng_insn){.kind = ENG_INSN_OTHER};
}

/* Whether one step leads from a place to another. */
static bool is_step(const struct ora_place *from, const struct ora_place *to)
{
	if (!from->main || !to->main)
		return false;
	struct eng_insn insn = insn_at(from->module, from->pc);
	switch (insn.kind) {
	case ENG_INSN_CALL:
		return eng_insn_target(&insn, from->pc) == to->pc;
	case ENG_INSN_PLAIN:
	case ENG_INSN_JUMP:
	case ENG_INSN_CONDITIONAL:
		return to->pc == from->pc + insn.length ||
		       (insn.kind != ENG_INSN_PLAIN && to->pc == eng_insn_target(&insn, from->pc));
	default:
		return false; /* it may, but nobody knows */
	}
}

struct xs_error *ora_route_find(
	struct ora_run *run, const char *from, uint64_t number, struct ora_route *ret)
{
	struct walker walker = {.number = number};
	struct ora_recording recording = {.run = *run,
		.from = from,
		.mode = ENG_MODE_EXACT,
		.sample = ENG_SAMPLE_UNIQUE,
		.limit = number,
		.on_step = on_step,
		.on_stop = on_stop,
		.context = &walker};
	struct xs_error *err = ora_run_open(&recording.run);
	if (!err)
		err = ora_record(&recording);
	if (!err && !walker.here)
		err = xs_error_create("%s: has no stop %" PRIu64, run->path, number);
	if (!err) {
		uint64_t bias = recording.run.subject->modules.data[0].bias;
		bool step = walker.last && is_step(walker.last, walker.here);
		const struct ora_place *place = step ? walker.last : walker.here;
		*ret = (struct ora_route){.entry = walker.entry->pc + bias,
			.arrivals = step ? walker.at_last : walker.at_here,
			.place = place->pc + bias,
			.step = step};
		if (!ret->arrivals)
			ret->place = XS_ADDR_NONE;
	}
	xs_vec_deinit(&walker.arrivals);
	*run = recording.run;
	recording.run.subject = NULL;
	ora_recording_deinit(&recording);
	return err;
}
