#include "oracle/session/resymbolise.h"

#include <inttypes.h>

#include "base/quoting.h"
#include "engine/interrupt.h"
#include "oracle/judge/symbols.h"
#include "oracle/witness/own/run.h"
#include "oracle/witness/symboliser/ask.h"
#include "oracle/witness/symboliser/symboliser.h"
#include "oracle/witness/symboliser/tool.h"

/* What an answer says of what is asked. */
static void take(struct ora_reproduction *one, struct di_module *module, enum ora_witness_kind kind,
	struct ora_answer *answer)
{
	const struct ora_difference *difference = one->difference;
	XS_AUTO_FREE char *calls = NULL, *inlined = NULL;
	answer->read = answer->read && ora_symboliser_is_sayable(kind, module, difference->pc);
	if (!answer->read) {
		one->again = ORA_AGAIN_LOST;
		return;
	}
	struct ora_store_place place =
		ora_symboliser_place(module, answer, difference->pc, 0, &calls);
	struct ora_store_place own =
		ora_symbols_place(module, difference->pc, DI_MISTAKE_NONE, &inlined);
	one->words = ora_symbols_text(difference->aspect, &place, &own);
	const char *said = difference->said[one->w].value;
	one->again = said && !strcmp(one->words, said) ? ORA_AGAIN_SAME : ORA_AGAIN_OTHER;
}

void ora_resymbolise(struct ora_reproducing *reproducing)
{
	const struct ora_run *run = reproducing->run;
	const struct ora_witness *witness = reproducing->debugger;
	struct di_module *module = run->subject->modules.data[0].info;
	double patience =
		reproducing->patience > 0 ? reproducing->patience : ORA_SYMBOLISER_PATIENCE;
	for (size_t i = 0; i < reproducing->asked.len && !eng_interrupt_is_wish(); i++) {
		struct ora_reproduction *one = &reproducing->asked.data[i];
		bool crash = one->difference->aspect == ORA_ASPECT_CRASH;
		struct ora_answers answers = {0};
		char *trouble;
		if (one->difference->module ||
			(!crash && !ora_aspect_is_static(one->difference->aspect)))
			continue;
		enum ora_asked asked = ora_ask(
			witness, run->path, &one->difference->pc, 1, patience, &answers, &trouble);
		if (asked == ORA_ASKED_ANSWERED && crash)
			one->again = ORA_AGAIN_OTHER;
		else if (asked == ORA_ASKED_ANSWERED)
			take(one, module, witness->kind, &answers.vec.data[0]);
		else if (asked != ORA_ASKED_INTERRUPTED)
			one->again =
				asked == ORA_ASKED_CRASHED ? ORA_AGAIN_CRASHED : ORA_AGAIN_LOST;
		if (trouble)
			one->words = trouble;
		ora_answers_deinit(&answers);
	}
	if (eng_interrupt_is_wish())
		reproducing->interrupted_by = eng_interrupt_signal();
}

char *ora_resymbolise_line(
	enum ora_witness_kind kind, const char *called, const char *program, xs_addr pc)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	XS_AUTO_FREE char *path = xs_quote_paste(program);
	XS_AUTO_FREE char *tool = xs_quote_paste(called ? called : ora_witness_name(kind));
	xs_assert(out);
	fputs(tool, out);
	for (char *const *word = ora_tool_of(kind)->words; *word; word++)
		fprintf(out, " %s", *word);
	fprintf(out, " %s 0x%" PRIx64, path, pc);
	xs_assert(!fclose(out));
	return text;
}
