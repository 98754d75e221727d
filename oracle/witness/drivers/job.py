"""job.py - what a driver is to do, and what belongs to the program."""
import bisect
import json
import os


class Job:
    """What to do; the keys are the attributes.

    The program: program, debug_file (that its DWARF is in, None: the program itself), debug_root (where
    other debug files are, None: where they usually are),
    arguments (without the program), environment ({name: value}), directory,
    stdin, stdout, stderr (paths), random (hex for AT_RANDOM), without_vdso (whether it is to ask the
    kernel for the time, see engine/steady_run.h), fill (the byte that the dead stack is
    filled with at the ELF entry), debuginfod (whether it may be asked).
    What is of interest in it, in link-time addresses: ranges ([[lo, hi]]), functions (entries),
    elf_entry, entry (where to begin), above (bytes from the stack pointer there to the return
    address); how to get there from main, which is None for a breakpoint from the first
    instruction on: main (its first instruction), in_main (whether the entry is in that frame),
    arrival (the so many-th is meant; 0: the first), way (the debugger's command, until or
    advance, or None), place ([file, line], None: it has none); units, variables (see Units);
    steady ([[name, line, whether it moves with the frame]], see dwarf/steady.h), here {(name,
    line): framed}; waiting ([[name, line, [lo, hi, needs, ...]]]) and waiting_calls ([[where a call returns to,
    whether frames further out say more]]), see dwarf/waiting.h, here a Waiting;
    declared ([[name, line]] of what a function only declares, its definition
    being at file scope).
    Where to stop: sample, seed, limit (of stops that are told, if limit_kept), level; plan (see
    oracle/witness/debugger/plan.h, or None); lines ([[file, line]] to break at);
    connect, stop (the socket of who holds the process, and the file of a StopPage; None: the debugger
    launches its own).
    What to tell: vars (none, locals, all), frames, regs, max_leaves; ask (needed, all, or text: see
    Debugger.texts), by_name (the other voice: each name as an expression); moves (whether a variable is told
    again when only its frame has another number); command (file for the last command)."""

    DEFAULTS = {"debug_file": None, "debug_root": None, "arguments": [], "environment": {},
                "directory": None, "stdin": "/dev/null",
                "stdout": "/dev/null", "stderr": "/dev/null", "sample": "dtd", "seed": 0,
                "limit": 0, "limit_kept": False, "level": "instruction", "vars": "none", "frames": False, "regs": False,
                "max_leaves": 4096, "ask": "needed", "by_name": False, "moves": True, "command": None,
                "functions": [], "units": [], "variables": [], "steady": [], "waiting": [],
                "waiting_calls": [], "declared": [], "lines": [],
                "plan": None, "random": None, "without_vdso": False, "fill": 0, "above": 0, "debuginfod": False,
                "main": None, "in_main": False, "arrival": 0, "way": None, "place": None,
                "connect": None, "stop": None}

    def __init__(self, path):
        with open(path) as file:
            self.__dict__.update(self.DEFAULTS, **json.load(file))
        self.seed &= (1 << 64) - 1  # JSON has signed numbers
        self.ask_all = self.ask == "all"
        self.declared = {(name, line) for name, line in self.declared}
        self.steady = {(name, line): framed for name, line, framed in self.steady}
        self.waiting = Waiting(self.waiting, self.waiting_calls)


class Waiting:
    """What variables depend on in frames that wait for a call to return: see dwarf/waiting.h."""

    REGISTERS = "rax rdx rcx rbx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15".split()  # by DWARF's numbers
    PRESERVED = "rbx", "rbp", "rsp", "r12", "r13", "r14", "r15"
    OUTWARD = 1 << len(REGISTERS)

    def __init__(self, table, calls=()):
        self.entries = {(name, line): entries for name, line, entries in table}
        self.known = {}  # (name, line, link-time pc) -> mask
        self.calls = dict(calls)

    def needs(self, name, line, pc):
        """What a variable depends on in a frame whose call returns to a link-time pc: registers, a mask by
        DWARF's numbers, and OUTWARD if frames further out say more; None: nobody knows."""
        key = name, line, pc
        if key not in self.known:
            entries, mask = self.entries.get((name, line)), 0
            if entries is None:
                mask = None
            else:
                for lo, hi, needs in zip(entries[::3], entries[1::3], entries[2::3]):
                    if lo <= pc and pc - 1 < hi and mask is not None:
                        mask = None if needs < 0 else mask | needs
            self.known[key] = mask
        return self.known[key]

    def of(self, variables, pc):
        """Needs of [(name, line)] in such a frame."""
        return Needs([self.needs(name, line, pc) for name, line in variables])


