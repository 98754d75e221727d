"""gdb_driver.py - runs inside gdb: what gdb says of a program, stop by stop. See walk.py.

What is asked is what a person would ask: the symbols of the blocks around the pc, each one's value
in its frame.
"""
import collections
import functools
import os
import shlex
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import facts
import kept
import kept_gdb
import outwards
import quoting
import scopes
import walk
from facts import Leaf
from gdb_commands import SETTINGS, SHARED, Aside, Forgetful, apply, quietly
from gdb_frames import Frames, keep
from gdb_values import ADDRESSES, INTEGERS, Values

VARIABLE_CLASSES = {getattr(gdb, "SYMBOL_LOC_" + name) for name in (
    "CONST", "CONST_BYTES", "STATIC", "REGISTER", "ARG", "REF_ARG", "REGPARM_ADDR", "LOCAL",
    "COMPUTED", "OPTIMIZED_OUT", "UNRESOLVED")}
NOWHERE = (gdb.SYMBOL_LOC_CONST, gdb.SYMBOL_LOC_CONST_BYTES, gdb.SYMBOL_LOC_OPTIMIZED_OUT)
GONE = Leaf("", "", "optimized-out", message="value has been optimized out")[2:]


class Symbol:
    """A variable that gdb has in a block: what can be known of it before it has a value."""

    def __init__(self, symbol, unit, scope):
        self.symbol, self.unit, self.scope = symbol, unit, scope
        self.name, self.line = symbol.name, symbol.line
        # A unit without a name, as dwz makes them, has no file of its own for gdb.
        nameless = not symbol.symtab or symbol.symtab.filename == "<unknown>"
        self.file = None if nameless else symbol.symtab.fullname()
        self.kind = str(symbol.type)
        self.enumerators = {}  # by type: other units have other types of the same name
        try:
            self.needs_frame = symbol.needs_frame
        except gdb.error:
            self.needs_frame = True  # an expression that gdb cannot read: it says so when asked
        self.answers = {}  # call -> Answer: what was said last
        self.question = "print %s" % symbol.name
        self.steady = self.framed = False  # see dwarf/steady.h
        self.scalar = symbol.type.strip_typedefs().code in INTEGERS + ADDRESSES + (gdb.TYPE_CODE_FLT,)
        self.gone = None  # the Answer when all of it is gone; None: it was not yet
        self.gone_text = None  # of an aggregate: the value's text then


class Answer:
    """What gdb said of a symbol in a call, and by which bytes."""
    __slots__ = ("address", "data", "leaves", "spans")

    def __init__(self, address, data, leaves, spans):
        self.address, self.data, self.leaves, self.spans = address, data, leaves, spans


class Plan:
    """The locals of the blocks around a pc."""

    def __init__(self, symbols, levels, around=(), externs=()):
        self.symbols = symbols  # [(Symbol, inlined calls between it and the innermost, whether hidden)]
        self.levels = levels    # how many functions there are, inlined ones included
        # One for each level that stands for those which move with the frame.
        self.anchors = {level: i for i, (symbol, level, _) in reversed(list(enumerate(symbols)))
                        if symbol.framed}
        # Names that mean a local, or one of a function around, and not what is at file scope.
        self.names = (frozenset(symbol.name for symbol, level, _ in symbols if not level)
                      | frozenset(around)) - set(externs)


