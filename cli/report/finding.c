#include "cli/report/finding.h"

#include <limits.h>
#include <stdarg.h>

#include "base/path.h"
#include "base/quoting.h"
#include "base/shown.h"
#include "cli/report/screen.h"
#include "dwarf/owners.h"
#include "oracle/judge/known.h"
#include "oracle/session/resymbolise.h"
#include "oracle/session/stored_words.h"
#include "oracle/witness/witness.h"

enum {
	WIDTH = 100,   /* columns of a line */
	MOST = 12,     /* lines of a cluster */
	MOST_LED = 30, /* of a check's: there are two programs to see it in */
	INDENT = 5,    /* of a line */
	HANGING = 15,  /* of what follows a word like `verdict` */
	SENTENCES = 3, /* lines of a verdict */
	EVIDENCE = 2,  /* lines of that */
};

/* A page of limited length: what does not fit is left out, from the end. */
struct page {
	FILE *out;
	unsigned left; /* lines that may follow */
};

/* --- lines ------------------------------------------------------------------------------------ */

/* Ends a line that was printed. */
static void end_line(struct page *page)
{
	putc('\n', page->out);
	page->left -= page->left > 0;
}

/* A word, and where the text behind it begins. */
static void put_word(struct page *page, const char *word)
{
	xs_print(page->out, "%*s", INDENT, "");
	cli_ink_word(page->out, CLI_INK_FAINT, word, HANGING - INDENT);
}

/* A text behind a word, over several lines if need be. glue is what a line that goes on ends in. On
 * a narrow terminal there is as much of the text, on more lines: what has no glue is one long line
 * there, which the screen wraps. */
static void put_text(
	struct page *page, const char *word, const char *text, unsigned lines, const char *glue)
{
	bool narrow = cli_screen_room(page->out, WIDTH) < WIDTH;
	size_t width = *glue ? cli_screen_room(page->out, WIDTH) : WIDTH;
	size_t room = width > HANGING * 2 ? width - HANGING - strlen(glue) : HANGING;
	lines = lines < page->left ? lines : page->left;
	for (unsigned i = 0; i < lines && *text; i++) {
		size_t length = strlen(text), cut = length;
		bool last = i + 1 == lines;
		size_t fits = last && !*glue ? room - 4 : room;
		if (length > fits) {
			/* Between words, and not inside of quotes. */
			bool quoted = false;
			cut = 0;
			for (size_t at = 0; at < length && (at <= room || !cut); at++) {
				if (*glue && !quoted && text[at] == '\\' && text[at + 1])
					at++;
				else
					quoted ^= *glue && text[at] == '\'';
				if (text[at] == ' ' && !quoted && at <= fits)
					cut = at;
				if (at > room && text[at] == ' ' && !quoted && !cut)
					cut = at;
			}
			cut = cut ? cut : length;
		}
		if (!i || !narrow || *glue)
			put_word(page, i ? "" : word);
		xs_print(page->out, "%.*s", (int)cut, text);
		text += cut;
		text += strspn(text, " ");
		if (*text)
			xs_print(page->out, "%s", last ? " ..." : *glue ? glue : narrow ? " " : "");
		if (!*text || last || !narrow || *glue)
			putc('\n', page->out);
		page->left -= page->left > 0;
	}
}

/* What fits into a line. */
XS_PRINTF(2, 3) static void put_line(struct page *page, const char *format, ...)
{
	char *text = NULL;
	size_t length = 0;
	va_list list;
	if (!page->left)
		return;
	FILE *out = open_memstream(&text, &length);
	xs_assert(out);
	va_start(list, format);
	xs_vprint(out, format, list);
	va_end(list);
	xs_assert(!fclose(out));
	if (length > WIDTH) {
		size_t cut = WIDTH - 4;
		while (cut && (text[cut] & 0xc0) == 0x80) /* not within a character */
			cut--;
		strcpy(text + cut, " ...");
	}
	xs_shown_put(page->out, text);
	end_line(page);
	free(text);
}

/* --- what is said ----------------------------------------------------------------------------- */

static const char *said_text(const struct ora_said *said)
{
	return said->value ? said->value : "?";
}

