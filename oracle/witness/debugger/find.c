#include "oracle/witness/debugger/find.h"

#include <ctype.h>
#include <dirent.h>
#include <glob.h>
#include <limits.h>
#include <sys/wait.h>

#include "engine/interrupt.h"
#include "oracle/witness/debugger/helper.h"
#include "oracle/witness/debugger/probed.h"
#include "oracle/witness/debugger/row.h"

#define PROBE_SECONDS 30.0 /* a debugger that has not started by then never will */
#define MARK          "xstep-probe "

/* --- is it of use? ---------------------------------------------------------------------------- */

/* The rest of the line behind the first `mark` in text, or NULL. */
static char *line_behind(const char *text, const char *mark)
{
	const char *at = strstr(text, mark);
	if (!at)
		return NULL;
	at += strlen(mark);
	return xs_asprintf("%.*s", (int)strcspn(at, "\r\n"), at);
}

/* Where lldb's Python module is: Debian's lldb looks for it elsewhere. NULL if it is nowhere near.
 */
static char *find_modules(const char *path)
{
	char real[PATH_MAX];
	if (!realpath(path, real))
		return NULL;
	for (int up = 0; up < 2; up++) {
		char *slash = strrchr(real, '/');
		if (slash)
			*slash = 0;
	}
	XS_AUTO_FREE char *pattern =
		xs_asprintf("%s/lib*/python3*/*-packages/lldb/__init__.py", real);
	glob_t found;
	char *ret = NULL;
	if (glob(pattern, 0, NULL, &found))
		return NULL;
	if (found.gl_pathc) {
		ret = xs_strdup(found.gl_pathv[0]);
		ret[strlen(ret) - strlen("/lldb/__init__.py")] = 0;
	}
	globfree(&found);
	return ret;
}

/* The line that names the version: complaints about this and that may come before it. */
static char *version_line(const char *said, const char *name)
{
	for (const char *line = said; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		size_t length = strcspn(line, "\r\n");
		const char *digit = strpbrk(line, "0123456789");
		const char *at = strncmp(line, "GNU ", 4) ? line : line + 4;
		if (!strncmp(at, name, strlen(name)) && digit && digit < line + length)
			return xs_asprintf("%.*s", (int)length, line);
	}
	return NULL;
}

static void ask_version(struct ora_witness *witness)
{
	char *argv[] = {witness->path, (char[]){"--version"}, NULL};
	XS_AUTO_FREE char *modules =
		witness->modules ? xs_asprintf("PYTHONPATH=%s", witness->modules) : NULL;
	char *variables[] = {modules, NULL};
	XS_AUTO_FREE char *said = NULL;
	int status;
	struct xs_error *err =
		ora_helper_run(argv, variables, ORA_HELPER_AWAY, PROBE_SECONDS, &said, &status);
	if (err || !WIFEXITED(status) || WEXITSTATUS(status)) {
		witness->problem =
			xs_asprintf("does not start: %s", err             ? err->message
							  : said && *said ? said
									  : "it says nothing");
		witness->problem[strcspn(witness->problem, "\r\n")] = 0;
	} else {
		witness->version = version_line(said, ora_witness_name(witness->kind));
		if (!witness->version)
			witness->problem = xs_asprintf(
				"is no %s: it names no version", ora_witness_name(witness->kind));
	}
	xs_error_destroy(err);
}

/* Runs a line of Python in it. */
static void ask_python(struct ora_witness *witness)
{
	static const char line[] = "import sys; print('" MARK "%d.%d.%d' % sys.version_info[:3])";
	const struct ora_debugger *debugger = ora_debugger_of(witness->kind);
	XS_AUTO_FREE char *command = xs_asprintf(debugger->python, line);
	XS_AUTO_FREE char *modules =
		witness->modules ? xs_asprintf("PYTHONPATH=%s", witness->modules) : NULL;
	char *argv[ORA_DEBUGGER_WORDS];
	ora_debugger_argv(debugger, witness->path, debugger->command, command, argv);
	XS_AUTO_FREE char *search =
		witness->search ? xs_asprintf("PATH=%s", witness->search) : NULL;
	char *variables[] = {(char[]){"DEBUGINFOD_URLS"}, modules ? modules : search,
		modules ? search : NULL, NULL};
	XS_AUTO_FREE char *said = NULL;
	int status;
	struct xs_error *err =
		ora_helper_run(argv, variables, ORA_HELPER_AWAY, PROBE_SECONDS, &said, &status);
	/* lldb repeats the command it was given: its own words are the last. */
	char *at = said;
	for (char *next = said; next && (next = strstr(next, MARK)); next += strlen(MARK))
		at = next;
	char *python = said ? line_behind(at, MARK) : NULL;
	if (!err && python && isdigit((unsigned char)*python) && !strstr(said, "Error"))
		witness->python = xs_take(&python);
	free(python);
	xs_error_destroy(err);
	if (witness->python)
		return;
	const char *name = strrchr(witness->path, '/');
	const char *number = strrchr(name ? name : witness->path, '-');
	witness->problem = xs_asprintf(debugger->dumb, number ? number : "");
}

