#include "cli/check.h"

#include <signal.h>

#include "base/path.h"
#include "dwarf/leaf.h"
#include "oracle/store/identity.h"
#include "oracle/witness/own/start.h"
#include "oracle/witness/witness.h"

/* --- which traces there are ------------------------------------------------------------------- */

static struct xs_error *open_path(struct cli_check *check)
{
	const char *output = check->record.output;
	if (check->path)
		return NULL;
	if (output && !ora_store_is_meant(output))
		return xs_error_create(
			"-o %s: traces are kept in a store, FILE.db or FILE.sqlite", output);
	strcpy(check->folder, output ? "" : "/tmp/xstep-check-XXXXXX");
	if (!output && !mkdtemp(check->folder))
		return xs_error_sys("%s", check->folder);
	if (!output)
		ora_store_be_fleeting();
	check->path = output ? xs_strdup(output) : xs_asprintf("%s/traces.db", check->folder);
	return NULL;
}

static struct xs_error *list_traces(struct cli_check *check)
{
	ora_trace_list_deinit(&check->list);
	check->list = (struct ora_trace_list){0};
	if (access(check->path, F_OK)) /* nothing was recorded yet */
		return NULL;
	XS_AUTO(ora_store) store = NULL;
	struct xs_error *err = ora_store_open(check->path, ORA_STORE_READ, &store);
	return err ? err : ora_store_traces(store, &check->list);
}

static bool is_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* Whether a trace was made with these arguments; argv[0] may be written otherwise. */
static bool has_arguments(const char *json, char **argv)
{
	json_t *list = json_loads(json, 0, NULL);
	size_t count = 0;
	bool same = true;
	while (argv[count])
		count++;
	same = json_array_size(list) == count;
	for (size_t i = 1; same && i < count; i++)
		same = is_text(json_string_value(json_array_get(list, i)), argv[i]);
	json_decref(list);
	return same;
}

static const char *const levels[] = {"instruction", "line", "break"};
static const char *const samples[] = {"none", "all", "unique", "dtd"};

/* The last complete trace that will do; 0: none. */
static uint64_t find_trace(const struct cli_check *check, char **argv, const char *hash,
	const char *witness, const char *version, const struct cli_check_need *need)
{
	const struct cli_record *record = &check->record;
	uint64_t most = record->max_leaves ? record->max_leaves : DI_LEAF_MAX;
	/* What the program reads is not kept. */
	if (check->fresh || record->program.in || record->program.environment.vec.len)
		return 0;
	for (size_t i = check->list.vec.len; i-- > 0;) {
		const struct ora_trace_info *one = &check->list.vec.data[i];
		const struct ora_store_trace *trace = &one->trace;
		if (one->end.complete && !one->end.trouble && trace->frames &&
			!strcmp(one->subject.hash, hash) && !strcmp(trace->witness, witness) &&
			!strcmp(trace->version, version) &&
			!strcmp(trace->level, levels[need->level]) &&
			!strcmp(trace->sample, samples[need->sample]) &&
			trace->seed == record->seed && is_text(trace->from, record->from) &&
			strcmp(trace->vars, "none") != 0 && trace->max_leaves == most &&
			has_arguments(trace->arguments, argv))
			return one->id;
	}
	return 0;
}

/* --- recording -------------------------------------------------------------------------------- */

/* The newest trace, if it is of this witness; 0: it could not tell anything. */
static uint64_t last_trace(const struct cli_check *check, const char *witness, uint64_t before)
{
	const struct ora_trace_list *list = &check->list;
	const struct ora_trace_info *last =
		list->vec.len ? &list->vec.data[list->vec.len - 1] : NULL;
	return last && last->id > before && !strcmp(last->trace.witness, witness) ? last->id : 0;
}

static struct xs_error *record(struct cli_check *check, char **argv, const char *word,
	const struct ora_witness *witness, const struct cli_check_need *need, uint64_t *ret)
{
	const struct ora_trace_list *list = &check->list;
	uint64_t before = list->vec.len ? list->vec.data[list->vec.len - 1].id : 0;
	struct cli_record one = check->record;
	struct ora_recording recording = {0};
	one.witness = word;
	one.output = check->path;
	one.level = need->level;
	one.sample = need->sample;
	one.vars = CLI_VARS_LOCALS;
	one.frames = true;
	/* What takes xstep's word for where instructions are executed says the same, sooner. */
	one.plan = witness->kind != ORA_WITNESS_XSTEP && need->level == ORA_LEVEL_INSTRUCTION;
	struct xs_error *err = cli_record_witnesses(&one, argv, &recording, &check->trouble);
	check->signal = recording.interrupted_by;
	ora_recording_deinit(&recording);
	if (!err)
		err = list_traces(check);
	*ret = last_trace(check, ora_witness_name(witness->kind), before);
	return err;
}