char *cli_finding_fact(const struct ora_difference *difference, const struct ora_said *said)
{
	const char *what = difference->path                         ? difference->path
			   : difference->aspect == ORA_ASPECT_LINE  ? "line"
			   : difference->aspect == ORA_ASPECT_STOPS ? "stops"
			   : difference->aspect == ORA_ASPECT_CRASH ? "debugger"
			   : ora_aspect_is_static(difference->aspect)
				   ? ora_aspect_text(difference->aspect)
				   : "frames";
	bool named = difference->aspect != ORA_ASPECT_CHECK || difference->path;
	bool value = said->state == ORA_STATE_VALUE;
	return xs_asprintf("%s%s%s%s%s%s%s%s", named ? what : "", named ? " = " : "",
		value ? "" : "<", value ? said_text(said) : ora_state_text(said->state),
		value ? "" : ">", said->undeclared ? "  [not yet declared]" : "",
		!value && said->message ? "  " : "", !value && said->message ? said->message : "");
}

/* `!`: is named; `?`: differs. */
static char mark_of(const struct ora_finding *finding, size_t w)
{
	return finding->wrong >> w & 1 ? '!' : finding->differs >> w & 1 ? '?' : ' ';
}

/* What the witnesses say, those together that say the same. */
static void put_said(
	const struct cli_findings *print, struct page *page, const struct ora_finding *finding)
{
	const struct ora_difference *one = finding->difference;
	char *facts[ORA_COMPARE_MAX] = {0};
	for (size_t w = 0; w < print->count; w++)
		facts[w] = one->said[w].heard ? cli_finding_fact(one, &one->said[w]) : NULL;
	for (size_t w = 0; w < print->count; w++) {
		char mark = mark_of(finding, w);
		if (!facts[w])
			continue;
		char *names = xs_strdup(cli_finding_label(print, w));
		for (size_t v = w + 1; v < print->count; v++) {
			if (!facts[v] || mark_of(finding, v) != mark ||
				strcmp(facts[v], facts[w]) != 0)
				continue;
			char *longer = xs_asprintf("%s, %s", names, cli_finding_label(print, v));
			free(names);
			names = longer;
			free(facts[v]);
			facts[v] = NULL;
		}
		if (mark != ' ')
			cli_ink(page->out, mark == '!' ? CLI_INK_WRONG : CLI_INK_OPEN);
		put_line(page, "%*s%-11s %c %s", INDENT, "", names, mark, facts[w]);
		if (mark != ' ')
			cli_ink(page->out, CLI_INK_NONE);
		free(names);
	}
	for (size_t w = 0; w < print->count; w++)
		free(facts[w]);
}

/* Whether a trace is the first of a witness of which none says anything. */
static bool is_silent(
	const struct cli_findings *print, const struct ora_difference *one, size_t trace)
{
	const char *const *witnesses = print->verdicts->witnesses;
	for (size_t w = 0; w < print->count; w++)
		if (!strcmp(witnesses[w], witnesses[trace]) && (one->said[w].heard || w < trace))
			return false;
	return true;
}

/* --- evidence --------------------------------------------------------------------------------- */

/* The rows at the address of a pc, and the one before them; to be freed. */
static char *rows_text(const struct di_lines *lines, xs_addr pc, bool columns)
{
	const struct di_row *last = di_lines_find(lines, pc), *first = last;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	xs_assert(out);
	while (first && first > lines->rows.data && !first[-1].end_sequence &&
		(first[-1].address == last->address || first == last ||
			first->address == last->address)) {
		first--;
		if (first->address != last->address)
			break;
	}
	fputs(last ? ".debug_line:" : ".debug_line: no row", out);
	for (const struct di_row *row = first; last && row <= last; row++) {
		const char *file = di_lines_file(lines, row);
		xs_print(out, "%s 0x%" PRIx64 " %s:%u", row == first ? "" : ";", row->address,
			file ? xs_base_name(file) : "?", row->line);
		if (columns)
			xs_print(out, ":%u", row->column);
		fputs(row->is_stmt ? " is_stmt" : "", out);
	}
	xs_assert(!fclose(out));
	return text;
}

