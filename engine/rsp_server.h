/* rsp_server.h - answers clients of the gdb remote serial protocol (gdb, lldb) about one process.
 *
 * It answers what is asked about a stopped process and notes what a client wishes to happen next;
 * whoever owns the process decides what becomes of that. Any number of clients may look at once.
 *
 *     LOOKS --(vCont, c, s)--> RUNS --(eng_rsp_client_stopped)--> LOOKS
 *       |                       |
 *       +--(D, k, the end of the connection, misbehaviour)--> LEFT, from either
 *
 * Rules:
 * 1. A client's breakpoints are kept with the client. They are never written into the process here,
 *    so that nobody else sees them.
 * 2. The pc at a stop is that of the instruction about to be executed, for every client; `swbreak`
 *    is told to those who have announced that they know it.
 * 3. With read_only, nothing that a client sends changes the process: it gets an error.
 * 4. Descriptors are not blocking. A client that sends garbage, damaged or oversize packets without
 *    end, or does not read its answers, is dropped: LEFT, with the reason. */
#ifndef ENG_RSP_SERVER_H
#define ENG_RSP_SERVER_H

#include "engine/rsp_file.h"
#include "engine/rsp_view.h"

enum {
	ENG_RSP_PACKET_MOST = 0x20000, /* bytes of a packet, either way */
	ENG_RSP_BAD_MOST = 64,         /* of damaged packets and of garbage, then it is dropped */
};

enum eng_rsp_state {
	ENG_RSP_LOOKS, /* it has the word */
	ENG_RSP_RUNS,  /* it waits for the next stop */
	ENG_RSP_LEFT,  /* it is no more, see `why` */
};

enum eng_rsp_wish {
	ENG_RSP_WISH_NONE,
	ENG_RSP_WISH_CONTINUE, /* RUNS */
	ENG_RSP_WISH_STEP,     /* RUNS: one instruction */
	ENG_RSP_WISH_DETACH,   /* LEFT: let it go */
	ENG_RSP_WISH_KILL,     /* LEFT: end it */
};

struct eng_rsp_break {
	xs_addr addr;  /* where */
	bool hardware; /* asked for as such */
};

/* How the process stopped. */
struct eng_rsp_stop {
	int signal;      /* Linux' number; SIGTRAP for steps and breakpoints */
	bool step;       /* a step has ended */
	bool breakpoint; /* the pc is at a breakpoint of this client's */
};

struct eng_rsp_server {
	/* Set by the caller. */
	struct eng_rsp_view view;
	bool read_only;           /* rule 3 */
	struct eng_rsp_gate gate; /* of files; with read_only there are none */
};

struct eng_rsp_client {
	enum eng_rsp_state state;
	enum eng_rsp_wish wish;
	int wish_signal;                     /* to be delivered with it, 0: none */
	bool wish_addressed;                 /* to go on elsewhere: */
	xs_addr wish_address;                /* here */
	bool interrupted;                    /* it has asked for a stop while it RUNS */
	const char *why;                     /* it LEFT; NULL: as it wished */
	bool closed;                         /* it was the other end that did */
	int fd;                              /* connected, not blocking; -1 when it is closed */
	uint64_t packets;                    /* how many came in all */
	unsigned bad;                        /* damaged ones, garbage */
	struct eng_rsp_stop stop;            /* the last one */
	XS_VEC(struct eng_rsp_break) breaks; /* rule 1 */

	/* What it has announced or chosen. */
	bool no_ack, swbreak, lists_threads, thread_suffix;

	struct eng_rsp_files files; /* that it reads */
	struct eng_rsp_decoder decoder;
	struct eng_rsp_bytes reply; /* payload of the answer that is being made */
	struct eng_rsp_bytes out;   /* what is not written yet */
	size_t written;             /* of it */
	char last[64];              /* the beginning of the last packet, for messages */
};

/* The process is at a stop, which the client will hear of when it asks. Owns fd from now on. */
void eng_rsp_client_init(struct eng_rsp_client *client, int fd, const struct eng_rsp_stop *stop);
void eng_rsp_client_deinit(struct eng_rsp_client *client);

/* Takes what has come from the client, and answers. To be called when fd can be read. */
void eng_rsp_client_take(struct eng_rsp_server *server, struct eng_rsp_client *client);
/* Writes what could not be written so far. To be called when fd can be written. */
void eng_rsp_client_flush(struct eng_rsp_client *client);
bool eng_rsp_client_has_more(const struct eng_rsp_client *client);
/* The process has stopped: a client that RUNS hears of it. */
void eng_rsp_client_stopped(struct eng_rsp_server *server, struct eng_rsp_client *client,
	const struct eng_rsp_stop *stop);
/* The process has ended: by itself with this status, or by this signal. The client LEFT. */
void eng_rsp_client_ended(struct eng_rsp_client *client, bool killed, int number);
/* Closes the connection; why is a constant. */
void eng_rsp_client_drop(struct eng_rsp_client *client, const char *why);

#endif
