/* bundle_title.c - a finding in the words of those who get it: who, what, at which level. */
#include <ctype.h>
#include <sys/stat.h>

#include "base/path.h"
#include "cli/report/bundle.h"
#include "dwarf/unit.h"
#include "oracle/witness/witness.h"

const char *cli_bundle_producer(const struct cli_bundle_case *one)
{
	return di_unit_producer(one->print->verdicts->module, one->finding->difference->pc);
}

/* The first debugger that is named; as many as there are if none is. */
static size_t accused(const struct cli_bundle_case *one)
{
	const char *const *witnesses = one->print->verdicts->witnesses;
	size_t w = 0;
	while (w < one->print->count &&
		(!(one->finding->wrong >> w & 1) ||
			(!ora_witness_is(witnesses[w], ORA_WITNESS_GDB) &&
				!ora_witness_is(witnesses[w], ORA_WITNESS_LLDB))))
		w++;
	return w;
}

enum cli_bundle_party cli_bundle_party(const struct cli_bundle_case *one)
{
	size_t w = accused(one);
	const char *producer = cli_bundle_producer(one);
	if (w < one->print->count)
		return ora_witness_is(one->print->verdicts->witnesses[w], ORA_WITNESS_GDB)
			       ? CLI_BUNDLE_GDB
			       : CLI_BUNDLE_LLDB;
	if (producer && strstr(producer, "clang version"))
		return CLI_BUNDLE_CLANG;
	return producer && !strncmp(producer, "GNU ", 4) ? CLI_BUNDLE_GCC : CLI_BUNDLE_OTHER;
}

const char *cli_bundle_tracker(enum cli_bundle_party party)
{
	switch (party) {
	case CLI_BUNDLE_GDB:
		return "report.txt to sourceware's Bugzilla, product gdb";
	case CLI_BUNDLE_LLDB:
		return "report.md to LLVM's issues, label lldb";
	case CLI_BUNDLE_GCC:
		return "report.txt to GCC's Bugzilla, component debug, keyword wrong-debug";
	case CLI_BUNDLE_CLANG:
		return "report.md to LLVM's issues, label debuginfo";
	case CLI_BUNDLE_OTHER:
		break;
	}
	return "report.txt to who makes the compiler";
}

/* The last `-O...` of a command or of what the compiler notes of it; to be freed, or NULL. */
static char *last_level(const char *words)
{
	const char *found = NULL;
	for (const char *at = words; at && (at = strstr(at, "-O")); at += 2)
		if (at == words || isspace((unsigned char)at[-1]))
			found = at;
	size_t length = found ? 2 + strspn(found + 2, "0123456789abcdefghijklmnopqrstuvwxyz") : 0;
	return found ? xs_asprintf("%.*s", (int)length, found) : NULL;
}

char *cli_bundle_level(const struct cli_bundle_case *one)
{
	const char *producer = cli_bundle_producer(one);
	char *ret = last_level(one->report->build);
	if (!ret && !one->report->build)
		ret = last_level(producer);
	/* Only where the command is known, or the compiler notes its options. */
	bool noted = one->report->build || (producer && !strncmp(producer, "GNU ", 4));
	return ret || !noted ? ret : xs_strdup("-O0");
}

char *cli_bundle_program(const char *path)
{
	static const char *const ours[] = {"source", "tests", "stdin", "README.md", "report.md",
		"report.txt", "case.json", "disassembly.txt", "explain.txt", "page.html",
		"check.py", "check.txt", "check_gdb.py", "check_gdb.txt", "check_lldb.py",
		"check_lldb.txt"};
	const char *name = xs_base_name(path);
	bool taken = !strncmp(name, "session.", 8) || !strncmp(name, "other", 5);
	for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
		taken |= !strcmp(name, ours[i]);
	return xs_asprintf("%s%s", taken ? "program-" : "", name);
}

