#!/usr/bin/python3
"""check_test.py - xstep check, end to end: for every rule a program that violates it, and one that does
not, as each subject's first comment says.
"""
import json
import os
import pathlib
import sys
import tempfile
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e

HAVE = [json.loads(line) for line in e2e.xstep("witness", "--json").stdout.splitlines()]
WORKING = [who["witness"] for who in HAVE if who["witness"] in ("gdb", "lldb") and not who["problem"]]
VERSIONS = " ".join(who["version"] or "" for who in HAVE)
needs_debuggers = e2e.unittest.skipUnless("13.1" in VERSIONS and "lldb version 15" in VERSIONS,
                                          "needs gdb 13.1 and lldb 15")


def check(*words):
    """What xstep check says, as (result, parsed JSON)."""
    result = e2e.xstep("check", words[0], "--format", "json", *words[1:])
    return result, json.loads(result.stdout) if result.returncode in (0, 1) else None


def rules(told):
    return sorted(one["group"] for one in told["violations"])


def levels(source, compiler, *flags):
    return [e2e.compile(source, compiler, ("-g", flag)) for flag in flags]


class Opt(e2e.TestCase):
    """LI, BI, SI and PI: an optimised program against an unoptimised one."""

    def told(self, source, compiler, level, *options):
        result, told = check("opt", *options, *levels(source, compiler, "-O0", level))
        self.expect(result, 1 if told["violations"] else 0)
        return told

    @e2e.smoke
    def test_line(self):
        told = self.told("check_line.c", e2e.CLANG, "-O2")
        self.assertEqual(rules(told), ["LI"])
        one, = told["violations"]
        self.assertEqual((one["stop"]["line"], one["wrong"], one["basis"], one["signature"]),
                         (14, ["producer"], "evidence", "LI extra producer:dead-line"))
        self.assertIn("14:", one["remark"])
        self.assertEqual(self.told("check_line.c", e2e.GCC, "-O2")["violations"], [])

    @needs_debuggers
    def test_merged_returns(self):
        """The statement's row at the address is of a line that is never executed, the last row is not: debuggers
        show the statement's, and the compiler wrote it."""
        for level in ("-O1", "-O2", "-Os"):
            told = self.told("check_merged.c", e2e.GCC, level, "--witness", "xstep,gdb,lldb")
            one, = told["violations"]
            self.assertEqual((one["group"], one["stop"]["line"], one["wrong"]), ("LI", 14, ["producer"]))
            self.assertRegex(one["remark"], "14:2 is_stmt, 15:1")

    def test_lines_that_are_executed_and_not_stepped_on(self):
        for compiler in (e2e.GCC, e2e.CLANG):
            for level in ("-O1", "-O2", "-O3", "-Og", "-Os"):
                self.assertNotIn("LI", rules(self.told("check_else.c", compiler, level)))

    def test_programs_of_two_sources_are_refused(self):
        unopt = e2e.compile("check_else.c", e2e.GCC, ("-g", "-O0"))
        opt = e2e.compile("check_macro.c", e2e.GCC, ("-g", "-O2"))
        self.expect(e2e.xstep("check", "opt", unopt, opt), 2, "are not of one source")

    def test_blocks_of_macros(self):
        """A step on a line with a whole block on it is before, in or behind the block."""
        for level in ("-O2", "-O3"):
            self.assertEqual(self.told("check_macro.c", e2e.GCC, level)["violations"], [])

    def test_statement_on_several_lines(self):
        """Unoptimised code is not on all lines of a statement: a line of it that is executed with the
        statement is set aside, one arm of a condition (check_line.c) is not."""
        self.assertEqual(self.told("check_parts.c", e2e.GCC, "-Og")["violations"], [])
        text = e2e.xstep("check", "opt", *levels("check_parts.c", e2e.GCC, "-O0", "-Og"))
        self.assertRegex(text.stdout, r"LI: \d+ lines; not asked: 1 ")
        one, = self.told("check_parts.c", e2e.GCC, "-Og", "--parts")["violations"]
        self.assertEqual((one["stop"]["line"], one["signature"]),
                         (13, "LI extra producer:no-code"))

    def test_backtrace(self):
        one, = self.told("check_frame.c", e2e.GCC, "-O2")["violations"]
        self.assertEqual((one["group"], one["stop"]["line"]), ("BI", 10))
        self.assertTrue(one["facts"]["xstep unopt"]["value"].startswith("note < small < main"))
        self.assertTrue(one["facts"]["xstep opt"]["value"].startswith("note < large < main"))
        self.assertEqual(self.told("check_frame.c", e2e.GCC, "-O1")["violations"], [])

    def test_scope(self):
        one, = self.told("check_scope.c", e2e.GCC, "-O2")["violations"]
        self.assertEqual((one["group"], one["var"], one["stop"]["line"]), ("SI", "little", 50))
        self.assertEqual(one["facts"]["xstep unopt"]["state"], "absent")
        self.assertEqual(self.told("check_scope.c", e2e.GCC, "-O1")["violations"], [])

    def test_parameter(self):
        one, = self.told("check_value.c", e2e.GCC, "-O2")["violations"]
        self.assertEqual((one["group"], one["path"], one["wrong"]), ("PI", "tag", ["producer"]))
        self.assertEqual([one["facts"][f"xstep {role}"]["value"] for role in ("unopt", "opt")],
                         ["1", "2"])
        self.assertIn("DW_OP_lit2", one["evidence"]["expression"])
        self.assertEqual(self.told("check_value.c", e2e.GCC, "-O1")["violations"], [])

    def test_programs_that_do_not_end_alike(self):
        """What the optimised program really does is no lie of its debug information."""
        unopt, opt = (e2e.compile("fair_unlike.c", e2e.CLANG, ("-g", level)) for level in ("-O0", "-O2"))
        result, told = check("opt", unopt, opt)
        self.expect(result, 1)
        self.assertEqual([(one["group"], one["wrong"]) for one in told["violations"]], [("LI", [])])

    def test_values_within_a_line(self):
        inlined = e2e.compile("check_within.c", e2e.GCC,
                              ("-g", "-O0", "-DPASS=pass()"))
        result, told = check("opt", e2e.compile("check_within.c"), inlined)
        self.assertEqual(told["violations"], [])
        self.expect(result, 0)

    def test_a_block_that_begins_on_a_line(self):
        """A variable that is listed at one arrival at a line and not at another: the paper's formula, by arrivals.
        A program that is compared with itself is none, and nobody is to blame for the others."""
        for compiler in (e2e.GCC, e2e.CLANG):
            for level in ("-O0", "-O1", "-O2", "-Og", "-Os"):
                for one in self.told("check_strict.c", compiler, level)["violations"]:
                    self.assertEqual((one["signature"], one["wrong"]),
                                     ("SI extra undecided:sometimes-out-of-scope", []))
                    self.assertNotEqual(level, "-O0")

    def test_values_of_locals(self):
        told = self.told("check_local.c", e2e.GCC, "-O2")
        local, = [one for one in told["violations"] if one["path"] == "kind"]
        self.assertEqual(local["wrong"], ["producer"])
        self.assertIn("PI lie producer:foreign-value-of-local", local["signature"])
        self.assertEqual(local["facts"]["xstep opt"]["value"], "20")
        for compiler in (e2e.GCC, e2e.CLANG):
            for level in ("-O0", "-O1", "-O2", "-O3", "-Og", "-Os"):
                paths = [one["path"] for one in self.told("check_local.c", compiler, level)["violations"]]
                self.assertNotIn("never", paths)
        self.assertEqual(self.told("check_local.c", e2e.GCC, "-O1")["violations"], [])

    def test_all_levels(self):
        """Nothing depends on which level it is, and what was asked is told of every one."""
        for compiler in (e2e.GCC, e2e.CLANG):
            for level in ("-O1", "-O2", "-O3", "-Og", "-Os", "-Oz"):
                told = self.told("check_else.c", compiler, level)
                asked = {one["rule"]: one["asked"] for one in told["summary"]["asked"]}
                self.assertEqual(sorted(asked), ["BI", "LI", "PI", "SI"])
                self.assertGreater(asked["LI"], 0)

    @needs_debuggers
    def test_a_debugger_that_shows_what_a_row_says(self):
        """It is not to blame, even if it is the only witness."""
        for who in ("gdb", "xstep,gdb"):
            told = self.told("check_merged.c", e2e.GCC, "-O2", "--witness", who)
            one, = [one for one in told["violations"] if one["group"] == "LI"]
            self.assertEqual((one["stop"]["line"], one["wrong"], one["basis"]), (14, ["producer"], "evidence"))

    def test_a_program_against_itself(self):
        for source in ("step_lines.c", "leave_longjmp.c", "leave_callback.c", "types_all.c"):
            program = e2e.compile(source)
            result, told = check("opt", program, program)
            self.expect(result, 0)
            self.assertEqual(told["violations"], [])

    def test_what_depends_on_addresses_is_set_aside(self):
        """Each build has its stack frames elsewhere. A second, moved run of UNOPT tells what depends on it."""
        for compiler in (e2e.GCC, e2e.CLANG):
            for level in ("-O1", "-O2", "-Os"):
                told = self.told("check_address.c", compiler, level)
                self.assertEqual(told["violations"], [])
                self.assertGreater(told["summary"]["unsteady"], 0)
        text = e2e.xstep("check", "opt", *levels("check_address.c", e2e.GCC, "-O0", "-O2"))
        self.assertRegex(text.stdout, r"unsteady +\d+ violations? set aside: two runs")

    def rounded(self, source, compiler, *flags):
        unopt, opt = e2e.compile(source, compiler, ("-g", "-O0")), e2e.compile(source, compiler, ("-g", *flags))
        result, told = check("opt", unopt, opt)
        self.expect(result, 0)
        self.assertEqual(told["violations"], [])
        return told

    def test_what_depends_on_rounding_is_set_aside(self):
        """Optimised code may come to other last digits, and what goes by them (integers, control flow) is another one
        then. Two runs of UNOPT that round otherwise tell what does."""
        for compiler in (e2e.GCC, e2e.CLANG):
            for level in ("-O2", "-O3"):
                told = self.rounded("check_rounding.c", compiler, level, "-ffast-math")
                self.assertGreater(told["summary"]["rounded"], 0)
                self.assertEqual(self.rounded("check_rounding.c", compiler, level)["summary"]["rounded"], 0)
        text = e2e.xstep("check", "opt", e2e.compile("check_rounding.c", e2e.GCC, ("-g", "-O0")),
                         e2e.compile("check_rounding.c", e2e.GCC, ("-g", "-O2", "-ffast-math")))
        self.assertRegex(text.stdout, r"rounded +\d+ violations? set aside: ")

    def test_what_may_calculate_something_else(self):
        """Without NaNs, isnan() is 0: what the optimised program then does is no lie of its debug information."""
        for compiler in (e2e.GCC, e2e.CLANG):
            unopt, opt, strict = (e2e.compile("check_finite.c", compiler, ("-g", *flags))
                                  for flags in (("-O0",), ("-O2", "-ffast-math"), ("-O2",)))
            result, told = check("opt", unopt, opt)
            self.expect(result, 1)
            self.assertEqual([one["wrong"] for one in told["violations"]], [[]] * len(told["violations"]))
            self.assertIn("-ffast-math", told["violations"][0]["reason"])
            self.assertEqual(check("opt", unopt, strict)[1]["violations"], [])

    def test_a_loop_that_only_rounding_ends(self):
        self.rounded("check_converge.c", e2e.GCC, "-O2")

    def test_what_a_second_return_of_setjmp_leaves_uncertain(self):
        """Locals that were changed in between, and the lines that go by them: in the functions that call setjmp() or
        __builtin_setjmp(), and in no other."""
        for compiler, level, expected in ((e2e.GCC, "-O1", []), (e2e.GCC, "-O2", ["tag"]), (e2e.CLANG, "-O2", [])):
            told = self.told("check_setjmp.c", compiler, level)
            self.assertEqual([one["path"] for one in told["violations"]], expected)
            left = {one["rule"]: one["left"] for one in told["summary"]["asked"]}
            why = "of functions that call setjmp() or the like"
            self.assertEqual(left["LI"].get(why), 1)
            # gcc optimises no value across __builtin_setjmp() that would be another one.
            self.assertEqual(left["PI"].get(why), 1 if compiler == e2e.GCC else 2)

    def test_values_within_a_loop_on_one_line(self):
        for compiler in (e2e.GCC, e2e.CLANG):
            for level in ("-O1", "-O2", "-Og"):
                self.assertEqual(self.told("check_round.c", compiler, level)["violations"], [])

    def test_what_calls_leave_on_the_stack_is_set_aside(self):
        """A struct is passed with a member that was never written: at -O0 it has what the call before left there."""
        for compiler in (e2e.GCC, e2e.CLANG):
            for level in ("-O1", "-O2", "-Os"):
                told = self.told("check_forgotten.c", compiler, level)
                self.assertEqual(told["violations"], [])
                self.assertEqual(told["summary"]["unsteady"] > 0, compiler == e2e.CLANG)

    def test_values_that_pass_within_a_line(self):
        """A loop on one line has values that no step of UNOPT shows, and its code may be moved to another line."""
        for compiler in (e2e.GCC, e2e.CLANG):
            for level in ("-O1", "-O2", "-Os"):
                self.assertEqual(self.told("check_passing.c", compiler, level)["violations"], [])
        told = self.told("check_passing.c", e2e.CLANG, "-O2")
        self.assertEqual({one["rule"]: one["left"] for one in told["summary"]["asked"]}
                         ["PI"].get("that have several values within a line"), 1)

    def test_values_of_a_program_at_a_fixed_address(self):
        """It cannot be moved: which of its values come from addresses is not known, and nobody is blamed."""
        result, told = check("opt", *(e2e.compile("check_value.c", e2e.GCC, ("-g", level, "-no-pie"))
                                      for level in ("-O0", "-O2")))
        self.expect(result, 1)
        one, = told["violations"]
        self.assertEqual((one["signature"], one["wrong"]), ("PI lie undecided:foreign-value", []))
        self.assertIn("at a fixed address", one["reason"])

    def test_what_depends_on_the_name_is_set_aside(self):
        program = e2e.compile("check_name.c")
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / "another-name-that-is-rather-long"
            copy.write_bytes(program.read_bytes() + b"\0")  # or it would be the same file to xstep
            copy.chmod(0o755)
            result, told = check("opt", program, copy)
        self.expect(result, 0)
        self.assertEqual(told["violations"], [])
        self.assertGreater(told["summary"]["unsteady"], 0)

    @needs_debuggers
    def test_the_debugger_is_named_where_it_is_one(self):
        """gdb 13 shows the line of an is_stmt row that another one of the same address follows."""
        result, told = check("opt", "--witness", "xstep,gdb,lldb",
                             *levels("check_value.c", e2e.GCC, "-O0", "-O2"))
        self.expect(result, 1)
        wrong = {one["signature"]: one["wrong"] for one in told["violations"]}
        self.assertEqual(wrong["PI lie producer:foreign-value"], ["producer"])
        self.assertEqual(wrong["BI lie gdb:foreign-frame"], ["gdb"])

    @needs_debuggers
    def test_alone_a_debugger_is_not_blamed(self):
        result, told = check("opt", "--witness", "gdb",
                             *levels("check_value.c", e2e.GCC, "-O0", "-O2"))
        self.expect(result, 1)
        self.assertIn("PI lie undecided:foreign-value",
                      [one["signature"] for one in told["violations"]])


