#!/usr/bin/python3
"""diff_test.py - xstep diff, end to end, with the real debuggers.

Without arguments the quick ones; `full` runs every subject of hand-written DWARF and more programs
on which all agree.
"""
import json
import pathlib
import shutil
import sys
import tempfile
import textwrap
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "testdata"))
import dwarf_witnesses
import e2e

HAVE = [json.loads(line) for line in e2e.xstep("witness", "--json").stdout.splitlines()]
WORKING = [who["witness"] for who in HAVE if who["path"] and not who["problem"]]
LLDB = next((who["path"] for who in HAVE if who["witness"] == "lldb"), None)
VERSIONS = " ".join(who["version"] or "" for who in HAVE)
needs_debuggers = e2e.unittest.skipUnless({"gdb", "lldb"} <= set(WORKING),
                                          "needs gdb and lldb with Python")
# What is said of hand-written DWARF is that of these versions.
needs_versions = e2e.unittest.skipUnless("13.1" in VERSIONS and "lldb version 15" in VERSIONS,
                                         "needs gdb 13.1 and lldb 15")
FULL = "full" in sys.argv

# Signatures that must be found, and nothing that blames xstep. Bugs of the DTD paper's table 5:
# arith 13, bitfields 12, const_value 9, entry_value 8, implicit 10 and 15, loc 5, pieces 7, 15 and 17,
# scope 4 and 11, typed 3.
HAND_WRITTEN = {
    "dwarf_addrx": ["G1+G3 loss gdb:operator,lldb:indexed"],
    "dwarf_arith": ["G5 lie lldb:div", "G5 lie lldb:arithmetic", "G3 loss lldb:arithmetic"],
    "dwarf_bitfields": ["G5 lie lldb:bit-field"],
    "dwarf_calls": ["G3 loss lldb:call", "G1+G3 loss gdb:operator,lldb:call"],
    "dwarf_cfi": ["G4 extra gdb:callee-leftover"],
    "dwarf_const_value": ["G3 loss lldb:constant-data"],
    "dwarf_dynamic": ["G5 lie lldb:dynamic-type", "G3 loss lldb:dynamic-type"],
    "dwarf_entry_value": ["G4 extra gdb:callee-leftover", "G3 loss lldb:entry-value"],
    "dwarf_frame_base": [],
    "dwarf_implicit": ["G3 loss lldb:implicit-pointer", "G2 extra lldb:gap-as-0"],
    "dwarf_loc": ["G4 extra gdb:empty-first-entry"],
    "dwarf_loclists": ["G1+G3 loss gdb:list-kind,lldb:default-entry", "G1 loss gdb:list-kind",
                       "G4 extra gdb:empty-first-entry"],
    "dwarf_origin": ["G4 extra gdb:listed-twice", "G4 extra gdb:inner-block",
                     "G5 lie lookup gdb:abstract-hides",
                     "G2+G4 extra gdb:declaration,lldb:declaration"],
    "dwarf_pieces": ["G3 loss lldb:bit-piece", "G2+G4 extra gdb:synthetic-pointer,lldb:gap-as-0",
                     "G2 extra lldb:gap-as-0"],
    "dwarf_scope": ["G4 extra gdb:block-without-code",
                    "G5 lie lookup gdb:future-scope,lldb:future-scope"],
    "dwarf_tls": ["G3 loss lldb:tls"],
    "dwarf_typed": ["G1+G3 loss gdb:wide,lldb:typed", "G3 loss lldb:typed"],
}
QUICK = ("dwarf_arith", "dwarf_loc", "dwarf_scope")