static void put_evidence(
	const struct cli_findings *print, struct page *page, const struct ora_finding *finding)
{
	const struct di_features *features = &finding->features;
	const struct ora_difference *one = finding->difference;
	if (finding->remark)
		put_text(page, "evidence", finding->remark, EVIDENCE, "");
	bool row = one->aspect == ORA_ASPECT_LINE || one->aspect == ORA_ASPECT_COLUMN;
	if (row && print->verdicts->module && !one->module) {
		XS_AUTO_FREE char *rows = rows_text(
			&print->verdicts->module->lines, one->pc, one->aspect == ORA_ASPECT_COLUMN);
		put_text(page, "evidence", rows, EVIDENCE, "");
	}
	if ((one->aspect == ORA_ASPECT_FUNCTIONS || one->aspect == ORA_ASPECT_CALLS) &&
		print->verdicts->module && !one->module) {
		struct di_owners owners;
		di_owners_find(print->verdicts->module, one->pc, DI_MISTAKE_NONE, &owners);
		XS_AUTO_FREE char *quoted = di_owners_quote(&owners, one->pc);
		put_text(page, "evidence", quoted, EVIDENCE, "");
		di_owners_deinit(&owners);
	}
	if (!features->found)
		return;
	const char *bytes = finding->proof.bytes;
	XS_AUTO_FREE char *text = xs_asprintf(".debug_info+0x%" PRIx64 "%s%s%s%s%s%s%s",
		features->die, features->visible ? "" : ", not in scope here",
		bytes || *features->place ? "; " : "", bytes ? bytes : features->place,
		!bytes && *features->expr ? ": " : "", bytes ? "" : features->expr,
		*features->reason ? ": " : "", features->reason);
	put_text(page, "evidence", text, EVIDENCE, "");
}

/* --- by hand ---------------------------------------------------------------------------------- */

/* The line that shows it in a debugger, to be freed; NULL if nobody knows the way. */
static char *debugger_line(const struct cli_findings *print, const struct ora_finding *finding,
	const struct ora_route *route, size_t w)
{
	const char *who = print->verdicts->witnesses[w];
	const struct ora_proving *proving = print->proving;
	size_t number = (size_t)(finding - print->verdicts->findings.data);
	const struct ora_reproduction *asked =
		proving ? ora_proving_asked(proving, number, w) : NULL;
	const struct ora_witness *witness = proving ? ora_proving_debugger(proving, w) : NULL;
	XS_AUTO_FREE char *word = witness ? ora_by_hand_called(witness->path) : NULL;
	for (int kind = ORA_WITNESS_DEBUGGERS; kind < ORA_WITNESS_KINDS; kind++)
		if (ora_witness_is(who, (enum ora_witness_kind)kind))
			return ora_resymbolise_line((enum ora_witness_kind)kind, word,
				print->run ? print->run->path : print->verdicts->subject,
				finding->difference->pc);
	struct ora_by_hand session = {
		.who = ora_witness_is(who, ORA_WITNESS_GDB) ? ORA_WITNESS_GDB : ORA_WITNESS_LLDB,
		.debugger = word,
		.run = print->run,
		.route = route,
		.in = print->in};
	const struct ora_difference *one = finding->difference;
	bool known = asked && asked->again != ORA_AGAIN_NOT_ASKED;
	struct ora_by_hand_question question =
		known ? asked->question
		      : ora_by_hand_about(one, w, ora_witness_is_by_name(who), route->bias);
	if (!known && print->verdicts->module && !one->frame_module &&
		one->frame_pc != XS_ADDR_NONE)
		ora_by_hand_know(&question, print->verdicts->module, one->frame_pc);
	session.brief = ora_by_hand_may_be_brief(&question);
	return ora_by_hand_line(&session, &question);
}

/* The options that say what surrounds the program. */
static void put_surroundings(FILE *out, const struct cli_findings *print)
{
	const struct ora_program *program = print->program;
	const char *options[][2] = {{"--stdin", print->in},
		{"--debug-file", program ? program->debug_file : NULL},
		{"--debug-root", program ? program->debug_root : NULL}};
	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		if (options[i][1]) {
			XS_AUTO_FREE char *word = xs_quote_paste(options[i][1]);
			xs_print(out, " %s %s", options[i][0], word);
		}
	if (program && program->steady && !program->unsteady)
		fputs(" --steady", out);
	for (size_t i = 0; program && i < program->environment.vec.len; i++) {
		XS_AUTO_FREE char *word = xs_quote_paste(program->environment.vec.data[i]);
		xs_print(out, " --env %s", word);
	}
}

