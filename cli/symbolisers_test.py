#!/usr/bin/python3
"""symbolisers_test.py - addr2line, llvm-symbolizer and eu-addr2line as witnesses of xstep diff.

Protected: what they say of the code at a pc is compared and judged; that they know no variables is no
loss; a symboliser that hangs, crashes or prints garbage, and names with line breaks, accuse nobody.
"""
import json
import os
import pathlib
import shlex
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e

LLVM = "llvm-symbolizer@llvm-symbolizer-15"
ALL = f"xstep,addr2line,{LLVM},eu-addr2line"
# An inlined call in two pieces, in a header that is the first file of the line table.
HEADER = """static inline __attribute__((always_inline)) int twice(int a)
{
	if (__builtin_expect(a == 77, 0)) {
		__builtin_printf("seldom %d\\n", a);
		__builtin_abort();
	}
	return a * 2 + a / 3;
}
static __attribute__((noinline)) int other(int b)
{
	return twice(b) + 1;
}
"""
SOURCE = """#include "first.h"
volatile int sink;
int main(int argc, char **argv)
{
	sink = other(argc);
	sink = twice(sink) + twice(argc);
	return 0;
}
"""
# Two pieces of one inlined call, so that its ranges are a list.
SPLIT = """volatile int sink, in = 3;
static inline __attribute__((always_inline)) int pieces(int a)
{
	int r = a * 3;
	sink = r;
	if (r > 5)
		sink += in;
	return r + sink;
}
int main(void)
{
	int s = 0;
	for (int i = 0; i < in; i++) {
		int t = in * i;
		s += pieces(in + s) + t;
		sink = s * t;
	}
	return s == 1;
}
"""
# An inlined function with a name of its own for the linker, and one in a namespace.
LABEL = """
static inline __attribute__((always_inline)) int foo(int n) __asm__("bar");
static volatile int sink = 3;
static inline int foo(int n)
{
	sink += n;
	return sink * n;
}
int main(void)
{
	return foo(2) + foo(sink) > 1000;
}
"""
NAMESPACE = """
static volatile int sink = 3;
namespace shapes {
struct Box {
	int side;
	__attribute__((noinline)) int area() const { return side * side + sink; }
};
}
int main()
{
	shapes::Box box{sink};
	return box.area() > 1000;
}
"""
FAKE = """#!/bin/sh
if [ "$1" = --version ]; then echo "GNU addr2line (fake) 1.0"; exit 0; fi
%s
"""


@unittest.skipUnless(shutil.which("llvm-symbolizer-15") and shutil.which("eu-addr2line"),
                     "llvm-15 and elfutils are not installed")
