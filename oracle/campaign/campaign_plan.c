#include "oracle/campaign/campaign_plan.h"

#include <ctype.h>
#include <errno.h>
#include <fts.h>
#include <inttypes.h>
#include <limits.h>
#include <sys/stat.h>

#include "base/map.h"
#include "base/path.h"
#include "base/private.h"
#include "base/scratch.h"
#include "oracle/campaign/own_cpp.h"
#include "oracle/session/witnesses.h"

#define CSMITH         "csmith --seed {seed} {random:options}"
#define CSMITH_HEADERS "/usr/include/csmith"

/* --- reading ---------------------------------------------------------------------------------- */

/* A list by commas. What it has twice is one thing: a cell of the campaign is built and asked about
 * once. */
static void read_list(const char *text, struct ora_ccmd_words *ret)
{
	ora_ccmd_split(ret, text, ",");
	size_t count = 0;
	for (size_t i = 0; i < ret->vec.len; i++) {
		bool twice = false;
		for (size_t k = 0; k < count; k++)
			twice |= !strcmp(ret->vec.data[k], ret->vec.data[i]);
		if (twice)
			free(ret->vec.data[i]);
		else
			ret->vec.data[count++] = ret->vec.data[i];
	}
	ret->vec.len = count;
}

static struct xs_error *read_generator(struct ora_plan *plan)
{
	const char *template = plan->settings.value[ORA_SET_GENERATE];
	bool csmith = !strcmp(template, "csmith");
	plan->own = !strcmp(template, ORA_OWN);
	if (plan->own && plan->language->bit != ORA_LANGUAGE_CPP)
		return xs_error_create("--generate: " ORA_OWN " makes programs of C++, and these "
				       "are of %s: --language c++, or another generator",
			plan->language->title);
	if (csmith && plan->language->bit != ORA_LANGUAGE_C)
		return xs_error_create("--generate: csmith makes programs of C, and --language is "
				       "%s",
			plan->language->name);
	if (csmith)
		template = CSMITH;
	if (!plan->own)
		ora_ccmd_split(&plan->generate, template, " \t\n");
	if (!plan->own && !plan->generate.vec.len)
		return NULL;
	if (!plan->own && !strstr(template, "{seed}"))
		return xs_error_create(
			"--generate: '%s' has no {seed} in it: all programs would be "
			"the same",
			template);
	struct xs_error *err = ora_seeds_parse(plan->settings.value[ORA_SET_SEEDS], &plan->seeds);
	if (!err && !plan->seeds.vec.len)
		err = xs_error_create("--generate: for which seeds? --seeds 1-200");
	return err;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static struct xs_error *read_sources(struct ora_plan *plan)
{
	char *folder = plan->settings.value[ORA_SET_SOURCES];
	char *const roots[] = {folder, NULL};
	struct stat about;
	if (!*folder)
		return NULL;
	if (stat(folder, &about))
		return xs_error_sys("--sources: %s", folder);
	if (!S_ISDIR(about.st_mode))
		return xs_error_create("--sources: %s: not a folder", folder);
	FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	for (FTSENT *entry; walk && (entry = fts_read(walk));) {
		if (entry->fts_info == FTS_F && ora_language_has(plan->language, entry->fts_name))
			xs_vec_push(&plan->sources.vec,
				xs_strdup(entry->fts_path + strlen(folder) + 1));
	}
	if (walk)
		fts_close(walk);
	if (!plan->sources.vec.len) {
		XS_AUTO_FREE char *endings = ora_language_endings(plan->language);
		return xs_error_create("--sources: %s: no file in it ends in %s, as sources of %s "
				       "do; --language says in which they are",
			folder, endings, plan->language->title);
	}
	qsort(plan->sources.vec.data, plan->sources.vec.len, sizeof *plan->sources.vec.data,
		by_text);
	return NULL;
}

static void add_tool(struct ora_plan *plan, const char *name, const char *version)
{
	struct ora_plan_tool tool = {xs_strdup(name), xs_strdup(version)};
	xs_vec_push(&plan->tools, tool);
}

static struct xs_error *read_compilers(struct ora_plan *plan)
{
	struct ora_ccmd_words names = {0};
	struct xs_error *err = NULL;
	read_list(plan->settings.value[ORA_SET_COMPILERS], &names);
	for (size_t i = 0; !err && i < names.vec.len; i++) {
		struct ora_compiler compiler;
		err = xs_error_context(
			ora_compiler_init(&compiler, names.vec.data[i]), "--compilers");
		xs_vec_push(&plan->compilers, compiler);
		if (!err)
			add_tool(plan, compiler.name, compiler.version);
	}
	ora_ccmd_words_deinit(&names);
	if (!err && !plan->compilers.len)
		err = xs_error_create("--compilers: the list is empty");
	return err;
}

static bool has_level(const struct ora_plan *plan, const char *level)
{
	for (size_t i = 0; i < plan->levels.vec.len; i++)
		if (!strcmp(plan->levels.vec.data[i], level))
			return true;
	return false;
}

/* That all witnesses of diff are there: else no job of it could be done. */
static struct xs_error *find_debuggers(struct ora_plan *plan)
{
	const char *words = plan->settings.value[ORA_SET_WITNESS];
	struct ora_witnesses all = {0};
	struct xs_error *err =
		ora_witnesses_named(*words ? words : "xstep,gdb,lldb", NULL, NULL, &all);
	for (size_t i = 0; !err && i < all.vec.len; i++)
		if (!all.vec.data[i].problem)
			add_tool(plan,
				all.vec.data[i].path ? all.vec.data[i].path
						     : ora_witness_name(all.vec.data[i].kind),
				all.vec.data[i].version ? all.vec.data[i].version : "unknown");
		else
			err = xs_error_create("--oracles: diff asks %s: %s; --witness names others",
				ora_witness_name(all.vec.data[i].kind), all.vec.data[i].problem);
	ora_witnesses_deinit(&all);
	return err;
}

static struct xs_error *read_oracles(struct ora_plan *plan)
{
	struct ora_ccmd_words names = {0};
	XS_AUTO_FREE char *known = ora_oracle_names();
	struct xs_error *err = NULL;
	read_list(plan->settings.value[ORA_SET_ORACLES], &names);
	for (size_t i = 0; !err && i < names.vec.len; i++) {
		const struct ora_oracle *one = ora_oracle_find(names.vec.data[i]);
		if (!one)
			err = xs_error_create(
				"--oracles: '%s' is none of %s", names.vec.data[i], known);
		else if (!(one->languages & plan->language->bit))
			err = xs_error_create("--oracles: %s is not for %s: %s", one->name,
				plan->language->title, one->why_not);
		else if ((one->need == ORA_NEEDS_TWO || one->need == ORA_NEEDS_FAMILY) &&
			 (!has_level(plan, ORA_UNOPTIMISED) || plan->levels.vec.len < 2))
			err = xs_error_create("--oracles: %s compares with " ORA_UNOPTIMISED
					      ": name that and others with --levels",
				one->name);
		else if (one->debuggers)
			err = find_debuggers(plan);
		xs_vec_push(&plan->oracles, one);
	}
	ora_ccmd_words_deinit(&names);
	if (!err && !plan->oracles.len)
		err = xs_error_create("--oracles: the list is empty; there are %s", known);
	return err;
}

/* Builds the language's trial by a compiler, with the sanitizers or without. *complaint, to be
 * freed: what is wrong; NULL: nothing. */
static struct xs_error *try_compiler(const struct ora_plan *plan,
	const struct ora_compiler *compiler, const char *scratch, bool sanitize, char **complaint)
{
	XS_AUTO_FREE char *source = xs_asprintf("%s/try%s", scratch, plan->language->ending);
	XS_AUTO_FREE char *path = xs_asprintf("%s/try", scratch);
	struct ora_command line = {0};
	struct ora_compilation tried = {0};
	FILE *file = xs_private_open(source, false);
	struct xs_error *err =
		!file || fputs(plan->language->trial, file) < 0 ? xs_error_sys("%s", source) : NULL;
	if (file)
		fclose(file);
	*complaint = NULL;
	ora_command_add(&line, compiler->path, NULL);
	if (sanitize)
		ora_command_add(&line, ORA_SANITIZE, NULL);
	ora_command_add(&line, "-o", path, source, NULL);
	if (!err)
		err = ora_compile(
			(char *const *)(uintptr_t)ora_command_words(&line), scratch, 60, &tried);
	if (!err && tried.end != ORA_COMPILED)
		*complaint = ora_compilation_complaint(&tried);
	ora_compilation_deinit(&tried);
	ora_command_deinit(&line);
	return err;
}

/* That each compiler is one of the language. A compiler of C is what is not called otherwise:
 * what it says of a program is a finding. */
static struct xs_error *check_compilers(const struct ora_plan *plan, const char *scratch)
{
	struct xs_error *err = NULL;
	for (size_t i = 0; !err && i < plan->compilers.len; i++) {
		const struct ora_compiler *one = &plan->compilers.data[i];
		XS_AUTO_FREE char *complaint = NULL;
		const char *name = xs_base_name(one->name);
		if (plan->language->bit != ORA_LANGUAGE_C)
			err = try_compiler(plan, one, scratch, false, &complaint);
		else if (strstr(name, "++") || !strncmp(name, "rustc", 5))
			complaint = xs_strdup("its name says so");
		if (!err && complaint)
			err = xs_error_create("--compilers: %s is no compiler of %s (%s); it takes "
					      "one like %s",
				one->name, plan->language->title, complaint,
				plan->language->families[0]);
	}
	return err;
}

/* Tries each compiler with the sanitizers: their libraries are packages of their own. */
static struct xs_error *find_sanitizer(struct ora_plan *plan, const char *scratch)
{
	struct xs_error *err = NULL;
	if (!strcmp(plan->settings.value[ORA_SET_NO_SANITIZE], "yes") ||
		!plan->language->sanitizers)
		return NULL;
	for (size_t i = 0; !err && !plan->sanitizer && i < plan->compilers.len; i++) {
		XS_AUTO_FREE char *complaint = NULL;
		err = try_compiler(plan, &plan->compilers.data[i], scratch, true, &complaint);
		if (!err && !complaint)
			plan->sanitizer = &plan->compilers.data[i];
	}
	if (!err && !plan->sanitizer)
		err = xs_error_create("none of the compilers has ASan and UBSan, by which programs "
				      "with undefined behaviour are left out; --no-sanitize does "
				      "without");
	return err;
}

/* What all builds have, unless the user says it. */
static void add_usual(struct ora_plan *plan)
{
	const char *usual = plan->language->usual, *begins = plan->language->usual_begins;
	bool said = !*usual;
	for (size_t i = 0; !said && i < plan->flags.vec.len; i++)
		said = !strncmp(plan->flags.vec.data[i], begins, strlen(begins));
	if (!said)
		xs_vec_push(&plan->flags.vec, xs_strdup(usual));
}

/* What is made of C sources, by a parser of C. */
static struct xs_error *check_language(const struct ora_plan *plan)
{
	static const enum ora_setting of_c[] = {ORA_SET_MUTATE, ORA_SET_PROBES};
	static const enum ora_setting causes[] = {ORA_SET_REDUCE, ORA_SET_CULPRIT};
	if (plan->language->bit == ORA_LANGUAGE_C)
		return NULL;
	for (size_t i = 0; i < sizeof of_c / sizeof *of_c; i++)
		if (ora_setting_number(&plan->settings, of_c[i]))
			return xs_error_create("--%s: xstep mutate reads C, and --language is %s",
				ora_setting_name(of_c[i]), plan->language->name);
	for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
		if (!strcmp(plan->settings.value[causes[i]], "yes"))
			return xs_error_create("--%s: is for programs of C, and --language is %s",
				ora_setting_name(causes[i]), plan->language->name);
	return NULL;
}

struct xs_error *ora_plan_init(
	struct ora_plan *plan, struct ora_settings *settings, const char *folder)
{
	struct xs_error *err;
	*plan = (struct ora_plan){.settings = *settings};
	*settings = (struct ora_settings){0};
	if (!(plan->folder = realpath(folder, NULL)))
		return xs_error_sys("%s", folder);
	const char *language = plan->settings.value[ORA_SET_LANGUAGE];
	if (language && !ora_language_find(language))
		return xs_error_create("--language: '%s' is none of c, c++, rust", language);
	plan->language = ora_language_of(&plan->settings);
	plan->mutants = ora_setting_number(&plan->settings, ORA_SET_MUTATE);
	plan->probed = ora_setting_number(&plan->settings, ORA_SET_PROBES);
	read_list(plan->settings.value[ORA_SET_LEVELS], &plan->levels);
	ora_ccmd_split(&plan->flags, plan->settings.value[ORA_SET_FLAGS], " \t\n");
	if (!plan->levels.vec.len)
		return xs_error_create("--levels: the list is empty");
	if ((err = xs_path_self(&plan->xstep)) || (err = read_generator(plan)) ||
		(err = read_compilers(plan)))
		return err;
	add_usual(plan);
	/* What csmith makes includes its headers. */
	if (plan->generate.vec.len && !strcmp(xs_base_name(plan->generate.vec.data[0]), "csmith") &&
		!access(CSMITH_HEADERS, R_OK))
		xs_vec_push(&plan->flags.vec, xs_strdup("-I" CSMITH_HEADERS));
	return NULL;
}

struct xs_error *ora_plan_find_all(struct ora_plan *plan)
{
	struct xs_error *err;
	char *scratch = NULL;
	if ((err = check_language(plan)) || (err = read_sources(plan)) ||
		(err = read_oracles(plan)))
		return err;
	if (!plan->own && !plan->generate.vec.len && !plan->sources.vec.len)
		return xs_error_create("%s: a campaign needs programs: --generate %s --seeds "
				       "1-200, or --sources DIR",
			plan->folder, plan->language->bit == ORA_LANGUAGE_CPP ? ORA_OWN : "csmith");
	if ((err = xs_scratch_create("campaign", &scratch)))
		return err;
	if (!(err = check_compilers(plan, scratch)))
		err = find_sanitizer(plan, scratch);
	xs_scratch_destroy(scratch);
	return err;
}

void ora_plan_deinit(struct ora_plan *plan)
{
	for (size_t i = 0; i < plan->compilers.len; i++)
		ora_compiler_deinit(&plan->compilers.data[i]);
	for (size_t i = 0; i < plan->tools.len; i++) {
		free(plan->tools.data[i].name);
		free(plan->tools.data[i].version);
	}
	xs_vec_deinit(&plan->tools);
	xs_vec_deinit(&plan->compilers);
	xs_vec_deinit(&plan->oracles);
	ora_ccmd_words_deinit(&plan->generate);
	ora_ccmd_words_deinit(&plan->sources);
	ora_ccmd_words_deinit(&plan->levels);
	ora_ccmd_words_deinit(&plan->flags);
	xs_ranges_deinit(&plan->seeds);
	ora_settings_deinit(&plan->settings);
	free(plan->folder);
	free(plan->xstep);
}

/* --- programs --------------------------------------------------------------------------------- */

static uint64_t seed_count(const struct ora_plan *plan)
{
	uint64_t count = 0;
	for (size_t i = 0; i < plan->seeds.vec.len; i++)
		count += plan->seeds.vec.data[i].hi - plan->seeds.vec.data[i].lo;
	return count;
}

uint64_t ora_plan_count(const struct ora_plan *plan)
{
	return seed_count(plan) + plan->sources.vec.len;
}

struct ora_origin ora_plan_origin(const struct ora_plan *plan, uint64_t number)
{
	for (size_t i = 0; i < plan->seeds.vec.len; i++) {
		uint64_t count = plan->seeds.vec.data[i].hi - plan->seeds.vec.data[i].lo;
		if (number < count)
			return (struct ora_origin){.seed = plan->seeds.vec.data[i].lo + number};
		number -= count;
	}
	return (struct ora_origin){.source = plan->sources.vec.data[number]};
}

/* digits: that numbers have at least. */
static char *name_origin(const struct ora_origin *origin, int digits)
{
	char mutant[64] = "";
	if (origin->mutant)
		snprintf(mutant, sizeof mutant, " %s %0*" PRIu64,
			origin->probed ? "probes" : "mutant", digits, origin->mutant);
	if (origin->source)
		return xs_asprintf("file %s%s", origin->source, mutant);
	return xs_asprintf("seed %0*" PRIu64 "%s", digits, origin->seed, mutant);
}

char *ora_origin_text(const struct ora_origin *origin)
{
	return name_origin(origin, 1);
}

char *ora_origin_rank(const struct ora_origin *origin)
{
	return name_origin(origin, 20);
}

/* Options of csmith's, chosen by the seed: what is on by default is not always the best. */
static void add_random(uint64_t seed, struct ora_command *line)
{
	static const char *const switches[] = {"bitfields", "unions", "volatiles", "consts",
		"jumps", "inline-function", "float", "packed-struct", "comma-operators", "argc"};
	static const struct {
		const char *name;
		unsigned least, most;
	} numbers[] = {{"max-funcs", 2, 8}, {"max-block-depth", 2, 4}, {"max-block-size", 2, 4},
		{"max-expr-complexity", 2, 8}, {"max-array-len-per-dim", 2, 8}};
	uint64_t dice = xs_mix(seed ^ 0x63736d697468);
	for (size_t i = 0; i < sizeof switches / sizeof *switches; i++, dice = xs_mix(dice))
		ora_command_take(line, xs_asprintf("--%s%s", dice & 1 ? "" : "no-", switches[i]));
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++, dice = xs_mix(dice)) {
		unsigned range = numbers[i].most - numbers[i].least + 1;
		ora_command_take(line, xs_asprintf("--%s", numbers[i].name));
		ora_command_take(
			line, xs_asprintf("%u", numbers[i].least + (unsigned)(dice % range)));
	}
}

