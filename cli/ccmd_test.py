#!/usr/bin/python3
"""ccmd_test.py - xstep ccmd: the same machine code with debug information and without.

Pairs in testdata/ccmd/*.S are what a compiler with a bug would write: -g defines WITH_G for them. Real
compilers do the rest, real bugs of theirs included."""
import json
import os
import pathlib
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e

PAIRS = e2e.TESTDATA / "ccmd"
NAP = 100000 + os.getpid()  # seconds that nobody waits for, and nobody else's processes do


class Folder(e2e.TestCase):
    """With a folder to work in, and compilers that are scripts around the real one."""

    def setUp(self):
        held = tempfile.TemporaryDirectory(prefix="ccmd_test-")
        self.addCleanup(held.cleanup)
        self.folder = pathlib.Path(held.name)
        (self.folder / "tmp").mkdir()

    def compiler(self, name, with_g):
        """A compiler that is gcc with -g0, and the shell commands `with_g` otherwise."""
        path = self.folder / name
        path.write_text('#!/bin/sh\ncase " $* " in\n'
                        f'*" -g0 "*|*" --version "*) exec {e2e.GCC} "$@" ;;\nesac\n{with_g}\n')
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    def source(self, text="int f(int x) { return x + 1; }\n", name="one.c"):
        path = self.folder / name
        path.write_text(text)
        return path

    def ccmd(self, *words, **options):
        """Runs it; whatever happens, it must leave nothing in the folder for temporary files."""
        result = e2e.xstep("ccmd", *words, env={**os.environ, "TMPDIR": str(self.folder / "tmp")},
                           **options)
        self.assertEqual(list((self.folder / "tmp").iterdir()), [])
        return result

    def json(self, *words, status):
        result = self.ccmd("--format", "json", *words)
        self.expect(result, status)
        return json.loads(result.stdout)


