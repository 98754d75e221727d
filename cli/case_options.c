#include "cli/case_options.h"

#include <unistd.h>

struct xs_error *cli_case_operands(const struct cli_command *command,
	const struct xs_strings *operands, struct ora_case_words *words)
{
	size_t count = operands->vec.len;
	if (words->source ? count : count != 1 && count != 2)
		return xs_error_create("%s: expected DIR ID of a campaign, a finding's FOLDER, or "
				       "--source FILE; see xstep %s --help",
			command->name, command->name);
	if (count == 2 && (words->compiler || words->level || words->flags || words->oracle ||
				  words->witness || words->signature))
		return xs_error_create("%s: --compiler, --level, --flags, --oracle, --witness and "
				       "--signature go with --source: a campaign knows its own",
			command->name);
	if (count == 1)
		words->report = operands->vec.data[0];
	if (count == 2) {
		words->folder = operands->vec.data[0];
		words->id = operands->vec.data[1];
	}
	return NULL;
}

uint64_t cli_case_jobs(uint64_t given)
{
	long there = sysconf(_SC_NPROCESSORS_ONLN);
	return given ? given : there > 0 ? (uint64_t)there : 1;
}
