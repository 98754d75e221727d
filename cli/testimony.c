#include "cli/testimony.h"

#include <inttypes.h>
#include <signal.h>

#include "base/path.h"

enum { CHANGES_SHOWN = 8 }; /* variables on a line of text; more are counted */

void cli_testimony_head(FILE *out, bool json, const struct ora_witness *witness)
{
	const char *name = ora_witness_label(witness);
	if (!json) {
		fprintf(out, "%s%s%s: %s\n", name, witness->path ? "@" : "",
			witness->path ? witness->path : "",
			witness->version ? witness->version : "?");
		return;
	}
	json_t *head = json_pack("{s:s, s:s?, s:s?}", "witness", name, "version", witness->version,
		"path", witness->path);
	json_dumpf(head, out, JSON_COMPACT);
	putc('\n', out);
	json_decref(head);
}

static const char *text_of(json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	return text ? text : "?";
}

static void print_changes(FILE *out, json_t *facts)
{
	size_t i, shown = 0;
	json_t *fact;
	json_array_foreach(facts, i, fact)
	{
		const char *state = text_of(fact, "state");
		if (!strcmp(state, "absent") || shown++ >= CHANGES_SHOWN)
			continue;
		bool value = !strcmp(state, "value");
		const char *enumerator = json_string_value(json_object_get(fact, "enumerator"));
		fprintf(out, "%s%s = %s%s%s%s%s", shown == 1 ? "  | " : ", ", text_of(fact, "path"),
			value ? "" : "<", value ? text_of(fact, "value") : state, value ? "" : ">",
			enumerator ? " " : "", enumerator ? enumerator : "");
	}
	if (shown > CHANGES_SHOWN)
		fprintf(out, ", and %zu more", shown - CHANGES_SHOWN);
}

/* One line: number, pc, function and place; the frames outside; what changed. */
static void print_stop(FILE *out, json_t *stop)
{
	const char *file = json_string_value(json_object_get(stop, "file"));
	json_t *column = json_object_get(stop, "column"), *frame, *value;
	const char *name;
	size_t i;
	fprintf(out, "%7" JSON_INTEGER_FORMAT "  %s  %-16s  ",
		json_integer_value(json_object_get(stop, "stop")), text_of(stop, "pc"),
		text_of(stop, "function"));
	if (file)
		fprintf(out, "%s:%" JSON_INTEGER_FORMAT, xs_base_name(file),
			json_integer_value(json_object_get(stop, "line")));
	else
		putc('-', out);
	if (json_integer_value(column))
		fprintf(out, ":%" JSON_INTEGER_FORMAT, json_integer_value(column));
	json_array_foreach(json_object_get(stop, "frames"), i, frame) if (i)
		fprintf(out, "%s%s", i == 1 ? "  < " : " < ", text_of(frame, "function"));
	print_changes(out, json_object_get(stop, "vars"));
	i = 0;
	json_object_foreach(json_object_get(stop, "regs"), name, value)
		fprintf(out, "%s%s=%s", i++ ? " " : "  ", name, json_string_value(value));
	putc('\n', out);
}

static void dump(FILE *out, json_t *line)
{
	json_object_del(line, "kind");
	json_dumpf(line, out, JSON_COMPACT);
	putc('\n', out);
}

/* Why the testimony is over and what became of the program. */
static void report(const struct ora_testimony *testimony, json_t *line)
{
	const char *end = text_of(line, "end"), *how = "";
	json_t *status = json_object_get(line, "status"), *signal = json_object_get(line, "signal");
	if (!strcmp(end, "returned"))
		how = " returned; ";
	const char *from = testimony->from ? testimony->from : "main";
	fprintf(stderr, "xstep: %s: %s%s", ora_witness_label(testimony->witness), *how ? from : "",
		how);
	if (!strcmp(end, "limit"))
		fprintf(stderr, "ended by --limit %" PRIu64 "; ", testimony->limit);
	else if (json_is_integer(signal))
		fprintf(stderr, "killed by signal %" JSON_INTEGER_FORMAT "; ",
			json_integer_value(signal));
	else if (json_is_string(signal))
		fprintf(stderr, "killed by %s; ", json_string_value(signal));
	else if (json_is_integer(status))
		fprintf(stderr, "exited with status %" JSON_INTEGER_FORMAT "; ",
			json_integer_value(status));
	fprintf(stderr, "%" JSON_INTEGER_FORMAT " stops\n",
		json_integer_value(json_object_get(line, "stops")));
}

/* Trouble is a part of the trace: whoever reads that must not take it for complete. */
static void tell_trouble(const struct cli_testimony *print, const char *trouble)
{
	const char *name = ora_witness_label(print->testimony.witness);
	fprintf(stderr, "xstep: %s: %s\n", name, trouble);
	if (!print->out)
		return;
	if (!print->json) {
		fprintf(print->out, "trouble: %s\n", trouble);
		return;
	}
	json_t *line = json_pack("{s:s, s:s}", "witness", name, "trouble", trouble);
	if (!line) /* not UTF-8 */
		line = json_pack("{s:s, s:s}", "witness", name, "trouble", "words without text");
	json_dumpf(line, print->out, JSON_COMPACT);
	putc('\n', print->out);
	json_decref(line);
}

static bool on_line(void *context, const char *kind, json_t *line)
{
	struct cli_testimony *print = context;
	if (print->transcript && (print->err = ora_transcript_line(print->transcript, kind, line)))
		return false;
	if (!strcmp(kind, "stop") && print->out && print->json)
		dump(print->out, line);
	else if (!strcmp(kind, "stop") && print->out)
		print_stop(print->out, line);
	else if (!strcmp(kind, "transition") && print->transitions)
		dump(print->transitions, line);
	else if (!strcmp(kind, "trouble"))
		tell_trouble(print, text_of(line, "message"));
	else if (!strcmp(kind, "end"))
		report(&print->testimony, line);
	return (!print->out || !ferror(print->out)) &&
	       (!print->transitions || !ferror(print->transitions));
}

struct xs_error *cli_testimony_print(struct cli_testimony *print, bool *trouble)
{
	struct ora_testimony *testimony = &print->testimony;
	testimony->on_line = on_line;
	testimony->context = print;
	if (print->out)
		cli_testimony_head(print->out, print->json, testimony->witness);
	if (testimony->witness->problem) {
		*trouble = true;
		tell_trouble(print, testimony->witness->problem);
		return NULL;
	}
	struct xs_error *err =
		print->shared ? ora_shared_tell(print->shared, print->which, print->recording)
			      : ora_testify(testimony);
	if (print->err) { /* why the testimony ended */
		xs_error_destroy(err);
		err = xs_take(&print->err);
	}
	const char *end = testimony->trouble                     ? testimony->trouble
			  : testimony->interrupted_by == SIGALRM ? "ended by --timeout"
			  : testimony->interrupted_by            ? "interrupted"
			  : err                                  ? err->message
								 : NULL;
	if (print->transcript) {
		struct xs_error *worse = ora_transcript_end(print->transcript, end);
		if (err)
			xs_error_destroy(worse);
		else
			err = worse;
	}
	if (!err && testimony->trouble) {
		*trouble = true;
		tell_trouble(print, testimony->trouble);
	}
	if (!err && testimony->interrupted_by == SIGALRM)
		tell_trouble(print, "ended by --timeout");
	ora_testimony_deinit(testimony);
	return err;
}
