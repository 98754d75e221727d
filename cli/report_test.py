#!/usr/bin/env python3
"""report_test.py - what --report writes for maintainers: report.md and report.txt say the same, and a regression
test is written only where a plain debugger fails it. What the tests expect is read from them, and asked here by
hand, at that line, in the program of the bundle."""
import pathlib
import re
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e  # noqa: E402

GDB, LLDB = shutil.which("gdb"), shutil.which("lldb-15")
HEADINGS = ("Expected and actual", "Versions", "Source", "Build", "See it", "Regression tests", "What is said")


def ask_gdb(program, file, line, what):
    """What a plain gdb prints at the first stop at a line, without the number."""
    said = e2e.run([GDB, "-nx", "-nh", "-q", "-batch", "-ex", f"break {file}:{line}", "-ex", "run", "-ex",
                    f"print {what}", program], cwd="/").stdout
    answer = re.search(r"^\$1 = (.*)$", said, re.M)
    return answer[1] if answer else said


def ask_lldb(program, file, line, command):
    """What a plain lldb says to a command at the first stop at a line; None if it does not stop."""
    said = e2e.run([LLDB, "-x", "--batch", "-o", f"breakpoint set -f {file} -l {line}", "-o", "run", "-o", command,
                    program], cwd="/").stdout
    answer = said.split(f"(lldb) {command}\n")
    return answer[1].split(" = ")[-1].strip() if len(answer) > 1 and "stop reason" in said else None


