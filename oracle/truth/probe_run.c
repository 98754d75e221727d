#include "oracle/truth/probe_run.h"

#include <signal.h>
#include <sys/ptrace.h>

#include "engine/interrupt.h"
#include "engine/sample.h"
#include "oracle/witness/own/start.h"

enum { NOP = 0x90 };

struct walk {
	struct ora_probe_run *run;
	struct eng_process *process;
	struct ora_machine *machine;
	struct eng_traps traps;
	struct xs_map index; /* process address -> index into places, plus 1 */
	uint64_t arrivals;   /* of all */
};

void ora_probe_run_group(struct ora_probe_run *run)
{
	const struct di_probes *probes = run->probes;
	for (size_t i = 0; i < probes->list.len; i++) {
		struct ora_probe_place *last =
			run->places.len ? &run->places.data[run->places.len - 1] : NULL;
		if (last && last->pc == probes->list.data[i].pc) {
			last->count++;
			continue;
		}
		struct ora_probe_place one = {
			.pc = probes->list.data[i].pc, .first = i, .count = 1};
		xs_vec_push(&run->places, one);
	}
}

static struct xs_error *plant(struct walk *walk)
{
	struct ora_probe_run *run = walk->run;
	const struct ora_module *module = &run->run->subject->modules.data[0];
	struct xs_error *err = NULL;
	for (size_t i = 0; !err && i < run->places.len; i++) {
		struct ora_probe_place *place = &run->places.data[i];
		size_t size = 0;
		const uint8_t *code = di_module_bytes(module->info, place->pc, &size);
		if (!code || !size || *code != NOP ||
			!xs_ranges_find(&module->info->code, place->pc)) {
			place->skipped = true;
			place->why = "at addresses without a nop";
			continue;
		}
		*xs_map_at(&walk->index, place->pc + module->bias, 0) = i + 1;
		err = eng_traps_add(&walk->traps, &walk->process->tracee, place->pc + module->bias);
	}
	return err ? err : eng_traps_plant(&walk->traps, &walk->process->tracee);
}

static bool is_looked_at(const struct ora_probe_run *run, const struct ora_probe_place *place)
{
	if (run->every)
		return (place->arrivals - 1) % run->every == 0;
	return eng_sample_keeps(
		ENG_SAMPLE_DTD, run->seed, XS_ADDR_NONE, place->pc, place->arrivals);
}

/* The thread has hit the trap at an address, and pc is behind it. */
static struct xs_error *arrive(struct walk *walk, xs_addr address, size_t index)
{
	struct ora_probe_run *run = walk->run;
	struct ora_probe_place *place = &run->places.data[index];
	struct user_regs_struct *regs;
	struct xs_error *err = NULL;
	uint64_t budget = run->budget ? run->budget : ORA_PROBE_BUDGET;
	place->arrivals++;
	walk->arrivals++;
	if (is_looked_at(run, place)) {
		place->looked++;
		if ((err = eng_process_regs(walk->process, &regs)))
			return err;
		/* The nop is about to be executed, for whoever looks. */
		regs->rip = address;
		err = run->on_arrival(run->context, place, walk->machine);
		regs->rip = address + 1;
	}
	place->spent = place->arrivals >= budget || walk->arrivals > ORA_PROBE_TOTAL;
	if (!err && place->spent)
		err = eng_traps_lift(&walk->traps, &walk->process->tracee, address);
	return err;
}

/* To the end of the program. */
static struct xs_error *go_on(struct walk *walk)
{
	struct eng_process *process = walk->process;
	struct user_regs_struct *regs;
	struct eng_event event;
	struct xs_error *err;
	for (int signal = 0;;) {
		err = eng_process_go(process, PTRACE_CONT, signal, &event);
		walk->run->blind |= !walk->traps.planted;
		if (err || process->ended)
			return err;
		signal = event.kind == ENG_EVENT_SIGNAL ? event.signal : 0;
		if (event.kind == ENG_EVENT_EXEC)
			return NULL; /* another program; it has none of the traps */
		if (event.kind != ENG_EVENT_TRAP)
			continue;
		if ((err = eng_process_regs(process, &regs)) || process->ended)
			return err;
		xs_addr address = regs->rip - 1;
		const uint64_t *index = xs_map_find(&walk->index, address, 0);
		if (!index || !eng_traps_has(&walk->traps, address))
			signal = SIGTRAP; /* its own */
		else if ((err = arrive(walk, address, (size_t)*index - 1)))
			return err;
	}
}

static struct xs_error *walk_program(struct walk *walk)
{
	struct ora_probe_run *run = walk->run;
	struct xs_error *err = ora_start_run(run->run, walk->process, run->from);
	if (err || (err = ora_machine_create(walk->process, run->run->subject, &walk->machine)))
		return err;
	walk->process->traps = &walk->traps;
	if (!(err = plant(walk)))
		err = go_on(walk);
	bool ended = walk->process->ended;
	if (!ended)
		eng_traps_clear(&walk->traps, &walk->process->tracee);
	walk->process->traps = NULL;
	return err || ended ? err : eng_process_finish(walk->process, 0);
}

struct xs_error *ora_probe_run(struct ora_probe_run *run)
{
	struct walk walk = {.run = run};
	ora_probe_run_group(run);
	struct xs_error *err = ora_run_launch(run->run, &walk.process);
	if (!err)
		err = walk_program(&walk);
	run->interrupted_by = eng_interrupt_signal();
	ora_machine_destroy(walk.machine);
	eng_process_destroy(walk.process);
	eng_traps_deinit(&walk.traps);
	xs_map_deinit(&walk.index);
	return err;
}

void ora_probe_run_deinit(struct ora_probe_run *run)
{
	xs_vec_deinit(&run->places);
}
