#include "engine/rsp_server.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>

#include "engine/rsp_answer.h"
#include "engine/rsp_signal.h"

enum { OUT_MOST = 1 << 24 }; /* bytes that nobody reads, then the client is dropped */

void eng_rsp_client_init(struct eng_rsp_client *client, int fd, const struct eng_rsp_stop *stop)
{
	*client = (struct eng_rsp_client){
		.fd = fd, .stop = *stop, .decoder = {.limit = ENG_RSP_PACKET_MOST}};
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

void eng_rsp_client_drop(struct eng_rsp_client *client, const char *why)
{
	if (client->state != ENG_RSP_LEFT)
		client->why = why;
	client->state = ENG_RSP_LEFT;
	if (client->fd >= 0)
		close(client->fd);
	client->fd = -1;
}

/* The other end is gone. */
static void lose(struct eng_rsp_client *client)
{
	client->closed = true;
	eng_rsp_client_drop(client, "the connection has ended");
}

void eng_rsp_client_deinit(struct eng_rsp_client *client)
{
	eng_rsp_client_drop(client, NULL);
	eng_rsp_decoder_deinit(&client->decoder);
	xs_vec_deinit(&client->reply.vec);
	xs_vec_deinit(&client->out.vec);
	xs_vec_deinit(&client->breaks);
	eng_rsp_files_deinit(&client->files);
}

bool eng_rsp_client_has_more(const struct eng_rsp_client *client)
{
	return client->fd >= 0 && client->written < client->out.vec.len;
}

void eng_rsp_client_flush(struct eng_rsp_client *client)
{
	while (eng_rsp_client_has_more(client)) {
		ssize_t wrote = send(client->fd, client->out.vec.data + client->written,
			client->out.vec.len - client->written, MSG_NOSIGNAL);
		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote < 0 && errno != EAGAIN)
			lose(client);
		if (wrote <= 0)
			break;
		client->written += (size_t)wrote;
	}
	if (client->out.vec.len - client->written > OUT_MOST)
		eng_rsp_client_drop(client, "it does not read its answers");
	if (client->written == client->out.vec.len)
		client->out.vec.len = client->written = 0;
	if (client->state == ENG_RSP_LEFT && !client->out.vec.len)
		eng_rsp_client_drop(client, NULL);
}

/* One item of what the client has sent. */
static void take_item(
	struct eng_rsp_server *server, struct eng_rsp_client *client, enum eng_rsp_item item)
{
	switch (item) {
	case ENG_RSP_PACKET:
		if (!client->no_ack)
			xs_vec_push(&client->out.vec, '+');
		eng_rsp_answer(server, client);
		break;
	case ENG_RSP_DAMAGED:
	case ENG_RSP_OVERSIZE:
		/* Without acknowledgements a damaged packet is lost; it will be asked for again or
		 * the client gives up. */
		if (!client->no_ack)
			xs_vec_push(&client->out.vec, '-');
		client->bad++;
		break;
	case ENG_RSP_NACK:
		/* On a local socket nothing is lost: who asks again is confused. */
		client->bad++;
		if (client->reply.vec.len)
			eng_rsp_encode(
				&client->out, client->reply.vec.data, client->reply.vec.len, false);
		break;
	case ENG_RSP_INTERRUPT:
		client->interrupted = true;
		break;
	case ENG_RSP_GARBAGE:
		client->bad++;
		break;
	case ENG_RSP_ACK:
	case ENG_RSP_NOTHING:
		break;
	}
	if (client->bad > ENG_RSP_BAD_MOST)
		eng_rsp_client_drop(client, "it sends what is no packet of the protocol");
}

void eng_rsp_client_take(struct eng_rsp_server *server, struct eng_rsp_client *client)
{
	uint8_t buffer[16384];
	if (client->fd < 0)
		return;
	ssize_t got = recv(client->fd, buffer, sizeof buffer, 0);
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (got <= 0) {
		lose(client);
		return;
	}
	for (size_t at = 0; at < (size_t)got && client->state != ENG_RSP_LEFT;) {
		enum eng_rsp_item item;
		at += eng_rsp_decode(&client->decoder, buffer + at, (size_t)got - at, &item);
		take_item(server, client, item);
	}
	eng_rsp_client_flush(client);
}

void eng_rsp_client_stopped(struct eng_rsp_server *server, struct eng_rsp_client *client,
	const struct eng_rsp_stop *stop)
{
	client->stop = *stop;
	if (client->state != ENG_RSP_RUNS)
		return;
	client->state = ENG_RSP_LOOKS;
	client->wish = ENG_RSP_WISH_NONE;
	eng_rsp_answer_stop(server, client);
	eng_rsp_client_flush(client);
}

void eng_rsp_client_ended(struct eng_rsp_client *client, bool killed, int number)
{
	char text[16];
	if (client->state == ENG_RSP_LEFT)
		return;
	unsigned told =
		killed && !eng_rsp_is_lldb(client) ? eng_rsp_signal_to(number) : (unsigned)number;
	int length = snprintf(text, sizeof text, "%c%02x", killed ? 'X' : 'W', told & 0xff);
	if (client->state == ENG_RSP_RUNS)
		eng_rsp_encode(&client->out, text, (size_t)length, false);
	client->state = ENG_RSP_LEFT;
	eng_rsp_client_flush(client);
}
