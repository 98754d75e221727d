#!/usr/bin/python3
"""kept_test.py - debuggers that are started once and lend copies of themselves: what they say is what fresh ones
say, one that dies disturbs nobody, and nothing is left behind, whoever is killed."""
import contextlib
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e
import keeper

PROGRAMS = (("09_constant_data.c", e2e.GCC, "-O2"), ("array_parameters.c", e2e.CLANG, "-O0"),
            ("check_value.c", e2e.GCC, "-O2"), ("leave_longjmp.c", e2e.CLANG, "-O1"),
            ("end_abort.c", e2e.GCC, "-O0"))


def is_alive(pid):
    """Whether a process is there, and is no zombie."""
    try:
        with open(f"/proc/{pid}/stat", errors="replace") as stat:
            return stat.read().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


class Kept(e2e.TestCase):
    """With a gdb and an lldb that are kept."""

    def setUp(self):
        self.keeper = keeper.Keeper()
        self.addCleanup(self.keeper.close)
        if not self.keeper:
            self.skipTest(self.keeper.process.stderr.read().strip() or "no debuggers")

    def start_trace(self):
        """A trace of a program without an end, when both debuggers look at it: (xstep, the copies)."""
        program = self.endless()
        process = subprocess.Popen([e2e.XSTEP, *keeper.TRACE, "--sample", "all", "-o", "/dev/null", program],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                                   env=self.keeper.environment, preexec_fn=e2e.leave_nothing)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.assertTrue(e2e.wait_until(
            lambda: all(len(self.keeper.copies(who)) == 1 for who in ("gdb", "lldb")), process))
        return process, {who: self.keeper.copies(who)[0] for who in ("gdb", "lldb")}

    def endless(self):
        folder = pathlib.Path(self.keeper.folder)
        source = folder / "endless.c"
        source.write_text("volatile int n;\nint main(void)\n{\n\tfor (;;)\n\t\tn++;\n}\n")
        self.assertEqual(e2e.run([e2e.GCC, "-g", "-O0", "-o", folder / "endless", source]).returncode, 0)
        return folder / "endless"

    def expect_as_fresh(self, program, lent=("gdb", "lldb")):
        """That a trace with kept debuggers is one with fresh ones, and that these were really lent."""
        lines, status, who = self.keeper.trace(program)
        self.assertEqual((status, who), (0, list(lent)))
        fresh, _, nobody = self.keeper.trace(program, kept=False)
        self.assertEqual(nobody, [])
        self.expect_same_text([("fresh", fresh), ("kept", lines)])

    @e2e.smoke
    def test_same_as_fresh(self):
        """Byte for byte, whatever was asked before."""
        for name, compiler, level in PROGRAMS:
            with self.subTest(name):
                self.expect_as_fresh(e2e.compile(name, compiler, ("-g", level)))
        self.assertEqual([self.keeper.copies(who) for who in ("gdb", "lldb")], [[], []])

    def test_copy_is_killed(self):
        """Its xstep tells of it, the other debugger goes on, and the next one is lent all the same."""
        for who, other in (("gdb", "lldb"), ("lldb", "gdb")):
            with self.subTest(who=who):
                process, copies = self.start_trace()
                os.kill(copies[who], signal.SIGKILL)
                self.assertTrue(e2e.wait_until(lambda: copies[who] not in self.keeper.copies(who)))
                self.assertTrue(is_alive(copies[other]))
                process.terminate()
                process.wait()
                self.assertTrue(e2e.wait_until(lambda: not is_alive(copies[other])))
        self.expect_as_fresh(e2e.compile("end_abort.c", e2e.GCC, ("-g", "-O0")))

    def test_xstep_is_killed(self):
        """Its copies go with it, whatever they are doing: one of them is stopped."""
        process, copies = self.start_trace()
        os.kill(copies["lldb"], signal.SIGSTOP)
        process.kill()
        process.wait()
        self.assertTrue(e2e.wait_until(lambda: not any(map(is_alive, copies.values()))))
        self.expect_as_fresh(e2e.compile("end_abort.c", e2e.GCC, ("-g", "-O0")))

    def test_kept_one_is_killed(self):
        """Its copy goes with it; who asks later starts one."""
        process, copies = self.start_trace()
        os.kill(self.keeper.pids["gdb"], signal.SIGKILL)
        self.assertTrue(e2e.wait_until(lambda: not is_alive(copies["gdb"])))
        self.assertTrue(is_alive(copies["lldb"]))
        process.kill()
        process.wait()
        self.assertTrue(e2e.wait_until(lambda: not is_alive(copies["lldb"])))
        self.expect_as_fresh(e2e.compile("end_abort.c", e2e.GCC, ("-g", "-O0")), ["lldb"])

    def test_keeper_is_killed(self):
        process, copies = self.start_trace()
        self.keeper.process.kill()
        everybody = [*copies.values(), *self.keeper.pids.values()]
        self.assertTrue(e2e.wait_until(lambda: not any(map(is_alive, everybody))))
        process.kill()


