#!/usr/bin/python3
"""gdb_tests.py - the programs of gdb's own testsuite: are xstep's variables those of gdb there?

gdb.base and gdb.dwarf2 are full of programs on which a debugger once went wrong. Those that need nothing but
a compiler are built, and looked at where a line is come to for the first time: every leaf of every variable
that gdb has there, and what xstep says of it. Differences belong to the classes of compare_vars.py, for which
there is evidence, or are printed as OPEN.

Programs with DWARF written by hand (.S) are asked variable by variable, at each place that is reached. Most
of gdb.dwarf2 writes its DWARF with a library in Tcl, which needs the package dejagnu: with --assembled gdb's
own test scripts are run, and what they leave behind is asked in the same way.

Exit status: 1 if there are open differences. Needs the package gdb-source; without it: 77. The programs are
unpacked to a scratch folder.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import compare_steps
import compare_vars
import e2e
import guality
import line_rows
import subject_dies

LEVELS = ("-O0", "-O2")
FOLDERS = ("gdb.base", "gdb.dwarf2")
ARCHIVE = pathlib.Path("/usr/src/gdb.tar.xz")
PLACES = 40  # of a program
LIMIT = 100000  # stops of xstep's trace
SECONDS = 5  # of the clock, for a program that is no work
SKIPPED = 77
OTHERS = re.compile(r"\b(pthread_create|fork|vfork|clone|daemon|setsid|system|popen|exec[lv]p?e?) *\(")


class Trouble(Exception):
    """A program that is not compared, with the reason."""


# --- the programs ---------------------------------------------------------------------------------

def unpack(folder):
    """The programs, unpacked once. None if the package is not installed."""
    if not ARCHIVE.exists():
        return None
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
            e2e.run(["tar", "-xJf", ARCHIVE, "-C", scratch, "--wildcards", "*/gdb/testsuite/*",
                     "*/include/dwarf2.*", "--strip-components=1"])
            (pathlib.Path(scratch) / "gdb").stat()
            pathlib.Path(scratch).chmod(0o755)
            os.rename(scratch, folder)
            os.mkdir(scratch)  # which is about to be removed
    return folder / "gdb" / "testsuite"


def sources(folder):
    return sorted(path for name in FOLDERS for kind in ("*.c", "*.S")
                  for path in (folder / name).glob(kind))


def assemble(folder, only):
    """The programs that gdb.dwarf2's scripts build, by running them. They are kept."""
    if not shutil.which("runtest"):
        return None
    place = folder / "assembled"
    place.mkdir(exist_ok=True)
    scripts = [f"{script.parent.name}/{script.name}" for script in sorted((folder / FOLDERS[1]).glob("*.exp"))
               if "Dwarf::assemble" in script.read_text(errors="replace")
               and not (place / "outputs" / FOLDERS[1] / script.stem).exists()]
    chosen = [script for script in scripts if wanted(script, only)]
    (place / "site.exp").write_text("".join(
        f"set {name} {value}\n" for name, value in (
            ("tool", "gdb"), ("srcdir", folder), ("objdir", place), ("GDB", shutil.which("gdb")),
            *((f"{who}_triplet", "x86_64-pc-linux-gnu") for who in ("host", "target", "build")))))
    if chosen:
        e2e.run(["runtest", "--tool", "gdb", "--srcdir", folder, f"CC_FOR_TARGET={e2e.GCC}", *chosen],
                cwd=place, timeout=7200)
    return [path for path in sorted((place / "outputs" / FOLDERS[1]).glob("*/*"))
            if is_program(path) and wanted(f"{FOLDERS[1]}/{path.name}", only)]


def wanted(name, only):
    return not only or any(text in name for text in only)


def is_program(path):
    """Whether it is an ELF file that can be run, or a shared object."""
    if not path.is_file() or not os.access(path, os.X_OK):
        return False
    with open(path, "rb") as file:
        head = file.read(18)
    return head[:4] == b"\x7fELF" and head[16:18] in (b"\2\0", b"\3\0")


def why_not(text):
    """What a compiler or linker says, as a reason that others share."""
    for pattern, reason in (("undefined reference to `main'", "has no main"),
                            ("undefined reference", "needs another file"),
                            ("No such file or directory", "needs a header or option"),
                            ("Error: ", "not for this assembler")):
        if pattern in text:
            return reason
    return "does not compile"


