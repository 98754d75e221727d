#include "engine/rsp_packet.h"

#include <stdarg.h>

enum {
	ESCAPE = '}',
	FLIP = 0x20,
	RUN_BIAS = 29, /* what is added to a count to make a character of it */
	RUN_LEAST = 3, /* a shorter one is no shorter when told as a run */
	RUN_MOST = 126 - RUN_BIAS,
};

/* --- text and digits ------------------------------------------------------------------------- */

void eng_rsp_put(struct eng_rsp_bytes *to, const void *bytes, size_t size)
{
	if (!size)
		return;
	to->vec.data = xs_vec_grow(to->vec.data, &to->vec.cap, to->vec.len + size, 1);
	memcpy(to->vec.data + to->vec.len, bytes, size);
	to->vec.len += size;
}

void eng_rsp_put_text(struct eng_rsp_bytes *to, const char *text)
{
	eng_rsp_put(to, text, strlen(text));
}

void eng_rsp_put_hex(struct eng_rsp_bytes *to, const void *bytes, size_t size)
{
	static const char digits[] = "0123456789abcdef";
	const uint8_t *from = bytes;
	to->vec.data = xs_vec_grow(to->vec.data, &to->vec.cap, to->vec.len + 2 * size, 1);
	for (size_t i = 0; i < size; i++) {
		to->vec.data[to->vec.len++] = (uint8_t)digits[from[i] >> 4];
		to->vec.data[to->vec.len++] = (uint8_t)digits[from[i] & 15];
	}
}

void eng_rsp_print(struct eng_rsp_bytes *to, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	XS_AUTO_FREE char *text = xs_vasprintf(format, args);
	va_end(args);
	eng_rsp_put_text(to, text);
}

int eng_rsp_digit(int character)
{
	if (character >= '0' && character <= '9')
		return character - '0';
	character |= 0x20;
	return character >= 'a' && character <= 'f' ? character - 'a' + 10 : -1;
}

bool eng_rsp_number(const char **at, uint64_t *ret)
{
	int digits = 0;
	*ret = 0;
	for (int digit; (digit = eng_rsp_digit(**at)) >= 0; ++*at) {
		if (*ret >> 60)
			return false;
		*ret = *ret << 4 | (unsigned)digit;
		digits++;
	}
	return digits > 0;
}

size_t eng_rsp_unhex(const char *text, size_t length, uint8_t *ret, size_t most)
{
	size_t count = 0;
	while (count < most && 2 * count + 1 < length) {
		int high = eng_rsp_digit(text[2 * count]), low = eng_rsp_digit(text[2 * count + 1]);
		if (high < 0 || low < 0)
			break;
		ret[count++] = (uint8_t)(high << 4 | low);
	}
	return count;
}

/* --- encoding -------------------------------------------------------------------------------- */

static bool is_special(uint8_t byte)
{
	return byte == '$' || byte == '#' || byte == ESCAPE || byte == '*';
}

static void put_byte(struct eng_rsp_bytes *to, uint8_t byte)
{
	if (is_special(byte)) {
		xs_vec_push(&to->vec, ESCAPE);
		byte ^= FLIP;
	}
	xs_vec_push(&to->vec, byte);
}

/* How many more of bytes[0] follow it, as far as one run can tell. */
static size_t run_at(const uint8_t *bytes, size_t size)
{
	size_t more = 0;
	while (more + 1 < size && more < RUN_MOST && bytes[more + 1] == bytes[0])
		more++;
	/* A run's length must not look like a packet's beginning or end. */
	while (more && (more + RUN_BIAS == '#' || more + RUN_BIAS == '$'))
		more--;
	return more;
}

