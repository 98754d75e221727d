"""in_lldb.py - runs inside lldb: steps a program, and reads all variables at some of the stops.
XSTEP_JOB and the output are as for in_gdb.py, with leaves (the sum over the states) besides."""
import json
import os
import time

import lldb

# Parts of these are parts of the value; of a pointer they are what it points to.
AGGREGATES = lldb.eTypeClassArray | lldb.eTypeClassStruct | lldb.eTypeClassUnion \
    | lldb.eTypeClassClass


def read_leaves(value):
    """Every leaf of a value as text; how many."""
    if value.GetType().GetCanonicalType().GetTypeClass() & AGGREGATES:
        return sum(read_leaves(value.GetChildAtIndex(i)) for i in range(value.GetNumChildren()))
    value.GetValue()  # None, with an error: that is an answer too
    return 1


def read_all(frame):
    """All variables that the frame lists, the unit's globals among them: how many, their leaves."""
    variables = frame.GetVariables(True, True, True, True)
    return variables.GetSize(), sum(read_leaves(value) for value in variables)


def __lldb_init_module(debugger, _):
    job = json.loads(os.environ["XSTEP_JOB"])
    debugger.SetAsync(False)
    target = debugger.CreateTarget(job["program"])
    target.BreakpointCreateByName(job["function"])
    process = target.LaunchSimple([], None, "/")
    thread = process.GetSelectedThread()
    if job["every"]:
        read_all(thread.GetFrameAtIndex(0))
    states = variables = leaves = 0
    reading = 0.0
    began = time.monotonic()
    for i in range(job["steps"]):
        thread.StepInstruction(False)
        frame = thread.GetFrameAtIndex(0)
        frame.GetPC()
        frame.GetLineEntry().GetLine()
        if job["every"] and i % job["every"] == 0:
            before = time.monotonic()
            more = read_all(frame)
            reading += time.monotonic() - before
            variables, leaves, states = variables + more[0], leaves + more[1], states + 1
    print("took", json.dumps({"steps": job["steps"], "stepping": time.monotonic() - began - reading,
                              "states": states, "reading": reading, "variables": variables,
                              "leaves": leaves}))
    process.Kill()
