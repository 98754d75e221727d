#!/usr/bin/python3
"""real_clusters.py - xstep diff over programs that people use: a table of clusters, and a sample to check.

Five programs of Debian, each built from its source by gcc and clang at several levels, run on a short
input, every transition once. All is kept under --keep FOLDER: sources, builds, inputs, and for each build
the trace store and the JSON of `xstep diff`. A build whose JSON is there is not run again; --again judges
the stored traces anew. README in the folder has the builds and the commands, clusters.tsv a line for each
cluster: build, basis, who is wrong, signature, discrepancies, where, what each witness says, by hand.

--sample N draws N clusters at random (--seed S) among those whose basis is in --bases, and writes them
to sample.tsv with an empty column for what a person finds.
"""
import argparse
import collections
import csv
import json
import pathlib
import random
import re
import shlex
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import real
from contestants import e2e

BUILDS = (("gcc-O2", e2e.GCC, "-O2"), ("gcc-Og", e2e.GCC, "-Og"), ("clang-O2", e2e.CLANG, "-O2"),
          ("gcc-O1", e2e.GCC, "-O1"), ("gcc-O3", e2e.GCC, "-O3"), ("clang-O1", e2e.CLANG, "-O1"),
          ("clang-Og", e2e.CLANG, "-Og"))
COLUMNS = ("build", "basis", "wrong", "kind", "signature", "count", "id", "pc", "prev", "n", "function",
           "place", "aspect", "path", "says", "reason", "by_hand")

# name, Debian's package, commands to run in the source first, C files (patterns; `!` takes out),
# compiler's words, libraries, arguments, standard input, stops to look at.
Subject = collections.namedtuple("Subject", "name package first files flags libraries arguments stdin limit")
SUBJECTS = (
    Subject("bzip2", "bzip2", (), (
        "bzip2.c", "blocksort.c", "huffman.c", "crctable.c", "randtable.c", "compress.c",
        "decompress.c", "bzlib.c"), (), (), ("-c",), "text.txt", 3000),
    Subject("lua", "lua5.4", (), ("src/*.c", "!src/luac.c"), ("-Dluai_makeseed(L)=0",), ("-lm",),
            ("script.lua",), None, 3000),
    Subject("minigzip", "zlib", (), (
        "test/minigzip.c", "adler32.c", "crc32.c", "deflate.c", "gz*.c", "inf*.c", "trees.c", "zutil.c",
        "!infback.c"), ("-DHAVE_UNISTD_H", "-I."), (), ("-c",), "text.txt", 1500),
    Subject("sqlite3", "sqlite3", (
        ("./configure", "--disable-tcl", "--disable-readline"), ("make", "sqlite3.c", "shell.c")),
        ("sqlite3.c", "shell.c"), ("-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION"), ("-lm",),
        ("-batch",), "script.sql", 3000),
    Subject("mawk", "mawk", (("./configure",), ("make",)), (
        "*.c", "!makescan.c", "!rexp*.c", "!fpe_check.c", "!trace.c", "!regexp_system.c"),
        ("-DHAVE_CONFIG_H", "-DLOCAL_REGEXP", "-D_DEFAULT_SOURCE", "-D_XOPEN_SOURCE=500", "-I."),
        ("-lm",), ("-f", "script.awk"), "text.txt", 3000),
)
INPUTS = {
    "text.txt": "".join(f"{n} {n * n % 97} {'abcdefgh'[n % 8:]} the quick brown fox {n * 7919 % 1009:x}\n"
                        for n in range(40)),
    "script.lua": """local t = {}
for i = 1, 8 do t[i] = { n = i * 7 % 5, s = string.format("%03d", i) } end
table.sort(t, function(a, b) return a.n > b.n or a.n == b.n and a.s < b.s end)
local function fib(n) return n < 2 and n or fib(n - 1) + fib(n - 2) end
print(#t, t[1].s, fib(6), ("hello"):rep(3, "-"):gsub("l+", "L"), 7 // 2, 2 ^ 0.5, 0x10 | 3)
print(pcall(error, { code = 7 }), select("#", table.unpack(t)), tostring(nil))
local co = coroutine.wrap(function(a) local b = coroutine.yield(a + 1); return b * 2 end)
print(co(1), co(21), math.max(3, 4.5), os.time { year = 2020, month = 1, day = 1, hour = 12 } > 0)
""",
    "script.sql": """CREATE TABLE item(id INTEGER PRIMARY KEY, shelf INTEGER, name TEXT, price REAL);
INSERT INTO item VALUES(1, 3, 'pear', 1.5), (2, 3, 'fig', 2.25), (3, 5, 'plum', 0.75);
CREATE INDEX by_shelf ON item(shelf, price);
SELECT shelf, count(*), round(sum(price), 2), max(name) FROM item GROUP BY shelf ORDER BY 3 DESC;
UPDATE item SET price = price * 1.5 WHERE name LIKE '%g%';
SELECT a.name || '/' || b.name FROM item a JOIN item b ON b.shelf = a.shelf AND b.id > a.id;
""",
    "script.awk": """function twice(s, n) { return n ? twice(s s, n - 1) : s }
{ sum += $1; seen[$3]++; line[NR] = $0 }
/fox 1/ { gsub(/o/, "0"); hits++; print length($0), substr($0, 3, 5) }
END { for (i = 1; i <= 3; i++) { n = split(line[i], word, " "); printf "%d %5.2f %s\\n", n, sum / i, word[3] }
	print hits, twice("ab", 3), toupper("xyz"), index("hello", "l"), match("foobar", /o+/), RSTART
	print seen["abcdefgh"], 2 ^ 10 % 7, sprintf("%x", 255) }
""",
}


