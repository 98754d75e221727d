"""walk.py - what the drivers of all debuggers share: the walk from stop to stop, which stops are sampled,
and what is told at them.

It knows no debugger. A driver subclasses Debugger and gives main() a function that makes one. XSTEP_JOB
names a JSON file; what it holds is told in job.py. XSTEP_OUT is the number of a descriptor that JSON
lines are written to, each an object with a `kind`:

    header      witness, version, python, protocol
    stop        as `xstep trace --format json` has it (stop, prev, pc, n, function, file, line, column,
                and, if asked for, frames, vars or texts, regs), and what only a debugger says: `shown`, the
                place as its frame has it, and `inlined`, the functions at the pc, innermost first;
                what is said of a pc (function, file, line, column, inlined) is told with its first stop;
                a frame that was told before is a number: how many others had been told before it; with
                frames there is no `shown`, which is the first of them;
                an item of vars with a `number` is told once: from then on it is a list, [number, frame, shadowed,
                state, value, enumerator, message], which may be shorter: what is left out is null;
                a frame has `tail`, true if the debugger made it up for a tail call, and `pc`, link-time,
                where the program goes on in it; null: of a library, or the stop's
    transition  prev, pc, count: one for each, at the end; `counted_by`, if that is not the debugger
    alive       stops so far: nothing was sampled for a second
    trouble     message: a part of what was asked for could not be had
    end         end (returned, program, limit, error), status or signal, stops, message

Only the standard library is used, and only what Python 3.5 has: the debugger brings its own Python.
"""
import gc
import os
import time

from facts import Facts
from job import Job, Units
from output import LastCommand, Output, StopPage
from process import INT3, Fence, Memory, Window, is_branch_to_itself, is_rep

PROTOCOL = 3
MASK = (1 << 64) - 1
NO_ADDRESS = MASK  # what a null prev counts as
AT_ENTRY, AT_RANDOM = 9, 25
ALIVE_SECONDS = 1.0
REGISTERS = ("rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11",
             "r12", "r13", "r14", "r15", "rip")
GARBAGE = 100000  # objects that are made between two looks for garbage


def mix(x):
    """splitmix64's finaliser."""
    x = ((x ^ (x >> 30)) * 0xbf58476d1ce4e5b9) & MASK
    x = ((x ^ (x >> 27)) * 0x94d049bb133111eb) & MASK
    return x ^ (x >> 31)


def next_sampled(seed, prev, pc, before):
    """A transition that was taken `before` times already is looked at: how often it will have been
    when it is looked at next, None if it never is. Link-time addresses, prev None at the first stop. The
    same in every witness."""
    if before == 0:
        return 1
    prev = NO_ADDRESS if prev is None else prev
    h = mix(seed ^ mix(prev ^ mix(pc ^ mix(before))))
    return (before << 64) // h + 1 if h > before else None


class Ended(Exception):
    """The subject is no more."""


class Missed(Exception):
    """The debugger does not get to the start by the way that was asked for."""


class Place(dict):
    """What a debugger says of a frame beside its variables."""
    number = None  # which of those that were told it is


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

    def peek(self, address, size):
        """Bytes of memory, to see whether they have changed and for nothing else, or None."""
        return self.read(address, size)

    def look_through(self, window):
        """From now on peek() is that of a Window on the process's memory, which asks nobody."""
        self.peek = self.scopes.peek = self.outwards.peek = window.read

    def texts(self):
        """[(name, text)] of every visible variable, each in the debugger's own text, as a script that
        wants to know everything has it: what asking for leaves whose bytes changed is measured
        against."""
        raise NotImplementedError

    has_advance = True  # the command; else a breakpoint will do

    def go_by(self, way, place, pc):
        """Runs to a place by the command `way`, until or advance: [file, line], or None, which is a pc. Returns
        the signal that came first, if one did; raises Missed if the debugger refuses."""
        raise NotImplementedError

    def go_on(self):
        """To the next stop of a process that somebody else holds, which tells that a step has ended there. What is
        shown then is what is shown after a step."""
        return self.step()

    def aside(self, action):
        """Does what only asks; whatever the debugger made for an answer may be freed behind it."""
        action()

    def can_forget(self):
        """Whether the debugger can be made to forget what it has read of a process that somebody else holds,
        so that it need not step to see another stop."""
        return False

    def forget(self):
        """Registers, memory and frames are read anew when they are asked for."""
        raise NotImplementedError

    # What stopping at a breakpoint and going on costs, in steps.
    break_cost = 1.0

    # set_break(pc, ignore) sets a breakpoint that lets so many arrivals pass, clear_break() takes it
    # away; resume() returns None or SIGTRAP there.
    # And: step, step_line, resume, break_at(file, line), pc, sp, set_pc, kill, registers,
    # frames, which returns Places; read(address, size), which returns bytes that the debugger has read, or None;
    # variables(pc), which returns Groups; break_at returns what the debugger says if it cannot;
    # breaks_at(pc) says whether it is set there, and takes away what is.


