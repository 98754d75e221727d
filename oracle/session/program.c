#include "oracle/session/program.h"
#include "base/log.h"
#include "base/private.h"
#include "dwarf/sanitised.h"

#include <fcntl.h>
#include <limits.h>

/* The program's path made absolute, its directory without symbolic links: what argv[0] is decides
 * where its stack lies. */
static struct xs_error *absolute_path(const char *program, char **ret)
{
	const char *slash = strrchr(program, '/');
	XS_AUTO_FREE char *folder =
		slash ? xs_asprintf("%.*s/", (int)(slash - program), program) : xs_strdup(".");
	char real[PATH_MAX];
	if (!realpath(folder, real))
		return xs_error_sys("%s", program);
	*ret = xs_asprintf("%s/%s", strcmp(real, "/") ? real : "", slash ? slash + 1 : program);
	return NULL;
}

static struct xs_error *open_for(const char *option, const char *path, int flags, int *ret)
{
	*ret = open(path, flags | O_CLOEXEC, XS_PRIVATE_FILE);
	return *ret < 0 ? xs_error_sys("--%s %s", option, path) : NULL;
}

/* The fixed environment with what --env adds or replaces. The strings stay the caller's. */
static struct xs_error *build_environment(const struct xs_strings *extra, char ***ret)
{
	XS_VEC(char *) all = {0};
	for (size_t i = 0; ora_environment[i]; i++)
		xs_vec_push(&all, ora_environment[i]);
	for (size_t i = 0; i < extra->vec.len; i++) {
		const char *text = extra->vec.data[i];
		size_t name = strcspn(text, "="), at = 0;
		if (!name || !text[name]) {
			xs_vec_deinit(&all);
			return xs_error_create("--env: '%s' is not NAME=VALUE", text);
		}
		while (at < all.len && strncmp(all.data[at], text, name + 1))
			at++;
		if (at == all.len)
			xs_vec_push(&all, NULL);
		all.data[at] = (char *)(uintptr_t)text; /* execve takes them so, and changes none */
	}
	xs_vec_push(&all, NULL);
	*ret = all.data;
	return NULL;
}

/* The end of such a program would be another one than without us. */
static void warn_sanitised(const struct ora_run *run)
{
	for (char *const *each = run->environment; each && *each; each++)
		if ((!strncmp(*each, "ASAN_OPTIONS=", 13) ||
			    !strncmp(*each, "LSAN_OPTIONS=", 13)) &&
			strstr(*each, "detect_leaks=0"))
			return;
	if (di_is_leak_sanitised(run->subject->modules.data[0].info))
		xs_log(XS_LOG_ORACLE, XS_LOG_WARN,
			"%s looks for leaks when it ends (LeakSanitizer), which fails under "
			"ptrace; "
			"--env ASAN_OPTIONS=detect_leaks=0 switches that off",
			run->path);
}

struct xs_error *ora_program_prepare(
	struct ora_program *program, char *const *argv, struct ora_run *run)
{
	struct xs_error *err;
	int fd;
	if ((err = absolute_path(argv[0], &program->path)) ||
		(program->name && (err = absolute_path(program->name, &program->called))) ||
		(err = build_environment(&program->environment, &program->variables)))
		return err;
	size_t count = 0;
	while (argv[count])
		count++;
	program->argv = xs_calloc(count + 1, sizeof *program->argv);
	memcpy(program->argv, argv, count * sizeof *argv);
	program->argv[0] = program->called ? program->called : program->path;
	*run = (struct ora_run){.path = program->path,
		.argv = program->argv,
		.environment = program->variables,
		.in = STDIN_FILENO,
		.out = STDERR_FILENO,
		.err = STDERR_FILENO,
		.moved = program->moved,
		.again = program->again,
		.rounding = program->rounding,
		.timeout = program->timeout,
		.steady = program->steady && !program->unsteady,
		.seen = program->seen,
		.debug_file = program->debug_file,
		.debug_root = program->debug_root};
	/* The subject first: a mistyped name must not cost anybody an old file. */
	if ((err = ora_run_open(run)))
		return err;
	warn_sanitised(run);
	if (program->in) {
		if ((err = open_for("stdin", program->in, O_RDONLY, &fd)))
			return err;
		program->in_fd = fd + 1;
		run->in = fd;
	}
	if (program->out) {
		if ((err = open_for("stdout", program->out, O_WRONLY | O_CREAT | O_TRUNC, &fd)))
			return err;
		program->out_fd = fd + 1;
		run->out = fd;
	}
	return NULL;
}

struct ora_program ora_program_another(const struct ora_program *program)
{
	struct ora_program ret = *program;
	ret.path = ret.called = NULL;
	ret.argv = ret.variables = NULL;
	ret.in_fd = ret.out_fd = 0;
	return ret;
}

struct ora_program ora_program_unheard(const struct ora_program *program)
{
	struct ora_program ret = ora_program_another(program);
	ret.in = ret.in ? ret.in : "/dev/null";
	ret.out = "/dev/null";
	return ret;
}

void ora_program_release(struct ora_program *program)
{
	if (program->in_fd)
		close(program->in_fd - 1);
	if (program->out_fd)
		close(program->out_fd - 1);
	program->in_fd = program->out_fd = 0;
	free(xs_take(&program->path));
	free(xs_take(&program->called));
	free(xs_take(&program->argv));
	free(xs_take(&program->variables));
}

void ora_program_deinit(struct ora_program *program)
{
	ora_program_release(program);
	xs_vec_deinit(&program->environment.vec);
}
