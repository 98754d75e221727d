#!/usr/bin/python3
"""same_words.py - do two builds of xstep say the same, byte for byte?

Protects what users see when the program is changed inside: every command's standard output, standard
error and exit status, and the files it writes. Both builds run the same commands on the same subjects: the
programs of testdata/, its hand-written DWARF, damaged executables, and small programs of csmith. Stores are
compared by the rows of all tables and views. Only what must vary is set aside: VARYING, the columns
UNCOMPARED, and the state of programs that see their process number. Help is not compared.

Sources are copied into the cache folder and compiled there: a subject's path, and with it the stack that the
program sees, does not depend on where testdata/ is. What the old build said is kept there too, by its
checksum and the commands; the next comparison then runs the new build only. A changed source is another
subject. Remove the folder after an update of compilers or debuggers.

Exit status: 0 same, 1 different, 2 trouble.
"""
import argparse
import concurrent.futures
import contextlib
import difflib
import fcntl
import gzip
import hashlib
import os
import pathlib
import random
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile

GCC, CLANG, CSMITH = "gcc-12", "clang-15", "-I/usr/include/csmith"
LIMIT_SECONDS = 400  # for one command, on a busy machine
SHOWN_LINES = 40     # of one difference
VARYING = [(re.compile(pattern), words) for pattern, words in (
    (r'(seconds"?: ?)[0-9.e+-]+', r"\1N"), (r"\b\d+\.\d+ s\b", "N s"), (r'\btime="[0-9.]+"', 'time="N"'),
    (r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", "DATE"),
    (r"/tmp/xstep-(\w+-)?\w{6}\b", "/tmp/xstep-TEMPORARY"),
    (r"\b([Pp]rocess|[Tt]hread|tid =|LWP|pid) \d+(\.\d+)?", r"\1 N"),  # sessions with debuggers
    (r"\bhost address 0x[0-9a-f]+", "host address N"),                 # lldb's words, of lldb's own memory
    (r'\bxstep(:?\s+|",\s*"version":\s*")\d+\.\d+\.\d+', r"xstep\1VERSION"))]
UNCOMPARED = {"host", "began", "ended"}
SEES_ITS_NUMBER = re.compile(r"\b(raise|kill|v?fork|clone|pthread_\w+|getpid|execl|abort)\b")
HANGS_A_DEBUGGER = {"dwarf_branch"}
DEBUGGED = {"diff_demo", "demo", "vars_change", "explain_paths", "inline_start", "leave_longjmp", "units_two",
            "types_all", "check_value", "check_list", "end_fault"}
WRONG_WORDS = """;/nowhere;/nowhere.db;/tmp;--nonsense;--formt json;--format xml;--format;--limit -1;--seed x;a b c;
    --timeout 0;--witness nobody;--at;BARE BARE;SHARED;WRONG/empty;WRONG/text;WRONG/head;WRONG/half;WRONG/nearly;
    WRONG/other.db;WRONG/text.db"""
SHOWN = """;--format json;--format csv;--stats;--list;--list --format json;--frames --regs --from 3 --to 40;
    --at 20 --format json;--at 9;--at 100000;--var i;--var x --format json;--quote 12;--trace 7"""
FLAGS = """-g3;-gdwarf-2;-gdwarf-4 -O1;-gdwarf-4 -fdebug-types-section;-gz;-g -gsplit-dwarf -O2;-gdwarf64 -O1;
    -g -static;-g1 -O2"""


class Trouble(Exception):
    """The comparison itself cannot be made."""


class Case:
    """Commands of xstep, or of a shell that calls it XSTEP, that run one after the other in a folder of their
    own. A case with a debugger or a compiler in it is slow."""

    def __init__(self, *commands, slow=False):
        words = (shlex.split(command) for command in commands)
        self.commands = [each if each[:1] == ["sh"] else ["XSTEP", *each] for each in words]
        self.slow = slow
        self.title = "; ".join(shlex.join(command) for command in self.commands)


def listed(text):
    return [" ".join(part.split()) for part in text.split(";")]


def run(command, **options):
    return subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=options.pop("timeout", LIMIT_SECONDS), **options)


