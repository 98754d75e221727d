#!/usr/bin/python3
"""cause_test.py - xstep reduce and xstep culprit: real compilers, real oracles, and the pass that is known to
be at work."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import culprits
import e2e
import schemas

LINE = e2e.TESTDATA / "check/check_line.c"  # clang 15 from -O1 on: a line that is never executed
SCOPE = e2e.TESTDATA / "check/check_scope.c"  # gcc 12 -O2: two calls become one by -fcrossjumping

# A reducer that leaves lines out, several at a time and then one by one, for as long as the test is content.
REDUCER = """#!/usr/bin/python3
import pathlib, subprocess, sys, tempfile
*_, test, name = sys.argv
best, step, before = pathlib.Path(name).read_text().splitlines(True), 8, None
while step or before != best:
    before, at, step = list(best), 0, max(step, 1)
    while at < len(best):
        less = best[:at] + best[at + step:]
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, name).write_text("".join(less))
            good = not subprocess.run([test], cwd=folder, stdout=subprocess.DEVNULL).returncode
        best, at = (less, at) if good else (best, at + step)
        pathlib.Path(name).write_text("".join(best))
    step //= 2
"""

# What is not needed for the finding: two functions that are called, and text that is not.
MORE = """static int first(int n) { return n + 1; }
static int second(int n) { return first(n) * 2; }
int unused(void) { return second(3); }
"""

# gcc 12 -O1: a flag that nobody needs has no place. With that, what is included, and what is defined.
PROBED = """#include <sys/sdt.h>
#include <stdio.h>
#define SHOWN(x) printf("%X\\n", x)
int context = 7;
int nobody(void) { return context; }
void end(unsigned crc, int flag) { SHOWN(crc); }
int main(int argc, char *argv[])
{
	int flag = 0;
	if (argc == 2 && argv[1])
		flag = 1;
	DTRACE_PROBE1(xstep, p1__flag, flag);
	end(context ^ 0xFFFFFFFFUL, flag);
	return 0;
}
"""
# Like that, of an element of an array.
MEMBER = PROBED.replace("int flag = 0", "int flags[2] = {0, 0}").replace("flag = 1", "flags[1] = 1") \
    .replace("p1__flag, flag", "p1__1, flags[1]").replace("UL, flag", "UL, flags[1]") + \
    r"""__asm__(".pushsection .xstep.probes,\"\",@progbits\n"
	".ascii \"p1__1 main 9:flags[1]\\n\"\n"
	".ascii \"p2__other main 9:other\\n\"\n"
	".popsection\n");
