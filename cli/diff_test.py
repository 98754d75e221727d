#!/usr/bin/python3
"""diff_test.py - xstep diff, end to end, with the real debuggers.

Without arguments the quick ones; `full` runs every subject of hand-written DWARF and more programs
on which all agree.
"""
import json
import pathlib
import re
import shutil
import sys
import tempfile
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
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

# Signatures that must be found, replayed, and nothing that xstep is to be looked at for. Bugs of the DTD
# paper's table 5: arith 13, const_value 9, deref 14, entry_value 8, implicit 10 and 15, loc 5, pieces 7, 15
# and 17, ranges 11, scope 4, typed 3.
HAND_WRITTEN = {
    "dwarf_addrx": ["G1 loss gdb:operator", "G3 loss lldb:indexed"],
    "dwarf_arith": ["G5 lie lldb:div", "G5 lie lldb:arithmetic", "G3 loss lldb:arithmetic"],
    "dwarf_bitfields": [],
    "dwarf_call_sites": ["G1 loss gdb:abstract-callee", "G3 loss lldb:entry-value",
                         "G5 lie gdb:inlined-entry-value", "G1 loss gdb:tail-call-at-return"],
    "dwarf_calls": ["G3 loss lldb:call", "G1 loss gdb:operator"],
    "dwarf_const_data16": ["G3 loss lldb:data16"],
    "dwarf_const_value": ["G3 loss lldb:constant-data"],
    "dwarf_deref": ["G5 lie lldb:deref-size"],
    "dwarf_dynamic": ["G5 lie lldb:dynamic-type", "G3 loss lldb:dynamic-type"],
    "dwarf_entry_forms": ["G3 loss lldb:entry-value"],
    "dwarf_entry_value": ["G4 extra gdb:callee-leftover", "G3 loss lldb:entry-value"],
    "dwarf_frame_base": [],
    "dwarf_frames": ["G6 lie frames lldb:split-function", "G3 loss lldb:split-function"],
    "dwarf_implicit": ["G3 loss lldb:implicit-pointer", "G2 extra lldb:gap-as-0"],
    "dwarf_loc": ["G4 extra gdb:empty-first-entry"],
    "dwarf_loclists": ["G1 loss gdb:list-kind", "G3 loss lldb:default-entry",
                       "G4 extra gdb:empty-first-entry"],
    "dwarf_origin": ["G4 extra gdb:omitted-block"],
    "dwarf_pieces": ["G3 loss lldb:bit-piece", "G4 extra gdb:synthetic-pointer",
                     "G2 extra lldb:gap-as-0"],
    "dwarf_places": ["G5 lie lldb:cfa-restore", "G3 loss lldb:abstract-only"],
    "dwarf_ranges": ["G3 loss lldb:empty-scope-range"],
    "dwarf_scope": ["G4 extra gdb:block-without-code", "G5 lie lookup gdb:future-scope",
                    "G5 lie lookup lldb:future-scope"],
    "dwarf_scope_optimised": [],
    "dwarf_tls": ["G3 loss lldb:tls"],
    "dwarf_typed": ["G1 loss gdb:wide", "G3 loss lldb:typed"],
}
QUICK = ("dwarf_arith", "dwarf_ranges", "dwarf_loc", "dwarf_scope", "dwarf_frames", "dwarf_places")

# testdata/agree: of these everybody says the same at -O0. (Not so of variable length arrays themselves: lldb
# 15 keeps a length that it read too early. A pointer to one is among them.)
AGREE = sorted(path.stem for path in (e2e.TESTDATA / "agree").glob("*.c"))
QUICK_AGREE = ("structs", "shadowing", "recursion", "local_types", "names_alike")

# The bugs of the DTD paper's table 5 on compiled programs: number, source, compiler, level, who is wrong
# and why. docs/studies/dtd.md has the whole table.
DTD = (
    (1, "dtd/01_partial_location.c", e2e.CLANG, "-O1", "producer:pieces-short"),
    (2, "dtd/02_incompatible_types.c", e2e.CLANG, "-O1", "producer:incompatible-types"),
    (4, "dtd/04_future_scope.c", e2e.GCC, "-O0", "gdb:future-scope"),
    (5, "dtd/05_function_entry.c", e2e.GCC, "-O1", "gdb:empty-first-entry"),
    (8, "diff_demo.c", e2e.GCC, "-O2", "lldb:entry-value"),
    (9, "dtd/09_constant_data.c", e2e.GCC, "-O1", "lldb:constant-data"),
    (10, "dtd/10_implicit_pointer.c", e2e.GCC, "-O1", "lldb:implicit-pointer"),
    (11, "dtd/11_empty_range.c", e2e.GCC, "-O1", "lldb:empty-scope-range"),
    (12, "dtd/12_bit_fields.c", e2e.GCC, "-O0", "lldb:bit-field"),
    (13, "dtd/13_div.c", e2e.CLANG, "-O1", "lldb:div"),
    (15, "diff_demo.c", e2e.GCC, "-O2", "lldb:gap-as-0"),
    (17, "dtd/17_synthetic.c", e2e.CLANG, "-O2", "gdb:synthetic-pointer"),
)
QUICK_DTD = (2, 12)
# Those that the standard leaves open, or a debugger does on purpose: nobody is accused of them any more.
DTD_CONTESTED = (
    (6, "dtd/05_function_entry.c", e2e.GCC, "-O1", "variables without a value, listed or not"),
    (18, "dtd/18_line_0.c", e2e.CLANG, "-O1", "rows of line 0"),
)
KNOWN = (e2e.TOP / "oracle/judge/known.txt").read_text()


