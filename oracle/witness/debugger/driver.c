#include "oracle/witness/debugger/driver.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <dwarf.h>

#include "base/log.h"
#include "base/quoting.h"
#include "base/scratch.h"
#include "dwarf/attribute.h"
#include "dwarf/leaf.h"
#include "dwarf/scope.h"
#include "dwarf/steady.h"
#include "dwarf/unit.h"
#include "dwarf/waiting.h"
#include "engine/constant.h"
#include "engine/tsc.h"
#include "oracle/witness/debugger/lent.h"
#include "oracle/witness/debugger/probed.h"
#include "oracle/witness/debugger/row.h"
#include "oracle/witness/own/start.h"

enum {
	COMMAND_MAX = 4096,  /* of the last command: a page */
	DIE_DEPTH_MAX = 512, /* blocks inside of each other */
	/* Entries of location lists that a debugger is told: some ten megabytes in there. */
	ENTRIES_MAX = 200000,
};

double ora_driver_patience(const struct ora_testimony *testimony)
{
	double given = testimony->question->patience;
	return given > 0 ? given : ORA_DRIVER_PATIENCE;
}

char *ora_driver_path(const struct ora_driver *driver, const char *name)
{
	return xs_asprintf("%s/%s", driver->folder, name);
}

/* --- the driver ------------------------------------------------------------------------------- */

struct xs_error *ora_driver_scripts(char **ret)
{
	static const char *const places[] = {"/../share/xstep/drivers", "/drivers"};
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
	self[length > 0 ? length : 0] = 0;
	char *slash = strrchr(self, '/');
	if (slash)
		*slash = 0;
	for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
		XS_AUTO_FREE char *folder = xs_asprintf("%s%s", self, places[i]);
		XS_AUTO_FREE char *driver = xs_asprintf("%s/walk.py", folder);
		if (!access(driver, R_OK)) {
			*ret = xs_take(&folder);
			return NULL;
		}
	}
	if (!access(XSTEP_DRIVERS "/walk.py", R_OK)) {
		*ret = xs_strdup(XSTEP_DRIVERS);
		return NULL;
	}
	return xs_error_create("%s/../share/xstep/drivers: the debuggers' drivers are not there; "
			       "install xstep with cmake --install",
		self);
}

/* --- the job ---------------------------------------------------------------------------------- */

/* What a second run has at AT_RANDOM and in the dead stack: what depends on it was never written by
 * the program. */
static const uint8_t other_random[16] = "another 16 bytes";
enum { OTHER_FILL = 0xa5 };

static json_t *hex(const void *bytes, size_t size)
{
	char text[64] = "";
	for (size_t i = 0; i < size; i++)
		snprintf(text + 2 * i, 3, "%02x", ((const uint8_t *)bytes)[i]);
	return json_string(text);
}

/* JSON has no unsigned numbers of 64 bits; addresses of user space fit into signed ones. */
static json_t *address(xs_addr addr)
{
	return json_integer((json_int_t)addr);
}

/* What the program reads: a file can be read again by each witness, a pipe or terminal cannot. */
static char *input_path(int fd)
{
	char link[64], path[PATH_MAX];
	struct stat about;
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	ssize_t length = readlink(link, path, sizeof path - 1);
	if (length <= 0 || fstat(fd, &about) || !S_ISREG(about.st_mode))
		return xs_strdup("/dev/null");
	path[length] = 0;
	return xs_strdup(path);
}

/* NULL if something in it is not UTF-8. */
static json_t *environment_of(const struct ora_run *run)
{
	json_t *ret = json_object();
	char *const *each = run->environment ? run->environment : ora_environment;
	for (; *each; each++) {
		XS_AUTO_FREE char *name = xs_strdup(*each);
		char *equals = strchr(name, '=');
		*equals = 0;
		if (json_object_set_new(ret, name, json_string(equals + 1))) {
			json_decref(ret);
			return NULL;
		}
	}
	return ret;
}

/* The lines to break at: [[file, line], ...], those that a row with is_stmt names, each once. */
static json_t *lines_of(const struct di_lines *lines)
{
	json_t *ret = json_array();
	struct xs_map seen = {0};
	di_lines_keep_all(lines);
	for (size_t i = 0; i < lines->rows.len; i++) {
		const struct di_row *row = &lines->rows.data[i];
		const char *file = di_lines_file(lines, row);
		if (!row->is_stmt || row->end_sequence || !row->line || !file)
			continue;
		uint64_t *known = xs_map_at(&seen, row->file, row->line);
		if (!*known)
			json_array_append_new(ret, json_pack("[s,I]", file, (json_int_t)row->line));
		*known = 1;
	}
	xs_map_deinit(&seen);
	return ret;
}

