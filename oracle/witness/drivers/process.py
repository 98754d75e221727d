"""process.py - the process beside the debugger: its memory, and in native drive a fence around its code."""
import os
import struct

INT3 = b"\xcc"
AT_IGNORE, AT_SYSINFO_EHDR = 1, 33


class Memory:
    """The subject's memory through /proc. The debugger is not asked: what is written here is gone
    again before it looks, and what is read here is no fact."""

    def __init__(self, pid):
        self.pid = pid
        self.fd = os.open("/proc/%d/mem" % pid, os.O_RDWR | os.O_CLOEXEC)

    def read(self, address, size):
        return os.pread(self.fd, size, address)

    def write(self, address, data):
        os.pwrite(self.fd, data, address)

    def fill_dead_stack(self, sp, byte):
        """Writes over what lies below the stack pointer."""
        with open("/proc/%d/maps" % self.pid) as maps:
            for line in maps:
                lo, hi = (int(word, 16) for word in line.split()[0].split("-"))
                if lo < sp <= hi:
                    self.write(lo, bytes([byte]) * (sp - lo))

    def hide_vdso(self, sp):
        """The first instruction of all is about to be executed: the C library will not find the vDSO,
        and ask the kernel for the time."""
        at, lists = sp + 8, 2  # behind the count of arguments: these, and the environment
        while lists:
            lists -= self.read(at, 8) == bytes(8)
            at += 8
        while kind := int.from_bytes(self.read(at, 8), "little"):
            if kind == AT_SYSINFO_EHDR:
                self.write(at, AT_IGNORE.to_bytes(8, "little"))
            at += 16

    def auxv(self):
        with open("/proc/%d/auxv" % self.pid, "rb") as file:
            data = file.read()
        pairs = struct.iter_unpack("<QQ", data[:len(data) // 16 * 16])
        return dict(pair for pair in pairs)


class Window:
    """A look at the memory of a process by a descriptor of it."""

    def __init__(self, fd):
        self.fd = fd

    def read(self, address, size):
        """All these bytes, or None."""
        try:
            data = os.pread(self.fd, size, address)
        except (OSError, OverflowError):
            return None
        return data if len(data) == size else None


class Fence:
    """int3 all over the code of interest, while other code runs at full speed: every way back is
    seen, be it a return, a callback, a signal handler or longjmp."""

    def __init__(self, memory, ranges, return_to):
        self.memory, self.ranges, self.up = memory, ranges, False
        self.single = [] if self.holds(return_to) else [return_to]
        self.saved = []

    def holds(self, pc):
        return any(lo <= pc < hi for lo, hi in self.ranges)

    def raise_up(self):
        self.saved = [(lo, self.memory.read(lo, hi - lo)) for lo, hi in
                      self.ranges + [(pc, pc + 1) for pc in self.single]]
        for lo, data in self.saved:
            self.memory.write(lo, INT3 * len(data))
        self.up = True

    def take_down(self):
        for lo, data in self.saved:
            self.memory.write(lo, data)
        self.up = False


def is_rep(code):
    """Whether a repeated string instruction begins with these bytes."""
    repeats, at = False, 0
    while at < len(code) - 1 and (code[at] in b"\x66\x67\xf2\xf3\x2e\x36\x3e\x26\x64\x65"
                                  or 0x40 <= code[at] <= 0x4f):
        repeats |= code[at] in b"\xf2\xf3"
        at += 1
    return repeats and code[at] in b"\xa4\xa5\xa6\xa7\xaa\xab\xac\xad\xae\xaf\x6c\x6d\x6e\x6f"


def is_branch_to_itself(code):
    """Whether a direct branch whose target it is itself begins with these bytes."""
    if code[0] == 0xeb or 0x70 <= code[0] <= 0x7f or 0xe0 <= code[0] <= 0xe3:
        return code[1] == 0xfe
    if code[0] in (0xe8, 0xe9):
        return code[1:5] == b"\xfb\xff\xff\xff"
    return code[0] == 0x0f and 0x80 <= code[1] <= 0x8f and code[2:6] == b"\xfa\xff\xff\xff"
