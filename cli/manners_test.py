#!/usr/bin/python3
"""manners_test.py - a long run of xstep diff, end to end: its line of progress, signals in every phase, a
full disk, a debugger that is lost. What is waited for is what the line of progress says."""
import fcntl
import json
import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e
import screen
from witness_test import needs_debuggers, script, using

PIPE_BYTES = 4096


class Run:
    """xstep diff with a terminal as its standard error, and a folder of its own for what is temporary."""

    def __init__(self, case, *words, stdout=None, tmp=None, command="diff", columns=80):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        case.addCleanup(shutil.rmtree, self.folder)
        self.tmp = tmp or self.folder / "tmp"
        self.tmp.mkdir(exist_ok=True)
        self.screen = screen.Screen(case, columns, rows=24)
        self.out = open(self.folder / "out", "w+b")
        self.command = [e2e.XSTEP, command, *map(str, words)]
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.DEVNULL, stdout=stdout or self.out, stderr=self.screen.side,
            env={**os.environ, "TMPDIR": str(self.tmp)}, preexec_fn=e2e.leave_nothing)
        self.screen.begun()
        case.addCleanup(self.close)

    def close(self):
        e2e.end(self.process)
        self.process.wait()
        self.screen.close()
        self.out.close()

    @property
    def seen(self):
        return self.screen.seen

    def read(self):
        return self.screen.read()

    def wait_for(self, pattern):
        """Until the terminal shows something; whether it does."""
        return e2e.wait_until(lambda: [self.read()] and re.search(pattern, self.seen), self.process)

    def end(self):
        """Its exit status, what it said on standard output, and what it left in its folder."""
        deadline = time.monotonic() + e2e.WAIT_SECONDS
        while self.read() and time.monotonic() < deadline:
            pass
        status = self.process.wait(e2e.WAIT_SECONDS)
        self.out.seek(0)
        return status, self.out.read().decode(), sorted(path.name for path in self.tmp.iterdir())

    def debuggers(self, name):
        """Processes of a debugger that works for this run."""
        found = []
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if (entry / "comm").read_text(errors="replace").strip().startswith(name) and \
                        f"XSTEP_JOB={self.tmp}".encode() in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
        return found