class Levels(e2e.TestCase):
    """R1, R2 and R3: one program by line, by instruction and by breakpoints."""

    def told(self, source, compiler, level, *options):
        result, told = check("levels", *options, e2e.compile(source, compiler, ("-g", level)))
        self.expect(result, 1 if told["violations"] else 0)
        return told

    def signatures(self, *words):
        return {one["signature"] for one in self.told(*words)["violations"]}

    def test_a_line_that_is_shown_before_its_statement_begins(self):
        self.assertEqual(self.signatures("check_moved_first.c", e2e.GCC, "-O2"), set())

    def test_unoptimised_programs_hold(self):
        for source in ("check_order.c", "check_leap.c", "check_list.c", "step_lines.c",
                       "leave_callback.c"):
            for compiler in (e2e.GCC, e2e.CLANG):
                with self.subTest(f"{source} {compiler}"):
                    self.assertEqual(self.signatures(source, compiler, "-O0"), set())

    def left(self, told, rule, what):
        """What a rule did not ask, by reason."""
        one, = [one for one in told["summary"]["asked"] if (one["rule"], one["what"]) == (rule, what)]
        return one["left"]

    def test_a_branch_into_the_midst_of_a_line(self):
        """No debugger stops where the line's statement begins, and nobody is blamed."""
        told = self.told("check_midst.c", e2e.GCC, "-O2")
        self.assertEqual(told["violations"], [])
        left = self.left(told, "R1", "lines")
        self.assertIn("reached in their midst", left)
        one, *_ = self.told("check_midst.c", e2e.GCC, "-O2", "--no-stmt")["violations"]
        self.assertEqual((one["group"], one["wrong"]), ("R1", ["producer"]))

    def test_later_steps(self):
        """Every step is asked about, not only those that first come to a line."""
        told = self.told("check_list.c", e2e.GCC, "-O0")
        asked, = [one["asked"] for one in told["summary"]["asked"] if one["what"] == "later steps"]
        self.assertGreater(asked, 5)
        self.assertNotIn("where the runs went different ways", self.left(told, "R2", "later steps"))

    def test_code_that_was_moved_up(self):
        """A row without is_stmt does not make its line the one being stepped."""
        for compiler in (e2e.GCC, e2e.CLANG):
            program = e2e.compile("check_moved_up.c", compiler, ("-g", "-O1"))
            said = e2e.xstep("trace", "--level", "line", "--sample", "all", "--format", "json", program)
            self.assertEqual([one["line"] for one in e2e.stops(said) if one["line"] in (10, 14)], [10, 14])

    def test_from_a_line(self):
        """Steps begin where the line is first arrived at: what line steps from main never stop at is then
        where they begin."""
        self.assertEqual(self.signatures("check_midst.c", e2e.GCC, "-O2", "--from", "check_midst.c:10"), set())
        program = e2e.compile("check_leap.c", e2e.GCC, ("-g", "-O0"))
        for witness in WORKING:
            for level, stops in (("line", 3), ("instruction", 9), ("break", 3)):
                with self.subTest(f"{witness} {level}"):
                    said = e2e.xstep("trace", "--witness", witness, "--level", level, "--sample", "all",
                                     "--from", "check_leap.c:26", "--format", "json", program)
                    self.expect(said, 0)
                    lines = [one["line"] for one in e2e.stops(said) if "line" in one]
                    self.assertEqual(lines[-2:], [28, 28] if level == "instruction" else [27, 28])
                    self.assertEqual(len(lines), stops)
        for place, why in (("check_leap.c:19", "the next line with code is 21"), ("none.c:3", "none.c"),
                           ("check_leap.c:99", "nor for any line behind it")):
            self.expect(e2e.xstep("check", "levels", "--from", place, program), 2, why)

    def test_from_a_function(self):
        """It is over when that call returns, though the caller is of interest, too."""
        program = e2e.compile("step_lines.c", e2e.GCC, ("-g", "-O0"))
        for witness in WORKING:
            for level in ("line", "instruction", "break"):
                with self.subTest(f"{witness} {level}"):
                    said = e2e.xstep("trace", "--witness", witness, "--level", level, "--sample", "all",
                                     "--from", "depth", "--format", "json", program)
                    self.expect(said, 0)
                    self.assertEqual({one["function"] for one in e2e.stops(said) if "line" in one},
                                     {"depth"})

    def test_random_starts(self):
        """The same seed chooses the same lines; what is found from several starts is found once."""
        told = self.told("check_midst.c", e2e.GCC, "-O2", "--no-stmt", "--random-starts", 3)
        self.assertEqual({one["signature"] for one in told["violations"]},
                         {"R1 loss producer:instruction-only-no-stmt"})

        def starts(*words):
            with tempfile.TemporaryDirectory() as folder:
                store = pathlib.Path(folder) / "starts.db"
                told = self.told("check_leap.c", e2e.GCC, "-O2", "-o", store, "--random-starts", 1, *words)
                self.assertEqual(told["violations"], [])
                lines = e2e.xstep("show", "--list", "--format", "json", store).stdout.splitlines()
                return [json.loads(line)["how"] for line in lines]
        first = starts("--seed", 3)
        self.assertEqual(len(first), 9)  # four from each start, and one by line again
        self.assertEqual(starts("--seed", 3), first)
        self.assertTrue(any(starts("--seed", seed) != first for seed in range(3)))
        self.expect(e2e.xstep("check", "levels", "--random-starts", 2, "x.db"), 2, "not a trace store")

    @needs_debuggers
    def test_reachability_by_debuggers(self):
        """Where an inlined call begins they make as if the call were an instruction: nobody is wrong."""
        told = self.told("check_leap.c", e2e.GCC, "-O2", "--witness", "xstep,gdb,lldb")
        self.assertEqual([one["signature"] for one in told["violations"]], [])
        for what in ("lines", "counts of hits"):
            self.assertIn("where an inlined call begins", self.left(told, "R1", what))
        told = self.told("check_exits.c", e2e.CLANG, "-O2", "--witness", "xstep,gdb,lldb")
        wrong = {one["signature"]: one["wrong"] for one in told["violations"]}
        self.assertEqual(wrong, {"R1 loss gdb:no-break,lldb:no-break": ["gdb", "lldb"]})

    @e2e.smoke
    @needs_debuggers
    def test_order(self):
        found = self.signatures("check_order.c", e2e.GCC, "-O0", "--witness", "xstep,gdb,lldb")
        self.assertEqual(found, {"R2 lie gdb:order"})

    @needs_debuggers
    def test_order_of_later_hits(self):
        told = self.told("check_chain.c", e2e.GCC, "-O1", "--no-break", "--witness", "xstep,gdb,lldb")
        one, = told["violations"]
        self.assertEqual((one["signature"], one["wrong"]), ("R2 lie gdb:order-later", ["gdb"]))
        self.assertIn("18:28 is_stmt", one["remark"])

    @needs_debuggers
    def test_values(self):
        """clang 15 has the prologue end where the loop goes on: lldb, which runs there, is not to blame."""
        told = self.told("check_list.c", e2e.CLANG, "-O1", "--no-break", "--witness", "xstep,lldb")
        self.assertEqual({one["signature"]: one["wrong"] for one in told["violations"]},
                         {"R2 lie producer:late-prologue-end": ["producer"]})
        self.assertIn("in functions whose prologue_end is late", self.left(told, "R3", "values"))
        self.assertEqual(self.signatures("check_list.c", e2e.CLANG, "-O0", "--witness", "lldb"), set())

    def test_modes_yield_the_same_steps(self):
        """exact looks only where a step may end; single at every instruction."""
        for source in ("step_lines.c", "leave_callback.c", "leave_longjmp.c", "check_leap.c",
                       "check_frame.c", "signal_handler.c"):
            for level in e2e.some(("-O2",), ("-O0", "-O2")):
                for step in ("line", "break"):
                    with self.subTest(f"{source} {level} {step}"):
                        program = e2e.compile(source, e2e.GCC, ("-g", level))
                        said = [e2e.xstep("trace", "--mode", mode, "--level", step, "--sample", "all",
                                          "--vars", "locals", "--frames", "--format", "json", program)
                                for mode in ("exact", "single")]
                        self.expect_same_text([(one.rerun, one.stdout) for one in said])

    def test_traces_of_other_checks_serve(self):
        with tempfile.TemporaryDirectory() as folder:
            store = pathlib.Path(folder) / "both.db"
            unopt, opt = levels("check_value.c", e2e.GCC, "-O0", "-O2")
            check("opt", "-o", store, unopt, opt)
            result, _ = check("levels", "-o", store, opt)
            # By line, for check opt keeps inner frames only; by instruction; by breakpoints; the order;
            # and by line again.
            self.assertEqual(result.stderr.count("main returned"), 5)
            ids = ("--trace", 5, "--trace", 6, "--trace", 7)
            self.assertEqual(check("levels", *ids, store)[1], check("levels", "-o", store, opt)[1])


