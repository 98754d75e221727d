#!/usr/bin/python3
"""replay_test.py - the mistakes that debuggers are accused of, made on purpose (dwarf/mistake.h), come to
what the debuggers really say; and the ways to stops of the unique mode.

What gdb and lldb say is heard by `xstep diff`. Which of them is right, and by which rule, does not matter
here: a mistake must explain at least one of their words to the letter, and without a mistake the replay must
be what the trace says.
"""
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e
import replay_table

needs_debuggers = unittest.skipUnless(shutil.which("gdb") and shutil.which("lldb-15"), "needs both debuggers")

# Subject -> mistakes that explain something of it.
HAND_WRITTEN = {
    "dwarf_addrx": ["gdb:operator", "lldb:indexed", "lldb:operator"],
    "dwarf_arith": ["lldb:arithmetic", "lldb:div"],
    "dwarf_call_sites": ["gdb:abstract-callee", "gdb:inlined-entry-value", "lldb:entry-value"],
    "dwarf_calls": ["gdb:operator", "lldb:call", "lldb:gnu-operator"],
    "dwarf_cfi": ["gdb:callee-leftover"],
    "dwarf_const_data16": ["lldb:data16"],
    "dwarf_const_value": ["lldb:constant-data"],
    "dwarf_deref": ["lldb:deref-size"],
    "dwarf_entry_value": ["gdb:callee-leftover", "lldb:entry-value"],
    "dwarf_frames": ["lldb:split-function"],
    "dwarf_implicit": ["lldb:implicit-pointer"],
    "dwarf_loc": ["gdb:empty-first-entry"],
    "dwarf_loclists": ["gdb:empty-first-entry", "gdb:list-kind", "lldb:default-entry"],
    "dwarf_pieces": ["gdb:synthetic-pointer", "lldb:bit-piece", "lldb:gap-as-0"],
    "dwarf_places": ["lldb:cfa-restore"],
    "dwarf_ranges": ["lldb:empty-scope-range"],
    "dwarf_scope": ["gdb:block-without-code", "gdb:future-scope", "lldb:future-scope"],
    "dwarf_tls": ["lldb:tls"],
    "dwarf_typed": ["gdb:wide", "lldb:typed"],
}
COMPILED = (
    ("dtd/01_partial_location.c", e2e.CLANG, "-O1", ["gdb:behind-pieces", "lldb:piece"]),
    ("dtd/02_incompatible_types.c", e2e.CLANG, "-O1", ["lldb:mixed-types"]),
    ("dtd/04_future_scope.c", e2e.GCC, "-O0", ["gdb:future-scope"]),
    ("dtd/05_function_entry.c", e2e.GCC, "-O1", ["gdb:empty-first-entry"]),
    ("dtd/09_constant_data.c", e2e.GCC, "-O1", ["lldb:piece"]),
    ("dtd/10_implicit_pointer.c", e2e.GCC, "-O1", ["lldb:implicit-pointer"]),
    ("dtd/11_empty_range.c", e2e.GCC, "-O1", ["lldb:empty-scope-range"]),
    ("dtd/12_bit_fields.c", e2e.GCC, "-O0", ["lldb:bit-field"]),
    ("dtd/13_div.c", e2e.CLANG, "-O1", ["lldb:div"]),
    ("dtd/17_synthetic.c", e2e.CLANG, "-O2", ["gdb:synthetic-pointer"]),
    ("diff_demo.c", e2e.GCC, "-O2", ["lldb:entry-value", "lldb:gap-as-0"]),
    ("fair/fair_tail_abstract.c", e2e.GCC, "-O2", ["gdb:abstract-callee"]),
)
QUICK = ("dwarf_arith", "dwarf_loc", "dwarf_scope", "dwarf_pieces")


@needs_debuggers
class Replay(e2e.TestCase):

    def check(self, program, mistakes):
        explained = set()
        for debugger, _, case, said, own, _, others in replay_table.judge(program, every=True):
            self.assertTrue(own and replay_table.is_same(case["facts"]["xstep"], own, case["aspect"]),
                            f"{program}: {case['path']}: {own}, and the trace says {case['facts']['xstep']}")
            explained.update(others)
        self.assertEqual(set(mistakes) - explained, set(), f"{program}: these explain nothing")

    def test_quick(self):
        for name in QUICK:
            with self.subTest(name):
                self.check(e2e.compile(f"dwarf/{name}.S", e2e.GCC, ()), HAND_WRITTEN[name])

    def test_hand_written(self):
        for name in sorted(set(HAND_WRITTEN) - set(QUICK)):
            with self.subTest(name):
                self.check(e2e.compile(f"dwarf/{name}.S", e2e.GCC, ()), HAND_WRITTEN[name])

    def test_compiled(self):
        for name, compiler, level, mistakes in COMPILED:
            with self.subTest(name):
                self.check(e2e.compile(name, compiler, ("-g", level)), mistakes)


