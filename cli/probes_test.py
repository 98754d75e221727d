#!/usr/bin/python3
"""probes_test.py - probes, end to end: planted by xstep mutate, checked by xstep check."""
import json
import pathlib
import re
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e

HAS_PROBES = pathlib.Path("/usr/include/x86_64-linux-gnu/sys/sdt.h").exists()
VERSIONS = " ".join(json.loads(line)["version"] or ""
                    for line in e2e.xstep("witness", "--json").stdout.splitlines())
needs_debuggers = e2e.unittest.skipUnless("13.1" in VERSIONS and "lldb version 15" in VERSIONS,
                                          "needs gdb 13.1 and lldb 15")
needs_probes = e2e.unittest.skipUnless(HAS_PROBES, "needs <sys/sdt.h>: apt-get install systemtap-sdt-dev")


def check(program, *words, options=()):
    """What xstep check probes says, as (result, parsed JSON)."""
    result = e2e.xstep("check", "probes", "--format", "json", *options, program, *words)
    return result, json.loads(result.stdout) if result.stdout else None


def asked(told, rule="P1"):
    return next(one for one in told["summary"]["asked"] if one["rule"] == rule)


class Notes(e2e.TestCase):
    """Notes that are written by hand: what is asked, what is found, and what is left."""

    def told(self, *flags, options=(), status=None):
        result, told = check(e2e.compile("probes_notes.c", e2e.GCC, ("-g", "-O0", *flags)), options=options)
        self.expect(result, (1 if told["violations"] else 0) if status is None else status)
        return told

    @e2e.smoke
    def test_a_lie_and_a_loss(self):
        lie, loss = sorted(self.told()["violations"], key=lambda one: one["group"])
        self.assertEqual((lie["group"], lie["kind"], lie["path"], lie["wrong"], lie["signature"]),
                         ("P1", "lie", "x", ["producer"], "P1 lie producer:stale-memory"))
        self.assertEqual([lie["facts"][who]["value"] for who in ("operand", "xstep")], ["8", "7"])
        self.assertRegex(lie["remark"], r"^probe p2__x at 0x\w+: x is -4@\$8$")
        self.assertEqual((loss["group"], loss["kind"], loss["flaw"], loss["facts"]["xstep"]["state"]),
                         ("P2", "loss", "missing", "absent"))

    def test_nobody_is_accused_of_what_is_right(self):
        """And what is not known is counted, with its reason."""
        for compiler in (e2e.GCC, e2e.CLANG):
            result, told = check(e2e.compile("probes_notes.c", compiler, ("-g", "-O0", "-DTRUE_ONLY")))
            self.expect(result, 0)
            left = asked(told)["left"]
            self.assertGreaterEqual(asked(told)["asked"], 4)
            for reason in ("of a name that .xstep.probes has more than once", "relative to a segment register",
                           "that neither the probe's name nor .xstep.probes tells of",
                           "of other providers, which do not say what their operands are",
                           "of a variable that is declared on another line now",
                           "of lines of .xstep.probes that make no sense"):
                self.assertEqual(left[reason], 1, reason)

    def test_arrivals(self):
        """300 arrivals at one probe: how many are looked at, and when its trap goes."""
        def figures(*options):
            program = e2e.compile("probes_notes.c", e2e.GCC, ("-g", "-O0", "-DTRUE_ONLY"))
            text = self.expect(e2e.xstep("check", "probes", *options, program)).stdout
            return tuple(map(int, re.search(r"(\d+) of (\d+) arrivals looked at", text).groups()))
        others = 10  # probes that are reached once
        looked, arrivals = figures()
        self.assertEqual(arrivals, others + 100)
        self.assertTrue(others + 2 <= looked <= others + 20, looked)
        self.assertEqual(figures(), (looked, arrivals))
        self.assertEqual(figures("--arrivals", 1000, "--every", 1), (others + 300, others + 300))
        self.assertEqual(figures("--arrivals", 1000, "--every", 100), (others + 3, others + 300))
        self.assertEqual(figures("--arrivals", 1), (others + 1, others + 1))

    def test_nothing_asked_is_no_answer(self):
        program = e2e.compile("check_value.c", e2e.GCC, ("-g", "-O0"))
        self.expect(e2e.xstep("check", "probes", program), 2, "it has no probes (.note.stapsdt)")
        program = e2e.compile("probes_notes.c", e2e.GCC, ("-O0",))
        self.expect(e2e.xstep("check", "probes", program), 2, "nothing could be asked")
        self.expect(e2e.xstep("check", "probes"), 2, "name a program")

    def test_corrupt_notes(self):
        """Whatever is in the two sections, xstep says what it could read."""
        program = e2e.compile("probes_notes.c", e2e.GCC, ("-g", "-O0"))
        whole = program.read_bytes()
        with tempfile.TemporaryDirectory() as folder:
            broken = pathlib.Path(folder) / "broken"
            at, end = whole.index(b"stapsdt\0"), whole.rindex(b"stapsdt\0")
            for step in range(-12, end - at, 101):
                broken.write_bytes(whole[:at + step] + b"\xff" + whole[at + step + 1:])
                broken.chmod(0o755)
                self.assertIn(e2e.xstep("check", "probes", broken).returncode, (0, 1, 2))