def diff(*words, **options):
    result = e2e.xstep("diff", "--format", "json", *words, **options)
    return result, json.loads(result.stdout) if result.stdout else None


def signatures(told):
    return sorted({one["signature"] for one in told["discrepancies"]})


@needs_debuggers
class Agreement(e2e.TestCase):
    """Nothing is found where there is nothing."""

    def check(self, name, compiler):
        program = e2e.compile(f"agree/{name}.c", compiler)
        result, told = diff(program)
        self.expect(result, 0)
        self.assertEqual(told["discrepancies"], [], result.rerun)
        self.assertEqual(told["summary"]["artefacts"], 0, result.rerun)
        self.assertGreater(told["summary"]["compared"], 0)
        # That nobody was asked is no agreement.
        if name in QUICK_AGREE:
            self.assertEqual(told["summary"]["aside"]["not asked: xstep's driver could not"], 0, result.rerun)

    def test_all_agree(self):
        self.assertGreaterEqual(len(AGREE), 50)
        for name in AGREE if FULL else QUICK_AGREE:
            for compiler in (e2e.GCC, e2e.CLANG) if FULL else (e2e.GCC,):
                with self.subTest(f"{name} {compiler}"):
                    self.check(name, compiler)


@needs_debuggers
@needs_versions
class Dtd(e2e.TestCase):
    """The bugs of the DTD paper that are in these versions, on programs as compilers make them."""

    def test_compiled(self):
        for number, source, compiler, level, why in DTD:
            if not FULL and number not in QUICK_DTD:
                continue
            with self.subTest(f"bug {number}"):
                result, told = diff(e2e.compile(source, compiler, ("-g", level)))
                self.expect(result, 1)
                found = [one for one in told["discrepancies"]
                         if why in re.split("[ ,]", one["signature"])]
                self.assertTrue(found, signatures(told))
                self.assertRegex(KNOWN, "(?m)^{} +\\| DTD {}\\b".format(why.replace(":", r"\*?:"), number))
                self.assertIn(why.split(":")[0], found[0]["wrong"])
                self.assertIn(found[0]["basis"], ("replayed", "evidence"), found[0])
                for one in told["discrepancies"]:
                    self.assertNotIn("xstep", one["wrong"], one)

    def test_pieces_that_end_too_soon_say_what_they_say(self):
        """Bug 1: clang is not blamed for lldb's trouble with a member that the one piece describes."""
        _, told = diff(e2e.compile("dtd/01_partial_location.c", e2e.CLANG, ("-g", "-O1")))
        blamed = {one["path"] for one in told["discrepancies"] if one["wrong"] == ["producer"]}
        self.assertEqual(blamed, {"shared.half", "shared.word", "shared.all"})

    def test_a_location_that_reads_more_than_a_value_holds(self):
        """Whatever a debugger makes of it, the standard forbids the location: the compiler is wrong."""
        result, told = diff(e2e.compile("dtd/wide_deref.c", e2e.CLANG, ("-g", "-O1")))
        self.expect(result, 1)
        self.assertEqual({(one["signature"], one["basis"], *one["wrong"]) for one in told["discrepancies"]},
                         {("G5 extra producer:wide-deref", "evidence", "producer")})

    def test_contested(self):
        for number, source, compiler, level, what in DTD_CONTESTED if FULL else DTD_CONTESTED[:1]:
            with self.subTest(f"bug {number}"):
                program = e2e.compile(source, compiler, ("-g", level))
                _, told = diff(program)
                self.assertGreater(told["summary"]["contested"][what], 0)
                self.assertNotIn("contested", {one["basis"] for one in told["discrepancies"]})
                _, told = diff("--contested", program)
                listed = [one for one in told["discrepancies"] if one["contested"] == what]
                self.assertTrue(listed)
                self.assertEqual({tuple(one["wrong"]) for one in listed}, {()})

    def test_against_an_unoptimised_build(self):
        """Bug 16: both debuggers say what the DWARF says, and that cannot be."""
        other = e2e.compile("check_value.c", e2e.GCC, ("-g", "-O0"))
        program = e2e.compile("check_value.c", e2e.GCC, ("-g", "-O2"))
        result, told = diff("--witness", "xstep", "--against", other, program)
        self.expect(result, 1)
        one, = told["discrepancies"]
        self.assertEqual((one["wrong"], one["path"], one["basis"], one["other"]),
                         (["producer"], "tag", "evidence", "1"))
        self.assertEqual(one["signature"], "G5 lie builds producer:never-that-value")
        # A build against itself says nothing, nor does one at the level below.
        result, told = diff("--witness", "xstep", "--against", other, other)
        self.expect(result, 0)
        self.assertGreater(told["summary"]["compared"], 0)

    def test_stored_builds(self):
        """Traces of two builds are compared by line."""
        with tempfile.TemporaryDirectory() as folder:
            store = pathlib.Path(folder) / "both.db"
            for level in ("-O2", "-O0"):
                program = e2e.compile("check_value.c", e2e.GCC, ("-g", level))
                self.expect(e2e.xstep("trace", "--sample", "all", "-o", store, program), 0)
            result, told = diff("--trace", 1, "--trace", 2, store)
            self.expect(result, 1)
            self.assertEqual([one["path"] for one in told["discrepancies"]], ["tag"])
            self.expect(e2e.xstep("trace", "-o", store, program), 0)
            self.expect(e2e.xstep("diff", "--trace", 1, "--trace", 3, store), 2, "--sample all")
            self.expect(e2e.xstep("diff", "--against", program, store), 2, "--against")