class Pairs(Folder):
    """Every kind of difference is seen and called by its name, and what must differ is no difference."""

    def test_every_pair(self):
        pairs = self.compiler("pairs-gcc", f'exec {e2e.GCC} -DWITH_G "$@"')
        sources = sorted(PAIRS.glob("*.S"))
        self.assertGreater(len(sources), 20)
        told = self.json("--compiler", pairs, "--levels", "-O0", "--no-compare-debug", *sources, status=1)
        found = {finding["source"]: finding for finding in told["findings"]}
        for source in sources:
            with self.subTest(source.name):
                kind, *word = e2e.header(source)["expect"].removesuffix(" */").split()
                finding = found.get(str(source))
                if kind == "same":
                    self.assertIsNone(finding)
                    continue
                self.assertIsNotNone(finding, "no difference is seen")
                self.assertEqual(finding["kind"], kind)
                if word:
                    self.assertIn(word[0], finding["signature"].split()[-1].split("/"))

    def test_32_bit(self):
        source = self.source(".text\n.globl f\n.type f,@function\nf:\n\tmovl\tx, %eax\n\tcall\tg\n"
                             "#ifdef WITH_G\n\tmovl\t%eax, %edx\n#endif\n\tmovl\t%eax, x+4\n\tret\n"
                             ".size f,.-f\n.local x\n.comm x,8,4\n", "one.S")
        pairs = self.compiler("pairs-gcc", f'exec {e2e.GCC} -DWITH_G "$@"')
        told = self.json("--compiler", pairs, "--levels", "-m32", source, "--no-compare-debug", status=1)
        self.assertEqual([f["kind"] for f in told["findings"]], ["extra"])
        self.assertIn("x+0x4", told["findings"][0]["context"])

    def test_32_bit_descriptor_of_thread_local_data(self):
        """A relocation that marks an instruction and fills in nothing may be where a section ends."""
        source = self.source(".text\n.globl f\n.type f,@function\nf:\n"
                             "#ifdef WITH_G\n\tnop\n\tnop\n\tnop\n#endif\n"
                             "\tleal\tx@TLSDESC(%ebx), %eax\n\tcall\t*x@TLSCALL(%eax)\n.size f,.-f\n", "one.S")
        pairs = self.compiler("pairs-gcc", f'exec {e2e.GCC} -DWITH_G "$@"')
        told = self.json("--compiler", pairs, "--levels", "-m32", source, "--no-compare-debug", status=1)
        self.assertEqual([f["kind"] for f in told["findings"]], ["extra"])

    def test_everything_is_shifted(self):
        """One more function at the beginning: offsets, the order of data, numbers of local names, labels, all
        are others, and the rest is the same all the same."""
        sources = [PAIRS / "plain.c", PAIRS / "many.c"]
        for seed in 1, 9:
            made = e2e.run(["csmith", "--seed", seed, "--max-funcs", 3, "--max-block-size", 3], cwd=self.folder)
            sources.append(self.source(made.stdout, f"csmith{seed}.c"))
        levels = "-O0,-O2,-O2 -ffunction-sections -fdata-sections,-O1 -fno-pic"
        if not e2e.run([e2e.GCC, "-m32", "-c", PAIRS / "plain.c", "-o", "/dev/null"]).returncode:
            levels += ",-O0 -m32,-O2 -m32"
        for compiler in e2e.GCC, e2e.CLANG:
            shifts = self.compiler("shift-" + compiler, "")
            shifts.write_text('#!/bin/sh\ncase " $* " in\n'
                              f'*" -g0 "*|*" --version "*) exec {compiler} "$@" ;;\nesac\n'
                              f'exec {compiler} -include {PAIRS}/pad.h "$@"\n')
            told = self.json("--compiler", shifts, "--levels", levels, "--extra", "-I/usr/include/csmith",
                             "--no-compare-debug", *sources, status=1)
            self.assertEqual(len(told["findings"]), len(told["cases"]))
            for finding in told["findings"]:
                others = [d for d in finding["differences"] if d["where"] != "pad"
                          and not d["where"].startswith("__x86.get_pc_thunk")]
                self.assertEqual(others, [], f"{finding['source']} {compiler} {finding['flags']}")

    def test_where_it_is(self):
        """The function, the line, what stands around it, and how many functions differ."""
        pairs = self.compiler("pairs-gcc", f'exec {e2e.GCC} -DWITH_G "$@"')
        told = self.json("--compiler", pairs, "--levels", "-O0", PAIRS / "extra.S", status=1)
        finding, = told["findings"]
        lines = (PAIRS / "extra.S").read_text().splitlines()
        self.assertEqual(finding["where"], "f")
        self.assertEqual(lines[finding["line"] - 1], "\tnop")
        self.assertEqual((finding["differ"], finding["functions"]), (1, 1))
        self.assertEqual(finding["instructions"], ["add $0x01, %eax", "nop"])
        self.assertRegex(finding["context"], r"(?m)^  +0  mov %edi, %eax\n\+ +2  nop\n  +3  add ")

    def test_a_loop_of_nothing_but_registers(self):
        """Functions that have nothing in common are still told."""
        source = self.source("#ifdef WITH_G\nint f(int *a, int n) { int s = 0; while (n--) s += *a++ * n;"
                             " return s; }\n#else\nint f(int *a, int n) { return a[n] / n; }\n#endif\n")
        pairs = self.compiler("pairs-gcc", f'exec {e2e.GCC} -DWITH_G "$@"')
        told = self.json("--compiler", pairs, "--levels", "-O0,-O2", source, status=1)
        self.assertEqual(len(told["findings"]), 2)


