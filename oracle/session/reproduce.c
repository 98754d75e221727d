#include "oracle/session/reproduce.h"

#include <elf.h>
#include <inttypes.h>
#include <limits.h>

#include "base/clock.h"
#include "base/private.h"
#include "dwarf/name_text.h"
#include "engine/constant.h"
#include "engine/interrupt.h"
#include "oracle/session/reply.h"
#include "oracle/session/plain_debugger.h"

#define PATIENCE 30.0 /* seconds */

enum {
	HANGS_MAX = 2,    /* after so many nothing more is asked */
	CRASHES_MAX = 8,  /* likewise */
	WORDS_MAX = 2000, /* characters that are kept of what it said */
};

const char *ora_again_text(enum ora_again again)
{
	static const char *const texts[] = {
		"not asked", "reproduced", "not reproduced", "never got there", "crashed"};
	return texts[again];
}

/* How often it is asked, each time those that were not reproduced before. */
enum round {
	ROUND_QUICK, /* without the C library's separate debug information: several times faster */
	ROUND_FULL,  /* as a person would */
	ROUND_CLEARED, /* with the dead stack cleared, see ora_reproduction */
};

/* What xstep does to a program before its first instruction, as commands can do it. */
struct clearing {
	bool known;
	xs_addr random; /* where the bytes are that AT_RANDOM points to; 0: nowhere */
	xs_addr entry;  /* of the ELF file, in the process */
	uint64_t size;  /* of the dead stack, below the stack pointer there */
};

/* One debugger at work. */
struct work {
	struct ora_reproducing *all;
	struct ora_by_hand session; /* its route is that of the run at hand */
	struct ora_plain plain;
	enum round round;
	bool alive;                 /* there is a debugger */
	bool there;                 /* it is at the stop of the session's route */
	struct clearing clearing;   /* for the last round */
	struct ora_commands frames; /* functions of the backtrace there; none: not asked yet */
	size_t hangs, crashes;      /* so far */
	size_t runs;                /* of this debugger */
	struct ora_reply_names names;
};

static bool is_own(void *arg, const char *function)
{
	const struct ora_run *run = arg;
	return di_functions_named(run->subject->modules.data[0].info->functions, function);
}

/* --- the debugger --------------------------------------------------------------------------- */

static void stop(struct work *work)
{
	if (work->alive)
		ora_plain_deinit(&work->plain);
	ora_commands_deinit(&work->frames);
	work->alive = work->there = false;
}

static struct xs_error *write_file(
	const struct work *work, const char *name, const void *bytes, size_t size)
{
	XS_AUTO_FREE char *path = ora_plain_path(&work->plain, name);
	FILE *file = xs_private_open(path, false);
	if (!file)
		return xs_error_sys("%s", path);
	bool bad = fwrite(bytes, 1, size, file) != size;
	return fclose(file) || bad ? xs_error_sys("%s", path) : NULL;
}

static struct xs_error *start(struct work *work)
{
	struct ora_reproducing *all = work->all;
	struct xs_error *err = NULL;
	work->plain = (struct ora_plain){.debugger = all->debugger,
		.patience = all->patience > 0 ? all->patience : PATIENCE};
	work->runs = 0;
	work->alive = true;
	err = ora_plain_start(&work->plain, &work->session);
	if (!err && work->round == ROUND_CLEARED) {
		XS_AUTO_FREE void *zeros = xs_calloc(1, work->clearing.size);
		if (!(err = write_file(work, "zeros", zeros, work->clearing.size)))
			err = write_file(
				work, "random", eng_constant_random, sizeof eng_constant_random);
	}
	if (err)
		stop(work);
	return err;
}

/* What became of the debugger is kept, and it is ended. */
static enum ora_again give_up(
	struct work *work, enum ora_plain_end end, const struct ora_commands *texts, char **words)
{
	struct ora_reproducing *all = work->all;
	const char *last = texts->vec.len ? texts->vec.data[texts->vec.len - 1] : "";
	XS_AUTO_FREE char *said = xs_asprintf("%.*s", WORDS_MAX, last);
	bool hung = end == ORA_PLAIN_DEBUGGER_HUNG;
	if (end == ORA_PLAIN_INTERRUPTED) {
		all->interrupted_by = eng_interrupt_signal();
		stop(work);
		return ORA_AGAIN_NOT_ASKED;
	}
	work->hangs += hung;
	work->crashes += !hung;
	if (!all->trouble)
		all->trouble = hung ? xs_asprintf("no sign of life for %g s", work->plain.patience)
				    : xs_asprintf("it died");
	free(*words);
	*words = xs_take(&said);
	stop(work);
	return hung ? ORA_AGAIN_LOST : ORA_AGAIN_CRASHED;
}

