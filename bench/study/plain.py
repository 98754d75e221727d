"""plain.py - what the plain debugger shows: sessions of gdb and lldb from a script, with nothing of xstep's.

A session is a list of stops, as a user who steps through the program sees them.
"""
import collections
import pathlib
import re
import tempfile

import e2e

# frames: (function, line), the innermost first; variables: what `info locals` and `info args` say, or
# `frame variable`, as text.
Stop = collections.namedtuple("Stop", "frames variables")

GDB, LLDB = "gdb", "lldb-15"
STEP = {GDB: {"line": "step", "instruction": "stepi"},
        LLDB: {"line": "thread step-in", "instruction": "thread step-inst"}}
MOST = {GDB: 400, LLDB: 60}
FRAME = {GDB: re.compile(r"^#\d+ +(?:0x\w+ in )?(\S+) \(.*\) at (.*):(\d+)$", re.M),
         LLDB: re.compile(r"^.*frame #\d+: \S+ (?!libc\.)[^`\n]*`(.*) at ([^:\n]*):(\d+)(?::\d+)?$", re.M)}
VARIABLE = {GDB: re.compile(r"^(\w+) = (.*)$", re.M),
            LLDB: re.compile(r"^\([^)\n]*(?:\([^)\n]*\)[^)\n]*)*\) (\w+) = (.*)$", re.M)}
SHOW = {GDB: "echo (gdb) bt\\n\nbt\necho (gdb) variables\\n\ninfo locals\ninfo args\n",
        LLDB: "bt\nframe variable\n"}  # lldb repeats its commands


def available(text):
    """Whether a variable, as a debugger prints it, has a value."""
    return text is not None and (not text.startswith("<") or text.startswith("<synthetic"))


def name_of(function):
    """The function of a frame: lldb writes `main [inlined] find(a=1)`."""
    return function.rpartition("[inlined] ")[2].partition("(")[0].split(" ")[0]


def script(debugger, breakpoint, level, most):
    shown = SHOW[debugger]
    step = STEP[debugger][level]
    if debugger == GDB:
        # Without the debug information of libraries, as most users: a step does not enter them.
        return ("set debug-file-directory /dev/null\nset pagination off\nset width 0\n"
                "set style enabled off\nset confirm off\n"
                f"break {breakpoint}\nrun > /dev/null\n{shown}set $left = {most}\n"
                f"while $left > 0\n{step}\n{shown}set $left = $left - 1\nend\n")
    return ("settings set interpreter.stop-command-source-on-error false\n"
            "settings set target.process.thread.step-avoid-libraries libc.so.6\n"
            "settings set use-color false\nsettings set target.disable-aslr true\n"
            f"breakpoint set {breakpoint}\nprocess launch -o /dev/null\n{shown}" + f"{step}\n{shown}" * most)


def read(debugger, text, source):
    """The stops in what a debugger wrote, up to the first that is not in the program."""
    stops = []
    for part in re.split(r"^\((?:lldb|gdb)\) bt$", text, flags=re.M)[1:]:
        trace, rest = (re.split(r"^\((?:lldb|gdb)\) .*$", part, flags=re.M) + [""])[:2]
        frames = [(name_of(name), int(line)) for name, file, line in FRAME[debugger].findall(trace)
                  if pathlib.Path(file).name == source.name]
        first = FRAME[debugger].search(trace)
        if not first or pathlib.Path(first.group(2)).name != source.name:
            break
        stops.append(Stop(frames, dict(reversed(VARIABLE[debugger].findall(rest)))))
    return stops


def walk(debugger, program, source, place="main", level="line", most=None):
    """The stops from a breakpoint on a function or line to the end of the program, or to the last of
    `most` steps."""
    if debugger == LLDB:
        place = f"--file {source.name} --line {place}" if isinstance(place, int) else f"--name {place}"
    elif isinstance(place, int):
        place = f"{source.name}:{place}"
    with tempfile.NamedTemporaryFile("w", suffix=".cmd") as commands:
        commands.write(script(debugger, place, level, MOST[debugger] if most is None else most))
        commands.flush()
        words = ([GDB, "-nx", "-q", "-batch", "-x", commands.name, program] if debugger == GDB else
                 [LLDB, "-x", "-b", "-s", commands.name, program])
        return read(debugger, e2e.run(words).stdout, source)
