#!/usr/bin/python3
"""serve_test.py - xstep serve: scripted sessions of gdb and lldb give the same transcript as with
gdbserver and lldb-server, apart from the lines listed here; and what becomes of the program."""
import contextlib
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e
from witness_test import using

GDB_SETUP = ("set pagination off", "set confirm off", "set width 0", "set style enabled off",
             "set sysroot /", "set debuginfod enabled off", "set can-use-hw-watchpoints 0")
GDB_SESSION = (
    "break scaled", "continue", "backtrace", "info registers rip cs", "print value", "print scale",
    "up", "print i", "down", "finish", "next", "step", "stepi", "x/2i $pc", "watch sink", "continue",
    "delete", "print sink = 5", "print sink", "print scaled(1, 2)", "print $rax = 7", "info sharedlibrary",
    "tbreak halves", "continue", "info locals", "info threads", "continue")
LLDB_SESSION = (
    "breakpoint set --name scaled", "continue", "bt", "frame variable", "register read rip rbx",
    "finish", "next", "step", "stepi", "disassemble --count 2 --pc", "expression sink = 5", "expression sink",
    "breakpoint delete --force", "breakpoint set --one-shot true --name halves", "continue", "frame variable",
    "thread list", "continue")
# What differs, and why: numbers of processes, addresses of the stack (xstep gives the program another
# environment), the name of the connection; what the program prints, "10 3", which lldb-server passes on to
# lldb and xstep, as gdbserver, writes where it is told to.
VARYING = ((r"process \d+|Process \d+|Thread \d+(\.\d+)?|Remote target|tid = \d+|0x0*7ff[0-9a-f]{9}",
            "VARYING"),
           (r", name = '[^']*'", ""), (r"  +", " "),
           # Before its first instruction: lldb-server says SIGSTOP, gdbserver and xstep SIGTRAP.
           (r"reason = signal SIG(STOP|TRAP)", "reason = signal VARYING"))


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def normal(text):
    """The lines of a transcript without what varies."""
    for pattern, words in VARYING:
        text = re.sub(pattern, words, text)
    return [line.rstrip() for line in text.splitlines() if line.strip()]


class Server:
    """A server and where it listens."""

    def __init__(self, command, address):
        self.address = address
        self.process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                        preexec_fn=e2e.leave_nothing)

    def __enter__(self):
        e2e.wait_until(self.listens, self.process)
        return self

    def listens(self):
        """Whether it does; connecting would be the one connection."""
        if self.address.startswith("/"):  # bound, and ready: the flag of a socket that accepts
            with open("/proc/net/unix") as table:
                return any(line.endswith(f" {self.address}\n") and line.split()[3] == "00010000"
                           for line in table)
        port = "%04X" % int(self.address.rsplit(":", 1)[1])
        with open("/proc/net/tcp") as table:
            return any(f":{port} 00000000:0000 0A" in line for line in table)

    def __exit__(self, *_):
        try:
            self.said = e2e.communicate(self.process, 60)[0].decode(errors="replace")
        except subprocess.TimeoutExpired as expired:
            self.said = (expired.output or b"").decode(errors="replace")
            self.hung = True


def xstep_server(folder, program, *options):
    path = f"{folder}/socket"
    return Server([e2e.XSTEP, "serve", "--listen", f"unix:{path}", *options, program], path)


def gdb(address, session, program):
    words = ["gdb", "-nx", "-batch"]
    for command in (*GDB_SETUP, f"target remote {address}", *session):
        words += ["-ex", command]
    return e2e.run([*words, program])


def lldb(address, session, program):
    name = next(name for name in ("lldb-15", "lldb") if shutil.which(name))
    url = f"unix-connect://{address}" if address.startswith("/") else f"connect://{address}"
    words = [name, "--no-lldbinit", "--batch", "-o", "settings set use-color false",
             "-o", f"process connect --plugin gdb-remote {url}"]
    for command in session:
        words += ["-o", command]
    return e2e.run([*words, program])


