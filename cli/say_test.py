#!/usr/bin/env python3
"""say_test.py - what programs, files and folders are called is never executed: not by xstep, not by a shell
that what is printed by hand is pasted into, not by the scripts and sessions of a report. A name that a
debugger cannot be told is not asked about, and nobody is accused for it."""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e  # noqa: E402
import hostile_names  # noqa: E402
from hostile_names import CALL, TOUCH, Subject  # noqa: E402

GDB, LLDB = shutil.which("gdb"), shutil.which("lldb-15") or shutil.which("lldb")
BUILD = f"{e2e.GCC} -g -O2 {shlex.quote(str(e2e.TESTDATA / hostile_names.SOURCE))}"
ODD = b"x y'\"\\z"
BUGS = {"gdb:empty-first-entry", "lldb:entry-value", "lldb:gap-as-0"}  # of testdata/diff_demo.c
FUZZ_SECONDS = 20


def named(said):
    """Who is named for what, in what `xstep diff` prints."""
    return set(re.findall(r"^\d+\.  .* ((?:gdb|lldb):[a-z][\w-]*)", said, re.M))


@e2e.unittest.skipUnless(GDB and LLDB, "needs gdb and lldb")
class Case(e2e.TestCase):
    def subject(self, seed=0, **what):
        """A subject with nothing hostile but what is given."""
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="say"))
        plain = {"names": {}, "file": b"", "name": b"program", "place": b"place", "arguments": [],
                 "report": b"report", "traps": False}
        return Subject(folder, seed, **dict(plain, **what))

    def unharmed(self, subject, what):
        found = subject.canaries()
        for path in found:
            os.unlink(path)
        self.assertEqual(found, [], f"executed by: {what}")

    def diff(self, subject, *words):
        """xstep diff, which executes nothing but the program; its result, and the lines to paste."""
        result = subject.run("diff", *words, subject.program, *subject.arguments)
        self.assertGreaterEqual(result.returncode, 0, result.stderr)
        self.unharmed(subject, f"{result.rerun}\n{result.stdout}{result.stderr}")
        return result, hostile_names.by_hand(result.stdout)

    def paste(self, subject, texts, shells=("bash",)):
        """What shells say to lines, which execute nothing."""
        said = []
        for text in texts:
            for shell in shells:
                result = subject.paste(text, shell)
                said.append(re.sub(r"\s+", " ", result.stdout + result.stderr))
                self.unharmed(subject, f"{shell}: {text}")
        return said

    def attack(self, subject):
        """Everything that could harm."""
        for what in hostile_names.attack(subject):
            self.unharmed(subject, what)


class Shell(Case):
    def test_folder_and_program_of_a_report_are_no_part_of_the_build_command(self):
        subject = self.subject(name=b"x';" + TOUCH + b";'", report=b"r';" + TOUCH + b";'$(" + TOUCH + b")")
        self.diff(subject, "--report", subject.report, "--build", BUILD)
        report = pathlib.Path(os.fsdecode(subject.report))
        texts = [path.read_text() for path in report.glob("*/report.md")]
        self.assertTrue(texts)
        for text in texts:
            self.assertIn("Run again, it makes", text)  # it was built, and is there
        self.assertTrue(list(report.glob("*/*.s")))

    def test_a_folder_with_wildcards_stands_for_itself(self):
        """What the compiler left is removed, and nobody else's files are."""
        subject = self.subject(report=b"*")
        other = pathlib.Path(os.fsdecode(subject.folder), "out other", ".build")
        other.mkdir(parents=True)
        (other / "mine").write_text("mine")
        self.diff(subject, "--report", subject.report, "--build", BUILD)
        self.assertEqual((other / "mine").read_text(), "mine")
        self.assertFalse(os.path.exists(subject.report + b"/.build"))

    def test_arguments_and_paths_are_pasted_as_words(self):
        for words in ([b"$(" + TOUCH + b")", b"'; " + TOUCH + b" #", b"`(int)" + CALL + b"`", b"", b"!!\\"],
                      [b"\n" + TOUCH + b"\n", b"\x1b[2J"]):
            with self.subTest(words):
                subject = self.subject(arguments=words, place=b"a;" + TOUCH + b";b", name=b"&" + TOUCH + b"&")
                _, texts = self.diff(subject)
                self.assertTrue(texts)
                self.paste(subject, texts, ("bash", "sh"))
                for text in texts:
                    self.assertFalse(re.search(r"[\x00-\x09\x0b-\x1f\x7f]", text), text)

    def test_a_shell_gets_the_same_words_back(self):
        """What is printed for people is the program and its arguments, whatever their bytes are."""
        words = [b"a b", b"it's", b"\n", b"\x1b[2J\xc2\x9b", "größe\u202e".encode(), b"$'x'", b"", b"\t!\\"]
        subject = self.subject(name=b"\x07\n'", arguments=words)
        _, texts = self.diff(subject, "--witness", "xstep,lldb")
        line = next(line for text in texts for line in text.replace("\\\n", "").split("\n")
                    if line.startswith("xstep explain"))
        echo = "xstep() { printf '%s\\0' \"$@\"; }; "
        got = subprocess.run(["bash", "-c", echo + line], stdout=subprocess.PIPE, check=True).stdout.split(b"\0")
        self.assertEqual(got[-2 - len(words):-1], [subject.program, *words])


