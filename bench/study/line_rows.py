"""line_rows.py - the rows of a program's line table as binutils' objdump decodes them.

A second decoder beside xstep's own, and the raw material of a model of what gdb makes of it.
"""
import bisect
import collections
import re

import e2e

Row = collections.namedtuple("Row", "address line file is_stmt")
ROW = re.compile(r"^(\S.*?) +(\d+|-) +(0x[0-9a-f]+|0)(?: +(\d+))?(?: +(x))?(?: *END)? *$")


class Sequence:
    """Rows from one end_sequence to the next; covers [lo, hi)."""

    def __init__(self, rows, hi):
        self.rows = sorted(rows, key=lambda row: row.address)
        self.lo, self.hi = self.rows[0].address, hi
        self.addresses = [row.address for row in self.rows]

    def at(self, pc):
        """All rows at the greatest address <= pc, in order."""
        end = bisect.bisect_right(self.addresses, pc)
        start = bisect.bisect_left(self.addresses, self.addresses[end - 1])
        return self.rows[start:end]

    def before(self, pc):
        """All rows at an address <= pc, in order."""
        return self.rows[:bisect.bisect_right(self.addresses, pc)]


def executable_ranges(program):
    ranges = []
    for line in e2e.run(["readelf", "-SW", program]).stdout.splitlines():
        words = line.split("]", 1)[-1].split()
        if len(words) > 7 and "X" in words[6]:
            start = int(words[2], 16)
            ranges.append((start, start + int(words[4], 16)))
    return ranges


def read(program):
    """The sequences of a program, without those that the linker discarded."""
    code = executable_ranges(program)
    found, rows, path = [], [], None
    for line in e2e.run(["objdump", "--dwarf=decodedline", program]).stdout.splitlines():
        match = ROW.match(line)
        if not match:
            if line.endswith(":"):
                path = line[:-1]
            continue
        address = int(match.group(3), 16)
        if match.group(2) != "-" and not line.rstrip().endswith("END"):
            rows.append(Row(address, int(match.group(2)), path, bool(match.group(5))))
            continue
        if rows and rows[0].address < address and any(
                lo <= rows[0].address < hi for lo, hi in code):
            found.append(Sequence(rows, address))
        rows = []
    return sorted(found, key=lambda sequence: sequence.lo)


def find(sequences, pc):
    """The sequence that covers pc, or None."""
    for sequence in sequences:
        if sequence.lo <= pc < sequence.hi:
            return sequence
    return None
