#include "engine/rsp_answer.h"

#include <errno.h>
#include <signal.h>

#include "base/log.h"
#include "engine/rsp_registers.h"
#include "engine/rsp_signal.h"

enum {
	READ_MOST = ENG_RSP_PACKET_MOST / 2 - 64, /* bytes of memory in one answer, as hex */
	RED_ZONE = 128,                           /* bytes below the stack pointer */
	STACK_TOLD = 1024, /* bytes from there on that lldb is told with a stop */
	EACCES_TEXT = 0x0d,
};

/* A packet that is being answered. */
struct request {
	struct eng_rsp_server *server;
	struct eng_rsp_client *client;
	struct eng_rsp_bytes *reply; /* empty: not supported */
	const char *text;            /* behind the name of the packet; ends with a 0 byte */
	size_t size;                 /* of it */
	bool silent;                 /* there is no answer, or it comes later */
	bool runs;                   /* it may have long runs */
};

static struct eng_tracee *tracee_of(struct request *request)
{
	return &request->server->view.process->tracee;
}

static void answer(struct request *request, const char *text)
{
	eng_rsp_put_text(request->reply, text);
}

static void refuse(struct request *request, unsigned number)
{
	request->reply->vec.len = 0;
	eng_rsp_print(request->reply, "E%02x", number);
}

/* Answers with an error if there is one, and lets go of it. */
static bool failed(struct request *request, struct xs_error *err)
{
	if (err)
		refuse(request, ESRCH);
	xs_error_destroy(err);
	return err;
}

/* --- stops ----------------------------------------------------------------------------------- */

static void put_register(struct request *request, unsigned number)
{
	uint8_t bytes[ENG_RSP_REG_MOST];
	unsigned size;
	bool known;
	if (!failed(request,
		    eng_rsp_register_read(tracee_of(request), number, bytes, &size, &known)) &&
		known)
		eng_rsp_put_hex(request->reply, bytes, size);
}

bool eng_rsp_is_lldb(const struct eng_rsp_client *client)
{
	return client->lists_threads || client->thread_suffix;
}

/* The stack's inner end, which lldb would ask for at each stop. Only where nobody can write: others
 * have little use for it. */
static void put_stack(struct request *request)
{
	uint8_t bytes[STACK_TOLD];
	struct user_regs_struct *regs;
	if (!request->server->read_only ||
		failed(request, eng_tracee_regs(tracee_of(request), &regs)))
		return;
	xs_addr from = regs->rsp - RED_ZONE;
	size_t have = eng_rsp_view_read(&request->server->view, from, bytes, sizeof bytes);
	if (!have)
		return;
	eng_rsp_print(request->reply, "memory:0x%" PRIx64 "=", from);
	eng_rsp_put_hex(request->reply, bytes, have);
	answer(request, ";");
}

static void put_stop(struct request *request)
{
	const struct eng_rsp_client *client = request->client;
	const struct eng_rsp_stop *stop = &client->stop;
	unsigned tid = (unsigned)tracee_of(request)->pid;
	xs_addr pc = 0;
	if (failed(request, eng_tracee_pc(tracee_of(request), &pc)))
		return;
	eng_rsp_print(request->reply, "T%02xthread:%x;",
		eng_rsp_is_lldb(client) ? (unsigned)stop->signal : eng_rsp_signal_to(stop->signal),
		tid);
	if (client->lists_threads)
		eng_rsp_print(request->reply, "threads:%x;thread-pcs:%" PRIx64 ";", tid, pc);
	for (unsigned i = 0; i < ENG_RSP_REG_GENERAL; i++) {
		eng_rsp_print(request->reply, "%02x:", i);
		put_register(request, i);
		answer(request, ";");
	}
	if (stop->breakpoint && client->swbreak)
		answer(request, "swbreak:;");
	if (eng_rsp_is_lldb(client) && stop->signal == SIGTRAP && (stop->breakpoint || stop->step))
		answer(request, stop->breakpoint ? "reason:breakpoint;" : "reason:trace;");
	else if (eng_rsp_is_lldb(client))
		answer(request, "reason:signal;");
	if (eng_rsp_is_lldb(client))
		put_stack(request);
}

