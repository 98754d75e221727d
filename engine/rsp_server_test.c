/* The server of the remote protocol, asked by a client of this test's own about a live process:
 * what it answers, that nothing a client sends changes a read-only process, and that no bytes
 * whatever, cut wherever, do harm. SUBJECT is testdata/tool/tool_registers.c. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/socket.h>

#include <cmocka.h>

#include "engine/fingerprint.h"
#include "engine/rsp_registers.h"
#include "engine/rsp_server.h"

struct scene {
	struct eng_process *process;
	struct eng_rsp_server server;
	struct eng_rsp_client client;
	int fd; /* the client's end */
};

static const struct eng_rsp_stop stop = {.signal = SIGTRAP, .step = true};

static void connect_to(struct scene *scene)
{
	int ends[2];
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
	eng_rsp_client_init(&scene->client, ends[0], &stop);
	scene->fd = ends[1];
	fcntl(scene->fd, F_SETFL, O_NONBLOCK);
}

static void disconnect(struct scene *scene)
{
	eng_rsp_client_deinit(&scene->client);
	if (scene->fd >= 0)
		close(scene->fd);
	scene->fd = -1;
}

static int setup(void **state)
{
	struct scene *scene = xs_calloc(1, sizeof *scene);
	XS_AUTO_CLOSE int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	char *argv[] = {(char[]){SUBJECT}, NULL}, *environment[] = {NULL};
	struct eng_launch launch = {.path = SUBJECT,
		.argv = argv,
		.environment = environment,
		.in = nothing,
		.out = nothing,
		.err = nothing};
	struct xs_error *err = eng_process_create(&launch, 0, &scene->process);
	if (err)
		fail_msg("%s", err->message);
	scene->server.view.process = scene->process;
	scene->server.view.path = SUBJECT;
	scene->server.read_only = true;
	connect_to(scene);
	*state = scene;
	return 0;
}

static int teardown(void **state)
{
	struct scene *scene = *state;
	disconnect(scene);
	eng_rsp_view_deinit(&scene->server.view);
	eng_process_destroy(scene->process);
	free(scene);
	return 0;
}

static void push(struct scene *scene, const void *bytes, size_t size)
{
	/* A client that was dropped cannot be written to. */
	ssize_t sent = send(scene->fd, bytes, size, MSG_NOSIGNAL);
	(void)sent;
	for (int i = 0; i < 64 && scene->client.fd >= 0; i++)
		eng_rsp_client_take(&scene->server, &scene->client);
}

/* Sends a packet; the payload of the answer, "" if there is none. */
static const char *ask(struct scene *scene, const char *payload)
{
	static char ret[1 << 18];
	static uint8_t buffer[1 << 18];
	struct eng_rsp_bytes out = {0};
	struct eng_rsp_decoder decoder = {.limit = sizeof ret - 1, .runs = true};
	eng_rsp_encode(&out, payload, strlen(payload), false);
	push(scene, out.vec.data, out.vec.len);
	xs_vec_deinit(&out.vec);
	ssize_t got = recv(scene->fd, buffer, sizeof buffer, 0);
	*ret = 0;
	for (size_t at = 0; got > 0 && at < (size_t)got;) {
		enum eng_rsp_item item;
		at += eng_rsp_decode(&decoder, buffer + at, (size_t)got - at, &item);
		assert_true(item == ENG_RSP_PACKET || item == ENG_RSP_ACK || item == ENG_RSP_NACK ||
			    item == ENG_RSP_NOTHING);
		if (item == ENG_RSP_PACKET) {
			if (decoder.payload.vec.len)
				memcpy(ret, decoder.payload.vec.data, decoder.payload.vec.len);
			ret[decoder.payload.vec.len] = 0;
		}
	}
	eng_rsp_decoder_deinit(&decoder);
	return ret;
}

static uint64_t fingerprint(struct scene *scene)
{
	uint64_t ret = 0;
	assert_false(scene->process->tracee.regs_changed || scene->process->tracee.pc_changed);
	assert_null(eng_fingerprint(scene->process, &ret));
	return ret;
}

/* --- what it answers ------------------------------------------------------------------------- */

