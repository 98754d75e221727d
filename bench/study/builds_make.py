"""builds_make.py - makes the programs of testdata/builds as a cell of builds_table.py says."""
import dataclasses
import hashlib
import itertools
import os
import pathlib
import re
import shutil

import e2e
from builds_table import TABLE

SOURCES = e2e.TESTDATA / "builds"
PROGRAMS = {"ledger": ("main", "account", "journal", "vault"), "parser": ("main", "lexer", "tree", "values")}
MANY = 100  # small units of the mark `many`


class Trouble(Exception):
    """Why a cell cannot be built."""


@dataclasses.dataclass(frozen=True)
class Cell:
    line: str
    compiler: str
    level: str
    flags: tuple
    link: tuple
    steps: tuple
    marks: frozenset
    tested: bool

    @property
    def name(self):
        return f"{self.line}/{self.compiler}/{self.level.lstrip('-')}"

    @property
    def optimised(self):
        return self.level != "-O0"

    @property
    def words(self):
        """How the cell is built, for people."""
        return " ".join([self.compiler, "-g", self.level, *self.flags, *self.link,
                         *(f"[{step.replace('_', ' ')}]" for step in self.steps),
                         *(f"[{mark}]" for mark in sorted(self.marks - {"lines", "nothing", "lto"}))])


def cells():
    """All cells, in the order of the table."""
    made = []
    for line in TABLE.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        name, compilers, levels, flags, link, steps, marks = (column.strip() for column in line.split("|"))
        tested = {mark[5:] for mark in marks.split() if mark.startswith("test=")}
        marks = frozenset(mark for mark in marks.split() if not mark.startswith("test="))
        of_line = [Cell(name, compiler, level, tuple(flags.split()), tuple(link.split()), tuple(steps.split()),
                        marks, f"{compiler}/{level}" in tested)
                   for compiler, level in itertools.product((compilers or "gcc-12 clang-15").split(),
                                                            (levels or "-O0 -O2").split())]
        unknown = tested - {f"{cell.compiler}/{cell.level}" for cell in of_line}
        assert not unknown, f"{name}: no such cell: {unknown}"
        made += of_line
    assert len({cell.name for cell in made}) == len(made), "two cells have the same name"
    return made


def sources_key():
    """Changes when the programs do."""
    key = hashlib.sha256()
    for path in sorted(SOURCES.rglob("*.[ch]")):
        key.update(path.read_bytes())
    return key.hexdigest()[:16]


class Build:
    """One program of one cell, in a folder of its own."""

    def __init__(self, cell, program, folder):
        self.cell, self.program, self.folder = cell, program, folder
        self.path = folder / program
        self.debug_root = None  # where separate debug files are
        self.symbols = {}  # name -> link-time address
        self.log = []

    def run(self, *words, **options):
        """A tool that must succeed."""
        if not shutil.which(str(words[0])):
            raise Trouble(f"{words[0]} is not installed")
        result = e2e.run(words, cwd=self.folder, **options)
        self.log.append(result.rerun)
        if result.returncode:
            lines = [line for line in (result.stderr + result.stdout).splitlines() if line.strip()]
            said = next((line for line in lines if re.search("error|unsupported|cannot|undefined", line)
                         and "collect2" not in line), lines[0] if lines else f"status {result.returncode}")
            raise Trouble(f"{words[0]}: {said.strip()[:160]}")
        return result

    def compile(self, source, extra=(), name=None):
        cell, made = self.cell, f"{name or source.stem}.o"
        standard = () if cell.compiler == "tcc" else ("-std=gnu11",)
        self.run(cell.compiler, *standard, "-g", cell.level, "-w", *cell.flags, *extra, "-c", "-o", made, source)
        return made

    def driver(self, *words):
        """The compiler as a linker."""
        cell = self.cell
        self.run(cell.compiler, "-g", cell.level, "-w", *cell.flags, *words, *cell.link, "-pthread")

    def link(self, extra=()):
        cell, marks = self.cell, self.cell.marks
        objects = [self.compile(SOURCES / "show.c", extra)]
        objects += [self.compile(SOURCES / self.program / f"{self.program}_{unit}.c", extra)
                    for unit in PROGRAMS[self.program]]
        if "shared" in marks:
            inside, library = objects[2:], f"lib{self.program}.so"
            self.run(cell.compiler, "-g", cell.level, "-w", *cell.flags, "-shared", "-o", library, *inside,
                     *(word for word in cell.link if word != "-no-pie"))
            objects = [one for one in objects if one not in inside] + [library]
            extra = [*extra, "-rdynamic", "-Wl,-rpath,$ORIGIN"]
        if "many" in marks:
            objects = self.many() + objects
        if "relocatable" in marks:
            self.run("ld", "-r", "-o", "all.o", *objects)
            objects = ["all.o"]
        if "archive" in marks:
            self.run("ar", "rc", "all.a", *objects[2:])
            objects = [*objects[:2], "all.a"]
        if self.program == "parser":  # its main is the first thing in the code, ledger's is mark
            objects.append(objects.pop(0))
        self.driver(*extra, "-o", self.program, *objects)

    def many(self):
        """Units with names that the program's have, too."""
        objects = []
        for number in range(MANY):
            source = self.folder / f"many{number}.c"
            source.write_text(f"static int total = {number}; struct entry {{ char other[{number + 1}]; }};\n"
                              f"struct entry many_entry{number}; static __thread int depth = {number};\n"
                              f"int many{number}(int by) {{ static int counter; counter += by; "
                              f"return total += depth++ + counter; }}\n")
            objects.append(self.compile(source))
        return objects

    def profiled(self):
        self.link(("-fprofile-generate",))
        self.run(self.path)
        self.link(("-fprofile-use", "-Wno-missing-profile"))

    def symbols_read(self):
        result = self.run("nm", self.program, *(path.name for path in self.folder.glob("lib*.so")))
        for line in result.stdout.splitlines():
            words = line.split()
            if len(words) == 3 and words[1] in "TtDdBbWw":
                self.symbols.setdefault(words[2], int(words[0], 16))
        if "mark" not in self.symbols:
            raise Trouble("the linked program has no symbol mark")

    def make(self):
        if self.folder.exists():
            shutil.rmtree(self.folder)
        self.folder.mkdir(parents=True)
        (self.profiled if "profile" in self.cell.marks else self.link)()
        self.symbols_read()
        for step in self.cell.steps:
            globals()[f"step_{step}"](self)


