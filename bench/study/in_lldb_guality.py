"""in_lldb_guality.py - runs inside lldb: what lldb has at the places where gdb stopped; see guality.py.

XSTEP_JOB names a JSON file: program, arguments, environment, output, places: [{pc, hit, function, paths}]
with link-time addresses. Written: [[[state, number, text], ...], ...], in the same order.
"""
import json
import os

import lldb

MOST_FRAMES = 4  # between an inlined call and the function that gdb shows


def number_of(value):
    """The number that lldb shows. (What it computed can be wider than the type: GetValueAsSigned() of an int
    may be 0xffffffff where it shows -1.)"""
    flags = value.GetType().GetCanonicalType().GetTypeFlags()
    if flags & lldb.eTypeIsFloat:
        return float(value.GetValue())
    if flags & lldb.eTypeHasChildren and not flags & lldb.eTypeIsPointer:
        return None
    if not flags & lldb.eTypeIsPointer:
        value.SetFormat(lldb.eFormatDecimal if flags & lldb.eTypeIsSigned else lldb.eFormatUnsigned)
    return int(value.GetValue(), 0)


def told(frame, path):
    """As `frame variable PATH` has it; where that knows no way, as an expression."""
    value = frame.GetValueForVariablePath(path)
    if not value.IsValid() or (value.GetError().Fail() and not frame.FindVariable(path).IsValid()):
        value = frame.EvaluateExpression(path)
    error = value.GetError()
    if error.Fail():
        text = (error.GetCString() or "").strip()
        gone = any(words in text for words in ("optimized out", "not available", "no location",
                                               "empty constant data"))
        return ["optimized-out" if gone else "error", None, text]
    if value.GetValue() is None:
        return ["value", None, str(value)]
    return ["value", number_of(value), value.GetValue()]


def chosen(thread, function):
    """The frame of that function, the innermost if none is."""
    for level in range(min(MOST_FRAMES, thread.GetNumFrames())):
        if (thread.GetFrameAtIndex(level).GetFunctionName() or "").split("(")[0] == function:
            return thread.GetFrameAtIndex(level)
    return thread.GetFrameAtIndex(0)


def at_place(debugger, job, place):
    target = debugger.CreateTarget(job["program"])
    point = target.BreakpointCreateBySBAddress(
        target.GetModuleAtIndex(0).ResolveFileAddress(place["pc"]))
    if place["hit"] > 1:
        point.SetIgnoreCount(place["hit"] - 1)
    info = lldb.SBLaunchInfo(job["arguments"])
    info.SetEnvironmentEntries([f"{name}={value}" for name, value in job["environment"].items()], False)
    info.AddOpenFileAction(1, "/dev/null", False, True)
    info.AddOpenFileAction(2, "/dev/null", False, True)
    info.SetLaunchFlags(lldb.eLaunchFlagDisableASLR)
    error = lldb.SBError()
    process = target.Launch(info, error)
    if error.Fail() or process.GetState() != lldb.eStateStopped:
        answer = [["error", None, f"no stop: {error.GetCString() or 'the program ended'}"]
                  for _ in place["paths"]]
    else:
        thread = process.GetSelectedThread()
        frame = chosen(thread, place["function"])
        answer = [told(frame, path) for path in place["paths"]]
        process.Kill()
    debugger.DeleteTarget(target)
    return answer


def main():
    with open(os.environ["XSTEP_JOB"]) as file:
        job = json.load(file)
    lldb.debugger.SetAsync(False)
    answer = [at_place(lldb.debugger, job, place) for place in job["places"]]
    with open(job["output"], "w") as output:
        json.dump(answer, output)


main()
