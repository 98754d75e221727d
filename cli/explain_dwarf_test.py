#!/usr/bin/python3
"""explain_dwarf_test.py - xstep explain on DWARF written by hand, end to end.

A subject (testdata/dwarf/dwarf_*.S) says in its first comment what to expect, one leaf a line:

    expect: STOP[:FRAME] PATH STATE [VALUE]

STOP is the name in `STOP(name)`, reached by its line (--at LINE), or a label at_STOP, reached by
its address (--at 0xPC); FRAME is --frame, 0 if not there; STATE is value, optimized-out, error or
absent; VALUE is the canonical text, or, of an error, its message. Floats are compared as numbers.
"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import dwarf_witnesses
import e2e


def same(told, expected):
    """Whether a canonical text is the expected one, or another text of the same float."""
    if told == expected:
        return True
    try:
        return "." in expected + told and float(told) == float(expected)
    except ValueError:
        return False


class HandWritten(e2e.TestCase):
    """Every expectation of every subject."""

    def explain(self, source, program, stop, frame, paths):
        """What xstep tells at a stop of some paths, by path, and its result."""
        line = e2e.stop_line(source, stop)
        at = line if line is not None else hex(e2e.stop_pc(program, stop))
        words = [word for path in paths for word in ("--var", path)]
        result = e2e.xstep("explain", "--at", at, "--frame", frame, *words, "--format", "json",
                           program)
        self.expect(result, int('"state":"absent"' in result.stdout))
        return {one["path"]: one for one in json.loads(result.stdout)["variables"]}, result

    def check(self, source):
        program = dwarf_witnesses.build(source)
        stops = {}
        for stop, frame, path, state, value in dwarf_witnesses.expectations(source):
            stops.setdefault((stop, frame), {})[path] = state, value
        for (stop, frame), expected in stops.items():
            told, result = self.explain(source, program, stop, frame, expected)
            for path, (state, value) in expected.items():
                with self.subTest(f"{source.stem} {stop}:{frame} {path}"):
                    rerun = f"\nrerun: {result.rerun}\n{result.stderr[-500:]}"
                    self.assertIn(path, told, rerun)
                    self.assertEqual(told[path]["state"], state, rerun)
                    text = told[path]["value"] or ""
                    if state == "error" and value:
                        self.assertEqual(told[path]["message"], value, rerun)
                    if state == "value" and not same(text, value):
                        self.fail(f"{text} and not {value}{rerun}")


class Proof(e2e.TestCase):
    def test_it_says_which_rule_made_it_declared(self):
        program = dwarf_witnesses.build(e2e.subject("dwarf_scope_optimised.S"))
        at = hex(e2e.stop_pc(program, "early"))
        for name, says in (("x", "declared here, for it has a place just here"),
                           ("y", "not yet declared here, by line numbers of optimised code"),
                           ("z", "not yet declared here, by line numbers of optimised code"),
                           ("k", "not yet declared here, by line numbers of optimised code")):
            result = self.expect(e2e.xstep("explain", "--at", at, "--var", name, program))
            self.assertIn(says, result.stdout)

    @e2e.smoke
    def test_an_entry_value_names_its_call_site(self):
        program = dwarf_witnesses.build(e2e.subject("dwarf_entry_value.S"))
        result = self.expect(e2e.xstep("explain", "--at", hex(e2e.stop_pc(program, "here")),
                                       "--var", "y", "--format", "json", program))
        steps = "\n".join(json.loads(result.stdout)["variables"][0]["steps"])
        self.assertRegex(steps, r"called from main: call site \.debug_info\+0x\w+ of "
                                r"dwarf_entry_value returns to 0x")
        self.assertIn("DW_AT_call_origin: callee", steps)
        self.assertIn("DW_AT_call_value: DW_OP_breg3 RBX+1, in the caller's frame: 0x1f", steps)


def add(source):
    name = "test_" + source.stem.removeprefix("dwarf_")
    setattr(HandWritten, name, lambda self: self.check(source))


for subject in sorted((e2e.TESTDATA / "dwarf").glob("dwarf_*.S")):
    add(subject)

if __name__ == "__main__":
    e2e.main()