def build(source, level, folder):
    if source.suffix == ".c" and OTHERS.search(source.read_text(errors="replace")):
        raise Trouble("starts threads or processes")
    if source.stem == "bigcore":
        raise Trouble("takes all the memory that it gets")
    made = folder / source.stem
    main = source.parent / "main.c"
    for more in ((), (main,)):
        if source.suffix == ".c" and more:
            break
        # Addresses written by hand are what the file says, and often four bytes.
        words = ("-no-pie",) if source.suffix == ".S" else ()
        result = e2e.run([e2e.GCC, "-g", level, *words, "-w", "-o", made, source, *more, "-lm", "-lpthread",
                          "-ldl"], cwd=folder)
        if not result.returncode:
            break
    if result.returncode:
        raise Trouble(why_not(result.stderr))
    ends_by_itself(made, folder)
    return made


def ends_by_itself(made, folder):
    """Runs the program, into nothing: one that waits for something never comes to the places behind it."""
    with subprocess.Popen([made], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, cwd=folder, preexec_fn=e2e.leave_nothing) as process:
        try:
            process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            e2e.end(process)
            raise Trouble("does not end by itself") from None


def places(made):
    """Link-time addresses where a line begins, the first of each line."""
    first = {}
    for sequence in line_rows.read(made):
        for row in sequence.rows:
            if row.is_stmt and row.line:
                first.setdefault((row.file, row.line), row.address)
    return few(sorted(set(first.values())))


