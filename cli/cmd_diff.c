/* cmd_diff.c - xstep diff: where debuggers do not agree, who is wrong, and why. */
#include <signal.h>

#include <jansson.h>

#include "cli/commands.h"
#include "cli/report/finding.h"
#include "cli/record.h"
#include "cli/report/bundle.h"
#include "oracle/judge/against.h"

/* In the order of the words in the table. */
enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_SARIF, FORMAT_JUNIT };

struct options {
	struct cli_record record;
	struct cli_strings traces;
	struct cli_finding_wishes wishes;
	const char *report, *build, *against;
	bool presentation;
};

#define FIELD(name) offsetof(struct options, name)

static const struct cli_option options[] = {
	{"What to compare", "witness", 0, CLI_STRING, "WHO[,WHO...]",
		"who is asked: xstep, gdb, lldb, gdb@PATH, lldb@PATH, gdb:print, lldb:expression "
		"(xstep,gdb,lldb)",
		FIELD(record.witness)},
	{"What to compare", "gdb", 0, CLI_STRING, "PATH", "the gdb to ask (found on PATH)",
		FIELD(record.gdb)},
	{"What to compare", "lldb", 0, CLI_STRING, "PATH",
		"the lldb to ask (the newest on PATH that can be)", FIELD(record.lldb)},
	{"What to compare", "trace", 0, CLI_STRINGS, "N",
		"of FILE.db: this trace; may be repeated (the last of each witness)",
		FIELD(traces)},
	{"What to compare", "against", 0, CLI_STRING, "OTHER",
		"an unoptimised build of the same source: values that it never has on the same "
		"line are "
		"the compiler's mistake",
		FIELD(against)},
	{"What to compare", "from", 0, CLI_STRING, "PLACE",
		"begin at the first call of a FUNCTION, or where FILE:LINE is first arrived at, "
		"and end "
		"when that call returns (main)",
		FIELD(record.from)},
	{"What to compare", "limit", 0, CLI_COUNT, "N", "end the program after N stops (no limit)",
		FIELD(record.limit)},
	{"What to compare", "max-leaves", 0, CLI_COUNT, "N",
		"compare at most N leaves of a variable (4096)", FIELD(record.max_leaves)},
	{"What to compare", "mode", 0, CLI_CHOICE, "exact|single|unique",
		"how xstep runs the program: see xstep trace --help; unique: each transition once, "
		"for programs that run long (exact)",
		FIELD(record.mode)},
	{"What to compare", "sample", 0, CLI_CHOICE, "none|all|unique|dtd",
		"at which stops: see xstep trace --help (dtd)", FIELD(record.sample)},
	{"What to compare", "seed", 0, CLI_NUMBER, "N", "of dtd's choice (0)", FIELD(record.seed)},
	{"What to compare", "drive", 0, CLI_CHOICE, "auto|shared|native",
		"debuggers look at the process that xstep holds; or each runs one of its own "
		"(auto: shared, if xstep is asked and every step is an instruction)",
		FIELD(record.drive)},
	{"What to compare", "repeat", 0, CLI_COUNT, "N",
		"2: run each debugger twice and set aside what differs between its runs (2 if "
		"values differ for no known reason)",
		FIELD(record.repeat)},
	{"What to compare", "no-plan", 0, CLI_FLAG, NULL,
		"have each debugger step by itself; else it is brought to the stops that xstep "
		"foretells, by breakpoints where that is faster",
		FIELD(record.no_plan)},
	{"What to compare", "patience", 0, CLI_SECONDS, "S",
		"give a debugger up that shows no sign of life for S seconds (60)",
		FIELD(record.patience)},

	CLI_PROGRAM_OPTIONS(struct options, record.program),

	{"Output", "output", 'o', CLI_STRING, "FILE.db",
		"keep the traces in this store (a temporary one)", FIELD(record.output)},
	CLI_FINDING_OPTIONS(struct options, wishes, "discrepancy"),
	{"Output", "presentation", 0, CLI_FLAG, NULL,
		"list differences in presentation, too (they are counted)", FIELD(presentation)},
	{"Output", "report", 0, CLI_STRING, "DIR",
		"write a bundle for each cluster that can be filed upstream, with scripts that "
		"show it "
		"without xstep",
		FIELD(report)},
	{"Output", "build", 0, CLI_STRING, "COMMAND",
		"how PROGRAM was built, for --report: run again in this directory to keep the "
		"compiler's .i and .s",
		FIELD(build)},
	{"Output", "quiet", 'q', CLI_FLAG, NULL, "no line of progress on the terminal",
		FIELD(record.quiet)},
	{0},
};

