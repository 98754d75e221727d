#include "cli/report/campaign_watch.h"

#include <inttypes.h>
#include <sys/ioctl.h>

#include "base/clock.h"
#include "base/shown.h"
#include "cli/report/columns.h"
#include "cli/report/json.h"
#include "oracle/session/json_text.h"

#define PAUSE 0.2 /* seconds between two drawings */
enum {
	WORKERS = 8, /* of which it is drawn what they do, */
	OTHERS = 6,  /* and lines of the terminal that are not for them */
};

void cli_watch_init(struct cli_watch *watch, bool quiet, bool json, const struct ora_known *known)
{
	*watch = (struct cli_watch){.on = !quiet && isatty(STDERR_FILENO),
		.json = json,
		.began = xs_now(),
		.known = known};
}

/* --- lines of JSON ---------------------------------------------------------------------------- */

static void write_json(json_t *object)
{
	cli_json_dump(stdout, object);
	fflush(stdout);
	json_decref(object);
}

static void set_text(json_t *object, const char *key, const char *text)
{
	json_object_set_new(object, key, ora_json_text(text));
}

static void set_number(json_t *object, const char *key, uint64_t number)
{
	json_object_set_new(object, key, json_integer((json_int_t)number));
}

static void write_program(const struct ora_campaign_program *program)
{
	json_t *object = json_object();
	set_text(object, "event", "program");
	set_text(object, "program", program->id);
	set_text(object, "origin", program->origin);
	set_text(object, "left_out", program->reason);
	set_text(object, "detail", program->detail);
	set_number(object, "builds", program->builds.len);
	json_object_set_new(object, "seconds", json_real(program->seconds));
	write_json(object);
}

static void set_job(json_t *object, const struct ora_campaign_job *job, const char *origin)
{
	set_text(object, "program", job->program);
	set_text(object, "origin", origin);
	set_text(object, "oracle", job->oracle);
	set_text(object, "compiler", job->compiler);
	set_text(object, "level", job->level);
}

static void write_job(const struct ora_campaign_job *job, uint64_t fresh)
{
	json_t *object = json_object();
	set_text(object, "event", "job");
	set_job(object, job, job->origin);
	set_text(object, "outcome", job->outcome);
	set_text(object, "detail", job->detail);
	set_number(object, "findings", job->findings.len);
	set_number(object, "new_signatures", fresh);
	json_object_set_new(object, "seconds", json_real(job->seconds));
	write_json(object);
}

static void write_signature(const struct ora_campaign_job *job, const char *origin,
	const struct ora_campaign_finding *one, const char *id, const char *known)
{
	json_t *object = json_object();
	set_text(object, "event", "signature");
	set_text(object, "id", id);
	set_text(object, "signature", one->signature);
	set_text(object, "basis", one->basis);
	set_text(object, "wrong", one->wrong);
	set_text(object, "known", known);
	set_job(object, job, origin);
	set_text(object, "finding", one->id);
	write_json(object);
}

static void write_cause(const struct ora_campaign_cause *cause)
{
	json_t *object = json_object();
	set_text(object, "event", "cause");
	set_text(object, "id", cause->signature);
	set_text(object, "stage", cause->stage);
	set_text(object, "outcome", cause->outcome);
	set_text(object, "reason", cause->reason);
	set_text(object, "file", cause->file);
	if (cause->file) {
		set_number(object, "lines", cause->lines);
		set_number(object, "bytes", cause->bytes);
	}
	set_text(object, "culprit", cause->culprit);
	json_object_set_new(object, "seconds", json_real(cause->seconds));
	write_json(object);
}

/* --- the terminal ----------------------------------------------------------------------------- */

/* 90 s, 12 min, 3 h 5 min. */
static char *duration(double seconds)
{
	double minutes = seconds / 60;
	if (seconds < 100)
		return xs_asprintf("%.0f s", seconds);
	if (minutes < 100)
		return xs_asprintf("%.0f min", minutes);
	uint64_t whole = (uint64_t)minutes;
	return xs_asprintf("%" PRIu64 " h %" PRIu64 " min", whole / 60, whole % 60);
}

static double per_minute(uint64_t count, double seconds)
{
	return seconds > 0 ? (double)count * 60 / seconds : 0;
}

/* Goes back to where the drawing begins, which is wiped out. */
static void wipe(struct cli_watch *watch, FILE *out)
{
	if (watch->lines > 1)
		xs_print(out, "\033[%zuA", watch->lines - 1);
	if (watch->lines)
		fputs("\r\033[J", out);
	watch->lines = 0;
}

/* What is being drawn, to be written in one piece. */
struct drawing {
	struct cli_watch *watch;
	FILE *out;
	size_t width; /* of the terminal */
};

/* Draws a line below the others. */
static void XS_PRINTF(2, 3) draw(struct drawing *drawing, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	if (drawing->watch->lines++)
		putc('\n', drawing->out);
	cli_columns_vprint(drawing->out, drawing->width, format, args);
	va_end(args);
}

