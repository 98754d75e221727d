"""large.py - large programs, and what it costs to look at one stop in them.

The debug information is that of sqlite3, some 94,000 entries, linked several times: all its symbols are
made local, so that the copies do not meet. CPython's debug build is a real program of 750,000 entries
(Debian: python3.11-dbg).
"""
import collections
import pathlib
import re
import shutil

import real
from contestants import HERE, e2e, timed
from figures import Run

# Where to stop, and what to ask for there.
Large = collections.namedtuple("Large", "group name program place var arguments")
COPIES = {"10^5": 1, "10^6": 12}  # entries, roughly: copies of sqlite3
PYTHON = "python3.11d"


def must(command, **options):
    result = e2e.run(command, timeout=900, **options)
    if result.returncode:
        raise RuntimeError(f"{result.rerun}: {result.stderr[-300:]}")


def sqlite_object(folder):
    """sqlite3 as an object file without global symbols."""
    made = folder / "sqlite3.o"
    if not made.exists():
        program = next(each for each in real.PROGRAMS if each.name == "sqlite3")
        source = real.debian_source(program.package)
        if not (source / "sqlite3.c").exists():
            for command in program.first:
                real.must(command, cwd=source)
        half = folder / "half.o"
        must([e2e.GCC, "-g", "-O2", "-w", *program.flags, "-c", "-o", half, "sqlite3.c"], cwd=source)
        must(["objcopy", "-w", "--localize-symbol=*", half])
        half.rename(made)
    return made


def subjects(names):
    """Those of the programs that can be had here."""
    folder = e2e.CACHE / "large"
    real.SOURCES.mkdir(parents=True, exist_ok=True)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        for name, copies in COPIES.items():
            if name in names:
                made = folder / f"large_{copies}"
                if not made.exists():
                    half = folder / "half"
                    must([e2e.GCC, "-g", "-o", half, HERE / "large.c",
                          *[sqlite_object(folder)] * copies, "-lm"])
                    half.rename(made)
                yield Large(name, made.name, made, "large.c:5", "result", ())
    except real.Unavailable as why:
        print(f"bench: sqlite3 is left out: {why}")
    if "python" in names and shutil.which(PYTHON):
        yield Large("python", PYTHON, pathlib.Path(shutil.which(PYTHON)), "main.c:728", "argc", ("-c", "1"))
    elif "python" in names:
        print(f"bench: {PYTHON} is left out: the package python3.11-dbg is not installed")



def checked(run, subject):
    """That it did answer: a fast way to fail is none to win."""
    seconds, memory, said = run
    if not re.search(rf"\b{subject.var} = |^\$1 = |\) \$0 = ", said, re.M):
        raise RuntimeError(f"{subject.name}: no {subject.var} in\n{said[-600:]}")
    return Run(1, seconds, memory)


def xstep(subject, *options):
    return checked(timed([e2e.XSTEP, "explain", "--stdout", "/dev/null", "--at", subject.place, *options,
                          subject.program, *subject.arguments]), subject)


def gdb(subject, *commands):
    words = ["gdb", "-nx", "-batch", "-ex", f"break {subject.place}", "-ex", "run"]
    for command in commands:
        words += "-ex", command
    return checked(timed([*words, "--args", subject.program, *subject.arguments]), subject)


def lldb(subject, *commands):
    words = ["lldb-15", "-x", "-b", "-o", f"b {subject.place}", "-o", "run"]
    for command in commands:
        words += "-o", command
    return checked(timed([*words, "--", subject.program, *subject.arguments]), subject)


CONTESTANTS = {
    "xstep, one variable": lambda subject: xstep(subject, "--var", subject.var),
    "gdb, one variable": lambda subject: gdb(subject, f"print {subject.var}"),
    "lldb, one variable": lambda subject: lldb(subject, f"expression {subject.var}"),
    "xstep, all variables": xstep,
    "gdb, all locals": lambda subject: gdb(subject, "info args", "info locals"),
    "lldb, all locals": lambda subject: lldb(subject, "frame variable"),
}
