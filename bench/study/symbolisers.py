#!/usr/bin/python3
"""symbolisers.py - xstep diff with addr2line, llvm-symbolizer and eu-addr2line: who disagrees, and who is right.

Programs of csmith (--seeds N), each built by gcc and clang at five levels; two of them in other ways, too
(DWARF 4, split DWARF, lld, LTO, dwz); and three programs of Debian (bench/real.py), by both compilers at
two levels. Every transition is looked at once. What `xstep diff` says is kept under --keep FOLDER, a JSON
file a build: a run that was interrupted goes on where it was; --kept takes what is there. The tables are
printed; --write FILE puts them into a page, between the lines that say so. --sample N prints N clusters of
different signatures, with what each witness says, to be checked by hand. --witness asks others, such as further
versions of llvm-symbolizer.
"""
import argparse
import collections
import contextlib
import io
import json
import pathlib
import random
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import compare_steps
import real
from contestants import e2e

LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os")
COMPILERS = (e2e.GCC, e2e.CLANG)
# name, words for the compiler, what is done to the program afterwards
WAYS = (("dwarf-4", ("-gdwarf-4",), None), ("split", ("-gsplit-dwarf",), None), ("lld", ("-fuse-ld=lld",), None),
        ("lto", ("-flto",), None), ("dwz", (), "dwz"), ("aranges", ("-gdwarf-aranges",), None))
REAL = ("bzip2", "lua", "minigzip")
WITNESSES = "xstep,addr2line,llvm-symbolizer@llvm-symbolizer-15,eu-addr2line"
BEGIN, END = "<!-- tables: bench/study/symbolisers.py -->", "<!-- end of the tables -->"


def build(folder, name, compiler, words, sources, after=None, cwd=None):
    """The program, or None: not every compiler knows every way."""
    made = folder / name / "program"
    if made.exists():
        return made
    made.parent.mkdir(parents=True, exist_ok=True)
    result = e2e.run([compiler, "-w", *words, "-o", made, *sources, "-lm"], cwd=cwd or made.parent)
    if not result.returncode and after:
        result = e2e.run([after, made])
    if result.returncode:
        made.unlink(missing_ok=True)
        print(f"{name}: not built: {result.stderr.strip()[:200]}", file=sys.stderr)
        return None
    return made


def builds(folder, seeds):
    """(name, program, arguments, standard input)."""
    csmith = list(compare_steps.csmith_sources(seeds, e2e.CACHE / "csmith_checksum"))
    include = "-I/usr/include/csmith"
    for source in csmith:
        for compiler in COMPILERS:
            for level in LEVELS:
                name = f"{source.stem}/{compiler}{level}"
                yield name, build(folder, name, compiler, ("-g", level, include), [source]), (), None
    for source in csmith[:2]:
        for way, words, after in WAYS:
            for compiler in COMPILERS:
                if way == "aranges" and compiler == e2e.GCC:
                    continue  # it always writes them
                name = f"{source.stem}/{compiler}-{way}"
                program = build(folder, name, compiler, ("-g", "-O2", include, *words), [source], after)
                yield name, program, (), None
    for program in real.PROGRAMS:
        if program.name not in REAL:
            continue
        try:
            where, files = real.sources_of(program)
        except real.Unavailable as problem:
            print(f"{program.name}: {problem}", file=sys.stderr)
            continue
        stdin = folder / "text"
        stdin.write_text("".join(f"{n} {n * n % 97} the quick brown fox {n * 7919 % 1009:x}\n" for n in range(40)))
        for compiler in COMPILERS:
            for level in ("-O2", "-O3"):
                name = f"{program.name}/{compiler}{level}"
                made = build(folder, name, compiler, ("-g", level, *program.flags), files, cwd=where)
                yield name, made, program.arguments, stdin if program.stdin else None


