#!/usr/bin/python3
"""builds.py - the matrix of builds: what xstep, gdb and lldb say of programs that tell the truth themselves.

Each cell of builds_table.py is a way to build the two programs of testdata/builds. A program prints each leaf
of what is in scope at its stops. In each cell the program runs by itself, which gives the truth; then xstep
(`explain`), gdb and lldb tell the same leaves at the same stops.

    builds.py                      all cells, a line each, and below what is wrong
    builds.py --cell lld           cells whose names begin so, with each leaf that is not right
    builds.py --test               the cells of the test, by xstep only
    builds.py --list, --json FILE, --markdown FILE

xstep is $XSTEP, or build/release/xstep. With --keep DIR builds and what the debuggers said are kept there, and
another run asks xstep only.
"""
import argparse
import collections
import concurrent.futures
import ctypes
import fractions
import functools
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import builds_make
import e2e

ENVIRONMENT = {"LC_ALL": "C", "PATH": "/usr/bin:/bin"}  # as xstep's; addresses of the stack depend on it
OUTCOMES = ("right", "wrong", "hidden", "absent")
LEAST_TESTED = 12  # cells that the test must be able to run
DISCARDED = "discarded_variable"
CRASH = "explain crashes: status"
NO_VARIABLES = {"lines", "functions", "nothing"}  # marks
HEADING = "## The cells\n\n"

# gdb takes what a function may overwrite, and has not restored yet, for the caller's value. Here that is often
# right: the stop is the first instruction of a call.
CAREFUL = "was not saved by the callee"

# Leaves that are wrong because the compiler describes them wrongly: cell, "program stop path", as regular
# expressions, and the reason. It counts only while no debugger has them right.
PRODUCER = [
    (".*/clang-.*", "ledger m5 total_external", "clang writes no entry for an extern declaration in a block"),
    (".*/clang-.*/O2", "parser m7 sum", "clang has the sum of the next statement already (gdb, without .dwp, says so)"),
    (".*/clang-.*/O2", "parser m11 found", "clang has the value of another way through an inlined function"),
    (".*/clang-.*/O0", "ledger m1 odd", "clang describes _BitInt(37) as 64 bits, of which it leaves 27 undefined"),
]

# Leaves for which xstep has an error to show instead of a value: what it says, in which cells, and the reason.
EXCUSED = [
    ("is no offset in thread-local storage", ".*split.*/gcc-.*|dwp.*/gcc-.*",
     "gcc's split DWARF has an address where the offset of a thread-local belongs"),
    ("the linker threw it away", ".*gc.*/O0", "the compiler uses the constant's value, and the linker threw it away"),
    ("empty expression", "emulated-tls/.*", "clang does not describe emulated thread-locals"),
    ("it has no location", "asan/gcc-.*/O0", "gcc does not describe a volatile variable of a function with setjmp"),
    ("", "struct-base/.*", "gcc describes no type that another file's header declares"),
]


# The truth

def truth_parse(text):
    """{stop: {outward: {"function", "line", "file", "leaves": {path: (kind, value)}}}}."""
    stops, leaves = {}, None
    for line in text.splitlines():
        words = line.split("\t")
        if words[0] == "@":
            place = stops.setdefault(words[1], {}).setdefault(
                words[2], {"function": words[3], "line": int(words[4]), "file": pathlib.Path(words[5]).name,
                           "leaves": {}})
            leaves = place["leaves"]
        elif leaves is not None and len(words) == 3:
            leaves[words[0]] = (words[1], words[2])
    return stops


def truth(build):
    """Runs the program by itself, where and as the debuggers run it."""
    words = ["setarch", "-R", "env", "-i", *(f"{name}={value}" for name, value in ENVIRONMENT.items()), build.path]
    result = e2e.run(words, cwd=build.folder)
    if result.returncode:
        raise builds_make.Trouble(f"the program ends with status {result.returncode}: {result.stderr[:160]}")
    stops = truth_parse(result.stdout)
    if build.program == "ledger":
        known = DISCARDED in build.symbols
        stops["m1"]["1"]["leaves"][DISCARDED] = ("i", "99") if known else ("gone", "")
    return stops


