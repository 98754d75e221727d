#!/usr/bin/python3
"""papers.py - the examples of the papers that the checks come from: seen here or not, found or not.

Each program in testdata/papers is built by every compiler that is installed, at every level. Whether the
bug is seen is judged with the plain debugger (plain.py), without xstep. Where it is seen, the command of
xstep that should find it runs, and what it says is compared: the rule, the line, the variable, and who is
wrong. --keep FILE keeps the sessions, so that only xstep runs again. --test is the short form, for two
compilers; it fails if something that is seen is not found, or put down to somebody else. --markdown is the
table of docs/studies/papers.md.

Only the debugger that sees a bug can be wrong about it. A variable that lldb alone does not show, since its
breakpoint is on a row that is no statement, is not lost by the compiler: that is not counted.
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import e2e
import plain

FOLDER = e2e.TESTDATA / "papers"
OPAQUE = FOLDER / "called_elsewhere.c"
COMPILERS = ("gcc-11", "gcc-12", "clang-13", "clang-14", "clang-15", "clang-16", "clang-19")
LEVELS = ("-O0", "-Og", "-O1", "-O2", "-O3", "-Os", "-Oz")
DEBUGGERS = (plain.GDB, plain.LLDB)
PARTY = {plain.GDB: "gdb", plain.LLDB: "lldb"}


# Builds of --test, by number or name: where the bugs were seen with the compilers of Debian 12.
TESTED = {
    "llvm 46009": ("clang-15 -O1",), "lldb 46456": ("gcc-12 -O2",), "llvm 46008": ("gcc-12 -O2",),
    "gcc 95077": ("gcc-12 -O1",), "gcc 95865": ("gcc-12 -Og", "gcc-12 -O2"),
    "debug2_rotated": ("clang-15 -Oz",), "gdb 26054": ("gcc-12 -O0",), "llvm 46040": ("clang-15 -O1",),
    "gcc 105161": ("gcc-12 -Og", "gcc-12 -O2", "clang-15 -O1"), "llvm 49975": ("clang-15 -O2",),
    "llvm 53855b": ("clang-15 -Os",), "gcc 104938": ("gcc-12 -Og",), "llvm 49546": ("clang-15 -O1",),
    "llvm 54757": ("clang-15 -O1",), "llvm 55115": ("clang-15 -O1", "gcc-12 -O2"),
    "gcc 105007": ("gcc-12 -O2", "clang-15 -O1"), "gdb 28987": ("gcc-12 -Os",),
    "gcc 105158": ("clang-15 -O1",), "gcc 105145": ("clang-15 -O1",), "gdb 29060": ("gcc-12 -O2",),
}


# Seen and not found, or put down to another; --test does not fail for these.
SHARED = "the line's statement shares its address, main's first, with others, which xstep shows"
MISSED = {
    "lldb 46456": "where an inlined call begins, debuggers show its line and go into it: nobody is blamed",
    "gcc 105007": SHARED, "gdb 29060": SHARED,
    "llvm 54757": "a factor is constant, and 0: the other one is not needed, so nothing is promised of it",
}


class See:
    """What one debugger shows of one build."""

    def __init__(self, debugger, program, source):
        self.debugger, self.program, self.source = debugger, program, source
        self.walks = {}

    def line(self, mark):
        return line_of(self.source, mark)

    def walk(self, **how):
        key = tuple(sorted(how.items()))
        if key not in self.walks:
            self.walks[key] = plain.walk(self.debugger, self.program, self.source, **how)
        return self.walks[key]

    def on(self, mark, **how):
        """The stops on a line."""
        return [stop for stop in self.walk(**how) if stop.frames[0][1] == self.line(mark)]

    def hit(self, mark):
        """The first stop at a breakpoint on a line."""
        stops = self.walk(place=self.line(mark), most=0)
        return stops[0] if stops and stops[0].frames[0][1] == self.line(mark) else None


def line_of(source, mark):
    return next(number for number, text in enumerate(source.read_text().splitlines(), 1)
                if f"@{mark} " in text)


# What is seen: each takes a See and says whether the bug shows.
def steps_on(mark):
    return lambda see: bool(see.on(mark))


def frame_at(mark, function):
    return lambda see: any(function in [name for name, _ in stop.frames] for stop in see.on(mark))


def lists_at(mark, *names):
    return lambda see: any(set(names) & set(stop.variables) for stop in see.on(mark))


def shows(value, *names):
    return lambda see: any(stop.variables.get(name) == value for stop in see.walk() for name in names)


def shows_at(mark, name, value):
    return lambda see: bool(see.hit(mark)) and see.hit(mark).variables.get(name) == value


def loses(mark, name, then=None):
    """No value at the first hit of a line; with `then`, one further down."""
    def seen(see):
        stop, later = see.hit(mark), see.hit(then) if then else None
        return bool(stop and not plain.available(stop.variables.get(name))
                    and (not then or later and plain.available(later.variables.get(name))))
    return seen


def enters_twice(function):
    """A function that is called once seems to be called again."""
    def seen(see):
        inside = [stop.frames[0][0] == function for stop in see.walk()]
        return sum(now and not before for before, now in zip([False, *inside], inside)) > 1
    return seen


def first_lines(stops):
    return list(dict.fromkeys(stop.frames[0][1] for stop in stops))


def other_order(head, body):
    def seen(see):
        orders = []
        for level in ("line", "instruction"):
            lines = first_lines(see.walk(level=level))
            orders.append([one for one in lines if one in (see.line(head), see.line(body))])
        return all(len(order) == 2 for order in orders) and orders[0] != orders[1]
    return seen


def runs_on(mark, following):
    def seen(see):
        stops = see.walk(place=see.line(mark), most=1)
        return bool(see.hit(mark) and see.hit(following)
                    and (len(stops) < 2 or stops[1].frames[0][1] != see.line(following)))
    return seen


def other_value(mark, name):
    def seen(see):
        values = [see.on(mark, level=level)[:1] for level in ("line", "instruction")]
        values = [stop.variables.get(name) for found in values for stop in found]
        return len(values) == 2 and all(map(plain.available, values)) and values[0] != values[1]
    return seen


def unfilled(mark, name, value):
    """An array without a value that all of its elements have; gdb writes it on one line."""
    def seen(see):
        stop = see.hit(mark)
        text = stop.variables.get(name, "{") if stop else "{"
        return plain.available(text) and text != "{" and value not in text
    return seen


# A bug: the program, where the paper has it, its number, who is wrong by its tracker, what is seen, and
# what finds it: the check, the rules, the mark of the line, the variable.
Case = collections.namedtuple("Case", "source where number party seen check rules mark variable")
CASES = [Case(*words) for words in (
    ("debug2_46009_arm", "Debug², snippet 1", "llvm 46009", "producer", steps_on("dead"),
     "opt", "LI", "dead", None),
    ("debug2_45895_shift", "Debug², snippet 2", "llvm 45895", "producer", steps_on("dead"),
     "opt", "LI", "dead", None),
    ("debug2_frame", "Debug², snippet 3", "llvm 45883", "producer", frame_at("caller", "clear"),
     "opt", "BI", "caller", None),
    ("debug2_scope", "Debug², snippet 4", "", "producer", lists_at("other", "one", "two", "three", "hash"),
     "opt", "SI", "other", None),
    ("debug2_parameter", "Debug², snippet 5", "", "producer", shows("-1", "flag", "truth"),
     "opt", "PI", None, None),
    ("debug2_46398_unwind", "Debug², snippet 6", "lldb 46398", "lldb", frame_at("return", "last"),
     "opt", "BI", "return", None),
    ("debug2_46456_twice", "Debug², snippet 7", "lldb 46456", "lldb", enters_twice("show"),
     "levels", "R1", "call", None),
    ("debug2_46008_dead", "Debug², snippet 8", "llvm 46008", "producer",
     lambda see: bool(see.on("dead") or see.on("dead2")), "opt", "LI", ("dead", "dead2"), None),
    ("debug2_95077_inlined", "Debug², snippet 9", "gcc 95077", "producer", frame_at("loop", "fill"),
     "opt", "BI", "loop", None),
    ("debug2_rotated", "Debug², snippet 10", "", "producer", steps_on("dead"), "opt", "LI", "dead", None),
    ("debug2_95865_merged", "Debug², snippet 11", "gcc 95865", "producer", steps_on("dead"),
     "opt", "LI", "dead", None),
    ("debug2_45523_sunk", "Debug², snippet 12", "llvm 45523", "producer", steps_on("dead"),
     "opt", "LI", "dead", None),
    ("devil_27151_exit", "DEVIL, figure 1", "gdb 27151", "gdb", runs_on("from", "next"),
     "levels", "R1", "next", None),
    ("devil_26054_order", "DEVIL, figure 2", "gdb 26054", "gdb", other_order("head", "body"),
     "levels", "R2", ("head", "body"), None),
    ("devil_46040_value", "DEVIL, figure 3", "llvm 46040", "producer", other_value("get", "turn"),
     "levels", "R2", "head", None),
    ("devil_92417_unread", "DEVIL, figure 5", "gcc 92417", "nobody",
     unfilled("read", "table", "61344"), None, "", None, None),
    ("holes_105161_folded", "Conjectures, 1", "gcc 105161", "producer", loses("store", "zero"),
     "avail", "C2", "store", "zero"),
    ("holes_49975_and", "Conjectures, 3.2", "llvm 49975", "producer", loses("call", "two"),
     "avail", "C1", "call", "two"),
    ("holes_53855_loops", "Conjectures, 3.3", "llvm 53855a", "producer", loses("row", "far"),
     "avail", "C2", "row", "far"),
    ("holes_53855_loops", "Conjectures, 3.3", "llvm 53855b", "producer", loses("cube", "far"),
     "avail", "C2", "cube", "far"),
    ("holes_104938_goto", "Conjectures, 3.4", "gcc 104938", "producer", loses("test", "place", "call"),
     "avail", "C3", "test", "place"),
    ("holes_49546_once", "Conjectures, 5.3", "llvm 49546", "producer", loses("call", "turn"),
     "avail", "C1", "call", "turn"),
    ("holes_105108_pure", "Conjectures, 5.3", "gcc 105108", "producer", loses("store", "zero"),
     "avail", "C2", "store", "zero"),
    ("holes_105179_second", "Conjectures, 5.3", "gcc 105179", "producer", loses("call", "value"),
     "avail", "C1", "call", "value"),
    ("holes_105249_sized", "Conjectures, 5.3", "gcc 105249", "producer", loses("store", "turn"),
     "avail", "C2", "store", "turn"),
    ("holes_50076_origin", "Conjectures, 5.3", "lldb 50076", "lldb", loses("call", "three"),
     "avail", "C1", "call", "three"),
    ("holes_54757_product", "Conjectures, A", "llvm 54757", "producer", loses("store", "turn"),
     "avail", "C2", "store", "turn"),
    ("holes_55101_nested", "Conjectures, A", "llvm 55101", "producer", loses("call", "value"),
     "avail", "C1", "call", "value"),
    ("holes_55115_block", "Conjectures, A", "llvm 55115", "producer", loses("call", "eight"),
     "avail", "C1", "call", "eight"),
    ("holes_105007_counted", "Conjectures, A", "gcc 105007", "producer", loses("call", "turn"),
     "avail", "C1", "call", "turn"),
    ("holes_105007_counted", "Conjectures, A", "gdb 28987", "gdb", shows_at("call", "turn", "0"),
     "diff", "", None, "turn"),
    ("holes_105389_pointer", "Conjectures, A", "gcc 105389", "producer", loses("before", "value", "after"),
     "avail", "C3", "before", "value"),
    ("holes_51780_loaded", "Conjectures, A", "llvm 51780", "producer", loses("call", "value"),
     "avail", "C1", "call", "value"),
    ("holes_105158_truth", "Conjectures, A", "gcc 105158", "producer", loses("call", "truth"),
     "avail", "C1", "call", "truth"),
    ("holes_105239_before", "Conjectures, A", "gcc 105239", "producer", loses("call", "value"),
     "avail", "C1", "call", "value"),
    ("holes_105145_address", "Conjectures, A", "gcc 105145", "producer", loses("store", "place"),
     "avail", "C2", "store", "place"),
    ("holes_104891_braces", "Conjectures, A", "gcc 104891", "producer", loses("store", "two"),
     "avail", "C2", "store", "two"),
    ("holes_105261_aggregate", "Conjectures, A", "gcc 105261", "producer", loses("call", "three"),
     "avail", "C1", "call", "three"),
    ("holes_105261_aggregate", "Conjectures, A", "gdb 29060", "gdb", loses("call", "three"),
     "avail", "C1", "call", "three"),
    ("holes_105124_constant", "Conjectures, A", "gcc 105124", "producer", loses("loop", "eight", "call"),
     "avail", "C3", "loop", "eight"),
)]


# Another bug that shows in the same way: lldb steps on a row that is no statement.
OTHERS = {("debug2_46008_dead", "gcc"): "lldb"}


def build(case, compiler, level):
    """The program of a case; None where the compiler has no such level."""
    try:
        return e2e.compile(FOLDER / f"{case.source}.c", compiler, ("-g", level, str(OPAQUE)))
    except RuntimeError:
        return None


def seen_by(case, program):
    """The debuggers that show the bug."""
    source = FOLDER / f"{case.source}.c"
    return [PARTY[one] for one in DEBUGGERS if case.seen(See(one, program, source))]


def counts(case, seen):
    """Whether what is seen is the bug."""
    if case.party == "producer" and case.check == "avail":
        return len(seen) == len(DEBUGGERS)
    return bool(seen) and case.party in ("nobody", "producer", *seen)


def expected(case, compiler, seen):
    """Who is wrong: the party of the tracker, or of another bug that shows in the same way."""
    return OTHERS.get((case.source, compiler.split("-")[0]), case.party)


def command(case, compiler, level):
    """What of xstep should find the bug."""
    source = FOLDER / f"{case.source}.c"
    words = ["check", case.check, "--witness", "xstep,gdb,lldb"]
    if case.check == "diff":
        return ["diff", build(case, compiler, level)]
    if case.check == "opt":
        return [*words, build(case, compiler, "-O0"), build(case, compiler, level)]
    if case.check == "avail":
        return [*words, "--source", source, build(case, compiler, level)]
    return [*words, build(case, compiler, level)]


def find(case, compiler, level):
    """What xstep says of the bug: the rule and who is wrong, or that it says nothing; and the command."""
    words = command(case, compiler, level)
    start = 1 if case.check == "diff" else 2
    result = e2e.xstep(*words[:start], "--format", "json", "--stdout", "/dev/null", *words[start:])
    told = {"rerun": result.rerun.replace(" --format json", ""), "found": None, "wrong": []}
    if result.returncode not in (0, 1):
        return {**told, "trouble": result.stderr[-200:]}
    marks = case.mark if isinstance(case.mark, tuple) else (case.mark,)
    lines = {line_of(FOLDER / f"{case.source}.c", mark) for mark in marks if mark}
    report = json.loads(result.stdout)
    for one in report.get("violations", report.get("discrepancies", ())):
        if ((not case.rules or one["group"] in case.rules.split())
                and (not lines or one["stop"]["line"] in lines)
                and (not case.variable or one["var"] == case.variable)):
            told["found"] = one["signature"]
            told["wrong"] = sorted({*told["wrong"], *one["wrong"]})
    return told


def judge(case, compiler, level, kept):
    """All that is known of one build of a case; sessions are kept."""
    key = f"{case.source} {case.number} {compiler} {level}"
    program = build(case, compiler, level)
    if not program:
        return None
    if key not in kept:
        kept[key] = seen_by(case, program)
    seen = kept[key] if counts(case, kept[key]) else []
    told = {"case": case, "compiler": compiler, "level": level, "seen": seen}
    if told["seen"] and case.check:
        told |= find(case, compiler, level)
    return told


def right(told):
    """Whether who is seen to be wrong is who xstep names. A bug of the producer shows in any debugger that
    follows the DWARF; one of a debugger shows in that one."""
    return bool(told["found"]) and expected(told["case"], told["compiler"], told["seen"]) in told["wrong"]


def print_markdown(results):
    """The table for the docs: a row for each bug."""
    rows = collections.defaultdict(list)
    for told in results:
        rows[told["case"]].append(told)
    print("| where | bug | wrong | program | seen by, with | found by | named |")
    print("|---|---|---|---|---|---|---|")
    for case, all_told in rows.items():
        seen = [told for told in all_told if told["seen"]]
        by = collections.defaultdict(list)
        for told in seen:
            by["+".join(told["seen"]), told["compiler"]].append(told["level"])
        shown = "; ".join(f"{who}: {compiler} {' '.join(levels)}" for (who, compiler), levels in by.items())
        found = [told for told in seen if told.get("found")]
        how = f"`{'diff' if case.check == 'diff' else f'check {case.check}'}` {case.rules}".strip()
        named = sorted({who for told in found for who in told["wrong"]})
        print(f"| {case.where} | {case.number} | {case.party} | `{case.source}.c` | {shown or 'not here'} | "
              + (f"{how}, {len(found)} of {len(seen)}" if seen and case.check else "-")
              + f" | {', '.join(named) or '-'}"
              + ("" if all(map(right, found)) else f"; right in {sum(map(right, found))}") + " |")


def print_table(results):
    rows = collections.defaultdict(list)
    for told in results:
        rows[told["case"]].append(told)
    for case, all_told in rows.items():
        seen = [told for told in all_told if told["seen"]]
        found = [told for told in seen if told.get("found")]
        print(f"\n{case.source}.c: {case.where}, {case.number or 'no number'}; {case.party}")
        print(f"  builds {len(all_told)}, seen in {len(seen)}, found in {len(found)}, "
              f"right party in {sum(map(right, found))}")
        for told in seen:
            says = (f"{told.get('found') or 'NOT FOUND'}" + f" {told.get('wrong')}"
                    if case.check else "no rule asks")
            print(f"  {told['compiler']:9}{told['level']:5} {'+'.join(told['seen']):9} {says}"
                  f"{'' if not case.check or told['found'] else '  ' + told['rerun']}"
                  f"{'  ' + told['trouble'] if 'trouble' in told else ''}")


class Kept(dict):
    """Sessions in a file, a line for each."""

    def __init__(self, path):
        lines = path.read_text().splitlines() if path and path.exists() else []
        super().__init__(map(json.loads, lines))
        self.path = path

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        if self.path:
            with self.path.open("a") as file:
                file.write(json.dumps([key, value]) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compilers", default=",".join(COMPILERS))
    parser.add_argument("--levels", default=",".join(LEVELS))
    parser.add_argument("--only", default="", help="cases whose name has this in it")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, help="a file for the sessions of the debuggers")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--test", action="store_true", help="gcc 12 and clang 15; fails if one is missed")
    options = parser.parse_args()
    compilers = options.compilers.split(",")
    kept = Kept(options.keep)
    asked = [(case, compiler, level) for case in CASES if options.only in case.source
             for compiler in compilers if shutil.which(compiler)
             for level in options.levels.split(",")
             if level != "-Og" or not compiler.startswith("clang")  # the same as -O1
             if level != "-O0" or case.check == "levels"]
    if options.test:
        asked = [(case, *made.split()) for case in CASES
                 for made in TESTED.get(case.number or case.source, ())]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(filter(None, pool.map(lambda words: judge(*words, kept), asked)))
    (print_markdown if options.markdown else print_table)(results)
    missed = [told for told in results if told["seen"] and told["case"].check and not right(told)]
    print(f"\n{len(results)} builds of {len(CASES)} cases; seen in "
          f"{sum(bool(told['seen']) for told in results)}, not found or put down to another in {len(missed)}")
    return 1 if options.test and any(told["case"].number not in MISSED for told in missed) else 0


if __name__ == "__main__":
    sys.exit(main())