class Names(Case):
    def test_a_line_break_in_a_name_begins_no_command(self):
        evil = b"x\nshell " + TOUCH + b"\nplatform shell " + TOUCH + b"\n!" + TOUCH + b"\n"
        subject = self.subject(names={name: evil + name.encode() for name in ("numbers", "index", "pair", "high")})
        result, _ = self.diff(subject, "--report", subject.report)
        self.assertEqual(named(result.stdout), set())
        self.attack(subject)

    def test_what_is_an_expression_is_not_evaluated(self):
        """Calls and assignments: gdb's print and lldb's expression do what they are told."""
        python = b'x")[0].line) or __import__("os").system("' + TOUCH + b'") #'
        for evil in (CALL, b"sink=5", b"`(int)" + CALL + b"`", python):
            with self.subTest(evil):
                subject = self.subject(names={"numbers": evil, "index": evil + b"1", "pair": evil + b"2",
                                              "sink": evil})
                result, texts = self.diff(subject)
                self.assertEqual(named(result.stdout), set())
                self.assertIn("has no command that could say these names", "".join(texts))
                self.paste(subject, texts)
                # The other voice asks by name.
                by_name, _ = self.diff(subject, "--witness", "xstep,gdb:print,lldb:expression")
                self.assertLess(by_name.returncode, 2, by_name.stderr)
                self.assertEqual(named(by_name.stdout), set())

    def test_members_types_functions_and_files(self):
        evil = b"m`" + TOUCH + b"`';$(" + TOUCH + b")"
        names = {name: evil + name.encode() for name in
                 hostile_names.MEMBERS + hostile_names.TYPES + hostile_names.FUNCTIONS}
        subject = self.subject(names=names, file=b"f'::" + CALL + b"\nshell " + TOUCH + b"\n.c")
        self.attack(subject)

    def test_ordinary_names_are_asked_as_before(self):
        result, texts = self.diff(self.subject())
        self.assertEqual(named(result.stdout), BUGS)
        self.assertEqual(len(texts), 3)

    def test_a_report_takes_only_sources_along(self):
        """A line table names any file, and a report is sent to others."""
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (folder / "secret").write_text("secret\n" * 50)
        (folder / "source.c").write_text("source\n" * 50)
        for name in ("secret", "source.c"):
            subject = self.subject(file=os.fsencode(folder / name))
            self.diff(subject, "--report", subject.report)
            report = pathlib.Path(os.fsdecode(subject.report))
            self.assertTrue(list(report.glob("*/report.md")))
            self.assertEqual(bool(list(report.glob(f"*/source/{name}"))), name == "source.c")

    def test_an_argument_that_is_not_utf8_is_not_left_out(self):
        subject = self.subject(arguments=[b"\xff"])
        result, _ = self.diff(subject)
        self.assertEqual(result.returncode, 2)
        self.assertIn("is not UTF-8: debuggers cannot be told of it", result.stderr)
        self.assertEqual(named(result.stdout), set())


