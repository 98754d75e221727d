"""outwards.py - calls that wait for others to return, and what was said of their variables.

While a function runs, nothing changes in the calls around it but what it writes there. What a debugger says of
these calls follows from

    the pcs of their frames;
    the registers that calls preserve, as the debugger has them in the nearest of them: it finds those of all
    others by them. Of other registers it is enough to know whether the debugger has one: see job.Needs;
    the stack, from the nearest of them on outwards: registers are saved there, and variables are.

As long as these are what they were, the debugger is not asked again. A variable that depends on other memory,
or nobody knows on what, is asked about at each stop.
"""
from job import Waiting

MOST_BYTES = 1 << 16  # of a stack that is looked at
MOST_KNOWN = 1000


class Told:
    """What was told of a call, and on what it depends beside the registers and the stack from there on outwards."""
    __slots__ = ("group", "scope", "outward", "names")

    def __init__(self, group, scope=None, outward=(), names=()):
        self.group, self.scope = group, scope  # scope: see scopes.py; None: nobody knows
        self.outward = outward  # variables without a home that depend on nothing else
        self.names = names      # registers

    def is_settled(self, lo, hi):
        """Whether it depends on nothing but registers and the stack from lo to hi."""
        return self.scope is not None and all(i in self.outward for i in self.scope.homeless) and \
            all(lo <= home[0] and home[0] + home[1] <= hi for home in self.scope.homes if home)


class Known:
    """What was told of a call and of all those further out."""
    __slots__ = ("names", "registers", "lo", "data", "groups", "again")
    # again: indices of groups that depend on more

class Outwards:
    """The calls that wait, by what they depend on."""

    def __init__(self, peek, register):
        """peek(address, size) returns bytes, or None; register(frame, name) what the debugger takes one for."""
        self.peek, self.register, self.known = peek, register, {}

    def read(self, frame, names):
        """What the debugger takes registers for in a frame."""
        found = [self.register(frame, name) for name in names]
        return [None if isinstance(one, int) and name not in Waiting.PRESERVED else one
                for name, one in zip(names, found)]

    def tell(self, calls, end):
        """The groups of calls, the nearest first: [(key, frame, ask)]. key is what its frames and those further out
        are known by, None if it has no registers of its own; ask() returns Told. end() is where the stack ends."""
        news, known = [], None
        for key, frame, ask in calls:
            known = self.known.get(key) if key else None
            if known is not None and known.registers == self.read(frame, known.names) and \
                    known.data == self.peek(known.lo, len(known.data)):
                break
            known = None
            news.append(ask())
        groups = [told.group for told in news]
        if known:
            rest = list(known.groups)
            for i in known.again:
                rest[i] = calls[len(news) + i][2]().group
            groups += rest
        if news:
            self.keep(calls, news, known, groups, end())
        return groups

    def keep(self, calls, news, further, groups, end):
        """Notes what was told. further: what is Known of those behind the new ones, None: there are none."""
        names = set(further.names if further else Waiting.PRESERVED)
        behind = [len(news) + i for i in further.again] if further else []
        least = further.lo if further else end
        for i in reversed(range(len(news))):
            key, frame, _ = calls[i]
            names.update(news[i].names)
            if key is None:
                continue
            lo = self.register(frame, "rsp")
            if end is None or not isinstance(lo, int) or lo > least or end - lo > MOST_BYTES:
                return  # no plain stack
            one, least = Known(), lo
            one.lo, one.data = lo, self.peek(lo, end - lo)
            if one.data is None:
                return
            one.names = sorted(names)
            one.registers = self.read(frame, one.names)
            one.groups = groups[i:]
            one.again = [k - i for k in range(i, len(news)) if not news[k].is_settled(lo, end)]
            one.again += [k - i for k in behind]
            if len(self.known) >= MOST_KNOWN:
                self.known.clear()
            self.known[key] = one
