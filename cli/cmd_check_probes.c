/* cmd_check_probes.c - xstep check probes: the code generator's own operands against the DWARF. */
#include "base/path.h"
#include "base/shown.h"
#include "cli/check_options.h"
#include "cli/commands.h"
#include "oracle/session/probing.h"

struct options {
	struct cli_check check;
	uint64_t every, budget, seed;
};

static const struct cli_option options[] = {
	{"What to check", "from", 0, CLI_STRING, "PLACE",
		"begin at the first call of FUNCTION, or at the first arrival at FILE:LINE "
		"(default: main)",
		offsetof(struct options, check.record.from)},
	{"What to check", "every", 0, CLI_COUNT, "N",
		"look at the first arrival at a probe, and at each N-th after it (default: at "
		"the first, and at one in C if there were C before)",
		offsetof(struct options, every)},
	{"What to check", "arrivals", 0, CLI_COUNT, "N",
		"take a probe's trap out after N arrivals (default: 100; 1 for probes that are "
		"first reached after 10000 arrivals at others)",
		offsetof(struct options, budget)},
	{"What to check", "seed", 0, CLI_NUMBER, "N",
		"decides which later arrivals are looked at (default: 0)",
		offsetof(struct options, seed)},
	CLI_CHECK_WITNESS_OPTIONS(struct options, check),
	CLI_PROGRAM_OPTIONS(struct options, check.record.program),
	CLI_CHECK_STORE_OPTIONS(struct options, check),
	CLI_CHECK_FINDING_OPTIONS(struct options, check),
	{0},
};

static const char details[] =
	"A SystemTap probe (<sys/sdt.h>) is a nop and a note that says where its operands\n"
	"are at that pc: `-4@%ecx`, `-1@23(%rsp)`, `8@$0`. The code generator writes it, not\n"
	"whoever writes the debug information. The program runs at full speed, with traps\n"
	"at its probes only. At each arrival that is looked at, operands are compared with\n"
	"what the DWARF says of their variables:\n"
	"  P1  A variable has the value that the operand has.\n"
	"  P2  A variable that is an operand has a value: the compiler itself knows where\n"
	"      it is.\n"
	"\n"
	"Which variable an operand is, probes of the provider `xstep` say; xstep mutate\n"
	"--probes plants such. Operands of other providers (those of libc, python3, ...)\n"
	"have no names: they are counted, and not asked about.\n"
	"\n"
	"What is wrong about a value (P1), in the signature:\n"
	"  wrong-constant     the DWARF has a constant\n"
	"  wrong-register     it names a register\n"
	"  wrong-entry-value  it has the value from the function's entry\n"
	"  stale-memory       it names one place in memory for all the time, but the value\n"
	"                     is not stored there, or not yet\n"
	"  wrong-value        it has any other expression\n"
	"If there is none (P2), what is wrong with the variable's entry: missing, hollow,\n"
	"incomplete, incorrect; see xstep check avail --help.\n"
	"\n"
	"Who is wrong: see xstep check opt --help. The JSON is described there, too.\n"
	"\n"
	"Exit status:\n"
	"  0  no violation\n"
	"  1  at least one violation\n"
	"  2  trouble; also if nothing could be asked\n";

/* What it takes to do it again, for --report. */
static void tell_words(struct options *values, char **argv)
{
	struct cli_check *check = &values->check;
	const struct {
		const char *word;
		uint64_t number;
	} numbers[] = {{"--every", values->every}, {"--arrivals", values->budget},
		{"--seed", values->seed}};
	cli_check_words(check, "probes");
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		XS_AUTO_FREE char *text = xs_asprintf("%" PRIu64, numbers[i].number);
		if (!numbers[i].number)
			continue;
		cli_again_word(&check->again, numbers[i].word);
		cli_again_word(&check->again, text);
	}
	cli_again_subject(&check->again, argv);
}

static int cmd_check_probes(int argc, char **argv)
{
	struct options values = {.check = CLI_CHECK_INIT};
	struct cli_check *check = &values.check;
	int first = 0;
	bool help = false;
	struct xs_error *err = cli_parse(&cli_check_probes, argc, argv, &values, &first, &help);
	cli_check_begin(check);
	struct ora_probing probing = {.checking = &check->checking,
		.argv = argv + first,
		.every = values.every,
		.budget = values.budget,
		.seed = values.seed};
	if (!err && help) {
		cli_print_help(&cli_check_probes, stdout);
	} else if (!err && first >= argc) {
		err = xs_error_create(
			"check probes: name a program; see xstep check probes --help");
	} else if (!err && !(err = ora_probing_run(&probing))) {
		tell_words(&values, argv + first);
		XS_AUTO_FREE char *headline =
			xs_asprintf("%s: %" PRIu64 " probes, %" PRIu64 " of them reached, %" PRIu64
				    " of %" PRIu64 " arrivals looked at",
				xs_base_name(check->checking.check.subject), probing.places,
				probing.reached, probing.looked, probing.arrivals);
		err = cli_check_print(check, "check probes", headline);
	}
	return cli_check_end(check, err);
}

const struct cli_command cli_check_probes = {
	.name = "check probes",
	.operands = "PROGRAM [ARG...]",
	.summary = "Compare the operands of SystemTap probes with what the DWARF says",
	.details = details,
	.options = options,
	.run = cmd_check_probes,
	.paged = true,
};
