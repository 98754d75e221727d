#!/usr/bin/python3
"""moved_test.py - debug information that tools move about, end to end: type units, dwz, link time optimisation.

testdata/values/units_moved.c prints at two lines what a debugger must say there. Whatever was done to its
debug information, xstep says that; where the code stays the same, all facts at all stops are the same.
"""
import json
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e

SOURCE = "units_moved.c"
UNITS = {"one": "units_moved.c", "two": "units_moved_with.c"}  # the mark of a stop -> where it is
# lld's layout is the linker's subject, not ours.
LLD = ("-fuse-ld=lld-15", "-Wl,-z,separate-code")


def printed(program):
    """What the program prints at each of its stops: {mark: {path: value}}."""
    lines = e2e.run([program]).stdout.splitlines()
    second = [number for number, line in enumerate(lines) if line.startswith("counter ")][1]
    return {"one": dict(line.split() for line in lines[:second]),
            "two": dict(line.split() for line in lines[second:])}


def mark_line(mark):
    source = e2e.subject(UNITS[mark]).read_text().splitlines()
    return next(number for number, line in enumerate(source, 1) if f"/* {mark} */" in line)


class Moved(e2e.TestCase):
    def need(self, *tools):
        for tool in tools:
            if not shutil.which(tool):
                self.skipTest(f"{tool} is not installed: apt-get install {tool.removeprefix('ld.')}")

    def folder(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="xstep-moved-"))
        self.addCleanup(shutil.rmtree, folder)
        return folder

    def explain(self, program, mark, *words):
        result = e2e.xstep("explain", "--at", f"{UNITS[mark]}:{mark_line(mark)}", *words,
                           "--format", "json", program)
        self.expect(result)
        return json.loads(result.stdout)["variables"], result

    def check_values(self, program, optimised=False):
        """All that the program prints; optimised code may have no value for it, but no other one. (Statics
        that a stop changes: a compiler may move that.)"""
        for mark, expected in printed(program).items():
            words = [word for path in expected for word in ("--var", path)]
            variables, result = self.explain(program, mark, *words)
            told = {one["path"]: one for one in variables}
            for path, value in expected.items():
                with self.subTest(f"{program} {mark} {path}"):
                    rerun = f"\nrerun: {result.rerun}"
                    if optimised and told[path]["state"] == "optimized-out" or path == "counter":
                        continue
                    self.assertEqual(told[path]["state"], "value", f"{told[path]['message']}{rerun}")
                    self.assertEqual(float(told[path]["value"]), float(value), rerun)

    def check_own(self, program):
        """The statics of one name: each unit's own, and each variable at file scope once."""
        for mark, values in printed(program).items():
            variables, result = self.explain(program, mark)
            there = [(one["var"], one["decl"]["file"], one["decl"]["line"], one["scope"], one["path"])
                     for one in variables if one.get("decl") and one["frame"] == 0]
            doubles = {one for one in there if there.count(one) > 1}
            self.assertFalse(doubles, f"\nrerun: {result.rerun}")
            meant = [one for one in variables if one["path"] == "counter" and not one["shadowed"]]
            self.assertEqual([(one["value"], *(pathlib.Path(path).name for path in
                                               (one["scope"], one["decl"]["file"]))) for one in meant],
                             [(values["counter"], UNITS[mark], UNITS[mark])], f"\nrerun: {result.rerun}")
            limits = {(pathlib.Path(one["decl"]["file"]).name, one["value"]) for one in variables
                      if one["path"] == "header_limit"}
            self.assertEqual(limits, {("units_moved.h", "42")}, f"\nrerun: {result.rerun}")

    def facts(self, program):
        """{stop: facts of all variables} without the words of messages, which name offsets."""
        result = self.expect(e2e.xstep("trace", "--sample", "unique", "--vars", "all", "--format", "json",
                                       program))
        self.assertNotIn("warning", result.stderr)
        return [(stop["pc"], stop["line"], stop["function"],
                 sorted(str((one["path"], one["scope"], one["decl"], one["frame"], one["shadowed"],
                             one["declared"], one["type"], one["state"], one["value"]))
                        for one in stop["vars"])) for stop in e2e.stops(result)], result.rerun

    def check_same(self, plain, moved):
        """All facts at all stops of two programs with the same code."""
        folder = self.folder()
        (expected, _), (told, rerun) = [
            self.facts(shutil.copy(program, folder / "program")) for program in (plain, moved)]
        self.assertEqual(len(told), len(expected), f"\nrerun: {rerun}")
        for one, other in zip(told, expected):
            self.assertEqual(one, other, f"\nrerun: {rerun} (with {moved})")


class TypeUnits(Moved):
    FLAG = "-fdebug-types-section"

    @e2e.smoke
    def test_values(self):
        for compiler in (e2e.GCC, e2e.CLANG):
            for version in ("-gdwarf-4", "-gdwarf-5"):
                program = e2e.compile(SOURCE, compiler, (version, self.FLAG))
                self.check_values(program)
                self.check_own(program)

    def test_same_facts(self):
        for version in ("-gdwarf-4", "-gdwarf-5"):
            for level in ("-O0", "-O2"):
                self.check_same(e2e.compile(SOURCE, e2e.GCC, (version, level)),
                                e2e.compile(SOURCE, e2e.GCC, (version, level, self.FLAG)))

    def test_a_type_unit_that_is_not_there_is_named(self):
        program = e2e.compile(SOURCE, e2e.GCC, ("-gdwarf-4", self.FLAG))
        broken = self.folder() / "program"
        e2e.run(["objcopy", "--remove-section=.debug_types", program, broken])
        variables, _ = self.explain(broken, "one", "--var", "fruit")
        self.assertEqual(variables[0]["state"], "error")
        self.assertRegex(variables[0]["message"], "no type unit has its signature 0x|DW_AT_type refers to no DIE")


