#!/usr/bin/env python3
"""hostile_names.py - programs whose names are made to do harm, and a fuzzer that looks whether they can.

A subject is testdata/diff_demo.c with other names in its DWARF: variables, members, functions, types, the
producer and the source file are called what random fragments of shells', gdb's and lldb's languages
make. So are the folder of the program, the program, its arguments and the report's folder. In the
folder where all is run lie files that a debugger might read from there.

What is hostile tries to make a file called like CANARY, by whatever way it is run: `pwn`, which is on PATH,
makes it in the subject's folder, wherever that is run; where a program is run without that PATH, it
is made where the program is. Nothing may:
(a) xstep itself, (b) what is printed by hand, pasted into a shell, (c) a report's scripts and sessions.

    hostile_names.py [--seconds N] [--seed S]

goes on for N seconds (60) from a seed (1), and prints what was tried. Each number of a subject is a
seed of its own: `--seed 17 --seconds 0` tries the one that failed.
"""
import argparse
import atexit
import os
import pathlib
import random
import re
import shlex
import shutil
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import e2e  # noqa: E402

CANARY = "pwned"
TOUCH = f"pwn||touch {CANARY}".encode()
CALL = b'system("' + TOUCH + b'")'
PYTHON = b'import os;os.system("' + TOUCH + b'")'

# What names are made of.
FRAGMENTS = (
    b"'", b'"', b"`", b"\\", b"\\\\", b" ", b"  ", b"\t", b"\r", b"\n", b"%", b"%s%n", b"#", b"!", b"$", b"*",
    b"?", b"~", b"{a,b}", b"(", b")", b"<", b">", b"|", b"&", b";", b"=", b"@", b"--", b"-", b".", b"..",
    b"[", b"]", b"::", b",", b"$(" + TOUCH + b")", b"`" + TOUCH + b"`", b";" + TOUCH + b";",
    b"'; " + TOUCH + b" #", b"|" + TOUCH, b"&" + TOUCH + b"&", b"\n" + TOUCH + b"\n", b'"$(' + TOUCH + b')"',
    b"$'\\n'", b"!" + TOUCH, b"\nshell " + TOUCH + b"\n", b"\n!" + TOUCH + b"\n",
    b"\npipe help | " + TOUCH + b"\n", b"\rshell " + TOUCH + b"\r", b"\npython " + PYTHON + b"\n",
    b"\nplatform shell " + TOUCH + b"\n", b"\nscript " + PYTHON + b"\n",
    b'"\nplatform shell ' + TOUCH + b"\n", b"'\nshell " + TOUCH + b"\n", b"-ex\nshell " + TOUCH, CALL,
    b"(int)" + CALL, b"((int(*)(const char*))system)(\"" + TOUCH + b"\")", b"`(int)" + CALL + b"`",
    b"\\`(int)" + CALL + b"\\`", b"sink=5", b"sink++", b"*(int*)0=1", b"$rip=0", b"$rip", b"$_exitcode",
    b"$_shell(\"" + TOUCH + b"\")", b"$_gdb_setting(\"args\")", b"')::x", b"'::" + CALL,
    b'")[0].line) or ' + b'__import__("os").system("' + TOUCH + b'") #', b"''')\n" + PYTHON + b"\n'''",
    b'"""\n' + PYTHON + b'\n"""', b"\\u0027\\u0027\\u0027", b"\\047", b"\\'", b"\x1b[2J", b"\x1b]0;title\x07",
    b"\x1b]52;c;cHduZWQ=\x07", b"\x9b2J", b"\x07", b"\x08\x08", b"\x7f", b"\x0b\x0c", b"\x01", b"\xc2\x9b2J",
    b"\xe2\x80\xae", b"\xe2\x80\xa8", b"\xef\xbb\xbf", "größe".encode(), "名前".encode(), b"\xff\xfe", b"\xc3",
    b"\xf0\x9f", b"<script>alert(1)</script>", b"<img src=x onerror=alert(1)>", b"](javascript:alert(1))",
    b"![x](http:x)", b"&lt;", b"```", b"|x|", b"\n# title\n", b"]]>", b"/*", b"*/", b"//", b"a" * 40, b"x",
    b"_y1", b"int", b"NULL", b"1", b"0x10",
)
LONG = 5000  # bytes of a name that is too long for everything

# The names in the DWARF of testdata/diff_demo.c, and what they are of. Short ones are longer here: only then
# gcc puts them where other lengths do no harm.
LONGER = {"i": "index", "at": "where", "low": "lower", "sum": "total"}
VARIABLES = ("numbers", "index", "pair", "where", "total", "count", "scale", "value", "sink")
MEMBERS = ("lower", "high")
FUNCTIONS = ("halves", "scaled", "note", "main")
TYPES = ("unsigned int", "char", "long unsigned int")
SOURCE = "diff_demo.c"