def built(subject, name, compiler, level, folder):
    """The path of a build, made if it is not there."""
    program = folder / "builds" / f"{subject.name}-{name}"
    if program.exists():
        return program
    source = real.debian_source(subject.package)
    ready = source / ".ready"
    if not ready.exists():
        for command in subject.first:
            real.must(command, cwd=source)
        ready.touch()
    left_out = {path for pattern in subject.files if pattern.startswith("!")
                for path in source.glob(pattern[1:])}
    files = sorted({path for pattern in subject.files for path in source.glob(pattern)} - left_out)
    program.parent.mkdir(parents=True, exist_ok=True)
    half_made = program.with_suffix(".half")
    real.must([compiler, "-g", level, "-w", *subject.flags, "-o", half_made,
               *(path.relative_to(source) for path in files), *subject.libraries], cwd=source)
    half_made.rename(program)
    return program


def command(subject, program, folder, limit):
    """What is run for a build, to be typed in the folder of inputs."""
    stdin = folder / "inputs" / subject.stdin if subject.stdin else "/dev/null"
    return ["diff", "--mode", "unique", "--limit", str(limit), "--format", "json", "--stdin", str(stdin),
            "--stdout", "/dev/null", "-o", str(folder / "results" / f"{program.name}.db"), str(program),
            *subject.arguments]