class Needs:
    """What the variables of a frame that waits depend on."""

    def __init__(self, masks):
        self.masks, every = masks, 0
        for mask in masks:
            every |= mask or 0
        names = [(name, 1 << number) for number, name in enumerate(Waiting.REGISTERS) if every >> number & 1]
        self.names = [name for name, _ in names]
        self.preserved = [name for name in self.names if name in Waiting.PRESERVED]
        self.others = [(name, bit) for name, bit in names if name not in Waiting.PRESERVED]

    def read(self, register):
        """What the debugger takes the registers for, by register(name), which returns a number or the debugger's
        words. Of one that the callee may write it is told only whether the debugger has a value, which may be
        another at each stop: these are told as a mask, too."""
        unsteady, said = 0, [register(name) for name in self.preserved]
        for name, bit in self.others:
            found = register(name)
            if isinstance(found, int):
                unsteady, found = unsteady | bit, None
            said.append(found)
        return tuple(said), unsteady

    def depends(self, i, unsteady, state):
        """On what the i-th variable depends: 0 on these registers alone, OUTWARD on what is further out, too; None:
        nobody knows. With values of all registers of a place, what is there is no `optimized-out`: the debugger
        has taken another entry, or none."""
        mask = self.masks[i]
        if mask is None or (mask & unsteady and state != "optimized-out"):
            return None
        return mask & Waiting.OUTWARD


class Units:
    """The unit that code belongs to, by what the DWARF calls it."""

    def __init__(self, job, bias):
        """Of a job are used: units, [[lo, hi, name, path]], link-time, by lo; variables, [[address, name of
        the unit, own name, file]] of what is at file scope; ranges."""
        ranges = self.ranges = job.units
        self.variables = {}  # address -> [(name, unit, file), ...]: a common symbol is in several units
        for address, unit, name, file in job.variables:
            self.variables.setdefault(address, []).append((name, unit, file))
        self.placed = set()  # (address, name, unit) that of_variable() has returned
        self.own, self.bias = job.ranges, bias
        self.known = {}  # address -> whether it is the program's
        self.starts = [lo for lo, _, _, _ in ranges]
        self.names = {os.path.normpath(path): name for _, _, name, path in ranges}

    def at(self, pc):
        """The name of the unit at an address of the process; None if it is none of the program's."""
        index = bisect.bisect_right(self.starts, pc - self.bias) - 1
        return self.ranges[index][2] if index >= 0 and pc - self.bias < self.ranges[index][1] else None

    def there(self, address, name, file):
        """The variables of that name at an address; of that file, as far as there are any."""
        named = [one for one in self.variables.get(address, ()) if one[0] == name]
        base = os.path.basename(file or "")
        return [one for one in named if os.path.basename(one[2] or "") == base] or named

    def of_variable(self, address, name, file, guess):
        """The unit and the file of what is at file scope at an address; `guess` and None if that is not known. A
        common symbol (-fcommon) is one object of several units: each that asks for it is another one's."""
        found = self.there(address, name, file) or self.variables.get(address, ())
        free = [one for one in found if (address, name, one[1]) not in self.placed] or found
        for _, unit, its in [one for one in free if one[1] == guess] or free[-1:]:
            self.placed.add((address, name, unit))
            return unit, its
        return guess, None

    def is_own(self, pc, returns):
        """Whether there is code of the program's at an address, or before it, if a call returns there."""
        pc -= returns
        if pc not in self.known:
            self.known[pc] = any(lo <= pc - self.bias < hi for lo, hi in self.own)
        return self.known[pc]

    def link_time(self, pc, returns):
        """The link-time address of a frame's pc as it is told; None if it is none of the program's."""
        return hex(pc - self.bias) if self.is_own(pc, returns) else None

    def named(self, path):
        """The name of the unit with that path; None if it is none of the program's."""
        return self.names.get(os.path.normpath(path or ""))
