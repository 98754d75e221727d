#!/usr/bin/python3
"""witness_versions_test.py - xstep trace --witness with lldb of other versions than the one installed:
those that bench/study/other_debuggers.py has fetched."""
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import compare_drive
import compare_witness
import e2e
import other_debuggers


class OtherVersions(e2e.TestCase):
    """lldb of other versions than the one installed."""

    def each(self):
        found = other_debuggers.there()
        if not found:
            self.skipTest("no other lldb is there: bench/study/other_debuggers.py fetches 14, 16 and 19")
        for version, path in found.items():
            with self.subTest(f"lldb-{version}"):
                yield f"lldb@{path}", version

    def test_they_are_found_on_path(self):
        path = f"{other_debuggers.CACHE}:{os.environ['PATH']}"
        versions = {version for _, version in self.each()}
        result = e2e.xstep("witness", "--json", env={**os.environ, "PATH": path})
        found = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertLessEqual(versions, {who["version"].split()[2].split(".")[0] for who in found
                                        if who["witness"] == "lldb" and not who["problem"]})

    def test_every_type_in_the_same_words(self):
        for witness, _ in self.each():
            counts, opened = compare_witness.compare(e2e.compile("types_all.c"), (witness,), "all")
            self.assertEqual(opened, [])
            self.assertGreater(counts[f"{witness}: equal leaves"], 100000)

    def test_walks_are_the_same(self):
        for witness, _ in self.each():
            for name in ("leave_callback", "leave_longjmp", "signal_fault"):
                program = e2e.compile(f"{name}.c", e2e.CLANG, ("-g", "-O2"))
                (_, ours), (_, theirs) = (compare_witness.trace(program, who)
                                          for who in ("xstep", witness))
                self.assertEqual(ours, theirs, name)

    def test_every_way_of_driving(self):
        program = e2e.compile("demo.c")
        for witness, _ in self.each():
            said = [self.expect(e2e.xstep("trace", "--witness", witness, "--vars", "all", "--frames",
                                          "--regs", "--format", "json", *how, program)).stdout
                    for how in ((), ("--plan",), ("--ask", "all"))]
            self.assertEqual(said[0], said[1])
            self.assertEqual(said[0], said[2])
            for level in ("line", "break"):
                result = self.expect(e2e.xstep("trace", "--witness", witness, "--level", level,
                                               "--sample", "all", "--format", "json", program))
                self.assertLessEqual({20, 21, 22, 23, 24, 25, 10},
                                     {stop.get("line") for stop in e2e.stops(result)})

    def test_the_same_of_a_process_that_they_share(self):
        for witness, _ in self.each():
            for source, compiler, level in (("diff_demo.c", e2e.GCC, "-O2"),
                                            ("vars_change.c", e2e.CLANG, "-O1"),
                                            ("insn_branch.c", e2e.GCC, "-O0")):
                program = e2e.compile(source, compiler, ("-g", level))
                counts, opened = compare_drive.compare(program, (), (witness,))
                self.assertEqual(opened, [], source)
                self.assertGreater(counts["lldb: stops told"], 5)


if __name__ == "__main__":
    e2e.main()
