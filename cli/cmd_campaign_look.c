/* cmd_campaign_look.c - xstep campaign status, findings, show, export: what one has come to. */
#include "cli/commands.h"
#include "cli/report/campaign_export.h"
#include "cli/report/campaign_print.h"
#include "cli/report/campaign_rows.h"
#include "oracle/campaign/exemplars.h"

struct options {
	const char *older;       /* --new */
	struct xs_strings known; /* --known: files */
	bool no_known;           /* without what is reported already */
	int by;                  /* bug|signature */
	int format;              /* text|json; of export json|csv|markdown|html */
	const char *output;      /* of export: a file or a folder */
	struct xs_strings since; /* --since: older campaigns */
};

#define FORMAT                                                                                     \
	{                                                                                          \
		"Output", "format", 0, CLI_CHOICE, "text|json",                                    \
			"text to read, or one JSON object (default: text)",                        \
			offsetof(struct options, format)                                           \
	}

#define KNOWN                                                                                      \
	{                                                                                          \
		"Output", "known", 0, CLI_STRINGS, "FILE",                                         \
			"a file of reported bugs, besides those that xstep knows; may be "         \
			"repeated",                                                                \
			offsetof(struct options, known)                                            \
	}

static const struct cli_option status_options[] = {
	FORMAT,
	{0},
};

static const struct cli_option show_options[] = {
	FORMAT,
	KNOWN,
	{0},
};

static const struct cli_option findings_options[] = {
	{"Which", "new", 0, CLI_STRING, "OLDDIR",
		"only signatures that another campaign has not; and then those that only that one "
		"has (default: all)",
		offsetof(struct options, older)},
	{"Which", "no-known", 0, CLI_FLAG, NULL, "leave out what is reported already",
		offsetof(struct options, no_known)},
	{"Output", "by", 0, CLI_CHOICE, "bug|signature",
		"what an entry is; a signature of which no cause is known is a bug of its own "
		"(default: bug)",
		offsetof(struct options, by)},
	FORMAT,
	KNOWN,
	{0},
};

static const struct cli_option export_options[] = {
	{"Output", "format", 0, CLI_CHOICE, "json|csv|markdown|html",
		"one JSON object, a folder of tables, one file of tables, or a page to look at "
		"(default: json)",
		offsetof(struct options, format)},
	{"Output", "output", 'o', CLI_STRING, "PATH",
		"the file, for csv the folder, that is written (default: standard output, but for "
		"csv)",
		offsetof(struct options, output)},
	{"Output", "since", 0, CLI_STRINGS, "OLDDIR",
		"html: an older campaign, to be compared with; may be repeated, the oldest first "
		"(default: none)",
		offsetof(struct options, since)},
	KNOWN,
	{0},
};

/* What these commands have in common. */
struct looking {
	struct options values;            /* as parsed */
	const char *const *words;         /* operands */
	struct ora_campaign_store *store; /* of the first of them */
	struct ora_known known;           /* bugs that are reported already */
	size_t found;                     /* what decides about the exit status */
};

static struct xs_error *look_up(
	struct looking *looking, const char *dir, struct xs_error *(*tell)(struct looking *looking))
{
	struct xs_error *err;
	if ((err = ora_campaign_read(dir, &looking->store)) ||
		(err = cli_campaign_known(&looking->values.known, &looking->known)) ||
		(err = tell(looking)))
		return err;
	return fflush(stdout) || ferror(stdout) ? xs_error_sys("standard output") : NULL;
}

/* All of a command that has so many operands, of which the first is a campaign's folder. */
static int look(const struct cli_command *command, int argc, char **argv, size_t wanted,
	struct xs_error *(*tell)(struct looking *looking))
{
	struct looking looking = {0};
	struct xs_strings words = {0};
	bool help = false;
	struct xs_error *err = cli_parse_all(command, argc, argv, &looking.values, &words, &help);
	looking.words = words.vec.data;
	if (!err && help)
		cli_print_help(command, stdout);
	else if (!err && words.vec.len != wanted)
		err = xs_error_create("%s: expected %s; see xstep %s --help", command->name,
			command->operands, command->name);
	else if (!err)
		err = look_up(&looking, words.vec.data[0], tell);
	ora_campaign_store_destroy(looking.store);
	ora_known_deinit(&looking.known);
	xs_vec_deinit(&looking.values.known.vec);
	xs_vec_deinit(&looking.values.since.vec);
	xs_vec_deinit(&words.vec);
	return err ? cli_fail(err) : looking.found ? CLI_FOUND : CLI_NOTHING;
}

static struct xs_error *tell_status(struct looking *looking)
{
	return cli_campaign_status(
		stdout, looking->store, looking->words[0], looking->values.format);
}

