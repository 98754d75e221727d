"""facts.py - what a debugger says of variables: leaves, variables, and what changed since it was told last.

    Leaf      a scalar part of a variable: its path, type, state and text
    Variable  one in a call or at file scope, with its leaves at a stop
    Group     the variables of a call, or of the file scope
    Facts     what was told, to tell only what changed
"""
# No object is larger: before a variable-length array has its length, its bounds may be anything.
MOST_BYTES = 1 << 24
MOST_NUMBERS = 1 << 17  # leaves that have one: xstep keeps what was told of each


class Leaf(tuple):
    """(path, type, state, value, enumerator, message) of a leaf. The state is one that xstep has, or
    `not-asked`; the message is what the debugger said, word by word."""
    __slots__ = ()

    def __new__(cls, path, kind, state, value=None, enumerator=None, message=None):
        return tuple.__new__(cls, (path, kind, state, value, enumerator, message))


def not_asked(path, kind, error):
    """The leaf of what the driver failed to ask: its own words are never told as the debugger's, and what
    it says is not compared."""
    return Leaf(path, kind, "not-asked", message="xstep's driver: %s: %s" % (type(error).__name__, error))


def state(leaves):
    """The state of a variable that is a single leaf; None of others."""
    return leaves[0][2] if len(leaves) == 1 else None


class Variable:
    """What a witness says of one variable in one frame, at a stop.

    unit is the name of its compilation unit, None outside the program. scope is the way to its function
    through inlined calls, `main/foo/bar`; for what is at file scope "" if it is external, else the
    unit's name. With name and declaration line these are the
    identity. call is its frame counted from the outermost, 0 at file scope: it keeps that number
    while others come and go inside."""
    __slots__ = ("unit", "scope", "name", "file", "line", "call", "frame", "shadowed", "leaves", "nth")

    def __init__(self, unit, scope, name, file, line, call, frame, shadowed, leaves):
        self.unit, self.scope, self.name, self.file, self.line = unit, scope, name, file, line
        self.call, self.frame, self.shadowed, self.leaves = call, frame, shadowed, leaves
        self.nth = 0  # of several that look the same

    def with_leaves(self, leaves):
        """The same variable at another stop."""
        new = Variable(self.unit, self.scope, self.name, self.file, self.line, self.call, self.frame,
                       self.shadowed, leaves)
        new.nth = self.nth
        return new


class Group:
    """The variables of a call, or of the file scope, as they are told at a stop. It never changes: the
    same group at the next stop has nothing new to tell."""
    __slots__ = ("keys", "known", "base", "news")

    def __init__(self, variables):
        self.keys, self.known = [], {}  # identities, in order; {identity: Variable}
        self.base, self.news = None, ()  # the group that it is but for some variables; their identities
        for variable in variables:
            head = variable.unit, variable.scope, variable.name, variable.line, variable.call
            while head + (variable.nth,) in self.known:
                variable.nth += 1  # two of the same identity: in the order of listing
            self.keys.append(head + (variable.nth,))
            self.known[self.keys[-1]] = variable

    def with_news(self, news):
        """The same with other leaves of some variables: {index: leaves}."""
        new = Group(())
        new.keys, new.known = self.keys, dict(self.known)
        for i, leaves in news.items():
            new.known[self.keys[i]] = self.known[self.keys[i]].with_leaves(leaves)
        new.base, new.news = self, [self.keys[i] for i in sorted(news)]
        self.base = None  # or all that were ever would stay
        return new


class Facts:
    """What was told of variables, to tell only what changed."""

    def __init__(self, moves):
        """moves: a variable is told again when only its frame has another number."""
        self.moves = moves
        self.groups = []  # each with the variables of other calls
        self.numbers = {}  # who a leaf is -> the number that it was told with

    def update(self, groups):
        """Returns the entries that changed: what is absent now first."""
        if groups == self.groups:  # the very same ones
            return []
        told = {id(group) for group in self.groups}
        fresh = [group for group in groups if id(group) not in told]
        if not fresh and len(groups) == len(told):
            return []
        was, now = {}, {}
        gone = told.difference(map(id, groups))
        based = {id(group.base) for group in fresh} & gone
        for group in self.groups:
            if id(group) in gone and id(group) not in based:
                was.update(group.known)
        for group in fresh:
            if id(group.base) in based:
                was.update((key, group.base.known[key]) for key in group.news)
                now.update((key, group.known[key]) for key in group.news)
            else:
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
            if old is new:
                continue
            if old is None:
                changed += [self._entry(new, leaf) for leaf in new.leaves]
                continue
            moved = self.moves and old.frame != new.frame or old.shadowed != new.shadowed
            if old.leaves is new.leaves and not moved:
                continue
            if not moved and self.are_alike(old.leaves, new.leaves):
                changed += [self._entry(new, leaf) for one, leaf in zip(old.leaves, new.leaves)
                            if one is not leaf and one != leaf]
                continue
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
    def are_alike(some, others):
        """Whether these are the same leaves, path by path, whatever their states and values."""
        return len(some) == len(others) and all(
            one is other or one[:2] == other[:2] for one, other in zip(some, others))

    def _entry(self, variable, leaf, state=None):
        """What is told of a leaf. All that stays the same as long as its variable is there is told once: from then
        on its number stands for that."""
        path, kind, its_state, value, enumerator, message = leaf
        key = (path, kind, variable.name, variable.file, variable.line, variable.unit, variable.scope,
               variable.call, variable.nth)
        number = self.numbers.get(key)
        if number is not None:
            if state:
                return number, variable.frame, variable.shadowed, state
            if enumerator or message is not None:
                return number, variable.frame, variable.shadowed, its_state, value, enumerator or None, message
            return number, variable.frame, variable.shadowed, its_state, value
        entry = {"path": path, "var": variable.name,
                 "decl": {"file": variable.file, "line": variable.line},
                 "unit": variable.unit, "scope": variable.scope, "frame": variable.frame,
                 "depth": variable.call,
                 "shadowed": variable.shadowed, "declared": state is None, "type": kind,
                 "state": state or its_state, "value": None if state else value}
        if variable.nth:
            entry["nth"] = variable.nth
        if enumerator and not state:
            entry["enumerator"] = enumerator
        entry["message"] = None if state else message
        if not state and len(self.numbers) < MOST_NUMBERS:
            entry["number"] = self.numbers[key] = len(self.numbers)
        return entry


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