class RealCompilers(Folder):
    """Compilers as they are."""

    def test_no_alarm(self):
        """The same code in all sorts of builds."""
        for extra in ("", "-ffunction-sections -fdata-sections", "-fno-pic -fno-pie", "-fPIC", "-flto"):
            with self.subTest(extra):
                told = self.json("--compiler", f"{e2e.GCC},{e2e.CLANG}", "--g", "-g1,-g2,-g3", "--levels",
                                 "-O0,-O2", "--extra", extra, PAIRS / "plain.c", PAIRS / "many.c", status=0)
                self.assertEqual([case["error"] for case in told["cases"]], [None] * 8)
                self.assertEqual([case["builds"] for case in told["cases"]], [4] * 8)

    def test_no_alarm_in_32_bit(self):
        if e2e.run([e2e.GCC, "-m32", "-c", PAIRS / "plain.c", "-o", "/dev/null"]).returncode:
            self.skipTest("no 32-bit C library: apt-get install gcc-12-multilib")
        told = self.json("--compiler", f"{e2e.GCC},{e2e.CLANG}", "--levels", "-O0,-O2", "--extra", "-m32",
                         PAIRS / "plain.c", status=0)
        self.assertEqual(len(told["cases"]), 4)

    @e2e.smoke
    def test_a_real_bug(self):
        """clang's code for OpenMP is another one with debug information."""
        told = self.json("--compiler", e2e.CLANG, "--levels", "-O0", "--extra", "-fopenmp",
                         PAIRS / "openmp.c", status=1)
        finding, = told["findings"]
        self.assertEqual(finding["kind"], "operand")
        self.assertIn({"where": ".omp_outlined._debug__", "kind": "function"}, finding["differences"])
        self.assertEqual(finding["file"], str(PAIRS / "openmp.c"))

    def test_a_real_bug_in_32_bit(self):
        if not shutil.which("clang-13"):
            self.skipTest("no clang-13: apt-get install it")
        told = self.json("--compiler", "clang-13", "--levels", "-O1", "--extra", "-m32",
                         PAIRS / "return32.c", status=1)
        self.assertEqual([f["kind"] for f in told["findings"]], ["operand"])

    def test_link_time_optimisation_is_looked_at(self):
        """Not at the object that has no code yet."""
        source = self.source("#ifdef WITH_G\nint f(int x) { return x * 3; }\n#else\n"
                             "int f(int x) { return x * 5; }\n#endif\n")
        for compiler in e2e.GCC, e2e.CLANG:
            pairs = self.compiler("pairs-" + compiler, f'exec {compiler} -DWITH_G "$@"')
            pairs.write_text(pairs.read_text().replace(f"exec {e2e.GCC} \"$@\"", f"exec {compiler} \"$@\""))
            told = self.json("--compiler", pairs, "--levels", "-O1", "--extra", "-flto", source, status=1)
            self.assertEqual([f["where"] for f in told["findings"]], ["f"])

    def test_rust(self):
        """rustc is called by its own options. What it does on purpose is no finding: the load in main, and other code
        without optimisation."""
        if not pathlib.Path("/usr/bin/rustc").exists():
            self.skipTest("no rustc")
        source = e2e.TESTDATA / "rust/rust_heap.rs"
        words = ("ccmd", "--compiler", "/usr/bin/rustc", "--extra", "--cfg quiet")
        told = json.loads(e2e.xstep(*words, "--levels=-O2", "--g=-g1,-g2", "--format", "json", source).stdout)
        self.assertEqual(told["findings"], [])
        self.assertEqual([case["builds"] for case in told["cases"]], [3])
        for options, says in ((("--levels=-O0",), "on purpose"), (("--mutate", 1), "reads C"),
                              (("--levels=-O2", "--g=-ggdb"), "rustc has no '-ggdb'")):
            result = e2e.xstep(*words, *options, source)
            self.assertEqual(result.returncode, 2, result.rerun)
            self.assertIn(says, result.stderr)

    def test_gcc_is_asked_too(self):
        """-fcompare-debug: its word stands beside xstep's, and that they disagree is told."""
        lies = self.compiler("lying-gcc", 'case " $* " in\n*" -fcompare-debug "*) '
                             f'echo "x: -fcompare-debug failure"; exit 1 ;;\nesac\nexec {e2e.GCC} "$@"')
        told = self.json("--compiler", lies, "--levels", "-O1", self.source(), status=1)
        self.assertEqual([(f["kind"], f["compare_debug"]) for f in told["findings"]],
                         [("disagreement", "different")])
        pairs = self.compiler("pairs-gcc", f'exec {e2e.GCC} -DWITH_G "$@"')
        told = self.json("--compiler", pairs, "--levels", "-O1", PAIRS / "extra.S", status=1)
        self.assertEqual([f["compare_debug"] for f in told["findings"]], ["same"])