static void it_describes_itself(void **state)
{
	struct scene *scene = *state;
	assert_non_null(strstr(ask(scene, "qSupported:swbreak+"), "qXfer:features:read+"));
	assert_non_null(strstr(ask(scene, "qSupported:swbreak+"), ";swbreak+"));
	assert_null(strstr(ask(scene, "qSupported:"), ";swbreak+")); /* lldb does not know it */
	const char *xml = ask(scene, "qXfer:features:read:target.xml:0,1ffff");
	assert_int_equal(*xml, 'l');
	assert_non_null(strstr(xml, "org.gnu.gdb.i386.core"));
	assert_non_null(strstr(xml, "dwarf_regnum=\"16\" ehframe_regnum=\"16\" gcc_regnum=\"16\" "
				    "generic=\"pc\""));
	assert_int_equal(*ask(scene, "qXfer:features:read:target.xml:0,10"), 'm');
	assert_string_equal(ask(scene, "qXfer:features:read:other.xml:0,10"), "E00");
	assert_string_equal(ask(scene, "qXfer:unknown:read::0,10"), "");
	assert_string_equal(ask(scene, "vMustReplyEmpty"), "");
	assert_string_equal(ask(scene, "qXfer:exec-file:read::0,fff") + 1, SUBJECT);
}

static void registers_are_those_of_the_thread(void **state)
{
	struct scene *scene = *state;
	struct user_regs_struct *regs;
	char text[32];
	assert_null(eng_tracee_regs(&scene->process->tracee, &regs));
	snprintf(text, sizeof text, "%016" PRIx64, __builtin_bswap64(regs->rip));
	assert_string_equal(ask(scene, "p10"), text);
	assert_string_equal(ask(scene, "p10;thread:1;"), text);
	/* Who only looks is sent the general ones, and asks for others. */
	size_t size = 0;
	for (unsigned i = 0; i < ENG_RSP_REG_GENERAL; i++)
		size += eng_rsp_register_size(i);
	assert_int_equal(strlen(ask(scene, "g")), 2 * size);
	for (unsigned i = ENG_RSP_REG_GENERAL; i < eng_rsp_registers(); i++)
		size += eng_rsp_register_size(i);
	scene->server.read_only = false;
	assert_int_equal(strlen(ask(scene, "g")), 2 * size);
	scene->server.read_only = true;
	assert_string_equal(ask(scene, "p999"), "E16");
	assert_string_equal(ask(scene, "px"), "E16");
	const char *told = ask(scene, "?");
	assert_int_equal(strncmp(told, "T05thread:", 10), 0);
	char expedited[64];
	snprintf(expedited, sizeof expedited, ";10:%s;", text);
	assert_non_null(strstr(told, expedited));
	assert_null(strstr(told, "memory:"));
}

static void lldb_is_told_the_inner_end_of_the_stack(void **state)
{
	struct scene *scene = *state;
	struct user_regs_struct *regs;
	char expected[64];
	assert_string_equal(ask(scene, "QListThreadsInStopReply"), "OK");
	assert_null(eng_tracee_regs(&scene->process->tracee, &regs));
	xs_addr from = regs->rsp - 128;
	snprintf(expected, sizeof expected, ";memory:0x%" PRIx64 "=", from);
	char *at = strstr(ask(scene, "?"), expected);
	assert_non_null(at);
	char stack[33], question[64];
	snprintf(stack, sizeof stack, "%.32s", at + strlen(expected));
	snprintf(question, sizeof question, "m%" PRIx64 ",10", from);
	assert_string_equal(ask(scene, question), stack);
}

static void memory_is_read_as_far_as_it_goes(void **state)
{
	struct scene *scene = *state;
	struct user_regs_struct *regs;
	char packet[64];
	assert_null(eng_tracee_regs(&scene->process->tracee, &regs));
	snprintf(packet, sizeof packet, "m%llx,8", regs->rsp);
	assert_string_equal(ask(scene, packet), "0100000000000000"); /* argc */
	assert_string_equal(ask(scene, "m0,8"), "E0e");
	assert_string_equal(ask(scene, "x0,0"), "OK");
	assert_string_equal(ask(scene, "mzz,8"), "E16");
	assert_string_equal(ask(scene, "m0"), "E16");
	assert_string_equal(ask(scene, "mffffffffffffffff,8"), "E0e");
	snprintf(packet, sizeof packet, "qMemoryRegionInfo:%llx", regs->rsp);
	assert_non_null(strstr(ask(scene, packet), "permissions:rw;"));
	assert_null(strstr(ask(scene, "qMemoryRegionInfo:0"), "permissions"));
}

static void breakpoints_are_the_clients_own(void **state)
{
	struct scene *scene = *state;
	struct user_regs_struct *regs;
	char packet[64], code[64];
	uint64_t before = fingerprint(scene);
	assert_null(eng_tracee_regs(&scene->process->tracee, &regs));
	snprintf(packet, sizeof packet, "m%llx,4", regs->rip);
	snprintf(code, sizeof code, "%s", ask(scene, packet));
	char set[64];
	snprintf(set, sizeof set, "Z0,%llx,1", regs->rip);
	assert_string_equal(ask(scene, set), "OK");
	assert_string_equal(ask(scene, packet), code);
	assert_int_equal(scene->client.breaks.len, 1);
	set[0] = 'z';
	assert_string_equal(ask(scene, set), "OK");
	assert_int_equal(scene->client.breaks.len, 0);
	assert_string_equal(ask(scene, "Z2,1000,4"), ""); /* nobody watches */
	assert_true(before == fingerprint(scene));
}

