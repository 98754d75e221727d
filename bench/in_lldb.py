"""in_lldb.py - runs inside lldb: steps a program. XSTEP_JOB and the output are as for in_gdb.py, but
no variables are read."""
import json
import os
import time

import lldb


def __lldb_init_module(debugger, _):
    job = json.loads(os.environ["XSTEP_JOB"])
    debugger.SetAsync(False)
    target = debugger.CreateTarget(job["program"])
    target.BreakpointCreateByName(job["function"])
    process = target.LaunchSimple([], None, "/")
    thread = process.GetSelectedThread()
    began = time.monotonic()
    for _ in range(job["steps"]):
        thread.StepInstruction(False)
        frame = thread.GetFrameAtIndex(0)
        frame.GetPC()
        frame.GetLineEntry().GetLine()
    print("took", job["steps"], time.monotonic() - began, 0, 0.0, 0)
    process.Kill()
