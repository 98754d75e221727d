"""common.py - what the drivers of all debuggers share: the walk from stop to stop, which stops are
sampled, canonical texts, and what changed since it was told last.

It knows no debugger. A driver subclasses Debugger and gives an object of it to walk(). XSTEP_JOB
names a JSON file; what a job holds is told at Job. XSTEP_OUT is the number of a descriptor that JSON
lines are written to, each an object with a `kind`:

    header      witness, version, python, protocol
    stop        as `xstep trace --format json` has it (stop, prev, pc, n, function, file, line, column,
                and, if asked for, frames, vars or texts, regs), and what only a debugger says: `shown`, the
                place as its frame has it, and `inlined`, the functions at the pc, innermost first
    transition  prev, pc, count: one for each, at the end; `counted_by`, if that is not the debugger
    alive       stops so far: nothing was sampled for a second
    trouble     message: a part of what was asked for could not be had
    end         end (returned, program, limit, error), status or signal, stops, message

Only the standard library is used, and only what Python 3.5 has: the debugger brings its own Python.
"""
import bisect
import functools
import json
import mmap
import os
import struct
import time
from fractions import Fraction

PROTOCOL = 1
MASK = (1 << 64) - 1
NO_ADDRESS = MASK  # what a null prev counts as
AT_ENTRY, AT_RANDOM = 9, 25
INT3 = b"\xcc"
PAGE = 4096
ALIVE_SECONDS = 1.0
# No object is larger: before a variable-length array has its length, its bounds may be anything.
MOST_BYTES = 1 << 24


# --- sampling -------------------------------------------------------------------------------------

def mix(x):
    """splitmix64's finaliser."""
    x = ((x ^ (x >> 30)) * 0xbf58476d1ce4e5b9) & MASK
    x = ((x ^ (x >> 27)) * 0x94d049bb133111eb) & MASK
    return x ^ (x >> 31)


def is_sampled(seed, prev, pc, before):
    """Whether to look at a transition that was taken `before` times already: link-time addresses,
    prev None at the first stop. The same in every witness."""
    if before == 0:
        return True
    prev = NO_ADDRESS if prev is None else prev
    return mix(seed ^ mix(prev ^ mix(pc ^ mix(before)))) % before == 0


# --- canonical texts ------------------------------------------------------------------------------

# bits of the fraction, of the exponent, whether the integer bit is stored, digits that always do
FLOATS = {"half": (10, 5, 0, 5), "brain": (7, 8, 0, 4), "single": (23, 8, 0, 9),
          "double": (52, 11, 0, 17), "x87": (63, 15, 1, 21), "quad": (112, 15, 0, 36)}


def float_format(size, name):
    """The format of a float type of this many bytes; None if there is none."""
    if size == 2:
        return "brain" if "bf" in name else "half"
    if size == 16:
        return "quad" if "128" in name else "x87"
    return {4: "single", 8: "double", 10: "x87", 12: "x87"}.get(size)


def _digits(value, count):
    """A positive fraction rounded to so many decimal digits, ties to even: (digits, exponent)."""
    exponent = len(str(value.numerator)) - len(str(value.denominator))
    while value >= Fraction(10) ** (exponent + 1):
        exponent += 1
    while value < Fraction(10) ** exponent:
        exponent -= 1
    number = round(value / Fraction(10) ** (exponent - count + 1))  # Python's ties go to even
    if number == 10 ** count:
        return 10 ** (count - 1), exponent + 1
    return number, exponent


def _general(number, exponent, count):
    """As C's %g writes it with this precision."""
    digits = str(number)
    if exponent < -4 or exponent >= count:
        digits = digits.rstrip("0")
        point = digits[0] + ("." + digits[1:] if len(digits) > 1 else "")
        return "%se%s%02d" % (point, "-" if exponent < 0 else "+", abs(exponent))
    if exponent < 0:
        return ("0." + "0" * (-exponent - 1) + digits).rstrip("0")
    whole, rest = digits[:exponent + 1], digits[exponent + 1:].rstrip("0")
    return whole + ("." + rest if rest else "")


