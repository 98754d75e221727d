/* finding_options.h - the options that say how findings are told, shared by all commands that have
 * some. They fill a struct cli_finding_wishes. */
#ifndef CLI_FINDING_OPTIONS_H
#define CLI_FINDING_OPTIONS_H

#include "cli/option.h"
#include "cli/report/finding.h"

/* `noun` is what a finding is called. */
#define CLI_FINDING_OPTIONS(type, field, noun)                                                     \
	{"Output", "format", 0, CLI_CHOICE, "text|json|sarif|junit|markdown|html",                 \
		"text to read, one JSON object, SARIF, JUnit's XML, a table of Markdown, or a "    \
		"page to look at "                                                                 \
		"(default: text)",                                                                 \
		offsetof(type, field.format)},                                                     \
		{"Output", "baseline", 0, CLI_BASELINE, "FILE",                                    \
			"leave out what an earlier run had: its JSON or SARIF, or a list of ids "  \
			"and signatures",                                                          \
			offsetof(type, field.baseline)},                                           \
		{"Output", "known", 0, CLI_STRINGS, "FILE",                                        \
			"a file of reported bugs, besides those that xstep knows; may be "         \
			"repeated",                                                                \
			offsetof(type, field.known)},                                              \
		{"Output", "new", 0, CLI_FLAG, NULL, "leave out what is reported already",         \
			offsetof(type, field.only_new)},                                           \
	{                                                                                          \
		"Output", "all", 0, CLI_FLAG, NULL,                                                \
			"text: print every " noun ", not only the first of each cluster",          \
			offsetof(type, field.all)                                                  \
	}

#endif
