#include "cli/report/source_lines.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "base/vec.h"

enum { SIZE_MAX_SHOWN = 64 << 20 }; /* nobody's source; something else of that name */

struct file {
	char *path;           /* as asked for */
	char *text;           /* whole, newlines replaced by NUL; NULL if it cannot be read */
	XS_VEC(char *) lines; /* where each begins */
};

struct cli_source {
	XS_VEC(struct file) files; /* few: searched from the last one used */
	size_t last;               /* index of that one */
	bool tabs;                 /* they stay */
};

struct cli_source *cli_source_create(void)
{
	return xs_calloc(1, sizeof(struct cli_source));
}

struct cli_source *cli_source_create_tabbed(void)
{
	struct cli_source *ret = cli_source_create();
	ret->tabs = true;
	return ret;
}

void cli_source_destroy(struct cli_source *source)
{
	if (!source)
		return;
	for (size_t i = 0; i < source->files.len; i++) {
		free(source->files.data[i].path);
		free(source->files.data[i].text);
		xs_vec_deinit(&source->files.data[i].lines);
	}
	xs_vec_deinit(&source->files);
	free(source);
}

bool cli_source_is_named(const char *path)
{
	static const char *const ends[] = {".c", ".h", ".i", ".cc", ".cp", ".cxx", ".cpp", ".c++",
		".C", ".ii", ".hh", ".hpp", ".hxx", ".h++", ".H", ".tcc", ".ipp", ".inc", ".inl",
		".def", ".s", ".S", ".asm", ".y", ".l", ".m", ".mm", ".rs", ".go", ".d", ".f", ".F",
		".for", ".f77", ".f90", ".f95", ".f03", ".f08", ".F90", ".adb", ".ads", ".pas",
		".mod", ".ml", ".swift", ".zig", ".nim", ".cu", ".cl", ".v", ".tbl"};
	const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
	for (size_t i = 0; dot && i < sizeof ends / sizeof *ends; i++)
		if (!strcmp(dot, ends[i]))
			return true;
	/* The headers of C++ end in nothing. */
	return !strncmp(path, "/usr/include/", 13) && !strstr(path, "/../");
}

static void read_file(struct file *file, bool tabs)
{
	struct stat info;
	if (!cli_source_is_named(file->path))
		return;
	XS_AUTO_CLOSE int fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &info) || !S_ISREG(info.st_mode) || info.st_size > SIZE_MAX_SHOWN)
		return;
	size_t size = (size_t)info.st_size, have = 0;
	file->text = xs_calloc(size + 1, 1);
	for (ssize_t got = 1; have < size && got > 0; have += (size_t)(got > 0 ? got : 0))
		got = read(fd, file->text + have, size - have);
	for (char *at = file->text; at && at < file->text + have;) {
		xs_vec_push(&file->lines, at);
		char *newline = memchr(at, '\n', have - (size_t)(at - file->text));
		if (newline)
			*newline = 0;
		if (newline > at && newline[-1] == '\r') /* as DOS ends lines */
			newline[-1] = 0;
		for (char *tab = at; !tabs && (tab = strchr(tab, '\t'));)
			*tab = ' ';
		at = newline ? newline + 1 : NULL;
	}
}

static struct file *find_file(struct cli_source *source, const char *path)
{
	for (size_t i = 0; i < source->files.len; i++) {
		size_t at = (source->last + i) % source->files.len;
		if (!strcmp(source->files.data[at].path, path)) {
			source->last = at;
			return &source->files.data[at];
		}
	}
	struct file file = {.path = xs_strdup(path)};
	read_file(&file, source->tabs);
	xs_vec_push(&source->files, file);
	source->last = source->files.len - 1;
	return &source->files.data[source->last];
}

const char *cli_source_line(struct cli_source *source, const char *path, uint32_t line)
{
	const struct file *file = find_file(source, path);
	return line && line <= file->lines.len ? file->lines.data[line - 1] : NULL;
}