static const char details[] =
	"xstep diff PROGRAM has every witness run the program and compares what they say at the "
	"same\n"
	"stops; xstep diff FILE.db compares traces that are stored. Each discrepancy gets a "
	"verdict: who is\n"
	"wrong (witnesses, or the producer of the DWARF), the kind (a lie: a wrong value; a loss: "
	"declines\n"
	"what the DWARF gives; extra: shows what is not there) and the basis (evidence: the DWARF "
	"decides;\n"
	"majority: it does not). Groups are those of the DTD paper: G1 lost in gdb, G2 shown by "
	"lldb out\n"
	"of scope, G3 lost in lldb, G4 shown by gdb out of scope, G5 values differ, G6 control "
	"facts\n"
	"differ (line table, frames, stops; presentation is only counted); X: xstep itself.\n"
	"Discrepancies with the same signature are one cluster; the first stands for the others.\n"
	"\n"
	"--against asks who lies, compiler or debugger: xstep runs the other build, too, and what "
	"the DWARF\n"
	"of PROGRAM gives a variable on arrival at a line must be a value that it has there in the "
	"other build\n"
	"(at the same arrival, if both come there equally often). What is not is the producer's "
	"mistake.\n"
	"Stored traces of two builds (--trace OPTIMISED --trace OTHER, both with --sample all) are "
	"compared so.\n"
	"\n"
	"JSON: "
	"{\"subject\",\"witnesses\":[{witness,version,trace}],\"summary\",\"clusters\":[{signature,"
	"count,\n"
	"stops,first,known}],\"discrepancies\":[{id,stop:{number,prev,pc,n,function,file,line},"
	"aspect,group,\n"
	"kind,path,var,decl,scope,frame,frame_pc,type,facts:{WITNESS:{state,value,message}},wrong,"
	"basis,reason,\n"
	"signature,known,features,evidence,times,stops,other}]}; other: values in the other build, "
	"or null.\n"
	"\n"
	"--report DIR makes a folder for the first finding of each cluster: report.md to read, the "
	"program\n"
	"and its sources, sessions with gdb and lldb, the working behind the verdict, the code "
	"with its line\n"
	"rows, and check_gdb.py and check_lldb.py, which take the path of a debugger and exit with "
	"1 while the\n"
	"bug is there, 0 once it is not, 125 if that cannot be found out: made for git bisect "
	"run.\n"
	"A file for --known has lines PATTERN | REFERENCE | NOTE; patterns are matched against "
	"each\n"
	"WHO:WHY of a signature, or against all of it.\n"
	"\n"
	"Exit status: 0 no discrepancy, 1 some, 2 trouble (also if a witness failed; what was "
	"found is\n"
	"printed all the same).\n";

/* --- which traces ----------------------------------------------------------------------------- */

