#!/usr/bin/python3
"""compare_drive.py - do debuggers say the same of xstep's process as of one of their own?

Each program is traced by gdb and lldb in both drives, shared and native, with all variables, frames
and registers. The stops must be the same, and so must everything told at them: places, what the
frame shows, inlined calls, backtraces, registers, and every leaf of every variable with its state,
value and message. Memory that the program never wrote is the same in both drives: AT_RANDOM's bytes and
the stack below main are set by either. Every difference must belong to a named behaviour (NAMED). Exit
status 1 if one does not.

Programs: csmith's (--seeds N) of at most --most instructions at -O0, or the sources named.
"""
import collections
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import diff_table
import e2e
import over_builds

WITNESSES = ("gdb", "lldb")
FACTS = ("function", "file", "line", "column", "shown", "inlined", "frames", "frame_count", "regs")
# (witness, kind of fact, pattern for `what: shared | native`): a name for what it does.
FIRST = "first stop, at an inlined call: the caller, as after a step, or the call, as after a signal"
# In native drive the debugger is brought to the first stop by a trap that is not its own.
NAMED = tuple(("lldb", kind, "^first stop: ", FIRST) for kind in ("shown", "frames", "leaf"))


def trace(program, drive, *options, witnesses=WITNESSES, ask="all"):
    """{witness: {(prev, pc, n): stop}}"""
    result = e2e.xstep("trace", "--witness", ",".join(("xstep", *witnesses)), "--drive", drive, "--vars", "all",
                       "--frames", "--regs", "--ask", ask, "--format", "json", *options, program,
                       timeout=1800)
    if result.returncode:
        raise over_builds.Trouble(f"{result.rerun}: {result.stderr[-500:]}")
    told, stops = {}, None
    for line in map(json.loads, result.stdout.splitlines()):
        if "witness" in line:
            stops = told.setdefault(line["witness"], {})
        else:
            stops[line["prev"], line["pc"], line["n"]] = line
    return told


class State:
    """What a witness has said of variables up to a stop."""

    def __init__(self):
        self.leaves = {}

    def apply(self, facts):
        for fact in facts:
            key = (fact["scope"], fact["var"], fact["decl"]["line"], fact.get("nth", 0),
                   fact["depth"], fact["path"])
            if fact["state"] == "absent":
                self.leaves.pop(key, None)
            else:
                self.leaves[key] = (fact["state"], fact["value"], fact.get("enumerator"),
                                    fact["message"], fact["type"], fact["shadowed"])


def differences(shared, native):
    """Yields (kind, text) of what differs between the stops of one witness; ("same", None) for what
    does not."""
    if list(shared) != list(native):
        odd = sorted(set(shared) ^ set(native), key=str)[:3]
        yield "stops", f"{len(shared)} | {len(native)}: {odd}"
        return
    states = State(), State()
    seen = set()
    for key, stop in shared.items():
        other = native[key]
        where = ("first stop: " if stop["prev"] is None and stop["inlined"] else "") + \
            f"{stop['pc']} n {stop['n']}"
        for fact in FACTS:
            if stop.get(fact) == other.get(fact):
                yield "same", None
            else:
                yield fact, f"{where}: {stop.get(fact)} | {other.get(fact)}"
        for state, told in zip(states, (stop, other)):
            state.apply(told.get("vars", ()))
        ours, theirs = (state.leaves for state in states)
        if ours == theirs:
            yield "same", None
            continue
        for leaf in {**ours, **theirs}:
            a, b = ours.get(leaf), theirs.get(leaf)
            if a != b and (leaf, a, b) not in seen:
                seen.add((leaf, a, b))
                yield "leaf", f"{where}: {leaf}: {a} | {b}"


def name_of(witness, kind, text):
    for who, what, pattern, name in NAMED:
        if who == witness and what == kind and re.search(pattern, text):
            return name
    return None


def compare(program, options, witnesses=WITNESSES, ask="all"):
    """(counts, texts that have no name); a witness may be one of another version: lldb@PATH."""
    counts, opened = collections.Counter(), []
    shared, native = (trace(program, drive, *options, witnesses=witnesses, ask=ask)
                      for drive in ("shared", "native"))
    for witness in (who.partition("@")[0] for who in witnesses):
        counts[f"{witness}: stops told"] += len(shared[witness])
        for kind, text in differences(shared[witness], native[witness]):
            name = text and name_of(witness, kind, text)
            counts[f"{witness}: {name or kind}"] += 1
            if text and not name:
                opened.append(f"{witness} {kind} {text}")
    return counts, opened


def main():
    parser = over_builds.parser(__doc__, "-O0,-O2")
    parser.add_argument("--most", type=int, default=15000, help="instructions at -O0 (15000)")
    parser.add_argument("--sample", default="dtd", help="(dtd)")
    parser.add_argument("--ask", default="all", help="needed: as xstep diff does (all)")
    options = parser.parse_args()
    sys.exit(over_builds.run(
        options, lambda: diff_table.sources(options.seeds, options.most), (options.sample, options.ask),
        lambda program, level: compare(program, ("--sample", options.sample), ask=options.ask)))


if __name__ == "__main__":
    main()