class Manners(e2e.TestCase):
    def setUp(self):
        self.endless = e2e.compile("end_loop.c", e2e.GCC, ("-g", "-O1"))
        self.long = e2e.compile(e2e.TOP / "bench/loop.c", e2e.GCC, ("-g", "-O0"))

    def small_disk(self, size):
        disk = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(os.rmdir, disk)
        if os.geteuid() or e2e.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none",
                                    disk]).returncode:
            self.skipTest("cannot mount a tmpfs")
        self.addCleanup(e2e.run, ["umount", "-l", disk])
        return disk

    def interrupt(self, run, number, pattern):
        """Sends a signal when the terminal shows something. xstep dies of it and leaves nothing."""
        self.assertTrue(run.wait_for(pattern), f"{run.command}: {pattern} is not in {run.seen!r}")
        run.process.send_signal(number)
        status, out, left = run.end()
        self.assertEqual(status, -number, f"{run.command}: {run.seen}")
        self.assertEqual(left, [])
        return out

    # --- the line of progress

    @needs_debuggers
    @e2e.smoke
    def test_the_line_of_progress_names_the_phases(self):
        program = e2e.compile("demo.c", e2e.GCC, ("-g", "-O1"))
        for quiet in ((), ("--quiet",)):
            run = Run(self, *quiet, program)
            status, out, left = run.end()
            self.assertIn(status, (0, 1), run.seen)
            self.assertEqual(left, [])
            phases = ["looking for the debuggers", "recording xstep,gdb,lldb", "keeping what gdb said",
                      "keeping what lldb said", "comparing", "judging"]
            places = [run.seen.find(f"\r{phase}") for phase in phases]
            if quiet:
                self.assertEqual(places, [-1] * len(phases), run.seen)
                continue
            self.assertNotIn(-1, places, run.seen)
            self.assertEqual(places, sorted(places), run.seen)
            self.assertRegex(run.seen, r"\d+ steps, \d+ stops kept, \d+ steps/s")
            last = run.seen[run.seen.rindex("judging"):]
            self.assertIn("\r\x1b[K", last, "the line is wiped out")
            self.assertNotIn("\r", out)

    def test_no_line_where_there_is_no_terminal(self):
        result = e2e.xstep("diff", e2e.compile("demo.c", e2e.GCC, ("-g", "-O1")))
        self.assertNotIn("\r", result.stderr)

    # --- signals

    @needs_debuggers
    def test_a_signal_while_debuggers_are_looked_for(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        slow = script(folder, "gdb", 'exec tail -f "$0"')
        run = Run(self, "--gdb", slow, self.endless)
        self.assertTrue(e2e.wait_until(lambda: run.read() and using(slow), run.process), run.seen)
        out = self.interrupt(run, signal.SIGTERM, "looking for the debuggers")
        self.assertEqual(out, "")
        self.assertIn("nothing is there yet", run.seen)
        self.assertEqual(using(slow), [])

    @needs_debuggers
    @e2e.smoke
    def test_a_signal_while_all_record(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            program = self.own(self.endless)
            run = Run(self, program)
            out = self.interrupt(run, number, r"recording xstep,gdb,lldb: \d{2,} steps")
            name = f"interrupted by {signal.Signals(number).name}"
            self.assertRegex(out, rf"end_loop: \d+ stops, [1-9]\d* facts compared")
            for who in ("xstep", "gdb", "lldb"):
                self.assertRegex(out, rf"(?m)^  {who} .*; {name}$")
            self.assertEqual(using(program), [])

    @needs_debuggers
    def test_a_signal_while_each_records(self):
        for witness in ("gdb", "lldb"):
            file = pathlib.Path(tempfile.mkdtemp()) / "kept.db"
            self.addCleanup(shutil.rmtree, file.parent)
            run = Run(self, "--drive", "native", "--sample", "all", "--no-plan", "--limit", 20000,
                      "--witness", f"xstep,{witness}", "--format", "json", "-o", file, self.long, 100000)
            told = json.loads(self.interrupt(run, signal.SIGTERM, rf"recording {witness}: \d+ steps, \d{{3,}}"))
            ends = {one["witness"]: one for one in told["witnesses"]}
            self.assertEqual(ends[witness]["how"], "interrupted by SIGTERM")
            self.assertIs(ends[witness]["complete"], False)
            self.assertGreater(told["summary"]["compared"], 0)
            self.expect(e2e.xstep("store", "check", file))

    @needs_debuggers
    def test_a_signal_while_it_prints(self):
        """Nobody reads what it prints: it waits, and is told to end, or the reader leaves."""
        program = e2e.compile("diff_demo.c", e2e.GCC, ("-g", "-O2"))
        for number in (signal.SIGTERM, signal.SIGPIPE):
            reader, writer = os.pipe()
            fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
            run = Run(self, "--format", "json", program, stdout=writer)
            os.close(writer)
            self.assertTrue(e2e.wait_until(
                lambda: run.read() and "judging" in run.seen and e2e.sleeps(run.process.pid)
                and select.select([reader], [], [], 0)[0], run.process), run.seen)
            if number == signal.SIGPIPE:
                os.close(reader)
            else:
                run.process.send_signal(number)
            status, _, left = run.end()
            self.assertEqual(status, -number, run.seen)
            self.assertEqual(left, [])
            if number != signal.SIGPIPE:
                os.close(reader)

    @needs_debuggers
    def test_a_signal_at_a_stop_with_millions_of_values(self):
        """Looking at it, and keeping it, takes a minute: nobody waits for that."""
        program = self.own(e2e.compile("tool_deep_arrays.c", e2e.GCC, ("-g", "-O0")))
        for used in (0.3, 2, 4):  # seconds of the processor: in the middle of looking, and of keeping
            run = Run(self, "--from", "leaf", "--limit", 300, program)
            self.assertTrue(run.wait_for("recording xstep,gdb,lldb"), run.seen)
            stat = pathlib.Path(f"/proc/{run.process.pid}/stat")
            own = lambda: sum(map(int, stat.read_text().rpartition(")")[2].split()[11:13])) / \
                os.sysconf("SC_CLK_TCK")
            self.assertTrue(e2e.wait_until(lambda: run.read() and own() > used, run.process), run.seen)
            before = own()
            run.process.send_signal(signal.SIGTERM)
            most = before
            while run.process.poll() is None:
                run.read()
                with e2e.contextlib.suppress(OSError, ProcessLookupError, IndexError):
                    most = max(most, own())
                self.assertLess(most - before, 15, "it goes on as if nothing had happened")
            status, _, left = run.end()
            self.assertEqual(status, -signal.SIGTERM, run.seen)
            self.assertEqual(left, [])
            self.assertEqual(using(program), [])

    # --- what nobody can prepare for

    @needs_debuggers
    def test_a_kill_leaves_no_process_and_the_next_run_no_file(self):
        words = "--sample", "all", "--limit", 3000, self.long, 100000
        for drive, phase in (("shared", r"recording xstep,gdb,lldb: \d+ steps, \d{2,}"),
                             ("native", r"recording gdb: \d+ steps, \d{2,}"),
                             ("native", r"recording lldb: \d+ steps, \d{2,}")):
            with self.subTest(f"{drive} {phase}"):
                program = self.own(self.long)
                run = Run(self, "--drive", drive, *words[:-2], program, words[-1])
                self.assertTrue(run.wait_for(phase), run.seen)
                run.process.kill()
                _, _, left = run.end()
                self.assertTrue(left, "nothing to sweep: the test tests nothing")
                self.assertTrue(e2e.wait_until(lambda: not run.debuggers("") and not using(program)),
                                f"{run.debuggers('')} {using(program)}")
                # One that lives keeps its own.
                other = Run(self, *words, tmp=run.tmp)
                self.assertTrue(other.wait_for(r"recording xstep,gdb,lldb: \d+ steps, \d{2,}"), other.seen)
                held = set(os.listdir(run.tmp))
                self.assertFalse(held & set(left), "what the killed one left is still there")
                self.expect(e2e.xstep("explain", program, "main",
                                      env={**os.environ, "TMPDIR": str(run.tmp)}))
                self.assertEqual(set(os.listdir(run.tmp)), held)
                other.process.send_signal(signal.SIGTERM)
                self.assertEqual(other.end()[2], [])

    # --- a full disk

    @needs_debuggers
    def test_a_store_on_a_full_disk(self):
        file = self.small_disk("600k") / "trace.db"
        run = Run(self, "--sample", "all", "--limit", 100000, "-o", file, self.long, 100000)
        status, _, left = run.end()
        self.assertEqual(status, 2, run.seen)
        self.assertRegex(run.seen, r"trace\.db: .*(full|No space)")
        self.assertEqual(left, [])
        self.expect(e2e.xstep("store", "check", file))

    @needs_debuggers
    def test_no_room_for_what_debuggers_say(self):
        disk = self.small_disk("600k")
        file = pathlib.Path(tempfile.mkdtemp()) / "kept.db"
        self.addCleanup(shutil.rmtree, file.parent)
        words = "-o", file, self.long, 100000
        # A comparison keeps what they say at once; a trace prints one witness after the other.
        run = Run(self, "--witness", "xstep,gdb", "--sample", "all", "--limit", 20000, *words, tmp=disk,
                  command="trace")
        status, _, left = run.end()
        self.assertEqual(status, 2, run.seen)
        self.assertRegex(run.seen, r"gdb: what it says could not be kept: .*No space left on device")
        self.assertEqual(left, [])
        self.expect(e2e.xstep("store", "check", file))
        run = Run(self, "--sample", "all", "--limit", 3000, *words, tmp=disk)
        status, out, left = run.end()
        self.assertIn(status, (0, 1), run.seen)
        self.assertRegex(out, r"3000 stops, [1-9]\d* facts compared")
        self.assertEqual(left, [])

    # --- a debugger that is lost

    @needs_debuggers
    @e2e.smoke
    def test_a_debugger_that_is_killed(self):
        for drive in ("shared", "native"):
            for witness in ("gdb", "lldb"):
                with self.subTest(f"{drive} {witness}"):
                    phase = "recording xstep,gdb,lldb" if drive == "shared" else f"recording {witness}"
                    run = Run(self, "--drive", drive, "--sample", "all", "--limit", 5000, self.long, 100000)
                    self.assertTrue(run.wait_for(rf"{phase}: \d+ steps, \d{{2,}} stops"), run.seen)
                    lost = run.debuggers(witness)
                    self.assertTrue(lost, run.seen)
                    for pid in lost:
                        os.kill(pid, signal.SIGKILL)
                    status, out, left = run.end()
                    self.assertEqual(status, 2, run.seen)
                    self.assertRegex(out, rf"(?m)^  {witness} .*; killed by SIGKILL")
                    self.assertRegex(out, rf"{witness} has \d+ fewer than xstep and 0 more; its trace is inc")
                    self.assertRegex(out, r"5000 stops, [1-9]\d* facts compared")
                    self.assertEqual(left, [])


if __name__ == "__main__":
    e2e.main()
