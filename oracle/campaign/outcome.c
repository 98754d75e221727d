#include "oracle/campaign/outcome.h"

#include "base/map.h"
#include "base/utf8.h"
#include "oracle/session/json_text.h"

/* --- a report --------------------------------------------------------------------------------- */

/* A copy of the text at a key, NULL if there is none. */
static char *text_at(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	return text ? xs_strdup(text) : NULL;
}

/* The texts of an array, by commas. */
static char *joined(const json_t *array)
{
	char *text = xs_strdup("");
	for (size_t i = 0; i < json_array_size(array); i++) {
		const char *one = json_string_value(json_array_get(array, i));
		char *more = xs_asprintf("%s%s%s", text, *text ? "," : "", one ? one : "?");
		free(text);
		text = more;
	}
	return text;
}

static void add_finding(struct ora_campaign_job *job, const json_t *told)
{
	const json_t *stop = json_object_get(told, "stop");
	const json_t *wrong = json_object_get(told, "wrong");
	const json_t *line = json_object_get(stop ? stop : told, "line");
	/* A report without parties is of ccmd, whose findings are the compiler's. Only that one
	 * hangs is told by the clock, which proves nothing. */
	const char *kind = json_string_value(json_object_get(told, "kind"));
	bool hangs = !wrong && kind && !strcmp(kind, "hang");
	struct ora_campaign_finding one = {.id = text_at(told, "id"),
		.signature = text_at(told, "signature"),
		.basis = hangs ? xs_strdup("suspected") : text_at(told, "basis"),
		.wrong = wrong ? joined(wrong) : xs_strdup(hangs ? "" : "producer"),
		.known = text_at(told, "known"),
		.function = text_at(stop ? stop : told, stop ? "function" : "where"),
		.line = json_is_integer(line) ? (uint64_t)json_integer_value(line) : 0,
		.variable = text_at(told, "var")};
	xs_vec_push(&job->findings, one);
}

/* Of each signature the finding with the least id keeps its whole report: the one that may become
 * an exemplar. told: the reports of all findings. */
static void keep_reports(struct ora_campaign_job *job, const json_t *const *told)
{
	struct xs_map least = {0}; /* by signature: 1 + the number of the finding */
	for (size_t i = 0; i < job->findings.len; i++) {
		const struct ora_campaign_finding *one = &job->findings.data[i];
		uint64_t *best = xs_map_at(&least, xs_hash_text(0, one->signature), 0);
		if (!*best || strcmp(one->id, job->findings.data[*best - 1].id) < 0)
			*best = i + 1;
	}
	for (size_t i = 0; i < least.cap; i++)
		if (least.slots[i].used) {
			size_t number = least.slots[i].value - 1;
			job->findings.data[number].report =
				json_dumps(told[number], JSON_COMPACT | JSON_ENSURE_ASCII);
		}
	xs_map_deinit(&least);
}

static void add_figure(struct ora_campaign_job *job, char *name, const json_t *value)
{
	struct ora_campaign_figure one = {.name = name, .value = json_number_value(value)};
	if (json_is_number(value))
		xs_vec_push(&job->figures, one);
	else
		free(name);
}

static double sum_of(const json_t *object)
{
	double sum = 0;
	const char *key;
	json_t *value;
	json_object_foreach((json_t *)(uintptr_t)object, key, value) sum +=
		json_number_value(value);
	return sum;
}

/* What a summary counts. */
static void add_summary(struct ora_campaign_job *job, const json_t *summary)
{
	static const char *const numbers[] = {
		"stops", "compared", "presentation", "artefacts", "unsteady"};
	const json_t *asked = json_object_get(summary, "asked");
	const json_t *contested = json_object_get(summary, "contested");
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		add_figure(job, xs_strdup(numbers[i]), json_object_get(summary, numbers[i]));
	if (contested) {
		json_t *sum = json_real(sum_of(contested));
		add_figure(job, xs_strdup("contested"), sum);
		json_decref(sum);
	}
	for (size_t i = 0; i < json_array_size(asked); i++) {
		const json_t *one = json_array_get(asked, i);
		const char *rule = json_string_value(json_object_get(one, "rule"));
		const char *what = json_string_value(json_object_get(one, "what"));
		json_t *left = json_real(sum_of(json_object_get(one, "left")));
		if (rule && what) {
			add_figure(job, xs_asprintf("%s %s asked", rule, what),
				json_object_get(one, "asked"));
			add_figure(job, xs_asprintf("%s %s left", rule, what), left);
		}
		json_decref(left);
	}
}

