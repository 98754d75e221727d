#include "engine/rsp_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

enum { READ_MOST = 0x8000, RSP_EACCES = 13, RSP_EBADF = 9, RSP_EINVAL = 22, RSP_EMFILE = 24 };

/* The protocol's numbers of errors are Linux' own where they matter; 9999 is any other. */
static void fail(struct eng_rsp_bytes *reply, int number)
{
	eng_rsp_print(reply, "F-1,%x", number > 0 && number < 128 ? (unsigned)number : 9999u);
}

static int *file_at(struct eng_rsp_files *files, uint64_t number)
{
	return number < ENG_RSP_FILES && files->fds[number] ? &files->fds[number] : NULL;
}

/* The path in hex digits up to a comma or the end. */
static bool parse_path(const char **at, char path[PATH_MAX])
{
	size_t length = strcspn(*at, ",");
	size_t size = eng_rsp_unhex(*at, length, (uint8_t *)path, PATH_MAX - 1);
	path[size] = 0;
	*at += length;
	return size && 2 * size == length;
}

/* A descriptor to read from; -1: there is no such file, or it is not for clients. */
static int open_allowed(const struct eng_rsp_gate *gate, const char *path)
{
	char judged[64];
	XS_AUTO_CLOSE int fd = open(path, O_PATH | O_CLOEXEC);
	if (fd < 0 || !gate->file || !gate->file(gate->context, fd))
		return -1;
	snprintf(judged, sizeof judged, "/proc/self/fd/%d", fd);
	return open(judged, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

static void open_file(struct eng_rsp_files *files, const struct eng_rsp_gate *gate, const char *at,
	struct eng_rsp_bytes *reply)
{
	char path[PATH_MAX];
	uint64_t flags, slot = 0;
	if (!parse_path(&at, path) || *at++ != ',' || !eng_rsp_number(&at, &flags)) {
		fail(reply, RSP_EINVAL);
		return;
	}
	while (slot < ENG_RSP_FILES && files->fds[slot])
		slot++;
	if (flags & 3 || slot == ENG_RSP_FILES) { /* for writing */
		fail(reply, flags & 3 ? RSP_EACCES : RSP_EMFILE);
		return;
	}
	int fd = open_allowed(gate, path);
	if (fd < 0) {
		fail(reply, RSP_EACCES);
		return;
	}
	files->fds[slot] = fd + 1;
	eng_rsp_print(reply, "F%x", (unsigned)slot);
}

static void close_file(struct eng_rsp_files *files, const char *at, struct eng_rsp_bytes *reply)
{
	uint64_t number;
	int *slot = eng_rsp_number(&at, &number) ? file_at(files, number) : NULL;
	if (!slot) {
		fail(reply, RSP_EBADF);
		return;
	}
	close(*slot - 1);
	*slot = 0;
	eng_rsp_put_text(reply, "F0");
}

/* FD,COUNT,OFFSET */
static void read_file(struct eng_rsp_files *files, const char *at, struct eng_rsp_bytes *reply)
{
	static uint8_t buffer[READ_MOST];
	uint64_t number, count, offset;
	if (!eng_rsp_number(&at, &number) || *at++ != ',' || !eng_rsp_number(&at, &count) ||
		*at++ != ',' || !eng_rsp_number(&at, &offset)) {
		fail(reply, RSP_EINVAL);
		return;
	}
	int *slot = file_at(files, number);
	ssize_t got = slot ? pread(*slot - 1, buffer, count < READ_MOST ? count : READ_MOST,
				     (off_t)(offset & INT64_MAX))
			   : -1;
	if (got < 0) {
		fail(reply, slot ? errno : RSP_EBADF);
		return;
	}
	eng_rsp_print(reply, "F%zx;", (size_t)got);
	eng_rsp_put(reply, buffer, (size_t)got);
}

static void put_big(struct eng_rsp_bytes *to, uint64_t value, unsigned size)
{
	for (unsigned i = size; i-- > 0;)
		xs_vec_push(&to->vec, (uint8_t)(value >> 8 * i));
}

static void tell_about(struct eng_rsp_files *files, const char *at, struct eng_rsp_bytes *reply)
{
	uint64_t number;
	struct stat about;
	int *slot = eng_rsp_number(&at, &number) ? file_at(files, number) : NULL;
	if (!slot || fstat(*slot - 1, &about)) {
		fail(reply, slot ? errno : RSP_EBADF);
		return;
	}
	/* struct fio_stat: dev, ino, mode, nlink, uid, gid, rdev of 4 bytes, size, blksize, blocks
	 * of 8, atime, mtime, ctime of 4; all big-endian. */
	eng_rsp_put_text(reply, "F40;");
	const uint64_t words[] = {about.st_dev, about.st_ino, about.st_mode, about.st_nlink,
		about.st_uid, about.st_gid, about.st_rdev};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		put_big(reply, words[i], 4);
	put_big(reply, (uint64_t)about.st_size, 8);
	put_big(reply, (uint64_t)about.st_blksize, 8);
	put_big(reply, (uint64_t)about.st_blocks, 8);
	put_big(reply, (uint64_t)about.st_atime, 4);
	put_big(reply, (uint64_t)about.st_mtime, 4);
	put_big(reply, (uint64_t)about.st_ctime, 4);
}

static void read_link(const struct eng_rsp_gate *gate, const char *at, struct eng_rsp_bytes *reply)
{
	char path[PATH_MAX], target[PATH_MAX];
	if (!parse_path(&at, path)) {
		fail(reply, RSP_EINVAL);
		return;
	}
	bool allowed = gate->link && gate->link(gate->context, path);
	ssize_t length = allowed ? readlink(path, target, sizeof target) : -1;
	if (length < 0) {
		fail(reply, RSP_EACCES);
		return;
	}
	eng_rsp_print(reply, "F%zx;", (size_t)length);
	eng_rsp_put(reply, target, (size_t)length);
}

void eng_rsp_file(struct eng_rsp_files *files, const struct eng_rsp_gate *gate, const char *text,
	struct eng_rsp_bytes *reply)
{
	if (!strncmp(text, "setfs:", 6))
		eng_rsp_put_text(reply, "F0"); /* there is one file system */
	else if (!strncmp(text, "open:", 5))
		open_file(files, gate, text + 5, reply);
	else if (!strncmp(text, "close:", 6))
		close_file(files, text + 6, reply);
	else if (!strncmp(text, "pread:", 6))
		read_file(files, text + 6, reply);
	else if (!strncmp(text, "fstat:", 6))
		tell_about(files, text + 6, reply);
	else if (!strncmp(text, "readlink:", 9))
		read_link(gate, text + 9, reply);
}

void eng_rsp_files_deinit(struct eng_rsp_files *files)
{
	for (size_t i = 0; i < ENG_RSP_FILES; i++)
		if (files->fds[i])
			close(files->fds[i] - 1);
	*files = (struct eng_rsp_files){0};
}
