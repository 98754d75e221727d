#include "cli/report/explain_text.h"

#include "base/log.h"
#include "base/path.h"
#include "base/shown.h"
#include "cli/report/json.h"
#include "cli/report/screen.h"
#include "dwarf/explain.h"
#include "dwarf/gaps.h"
#include "dwarf/leaf.h"
#include "dwarf/op.h"

enum { LABEL = 10 }; /* columns of what a line is about */

/* --- text ------------------------------------------------------------------------------------- */

static void print_value(FILE *out, const struct di_explained_leaf *leaf)
{
	cli_ink(out, CLI_INK_TITLE);
	xs_print(out, "%s = ", leaf->path);
	switch (leaf->state) {
	case DI_LEAF_VALUE:
		xs_print(out, "%s", leaf->value);
		break;
	case DI_LEAF_CUT:
		xs_print(out, "...");
		break;
	default:
		xs_print(out, "<%s>", ora_state_text(ora_state_of(leaf->state)));
		break;
	}
	cli_ink(out, CLI_INK_NONE);
	if (leaf->enumerator)
		xs_print(out, " %s", leaf->enumerator);
	if (leaf->symbol)
		xs_print(out, " <%s>", leaf->symbol);
	xs_print(out, "  (%s)", leaf->type);
	if (leaf->message)
		xs_print(out, " %s", leaf->message);
}

/* What a line is about; its text begins behind that. */
static void print_label(FILE *out, const char *title)
{
	fputs("  ", out);
	cli_ink_word(out, CLI_INK_FAINT, title, LABEL);
}

static void print_lines(FILE *out, const char *title, const struct di_lines_of_text *lines)
{
	for (size_t i = 0; i < lines->vec.len; i++) {
		print_label(out, i ? "" : title);
		xs_print(out, "%s\n", lines->vec.data[i]);
	}
}

static void print_marks(FILE *out, const struct di_explanation *explanation)
{
	if (explanation->shadowed)
		xs_print(out, "  note      another variable of this name hides it\n");
	if (explanation->around)
		xs_print(out, "  note      of %s, the function around this one%s\n",
			explanation->around,
			explanation->found_around ? "" : ": which call of it is not known");
	if (explanation->declared == DI_DECLARED_LATER)
		xs_print(out, "  note      not yet declared here\n");
	if (explanation->declared == DI_DECLARED_LATER_BY_LINE)
		xs_print(out,
			"  note      not yet declared here, by line numbers of optimised code: "
			"its name may mean another\n");
	if (explanation->by_place)
		xs_print(out, "  note      declared here, for it has a place just here; by line "
			      "numbers of optimised code it is not yet\n");
}

/* What follows a value on its line. */
static void print_short_marks(FILE *out, const struct di_explanation *explanation)
{
	if (explanation->around)
		xs_print(out, "  [of %s around it]", explanation->around);
	xs_print(out, "%s%s\n", explanation->shadowed ? "  [hidden]" : "",
		explanation->declared != DI_DECLARED_YES ? "  [not yet declared]" : "");
}

static void print_summary(FILE *out, const struct di_explanation *explanation)
{
	size_t count = explanation->leaves.len;
	const struct di_explained_leaf *last = count ? &explanation->leaves.data[count - 1] : NULL;
	bool cut = last && last->state == DI_LEAF_CUT;
	xs_print(out, "%s = {%zu leaves%s%s}  (%s)", explanation->path, count - cut,
		cut ? ", and " : "", cut ? last->message : "", explanation->variable->type->name);
	print_short_marks(out, explanation);
}

