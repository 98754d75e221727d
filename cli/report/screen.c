#include "cli/report/screen.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/shown.h"
#include "base/vec.h"
#include "cli/report/pager.h"
#include "engine/interrupt.h"

enum {
	COLUMNS = 80,         /* of a terminal that does not say */
	ROWS = 24,            /* of it */
	COLUMNS_LEAST = 20,   /* of a narrower one nothing is readable */
	COLUMNS_MOST = 10000, /* of a wider one somebody is joking */
	TAB = 8,
	LABEL_MOST = 24,      /* columns: what is further right is no label */
	KEPT_MOST = 16 << 20, /* bytes of a report that are kept until it is complete */
};

struct cli_screen_wishes cli_screen_wishes;

static struct {
	bool coloured;        /* stdout is, on a terminal or not */
	FILE *out;            /* that stdout became; NULL: no terminal */
	pid_t owner;          /* who began: a child of ours ends nothing */
	bool wraps, verbatim; /* long lines are wrapped; but not now */
	size_t columns, rows;
	bool keeps;                    /* the report, for the pager */
	struct cli_pager pager;        /* that runs, if one does */
	XS_VEC(char) kept, line;       /* the report so far; the line so far */
	size_t kept_rows;              /* of the report, on the screen */
	char ink[sizeof "\033[m" + 8]; /* that the line before ended in; empty: none */
} screen;

/* --- what the terminal is --------------------------------------------------------------------- */

static size_t measure(const char *variable, size_t said, size_t otherwise)
{
	const char *text = getenv(variable);
	char *end = NULL;
	unsigned long wish = text && *text ? strtoul(text, &end, 10) : 0;
	if (end && !*end && wish && wish <= COLUMNS_MOST)
		return wish;
	return said ? said : otherwise;
}

static void look_at_terminal(void)
{
	struct winsize size = {0};
	ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
	screen.columns = measure("COLUMNS", size.ws_col, COLUMNS);
	if (screen.columns < COLUMNS_LEAST)
		screen.columns = COLUMNS_LEAST;
	screen.rows = measure("LINES", size.ws_row, ROWS);
}

static bool is_set(const char *variable)
{
	const char *text = getenv(variable);
	return text && *text;
}

static bool is_dumb(void)
{
	const char *terminal = getenv("TERM");
	return !terminal || !*terminal || !strcmp(terminal, "dumb");
}

static bool wants_colour(bool terminal)
{
	const char *force = getenv("CLICOLOR_FORCE"), *usual = getenv("CLICOLOR");
	if (cli_screen_wishes.colour != CLI_COLOUR_AUTO)
		return cli_screen_wishes.colour == CLI_COLOUR_ALWAYS;
	if (is_set("NO_COLOR"))
		return false;
	if (force && *force && strcmp(force, "0") != 0)
		return true;
	return terminal && !is_dumb() && !(usual && !strcmp(usual, "0"));
}

/* --- lines ------------------------------------------------------------------------------------ */

/* What stands at text: bytes that belong together, and how far they move the cursor. */
struct step {
	size_t bytes, columns;
	bool ink; /* it is one of ours */
};

static struct step step_at(const char *text, size_t size, size_t column)
{
	if (*text == '\033' && size > 1 && text[1] == '[') {
		size_t end = 2;
		while (end < size && (text[end] < '@' || text[end] > '~'))
			end++;
		return (struct step){end < size ? end + 1 : size, 0, true};
	}
	if (*text == '\t')
		return (struct step){1, TAB - column % TAB, false};
	size_t end = 1;
	while (end < size && ((unsigned char)text[end] & 0xc0) == 0x80)
		end++;
	return (struct step){end, 1, false};
}

static size_t width_of(const char *text, size_t size)
{
	size_t column = 0;
	for (size_t at = 0; at < size;) {
		struct step step = step_at(text + at, size - at, column);
		at += step.bytes;
		column += step.columns;
	}
	return column;
}

