#include "oracle/store/ending.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

int ora_ending_signal(const char *name)
{
	for (int number = 1; number < NSIG; number++) {
		const char *known = sigabbrev_np(number);
		if (known && !strncmp(name, "SIG", 3) && !strcmp(name + 3, known))
			return number;
	}
	return 0;
}

bool ora_ending_complete(const struct ora_ending *ending)
{
	switch (ending->over) {
	case ORA_OVER_RETURN:
	case ORA_OVER_EXEC:
	case ORA_OVER_PROGRAM:
	case ORA_OVER_THREAD:
		return true;
	default:
		return false;
	}
}

static const char crashed[] = "the debugger crashed";

static void put_over(FILE *out, const struct ora_ending *ending)
{
	switch (ending->over) {
	case ORA_OVER_RETURN:
		fprintf(out, "%s returned", ending->from ? ending->from : "main");
		break;
	case ORA_OVER_EXEC:
		fputs("became another program", out);
		break;
	case ORA_OVER_THREAD:
		fputs("ended", out);
		break;
	case ORA_OVER_LIMIT:
		fprintf(out, "ended by --limit %" PRIu64, ending->limit);
		break;
	case ORA_OVER_TIMEOUT:
		fprintf(out, "ended by --timeout %g", ending->timeout);
		break;
	case ORA_OVER_SIGNAL:
		fprintf(out, "interrupted by SIG%s", sigabbrev_np(ending->interrupted_by));
		break;
	case ORA_OVER_CRASH:
		fputs(crashed, out);
		break;
	case ORA_OVER_PROGRAM:
	case ORA_OVER_CUT:
		break;
	}
}

bool ora_ending_is_crash(const char *text)
{
	return text && !strncmp(text, crashed, strlen(crashed));
}

char *ora_ending_text(const struct ora_ending *ending)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	xs_assert(out);
	put_over(out, ending);
	if (ending->fate != ORA_FATE_UNKNOWN && ftell(out))
		fputs("; ", out);
	if (ending->fate == ORA_FATE_EXITED)
		fprintf(out, "exited with status %d", ending->status);
	else if (ending->fate == ORA_FATE_KILLED && ending->killed_by)
		fprintf(out, "killed by SIG%s (%s)", sigabbrev_np(ending->killed_by),
			sigdescr_np(ending->killed_by));
	else if (ending->fate == ORA_FATE_KILLED)
		fprintf(out, "killed by %s", ending->killer ? ending->killer : "a signal");
	xs_assert(!fclose(out));
	return text;
}