class Dwz(Moved):
    """What units, or programs, have in common is in partial units, here or in a third file."""

    def setUp(self):
        self.need("dwz")

    def each(self):
        """(plain program, what dwz made of it), for each way."""
        for compiler, version in ((e2e.GCC, "-gdwarf-4"), (e2e.GCC, "-gdwarf-5"), (e2e.CLANG, "-gdwarf-4")):
            for level in ("-O0", "-O2"):
                plain = e2e.compile(SOURCE, compiler, (version, level))
                for ways in ((), ("-m",), ("--dwarf-5", "-m")) if version == "-gdwarf-5" else ((), ("-m",)):
                    folder = self.folder()
                    program, second = folder / "program", folder / "second"
                    shutil.copy(plain, program)
                    shutil.copy(plain, second)
                    words = [*ways, folder / "common"] if ways else []
                    result = e2e.run(["dwz", *words, program, *([second] if ways else [])])
                    self.assertEqual(result.returncode, 0, f"\nrerun: {result.rerun}\n{result.stderr}")
                    units = e2e.run(["readelf", "--debug-dump=info",
                                     folder / "common" if ways else program]).stdout
                    self.assertIn("DW_TAG_partial_unit", units)
                    yield plain, program, level, ways

    def test_values(self):
        for _, program, level, _ in self.each():
            self.check_values(program, level != "-O0")
            if level == "-O0":
                self.check_own(program)

    def test_same_facts(self):
        for plain, program, _, _ in self.each():
            self.check_same(plain, program)

    def test_diff(self):
        """lldb 15 does not read partial units. gdb does, but for DWARF 5's own forms (DW_FORM_strp_sup)."""
        for _, program, level, ways in self.each():
            if level == "-O0" and "--dwarf-5" not in ways:
                result = self.expect(e2e.xstep("diff", "--witness", "xstep,gdb", program))
                self.assertIn("no discrepancy", result.stdout, f"\nrerun: {result.rerun}")


class Forms(Moved):
    """What else decides how much is described, and in which form."""

    def test_values(self):
        for compiler in (e2e.GCC, e2e.CLANG):
            for way in (("-gdwarf-2",), ("-gdwarf-3",), ("-gdwarf-4", "-gdwarf64"), ("-gdwarf-5", "-gdwarf64"),
                        ("-gdwarf-3", "-gstrict-dwarf"), ("-gdwarf-5", "-gstrict-dwarf"), ("-g3",),
                        ("-g", "-gz=zlib")):
                program = e2e.compile(SOURCE, compiler, way)
                self.check_values(program)
                self.check_own(program)

    def test_what_g1_leaves_out_is_said(self):
        program = e2e.compile(SOURCE, e2e.GCC, ("-g1",))
        place = f"{UNITS['one']}:{mark_line('one')}"
        self.expect(e2e.xstep("explain", "--at", place, "--var", "counter", program), 2,
                    "(stop) was compiled with -g1, which leaves out variables")
        self.expect(e2e.xstep("explain", "--at", place, program), 0, "compiled with -g1")
        result = e2e.xstep("explain", "--at", place, "--var", "everything_here", "--format", "json", program)
        self.assertEqual(json.loads(result.stdout)["variables"][0]["message"], "no DW_AT_type says what it is")


class LinkTime(Moved):
    """Variables and code are in units of the linker's making; the abstract ones say whose they are."""

    def builds(self, level):
        for way in ((), ("-flto-partition=none",), ("-flto-partition=1to1",), ("-flto-partition=max",),
                    ("-ffat-lto-objects",)):
            yield e2e.compile(SOURCE, e2e.GCC, ("-g", level, "-flto", *way))
        if shutil.which("ld.lld-15"):
            for way in ("full", "thin"):
                yield e2e.compile(SOURCE, e2e.CLANG, ("-g", level, f"-flto={way}", *LLD))

    @e2e.smoke
    def test_values(self):
        for program in self.builds("-O0"):
            self.check_values(program)
            self.check_own(program)

    def test_values_of_optimised_code(self):
        for level in ("-O1", "-O2"):
            for program in self.builds(level):
                self.check_values(program, optimised=True)

    def test_diff(self):
        for program in list(self.builds("-O0"))[::3]:
            result = self.expect(e2e.xstep("diff", program))
            self.assertIn("no discrepancy", result.stdout, f"\nrerun: {result.rerun}")

    def test_gdb_finds_the_same_statics(self):
        """Plain gdb, at a function of each unit."""
        self.need("gdb")
        program = e2e.compile(SOURCE, e2e.GCC, ("-g", "-O0", "-flto"))
        result = e2e.run(["gdb", "-nx", "-batch", "-ex", "info variables -n -q counter$", program])
        statics = re.findall(r"(\d+):\s+static (int|long) counter;", result.stdout)
        for mark, kind in (("one", "int"), ("two", "long int")):
            variables, _ = self.explain(program, mark, "--var", "counter")
            one = variables[0]
            self.assertEqual(one["type"], kind)
            self.assertIn((str(one["decl"]["line"]), kind.split()[0]), statics)


if __name__ == "__main__":
    e2e.main()