class Avail(e2e.TestCase):
    """C1, C2 and C3: variables that must have a value, by facts of the source."""

    def told(self, source, compiler, level, *options):
        return self.violations("--source", e2e.subject(source), *options,
                               e2e.compile(source, compiler, ("-g", level)))

    def violations(self, *words):
        """What is found; nothing if there was nothing to ask, which is said."""
        result, told = check("avail", *words)
        if told is None:
            self.expect(result, 2, "nothing could be asked")
            return []
        self.expect(result, 1 if told["violations"] else 0)
        return told["violations"]

    @e2e.smoke
    def test_argument(self):
        one, = self.told("check_call.c", e2e.CLANG, "-O2")
        self.assertEqual((one["group"], one["var"], one["flaw"], one["wrong"], one["kind"]),
                         ("C1", "copy", "missing", ["producer"], "loss"))
        self.assertIn("elsewhere()", one["remark"])
        self.assertEqual(self.told("check_call.c", e2e.GCC, "-Og"), [])

    def test_call_that_is_not_in_the_code(self):
        """Removed, or replaced by a call of another function that does not take the argument."""
        for source in ("check_removed.c", "check_replaced.c"):
            for compiler in (e2e.GCC, e2e.CLANG):
                for level in ("-O1", "-O2"):
                    with self.subTest(f"{source} {compiler} {level}"):
                        self.assertEqual(self.told(source, compiler, level), [])

    def test_nothing_to_ask(self):
        """That there was nothing to ask is no answer."""
        program = e2e.compile("check_else.c", e2e.GCC, ("-g", "-O2"))
        self.expect(e2e.xstep("check", "avail", "--source", e2e.subject("check_call.c"), program), 2,
                    "nothing could be asked: no line of")

    def test_a_program_of_one_stop(self):
        """It is of that source, though none of its statements is ever begun."""
        program = e2e.compile("check_nothing.c", e2e.GCC, ("-g", "-O2"))
        result = e2e.xstep("check", "avail", "--format", "json", "--source", e2e.subject("check_nothing.c"), program)
        self.expect(result, 2, "nothing could be asked")
        self.assertNotIn("no line of", result.stderr)
        self.assertEqual(json.loads(result.stdout)["violations"], [])

    def test_operand(self):
        one, = self.told("check_index.c", e2e.CLANG, "-Os")
        self.assertEqual((one["group"], one["var"], one["flaw"]), ("C2", "i", "incomplete"))
        self.assertEqual(self.told("check_index.c", e2e.GCC, "-Os"), [])

    def test_examples_of_the_paper(self):
        """The shapes of its examples: what each compiler loses is found, by the right rule."""
        for source, compiler, level, expected in (
                ("check_fold.c", e2e.GCC, "-O2", [("C2", "keep", "hollow")]),
                ("check_fold.c", e2e.CLANG, "-O1", [("C2", "keep", "hollow")]),
                ("check_refresh.c", e2e.GCC, "-Og", [("C3", "first", "incomplete")]),
                ("check_refresh.c", e2e.GCC, "-O2", []),
                ("check_product.c", e2e.CLANG, "-O2", [("C2", "i", "hollow"), ("C2", "j", "hollow")]),
                ("check_product.c", e2e.GCC, "-O2", []),
                ("check_unrolled.c", e2e.GCC, "-Os", [])):
            with self.subTest(f"{source} {compiler} {level}"):
                found = self.told(source, compiler, level)
                self.assertEqual([(one["group"], one["var"], one["flaw"]) for one in found], expected)
                self.assertEqual([one["wrong"] for one in found], [["producer"]] * len(expected))

    def test_line_directives(self):
        """Lines and files as #line has them, as in the DWARF."""
        with tempfile.TemporaryDirectory() as folder:
            source, program = pathlib.Path(folder) / "made.c", pathlib.Path(folder) / "made"
            text = e2e.subject("check_fold.c").read_text()
            source.write_text('#line 100 "grammar.y"\n' + text)
            self.expect(e2e.run([e2e.GCC, "-g", "-O2", "-o", program, source]))
            one, = self.violations("--source", source, program)
            line = next(i for i, row in enumerate(text.splitlines()) if "sink = grid" in row) + 100
            self.assertEqual((one["group"], one["var"], one["stop"]["line"]), ("C2", "keep", line))

    def told_with_late_block(self, name):
        """What is said of a subject of whose variables the DWARF says that their block begins at the
        label late_begins."""
        source = e2e.subject(name)
        self.assertEqual(self.told(source.name, e2e.GCC, "-O0"), [])
        with tempfile.TemporaryDirectory() as folder:
            assembly, program = pathlib.Path(folder) / "late.s", pathlib.Path(folder) / "late"
            self.expect(e2e.run([e2e.GCC, "-g", "-O0", "-S", "-o", assembly, source,
                                 '-DLATE_BEGINS=__asm__("late_begins:")']))
            text = assembly.read_text()
            self.assertEqual(text.count("\t.quad\t.LBE2-.LBB2\n"), 1)
            text = text.replace("\t.quad\t.LBB2\n", "\t.quad\tlate_begins\n")
            text = text.replace("\t.quad\t.LBE2-.LBB2\n", "\t.quad\t.LBE2-late_begins\n")
            assembly.write_text(text)
            self.expect(e2e.run([e2e.GCC, "-o", program, assembly]))
            return self.violations("--source", source, program)

    def test_decay(self):
        one, = self.told_with_late_block("check_decay.c")
        self.assertEqual((one["group"], one["var"], one["flaw"], one["stop"]["line"]),
                         ("C3", "late", "incorrect", 14))

    def test_assigned_again_in_a_loop(self):
        self.assertEqual(self.told_with_late_block("check_again.c"), [])

    def test_code_that_was_moved(self):
        self.assertEqual(self.told_with_late_block("check_moved.c"), [])

    def test_unoptimised_programs_hold(self):
        for source in ("check_call.c", "check_index.c", "step_lines.c", "demo.c"):
            for compiler in (e2e.GCC, e2e.CLANG):
                self.assertEqual(self.told(source, compiler, "-O0"), [], source)

    @needs_debuggers
    def test_all_witnesses_lose_it(self):
        one, = self.told("check_call.c", e2e.CLANG, "-O2", "--witness", "xstep,gdb,lldb")
        self.assertEqual(one["wrong"], ["producer"])
        self.assertEqual({who: said["state"] for who, said in one["facts"].items()},
                         {f"{who} break": "optimized-out" for who in ("xstep", "gdb")}
                         | {"lldb break": "absent"})

    def test_injected_calls(self):
        """The C1 variant of a source compiles, and its calls are looked at."""
        with tempfile.TemporaryDirectory() as folder:
            result = e2e.xstep("check", "avail", "--inject-opaque", "--source", e2e.subject("demo.c"))
            self.expect(result, 0)
            source = pathlib.Path(folder) / "injected.c"
            source.write_text(result.stdout)
            (source.parent / "opaque.c").write_text("void xstep_opaque(int n, ...) {}\n")
            program = source.with_suffix("")
            made = e2e.run([e2e.GCC, "-g", "-O0", "-o", program, source, source.parent / "opaque.c"])
            self.expect(made, 0)
            told = e2e.xstep("check", "avail", "--source", source, program)
            self.expect(told, 0)
            self.assertRegex(told.stdout, "C1: [1-9]")

    def test_refusals(self):
        program = e2e.compile("demo.c")
        self.expect(e2e.xstep("check", "avail", program), 2, "--source FILE")
        self.expect(e2e.xstep("check", "avail", "--source", "/nowhere.c", program), 2, "/nowhere.c")
        with tempfile.NamedTemporaryFile(suffix=".c") as file:
            file.write(b"int main(void) { return x; }\n")
            file.flush()
            self.expect(e2e.xstep("check", "avail", "--source", file.name, program), 2, "undeclared")