/* What was measured, for each optimised build; the programs are named by their levels' places. */
static void add_measures(struct ora_campaign_job *job, const json_t *programs)
{
	static const char *const numbers[] = {
		"lines", "common", "line_coverage", "availability", "product", "variables"};
	for (size_t i = 0; i < json_array_size(programs); i++) {
		const json_t *one = json_array_get(programs, i);
		const json_t *total = json_object_get(one, "total");
		const char *path = json_string_value(json_object_get(one, "program"));
		const char *slash = path ? strrchr(path, '/') : NULL;
		const char *name = slash ? slash + 1 : path;
		const char *dot = name ? strchr(name, '.') : NULL; /* PROGRAM.COMPILER-LEVEL */
		for (size_t k = 0; name && k < sizeof numbers / sizeof *numbers; k++)
			add_figure(job, xs_asprintf("%s %s", dot ? dot + 1 : name, numbers[k]),
				json_object_get(total, numbers[k]));
	}
}

const char *ora_outcome_of_end(enum ora_box_end end)
{
	static const char *const words[] = {[ORA_BOX_EXITED] = NULL,
		[ORA_BOX_KILLED] = "crashed",
		[ORA_BOX_HUNG] = "hung",
		[ORA_BOX_MEMORY] = "memory",
		[ORA_BOX_OUTPUT] = "output",
		[ORA_BOX_NOT_RUN] = "trouble"};
	return words[end];
}

static bool is_whole(const struct ora_campaign_job *job)
{
	for (size_t i = 0; i < job->findings.len; i++)
		if (!job->findings.data[i].id || !job->findings.data[i].signature)
			return false;
	return true;
}

/* Whether a report says that there was nothing to ask: nobody is missing, and no rule applies. */
static bool is_unasked(const json_t *summary)
{
	const json_t *asked = json_object_get(summary, "asked");
	double sum = 0;
	for (size_t i = 0; i < json_array_size(asked); i++)
		sum += json_number_value(json_object_get(json_array_get(asked, i), "asked"));
	return json_array_size(asked) && sum <= 0 &&
	       !json_array_size(json_object_get(summary, "lost"));
}

static bool read_report(struct ora_campaign_job *job, char *text, size_t size, bool *unasked)
{
	static const char *const lists[] = {"discrepancies", "violations", "findings"};
	XS_VEC(const json_t *) told = {0};
	xs_utf8_fold_json(text, size);
	json_t *report = json_loadb(text, size, 0, NULL);
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		const json_t *list = json_object_get(report, lists[i]);
		for (size_t k = 0; json_is_array(list) && k < json_array_size(list); k++) {
			add_finding(job, json_array_get(list, k));
			xs_vec_push(&told, json_array_get(list, k));
		}
	}
	*unasked = is_unasked(json_object_get(report, "summary"));
	add_summary(job, json_object_get(report, "summary"));
	add_measures(job, json_object_get(report, "programs"));
	bool good = json_is_object(report) && is_whole(job);
	if (good)
		keep_reports(job, told.data);
	xs_vec_deinit(&told);
	json_decref(report);
	return good;
}

static void forget(struct ora_campaign_job *job)
{
	struct ora_campaign_job rest = {.findings.data = job->findings.data,
		.findings.len = job->findings.len,
		.figures.data = job->figures.data,
		.figures.len = job->figures.len};
	ora_campaign_job_deinit(&rest);
	memset(&job->findings, 0, sizeof job->findings);
	memset(&job->figures, 0, sizeof job->figures);
}

void ora_outcome_read(struct ora_campaign_job *job, const struct ora_boxed *boxed)
{
	const char *outcome = ora_outcome_of_end(boxed->end);
	bool exited = boxed->end == ORA_BOX_EXITED, quiet = false, unasked = false;
	job->seconds = boxed->seconds;
	if (exited && boxed->out_size && !read_report(job, boxed->out, boxed->out_size, &unasked)) {
		forget(job);
		outcome = "unreadable";
	} else if (exited && (boxed->status > 1 || !boxed->out_size)) {
		outcome = unasked && !job->findings.len ? "unasked" : "trouble";
	} else if (exited) {
		outcome = job->findings.len ? "found" : "clean";
		quiet = true;
	}
	job->outcome = xs_strdup(outcome);
	job->detail = quiet ? NULL : ora_boxed_words(boxed);
}

/* --- between processes ------------------------------------------------------------------------ */

/* One table for both ways: which text of a struct has which key. */
struct field {
	const char *key;
	size_t offset; /* of a char * */
};

static void pack(json_t *object, const void *from, const struct field *fields)
{
	for (; fields->key; fields++) {
		char *text;
		memcpy(&text, (const char *)from + fields->offset, sizeof text);
		if (text)
			json_object_set_new(object, fields->key, ora_json_text(text));
	}
}

static void unpack(const json_t *object, void *to, const struct field *fields)
{
	for (; fields->key; fields++) {
		char *text = text_at(object, fields->key);
		memcpy((char *)to + fields->offset, &text, sizeof text);
	}
}

#define F(type, name)                                                                              \
	{                                                                                          \
#name, offsetof(struct type, name)                                                 \
	}
static const struct field of_finding[] = {F(ora_campaign_finding, id),
	F(ora_campaign_finding, signature), F(ora_campaign_finding, basis),
	F(ora_campaign_finding, wrong), F(ora_campaign_finding, known),
	F(ora_campaign_finding, function), F(ora_campaign_finding, variable),
	F(ora_campaign_finding, report), {0}};
