#!/usr/bin/python3
"""frames_test.py - xstep check frames, end to end: call frame information that is wrong is found, to the
instruction; ways to leave a function that are no returns are no reason to find something.
"""
import json
import os
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e

COMPILERS = [one for one in (e2e.GCC, e2e.CLANG) if shutil.which(one)]


def frames(*words):
    """What xstep check frames says, as (result, parsed JSON)."""
    result = e2e.xstep("check", "frames", "--format", "json", "--quiet", "--timeout", "120", *words)
    return result, json.loads(result.stdout) if result.returncode in (0, 1) else None


class Right(e2e.TestCase):
    """Nothing is wrong, and something was asked."""

    def silent(self, program, *options):
        result, told = frames(*options, program)
        self.expect(result, 0)
        self.assertEqual(told["violations"], [])
        asked = {rule["rule"]: rule for rule in told["summary"]["asked"]}
        self.assertGreater(asked["F1"]["asked"], 50)
        self.assertGreater(asked["F3"]["asked"], 300)
        return asked

    def left(self, asked, rule="F1"):
        return set(asked[rule]["left"])

    @e2e.smoke
    def test_signals(self):
        """Handlers that return, are interrupted, have a stack of their own, or leave by siglongjmp: all of
        their frames, and those that they interrupt, are known."""
        for compiler in COMPILERS:
            for level in ("-O0", "-O2"):
                asked = self.silent(e2e.compile("frames_signal.c", compiler, ("-g", level)))
                self.assertEqual(self.left(asked), set())

    def test_a_function_right_behind_its_caller(self):
        """A call to the next address is a call if a function begins there."""
        result, told = frames(e2e.compile("frames_behind.c", e2e.CLANG, ("-g", "-Os")))
        self.expect(result, 0)
        self.assertEqual(told["violations"], [])
        self.assertGreater(told["summary"]["asked"][0]["asked"], 3)

    def test_ways_to_leave(self):
        """longjmp, callbacks, exit handlers, a thread, a tail call into the library."""
        for compiler in COMPILERS:
            for level in ("-O0", "-O2", "-Os"):
                asked = self.silent(e2e.compile("frames_leave.c", compiler, ("-g", level)))
                self.assertEqual(self.left(asked), set())

    def test_calls_out_of_code_without_lines(self):
        """Handlers that end with a jump into the library, and a function that jumps to its argument: nobody
        is accused of what the next call of them got."""
        for compiler in COMPILERS:
            for flags in (("-O0",), ("-O2",), ("-O2", "-fno-plt")):
                result, told = frames(e2e.compile("frames_outside.c", compiler, ("-g", *flags)))
                self.expect(result, 0)
                self.assertEqual(told["violations"], [])
                asked = {rule["rule"]: rule for rule in told["summary"]["asked"]}
                self.assertGreater(asked["F3"]["asked"], 150)
                if flags != ("-O0",):
                    self.assertIn("of calls that led through code that is not stepped", self.left(asked, "E1"))

    def test_other_stacks(self):
        """What is on a stack whose calls were not seen is not asked about."""
        for compiler in COMPILERS:
            asked = self.silent(e2e.compile("frames_stacks.c", compiler, ("-g", "-O2")))
            self.assertEqual(self.left(asked), {"behind code that is not stepped",
                                                "of a call whose beginning was not seen"})

    def test_a_frame_that_assembly_builds(self):
        """What is pushed by hand before a jump to a function is not that function's caller's frame."""
        for compiler in COMPILERS:
            for more in ((), ("-DERROR_CODE",)):
                asked = self.silent(e2e.compile("frames_by_hand.c", compiler,
                                                ("-g", "-O0", "-mgeneral-regs-only", *more)))
                self.assertEqual(self.left(asked), {"after a call or jump made by hand"})

    def test_exceptions(self):
        for compiler in [one for one in ("g++-12", "clang++-15") if shutil.which(one)]:
            for level in ("-O0", "-O2"):
                asked = self.silent(e2e.compile("frames_throw.cc", compiler, ("-g", level)))
                self.assertEqual(self.left(asked), set())

    def test_modes_agree(self):
        """Block by block the same is asked, and the same comes out, as instruction by instruction."""
        program = e2e.compile("frames_leave.c", e2e.GCC, ("-g", "-O2"))
        told = [frames("--mode", mode, program)[1]["summary"]["asked"] for mode in ("exact", "single")]
        self.assertEqual(*told)

    def test_a_start_in_the_middle(self):
        """Nothing is known of a call that had begun before; of those that it makes, everything."""
        source = e2e.subject("frames_push.c")
        line = next(number for number, text in enumerate(source.read_text().splitlines(), 1)
                    if "return leaf" in text)
        program = e2e.compile(source, e2e.GCC, ("-g", "-O0"))
        result, told = frames("--from", f"frames_push.c:{line}", program)
        self.expect(result, 0)
        asked, = [rule for rule in told["summary"]["asked"] if rule["rule"] == "F1"]
        self.assertGreater(asked["asked"], 0)
        self.assertEqual(set(asked["left"]),
                         {"of a call whose beginning was not seen"})