static void a_read_only_process_stays_as_it_is(void **state)
{
	struct scene *scene = *state;
	struct user_regs_struct *regs;
	char packet[64];
	uint64_t before = fingerprint(scene);
	assert_null(eng_tracee_regs(&scene->process->tracee, &regs));
	snprintf(packet, sizeof packet, "M%llx,1:00", regs->rsp);
	assert_string_equal(ask(scene, packet), "E0d");
	snprintf(packet, sizeof packet, "X%llx,1:a", regs->rsp);
	assert_string_equal(ask(scene, packet), "E0d");
	assert_string_equal(ask(scene, "P0=0000000000000000"), "E0d");
	assert_string_equal(ask(scene, "G00"), "E0d");
	assert_string_equal(ask(scene, "_M1000,rwx"), "");
	assert_true(before == fingerprint(scene));
}

/* Else the test above would protect nothing. */
static void what_is_written_shows_in_the_fingerprint(void **state)
{
	struct scene *scene = *state;
	struct user_regs_struct *regs;
	char packet[64];
	scene->server.read_only = false;
	uint64_t first = fingerprint(scene);
	assert_null(eng_tracee_regs(&scene->process->tracee, &regs));
	snprintf(packet, sizeof packet, "M%llx,1:7f", regs->rsp);
	assert_string_equal(ask(scene, packet), "OK");
	uint64_t second = fingerprint(scene);
	assert_true(first != second);
	assert_string_equal(ask(scene, "P3=0102030405060708"), "OK");
	assert_null(eng_tracee_flush(&scene->process->tracee));
	assert_true(second != fingerprint(scene));
}

static void who_asks_to_go_on_waits_for_the_next_stop(void **state)
{
	struct scene *scene = *state;
	assert_string_equal(ask(scene, "vCont?"), "vCont;c;C;s;S");
	assert_string_equal(ask(scene, "vCont;s:1;c"), "");
	assert_int_equal(scene->client.state, ENG_RSP_RUNS);
	assert_int_equal(scene->client.wish, ENG_RSP_WISH_STEP);
	eng_rsp_client_stopped(&scene->server, &scene->client, &stop);
	assert_int_equal(scene->client.state, ENG_RSP_LOOKS);
	/* What is read next is the stop. */
	assert_int_equal(strncmp(ask(scene, "vCont;C0a:1"), "T05", 3), 0);
	assert_int_equal(scene->client.wish_signal, SIGBUS); /* gdb's numbers are its own */
	eng_rsp_client_ended(&scene->client, false, 3);
	assert_int_equal(scene->client.state, ENG_RSP_LEFT);
}

static void who_misbehaves_is_dropped(void **state)
{
	struct scene *scene = *state;
	static char flood[3 * ENG_RSP_PACKET_MOST];
	memset(flood, 'm', sizeof flood);
	push(scene, flood, 100);
	assert_int_equal(scene->client.state, ENG_RSP_LEFT);
	assert_non_null(scene->client.why);
	disconnect(scene);
	connect_to(scene);
	flood[0] = '$';
	for (int i = 0; i < 200 && scene->client.state != ENG_RSP_LEFT; i++)
		push(scene, "$bad#00", 7);
	assert_int_equal(scene->client.state, ENG_RSP_LEFT);
	disconnect(scene);
	connect_to(scene);
	/* Longer than a packet can be: it costs no memory, and the next one is answered. */
	for (size_t done = 0; done < sizeof flood; done += 4096)
		push(scene, flood + (done ? 1 : 0), 4096);
	push(scene, "#00", 3);
	assert_true(scene->client.decoder.payload.vec.cap <= 2 * ENG_RSP_PACKET_MOST);
	static uint8_t sink[1 << 16];
	while (recv(scene->fd, sink, sizeof sink, 0) > 0)
		;
	assert_string_equal(ask(scene, "vMustReplyEmpty"), "");
	assert_int_equal(scene->client.state, ENG_RSP_LOOKS);
	disconnect(scene);
	connect_to(scene);
	close(scene->fd);
	scene->fd = -1;
	eng_rsp_client_take(&scene->server, &scene->client);
	assert_int_equal(scene->client.state, ENG_RSP_LEFT);
}