/* `--at 0x1139 --hit 2 --frame 0 --var x ./program arguments`, to be freed. */
static char *explain_line(const struct cli_findings *print, const struct ora_finding *finding,
	const struct ora_route *route, const char *path)
{
	const struct ora_difference *one = finding->difference;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	xs_assert(out);
	xs_print(out, "xstep explain --at 0x%" PRIx64, one->pc);
	if (route && route->entry && route->hit > 1)
		xs_print(out, " --hit %" PRIu64, route->hit);
	if (one->var && one->aspect != ORA_ASPECT_REGISTER) {
		XS_AUTO_FREE char *leaf = xs_quote_paste(one->path);
		xs_print(out, " --frame %u --var %s", one->frame, leaf);
	}
	put_surroundings(out, print);
	/* A store may name a program that looks like an option. */
	XS_AUTO_FREE char *program = xs_quote_paste(path);
	xs_print(out, " %s%s", *path == '-' ? "./" : "", program);
	/* Of a stored trace: those that were given then. */
	char **stored = NULL;
	if (!print->run)
		xs_error_destroy(ora_stored_words(print->traces[one->trace], &stored));
	char *const *words = print->run ? print->run->argv : stored;
	for (char *const *each = words && *words ? words + 1 : NULL; each && *each; each++) {
		XS_AUTO_FREE char *word = xs_quote_paste(*each);
		xs_print(out, " %s", word);
	}
	if (stored)
		ora_stored_words_free(stored);
	xs_assert(!fclose(out));
	return text;
}

/* Where a violation shows in a plain debugger, and where the other program is at that line. */
static char *violation_line(const struct cli_findings *print, const struct ora_finding *finding,
	enum ora_witness_kind who, const struct ora_route *route, const struct ora_run *run)
{
	const struct ora_difference *one = finding->difference;
	XS_AUTO_FREE char *word = ora_by_hand_called(print->debuggers[who]);
	struct ora_by_hand session = {.who = who,
		.debugger = word,
		.run = run,
		.route = route,
		.file = one->file,
		.line = one->line,
		.in = print->in};
	struct ora_by_hand_question question =
		ora_by_hand_of_violation(one, route ? route->bias : 0);
	session.brief = ora_by_hand_may_be_brief(&question);
	return ora_by_hand_line(&session, &question);
}

/* Of a check: the debuggers that are wrong, else those that were asked, else the first that is
 * there. */
static void choose_debuggers(const struct cli_findings *print, const struct ora_finding *finding,
	bool ret[ORA_WITNESS_DEBUGGERS])
{
	const char *const *witnesses = print->verdicts->witnesses;
	const unsigned masks[] = {finding->wrong, ~0U};
	bool any = false;
	for (size_t i = 0; !any && i < sizeof masks / sizeof *masks; i++)
		for (size_t w = 0; w < print->count; w++)
			for (int who = ORA_WITNESS_GDB; who < ORA_WITNESS_DEBUGGERS; who++)
				if (masks[i] >> w & 1 && print->debuggers[who] &&
					ora_witness_is(witnesses[w], (enum ora_witness_kind)who))
					ret[who] = any = true;
	for (int who = ORA_WITNESS_GDB; !any && who < ORA_WITNESS_DEBUGGERS; who++)
		ret[who] = any = print->debuggers[who] != NULL;
}

/* In the program, and then in the one that it is compared with. */
static void find_violation(const struct cli_findings *print, const struct ora_finding *finding,
	const struct ora_route *route, struct cli_by_hand *ret)
{
	const struct ora_difference *one = finding->difference;
	bool wanted[ORA_WITNESS_DEBUGGERS] = {0};
	bool both = print->other && (print->same_code || (one->file && one->line));
	choose_debuggers(print, finding, wanted);
	for (int other = 0; other <= both; other++)
		for (int who = ORA_WITNESS_GDB; who < ORA_WITNESS_DEBUGGERS; who++)
			if (wanted[who])
				xs_vec_push(&ret->vec,
					violation_line(print, finding, (enum ora_witness_kind)who,
						other && !print->same_code ? NULL : route,
						other ? print->other : print->run));
}