"""


class Case(e2e.TestCase):
    """With a folder to work in."""

    def setUp(self):
        held = tempfile.TemporaryDirectory(prefix="cause_test-", ignore_cleanup_errors=True)
        self.addCleanup(held.cleanup)
        self.folder = pathlib.Path(held.name)
        (self.folder / "tmp").mkdir()
        self.reducer = self.put("reducer", REDUCER)
        self.reducer.chmod(0o755)

    def put(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def xstep(self, *words):
        return e2e.xstep(*words, cwd=self.folder, env={**os.environ, "TMPDIR": str(self.folder / "tmp")})

    def idle(self, name, then=""):
        """A reducer that does one thing, or nothing."""
        path = self.put(name, f"#!/bin/sh\n{then}\n")
        path.chmod(0o755)
        return path

    def nothing_is_left(self):
        self.assertEqual(list((self.folder / "tmp").iterdir()), [])

    def of(self, source, *words):
        return ("--source", source, "--compiler", e2e.CLANG, "--oracle", "opt", *words)


class Reduce(Case):
    """A few lines with the same finding."""

    def source(self):
        return self.put("long.c", MORE + LINE.read_text().replace("return 0;", "return unused() != 8;"))

    @e2e.smoke
    def test_what_is_not_needed_goes(self):
        source = self.source()
        result = self.expect(self.xstep("reduce", *self.of(source), "--reducer", self.reducer, "-o", "small.c",
                                        "--format", "json"))
        told = json.loads(result.stdout)
        schemas.check(self, "reduce", told)
        small = (self.folder / "small.c").read_text()
        self.assertEqual((told["signature"], told["wrong"], told["basis"]),
                         ("LI extra producer:dead-line", "producer", "evidence"))
        self.assertEqual(told["after"]["lines"], small.count("\n"))
        self.assertLess(told["after"]["lines"], told["before"]["lines"])
        self.assertNotIn("second", small)
        self.assertIn("main", small)
        self.assertFalse((self.folder / "small.c.reduce").exists())
        # From scratch, by hand: it is still there.
        for level in ("-O0", "-O2"):
            e2e.run([e2e.CLANG, "-g", "-w", level, "-o", self.folder / level[1:], self.folder / "small.c"])
        again = e2e.xstep("check", "opt", "--format", "json", self.folder / "O0", self.folder / "O2")
        self.assertIn(told["signature"], [one["signature"] for one in json.loads(again.stdout)["violations"]])
        self.nothing_is_left()

    def test_a_candidate_is_judged(self):
        """What the reducer asks: each reason for which a candidate will not do."""
        self.xstep("reduce", *self.of(self.source()), "--reducer", "/bin/false", "-o", "small.c")
        case = self.folder / "small.c.reduce/case.json"
        good = LINE.read_text()
        for text, says in (
                (good, None),
                ("int main(void) { return 0; }\n", "the finding is gone"),
                ("int main(void) { return x; }\n", "it does not compile"),
                (good.replace("return 0", "for (;;); return 0"), "it does not end in time"),
                (good.replace("return 0", "__builtin_trap(); return 0"), "it dies of a signal"),
                (good.replace("return 0", "volatile int big = 2147483647; big += zero + 1; return 0"),
                 "its behaviour is undefined"),
                (good.replace("none = zero", "none = zero, more; out = more; out = 0"), "the compiler warns of it"),
                # Which element is read only MSan knows.
                (good.replace("return 0", "int a[2]; volatile int k = 1; a[0] = zero; if (a[k] == 77) out = 1;\n"
                                          "return 0"),
                 "its behaviour is undefined"),
                ("#include <stdio.h>\n#include <unistd.h>\n" + good.replace("return 0", 'printf("%d", getpid()); '
                                                                             'return 0'), "two runs of it differ")):
            with self.subTest(says), tempfile.TemporaryDirectory(dir=self.folder) as folder:
                pathlib.Path(folder, "small.c").write_text(text)
                if says == "it does not end in time":
                    kept = json.loads(case.read_text())
                    slow = self.put("slow.json", json.dumps({**kept, "run_seconds": 1.0}))
                result = e2e.xstep("reduce", "--test", slow if says == "it does not end in time" else case, cwd=folder)
                self.assertEqual((result.returncode, says or ""), (1 if says else 0, says or ""), result.stdout)
                self.assertIn(says or "", result.stdout)

    def test_the_culprit_is_kept(self):
        """A candidate whose finding is not gone without the culprit is another finding."""
        source = self.source()
        words = ("reduce", *self.of(source), "-o", "small.c", "--format", "json", "--reducer")
        quick = self.idle("quick", "sed -i '/second/d; /unused(void)/d; s/unused() != 8/0/' small.c")
        self.expect(self.xstep(*words, quick, "--without", "-mllvm -disable-branch-fold"))
        self.assertNotIn("second", (self.folder / "small.c").read_text())
        self.expect(self.xstep(*words, "/bin/true", "--without", "-fno-inline"), 2, "there all the same")
        self.expect(self.xstep(*words, "/bin/true", "--without", "-w", "--keep-culprit"), 2, "choose one")
        # The pass is found first, and known by its name: in a smaller source it has another number.
        self.expect(self.xstep(*words, "/bin/false", "--keep-culprit"), 2)
        case = self.folder / "small.c.reduce/case.json"
        kept = json.loads(case.read_text())
        self.assertEqual((kept["pass"], kept["pass_turn"]), ("Control Flow Optimizer on function (main)", 1))
        for change, says in (({}, ""), ({"pass": "SROAPass on main"}, "it has another culprit than pass SROAPass"),
                             ({"pass": "NoSuchPass on main"}, "there is no pass NoSuchPass"),
                             ({"pass": None, "without": ["-fno-inline"]}, "is not gone with -fno-inline")):
            with self.subTest(says), tempfile.TemporaryDirectory(dir=self.folder) as folder:
                shutil.copy(LINE, f"{folder}/small.c")
                other = self.put("other.json", json.dumps({**kept, **change}))
                result = e2e.xstep("reduce", "--test", other, cwd=folder)
                self.assertEqual(result.returncode, 1 if says else 0, result.stdout)
                self.assertIn(says, result.stdout)

    def test_it_goes_on_where_it_was_interrupted(self):
        """^C ends it and all that it started; what there is then is what the next one begins with."""
        source = self.source()
        words = ("reduce", *self.of(source), "-o", "small.c", "--format", "json", "--reducer")
        mark = self.folder / "begun"
        slow = self.put("slow", f"#!/bin/sh\nsed -i /second/d small.c\ntouch {mark}\nexec sleep 100000\n")
        slow.chmod(0o755)
        # Without `second` there is no caller of `first`, and `unused` returns something else: make that compile.
        source.write_text(source.read_text().replace("return second(3);", "return 8;"))
        process = subprocess.Popen([e2e.XSTEP, *map(str, words), str(slow)], cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True, preexec_fn=e2e.leave_nothing,
                                   env={**os.environ, "TMPDIR": str(self.folder / "tmp")})
        self.assertTrue(e2e.wait_until(mark.exists, process))
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(e2e.WAIT_SECONDS), -signal.SIGINT)
        process.stderr.close()
        self.nothing_is_left()
        self.assertFalse((self.folder / "small.c").exists())
        told = json.loads(self.expect(self.xstep(*words, "/bin/true")).stdout)
        self.assertTrue(told["continued"])
        self.assertNotIn("second", (self.folder / "small.c").read_text())

    def test_parts_are_cut(self):
        """Declarations, statements, operands, parameters and types go without a reducer; what is left behaves."""
        text = self.source().read_text().replace("int main(void)", "typedef int number; struct s { int a; } more;\n"
                                                 "static number of(number a, number b) { return a + b; }\n"
                                                 "int main(void)")
        source = self.put("long.c", text.replace("return unused() != 8;",
                                                 "int a[2], k; a[1] = zero; for (k = 0; k < 2; k++) { more.a += k; }\n"
                                                 "return (unused() + of(more.a, 2)) != 11;"))
        told = json.loads(self.expect(self.xstep("reduce", *self.of(source), "--reducer", "none", "-o", "small.c",
                                                 "--format", "json")).stdout)
        schemas.check(self, "reduce", told)
        small = (self.folder / "small.c").read_text()
        self.assertLess(len(small), 150)
        for word in ("second", "struct s", "for (", "more", "number", "volatile"):
            self.assertNotIn(word, small)
        # A reducer that has only text to go by asks thousands of times.
        self.assertLess(told["asked"], 100)
        self.assertGreater(told["found"], 3)
        e2e.run([e2e.CLANG, "-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-o",
                 self.folder / "checked", self.folder / "small.c"])
        self.expect(e2e.run([self.folder / "checked"]))
        self.nothing_is_left()

    def test_two_builds_are_asked_about(self):
        """Oracles that build the source by themselves are told how."""
        source = self.put("twins.c", (e2e.TOP / "docs/bugs/gcc_no_vta_register.c").read_text())
        told = json.loads(self.expect(self.xstep(
            "reduce", "--source", source, "--compiler", e2e.GCC, "--level=-O1", "--oracle", "twins", "--signature",
            "T1 lie producer:contradiction", "--reducer", "none", "-o", "small.c", "--format",
            "json")).stdout)
        self.assertLess(told["after"]["bytes"], 400)
        self.assertIn("main", (self.folder / "small.c").read_text())

    def test_probes_are_preprocessed_around(self):
        """What probes are made of stays; what is included goes."""
        source = self.put("probed.c", PROBED)
        self.expect(self.xstep("reduce", "--source", source, "--compiler", e2e.GCC, "--level=-O1", "--oracle", "probes",
                               "--reducer", "none", "-o", "small.c"))
        small = (self.folder / "small.c").read_text()
        self.assertRegex(small, r"\A#include <sys/sdt.h>\n")
        self.assertIn("DTRACE_PROBE1(xstep, p1__flag, flag)", small)
        for word in ("stdio.h", "SHOWN", "nobody"):
            self.assertNotIn(word, small)
        self.nothing_is_left()

    def test_members_at_probes(self):
        """A member has a number in a probe's name, and the section of the probes has what it is: it is cut, too."""
        source = self.put("member.c", MEMBER)
        self.expect(self.xstep("reduce", "--source", source, "--compiler", e2e.GCC, "--level=-O1", "--oracle", "probes",
                               "--reducer", "none", "-o", "small.c"))
        small = (self.folder / "small.c").read_text()
        self.assertIn("p1__1 main 0:flags[1]", small)
        for word in ("p2__other", "SHOWN", "nobody"):
            self.assertNotIn(word, small)

    def test_time_is_up(self):
        """The best so far is judged like any other result."""
        source = self.source()
        # What it leaves is smaller than what it was given, and then it takes for ever.
        slow = self.idle("slow", "sed -i /Nothing/d small.c\nexec sleep 100000")
        told = json.loads(self.expect(self.xstep("reduce", *self.of(source), "--reducer", slow, "-o", "small.c",
                                                 "--seconds", "2", "--format", "json")).stdout)
        schemas.check(self, "reduce", told)
        self.assertTrue(told["cut_short"])
        self.assertIn("main", (self.folder / "small.c").read_text())
        text = self.expect(self.xstep("reduce", *self.of(source), "--reducer", slow, "-o", "small.c", "--seconds",
                                      "0.001")).stdout
        self.assertIn("time was up", text)
        # A reducer that dies by itself is still trouble.
        self.expect(self.xstep("reduce", *self.of(source), "--reducer", "/bin/false", "-o", "small.c", "--seconds",
                               "100"), 2, "it failed with status 1")
        self.nothing_is_left()

    def test_cvise_is_for_what_is_large(self):
        """What libclang does not read is left to a reducer as it is; what is small is not reduced further."""
        mark = self.folder / "mark"
        marking = self.idle("cvise-mark", f"touch {mark}\nexec sed -i '/filler/d' small.c")
        self.expect(self.xstep("reduce", *self.of(LINE), "--reducer", marking, "-o", "small.c"))
        self.assertFalse(mark.exists())
        self.assertLess((self.folder / "small.c").stat().st_size, 150)
        filler = "".join(f"int filler_{n}(void) {{ return {n}; }}\n" for n in range(20))
        nested = SCOPE.read_text().replace("int number = input;", "int nested(void) { return input; }\n"
                                           "int number = nested();")
        source = self.put("nested.c", filler + nested)
        words = ("reduce", "--source", source, "--compiler", e2e.GCC, "--oracle", "opt", "-o", "small.c", "--format",
                 "json")
        self.expect(self.xstep(*words, "--reducer", marking))
        self.assertTrue(mark.exists())
        self.assertNotIn("filler", (self.folder / "small.c").read_text())
        if shutil.which("cvise") and not os.environ.get("XSTEP_SLOW"):
            told = json.loads(self.expect(self.xstep(*words, "--seconds", "8")).stdout)
            self.assertIn("nested", (self.folder / "small.c").read_text())
            self.assertLessEqual(told["found"], told["asked"])
        self.nothing_is_left()

    def test_bad_input(self):
        plain = self.put("plain.c", "int main(void) { return 0; }\n")
        broken = self.put("broken.c", "int main(void) { return x; }\n")
        for words, says in (
                ((), "expected DIR ID of a campaign, a finding's FOLDER, or --source FILE"),
                (("--source", plain, "more"), "expected DIR ID of a campaign, a finding's FOLDER, or --source FILE"),
                ((self.folder, "ab", "--oracle", "opt"), "go with --source"),
                (("--source", self.folder / "none.c"), "No such file"),
                (self.of(plain, "--compiler", "no-such-cc"), "no-such-cc"),
                (("--source", plain, "--oracle", "magic"), "'magic' is none of diff, opt"),
                (("--source", plain, "--oracle", "metrics"), "has figures only"),
                (self.of(plain), "opt finds nothing"),
                (self.of(broken), "it does not compile"),
                (self.of(LINE, "--signature", "PI"), "opt finds something else:"),
                (self.of(LINE, "--reducer", "/bin/false"), "it failed with status 1"),
                (("--test", plain), "not a case that xstep reduce wrote"),
                ((self.folder, "ab"), "campaign.db")):
            with self.subTest(says):
                self.expect(self.xstep("reduce", *words), 2, says)
        self.nothing_is_left()


    def test_what_comes_and_goes_is_refused(self):
        """The finding is asked about twice before anything is changed."""
        count = self.folder / "count"
        flaky = self.put("clang-flaky", "#!/bin/sh\n"
                         f'case " $* " in *" -O2 "*) echo >> {count};; esac\n'
                         f'test "$(wc -l < {count})" -le 1 || set -- "$@" -mllvm -opt-bisect-limit=0\n'
                         f'exec {e2e.CLANG} "$@"\n')
        flaky.chmod(0o755)
        for command in ("reduce", "culprit"):
            count.write_text("")
            self.expect(self.xstep(command, "--source", LINE, "--compiler", flaky, "--oracle", "opt"), 2,
                        "and not when it is asked again")
        self.nothing_is_left()


