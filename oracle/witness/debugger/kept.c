#include "oracle/witness/debugger/kept.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "base/quoting.h"
#include "oracle/witness/debugger/driver.h"
#include "oracle/witness/debugger/lent.h"
#include "oracle/witness/debugger/row.h"

enum { BACKLOG = 64 };

static struct xs_error *open_door(const char *path, int *ret)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	if (snprintf(address.sun_path, sizeof address.sun_path, "%s", path) >=
		(int)sizeof address.sun_path)
		return xs_error_create("%s: too long for a socket; choose another TMPDIR", path);
	unlink(path);
	*ret = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (*ret < 0 || bind(*ret, (struct sockaddr *)&address, sizeof address) ||
		listen(*ret, BACKLOG))
		return xs_error_sys("%s", path);
	return NULL;
}

static struct xs_error *start(
	const struct ora_witness *witness, const char *folder, struct ora_helper *ret)
{
	const struct ora_debugger *debugger = ora_debugger_of(witness->kind);
	bool lldb = witness->kind == ORA_WITNESS_LLDB;
	XS_AUTO_FREE char *scripts = NULL;
	struct xs_error *err = ora_driver_scripts(&scripts);
	if (err)
		return err;
	XS_AUTO_FREE char *script = xs_asprintf("%s/%s", scripts, debugger->script);
	XS_AUTO_FREE char *word = lldb ? xs_quote_lldb(script) : xs_strdup(script);
	XS_AUTO_FREE char *load = xs_asprintf(debugger->load, word);
	char *argv[ORA_DEBUGGER_WORDS + 2];
	ora_debugger_argv(debugger, witness->path, debugger->loader, load, argv);
	/* Threads of its own would not be in a copy. */
	char early[] = "-iex", alone[] = "maint set worker-threads 0";
	if (!lldb) {
		ora_debugger_add(argv, early);
		ora_debugger_add(argv, alone);
	}
	XS_AUTO_FREE char *who = xs_asprintf("XSTEP_KEPT_AS=%s", witness->path);
	XS_AUTO_FREE char *place = xs_asprintf("TMPDIR=%s", folder);
	XS_AUTO_FREE char *modules =
		xs_asprintf("PYTHONPATH=%s", witness->modules ? witness->modules : "");
	XS_AUTO_FREE char *search = xs_asprintf("PATH=%s", witness->search ? witness->search : "");
	char *variables[] = {who, place, (char[]){"PYTHONDONTWRITEBYTECODE=1"},
		(char[]){"LC_ALL=C.UTF-8"}, (char[]){"TERM=dumb"},
		witness->modules ? modules : (char[]){"XSTEP_NOTHING"},
		witness->search ? search : (char[]){"XSTEP_NOTHING"}, NULL};
	err = ora_helper_start(argv, variables, ORA_HELPER_AWAY, true, NULL, ret);
	prctl(PR_SET_CHILD_SUBREAPER, 0); /* it looks after its own */
	return err;
}

struct xs_error *ora_kept_start(
	const struct ora_witness *witness, const char *folder, struct ora_kept *ret)
{
	XS_AUTO_CLOSE int door = -1;
	struct xs_error *err;
	ret->helper = (struct ora_helper){.said = -1, .results = -1};
	ret->door = ora_lent_door(folder, witness->kind);
	if (!(err = open_door(ret->door, &door)) && !(err = start(witness, folder, &ret->helper)) &&
		!ora_helper_send(&ret->helper, door))
		err = xs_error_sys("%s", ret->door);
	if (err)
		ora_kept_end(ret);
	return err;
}

bool ora_kept_is_alive(struct ora_kept *kept)
{
	return kept->door && !ora_helper_has_ended(&kept->helper);
}

void ora_kept_end(struct ora_kept *kept)
{
	struct ora_helper *helper = &kept->helper;
	if (helper->pid && !ora_helper_has_ended(helper)) {
		kill(helper->pid, SIGKILL);
		while (waitpid(helper->pid, &helper->status, __WALL) < 0 && errno == EINTR)
			continue;
	}
	if (helper->said >= 0)
		close(helper->said);
	if (helper->results >= 0)
		close(helper->results);
	if (kept->door)
		unlink(kept->door);
	free(kept->door);
	*kept = (struct ora_kept){.helper = {.said = -1, .results = -1}};
}