class Walk:
    """From the entry to the return of that call, stop by stop."""

    def __init__(self, debugger, job, out):
        self.debugger, self.job, self.out = debugger, job, out
        self.command = LastCommand(job.command)
        self.looked = 0    # stops that were told
        self.counts = {}   # (prev, pc), link-time -> how often
        self.dues = {}     # the same -> after how many it is looked at next; None: never again
        self.places = set()  # pcs, link-time, of which it was told what a lookup says
        self.frame_numbers = {}  # what is said of a frame -> its number
        self.told_registers = {}
        self.registers = None  # what they were when the debugger was asked; None: nobody knows
        self.page = None       # of a process that somebody else holds
        self.forgets = False   # the debugger does not step there: see Debugger.can_forget()
        self.pending = None    # signal that the next step delivers
        self.branches = set()  # pcs that is_odd() has looked at
        self.facts = Facts(job.moves)
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
        debugger.look_through(Window(self.memory.fd))
        debugger.units = Units(job, self.bias)
        if job.random:
            self.memory.write(auxv[AT_RANDOM], bytes.fromhex(job.random))
        if job.without_vdso:
            self.memory.hide_vdso(debugger.sp())
        # The loader leaves readings of the clock on the stack, as in xstep's run.
        self.arrive(auxv[AT_ENTRY])
        self.memory.fill_dead_stack(debugger.sp(), job.fill)
        entry = job.entry + self.bias
        self.reach(entry)
        self.entry_sp = debugger.sp() + job.above
        self.return_to = int.from_bytes(self.memory.read(self.entry_sp, 8), "little")
        ranges = [(lo + self.bias, hi + self.bias) for lo, hi in job.ranges]
        self.fence = Fence(self.memory, ranges, self.return_to)
        self.entries = {function + self.bias for function in job.functions}
        return entry

    def reach(self, entry):
        """Runs to where the walk is to begin, by the way that was asked for."""
        if self.job.main is None:
            self.arrive(entry)
            return
        self.arrive(self.job.main + self.bias)
        if self.job.way:
            self.reach_by(self.job.way, entry)
        elif self.job.arrival:
            if self.run_to(entry, self.job.arrival) != entry:
                raise RuntimeError("arrival %d at 0x%x: it is at 0x%x" % (
                    self.job.arrival, self.job.entry, self.debugger.pc() - self.bias))
        else:
            self.arrive(entry)

    def reach_by(self, way, entry):
        """By a command of the debugger's."""
        job, debugger, top = self.job, self.debugger, self.debugger.sp()
        what = "%s %s" % (way, "%s:%d" % tuple(job.place) if job.place else "*0x%x" % job.entry)
        if way == "until" and not job.in_main:
            raise Missed("%s: that is not in the frame of main, where it begins" % what)
        self.command(what)
        if way == "advance" and not debugger.has_advance:
            self.run_to(entry, 1)
            signal = None
        else:
            try:
                signal = debugger.go_by(way, job.place, entry)
            except Ended:
                raise Missed("%s: the program ended first" % what)
        pc, sp = debugger.pc(), debugger.sp()
        if signal:
            raise Missed("%s: %s came first" % (what, signal))
        if sp > top:
            raise Missed("%s: main returned first" % what)
        if pc != entry or job.in_main and sp + job.above != top:
            raise Missed("%s: it stopped at 0x%x, and the line is first reached at 0x%x"
                         % (what, pc - self.bias, job.entry))

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
            if self.has_returned():
                return None
            if self.fence.holds(now):
                return now
            now = self.outside()  # it stopped where there are no lines
            return None if now == self.return_to or self.has_returned() else now

    def has_returned(self):
        """Whether the call is over that was active at the start: its caller may be of interest itself."""
        return self.debugger.sp() > self.entry_sp

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

    def wait_for_next(self):
        """Until the process is at another stop than this one."""
        self.command("wait")
        while self.out.wait():  # the page is being written until then
            if self.page.end()[1] is not None:
                raise Ended()
            if self.page.stop()[0] != self.stops:
                return
        raise RuntimeError("xstep is no more")

    def walk_shared(self):
        """Through the stops of a process that somebody else holds. The first step is a stepi: how a stop is
        arrived at may decide what the debugger shows there. A debugger that can forget what it has read of
        the process shows what it shows after a stepi, and takes a fraction of the time; others go on in the way
        that costs least. With `--ask all` each step is a stepi, which is what this is compared with."""
        debugger, page, first = self.debugger, StopPage(self.job.stop), True
        self.page = page
        debugger.command = self.command
        self.command("connect")
        debugger.connect(self.job)
        memory = self.out.receive()
        if memory is not None:
            debugger.look_through(Window(memory))
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
                if not self.forgets:
                    self.command("stepi")
                    debugger.step() if first or self.job.ask_all else debugger.go_on()
                    first = False
                    # The first step was one: what a debugger hides at the stop where it connects is gone.
                    self.forgets = not self.job.ask_all and debugger.can_forget()
                    continue
                self.wait_for_next()
                self.command("forget the process")
                debugger.forget()
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
            if self.has_returned():
                return None
            if signal in (None, "SIGTRAP") and self.fence.holds(pc):
                return pc
            self.beat()

    def break_at_lines(self):
        """Sets a temporary breakpoint on each line, where the debugger would. A line that it finds no place
        for is not hit by it: that is its answer. That it finds none for any of them is trouble."""
        told = None
        for file, line in self.job.lines:
            self.command("tbreak %s:%d" % (file, line))
            message = self.debugger.break_at(file, line)
            if not message:
                told = ""
            elif told is None:
                told = "%s:%d: %s, nor for any other line" % (file, line, message)
        if told:
            self.out.tell(kind="trouble", message=told)

    def walk(self):
        pc = self.begin()
        prev, job = None, self.job
        advance = {"instruction": self.advance, "line": self.advance_line,
                   "break": self.advance_break}[job.level]
        if job.level == "break":
            self.break_at_lines()
            if not self.debugger.breaks_at(pc):
                pc = advance(pc)
        while pc is not None:
            link = pc - self.bias
            self.stops += 1
            before = self.counts.get((prev, link), 0)
            self.counts[prev, link] = before + 1
            due = before == self.dues.get((prev, link), 0)
            if due and job.sample == "dtd":
                self.dues[prev, link] = next_sampled(job.seed, prev, link, before)
            if due or job.sample in ("all", "none"):
                self.look(prev, link, pc, before + 1)
            else:
                self.beat()
            prev = link
            counted = self.looked if job.limit_kept else self.stops
            if job.limit and counted >= job.limit:
                return "limit"
            pc = advance(pc)
        return "returned"

    def look(self, prev, link, pc, n):
        """Tells a stop."""
        self.debugger.aside(lambda: self.tell_stop(prev, link, pc, n))

    def tell_stop(self, prev, link, pc, n):
        debugger, job = self.debugger, self.job
        self.looked += 1
        line = {"kind": "stop", "stop": self.stops, "prev": prev if prev is None else hex(prev),
                "pc": hex(link), "n": n}
        if link not in self.places:
            self.command("look up 0x%x" % pc)
            self.places.add(link)
            line.update(debugger.place(pc))
        if job.sample != "none":
            if job.frames:
                self.command("backtrace")
                line["frames"] = [self.number_frame(frame) for frame in debugger.frames()]
            else:
                self.command("frame")
                line["shown"] = debugger.shown()
            if job.vars != "none" and job.ask == "text":
                self.command("all variables")
                line["texts"] = dict(debugger.texts())
            elif job.vars != "none":
                groups = debugger.variables(pc)
                line["frame_count"] = debugger.frame_count
                line["vars"] = self.facts.update(groups)
            if job.regs:
                self.command("registers")
                told = self.told_registers
                now = {name: value for name, value in debugger.registers(self.changed_registers()).items()
                       if told.get(name) != value}
                line["regs"] = {name: hex(value) for name, value in now.items()}
                told.update(now)
        if self.forgets:
            self.page.tell_looked(self.stops)  # before the line, which wakes up who reads that
        self.out.tell(**line)

    def number_frame(self, frame):
        """A frame as it is told."""
        if frame.number is None:
            key = tuple(frame.values())
            frame.number = self.frame_numbers.get(key)
            if frame.number is None:
                frame.number = self.frame_numbers[key] = len(self.frame_numbers)
                return frame
        return frame.number

    def changed_registers(self):
        """The registers that the debugger is to be asked for: those that are not as they were when it was."""
        now = self.page.registers() if self.page and not self.job.ask_all else None
        was, self.registers = self.registers, now
        if now is None or was is None:
            return REGISTERS
        return [name for name, one, other in zip(REGISTERS, was, now) if one != other]

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
    gc.set_threshold(GARBAGE)  # there is little of it, and much to look at
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
    except UnicodeDecodeError as error:
        end, message = "error", "its Python cannot read a name that is not UTF-8: %r" % error.object
    except Missed as error:
        end, message = "error", "not reached: %s" % error  # oracle/witness/own/start.h knows it
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