class Report(Case):
    """The folder of one finding, as --report writes it, is enough."""

    def report(self, *words, source=LINE, flags=("-O2",)):
        for level in ("-O0", *flags[:1]):
            e2e.run([e2e.CLANG, "-g", "-w", level, *flags[1:], "-o", self.folder / level[1:], source])
        self.expect(self.xstep("check", "opt", "--report", "bugs", *words, "O0", "O2"), 1)
        folder, = (self.folder / "bugs").glob("LI-*")
        return folder

    def test_reduce_and_culprit(self):
        folder = self.report("--build", f"{e2e.CLANG} -g -O2 {LINE}")
        told = json.loads(self.expect(self.xstep("reduce", folder, "--reducer", "/bin/true", "-o", "small.c",
                                                 "--format", "json")).stdout)
        self.assertEqual((told["signature"], told["level"], told["oracle"]),
                         ("LI extra producer:dead-line", "-O2", "opt"))
        told = json.loads(self.expect(self.xstep("culprit", folder, "--no-passes", "--format", "json")).stdout)
        schemas.check(self, "culprit", told)
        self.assertEqual({row["name"]: row["end"] for row in told["rows"]}["-Oz"], "gone")
        self.nothing_is_left()
        # What the folder is not enough for.
        case = json.loads((folder / "case.json").read_text())
        for change, says in (({"arguments": ["x"]}, "its program has arguments"),
                             ({"oracle": None}, "names no oracle"),
                             ({"signature": "LI extra producer:no-such"}, "finds something else")):
            (folder / "case.json").write_text(json.dumps({**case, **change}))
            self.expect(self.xstep("reduce", folder), 2, says)
        (folder / "case.json").write_text(json.dumps(case))
        (folder / "source/other.c").write_text("int other;\n")
        self.expect(self.xstep("reduce", folder), 2, "it has 2 sources in C")
        (folder / "case.json").unlink()
        self.expect(self.xstep("culprit", folder), 2, "no folder of one finding")

    def test_a_build_that_is_not_known(self):
        """clang's producer names no level: it is asked for."""
        folder = self.report()
        self.expect(self.xstep("reduce", folder), 2, "how its program was built is not known")
        self.expect(self.xstep("reduce", folder, "--level=-O2", "--reducer", "/bin/true", "-o", "small.c"))


