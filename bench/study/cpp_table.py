#!/usr/bin/python3
"""cpp_table.py - xstep diff over gcc's, libstdc++'s and gdb's own programs of C++ and Rust: what is against xstep?

Run tests of g++.dg and of libstdc++ (package gcc-12-source; without it: 77) are taken evenly over the sorted
list, as many as --programs says, two of g++.dg for each of libstdc++, if g++ builds them and they end by
themselves. So are --others programs of gdb.cp, and --rust of gdb.rust (package gdb-source), if it is there. Each is
built by both compilers at both levels (Rust: by rustc), and compared with gdb and lldb at each transition once.
Reports are kept under --keep: a run that was interrupted goes on where it was. --again X asks again about builds
where xstep was to be looked at, --again NAME about others. --sample N prints N clusters that name somebody, drawn at
random with --seed, to be checked by hand.

Exit status: 1 if a verdict is against xstep, or xstep ended by a signal. The programs stay in the scratch folder.
"""
import argparse
import collections
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import e2e

SKIPPED = 77
COMPILERS = ("g++-12", "clang++-15")
RUSTC = "/usr/bin/rustc"  # Debian's, whichever is first on PATH
LEVELS = ("-O0", "-O2")
STOPS = 1500  # of a build
LEAVES = 64  # of a variable
SECONDS = 150  # of the processor, for a build
GXX, LIBRARY, GDB_CP, GDB_RUST = ("gcc/testsuite/g++.dg", "libstdc++-v3/testsuite", "gdb/testsuite/gdb.cp",
                                   "gdb/testsuite/gdb.rust")
ENDINGS = {GXX: "*.C", LIBRARY: "*.cc", GDB_CP: "*.cc", GDB_RUST: "*.rs"}
GDB_ARCHIVE = pathlib.Path("/usr/src/gdb.tar.xz")
# What needs more than a compiler, or more than one process or thread.
OTHERS = re.compile(r"dg-additional-sources|dg-require-(?!effective-target c\+\+)|dg-(?:error|shouldfail)|pthread|"
                    r"-fopenmp|-fsanitize|-m(?:avx|sse)|-fmodules|-flto|-fgnu-tm|\bfork *\(|std::thread|std::async|"
                    r"dg-xfail-run|-fprofile|-fcontracts|-fself-test|"
                    r"target \{? ?(?!\{? ?c\+\+|x86_64|lp64|\*-\*-linux|native)[a-z]")


def unpack(folder):
    """The programs, unpacked once. None if the package of gcc's is not installed."""
    archives = sorted(pathlib.Path("/usr/src/gcc-12").glob("gcc-*.tar.xz"))
    if not archives:
        return None
    for archive, parts in ((archives[0], (GXX, LIBRARY)), (GDB_ARCHIVE, (GDB_CP, GDB_RUST))):
        if archive.exists() and not (folder / parts[0]).exists():
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
                e2e.run(["tar", "-xf", archive, "-C", scratch, "--wildcards", *(f"*/{part}/*" for part in parts)])
                for part in parts:
                    (folder / part).parent.mkdir(parents=True, exist_ok=True)
                    next(pathlib.Path(scratch).iterdir()).joinpath(part).rename(folder / part)
    return folder


def is_run(source, part, text):
    """Whether it is a program of its own, as far as its words say."""
    if part == GXX:
        return "dg-do run" in text
    if part == GDB_RUST:
        return "fn main" in text
    return re.search(r"\bmain *\(", text) and not re.search(r"dg-do (?!run)", text)


def candidates(folder, part):
    """The run tests of a part that need nothing else, in the order in which they are tried: evenly over the list."""
    found = []
    for source in sorted((folder / part).rglob(ENDINGS[part])):
        text = source.read_text(errors="replace")
        if is_run(source, part, text) and not OTHERS.search(text):
            found.append(source)
    return [found[(i * 617) % len(found)] for i in range(len(found))] if len(found) % 617 else found


def options_of(source):
    found = re.findall(r'dg-(?:additional-)?options "([^"]*)"', source.read_text(errors="replace"))
    words = [word for options in found for word in options.split() if not re.fullmatch(r"-O\w*|-g\w*", word)]
    return words if any(word.startswith("-std") for word in words) else [*words, "-std=gnu++17"]


