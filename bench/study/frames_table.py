#!/usr/bin/python3
"""frames_table.py - xstep check frames over generated and real programs.

Programs of csmith by seeds from 1 on, those that end by themselves, and those of bench/real.py, each built by
every compiler at every level. A long run is ended after --most instructions, of a real program after --limit.

All is kept under --keep FOLDER: results.jsonl has a line for each build, and what is there is not done again.
Printed: violations and builds by compiler, level and rule; what was asked and left; instructions executed;
signatures with an example each, for the reader to check by hand.
"""
import argparse
import collections
import concurrent.futures
import itertools
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(1, str(pathlib.Path(__file__).resolve().parent.parent))
import e2e
import real

COMPILERS = tuple(one for one in ("gcc-12", "clang-15", "clang-19") if shutil.which(one))
LEVELS = ("-O1", "-O2", "-O3", "-Os", "-Og")
RULES = ("F1", "F2", "F3", "E1", "E2")
KEY = ("source", "compiler", "level")
LIMIT_SECONDS = 1800
NATIVE_SECONDS = 5  # that a program of csmith may take by itself
INCLUDE = "-I/usr/include/csmith"
SMALL_TEXT = 3000  # bytes to compress


def csmith(count):
    """The first `count` programs that end by themselves."""
    folder = e2e.CACHE / "csmith_frames"
    folder.mkdir(parents=True, exist_ok=True)
    for seed in itertools.count(1):
        source = folder / f"s{seed}.c"
        if not count:
            return
        if not source.exists():
            made = e2e.run(["csmith", "--seed", str(seed), "--max-funcs", "5"], cwd=folder)
            source.write_text(made.stdout)
        try:
            ended = subprocess.run([e2e.compile(source, e2e.GCC, ("-O2", INCLUDE))], timeout=NATIVE_SECONDS,
                                   stdout=subprocess.DEVNULL, check=False)
        except subprocess.TimeoutExpired:
            continue
        if not ended.returncode:
            count -= 1
            yield source


def real_build(program, compiler, level, keep):
    """A program of bench/real.py by any compiler; its words and its input."""
    made = keep / "real" / f"{program.name}-{compiler}{level}"
    folder = (real.gcc_zlib() if program.package == "gcc-12-source"
              else real.debian_source(program.package))
    made.parent.mkdir(exist_ok=True)
    ready = keep / "real" / f"{program.name}.ready"
    if not made.exists():
        for command in program.first if not ready.exists() else ():
            real.must(command, cwd=folder)
        ready.touch()
        left_out = {name[1:] for name in program.files if name.startswith("!")}
        files = sorted({str(path.relative_to(folder)) for name in program.files
                        for path in folder.glob(name)} - left_out)
        real.must([compiler, "-g", level, "-w", *program.flags, "-o", made, *files, "-lm"], cwd=folder)
    given = program.stdin
    if given == "text":
        given = keep / "text"
        if not given.exists():
            given.write_bytes(real.text().read_bytes()[:SMALL_TEXT])
    return [made, *program.arguments], given


def words(source, compiler, level, keep):
    """The program with its arguments, and the options for its input."""
    if isinstance(source, real.Program):
        program, given = real_build(source, compiler, level, keep)
        return program, ["--stdin", given] if given else []
    if source.suffix == ".cc":
        compiler = {"gcc": "g++", "clang": "clang++"}[compiler.split("-")[0]] + "-" + compiler.split("-")[1]
    return [e2e.compile(source, compiler, ("-g", level, INCLUDE))], []


def name_of(source):
    return source.name if isinstance(source, real.Program) else source.stem


def short(finding):
    """What is kept of a violation."""
    return {name: finding[name] for name in ("id", "group", "signature", "reason", "remark", "stops")} | {
        "pc": finding["stop"]["pc"], "function": finding["stop"]["function"]}


def run(cell, options):
    source, compiler, level = cell
    program, given = words(source, compiler, level, options.keep)
    limit = ["--limit", options.limit if isinstance(source, real.Program) else options.most]
    result = e2e.xstep("check", "frames", "--format", "json", "--quiet", "--stdout", "/dev/null", "--sample",
                       options.sample, *limit, *given, *program, timeout=LIMIT_SECONDS)
    told = {**dict(zip(KEY, (name_of(source), compiler, level))), "rerun": result.rerun}
    if not result.stdout:
        return {**told, "trouble": result.stderr[-300:]}
    report = json.loads(result.stdout)
    return {**told, "executed": int(report["summary"]["about"].split(": ")[1].split()[0]),
            "violations": list(map(short, report["violations"])), "asked": report["summary"]["asked"]}