static void on_why(struct request *request)
{
	put_stop(request);
}

static void on_threads_info(struct request *request)
{
	const struct eng_rsp_stop *stop = &request->client->stop;
	/* All is in the stop's own packet, and lldb would ask at each. */
	if (request->server->read_only)
		return;
	eng_rsp_print(request->reply,
		"[{\"tid\":%d,\"reason\":\"%s\",\"signal\":%d,\"registers\":{",
		tracee_of(request)->pid,
		stop->breakpoint ? "breakpoint"
		: stop->step     ? "trace"
				 : "signal",
		stop->signal);
	for (unsigned i = 0; i < ENG_RSP_REG_GENERAL; i++) {
		eng_rsp_print(request->reply, "%s\"%u\":\"", i ? "," : "", i);
		put_register(request, i);
		answer(request, "\"");
	}
	answer(request, "}}]");
}

/* --- registers ------------------------------------------------------------------------------- */

static void on_read_registers(struct request *request)
{
	/* gdb asks for those that are left out when it needs them, which is seldom. */
	bool some = request->server->read_only && !eng_rsp_is_lldb(request->client);
	unsigned count = some ? ENG_RSP_REG_GENERAL : eng_rsp_registers();
	request->runs = true;
	for (unsigned i = 0; i < count; i++)
		put_register(request, i);
}

static void on_read_register(struct request *request)
{
	uint64_t number;
	const char *at = request->text;
	if (!eng_rsp_number(&at, &number) || number >= eng_rsp_registers())
		refuse(request, EINVAL);
	else
		put_register(request, (unsigned)number);
}

static void write_register(struct request *request, unsigned number, const uint8_t *bytes)
{
	bool known;
	(void)!failed(request, eng_rsp_register_write(tracee_of(request), number, bytes,
				       eng_rsp_register_size(number), &known));
}

static void on_write_registers(struct request *request)
{
	uint8_t bytes[ENG_RSP_REG_MOST];
	const char *at = request->text;
	size_t left = request->size;
	if (request->server->read_only) {
		refuse(request, EACCES_TEXT);
		return;
	}
	for (unsigned i = 0; i < eng_rsp_registers(); i++) {
		unsigned size = eng_rsp_register_size(i);
		if (eng_rsp_unhex(at, left, bytes, size) != size)
			break;
		write_register(request, i, bytes);
		at += 2 * size;
		left -= 2 * size;
	}
	if (!request->reply->vec.len)
		answer(request, "OK");
}

static void on_write_register(struct request *request)
{
	uint8_t bytes[ENG_RSP_REG_MOST];
	const char *at = request->text;
	uint64_t number;
	bool known = false;
	if (request->server->read_only) {
		refuse(request, EACCES_TEXT);
		return;
	}
	if (!eng_rsp_number(&at, &number) || *at++ != '=') {
		refuse(request, EINVAL);
		return;
	}
	size_t left = request->size - (size_t)(at - request->text);
	unsigned size = number < eng_rsp_registers() ? eng_rsp_register_size((unsigned)number) : 0;
	if (!size || eng_rsp_unhex(at, left, bytes, size) != size) {
		refuse(request, EINVAL);
		return;
	}
	if (failed(request, eng_rsp_register_write(
				    tracee_of(request), (unsigned)number, bytes, size, &known)))
		return;
	if (known)
		answer(request, "OK");
	else
		refuse(request, EINVAL);
}

/* --- memory ---------------------------------------------------------------------------------- */

/* ADDR,LENGTH; *at is moved behind them. */
static bool parse_span(const char **at, uint64_t *addr, uint64_t *size)
{
	return eng_rsp_number(at, addr) && *(*at)++ == ',' && eng_rsp_number(at, size);
}

