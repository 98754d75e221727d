#!/usr/bin/python3
"""debugfile_test.py - debug information that is not in the program: the trace must be the same."""
import os
import pathlib
import re
import shutil
import socket
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e

SOURCE = "leave_callback.c"


def command(*words, **options):
    """Runs a tool that must succeed."""
    result = e2e.run(words, **options)
    if result.returncode:
        raise RuntimeError(f"{result.rerun}\n{result.stderr}")
    return result.stdout


def build_id(program):
    return re.search(r"Build ID: (\w+)", command("readelf", "-n", program)).group(1)


class Files(e2e.TestCase):
    """A program in a folder of its own, with and without its debug information."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="xstep-debugfile-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.root = self.folder / "root"
        self.program = self.folder / "program"
        self.debug = self.folder / "program.debug"

    def trace(self, *words, program=None, env=None):
        options = {"env": env} if env else {}
        return self.expect(e2e.xstep("trace", "--sample", "none", "--format", "json",
                                     "--debug-root", self.root, *words,
                                     program or self.program, **options))

    def facts(self, result):
        return [(stop["pc"], stop["line"], stop["function"]) for stop in e2e.stops(result)]

    def make(self, compiler=e2e.GCC, flags=("-g", "-O2")):
        """A whole program, its facts remembered, then split in two: stripped, and debug file."""
        shutil.copy(e2e.compile(SOURCE, compiler, (*flags, "-Wl,--build-id=sha1")), self.program)
        self.whole = self.facts(self.trace())
        self.assertGreater(len(self.whole), 20)
        command("objcopy", "--only-keep-debug", self.program, self.debug)
        command("strip", self.program)

    def link(self):
        command("objcopy", f"--add-gnu-debuglink={self.debug}", self.program)

    def place_by_id(self):
        name = build_id(self.program)
        place = self.root / ".build-id" / name[:2] / (name[2:] + ".debug")
        place.parent.mkdir(parents=True)
        self.debug.rename(place)
        return place

    def same(self, *words, **options):
        result = self.trace(*words, **options)
        self.assertEqual(self.facts(result), self.whole, f"\nrerun: {result.rerun}")
        self.assertNotIn("warning", result.stderr)
        return result

    def without(self, says):
        """The file is warned of, once, and the trace goes on without lines."""
        result = self.trace()
        self.assertEqual(result.stderr.count(says), 1, result.stderr)
        self.assertIn(str(self.program), result.stderr)
        self.assertNotEqual(self.facts(result), self.whole)
        self.assertTrue(all(stop["line"] is None for stop in e2e.stops(result)))


class Separate(Files):
    def test_debuglink_is_followed_to_every_place(self):
        for compiler in (e2e.GCC, e2e.CLANG):
            self.make(compiler)
            self.link()
            self.same()
            for place in (self.folder / ".debug", pathlib.Path(f"{self.root}{self.folder}")):
                place.mkdir(parents=True, exist_ok=True)
                self.debug = self.debug.rename(place / "program.debug")
                self.same()
            self.debug = self.debug.rename(self.folder / "program.debug")

    @e2e.smoke
    def test_build_id_folder(self):
        self.make()
        self.place_by_id()
        self.same()

    def test_compressed_debug_file(self):
        self.make()
        command("objcopy", "--compress-debug-sections=zlib", self.debug)
        self.link()
        self.same()

    def test_compressed_program(self):
        whole = None
        for way in ("none", "zlib", "zlib-gnu"):
            with self.subTest(way):
                program = self.folder / "program"
                shutil.copy(e2e.compile(SOURCE, e2e.GCC, ("-g", "-O2", f"-gz={way}")), program)
                self.assertEqual(".zdebug_info" in command("readelf", "-SW", program), way == "zlib-gnu")
                facts = self.facts(self.trace())
                self.assertEqual(facts, whole or facts)
                whole = facts

    def test_strip_and_eu_strip(self):
        """Other tools than objcopy make debug files, too."""
        ways = [("strip", "--only-keep-debug", "-o", self.debug, self.program)]
        if shutil.which("eu-strip"):
            ways.append(("eu-strip", "-f", self.debug, "-o", self.folder / "stripped", self.program))
        for words in ways:
            with self.subTest(words[0]):
                shutil.copy(e2e.compile(SOURCE, e2e.GCC, ("-g", "-O2", "-Wl,--build-id=sha1")), self.program)
                self.whole = self.facts(self.trace())
                command(*words)
                if words[0] == "strip":
                    command("strip", self.program)
                    self.link()
                else:
                    (self.folder / "stripped").rename(self.program)
                self.same()
        if len(ways) == 1:
            self.skipTest("eu-strip is not installed: apt-get install elfutils")

    def test_names_of_addresses(self):
        """A pointer's target is named by the debug file's symbols."""
        shutil.copy(e2e.compile("units_moved.c", e2e.GCC, ("-g", "-O0", "-Wl,--build-id=sha1")), self.program)
        command("objcopy", "--only-keep-debug", self.program, self.debug)
        command("strip", self.program)
        self.link()
        result = self.expect(e2e.xstep("explain", "--at", "units_moved.c:23", "--var",
                                       "everything_here.next", self.program))
        self.assertIn("<tail>", result.stdout, result.rerun)

    def test_named_file(self):
        self.make()
        elsewhere = self.debug.rename(self.folder / "elsewhere")
        self.same("--debug-file", elsewhere)

    def test_named_file_that_does_not_fit_is_trouble(self):
        self.make()
        other = self.folder / "other"
        shutil.copy(e2e.compile("end_return.c", e2e.GCC, ("-g", "-Wl,--build-id=sha1")), other)
        cut = self.folder / "cut"
        cut.write_bytes(self.debug.read_bytes()[:5000])
        for path, says in ((other, "has build-id"), (cut, "cut short"), (self.root, "No such file"),
                           (self.folder, "a directory, not a debug file"),
                           (e2e.subject(SOURCE), "not an ELF file")):
            with self.subTest(says):
                result = e2e.xstep("trace", "--debug-file", path, self.program)
                self.expect(result, 2, says)
                self.assertIn(f"{self.program}: debug file {path}", result.stderr)

    def test_wrong_crc(self):
        self.make()
        self.link()
        with self.debug.open("ab") as file:
            file.write(b"x")
        self.without(f"debug file {self.debug}: has CRC")

    def test_wrong_build_id(self):
        self.make()
        place = self.place_by_id()
        shutil.copy(e2e.compile("end_return.c", e2e.GCC, ("-g", "-Wl,--build-id=sha1")), place)
        self.without(f"debug file {place}: has build-id")

    def test_truncated(self):
        self.make()
        place = self.place_by_id()
        whole = place.read_bytes()
        for size in (0, 10, 64, 3000, len(whole) // 2, len(whole) - 1):
            with self.subTest(size):
                place.write_bytes(whole[:size])
                self.without(f"debug file {place}")

    def test_corrupt_line_table(self):
        self.make()
        place = self.place_by_id()
        junk = self.folder / "junk"
        junk.write_bytes(b"\xff" * 100)
        command("objcopy", "--update-section", f".debug_line={junk}", place)
        self.without(f"debug file {place}: .debug_line")

    def test_bad_one_does_not_hide_a_good_one(self):
        self.make()
        self.link()
        place = self.root / ".build-id"
        good = self.debug.read_bytes()
        place = self.place_by_id()
        place.write_bytes(b"\x7fELF")
        self.debug.write_bytes(good)
        result = self.trace()
        self.assertEqual(self.facts(result), self.whole)
        self.assertIn(f"debug file {place}", result.stderr)

    def test_debuginfod_only_when_asked(self):
        self.make()
        # A server that nobody runs: refused at once, and said.
        result = self.trace(env={**os.environ, "DEBUGINFOD_URLS": "http://127.0.0.1:9/",
                                 "DEBUGINFOD_CACHE_PATH": str(self.folder / "cache")})
        self.assertIn("debuginfod", result.stderr)
        result = self.trace(env={**os.environ, "DEBUGINFOD_URLS": ""})
        self.assertNotIn("debuginfod", result.stderr)

    def test_debuginfod_that_does_not_answer(self):
        self.make()
        with socket.create_server(("127.0.0.1", 0)) as server:  # takes the call and says nothing
            port = server.getsockname()[1]
            result = self.trace(env={**os.environ, "DEBUGINFOD_URLS": f"http://127.0.0.1:{port}/",
                                     "DEBUGINFOD_TIMEOUT": "1",
                                     "DEBUGINFOD_CACHE_PATH": str(self.folder / "cache")})
        self.assertIn("debuginfod", result.stderr)

    def test_debuginfod_file(self):
        self.make()
        name = build_id(self.program)
        served = self.folder / "served" / "buildid" / name
        served.mkdir(parents=True)
        self.debug.rename(served / "debuginfo")
        self.same(env={**os.environ, "DEBUGINFOD_URLS": f"file://{self.folder}/served/",
                       "DEBUGINFOD_CACHE_PATH": str(self.folder / "cache")})


class Supplementary(Files):
    """dwz moves what two programs share into a third file."""

    def setUp(self):
        super().setUp()
        if not shutil.which("dwz"):
            self.skipTest("dwz is not installed: apt-get install dwz")
        self.common = self.folder / "common.dwz"

    def make_dwz(self, *flags, dwarf="-gdwarf-4"):
        shutil.copy(e2e.compile(SOURCE, e2e.GCC, (dwarf, "-O2", "-Wl,--build-id=sha1")),
                    self.program)
        self.whole = self.facts(self.trace())
        second = self.folder / "second"
        shutil.copy(self.program, second)
        command("dwz", *flags, "-m", self.common, self.program, second)
        self.assertIn("gnu_debugaltlink" if not flags else "debug_sup",
                      command("readelf", "-SW", self.program))

    def test_absolute_name(self):
        self.make_dwz()
        self.same()

    def test_relative_name(self):
        shutil.copy(e2e.compile(SOURCE, e2e.GCC, ("-gdwarf-4", "-O2")), self.program)
        self.whole = self.facts(self.trace())
        shutil.copy(self.program, self.folder / "second")
        command("dwz", "-r", "-m", self.common, self.program, self.folder / "second")
        self.same()

    def test_dwarf_5_form(self):
        self.make_dwz("--dwarf-5", dwarf="-gdwarf-5")
        self.same()

    def test_missing_or_wrong(self):
        self.make_dwz()
        self.common.rename(self.folder / "gone")
        self.assertIn(f"{self.common} was not found", self.trace().stderr)
        other = e2e.compile("end_return.c", e2e.GCC, ("-g", "-Wl,--build-id=sha1"))
        shutil.copy(other, self.common)
        result = self.trace()
        self.assertIn(f"debug file {self.common}: has build-id", result.stderr)
        # Lines and own code are in the program.
        self.assertEqual([fact[:2] for fact in self.facts(result)],
                         [fact[:2] for fact in self.whole])


class Packed(Files):
    """.gnu_debugdata: the symbols of functions that are not exported, in the program, compressed by xz."""

    def setUp(self):
        super().setUp()
        if not shutil.which("xz"):
            self.skipTest("xz is not installed: apt-get install xz-utils")

    def names(self):
        return [stop["function"] for stop in e2e.stops(self.trace())]

    def pack(self):
        """As distributions do it: a stripped program, with the symbols of its functions in the section."""
        shutil.copy(e2e.compile(SOURCE, e2e.GCC, ("-g", "-O2")), self.program)
        command("strip", "-g", self.program)
        self.whole = self.names()
        symbols = re.findall(r"^(\S+) [Tt] ", command("nm", "--format=posix", "--defined-only", self.program),
                             re.M)
        keep, mini = self.folder / "keep", self.folder / "mini"
        keep.write_text("\n".join(symbols) + "\n")
        command("objcopy", "--only-keep-debug", self.program, self.debug)
        command("objcopy", "-S", f"--keep-symbols={keep}", self.debug, mini)
        command("strip", self.program)
        self.assertNotEqual(self.names(), self.whole)
        command("xz", mini)
        command("objcopy", f"--add-section=.gnu_debugdata={mini}.xz", self.program)

    def test_functions_have_their_names(self):
        self.pack()
        self.assertIn("main", self.whole)
        self.assertEqual(self.names(), self.whole)

    def test_one_that_cannot_be_read_is_named(self):
        self.pack()
        garbage = self.folder / "garbage"
        garbage.write_bytes(b"\xfd7zXZ\0garbage")
        command("objcopy", f"--update-section=.gnu_debugdata={garbage}", self.program)
        self.assertEqual(self.trace().stderr.count(".gnu_debugdata cannot be read"), 1)

    def test_one_that_swells_is_not_unpacked(self):
        """Zeros: some kilobytes that come to more than a program of this size answers for."""
        self.pack()
        swollen = self.folder / "swollen"
        with open(swollen, "wb") as file:
            file.truncate(256 << 20)
        command("xz", "-1", swollen)
        command("objcopy", f"--update-section=.gnu_debugdata={swollen}.xz", self.program)
        self.assertIn(".gnu_debugdata cannot be read: compressed, and over", self.trace().stderr)


class Swollen(Files):
    """A section that says it comes to more than debug information ever does."""

    def test_is_refused(self):
        for form, size in (("zlib", slice(8, 16)), ("zlib-gnu", slice(4, 12))):
            with self.subTest(form):
                shutil.copy(e2e.compile(SOURCE, e2e.GCC, ("-g", "-O2")), self.program)
                command("objcopy", f"--compress-debug-sections={form}", self.program)
                offset = re.search(r"debug_info +PROGBITS +\w+ (\w+)",
                                   command("readelf", "-SW", self.program)).group(1)
                program = bytearray(self.program.read_bytes())
                section = memoryview(program)[int(offset, 16):]
                self.assertLess(int.from_bytes(section[size], "little" if form == "zlib" else "big"), 1 << 20)
                section[size] = (1 << 30).to_bytes(8, "little" if form == "zlib" else "big")
                self.program.write_bytes(program)
                result = e2e.xstep("trace", self.program)
                self.assertEqual(result.returncode, 2)
                self.assertRegex(result.stderr, r"debug_info: compressed, and over \d+ bytes long")


class Split(Files):
    """-gsplit-dwarf: the DIEs are in .dwo files."""

    def make_split(self, compiler, version):
        shutil.copy(e2e.compile(SOURCE, compiler, (f"-gdwarf-{version}", "-O2")), self.program)
        self.whole = self.facts(self.trace())
        command(compiler, f"-gdwarf-{version}", "-O2", "-gsplit-dwarf", "-c", "-w", "-o",
                "program.o", e2e.subject(SOURCE), cwd=self.folder)
        command(compiler, "-o", "program", "program.o", cwd=self.folder)
        self.dwo = self.folder / "program.dwo"
        self.assertTrue(self.dwo.exists())

    def each(self):
        for compiler in (e2e.GCC, e2e.CLANG):
            for version in (4, 5):
                with self.subTest(f"{compiler} DWARF {version}"):
                    self.make_split(compiler, version)
                    yield

    def test_dwo(self):
        for _ in self.each():
            # No symbols: the functions' names must come from the .dwo.
            command("strip", "--keep-section=.debug*", self.program)
            self.same()

    def test_missing_dwo(self):
        for _ in self.each():
            self.dwo.unlink()
            result = self.trace()
            self.assertEqual(result.stderr.count("warning"), 1, result.stderr)
            self.assertIn(f"{self.dwo} is missing", result.stderr)
            self.assertEqual([fact[:2] for fact in self.facts(result)],
                             [fact[:2] for fact in self.whole])

    def test_missing_dwo_and_no_symbols(self):
        for _ in self.each():
            self.dwo.unlink()
            command("strip", "--keep-section=.debug*", self.program)
            self.assertEqual([fact[:2] for fact in self.facts(self.trace())],
                             [fact[:2] for fact in self.whole])

    def test_truncated_dwo(self):
        for _ in self.each():
            self.dwo.write_bytes(self.dwo.read_bytes()[:500])
            self.trace()


if __name__ == "__main__":
    e2e.main()
