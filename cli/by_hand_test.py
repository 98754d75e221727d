#!/usr/bin/env python3
"""by_hand_test.py - commands that are printed for people, pasted into a shell: they lead to the stop and
give the answer, whatever is in the names of folders and arguments, in every kind of question."""
import pathlib
import re
import shutil
import sqlite3
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e  # noqa: E402

ARGUMENTS = ("one two", "it's", '"$HOME"', "*", "")
TOOL = pathlib.Path(e2e.XSTEP).parent / "oracle/session/reproduce_tool"
GDB, LLDB = shutil.which("gdb"), shutil.which("lldb-15") or shutil.which("lldb")


def shell(line):
    """What a shell says to a line; the debuggers end where their input does."""
    said = e2e.run(["/bin/sh", "-c", line + " </dev/null 2>&1"]).stdout
    return re.sub(r"\s+", " ", said)  # gdb wraps lines


@e2e.unittest.skipUnless(GDB and LLDB, "needs gdb and lldb")
class ByHand(e2e.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="a b'c ")))
        self.input = self.folder / "what it reads"
        self.input.write_text("Q")

    def program(self, *words):
        """A subject in a folder whose name has blanks and a quote."""
        return shutil.copy(e2e.compile(*words), self.folder / "the program")

    def quote(self, store, trace, stop, path, who):
        """What a debugger says to the commands of show --quote."""
        said = self.expect(e2e.xstep("show", "--trace", trace, "--quote", stop, "--var", path, "--by", who,
                                     "--stdin", self.input, store)).stdout.splitlines()
        flag, batch = (" -q", "-batch -x") if who == "gdb" else (" -x", "--batch -s")
        with tempfile.NamedTemporaryFile("w") as file:  # lldb wants a plain name
            file.write("\n".join(said[2:]) + "\n")
            file.flush()
            return shell(said[1].replace(flag, f"{flag} {batch} {file.name}", 1))

    def test_quotations(self):
        """Each kind of name and value; in a trace that counts every stop, and in one that does not."""
        expected = {  # path: what gdb and lldb print for it in work(1, ...), the second call
            "value": ("= 1", "value = 1"), "parts.first": ("= 1", "parts.first = 1"),
            "parts.inner": ("= 2", "parts.inner = 2"), "parts.three": ("= 5", "parts.three = 5"),
            "parts.five": ("= -7", "parts.five = -7"),
            "parts.list[1]": ("= 0.100000001", "parts.list[1] = 0.100000001"),
            "z.real": ("= 1.25", "z = 1.25 + 0.1i"),
            "z.imag": ("= 0.10000000000000001", "z = 1.25 + 0.1i"),
            "third": ("= 0.33333333333333331", "third = 0.33333333333333331"),
            "letter": ("= 98", "letter = 98"), "calls": ("= 2", "calls = 2"),
            "most": ("= 18446744073709551615", "most = 18446744073709551615"),
            "pointer": ("= 0x7f", "pointer = 0x00007f"),
            "twice": ("= 11", f"tool_by_hand.c:{self.line('static int twice')}:12: (int) twice = 11"),
            "both.real": ("= 2.5", "both.real = 2.5"),
        }
        program = self.program("tool_by_hand.c")
        for mode in ("exact", "unique"):
            store = self.folder / f"{mode}.db"
            self.expect(e2e.xstep("trace", "--mode", mode, "--vars", "all", "--sample",
                                  "unique" if mode == "unique" else "all", "--frames", "--stdin", self.input,
                                  "-o", store, program, *ARGUMENTS))
            with sqlite3.connect(store) as opened:
                stops = [row[0] for row in opened.execute(
                    "SELECT stop FROM lines WHERE trace = 1 AND line = ? ORDER BY 1",
                    (self.line("return parts.inner"),))]
                calls = dict(opened.execute("SELECT stop, value FROM facts WHERE trace = 1 AND "
                                            "path = 'calls'").fetchall())
            # In the second call, or the only one that is there.
            begin = min((stop for stop, value in calls.items() if value == "2"), default=max(stops))
            stop = min([stop for stop in stops if stop > begin] or stops)
            second = stop > begin
            for who in ("gdb", "lldb"):
                for path, texts in list(expected.items())[::1 if second else 4]:
                    with self.subTest(f"{mode} {who} {path}"):
                        text = texts[who == "lldb"]
                        if not second:
                            text = FIRST.get(path, texts)[who == "lldb"]
                        said = self.quote(store, 1, stop, path, who)
                        self.assertIn(text, said)

    @staticmethod
    def line(text):
        source = e2e.subject("tool_by_hand.c").read_text()
        return source[:source.index(text)].count("\n") + 1

    def kinds(self, program):
        """What reproduce_tool asks: a line for each kind of question that was answered as before."""
        result = self.expect(e2e.run([TOOL, "--in", self.input, program, *ARGUMENTS]))
        ret = {}
        for line in result.stdout.splitlines():
            fields = line.split("\t")
            if len(fields) > 6 and fields[1] == "reproduced":
                ret.setdefault((fields[0], fields[2].split()[0], fields[3]), fields)
        return ret

    def test_every_kind_of_question(self):
        """What a debugger says again in one long session it says in a shell, too."""
        for source, compiler in (("diff_demo.c", e2e.GCC), ("inline_start.c", e2e.CLANG)):
            kinds = self.kinds(e2e.compile(source, compiler, ("-g", "-O2")))
            self.assertGreaterEqual(len(kinds), 4, kinds)
            for kind, fields in kinds.items():
                with self.subTest(f"{source} {kind} {fields[2]}"):
                    said = shell(fields[6])
                    for line in fields[5].split("\\n"):
                        # Numbers of answers, and frames of the C library, are the session's own.
                        line = re.sub(r"^\$\d+ = ", " = ", line)
                        if line and not line.startswith(("* thread", "#")) and "libc" not in line and \
                                not line.endswith("is not listed"):
                            self.assertIn(re.sub(r"\s+", " ", line).strip(), said, fields[6])

    def test_lines_of_diff(self):
        """The lines under `by hand` say what the debugger is said to say."""
        program = self.program("dtd/13_div.c", e2e.CLANG, ("-g", "-O1"))
        result = e2e.xstep("diff", "--witness", "xstep,lldb", "--stdin", self.input, program, *ARGUMENTS)
        self.expect(result, 1)
        value = re.search(r"lldb +! (\w+) = (\w+)$", result.stdout, re.M)
        # A command goes on behind a backslash. As it is printed, it is pasted.
        printed = result.stdout.split("by hand")[-1].strip()
        line = re.match(r"(.*\\\n)*.*", printed)[0]
        self.assertRegex(line, r"^env -C / lldb\S* -x -o")
        self.assertIn(f"{value[1]} = {value[2]} ", shell(line), line)


FIRST = {  # in the first call
    "value": ("= 0", "value = 0"), "parts.first": ("= 0", "parts.first = 0"),
    "parts.inner": ("= 0", "parts.inner = 0"), "letter": ("= 97", "letter = 97"),
    "calls": ("= 1", "calls = 1")}

if __name__ == "__main__":
    e2e.main(sys.argv[:1])