class Gdb(Forgetful, Frames, Values, walk.Debugger):
    name = "gdb"
    version = gdb.VERSION
    python = sys.version_info[:3]

    def __init__(self, job):
        self.job = job
        apply(SETTINGS)
        try:
            quietly("set debuginfod enabled %s" % ("on" if job.debuginfod else "off"))
        except gdb.error:
            pass  # too old to have it
        if not self.has_unwinders():
            gdb._execute_unwinders = lambda _: None  # gdb asks Python for some for each frame
        Frames.__init__(self)
        self.aside = Aside()
        self.stopped_by = None
        self.over = False
        self.marks = []     # breakpoints on lines
        gdb.events.stop.connect(self.on_stop)
        gdb.events.exited.connect(self.on_exit)
        self.plans = {}     # (pc, whether it is a return address) -> Plan
        self.same_plans = {}  # blocks -> Plan: all pcs of a block share it
        self.waiting = {}   # (Plan, return address) -> what its symbols depend on there: see job.Needs
        self.scopes = scopes.Scopes(self.peek)
        self.outwards = outwards.Outwards(self.peek, self.register)
        self.known_calls = {}  # what frames further out have: see variables()
        self.symbols = {}   # identity -> Symbol, shared by all pcs of a block
        self.file_scope = None
        self.hidden = {}    # unit -> globals that their name does not mean there

    @staticmethod
    def has_unwinders():
        """Whether somebody has written unwinders in Python; nothing is loaded later that could."""
        some = [gdb, gdb.current_progspace()] + gdb.objfiles()
        return any(getattr(one, "frame_unwinders", None) for one in some)

    # --- the process ---

    def on_stop(self, event):
        if isinstance(event, gdb.SignalEvent):
            self.stopped_by = event.stop_signal

    def on_exit(self, event):
        self.over = True
        self.status = getattr(event, "exit_code", None)

    @staticmethod
    def open(job):
        """Reads the program's symbols."""
        if job.debug_root:
            quietly("set debug-file-directory %s" % job.debug_root)
        if gdb.current_progspace().filename is None:  # else gdb was started on it
            quietly("file %s" % quoting.gdb_word(job.program))
        # With symbol-file gdb would not see the program's own .eh_frame.
        found = [os.path.realpath(one.filename) for one in gdb.objfiles()]
        if job.debug_file and os.path.realpath(job.debug_file) not in found:
            gdb.objfiles()[0].add_separate_debug_file(job.debug_file)

    @staticmethod
    def set_arguments(job):
        if not all(map(quoting.is_line, job.arguments)):
            raise RuntimeError("gdb cannot pass an argument with a line break; --drive shared can")
        if all(text and not set(text) & set(" \t") for text in job.arguments):
            quietly("set args %s" % " ".join(job.arguments))
            return
        # Without a shell gdb splits words at blanks and takes quotes as they are. A shell has variables of
        # its own, which env leaves out.
        variables = ["%s=%s" % item for item in job.environment.items()]
        os.environ["SHELL"] = "/bin/sh"
        quietly("set startup-with-shell on")
        quietly("set exec-wrapper env -i %s" % " ".join(map(shlex.quote, variables)))
        quietly("set args %s" % " ".join(map(shlex.quote, job.arguments)))

    def launch(self, job):
        for name, value in job.environment.items():
            quietly("set environment %s=%s" % (name, value))
        if job.directory:
            os.chdir(job.directory)  # where the program starts
        self.open(job)
        if job.arguments:
            self.set_arguments(job)
        # The subject gets gdb's own descriptors. As soon as it has them gdb gets its own back, or
        # what it says at the first stop would be among the subject's output.
        mine = [os.dup(fd) for fd in range(3)]
        theirs = [os.open(job.stdin, os.O_RDONLY), os.open(job.stdout, os.O_WRONLY | os.O_APPEND),
                  os.open(job.stderr, os.O_WRONLY | os.O_APPEND)]

        def give_back(_):
            for fd in range(3):
                os.dup2(mine[fd], fd, inheritable=True)

        for fd in range(3):
            os.dup2(theirs[fd], fd, inheritable=True)
        gdb.events.new_thread.connect(give_back)
        try:
            quietly("starti")
        finally:
            gdb.events.new_thread.disconnect(give_back)
            give_back(None)
            for fd in mine + theirs:
                os.close(fd)
        self.inferior = gdb.selected_inferior()
        return self.inferior.pid

    def connect(self, job):
        apply(SHARED)
        self.open(job)
        quietly("target remote %s" % job.connect)
        self.inferior = gdb.selected_inferior()
        for other in gdb.inferiors():  # see kept_gdb.py
            if other.num != self.inferior.num:
                quietly("remove-inferiors %d" % other.num)
        # What gdb says at each step would only wake up who reads it.
        nobody = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nobody, 1)
        os.close(nobody)

    def go(self, command):
        self.stopped_by = self.stack = self.top = None
        try:
            quietly(command)
        except gdb.error as error:
            if not self.over and self.inferior.pid:
                raise
            self.over = True
        if self.over or not self.inferior.pid or not gdb.selected_thread():
            if self.status is None:
                try:  # killed by a signal: gdb says so in a convenience variable
                    number = int(gdb.parse_and_eval("$_exitsignal"))
                    self.signal = number
                except gdb.error:
                    pass
            raise walk.Ended()
        return self.stopped_by

    def step(self):
        return self.go("stepi")

    def step_line(self):
        return self.go("step")

    def resume(self):
        # gdb has no signal event for SIGTRAP, and no breakpoints that stop: it is ours then.
        return self.go("continue") or "SIGTRAP"

    def go_by(self, way, place, pc):
        where = "-source %s -line %d" % (quoting.gdb_word(place[0]), place[1]) if place else "*%#x" % pc
        try:
            return self.go("%s %s" % (way, where))
        except gdb.error as error:
            raise walk.Missed("%s %s: %s" % (way, where, error))

    def set_break(self, pc, ignore):
        self.mark = gdb.Breakpoint("*%#x" % pc, internal=True)
        self.mark.silent = True
        self.mark.ignore_count = ignore

    def clear_break(self):
        self.mark.delete()

    def break_at(self, file, line):
        try:
            self.marks.append(gdb.Breakpoint(source=file, line=line, temporary=True, internal=False))
        except gdb.error as error:
            return str(error)
        return None

    def breaks_at(self, pc):
        # Before gdb 13 a breakpoint does not say where it is.
        here = [mark for mark in self.marks
                if any(one.address == pc for one in getattr(mark, "locations", ()))]
        for mark in here:
            mark.delete()
        return bool(here)

    def kill(self):
        quietly("kill")

    def pc(self):
        return int(self.newest().pc())

    def sp(self):
        return int(self.newest().read_register("rsp"))

    def set_pc(self, pc):
        quietly("set var $pc = %#x" % pc)
        self.stack = self.top = None

    # --- places and frames ---

    @staticmethod
    def blocks(block, frames, at):
        """The blocks around a pc, inner ones first, up to that of the real function, which may be inside
        of another one: whose blocks are around it, too, and whose variables are not its own. The
        frames of the pc begin with number `at`."""
        found, border = [], None
        while at < len(frames) and frames[at].type() == gdb.INLINE_FRAME:
            at += 1
        try:
            outer = frames[at].block() if at < len(frames) else None
        except RuntimeError:
            outer = None
        while outer is not None and outer.function is None:
            outer = outer.superblock
        if outer is not None:
            border = outer.start, outer.end, outer.function.name, Gdb.depth(outer)
        while block is not None and not block.is_static and not block.is_global:
            found.append(block)
            function = block.function
            if border and function and border == (block.start, block.end, function.name, Gdb.depth(block)):
                break
            block = block.superblock
        return found

    @staticmethod
    def functions(blocks):
        """The functions of blocks: inlined ones first, up to the real one."""
        return [block.function for block in blocks if block.function is not None]

    def place(self, pc):
        found = self.functions(self.blocks(gdb.block_for_pc(pc), self.walk_frames(), 0))
        place = {"function": found[-1].name if found else gdb.newest_frame().name()}
        place.update(self.file_line(gdb.find_pc_line(pc)))
        place["inlined"] = [function.name for function in found[:-1]]
        if len(found) == 1:
            self.plain_pcs.add(pc)
        return place

    def shown(self):
        return self.frame_place(self.newest())

    def registers(self, names):
        frame = self.newest()
        return {name: int(frame.read_register(name)) & walk.MASK for name in names}

    # --- variables ---

    @staticmethod
    def is_variable(symbol):
        """Whether a symbol is a variable or a parameter, and not an enumerator, type or function."""
        if symbol.addr_class not in VARIABLE_CLASSES or symbol.type is None:
            return False
        if symbol.type.name == "__CORE_ADDR":
            return False  # a label without an address: gdb's own type stands in
        kind = symbol.type.strip_typedefs()
        if kind.code == gdb.TYPE_CODE_ENUM and symbol.addr_class == gdb.SYMBOL_LOC_CONST:
            return symbol.name not in {field.name for field in kind.fields()}
        return kind.code != gdb.TYPE_CODE_FUNC

    @staticmethod
    def depth(block):
        """How many blocks there are around it, itself included."""
        count = 0
        while block is not None:
            block, count = block.superblock, count + 1
        return count

    @staticmethod
    def meant(symbol, block):
        """What gdb takes the symbol's name for in the block: not always the first it lists."""
        return gdb.lookup_symbol(symbol.name, block)[0] or symbol

    @staticmethod
    def alike(one, other):
        """Whether these may be the same symbol: gdb makes new objects each time."""
        return other is not None and one.line == other.line and one.addr_class == other.addr_class

    def plan(self, pc, returns, frames, at):
        """The locals of the blocks around a pc, inner ones first; its frames begin with number `at`. What
        is at an address is not what is around the call that returns there."""
        if (pc, returns) in self.plans:
            return self.plans[pc, returns]
        try:
            block = frames[at].block() if returns else gdb.block_for_pc(pc)
        except RuntimeError:
            block = None
        blocks = self.blocks(block, frames, at)
        key = self.blocks_key(blocks)
        if key not in self.same_plans:
            self.same_plans[key] = self.make_plan(pc, blocks)
        self.plans[pc, returns] = self.same_plans[key]
        return self.plans[pc, returns]

    @staticmethod
    def blocks_key(blocks):
        """What the blocks around a pc are known by: gdb makes new objects each time."""
        return tuple((block.start, block.end, block.function and block.function.name,
                      tuple((symbol.name, symbol.line) for symbol in block)) for block in blocks)

    def make_plan(self, pc, blocks):
        names = [function.name for function in self.functions(blocks)]
        level, found, seen, externs = 0, [], set(), set()
        depth = self.depth(blocks[0]) if blocks else 0
        for block in blocks:
            scope = "/".join(reversed(names[level:]))
            twins, meant = collections.Counter(), {}
            for symbol in filter(self.is_variable, block):
                if (symbol.name, symbol.line) in self.job.declared:
                    # No variable, but what its name means: the global, not a local further out.
                    if symbol.name not in seen and not level:
                        externs.add(symbol.name)
                    seen.add(symbol.name)
                    continue
                # gdb may have the same variable twice in a block, and an inner block the very
                # addresses of the outer one.
                head = scope, symbol.name, symbol.line, block.start, block.end, depth
                key = head + (twins[head],)
                twins[head] += 1
                if key not in self.symbols:
                    new = self.symbols[key] = Symbol(symbol, self.units.at(pc), scope)
                    who = new.name, new.line
                    new.steady = new.unit is not None and who in self.job.steady
                    new.framed = new.steady and self.job.steady[who]
                if symbol.name not in seen and symbol.name not in meant:
                    meant[symbol.name] = self.meant(symbol, block)
                hidden = not self.alike(symbol, meant.get(symbol.name))
                found.append((self.symbols[key], level, hidden))
                if not hidden:
                    meant[symbol.name] = None
                seen.add(symbol.name)
            if block.function is not None:
                level += 1
                seen = set()  # a name is looked for inside its own function
            depth -= 1
        return Plan(found, level, self.names_around(blocks), externs)

    def names_around(self, blocks):
        """The variables of the functions that a nested one is in."""
        found, block = set(), blocks[-1].superblock if blocks else None
        while block is not None and not block.is_static and not block.is_global:
            found.update(symbol.name for symbol in filter(self.is_variable, block))
            block = block.superblock
        return found

    def address_of(self, symbol):
        """The link-time address of what is at file scope; None if it has none."""
        try:
            if symbol.addr_class != gdb.SYMBOL_LOC_STATIC:
                return None
            return int(symbol.value().address) - self.bias
        except (gdb.error, TypeError):
            return None

    def outside_symbol(self, symbol, unit, static):
        """A variable at file scope. Link time optimisation puts those of several units into one, and gdb takes
        the number of the file from the table of that one: the address tells whose source has the variable."""
        address = self.address_of(symbol)
        own = Symbol(symbol, unit, "")
        unit, file = self.units.of_variable(address, symbol.name, own.file, unit)
        ret = Symbol(symbol, unit, (unit or "") if static else "")
        ret.file = file or ret.file
        return ret

    def codeless_symbols(self):
        """The variables of units without code: link time optimisation makes such units."""
        seen = {self.address_of(symbol.symbol) for symbol in self.outside}
        for address, unit, name, _ in self.job.variables:
            if address in seen:
                continue
            shared = gdb.lookup_global_symbol(name)
            for symbol in gdb.lookup_static_symbols(name) + ([shared] if shared else []):
                if address not in seen and self.is_variable(symbol) and self.address_of(symbol) == address:
                    seen.add(address)
                    yield self.outside_symbol(symbol, unit, symbol is not shared)

    def globals(self):
        """What is at file scope, of every unit."""
        if self.file_scope is not None:
            return self.outside
        self.outside, blocks = [], set()
        for entry in self.job.functions:
            block = gdb.block_for_pc(entry + self.bias)
            if block is None:
                continue
            unit = self.units.at(entry + self.bias)
            for outer in (block.static_block, block.global_block):
                key = outer.start, outer.end, outer.is_static
                if key in blocks:
                    continue
                blocks.add(key)
                self.outside += [self.outside_symbol(symbol, unit, outer.is_static) for symbol in outer
                                 if self.is_variable(symbol)]
        self.outside += list(self.codeless_symbols())
        # A declaration of what another unit defines is no other variable.
        self.outside = [symbol for symbol in self.outside
                        if symbol.symbol.addr_class != gdb.SYMBOL_LOC_UNRESOLVED]
        self.doubles = collections.defaultdict(list)
        for symbol in self.outside:
            self.doubles[symbol.name].append(symbol)
        self.outside_names = frozenset(self.doubles)
        self.doubles = {name: some for name, some in self.doubles.items() if len(some) > 1}
        self.file_scope = scopes.Scope(len(self.outside), self.peek)
        return self.outside

    def hidden_globals(self, pc):
        """Those of several with one name that gdb does not mean by it at a pc."""
        if not self.doubles:
            return ()
        unit = self.units.at(pc)
        if unit not in self.hidden:
            self.hidden[unit] = hidden = set()
            block = gdb.block_for_pc(pc)
            for name, some in self.doubles.items():
                meant = gdb.lookup_symbol(name, block.static_block)[0] if block else None
                hidden.update(symbol for symbol in some if not meant or not self.is_same(symbol, meant))
        return self.hidden[unit]

    @staticmethod
    def is_same(symbol, other):
        """Whether a symbol that gdb found is this one: symbols cannot be compared."""
        try:
            return symbol.symbol.value().address == other.value().address
        except (gdb.error, TypeError):
            return (symbol.line, symbol.file) == (other.line, other.symtab.fullname())

    def ask_global(self, index):
        symbol = self.outside[index]
        leaves = self.ask(symbol, None, 0)
        last = symbol.answers[0]
        if symbol.symbol.addr_class in NOWHERE:
            return leaves, ()
        fixed = last.data is not None and symbol.symbol.addr_class == gdb.SYMBOL_LOC_STATIC
        return leaves, (last.address, len(last.data)) if fixed else None

    def read(self, address, size):
        try:
            return bytes(self.inferior.read_memory(address, size))
        except (gdb.error, MemoryError):
            return None

    def variables(self, pc):
        frames = self.walk_frames() if self.job.frames else self.inner_frames()
        outer = self.outer if self.job.frames else len(frames)
        known, number = self.plan_calls(pc, frames, 0, outer, 0)
        if outer < len(frames):
            key = outer, number, self.shape[2 * outer:]
            if key not in self.known_calls:
                keep(self.known_calls, key, self.plan_calls(pc, frames, outer, len(frames), number))
            further, number = self.known_calls[key]
        else:
            further = []
        self.frame_count = number
        calls = [(plan, [frames[i] for i in group], first, hidden, its, returns,
                  frames[at] if at < len(frames) else None, follows)
                 for plan, group, first, hidden, its, returns, at, follows in known + further]
        told = [self.call_variables(*call).group for call in calls[:len(known)]]
        told += self.outer_variables(frames, further, calls[len(known):])
        if self.job.vars == "all":
            told.append(self.global_variables(pc, frames[0], calls))
        return told

    def outer_variables(self, frames, known, calls):
        """Those of calls that wait for another one to return, which plan_calls() knows by indices."""
        if self.job.by_name or self.job.ask_all or gdb.SIGTRAMP_FRAME in self.shape[1::2]:
            return [self.call_variables(*call).group for call in calls]

        def end():
            found = self.register(frames[-1], "rsp")
            return found if isinstance(found, int) else None

        return self.outwards.tell([
            ((self.shape[2 * group[0]:], first), call[1][-1], functools.partial(self.call_variables, *call))
            for (_, group, first, *_), call in zip(known, calls)], end)

    def plan_calls(self, pc, frames, at, end, number):
        """What call_variables() is to be called with for frames from `at` to `end`, which are told by their
        indices; and how many functions there are, `number` being the count of those further in. Further out than
        the innermost physical frame all of it follows from the frames' pcs and types."""
        calls = []
        while at < end:
            start = at
            its = int(frames[at].pc()) if at else pc
            plan = self.plan(its, at > 0, frames, at)
            group, at = self.frames_of_levels(frames, at, plan.levels)
            # Only in the innermost are there calls that gdb hides because they are just beginning;
            # further out a call may have no frame of its own for other reasons, and does not count.
            hidden = len(group) - (at - start) if start else 0
            if plan.symbols and self.units.is_own(its, start > 0):
                calls.append((plan, group, number, hidden, its, start > 0, at, self.follows(frames, at)))
            number += len(group) - hidden
        return calls, number

    def follows(self, frames, at):
        """Whether what a function was entered with follows from registers that calls preserve, and the stack: its
        caller's frames begin with number `at`."""
        while at < len(frames):
            kind, pc = frames[at].type(), int(frames[at].pc())
            while kind == gdb.INLINE_FRAME and at + 1 < len(frames):
                at += 1
                kind = frames[at].type()
            if kind != gdb.NORMAL_FRAME:
                return False
            if not self.units.is_own(pc, True):
                return frames[at].find_sal().symtab is None  # else it may have call sites that nobody has looked at
            further = self.job.waiting.calls.get(pc - self.bias)
            if not further:
                return further is None
            at += 1
        return True

    def call_variables(self, plan, group, first, hidden, pc, returns, caller, follows):
        """What is Told of a physical frame: `group` has the frames of its functions, `first` is the number of the
        innermost. returns: whether it is where a call returns to; follows: see follows()."""
        def where(i):
            level = plan.symbols[i][1]
            return group[min(level, len(group) - 1)], self.frame_count - first - max(0, level - hidden)

        def ask(i):
            symbol = plan.symbols[i][0]
            frame, call = where(i)
            leaves = self.ask(symbol, frame, call)
            waiting = bool(waits) and waits.depends(i, unsteady, facts.state(leaves)) == 0
            return leaves, self.home(symbol, call, waiting)

        def variables():
            return facts.Group([facts.Variable(
                symbol.unit, symbol.scope, symbol.name, symbol.file, symbol.line, where(i)[1],
                self.frame_count - where(i)[1], shadowed, leaves)
                for i, ((symbol, _, shadowed), leaves) in enumerate(zip(plan.symbols, scope.leaves))])

        if self.job.by_name:
            meant = [i for i in range(len(plan.symbols)) if self.is_meant(plan.symbols[i][0], where(i)[0])]
            return outwards.Told(facts.Group([facts.Variable(
                symbol.unit, symbol.scope, symbol.name, symbol.file, symbol.line, where(i)[1],
                self.frame_count - where(i)[1], False, self.ask(symbol, *where(i)))
                for i, symbol in ((i, plan.symbols[i][0]) for i in meant)]))
        frame = group[-1]
        try:
            base = int(caller.read_register("rsp")), int(frame.read_register("rbp"))
        except (AttributeError, gdb.error):
            base = None
        waits = self.waits(plan, pc) if returns and base else None
        registers, unsteady = waits.read(functools.partial(self.register, frame)) if waits else (None, 0)
        key = plan, self.frame_count - first, hidden, returns and pc, base, registers
        count = len(plan.symbols)
        scope = self.scopes.get(key, count) if base else scopes.Scope(count, self.peek)
        everything = self.job.ask_all or \
            not returns and pc not in scope.pcs and \
            not all(self.is_anchored(plan.symbols[i][0], where(i)[0], scope.homes[i])
                    for i in plan.anchors.values())
        scope.look(ask, everything)
        scope.pcs.add(pc)
        told = scope.told(first, variables)
        if not waits:
            return outwards.Told(told)
        return outwards.Told(told, scope, {
            i for i in scope.homeless if follows and waits.depends(i, unsteady, facts.state(scope.leaves[i]))
            and plan.symbols[i][0].answers[where(i)[1]].address is None}, waits.names)

    def waits(self, plan, pc):
        """What the symbols of a plan depend on in a frame that waits for a call to return."""
        if (plan, pc) not in self.waiting:
            self.waiting[plan, pc] = self.job.waiting.of(
                [(symbol.name, symbol.line) for symbol, _, _ in plan.symbols], pc - self.bias)
        return self.waiting[plan, pc]

    @staticmethod
    def register(frame, name):
        """What gdb takes a register for in a frame; its words if it does not know."""
        try:
            return int(frame.read_register(name))
        except gdb.error as error:
            return str(error)

    def home(self, symbol, call, waits):
        """Where the bytes of a symbol are that alone what was said of it depends on. waits: it also depends on
        registers, which are looked at."""
        if symbol.symbol.addr_class in NOWHERE:
            return ()
        last = symbol.answers[call]
        if waits and not symbol.steady:
            if last.data is not None:
                return last.address, len(last.data)
            return () if last.address is None and last.leaves[0][2] in ("value", "optimized-out") else None
        if not symbol.steady:
            return None
        return (last.address, len(last.data)) if last.data is not None else None

    @staticmethod
    def is_anchored(symbol, frame, home):
        """Whether a symbol that moves with the frame is where it was: whatever gdb makes of the frame at
        this pc, the others are then, too."""
        try:
            return bool(home) and int(symbol.symbol.value(frame).address) == home[0]
        except (gdb.error, RuntimeError, TypeError):
            return False

    def global_variables(self, pc, frame, calls):
        symbols = self.globals()
        hidden = self.hidden_globals(pc)
        plan, group = calls[0][:2] if calls and not calls[0][2] else (Plan([], 0), [])
        names = plan.names
        if self.job.by_name:
            names = {symbol.name for symbol, level, _ in plan.symbols
                     if not level and self.is_meant(symbol, group[0])}
            return facts.Group([self.global_variable(symbol, False, self.ask(symbol, frame, 0))
                                 for symbol in symbols
                                 if symbol.name not in names and symbol not in hidden])
        names &= self.outside_names
        leaves = self.file_scope.look(self.ask_global, self.job.ask_all)
        return self.file_scope.told((names, id(hidden)), lambda: facts.Group([
            self.global_variable(symbol, symbol.name in names or symbol in hidden, its)
            for symbol, its in zip(symbols, leaves)]))

    @staticmethod
    def global_variable(symbol, shadowed, leaves):
        return facts.Variable(symbol.unit, symbol.scope, symbol.name, symbol.file, symbol.line, 0, 0,
                               shadowed, leaves)

    def texts(self):
        frame = gdb.newest_frame()
        block, found = gdb.block_for_pc(frame.pc()), {}
        while block is not None and (self.job.vars == "all" or not block.is_static):
            for symbol in block:
                if symbol.name not in found and self.is_variable(symbol):
                    try:
                        found[symbol.name] = str(symbol.value(frame))
                    except (gdb.error, TypeError) as error:
                        found[symbol.name] = str(error)
            block = block.superblock
        return found.items()

    @staticmethod
    def is_meant(symbol, frame):
        """Whether gdb means this local by its name in a frame."""
        try:
            meant = gdb.lookup_symbol(symbol.name, frame.block())[0]
        except (gdb.error, RuntimeError):
            return False
        return meant is not None and (meant.line, meant.symtab and meant.symtab.fullname()) == \
            (symbol.line, symbol.file)

    def value(self, symbol, frame):
        """What gdb has for a symbol; in the other voice, what `print` has for its name."""
        if self.job.by_name:
            if not quoting.is_name(symbol.name):
                raise quoting.NoName("its name is no name in an expression")
            frame.select()
            return gdb.parse_and_eval(symbol.name)
        return symbol.symbol.value(frame) if symbol.needs_frame else symbol.symbol.value()

    def ask(self, symbol, frame, call):
        """The leaves of a symbol: the same list as the last time if its bytes are the same."""
        self.command(symbol.question)
        self.enumerators = symbol.enumerators
        last = symbol.answers.get(call)
        value = address = data = None
        try:
            value = self.value(symbol, frame)
            if symbol.gone and self.is_gone(symbol, value):
                symbol.answers[call] = symbol.gone
                return symbol.gone.leaves
            where = value.address
            if where is not None:
                address, size = int(where), value.type.sizeof
                if 0 < size <= facts.MOST_BYTES:
                    data = self.read(address, size)  # of an array, a part may not be there
            if last and data is not None and not self.job.ask_all \
                    and last.address == address and last.data is not None \
                    and len(last.data) == len(data):
                if last.data == data:
                    return last.leaves
                leaves, spans = self.ask_again(symbol.name, value, last, data)
            else:
                leaves, spans = self.ask_all(symbol.name, value)
                data = data if facts.covers(data, spans) else None
        except (gdb.error, RuntimeError, TypeError, OverflowError, MemoryError) as error:
            data, spans = None, None
            said = isinstance(error, (gdb.error, RuntimeError))
            leaves = [(self.failure if said else facts.not_asked)(symbol.name, symbol.kind, error)]
        if last and last.leaves == leaves:
            leaves = last.leaves  # the same object: nothing to compare
        answer = symbol.answers[call] = Answer(address, data, leaves, spans)
        if len(leaves) == 1 and leaves[0][2:] == GONE:
            symbol.gone_text = None if symbol.scalar or value is None else self.whole_text(value)
            symbol.gone = answer if symbol.scalar or symbol.gone_text else None
        return leaves

    @staticmethod
    def is_gone(symbol, value):
        """Whether gdb says that all of a value is gone. Of an aggregate, is_optimized_out tells that a part is: its
        text is what it was when all leaves were."""
        return value.is_optimized_out and (symbol.scalar or Gdb.whole_text(value) == symbol.gone_text)

    @staticmethod
    def whole_text(value):
        """A text of all of a value, as gdb prints it; None if gdb cannot."""
        try:
            return value.format_string(raw=True, max_elements=0, repeat_threshold=1, max_depth=-1)
        except (gdb.error, RuntimeError, TypeError, MemoryError):  # TypeError: before gdb 9
            return None


if kept.is_wanted():
    kept_gdb.keep()
walk.main(Gdb)
# Nothing of gdb's own end is of interest; the subject goes with it.
os._exit(0)