void cli_finding_by_hand(const struct cli_findings *print, const struct ora_finding *finding,
	struct cli_by_hand *ret)
{
	const struct ora_difference *one = finding->difference;
	const struct ora_route *route = print->routes ? &print->routes[finding->origin] : NULL;
	if (one->module || one->aspect == ORA_ASPECT_STOPS)
		return;
	bool known = route && route->entry && print->run;
	if (known && one->aspect == ORA_ASPECT_CHECK) {
		find_violation(print, finding, route, ret);
		known = false;
	}
	size_t judge = ora_verdicts_judge(print->verdicts);
	unsigned own = judge < print->count ? 1U << judge : 0;
	unsigned who = finding->wrong & ~own ? finding->wrong & ~own : finding->differs;
	for (size_t w = 0; w < print->count; w++)
		if (who >> w & 1 &&
			(known || ora_witness_is_of_symboliser(print->verdicts->witnesses[w])))
			xs_vec_push(&ret->vec, debugger_line(print, finding, route, w));
	xs_vec_push(&ret->vec, explain_line(print, finding, route, print->verdicts->subject));
	if (print->same_code && print->other)
		xs_vec_push(&ret->vec, explain_line(print, finding, route, print->other->path));
	if (!print->path || !print->traces[one->trace]->id)
		return;
	XS_AUTO_FREE char *store = xs_quote_paste(print->path);
	xs_vec_push(&ret->vec, xs_asprintf("xstep show --trace %" PRIu64 " --at %" PRIu64 " %s",
				       print->traces[one->trace]->id, one->number, store));
}

/* How many lines of a page a text takes. */
static unsigned lines_of(const char *text, const char *glue)
{
	struct page blank = {.out = fopen("/dev/null", "we"), .left = 1000};
	xs_assert(blank.out);
	put_text(&blank, "", text, 1000, glue);
	fclose(blank.out);
	return 1000 - blank.left;
}

/* As many of them as fit, and whole: half a command is of no use. The first one always is. */
static void put_by_hand(struct page *page, const struct cli_by_hand *lines)
{
	for (size_t i = 0; i < lines->vec.len; i++) {
		char *line = lines->vec.data[i];
		unsigned need = lines_of(line, " \\");
		if (need <= page->left || !i) {
			/* As it is to be pasted, and as long as it is. */
			unsigned after = page->left > need ? page->left - need : 0;
			cli_screen_verbatim(page->out, true);
			page->left = UINT_MAX;
			put_text(page, i ? "" : "by hand", line, UINT_MAX, " \\");
			cli_screen_verbatim(page->out, false);
			page->left = after;
		}
	}
}

void cli_by_hand_deinit(struct cli_by_hand *lines)
{
	for (size_t i = 0; i < lines->vec.len; i++)
		free(lines->vec.data[i]);
	xs_vec_deinit(&lines->vec);
}

/* --- one finding ------------------------------------------------------------------------------ */