/* --- whatever comes -------------------------------------------------------------------------- */

static uint64_t random_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	return *state ^= *state << 17;
}

/* A conversation in bytes: packets that make sense, changed here and there, cut off somewhere. */
static size_t make_conversation(uint64_t *seed, uint8_t *bytes, size_t most)
{
	static const char *const packets[] = {"qSupported:swbreak+;multiprocess+",
		"QStartNoAckMode", "g", "p10", "p", "m7fffffffe000,40", "m0,ffffffffffffffff",
		"x555555554000,1000", "?", "vCont?", "vCont;c", "vCont;s:1;c", "vCont;C05", "c",
		"s", "C05", "Z0,555555555000,1", "z0,555555555000,1", "Z5,",
		"qXfer:features:read:target.xml:0,fff", "qXfer:libraries-svr4:read::0,fff",
		"qXfer:auxv:read::ffffffff,ffffffff", "qXfer:threads:read",
		"qXfer:", "qMemoryRegionInfo:7fffffffe000", "qC", "T1", "Hg0", "qfThreadInfo",
		"qsThreadInfo", "M7fffffffe000,4:00000000", "X7fffffffe000,4:abcd", "P0=00",
		"G0000", "QThreadSuffixSupported", "QListThreadsInStopReply", "qHostInfo",
		"qProcessInfo", "jThreadsInfo", "qGetTLSAddr:1,2,3", "D", "k", "vKill;1",
		"vFile:open:", "_M10,rwx", "", "qThreadStopInfo1"};
	struct eng_rsp_bytes out = {0};
	for (unsigned count = 1 + random_next(seed) % 8; count; count--) {
		const char *packet =
			packets[random_next(seed) % (sizeof packets / sizeof *packets)];
		eng_rsp_encode(&out, packet, strlen(packet), false);
		if (random_next(seed) % 4 == 0)
			xs_vec_push(&out.vec, (uint8_t) "+-\x03$#}"[random_next(seed) % 6]);
	}
	size_t size = out.vec.len < most ? out.vec.len : most;
	for (unsigned changes = (unsigned)(random_next(seed) % 4); changes && size; changes--)
		out.vec.data[random_next(seed) % size] = (uint8_t)random_next(seed);
	if (random_next(seed) % 2)
		size = size ? random_next(seed) % size : 0;
	memcpy(bytes, out.vec.data, size);
	xs_vec_deinit(&out.vec);
	return size;
}

static void no_bytes_do_harm(void **state)
{
	struct scene *scene = *state;
	uint64_t before = fingerprint(scene), seed = 88172645463325252u;
	for (int round = 0; round < 4000; round++) {
		uint8_t bytes[4096];
		static uint8_t sink[1 << 18];
		size_t size = make_conversation(&seed, bytes, sizeof bytes);
		disconnect(scene);
		connect_to(scene);
		for (size_t at = 0; at < size;) {
			size_t part = 1 + random_next(&seed) % (round % 3 ? 200 : 3);
			part = part < size - at ? part : size - at;
			push(scene, bytes + at, part);
			at += part;
			while (round % 5 && recv(scene->fd, sink, sizeof sink, 0) > 0)
				;
			if (scene->client.state == ENG_RSP_RUNS)
				eng_rsp_client_stopped(&scene->server, &scene->client, &stop);
		}
		if (round % 7 == 0) { /* the other end is gone, whatever was under way */
			close(scene->fd);
			scene->fd = -1;
			eng_rsp_client_take(&scene->server, &scene->client);
			eng_rsp_client_flush(&scene->client);
			assert_int_equal(scene->client.state, ENG_RSP_LEFT);
		}
	}
	assert_true(before == fingerprint(scene));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(it_describes_itself, setup, teardown),
		cmocka_unit_test_setup_teardown(registers_are_those_of_the_thread, setup, teardown),
		cmocka_unit_test_setup_teardown(
			lldb_is_told_the_inner_end_of_the_stack, setup, teardown),
		cmocka_unit_test_setup_teardown(memory_is_read_as_far_as_it_goes, setup, teardown),
		cmocka_unit_test_setup_teardown(breakpoints_are_the_clients_own, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_read_only_process_stays_as_it_is, setup, teardown),
		cmocka_unit_test_setup_teardown(
			what_is_written_shows_in_the_fingerprint, setup, teardown),
		cmocka_unit_test_setup_teardown(
			who_asks_to_go_on_waits_for_the_next_stop, setup, teardown),
		cmocka_unit_test_setup_teardown(who_misbehaves_is_dropped, setup, teardown),
		cmocka_unit_test_setup_teardown(no_bytes_do_harm, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
