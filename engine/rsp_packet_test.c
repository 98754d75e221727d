/* Bytes to packets and back: framing, checksums, escapes, runs, and what is no packet. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "engine/rsp_packet.h"
#include "engine/rsp_signal.h"

/* The items in text, one letter each: Packet, Damaged, Oversize, +, -, Interrupt, Garbage. */
static const char *items(const char *text, size_t size, size_t limit, size_t piece)
{
	static char ret[64];
	struct eng_rsp_decoder decoder = {.limit = limit};
	size_t count = 0;
	for (size_t from = 0; from < size; from += piece) {
		size_t part = size - from < piece ? size - from : piece;
		for (size_t at = 0; at < part;) {
			enum eng_rsp_item item;
			at += eng_rsp_decode(
				&decoder, (const uint8_t *)text + from + at, part - at, &item);
			if (item)
				ret[count++] = " PDO+-IG"[item];
		}
	}
	ret[count] = 0;
	eng_rsp_decoder_deinit(&decoder);
	return ret;
}

static void packets_are_found_however_they_are_cut(void **state)
{
	(void)state;
	static const struct {
		const char *text, *items;
	} cases[] = {
		{"$OK#9a", "P"},
		{"+$OK#9a-", "+P-"},
		{"$OK#9A$?#3f", "PP"},
		{"$OK#9b", "D"},
		{"$OK#zz", "D"},
		{"\x03$OK#9a", "IP"},
		{"ab$OK#9a", "GGP"},
		{"$#00", "P"},
		{"$half$OK#9a", "DP"}, /* the first was cut short */
		{"$longer than eight#00+", "O+"},
		{"$a}\x03#e1", "P"},
		{"$a}#de", "D"}, /* an escape that escapes nothing */
		{"$half", ""},
		{"$OK#9", ""},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (size_t piece = 1; piece < 8; piece++)
			assert_string_equal(items(cases[i].text, strlen(cases[i].text), 8, piece),
				cases[i].items);
}

static void encoded_packets_decode_to_the_same_bytes(void **state)
{
	(void)state;
	uint64_t seed = 1;
	for (int round = 0; round < 3000; round++) {
		uint8_t bytes[300];
		struct eng_rsp_bytes out = {0};
		size_t size = (size_t)round % sizeof bytes;
		for (size_t i = 0; i < size; i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			/* Some rounds have long runs, some special bytes. */
			bytes[i] = i && seed >> 60 < (unsigned)round % 16 ? bytes[i - 1]
				   : round % 3                            ? (uint8_t)(seed >> 40)
					       : (uint8_t) "$#}*0"[seed >> 40 & 3];
		}
		bool runs = round % 2;
		eng_rsp_encode(&out, bytes, size, runs);
		struct eng_rsp_decoder decoder = {.limit = sizeof bytes, .runs = runs};
		enum eng_rsp_item item;
		assert_int_equal(
			eng_rsp_decode(&decoder, out.vec.data, out.vec.len, &item), out.vec.len);
		assert_int_equal(item, ENG_RSP_PACKET);
		assert_int_equal(decoder.payload.vec.len, size);
		if (size)
			assert_memory_equal(decoder.payload.vec.data, bytes, size);
		eng_rsp_decoder_deinit(&decoder);
		xs_vec_deinit(&out.vec);
	}
}

static void runs_are_told_as_gdb_reads_them(void **state)
{
	(void)state;
	static const struct {
		const char *payload, *packet;
	} cases[] = {
		{"0000", "$0* #7a"},        /* three more: 32 */
		{"000", "$000#90"},         /* too short */
		{"0000000", "$0*\"0#ac"},   /* six more would be '#': five, and one */
		{"00000000", "$0*\"00#dc"}, /* seven more would be '$' */
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct eng_rsp_bytes out = {0};
		eng_rsp_encode(&out, cases[i].payload, strlen(cases[i].payload), true);
		xs_vec_push(&out.vec, 0);
		assert_string_equal((const char *)out.vec.data, cases[i].packet);
		xs_vec_deinit(&out.vec);
	}
}

static void a_clients_asterisk_is_no_run(void **state)
{
	(void)state;
	struct eng_rsp_decoder decoder = {.limit = 100};
	enum eng_rsp_item item;
	eng_rsp_decode(&decoder, (const uint8_t *)"$0* #7a", 7, &item);
	assert_int_equal(item, ENG_RSP_PACKET);
	assert_int_equal(decoder.payload.vec.len, 3);
	eng_rsp_decoder_deinit(&decoder);
}

static void numbers_end_where_digits_do(void **state)
{
	(void)state;
	const char *text = "7fFF,10", *at = text;
	uint64_t number;
	assert_true(eng_rsp_number(&at, &number));
	assert_int_equal(number, 0x7fff);
	assert_ptr_equal(at, text + 4);
	at = ",";
	assert_false(eng_rsp_number(&at, &number));
	at = "10000000000000000"; /* more than 64 bits */
	assert_false(eng_rsp_number(&at, &number));
}

static void signals_have_numbers_both_ways(void **state)
{
	(void)state;
	assert_int_equal(eng_rsp_signal_to(5), 5);
	assert_int_equal(eng_rsp_signal_to(10), 30); /* SIGUSR1 */
	assert_int_equal(eng_rsp_signal_to(7), 10);  /* SIGBUS */
	assert_int_equal(eng_rsp_signal_to(34), 46);
	assert_int_equal(eng_rsp_signal_from(0), 0);
	for (int signal = 1; signal <= 64; signal++)
		if (signal != 16) /* SIGSTKFLT, which gdb does not know */
			assert_int_equal(eng_rsp_signal_from(eng_rsp_signal_to(signal)), signal);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packets_are_found_however_they_are_cut),
		cmocka_unit_test(encoded_packets_decode_to_the_same_bytes),
		cmocka_unit_test(runs_are_told_as_gdb_reads_them),
		cmocka_unit_test(a_clients_asterisk_is_no_run),
		cmocka_unit_test(numbers_end_where_digits_do),
		cmocka_unit_test(signals_have_numbers_both_ways),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