class Transcripts(e2e.TestCase):
    maxDiff = None

    def compare(self, debugger, session, server):
        program = self.own(e2e.compile("diff_demo.c", e2e.GCC, ("-g", "-O1")))
        address = f"127.0.0.1:{free_port()}"
        with tempfile.TemporaryDirectory() as folder:
            with xstep_server(folder, program) as ours:
                mine = debugger(ours.address, session, program)
            with Server(server(address, program), address) as other:
                theirs = debugger(other.address, session, program)
        self.assertEqual(using(program), [])
        mine, theirs = ([line for line in normal(result.stdout) if "connect" not in line and line != "10 3"]
                        for result in (mine, theirs))
        self.assertEqual(mine, theirs)
        return mine, ours.said

    @e2e.unittest.skipUnless(shutil.which("gdb") and shutil.which("gdbserver"), "needs gdb and gdbserver")
    def test_gdb(self):
        told, said = self.compare(gdb, GDB_SESSION, lambda address, program: (
            "setarch", "-R", "gdbserver", "--once", address, program))
        self.assertTrue(any("exited normally" in line for line in told), told)
        self.assertFalse(any("warning" in line.lower() for line in told), told)
        self.assertIn("exited with status 0", said)

    @e2e.unittest.skipUnless(shutil.which("lldb-15") and shutil.which("lldb-server-15"),
                             "needs lldb 15 and lldb-server")
    def test_lldb(self):
        told, _ = self.compare(lldb, LLDB_SESSION, lambda address, program: (
            "setarch", "-R", "lldb-server-15", "gdbserver", address, "--", program))
        self.assertTrue(any("exited with status = 0" in line for line in told), told)


