#!/usr/bin/python3
"""layout_test.py - whatever way a linker lays a program out, its variables are what the program prints."""
import json
import os
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e

PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
int counter = 41;
static double ratio = 2.5;
char large[70000];
static const int table[4] = {9, 8, 7, 6};
static __thread int threaded = 77;
int in_library(int);
static int work(int n)
{
	int local = n * 2;
	counter += local;
	large[60000] = 'q';
	printf("%d %d %g %d %d %d\\n", local, counter, ratio, large[60000], table[3], threaded); /* stop */
	return local;
}
int main(int argc, char **argv)
{
	(void)argv;
	int result = work(argc + 1);
#ifdef LIBRARY
	result += in_library(result);
#endif
	if (getenv("CRASH"))
		abort(); /* crash */
	return result == 0;
}
"""
ASKED = ("local", "counter", "ratio", "large[60000]", "table[3]", "threaded")
LIBRARY = """
#include <stdio.h>
int wide = 5;
static char room[3000];
int in_library(int x)
{
	int inside = x + wide;
	room[2000] = 'z';
	printf("%d %d %d\\n", inside, wide, room[2000]); /* stop */
	return inside;
}
"""

# Linker, and what makes a layout of its own.
LAYOUTS = {
    "bfd": ((), ("-no-pie",), ("-Wl,-z,noseparate-code",), ("-Wl,-z,max-page-size=0x200000",), ("-static",),
            ("-static-pie",), ("-no-pie", "-Wl,-Ttext=0x800000"), ("-no-pie", "-Wl,-Ttext-segment=0x10000000")),
    "gold": ((), ("-no-pie",), ("-Wl,--rosegment",), ("-Wl,-z,max-page-size=0x200000",), ("-static",)),
    "lld": ((), ("-no-pie",), ("-Wl,--no-rosegment",), ("-Wl,-z,separate-code",),
            ("-Wl,-z,separate-loadable-segments",), ("-Wl,-z,max-page-size=0x200000",), ("-Wl,-z,norelro",),
            ("-static",), ("-static-pie",), ("-no-pie", "-Wl,-Ttext=0x800000"), ("-no-pie", "-static", "-Wl,-N")),
}


def linker(name):
    """The option of a compiler that takes that linker; None if it is not installed."""
    if name == "lld":
        found = next((path for path in map(shutil.which, ("ld.lld", "ld.lld-15", "ld.lld-14")) if path), None)
        return found and f"--ld-path={found}"
    return shutil.which(f"ld.{name}") and f"-fuse-ld={name}"


def line_of(source, mark):
    return next(number for number, text in enumerate(source.splitlines(), 1) if f"/* {mark} */" in text)


class Layout(e2e.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="xstep-layout-"))
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "program.c").write_text(PROGRAM)
        (self.folder / "library.c").write_text(LIBRARY)

    def build(self, name, *words):
        """Compiles with clang, which finds all linkers. Skips what does not link here."""
        path = self.folder / name
        result = e2e.run([e2e.CLANG, "-g", "-o", path, *words], cwd=self.folder)
        if result.returncode:
            self.skipTest(f"{result.rerun}: {result.stderr[:300]}")
        return path

    def linkers(self):
        found = [(name, linker(name)) for name in LAYOUTS]
        if not any(option for name, option in found if name == "lld"):
            self.skipTest("lld is not installed: apt-get install lld-15")
        return [(name, option) for name, option in found if option]

    def explain(self, *words):
        result = self.expect(e2e.xstep("explain", "--format", "json", *words))
        self.assertEqual(result.stderr, "", result.rerun)
        said = json.loads(result.stdout)
        return said["stop"], [one["value"] for one in said["variables"]]

    def explain_stop(self, program):
        asked = [word for name in ASKED for word in ("--var", name)]
        return self.explain("--at", f"program.c:{line_of(PROGRAM, 'stop')}", "--stdout", "/dev/null", *asked,
                            program)


class Programs(Layout):
    def check(self, name, option, flags):
        with self.subTest(linker=name, flags=flags):
            program = self.build("program", option, *flags, "program.c")
            stop, values = self.explain_stop(program)
            self.assertEqual(values, e2e.run([program]).stdout.split(), flags)
            self.assertEqual((stop["function"], stop["line"]), ("work", line_of(PROGRAM, "stop")))

    def test_every_layout(self):
        for name, option in self.linkers():
            for flags in LAYOUTS[name]:
                self.check(name, option, flags)

    @e2e.smoke
    def test_segments_that_share_a_page_of_the_file(self):
        option = dict(self.linkers())["lld"]
        for flags in LAYOUTS["lld"][:2]:
            self.check("lld", option, flags)

    def test_all_witnesses_agree(self):
        """A layout makes no difference: what is found is found with any linker."""
        found = {}
        for name, option in self.linkers():
            program = self.build(f"by-{name}", option, "program.c")
            result = e2e.xstep("diff", "--format", "json", "--stdout", "/dev/null", program)
            self.assertIn(result.returncode, (0, 1), result.rerun)
            found[name] = sorted(one["signature"] for one in json.loads(result.stdout)["clusters"])
        self.assertEqual(len(set(map(tuple, found.values()))), 1, found)


class Libraries(Layout):
    def test_every_layout(self):
        for name, option in self.linkers():
            for flags in ((), ("-Wl,-z,noseparate-code",), ("-Wl,--image-base=0x41000000",)
                          if name == "lld" else ("-Wl,-Ttext-segment=0x41000000",)):
                with self.subTest(linker=name, flags=flags):
                    library = self.build("library.so", option, *flags, "-shared", "-fPIC", "library.c")
                    program = self.build("program", option, "-DLIBRARY", "program.c", library,
                                         f"-Wl,-rpath,{self.folder}")
                    result = self.expect(e2e.xstep("trace", "--module", "library.so", "--vars", "all", "--format",
                                                   "json", "--stdout", "/dev/null", program))
                    self.assertEqual(result.stderr.count("warning"), 0, result.rerun)
                    line = line_of(LIBRARY, "stop")
                    seen, values = False, {}
                    for stop in e2e.stops(result):
                        for one in stop["vars"]:
                            values[one["path"]] = one["value"]
                        if stop["line"] == line and not seen:
                            seen = True
                            said = [values[path] for path in ("inside", "wide", "room[2000]")]
                            self.assertEqual(said, e2e.run([program]).stdout.splitlines()[1].split())
                    self.assertTrue(seen, result.rerun)


class Cores(Layout):
    def test_every_layout(self):
        if not shutil.which("gdb"):
            self.skipTest("gdb is not installed, and makes the core files")
        for name, option in self.linkers():
            for flags in LAYOUTS[name][:2]:
                with self.subTest(linker=name, flags=flags):
                    program = self.build("program", option, *flags, "program.c")
                    core = self.folder / "core"
                    e2e.run(["gdb", "-nx", "-batch", "-ex", "set env CRASH=1", "-ex", "run", "-ex",
                             f"generate-core-file {core}", program], env={**os.environ, "DEBUGINFOD_URLS": ""})
                    _, values = self.explain("--core", core, "--frame", "3", "--var", "result", "--var", "counter",
                                             "--var", "threaded", program)
                    self.assertEqual(values, ["4", "45", "77"])


if __name__ == "__main__":
    e2e.main()
