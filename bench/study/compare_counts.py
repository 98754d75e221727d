#!/usr/bin/python3
"""compare_counts.py - are the counts of `xstep trace` those of somebody else?

valgrind's callgrind counts how often each instruction is executed. It knows nothing of xstep, nor of ptrace.
Of each program the arrivals at an instruction, over all transitions, must be as many. An instruction
with a rep prefix is one stop to xstep, and one for each round to callgrind: these are left out, and told.

The programs are those of bench/real.py with less to do, or the one that the command line gives with its
arguments.
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import e2e

LUA = """local t = {} for i = 1, 3000 do t[i] = (i * 7919) % 1009 end table.sort(t)
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
local s = 0 for i, v in ipairs(t) do s = s + v * i end
print(s, fib(18), ("x"):rep(20):gsub("x", "yz"))
"""
SQL = """create table t(a, b);
with recursive c(x) as (values(1) union all select x + 1 from c where x < 800)
insert into t select x, x * 7 % 13 from c;
select b, count(*), sum(a) from t group by b order by b;
select avg(a * 1.5) from t;
"""


def by_callgrind(program, arguments, stdin, folder):
    """{pc: count} of the program's own instructions."""
    out = folder / "callgrind"
    with open(stdin, "rb") as file:
        result = e2e.run(["setarch", "-R", "env", "-i", "LC_ALL=C", "PATH=/usr/bin:/bin", "valgrind",
                          "--tool=callgrind", "--dump-instr=yes", "--skip-plt=no", "--compress-pos=no",
                          "--compress-strings=no", f"--callgrind-out-file={out}", program, *arguments],
                         stdin=file)
    if not out.exists():
        sys.exit(result.stderr)
    counts, own, of_call = collections.Counter(), False, False
    for line in out.read_text(errors="replace").splitlines():
        if line.startswith("ob="):
            own = line[3:] == str(program)
        elif line.startswith("calls="):
            of_call = True  # what follows is the cost of what is called
        elif line.startswith("0x"):
            pc, _, cost = line.split()[:3]
            counts[int(pc, 16)] += int(cost) if own and not of_call else 0
            of_call = False
    return counts


def by_xstep(program, arguments, stdin, folder):
    edges = folder / "edges"
    result = e2e.xstep("trace", "--sample", "unique", "--transitions", edges, "--stdin", stdin, "--stdout",
                       "/dev/null", "-o", "/dev/null", program, *arguments)
    if result.returncode:
        sys.exit(result.stderr)
    counts = collections.Counter()
    for edge in map(json.loads, edges.read_text().splitlines()):
        counts[int(edge["pc"], 16)] += edge["count"]
    return counts


def repeated(program):
    """The instructions with a rep prefix."""
    listing = subprocess.run(["objdump", "-d", "-w", program], capture_output=True, text=True).stdout
    rows = (line.strip().split("\t") for line in listing.splitlines())
    return {int(row[0][:-1], 16) for row in rows if len(row) > 2 and row[2].startswith("rep")}


def compare(name, program, arguments, stdin, folder):
    program = pathlib.Path(program).resolve()
    ours, theirs = (count(program, arguments, stdin, folder) for count in (by_xstep, by_callgrind))
    rep = repeated(program)
    wrong = [(hex(pc), count, theirs[pc]) for pc, count in sorted(ours.items())
             if pc not in rep and theirs[pc] != count]
    print(f"{name}: {sum(ours.values())} instructions executed, {len(ours)} different, {len(rep & set(ours))} of "
          f"them repeated; counted differently: {len(wrong)} {wrong[:4] if wrong else ''}", flush=True)
    return not wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stdin", default="/dev/null", help="what the given program reads")
    parser.add_argument("command", nargs="*", help="a program that was built with -g, and its arguments")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if options.command:
            program, *arguments = options.command
            jobs = [(program, program, arguments, options.stdin)]
        else:
            import real
            for file, text in (("small.lua", LUA), ("small.sql", SQL)):
                (folder / file).write_text(text)
            (folder / "text").write_bytes(real.text().read_bytes()[:100000])
            less = {"minigzip": ((), "text"), "bzip2": (("-c",), "text"),
                    "lua": ((folder / "small.lua",), None), "sqlite3": (("-batch",), "small.sql")}
            jobs = [(each.name, each.program, less[each.name][0],
                     folder / less[each.name][1] if less[each.name][1] else "/dev/null")
                    for each in real.subjects(tuple(less))]
        sys.exit(0 if all([compare(*job, folder) for job in jobs]) else 1)


if __name__ == "__main__":
    main()