void eng_rsp_encode(struct eng_rsp_bytes *to, const void *payload, size_t size, bool runs)
{
	const uint8_t *from = payload;
	uint8_t sum = 0;
	char end[4];
	xs_vec_push(&to->vec, '$');
	size_t begin = to->vec.len;
	for (size_t i = 0; i < size; i++) {
		put_byte(to, from[i]);
		/* Clients repeat before they unescape. */
		bool may = runs && i + RUN_LEAST < size && from[i] == from[i + 1];
		size_t more = may && !is_special(from[i]) ? run_at(from + i, size - i) : 0;
		if (more < RUN_LEAST)
			continue;
		xs_vec_push(&to->vec, '*');
		xs_vec_push(&to->vec, (uint8_t)(more + RUN_BIAS));
		i += more;
	}
	for (size_t i = begin; i < to->vec.len; i++)
		sum = (uint8_t)(sum + to->vec.data[i]);
	snprintf(end, sizeof end, "#%02x", sum);
	eng_rsp_put(to, end, 3);
}

/* --- decoding -------------------------------------------------------------------------------- */

static void begin(struct eng_rsp_decoder *decoder)
{
	decoder->state = ENG_RSP_INSIDE;
	decoder->escaped = decoder->run = decoder->oversize = false;
	decoder->sum = 0;
	decoder->payload.vec.len = 0;
}

static void keep(struct eng_rsp_decoder *decoder, uint8_t byte)
{
	if (decoder->payload.vec.len >= decoder->limit)
		decoder->oversize = true;
	else
		xs_vec_push(&decoder->payload.vec, byte);
}

/* A byte of a packet that is not its end. */
static void inside(struct eng_rsp_decoder *decoder, uint8_t byte)
{
	decoder->sum = (uint8_t)(decoder->sum + byte);
	if (decoder->run) {
		decoder->run = false;
		size_t len = decoder->payload.vec.len;
		for (int more = byte - RUN_BIAS; len && more > 0; more--)
			keep(decoder, decoder->payload.vec.data[len - 1]);
	} else if (decoder->escaped) {
		decoder->escaped = false;
		keep(decoder, byte ^ FLIP);
	} else if (byte == ESCAPE) {
		decoder->escaped = true;
	} else if (byte == '*' && decoder->runs) {
		decoder->run = true;
	} else {
		keep(decoder, byte);
	}
}

static enum eng_rsp_item outside(struct eng_rsp_decoder *decoder, uint8_t byte)
{
	switch (byte) {
	case '$':
		begin(decoder);
		return ENG_RSP_NOTHING;
	case '+':
		return ENG_RSP_ACK;
	case '-':
		return ENG_RSP_NACK;
	case 0x03:
		return ENG_RSP_INTERRUPT;
	default:
		return ENG_RSP_GARBAGE;
	}
}

static enum eng_rsp_item take(struct eng_rsp_decoder *decoder, uint8_t byte)
{
	switch (decoder->state) {
	case ENG_RSP_OUTSIDE:
		return outside(decoder, byte);
	case ENG_RSP_INSIDE:
		if (byte == '$') { /* never part of a payload: the one before was cut short */
			begin(decoder);
			return ENG_RSP_DAMAGED;
		}
		if (byte == '#')
			decoder->state = ENG_RSP_SUM_1;
		else
			inside(decoder, byte);
		return ENG_RSP_NOTHING;
	case ENG_RSP_SUM_1:
		decoder->told = eng_rsp_digit(byte);
		decoder->state = ENG_RSP_SUM_2;
		return ENG_RSP_NOTHING;
	case ENG_RSP_SUM_2:
		break;
	}
	decoder->state = ENG_RSP_OUTSIDE;
	if (decoder->oversize)
		return ENG_RSP_OVERSIZE;
	int second = eng_rsp_digit(byte);
	bool good = decoder->told >= 0 && second >= 0 &&
		    (decoder->told << 4 | second) == decoder->sum && !decoder->escaped;
	return good ? ENG_RSP_PACKET : ENG_RSP_DAMAGED;
}

size_t eng_rsp_decode(
	struct eng_rsp_decoder *decoder, const uint8_t *bytes, size_t size, enum eng_rsp_item *ret)
{
	*ret = ENG_RSP_NOTHING;
	for (size_t i = 0; i < size; i++)
		if ((*ret = take(decoder, bytes[i])) != ENG_RSP_NOTHING)
			return i + 1;
	return size;
}

void eng_rsp_decoder_deinit(struct eng_rsp_decoder *decoder)
{
	xs_vec_deinit(&decoder->payload.vec);
}