static void read_memory(struct request *request, bool binary)
{
	static uint8_t buffer[READ_MOST];
	const char *at = request->text;
	uint64_t addr, size;
	if (!parse_span(&at, &addr, &size)) {
		refuse(request, EINVAL);
		return;
	}
	if (!size && binary) { /* lldb asks whether there is such a packet */
		answer(request, "OK");
		return;
	}
	size = size < READ_MOST ? size : READ_MOST;
	size_t have = eng_rsp_view_read(&request->server->view, addr, buffer, size);
	if (!have && size)
		refuse(request, EFAULT);
	else if (binary)
		eng_rsp_put(request->reply, buffer, have);
	else
		eng_rsp_put_hex(request->reply, buffer, have);
	request->runs = !binary;
}

static void on_read_hex(struct request *request)
{
	read_memory(request, false);
}

static void on_read_binary(struct request *request)
{
	read_memory(request, true);
}

/* ADDR,LENGTH:DATA */
static void write_memory(struct request *request, bool binary)
{
	const char *at = request->text;
	uint64_t addr, size;
	if (request->server->read_only) {
		refuse(request, EACCES_TEXT);
		return;
	}
	if (!parse_span(&at, &addr, &size) || *at++ != ':' || size > ENG_RSP_PACKET_MOST) {
		refuse(request, EINVAL);
		return;
	}
	size_t left = request->size - (size_t)(at - request->text);
	XS_AUTO_FREE uint8_t *bytes = xs_calloc(1, size + 1);
	size_t have = binary ? (left < size ? left : size) : eng_rsp_unhex(at, left, bytes, size);
	if (binary)
		memcpy(bytes, at, have);
	XS_AUTO(xs_error) err = NULL;
	if (have != size)
		refuse(request, EINVAL);
	else if (size && (err = eng_tracee_write(tracee_of(request), addr, bytes, size)))
		refuse(request, EFAULT);
	else
		answer(request, "OK");
}

static void on_write_hex(struct request *request)
{
	write_memory(request, false);
}

static void on_write_binary(struct request *request)
{
	write_memory(request, true);
}

static void on_region(struct request *request)
{
	const char *at = request->text;
	uint64_t addr;
	if (!eng_rsp_number(&at, &addr)) {
		refuse(request, EINVAL);
		return;
	}
	struct eng_rsp_view *view = &request->server->view;
	struct eng_rsp_region region = eng_rsp_view_region(view, addr);
	eng_rsp_print(request->reply, "start:%" PRIx64 ";size:%" PRIx64 ";", region.lo,
		region.hi - region.lo);
	if (!*region.rights)
		return;
	eng_rsp_print(request->reply, "permissions:%s%s%s;flags:;",
		region.rights[0] == 'r' ? "r" : "", region.rights[1] == 'w' ? "w" : "",
		region.rights[2] == 'x' ? "x" : "");
	const char *name = view->names.data + region.name;
	if (*name) {
		answer(request, "name:");
		eng_rsp_put_hex(request->reply, name, strlen(name));
		answer(request, ";");
	}
}

/* THREAD,OFFSET,MAP */
static void on_tls(struct request *request)
{
	const char *at = request->text;
	uint64_t tid, offset, map;
	xs_addr addr;
	if (!eng_rsp_number(&at, &tid) || *at++ != ',' || !parse_span(&at, &offset, &map))
		refuse(request, EINVAL);
	else if (!eng_rsp_view_tls(&request->server->view, offset, map, &addr))
		refuse(request, ENOENT);
	else
		eng_rsp_print(request->reply, "%" PRIx64, addr);
}

/* --- breakpoints ----------------------------------------------------------------------------- */