static struct xs_error *tell_findings(struct looking *looking)
{
	XS_AUTO(ora_campaign_store) older = NULL;
	struct xs_error *err = NULL;
	if (looking->values.older && (err = ora_campaign_read(looking->values.older, &older)))
		return err;
	const struct cli_campaign_wishes wishes = {.older = older,
		.known = &looking->known,
		.no_known = looking->values.no_known,
		.by_signature = looking->values.by,
		.json = looking->values.format};
	return cli_campaign_findings(stdout, looking->store, &wishes, &looking->found);
}

static struct xs_error *tell_one(struct looking *looking)
{
	XS_AUTO_FREE char *id = NULL;
	const struct cli_campaign_wishes wishes = {
		.known = &looking->known, .json = looking->values.format};
	struct xs_error *err = ora_exemplar_named(looking->store, looking->words[1], &id);
	looking->found = 1;
	return err ? err : cli_campaign_show(stdout, looking->store, id, &wishes);
}

static struct xs_error *export_all(struct looking *looking)
{
	const struct xs_strings *since = &looking->values.since;
	XS_VEC(struct ora_campaign_store *) older = {0};
	struct xs_error *err = NULL;
	if (since->vec.len && looking->values.format != CLI_EXPORT_HTML)
		return xs_error_create("--since goes with --format html only");
	for (size_t i = 0; !err && i < since->vec.len; i++) {
		struct ora_campaign_store *store = NULL;
		err = ora_campaign_read(since->vec.data[i], &store);
		xs_vec_push(&older, store);
	}
	const struct cli_export export = {.store = looking->store,
		.folder = looking->words[0],
		.known = &looking->known,
		.older = older.data,
		.older_folders = since->vec.data,
		.older_count = since->vec.len};
	if (!err)
		err = cli_campaign_export(&export, (enum cli_export_format)looking->values.format,
			looking->values.output);
	for (size_t i = 0; i < older.len; i++)
		ora_campaign_store_destroy(older.data[i]);
	xs_vec_deinit(&older);
	return err;
}

static int cmd_status(int argc, char **argv)
{
	return look(&cli_campaign_status_command, argc, argv, 1, tell_status);
}

static int cmd_findings(int argc, char **argv)
{
	return look(&cli_campaign_findings_command, argc, argv, 1, tell_findings);
}

static int cmd_show(int argc, char **argv)
{
	return look(&cli_campaign_show_command, argc, argv, 2, tell_one);
}

static int cmd_export(int argc, char **argv)
{
	return look(&cli_campaign_export_command, argc, argv, 1, export_all);
}

static const char status_details[] =
	"How many programs, builds and jobs there are, what was left out and why, what each\n"
	"oracle found, and which jobs failed. May be asked while the campaign runs. If it is\n"
	"cut into shards: how many are done, missing and, if Slurm can be asked, waiting and\n"
	"running.\n"
	"\n"
	"JSON:\n"
	"\t{\"options\": [{name, value}],\n"
	"\t\"totals\": [{programs, kept, builds, jobs, done, findings, signatures,\n"
	"\tseconds}],\n"
	"\t\"left_out\": [{reason, programs, detail}],\n"
	"\t\"builds\": [{compiler, level, builds, built, refused, crashed, hung,\n"
	"\tseconds}],\n"
	"\t\"oracles\": [{oracle, jobs, clean, found, unasked, failed, to_do, findings,\n"
	"\tsignatures, seconds}],\n"
	"\t\"failed\": [{oracle, outcome, detail, jobs, program}],\n"
	"\t\"figures\": [{oracle, figure, jobs, sum}],\n"
	"\t\"causes\": [{stage, done, unfinished, failed, culprits, seconds}]}\n"
	"`detail` and `program` are of the first such program. If it is cut into shards:\n"
	"\t\"shards\": {count, programs, done, missing, waiting, running, merged}\n"
	"with lists of numbers; `waiting` and `running` are null if Slurm cannot be asked.\n"
	"\n"
	"Exit status:\n"
	"  0  done\n"
	"  2  trouble\n";