@needs_probes
class Compilers(e2e.TestCase):
    """What these very compilers get wrong."""

    def one(self, name, compiler, level, options=()):
        result, told = check(e2e.compile(name, compiler, ("-g", level)), options=options)
        self.expect(result, 1)
        found, = told["violations"]
        self.assertEqual(found["wrong"], ["producer"])
        return found

    @e2e.smoke
    def test_a_loop_of_one_round(self):
        found = self.one("probes_once.c", e2e.CLANG, "-O2")
        self.assertEqual((found["signature"], found["path"]), ("P1 lie producer:wrong-constant", "i"))
        self.assertEqual([found["facts"][who]["value"] for who in ("operand", "xstep")], ["0", "3"])
        self.assertEqual(found["evidence"]["expression"], "DW_OP_consts 3, DW_OP_stack_value")
        found = self.one("probes_once.c", e2e.GCC, "-O2")
        self.assertEqual((found["group"], found["path"], found["flaw"]), ("P2", "i", "incomplete"))
        for compiler in (e2e.GCC, e2e.CLANG):
            self.expect(check(e2e.compile("probes_once.c", compiler, ("-g", "-O0")))[0], 0)

    def test_a_store_that_never_comes(self):
        found = self.one("probes_store.c", e2e.CLANG, "-Os")
        self.assertEqual((found["signature"], found["path"]), ("P1 lie producer:stale-memory", "a[3]"))
        self.assertEqual(found["facts"]["operand"]["value"], "0")

    @needs_debuggers
    def test_a_name_without_a_line(self):
        """It is enough if the function has one such variable, in scope or not. A wrong line is not."""
        result, told = check(e2e.compile("probes_inlined.c", e2e.CLANG, ("-g", "-O1")))
        self.expect(result, 1)
        self.assertEqual([(one["path"], one["signature"]) for one in told["violations"]],
                         [("pair[1]", "P2 loss producer:lost missing [abstract-only]")])
        self.assertEqual(asked(told)["left"], {"of a name that several variables of the function have": 1})
        result, told = check(e2e.compile("probes_inlined.c", e2e.CLANG, ("-g", "-O1", "-DMOVED")))
        self.expect(result, 2, "nothing could be asked")
        self.assertEqual(asked(told)["left"], {"of a variable that is declared on another line now": 3})

    def test_debuggers_say_the_same(self):
        """They read the same DWARF: the producer is wrong, and what each says is told."""
        found = self.one("probes_once.c", e2e.CLANG, "-O2", ("--witness", "xstep,gdb,lldb"))
        self.assertEqual([found["facts"][who]["value"] for who in ("operand", "xstep", "gdb", "lldb")],
                         ["0", "3", "3", "3"])
        result, told = check(e2e.compile("probes_once.c", e2e.GCC, ("-g", "-O0")),
                             options=("--witness", "xstep,gdb,lldb"))
        self.expect(result, 0)
        answers, = (one for one in told["summary"]["asked"] if one["what"] == "answers of debuggers")
        self.assertEqual(answers["asked"], 2 * asked(told)["asked"])

    @needs_debuggers
    def test_a_store_of_the_users_is_not_misled(self):
        """A trace at some addresses only is not taken for a whole one."""
        program = e2e.compile("probes_once.c", e2e.GCC, ("-g", "-O0"))
        with tempfile.TemporaryDirectory() as folder:
            store = pathlib.Path(folder) / "all.db"
            for _ in range(2):
                self.expect(check(program, options=("--witness", "xstep,gdb", "-o", store))[0], 0)
            modes = e2e.xstep("show", "--list", store).stdout
            self.assertEqual(len(re.findall("native, planned, steady, only", modes)), 2, modes)


@needs_probes
class Events(e2e.TestCase):
    """What happens to a program around its probes changes nothing about it."""

    def expect_output(self, name, output, *words, flags=(), says=""):
        program = e2e.compile(name, e2e.GCC, ("-g", "-O1", *flags))
        with tempfile.NamedTemporaryFile("r") as file:
            result, told = check(program, *words, options=("--stdout", file.name))
            self.expect(result, 0)
            self.assertEqual(file.read(), output)
        self.assertIn(says, result.stderr)
        return told

    def test_forks_signals_and_traps(self):
        told = self.expect_output("probes_events.c", "40 8 1 1\n")
        self.assertEqual(asked(told)["asked"], 4)

    def test_exec(self):
        self.expect_output("probes_events.c", "40 8 1 1\n40 8 1 1\n", "exec")

    def test_threads(self):
        told = self.expect_output("probes_threads.c", "499501\n", flags=("-pthread",),
                                  says="while the program had several threads")
        self.assertEqual(asked(told)["left"], {"of probes that one thread alone never reached": 2})