# Of these everybody says the same at -O0. (Not so of variable length arrays: lldb 15 keeps a length
# that was read too early.)
AGREE = {
    "integers": """
        signed char c = -1; unsigned char uc = 200; short s = -300; unsigned short us = 60000;
        int i = -7; unsigned u = 4000000000u; long l = -1L << 40; unsigned long ul = ~0ul;
        _Bool b = 1; char plain = 'x';
        int main(void) { int k = i + s; i++; u -= 3; b = !b; c++; l *= 2; return k == 0; }""",
    "floats": """
        float f = 0.1f; double d = 1e300; long double x = 3.25L;
        int main(void) { double t = d / 3; f *= 2; d = -t; x += 1; float n = f - 1; return n > 9; }""",
    "enums": """
        enum colour { RED, GREEN = 5, BLUE = -2 } c = GREEN;
        int main(void) { enum colour mine = BLUE; c = mine; mine = RED; return c == mine; }""",
    "structs": """
        struct in { int a; char b; }; struct out { struct in x[2]; long y; union { int i; float f; } u; };
        struct out g = {{{1, 2}, {3, 4}}, 5, {6}};
        int main(void) { struct out o = g; o.x[1].a = 9; g.u.i = 1; o.y -= 4; return o.y == g.y; }""",
    "arrays": """
        int a[3][2] = {{1, 2}, {3, 4}, {5, 6}}; char text[] = "hello";
        int main(void) { short m[4] = {1, 2, 3, 4}; a[1][1] = m[2]; text[0] = 'j'; return m[3] - 4; }""",
    "pointers": """
        int x = 3; int *p = &x; int **pp = &p; void *none; int (*f)(int);
        static int twice(int v) { return 2 * v; }
        int main(void) { f = twice; **pp = f(*p); int *q = p; none = q; return x - 6; }""",
    "bit_fields": """
        struct bits { unsigned a : 3; int b : 5; unsigned c : 9; } g = {1, -2, 300};
        int main(void) { struct bits l = {7, -16, 511}; g.b = l.b; l.a = 0; g.c++; return l.a; }""",
    "shadowing": """
        int x = 1;
        int main(void) {
            int y = x;
            {
                int x = 2; y += x;
                {
                    int x = 3; y += x;
                }
                y += x;
            }
            return y - 8;
        }""",
    "recursion": """
        int depth(int n) { int here = n * n; return n ? depth(n - 1) + here : here; }
        int main(void) { int total = depth(4); return total - 30; }""",
    "callback": """
        #include <stdlib.h>
        static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
        int main(void) { int v[] = {3, 1, 2}; qsort(v, 3, sizeof *v, order); return v[0] - 1; }""",
    "statics": """
        static int unit = 4; static int next(void) { static int calls; return ++calls + unit; }
        int main(void) { int a = next(), b = next(); unit = a; return b - 6; }""",
    "complex": """
        #include <complex.h>
        double complex z = 1 + 2 * I;
        int main(void) { z *= z; float complex w = z; return creal(w) > 0; }""",
    "switches": """
        int pick(int n) { switch (n) { case 0: return 5; case 1: { int t = n + 2; return t; } default: return 0; } }
        int main(void) { int s = 0; for (int i = 0; i < 3; i++) s += pick(i); return s - 8; }""",
    "longjmp": """
        #include <setjmp.h>
        static jmp_buf out; static void leave(int n) { if (!n) longjmp(out, 3); leave(n - 1); }
        int main(void) { volatile int code = setjmp(out); if (!code) leave(2); return code - 3; }""",
    "arguments": """
        struct big { long v[4]; };
        static long add(struct big b, double d, char c, int a1, int a2, int a3, int a4, int a5, int a6, int a7)
        { return b.v[3] + (long)d + c + a1 + a2 + a3 + a4 + a5 + a6 + a7; }
        int main(void) { struct big b = {{1, 2, 3, 4}}; return add(b, 2.5, 'a', 1, 2, 3, 4, 5, 6, 7) != 131; }""",
}
QUICK_AGREE = ("structs", "shadowing", "recursion")


def diff(*words, **options):
    result = e2e.xstep("diff", "--format", "json", *words, **options)
    return result, json.loads(result.stdout) if result.stdout else None


def signatures(told):
    return sorted({one["signature"] for one in told["discrepancies"]})


@needs_debuggers
class Agreement(e2e.TestCase):
    """Nothing is found where there is nothing."""

    def check(self, name, compiler):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / f"{name}.c"
            source.write_text(textwrap.dedent(AGREE[name]).lstrip())
            program = pathlib.Path(folder) / name
            built = e2e.run([compiler, "-g", "-O0", "-w", "-o", program, source, "-lm"])
            self.assertEqual(built.returncode, 0, built.stderr)
            result, told = diff(program)
            # Rows of line 0 (clang has them at -O0, too) are a trigger of their own.
            left = [one for one in told["discrepancies"]
                    if one["signature"] != "G6 lie line-table gdb:line-0"]
            self.expect(result, 1 if told["discrepancies"] else 0)
            self.assertEqual(left, [], result.rerun)
            self.assertGreater(told["summary"]["compared"], 0)

    def test_all_agree(self):
        for name in AGREE if FULL else QUICK_AGREE:
            for compiler in (e2e.GCC, e2e.CLANG) if FULL else (e2e.GCC,):
                with self.subTest(f"{name} {compiler}"):
                    self.check(name, compiler)


