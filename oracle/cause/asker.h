/* asker.h - asks about a case in processes of their own, several at a time. */
#ifndef ORA_ASKER_H
#define ORA_ASKER_H

#include "oracle/cause/case.h"

struct ora_asker {
	/* Set by the caller. */
	const struct ora_case *one; /* what is asked about */
	const char *scratch;        /* a folder */
	uint64_t jobs;              /* questions at a time; at least 1 */
	const char *memo; /* a folder for answers, made when needed; NULL: none (memo.h) */
	const struct ora_keepers *keepers; /* of debuggers, which questions borrow; or NULL */
	/* Called now and then, a few times a second at least; or NULL. */
	void (*on_moment)(void *context);
	void *context;

	/* Counted. */
	uint64_t asked; /* questions */
	uint64_t found; /* of these, with the finding */
	uint64_t same;  /* of these, answered by the memo */
};

/* One question; its answer is filled in. */
struct ora_asked {
	struct ora_case_change change;
	enum ora_case_end end;
	char *why; /* it is unfit, to be freed; or NULL */
};

/* Asks all of them. Ends early, with an error, if the user wants that. */
XS_MUST_CHECK struct xs_error *ora_asker_ask(
	struct ora_asker *asker, struct ora_asked *questions, size_t count);
/* One question. */
XS_MUST_CHECK struct xs_error *ora_asker_ask_one(
	struct ora_asker *asker, const struct ora_case_change *change, enum ora_case_end *ret);
/* Settles a case, which is replaced: see ora_case_settle(). */
XS_MUST_CHECK struct xs_error *ora_asker_settle(struct ora_asker *asker, struct ora_case *one);
/* Runs a command until it ends by itself. *out and *said, to be freed: what it wrote on standard
 * output and on standard error; *status: its exit status, -1 if it was ended. */
XS_MUST_CHECK struct xs_error *ora_asker_listen(struct ora_asker *asker, const char *folder,
	struct ora_command *line, char **out, char **said, int *status);
/* For people. *said: what it wrote on standard error, or, if that is nothing, on standard output. A
 * warning hides an answer: who reads what is said by machine listens. */
XS_MUST_CHECK struct xs_error *ora_asker_run(struct ora_asker *asker, const char *folder,
	struct ora_command *line, char **said, int *status);

#endif