/* --- to a stop ------------------------------------------------------------------------------ */

static void add(struct ora_commands *commands, char *text)
{
	xs_vec_push(&commands->vec, text);
}

/* Behind the command that starts the program: what xstep does at its beginning. */
static void add_clearing(const struct work *work, struct ora_commands *ret)
{
	const struct clearing *clearing = &work->clearing;
	bool gdb = work->session.who == ORA_WITNESS_GDB;
	if (clearing->random)
		add(ret, xs_asprintf(gdb ? "restore random binary 0x%" PRIx64
					 : "memory write --infile random 0x%" PRIx64,
				 clearing->random));
	add(ret, xs_asprintf(gdb ? "tbreak *0x%" PRIx64 : "breakpoint set -o 1 -a 0x%" PRIx64,
			 clearing->entry));
	add(ret, xs_strdup("continue"));
	add(ret, xs_asprintf(gdb ? "restore zeros binary $sp-%" PRIu64
				 : "memory write --infile zeros `$sp-%" PRIu64 "`",
			 clearing->size));
}

static void add_way(const struct work *work, struct ora_commands *ret)
{
	bool gdb = work->session.who == ORA_WITNESS_GDB;
	struct ora_commands way = {0};
	if (!work->runs && work->round == ROUND_QUICK)
		add(ret, xs_strdup(gdb ? "set debug-file-directory /nowhere"
				       : "settings set symbols.enable-external-lookup false"));
	if (work->runs) {
		add(ret, xs_strdup(gdb ? "kill" : "process kill"));
		add(ret, xs_strdup(gdb ? "delete" : "breakpoint delete --force"));
	}
	ora_by_hand_way(&work->session, &way);
	for (size_t i = 0; i < way.vec.len; i++) {
		bool begins = !strncmp(way.vec.data[i], "starti", 6) ||
			      !strncmp(way.vec.data[i], "process launch", 14);
		add(ret, xs_take(&way.vec.data[i]));
		if (begins && work->round == ROUND_CLEARED)
			add_clearing(work, ret);
	}
	ora_commands_deinit(&way);
	add(ret, xs_strdup(gdb ? "output/x $pc" : "register read rip"));
}

/* Brings the debugger to a stop; *again says if that failed. */
static struct xs_error *go(
	struct work *work, const struct ora_reproduction *one, enum ora_again *again, char **words)
{
	struct ora_commands commands = {0}, texts = {0};
	struct xs_error *err = NULL;
	work->session.route = one->route;
	work->there = false;
	ora_commands_deinit(&work->frames);
	if (!work->alive && (err = start(work)))
		return err;
	add_way(work, &commands);
	work->runs++;
	work->all->runs++;
	enum ora_plain_end end = ora_plain_ask(&work->plain, &commands, &texts);
	if (end != ORA_PLAIN_ANSWERED) {
		*again = give_up(work, end, &texts, words);
	} else {
		const char *last = texts.vec.data[texts.vec.len - 1];
		/* lldb may put a remark about the DWARF before its answer. */
		for (const char *at = last; (at = strstr(at, "0x")); at += 2)
			work->there |= strtoull(at, NULL, 16) == one->question.pc;
		*again = work->there ? ORA_AGAIN_NOT_ASKED : ORA_AGAIN_LOST;
		if (!work->there) {
			free(*words);
			*words = xs_asprintf("came to %.*s", (int)strcspn(last, "\n"), last);
		}
	}
	ora_commands_deinit(&commands);
	ora_commands_deinit(&texts);
	return err;
}

/* Whether a name in it has no words in the debugger's language. */
static bool is_unsayable(const struct work *work, const struct ora_reproduction *one)
{
	struct ora_by_hand session = work->session;
	struct ora_commands commands = {0};
	session.route = one->route;
	ora_by_hand_settings(&session, &commands);
	ora_by_hand_way(&session, &commands);
	ora_by_hand_ask(&session, &one->question, &commands);
	bool ret = commands.unsayable;
	ora_commands_deinit(&commands);
	return ret;
}

/* --- at a stop ------------------------------------------------------------------------------ */

/* Whether a frame's name has the word that the last component of another begins with, where that is
 * more than a word: `_M_construct` of `_M_construct<char const*>`. */
static bool has_word_of(const char *frame, const char *scope)
{
	const char *name = scope ? di_name_in_scope(scope) : "";
	size_t length = strcspn(name, " \t\n(<{`'\"\\\x1b");
	if (!length || !name[length])
		return false;
	XS_AUTO_FREE char *word = xs_asprintf("%.*s", (int)length, name);
	const char *at = strstr(frame, word);
	return at && (at == frame || at[-1] == ':' || at[-1] == ' ') &&
	       (!at[length] || strchr("<( ", at[length]));
}

