#include "oracle/session/witnesses.h"

#include <string.h>

#include "base/path.h"
#include "oracle/witness/debugger/find.h"
#include "oracle/witness/own/own.h"
#include "oracle/witness/symboliser/tool_find.h"

static void find(enum ora_witness_kind kind, bool all, struct ora_witnesses *ret)
{
	if (ora_witness_is_symboliser(kind))
		ora_tools_find(kind, all, ret);
	else
		ora_debuggers_find(kind, all, ret);
}

void ora_witnesses_find(struct ora_witnesses *ret)
{
	struct ora_witness own;
	ora_own_witness(&own);
	xs_vec_push(&ret->vec, own);
	for (enum ora_witness_kind kind = ORA_WITNESS_GDB; kind < ORA_WITNESS_KINDS; kind++)
		find(kind, true, ret);
}

/* The first on PATH that works; else the first, which says what to do. */
static void find_one(enum ora_witness_kind kind, struct ora_witness *ret)
{
	struct ora_witnesses list = {0};
	find(kind, false, &list);
	size_t last = list.vec.len - 1, best = list.vec.data[last].problem ? 0 : last;
	*ret = list.vec.data[best];
	list.vec.data[best] = (struct ora_witness){0};
	ora_witnesses_deinit(&list);
}

struct xs_error *ora_witness_named(const char *word, const char *path, struct ora_witness *ret)
{
	size_t length = strcspn(word, "@");
	XS_AUTO_FREE char *label = xs_asprintf("%.*s", (int)length, word);
	enum ora_witness_kind kind = ORA_WITNESS_XSTEP;
	bool by_name = false;
	*ret = (struct ora_witness){0};
	for (; kind < ORA_WITNESS_KINDS; kind++) {
		const char *voice = ora_witness_voice(kind);
		by_name = voice && !strcmp(label, voice);
		if (by_name || !strcmp(label, ora_witness_name(kind)))
			break;
	}
	if (kind == ORA_WITNESS_KINDS || (kind == ORA_WITNESS_XSTEP && word[length]))
		return xs_error_create("--witness: '%s' is none of xstep, gdb, lldb, "
				       "gdb@PATH, lldb@PATH, gdb:print, lldb:expression, all, "
				       "addr2line, llvm-symbolizer, eu-addr2line, "
				       "addr2line@PATH, ...",
			word);
	if (word[length])
		path = word + length + 1;
	XS_AUTO_FREE char *found = path ? xs_path_find(path) : NULL;
	if (found)
		path = found;
	if (kind == ORA_WITNESS_XSTEP)
		ora_own_witness(ret);
	else if (path && ora_witness_is_symboliser(kind))
		ora_tool_at(kind, path, ret);
	else if (path)
		ora_debugger_at(kind, path, ret);
	else
		find_one(kind, ret);
	ret->by_name = by_name;
	return NULL;
}

const char *ora_witness_path(const char *word, const char *gdb, const char *lldb)
{
	return !strncmp(word, "gdb", 3) ? gdb : !strncmp(word, "lldb", 4) ? lldb : NULL;
}

struct xs_error *ora_witnesses_named(
	const char *words, const char *gdb, const char *lldb, struct ora_witnesses *ret)
{
	XS_AUTO_FREE char *copy = xs_strdup(words);
	for (char *rest = copy, *word; (word = strsep(&rest, ","));) {
		struct ora_witness witness;
		const char *path = ora_witness_path(word, gdb, lldb);
		struct xs_error *err = ora_witness_named(word, path, &witness);
		if (err)
			return err;
		xs_vec_push(&ret->vec, witness);
	}
	return NULL;
}

/* --- all -------------------------------------------------------------------------------------- */

/* Adds a word to a list, `a,b`, unless it is there. */
static void add_word(char **list, const char *word, const char *between)
{
	XS_AUTO_FREE char *copy = xs_strdup(*list ? *list : "");
	for (char *rest = copy, *each; *list && (each = strsep(&rest, ","));)
		if (!strcmp(each, word))
			return;
	char *longer = xs_asprintf("%s%s%s", *list ? *list : "", *list ? between : "", word);
	free(*list);
	*list = longer;
}

static void add_all(const char *gdb, const char *lldb, char **list, char **missing)
{
	add_word(list, ora_witness_name(ORA_WITNESS_XSTEP), ",");
	for (enum ora_witness_kind kind = ORA_WITNESS_GDB; kind < ORA_WITNESS_DEBUGGERS; kind++) {
		struct ora_witness witness = {0};
		if (!(kind == ORA_WITNESS_GDB ? gdb : lldb))
			find_one(kind, &witness);
		if (witness.problem)
			add_word(missing, ora_witness_name(kind), ", ");
		else
			add_word(list, ora_witness_name(kind), ",");
		ora_witness_deinit(&witness);
	}
}

char *ora_witnesses_spell(const char *words, const char *gdb, const char *lldb, char **missing)
{
	XS_AUTO_FREE char *copy = xs_strdup(words);
	char *list = NULL;
	bool all = false;
	*missing = NULL;
	for (char *rest = copy, *word; (word = strsep(&rest, ","));)
		if (!strcmp(word, "all")) {
			add_all(gdb, lldb, &list, missing);
			all = true;
		} else {
			add_word(&list, word, ",");
		}
	if (!all) { /* as they were written */
		free(list);
		list = xs_strdup(words);
	}
	return list;
}