def command(source, compiler, level, folder, made):
    if source.suffix == ".rs":
        return [compiler, "-g", "-C", f"opt-level={level[2:]}", "-A", "warnings", "-o", made, source]
    return [compiler, *options_of(source), "-g", level, "-w", "-I", folder / "libstdc++-v3/testsuite/util",
            "-o", made, source]


def build(source, compiler, level, folder, made):
    """Whether it builds, and ends by itself."""
    made.parent.mkdir(parents=True, exist_ok=True)
    if e2e.run(command(source, compiler, level, folder, made)).returncode:
        return False
    try:
        return subprocess.run([made], stdin=subprocess.DEVNULL, capture_output=True, timeout=20,
                              cwd=made.parent).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def compilers_of(source, compilers):
    return (RUSTC,) if source.suffix == ".rs" else compilers


def choose(folder, part, wanted, kept):
    """[source] of a part: those that are remembered in a file first, then new ones, in a fixed order."""
    listed = kept / f"{pathlib.Path(part).name}_programs.json"
    if not (folder / part).exists():
        return
    known = json.loads(listed.read_text()) if listed.exists() else {"taken": [], "left": []}
    for name in known["taken"][:wanted]:
        yield folder / name
    for source in candidates(folder, part):
        name = str(source.relative_to(folder))
        if len(known["taken"]) >= wanted:
            break
        if name in known["taken"] or name in known["left"]:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            good = build(source, compilers_of(source, COMPILERS)[0], "-O0", folder, pathlib.Path(scratch) / "program")
        known["taken" if good else "left"].append(name)
        listed.write_text(json.dumps(known))
        if good:
            yield source


