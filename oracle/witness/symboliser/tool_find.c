#include "oracle/witness/symboliser/tool_find.h"

#include <limits.h>
#include <sys/wait.h>

#include "base/path.h"
#include "oracle/witness/debugger/helper.h"
#include "oracle/witness/symboliser/symboliser.h"
#include "oracle/witness/symboliser/tool.h"

#define PROBE_SECONDS 10.0
enum { OLDEST = 13, NEWEST = 49 }; /* versions in names; LLVM 13 is the first that prints JSON */

/* The line that names the version. */
static char *version_line(const char *said, const char *mark)
{
	const char *at = said ? strstr(said, mark) : NULL;
	const char *begin = at;
	while (begin && begin > said && begin[-1] != '\n')
		begin--;
	while (begin && *begin == ' ')
		begin++;
	size_t length = begin ? strcspn(begin, "\r\n") : 0;
	return length && strcspn(begin, "0123456789") < length
		       ? xs_asprintf("%.*s", (int)length, begin)
		       : NULL;
}

static void ask_version(struct ora_witness *witness)
{
	const struct ora_tool *tool = ora_tool_of(witness->kind);
	char *argv[] = {witness->path, (char[]){"--version"}, NULL};
	XS_AUTO_FREE char *said = NULL;
	int status;
	XS_AUTO(xs_error)
	err = ora_helper_run(argv, NULL, ORA_HELPER_AWAY, PROBE_SECONDS, &said, &status);
	if (err || !WIFEXITED(status) || WEXITSTATUS(status)) {
		witness->problem =
			xs_asprintf("does not start: %s", err             ? err->message
							  : said && *said ? said
									  : "it says nothing");
		witness->problem[strcspn(witness->problem, "\r\n")] = 0;
		return;
	}
	witness->version = version_line(said, tool->mark);
	if (!witness->version)
		witness->problem = xs_asprintf("is no %s: its version does not say \"%s\"",
			ora_witness_name(witness->kind), tool->mark);
}

void ora_tool_at(enum ora_witness_kind kind, const char *path, struct ora_witness *ret)
{
	char *found = xs_path_find(path);
	*ret = (struct ora_witness){.ops = &ora_symboliser_ops, .kind = kind};
	ret->path = found ? found : xs_strdup(path);
	if (found)
		ask_version(ret);
	else
		ret->problem = xs_strdup("there is no such program");
}

/* Adds a program of that name, unless it is not there or known by another name. */
static bool add(enum ora_witness_kind kind, const char *name, struct ora_witnesses *ret)
{
	char real[PATH_MAX], known[PATH_MAX];
	XS_AUTO_FREE char *path = xs_path_find(name);
	if (!path || !realpath(path, real))
		return false;
	for (size_t i = 0; i < ret->vec.len; i++)
		if (ret->vec.data[i].kind == kind && ret->vec.data[i].path &&
			realpath(ret->vec.data[i].path, known) && !strcmp(real, known))
			return false;
	struct ora_witness witness;
	ora_tool_at(kind, path, &witness);
	xs_vec_push(&ret->vec, witness);
	return true;
}

void ora_tools_find(enum ora_witness_kind kind, bool all, struct ora_witnesses *ret)
{
	const struct ora_tool *tool = ora_tool_of(kind);
	const char *name = ora_witness_name(kind);
	size_t before = ret->vec.len;
	bool works = add(kind, name, ret) && !ret->vec.data[ret->vec.len - 1].problem;
	for (int number = NEWEST; tool->numbered && number >= OLDEST && (all || !works); number--) {
		XS_AUTO_FREE char *word = xs_asprintf("%s-%d", name, number);
		works |= add(kind, word, ret) && !ret->vec.data[ret->vec.len - 1].problem;
	}
	if (ret->vec.len == before)
		xs_vec_push(&ret->vec, ((struct ora_witness){.ops = &ora_symboliser_ops,
					       .kind = kind,
					       .problem = xs_strdup(tool->absent)}));
}