class Trouble(Folder):
    """Compilers that fail, sources that do not compile, options that make no sense."""

    def test_a_source_that_does_not_compile(self):
        bad = self.source("int f(void) { return missing; }\n", "bad.c")
        result = self.ccmd("--compiler", e2e.GCC, "--levels", "-O1", bad, self.source())
        self.expect(result, 2, f"{bad}: {e2e.GCC} -O1: does not compile: ")
        self.assertIn("missing", result.stderr)
        self.assertIn("2 sources: 2 cases", result.stdout)
        self.assertIn("\nno difference; 1 of 2 cases could not be checked\n", result.stdout)
        result = self.ccmd("--compiler", e2e.GCC, "--levels", "-O1", bad)
        self.expect(result, 2, "does not compile: ")
        self.assertIn("\nnothing was compared; 1 of 1 case could not be checked\n", result.stdout)
        result = self.ccmd("--compiler", self.compiler("pairs-gcc", f'exec {e2e.GCC} -DWITH_G "$@"'), "--levels",
                           "-O0", bad, PAIRS / "extra.S")
        self.expect(result, 2, "does not compile: ")
        self.assertIn("\n1 finding in 1 cluster; 1 of 2 cases could not be checked\n", result.stdout)

    def test_words_of_any_bytes(self):
        """What is no UTF-8 is told all the same, and a command can be typed."""
        word = os.fsdecode(b"-DODD='\xff'")
        pairs = self.compiler("pairs-gcc", f'exec {e2e.GCC} -DWITH_G "$@"')
        told = self.json("--compiler", pairs, "--levels", "-O0", "--extra", word, PAIRS / "extra.S", status=1)
        finding, = told["findings"]
        self.assertIn("\ufffd", finding["flags"])
        self.assertIn(r"$'-DODD=\047\377\047'", finding["commands"][0])

    def test_crash_hang_and_refusal(self):
        ways = {"crash": "echo 'one.c:1: internal compiler error: in expand, at here.c:1'; exit 1",
                "hang": f"sleep {NAP} & sleep {NAP}", "refused": "echo 'one.c:1: error: no'; exit 1"}
        for kind, script in ways.items():
            compiler = self.compiler(f"{kind}-gcc", script)
            told = self.json("--compiler", compiler, "--levels", "-O1", "--timeout",
                             "8" if kind == "hang" else "600", self.source(), status=1)
            self.assertEqual([f["kind"] for f in told["findings"]], [kind])
            self.assertIn("not with -g0", told["findings"][0]["meaning"])
        self.assertNotIn(f"sleep {NAP}", e2e.run(["ps", "-eo", "args"]).stdout)

    def test_a_compiler_that_is_never_the_same(self):
        """-g is not blamed for it."""
        moody = self.compiler("moody-gcc", "")
        moody.write_text(f'#!/bin/sh\nexec {e2e.GCC} -DNUMBER=$$ "$@"\n')
        told = self.json("--compiler", moody, "--levels", "-O1", "--no-compare-debug",
                         self.source("int f(void) { return NUMBER; }\n"), status=1)
        self.assertEqual([f["kind"] for f in told["findings"]], ["unstable"])

    def test_killed_by_a_signal(self):
        told = self.json("--compiler", self.compiler("dying-gcc", "kill -SEGV $$"), "--levels", "-O1",
                         self.source(), status=1)
        self.assertEqual([f["kind"] for f in told["findings"]], ["crash"])

    def test_clear_errors(self):
        for words, says in ((["--compiler", "no-such-cc", self.source()], "no-such-cc: no such program"),
                            ([self.folder], "Is a directory"),
                            ([], "no source"), (["--g", "-O2", self.source()], "-O2"),
                            (["/no/such/file.c"], "/no/such/file.c"), (["--bogus"], "unknown option")):
            self.expect(self.ccmd(*words), 2, says)


