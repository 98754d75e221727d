#include "oracle/witness/symboliser/ask.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/interrupt.h"
#include "oracle/witness/debugger/helper.h"
#include "oracle/witness/debugger/silence.h"
#include "oracle/witness/symboliser/tool.h"

enum {
	ADDRESS_BYTES = 20,     /* of an address in text */
	ANSWER_BYTES = 1 << 16, /* that one may have, and so many more in all: */
	ANSWERS_BYTES = 1 << 20,
	WORDS_BYTES = 200,      /* of its complaints that are passed on */
	LAST_WORDS_SECONDS = 2, /* for it to end when its answers have */
};

/* What it has printed so far. */
struct talk {
	struct ora_helper helper;
	XS_VEC(char) answers;    /* on standard output */
	XS_VEC(char) complaints; /* on standard error */
	size_t most;             /* bytes of answers that are kept */
	bool silent;             /* for too long */
	bool endless;            /* more than most */
};

/* Reads what there is; false at the end. */
static bool hear_answers(struct talk *talk)
{
	char buffer[1 << 14];
	ssize_t got = read(talk->helper.results, buffer, sizeof buffer);
	for (ssize_t i = 0; i < got; i++)
		xs_vec_push(&talk->answers, buffer[i]);
	talk->endless = talk->answers.len > talk->most;
	return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

static void hear_complaints(struct talk *talk)
{
	char buffer[1 << 12];
	ssize_t got;
	while ((got = read(talk->helper.said, buffer, sizeof buffer)) > 0)
		for (ssize_t i = 0; i < got && talk->complaints.len < WORDS_BYTES; i++)
			xs_vec_push(&talk->complaints, buffer[i]);
}

/* Until it ends, or is ended. */
static void listen_to(struct talk *talk, double patience)
{
	struct ora_silence silence = {0};
	ora_silence_break(&silence);
	bool open = true;
	while (open && !talk->silent && !talk->endless && !eng_interrupt_is_wish()) {
		struct pollfd fds[] = {{.fd = talk->helper.results, .events = POLLIN},
			{.fd = talk->helper.said, .events = POLLIN}};
		size_t before = talk->answers.len;
		poll(fds, 2, 200);
		hear_complaints(talk);
		open = hear_answers(talk);
		/* Whatever it left behind may hold the pipe open. */
		if (open && talk->answers.len == before && ora_helper_has_ended(&talk->helper))
			open = false;
		if (talk->answers.len != before)
			ora_silence_break(&silence);
		talk->silent = open && ora_silence_seconds(&silence, talk->helper.pid) > patience;
	}
	ora_silence_break(&silence);
	while (!open && !ora_helper_has_ended(&talk->helper) &&
		ora_silence_seconds(&silence, talk->helper.pid) < LAST_WORDS_SECONDS)
		usleep(1000);
	hear_complaints(talk);
	xs_vec_push(&talk->answers, 0);
	xs_vec_push(&talk->complaints, 0);
	talk->complaints.data[strcspn(talk->complaints.data, "\r\n")] = 0;
}

/* What became of it: a result in enum and words. */
static enum ora_asked judge(struct talk *talk, const struct ora_witness *witness,
	const xs_addr *pcs, size_t count, double patience, struct ora_answers *answers,
	char **trouble)
{
	const struct ora_tool *tool = ora_tool_of(witness->kind);
	int status = talk->helper.status;
	bool died = talk->helper.ended && WIFSIGNALED(status);
	if (eng_interrupt_is_wish())
		return ORA_ASKED_INTERRUPTED;
	if (talk->silent) {
		*trouble = xs_asprintf("%s: no answer after %g s", witness->path, patience);
		return ORA_ASKED_SILENT;
	}
	if (died) {
		*trouble = xs_asprintf("%s died of signal %d (%s)", witness->path, WTERMSIG(status),
			strsignal(WTERMSIG(status)));
		return ORA_ASKED_CRASHED;
	}
	if (!talk->endless && talk->answers.len == strlen(talk->answers.data) + 1 &&
		ora_answers_read(tool->dialect, talk->answers.data, pcs, count, answers))
		return ORA_ASKED_ANSWERED;
	*trouble = xs_asprintf("%s: what it prints is not understood%s%s", witness->path,
		*talk->complaints.data ? ": " : "", talk->complaints.data);
	return ORA_ASKED_GARBLED;
}

enum ora_asked ora_ask(const struct ora_witness *witness, const char *program, const xs_addr *pcs,
	size_t count, double patience, struct ora_answers *answers, char **trouble)
{
	const struct ora_tool *tool = ora_tool_of(witness->kind);
	struct talk talk = {.most = ANSWERS_BYTES + count * ANSWER_BYTES};
	XS_VEC(char *) argv = {0};
	/* Its answers go where nothing but they goes: standard error is for complaints. */
	static char shell[] = "/bin/sh", option[] = "-c", line[] = "exec \"$@\" >&3 3>&-";
	static char no_server[] = "DEBUGINFOD_URLS", language[] = "LC_ALL=C";
	xs_vec_push(&argv, shell);
	xs_vec_push(&argv, option);
	xs_vec_push(&argv, line);
	xs_vec_push(&argv, shell);
	xs_vec_push(&argv, witness->path);
	for (char *const *word = tool->words; *word; word++)
		xs_vec_push(&argv, *word);
	XS_AUTO_FREE char *path = xs_strdup(program);
	XS_AUTO_FREE char *texts = xs_calloc(count + 1, ADDRESS_BYTES);
	xs_vec_push(&argv, path);
	for (size_t i = 0; i < count; i++) {
		char *text = texts + i * ADDRESS_BYTES;
		snprintf(text, ADDRESS_BYTES, "0x%" PRIx64, pcs[i]);
		xs_vec_push(&argv, text);
	}
	xs_vec_push(&argv, NULL);
	XS_AUTO(xs_error)
	err = ora_helper_start(
		argv.data, (char *[]){no_server, language, NULL}, NULL, true, NULL, &talk.helper);
	*trouble = NULL;
	enum ora_asked ret = ORA_ASKED_GARBLED;
	if (err) {
		*trouble = xs_strdup(err->message);
	} else {
		listen_to(&talk, patience);
		ret = judge(&talk, witness, pcs, count, patience, answers, trouble);
	}
	ora_helper_end(&talk.helper);
	xs_vec_deinit(&argv);
	xs_vec_deinit(&talk.answers);
	xs_vec_deinit(&talk.complaints);
	return ret;
}
