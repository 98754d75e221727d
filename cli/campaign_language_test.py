#!/usr/bin/python3
"""campaign_language_test.py - xstep campaign run --language: programs of C++ and Rust are found, made, filtered, built
and asked about; compilers, oracles and generators that do not fit are refused before anything is done."""
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e

GXX, CLANGXX, RUSTC = "g++-12", "clang++-15", "/usr/bin/rustc"

GOOD = ("#include <vector>\n#include <cstdio>\n"
        "int main() { std::vector<int> v{1, 2}; std::printf(\"%zu\\n\", v.size()); }\n")
OVERRUN = "#include <vector>\nint main() { std::vector<int> v(3); return v.data()[7]; }\n"
OTHER_STANDARD = "// { dg-do run { target c++20 } }\nint main() { return 0; }\n"
THIS_STANDARD = "// { dg-do run { target c++11 } }\nint main() { auto x = [] { return 0; }; return x(); }\n"
RUST = "fn main() { let v = vec![1u8, 2]; println!(\"{}\", v.iter().map(|x| *x as u32).sum::<u32>()); }\n"
# Only a build with overflow checks prints nothing and ends with 101.
OVERFLOW = "fn main() { let n = std::env::args().count() as u8; println!(\"{}\", n + 255); }\n"


class Languages(e2e.TestCase):
    def setUp(self):
        held = tempfile.TemporaryDirectory(prefix="campaign_language_test-")
        self.addCleanup(held.cleanup)
        self.folder = pathlib.Path(held.name)
        (self.folder / "sources").mkdir()

    def source(self, name, text):
        (self.folder / "sources" / name).write_text(text)

    def campaign(self, *words):
        return e2e.xstep("campaign", *words, cwd=self.folder)

    def programs(self, directory):
        """{origin: why it was left out, or None}"""
        told = json.loads(self.campaign("export", directory).stdout)
        return {row["origin"]: row["left_out"] for row in told["programs"]}

    def refused(self, words, *more):
        result = self.campaign("run", "refused", *more)
        self.assertEqual(result.returncode, 2, result.rerun)
        for word in words:
            self.assertIn(word, result.stderr)

    def test_sources_of_cpp_are_found_and_filtered(self):
        for name, text in (("a.cpp", GOOD), ("b.cc", OVERRUN), ("c.C", THIS_STANDARD), ("d.cxx", OTHER_STANDARD),
                           ("e.c", "no C++"), ("f.h", "nor this")):
            self.source(name, text)
        result = self.campaign("run", "cpp", "--language", "c++", "--sources", "sources", "--compilers",
                               f"{GXX},{CLANGXX}", "--oracles", "frames,metrics,levels", "--levels=-O0,-O2")
        self.assertIn(result.returncode, (0, 1), result.stderr)
        kept = self.programs("cpp")
        self.assertEqual(kept["file a.cpp"], None)
        self.assertEqual(kept["file b.cc"], "its behaviour is undefined")
        self.assertEqual(kept["file c.C"], None)
        self.assertEqual(kept["file d.cxx"], "its test is for other machines")
        self.assertEqual(len(kept), 4)
        copies = sorted(path.suffix for path in (self.folder / "cpp/programs").iterdir())
        self.assertEqual(set(copies), {".cpp"})

    def test_own_programs_of_cpp(self):
        """The same seeds give the same programs, and all of them are fit."""
        for directory in ("one", "two"):
            result = self.campaign("run", directory, "--language", "c++", "--generate", "own", "--seeds", "1-3",
                                   "--compilers", GXX, "--oracles", "metrics")
            self.assertEqual(result.returncode, 0, result.stderr)
        names = [sorted(path.name for path in (self.folder / directory / "programs").iterdir())
                 for directory in ("one", "two")]
        self.assertEqual(names[0], names[1])
        self.assertEqual(set(self.programs("one").values()), {None})

    def test_rust(self):
        if not pathlib.Path(RUSTC).exists():
            self.skipTest("no rustc")
        self.source("good.rs", RUST)
        self.source("overflow.rs", OVERFLOW)
        result = self.campaign("run", "rust", "--language", "rust", "--sources", "sources", "--compilers",
                               RUSTC, "--oracles", "metrics")
        self.assertIn(result.returncode, (0, 1), result.stderr)
        self.assertEqual(self.programs("rust"), {"file good.rs": None,
                                                 "file overflow.rs": "its builds do different things"})
        self.refused(("'x' is none of",), "--language", "x")

    def test_what_does_not_fit_is_refused(self):
        self.source("a.cpp", GOOD)
        words = ("--language", "c++", "--sources", "sources", "--compilers", GXX)
        self.refused(("avail is not for C++", "reads C"), *words, "--oracles", "avail")
        self.refused(("probes is not for C++", "reads C"), *words, "--oracles", "probes")
        self.refused(("--mutate", "reads C"), *words, "--mutate", 2)
        self.refused(("--reduce", "programs of C"), *words, "--reduce")
        self.refused((f"{e2e.GCC} is no compiler of C++", "g++"), *words[:-1], e2e.GCC, "--oracles", "metrics")
        self.refused((f"{GXX} is no compiler of C", "gcc"), "--generate", "csmith", "--seeds", 1, "--compilers", GXX)
        self.refused(("csmith makes programs of C",), "--language", "c++", "--generate", "csmith", "--seeds", 1)
        self.refused(("own makes programs of C++",), "--generate", "own", "--seeds", 1)
        self.refused(("ends in .rs",), "--language", "rust", "--sources", "sources", "--compilers", GXX)


if __name__ == "__main__":
    e2e.main()
