/* rsp_fuzz.c - any bytes from a client of the remote protocol: the server must go on, keep its
 * promises about states and memory, and leave a read-only process as it is.
 *
 * The first byte says how they come (raw, or as the payloads of whole packets, one a line; how many
 * bytes at a time), what the process is (read-only or not) and how the conversation ends; the rest
 * is what the client sends. The process is a real one, stopped where it begins. Built by the preset
 * fuzz; run as `build/fuzz/engine/rsp_fuzz -max_total_time=300 WORKDIR testdata/fuzz/rsp`. */
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "engine/rsp_server.h"

#define SUBJECT "/bin/true"

enum { CHANGES = 1, RAW = 2, SMALL = 4, DEAF = 8, CUT = 16, LINES_LEFT = 32 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct eng_rsp_stop stop = {.signal = SIGTRAP, .step = true};

/* Files that are read without an end would take the fuzzer's time. */
static bool is_regular(void *context, int fd)
{
	struct stat about;
	(void)context;
	return !fstat(fd, &about) && S_ISREG(about.st_mode);
}

static bool is_any(void *context, const char *path)
{
	(void)context, (void)path;
	return true;
}

static struct eng_process *process; /* lives as long as the fuzzer, and is ended with it */

static void start(void)
{
	XS_AUTO_CLOSE int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	char *argv[] = {(char[]){SUBJECT}, NULL}, *environment[] = {NULL};
	struct eng_launch launch = {.path = SUBJECT,
		.argv = argv,
		.environment = environment,
		.in = nothing,
		.out = nothing,
		.err = nothing};
	struct xs_error *err = eng_process_create(&launch, 0, &process);
	xs_assert(!err);
}

/* A number that changes with a register or with what is on the stack. */
static uint64_t fingerprint(void)
{
	struct user_regs_struct *regs;
	uint64_t hash = 14695981039346656037u;
	uint8_t stack[ENG_PAGE_SIZE];
	XS_AUTO(xs_error) err = eng_tracee_regs(&process->tracee, &regs);
	xs_assert(!err);
	ssize_t got = pread(process->tracee.mem, stack, sizeof stack, (off_t)regs->rsp);
	for (size_t i = 0; i < sizeof *regs; i++)
		hash = (hash ^ ((const uint8_t *)regs)[i]) * 1099511628211u;
	for (ssize_t i = 0; i < got; i++)
		hash = (hash ^ stack[i]) * 1099511628211u;
	return hash;
}

/* Lines become packets. */
static void put_packets(struct eng_rsp_bytes *to, const uint8_t *text, size_t size)
{
	for (size_t at = 0; at < size;) {
		const uint8_t *end = memchr(text + at, '\n', size - at);
		size_t length = end ? (size_t)(end - text) - at : size - at;
		eng_rsp_encode(to, text + at, length, false);
		at += length + 1;
	}
}

static void check(const struct eng_rsp_client *client)
{
	xs_assert(client->state <= ENG_RSP_LEFT && client->wish <= ENG_RSP_WISH_KILL);
	xs_assert(client->state != ENG_RSP_RUNS || client->wish == ENG_RSP_WISH_CONTINUE ||
		  client->wish == ENG_RSP_WISH_STEP);
	xs_assert(client->decoder.payload.vec.len <= ENG_RSP_PACKET_MOST + 1);
	xs_assert(client->bad <= ENG_RSP_BAD_MOST + 1);
	xs_assert(client->fd >= 0 || client->state == ENG_RSP_LEFT);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t sink[1 << 18];
	struct eng_rsp_bytes bytes = {0};
	int ends[2];
	if (!process)
		start();
	if (size == 0)
		return 0;
	uint8_t how = data[0];
	struct eng_rsp_server server = {.read_only = !(how & CHANGES)};
	struct eng_rsp_client client;
	server.view.process = process;
	server.view.path = SUBJECT;
	if (!(how & DEAF))
		server.gate = (struct eng_rsp_gate){.file = is_regular, .link = is_any};
	uint64_t before = fingerprint();
	xs_assert(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	eng_rsp_client_init(&client, ends[0], &stop);
	if (how & RAW)
		eng_rsp_put(&bytes, data + 1, size - 1);
	else
		put_packets(&bytes, data + 1, size - 1);
	size_t most = how & SMALL ? 1 + how / LINES_LEFT : 4096;
	for (size_t at = 0; at < bytes.vec.len && client.fd >= 0;) {
		size_t part = bytes.vec.len - at < most ? bytes.vec.len - at : most;
		ssize_t sent = send(ends[1], bytes.vec.data + at, part, MSG_NOSIGNAL);
		xs_assert(sent > 0);
		at += (size_t)sent;
		eng_rsp_client_take(&server, &client);
		check(&client);
		while (!(how & DEAF) && recv(ends[1], sink, sizeof sink, 0) > 0)
			eng_rsp_client_flush(&client);
		if (client.state == ENG_RSP_RUNS)
			eng_rsp_client_stopped(&server, &client, &stop);
		check(&client);
	}
	if (how & CUT) { /* the other end is gone, whatever was under way */
		shutdown(ends[1], SHUT_RDWR);
		for (int i = 0; i < 64 && client.fd >= 0; i++)
			eng_rsp_client_take(&server, &client);
		xs_assert(client.state == ENG_RSP_LEFT);
	} else {
		eng_rsp_client_ended(&client, how & SMALL, SIGSEGV);
		xs_assert(client.state == ENG_RSP_LEFT);
	}
	eng_rsp_client_deinit(&client);
	eng_rsp_view_deinit(&server.view);
	close(ends[1]);
	xs_vec_deinit(&bytes.vec);
	if (server.read_only)
		xs_assert(before == fingerprint());
	return 0;
}
