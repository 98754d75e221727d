#!/usr/bin/python3
"""culprits.py - whether xstep culprit names the pass that is known to be at work.

    bench/study/culprits.py [--hand] [WORD...]

WORD: only cases that have it in their line. --hand: only the plain builds, without a search.

A case is a program with a finding, and the culprit that was found out by hand. `testdata/cause` has programs
whose first comment says

    case: COMPILER LEVEL ORACLE [FLAGS] | SIGNATURE | CULPRIT | FLAGS THAT SWITCH IT OFF

CULPRIT is an option of gcc's or the name of a pass of clang's. OTHERS are programs of other folders. Each case is built
twice without `xstep culprit`: as it is, where the finding must be, and with the culprit switched off, where it must not
be. Where clang has no flag for a pass, it is -opt-bisect-limit, one less than what is found.

Printed is a row for each: what is expected and found first, how many culprits are named, seconds of processor time of
all processes, and whether it is right. Exit status 1 if one is not."""
import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

import e2e

DEAD_LINE = "LI extra producer:dead-line"
CROSSJUMPING = "-fcrossjumping | -fno-crossjumping"
OTHERS = (
    f"check/check_scope.c: {e2e.GCC} -O2 opt | SI extra producer:out-of-scope [no-location] | {CROSSJUMPING}",
    f"check/check_frame.c: {e2e.GCC} -O2 opt | BI lie producer:foreign-frame | {CROSSJUMPING}",
    f"check/check_value.c: {e2e.GCC} -O2 opt | PI lie producer:foreign-value | {CROSSJUMPING}",
    f"check/check_value.c: {e2e.GCC} -O1 opt -fcrossjumping | PI lie producer:foreign-value | {CROSSJUMPING}",
    f"check/check_local.c: {e2e.GCC} -O2 opt | PI lie producer:foreign-value-of-local [const-value] | {CROSSJUMPING}",
    f"check/check_refresh.c: {e2e.GCC} -O1 avail | C3 loss producer:decay incomplete [not-covered] | -ftree-ccp | "
    "-fno-tree-ccp",
    f"check/check_line.c: {e2e.CLANG} -O1 opt | {DEAD_LINE} | Control Flow Optimizer | -mllvm -disable-branch-fold",
    f"check/check_line.c: {e2e.CLANG} -O2 opt | {DEAD_LINE} | Control Flow Optimizer | -mllvm -disable-branch-fold",
    f"check/check_line.c: {e2e.CLANG} -Os opt | {DEAD_LINE} | Control Flow Optimizer | -mllvm -disable-branch-fold",
    f"check/check_index.c: {e2e.CLANG} -Os avail | C2 loss producer:index incomplete [not-covered] | "
    "Loop Strength Reduction | -mllvm -disable-lsr",
    f"check/check_call.c: {e2e.CLANG} -O1 avail | C1 loss producer:argument missing [abstract-only,no-location] | "
    "InstCombinePass |",
    f"check/check_fold.c: {e2e.CLANG} -O1 avail | C2 loss producer:constant hollow [no-location] | SimplifyCFGPass |",
    f"check/check_product.c: {e2e.CLANG} -O1 avail | C2 loss producer:induction hollow [no-location] | "
    "SimplifyCFGPass |",
    f"dtd/02_incompatible_types.c: {e2e.CLANG} -O1 diff | G5 extra producer:incompatible-types | InstCombinePass |",
)


class Case:
    """A line of the table."""

    def __init__(self, source, line):
        self.source = source
        build, self.signature, self.culprit, off = (part.strip() for part in (line + " ").split("|"))
        self.compiler, self.level, self.oracle, *self.flags = build.split()
        self.off = off.split()
        self.text = f"{source.relative_to(e2e.TESTDATA)}: {line}"

    def culprits(self):
        """What xstep culprit names, in its order; and the processor time of all processes."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        result = e2e.xstep("culprit", "--source", self.source, "--compiler", self.compiler, f"--level={self.level}",
                           f"--flags={' '.join(self.flags)}", "--oracle", self.oracle, "--signature", self.signature,
                           "--passes", "--format", "json")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if result.returncode:
            return [], seconds, result.stderr.strip()
        return json.loads(result.stdout)["culprits"], seconds, ""

    def is_there(self, *flags):
        """Whether a plain build has the finding, asked by hand."""
        words = {"opt": ("check", "opt"), "avail": ("check", "avail"), "frames": ("check", "frames"),
                 "diff": ("diff",)}[self.oracle]
        with tempfile.TemporaryDirectory() as folder:
            for level, name, more in (("-O0", "plain", ()), (self.level, "program", flags)):
                subprocess.run([self.compiler, "-g", "-w", level, *self.flags, *more, "-o", f"{folder}/{name}",
                                self.source, "-lm"], check=True, stderr=subprocess.DEVNULL)
            programs = {"opt": (f"{folder}/plain", f"{folder}/program"),
                        "avail": ("--source", self.source, f"{folder}/program")}.get(
                            self.oracle, (f"{folder}/program",))
            told = json.loads(e2e.xstep(*words, "--format", "json", "--quiet", *programs).stdout)
        found = told["clusters" if self.oracle == "diff" else "violations"]
        return self.signature in [one["signature"] for one in found]


def cases(words):
    """All of them, or those that have one of the words."""
    found = []
    for path in sorted((e2e.TESTDATA / "cause").glob("*.c")):
        found += [Case(path, line.split("case:", 1)[1].strip())
                  for line in path.read_text().split("*/")[0].splitlines() if "case:" in line]
    for line in OTHERS:
        name, rest = line.split(": ", 1)
        found.append(Case(e2e.TESTDATA / name, rest))
    return [one for one in found if not words or any(word in one.text for word in words)]


def by_hand(case, named):
    """The flags that switch it off; with those the finding must be gone."""
    off = case.off
    if not off and named and "number" in named[0]:
        off = ["-mllvm", f"-opt-bisect-limit={named[0]['number'] - 1}"]
    if not off:
        return "not asked"
    return "known" if case.is_there() and not case.is_there(*off) else "NOT SO"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--hand", action="store_true", help="only the plain builds")
    parser.add_argument("words", nargs="*")
    given = parser.parse_args()
    wrong = 0
    print("| case | compiler | level | oracle | expected | found | named | processor | by hand | |")
    print("|---|---|---|---|---|---|---|---|---|---|", flush=True)
    for case in cases(given.words):
        named, seconds, trouble = ([], 0.0, "") if given.hand else case.culprits()
        first = named[0]["name"] if named else trouble or "none"
        hand = by_hand(case, named)
        right = (given.hand or first == case.culprit) and hand in ("known", "not asked")
        wrong += not right
        print(f"| {case.source.name} | {case.compiler} | {' '.join([case.level, *case.flags])} | {case.oracle} | "
              f"{case.culprit} | {first} | {len(named)} | {seconds:.1f} s | {hand} | "
              f"{'right' if right else 'WRONG'} |", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