/* What the call that a variable belongs to was entered with, if that was seen; or NULL. */
static const uint64_t *entered(const struct di_explanation *explanation, const struct di_view *view,
	const struct ora_visit *visit)
{
	const struct di_view_frame *at = &view->frames.data[explanation->frame];
	const struct di_frame *physical = &view->stack.frames.data[at->physical];
	/* Only the function that the place is in was waited for. */
	const struct di_frame *first = &view->stack.frames.data[0];
	bool same = physical->mapping && physical->mapping == first->mapping &&
		    di_functions_find(physical->mapping->module->functions, physical->lookup) ==
			    di_functions_find(first->mapping->module->functions, first->lookup);
	return same && explanation->entered && physical->cfa_known
		       ? ora_visit_entered(visit, physical->cfa)
		       : NULL;
}

static void print_entered(FILE *out, const struct di_explanation *explanation,
	const struct di_view *view, const struct ora_visit *visit)
{
	const uint64_t *registers = entered(explanation, view, visit);
	const char *title = "entered";
	for (unsigned reg = 0; registers && reg < DI_REG_RIP; reg++) {
		if (!(explanation->entered >> reg & 1))
			continue;
		xs_print(out,
			"  %-9s %s was 0x%" PRIx64 " when this call was entered: seen on the way\n",
			title, di_register_name(reg), registers[reg]);
		title = "";
	}
}

/* With the whole working, or (brief) one line. */
static void print_explanation(FILE *out, const struct di_explanation *explanation,
	const struct di_view *view, const struct ora_visit *visit, bool brief)
{
	char frame[2000];
	if (explanation->absent) {
		xs_print(out, "%s: absent: %s\n", explanation->path, explanation->absent);
		return;
	}
	if (brief && explanation->leaves.len == 1) {
		print_value(out, &explanation->leaves.data[0]);
		print_short_marks(out, explanation);
		return;
	}
	if (brief) {
		print_summary(out, explanation);
		return;
	}
	for (size_t i = 0; i < explanation->leaves.len; i++) {
		print_value(out, &explanation->leaves.data[i]);
		putc('\n', out);
	}
	if (!explanation->leaves.len)
		xs_print(out, "%s has no leaves  (%s)\n", explanation->path,
			explanation->variable->type->name);
	print_marks(out, explanation);
	print_lines(out, "entry", &explanation->die);
	print_lines(out, "list", &explanation->entries);
	const struct di_view_frame *at = &view->frames.data[explanation->frame];
	if (explanation->variable->block && explanation->steps.vec.len) {
		di_frame_explain(
			view->target, &view->stack.frames.data[at->physical], frame, sizeof frame);
		const char *title = "frame";
		for (char *line = strtok(frame, "\n"); line; line = strtok(NULL, "\n")) {
			print_label(out, title);
			xs_print(out, "%s\n", line);
			title = "";
		}
	}
	print_lines(out, "steps", &explanation->steps);
	print_entered(out, explanation, view, visit);
	print_label(out, "place");
	xs_print(out, "%s\n", explanation->location ? explanation->location : "none");
	print_lines(out, "decoding", &explanation->decoding);
}

static void print_stop(
	FILE *out, const struct ora_visit *visit, const struct di_view *view, unsigned frame)
{
	const struct di_view_frame *at = &view->frames.data[frame];
	const struct di_frame *physical = &view->stack.frames.data[at->physical];
	const char *file = at->file ? at->file : "?";
	cli_ink(out, CLI_INK_PLACE);
	xs_print(out, "%s:%u:%u", xs_base_name(file), at->line, at->column);
	cli_ink(out, CLI_INK_NONE);
	xs_print(out, " in %s, pc 0x%" PRIx64, at->function ? at->function : "?",
		physical->mapping ? physical->pc - physical->mapping->bias : physical->pc);
	if (visit->n)
		xs_print(out, ", arrival %" PRIu64, visit->n);
	if (frame)
		xs_print(out, ", frame %u", frame);
	xs_print(out, "%s\n", visit->approximate ? " (the line has no row with is_stmt)" : "");
}

/* --- JSON ------------------------------------------------------------------------------------- */

struct output {
	struct cli_explain *explain;
	struct di_view *view;
	const struct ora_visit *visit;
	bool first; /* no variable has been printed yet */
};

