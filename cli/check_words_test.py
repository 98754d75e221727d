#!/usr/bin/env python3
"""check_words_test.py - what all checks have in common: whom they ask, whom they lose on the way, that the
program's arguments and surroundings are in every command that is printed, and that nothing asked is never
`no violation`."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e  # noqa: E402

HAVE = [json.loads(line) for line in e2e.xstep("witness", "--json").stdout.splitlines()]
WORKING = {who["witness"]: who["path"] for who in reversed(HAVE)
           if who["witness"] in ("xstep", "gdb", "lldb") and not who["problem"]}
needs_debuggers = e2e.unittest.skipUnless({"gdb", "lldb"} <= set(WORKING), "needs gdb and lldb")


def levels(source, compiler, *flags):
    return [e2e.compile(source, compiler, ("-g", flag)) for flag in flags]


class Case(e2e.TestCase):
    def folder(self):
        return pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="words")))

    def script(self, text):
        """A gdb that answers when it is probed, and then does as it is told."""
        path = self.folder() / "gdb"
        path.write_text('#!/bin/sh\ncase "$*" in\n--version) echo GNU gdb 1.0;;\n'
                        f"*probe*) echo xstep-probe 3.11.2;;\n*) {text};;\nesac\n")
        path.chmod(0o755)
        return path

    def alone(self):
        """An environment in which no debugger is found, and what is known of debuggers is not kept."""
        return {**os.environ, "PATH": str(self.folder()), "HOME": str(self.folder())}


class All(Case):
    """--witness all: xstep, and the gdb and the lldb that are found."""

    @e2e.smoke
    def test_none_found_is_said(self):
        unopt, opt = levels("check_value.c", e2e.GCC, "-O0", "-O2")
        result = e2e.xstep("check", "opt", "--witness", "all", unopt, opt, env=self.alone())
        self.expect(result, 1, "--witness all: that is xstep; gdb, lldb: not found")
        self.assertNotIn("lost", result.stdout)

    @needs_debuggers
    def test_all_is_xstep_gdb_and_lldb(self):
        program = e2e.compile("check_value.c", e2e.GCC, ("-g", "-O2"))
        unopt = e2e.compile("check_value.c")
        for words, want in (("all", ["xstep", "gdb", "lldb"]), ("lldb,all", ["lldb", "xstep", "gdb"])):
            result = e2e.xstep("check", "opt", "--format", "json", "--witness", words, unopt, program)
            told = json.loads(result.stdout)
            self.assertEqual(list(dict.fromkeys(one["witness"] for one in told["witnesses"])), want)
            self.assertEqual(told["summary"]["lost"], [])
        traced = e2e.xstep("trace", "--witness", "all", "--format", "json", program)
        heads = [json.loads(line) for line in traced.stdout.splitlines() if line.startswith('{"witness"')]
        self.assertEqual([one["witness"] for one in heads], ["xstep", "gdb", "lldb"])

    def test_unknown_words(self):
        program = e2e.compile("check_value.c")
        self.expect(e2e.xstep("check", "levels", "--witness", "everybody", program), 2, "none of xstep, gdb")


class Lost(Case):
    """A witness that could not tell it all is named where the findings are, and the status is 2."""

    def lost(self, *words):
        result = e2e.xstep("check", *words)
        self.assertEqual(result.returncode, 2, result.stderr)
        text = [line for line in result.stdout.splitlines() if " lost: " in line]
        result = e2e.xstep("check", words[0], "--format", "json", *words[1:])
        self.assertEqual(result.returncode, 2, result.stderr)
        told = json.loads(result.stdout)
        return text, told.get("summary", told)["lost"]

    @e2e.smoke
    def test_one_that_crashes(self):
        unopt, opt = levels("check_value.c", e2e.GCC, "-O0", "-O2")
        dying = self.script("kill -SEGV $$")
        source = e2e.subject("check_value.c")
        for words in (("opt", unopt, opt), ("levels", opt), ("avail", "--source", source, opt),
                      ("metrics", unopt, opt)):
            with self.subTest(words[0]):
                text, told = self.lost(words[0], "--witness", f"xstep,gdb@{dying}", *words[1:])
                self.assertRegex(text[0], r"^  gdb        lost: its trace of .* killed by SIGSEGV")
                self.assertEqual({one["witness"] for one in told}, {"gdb"})
                self.assertEqual(len(told), len(text))

    def test_one_that_is_not_there(self):
        program = e2e.compile("check_value.c", e2e.GCC, ("-g", "-O2"))
        text, told = self.lost("levels", "--witness", "xstep,lldb@/nowhere/lldb", program)
        self.assertEqual([one["witness"] for one in told], ["lldb"])
        self.assertIn("/nowhere/lldb", text[0])
        # So does diff.
        result = e2e.xstep("diff", "--witness", "xstep,gdb,lldb", "--lldb", "/nowhere/lldb", program)
        if "gdb" in WORKING:
            self.assertRegex(result.stdout, r"\n  lldb       lost: .*/nowhere/lldb")
        self.assertEqual(result.returncode, 2)

    @needs_debuggers
    def test_a_line_without_a_place_is_an_answer(self):
        """lldb says `no locations` for a breakpoint on such a line: it is heard all the same."""
        unopt, opt = levels("check_nowhere.c", e2e.GCC, "-O0", "-O2")
        source = e2e.subject("check_nowhere.c")
        for words in (("levels", opt), ("avail", "--source", source, opt), ("metrics", unopt, opt)):
            result = e2e.xstep("check", words[0], "--witness", "xstep,lldb", *words[1:])
            if words[0] != "avail":  # which has nothing to ask there
                self.assertIn(result.returncode, (0, 1), result.stderr)
            self.assertNotIn("lost", result.stdout)

    def test_all_of_them(self):
        unopt, opt = levels("check_value.c", e2e.GCC, "-O0", "-O2")
        dying = self.script("kill -SEGV $$")
        for words in (("opt", unopt, opt), ("levels", opt), ("metrics", unopt, opt)):
            result = e2e.xstep("check", words[0], "--witness", f"gdb@{dying}", *words[1:])
            self.expect(result, 2, "no witness told all that is needed: gdb: its trace of")
            self.assertEqual(result.stdout, "")


class Metrics(Case):
    """check metrics: programs and their arguments, columns, inlined instances, the plot."""

    def measure(self, *words, status=0):
        result = e2e.xstep("check", "metrics", "--format", "json", *words)
        self.expect(result, status)
        return json.loads(result.stdout)["programs"]

    @e2e.smoke
    def test_arguments_reach_all_programs(self):
        unopt, opt = levels("check_arguments.c", e2e.GCC, "-O0", "-O1")
        none, = self.measure(unopt, opt)
        for words in (("-x", "a b"), ("--", "a b")):
            some, again = self.measure(unopt, opt, opt, "--", *words)
            self.assertEqual(some, again)
            self.assertGreater(some["total"]["lines"], none["total"]["lines"])
        result = e2e.xstep("check", "metrics", "--stdout", "/dev/stderr", unopt, opt, "--", "a b", "c'd")
        self.assertEqual(result.stderr.count("argument a b\nargument c'd\n"), 2)

    def test_what_is_no_program(self):
        unopt, opt = levels("check_arguments.c", e2e.GCC, "-O0", "-O1")
        for words, says in (((unopt,), "at least one OPT"), ((unopt, "--", opt), "at least one OPT"),
                            ((), "at least one OPT"),
                            ((unopt, opt, "data.txt"), "each word before -- is a program: data.txt: No such"),
                            ((unopt, opt, e2e.compile("demo.c")), "are not of one source")):
            self.expect(e2e.xstep("check", "metrics", *words), 2, says)

    def test_columns(self):
        """Those of llvm-dwarfdump --show-variable-coverage --coverage-baseline."""
        unopt, opt = levels("check_instances.c", e2e.GCC, "-O0", "-O1")
        text = e2e.xstep("check", "metrics", "--functions", "--variables", unopt, opt, "--", "7")
        self.expect(text, 0)
        head = next(line for line in text.stdout.splitlines() if line.startswith("Function"))
        self.assertEqual(head.split(), ["Function", "Variable", "Decl", "LinesCovered", "Baseline", "CoveredRatio",
                                        "LinesPresent", "LinesPresentRatio", "Lost"])
        self.assertRegex(text.stdout, r"\n  scale +0\.")
        self.assertRegex(text.stdout, r"\nscale +k +check_instances.c:\d+ +\d+ +\d+ +0\.\d{3} +\d+ +0\.\d{3}")

    def test_instances_apart_and_together(self):
        unopt, opt = levels("check_instances.c", e2e.GCC, "-O0", "-O1")
        source = e2e.subject("check_instances.c")
        calls = [f"{source.name}:{number}" for number, line in enumerate(source.read_text().splitlines(), 1)
                 if "= scale(" in line]
        for witness in sorted({"xstep"} | set(WORKING)):
            with self.subTest(witness):
                one, = self.measure("--witness", witness, "--instances", unopt, opt, "--", "7")
                for variable in one["variables"]:
                    apart = {each["inl_chain"]: each for each in variable["instances"]}
                    self.assertEqual(variable["instance_count"], len(apart))
                    if variable["function"] != "main":
                        self.assertEqual(sorted(apart), calls)
                        self.assertLessEqual(max(each["lines_present"] for each in apart.values()),
                                             variable["baseline"])
                    elif witness == "xstep":  # one instance: the same apart and together
                        for key in ("lines_covered", "baseline", "covered_ratio", "lines_present"):
                            self.assertEqual(apart[""][key], variable[key], variable)
        text = e2e.xstep("check", "metrics", "--instances", unopt, opt, "--", "7").stdout
        self.assertRegex(text, rf"\nscale +2 +all together +v (.*\n)scale +{calls[0]} +v")

    def test_plot(self):
        """With one program, and with ten of long names, of which some have the same last part."""
        unopt, opt = levels("check_instances.c", e2e.GCC, "-O0", "-O1")
        folder = self.folder()
        programs = []
        for number in range(10):
            (folder / f"{number}").mkdir()
            programs.append(shutil.copy(opt, folder / f"{number}" / "the-same-name-for-each-of-the-programs"))
        for some in ([opt], programs):
            plot = e2e.xstep("check", "metrics", "--format", "svg", unopt, *some, "--", "7")
            self.expect(plot, 0)
            image = xml.etree.ElementTree.fromstring(plot.stdout)
            self.assertEqual(len(image.findall(".//{*}title")), 3 * len(some))
            texts = ["".join(text.itertext()) for text in image.findall(".//{*}text")]
            self.assertIn(f"What a debugger can show, against {unopt.name}", texts)
            labels = [text for text in texts if some[0] == opt and text == opt.name or "the-same-name" in text]
            self.assertEqual(len(set(labels)), len(some))
            wide, high = (int(image.get(name)) for name in ("width", "height"))
            for text in image.findall(".//{*}text[@transform]"):
                x, y = map(int, re.findall(r"translate\((\d+) (\d+)\)", text.get("transform"))[0])
                self.assertTrue(0 < x < wide and 0 < y < high)
                # At 45 degrees a label reaches as far down as to the left.
                if "rotate(-45)" in text.get("transform"):
                    reach = 0.71 * 6 * len(text.text)
                    self.assertGreater(x - reach, 0)
                    self.assertLess(y + reach, high)


def by_hand(text):
    """The commands that are printed for the first finding, each as one line for a shell."""
    block = text[text.index("     by hand   ") + 15:].split("\n\n")[0]
    return re.sub(r"\n {15}", "\n", block).replace("\\\n", "").strip().split("\n")


@needs_debuggers
class ByHand(Case):
    """The program's arguments, what it reads and its environment are in every command that is printed, and
    each shows what it is printed for when it is pasted into a shell."""

    WORDS = ("it's $x", "a  b")

    @classmethod
    def setUpClass(cls):
        cls.unopt = e2e.compile("check_hits.c")
        cls.opt = e2e.compile("check_hits.c", e2e.GCC, ("-g", "-O0", "-DLAST=77"))

    def setUp(self):
        self.where = self.folder()
        (self.where / "what it reads").write_text("1\n2\n3\n4\n")
        self.surroundings = ("--stdin", "what it reads", "--env", "NAME=a 'b'")

    def paste(self, line):
        environment = {**os.environ, "PATH": f"{pathlib.Path(e2e.XSTEP).parent}:{os.environ['PATH']}"}
        result = subprocess.run(["bash", "-c", line], stdin=subprocess.DEVNULL, cwd=self.where, env=environment,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=100)
        return result.stdout

    def check(self, *words):
        return e2e.xstep("check", *words, cwd=self.where)

    @e2e.smoke
    def test_opt(self):
        """At the ninth arrival, which is the third step on that line; and in the unoptimised program."""
        for witness in ("gdb", "lldb"):
            with self.subTest(witness):
                result = self.check("opt", "--witness", f"xstep,{witness}", *self.surroundings, self.unopt, self.opt,
                                    *self.WORDS)
                self.expect(result, 1)
                opt, unopt, explain = by_hand(result.stdout)
                self.assertRegex(opt, rf"^(env -C / )?{witness}")
                self.assertRegex(self.paste(opt), r"(= |tag = )77\n")
                self.assertRegex(self.paste(unopt), r"(= |tag = )0\n")
                self.assertIn("--hit 9 ", explain)
                self.assertIn("--env", explain)
                self.assertRegex(self.paste(explain), r"tag.* = 77\b")

    def test_nothing_but_a_store(self):
        """The arguments are those that were given when it was recorded."""
        store = self.where / "traces.db"
        self.check("opt", "-o", store, *self.surroundings, self.unopt, self.opt, *self.WORDS)
        result = self.check("opt", "--trace", 1, "--trace", 2, store)
        explain = next(line for line in by_hand(result.stdout) if line.startswith("xstep explain"))
        self.assertTrue(explain.endswith(" 'it'\\''s $x' 'a  b'"), explain)

    def test_from(self):
        """A debugger is led from where the trace begins; explain counts from the beginning."""
        text = e2e.subject("check_hits.c").read_text()
        line = text.split("for (int i")[0].count("\n") + 1
        result = self.check("opt", "--from", f"check_hits.c:{line}", *self.surroundings, self.unopt, self.opt,
                            *self.WORDS)
        opt, _, explain = by_hand(result.stdout)
        self.assertIn("--hit 9 ", explain)
        self.assertIn(" = 77\n", self.paste(opt))

    def test_levels_and_avail(self):
        """One program: at a line, or a variable without a value."""
        program = e2e.compile("check_order.c")
        result = self.check("levels", "--witness", "xstep,gdb", *self.surroundings, program, *self.WORDS)
        there, explain = by_hand(result.stdout)
        self.assertIn("check_order.c", self.paste(there))
        self.assertRegex(explain, "--stdin 'what it reads' (--steady )?--env")
        self.assertNotIn("never", self.paste(explain))
        source = e2e.subject("check_call.c")
        program = e2e.compile(source.name, e2e.CLANG, ("-g", "-O2"))
        result = self.check("avail", "--source", source, *self.surroundings, program, *self.WORDS)
        there, explain = by_hand(result.stdout)
        self.assertIn("<optimized out>", self.paste(there))
        self.assertIn("copy", self.paste(explain))
        for line in (there, explain):
            self.assertTrue(line.endswith(" 'it'\\''s $x' 'a  b'"), line)

    def test_diff(self):
        """Where only the arguments and the input lead to a bug of gdb's."""
        program = e2e.compile("diff_demo.c", e2e.GCC, ("-g", "-O2"))
        result = e2e.xstep("diff", *self.surroundings, program, *self.WORDS, cwd=self.where)
        self.expect(result, 1)
        for line in by_hand(result.stdout):
            self.assertTrue("it'\\''s $x" in line or 'it\'s $x"' in line, line)
            self.assertTrue("what it reads" in line, line)
            self.assertIn("NAME", line)

    def test_report(self):
        """Sessions with both programs, which find what the program reads beside them."""
        top = self.where / "report"
        result = self.check("opt", "--report", top, *self.surroundings, self.unopt, self.opt, *self.WORDS)
        self.expect(result, 1)
        folder, = (path for path in top.iterdir() if path.is_dir())
        report = (folder / "report.md").read_text()
        for name, value in (("session.gdb", "= 77"), ("session.lldb", "tag = 77"), ("other.gdb", "= 0"),
                            ("other.lldb", "tag = 0")):
            said = (folder / f"{name}.txt").read_text()
            self.assertIn(value, said)
            self.assertIn(value, report)
            start = (folder / name).read_text().split("\n")[0][2:]
            self.where = folder
            self.assertIn(value, self.paste(start.replace(" lldb ", f" {WORKING['lldb']} ")))
        self.assertIn("exit status 1, it is there", report)