static const char findings_details[] =
	"One entry for each signature: the most certain first, then the most frequent. A\n"
	"signature is what makes two findings the same bug; xstep diff --help explains it,\n"
	"and the basis. The smallest program that shows it stands for it.\n"
	"\n"
	"Where causes are known (xstep campaign run --reduce --culprit), there is one entry\n"
	"for each bug, with culprit, versions and reduced source. Two signatures are one bug\n"
	"if the same party is wrong, and either the oracle, the words before the features in\n"
	"brackets, and the culprit are the same, or the reduced sources are the same text but\n"
	"for blanks. Paths are those in DIR.\n"
	"\n"
	"What is reported already is marked `known`. A line of a --known file is\n"
	"PATTERN | REFERENCE | NOTE; xstep diff --help explains it.\n"
	"\n"
	"JSON:\n"
	"\t{\"signatures\": [{id, signature, basis, wrong, oracle, count, programs,\n"
	"\tbuilds, compilers, known, exemplar: {program, origin, size, compiler,\n"
	"\tlevel, finding}, reduced: {outcome, reason, file, lines, bytes, seconds},\n"
	"\tculprit: {outcome, reason, name, where, seconds}}],\n"
	"\t\"bugs\": [{id, signature, basis, wrong, oracle, compilers, known,\n"
	"\tsignatures: [ID], count, culprit, where, file, lines, bytes, folder}],\n"
	"\t\"gone\": [...]}\n"
	"`reduced` and `culprit` are null if nobody looked. `where` is {KIND: {END: [NAME]}}:\n"
	"at which levels, with which debug options, compilers and debuggers it was found, and\n"
	"is gone.\n"
	"With --new there are, too, `gone`, and\n"
	"\t\"changes\": [{change, id, signature, oracle, compiler, level, before, now}],\n"
	"\t\"versions\": [{tool, before, now}], \"programs\": {before, now}\n"
	"for all builds with other counts of findings: they came, are gone, more, fewer, or\n"
	"unasked: one of the campaigns has not asked that oracle about such a build. Builds\n"
	"are the same by the compiler's name and the level. `versions` has tools that differ.\n"
	"\n"
	"Exit status:\n"
	"  0  none\n"
	"  1  at least one; with --new, one that the older campaign has not\n"
	"  2  trouble\n";

static const char show_details[] =
	"The signature, its first and its smallest case, in which builds it was found how\n"
	"often, and what other oracles found at the same line and variable of the same\n"
	"builds. The beginning of an ID is enough.\n"
	"\n"
	"JSON:\n"
	"\tan entry of xstep campaign findings, with\n"
	"\t\"exemplars\": [{which, program, origin, size, flags, compiler, level, oracle,\n"
	"\tfinding, function, line, variable, report}],\n"
	"\t\"cells\": [{compiler, level, findings, programs}],\n"
	"\t\"linked\": [{oracle, signature, id, places}]\n"
	"\n"
	"Exit status:\n"
	"  1  it is shown\n"
	"  2  trouble\n";

static const char export_details[] =
	"May be asked while the campaign runs. Tables:\n"
	"  options     what the campaign is about; versions has the compilers and debuggers\n"
	"  totals      of all\n"
	"  left_out    why programs were left out\n"
	"  programs    each program: what came of it (not in Markdown)\n"
	"  builds      by compiler and level\n"
	"  oracles     what each found; results has the same by compiler and level\n"
	"  failed      jobs that failed, or were not asked\n"
	"  figures     what oracles counted, summed\n"
	"  stages      seconds for making and filtering programs, for building, by oracle\n"
	"  signatures  with the first and the smallest program\n"
	"  causes      what came of --reduce and --culprit, by signature\n"
	"  cells       signatures by compiler and level\n"
	"\n"
	"JSON:\n"
	"\t{\"xstep\", \"options\": [{option, value}], \"versions\": [{tool, version}], ...}\n"
	"\tand so on for all tables but cells. In it, a signature has\n"
	"\t\"exemplars\" and \"cells\", as in xstep campaign show --format json\n"
	"\n"
	"Fields of CSV are quoted as RFC 4180 has it. A text that a spreadsheet would take for\n"
	"a formula has an apostrophe before it. Single findings are in campaign.db.\n"
	"\n"
	"HTML is one file to look at in a browser: a heat map of signatures by compiler and\n"
	"level, each with a case; with --since, what came and went, and trends.\n"
	"\n"
	"Exit status:\n"
	"  0  done\n"
	"  2  trouble\n";

const struct cli_command cli_campaign_status_command = {
	.name = "campaign status",
	.operands = "DIR",
	.summary = "Tell how far a campaign is",
	.details = status_details,
	.options = status_options,
	.run = cmd_status,
	.paged = true,
};

const struct cli_command cli_campaign_findings_command = {
	.name = "campaign findings",
	.operands = "DIR",
	.summary = "List what a campaign found, each signature once",
	.details = findings_details,
	.options = findings_options,
	.run = cmd_findings,
	.paged = true,
};

const struct cli_command cli_campaign_show_command = {
	.name = "campaign show",
	.operands = "DIR ID",
	.summary = "Show one signature of a campaign, with its cases",
	.details = show_details,
	.options = show_options,
	.run = cmd_show,
	.paged = true,
};

const struct cli_command cli_campaign_export_command = {
	.name = "campaign export",
	.operands = "DIR",
	.summary = "Write a campaign's results as JSON, as tables or as a page",
	.details = export_details,
	.options = export_options,
	.run = cmd_export,
};