@e2e.unittest.skipUnless(shutil.which("gdb"), "needs gdb")
class Ends(e2e.TestCase):
    """However a session ends, nothing is left; a detached program runs on to its own end."""

    def session(self, *commands, program=None, options=(), address=None):
        program = self.own(program or e2e.compile("diff_demo.c", e2e.GCC, ("-g", "-O1")))
        with tempfile.TemporaryDirectory() as folder:
            with xstep_server(folder, program, *options) as server:
                result = gdb(server.address, commands, program)
            self.assertFalse(os.path.exists(server.address), "its socket is still there")
        self.assertFalse(hasattr(server, "hung"), server.said)
        self.assertEqual(using(program), [])
        return result, server.said

    @e2e.smoke
    def test_kill(self):
        _, said = self.session("break scaled", "continue", "kill")
        self.assertNotIn("exited", said)

    def test_detach(self):
        _, said = self.session("break scaled", "continue", "detach")
        self.assertIn("exited with status 0", said)

    def test_fatal_signal(self):
        program = e2e.compile("end_fault.c", e2e.GCC, ("-g", "-O1"))
        result, said = self.session("continue", "continue", program=program)
        self.assertIn("SIGSEGV", result.stdout)
        self.assertIn("killed by SIGSEGV", said)

    def test_signals_reach_the_program(self):
        program = e2e.compile("signal_handler.c", e2e.GCC, ("-g", "-O1"))
        result, said = self.session("handle all nostop noprint pass", "break on_signal", "continue",
                                    "backtrace", "delete", "continue", program=program)
        self.assertIn("<signal handler called>", result.stdout)
        self.assertIn("exited with status 11", said)

    def test_interrupt(self):
        program = self.own(e2e.compile("end_loop.c", e2e.GCC, ("-g", "-O0")))
        with tempfile.TemporaryDirectory() as folder:
            with xstep_server(folder, program) as server:
                with socket.socket(socket.AF_UNIX) as client:
                    client.connect(server.address)
                    client.sendall(b"$vCont;c#a8")
                    time.sleep(1)
                    client.sendall(b"\x03")
                    data = b""
                    while b"#" not in data:
                        data += client.recv(65536)
                    self.assertIn(b"$T02", data)
                    client.sendall(b"+$vCont;c#a8")
                    time.sleep(0.5)
                # It went away while the program ran: that ends it.
        self.assertFalse(hasattr(server, "hung"), server.said)
        self.assertEqual(using(program), [])

    def test_cut_off_anywhere(self):
        """A conversation that ends at any byte, or in garbage, ends the program: nothing hangs."""
        program = self.own(e2e.compile("end_loop.c", e2e.GCC, ("-g", "-O0")))
        packets = (b"qSupported:swbreak+", b"QStartNoAckMode", b"g", b"Z0,555555555000,1", b"vCont;s",
                   b"m7ffffffde000,40", b"vCont;c")
        talk = b"+".join(b"$%s#%02x" % (packet, sum(packet) % 256) for packet in packets)
        ends = [(size, b"") for size in range(0, len(talk) + 1, 9)]
        ends += [(len(talk), tail) for tail in (b"\x03" * 50, b"$" * 300000, b"x" * 5000, b"$m0,8#00" * 99)]
        ends += [(len(talk), None)]
        for size, tail in ends:
            with self.subTest(size=size, tail=tail and tail[:4]), tempfile.TemporaryDirectory() as folder:
                with xstep_server(folder, program) as server:
                    with socket.socket(socket.AF_UNIX) as client, \
                            contextlib.suppress(BrokenPipeError, ConnectionResetError):
                        client.connect(server.address)
                        client.sendall(talk[:size])
                        if tail is None:  # garbage while the program runs, and nobody behind it
                            time.sleep(0.5)
                        client.sendall(b"$x" if tail is None else tail)
                self.assertFalse(hasattr(server, "hung"), server.said)
                self.assertNotIn("Sanitizer", server.said)
                self.assertEqual(using(program), [])

    def test_terminated_xstep_leaves_nothing(self):
        program = self.own(e2e.compile("end_loop.c", e2e.GCC, ("-g", "-O0")))
        with tempfile.TemporaryDirectory() as folder:
            with xstep_server(folder, program) as server:
                server.process.send_signal(signal.SIGTERM)
        self.assertFalse(hasattr(server, "hung"), server.said)
        self.assertEqual(using(program), [])

    def test_from_stop_to_stop(self):
        """With --plan continue leads to the next stop, and the process is read-only."""
        program = e2e.compile("demo.c", e2e.GCC, ("-g", "-O1"))
        stops = e2e.stops(e2e.xstep("trace", "--sample", "all", "--limit", 4, "--format", "json", program))
        result, _ = self.session("print/x $pc", "continue", "print/x $pc", "stepi", "print/x $pc",
                                 "set var $rax = 1", program=program, options=("--plan",))
        told = re.findall(r"^\$\d+ = (0x\w+)$", result.stdout, re.M)
        self.assertEqual([int(pc, 16) - int(told[0], 16) for pc in told],
                         [int(stop["pc"], 16) - int(stops[0]["pc"], 16) for stop in stops[:3]])
        self.assertIn("Could not write register", result.stderr)

    def test_several_in_lockstep(self):
        """With --clients all see the same stop; who misbehaves leaves the program to the others."""
        program = self.own(e2e.compile("demo.c", e2e.GCC, ("-g", "-O1")))

        def ask(client, payload):
            client.sendall(b"$%s#%02x" % (payload, sum(payload) % 256))

        def answer(client):
            data = b""
            while not re.search(rb"#..", data):
                data += client.recv(65536)
            with contextlib.suppress(BrokenPipeError):  # after the last word it is closed
                client.sendall(b"+")
            return re.search(rb"\$([^#]*)#", data).group(1)

        with tempfile.TemporaryDirectory() as folder:
            with xstep_server(folder, program, "--plan", "--clients", 2) as server, \
                    socket.socket(socket.AF_UNIX) as one, socket.socket(socket.AF_UNIX) as other:
                both = one, other
                for client in both:
                    client.connect(server.address)
                    client.settimeout(e2e.WAIT_SECONDS)
                for _ in range(3):
                    ask(one, b"vCont;c")
                    one.settimeout(0.3)
                    with self.assertRaises(TimeoutError, msg="the other still looks"):
                        self.drain(one)
                    one.settimeout(e2e.WAIT_SECONDS)
                    ask(other, b"vCont;s")
                    stops = [answer(client) for client in both]
                    self.assertEqual(stops[0], stops[1])
                    self.assertTrue(stops[0].startswith(b"T05"), stops)
                other.sendall(b"x" * 1000)
                ask(one, b"vCont;c")
                self.assertTrue(answer(one).startswith(b"T05"))
                ask(one, b"D")
                self.assertEqual(answer(one), b"OK")
        self.assertFalse(hasattr(server, "hung"), server.said)
        self.assertIn("client 2: it sends what is no packet", server.said)
        self.assertEqual(using(program), [])

    @staticmethod
    def drain(client):
        """Takes acknowledgements until nothing comes: TimeoutError."""
        while client.recv(1) == b"+":
            pass