class Metrics(e2e.TestCase):
    """Lines and variables that can be shown, against an unoptimised program."""

    def test_a_program_against_itself_has_everything(self):
        program = e2e.compile("demo.c")
        _, told = check("metrics", program, program)
        total = told["programs"][0]["total"]
        self.assertEqual((total["line_coverage"], total["availability"], total["product"]), (1, 1, 1))
        self.assertFalse([one for one in told["programs"][0]["variables"] if one["lost"]])

    @e2e.smoke
    def test_what_is_lost(self):
        """`five` and `none` of check_line.c have no place in optimised code."""
        unopt, opt = levels("check_line.c", e2e.GCC, "-O0", "-O2")
        result, told = check("metrics", unopt, opt, opt)
        self.expect(result, 0)
        self.assertEqual(len(told["programs"]), 2)
        one = told["programs"][0]
        self.assertLess(one["total"]["line_coverage"], 1)
        self.assertEqual([each["function"] for each in one["functions"]], ["main"])
        self.assertEqual({each["variable"] for each in one["variables"]}, {"five", "none"})
        for each in one["variables"]:
            self.assertEqual(each["lines_present"], each["lines_covered"] + len(each["lost"]))
            self.assertGreaterEqual(each["baseline"], each["lines_present"])
            self.assertAlmostEqual(each["covered_ratio"], each["lines_covered"] / each["baseline"], 5)


