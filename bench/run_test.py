#!/usr/bin/python3
"""run_test.py - bench/run starts, and its arithmetic is right. How long anything takes is not tested."""
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import contestants
import figures
import plot
import report
import subjects
from contestants import e2e
from figures import Run, Table


def row(median, memory=0):
    return {"median": median, "min": median / 2, "max": median * 2, "count": 1, "memory": memory,
            "notes": {}}


def control_table(exact, bare, gdb, memory=0):
    return Table("control", "control", "us", "an instruction",
                 {"xstep exact": {"csmith": row(exact, memory)},
                  "bare PTRACE_SINGLESTEP loop": {"csmith": row(bare)},
                  "gdb stepi": {"csmith": row(gdb, 10 ** 9)}})


def rounds_table(native, unique):
    return Table("rounds", "rounds", "s", "a run",
                 {"native": {"1000": row(0.1), report.LONGEST: row(native)},
                  "xstep unique": {"1000": row(9), report.LONGEST: row(unique)}}, wide=True)


def held(*tables):
    return [found["holds"] for found in report.judge({table.name: table for table in tables})]


def shared_table(shared, native):
    """Of two programs: what each takes in shared drive and in native."""
    groups = [f"csmith_{i} -O0, 10 instructions" for i in range(2)]
    rows = {"shared": dict(zip(groups, map(row, shared))), "native": dict(zip(groups, map(row, native)))}
    return Table("shared", "a diff", "s", "an executable", {
        **{f"{way}, {sample}": rows[way] for way in rows for sample in ("unique", "dtd")},
        "the paper's method": rows["native"]})


class Figures(e2e.TestCase):
    def test_a_sum_weighs_notes_by_what_was_counted(self):
        total = Run()
        total.add(Run(1, 2.0, 50, {"leaves": 10}))
        total.add(Run(3, 4.0, 40, {"leaves": 30}))
        self.assertEqual(total, Run(4, 6.0, 50, {"leaves": 25}))
        self.assertEqual(total.each, 1.5)

    def test_summary_is_the_median_and_the_spread(self):
        runs = [Run(10, seconds, memory) for seconds, memory in ((30.0, 7), (10.0, 9), (20.0, 8))]
        self.assertEqual(figures.summary(runs), {"median": 2.0, "min": 1.0, "max": 3.0, "count": 10,
                                                 "memory": 9, "notes": {}})

    def test_beyond_is_taken_turn_by_turn(self):
        beyond = figures.minus({"g": [Run(10, 5.0), Run(10, 9.0)]}, {"g": [Run(5, 1.0), Run(10, 1.0)]})
        self.assertEqual([run.seconds for run in beyond["g"]], [3.0, 8.0])

    def test_turns_alternate_and_csmith_is_summed_up(self):
        order = []

        def contestant(name):
            def run(subject):
                order.append((name, subject.name))
                return Run(1, 1.0) if (name, subject.name) != ("b", "loop") else None
            return run

        programs = [subjects.Subject("csmith -O0", "p", ""), subjects.Subject("csmith -O2", "q", ""),
                    subjects.Subject("loop", "loop", "")]
        runs = figures.measure(programs, {"a": contestant("a"), "b": contestant("b")}, 2)
        self.assertEqual(order, [(n, s) for s in ("p", "q", "loop") for n in "ab"] * 2)
        self.assertEqual([run.count for run in runs["a"]["csmith"]], [2, 2])
        self.assertEqual([run.count for run in runs["a"]["loop"]], [1, 1])
        self.assertNotIn("loop", runs["b"])