void ora_plan_generator(const struct ora_plan *plan, uint64_t seed, struct ora_command *ret)
{
	static const char mark[] = "{seed}";
	for (size_t i = 0; i < plan->generate.vec.len; i++) {
		const char *word = plan->generate.vec.data[i];
		if (!strcmp(word, "{random:options}")) {
			add_random(seed, ret);
			continue;
		}
		char *text = xs_strdup(word);
		for (char *at; (at = strstr(text, mark));) {
			char *more = xs_asprintf("%.*s%" PRIu64 "%s", (int)(at - text), text, seed,
				at + strlen(mark));
			free(text);
			text = more;
		}
		ora_command_take(ret, text);
	}
}

/* --- builds and jobs -------------------------------------------------------------------------- */

const struct ora_compiler *ora_plan_compiler(const struct ora_plan *plan, const char *name)
{
	for (size_t i = 0; i < plan->compilers.len; i++)
		if (!strcmp(plan->compilers.data[i].name, name))
			return &plan->compilers.data[i];
	return NULL;
}

static bool has_job(const struct ora_plan *plan, const struct ora_oracle *oracle, const char *level)
{
	bool plain = !strcmp(level, ORA_UNOPTIMISED);
	/* Without optimisation rustc makes other code for debuggers, on purpose. */
	if (plan->language->bit == ORA_LANGUAGE_RUST && !strcmp(oracle->name, "ccmd"))
		return !plain;
	if (oracle->need == ORA_NEEDS_TWO)
		return !plain;
	return oracle->need != ORA_NEEDS_FAMILY || plain;
}