/* The address of a variable whose location is nothing else; 0: it has none. */
static xs_addr address_of(const struct di_unit *unit, Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Op *ops;
	size_t count;
	xs_addr ret = 0;
	if (!dwarf_attr(die, DW_AT_location, &attribute) ||
		dwarf_getlocation(&attribute, &ops, &count) || count != 1)
		return 0;
	if (ops[0].atom == DW_OP_addr)
		return ops[0].number;
	return ops[0].atom == DW_OP_addrx && di_unit_address(unit, ops[0].number, &ret) ? ret : 0;
}

/* The variables at file scope: [[address, name of the unit whose source has it, its own name, file
 * that declares it], ...]. */
static json_t *variables_of(struct di_module *info)
{
	const struct di_globals *globals = di_scopes_file(di_scopes_at(info, info->entry))->globals;
	json_t *ret = json_array();
	for (size_t i = 0; i < globals->list.len; i++) {
		const struct di_variable *variable = globals->list.data[i];
		Dwarf_Die die = variable->die;
		xs_addr at = address_of(variable->unit, &die);
		json_t *entry = at ? json_pack("[o,s,s,s?]", address(at), variable->home->name,
					     variable->name, variable->file)
				   : NULL;
		if (entry) /* else not UTF-8 */
			json_array_append_new(ret, entry);
	}
	return ret;
}

/* Adds what is only declared inside of functions: [[name, line], ...]. `extern int g;` in a block
 * is no variable of the block's, but the one at file scope, and that is told as what it is. */
static void add_declared(Dwarf_Die *die, bool inside, unsigned depth, json_t *ret)
{
	Dwarf_Die child;
	if (depth > DIE_DEPTH_MAX || dwarf_child(die, &child))
		return;
	do {
		int tag = dwarf_tag(&child);
		Dwarf_Attribute attribute;
		Dwarf_Word line = 0;
		if (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
			tag == DW_TAG_inlined_subroutine || tag == DW_TAG_namespace)
			add_declared(&child, inside || tag == DW_TAG_subprogram, depth + 1, ret);
		if (!inside || tag != DW_TAG_variable || !dwarf_diename(&child) ||
			!di_hasattr_integrate(&child, DW_AT_declaration) ||
			di_hasattr_integrate(&child, DW_AT_location) ||
			di_hasattr_integrate(&child, DW_AT_const_value))
			continue;
		if (di_attr_integrate(&child, DW_AT_decl_line, &attribute))
			dwarf_formudata(&attribute, &line);
		json_t *entry = json_pack("[s,I]", dwarf_diename(&child), (json_int_t)line);
		if (entry) /* else not UTF-8 */
			json_array_append_new(ret, entry);
	} while (!dwarf_siblingof(&child, &child));
}

/* Where the code of each unit is: [[lo, hi, name, path], ...], by lo; the path is the name in the
 * folder that it was compiled in. What is only declared inside of functions is added to `declared`.
 */
static json_t *units_of(struct di_module *info, json_t *declared)
{
	json_t *ret = json_array();
	struct xs_map seen = {0};
	const struct di_unit *last = NULL;
	json_t *entry = NULL;
	size_t count;
	const struct di_function_range *ranges = di_functions_ranges(info->functions, &count);
	for (size_t i = 0; i < count; i++) {
		const struct di_function_range *range = &ranges[i];
		Dwarf_Die die = range->function->die;
		struct di_unit *holder = di_unit_of(info, &die);
		const struct di_unit *unit = di_home_of(info, &die);
		if (!(*xs_map_at(&seen, (uintptr_t)holder, 0))++)
			add_declared(&holder->die, false, 0, declared);
		if (unit == last && entry) {
			json_array_set_new(entry, 1, address(range->hi));
			continue;
		}
		const char *folder = di_unit_folder(unit);
		XS_AUTO_FREE char *path = *unit->name == '/' || !folder
						  ? xs_strdup(unit->name)
						  : xs_asprintf("%s/%s", folder, unit->name);
		entry = json_pack(
			"[o,o,s,s]", address(range->lo), address(range->hi), unit->name, path);
		last = unit;
		if (entry) /* else not UTF-8 */
			json_array_append_new(ret, entry);
	}
	xs_map_deinit(&seen);
	return ret;
}

