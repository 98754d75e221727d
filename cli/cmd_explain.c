/* cmd_explain.c - xstep explain: runs a program to a place and shows how values come out of the
 * DWARF there. */
#include <ctype.h>

#include "base/path.h"
#include "cli/commands.h"
#include "cli/report/json.h"
#include "cli/program.h"
#include "dwarf/explain.h"
#include "oracle/witness/own/visit.h"

enum format { FORMAT_TEXT, FORMAT_JSON };

struct options {
	struct cli_program program;
	const char *at, *core; /* see the table */
	struct cli_strings vars;
	uint64_t hit, frame, max_leaves;
	int format;
};

#define FIELD(name) offsetof(struct options, name)

static const struct cli_option options[] = {
	{"Where", "at", 0, CLI_STRING, "PLACE", "FILE:LINE, LINE (of main's file) or 0xPC (main)",
		FIELD(at)},
	{"Where", "hit", 0, CLI_COUNT, "N", "at the N-th arrival there (1)", FIELD(hit)},
	{"Where", "frame", 0, CLI_NUMBER, "K", "in frame K, 0 being the innermost (0)",
		FIELD(frame)},
	{"Where", "core", 0, CLI_STRING, "CORE", "in a core file of the program: nothing is run",
		FIELD(core)},

	{"What", "var", 0, CLI_STRINGS, "PATH",
		"a, s.f[2], *p, p->q, &x; may be repeated (all that is visible)", FIELD(vars)},
	{"What", "max-leaves", 0, CLI_COUNT, "N", "tell at most N leaves of a variable (4096)",
		FIELD(max_leaves)},

	CLI_PROGRAM_OPTIONS(struct options, program),

	{"Output", "format", 0, CLI_CHOICE, "text|json", "text to read, or one JSON object (text)",
		FIELD(format)},
	{0},
};

static const char details[] =
	"A line is arrived at where a run of its rows with is_stmt begins, in inlined copies too; "
	"a\n"
	"function's opening line means behind the prologue. The program runs there at full speed.\n"
	"With --var the whole working is shown: the entry, the candidates of its location list and "
	"why\n"
	"one was chosen, the frame, each operator with the stack after it, the place, the bytes.\n"
	"\n"
	"Exit status: 0 shown, 1 a named variable is absent, 2 place never reached, or trouble.\n";

/* --- text ------------------------------------------------------------------------------------- */

static void print_value(const struct di_explained_leaf *leaf)
{
	printf("%s = ", leaf->path);
	switch (leaf->state) {
	case DI_LEAF_VALUE:
		printf("%s", leaf->value);
		break;
	case DI_LEAF_CUT:
		printf("...");
		break;
	default:
		printf("<%s>", ora_state_name(leaf->state));
		break;
	}
	if (leaf->enumerator)
		printf(" %s", leaf->enumerator);
	if (leaf->symbol)
		printf(" <%s>", leaf->symbol);
	printf("  (%s)", leaf->type);
	if (leaf->message)
		printf(" %s", leaf->message);
}

static void print_lines(const char *title, const struct di_lines_of_text *lines)
{
	for (size_t i = 0; i < lines->vec.len; i++)
		printf("  %-9s %s\n", i ? "" : title, lines->vec.data[i]);
}

static void print_marks(const struct di_explanation *explanation)
{
	if (explanation->shadowed)
		printf("  note      another variable of this name hides it\n");
	if (explanation->declared == DI_DECLARED_LATER)
		printf("  note      not yet declared here\n");
	if (explanation->declared == DI_DECLARED_LATER_BY_LINE)
		printf("  note      not yet declared here, by line numbers of optimised code\n");
}

static void print_summary(const struct di_explanation *explanation)
{
	size_t count = explanation->leaves.len;
	const struct di_explained_leaf *last = count ? &explanation->leaves.data[count - 1] : NULL;
	bool cut = last && last->state == DI_LEAF_CUT;
	printf("%s = {%zu leaves%s%s}  (%s)%s%s\n", explanation->path, count - cut,
		cut ? ", and " : "", cut ? last->message : "", explanation->variable->type->name,
		explanation->shadowed ? "  [hidden]" : "",
		explanation->declared != DI_DECLARED_YES ? "  [not yet declared]" : "");
}

