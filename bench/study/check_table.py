#!/usr/bin/python3
"""check_table.py - xstep check over generated programs: tables in the form of the papers'.

Programs of csmith (--seeds N, at most --most instructions of their own at -O0), each built by both
compilers. Results are kept under --keep FOLDER, a JSON file for each build, check and witness: a run
that was interrupted goes on where it was. Printed: violations and different signatures by compiler,
level and rule (`opt`: Debug2's table 1; `levels`: DEVIL's; `calls` and `avail`: table 1 of the
conjectures, with violations counted once over all levels), the averages of `metrics`, seconds a program by witness, and
the clusters.
"""
import argparse
import collections
import json
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import compare_steps
import compare_vars
import e2e

LEVELS = ("-Og", "-O1", "-O2", "-O3")
COMPILERS = (e2e.GCC, e2e.CLANG)
RULES = {"opt": ("LI", "SI", "BI", "PI"), "levels": ("R1", "R2", "R3"), "calls": ("C1",),
         "avail": ("C2", "C3"), "metrics": ()}
COMMAND = {"calls": "avail"}  # C1 has programs of its own, with calls put in
LIMIT_SECONDS = 900
INCLUDE = "-I/usr/include/csmith"


def sources(count, most):
    """The first `count` short programs."""
    for source in compare_steps.csmith_sources(sys.maxsize, e2e.CACHE / "csmith_plain",
                                               *compare_vars.SMALL_ARRAYS, "--no-checksum"):
        program = e2e.compile(source, e2e.GCC, ("-g", "-O0", INCLUDE))
        result = e2e.xstep("trace", "--sample", "none", "--format", "none", "--limit", most, program)
        if not result.returncode and "ended by --limit" not in result.stderr:
            yield source
            count -= 1
        if not count:
            return


def called(source):
    """The variant of a source for C1, with calls of a function that is defined elsewhere; that is
    NAME_with.c beside it, which e2e.compile() compiles with it."""
    variant = source.with_name(f"{source.stem}_calls.c")
    other = source.with_name(f"{source.stem}_calls_with.c")
    if not variant.exists():
        result = e2e.xstep("check", "avail", "--inject-opaque", "--source", source, "--flag", INCLUDE)
        if result.returncode:
            raise RuntimeError(f"{result.rerun}: {result.stderr}")
        other.write_text("void xstep_opaque(int count, ...) {}\n")
        variant.write_text(result.stdout)
    return variant


def words(check, source, compiler, level):
    """The arguments of a check of one build."""
    unopt = e2e.compile(source, compiler, ("-g", "-O0", INCLUDE))
    program = e2e.compile(source, compiler, ("-g", level, INCLUDE))
    if check in ("opt", "metrics"):
        return [unopt, program]
    if check == "avail":
        return ["--source", source, "--flag", INCLUDE, program]
    if check == "calls":
        return ["--source", called(source), "--flag", INCLUDE,
                e2e.compile(called(source), compiler, ("-g", level, INCLUDE))]
    return ["--no-break", program]


def run(check, source, compiler, level, witness, options, folder):
    """The result of one check of one build, from the folder or made now. Traces are shared by all
    builds of a program, unless their cost is to be measured (--apart)."""
    file = options.keep / f"{source.stem}{level}-{compiler}-{check}-{witness.replace(',', '+')}.json"
    if file.exists():
        return json.loads(file.read_text())
    own = words(check, source, compiler, level)
    began = time.monotonic()
    result = e2e.xstep("check", COMMAND.get(check, check), "--format", "json", "--witness", witness,
                       *(() if options.apart else ("-o", f"{folder}/traces.db")), *own,
                       timeout=LIMIT_SECONDS)
    seconds = time.monotonic() - began
    if result.returncode not in (0, 1):
        return {"trouble": f"{result.rerun}: {result.stderr[-300:]}"}
    told = {"seconds": seconds, **json.loads(result.stdout)}
    new = file.with_suffix(".new")
    new.write_text(json.dumps(told))
    new.rename(file)  # whole or not at all
    return told


