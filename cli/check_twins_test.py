#!/usr/bin/python3
"""check_twins_test.py - xstep check twins, end to end: files with the same machine code and other debug
information contradict each other where the compiler is wrong, and nowhere else.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e

NO_VTA = "-fno-var-tracking-assignments"
SOURCE = e2e.subject("twins_shift.c")


def built(*flags, compiler=e2e.GCC, level="-O1"):
    return e2e.compile(SOURCE, compiler, ("-g", level, *flags))


def check(*words):
    """What xstep check twins says, as (result, parsed JSON)."""
    result = e2e.xstep("check", "twins", "--format", "json", *words)
    return result, json.loads(result.stdout) if result.returncode in (0, 1) else None


def asked(told, rule):
    return sum(one["asked"] for one in told["summary"]["asked"] if one["rule"] == rule)


class Twins(e2e.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.at = pathlib.Path(self.folder.name)

    def made(self, name, *words):
        """A file that a tool makes."""
        path = self.at / name
        subprocess.run([str(word).replace("OUT", str(path)) for word in words], check=True,
                       capture_output=True)
        return path

    def silent(self, program, other, *options):
        """Asked, and nothing found."""
        result, told = check(*options, program, other)
        self.expect(result, 0)
        self.assertGreater(asked(told, "T3") + asked(told, "T1"), 50)
        return told

    def refused(self, says, program, other):
        result = e2e.xstep("check", "twins", program, other)
        self.expect(result, 2)
        self.assertRegex(result.stderr, says)

    @e2e.smoke
    def test_a_lie_is_found_and_named(self):
        """A parameter that the source never writes has two values: that which both said before is true."""
        result, told = check("--source", SOURCE, built(), built(NO_VTA))
        self.expect(result, 1)
        lies = [one for one in told["violations"] if one["group"] == "T1"]
        self.assertTrue(lies)
        for one in lies:
            self.assertEqual((one["path"], one["wrong"], one["kind"]), ("val", ["producer"], "lie"))
            self.assertEqual(one["facts"]["xstep"]["value"], str(0x1122334455667788))
            self.assertRegex(one["reason"], f"val is never written, and both say .*: {built(NO_VTA)} lies")
            self.assertRegex(one["remark"], r"DW_OP_reg\d")
        # Behind the shift the register holds the last byte.
        self.assertIn(str(0x11), [one["facts"]["other"]["value"] for one in lies])
        lost = [one for one in told["violations"] if one["signature"].endswith("lost-in-other")]
        self.assertEqual({(one["path"], tuple(one["wrong"])) for one in lost}, {("byte", ())})

    def test_without_the_source_it_is_open(self):
        result, told = check(built(), built(NO_VTA))
        self.expect(result, 1)
        lies = [one for one in told["violations"] if one["group"] == "T1"]
        self.assertTrue(lies)
        self.assertEqual([one["wrong"] for one in lies], [[]] * len(lies))
        # A loss that may be none is counted, and listed on demand.
        self.assertNotIn("lost", str([one["signature"] for one in told["violations"]]))
        self.assertIn("unless the other one is stale", str(told["summary"]["asked"]))
        _, opened = check("--open", built(), built(NO_VTA))
        self.assertIn("lost-in-other", str([one["signature"] for one in opened["violations"]]))

    def test_the_other_way_round(self):
        """Who is PROGRAM and who is OTHER does not matter."""
        _, told = check("--source", SOURCE, built(NO_VTA), built())
        lies = [one for one in told["violations"] if one["group"] == "T1"]
        self.assertTrue(lies)
        for one in lies:
            self.assertRegex(one["reason"], "this build lies")
            self.assertEqual(one["facts"]["other"]["value"], str(0x1122334455667788))

    def test_plain_gdb_shows_both(self):
        """The printed commands lead to both values."""
        text = e2e.xstep("check", "twins", "--source", SOURCE, built(), built(NO_VTA)).stdout
        first = text[text.index("by hand"):]
        first = re.sub(r" \\\n *", " ", first[len("by hand"):])
        lines = [line.strip() for line in first.splitlines()]
        gdb = [line for line in lines if line.startswith("gdb ")][:2]
        if len(gdb) < 2 or not shutil.which("gdb"):
            self.skipTest("no gdb")
        said = [subprocess.run(line.replace("gdb -nx", "gdb -batch -nx", 1), shell=True, text=True,
                               capture_output=True, cwd=self.at).stdout.splitlines()[-1] for line in gdb]
        self.assertRegex(said[0], str(0x1122334455667788) + "|0x1122334455667788")
        self.assertNotRegex(said[1], str(0x1122334455667788) + "|0x1122334455667788")

    def test_what_tools_make_is_identical(self):
        program = built()
        self.silent(program, program)
        copy = self.made("copy", "cp", program, "OUT")
        self.silent(program, copy)
        debug = self.made("debug", "objcopy", "--only-keep-debug", program, "OUT")
        self.assertGreater(asked(self.silent(program, debug), "T3"), 50)
        self.made("linked.debug", "cp", debug, "OUT")
        stripped = self.made("stripped", "objcopy", "--strip-debug",
                             f"--add-gnu-debuglink={self.at / 'linked.debug'}", program, "OUT")
        self.silent(program, stripped)
        self.silent(stripped, program)
        if shutil.which("dwz"):
            self.silent(program, self.made("dwz", "dwz", "-o", "OUT", program))
        for flags in (("-gz",), ("-gsplit-dwarf",)):
            other = self.made("split" + flags[0], e2e.GCC, "-g", "-O1", *flags, "-o", "OUT", SOURCE)
            self.silent(program, other, "--identical")

    def test_storage_of_threads_is_the_program_s(self):
        """A twin's thread-local variables were errors, which the program's are not."""
        source = self.at / "threads.c"
        source.write_text("static __thread int counter = 4;\nint main(void)\n{\n\tfor (int i = 0; i < 30; i++)\n"
                          "\t\tcounter += i;\n\treturn counter == 7;\n}\n")
        program = self.made("threads", e2e.GCC, "-g", "-O0", "-o", "OUT", source)
        other = self.made("packed", e2e.GCC, "-g", "-O0", "-gz", "-o", "OUT", source)
        self.silent(program, other, "--identical", "--sample", "all")

    def test_rust(self):
        """rustc's own variants; its source is not read as C."""
        if not pathlib.Path("/usr/bin/rustc").exists():
            self.skipTest("no rustc")
        source = self.at / "small.rs"
        source.write_text("#[inline(never)]\nfn f(x: u32) -> u32 {\n    let mut s = 0u32;\n    for i in 0..x {\n"
                          "        s = s.wrapping_add(i ^ x);\n    }\n    s\n}\nfn main() {\n"
                          "    std::process::exit((f(9) > 500) as i32);\n}\n")
        result, told = check("--compiler", "/usr/bin/rustc", "--flags", "-g -C opt-level=1", "--from", "small::f",
                             "--source", source)
        self.assertIn(result.returncode, (0, 1), result.stderr)
        self.assertNotIn("error:", result.stderr)
        self.assertGreater(asked(told, "T1"), 20)
        self.assertGreater(asked(told, "T3"), 20)
        self.assertFalse([one for one in told["violations"] if one["group"] == "T3"])

    def test_options_that_change_nothing(self):
        for compiler, flags in ((e2e.GCC, ("-gno-variable-location-views",)), (e2e.CLANG, ("-gdwarf-4",))):
            told = self.silent(built(compiler=compiler), built(*flags, compiler=compiler))
            self.assertGreater(asked(told, "T1"), 50)
            self.assertGreater(asked(told, "T2"), 50)

    def test_a_tool_that_changes_something(self):
        """One byte of a location list: another register."""
        program = built()
        section = self.made("lists", "objcopy", "--dump-section", ".debug_loclists=OUT", program, "/dev/null")
        old = section.read_bytes()
        # DW_OP_reg3 (rbx), as an expression of one byte
        at = old.index(b"\x01\x53")
        section.write_bytes(old[:at] + b"\x01\x56" + old[at + 2:])
        other = self.made("patched", "objcopy", "--update-section", f".debug_loclists={section}", program, "OUT")
        result, told = check(program, other)
        self.expect(result, 1)
        self.assertEqual({one["group"] for one in told["violations"]}, {"T3"})
        self.assertEqual({tuple(one["wrong"]) for one in told["violations"]}, {()})
        self.assertIn("or xstep", told["violations"][0]["reason"])

    def test_other_code_is_refused(self):
        self.refused(r"not the code of .*\.text\+0x0 .*xstep ccmd", built(), built(level="-O2"))
        self.expect(e2e.xstep("check", "twins", built(), e2e.compile("check_value.c", e2e.GCC, ("-g", "-O1"))), 2,
                    "not the code of")
        # One instruction of one function.
        program = built()
        patched = self.at / "patched"
        text = bytearray(pathlib.Path(program).read_bytes())
        at = text.index(b"\x48\xc1\xeb\x38")  # shr $0x38,%rbx
        text[at + 3] = 0x30
        patched.write_bytes(text)
        patched.chmod(0o755)
        self.refused(r"\.text\+0x\w+ at 0x\w+, spread\+0x\w+: `shr\w* \$0x38, ?%rbx` in one, `shr\w* \$0x30",
                     program, patched)

    def test_debug_files_of_others_are_refused(self):
        other = self.made("debug", "objcopy", "--only-keep-debug", built(level="-O2"), "OUT")
        self.expect(e2e.xstep("check", "twins", built(), other), 2, "another build-id")

    def test_hostile_files(self):
        program = built()
        self.expect(e2e.xstep("check", "twins", program, "/nowhere"), 2, "/nowhere")
        self.expect(e2e.xstep("check", "twins", program, SOURCE), 2, "not an ELF file")
        self.expect(e2e.xstep("check", "twins", program), 2, "another file")
        stripped = self.made("stripped", "strip", "-o", "OUT", program)
        self.expect(e2e.xstep("check", "twins", program, stripped), 2, "stripped")
        whole = pathlib.Path(program).read_bytes()
        for size in (0, 3, 64, 600, 5000, len(whole) // 2):
            cut = self.at / f"cut{size}"
            cut.write_bytes(whole[:size])
            result = e2e.xstep("check", "twins", program, cut)
            self.assertEqual(result.returncode, 2, result.stderr)
        for name in (".debug_info", ".debug_abbrev", ".debug_loclists", ".note.gnu.build-id"):
            section = self.made("section", "objcopy", "--dump-section", f"{name}=OUT", program, "/dev/null")
            section.write_bytes(b"\xff" * len(section.read_bytes()))
            broken = self.made("broken", "objcopy", "--update-section", f"{name}={section}", program, "OUT")
            self.assertIn(e2e.xstep("check", "twins", program, broken).returncode, (0, 1, 2), name)

    def test_report(self):
        folder = self.at / "report"
        self.expect(e2e.xstep("check", "twins", "--report", folder, "--source", SOURCE, built(), built(NO_VTA)), 1)
        bundles = [path for path in folder.iterdir() if path.is_dir()]
        self.assertTrue(bundles)
        for bundle in bundles:
            self.assertTrue((bundle / "other").is_dir())
            self.expect(e2e.run([bundle / "check.py", e2e.XSTEP]), 1)

    def test_known(self):
        """What is known is not new: ids are the same in every run."""
        _, told = check("--source", SOURCE, built(), built(NO_VTA))
        _, again = check("--source", SOURCE, built(), built(NO_VTA))
        self.assertEqual([one["id"] for one in told["violations"]], [one["id"] for one in again["violations"]])
        known = self.at / "known"
        known.write_text("producer:* | bug 1 | seen\nundecided:* | bug 2 | seen\n")
        result = e2e.xstep("check", "twins", "--new", "--known", known, "--source", SOURCE, built(), built(NO_VTA))
        self.expect(result, 0)

    def test_builds(self):
        """The variants are built, and other code is said and left out."""
        result = e2e.xstep("check", "twins", "--format", "json", "--compiler", e2e.GCC, "--flags", "-g -O1",
                           "--source", SOURCE, "--variant", NO_VTA, "--variant", "keep-debug", "--variant",
                           "-O2", "--variant", "-fno-such-option", "--keep", self.at / "kept")
        self.expect(result, 1)
        self.assertRegex(result.stderr, "-O2: not the code of .*left out")
        self.assertRegex(result.stderr, "-fno-such-option: left out")
        told = json.loads(result.stdout)
        self.assertGreater(asked(told, "T1"), 50)
        self.assertGreater(asked(told, "T3"), 50)
        self.assertIn("producer:contradiction", str([one["signature"] for one in told["violations"]]))
        self.assertIn(f"{NO_VTA} lies", str([one["reason"] for one in told["violations"]]))
        self.assertTrue((self.at / "kept" / "program").exists())
        self.expect(e2e.xstep("check", "twins", "--compiler", e2e.GCC, "--source", SOURCE, "--variant", "-O0"), 2,
                    "nothing could be asked")
        self.expect(e2e.xstep("check", "twins", "--compiler", "no-such-cc", "--source", SOURCE), 2, "no-such-cc")
        self.expect(e2e.xstep("check", "twins", "--compiler", e2e.GCC), 2, "--source")

    def test_built_in_variants(self):
        """All of a compiler's; nothing is left in the folder where xstep is run."""
        result = e2e.xstep("check", "twins", "--format", "json", "--compiler", e2e.CLANG, "--flags", "-g -O2",
                           "--source", SOURCE, cwd=self.at)
        self.assertIn(result.returncode, (0, 1), result.stderr)
        self.assertEqual(list(self.at.iterdir()), [])
        self.assertGreater(asked(json.loads(result.stdout), "T3"), 50)

    def test_sampling(self):
        """--sample all looks at more stops, and finds the lies of fewer, too."""
        _, few = check("--sample", "unique", built(), built(NO_VTA))
        _, all_ = check("--sample", "all", built(), built(NO_VTA))
        self.assertGreater(asked(all_, "T1"), asked(few, "T1"))
        self.expect(e2e.xstep("check", "twins", "--limit", 1, built(), built(NO_VTA)), 0)
        for options in (("--sample", "none"), ("--vars", "none")):
            self.expect(e2e.xstep("check", "twins", *options, built(), built(NO_VTA)), 2, "nothing is asked")


if __name__ == "__main__":
    e2e.main()