static void json_lines(FILE *out, const char *key, const struct di_lines_of_text *lines)
{
	xs_print(out, ",\"%s\":[", key);
	for (size_t i = 0; i < lines->vec.len; i++) {
		if (i)
			putc(',', out);
		cli_json_string(out, lines->vec.data[i]);
	}
	putc(']', out);
}

/* The registers by name, as they were seen when the function was entered. */
static void json_entered(const struct output *output, const struct di_explanation *explanation)
{
	FILE *out = output->explain->out;
	const uint64_t *registers =
		explanation->variable ? entered(explanation, output->view, output->visit) : NULL;
	const char *mark = "";
	if (!registers)
		return;
	fputs(",\"entered\":{", out);
	for (unsigned reg = 0; reg < DI_REG_RIP; reg++)
		if (explanation->entered >> reg & 1) {
			xs_print(out, "%s\"%s\":\"0x%" PRIx64 "\"", mark, di_register_name(reg),
				registers[reg]);
			mark = ",";
		}
	putc('}', out);
}

static void json_leaf(const struct output *output, const struct di_explanation *explanation,
	const struct di_explained_leaf *leaf)
{
	FILE *out = output->explain->out;
	bool first = output->first;
	struct ora_fact fact = {.variable = explanation->variable,
		.path = leaf->path,
		.frame = explanation->frame,
		.shadowed = explanation->shadowed,
		.declared = explanation->declared,
		.type = leaf->type,
		.state = ora_state_of(leaf->state),
		.value = leaf->value,
		.enumerator = leaf->enumerator,
		.message = leaf->message};
	fputs(first ? "" : ",", out);
	/* The shared entry without its closing brace, then the working. */
	char *text = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&text, &size);
	cli_json_fact(memory, &fact, leaf->symbol);
	fclose(memory);
	fwrite(text, 1, size - 1, out);
	free(text);
	cli_json_key(out, "location", explanation->location);
	json_lines(out, "die", &explanation->die);
	json_lines(out, "entries", &explanation->entries);
	json_lines(out, "steps", &explanation->steps);
	json_entered(output, explanation);
	json_lines(out, "decoding", &explanation->decoding);
	putc('}', out);
}

static void json_explanation(struct output *output, const struct di_explanation *explanation)
{
	FILE *out = output->explain->out;
	if (explanation->absent) {
		xs_print(out, "%s{\"path\":", output->first ? "" : ",");
		cli_json_string(out, explanation->path);
		cli_json_key(out, "state", "absent");
		cli_json_key(out, "value", NULL);
		cli_json_key(out, "message", explanation->absent);
		putc('}', out);
		output->first = false;
	}
	for (size_t i = 0; i < explanation->leaves.len; i++) {
		json_leaf(output, explanation, &explanation->leaves.data[i]);
		output->first = false;
	}
}

static void json_stop(FILE *out, const struct ora_visit *visit, const struct di_view *view)
{
	const struct di_view_frame *at = &view->frames.data[0];
	const struct di_frame *physical = &view->stack.frames.data[at->physical];
	xs_print(out, "{\"format\":\"xstep-explain/1\",\"stop\":{\"pc\":\"0x%" PRIx64 "\"",
		physical->mapping ? physical->pc - physical->mapping->bias : physical->pc);
	cli_json_key(out, "file", at->file);
	xs_print(out, ",\"line\":%u", at->line);
	cli_json_key(out, "function", at->function);
	xs_print(out, ",\"n\":%" PRIu64 "},\"variables\":[", visit->n);
}

/* --- a stop ----------------------------------------------------------------------------------- */

static void emit(struct output *output, const struct di_explanation *explanation, bool brief)
{
	struct cli_explain *explain = output->explain;
	if (explain->json) {
		json_explanation(output, explanation);
	} else {
		if (!brief && !output->first)
			putc('\n', explain->out);
		print_explanation(explain->out, explanation, output->view, output->visit, brief);
		output->first = false;
	}
	explain->absent |= explanation->absent != NULL;
}

