#!/usr/bin/python3
"""check_start_test.py - xstep check levels --start-by, end to end: the ways in which debuggers get to where
steps begin.
"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e

HAVE = [json.loads(line) for line in e2e.xstep("witness", "--json").stdout.splitlines()]
WORKING = [who["witness"] for who in HAVE if who["witness"] in ("gdb", "lldb") and not who["problem"]]
needs_debuggers = e2e.unittest.skipUnless({"gdb", "lldb"} <= set(WORKING), "needs gdb and lldb")


class Start(e2e.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.program = e2e.compile("check_start.c", e2e.GCC, ("-g", "-O0"))

    def levels(self, *words):
        return e2e.xstep("check", "levels", "--format", "json", *words, self.program)

    def first(self, witness, place):
        """The first stop of line steps that begin there: line, and the variables' values."""
        said = e2e.xstep("trace", "--witness", witness, "--level", "line", "--sample", "all", "--vars",
                         "locals", "--limit", 1, "--format", "json", "--from", place, self.program)
        self.expect(said, 0)
        stop = next(one for one in e2e.stops(said) if "line" in one)
        values = {(one["path"], one["value"]) for one in stop["vars"] if one["frame"] == 0}
        return stop["pc"], stop["line"], values

    def arrival(self):
        """The second arrival at `sum += t`, by its address."""
        return "*%s#2" % self.first("xstep", "check_start.c:19")[0]

    @needs_debuggers
    def test_each_way_arrives_where_xstep_does(self):
        for way in ("until check_start.c:19", "advance check_start.c:10", "advance twice", self.arrival()):
            own = self.first("xstep", way)
            for witness in ("gdb", "lldb"):
                with self.subTest(f"{witness} {way}"):
                    self.assertEqual(self.first(witness, way), own)
        self.assertIn(("sum", "0"), self.first("gdb", "until check_start.c:19")[2])
        self.assertIn(("t", "2"), self.first("gdb", self.arrival())[2])

    @needs_debuggers
    def test_until_stays_in_main(self):
        said = self.levels("--witness", "xstep,gdb", "--from", "check_start.c:10", "--start-by", "until")
        self.expect(said, 2, "not reached: until check_start.c:10: that is not in the frame of main")

    @needs_debuggers
    def test_a_start_that_is_not_reached_is_left_out(self):
        """gdb 13 finds no line 28 to run to: that is told and counted, and is no violation."""
        program = e2e.compile("check_leap.c", e2e.GCC, ("-g", "-O2"))
        said = e2e.xstep("check", "levels", "--format", "json", "--no-break", "--witness", "xstep,gdb",
                         "--random-starts", 2, "--seed", 3, "--start-by", "until", program)
        self.expect(said, 0)
        self.assertIn("that start is left out", said.stderr)
        starts, = [one for one in json.loads(said.stdout)["summary"]["asked"] if one["what"] == "starts"]
        self.assertEqual(starts["asked"] + sum(starts["left"].values()), 2)

    @needs_debuggers
    def test_nobody_is_wrong(self):
        """The breakpoint on the loop's line is where the program was before steps began."""
        said = self.levels("--witness", "xstep,gdb", "--from", "check_start.c:19", "--start-by", "until")
        self.expect(said, 0)
        left = [one["left"] for one in json.loads(said.stdout)["summary"]["asked"]
                if one["what"] == "breakpoints"]
        self.assertIn("whose breakpoint may be where the program was before the start", str(left))

    @e2e.smoke
    def test_random(self):
        """The same seed begins at the same arrivals."""
        def starts(seed):
            said = self.levels("--start-by", "random", "--random-starts", 2, "--seed", seed)
            self.expect(said, 0)
            asked = {one["what"]: one["asked"] for one in json.loads(said.stdout)["summary"]["asked"]}
            self.assertEqual(asked["starts"], 2)
            found = [line for line in said.stderr.splitlines() if "#" in line]
            self.assertTrue(found)
            return found
        first = starts(1)
        self.assertEqual(starts(1), first)
        self.assertNotEqual(starts(2), first)

    def test_what_does_not_go_together(self):
        self.expect(self.levels("--start-by", "until"), 2, "it takes a place to get to")
        self.expect(self.levels("--start-by", "random", "--from", "twice"), 2, "does not go with --from")
        self.expect(self.levels("--start-by", "somehow", "--from", "twice"), 2, "somehow")
        self.expect(e2e.xstep("check", "levels", "--start-by", "random", "x.db"), 2, "not a trace store")


if __name__ == "__main__":
    e2e.main()