class Options(e2e.TestCase):
    @e2e.smoke
    def test_bad_ones(self):
        program = e2e.compile("demo.c", e2e.GCC, ("-g", "-O1"))
        self.expect(e2e.xstep("serve"), 2, "no program to run")
        self.expect(e2e.xstep("serve", "--listen", "nowhere", program), 2, "no port")
        self.expect(e2e.xstep("serve", "--listen", "unix:/nonexistent/socket", program), 2,
                    "/nonexistent/socket")
        self.expect(e2e.xstep("serve", "--limit", 3, program), 2, "go with --plan")
        self.expect(e2e.xstep("serve", "--clients", 2, program), 2, "go with --plan")
        self.expect(e2e.xstep("serve", "--plan", "--clients", 65, program), 2, "1 to 64")

    def listening(self, *words):
        """What a server says before it waits; it is then ended."""
        program = self.own(e2e.compile("demo.c", e2e.GCC, ("-g", "-O1")))
        with subprocess.Popen([e2e.XSTEP, "serve", *words, program], stdin=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, preexec_fn=e2e.leave_nothing) as server:
            said = []
            for line in server.stderr:
                said.append(line)
                if "lldb:" in line:
                    break
            server.terminate()
            said = "".join(said) + server.stderr.read()
        self.assertEqual(using(program), [])
        return said

    def test_an_address_of_others_is_warned_of(self):
        said = self.listening("--listen", "0.0.0.0:0")
        self.assertIn("whoever reaches this address", said)
        said = self.listening("--listen", ":0")
        self.assertIn("each user of this machine", said)
        self.assertIn("listening on 127.0.0.1:", said)
        self.assertNotIn("warning", self.listening())


