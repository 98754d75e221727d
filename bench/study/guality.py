#!/usr/bin/python3
"""guality.py - gcc's own tests of debug information, asked of xstep, gdb and lldb.

gcc's testsuite has programs that say in comments what a debugger ought to show at which line:
`{ dg-final { gdb-test 14 "x" "5" } }`. Others do so by calls (GUALCHK in guality.h). Each program is built
at each level as gcc's testsuite builds it. gdb goes to the line as the testsuite lets it (`break LINE`,
`run`, `print x`), and xstep and lldb are asked at the address where it stopped.

xstep must have every value that gdb has right. Each test in which it has not is listed, and makes the exit
status 1. Needs the package gcc-12-source; without it: 77. The programs are unpacked to a scratch folder.
"""
import argparse
import collections
import concurrent.futures
import glob
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import compare_steps
import e2e

LEVELS = ("-O0", "-Og", "-O1", "-O2", "-O3", "-Os")
WITNESSES = ("xstep", "gdb", "lldb")
STATES = ("right", "wrong", "optimized out", "error")
PARTS = ("gcc.dg/guality", "c-c++-common/guality")
SKIPPED = 77

# What xstep knows as a path, and arithmetic around one, which is done here.
PATH = r"[&*]*[A-Za-z_]\w*(?:\[-?\d+\]|\.\w+|->\w+)*"
AROUND = re.compile(rf"(!*)({PATH})(?:\s*([-+&])\s*(\d+))?")
TEST = re.compile(r'dg-final\s*{\s*gdb-test\s+("[^"]*"|\S+)\s+'
                  r'("(?:[^"\\]|\\.)*"|\S+)\s+("(?:[^"\\]|\\.)*"|\S+)(.*)')


class Trouble(Exception):
    """A build that cannot be asked about, with the reason."""


# --- the programs ---------------------------------------------------------------------------------

def unpack(folder):
    """The programs, unpacked once. None if the package is not installed."""
    archives = sorted(pathlib.Path("/usr/src/gcc-12").glob("gcc-*.tar.xz"))
    if not archives:
        return None
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
            e2e.run(["tar", "-xJf", archives[0], "-C", scratch, "--wildcards",
                     *(f"*/gcc/testsuite/{part}/*" for part in PARTS), "*/gcc/testsuite/gcc.dg/nop.h"])
            next(pathlib.Path(scratch).glob("*/gcc/testsuite")).rename(folder)
    return folder


def word(text):
    """A word of Tcl: quotes and backslashes go."""
    return re.sub(r"\\(.)", r"\1", text[1:-1] if text.startswith('"') else text)


class Program:
    """A test program, and what its comments ask for."""

    def __init__(self, source):
        self.source = source
        self.text = source.read_text(errors="replace")
        self.places = collections.OrderedDict()
        for number, line in enumerate(self.text.splitlines(), 1):
            for place, expression, expected, _ in TEST.findall(line):
                place = word(place)
                if place.startswith("@"):
                    place = place[1:]
                elif place.startswith("."):
                    place = str(number + int(place[1:] or "0"))
                self.places.setdefault(place, []).append((word(expression), word(expected)))
        self.checks = "GUALCHK" in self.text

    def options(self):
        found = re.findall(r'dg-(?:additional-)?options "([^"]*)"', self.text)
        return [option for options in found for option in options.split()]

    def sources(self):
        more = re.findall(r'dg-additional-sources "([^"]*)"', self.text)
        return [self.source, *(self.source.parent / name for names in more for name in names.split())]

    def left_out(self, level):
        """Why the testsuite does not run it at this level."""
        if self.source.name.startswith("Og-") and level not in ("-O0", "-Og"):
            return "meant for -O0 and -Og only"
        for only in re.findall(r'dg-skip-if "" { \*-\*-\* }\s*{ "\*" } {([^}]*)}', self.text):
            if level not in [word(one) for one in only.split()]:
                return f"meant for {', '.join(word(one) for one in only.split())} only"
        if re.search(r"dg-do compile", self.text):
            return "not meant to run"
        return None


