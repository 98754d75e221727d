#!/usr/bin/python3
"""rust_test.py - values of Rust programs are those that the programs print, and nobody is accused for them by accident.

A subject (testdata/rust) prints a line `leaf PATH VALUE` for each leaf that it has at its line `end`.
"""
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e

RUSTC = "/usr/bin/rustc"
SUBJECTS = ("enums", "options", "heap", "scalars", "tags")


def source_of(name):
    return e2e.TESTDATA / f"rust/rust_{name}.rs"


def line_of(name, mark):
    return next(number for number, text in enumerate(source_of(name).read_text().splitlines(), 1)
                if text.endswith("// " + mark))


class Rust(e2e.TestCase):
    def build(self, name, *flags):
        """Compiles a subject; by the flags and what is in the folder, once."""
        if not shutil.which(RUSTC):
            self.skipTest("no " + RUSTC)
        sources = b"".join(path.read_bytes() for path in sorted((e2e.TESTDATA / "rust").glob("*.rs")))
        program = e2e.CACHE / f"rust_{name}-{e2e.hashlib.sha256(repr(flags).encode() + sources).hexdigest()[:16]}"
        if not program.exists():
            e2e.CACHE.mkdir(parents=True, exist_ok=True)
            environment = dict(os.environ, RUSTC_BOOTSTRAP="1") if name == "tags" else None
            self.expect(e2e.run([RUSTC, *flags, source_of(name), "-o", program], env=environment), 0)
        return program

    def printed(self, program):
        """What the program prints of itself, with the addresses that it has under xstep."""
        told = self.expect(e2e.xstep("trace", "--sample", "none", "--vars", "none", program), 0)
        return dict(re.findall(r"^leaf (\S+) (.*)$", told.stderr, re.M))

    def shown(self, name, program, place=None):
        """The leaves that xstep shows where a subject is to be looked at."""
        told = self.expect(e2e.xstep("explain", "--format", "json", "--at",
                                     place or f"rust_{name}.rs:{line_of(name, 'end')}", program), 0)
        own = [leaf for leaf in json.loads(told.stdout)["variables"]
               if "::" not in leaf["path"] or leaf["path"].startswith(f"rust_{name}::")]
        return {leaf["path"]: leaf for leaf in reversed(own)}  # the innermost of a name is told first

    def check_values(self, name, program, all_of_them):
        printed, shown = self.printed(program), self.shown(name, program)
        values = {path: leaf["value"] for path, leaf in shown.items() if leaf["state"] == "value"}
        self.assertTrue(printed)
        for path, value in values.items():
            self.assertEqual(value, printed.get(path), path)
        if all_of_them:
            self.assertEqual(sorted(values), sorted(printed))
        return values


class Values(Rust):
    def test_unoptimised_every_leaf_is_what_the_program_prints(self):
        for name in SUBJECTS:
            with self.subTest(name):
                self.check_values(name, self.build(name, "-g", "-Copt-level=0"), True)

    def test_optimised_what_is_shown_is_what_the_program_prints(self):
        for name, least in zip(SUBJECTS, (20, 20, 25, 35, 7)):
            with self.subTest(name):
                values = self.check_values(name, self.build(name, "-g", "-Copt-level=2"), False)
                self.assertGreaterEqual(len(values), least)

    def test_other_levels(self):
        for level in "13sz":
            with self.subTest(level):
                self.check_values("enums", self.build("enums", "-g", "-Copt-level=" + level), False)

    def test_lines_only_have_no_variables(self):
        self.assertEqual(self.shown("enums", self.build("enums", "-Cdebuginfo=1", "-Copt-level=0")), {})

    def test_what_no_discriminant_tells_is_an_error(self):
        leaf = self.shown("enums", self.build("enums", "-g", "-Copt-level=0"))["never"]
        self.assertEqual((leaf["state"], leaf["message"]),
                         ("error", "it is one of 2 variants, and no discriminant says which"))
        leaf = self.shown("tags", self.build("tags", "-g", "-Copt-level=0"))["huge_high"]
        self.assertEqual(leaf["state"], "error")
        self.assertIn("no variant has the discriminant", leaf["message"])

    def test_methods_and_generics(self):
        shown = self.shown("scalars", self.build("scalars", "-g", "-Copt-level=0"),
                           f"rust_scalars.rs:{line_of('scalars', 'inner')}")
        self.assertEqual({path: leaf["value"] for path, leaf in shown.items() if "::" not in path},
                         {"self.x": "1", "self.y": "2", "by": "10", "x": "11"})

    def test_natural_paths(self):
        program = self.build("scalars", "-g", "-Copt-level=0")
        place = f"rust_scalars.rs:{line_of('scalars', 'end')}"
        told = self.expect(e2e.xstep("explain", "--format", "json", "--at", place, "--var", "tuples[1].0",
                                     "--var", "tuple.2.1", "--var", "point.x", program), 0)
        self.assertEqual([leaf["value"] for leaf in json.loads(told.stdout)["variables"]], ["3", "1", "1"])