class Folder(Case):
    def test_nothing_is_read_from_the_folder_where_it_is_run(self):
        """lldb.py, six.py, init files, what gdb loads with a program: see hostile_names.TRAPS."""
        subject = self.subject(traps=True)
        for words in (["witness"], ["witness", "--all"]):
            subject.run(*words)
            self.unharmed(subject, words)
        for drive in ("shared", "native"):
            result, texts = self.diff(subject, "--drive", drive)
            self.assertEqual(named(result.stdout), BUGS)
        said = self.paste(subject, texts)
        self.assertIn("DW_OP_entry_value", "".join(said))  # they were asked, and answered
        self.diff(subject, "--report", subject.report)
        # Who gets a report may get this along with it.
        for folder in pathlib.Path(os.fsdecode(subject.report)).glob("*/"):
            if folder.is_dir():
                for trap, text in hostile_names.TRAPS.items():
                    (folder / trap).write_text(text)
        done = list(hostile_names.run_bundle(subject))
        self.assertGreaterEqual(len(done), 8)
        self.unharmed(subject, "\n".join(done))

    def test_a_store_is_quoted_without_reading_from_there(self):
        subject = self.subject(traps=True)
        store = os.fsdecode(subject.folder) + "/store.db"
        self.expect(subject.run("trace", "--vars", "all", "--mode", "exact", "--sample", "all", "-o", store,
                                subject.program))
        said = self.expect(subject.run("show", "--trace", "1", "--quote", "10", "--by", "lldb", store)).stdout
        self.unharmed(subject, said)
        start = said.splitlines()[1].replace(" -x", " -x --batch", 1)
        self.paste(subject, [start])


class OddPath(Case):
    """A path with blanks, quotes and a backslash."""

    def test_both_drives_and_both_debuggers(self):
        subject = self.subject(place=b"a b", name=ODD, arguments=[b"c d", b"e'f\"g\\h"])
        for drive in ("shared", "native"):
            result, texts = self.diff(subject, "--drive", drive)
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertEqual(named(result.stdout), BUGS)
        answers = "".join(self.paste(subject, texts))
        for answer in ("$1 = 0", "Could not evaluate DW_OP_entry_value", "pair.high = 0"):
            self.assertEqual(answers.count(answer), 1, answers)

    def test_backticks_and_line_breaks(self):
        """lldb needs another command for the one, and has none for the other."""
        subject = self.subject(place=b"a`1`", name=b"x`y")
        result, texts = self.diff(subject)
        self.assertEqual(named(result.stdout), BUGS)
        self.assertIn("pair.high = 0", "".join(self.paste(subject, texts)))
        subject = self.subject(place=b"a\nb", name=b"x\ny")
        result, texts = self.diff(subject)
        self.assertEqual(named(result.stdout), {"gdb:empty-first-entry"})
        self.assertIn("# lldb has no command", "".join(texts))
        self.assertIn("= 0", "".join(self.paste(subject, texts)))

    def test_a_report(self):
        subject = self.subject(place=b"a b", name=ODD, report=b"r s'\"\\t")
        self.diff(subject, "--report", subject.report, "--build", BUILD)
        report = pathlib.Path(os.fsdecode(subject.report))
        checks = sorted(path.name for path in report.glob("*/check_*.py"))
        self.assertEqual(checks, ["check_gdb.py", "check_lldb.py", "check_lldb.py"])
        for path in report.glob("*/check_*.py"):  # elsewhere, under another path
            folder = pathlib.Path(os.fsdecode(subject.folder), f"to `x` {path.parent.name}")
            shutil.copytree(path.parent, folder)
            result = e2e.run([folder / path.name], cwd=folder)
            self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        for session in report.glob("*/session.*db"):
            folder = pathlib.Path(os.fsdecode(subject.folder), f"a b {session.name} {session.parent.name}")
            shutil.copytree(session.parent, folder)  # lldb's -s takes no path with a quote
            line = session.read_text().splitlines()[0].lstrip("# ").replace("lldb ", f"{LLDB} ", 1)
            said = e2e.run(["bash", "-c", line], cwd=folder).stdout
            self.assertNotRegex(said, "(?i)no such file|unable to find")
            self.assertRegex(said, r"index = |\$1 = |numbers = |pair\.high = |DW_OP_entry_value")


class Fuzz(Case):
    def test_nothing_is_ever_executed(self):
        """A few of what `bench/study/hostile_names.py --seconds 3600` does for an hour."""
        count, done, bad = hostile_names.fuzz(e2e.some(1, FUZZ_SECONDS), 1000)
        self.assertEqual(bad, [])
        self.assertGreater(done, 10 * count // 2)


if __name__ == "__main__":
    e2e.main()