/* The variables that need not be asked about while their bytes stay as they are: [[name, line,
 * whether it moves with the frame], ...]. */
static json_t *steady_of(struct di_module *info)
{
	json_t *ret = json_array();
	di_steady_list list = {0};
	di_steady_find(info, &list);
	for (size_t i = 0; i < list.len; i++) {
		const struct di_steady *one = &list.data[i];
		json_t *entry = json_pack("[s,I,b]", one->name, (json_int_t)one->line, one->framed);
		if (entry) /* else not UTF-8 */
			json_array_append_new(ret, entry);
	}
	xs_vec_deinit(&list);
	return ret;
}

/* What variables depend on in frames that wait for a call to return: [[name, line, [lo, hi, needs,
 * ...]], ...], `needs` being a mask as struct di_waiting_entry has it, or -1. */
static json_t *waiting_of(struct di_module *info)
{
	json_t *ret = json_array();
	di_waiting_list list = {0};
	di_waiting_find(info, ENTRIES_MAX, &list);
	for (size_t i = 0; i < list.len; i++) {
		const struct di_waiting *one = &list.data[i];
		json_t *entries = json_array();
		for (size_t k = 0; k < one->entries.len; k++) {
			const struct di_waiting_entry *its = &one->entries.data[k];
			json_array_append_new(entries, address(its->lo));
			json_array_append_new(entries, address(its->hi));
			json_array_append_new(
				entries, json_integer(its->needs == DI_WAITING_UNKNOWN
							      ? -1
							      : (json_int_t)its->needs));
		}
		json_t *entry = one->unknown ? NULL
					     : json_pack("[s,I,O]", one->name,
						       (json_int_t)one->line, entries);
		json_decref(entries);
		if (entry) /* else not UTF-8 */
			json_array_append_new(ret, entry);
	}
	di_waiting_deinit(&list);
	return ret;
}

/* The call sites by which it is not enough to know the registers of the caller: [[where the call
 * returns to, whether the frames further out say what is missing], ...]. */
static json_t *waiting_calls_of(struct di_module *info)
{
	json_t *ret = json_array();
	di_waiting_calls list = {0};
	di_waiting_find_calls(info, &list);
	for (size_t i = 0; i < list.len; i++)
		json_array_append_new(ret, json_pack("[o,b]", address(list.data[i].behind),
						   list.data[i].needs == DI_WAITING_OUTWARD));
	xs_vec_deinit(&list);
	return ret;
}

/* A path from anywhere, and under its own name if it is not relative. */
static void tell_path(json_t *job, const char *key, const char *path)
{
	XS_AUTO_FREE char *real = *path == '/' ? NULL : realpath(path, NULL);
	json_object_set_new(job, key, json_string(real ? real : path));
}

/* How to get to the start. Instruction steps begin at a breakpoint: they are what other steps are
 * compared with. */
static void tell_start(
	json_t *job, const struct ora_question *question, const struct ora_start_found *found)
{
	static const char *const ways[] = {[ORA_START_UNTIL] = "until",
		[ORA_START_ADVANCE] = "advance",
		[ORA_START_RANDOM] = NULL};
	struct ora_start start = ora_start_parse(question->from);
	bool by_way = question->level != ORA_LEVEL_INSTRUCTION && ways[start.way];
	json_object_set_new(job, "above", json_integer((json_int_t)found->above));
	if (found->from_main)
		json_object_set_new(job, "main", address(found->main));
	json_object_set_new(job, "in_main", json_boolean(found->in_main));
	json_object_set_new(job, "arrival", json_integer((json_int_t)start.arrival));
	json_object_set_new(job, "way", by_way ? json_string(ways[start.way]) : json_null());
	if (by_way && start.file)
		json_object_set_new(
			job, "place", json_pack("[s,I]", start.file, (json_int_t)start.line));
	ora_start_deinit(&start);
}

