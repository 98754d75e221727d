"""lldb_globals.py - the variables at file scope as lldb has them."""
import collections

import lldb

import facts
import scopes
from lldb_values import INVALID


class Globals:
    """What is at file scope. Whose it is asks about a value, in both voices, and has units and a job."""

    def __init__(self):
        self.file_scope = None
        self.hidden = {}   # unit -> globals that their name does not mean there
        self.evaluated = {}  # index of a global -> bytes and leaves, in the other voice
        self.file_scope_names = None  # (name, file, line) of what is there

    def global_variables(self, frame, names):
        outside = self.globals()
        hidden = self.hidden_globals(frame)
        if self.job.by_name:
            return facts.Group([
                facts.Variable(unit, scope, name, file, line, 0, 0, False, self.evaluate_global(frame, i))
                for i, (_, unit, scope, name, file, line) in enumerate(outside)
                if name not in names and i not in hidden])
        names &= self.outside_names
        leaves = self.file_scope.look(self.ask_global, self.job.ask_all)
        return self.file_scope.told((names, id(hidden)), lambda: facts.Group([
            facts.Variable(unit, scope, name, file, line, 0, 0, name in names or i in hidden, leaves[i])
            for i, (_, unit, scope, name, file, line) in enumerate(outside)]))

    def evaluate_global(self, frame, index):
        """The leaves of one in the other voice, unless its bytes are as they were."""
        value, unit, scope, name, _, line = self.outside[index]
        address, size = value.GetLoadAddress(), value.GetByteSize()
        data = self.read(address, size) if address != INVALID and size <= facts.MOST_BYTES else None
        last = self.evaluated.get(index)
        if not last or data is None or last[0] != data or self.job.ask_all:
            key = unit, scope, name, line
            last = data, self.ask_by_name(key, name, frame, value.GetTypeName())
            self.evaluated[index] = last
        return last[1]

    def block_statics(self, block):
        values = block.GetVariables(self.target, False, False, True)
        return [values.GetValueAtIndex(i) for i in range(values.GetSize())]

    def all_statics(self, block, found):
        """Who every static in a block and those inside of it is."""
        while block.IsValid():
            found.update(self.whose(value) for value in self.block_statics(block))
            self.all_statics(block.GetFirstChild(), found)
            block = block.GetSibling()

    def globals(self):
        """What is at file scope. lldb's index has statics of functions too."""
        if self.file_scope is not None:
            return self.outside
        inside = set()
        for entry in self.job.functions:
            function = self.target.ResolveLoadAddress(entry + self.bias).GetFunction()
            if function.IsValid():
                self.all_statics(function.GetBlock(), inside)
        self.outside, seen = [], collections.Counter()
        values = self.find_globals()
        several = collections.Counter(key[:-1] for key in {self.whose(value) for value in values})
        for value in values:
            name, file, line = key = self.identity(value)
            if key not in self.own:
                continue  # a library's
            who = self.whose(value)
            if who in inside or seen[who] >= (len(self.units.there(who[-1], name, file)) or 1):
                continue
            seen[who] += 1
            external = value.GetValueType() == lldb.eValueTypeVariableGlobal
            unit = self.unit_of(value, several[key] > 1)
            self.outside.append((value, unit, "" if external else unit or file, name, file, line))
        # lldb's order is another in each run.
        self.outside.sort(key=lambda one: [str(part) for part in one[1:5]] + [one[5]])
        names = [one[3] for one in self.outside]
        self.outside_names = frozenset(names)
        self.doubles = {name for name in names if names.count(name) > 1}
        self.file_scope = scopes.Scope(len(self.outside), self.peek)
        self.file_scope_names = {entry[3:] for entry in self.outside}
        return self.outside

    def unit_of(self, value, several):
        """The unit of a variable at file scope. lldb does not say it, and crashes when it is asked for
        the variable at an address. Without an address it is that of the file, unless several are declared
        there: another unit includes that source."""
        address = value.GetAddress().GetFileAddress()
        name, file, _ = self.identity(value)
        unit, _ = self.units.of_variable(address, name, file, None)
        if unit or (several and address == INVALID):
            return unit
        return self.units.named(file)

    def hidden_globals(self, frame):
        """The indices of those of several with one name that lldb does not mean by it in a frame."""
        if not self.doubles:
            return ()
        unit = frame.GetCompileUnit().GetFileSpec().fullpath
        if unit not in self.hidden:
            self.hidden[unit] = hidden = set()
            for name in self.doubles:
                meant = frame.GetValueForVariablePath(name)
                some = [i for i, one in enumerate(self.outside) if one[3] == name]
                same = [i for i in some if meant.IsValid() and meant.GetLoadAddress() ==
                        self.outside[i][0].GetLoadAddress()]
                hidden.update(set(some) - set(same or some[:1]))
        return self.hidden[unit]

    def ask_global(self, index):
        value, unit, scope, name, _, line = self.outside[index]
        key = unit, scope, name, line
        leaves = self.ask(key, name, value)
        last = self.answers.get(key)
        fixed = last and last.data is not None and \
            value.GetValueType() != lldb.eValueTypeVariableThreadLocal
        return leaves, (last.address, len(last.data)) if fixed else None

    def find_globals(self):
        values = self.target.FindGlobalVariables(".*", 1000000, lldb.eMatchTypeRegex)
        return [values.GetValueAtIndex(i) for i in range(values.GetSize())]

    @staticmethod
    def identity(value):
        declaration = value.GetDeclaration()
        return value.GetName(), declaration.GetFileSpec().fullpath, declaration.GetLine()

    def whose(self, value):
        """The identity with the address: a header's statics are in each unit."""
        return self.identity(value) + (value.GetAddress().GetFileAddress(),)
