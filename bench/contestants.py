"""contestants.py - one function for each contestant: runs a subject, returns a figures.Run.

Except where a whole run is meant, everyone's time begins at main (or the function given): xstep's
way there is measured by a run of one stop and taken off; the others look at the clock themselves.

Some are measured by the clock (timed), some by what they use of the processor (used): xstep and the
program that it runs together. The second is hardly changed by what else the machine does.
"""
import collections
import contextlib
import functools
import json
import os
import pathlib
import re
import sqlite3
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "study"))
import compare_steps
import e2e
from figures import Run

TOOL = ("-O2", "-D_GNU_SOURCE")


# Seconds of the clock, seconds of the processor, bytes at the peak, what was said on both streams.
Done = collections.namedtuple("Done", "clock processor memory said")


def done(words, stdin=None, good=(0,), **options):
    """Runs a command to its end. good: exit statuses that are no failure."""
    peak = e2e.compile(HERE / "peak.c", e2e.GCC, TOOL)
    with tempfile.NamedTemporaryFile("r") as figures, open(stdin or os.devnull, "rb") as file:
        result = e2e.run([peak, figures.name, *words], timeout=3600, stdin=file, **options)
        if result.returncode not in good:
            sys.exit(f"bench: {result.rerun} failed:\n{result.stdout}{result.stderr}")
        clock, processor, kilobytes = figures.read().split()
    return Done(float(clock), float(processor), int(kilobytes) * 1024, result.stdout + result.stderr)


def timed(*words, **options):
    """Seconds of the clock, peak memory, what was said."""
    run = done(*words, **options)
    return run.clock, run.memory, run.said


def used(*words, **options):
    """The same with seconds of the processor."""
    run = done(*words, **options)
    return run.processor, run.memory, run.said


def native(subject):
    """The whole run of the program by itself."""
    seconds, memory, _ = used(["/bin/sh", "-c", 'exec "$0" "$@" >/dev/null', subject.program,
                               *subject.arguments], subject.stdin)
    return Run(1, seconds, memory)


def trace(subject, *options, by=timed):
    """A trace to nowhere: seconds, peak memory, the line of --stats."""
    with tempfile.NamedTemporaryFile("r") as stats:
        seconds, memory, _ = by([e2e.XSTEP, "trace", "--format", "json", "-o", "/dev/null",
                                 "--stdout", "/dev/null", f"--stats={stats.name}", *options,
                                 subject.program, *subject.arguments], subject.stdin)
        return seconds, memory, json.load(stats)


def xstep(subject, *options, limit=0, sample="none", by=timed):
    """Instruction by instruction, as the options say, of all or of the first `limit`."""
    options += "--sample", sample
    start, _, _ = trace(subject, *options, "--limit", 1, by=by)
    seconds, memory, stats = trace(subject, *options, *(["--limit", limit] if limit else []), by=by)
    return Run(stats["instructions"] - 1, seconds - start, memory)


def xstep_every(subject):
    """The whole run in exact, from the start of xstep to its end: each stop is told."""
    seconds, memory, stats = trace(subject, "--mode", "exact", "--sample", "none", by=used)
    return Run(1, seconds, memory, {key: stats[key] for key in ("instructions", "transitions")})


def xstep_counts(subject):
    """The same with all counts: each transition is told once, and its number at the end."""
    seconds, memory, stats = trace(subject, "--mode", "exact", "--sample", "unique", by=used)
    return Run(1, seconds, memory, {key: stats[key] for key in ("instructions", "transitions")})


def xstep_stored(subject):
    """The same with the stops that dtd picks in a store, with all variables, frames and registers."""
    with tempfile.TemporaryDirectory() as folder:
        seconds, memory, said = used([
            e2e.XSTEP, "trace", "--sample", "dtd", "--vars", "all", "--frames", "--regs", "-o",
            pathlib.Path(folder) / "trace.db", "--stdout", "/dev/null", subject.program, *subject.arguments],
            subject.stdin)
    kept = re.search(r"(\d+) kept", said) or re.search(r"(\d+) stops", said)  # without: each is kept
    return Run(1, seconds, memory, {"kept": int(kept.group(1))})