/* The debugger's own number of the frame that a variable is in: it may show more frames than xstep,
 * of tail calls, or fewer. False: it does not show that one. */
static bool find_frame(
	const struct work *work, const struct ora_difference *difference, unsigned *ret)
{
	size_t count = work->frames.vec.len, rank = 0;
	unsigned wanted = difference->frame;
	bool (*same)(const char *, const char *) = ora_reply_same_function;
	for (size_t i = 0; i < count; i++)
		if (ora_reply_same_qualified(work->frames.vec.data[i], difference->scope))
			same = ora_reply_same_qualified;
	if (wanted < count && same(work->frames.vec.data[wanted], difference->scope)) {
		/* The same function may be there several times. */
		for (size_t i = wanted; i < count; i++)
			rank += same(work->frames.vec.data[i], difference->scope);
		if (rank == difference->rank) {
			*ret = wanted;
			return true;
		}
	}
	rank = 0;
	for (size_t i = count; i-- > 0;) {
		rank += same(work->frames.vec.data[i], difference->scope);
		if (rank == difference->rank) {
			*ret = (unsigned)i;
			return true;
		}
	}
	/* A name that is more than a word is spelled in many ways: its first word must do. */
	if (wanted < count && has_word_of(work->frames.vec.data[wanted], difference->scope)) {
		*ret = wanted;
		return true;
	}
	/* An inlined call that has no frame of its own there is part of the function around it. */
	if (difference->frame_pc == difference->pc && difference->function)
		for (size_t i = 0; i < count; i++)
			if (ora_reply_same_function(
				    work->frames.vec.data[i], difference->function)) {
				*ret = (unsigned)i;
				return true;
			}
	/* A name that is more than a word cannot be found in what is printed. */
	*ret = wanted;
	const char *name = di_name_in_scope(difference->scope);
	return wanted < count && name[strcspn(name, " \t\n(<{`'\"\\\x1b")];
}

/* Asks a question in its present form, once. */
static enum ora_plain_end ask_once(struct work *work, const struct ora_by_hand_question *question,
	struct ora_reply *answer, struct ora_commands *texts)
{
	struct ora_commands commands = {0};
	ora_by_hand_ask(&work->session, question, &commands);
	size_t count = commands.vec.len;
	add(&commands,
		xs_strdup(work->session.who == ORA_WITNESS_GDB ? "frame 0" : "frame select 0"));
	enum ora_plain_end end = ora_plain_ask(&work->plain, &commands, texts);
	if (end == ORA_PLAIN_ANSWERED) {
		free(commands.vec.data[count]);
		commands.vec.len = count;
		ora_reply_read(work->session.who, question, &(struct ora_printed){&commands, texts},
			answer);
	}
	ora_commands_deinit(&commands);
	return end;
}

/* Asks in one form, and compares. */
static enum ora_again ask_form(struct work *work, struct ora_reproduction *one,
	const struct ora_by_hand_question *question, struct ora_reply *answer, char **words)
{
	struct ora_commands texts = {0};
	ora_reply_deinit(answer);
	enum ora_plain_end end = ask_once(work, question, answer, &texts);
	enum ora_again ret = ORA_AGAIN_OTHER;
	if (end != ORA_PLAIN_ANSWERED)
		ret = give_up(work, end, &texts, words);
	else if (ora_reply_is(answer, question, &one->difference->said[one->w], &work->names))
		ret = ORA_AGAIN_SAME;
	ora_commands_deinit(&texts);
	return ret;
}

/* Learns which frames the debugger shows at this stop. */
static enum ora_plain_end look_at_frames(struct work *work, struct ora_commands *texts)
{
	const struct ora_by_hand_question question = {.aspect = ORA_ASPECT_FRAMES};
	struct ora_commands commands = {0};
	if (work->frames.vec.len)
		return ORA_PLAIN_ANSWERED;
	ora_by_hand_ask(&work->session, &question, &commands);
	enum ora_plain_end end = ora_plain_ask(&work->plain, &commands, texts);
	if (end == ORA_PLAIN_ANSWERED)
		ora_reply_frames(work->session.who, texts->vec.data[0], &work->frames);
	ora_commands_deinit(&commands);
	return end;
}