# Files that a debugger might read from where it runs. Each would make the canary.
SCRIPT = f"import os; open(os.path.join(os.path.dirname(os.path.abspath(__file__)), {CANARY!r}), 'w')\n"
TRAPS = {".gdbinit": f"shell touch {CANARY}\n", ".lldbinit": f"platform shell touch {CANARY}\n",
         ".lldbinit-lldb": f"platform shell touch {CANARY}\n", ".gdbearlyinit": f"shell touch {CANARY}\n",
         **{f"{name}.py": SCRIPT for name in ("lldb", "six", "gdb", "pygments", "sitecustomize", "usercustomize",
                                              "readline", "facts", "walk", "job")}}


def hostile(chance, *, file=False):
    """A hostile name, as bytes; as the name of a file if it is one."""
    if not file and chance.random() < 0.02:
        return chance.choice(FRAGMENTS) + b"A" * LONG
    name = b"".join(chance.choice(FRAGMENTS) for _ in range(chance.choice((1, 1, 2, 3, 5))))
    if file:
        name = name.replace(b"/", b"_")[:200]
        name = b"_" + name if name in (b"", b".", b"..") or chance.random() < 0.2 else name
    return name


def escape(text):
    """Bytes in a string of the assembler."""
    return "".join(chr(byte) if byte < 0x80 and chr(byte).isalnum() else f"\\{byte:03o}" for byte in text)


def rename(assembly, names, file=None):
    """Assembly with other names ({old: bytes}) and another source file in its debug information."""
    out, debug = [], False
    for line in assembly.splitlines():
        if line.strip().startswith((".section", ".text", ".data", ".bss")):
            debug = ".debug_str" in line or ".debug_line_str" in line
        found = re.fullmatch(r'(\s*\.string\s*)"([^"\\]*)"', line)
        if debug and found and found[2] in names:
            line = f'{found[1]}"{escape(names[found[2]])}"'
        elif debug and found and file and found[2].endswith(SOURCE):
            line = f'{found[1]}"{escape(file)}"'
        elif file and re.match(r"\s*\.file\s+\d+ ", line):
            line = re.sub(r'"[^"]*' + re.escape(SOURCE) + '"', lambda _: f'"{escape(file)}"', line)
        out.append(line)
    return "\n".join(out) + "\n"


_assembly, _pwn = [], []


def pwn_folder():
    """A folder with the command that makes the canary."""
    if not _pwn:
        _pwn.append(tempfile.mkdtemp(prefix="pwn"))
        atexit.register(shutil.rmtree, _pwn[0])
        command = pathlib.Path(_pwn[0], "pwn")
        command.write_text(f'#!/bin/sh\n: > "${{HOSTILE_CANARY:-/tmp/{CANARY}}}"\n')
        command.chmod(0o755)
    return _pwn[0]


def demo_assembly():
    """testdata/diff_demo.c, compiled once."""
    if not _assembly:
        text = (e2e.TESTDATA / SOURCE).read_text()
        for short, name in LONGER.items():
            text = re.sub(rf"\b{short}\b", name, text)
        with tempfile.TemporaryDirectory() as scratch:
            pathlib.Path(scratch, SOURCE).write_text(text)
            made = e2e.run([e2e.GCC, "-g", "-O2", "-S", "-o", "-", SOURCE], cwd=scratch)
        if made.returncode:
            raise RuntimeError(made.stderr)
        _assembly.append(made.stdout)
    return _assembly[0]


def code_of(program, function):
    """The address of a function, which its symbol still tells."""
    said = e2e.run(["nm", os.fsdecode(program)]).stdout
    return "0x" + re.search(rf"^(\w+) \w {function}\b", said, re.M)[1]


def build(program, names, file=None):
    """Makes a program whose DWARF has these names; the path may be anything."""
    with tempfile.TemporaryDirectory() as scratch:
        source, made = pathlib.Path(scratch, "demo.s"), pathlib.Path(scratch, "demo")
        source.write_text(rename(demo_assembly(), names, file))
        result = e2e.run([e2e.GCC, "-o", made, source])
        if result.returncode:
            raise RuntimeError(result.stderr)
        shutil.copy(made, program)


