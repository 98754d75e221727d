"""in_lldb_builds.py - runs inside lldb: what it prints at the stops of a program of testdata/builds.

Job and answer are those of in_gdb_builds.py.
"""
import json
import os
import re

import lldb


def text(value):
    """A scalar's canonical text; None if there is none. (A format that is set stays with the variable.)"""
    if not value.IsValid() or value.GetError().Fail() or value.GetValue() is None:
        return None
    kind = value.GetType().GetCanonicalType()
    flags = kind.GetTypeFlags()
    if kind.IsPointerType():
        return hex(value.GetValueAsUnsigned())
    if flags & lldb.eTypeIsFloat:
        return value.GetValue()
    if kind.GetByteSize() > 8:
        return value.GetValue().split()[0]
    if flags & lldb.eTypeIsEnumeration:
        flags = kind.GetEnumerationIntegerType().GetTypeFlags()
    signed = flags & lldb.eTypeIsSigned or kind.GetBasicType() == lldb.eBasicTypeChar
    return str(value.GetValueAsSigned() if signed else value.GetValueAsUnsigned())


def value_at(frame, path):
    value = frame.GetValueForVariablePath(path)
    if value.IsValid() and value.GetError().Success():
        return value
    return frame.EvaluateExpression(path)


def evaluate(frame, path):
    part = re.fullmatch(r"(.*)\.(real|imag)", path)
    if part:  # lldb prints "1.5 + 2.5i" for both, and knows no members
        whole = value_at(frame, part.group(1))
        found = re.fullmatch(r"(\S+) \+ (\S+)i", (whole.GetValue() or "") if whole.IsValid() else "")
        return found and found.group(1 if part.group(2) == "real" else 2)
    return text(value_at(frame, path))


def look(thread, wanted):
    return {outward: {path: evaluate(thread.GetFrameAtIndex(int(outward)), path)
                      if int(outward) < thread.GetNumFrames() else None for path in paths}
            for outward, paths in wanted.items()}


def run(debugger, job):
    debugger.SetAsync(False)
    for command in ("settings set target.process.follow-fork-mode parent",
                    "settings set symbols.enable-external-lookup false",
                    "settings set target.process.thread.step-avoid-regexp ''"):
        debugger.HandleCommand(command)
    if job["debug_root"]:
        debugger.HandleCommand(f"settings append target.debug-file-search-paths {job['debug_root']}")
    target = debugger.CreateTarget(job["program"])
    marks = {target.BreakpointCreateByName("mark").GetID(): "m",
             target.BreakpointCreateByName("mark_aside").GetID(): "a"}
    info = lldb.SBLaunchInfo(None)
    info.SetEnvironmentEntries([f"{name}={value}" for name, value in job["environment"].items()], False)
    info.SetLaunchFlags(lldb.eLaunchFlagDisableASLR)
    info.SetWorkingDirectory(os.path.dirname(job["program"]))
    info.AddOpenFileAction(1, "/dev/null", False, True)
    error = lldb.SBError()
    process = target.Launch(info, error)
    if error.Fail():
        raise RuntimeError(str(error))
    for name in ("SIGUSR1", "SIGSEGV"):
        number = process.GetUnixSignals().GetSignalNumberFromName(name)
        process.GetUnixSignals().SetShouldStop(number, False)
        process.GetUnixSignals().SetShouldNotify(number, False)
    results, counts = {}, {"m": 0, "a": 0}
    while process.GetState() == lldb.eStateStopped and len(results) < len(job["stops"]):
        for thread in process:
            if thread.GetStopReason() == lldb.eStopReasonBreakpoint:
                kind = marks.get(thread.GetStopReasonDataAtIndex(0))
                if kind:
                    counts[kind] += 1
                    stop = f"{kind}{counts[kind]}"
                    if stop in job["stops"]:
                        results[stop] = look(thread, job["stops"][stop])
        process.Continue()
    if process.GetState() == lldb.eStateStopped:
        process.Kill()
    return results


job = json.load(open(os.environ["XSTEP_JOB"]))
try:
    found, trouble = run(lldb.debugger, job), None
except Exception as error:  # whatever it was belongs into the answer
    found, trouble = {}, str(error)
json.dump({"stops": found, "trouble": trouble}, open(job["output"], "w"))
