#include "oracle/judge/fake_trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/map.h"

void ora_fake_succeed(struct xs_error *err)
{
	if (err)
		fail_msg("%s", err->message);
}

/* --- the store ------------------------------------------------------------------------------ */

int ora_fake_setup(void **state)
{
	struct fake *fake = xs_calloc(1, sizeof *fake);
	*state = fake;
	fake->subject = "/nowhere/program";
	fake->hash = "sha256:0";
	fake->level = "instruction";
	fake->sample = "all";
	/* In memory, where there is such a folder: nobody waits for a disk. */
	snprintf(fake->path, sizeof fake->path, "%s/xstep-fake-XXXXXX",
		access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
	int fd = mkstemp(fake->path);
	if (fd < 0)
		return -1;
	close(fd);
	ora_fake_succeed(ora_store_open(fake->path, ORA_STORE_WRITE, &fake->store));
	return 0;
}

int ora_fake_teardown(void **state)
{
	struct fake *fake = *state;
	ora_verdicts_deinit(&fake->verdicts);
	ora_comparison_deinit(&fake->comparison);
	ora_trace_list_deinit(&fake->list);
	ora_store_destroy(fake->store);
	unlink(fake->path);
	for (size_t i = 0; i < fake->texts.len; i++)
		free(fake->texts.data[i]);
	xs_vec_deinit(&fake->texts);
	free(fake);
	return 0;
}

/* --- writing a trace ------------------------------------------------------------------------ */

/* A trace while its text is read. */
struct script {
	struct ora_writer *writer;
	const char *line;      /* for messages */
	struct xs_map taken;   /* (prev, place) -> times */
	uint32_t prev, place;  /* as the writer calls them */
	uint64_t number;       /* of the stop */
	bool open, framed;     /* a stop has begun; its frames are told, or how many there are */
	char *file, *function; /* of the stop's row; or NULL */
	uint32_t row;          /* its line */
	XS_VEC(char *) scopes; /* functions of its frames, the innermost first */
	unsigned frames;       /* how many there are */
	bool order;            /* the order of all stops is kept */
};

static void complain(const struct script *script, const char *what)
{
	fail_msg("%s: %s", script->line, what);
}

/* The next word, cut out of the text; NULL at the end. */
static char *next_word(char **rest)
{
	char *word;
	do
		word = strsep(rest, " ");
	while (word && !*word);
	return word;
}

/* Splits `a.c:5`. */
static void take_row(struct script *script, char *text, struct ora_store_place *place)
{
	char *colon = text ? strrchr(text, ':') : NULL;
	free(script->file);
	script->file = NULL;
	script->row = 0;
	if (!colon)
		return;
	*colon = 0;
	script->file = xs_strdup(text);
	script->row = (uint32_t)strtoul(colon + 1, NULL, 10);
	place->has_row = true;
	place->file = script->file;
	place->line = script->row;
}

static void forget_scopes(struct script *script)
{
	for (size_t i = 0; i < script->scopes.len; i++)
		free(script->scopes.data[i]);
	script->scopes.len = 0;
}

/* A place that need not be a stop of this trace; 0: none. */
static uint32_t place_at(struct script *script, xs_addr address)
{
	struct ora_store_place place = {.address = address};
	uint32_t known = address ? ora_writer_find_place(script->writer, NULL, address) : 0;
	return known || !address ? known : ora_writer_place(script->writer, &place);
}

static void begin_stop(struct script *script, char *text)
{
	char *rest = text, *word = next_word(&rest);
	struct ora_store_place place = {.address = strtoull(word, NULL, 16)};
	char *function = next_word(&rest), *row = next_word(&rest);
	uint32_t prev = script->place;
	uint64_t n = 0, number = script->number + 1;
	if (!row)
		complain(script, "a stop needs a pc, a function and a row");
	char *plus = strchr(function, '+');
	place.offset = plus ? strtol(plus + 1, NULL, 10) : 0;
	if (plus)
		*plus = 0;
	free(script->function);
	script->function = strcmp(function, "-") ? xs_strdup(function) : NULL;
	place.function = script->function;
	take_row(script, row, &place);
	while ((word = next_word(&rest))) {
		if (!strncmp(word, "n=", 2))
			n = strtoull(word + 2, NULL, 10);
		else if (!strncmp(word, "number=", 7))
			number = strtoull(word + 7, NULL, 10);
		else if (!strncmp(word, "lib=", 4))
			place.module = word + 4;
		else if (!strcmp(word, "inlined"))
			place.inlined = "[{\"function\":\"f\"}]";
		else if (!strncmp(word, "prev=", 5))
			prev = place_at(script, strtoull(word + 5, NULL, 16));
		else
			complain(script, "an unknown word");
	}
	script->prev = prev;
	script->place = ora_writer_place(script->writer, &place);
	script->number = number;
	uint64_t *taken = xs_map_at(&script->taken, script->prev, script->place);
	*taken = n ? n : *taken + 1;
	ora_writer_stop_begin(script->writer, script->number, script->prev, script->place, *taken);
	ora_writer_transition(script->writer, script->prev, script->place, *taken, 0);
	if (script->order)
		ora_writer_order(script->writer, script->prev, script->place);
	script->open = true;
	script->framed = false;
	forget_scopes(script);
}

/* `f~^:7@1010!lib` */
static void take_frame(struct script *script, const char *text)
{
	size_t length = strcspn(text, "~^:@!");
	XS_AUTO_FREE char *name = xs_asprintf("%.*s", (int)length, text);
	XS_AUTO_FREE char *module = NULL;
	bool first = !script->scopes.len;
	struct ora_store_frame frame = {.function = strcmp(name, "?") ? name : NULL,
		.file = script->file,
		.line = first ? script->row : 0,
		.address = XS_ADDR_NONE};
	char *at = (char *)(uintptr_t)text + length;
	while (*at)
		switch (*at++) {
		case '~':
			frame.inlined = true;
			break;
		case '^':
			frame.tail = true;
			break;
		case ':':
			frame.line = (uint32_t)strtoul(at, &at, 10);
			break;
		case '@':
			frame.address = strtoull(at, &at, 16);
			break;
		default:
			frame.module = module = xs_strdup(at);
			at += strlen(at);
		}
	ora_writer_frame(script->writer, &frame);
	xs_vec_push(&script->scopes, xs_strdup(name));
}

static void take_frames(struct script *script, char *text)
{
	char *rest = text, *word = next_word(&rest);
	script->framed = true;
	if (word && *word >= '0' && *word <= '9') {
		script->frames = (unsigned)strtoul(word, NULL, 10);
		ora_writer_frames(script->writer, script->frames);
		return;
	}
	for (; word; word = next_word(&rest))
		if (strcmp(word, "<") != 0)
			take_frame(script, word);
	script->frames = (unsigned)script->scopes.len;
}

/* Without a line about them there is one. */
static void need_frames(struct script *script)
{
	if (script->framed)
		return;
	XS_AUTO_FREE char *only = xs_strdup(script->function ? script->function : "?");
	take_frames(script, only);
}

static void take_register(struct script *script, char *name, char *value)
{
	if (!strcmp(value, "?"))
		ora_writer_reg_text(script->writer, name, NULL);
	else if (*value == '"')
		ora_writer_reg_text(script->writer, name, value);
	else
		ora_writer_reg(script->writer, name, strtoull(value, NULL, 0));
}

/* Cuts a word off the end of a text; false if it is not there. */
static bool cut_word(char *text, const char *word)
{
	size_t length = strlen(text), size = strlen(word);
	if (length <= size || text[length - size - 1] != ' ' || strcmp(text + length - size, word))
		return false;
	text[length - size - 1] = 0;
	return true;
}

/* `<error: words>`, or a value. */
static void take_state(struct script *script, char *text, struct ora_store_fact *fact)
{
	size_t length = strlen(text);
	fact->value = text;
	if (*text != '<' || text[length - 1] != '>')
		return;
	text[length - 1] = 0;
	char *colon = strchr(text, ':');
	if (colon) {
		*colon = 0;
		fact->message = colon + 2;
	}
	fact->value = NULL;
	if (!ora_state_parse(text + 1, &fact->state))
		complain(script, "an unknown state");
}

/* The part of a fact's name in brackets of some kind, cut out; NULL if there is none. */
static char *cut_brackets(char **name, char open, char close)
{
	if (**name != open)
		return NULL;
	char *ret = *name + 1, *end = strchr(*name, close);
	*end = 0;
	*name = end + 1;
	return ret;
}

static void take_fact(struct script *script, char *name, char *value)
{
	struct ora_store_variable variable = {
		.file = script->file ? script->file : "a.c", .line = 1};
	struct ora_store_fact fact = {0};
	unsigned frame = 0;
	bool global = !strncmp(name, "::", 2);
	need_frames(script);
	if (global)
		name += 2;
	if (*name == '#') {
		frame = (unsigned)strtoul(name + 1, &name, 10);
		name++;
	}
	variable.unit = cut_brackets(&name, '{', '}');
	fact.type = cut_brackets(&name, '(', ')');
	char *mark = strchr(name, '\'');
	uint64_t key = mark ? strtoull(mark + 1, NULL, 10) : 0;
	if (mark)
		*mark = 0;
	if ((mark = strchr(name, '@'))) {
		variable.line = (uint32_t)strtoul(mark + 1, NULL, 10);
		*mark = 0;
	}
	if (frame >= script->frames)
		complain(script, "no such frame");
	bool known = frame < script->scopes.len;
	variable.scope = global ? "" : known ? script->scopes.data[frame] : script->function;
	XS_AUTO_FREE char *whole = xs_asprintf("%.*s", (int)strcspn(name, ".["), name);
	variable.name = whole;
	fact.variable = ora_writer_variable(script->writer, &variable, key);
	fact.depth = global ? 0 : script->frames - frame;
	fact.path = name;
	if ((mark = strstr(value, " why="))) {
		fact.why = mark + strlen(" why=");
		*mark = 0;
	}
	fact.undeclared = cut_word(value, "undeclared");
	fact.shadowed = cut_word(value, "shadowed");
	take_state(script, value, &fact);
	ora_writer_fact(script->writer, &fact);
}

static void end_stop(struct script *script)
{
	if (!script->open)
		return;
	need_frames(script);
	ora_fake_succeed(ora_writer_stop_end(script->writer));
	script->open = false;
}

static void take_line(struct script *script, char *line)
{
	script->line = line;
	if (*line != ' ') {
		end_stop(script);
		begin_stop(script, line);
		return;
	}
	line++;
	if (*line == '<') {
		take_frames(script, line + 1);
		return;
	}
	char *value = strstr(line, " = ");
	if (!value)
		complain(script, "neither a stop nor a fact");
	*value = 0;
	value += 3;
	if (*line == '$')
		take_register(script, line + 1, value);
	else
		take_fact(script, line, value);
}

uint64_t ora_fake_trace(struct fake *fake, const char *witness, const char *text)
{
	XS_AUTO_FREE char *name = xs_strdup(witness);
	char *version = strchr(name, ' ');
	XS_AUTO(ora_writer) writer = NULL;
	XS_AUTO_FREE char *copy = xs_strdup(text);
	char *rest = copy;
	if (version)
		*version++ = 0;
	ora_fake_succeed(ora_writer_create(fake->store,
		&(struct ora_store_subject){.path = fake->subject, .hash = fake->hash},
		&(struct ora_store_trace){.witness = name,
			.version = version ? version : "1",
			.mode = "exact",
			.level = fake->level,
			.sample = fake->sample,
			.seed = fake->seed,
			.arguments = "[\"program\"]",
			.from = "main",
			.vars = "all",
			.frames = true,
			.regs = true},
		&writer));
	struct script script = {.writer = writer, .order = fake->order};
	for (char *line; (line = strsep(&rest, "\n"));)
		if (*line)
			take_line(&script, line);
	end_stop(&script);
	ora_fake_succeed(ora_writer_finish(
		writer, &(struct ora_store_end){
				.complete = true, .how = "main returned", .stops = script.number}));
	forget_scopes(&script);
	xs_vec_deinit(&script.scopes);
	xs_map_deinit(&script.taken);
	free(script.file);
	free(script.function);
	fake->count++;
	return ora_writer_trace(writer);
}

void ora_fake_unstable(
	struct fake *fake, uint64_t trace, const char *path, uint64_t first, uint64_t last)
{
	XS_AUTO(ora_reader) reader = NULL;
	const struct ora_told *told = NULL;
	uint32_t leaf = 0;
	uint64_t element = 0;
	ora_fake_succeed(ora_reader_create(fake->store, trace, &reader));
	for (;;) {
		ora_fake_succeed(ora_reader_next(reader, &told));
		if (!told)
			break;
		for (size_t i = 0; i < told->facts.len; i++)
			if (!strcmp(told->facts.data[i].path, path)) {
				leaf = told->facts.data[i].leaf;
				element = told->facts.data[i].element;
			}
	}
	assert_true(leaf);
	ora_fake_succeed(ora_store_mark_unstable(fake->store, trace, leaf, element, first, last));
}

/* --- asking the judge ----------------------------------------------------------------------- */

void ora_fake_traces(struct fake *fake)
{
	ora_fake_succeed(ora_store_traces(fake->store, &fake->list));
	assert_int_equal(fake->list.vec.len, fake->count);
}

void ora_fake_compare(struct fake *fake)
{
	ora_fake_traces(fake);
	fake->comparison.store = fake->store;
	fake->comparison.count = fake->count;
	for (size_t i = 0; i < fake->count; i++)
		fake->comparison.traces[i] = i + 1;
	ora_fake_succeed(ora_compare(&fake->comparison));
}

void ora_fake_judge(struct fake *fake)
{
	ora_fake_compare(fake);
	fake->verdicts.comparison = &fake->comparison;
	fake->verdicts.subject = fake->subject;
	for (size_t i = 0; i < fake->count; i++)
		fake->verdicts.witnesses[i] = fake->list.vec.data[i].trace.witness;
	ora_judge(&fake->verdicts);
}

void ora_fake_prove(struct fake *fake)
{
	for (size_t i = 0; i < fake->verdicts.findings.len; i++) {
		struct ora_proof *proof = &fake->verdicts.findings.data[i].proof;
		proof->looked = proof->own = true;
		proof->asked = proof->again = (1U << fake->count) - 1;
	}
	ora_judge_again(&fake->verdicts);
	ora_judge_conclude(&fake->verdicts);
}

/* --- what was found, in words --------------------------------------------------------------- */

/* A text that the test need not free. */
static const char *keep(struct fake *fake, char *text)
{
	xs_vec_push(&fake->texts, text);
	return text;
}

static void print_said(FILE *out, const struct ora_said *said)
{
	fputs(" | ", out);
	if (!said->heard) {
		putc('-', out);
		return;
	}
	if (said->state == ORA_STATE_VALUE)
		fputs(said->value ? said->value : "?", out);
	else
		fprintf(out, "<%s%s%s>", ora_state_text(said->state), said->message ? ": " : "",
			said->message ? said->message : "");
	if (said->undeclared)
		fputs(" undeclared", out);
	if (said->shadowed)
		fputs(" shadowed", out);
}

const char *ora_fake_differences(struct fake *fake)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	for (size_t i = 0; i < fake->comparison.differences.len; i++) {
		const struct ora_difference *one = fake->comparison.differences.data[i];
		fputs(ora_aspect_text(one->aspect), out);
		if (one->path)
			fprintf(out, " %s%s%s", one->scope ? one->scope : "", one->scope ? ":" : "",
				one->path);
		fprintf(out, " @%" PRIx64 " %" PRIu64 "x %" PRIu64, one->pc, one->times,
			one->stops);
		for (size_t w = 0; w < fake->comparison.count; w++)
			print_said(out, &one->said[w]);
		putc('\n', out);
	}
	fclose(out);
	return keep(fake, text);
}

