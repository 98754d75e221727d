#!/usr/bin/python3
"""shared_test.py - one process, several witnesses: xstep trace and diff with --drive shared, end to end,
with the real debuggers and with some that misbehave."""
import json
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import compare_drive
import e2e
from witness_test import needs_debuggers, script, using

# A gdb that answers when it is probed. Else it connects to the process, `to` being the socket, and does
# as it is told.
FAKE = """#!/usr/bin/python3
import json, os, socket, sys, time
if sys.argv[1:] == ["--version"]:
    sys.exit(print("GNU gdb 1.0"))
if any("probe" in word for word in sys.argv):
    sys.exit(print("xstep-probe 3.11.2"))
job = json.load(open(os.environ["XSTEP_JOB"]))
to = socket.socket(socket.AF_UNIX)
to.connect(job["connect"])
def tell(**line):
    os.write(3, (json.dumps(line) + "\\n").encode())
def packet(text):
    to.sendall(b"$%%s#%%02x" %% (text, sum(text) %% 256))
def answer():
    data = b""
    while b"#" not in data:
        more = to.recv(65536)
        if not more:
            raise EOFError
        data += more
    return data
tell(kind="header", witness="gdb", version="1.0", python="3", protocol=2)
packet(b"QStartNoAckMode"); answer(); to.sendall(b"+")
packet(b"vCont;s"); answer()
%s
"""


def told(result):
    """{witness: [stop]} and the troubles of what `trace --format json` printed."""
    stops, troubles, current = {}, {}, None
    for line in map(json.loads, result.stdout.splitlines()):
        if "trouble" in line:
            troubles[line["witness"]] = line["trouble"]
        elif "witness" in line:
            current = stops.setdefault(line["witness"], [])
        else:
            current.append(line)
    return stops, troubles


