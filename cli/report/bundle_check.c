/* bundle_check.c - scripts that show a finding without xstep: the case as data, then what runs
 * outside and inside of the debugger (oracle/witness/check*.py), all in one file. */
#include <jansson.h>
#include <sys/stat.h>

#include "base/private.h"
#include "cli/report/bundle.h"
#include "base/path.h"
#include "oracle/witness/debugger/driver.h"

static const char head[] =
	"#!/usr/bin/env -S python3 -I\n"
	"\"\"\"Shows a bug of a debugger; needs nothing but the files beside it.\n"
	"\n"
	"    ./check_%s.py [PATH [OPTION...]]\n"
	"\n"
	"PATH is the debugger to ask, with options if it needs any ($%s, else the one that was "
	"wrong\n"
	"first). Exit status: 1 while the bug is there, 0 once it is not, 125 if that cannot be "
	"found\n"
	"out, as `git bisect run` wants it; CHECK_SECONDS is how long to wait (120).\n"
	"\"\"\"\n"
	"import glob\n"
	"import json\n"
	"import os\n"
	"import re\n"
	"import shlex\n"
	"import shutil\n"
	"import signal\n"
	"import struct\n"
	"import subprocess\n"
	"import sys\n"
	"import tempfile\n"
	"\n";

size_t cli_bundle_right(const struct cli_findings *print, const struct ora_finding *finding)
{
	const struct ora_difference *one = finding->difference;
	size_t right = print->count;
	for (size_t w = 0; w < print->count; w++)
		if (one->said[w].heard && !(finding->wrong >> w & 1) &&
			(right == print->count || !strcmp(print->verdicts->witnesses[w], "xstep")))
			right = w;
	return right;
}

static json_t *address(xs_addr value)
{
	return value == XS_ADDR_NONE ? json_null() : json_integer((json_int_t)value);
}

static json_t *text(const char *words)
{
	return words ? json_string(words) : json_null();
}

static json_t *fact(const struct ora_said *said, const char *value)
{
	return json_pack("{s:s,s:o,s:o,s:b}", "state", ora_state_text(said->state), "value",
		text(value), "message", text(said->message), "undeclared", said->undeclared);
}

/* The program's own functions among those of a backtrace, `f < g < main`: all that is compared. */
static char *own_frames(const struct di_module *module, const char *stack, json_t *own)
{
	XS_AUTO_FREE char *copy = xs_strdup(stack);
	char *ret = NULL, *rest = copy, *at = strstr(copy, " at ");
	size_t size = 0;
	FILE *out = open_memstream(&ret, &size);
	xs_assert(out);
	if (at)
		*at = 0;
	const char *mark = "";
	for (char *name; (name = strsep(&rest, "<"));) {
		name += strspn(name, " ");
		name[strcspn(name, " (.@")] = 0;
		if (!di_functions_named(module->functions, name))
			continue;
		fprintf(out, "%s%s", mark, name);
		json_array_append_new(own, json_string(name));
		mark = " < ";
	}
	xs_assert(!fclose(out));
	return ret;
}

/* NULL if they are not UTF-8. */
static json_t *words(char *const *list)
{
	json_t *ret = json_array();
	for (; *list; list++)
		if (json_array_append_new(ret, json_string(*list))) {
			json_decref(ret);
			return NULL;
		}
	return ret;
}