const char *ora_fake_asides(struct fake *fake)
{
	static const char *const names[] = {
		[ORA_ASIDE_UNSTABLE] = "unstable",
		[ORA_ASIDE_NAN] = "nan",
		[ORA_ASIDE_DECLINED] = "declined",
		[ORA_ASIDE_SPELLING] = "spelling",
		[ORA_ASIDE_FRAME] = "frame",
		[ORA_ASIDE_CUT] = "cut",
		[ORA_ASIDE_LIBRARY] = "library",
		[ORA_ASIDE_TWINS] = "twins",
		[ORA_ASIDE_UNASKED] = "unasked",
	};
	const struct ora_comparison *comparison = &fake->comparison;
	char *text = NULL;
	size_t size, count = 0;
	FILE *out = open_memstream(&text, &size);
	for (size_t i = 0; i < ORA_ASIDE_COUNT; i++)
		if (comparison->aside[i])
			fprintf(out, "%s%s %" PRIu64, count++ ? ", " : "", names[i],
				comparison->aside[i]);
	for (size_t w = 0; w < comparison->count; w++) {
		const char *name = fake->list.vec.data[w].trace.witness;
		if (comparison->missed[w])
			fprintf(out, "%smissed by %s %" PRIu64, count++ ? ", " : "", name,
				comparison->missed[w]);
		if (comparison->extra[w])
			fprintf(out, "%sextra by %s %" PRIu64, count++ ? ", " : "", name,
				comparison->extra[w]);
	}
	fclose(out);
	return keep(fake, text);
}