/* The traces that --trace names, or the last one of each witness and version. */
static struct xs_error *choose(const struct options *values, const char *path,
	const struct ora_trace_list *list, struct cli_findings *ret)
{
	for (size_t i = 0; i < values->traces.vec.len; i++) {
		char *end;
		uint64_t id = strtoull(values->traces.vec.data[i], &end, 10);
		const struct ora_trace_info *found = NULL;
		for (size_t k = 0; !*end && k < list->vec.len; k++)
			if (list->vec.data[k].id == id)
				found = &list->vec.data[k];
		if (!found)
			return xs_error_create("%s: no trace %s; xstep show --list lists them",
				path, values->traces.vec.data[i]);
		if (ret->count == ORA_COMPARE_MAX)
			return xs_error_create("--trace: at most %d", ORA_COMPARE_MAX);
		ret->traces[ret->count++] = found;
	}
	for (size_t i = list->vec.len; !values->traces.vec.len && i-- > 0;) {
		const struct ora_trace_info *one = &list->vec.data[i];
		/* Of the last subject only. */
		bool wanted =
			!strcmp(one->subject.hash, list->vec.data[list->vec.len - 1].subject.hash);
		size_t same = ret->count;
		for (size_t k = 0; k < ret->count; k++)
			if (!strcmp(ret->traces[k]->trace.witness, one->trace.witness) &&
				!strcmp(ret->traces[k]->trace.version, one->trace.version))
				same = k;
		if (wanted && same == ret->count && ret->count < ORA_COMPARE_MAX)
			ret->traces[ret->count++] = one;
	}
	/* xstep leads if it is there. */
	for (size_t i = 1; i < ret->count && strcmp(ret->traces[0]->trace.witness, "xstep") != 0;
		i++)
		if (!strcmp(ret->traces[i]->trace.witness, "xstep")) {
			const struct ora_trace_info *own = ret->traces[i];
			memmove(ret->traces + 1, ret->traces, i * sizeof *ret->traces);
			ret->traces[0] = own;
			break;
		}
	if (!values->traces.vec.len && ret->count > 2 &&
		!strcmp(ret->traces[0]->trace.witness, "xstep"))
		for (size_t i = 1, k = ret->count - 1; i < k; i++, k--) {
			const struct ora_trace_info *one = ret->traces[i];
			ret->traces[i] = ret->traces[k];
			ret->traces[k] = one;
		}
	return ret->count >= 2 || (values->against && ret->count)
		       ? NULL
		       : xs_error_create(
				 "%s: a comparison takes two traces at least, and there %s %zu",
				 path, ret->count == 1 ? "is" : "are", ret->count);
}

/* --- the comparison --------------------------------------------------------------------------- */

/* Whether two values differ and nothing explains it: then the debuggers are run once more. */
static bool is_doubtful(const struct ora_verdicts *verdicts)
{
	for (size_t i = 0; i < verdicts->findings.len; i++) {
		const struct ora_finding *finding = &verdicts->findings.data[i];
		bool explained = finding->wrong != 0;
		for (size_t w = 0; w < verdicts->comparison->count; w++)
			explained &= !(finding->wrong >> w & 1) || finding->rules[w];
		if (finding->difference->aspect == ORA_ASPECT_VARIABLE &&
			finding->kind == ORA_KIND_LIE && !explained)
			return true;
	}
	return false;
}

/* --- the way to what was found ---------------------------------------------------------------- */

/* The program, and how to get to the stops that are told. */
struct ways {
	struct ora_run run;
	json_t *arguments;        /* words of a stored trace's program, or NULL */
	char **argv;              /* likewise */
	struct ora_route *routes; /* by finding */
};

/* What a stored trace ran. */
static struct xs_error *stored_program(const struct ora_trace_info *trace, struct ways *ways)
{
	ways->arguments = json_loads(trace->trace.arguments, 0, NULL);
	size_t count = json_array_size(ways->arguments);
	if (!count)
		return xs_error_create("trace %" PRIu64 " does not say what was run", trace->id);
	ways->argv = xs_calloc(count + 1, sizeof *ways->argv);
	for (size_t i = 0; i < count; i++)
		ways->argv[i] =
			(char *)(uintptr_t)json_string_value(json_array_get(ways->arguments, i));
	return NULL;
}

