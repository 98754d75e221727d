#!/usr/bin/python3
"""cache_test.py - where only some stops are kept, `exact` runs the program in a code cache: the stops, their states,
the counts and what the program does are those of `single`. The ways that it goes are in testdata/tool/tool_ways.c."""
import collections
import json
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench" / "study"))
import e2e  # noqa: E402

BUILDS = ((e2e.GCC, ("-g", "-O0")), (e2e.CLANG, ("-g", "-O2")),
          (e2e.GCC, ("-g", "-O2", "-fno-pie", "-no-pie")), (e2e.CLANG, ("-g", "-O1", "-static")))
INFO = {"XSTEP_LOG": "engine:info"}


def with_values(told):
    """The stops with those variables that have a value: why one has none is not the engine's business."""
    stops = [json.loads(line) for line in told.splitlines()]
    for stop in stops:
        stop["vars"] = [leaf for leaf in stop["vars"] if leaf["state"] == "value"]
    return "".join(json.dumps(stop) + "\n" for stop in stops)


class Cache(e2e.TestCase):
    """Each in a folder of its own."""

    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def trace(self, program, *words, options=()):
        """What is told of the stops, the transitions, the last line, what the program writes."""
        told, edges, own = (self.folder / name for name in ("told", "edges", "own"))
        result = self.expect(e2e.xstep("trace", "--format", "json", "--stdout", own, "--transitions", edges,
                                       "-o", told, *options, program, *words))
        return (told.read_text(), [json.loads(line) for line in edges.read_text().splitlines()],
                result.stderr.splitlines()[-1], own.read_text())

    def test_all_is_as_in_single(self):
        """Registers, frames and variables at each kept stop; all counts."""
        for compiler, flags in e2e.some(BUILDS[:1], BUILDS):
            program = e2e.compile("tool_ways.c", compiler, flags)
            for way in ("calls", "jumps", "instructions", "fail"):
                with self.subTest(f"{compiler} {' '.join(flags)} {way}"):
                    states = ("--regs", "--frames", "--vars", "all")
                    single, cached = (self.trace(program, way, options=("--mode", mode, *states))
                                      for mode in ("single", "exact"))
                    self.assertEqual(single[1:], cached[1:])
                    self.expect_same_text([("single", with_values(single[0])),
                                           ("exact", with_values(cached[0]))])
                    self.assertIn("wrong: 0", cached[3])

    def test_flags_that_are_popped(self):
        """Single steps themselves get in the way of these."""
        program = e2e.compile("tool_ways.c", e2e.GCC, ("-g", "-O0"))
        self.assertEqual(self.trace(program, "flags")[3], e2e.run([program, "flags"]).stdout)

    @e2e.smoke
    def test_counts_balance_in_a_storm_of_signals(self):
        """Whenever they come: each instruction is left as often as it is arrived at, and the program finds
        nothing that is not its own."""
        for compiler, flags in e2e.some(BUILDS[:1], BUILDS):
            with self.subTest(f"{compiler} {' '.join(flags)}"):
                program = e2e.compile("tool_ways.c", compiler, flags)
                native = e2e.run([program, "storm"]).stdout
                _, edges, end, wrote = self.trace(program, "storm", options=("--sample", "unique"))
                self.assertEqual(wrote, native)
                balance = collections.Counter()
                for edge in edges:
                    balance[edge["pc"]] += edge["count"]
                    balance[edge["prev"]] -= edge["count"]
                self.assertEqual(balance.pop(None), -1)  # the first
                self.assertEqual([count for count in balance.values() if count], [1])  # the last
                self.assertEqual(sum(edge["count"] for edge in edges),
                                 int(re.search(r"(\d+) stops", end).group(1)))

    @e2e.smoke
    def test_a_long_run_is_counted(self):
        """A hundred million instructions: each round, and few stops."""
        program = e2e.compile("tool_ways.c", e2e.GCC, ("-g", "-O0"))
        told, edges, end, wrote = self.trace(program, "count")
        self.assertIn("542894464, wrong: 0", wrote)
        self.assertIn(20000000, [edge["count"] for edge in edges])
        self.assertGreater(int(re.search(r"(\d+) stops", end).group(1)), 10 ** 8)
        self.assertLess(told.count("\n"), 2000)

    def test_it_is_used(self):
        """Where stops are sampled, but not where each is wanted."""
        program = e2e.compile("tool_ways.c", e2e.GCC, ("-g", "-O0"))
        for options, used in ((("--sample", "dtd"), True), (("--sample", "unique"), True),
                              (("--sample", "none"), False), (("--level", "line"), False),
                              (("--limit", 10), False), (("--mode", "single"), False)):
            with self.subTest(str(options)):
                result = self.expect(e2e.xstep("trace", *options, "-o", "/dev/null", program, "jumps",
                                               env=INFO))
                self.assertEqual("code cache:" in result.stderr, used)

    def test_what_it_cannot_do_is_done_without(self):
        """Other threads, code that is written to, memory of its own that is taken away: it says so, and goes
        on."""
        for name, way in (("tool_text.c", "change"), ("tool_ways.c", "low"), ("tool_thread_ends.c", "exiting")):
            program = e2e.compile(name, e2e.GCC, ("-g", "-O0", "-pthread"))
            native = e2e.run([program, way])
            result = self.expect(e2e.xstep("trace", "-o", "/dev/null", program, way, env=INFO))
            self.assertIn("from here on without a code cache", result.stderr)
            self.assertIn(f"exited with status {native.returncode};", result.stderr)
            self.assertIn(native.stdout, result.stderr)


if __name__ == "__main__":
    e2e.main()
