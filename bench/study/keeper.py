"""keeper.py - kept debuggers without a campaign: kept_tool has them, and whatever is run with `environment`
borrows copies of them."""
import contextlib
import os
import pathlib
import shutil
import subprocess
import tempfile

import e2e

TOOL = pathlib.Path(e2e.XSTEP).parent / "oracle/witness/debugger/kept_tool"
TRACE = ("trace", "--witness", "xstep,gdb,lldb", "--vars", "all", "--frames", "--regs", "--format", "json",
         "--stdout", "/dev/null")


class Keeper:
    """Keeps a gdb and an lldb."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="kept-")
        self.process = subprocess.Popen([TOOL, self.folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, preexec_fn=e2e.leave_nothing)
        self.pids = {who: int(pid) for who, pid in
                     (self.process.stdout.readline().split() or ("", 0) for _ in range(2))}
        self.environment = {**os.environ, "XSTEP_KEPT": self.folder, "XSTEP_LOG": "oracle:info"}

    def __bool__(self):
        return all(self.pids.values())

    def copies(self, who):
        """The processes that one of them has lent: they are of another process group than it."""
        found = []
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            with open(f"/proc/{self.pids[who]}/task/{self.pids[who]}/children") as children:
                for pid in map(int, children.read().split()):
                    with contextlib.suppress(ProcessLookupError):
                        if os.getpgid(pid) != self.pids[who]:
                            found.append(pid)
        return found

    def trace(self, program, *options, kept=True, **more):
        """What three witnesses say, as JSON lines: (lines, exit status, who was lent)."""
        told = e2e.xstep(*TRACE, *options, program, **({"env": self.environment} if kept else {}), **more)
        lent = [who for who in self.pids if f"{self.folder}/{who}: lent" in told.stderr]
        return told.stdout, told.returncode, lent

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()
        shutil.rmtree(self.folder, ignore_errors=True)