struct xs_error *cli_check_trace(
	struct cli_check *check, char **argv, const struct cli_check_need *needs, size_t count)
{
	XS_AUTO_FREE char *hash = NULL;
	if (!check->record.witness)
		check->record.witness = "xstep";
	XS_AUTO_FREE char *words = xs_strdup(check->record.witness);
	struct xs_error *err;
	size_t number = 0;
	if ((err = ora_hash_file(argv[0], &hash)) || (err = open_path(check)) ||
		(err = list_traces(check)))
		return err;
	for (char *rest = words, *word; (word = strsep(&rest, ",")); number++) {
		struct ora_witness witness;
		const char *path =
			!strncmp(word, "gdb", 3) ? check->record.gdb : check->record.lldb;
		if ((err = ora_witness_named(word, path, &witness)))
			return err;
		const char *name = ora_witness_name(witness.kind);
		const char *version = witness.kind == ORA_WITNESS_XSTEP ? XSTEP_VERSION
				      : witness.version                 ? witness.version
									: "";
		for (size_t i = 0; !err && i < count && !check->signal; i++) {
			struct cli_check_trace one = {.role = needs[i].role,
				.witness = number,
				.program = check->program};
			one.id = find_trace(check, argv, hash, name, version, &needs[i]);
			if (!one.id)
				err = record(check, argv, word, &witness, &needs[i], &one.id);
			if (!err && one.id)
				xs_vec_push(&check->found, one);
		}
		ora_witness_deinit(&witness);
		if (err)
			return err;
	}
	return check->signal ? xs_error_create("interrupted") : NULL;
}

struct xs_error *cli_check_named(
	struct cli_check *check, const char *path, const struct cli_check_need *needs, size_t count)
{
	struct xs_error *err;
	check->path = xs_strdup(path);
	if (access(path, R_OK))
		return xs_error_sys("%s", path);
	if ((err = list_traces(check)))
		return err;
	if (!check->traces.vec.len || check->traces.vec.len % count)
		return xs_error_create("%s: --trace names the traces to look at, %zu for each "
				       "witness; xstep show --list lists them",
			path, count);
	for (size_t i = 0; i < check->traces.vec.len; i++) {
		const char *word = check->traces.vec.data[i];
		char *end;
		struct cli_check_trace one = {.role = needs[i % count].role, .witness = i / count};
		uint64_t id = strtoull(word, &end, 10);
		const struct ora_trace_info *found = NULL;
		for (size_t k = 0; !*end && k < check->list.vec.len; k++)
			if (check->list.vec.data[k].id == id)
				found = &check->list.vec.data[k];
		if (!found)
			return xs_error_create(
				"%s: no trace %s; xstep show --list lists them", path, word);
		if (strcmp(found->trace.level, levels[needs[i % count].level]) != 0)
			return xs_error_create("%s: trace %s is by %s, and %s takes one by %s",
				path, word, found->trace.level, one.role,
				levels[needs[i % count].level]);
		if (!found->trace.frames || !strcmp(found->trace.vars, "none"))
			return xs_error_create(
				"%s: trace %s has no variables or no frames", path, word);
		one.id = id;
		xs_vec_push(&check->found, one);
	}
	return NULL;
}

/* --- checking --------------------------------------------------------------------------------- */

static const struct ora_trace_info *info_of(const struct cli_check *check, uint64_t id)
{
	for (size_t i = 0; i < check->list.vec.len; i++)
		if (check->list.vec.data[i].id == id)
			return &check->list.vec.data[i];
	return NULL;
}