/* TYPE,ADDR,KIND; types 0 and 1 are breakpoints, the others watch memory. */
static void change_break(struct request *request, bool set)
{
	struct eng_rsp_client *client = request->client;
	const char *at = request->text;
	uint64_t type, addr, kind;
	if (!eng_rsp_number(&at, &type) || *at++ != ',' || !parse_span(&at, &addr, &kind)) {
		refuse(request, EINVAL);
		return;
	}
	if (type > 1)
		return;
	if (set && !request->server->read_only &&
		!eng_rsp_view_read(&request->server->view, addr, &(uint8_t){0}, 1)) {
		refuse(request, EFAULT);
		return;
	}
	size_t i = 0;
	while (i < client->breaks.len && (client->breaks.data[i].addr != addr ||
						 client->breaks.data[i].hardware != (type == 1)))
		i++;
	if (set && i == client->breaks.len)
		xs_vec_push(&client->breaks, ((struct eng_rsp_break){addr, type == 1}));
	else if (!set && i < client->breaks.len)
		client->breaks.data[i] = client->breaks.data[--client->breaks.len];
	answer(request, "OK");
}

static void on_set_break(struct request *request)
{
	change_break(request, true);
}

static void on_clear_break(struct request *request)
{
	change_break(request, false);
}

/* --- going on -------------------------------------------------------------------------------- */

static void go_on(struct request *request, enum eng_rsp_wish wish, unsigned signal)
{
	struct eng_rsp_client *client = request->client;
	if (client->state != ENG_RSP_LOOKS) {
		refuse(request, EBUSY);
		return;
	}
	client->state = ENG_RSP_RUNS;
	client->wish = wish;
	client->wish_signal = eng_rsp_is_lldb(client) ? (int)signal : eng_rsp_signal_from(signal);
	client->wish_addressed = client->interrupted = false;
	request->silent = true;
}

static void on_vcont_query(struct request *request)
{
	answer(request, "vCont;c;C;s;S");
}

/* ;ACTION[:THREAD]...: there is one thread, so that the first action is the one. */
static void on_vcont(struct request *request)
{
	const char *at = request->text;
	uint64_t signal = 0;
	char action = *at == ';' ? at[1] : 0;
	at += action ? 2 : 0;
	bool with = action == 'C' || action == 'S';
	if (!action || !strchr("cCsS", action) || (with && !eng_rsp_number(&at, &signal)))
		refuse(request, EINVAL);
	else
		go_on(request,
			action == 's' || action == 'S' ? ENG_RSP_WISH_STEP : ENG_RSP_WISH_CONTINUE,
			(unsigned)signal);
}

/* c[ADDR], s[ADDR] */
static void go_old(struct request *request, enum eng_rsp_wish wish)
{
	const char *at = request->text;
	uint64_t addr = 0;
	bool addressed = eng_rsp_number(&at, &addr);
	go_on(request, wish, 0);
	if (!request->silent) /* it is not its turn */
		return;
	request->client->wish_addressed = addressed;
	request->client->wish_address = addr;
}

static void on_continue(struct request *request)
{
	go_old(request, ENG_RSP_WISH_CONTINUE);
}

static void on_step(struct request *request)
{
	go_old(request, ENG_RSP_WISH_STEP);
}

/* CSIGNAL, SSIGNAL */
static void go_old_with_signal(struct request *request, enum eng_rsp_wish wish)
{
	const char *at = request->text;
	uint64_t signal;
	if (eng_rsp_number(&at, &signal))
		go_on(request, wish, (unsigned)signal);
	else
		refuse(request, EINVAL);
}

static void on_continue_signal(struct request *request)
{
	go_old_with_signal(request, ENG_RSP_WISH_CONTINUE);
}

static void on_step_signal(struct request *request)
{
	go_old_with_signal(request, ENG_RSP_WISH_STEP);
}

static void on_detach(struct request *request)
{
	answer(request, "OK");
	request->client->state = ENG_RSP_LEFT;
	request->client->wish = ENG_RSP_WISH_DETACH;
}

static void on_kill(struct request *request)
{
	request->silent = true;
	request->client->state = ENG_RSP_LEFT;
	request->client->wish = ENG_RSP_WISH_KILL;
}

