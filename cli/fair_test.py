#!/usr/bin/python3
"""fair_test.py - xstep diff accuses no debugger of what its driver does, or of what a plain session does not show.

Each subject once led to an accusation that a person with the debugger in a shell could not follow.
"""
import json
import pathlib
import re
import shutil
import sqlite3
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e

HAVE = [json.loads(line) for line in e2e.xstep("witness", "--json").stdout.splitlines()]
PATHS = {who["witness"]: who["path"] for who in HAVE if who["path"] and not who["problem"]}
needs_debuggers = e2e.unittest.skipUnless({"gdb", "lldb"} <= set(PATHS), "needs gdb and lldb with Python")


def plain(witness, program, commands):
    """What the debugger says in a shell; the commands are those of the debugger."""
    start = {"gdb": ("-nx", "-q", "-batch"), "lldb": ("-x", "-b")}[witness]
    words = [word for one in commands for word in (("-ex", one) if witness == "gdb" else ("-o", one))]
    return e2e.run([PATHS[witness], *start, *words, program]).stdout


class Told:
    """What diff found, and the store that it wrote."""

    def __init__(self, folder, *words):
        self.result = e2e.xstep("diff", "--format", "json", "-o", folder / "store.db", "--stdout",
                                folder / "out", *words)
        self.found = json.loads(self.result.stdout) if self.result.stdout else None
        self.store = sqlite3.connect(folder / "store.db")
        self.traces = dict(self.store.execute("SELECT witness, min(id) FROM trace GROUP BY witness"))

    def about(self, aspect, *names):
        """The discrepancies of an aspect, of the variables named."""
        return [one for one in self.found["discrepancies"] if one["aspect"] == aspect
                and (not names or one["var"] in names)]

    def signatures(self):
        return sorted({one["signature"] for one in self.found["discrepancies"]})

    def facts(self, witness, var):
        """What a witness said of a variable, in order: (stop, path, state, value, message)."""
        return list(self.store.execute(
            "SELECT stop, path, state, value, message FROM facts WHERE trace = ? AND var = ? "
            "ORDER BY stop, seq", (self.traces[witness], var)))

    def history(self, witness, var):
        """By path, [(stop, state, value)]: what the store has of a variable."""
        found = {}
        for stop, path, state, value, _ in self.facts(witness, var):
            found.setdefault(path, []).append((stop, state, value))
        return found