@e2e.unittest.skipUnless(GDB and LLDB, "needs gdb and lldb-15")
class Report(e2e.TestCase):
    def setUp(self):
        self.top = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())) / "report"

    def bundle(self, *words, which="", cwd=None):
        """The folder of the one cluster that is meant, after its pages were looked at."""
        result = e2e.xstep(*words, cwd=cwd)
        self.expect(result, 1)
        folder, = (path for path in self.top.iterdir() if path.is_dir() and which in path.name)
        self.look_at_pages(folder)
        return folder

    def build(self, source, compiler, flags):
        """A program, and the options that say how it was built."""
        return e2e.compile(source, compiler, flags), ("--build",
                                                      f"{compiler} {' '.join(flags)} {e2e.subject(source)}")

    def look_at_pages(self, folder):
        markdown, text = ((folder / name).read_text() for name in ("report.md", "report.txt"))
        for heading in HEADINGS:
            self.assertEqual(markdown.count(f"\n## {heading}\n"), 1, heading)
            self.assertEqual(text.count(f"\n{heading}\n{'-' * len(heading)}\n"), 1, heading)
        self.assertNotIn("\n## ", text)
        self.assertTrue(markdown.startswith("# "))
        # Lines of code and of sessions are the same in both.
        blocks = [[line for line in page.splitlines() if line.startswith("    ")] for page in (markdown, text)]
        self.assertEqual(*blocks)
        for part in ("- expected, by ", "- actual, by ", "- system: ", "- compiler: ", "DW_AT_producer"):
            self.assertIn(part, markdown)
            self.assertIn(part, text)

    def written(self, folder):
        return sorted(str(path.relative_to(folder)) for path in (folder / "tests").rglob("*") if path.is_file())

    def same_lines(self, folder, test, source):
        """What a test says stands behind the source: its lines are where they were."""
        text, own = (folder / test).read_text(), e2e.subject(source).read_text()
        self.assertTrue(text.startswith(own), test)
        return text[len(own):]

    def test_names_that_collide(self):
        """A program with a name of the folder's own, two sources of one name, a gdb by its path."""
        folder = self.top.parent
        text = (e2e.TESTDATA / "diff_demo.c").read_text()
        for name, source in (("x", "int in_x(int n) { return n + 1; }\n"), ("y y%zz", text)):
            (folder / name).mkdir()
            (folder / name / "u.c").write_text(source)
        other = folder / "other gdb"
        other.symlink_to(GDB)
        program = folder / "source"
        self.expect(e2e.run([e2e.GCC, "-g", "-O2", "-o", program, folder / "x/u.c", folder / "y y%zz/u.c"]), 0)
        result = self.expect(e2e.xstep("diff", "--witness", f"xstep,gdb@{other}", "--format", "sarif", "--report",
                                       self.top, program), 1)
        bundle, = (path for path in self.top.iterdir() if path.is_dir())
        self.assertTrue((bundle / "program-source").is_file())
        self.assertEqual((bundle / "source/2-u.c").read_text(), text)
        self.assertIn(f'"debugger": "{other}"', (bundle / "check_gdb.py").read_text())
        self.assertIn("y%20y%25zz/u.c", result.stdout)  # a URI

    def test_a_bug_of_gdb(self):
        """A test of gdb's, which gdb fails by hand; lldb's bug in a program of gcc's has none."""
        program, build = self.build("dtd/04_future_scope.c", e2e.GCC, ("-g", "-O0"))
        folder = self.bundle("diff", "--report", self.top, *build, program, which="gdb-future-scope")
        page = (folder / "report.md").read_text()
        self.assertTrue(page.startswith("# gdb: takes a variable that is declared further down"), page[:200])
        self.assertIn("- standard: DWARF 5, section 3.3.8", page)
        self.assertIn("int round = 2;", page)  # the source is in it
        test, = (name for name in self.written(folder) if name.endswith(".exp"))
        text = (folder / test).read_text()
        for part in ("standard_testfile .", "prepare_for_testing", "runto \"04_future_scope.c:9\""):
            self.assertIn(part, text)
        expected = re.search(r'gdb_test "print (\w+)" " = (-?\d+)"', text)
        self.assertEqual(expected.groups(), ("round", "1"))
        answer = ask_gdb(folder / program.name, "04_future_scope.c", 9, "round")
        self.assertRegex(answer, r"^-?\d+$")
        self.assertNotEqual(answer, "1")
        self.assertIn(f"which answers `{answer}`", page)
        other, = (path for path in self.top.iterdir() if "lldb-future-scope" in path.name)
        self.assertFalse((other / "tests").exists())
        self.assertIn("not written: Dexter's tests are built by clang", (other / "report.txt").read_text())
        index = (self.top / "README.md").read_text()
        self.assertIn("report.txt to sourceware's Bugzilla", index)
        self.assertIn("report.md to LLVM's issues", index)

    def test_a_bug_of_lldb(self):
        """Both forms of Dexter's, at a line where the first arrival shows it."""
        program, build = self.build("report_div.c", e2e.CLANG, ("-g", "-O1"))
        folder = self.bundle("diff", "--report", self.top, *build, program)
        self.assertTrue((folder / "report.md").read_text().startswith("# lldb: divides unsigned where "))
        self.assertEqual(self.written(folder), ["tests/dexter-script/report_div.c", "tests/dexter/report_div.c"])
        text = self.same_lines(folder, "tests/dexter/report_div.c", "report_div.c")
        self.assertIn("// RUN: %clang -g -O1 %s -o %t\n", text)
        self.assertIn("// DexLabel('here', on_line=9)\n", text)
        value = re.search(r"^// DexExpectWatchValue\('i', '(\d+)', on_line=ref\('here'\)\)$", text, re.M)[1]
        script = self.same_lines(folder, "tests/dexter-script/report_div.c", "report_div.c")
        self.assertIn(f"/*\n---\n!where {{lines: 9}}:\n  !value i: {value}\n...\n*/\n", script)
        self.assertEqual(value, "3")  # as gdb says, too
        self.assertEqual(ask_gdb(folder / program.name, "report_div.c", 9, "i"), value)
        for command in ("frame variable i", "expression -- i"):
            self.assertEqual(ask_lldb(folder / program.name, "report_div.c", 9, command), "0")

    def test_a_bug_of_gcc(self):
        """A test of guality's; gdb shows the wrong value there, and the right one without optimisation."""
        (program, build), (unopt, _) = (self.build("check_value.c", e2e.GCC, ("-g", level))
                                        for level in ("-O2", "-O0"))
        folder = self.bundle("check", "opt", "--report", self.top, *build, unopt, program, cwd=e2e.CACHE)
        page = (folder / "report.txt").read_text()
        self.assertTrue(page.startswith("[debug] wrong value of 'tag' at -O2: tag has a value that it never has"))
        self.assertEqual(self.written(folder), ["tests/guality/check_value.c"])
        text = self.same_lines(folder, "tests/guality/check_value.c", "check_value.c")
        self.assertEqual(text, '\n/* { dg-do run } */\n/* { dg-options "-g" } */\n'
                               '/* { dg-final { gdb-test 11 "tag" "1" } } */\n')
        self.assertEqual(ask_gdb(folder / program.name, "check_value.c", 11, "tag"), "2")
        self.assertEqual(ask_gdb(unopt, "check_value.c", 11, "tag"), "1")
        self.assertIn("It answers 2; right is 1.", page)
        self.assertIn("report.txt to GCC's Bugzilla", (self.top / "README.md").read_text())

    def test_a_line_of_clang(self):
        """A line that must not be stepped on: lldb stops there in the optimised program only."""
        (program, build), (unopt, _) = (self.build("check_line.c", e2e.CLANG, ("-g", level))
                                        for level in ("-O2", "-O0"))
        folder = self.bundle("check", "opt", "--report", self.top, *build, unopt, program, cwd=e2e.CACHE)
        self.assertTrue((folder / "report.md").read_text().startswith("# [DebugInfo] wrong debug information at -O2"))
        self.assertEqual(self.written(folder), ["tests/dexter-script/check_line.c", "tests/dexter/check_line.c"])
        text = self.same_lines(folder, "tests/dexter/check_line.c", "check_line.c")
        self.assertIn("// DexLabel('here', on_line=14)\n// DexUnreachable(on_line=ref('here'))\n", text)
        script = self.same_lines(folder, "tests/dexter-script/check_line.c", "check_line.c")
        self.assertIn("!where {function: main}:\n  !step never: [14]\n", script)
        self.assertIsNotNone(ask_lldb(folder / program.name, "check_line.c", 14, "frame info"))
        self.assertIsNone(ask_lldb(unopt, "check_line.c", 14, "frame info"))

    def test_no_test_where_the_debugger_passes_it(self):
        """lldb shows the bit-field wrongly, but its expressions do not, and by these Dexter asks."""
        program, build = self.build("dtd/12_bit_fields.c", e2e.CLANG, ("-g", "-O0"))
        folder = self.bundle("diff", "--report", self.top, *build, program)
        self.assertFalse((folder / "tests").exists())
        self.assertIn("- not written: ", (folder / "report.txt").read_text())

    def test_no_test_of_what_a_line_does_not_tell(self):
        """At a later arrival; and of a program that gets arguments."""
        for words in ((), ("an argument",)):
            with self.subTest(words):
                program, build = self.build("dtd/13_div.c" if not words else "report_div.c", e2e.CLANG,
                                            ("-g", "-O1"))
                shutil.rmtree(self.top, ignore_errors=True)
                folder = self.bundle("diff", "--report", self.top, *build, program, *words)
                self.assertFalse((folder / "tests").exists())
                text = (folder / "report.txt").read_text()
                self.assertIn("arguments" if words else "at a later arrival", text.split("not written: ")[1])

    def test_a_long_source_is_attached(self):
        """More than 60 lines are named and not shown."""
        source = self.top.parent / "long.c"
        source.write_text(e2e.subject("report_div.c").read_text() + "\n" * 60)
        program = self.top.parent / "long"
        self.expect(e2e.run([e2e.CLANG, "-g", "-O1", "-o", program, source]))
        folder = self.bundle("diff", "--report", self.top, program)
        page = (folder / "report.md").read_text()
        self.assertRegex(page, r"`long\.c`, 7\d lines, is attached")
        self.assertNotIn("is worked out by DW_OP_div", page)
        self.assertTrue((folder / "source/long.c").exists())
        # Without --build nobody knows the options for clang.
        self.assertIn("not written: the options of the build are not known", page)


if __name__ == "__main__":
    e2e.main()