class Functions(Rust):
    def test_methods_of_an_enum_without_data(self):
        """Their entries are in that of the enum."""
        if not shutil.which(RUSTC):
            self.skipTest("no " + RUSTC)
        with tempfile.TemporaryDirectory() as folder:
            source, program = pathlib.Path(folder) / "small.rs", pathlib.Path(folder) / "small"
            source.write_text("pub enum Level { Low = 3, High = 9 }\nimpl Level {\n"
                              "    fn value(&self, by: u32) -> u32 {\n        let sum = by + 1;\n"
                              "        match self { Level::Low => sum, Level::High => sum + 9 }\n    }\n}\n"
                              "fn main() {\n    let all = [Level::Low, Level::High];\n"
                              "    std::process::exit((all[1].value(2) + all[0].value(1) > 90) as i32);\n}\n")
            self.expect(e2e.run([RUSTC, "-g", "-Copt-level=0", source, "-o", program]), 0)
            told = self.expect(e2e.xstep("explain", "--format", "json", "--at", "small.rs:5", "--var", "by", "--var",
                                         "sum", program), 0)
            self.assertEqual([leaf["value"] for leaf in json.loads(told.stdout)["variables"]], ["2", "3"])


class Verdicts(Rust):
    def test_merged_functions_are_nobody_s_lie(self):
        """rustc makes one function of opaque<u8> and opaque<i8>, which are called with other values."""
        builds = [self.build("heap", "-g", "--cfg", "quiet", f"-Copt-level={level}") for level in "02"]
        result = e2e.xstep("check", "opt", "--format", "json", "-q", *builds)
        self.assertIn(result.returncode, (0, 1), result.stderr)
        told = json.loads(result.stdout)
        self.assertEqual([one["signature"] for one in told["violations"] if one["wrong"]], [])
        self.assertIn("merged", json.dumps(told["summary"]))

    def test_of_variables_nobody_is_named_without_a_model(self):
        """lldb reads no variant parts, and gdb no tags of 128 bits; nothing else is wrong with these values."""
        program = self.build("tags", "-g", "--cfg", "quiet", "-Copt-level=0")
        result = e2e.xstep("diff", "-q", "--format", "json", "--sample", "unique", "--limit", "4", "--from",
                           f"rust_tags.rs:{line_of('tags', 'end')}", program)
        self.assertIn(result.returncode, (0, 1), result.stderr)
        named = [one for one in json.loads(result.stdout)["discrepancies"] if one["wrong"]]
        self.assertEqual({one["basis"] for one in named}, {"replayed"})
        about = {one["signature"] for one in named if "huge_low" in str(one)}
        self.assertTrue(any("gdb:wide-tag" in signature for signature in about), about)
        self.assertTrue(any("lldb:variant-part" in signature for signature in about), about)
        self.assertFalse([one for one in named if "xstep" in one["wrong"]])


if __name__ == "__main__":
    e2e.main()