static void put_finding(struct cli_findings *print, struct page *page, struct cli_source *source,
	const struct ora_finding *finding)
{
	const struct ora_difference *one = finding->difference;
	char frame[32] = "";
	if (one->frame && !one->global)
		snprintf(frame, sizeof frame, ", frame %u", one->frame);
	put_line(page, "%*s%s%s%s at 0x%" PRIx64 ", %s, %s:%u; stop %" PRIu64 "%s  [%s]", INDENT,
		"", one->var ? one->path : ora_aspect_text(one->aspect),
		one->var && one->scope && *one->scope ? " of " : "",
		one->var && one->scope ? one->scope : "", one->pc,
		one->function ? one->function : "?", one->file ? xs_base_name(one->file) : "?",
		one->line, one->number, frame, finding->id);
	XS_AUTO_FREE char *verdict = xs_asprintf("%s, %s: %s", ora_kind_text(finding->kind),
		finding->artefact ? "not reproduced" : ora_basis_text(finding->basis),
		finding->reason);
	struct cli_by_hand by_hand = {0};
	cli_finding_by_hand(print, finding, &by_hand);
	/* The way to see it is kept room for, and a line of evidence. */
	unsigned kept = by_hand.vec.len ? lines_of(by_hand.vec.data[0], " \\") : 0;
	kept += finding->features.found || finding->remark || ora_aspect_is_static(one->aspect);
	unsigned needed = kept + lines_of(verdict, "");
	for (size_t w = 0; w < print->count; w++)
		needed += one->said[w].heard;
	const char *text =
		one->file && one->line ? cli_source_line(source, one->file, one->line) : NULL;
	if (text && needed < page->left)
		put_line(page, "%*s%.40s:%u  %s", INDENT, "", xs_base_name(one->file), one->line,
			text + strspn(text, " "));
	put_said(print, page, finding);
	for (size_t w = 0; one->aspect == ORA_ASPECT_CHECK && w < print->count; w++)
		if (!one->said[w].heard && is_silent(print, one, w))
			put_line(page, "%*s%-11s   does not show it", INDENT, "",
				print->verdicts->witnesses[w]);
	if (one->other)
		put_line(page, "%*sother build   %s = %s", INDENT, "", one->path, one->other);
	/* However long the way is, the verdict is a whole sentence. */
	unsigned least = kept + lines_of(verdict, "");
	page->left = page->left < least ? least : page->left;
	page->left -= kept;
	put_text(page, "verdict", verdict, SENTENCES, "");
	page->left += kept > 0; /* one line of evidence */
	kept -= kept > 0;
	if (finding->flaw)
		put_line(page, "%*s%-*s%s entry", INDENT, "", HANGING - INDENT, "flaw",
			finding->flaw);
	for (size_t w = 0; finding->artefact && w < print->count; w++)
		if (finding->proof.words[w])
			put_text(page, "again", finding->proof.words[w], 1, "");
	put_evidence(print, page, finding);
	page->left += kept;
	put_by_hand(page, &by_hand);
	cli_by_hand_deinit(&by_hand);
}

void cli_finding_print(
	struct cli_findings *print, struct cli_source *source, const struct ora_finding *finding)
{
	struct page page = {.out = print->out, .left = 4 * MOST};
	put_finding(print, &page, source, finding);
}

char *cli_finding_words(struct cli_findings *print, const struct ora_finding *finding)
{
	struct cli_source *source = cli_source_create();
	struct cli_findings plain = *print;
	char *words = NULL;
	size_t size = 0;
	plain.out = open_memstream(&words, &size);
	xs_assert(plain.out);
	cli_finding_print(&plain, source, finding);
	xs_assert(!fclose(plain.out));
	cli_source_destroy(source);
	return words;
}

bool cli_finding_is_told(const struct cli_findings *print, size_t number)
{
	const struct ora_verdicts *verdicts = print->verdicts;
	if (!cli_finding_is_listed(print, &verdicts->findings.data[number]))
		return false;
	if (print->all || verdicts->findings.data[number].contest)
		return true;
	for (size_t i = 0; i < verdicts->clusters.len; i++)
		if (verdicts->clusters.data[i].first == number)
			return true;
	return false;
}

/* `3 places, 12 stops, 2 leaves`; to be freed. */
static char *counts_text(const struct ora_cluster *cluster)
{
	return xs_asprintf("%" PRIu64 " place%s, %" PRIu64 " stop%s, %" PRIu64 " %s",
		cluster->places, cluster->places == 1 ? "" : "s", cluster->stops,
		cluster->stops == 1 ? "" : "s", cluster->leaves,
		cluster->leaves == 1 ? "leaf" : "leaves");
}