def valgrind(subject, *options):
    """The whole run in valgrind, with one of its tools."""
    seconds, memory, _ = used(["/bin/sh", "-c", 'exec "$0" "$@" >/dev/null', "valgrind", *options,
                               subject.program, *subject.arguments], subject.stdin)
    return Run(1, seconds, memory)


def check_probes(subject):
    """The whole check, from the start of xstep to what it has found."""
    seconds, memory, _ = used([e2e.XSTEP, "check", "probes", "--format", "json", "--stdout", "/dev/null",
                               subject.program, *subject.arguments], subject.stdin, good=(0, 1))
    return Run(1, seconds, memory)


def framed(subject, executed):
    """xstep check frames of the whole run, which executes that many instructions."""
    words = [e2e.XSTEP, "check", "frames", "--quiet", "--format", "json", "--no-steady", "--stdout",
             "/dev/null"]
    start, _, _ = timed([*words, "--limit", "1", subject.program, *subject.arguments], subject.stdin)
    seconds, memory, _ = timed([*words, subject.program, *subject.arguments], subject.stdin)
    return Run(executed, seconds - start, memory)


def calls(subject, *options):
    """A library call of calls.c. What xstep takes to get to main is taken off."""
    words = "--sample", "none", *options
    start, _, _ = trace(subject, *words, "--limit", 1)
    seconds, memory, _ = trace(subject, *words)
    return Run(400 * subject.arguments[0], seconds - start, memory)


def calls_alone(subject, *options):
    """The same calls, all made by the first thread."""
    return calls(subject._replace(arguments=(*subject.arguments, "alone")), *options)


@functools.cache
def in_scope(program, function):
    """What there is to tell at the first stop of a function."""
    result = e2e.xstep("trace", "--from", function, "--vars", "all", "--format", "json", "--stdout",
                       "/dev/null", "--limit", 1, program)
    leaves = e2e.stops(result)[0]["vars"]
    variables = {(leaf["var"], leaf["scope"], json.dumps(leaf["decl"])) for leaf in leaves}
    return {"variables": len(variables), "leaves": len(leaves)}


def xstep_states(subject, function, limit):
    """All variables at every stop: those that changed are told. Stepping is counted too."""
    run = xstep(subject, "--from", function, "--vars", "all", limit=limit, sample="all")
    run.notes = in_scope(subject.program, function)
    return run


def captured(subject):
    """The states that the sampler picks, told to nobody."""
    seconds, memory, said = timed([e2e.XSTEP, "trace", "--vars", "all", "--frames", "--regs", "--format",
                                   "json", "-o", "/dev/null", "--stdout", "/dev/null",
                                   subject.program])
    return Run(int(re.search(r"(\d+) kept", said).group(1)), seconds, memory)


def twins_trace(subject):
    """All variables at the sampled stops, to nowhere: what check twins is measured by."""
    seconds, memory, _ = timed([e2e.XSTEP, "trace", "--vars", "all", "--steady", "--format", "json", "-o",
                                "/dev/null", "--stdout", "/dev/null", subject.program])
    return Run(1, seconds, memory)


def twins(subject):
    """The same by two debug informations, compared. That something is found is no failure."""
    seconds, memory, _ = timed(["/bin/sh", "-c", '"$0" "$@"; [ $? -le 1 ]', e2e.XSTEP, "check", "twins",
                                "--format", "json", "--stdout", "/dev/null", subject.program,
                                *subject.arguments])
    return Run(1, seconds, memory)


