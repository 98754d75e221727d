#!/usr/bin/python3
"""trace_test.py - xstep trace, end to end, on really compiled programs."""
import json
import os
import pathlib
import pty
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import compare_modes
import compare_steps
import e2e


EVERY = "trace", "--sample", "none", "--format", "json"  # every executed stop, for programs


def functions(stops):
    """The functions of a trace, in the order of first arrival."""
    return list(dict.fromkeys(stop["function"] for stop in stops))


def alive(pattern):
    """Processes whose command line holds pattern, zombies aside."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            command = (entry / "cmdline").read_bytes().decode(errors="replace")
            state = (entry / "stat").read_text(errors="replace").rsplit(")", 1)[1].split()[0]
        except OSError:
            continue
        if pattern in command.split("\0")[0] and state != "Z":
            found.append(int(entry.name))
    return found


NO_PIE = ("-g", "-O2", "-fno-pie", "-no-pie")
BUILDS = e2e.some([(e2e.GCC, ("-g", "-O0")), (e2e.CLANG, NO_PIE)],
                  [(compiler, flags) for compiler in (e2e.GCC, e2e.CLANG) for flags in (("-g", "-O0"), NO_PIE)])


class Endings(e2e.TestCase):
    """Programs that end in every way, and leave the code of interest in every way."""

    def test_subjects_trace_as_they_say(self):
        for source in e2e.subjects():
            about = e2e.header(source)
            for compiler, flags in BUILDS:
                with self.subTest(f"{source.stem} {compiler} {' '.join(flags)}"):
                    program = e2e.compile(source, compiler, flags)
                    result = e2e.xstep(*EVERY, "--timeout", 1000,
                                       *about.get("options", "").split(), program)
                    self.expect(result, 0, about["end"])
                    stops = e2e.stops(result)
                    self.assertEqual(stops[0]["function"], "main")
                    if "-O0" in flags:
                        self.assertEqual(functions(stops), about["functions"].split())

    def test_modes_yield_the_same(self):
        """single is the reference: exact gives the same stops, the same end, the same output."""
        timed = {"end_wait", "signal_handler", "signal_stop", "leave_thread"}
        for source in e2e.subjects():
            if source.stem in timed:
                continue
            options = e2e.header(source).get("options", "").split()
            for compiler, flags in ((e2e.GCC, ("-g", "-O0")), (e2e.CLANG, ("-g", "-O2"))):
                with self.subTest(f"{source.stem} {compiler} {' '.join(flags)}"):
                    program = e2e.compile(source, compiler, flags)
                    said = [self.expect(e2e.xstep("trace", "--mode", mode, "--sample", "none",
                                                  "--format", "json", *options, program))
                            for mode in ("single", "exact")]
                    self.expect_same_text([(one.rerun, one.stdout) for one in said])
                    self.assertEqual(said[0].stderr.splitlines()[-1],
                                     said[1].stderr.splitlines()[-1])

    @e2e.unittest.skipUnless(shutil.which("csmith"), "needs csmith")
    def test_generated_programs_count_the_same_in_the_cache(self):
        for source in compare_steps.csmith_sources(e2e.some(1, 2), e2e.CACHE / "csmith"):
            for compiler in (e2e.GCC, e2e.CLANG):
                for level in ("-O0", "-O2"):
                    with self.subTest(f"{source.stem} {compiler} {level}"):
                        program = e2e.compile(source, compiler,
                                              ("-g", level, "-I/usr/include/csmith"))
                        try:
                            compare_modes.compare_sampled(program, (), False)
                        except compare_modes.Difference as difference:
                            self.fail(f"{program}: {difference}")

    def test_no_breakpoint_shows_in_a_variable(self):
        program = e2e.compile("code_data.c")
        for mode in ("single", "exact", "unique"):
            stops = e2e.stops(self.expect(e2e.xstep("trace", "--mode", mode, "--vars", "all",
                                                    "--format", "json", program)))
            told = {(fact["path"], fact["value"]) for stop in stops for fact in stop["vars"]}
            self.assertEqual({value for path, value in told if path.startswith("table[")},
                             {"144", "195", "235", "254", "117"}, mode)

    def test_unique_costs_the_same_for_any_number_of_rounds(self):
        loop = e2e.TOP / "bench/loop.c"
        for level in ("-O0", "-O2"):
            program = e2e.compile(loop, e2e.GCC, ("-g", level))
            said = [self.expect(e2e.xstep("trace", "--mode", "unique", "--format", "none",
                                          "--stats", program, rounds))
                    for rounds in (1000, 10**7)]
            stats = [json.loads(result.stderr.splitlines()[-1]) for result in said]
            self.assertEqual(stats[0]["stops"], stats[1]["stops"])
            self.assertEqual(stats[0]["transitions"], stats[1]["transitions"])
            self.assertEqual([result.stdout for result in said], ["", ""])

    def test_unique_waits_for_rare_ways_at_full_speed(self):
        """Branches whose other way leads to what was seen before: all edges, for the same cost."""
        for flags in (("-O0",), ("-O2",), ("-O0", "-fno-pie", "-no-pie"), ("-O2", "-static")):
            stats = []
            for rounds in (1000, 10**7):
                program = e2e.compile("branch_cold.c", e2e.GCC,
                                      ("-g", *flags, f"-DROUNDS={rounds}"))
                said = self.expect(e2e.xstep("trace", "--mode", "unique", "--format", "none",
                                             "--stats", program))
                stats.append(json.loads(said.stderr.splitlines()[-1]))
            for key in ("stops", "transitions"):
                self.assertEqual(stats[0][key], stats[1][key], flags)

    def test_unique_makes_no_call_for_a_program_that_filters_them(self):
        source = pathlib.Path(tempfile.mkdtemp()) / "filter.c"
        self.addCleanup(shutil.rmtree, source.parent)
        source.write_text("#include <linux/seccomp.h>\n#include <sys/prctl.h>\n"
                          "#include <sys/syscall.h>\n#include <unistd.h>\n"
                          "int main(void) { volatile unsigned x = 1;\n"
                          "prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);\n"
                          "for (unsigned i = 0; i < 100000; i++) x = x * 3 + i;\n"
                          "syscall(SYS_exit, 5); return 0; }\n")
        program = e2e.compile(source, e2e.GCC, ("-g", "-O0"))
        self.expect(e2e.xstep("trace", "--mode", "unique", "--format", "none", program), 0,
                    "exited with status 5")

    @e2e.smoke
    def test_static_programs(self):
        for flags in (("-static",), ("-static-pie",)):
            with self.subTest(flags):
                program = e2e.compile("leave_callback.c", e2e.GCC, ("-g", "-O0", *flags))
                result = self.expect(e2e.xstep(*EVERY, program))
                self.assertEqual(functions(e2e.stops(result)), ["main", "by_value", "last_words"])

    def test_dwarf_versions_and_compression_make_no_difference(self):
        seen = []
        for flags in (("-gdwarf-2",), ("-gdwarf-3",), ("-gdwarf-4",), ("-gdwarf-5",),
                      ("-g", "-gz=zlib"), ("-g", "-gz=zlib-gnu"), ("-gdwarf-5", "-gdwarf64")):
            program = e2e.compile("leave_callback.c", e2e.GCC, ("-O2", *flags))
            result = self.expect(e2e.xstep(*EVERY, program))
            seen.append((result.rerun, "\n".join(
                f"{s['pc']} {s['line']} {s['function']}" for s in e2e.stops(result))))
        self.expect_same_text(seen)


class Output(e2e.TestCase):
    """What is printed, and where."""

    @e2e.smoke
    def test_json_keys_and_counting(self):
        program = e2e.compile("end_return.c")
        stops = e2e.stops(self.expect(e2e.xstep(*EVERY, program)))
        self.assertEqual(list(stops[0]),
                         ["stop", "prev", "pc", "n", "function", "file", "line", "column"])
        self.assertIsNone(stops[0]["prev"])
        taken = {}
        for i, stop in enumerate(stops):
            self.assertEqual(stop["stop"], i + 1)
            self.assertEqual(stop["prev"], stops[i - 1]["pc"] if i else None)
            key = stop["prev"], stop["pc"]
            taken[key] = taken.get(key, 0) + 1
            self.assertEqual(stop["n"], taken[key])
        self.assertEqual(stops[0]["file"], str(e2e.subject("end_return.c")))
        # Link-time addresses: what nm says, whatever the loader did.
        symbols = e2e.run(["nm", program]).stdout
        main = next(line.split()[0] for line in symbols.splitlines() if line.endswith(" T main"))
        self.assertEqual(stops[0]["pc"], hex(int(main, 16)))

    def test_stats_and_transitions(self):
        program = e2e.compile("end_return.c")
        with tempfile.TemporaryDirectory() as folder:
            pairs = pathlib.Path(folder) / "pairs"
            result = self.expect(e2e.xstep(*EVERY, "--stats",
                                           "--transitions", pairs, program))
            found = [json.loads(line) for line in pairs.read_text().splitlines()]
        stats = json.loads(result.stderr.splitlines()[-1])
        self.assertEqual(" ".join(stats), "mode instructions transitions stops steps signals "
                                          "seconds")
        stops = e2e.stops(result)
        self.assertEqual((stats["mode"], stats["instructions"]), ("exact", len(stops)))
        last = {(stop["prev"], stop["pc"]): stop["n"] for stop in stops}
        self.assertEqual({(pair["prev"], pair["pc"]): pair["count"] for pair in found}, last)
        self.assertEqual(stats["transitions"], len(found))
        order = [(int(pair["prev"] or "0", 16), int(pair["pc"], 16)) for pair in found]
        self.assertEqual(order, sorted(order))
        self.expect(e2e.xstep("trace", "--stats=/nowhere/x", program), 2, "--stats /nowhere/x: No")

    def test_text_shows_the_source_when_the_line_changes(self):
        program = e2e.compile("end_return.c")
        lines = self.expect(e2e.xstep("trace", "--sample", "none", program)).stdout.splitlines()
        self.assertRegex(lines[0], r"^ +1  0x\w+ +main\+0x0 +end_return.c:11:1 +\{$")
        self.assertTrue(any(line.endswith("sum = add(sum, i);") for line in lines))
        self.assertFalse(any(line != line.rstrip() or "\033" in line for line in lines))

    @e2e.smoke
    def test_same_trace_twice(self):
        program = e2e.compile("leave_callback.c")
        first = self.expect(e2e.xstep(*EVERY, program))
        self.assertEqual(first.stdout, e2e.xstep(*EVERY, program).stdout)

    def test_output_file_and_the_programs_own_output(self):
        program = e2e.compile("stdin_copy.c")
        with tempfile.TemporaryDirectory() as folder:
            here = pathlib.Path(folder)
            (here / "in").write_text("some words\n")
            result = self.expect(e2e.xstep(*EVERY, "-o", here / "trace",
                                           "--stdin", here / "in", "--stdout", here / "out",
                                           program))
            self.assertEqual(result.stdout, "")
            self.assertEqual((here / "out").read_text(), "some words\n")
            self.assertEqual(json.loads((here / "trace").read_text().splitlines()[0])["stop"], 1)
            result = self.expect(e2e.xstep("trace", "--stdin", here / "in", program))
            self.assertNotIn("some words", result.stdout)
            self.assertIn("some words", result.stderr)

    def test_a_full_disk_is_trouble(self):
        program = e2e.compile("end_return.c")
        result = e2e.xstep("trace", "--sample", "none", "-o", "/dev/full", program)
        self.expect(result, 2, "/dev/full: No space left on device")

    def test_starting_elsewhere_ends_with_that_call(self):
        program = e2e.compile("end_return.c")
        result = self.expect(e2e.xstep(*EVERY, "--from", "add", program), 0,
                             "add returned; exited with status 6")
        self.assertEqual(functions(e2e.stops(result)), ["add"])

    def test_modules_are_stepped_only_when_named(self):
        program = e2e.compile("leave_callback.c")
        result = self.expect(e2e.xstep("trace", "--sample", "none", "--module", "libc.so.6", "--limit",
                                       2000,
                                       "--format", "json", program))
        stops = e2e.stops(result)
        self.assertIn("qsort", functions(stops))
        self.assertTrue(any(s["pc"].startswith("libc.so.6+0x") for s in stops))
        plain = e2e.stops(e2e.xstep(*EVERY, program))
        self.assertFalse(any("+" in s["pc"] for s in plain))

    def plugins(self, compiler=e2e.GCC, level="-O0"):
        """A program that loads shared objects while it runs, and two for it to load."""
        flags = "-g", level, "-shared", "-fPIC"
        return (e2e.compile("tool_loader.c", compiler, ("-g", level)),
                e2e.compile("tool_plugin.c", compiler, flags),
                e2e.compile("tool_plugin.c", compiler, (*flags, "-DOTHER")))

    def test_modules_loaded_later_are_stepped(self):
        """From their constructors on, wherever they are loaded, and again elsewhere."""
        for compiler in (e2e.GCC, e2e.CLANG):
            for level in ("-O0", "-O2"):
                program, first, second = self.plugins(compiler, level)
                options = "--module", first, "--module", second
                native = e2e.run(["setarch", "-R", program, first, second]).stdout
                self.assertIn("elsewhere", native)
                self.assertIn("in its place", native)
                told = {}
                for mode in ("single", "exact"):
                    result = self.expect(e2e.xstep(
                        "trace", "--mode", mode, "--sample", "none", "--format", "json",
                        *options, program, first, second), 0, "main returned")
                    self.assertTrue(result.stderr.startswith(native), result.stderr)
                    told[mode] = result.stdout
                self.assertEqual(told["single"], told["exact"])
                stops = [json.loads(line) for line in told["exact"].splitlines()]
                module = [s for s in stops if s["pc"].startswith("tool_plugin+0x")]
                self.assertIn("work", functions(module))
                if level == "-O0":
                    self.assertEqual(functions(module), ["begin", "work", "end"])
                    # Three loads of two files: a transition is the same wherever its code is.
                    entries = [s["n"] for s in module
                               if (s["prev"], s["pc"]) == (module[0]["prev"], module[0]["pc"])]
                    self.assertEqual(entries, [1, 2, 1])

    def test_variables_of_modules_loaded_later(self):
        program, first, second = self.plugins()
        said = [self.expect(e2e.xstep("trace", "--mode", mode, "--vars", "all", "--frames",
                                      "--format", "json", "--module", first, program, first,
                                      second)).stdout for mode in ("single", "exact")]
        self.assertEqual(*said)
        loads = [fact["value"] for line in said[0].splitlines() for fact in json.loads(line)["vars"]
                 if fact["path"] == "loads" and fact["state"] == "value"]
        self.assertTrue({"0", "1", "2", "3"} <= set(loads), loads)

    def test_module_that_is_never_loaded(self):
        program = e2e.compile("end_return.c")
        self.expect(e2e.xstep("trace", "--format", "none", "--module", "libx.so", program), 0,
                    "warning: --module libx.so: no such module was ever loaded; there are: ")
        static = e2e.compile("end_return.c", e2e.GCC, ("-g", "-O0", "-static"))
        self.expect(e2e.xstep("trace", "--format", "none", "--module", "libx.so", static), 2,
                    "is static: it loads no shared objects")

    def test_start_of_the_program_is_the_same_every_time(self):
        program = e2e.compile("stack_same.c")
        first = self.expect(e2e.xstep("trace", "-o", "/dev/null", program)).stderr
        self.assertEqual(first, e2e.xstep("trace", "-o", "/dev/null", program,
                                          env={**os.environ, "MORE": "x" * 999}).stderr)
        native = e2e.run(["env", "-i", "LC_ALL=C", "PATH=/usr/bin:/bin", "setarch", "-R", program])
        lines = native.stdout.splitlines()
        self.assertEqual(lines[:-1], first.splitlines()[:len(lines) - 1])
        other = self.expect(e2e.xstep("trace", "-o", "/dev/null", "--env", "LC_ALL=POSIX",
                                      "--env", "A=b", program)).stderr
        self.assertIn("\nLC_ALL=POSIX\n", other)
        self.assertIn("\nA=b\n", other)

    def test_help_and_version(self):
        for words in (("--help",), ("trace", "--help"), ("help", "trace"), ("--version",)):
            self.assertTrue(self.expect(e2e.xstep(*words)).stdout)
        self.assertRegex(e2e.xstep("--version").stdout, r"^xstep \d+\.\d+\.\d+\nelfutils 0\.\d+")


class BadInput(e2e.TestCase):
    """Each is refused with exit status 2 and a message that names the culprit."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.program = e2e.compile("end_return.c", e2e.GCC, ("-g", "-O0"))

    def copy(self, name):
        return pathlib.Path(shutil.copy(self.program, self.folder / name))

    def refuse(self, says, *words, **options):
        result = e2e.xstep("trace", *words, **options)
        self.expect(result, 2, says)
        self.assertEqual(result.stdout, "")
        return result

    @e2e.smoke
    def test_words(self):
        self.refuse("unknown option --fomat; did you mean --format?", "--fomat", "json", "x")
        self.refuse("--format: 'xml' is none of text|json", "--format", "xml", "x")
        self.refuse("--limit: '0' is not a whole number from 1 on", "--limit", "0", "x")
        self.refuse("--limit: '-3' is not", "--limit=-3", "x")
        self.refuse("--timeout: 'soon' is not a number of seconds", "--timeout", "soon", "x")
        self.refuse("--limit needs a value", "--limit")
        self.refuse("--env: 'x' is not NAME=VALUE", "--env", "x", self.program)
        self.refuse("no program to run")
        self.expect(e2e.xstep("trcae"), 2, "did you mean 'trace'?")
        self.expect(e2e.xstep(), 2, "Usage:")
        self.expect(e2e.xstep("trace", self.program, env={"XSTEP_LOG": "motor:loud"}), 2,
                    "XSTEP_LOG: 'motor:loud' is not MODULE:LEVEL")

    def test_files(self):
        self.refuse("/nowhere/a.out: No such file", "/nowhere/a.out")
        self.refuse(f"{self.folder}/a.out: No such file", self.folder / "a.out")
        self.refuse(f"{self.folder}: a directory, not a program", self.folder)
        text = self.folder / "text"
        text.write_text("#!/bin/sh\n")
        text.chmod(0o755)
        self.refuse("text: not an ELF file", text)
        (self.folder / "empty").write_bytes(b"")
        self.refuse("empty: not an ELF file", self.folder / "empty")
        os.mkfifo(self.folder / "fifo")
        self.refuse("fifo: not a regular file, not a program", self.folder / "fifo")
        plain = self.copy("plain")
        plain.chmod(0o644)
        self.refuse("plain: cannot be executed: Permission denied", plain)
        self.refuse("--stdin /nowhere/in: No such file", "--stdin", "/nowhere/in", self.program)
        self.refuse("--output /nowhere/out: No such file", "-o", "/nowhere/out", self.program)

    def test_a_mistyped_program_costs_no_old_trace(self):
        old = self.folder / "trace"
        old.write_text("precious")
        self.refuse("No such file", "-o", old, "/nowhere/a.out")
        self.assertEqual(old.read_text(), "precious")

    def patched(self, name, offset, data):
        path = self.copy(name)
        with open(path, "r+b") as file:
            file.seek(offset)
            file.write(data)
        return path

    def test_other_machines(self):
        i386 = self.patched("i386", 4, b"\x01")
        with open(i386, "r+b") as file:
            file.seek(18)
            file.write(b"\x03\x00")
        self.refuse("i386: a 32-bit program", i386)
        self.refuse("x32: an x32 program", self.patched("x32", 4, b"\x01"))
        self.refuse("arm: a program for AArch64", self.patched("arm", 18, b"\xb7\x00"))
        self.refuse("odd: a program for ELF machine 4660", self.patched("odd", 18, b"\x34\x12"))
        self.refuse("object: an object file", self.patched("object", 16, b"\x01\x00"))

    def test_truncated(self):
        whole = self.program.read_bytes()
        for size in (20, 100, 1000, len(whole) // 2, len(whole) - 1):
            path = self.folder / f"cut{size}"
            path.write_bytes(whole[:size])
            path.chmod(0o755)
            with self.subTest(size):
                self.refuse(f"cut{size}: ", path)

    def line_section(self):
        for line in e2e.run(["readelf", "-SW", self.program]).stdout.splitlines():
            words = line.split("]", 1)[-1].split()
            if words and words[0] == ".debug_line":
                return int(words[3], 16), int(words[4], 16)
        self.fail("no .debug_line")

    def test_corrupt_line_table(self):
        offset, size = self.line_section()
        self.refuse(".debug_line+0x0: version 77, not 2 to 5",
                    self.patched("version", offset + 4, b"\x4d\x00"))
        self.refuse(".debug_line+0x0: the table claims",
                    self.patched("length", offset, b"\xf0\xff\x00\x00"))
        self.refuse(".debug_line+0x0: the header claims",
                    self.patched("header", offset + 8, b"\xff\xff\xff\x00"))
        self.refuse(".debug_line+0x0: line_range is 0",
                    self.patched("range", offset + 16, b"\x00"))
        # Anything may be in there: refused or traced, never a crash.
        for seed in range(40):
            noise = bytes((seed * 73 + i * 151 >> 2) & 0xff for i in range(16))
            at = offset + 12 + seed * (size - 32) // 40
            result = e2e.xstep("trace", "--limit", 100, self.patched(f"noise{seed}", at, noise))
            self.assertIn(result.returncode, (0, 2), f"\nrerun: {result.rerun}\n{result.stderr}")

    def test_stripped_programs_are_told_by_symbol_and_address(self):
        for option, says, name in (("-g", "no line information", "main"),
                                   ("-s", "stripped: no line information", None)):
            path = self.copy("stripped")
            e2e.run(["strip", option, path])
            result = self.expect(e2e.xstep(*EVERY, path), 0, says)
            self.assertEqual(result.stderr.count("warning"), 1)
            stops = e2e.stops(result)
            whole = e2e.stops(e2e.xstep(*EVERY, self.program))
            self.assertEqual([s["pc"] for s in stops], [s["pc"] for s in whole])
            self.assertEqual((stops[0]["function"], stops[0]["line"]), (name, None))

    def test_names_that_are_not_there(self):
        self.refuse("no function 'mian' (nearest: 'main')", "--from", "mian", self.program)
        self.refuse("exited with status 9 before handler was reached", "--from", "handler",
                    e2e.compile("end_exit_now.c"))

    def test_ptrace_not_permitted(self):
        # A leak check at the end would need ptrace itself.
        plain = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
        deny = e2e.compile("tool_deny_ptrace.c")
        result = e2e.run([deny, e2e.XSTEP, "trace", self.program], env=plain)
        self.expect(result, 2, "a seccomp filter forbids it")
        hold = e2e.compile("tool_hold.c")
        result = e2e.run([hold, e2e.XSTEP, "trace", self.program], env=plain)
        self.expect(result, 2, "already traced by process")


class NothingLeft(e2e.TestCase):
    """However xstep ends, the program ends with it."""

    def start(self, name):
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        # A name of its own, to be found by.
        program = shutil.copy(e2e.compile(name), folder / f"tracee{os.getpid()}")
        xstep = subprocess.Popen([e2e.XSTEP, "trace", "-o", "/dev/null", program],
                                 stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, text=True, preexec_fn=e2e.leave_nothing)
        self.addCleanup(xstep.stderr.close)
        self.wait_for(lambda: alive(str(folder)))
        return xstep, str(folder)

    def wait_for(self, condition):
        self.assertTrue(e2e.wait_until(condition))

    def test_killed(self):
        for name in ("end_loop.c", "end_wait.c"):
            for number in (signal.SIGKILL, signal.SIGINT, signal.SIGTERM):
                with self.subTest(f"{name} {number}"):
                    xstep, folder = self.start(name)
                    self.wait_for(lambda: e2e.catches(xstep.pid, signal.SIGINT))
                    xstep.send_signal(number)
                    self.assertEqual(xstep.wait(e2e.WAIT_SECONDS), -number)
                    self.wait_for(lambda: not alive(folder))
                    if number != signal.SIGKILL:
                        # On a busy machine it is not in main yet, nor even loaded.
                        self.assertRegex(xstep.stderr.read(),
                                         "interrupted (by SIG|before (main|its entry point))")

    def test_the_reader_goes_away(self):
        xstep = subprocess.Popen([e2e.XSTEP, "trace", "--sample", "none",
                                  e2e.compile("end_loop.c")],
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        xstep.stdout.readline()
        xstep.stdout.close()
        self.assertEqual(xstep.wait(e2e.WAIT_SECONDS), -signal.SIGPIPE)

    def test_a_forked_child_lives_on_with_all_cores(self):
        source = e2e.CACHE / "fork_cores.c"
        e2e.CACHE.mkdir(parents=True, exist_ok=True)
        source.write_text("#include <sched.h>\n#include <stdio.h>\n#include <unistd.h>\n"
                          "#include <sys/wait.h>\n"
                          "int main(void){ if (!fork()) { cpu_set_t s;\n"
                          "sched_getaffinity(0, sizeof s, &s); printf(\"%d\\n\", CPU_COUNT(&s));\n"
                          "fflush(stdout); _exit(0); } wait(0); return 0; }\n")
        program = e2e.compile(source, e2e.GCC, ("-g", "-D_GNU_SOURCE"))
        result = self.expect(e2e.xstep("trace", "-o", "/dev/null", program))
        self.assertEqual(result.stderr.splitlines()[0], str(len(os.sched_getaffinity(0))))


class Threads(e2e.TestCase):
    """--threads all: each thread has a trace of its own, and one schedule for all modes."""
    # What the program returns, and how many threads it has.
    WAYS = {"queueing": (120, 3), "meeting": (150, 4), "spinning": (3, 2), "yielding": (10, 2),
            "nesting": (7, 3), "signalling": (10, 2), "leaving": (7, 2), "becoming": (9, 2),
            "abandoning": (5, 3), "holding": (6, 2)}
    TIMED = {"abandoning", "holding"}  # they sleep for a time, and how far others come then varies

    def build(self, compiler=e2e.GCC, level="-O0"):
        return e2e.compile("tool_threads.c", compiler, ("-g", level, "-pthread"))

    def trace(self, program, way, *options):
        return self.expect(e2e.xstep("trace", "--threads", "all", "--timeout", 1000, *options,
                                     program, way))

    def test_whoever_waits_for_whom(self):
        for compiler, level in ((e2e.GCC, "-O0"), (e2e.CLANG, "-O2"))[e2e.some(1, 0):]:
            program = self.build(compiler, level)
            for way, (status, count) in self.WAYS.items():
                with self.subTest(f"{way} {compiler} {level}"):
                    said = []
                    for mode in ("single", "exact", "exact"):
                        said.append(self.trace(program, way, "--mode", mode, "--sample", "none",
                                               "--format", "json"))
                        self.assertIn(f"exited with status {status}; ", said[-1].stderr)
                        self.assertNotIn("timeout", said[-1].stderr)
                    threads = {stop["thread"] for stop in e2e.stops(said[0])}
                    # On a busy machine the time may be over before others have begun.
                    self.assertLessEqual(threads, set(range(1, count + 1)))
                    if way not in self.TIMED:
                        self.assertEqual(len(threads), count)
                        self.expect_same_text([(one.rerun, one.stdout) for one in said])

    def test_a_trace_of_its_own(self):
        """Numbers, counts and what changed are those of the thread."""
        stops = e2e.stops(self.trace(self.build(), "meeting", "--vars", "all", "--format", "json",
                                     "--sample", "all"))
        for number in range(1, 5):
            own = [stop for stop in stops if stop["thread"] == number]
            self.assertEqual([stop["stop"] for stop in own], list(range(1, len(own) + 1)))
            self.assertIsNone(own[0]["prev"])
            self.assertEqual(own[0]["function"], "main" if number == 1 else "meet")
            self.assertEqual([stop["prev"] for stop in own[1:]], [stop["pc"] for stop in own[:-1]])
            counts = {}
            for stop in own:
                counts[stop["prev"], stop["pc"]] = counts.get((stop["prev"], stop["pc"]), 0) + 1
                self.assertEqual(stop["n"], counts[stop["prev"], stop["pc"]])
            # A thread-local variable is that thread's.
            mine = [int(fact["value"]) for stop in own for fact in stop["vars"]
                    if fact["path"] == "mine" and fact["state"] == "value"]
            rounds = [0] if number == 1 else \
                [sum(i + number - 2 for i in range(done)) for done in range(6)]
            self.assertEqual(list(dict.fromkeys(mine)), list(dict.fromkeys(rounds)))

    @e2e.smoke
    def test_text_stats_and_transitions(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "transitions"
            result = self.trace(self.build(), "queueing", "--sample", "none", "--transitions", file,
                                "--stats")
            lines = [json.loads(line) for line in file.read_text().splitlines()]
        for number in (1, 2, 3):
            self.assertIn(f"[{number}]       1  0x", result.stdout)
            self.assertIn(f"thread {number}: ", result.stderr)
            own = [line for line in lines if line["thread"] == number]
            self.assertEqual(sum(line["count"] for line in own),
                             result.stdout.count(f"[{number}] "))
        stats = json.loads(result.stderr.splitlines()[-1])
        self.assertEqual(stats["threads"], 3)
        self.assertEqual(stats["instructions"], sum(line["count"] for line in lines))

    def test_store_has_a_trace_for_each(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "threads.db"
            self.trace(self.build(), "meeting", "-o", file)
            self.expect(e2e.xstep("store", "check", file))
            printed = e2e.stops(self.trace(self.build(), "meeting", "--format", "json"))
            for number in (1, 2, 3, 4):
                shown = e2e.stops(self.expect(e2e.xstep("show", "--trace", number, "--format",
                                                        "json", file)))
                self.assertEqual([(stop["stop"], stop["pc"], stop["n"]) for stop in shown],
                                 [(stop["stop"], stop["pc"], stop["n"]) for stop in printed
                                  if stop["thread"] == number])
            self.assertIn("exact, thread 3",
                          self.expect(e2e.xstep("show", "--list", file)).stdout)

    def test_threads_that_were_there_before(self):
        result = self.trace(self.build(), "adopting", "--env", "EARLY=1", "--sample", "none",
                            "--format", "json")
        self.assertIn("exited with status 6", result.stderr)
        own = [stop for stop in e2e.stops(result) if stop["thread"] == 2]
        self.assertEqual(functions(own), ["early"])

    def test_ends(self):
        program = self.own(self.build())
        for limit in (1, 90, 200):
            result = self.trace(program, "meeting", "--limit", limit, "--sample", "none", "--format",
                                "json")
            self.assertEqual(len(e2e.stops(result)), limit)
            self.assertIn(f"ended by --limit {limit}", result.stderr)
        self.expect(e2e.xstep("trace", "--threads", "all", "--sample", "none", "-o", "/dev/full",
                              program, "meeting"), 2, "/dev/full: No space left on device")
        result = self.trace(program, "meeting", "--mode", "unique", "--limit", 40, "--format", "json")
        self.assertEqual(len(e2e.stops(result)), 40)
        self.expect(e2e.xstep("trace", "--threads", "all", "--level", "line", program), 2,
                    "--threads all goes with --level instruction only")
        self.assertEqual(alive(str(program)), [])

    def test_modules_that_another_thread_loads(self):
        """What one thread loads, all others step through."""
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "loads.c"
            source.write_text("#include <dlfcn.h>\n#include <pthread.h>\n"
                              "static int (*work)(int, int (*)(int));\n"
                              "static int back(int i) { return i; }\n"
                              "static void *load(void *path) {\n"
                              "  work = (int (*)(int, int (*)(int)))dlsym(dlopen(path, RTLD_NOW),\n"
                              "    \"work\"); return (void *)(long)work(3, back); }\n"
                              "int main(int argc, char **argv) { pthread_t thread; void *sum;\n"
                              "  pthread_create(&thread, NULL, load, argv[1]);\n"
                              "  pthread_join(thread, &sum);\n"
                              "  return (int)(long)sum + work(4, back); }\n")
            program = e2e.compile(source, e2e.GCC, ("-g", "-O0", "-pthread"))
            plugin = e2e.compile("tool_plugin.c", e2e.GCC, ("-g", "-O0", "-shared", "-fPIC"))
            said = [self.trace(program, plugin, "--module", plugin, "--mode", mode, "--sample",
                               "none", "--format", "json") for mode in ("single", "exact")]
        self.expect_same_text([(one.rerun, one.stdout) for one in said])
        stops = e2e.stops(said[0])
        for number, names in ((1, ["work"]), (2, ["begin", "work"])):
            self.assertEqual(functions(stop for stop in stops if stop["thread"] == number
                                       and stop["pc"].startswith("tool_plugin+")), names)


class Cores(e2e.TestCase):
    """Parallel runs take different cores."""

    @e2e.unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "needs two cores")
    def test_two_runs_two_cores(self):
        program = e2e.compile("end_loop.c")
        runs = [subprocess.Popen([e2e.XSTEP, "trace", "-o", "/dev/null", program],
                                 stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                for _ in range(2)]
        try:
            self.assertTrue(e2e.wait_until(lambda: all(
                len(os.sched_getaffinity(run.pid)) == 1 for run in runs)))
            cores = [os.sched_getaffinity(run.pid) for run in runs]
            # Somebody else's xstep may hold a core: then the two may share what is left.
            if len(cores[0] | cores[1]) == 1:
                self.skipTest("other runs of xstep hold the other cores")
        finally:
            for run in runs:
                run.kill()
                run.wait()


class Terminal(e2e.TestCase):
    """With a terminal as standard input the program can read it, and ^C ends the run."""

    def spawn(self, *words):
        try:
            pid, terminal = pty.fork()
        except OSError as error:  # a container may have none
            self.skipTest(f"no pseudo-terminal: {error}")
        if not pid:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.environ["TERM"] = "xterm"
            os.environ.pop("NO_COLOR", None)
            os.execv(e2e.XSTEP, [e2e.XSTEP, "trace", *map(str, words)])
        self.addCleanup(os.close, terminal)
        return pid, terminal

    def read_until(self, terminal, text):
        seen = b""
        deadline = time.monotonic() + e2e.WAIT_SECONDS
        while text not in seen and time.monotonic() < deadline:
            if not select.select([terminal], [], [], 1)[0]:
                continue
            try:
                seen += os.read(terminal, 4096)
            except OSError:
                break  # the other side is gone
        self.assertIn(text, seen)
        return seen

    def test_the_program_reads_the_terminal(self):
        pid, terminal = self.spawn("-o", "/dev/null", e2e.compile("stdin_copy.c"))
        os.write(terminal, b"typed\n\x04")
        self.read_until(terminal, b"main returned; exited with status 0")
        self.assertEqual(os.waitpid(pid, 0)[1], 0)

    def test_interrupt_key(self):
        pid, terminal = self.spawn("-o", "/dev/null", e2e.compile("end_wait.c"))
        # At first the terminal is nobody's (0), then xstep's own, and then the program's, which sleeps.
        self.assertTrue(e2e.wait_until(lambda: os.tcgetpgrp(terminal) not in (0, pid)
                                       and e2e.sleeps(os.tcgetpgrp(terminal))))
        os.write(terminal, b"\x03")
        self.read_until(terminal, b"interrupted by SIGINT")
        self.assertEqual(os.WTERMSIG(os.waitpid(pid, 0)[1]), signal.SIGINT)

    def test_colour_only_on_a_terminal(self):
        pid, terminal = self.spawn(e2e.compile("end_return.c"))
        self.assertIn(b"\x1b[36m0x", self.read_until(terminal, b"main returned"))
        os.waitpid(pid, 0)


if __name__ == "__main__":
    e2e.main()