class Wrong(e2e.TestCase):
    """Each mistake is one violation, and names the instruction."""

    ASSEMBLY = (  # argument, group, why, function, words of the reason
        (0, None, None, None, None),
        (1, "F1", "lie producer:wrong-cfa-stack-pointer", "moves", "since `sub $0x18, %rsp`"),
        (2, "F1", "lie producer:wrong-cfa-row", "early", "the row that begins behind `mov %edi, %eax`"),
        (3, "F3", "lie producer:wrong-register-unsaved", "clobbers", "since `lea 0x03(%rdi), %ebx`"),
        (4, "F3", "lie producer:wrong-register-row", "elsewhere", "behind `push %r13`"),
        (5, "F1", "loss producer:no-cfi", "silent", "no call frame information"),
        (6, None, None, None, None),
    )

    @e2e.smoke
    def test_assembly(self):
        program = e2e.compile("frames_asm.S", e2e.GCC, ("-g", "-O1"))
        for number, group, why, function, words in self.ASSEMBLY:
            result, told = frames(program, number)
            self.expect(result, 1 if group else 0)
            if not group:
                self.assertEqual(told["violations"], [])
                continue
            one, = told["violations"]
            self.assertEqual((one["group"], one["signature"], one["wrong"], one["basis"]),
                             (group, f"{group} {why}", ["producer"], "evidence"))
            self.assertEqual(one["stop"]["function"], function)
            self.assertIn(words, one["reason"])
            self.assertIn("frames_asm.S:" if "`" in words else "", one["reason"])
            self.assertIn("FDE of" if function != "silent" else "no entry", one["remark"])

    def test_inline_assembly(self):
        """One violation for all instructions between push and pop; none if the frame has a pointer."""
        for compiler in COMPILERS:
            program = e2e.compile("frames_push.c", compiler, ("-g", "-O2", "-fomit-frame-pointer"))
            result, told = frames(program)
            self.expect(result, 1)
            one, = told["violations"]
            self.assertEqual(one["signature"], "F1 lie producer:wrong-cfa-stack-pointer")
            self.assertIn("since `push %rcx`", one["reason"])
            self.assertIn("frames_push.c:", one["reason"])
            self.assertEqual(one["stops"], 3)
            program = e2e.compile("frames_push.c", compiler, ("-g", "-O2", "-fno-omit-frame-pointer"))
            self.expect(frames(program)[0], 0)

    def test_gcc_epilogue(self):
        """gcc 12 says behind `pop %rbp` that rbp is saved where it points."""
        flags = ("-g", "-O2", "-mstackrealign", "-fno-omit-frame-pointer")
        result, told = frames(e2e.compile("frames_align.c", e2e.GCC, flags))
        self.expect(result, 1)
        self.assertEqual({one["signature"] for one in told["violations"]},
                         {"F3 lie producer:wrong-register-unsaved"})
        self.assertIn("aligns", [one["stop"]["function"] for one in told["violations"]])
        self.assertIn("`pop %rbp`", told["violations"][0]["reason"])
        self.assertIn("RBP at {DW_OP_breg6 RBP+0}", told["violations"][0]["remark"])

    def test_gcc_small_numbers(self):
        """gcc 12 -Oz pushes a number and pops it into a register, and no row speaks of it."""
        result, told = frames(e2e.compile("frames_small.c", e2e.GCC, ("-g", "-Oz")))
        self.expect(result, 1)
        self.assertEqual({one["signature"] for one in told["violations"]},
                         {"F1 lie producer:wrong-cfa-stack-pointer"})
        for one in told["violations"]:
            self.assertIn("since `push $0x", one["reason"])

    def test_gcc_second_byte(self):
        """gcc 12 describes `movzbl %bh, %edi` as a shift to the left by -8."""
        result, told = frames(e2e.compile("frames_extract.c", e2e.GCC, ("-g", "-O1")))
        self.expect(result, 1)
        self.assertEqual({one["group"] for one in told["violations"]}, {"E1", "E2"})
        site, = [one for one in told["violations"] if one["group"] == "E1"]
        self.assertEqual(site["signature"], "E1 lie producer:wrong-call-value")
        self.assertIn("with 0x34 in RDI", site["reason"])
        self.assertIn("DW_OP_const1s -8, DW_OP_shl", site["remark"])

    @e2e.unittest.skipUnless(e2e.CLANG in COMPILERS, "needs clang-15")
    def test_tail_call(self):
        """clang 15 names a register at a tail call that the epilogue has given back."""
        result, told = frames(e2e.compile("frames_tail.c", e2e.CLANG, ("-g", "-O2")))
        self.expect(result, 1)
        one, = told["violations"]
        self.assertEqual((one["group"], one["signature"]),
                         ("E1", "E1 lie producer:wrong-call-value-tail-call"))
        self.assertIn("RBX", one["remark"])
        self.expect(frames(e2e.compile("frames_tail.c", e2e.GCC, ("-g", "-O2")))[0], 0)