class Symbolisers(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def build(self, compiler, *flags, source=SOURCE, folder=None):
        folder = folder or self.folder
        folder.mkdir(exist_ok=True)
        (folder / "first.h").write_text(HEADER)
        (folder / "prog.c").write_text(source)
        result = e2e.run([compiler, "-g", *flags, "-o", folder / "prog", folder / "prog.c"], cwd=folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        return folder / "prog"

    def fake(self, body):
        path = self.folder / "fake tool"
        path.write_text(FAKE % body)
        path.chmod(0o755)
        return f"addr2line@{path}"

    def diff(self, program, witness=ALL, status=None, options=()):
        result = e2e.xstep("diff", "--witness", witness, "--sample", "unique", "--format", "json", *options, program)
        if status is not None:
            self.assertEqual(result.returncode, status, result.rerun + result.stderr + result.stdout)
        return json.loads(result.stdout), result

    def signatures(self, told):
        return {(cluster["signature"], cluster["basis"]) for cluster in told["clusters"]}

    @e2e.smoke
    def test_all_agree_and_questions_are_counted(self):
        """DWARF 4 of gcc, unoptimised: nobody is wrong, and that is not because nobody was asked."""
        told, _ = self.diff(self.build(e2e.GCC, "-O0", "-gdwarf-4"), status=0)
        self.assertEqual(told["discrepancies"], [])
        stops = told["summary"]["stops"]
        self.assertGreater(stops, 20)
        self.assertGreater(told["summary"]["compared"], 3 * stops)  # lines and functions, of three
        self.assertEqual([one["witness"] for one in told["witnesses"]],
                         ["xstep", "addr2line", "llvm-symbolizer", "eu-addr2line"])
        self.assertIn("2.", told["witnesses"][1]["version"])

    def test_the_first_file(self):
        """addr2line 2.40 gives rows before the first set_file another file: replayed, without anybody else."""
        program = self.build(e2e.GCC, "-O0")
        told, result = self.diff(program, "xstep,addr2line")
        if not told["clusters"]:
            self.skipTest("this addr2line has no such mistake")
        self.assertEqual(self.signatures(told), {("G6 lie line-table addr2line:first-file", "replayed")})
        one = told["discrepancies"][0]
        self.assertTrue(one["again"]["addr2line"]["same"])
        # What is printed can be pasted, and shows it.
        text = e2e.xstep("diff", "--witness", "xstep,addr2line", "--sample", "unique", program).stdout
        line = next(line for line in text.splitlines() if "by hand" in line).partition("by hand")[2]
        said = e2e.run(shlex.split(line)).stdout
        self.assertIn(one["facts"]["addr2line"]["value"], said)

    def test_ranges_by_index_and_no_aranges(self):
        """clang's DWARF 5: addr2line does not find a call in two pieces, eu-addr2line finds nothing at all."""
        told, _ = self.diff(self.build(e2e.CLANG, "-O2", source=SPLIT))
        got = self.signatures(told)
        self.assertIn(("G6 loss line-table eu-addr2line:aranges", "replayed"), got)
        self.assertFalse({one for one in got if "llvm" in one[0] or one[0].startswith("X")}, got)
        self.assertTrue(all(basis == "replayed" for _, basis in got), got)

    def test_a_linkage_name(self):
        """A function is called what the DWARF calls it, by whichever of its names a symboliser knows it."""
        told, _ = self.diff(self.build(e2e.CLANG, "-O2", source=LABEL), "xstep,addr2line,llvm-symbolizer", status=0)
        self.assertEqual(told["discrepancies"], [])
        self.assertGreater(told["summary"]["compared"], 20)

    def test_a_namespace(self):
        """Colons in functions' names keep nobody from being asked: every stop is compared with each."""
        program = self.build(e2e.GCC, "-x", "c++", "-O0", "-gdwarf-4", source=NAMESPACE)
        told, _ = self.diff(program, status=0)
        self.assertEqual(told["discrepancies"], [])
        self.assertGreater(told["summary"]["compared"], 6 * told["summary"]["stops"])
        self.assertEqual(told["summary"]["aside"]["not asked: xstep's driver could not"], 0)

    def test_split(self):
        """Split DWARF: addr2line and eu-addr2line know the skeleton alone, and that is the reason given."""
        told, _ = self.diff(self.build(e2e.GCC, "-O2", "-gsplit-dwarf"))
        got = self.signatures(told)
        self.assertIn(("G6 loss functions addr2line:split", "replayed"), got)
        self.assertIn(("G6 loss functions eu-addr2line:split", "replayed"), got)
        self.assertFalse({one for one in got if "?" in one[0] or one[0].startswith("X")}, got)

    def test_with_debuggers(self):
        """Beside gdb: what only it knows is compared with xstep alone, and a symboliser loses no variables."""
        told, _ = self.diff(self.build(e2e.GCC, "-O2", "-gdwarf-4"), "xstep,gdb,addr2line")
        for one in told["discrepancies"]:
            if one["aspect"] in ("variable", "lookup", "register", "frames", "presentation"):
                self.assertNotIn("addr2line", one["facts"])
        self.assertEqual(len(told["witnesses"]), 3)

    def test_store(self):
        """Their traces are traces: kept, valid, compared again."""
        store = self.folder / "t.db"
        program = self.build(e2e.GCC, "-O0")
        _, first = self.diff(program, options=("-o", store))
        self.assertEqual(e2e.xstep("store", "check", store).returncode, 0)
        again = e2e.xstep("diff", "--format", "json", store)
        self.assertEqual(json.loads(again.stdout)["clusters"], json.loads(first.stdout)["clusters"])

    def test_hostile_names(self):
        """Line breaks, colons, quotes in paths: what cannot be told apart is not held against anybody."""
        for name in ("a b", "it's", 'q"x', "line\nbreak", "col:7", "0x0000000000001139\nmain\nx.c:7"):
            with self.subTest(name=name):
                program = self.build(e2e.GCC, "-O0", "-gdwarf-4", folder=self.folder / name)
                told, result = self.diff(program, status=0)
                self.assertEqual(told["discrepancies"], [])
                self.assertGreater(told["summary"]["compared"], 20)

    def test_a_tool_that_hangs(self):
        told, result = self.diff(self.build(e2e.GCC, "-O0"), f"xstep,{self.fake('sleep 1000')}", 2, ("--patience", "1"))
        self.assertEqual(told["discrepancies"], [])
        self.assertIn("no answer after 1 s", told["witnesses"][1]["trouble"])

    def test_a_tool_that_prints_garbage(self):
        for body in ("echo hello", "head -c 3000000 /dev/urandom", "exit 3", "yes",
                     "echo 0x0000000000000000; echo main; echo x.c:1"):
            with self.subTest(body=body):
                told, _ = self.diff(self.build(e2e.GCC, "-O0"), f"xstep,{self.fake(body)}", 2)
                self.assertEqual(told["discrepancies"], [])
                self.assertIn("not understood", told["witnesses"][1]["trouble"])

    def test_a_tool_that_crashes(self):
        """At one address: what it says before counts, and the crash is a finding, since it happens again."""
        program = self.build(e2e.GCC, "-O0", "-gdwarf-4")
        told, _ = self.diff(program, "xstep,addr2line", 0)
        stops = e2e.xstep("trace", "--sample", "unique", "--format", "json", program).stdout.splitlines()
        pcs = list(dict.fromkeys(json.loads(line)["pc"] for line in stops if '"pc"' in line))
        bad = pcs[len(pcs) // 2]
        body = f'case " $* " in *" {bad} "*) kill -SEGV $$;; esac; exec addr2line "$@"'
        told, _ = self.diff(program, f"xstep,{self.fake(body)}", 2)
        self.assertIn(bad, told["witnesses"][1]["trouble"])
        self.assertEqual(self.signatures(told), {("G6 crash addr2line:died", "evidence")})
        self.assertEqual(told["discrepancies"][0]["stop"]["pc"], bad)

    def test_what_is_refused(self):
        program = self.build(e2e.GCC, "-O0")
        for witness, options, word in (
                ("addr2line", (), "goes with xstep"), ("xstep,addr2line", ("--sample", "none"), "goes with stops"),
                ("xstep,addr2lines", (), "is none of"), ("xstep,addr2line", ("--debug-root", "/"), "by itself")):
            with self.subTest(witness=witness, options=options):
                result = e2e.xstep("diff", "--witness", witness, *options, program)
                self.assertEqual(result.returncode, 2)
                self.assertIn(word, result.stderr)
        result = e2e.xstep("check", "opt", "--witness", "addr2line", program, program)
        self.assertEqual(result.returncode, 2)
        self.assertIn("a symboliser knows no variables", result.stderr)
        result = e2e.xstep("diff", "--witness", "xstep,addr2line@eu-addr2line", program)
        self.assertEqual(result.returncode, 2)
        self.assertIn("is no addr2line", result.stderr + result.stdout)

    def test_the_list(self):
        result = e2e.xstep("witness", "--json")
        kinds = [json.loads(line)["witness"] for line in result.stdout.splitlines()]
        for kind in ("addr2line", "llvm-symbolizer", "eu-addr2line"):
            self.assertIn(kind, kinds)
        empty = self.folder / "bin"
        empty.mkdir()
        result = e2e.run([e2e.XSTEP, "witness"], env={**os.environ, "PATH": str(empty)})
        self.assertIn("apt-get install elfutils", result.stdout)


if __name__ == "__main__":
    e2e.main()
