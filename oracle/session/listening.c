#include "oracle/session/listening.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "base/alloc.h"
#include "base/scratch.h"
#include "engine/interrupt.h"

enum { WAIT_MS = 200, WAITING_MOST = 64 };

static struct xs_error *trouble(void)
{
	return xs_error_create("%s", strerror(errno));
}

static struct xs_error *listen_unix(const char *path, struct ora_listening *ret)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	if (snprintf(address.sun_path, sizeof address.sun_path, "%s", path) >=
		(int)sizeof address.sun_path)
		return xs_error_create("the path is too long");
	ret->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	mode_t before = umask(0177); /* nobody else's */
	bool bound = ret->fd >= 0 && !bind(ret->fd, (struct sockaddr *)&address, sizeof address);
	umask(before);
	if (!bound)
		return trouble();
	ret->path = xs_strdup(path);
	ret->name = xs_strdup(path);
	ret->is_unix = true;
	return listen(ret->fd, WAITING_MOST) ? trouble() : NULL;
}

static struct xs_error *listen_privately(struct ora_listening *ret)
{
	/* A socket's path is short; what does not fit is in /tmp all the same. */
	const char *place = xs_scratch_place();
	size_t room =
		sizeof((struct sockaddr_un *)NULL)->sun_path - sizeof "/xstep-serve.XXXXXX/socket";
	struct xs_error *err =
		xs_scratch_create_in(strlen(place) <= room ? place : "/tmp", "serve", &ret->folder);
	if (err)
		return err;
	XS_AUTO_FREE char *path = xs_asprintf("%s/socket", ret->folder);
	return listen_unix(path, ret);
}

static bool is_own(const struct sockaddr *address)
{
	if (address->sa_family == AF_INET)
		return ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr) >> 24 == 127;
	return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)address)->sin6_addr);
}

/* The C library takes any number, and leaves out what does not fit. Names of services are its. */
static bool is_port(const char *text)
{
	char *end;
	if (*text < '0' || *text > '9')
		return true;
	unsigned long port = strtoul(text, &end, 10);
	return !*end && port <= UINT16_MAX;
}

static struct xs_error *listen_tcp(const char *text, struct ora_listening *ret)
{
	const char *colon = strrchr(text, ':');
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found = NULL;
	if (!colon || !colon[1])
		return xs_error_create("no port: [HOST]:PORT or unix:PATH");
	if (!is_port(colon + 1))
		return xs_error_create("'%s' is no port: 0 to 65535", colon + 1);
	bool brackets = *text == '[' && colon[-1] == ']';
	XS_AUTO_FREE char *host =
		xs_asprintf("%.*s", (int)(colon - text) - 2 * brackets, text + brackets);
	int problem = getaddrinfo(*host ? host : "127.0.0.1", colon + 1, &hints, &found);
	if (problem)
		return xs_error_create("%s", gai_strerror(problem));
	struct sockaddr_storage own;
	socklen_t size = sizeof own;
	ret->fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	setsockopt(ret->fd, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
	bool works = ret->fd >= 0 && !bind(ret->fd, found->ai_addr, found->ai_addrlen) &&
		     !listen(ret->fd, WAITING_MOST) &&
		     !getsockname(ret->fd, (struct sockaddr *)&own, &size);
	ret->is_open = works && !is_own(found->ai_addr);
	ret->is_shared = works && !ret->is_open;
	freeaddrinfo(found);
	if (!works)
		return trouble();
	char name[NI_MAXHOST], port[NI_MAXSERV];
	getnameinfo((struct sockaddr *)&own, size, name, sizeof name, port, sizeof port,
		NI_NUMERICHOST | NI_NUMERICSERV);
	ret->name = xs_asprintf(strchr(name, ':') ? "[%s]:%s" : "%s:%s", name, port);
	return NULL;
}

struct xs_error *ora_listening_begin(const char *text, struct ora_listening *ret)
{
	*ret = (struct ora_listening){.fd = -1};
	if (!text)
		return listen_privately(ret);
	return !strncmp(text, "unix:", 5) ? listen_unix(text + 5, ret) : listen_tcp(text, ret);
}

int ora_listening_accept(const struct ora_listening *listening)
{
	while (!eng_interrupt_signal()) {
		struct pollfd ready = {.fd = listening->fd, .events = POLLIN};
		int fd = poll(&ready, 1, WAIT_MS) > 0
				 ? accept4(listening->fd, NULL, NULL, SOCK_CLOEXEC)
				 : -1;
		if (fd >= 0)
			return fd;
	}
	return -1;
}

void ora_listening_end(struct ora_listening *listening)
{
	if (listening->fd >= 0)
		close(listening->fd);
	if (listening->path)
		unlink(listening->path);
	xs_scratch_destroy(xs_take(&listening->folder));
	free(xs_take(&listening->name));
	free(xs_take(&listening->path));
	listening->fd = -1;
}
