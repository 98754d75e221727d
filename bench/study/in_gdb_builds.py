"""in_gdb_builds.py - runs inside gdb: what it prints at the stops of a program of testdata/builds.

XSTEP_JOB names a JSON file: program, environment, debug_root (or null), stops: {"m3": {"1": [path, ...]}}
(the third call of mark, the frame outside of it), output. Written: {"m3": {"1": {path: text or null}}}: integers in
decimal, pointers in hex, null where gdb has no value.
"""
import json
import os
import re

import gdb

job = json.load(open(os.environ["XSTEP_JOB"]))
for command in ("set pagination off", "set confirm off", "set debuginfod enabled off", "set width 0",
                "set print thread-events off", "set print inferior-events off", "set style enabled off",
                "set max-value-size unlimited", "handle all nostop noprint pass", "set breakpoint pending on",
                "set auto-load safe-path /", "set index-cache enabled off"):
    try:
        gdb.execute(command, to_string=True)
    except gdb.error:
        pass  # a setting of another version
if job["debug_root"]:
    gdb.execute(f"set debug-file-directory {job['debug_root']}")
words = " ".join(f"{name}={value}" for name, value in job["environment"].items())
gdb.execute(f"set exec-wrapper env -i {words}")
gdb.execute(f"file {job['program']}", to_string=True)


def text(value):
    """A scalar's canonical text."""
    kind = value.type.strip_typedefs().unqualified()
    if value.is_optimized_out:
        return None
    if kind.code == gdb.TYPE_CODE_PTR:
        return hex(int(value) & (1 << 64) - 1)
    printed = value.format_string()
    if printed.startswith("<"):  # such as <synthetic pointer>; as a number that would be 0
        return None
    if kind.code in (gdb.TYPE_CODE_FLT, gdb.TYPE_CODE_DECFLOAT):
        return printed
    if kind.code == gdb.TYPE_CODE_INT and kind.sizeof > 1:
        return printed.split()[0]
    return str(int(value))


def evaluate(path):
    part = re.fullmatch(r"(.*)\.(real|imag)", path)
    try:
        return text(gdb.parse_and_eval(path))
    except (gdb.error, OverflowError):
        if not part:
            return None
    try:
        return text(gdb.parse_and_eval(f"$_c{part.group(2)}({part.group(1)})"))
    except gdb.error:
        return None


def look(wanted):
    """What is wanted in each frame; mark's own is the innermost one now."""
    innermost, seen = gdb.newest_frame(), {}
    for outward, paths in wanted.items():
        frame = innermost
        for _ in range(int(outward)):
            frame = frame and frame.older()
        if frame:
            frame.select()
        seen[outward] = {path: evaluate(path) if frame else None for path in paths}
    return seen


def run():
    results, counts = {}, {"m": 0, "a": 0}
    marks = {"m": gdb.Breakpoint("mark")}
    if any(stop.startswith("a") for stop in job["stops"]):
        marks["a"] = gdb.Breakpoint("mark_aside")
    gdb.execute("run > /dev/null", to_string=True)
    while gdb.selected_inferior().pid and len(results) < len(job["stops"]):
        for kind, breakpoint in marks.items():
            if breakpoint.hit_count > counts[kind]:
                counts[kind] = breakpoint.hit_count
                stop = f"{kind}{counts[kind]}"
                if stop in job["stops"]:
                    results[stop] = look(job["stops"][stop])
        gdb.execute("continue", to_string=True)
    return results


try:
    found, trouble = run(), None
except Exception as error:  # whatever it was belongs into the answer
    found, trouble = {}, str(error)
json.dump({"stops": found, "trouble": trouble}, open(job["output"], "w"))
gdb.execute("kill", to_string=True) if gdb.selected_inferior().pid else None