@contextlib.contextmanager
def alone(path):
    """Others that use the cache folder wait here."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


# --- subjects ---------------------------------------------------------------------------------------------

class Subjects:
    """Sources, copied to a place that stays, and what is compiled from them."""

    def __init__(self, testdata, folder):
        self.files = sorted(path for path in testdata.rglob("*") if path.is_file())
        self.folder = folder
        if not self.files:
            raise Trouble(f"{testdata}: no files")

    def find(self, pattern, part=None):
        """Sources by base name, wherever below testdata/ they are; with `part`, in a folder of that name."""
        return [path for path in self.files if path.match(pattern) and (part is None or part in path.parts)
                and not path.parent.name.startswith("fuzz_")]

    def one(self, name):
        found = self.find(name)
        if not found:
            raise Trouble(f"{name}: not in testdata")
        return found[0]

    def copy(self, sources, name):
        """A folder, named by content, with the sources, the headers that they include, and NAME_with.c."""
        waiting, texts = list(sources), {}
        while waiting:
            source = waiting.pop()
            texts[source.name] = source.read_bytes()
            needed = {word.decode() for word in re.findall(rb'^#\s*include "([\w.]+)"', texts[source.name], re.M)}
            needed = (source.parent / word for word in sorted({*needed, f"{source.stem}_with.c"} - {*texts}))
            waiting += [path for path in needed if path.exists()]
        key = hashlib.sha256(repr(sorted(texts.items())).encode()).hexdigest()[:12]
        folder = self.folder / f"{name}-{key}"
        folder.mkdir(parents=True, exist_ok=True)
        for word, text in texts.items():
            if not (folder / word).exists():
                (folder / word).write_bytes(text)
        return folder

    def copied(self, source):
        return self.copy([source], source.stem) / source.name

    def compile(self, source, compiler=GCC, *flags):
        """The executable of a source, which may have a line ` * build: FLAGS`. None if it does not compile."""
        source = self.copied(source)
        program = source.parent / "".join([compiler, *flags]).replace("/", "_") / source.stem
        if not program.parent.exists():
            scratch = program.parent.with_suffix(".new")
            scratch.mkdir(exist_ok=True)
            own = re.search(r"^ \* build: (.*)$", source.read_text(), re.M)
            units = [source.name, *(path.name for path in source.parent.glob(f"{source.stem}_with.c"))]
            run([compiler, *flags, *(own.group(1).split() if own else ()), "-w", "-o", scratch / source.stem,
                 *units, "-lm"], cwd=source.parent)
            scratch.rename(program.parent)
        return program if program.exists() else None

    def csmith(self, count):
        """Programs of csmith that end by themselves in a second; which these are is remembered."""
        folder, seed, found = self.folder / "csmith", 0, []
        folder.mkdir(parents=True, exist_ok=True)
        while len(found) < count:
            seed += 1
            source, refused = folder / f"csmith_{seed}.c", folder / f"csmith_{seed}.refused"
            if not source.exists():
                text = run(["csmith", "--seed", seed, "--max-funcs", 3, "--max-block-depth", 2,
                            "--max-array-len-per-dim", 4], cwd=folder).stdout
                if not text:
                    raise Trouble("csmith does not write a program")
                source.write_bytes(text)
                try:
                    run([self.compile(source, GCC, "-g", "-O0", CSMITH)], timeout=1).check_returncode()
                except subprocess.SubprocessError:
                    refused.touch()
            if not refused.exists():
                found.append(source)
        return found

    def damaged(self, program, count):
        """Copies of an executable with bytes of .debug_* and .eh_frame changed, the same bytes each time."""
        sections = re.findall(r"\] (\.(?:debug_\w+|eh_frame)) +\w+ +\w+ +(\w+) (\w+) ",
                              run(["readelf", "-SW", program]).stdout.decode())
        for number in range(count):
            path = program.parent / f"damaged_{number}"
            if not path.exists():
                chance, data = random.Random(f"{program.name} {number}"), bytearray(program.read_bytes())
                for _ in range(1 + number % 4):
                    _, offset, size = chance.choice(sections)
                    at = int(offset, 16) + chance.randrange(int(size, 16))
                    data[at] = chance.choice((0, 0x7F, 0x80, 0xFF, data[at] ^ 1, chance.randrange(256)))
                path.write_bytes(data)
                path.chmod(0o755)
            yield path


# --- cases ------------------------------------------------------------------------------------------------

def trace_cases(program, source, full=True):
    """The ways to trace one program. One whose header has ` * options:` does not end by itself."""
    text = source.read_text()
    own = re.search(r"^ \* options: (.*)$", text, re.M)
    few = own.group(1) if own else "--limit 1500 --timeout 60"
    # A child's end is a signal, and comes in the program's own code or in a library's.
    every, local, stats = "all --regs", "locals", "--stats=stats"
    if SEES_ITS_NUMBER.search(text):
        every, local, stats = "none", "none", ""
    elif re.search(r"\bfree\b", text):  # leaves a random number of glibc's in a register
        every = "all"
    yield Case(f"trace --format json --frames --vars {every} {few} {program}")
    yield Case(f"trace --sample none --transitions transitions {stats} {few} {program}")
    if own:
        return
    yield Case(f"trace --mode unique --transitions transitions {stats} --format json {program}")
    if full:
        yield Case(f"trace --sample all --vars {local} {few} {program}")
        yield Case(f"trace --mode single --sample none --transitions transitions {stats} {few} {program}")
        yield Case(f"trace --level line --vars {local} {few} {program}")
        yield Case(f"trace --level break --format json {few} {program}")


def explain_cases(program, source, step):
    """Listings, and the working behind the names of the source, at some lines."""
    text = source.read_text()
    if " * options: " in text or SEES_ITS_NUMBER.search(text):
        return
    code = re.sub(r"/\*.*?\*/|\"[^\"]*\"|^#.*?$", " ", text, flags=re.S | re.M)
    names = list(dict.fromkeys(re.findall(r"\b[a-z]\w*\b(?!\s*\()", code)))[:30]
    names = " ".join(f"--var {name}" for name in names)
    yield Case(f"explain {program}")
    for line in range(step, len(text.splitlines()) + 1, step):
        yield Case(f"explain --at {line} {names} {program}")
        yield Case(f"explain --at {source.name}:{line + 2} --hit 2 --format json {program}")
        yield Case(f"explain --at {line + 4} --frame 1 --format json {names} {program}")


def store_case(program):
    return Case(f"trace -o one.db --keep-order --limit 300 {program}",
                *(f"show {words} one.db" for words in listed(SHOWN)), "store check one.db")


def diff_case(program):
    """Asks the debuggers once, and compares what they said in every form."""
    return Case(f"diff -o one.db --format json --patience 20 --limit 300 {program}", "diff one.db",
                "diff --all --presentation one.db", "diff --format sarif one.db", "diff --format junit one.db",
                "diff --new one.db", "diff --trace 1 --trace 2 one.db", "show --trace 2 --format json one.db",
                "store check one.db", slow=True)


def check_cases(source, subjects, compiler, level):
    programs = [subjects.compile(source, compiler, "-g", each, CSMITH) for each in ("-O0", level)]
    both, opt, kept = f"{programs[0]} {programs[1]}", programs[1], "-o one.db --timeout 60"
    avail = f"--flag {CSMITH} --source {subjects.copied(source)}"
    yield Case(*(f"check opt {kept} {words} {both}" for words in
                 ("", "--parts --all", "--format json", "--format sarif", "--format junit")))
    yield Case(*(f"check levels {kept} {words} {opt}" for words in
                 ("--random-starts 2 --seed 1", "--format json --no-stmt", "--no-break --all")))
    yield Case(f"check avail {kept} {avail} {opt}", f"check avail {kept} {avail} --format json {opt}",
               f"check avail --inject-opaque {avail}")
    yield Case(*(f"check metrics {kept} {words} {both}" for words in
                 ("--functions --variables", "--format json", "--format svg")))


def damaged_cases(subjects, program, count):
    for path in subjects.damaged(program, count):
        yield Case(f"trace --vars all --frames --limit 200 {path}")


def wrong_input_cases(subjects):
    """What is said of files and words that are not what they should be."""
    demo = subjects.compile(subjects.one("demo.c"), GCC, "-g", "-O1")
    bare = subjects.compile(subjects.one("demo.c"), GCC, "-O1", "-s")
    shared = subjects.compile(subjects.one("tool_plugin.c"), GCC, "-g", "-shared", "-fPIC")
    folder, data = demo.parent, demo.read_bytes()
    for name, content in {"empty": b"", "text": b"hello\n", "text.db": b"hello\n", "head": data[:200],
                          "half": data[:len(data) // 2], "nearly": data[:-100],
                          "other.db": b"SQLite format 3\0" + bytes(84)}.items():
        if not (folder / name).exists():
            (folder / name).write_bytes(content)
            (folder / name).chmod(0o755)
    for command in listed("""trace;explain;diff;show;serve;check opt;check levels;check avail;check metrics;ccmd;
            mutate -o m;store check;store merge out.db;witness;trace -o one.db;check;store;"""):
        for words in listed(WRONG_WORDS):
            if command != "serve" or words not in ("BARE BARE", "SHARED"):  # it would wait for a client
                words = words.replace("BARE", str(bare)).replace("SHARED", str(shared))
                yield Case(f"{command} {words.replace('WRONG', str(folder))}", slow=command == "witness")
    for words in listed(f"""trace --from nobody;trace --from demo.c:999;trace -o /nowhere/x.db;trace --mode fast;
            trace --mode unique --sample all;trace --module libno;trace --witness gdb@/nowhere;
            trace --stdin /nowhere;trace --debug-file {folder}/text;trace --env x;explain --at 999;
            explain --at 0x1;explain --var 'a b';explain --frame 99;explain --hit 0;explain --core {folder}/text;
            serve --listen nowhere;serve --listen 1:2:3;diff --known /nowhere;diff --trace 1"""):
        yield Case(f"{words} {demo}")


def tool_cases(subjects):
    """Core files, merged stores, threads, modules, servers, ccmd and mutate."""
    demo = subjects.compile(subjects.one("demo.c"), GCC, "-g", "-O1")
    core = demo.parent / "core"
    if not core.exists():
        run(["gdb", "-nx", "-batch", "-ex", "break square", "-ex", "run", "-ex", f"gcore {core}", demo])
    yield Case(f"explain --core {core} {demo}", f"explain --core {core} --frame 1 --var i {demo}")
    yield Case(f"trace -o a.db {demo}", f"trace -o b.db --level line {demo} 1", "store merge c.db a.db b.db",
               "store check a.db b.db c.db", "show --list c.db", "show --trace 2 c.db", "show c.db", "--version")
    threads = subjects.compile(subjects.one("tool_threads.c"), GCC, "-g", "-O1", "-pthread")
    for way in sorted(set(re.findall(r'\{"(\w+)", ', subjects.one("tool_threads.c").read_text()))):
        yield Case(f"trace --threads all --format json --limit 5000 {threads} {way}")
    loader = subjects.compile(subjects.one("tool_loader.c"), GCC, "-g", "-O1")
    plugin, other = (subjects.compile(subjects.one("tool_plugin.c"), GCC, "-g", "-O1", "-shared", "-fPIC", *more)
                     for more in ((), ("-DOTHER",)))
    yield Case(f"trace --module tool_plugin --vars all --format json {loader} {plugin} {other} 2")
    for options in ("", "--plan --sample unique --limit 20"):
        session = (f"XSTEP serve {options} --listen unix:$PWD/s {demo} >out 2>err & until [ -S s ]; do sleep 0.02; "
                   "done; gdb -nx -batch -ex 'set width 0' -ex 'set sysroot /' -ex 'target remote s' -ex stepi "
                   f"-ex 'break square' -ex continue -ex bt -ex 'info registers' -ex kill {demo}; wait; rm s")
        yield Case(f"sh -c {shlex.quote(session)}", slow=True)
    yield Case("witness", "witness --json", slow=True)
    pairs, found = subjects.folder / "pairs-gcc", subjects.find("*.[cS]", "ccmd")
    pairs.write_text(f'#!/bin/sh\ncase " $* " in\n*" -g0 "*|*" --version "*) exec {GCC} "$@" ;;\nesac\n'
                     f'exec {GCC} -DWITH_G "$@"\n')
    pairs.chmod(0o755)
    folder = subjects.copy(found, "ccmd")
    written, plain = (" ".join(str(folder / path.name) for path in found if path.suffix == suffix)
                      for suffix in (".S", ".c"))
    yield Case(*(f"ccmd -j 1 --no-compare-debug --compiler {pairs} --levels=-O0 -o kept {words} {written}" for words
                 in ("", "--format json", "--format sarif", "--format junit", "--all")), slow=True)
    yield Case(f"ccmd -j 1 --compiler {GCC},{CLANG} --levels=-O0,-O2 --extra -fopenmp --format json {plain}",
               f"ccmd -j 1 --mutate 2 --levels=-O2 --g=-g1,-g3 {subjects.copied(subjects.one('demo.c'))}", slow=True)
    for source in [*subjects.find("*.c", "mutate"), *map(subjects.one, ("demo.c", "types_all.c", "vars_change.c"))]:
        source = subjects.copied(source)
        yield Case(f"mutate -n 3 --json -o m {source}", f"mutate {source} -o m",
                   f"mutate --only asm,fco --packed --seed 9 --force -o m {source}")


def debugger_cases(subjects):
    """Other ways to ask debuggers, and reports."""
    demo = subjects.compile(subjects.one("diff_demo.c"), GCC, "-g", "-O2")
    unopt, opt = (subjects.compile(subjects.one("check_value.c"), GCC, "-g", level) for level in ("-O0", "-O2"))
    for words in listed(f"""diff --report bugs {demo};diff --mode unique {demo};diff --against {unopt} {opt};
            diff --drive native --format json {demo};diff --against {unopt} --format json {opt};
            diff --witness lldb,lldb:expression {demo};diff --no-plan --drive native {demo};
            trace ALL --vars all --frames --format json {demo};trace ALL --vars locals --level line {demo};
            trace --witness gdb,lldb --level break --vars locals {demo};check levels ALL {demo};
            trace ALL --ask text --format json --vars all {demo};check metrics ALL {unopt} {opt};
            trace ALL --repeat 2 --ask all -o one.db {demo};check opt ALL --report bugs {unopt} {opt}"""):
        yield Case(words.replace("ALL", "--witness xstep,gdb,lldb"), slow=True)


def subject_cases(subjects, source):
    """A program of testdata/: fewer builds of those whose header does not describe a trace."""
    text = source.read_text()
    own = re.search(r"^(/\*| \*) end: ", text, re.M)
    for number, (compiler, level) in enumerate(((GCC, "-O0"), (GCC, "-O2"), (CLANG, "-O0"), (CLANG, "-O2"))):
        program = subjects.compile(source, compiler, "-g", level) if own or number in (0, 3) else None
        if not program:
            continue
        yield from trace_cases(program, source, full=own)
        yield from explain_cases(program, source, 20 + number)
        if own and number == 1 and not re.search(rf" \* options: |\bfree\b|{SEES_ITS_NUMBER.pattern}", text):
            yield store_case(program)
        if source.stem in DEBUGGED and number == 1:
            yield diff_case(program)
    for compiler, level in ((GCC, "-O2"), (CLANG, "-O1")):
        if "dtd" in source.parts:
            yield diff_case(subjects.compile(source, compiler, "-g", "-O1"))
        if source.stem.startswith("check_"):
            yield from check_cases(source, subjects, compiler, level)


def dwarf_cases(subjects, source):
    """Hand-written DWARF: each ` * expect: STOP[:FRAME] PATH` is explained."""
    program = subjects.compile(source)
    yield from trace_cases(program, source)
    yield store_case(program)
    symbols = re.findall(r"^(\w+) \w at_(\w+)$", run(["nm", program]).stdout.decode(), re.M)
    places = {name: f"0x{int(pc, 16):x}" for pc, name in symbols}
    for place, path in re.findall(r"^ \* expect: (\S+) (\S+)", source.read_text(), re.M):
        stop, _, frame = place.partition(":")
        words = f"--at {places[stop]} --frame {frame or 0} --var '{path}' {program}"
        yield Case(f"explain {words}" if len(path) % 4 else f"explain --format json {words}")
    yield from damaged_cases(subjects, program, 4)
    if source.stem not in HANGS_A_DEBUGGER:
        yield diff_case(program)


def all_cases(subjects, seeds):
    yield from wrong_input_cases(subjects)
    yield from tool_cases(subjects)
    yield from debugger_cases(subjects)
    for source in subjects.find("*.c"):
        if not re.match(r"tool_|.*_with$", source.stem) and re.search(r"^int main\b", source.read_text(), re.M):
            yield from subject_cases(subjects, source)
    for name in ("types_all.c", "units_two.c", "inline_start.c", "types_all.cpp", "types_odd.s"):
        for flags in listed(FLAGS):
            program = subjects.compile(subjects.one(name), "g++-12" if name.endswith("pp") else GCC, *flags.split())
            if program:
                yield from trace_cases(program, subjects.one(name), full=False)
                yield Case(f"explain {program}")
    for source in subjects.find("dwarf_*.S"):
        yield from dwarf_cases(subjects, source)
    for number, source in enumerate(subjects.csmith(seeds)):
        for compiler, level in ((GCC, "-O2"), (CLANG, "-O1")):
            program = subjects.compile(source, compiler, "-g", level, CSMITH)
            yield from trace_cases(program, source, full=number < 6)
            yield from explain_cases(program, source, 97)
            yield from damaged_cases(subjects, program, 2)
            yield store_case(program)
            if number < 8:
                yield diff_case(program)
            if number < 4:
                yield from check_cases(source, subjects, compiler, level)


# --- running and comparing --------------------------------------------------------------------------------

def store_text(path):
    """All rows of a store, in order; of the view `states`, those of three stops of each trace."""
    lines, connection = [], sqlite3.connect(path)
    try:
        relations = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name"
        for name, in connection.execute(relations).fetchall():
            wheres = [""] if name != "states" else [
                f"WHERE trace = {trace} AND stop = {stop}" for trace, first, last in connection.execute(
                    "SELECT trace, min(number), max(number) FROM stop GROUP BY trace").fetchall()
                for stop in sorted({first, (first + last) // 2, last})]
            for where in wheres:
                cursor = connection.execute(f'SELECT * FROM "{name}" {where}')
                kept = [i for i, column in enumerate(cursor.description) if column[0] not in UNCOMPARED]
                lines += [f"[{name}] {where}".strip(), *sorted(" | ".join(str(row[i]) for i in kept) for row in cursor)]
    except sqlite3.Error as error:
        lines.append(f"sqlite3: {error}")
    connection.close()
    return "\n".join(lines)


def file_text(path):
    if path.is_symlink():
        return f"link to {os.readlink(path)}"
    data = path.read_bytes()
    if data.startswith(b"SQLite format 3\0"):
        return store_text(path)
    return hashlib.sha256(data).hexdigest() if b"\0" in data else data.decode(errors="replace")


def said_by(build, case, folder):
    """All that a build says and writes for a case, in one text."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    parts, probed = [], str(folder.parent / "probed")
    environment = {"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin", "HOME": probed, "XDG_CACHE_HOME": probed}
    for command in case.commands:
        with subprocess.Popen([word.replace("XSTEP", str(build)) for word in command], cwd=folder, env=environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              start_new_session=True) as process:
            try:
                out, err = process.communicate(timeout=LIMIT_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                raise Trouble(f"not done after {LIMIT_SECONDS} seconds: {shlex.join(command)}") from None
        parts += [f"$ {shlex.join(command)}", out.decode(errors="replace"), "--- stderr",
                  err.decode(errors="replace"), f"--- exit status {process.returncode}"]
    for path in sorted(path for path in folder.rglob("*") if path.is_file() or path.is_symlink()):
        parts += [f"--- file {path.relative_to(folder)}", file_text(path)]
    shutil.rmtree(folder)
    return "\n".join(parts).replace(str(build), "XSTEP")


def normal(text):
    for pattern, words in VARYING:
        text = pattern.sub(words, text)
    return text.splitlines()


def difference(old, new):
    """A short unified diff from the first line that differs on; long lines are taken apart at their commas."""
    first = next((i for i, (a, b) in enumerate(zip(old, new)) if a != b), min(len(old), len(new)))
    command = next((line for line in reversed(old[:first + 1]) if line.startswith(("$ ", "--- file"))), "")
    parts = [[part for line in lines[max(0, first - 2):first + 100]
              for part in (line.replace(",", ",\n").splitlines() if len(line) > 160 else [line])]
             for lines in (old, new)]
    lines = list(difflib.unified_diff(*parts, "old", "new", lineterm="", n=2))
    place = f"in: {command[:300]}, line {first + 1}: {old[first][:80] if first < len(old) else 'the end'}"
    return [place, *(line[:200] for line in lines[:SHOWN_LINES])]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--old", required=True, help="the build that is right")
    parser.add_argument("--new", help="the build to compare with it (none: only fill the cache)")
    parser.add_argument("--cache", help="subjects, and what the old build said (a temporary folder)")
    parser.add_argument("--testdata", help="sources (testdata/ of the tree that this script is in)")
    parser.add_argument("--seeds", type=int, default=20, help="programs of csmith (20)")
    parser.add_argument("--only", default="", metavar="WORD",
                        help="only commands that contain this word (--only=--regs)")
    parser.add_argument("--quick", action="store_true", help="a fifth of the commands")
    parser.add_argument("--jobs", type=int, default=1, help="at a time (1)")
    parser.add_argument("--keep", metavar="FOLDER", help="write both texts of what differs there")
    options = parser.parse_args()
    builds = [pathlib.Path(build).resolve() for build in (options.old, options.new or options.old)]
    temporary = None if options.cache else tempfile.TemporaryDirectory(prefix="same_words-")
    cache = pathlib.Path(options.cache or temporary.name).resolve()
    mark = hashlib.sha256(builds[0].read_bytes()).hexdigest()[:16]
    testdata = pathlib.Path(options.testdata or pathlib.Path(__file__).resolve().parents[2] / "testdata")
    with alone(cache / "old" / "lock"):
        cases = {hashlib.sha256(case.title.encode()).hexdigest()[:16]: case for case in
                 all_cases(Subjects(testdata.resolve(), cache / "subjects"), options.seeds)
                 if options.only in case.title}
    quick = {key: case for key, case in cases.items() if int(key, 16) % (10 if case.slow else 5) == 0}
    cases = quick if options.quick else {**quick, **cases}

    def compare(key):
        kept, folder = cache / "old" / f"{key}-{mark}.gz", cache / "run" / "folders" / key
        with alone(cache / "run" / f"{key}.lock"):
            if not kept.exists():
                text = said_by(builds[0], cases[key], folder)
                kept.with_suffix(".new").write_bytes(gzip.compress(text.encode(), 3))
                kept.with_suffix(".new").rename(kept)
            old = gzip.decompress(kept.read_bytes()).decode()
            return key, normal(old), normal(said_by(builds[1], cases[key], folder) if options.new else old)

    differ, seen = 0, set()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for key, old, new in pool.map(compare, cases):
            if old == new:
                continue
            differ += 1
            shown = difference(old, new)
            changed = "\n".join(line for line in shown if line.startswith(("+", "-")))
            if changed not in seen:
                print(f"DIFFERENT {cases[key].title[:1000]}", *shown, "", sep="\n", flush=True)
            seen.add(changed)
            for name, lines in (("old", old), ("new", new)) if options.keep else ():
                path = pathlib.Path(options.keep) / f"{key}.{name}"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("\n".join([cases[key].title, *lines, ""]))
    if differ > len(seen):
        print(f"{differ - len(seen)} not shown: they differ in the same lines as one above")
    print(f"{sum(len(case.commands) for case in cases.values())} commands in {len(cases)} folders, {differ} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Trouble, OSError) as trouble:
        print(f"same_words.py: {trouble}", file=sys.stderr)
        sys.exit(2)