const char *ora_fake_findings(struct fake *fake, const struct ora_verdicts *verdicts)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	for (size_t i = 0; i < verdicts->findings.len; i++) {
		const struct ora_finding *one = &verdicts->findings.data[i];
		fprintf(out, "%s; %s; wrong", one->signature,
			one->contest    ? ora_contest_text(one->contest)
			: one->artefact ? "artefact"
					: ora_basis_text(one->basis));
		if (!one->wrong)
			fputs(one->producer ? "" : " nobody", out);
		for (size_t w = 0; w < verdicts->comparison->count; w++)
			if (one->wrong >> w & 1)
				fprintf(out, " %s",
					verdicts->labels[w] ? verdicts->labels[w]
							    : verdicts->witnesses[w]);
		fprintf(out, "%s\n", one->producer ? " producer" : "");
	}
	fclose(out);
	return keep(fake, text);
}

const char *ora_fake_clusters(struct fake *fake, const struct ora_verdicts *verdicts)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	for (size_t i = 0; i < verdicts->clusters.len; i++) {
		const struct ora_cluster *one = &verdicts->clusters.data[i];
		fprintf(out, "%" PRIu64 "x %" PRIu64 " %s\n", one->count, one->stops,
			verdicts->findings.data[one->first].signature);
	}
	fclose(out);
	return keep(fake, text);
}