class Private(e2e.TestCase):
    """Without an address nobody else can connect; and nobody reads what symbols are not loaded from."""

    def serve(self, program, *words):
        """A server, what it says, and where it listens."""
        server = subprocess.Popen([e2e.XSTEP, "serve", *words, program], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                  preexec_fn=e2e.leave_nothing)
        self.addCleanup(server.stderr.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        said = "".join(server.stderr.readline() for _ in range(3))
        return server, said, re.search(r"listening on (\S+)", said).group(1)

    @e2e.smoke
    def test_the_socket_is_the_users_and_goes(self):
        program = self.own(e2e.compile("demo.c", e2e.GCC, ("-g", "-O1")))
        for debugger, name in (("gdb", "gdb"), ("lldb", "lldb-15")):
            if not shutil.which(name):
                continue
            with self.subTest(debugger):
                server, said, path = self.serve(program)
                self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
                self.assertEqual(os.stat(os.path.dirname(path)).st_mode & 0o777, 0o700)
                typed = re.search(rf"^xstep:   {debugger}: (.*)$", said, re.M).group(1)
                words = [name, "-nx", "-batch", "-ex", "set debuginfod enabled off", "-ex", typed, "-ex",
                         "kill"] if debugger == "gdb" else \
                    [name, "--no-lldbinit", "--batch", "-o", typed, "-o", "process kill"]
                result = e2e.run([*words, program])
                self.assertIn("_start", result.stdout + result.stderr)
                server.wait(e2e.WAIT_SECONDS)
                self.assertFalse(os.path.exists(os.path.dirname(path)))
        self.assertEqual(using(program), [])

    def ask(self, client, payload):
        """The answer of the server to a packet."""
        client.sendall(b"$%s#%02x" % (payload, sum(payload) % 256))
        data = b""
        while not re.search(rb"#..", data):
            data += client.recv(65536)
        client.sendall(b"+")
        return re.search(rb"\$(.*)#..", data, re.S).group(1)

    def opens(self, client, path, flags=0):
        """Whether the server lets a client read a file; if so, it has what is in it."""
        told = self.ask(client, b"vFile:open:%s,%x,0" % (os.fsencode(path).hex().encode(), flags))
        if told.startswith(b"F-1"):
            self.assertEqual(told, b"F-1,d", path)
            return False
        number = told[1:]
        self.assertNotIn(b"F-1", self.ask(client, b"vFile:pread:%s,10,0" % number), path)
        self.ask(client, b"vFile:close:%s" % number)
        return True

    def test_files(self):
        """By what they are, and not by what they are called."""
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        source = e2e.subject("demo.c")
        program, split = folder / "demo", folder / "split"
        for words in ((e2e.GCC, "-g", "-Wl,--build-id", "-o", program, source),
                      ("cp", program, folder / "second"),
                      ("objcopy", "--only-keep-debug", program, folder / "by_id.debug"),
                      (e2e.GCC, "-g", "-Wl,--build-id=none", "-o", split, "-gsplit-dwarf", source),
                      ("objcopy", "--only-keep-debug", split, folder / "by_crc.debug"),
                      ("objcopy", "--strip-debug", f"--add-gnu-debuglink={folder}/by_crc.debug", split,
                       folder / "stripped"),
                      (e2e.GCC, "-g", "-O2", "-Wl,--build-id", "-o", folder / "other", source)):
            self.expect(e2e.run(words, cwd=folder))
        names = {"dwo": next(folder.glob("*.dwo")).name}
        if shutil.which("dwz"):
            self.expect(e2e.run(["dwz", "-m", "alt", "-h", "demo", "second"], cwd=folder))
            names["dwz"] = "alt"
        if shutil.which("dwp") and not e2e.run(["dwp", "-e", "split", "-o", "split.dwp"],
                                               cwd=folder).returncode:
            names["dwp"] = "split.dwp"
        (folder / "notes").write_text("private\n")
        (folder / "link.debug").symlink_to("notes")
        (folder / "demo.debug").symlink_to("/etc/passwd")
        (folder / "to_demo").symlink_to("demo")
        os.mkfifo(folder / "fifo")
        always = ["notes", "link.debug", "demo.debug", "fifo", "other", ".", "../../etc/passwd", "/etc/passwd",
                  "/dev/zero", "/proc/self/environ", "/proc/self/maps", "/proc/PID/environ", "/proc/PID/mem",
                  "/proc/PID/root/etc/passwd", "/proc/PID/task/PID/environ", "missing"]
        loaded = ["/lib64/ld-linux-x86-64.so.2", "/proc/PID/exe", "/proc/PID/maps", "/proc/PID/cmdline"]
        for subject, served, refused in (
                ("demo", ["demo", "./x/../demo", "to_demo", "by_id.debug",
                          *(names[kind] for kind in ("dwz",) if kind in names)], [names["dwo"], "stripped"]),
                ("split", ["split", *(names[kind] for kind in ("dwo", "dwp") if kind in names)],
                 ["by_id.debug", "demo", "alt"]),
                ("stripped", ["stripped", "by_crc.debug", names["dwo"]], ["by_id.debug", "demo"])):
            (folder / "x").mkdir(exist_ok=True)
            for options in ((), ("--any-file",)):
                server, _, address = self.serve(folder / subject, *options)
                with socket.socket(socket.AF_UNIX) as client:
                    client.settimeout(e2e.WAIT_SECONDS)
                    client.connect(address)
                    pid = str(int(self.ask(client, b"qC")[2:], 16))
                    where = lambda name: os.path.join(folder, name.replace("PID", pid))
                    for name in served + loaded:
                        self.assertTrue(self.opens(client, where(name)), f"{subject} {name} {options}")
                        self.assertFalse(self.opens(client, where(name), 1), f"{name}: for writing")
                    if options:
                        self.assertTrue(self.opens(client, where("notes")))
                        continue
                    for name in always + refused:
                        self.assertFalse(self.opens(client, where(name)), f"{subject} {name}")
                    for link, allowed in (("/proc/PID/exe", True), ("to_demo", False), ("/proc/self/cwd", False)):
                        told = self.ask(client, b"vFile:readlink:%s" % where(link).encode().hex().encode())
                        self.assertEqual(not told.startswith(b"F-1"), allowed, link)
                    for packet in (b"vFile:unlink:" + where("notes").encode().hex().encode(),
                                   b"vFile:pwrite:0,0,x"):
                        self.assertEqual(self.ask(client, packet), b"")
                server.wait(e2e.WAIT_SECONDS)
                self.assertEqual("(--any-file)" in server.stderr.read(), not options)
        self.assertEqual((folder / "notes").read_text(), "private\n")


if __name__ == "__main__":
    e2e.main()