# The steps, each with a linked program.

def keep_debug(build, made, objcopy="objcopy", strip="strip"):
    build.run(objcopy, "--only-keep-debug", build.program, made)
    build.run(strip, "-g", build.program)


def step_compress_zlib(build):
    build.run("objcopy", "--compress-debug-sections=zlib", build.program)


def step_compress_zlib_gnu(build):
    build.run("objcopy", "--compress-debug-sections=zlib-gnu", build.program)


def step_strip_symbols(build):
    """The symbol table goes, the debug information stays."""
    build.run("objcopy", "--strip-all", "--keep-section=.debug_*", build.program, "stripped")
    if b".debug_info" not in (build.folder / "stripped").read_bytes():
        raise Trouble("objcopy --keep-section drops .debug_info")
    (build.folder / "stripped").rename(build.path)


def dwo_files_hide(build):
    for path in build.folder.glob("*.dwo"):
        path.unlink()


def step_dwp_llvm(build):
    build.run("llvm-dwp-15", "-e", build.program, "-o", f"{build.program}.dwp")
    dwo_files_hide(build)


def step_dwp_gnu(build):
    build.run("dwp", "-e", build.program, "-o", f"{build.program}.dwp")
    dwo_files_hide(build)


def step_dwz(build):
    build.run("dwz", build.program)


def dwz_many(build, *options):
    """dwz -m wants two files at least to find what they share."""
    shutil.copy(build.path, build.folder / "copy")
    build.run("dwz", *options, "-m", "common.debug", build.program, "copy")
    if not (build.folder / "common.debug").exists():
        raise Trouble("dwz -m makes no common file of this")


def step_dwz_many(build):
    dwz_many(build)


def step_dwz_many_5(build):
    dwz_many(build, "--dwarf-5")


def step_debuglink(build):
    keep_debug(build, f"{build.program}.debug")
    build.run("objcopy", f"--add-gnu-debuglink={build.program}.debug", build.program)


def step_debuglink_llvm(build):
    keep_debug(build, f"{build.program}.debug", "llvm-objcopy-15", "llvm-strip-15")
    build.run("llvm-objcopy-15", f"--add-gnu-debuglink={build.program}.debug", build.program)


def step_debuglink_folder(build):
    step_debuglink(build)
    (build.folder / ".debug").mkdir()
    (build.folder / f"{build.program}.debug").rename(build.folder / ".debug" / f"{build.program}.debug")


def build_id(build):
    result = build.run("readelf", "-n", build.program)
    return next(line.split()[-1] for line in result.stdout.splitlines() if "Build ID" in line)


def step_build_id(build):
    keep_debug(build, "kept")
    name = build_id(build)
    build.debug_root = build.folder / "debug-root"
    place = build.debug_root / ".build-id" / name[:2]
    place.mkdir(parents=True)
    (build.folder / "kept").rename(place / f"{name[2:]}.debug")


def step_build_id_dwz(build):
    """As distributions do: separate, and what the files share in one of its own."""
    step_dwz_many(build)
    step_build_id(build)
    place = build.debug_root / ".dwz"
    place.mkdir()
    shutil.copy(build.folder / "common.debug", place / "common.debug")
    for path in build.debug_root.rglob("*.debug"):
        if path.parent != place:
            shutil.copy(build.folder / "common.debug", path.parent / "common.debug")
    (build.folder / "common.debug").unlink()


def step_eu_strip(build):
    build.run("eu-strip", "-f", f"{build.program}.debug", build.program)


def step_eu_strip_reloc(build):
    build.run("eu-strip", "--reloc-debug-sections", "-f", f"{build.program}.debug", build.program)


def debugdata(build):
    """What Fedora does: the symbols of functions, in an ELF file of their own, in a section."""
    shutil.copy(build.path, build.folder / "whole")
    build.run("objcopy", "-S", "--remove-section", ".gdb_index", "--remove-section", ".comment",
              "--keep-symbol=mark", "--keep-symbol=main", "whole", "mini")
    build.run("xz", "--keep", "mini")
    build.run("strip", "--strip-all", build.program)
    build.run("objcopy", "--add-section", ".gnu_debugdata=mini.xz", build.program)


def step_debugdata(build):
    debugdata(build)


def step_debuglink_debugdata(build):
    build.run("objcopy", "--only-keep-debug", build.program, f"{build.program}.debug")
    debugdata(build)
    build.run("objcopy", f"--add-gnu-debuglink={build.program}.debug", build.program)


def bolt(build, tool, *options):
    build.run(tool, build.program, "-o", "bolted", "-update-debug-sections", *options)
    (build.folder / "bolted").rename(build.path)
    build.symbols.clear()
    build.symbols_read()


def step_bolt(build):
    bolt(build, "llvm-bolt-15", "-reorder-functions=hfsort", "-reorder-blocks=reverse")


def step_bolt_16(build):
    bolt(build, "llvm-bolt-16", "-reorder-blocks=reverse")


def step_bolt_split(build):
    bolt(build, "llvm-bolt-15", "-reorder-blocks=reverse", "-split-functions", "-split-all-cold")