/* Runs the program once more to count arrivals. argv NULL: what the stored trace ran. */
static struct xs_error *find_ways(
	struct options *values, char **argv, struct cli_findings *print, struct ways *ways)
{
	const struct ora_verdicts *verdicts = print->verdicts;
	const struct ora_trace_info *leader = print->traces[0];
	XS_VEC(uint64_t) numbers = {0};
	XS_VEC(size_t) whose = {0};
	struct xs_error *err = NULL;
	if (strcmp(leader->trace.level, "instruction") != 0)
		return xs_error_create("trace %" PRIu64
				       " was stepped by %s: nobody but its witness "
				       "knows the way to a stop",
			leader->id, leader->trace.level);
	if (leader->trace.mode && !strcmp(leader->trace.mode, "unique"))
		return xs_error_create("trace %" PRIu64
				       " was made with --mode unique, which does not "
				       "count how often a place is arrived at: use --mode exact",
			leader->id);
	ways->routes = xs_calloc(verdicts->findings.len + 1, sizeof *ways->routes);
	for (size_t i = 0; i < verdicts->findings.len; i++)
		if (cli_finding_is_told(print, i) &&
			verdicts->findings.data[i].difference->aspect != ORA_ASPECT_STOPS) {
			xs_vec_push(&numbers, verdicts->findings.data[i].difference->number);
			xs_vec_push(&whose, i);
		}
	struct ora_route *found = xs_calloc(numbers.len + 1, sizeof *found);
	if (!argv)
		err = stored_program(leader, ways);
	const char *out = values->record.program.out;
	values->record.program.out = "/dev/null";
	if (!err && !(err = cli_program_prepare(
			      &values->record.program, argv ? argv : ways->argv, &ways->run)))
		err = ora_routes_find(
			&ways->run, leader->trace.from, numbers.data, numbers.len, found);
	values->record.program.out = out;
	for (size_t i = 0; !err && i < whose.len; i++)
		ways->routes[whose.data[i]] = found[i];
	if (!err) {
		print->run = &ways->run;
		print->routes = ways->routes;
	}
	free(found);
	xs_vec_deinit(&numbers);
	xs_vec_deinit(&whose);
	return err;
}

static void ways_deinit(struct ways *ways, struct cli_program *program)
{
	ora_run_deinit(&ways->run);
	cli_program_release(program);
	free(ways->routes);
	free(ways->argv);
	json_decref(ways->arguments);
}

/* Prints what was found, and writes the report. */
static struct xs_error *tell(struct options *values, char **argv, struct cli_findings *print)
{
	struct cli_bundle report = {.folder = values->report,
		.build = values->build,
		.program = &values->record.program,
		.gdb = values->record.gdb,
		.lldb = values->record.lldb};
	struct ways ways = {0};
	char *program = argv ? argv[0] : NULL;
	struct xs_error *err = NULL;
	/* A stored program is run only if that is asked for. */
	if (values->report || (argv && values->wishes.format == FORMAT_TEXT))
		err = find_ways(values, argv, print, &ways);
	if (err && !values->report) {
		xs_error_destroy(err); /* it is told without the way */
		err = NULL;
	}
	if (!err)
		err = cli_findings_formats[values->wishes.format](print);
	if (!err && values->report)
		err = cli_bundle_write(&report, print);
	ways_deinit(&ways, &values->record.program);
	if (argv)
		argv[0] = program;
	return err;
}

/* --- two builds ------------------------------------------------------------------------------- */

/* Has xstep alone trace a program, every stop, into the store; *id is the trace. */
static struct xs_error *record_build(
	const struct options *values, char **argv, const char *path, uint64_t *id, bool *trouble)
{
	struct cli_record record = values->record;
	struct ora_recording recording = {0};
	record.witness = "xstep";
	record.output = path;
	record.sample = CLI_SAMPLE_ALL;
	record.repeat = 0;
	struct xs_error *err = cli_record_witnesses(&record, argv, &recording, trouble);
	ora_recording_deinit(&recording);
	XS_AUTO(ora_store) store = NULL;
	struct ora_trace_list list = {0};
	if (!err && !(err = ora_store_open(path, ORA_STORE_READ, &store)) &&
		!(err = ora_store_traces(store, &list)) && list.vec.len)
		*id = list.vec.data[list.vec.len - 1].id;
	ora_trace_list_deinit(&list);
	return err;
}