def few(every):
    """Evenly chosen if there are many."""
    return every[::max(1, -(-len(every) // PLACES))]


# --- programs in C --------------------------------------------------------------------------------

def explain(made, pc, *words):
    # What the program writes goes to its own folder.
    result = e2e.xstep("explain", "--at", hex(pc), "--format", "json", *words, made,
                       env=compare_steps.ENVIRONMENT, timeout=60, cwd=made.parent)
    if result.returncode not in (0, 1):
        raise Trouble(f"xstep: {result.stderr.strip()[-200:]}")
    return json.loads(result.stdout)


def compare_source(made):
    """(counts by class, texts of what is open) of one program, at the first arrivals on lines."""
    dies = subject_dies.read(made)
    try:
        told = few(compare_vars.xstep_trace(made, dies, LIMIT))
        theirs = compare_vars.gdb_vars(made, [stop for stop, _ in told], all_of_them=False)
        told = [(stop, entries) for stop, entries in told if int(stop["pc"], 16) in theirs]
        counts, opened = compare_vars.compare_told(made, dies, told, theirs)
    except compare_vars.Trouble as trouble:
        raise Trouble(str(trouble)) from None
    if not told:
        raise Trouble("no place is reached")
    return counts, opened


# --- DWARF written by hand ------------------------------------------------------------------------

def variable_names(made):
    dies = e2e.run(["llvm-dwarfdump-15", "--debug-info", made]).stdout
    found = {}
    for block in dies.split("\n\n"):
        if re.search(r"DW_TAG_(variable|formal_parameter)", block):
            found.update(dict.fromkeys(re.findall(r'DW_AT_name\t\("([A-Za-z_]\w*)"\)', block)))
    return list(found)


def compare_by_hand(made, folder):
    header = e2e.run(["readelf", "-h", made]).stdout
    names = variable_names(made)
    pcs = sorted({*places(made), main_of(made)})
    job = {"program": str(made), "environment": compare_steps.ENVIRONMENT,
           "elf_entry": int(re.search(r"Entry point address: +(0x\w+)", header).group(1), 16),
           "link_places": pcs, "names": names}
    try:
        answer = guality.ask(["gdb", "-nx", "-nh", "-q", "-batch", "-iex", "set auto-load off", "-x",
                              e2e.HERE / "in_gdb_guality.py"], job, folder, "gdb")
    except guality.Trouble as trouble:
        raise Trouble(str(trouble)) from None
    counts, opened = collections.Counter(), {}
    for place in answer:
        counts["stops"] += 1
        pc = place["pc"] - place["bias"]
        said = explain(made, pc, *(word for name in names for word in ("--var", name))) if names else None
        for test in place["tests"]:
            name, theirs = test["expression"], test["told"]
            ours = [one for one in said["variables"]
                    if re.match(rf"{re.escape(name)}($|[.\[])", one["path"])]
            if same_by_hand(ours, theirs):
                counts["equal leaves"] += 1
                continue
            counts["OPEN"] += 1
            text = ", ".join(f"{one['path']} {one['state']} {one['value'] or one['message']}"
                             for one in ours[:4])
            # The same at many places is one difference.
            opened.setdefault(f"{name}: xstep {text}; gdb {theirs[0]} {theirs[2]}",
                              f"{pc:#x} in {place['function']}: ")
    return counts, [where + what for what, where in opened.items()]


def main_of(made):
    found = re.search(r"^(\w+) \w main$", e2e.run(["nm", made]).stdout, re.M)
    if not found:
        raise Trouble("has no main")
    return int(found.group(1), 16)


def same_by_hand(ours, theirs):
    """Leaf by leaf, in order: both walk a type in the same way."""
    state, _, _, *leaves = theirs
    if state == "error":
        return all(one["state"] in ("error", "absent") for one in ours)
    said = [{"optimized-out": "gone", "value": guality.xstep_number(one["value"] or "")}.get(one["state"])
            for one in ours]
    if said == ["gone"]:
        return state == "optimized-out" and all(leaf == "gone" for leaf in leaves[0])
    return len(said) == len(leaves[0]) and all(same_leaf(*pair) for pair in zip(said, leaves[0]))


def same_leaf(one, other):
    """Floats by their value: both print as many digits as it takes."""
    return one == other or isinstance(one, float) and one != one and other != other


# --- all of them ----------------------------------------------------------------------------------

def examine(source, level):
    result = {"program": f"{source.parent.name}/{source.name}", "level": level, "reason": None,
              "counts": {}, "open": []}
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        try:
            made = build(source, level, folder) if source.suffix in (".c", ".S") else source
            if made == source:
                main_of(made)
                ends_by_itself(made, folder)
            result["counts"], result["open"] = \
                compare_source(made) if source.suffix == ".c" else compare_by_hand(made, folder)
        except (Trouble, compare_vars.Trouble) as trouble:
            result["reason"] = str(trouble)
        except (subprocess.TimeoutExpired, ValueError, AttributeError, KeyError) as trouble:
            result["reason"] = f"{type(trouble).__name__}: {str(trouble)[:200]}"
    return result


def summary(results, levels, markdown):
    totals, programs = collections.defaultdict(collections.Counter), collections.Counter()
    reasons = collections.Counter()
    for result in results:
        if result["reason"]:
            reasons[result["reason"]] += 1
        else:
            programs[result["level"]] += 1
            totals[result["level"]].update(result["counts"])
    lines = [("what", "", *levels), ("programs", "", *(programs[level] for level in levels))]
    names = sorted({name for counts in totals.values() for name in counts},
                   key=lambda name: (name != "stops", name != "equal leaves", name))
    lines += [(name, "", *(totals[level][name] for level in levels)) for name in names]
    guality.table([(line[0], *line[2:]) for line in lines], markdown)
    print("\nnot compared:\n")
    guality.table([("how often", "why"), *((count, reason) for reason, count in reasons.most_common())],
                  markdown)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--levels", default=",".join(LEVELS), help="(%(default)s)")
    parser.add_argument("--only", metavar="TEXT", action="append",
                        help="only programs with this in folder/name; may be repeated")
    parser.add_argument("--assembled", action="store_true",
                        help="the programs that gdb.dwarf2's scripts build, instead")
    parser.add_argument("--sample", type=int, metavar="N", help="only N of them, the same each time")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="programs at a time (cores)")
    parser.add_argument("--scratch", default=e2e.CACHE, type=pathlib.Path,
                        help="where the programs are unpacked (%(default)s)")
    parser.add_argument("--markdown", action="store_true", help="tables for a document")
    parser.add_argument("--show", type=int, default=10, help="open differences shown per program (10)")
    parser.add_argument("--keep", metavar="FILE", help="write each program's result as a line of JSON")
    options = parser.parse_args()
    folder = unpack(options.scratch / "gdb_source")
    if not folder:
        print("the programs are not there: apt-get install gdb-source")
        sys.exit(SKIPPED)
    levels = ["-" + level.lstrip("-") for level in options.levels.split(",")]
    if options.assembled:
        chosen = assemble(folder, options.only)
        if chosen is None:
            print("runtest is not there: apt-get install dejagnu")
            sys.exit(SKIPPED)
        levels = ["as built"]
    else:
        chosen = [source for source in sources(folder)
                  if wanted(f"{source.parent.name}/{source.name}", options.only)]
    if options.sample:
        chosen = sorted(random.Random(0).sample(chosen, min(options.sample, len(chosen))))
    results, kept = [], open(options.keep, "w") if options.keep else None
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        # Written by hand, it is the same at each level.
        for future in [pool.submit(examine, source, level) for source in chosen for level in levels
                       if source.suffix == ".c" or level == levels[0]]:
            result = future.result()
            results.append(result)
            if kept:
                print(json.dumps(result), file=kept, flush=True)
            for text in result["open"][:options.show]:
                print(f"OPEN {result['program']} {result['level']} {text}", flush=True)
            if len(result["open"]) > options.show:
                print(f"OPEN {result['program']} {result['level']}: and "
                      f"{len(result['open']) - options.show} more", flush=True)
    summary(results, levels, options.markdown)
    sys.exit(1 if any(result["open"] for result in results) else 0)


if __name__ == "__main__":
    main()
