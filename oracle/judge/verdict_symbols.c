/* verdict_symbols.c - what symbolisers say, held against the file. */
#include "oracle/judge/symbols.h"
#include "oracle/judge/verdict.h"
#include "oracle/store/buffer.h"
#include "oracle/witness/witness.h"

/* --- xstep's reading -------------------------------------------------------------------------- */

struct ora_store_place ora_symbols_place(
	struct di_module *module, xs_addr pc, enum di_mistake mistake, char **inlined)
{
	struct di_owners owners;
	struct ora_buffer text = {0};
	di_owners_find(module, pc, mistake, &owners);
	for (size_t i = 0; i < owners.inlined.len; i++) {
		const struct di_block *block = owners.inlined.data[i];
		ora_buffer_put(&text, i ? ",{\"function\":" : "[{\"function\":");
		ora_buffer_json(&text, block->name);
		ora_buffer_put(&text, ",\"file\":");
		ora_buffer_json(&text, block->call_file);
		ora_buffer_put(&text, ",\"line\":");
		ora_buffer_number(&text, block->call_line);
		ora_buffer_put(&text, "}");
	}
	if (text.len)
		ora_buffer_put(&text, "]");
	*inlined = text.data;
	const struct di_row *row = owners.row;
	struct ora_store_place ret = {.address = pc,
		.function = owners.function,
		.has_row = row,
		.file = owners.file,
		.line = row ? row->line : 0,
		.column = row ? row->column : 0,
		.inlined = *inlined};
	di_owners_deinit(&owners);
	return ret;
}

void ora_symbols_look(const struct ora_verdicts *verdicts, struct ora_finding *finding)
{
	const struct ora_difference *difference = finding->difference;
	struct ora_proof *proof = &finding->proof;
	size_t judge = ora_verdicts_judge(verdicts);
	if (!ora_aspect_is_static(difference->aspect) || !verdicts->module || difference->module ||
		judge == verdicts->comparison->count || !difference->said[judge].value)
		return;
	XS_AUTO_FREE char *inlined = NULL;
	struct ora_store_place own =
		ora_symbols_place(verdicts->module, difference->pc, DI_MISTAKE_NONE, &inlined);
	XS_AUTO_FREE char *text = ora_symbols_text(difference->aspect, &own, &own);
	proof->looked = true;
	proof->own = !strcmp(text, difference->said[judge].value);
	for (unsigned i = 1; i < DI_MISTAKE_COUNT; i++) {
		const char *who = di_mistake_debugger((enum di_mistake)i);
		if (!ora_witness_is_of_symboliser(who))
			continue;
		XS_AUTO_FREE char *calls = NULL;
		struct ora_store_place other = ora_symbols_place(
			verdicts->module, difference->pc, (enum di_mistake)i, &calls);
		char *said = ora_symbols_text(difference->aspect, &other, &own);
		if (strcmp(said, text) != 0)
			xs_vec_push(&proof->models,
				((struct ora_model){(enum di_mistake)i, ORA_STATE_VALUE, said}));
		else
			free(said);
	}
}

/* --- what is contested ------------------------------------------------------------------------ */

/* The last function of a list, `f < g < main`. */
static const char *outermost(const char *list)
{
	const char *last = list;
	for (const char *at = list; (at = strstr(at, " < "));)
		last = at += 3;
	return last;
}

enum ora_contest ora_symbols_contest(
	struct di_module *module, const struct ora_difference *difference, size_t judge, size_t w)
{
	const char *own = difference->said[judge].value, *said = difference->said[w].value;
	struct di_owners owners;
	di_owners_find(module, difference->pc, DI_MISTAKE_NONE, &owners);
	bool ambiguous = owners.ambiguous;
	di_owners_deinit(&owners);
	if (ambiguous)
		return ORA_CONTEST_SHARED;
	if (difference->aspect != ORA_ASPECT_FUNCTIONS || !own || !said)
		return ORA_CONTEST_NONE;
	const char *mine = outermost(own), *theirs = outermost(said);
	return mine - own == theirs - said && !strncmp(own, said, (size_t)(mine - own)) &&
			       (ora_shared_names(module, difference->pc, mine, theirs) ||
				       di_owners_is_symbol(module, difference->pc, theirs))
		       ? ORA_CONTEST_SHARED
		       : ORA_CONTEST_NONE;
}
