/* No more files, no more memory, no core, no more processes. */
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){5, 5});
	setrlimit(RLIMIT_AS, &(struct rlimit){64 << 20, 64 << 20});
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	int fd = 0, most = 0;
	while ((fd = open("/dev/null", O_RDONLY)) >= 0)
		most = fd;
	int number = errno;
	void *room = malloc(100 << 20);
	printf("%d %d %d\n", most, number, room == NULL);
	return 0;
}
