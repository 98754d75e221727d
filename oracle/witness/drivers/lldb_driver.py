"""lldb_driver.py - runs inside lldb: what lldb says of a program, stop by stop. See walk.py.

What is asked is what `frame variable` lists, leaf by leaf, without formatters and synthetic
children.
"""
import functools
import os
import sys

import lldb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import facts
import kept
import kept_lldb
import outwards
import quoting
import scopes
import walk
from facts import Leaf
from lldb_globals import Globals
from lldb_listing import Frame, Listed, Listing, Relisted, Who
from lldb_values import INVALID, Values, is_gone, words
from names import local_name

SETTINGS = (
    "settings set target.inherit-env false", "settings set target.disable-aslr true",
    "settings set target.enable-synthetic-value false", "settings set target.load-script-from-symbol-file false",
    "settings set target.load-cwd-lldbinit false", "settings set target.prefer-dynamic-value no-dynamic-values",
    "settings set target.max-children-count 1000000", "settings set auto-confirm true",
    "settings set use-color false", "settings set stop-disassembly-display never",
    "settings set stop-line-count-before 0", "settings set stop-line-count-after 0",
    "settings set target.process.follow-fork-mode parent", "settings set plugin.jit-loader.gdb.enable off",
    "settings set target.process.thread.step-avoid-regexp ''",
    "settings set target.process.thread.step-in-avoid-nodebug true",
    "type category disable '*'",
)
# Of a process that somebody else holds: memory is asked for by pages, once a stop.
SHARED = ("settings set plugin.process.gdb-remote.packet-timeout 86400",
          "settings set target.process.memory-cache-line-size 4096")
MOST_LISTINGS = 10000  # that are kept
SIGTRAP, SIGSTOP, SIGINT = 5, 19, 2


class Answer:
    """What lldb said of a variable in a call, and by which bytes."""
    __slots__ = ("address", "data", "leaves", "spans")

    def __init__(self, address, data, leaves, spans):
        self.address, self.data, self.leaves, self.spans = address, data, leaves, spans


