"""in_gdb.py - runs inside gdb: steps a program, and reads all variables at some of the stops.

XSTEP_JOB is JSON: program, function (where to begin), steps, and every: variables are read at each
`every`-th stop (0: never), and once before the clock starts, as a warm-up. Prints `took` and JSON:
steps, stepping (seconds of these alone), states, reading (seconds of that alone), variables (the
sum over the states).
"""
import json
import os
import time

import gdb

job = json.loads(os.environ["XSTEP_JOB"])
for command in ("set pagination off", "set confirm off", "set startup-with-shell off",
                "set debuginfod enabled off", "set print elements 0", "set print repeats 0",
                "set style enabled off", "set width 0", f"tbreak {job['function']}", "run"):
    gdb.execute(command, to_string=True)


def visible(block):
    """The variables of a block and of those around it, the innermost of each name."""
    found = {}
    while block:
        for symbol in block:
            if symbol.is_variable or symbol.is_argument:
                found.setdefault(symbol.name, symbol)
        block = block.superblock
    return found.values()


def read_all():
    """Every variable as text, as a user's script would have it."""
    frame = gdb.newest_frame()
    symbols = visible(frame.block())
    for symbol in symbols:
        try:
            str(symbol.value(frame))
        except gdb.error:
            pass  # that is an answer too
    return len(symbols)


if job["every"]:
    read_all()
states = variables = 0
reading = 0.0
began = time.monotonic()
for i in range(job["steps"]):
    gdb.execute("stepi", to_string=True)
    pc = gdb.newest_frame().pc()
    line = gdb.find_pc_line(pc).line
    if job["every"] and i % job["every"] == 0:
        before = time.monotonic()
        variables += read_all()
        reading += time.monotonic() - before
        states += 1
print("took", json.dumps({"steps": job["steps"], "stepping": time.monotonic() - began - reading,
                          "states": states, "reading": reading, "variables": variables}))
gdb.execute("kill")