static void draw_workers(
	struct drawing *drawing, const struct ora_campaign_event *event, size_t height)
{
	size_t most = height > OTHERS ? height - OTHERS : 0;
	most = most < WORKERS ? most : WORKERS;
	for (size_t i = 0; i < event->workers.len && i < most; i++) {
		const struct ora_campaign_doing *one = &event->workers.data[i];
		XS_AUTO_FREE char *took = duration(one->seconds);
		if (one->stage)
			draw(drawing, "  %s %s, %s", one->stage, one->origin, took);
		else if (one->job)
			draw(drawing, "  %s: %s, %s %s, %s", one->job->oracle, one->origin,
				one->job->compiler, one->job->level, took);
		else
			draw(drawing, "  making %s, %s", one->origin, took);
	}
	if (event->workers.len > most)
		draw(drawing, "  and %zu more", event->workers.len - most);
}

static void draw_jobs(struct drawing *drawing, const struct ora_campaign_event *event)
{
	const struct ora_pace *pace = &event->pace;
	double so_far = xs_now() - drawing->watch->began;
	XS_AUTO_FREE char *took = duration(so_far);
	XS_AUTO_FREE char *left = event->left < 0 ? xs_strdup("") : duration(event->left);
	draw(drawing,
		"%" PRIu64 " of %" PRIu64 " programs, %" PRIu64 " builds; %" PRIu64
		" jobs done, %" PRIu64 " to do",
		event->programs, event->all, pace->builds, pace->jobs, event->jobs_known);
	draw(drawing, "%" PRIu64 " findings, %" PRIu64 " new signatures", event->findings,
		event->signatures);
	draw(drawing, "%.1f programs, %.1f jobs a minute; %s%s%s%s",
		per_minute(pace->programs, so_far), per_minute(pace->jobs, so_far), took,
		*left ? ", about " : "", left, *left ? " left" : "");
}

static void draw_all(struct cli_watch *watch, const struct ora_campaign_event *event)
{
	struct winsize size = {0};
	ioctl(STDERR_FILENO, TIOCGWINSZ, &size);
	struct drawing drawing = {
		.watch = watch, .width = size.ws_col ? size.ws_col - 1U : CLI_COLUMNS};
	size_t height = size.ws_row ? size.ws_row : CLI_ROWS;
	XS_AUTO_FREE char *took = duration(xs_now() - watch->began);
	char *drawn = NULL;
	size_t length = 0;
	drawing.out = open_memstream(&drawn, &length);
	xs_assert(drawing.out);
	wipe(watch, drawing.out);
	if (event->causes_all)
		draw(&drawing, "causes: %" PRIu64 " of %" PRIu64 " signatures looked into; %s",
			event->causes, event->causes_all, took);
	else
		draw_jobs(&drawing, event);
	draw_workers(&drawing, event, height);
	xs_assert(!fclose(drawing.out));
	fputs(drawn, stderr);
	fflush(stderr);
	free(drawn);
	watch->last = xs_now();
}

static void print_signature(struct cli_watch *watch, const struct ora_campaign_job *job,
	const char *origin, const struct ora_campaign_finding *one, const char *id,
	const char *known)
{
	wipe(watch, stderr);
	xs_print(stderr, "new: %s: %s%s%s  [%s]  %s, %s %s\n", job->oracle, one->signature,
		known ? ", known: " : "", known ? known : "", id, origin, job->compiler,
		job->level);
}

/* --- what happens ----------------------------------------------------------------------------- */

static void tell_signatures(
	struct cli_watch *watch, const struct ora_campaign_job *job, const char *origin)
{
	for (size_t i = 0; i < job->findings.len; i++) {
		const struct ora_campaign_finding *one = &job->findings.data[i];
		char id[ORA_CAMPAIGN_ID];
		if (!one->fresh)
			continue;
		ora_campaign_id(id, job->oracle, one->signature, NULL);
		XS_AUTO_FREE char *reference =
			watch->known ? ora_known_find(watch->known, one->signature) : NULL;
		const char *known = reference ? reference : one->known;
		if (watch->on)
			print_signature(watch, job, origin, one, id, known);
		if (watch->json)
			write_signature(job, origin, one, id, known);
	}
}

void cli_watch_event(struct cli_watch *watch, const struct ora_campaign_event *event)
{
	bool moment = !event->program && !event->job && !event->cause;
	if (watch->json && !moment)
		wipe(watch, stderr); /* standard output may be the same terminal */
	if (event->program) {
		if (watch->json)
			write_program(event->program);
		for (size_t i = 0; i < event->program->jobs.len; i++)
			tell_signatures(
				watch, &event->program->jobs.data[i], event->program->origin);
	} else if (event->job) {
		if (watch->json)
			write_job(event->job, event->fresh);
		tell_signatures(watch, event->job, event->job->origin);
	} else if (event->cause && watch->json) {
		write_cause(event->cause);
	}
	if (watch->on && (!watch->lines || xs_now() - watch->last >= PAUSE))
		draw_all(watch, event);
}

void cli_watch_end(struct cli_watch *watch)
{
	wipe(watch, stderr);
	fflush(stderr);
}
