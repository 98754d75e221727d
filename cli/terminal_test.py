#!/usr/bin/python3
"""terminal_test.py - what xstep prints on a terminal, end to end: its colours, its width, its pager. The terminal
is a real one (pty). What goes to a file or a pipe is the measure: a terminal shows the same words."""
import fcntl
import os
import pathlib
import re
import shlex
import sys
import tempfile
import termios

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e
import screen
from witness_test import needs_debuggers

# Whoever runs the tests may have wishes of their own.
OURS = ("COLUMNS", "LINES", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "PAGER", "XSTEP_PAGER", "LESS", "LV")
INK = re.compile(r"\033\[[0-9;]*m")


class Terminal:
    """xstep with a terminal as its standard output, and its standard error in a file."""

    def __init__(self, case, *words, columns=80, rows=24, **env):
        self.screen = screen.Screen(case, columns, rows)
        self.errors = tempfile.TemporaryFile()
        surroundings = {name: value for name, value in os.environ.items() if name not in OURS}
        self.command = [e2e.XSTEP, *map(str, words)]

        def own_terminal():
            os.setsid()
            fcntl.ioctl(self.screen.side, termios.TIOCSCTTY, 0)

        self.process = e2e.subprocess.Popen(
            self.command, stdin=e2e.subprocess.DEVNULL, stdout=self.screen.side, stderr=self.errors,
            env={**surroundings, "TERM": "xterm", "XSTEP_PAGER": "cat", **env}, preexec_fn=own_terminal)
        self.screen.begun()
        case.addCleanup(self.close)

    def close(self):
        e2e.end(self.process)
        self.process.wait()
        self.screen.close()
        self.errors.close()

    @property
    def seen(self):
        return self.screen.seen.replace("\r\n", "\n")

    def wait_for(self, text):
        return e2e.wait_until(lambda: [self.screen.read()] and text in self.seen, self.process)

    def end(self):
        """Its exit status, and what the terminal shows."""
        while self.screen.read():
            pass
        return self.process.wait(e2e.WAIT_SECONDS), self.seen