def programs(folder):
    sources = sorted(path for part in PARTS for path in (folder / part).glob("*.c"))
    found = [Program(source) for source in sources]
    return [program for program in found if program.places or program.checks]


def build(program, compiler, level, folder):
    made = folder / program.source.stem
    words = [compiler, *program.options(), level, *(() if level == "-O0" else ("-DPREVENT_OPTIMIZATION",)),
             "-w", "-o", made, *program.sources(), "-lm"]
    result = e2e.run(words, cwd=folder)
    if result.returncode:
        said = [line for line in result.stderr.splitlines() if "error" in line] or [result.stderr]
        raise Trouble(f"does not build: {re.sub(r'^.*?error: ', '', said[0])[:90]}")
    return made


# --- the witnesses --------------------------------------------------------------------------------

def ask(command, job, folder, name, environment=()):
    """Runs a debugger with a job; what its script wrote."""
    job_file, output = folder / f"{name}.job", folder / f"{name}.json"
    job_file.write_text(json.dumps({**job, "output": str(output)}))
    try:
        result = e2e.run(command, env={**os.environ, **dict(environment), "XSTEP_JOB": str(job_file)},
                         cwd=folder, timeout=120)
    except subprocess.TimeoutExpired:
        raise Trouble(f"{name} did not finish") from None
    if "internal-error" in result.stdout + result.stderr:
        raise Trouble(f"{name} ends by an internal error")
    if not output.exists():
        raise Trouble(f"{name} failed: {(result.stderr.strip().splitlines() or ['?'])[-1][:120]}")
    return json.loads(output.read_text())


def ask_gdb(made, program, folder):
    header = e2e.run(["readelf", "-h", made]).stdout
    job = {"program": str(made), "environment": compare_steps.ENVIRONMENT,
           "elf_entry": int(re.search(r"Entry point address: +(0x\w+)", header).group(1), 16)}
    command = ["gdb", "-nx", "-nh", "-q", "-batch", "-iex", "set auto-load off", "-x",
               e2e.HERE / "in_gdb_guality.py"]
    answer = []
    if program.places:
        places = [{"place": place, "tests": tests} for place, tests in program.places.items()]
        answer += ask(command, {**job, "places": places}, folder, "gdb")
    if program.checks:
        symbol = re.search(r"^\w+ [tT] (guality_check[.\w]*)$", e2e.run(["nm", made]).stdout, re.M)
        if not symbol:
            raise Trouble("guality_check is not there")
        answer += ask(command, {**job, "check": symbol.group(1)}, folder, "gdb")
    for place in answer:
        if not place["reason"]:
            place["pc"] -= place.pop("bias")
    return answer


def arguments(place):
    return ["--guality-skip"] if place["place"].startswith("check ") else []


def explain(made, place, paths, frame):
    result = e2e.xstep("explain", "--at", hex(place["pc"]), "--hit", place["hit"], "--frame", frame,
                       "--format", "json", *(word for path in paths for word in ("--var", path)),
                       made, *arguments(place), env=compare_steps.ENVIRONMENT, timeout=60)
    if result.returncode not in (0, 1):
        raise Trouble(result.stderr.strip()[-200:])
    return json.loads(result.stdout)


def xstep_number(text):
    for read in (lambda: int(text, 0), lambda: float(text)):
        try:
            return read()
        except ValueError:
            pass
    return None


def ask_xstep(made, place, paths):
    """{path: [state, number, text, type]} in the frame of the function that gdb shows."""
    checked = place["place"].startswith("check ")
    try:
        answer = explain(made, place, paths, 1 if checked else 0)
        if not checked and answer["stop"]["function"] != place["function"]:
            # At the first address of an inlined call gdb may show its caller.
            others = (explain(made, place, paths, frame) for frame in (1, 2, 3))
            answer = next((other for other in others if any(
                (one.get("scope") or "").split("/")[-1] == place["function"]
                for one in other["variables"])), answer)
    except Trouble as trouble:
        return {path: ["error", None, str(trouble), ""] for path in paths}
    found = {}
    for path in paths:
        leaves = [one for one in answer["variables"] if one["path"] == path]
        if len(leaves) == 1 and leaves[0]["state"] == "value":
            one = leaves[0]
            found[path] = ["value", xstep_number(one["value"]), one["value"], one.get("type") or ""]
        elif leaves:
            one = leaves[0]
            found[path] = [one["state"] if one["state"] == "optimized-out" else "error", None,
                           f"{one['state']}: {one['message']}", one.get("type") or ""]
        else:
            found[path] = ["value", None, "several leaves", ""]
    return found


