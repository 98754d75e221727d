/* sink.h - where testimony goes. Whoever testifies tells one sink, stop by stop; a printer, a store
 * and a line on the terminal are sinks.
 *
 *     begin, then in any order step, stop, trouble, then transition*, figure*, end
 *
 * Rules:
 * 1. One sink hears any number of testimonies, one after the other. Threads of one process are told
 *    at the same time: each but the first has a sink of its own, by split().
 * 2. What is passed lives until the call returns; places live until end() returns.
 * 3. After an error of begin() nothing follows. After any other error end() does, with that
 *    trouble.
 * 4. A witness that cannot testify is absent(): nothing else is told of it.
 * 5. A sink leaves NULL what it does not want to hear. */
#ifndef ORA_SINK_H
#define ORA_SINK_H

#include "oracle/store/ending.h"
#include "oracle/store/store.h"

struct di_module;
struct ora_sink;

/* Who testifies, and about what. */
struct ora_told_about {
	const char *title;            /* what a line about it begins with: gdb, a program's name */
	const char *witness;          /* its label: xstep, gdb, gdb:print, ... */
	const char *version;          /* in full, as it says itself; NULL: it says none */
	const char *path;             /* of the debugger; NULL: there is none */
	const char *program;          /* path of the program */
	char *const *argv;            /* its arguments */
	const struct di_module *info; /* the program's debug information */
	struct ora_store_trace trace; /* how it testifies; its arguments are not filled in */
	bool texts;                   /* whole variables are told, in the witness's own text */
	unsigned thread;              /* whose stops they are, if all are told: from 1; else 0 */
};

/* What it took; told by xstep alone. */
struct ora_told_effort {
	uint64_t traps, steps, signals; /* see eng_trace */
	double seconds;
};

struct ora_told_end {
	struct ora_ending ending;
	const char *trouble;      /* what went wrong, or NULL */
	bool failed;              /* that is xstep's own error, which its caller is told of */
	uint64_t stops, kept;     /* executed ones, and those that were told */
	bool counted;             /* whether kept and transitions are known */
	uint64_t transitions;     /* different ones */
	const char *const *never; /* shared objects that were to be looked into and never came */
	size_t never_count;
	const char *loaded; /* names of those that did */
	struct ora_told_effort effort;
};

struct ora_sink_ops {
	/* A witness cannot testify, for this reason; of `about` only who it is holds. */
	void (*absent)(
		struct ora_sink *sink, const struct ora_told_about *about, const char *problem);
	struct xs_error *(*begin)(struct ora_sink *sink, const struct ora_told_about *about);
	/* One of all executed stops, told or not: where it is, and where the one before was. */
	void (*step)(struct ora_sink *sink, const struct ora_told_transition *step);
	struct xs_error *(*stop)(struct ora_sink *sink, const struct ora_told *told);
	/* A part of what was asked for could not be had. */
	void (*trouble)(struct ora_sink *sink, const char *message);
	void (*transition)(struct ora_sink *sink, const struct ora_told_transition *transition);
	/* A figure of coverage, see ora_writer_coverage(). */
	void (*figure)(struct ora_sink *sink, const char *kind, const char *name, uint64_t selected,
		uint64_t evaluated);
	struct xs_error *(*end)(struct ora_sink *sink, const struct ora_told_end *end);
	/* A sink for another thread, to be destroyed with ora_sink_destroy() after its end. */
	struct ora_sink *(*split)(struct ora_sink *sink);
	void (*destroy)(struct ora_sink *sink); /* NULL: nothing to let go of */
};

/* The first member of every sink. */
struct ora_sink {
	const struct ora_sink_ops *ops;
	bool inlined; /* it wants the inlined calls of places */
	bool moves;   /* it wants to hear facts again when only the number of their frame changed */
};

/* These do nothing where the sink does not listen. */
void ora_sink_absent(
	struct ora_sink *sink, const struct ora_told_about *about, const char *problem);
XS_MUST_CHECK struct xs_error *ora_sink_begin(
	struct ora_sink *sink, const struct ora_told_about *about);
XS_MUST_CHECK struct xs_error *ora_sink_stop(struct ora_sink *sink, const struct ora_told *told);
void ora_sink_trouble(struct ora_sink *sink, const char *message);
XS_MUST_CHECK struct xs_error *ora_sink_end(struct ora_sink *sink, const struct ora_told_end *end);
void ora_sink_destroy(struct ora_sink *sink);

/* One sink that passes all on to several; NULLs among them are left out. They stay the caller's. To
 * be destroyed. */
struct ora_sink *ora_tee_create(struct ora_sink *const *sinks, size_t count);

#endif
