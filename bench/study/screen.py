"""screen.py - a terminal (pty) that a test watches, as a person would: what a program writes to it is read into
`seen`."""
import fcntl
import os
import pty
import select
import struct
import termios


class Screen:
    """The program gets `side` as one of its streams; then `begun` is called."""

    def __init__(self, case, columns, rows):
        try:
            self.primary, self.side = pty.openpty()
        except OSError as error:
            case.skipTest(f"no pseudo-terminal: {error}")
        fcntl.ioctl(self.side, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.seen = ""

    def begun(self):
        """Only the program has its side now: when that ends, `read` knows."""
        os.close(self.side)

    def close(self):
        os.close(self.primary)

    def read(self):
        """Reads what is there by now; False when nobody writes to it any more."""
        while select.select([self.primary], [], [], 0.02)[0]:
            try:
                data = os.read(self.primary, 65536)
            except OSError:
                return False
            if not data:
                return False
            self.seen += data.decode(errors="replace")
        return True
