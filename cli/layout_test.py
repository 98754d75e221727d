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


DISCARDED = """
#include <stdio.h>
int used = 3;
int unused = 17;
static int unused_local = 18;
int unused_zero;
const char unused_text[4] = "abc";
int nobody(int x)
{
	static int unused_inside = 7;
	return x * unused_local + unused_zero + unused_text[x & 3] + unused + unused_inside++;
}
static __attribute__((noinline)) int fold_a(int p) { int q = p + 4; return q * q; }
static __attribute__((noinline)) int fold_b(int r) { int s = r + 4; return s * s; }
int main(void)
{
	int local = used + 20;
	printf("%d %d %d\\n", local, fold_a(local), fold_b(local)); /* stop */
	return 0;
}
"""
UNUSED = ("unused", "unused_local", "unused_zero", "unused_text[0]")
SECTIONS = ("-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections")
THREADED = """
#include <stdio.h>
static __thread int threaded = 77;
int main(void)
{
	printf("%d\\n", threaded); /* stop */
	return 0;
}
"""


class Discarded(Layout):
    """What the linker throws away leaves an address behind that is none."""

    def setUp(self):
        super().setUp()
        (self.folder / "discarded.c").write_text(DISCARDED)

    def gone(self, program):
        asked = [word for name in ("local", "used", *UNUSED) for word in ("--var", name)]
        result = self.expect(e2e.xstep("explain", "--format", "json", "--stdout", "/dev/null", "--at",
                                       f"discarded.c:{line_of(DISCARDED, 'stop')}", *asked, program))
        said = {one["path"]: one for one in json.loads(result.stdout)["variables"]}
        self.assertEqual((said["local"]["value"], said["used"]["value"]), ("23", "3"), result.rerun)
        for name, one in said.items():
            if name not in ("local", "used"):
                self.assertEqual((one["state"], one["message"]),
                                 ("optimized-out", "the linker threw it away: its address is none"), result.rerun)

    def test_collected_variables_are_not_there(self):
        for name, option in self.linkers():
            for flags in (("-gdwarf-4",), ("-gdwarf-5",), ("-gdwarf-5", "-no-pie")):
                with self.subTest(linker=name, flags=flags):
                    self.gone(self.build("program", option, *SECTIONS, *flags, "discarded.c"))

    @e2e.smoke
    def test_gcc(self):
        program = self.folder / "program"
        result = e2e.run([e2e.GCC, "-g", *SECTIONS, "-o", program, "discarded.c"], cwd=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.gone(program)

    def test_whatever_the_linker_leaves(self):
        option = dict(self.linkers())["lld"]
        for left in ("0", "1", "0xffffffffffffffff", "0xfffffffffffffffe"):
            for section in (".debug_info", ".debug_addr"):
                with self.subTest(left=left, section=section):
                    version = "-gdwarf-4" if section == ".debug_info" else "-gdwarf-5"
                    self.gone(self.build("program", option, *SECTIONS, version,
                                         f"-Wl,-z,dead-reloc-in-nonalloc={section}={left}", "discarded.c"))

    def test_large_function_that_is_gone_claims_no_code(self):
        """Its lines and ranges begin at 0, and reach behind the first code of a program that is linked low."""
        (self.folder / "large.c").write_text("void nobody_large(void) { __asm__(\".fill 0x90000, 1, 0x90\"); }\n")
        program = self.build("program", *SECTIONS, "-no-pie", "-static", "-Wl,-Ttext-segment=0x10000",
                             "discarded.c", "large.c")
        line = line_of(DISCARDED, "stop")
        stop, values = self.explain("--stdout", "/dev/null", "--at", f"discarded.c:{line}", "--var", "local", program)
        self.assertEqual((stop["function"], stop["line"], values), ("main", line, ["23"]))
        self.assertLess(int(stop["pc"], 16), 0x90000)

    def test_gdb_is_right_about_them(self):
        """lldb 15 shows the bytes of the ELF header."""
        program = self.folder / "program"
        made = e2e.run([e2e.GCC, "-g", *SECTIONS, "-o", program, "discarded.c"], cwd=self.folder)
        self.assertEqual(made.returncode, 0, made.stderr)
        result = e2e.xstep("diff", "--format", "json", "--stdout", "/dev/null", program)
        for cluster in json.loads(result.stdout)["clusters"]:
            self.assertEqual((cluster["signature"], cluster["basis"]), ("G2 extra lldb:discarded", "replayed"),
                             result.rerun)

    def test_gdb_is_wrong_about_units_that_it_reads_late(self):
        """What it reads when the program runs is relocated, and no longer 0."""
        (self.folder / "late.c").write_text("int late_unused = 5;\nint late(int x) { return x + 1; }\n")
        (self.folder / "early.c").write_text("int late(int);\nint main(void) { return late(1) != 2; }\n")
        program = self.folder / "program"
        made = e2e.run([e2e.GCC, "-g", *SECTIONS, "-o", program, "early.c", "late.c"], cwd=self.folder)
        self.assertEqual(made.returncode, 0, made.stderr)
        result = e2e.xstep("diff", "--format", "json", program)
        self.assertEqual({(cluster["signature"], cluster["basis"])
                          for cluster in json.loads(result.stdout)["clusters"]},
                         {("G4 extra gdb:discarded", "replayed"), ("G2 extra lldb:discarded", "replayed")},
                         result.rerun)

    def test_nobody_is_wrong_about_folded_code(self):
        for name, option in self.linkers():
            if name == "bfd":
                continue
            with self.subTest(linker=name):
                program = self.folder / "program"
                flags = (f"-B{self.folder}", "-fuse-ld=lld") if name == "lld" else (option,)
                if name == "lld" and not (self.folder / "ld.lld").exists():
                    (self.folder / "ld.lld").symlink_to(option.partition("=")[2])
                made = e2e.run([e2e.GCC, "-g", "-O1", "-ffunction-sections", *flags, "-Wl,--icf=all", "-o",
                                program, "discarded.c"], cwd=self.folder)
                self.assertEqual(made.returncode, 0, made.stderr)
                result = e2e.xstep("diff", "--format", "json", "--stdout", "/dev/null", program)
                found = json.loads(result.stdout)
                self.assertEqual(found["clusters"], [], result.rerun)
                self.assertIn("code of several functions or names", json.dumps(found["summary"]), result.rerun)

    def test_offset_behind_thread_local_storage_is_the_producers(self):
        (self.folder / "threaded.c").write_text(THREADED)
        program = self.folder / "program"
        made = e2e.run([e2e.GCC, "-g", "-gdwarf-4", "-gsplit-dwarf", "-o", program, "threaded.c"], cwd=self.folder)
        self.assertEqual(made.returncode, 0, made.stderr)
        result = self.expect(e2e.xstep("explain", "--format", "json", "--stdout", "/dev/null", "--var", "threaded",
                                       program))
        one = json.loads(result.stdout)["variables"][0]
        if one["state"] == "value":
            self.assertEqual(one["value"], "77")
            self.skipTest(f"{e2e.GCC} writes an offset")
        self.assertEqual((one["state"], one["value"]), ("error", None))
        self.assertIn("is no offset in thread-local storage", one["message"])
        found = e2e.xstep("diff", "--format", "json", "--stdout", "/dev/null", program)
        for cluster in json.loads(found.stdout)["clusters"]:
            self.assertIn("producer:tls-offset", cluster["signature"], found.rerun)


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
