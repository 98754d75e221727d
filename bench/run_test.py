#!/usr/bin/python3
"""run_test.py - bench/run starts, and its arithmetic is right. How long anything takes is not tested."""
import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import contestants
import figures
import plot
import report
import subjects
from contestants import e2e
from figures import Run, Table


def script():
    """bench/run as a module."""
    loader = importlib.machinery.SourceFileLoader("run", str(HERE / "run"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("run", loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


run = script()


def row(median, memory=0, **notes):
    return {"median": median, "min": median / 2, "max": median * 2, "count": 1, "memory": memory,
            "notes": notes}


def control_table(exact, bare, gdb, memory=0):
    return Table("control", "control", "us", "an instruction",
                 {"xstep exact": {"csmith": row(exact, memory)},
                  "bare PTRACE_SINGLESTEP loop": {"csmith": row(bare)},
                  "gdb stepi": {"csmith": row(gdb, 10 ** 9)}})


def rounds_table(stored, kept):
    """Of 10^6, 10^7 and 10^8 instructions; the last as told."""
    return Table("rounds", "rounds", "s", "of processor time a run", {
        "native": {"1000000": row(0.1), "10000000": row(1), "100000000": row(10)},
        "xstep exact, counts": {"1000000": row(0.2), "10000000": row(2), "100000000": row(20)},
        "xstep exact, stored": {"1000000": row(0.4, kept=100), "10000000": row(2.2, kept=100),
                                "100000000": row(stored, kept=kept)}}, wide=True)


def counting_table(cached, blocks):
    """Of two csmith programs, and the loop."""
    names = ("csmith_1 -O0", "csmith_2 -O0")
    return Table("counting", "exact counts", "us", "an instruction", {
        "xstep": {**dict(zip(names, map(row, cached))), "loop, 10^8": row(1e-9)},
        "xstep, block by block": dict(zip(names, map(row, blocks))),
        "bare PTRACE_SINGLESTEP": {"loop, 10^8": row(2e-6)}}, wide=True)


def branches_table(counts, stored):
    return Table("branches", "branches", "s", "a run", {
        "native": {"100": row(1), "1000": row(1), "10000": row(1)},
        "xstep exact, counts": {"100": row(1, transitions=10), "1000": row(50, transitions=100),
                                "10000": row(counts, transitions=1000)},
        "xstep exact, stored": {"100": row(1, kept=10), "1000": row(10, kept=100),
                                "10000": row(stored, kept=1000)}}, wide=True)


def held(*tables):
    return [found["holds"] for found in report.judge({table.name: table for table in tables})]


def shared_table(shared, native):
    """Of two programs: what each takes in shared drive and in native."""
    groups = [f"csmith_{i} -O0, 10 instructions" for i in range(2)]
    rows = {"shared": dict(zip(groups, map(row, shared))), "native": dict(zip(groups, map(row, native)))}
    return Table("shared", "a diff", "s", "an executable", {
        **{f"{way}, {sample}": rows[way] for way in rows for sample in ("unique", "dtd")},
        "the paper's method": rows["native"]})


def real_table(native, counts, lackey):
    """Of three programs."""
    names = ("a", "b", "c")
    return Table("real", "real programs", "s", "a run", {
        name: dict(zip(names, map(row, figures))) for name, figures in (
            ("native", native), ("xstep exact, counts", counts), ("valgrind lackey", lackey))}, wide=True,
        overall=True)


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

    def test_long_loops_cost_what_counting_and_the_kept_stops_cost(self):
        # kept stops, then 10^7 and 10^8 instructions: at most 1.1 x 20 s and 1.5 x 150 x 2 ms; memory
        self.assertEqual(held(rounds_table(22.4, 150)), [True] * 4)
        self.assertEqual(held(rounds_table(22.5, 150)), [True, True, False, True])
        self.assertEqual(held(rounds_table(22, 156)), [False, True, True, True])

    def test_the_cache_must_be_worth_its_while_in_every_program(self):
        # the bare loop, block stepping, memory
        self.assertEqual(held(counting_table((1, 1), (1, 2))), [True] * 3)
        self.assertEqual(held(counting_table((1, 2.1), (9, 2))), [True, False, True])

    def test_a_transition_costs_the_same_in_a_program_of_many(self):
        self.assertEqual(held(branches_table(200, 200)), [True] * 3)
        self.assertEqual(held(branches_table(201, 200)), [False, True, True])
        self.assertEqual(held(branches_table(200, 201)), [True, False, True])

    def test_code_that_is_not_executed_may_take_memory(self):
        table = Table("code", "code", "s", "a run", {"native": {"10": row(1)},
                                                     "xstep exact, counts": {"10": row(1, 150 * 10 ** 6)}})
        self.assertEqual(held(table), [True])

    def test_counting_is_judged_by_the_median_program(self):
        self.assertEqual(held(real_table((1, 1, 1), (4, 5, 9), (40, 50, 99))), [True, True, True])
        self.assertEqual(held(real_table((1, 1, 1), (4, 5.1, 5.1), (40, 50, 50))), [False, False, True])

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

    def test_jobs_are_judged_over_all_programs(self):
        def campaign(unique, dtd):
            return Table("campaign", "a job", "s", "an executable", {
                "kept, unique": dict(zip("ab", map(row, unique))), "kept, dtd": dict(zip("ab", map(row, dtd)))})
        self.assertEqual(held(campaign((0.6, 1.0), (1.0, 1.4))), [True, True])
        self.assertEqual(held(campaign((0.6, 1.1), (1.0, 1.5))), [False, False])

    def test_nothing_measured_is_nothing_judged(self):
        self.assertEqual(report.judge({}), [])

    def test_both_layouts_show_every_row(self):
        text = "\n".join(report.lines(control_table(1e-6, 20e-6, 300e-6)))
        for word in ("xstep exact", "20.00", "300.00"):
            self.assertIn(word, text)
        self.assertEqual(len(list(report.lines(rounds_table(2.0, 2.5)))), 5)

    def test_a_wide_table_is_aligned_and_ends_with_the_median_ratios(self):
        _, head, *rows = report.lines(real_table((1, 2, 4), (2, 10, 40), (300, 40, 40)))
        self.assertEqual(rows[-1].split(), ["median", "5", "20"])
        self.assertEqual(len({row.index(" 5 ") for row in (rows[1], rows[-1])}), 1)
        self.assertEqual(head.split("  ")[-1], "xstep MB")


class Programs(e2e.TestCase):
    def test_generated_programs_have_as_many_variables(self):
        for count in (10, 100):
            seen = contestants.in_scope(subjects.variables(count).program, "main")
            self.assertEqual(seen["variables"], count)

    def test_generated_programs_execute_each_branch_as_often(self):
        run = contestants.xstep_counts(subjects.branches(100))
        # a branch: a compare and a jump, then one way or the other
        self.assertGreater(run.notes["instructions"], 100 * subjects.BRANCH_ROUNDS * 4)
        self.assertGreater(run.notes["transitions"], 100 * 6)

    def test_code_grows_and_what_is_executed_does_not(self):
        small, large = subjects.code(5000), subjects.code(100000)
        self.assertEqual(*(contestants.xstep_counts(each).notes for each in (small, large)))
        size = int(e2e.run(["size", "-A", large.program]).stdout.split(".text")[1].split()[0])
        self.assertAlmostEqual(size, 100000, delta=10000)

    def test_the_loop_executes_as_many_instructions(self):
        for count in (1000, 100000):
            executed = contestants.xstep_counts(subjects.loop_of(count)).notes["instructions"]
            self.assertAlmostEqual(executed, count, delta=subjects.ROUND)

    def test_the_plot_has_a_line_for_each_contestant(self):
        text = plot.script(rounds_table(22.4, 150), "executed instructions", "out.svg")
        for word in ("set logscale xy", "title 'native'", "title 'xstep, exact counts'",
                     "set ylabel 'processor time a run, s'", "100000000 22.4 11.2 44.8"):
            self.assertIn(word, text)

    def test_every_contestant_of_a_growth_has_a_colour(self):
        names = {*run.WHOLE_RUNS, *run.VALGRIND, "xstep exact, each stop", "xstep", "gdb", "lldb"}
        self.assertEqual(names, set(plot.CURVES))

    def test_what_runs_once_is_measured_anyway(self):
        self.assertLessEqual(set(run.SLOW), {*run.WHOLE_RUNS, *run.VALGRIND})

    def test_gnuplot_draws_it(self):
        if not shutil.which("gnuplot"):
            self.skipTest("gnuplot is not installed")
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            plot.draw(pathlib.Path(folder), rounds_table(22.4, 150), "executed instructions")
            self.assertIn("xstep, exact counts", (pathlib.Path(folder) / "rounds.svg").read_text())


class Contestants(e2e.TestCase):
    def test_xstep_in_each_mode(self):
        loop = subjects.loop(100)
        exact = contestants.xstep(loop, "--mode", "exact")
        self.assertEqual(exact.count, contestants.xstep(loop, "--mode", "single").count)
        self.assertEqual(contestants.xstep(loop, "--mode", "single", limit=50).count, 49)
        for limit in (0, run.NO_CACHE):
            counted = contestants.xstep(loop, "--mode", "exact", sample="unique", limit=limit,
                                        by=contestants.used)
            self.assertEqual(counted.count, exact.count)
        self.assertEqual(contestants.xstep_every(loop).notes, contestants.xstep_counts(loop).notes)
        self.assertEqual(contestants.native(loop).count, 1)
        for by in (contestants.timed, contestants.used):
            bare = contestants.bare_step(loop, 50, by=by)
            self.assertEqual(bare.count, 50)
            self.assertGreater(bare.seconds, 0)

    def test_what_is_kept_is_not_what_is_executed(self):
        kept = contestants.xstep_stored(subjects.loop(1000)).notes["kept"]
        self.assertTrue(31 <= kept < 300, kept)

    def test_processor_time_is_that_of_children_too(self):
        words = ["/bin/sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; exit 0"]
        own, in_child, asleep = (contestants.done(each).processor for each in (
            words, ["/bin/sh", "-c", '"$@"; exit 0', "sh", *words], ["/bin/sleep", "0.2"]))
        self.assertGreater(in_child, own / 4)
        self.assertLess(asleep, 0.2)

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