static struct xs_error *make_job(const struct ora_driver *driver, json_t **ret)
{
	const struct ora_testimony *testimony = driver->testimony;
	const struct ora_question *question = testimony->question;
	const struct ora_run *run = question->run;
	struct di_module *info = run->subject->modules.data[0].info;
	XS_AUTO_FREE char *in = input_path(run->in);
	XS_AUTO_FREE char *out = ora_driver_path(driver, "output");
	XS_AUTO_FREE char *command = ora_driver_path(driver, "command");
	char directory[PATH_MAX];
	struct ora_start_found start;
	struct xs_error *err = ora_start_find(run, question->from, &start);
	if (err)
		return err;
	if (!getcwd(directory, sizeof directory))
		return xs_error_sys("getcwd");
	json_t *arguments = json_array(), *ranges = json_array(), *functions = json_array();
	bool told = true;
	for (char *const *each = run->argv + 1; *each; each++)
		told &= !json_array_append_new(arguments, json_string(*each));
	for (size_t i = 0; i < info->interest.vec.len; i++)
		json_array_append_new(
			ranges, json_pack("[o,o]", address(info->interest.vec.data[i].lo),
					address(info->interest.vec.data[i].hi)));
	const struct di_function_list *all = di_functions_all(info->functions);
	for (size_t i = 0; i < all->vec.len; i++)
		if (xs_ranges_find(&info->interest, all->vec.data[i]->entry))
			json_array_append_new(functions, address(all->vec.data[i]->entry));
	*ret = json_pack("{s:s, s:o, s:o, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "program",
		run->path, "arguments", arguments, "environment", environment_of(run), "directory",
		directory, "stdin", in, "stdout", out, "stderr", out, "ranges", ranges, "functions",
		functions, "elf_entry", address(info->entry), "entry", address(start.address),
		"random",
		hex(testimony->again ? other_random : eng_constant_random,
			sizeof eng_constant_random));
	json_t *more = json_pack(
		"{s:s, s:I, s:I, s:s, s:s, s:b, s:b, s:I, s:s, s:b, s:s, s:b, s:i, s:b, s:b}",
		"sample", ora_sample_text(question->sample), "seed", (json_int_t)question->seed,
		"limit", (json_int_t)question->limit, "level", ora_level_text(question->level),
		"vars", ora_vars_text(question->vars), "frames", question->frames, "regs",
		question->regs, "max_leaves",
		(json_int_t)(question->max_leaves ? question->max_leaves : DI_LEAF_MAX), "ask",
		ora_ask_text(question->ask), "by_name", testimony->witness->by_name, "command",
		command, "debuginfod", getenv("DEBUGINFOD_URLS") != NULL, "fill",
		testimony->again ? OTHER_FILL : 0, "limit_kept", question->mode == ORA_MODE_UNIQUE,
		"moves", testimony->sink && testimony->sink->moves);
	if (!*ret || !more || !told) {
		json_decref(*ret);
		json_decref(more);
		return xs_error_create(
			"%s: a path or an argument is not UTF-8: debuggers cannot be "
			"told of it",
			run->path);
	}
	json_object_update(*ret, more);
	json_decref(more);
	json_t *declared = json_array();
	json_object_set_new(*ret, "units", units_of(info, declared));
	json_object_set_new(*ret, "variables", variables_of(info));
	json_object_set_new(*ret, "declared", declared);
	json_object_set_new(*ret, "steady", steady_of(info));
	if (question->frames && question->level == ORA_LEVEL_INSTRUCTION) {
		json_object_set_new(*ret, "waiting", waiting_of(info));
		json_object_set_new(*ret, "waiting_calls", waiting_calls_of(info));
	}
	tell_start(*ret, question, &start);
	/* All read the same DWARF, wherever xstep found it, and wherever they run. */
	if (info->separate)
		tell_path(*ret, "debug_file", info->separate->path);
	if (run->debug_root)
		tell_path(*ret, "debug_root", run->debug_root);
	json_object_set_new(*ret, "without_vdso", json_boolean(run->steady));
	if (testimony->plan)
		json_object_set(*ret, "plan", testimony->plan);
	if (driver->shared) {
		XS_AUTO_FREE char *socket = ora_driver_path(driver, "socket");
		XS_AUTO_FREE char *stop = ora_driver_path(driver, "stop");
		json_object_set_new(*ret, "connect", json_string(socket));
		json_object_set_new(*ret, "stop", json_string(stop));
	}
	if (question->level == ORA_LEVEL_BREAK)
		json_object_set_new(*ret, "lines", lines_of(&info->lines));
	return NULL;
}

/* The folder, and in it the job, the pipe for the program's output, and a page for the last
 * command.
 */