def lldb_modules():
    found = glob.glob("/usr/lib/llvm-15/lib/python3*/*-packages/lldb/__init__.py")
    return str(pathlib.Path(found[0]).parent.parent) if found else ""


def ask_lldb(made, places, paths, folder):
    job = {"program": str(made), "environment": compare_steps.ENVIRONMENT,
           "arguments": arguments(places[0]),
           "places": [{"pc": place["pc"], "hit": place["hit"], "function": place["function"],
                       "paths": list(of_place)} for place, of_place in zip(places, paths)]}
    command = ["lldb-15", "--no-lldbinit", "--batch", "-o",
               f'command script import "{e2e.HERE / "in_lldb_guality.py"}"']
    try:
        # lldb's Python has the modules of the first python3 on PATH, and needs the system's.
        answer = ask(command, job, folder, "lldb", {
            "PYTHONPATH": lldb_modules(), "PATH": f"/usr/bin:{os.environ.get('PATH', '')}"})
    except Trouble as trouble:
        return [{path: ["error", None, str(trouble)] for path in of_place} for of_place in paths]
    return [dict(zip(of_place, told)) for of_place, told in zip(paths, answer)]


# --- one test -------------------------------------------------------------------------------------

def operation(number, match):
    """The arithmetic around a path."""
    bangs, _, operator, operand = match.groups()
    if operator:
        operand = int(operand)
        number = {"+": number + operand, "-": number - operand, "&": int(number) & operand}[operator]
    for _ in bangs:
        number = int(not number)
    return number


def verdict(told, wanted, match=None):
    """One of STATES, for [state, number, text]."""
    state, number, text = told[:3]
    if state == "optimized-out":
        return "optimized out"
    if state != "value":
        return "error"
    if number is None or wanted[1] is None:
        return "right" if text == wanted[2] else "wrong"
    return "right" if (operation(number, match) if match else number) == wanted[1] else "wrong"


def plain_type(text):
    """A type whose qualifiers are in one order: that of C's grammar is free."""
    text = re.sub(r"\b(long|short) int\b", r"\1", text)
    levels = [sorted(re.findall(r"\w+", level)) for level in text.split("*")]
    return " * ".join(" ".join(level) for level in levels)


def judge(program, place, test, ours, lldbs):
    """A row of the table: {witness: state}, or the reason why there is none."""
    expression, wanted = test["expression"], test["wanted"]
    row = {"place": place["place"], "pc": place["pc"], "hit": place["hit"],
           "function": place["function"], "expression": expression, "expected": wanted[2],
           "wanted": wanted, "gdb": test["told"][2]}
    if expression.startswith("type:"):
        path = expression[5:]
        if "{" in wanted[2] or "(" in wanted[2]:
            return {**row, "reason": "the type of a struct or function, taken apart"}
        said = ours[path]
        name = (re.findall(r"\w+", said[3]) or ["?"])[-1]
        if name not in wanted[2] and re.search(rf"typedef [^;]*\b{name};", program.text):
            return {**row, "reason": "the type behind a typedef, which xstep names"}
        right = plain_type(said[3]) == plain_type(wanted[2])
        return {**row, "xstep": said[3] or said[2], "is_type": True, "states": {
            "gdb": "right" if plain_type(test["told"][2]) == plain_type(wanted[2]) else "wrong",
            "xstep": "right" if right else "wrong" if said[3] else "error"}}
    match = AROUND.fullmatch(expression)
    if not match:
        return {**row, "reason": "not a path: " + ("sizeof" if "sizeof" in expression else "a constant")}
    if wanted[0] != "value":
        return {**row, "reason": f"gdb has no value for what is expected ({wanted[2]})"}
    path = match.group(2)
    row["xstep"], row["lldb"] = ours[path][2], lldbs[path][2]
    return {**row, "states": {"gdb": verdict(test["told"], wanted),
                              "xstep": verdict(ours[path], wanted, match),
                              "lldb": verdict(lldbs[path], wanted, match)}}


