#!/usr/bin/python3
"""witness_test.py - xstep witness and xstep trace --witness, end to end, with the real debuggers."""
import itertools
import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import compare_vars
import compare_witness
import e2e

HAVE = [json.loads(line) for line in e2e.xstep("witness", "--json").stdout.splitlines()]
WORKING = [who["witness"] for who in HAVE if who["path"] and not who["problem"]]
needs_debuggers = e2e.unittest.skipUnless({"gdb", "lldb"} <= set(WORKING),
                                          "needs gdb and lldb with Python")


def script(folder, name, text):
    """An executable that pretends to be a debugger."""
    path = pathlib.Path(folder) / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def using(path):
    """Processes that have path on their command line, zombies aside."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
            state = (entry / "stat").read_text(errors="replace").rsplit(")", 1)[1].split()[0]
        except OSError:
            continue
        if state != "Z" and int(entry.name) != os.getpid() and str(path) in words:
            found.append(int(entry.name))
    return found


def is_held(path):
    """Whether a debugger has stopped the program some times: before the first stop after exec it has not asked
    for the program to die with it."""
    for pid in using(path):
        try:
            status = pathlib.Path(f"/proc/{pid}/status").read_text(errors="replace")
        except OSError:
            continue
        fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
        if int(fields["TracerPid"]) and int(fields["voluntary_ctxt_switches"]) > 10:
            return True
    return False


class List(e2e.TestCase):
    @e2e.smoke
    def test_nothing_on_path_says_what_to_install(self):
        with tempfile.TemporaryDirectory() as folder:
            result = e2e.xstep("witness", env={"PATH": folder})
            self.expect(result, 1)
            self.assertIn("gdb     not found: apt-get install gdb", result.stdout)
            self.assertIn("lldb    not found: apt-get install lldb-15 python3-lldb-15",
                          result.stdout)

    def test_each_program_once_and_the_newest_first(self):
        with tempfile.TemporaryDirectory() as folder:
            for number in (9, 14, 19):
                script(folder, f"lldb-{number}", f"echo lldb version {number}.0")
            (pathlib.Path(folder) / "lldb-20").symlink_to("lldb-19")
            script(folder, "lldb-server-19", "echo lldb version 0")
            result = e2e.xstep("witness", "--json", env={"PATH": folder})
            found = [json.loads(line) for line in result.stdout.splitlines()]
            names = [who["version"] for who in found if who["witness"] == "lldb"]
            self.assertEqual(names, ["lldb version 19.0", "lldb version 14.0", "lldb version 9.0"])
            self.assertTrue(all("apt-get install python3-lldb-" in who["problem"]
                                for who in found if who["witness"] == "lldb"), found)


    @e2e.smoke
    def test_all_has_compilers_and_what_is_not_there(self):
        with tempfile.TemporaryDirectory() as folder:
            script(folder, "gcc-11", "echo gcc-11 11.3.0")
            script(folder, "clang-19", "echo clang version 19.1.7")
            script(folder, "clang-16", "exit 3")
            result = e2e.xstep("witness", "--all", env={"PATH": folder})
            self.expect(result, 1)  # for there is no debugger
            self.assertIn(f"gcc     {folder}/gcc-11  gcc-11 11.3.0\n", result.stdout)
            self.assertIn("clang-16: does not say its version", result.stdout)
            self.assertIn("not here: apt-get install gcc-12 clang-13 clang-14 clang-15 gdb lldb-13", result.stdout)
            result = e2e.xstep("witness", "--all", "--json", env={"PATH": folder})
            told = [json.loads(line) for line in result.stdout.splitlines()]
            self.assertEqual([one["compiler"] for one in told if "compiler" in one],
                             ["gcc-11", "clang-16", "clang-19"])
            missing = [one["missing"] for one in told if "missing" in one]
            self.assertIn("gdb", missing)
            self.assertNotIn("clang-19", missing)


class Probed(e2e.TestCase):
    """Debuggers are probed once, until something about them changes."""

    def version(self, **environment):
        result = e2e.xstep("trace", "--witness", "gdb", "--limit", 1, "--format", "json",
                           e2e.compile("demo.c"), env={**os.environ, **environment})
        self.expect(result, 0)
        return next(line["version"] for line in e2e.stops(result) if "witness" in line)

    def test_what_was_found_out_is_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "xstep/debuggers.json"
            real = self.version(XDG_CACHE_HOME=folder)
            file.write_text(file.read_text().replace(real, "GNU gdb of yesterday 1"))
            self.assertEqual(self.version(XDG_CACHE_HOME=folder), "GNU gdb of yesterday 1")
            # Where its Python is found may be another matter with another PATH.
            path = os.environ["PATH"] + ":/nowhere"
            self.assertEqual(self.version(XDG_CACHE_HOME=folder, PATH=path), real)
            self.assertEqual(self.version(XDG_CACHE_HOME=folder), "GNU gdb of yesterday 1")
            # `xstep witness` looks for itself, and what it finds counts.
            e2e.xstep("witness", env={**os.environ, "XDG_CACHE_HOME": folder})
            self.assertEqual(self.version(XDG_CACHE_HOME=folder), real)
            self.assertEqual(os.listdir(file.parent), [file.name])

    def test_a_cache_that_cannot_be_used_is_none(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "xstep/debuggers.json"
            file.parent.mkdir()
            file.write_text("{")
            self.assertIn("gdb", self.version(XDG_CACHE_HOME=folder))
            (pathlib.Path(folder) / "file").write_text("")
            self.assertIn("gdb", self.version(XDG_CACHE_HOME=f"{folder}/file"))

    def test_scripts_are_probed_each_time(self):
        with tempfile.TemporaryDirectory() as folder:
            path = script(folder, "gdb", 'exec gdb "$@"')
            for _ in range(2):
                e2e.xstep("trace", "--witness", f"gdb@{path}", "--limit", 1, "--format", "json",
                          e2e.compile("demo.c"), env={**os.environ, "XDG_CACHE_HOME": folder})
            self.assertFalse((pathlib.Path(folder) / "xstep/debuggers.json").exists())


class Trouble(e2e.TestCase):
    """What befalls a debugger is reported; the others are asked all the same."""

    def setUp(self):
        self.program = e2e.compile("demo.c")

    def ask(self, path, *options, status=2):
        result = e2e.xstep("trace", "--witness", f"gdb@{path},xstep", "--format", "json",
                           *options, self.program)
        self.expect(result, status)
        lines = e2e.stops(result)
        self.assertTrue(any(line.get("stop") == 1 for line in lines), "xstep was not asked")
        return next(line["trouble"] for line in lines if "trouble" in line)

    def test_not_there(self):
        self.assertIn("/nonexistent/gdb", self.ask("/nonexistent/gdb"))

    def test_no_python(self):
        with tempfile.TemporaryDirectory() as folder:
            path = script(folder, "gdb", '[ "$1" = --version ] && echo GNU gdb 1.0')
            self.assertIn("its Python does not work", self.ask(path))

    def broken(self, folder, last):
        """A gdb that answers when it is probed, and then does as it is told."""
        return script(folder, "gdb", 'case "$*" in\n--version) echo GNU gdb 1.0;;\n'
                      "*probe*) echo xstep-probe 3.11.2;;\n*) " + last + ";;\nesac")

    def test_crash_with_its_last_words(self):
        with tempfile.TemporaryDirectory() as folder:
            path = self.broken(folder, "echo 'utils.c:1: internal-error: gone'; kill -SEGV $$")
            trouble = self.ask(path)
            self.assertIn("killed by SIGSEGV", trouble)
            self.assertIn("internal-error: gone", trouble)
            self.assertIn("last command: none", trouble)

    def test_hang_is_ended_with_all_that_it_started(self):
        with tempfile.TemporaryDirectory() as folder:
            mark = script(folder, "sleeper", "exec sleep 1000 # $0")
            shutil.copy(shutil.which("sleep"), mark)
            path = self.broken(folder, f"setsid {mark} 1000 & {mark} 1000")
            trouble = self.ask(path, "--patience", 2)
            self.assertIn("no sign of life for 2 s; last command: none", trouble)
            self.assertEqual(using(mark), [])

    @needs_debuggers
    def test_a_name_is_looked_for_on_path(self):
        with tempfile.TemporaryDirectory() as folder:
            there = next(who["path"] for who in HAVE if who["witness"] == "gdb" and not who["problem"])
            (pathlib.Path(folder) / "our-gdb").symlink_to(there)
            self.expect(e2e.xstep("trace", "--witness", "gdb@our-gdb", "--limit", 1, self.program,
                                  env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}))

    def test_what_is_no_testimony(self):
        with tempfile.TemporaryDirectory() as folder:
            path = self.broken(folder, "echo nonsense >&3")
            result = e2e.xstep("trace", "--witness", f"gdb@{path}", self.program)
            self.expect(result, 2, "its driver wrote what is not a line of a testimony")

    @needs_debuggers
    def test_a_machine_with_one_debugger_or_none(self):
        """Whoever is there testifies; of the others it is said what to install."""
        for there in (("gdb",), ("lldb",), ()):
            with self.subTest(there), tempfile.TemporaryDirectory() as folder:
                for name in there:
                    path = pathlib.Path(next(who["path"] for who in HAVE if who["witness"] == name
                                             and not who["problem"]))
                    (pathlib.Path(folder) / path.name).symlink_to(path)
                for command in (("trace", "--witness", "xstep,gdb,lldb", "--vars", "all"),
                                ("diff", "--witness", "xstep,gdb,lldb")):
                    result = e2e.xstep(*command, "--format", "json", self.program,
                                       env={**os.environ, "PATH": folder})
                    self.expect(result, 2)
                    for name in {"gdb", "lldb"} - set(there):
                        self.assertIn(f"{name}: not found: apt-get install", result.stderr)
                    if command[0] == "trace":
                        lines = e2e.stops(result)
                        who = [line["witness"] for line in lines if "version" in line]
                        self.assertEqual(who, ["xstep", "gdb", "lldb"])
                        told = sum(line.get("stop") == 1 for line in lines)
                        self.assertEqual(told, 1 + len(there))
                    elif there:
                        found = json.loads(result.stdout)
                        self.assertEqual([who["witness"] for who in found["witnesses"]],
                                         ["xstep", *there])

    @e2e.smoke
    def test_unknown_witness(self):
        self.expect(e2e.xstep("trace", "--witness", "dbx", self.program), 2,
                    "'dbx' is none of xstep, gdb, lldb")

    @needs_debuggers
    def test_killed_xstep_leaves_nothing(self):
        program = self.own(e2e.compile("end_loop.c"))
        for witness in ("gdb", "lldb"):
            for number in (signal.SIGTERM, signal.SIGKILL):
                process = subprocess.Popen(
                    [e2e.XSTEP, "trace", "--witness", witness, "--format", "none", program],
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                    preexec_fn=e2e.leave_nothing)
                e2e.wait_until(lambda: is_held(program), process)
                time.sleep(0.5)  # anywhere in the debugger's work
                process.send_signal(number)
                process.wait()
                e2e.wait_until(lambda: not using(program))
                self.assertEqual(using(program), [], f"{witness} after {number!r}")


@needs_debuggers
class Testimony(e2e.TestCase):
    """What gdb and lldb say."""

    @e2e.smoke
    def test_every_type_in_the_same_words(self):
        """Canonical texts of all three agree on every leaf of every type, but for what is named."""
        for compiler in (e2e.GCC, e2e.CLANG):
            program = e2e.compile("types_all.c", compiler)
            counts, opened = compare_witness.compare(program, ("gdb", "lldb"), "all")
            self.assertEqual(opened, [], compiler)
            for witness in ("gdb", "lldb"):
                self.assertGreater(counts[f"{witness}: equal leaves"], 100000, compiler)

    def test_walks_are_the_same(self):
        """Callbacks, longjmp, signals, exits, rep: the same transitions with the same counts."""
        for name in ("leave_callback", "leave_longjmp", "leave_tail", "end_exit", "insn_rep",
                     "signal_fault"):
            for compiler, level in ((e2e.GCC, "-O0"), (e2e.CLANG, "-O2")):
                program = e2e.compile(f"{name}.c", compiler, ("-g", level))
                _, ours = compare_witness.trace(program, "xstep")
                for witness in ("gdb", "lldb"):
                    with self.subTest(f"{name} {compiler} {level} {witness}"):
                        _, theirs = compare_witness.trace(program, witness)
                        odd = set(ours.items()) ^ set(theirs.items())
                        if name == "insn_rep" and witness == "lldb":
                            # It steps until the pc changes, and its trace says so.
                            self.assertEqual(odd, {pair for pair in ours.items()
                                                   if pair[0][0] == pair[0][1]})
                        else:
                            self.assertEqual(odd, set())

    def test_output_input_and_arguments(self):
        with tempfile.TemporaryDirectory() as folder:
            text = pathlib.Path(folder) / "in"
            text.write_text("some input\n")
            for witness in ("gdb", "lldb"):
                out = pathlib.Path(folder) / f"{witness}.out"
                program = e2e.compile("stdin_copy.c")
                self.expect(e2e.xstep("trace", "--witness", witness, "--format", "none", "--stdin",
                                      text, "--stdout", out, program), 0)
                self.assertEqual(out.read_text(), "some input\n", witness)

    def test_frames_registers_and_shown_places(self):
        program = e2e.compile("demo.c")
        for witness in ("gdb", "lldb"):
            result = self.expect(e2e.xstep("trace", "--witness", witness, "--frames", "--regs",
                                           "--vars", "locals", "--format", "json", program))
            lines = e2e.stops(result)
            self.assertEqual(lines[0]["witness"], witness)
            stop = next(line for line in lines if line.get("function") == "square")
            self.assertEqual([frame["function"] for frame in stop["frames"]][:2],
                             ["square", "main"])
            self.assertEqual(stop["shown"]["function"], "square")
            self.assertIn("rip", stop["regs"])
            self.assertIn("x", [fact["path"] for fact in stop["vars"]])
            self.assertEqual({fact["scope"] for fact in stop["vars"] if fact["var"] == "x"},
                             {"square"})

    def test_frames_of_inlined_calls_that_begin_together(self):
        """lldb gives the frame around an inlined call the pc where that begins, which other frames may have
        too: what it said of one is not taken for another."""
        program = e2e.compile("inline_start.c", e2e.GCC, ("-g", "-O1"))
        said = {}
        for witness in ("xstep", "gdb", "lldb"):
            result = self.expect(e2e.xstep("trace", "--witness", witness, "--frames", "--sample", "all",
                                           "--format", "json", program))
            said[witness] = [
                [frame["function"] for frame in stop["frames"]][:[
                    frame["function"] for frame in stop["frames"]].index("main")]
                for stop in e2e.stops(result) if stop.get("function") == "leaf"]
        self.assertIn(["leaf", "inner", "outer", "caller"], said["xstep"])
        self.assertIn(["leaf", "outer", "caller"], said["xstep"])
        self.assertEqual(said["gdb"], said["xstep"])
        self.assertEqual(said["lldb"], said["xstep"])

    def test_asking_for_all_tells_the_same(self):
        """Whether a debugger is asked where bytes changed or everywhere: it says the same."""
        for source, compiler, level in (("demo.c", e2e.CLANG, "-O1"), ("vars_bits.c", e2e.GCC, "-O0"),
                                        ("vars_bits.c", e2e.CLANG, "-O2"),
                                        ("vars_change.c", e2e.GCC, "-O2"), ("vars_waiting.c", e2e.GCC, "-O2"),
                                        ("vars_waiting.c", e2e.CLANG, "-O2"),
                                        ("vars_outwards.c", e2e.GCC, "-O2"),
                                        ("vars_outwards.c", e2e.CLANG, "-O2")):
            program = e2e.compile(source, compiler, ("-g", level))
            for witness in ("gdb", "lldb"):
                said = [self.expect(e2e.xstep("trace", "--witness", witness, "--vars", "all", "--frames",
                                              "--sample", "all", "--format", "json", "--ask", how, program))
                        for how in ("needed", "all")]
                self.expect_same_text([(one.rerun, one.stdout) for one in said])

    def test_asking_for_all_tells_the_same_of_generated_programs(self):
        for source in itertools.islice(compare_vars.short_sources(), e2e.some(1, 2)):
            program = e2e.compile(source, e2e.CLANG, ("-g", "-O2", "-I/usr/include/csmith"))
            self.assertEqual(compare_witness.compare_asks(program, ("gdb", "lldb"), "all")[1], [])

    def test_a_plan_tells_the_same(self):
        """Reached by breakpoints or step by step: identical facts at the same stops."""
        for source, compiler, level in (("demo.c", e2e.GCC, "-O0"), ("insn_branch.c", e2e.CLANG, "-O1"),
                                        ("leave_callback.c", e2e.GCC, "-O2"),
                                        ("leave_longjmp.c", e2e.CLANG, "-O0"),
                                        ("signal_fault.c", e2e.GCC, "-O0"),
                                        ("end_exit.c", e2e.CLANG, "-O2"))[e2e.some(3, 0):]:
            program = e2e.compile(source, compiler, ("-g", level))
            for witness in ("gdb", "lldb"):
                with self.subTest(f"{source} {compiler} {level} {witness}"):
                    said = [self.expect(e2e.xstep("trace", "--witness", witness, "--vars", "all",
                                                  "--regs", "--format", "json", *how, program))
                            for how in ((), ("--plan",))]
                    self.expect_same_text([(one.rerun, one.stdout) for one in said])

    def test_a_plan_is_the_way_if_xstep_is_asked(self):
        """Counts are then xstep's word, and said to be; --no-plan has them counted."""
        program = e2e.compile("insn_branch.c", e2e.CLANG, ("-g", "-O1"))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "trace.db"
            counts = pathlib.Path(folder) / "counts"
            for who, how in (("xstep,gdb", ("--drive", "native")), ("xstep,gdb", ("--no-plan",)),
                             ("gdb", ()), ("xstep,gdb", ())):
                self.expect(e2e.xstep("trace", "--witness", who, "-o", path, "--transitions", counts,
                                      *how, program))
                told = [json.loads(line) for line in counts.read_text().splitlines()]
                self.assertEqual(any(line.get("counted_by") == "xstep" for line in told),
                                 who != "gdb" and "--no-plan" not in how)
            with sqlite3.connect(path) as store:
                modes = store.execute("SELECT mode FROM trace WHERE witness = 'gdb'").fetchall()
                self.assertEqual(modes, [("native, planned",), ("native",), ("native",),
                                         ("shared",)])
                counts = [set(store.execute("SELECT prev, pc, count FROM transitions WHERE trace = ?",
                                            (number,))) for number in (1, 2, 4, 5, 7)]
                self.assertTrue(all(one == counts[0] for one in counts))
            self.expect(e2e.xstep("store", "check", path))
        self.expect(e2e.xstep("trace", "--witness", "gdb", "--plan", "--no-plan", program), 2,
                    "--plan and --no-plan: choose one")

    def test_a_plan_that_takes_too_long_is_none(self):
        """What would never end is stepped, until time is up."""
        for seconds in (3, 30, 300):  # however long gdb takes to its first stop
            result = e2e.xstep("trace", "--witness", "gdb", "--plan", "--format", "json", "--sample",
                               "unique", "--timeout", seconds, e2e.compile("end_loop.c"))
            self.assertIn("ended by --timeout", result.stderr)
            told = any("stop" in line for line in e2e.stops(result))
            if told:
                break
        self.assertTrue(told)

    def test_a_plain_script_has_whole_texts(self):
        """What the way of asking is measured against."""
        program = e2e.compile("demo.c")
        for witness, text in (("gdb", "{3, -1, 2}"), ("lldb", "{[0] = 3, [1] = -1, [2] = 2}")):
            result = self.expect(e2e.xstep("trace", "--witness", witness, "--ask", "text", "--vars",
                                           "all", "--format", "json", program))
            texts = [line["texts"] for line in e2e.stops(result) if "stop" in line]
            self.assertIn(text, [told.get("numbers") for told in texts])
        self.expect(e2e.xstep("trace", "--witness", "gdb", "--ask", "text", "-o", "a.db", program), 2,
                    "--ask text is for comparison")

    def test_levels(self):
        """Steps by line and breakpoints on lines stop where a line begins."""
        program = e2e.compile("demo.c")
        for witness in ("gdb", "lldb"):
            for level, least in (("line", 25), ("break", 10)):
                result = self.expect(e2e.xstep("trace", "--witness", witness, "--level", level,
                                               "--sample", "all", "--format", "json", program))
                stops = [line for line in e2e.stops(result) if "stop" in line]
                self.assertGreaterEqual(len(stops), least)
                self.assertLessEqual({19, 20, 21, 22, 23, 24, 25, 26, 10, 15} - {19},
                                     {stop["line"] for stop in stops})
        self.expect(e2e.xstep("trace", "--witness", "gdb", "--level", "line", "--plan", program), 2,
                    "--plan goes with --level instruction only")

    def steps(self, program, witness, level):
        """[(function, line, how many frames there are)] of each stop."""
        result = self.expect(e2e.xstep("trace", "--witness", witness, "--level", level, "--sample",
                                       "all", "--frames", "--format", "json", program))
        return [(stop["function"], stop["line"], len(stop["frames"]))
                for stop in e2e.stops(result) if "stop" in stop]

    @staticmethod
    def once(steps):
        """Without stops that show the line again that is being stepped in that frame: gdb stops there
        behind a call, if another row of the line follows, and xstep does not."""
        left, lines = [], {}
        for step in steps:
            lines = {depth: line for depth, line in lines.items() if depth <= step[2]}
            if lines.get(step[2]) != step[:2]:
                left.append(step)
            lines[step[2]] = step[:2]
        return left

    def test_xstep_steps_by_line_as_gdb_does(self):
        for source in ("step_lines.c", "demo.c", "vars_change.c"):
            for compiler in (e2e.GCC, e2e.CLANG):
                program = e2e.compile(source, compiler)
                with self.subTest(f"{program}"):
                    ours, theirs = (self.steps(program, witness, "line")
                                    for witness in ("xstep", "gdb"))
                    # What library code calls back gdb's driver stops at the first pc of.
                    theirs = [step for step in theirs if step[:2] != ("by_value", 14)]
                    self.assertEqual(self.once(ours), self.once(theirs))
                    ours, theirs = (self.steps(program, witness, "break")
                                    for witness in ("xstep", "gdb"))
                    self.assertEqual(ours, theirs)

    def test_xstep_by_line_on_its_own(self):
        """longjmp, on which gdb loses the program; limits, samples, stores."""
        lines = [step[:2] for step in self.steps(e2e.compile("leave_longjmp.c"), "xstep", "line")]
        at = lines.index(("deep", 12))
        self.assertEqual(lines[at + 1:at + 3], [("main", 20), ("main", 22)])
        program = e2e.compile("step_lines.c", e2e.CLANG)
        with tempfile.TemporaryDirectory() as folder:
            path, counts = pathlib.Path(folder) / "a.db", pathlib.Path(folder) / "counts"
            for level in ("line", "break"):
                self.expect(e2e.xstep("trace", "--level", level, "-o", path, "--transitions", counts,
                                      program))
                told = [json.loads(line) for line in counts.read_text().splitlines()]
                self.assertEqual(sum(line["count"] for line in told),
                                 len(self.steps(program, "xstep", level)))
            self.expect(e2e.xstep("store", "check", path))
            with sqlite3.connect(path) as store:
                self.assertEqual(store.execute("SELECT level, complete FROM trace").fetchall(),
                                 [("line", 1), ("break", 1)])
        result = self.expect(e2e.xstep("trace", "--level", "line", "--limit", 3, program), 0,
                             "ended by --limit 3")
        self.assertEqual(len(result.stdout.splitlines()), 3)

    def test_a_store_holds_every_witness(self):
        program = e2e.compile("demo.c")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "trace.db"
            fake = script(folder, "gdb", 'case "$*" in\n--version) echo GNU gdb 1.0;;\n'
                          "*probe*) echo xstep-probe 3.11.2;;\n*) exit 3;;\nesac")
            self.expect(e2e.xstep("trace", "--witness", f"xstep,gdb,lldb,gdb@{fake}", "-o", path,
                                  "--no-plan", program), 2)
            with sqlite3.connect(path) as store:
                traces = store.execute("SELECT witness, complete, trouble FROM trace").fetchall()
                self.assertEqual([trace[:2] for trace in traces],
                                 [("xstep", 1), ("gdb", 1), ("lldb", 1), ("gdb", 0)])
                self.assertIn("ended with status 3", traces[3][2])
                told = [store.execute("SELECT stop, prev, pc, n, line FROM lines WHERE trace = ? "
                                      "ORDER BY stop", (number,)).fetchall() for number in (1, 2, 3)]
                self.assertEqual(told[0], told[1])
                self.assertEqual(told[0], told[2])
                counts = [set(store.execute("SELECT prev, pc, count FROM transitions WHERE trace = ?",
                                            (number,))) for number in (1, 2, 3)]
                self.assertEqual(counts[0], counts[1])
                self.assertEqual(counts[0], counts[2])


    def test_both_voices_of_a_debugger(self):
        """`print` and `expression` are witnesses of their own, which can be compared with what the same
        debugger says of the variables themselves."""
        program = e2e.compile("voice_names.c")
        for witness, other in (("gdb", "gdb:print"), ("lldb", "lldb:expression")):
            # A plain session cannot tell the voices apart: it has one only.
            result = self.expect(e2e.xstep("diff", "--witness", f"{witness},{other}", "--format", "json",
                                           "--no-reproduce", "--repeat", 1, program), 1)
            found = json.loads(result.stdout)
            self.assertEqual({who["witness"] for who in found["witnesses"]}, {witness, other})
            self.assertEqual({one["path"] for one in found["discrepancies"]}, {"$rip"}, witness)
            first = found["discrepancies"][0]
            self.assertEqual(first["facts"][witness]["value"], "4")
            # A name with a dollar is one of the debugger's own: here a register.
            self.assertEqual(int(first["facts"][other]["value"], 0) & 0xfff,
                             int(first["stop"]["pc"], 0) & 0xfff)

    def test_a_name_is_taken_for_what_is_declared_later(self):
        program = e2e.compile("voice_names.c", e2e.CLANG)
        result = self.expect(e2e.xstep("diff", "--witness", "xstep,gdb:print,lldb:expression", "--format",
                                       "json", program), 1)
        found = [one for one in json.loads(result.stdout)["discrepancies"] if one["path"] == "x"]
        self.assertEqual({(tuple(one["wrong"]), one["known"], one["basis"]) for one in found},
                         {(("gdb:print",), "DTD 4", "replayed"), (("lldb:expression",), "DTD 4", "replayed")},
                         found)
        self.assertIn("future-scope", found[0]["signature"])

    def test_the_other_voice_is_quoted_as_such(self):
        program = e2e.compile("demo.c")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "trace.db"
            self.expect(e2e.xstep("trace", "--witness", "lldb:expression", "-o", path, program))
            quoted = self.expect(e2e.xstep("show", "--quote", "demo.c:22", "--var", "numbers[1]", "--by",
                                           "lldb", path)).stdout.splitlines()
            self.assertEqual(quoted[-1], "expression -- numbers[1]")
            self.assertEqual(int(self.paste("lldb", quoted[1:], folder)), -1)

    def test_units_do_not_mix(self):
        """Statics, types and locals of the same name in two units, some on the same line of one header,
        are different variables to each witness, and the same ones to all."""
        for compiler in (e2e.GCC, e2e.CLANG):
            program = e2e.compile("units_two.c", compiler)
            with self.subTest(compiler), tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "trace.db"
                self.expect(e2e.xstep("diff", "--sample", "all", "-o", path, program))
                with sqlite3.connect(path) as store:
                    told = [store.execute("SELECT DISTINCT unit, scope, var, type FROM leaves WHERE "
                                          "trace = ? AND unit LIKE '%units_two%' ORDER BY 1, 2, 3",
                                          (number,)).fetchall()
                            for number in (1, 2, 3)]
                    ends = [store.execute("SELECT DISTINCT scope, value, enumerator FROM facts WHERE "
                                          "trace = ? AND var IN ('color', 'turns') ORDER BY 1, 2",
                                          (number,)).fetchall() for number in (1, 2, 3)]
                units = [str(e2e.subject(name)) for name in ("units_two.c", "units_two_with.c")]
                self.assertEqual({row[0] for row in told[0] if row[2] == "count"}, set(units))
                self.assertEqual({row[3] for row in told[0] if row[2] == "sum"},
                                 {"volatile int", "volatile float"})
                for own in told[1:]:
                    self.assertEqual([row[:3] for row in own], [row[:3] for row in told[0]])
                self.assertEqual(ends[0], [(units[0], "0", None), (units[0], "1", "GREEN"),
                                           (units[0], "3", None), (units[0], "6", None),
                                           (units[1], "0", None), (units[1], "1", "BLACK"),
                                           (units[1], "3", None), (units[1], "6", None)])
                self.assertEqual(ends[1], ends[0])
                self.assertEqual(ends[2], ends[0])

    def test_unstable_leaves_are_marked(self):
        program = e2e.compile("stack_junk.c")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "trace.db"
            self.expect(e2e.xstep("trace", "--witness", "gdb", "--repeat", 2, "-o", path, program))
            self.expect(e2e.xstep("store", "check", path))
            with sqlite3.connect(path) as store:
                marked = store.execute("SELECT DISTINCT trace, var FROM unstable JOIN leaves USING "
                                       "(trace, leaf) ORDER BY 1").fetchall()
            self.assertLessEqual({(1, "junk"), (2, "junk")}, set(marked))
        self.expect(e2e.xstep("trace", "--witness", "gdb", "--repeat", 2, program), 2,
                    "2 only into a store")

    def paste(self, witness, commands, folder):
        """What the debugger says to the last of these commands, the first being its own start."""
        words, file = commands[0].split(), pathlib.Path(folder) / "commands"
        file.write_text("\n".join(commands[1:]) + "\n")
        batch = ("-batch", "-x") if witness == "gdb" else ("--batch", "-s")
        result = e2e.run([*words[:-1], *batch, file, words[-1]])
        lines = [line for line in result.stdout.splitlines() if " = " in line]
        self.assertTrue(lines, f"{result.rerun}: {commands}\n{result.stdout}\n{result.stderr}")
        return lines[-1].rsplit(" = ", 1)[1]

    def test_facts_can_be_quoted(self):
        """Twenty facts of stores, at random: the printed commands, pasted, give the same text."""
        some = random.Random(3)
        with tempfile.TemporaryDirectory() as folder:
            for compiler, level in ((e2e.GCC, "-O0"), (e2e.CLANG, "-O1")):
                program = e2e.compile("demo.c", compiler, ("-g", level))
                path = pathlib.Path(folder) / f"{compiler}.db"
                self.expect(e2e.xstep("trace", "--witness", "gdb,lldb", "-o", path, program))
                with sqlite3.connect(path) as store:
                    facts = store.execute(
                        "SELECT trace, stop, path, value FROM facts WHERE state = 'value' AND "
                        "NOT shadowed AND scope IN ('main', 'square', 'by_value')").fetchall()
                for number, witness in ((1, "gdb"), (2, "lldb")):
                    own = [fact for fact in facts if fact[0] == number]
                    for _, stop, leaf, value in some.sample(own, 5):
                        with self.subTest(f"{program} {witness} stop {stop} {leaf}"):
                            quoted = self.expect(e2e.xstep("show", "--trace", number, "--quote",
                                                           stop, "--var", leaf, "--by", witness,
                                                           path))
                            said = self.paste(witness, quoted.stdout.splitlines()[1:], folder)
                            self.assertEqual(int(said, 0), int(value, 0))

    def test_what_cannot_be_quoted(self):
        program = e2e.compile("demo.c")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "trace.db"
            self.expect(e2e.xstep("trace", "-o", path, program))
            self.expect(e2e.xstep("show", "--quote", 9999, path), 2, "--quote 9999: that stop was not")
            self.expect(e2e.xstep("show", "--quote", 7, "--var", "nobody", path), 2,
                        "--var nobody: trace 1 lists none at stop 7")
            self.expect(e2e.xstep("show", "--by", "gdb", path), 2, "--by goes with --quote only")
            whole = self.expect(e2e.xstep("show", "--quote", "demo.c:22", "--by", "lldb", path))
            self.assertIn("\nframe variable\n", whole.stdout)
            self.assertNotIn("gdb -nx", whole.stdout)
            path.unlink()
            self.expect(e2e.xstep("trace", "--witness", "gdb", "--level", "line", "-o", path, program))
            self.expect(e2e.xstep("show", "--quote", 2, path), 2, "was stepped by line")


if __name__ == "__main__":
    e2e.main()
