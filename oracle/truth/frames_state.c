#include "oracle/truth/frames_state.h"

#include "base/path.h"

struct ora_told ora_frames_told(struct ora_frames_run *run, const struct ora_stop *stop)
{
	return (struct ora_told){.number = stop->number,
		.n = stop->n,
		.prev = stop->prev ? ora_tell_place(&run->teller, stop->prev) : NULL,
		.place = ora_tell_place(&run->teller, stop->place)};
}

char *ora_frames_instruction(struct ora_frames_run *run, xs_addr pc)
{
	const struct ora_place *place =
		ora_subject_place(run->recording.run.subject, pc + run->bias);
	char text[100] = "?";
	size_t size = 0;
	const uint8_t *bytes = di_module_bytes(run->module, pc, &size);
	if (!bytes || !eng_insn_text(bytes, size < ENG_INSN_MAX ? size : ENG_INSN_MAX, pc, text,
			      sizeof text))
		snprintf(text, sizeof text, "?");
	return place->row ? xs_asprintf("`%s` at 0x%" PRIx64 " (%s:%u)", text, pc,
				    xs_base_name(place->file), place->row->line)
			  : xs_asprintf("`%s` at 0x%" PRIx64, text, pc);
}
