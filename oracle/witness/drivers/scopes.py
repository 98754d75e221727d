"""scopes.py - variables of a scope that are asked about only where something has changed.

A debugger is asked once about each variable of a scope: the file scope, or a call's. From then on the
bytes that its answer depends on are looked at, many variables at once, and only those whose bytes
differ are asked about again. These bytes are not told: whoever gives the debugger its memory may be
asked for them instead of the debugger. What else an answer may depend on is in the key that the
scope is kept by: the function's frame. Variables whose answers depend on more than that are asked
about at each stop.
"""

GAP = 512  # bytes between two variables that are read together
MOST = 512  # scopes that are kept


class Scope:
    """The variables of one scope, in the order that the debugger has them in."""

    def __init__(self, count, peek):
        """peek(address, size) returns bytes, or None."""
        self.peek = peek
        self.leaves, self.homes = [None] * count, [None] * count
        self.parts = None   # [[address, end, bytes, [index]]]
        self.pcs = set()    # where it was looked at: for who needs to know
        self.group = None   # what told() returned last, and by what
        self.told_by = None
        self.news = {}      # index -> leaves that it does not have yet

    def look(self, ask, everything=False):
        """The leaves of each, now. ask(i) returns those of the i-th and the (address, size) that alone
        they depend on: () if on nothing, None if nobody knows."""
        again = range(len(self.leaves)) if everything or self.parts is None else self.changed()
        parts, self.parts = self.parts, None  # unless all goes well
        for i in again:
            leaves, home = ask(i)
            if leaves is not self.leaves[i]:
                self.leaves[i] = self.news[i] = leaves
            if home != self.homes[i]:
                self.homes[i], parts = home, None
        self.parts = parts
        if parts is None:
            self.lay_out()
        return self.leaves

    def lay_out(self):
        self.parts = []
        for (address, size), i in sorted((home, i) for i, home in enumerate(self.homes) if home):
            if not self.parts or address > self.parts[-1][1] + GAP:
                self.parts.append([address, address, None, []])
            self.parts[-1][1] = max(self.parts[-1][1], address + size)
            self.parts[-1][3].append(i)
        for part in self.parts:
            part[2] = self.peek(part[0], part[1] - part[0])
        self.homeless = [i for i, home in enumerate(self.homes) if home is None]

    def changed(self):
        """Which are to be asked about, in order."""
        found = self.homeless
        for part in self.parts:
            start, end, old, inside = part
            part[2] = new = self.peek(start, end - start)
            if new is None or old is None:
                found = found + inside
            elif new != old:
                homes = self.homes
                found = found + [i for i in inside if
                                 new[homes[i][0] - start:homes[i][0] - start + homes[i][1]] !=
                                 old[homes[i][0] - start:homes[i][0] - start + homes[i][1]]]
        return sorted(found) if found is not self.homeless else found

    def told(self, by, make):
        """The Group that make() makes of the leaves: the same as before while they are the same and `by`,
        which says all else that it is made from, is."""
        if self.group is None or self.told_by != by:
            self.group, self.told_by = make(), by
        elif self.news:
            self.group = self.group.with_news(self.news)
        self.news = {}
        return self.group


class Scopes:
    """The scopes of calls by what they depend on; those that were not looked at for long go."""

    def __init__(self, peek):
        self.peek, self.young, self.old = peek, {}, {}

    def get(self, key, count):
        scope = self.young.get(key)
        if scope is None:
            scope = self.old.get(key) or Scope(count, self.peek)
            if len(self.young) >= MOST:
                self.young, self.old = {}, self.young
            self.young[key] = scope
        return scope
