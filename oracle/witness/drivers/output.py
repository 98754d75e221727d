"""output.py - what passes between a driver and xstep beside its job: lines of results, the last command
that the debugger was given, and the stop that a shared process is at."""
import functools
import json
import mmap
import os
import socket
import struct
import sys
import time

PAGE = 4096
NOTHING = (1 << 64) - 1  # what stands for no number in a StopPage


class Output:
    """JSON lines. Bytes of names that are not UTF-8 become question marks."""

    def __init__(self, fd):
        os.set_inheritable(fd, False)  # the subject must not have it
        self.fd = fd
        self.encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
        self.last = time.monotonic()

    def tell(self, **line):
        data = (self.encode(line) + "\n").encode(errors="replace")
        while data:
            data = data[os.write(self.fd, data):]
        self.last = time.monotonic()


    def wait(self):
        """For a word of xstep's, which is a byte; False if it is no more."""
        return bool(os.read(self.fd, 1))

    def receive(self):
        """The descriptor that xstep has sent, None if it has not."""
        how = socket.MSG_DONTWAIT | socket.MSG_CMSG_CLOEXEC
        try:
            with socket.socket(fileno=os.dup(self.fd)) as door:
                _, sent, _, _ = door.recvmsg(1, socket.CMSG_SPACE(4), how)
        except OSError:
            return None
        return int.from_bytes(sent[0][2], sys.byteorder) if sent else None


class LastCommand:
    """The last command given to the debugger, where xstep can read it when there is no answer: the
    job's file `command`, mapped."""

    def __init__(self, path):
        self.map = None
        if path:
            with open(path, "r+b") as file:
                self.map = mmap.mmap(file.fileno(), PAGE)

    def __call__(self, text):
        if self.map:
            data = self.data(text)
            self.map[0:len(data)] = data

    @staticmethod
    @functools.lru_cache(maxsize=4096)
    def data(text):
        return text.encode(errors="replace")[:PAGE - 1] + b"\0"


class StopPage:
    """Which stop the process is at, where xstep holds it and several debuggers look: the job's file
    `stop`, mapped. See struct ora_shared_page."""

    FORM = struct.Struct("<9Q")
    REGISTERS = struct.Struct("<18Q")  # behind that
    LOOKED = struct.Struct("<Q")       # behind these
    ENDS = {1: "returned", 2: "program", 3: "limit"}

    def __init__(self, path):
        with open(path, "r+b") as file:
            self.map = mmap.mmap(file.fileno(), PAGE)

    def stop(self):
        """(number, prev, pc, n, bias); link-time addresses, prev None at the first."""
        number, prev, pc, n, bias = self.FORM.unpack_from(self.map)[:5]
        return number, None if prev == NOTHING else prev, pc, n, bias

    def registers(self):
        """All that the process has, by which it is seen which have changed; None if they are not known."""
        known, *registers = self.REGISTERS.unpack_from(self.map, self.FORM.size)
        return registers if known else None

    def tell_looked(self, number):
        """The debugger needs nothing more of the process at this stop."""
        self.LOOKED.pack_into(self.map, self.FORM.size + self.REGISTERS.size, number)

    def end(self):
        """(stops, end, status, signal); end is None if it is not over."""
        stops, end, status, signal = self.FORM.unpack_from(self.map)[5:9]
        return (stops, self.ENDS.get(end), None if status == NOTHING else status,
                None if signal == NOTHING else signal)