class Facts(e2e.TestCase):
    """What debuggers say of xstep's process."""

    @needs_debuggers
    def test_the_same_as_of_their_own(self):
        for source, compiler, level in (("diff_demo.c", e2e.GCC, "-O2"),
                                        ("vars_change.c", e2e.CLANG, "-O1")):
            with self.subTest(f"{source} {compiler} {level}"):
                program = e2e.compile(source, compiler, ("-g", level))
                _, opened = compare_drive.compare(program, ())
                self.assertEqual(opened, [])

    @needs_debuggers
    def test_all_are_at_the_same_stops(self):
        """Where lldb by itself would step over a branch to itself, too."""
        for source in ("insn_branch.c", "insn_rep.c", "leave_callback.c"):
            for sample in ("all", "unique", "dtd"):
                with self.subTest(f"{source} {sample}"):
                    program = e2e.compile(source, e2e.GCC, ("-g", "-O1"))
                    result = self.expect(e2e.xstep(
                        "trace", "--witness", "xstep,gdb,lldb", "--drive", "shared", "--sample", sample,
                        "--limit", 300, "--format", "json", program))
                    stops, _ = told(result)
                    identity = {who: [(stop["stop"], stop["prev"], stop["pc"], stop["n"])
                                      for stop in some] for who, some in stops.items()}
                    self.assertTrue(identity["xstep"])
                    self.assertEqual(identity["gdb"], identity["xstep"])
                    self.assertEqual(identity["lldb"], identity["xstep"])

    @needs_debuggers
    def test_each_transition_once(self):
        """The code cache changes the code that is run: nobody sees that. With a limit there is none."""
        program = e2e.compile("insn_branch.c", e2e.GCC, ("-g", "-O0"))
        said = []
        for options in (), ("--limit", 10 ** 9):
            result = self.expect(e2e.xstep("trace", "--witness", "xstep,gdb,lldb", "--drive", "shared",
                                           "--sample", "unique", "--vars", "all", *options,
                                           "--frames", "--regs", "--format", "json", program))
            stops, _ = told(result)
            said.append({who: {(stop["prev"], stop["pc"]): (stop["shown"], stop["frames"])
                               for stop in stops[who]} for who in ("gdb", "lldb")})
        self.assertEqual(*said)

    @needs_debuggers
    def test_nobody_changes_the_process(self):
        """Registers and all writable memory are the same before and after the debuggers have looked."""
        for source, mode in (("diff_demo.c", "exact"), ("insn_branch.c", "unique")):
            with self.subTest(f"{source} {mode}"):
                program = e2e.compile(source, e2e.GCC, ("-g", "-O2"))
                result = self.expect(e2e.xstep(
                    "trace", "--witness", "xstep,gdb,lldb", "--drive", "shared", "--mode", mode,
                    "--vars", "all", "--frames", "--regs", "--format", "json", program,
                    env={**os.environ, "XSTEP_LOG": "oracle:debug"}))
                prints = {}
                for line in result.stderr.splitlines():
                    if " the witnesses: " in line:
                        words = line.split()
                        prints.setdefault(words[words.index("stop") + 1], {})[words[-4]] = words[-1]
                stops, _ = told(result)
                self.assertEqual(len(prints), len(stops["xstep"]))
                self.assertGreater(len({seen["before"] for seen in prints.values()}), 3)
                for stop, seen in prints.items():
                    self.assertEqual(seen["before"], seen["after"], f"stop {stop}")

    @needs_debuggers
    def test_a_gdb_that_forgets_says_what_one_says_that_steps(self):
        """With --ask all gdb steps to each stop. Otherwise it steps once, and from then on forgets what it
        has read: registers, memory and inlined calls that begin at a stop are those of the stop."""
        for source, compiler in ("dtd/11_empty_range.c", e2e.CLANG), ("insn_branch.c", e2e.GCC):
            program = e2e.compile(source, compiler, ("-g", "-O2"))
            said, steps = [], []
            for how in "needed", "all":
                result = self.expect(e2e.xstep(
                    "trace", "--witness", "xstep,gdb", "--drive", "shared", "--ask", how, "--vars", "all",
                    "--frames", "--regs", "--format", "json", "--limit", 400, program,
                    env={**os.environ, "XSTEP_LOG": "engine:debug"}))
                said.append(result.stdout)
                steps.append(result.stderr.count(": vCont;s"))
            stops, _ = told(result)
            self.assertEqual(*said)
            self.assertEqual(steps[1], len(stops["gdb"]))
            self.assertLessEqual(steps[0], 1)
            self.assertGreater(steps[1], 5)

    @needs_debuggers
    def test_unchanged_memory_is_not_read_again(self):
        """Which bytes have changed the drivers see by themselves: globals that nobody writes are read through
        the protocol once, and not at each stop."""
        with tempfile.TemporaryDirectory() as folder:
            source, program = pathlib.Path(folder) / "still.c", pathlib.Path(folder) / "still"
            source.write_text("".join(f"int still{n}[2000] = {{{n}}};\n" for n in range(8))
                              + "int main(void)\n{\n\tint sum = 0;\n\tfor (int i = 0; i < 40; i++)\n"
                                "\t\tsum += i;\n\treturn sum & 1;\n}\n")
            self.expect(e2e.run([e2e.GCC, "-g", "-O0", "-o", program, source]))
            result = self.expect(e2e.xstep("trace", "--witness", "xstep,gdb,lldb", "--sample", "all",
                                           "--vars", "all", "--format", "json", program,
                                           env={**os.environ, "XSTEP_LOG": "engine:debug"}))
        stops, _ = told(result)
        self.assertGreater(len(stops["gdb"]), 150)
        reads = {}
        for line in result.stderr.splitlines():
            if match := re.search(r"rsp (\d+): [mx][0-9a-f]+,", line):
                reads[match.group(1)] = reads.get(match.group(1), 0) + 1
        self.assertEqual(len(reads), 2)
        for who, count in reads.items():
            self.assertLess(count, 2 * len(stops["gdb"]) + 100, who)

    @e2e.smoke
    @needs_debuggers
    def test_into_a_store(self):
        program = e2e.compile("demo.c", e2e.GCC, ("-g", "-O1"))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "trace.db"
            self.expect(e2e.xstep("trace", "--witness", "xstep,gdb,lldb", "-o", path, program))
            with sqlite3.connect(path) as store:
                rows = store.execute("SELECT witness, mode, complete, trouble FROM trace").fetchall()
            self.assertEqual(rows, [("xstep", "exact", 1, None), ("gdb", "shared", 1, None),
                                    ("lldb", "shared", 1, None)])

    @needs_debuggers
    def test_input_may_be_a_pipe(self):
        """There is one process that reads it."""
        program = e2e.compile("stdin_copy.c", e2e.GCC, ("-g", "-O1"))
        read, write = os.pipe()
        os.write(write, b"abc\n")
        os.close(write)
        result = self.expect(e2e.xstep("trace", "--witness", "xstep,gdb", "--drive", "shared", "--format",
                                       "none", program, stdin=read))
        os.close(read)
        self.assertIn("abc", result.stderr)