/* With the whole working, or (brief) one line. */
static void print_explanation(
	const struct di_explanation *explanation, const struct di_view *view, bool brief)
{
	char frame[2000];
	if (explanation->absent) {
		printf("%s: absent: %s\n", explanation->path, explanation->absent);
		return;
	}
	if (brief && explanation->leaves.len == 1) {
		print_value(&explanation->leaves.data[0]);
		printf("%s%s\n", explanation->shadowed ? "  [hidden]" : "",
			explanation->declared != DI_DECLARED_YES ? "  [not yet declared]" : "");
		return;
	}
	if (brief) {
		print_summary(explanation);
		return;
	}
	for (size_t i = 0; i < explanation->leaves.len; i++) {
		print_value(&explanation->leaves.data[i]);
		putchar('\n');
	}
	if (!explanation->leaves.len)
		printf("%s has no leaves  (%s)\n", explanation->path,
			explanation->variable->type->name);
	print_marks(explanation);
	print_lines("entry", &explanation->die);
	print_lines("list", &explanation->entries);
	const struct di_view_frame *at = &view->frames.data[explanation->frame];
	if (explanation->variable->block && explanation->steps.vec.len) {
		di_frame_explain(
			view->target, &view->stack.frames.data[at->physical], frame, sizeof frame);
		const char *title = "frame";
		for (char *line = strtok(frame, "\n"); line; line = strtok(NULL, "\n")) {
			printf("  %-9s %s\n", title, line);
			title = "";
		}
	}
	print_lines("steps", &explanation->steps);
	printf("  %-9s %s\n", "place", explanation->location ? explanation->location : "none");
	print_lines("decoding", &explanation->decoding);
}

static void print_stop(const struct ora_visit *visit, const struct di_view *view, unsigned frame)
{
	const struct di_view_frame *at = &view->frames.data[frame];
	const struct di_frame *physical = &view->stack.frames.data[at->physical];
	const char *file = at->file ? at->file : "?";
	printf("%s:%u:%u in %s, pc 0x%" PRIx64, xs_base_name(file), at->line, at->column,
		at->function ? at->function : "?",
		physical->mapping ? physical->pc - physical->mapping->bias : physical->pc);
	if (visit->n)
		printf(", arrival %" PRIu64, visit->n);
	if (frame)
		printf(", frame %u", frame);
	printf("%s\n", visit->approximate ? " (the line has no row with is_stmt)" : "");
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void json_lines(const char *key, const struct di_lines_of_text *lines)
{
	printf(",\"%s\":[", key);
	for (size_t i = 0; i < lines->vec.len; i++) {
		if (i)
			putchar(',');
		cli_json_string(stdout, lines->vec.data[i]);
	}
	putchar(']');
}

static void json_leaf(
	const struct di_explanation *explanation, const struct di_explained_leaf *leaf, bool first)
{
	struct ora_fact fact = {.variable = explanation->variable,
		.path = leaf->path,
		.frame = explanation->frame,
		.shadowed = explanation->shadowed,
		.declared = explanation->declared,
		.type = leaf->type,
		.state = ora_state_name(leaf->state),
		.value = leaf->value,
		.enumerator = leaf->enumerator,
		.message = leaf->message};
	printf(first ? "" : ",");
	/* The shared entry without its closing brace, then the working. */
	char *text = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&text, &size);
	cli_json_fact(memory, &fact, leaf->symbol);
	fclose(memory);
	fwrite(text, 1, size - 1, stdout);
	free(text);
	cli_json_key(stdout, "location", explanation->location);
	json_lines("die", &explanation->die);
	json_lines("entries", &explanation->entries);
	json_lines("steps", &explanation->steps);
	json_lines("decoding", &explanation->decoding);
	putchar('}');
}

static void json_explanation(const struct di_explanation *explanation, bool *first)
{
	if (explanation->absent) {
		printf("%s{\"path\":", *first ? "" : ",");
		cli_json_string(stdout, explanation->path);
		cli_json_key(stdout, "state", "absent");
		cli_json_key(stdout, "value", NULL);
		cli_json_key(stdout, "message", explanation->absent);
		putchar('}');
		*first = false;
	}
	for (size_t i = 0; i < explanation->leaves.len; i++) {
		json_leaf(explanation, &explanation->leaves.data[i], *first);
		*first = false;
	}
}

static void json_stop(const struct ora_visit *visit, const struct di_view *view)
{
	const struct di_view_frame *at = &view->frames.data[0];
	const struct di_frame *physical = &view->stack.frames.data[at->physical];
	printf("{\"stop\":{\"pc\":\"0x%" PRIx64 "\"",
		physical->mapping ? physical->pc - physical->mapping->bias : physical->pc);
	cli_json_key(stdout, "file", at->file);
	printf(",\"line\":%u", at->line);
	cli_json_key(stdout, "function", at->function);
	printf(",\"n\":%" PRIu64 "},\"variables\":[", visit->n);
}

/* --- the command ------------------------------------------------------------------------------ */

struct output {
	const struct options *values;
	struct di_view *view;
	bool first;  /* no variable has been printed yet */
	bool absent; /* one that was named is absent */
};

static void emit(struct output *output, const struct di_explanation *explanation, bool brief)
{
	if (output->values->format == FORMAT_JSON) {
		json_explanation(explanation, &output->first);
	} else {
		if (!brief && !output->first)
			putchar('\n');
		print_explanation(explanation, output->view, brief);
		output->first = false;
	}
	output->absent |= explanation->absent != NULL;
}