class Lldb(Globals, Values, walk.Debugger):
    name = "lldb"
    python = sys.version_info[:3]
    steps_to_other_pc = True
    skips_handler_entry = True
    has_advance = False

    def __init__(self, job, debugger):
        self.job, self.debugger = job, debugger
        Globals.__init__(self)
        self.version = debugger.GetVersionString().splitlines()[0]
        self.interpreter = debugger.GetCommandInterpreter()
        debugger.SetAsync(False)
        for command in SETTINGS:
            # One that this version does not have is no loss.
            self.interpreter.HandleCommand(command, lldb.SBCommandReturnObject())
        self.marks = []    # breakpoints on lines
        self.answers = {}  # identity -> Answer
        self.unit_kinds = {}  # unit -> type name and size -> Kind
        self.kinds = {}    # those of the unit that is asked about
        self.statics = {}  # pc -> statics of the blocks there
        self.scopes = scopes.Scopes(self.peek)
        self.outwards = outwards.Outwards(self.peek, self.register)
        self.stack = None  # [Frame] at this stop
        self.known_frames = {}  # what is the same at each stop: see walk_frames()
        self.plain_pcs = {}  # pc without inlined calls -> names, unit, own and place of its Frame
        self.whos = {}     # lldb's number of a value -> Who
        self.same_whos = {}  # what a Who is made from -> Who
        self.listings = {}   # what a frame is known by -> Listed
        self.pc_listings = {}  # the same but for where the frame is -> Listed
        self.same_listings = {}  # what a Listing is made from -> Listing
        self.names = frozenset()  # see frame_variables()
        self.waiting = {}    # (Listing, return address) -> what those depend on there: see job.Needs
        self.how_to_evaluate = how = lldb.SBExpressionOptions()
        how.SetFetchDynamicValue(lldb.eNoDynamicValues)
        how.SetIgnoreBreakpoints(True)
        how.SetTrapExceptions(False)
        how.SetTryAllThreads(False)
        how.SetAutoApplyFixIts(False)  # or it may take another name for a misspelt one
        how.SetSuppressPersistentResult(True)
        how.SetAllowJIT(False)  # the program must not run

    # --- the process ---

    def open(self, job):
        """Reads the program's symbols."""
        error = lldb.SBError()
        if job.debug_root:
            self.interpreter.HandleCommand("settings set target.debug-file-search-paths %s"
                                           % quoting.lldb_word(job.debug_root), lldb.SBCommandReturnObject())
        self.target = self.debugger.CreateTarget(job.program, None, None, False, error)
        if not self.target.IsValid():
            raise RuntimeError(error.GetCString() or "no target")
        if job.debug_file:
            self.add_symbols(job)
        # As long as no library is loaded, all that there is at file scope is the program's own.
        self.own = {self.identity(value) for value in self.find_globals()} \
            if job.vars == "all" else set()

    def add_symbols(self, job):
        """Reads the separate debug file."""
        result = lldb.SBCommandReturnObject()
        self.interpreter.HandleCommand("target symbols add --shlib %s %s" % (
            quoting.lldb_word(job.program), quoting.lldb_word(job.debug_file)), result)
        if not result.Succeeded():
            raise RuntimeError("target symbols add: %s" % (result.GetError() or "").strip())

    def connect(self, job):
        self.open(job)
        result = lldb.SBCommandReturnObject()
        for command in SHARED:
            self.interpreter.HandleCommand(command, result)
        self.interpreter.HandleCommand("process connect --plugin gdb-remote %s"
                                       % quoting.lldb_word("unix-connect://%s" % job.connect), result)
        self.process = self.target.GetProcess()
        if not result.Succeeded() or not self.process.IsValid():
            raise RuntimeError(result.GetError() or "no process")
        self.thread = self.process.GetThreadAtIndex(0)

    def launch(self, job):
        self.open(job)
        error = lldb.SBError()
        info = lldb.SBLaunchInfo(list(job.arguments))
        info.SetLaunchFlags(lldb.eLaunchFlagStopAtEntry | lldb.eLaunchFlagDisableASLR)
        info.SetEnvironmentEntries(["%s=%s" % item for item in job.environment.items()], False)
        info.SetWorkingDirectory(job.directory or os.getcwd())
        info.AddOpenFileAction(0, job.stdin, True, False)
        info.AddOpenFileAction(1, job.stdout, False, True)
        info.AddOpenFileAction(2, job.stderr, False, True)
        self.process = self.target.Launch(info, error)
        if error.Fail() or not self.process.IsValid():
            raise RuntimeError(error.GetCString() or "no process")
        signals = self.process.GetUnixSignals()
        for i in range(signals.GetNumSignals()):
            number = signals.GetSignalAtIndex(i)
            if number not in (SIGTRAP, SIGSTOP, SIGINT):  # lldb's own tools
                signals.SetShouldStop(number, True)
                signals.SetShouldNotify(number, False)
                signals.SetShouldSuppress(number, False)
        self.thread = self.process.GetThreadAtIndex(0)
        return self.process.GetProcessID()

    def stopped_by(self):
        """The signal, if one stopped it; notices the end."""
        self.stack = None
        state = self.process.GetState()
        if state == lldb.eStateExited:
            self.status = self.process.GetExitStatus()
            said = self.process.GetExitDescription()
            if said and "SIG" in said:
                self.status, self.signal = None, said
            elif self.status > 127 and said:
                self.signal = said
            raise walk.Ended()
        if state in (lldb.eStateCrashed, lldb.eStateDetached, lldb.eStateInvalid):
            raise RuntimeError("the process is in state %d" % state)
        thread = self.process.GetSelectedThread()
        if thread.GetStopReason() in (lldb.eStopReasonSignal, lldb.eStopReasonException):
            number = int(thread.GetStopReasonDataAtIndex(0))
            return "SIGTRAP" if number == SIGTRAP else "SIG%d" % number
        return None

    def step(self):
        error = lldb.SBError()
        self.thread.StepInstruction(False, error)
        if error.Fail():
            raise RuntimeError("stepi: " + error.GetCString())
        return self.stopped_by()

    def step_line(self):
        self.thread.StepInto(lldb.eOnlyDuringStepping)
        return self.stopped_by()

    def resume(self):
        error = self.process.Continue()
        if error.Fail():
            raise RuntimeError("continue: " + error.GetCString())
        return self.stopped_by()

    def go_on(self):
        return self.resume()  # without a plan to step, whose end lldb would work out at each stop

    def go_by(self, way, place, pc):
        where = "thread until %s" % (place[1] if place else "-a %#x" % pc)
        result = lldb.SBCommandReturnObject()
        self.interpreter.HandleCommand(where, result)
        if not result.Succeeded():
            raise walk.Missed("%s: %s" % (where, (result.GetError() or "").strip()))
        return self.stopped_by()

    def set_break(self, pc, ignore):
        self.mark = self.target.BreakpointCreateByAddress(pc)
        self.mark.SetIgnoreCount(ignore)

    def clear_break(self):
        self.target.BreakpointDelete(self.mark.GetID())

    def break_at(self, file, line):
        mark = self.target.BreakpointCreateByLocation(lldb.SBFileSpec(file, False), line)
        mark.SetOneShot(True)
        self.marks.append(mark)
        return None if mark.GetNumLocations() else "no locations"

    def breaks_at(self, pc):
        here = [mark for mark in self.marks
                if any(mark.GetLocationAtIndex(i).GetLoadAddress() == pc
                       for i in range(mark.GetNumLocations()))]
        for mark in here:
            self.target.BreakpointDelete(mark.GetID())
        return bool(here)

    def kill(self):
        self.process.Kill()

    def pc(self):
        return self.thread.GetFrameAtIndex(0).GetPC()

    def sp(self):
        return self.thread.GetFrameAtIndex(0).GetSP()

    def set_pc(self, pc):
        self.stack = None
        if not self.thread.GetFrameAtIndex(0).SetPC(pc):
            raise RuntimeError("the pc cannot be set to 0x%x" % pc)

    # --- places and frames ---

    @staticmethod
    def file_line(entry):
        if not entry.IsValid():
            return {"file": None, "line": None, "column": None}
        return {"file": entry.GetFileSpec().fullpath, "line": entry.GetLine(),
                "column": entry.GetColumn()}

    @staticmethod
    def inlined(block):
        """Names of the inlined calls around a block, inner ones first."""
        names = []
        while block.IsValid():
            if block.IsInlined():
                names.append(block.GetInlinedName())
            block = block.GetParent()
        return names

    def place(self, pc):
        address = self.target.ResolveLoadAddress(pc)
        function = address.GetFunction()
        name = function.GetName() if function.IsValid() else address.GetSymbol().GetName()
        place = {"function": name}
        place.update(self.file_line(address.GetLineEntry()))
        place["inlined"] = self.inlined(address.GetBlock())
        return place

    def frame_place(self, frame):
        place = {"function": frame.GetFunctionName()}
        place.update(self.file_line(frame.GetLineEntry()))
        return place

    def shown(self):
        place = dict(self.walk_frames()[0].place)
        for other in ("inlined", "tail", "pc"):
            del place[other]
        return place

    def frames(self):
        """As its backtrace has them: where lldb leaves out the function that a call is inlined into, it
        prints that one's name in place of the call's. If that is the same, the variables tell: they are the call's."""
        frames, told = self.walk_frames(), []
        for frame, outer in zip(frames, frames[1:] + [None]):
            place = frame.place
            if place["inlined"] and (outer is None or outer.frame.GetCFA() != frame.frame.GetCFA()):
                name = frame.frame.GetFunction().GetName()
                place = walk.Place(place, function=name, inlined=name == place["function"])
            told.append(place)
        return told

    def registers(self, names):
        frame = self.thread.GetFrameAtIndex(0)
        return {name: frame.FindRegister(name).GetValueAsUnsigned() for name in names}

    # --- variables ---

    def variables(self, _):
        frames = self.walk_frames()
        total = self.frame_count = sum(frame.levels for frame in frames)
        told, outer, number, names = [], [], 0, frozenset()
        for i, frame in enumerate(frames):
            number += frame.levels - 1  # what lldb hides at the first pc of an inlined call counts
            if frame.own and frame.inner:
                its = self.frame_variables(frame, total - number, number, False)
                told.append(its.group)
                names = self.names if not number else names
            elif frame.own:
                outer.append((i, number))
            number += 1
        told += self.outer_variables(frames, outer, total)
        if self.job.vars == "all":
            told.append(self.global_variables(frames[0].frame, names))
        return told

    def outer_variables(self, frames, some, total):
        """Those of calls that wait for another one to return: [(index of a frame, its number)]."""
        if self.job.by_name or self.job.ask_all:
            return [self.frame_variables(frames[i], total - number, number, False).group for i, number in some]

        def ask(i, number):
            return self.frame_variables(frames[i], total - number, number, self.follows(frames, i + 1))

        def end():
            found = self.register(frames[-1].frame, "rsp")
            return found if isinstance(found, int) else None

        shape = tuple((frame.pc, frame.nth, frame.scope, frame.place["tail"]) for frame in frames)
        return self.outwards.tell([
            (None if frames[i].nth else (shape[i:], number), frames[i].frame, functools.partial(ask, i, number))
            for i, number in some], end)

    def follows(self, frames, i):
        """Whether what the function before frame i was entered with follows from registers that calls preserve,
        and the stack."""
        for frame in frames[i:]:
            if frame.nth:
                continue  # of the call that frames before it are of
            if frame.frame.IsArtificial():
                return False
            if not frame.own:
                # Else it may have call sites that nobody has looked at.
                return not frame.frame.GetCompileUnit().IsValid()
            further = self.job.waiting.calls.get(frame.goes_on - self.bias)
            if not further:
                return further is None
        return True

    def texts(self):
        values = self.thread.GetFrameAtIndex(0).GetVariables(True, True, self.job.vars == "all", True)
        values = [values.GetValueAtIndex(i) for i in range(values.GetSize())]
        return [(value.GetName(), self.whole_text(value)) for value in values]

    def whole_text(self, value):
        """A value leaf by leaf; parts of a pointer would be what it points to."""
        if self.kind(value).how not in ("record", "list"):
            return value.GetSummary() or value.GetValue() or value.GetError().GetCString()
        parts = [value.GetChildAtIndex(i) for i in range(value.GetNumChildren())]
        return "{%s}" % ", ".join("%s = %s" % (part.GetName(), self.whole_text(part))
                                  for part in parts)

    def walk_frames(self):
        """The frames at this stop, all or the innermost physical one's. What lldb says of one further out
        follows from where it returns to."""
        if self.stack is not None:
            return self.stack
        self.stack, nth, inner, before = [], 0, True, None
        returns_to = None  # the pc of the innermost frame of the same call; others' are where a call is inlined
        i, most = 0, 1000
        while i < most:
            frame = self.thread.GetFrameAtIndex(i)
            if not frame.IsValid():
                break
            pc = frame.GetPC()
            # lldb may leave out the function that a call is inlined into: then its caller comes next.
            same = before is not None and before.place["inlined"] and \
                frame.GetCFA() == before.frame.GetCFA()
            nth, returns_to = (nth + 1, returns_to) if same else (0, pc)
            inner = before is None or inner and same
            if not self.job.frames and not inner:
                break
            # Where a signal came in there is no call before the pc: code of the system's lies between.
            key = returns_to, nth, frame.IsArtificial(), \
                None if before and before.own else before and before.pc
            known = None if inner else self.known_frames.get(key)
            one = Frame(frame, pc, nth, inner, returns_to)
            if known:
                one.names, one.scope, one.unit, one.own, one.place = known
            else:
                self.describe(one)
                if not inner:
                    self.known_frames[key] = one.names, one.scope, one.unit, one.own, one.place
            self.stack.append(one)
            before = one
            if not self.job.frames and not one.place["inlined"]:
                break
            if not i and self.job.frames:
                # Asked for their number before it was asked for the first, lldb may miss some.
                most = self.thread.GetNumFrames()
            i += 1
        return self.stack

    def describe(self, one):
        """What lldb says of a frame beside its variables."""
        frame = one.frame
        if one.inner and one.pc in self.plain_pcs:
            one.names, one.scope, one.unit, one.own, one.place = self.plain_pcs[one.pc]
            return
        one.place = walk.Place(self.frame_place(frame), inlined=frame.IsInlined(), tail=frame.IsArtificial(),
                               pc=None if one.inner else self.units.link_time(one.goes_on, True))
        function = frame.GetFunction()
        one.names = self.inlined(frame.GetFrameBlock())
        if function.IsValid():
            one.names.append(function.GetName())
        at = self.inlined(frame.GetPCAddress().GetBlock()) if one.inner else None
        if not self.stack:
            one.levels += max(0, len(at) + 1 - len(one.names)) if function.IsValid() else 0
        one.names = one.names or ["?"]
        one.scope = "/".join(reversed(one.names))
        one.unit = self.units.named(frame.GetCompileUnit().GetFileSpec().fullpath)
        one.own = self.units.is_own(one.pc, not one.inner)
        if one.inner and not at:  # where calls are inlined it depends on how one came here
            self.plain_pcs[one.pc] = one.names, one.scope, one.unit, one.own, one.place

    def who(self, value):
        """Who a value is. lldb gives each a number of its own, and the same value at the next stop if the
        frame is the same."""
        number = value.GetID()
        found = self.whos.get(number)
        if found is None:
            declaration = value.GetDeclaration()
            key = local_name(value.GetName()), declaration.GetFileSpec().fullpath, declaration.GetLine(), \
                value.GetValueType() == lldb.eValueTypeVariableThreadLocal
            if key not in self.same_whos:
                self.same_whos[key] = Who(*key, steady=self.job.steady)
            found = self.whos[number] = self.same_whos[key]
        return found

    def list_variables(self, frame):
        """[(Who, value)] of a frame, its function's statics among them."""
        values = frame.GetVariables(True, True, False, True)
        self.listed_count = values.GetSize()
        values = [values.GetValueAtIndex(i) for i in range(self.listed_count)]
        listed = [(self.who(value), value) for value in values]
        self.declared = frozenset(who.name for who, _ in listed if (who.name, who.line) in self.job.declared)
        self.listed_places = [
            i for i, (who, value) in enumerate(listed) if (who.name, who.line) not in self.job.declared
            and (who.steady or not self.is_thread_global(who, value))]
        listed = [listed[i] for i in self.listed_places]
        # What is local to a thread is among both.
        both = {who.name for who, _ in listed if who.thread}
        for value in self.statics_at(frame):
            who = self.who(value)
            if who.name not in both:
                listed.append((who, value if who.steady else self.in_frame(frame, value)))
                self.listed_places.append(None)
        return listed

    def hidden_ones(self, frame, listed):
        """Which of those listed their names do not mean. Outer blocks may come before inner ones: which of
        several is meant, lldb must say."""
        names = [who.name for who, _ in listed]
        doubtful = {name for name in names if names.count(name) > 1 or name in self.declared}
        return tuple(i for i, (who, _) in enumerate(listed) if who.name in doubtful and
                     frame.FindVariable(who.name).GetDeclaration().GetLine() != who.line)

    def frame_variables(self, one, call, number, follows):
        """What is Told of a frame; self.names are the names of its variables. follows: see follows()."""
        unit, scope = one.unit, one.scope
        if self.job.by_name:
            return self.evaluate_locals(one.frame, unit, scope, call, number)
        # What is listed follows from the pc, and so do places in a frame that is the same.
        base = one.frame.GetCFA(), one.frame.GetFP()
        pc_key = unit, scope, call, one.pc, one.nth, one.inner
        key = pc_key, base
        known, listed, values = self.listings.get(key), None, None
        new = known is None
        if new:
            known = self.pc_listings.get(pc_key)
            if known is None:
                known, listed = self.list_anew(one.frame, unit, scope, call)
                self.pc_listings[pc_key] = known
            if len(self.listings) >= MOST_LISTINGS:
                self.listings.clear()
            self.listings[key] = known
        listing = known.listing

        def value(i):
            nonlocal listed, values
            place = known.places[i]
            if listed is None and place is not None:
                if values is None:
                    values = one.frame.GetVariables(True, True, False, True)
                    if values.GetSize() != known.count:
                        raise Relisted()
                found = values.GetValueAtIndex(place)
                if self.who(found) is not listing.whos[i]:
                    raise Relisted()
                return found
            if listed is None:
                listed = self.list_variables(one.frame)
                if [who for who, _ in listed] != listing.whos:
                    raise Relisted()
            return listed[i][1]

        def ask(i):
            who, answer = listing.whos[i], listing.keys[i]
            leaves = self.ask(answer, who.name, value(i))
            last = self.answers.get(answer)
            if not last or last.leaves is not leaves or not (
                    who.steady or waits and waits.depends(i, unsteady, facts.state(leaves)) == 0):
                return leaves, None
            if last.data is not None:
                return leaves, (last.address, len(last.data))
            known = not who.steady and last.address == INVALID and \
                leaves[0][2] in ("value", "optimized-out")
            return leaves, () if known else None

        waits = None if one.inner else self.waits(listing, one.goes_on)
        registers, unsteady = waits.read(functools.partial(self.register, one.frame)) if waits else (None, 0)
        kept = self.scopes.get((listing, not one.inner and (one.pc, one.nth), base, registers),
                               len(listing.whos))
        try:
            kept.look(ask, self.job.ask_all or one.inner and new and not all(
                self.is_anchored(value(i), kept.homes[i]) for i in listing.anchors))
        except Relisted:
            del self.listings[key], self.pc_listings[pc_key]
            return self.frame_variables(one, call, number, follows)
        self.names = listing.names
        group = kept.told(number, lambda: facts.Group([
            facts.Variable(unit, scope, who.name, who.file, who.line, call, number, i in listing.hidden,
                            leaves)
            for i, (who, leaves) in enumerate(zip(listing.whos, kept.leaves))]))
        if not waits:
            return outwards.Told(group)
        return outwards.Told(group, kept, {
            i for i in kept.homeless if follows and waits.depends(i, unsteady, facts.state(kept.leaves[i]))
            and self.has_no_place(listing.keys[i], kept.leaves[i])}, waits.names)

    def has_no_place(self, key, leaves):
        """Whether what was said of a variable came from no memory."""
        last = self.answers.get(key)
        return last is not None and last.leaves is leaves and last.address == INVALID

    def waits(self, listing, pc):
        """What those of a listing depend on in a frame that waits for a call to return."""
        if (listing, pc) not in self.waiting:
            self.waiting[listing, pc] = self.job.waiting.of(
                [(who.name, who.line) for who in listing.whos], pc - self.bias)
        return self.waiting[listing, pc]

    @staticmethod
    def register(frame, name):
        """What lldb takes a register for in a frame; its words if it does not know."""
        value = frame.FindRegister(name)
        error = lldb.SBError()
        number = value.GetValueAsUnsigned(error)
        return number if error.Success() else str(error)

    def list_anew(self, frame, unit, scope, call):
        """What is Listed in a frame, and what list_variables() says."""
        listed = self.list_variables(frame)
        hidden = self.hidden_ones(frame, listed)
        key = tuple(who for who, _ in listed), hidden, self.declared, unit, scope, call
        if key not in self.same_listings:
            self.same_listings[key] = Listing(listed, hidden, self.declared, unit, scope, call)
        return Listed(self.same_listings[key], self.listed_places, self.listed_count), listed

    def evaluate_locals(self, frame, unit, scope, call, number):
        """What is Told of a frame in the other voice."""
        listed = self.list_variables(frame)
        names = [who.name for who, _ in listed]
        listed = [one for one in listed
                  if names.count(one[0].name) == 1 and one[0].name not in self.declared
                  or self.is_meant(frame, one[1])]
        listing = Listing(listed, (), self.declared, unit, scope, call)
        self.names = listing.names
        return outwards.Told(facts.Group([
            facts.Variable(unit, scope, who.name, who.file, who.line, call, number, False,
                            self.ask_by_name(key, who.name, frame, value.GetTypeName()))
            for key, (who, value) in zip(listing.keys, listed)]))

    @staticmethod
    def is_anchored(value, home):
        """Whether a variable that moves with the frame is where it was: whatever lldb makes of the frame at
        this pc, the others are then, too."""
        return bool(home) and value.GetError().Success() and value.GetLoadAddress() == home[0]

    def is_thread_global(self, who, value):
        """lldb lists what is at file scope and local to a thread among the locals of every frame, too. It
        is told once, as what it is."""
        if self.file_scope_names is not None and (who.name, who.file, who.line) not in self.file_scope_names:
            return False  # most of them: lldb need not evaluate it
        local = value.GetValueType() == lldb.eValueTypeVariableThreadLocal \
            or "TLS" in (value.GetError().GetCString() or "")
        if self.job.vars != "all" or not local:
            return False
        self.globals()
        return self.identity(value) in self.file_scope_names

    @staticmethod
    def in_frame(frame, value):
        """lldb takes for static whatever has an address in its location, be it the value itself or with
        registers beside it: then it must be asked in its frame, as `frame variable` does. Without
        one, addresses are those of the file."""
        line = value.GetDeclaration().GetLine()
        found = frame.FindVariable(value.GetName())
        if found.IsValid() and found.GetDeclaration().GetLine() == line:
            return found
        block = frame.GetBlock()  # of several with that name, another one is meant
        while block.IsValid():
            values = block.GetVariables(frame, False, False, True, lldb.eNoDynamicValues)
            for i in range(values.GetSize()):
                found = values.GetValueAtIndex(i)
                if found.GetName() == value.GetName() and found.GetDeclaration().GetLine() == line:
                    return found
            block = block.GetParent()
        return value

    def evaluate(self, frame, text):
        """The other voice: a name as an expression."""
        self.command("expression -- %s" % text)
        return frame.EvaluateExpression(text, self.how_to_evaluate)

    def ask_by_name(self, key, name, frame, kind):
        """The leaves of a variable in the other voice. What is no name would be evaluated as what it is."""
        if not quoting.is_name(name):
            error = quoting.NoName("its name is no name in an expression")
            return [facts.not_asked(name, kind or "", error)]
        return self.ask(key, name, self.evaluate(frame, name), kind)

    def is_meant(self, frame, value):
        """Whether an expression means this one of several variables by their name."""
        if not quoting.is_name(value.GetName()):
            return True  # nobody will be asked
        address = self.evaluate(frame, "&" + value.GetName())
        if address.GetError().Success():
            return address.GetValueAsUnsigned() == value.GetLoadAddress()
        # It is in no memory, or one is that lldb does not get at.
        meant = self.evaluate(frame, value.GetName())
        return value.GetLoadAddress() == INVALID and meant.GetError().Success() and \
            meant.GetValue() == value.GetValue()

    def statics_at(self, frame):
        """The statics of the blocks of a frame's function: they never move."""
        block = frame.GetBlock()
        # A caller's pc is where it goes on, which may be in another block than its call.
        key = frame.GetPC(), str(block), frame.GetFrameBlock().GetInlinedName()
        if key not in self.statics:
            found = []
            while block.IsValid():
                found += self.block_statics(block)
                if block.IsInlined():
                    break  # the border
                block = block.GetParent()
            self.statics[key] = found
        return self.statics[key]

    def read(self, address, size):
        error = lldb.SBError()
        data = self.process.ReadMemory(address, size, error)
        return data if error.Success() else None

    def ask(self, key, name, value, kind=None):
        """The leaves of a variable: the same list as the last time if its bytes are the same. kind is
        the name of its type, if the value does not know it when there is none."""
        self.command("frame variable %s" % name)
        try:
            return self.ask_now(key, name, value, kind)
        except (TypeError, AttributeError, OverflowError, MemoryError) as error:
            # The API gave what it should not. That is said of this variable; the rest goes on.
            return [facts.not_asked(name, value.GetTypeName() or "", error)]

    @staticmethod
    def memory_of(value):
        """Where a value is in memory: of a pointer in a register the API gives the contents for that."""
        address = value.GetLoadAddress()
        in_memory = address != INVALID and (value.GetLocation() or "").startswith("0x")
        return address if in_memory else INVALID

    def ask_now(self, key, name, value, kind):
        last = self.answers.get(key)
        self.kinds = self.unit_kinds.setdefault(key[0], {})
        value.SetPreferSyntheticValue(False)
        error = value.GetError()
        data = spans = None
        address = self.memory_of(value)
        if error.Fail():
            message = words(error)
            state = "optimized-out" if is_gone(message) else "error"
            leaves = [Leaf(name, kind or value.GetTypeName(), state, message=message)]
        else:
            size = value.GetByteSize()
            if address != INVALID and 0 < size <= facts.MOST_BYTES:
                data = self.read(address, size)
            known = last and data is not None and last.data is not None \
                and not self.job.ask_all and last.address == address and len(last.data) == len(data)
            if known and last.data == data:
                return last.leaves
            if self.kind(value).strays:
                value = value.Cast(value.GetType())  # as if it were asked for the first time
            if known:
                leaves, spans = self.ask_again(name, value, last, data)
            else:
                leaves, spans = self.ask_all(name, value, address)
                data = data if facts.covers(data, spans) else None
        if last and last.leaves == leaves:
            leaves = last.leaves
        self.answers[key] = Answer(address, data, leaves, spans)
        return leaves


def __lldb_init_module(debugger, _):
    if kept.is_wanted():
        debugger = kept_lldb.keep(debugger)
    walk.main(lambda job: Lldb(job, debugger))
    lldb.SBDebugger.Destroy(debugger)  # and the subject with it
    os._exit(0)