def in_turn(folder, count, others, rust, kept):
    """Programs of all parts: two of g++.dg, then one of each other, so that a run that is cut short has all kinds."""
    parts = [choose(folder, GXX, count * 2 // 3, kept), choose(folder, LIBRARY, count - count * 2 // 3, kept),
             choose(folder, GDB_CP, others, kept), choose(folder, GDB_RUST, rust, kept)]
    turns = [parts[0], *parts]
    while True:
        given = [source for source in (next(part, None) for part in turns) if source]
        if not given:
            return
        yield from given


def name_of(source, compiler, level):
    part = next(one for one in ENDINGS if pathlib.Path(one).name in source.parts and one in str(source))
    inner = str(source).split(part + "/")[1].replace("/", "_")
    label = "libstdc++" if part == LIBRARY else pathlib.Path(part).name
    return f"{label}_{inner}.{pathlib.Path(compiler).name}{level}"


def compare(source, compiler, level, folder, kept, stops):
    """The report of one build; written whole or not at all."""
    name = name_of(source, compiler, level)
    report = kept / f"{name}.json"
    if report.exists():
        return json.loads(report.read_text())
    made = kept / "programs" / name
    if not made.exists() and not build(source, compiler, level, folder, made):
        made.unlink(missing_ok=True)
        told = {"left": "does not build, or does not end by itself"}
    else:
        words = ("diff", "-q", "--format", "json", "--sample", "unique", "--limit", stops, "--max-leaves", LEAVES,
                 "--stdout", "/dev/null")
        try:
            result = e2e.xstep(*words, made, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            told = {"left": f"takes longer than {SECONDS} seconds of the processor"}
        else:
            try:
                told = json.loads(result.stdout)
            except ValueError:
                told = {"left": "no report"}
            told["status"], told["rerun"] = result.returncode, result.rerun
            told["stderr"] = result.stderr[-500:]
    written = report.with_suffix(".new")
    written.write_text(json.dumps(told))
    written.rename(report)
    return told


def against_xstep(told):
    return [one for one in told.get("discrepancies", []) if "xstep" in one["wrong"] or one["group"] == "X"]


def is_crash(told):
    return told.get("status", 0) not in (0, 1, 2) or "assertion" in told.get("stderr", "")


def clusters_of(reports):
    """{(name, signature): the finding that stands for it}, of those that name somebody."""
    found = {}
    for name, told in reports.items():
        for one in told.get("discrepancies", []):
            if one["wrong"] and one["basis"] in ("replayed", "evidence", "majority"):
                found.setdefault((name, one["signature"]), one)
    return found


def print_table(reports):
    rows = collections.defaultdict(collections.Counter)
    for name, told in reports.items():
        row = rows[name.split("_")[0], re.search(r"\.(\w[^.]*-O\w)$", name)[1]]
        if "left" in told:
            row["left"] += 1
            continue
        row["builds"] += 1
        row["stops"] += told["summary"]["stops"]
        row["facts"] += told["summary"]["compared"]
        row["found"] += len(told["discrepancies"])
        row["clusters"] += len({one["signature"] for one in told["discrepancies"]})
        row["X"] += len(against_xstep(told))
        row["crashes"] += is_crash(told)
        row["trouble"] += told["status"] == 2
    heads = ("builds", "left", "stops", "facts", "found", "clusters", "X", "crashes", "trouble")
    print(f"{'':30}" + "".join(f"{head:>10}" for head in heads))
    for key, row in sorted(rows.items()):
        print(f"{' '.join(key):30}" + "".join(f"{row[head]:10}" for head in heads))
    print(f"{'all':30}" + "".join(f"{sum(row[head] for row in rows.values()):10}" for head in heads))


def print_signatures(reports):
    count, where = collections.Counter(), collections.defaultdict(set)
    for name, told in reports.items():
        for one in told.get("discrepancies", []):
            key = one["signature"], one["basis"]
            count[key] += 1
            where[key].add(name)
    print("\nbuilds  found  basis, signature, one of the builds")
    for key, names in sorted(where.items(), key=lambda item: -len(item[1])):
        print(f"{len(names):6} {count[key]:6}  {key[1]:10} {key[0]}  {sorted(names)[0]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=150, help="(%(default)s)")
    parser.add_argument("--others", type=int, default=25, help="of gdb.cp (%(default)s)")
    parser.add_argument("--rust", type=int, default=25, help="of gdb.rust (%(default)s)")
    parser.add_argument("--stops", type=int, default=STOPS, help="of a build (%(default)s)")
    parser.add_argument("--compilers", default=",".join(COMPILERS), help="(%(default)s)")
    parser.add_argument("--levels", default=",".join(LEVELS), help="(%(default)s)")
    parser.add_argument("--scratch", type=pathlib.Path, default=e2e.CACHE / "gcc-12-cpp",
                        help="where the programs are unpacked (%(default)s)")
    parser.add_argument("--keep", type=pathlib.Path, default=e2e.CACHE / "cpp-table", help="(%(default)s)")
    parser.add_argument("--again", metavar="TEXT", action="append", default=[],
                        help="ask again: X, or a part of a build's name; may be repeated")
    parser.add_argument("--kept", action="store_true", help="what is kept, and nothing new")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="print N clusters, drawn at random")
    parser.add_argument("--seed", type=int, default=1, help="of the draw (%(default)s)")
    options = parser.parse_args()
    options.keep.mkdir(parents=True, exist_ok=True)
    reports = {path.stem: json.loads(path.read_text()) for path in sorted(options.keep.glob("*.json"))
               if not path.name.endswith("_programs.json")}
    for name in list(reports):
        if any(text in name or text == "X" and (against_xstep(reports[name]) or is_crash(reports[name]))
               for text in options.again):
            (options.keep / f"{name}.json").unlink()
            del reports[name]
    if not options.kept:
        folder = unpack(options.scratch)
        if not folder:
            print("the programs are not there: apt-get install gcc-12-source")
            sys.exit(SKIPPED)
        for source in in_turn(folder, options.programs, options.others, options.rust, options.keep):
            for compiler in compilers_of(source, options.compilers.split(",")):
                for level in options.levels.split(","):
                    level = "-" + level.lstrip("-")
                    reports[name_of(source, compiler, level)] = compare(source, compiler, level, folder, options.keep,
                                                                        options.stops)
    print_table(reports)
    print_signatures(reports)
    bad = {name: told for name, told in reports.items() if against_xstep(told) or is_crash(told)}
    for name, told in bad.items():
        print(f"\n{name}: {told['status']} {told['rerun']}\n{told['stderr']}")
        for one in against_xstep(told)[:3]:
            print("  ", json.dumps(one)[:600])
    found = sorted(clusters_of(reports).items())
    if options.sample:
        print(f"\n{len(found)} clusters name somebody; of these:")
        for (name, signature), one in random.Random(options.seed).sample(found, min(options.sample, len(found))):
            print(f"{name}: {signature}\n  ", json.dumps(one)[:900])
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