def stored(subject):
    """The same into a store: bytes of the file, and how much more the same states would be whole."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "trace.db"
        seconds, memory, _ = timed([e2e.XSTEP, "trace", "-o", file, "--stdout", "/dev/null",
                                    subject.program])
        with contextlib.closing(sqlite3.connect(file)) as store:
            stops = [number for number, in store.execute("SELECT number FROM stop")]
        some = stops[::len(stops) // 8 + 1]
        whole = sum(len(e2e.xstep("show", "--at", number, "--format", "json", file).stdout)
                    for number in some) / len(some)
        size = file.stat().st_size
        return Run(len(stops), seconds, memory,
                   {"bytes": size / len(stops), "bytes whole": whole, "KiB a trace": size / 1024})


def witness(subject, who, options=()):
    """A whole trace by one witness, all variables at the sampled stops, as JSON lines."""
    with tempfile.NamedTemporaryFile() as file:
        seconds, memory, _ = timed([e2e.XSTEP, "trace", "--witness", who, "--vars", "all", "--format",
                                    "json", "-o", file.name, "--stdout", "/dev/null", *options,
                                    subject.program, *subject.arguments], subject.stdin)
        return Run(1, seconds, memory, {"bytes": os.path.getsize(file.name)})


def diff(subject, *options):
    """A whole diff by three witnesses: core-seconds, and beside them seconds."""
    with tempfile.TemporaryDirectory() as folder:
        asked = done([e2e.XSTEP, "trace", "--witness", "xstep,gdb,lldb", "-o",
                      pathlib.Path(folder) / "traces.db", "--stdout", "/dev/null", *options,
                      subject.program])
        judged = done(["sh", "-c", '"$@" > /dev/null; [ $? -lt 2 ]', "sh", e2e.XSTEP, "diff",
                       pathlib.Path(folder) / "traces.db"])
    return Run(1, asked.processor + judged.processor, 0, {"s of wall time": asked.clock + judged.clock})


def job(subject, sample, keeper=None):
    """A job of diff as a campaign has it, from the program to the proven findings: core-seconds of all its
    processes, the copies of kept debuggers among them."""
    def of_kept():
        return sum(e2e.processor_seconds(pid) for pid in keeper.pids.values()) if keeper else 0
    before = of_kept()
    its = done([e2e.XSTEP, "diff", "--format", "json", "--quiet", "--sample", sample, subject.program],
               good=(0, 1), env=keeper.environment if keeper else os.environ)
    if keeper and not e2e.wait_until(lambda: not any(map(keeper.copies, keeper.pids))):
        sys.exit("bench: copies of kept debuggers are left")
    return Run(1, its.processor + of_kept() - before, 0, {"s of wall time": its.clock})


def paper(subject):
    """The method of the DTD paper: each debugger runs the program, takes every step of it, and tells all
    variables as text at the stops that its sampling picks. The whole program; nothing is compared."""
    core = wall = 0.0
    for who in ("gdb", "lldb"):
        its = done([e2e.XSTEP, "trace", "--witness", who, "--drive", "native", "--no-plan", "--sample", "dtd",
                    "--ask", "text", "--vars", "all", "--frames", "--format", "json", "-o", "/dev/null",
                    "--stdout", "/dev/null", subject.program])
        core += its.processor
        wall += its.clock
    return Run(1, core, 0, {"s of wall time": wall})


def bare_step(subject, steps, by=timed):
    """The first steps in the program's own code, without its arguments: a call of library code ends them."""
    bare = e2e.compile(HERE / "bare_step.c", e2e.GCC, TOOL)
    start = re.search(r"^(\w+) T main$", e2e.run(["nm", subject.program]).stdout, re.M).group(1)
    text = re.search(r" \.text +PROGBITS +(\w+) +\w+ +(\w+)",
                     e2e.run(["readelf", "-SW", subject.program]).stdout)
    lo, size = (int(word, 16) for word in text.groups())
    _, memory, said = timed([bare, start, f"{lo:x}", f"{lo + size:x}", steps, subject.program])
    count, clock, processor = said.split()[-3:]
    return Run(int(count), float(clock if by is timed else processor), memory)


def peer(words, subject, steps, function, every, **environment):
    """A debugger with a script of ours in it: (the steps, the states)."""
    job = {"program": str(subject.program), "function": function, "steps": steps, "every": every}
    _, memory, said = timed(words, env={**os.environ, "XSTEP_JOB": json.dumps(job), **environment})
    took = json.loads(re.search(r"^took (.*)$", said, re.M).group(1))
    notes = {key: took[key] / took["states"] for key in ("variables", "leaves") if took.get(key)}
    return (Run(took["steps"], took["stepping"], memory),
            Run(took["states"], took["reading"], memory, notes))


def gdb(subject, steps, function="main", every=0):
    return peer(["gdb", "-nx", "-nh", "-q", "-batch", "-iex", "set auto-load off", "-x",
                 HERE / "in_gdb.py", subject.program], subject, steps, function, every)


def lldb(subject, steps, function="main", every=0):
    program, modules = compare_steps.lldb_program()
    return peer([program, "--no-lldbinit", "--batch", "-o",
                 f"command script import {HERE / 'in_lldb.py'}"], subject, steps, function, every,
                PYTHONPATH=str(modules))