def rounded(text, bits):
    """A number with so many significant bits, exactly."""
    if "0x" in text:
        sign, whole, part, power = re.fullmatch(r"(-?)0x(\w+?)(?:\.(\w*))?p([+-]\d+)", text).groups()
        part = part or ""
        number = fractions.Fraction(int(whole + part, 16)) * fractions.Fraction(2) ** (int(power) - 4 * len(part))
        return -number if sign else number
    number = fractions.Fraction(text)
    if number:
        scale = fractions.Fraction(2) ** (bits - 1 - math.floor(math.log2(abs(number))))
        number = fractions.Fraction(round(number * scale)) / scale
    return number


def same(kind, true, text):
    """Whether a text means the true value."""
    try:
        if kind == "i":
            return int(text) == int(true)
        if kind == "p":
            return int(text, 16) == int(true, 16)
        bits = int(kind[1:])
        if bits in (24, 53):
            made = float.fromhex(true)
            told = float(text) if bits == 53 else ctypes.c_float(float(text)).value
            return math.copysign(1, made) == math.copysign(1, told) and (made == told or made != made)
        if bits == 64:  # debuggers print 18 to 21 digits
            made, told = rounded(true, bits), rounded(text, bits)
            return abs(made - told) <= abs(made) / 2 ** 62
        return abs(rounded(true, bits) - rounded(text, bits)) <= abs(rounded(true, bits)) / 2 ** bits
    except (ValueError, OverflowError, AttributeError):
        return False


def agree(kind, one, other):
    """Whether two debuggers say the same."""
    try:
        return int(one, 0) == int(other, 0) if kind in "ip" else float(one) == float(other)
    except (TypeError, ValueError):
        return False


def judged(kind, true, text):
    if kind == "gone":
        return "right" if text is None else "wrong"
    if text is None:
        return "absent"
    return "right" if same(kind, true, text) else "wrong"


# xstep

def explain(build, where, *words, form="json"):
    root = build.debug_root or build.folder / "no-debug-root"  # libc's would be read, which takes long
    return e2e.run([e2e.XSTEP, "explain", *where, "--format", form, "--debug-root", root, "--stdout", "/dev/null",
                    *words, build.path], cwd=build.folder, timeout=60)


def at_mark(build, stop, outward):
    """How to come to a call of mark, and to look outward from there."""
    return "--at", hex(build.symbols["mark"]), "--hit", stop[1:], "--frame", outward


def leaves_told(result):
    try:
        return json.loads(result.stdout)["variables"]
    except (ValueError, KeyError):
        return []


def xstep_place(build, where, true, notes):
    """{path: (outcome, text)} of a frame."""
    result = explain(build, where)
    if result.stderr.strip():
        notes[re.sub(r"0x[0-9a-f]+", "0x...", result.stderr.strip())[:300]] += 1
    if result.returncode:
        notes[f"{CRASH if result.returncode < 0 else 'explain: status'} {result.returncode}"] += 1
    told = collections.defaultdict(list)
    for leaf in leaves_told(result):
        if not leaf["shadowed"] and leaf["declared"]:
            told[leaf["path"]].append(leaf)
    asked = [path for path in true if path not in told and true[path][0] != "gone"]
    if asked and told:
        words = [word for path in asked for word in ("--var", path)]
        result = explain(build, where, *words)
        leaves = leaves_told(result)
        if result.returncode == 2:  # one of them is no name for xstep
            leaves = [leaf for path in asked for leaf in leaves_told(explain(build, where, "--var", path))]
        for path, leaf in zip(asked, by_path(leaves, asked)):
            told[path] += leaf
    for path in asked:  # what is said of a variable as a whole is said of its leaves
        whole = re.match(r"\w+", path)
        if whole and all(leaf["state"] == "absent" for leaf in told[path]):
            told[path] = [leaf for leaf in told.get(whole.group(), []) if leaf["state"] != "value"]
    return {path: xstep_leaf(told[path], *true[path]) for path in true}


