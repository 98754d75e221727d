"""gdb_frames.py - the frames at a stop as gdb has them, and what it shows of each.

What gdb shows of frames further out than the innermost physical one follows from their pcs and types: it is
kept by these. gdb looks for a frame from the innermost on each time that it is asked about one: each is asked
little.
"""
import gdb

import walk

MOST_STACKS = 1000  # that something is kept of


def keep(known, key, what):
    if len(known) >= MOST_STACKS:
        known.clear()
    known[key] = what


class Frames:
    """The frames. Whose it is has units, and forgets them: stack and top are None then."""

    def __init__(self):
        self.stack = None   # those at this stop
        self.top = None     # the innermost of them
        self.shape = None   # the pcs and types of all, in turn
        self.outer = None   # how many are of the innermost physical frame
        self.places = {}    # (return address, which of its frames) -> what that shows; see group_places()
        self.plain_pcs = set()  # where no call is inlined: what is shown there follows from the pc
        self.known_places = {}  # shape of those further out -> what is shown of them

    def newest(self):
        """The innermost frame."""
        if self.top is None:
            self.top = gdb.newest_frame()
        return self.top

    @staticmethod
    def file_line(sal):
        known = sal is not None and sal.symtab is not None
        return {"file": sal.symtab.fullname() if known else None,
                "line": sal.line if known else None, "column": None}  # gdb has no columns here

    def frame_place(self, frame):
        place = {"function": frame.name()}
        place.update(self.file_line(frame.find_sal()))
        return place

    def walk_frames(self):
        if self.stack is None:
            frame, stack, shape, self.outer = self.newest(), [], [], 0
            while frame is not None and len(stack) < 1000:
                kind = frame.type()
                stack.append(frame)
                shape += frame.pc(), kind
                if not self.outer and kind != gdb.INLINE_FRAME:
                    self.outer = len(stack)
                try:
                    frame = frame.older()
                except gdb.error:
                    break
            self.outer = self.outer or len(stack)
            self.stack, self.shape = stack, tuple(shape)
        return self.stack

    def frames(self):
        frames, outer, kinds = self.walk_frames(), self.outer, self.shape[1::2]
        inner = self.group_places(frames[:outer], kinds[:outer], True, True)
        key = self.shape[2 * outer - 1:]  # whether a signal came in, and all frames further out
        known = self.known_places.get(key)
        if known is None:
            known, first, at_pc, follows = [], outer, kinds[outer - 1] == gdb.SIGTRAMP_FRAME, True
            for at in range(outer, len(kinds)):
                if kinds[at] == gdb.INLINE_FRAME and at + 1 < len(kinds):
                    continue
                known += self.group_places(frames[first:at + 1], kinds[first:at + 1], False, at_pc)
                follows &= not at_pc
                # Where a signal came in, what is shown is at the pc itself.
                first, at_pc = at + 1, kinds[at] == gdb.SIGTRAMP_FRAME
            if follows:
                keep(self.known_places, key, known)
        return inner + known

    def group_places(self, group, kinds, innermost, at_pc):
        """The places of the frames of one physical frame, which have these types. innermost: it is where the
        program is; at_pc: no call returns there. What is shown where one returns follows from the pc."""
        found, tail = [], kinds[-1] == gdb.TAILCALL_FRAME
        for nth, (frame, kind) in enumerate(zip(group, kinds)):
            pc = frame.pc()
            key = (pc, nth, tail) if not at_pc else \
                (pc, None) if innermost and pc in self.plain_pcs and len(group) == 1 and not tail else None
            place = self.places.get(key)
            if place is None:
                place = walk.Place(self.frame_place(frame), inlined=kind == gdb.INLINE_FRAME, tail=tail,
                                   pc=None if innermost else self.units.link_time(pc, not at_pc))
                if key:
                    self.places[key] = place
            found.append(place)
        return found

    @staticmethod
    def inner_frames():
        """Those of the innermost physical frame."""
        frames = [gdb.newest_frame()]
        while frames[-1].type() == gdb.INLINE_FRAME:
            frames.append(frames[-1].older())
        return frames

    @staticmethod
    def frames_of_levels(frames, at, levels):
        """The number of the frame for each function of the physical frame that frame `at` begins, inner first,
        and where the next one begins.

        An entry value asked for in an inlined call's frame goes astray: each needs its own. At the
        first pc of an inlined call gdb hides its frame; the next one has to do for it."""
        group = [at]
        at += 1
        while frames[group[-1]].type() == gdb.INLINE_FRAME and at < len(frames):
            group.append(at)
            at += 1
        return [group[0]] * (levels - len(group)) + group, at
