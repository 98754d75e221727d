#!/usr/bin/python3
"""judge_test.py - the judge under test: whatever xstep gets wrong, no debugger is accused of it.

xstep's own facts in stored traces are damaged at random, and judged again: values, what is optimised out or
absent, lines, files, frames, registers. A debugger may then be named with the basis `replayed` or `evidence`
only for what it was named for before. Without arguments a few stores; `full` takes forty.
"""
import json
import pathlib
import random
import sqlite3
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e

HAVE = [json.loads(line) for line in e2e.xstep("witness", "--json").stdout.splitlines()]
WORKING = {who["witness"] for who in HAVE if who["path"] and not who["problem"]}
FULL = "full" in sys.argv
SUBJECTS = ("diff_demo", "agree/structs", "agree/recursion", "agree/loops", "agree/arguments_many",
            "agree/bit_fields", "agree/callback", "agree/switches", "agree/unions", "agree/floats",
            "agree/pointers", "agree/shadowing", "agree/statics", "agree/enums", "agree/blocks",
            "dtd/05_function_entry", "dtd/10_implicit_pointer", "dtd/12_bit_fields", "dtd/13_div",
            "dtd/17_synthetic")
BUILDS = ((e2e.GCC, "-O2"), (e2e.CLANG, "-O2"))
PROVEN = ("replayed", "evidence")
SHARE = 0.05  # of the facts


class Damage:
    """What is done to xstep's trace, by a generator of random numbers."""

    def __init__(self, base, chance):
        self.base, self.chance, self.done = base, chance, {}
        self.trace, = base.execute("SELECT min(id) FROM trace WHERE witness = 'xstep'").fetchone()
        self.sayings = {row[0]: row[1:] for row in base.execute(
            "SELECT id, state, form FROM saying WHERE trace = ?", (self.trace,))}

    def note(self, kind):
        self.done[kind] = self.done.get(kind, 0) + 1

    def saying(self, state):
        """The number of a way to say that there is nothing."""
        for number, (its, form) in self.sayings.items():
            if its == state and form == "none":
                return number
        number = max(self.sayings, default=1) + 1
        self.base.execute("INSERT INTO saying VALUES (?, ?, ?, 'none', NULL, NULL, 0, 1, NULL)",
                          (self.trace, number, state))
        self.sayings[number] = (state, "none")
        return number

    def value(self, fact, others):
        """One fact, [leaf, value, saying, element], made wrong."""
        number = fact[1]
        kind = self.chance.choice(("+1", "^0x100", "another's", "optimized-out", "absent"))
        if kind == "+1":
            fact[1] = number + 1 if number < 2 ** 62 else number - 1
        elif kind == "^0x100":
            fact[1] = number ^ 0x100
        elif kind == "another's" and others:
            fact[1] = self.chance.choice(others)
        else:
            fact[1:3] = [None, self.saying(kind if kind in ("optimized-out", "absent") else "optimized-out")]
        self.note(kind)

    def facts(self):
        rows = self.base.execute("SELECT number, facts FROM stop WHERE trace = ? AND facts IS NOT NULL",
                                 (self.trace,)).fetchall()
        seen = set()
        for stop, text in rows:
            told, others = json.loads(text), []
            for fact in told:
                plain = isinstance(fact[1], int) and \
                    self.sayings.get(fact[2] if len(fact) > 2 else 1, ("", ""))[1] == "number"
                first = (fact[0], fact[3] if len(fact) > 3 else 0) not in seen
                seen.add((fact[0], fact[3] if len(fact) > 3 else 0))
                if plain and not first and self.chance.random() < SHARE:
                    fact += [1] * (3 - len(fact))
                    self.value(fact, others)
                elif plain:
                    others.append(fact[1])
            self.base.execute("UPDATE stop SET facts = ? WHERE trace = ? AND number = ?",
                              (json.dumps(told, separators=(",", ":")), self.trace, stop))

    def lines(self):
        sites = self.base.execute("SELECT id, file FROM site WHERE trace = ? AND line > 0",
                                  (self.trace,)).fetchall()
        for number, file in sites:
            if self.chance.random() > SHARE:
                continue
            if self.chance.random() < 0.5:
                self.base.execute("UPDATE site SET line = line + 1 WHERE trace = ? AND id = ?",
                                  (self.trace, number))
                self.note("line + 1")
            else:
                other, = self.base.execute("SELECT id FROM text WHERE id != ? LIMIT 1", (file,)).fetchone()
                self.base.execute("UPDATE site SET file = ? WHERE trace = ? AND id = ?",
                                  (other, self.trace, number))
                self.note("another file")

    def frames(self):
        stops = self.base.execute("SELECT number, stack FROM stop WHERE trace = ? AND stack IS NOT NULL",
                                  (self.trace,)).fetchall()
        outer = dict(self.base.execute("SELECT id, outer FROM stack WHERE trace = ?", (self.trace,)))
        inner = {number: one for one, number in outer.items() if number}
        for stop, stack in stops:
            if self.chance.random() > SHARE:
                continue
            more = self.chance.random() < 0.5
            other = inner.get(stack) if more else outer.get(stack)
            if other:
                self.base.execute("UPDATE stop SET stack = ?, frames = NULL WHERE trace = ? AND number = ?",
                                  (other, self.trace, stop))
                self.note("a frame too many" if more else "a frame left out")

    def registers(self):
        stops = self.base.execute("SELECT number, regs FROM stop WHERE trace = ? AND regs IS NOT NULL",
                                  (self.trace,)).fetchall()
        for stop, text in stops:
            regs = json.loads(text)
            names = [name for name, value in regs.items() if isinstance(value, int) and name != "rip"]
            if not names or self.chance.random() > SHARE:
                continue
            regs[self.chance.choice(names)] += 8
            self.base.execute("UPDATE stop SET regs = ? WHERE trace = ? AND number = ?",
                              (json.dumps(regs, separators=(",", ":")), self.trace, stop))
            self.note("a register")

    def all(self):
        self.facts()
        self.lines()
        self.frames()
        self.registers()
        return self.done