/* Both builds, before everything else: the last trace of a witness is the one that is compared. */
static struct xs_error *record_builds(
	struct options *values, char **argv, const char *path, uint64_t builds[2], bool *trouble)
{
	char *program = argv[0];
	if (!values->against)
		return NULL;
	argv[0] = (char *)(uintptr_t)values->against;
	struct xs_error *err = record_build(values, argv, path, &builds[1], trouble);
	argv[0] = program;
	return err ? err : record_build(values, argv, path, &builds[0], trouble);
}

/* Compares by line: what was recorded for --against, or stored traces of two builds. */
static struct xs_error *compare_builds(struct ora_comparison *comparison,
	const struct cli_findings *print, const uint64_t builds[2])
{
	const struct ora_trace_info *first = print->traces[0], *second = print->traces[1];
	if (builds[0])
		return ora_against(comparison, 0, builds[0], builds[1], print->verdicts->subject);
	for (size_t i = 0; i < 2; i++)
		if (strcmp(print->traces[i]->trace.sample, "all") != 0)
			return xs_error_create(
				"traces %" PRIu64 " and %" PRIu64
				" are of different programs, %s and %s, and compared "
				"by line: both need --sample all",
				first->id, second->id, first->subject.path, second->subject.path);
	comparison->stops = first->sampled;
	return ora_against(comparison, 0, first->id, second->id, first->subject.path);
}

/* Two stored traces of different programs. */
static bool are_builds(const struct cli_findings *print)
{
	return print->count == 2 &&
	       strcmp(print->traces[0]->subject.hash, print->traces[1]->subject.hash) != 0;
}

/* Compares what is in a store and prints it; argv is the program that was run for it, or NULL.
 * *found: there is something to tell; *incomplete: of the traces. With `again`, nothing is printed
 * if another run may tell more, and that is said there. */
static struct xs_error *compare(struct options *values, char **argv, const char *path, bool keep,
	const uint64_t builds[2], bool *found, bool *incomplete, bool *again)
{
	XS_AUTO(ora_store) store = NULL;
	struct ora_trace_list list = {0};
	struct ora_comparison comparison = {0};
	struct ora_verdicts verdicts = {.comparison = &comparison};
	struct cli_findings print = {.out = stdout,
		.path = keep ? path : NULL,
		.only_new = values->wishes.only_new,
		.presentation = values->presentation,
		.all = values->wishes.all,
		.verdicts = &verdicts,
		.command = "diff",
		.one = "discrepancy",
		.many = "discrepancies"};
	struct xs_error *err;
	if (!(err = ora_store_open(path, ORA_STORE_READ, &store)) &&
		!(err = ora_store_traces(store, &list)) &&
		!(err = choose(values, path, &list, &print))) {
		comparison.store = print.store = store;
		comparison.count = print.count;
		for (size_t i = 0; i < print.count; i++) {
			comparison.traces[i] = print.traces[i]->id;
			verdicts.witnesses[i] = print.traces[i]->trace.witness;
		}
		verdicts.subject = print.traces[0]->subject.path;
		if (!are_builds(&print))
			err = ora_compare(&comparison);
		if (!err && (builds[0] || are_builds(&print)))
			err = compare_builds(&comparison, &print, builds);
		err = err ? xs_error_context(err, "%s", path) : NULL;
	}
	if (!err) {
		ora_judge(&verdicts);
		err = cli_findings_known(&print, &values->wishes.known);
	}
	if (!err) {
		for (size_t i = 0; i < print.count; i++)
			*incomplete |= print.traces[i]->end.trouble != NULL;
		if (again && is_doubtful(&verdicts))
			*again = true;
		else
			err = tell(values, argv, &print);
		*found = print.shown > 0;
	}
	ora_verdicts_deinit(&verdicts);
	ora_comparison_deinit(&comparison);
	ora_trace_list_deinit(&list);
	if (!err && (fflush(stdout) || ferror(stdout)))
		err = xs_error_sys("standard output");
	return err;
}