static void print_cluster(struct cli_findings *print, struct cli_source *source, size_t number,
	const struct ora_cluster *cluster)
{
	const struct ora_verdicts *verdicts = print->verdicts;
	const struct ora_finding *first = &verdicts->findings.data[cluster->first];
	struct page page = {.out = print->out, .left = print->headline ? MOST_LED : MOST};
	XS_AUTO_FREE char *counts = counts_text(cluster);
	putc('\n', print->out);
	cli_ink(print->out, CLI_INK_TITLE);
	/* In one line, if they fit. */
	XS_AUTO_FREE char *title = xs_asprintf("%zu.  %s", number, first->signature);
	XS_AUTO_FREE char *rest = xs_asprintf("%s%s%s", counts, first->known ? "; known: " : "",
		first->known ? first->known : "");
	bool fits = strlen(title) + strlen(rest) + INDENT <= WIDTH;
	put_line(&page, fits ? "%s%*s%s" : "%s", title, INDENT, "", rest);
	cli_ink(print->out, CLI_INK_NONE);
	if (!fits)
		put_line(&page, "%*s%s", INDENT, "", rest);
	put_finding(print, &page, source, first);
	for (size_t i = 0; print->all && i < verdicts->findings.len; i++) {
		const struct ora_finding *finding = &verdicts->findings.data[i];
		if (finding != first && finding->cluster == first->cluster)
			cli_finding_print(print, source, finding);
	}
}

char *cli_finding_place(const struct ora_finding *finding)
{
	const struct ora_difference *one = finding->difference;
	return ora_baseline_place(one->scope ? one->scope : one->function, one->path);
}

uint64_t cli_findings_old(const struct cli_findings *print)
{
	uint64_t count = 0;
	for (size_t i = 0; i < print->verdicts->findings.len; i++) {
		struct ora_finding one = print->verdicts->findings.data[i];
		bool old = one.old;
		one.old = false;
		count += old && cli_finding_is_listed(print, &one);
	}
	return count;
}

struct xs_error *cli_findings_known(struct cli_findings *print, const struct xs_strings *files)
{
	struct ora_verdicts *verdicts = print->verdicts;
	struct ora_known known = {0};
	struct xs_error *err = NULL;
	ora_known_shipped(&known);
	for (size_t i = 0; !err && i < files->vec.len; i++)
		err = ora_known_load(&known, files->vec.data[i]);
	for (size_t i = 0; !err && i < verdicts->findings.len; i++) {
		struct ora_finding *finding = &verdicts->findings.data[i];
		free(finding->known);
		finding->known = ora_known_find(&known, finding->signature);
		if (!print->baseline || !print->baseline->path)
			continue;
		XS_AUTO_FREE char *place = cli_finding_place(finding);
		finding->old =
			ora_baseline_has(print->baseline, finding->id, finding->signature, place);
	}
	for (size_t i = verdicts->findings.len; i-- > 0;) {
		const struct ora_finding *finding = &verdicts->findings.data[i];
		struct ora_cluster *cluster =
			finding->cluster ? &verdicts->clusters.data[finding->cluster - 1] : NULL;
		/* What is new of a cluster stands for it. */
		if (cluster && !finding->old && verdicts->findings.data[cluster->first].old)
			cluster->first = i;
	}
	ora_known_deinit(&known);
	return err;
}

struct xs_error *(*const cli_findings_formats[])(struct cli_findings *) = {cli_findings_text,
	cli_findings_json, cli_findings_sarif, cli_findings_junit, cli_findings_markdown,
	cli_findings_html};

struct xs_error *cli_findings_text(struct cli_findings *print)
{
	const struct ora_verdicts *verdicts = print->verdicts;
	struct xs_error *err = cli_findings_summary(print);
	struct cli_source *source = cli_source_create();
	size_t number = 0;
	for (size_t i = 0; !err && i < verdicts->clusters.len; i++) {
		const struct ora_cluster *cluster = &verdicts->clusters.data[i];
		const struct ora_finding *first = &verdicts->findings.data[cluster->first];
		if (!cli_finding_is_listed(print, first))
			continue;
		print_cluster(print, source, ++number, cluster);
		print->shown += cli_finding_counts(first) ? cluster->count : 0;
	}
	for (size_t i = 0; !err && i < verdicts->findings.len; i++) {
		const struct ora_finding *finding = &verdicts->findings.data[i];
		if (!finding->contest || !cli_finding_is_listed(print, finding))
			continue;
		putc('\n', print->out);
		cli_finding_print(print, source, finding);
	}
	cli_source_destroy(source);
	return err;
}