class Campaign(e2e.TestCase):
    """Jobs of diff with kept debuggers find what they find with fresh ones."""

    def setUp(self):
        held = tempfile.TemporaryDirectory(prefix="kept_test-", ignore_cleanup_errors=True)
        self.addCleanup(held.cleanup)
        self.folder = pathlib.Path(held.name)
        (self.folder / "tmp").mkdir()
        (self.folder / "sources").mkdir()
        for name in ("09_constant_data.c", "check_value.c"):
            shutil.copy(e2e.subject(name), self.folder / "sources")
        self.environment = {**os.environ, "TMPDIR": str(self.folder / "tmp")}

    def words(self, directory, *more):
        return ["run", directory, "--sources", self.folder / "sources", "--compilers", e2e.GCC, "--levels=-O0,-O2",
                "--oracles", "diff", "--no-sanitize", "--jobs", "1", *more]

    def campaign(self, *words):
        return e2e.xstep("campaign", *words, env=self.environment, cwd=self.folder)

    def findings(self, directory):
        with contextlib.closing(sqlite3.connect(self.folder / directory / "campaign.db")) as db:
            return json.dumps([db.execute(text).fetchall() for text in (
                "SELECT program, level, outcome, detail FROM job ORDER BY 1, 2",
                "SELECT signature.text, finding.id, basis, wrong FROM finding JOIN signature "
                "ON signature.id = finding.signature ORDER BY 1, 2")], indent=1)

    def kept_ones(self, process):
        """The kept debuggers of a campaign, {process: copies}."""
        found = {}
        for pid in e2e.descendants(process.pid):
            with contextlib.suppress(OSError):
                with open(f"/proc/{pid}/environ", "rb") as environment:
                    if b"XSTEP_KEPT_AS=" in environment.read() and os.getpgid(pid) == pid:
                        found[pid] = e2e.descendants(pid)[1:]
        return found

    def test_same_findings(self):
        told = self.campaign(*self.words("fresh", "--debuggers", "fresh", "--sample", "unique"))
        if "apt-get install" in told.stderr:
            self.skipTest(told.stderr.strip())
        self.expect(told, status=1)
        self.expect(self.campaign(*self.words("kept", "--sample", "unique")), status=1)
        self.expect_same_text([("fresh", self.findings("fresh")), ("kept", self.findings("kept"))])
        self.assertIn("constant-data", self.findings("kept"))
        self.expect(self.campaign("run", "kept", "--sample", "dtd"), status=2, says="is another campaign")
        self.expect(self.campaign("run", "kept", "--debuggers", "fresh"), status=1)

        # Whoever is killed meanwhile: it is done with others, and nobody is left.
        process = subprocess.Popen([e2e.XSTEP, "campaign", *map(str, self.words("killed", "--sample", "unique"))],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment,
                                   cwd=self.folder, preexec_fn=e2e.leave_nothing)
        self.assertTrue(e2e.wait_until(lambda: any(self.kept_ones(process).values()), process))
        ones = self.kept_ones(process)
        for pid in (pid for one, copies in ones.items() for pid in (one, *copies)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.assertEqual(process.wait(), 1)
        self.expect_same_text([("fresh", self.findings("fresh")), ("killed", self.findings("killed"))])

    def test_campaign_is_killed(self):
        process = subprocess.Popen([e2e.XSTEP, "campaign", *map(str, self.words("killed"))],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment,
                                   cwd=self.folder, preexec_fn=e2e.leave_nothing)
        self.assertTrue(e2e.wait_until(lambda: any(self.kept_ones(process).values()), process))
        everybody = e2e.descendants(process.pid)
        process.kill()
        process.wait()
        self.assertTrue(e2e.wait_until(lambda: not any(map(is_alive, everybody))))


if __name__ == "__main__":
    e2e.main()