/* Adds the traces of one witness, if it has all, and all are complete. */
static struct xs_error *add_witness(struct cli_check *check, size_t witness,
	const struct cli_check_need *needs, size_t count, const char *subject)
{
	struct ora_check *to = &check->check;
	size_t begin = to->count;
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < check->found.len; k++) {
			const struct cli_check_trace *one = &check->found.data[k];
			const struct ora_trace_info *info = info_of(check, one->id);
			if (one->witness != witness || one->program != check->program ||
				strcmp(one->role, needs[i].role) != 0)
				continue;
			if (!info->end.complete || info->end.trouble) {
				fprintf(stderr, "xstep: %s: its trace of %s is incomplete%s%s\n",
					info->trace.witness, info->subject.path,
					info->end.trouble ? ": " : "",
					info->end.trouble ? info->end.trouble : "");
				check->trouble = true;
				continue;
			}
			if (to->count == ORA_COMPARE_MAX)
				return xs_error_create(
					"too many traces: at most %d", ORA_COMPARE_MAX);
			if (!strcmp(one->role, subject))
				to->subject = info->subject.path;
			to->roles[to->count] = one->role;
			to->traces[to->count++] = info;
			break;
		}
	if (to->count != begin + count)
		to->count = begin;
	return NULL;
}

/* Adds all witnesses. */
static struct xs_error *add_witnesses(struct cli_check *check, const struct cli_check_need *needs,
	size_t count, const char *subject)
{
	size_t witnesses = 0;
	struct xs_error *err = NULL;
	check->check.count = 0;
	for (size_t i = 0; i < check->found.len; i++)
		if (check->found.data[i].witness >= witnesses)
			witnesses = check->found.data[i].witness + 1;
	for (size_t i = 0; !err && i < witnesses; i++)
		err = add_witness(check, i, needs, count, subject);
	return err;
}

struct xs_error *cli_check_turn(struct cli_check *check, const struct cli_check_need *needs,
	size_t count, size_t program, bool *whole)
{
	size_t before = check->check.count;
	check->program = program;
	struct xs_error *err = add_witnesses(check, needs, count, "");
	*whole = check->check.count == before;
	for (size_t i = 0; i < check->check.count; i++)
		check->check.comparison.traces[i] = check->check.traces[i]->id;
	return err;
}

struct xs_error *cli_check_begin(struct cli_check *check, const struct cli_check_need *needs,
	size_t count, const char *subject)
{
	struct xs_error *err;
	if (check->found.len && (err = ora_store_open(check->path, ORA_STORE_READ, &check->store)))
		return err;
	if ((err = add_witnesses(check, needs, count, subject)))
		return err;
	if (!check->check.count)
		return xs_error_create("no witness told all that is needed");
	check->check.store = check->store;
	ora_check_begin(&check->check);
	return NULL;
}

/* --- the report ------------------------------------------------------------------------------- */

void cli_check_word(struct cli_check *check, const char *word)
{
	if (word)
		xs_vec_push(&check->words, xs_strdup(word));
}

void cli_check_words(struct cli_check *check, const char *name)
{
	const struct cli_record *record = &check->record;
	const char *words[] = {"check", name, "--format", "json", "--quiet", "--witness",
		record->witness ? record->witness : "xstep", record->from ? "--from" : NULL,
		record->from, record->program.in ? "--stdin" : NULL,
		record->program.in ? "stdin" : NULL};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		cli_check_word(check, words[i]);
	for (size_t i = 0; i < record->program.environment.vec.len; i++) {
		cli_check_word(check, "--env");
		cli_check_word(check, record->program.environment.vec.data[i]);
	}
}

void cli_check_file(struct cli_check *check, const char *path, const char *folder)
{
	struct cli_bundle_file file = {.from = xs_strdup(path),
		.to = xs_asprintf(
			"%s%s%s", folder ? folder : "", folder ? "/" : "", xs_base_name(path))};
	xs_vec_push(&check->files, file);
	cli_check_word(check, file.to);
}

void cli_check_subject(struct cli_check *check, char **argv)
{
	check->argv = argv;
	cli_check_word(check, xs_base_name(argv[0]));
	for (size_t i = 1; argv[i]; i++)
		cli_check_word(check, argv[i]);
}

/* The ways to what a trace shows. One by line or by breakpoints stops at a place almost whenever it
 * is arrived at: its stops there are counted. */
static struct xs_error *count_ways(
	const struct cli_check *check, size_t trace, struct ora_route route, struct ora_route *ret)
{
	const struct ora_verdicts *verdicts = &check->check.verdicts;
	XS_AUTO(ora_reader) reader = NULL;
	const struct ora_told *told = NULL;
	struct xs_map arrivals = {0};
	struct xs_error *err =
		ora_reader_create(check->store, check->check.traces[trace]->id, &reader);
	while (!err && !(err = ora_reader_next(reader, &told)) && told) {
		xs_addr pc = told->place->address;
		uint64_t count = ++*xs_map_at(&arrivals, pc, 0);
		bool entry = pc + route.bias == route.entry;
		for (size_t i = 0; i < verdicts->findings.len; i++) {
			const struct ora_difference *one = verdicts->findings.data[i].difference;
			if (one->trace != trace || one->number != told->number)
				continue;
			ret[i] = route;
			ret[i].hit = count;
			ret[i].arrivals = count - entry;
			ret[i].place = ret[i].arrivals ? one->pc + route.bias : XS_ADDR_NONE;
		}
	}
	xs_map_deinit(&arrivals);
	return err;
}

