#!/usr/bin/python3
"""blind_test.py - what cannot be read, or is not there, is said: never "nothing found" in its place."""
import json
import pathlib
import re
import shutil
import struct
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e

MAIN = """
#include <stdio.h>
int helper(int);
int global = 4;
int main(void)
{
	int first = 3;
	int second = helper(first);
	printf("%d %d\\n", first, second); /* stop */
	return 0;
}
"""
HELPER = """
int hidden = 9;
int helper(int x)
{
	int inner = x + hidden;
	return inner;
}
"""
STOP = next(number for number, text in enumerate(MAIN.splitlines(), 1) if "/* stop */" in text)
ADVICE = "compile with -g and do not strip, or name its debug file with --debug-file"


class Blind(e2e.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="xstep-blind-"))
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "main.c").write_text(MAIN)
        (self.folder / "helper.c").write_text(HELPER)
        self.program = self.folder / "program"

    def command(self, *words):
        result = e2e.run(words, cwd=self.folder)
        self.assertEqual(result.returncode, 0, f"{result.rerun}\n{result.stderr}")
        return result.stdout

    def build(self, main=("-g",), helper=("-g",), compiler=e2e.GCC, link=()):
        for name, flags in (("main", main), ("helper", helper)):
            self.command(compiler, *flags, "-c", f"{name}.c", "-o", f"{name}.o")
        self.command(compiler, "-o", self.program, *link, "main.o", "helper.o")

    def section(self, name):
        """Where a section is in the file: offset and size."""
        table = self.command("readelf", "-SW", self.program)
        found = re.search(rf" {re.escape(name)} +PROGBITS +\w+ (\w+) (\w+)", table)
        return int(found[1], 16), int(found[2], 16)

    def patch(self, offset, data):
        with open(self.program, "r+b") as file:
            file.seek(offset)
            file.write(data)

    def second_unit(self):
        start, _ = self.section(".debug_info")
        with open(self.program, "rb") as file:
            file.seek(start)
            return start + 4 + struct.unpack("<I", file.read(4))[0]

    def run_xstep(self, *words):
        return e2e.xstep(*words[:1], "--stdout", "/dev/null", *words[1:])

    def each_command(self, program=None):
        """Every command that reads a program, with its result."""
        program = program or self.program
        for words in (("explain",), ("explain", "--var", "first"), ("diff",)):
            yield words, self.run_xstep(*words, program)
        for words in (("levels",), ("avail", "--source", self.folder / "main.c")):
            yield words, e2e.xstep("check", *words, "--stdout", "/dev/null", program)

    def refused(self, says, times=1):
        for words, result in self.each_command():
            with self.subTest(words=words):
                self.expect(result, 2, says)
                self.assertEqual(result.stderr.count(says), times, result.stderr)

    def warned(self, says, *words, status=0):
        """Said once, and the rest is done."""
        result = self.expect(self.run_xstep(*words, self.program), status)
        self.assertEqual(result.stderr.count(says), 1, f"{result.rerun}\n{result.stderr}")
        return result


class Nothing(Blind):
    """Where there is nothing to read nothing can be found, which is trouble."""

    @e2e.smoke
    def test_no_debug_information(self):
        self.build((), ())
        self.refused(ADVICE)

    def test_stripped(self):
        self.build()
        self.command("strip", self.program)
        self.refused(ADVICE)

    def test_trace_goes_on_by_symbols(self):
        self.build((), ())
        self.warned("no line information: stops are told by function symbol", "trace", "--vars", "all")

    def test_formats_of_old(self):
        self.build((), ())
        (self.folder / "bytes").write_bytes(b"\0" * 64)
        for section, says in ((".debug", "DWARF 1, which is not read"), (".stab", "stabs, which are not read")):
            with self.subTest(section=section):
                self.command("objcopy", "--add-section", f"{section}=bytes", "--set-section-flags",
                             f"{section}=readonly", self.program)
                self.expect(self.run_xstep("diff", self.program), 2, says)
                self.warned(says, "trace", "--limit", "3")
                self.command("objcopy", "--remove-section", section, self.program)

    def test_lines_without_units(self):
        self.build()
        self.command("objcopy", "--remove-section", ".debug_info", self.program)
        self.expect(self.run_xstep("diff", self.program), 2, "its .debug_line cannot be read without .debug_info")


