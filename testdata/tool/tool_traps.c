/* Programs that use SIGTRAP themselves; argv[1] says how. Each ends in every mode as without xstep:
 * the tracer's own traps are not the program's. (icebp comes back without an end on some virtual
 * machines, so no handler waits for it here.) */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum { TRAP_FLAG = 0x100, STEPS = 12, MANY_STEPS = 200 };

#define int3() __asm__ volatile("int3")

static volatile int count, depth, deepest, traced, wanted;

static void say(const char *text)
{
	(void)!write(1, text, strlen(text));
}

static void count_up(int number)
{
	(void)number;
	count++;
}

static void install(void (*handler)(int), int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
	sigaction(SIGTRAP, &action, NULL);
}

static void block(int how)
{
	sigset_t trap;
	sigemptyset(&trap);
	sigaddset(&trap, SIGTRAP);
	sigprocmask(how, &trap, NULL);
}

/* Library code that is left and entered again and again. */
static void call_often(void)
{
	char text[32];
	for (int i = 0; i < 20; i++) {
		snprintf(text, sizeof text, "%d\n", i);
		say(text);
	}
}

static int plain(void)
{
	install(count_up, 0);
	int3();
	raise(SIGTRAP);
	__asm__ volatile(".byte 0xcd, 3");
	kill(getpid(), SIGTRAP);
	return 10 * count;
}

static void nest(int number)
{
	count++;
	depth++;
	deepest = depth > deepest ? depth : deepest;
	if (count == 1) {
		int3();
		raise(number);
	}
	depth--;
}

static int nested(void)
{
	install(nest, (int)SA_NODEFER);
	int3();
	return 10 * count + deepest;
}

static int on_other_stack(void)
{
	static char room[65536];
	stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
	sigaltstack(&stack, NULL);
	install(nest, SA_ONSTACK | (int)SA_NODEFER);
	int3();
	return 10 * count + deepest;
}

/* It is blocked in its handler: the next one comes when this one has returned. */
static void raise_again(int number)
{
	if (++count < 4)
		raise(number);
}

static int deferred(void)
{
	install(raise_again, 0);
	raise(SIGTRAP);
	return 10 * count;
}

/* int3 while SIGTRAP is blocked: the kernel ends the program. */
static void trap_again(int number)
{
	(void)number;
	say("handler\n");
	int3();
	say("never\n");
}

static int forced(void)
{
	install(trap_again, 0);
	int3();
	return 1;
}

static int forced_by_raise(void)
{
	install(trap_again, 0);
	raise(SIGTRAP);
	return 1;
}

static int forced_blocked(void)
{
	install(count_up, 0);
	block(SIG_BLOCK);
	say("blocked\n");
	int3();
	return 1;
}

static int blocked(void)
{
	install(count_up, 0);
	block(SIG_BLOCK);
	raise(SIGTRAP);
	call_often();
	int before = count;
	block(SIG_UNBLOCK);
	call_often();
	int3();
	return 10 * count + before;
}

static int waited(void)
{
	sigset_t trap;
	siginfo_t info;
	sigemptyset(&trap);
	sigaddset(&trap, SIGTRAP);
	block(SIG_BLOCK);
	raise(SIGTRAP);
	call_often();
	return sigwaitinfo(&trap, &info) == SIGTRAP ? 30 + (info.si_code == SI_TKILL) : 1;
}

static int ignored(void)
{
	struct sigaction action;
	signal(SIGTRAP, SIG_IGN);
	raise(SIGTRAP);
	call_often();
	sigaction(SIGTRAP, NULL, &action);
	return action.sa_handler == SIG_IGN ? 21 : 1;
}

static int ignored_int3(void)
{
	signal(SIGTRAP, SIG_IGN);
	say("ignored\n");
	int3();
	return 1;
}

static int unhandled(void)
{
	say("unhandled\n");
	int3();
	return 1;
}

static int unhandled_raise(void)
{
	say("unhandled\n");
	raise(SIGTRAP);
	return 1;
}

static int unhandled_icebp(void)
{
	say("icebp\n");
	__asm__ volatile(".byte 0xf1");
	return 1;
}

static void tell(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	printf("code %d, value %d\n", info->si_code,
		info->si_code == SI_QUEUE ? info->si_value.sival_int : 0);
	fflush(stdout);
	count++;
}

static int told(void)
{
	struct sigaction action = {.sa_sigaction = tell, .sa_flags = SA_SIGINFO};
	sigaction(SIGTRAP, &action, NULL);
	int3();
	sigqueue(getpid(), SIGTRAP, (union sigval){.sival_int = 7});
	block(SIG_BLOCK);
	sigqueue(getpid(), SIGTRAP, (union sigval){.sival_int = 8});
	call_often();
	block(SIG_UNBLOCK);
	return count;
}

/* By the trap flag the program steps itself. */
static void count_step(int number, siginfo_t *info, void *context)
{
	ucontext_t *machine = context;
	(void)number;
	traced += info->si_code == TRAP_TRACE;
	if (++count == wanted)
		machine->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}

static void step_yourself(int steps)
{
	struct sigaction action = {.sa_sigaction = count_step, .sa_flags = SA_SIGINFO};
	wanted = steps;
	sigaction(SIGTRAP, &action, NULL);
	__asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" : : : "memory", "cc");
}

static int stepping(void)
{
	step_yourself(STEPS);
	for (volatile int i = 0; i < 100; i++)
		;
	return traced == STEPS ? count : 1;
}

static int stepping_calls(void)
{
	char text[32];
	step_yourself(MANY_STEPS);
	snprintf(text, sizeof text, "%s", "a call");
	for (volatile int i = 0; i < 100; i++)
		;
	return count == MANY_STEPS ? 5 : 1;
}

static void say_once(int number)
{
	(void)number;
	say("once\n");
}

static int once(void)
{
	install(say_once, (int)SA_RESETHAND);
	int3();
	int3();
	return 1;
}

static void *trap_there(void *argument)
{
	int3();
	raise(SIGTRAP);
	return argument;
}

static int threaded(void)
{
	pthread_t thread;
	install(count_up, 0);
	pthread_create(&thread, NULL, trap_there, NULL);
	pthread_join(thread, NULL);
	return 10 * count;
}

static int inherited(void)
{
	int status = 0;
	install(count_up, 0);
	pid_t child = fork();
	if (!child) {
		trap_there(NULL);
		_exit(count);
	}
	waitpid(child, &status, 0);
	return 10 * WEXITSTATUS(status) + count;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(void);
	} ways[] = {{"plain", plain}, {"nested", nested}, {"on_other_stack", on_other_stack},
		{"deferred", deferred}, {"forced", forced}, {"forced_by_raise", forced_by_raise},
		{"forced_blocked", forced_blocked}, {"blocked", blocked}, {"waited", waited},
		{"ignored", ignored}, {"ignored_int3", ignored_int3}, {"unhandled", unhandled},
		{"unhandled_raise", unhandled_raise}, {"unhandled_icebp", unhandled_icebp},
		{"told", told}, {"stepping", stepping}, {"stepping_calls", stepping_calls},
		{"once", once}, {"threaded", threaded}, {"inherited", inherited}};
	struct rlimit none = {0, 0};
	setrlimit(RLIMIT_CORE, &none);
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (argc == 1)
			puts(ways[i].name);
		else if (!strcmp(argv[1], ways[i].name))
			return ways[i].run();
	return argc == 1 ? 0 : 100;
}