class Kept(Folder):
    """What is kept in a folder, and going on."""

    def setUp(self):
        super().setUp()
        self.pairs = self.compiler("pairs-gcc", f'exec {e2e.GCC} -DWITH_G "$@"')
        self.words = ["--compiler", self.pairs, "--levels", "-O0,-O1", "--no-compare-debug", "-o",
                      self.folder / "out"]

    def test_a_failing_case_is_a_folder(self):
        told = self.json(*self.words, PAIRS / "extra.S", status=1)
        for finding in told["findings"]:
            folder = self.folder / "out" / finding["folder"]
            self.assertEqual((folder / "extra.S").read_bytes(), (PAIRS / "extra.S").read_bytes())
            commands = (folder / "commands.txt").read_text()
            self.assertIn(" -g0 ", commands)
            self.assertIn(" -g2 ", commands)
            self.assertNotIn("nop", (folder / "g0.txt").read_text())
            self.assertIn("nop", (folder / "g2.txt").read_text())
            self.assertEqual((folder / "difference.txt").read_text(), finding["context"])

    def test_it_goes_on(self):
        """Cases that are done are not done again, and the result is the same."""
        first = self.json(*self.words, PAIRS / "extra.S", status=1)
        lines = (self.folder / "out/cases.jsonl").read_text().splitlines()
        self.assertEqual(len(lines), 2)
        # As if it had been cut short in the midst of the second line.
        (self.folder / "out/cases.jsonl").write_text(lines[0] + "\n" + lines[1][:40])
        second = self.json(*self.words, PAIRS / "extra.S", PAIRS / "order.S", status=1)
        lines = (self.folder / "out/cases.jsonl").read_text().splitlines()
        self.assertEqual(len(lines), 2 + 1 + 2)
        self.assertEqual([f["id"] for f in second["findings"]][:2], [f["id"] for f in first["findings"]])
        self.assertIn("4 from an earlier run",
                      self.ccmd(*self.words, PAIRS / "extra.S", PAIRS / "order.S").stdout)

    def test_a_changed_source_is_another_case(self):
        source = self.source()
        self.json(*self.words, source, status=0)
        source.write_text("int f(int x) { return x + 2; }\n")
        self.json(*self.words, source, status=0)
        self.assertEqual(len((self.folder / "out/cases.jsonl").read_text().splitlines()), 4)

    def test_interrupted(self):
        """^C ends the compilers, too, leaves nothing in /tmp, and keeps what is done."""
        slow = self.compiler("slow-gcc", f'case "$*" in *slow*) sleep {NAP};; esac; exec {e2e.GCC} "$@"')
        sources = [self.source(), self.source("int g;\n", "slow.c")]
        process = subprocess.Popen(
            [e2e.XSTEP, "ccmd", "--compiler", slow, "--levels", "-O0", "-o", self.folder / "out",
             "--no-compare-debug", "--jobs", "2", *sources], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, "TMPDIR": str(self.folder / "tmp")}, preexec_fn=e2e.leave_nothing)
        kept = self.folder / "out/cases.jsonl"
        e2e.wait_until(lambda: kept.exists() and kept.read_text().endswith("\n"), process)
        process.send_signal(signal.SIGINT)
        e2e.communicate(process)
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertEqual(list((self.folder / "tmp").iterdir()), [])
        self.assertNotIn(f"sleep {NAP}", e2e.run(["ps", "-eo", "args"]).stdout)
        self.assertEqual(len(kept.read_text().splitlines()), 1)

    def test_two_at_once_in_one_folder(self):
        import fcntl
        (self.folder / "out").mkdir()
        with open(self.folder / "out/cases.jsonl", "w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            self.expect(self.ccmd(*self.words, self.source()), 2, "another xstep ccmd")


class Mutants(Folder):
    """--mutate: each source, and mutants of it."""

    def test_mutants_are_checked_and_kept(self):
        words = ["--compiler", e2e.GCC, "--levels", "-O0,-O2", "--no-compare-debug", "--mutate", 2,
                 "--seed", 5, "-o", self.folder / "out", self.source("static int twice(int x) { return x"
                 " + x; }\nint f(int x) { int y = 0; while (x-- > 2) y += twice(x) * 3; return y; }\n")]
        told = self.json(*words, status=0)
        self.assertEqual([case["mutant"] for case in told["cases"]], [0, 0, 5, 5, 6, 6])
        texts = {path.read_text() for path in (self.folder / "out/mutants").iterdir()}
        self.assertEqual(len(texts), 2)
        self.assertEqual(told, self.json(*words, status=0))

    def test_a_difference_in_a_mutant(self):
        """Is kept with the mutant, and its commands can be typed."""
        breaks = self.compiler("breaking-gcc", f'case "$*" in *mutants/*) exec {e2e.GCC} -Dplain=1- "$@" ;;'
                               f' esac; exec {e2e.GCC} "$@"')
        source = self.source('#include "two.h"\nint f(int x) { return plain x; }\n')
        self.source("#ifndef plain\n#define plain 2 -\n#endif\n", "two.h")
        told = self.json("--compiler", breaks, "--levels", "-O0", "--mutate", 1, "-o", self.folder / "out",
                         source, status=1)
        finding, = told["findings"]
        self.assertEqual((finding["mutant"], finding["kind"]), (1, "operand"))
        kept, = (self.folder / "out" / finding["folder"]).glob("*.c")
        self.assertEqual(kept.read_text(), next((self.folder / "out/mutants").iterdir()).read_text())
        for command in finding["commands"]:
            self.assertEqual(e2e.run(["sh", "-c", command], cwd=self.folder).returncode, 0)

    def test_how_they_are_made(self):
        """The chances are those of xstep mutate; other chances, other mutants, in the same folder."""
        source = self.source("int g; int f(int x) { int y = x * 3; g = y + x; return g * y; }\n")
        words = ["--compiler", e2e.GCC, "--levels", "-O1", "--no-compare-debug", "--mutate", 1, "-o",
                 self.folder / "out", "--rcl", 0, "--fco", 0, "--ocp", 0, source]
        self.json(*words, status=0)
        self.json("--asm", 1, *words, status=0)
        texts = [path.read_text() for path in (self.folder / "out/mutants").iterdir()]
        self.assertEqual(sorted("asm" in text for text in texts), [False, True])

    def test_what_cannot_be_mutated(self):
        result = self.ccmd("--compiler", e2e.GCC, "--levels", "-O0", "--mutate", 1,
                           self.source("int f(void) { return 1 }\n", "bad.c"), self.source())
        self.expect(result, 2, "bad.c (mutant 1): ")


class Formats(Folder):
    """The manners of diff: ids, clusters, known bugs, formats."""

    def setUp(self):
        super().setUp()
        pairs = self.compiler("pairs-gcc", f'exec {e2e.GCC} -DWITH_G "$@"')
        self.words = ["--compiler", pairs, "--levels", "-O0", "--no-compare-debug", PAIRS / "extra.S",
                      PAIRS / "padding.S", self.twin()]

    def twin(self):
        return self.source((PAIRS / "extra.S").read_text(), "twin.S")

    def test_clusters_and_stable_ids(self):
        told = self.json(*self.words, status=1)
        self.assertEqual([(c["signature"], c["count"]) for c in told["clusters"]],
                         [("extra pairs-gcc -O0 -/nop", 2), ("padding pairs-gcc -O0 -/nop", 1)])
        self.assertEqual(len({f["id"] for f in told["findings"]}), 3)
        self.assertEqual(told["findings"], self.json(*self.words, "--jobs", 3, status=1)["findings"])

    def test_known(self):
        known = self.source("extra pairs-gcc * -/nop | PR 1 | a nop\n", "known.txt")
        told = self.json(*self.words, "--known", known, "--new", status=1)
        self.assertEqual([f["kind"] for f in told["findings"]], ["padding"])
        known.write_text("* | all | of them\n")
        self.json(*self.words, "--known", known, "--new", status=0)

    @e2e.smoke
    def test_text(self):
        text = self.expect(self.ccmd(*self.words), 1).stdout
        self.assertIn("3 findings in 2 clusters\n  kinds      extra 2, padding 1\n", text)
        self.assertEqual(text.count("-g0 and -g2"), 2)
        self.assertEqual(self.ccmd("--all", *self.words).stdout.count("-g0 and -g2"), 3)
        command = re.search(r"by hand   (.*)\n +(.*)\n", text)
        for line in command.groups():
            self.assertEqual(e2e.run(["sh", "-c", line], cwd=self.folder).returncode, 0)
        self.assertNotEqual((self.folder / "g0.o").read_bytes(), (self.folder / "g2.o").read_bytes())

    def test_sarif_and_junit(self):
        sarif = json.loads(self.expect(self.ccmd("--format", "sarif", *self.words), 1).stdout)
        results = sarif["runs"][0]["results"]
        self.assertEqual([r["level"] for r in results], ["error", "warning", "error"])
        junit = xml.etree.ElementTree.fromstring(
            self.expect(self.ccmd("--format", "junit", *self.words), 1).stdout)
        self.assertEqual((junit.get("failures"), len(junit.findall("testcase"))), ("3", 3))
        junit = xml.etree.ElementTree.fromstring(
            self.ccmd("--format", "junit", "--compiler", e2e.GCC, self.source()).stdout)
        self.assertEqual((junit.get("failures"), junit.get("tests")), ("0", "1"))


if __name__ == "__main__":
    e2e.main()