static struct xs_error *write_report(struct cli_check *check, struct cli_findings *print)
{
	struct ora_run run = {0};
	struct cli_program *program = &check->record.program;
	const struct di_module *module = print->verdicts->module;
	const char *out = program->out;
	if (!check->argv)
		return xs_error_create("--report: it takes programs, not a trace store");
	if (!module)
		return xs_error_create("--report: %s: cannot be read any more", check->argv[0]);
	xs_vec_push(&check->words, NULL);
	struct cli_bundle report = {.folder = check->report,
		.build = check->build,
		.program = program,
		.gdb = check->record.gdb,
		.lldb = check->record.lldb,
		.words = check->words.data,
		.files = check->files.data,
		.file_count = check->files.len};
	struct ora_route *routes = xs_calloc(print->verdicts->findings.len + 1, sizeof *routes);
	struct ora_route route = {.bias = di_module_base(module) ? 0 : ORA_CHECK_POSITION};
	xs_addr entry = 0;
	uint64_t above;
	char *name = check->argv[0];
	program->out = "/dev/null";
	struct xs_error *err = cli_program_prepare(program, check->argv, &run);
	if (!err && !(err = ora_run_open(&run)) &&
		!(err = ora_start_find(&run, check->record.from, &entry, &above))) {
		route.entry = entry + route.bias;
		for (size_t i = 0; !err && i < check->check.count; i++)
			err = count_ways(check, i, route, routes);
	}
	print->run = &run;
	print->routes = routes;
	if (!err)
		err = cli_bundle_write(&report, print);
	program->out = out;
	ora_run_deinit(&run);
	cli_program_release(program);
	check->argv[0] = name;
	free(routes);
	return err;
}

struct xs_error *cli_check_print(
	struct cli_check *check, const char *command, const char *headline, bool *found)
{
	struct ora_check *from = &check->check;
	struct cli_findings print = {.out = stdout,
		.store = check->store,
		.path = *check->folder ? NULL : check->path,
		.count = from->count,
		.only_new = check->wishes.only_new,
		.all = check->wishes.all,
		.verdicts = &from->verdicts,
		.command = command,
		.one = "violation",
		.many = "violations",
		.headline = headline};
	memcpy(print.traces, from->traces, sizeof print.traces);
	ora_check_judge(from);
	struct xs_error *err = cli_findings_known(&print, &check->wishes.known);
	if (!err)
		err = cli_findings_formats[check->wishes.format](&print);
	if (!err && check->report)
		err = write_report(check, &print);
	if (!err && (fflush(stdout) || ferror(stdout)))
		err = xs_error_sys("standard output");
	*found = print.shown > 0;
	return err;
}

int cli_check_end(struct cli_check *check, struct xs_error *err, bool found)
{
	ora_check_deinit(&check->check);
	ora_store_destroy(check->store);
	ora_trace_list_deinit(&check->list);
	if (check->path && *check->folder) {
		unlink(check->path);
		rmdir(check->folder);
	}
	free(check->path);
	for (size_t i = 0; i < check->words.len; i++)
		free(check->words.data[i]);
	for (size_t i = 0; i < check->files.len; i++) {
		free((char *)(uintptr_t)check->files.data[i].from);
		free((char *)(uintptr_t)check->files.data[i].to);
	}
	xs_vec_deinit(&check->words);
	xs_vec_deinit(&check->files);
	xs_vec_deinit(&check->found);
	cli_program_deinit(&check->record.program);
	xs_vec_deinit(&check->traces.vec);
	xs_vec_deinit(&check->wishes.known.vec);
	int status = err              ? cli_fail(err)
		     : check->trouble ? CLI_TROUBLE
		     : found          ? CLI_FOUND
				      : CLI_NOTHING;
	/* Whoever sent it expects us to die of it. */
	if (check->signal && check->signal != SIGALRM)
		raise(check->signal);
	return status;
}
