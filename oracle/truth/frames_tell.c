#include "oracle/truth/frames_tell.h"

#include "dwarf/cfi.h"
#include "dwarf/op.h"
#include "dwarf/words.h"

/* What is wrong, as far as stretches are concerned. */
enum class { CLASS_FRAME, CLASS_REGISTER, CLASS_COUNT };

struct stretch {
	char *place;     /* tells it from others */
	const char *why; /* the word for the signature */
	char *since;     /* the instruction behind which it begins, in words; NULL: unknown */
	bool by_row;     /* which changes nothing that matters: a row begins there */
};

struct ora_broken {
	struct xs_map wrong; /* (link-time pc, class) -> index into stretches, plus 1 */
	struct xs_map right; /* likewise -> 1: looked at, and right */
	XS_VEC(struct stretch) stretches;
};

static const struct ora_check_rule rules[] = {
	{ORA_RULE_CFA, "the call frame information gives the frame's true address (CFA)"},
	{ORA_RULE_RETURN, "it gives the address that the function returns to"},
	{ORA_RULE_REGISTER, "it gives the registers that calls preserve as the caller had them"},
};

static const struct ora_check_rule *rule_of(enum ora_flaw flaw)
{
	return &rules[flaw == ORA_FLAW_REGISTER                               ? 2
		      : flaw == ORA_FLAW_RETURN || flaw == ORA_FLAW_NO_RETURN ? 1
									      : 0];
}

static enum class class_of(enum ora_flaw flaw) {
	return flaw == ORA_FLAW_REGISTER ? CLASS_REGISTER : CLASS_FRAME;
}

static struct ora_broken *broken_of(struct ora_frames_run *run)
{
	if (!run->broken)
		run->broken = xs_calloc(1, sizeof *run->broken);
	return run->broken;
}

void ora_broken_destroy(struct ora_broken *broken)
{
	if (!broken)
		return;
	for (size_t i = 0; i < broken->stretches.len; i++) {
		free(broken->stretches.data[i].place);
		free(broken->stretches.data[i].since);
	}
	xs_vec_deinit(&broken->stretches);
	xs_map_deinit(&broken->wrong);
	xs_map_deinit(&broken->right);
	free(broken);
}

/* --- the instruction -------------------------------------------------------------------------- */

/* The registers that the instruction at pc writes, by DWARF number: of those that calls preserve,
 * and rsp. */
static uint32_t writes(const struct ora_frames_run *run, xs_addr pc)
{
	/* By the numbers of instructions: rsp, rbx, rbp; r12 to r15 are the same in both. */
	static const uint8_t numbers[][2] = {{4, DI_REG_RSP}, {3, DI_REG_RBX}, {5, DI_REG_RBP},
		{12, 12}, {13, 13}, {14, 14}, {15, DI_REG_R15}};
	size_t size = 0;
	const uint8_t *bytes = di_module_bytes(run->module, pc, &size);
	uint32_t all =
		bytes ? eng_insn_writes(bytes, size < ENG_INSN_MAX ? size : ENG_INSN_MAX) : 0;
	uint32_t ret = 0;
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (all >> numbers[i][0] & 1)
			ret |= 1u << numbers[i][1];
	return ret;
}

/* The last instruction of this activation that was executed before its frame was looked at; link
 * time. XS_ADDR_NONE: unknown. */
static xs_addr before(
	struct ora_frames_run *run, const struct ora_stop *stop, const struct ora_frames_pair *pair)
{
	const struct ora_activation *one = &run->shadow.stack.data[pair->activation];
	const struct di_frame *frame = &run->stack.frames.data[pair->frame];
	if (one->held_at != XS_ADDR_NONE && frame->pc == one->held_pc &&
		(pair->frame || !stop->prev || stop->prev->pc + run->bias != one->held_at))
		return one->held_at - run->bias;
	if (pair->frame || !stop->prev)
		return XS_ADDR_NONE;
	/* What came before may be another activation's. */
	enum ora_way way = ora_codes_way(ora_codes_at(&run->codes, stop->prev->pc),
		ora_codes_at(&run->codes, stop->place->pc));
	bool same = way == ORA_WAY_DIRECT ||
		    (way == ORA_WAY_CALL && frame->pc != one->caller[DI_REG_RIP]) ||
		    (way == ORA_WAY_JUMP_OUT && frame->pc == one->entered[DI_REG_RIP]);
	return same ? stop->prev->pc : XS_ADDR_NONE;
}

/* --- stretches -------------------------------------------------------------------------------- */

/* Whether the instruction before has nothing to do with what is wrong now. */
static bool is_row(const struct ora_frames *found, uint32_t written)
{
	return !(
		written & (found->flaw == ORA_FLAW_REGISTER ? found->registers
							    : 1u << DI_REG_RSP | 1u << DI_REG_RBP));
}

