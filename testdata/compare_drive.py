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
import argparse
import collections
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import diff_table
import e2e

WITNESSES = ("gdb", "lldb")
FACTS = ("function", "file", "line", "column", "shown", "inlined", "frames", "frame_count", "regs")
# (witness, kind of fact, pattern for `what: shared | native`): a name for what it does.
NAMED = ()


class Trouble(Exception):
    """A program that cannot be compared."""


def trace(program, drive, *options):
    """{witness: {(prev, pc, n): stop}}"""
    result = e2e.xstep("trace", "--witness", "xstep,gdb,lldb", "--drive", drive, "--vars", "all",
                       "--frames", "--regs", "--ask", "all", "--format", "json", *options, program,
                       timeout=1800)
    if result.returncode:
        raise Trouble(f"{result.rerun}: {result.stderr[-500:]}")
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
        for fact in FACTS:
            if stop.get(fact) == other.get(fact):
                yield "same", None
            else:
                yield fact, f"{stop['pc']} n {stop['n']}: {stop.get(fact)} | {other.get(fact)}"
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
                yield "leaf", f"{stop['pc']} n {stop['n']}: {leaf}: {a} | {b}"


def name_of(witness, kind, text):
    for who, what, pattern, name in NAMED:
        if who == witness and what == kind and re.search(pattern, text):
            return name
    return None


def compare(program, options):
    """(counts, texts that have no name)."""
    counts, opened = collections.Counter(), []
    shared, native = trace(program, "shared", *options), trace(program, "native", *options)
    for witness in WITNESSES:
        counts[f"{witness}: stops told"] += len(shared[witness])
        for kind, text in differences(shared[witness], native[witness]):
            name = text and name_of(witness, kind, text)
            counts[f"{witness}: {name or kind}"] += 1
            if text and not name:
                opened.append(f"{witness} {kind} {text}")
    return counts, opened


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=2, help="csmith programs (2)")
    parser.add_argument("--most", type=int, default=15000, help="instructions at -O0 (15000)")
    parser.add_argument("--levels", default="-O0,-O2", help="(%(default)s)")
    parser.add_argument("--compilers", default=f"{e2e.GCC},{e2e.CLANG}", help="(%(default)s)")
    parser.add_argument("--sample", default="dtd", help="(dtd)")
    parser.add_argument("--show", type=int, default=5, help="differences shown per program (5)")
    parser.add_argument("--keep", metavar="FILE", help="keep each program's result as a line of "
                        "JSON in FILE, and take from there what is known already")
    parser.add_argument("programs", nargs="*", help="C sources to compare instead")
    options = parser.parse_args()
    known = {}
    if options.keep and os.path.exists(options.keep):
        for line in open(options.keep):
            result = json.loads(line)
            known[tuple(result["program"])] = result
    kept = open(options.keep, "a") if options.keep else None

    def one(source, compiler, level):
        key = str(source), compiler, level, options.sample
        if key in known:
            return known[key]
        result = {"program": key, "counts": {}, "open": [], "trouble": None}
        try:
            program = e2e.compile(source, compiler, ("-g", level, "-I/usr/include/csmith"))
            result["counts"], result["open"] = compare(program, ("--sample", options.sample))
        except (Trouble, RuntimeError, subprocess.TimeoutExpired) as trouble:
            result["trouble"] = str(trouble)
        if kept:
            print(json.dumps(result), file=kept, flush=True)
        return result

    sources = [pathlib.Path(path).resolve() for path in options.programs] \
        or list(diff_table.sources(options.seeds, options.most))
    total, wrong, programs = collections.Counter(), 0, 0
    levels = ["-" + level.lstrip("-") for level in options.levels.split(",")]
    for source, compiler, level in itertools.product(sources, options.compilers.split(","), levels):
        result = one(source, compiler, level)
        programs += 1
        wrong += bool(result["trouble"] or result["open"])
        if result["trouble"]:
            print(f"TROUBLE {source} {compiler} {level}: {result['trouble']}", flush=True)
        for text in result["open"][:options.show]:
            print(f"{source.stem} {compiler} {level} {text}", flush=True)
        total += collections.Counter(result["counts"])
    print(f"{programs} programs, {wrong} different")
    for name, count in sorted(total.items()):
        print(f"{count:10} {name}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