class Others(e2e.TestCase):
    """Debuggers are asked for their backtraces."""

    def test_debuggers(self):
        """gdb and lldb read call frame information that is right as it is."""
        who = [json.loads(line) for line in e2e.xstep("witness", "--json").stdout.splitlines()]
        working = [one["witness"] for one in who if one["witness"] in ("gdb", "lldb") and not one["problem"]]
        if len(working) < 2:
            self.skipTest("needs a debugger")
        program = e2e.compile("frames_signal.c", e2e.GCC, ("-g", "-O2"))
        result, told = frames("--witness", ",".join(working), program)
        self.expect(result, 0)
        asked = {one["what"]: one["asked"] for one in told["summary"]["asked"]}
        self.assertGreater(asked["frames of debuggers"], 20)


class Explain(e2e.TestCase):
    def test_what_was_seen(self):
        """Beside what the call site says stands what the register held when the function was entered."""
        source = e2e.subject("frames_entry.c")
        line = next(number for number, text in enumerate(source.read_text().splitlines(), 1)
                    if "/* here */" in text)
        program = e2e.compile(source, e2e.GCC, ("-g", "-O2"))
        words = ("explain", "--at", f"frames_entry.c:{line}", "--var", "first")
        result = e2e.xstep(*words, program)
        self.expect(result, 0)
        self.assertIn("DW_AT_call_value: DW_OP_lit4", result.stdout)
        older = e2e.xstep(*words, e2e.compile(source, e2e.GCC, ("-g", "-O2", "-gdwarf-4")))
        self.assertIn("DW_AT_GNU_call_site_value: DW_OP_lit4", older.stdout)  # the one that is in the file
        self.assertIn("entered   RDI was 0x4 when this call was entered", result.stdout)
        one, = json.loads(e2e.xstep(*words, "--format", "json", program).stdout)["variables"]
        self.assertEqual(one["entered"], {"RDI": "0x4"})


class Manners(e2e.TestCase):
    def test_nothing_to_ask(self):
        self.expect(e2e.xstep("check", "frames"), 2, "name a program")
        self.expect(e2e.xstep("check", "frames", "/nowhere"), 2, "/nowhere")
        program = e2e.compile("frames_push.c", e2e.GCC, ("-g", "-O0"))
        self.expect(e2e.xstep("check", "frames", "--sample", "none", program), 2, "nothing would be asked")
        self.expect(e2e.xstep("check", "frames", "--from", "nobody", program), 2, "nobody")

    def test_by_hand_and_again(self):
        """The commands that are printed lead there, and --known knows it again."""
        program = e2e.compile("frames_push.c", e2e.GCC, ("-g", "-O2", "-fomit-frame-pointer"))
        result = e2e.xstep("check", "frames", program)
        self.expect(result, 1)
        self.assertIn("-ex backtrace", result.stdout)
        self.assertIn("xstep explain --at 0x", result.stdout)
        one, = frames(program)[1]["violations"]
        again, = frames("--sample", "unique", program)[1]["violations"]
        self.assertEqual(one["id"], again["id"])

    def test_report(self):
        """The folder of a cluster checks it once more."""
        program = e2e.compile("frames_small.c", e2e.GCC, ("-g", "-Oz"))
        with tempfile.TemporaryDirectory() as folder:
            self.expect(e2e.xstep("check", "frames", "--report", f"{folder}/report", program), 1)
            bundle, = pathlib.Path(folder, "report").glob("F1-*")
            again = e2e.run([sys.executable, "check.py"], cwd=bundle, env={**os.environ, "XSTEP": e2e.XSTEP})
            self.expect(again, 1)

    def test_no_end(self):
        """A program that is ended by --timeout is trouble, and still checked as far as it came."""
        program = e2e.compile("end_loop.c", e2e.GCC, ("-g", "-O0"))
        for seconds in (2, 20, 200):  # however long it takes to begin
            result = e2e.xstep("check", "frames", "--quiet", "--timeout", seconds, program)
            if "checked as far as it came" in result.stderr:
                break
        self.expect(result, 2, "checked as far as it came")
        self.assertIn("no violation", result.stdout)

    def test_a_crash(self):
        """A program that dies is checked as far as it comes."""
        program = e2e.compile("end_abort.c", e2e.GCC, ("-g", "-O0"))
        self.expect(frames(program)[0], 0)


if __name__ == "__main__":
    e2e.main()