def _reads_back(told, exact, unit, significand, smaller_below):
    """Whether a number is rounded to the float significand * unit: it may be half a unit away, and
    at most that if the float is even. Below a power of two units are half as large."""
    half = unit / 4 if told < exact and smaller_below else unit / 2
    return abs(told - exact) < half or (abs(told - exact) == half and significand % 2 == 0)


@functools.lru_cache(maxsize=4096)
def float_text(kind, data):
    """The shortest decimal text that reads back to the same bytes, as C's %g writes it; inf and
    nan(0x..) with the fraction's bits."""
    fraction, exponent, integer, most = FLOATS[kind]
    bits = int.from_bytes(data, "little") & ((1 << (fraction + integer + exponent + 1)) - 1)
    sign = "-" if bits >> (fraction + integer + exponent) else ""
    field = bits >> (fraction + integer) & ((1 << exponent) - 1)
    low = bits & ((1 << fraction) - 1)
    unit_bit = bits >> fraction & 1 if integer else int(field != 0)
    if field == (1 << exponent) - 1:
        return sign + ("inf" if (unit_bit or not integer) and low == 0 else "nan(0x%x)" % low)
    if field and not unit_bit:
        return sign + "nan(0x%x)" % low  # x87: what the processor refuses
    significand = low | unit_bit << fraction
    if not significand:
        return sign + "0"
    unit = Fraction(2) ** (max(field, 1) - ((1 << (exponent - 1)) - 1) - fraction)
    exact = significand * unit
    smaller_below = field > 1 and significand == 1 << fraction
    for count in range(1, most + 1):
        number, power = _digits(exact, count)
        told = number * Fraction(10) ** (power - count + 1)
        if _reads_back(told, exact, unit, significand, smaller_below):
            break
    return sign + _general(number, power, count)


def pointer_text(value):
    return "0x%x" % (value & MASK)


# --- output ---------------------------------------------------------------------------------------

class Output:
    """JSON lines. Bytes of names that are not UTF-8 become question marks."""

    def __init__(self, fd):
        os.set_inheritable(fd, False)  # the subject must not have it
        self.fd = fd
        self.last = time.monotonic()

    def tell(self, **line):
        text = json.dumps(line, separators=(",", ":"), ensure_ascii=False)
        data = (text + "\n").encode(errors="replace")
        while data:
            data = data[os.write(self.fd, data):]
        self.last = time.monotonic()


class LastCommand:
    """The last command given to the debugger, where xstep can read it when there is no answer: the
    job's file `command`, mapped."""

    def __init__(self, path):
        self.map = None
        if path:
            with open(path, "r+b") as file:
                self.map = mmap.mmap(file.fileno(), PAGE)

    def __call__(self, text):
        if self.map:
            data = self.data(text)
            self.map[0:len(data)] = data

    @staticmethod
    @functools.lru_cache(maxsize=4096)
    def data(text):
        return text.encode(errors="replace")[:PAGE - 1] + b"\0"


class StopPage:
    """Which stop the process is at, where xstep holds it and several debuggers look: the job's file
    `stop`, mapped. See struct ora_shared_page."""

    FORM = struct.Struct("<9Q")
    ENDS = {1: "returned", 2: "program", 3: "limit"}

    def __init__(self, path):
        with open(path, "r+b") as file:
            self.map = mmap.mmap(file.fileno(), PAGE)

    def stop(self):
        """(number, prev, pc, n, bias); link-time addresses, prev None at the first."""
        number, prev, pc, n, bias = self.FORM.unpack_from(self.map)[:5]
        return number, None if prev == NO_ADDRESS else prev, pc, n, bias

    def end(self):
        """(stops, end, status, signal); end is None if it is not over."""
        stops, end, status, signal = self.FORM.unpack_from(self.map)[5:]
        return (stops, self.ENDS.get(end), None if status == MASK else status,
                None if signal == MASK else signal)


# --- facts ----------------------------------------------------------------------------------------

class Leaf(tuple):
    """(path, type, state, value, enumerator, message) of a leaf."""
    __slots__ = ()

    def __new__(cls, path, kind, state, value=None, enumerator=None, message=None):
        return tuple.__new__(cls, (path, kind, state, value, enumerator, message))