/* Writes to the terminal itself. False: errno says why that failed. */
static bool write_out(const char *text, size_t size)
{
	while (size) {
		ssize_t wrote = write(STDOUT_FILENO, text, size);
		if (wrote < 0 && errno != EINTR)
			return false;
		text += wrote > 0 ? wrote : 0;
		size -= wrote > 0 ? (size_t)wrote : 0;
	}
	return true;
}

/* Hands a report on that is too long for the screen, or to be kept. */
static bool begin_pager(void)
{
	screen.keeps = false;
	if (cli_pager_start(&screen.pager) &&
		cli_pager_write(&screen.pager, screen.kept.data, screen.kept.len))
		return true;
	return write_out(screen.kept.data, screen.kept.len);
}

/* A piece of a line, or its end, as it is to be seen. */
static bool emit(const char *text, size_t size)
{
	if (screen.pager.pid)
		return cli_pager_write(&screen.pager, text, size);
	if (!screen.keeps)
		return write_out(text, size);
	for (size_t i = 0; i < size; i++)
		xs_vec_push(&screen.kept, text[i]);
	return screen.kept.len < KEPT_MOST || begin_pager();
}

/* The same, and ink that has no end on this line goes on in the next: pagers begin each line
 * without any. */
static bool emit_part(const char *text, size_t size, size_t indent)
{
	bool fine = true;
	size_t wide = indent + width_of(text, size);
	screen.kept_rows += wide ? (wide + screen.columns - 1) / screen.columns : 1;
	for (; fine && indent; indent--)
		fine = emit(" ", 1);
	if (fine && *screen.ink)
		fine = emit(screen.ink, strlen(screen.ink));
	for (size_t at = 0; at < size;) {
		struct step step = step_at(text + at, size - at, 0);
		if (step.ink && step.bytes < sizeof screen.ink) {
			memcpy(screen.ink, text + at, step.bytes);
			screen.ink[step.bytes] = 0;
			if (step.bytes <= sizeof "\033[0m" - 1 &&
				(step.bytes == 3 || text[at + 2] == '0'))
				*screen.ink = 0;
		}
		at += step.bytes;
	}
	fine = fine && emit(text, size);
	if (fine && *screen.ink)
		fine = emit("\033[m", 3);
	return fine && emit("\n", 1);
}

/* Where the lines begin that go on with a line: where its text does, behind a label. */
static size_t hanging(const char *text, size_t size)
{
	size_t column = 0, blanks = 0, begin = 0, indent = 0;
	bool word = false;
	for (size_t at = 0; at < size && column <= LABEL_MOST;) {
		struct step step = step_at(text + at, size - at, column);
		bool blank = text[at] == ' ';
		if (!step.ink && !blank && !word) {
			indent = begin = column;
			word = true;
		} else if (!step.ink && !blank && blanks > 1) {
			begin = column;
			break;
		}
		blanks = step.ink ? blanks : blank ? blanks + 1 : 0;
		at += step.bytes;
		column += step.columns;
	}
	size_t further = begin > indent && begin <= screen.columns / 2 ? begin : indent + 2;
	return further <= screen.columns / 2 ? further : 2;
}

static bool wrap(const char *text, size_t size)
{
	size_t indent = hanging(text, size), begin = 0, column = 0;
	bool first = true, fine = true, begun = false; /* a word is on this line */
	for (size_t at = 0; fine && at < size;) {
		size_t gap = at, after = column;
		while (gap < size && text[gap] == ' ')
			gap++;
		after += gap - at;
		size_t end = gap, to = after;
		while (end < size && text[end] != ' ') {
			struct step step = step_at(text + end, size - end, to);
			end += step.bytes;
			to += step.columns;
		}
		if (begun && to > screen.columns) {
			fine = emit_part(text + begin, at - begin, first ? 0 : indent);
			begin = gap;
			to = indent + (to - after);
			first = false;
		}
		begun = begun || end > gap;
		column = to;
		at = end;
	}
	return fine && emit_part(text + begin, size - begin, first ? 0 : indent);
}