def wanted_paths(place):
    """What xstep and lldb are asked for."""
    paths = {}
    for test in place["tests"]:
        expression = test["expression"]
        match = re.fullmatch(f"type:({PATH})", expression) or AROUND.fullmatch(expression)
        if match:
            paths[match.group(1 if expression.startswith("type:") else 2)] = None
    return list(paths)


def examine_again(program, compiler, level, rows):
    """The same rows with what xstep says now: what others say does not change by that."""
    asked = [row for row in rows if "states" in row]
    if not asked:
        return rows
    with tempfile.TemporaryDirectory() as scratch:
        made = build(program, compiler, level, pathlib.Path(scratch))
        said = {}
        for row in asked:
            place = row["place"], row["pc"], row["hit"], row["function"]
            said.setdefault(place, []).append(row)
        for of_place in said.values():
            paths = wanted_paths({"tests": of_place})
            ours = ask_xstep(made, of_place[0], paths)
            for row in of_place:
                judge_again(row, ours)
    return rows


def judge_again(row, ours):
    expression = row["expression"]
    if row.get("is_type"):
        said = ours[expression[5:]]
        row["xstep"] = said[3] or said[2]
        row["states"]["xstep"] = "error" if not said[3] else \
            "right" if plain_type(said[3]) == plain_type(row["expected"]) else "wrong"
        return
    match = AROUND.fullmatch(expression)
    row["xstep"] = ours[match.group(2)][2]
    row["states"]["xstep"] = verdict(ours[match.group(2)], row["wanted"], match)


def examine(program, compiler, level):
    """The rows of one build."""
    name = {"program": program.source.name, "compiler": compiler, "level": level}
    reason = program.left_out(level)
    if reason:
        return [{**name, "program_reason": reason}]
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        try:
            made = build(program, compiler, level, folder)
            answer = ask_gdb(made, program, folder)
        except Trouble as trouble:
            return [{**name, "program_reason": str(trouble)}]
        rows = []
        for kind in (True, False):
            places = [place for place in answer if not place["reason"]
                      and bool(arguments(place)) == kind]
            if not places:
                continue
            paths = [wanted_paths(place) for place in places]
            lldbs = ask_lldb(made, places, paths, folder)
            for place, of_place, of_lldb in zip(places, paths, lldbs):
                ours = ask_xstep(made, place, of_place) if of_place else {}
                rows += [judge(program, place, test, ours, of_lldb) for test in place["tests"]]
        for place in answer:
            if place["reason"]:
                tests = len(program.places.get(place["place"], ())) or 1
                rows += [{"place": place["place"], "reason": place["reason"]}] * tests
        return [{**name, **row} for row in rows]


# --- all of them ----------------------------------------------------------------------------------

def behind(row):
    """Whether gdb has the expected value and xstep has not."""
    states = row.get("states")
    return states and states["gdb"] == "right" and states["xstep"] != "right"


def ahead(row):
    states = row.get("states")
    return states and states["xstep"] == "right" and states["gdb"] != "right"


def table(lines, markdown):
    """Lines of cells; the first is the heading."""
    widths = [max(len(str(line[i])) for line in lines) for i in range(len(lines[0]))]
    for number, line in enumerate(lines):
        cells = [str(cell).ljust(width) if i < 2 else str(cell).rjust(width)
                 for i, (cell, width) in enumerate(zip(line, widths))]
        print("| " + " | ".join(cells) + " |" if markdown else "  ".join(cells).rstrip())
        if markdown and not number:
            print("|" + "|".join("---" if i < 2 else "---:" for i in range(len(widths))) + "|")