class Variable:
    """What a witness says of one variable in one frame, at a stop.

    unit is the name of its compilation unit, None outside the program. scope is the way to its function through inlined calls, `main/foo/bar`; for what is at file
    scope "" if it is external, else the unit's name. With name and declaration line these are the
    identity. call is its frame counted from the outermost, 0 at file scope: it keeps that number
    while others come and go inside."""
    __slots__ = ("unit", "scope", "name", "file", "line", "call", "frame", "shadowed", "leaves", "nth")

    def __init__(self, unit, scope, name, file, line, call, frame, shadowed, leaves):
        self.unit, self.scope, self.name, self.file, self.line = unit, scope, name, file, line
        self.call, self.frame, self.shadowed, self.leaves = call, frame, shadowed, leaves
        self.nth = 0  # of several that look the same


class Group:
    """The variables of a call, or of the file scope, as they are told at a stop. It never changes: the
    same group at the next stop has nothing new to tell."""
    __slots__ = ("variables", "known")

    def __init__(self, variables):
        self.variables, self.known = variables, {}
        for variable in variables:
            head = variable.unit, variable.scope, variable.name, variable.line, variable.call
            while head + (variable.nth,) in self.known:
                variable.nth += 1  # two of the same identity: in the order of listing
            self.known[head + (variable.nth,)] = variable


class Facts:
    """What was told of variables, to tell only what changed."""

    def __init__(self):
        self.groups = []  # each with the variables of other calls

    def update(self, groups):
        """Returns the entries that changed: what is absent now first."""
        was, now = {}, {}
        same = {id(group) for group in self.groups} & {id(group) for group in groups}
        for group in self.groups:
            if id(group) not in same:
                was.update(group.known)
        for group in groups:
            if id(group) not in same:
                now.update(group.known)
        self.groups = groups
        return self.differences(was, now)

    def differences(self, was, now):
        """Entries by what was known and is known now, {identity: Variable}."""
        entries, changed = [], []
        for key, old in was.items():
            if key not in now:
                entries += [self._entry(old, leaf, "absent") for leaf in old.leaves]
        for key, new in now.items():
            old = was.get(key)
            if old is None:
                changed += [self._entry(new, leaf) for leaf in new.leaves]
            elif old.leaves is not new.leaves or old.frame != new.frame \
                    or old.shadowed != new.shadowed:
                moved = old.frame != new.frame or old.shadowed != new.shadowed
                before = {leaf[0]: leaf for leaf in old.leaves}
                for leaf in new.leaves:
                    told = before.pop(leaf[0], None)
                    if told != leaf or moved:
                        changed.append(self._entry(new, leaf))
                    if told and told[1] != leaf[1]:  # a leaf of another type is another leaf
                        entries.append(self._entry(old, told, "absent"))
                entries += [self._entry(old, leaf, "absent") for leaf in before.values()]
        return entries + changed

    @staticmethod
    def _entry(variable, leaf, state=None):
        path, kind, its_state, value, enumerator, message = leaf
        entry = {"path": path, "var": variable.name,
                 "decl": {"file": variable.file, "line": variable.line},
                 "unit": variable.unit, "scope": variable.scope, "frame": variable.frame, "depth": variable.call,
                 "shadowed": variable.shadowed, "declared": state is None, "type": kind,
                 "state": state or its_state, "value": None if state else value}
        if variable.nth:
            entry["nth"] = variable.nth
        if enumerator and not state:
            entry["enumerator"] = enumerator
        entry["message"] = None if state else message
        return entry


class Units:
    """The unit that code belongs to, by what the DWARF calls it."""

    def __init__(self, job, bias):
        """Of a job are used: units, [[lo, hi, name, path]], link-time, by lo; variables, [[address, name]] of
        what is at file scope; ranges."""
        ranges = self.ranges = job.units
        self.variables, self.own, self.bias = dict(job.variables), job.ranges, bias
        self.starts = [lo for lo, _, _, _ in ranges]
        self.names = {os.path.normpath(path): name for _, _, name, path in ranges}

    def at(self, pc):
        """The name of the unit at an address of the process; None if it is none of the program's."""
        index = bisect.bisect_right(self.starts, pc - self.bias) - 1
        return self.ranges[index][2] if index >= 0 and pc - self.bias < self.ranges[index][1] else None

    def is_own(self, pc, returns):
        """Whether there is code of the program's at an address, or before it, if a call returns there."""
        pc -= self.bias + returns
        return any(lo <= pc < hi for lo, hi in self.own)

    def named(self, path):
        """The name of the unit with that path; None if it is none of the program's."""
        return self.names.get(os.path.normpath(path or ""))


