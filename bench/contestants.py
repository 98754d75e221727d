"""contestants.py - one function for each contestant: runs a subject, returns a figures.Run.

Except where a whole run is meant, everyone's time begins at main (or the function given): xstep's
way there is measured by a run of one stop and taken off; the others look at the clock themselves.
"""
import contextlib
import functools
import json
import os
import pathlib
import re
import time
import resource
import sqlite3
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "study"))
import compare_steps
import e2e
from figures import Run

TOOL = ("-O2", "-D_GNU_SOURCE")


def timed(words, stdin=None, **options):
    """Runs a command to its end: seconds, peak memory in bytes, what it said on both streams."""
    peak = e2e.compile(HERE / "peak.c", e2e.GCC, TOOL)
    with tempfile.NamedTemporaryFile("r") as figures, open(stdin or os.devnull, "rb") as file:
        result = e2e.run([peak, figures.name, *words], timeout=3600, stdin=file, **options)
        if result.returncode:
            sys.exit(f"bench: {result.rerun} failed:\n{result.stdout}{result.stderr}")
        seconds, kilobytes = figures.read().split()
    return float(seconds), int(kilobytes) * 1024, result.stdout + result.stderr


def native(subject):
    """The whole run of the program by itself."""
    seconds, memory, _ = timed(["/bin/sh", "-c", 'exec "$0" "$@" >/dev/null', subject.program,
                                *subject.arguments], subject.stdin)
    return Run(1, seconds, memory)


def trace(subject, *options):
    """A trace to nowhere: seconds, peak memory, the line of --stats."""
    with tempfile.NamedTemporaryFile("r") as stats:
        seconds, memory, _ = timed([e2e.XSTEP, "trace", "--format", "json", "-o", "/dev/null",
                                    "--stdout", "/dev/null", f"--stats={stats.name}", *options,
                                    subject.program, *subject.arguments], subject.stdin)
        return seconds, memory, json.load(stats)


def xstep(subject, *options, limit=0, sample="none"):
    """Instruction by instruction, as the options say, of all or of the first `limit`."""
    options += "--sample", sample
    start, _, _ = trace(subject, *options, "--limit", 1)
    seconds, memory, stats = trace(subject, *options, *(["--limit", limit] if limit else []))
    return Run(stats["instructions"] - 1, seconds - start, memory)


def xstep_unique(subject, executed):
    """Each transition once, of a program that executes that many instructions of its own."""
    start, _, _ = trace(subject, "--mode", "unique", "--limit", 1)
    seconds, memory, _ = trace(subject, "--mode", "unique")
    return Run(executed, seconds - start, memory)


def xstep_whole(subject, mode):
    """The whole run, from the start of xstep to its end."""
    seconds, memory, stats = trace(subject, "--mode", mode,
                                   *(() if mode == "unique" else ("--sample", "none")))
    return Run(1, seconds, memory, {key: stats[key] for key in ("transitions", "stops", "saturated")})


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


def core_seconds(words, stdin=None):
    """What a command and all that it started took, (core-seconds, seconds), with what it said."""
    def spent():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime
    before, began = spent(), time.monotonic()
    _, _, said = timed(words, stdin)
    return spent() - before, time.monotonic() - began, said


def diff(subject, *options):
    """A whole diff by three witnesses: core-seconds, and beside them seconds."""
    with tempfile.TemporaryDirectory() as folder:
        core, wall, _ = core_seconds([e2e.XSTEP, "trace", "--witness", "xstep,gdb,lldb", "-o",
                                      pathlib.Path(folder) / "traces.db", "--stdout", "/dev/null",
                                      *options, subject.program])
        more, longer, _ = core_seconds(["sh", "-c", '"$@" > /dev/null; [ $? -lt 2 ]', "sh", e2e.XSTEP,
                                        "diff", pathlib.Path(folder) / "traces.db"])
    return Run(1, core + more, 0, {"s of wall time": wall + longer})


def paper(subject):
    """The method of the DTD paper: each debugger runs the program, takes every step of it, and tells all
    variables as text at the stops that its sampling picks. The whole program; nothing is compared."""
    core = wall = 0.0
    for who in ("gdb", "lldb"):
        its = core_seconds([e2e.XSTEP, "trace", "--witness", who, "--drive", "native", "--no-plan", "--sample",
                            "dtd", "--ask", "text", "--vars", "all", "--frames", "--format", "json", "-o",
                            "/dev/null", "--stdout", "/dev/null", subject.program])
        core += its[0]
        wall += its[1]
    return Run(1, core, 0, {"s of wall time": wall})


def bare_step(subject, steps):
    bare = e2e.compile(HERE / "bare_step.c", e2e.GCC, TOOL)
    start = re.search(r"^(\w+) T main$", e2e.run(["nm", subject.program]).stdout, re.M).group(1)
    text = re.search(r" \.text +PROGBITS +(\w+) +\w+ +(\w+)",
                     e2e.run(["readelf", "-SW", subject.program]).stdout)
    lo, size = (int(word, 16) for word in text.groups())
    _, memory, said = timed([bare, start, f"{lo:x}", f"{lo + size:x}", steps, subject.program])
    count, seconds = said.split()[-2:]
    return Run(int(count), float(seconds), memory)


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