static bool is_in_frame(const struct ora_difference *difference)
{
	return (difference->aspect == ORA_ASPECT_VARIABLE ||
		       difference->aspect == ORA_ASPECT_LOOKUP ||
		       difference->aspect == ORA_ASPECT_BUILDS) &&
	       !difference->global && difference->scope;
}

static enum ora_again ask(struct work *work, struct ora_reproduction *one, char **words)
{
	struct ora_by_hand_question *question = &one->question, form;
	struct ora_commands texts = {0};
	struct ora_reply answer = {0};
	enum ora_plain_end end = ORA_PLAIN_ANSWERED;
	enum ora_again ret;
	if (is_in_frame(one->difference))
		end = look_at_frames(work, &texts);
	if (end != ORA_PLAIN_ANSWERED) {
		ret = give_up(work, end, &texts, words);
		ora_commands_deinit(&texts);
		return ret;
	}
	ora_commands_deinit(&texts);
	if (is_in_frame(one->difference) && !find_frame(work, one->difference, &question->frame)) {
		free(*words);
		*words = xs_asprintf("no frame of %s", one->difference->scope);
		return ORA_AGAIN_LOST;
	}
	const struct ora_difference *difference = one->difference;
	if (!difference->frame_module && difference->frame_pc != XS_ADDR_NONE)
		ora_by_hand_know(question, work->all->run->subject->modules.data[0].info,
			difference->frame_pc);
	form = *question;
	ret = ask_form(work, one, &form, &answer, words);
	if (ret == ORA_AGAIN_OTHER && answer.complex) {
		form.complex = true;
		ret = ask_form(work, one, &form, &answer, words);
		*question = form;
	}
	/* A typedef does not tell that it is a float's. */
	if (ret == ORA_AGAIN_OTHER && answer.read && answer.state == ORA_STATE_VALUE &&
		question->state == ORA_STATE_VALUE && is_in_frame(one->difference)) {
		struct ora_reply other = {0};
		form.plain = true;
		ret = ask_form(work, one, &form, &other, words);
		if (ret == ORA_AGAIN_SAME) {
			*question = form;
			ora_reply_deinit(&answer);
			answer = other;
		} else {
			ora_reply_deinit(&other);
		}
	}
	if (ret == ORA_AGAIN_SAME || ret == ORA_AGAIN_OTHER) {
		free(*words);
		*words = xs_asprintf("%.*s", WORDS_MAX, answer.words);
	}
	ora_reply_deinit(&answer);
	return ret;
}

/* --- all of them ---------------------------------------------------------------------------- */

static bool is_same_way(const struct ora_route *a, const struct ora_route *b)
{
	return a && a->entry == b->entry && a->place == b->place && a->arrivals == b->arrivals &&
	       a->step == b->step;
}

/* Whether there is a way to ask it. */
static bool can_be_asked(const struct ora_reproduction *one)
{
	const struct ora_difference *difference = one->difference;
	return one->route && one->route->entry && !one->unsayable && !difference->module &&
	       difference->said[one->w].heard && difference->aspect != ORA_ASPECT_STOPS &&
	       difference->aspect != ORA_ASPECT_CHECK &&
	       /* Only the line tells one variable of a name from another. */
	       !(difference->aspect == ORA_ASPECT_LOOKUP && !difference->decl_line);
}

/* Whether it belongs to a round. */
static bool is_of_round(const struct ora_reproduction *one, enum round round)
{
	if (!can_be_asked(one))
		return false;
	if (round != ROUND_CLEARED)
		return one->again != ORA_AGAIN_SAME && one->again != ORA_AGAIN_CRASHED;
	/* Memory that nobody wrote may be what makes the difference. */
	return one->again == ORA_AGAIN_OTHER && one->difference->aspect == ORA_ASPECT_VARIABLE &&
	       one->difference->said[one->w].state == ORA_STATE_VALUE;
}

/* Asks one, wherever the debugger is. */
static struct xs_error *settle(struct work *work, struct ora_reproduction *one)
{
	enum ora_again again = ORA_AGAIN_NOT_ASKED;
	char *words = NULL;
	struct xs_error *err = NULL;
	if (!work->there || !is_same_way(work->session.route, one->route))
		err = go(work, one, &again, &words);
	if (!err && work->there)
		again = ask(work, one, &words);
	if (err || (work->round == ROUND_CLEARED && again != ORA_AGAIN_SAME)) {
		free(words);
		return err;
	}
	free(one->words);
	one->words = words;
	one->again = again;
	one->cleared = work->round == ROUND_CLEARED;
	return NULL;
}