@needs_debuggers
@needs_versions
class HandWritten(e2e.TestCase):
    """The right party is named where gdb and lldb are known to be wrong."""

    def test_verdicts(self):
        for name in HAND_WRITTEN if FULL else QUICK:
            with self.subTest(name):
                program = dwarf_witnesses.build(e2e.subject(f"{name}.S"))
                result, told = diff(program)
                self.expect(result, 1 if HAND_WRITTEN[name] else 0)
                found = {one["signature"] for one in told["discrepancies"] if one["basis"] == "replayed"}
                for signature in HAND_WRITTEN[name]:
                    self.assertIn(signature, found, f"\nrerun: {result.rerun}")
                for one in told["discrepancies"]:
                    self.assertNotIn("xstep", one["wrong"], one)


@needs_debuggers
@needs_versions
class Crash(e2e.TestCase):
    """A debugger that does not survive is the best find there is."""

    def test_an_internal_error(self):
        """gdb 13 asserts that an expression does not jump back."""
        program = dwarf_witnesses.build(e2e.subject("dwarf_branch.S"))
        result, told = diff("--witness", "xstep,gdb", program)
        self.expect(result, 2)  # its trace is not complete
        one, = told["discrepancies"]
        self.assertEqual((one["kind"], one["wrong"], one["basis"], one["signature"]),
                         ("crash", ["gdb"], "evidence", "G6 crash gdb:died"))
        self.assertIn("internal-error", one["facts"]["gdb"]["value"])
        self.assertIn("info locals", e2e.xstep("diff", "--witness", "xstep,gdb", program).stdout)


