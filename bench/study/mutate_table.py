"""mutate_table.py - mutants of many programs: that they compile, that they behave like their seeds, and how
much more debug information they have.

Programs: csmith's (--seeds N, with the text of csmith's own headers in them, as they are most of the
code) and gcc's torture tests (--torture N; package gcc-12-source). A seed is fit if it runs clean under
ASan and UBSan, and gcc's and clang's builds of it do the same: one whose behaviour C leaves open proves
nothing. Of each, one mutant per set of mutators (--sets) is built by gcc (-O3 -g3, as the paper did)
and clang (-O0 -g), and run beside the seed's build. Anything that does not compile or does something
else is printed, and makes the exit status 1.

The table: DIEs, and distinct kinds of them (tag and names of attributes), of the mutants over their
seeds', in gcc's builds: quartiles by set, as in the paper's Figure 9.

--keep FILE keeps each result as a line of JSON, and takes from there what is known already.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile

import e2e

TORTURE = "gcc/testsuite/gcc.c-torture/execute"
CSMITH = "-I/usr/include/csmith"
HEADERS = ("assert.h", "float.h", "inttypes.h", "limits.h", "math.h", "stdint.h", "stdio.h", "stdlib.h",
           "string.h")
SETS = "rcl,ocp,fco,asm,rcl+fco+ocp"
BUILDS = {"gcc": (e2e.GCC, "-O3", "-g3"), "clang": (e2e.CLANG, "-O0", "-g")}
SANITIZE = (e2e.GCC, "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
# Programs that are about what the optimiser or the layout makes of them, not about what C says.
ABOUT_COMPILER = re.compile(
    r"__OPTIMIZE__|link_error|__builtin_constant_p|dg-(additional-)?options|dg-skip-if|"
    r"__builtin_(return|frame)_address|__builtin_apply|__builtin_va_arg_pack|__builtin_object_size")


def build(source, words, flags, program):
    """Whether it can be built; else what the compiler says."""
    try:
        result = e2e.run([*words, "-w", *flags, "-o", program, source, "-lm"], timeout=300)
    except subprocess.TimeoutExpired:
        return "the compiler takes more than 300 s"
    return None if result.returncode == 0 else result.stderr[-1500:] or "failed"


def behaviour(program, limit=5):
    """What it does: [status, output]; None if it does not end."""
    try:
        result = e2e.run([program], timeout=limit, env={"ASAN_OPTIONS": "detect_leaks=0"})
    except subprocess.TimeoutExpired:
        return None
    return [result.returncode, result.stdout]


def dies(program):
    """How many DIEs, and how many kinds of them: each abbreviation is one that some DIE has."""
    count = e2e.run(["llvm-dwarfdump-15", "--debug-info", program]).stdout.count(" DW_TAG_")
    kinds = set()
    for kind in re.split(r"^\[\d+\] ", e2e.run(["llvm-dwarfdump-15", "--debug-abbrev", program]).stdout,
                         flags=re.M)[1:]:
        kinds.add(tuple(re.findall(r"DW_(?:TAG|AT)_\w+", kind)))
    return count, len(kinds)


def check_seed(source, flags, scratch):
    """What is known of a seed; {"unfit": why} if it cannot be one."""
    program = scratch / "seed"
    if build(source, SANITIZE, flags, program):
        return {"unfit": "does not build"}
    clean = behaviour(program, 10)
    if clean is None or clean[0] < 0 or clean[0] > 0:
        return {"unfit": "not clean, or does not end"}
    known = {"behaviour": clean}
    for name, words in BUILDS.items():
        program = scratch / f"seed_{name}"
        if build(source, words, flags, program):
            return {"unfit": f"{name} does not build it"}
        if behaviour(program) != clean:
            return {"unfit": f"{name} makes something else of it"}
    known["dies"] = dies(scratch / "seed_gcc")
    return known


def check_mutant(source, flags, did, mutators, seed, chance, scratch):
    """{"applied", "dies", "wrong": [...]} of one mutant, whose seed did what is told."""
    words = ["mutate", source, "-o", scratch / "mutants", "--seed", seed, "--force", "--json",
             "--only", mutators.replace("+", ","), *chance]
    for flag in flags:
        words += ["--flag", flag]
    result = e2e.xstep(*words)
    if result.returncode:
        return {"wrong": [f"mutate: {result.stderr}"]}
    said = json.loads(result.stdout)
    made = {"applied": said["applied"], "wrong": [f"{name} dropped: {result.stderr}" for name in said["dropped"]]}
    # The source may include what lies beside it.
    flags = (*flags, f"-I{source.parent}")
    for name, compiler in BUILDS.items():
        program = scratch / f"mutant_{name}"
        trouble = build(said["file"], compiler, flags, program)
        if trouble:
            made["wrong"].append(f"{name}: {trouble}")
            continue
        does = behaviour(program, 20)
        if did != does:
            made["wrong"].append(f"{name}: {does} instead of {did}")
        if name == "gcc":
            made["dies"] = dies(program)
    return made


def in_one(source):
    """The text of a program with that of csmith's headers, which are most of its code, but not the
    system's."""
    own, kept = True, [f"#include <{name}>" for name in HEADERS]
    for line in e2e.run([e2e.CLANG, "-E", CSMITH, source]).stdout.splitlines():
        mark = re.match(r'# \d+ "(.)[^"]*"(.*)', line)
        if mark:
            own = mark.group(1) != "<" and " 3" not in mark.group(2)
        elif own and line:
            kept.append(line)
    return "\n".join(kept) + "\n"