void ora_plan_jobs(const struct ora_plan *plan, bool probed, struct ora_campaign_program *program)
{
	for (size_t c = 0; c < plan->compilers.len; c++)
		for (size_t l = 0; l < plan->levels.vec.len; l++)
			for (size_t o = 0; o < plan->oracles.len; o++) {
				const struct ora_oracle *oracle = plan->oracles.data[o];
				if (!has_job(plan, oracle, plan->levels.vec.data[l]) ||
					(probed && oracle->need == ORA_NEEDS_PROBES))
					continue;
				struct ora_campaign_job job = {.program = xs_strdup(program->id),
					.oracle = xs_strdup(oracle->name),
					.compiler = xs_strdup(plan->compilers.data[c].name),
					.level = xs_strdup(plan->levels.vec.data[l])};
				xs_vec_push(&program->jobs, job);
			}
}

char *ora_build_name(const char *program, const char *compiler, const char *level)
{
	char *name = xs_asprintf("%s.%s%s", program, compiler, level);
	for (char *at = name; *at; at++)
		if (!isalnum((unsigned char)*at) && !strchr("-._+", *at))
			*at = '_';
	return name;
}

char *ora_source_path(const char *folder, const char *program, const struct ora_language *language)
{
	return xs_asprintf("%s/programs/%s%s", folder, program, language->ending);
}

char *ora_build_path(const char *folder, const char *program, const char *name)
{
	return xs_asprintf("%s/builds/%s%s%s", folder, program, name ? "/" : "", name ? name : "");
}

bool ora_is_id(const char *text)
{
	return text && strlen(text) == ORA_CAMPAIGN_ID - 1 &&
	       strspn(text, "0123456789abcdef") == ORA_CAMPAIGN_ID - 1;
}

void ora_plan_compile(const struct ora_plan *plan, const char *level, const char *program_flags,
	const char *source, const char *output, struct ora_command *line)
{
	ora_language_begin(plan->language, line);
	ora_language_level(plan->language, level, line);
	for (size_t i = 0; i < plan->flags.vec.len; i++)
		ora_command_add(line, plan->flags.vec.data[i], NULL);
	ora_command_split(line, program_flags);
	ora_command_add(line, "-o", output, source,
		plan->language->bit == ORA_LANGUAGE_RUST ? NULL : "-lm", NULL);
}