/* afresh: whatever is known of it already. */
static void probe(struct ora_witness *witness, bool afresh)
{
	if (ora_debugger_of(witness->kind)->modules)
		witness->modules = find_modules(witness->path);
	if (!afresh && ora_probed_recall(witness))
		return;
	ask_version(witness);
	if (!witness->problem)
		ask_python(witness);
	if (eng_interrupt_is_wish())
		return; /* what it could not say is not to be kept */
	if (!witness->version || witness->python) {
		ora_probed_keep(witness);
		return;
	}
	const char *path = getenv("PATH");
	XS_AUTO_FREE char *problem = xs_take(&witness->problem);
	witness->search = xs_asprintf("/usr/bin:/bin:%s", path ? path : "");
	ask_python(witness);
	if (!witness->python) {
		free(xs_take(&witness->search));
		free(witness->problem);
		witness->problem = xs_take(&problem);
	}
	ora_probed_keep(witness);
}

/* --- where are they? -------------------------------------------------------------------------- */

struct found {
	char *path; /* as PATH has it */
	char *real; /* without symbolic links */
	long age;   /* number in its name; LONG_MAX for a plain name, which is the user's choice */
};

/* The number that a name has behind its stem: LONG_MAX without one, -1 if it is another name. */
static long number_of(const char *name, const char *stem)
{
	size_t length = strlen(stem);
	if (strncmp(name, stem, length))
		return -1;
	if (!name[length])
		return LONG_MAX;
	char *end;
	if (name[length] != '-' || !isdigit((unsigned char)name[length + 1]))
		return -1;
	long number = strtol(name + length + 1, &end, 10);
	return *end ? -1 : number;
}

static int newest_first(const void *a, const void *b)
{
	long left = ((const struct found *)a)->age, right = ((const struct found *)b)->age;
	return left > right ? -1 : left < right;
}

typedef XS_VEC(struct found) found_list;

/* Adds what one folder has. */
static void look_into(const char *folder, const char *stem, found_list *list)
{
	DIR *stream = opendir(*folder ? folder : ".");
	if (!stream)
		return;
	for (struct dirent *entry; (entry = readdir(stream));) {
		long age = number_of(entry->d_name, stem);
		if (age < 0)
			continue;
		char *path = xs_asprintf("%s/%s", *folder ? folder : ".", entry->d_name);
		char *real = access(path, X_OK) ? NULL : realpath(path, NULL);
		bool known = !real;
		for (size_t i = 0; i < list->len && !known; i++)
			known = !strcmp(list->data[i].real, real);
		if (known) {
			free(path);
			free(real);
		} else {
			xs_vec_push(list, ((struct found){path, real, age}));
		}
	}
	closedir(stream);
}

/* All programs called stem or stem-NN on PATH, newest first. */
static void look_on_path(const char *stem, found_list *ret)
{
	const char *path = getenv("PATH");
	XS_AUTO_FREE char *folders = xs_strdup(path ? path : "/usr/bin:/bin");
	for (char *rest = folders, *folder; (folder = strsep(&rest, ":"));)
		look_into(folder, stem, ret);
	if (ret->len)
		qsort(ret->data, ret->len, sizeof *ret->data, newest_first);
}

static void free_found(found_list *list)
{
	for (size_t i = 0; i < list->len; i++) {
		free(list->data[i].path);
		free(list->data[i].real);
	}
	xs_vec_deinit(list);
}

void ora_debuggers_find(enum ora_witness_kind kind, bool all, struct ora_witnesses *ret)
{
	const struct ora_debugger *debugger = ora_debugger_of(kind);
	found_list list = {0};
	size_t before = ret->vec.len;
	look_on_path(ora_witness_name(kind), &list);
	for (size_t i = 0; i < list.len; i++) {
		/* gdb-multiarch and its like are for other machines. */
		if (!debugger->numbered && list.data[i].age != LONG_MAX)
			continue;
		struct ora_witness witness = {.ops = &ora_debugger_ops,
			.kind = kind,
			.path = xs_strdup(list.data[i].path)};
		probe(&witness, all);
		xs_vec_push(&ret->vec, witness);
		if (!all && !witness.problem)
			break;
	}
	free_found(&list);
	if (ret->vec.len == before)
		xs_vec_push(&ret->vec, ((struct ora_witness){.ops = &ora_debugger_ops,
					       .kind = kind,
					       .problem = xs_strdup(debugger->absent)}));
}

void ora_debugger_at(enum ora_witness_kind kind, const char *path, struct ora_witness *ret)
{
	*ret = (struct ora_witness){
		.ops = &ora_debugger_ops, .kind = kind, .path = xs_strdup(path)};
	probe(ret, false);
}