def compare(folder, name, program, arguments, stdin, witnesses):
    """What xstep says of one build; kept."""
    kept = folder / name / "diff.json"
    if kept.exists():
        return json.loads(kept.read_text())
    result = e2e.xstep("diff", "--witness", witnesses, "--sample", "unique", "--limit", 20_000_000, "--format", "json",
                       *(("--stdin", stdin) if stdin else ()), program, *arguments, timeout=1200)
    if result.returncode not in (0, 1):
        print(f"{name}: {result.rerun}: {result.stderr[-300:]}", file=sys.stderr)
        return None
    told = json.loads(result.stdout)
    first = {cluster["first"] for cluster in told["clusters"]}
    told["discrepancies"] = [one for one in told["discrepancies"] if one["id"] in first]
    kept.write_text(json.dumps(told))
    return told


def table(head, rows):
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for row in rows:
        print(f"| {' | '.join(str(cell) for cell in row)} |")
    print()


def of_whom(name):
    """Which builds they are of, in a few words."""
    compiler = e2e.GCC if e2e.GCC in name else e2e.CLANG
    rest = name.rpartition(compiler)[2]
    return f"{compiler} {rest.lstrip('-') if not rest.startswith('-O') else rest}"


def tables(told):
    count = collections.Counter()
    found = {}
    for name, one in told.items():
        kind = "real" if name.split("/")[0] in REAL else "csmith"
        count[kind] += 1
        count["stops"] += one["summary"]["stops"]
        count["compared"] += one["summary"]["compared"]
        for why, times in one["summary"]["contested"].items():
            count["contested " + why] += times
        for cluster in one["clusters"]:
            entry = found.setdefault((cluster["signature"], cluster["basis"]), [0, set(), set()])
            entry[0] += cluster["places"]
            entry[1].add(name)
            entry[2].add(of_whom(name))
    print(f"{count['csmith']} builds of generated programs and {count['real']} of real ones: {count['stops']:,} stops, "
          f"{count['compared']:,} facts compared.\n")
    table(("places", "builds", "signature", "basis", "seen with"),
          [(f"{places:,}", len(names), f"`{signature}`", basis, ", ".join(sorted(whom)))
           for (signature, basis), (places, names, whom) in
           sorted(found.items(), key=lambda item: (-item[1][0], item[0]))])
    table(("pcs", "contested: nobody is wrong"),
          [(f"{times:,}", key.partition(" ")[2]) for key, times in count.most_common() if key.startswith("contested ")
           and times])


def sample(told, wanted, seed):
    """Clusters of as many different signatures as there are, in turn."""
    by_signature = collections.defaultdict(list)
    for name, one in told.items():
        byid = {each["id"]: each for each in one["discrepancies"]}
        for cluster in one["clusters"]:
            by_signature[cluster["signature"]].append((name, byid[cluster["first"]]))
    chance = random.Random(seed)
    for each in by_signature.values():
        chance.shuffle(each)
    for turn in range(wanted):
        for signature in sorted(by_signature):
            if turn < len(by_signature[signature]) and wanted:
                name, one = by_signature[signature][turn]
                wanted -= 1
                print(f"{name}: {signature}\n  {json.dumps(one)[:1500]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=pathlib.Path, default=e2e.CACHE / "symbolisers")
    parser.add_argument("--kept", action="store_true", help="make no new comparisons")
    parser.add_argument("--witness", default=WITNESSES, help="whom to ask; other witnesses, another --keep")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    folder = options.keep.resolve()
    told = {}
    for name, program, arguments, stdin in builds(folder, options.seeds):
        if options.kept and not (folder / name / "diff.json").exists():
            continue
        one = program and compare(folder, name, program, arguments, stdin, options.witness)
        if one:
            told[name] = one
            print(f"{name}: {len(one['clusters'])} clusters", file=sys.stderr)
    if options.sample:
        sample(told, options.sample, options.seed)
        return
    if not options.write:
        tables(told)
        return
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        tables(told)
    page = options.write.read_text()
    options.write.write_text(re.sub(f"(?s){re.escape(BEGIN)}.*{re.escape(END)}",
                                    lambda _: f"{BEGIN}\n\n{text.getvalue()}{END}", page))


if __name__ == "__main__":
    main()
