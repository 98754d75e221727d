#!/usr/bin/python3
"""steady_test.py - --steady: the program gets the same answers in every run, by every witness, and goes on
as it would without.
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e
from witness_test import needs_debuggers

RANDOM = {"time", "real", "monotonic", "pid", "random", "device", "tsc"}


def works():
    """Whether the kernel lets xstep answer."""
    program = e2e.compile("steady_seed.c")
    return "does not let" not in e2e.xstep("trace", "--steady", "--sample", "none", program).stderr


def processes(path):
    """Those whose words name a file."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if os.fsencode(path) in (entry / "cmdline").read_bytes() and int(entry.name) != os.getpid():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


@e2e.unittest.skipUnless(works(), "the kernel is too old, or does not allow it: seccomp")
class Steady(e2e.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def said(self, program, *options, status=0):
        """What the program prints, and what xstep says of it."""
        out = self.folder / "out"
        result = e2e.xstep("trace", "--stdout", out, "--format", "none", *options, program)
        self.expect(result, status)
        return out.read_text(), result.stderr

    def answers(self, *options):
        """{what: answer} of the program that asks for everything."""
        text, _ = self.said(e2e.compile("steady_all.c"), *options)
        return dict(line.split(" ", 1) for line in text.splitlines())

    @e2e.smoke
    def test_the_same_in_every_mode(self):
        told = [self.answers("--steady", *options) for options in (
            ("--mode", "exact", "--sample", "all"), ("--mode", "single", "--sample", "none"),
            ("--mode", "unique", "--sample", "unique"), ("--level", "line", "--sample", "all"),
            ("--level", "break", "--sample", "all"))]
        for one in told[1:]:
            self.assertEqual(one, told[0])
        self.assertEqual(told[0]["time"], "1000000000")
        self.assertEqual(told[0]["pid"], told[0]["tid"])
        self.assertLess(told[0]["tsc"], told[0]["later"])

    def test_not_the_same_without(self):
        one, other = (self.answers(*options) for options in ((), ("--steady", "--no-steady")))
        self.assertLessEqual(RANDOM - {"time"}, {what for what in one if one[what] != other[what]})

    def test_traces_are_the_same(self):
        program = e2e.compile("steady_seed.c")
        for options in (("--mode", "exact", "--sample", "all"), ("--mode", "unique"), ("--level", "line")):
            one, other = (e2e.xstep("trace", "--steady", "--vars", "all", "--frames", "--regs", "--format",
                                    "json", *options, program).stdout for _ in range(2))
            self.assertIn("\n", one)
            self.assertEqual(one, other)

    @needs_debuggers
    def test_the_same_in_debuggers(self):
        own = self.answers("--steady", "--sample", "none")
        for witness in ("gdb", "lldb"):
            text, said = self.said(e2e.compile("steady_all.c"), "--steady", "--witness", witness,
                                   "--sample", "none")
            told = dict(line.split(" ", 1) for line in text.splitlines())
            differ = {what for what in own if own[what] != told[what]}
            self.assertEqual(differ, {"tsc", "tscp", "later"}, witness)
            self.assertIn("rdtsc", said)
        text, said = self.said(e2e.compile("steady_seed.c"), "--steady", "--witness", "gdb", "--sample",
                               "none")
        self.assertNotIn("rdtsc", said)
        self.assertEqual(self.said(e2e.compile("steady_seed.c"), "--steady", "--sample", "none")[0], text)

    def test_checks_are_steady(self):
        program = e2e.compile("steady_seed.c")
        out = self.folder / "out"
        told = []
        for words in (("levels",), ("opt", program), ("opt", "--no-steady", program)):
            result = e2e.xstep("check", *words[:1], "--stdout", out, *words[1:], program)
            self.expect(result, 0)
            told.append(out.read_text())
        self.assertEqual(told[0], told[1])

    def test_stored_traces_are_not_mixed(self):
        program, store = e2e.compile("steady_seed.c"), self.folder / "t.db"
        counts = []
        for options in (("--no-steady",), (), (), ("--no-steady",)):
            self.expect(e2e.xstep("check", "opt", "-o", store, "--stdout", self.folder / "out", *options,
                                  program, program), 0)
            counts.append(len(e2e.xstep("show", "--list", store).stdout.splitlines()))
        self.assertLess(counts[0], counts[1])
        self.assertEqual(counts[1:], counts[1:2] * 3)

    # --- nothing breaks

    @e2e.smoke
    def test_signals_to_itself(self):
        program = e2e.compile("steady_signals.c")
        native = e2e.run([program]).stdout
        self.assertNotIn("failed", native)
        for mode in ("exact", "single"):
            text, _ = self.said(program, "--steady", "--mode", mode, "--sample", "none")
            self.assertEqual(text, native)
        for word, name in (("abort", "ABRT"), ("kill", "KILL")):
            result = e2e.xstep("trace", "--steady", "--sample", "none", "--format", "none", program, word)
            self.assertIn(f"killed by SIG{name}", result.stderr)

    @needs_debuggers
    def test_signals_to_itself_in_debuggers(self):
        program = e2e.compile("steady_signals.c")
        for witness in ("gdb", "lldb"):
            text, _ = self.said(program, "--steady", "--witness", witness, "--sample", "none")
            self.assertNotIn("failed", text)
            self.assertEqual(text.count(" ok"), 8)

    def test_threads(self):
        program = e2e.compile("steady_threads.c", e2e.GCC, ("-g", "-O0", "-pthread"))
        for options in ((), ("--threads", "all")):
            text, _ = self.said(program, "--steady", "--sample", "none", *options)
            self.assertEqual((text.count(" ok"), text.count("failed")), (6, 0))

    def test_children(self):
        text, _ = self.said(e2e.compile("steady_children.c"), "--steady", "--sample", "none")
        self.assertEqual((text.count(" ok"), text.count("failed")), (5, 0))

    # --- nothing is left

    def test_what_outlives_xstep_goes_on(self):
        program, file = e2e.compile("steady_children.c"), self.folder / "written"
        self.expect(e2e.xstep("trace", "--steady", "--sample", "none", "--format", "none", program, file))
        self.assertTrue(e2e.wait_until(lambda: file.exists() and file.read_text() == "done\nmore\n"))
        self.assertTrue(e2e.wait_until(lambda: not processes(file)))

    def test_nothing_is_left(self):
        program = self.folder / "endless"
        shutil.copy(e2e.compile("end_loop.c", e2e.GCC, ("-g", "-O1")), program)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            process = subprocess.Popen(
                [e2e.XSTEP, "trace", "--steady", "--sample", "none", "--format", "none", program],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=e2e.leave_nothing)
            try:
                self.assertTrue(e2e.wait_until(lambda: len(processes(program)) == 2, process))
            finally:
                process.send_signal(number)
                process.wait()
            self.assertTrue(e2e.wait_until(lambda: not processes(program)))


if __name__ == "__main__":
    e2e.main()
