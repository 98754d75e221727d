"""e2e.py - helps end-to-end tests: builds subjects once, runs the real xstep, compares.

The environment says what to test: XSTEP is the program, XSTEP_CACHE where subjects are kept. A
subject is compiled once per (source, compiler, flags) and found again by the hash of these.
"""
import ctypes
import hashlib
import json
import os
import pathlib
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
TESTDATA = TOP / "testdata"
XSTEP = os.environ.get("XSTEP", str(TOP / "build/release/xstep"))
CACHE = pathlib.Path(os.environ.get("XSTEP_CACHE", TOP / "build/subjects"))
GCC, CLANG = "gcc-12", "clang-15"
LIMIT_SECONDS = 120  # for any one command: a test must not hang, whatever it tests


LIBC = ctypes.CDLL(None)
PR_SET_PDEATHSIG = 1


def leave_nothing():
    """Programs that are meant to crash leave no core, and no command outlives the test that runs
    it, however that ends. (xstep and gdb take the programs that they trace with them.)"""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def run(command, **options):
    """Runs a command to its end; never raises for its exit status."""
    options.setdefault("stdin", subprocess.DEVNULL)
    options.setdefault("timeout", LIMIT_SECONDS)
    options.setdefault("preexec_fn", leave_nothing)
    command = [str(word) for word in command]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    result.stdout = result.stdout.decode(errors="replace")
    result.stderr = result.stderr.decode(errors="replace")
    result.rerun = shlex.join(command)
    return result


def subject(name):
    """The path of a subject, by its name in testdata/ or in one of its folders."""
    found = [TESTDATA / name] if (TESTDATA / name).exists() else sorted(TESTDATA.glob(f"*/{name}"))
    if len(found) != 1:
        raise FileNotFoundError(f"testdata has {len(found)} subjects called {name}")
    return found[0]


def compile(source, compiler=GCC, flags=("-g", "-O0")):
    """The executable of a source (a path, or a name in testdata/), compiled if it is not yet. NAME_with.c
    is compiled with NAME.c, as a unit of its own."""
    source = pathlib.Path(source)
    if not source.is_absolute():
        source = subject(source)
    sources = [source, *source.parent.glob(f"{source.stem}_with.c")]
    text = b"".join(path.read_bytes() for path in sources)
    for name in sorted(set(re.findall(rb'^#include "((?:dwarf|units)_\w+\.h)"$', text, re.M))):
        text += (source.parent / name.decode()).read_bytes()
    own = re.search(rb"^ \* build: (.*)$", text, re.M)
    words = [compiler, *flags, *(own.group(1).decode().split() if own else ())]
    key = hashlib.sha256(b"\0".join([text, str(source).encode(), *map(str.encode, words)]))
    folder = CACHE / f"{source.stem}-{key.hexdigest()[:16]}"
    program = folder / source.stem
    if program.exists():
        return program
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as scratch:
        made = pathlib.Path(scratch) / source.stem
        result = run([*words, "-w", "-o", made, *sources, "-lm"])
        if result.returncode:
            raise RuntimeError(f"{result.rerun}\n{result.stderr}")
        folder.mkdir(exist_ok=True)
        made.rename(program)  # whole or not at all, whoever else builds it now
    return program


def xstep(*words, **options):
    """Runs xstep."""
    return run([XSTEP, *words], **options)


def stops(result):
    """The stops of `xstep trace --format json`."""
    return [json.loads(line) for line in result.stdout.splitlines()]


def stop_line(source, name):
    """The line of `STOP(name)` in hand-written DWARF; None if the stop is just a label."""
    for number, line in enumerate(source.read_text().splitlines(), 1):
        if line.startswith(f"STOP({name})"):
            return number
    return None


def stop_pc(program, name):
    """The link-time address of a stop of hand-written DWARF."""
    return int(re.search(rf"^(\w+) \w at_{name}$", run(["nm", program]).stdout, re.M).group(1), 16)


def subjects():
    """The programs of testdata/ that describe the trace they expect of themselves."""
    return sorted((path for folder in (".", "check", "code", "control", "values")
                   for path in (TESTDATA / folder).glob("*.c")
                   if not path.name.endswith("_with.c")), key=lambda path: path.name)


def header(source):
    """The `key: value` lines in a subject's first comment."""
    comment = source.read_text().split("*/")[0]
    return dict(re.findall(r"^(?:/\*| \*) (\w+): (.*)$", comment, re.M))


class TestCase(unittest.TestCase):
    """A test whose failures say how to see them again."""

    longMessage = True

    def expect(self, result, status=0, says=None):
        """The exit status, and a part of what was said on stderr."""
        self.assertEqual(result.returncode, status,
                         f"\nrerun: {result.rerun}\n{result.stdout[-2000:]}\n{result.stderr[-2000:]}")
        if says is not None:
            self.assertIn(says, result.stderr, f"\nrerun: {result.rerun}")
        return result


def main():
    unittest.main(verbosity=2)