/* NULL if something in it is not UTF-8. */
static json_t *make_case(const struct cli_findings *print, const struct ora_finding *finding,
	uint64_t sp, const char *in)
{
	const struct ora_difference *one = finding->difference;
	const struct ora_route *route = &print->routes[finding->origin];
	const struct di_module *module = print->verdicts->module;
	const struct ora_said *right = &one->said[cli_bundle_right(print, finding)];
	bool frames = one->aspect == ORA_ASPECT_FRAMES || one->aspect == ORA_ASPECT_PRESENTATION;
	json_t *own = json_array();
	char *value = right->value ? xs_strdup(right->value) : NULL;
	for (size_t w = 0; frames && w < print->count; w++) {
		if (!one->said[w].heard || !one->said[w].value)
			continue;
		char *list = own_frames(module, one->said[w].value, own);
		if (&one->said[w] == right) {
			free(value);
			value = xs_take(&list);
		}
		free(list);
	}
	XS_AUTO_FREE char *what = xs_asprintf("%s%s%s at 0x%" PRIx64 ", %s:%u, arrival %" PRIu64,
		one->path ? one->path : ora_aspect_text(one->aspect),
		one->scope && *one->scope ? " of " : "", one->scope ? one->scope : "", one->pc,
		one->file ? one->file : "?", one->line, route->hit);
	XS_AUTO_FREE char *program = cli_bundle_program(print->run->path);
	json_t *ret = json_pack("{s:s,s:o,s:o,s:o,s:o,s:o,s:o,s:I,s:b,s:o}", "program", program,
		"arguments", words(print->run->argv + 1), "environment",
		words(print->run->environment), "stdin", text(in), "elf_entry",
		address(module->entry), "entry", address(route->entry - route->bias), "place",
		address(route->place == XS_ADDR_NONE ? XS_ADDR_NONE : route->place - route->bias),
		"arrivals", (json_int_t)route->arrivals, "step", route->step, "pc",
		address(one->pc));
	json_t *more = json_pack("{s:i,s:s,s:s,s:o,s:i,s:o,s:i,s:o,s:I,s:o,s:o}", "length",
		(int)strlen(print->run->path), "aspect", ora_aspect_text(one->aspect), "what", what,
		"scope", text(one->global ? NULL : one->scope), "rank", (int)one->rank, "var",
		text(one->var), "decl_line", (int)one->decl_line, "path", text(one->path), "sp",
		(json_int_t)sp, "right", fact(right, value), "own", own);
	free(value);
	if (!ret || !more) {
		json_decref(ret);
		json_decref(more);
		return NULL;
	}
	json_object_update(ret, more);
	json_decref(more);
	return ret;
}

/* Appends a file of the drivers. */
static struct xs_error *append(FILE *out, const char *folder, const char *name)
{
	XS_AUTO_FREE char *path = xs_asprintf("%s/%s", folder, name);
	XS_AUTO_FILE FILE *from = fopen(path, "re");
	char buffer[4096];
	size_t got;
	if (!from)
		return xs_error_sys("%s", path);
	while ((got = fread(buffer, 1, sizeof buffer, from)))
		fwrite(buffer, 1, got, out);
	return ferror(from) ? xs_error_sys("%s", path) : NULL;
}

struct xs_error *cli_bundle_check(const struct cli_findings *print,
	const struct ora_finding *finding, bool gdb, const char *path, uint64_t sp, const char *in,
	const char *file)
{
	XS_AUTO_FREE char *folder = NULL;
	struct xs_error *err = ora_driver_scripts(&folder);
	if (err)
		return err;
	json_t *one = make_case(print, finding, sp, in);
	json_t *debugger = one ? json_string(path) : NULL;
	if (!debugger) {
		json_decref(one);
		return NULL;
	}
	json_object_set_new(one, "debugger", debugger);
	FILE *out = xs_private_open(file, true);
	if (!out) {
		json_decref(one);
		return xs_error_sys("%s", file);
	}
	XS_AUTO_FREE char *dump = json_dumps(one, JSON_INDENT(1) | JSON_ENSURE_ASCII);
	json_decref(one);
	xs_assert(dump);
	fprintf(out, head, gdb ? "gdb" : "lldb", gdb ? "GDB" : "LLDB");
	fputs("CASE = json.loads(r'''", out);
	for (const char *at = dump; *at; at++)
		fputs(*at == '\'' ? "\\u0027" : *at == 0x7f ? "\\u007f" : (char[]){*at, 0}, out);
	fputs("''')\n\n", out);
	if (!(err = append(out, folder, "check.py"))) {
		fputs("\n\n", out);
		err = append(out, folder, gdb ? "check_gdb.py" : "check_lldb.py");
	}
	bool bad = ferror(out) || fchmod(fileno(out), XS_PRIVATE_PROGRAM);
	if ((fclose(out) || bad) && !err)
		err = xs_error_sys("%s", file);
	return err;
}