static void on_vkill(struct request *request)
{
	on_kill(request);
	request->silent = false;
	answer(request, "OK");
}

/* --- who and what ---------------------------------------------------------------------------- */

static void on_supported(struct request *request)
{
	request->client->swbreak = strstr(request->text, "swbreak+");
	eng_rsp_print(request->reply,
		"PacketSize=%x;QStartNoAckMode+;qXfer:features:read+;qXfer:auxv:read+;"
		"qXfer:libraries-svr4:read+;qXfer:exec-file:read+;qXfer:threads:read+;"
		"vContSupported+;QThreadSuffixSupported+;QListThreadsInStopReply+;native-signals+%"
		"s",
		ENG_RSP_PACKET_MOST, request->client->swbreak ? ";swbreak+" : "");
}

/* OBJECT:read:ANNEX:OFFSET,LENGTH */
static void on_transfer(struct request *request)
{
	struct eng_rsp_bytes document = {0};
	char object[32];
	size_t length = strcspn(request->text, ":");
	const char *at = request->text + length;
	uint64_t offset, size;
	if (length >= sizeof object || strncmp(at, ":read:", 6))
		return;
	memcpy(object, request->text, length);
	object[length] = 0;
	at += 6;
	bool other = !strcmp(object, "features") && strncmp(at, "target.xml:", 11);
	at += strcspn(at, ":");
	if (*at++ != ':' || !parse_span(&at, &offset, &size) || other) {
		refuse(request, 0);
		return;
	}
	if (!eng_rsp_view_document(
		    &request->server->view, object, eng_rsp_is_lldb(request->client), &document))
		return;
	size_t rest = offset < document.vec.len ? document.vec.len - offset : 0;
	size = size < ENG_RSP_PACKET_MOST / 2 ? size : ENG_RSP_PACKET_MOST / 2;
	answer(request, size < rest ? "m" : "l");
	eng_rsp_put(request->reply, document.vec.data + offset, size < rest ? size : rest);
	xs_vec_deinit(&document.vec);
}

static void on_file(struct request *request)
{
	/* Who looks at somebody else's process is on the same machine. */
	if (!request->server->read_only)
		eng_rsp_file(&request->client->files, &request->server->gate, request->text,
			request->reply);
}

static void on_no_ack(struct request *request)
{
	answer(request, "OK"); /* which is still to be acknowledged, and need not be */
	request->client->no_ack = true;
}

static void on_thread_suffix(struct request *request)
{
	request->client->thread_suffix = true;
	answer(request, "OK");
}

static void on_list_threads(struct request *request)
{
	request->client->lists_threads = true;
	answer(request, "OK");
}

static void on_ok(struct request *request)
{
	answer(request, "OK");
}

static void on_current(struct request *request)
{
	eng_rsp_print(request->reply, "QC%x", (unsigned)tracee_of(request)->pid);
}

static void on_first_threads(struct request *request)
{
	eng_rsp_print(request->reply, "m%x", (unsigned)tracee_of(request)->pid);
}

static void on_more_threads(struct request *request)
{
	answer(request, "l");
}

static void on_thread_alive(struct request *request)
{
	const char *at = request->text;
	uint64_t tid;
	if (eng_rsp_number(&at, &tid) && tid == (unsigned)tracee_of(request)->pid)
		answer(request, "OK");
	else
		refuse(request, ESRCH);
}

static void on_attached(struct request *request)
{
	answer(request, "1");
}

#define TRIPLE "7838365f36342d70632d6c696e75782d676e75" /* x86_64-pc-linux-gnu */

static void on_host_info(struct request *request)
{
	answer(request, "triple:" TRIPLE ";ptrsize:8;watchpoint_exceptions_received:after;"
			"endian:little;");
}

