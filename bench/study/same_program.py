#!/usr/bin/python3
"""same_program.py - programs against themselves: nothing may be found.

Some twenty programs (of csmith, of testdata, and those that people use, as real_clusters.py builds them),
each compared by `xstep check opt` with
  itself    the same file
  moved     a build from the same source that says to come from another folder
  padded    a build with 4096 bytes in front of its code and of its data, so that all addresses differ
What is printed is what is found, which should be nothing, and how much was asked. Real programs have their
seeds: what depends on the clock, on addresses or on the process is for xstep to set aside.
Results are kept in --keep FOLDER, a line of JSON for each; what is there is not run again.
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import check_table
import e2e
import real_clusters

VARIANTS = ("itself", "moved", "padded")
PAD = ".text\n.skip 4096, 0x90\n.data\n.skip 4096\n.section .note.GNU-stack,\"\",@progbits\n"
TESTDATA = ("check_again.c", "check_call.c", "check_index.c", "check_list.c", "check_order.c",
            "check_value.c", "demo.c", "diff_demo.c", "check_merged.c")
INPUTS = {"text.txt": "hello, hello world\n", "script.sql": "SELECT 1 + 1, random() > 0;\n",
          "script.lua": "for key in pairs({a = 1, b = 2}) do print(key, os.time() > 0) end\n",
          "script.awk": "{ seen[$1]++; print length($0), (rand() < 1), (srand() >= 0) }\n"}
# A program to build: files (absolute), folder to build in, flags, libraries, arguments, standard input.
Subject = collections.namedtuple("Subject", "name files folder flags libraries arguments stdin start")
# Where to begin: what comes before is thousands of calls that set up tables.
STARTS = {"lua": None, "sqlite3": "shell_exec"}


def testdata(names):
    for name in names:
        source = e2e.subject(name)
        yield Subject(source.stem, [source], source.parent, (), (), (), None, None)


def generated(count, most):
    for source in check_table.sources(count, most):
        yield Subject(source.stem, [source], source.parent, (check_table.INCLUDE,), (), (), None, None)


def used(names):
    """The programs that people use; lua keeps its seed."""
    for one in real_clusters.SUBJECTS:
        if one.name not in names:
            continue
        try:
            folder = real_clusters.real.debian_source(one.package)
            if not (folder / ".ready").exists():
                for command in one.first:
                    real_clusters.real.must(command, cwd=folder)
                (folder / ".ready").touch()
        except real_clusters.real.Unavailable as why:
            print(f"{one.name} is left out: {why}", file=sys.stderr)
            continue
        left_out = {path for name in one.files if name.startswith("!") for path in folder.glob(name[1:])}
        files = sorted({path for name in one.files for path in folder.glob(name)} - left_out)
        yield Subject(one.name, files, folder, tuple(flag for flag in one.flags if "makeseed" not in flag),
                      one.libraries, one.arguments, one.stdin, STARTS.get(one.name))


def build(subject, variant, options):
    """A variant, made if it is not there."""
    made = options.keep / "builds" / f"{subject.name}{options.level}-{options.compiler}-{variant}"
    if made.exists():
        return made
    made.parent.mkdir(parents=True, exist_ok=True)
    first = []
    if variant == "padded":
        first = [options.keep / "pad.S"]
        first[0].write_text(PAD)
    moved = [f"-fdebug-prefix-map={subject.folder}=/another/place"] if variant == "moved" else []
    half = made.with_suffix(".half")
    files = [path.relative_to(subject.folder) for path in subject.files]
    result = e2e.run([options.compiler, "-g", options.level, "-w", *moved, *subject.flags, "-o", half, *first,
                      *files, *subject.libraries, "-lm"], cwd=subject.folder, timeout=1800)
    if result.returncode:
        raise RuntimeError(f"{result.rerun}\n{result.stderr[-400:]}")
    half.rename(made)
    return made


def compare(subject, variant, options):
    """What xstep says of a program and a variant of it."""
    one, other = build(subject, "itself", options), build(subject, variant, options)
    stdin = options.keep / subject.stdin if subject.stdin else "/dev/null"
    inputs = [options.keep / word if word in INPUTS else word for word in subject.arguments]
    begin = ["--from", subject.start] if subject.start else []
    began = time.monotonic()
    result = e2e.xstep("check", "opt", "--format", "json", "--witness", options.witness, "--stdin", stdin,
                       "--stdout", "/dev/null", "-o", options.keep / f"{subject.name}.db", *begin,
                       one, other, *inputs, timeout=3600, cwd=options.keep)
    told = {"name": subject.name, "variant": variant, "level": options.level, "compiler": options.compiler,
            "witness": options.witness, "seconds": round(time.monotonic() - began, 1),
            "rerun": result.rerun}
    if result.returncode not in (0, 1):
        return {**told, "trouble": result.stderr[-300:]}
    report = json.loads(result.stdout)
    return {**told, "violations": len(report["violations"]), "asked": report.get("asked"),
            "clusters": collections.Counter(one["signature"] for one in report["violations"])}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keep", type=pathlib.Path, default=e2e.CACHE / "same-program")
    parser.add_argument("--seeds", type=int, default=6)
    parser.add_argument("--most", type=int, default=8000, help="instructions of csmith's programs at -O0")
    parser.add_argument("--real", default="bzip2,lua,minigzip,sqlite3,mawk")
    parser.add_argument("--only", default="", help="programs whose name has this in it")
    parser.add_argument("--variants", default=",".join(VARIANTS))
    parser.add_argument("--level", default="-O0")
    parser.add_argument("--compiler", default=e2e.GCC)
    parser.add_argument("--witness", default="xstep")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    options.keep.mkdir(parents=True, exist_ok=True)
    for name, text in INPUTS.items():
        (options.keep / name).write_text(text)
    kept = options.keep / "results.jsonl"
    done = {}
    for line in kept.read_text().splitlines() if kept.exists() else ():
        told = json.loads(line)
        done[told["name"], told["variant"], told["level"], told["compiler"], told["witness"]] = told
    subjects = [*testdata(TESTDATA), *generated(options.seeds, options.most),
                *used(options.real.split(","))]

    def each(subject):
        """All variants of a program, one after the other: they share a store."""
        return [one(subject, variant) for variant in options.variants.split(",")]

    def one(subject, variant):
        key = (subject.name, variant, options.level, options.compiler, options.witness)
        if key not in done:
            try:
                done[key] = compare(subject, variant, options)
            except RuntimeError as why:
                done[key] = {"name": subject.name, "variant": variant, "trouble": str(why), "seconds": 0}
            if "trouble" not in done[key]:
                with kept.open("a") as file:
                    file.write(json.dumps(done[key]) + "\n")
        told = done[key]
        print(f"{told['name']:20} {told['variant']:8} {told['seconds']:7.1f} s  "
              + (f"TROUBLE {told['trouble']}" if "trouble" in told else
                 f"{told['violations']} {dict(told['clusters']) or ''}"), flush=True)
        return told

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = [told for some in pool.map(each, (subject for subject in subjects
                                                    if options.only in subject.name)) for told in some]
    found = sum(told.get("violations", 0) for told in results)
    trouble = sum("trouble" in told for told in results)
    print(f"{len({told['name'] for told in results})} programs, {len(results)} comparisons: "
          f"{found} violations, {trouble} with trouble")
    return 1 if found or trouble else 0


if __name__ == "__main__":
    sys.exit(main())