class Subject:
    """A hostile program in a folder of its own.

    folder: where all is run, with the traps in it; program: its path, as bytes; arguments, report: bytes;
    names: {old: bytes}; file: the source's, as bytes."""

    def __init__(self, folder, seed, *, names=None, file=None, name=None, place=None, arguments=None, report=None,
                 traps=True):
        chance = random.Random(seed)
        old = VARIABLES + MEMBERS + FUNCTIONS + TYPES
        drawn = {one: hostile(chance) for one in old if chance.random() < 0.6}
        self.seed, self.folder = seed, os.fsencode(folder)
        self.names = drawn if names is None else names
        drawn = hostile(chance) if chance.random() < 0.5 else None
        self.file = drawn if file is None else file or None
        drawn = hostile(chance, file=True) if chance.random() < 0.5 else b"place"
        place = drawn if place is None else place
        drawn = hostile(chance, file=True) if chance.random() < 0.5 else b"program"
        name = drawn if name is None else name
        drawn = [hostile(chance) for _ in range(chance.choice((0, 0, 1, 3)))]
        self.arguments = drawn if arguments is None else arguments
        drawn = hostile(chance, file=True) if chance.random() < 0.5 else b"report"
        self.report = os.path.join(self.folder, b"out " + (drawn if report is None else report))
        where = os.path.join(self.folder, b"in " + place)
        os.mkdir(where)
        self.program = os.path.join(where, name)
        build(self.program, self.names, self.file)
        for trap, text in TRAPS.items() if traps else ():
            for there in (self.folder, where):
                if not os.path.lexists(os.path.join(there, os.fsencode(trap))):
                    pathlib.Path(os.fsdecode(there), trap).write_text(text)
        if traps:
            for end, text in (("-gdb.gdb", f"shell touch {CANARY}\n"), ("-gdb.py", SCRIPT)):
                pathlib.Path(os.fsdecode(self.program) + end).write_text(text)

    def run(self, *words, timeout=e2e.LIMIT_SECONDS):
        """xstep in the folder; words may be bytes."""
        command = [e2e.XSTEP, *(os.fsdecode(word) if isinstance(word, bytes) else str(word) for word in words)]
        return e2e.run(command, cwd=self.folder, env=self.environment(), timeout=timeout)

    def paste(self, text, shell="bash"):
        """A text in a shell, as if it were pasted; debuggers find the end of their input."""
        return e2e.run([shell, "-c", text], cwd=self.folder, env=self.environment())

    def environment(self):
        """xstep is on PATH, as printed lines want it, and so is `pwn`."""
        path = f"{pathlib.Path(e2e.XSTEP).parent}:{pwn_folder()}:{os.environ['PATH']}"
        return dict(os.environ, PATH=path, TERM="dumb", HOSTILE_CANARY=os.path.join(os.fsdecode(self.folder), CANARY))

    def canaries(self):
        """Where something was executed: paths of canaries. It may be wherever a debugger was."""
        found = [os.path.join(root, one) for root, folders, files in os.walk(self.folder)
                 for one in files + folders if one == CANARY.encode()]
        return found + [path for path in (f"/{CANARY}", f"/tmp/{CANARY}", os.path.expanduser(f"~/{CANARY}"))
                        if os.path.exists(path)]


def by_hand(said):
    """The lines to paste in what `xstep diff` prints: one text for each finding."""
    texts, lines = [], said.split("\n")
    for number, line in enumerate(lines):
        found = re.match(r"( +by hand +)(.*)", line)
        if not found:
            continue
        texts.append(found[2])
        indent = " " * len(found[1])
        for more in lines[number + 1:]:
            if not more or re.match(r" {5}\S|\d+\.  ", more):  # what follows it; a name may have put lines between
                break
            texts[-1] += "\n" + more.removeprefix(indent)
    return texts


def attack(subject, full=True):
    """Does with a subject all that could make the canary; yields what was done, when it is done."""
    program = [subject.program, *subject.arguments]
    for words in (["trace", "--vars", "all", "--frames", "--limit", "30"],
                  ["explain", "--at", code_of(subject.program, "halves")]):
        subject.run(*words, *program)
        yield " ".join(words)
    drive = random.Random(subject.seed).choice(("shared", "native"))
    said = subject.run("diff", "--contested", "--drive", drive, *program)
    yield f"diff --drive {drive}"
    texts = by_hand(said.stdout)
    for text in texts:
        for shell in ("bash", "sh") if full else ("bash",):
            subject.paste(text, shell)
            yield f"{shell}: {text}"
    if full:
        build_it = f"{e2e.GCC} -g -O2 {shlex.quote(str(e2e.TESTDATA / SOURCE))}"
        subject.run("diff", "--report", subject.report, "--build", build_it, *program)
        yield "diff --report"
        yield from run_bundle(subject)


def run_bundle(subject):
    """Runs the scripts and the sessions of a report, as its words say."""
    for root, _, files in os.walk(subject.report):
        for name in sorted(files):
            path = os.path.join(root, name)
            if name.startswith(b"check") and name.endswith(b".py"):
                e2e.run([os.fsdecode(path)], cwd=root, env=subject.environment())
                yield os.fsdecode(path)
            if name in (b"session.gdb", b"session.lldb"):
                with open(path, errors="surrogateescape") as file:
                    first = file.readline()
                e2e.run(["bash", "-c", first.lstrip("# ")], cwd=root, env=subject.environment())
                yield first


def fuzz(seconds, seed, say=lambda _: None, full=True):
    """Attacks with subject after subject; returns how many there were, how much was done, and what made a
    canary."""
    begin, count, done, bad = time.monotonic(), 0, 0, []
    while not count or time.monotonic() - begin < seconds:
        with tempfile.TemporaryDirectory(prefix="hostile") as folder:
            subject = Subject(folder, seed + count)
            for what in attack(subject, full):
                done += 1
                found = subject.canaries()
                if found:
                    bad.append(f"seed {seed + count}: {what}: {found}")
                    say(bad[-1])
                    for path in found:
                        os.unlink(path)
        count += 1
        say(f"{count} subjects, {done} commands, {len(bad)} executed something")
    return count, done, bad


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    count, done, bad = fuzz(options.seconds, options.seed, lambda text: print(text, flush=True))
    print(f"{count} hostile subjects, {done} commands: {len(bad)} executed something")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