@needs_debuggers
class Fair(e2e.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="xstep-fair-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def diff(self, source, *words, compiler=e2e.GCC, flags=("-g", "-O0")):
        self.program = e2e.compile(source, compiler, flags)
        told = Told(self.folder, *words, self.program)
        self.assertIsNotNone(told.found, told.result.stderr)
        self.assertFalse(list(told.store.execute("SELECT message FROM saying JOIN text ON text.id = message "
                                                 "WHERE why = 'not-asked'")), told.result.rerun)
        return told

    def expect_none(self, found):
        self.assertEqual([(one["signature"], one["path"], one["stop"]["pc"]) for one in found], [])

    def test_floats_without_an_address(self):
        told = self.diff("fair_floats.c", flags=("-g", "-O1"))
        self.expect_none([one for one in told.found["discrepancies"]
                          if one["scope"] == "work" and "gdb" in one["wrong"]])
        values = {path: value for _, path, state, value, _ in told.facts("gdb", "huge") if state == "value"}
        self.assertEqual(values, {"huge": "1e+4900"})
        self.assertIn("1.5", {value for _, _, _, value, _ in told.facts("gdb", "constant")})
        said = plain("gdb", self.program, ("break printf", "run", "up", "print constant"))
        self.assertIn("$1 = 1.5", said)

    def test_an_array_of_which_a_part_cannot_be_read(self):
        told = self.diff("fair_array_end.c", compiler=e2e.CLANG, flags=("-g", "-O1"))
        facts = told.facts("gdb", "buffer")
        first = [fact for fact in facts if fact[0] == facts[0][0]]
        self.assertEqual(first[0][1:3], ("buffer[0]", "value"))
        self.assertIn("Cannot access memory", first[-1][4])
        self.expect_none([one for one in told.about("variable", "buffer") if "gdb" in one["wrong"]])
        said = plain("gdb", self.program, ("break *fill", "run", "print buffer[0]", "print buffer[999]"))
        self.assertIn("$1 = ", said)

    def test_a_frame_for_a_tail_call(self):
        told = self.diff("fair_tail.c", flags=("-g", "-O2"))
        tails = list(told.store.execute("SELECT DISTINCT function, pc FROM backtraces WHERE trace = ? AND tail",
                                        (told.traces["gdb"],)))
        self.assertEqual([function for function, _ in tails], ["work"])
        self.expect_none(told.about("frames"))
        # gdb's frame 1 is not xstep's frame 0: nothing of it is compared.
        self.expect_none(told.about("variable", "here"))
        # It was called by another name than its own: gdb knows how, and so must xstep.
        self.expect_none([one for one in told.about("variable", "n") if "gdb" in one["wrong"]])
        said = plain("gdb", self.program, ("break puts", "break printf", "run", "backtrace"))
        self.assertRegex(said, r"(?s)#1 .* work .*#2 .* work .*#3 .* main")

    def test_a_function_that_may_be_called_anew(self):
        """gdb declines on purpose what a function was entered with that jumps to code which nobody describes."""
        told = self.diff("fair_called_anew.c", flags=("-g", "-O2"))
        self.assertIn(("number", "optimized-out"), {fact[1:3] for fact in told.facts("gdb", "number")})
        self.expect_none([one for one in told.found["discrepancies"] if "gdb" in one["wrong"]])
        said = plain("gdb", self.program, ("set debug entry-values 1", "break other", "run", "up", "print number"))
        self.assertIn("resolving failed to find function name", said)

    def test_nested_functions(self):
        told = self.diff("fair_nested.c")
        self.expect_none(told.found["discrepancies"])
        self.assertTrue(told.facts("gdb", "w"))

    @e2e.smoke
    def test_declarations_in_blocks(self):
        told = self.diff("fair_extern.c")
        self.expect_none(told.about("variable", "near", "far") + told.about("lookup"))
        said = plain("gdb", self.program, ("break main", "run", "print near", "print far"))
        self.assertIn("$1 = 5\n$2 = 9", said)

    def test_optimised_when_linked(self):
        told = self.diff("fair_link.c", flags=("-g", "-O2", "-flto"))
        self.expect_none([one for one in told.found["discrepancies"] if "xstep" in one["wrong"]])
        self.expect_none([one for one in told.about("variable")
                          if one["kind"] == "loss" and "gdb" in one["wrong"]])

    def test_two_reasons_for_one_backtrace(self):
        """Of the frames that lldb lacks, those that it may leave out do not hide why it lacks the others."""
        told = self.diff("fair_border.c", flags=("-g", "-O2"))
        found = told.about("frames")
        self.assertEqual({(one["signature"], one["basis"], *one["wrong"]) for one in found},
                         {("G6 lie frames lldb:split-function", "replayed", "lldb")})
        self.assertTrue([one for one in found if "leaf" in one["facts"]["xstep"]["value"]
                         and "leaf" not in one["facts"]["lldb"]["value"]], told.result.rerun)

    def test_common_symbols(self):
        """Each unit that describes the one object has it, and no debugger lacks the other one's."""
        for compiler in (e2e.GCC, e2e.CLANG):
            told = self.diff("fair_common.c", compiler=compiler, flags=("-g", "-O0", "-fcommon"))
            self.expect_none(told.found["discrepancies"])
            for witness in ("xstep", "gdb", "lldb"):
                self.assertEqual({value for *_, value, _ in told.facts(witness, "shared_count")}, {"0", "4", "5"})
            (self.folder / "store.db").unlink()

    @e2e.unittest.skipUnless(shutil.which("clang++-15"), "no clang++-15")
    def test_a_member_that_is_said_to_be_a_constant(self):
        """gdb takes the constant of the declaration, and clang says that it is one."""
        told = self.diff("fair_member.cpp", compiler="clang++-15", flags=("-g", "-O1", "-std=c++17"))
        self.expect_none(told.about("variable", "holder::made"))
        self.assertGreater(told.found["summary"]["contested"]["members that are said to be constants and objects"], 0)
        said = plain("gdb", self.program, ("break *main", "run", "info address holder::made"))
        self.assertIn('Symbol "holder::made" is constant', said)

    def test_a_function_of_two_units(self):
        """lldb does not say in which unit a frame is: the one is not to be taken for the other."""
        told = self.diff("fair_statics.c", flags=("-g", "-O0", "-flto"))
        self.expect_none(told.found["discrepancies"])
        units = {unit for (unit,) in told.store.execute(
            "SELECT unit.text FROM variable JOIN text AS name ON name.id = variable.name "
            "LEFT JOIN text AS unit ON unit.id = variable.unit WHERE name.text = 'total' AND trace = ?",
            (told.traces["lldb"],))}
        self.assertEqual(units, {None}, "lldb's frames have a unit by now: this shows nothing")
        said = plain("lldb", self.program, ("breakpoint set --name second", "breakpoint set --name step",
                                            "process launch", "continue", "continue", "frame variable total"))
        self.assertIn("(int) total = 20", said)

    def test_a_source_that_another_unit_includes(self):
        """lldb does not say of which unit a constant is: that of the file it is declared in has one, too."""
        told = self.diff("fair_included.c", flags=("-g", "-O1"))
        self.expect_none(told.about("variable", "table"))

    def test_a_value_that_is_another_one_in_each_run(self):
        """xstep is not to be looked at for it. With the same answers in each run, lldb's own words count."""
        told = self.diff("fair_random.c", flags=("-g", "-O1"))
        found = told.about("variable", "part")
        self.assertEqual({(one["basis"], *one["wrong"]) for one in found}, {("suspected",)})
        (self.folder / "store.db").unlink()
        told = self.diff("fair_random.c", "--steady", flags=("-g", "-O1"))
        found = told.about("variable", "part")
        self.assertEqual({(one["signature"], one["basis"]) for one in found}, {("G3 loss lldb:typed", "replayed")})

    def test_a_value_that_depends_on_where_the_program_is_stopped(self):
        """It is the same in each rerun, and another one in the trace, where gdb reads what xstep does."""
        told = self.diff("fair_faults.c", "--sample", "unique", flags=("-g", "-O1"))
        found = told.about("variable", "part")
        self.assertLessEqual({wrong for one in found for wrong in one["wrong"]}, {"lldb"}, told.result.rerun)

    def test_addresses_are_those_of_the_process(self):
        told = self.diff("fair_address.c", flags=("-g", "-O2"))
        self.expect_none(told.about("variable", "last", "middle"))
        said = plain("lldb", self.program, ("breakpoint set --name main", "process launch",
                                            "frame variable last"))
        address = re.search(r"last = (0x\w+)", said).group(1)
        self.assertIn(hex(int(address, 16)), {fact[3] for fact in told.facts("lldb", "last")})

    def test_the_comparison_says_what_the_store_says(self):
        for compiler in (e2e.GCC, e2e.CLANG):
            told = self.diff("fair_length.c", "--limit", 300, compiler=compiler)
            history = {var: told.history("xstep", var) for var in ("a", "b")}
            self.assertTrue(history["b"])
            for one in told.about("variable", *history):
                said, stop = one["facts"]["xstep"], one["stop"]["number"]
                before = [fact for fact in history[one["var"]].get(one["path"], []) if fact[0] <= stop]
                stored = before[-1][1:] if before else ("absent", None)
                if "value" in (said["state"], stored[0]):
                    self.assertEqual((said["state"], said["value"]), stored, (compiler, one["path"], stop))
            told.store.close()
            (self.folder / "store.db").unlink()

    def test_a_file_that_lldb_does_not_read(self):
        told = self.diff("fair_wide.c", flags=("-g", "-O2"))
        lost = [one for one in told.about("variable", "argc", "n") if "lldb" in one["wrong"]]
        self.assertTrue(all("data16-form" in one["features"] for one in lost))

    def test_words_of_lldb_are_the_same_in_each_run(self):
        told = self.diff("dtd/09_constant_data.c", flags=("-g", "-O1"))
        said = [row[0] for row in told.store.execute("SELECT text FROM text WHERE text LIKE '%host address%'")]
        self.assertTrue(all(text.endswith("host address 0x...") for text in said), said)

    def test_the_debug_file_is_everybodys(self):
        whole = e2e.compile("diff_demo.c", e2e.GCC, ("-g", "-O2"))
        (self.folder / "some where").mkdir()
        program, debug = self.folder / "some where/program", self.folder / "program debug"
        e2e.run(["objcopy", "--only-keep-debug", whole, debug])
        e2e.run(["strip", "-o", program, whole])
        expected = Told(self.folder, whole)
        (self.folder / "store.db").unlink()
        told = Told(self.folder, "--debug-file", debug, program)
        self.expect_none([one for one in told.found["discrepancies"] if "xstep" in one["wrong"]])
        self.assertEqual([(one["aspect"], one["path"], one["stop"]["pc"], one["wrong"])
                          for one in told.found["discrepancies"]],
                         [(one["aspect"], one["path"], one["stop"]["pc"], one["wrong"])
                          for one in expected.found["discrepancies"]])

    def test_calls_in_code_that_no_unit_has(self):
        flags = ("-g", "-O2", "-gdwarf-2", "-gstrict-dwarf")
        told = self.diff("fair_unclaimed.c", flags=flags)
        self.expect_none([one for one in told.about("frames") if one["wrong"]])
        self.assertGreater(told.found["summary"]["contested"]["code that is in no unit's ranges"], 0)

    def test_blanks(self):
        (self.folder / "some where").mkdir()
        program = shutil.copy(e2e.compile("arguments.c"), self.folder / "some where/a program")
        words = ("one two", "", "it's", 'a "b" \\c $HOME *')
        for drive in ("shared", "native"):
            with self.subTest(drive=drive):
                told = Told(self.folder, "--drive", drive, "--from", "main", program, *words)
                self.assertNotIn("cannot", told.result.stderr)
                self.expect_none(told.about("variable"))
                ends = list(told.store.execute("SELECT how, complete FROM trace"))
                self.assertEqual(len(set(ends)), 1, ends)
            told.store.close()
            (self.folder / "store.db").unlink()


if __name__ == "__main__":
    e2e.main()