class Results:
    """The lines of results.jsonl, by their key."""

    def __init__(self, path):
        self.path, self.lock, self.all = path, threading.Lock(), {}
        for line in path.read_text().splitlines() if path.exists() else ():
            told = json.loads(line)
            self.all[tuple(told[name] for name in KEY)] = told

    def get(self, cell, options):
        key = (name_of(cell[0]), *cell[1:])
        if key not in self.all:
            try:
                told = run(cell, options)
            except Exception as why:  # a program that cannot be built, a check that takes too long
                told = {**dict(zip(KEY, key)), "trouble": f"{type(why).__name__}: {str(why)[-300:]}"}
            with self.lock:
                if "trouble" in told:  # is tried again the next time
                    print(*key, "trouble:", told["trouble"], file=sys.stderr, flush=True)
                    return None
                self.all[key] = told
                with self.path.open("a") as file:
                    file.write(json.dumps(told) + "\n")
        return self.all[key]


def print_tables(results):
    by = collections.defaultdict(list)
    for one in results:
        by[one["compiler"], one["level"]].append(one)
    print(f"{'':16}" + "".join(f"{rule:>8}" for rule in RULES) + "   builds  with any  instructions")
    for compiler in COMPILERS:
        for level in LEVELS:
            cells = by[compiler, level]
            counts = collections.Counter(one["group"] for cell in cells for one in cell["violations"])
            print(f"{compiler + ' ' + level:16}" + "".join(f"{counts[rule]:8}" for rule in RULES)
                  + f"{len(cells):9}{sum(bool(cell['violations']) for cell in cells):10}"
                  + f"{sum(cell['executed'] for cell in cells):14}")
    print("\nasked, and not")
    asked, left = collections.Counter(), collections.defaultdict(collections.Counter)
    for one in results:
        for rule in one["asked"]:
            asked[rule["rule"], rule["what"]] += rule["asked"]
            left[rule["rule"]].update(rule["left"])
    for (rule, what), count in sorted(asked.items()):
        reasons = ", ".join(f"{number} {reason}" for reason, number in left[rule].most_common())
        print(f"  {rule}  {count} {what}" + (f"; not asked: {reasons}" if reasons else ""))
    print("\nsignatures, by compiler: violations, builds; an example")
    signatures = collections.defaultdict(list)
    for one in results:
        for finding in one["violations"]:
            signatures[one["compiler"], finding["signature"]].append((one, finding))
    for (compiler, signature), found in sorted(signatures.items(), key=lambda item: -len(item[1])):
        one, finding = found[0]
        builds = len({(cell["source"], cell["level"]) for cell, _ in found})
        print(f"  {compiler}  {signature}: {len(found)}, {builds}\n    {one['rerun']}\n    {finding['reason']}\n"
              f"    {finding['remark']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=100, help="of csmith (default: 100)")
    parser.add_argument("--most", type=int, default=100000,
                        help="instructions of a program of csmith (default: 100000)")
    parser.add_argument("--limit", type=int, default=1000000,
                        help="instructions of a real program (default: 1000000)")
    parser.add_argument("--sample", default="dtd")
    parser.add_argument("--no-real", action="store_true", help="leave out the real programs")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, help="folder of the results (default: a temporary one)")
    parser.add_argument("--only-print", action="store_true", help="print what --keep has already")
    options = parser.parse_args()
    scratch = None
    if not options.keep:
        scratch = tempfile.TemporaryDirectory()
        options.keep = pathlib.Path(scratch.name)
    options.keep = options.keep.resolve()
    options.keep.mkdir(parents=True, exist_ok=True)
    results = Results(options.keep / "results.jsonl")
    if not options.only_print:
        def cells():
            if not options.no_real:
                for source in (*real.PROGRAMS, e2e.subject("frames_throw.cc")):
                    for compiler in COMPILERS:
                        yield from ((source, compiler, level) for level in LEVELS)
            for source in csmith(options.programs):
                for compiler in COMPILERS:
                    yield from ((source, compiler, level) for level in LEVELS)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for _ in pool.map(lambda cell: results.get(cell, options), cells()):
                pass
    print_tables(list(results.all.values()))
    if scratch:
        scratch.cleanup()


if __name__ == "__main__":
    main()