/* --- the command ------------------------------------------------------------------------------ */

/* Has everybody run the program, then compares. */
static struct xs_error *run(struct options *values, char **argv, struct ora_recording *recording,
	bool *found, bool *trouble)
{
	char folder[] = "/tmp/xstep-diff-XXXXXX";
	bool keep = values->record.output != NULL;
	XS_AUTO_FREE char *path = NULL;
	if (keep && !ora_store_is_meant(values->record.output))
		return xs_error_create("-o %s: traces are kept in a store, FILE.db or FILE.sqlite",
			values->record.output);
	if (!keep && !mkdtemp(folder))
		return xs_error_sys("%s", folder);
	path = keep ? xs_strdup(values->record.output) : xs_asprintf("%s/traces.db", folder);
	values->record.output = path;
	if (!values->record.witness)
		values->record.witness = "xstep,gdb,lldb";
	bool again = false, sure = values->record.repeat != 0;
	uint64_t builds[2] = {0};
	struct xs_error *err = record_builds(values, argv, path, builds, trouble);
	if (!err)
		err = cli_record_witnesses(&values->record, argv, recording, trouble);
	if (!err && !recording->interrupted_by)
		/* Where all look at one process nothing differs but the debuggers. */
		err = compare(values, argv, path, keep, builds, found, trouble,
			sure || values->record.drive == CLI_DRIVE_SHARED ? NULL : &again);
	if (!err && again) {
		values->record.repeat = 2;
		ora_recording_deinit(recording);
		*recording = (struct ora_recording){0};
		if (!(err = cli_record_witnesses(&values->record, argv, recording, trouble)) &&
			!recording->interrupted_by)
			err = compare(values, argv, path, keep, builds, found, trouble, NULL);
	}
	if (!keep) {
		unlink(path);
		rmdir(folder);
	}
	return err;
}

static int cmd_diff(int argc, char **argv)
{
	struct options values = {.record = CLI_RECORD_INIT};
	struct ora_recording recording = {0};
	int first = 0;
	bool help = false, found = false, trouble = false;
	struct xs_error *err = cli_parse(&cli_diff, argc, argv, &values, &first, &help);
	if (!err && help)
		cli_print_help(&cli_diff, stdout);
	else if (!err && first >= argc)
		err = xs_error_create("diff: no program or trace store; see xstep diff --help");
	else if (!err && ora_store_is_meant(argv[first]) && values.against)
		err = xs_error_create(
			"--against: goes with a program; of a store, name the traces of both "
			"builds with --trace");
	else if (!err && ora_store_is_meant(argv[first]))
		err = first + 1 < argc
			      ? xs_error_create("diff: %s: one store at a time; xstep store "
						"merge makes one of several",
					argv[first + 1])
			      : compare(&values, NULL, argv[first], true, (uint64_t[2]){0}, &found,
					&trouble, NULL);
	else if (!err && values.traces.vec.len)
		err = xs_error_create("--trace: %s is not a trace store", argv[first]);
	else if (!err)
		err = run(&values, argv + first, &recording, &found, &trouble);
	int signal = recording.interrupted_by;
	ora_recording_deinit(&recording);
	cli_program_deinit(&values.record.program);
	xs_vec_deinit(&values.traces.vec);
	xs_vec_deinit(&values.wishes.known.vec);
	int status = err ? cli_fail(err) : trouble ? CLI_TROUBLE : found ? CLI_FOUND : CLI_NOTHING;
	/* Whoever sent it expects us to die of it. */
	if (signal && signal != SIGALRM)
		raise(signal);
	return status;
}

const struct cli_command cli_diff = {
	.name = "diff",
	.operands = "PROGRAM [ARG...] | FILE.db",
	.summary = "Compare what debuggers say of a program: who is wrong, where and why",
	.details = details,
	.options = options,
	.run = cmd_diff,
};
