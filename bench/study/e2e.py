"""e2e.py - helps end-to-end tests: builds subjects once, runs the real xstep, compares.

The environment says what to test: XSTEP is the program, XSTEP_CACHE where subjects are kept. A
subject is compiled once per (source, compiler, flags) and found again by the hash of these.

No test depends on the clock. A command is given up when it has used too much of the processor, or
hardly any of it for a long time; a condition is waited for as long as it may take. On a busy machine
all of that takes longer and says the same.
"""
import contextlib
import ctypes
import difflib
import hashlib
import itertools
import json
import os
import pathlib
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
TESTDATA = TOP / "testdata"
os.environ["XSTEP_PAGER"] = "cat"  # a test that has a terminal has nobody who turns pages
XSTEP = os.environ.get("XSTEP", str(TOP / "build/release/xstep"))
CACHE = pathlib.Path(os.environ.get("XSTEP_CACHE", TOP / "build/subjects"))
GCC, CLANG = "gcc-12", "clang-15"
LIMIT_SECONDS = 600  # of the processor, for any one command: a test must not hang, whatever it tests
IDLE_SECONDS = 90  # of the clock, in which a command that does something uses a good part of a second
WAIT_SECONDS = 900  # of the clock, for what must happen by itself; only a test that fails waits so long
BEGAN = time.time()

LIBC = ctypes.CDLL(None)
PR_SET_PDEATHSIG = 1


def leave_nothing():
    """Programs that are meant to crash leave no core, and no command outlives the test that runs
    it, however that ends. (xstep and gdb take the programs that they trace with them.) A shell makes what runs
    in its background deaf to ^C; a command that is tested hears it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def processor_seconds(pid):
    """What a process, all that it started and all that it has waited for have used of the processor."""
    try:
        with open(f"/proc/{pid}/stat", errors="replace") as stat:  # it has a name
            fields = stat.read().rpartition(")")[2].split()
        with open(f"/proc/{pid}/task/{pid}/children") as children:
            return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK") + sum(
                processor_seconds(child) for child in children.read().split())
    except (FileNotFoundError, ProcessLookupError):
        return 0.0


def descendants(pid):
    """A process and all that it started."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as children:
            return [pid, *(one for child in children.read().split() for one in descendants(int(child)))]
    except (FileNotFoundError, ProcessLookupError):
        return [pid]


def end(process):
    """Kills a process and all that it started, which would hold on to its pipes."""
    for pid in descendants(process.pid):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def communicate(process, seconds=LIMIT_SECONDS):
    """Waits for the end of a process and returns what it wrote. Kills it, and raises TimeoutExpired, when it
    has used so many seconds of the processor, or none to speak of for a long time."""
    idle = min(IDLE_SECONDS, 10 * seconds)
    mark, marked = 0.0, time.monotonic()
    while True:
        try:
            return process.communicate(timeout=min(1, seconds))
        except subprocess.TimeoutExpired:
            used, now = processor_seconds(process.pid), time.monotonic()
            if abs(used - mark) > 0.003 * idle:
                mark, marked = used, now
            if used > seconds or now - marked > idle:
                end(process)
                process.communicate()
                raise


def run(command, timeout=LIMIT_SECONDS, **options):
    """Runs a command to its end; never raises for its exit status. The timeout is in seconds of the
    processor, see communicate()."""
    options.setdefault("stdin", subprocess.DEVNULL)
    options.setdefault("preexec_fn", leave_nothing)
    command = [str(word) for word in command]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options) as process:
        try:
            out, err = communicate(process, timeout)
        except BaseException:
            end(process)
            raise
    result = subprocess.CompletedProcess(command, process.returncode, out.decode(errors="replace"),
                                         err.decode(errors="replace"))
    result.rerun = shlex.join(command)
    return result


def wait_until(condition, process=None):
    """Waits until a condition holds and says whether it does, which it does not if the process ends before,
    or after a time that is long on any machine."""
    deadline = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < deadline:
        ended = process and process.poll() is not None
        if condition():
            return True
        if ended:
            return False
        time.sleep(0.02)
    return False


def catches(pid, number):
    """Whether a process has a handler for a signal: before that, the signal would just end it."""
    try:
        with open(f"/proc/{pid}/status") as status:
            caught = int(re.search(r"^SigCgt:\s*(\w+)$", status.read(), re.M).group(1), 16)
    except (FileNotFoundError, ProcessLookupError):
        return False
    return bool(caught >> (number - 1) & 1)


