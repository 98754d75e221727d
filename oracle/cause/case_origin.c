#include "oracle/cause/case_origin.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/wait.h>

#include "base/path.h"
#include "oracle/campaign/campaign.h"
#include "oracle/campaign/exemplars.h"
#include "oracle/campaign/prepare.h"

enum { RUN_SECONDS = 10, ASK_SECONDS = 120 }; /* by default */

/* Runs a command with its output thrown away; whether it went well. */
static bool goes_well(const char *const *argv)
{
	int status = -1;
	pid_t pid = fork();
	if (!pid) {
		int null = open("/dev/null", O_WRONLY);
		if (dup2(null, STDOUT_FILENO) >= 0 && dup2(null, STDERR_FILENO) >= 0)
			execvp(argv[0], (char *const *)(uintptr_t)argv);
		_exit(127);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
	       !WEXITSTATUS(status);
}

/* Whether a compiler has the runtime of a sanitizer, too. */
static bool can_sanitize(const char *compiler, const char *option, const char *scratch)
{
	XS_AUTO_FREE char *source = xs_asprintf("%s/empty.c", scratch);
	XS_AUTO_FREE char *program = xs_asprintf("%s/empty", scratch);
	const char *const build[] = {compiler, option, "-o", program, source, NULL};
	const char *const run[] = {program, NULL};
	FILE *file = fopen(source, "we");
	if (!file)
		return false;
	fputs("int main(void) { return 0; }\n", file);
	fclose(file);
	bool good = goes_well(build) && goes_well(run);
	unlink(source);
	unlink(program);
	return good;
}

/* The first compiler that builds a program with a sanitizer: the case's own, else the newest. Not
 * each that is installed can: the runtime is a package of its own. To be freed. */
static char *find_sanitizer(const char *first, const char *option, const char *scratch)
{
	enum { NEWEST = 99, OLDEST = 3 };
	static const char *const families[] = {"clang", "gcc"};
	if (can_sanitize(first, option, scratch))
		return xs_strdup(first);
	for (unsigned version = NEWEST + 1; version >= OLDEST; version--)
		for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
			XS_AUTO_FREE char *name =
				version > NEWEST ? xs_strdup(families[i])
						 : xs_asprintf("%s-%u", families[i], version);
			XS_AUTO_FREE char *path = xs_path_find(name);
			if (path && can_sanitize(path, option, scratch))
				return xs_take(&path);
		}
	return NULL;
}

/* --- out of a campaign ------------------------------------------------------------------------ */

static struct xs_error *take_exemplar(const struct ora_plan *plan, struct ora_campaign_store *store,
	const char *id, struct ora_case *ret, bool *gcc)
{
	/* Columns of ORA_ASK_EXEMPLARS and ORA_ASK_SIGNATURES. */
	enum { WHICH, PROGRAM, ORIGIN, SIZE, FLAGS, COMPILER, LEVEL, ORACLE };
	enum { ID, SIGNATURE };
	struct ora_campaign_answer all = {0}, signatures = {0};
	const struct ora_compiler *compiler = NULL;
	struct xs_error *err =
		plan->language->bit == ORA_LANGUAGE_C
			? ora_campaign_ask(store, ORA_ASK_EXEMPLARS, id, &all)
			: xs_error_create("%s: a program of %s; causes are looked for in programs "
					  "of C only",
				  id, plan->language->title);
	if (!err)
		err = ora_campaign_ask(store, ORA_ASK_SIGNATURES, NULL, &signatures);
	for (size_t i = 0; !err && i < ora_campaign_rows(&all); i++) {
		const char *program = ora_campaign_cell(&all, i, PROGRAM);
		if (strcmp(ora_campaign_cell(&all, i, WHICH), "smallest") != 0 ||
			!ora_is_id(program))
			continue;
		compiler = ora_plan_compiler(plan, ora_campaign_cell(&all, i, COMPILER));
		ret->source = ora_source_path(plan->folder, program, plan->language);
		ret->level = xs_strdup(ora_campaign_cell(&all, i, LEVEL));
		ret->oracle = ora_oracle_find(ora_campaign_cell(&all, i, ORACLE));
		for (size_t k = 0; k < plan->flags.vec.len; k++)
			ora_command_add(&ret->flags, plan->flags.vec.data[k], NULL);
		ora_command_split(&ret->flags, ora_campaign_cell(&all, i, FLAGS));
	}
	for (size_t i = 0; !err && i < ora_campaign_rows(&signatures); i++)
		if (!strcmp(ora_campaign_cell(&signatures, i, ID), id))
			ret->signature = xs_strdup(ora_campaign_cell(&signatures, i, SIGNATURE));
	if (!err && ret->source && !ret->oracle)
		err = xs_error_create("%s: a compiler that crashes or hangs is not looked into; "
				      "its own output says where",
			id);
	if (!err && (!compiler || !ret->signature))
		err = xs_error_create("%s: has no exemplar", id);
	if (!err) {
		ret->compiler = xs_strdup(compiler->path);
		*gcc = compiler->gcc;
	}
	ret->witness = xs_strdup(plan->settings.value[ORA_SET_WITNESS]);
	ora_campaign_answer_deinit(&all);
	ora_campaign_answer_deinit(&signatures);
	return err;
}

