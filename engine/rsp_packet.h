/* rsp_packet.h - packets of the gdb remote serial protocol: from bytes to packets and back.
 *
 *     $payload#xx     xx: the payload's bytes added up, two hex digits
 *     + -             the last packet came well; or is to be sent again
 *     0x03            interrupt
 *
 * In a payload `}` escapes the byte behind it, which was XORed with 0x20. In what a server sends
 * `c*n` is a run: n - 29 more of c. What a client sends has no runs: there a `*` is a `*`.
 *
 * It knows no descriptor and no process. */
#ifndef ENG_RSP_PACKET_H
#define ENG_RSP_PACKET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct eng_rsp_bytes {
	XS_VEC(uint8_t) vec;
};

enum eng_rsp_item {
	ENG_RSP_NOTHING,   /* all was consumed, and there is no whole item yet */
	ENG_RSP_PACKET,    /* payload holds one, unescaped */
	ENG_RSP_DAMAGED,   /* one with a wrong checksum: to be asked for again */
	ENG_RSP_OVERSIZE,  /* one that is longer than the limit; it was thrown away */
	ENG_RSP_ACK,       /* + */
	ENG_RSP_NACK,      /* - */
	ENG_RSP_INTERRUPT, /* 0x03 */
	ENG_RSP_GARBAGE,   /* a byte that means nothing where it stands */
};

/* Zero-initialised but for the first two. */
struct eng_rsp_decoder {
	size_t limit; /* of a payload, in bytes */
	bool runs;    /* expand them: for what a server has sent */

	struct eng_rsp_bytes payload; /* of the last packet, or what has come of the next */
	enum { ENG_RSP_OUTSIDE, ENG_RSP_INSIDE, ENG_RSP_SUM_1, ENG_RSP_SUM_2 } state;
	bool escaped, run; /* the next byte is; or says how long a run is */
	bool oversize;     /* too much has come already */
	uint8_t sum;       /* of what has come */
	int told;          /* checksum's first digit, -1: none */
};

/* Consumes bytes up to the end of the next item; returns how many. */
size_t eng_rsp_decode(
	struct eng_rsp_decoder *decoder, const uint8_t *bytes, size_t size, enum eng_rsp_item *ret);
void eng_rsp_decoder_deinit(struct eng_rsp_decoder *decoder);

/* Appends a packet with this payload, escaped, long runs being told as such if `runs`. */
void eng_rsp_encode(struct eng_rsp_bytes *to, const void *payload, size_t size, bool runs);

/* Appends bytes; text; bytes as hex digits. */
void eng_rsp_put(struct eng_rsp_bytes *to, const void *bytes, size_t size);
void eng_rsp_put_text(struct eng_rsp_bytes *to, const char *text);
void eng_rsp_put_hex(struct eng_rsp_bytes *to, const void *bytes, size_t size);
void eng_rsp_print(struct eng_rsp_bytes *to, const char *format, ...) XS_PRINTF(2, 3);

/* The value of a hex digit, -1 if it is none. */
int eng_rsp_digit(int character);
/* A number in hex at *at, which is moved behind it; false if there is none, or if it is too long.
 */
bool eng_rsp_number(const char **at, uint64_t *ret);
/* Bytes from pairs of digits: how many there were, as far as they go. */
size_t eng_rsp_unhex(const char *text, size_t length, uint8_t *ret, size_t most);

#endif