/* Those that belong to a round, and of these the ones at one stop together. */
static struct xs_error *ask_round(struct work *work)
{
	struct ora_reproducing *all = work->all;
	size_t count = all->asked.len;
	XS_AUTO_FREE bool *done = xs_calloc(count + 1, sizeof *done);
	for (size_t i = 0; i < count; i++)
		done[i] = !is_of_round(&all->asked.data[i], work->round);
	for (size_t i = 0; i < count; i++)
		for (size_t k = i; !done[i] && k < count; k++) {
			struct ora_reproduction *one = &all->asked.data[k];
			if (done[k] || !is_same_way(all->asked.data[i].route, one->route))
				continue;
			struct xs_error *err = settle(work, one);
			if (err || all->interrupted_by)
				return err;
			done[k] = k != i;
			if (work->hangs >= HANGS_MAX || work->crashes >= CRASHES_MAX)
				return NULL;
		}
	return NULL;
}

/* Learns from a run of xstep's own what it does to a program at its beginning. */
static struct xs_error *find_clearing(struct work *work)
{
	struct ora_run *run = work->all->run;
	struct clearing *clearing = &work->clearing;
	XS_AUTO(eng_process) process = NULL;
	XS_AUTO_FREE char *line = NULL;
	struct user_regs_struct *regs;
	size_t size = 0;
	uint64_t lo, hi;
	struct xs_error *err = ora_run_launch(run, &process);
	if (err || (err = eng_tracee_regs(&process->tracee, &regs)) ||
		(err = eng_process_auxv(process, AT_RANDOM, &clearing->random)))
		return err;
	XS_AUTO_FREE char *path = xs_asprintf("/proc/%d/maps", process->tracee.pid);
	XS_AUTO_FILE FILE *maps = fopen(path, "re");
	while (maps && getline(&line, &size, maps) > 0)
		if (sscanf(line, "%" SCNx64 "-%" SCNx64, &lo, &hi) == 2 && regs->rsp > lo &&
			regs->rsp <= hi)
			clearing->size = regs->rsp - lo;
	clearing->entry = regs->rip;
	clearing->known = clearing->size > 0;
	return NULL;
}

/* Whether there is anything to ask in a round, and somebody to ask. */
static bool is_wanted(const struct work *work, enum round round)
{
	const struct ora_reproducing *all = work->all;
	const struct ora_module *module = &all->run->subject->modules.data[0];
	if (all->interrupted_by || work->hangs >= HANGS_MAX || work->crashes >= CRASHES_MAX)
		return false;
	if (round == ROUND_QUICK && (module->info->separate || module->info->supplement.file))
		return false;
	for (size_t i = 0; i < all->asked.len; i++)
		if (is_of_round(&all->asked.data[i], round))
			return true;
	return false;
}

static struct xs_error *ask_all(struct work *work)
{
	struct xs_error *err = NULL;
	for (enum round round = ROUND_QUICK; !err && round <= ROUND_CLEARED; round++) {
		if (!is_wanted(work, round))
			continue;
		stop(work);
		if (round == ROUND_CLEARED &&
			((err = find_clearing(work)) || !work->clearing.known))
			break;
		work->round = round;
		err = ask_round(work);
	}
	stop(work);
	return err;
}

struct xs_error *ora_reproduce(struct ora_reproducing *reproducing)
{
	double begin = xs_now();
	char directory[PATH_MAX];
	struct xs_error *err = ora_run_open(reproducing->run);
	if (err || !reproducing->debugger->path)
		return err;
	XS_AUTO_FREE char *in = realpath(reproducing->in ? reproducing->in : "/dev/null", NULL);
	struct work work = {.all = reproducing,
		.session = {.who = reproducing->debugger->kind,
			.run = reproducing->run,
			.in = in,
			.directory = getcwd(directory, sizeof directory)},
		.names = {is_own, reproducing->run}};
	if (work.session.who == ORA_WITNESS_LLDB)
		work.session.out = "/dev/null";
	else if (!reproducing->in)
		work.session.in = NULL; /* its terminal is /dev/null (plain_debugger.c) */
	for (size_t i = 0; i < reproducing->asked.len; i++) {
		struct ora_reproduction *one = &reproducing->asked.data[i];
		one->question = ora_by_hand_about(
			one->difference, one->w, one->by_name, one->route ? one->route->bias : 0);
		one->unsayable = one->route && is_unsayable(&work, one);
	}
	err = ask_all(&work);
	reproducing->seconds = xs_now() - begin;
	return err;
}

void ora_reproducing_deinit(struct ora_reproducing *reproducing)
{
	for (size_t i = 0; i < reproducing->asked.len; i++)
		free(reproducing->asked.data[i].words);
	xs_vec_deinit(&reproducing->asked);
	free(reproducing->trouble);
}