@needs_probes
class Planted(e2e.TestCase):
    """Probes that xstep mutate plants."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def plant(self, source, *words):
        result = self.expect(e2e.xstep("mutate", "--probes", source, "-o", self.folder, "--json", "--force", *words))
        self.assertEqual(result.stderr, "")
        said = json.loads(result.stdout)
        self.assertEqual(said["dropped"], [])
        return pathlib.Path(said["file"]), said["applied"]["probes"]

    def behaviour(self, source, compiler, level, *flags):
        program = self.folder / "program"
        self.expect(e2e.run([compiler, level, "-g", "-w", *flags, "-o", program, source, "-lm"]))
        result = e2e.run([program], timeout=20)
        return program, (result.returncode, result.stdout)

    def expect_silent(self, source, compiler, *flags):
        """At -O0 the operand is what the DWARF says."""
        program, _ = self.behaviour(source, compiler, "-O0", *flags)
        result, told = check(program, options=("--stdout", "/dev/null"))
        self.expect(result, 0)
        return asked(told)["asked"]

    def test_mutants_behave_and_are_right_unoptimised(self):
        for name in ("forms", "lifetimes", "scopes", "values", "macros"):
            source = e2e.TESTDATA / "mutate" / f"{name}.c"
            planted, count = self.plant(source, "--density", 1)
            for compiler in (e2e.GCC, e2e.CLANG):
                for level in ("-O0", "-O2"):
                    with self.subTest(source=name, compiler=compiler, level=level):
                        self.assertEqual(self.behaviour(planted, compiler, level)[1],
                                         self.behaviour(source, compiler, level)[1])
                self.assertGreater(self.expect_silent(planted, compiler), count / 4)

    def test_lines_stay(self):
        """But for one at the top. Nothing that is written is loaded with the program."""
        planted, _ = self.plant(e2e.TESTDATA / "mutate" / "forms.c", "--density", 1)
        old = (e2e.TESTDATA / "mutate" / "forms.c").read_text().splitlines()
        new = planted.read_text().splitlines()
        self.assertEqual(new[0], "#include <sys/sdt.h>")
        self.assertEqual([re.sub(r"DTRACE_PROBE\d+\([^;]*\); ", "", line) for line in new[1:len(old) + 1]], old)
        program, _ = self.behaviour(planted, e2e.GCC, "-O2")
        text = e2e.run(["readelf", "-p", ".xstep.probes", program]).stdout
        self.assertRegex(text, r"p\d+__\w+ main \d+:\w+")
        flags = re.search(r"\.xstep\.probes +PROGBITS +\w+ \w+ \w+ \w+ +(\w*) ",
                          e2e.run(["readelf", "-WS", program]).stdout).group(1)
        self.assertEqual(flags.strip("0"), "")

    @e2e.smoke
    def test_density_and_seed(self):
        source = e2e.TESTDATA / "mutate" / "forms.c"
        few, _ = self.plant(source, "--density", 0.1)
        first = few.read_text()
        self.assertEqual(self.plant(source, "--density", 0.1)[0].read_text(), first)
        self.assertNotEqual(self.plant(source, "--density", 0.1, "--seed", 2)[0].read_text(), first)
        self.assertLess(first.count("DTRACE_PROBE"),
                        self.plant(source, "--density", 1)[0].read_text().count("DTRACE_PROBE"))

    def test_together_with_other_mutators(self):
        source = e2e.TESTDATA / "mutate" / "forms.c"
        planted, count = self.plant(source, "--only", "rcl,ocp", "--ocp", 0.2, "--density", 0.5)
        self.assertGreater(count, 20)
        self.assertEqual(self.behaviour(planted, e2e.GCC, "-O1")[1], self.behaviour(source, e2e.GCC, "-O1")[1])
        self.assertGreater(self.expect_silent(planted, e2e.CLANG), 50)

    def test_generated_programs(self):
        if not shutil.which("csmith"):
            self.skipTest("csmith is not installed: apt-get install csmith")
        include = "-I/usr/include/csmith"
        for seed in (1, 3):
            source = self.folder / f"csmith_{seed}.c"
            source.write_text(e2e.run(["csmith", "--seed", seed, "--max-funcs", 5], cwd=self.folder).stdout)
            planted, _ = self.plant(source, "--flag", include)
            for compiler, level in ((e2e.GCC, "-O2"), (e2e.CLANG, "-O2")):
                self.assertEqual(self.behaviour(planted, compiler, level, include)[1],
                                 self.behaviour(source, compiler, level, include)[1])
            for compiler in (e2e.GCC, e2e.CLANG):
                self.assertGreater(self.expect_silent(planted, compiler, include), 20)


if __name__ == "__main__":
    e2e.main()