def by_path(leaves, asked):
    """The leaves of each path that was asked for; brackets may be written otherwise."""
    return [[leaf for leaf in leaves if leaf["path"].replace(" ", "") == path] for path in asked]


def xstep_leaf(leaves, kind, true):
    """What xstep says of one leaf; if it lists several of that name, all must be right."""
    said = []
    for leaf in leaves:
        if leaf["state"] == "value":
            said.append((judged(kind, true, leaf["value"]), leaf["value"]))
        elif leaf["state"] != "absent":
            said.append(("right" if kind == "gone" else "hidden", f"<{leaf['state']}> {leaf['message'] or ''}".strip()))
    if not said:
        return ("right" if kind == "gone" else "absent"), None
    return min(said, key=lambda one: ("wrong", "right", "hidden").index(one[0]))


def xstep_lines(build, stop, outward, place):
    """Whether function and line of a frame are right, of a build without variables. None if nobody knows."""
    head = explain(build, at_mark(build, stop, outward), form="text").stdout.partition("\n")[0]
    found = re.match(r"(\S+?):(\d+)(?::\d+)? in ([^\s,+]+)", head)
    marks = build.cell.marks
    if place["function"] == "?" or ("functions" in marks and place["function"] == "scaled"):  # which is inlined
        return None
    line, function = (int(found.group(2)), found.group(3)) if found else (0, "?")
    if "functions" in marks:
        function = function.partition(".")[0]  # gcc's name of a nested function has a number
    expected = (place["line"] if "lines" in marks else 0, "?" if "nothing" in marks else place["function"])
    if (line, function) == expected:
        return "right", head
    return ("absent" if (line, function) == (0, "?") else "wrong"), head


def xstep_answers(build, stops, notes):
    answers, lines = {}, set()
    for stop, frames in stops.items():
        answers[stop] = {}
        if stop[0] == "a":  # `explain` looks at the first thread only
            continue
        for outward, place in frames.items():
            if build.cell.marks & NO_VARIABLES:
                line = xstep_lines(build, stop, outward, place)
                answers[stop][outward] = {"(line)": line} if line else {}
            else:
                answers[stop][outward] = xstep_place(build, at_mark(build, stop, outward), place["leaves"], notes)
        if build.cell.optimised or build.cell.marks & {*NO_VARIABLES, "shared"}:
            continue
        place = frames["1"]  # without optimisation all that is the same at the line of the call
        where = f"{place['file']}:{place['line']}"
        if place["line"] and where not in lines:
            lines.add(where)
            answers[stop]["line"] = xstep_place(build, ("--at", where), place["leaves"], notes)
    return answers


# gdb and lldb

@functools.cache
def lldb_program():
    """lldb and the folder of its Python module, which Debian's own path does not name."""
    real = pathlib.Path(os.path.realpath(shutil.which("lldb-15") or "lldb-15"))
    modules = sorted(real.parent.parent.glob("lib/python3*/*-packages/lldb/__init__.py"))
    return real, modules[0].parent.parent if modules else ""


def debugger(name, build, stops):
    """The answers of a plain debugger."""
    job = build.folder / f"{name}.job"
    output = build.folder / f"{name}.answer"
    root = str(build.debug_root or build.folder / "no-debug-root")
    job.write_text(json.dumps({
        "program": str(build.path), "environment": ENVIRONMENT, "debug_root": root, "output": str(output),
        "stops": {stop: {outward: list(place["leaves"]) for outward, place in frames.items()}
                  for stop, frames in stops.items()}}))
    script = e2e.HERE / f"in_{name}_builds.py"
    words = {"gdb": ["gdb", "-nx", "-batch", "-x", script],
             "lldb": [lldb_program()[0], "-x", "--batch", "-o", f"command script import {script}"]}[name]
    try:
        result = e2e.run(words, cwd=build.folder, timeout=120, env={
            **os.environ, "PATH": "/usr/bin:/bin", "XSTEP_JOB": str(job), "PYTHONDONTWRITEBYTECODE": "1",
            **({"PYTHONPATH": str(lldb_program()[1])} if name == "lldb" else {})})
    except subprocess.TimeoutExpired:
        return {}, "takes more than 120 seconds"
    if not output.exists():
        return {}, f"status {result.returncode}: {result.stderr.strip()[-200:]}"
    answer = json.loads(output.read_text())
    return answer["stops"], answer["trouble"]


