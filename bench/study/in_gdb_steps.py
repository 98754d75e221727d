"""in_gdb_steps.py - runs inside gdb: steps a program and writes every pc and its line.

XSTEP_JOB names a JSON file: program, args, environment, ranges (link-time), entry (link-time
address of main), limit, output. Written: {pcs, lines: {pc: line}, repeats, end}.
"""
import json
import os

import gdb

job = json.load(open(os.environ["XSTEP_JOB"]))
for command in ("set pagination off", "set confirm off", "set startup-with-shell off",
                "set disable-randomization on", "set auto-load off", "set debuginfod enabled off",
                "set print thread-events off", "set print inferior-events off",
                "set style enabled off", "set width 0", "unset environment",
                "handle all stop print pass"):
    try:
        gdb.execute(command, to_string=True)
    except gdb.error:
        pass  # a setting of another version
for name, value in job["environment"].items():
    gdb.execute(f"set environment {name}={value}")
gdb.execute(f"file {job['program']}", to_string=True)
gdb.execute("starti", to_string=True)

auxv = gdb.execute("info auxv", to_string=True)
entry = next(int(line.split()[-1], 16) for line in auxv.splitlines() if "AT_ENTRY" in line)
bias = entry - job["elf_entry"]
ranges = [(lo + bias, hi + bias) for lo, hi in job["ranges"]]

gdb.Breakpoint(f"*{job['entry'] + bias:#x}", temporary=True)
gdb.execute("continue", to_string=True)


signalled = []
ended = []
gdb.events.stop.connect(
    lambda event: signalled.append(event.stop_signal) if isinstance(event, gdb.SignalEvent) else 0)
gdb.events.exited.connect(lambda event: ended.append(getattr(event, "exit_code", None)))


def registers():
    frame = gdb.newest_frame()
    return int(frame.pc()), int(frame.read_register("rsp"))


def is_rep(pc):
    """Whether a repeated string instruction is at pc, by its bytes."""
    code = bytes(gdb.selected_inferior().read_memory(pc, 15))
    repeats, at = False, 0
    while at < 14 and (code[at] in b"\x66\x67\xf2\xf3\x2e\x36\x3e\x26\x64\x65"
                       or 0x40 <= code[at] <= 0x4f):
        repeats |= code[at] in b"\xf2\xf3"
        at += 1
    return repeats and code[at] in b"\xa4\xa5\xa6\xa7\xaa\xab\xac\xad\xae\xaf\x6c\x6d\x6e\x6f"


pcs, repeats, end, outside = [], 0, "", 0
pc, sp = registers()
entry_sp = sp
return_to = int.from_bytes(gdb.selected_inferior().read_memory(sp, 8), "little")
pcs.append(pc)
while True:
    if len(pcs) >= job["limit"]:
        end = "limit"
        break
    before = pc
    signalled.clear()
    try:
        gdb.execute("stepi", to_string=True)
    except gdb.error as error:
        end = str(error)
        break
    if ended or not gdb.selected_thread():
        end = "ended"
        break
    pc, sp = registers()
    if pc == return_to and sp > entry_sp:
        end = "returned"
        break
    if not any(lo <= pc < hi for lo, hi in ranges):
        outside += 1
        if outside > job["outside"]:
            end = "outside"
            break
        continue
    if pc == before and signalled:
        continue  # nothing was executed: the signal is about to be delivered
    if pc == before and is_rep(pc):
        repeats += 1
        continue
    pcs.append(pc)

if gdb.selected_thread():
    gdb.execute("kill", to_string=True)
lines = {}
for pc in set(pcs):
    found = gdb.find_pc_line(pc)
    lines[pc - bias] = found.line if found.symtab else None
json.dump({"pcs": [pc - bias for pc in pcs], "lines": lines, "repeats": repeats, "end": end},
          open(job["output"], "w"))
gdb.execute("quit")