/* The line that was gathered. */
static bool put_line(void)
{
	const char *text = screen.line.data;
	size_t size = screen.line.len;
	bool long_one = screen.wraps && !screen.verbatim && width_of(text, size) > screen.columns;
	screen.line.len = 0;
	return long_one ? wrap(text, size) : emit_part(text, size, 0);
}

static ssize_t on_write(void *arg, const char *text, size_t size)
{
	(void)arg;
	for (size_t i = 0; i < size; i++)
		if (text[i] != '\n')
			xs_vec_push(&screen.line, text[i]);
		else if (!put_line())
			return 0;
	return (ssize_t)size;
}

/* --- from the beginning to the end ------------------------------------------------------------ */

void cli_screen_begin(bool paged, bool data)
{
	bool terminal = isatty(STDOUT_FILENO);
	screen.coloured = !data && wants_colour(terminal);
	if (!terminal || screen.out)
		return;
	look_at_terminal();
	FILE *out = fopencookie(NULL, "w", (cookie_io_functions_t){.write = on_write});
	if (!out)
		return; /* then it is as if nobody looked */
	setvbuf(out, NULL, _IOLBF, BUFSIZ);
	fflush(stdout);
	screen.out = stdout = out;
	screen.owner = getpid();
	screen.wraps = !data;
	screen.keeps = paged && !cli_screen_wishes.no_pager && !is_dumb();
	atexit(cli_screen_end);
}

/* Shows what was kept: by a pager if it does not fit, and if that can be had. */
static void show_kept(void)
{
	bool fits = screen.kept_rows < screen.rows;
	if (fits || eng_interrupt_is_wish())
		write_out(screen.kept.data, screen.kept.len);
	else
		begin_pager();
}

void cli_screen_end(void)
{
	fflush(stdout);
	if (!screen.out || screen.owner != getpid())
		return;
	if (screen.line.len) { /* a line that nobody ended */
		emit(screen.line.data, screen.line.len);
		screen.line.len = 0;
	}
	if (screen.keeps) {
		screen.keeps = false;
		show_kept();
	}
	/* One that could not even be started has shown nothing. */
	if (screen.pager.pid && !cli_pager_end(&screen.pager))
		write_out(screen.kept.data, screen.kept.len);
	xs_vec_deinit(&screen.kept);
}

void cli_screen_die(int signal)
{
	cli_screen_end();
	raise(signal);
}

/* --- how to print for it ---------------------------------------------------------------------- */

static bool is_screen(FILE *out)
{
	return screen.out && out == screen.out && screen.wraps;
}

size_t cli_screen_room(FILE *out, size_t usual)
{
	return is_screen(out) && screen.columns < usual ? screen.columns : usual;
}

size_t cli_screen_columns(FILE *out, size_t usual)
{
	return is_screen(out) && screen.columns > usual ? screen.columns : usual;
}

void cli_screen_verbatim(FILE *out, bool on)
{
	if (!is_screen(out))
		return;
	fflush(out); /* what was printed before is not meant */
	screen.verbatim = on;
}

bool cli_screen_is_coloured(FILE *out)
{
	return out == stdout && screen.coloured;
}

void cli_ink(FILE *out, enum cli_ink ink)
{
	/* Of the eight that each terminal has, none that is hard to read on white or on black. */
	static const char *const codes[] = {[CLI_INK_NONE] = "\033[m",
		[CLI_INK_TITLE] = "\033[1m",
		[CLI_INK_WRONG] = "\033[31m",
		[CLI_INK_RIGHT] = "\033[32m",
		[CLI_INK_OPEN] = "\033[33m",
		[CLI_INK_PLACE] = "\033[36m",
		[CLI_INK_FAINT] = "\033[2m"};
	if (cli_screen_is_coloured(out))
		fputs(codes[ink], out);
}

void cli_ink_word(FILE *out, enum cli_ink ink, const char *word, int width)
{
	int length = (int)strlen(word);
	if (length)
		cli_ink(out, ink);
	xs_print(out, "%s", word);
	if (length)
		cli_ink(out, CLI_INK_NONE);
	if (width > length)
		xs_print(out, "%*s", width - length, "");
}
