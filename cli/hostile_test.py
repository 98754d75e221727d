#!/usr/bin/python3
"""hostile_test.py - programs that make it hard for whoever traces them (testdata/hostile): natively and in
every mode of xstep trace their output and their end are the same, nothing hangs, nothing is left behind.

    cli/hostile_test.py [all]       all: larger loads, too"""
import collections
import concurrent.futures
import functools
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

FOLDER = e2e.TESTDATA / "hostile"
SECONDS = 120  # of the processor: nothing here needs a tenth of that
# As xstep runs a program: what it prints may depend on it.
ENVIRONMENT = {"LC_ALL": "C", "PATH": "/usr/bin:/bin"}
MODES = {"single": ("--mode", "single"), "blocks": ("--limit", "1000000000000"), "cache": (),
         "threads": ("--threads", "all")}
# What differs, and why; docs/limits.md tells of each. (program, mode): what it prints, a pattern.
DIFFERS = {
    # xstep runs each program at the same addresses every time.
    **{("personality", mode): r"40000\n" for mode in MODES},
    # The traps that xstep plants are in the code that the program adds up.
    **{("text_read", mode): r"(changed\n)*\d+\n" for mode in ("blocks", "cache")},
    # A SIGTRAP that the program ignores never reaches it, and so is not pending where it is blocked, too.
    **{("signal_trap_ignored", mode): r"0\n" for mode in MODES}}
ALL = {"flood": ("100",)}  # arguments of the larger loads

Run = collections.namedtuple("Run", "output end said left")


def end_of(said):
    """How the program ended, as xstep says it: a status as Python has it."""
    if match := re.search(r"exited with status (\d+)", said):
        return int(match.group(1))
    if match := re.search(r"killed by SIG(\w+)", said):
        return -getattr(signal, f"SIG{match.group(1)}")
    return None


def processes_of(folder):
    """Whoever runs a program of the folder."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(entry / "exe").startswith(f"{folder}/") and \
                    (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()[0] != "Z":
                found.append(entry.name)
        except OSError:
            continue
    return found


def run(name, mode, words=()):
    """One run in a folder of its own; mode None is natively."""
    program = e2e.compile(FOLDER / f"{name}.c", e2e.GCC, ("-g", "-O1"))
    folder = pathlib.Path(tempfile.mkdtemp(dir=e2e.CACHE))
    try:
        (folder / "tmp").mkdir()
        own = folder / name
        os.link(program, own)  # a copy would be open for writing in whoever is forked at that moment
        output = folder / "output"
        command = [own, *words] if mode is None else [
            e2e.XSTEP, "trace", *MODES[mode], "--sample", "unique", "--format", "none", "--stdout", output, own,
            *words]
        environment = ENVIRONMENT if mode is None else {**os.environ, "TMPDIR": str(folder / "tmp")}
        try:
            result = e2e.run(command, SECONDS, env=environment, cwd=folder)
            said, end = result.stderr, result.returncode if mode is None else end_of(result.stderr[-20000:])
            if mode is None:
                output.write_text(result.stdout)
            elif result.returncode not in (0, 2) or "Sanitizer" in said or "assert" in said:
                end, said = f"xstep: {result.returncode}", said
        except subprocess.TimeoutExpired:
            said, end = "", "it hangs"
        # What the program left is its own affair, and takes a moment to end, as natively.
        e2e.wait_until(lambda: not processes_of(folder)) if end != "it hangs" else None
        left = processes_of(folder) + os.listdir(folder / "tmp") + sorted(
            set(os.listdir(folder)) - {"tmp", name, "output"})
        return Run(output.read_text() if output.exists() else "", end, said[-2000:], left)
    finally:
        for pid in processes_of(folder):
            os.kill(int(pid), signal.SIGKILL)
        shutil.rmtree(folder, ignore_errors=True)


@functools.cache
def run_natively(name, words):
    return run(name, None, words)


class Hostile(e2e.TestCase):
    maxDiff = 2000

    def compare(self, mode, names, arguments=None):
        """Natively and in one mode, as many at a time as there are processors."""
        arguments = arguments or {}
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            jobs = [(name, pool.submit(run_natively, name, arguments.get(name, ())),
                     pool.submit(run, name, mode, arguments.get(name, ())))
                    for name in names]
            for name, native, traced in jobs:
                with self.subTest(f"{name} {mode}"):
                    native, traced = native.result(), traced.result()
                    self.assertEqual(native.left, [])
                    self.assertEqual(traced.end, native.end, traced.said)
                    pattern = DIFFERS.get((name, mode))
                    self.assertTrue(re.fullmatch(pattern, traced.output) if pattern
                                    else traced.output == native.output,
                                    f"natively {e2e.cut(native.output)!r}, here {e2e.cut(traced.output)!r}\n"
                                    f"{traced.said}")
                    self.assertEqual(traced.left, [])

    @staticmethod
    def names(threads=False):
        """Of all programs, or of those with threads."""
        return [path.stem for path in sorted(FOLDER.glob("*.c"))
                if not threads or "pthread" in path.read_text()]

    def test_single(self):
        self.compare("single", self.names())

    def test_blocks(self):
        self.compare("blocks", self.names())

    def test_cache(self):
        self.compare("cache", self.names())

    def test_threads(self):
        self.compare("threads", self.names(threads=True))

    @e2e.unittest.skipUnless("all" in sys.argv[1:], "cli/hostile_test.py all")
    def test_larger_loads(self):
        for mode in ("blocks", "cache"):
            self.compare(mode, ALL, ALL)


if __name__ == "__main__":
    e2e.main(sys.argv[:1] if "all" in sys.argv[1:] else None)