static struct xs_error *explain_all(struct output *output, unsigned frame)
{
	const struct di_view_frame at = output->view->frames.data[frame];
	size_t locals = at.scopes ? at.scopes->locals.len : 0;
	size_t globals = at.scopes ? at.scopes->globals->list.len : 0;
	for (size_t i = 0; i < locals + globals; i++) {
		struct di_visible visible = i < locals ? at.scopes->locals.data[i]
						       : di_scopes_global(at.scopes, i - locals);
		struct di_explanation explanation = {0};
		if (i < locals && visible.activation != at.index)
			continue;
		struct xs_error *err = di_explain_variable(
			output->view, frame, &visible, output->values->max_leaves, &explanation);
		if (!err)
			emit(output, &explanation, true);
		di_explanation_deinit(&explanation);
		if (err)
			return err;
	}
	return NULL;
}

static struct xs_error *explain_named(struct output *output, unsigned frame)
{
	const struct cli_strings *vars = &output->values->vars;
	for (size_t i = 0; i < vars->vec.len; i++) {
		struct di_explanation explanation = {0};
		struct xs_error *err = di_explain_path(output->view, frame, vars->vec.data[i],
			output->values->max_leaves, &explanation);
		if (!err)
			emit(output, &explanation, false);
		di_explanation_deinit(&explanation);
		if (err)
			return err;
	}
	return NULL;
}

static struct xs_error *show(const struct options *values, struct ora_visit *visit, bool *absent)
{
	struct di_view view = {0};
	struct output output = {.values = values, .view = &view, .first = true};
	unsigned frame = (unsigned)values->frame;
	struct xs_error *err = di_view_open(&view, &visit->target, true);
	if (!err && values->frame >= view.frames.len)
		err = xs_error_create("--frame %" PRIu64 ": there are only %zu frames",
			values->frame, view.frames.len);
	if (!err) {
		if (values->format == FORMAT_JSON)
			json_stop(visit, &view);
		else
			print_stop(visit, &view, frame);
		err = values->vars.vec.len ? explain_named(&output, frame)
					   : explain_all(&output, frame);
		if (values->format == FORMAT_JSON)
			printf("]}\n");
	}
	*absent = output.absent;
	di_view_deinit(&view);
	return err;
}

/* Reads --at: FILE:LINE, LINE or 0xPC. *file is the caller's to free. */
static struct xs_error *parse_place(const char *text, char **file, struct ora_visit *visit)
{
	const char *colon = strrchr(text, ':'), *number = colon ? colon + 1 : text;
	char *end;
	bool pc = !colon && !strncmp(text, "0x", 2);
	unsigned long long value = strtoull(number, &end, pc ? 16 : 10);
	if (!isdigit((unsigned char)*number) || *end || (!pc && (!value || value > UINT32_MAX)))
		return xs_error_create("--at: '%s' is not FILE:LINE, LINE or 0xPC", text);
	if (pc)
		visit->address = value;
	else
		visit->line = (uint32_t)value;
	visit->by_address = pc;
	if (colon)
		*file = xs_asprintf("%.*s", (int)(colon - text), text);
	visit->file = *file;
	return NULL;
}

static struct xs_error *run(struct options *values, char **argv, bool *absent)
{
	XS_AUTO_FREE char *file = NULL;
	struct ora_visit visit = {.hit = values->hit ? values->hit : 1, .core = values->core};
	struct xs_error *err = NULL;
	if (!values->max_leaves)
		values->max_leaves = 4096;
	if (values->at)
		err = parse_place(values->at, &file, &visit);
	if (!err && values->core && values->at)
		err = xs_error_create("--at: a core file is where it is");
	if (!err)
		err = cli_program_prepare(&values->program, argv, &visit.run);
	if (!err)
		err = ora_visit(&visit);
	if (!err)
		err = show(values, &visit, absent);
	ora_visit_deinit(&visit);
	cli_program_deinit(&values->program);
	return err;
}

static int cmd_explain(int argc, char **argv)
{
	struct options values = {0};
	int first = 0;
	bool help = false, absent = false;
	struct xs_error *err = cli_parse(&cli_explain, argc, argv, &values, &first, &help);
	if (!err && help)
		cli_print_help(&cli_explain, stdout);
	else if (!err && first >= argc)
		err = xs_error_create("explain: no program given; see xstep explain --help");
	else if (!err)
		err = run(&values, argv + first, &absent);
	xs_vec_deinit(&values.vars.vec);
	if (err)
		return cli_fail(err);
	return absent ? CLI_FOUND : CLI_NOTHING;
}

const struct cli_command cli_explain = {
	.name = "explain",
	.operands = "PROGRAM [ARG...]",
	.summary = "Run a program to a place and show how values come out of the DWARF",
	.details = details,
	.options = options,
	.run = cmd_explain,
};
