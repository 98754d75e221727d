"""real.py - programs that people use, built with -g -O2 from Debian's sources.

zlib is in the package gcc-12-source. The others are fetched with apt-get from Debian's archive, which
checks their signatures, into the cache: its lists, cache and sources.list are its own, and the system's
are left alone. What cannot be had is left out, with a word.
"""
import collections
import hashlib
import pathlib
import random
import sys
import tempfile

from contestants import HERE, e2e
from subjects import Subject

SOURCES = e2e.CACHE / "sources"

# name, Debian's package, commands to run in the source first, C files (patterns; `!` takes out),
# compiler's words, arguments, standard input.
Program = collections.namedtuple("Program", "name package first files flags arguments stdin")
PROGRAMS = (
    Program("minigzip", "gcc-12-source", (), (
        "test/minigzip.c", "adler32.c", "crc32.c", "deflate.c", "gz*.c", "inf*.c", "trees.c",
        "zutil.c"), ("-DHAVE_UNISTD_H", "-I."), (), "text"),
    Program("bzip2", "bzip2", (), (
        "bzip2.c", "blocksort.c", "huffman.c", "crctable.c", "randtable.c", "compress.c",
        "decompress.c", "bzlib.c"), (), ("-c",), "text"),
    # Its seed is otherwise the time and some addresses: each run would take other ways.
    Program("lua", "lua5.4", (), ("src/*.c", "!src/luac.c"), ("-Dluai_makeseed(L)=0",),
            (HERE / "real.lua",), None),
    Program("sqlite3", "sqlite3", (
        ("./configure", "--disable-tcl", "--disable-readline"), ("make", "sqlite3.c", "shell.c")),
        ("sqlite3.c", "shell.c"), ("-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION"),
        ("-batch",), HERE / "real.sql"),
)


class Unavailable(Exception):
    """A program that cannot be had here, and why."""


def must(command, **options):
    result = e2e.run(command, timeout=900, **options)
    if result.returncode:
        raise Unavailable(f"{result.rerun}: {(result.stderr or result.stdout).strip()[-300:]}")


def unpack(archive, target, *patterns):
    """The one folder in an archive, under a new name: whole or not at all."""
    with tempfile.TemporaryDirectory(dir=SOURCES) as scratch:
        must(["tar", "-xf", archive, "-C", scratch,
              *(["--wildcards", *patterns] if patterns else [])])
        next(pathlib.Path(scratch).iterdir()).rename(target)


def gcc_zlib():
    archives = sorted(pathlib.Path("/usr/src/gcc-12").glob("gcc-*.tar.xz"))
    if not archives:
        raise Unavailable("the package gcc-12-source is not installed")
    target = SOURCES / "gcc-12"
    if not target.exists():
        unpack(archives[0], target, "*/zlib/*.[ch]")
    return target / "zlib"


def archive():
    """Where this system has its packages from: an address, a release and `main`."""
    told = e2e.run(["apt-get", "indextargets", "--format", "$(SITE) $(RELEASE) $(COMPONENT)",
                    "Created-By: Packages"]).stdout.splitlines()
    found = sorted((line for line in told if line.endswith(" main")), key=len)
    if not found:
        raise Unavailable("apt knows no archive; run apt-get update")
    return found[0]  # updates and security have longer names


def debian_source(package):
    """The source of a package as its authors made it."""
    target = SOURCES / package
    if target.exists():
        return target
    apt = SOURCES / "apt"
    for folder in ("lists/partial", "archives/partial"):
        (apt / folder).mkdir(parents=True, exist_ok=True)
    (apt / "sources.list").write_text(f"deb-src {archive()}\n")
    words = ["apt-get", "-q", "-o", f"Dir::Etc::SourceList={apt / 'sources.list'}", "-o",
             "Dir::Etc::SourceParts=/dev/null", "-o", f"Dir::State::Lists={apt / 'lists'}", "-o",
             f"Dir::Cache={apt}", "-o", "APT::Sandbox::User=root"]
    must([*words, "update", "--error-on=any"])
    must([*words, "--download-only", "source", package], cwd=apt)
    # Beside the archive there may be a signature of it.
    unpack(next(path for path in apt.glob(f"{package}_*.orig.tar.*") if path.suffix != ".asc"), target)
    return target


def sources_of(program):
    """The folder of a program's source, and its C files in there."""
    SOURCES.mkdir(parents=True, exist_ok=True)
    folder = gcc_zlib() if program.package == "gcc-12-source" else debian_source(program.package)
    for command in program.first:
        must(command, cwd=folder)
    left_out = {name[1:] for name in program.files if name.startswith("!")}
    return folder, sorted({str(path.relative_to(folder)) for name in program.files
                           for path in folder.glob(name)} - left_out)


def plant(program, folder, files, target):
    """Mutants of the files with probes, and what finds their headers."""
    words = [*program.flags, "-I.", *sorted({f"-I{pathlib.Path(name).parent}" for name in files})]
    must([e2e.XSTEP, "mutate", "--probes", "--force", "-o", target,
          *(word for flag in words for word in ("--flag", flag)), *files], cwd=folder)
    return [target / f"{pathlib.Path(name).stem}.1.c" for name in files], words


def build(program, probes=False):
    recipe = repr((program.first, program.files, program.flags) + (("probes",) if probes else ())).encode()
    made = SOURCES / f"built-{hashlib.sha256(recipe).hexdigest()[:16]}" / program.name
    if made.exists():
        return made
    made.parent.mkdir(parents=True, exist_ok=True)
    folder, files = sources_of(program)
    words = program.flags
    if probes:
        files, words = plant(program, folder, files, made.parent)
    half_made = made.with_suffix(".half")
    must([e2e.GCC, "-g", "-O2", "-w", *words, "-o", half_made, *files, "-lm"], cwd=folder)
    half_made.rename(made)
    return made


def text():
    """A file to compress: some ten megabytes of words, the same everywhere."""
    path = SOURCES / "text"
    if not path.exists():
        chance = random.Random(1)
        words = ["".join(chance.choices("etaoinshrdlu", k=chance.randint(2, 9)))
                 for _ in range(3000)]
        often = [1 / rank for rank in range(1, len(words) + 1)]
        path.write_text("\n".join(" ".join(chance.choices(words, often, k=1000))
                                  for _ in range(1600)))
    return path


def subjects(names, probes=False):
    """Those of the programs that can be had here; with probes in them, if they are wanted."""
    SOURCES.mkdir(parents=True, exist_ok=True)
    for program in PROGRAMS:
        if program.name in names:
            try:
                stdin = text() if program.stdin == "text" else program.stdin
                yield Subject(program.name, program.name, build(program, probes), program.arguments, stdin)
            except Unavailable as why:
                print(f"bench: {program.name} is left out: {why}", file=sys.stderr)
