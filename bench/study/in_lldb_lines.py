"""in_lldb_lines.py - runs inside lldb: looks link-time addresses up in the line table.

XSTEP_JOB names a JSON file: program, pcs, output. Written: {pc: [line, column]}, null where lldb
knows no line.
"""
import json
import os

import lldb

job = json.load(open(os.environ["XSTEP_JOB"]))
target = lldb.debugger.CreateTarget(job["program"])
found = {}
for pc in job["pcs"]:
    entry = target.ResolveFileAddress(pc).GetLineEntry()
    found[pc] = [entry.GetLine(), entry.GetColumn()] if entry.IsValid() else None
json.dump(found, open(job["output"], "w"))