# A cell

def cell_program(cell, program, options):
    """{"stops", "gdb", "lldb", "xstep", "notes", ...} of one program, or {"trouble"}."""
    folder = options.scratch / cell.name.replace("/", "_") / program
    kept = folder / "kept.json"
    build = builds_make.Build(cell, program, folder)
    known = json.loads(kept.read_text()) if kept.exists() else {}
    if known.get("key") != [options.key, cell.words]:
        known = {"key": [options.key, cell.words], "program": program}
        try:
            build.make()
            known["stops"] = truth(build)
        except builds_make.Trouble as trouble:
            known["trouble"] = str(trouble)
        known |= {"symbols": {name: build.symbols[name] for name in ("mark", "mark_aside", DISCARDED)
                              if name in build.symbols}, "log": build.log,
                  "debug_root": build.debug_root and str(build.debug_root)}
    build.symbols = known["symbols"]
    build.debug_root = known["debug_root"] and pathlib.Path(known["debug_root"])
    if "trouble" not in known:
        for name in options.debuggers:
            if name not in known and not cell.marks & NO_VARIABLES:
                known[name], known[f"{name}_trouble"] = debugger(name, build, known["stops"])
    if folder.exists():
        kept.write_text(json.dumps(known))
    if "trouble" not in known:
        notes = collections.Counter()
        known["xstep"], known["notes"] = xstep_answers(build, known["stops"], notes), notes
        for name in ("gdb", "lldb"):  # is it the compiler's?
            if name not in known and cell.optimised and any(row["failure"] == "wrong" for row in rows(cell, known)):
                known[name], known[f"{name}_trouble"] = debugger(name, build, known["stops"])
    return known


def rows(cell, known):
    """Each leaf of a program in a cell: {"stop", "outward", "path", "true", "xstep", ...}."""
    for stop, frames in known["stops"].items():
        for outward, answers in known["xstep"][stop].items():
            place = frames["1" if outward == "line" else outward]
            for path, (outcome, text) in answers.items():
                kind, true = place["leaves"].get(path, ("line", f"{place['function']}:{place['line']}"))
                row = {"cell": cell.name, "program": known["program"], "stop": stop, "outward": outward,
                       "function": place["function"], "path": path, "kind": kind, "true": true,
                       "xstep": outcome, "xstep_text": text}
                for name in ("gdb", "lldb"):
                    if name in known and outward != "line":
                        said = known[name].get(stop, {}).get(outward, {}).get(path)
                        row[name], row[f"{name}_text"] = judged(kind, true, said), said
                yield verdict(cell, row)


def verdict(cell, row):
    """Adds whether a row is a failure, and its name: wrong, missing, behind; or the reason why it is none."""
    row["failure"] = row["reason"] = None
    if row["xstep"] == "right":
        return row
    right = [name for name in ("gdb", "lldb") if row.get(name) == "right"]
    if row["xstep"] == "wrong":
        row["failure"] = "wrong"
        if not right:
            row["reason"] = producer(cell, row)
    elif "icf" in cell.marks and row["function"] == "?":
        row["reason"] = "one of two functions that are one now: nobody knows which"
    elif excuse(row):
        row["reason"] = excuse(row)
    elif not cell.optimised:
        row["failure"] = "missing"
    elif CAREFUL in (row["xstep_text"] or ""):
        row["reason"] = CAREFUL
    elif "gdb" in right or (right and row["true"].strip("-0xp+.") != ""):  # lldb takes for 0 what is not there
        row["failure"] = "behind"
    if row["reason"]:
        row["failure"] = None
    return row


def excuse(row):
    return next((reason for said, cells, reason in EXCUSED if said in (row["xstep_text"] or "")
                 and re.fullmatch(cells, row["cell"])), None)


