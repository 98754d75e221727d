/* Page faults that a thread of its own answers, where that is permitted.
 * build: -pthread
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fd;

static void *answer(void *arg)
{
	static char page[4096] __attribute__((aligned(4096)));
	struct uffd_msg message;
	memset(page, 'q', sizeof page);
	if (read(fd, &message, sizeof message) == sizeof message)
		ioctl(fd, UFFDIO_COPY,
			&(struct uffdio_copy){.dst = message.arg.pagefault.address & ~4095ull,
				.src = (uintptr_t)page,
				.len = 4096});
	return arg;
}

int main(void)
{
	pthread_t thread;
	struct uffdio_api api = {.api = UFFD_API};
	fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
	if (fd < 0 || ioctl(fd, UFFDIO_API, &api)) {
		printf("q\n");
		return 0;
	}
	volatile char *room = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ioctl(fd, UFFDIO_REGISTER,
		&(struct uffdio_register){.range = {(uintptr_t)room, 4096},
			.mode = UFFDIO_REGISTER_MODE_MISSING});
	pthread_create(&thread, NULL, answer, NULL);
	printf("%c\n", room[5]);
	pthread_join(thread, NULL);
	return 0;
}
