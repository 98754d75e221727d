#!/usr/bin/python3
"""compare_modes.py - do all modes of `xstep trace` tell the same?

`single` is the reference: slow and simple. Of each program the modes must yield the same stops with
the same counts and the same last line, and leave its output and its end as they are without xstep.
A program of more than --limit stops is compared up to there; its output and its end are then those
of a whole run in the fast mode.

`--mode unique` is compared with `exact`, whole runs only: the same instructions executed, the same
direct edges (straight on, jumps, calls, conditional branches both ways), no edge that exact does not
have, and, where nothing is saturated, all that it has. What objdump says decides which are direct.

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
ENDLESS = {"end_loop"}  # each transition once: then it never comes to its --limit
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
                           *(("--sample", "none") if mode != "unique" else ()),
                           "--timeout", seconds, "-o", output, *options, program)
        if result.returncode:
            raise Difference(f"{mode}: {result.stderr[-500:].strip()}")
        return result, own.read()


def compare_stops(reference, other, mode):
    """Both are what xstep printed, a stop a line."""
    if reference == other:
        return
    ours, theirs = reference.splitlines(), other.splitlines()
    for number, (a, b) in enumerate(zip(ours, theirs), 1):
        if a != b:
            raise Difference(f"stop {number}: single {a}, {mode} {b}")
    raise Difference(f"single has {len(ours)} stops, {mode} {len(theirs)}")


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


def compare(program, mode, options, limit):
    """Compares one program. Returns counts; raises Difference."""
    counts = collections.Counter()
    options = [*options, *([] if "--limit" in options else ["--limit", limit])]
    reference, wrote = trace("single", program, options, 100)
    other, wrote_too = trace(mode, program, options, 100)
    compare_stops(reference.stdout, other.stdout, mode)
    if end_line(reference) != end_line(other):
        raise Difference(f"single ends {end_line(reference)!r}, {mode} {end_line(other)!r}")
    counts["stops"] = reference.stdout.count("\n")
    if "ended by --timeout" in end_line(reference):
        raise Difference("does not end: compare it with --limit")
    if "ended by --limit" in end_line(reference):
        counts["programs cut by the limit"] += 1
        other, wrote_too = trace(mode, program, (), WHOLE_SECONDS, "/dev/null")
    elif wrote != wrote_too:
        raise Difference(f"the program writes {wrote!r} in single, {wrote_too!r} in {mode}")
    expected, end = native(program) if program.stem not in RANDOM else (None, None)
    if end is None or "ended by --timeout" in end_line(other):
        return counts
    if expected != wrote_too or end not in end_line(other):
        raise Difference(f"by itself it writes {expected!r} and {end} in {mode} it writes "
                         f"{wrote_too!r}: {end_line(other)!r}")
    counts["programs with native output and end"] += 1
    counts["stops of whole runs"] += int(re.search(r"(\d+) stops?,", end_line(other)).group(1))
    return counts


def direct_edges(program):
    """Where each instruction can go by itself, from its bytes alone: {pc: {pc}}."""
    listing = e2e.run(["objdump", "-d", "-w", program]).stdout
    found = {}
    for line in listing.splitlines():
        fields = line.strip().split("\t")
        if len(fields) < 3 or not fields[0].endswith(":"):
            continue
        pc, end = int(fields[0][:-1], 16), int(fields[0][:-1], 16) + len(fields[1].split())
        words = [w for w in fields[2].split() if w not in ("bnd", "notrack", "rep", "repz", "data16")]
        name = words[0].split(",")[0] if words else ""
        operand = words[1] if len(words) > 1 else ""
        ways = set()
        branch = name.startswith(("j", "loop", "call"))
        if branch and re.fullmatch("[0-9a-f]+", operand):
            ways.add(int(operand, 16))
        if not branch and not name.startswith(("ret", "iret", "syscall", "sysenter", "int", "ud2",
                                               "hlt", "(bad)")):
            ways.add(end)
        if name.startswith(("j", "loop")) and not name.startswith("jmp"):
            ways.add(end)
        found[pc] = ways
    return found


def facts(mode, program, options):
    """Of a whole run: its last line, what the program wrote, the figures, the edges, the pcs."""
    with tempfile.TemporaryDirectory() as folder:
        stops, stats, edges = (pathlib.Path(folder) / name for name in ("stops", "stats", "edges"))
        result, wrote = trace(mode, program, (f"--stats={stats}", "--transitions", edges, *options),
                              100, stops)
        pairs = [json.loads(line) for line in edges.read_text().splitlines()]
        ended = next(line for line in reversed(result.stderr.splitlines())
                     if ": saturated:" not in line)
        with stops.open() as lines:
            pcs = {json.loads(line)["pc"] for line in lines}
        return (ended.rsplit("; ", 1)[0], wrote, json.loads(stats.read_text()),
                {(pair["prev"], pair["pc"]) for pair in pairs}, pcs)


def compare_unique(program, options):
    """The same for the mode that tells each transition once."""
    counts = collections.Counter()
    expected, end = native(program) if program.stem not in RANDOM else (None, None)
    ended, wrote, figures, all_edges, all_pcs = facts("exact", program, options)
    if "ended by --timeout" in ended:
        counts["programs too long for exact"] += 1
        return counts
    ended_too, wrote_too, stats, edges, pcs = facts("unique", program, options)
    if ended != ended_too or wrote != wrote_too:
        raise Difference(f"exact ends {ended!r} and the program writes {wrote!r}, "
                         f"unique {ended_too!r}, {wrote_too!r}")
    if pcs != all_pcs:
        raise Difference(f"executed in one mode only: {sorted(pcs ^ all_pcs)[:5]}")
    missing, direct = all_edges - edges, direct_edges(program)
    lost = [(prev, pc) for prev, pc in missing if prev and "+" not in prev + pc
            and int(pc, 16) in direct.get(int(prev, 16), ())]
    if lost:
        raise Difference(f"direct edges are missing: {sorted(lost)[:5]}")
    if missing and not stats["saturated"]:
        raise Difference(f"nothing is saturated, but missing: {sorted(missing, key=str)[:5]}")
    if not edges <= all_edges:
        raise Difference(f"not in exact: {sorted(edges - all_edges, key=str)[:5]}")
    if end is not None and (expected != wrote or end[:-1] not in ended):
        raise Difference(f"by itself it writes {expected!r} and {end} in unique it writes "
                         f"{wrote!r}: {ended!r}")
    counts["edges"] += len(edges)
    counts["edges missing, of saturated sources"] += len(missing)
    counts["instructions in exact"] += figures["instructions"]
    counts["breakpoint stops in unique"] += stats["stops"]
    counts["sources saturated"] += stats["saturated"]
    counts["programs with nothing saturated"] += not stats["saturated"]
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mode", default="exact", help="compared with single; unique with exact (exact)")
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
            left_out = TIMED | (ENDLESS if options.mode == "unique" else set())
            sources += [(s, ()) for s in e2e.subjects() if s.stem not in left_out]
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
            counts = (compare_unique(program, own) if options.mode == "unique" else
                      compare(program, options.mode, own, options.limit))
            return source, compiler, flags, counts, None
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
