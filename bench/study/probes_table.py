#!/usr/bin/python3
"""probes_table.py - xstep check probes over programs with probes: how often the DWARF contradicts the code generator.

Programs of csmith, and with --real those of bench/real.py, get probes by `xstep mutate --probes`. Each is built
by each compiler at each level, must do what it did without probes, and is checked.

All is kept under --keep FOLDER: sources/ has the programs and their mutants, results.jsonl a line for each build
with all that was found, the line that builds it and the one that checks it. What is there is not done again: a run
that was interrupted goes on where it was. --tables prints what is there. --pick N chooses findings to be judged by
hand, spread over signatures and compilers, with these two lines each.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import pathlib
import random
import re
import shlex
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(1, str(pathlib.Path(__file__).resolve().parent.parent))
import compare_steps
import compare_vars
import e2e

LEVELS = ("-O1", "-O2", "-O3", "-Os", "-Og")
COMPILERS = (e2e.GCC, e2e.CLANG, "clang-19")
INCLUDE = "-I/usr/include/csmith"
KEY = ("program", "compiler", "level")
LIMIT_SECONDS = 120

# words: for the compiler; parse: for the parser; run: arguments of the program, and the file that it reads.
Program = collections.namedtuple("Program", "name sources mutants words parse run stdin behaviour")


class Trouble(Exception):
    """A build that cannot be checked, and why."""


def must(command, **options):
    result = e2e.run(command, timeout=LIMIT_SECONDS, **options)
    if result.returncode:
        raise Trouble(f"{result.rerun}: {(result.stderr or result.stdout).strip()[-300:]}")
    return result


def behave(path, words, stdin):
    """What a program prints, and how it ends."""
    with open(stdin or "/dev/null", "rb") as file:
        result = e2e.run([path, *words], timeout=LIMIT_SECONDS, stdin=file)
    return [result.returncode, hashlib.sha256(result.stdout.encode()).hexdigest()[:16]]


def plant(name, sources, words, parse, run, stdin, options):
    """A program with probes; how it behaves without them is found out by a build at -O0."""
    folder = options.keep / "sources" / name
    mutants = [folder / f"{source.stem}.{options.seed}.c" for source in sources]
    marker = folder / "behaviour.json"
    if not marker.exists():
        folder.mkdir(parents=True, exist_ok=True)
        must([e2e.XSTEP, "mutate", "--probes", "--density", options.density, "--seed", options.seed, "--force",
              *(word for flag in parse for word in ("--flag", flag)), "-o", folder, *sources])
        plain = folder / "plain"
        must([e2e.GCC, "-O0", "-w", *words, "-o", plain, *sources, "-lm"])
        marker.write_text(json.dumps(behave(plain, run, stdin)))
        plain.unlink()
    return Program(name, sources, mutants, words, parse, run, stdin, json.loads(marker.read_text()))


def csmith_programs(options):
    folder = options.keep / "csmith"
    for source in compare_steps.csmith_sources(options.seeds, folder, *compare_vars.SMALL_ARRAYS):
        yield plant(source.stem, [source], [INCLUDE], [INCLUDE], [], None, options)


def real_programs(options):
    import real
    for program in real.PROGRAMS:
        if program.name == "sqlite3":
            continue  # its source is one file of 250000 lines: half an hour for each build
        try:
            folder, files = real.sources_of(program)
            stdin = small_text(options) if program.stdin == "text" else program.stdin
        except real.Unavailable as why:
            print(f"{program.name}: {why}", file=sys.stderr)
            continue
        sources = [folder / name for name in files]
        words = [*program.flags, *sorted({f"-I{source.parent}" for source in sources} | {f"-I{folder}"})]
        yield plant(program.name, sources, words, words, list(map(str, program.arguments)), stdin, options)


def small_text(options):
    """A part of what the bench compresses."""
    import real
    path = options.keep / "text"
    path.write_text(real.text().read_text()[:200000])
    return path


def short(finding):
    """What is kept of a violation."""
    return {"id": finding["id"], "group": finding["group"], "signature": finding["signature"],
            "file": finding["stop"]["file"], "line": finding["stop"]["line"], "pc": finding["stop"]["pc"],
            "path": finding["path"], "scope": finding["scope"], "wrong": finding["wrong"],
            "operand": finding["facts"]["operand"]["value"], "dwarf": finding["facts"]["xstep"]["value"],
            "remark": finding["remark"], "place": finding["evidence"]["place"],
            "expression": finding["evidence"]["expression"], "times": finding["times"]}


def check(program, compiler, level, options):
    """The result of one build."""
    folder = options.keep / "builds"
    folder.mkdir(exist_ok=True)
    path = folder / f"{program.name}-{compiler}{level}"
    build = [compiler, "-g", level, "-w", *program.words, "-o", path, *program.mutants, "-lm"]
    must(build)
    if behave(path, program.run, program.stdin) != program.behaviour:
        raise Trouble(f"{path} does not do what it did without probes")
    words = ["check", "probes", "--format", "json", "--stdin", program.stdin or "/dev/null", "--stdout", "/dev/null",
             path, *program.run]
    began = time.monotonic()
    result = e2e.xstep(*words, timeout=LIMIT_SECONDS)
    seconds = time.monotonic() - began
    if not result.stdout:
        raise Trouble(f"{result.rerun}: {result.stderr[-300:]}")
    report = json.loads(result.stdout)
    path.unlink()  # the line that builds it is kept
    return {**dict(zip(KEY, (program.name, compiler, level))), "seconds": round(seconds, 3),
            "build": shlex.join(map(str, build)), "rerun": result.rerun,
            "violations": list(map(short, report["violations"])), "asked": report["summary"]["asked"]}


class Results:
    """The lines of results.jsonl, by their key."""

    def __init__(self, path):
        self.path, self.lock, self.all = path, threading.Lock(), {}
        for line in path.read_text().splitlines() if path.exists() else ():
            told = json.loads(line)
            self.all[tuple(told[name] for name in KEY)] = told

    def get(self, program, compiler, level, options):
        key = program.name, compiler, level
        if key in self.all:
            return
        try:
            told = check(*(program, compiler, level), options)
        except Exception as why:  # a build that fails, a check that takes too long
            print(f"trouble: {key}: {type(why).__name__}: {str(why)[-400:]}", file=sys.stderr, flush=True)
            return
        with self.lock:
            self.all[key] = told
            with self.path.open("a") as file:
                file.write(json.dumps(told) + "\n")


def asked_of(results):
    return sum(rule["asked"] for one in results for rule in one["asked"] if rule["rule"] == "P1")


def print_rates(title, results, options):
    """Lies and losses: of how many variables, at how many places, and of 1000 questions how many."""
    print(f"\n{title}\n\n| compiler | level | builds | questions | lies: variables | places | of 1000 | "
          "losses: variables | places | of 1000 |\n|---|---|---|---|---|---|---|---|---|---|")
    for compiler in options.compilers:
        for level in [*options.levels, "all"]:
            mine = [one for one in results if one["compiler"] == compiler and level in (one["level"], "all")]
            asked = asked_of(mine)
            if not asked:
                continue
            cells = []
            for rule in ("P1", "P2"):
                found = [(one["program"], d) for one in mine for d in one["violations"] if d["group"] == rule]
                variables = {(program, (d["scope"] or "").split("/")[-1], d["path"]) for program, d in found}
                cells += [len(variables), len(found),
                          f"{1000 * sum(d['times'] for _, d in found) / asked:.1f}"]
            print(f"| {compiler} | {level} | {len(mine)} | {asked} | " + " | ".join(map(str, cells)) + " |")


def kind_of(finding):
    """The signature without features: who, which word, which flaw."""
    return re.sub(r" \[.*", "", finding["signature"])


def print_kinds(results, options):
    counts = collections.defaultdict(collections.Counter)
    for one in results:
        for finding in one["violations"]:
            counts[kind_of(finding)][one["compiler"]] += 1
    print("\n| kind | " + " | ".join(options.compilers) + " |\n|---|" + "---|" * len(options.compilers))
    for kind, row in sorted(counts.items(), key=lambda item: -sum(item[1].values())):
        print(f"| {kind} | " + " | ".join(str(row[compiler]) for compiler in options.compilers) + " |")


def print_asked(results):
    asked, left = asked_of(results), collections.Counter()
    for one in results:
        for rule in one["asked"]:
            left.update(rule["left"])
    print(f"\nasked: {asked} operands; not asked: "
          + "; ".join(f"{number} {reason}" for reason, number in left.most_common()))


def pick(results, count, seed):
    """Findings for somebody to judge: of each kind and compiler in turn."""
    dice, groups = random.Random(seed), collections.defaultdict(list)
    for one in results:
        for finding in one["violations"]:
            groups[kind_of(finding), one["compiler"]].append((one, finding))
    for group in groups.values():
        dice.shuffle(group)
    while count and any(groups.values()):
        for key in sorted(groups):
            if count and groups[key]:
                count -= 1
                yield groups[key].pop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=100, help="programs of csmith (100)")
    parser.add_argument("--seed", type=int, default=1, help="of the probes (1)")
    parser.add_argument("--density", type=float, default=0.2, help="of the probes (0.2)")
    parser.add_argument("--levels", default=",".join(LEVELS))
    parser.add_argument("--compilers", default=",".join(COMPILERS))
    parser.add_argument("--real", action="store_true", help="real programs instead")
    parser.add_argument("--tables", action="store_true", help="print what is there, and do nothing")
    parser.add_argument("--pick", type=int, metavar="N", help="findings to judge by hand")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, default=e2e.CACHE / "probes-table")
    options = parser.parse_args()
    options.keep = options.keep.resolve()
    options.keep.mkdir(parents=True, exist_ok=True)
    for name in ("levels", "compilers"):
        setattr(options, name, getattr(options, name).split(","))
    results = Results(options.keep / "results.jsonl")
    if not options.tables and not options.pick:
        programs = real_programs(options) if options.real else csmith_programs(options)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            waiting = [pool.submit(results.get, program, compiler, level, options) for program in programs
                       for compiler in options.compilers for level in options.levels]
            concurrent.futures.wait(waiting)
    told = list(results.all.values())
    if options.pick:
        for number, (one, finding) in enumerate(pick(told, options.pick, options.seed), 1):
            print(f"{number}. {finding['signature']}  [{finding['id']}]\n   {one['program']} {one['compiler']} "
                  f"{one['level']}: {finding['path']} of {finding['scope']} at {finding['pc']}, line "
                  f"{finding['line']}\n"
                  f"   operand {finding['operand']}, DWARF {finding['dwarf']}; {finding['remark']}\n"
                  f"   {finding['place']}: {finding['expression']}\n   {one['build']}\n   {one['rerun']}")
        return 0
    generated = [one for one in told if one["program"].startswith("csmith_")]
    print_rates("Generated programs", generated, options)
    for name in sorted({one["program"] for one in told} - {one["program"] for one in generated}):
        print_rates(name, [one for one in told if one["program"] == name], options)
    print_kinds(told, options)
    print_asked(told)
    seconds = sorted(one["seconds"] for one in told)
    if seconds:
        print(f"{len(seconds)} builds, seconds each: median {seconds[len(seconds) // 2]:.2f}, most {seconds[-1]:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
