"""gdb_commands.py - commands that gdb is given, and the settings that make it say what it knows and no more."""
import gdb

import facts
import quoting

SETTINGS = (
    "set pagination off", "set confirm off", "set startup-with-shell off",
    "set disable-randomization on", "set auto-load off", "set print thread-events off",
    "set print inferior-events off", "set style enabled off", "set width 0", "set height 0",
    "unset environment", "handle all stop print pass",
    "set max-value-size %d" % facts.MOST_BYTES,
    "set may-call-functions off", "set print frame-arguments none", "set print entry-values no",
    "set print address off", "set print frame-info short-location", "set breakpoint pending off",
    "set print raw-frame-arguments on", "set backtrace past-main on",  # entry values of main
    "set disassemble-next-line off", "set print symbol off", "disable pretty-printer",
    "set detach-on-fork on", "set follow-fork-mode parent", "set step-mode off", "set listsize 1",
    "set print elements unlimited", "set print repeats unlimited",
    "set source open off",  # printing source at each step costs, and nobody reads it
)
# Of a process that somebody else holds: memory is asked for by pieces, each once a stop, of a size that
# suits a stack; nothing else goes on while the process runs, and nobody reads what is said at a stop.
SHARED = ("set sysroot /", "set remotetimeout 86400", "set tcp auto-retry off",
          "set breakpoint always-inserted on", "set dcache line-size 512", "set dcache size 4096",
          "mem 0 0 rw cache", "maint set target-async off", "set suppress-cli-notifications on")


def quietly(command):
    return gdb.execute(quoting.line(command), to_string=True)


def apply(settings):
    """Those that this version of gdb has."""
    for command in settings:
        try:
            quietly(command)
        except gdb.error:
            pass


class Aside(gdb.Command):
    """A command that does an action. gdb frees the values that were made for a command at its end, and looks for
    one among all that are left each time that it hands one out: in a driver that is a single command itself, there
    are more of them at each stop."""

    NAME = "xstep-aside"

    def __init__(self):
        gdb.Command.__init__(self, self.NAME, gdb.COMMAND_OBSCURE)
        self.action = self.error = None

    def invoke(self, argument, from_tty):
        try:
            self.action()
        except Exception as error:  # gdb would print it, and throw another one
            self.error = error

    def __call__(self, action):
        self.action, self.error = action, None
        gdb.execute(self.NAME, False, False)
        if self.error:
            raise self.error


class Forgetful:
    """A gdb that is made to forget what it has read of the process. The frames are then made as after a
    stepi: no inlined call is hidden that begins at the pc."""

    def can_forget(self):
        try:
            self.forget()
        except gdb.error:
            return False  # too old for it
        return True

    def forget(self):
        self.stopped_by = self.stack = self.top = None
        # Memory first: behind any command gdb looks at the innermost frame.
        gdb.execute("maint flush dcache\nmaint flush register-cache", False, False)
