#!/usr/bin/python3
"""twins_table.py - xstep check twins over generated programs: the same machine code, other debug information.

Programs of csmith that end within --seconds, each built by every compiler at every level, once as it is and once
for each variant: debug options, and tools. All is kept under --keep FOLDER. sources/ has the programs,
results.jsonl a line for each pair with the lines that build it and check it again; what is there is not done
again. builds/ keeps the two programs of each pair with a violation of T1 or T3.

Printed: a table by compiler, level and variant with pairs, those whose code is not the same, stops, leaves
that both give a value, contradictions, other moments and losses per million of those, and who is wrong.
--list prints each violation of T1 with what it takes to see it.
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import shlex
import shutil
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import e2e

INCLUDE = "-I/usr/include/csmith"
LEVELS = ("-O1", "-O2", "-O3", "-Os", "-Og")
COMPILERS = ("gcc-12", "clang-15", "clang-19")
GCC = ("-fno-var-tracking-assignments", "-gdwarf-4 -gstrict-dwarf", "-gno-statement-frontiers",
       "-gno-variable-location-views")
CLANG = ("-mllvm -experimental-debug-variable-locations=false", "-gdwarf-4", "-gsplit-dwarf")
TOOLS = {"-gz": None, "dwz": "dwz -o {other} {program}",
         "keep-debug": "objcopy --only-keep-debug {program} {other}"}
TOOL_LEVELS = ("-O2",)  # what tools make does not depend on the level
KEY = ("source", "compiler", "level", "variant")


def run(command, seconds):
    return subprocess.run(command, shell=True, capture_output=True, text=True, timeout=seconds,
                          stdin=subprocess.DEVNULL)


def sources(options):
    """The first programs of csmith that end in time."""
    folder = options.keep / "sources"
    folder.mkdir(parents=True, exist_ok=True)
    found, seed = [], 0
    while len(found) < options.seeds:
        seed += 1
        source = folder / f"csmith-{seed}.c"
        verdict = source.with_suffix(".ends")
        if not source.exists():
            run(f"csmith --seed {seed} --max-funcs 6 --max-block-depth 3 -o {source}", 60)
        if not verdict.exists():
            program = source.with_suffix(".bin")
            try:
                ends = not run(f"gcc-12 -O1 -w {INCLUDE} -o {program} {source}", 60).returncode and \
                    not run(f"exec {program}", options.seconds).returncode
            except subprocess.TimeoutExpired:
                ends = False
            program.unlink(missing_ok=True)
            verdict.write_text(str(int(ends)))
        if verdict.read_text() == "1":
            found.append(source)
    return found


def variants(compiler, level):
    own = GCC if compiler.startswith("gcc") else CLANG
    return own + (tuple(TOOLS) if level in TOOL_LEVELS else ())


def pair(cell, program, folder):
    """The command that makes the other one of a pair, and its path."""
    source, compiler, level, variant = cell
    other = folder / ("with-" + variant.replace(" ", "_").replace("=", "_").lstrip("-"))
    if TOOLS.get(variant):
        return TOOLS[variant].format(program=program, other=other), other
    return f"cd {folder} && {compiler} -g {level} -w {INCLUDE} {variant} -o {other} {source}", other


def check(cell, program, build, folder, options):
    source, _, _, variant = cell
    command, other = pair(cell, program, folder)
    told = {**dict(zip(KEY, (source.stem, *cell[1:]))), "build": [build, command]}
    made = run(command, 120)
    if made.returncode:
        return {**told, "trouble": made.stderr[-200:] or f"exit status {made.returncode}"}
    identical = ("--identical",) if variant in TOOLS else ()
    words = ("check", "twins", "--quiet", "--format", "json", "--stdout", "/dev/null", "--limit", options.limit,
             "--open", "--source", source, "--flag", INCLUDE, *identical, program, other)
    began = time.monotonic()
    result = e2e.xstep(*words, timeout=300)
    told["check"] = "xstep " + shlex.join(str(word) for word in words if word not in ("--quiet", "--format", "json"))
    told["seconds"] = round(time.monotonic() - began, 2)
    if "not the code of" in result.stderr:
        return {**told, "other code": result.stderr.strip()[-300:]}
    if result.returncode not in (0, 1):
        return {**told, "trouble": result.stderr[-300:]}
    report = json.loads(result.stdout)
    told["asked"] = report["summary"]["asked"]
    told["violations"] = [
        {"id": one["id"], "group": one["group"], "signature": one["signature"], "wrong": one["wrong"],
         "pc": one["stop"]["pc"], "line": one["stop"]["line"], "function": one["stop"]["function"],
         "path": one["path"], "scope": one["scope"], "facts": one["facts"], "times": one["times"],
         "reason": one["reason"], "remark": one["remark"], "evidence": one["evidence"]}
        for one in report["violations"]]
    if not any(one["group"] in ("T1", "T3") and "other-moment" not in one["signature"]
               for one in told["violations"]):
        other.unlink(missing_ok=True)
    return told


class Results:
    def __init__(self, path):
        self.path, self.lock, self.all = path, threading.Lock(), {}
        for line in path.read_text().splitlines() if path.exists() else ():
            told = json.loads(line)
            self.all[tuple(told[name] for name in KEY)] = told

    def add(self, told):
        with self.lock:
            self.all[tuple(told[name] for name in KEY)] = told
            with self.path.open("a") as file:
                print(json.dumps(told), file=file)


def do_build(source, compiler, level, results, options):
    """All pairs of one build."""
    cells = [(source, compiler, level, variant) for variant in variants(compiler, level)]
    cells = [cell for cell in cells if (source.stem, *cell[1:]) not in results.all]
    if not cells or time.time() > options.until:
        return
    folder = options.keep / "builds" / f"{source.stem}-{compiler}{level}"
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "program"
    # In its own folder: the names of .dwo files are those of the source.
    build = f"cd {folder} && {compiler} -g {level} -w {INCLUDE} -o {program} {source}"
    try:
        made = run(build, 120)
        for cell in cells if not made.returncode else ():
            try:
                told = check(cell, program, build, folder, options)
            except subprocess.TimeoutExpired as late:
                told = {**dict(zip(KEY, (source.stem, *cell[1:]))), "trouble": str(late)[-200:]}
            results.add(told)
    except subprocess.TimeoutExpired as late:
        print("trouble:", late, file=sys.stderr)
    if not any(path.name.startswith("with-") for path in folder.iterdir()):
        shutil.rmtree(folder)


def words_of(told):
    """How many violations of each word."""
    return collections.Counter(one["signature"].split()[2].split(":")[1] for one in told["violations"])


def print_row(name, found):
    compared = [one for one in found if "asked" in one]
    asked, left = collections.Counter(), collections.Counter()
    for one in compared:
        for rule in one["asked"]:
            asked[rule["rule"], rule["what"]] += rule["asked"]
            left.update(rule["left"])
    words = sum(map(words_of, compared), collections.Counter())
    named = sum("producer" in d["wrong"] for one in compared for d in one["violations"])
    both = asked["T1", "leaves at stops"] or asked["T3", "leaves at stops"]
    moments = words["other-moment"]
    losses = sum(count for word, count in words.items()
                 if word.split("-")[0] in ("gap", "late", "lost", "malformed"))
    tools = sum(d["group"] == "T3" for one in compared for d in one["violations"])
    own = sum(count for word, count in words.items() if word in ("gap", "late", "lost", "malformed"))
    print(f"| {name} | {len(compared)} | {sum('other code' in one for one in found)} | {both} | "
          f"{words['contradiction']} | {moments} | {own} | {losses - own} | {tools} | {named} |")


def print_tables(results, options):
    found = [one for one in results.all.values()]
    head = ("pairs", "other code", "leaves at stops", "contradiction", "other-moment", "lost here", "lost in other",
            "T3", "named")
    for title, key in (("variant", lambda one: f"{one['compiler']} `{one['variant']}`"),
                       ("level", lambda one: f"{one['compiler']} {one['level']}")):
        groups = collections.defaultdict(list)
        for one in found:
            groups[key(one)].append(one)
        print(f"\n| {title} | " + " | ".join(head) + " |\n|---|" + "---|" * len(head))
        for name in sorted(groups):
            print_row(name, groups[name])
        print_row("all", found)
    trouble = [one for one in found if "trouble" in one]
    print(f"\n{len({one['source'] for one in found})} programs, {len(found)} pairs, {len(trouble)} with trouble")
    for text, count in collections.Counter(one["trouble"][-120:] for one in trouble).most_common(8):
        print(f"  {count} {text!r}")
    clusters = collections.Counter((one["compiler"], one["variant"], d["signature"])
                                   for one in found for d in one.get("violations", ())
                                   if "other-moment" not in d["signature"] and ":lost" not in d["signature"])
    print("\nclusters, but for other-moment and lost:")
    for (compiler, variant, signature), count in clusters.most_common(60):
        print(f"  {count:5} {compiler} {variant}: {signature}")


def print_list(results):
    for one in results.all.values():
        for d in one.get("violations", ()):
            if d["group"] == "T2" or "other-moment" in d["signature"]:
                continue
            print(f"{d['id']} {d['signature']}\n  {d['path']} of {d['scope']} at {d['pc']} line {d['line']}, "
                  f"{d['times']} times: {d['facts']['xstep']['value']} / {d['facts']['other']['value']}\n  "
                  f"{d['reason']}\n  program: {d['evidence']}\n  other: {d['remark']}")
            for line in (*one["build"], one["check"]):
                print("  $", line)


def main():
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--keep", type=pathlib.Path, required=True, metavar="FOLDER")
    made.add_argument("--seeds", type=int, default=100)
    made.add_argument("--jobs", type=int, default=1)
    made.add_argument("--compilers", default=",".join(COMPILERS))
    made.add_argument("--levels", default=",".join(LEVELS))
    made.add_argument("--seconds", type=float, default=2, help="that a program may run by itself (2)")
    made.add_argument("--limit", type=int, default=200000, help="stops of a program (200000)")
    made.add_argument("--minutes", type=float, default=1e6, help="begin nothing new after that")
    made.add_argument("--table", action="store_true", help="print what is there, and do nothing")
    made.add_argument("--list", action="store_true", help="the same, each violation of T1 and T3")
    options = made.parse_args()
    options.keep = options.keep.resolve()
    options.keep.mkdir(parents=True, exist_ok=True)
    options.until = time.time() + 60 * options.minutes
    results = Results(options.keep / "results.jsonl")
    if options.list:
        print_list(results)
        return
    if not options.table:
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for source in sources(options):
                for compiler in options.compilers.split(","):
                    for level in options.levels.split(","):
                        pool.submit(do_build, source, compiler, level, results, options)
    print_tables(results, options)


if __name__ == "__main__":
    main()
