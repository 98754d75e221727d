#!/usr/bin/python3
"""compare_lines.py - where do gdb's `step`, lldb's `thread step-in` and xstep's steps by line stop?

Each program is stepped by line, from main to its end or for --limit steps, by all three. The stops of a
debugger are laid beside xstep's; what only one of them has is put down to a named behaviour (NAMED)
by evidence: the rows of the line table as objdump has them, the calls in the code, the functions that are
inlined at the pc. Exit status 1 if a stop is left that no behaviour explains.

Programs: csmith's (--seeds N), gcc's torture tests (--torture N), or the sources named.
"""
import bisect
import collections
import difflib
import itertools
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import compare_steps
import compare_vars
import e2e
import line_rows
import over_builds


class Stop:
    """One step's end."""

    def __init__(self, told, before):
        self.pc, self.line, self.function = int(told["pc"], 16), told["line"], told["function"]
        self.inlined = told.get("inlined")
        self.shown = (told.get("shown") or {}).get("function")
        self.before = before  # the stop that the same witness had before, or None


def steps(program, witness, limit):
    """(stops, whether these are all)."""
    result = e2e.xstep("trace", "--witness", witness, "--level", "line", "--sample", "all", "--format",
                       "json", "--limit", limit, "--vars", "none", program, timeout=600)
    if result.returncode:
        raise over_builds.Trouble(f"{result.rerun}: {result.stderr[-500:]}")
    found = []
    for told in e2e.stops(result):
        if "stop" in told:
            found.append(Stop(told, found[-1] if found else None))
    return found, len(found) < limit


class Code:
    """What the program's code and line table say of an address."""

    def __init__(self, program):
        self.sequences = line_rows.read(program)
        self.returns, self.entries, after_call = set(), set(), False
        for line in e2e.run(["objdump", "-d", "--no-show-raw-insn", program]).stdout.splitlines():
            name = re.match(r"^([0-9a-f]+) <(.*)>:$", line)
            if name:
                self.entries.add(int(name.group(1), 16))
            code = re.match(r"^ *([0-9a-f]+):\t(.*)$", line)
            if code:
                pc = int(code.group(1), 16)
                if after_call:
                    self.returns.add(pc)
                after_call = code.group(2).startswith("call") or "\tcall" in line
        self.entries = sorted(self.entries)

    def rows_at(self, pc):
        sequence = line_rows.find(self.sequences, pc)
        return [row for row in sequence.at(pc) if row.address == pc] if sequence else []

    def is_statement(self, pc):
        return any(row.is_stmt and row.line for row in self.rows_at(pc))

    def function_of(self, pc):
        """The entry of the function that pc is in."""
        return self.entries[bisect.bisect_right(self.entries, pc) - 1]

    def first_rows(self, entry):
        """The last row at a function's first address, and the first one behind it; None for none."""
        sequence = line_rows.find(self.sequences, entry)
        if not sequence:
            return None, None
        behind = [row for row in sequence.rows if row.address > entry and row.line]
        return sequence.at(entry)[-1], behind[0] if behind else None

    def row_of(self, pc):
        """The row that covers pc, the last of its address."""
        sequence = line_rows.find(self.sequences, pc)
        return sequence.at(pc)[-1] if sequence else None


class Case:
    """A stop that one of the two has and the other has not, with what there is to see at its pc."""

    def __init__(self, code, stop, theirs, optimised):
        rows = code.rows_at(stop.pc)
        before = stop.before
        self.theirs = theirs                      # whose it is: the debugger's, or xstep's
        self.optimised = optimised
        self.midst = not rows                     # no row begins there
        self.statement = any(row.is_stmt and row.line for row in rows)
        self.marked = any(row.is_stmt for row in rows)
        self.returned = stop.pc in code.returns   # behind a call
        self.entry = stop.pc in code.entries      # a function's first instruction
        self.inlined = bool(stop.inlined)
        lines = {row.line for row in rows if row.is_stmt} or {stop.line}
        self.same_line = bool(before) and before.line in lines
        call = code.row_of(stop.pc - 1)
        self.call_line = self.returned and bool(call) and call.line in lines
        first, second = code.first_rows(code.function_of(stop.pc))
        # The function begins on the line that it goes on with.
        self.one_line = bool(second) and first.line == second.line
        # The last row at its address, which is that of its pc, is of the line that was stepped before.
        self.covered = self.statement and bool(before) and rows[-1].line == before.line
        self.second = bool(second) and second.address == stop.pc


