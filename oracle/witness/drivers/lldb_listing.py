"""lldb_listing.py - what is kept of frames and of the variables that lldb lists in them: no values."""


class Who:
    """A variable as lldb lists it in a frame: what can be known of it without its value."""
    __slots__ = ("name", "file", "line", "thread", "steady", "framed")

    def __init__(self, name, file, line, thread, steady):
        self.name, self.file, self.line, self.thread = name, file, line, thread
        found = steady.get((name, line))
        self.steady, self.framed = found is not None, bool(found)  # see dwarf/steady.h


class Frame:
    """A frame at a stop."""
    __slots__ = ("frame", "pc", "nth", "inner", "goes_on", "names", "scope", "unit", "own", "levels", "place")

    def __init__(self, frame, pc, nth, inner, goes_on):
        self.frame, self.pc = frame, pc
        self.goes_on = goes_on  # the pc of its physical frame
        self.nth = nth      # which of those of its pc, 0 the innermost
        self.inner = inner  # whether it is of the innermost function that is no inlined one
        self.names = None   # of its function and the ones that it is inlined into
        self.scope = None   # these as a Variable has them
        self.unit, self.own = None, False
        self.levels = 1     # how many frames it stands for
        self.place = None


class Listing:
    """The variables of a frame in a call: the same for all pcs of a block."""

    def __init__(self, listed, hidden, declared, unit, scope, call):
        """hidden: the indices of those that their names do not mean; declared: names of declarations."""
        self.whos, self.hidden = [who for who, _ in listed], hidden
        self.names = frozenset(who.name for who in self.whos) | declared
        self.keys, nth = [], {}
        for who in self.whos:
            key = unit, scope, who.name, who.line, call
            nth[key] = nth.get(key, -1) + 1
            self.keys.append(key + (nth[key],))
        # One that stands for all that move with the frame.
        self.anchors = [i for i, who in enumerate(self.whos) if who.framed][:1]


class Listed:
    """A Listing, and where its variables are among those that lldb lists at a pc."""
    __slots__ = ("listing", "places", "count")

    def __init__(self, listing, places, count):
        self.listing, self.places = listing, places  # None: of one that is not among them
        self.count = count  # of all that lldb lists


class Relisted(Exception):
    """lldb lists other variables in a frame than before."""