class Part(Blind):
    """What is there is read, and what is not is named."""

    def test_unit_without_debug_information(self):
        self.build(helper=())
        says = "1 function without line information, such as helper"
        for words in (("explain",), ("trace", "--vars", "all"), ("diff",)):
            self.warned(says, *words)

    def test_what_a_linker_adds_is_nobodys_unit(self):
        """mold has symbols for the code in .plt, which no compiler writes lines for."""
        self.build()
        self.command("objcopy", "--add-symbol", "puts$plt=.plt:0,function,local", self.program)
        self.assertIn("puts$plt", self.command("nm", self.program))
        self.assertNotIn("line information", self.run_xstep("trace", self.program).stderr)

    @e2e.smoke
    def test_main_without_debug_information(self):
        self.build(main=())
        result = self.warned("the code at 0x", "explain")
        self.assertIn("(main) has no debug information: its variables are not known", result.stderr)
        self.assertIn("hidden = 9", result.stdout)
        self.expect(self.run_xstep("explain", "--var", "first", self.program), 2, "(main) has no debug information")
        self.expect(self.run_xstep("explain", "--var", "hidden", self.program))
        self.warned("no line information for the code of main", "trace")

    def test_lines_only(self):
        self.build(("-gline-tables-only",), ("-gline-tables-only",), e2e.CLANG)
        self.warned("has lines, but its function is not described", "explain")
        self.expect(self.run_xstep("explain", "--var", "first", self.program), 2,
                    "has lines, but its function is not described")

    def test_split_unit_is_missing(self):
        self.build(("-g", "-gsplit-dwarf"), ("-g", "-gsplit-dwarf"))
        for path in self.folder.glob("helper*.dwo"):
            path.unlink()
        says = "split debug information"
        self.warned(says, "explain")
        self.warned(says, "trace", "--vars", "all")
        self.expect(self.run_xstep("explain", "--at", "helper.c:6", "--var", "inner", self.program), 2,
                    "(helper) has lines, but its function is not described")

    def test_absent_is_still_absent(self):
        self.build()
        self.expect(self.run_xstep("explain", "--var", "nobody", self.program), 1)


class Damaged(Blind):
    """DWARF that cannot be read is trouble, with the place."""

    def setUp(self):
        super().setUp()
        self.build()

    def test_unit_of_another_version(self):
        start, _ = self.section(".debug_info")
        unit = self.second_unit()
        self.patch(unit + 4, struct.pack("<H", 6))
        self.refused(f".debug_info+{unit - start:#x}: a unit of DWARF 6, not 2 to 5")

    @e2e.smoke
    def test_unit_that_ends_behind_its_section(self):
        start, _ = self.section(".debug_info")
        unit = self.second_unit()
        self.patch(unit, struct.pack("<I", 0x7fffff))
        self.refused(f".debug_info+{unit - start:#x}: the unit claims 8388607 bytes")

    def test_strings_are_missing(self):
        for section in (".debug_str", ".debug_line_str"):
            with self.subTest(section=section):
                self.build()
                self.command("objcopy", "--remove-section", section, self.program)
                self.expect(self.run_xstep("explain", self.program), 2, f"{section} is missing or cut short")

    def test_entries_that_cannot_be_read(self):
        unit = self.second_unit()
        self.patch(unit + 0x30, b"\xee" * 0x20)
        self.warned("in its unit cannot be read", "explain")
        self.warned("in its unit cannot be read", "trace", "--vars", "all")

    def test_64_bit_format(self):
        """lldb does not read it, which it need not."""
        self.build(("-g", "-gdwarf64"), ("-g", "-gdwarf64"))
        found = json.loads(self.run_xstep("diff", "--format", "json", self.program).stdout)
        self.assertEqual(found["clusters"], [])
        self.build()

    def test_zstd(self):
        made = e2e.run(["objcopy", "--compress-debug-sections=zstd", self.program])
        if made.returncode:
            self.skipTest(f"objcopy does not know zstd: {made.stderr}")
        place = ("explain", "--at", f"main.c:{STOP}", "--format", "json", "--var", "second", "--var", "global")
        result = self.expect(self.run_xstep(*place, self.program))
        self.assertEqual([one["value"] for one in json.loads(result.stdout)["variables"]], ["12", "4"])
        found = self.expect(self.run_xstep("diff", "--format", "json", self.program))
        self.assertEqual(json.loads(found.stdout)["clusters"], [], found.rerun)
        offset, _ = self.section(".debug_info")
        self.patch(offset + 24 + 40, b"\xff" * 40)
        self.expect(self.run_xstep(*place, self.program), 2, ".debug_info: compressed by zstd, and damaged")


if __name__ == "__main__":
    e2e.main()
