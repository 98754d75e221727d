#!/usr/bin/python3
"""compare_modes.py - do all modes of `xstep trace` tell the same?

`single` is the reference: slow and simple. Of each program the modes must yield the same stops with
the same counts and the same last line, and leave its output and its end as they are without xstep.
A program of more than --limit stops is compared up to there; its output and its end are then those
of a whole run in the fast mode.

Where only some stops are kept, `exact` runs the program in a code cache. So whole runs are compared once more
with --sample dtd: the same kept stops with registers, frames and variables, the same transitions with their
counts, the same output and end. What is too long for `single` is compared with `exact` without a cache
(--sample none): counts, output and end.

Programs: those of testdata/, csmith's (--seeds N) and gcc's torture tests (--torture N). Each is
built in --builds of the 30 ways there are: gcc and clang, -O0 to -O3 and -Os, PIE, not, and static.
The next program gets the next ones, so that all ways have their turn.
"""
import argparse
import collections
import concurrent.futures
import itertools
import json
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import compare_steps
import e2e
from compare_steps import Difference

TIMED = {"end_wait", "signal_handler", "signal_stop", "leave_thread"}  # no two runs are alike
RANDOM = {"stack_same"}  # writes its AT_RANDOM bytes, which xstep keeps constant
LINKS = (("-fPIE", "-pie"), ("-fno-pie", "-no-pie"), ("-static",))
LEVELS = ("-O0", "-O2", "-Os", "-O1", "-O3")
WHOLE_SECONDS = 30  # for a whole run; what takes longer is compared up to the limit only


def ways():
    """All 30 ways to build, neighbours differing in everything; over and over again."""
    everything = [(compiler, ("-g", level, *link))
                  for level in LEVELS for link in LINKS for compiler in (e2e.GCC, e2e.CLANG)]
    return itertools.cycle(everything[i * 7 % len(everything)] for i in range(len(everything)))


def trace(mode, program, options, seconds, output="/dev/stdout"):
    """A run of xstep: its result, and what the program itself wrote."""
    with tempfile.NamedTemporaryFile() as own:
        result = e2e.xstep("trace", "--mode", mode, "--format", "json", "--stdout", own.name,
                           "--sample", "none", "--timeout", seconds, "-o", output, *options, program)
        if result.returncode:
            raise Difference(f"{mode}: {result.stderr[-500:].strip()}")
        return result, own.read()


def compare_stops(reference, other):
    """Both are what xstep printed, a stop a line."""
    if reference == other:
        return
    ours, theirs = reference.splitlines(), other.splitlines()
    for number, (a, b) in enumerate(zip(ours, theirs), 1):
        if a != b:
            raise Difference(f"stop {number}: single {a}, exact {b}")
    raise Difference(f"single has {len(ours)} stops, exact {len(theirs)}")


def end_line(result):
    return result.stderr.splitlines()[-1]


def native(program):
    """What the program writes, and how it ends, in xstep's words. None if it does not end."""
    try:
        result = subprocess.run(["setarch", "-R", program], stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=10,
                                env=compare_steps.ENVIRONMENT, preexec_fn=e2e.leave_nothing)
    except subprocess.TimeoutExpired:
        return None, None
    if result.returncode >= 0:
        return result.stdout, f"exited with status {result.returncode};"
    return result.stdout, f"killed by {signal.Signals(-result.returncode).name} "


def sampled(mode, program, options, sample, seconds):
    """A whole run in which stops are sampled: what is told of them, the counts, the end, the output."""
    with tempfile.TemporaryDirectory() as folder:
        told, edges, own = (pathlib.Path(folder) / name for name in ("told", "edges", "own"))
        own.touch()
        states = ("--regs", "--frames", "--vars", "all") if sample == "dtd" else ()
        result = e2e.xstep("trace", "--mode", mode, "--format", "json", "--stdout", own,
                           "--transitions", edges, "--sample", sample, *states,
                           "--timeout", seconds, "-o", told, *options, program)
        if result.returncode:
            raise Difference(f"{mode} --sample {sample}: {result.stderr[-500:].strip()}")
        return (told.read_bytes() if sample == "dtd" else b"", edges.read_text(),
                end_line(result), own.read_bytes())


