#!/usr/bin/python3
"""diff_table.py - xstep diff over generated programs: a table of discrepancies, and one of clusters.

Programs of csmith (--seeds N, at most --most instructions of their own at -O0), each built by both
compilers at four levels. What the witnesses say is kept under --keep FOLDER, a trace store a build: a
run that was interrupted goes on where it was, and verdicts are made anew each time; --kept makes no new
ones and takes all that are there. Three tables are printed: programs and discrepancies by compiler, level
and group; what was compared, and how long the recording took; and clusters with what they are known as.
Exit status 1 if xstep stands alone anywhere, or a build could not be compared.
"""
import argparse
import collections
import datetime
import json
import pathlib
import re
import sqlite3
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import compare_steps
import compare_vars
import e2e

LEVELS = ("-O0", "-O1", "-O2", "-O3")
COMPILERS = (e2e.GCC, e2e.CLANG)
GROUPS = ("G1", "G2", "G3", "G4", "G5", "G6", "X")
LIMIT_SECONDS = 1800


def generated(count):
    """Programs of csmith. Without its checksum most of them are short."""
    return compare_steps.csmith_sources(count, e2e.CACHE / "csmith_plain",
                                        *compare_vars.SMALL_ARRAYS, "--no-checksum")


def source_of(name):
    """The one of that name, `csmith_7`."""
    return next(source for source in generated(sys.maxsize) if source.stem == name)


def flags(level):
    return "-g", level, "-I/usr/include/csmith"


def sources(count, most):
    """The first `count` short programs."""
    for source in generated(sys.maxsize):
        program = e2e.compile(source, e2e.GCC, flags("-O0"))
        result = e2e.xstep("trace", "--sample", "none", "--format", "none", "--limit", most, program)
        if not result.returncode and "ended by --limit" not in result.stderr:
            yield source
            count -= 1
        if not count:
            return


def compare(source, compiler, level, kept):
    """The result of one build, by the store in the folder or one made now."""
    program = e2e.compile(source, compiler, flags(level))
    store = kept / f"{source.stem}{level}-{compiler}.db"
    if store.exists():
        result = e2e.xstep("diff", "--format", "json", store, timeout=LIMIT_SECONDS)
    else:
        new = store.with_suffix(".new.db")
        new.unlink(missing_ok=True)
        result = e2e.xstep("diff", "--format", "json", "-o", new, program, timeout=LIMIT_SECONDS)
    if result.returncode not in (0, 1):
        return {"trouble": f"{result.rerun}: {result.stderr[-300:]}"}
    if not store.exists():
        new.rename(store)  # whole or not at all
    return {**json.loads(result.stdout), "program": str(program), "seconds": seconds(store)}


def seconds(store):
    """How long the recording of a store took, from the first witness's beginning to the last one's end."""
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as connection:
        began, ended = connection.execute("SELECT min(began), max(ended) FROM trace").fetchone()
    began, ended = (datetime.datetime.fromisoformat(text.rstrip("Z")) for text in (began, ended))
    return (ended - began).total_seconds()


def kept_builds(folder):
    """[(source, compiler, level)] of the stores in a folder."""
    found = [re.fullmatch(r"csmith_(\d+)(-O\w)-(.*)\.db", path.name) for path in folder.glob("*.db")]
    found = sorted((int(one[1]), one[3], one[2]) for one in found
                   if one and not one[3].endswith(".new"))
    return [(e2e.CACHE / "csmith_plain" / f"csmith_{number}.c", compiler, level)
            for number, compiler, level in found]


def print_groups(results):
    print(f"{'':22}" + "".join(f"{group:>12}" for group in GROUPS) + "   programs/discrepancies")
    for compiler in COMPILERS:
        for level in LEVELS:
            told = [one for key, one in results.items() if key[1:] == (compiler, level)]
            cells = []
            for group in GROUPS:
                counts = [sum(group in d["group"].split("+") for d in one["discrepancies"])
                          for one in told]
                cells.append(f"{sum(map(bool, counts))}/{sum(counts)}")
            print(f"{compiler:10} {level:4} of {len(told):3} "
                  + "".join(f"{cell:>12}" for cell in cells))


def print_costs(results):
    print(f"\n{'':16}{'builds':>8}{'stops':>10}{'facts':>12}{'found':>8}{'clusters':>10}{'seconds':>9}")
    rows = [(f"{compiler} {level}", [one for key, one in results.items()
                                     if key[1:] == (compiler, level)])
            for compiler in COMPILERS for level in LEVELS]
    for name, told in rows + [("all", list(results.values()))]:
        signatures = {one["signature"] for told_one in told for one in told_one["discrepancies"]}
        print(f"{name:16}{len(told):8}{sum(one['summary']['stops'] for one in told):10}"
              f"{sum(one['summary']['compared'] for one in told):12}"
              f"{sum(len(one['discrepancies']) for one in told):8}{len(signatures):10}"
              f"{sum(one['seconds'] for one in told):9.0f}")


def print_clusters(results):
    clusters = collections.defaultdict(lambda: [0, set(), set(), None, None])
    for (source, compiler, level), one in results.items():
        for finding in one["discrepancies"]:
            row = clusters[finding["signature"]]
            row[0] += 1
            row[1].add((source, compiler, level))
            row[2].add(f"{compiler.split('-')[0]}{level}")
            row[3] = finding["known"]
            row[4] = row[4] or (one["program"], finding["id"])
    print("\nbuilds  found  signature; known as; where; first")
    for signature, (count, builds, where, known, first) in sorted(
            clusters.items(), key=lambda row: -len(row[1][1])):
        print(f"{len(builds):6} {count:6}  {signature}; {known or '-'}; "
              f"{','.join(sorted(where))}; {first[1]} {first[0]}")
    return clusters


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=15)
    parser.add_argument("--most", type=int, default=100000, help="instructions at -O0")
    parser.add_argument("--levels", default=",".join(LEVELS))
    parser.add_argument("--compilers", default=",".join(COMPILERS))
    parser.add_argument("--keep", type=pathlib.Path, default=e2e.CACHE / "diff-table")
    parser.add_argument("--kept", action="store_true", help="the builds that are kept, and no others")
    options = parser.parse_args()
    options.keep.mkdir(parents=True, exist_ok=True)
    results, troubles = {}, []
    builds = kept_builds(options.keep) if options.kept else (
        (source, compiler, level) for source in sources(options.seeds, options.most)
        for compiler in options.compilers.split(",") for level in options.levels.split(","))
    for source, compiler, level in builds:
        told = compare(source, compiler, level, options.keep)
        if "trouble" in told:
            troubles.append(told["trouble"])
            print("trouble:", told["trouble"], file=sys.stderr)
        else:
            results[source.stem, compiler, level] = told
            print(f"{source.stem} {compiler} {level}: "
                  f"{len(told['discrepancies'])} in {len(told['clusters'])} clusters",
                  file=sys.stderr, flush=True)
    print_groups(results)
    print_costs(results)
    clusters = print_clusters(results)
    alone = [signature for signature in clusters if "xstep:" in signature]
    return 1 if alone or troubles else 0


if __name__ == "__main__":
    sys.exit(main())