class Leaves(list):
    """The leaves of a variable as they are found: at most so many, the others being counted."""

    def __init__(self, limit):
        list.__init__(self)
        self.limit, self.missing = limit, 0

    def full(self, count):
        """Whether there is no room for a part of so many leaves; it is counted then."""
        if len(self) < self.limit:
            return False
        self.missing += count
        return True

    def close(self, name, kind):
        """What is to be told: that there were more is said; a variable that is gone altogether is
        one leaf. None stands for the list itself."""
        if self.missing:
            self.append(Leaf(name, kind, "cut", message="%d more leaves" % self.missing))
        elif len(self) > 1 and all(leaf[2] == "optimized-out" for leaf in self):
            return [Leaf(name, kind, "optimized-out", message=self[0][5])]
        return None


def covers(data, spans):
    """Whether these bytes hold all leaves. A debugger may be wrong about the size of an array, and
    what it shows behind that would never be asked for again."""
    return data is not None and (not spans or all(span[3] < len(data) for span in spans)
                                 and max(span[4] for span in spans) - 1 <= len(data))


# --- the process, beside the debugger -------------------------------------------------------------

class Memory:
    """The subject's memory through /proc. The debugger is not asked: what is written here is gone
    again before it looks, and what is read here is no fact."""

    def __init__(self, pid):
        self.pid = pid
        self.fd = os.open("/proc/%d/mem" % pid, os.O_RDWR | os.O_CLOEXEC)

    def read(self, address, size):
        return os.pread(self.fd, size, address)

    def write(self, address, data):
        os.pwrite(self.fd, data, address)

    def fill_dead_stack(self, sp, byte):
        """Writes over what lies below the stack pointer."""
        with open("/proc/%d/maps" % self.pid) as maps:
            for line in maps:
                lo, hi = (int(word, 16) for word in line.split()[0].split("-"))
                if lo < sp <= hi:
                    self.write(lo, bytes([byte]) * (sp - lo))

    def auxv(self):
        with open("/proc/%d/auxv" % self.pid, "rb") as file:
            data = file.read()
        pairs = struct.iter_unpack("<QQ", data[:len(data) // 16 * 16])
        return dict(pair for pair in pairs)


class Fence:
    """int3 all over the code of interest, while other code runs at full speed: every way back is
    seen, be it a return, a callback, a signal handler or longjmp."""

    def __init__(self, memory, ranges, return_to):
        self.memory, self.ranges, self.up = memory, ranges, False
        self.single = [] if self.holds(return_to) else [return_to]
        self.saved = []

    def holds(self, pc):
        return any(lo <= pc < hi for lo, hi in self.ranges)

    def raise_up(self):
        self.saved = [(lo, self.memory.read(lo, hi - lo)) for lo, hi in
                      self.ranges + [(pc, pc + 1) for pc in self.single]]
        for lo, data in self.saved:
            self.memory.write(lo, INT3 * len(data))
        self.up = True

    def take_down(self):
        for lo, data in self.saved:
            self.memory.write(lo, data)
        self.up = False


def is_rep(code):
    """Whether a repeated string instruction begins with these bytes."""
    repeats, at = False, 0
    while at < len(code) - 1 and (code[at] in b"\x66\x67\xf2\xf3\x2e\x36\x3e\x26\x64\x65"
                                  or 0x40 <= code[at] <= 0x4f):
        repeats |= code[at] in b"\xf2\xf3"
        at += 1
    return repeats and code[at] in b"\xa4\xa5\xa6\xa7\xaa\xab\xac\xad\xae\xaf\x6c\x6d\x6e\x6f"


def is_branch_to_itself(code):
    """Whether a direct branch whose target it is itself begins with these bytes."""
    if code[0] == 0xeb or 0x70 <= code[0] <= 0x7f or 0xe0 <= code[0] <= 0xe3:
        return code[1] == 0xfe
    if code[0] in (0xe8, 0xe9):
        return code[1:5] == b"\xfb\xff\xff\xff"
    return code[0] == 0x0f and 0x80 <= code[1] <= 0x8f and code[2:6] == b"\xfa\xff\xff\xff"


# --- the walk -------------------------------------------------------------------------------------

class Ended(Exception):
    """The subject is no more."""


class Debugger:
    """What the walk asks of a debugger. Addresses are those of the process.

    step() and resume() return the name of the signal that stopped the subject before it executed
    anything more, `SIGTRAP` for an int3 that is not the debugger's own, else None; they raise Ended
    when it is gone, and set `status` or `signal`."""

    name = None         # of the witness
    version = None      # as it says itself
    # Steps until the pc changes: a rep-prefixed instruction is one step, as it should be, but so is a
    # branch to itself, however often it is taken.
    steps_to_other_pc = False
    # When it delivers a signal, single-steps once more and says nothing of it: stops behind the first
    # instruction of the handler.
    skips_handler_entry = False
    bias = None         # of the process, and what its code belongs to: the walk sets them
    units = None
    status = None       # exit status
    signal = None       # or the name of the signal that killed it

    def launch(self, job):
        """Starts the subject, stopped at the first instruction; returns its pid."""
        raise NotImplementedError

    def connect(self, job):
        """Reads the program's symbols and connects to who holds the process, which is at a stop. A
        step then leads to the next stop that is to be looked at."""
        raise NotImplementedError

    def place(self, pc):
        """{function, file, line, column, inlined} by looking the pc up, no frame being involved."""
        raise NotImplementedError

    def shown(self):
        """{function, file, line, column} as frame 0 shows them."""
        raise NotImplementedError

    def texts(self):
        """[(name, text)] of every visible variable, each in the debugger's own text, as a script that
        wants to know everything has it: what asking for leaves whose bytes changed is measured
        against."""
        raise NotImplementedError

    # What stopping at a breakpoint and going on costs, in steps.
    break_cost = 1.0

    # set_break(pc, ignore) sets a breakpoint that lets so many arrivals pass, clear_break() takes it
    # away; resume() returns None or SIGTRAP there.
    # And: step, step_line, resume, break_at(file, line), pc, sp, set_pc, kill, frames, registers,
    # variables(pc), which returns Groups; break_at returns what the debugger says if it cannot.


class Job:
    """What to do; the keys are the attributes.

    program, arguments (without the program), environment ({name: value}), directory, stdin, stdout,
    stderr (paths); ranges ([[lo, hi]]), functions (entries), elf_entry, entry: link-time addresses of
    what is of interest, of its functions, of the ELF entry, and of where to begin; above: bytes from the
    stack pointer there to the return address; units, variables (see Units); steady
    ([[name, line, whether it moves with the frame]], see dwarf/steady.h); random (hex for AT_RANDOM); fill (the byte that the dead stack is filled with at the ELF entry); plan (see oracle/plan.h, or None); lines ([[file, line]] to break at); sample, seed,
    limit, level; vars (none, locals, all), frames, regs, max_leaves; ask (needed, all, or text: see
    Debugger.texts), by_name (the other voice: each name as an expression); command (file for the last command), debuginfod; connect, stop (the socket of who
    holds the process, and the file of StopPage; None: the debugger launches its own)."""

    DEFAULTS = {"arguments": [], "environment": {}, "directory": None, "stdin": "/dev/null",
                "stdout": "/dev/null", "stderr": "/dev/null", "sample": "dtd", "seed": 0,
                "limit": 0, "level": "instruction", "vars": "none", "frames": False, "regs": False,
                "max_leaves": 4096, "ask": "needed", "by_name": False, "command": None,
                "functions": [], "units": [], "variables": [], "steady": [], "lines": [], "plan": None, "random": None, "fill": 0, "debuginfod": False,
                "connect": None, "stop": None}

    def __init__(self, path):
        with open(path) as file:
            self.__dict__.update(self.DEFAULTS, **json.load(file))
        self.seed &= MASK  # JSON has signed numbers
        self.ask_all = self.ask == "all"
        # {(name, line): whether it moves with the frame}
        self.steady = {(name, line): framed for name, line, framed in self.steady}


class Walk:
    """From the entry to the return of that call, stop by stop."""

    def __init__(self, debugger, job, out):
        self.debugger, self.job, self.out = debugger, job, out
        self.command = LastCommand(job.command)
        self.counts = {}   # (prev, pc), link-time -> how often
        self.places = {}   # pc -> what a lookup says
        self.shown = {}    # pc -> the frame's place, as it was told last
        self.told_registers = {}
        self.pending = None    # signal that the next step delivers
        self.branches = set()  # pcs that is_odd() has looked at
        self.facts = Facts()
        self.stops = 0

    def begin(self):
        """Launches and runs to the entry."""
        job, debugger = self.job, self.debugger
        debugger.command = self.command
        self.command("launch")
        self.memory = Memory(debugger.launch(job))
        auxv = self.memory.auxv()
        self.bias = auxv[AT_ENTRY] - job.elf_entry
        debugger.bias, debugger.memory = self.bias, self.memory
        debugger.units = Units(job, self.bias)
        if job.random:
            self.memory.write(auxv[AT_RANDOM], bytes.fromhex(job.random))
        # The loader leaves readings of the clock on the stack, as in xstep's run.
        self.arrive(auxv[AT_ENTRY])
        self.memory.fill_dead_stack(debugger.sp(), job.fill)
        entry = job.entry + self.bias
        self.arrive(entry)
        self.entry_sp = debugger.sp() + job.above
        self.return_to = int.from_bytes(self.memory.read(self.entry_sp, 8), "little")
        ranges = [(lo + self.bias, hi + self.bias) for lo, hi in job.ranges]
        self.fence = Fence(self.memory, ranges, self.return_to)
        self.entries = {function + self.bias for function in job.functions}
        return entry

    def arrive(self, address):
        """Runs to an address that has not been executed."""
        old = self.memory.read(address, 1)
        self.memory.write(address, INT3)
        while self.run() not in (address, address + 1):
            pass
        self.memory.write(address, old)
        self.settle(address)

    def run(self):
        """At full speed, signals being delivered, to the next int3: the pc there."""
        while True:
            self.command("continue")
            if self.debugger.resume() == "SIGTRAP":
                return self.debugger.pc()
            self.beat()

    def settle(self, pc):
        """Our int3 has done its work: as if it had never been."""
        if self.debugger.pc() != pc:
            self.debugger.set_pc(pc)

    def beat(self):
        if time.monotonic() - self.out.last > ALIVE_SECONDS:
            self.out.tell(kind="alive", stops=self.stops)

    def outside(self, interrupted=None):
        """The subject has left the code of interest: to where it comes back. interrupted is where it
        was, if it was not outside and a signal is being delivered."""
        self.fence.raise_up()
        try:
            while True:
                pc = self.run()
                if interrupted and pc - 1 not in self.entries and \
                        (pc - 2 in self.entries or pc - 2 == interrupted):
                    pc -= 1  # the int3 at a handler's entry, or where it was, was stepped over
                if self.fence.holds(pc - 1) or pc - 1 in self.fence.single:
                    pc -= 1
                elif not self.fence.holds(pc) and pc not in self.fence.single:
                    continue  # the program's own int3, in a library
                break
        finally:
            try:
                self.fence.take_down()
            except OSError:
                pass  # it is gone
        self.settle(pc)
        return pc

    def advance(self, pc):
        """One stop further: the new pc, or None if the traced call returned."""
        while True:
            if self.pending and self.debugger.skips_handler_entry:
                self.pending = None
                now = self.outside(pc)
            else:
                self.command("stepi")
                self.pending = self.debugger.step()
                now = self.debugger.pc()
            from_here = True
            while True:
                if now == self.return_to and self.debugger.sp() > self.entry_sp:
                    return None
                if self.fence.holds(now):
                    break
                if now in self.fence.single:  # a deeper call of it returned to the same place
                    self.debugger.step()
                self.pending, from_here = None, False
                now = self.outside()
            if now == pc and from_here and not self.executed(pc):
                continue
            if now != pc and self.debugger.steps_to_other_pc and self.is_odd(pc):
                self.out.tell(kind="trouble", message="0x%x: a branch to itself: %s steps until the "
                              "pc changes, so that this is one stop" % (pc - self.bias,
                                                                        self.debugger.name))
            return now

    def executed(self, pc):
        """Whether the instruction, at which the subject still is, was executed, and all of it: a
        signal may have come first, and gdb stops at each repetition of a string instruction."""
        return not self.pending and not is_rep(self.memory.read(pc, 15)) and \
            not self.debugger.steps_to_other_pc

    def is_odd(self, pc):
        """Whether a branch to itself is at pc. True once."""
        if pc not in self.branches:
            self.branches.add(pc)
            return is_branch_to_itself(self.memory.read(pc, 15))
        return False

    def advance_line(self, pc):
        """The debugger's own idea of a step by source line."""
        while True:
            self.command("step")
            signal = self.debugger.step_line()
            now = self.debugger.pc()
            if signal and now == pc:
                continue
            if self.fence.holds(now):
                return now
            if now == self.return_to or self.debugger.sp() > self.entry_sp:
                return None
            now = self.outside()  # it stopped where there are no lines
            if now == self.return_to:
                return None
            return now

    def run_to(self, pc, arrivals):
        """At full speed to a breakpoint, arriving there for the so many-th time."""
        self.command("break *0x%x, ignore %d, continue" % (pc, arrivals - 1))
        self.debugger.set_break(pc, arrivals - 1)
        try:
            while self.debugger.resume() not in (None, "SIGTRAP"):
                self.beat()
        finally:
            self.debugger.clear_break()
        return self.debugger.pc()

    def walk_plan(self):
        """To the stops that xstep has found beforehand."""
        pc, job = self.begin(), self.job
        for number, prev, link, n, arrivals in job.plan["stops"]:
            target, steps = link + self.bias, number - self.stops
            if number == 1:
                steps = 0
            elif steps > 1 and steps > arrivals * self.debugger.break_cost + 2:
                # The last step is a step all the same: how a stop is arrived at may decide what the
                # debugger shows there.
                source = prev + self.bias
                code = self.memory.read(source, 15)
                if not is_rep(code) and not is_branch_to_itself(code):
                    pc, steps, self.pending = self.run_to(source, arrivals), 1, None
            for _ in range(steps):
                pc = self.advance(pc)
                self.beat()
                if pc is None:
                    break
            self.stops = number
            if pc != target:
                raise RuntimeError("stop %d should be at 0x%x and is at %s: it goes another way than "
                                   "xstep; --no-plan lets it find its own"
                                   % (number, link, pc and hex(pc - self.bias)))
            self.look(None if prev < 0 else prev, link, pc, n)
        self.stops = job.plan["executed"]
        self.counts = {(None if prev < 0 else prev, pc): count
                       for prev, pc, count in job.plan["transitions"]}
        return job.plan["end"]

    def walk_shared(self):
        """Through the stops of a process that somebody else holds. Each step is a stepi: how a stop is
        arrived at may decide what the debugger shows there."""
        debugger, page = self.debugger, StopPage(self.job.stop)
        debugger.command = self.command
        self.command("connect")
        debugger.connect(self.job)
        try:
            while True:
                self.stops, prev, link, n, self.bias = page.stop()
                if debugger.bias != self.bias:
                    debugger.bias = self.bias
                    debugger.units = Units(self.job, self.bias)
                pc = link + self.bias
                if debugger.pc() != pc:
                    raise RuntimeError("stop %d is at 0x%x, and it says 0x%x"
                                       % (self.stops, link, debugger.pc() - self.bias))
                self.look(prev, link, pc, n)
                self.command("stepi")
                debugger.step()
        except Ended:
            self.stops, end, debugger.status, debugger.signal = page.end()
            if end is None:
                raise RuntimeError("the connection was lost after stop %d" % self.stops)
            return end

    def advance_break(self, _):
        """To the next temporary breakpoint that was not hit yet."""
        while True:
            self.command("continue")
            signal = self.debugger.resume()
            pc = self.debugger.pc()
            if signal in (None, "SIGTRAP") and self.fence.holds(pc):
                return pc
            self.beat()

    def break_at_lines(self):
        """Sets a temporary breakpoint on each line, where the debugger would."""
        for file, line in self.job.lines:
            self.command("tbreak %s:%d" % (file, line))
            message = self.debugger.break_at(file, line)
            if message:
                self.out.tell(kind="trouble", message="%s:%d: %s" % (file, line, message))

    def walk(self):
        pc = self.begin()
        prev, job = None, self.job
        advance = {"instruction": self.advance, "line": self.advance_line,
                   "break": self.advance_break}[job.level]
        if job.level == "break":
            self.break_at_lines()
            pc = advance(pc)
        while pc is not None:
            link = pc - self.bias
            self.stops += 1
            before = self.counts.get((prev, link), 0)
            self.counts[prev, link] = before + 1
            if job.sample in ("all", "none") or (
                    before == 0 if job.sample == "unique"
                    else is_sampled(job.seed, prev, link, before)):
                self.look(prev, link, pc, before + 1)
            else:
                self.beat()
            prev = link
            if job.limit and self.stops >= job.limit:
                return "limit"
            pc = advance(pc)
        return "returned"

    def look(self, prev, link, pc, n):
        """Tells a stop."""
        debugger, job = self.debugger, self.job
        line = {"kind": "stop", "stop": self.stops, "prev": prev if prev is None else hex(prev),
                "pc": hex(link), "n": n}
        if link not in self.places:
            self.command("look up 0x%x" % pc)
            self.places[link] = debugger.place(pc)
        line.update(self.places[link])
        if job.sample != "none":
            self.command("frame")
            line["shown"] = debugger.shown()
            if job.frames:
                self.command("backtrace")
                line["frames"] = debugger.frames()
            if job.vars != "none" and job.ask == "text":
                self.command("all variables")
                line["texts"] = dict(debugger.texts())
            elif job.vars != "none":
                groups = debugger.variables(pc)
                line["frame_count"] = debugger.frame_count
                line["vars"] = self.facts.update(groups)
            if job.regs:
                self.command("registers")
                now = debugger.registers()
                line["regs"] = {name: hex(value) for name, value in now.items()
                                if self.told_registers.get(name) != value}
                self.told_registers = now
        self.out.tell(**line)

    def finish(self):
        """Lets the subject run to its own end."""
        while True:
            self.command("continue")
            self.debugger.resume()
            self.beat()

    def tell_transitions(self):
        def order(item):
            (prev, pc), _ = item
            return -1 if prev is None else prev, pc
        whose = {"counted_by": "xstep"} if self.job.plan else {}
        for (prev, pc), count in sorted(self.counts.items(), key=order):
            self.out.tell(kind="transition", prev=prev if prev is None else hex(prev), pc=hex(pc),
                          count=count, **whose)


def main(make):
    """Does the job that the environment names with the debugger that make() returns."""
    out = Output(int(os.environ["XSTEP_OUT"]))
    walk, end, message = None, "error", None
    try:
        job = Job(os.environ["XSTEP_JOB"])
        debugger = make(job)
        out.tell(kind="header", witness=debugger.name, version=debugger.version,
                 python="%d.%d.%d" % debugger.python, protocol=PROTOCOL)
        walk = Walk(debugger, job, out)
        try:
            if job.connect:
                end = walk.walk_shared()
                raise Ended()
            try:
                end = walk.walk_plan() if job.plan else walk.walk()
            except Ended:
                if not job.plan:
                    raise
                raise RuntimeError("the program ended before stop %d, the next that xstep foretold; "
                                   "--no-plan lets it find its own way"
                                   % min(stop[0] for stop in job.plan["stops"]
                                         if stop[0] > walk.stops))
            if end in ("returned", "program"):
                walk.finish()
            else:
                debugger.kill()
        except Ended:
            end = "program" if end == "error" else end
    except Exception as error:  # whatever the debugger throws is its testimony
        end, message = "error", "%s: %s" % (type(error).__name__, error)
        if os.environ.get("XSTEP_DEBUG"):
            import traceback
            traceback.print_exc()
    if walk:
        walk.tell_transitions()
    out.tell(kind="end", end=end, stops=walk.stops if walk else 0, message=message,
             status=walk.debugger.status if walk else None,
             signal=walk.debugger.signal if walk else None)