static struct xs_error *explain_all(struct output *output, unsigned frame)
{
	const struct di_view_frame at = output->view->frames.data[frame];
	struct di_visible visible;
	for (size_t i = 0; at.scopes && di_scopes_next(at.scopes, at.index, &i, &visible);) {
		struct di_explanation explanation = {0};
		struct xs_error *err = di_explain_variable(
			output->view, frame, &visible, output->explain->max_leaves, &explanation);
		if (!err)
			emit(output, &explanation, true);
		di_explanation_deinit(&explanation);
		if (err)
			return err;
	}
	return NULL;
}

/* What the code of a frame is called: its function, or where it is. To be freed. */
static char *code_text(const struct di_view *view, const struct di_view_frame *at)
{
	const struct di_frame *physical = &view->stack.frames.data[at->physical];
	const struct di_mapping *mapping = physical->mapping;
	xs_addr pc = mapping ? physical->pc - mapping->bias : physical->pc;
	return xs_asprintf("%s: the code at 0x%" PRIx64 "%s%s%s",
		mapping ? mapping->module->path : "no module is loaded there", pc,
		at->function ? " (" : "", at->function ? at->function : "",
		at->function ? ")" : "");
}

/* Says so if nothing describes the code that is looked at: what is then not found need not be
 * absent. nothing: neither is anything else. */
static struct xs_error *check_described(const struct output *output, unsigned frame, bool nothing)
{
	const struct di_view_frame *at = &output->view->frames.data[frame];
	bool minimal = at->activation && di_gaps_minimal(at->activation->function->unit);
	if (at->activation && !minimal)
		return NULL;
	XS_AUTO_FREE char *code = code_text(output->view, at);
	const char *has = minimal    ? "was compiled with -g1, which leaves out variables"
			  : at->line ? "has lines, but its function is not described"
				     : "has no debug information";
	if (nothing)
		return xs_error_create("%s %s; " DI_GAPS_ADVICE, code, has);
	xs_log(XS_LOG_CLI, XS_LOG_WARN, "%s %s: its variables are not known; " DI_GAPS_ADVICE, code,
		has);
	return NULL;
}

static struct xs_error *explain_named(struct output *output, unsigned frame)
{
	const struct cli_explain *explain = output->explain;
	for (size_t i = 0; i < explain->var_count; i++) {
		struct di_explanation explanation = {0};
		struct xs_error *err = di_explain_path(
			output->view, frame, explain->vars[i], explain->max_leaves, &explanation);
		if (!err)
			emit(output, &explanation, false);
		if (!err && explanation.absent)
			err = check_described(output, frame, true);
		di_explanation_deinit(&explanation);
		if (err)
			return err;
	}
	return NULL;
}

struct xs_error *cli_explain_print(struct cli_explain *explain, const struct ora_visit *visit)
{
	struct di_view view = {0};
	struct output output = {.explain = explain, .view = &view, .visit = visit, .first = true};
	unsigned frame = (unsigned)explain->frame;
	if (!explain->max_leaves)
		explain->max_leaves = DI_LEAF_MAX;
	struct xs_error *err = di_view_open(&view, &visit->target, true);
	if (!err && explain->frame >= view.frames.len)
		err = xs_error_create("--frame %" PRIu64 ": there are only %zu frames",
			explain->frame, view.frames.len);
	if (!err) {
		if (explain->json)
			json_stop(explain->out, visit, &view);
		else
			print_stop(explain->out, visit, &view, frame);
		err = explain->var_count ? explain_named(&output, frame)
					 : explain_all(&output, frame);
		if (!err && !explain->var_count)
			err = check_described(
				&output, frame, output.first && !view.frames.data[frame].line);
		if (explain->json)
			fputs("]}\n", explain->out);
	}
	di_view_deinit(&view);
	return err;
}