def sleeps(pid):
    """Whether a process waits for something, and is not merely stopped by its tracer."""
    try:
        with open(f"/proc/{pid}/stat", errors="replace") as stat:  # it has a name
            return stat.read().rpartition(")")[2].split()[0] == "S"
    except (FileNotFoundError, ProcessLookupError):
        return False


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
    for name in sorted(set(re.findall(rb'^#include "((?:cpp|dwarf|units)_\w+\.h)"$', text, re.M))):
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
        # Where a compiler runs is in the DWARF, and presets share the subjects.
        result = run([*words, "-w", "-o", made, *sources, "-lm"], cwd=CACHE)
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


def cut(text, most=160):
    text = str(text)
    return text if len(text) <= most else f"{text[:most]}... ({len(text)} characters)"


def leaves(value, path=""):
    """Each leaf of a JSON value with the way to it."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, f"{path}.{key}")
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from leaves(part, f"{path}[{number}]")
    else:
        yield path, json.dumps(value)


def in_pieces(line):
    """A line as short lines, so that a difference in it can be shown: each leaf of JSON is one."""
    try:
        return [f"{path} = {value}" for path, value in leaves(json.loads(line))]
    except ValueError:
        return [line]


def difference(one, other, names=("one", "other")):
    """The first difference of two texts, as a short unified diff."""
    lines = list(itertools.zip_longest(one.splitlines(), other.splitlines(), fillvalue=""))
    first = next((number for number, (a, b) in enumerate(lines) if a != b), None)
    if first is None:
        return "they differ in line ends only"
    around = [[piece for line in lines[first:first + 3] for piece in in_pieces(line[side])]
              for side in (0, 1)]
    shown = list(difflib.unified_diff(*around, *names, n=2, lineterm=""))
    more = sum(a != b for a, b in lines) - 1
    return "\n".join([f"line {first + 1}, and {more} more lines differ:", *map(cut, shown[:30])])


def machine_changes():
    """What was changed since the test began that every traced program depends on: an installed package moves
    libraries to other addresses and brings debug information for them."""
    watched = ("/etc/ld.so.cache", "/usr/lib/debug", "/usr/lib/debug/.build-id")
    return [path for path in watched if os.path.exists(path) and os.stat(path).st_mtime > BEGAN]


class TestCase(unittest.TestCase):
    """A test whose failures say how to see them again."""

    longMessage = True

    def assertMultiLineEqual(self, first, second, msg=None):
        """assertEqual() of texts: of long ones it shows the first difference, and does not look for all."""
        if first == second or len(first) + len(second) < 4000:
            return super().assertMultiLineEqual(first, second, msg)
        self.fail(self._formatMessage(msg, f"two texts should be the same\n{difference(first, second)}"))

    def expect_same_text(self, texts):
        """That all texts are the same; `texts` has (how to see it again, text). Shows the first difference."""
        (first_name, first), *others = texts
        for name, text in others:
            if text != first:
                changed = machine_changes()
                note = f"\nwritten since the test began: {', '.join(changed)}" if changed else ""
                self.fail(f"the output should be the same\nrerun: {first_name}\nrerun: {name}\n"
                          + difference(first, text) + note)

    def own(self, program):
        """A copy of a program that only this test runs, so that its processes are known by its path: other
        tests run at the same time."""
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        return pathlib.Path(shutil.copy(program, folder))

    def expect(self, result, status=0, says=None):
        """The exit status, and a part of what was said on stderr."""
        self.assertEqual(result.returncode, status,
                         f"\nrerun: {result.rerun}\n{result.stdout[-2000:]}\n{result.stderr[-2000:]}")
        if says is not None:
            self.assertIn(says, result.stderr, f"\nrerun: {result.rerun}")
        return result


def some(few, many):
    """How much of something is enough: few where xstep is slow because it is sanitized. Another preset tests
    the many."""
    return few if os.environ.get("XSTEP_SLOW") else many


def main(argv=None):
    """Runs the tests of a script: all, or those that the command line names. With XSTEP_SMOKE set only those
    that `smoke` marks."""
    loader = unittest.TestLoader()
    if os.environ.get("XSTEP_SMOKE"):
        everything = loader.getTestCaseNames
        loader.getTestCaseNames = lambda case: [
            name for name in everything(case) if hasattr(getattr(case, name), "smoke")]
    unittest.main(verbosity=2, testLoader=loader, argv=argv)


def smoke(test):
    """Marks a test that `./dev quick` runs, too: it takes a second or two and shows that a command works."""
    test.smoke = True
    return test