static struct xs_error *of_campaign(
	const struct ora_case_words *words, struct ora_case *ret, bool *gcc, char **id)
{
	XS_AUTO(ora_campaign_store) store = NULL;
	struct ora_plan plan = {0};
	struct xs_error *err;
	if (!(err = ora_campaign_read(words->folder, &store)) &&
		!(err = ora_exemplar_named(store, words->id, id)) &&
		!(err = ora_campaign_plan(store, words->folder, &plan)))
		err = take_exemplar(&plan, store, *id, ret, gcc);
	ora_plan_deinit(&plan);
	return err;
}

/* --- out of words ----------------------------------------------------------------------------- */

static struct xs_error *of_source(
	const struct ora_case_words *words, struct ora_case *ret, bool *gcc)
{
	struct ora_compiler compiler = {0};
	XS_AUTO_FREE char *oracles = ora_oracle_names();
	XS_AUTO_FREE char *newest = ora_compiler_newest("gcc");
	const char *name = words->compiler ? words->compiler : newest ? newest : "gcc";
	ret->oracle = ora_oracle_find(words->oracle ? words->oracle : "diff");
	if (!ret->oracle)
		return xs_error_create("--oracle: '%s' is none of %s", words->oracle, oracles);
	if (!(ret->source = realpath(words->source, NULL)))
		return xs_error_sys("%s", words->source);
	struct xs_error *err = xs_error_context(ora_compiler_init(&compiler, name), "--compiler");
	if (!err) {
		ret->compiler = xs_strdup(compiler.path);
		*gcc = compiler.gcc;
	}
	ora_compiler_deinit(&compiler);
	ret->level = xs_strdup(words->level ? words->level : "-O2");
	ora_command_split(&ret->flags, words->flags ? words->flags : "");
	ret->witness = xs_strdup(words->witness ? words->witness : "");
	ret->signature = words->signature ? xs_strdup(words->signature) : NULL;
	return err;
}

/* --- out of a report -------------------------------------------------------------------------- */

static bool is_c(const char *name)
{
	size_t length = strlen(name);
	return length > 2 && !strcmp(name + length - 2, ".c");
}

/* The one source in a report, to be freed. */
static struct xs_error *report_source(const char *report, char **ret)
{
	XS_AUTO_FREE char *folder = xs_asprintf("%s/source", report);
	DIR *stream = opendir(folder);
	struct xs_error *err = NULL;
	size_t count = 0;
	*ret = NULL;
	for (struct dirent *entry; stream && (entry = readdir(stream));) {
		if (!is_c(entry->d_name))
			continue;
		free(*ret);
		*ret = xs_asprintf("%s/%s", folder, entry->d_name);
		count++;
	}
	if (stream)
		closedir(stream);
	if (count != 1)
		err = xs_error_create(
			"%s: it has %zu sources in C, and one is needed: name a whole "
			"program of one file with --source",
			report, count);
	return err;
}