class Report(e2e.TestCase):
    def test_ratios_are_judged_by_the_median(self):
        self.assertEqual(held(control_table(1e-6, 10e-6, 150e-6)), [True, True, True])
        self.assertEqual(held(control_table(1e-6, 9.9e-6, 150e-6)), [False, True, True])
        self.assertEqual(held(control_table(1e-6, 10e-6, 149e-6)), [True, False, True])

    def test_only_xstep_must_be_small(self):
        self.assertEqual(held(control_table(1e-6, 10e-6, 150e-6, 100 * 10 ** 6)), [True] * 3)
        self.assertEqual(held(control_table(1e-6, 10e-6, 150e-6, 101 * 10 ** 6))[2], False)

    def test_the_longest_loop_is_judged(self):
        self.assertEqual(held(rounds_table(2.0, 2.5)), [True, True])
        self.assertEqual(held(rounds_table(2.0, 2.51)), [False, True])

    def test_states_are_judged_beyond_the_stop(self):
        def states(beyond):
            return Table("states", "states", "us", "a state", {
                "xstep": {"csmith": row(100e-6)}, "gdb": {"csmith": row(50e-3)},
                "lldb": {"csmith": row(69e-3)}, "xstep, beyond the stop": {"csmith": row(beyond)}})
        self.assertEqual(held(states(60e-6)), [True, False, True, True])
        self.assertEqual(held(states(61e-6)), [True, False, False, True])

    def test_witnesses_are_judged_against_plain_scripts(self):
        def witness(gdb, lldb):
            return Table("witness", "witness", "s", "a trace", {
                "gdb": {"csmith": row(gdb)}, "gdb, plain script": {"csmith": row(10)},
                "lldb": {"csmith": row(lldb)}, "lldb, plain script": {"csmith": row(20)}})
        self.assertEqual(held(witness(2, 4)), [True, True])
        self.assertEqual(held(witness(2.1, 4)), [False, True])
        self.assertEqual(held(witness(2, 4.1)), [True, False])

    def test_drives_are_judged_over_all_programs(self):
        # unique and dtd against native, the paper's method, and core-seconds an executable of each
        self.assertEqual(held(shared_table((1, 2), (50, 100))), [True] * 5)
        self.assertEqual(held(shared_table((1, 2), (50, 99))), [True, True, False, True, True])
        self.assertEqual(held(shared_table((1, 2), (9, 20))), [False, True, False, True, True])
        self.assertEqual(held(shared_table((2, 2.1), (1, 210))), [True, True, True, False, False])

    def test_nothing_measured_is_nothing_judged(self):
        self.assertEqual(report.judge({}), [])

    def test_both_layouts_show_every_row(self):
        text = "\n".join(report.lines(control_table(1e-6, 20e-6, 300e-6)))
        for word in ("xstep exact", "20.00", "300.00"):
            self.assertIn(word, text)
        self.assertEqual(len(list(report.lines(rounds_table(2.0, 2.5)))), 4)


class Programs(e2e.TestCase):
    def test_generated_programs_have_as_many_variables(self):
        for count in (10, 100):
            seen = contestants.in_scope(subjects.variables(count).program, "main")
            self.assertEqual(seen["variables"], count)

    def test_the_plot_has_a_line_for_each_contestant(self):
        text = plot.script(rounds_table(2.0, 2.5), "rounds", "out.svg",
                           limit=("limit", "1.1*$2+0.3", "native"))
        for word in ("set logscale xy", "title 'native'", "title 'xstep unique'", "title 'limit'",
                     "1e+09 2.5 1.25 5"):
            self.assertIn(word, text)


class Contestants(e2e.TestCase):
    def test_xstep_in_each_mode(self):
        loop = subjects.loop(100)
        exact = contestants.xstep(loop, "--mode", "exact")
        self.assertEqual(exact.count, contestants.xstep(loop, "--mode", "single").count)
        self.assertEqual(contestants.xstep(loop, "--mode", "single", limit=50).count, 49)
        self.assertEqual(contestants.xstep_unique(loop, exact.count).count, exact.count)
        whole = contestants.xstep_whole(loop, "unique")
        self.assertEqual((whole.count, whole.notes["saturated"]), (1, 0))
        self.assertEqual(contestants.native(loop).count, 1)
        self.assertEqual(contestants.bare_step(loop, 50).count, 50)

    def test_every_witness_every_way(self):
        subject = subjects.loop(3)
        for who, way in (("xstep", ()), *((who, way) for who in ("gdb", "lldb")
                                          for way in (("--plan",), (), ("--ask", "text")))):
            if who == "xstep" or shutil.which({"gdb": "gdb", "lldb": "lldb-15"}[who]):
                run = contestants.witness(subject, who, way)
                self.assertEqual(run.count, 1)
                self.assertGreater(run.notes["bytes"], 1000)

    def test_everyone_sees_the_same_variables(self):
        subject = subjects.variables(10)
        self.assertEqual(contestants.xstep_states(subject, "main", 20).notes,
                         {"variables": 10, "leaves": 14})
        if shutil.which("gdb"):
            steps, states = contestants.gdb(subject, 4, "main", 2)
            self.assertEqual((steps.count, states.count, states.notes), (4, 2, {"variables": 10}))
        if shutil.which("lldb-15"):
            steps, states = contestants.lldb(subject, 4, "main", 2)
            self.assertEqual((steps.count, states.count, states.notes),
                             (4, 2, {"variables": 10, "leaves": 14}))


class Start(e2e.TestCase):
    def test_help(self):
        self.expect(e2e.run([sys.executable, HERE / "run", "--help"]))

    def test_an_unknown_section_is_refused(self):
        self.expect(e2e.run([sys.executable, HERE / "run", "--only", "nothing"]), 2, "invalid choice")


if __name__ == "__main__":
    e2e.main()