def producer(cell, row):
    """Why the compiler is to blame, or None. On optimised code it is if a debugger, which has its own reader,
    reads the same out of what the compiler wrote."""
    for cells, leaf, reason in PRODUCER:
        if re.fullmatch(cells, row["cell"]) and re.fullmatch(leaf, f"{row['program']} {row['stop']} {row['path']}"):
            return reason
    same_said = [name for name in ("gdb", "lldb") if agree(row["kind"], row.get(f"{name}_text"), row["xstep_text"])]
    return f"the compiler's: {' and '.join(same_said)} read the same" if cell.optimised and same_said else None


def cell_result(cell, options):
    """What is known of a cell. With --kept, what the last run found."""
    kept = options.scratch / cell.name.replace("/", "_") / "result.json"
    if options.kept:
        return json.loads(kept.read_text()) if kept.exists() else None
    result = cell_look(cell, options)
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(result))
    return result


def cell_look(cell, options):
    result = {"cell": cell.name, "words": cell.words, "troubles": [], "rows": [], "notes": {}}
    for program in builds_make.PROGRAMS:
        try:
            known = cell_program(cell, program, options)
        except Exception as error:  # one cell must not end the run
            known = {"trouble": f"builds.py: {type(error).__name__}: {error}"}
        if "trouble" in known:
            result["troubles"].append(f"{program}: {known['trouble']}")
            continue
        result["rows"] += rows(cell, known)
        for note, count in known["notes"].items():
            result["notes"][note] = result["notes"].get(note, 0) + count
        for name in ("gdb", "lldb"):
            if known.get(f"{name}_trouble"):
                result["notes"][f"{name}: {known[f'{name}_trouble']}"] = 1
    return result


# What is printed

def count(result, who, outcome):
    return sum(row.get(who) == outcome for row in result["rows"])


def failures(result, *kinds):
    return [row for row in result["rows"] if row["failure"] in kinds]


def bad(result):
    return bool(failures(result, "wrong", "missing")) or any(note.startswith(CRASH) for note in result["notes"])


def line_of(result):
    if not result["rows"]:
        return f"{result['cell']:34} not built: {'; '.join(result['troubles'])}"
    words = [f"{result['cell']:34}"]
    for who in ("xstep", "gdb", "lldb"):
        if any(who in row for row in result["rows"]):
            words.append("/".join(f"{count(result, who, outcome):4}" for outcome in OUTCOMES))
    words.append(f"{len(failures(result, 'behind')):4}")
    words.append("FAIL" if bad(result) else "ok" if not result["troubles"] else "in part")
    return " ".join(words)


def row_text(row):
    place = f"{row['program']} {row['stop']}"
    if row["outward"] != "1":
        place += " by its line" if row["outward"] == "line" else f" frame {row['outward']}"
    said = [f"truth {row['true'] or 'not there'}", f"xstep {row['xstep_text']}"]
    said += [f"{name} {row[name + '_text']}" for name in ("gdb", "lldb") if name in row]
    return f"  {row['failure'] or row['xstep']:8} {place} {row['function']}: {row['path']}: {', '.join(said)}"


def report(result, options):
    print(line_of(result), flush=True)
    detailed = options.detailed
    for kind in ("wrong", "missing", "behind"):
        found = failures(result, kind)
        most = len(found) if detailed else options.show
        for row in found[:most]:
            print(row_text(row))
        if len(found) > most:
            print(f"  {kind}: {len(found) - most} more")
    if detailed or bad(result):
        for note, times in list(result["notes"].items())[:8 if detailed else 2]:
            print(f"  said {times} times: {note}")
    if detailed:
        print(f"  {result['words']}")
        for trouble in result["troubles"]:
            print(f"  {trouble}")
    sys.stdout.flush()