def compared(subject, program, folder, options):
    """The JSON of a build: the one that is kept, or one made now."""
    kept = folder / "results" / f"{program.name}.json"
    store = kept.with_suffix(".db")
    words = None
    if options.again and store.exists():
        words = ["diff", "--format", "json", store]
    elif not kept.exists():
        store.unlink(missing_ok=True)
        words = command(subject, program, folder, options.limit or subject.limit)
    if words:
        began = time.monotonic()
        result = e2e.run([options.xstep, *words], cwd=folder / "inputs", timeout=1800)
        if result.returncode not in (0, 1):
            print(f"trouble: {result.rerun}: status {result.returncode}: {result.stderr[-500:]}",
                  file=sys.stderr)
        if not result.stdout.startswith("{"):
            return None
        kept.with_suffix(".err").write_text(result.stderr)
        kept.write_text(result.stdout)
        print(f"{program.name}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    return json.loads(kept.read_text())


def said(fact):
    """What a witness says, in few words."""
    if not isinstance(fact, dict):
        return str(fact)
    text = fact.get("value") if fact.get("state") == "value" else fact.get("state")
    return e2e.cut(text if not fact.get("message") else f"{text} ({fact['message']})", 120)


def rows(build, told, by_hand):
    """A line of the table for each cluster, as its first discrepancy shows it."""
    found = {one["id"]: one for one in told["discrepancies"]}
    for cluster in told["clusters"]:
        one = found.get(cluster["first"], {})
        stop = one.get("stop", {})
        yield {
            "build": build, "basis": one.get("basis"), "wrong": " ".join(one.get("wrong") or ()),
            "kind": one.get("kind"), "signature": cluster["signature"], "count": cluster["count"],
            "id": cluster["first"], "pc": stop.get("pc"), "prev": stop.get("prev"), "n": stop.get("n"),
            "function": stop.get("function"), "place": f"{stop.get('file')}:{stop.get('line')}",
            "aspect": one.get("aspect"), "path": one.get("path") or one.get("var"),
            "says": "; ".join(f"{who}: {said(fact)}" for who, fact in (one.get("facts") or {}).items()),
            "reason": one.get("reason"), "by_hand": by_hand.get(cluster["first"], "")}


def commands_by_hand(options, store):
    """Of each cluster's first discrepancy the commands that the text under it gives."""
    text = e2e.run([options.xstep, "diff", store], timeout=1800).stdout
    found = {}
    for block in text.split("\n\n"):
        name = re.search(r"\[([0-9a-f]{12})\]", block)
        commands = re.search(r"^ *by hand (.*)", block, re.M | re.S)
        if name and commands:
            found[name[1]] = " | ".join(line.strip() for line in commands[1].splitlines())
    return found


def write_table(path, lines, columns):
    with open(path, "w", newline="") as file:
        table = csv.DictWriter(file, columns, delimiter="\t", lineterminator="\n")
        table.writeheader()
        table.writerows(lines)


def write_readme(folder, options, programs):
    with open(folder / "README", "w") as file:
        print(f"Builds of Debian's sources; run these in {folder / 'inputs'}:\n", file=file)
        for subject, program in programs:
            words = command(subject, program, folder, options.limit or subject.limit)
            print(shlex.join([options.xstep, *words]), file=file)
        print("\nWithout xstep:\n", file=file)
        for subject, program in programs:
            stdin = folder / "inputs" / subject.stdin if subject.stdin else "/dev/null"
            print(f"{shlex.join([str(program), *subject.arguments])} < {stdin}", file=file)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keep", type=pathlib.Path, default=e2e.CACHE / "real-clusters")
    parser.add_argument("--xstep", default=e2e.XSTEP, help="the xstep to run (%(default)s)")
    parser.add_argument("--only", default="", help="only builds whose name contains this")
    parser.add_argument("--limit", type=int, help="stops of each build, instead of each program's own")
    parser.add_argument("--again", action="store_true", help="judge the stored traces anew")
    parser.add_argument("--build-only", action="store_true", help="make the builds and README, no more")
    parser.add_argument("--bases", default="replayed,evidence", help="of the sample (%(default)s)")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="draw N clusters")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    folder = options.keep.resolve()
    real.SOURCES = folder / "sources"
    for name in ("sources", "inputs", "results"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for name, text in INPUTS.items():
        (folder / "inputs" / name).write_text(text)
    programs = []
    for subject in SUBJECTS:
        for build in BUILDS:
            try:
                programs.append((subject, built(subject, *build, folder)))
            except real.Unavailable as why:
                print(f"{subject.name} {build[0]} is left out: {why}", file=sys.stderr)
    write_readme(folder, options, programs)
    if options.build_only:
        return 0
    lines, missing = [], 0
    for subject, program in programs:
        if options.only in program.name:
            told = compared(subject, program, folder, options)
            missing += told is None
            if told:
                store = folder / "results" / f"{program.name}.db"
                lines.extend(rows(program.name, told, commands_by_hand(options, store)))
    write_table(folder / "clusters.tsv", lines, COLUMNS)
    print(f"{len(lines)} clusters of {len(programs)} builds")
    for basis, count in collections.Counter(line["basis"] for line in lines).most_common():
        print(f"{count:6} {basis}")
    if options.sample:
        bases = options.bases.split(",")
        among = sorted((line for line in lines if line["basis"] in bases),
                       key=lambda line: (line["build"], line["signature"], line["id"]))
        drawn = random.Random(options.seed).sample(among, min(options.sample, len(among)))
        write_table(folder / "sample.tsv", drawn, (*COLUMNS, "checked"))
        print(f"{len(drawn)} drawn of {len(among)}")
    return 2 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