struct xs_error *ora_driver_prepare(struct ora_driver *driver)
{
	struct xs_error *err;
	json_t *job = NULL;
	/* A socket's path is short; what does not fit is in /tmp all the same. */
	const char *place = xs_scratch_place();
	size_t room = sizeof driver->folder - sizeof "/xstep-driver.XXXXXX";
	XS_AUTO_FREE char *folder = NULL;
	if ((err = xs_scratch_create_in(strlen(place) <= room ? place : "/tmp", "driver", &folder)))
		return err;
	snprintf(driver->folder, sizeof driver->folder, "%s", folder);
	XS_AUTO_FREE char *output = ora_driver_path(driver, "output");
	XS_AUTO_FREE char *command = ora_driver_path(driver, "command");
	XS_AUTO_FREE char *file = ora_driver_path(driver, "job");
	/* Open for writing too, or it would be at its end whenever the program has closed it. */
	if (mkfifo(output, 0600) ||
		(driver->output = open(output, O_RDWR | O_NONBLOCK | O_CLOEXEC)) < 0)
		return xs_error_sys("%s", output);
	XS_AUTO_CLOSE int page = open(command, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (page < 0 || ftruncate(page, COMMAND_MAX))
		return xs_error_sys("%s", command);
	if ((err = make_job(driver, &job)))
		return err;
	if (json_dump_file(job, file, JSON_COMPACT))
		err = xs_error_sys("%s", file);
	json_decref(job);
	return err;
}

void ora_driver_deinit(struct ora_driver *driver)
{
	ora_helper_end(&driver->helper);
	eng_steady_destroy(driver->steady);
	if (driver->output >= 0)
		close(driver->output);
	if (*driver->folder)
		xs_scratch_destroy(xs_strdup(driver->folder));
	xs_vec_deinit(&driver->line);
}

struct xs_error *ora_driver_start(struct ora_driver *driver)
{
	const struct ora_witness *witness = driver->testimony->witness;
	const struct ora_debugger *debugger = ora_debugger_of(witness->kind);
	XS_AUTO_FREE char *folder = NULL;
	struct xs_error *err = ora_driver_scripts(&folder);
	if (err)
		return err;
	XS_AUTO_FREE char *job = xs_asprintf("XSTEP_JOB=%s/job", driver->folder);
	XS_AUTO_FREE char *out = xs_asprintf("XSTEP_OUT=%d", ORA_HELPER_FD);
	XS_AUTO_FREE char *modules =
		xs_asprintf("PYTHONPATH=%s", witness->modules ? witness->modules : "");
	XS_AUTO_FREE char *search = xs_asprintf("PATH=%s", witness->search ? witness->search : "");
	XS_AUTO_FREE char *script = xs_asprintf("%s/%s", folder, debugger->script);
	XS_AUTO_FREE char *word =
		witness->kind == ORA_WITNESS_LLDB ? xs_quote_lldb(script) : xs_strdup(script);
	XS_AUTO_FREE char *load = xs_asprintf(debugger->load, word);
	char *argv[ORA_DEBUGGER_WORDS];
	ora_debugger_argv(debugger, witness->path, debugger->loader, load, argv);
	/* gdb has no command for such a path. */
	const struct ora_run *run = driver->testimony->question->run;
	if (witness->kind == ORA_WITNESS_GDB && strchr(run->path, '\n'))
		ora_debugger_add(argv, (char *)(uintptr_t)run->path);
	/* What it leaves behind when it is killed goes with the folder. */
	XS_AUTO_FREE char *place = xs_asprintf("TMPDIR=%s", driver->folder);
	char *variables[] = {job, out, place, (char[]){"PYTHONDONTWRITEBYTECODE=1"},
		(char[]){"LC_ALL=C.UTF-8"}, (char[]){"TERM=dumb"},
		witness->modules ? modules : (char[]){"XSTEP_NOTHING"},
		witness->search ? search : (char[]){"XSTEP_NOTHING"}, NULL};
	/* gdb has nothing to read here, and the program starts where gdb is. */
	const char *where = witness->kind == ORA_WITNESS_LLDB ? ORA_HELPER_AWAY : NULL;
	/* A process that xstep holds is steady by itself. */
	if (run->steady && !driver->shared && (err = eng_steady_create(run->path, &driver->steady)))
		return err;
	if (driver->steady && eng_tsc_is_read_by(run->path))
		xs_log(XS_LOG_ORACLE, XS_LOG_WARN,
			"%s reads the processor's clock (rdtsc): that cannot be pinned in gdb and "
			"lldb",
			run->path);
	/* One with words of its own on its command line is not kept. */
	if (driver->shared && !strchr(run->path, '\n') &&
		ora_lent_borrow(witness, variables, where, &driver->helper))
		return NULL;
	return ora_helper_start(argv, variables, where, true, driver->steady, &driver->helper);
}

/* --- its words -------------------------------------------------------------------------------- */

/* What the debugger says goes nowhere; the end of it is kept, for it may be its last words. */
void ora_driver_hear_said(struct ora_driver *driver)
{
	char buffer[4096];
	ssize_t got;
	while ((got = read(driver->helper.said, buffer, sizeof buffer)) > 0) {
		size_t room = ORA_DRIVER_SAID - driver->said_len;
		if ((size_t)got > room) {
			size_t drop = (size_t)got - room;
			drop = drop > driver->said_len ? driver->said_len : drop;
			memmove(driver->said, driver->said + drop, driver->said_len - drop);
			driver->said_len -= drop;
		}
		memcpy(driver->said + driver->said_len, buffer, (size_t)got);
		driver->said_len += (size_t)got;
		driver->said[driver->said_len] = 0;
	}
}

/* The line of its last words that says most, or NULL. */
static char *last_words(struct ora_driver *driver)
{
	static const char *const marks[] = {"internal-error", "Assertion", "LLVM ERROR",
		"Fatal signal", "fatal error", "out of memory", "bad_alloc", "rror"};
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		char *at = strstr(driver->said, marks[i]);
		if (!at)
			continue;
		while (at > driver->said && at[-1] != '\n')
			at--;
		return xs_asprintf("%.*s", (int)strcspn(at, "\n"), at);
	}
	return NULL;
}

