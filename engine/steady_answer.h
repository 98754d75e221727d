/* steady_answer.h - what the subject is told when it asks: see steady_run.h. */
#ifndef ENG_STEADY_ANSWER_H
#define ENG_STEADY_ANSWER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { ENG_STEADY_PID = 4242424 }; /* more than the kernel's greatest, 2^22 */

/* A process of the subject, and how far its answers have come. */
struct eng_steady_process {
	pid_t pid;         /* the real one */
	bool first;        /* the one that was started, not one that it forked */
	pid_t first_pid;   /* of the first one, to which ENG_STEADY_PID belongs */
	uint64_t now;      /* nanoseconds since the beginning */
	uint64_t randoms;  /* words of random bytes that it was given */
	bool key_given;    /* malloc's, see constant.h */
	uint64_t waits;    /* nanoseconds it was about to wait for something; 0: it was not */
	uint64_t waits_at; /* real nanoseconds when it was */
};

/* A system call of one of its threads. */
struct eng_steady_question {
	pid_t pid;        /* of the thread */
	int call;         /* its number */
	uint64_t args[6]; /* its arguments */
};

/* What to do about a question. */
struct eng_steady_answer {
	bool ours;       /* else the kernel answers */
	int64_t value;   /* what the call returns: -errno is an error */
	int fd;          /* a file that it opens, ours to close; -1: none */
	bool by_fd;      /* the call returns that file */
	uint64_t delay;  /* nanoseconds until it is answered */
	bool passed_pid; /* the kernel is told a process number that it does not know */
};

/* Answers a question of that process, whose state moves on. */
struct eng_steady_answer eng_steady_answer(
	struct eng_steady_process *process, const struct eng_steady_question *question);

/* A number of /proc/PID/status: `Tgid:`, `PPid:`; 0 if there is none. */
pid_t eng_steady_status(pid_t pid, const char *key);

#endif