static const char *word_of(enum ora_flaw flaw, uint32_t written, uint32_t registers, bool known)
{
	switch (flaw) {
	case ORA_FLAW_NO_CFI:
		return "no-cfi";
	case ORA_FLAW_BAD_CFI:
		return "bad-cfi";
	case ORA_FLAW_NO_RETURN:
		return "no-return-address";
	case ORA_FLAW_RETURN:
		return "wrong-return-address";
	case ORA_FLAW_REGISTER:
		return !known                ? "wrong-register"
		       : written & registers ? "wrong-register-unsaved"
					     : "wrong-register-row";
	case ORA_FLAW_CFA:
		return !known                      ? "wrong-cfa"
		       : written >> DI_REG_RSP & 1 ? "wrong-cfa-stack-pointer"
		       : written >> DI_REG_RBP & 1 ? "wrong-cfa-frame-pointer"
						   : "wrong-cfa-row";
	case ORA_FLAW_NONE:
		break;
	}
	return "";
}

/* The stretch that a pc is in: known, or a new one that begins behind `last`. */
static struct stretch *find_stretch(
	struct ora_frames_run *run, xs_addr pc, xs_addr last, const struct ora_frames *found)
{
	struct ora_broken *broken = broken_of(run);
	enum class class = class_of(found->flaw);
	const uint64_t *known = xs_map_find(&broken->wrong, pc, class);
	if (!known && last != XS_ADDR_NONE)
		known = xs_map_find(&broken->wrong, last, class);
	uint64_t index = known ? *known : 0;
	if (!index) {
		bool right = last != XS_ADDR_NONE && xs_map_find(&broken->right, last, class);
		uint32_t written = right ? writes(run, last) : 0;
		struct stretch fresh = {
			.why = word_of(found->flaw, written, found->registers, right),
			.place = xs_asprintf("0x%" PRIx64, right ? last : pc),
			.since = right ? ora_frames_instruction(run, last) : NULL,
			.by_row = is_row(found, written)};
		xs_vec_push(&broken->stretches, fresh);
		index = broken->stretches.len;
	}
	*xs_map_at(&broken->wrong, pc, class) = index;
	return &broken->stretches.data[index - 1];
}

/* Notes what is right, so that it is known where something begins to be wrong. */
static void note_right(struct ora_frames_run *run)
{
	const struct ora_frames *found = &run->frames;
	struct ora_broken *broken = broken_of(run);
	if (!found->pairs.len || found->ended)
		return;
	for (size_t i = 0; i < found->pairs.len; i++) {
		xs_addr pc = run->stack.frames.data[found->pairs.data[i].frame].pc - run->bias;
		bool last = i + 1 == found->pairs.len;
		if (i)
			continue; /* the innermost is what is executed */
		if (!last || !found->flaw || found->flaw == ORA_FLAW_REGISTER)
			*xs_map_at(&broken->right, pc, CLASS_FRAME) = 1;
		if (!last || !found->flaw)
			*xs_map_at(&broken->right, pc, CLASS_REGISTER) = 1;
	}
}

/* --- words ------------------------------------------------------------------------------------ */

static const struct di_cfi_row *row_of(struct ora_frames_run *run, xs_addr pc)
{
	const struct di_cfi_row *row = NULL;
	struct di_answer answer;
	di_answer_known(&answer);
	struct di_cfi *cfi = di_module_cfi(run->module, &answer);
	return cfi && di_cfi_find(cfi, pc, &row, &answer) ? row : NULL;
}

/* `.eh_frame+0x4c: FDE of [0x1130, 0x1150), row of [0x1131, 0x1150): CFA = RSP+16`, .... */
static char *evidence_of(struct ora_frames_run *run, const struct di_frame *frame)
{
	const struct di_cfi_row *row = row_of(run, frame->lookup);
	char buf[600] = "";
	struct di_text text = {.buf = buf, .size = sizeof buf};
	if (!row)
		return xs_asprintf(
			"no entry of .eh_frame or .debug_frame covers 0x%" PRIx64, frame->lookup);
	di_text_put(&text,
		"%s+0x%zx: FDE of [0x%" PRIx64 ", 0x%" PRIx64 "), row of [0x%" PRIx64 ", 0x%" PRIx64
		"): CFA = ",
		row->fde->cie->section->bytes.section, row->fde->offset, row->fde->lo, row->fde->hi,
		row->lo, row->hi);
	di_rule_cfa_text(&row->cfa, &text);
	for (unsigned reg = 0; reg < DI_REG_GENERAL; reg++) {
		if (row->reg[reg].kind == DI_RULE_NONE || reg == row->fde->cie->ra)
			continue;
		di_text_put(&text, "; %s ", di_register_name(reg));
		di_rule_text(&row->reg[reg], &text);
	}
	return xs_strdup(buf);
}

static unsigned first_of(uint32_t registers)
{
	unsigned reg = 0;
	while (!(registers >> reg & 1))
		reg++;
	return reg;
}

/* What is asked, `CFA`, as it is in the sentence. */
static const char *subject_of(const struct ora_frames *found)
{
	switch (found->flaw) {
	case ORA_FLAW_RETURN:
	case ORA_FLAW_NO_RETURN:
		return "return address";
	case ORA_FLAW_REGISTER:
		return di_register_name(first_of(found->registers));
	default:
		return "CFA";
	}
}