class Once(e2e.TestCase):
    """The trace of a witness is recorded once and serves all checks."""

    def test_one_store_for_all_checks(self):
        with tempfile.TemporaryDirectory() as folder:
            store, source = pathlib.Path(folder) / "all.db", e2e.subject("check_index.c")
            unopt, opt = levels(source.name, e2e.CLANG, "-O0", "-Os")
            told = [check(*words) for words in (
                ("levels", "-o", store, opt), ("opt", "-o", store, unopt, opt),
                ("avail", "-o", store, "--source", source, opt), ("metrics", "-o", store, unopt, opt))]
            # By line, instruction and breakpoints, the order, by line again; unopt by line, moved, and what it
            # executes; by breakpoints.
            self.assertEqual([result.stderr.count("main returned") for result, _ in told], [5, 3, 0, 1])
            result, again = check("avail", "--trace", 3, "--source", source, store)
            self.assertEqual((again, result.stderr), (told[2][1], ""))
            self.assertEqual(len(again["violations"]), 1)
            _, again = check("metrics", "--trace", 9, "--trace", 3, store)
            self.assertEqual(again, told[3][1])
            self.expect(e2e.xstep("check", "metrics", "--trace", 3, store), 2, "at least one of OPT")
            self.expect(e2e.xstep("check", "metrics", "--trace", 1, "--trace", 3, store), 2, "by line")
            self.expect(e2e.xstep("check", "avail", "--trace", 3, "--source", source, opt), 2,
                        "it takes a trace store")


