#include "oracle/witness/witness.h"

#include <ctype.h>
#include <dirent.h>
#include <glob.h>
#include <limits.h>
#include <sys/wait.h>

#include "oracle/witness/debugger/helper.h"
#include "oracle/witness/debugger/probed.h"

#define PROBE_SECONDS 30.0 /* a debugger that has not started by then never will */
#define MARK          "xstep-probe "

const char *ora_witness_name(enum ora_witness_kind kind)
{
	static const char *const names[] = {"xstep", "gdb", "lldb"};
	return names[kind];
}

static const char *const voices[] = {NULL, "gdb:print", "lldb:expression"};

const char *ora_witness_label(const struct ora_witness *witness)
{
	return witness->by_name ? voices[witness->kind] : ora_witness_name(witness->kind);
}

bool ora_witness_is(const char *label, enum ora_witness_kind kind)
{
	const char *name = ora_witness_name(kind);
	size_t length = strlen(name);
	return !strncmp(label, name, length) && (!label[length] || label[length] == ':');
}

bool ora_witness_is_by_name(const char *label)
{
	return strchr(label, ':') != NULL;
}

void ora_witness_deinit(struct ora_witness *witness)
{
	free(witness->path);
	free(witness->version);
	free(witness->python);
	free(witness->modules);
	free(witness->search);
	free(witness->problem);
	*witness = (struct ora_witness){0};
}

void ora_witnesses_deinit(struct ora_witnesses *list)
{
	for (size_t i = 0; i < list->vec.len; i++)
		ora_witness_deinit(&list->vec.data[i]);
	xs_vec_deinit(&list->vec);
}

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
	struct xs_error *err = ora_helper_run(argv, variables, PROBE_SECONDS, &said, &status);
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
	bool is_gdb = witness->kind == ORA_WITNESS_GDB;
	XS_AUTO_FREE char *command =
		xs_asprintf(is_gdb ? "python %s" : "script %s; import lldb; lldb.SBDebugger", line);
	XS_AUTO_FREE char *modules =
		witness->modules ? xs_asprintf("PYTHONPATH=%s", witness->modules) : NULL;
	char *gdb[] = {witness->path, (char[]){"-nx"}, (char[]){"-nh"}, (char[]){"-q"},
		(char[]){"-batch"}, (char[]){"-ex"}, command, NULL};
	char *lldb[] = {witness->path, (char[]){"--no-lldbinit"}, (char[]){"--batch"},
		(char[]){"-o"}, command, NULL};
	XS_AUTO_FREE char *search =
		witness->search ? xs_asprintf("PATH=%s", witness->search) : NULL;
	char *variables[] = {(char[]){"DEBUGINFOD_URLS"}, modules ? modules : search,
		modules ? search : NULL, NULL};
	XS_AUTO_FREE char *said = NULL;
	int status;
	struct xs_error *err =
		ora_helper_run(is_gdb ? gdb : lldb, variables, PROBE_SECONDS, &said, &status);
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
	if (is_gdb)
		witness->problem = xs_strdup("its Python does not work: apt-get install gdb "
					     "(gdb-minimal has none)");
	else
		witness->problem = xs_asprintf("its Python does not work: apt-get install "
					       "python3-lldb%s",
			number ? number : "");
}

/* afresh: whatever is known of it already. */
static void probe(struct ora_witness *witness, bool afresh)
{
	if (witness->kind == ORA_WITNESS_LLDB)
		witness->modules = find_modules(witness->path);
	if (!afresh && ora_probed_recall(witness))
		return;
	ask_version(witness);
	if (!witness->problem)
		ask_python(witness);
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

static void not_there(enum ora_witness_kind kind, struct ora_witness *ret)
{
	*ret = (struct ora_witness){.kind = kind,
		.problem = xs_strdup(kind == ORA_WITNESS_GDB
					     ? "not found: apt-get install gdb"
					     : "not found: apt-get install lldb-15 "
					       "python3-lldb-15 (or another version)")};
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

/* All of a kind, or the first that can testify. */
static void find_kind(enum ora_witness_kind kind, bool all, struct ora_witnesses *ret)
{
	found_list list = {0};
	size_t before = ret->vec.len;
	look_on_path(ora_witness_name(kind), &list);
	for (size_t i = 0; i < list.len; i++) {
		/* gdb has no numbered names; gdb-multiarch and its like are for other machines. */
		if (kind == ORA_WITNESS_GDB && list.data[i].age != LONG_MAX)
			continue;
		struct ora_witness witness = {.kind = kind, .path = xs_strdup(list.data[i].path)};
		probe(&witness, all);
		xs_vec_push(&ret->vec, witness);
		if (!all && !witness.problem)
			break;
	}
	free_found(&list);
	if (ret->vec.len == before) {
		struct ora_witness none;
		not_there(kind, &none);
		xs_vec_push(&ret->vec, none);
	}
}

void ora_witnesses_find(struct ora_witnesses *ret)
{
	struct ora_witness own = {
		.kind = ORA_WITNESS_XSTEP, .version = xs_strdup("xstep " XSTEP_VERSION)};
	xs_vec_push(&ret->vec, own);
	find_kind(ORA_WITNESS_GDB, true, ret);
	find_kind(ORA_WITNESS_LLDB, true, ret);
}

struct xs_error *ora_witness_named(const char *word, const char *path, struct ora_witness *ret)
{
	size_t length = strcspn(word, "@");
	XS_AUTO_FREE char *label = xs_asprintf("%.*s", (int)length, word);
	enum ora_witness_kind kind = ORA_WITNESS_XSTEP;
	bool by_name = false;
	*ret = (struct ora_witness){0};
	for (; kind <= ORA_WITNESS_LLDB; kind++) {
		by_name = voices[kind] && !strcmp(label, voices[kind]);
		if (by_name || !strcmp(label, ora_witness_name(kind)))
			break;
	}
	if (kind > ORA_WITNESS_LLDB || (kind == ORA_WITNESS_XSTEP && word[length]))
		return xs_error_create("--witness: '%s' is none of xstep, gdb, lldb, gdb@PATH, "
				       "lldb@PATH, gdb:print, lldb:expression",
			word);
	if (word[length])
		path = word + length + 1;
	if (kind == ORA_WITNESS_XSTEP) {
		*ret = (struct ora_witness){
			.kind = kind, .version = xs_strdup("xstep " XSTEP_VERSION)};
	} else if (path) {
		*ret = (struct ora_witness){.kind = kind, .path = xs_strdup(path)};
		probe(ret, false);
	} else {
		struct ora_witnesses list = {0};
		find_kind(kind, false, &list);
		/* The one that works is the last; else the first says what to do. */
		size_t last = list.vec.len - 1, best = list.vec.data[last].problem ? 0 : last;
		*ret = list.vec.data[best];
		list.vec.data[best] = (struct ora_witness){0};
		ora_witnesses_deinit(&list);
	}
	ret->by_name = by_name;
	return NULL;
}