class Routes(e2e.TestCase):
    """Ways to the stops of a trace."""

    SOURCE = """
        #include <stdio.h>
        static int work(int n)
        {
            int s = 0;
            for (int i = 0; i < n; i++)
                if (i % 3 == 0)
                    s += i;
                else
                    s--;
            return s;
        }
        int main(void)
        {
            int t = 0, c = getchar(); /* each run must read the same */
            for (int k = 0; k < 500 && c == 'x'; k++)
                t += work(k % 7);
            printf("%d\\n", t);
            return 0;
        }
        """

    def stops(self, program, *words):
        result = e2e.xstep("trace", "--format", "json", "--stdin", self.text, *words, program)
        return [stop for stop in e2e.stops(result) if "pc" in stop]

    def test_ways_of_the_unique_mode(self):
        """The way to each stop of a unique trace leads to the first time that its transition is taken."""
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "loop.c"
            source.write_text(self.SOURCE)
            program = e2e.compile(source)
        self.text = program.parent / "text"
        self.text.write_text("x")
        unique = self.stops(program, "--mode", "unique", "--sample", "unique")
        exact = self.stops(program, "--sample", "all")
        asked = [{"stop": {**stop, "number": stop["stop"]}, "decl": None, "scope": None, "var": None,
                  "path": None, "frame": 0, "aspect": "line", "signature": ""} for stop in unique]
        entry, first = exact[0]["pc"], {}
        for number, stop in enumerate(exact):
            first.setdefault((stop["prev"], stop["pc"]), number)
        for stop, found in zip(unique, replay_table.replay(program, asked, ("--stdin", self.text))):
            place, arrivals, step = (int(word, 0) for word in found["route"])
            wanted = first[stop["prev"], stop["pc"]]
            if not arrivals:
                self.assertLessEqual(wanted, 1)
                continue
            there = [number for number, one in enumerate(exact)
                     if number and int(one["pc"], 0) & 0xfff == place & 0xfff]
            self.assertEqual(there[arrivals - 1] + step, wanted, f"{stop} by {found['route']} from {entry}")


class Leftovers(e2e.TestCase):
    """Call-clobbered registers of callers: what they held at the call, and whether they still do."""

    SOURCE = """
        static volatile int sink;
        __attribute__((noinline)) static int spoil(int a)
        {
            sink = a;
            __asm__ volatile("xorl %%edx, %%edx; xorl %%esi, %%esi" ::: "edx", "esi");
            return a;
        }
        __attribute__((noinline)) static int outer(int a, int b, int c)
        {
            sink = c;
            int r = spoil(a + b);
            return r + 1;
        }
        int main(void)
        {
            int t = 0;
            for (int i = 0; i < 3; i++)
                t += outer(i, 1, 40 + i);
            return t & 1;
        }
        """

    def test_a_register_is_written_or_not(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "spoil.c"
            source.write_text(self.SOURCE)
            program = e2e.compile(source, e2e.CLANG, ("-g", "-O2"))
        result = e2e.xstep("trace", "--format", "json", "--sample", "all", program)
        inside = [stop for stop in e2e.stops(result) if stop.get("function") == "spoil"]
        asked = [{"stop": {**stop, "number": stop["stop"]}, "decl": None, "scope": "outer", "var": "c",
                  "path": "c", "frame": 1, "aspect": "variable", "signature": ""} for stop in inside]
        told = [found["leftover"] for found in replay_table.replay(program, asked)]
        self.assertTrue(all(known == "1" for _, known, _, _ in told), told)
        self.assertEqual([int(value, 0) for *_, value in told],
                         [40 + call for call in range(3) for _ in range(len(inside) // 3)])
        for call in range(3):
            one = told[call * len(inside) // 3:(call + 1) * len(inside) // 3]
            self.assertEqual((one[0][2], one[-1][2]), ("0", "1"), "not yet written at the entry, but at the end")


if __name__ == "__main__":
    e2e.main()