class Printed(e2e.TestCase):
    """A long report, of a program that xstep alone has traced."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(e2e.shutil.rmtree, cls.folder)
        cls.program = e2e.compile("diff_demo.c", e2e.GCC, ("-g", "-O2"))
        cls.explain = ("explain", "--at", "halves", "--var", "i", cls.program)
        cls.store = cls.folder / "demo.db"
        e2e.xstep("trace", "--quiet", "-o", cls.store, cls.program)
        cls.show = ("show", cls.store)

    def plain(self, *words, status=0):
        """What goes to a pipe."""
        surroundings = {name: value for name, value in os.environ.items() if name not in OURS}
        return self.expect(e2e.xstep(*words, env={**surroundings, "COLUMNS": "40"}), status).stdout

    def on(self, *words, status=0, **options):
        told, seen = Terminal(self, *words, **options).end()
        self.assertEqual(told, status, words)
        return seen


class Colours(Printed):
    @e2e.smoke
    def test_only_where_somebody_looks(self):
        self.assertRegex(self.on(*self.explain), INK)
        self.assertNotRegex(self.plain(*self.explain), INK)
        self.assertEqual(INK.sub("", self.on(*self.explain, columns=200)), self.plain(*self.explain))

    def test_wishes(self):
        for wanted, words, env in (
                (False, ("--color", "never"), {}), (False, ("--color=never",), {"CLICOLOR_FORCE": "1"}),
                (False, (), {"NO_COLOR": "1"}), (True, (), {"NO_COLOR": ""}), (False, (), {"TERM": "dumb"}),
                (True, (), {"CLICOLOR_FORCE": "1", "TERM": "dumb"}), (False, (), {"CLICOLOR": "0"}),
                (True, ("--color", "always"), {"NO_COLOR": "1", "TERM": "dumb"})):
            with self.subTest(f"{words} {env}"):
                seen = self.on("show", *words, self.store, **env)
                self.assertEqual(bool(INK.search(seen)), wanted)

    def test_to_a_pipe_if_asked_for(self):
        always = self.plain("explain", "--color", "always", *self.explain[1:])
        self.assertRegex(always, INK)
        self.assertEqual(INK.sub("", always), self.plain(*self.explain))
        forced = e2e.xstep(*self.explain, env={**os.environ, "NO_COLOR": "", "CLICOLOR_FORCE": "1"})
        self.assertEqual(forced.stdout, always)

    def test_data_has_none(self):
        self.assertNotRegex(self.on("explain", "--color", "always", "--format", "json", *self.explain[1:]), INK)

    def test_ends_on_each_line(self):
        """A pager begins each line without any: none goes on in the next."""
        for line in self.on(*self.explain, columns=30).splitlines():
            inks = INK.findall(line)
            self.assertTrue(not inks or inks[-1] == "\033[m", line)

    def test_an_unknown_wish_is_refused(self):
        self.expect(e2e.xstep("--color", "red", *self.explain), 2, "'red' is none of auto|always|never")
        self.expect(e2e.xstep("--colour", "never", *self.explain), 2, "did you mean --color?")


class Width(Printed):
    def fits(self, seen, columns):
        """No line is longer, unless it is one word."""
        for line in INK.sub("", seen).splitlines():
            self.assertTrue(len(line) <= columns or " " not in line.strip(), f"{columns}: {line}")

    @e2e.smoke
    def test_the_same_words_at_any_width(self):
        for words in (self.explain, ("explain", self.program), (*self.show,), ("show", "--list", self.store),
                      ("show", "--stats", self.store)):
            plain = self.plain(*words)
            for columns in (20, 41, 80, 132):
                with self.subTest(f"{words[0]} {columns}"):
                    seen = self.on(*words, columns=columns)
                    self.fits(seen, columns)
                    self.assertEqual(INK.sub("", seen).split(), plain.split())

    def test_what_goes_on_begins_behind_the_label(self):
        seen = INK.sub("", self.on(*self.explain, columns=60))
        self.assertRegex(seen, r"(?m)^  entry     \.debug_info.*\n            \S")

    def test_the_user_may_know_better(self):
        self.assertEqual(self.on(*self.explain, columns=200, COLUMNS="41"), self.on(*self.explain, columns=41))
        # A terminal that does not say is as wide as most.
        self.assertEqual(self.on(*self.explain, columns=0), self.on(*self.explain, columns=80))

    def test_help(self):
        for words in (("help",), ("help", "diff"), ("trace", "--help"), ("campaign", "-h")):
            plain = self.plain(*words)
            self.assertEqual(INK.sub("", self.on(*words, columns=200)), plain)
            seen = INK.sub("", self.on(*words, columns=44))
            self.assertEqual(seen.split(), plain.split())
            kept = plain.splitlines()  # what is verbatim is long there, too
            self.fits("\n".join(line for line in seen.splitlines() if line not in kept), 44)

    def test_data_is_not_wrapped(self):
        for words in (("--format", "json"), ("--format", "csv")):
            plain = self.plain("show", *words, self.store)
            self.assertEqual(self.on("show", *words, self.store, columns=30), plain)
        self.assertEqual(self.on("help", "--man", "trace", columns=30), self.plain("help", "--man", "trace"))


class Findings(Printed):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.found = cls.folder / "found.db"
        e2e.xstep("diff", "--quiet", "-o", cls.found, cls.program)
        cls.diff = ("diff", "--no-reproduce", cls.found)

    def commands(self, text):
        """The command lines under `by hand`, as a shell takes them."""
        joined = re.sub(r" \\\n +", " ", INK.sub("", text))
        return [shlex.split(re.sub("^ *by hand", "", line)) for line in joined.splitlines()
                if re.match(r" +(by hand +)?(xstep (explain|show)|gdb -nx|env -C|lldb\S* -x) ", line)]

    @needs_debuggers
    def test_commands_can_be_pasted_at_any_width(self):
        plain = self.plain(*self.diff, status=1)
        self.assertGreaterEqual(len(self.commands(plain)), 3)
        self.assertEqual(INK.sub("", self.on(*self.diff, status=1, columns=100)).split(), plain.split())
        for columns in (30, 50, 80):
            seen = self.on(*self.diff, status=1, columns=columns)
            self.assertEqual(self.commands(seen), self.commands(plain), columns)
            self.assertEqual(re.sub(r"\\\s", "", INK.sub("", seen)).split(), re.sub(r"\\\s", "", plain).split())

    @needs_debuggers
    def test_who_is_wrong_is_red_and_has_a_mark(self):
        seen = self.on(*self.diff, status=1, columns=120)
        red = re.findall(r"\033\[31m(.*?)\033\[m", seen)
        self.assertIn("wrong", red)
        self.assertTrue([line for line in red if " ! " in line])
        marked = re.findall(r"(?m)^.* ! .*$", INK.sub("", seen))
        self.assertEqual([line.strip() for line in marked], [line.strip() for line in red if " ! " in line])


class Pager(Printed):
    def setUp(self):
        self.paged = self.folder / self.id()

    def to_file(self, more=""):
        return {"XSTEP_PAGER": f"cat > {self.paged}{more}"}

    @e2e.smoke
    def test_shows_what_is_longer_than_the_terminal(self):
        for words in (self.show, ("help", "trace")):
            self.paged.unlink(missing_ok=True)
            self.assertEqual(self.on(*words, rows=10, columns=400, **self.to_file()), "")
            self.assertEqual(INK.sub("", self.paged.read_text()), self.plain(*words))

    def test_colours_and_width_are_the_terminals(self):
        self.on(*self.show, rows=10, columns=41, **self.to_file())
        self.assertEqual(self.paged.read_text(), self.on(*self.show, columns=41))

    def test_not_where_it_fits_or_nobody_wants_it(self):
        lines = len(self.plain(*self.show).splitlines())
        told = (dict(rows=lines + 1), dict(rows=10, TERM="dumb"), dict(rows=10, XSTEP_PAGER=""))
        for options in told:
            seen = self.on(*self.show, columns=400, **{**self.to_file(), **options})
            self.assertEqual(INK.sub("", seen), self.plain(*self.show), options)
            self.assertFalse(self.paged.exists(), options)
        self.on(*self.show, columns=400, rows=lines, **self.to_file())
        self.assertTrue(self.paged.exists())
        self.paged.unlink()
        for words in (("--no-pager", *self.show), ("show", "--no-pager", self.store)):
            seen = self.on(*words, columns=400, rows=10, **self.to_file())
            self.assertEqual(INK.sub("", seen), self.plain(*self.show))
        e2e.xstep(*self.show, env={**os.environ, **self.to_file()})
        self.assertFalse(self.paged.exists(), "a pipe is no terminal")

    def test_whose_it_is(self):
        """XSTEP_PAGER, then PAGER, then less; LESS only if it is not set."""
        asked = 'echo "$LESS $LV"; cat > /dev/null'
        self.assertEqual(self.on(*self.show, rows=10, XSTEP_PAGER=asked), "FRX -c\n")
        self.assertEqual(self.on(*self.show, rows=10, XSTEP_PAGER=asked, LESS="S", LV="-a"), "S -a\n")
        self.assertEqual(self.on(*self.show, rows=10, XSTEP_PAGER="echo ours", PAGER="echo theirs"), "ours\n")
        folder = self.folder / "bin"
        folder.mkdir()
        (folder / "less").write_text("#!/bin/sh\necho less $LESS\n")
        (folder / "less").chmod(0o755)
        path = f"{folder}:{os.environ['PATH']}"
        for env, wanted in (({"PAGER": "echo theirs"}, "theirs\n"), ({}, "less FRX\n")):
            shell = f"unset XSTEP_PAGER; exec {shlex.join([str(e2e.XSTEP), *map(str, self.show)])}"
            self.assertEqual(self.shell(shell, PATH=path, **env), wanted)

    def shell(self, line, **env):
        old, e2e.XSTEP = e2e.XSTEP, "/bin/sh"
        try:
            return Terminal(self, "-c", line, rows=10, **env).end()[1]
        finally:
            e2e.XSTEP = old

    @needs_debuggers
    def test_the_exit_status_is_the_commands(self):
        found = self.folder / "found.db"
        e2e.xstep("diff", "--quiet", "-o", found, self.program)
        for pager in ("cat > /dev/null", "true", "exit 3", "head -n 1 > /dev/null", "kill -9 $$"):
            self.assertEqual(Terminal(self, "diff", "--no-reproduce", found, rows=10,
                                      XSTEP_PAGER=pager).end()[0], 1, pager)

    def test_one_that_is_not_there_hides_nothing(self):
        seen = self.on(*self.show, rows=10, columns=400, XSTEP_PAGER="/nowhere/pager 2> /dev/null")
        self.assertEqual(INK.sub("", seen), self.plain(*self.show))

    def test_who_leaves_early_is_not_punished(self):
        """More than a pipe holds, to one that reads a line: nobody dies of SIGPIPE."""
        big = self.folder / "big.db"
        if not big.exists():
            program = e2e.compile(e2e.TOP / "bench/loop.c", e2e.GCC, ("-g", "-O0"))
            e2e.xstep("trace", "--quiet", "--sample", "all", "--limit", 3000, "-o", big, program, 1000)
        self.assertGreater(len(self.plain("show", big)), 1 << 17)
        seen = self.on("show", "--color", "never", big, columns=2000, XSTEP_PAGER="head -n 1")
        self.assertEqual(seen, self.plain("show", big).splitlines()[0] + "\n")

    def test_interrupts_are_the_pagers(self):
        """^C ends a search in a pager, not xstep, which would leave the terminal to two."""
        done = self.folder / "done"
        pager = f"trap 'echo caught' INT; echo ready; until [ -e {done} ]; do sleep 0.1; done; echo left"
        terminal = Terminal(self, *self.show, rows=10, XSTEP_PAGER=pager)
        self.assertTrue(terminal.wait_for("ready"), terminal.seen)
        os.write(terminal.screen.primary, b"\x03")
        self.assertTrue(terminal.wait_for("caught"), terminal.seen)
        self.assertIsNone(terminal.process.poll())
        done.touch()
        status, seen = terminal.end()
        self.assertEqual(status, 0)
        self.assertIn("left", seen)

    def test_an_error_comes_after_what_was_printed(self):
        """Both on the terminal: the report first, whole."""
        line = f"exec {shlex.join([str(e2e.XSTEP), 'show', '--at', '999999', str(self.store)])} 2>&1"
        self.assertIn("999999", self.shell(line))


if __name__ == "__main__":
    e2e.main()