class Silence(Case):
    """Nothing asked is never `no violation`."""

    def each(self, unopt, opt, says, source=None, *options):
        source = source or e2e.subject("check_value.c")
        for words in (("opt", *options, unopt, opt), ("levels", *options, opt),
                      ("avail", *options, "--source", source, opt), ("metrics", *options, unopt, opt)):
            with self.subTest(words[0]):
                result = e2e.xstep("check", *words)
                self.expect(result, 2, says)
                self.assertNotIn("no violation", result.stdout)

    def test_a_place_that_is_never_reached(self):
        unopt, opt = levels("check_value.c", e2e.GCC, "-O0", "-O2")
        self.each(unopt, opt, "nosuch", None, "--from", "nosuch")
        unopt, opt = levels("check_hits.c", e2e.GCC, "-O0", "-O2")  # without arguments it ends at once
        source = e2e.subject("check_hits.c")
        place = f"{source.name}:{source.read_text().split('lines++')[0].count(chr(10)) + 1}"
        self.each(unopt, opt, f"before {place} was reached", source, "--from", place)

    def test_without_debug_information(self):
        unopt = e2e.compile("check_value.c")
        bare = e2e.compile("check_value.c", e2e.GCC, ("-O2",))
        self.each(unopt, bare, "no debug information")
        stripped = self.folder() / "stripped"
        self.expect(e2e.run(["strip", "-o", stripped, e2e.compile("check_value.c", e2e.GCC, ("-g", "-O2"))]))
        self.each(unopt, stripped, "no debug information")

    def test_another_source(self):
        unopt = e2e.compile("check_value.c")
        other = e2e.compile("check_else.c", e2e.GCC, ("-g", "-O2"))
        for words in (("opt", unopt, other), ("metrics", unopt, other)):
            self.expect(e2e.xstep("check", *words), 2, "are not of one source")
        self.expect(e2e.xstep("check", "avail", "--source", e2e.subject("check_value.c"), other), 2,
                    "nothing could be asked")

    def test_the_same_file_twice(self):
        program = e2e.compile("check_value.c", e2e.GCC, ("-g", "-O2"))
        result = e2e.xstep("check", "opt", program, program)
        self.expect(result, 0)
        self.assertIn("no violation", result.stdout)
        self.expect(e2e.xstep("check", "metrics", program, program), 0)

    def test_no_common_line(self):
        """One source, and nothing of it is executed in both."""
        folder = self.folder()
        source = folder / "two.c"
        source.write_text("#ifdef ONE\nint main(void)\n{\n\treturn 0;\n}\n#else\n"
                          "int main(void)\n{\n\treturn 0;\n}\n#endif\n")
        one, other = folder / "one", folder / "other"
        self.expect(e2e.run([e2e.GCC, "-g", "-O0", "-DONE", "-o", one, source]))
        self.expect(e2e.run([e2e.GCC, "-g", "-O2", "-o", other, source]))
        result = e2e.xstep("check", "metrics", one, other)
        told = json.loads(e2e.xstep("check", "metrics", "--format", "json", one, other).stdout)
        total = told["programs"][0]["total"]
        self.expect(result, 2, "hits none of the")
        self.assertEqual((total["line_coverage"], total["availability"], total["product"]), (0, None, 0))


if __name__ == "__main__":
    e2e.main()