def markdown(results, path):
    """Writes the table of docs/builds.md: all that follows its last heading."""
    lines = ["| cell | build | leaves | right | not there | gdb right, wrong | lldb right, wrong | |",
             "|---|---|---|---|---|---|---|---|"]
    for result in results:
        cells = [result["cell"], f"`{result['words']}`"]
        if result["rows"]:
            cells += [len(result["rows"]), count(result, "xstep", "right"),
                      count(result, "xstep", "hidden") + count(result, "xstep", "absent")]
            cells += [f"{count(result, who, 'right')}, {count(result, who, 'wrong')}"
                      if any(who in row for row in result["rows"]) else "" for who in ("gdb", "lldb")]
        else:
            cells += [""] * 5
        lines.append("| " + " | ".join(map(str, [*cells, "; ".join(remarks(result))])) + " |")
    head, heading, _ = path.read_text().rpartition(HEADING)
    path.write_text(head + heading + "\n".join(lines) + "\n")


def remarks(result):
    """What there is to say about a cell."""
    counts = {kind: len(failures(result, kind)) for kind in ("wrong", "missing", "behind")}
    said = [f"{times} {kind}" for kind, times in counts.items() if times]
    reasons = collections.Counter(row["reason"] for row in result["rows"] if row["reason"])
    said += [f"{times} {reason}" for reason, times in sorted(reasons.items())]
    said += [note[:100].replace("|", "/") for note in result["notes"] if CRASH in note or "warning" in note][:1]
    return said + [f"not built: {trouble}" for trouble in result["troubles"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cell", action="append", metavar="NAME", help="cells whose names begin so, in detail")
    parser.add_argument("--test", action="store_true", help="the cells of the test, by xstep only")
    parser.add_argument("--list", action="store_true", help="the names of the cells")
    parser.add_argument("--debuggers", default="gdb,lldb", help="(%(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="cells at a time (%(default)s)")
    parser.add_argument("--show", type=int, default=6, help="failures of a kind shown per cell (%(default)s)")
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIR", help="where builds and answers are kept")
    parser.add_argument("--kept", action="store_true", help="nothing is run: tells what --keep DIR has")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="every leaf of every cell")
    parser.add_argument("--markdown", type=pathlib.Path, metavar="FILE", help="writes the table of docs/builds.md")
    options = parser.parse_args()
    if options.kept and not options.keep:
        parser.error("--kept needs --keep DIR")
    chosen = [cell for cell in builds_make.cells() if (not options.test or cell.tested) and
              (not options.cell or any(cell.name.startswith(name) for name in options.cell))]
    if options.list:
        for cell in chosen:
            print(f"{cell.name:34} {cell.words}{'  (test)' if cell.tested else ''}")
        return 0
    options.detailed = len(chosen) < 5
    options.debuggers = [] if options.test else [name for name in options.debuggers.split(",") if name]
    options.key = builds_make.sources_key()
    with tempfile.TemporaryDirectory() as scratch:
        options.scratch = (options.keep or pathlib.Path(scratch)).resolve()
        options.scratch.mkdir(parents=True, exist_ok=True)
        results = []
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for result in pool.map(lambda cell: cell_result(cell, options), chosen):
                if not result:
                    continue
                results.append(result)
                report(result, options)
                if not options.keep:
                    shutil.rmtree(options.scratch / result["cell"].replace("/", "_"), ignore_errors=True)
    if options.markdown:
        markdown(results, options.markdown)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1))
    return conclude(results, options)


def conclude(results, options):
    ran = [result for result in results if result["rows"]]
    failed = [result for result in results if bad(result)]
    leaves = sum(len(result["rows"]) for result in ran)
    print(f"{len(ran)} of {len(results)} cells, {leaves} leaves: "
          f"{sum(count(result, 'xstep', 'right') for result in ran)} right, "
          f"{sum(len(failures(result, 'wrong')) for result in ran)} wrong, "
          f"{sum(len(failures(result, 'missing')) for result in ran)} missing, "
          f"{sum(len(failures(result, 'behind')) for result in ran)} behind; {len(failed)} cells fail")
    if options.test and len(ran) < LEAST_TESTED:
        print(f"only {len(ran)} cells could be run; {LEAST_TESTED} are needed")
        return 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
