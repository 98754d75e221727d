#!/usr/bin/python3
"""replay_table.py - whether the mistakes that debuggers are accused of explain what they say.

For every discrepancy of `xstep diff` that a rule explains, the rule's mistake is made on purpose
(dwarf/mistake.h) at that stop. Prints for each rule how many cases there are and how many of them come
to what the debugger said, to the letter, or would with another mistake of that debugger; with --verbose
those that do not.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import e2e

REPLAY = os.environ.get("REPLAY", str(e2e.TOP / "build/release/bench/tool_replay"))
# The line table and what is shown of frames are no values.
FRAMES = ("frames", "presentation")
CONTROL = {"is-stmt-row", "other-row-at-address", "line-0", "no-stmt-row", "trap-flag"}
DTD = [("dtd/01_partial_location.c", e2e.CLANG, "-O1"), ("dtd/02_incompatible_types.c", e2e.CLANG, "-O1"),
       ("dtd/04_future_scope.c", e2e.GCC, "-O0"), ("dtd/05_function_entry.c", e2e.GCC, "-O1"),
       ("dtd/09_constant_data.c", e2e.GCC, "-O1"), ("dtd/10_implicit_pointer.c", e2e.GCC, "-O1"),
       ("dtd/12_bit_fields.c", e2e.GCC, "-O0"), ("dtd/13_div.c", e2e.CLANG, "-O1"),
       ("dtd/17_synthetic.c", e2e.CLANG, "-O2"), ("diff_demo.c", e2e.GCC, "-O2"),
       ("diff_demo.c", e2e.CLANG, "-O2")]
# A debugger hangs, or dies of them.
NOT_ASKED = {"dwarf_branch.S", "dwarf_circles.S", "dwarf_addrx_outside.S"}


def word(value):
    return "-" if value is None or value == "" else str(value)


def question(case):
    """A line for tool_replay."""
    stop, decl = case["stop"], case["decl"]
    return "\t".join(map(word, (
        stop["number"], stop["prev"], stop["pc"], stop["n"], case["scope"], case["var"], case["path"],
        decl and decl["line"], int(not case["scope"] or case.get("global", False)), case["frame"], 0,
        int(case["aspect"] == "lookup"), int("gdb:listed-twice" in case["signature"]),
        int(case["aspect"] in FRAMES))))


def replay(program, cases, words=()):
    """[{name: (state, value)}] of the cases: `there` is xstep's own answer, the others are mistakes that
    say something else."""
    text = "".join(question(case) + "\n" for case in cases)
    with tempfile.NamedTemporaryFile("w+") as asked:
        asked.write(text)
        asked.flush()
        asked.seek(0)
        result = e2e.run([REPLAY, *words, program], stdin=asked)
    if result.returncode:
        raise RuntimeError(f"{result.rerun}\n{result.stderr}")
    found = [{} for _ in cases]
    for line in result.stdout.splitlines():
        number, name, *rest = line.split("\t")
        found[int(number)][name] = tuple(rest)
    return found


def rules(case):
    """{debugger: rule} that the signature names."""
    last = case["signature"].split(" [")[0].split()[-1]
    return dict(part.split(":", 1) for part in last.split(",") if ":" in part)


def functions(backtrace):
    """The functions of `f (inlined) < main < _start at f.c:3`, but for those of libraries."""
    names = re.sub(r" at [^<]*$", "", backtrace or "").replace(" (inlined)", "").split(" < ")
    return [name for name in names if not name.startswith("_") and name != "?"]


def is_same(said, replayed, aspect="variable"):
    state, value = replayed
    if aspect in FRAMES:
        return functions(said["value"]) == functions(value)
    if said["state"] in ("optimized-out", "error"):
        return state in ("optimized-out", "error")
    return state == said["state"] and (said["value"] is None or value == said["value"])


def some(cases, most):
    """At most so many of each signature."""
    seen = collections.Counter()
    for case in cases:
        seen[case["signature"]] += 1
        if seen[case["signature"]] <= most:
            yield case


def judge(program, sample="all", most=20, every=False):
    """[(debugger, rule, case, what was said, what xstep says, what was replayed, mistakes of the debugger that
    come to what it says)] of a program; `every` debugger's words, or those of the ones that a rule names."""
    with tempfile.TemporaryDirectory() as folder:
        out = e2e.run([e2e.XSTEP, "diff", "--format", "json", "--sample", sample,
                       "-o", f"{folder}/traces.db", program])
    if out.returncode > 1:
        raise RuntimeError(f"{out.rerun}\n{out.stderr}")
    cases = list(some((case for case in json.loads(out.stdout)["discrepancies"]
                       if case["aspect"] in FRAMES or case["aspect"] in ("variable", "lookup") and case["var"]),
                      most))
    rows = []
    for case, found in zip(cases, replay(program, cases) if cases else ()):
        named = rules(case)
        for debugger in ("gdb", "lldb") if every else named:
            rule = named.get(debugger)
            if debugger not in case["facts"] or rule in CONTROL:
                continue
            said, own = case["facts"][debugger], found.get("there")
            mistake = found.get(f"{debugger}:{rule}", own)
            others = sorted(name for name, told in found.items()
                            if name.startswith(f"{debugger}:") and is_same(said, told, case["aspect"]))
            rows.append((debugger, rule, case, said, own, mistake, others))
    return rows


def programs():
    for source in sorted(e2e.TESTDATA.glob("dwarf/*.S")):
        if source.name not in NOT_ASKED:
            yield source.name, e2e.compile(source, e2e.GCC, ())
    for name, compiler, level in DTD:
        yield f"{name} {compiler} {level}", e2e.compile(name, compiler, ("-g", level))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--verbose", action="store_true", help="show what is not replayed")
    parser.add_argument("--sample", default="all", help="at which stops to compare (all)")
    parser.add_argument("programs", nargs="*", help="(the subjects of testdata/)")
    asked = parser.parse_args()
    table = collections.defaultdict(lambda: [0, 0, 0, 0, set()])
    named = [(pathlib.Path(one).name, pathlib.Path(one).resolve()) for one in asked.programs]
    for name, program in named or programs():
        for debugger, rule, case, said, own, mistake, others in judge(program, asked.sample):
            row = table[f"{debugger}:{rule}"]
            row[0] += 1
            good = mistake is not None and is_same(said, mistake, case["aspect"])
            true = own is not None and is_same(case["facts"]["xstep"], own, case["aspect"])
            row[1] += good
            row[2] += not good and bool(others)
            row[3] += true
            if not good:
                row[4].update(others)
            if asked.verbose and not ((good or others) and true):
                print(f"{name}: {case['aspect']} {debugger}:{rule}: {case['path']} in {case['scope']} "
                      f"frame {case['frame']} at "
                      f"{case['stop']['pc']}#{case['stop']['number']}: said {said['state']} "
                      f"{said['value'] or said['message']}, replayed {mistake}, own {own}, "
                      f"xstep {case['facts']['xstep']['state']} {case['facts']['xstep']['value']}")
    print("| rule | cases | replayed | by another mistake | xstep as in the trace |\n|---|---|---|---|---|")
    for rule, (cases, good, other, true, names) in sorted(table.items()):
        print(f"| `{rule}` | {cases} | {good} | {other} {' '.join(sorted(names))} | {true} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