class Manners(e2e.TestCase):
    """What checks share with diff."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.store = pathlib.Path(cls.folder.name) / "check.db"
        cls.programs = levels("check_value.c", e2e.GCC, "-O0", "-O2")
        cls.result, cls.told = check("opt", "-o", cls.store, *cls.programs)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def traces(self):
        return len(e2e.xstep("show", "--list", self.store).stdout.splitlines())

    def test_traces_are_recorded_once(self):
        before = self.traces()
        result, told = check("opt", "-o", self.store, *self.programs)
        self.assertEqual(told, self.told)
        self.assertEqual(result.stderr, "")
        self.assertEqual(self.traces(), before)
        check("opt", "-o", self.store, "--fresh", *self.programs)
        self.assertGreater(self.traces(), before)

    def test_stored_traces(self):
        _, told = check("opt", "--trace", 1, "--trace", 2, self.store)
        self.assertEqual(told, self.told)
        result, told = check("opt", "--trace", 1, "--trace", 1, self.store)
        self.expect(result, 0)

    def test_text(self):
        result = e2e.xstep("check", "opt", "-o", self.store, *self.programs)
        self.expect(result, 1)
        for part in ("1 violation in 1 cluster", "xstep unopt", "verdict", "evidence", "by hand"):
            self.assertIn(part, result.stdout)

    def test_formats_for_continuous_integration(self):
        words = ("opt", "-o", self.store, *self.programs)
        run, = json.loads(e2e.xstep("check", words[0], "--format", "sarif", *words[1:]).stdout)["runs"]
        self.assertEqual([one["partialFingerprints"]["xstep/v1"] for one in run["results"]],
                         [one["id"] for one in self.told["violations"]])
        junit = e2e.xstep("check", words[0], "--format", "junit", *words[1:])
        suite = xml.etree.ElementTree.fromstring(junit.stdout)
        self.assertTrue(suite.get("name").startswith("xstep check opt"))
        self.assertEqual(len(suite.findall("testcase/failure")), len(self.told["violations"]))

    def test_known(self):
        known = pathlib.Path(self.folder.name) / "known.txt"
        known.write_text("producer:foreign-value | PR 1\n")
        result = e2e.xstep("check", "opt", "--known", known, "--new", "-o", self.store, *self.programs)
        self.expect(result, 0)
        self.assertIn("no violation that is not known", result.stdout)

    def bundle(self, *words):
        """The folder of the one cluster that a check finds."""
        top = pathlib.Path(self.folder.name) / f"report-{words[0]}"
        # --build makes the same bytes only where e2e.compile() runs the compiler.
        result = e2e.xstep("check", words[0], "--report", top, *words[1:], cwd=e2e.CACHE)
        self.expect(result, 1)
        folder, = (path for path in top.iterdir() if path.is_dir())
        self.assertIn(folder.name, (top / "README.md").read_text())
        for name in ("report.md", "explain.txt", "disassembly.txt", "source", "check.txt"):
            self.assertTrue((folder / name).exists(), name)
        report = (folder / "report.md").read_text()
        for part in ("What is said", f"xstep check {words[0]}", "exit status 1, it is there",
                     "DW_AT_producer"):
            self.assertIn(part, report)
        for who in {"gdb", "lldb"} & set(WORKING):
            self.assertIn(f"A session with {who}", report)
        return folder

    def test_report(self):
        """A folder for each cluster, whose script tells whether another build does the same."""
        source = e2e.subject("check_value.c")
        folder = self.bundle("opt", "--build", f"{e2e.GCC} -g -O2 {source}", *self.programs)
        self.assertIn("byte for byte", (folder / "report.md").read_text())
        for level, status in (("-O2", 1), ("-O1", 0), ("-Onone", 125)):
            environment = {**os.environ, "BUILD": f"{e2e.GCC} -g {level} {source}"}
            result = e2e.run([folder / "check.py", e2e.XSTEP], env=environment)
            self.expect(result, status)
        self.expect(e2e.run([folder / "check.py", "/nowhere"]), 125)
        self.bundle("levels", "--no-stmt", e2e.compile("check_midst.c", e2e.GCC, ("-g", "-O2")))
        self.bundle("avail", "--source", e2e.subject("check_call.c"),
                    e2e.compile("check_call.c", e2e.CLANG, ("-g", "-O2")))
        self.expect(e2e.xstep("check", "opt", "--report", self.folder.name, *self.programs), 2, "not empty")
        self.expect(e2e.xstep("check", "opt", "--report", "none", "--trace", 1, "--trace", 2, self.store), 2,
                    "not a trace store")
        self.expect(e2e.xstep("check", "levels", "--report", "none", "--random-starts", 2,
                              self.programs[1]), 2, "--report does not go with --random-starts")

    def test_refusals(self):
        self.expect(e2e.xstep("check"), 2, "which one")
        self.expect(e2e.xstep("check", "opts"), 2, "did you mean 'opt'")
        self.expect(e2e.xstep("check", "opt", self.programs[0]), 2, "two programs")
        self.expect(e2e.xstep("check", "opt", "/nowhere", self.programs[0]), 2, "/nowhere")
        self.expect(e2e.xstep("check", "opt", self.store), 2, "--trace names")
        self.expect(e2e.xstep("check", "opt", "--trace", 1, "--trace", 99, self.store), 2, "no trace 99")
        self.expect(e2e.xstep("check", "opt", "-o", "x.txt", *self.programs), 2, "x.txt")


if __name__ == "__main__":
    e2e.main()