def compare_sampled(program, options, short):
    """With a code cache, and without. short: whether single can walk all of the program."""
    counts = collections.Counter()
    if "--limit" in options:
        return counts
    cached = sampled("exact", program, options, "dtd", 100)
    if short:
        reference, name = sampled("single", program, options, "dtd", 200), "single"
    else:
        reference, name = sampled("exact", program, options, "none", WHOLE_SECONDS), "exact --sample none"
    if "ended by --timeout" in cached[2] + reference[2]:
        counts["programs not compared in the code cache: too long"] += 1
        return counts
    if short and reference[0] != cached[0]:
        # Process numbers and /proc tell of the run: what single does not tell twice nobody can.
        if sampled("single", program, options, "dtd", 200)[0] == reference[0]:
            at = next((i for i, (a, b) in enumerate(zip(reference[0], cached[0])) if a != b),
                      min(len(reference[0]), len(cached[0])))
            raise Difference(f"kept stops: single ...{reference[0][max(at - 150, 0):at + 60]!r}, the code "
                             f"cache ...{cached[0][max(at - 150, 0):at + 60]!r}")
        counts["programs that single tells differently twice"] += 1
    elif short:
        counts["kept stops with equal states"] += cached[0].count(b"\n")
    words = [re.sub(r", \d+ kept", "", text[2]) for text in (reference, cached)]
    if reference[1] != cached[1]:
        raise Difference(f"{name} and the code cache count transitions differently: "
                         f"{sorted(set(reference[1].splitlines()) ^ set(cached[1].splitlines()))[:4]}")
    if words[0] != words[1] or reference[3] != cached[3]:
        raise Difference(f"{name} ends {words[0]!r} and it writes {reference[3][-200:]!r}, the code cache "
                         f"{words[1]!r}, {cached[3][-200:]!r}")
    counts[f"programs in the code cache like in {name}"] += 1
    counts["transitions with equal counts"] += cached[1].count("\n")
    return counts


def compare(program, options, limit):
    """Compares one program. Returns counts; raises Difference."""
    counts = collections.Counter()
    whole = options
    options = [*options, *([] if "--limit" in options else ["--limit", limit])]
    reference, wrote = trace("single", program, options, 100)
    other, wrote_too = trace("exact", program, options, 100)
    compare_stops(reference.stdout, other.stdout)
    if end_line(reference) != end_line(other):
        raise Difference(f"single ends {end_line(reference)!r}, exact {end_line(other)!r}")
    counts["stops"] = reference.stdout.count("\n")
    counts += compare_sampled(program, whole, "ended by --limit" not in end_line(reference))
    if "ended by --timeout" in end_line(reference):
        raise Difference("does not end: compare it with --limit")
    if "ended by --limit" in end_line(reference):
        counts["programs cut by the limit"] += 1
        other, wrote_too = trace("exact", program, (), WHOLE_SECONDS, "/dev/null")
    elif wrote != wrote_too:
        raise Difference(f"the program writes {wrote!r} in single, {wrote_too!r} in exact")
    expected, end = native(program) if program.stem not in RANDOM else (None, None)
    if end is None or "ended by --timeout" in end_line(other):
        return counts
    if expected != wrote_too or end not in end_line(other):
        raise Difference(f"by itself it writes {expected!r} and {end} in exact it writes "
                         f"{wrote_too!r}: {end_line(other)!r}")
    counts["programs with native output and end"] += 1
    counts["stops of whole runs"] += int(re.search(r"(\d+) stops?,", end_line(other)).group(1))
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=20, help="csmith programs (20)")
    parser.add_argument("--torture", type=int, default=100, help="gcc torture tests (100)")
    parser.add_argument("--builds", type=int, default=2, help="ways to build each (2)")
    parser.add_argument("--limit", type=int, default=20000, help="stops per program (20000)")
    parser.add_argument("--jobs", type=int, default=1, help="at a time (1)")
    parser.add_argument("--no-own", action="store_true", help="without testdata's own programs")
    parser.add_argument("programs", nargs="*", help="C sources to compare instead")
    options = parser.parse_args()
    sources = [(pathlib.Path(p).resolve(), ()) for p in options.programs]
    if not sources:
        if not options.no_own:
            sources += [(s, ()) for s in e2e.subjects() if s.stem not in TIMED]
        sources += [(s, ("-I/usr/include/csmith",)) for s in
                    compare_steps.csmith_sources(options.seeds, e2e.CACHE / "csmith")]
        sources += [(s, ()) for s in
                    compare_steps.torture_sources(options.torture, e2e.CACHE / "torture")]

    def one(source, compiler, flags):
        own = e2e.header(source).get("options", "").split() if e2e.TESTDATA in source.parents else []
        try:
            program = e2e.compile(source, compiler, flags)
        except RuntimeError:
            return source, compiler, flags, None, None  # a test for the other compiler
        try:
            return source, compiler, flags, compare(program, own, options.limit), None
        except (Difference, subprocess.TimeoutExpired) as difference:
            return source, compiler, flags, None, difference

    total, wrong, programs = collections.Counter(), 0, 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        way = ways()
        waiting = []
        for source, extra in sources:
            for _ in range(options.builds):
                compiler, flags = next(way)
                waiting.append(pool.submit(one, source, compiler, (*flags, *extra)))
        for future in concurrent.futures.as_completed(waiting):
            source, compiler, flags, counts, difference = future.result()
            programs += bool(counts or difference)
            if difference:
                wrong += 1
                print(f"DIFFERENT {source} {compiler} {' '.join(flags)}: {difference}", flush=True)
            elif counts:
                total += counts
            else:
                total["not compiled"] += 1
    print(f"{len(sources)} sources, {programs} programs, {wrong} different")
    for name, count in sorted(total.items()):
        print(f"{count:10} {name}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
