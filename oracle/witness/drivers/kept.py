"""kept.py - a debugger that is kept: it has read its driver, has not seen any program, and makes a copy of
itself for each program that it is asked about.

    who keeps it        starts it with XSTEP_KEPT_AS in its environment, and sends it a socket to listen at
    who asks            connects there and sends what would otherwise have started a debugger
    the copy            is a fork: it is in the state of a debugger that was just started

Rules:
1. It forks only while nothing else goes on in it: a fork has only the calling thread.
2. A copy belongs to who asked for it: it is of that process's group, has its limits, its environment and
   its folder, and dies with it: the kernel kills it when the other end of its lifeline is closed.
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
import resource
import select
import signal
import socket
import time

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


class Kept:
    """The kept debugger, waiting for questions."""

    def __init__(self, alone):
        """alone: it forks only while it has no other thread; else it does while the others sleep."""
        self.alone, self.pid = alone, os.getpid()
        self.who = os.environb[b"XSTEP_KEPT_AS"]
        self.copies = {}  # pidfd -> (pid, connection)
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
            ready, _, _ = select.select([self.door, *self.copies], [], [])
            for one in ready:
                if one is not self.door:
                    self.bury(one)
            if self.door in ready and self.take_question():
                return

    def bury(self, pidfd):
        """A copy has ended: tells whose it was."""
        pid, connection = self.copies.pop(pidfd)
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
            others = threads()
            if not others or not self.alone and all(state == "S" for state in others):
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
