"""kept.py - a debugger that is kept: it has read its driver, has not seen any program, and makes a copy of
itself for each program that it is asked about.

    who keeps it        starts it with XSTEP_KEPT_AS in its environment, and sends it a socket to listen at
    who asks            connects there and sends what would otherwise have started a debugger
    the copy            is a fork: it is in the state of a debugger that was just started

What it reads in advance are symbols of the libraries that nearly every program has, the C library and the
loader. It does not look anything up in them.

Rules:
1. It forks only while nothing else goes on in it: a fork has only the calling thread.
2. A copy belongs to who asked for it: it is of that process's group, has its limits, its environment and
   its folder, and dies with it: the kernel kills it when the other end of its lifeline is closed, and the
   kept one does when the connection is.
3. A copy dies with the kept one, too.
4. Whatever goes wrong is answered by closing the connection: who asked starts a debugger then.

A question is one message of texts that end in NUL: the debugger, the folder, the process group, the limits
(`7:1024:4096,...`), and the environment; with three descriptors: for what the debugger says, for its results, and
its lifeline. The answers are `copy PID` with a pidfd, and `ended STATUS`, as waitpid() has it. See
oracle/witness/debugger/lent.h.
"""
import ctypes
import fcntl
import os
import re
import resource
import select
import signal
import socket
import time

import quoting

MOST_BYTES = 1 << 20  # of a question
RESULTS = 3  # the descriptor that a driver writes its results to
TRIES, TRY_SECONDS = 400, 0.005  # for rule 1
QUESTION_SECONDS = 5  # until it is there, after the connection
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36


def is_wanted():
    """Whether this debugger is to be kept."""
    return "XSTEP_KEPT_AS" in os.environ


def receive_socket(fd):
    """The socket to listen at, which comes through a descriptor."""
    with socket.socket(fileno=os.dup(fd)) as door:
        _, fds, _, _ = socket.recv_fds(door, 1, 1, socket.MSG_CMSG_CLOEXEC)
    return socket.socket(fileno=fds[0])


def threads():
    """The states of the other threads."""
    found = []
    for thread in os.listdir("/proc/self/task"):
        try:
            with open("/proc/self/task/%s/stat" % thread) as file:
                if int(thread) != os.getpid():
                    found.append(file.read().rpartition(")")[2].split()[0])
        except (FileNotFoundError, ProcessLookupError):
            pass  # it has ended
    return found


class LinkMap(ctypes.Structure):
    """What dlopen() returns."""


LinkMap._fields_ = [("base", ctypes.c_size_t), ("name", ctypes.c_char_p), ("dynamic", ctypes.c_void_p),
                    ("next", ctypes.POINTER(LinkMap))]


def libraries():
    """The libraries that nearly every program has, by the names that the loader has for them: the debugger's own
    are the same."""
    found, one = [], ctypes.cast(ctypes.CDLL(None)._handle, ctypes.POINTER(LinkMap))
    while one:
        name = os.fsdecode(one.contents.name or b"")
        if re.match(r"(libc\.so|ld-linux-x86-64\.so)", os.path.basename(name)) and quoting.is_line(name):
            found.append(name)
        one = one.contents.next
    return found


def tried(work):
    """Whether work() goes well in a copy, and leaves no more threads there than there are here."""
    before = len(threads())
    pid = os.fork()
    if not pid:
        try:
            work()
            os._exit(0 if len(threads()) <= before else 2)
        finally:
            os._exit(1)
    return os.waitpid(pid, 0)[1] == 0


class Kept:
    """The kept debugger, waiting for questions."""

    def __init__(self, others):
        """others: how many other threads it may have, which then sleep, and which no copy needs."""
        self.others, self.pid = others, os.getpid()
        self.who = os.environb[b"XSTEP_KEPT_AS"]
        self.copies = {}  # pidfd -> (pid, connection)
        self.owners = {}  # connection -> pidfd, of those that were not told to end
        self.prctl = ctypes.CDLL(None).prctl
        self.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self.door = receive_socket(RESULTS)
        nobody = os.open(os.devnull, os.O_WRONLY)  # reads what it says from now on
        os.dup2(nobody, 1)
        os.dup2(nobody, 2)
        os.close(nobody)

    def serve(self):
        """Returns in a copy."""
        while True:
            ready, _, _ = select.select([self.door, *self.copies, *self.owners], [], [])
            for one in ready:
                if one in self.copies:
                    self.bury(one)
                elif self.owners.get(one) in self.copies:  # who asked is gone
                    signal.pidfd_send_signal(self.owners.pop(one), signal.SIGKILL)
            if self.door in ready and self.take_question():
                return

    def bury(self, pidfd):
        """A copy has ended: tells whose it was."""
        pid, connection = self.copies.pop(pidfd)
        self.owners.pop(connection, None)
        _, status = os.waitpid(pid, 0)
        os.close(pidfd)
        try:
            connection.send(b"ended %d" % status, socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL)
        except OSError:
            pass  # that one is gone, too
        connection.close()

    def is_quiet(self):
        """Rule 1, after a while at most."""
        for _ in range(TRIES):
            states = threads()
            if len(states) <= self.others and all(state == "S" for state in states):
                return True
            time.sleep(TRY_SECONDS)
        return False

    def take_question(self):
        """Answers one. True in the copy."""
        connection, _ = self.door.accept()
        fds, copied = [], False
        try:
            connection.settimeout(QUESTION_SECONDS)
            data, fds, _, _ = socket.recv_fds(connection, MOST_BYTES, 3, socket.MSG_CMSG_CLOEXEC)
            debugger, *question = data.split(b"\0")[:-1]
            if len(fds) == 3 and debugger == self.who and self.is_quiet():
                pid = os.fork()
                if not pid:
                    self.become(fds, *question)
                    return True
                copied = True
                pidfd = os.pidfd_open(pid)
                self.copies[pidfd] = pid, connection
                self.owners[connection] = pidfd
                socket.send_fds(connection, [b"copy %d" % pid], [pidfd])
        except (OSError, ValueError):
            pass  # rule 4
        for fd in fds:
            os.close(fd)
        if not copied:
            connection.close()
        return False

    def become(self, fds, folder, group, limits, *environment):
        """In a copy: it is as if who asked had started it."""
        said, results, lifeline = fds
        try:
            self.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
            fcntl.fcntl(lifeline, fcntl.F_SETSIG, signal.SIGKILL)
            fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)
            if os.getppid() != self.pid or select.select([lifeline], [], [], 0)[0]:
                os._exit(127)  # one of them died before we asked to be killed
            os.setpgid(0, int(group))
            self.door.close()
            for pidfd, (_, connection) in self.copies.items():
                os.close(pidfd)
                connection.close()
            os.dup2(said, 1)
            os.dup2(said, 2)
            os.dup2(results, RESULTS)
            os.close(said)
            os.close(results)
            for limit in limits.split(b","):
                which, now, most = map(int, limit.split(b":"))
                resource.setrlimit(which, (now, most))
            for name in list(os.environb):
                del os.environb[name]
            for one in environment:
                name, _, value = one.partition(b"=")
                os.environb[name] = value
            os.chdir(folder)
        except BaseException:
            os._exit(127)