@needs_debuggers
class Choice(e2e.TestCase):
    """What a debugger may show or not is nobody's mistake."""

    def test_what_the_compiler_made_may_be_left_out(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "length.c"
            source.write_text("int sum(int n) { int v[n]; v[0] = n; return v[0]; }\n"
                              "int main(void) { return sum(3) - 3; }\n")
            program = pathlib.Path(folder) / "length"
            e2e.run([e2e.CLANG, "-g", "-O0", "-o", program, source])  # has an artificial __vla_expr0
            _, told = diff(program)
            listed = [one for one in told["discrepancies"] if one["var"] == "__vla_expr0"]
            self.assertEqual(listed, [])
            _, told = diff("--presentation", program)
            listed = [one for one in told["discrepancies"] if one["var"] == "__vla_expr0"]
            self.assertTrue(listed)

    def test_a_unit_that_has_only_data(self):
        """gdb knows its variables, but is not asked; a declaration elsewhere is no second variable."""
        with tempfile.TemporaryDirectory() as folder:
            data, code = pathlib.Path(folder) / "data.c", pathlib.Path(folder) / "code.c"
            data.write_text("const int table[3] = {1, 2, 3};\n")
            code.write_text("extern const int table[3];\n"
                            "int main(void) { return table[0] + table[1] - table[2]; }\n")
            program = pathlib.Path(folder) / "both"
            e2e.run([e2e.GCC, "-g", "-O0", "-o", program, code, data])
            result, told = diff(program)
            self.expect(result, 0)
            self.assertGreater(told["summary"]["presentation"], 0)


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

    @e2e.smoke
    def test_documented_keys(self):
        one = self.told["discrepancies"][0]
        for key in ("id stop group kind path var frame facts wrong differs basis contested artefact "
                    "again reason signature known").split():
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

    def test_each_transition_once(self):
        """--mode unique, for programs that run long, finds what --sample unique finds."""
        _, told = diff("--mode", "unique", self.program)
        _, sampled = diff("--sample", "unique", self.program)
        self.assertEqual([one["id"] for one in told["discrepancies"]],
                         [one["id"] for one in sampled["discrepancies"]])
        self.assertTrue(told["discrepancies"])
        self.assertEqual({one["basis"] for one in told["discrepancies"]}, {"replayed"})

    def test_two_traces(self):
        result, told = diff("--trace", 1, "--trace", 2, self.store)
        self.expect(result, 1)
        self.assertEqual([one["witness"] for one in told["witnesses"]], ["xstep", "gdb"])

    def test_a_trace_agrees_with_itself(self):
        result, told = diff("--trace", 2, "--trace", 2, self.store)
        self.expect(result, 0)
        self.assertEqual(told["discrepancies"], [])

    @e2e.smoke
    def test_text(self):
        result = e2e.xstep("diff", self.store)
        self.expect(result, 1)
        for part in ("clusters", "verdict", "evidence", "by hand", "known: DTD", "replayed", "1 place, "):
            self.assertIn(part, result.stdout)
        for cluster in result.stdout.split("\n\n")[1:]:
            lines = cluster.splitlines()
            self.assertLessEqual(len(lines), 12, cluster)
            self.assertLessEqual(max(map(len, lines)), 100, cluster)

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

    @e2e.smoke
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
        """Every cluster has a folder, unless the debugger itself says otherwise when asked again; its
        scripts show what the verdict says."""
        folders = sorted(path for path in top.iterdir() if path.is_dir())
        clusters = {cluster["first"] for cluster in told["clusters"]
                    if cluster["basis"] in ("replayed", "evidence")}
        self.assertLessEqual({path.name.rsplit("-", 1)[1] for path in folders}, clusters)
        index = (top / "README.md").read_text()
        left = len(clusters) - len(folders)
        self.assertTrue(f"Not here: {left} " in index if left else "Not here" not in index, index)
        findings = {one["id"]: one for one in told["discrepancies"]}
        for folder in folders[:e2e.some(2, None)]:
            finding = findings[folder.name.rsplit("-", 1)[1]]
            for who in sorted(set(finding["facts"]) - {"xstep"}):
                with self.subTest(f"{folder.name} {who}"):
                    # Who is right needs no script, and none may say that there is nothing.
                    self.assertEqual((folder / f"check_{who}.py").exists(), who in finding["wrong"])
                    if who in finding["wrong"]:
                        result = self.run_check(folder, who)
                        self.expect(result, 1)
                        self.assertIn("is there", result.stdout)
                    said = (folder / f"session.{who}.txt").read_text()
                    self.assertIn("starti" if who == "gdb" else "process launch", said)
        return folders

    def test_scripts(self):
        program = e2e.compile("diff_demo.c", e2e.GCC, ("-g", "-O2"))
        with tempfile.TemporaryDirectory() as temporary:
            top = pathlib.Path(temporary) / "report"
            build = f"{e2e.GCC} -g -O2 -w {e2e.subject('diff_demo.c')} -lm"
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
            script = next(folders[0].glob("check_*.py")).stem.split("_")[1]
            self.expect(self.run_check(folders[0], script, "/bin/false"), 125)
            self.expect(self.run_check(folders[0], script, "/nowhere/debugger"), 125)
            self.expect(e2e.xstep("diff", "--report", top, program), 2, "not empty")

    @e2e.unittest.skipUnless(FULL, "takes longer")
    def test_scripts_of_hand_written_cases(self):
        """From a store, and with every aspect: values, absence, names and lines."""
        for name in ("dwarf_scope", "dwarf_pieces", "dwarf_origin", "dwarf_arith"):
            program = dwarf_witnesses.build(e2e.subject(f"{name}.S"))
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
        whole = result.stdout.replace(" \\\n", "")  # a command goes on behind a backslash
        command, = (line.split("by hand")[-1] for line in whole.splitlines() if " -x -o " in line)
        seen = e2e.run(["/bin/sh", "-c", command.replace(" -x -o", " -x --batch -o", 1)])
        self.assertIn("(unsigned int) i = 0", seen.stdout)
        self.assertRegex(command, " -i [0-9]|-o stepi")


if __name__ == "__main__":
    e2e.main(sys.argv[:1])