class Options(e2e.TestCase):
    @e2e.smoke
    def test_what_shared_drive_does_not_go_with(self):
        program = e2e.compile("demo.c", e2e.GCC, ("-g", "-O1"))
        for options, says in ((("--level", "line"), "--level instruction only"),
                              (("--plan",), "neither --plan"),
                              (("--sample", "none"), "--sample none")):
            self.expect(e2e.xstep("trace", "--witness", "xstep,gdb", "--drive", "shared", *options,
                                  program), 2, says)
        self.expect(e2e.xstep("trace", "--witness", "gdb", "--drive", "shared", program), 2,
                    "--witness xstep,...")


class Trouble(e2e.TestCase):
    """A debugger that misbehaves is dropped, and the others go on."""

    def misbehave(self, last, *options):
        """What comes of a gdb that looks at the first stop and then does that."""
        program = self.own(e2e.compile("demo.c", e2e.GCC, ("-g", "-O1")))
        whole, _ = told(e2e.xstep("trace", "--witness", "xstep", "--format", "json", program))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "gdb"
            path.write_text(FAKE % last)
            path.chmod(0o755)
            result = e2e.xstep("trace", "--witness", "xstep,gdb", "--gdb", path, "--drive", "shared",
                               "--format", "json", "--patience", 3, *options, program)
            self.assertEqual(using(path), [], "it is still there")
        self.assertEqual(using(program), [], "the program is still there")
        self.expect(result, 2)
        stops, troubles = told(result)
        self.assertEqual(len(stops["xstep"]), len(whole["xstep"]))
        return troubles["gdb"]

    def test_death(self):
        self.assertIn("killed by SIGSEGV", self.misbehave("os.kill(os.getpid(), 11)"))

    def test_a_closed_connection(self):
        self.assertIn("the connection has ended", self.misbehave("to.close(); time.sleep(1000)"))

    def test_silence(self):
        self.assertIn("no sign of life for 3 s", self.misbehave("time.sleep(1000)"))

    def test_garbage(self):
        self.assertIn("no packet of the protocol", self.misbehave(
            "to.sendall(b'nonsense' * 1000); time.sleep(1000)"))

    def test_damaged_packets(self):
        self.assertIn("no packet of the protocol", self.misbehave(
            "while True: to.sendall(b'$m0,8#00')"))

    def test_questions_without_end(self):
        self.assertIn("asks without end", self.misbehave("while True: packet(b'g'); answer()",
                                                         "--patience", 0.3))

    def test_answers_that_nobody_reads(self):
        self.assertIn("does not read", self.misbehave(
            "while True: packet(b'qXfer:features:read:target.xml:0,fffff')"))

    @needs_debuggers
    def test_one_that_cannot_connect_is_asked_natively(self):
        real = shutil.which("gdb")
        program = e2e.compile("demo.c", e2e.GCC, ("-g", "-O1"))
        with tempfile.TemporaryDirectory() as folder:
            path = script(folder, "gdb", 'if [ -n "$XSTEP_JOB" ] && grep -q \'"connect"\' "$XSTEP_JOB"; '
                          f'then exit 3; fi\nexec {real} "$@"')
            result = self.expect(e2e.xstep("trace", "--witness", "xstep,gdb", "--gdb", path,
                                           "--format", "json", program),
                                 says="it is asked with --drive native")
        stops, _ = told(result)
        self.assertEqual([stop["pc"] for stop in stops["gdb"]],
                         [stop["pc"] for stop in stops["xstep"]])

    @needs_debuggers
    def test_an_interrupt_leaves_nothing(self):
        program = self.own(e2e.compile("end_loop.c", e2e.GCC, ("-g", "-O1")))
        process = subprocess.Popen([e2e.XSTEP, "trace", "--witness", "xstep,gdb,lldb", "--drive", "shared",
                                    "--sample", "all", "--vars", "all", "--format", "none", str(program)],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, preexec_fn=e2e.leave_nothing)
        e2e.wait_until(lambda: e2e.catches(process.pid, signal.SIGINT) and using(program), process)
        time.sleep(2)  # anywhere in the work of the debuggers
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(e2e.WAIT_SECONDS), -signal.SIGINT)
        self.assertEqual(using(program), [])

    @needs_debuggers
    def test_a_timeout_ends_all(self):
        program = self.own(e2e.compile("end_loop.c", e2e.GCC, ("-g", "-O1")))
        result = e2e.xstep("trace", "--witness", "xstep,gdb", "--drive", "shared", "--timeout", 3,
                           "--sample", "all", "--format", "none", program)
        self.assertIn("ended by --timeout", result.stderr)
        self.assertEqual(using(program), [])


if __name__ == "__main__":
    e2e.main()