def summary(rows, compilers, levels, markdown):
    for compiler in compilers:
        of_compiler = [row for row in rows if row["compiler"] == compiler]
        for kind, title in ((False, "values"), (True, "types")):
            judged = [row for row in of_compiler
                      if "states" in row and bool(row.get("is_type")) == kind]
            if not judged:
                continue
            witnesses = WITNESSES[:2] if kind else WITNESSES
            lines = [("level", "witness", "tests", *STATES)]
            for level in (*levels, "all"):
                here = [row for row in judged if level in (row["level"], "all")]
                for witness in witnesses:
                    counts = collections.Counter(row["states"][witness] for row in here)
                    lines.append((level, witness, len(here), *(counts[state] for state in STATES)))
            print(f"\n{compiler}, {title}:\n")
            table(lines, markdown)
        reasons = collections.Counter()
        for row in of_compiler:
            if "program_reason" in row:
                reasons[f"program: {row['program_reason']}"] += 1
            elif "reason" in row:
                reasons[f"test: {re.sub(r' in file .*| in current context.*', '', row['reason'])}"] += 1
        print(f"\n{compiler}, not asked:\n")
        table([("how often", "what"), *((count, reason) for reason, count in reasons.most_common())],
              markdown)


def line_of(row):
    return (f"{row['program']} {row['compiler']} {row['level']} {row['place']} {row['pc']:#x}"
            f"{' hit %d' % row['hit'] if row['hit'] > 1 else ''} in {row['function']}: "
            f"{row['expression']} is {row['expected']}; xstep: {row['xstep']}; gdb: {row['gdb']}; "
            f"lldb: {row.get('lldb', '-')}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--levels", default=",".join(LEVELS), help="(%(default)s)")
    parser.add_argument("--compilers", default=f"{e2e.GCC},{e2e.CLANG}", help="(%(default)s)")
    parser.add_argument("--only", metavar="TEXT", action="append",
                        help="only programs with this in their name; may be repeated")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="builds at a time (cores)")
    parser.add_argument("--scratch", default=e2e.CACHE, type=pathlib.Path,
                        help="where the programs are unpacked (%(default)s)")
    parser.add_argument("--markdown", action="store_true", help="tables for a document")
    parser.add_argument("--ahead", action="store_true", help="list where xstep has more than gdb, too")
    parser.add_argument("--keep", metavar="FILE", help="write every test as a line of JSON")
    parser.add_argument("--again", metavar="FILE", help="ask only xstep, and take from the FILE of an earlier "
                        "--keep what gdb and lldb say")
    options = parser.parse_args()
    folder = unpack(options.scratch / "guality")
    if not folder:
        print("the programs are not there: apt-get install gcc-12-source")
        sys.exit(SKIPPED)
    levels = ["-" + level.lstrip("-") for level in options.levels.split(",")]
    compilers = options.compilers.split(",")
    chosen = [program for program in programs(folder)
              if not options.only or any(text in program.source.name for text in options.only)]
    known = collections.defaultdict(list)
    if options.again:
        with open(options.again) as file:
            for row in map(json.loads, file):
                known[row["program"], row["compiler"], row["level"]].append(row)

    def one(program, compiler, level):
        rows = known.get((program.source.name, compiler, level))
        return examine_again(program, compiler, level, rows) if rows else examine(program, compiler, level)

    rows, kept = [], open(options.keep, "w") if options.keep else None
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        waiting = [pool.submit(one, program, compiler, level) for program in chosen
                   for compiler in compilers for level in levels]
        for future in waiting:
            rows += future.result()
            if kept:
                kept.writelines(json.dumps(row) + "\n" for row in future.result())
                kept.flush()
    summary(rows, compilers, levels, options.markdown)
    late = [row for row in rows if behind(row)]
    print(f"\n{len(chosen)} programs; xstep is ahead of gdb in {sum(map(bool, map(ahead, rows)))} tests, "
          f"behind in {len(late)}")
    for row in late:
        print(f"BEHIND {line_of(row)}")
    if options.ahead:
        for row in filter(ahead, rows):
            print(f"AHEAD {line_of(row)}")
    sys.exit(1 if late else 0)


if __name__ == "__main__":
    main()