class Culprit(Case):
    """The pass that is known to be at work."""

    def told(self, *words):
        return json.loads(self.expect(self.xstep("culprit", "--format", "json", *words)).stdout)

    @staticmethod
    def ends(told, kind):
        return {row["name"]: row["end"] for row in told["rows"] if row["kind"] == kind}

    def test_a_pass_of_clang(self):
        told = self.told(*self.of(LINE), "--dumps", "dumps")
        one, = told["culprits"]
        self.assertEqual((one["kind"], one["name"], one["on"]),
                         ("pass", "Control Flow Optimizer", "function (main)"))
        # By hand: with that pass it is there, with one less it is not.
        plain = e2e.compile("check_line.c", e2e.CLANG, ("-g", "-O0"))
        for number, status in ((one["number"], 1), (one["number"] - 1, 0)):
            program = e2e.compile("check_line.c", e2e.CLANG,
                                  ("-g", "-O2", "-mllvm", f"-opt-bisect-limit={number}"))
            self.expect(e2e.xstep("check", "opt", plain, program), status)
        levels = self.ends(told, "level")
        self.assertEqual((levels["-O1"], levels["-Oz"]), ("found", "gone"))
        # What the pass did.
        text = (self.folder / one["dump"]).read_text()
        self.assertRegex(text, r"(?m)^\+.*\$eax = MOV32ri 5")

    def test_options_and_counters_of_gcc(self):
        if os.environ.get("XSTEP_SLOW"):
            self.skipTest("another preset does it")
        told = self.told("--source", SCOPE, "--compiler", e2e.GCC, "--oracle", "opt")
        named = {(one["kind"], one["name"]) for one in told["culprits"]}
        self.assertIn(("option", "-fcrossjumping"), named)
        self.assertIn(("counter", "cfg_cleanup"), named)
        number, = (one["number"] for one in told["culprits"] if one["kind"] == "counter")
        plain = e2e.compile("check_scope.c", e2e.GCC, ("-g", "-O0"))
        for flag, status in ((f"-fdbg-cnt=cfg_cleanup:{number}", 1), (f"-fdbg-cnt=cfg_cleanup:{number - 1}", 0),
                             ("-fno-crossjumping", 0)):
            self.expect(e2e.xstep("check", "opt", plain, e2e.compile("check_scope.c", e2e.GCC, ("-g", "-O2", flag))),
                        status)

    def test_seeded_cases(self):
        """The quickest of bench/study/culprits.py, which has all of them."""
        for case in culprits.cases(("cause_prepare", "cause_invariant")):
            with self.subTest(case.text):
                told = self.told("--source", case.source, "--compiler", case.compiler, f"--level={case.level}",
                                 "--oracle", case.oracle, "--signature", case.signature)
                self.assertEqual([one["name"] for one in told["culprits"]], [case.culprit])
                self.assertEqual(culprits.by_hand(case, told["culprits"]), "known")

    @e2e.smoke
    def test_versions(self):
        told = self.told(*self.of(LINE), "--no-passes", "--versions")
        compilers = self.ends(told, "compiler")
        self.assertEqual((compilers[e2e.CLANG], compilers[e2e.GCC]), ("found", "gone"))
        self.assertEqual(told["culprits"], [])
        text = self.expect(self.xstep("culprit", *self.of(LINE), "--no-passes")).stdout
        self.assertRegex(text, r"level +gone with +-Oz")
        self.nothing_is_left()

    def test_words(self):
        self.expect(self.xstep("culprit", *self.of(LINE), "--passes", "--no-passes"), 2, "choose one")
        self.expect(self.xstep("culprit"), 2, "expected DIR ID")


class Campaign(Case):
    """A finding of a campaign is known by its id."""

    def test_by_id(self):
        (self.folder / "sources").mkdir()
        shutil.copy(LINE, self.folder / "sources")
        self.expect(self.xstep("campaign", "run", "dir", "--sources", "sources", "--compilers", e2e.CLANG,
                               "--oracles", "opt", "--levels=-O0,-O2"), 1)
        found = json.loads(self.xstep("campaign", "findings", "dir", "--format", "json").stdout)
        one, = found["signatures"]
        self.expect(self.xstep("reduce", "dir", one["id"][:6], "--reducer", "/bin/true"))
        small = self.folder / f"dir/signatures/{one['id']}/reduced.c"
        self.assertLess(small.stat().st_size, LINE.stat().st_size)
        told = json.loads(self.expect(self.xstep("culprit", "dir", one["id"], "--no-passes", "--format",
                                                 "json")).stdout)
        self.assertEqual(told["signature"], one["signature"])
        self.expect(self.xstep("reduce", "dir", "zz"), 2, "no signature has that id")


if __name__ == "__main__":
    e2e.main()
