"""recheck_calls.py - evidence about call sites, tail calls and frames, for recheck_diff.py.

Each function takes a case and returns what llvm-dwarfdump or objdump prints that bears a verdict out, in
a line, or None. The names of a backtrace are the witnesses' words; what they are is looked up.
"""
import functools
import re

import e2e
import subject_dies


def target(site):
    """The entry that a call site names, or None."""
    found = site.attributes.get("DW_AT_call_origin")
    return site.all.get(int(found.split()[0].rstrip(")"), 16)) if found else None


@functools.lru_cache(maxsize=4)
def sites(dies):
    return [die for die in dies.by_offset.values() if die.tag == "DW_TAG_call_site"]


def is_tail(site):
    return "DW_AT_call_tail_call" in site.attributes


def is_abstract(die):
    return die is not None and "DW_AT_inline" in die.attributes


def root(die):
    """The function, not inlined, that an entry is in."""
    return next((d for d in (die, *die.around()) if d.tag == "DW_TAG_subprogram"), None)


def entry_values(case):
    """(variable, its function) of those whose location has an entry value."""
    return [(die, root(die)) for die in case.concrete()
            if "entry_value" in (case.location(die) or "")]


def abstract_callee(case):
    for die, function in entry_values(case):
        for site in sites(case.dies):
            callee = target(site)
            if is_abstract(callee) and (callee.name == function.name or
                                        is_tail(site) and root(site).name == function.name):
                return f"0x{die.offset:x} has an entry value; call site 0x{site.offset:x} names " \
                       f"0x{callee.offset:x}, which is abstract"
            if is_abstract(callee) and is_tail(site) and callee.name == function.name:
                return f"0x{site.offset:x}, a tail call, names an abstract instance"
    return None


def inlined_entry_value(case):
    for die, _ in entry_values(case):
        if die.function().tag == "DW_TAG_inlined_subroutine":
            return f"0x{die.offset:x} has an entry value and is in the inlined call " \
                   f"0x{die.function().offset:x}"
    return None


def tail_called(case):
    """Some tail call leads to the function, or from it."""
    for die, function in entry_values(case):
        for site in filter(is_tail, sites(case.dies)):
            callee = target(site)
            if callee is None and root(site) is function or \
                    callee is not None and callee.name == function.name:
                return f"0x{die.offset:x} has an entry value; 0x{site.offset:x} is a tail call " \
                       f"of {root(site).name} to " + (callee.name if callee else "a pointer")
    return None


def backtrace(case, who):
    """[(function, is inlined)], the innermost first."""
    text = re.sub(r" at [^<]*$", "", case.says(who)["value"] or "")
    return [(name.replace(" (inlined)", ""), "(inlined)" in name) for name in text.split(" < ")]


def is_split(die):
    return die.tag == "DW_TAG_subprogram" and sum(lo < hi for lo, hi in die.ranges or ()) > 1


def split_function(case):
    names = {case.scope} if case.name else {name for name, _ in backtrace(case, "xstep")}
    functions = [d for d in case.dies.by_offset.values() if is_split(d) and
                 (d.name in names or any(c.tag == "DW_TAG_inlined_subroutine" and c.name in names
                                         for c in d.children))]
    here = [d for d in functions if not case.name or case.holds(d)]
    return f"0x{here[0].offset:x}, {here[0].name}, has {len(here[0].ranges)} ranges" if here else None


def empty_range_of_frame(case):
    inlined = {name for name, inlined in backtrace(case, "xstep") if inlined}
    for die in case.dies.by_offset.values():
        around = [outer for outer in (die, *die.around())
                  if outer.tag == "DW_TAG_inlined_subroutine" and outer.name in inlined]
        if die.tag in subject_dies.CODE and around and any(lo == hi for lo, hi in die.ranges or ()):
            return f"0x{die.offset:x} in {around[0].name}, inlined, has an empty range"
    return None


def tail_call_inlined(case):
    ours = [name for name, _ in backtrace(case, "xstep")]
    more = [name for name, _ in backtrace(case, "gdb") if name not in ours or
            [n for n, _ in backtrace(case, "gdb")].count(name) > ours.count(name)]
    for site in filter(is_tail, sites(case.dies)):
        inlined = site.function()
        if inlined.tag == "DW_TAG_inlined_subroutine" and inlined.name in more:
            return f"0x{site.offset:x} is a tail call in {inlined.name}, inlined into " \
                   f"{root(site).name}"
    return None


@functools.lru_cache(maxsize=4)
def restores(program):
    """[(lo, hi)] of the entries of .eh_frame with a DW_CFA_restore."""
    found, span = [], None
    for line in e2e.run(["objdump", "--dwarf=frames", program]).stdout.splitlines():
        head = re.search(r"FDE .*pc=([0-9a-f]+)\.\.([0-9a-f]+)", line)
        span = (int(head.group(1), 16), int(head.group(2), 16)) if head else span
        if "DW_CFA_restore:" in line and span:
            found.append(span)
    return found


def cfa_restore(case):
    pc = int(case.told["stop"]["pc"], 16)
    here = [span for span in restores(case.program) if span[0] <= pc < span[1]]
    return f"the entry of [0x{here[0][0]:x}, 0x{here[0][1]:x}) has DW_CFA_restore" if here else None


def abstract_only(case):
    for die in case.abstract():
        what = die.attributes.get("DW_AT_const_value") or \
            (die.is_static() and die.attributes["DW_AT_location"])
        if what and not case.instances(die):
            return f"0x{die.offset:x}, of the abstract instance, has its only place: {what.rstrip(')')}"
    return None


EVIDENCE = {
    "gdb:abstract-callee": abstract_callee,
    "gdb:inlined-entry-value": inlined_entry_value,
    "gdb:tail-call-behind-pointer": tail_called,
    "gdb:tail-call-at-return": tail_called,
    "gdb:tail-call-guess": tail_called,
    "lldb:tail-call-guess": tail_called,
    "gdb:ended-frame": tail_called,
    "gdb:tail-call-inlined": tail_call_inlined,
    "lldb:split-function": split_function,
    "lldb:cfa-restore": cfa_restore,
    "lldb:abstract-only": abstract_only,
}
