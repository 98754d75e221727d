#include "oracle/truth/frames_run.h"

#include "oracle/truth/entries.h"
#include "oracle/truth/frames_others.h"
#include "oracle/truth/frames_tell.h"

/* --- from a stop to a step of the shadow stack ------------------------------------------------ */

static void read_registers(const struct user_regs_struct *regs, uint64_t ret[DI_REG_GENERAL])
{
	const uint64_t values[DI_REG_GENERAL] = {regs->rax, regs->rdx, regs->rcx, regs->rbx,
		regs->rsi, regs->rdi, regs->rbp, regs->rsp, regs->r8, regs->r9, regs->r10,
		regs->r11, regs->r12, regs->r13, regs->r14, regs->r15, regs->rip};
	memcpy(ret, values, sizeof values);
}

/* Where the kernel saved two registers, in bytes from the return address of a handler: behind that
 * are uc_flags, uc_link, uc_stack and, of uc_mcontext, r8 to r15, rdi, rsi, rbp, rbx, rdx, rax, rcx
 * and these. */
enum { SAVED_RSP = 8 + 40 + 15 * 8, SAVED_RIP = SAVED_RSP + 8 };

/* Whether the word at rsp leads to rt_sigreturn, so that the kernel called the function here. */
static bool read_interrupted(struct ora_frames_run *run, const struct di_target *target,
	const struct ora_shadow_step *step, struct ora_interrupted *ret)
{
	static const uint8_t code[] = {0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05};
	uint8_t bytes[sizeof code];
	xs_addr sp = step->reg[DI_REG_RSP];
	if (!target->memory(target->arg, step->top, bytes, sizeof bytes) ||
		memcmp(bytes, code, sizeof code) != 0 ||
		!target->memory(target->arg, sp + SAVED_RSP, &ret->sp, 8) ||
		!target->memory(target->arg, sp + SAVED_RIP, &ret->pc, 8))
		return false;
	ret->function = 0;
	if (xs_ranges_find(&run->module->interest, ret->pc - run->bias))
		ret->function = ora_codes_at(&run->codes, ret->pc - run->bias)->function;
	return true;
}

static xs_addr process_address(const struct ora_frames_run *run, xs_addr address)
{
	return address == XS_ADDR_NONE ? address : address + run->bias;
}

static struct xs_error *follow(struct ora_frames_run *run, const struct ora_stop *stop,
	const struct ora_code *prev, const struct ora_code *code)
{
	uint64_t registers[DI_REG_GENERAL];
	struct user_regs_struct *regs;
	struct ora_interrupted interrupted;
	struct xs_error *err;
	if ((err = eng_tracee_regs(&stop->process->tracee, &regs)))
		return err;
	read_registers(regs, registers);
	struct ora_shadow_step step = {.way = ora_codes_way(prev, code),
		.prev = prev ? process_address(run, prev->pc) : XS_ADDR_NONE,
		.next = prev ? process_address(run, prev->next) : XS_ADDR_NONE,
		.pops = prev ? prev->insn.pops : 0,
		.pc = process_address(run, code->pc),
		.entry = code->entry,
		.function = code->function,
		.reg = registers,
		.waits =
			ora_code_leads_out(code) ? process_address(run, code->next) : XS_ADDR_NONE};
	bool calls = step.way == ORA_WAY_CALL || step.way == ORA_WAY_CALL_OUT;
	step.entry |= calls && code->begins;
	if (step.entry || calls)
		step.top_known = stop->target->memory(
			stop->target->arg, registers[DI_REG_RSP], &step.top, sizeof step.top);
	if (step.entry && step.top_known && step.top != step.next &&
		read_interrupted(run, stop->target, &step, &interrupted))
		step.interrupted = &interrupted;
	ora_shadow_step(&run->shadow, &step);
	if (code->insn.kind == ENG_INSN_INDIRECT_CALL) {
		run->called_at = code->pc;
		run->called = ora_code_goal(code, registers, run->bias, stop->target);
	}
	return NULL;
}

/* --- looking ---------------------------------------------------------------------------------- */

static struct xs_error *look(struct ora_frames_run *run, const struct ora_stop *stop)
{
	struct xs_error *err;
	run->looked++;
	if ((err = di_stack_walk(stop->target, &run->stack)))
		return err;
	ora_frames_compare(
		&run->stack, stop->target, &run->shadow, &run->check->asked, &run->frames);
	if ((err = ora_frames_tell(run, stop)))
		return err;
	ora_frames_keep(run, stop);
	return ora_entries_look(run, stop);
}

static bool is_sampled(const struct ora_frames_run *run, xs_addr prev, xs_addr pc, uint64_t n)
{
	return eng_sample_keeps(run->recording.sample, run->recording.seed, prev, pc, n);
}

static uint64_t next(void *context, xs_addr prev, xs_addr pc, uint64_t n)
{
	struct ora_frames_run *run = context;
	const struct ora_code *before =
		prev == XS_ADDR_NONE ? NULL : ora_codes_at(&run->codes, prev);
	return ora_codes_matter(before, ora_codes_at(&run->codes, pc))
		       ? n + 1
		       : eng_sample_next(run->recording.sample, run->recording.seed, prev, pc, n);
}

static bool on_stop(void *context, const struct ora_stop *stop)
{
	struct ora_frames_run *run = context;
	xs_addr from = stop->prev ? stop->prev->pc : XS_ADDR_NONE;
	const struct ora_code *prev = stop->prev ? ora_codes_at(&run->codes, from) : NULL;
	const struct ora_code *code = ora_codes_at(&run->codes, stop->place->pc);
	if (!stop->prev)
		run->bias = run->recording.run.subject->modules.data[0].bias;
	if (ora_codes_matter(prev, code))
		run->err = follow(run, stop, prev, code);
	if (!run->err && is_sampled(run, from, stop->place->pc, stop->n))
		run->err = look(run, stop);
	return !run->err;
}

static void on_progress(void *context, uint64_t executed)
{
	const struct ora_frames_run *run = context;
	if (run->on_progress)
		run->on_progress(run->context, executed);
}

struct xs_error *ora_frames_run(struct ora_frames_run *run)
{
	struct ora_recording *recording = &run->recording;
	struct xs_error *err;
	if ((err = ora_run_open(&recording->run)))
		return err;
	run->module = run->codes.module = recording->run.subject->modules.data[0].info;
	run->teller.subject = recording->run.subject;
	recording->level = ORA_LEVEL_INSTRUCTION;
	recording->live = true;
	recording->next = next;
	recording->on_stop = on_stop;
	recording->on_progress = on_progress;
	recording->context = run;
	err = ora_record(recording);
	if (run->err) {
		xs_error_destroy(err);
		err = xs_take(&run->err);
	}
	return err ? err : ora_frames_others(run);
}

void ora_frames_run_deinit(struct ora_frames_run *run)
{
	ora_codes_deinit(&run->codes);
	ora_shadow_deinit(&run->shadow);
	ora_teller_deinit(&run->teller);
	di_stack_deinit(&run->stack);
	ora_frames_deinit(&run->frames);
	di_second_destroy(run->second);
	di_opinion_deinit(&run->opinion);
	ora_broken_destroy(run->broken);
	ora_entries_destroy(run->entries);
	ora_frames_kept_destroy(run->kept);
	ora_recording_deinit(&run->recording);
}