# (debugger, whose stop it is, evidence, name)
NAMED = (
    (None, "theirs", lambda case: case.returned and not case.statement,
     "where a call returned to, in the midst of its line"),
    (None, "theirs", lambda case: case.call_line,
     "where a call returned to, though a row of the same line begins there"),
    (None, "theirs", lambda case: case.entry and case.optimised,
     "first instruction of an optimised function, though its prologue_end is further on"),
    (None, "theirs", lambda case: case.entry and not case.one_line,
     "first instruction of what library code calls"),
    ("lldb", "theirs", lambda case: case.entry and case.one_line,
     "a function on one line: its prologue is not skipped"),
    ("lldb", "theirs", lambda case: not case.midst and not case.marked,
     "a row without is_stmt"),
    (None, "theirs", lambda case: case.midst, "in the midst of a line that was branched into"),
    (None, "theirs", lambda case: case.statement and case.same_line,
     "the line that is being stepped begins again"),
    ("gdb", "theirs", lambda case: case.inlined and not case.marked,
     "first instruction of an inlined call, though its row is without is_stmt"),
    ("lldb", "ours", lambda case: case.covered,
     "a statement begins, but the last row of its address is of the line that is being stepped"),
    ("lldb", "ours", lambda case: case.one_line and case.second,
     "a function on one line: behind its prologue lldb does not stop again"),
)


def name_of(witness, case):
    """The behaviour that a case belongs to, or None."""
    for who, whose, evidence, name in NAMED:
        if who in (None, witness) and (whose == "theirs") == case.theirs and evidence(case):
            return name
    return None


def once(stops):
    """To debuggers entering an inlined call is a step that does not move the pc: such stops are taken
    out. Returns (what is left, how many were taken out)."""
    left = [stop for stop in stops if not stop.before or stop.before.pc != stop.pc or not stop.inlined]
    return left, len(stops) - len(left)


def compare(program, witnesses, limit, optimised):
    """Returns (counts, texts of what nothing explains)."""
    counts, opened = collections.Counter(), []
    code = Code(program)
    ours, whole = steps(program, "xstep", limit)
    counts["steps of xstep"] = len(ours)
    for witness in witnesses:
        theirs, all_theirs = steps(program, witness, limit)
        counts[f"{witness}: steps"] = len(theirs)
        theirs, again = once(theirs)
        counts[f"{witness}: into an inlined call, in place"] += again
        pcs = [[stop.pc for stop in some] for some in (ours, theirs)]
        for tag, i, i_end, j, j_end in difflib.SequenceMatcher(None, *pcs, autojunk=False).get_opcodes():
            if tag == "equal":
                counts[f"{witness}: the same"] += i_end - i
                continue
            if (i_end == len(ours) and not whole) or (j_end == len(theirs) and not all_theirs):
                counts[f"{witness}: behind the limit"] += i_end - i + j_end - j
                continue
            for stops, is_theirs in ((ours[i:i_end], False), (theirs[j:j_end], True)):
                for stop in stops:
                    whose = witness if is_theirs else "xstep"
                    name = name_of(witness, Case(code, stop, is_theirs, optimised))
                    counts[f"{witness}: {whose} only: {name or 'OPEN'}"] += 1
                    if not name:
                        opened.append(f"{whose} only, against {witness}: {stop.pc:#x} line {stop.line} "
                                      f"after {stop.before and hex(stop.before.pc)} line "
                                      f"{stop.before and stop.before.line}")
    return counts, opened


def sources(seeds, torture):
    yield from itertools.islice(compare_vars.short_sources(), seeds)
    yield from compare_steps.torture_sources(torture, e2e.CACHE / "torture")


def main():
    parser = over_builds.parser(__doc__, "-O0,-O1,-O2")
    parser.add_argument("--torture", type=int, default=4, help="gcc's torture tests (4)")
    parser.add_argument("--limit", type=int, default=300, help="steps of each program (300)")
    parser.add_argument("--witnesses", default="gdb,lldb", help="(%(default)s)")
    options = parser.parse_args()
    sys.exit(over_builds.run(
        options, lambda: sources(options.seeds, options.torture),
        (options.witnesses, str(options.limit)),
        lambda program, level: compare(program, options.witnesses.split(","), options.limit,
                                       level != "-O0"), by_level=True))


if __name__ == "__main__":
    main()
