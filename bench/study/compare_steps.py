#!/usr/bin/python3
"""compare_steps.py - are xstep's pcs and lines those of gdb, lldb and objdump?

Steps each program with `xstep trace` and with gdb's stepi and compares the sequence of pcs. Then
the line of every executed pc, by xstep, by objdump's decoder, by lldb and by gdb. xstep, objdump
and lldb must agree. gdb 13 departs in known ways, which are modelled and counted:

  is_stmt  of several rows at one address it prefers one with is_stmt to the last
  line 0   it drops rows with line 0, so that their code gets the line before
  files    of several rows at one address in different files it takes one of the others

Any other difference is an error. Programs: those of testdata/, csmith's (--seeds N) and gcc's
torture tests (--torture N), with gcc and clang, -O0 and -O2, PIE and not.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import e2e
import line_rows

ENVIRONMENT = {"LC_ALL": "C", "PATH": "/usr/bin:/bin"}
# Subjects whose path depends on the clock, on input, or on SIGTRAP, which gdb keeps for itself.
NOT_COMPARED = {"signal_handler", "signal_stop", "signal_trap", "leave_thread", "end_wait",
                "end_exec", "leave_vfork", "insn_flags", "leave_clone", "code_changes"}
TORTURE = "gcc/testsuite/gcc.c-torture/execute"


class Difference(Exception):
    """A disagreement that no model explains."""


def lldb_program():
    """lldb and the folder of its Python module, which Debian's own path does not name."""
    real = pathlib.Path(os.path.realpath(e2e.run(["which", "lldb-15"]).stdout.strip()))
    modules = sorted(real.parent.parent.glob("lib/python3*/*-packages/lldb/__init__.py"))
    return real, modules[0].parent.parent if modules else None


def gdb_steps(program, sequences, limit, outside, folder):
    header = e2e.run(["readelf", "-h", program]).stdout
    symbols = e2e.run(["nm", program]).stdout
    job = {"program": str(program), "environment": ENVIRONMENT, "limit": limit,
           "outside": outside, "output": f"{folder}/gdb.json",
           "ranges": [(s.lo, s.hi) for s in sequences],
           "elf_entry": int(re.search(r"Entry point address: +(0x\w+)", header).group(1), 16),
           "entry": int(re.search(r"^(\w+) [Tt] main$", symbols, re.M).group(1), 16)}
    pathlib.Path(f"{folder}/job.json").write_text(json.dumps(job))
    result = e2e.run(["gdb", "-nx", "-nh", "-q", "-batch", "-iex", "set auto-load off", "-x",
                      e2e.HERE / "in_gdb_steps.py"],
                     env={**os.environ, "XSTEP_JOB": f"{folder}/job.json"}, timeout=1800)
    if not os.path.exists(job["output"]):
        raise Difference(f"gdb did not finish: {result.stderr[-500:]}")
    return json.load(open(job["output"]))


def lldb_lines(program, pcs, folder):
    lldb, modules = lldb_program()
    job = {"program": str(program), "pcs": sorted(pcs), "output": f"{folder}/lldb.json"}
    pathlib.Path(f"{folder}/job.json").write_text(json.dumps(job))
    result = e2e.run([lldb, "--no-lldbinit", "--batch", "-o",
                      f"command script import {e2e.HERE / 'in_lldb_lines.py'}"],
                     env={**os.environ, "XSTEP_JOB": f"{folder}/job.json",
                          "PYTHONPATH": str(modules)})
    if not os.path.exists(job["output"]):
        raise Difference(f"lldb did not finish: {result.stderr[-500:]}")
    return {int(pc): line for pc, line in json.load(open(job["output"])).items()}


def gdb_models(sequence, pc):
    """What gdb 13 may say instead of the covering row's line: {line: name of the behaviour}."""
    rows = sequence.at(pc)
    models = {}
    if rows[-1].line == 0:
        # Dropped: what is left may be at the same address or before.
        for row in reversed(sequence.before(pc)):
            if row.line:
                models.setdefault(row.line, "line 0")
                if row.is_stmt:
                    break
    for row in rows:
        if row.file != rows[-1].file:
            models.setdefault(row.line, "files")
    if not rows[-1].is_stmt:
        for row in reversed(rows):
            if row.is_stmt:
                models[row.line] = "is_stmt"
                break
    return models


def compare_pcs(ours, theirs, sequences_end, limit):
    for i, (a, b) in enumerate(zip(ours, theirs)):
        if a != b:
            raise Difference(f"stop {i + 1}: xstep at {a:#x}, gdb at {b:#x}, both from "
                             f"{ours[i - 1]:#x}")
    if len(ours) != len(theirs) and sequences_end != "outside":
        raise Difference(f"xstep has {len(ours)} stops, gdb {len(theirs)} ({sequences_end})")