static bool is_loss(enum ora_flaw flaw)
{
	return flaw == ORA_FLAW_NO_CFI || flaw == ORA_FLAW_BAD_CFI || flaw == ORA_FLAW_NO_RETURN;
}

static char *sentence_of(struct ora_frames_run *run, const struct ora_frames_pair *pair,
	const struct stretch *stretch)
{
	const struct ora_frames *found = &run->frames;
	const struct di_frame *frame = &run->stack.frames.data[pair->frame];
	const struct di_function *function =
		di_functions_find(run->module->functions, frame->lookup);
	const char *name = function ? function->name : "the function";
	char words[DI_WORDS];
	XS_AUTO_FREE char *what = NULL;
	if (is_loss(found->flaw))
		what = xs_asprintf("at 0x%" PRIx64 " the %s of %s cannot be told: %s",
			frame->lookup, subject_of(found), name,
			di_answer_text(&run->stack.reason, words));
	else if (found->flaw == ORA_FLAW_REGISTER)
		what = xs_asprintf("at 0x%" PRIx64 " the caller's %s is said to be 0x%" PRIx64
				   "; %s was called with 0x%" PRIx64 " in it",
			frame->lookup, subject_of(found), found->given, name, found->truth);
	else
		what = xs_asprintf("at 0x%" PRIx64 " the %s of %s is said to be 0x%" PRIx64
				   "; by its call it is 0x%" PRIx64,
			frame->lookup, subject_of(found), name, found->given, found->truth);
	if (!stretch->since)
		return xs_strdup(what);
	return stretch->by_row ? xs_asprintf("%s; the row that begins behind %s is wrong", what,
					 stretch->since)
			       : xs_asprintf("%s; it is so since %s, of which no row speaks", what,
					 stretch->since);
}

/* --- telling ---------------------------------------------------------------------------------- */

/* Whether libunwind comes to the same frames as xstep, as far as it has an opinion. */
static struct xs_error *ask_second(
	struct ora_frames_run *run, const struct ora_stop *stop, size_t frame, bool *agrees)
{
	char difference[200];
	size_t first = 0;
	struct xs_error *err;
	if (!run->second && (err = di_second_create(&run->second)))
		return err;
	di_second_walk(run->second, stop->target, &run->opinion);
	/* What xstep does not believe libunwind may show all the same. */
	size_t count = run->stack.frames.len;
	if (run->stack.refused_known)
		xs_vec_push(&run->stack.frames, run->stack.refused);
	*agrees = di_opinion_agrees(
			  &run->opinion, &run->stack, &first, difference, sizeof difference) ||
		  first > frame + 1;
	run->stack.frames.len = count;
	return NULL;
}

static void say(struct ora_frames_run *run, size_t violation)
{
	const struct ora_frames *found = &run->frames;
	char words[DI_WORDS];
	XS_AUTO_FREE char *truth = xs_asprintf("%s = 0x%" PRIx64, subject_of(found), found->truth);
	XS_AUTO_FREE char *given =
		is_loss(found->flaw)
			? xs_strdup(di_answer_text(&run->stack.reason, words))
			: xs_asprintf("%s = 0x%" PRIx64, subject_of(found), found->given);
	ora_check_say(run->check, violation, ORA_FRAMES_TRUTH, ORA_STATE_VALUE, truth);
	ora_check_say(run->check, violation, ORA_FRAMES_XSTEP, ORA_STATE_VALUE, given);
}

struct xs_error *ora_frames_tell(struct ora_frames_run *run, const struct ora_stop *stop)
{
	const struct ora_frames *found = &run->frames;
	struct xs_error *err;
	bool agrees = true, fresh;
	note_right(run);
	if (!found->flaw)
		return NULL;
	const struct ora_frames_pair *pair = &found->pairs.data[found->pairs.len - 1];
	if ((err = ask_second(run, stop, pair->frame, &agrees)))
		return err;
	const struct di_frame *frame = &run->stack.frames.data[pair->frame];
	if (!agrees) {
		ora_asked_leave(&run->check->asked, rule_of(found->flaw)->name, "frames",
			"where libunwind comes to another frame than xstep", 1);
		return NULL;
	}
	xs_addr pc = frame->pc - run->bias, last = before(run, stop, pair);
	const struct stretch *stretch = find_stretch(run, pc, last, found);
	const struct ora_place *place =
		ora_subject_place(run->recording.run.subject, frame->lookup + run->bias);
	struct ora_told told = ora_frames_told(run, stop);
	struct ora_violation violation = {.rule = rule_of(found->flaw),
		.kind = is_loss(found->flaw) ? ORA_KIND_LOSS : ORA_KIND_LIE,
		.why = stretch->why,
		.place = stretch->place,
		.told = &told,
		.frame = (unsigned)pair->frame,
		.frame_pc = frame->lookup,
		.file = place->file,
		.function = place->function,
		.line = place->row ? place->row->line : 0};
	size_t index = ora_check_violate(run->check, ORA_FRAMES_XSTEP, &violation, &fresh);
	if (!fresh)
		return NULL;
	say(run, index);
	ora_check_explain(
		run->check, index, sentence_of(run, pair, stretch), evidence_of(run, frame));
	return NULL;
}
