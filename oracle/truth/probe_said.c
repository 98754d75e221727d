#include "oracle/truth/probe_said.h"

const struct ora_check_rule ora_probe_value_rule = {
	"P1", "a variable has the value that the operand of a probe has at that pc"};
const struct ora_check_rule ora_probe_loss_rule = {
	"P2", "a variable that is an operand of a probe has a value at that pc"};

size_t ora_probe_violate(struct ora_check *check, const struct ora_probe_traces *traces,
	const struct ora_probe_said *said, size_t trace, bool lie, const char *why)
{
	struct ora_store_place place = {.address = said->pc, .function = said->function};
	struct ora_told told = {.number = said->arrival, .n = said->arrival, .place = &place};
	struct ora_store_variable identity = {.scope = said->scope,
		.name = said->variable,
		.file = said->decl_file,
		.line = said->decl_line};
	bool fresh;
	size_t at = ora_check_violate(check, trace,
		&(struct ora_violation){.rule = lie ? &ora_probe_value_rule : &ora_probe_loss_rule,
			.kind = lie ? ORA_KIND_LIE : ORA_KIND_LOSS,
			.why = why,
			.told = &told,
			.arrival = said->arrival,
			.frame = said->frame,
			.frame_pc = said->pc,
			.file = said->file,
			.function = said->function,
			.line = said->line,
			.variable = &identity,
			.path = said->path,
			.type = said->type},
		&fresh);
	if (!fresh)
		return at;
	ora_check_say(check, at, traces->truth, ORA_STATE_VALUE, said->truth);
	ora_check_say(check, at, traces->own, said->state, said->value);
	ora_check_explain(check, at,
		xs_asprintf(said->right
				    ? "%s is %s by the operand that the compiler itself put there, "
				      "and by the DWARF"
			    : lie ? "%s is %s by the operand that the compiler itself put there, "
				    "and not by the DWARF"
				  : "%s is %s by the operand that the compiler itself put there, "
				    "and has no value by the DWARF",
			said->path, said->truth),
		xs_strdup(said->remark));
	return at;
}

void ora_probe_said_deinit(struct ora_probe_said *said)
{
	char *const texts[] = {said->function, said->file, said->scope, said->variable, said->path,
		said->decl_file, said->type, said->truth, said->value, said->remark};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		free(texts[i]);
	*said = (struct ora_probe_said){0};
}
