#include "oracle/witness/debugger/copy.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool is_dead(const struct ora_copy *copy, int ms)
{
	struct pollfd wanted = {.fd = copy->pidfd, .events = POLLIN};
	return poll(&wanted, 1, ms) > 0;
}

bool ora_copy_has_ended(struct ora_copy *copy, int *status)
{
	char text[64];
	ssize_t got = recv(copy->connection, text, sizeof text - 1, MSG_DONTWAIT);
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	text[got > 0 ? got : 0] = 0;
	if (sscanf(text, "ended %d", status) != 1) {
		/* The kept one has died, and takes the copy along. */
		*status = SIGKILL;
		syscall(SYS_pidfd_send_signal, copy->pidfd, SIGKILL, NULL, 0);
	}
	return is_dead(copy, -1);
}

void ora_copy_destroy(struct ora_copy *copy)
{
	syscall(SYS_pidfd_send_signal, copy->pidfd, SIGKILL, NULL, 0);
	is_dead(copy, -1);
	close(copy->pidfd);
	close(copy->lifeline);
	close(copy->connection);
	free(copy);
}