def compare(program, limit, outside=200000):
    """Compares one program. Returns counts; raises Difference."""
    counts = collections.Counter()
    result = e2e.xstep("trace", "--sample", "none", "--limit", limit, "--format", "json",
                       "--timeout", 100, program)
    if result.returncode:
        raise Difference(f"xstep failed: {result.stderr}")
    stops = e2e.stops(result)
    ours = [int(stop["pc"], 16) for stop in stops]
    sequences = line_rows.read(program)
    with tempfile.TemporaryDirectory() as folder:
        gdb = gdb_steps(program, sequences, limit, outside, folder)
        compare_pcs(ours, gdb["pcs"], gdb["end"], limit)
        counts["stops"] = min(len(ours), len(gdb["pcs"]))
        counts["rep repeats of gdb"] = gdb["repeats"]
        lldb = lldb_lines(program, set(ours), folder)
    lines = {int(pc): line for pc, line in gdb["lines"].items()}
    for pc, stop in {int(stop["pc"], 16): stop for stop in stops}.items():
        counts["pcs"] += 1
        sequence = line_rows.find(sequences, pc)
        line = stop["line"]
        if line != (sequence.at(pc)[-1].line if sequence else None):
            raise Difference(f"{pc:#x}: line {line} by xstep, not by objdump")
        # lldb has no word for "a row with line 0" apart from "no line".
        if [line, stop["column"]] != (lldb[pc] or [0, stop["column"]]):
            raise Difference(f"{pc:#x}: line {line}:{stop['column']} by xstep, {lldb[pc]} by lldb")
        if pc not in lines or lines[pc] == line:
            continue
        model = gdb_models(sequence, pc).get(lines[pc])
        if not model:
            raise Difference(f"{pc:#x}: line {line} by xstep, {lines[pc]} by gdb, and no model "
                             f"of gdb explains it: {sequence.at(pc)}")
        counts[f"gdb {model}"] += 1
    return counts


def builds(source, extra=()):
    for compiler in (e2e.GCC, e2e.CLANG):
        for level in ("-O0", "-O2"):
            for link in (("-fPIE", "-pie"), ("-fno-pie", "-no-pie")):
                yield compiler, ("-g", level, *link, *extra)


def csmith_sources(count, folder, *options):
    """Programs of csmith that end by themselves, natively, in a second. A folder is for programs of
    the same options."""
    folder.mkdir(parents=True, exist_ok=True)
    seed = found = 0
    while found < count:
        seed += 1
        source = folder / f"csmith_{seed}.c"
        if not source.exists():
            # It leaves a file, platform.info, where it runs.
            source.write_text(e2e.run(["csmith", "--seed", seed, "--max-funcs", 4,
                                       "--max-block-depth", 3, *options], cwd=folder).stdout)
        program = e2e.compile(source, e2e.GCC, ("-g", "-O0", "-I/usr/include/csmith"))
        try:
            if e2e.run([program], timeout=1).returncode == 0:
                found += 1
                yield source
        except Exception:
            continue


def torture_sources(count, folder):
    """Programs of gcc's torture tests that compile plainly and end by themselves."""
    archives = sorted(pathlib.Path("/usr/src/gcc-12").glob("gcc-*.tar.xz"))
    if not archives:
        return
    if not folder.exists():
        with tempfile.TemporaryDirectory(dir=e2e.CACHE) as scratch:
            e2e.run(["tar", "-xJf", archives[0], "-C", scratch, "--wildcards",
                     f"*/{TORTURE}/*.c"], timeout=600)
            next(pathlib.Path(scratch).glob(f"*/{TORTURE}")).rename(folder)
    everything = sorted(folder.glob("*.c"))
    random.Random(0).shuffle(everything)
    for source in everything:
        if count <= 0:
            return
        try:
            for compiler in (e2e.GCC, e2e.CLANG):
                program = e2e.compile(source, compiler)
                if e2e.run([program], timeout=1).returncode:
                    raise RuntimeError("fails by itself")
        except Exception:
            continue
        count -= 1
        yield source


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10, help="csmith programs (10)")
    parser.add_argument("--torture", type=int, default=20, help="gcc torture tests (20)")
    parser.add_argument("--limit", type=int, default=20000, help="stops per program (20000)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="at a time (cores)")
    parser.add_argument("--no-own", action="store_true", help="without testdata's own programs")
    parser.add_argument("programs", nargs="*", help="C sources to compare instead")
    options = parser.parse_args()
    sources = [(pathlib.Path(p).resolve(), ()) for p in options.programs]
    if not sources:
        if not options.no_own:
            sources += [(s, ()) for s in e2e.subjects() if s.stem not in NOT_COMPARED]
        sources += [(s, ("-I/usr/include/csmith",))
                    for s in csmith_sources(options.seeds, e2e.CACHE / "csmith")]
        sources += [(s, ()) for s in torture_sources(options.torture, e2e.CACHE / "torture")]

    def one(source, compiler, flags):
        limit = options.limit
        own = e2e.header(source).get("options", "") if e2e.TESTDATA in source.parents else ""
        if "--limit" in own:
            limit = min(limit, 1000)
        try:
            return source, compiler, flags, compare(e2e.compile(source, compiler, flags), limit), None
        except (Difference, RuntimeError) as difference:
            return source, compiler, flags, None, difference

    total, wrong, programs = collections.Counter(), 0, 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        waiting = [pool.submit(one, source, compiler, flags)
                   for source, extra in sources for compiler, flags in builds(source, extra)]
        for future in concurrent.futures.as_completed(waiting):
            source, compiler, flags, counts, difference = future.result()
            programs += 1
            if difference:
                wrong += 1
                print(f"DIFFERENT {source} {compiler} {' '.join(flags)}: {difference}", flush=True)
            else:
                total += counts
    print(f"{len(sources)} sources, {programs} programs, {wrong} different")
    for name, count in sorted(total.items()):
        print(f"{count:10} {name}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
