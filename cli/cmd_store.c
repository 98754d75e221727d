/* cmd_store.c - xstep store: what is done to trace stores as files. */
#include "base/shown.h"
#include "cli/commands.h"
#include "oracle/store/store.h"

static const struct cli_option options[] = {
	{0},
};

static const char details[] =
	"Commands:\n"
	"  merge OUT IN...  adds all traces of the stores IN to OUT, which is made if it\n"
	"                   does not exist\n"
	"  check FILE...    checks the files: SQLite's own integrity, and the numbered\n"
	"                   invariants of the schema\n"
	"\n"
	"Exit status:\n"
	"  0  done, and nothing is wrong\n"
	"  1  check found something\n"
	"  2  trouble\n";

static struct xs_error *merge(const struct xs_strings *words)
{
	XS_AUTO(ora_store) store = NULL;
	struct xs_error *err = ora_store_open(words->vec.data[1], ORA_STORE_WRITE, &store);
	for (size_t i = 2; !err && i < words->vec.len; i++)
		err = ora_store_merge(store, words->vec.data[i]);
	return err;
}

struct check {
	const char *path;
	size_t problems;
};

static void on_problem(void *arg, const char *problem)
{
	struct check *check = arg;
	check->problems++;
	xs_print(stdout, "%s: %s\n", check->path, problem);
}

static struct xs_error *check(const struct xs_strings *words, bool *found)
{
	for (size_t i = 1; i < words->vec.len; i++) {
		XS_AUTO(ora_store) store = NULL;
		struct check one = {.path = words->vec.data[i]};
		struct xs_error *err = ora_store_open(one.path, ORA_STORE_READ, &store);
		if (err || (err = ora_store_check(store, on_problem, &one)))
			return err;
		*found |= one.problems;
	}
	return NULL;
}

static int cmd_store(int argc, char **argv)
{
	struct xs_strings words = {0};
	bool help = false, found = false;
	int nothing = 0;
	struct xs_error *err = cli_parse_all(&cli_store, argc, argv, &nothing, &words, &help);
	const char *verb = words.vec.len ? words.vec.data[0] : "";
	if (!err && help)
		cli_print_help(&cli_store, stdout);
	else if (!err && !strcmp(verb, "merge") && words.vec.len >= 3)
		err = merge(&words);
	else if (!err && !strcmp(verb, "check") && words.vec.len >= 2)
		err = check(&words, &found);
	else if (!err)
		err = xs_error_create(
			"store: expected merge OUT IN... or check FILE...; see xstep store "
			"--help");
	xs_vec_deinit(&words.vec);
	return err ? cli_fail(err) : found ? CLI_FOUND : CLI_NOTHING;
}

const struct cli_command cli_store = {
	.name = "store",
	.operands = "merge OUT IN... | check FILE...",
	.summary = "Merge trace stores, or check that one is sound",
	.details = details,
	.options = options,
	.run = cmd_store,
};