@needs_debuggers
@needs_versions
class HandWritten(e2e.TestCase):
    """The right party is named where gdb and lldb are known to be wrong."""

    def test_verdicts(self):
        for name in HAND_WRITTEN if FULL else QUICK:
            with self.subTest(name):
                program = dwarf_witnesses.build(e2e.HERE / f"{name}.S")
                result, told = diff(program)
                self.expect(result, 1 if HAND_WRITTEN[name] else 0)
                found = signatures(told)
                for signature in HAND_WRITTEN[name]:
                    self.assertIn(signature, found, f"\nrerun: {result.rerun}")
                for one in told["discrepancies"]:
                    self.assertNotIn("xstep", one["wrong"], one)


@needs_debuggers
class Command(e2e.TestCase):
    """The command and its forms, on one recorded store."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.store = pathlib.Path(cls.folder.name) / "demo.db"
        cls.program = e2e.compile("diff_demo.c", e2e.GCC, ("-g", "-O2"))
        cls.result, cls.told = diff("-o", cls.store, cls.program)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_both_debuggers_are_wrong_somewhere(self):
        self.expect(self.result, 1)
        wrong = {who for one in self.told["discrepancies"] for who in one["wrong"]}
        self.assertEqual(wrong, {"gdb", "lldb"})

    def test_documented_keys(self):
        one = self.told["discrepancies"][0]
        for key in ("id stop group kind path var frame facts wrong basis reason signature "
                    "known").split():
            self.assertIn(key, one)
        self.assertEqual(set(one["facts"]), {"xstep", "gdb", "lldb"})
        self.assertEqual(set(one["facts"]["gdb"]), {"state", "value", "message"})

    def test_stored_traces_give_the_same_findings(self):
        result, told = diff(self.store)
        self.expect(result, 1)
        self.assertEqual([one["id"] for one in told["discrepancies"]],
                         [one["id"] for one in self.told["discrepancies"]])

    def test_recorded_again_the_ids_are_the_same(self):
        _, told = diff(self.program)
        self.assertEqual([one["id"] for one in told["discrepancies"]],
                         [one["id"] for one in self.told["discrepancies"]])

    def test_two_traces(self):
        result, told = diff("--trace", 1, "--trace", 2, self.store)
        self.expect(result, 1)
        self.assertEqual([one["witness"] for one in told["witnesses"]], ["xstep", "gdb"])

    def test_a_trace_agrees_with_itself(self):
        result, told = diff("--trace", 2, "--trace", 2, self.store)
        self.expect(result, 0)
        self.assertEqual(told["discrepancies"], [])

    def test_text(self):
        result = e2e.xstep("diff", self.store)
        self.expect(result, 1)
        for part in ("clusters", "verdict", "evidence", "by hand", "known: DTD", "~~~"):
            self.assertIn(part, result.stdout)

    def test_formats_for_continuous_integration(self):
        sarif = e2e.xstep("diff", "--format", "sarif", self.store)
        self.expect(sarif, 1)
        run, = json.loads(sarif.stdout)["runs"]
        self.assertEqual([one["partialFingerprints"]["xstep/v1"] for one in run["results"]],
                         [one["id"] for one in self.told["discrepancies"]])
        rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
        self.assertLessEqual({one["ruleId"] for one in run["results"]}, rules)
        junit = e2e.xstep("diff", "--format", "junit", self.store)
        self.expect(junit, 1)
        suite = xml.etree.ElementTree.fromstring(junit.stdout)
        self.assertEqual(len(suite.findall("testcase/failure")), len(self.told["discrepancies"]))

    def test_known(self):
        known = pathlib.Path(self.folder.name) / "known.txt"
        known.write_text("# mine\ngdb:* | PR 1\nlldb:* | issue 2 | all of it\n")
        result = e2e.xstep("diff", "--known", known, "--new", self.store)
        self.expect(result, 0)
        self.assertIn("no discrepancy that is not known", result.stdout)
        known.write_text("nonsense\n")
        self.expect(e2e.xstep("diff", "--known", known, self.store), 2, "known.txt:1: expected")

    def test_refusals(self):
        self.expect(e2e.xstep("diff"), 2, "no program or trace store")
        self.expect(e2e.xstep("diff", "/nowhere.db"), 2, "/nowhere.db")
        self.expect(e2e.xstep("diff", "--trace", 9, self.store), 2, "no trace 9")
        self.expect(e2e.xstep("diff", "--trace", 1, self.store), 2, "takes two traces at least")
        self.expect(e2e.xstep("diff", "-o", "x.txt", self.program), 2, "x.txt")
        damaged = pathlib.Path(self.folder.name) / "damaged.db"
        shutil.copy(self.store, damaged)
        with open(damaged, "r+b") as file:
            file.write(b"not a database at all")
        self.expect(e2e.xstep("diff", damaged), 2, "damaged.db")

    def test_a_damaged_trace(self):
        import sqlite3
        damaged = pathlib.Path(self.folder.name) / "facts.db"
        shutil.copy(self.store, damaged)
        with sqlite3.connect(damaged) as base:
            base.execute("UPDATE stop SET facts = '[[999999,1]]' WHERE trace = 2 AND number = 3")
        base.close()
        self.expect(e2e.xstep("diff", damaged), 2, "damaged")


@needs_debuggers
@needs_versions
class Report(e2e.TestCase):
    """A bundle shows its bug by itself, and says so only while it is there."""

    def run_check(self, folder, who, *words):
        return e2e.run([folder / f"check_{who}.py", *words], cwd="/")

    def check_bundle(self, top, told):
        """Every cluster has a folder, whose scripts find what the verdict says."""
        folders = sorted(path for path in top.iterdir() if path.is_dir())
        self.assertEqual({path.name.rsplit("-", 1)[1] for path in folders},
                         {cluster["first"] for cluster in told["clusters"]})
        findings = {one["id"]: one for one in told["discrepancies"]}
        for folder in folders:
            finding = findings[folder.name.rsplit("-", 1)[1]]
            for who in sorted(set(finding["facts"]) - {"xstep"}):
                with self.subTest(f"{folder.name} {who}"):
                    result = self.run_check(folder, who)
                    self.expect(result, int(who in finding["wrong"]))
                    self.assertIn("is there" if result.returncode else "is not there", result.stdout)
                    said = (folder / f"session.{who}.txt").read_text()
                    self.assertIn("starti" if who == "gdb" else "process launch", said)
        return folders

    def test_scripts(self):
        program = e2e.compile("diff_demo.c", e2e.GCC, ("-g", "-O2"))
        with tempfile.TemporaryDirectory() as temporary:
            top = pathlib.Path(temporary) / "report"
            build = f"{e2e.GCC} -g -O2 -w {e2e.HERE / 'diff_demo.c'} -lm"
            result, told = diff("--report", top, "--build", build, program)
            self.expect(result, 1)
            folders = self.check_bundle(top, told)
            index = (top / "README.md").read_text()
            for folder in folders:
                self.assertIn(folder.name, index)
                for name in ("report.md", "explain.txt", "disassembly.txt", "source/diff_demo.c",
                             "diff_demo", "session.gdb", "session.lldb"):
                    self.assertTrue((folder / name).exists(), f"{folder}/{name}")
                self.assertTrue(list(folder.glob("*.s")))
                report = (folder / "report.md").read_text()
                for part in ("## Build", build, "Run again, it makes", "DW_AT_producer",
                             "GNU gdb", "lldb version", "verdict", "=> 0x"):
                    self.assertIn(part, report)
            self.assertEqual(sorted(path.name for path in top.iterdir()),
                             sorted([path.name for path in folders] + ["README.md"]))
            # No debugger is no bug.
            self.expect(self.run_check(folders[0], "gdb", "/bin/false"), 125)
            self.expect(self.run_check(folders[0], "lldb", "/nowhere/lldb"), 125)
            self.expect(e2e.xstep("diff", "--report", top, program), 2, "not empty")

    @e2e.unittest.skipUnless(FULL, "takes longer")
    def test_scripts_of_hand_written_cases(self):
        """From a store, and with every aspect: values, absence, names and lines."""
        for name in ("dwarf_scope", "dwarf_bitfields", "dwarf_origin", "dwarf_arith"):
            program = dwarf_witnesses.build(e2e.HERE / f"{name}.S")
            with tempfile.TemporaryDirectory() as temporary:
                store, top = (pathlib.Path(temporary) / part for part in ("a.db", "report"))
                diff("-o", store, program)
                result, told = diff("--report", top, store)
                self.expect(result, 1)
                self.check_bundle(top, told)

    def test_a_later_arrival(self):
        """The way leads to the arrival that differs, here the third, and not to the first."""
        program = e2e.compile("dtd/13_div.c", e2e.CLANG, ("-g", "-O1"))
        result = e2e.xstep("diff", "--witness", "xstep,lldb", program)
        self.expect(result, 1)
        self.assertIn("--hit 3 ", result.stdout)
        command, = (line.split("by hand")[-1] for line in result.stdout.splitlines()
                    if " lldb -x " in line)
        seen = e2e.run(["/bin/sh", "-c", command.replace(" lldb -x", f" {LLDB} -x --batch")])
        self.assertIn("(unsigned int) i = 0", seen.stdout)


if __name__ == "__main__":
    e2e.unittest.main(verbosity=2, argv=sys.argv[:1])
