#!/usr/bin/python3
"""language_test.py - C++ and Rust are read in full; of no other language a false word is said.

Leaves that a subject expects are in its first comment, `leaf: PATH VALUE`, for the line that is marked `end`.
"""
import json
import pathlib
import re
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e

RUSTC = "/usr/bin/rustc"
CPP = e2e.TESTDATA / "cpp/cpp_values.cpp"
RUST = e2e.TESTDATA / "rust/rust_values.rs"
FORTRAN = e2e.TESTDATA / "language/language_fortran.f90"


def line_of_end(source):
    return next(number for number, text in enumerate(source.read_text().splitlines(), 1)
                if re.search(r"(/\* end \*/|// end)$", text))


class Language(e2e.TestCase):
    def need(self, compiler):
        if not shutil.which(compiler):
            self.skipTest(f"no {compiler}")

    def compile(self, source, compiler, *flags):
        self.need(compiler)
        return e2e.compile(source, compiler, flags)

    def rust(self, *flags):
        self.need(RUSTC)
        program = e2e.CACHE / ("rust_values" + "".join(flags).replace("=", ""))
        e2e.CACHE.mkdir(parents=True, exist_ok=True)
        self.expect(e2e.run([RUSTC, "-g", *flags, RUST, "-o", program]), 0)
        return program

    def check_leaves(self, source, program):
        """What xstep reads at the marked line is what the source says."""
        wanted = dict(re.findall(r"leaf: (\S+) (\S+)", source.read_text()))
        words = [word for path in wanted for word in ("--var", path)]
        told = self.expect(e2e.xstep("explain", "--format", "json", "--at",
                                     f"{source.name}:{line_of_end(source)}", *words, program), 0)
        values = {leaf["path"]: leaf["value"] for leaf in json.loads(told.stdout)["variables"]}
        for path, value in wanted.items():
            if value != "VALUE" and value != "{}":
                self.assertEqual(values[path], value, path)

    def diff(self, program, *words):
        result = e2e.xstep("diff", "-q", "--format", "json", "--sample", "unique", *words, program)
        self.assertIn(result.returncode, (0, 1), result.stderr)
        return json.loads(result.stdout)

    def nobody_is_wrong(self, report, *who):
        """No verdict names one of these."""
        for finding in report["discrepancies"]:
            for name in who:
                self.assertNotIn(name, finding["wrong"], finding["signature"])


class Cpp(Language):
    @e2e.smoke
    def test_leaves_of_bases_captures_and_members(self):
        for compiler in ("g++-12", "clang++-15"):
            with self.subTest(compiler):
                self.check_leaves(CPP, self.compile(CPP, compiler, "-g", "-O0", "-std=c++17"))

    def test_debuggers_and_xstep_have_one_name_for_everything(self):
        """Base classes, operators, templates and lambdas are spelled in three ways: nobody differs at -O0."""
        for compiler in ("g++-12", "clang++-15"):
            with self.subTest(compiler):
                report = self.diff(self.compile(CPP, compiler, "-g", "-O0", "-std=c++17"))
                self.assertEqual(report["discrepancies"], [])

    def test_optimised_code_is_no_reason_to_look_at_xstep(self):
        for compiler in ("g++-12", "clang++-15"):
            with self.subTest(compiler):
                self.nobody_is_wrong(self.diff(self.compile(CPP, compiler, "-g", "-O2", "-std=c++17")), "xstep")

    def test_natural_spellings_of_a_function(self):
        program = self.compile(CPP, "g++-12", "-g", "-O0", "-std=c++17")
        for name in ("shapes::Box<int>::area", "shapes::Box::area", "Box::area", "area",
                     "shapes::Box<int>::area() const", "_ZNK6shapes3BoxIiE4areaEv"):
            told = self.expect(e2e.xstep("trace", "--from", name, "--limit", "1", program), 0).stdout
            self.assertIn("shapes::Box<int>::area+", told, name)

    def test_what_reads_c_sources_refuses_others(self):
        program = self.compile(CPP, "g++-12", "-g", "-O0", "-std=c++17")
        result = self.expect(e2e.xstep("check", "avail", "--source", CPP, program), 2)
        self.assertIn("not a C source, and only C is read for this check", result.stderr)


class Rust(Language):
    def test_leaves_of_enums(self):
        for level in ("0", "3"):
            with self.subTest(level):
                program = self.rust("-Copt-level=" + level)
                if level == "0":
                    self.check_leaves(RUST, program)

    def test_variants_are_told_and_compared(self):
        report = self.diff(self.rust("-Copt-level=0"), "--witness", "xstep,gdb")
        self.nobody_is_wrong(report, "xstep")
        told = self.expect(e2e.xstep("trace", "--format", "json", "--vars", "locals", self.rust("-Copt-level=0")), 0)
        values = {fact["path"]: fact["value"] for text in told.stdout.splitlines() if '"vars"' in text
                  for fact in json.loads(text)["vars"] if fact["value"] is not None}
        self.assertEqual(values["none.None"], "{}")
        self.assertEqual(values["end.End"], "{}")


class Others(Language):
    def test_of_fortran_plain_values_and_control_facts_only(self):
        program = self.compile(FORTRAN, "gfortran-12", "-g", "-O0")
        result = e2e.xstep("diff", "-q", "--sample", "unique", "--max-leaves", "64", program)
        self.expect(result, 0)
        self.assertIn("  language   Fortran, 1 unit: only lines, frames and values of plain base types", result.stdout)
        self.assertIn("of languages that are not read in full", result.stdout)

    def test_a_skeleton_has_no_language_and_its_split_unit_has(self):
        for compiler, source, said in (("gfortran-12", FORTRAN, "  language   Fortran, 1 unit: only lines"),
                                       (e2e.GCC, e2e.subject("check_value.c"), None)):
            self.need(compiler)
            with tempfile.TemporaryDirectory() as folder:
                self.expect(e2e.run([compiler, "-g", "-gsplit-dwarf", "-o", "split", source], cwd=folder), 0)
                told = self.expect(e2e.xstep("diff", "-q", "--witness", "xstep,lldb", "--sample", "unique",
                                             "--max-leaves", "64", f"{folder}/split"), 0).stdout
            self.assertIn(said or "", told)
            self.assertTrue(said or "language" not in told, told)

    def test_what_is_not_read_is_an_error_with_its_reason(self):
        program = self.compile(FORTRAN, "gfortran-12", "-g", "-O0")
        told = self.expect(e2e.xstep("trace", "--format", "json", "--vars", "locals", program), 0).stdout
        facts = [fact for text in told.splitlines() if '"vars"' in text for fact in json.loads(text)["vars"]]
        said = {fact["path"]: (fact["state"], fact["message"]) for fact in facts if fact["state"] != "absent"}
        self.assertEqual(said["word"], ("error", "of Fortran only plain base types are read"))
        self.assertEqual(said["flag"][0], "value")


if __name__ == "__main__":
    e2e.main()