/* What the report says, unless the user has said it. */
static struct xs_error *of_report(
	const struct ora_case_words *words, struct ora_case *ret, bool *gcc)
{
	XS_AUTO_FREE char *file = xs_asprintf("%s/case.json", words->report);
	XS_AUTO_FREE char *source = NULL;
	json_error_t wrong;
	json_t *told = json_load_file(file, 0, &wrong);
	const json_t *flags = json_object_get(told, "flags");
	struct ora_case_words more = *words;
	struct ora_command line = {0};
	struct xs_error *err = NULL;
	const struct {
		const char *key, **value;
	} texts[] = {{"oracle", &more.oracle}, {"signature", &more.signature},
		{"compiler", &more.compiler}, {"level", &more.level}, {"witness", &more.witness}};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (!*texts[i].value)
			*texts[i].value = json_string_value(json_object_get(told, texts[i].key));
	for (size_t i = 0; i < json_array_size(flags); i++)
		if (json_is_string(json_array_get(flags, i)))
			ora_command_add(&line, json_string_value(json_array_get(flags, i)), NULL);
	XS_AUTO_FREE char *joined = ora_command_text(&line);
	if (!more.flags)
		more.flags = joined;
	if (!told)
		err = xs_error_create("%s: no folder of one finding, such as xstep diff --report "
				      "writes: %s",
			words->report, wrong.text);
	else if (!more.oracle || !more.signature)
		err = xs_error_create(
			"%s: names no oracle that can be asked again, or no signature", file);
	else if (json_array_size(json_object_get(told, "arguments")) ||
		 json_is_true(json_object_get(told, "stdin")))
		err = xs_error_create(
			"%s: its program has arguments or reads a file: only programs "
			"that run by themselves are built and asked again",
			words->report);
	else if (!more.compiler || !more.level)
		err = xs_error_create("%s: how its program was built is not known: say it with "
				      "--compiler and --level, or write the report with --build",
			words->report);
	if (!err && !(err = report_source(words->report, &source))) {
		more.source = source;
		err = of_source(&more, ret, gcc);
	}
	ora_command_deinit(&line);
	json_decref(told);
	return err;
}

/* Probes are planted once; from then on they are part of the source. */
static struct xs_error *plant(const char *scratch, struct ora_case *one)
{
	XS_AUTO_FREE char *plain = xs_asprintf("%s/probed.c", scratch);
	char *made = xs_asprintf("%s/probed.1.c", scratch);
	struct ora_command line = {0};
	struct xs_error *err = ora_copy_file(one->source, plain);
	ora_command_add(&line, one->xstep, "mutate", "--only", "probes", "-o", scratch, NULL);
	for (size_t i = 0; i < one->flags.vec.len; i++)
		if (ora_flag_is_for_parser(one->flags.vec.data[i]))
			ora_command_add(&line, "--flag", one->flags.vec.data[i], NULL);
	ora_command_add(&line, plain, NULL);
	if (!err && !goes_well(ora_command_words(&line)))
		err = xs_error_create("%s: no probes can be planted in it", one->source);
	ora_command_deinit(&line);
	free(one->source);
	one->source = made;
	return err;
}

static bool has_probes(const char *source)
{
	char *line = NULL;
	size_t size = 0;
	bool found = false;
	XS_AUTO_FILE FILE *file = fopen(source, "re");
	while (file && !found && getline(&line, &size, file) >= 0)
		found = strstr(line, "PROBE") || strstr(line, ".note.stapsdt");
	free(line);
	return found;
}

struct xs_error *ora_case_of_words(const struct ora_case_words *words, const char *scratch,
	struct ora_case *ret, bool *gcc, char **id)
{
	*ret = (struct ora_case){
		.run_seconds = words->run_seconds > 0 ? words->run_seconds : RUN_SECONDS,
		.ask_seconds = words->ask_seconds > 0 ? words->ask_seconds : ASK_SECONDS};
	*id = NULL;
	struct xs_error *err = xs_path_self(&ret->xstep);
	if (!err)
		err = words->folder   ? of_campaign(words, ret, gcc, id)
		      : words->report ? of_report(words, ret, gcc)
				      : of_source(words, ret, gcc);
	if (!err && ret->oracle->need == ORA_NEEDS_FAMILY)
		err = xs_error_create("%s: has figures only, and no findings", ret->oracle->name);
	if (!err && ret->oracle->need == ORA_NEEDS_PROBES && !has_probes(ret->source))
		err = plant(scratch, ret);
	if (!err) {
		ret->sanitizer =
			find_sanitizer(ret->compiler, "-fsanitize=address,undefined", scratch);
		ret->memory = find_sanitizer(ret->compiler, "-fsanitize=memory", scratch);
	}
	return err;
}