static const struct field of_job[] = {F(ora_campaign_job, program), F(ora_campaign_job, oracle),
	F(ora_campaign_job, compiler), F(ora_campaign_job, level), F(ora_campaign_job, outcome),
	F(ora_campaign_job, detail), {0}};
static const struct field of_build[] = {F(ora_campaign_build, compiler),
	F(ora_campaign_build, level), F(ora_campaign_build, outcome), F(ora_campaign_build, detail),
	F(ora_campaign_build, hash), {0}};
static const struct field of_program[] = {F(ora_campaign_program, id),
	F(ora_campaign_program, origin), F(ora_campaign_program, rank),
	F(ora_campaign_program, flags), F(ora_campaign_program, hash),
	F(ora_campaign_program, reason), F(ora_campaign_program, detail), {0}};
#undef F

static uint64_t number_at(const json_t *object, const char *key)
{
	return (uint64_t)json_integer_value(json_object_get(object, key));
}

json_t *ora_outcome_pack_job(const struct ora_campaign_job *job)
{
	json_t *packed = json_object(), *findings = json_array(), *figures = json_object();
	pack(packed, job, of_job);
	for (size_t i = 0; i < job->findings.len; i++) {
		json_t *one = json_object();
		pack(one, &job->findings.data[i], of_finding);
		json_object_set_new(
			one, "line", json_integer((json_int_t)job->findings.data[i].line));
		json_array_append_new(findings, one);
	}
	for (size_t i = 0; i < job->figures.len; i++)
		json_object_set_new(
			figures, job->figures.data[i].name, json_real(job->figures.data[i].value));
	json_object_set_new(packed, "findings", findings);
	json_object_set_new(packed, "figures", figures);
	json_object_set_new(packed, "seconds", json_real(job->seconds));
	return packed;
}

bool ora_outcome_unpack_job(const json_t *packed, struct ora_campaign_job *job)
{
	const json_t *findings = json_object_get(packed, "findings");
	const char *name;
	json_t *value;
	*job = (struct ora_campaign_job){
		.seconds = json_number_value(json_object_get(packed, "seconds"))};
	unpack(packed, job, of_job);
	for (size_t i = 0; i < json_array_size(findings); i++) {
		struct ora_campaign_finding one = {
			.line = number_at(json_array_get(findings, i), "line")};
		unpack(json_array_get(findings, i), &one, of_finding);
		xs_vec_push(&job->findings, one);
	}
	json_object_foreach(json_object_get(packed, "figures"), name, value)
		add_figure(job, xs_strdup(name), value);
	return job->oracle && job->compiler && job->level && is_whole(job);
}

json_t *ora_outcome_pack_program(const struct ora_campaign_program *program)
{
	json_t *packed = json_object(), *builds = json_array(), *jobs = json_array();
	pack(packed, program, of_program);
	for (size_t i = 0; i < program->builds.len; i++) {
		const struct ora_campaign_build *build = &program->builds.data[i];
		json_t *one = json_object();
		pack(one, build, of_build);
		json_object_set_new(one, "size", json_integer((json_int_t)build->size));
		json_object_set_new(one, "seconds", json_real(build->seconds));
		json_array_append_new(builds, one);
	}
	for (size_t i = 0; i < program->jobs.len; i++)
		json_array_append_new(jobs, ora_outcome_pack_job(&program->jobs.data[i]));
	json_object_set_new(packed, "builds", builds);
	json_object_set_new(packed, "jobs", jobs);
	json_object_set_new(packed, "size", json_integer((json_int_t)program->size));
	json_object_set_new(packed, "steps", json_integer((json_int_t)program->steps));
	json_object_set_new(packed, "seconds", json_real(program->seconds));
	return packed;
}

bool ora_outcome_unpack_program(const json_t *packed, struct ora_campaign_program *program)
{
	const json_t *builds = json_object_get(packed, "builds");
	const json_t *jobs = json_object_get(packed, "jobs");
	bool good = true;
	*program = (struct ora_campaign_program){.size = number_at(packed, "size"),
		.steps = number_at(packed, "steps"),
		.seconds = json_number_value(json_object_get(packed, "seconds"))};
	unpack(packed, program, of_program);
	for (size_t i = 0; i < json_array_size(builds); i++) {
		const json_t *told = json_array_get(builds, i);
		struct ora_campaign_build one = {.size = number_at(told, "size"),
			.seconds = json_number_value(json_object_get(told, "seconds"))};
		unpack(told, &one, of_build);
		good &= one.compiler && one.level && one.outcome;
		xs_vec_push(&program->builds, one);
	}
	for (size_t i = 0; i < json_array_size(jobs); i++) {
		struct ora_campaign_job one;
		good &= ora_outcome_unpack_job(json_array_get(jobs, i), &one);
		xs_vec_push(&program->jobs, one);
	}
	return good && program->id && program->origin && program->rank && program->flags;
}