char *cli_bundle_kept_as(const struct di_lines *lines, const char *path)
{
	const char *name = xs_base_name(path);
	size_t others = 0;
	for (size_t i = 0; i < lines->files.len; i++) {
		const char *other = lines->files.data[i];
		bool again = false;
		if (!other || strcmp(xs_base_name(other), name) != 0)
			continue;
		if (!strcmp(other, path))
			break;
		for (size_t k = 0; k < i; k++)
			again |= lines->files.data[k] && !strcmp(lines->files.data[k], other);
		others += !again;
	}
	return others ? xs_asprintf("%zu-%s", others + 1, name) : xs_strdup(name);
}

const char *cli_bundle_source(const struct cli_bundle_case *one)
{
	const char *from = one->finding->difference->file;
	if (!from || !cli_source_is_named(from))
		return NULL;
	XS_AUTO_FREE char *name = cli_bundle_kept_as(&one->print->verdicts->module->lines, from);
	XS_AUTO_FREE char *kept = xs_asprintf("%s/source/%s", one->folder, name);
	return access(kept, R_OK) || access(from, R_OK) ? NULL : from;
}

/* What is wrong with the word of a debugger for which no known mistake stands. */
static char *debugger_title(const char *who, const struct ora_finding *finding)
{
	const struct ora_difference *one = finding->difference;
	const char *path = one->path ? one->path : "?";
	if (one->aspect == ORA_ASPECT_CRASH)
		return xs_asprintf("%s: crashes", who);
	if (one->aspect == ORA_ASPECT_LINE)
		return xs_asprintf("%s: wrong line at 0x%" PRIx64, who, one->pc);
	if (one->aspect == ORA_ASPECT_FRAMES || one->aspect == ORA_ASPECT_PRESENTATION)
		return xs_asprintf(
			"%s: wrong backtrace in '%s'", who, one->function ? one->function : "?");
	if (one->aspect == ORA_ASPECT_STOPS)
		return xs_asprintf("%s: stops elsewhere", who);
	switch (finding->kind) {
	case ORA_KIND_LOSS:
		return xs_asprintf("%s: no value of '%s', though the DWARF gives it", who, path);
	case ORA_KIND_EXTRA:
		return xs_asprintf("%s: shows '%s', where there is nothing to show", who, path);
	default:
		return xs_asprintf("%s: wrong value of '%s'", who, path);
	}
}

/* Of a producer: what the reason says behind its first words. */
static const char *claim_of(const struct ora_finding *finding)
{
	static const char first[] = "the producer of the DWARF is wrong: ";
	return !strncmp(finding->reason, first, sizeof first - 1)
		       ? finding->reason + sizeof first - 1
		       : finding->reason;
}

static char *producer_title(const struct cli_bundle_case *one, enum cli_bundle_party party)
{
	const struct ora_finding *finding = one->finding;
	const struct ora_difference *difference = finding->difference;
	XS_AUTO_FREE char *level = cli_bundle_level(one);
	XS_AUTO_FREE char *at = level ? xs_asprintf(" at %s", level) : xs_strdup("");
	const char *tag = party == CLI_BUNDLE_CLANG ? "[DebugInfo]" : "[debug]";
	bool ruled = finding->producer && *finding->producer->sentence;
	const char *claim = ruled ? finding->producer->sentence : claim_of(finding);
	if (!difference->path)
		return xs_asprintf("%s wrong debug information%s: %s", tag, at, claim);
	return xs_asprintf("%s %s '%s'%s: %s", tag,
		finding->kind == ORA_KIND_LOSS    ? "no value of"
		: finding->kind == ORA_KIND_EXTRA ? "out of scope:"
						  : "wrong value of",
		difference->path, at, claim);
}

char *cli_bundle_title(const struct cli_bundle_case *one)
{
	size_t w = accused(one);
	enum cli_bundle_party party = cli_bundle_party(one);
	if (w == one->print->count)
		return producer_title(one, party);
	const char *who = party == CLI_BUNDLE_GDB ? "gdb" : "lldb";
	const struct ora_rule *rule = one->finding->rules[w];
	return rule ? xs_asprintf("%s: %s", who, rule->sentence)
		    : debugger_title(who, one->finding);
}