static void on_process_info(struct request *request)
{
	eng_rsp_print(request->reply,
		"pid:%x;parent-pid:%x;real-uid:%x;real-gid:%x;effective-uid:%x;effective-gid:%x;"
		"triple:" TRIPLE ";ostype:linux;endian:little;ptrsize:8;",
		(unsigned)tracee_of(request)->pid, (unsigned)getpid(), getuid(), getgid(),
		geteuid(), getegid());
}

/* --- dispatch -------------------------------------------------------------------------------- */

static const struct {
	const char *name; /* the packet begins with it */
	void (*answer)(struct request *request);
} packets[] = {
	{"m", on_read_hex},
	{"x", on_read_binary},
	{"vCont?", on_vcont_query},
	{"vCont", on_vcont},
	{"qMemoryRegionInfo:", on_region},
	{"Z", on_set_break},
	{"z", on_clear_break},
	{"g", on_read_registers},
	{"p", on_read_register},
	{"?", on_why},
	{"c", on_continue},
	{"s", on_step},
	{"C", on_continue_signal},
	{"S", on_step_signal},
	{"G", on_write_registers},
	{"P", on_write_register},
	{"M", on_write_hex},
	{"X", on_write_binary},
	{"H", on_ok}, /* there is one thread */
	{"T", on_thread_alive},
	{"D", on_detach},
	{"k", on_kill},
	{"vKill", on_vkill},
	{"vFile:", on_file},
	{"qSupported", on_supported},
	{"QStartNoAckMode", on_no_ack},
	{"qXfer:", on_transfer},
	{"qC", on_current},
	{"qfThreadInfo", on_first_threads},
	{"qsThreadInfo", on_more_threads},
	{"qGetTLSAddr:", on_tls},
	{"qAttached", on_attached},
	{"qSymbol:", on_ok}, /* nothing is looked for */
	{"qHostInfo", on_host_info},
	{"qProcessInfo", on_process_info},
	{"qThreadStopInfo", on_why},
	{"jThreadsInfo", on_threads_info},
	{"QThreadSuffixSupported", on_thread_suffix},
	{"QListThreadsInStopReply", on_list_threads},
	{"QPassSignals:", on_ok},
	{"QProgramSignals:", on_ok},
};

void eng_rsp_answer(struct eng_rsp_server *server, struct eng_rsp_client *client)
{
	struct eng_rsp_bytes *payload = &client->decoder.payload;
	size_t size = payload->vec.len;
	xs_vec_push(&payload->vec, 0);
	const char *text = (const char *)payload->vec.data;
	snprintf(client->last, sizeof client->last, "%s", text);
	client->packets++;
	client->reply.vec.len = 0;
	struct request request = {.server = server, .client = client, .reply = &client->reply};
	for (size_t i = 0; i < sizeof packets / sizeof *packets; i++) {
		size_t length = strlen(packets[i].name);
		/* qC is not qCRC. */
		if (strncmp(text, packets[i].name, length) ||
			(!strcmp(packets[i].name, "qC") && text[length]))
			continue;
		request.text = text + length;
		request.size = size - length;
		packets[i].answer(&request);
		break;
	}
	if (xs_log_enabled(XS_LOG_ENGINE, XS_LOG_DEBUG))
		xs_log(XS_LOG_ENGINE, XS_LOG_DEBUG, "rsp %d: %.80s -> %.*s", client->fd, text,
			(int)(client->reply.vec.len < 80 ? client->reply.vec.len : 80),
			client->reply.vec.len ? (const char *)client->reply.vec.data : "");
	if (!request.silent)
		eng_rsp_encode(
			&client->out, client->reply.vec.data, client->reply.vec.len, request.runs);
}

void eng_rsp_answer_stop(struct eng_rsp_server *server, struct eng_rsp_client *client)
{
	client->reply.vec.len = 0;
	struct request request = {.server = server, .client = client, .reply = &client->reply};
	put_stop(&request);
	eng_rsp_encode(&client->out, client->reply.vec.data, client->reply.vec.len, false);
}