static char *last_command(const struct ora_driver *driver)
{
	char text[COMMAND_MAX + 1];
	XS_AUTO_FREE char *path = ora_driver_path(driver, "command");
	XS_AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? 0 : read(fd, text, COMMAND_MAX);
	text[got > 0 ? got : 0] = 0;
	return xs_strdup(*text ? text : "none");
}

/* The debugger's end, if it was not a good one, in a sentence. */
void ora_driver_tell_end(struct ora_driver *driver, bool hung)
{
	struct ora_testimony *testimony = driver->testimony;
	if (testimony->trouble || driver->over || testimony->interrupted_by ||
		(driver->ended && !hung))
		return;
	ora_probed_forget();
	XS_AUTO_FREE char *words = last_words(driver);
	XS_AUTO_FREE char *command = last_command(driver);
	XS_AUTO_FREE char *how = NULL;
	int status = driver->helper.status;
	double patience = ora_driver_patience(testimony);
	if (hung)
		how = xs_asprintf("no sign of life for %g s", patience);
	else if (WIFSIGNALED(status))
		how = xs_asprintf("killed by SIG%s%s", sigabbrev_np(WTERMSIG(status)),
			WTERMSIG(status) == SIGKILL ? " (out of memory?)" : "");
	else
		how = xs_asprintf("ended with status %d", WEXITSTATUS(status));
	testimony->crashed = !hung && ((WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL &&
					       WTERMSIG(status) != SIGTERM) ||
					      (words && strstr(words, "internal-error")));
	testimony->trouble = xs_asprintf("%s; last command: %s%s%s", how, command,
		words ? "; it said: " : "", words ? words : "");
}

/* --- its lines -------------------------------------------------------------------------------- */

struct xs_error *ora_driver_parse(
	struct ora_driver *driver, const char *text, size_t size, const char **kind, json_t **ret)
{
	json_error_t problem;
	json_t *line = json_loadb(text, size, 0, &problem);
	*kind = json_string_value(json_object_get(line, "kind"));
	*ret = line;
	if (*kind)
		return NULL;
	json_decref(line);
	return xs_error_create("%s: its driver wrote what is not a line of a testimony: %s",
		driver->testimony->witness->path, line ? "no kind" : problem.text);
}

struct xs_error *ora_driver_pass_on(struct ora_driver *driver, const char *kind, json_t *line)
{
	struct ora_testimony *testimony = driver->testimony;
	bool end = !strcmp(kind, "end");
	const char *message = json_string_value(json_object_get(line, "message"));
	struct xs_error *err = NULL;
	if (end && message && !testimony->trouble)
		testimony->trouble = xs_strdup(message);
	if (!driver->over)
		err = ora_transcript_line(driver->transcript, kind, line);
	driver->over |= err != NULL;
	driver->ended |= end;
	testimony->lines++;
	return err;
}
