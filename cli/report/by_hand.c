#include "cli/report/by_hand.h"

#include <stdarg.h>

XS_PRINTF(2, 3) static void add(struct cli_commands *commands, const char *format, ...)
{
	char *text = NULL;
	va_list list;
	va_start(list, format);
	int length = vasprintf(&text, format, list);
	va_end(list);
	xs_assert(length >= 0);
	xs_vec_push(&commands->vec, text);
}

/* The arguments of the program, with a blank before each; to be freed. */
static char *arguments(const struct ora_run *run)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	xs_assert(out);
	for (char *const *word = run->argv + 1; *word; word++)
		fprintf(out, " %s", *word);
	xs_assert(!fclose(out));
	return text;
}

void cli_by_hand_settings(
	enum cli_debugger who, const struct cli_by_hand *session, struct cli_commands *ret)
{
	const struct ora_run *run = session->run;
	XS_AUTO_FREE char *words = arguments(run);
	if (who == CLI_LLDB) {
		add(ret, "settings set target.inherit-env false");
		return;
	}
	add(ret, "set confirm off");
	/* Without a shell nobody redirects. */
	add(ret, "set startup-with-shell %s", session->in ? "on" : "off");
	add(ret, "set disable-randomization on");
	add(ret, "set debuginfod enabled off");
	add(ret, "unset environment");
	for (char *const *each = run->environment; *each; each++)
		add(ret, "set environment %s", *each);
	if (*words)
		add(ret, "set args%s", words);
	add(ret, "handle all nostop noprint pass");
	add(ret, "set backtrace past-main on");
}

static void way_gdb(const struct cli_by_hand *session, struct cli_commands *ret)
{
	const struct ora_route *route = session->route;
	add(ret, session->in ? "starti < %s" : "starti", session->in);
	add(ret, "tbreak *0x%" PRIx64, route->entry);
	add(ret, "continue");
	if (route->place != XS_ADDR_NONE) {
		add(ret, "break *0x%" PRIx64, route->place);
		if (route->arrivals > 1)
			add(ret, "ignore $bpnum %" PRIu64, route->arrivals - 1);
		add(ret, "continue");
	}
	if (route->step)
		add(ret, "stepi");
}

static void way_lldb(const struct cli_by_hand *session, struct cli_commands *ret)
{
	const struct ora_route *route = session->route;
	XS_AUTO_FREE char *words = arguments(session->run);
	char *options = session->in ? xs_asprintf(" --stdin %s", session->in) : xs_strdup("");
	for (char *const *each = session->run->environment; !session->brief && *each; each++) {
		char *longer = xs_asprintf("%s -E %s", options, *each);
		free(options);
		options = longer;
	}
	add(ret, "process launch --stop-at-entry%s --%s", options, words);
	free(options);
	add(ret, "breakpoint set --one-shot true --address 0x%" PRIx64, route->entry);
	add(ret, "process continue");
	if (route->place != XS_ADDR_NONE) {
		add(ret, "breakpoint set --address 0x%" PRIx64 " --ignore-count %" PRIu64,
			route->place, route->arrivals - 1);
		add(ret, "process continue");
	}
	if (route->step)
		add(ret, "thread step-inst");
}

void cli_by_hand_way(
	enum cli_debugger who, const struct cli_by_hand *session, struct cli_commands *ret)
{
	if (who == CLI_GDB)
		way_gdb(session, ret);
	else
		way_lldb(session, ret);
}

static bool is_integer(const char *value)
{
	value += *value == '-';
	return *value && strspn(value, "0123456789") == strlen(value) && strlen(value) <= 20;
}

static bool is_float(const struct cli_question *question)
{
	return question->type &&
	       (strstr(question->type, "float") || strstr(question->type, "double") ||
		       strstr(question->type, "Float"));
}

/* So that what is printed reads as in a trace. */
static void ask_variable(
	enum cli_debugger who, const struct cli_question *question, struct cli_commands *ret)
{
	const char *value = question->state == ORA_STATE_VALUE ? question->value : NULL;
	const char *path = question->path;
	const char *show = question->by_name      ? "expression"
			   : question->file_scope ? "target variable"
						  : "frame variable";
	const char *end = question->by_name ? "-- " : ""; /* of an expression's options */
	bool address = value && !strncmp(value, "0x", 2);
	bool integer = value && is_integer(value) && !is_float(question);
	bool negative = value && *value == '-';
	if (question->frame)
		add(ret, who == CLI_GDB ? "frame %u" : "frame select %u", question->frame);
	if (who == CLI_GDB && address)
		add(ret, "print/x (unsigned long)%s", path);
	else if (who == CLI_GDB && integer)
		add(ret, "print (%s)%s", negative ? "long long" : "unsigned long long", path);
	else if (who == CLI_GDB)
		add(ret, "print %s", path);
	else if (address)
		add(ret, "%s --format x %s%s", show, end, path);
	else if (integer)
		add(ret, "%s --format %s %s%s", show, negative ? "d" : "u", end, path);
	else
		add(ret, "%s %s%s", show, end, path);
}

void cli_by_hand_ask(
	enum cli_debugger who, const struct cli_question *question, struct cli_commands *ret)
{
	switch (question->aspect) {
	case ORA_ASPECT_LINE:
		add(ret,
			who == CLI_GDB ? "info line *0x%" PRIx64
				       : "image lookup --address 0x%" PRIx64,
			question->pc);
		break;
	case ORA_ASPECT_REGISTER:
		add(ret, who == CLI_GDB ? "info registers %s" : "register read %s",
			question->path + 1);
		break;
	case ORA_ASPECT_VARIABLE:
	case ORA_ASPECT_LOOKUP:
	case ORA_ASPECT_BUILDS:
		if (question->path) {
			ask_variable(who, question, ret);
			break;
		}
		if (who == CLI_GDB)
			add(ret, "info args");
		add(ret, who == CLI_GDB ? "info locals" : "frame variable");
		break;
	default:
		add(ret, who == CLI_GDB ? "backtrace" : "thread backtrace");
		break;
	}
}

void cli_commands_deinit(struct cli_commands *commands)
{
	for (size_t i = 0; i < commands->vec.len; i++)
		free(commands->vec.data[i]);
	xs_vec_deinit(&commands->vec);
}
