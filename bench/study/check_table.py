#!/usr/bin/python3
"""check_table.py - xstep check over generated programs: tables in the form of the papers'.

Programs of csmith (at most --most instructions of their own at -O0), each built by both compilers at all
levels; `levels` looks at -O0, too. --witness says who is asked and with how many programs: with `gdb:30`
gdb alone, with `xstep+gdb+lldb:30` all of them, so that it is known who is wrong.

All is kept under --keep FOLDER. results.jsonl has a line for each build, check and witness, and what is
there is not done again: a run that was interrupted goes on where it was. stores/ has the traces, a store
for each program and compiler: after a change of a rule, --again judges them anew and records nothing.

Printed, for each witness: violations and different signatures by compiler, level and rule (`opt`: Debug2's
table 1; `levels`: DEVIL's; `calls` and `avail`: table 1 of the conjectures, with violations counted once
over all levels), who is wrong, what was asked, the averages of `metrics`, seconds a build, and the clusters.
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import compare_steps
import compare_vars
import e2e

LEVELS = ("-O0", "-Og", "-O1", "-O2", "-O3", "-Os", "-Oz")
COMPILERS = (e2e.GCC, e2e.CLANG)
RULES = {"opt": ("LI", "SI", "BI", "PI"), "levels": ("R1", "R2", "R3"), "calls": ("C1",),
         "avail": ("C2", "C3"), "metrics": ()}
COMMAND = {"calls": "avail"}  # C1 has programs of its own, with calls put in
LIMIT_SECONDS = 900
INCLUDE = "-I/usr/include/csmith"
KEY = ("source", "compiler", "level", "check", "witness")


def sources(count, most):
    """The first `count` short programs."""
    for source in compare_steps.csmith_sources(sys.maxsize, e2e.CACHE / "csmith_plain",
                                               *compare_vars.SMALL_ARRAYS, "--no-checksum"):
        if not count:
            return
        program = e2e.compile(source, e2e.GCC, ("-g", "-O0", INCLUDE))
        result = e2e.xstep("trace", "--sample", "none", "--format", "none", "--limit", most, program)
        if not result.returncode and "ended by --limit" not in result.stderr:
            yield source
            count -= 1


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
    def built(what, level):
        return e2e.compile(what, compiler, ("-g", level, INCLUDE))
    if check in ("opt", "metrics"):
        return [built(source, "-O0"), built(source, level)]
    if check == "avail":
        return ["--source", source, "--flag", INCLUDE, built(source, level)]
    if check == "calls":
        return ["--source", called(source), "--flag", INCLUDE, built(called(source), level)]
    return ["--no-break", built(source, level)]


def short(finding):
    """What is kept of a violation."""
    return {"id": finding["id"], "group": finding["group"], "signature": finding["signature"],
            "line": finding["stop"]["line"], "pc": finding["stop"]["pc"], "path": finding["path"],
            "wrong": finding["wrong"], "basis": finding["basis"], "times": finding.get("times")}


def run(cell, options):
    """The result of one check of one build."""
    source, compiler, level, check, witness = cell
    own = words(check, source, compiler, level)
    store = options.keep / "stores" / f"{source.stem}-{compiler}.db"
    store.parent.mkdir(exist_ok=True)
    began = time.monotonic()
    result = e2e.xstep("check", COMMAND.get(check, check), "--format", "json", "--witness",
                       witness.replace("+", ","), "--stdout", "/dev/null",
                       *(() if options.apart else ("-o", store)), *own, timeout=LIMIT_SECONDS)
    told = {**dict(zip(KEY, (source.stem, *cell[1:]))), "seconds": round(time.monotonic() - began, 3),
            "rerun": result.rerun}
    if not result.stdout:
        return {**told, "trouble": result.stderr[-300:]}
    report = json.loads(result.stdout)
    if check == "metrics":
        return {**told, "total": report["programs"][0]["total"]}
    return {**told, "status": result.returncode, "violations": list(map(short, report["violations"])),
            "asked": report.get("summary", {}).get("asked", [])}


class Results:
    """The lines of results.jsonl, by their key; the last of a key counts."""

    def __init__(self, path, again):
        self.path, self.lock, self.all = path, threading.Lock(), {}
        if again:
            path.unlink(missing_ok=True)
        for line in path.read_text().splitlines() if path.exists() else ():
            told = json.loads(line)
            self.all[tuple(told[name] for name in KEY)] = told

    def get(self, cell, options):
        key = (cell[0].stem, *cell[1:])
        if key not in self.all:
            try:
                told = run(cell, options)
            except Exception as why:  # a program that cannot be built, a check that takes too long
                told = {**dict(zip(KEY, key)), "trouble": f"{type(why).__name__}: {str(why)[-300:]}"}
            with self.lock:
                self.all[key] = told
                if "trouble" in told:  # is tried again the next time
                    print("trouble:", told["trouble"], file=sys.stderr, flush=True)
                else:
                    with self.path.open("a") as file:
                        file.write(json.dumps(told) + "\n")
        return self.all[key]


def print_rules(check, results, options):
    rules = RULES[check]
    print(f"\n{check}: violations/signatures, programs with any")
    print(f"{'':24}" + "".join(f"{rule:>12}" for rule in rules) + "    programs")
    for compiler in options.compilers:
        mine = [one for one in results if one["compiler"] == compiler]
        for level in options.levels:
            told = [one for one in mine if one["level"] == level]
            if not told:
                continue
            cells = []
            for rule in rules:
                found = [d for one in told for d in one["violations"] if d["group"] == rule]
                cells.append(f"{len(found)}/{len({d['signature'] for d in found})}")
            some = sum(bool(one["violations"]) for one in told)
            print(f"{compiler:12} {level:4} of {len(told):3} "
                  + "".join(f"{cell:>12}" for cell in cells) + f"{some:>12}")
        # The same place in the source at several levels is one.
        cells = [str(len({(one["source"], d["line"], d["path"], d["signature"].split()[2])
                          for one in mine for d in one["violations"] if d["group"] == rule}))
                 for rule in rules]
        print(f"{compiler:12} unique      " + "".join(f"{cell:>12}" for cell in cells))
    wrong = collections.Counter((d["group"], "+".join(d["wrong"]) or "open")
                                for one in results for d in one["violations"])
    print("wrong: " + (", ".join(f"{rule} {who} {count}" for (rule, who), count in sorted(wrong.items()))
                       or "nobody"))
    print_asked(results)


def print_asked(results):
    """What was asked by each rule, and what was not, by reason, over all builds."""
    asked, left = collections.Counter(), collections.defaultdict(collections.Counter)
    for one in results:
        for rule in one["asked"]:
            asked[rule["rule"], rule["what"]] += rule["asked"]
            left[rule["rule"], rule["what"]].update(rule["left"])
    for key, count in sorted(asked.items()):
        reasons = "; ".join(f"{number} {reason}" for reason, number in left[key].most_common())
        print(f"asked: {key[0]}: {count} {key[1]}" + (f"; not asked: {reasons}" if reasons else ""))


def print_metrics(results, options):
    print("\nmetrics: averages over programs")
    print(f"{'':24}{'lines':>12}{'available':>12}{'product':>12}")
    for compiler in options.compilers:
        for level in options.levels:
            told = [one["total"] for one in results
                    if (one["compiler"], one["level"]) == (compiler, level) and one["total"]["lines"]]
            if not told:
                continue
            means = []
            for name in ("line_coverage", "availability", "product"):
                values = [one[name] for one in told if one[name] is not None]
                means.append(sum(values) / len(values) if values else float("nan"))
            print(f"{compiler:12} {level:4} of {len(told):3} "
                  + "".join(f"{mean:12.3f}" for mean in means))


def print_clusters(results):
    clusters = collections.defaultdict(lambda: [0, set(), set(), None])
    for one in results:
        for finding in one.get("violations", ()):
            row = clusters[finding["signature"]]
            row[0] += 1
            row[1].add((one["source"], one["compiler"], one["level"]))
            row[2].add(f"{one['compiler'].split('-')[0]}{one['level']}")
            row[3] = row[3] or (one["source"], one["compiler"], one["level"], finding["id"])
    print("\nbuilds  found  signature; where; first")
    for signature, (count, builds, where, first) in sorted(clusters.items(),
                                                           key=lambda row: -len(row[1][1])):
        print(f"{len(builds):6} {count:6}  {signature}; {','.join(sorted(where))}; {' '.join(first)}")


def print_witness(witness, results, options):
    """All tables of one witness."""
    print(f"\n# {witness}")
    good = [one for one in results if one["witness"] == witness and "trouble" not in one]
    for check in options.checks:
        told = [one for one in good if one["check"] == check]
        if not told:
            continue
        if RULES[check]:
            print_rules(check, told, options)
        else:
            print_metrics(told, options)
        seconds = sorted(one["seconds"] for one in told)
        print(f"{check}: {len(seconds)} builds by {witness}, seconds each: median "
              f"{seconds[len(seconds) // 2]:.2f}, mean {sum(seconds) / len(seconds):.2f}, "
              f"most {seconds[-1]:.2f}")
    print_clusters(good)
    trouble = sum(one["witness"] == witness and "trouble" in one for one in results)
    print(f"{witness}: {len(good)} results, {trouble} with trouble")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--witness", default="xstep:100,gdb:30,lldb:30,xstep+gdb+lldb:30",
                        help="who is asked, and with how many programs")
    parser.add_argument("--most", type=int, default=20000, help="instructions at -O0")
    parser.add_argument("--checks", default="opt,levels,metrics,calls,avail")
    parser.add_argument("--levels", default=",".join(LEVELS))
    parser.add_argument("--compilers", default=",".join(COMPILERS))
    parser.add_argument("--apart", action="store_true", help="record all traces for each check")
    parser.add_argument("--again", action="store_true", help="judge the stored traces anew")
    parser.add_argument("--tables", action="store_true", help="print what is there, and do nothing")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, default=e2e.CACHE / "check-table")
    options = parser.parse_args()
    for name in ("levels", "compilers", "checks"):
        setattr(options, name, getattr(options, name).split(","))
    options.keep.mkdir(parents=True, exist_ok=True)
    witnesses = {name: int(count or 100) for name, _, count in
                 (one.partition(":") for one in options.witness.split(","))}
    results = Results(options.keep / "results.jsonl", options.again)

    def together(job):
        """The checks of the builds of one program by one compiler: they share a store."""
        source, compiler, witness = job
        return [results.get((source, compiler, level, check, witness), options)
                for level in options.levels for check in options.checks
                if level != "-O0" or check == "levels"]

    if options.tables:
        told = list(results.all.values())
    else:
        programs = list(sources(max(witnesses.values()), options.most))
        told = []
        for witness, count in witnesses.items():
            jobs = [(source, compiler, witness) for source in programs[:count]
                    for compiler in options.compilers]
            with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
                told += [one for some in pool.map(together, jobs) for one in some]
    for witness in witnesses:
        print_witness(witness, told, options)
    return 1 if any("trouble" in one for one in told) else 0


if __name__ == "__main__":
    sys.exit(main())