def judge(store):
    result = e2e.xstep("diff", "--format", "json", store)
    if not result.stdout:
        raise AssertionError(f"{result.stderr}\nrerun: {result.rerun}")
    return result, json.loads(result.stdout)


def accused(told):
    """Who is named for what, where it may begin anywhere: damage moves the beginning of what is true."""
    return {(who, one["aspect"], one["scope"], one["var"])
            for one in told["discrepancies"] if one["basis"] in PROVEN
            for who in one["wrong"] if who in ("gdb", "lldb")}


@e2e.unittest.skipUnless({"gdb", "lldb"} <= WORKING, "needs gdb and lldb with Python")
class Corruption(e2e.TestCase):
    def check(self, name, compiler, level, seed):
        program = e2e.compile(f"{name}.c", compiler, ("-g", level))
        with tempfile.TemporaryDirectory() as folder:
            store = pathlib.Path(folder) / "traces.db"
            self.assertIn(e2e.xstep("diff", "-o", store, program).returncode, (0, 1))
            _, before = judge(store)
            with sqlite3.connect(store) as base:
                done = Damage(base, random.Random(seed)).all()
            base.close()
            result, after = judge(store)
            self.assertIsNone(after["summary"]["unproven"], result.rerun)
            self.assertEqual(accused(after) - accused(before), set(), f"{done} {result.rerun}")
            return done, after

    def test_no_debugger_is_accused(self):
        total, blamed = {}, 0
        cases = [(name, compiler, level) for name in SUBJECTS for compiler, level in BUILDS]
        for seed, case in enumerate(cases if FULL else cases[:3]):
            with self.subTest(" ".join(case)):
                done, after = self.check(*case, seed)
                for kind, count in done.items():
                    total[kind] = total.get(kind, 0) + count
                blamed += sum("xstep" in one["wrong"] for one in after["discrepancies"])
        # Something was damaged, of every kind, and that was noticed.
        self.assertGreater(blamed, 0)
        if FULL:
            self.assertEqual(set(total), {
                "+1", "^0x100", "another's", "optimized-out", "absent", "line + 1", "another file",
                "a frame left out", "a frame too many", "a register"}, total)


if __name__ == "__main__":
    e2e.main(sys.argv[:1])