def csmith_sources(folder, size):
    folder.mkdir(parents=True, exist_ok=True)
    seed = 0
    while True:
        seed += 1
        source = folder / f"csmith_{seed}.c"
        if not source.exists():
            plain = folder / "plain.c"
            plain.write_text(e2e.run(["csmith", "--seed", seed, *size], cwd=folder).stdout)
            source.write_text(in_one(plain))
        yield source, ()


def torture_sources(folder):
    archives = sorted(pathlib.Path("/usr/src/gcc-12").glob("gcc-*.tar.xz"))
    if not archives:
        sys.exit("gcc's testsuite is not there: apt-get install gcc-12-source")
    if not folder.exists():
        with tempfile.TemporaryDirectory(dir=e2e.CACHE) as scratch:
            e2e.run(["tar", "-xJf", archives[0], "-C", scratch, "--wildcards", f"*/{TORTURE}/*.c"],
                    timeout=600)
            next(pathlib.Path(scratch).glob(f"*/{TORTURE}")).rename(folder)
    everything = sorted(folder.glob("*.c"))
    random.Random(0).shuffle(everything)
    for source in everything:
        if not ABOUT_COMPILER.search(source.read_text(errors="replace")):
            yield source, ()


def quartiles(values):
    if len(values) < 2:
        return "-"
    low, middle, high = statistics.quantiles(values, n=4)
    return f"{low:.2f} {middle:.2f} {high:.2f} (mean {statistics.mean(values):.2f})"


class Table:
    def __init__(self, options):
        self.options = options
        self.known = {}
        if options.keep and os.path.exists(options.keep):
            with open(options.keep) as file:
                for line in map(json.loads, file):
                    self.known[tuple(line["key"])] = line["result"]
        self.file = open(options.keep, "a") if options.keep else None
        self.unfit, self.wrong, self.mutants = collections.Counter(), 0, 0
        self.ratios = collections.defaultdict(lambda: collections.defaultdict(list))
        self.changed = collections.defaultdict(list)

    def result(self, key, make):
        if key not in self.known:
            self.known[key] = make()
            if self.file:
                print(json.dumps({"key": key, "result": self.known[key]}), file=self.file, flush=True)
        return self.known[key]

    def look_at(self, origin, source, flags, scratch):
        """One program; False if it is not fit."""
        options = self.options
        known = self.result(("seed", origin, source.name), lambda: check_seed(source, flags, scratch))
        if "unfit" in known:
            self.unfit[f"{origin}: {known['unfit']}"] += 1
            return False
        for mutators in options.sets.split(","):
            def mutant():
                return check_mutant(source, flags, known["behaviour"], mutators, options.seed,
                                    options.chance, scratch)

            key = ("mutant", origin, source.name, mutators, str(options.seed), *options.chance)
            made = self.result(key, mutant)
            self.mutants += 1
            self.wrong += bool(made["wrong"])
            for text in made["wrong"]:
                print(f"WRONG {source} {mutators} --seed {options.seed}: {text}", flush=True)
            if "dies" in made:
                self.changed[mutators].append(sum(made["applied"].values()))
                for i, what in enumerate(("DIEs", "kinds")):
                    self.ratios[mutators][f"{origin} {what}"].append(made["dies"][i] / known["dies"][i])
        return True

    def run(self, origin, sources, count):
        with tempfile.TemporaryDirectory() as folder:
            for source, flags in sources:
                if count <= 0:
                    return
                count -= self.look_at(origin, source, flags, pathlib.Path(folder))

    def show(self):
        print(f"{self.mutants} mutants, {self.wrong} wrong; unfit seeds: {dict(self.unfit)}")
        for mutators, columns in self.ratios.items():
            places = self.changed[mutators]
            print(f"{mutators}: {statistics.median(places):.0f} places changed (median), "
                  f"none in {places.count(0)} of {len(places)}")
            for what, values in columns.items():
                print(f"    {what:16} {quartiles(values)}  n={len(values)}")
        return 1 if self.wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=200, help="csmith programs (200)")
    parser.add_argument("--small", action="store_true", help="csmith's at most 3 functions, 2 deep")
    parser.add_argument("--torture", type=int, default=100, help="gcc's torture tests (100)")
    parser.add_argument("--sets", default=SETS, help="sets of mutators (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the mutants (1)")
    parser.add_argument("--chance", nargs="*", default=[], metavar="WORD",
                        help="options for xstep mutate, without the dashes: rcl=0.8")
    parser.add_argument("--keep", metavar="FILE")
    options = parser.parse_args()
    options.chance = [f"--{word}" for word in options.chance]
    e2e.CACHE.mkdir(parents=True, exist_ok=True)
    table = Table(options)
    name, size = "csmith", ()
    if options.small:
        name, size = "csmith small", ("--max-funcs", "3", "--max-block-depth", "2")
    table.run(name, csmith_sources(e2e.CACHE / name.replace(" ", "_"), size), options.seeds)
    table.run("torture", torture_sources(e2e.CACHE / "torture"), options.torture)
    sys.exit(table.show())


if __name__ == "__main__":
    main()