def print_rules(check, results, options):
    rules = RULES[check]
    print(f"\n{check}: violations/signatures, programs with any")
    print(f"{'':24}" + "".join(f"{rule:>12}" for rule in rules) + "    programs")
    for compiler in options.compilers:
        for level in options.levels:
            told = [one for key, one in results.items() if key[1:] == (compiler, level, check)]
            cells = []
            for rule in rules:
                found = [d for one in told for d in one["violations"] if d["group"] == rule]
                cells.append(f"{len(found)}/{len({d['signature'] for d in found})}")
            some = sum(bool(one["violations"]) for one in told)
            print(f"{compiler:12} {level:4} of {len(told):3} "
                  + "".join(f"{cell:>12}" for cell in cells) + f"{some:>12}")
        # The same place in the source at several levels is one.
        cells = []
        for rule in rules:
            unique = {(key[0], d["stop"]["line"], d["path"], d["signature"].split()[2])
                      for key, one in results.items() if key[1] == compiler and key[3] == check
                      for d in one["violations"] if d["group"] == rule}
            cells.append(str(len(unique)))
        print(f"{compiler:12} unique      " + "".join(f"{cell:>12}" for cell in cells))


def print_metrics(results, options):
    print("\nmetrics: averages over programs")
    print(f"{'':24}{'lines':>12}{'available':>12}{'product':>12}")
    for compiler in options.compilers:
        for level in options.levels:
            told = [one["programs"][0]["total"] for key, one in results.items()
                    if key[1:] == (compiler, level, "metrics")]
            told = [one for one in told if one["lines"] and one["availability"] is not None]
            if not told:
                continue
            means = [sum(one[name] for one in told) / len(told)
                     for name in ("line_coverage", "availability", "product")]
            print(f"{compiler:12} {level:4} of {len(told):3} "
                  + "".join(f"{mean:12.3f}" for mean in means))


def print_clusters(results):
    clusters = collections.defaultdict(lambda: [0, set(), set(), None])
    for (source, compiler, level, _), one in results.items():
        for finding in one.get("violations", ()):
            row = clusters[finding["signature"]]
            row[0] += 1
            row[1].add((source, compiler, level))
            row[2].add(f"{compiler.split('-')[0]}{level}")
            row[3] = row[3] or (source, compiler, level, finding["id"])
    print("\nbuilds  found  signature; where; first")
    for signature, (count, builds, where, first) in sorted(clusters.items(),
                                                           key=lambda row: -len(row[1][1])):
        print(f"{len(builds):6} {count:6}  {signature}; {','.join(sorted(where))}; {' '.join(first)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--most", type=int, default=100000, help="instructions at -O0")
    parser.add_argument("--witness", default="xstep")
    parser.add_argument("--checks", default="opt,levels,metrics,calls,avail")
    parser.add_argument("--levels", default=",".join(LEVELS))
    parser.add_argument("--compilers", default=",".join(COMPILERS))
    parser.add_argument("--apart", action="store_true", help="record all traces for each check")
    parser.add_argument("--keep", type=pathlib.Path, default=e2e.CACHE / "check-table")
    options = parser.parse_args()
    options.levels, options.compilers = options.levels.split(","), options.compilers.split(",")
    options.keep.mkdir(parents=True, exist_ok=True)
    results, troubles = {}, []
    for source in sources(options.seeds, options.most):
        for compiler, folder in ((one, tempfile.TemporaryDirectory()) for one in options.compilers):
            for level in options.levels:
                for check in options.checks.split(","):
                    told = run(check, source, compiler, level, options.witness, options, folder.name)
                    if "trouble" in told:
                        troubles.append(told["trouble"])
                        print("trouble:", told["trouble"], file=sys.stderr, flush=True)
                    else:
                        results[source.stem, compiler, level, check] = told
            folder.cleanup()
    for check in options.checks.split(","):
        seconds = sorted(one["seconds"] for key, one in results.items() if key[3] == check)
        if RULES[check] and seconds:
            print_rules(check, results, options)
        if seconds:
            print(f"{check}: {len(seconds)} builds by {options.witness}, seconds each: median "
                  f"{seconds[len(seconds) // 2]:.2f}, mean {sum(seconds) / len(seconds):.2f}, "
                  f"most {seconds[-1]:.2f}")
    print_metrics(results, options)
    print_clusters(results)
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main())
