#!/usr/bin/python3
"""ccmd_table.py - xstep ccmd over generated programs: how often is the code the same, and at what cost?

Small programs of csmith first (--small N), then some of default size (--default N), each by all compilers
at all levels, -g2 against -g0; every tenth with -g1 and -g3, too. Results are kept under --keep FOLDER, so
that a run that was interrupted, or ended by --minutes, goes on where it was. Printed: cases, builds, those
that had to be taken apart as their bytes differ, findings by kind and seconds a program, by compiler and
size; then the clusters.

With --shift the builds with debug information have a function more, at their beginning (ccmd/pad.h). Then no
bytes are where they were, all builds are taken apart, and a finding is what is told of anything else.
"""
import argparse
import collections
import json
import pathlib
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import e2e

COMPILERS = ("gcc-11", "gcc-12", "clang-13", "clang-14", "clang-15", "clang-16", "clang-19")
LEVELS = "-O0,-O1,-O2,-O3,-Os"
SMALL = ("--max-funcs", "3", "--max-block-depth", "2", "--max-block-size", "3", "--max-expr-complexity", "5")


def program(folder, size, seed):
    """The source of a seed, made once."""
    path = folder / "programs" / f"{size}{seed}.c"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        made = e2e.run(["csmith", "--seed", seed, *(SMALL if size == "small" else ())],
                       cwd=path.parent)  # it leaves a file there
        path.write_text(made.stdout)
    return path


def shifting(options):
    """Compilers that put pad.h before a source that they compile with debug information."""
    folder = options.keep / "shift"
    folder.mkdir(parents=True, exist_ok=True)
    for name in options.compilers.split(","):
        script = folder / name
        script.write_text('#!/bin/sh\ncase " $* " in\n'
                          f'*" -g0 "*|*" --version "*) exec {name} "$@" ;;\nesac\n'
                          f'exec {name} -include {e2e.TESTDATA / "ccmd/pad.h"} "$@"\n')
        script.chmod(0o755)
        yield str(script)


def is_shift(finding):
    """Whether nothing differs but what pad.h brings."""
    return all(one["where"] == "pad" or one["where"].startswith("__x86.get_pc_thunk")
               for one in finding["differences"])


def check(options, size, seed, seconds):
    """Checks one program, whose results are then kept; False if time ran out."""
    words = [e2e.XSTEP, "ccmd", "-o", options.keep / size, "--format", "junit", "--quiet", "--jobs",
             options.jobs, "--extra", "-I/usr/include/csmith", "--compiler", options.compilers,
             "--levels", LEVELS, "--g", "-g2" if seed % 10 else "-g1,-g2,-g3", "--timeout", "600",
             program(options.keep, size, seed)]
    if options.no_compare_debug:
        words.append("--no-compare-debug")
    process = subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL,
                               preexec_fn=e2e.leave_nothing)
    try:
        process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGTERM)  # what is done is kept
        process.communicate()
        return False
    return True


def tell(options, size, lines):
    """One table, of what is kept."""
    cases, builds, apart = (collections.Counter() for _ in range(3))
    seconds, checking, own = (collections.Counter() for _ in range(3))
    kinds = collections.defaultdict(collections.Counter)
    errors, clusters = [], collections.defaultdict(list)
    sources = collections.defaultdict(set)
    for case in map(json.loads, lines):
        compiler = pathlib.Path(case["compiler"]).name
        sources[compiler].add(case["source"])
        cases[compiler] += 1
        builds[compiler] += case["builds"]
        apart[compiler] += case["taken_apart"]
        seconds[compiler] += case["compile_seconds"]
        own[compiler] += case["compare_debug_seconds"]
        checking[compiler] += case["check_seconds"]
        if case["error"]:
            errors.append(f"{case['source']} {compiler} {case['flags']}: {case['error']}")
        for finding in case["findings"]:
            if options.shift and is_shift(finding):
                continue
            kinds[compiler][finding["kind"]] += 1
            clusters[finding["signature"]].append(finding)
    print(f"{size}: {len(set().union(*sources.values()))} programs")
    print(f"{'compiler':10} {'cases':>6} {'builds':>7} {'apart':>6} {'s/program':>10} {'own check':>10} "
          f"{'check s':>8}  findings")
    for compiler in sorted(cases, key=COMPILERS.index):
        programs = len(sources[compiler])
        what = ", ".join(f"{kind} {n}" for kind, n in kinds[compiler].most_common()) or "none"
        print(f"{compiler:10} {cases[compiler]:6} {builds[compiler]:7} {apart[compiler]:6} "
              f"{seconds[compiler] / programs:10.2f} {own[compiler] / programs:10.2f} "
              f"{checking[compiler] / programs:8.4f}  {what}")
    for signature, found in sorted(clusters.items(), key=lambda item: -len(item[1])):
        first = found[0]
        print(f"  {len(found):4}  {signature}  [{first['id']}] {first['source']} {first['g']} "
              f"compare-debug: {first.get('compare_debug')}")
    for error in errors:
        print(f"  trouble: {error}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=pathlib.Path, required=True, metavar="FOLDER")
    parser.add_argument("--small", type=int, default=200, help="(200)")
    parser.add_argument("--default", type=int, default=60, help="programs of default size (60)")
    parser.add_argument("--compilers", default=",".join(c for c in COMPILERS if shutil.which(c)),
                        help="(%(default)s)")
    parser.add_argument("--jobs", type=int, default=1, help="(1)")
    parser.add_argument("--minutes", type=float, default=1e6, help="end after so long")
    parser.add_argument("--no-compare-debug", action="store_true", help="without gcc's own check")
    parser.add_argument("--shift", action="store_true", help="put a function before what has -g")
    parser.add_argument("--only-tell", action="store_true", help="run nothing")
    options = parser.parse_args()
    if options.shift:
        options.no_compare_debug = True
        options.compilers = ",".join(shifting(options))
    end = time.monotonic() + options.minutes * 60
    for size, count in (("small", options.small), ("default", options.default)):
        for seed in range(1, 0 if options.only_tell else count + 1):
            left = end - time.monotonic()
            if left <= 0 or not check(options, size, seed, left):
                break
        kept = options.keep / size / "cases.jsonl"
        if kept.exists():
            tell(options, size, kept.read_text().splitlines())


if __name__ == "__main__":
    main()
