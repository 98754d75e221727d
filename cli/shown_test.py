#!/usr/bin/python3
"""shown_test.py - what others wrote is never obeyed, end to end: names in the DWARF, files, folders,
arguments, source lines, strings, stores, versions and what compilers and debuggers say, with bytes that a
terminal acts on, through every command and format. JSON stays JSON, XML stays XML, and report.md shows
names, not what they would make of it.

    shown_test.py [CLASS[.TEST]...]
    shown_test.py fuzz [--seconds N] [--seed S]

The latter has random names for N seconds (60), from a seed (1) on.
"""
import argparse
import csv
import io
import json
import os
import pathlib
import pty
import random
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e
import hostile_names
from witness_test import needs_debuggers

# Some of everything: sequences of seven and eight bits, as bytes and in UTF-8, line breaks that forge a line,
# what turns the direction of writing or is not seen, bytes that are no UTF-8, and markup.
EVIL = (b"\x1b[31mA\x1b]0;B\x07\x9b2J\xc2\x9b3J\xe2\x80\xae\xe2\x81\xa6\xe2\x80\xa8\x7f\x08\xff\xc3\r\nforged\t"
        b"<b>\"'|`x`![y](z)&")
# The same as text, for what must be UTF-8.
EVIL_TEXT = EVIL.decode(errors="ignore")
# As base/shown.h has it.
SHOWN = rb"\x1b[31mA\x1b]0;B\x07\x9b2J\u009b3J\u202e\u2066\u2028\x7f\x08\xff\xc3\r\nforged\t"

UNSEEN = [(0x7f, 0x9f), (0xad, 0xad), (0x61c, 0x61c), (0x200b, 0x200f), (0x2028, 0x202e), (0x2060, 0x206f),
          (0xfeff, 0xfeff), (0xfff9, 0xfffb), (0xe0000, 0xe0fff)]
UNSEEN_PATTERN = re.compile("[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in UNSEEN)
                            + "\x00-\x1f\udc80-\udcff]")
# What xstep itself writes to a terminal: colours, and the line of progress.
OWN = re.compile(rb"\x1b\[(?:[012]?|3[1236])m|\r|\x1b\[K")


def dirty(data, kept="\n"):
    """What of some bytes a terminal would obey or not show, with what is around it."""
    text = data.decode(errors="surrogateescape")
    return [ascii(text[max(0, found.start() - 50):found.end() + 50]) for found in UNSEEN_PATTERN.finditer(text)
            if found[0] not in kept]


def spans_of(text):
    """A paragraph of Markdown without its code, and without what a backslash takes the meaning from."""
    out, at = [], 0
    while at < len(text):
        if text[at] == "\\" and at + 1 < len(text) and not text[at + 1].isalnum():
            at += 2
        elif text[at] == "`":
            fence = re.match("`+", text[at:])[0]
            end = re.search(f"(?<!`){fence}(?!`)", text[at + len(fence):])
            at += len(fence) + (end.end() if end else 0)
            out.append("" if end else fence)
        else:
            out.append(text[at])
            at += 1
    return "".join(out)


def markup(page):
    """What of a page of Markdown could be somebody's markup: outside of code, and but for our own links."""
    found, fence, before = [], None, ""
    cells = None
    for line in page.split("\n"):
        mark = re.match("(`{3,})", line)
        if fence:
            fence = None if mark and line.strip("`") == "" and len(mark[1]) >= len(fence) else fence
        elif mark:
            fence = mark[1]
        elif not line.startswith("    ") or before:
            bare = re.sub(r"\[[\w-]+\]\([\w-]+/report\.md\)", "", spans_of(line))
            found += [f"{part}: {line}" for part in ("<", "](", "][", "://", "www.", "`") if part in bare]
            if line.startswith("|"):
                cells = cells or bare.count("|")
                found += [f"{bare.count('|')} bars: {line}"] if bare.count("|") != cells else []
        before = line.strip() if not line.startswith("    ") else ""
        cells = cells if line.startswith("|") else None
    return found + ([f"a block has no end: {fence}"] if fence else [])


def parse(form, data):
    """Raises ValueError (or its kind) if data is not what its format says."""
    text = data.decode()
    if form == "lines":
        for line in text.splitlines():
            json.loads(line)
    elif form == "json":
        json.loads(text)
    elif form == "html":
        elements = re.findall(r"<script.*?</script>", text, re.DOTALL)
        if len(elements) != 2 or re.search(r"<img|<[^!/a-zA-Z]", re.sub(
                r"<script.*?</script>|<style.*?</style>", "", text, flags=re.DOTALL)):
            raise ValueError("markup of others")
        json.loads(elements[0].partition(">")[2].removesuffix("</script>"))
    elif form == "xml":
        xml.etree.ElementTree.fromstring(text)
    elif form == "csv":
        rows = list(csv.reader(io.StringIO(text), strict=True))
        if len({len(row) for row in rows}) > 1:
            raise ValueError(f"rows of {sorted({len(row) for row in rows})} cells")


def forms(words):
    """The format of what a command prints."""
    for word, form in (("sarif", "json"), ("junit", "xml"), ("svg", "xml"), ("csv", "csv"), ("html", "html")):
        if word in words:
            return form
    if "--json" in words or ("json" in words and words[0] in ("trace", "show", "mutate")):
        return "lines"
    return "json" if "json" in words else "text"


class Run:
    """A command that was run, with what it wrote as bytes."""

    def __init__(self, words, cwd, env=None, timeout=e2e.LIMIT_SECONDS):
        self.words = [os.fsdecode(word) for word in words]
        environment = {**os.environ, **{os.fsdecode(key): os.fsdecode(value) for key, value in (env or {}).items()}}
        with subprocess.Popen([e2e.XSTEP, *self.words], cwd=cwd, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=e2e.leave_nothing) as process:
            try:
                self.out, self.err = e2e.communicate(process, timeout)
            except BaseException:
                e2e.end(process)
                raise
        self.status = process.returncode
        self.rerun = f"cd {shlex.quote(os.fsdecode(cwd))} && {shlex.join([e2e.XSTEP, *self.words])}"

    def complaints(self, statuses=(0, 1, 2)):
        """What is wrong with it."""
        kept = "\n\t" if "html" in self.words else "\n"  # a page has its style and scripts in it
        found = [f"stdout: {one}" for one in dirty(self.out, kept)] + [f"stderr: {one}" for one in dirty(self.err)]
        if self.status not in statuses:
            found.append(f"exit status {self.status}: {self.err[-500:]!r}")
        if self.status in (0, 1):
            try:
                parse(forms(self.words), self.out)
            except (ValueError, csv.Error, xml.etree.ElementTree.ParseError) as error:
                found.append(f"no {forms(self.words)}: {error!r}: {self.out[-300:]!r}")
        return [f"{one}\nrerun: {self.rerun!a}" for one in found[:3]]


def look_at_report(folder):
    """What is wrong with the files of a bundle, but for copies of the program, its sources and its input."""
    found = []
    for root, folders, files in os.walk(os.fsencode(folder)):
        folders[:] = [one for one in folders if one != b"source"]
        for name in files:
            if not re.fullmatch(rb"README\.md|report\.md|.*\.txt|session\.\w+|check\w*\.py", name):
                continue
            with open(os.path.join(root, name), "rb") as file:
                data = file.read()
            found += [f"{name.decode()}: {one}" for one in dirty(data, "\n\t")[:2]]
            if name.endswith(b".md"):
                found += [f"{name.decode()}: {one}" for one in markup(data.decode(errors="replace"))[:2]]
    return found


def commands(subject, chance=None):
    """Commands about a hostile program, each with all its formats; some of them by chance, if that is given."""
    program = [subject.program, *subject.arguments]
    store = os.path.join(subject.folder, b"kept.db")
    name = next(iter(subject.names.values()), b"x")
    every = [
        ["trace", "--vars", "all", "--frames", "--regs", "--limit", "40", *program],
        ["trace", "--vars", "all", "--frames", "--regs", "--limit", "40", "--format", "json", *program],
        ["trace", "--limit", "10", "--format", "none", "--stats", "--transitions", "/dev/stdout", *program],
        ["trace", "--vars", "all", "--frames", "--regs", "--limit", "40", "-o", store, *program],
        ["show", store], ["show", "--frames", "--regs", store], ["show", "--list", store], ["show", "--stats", store],
        ["show", "--at", "20", store], ["show", "--var", name, store], ["store", "check", store],
        *(["show", *more, "--format", form, store] for form in ("json", "csv")
          for more in ([], ["--list"], ["--stats"], ["--at", "20"], ["--var", name])),
        ["explain", "--at", "0x11e9", *program], ["explain", "--at", "0x11e9", "--format", "json", *program],
        ["explain", "--at", "0x11e9", "--var", name, *program],
        ["explain", "--at", "0x11e9", "--var", name, "--format", "json", *program],
        ["explain", "--at", name, *program], ["trace", "--from", name, *program], ["trace", "--module", name, *program],
        ["check", "levels", *program],
        ["check", "metrics", "--functions", "--variables", subject.program, subject.program],
        *(["check", "metrics", "--format", form, subject.program, subject.program] for form in ("json", "svg")),
        ["trace", "--env", b"X=" + name, "--" + os.fsdecode(name).replace("\0", ""), *program], ["trace", name],
        ["show", name], ["store", "check", subject.program], ["serve", "--listen", name, *program], [name],
    ]
    if not chance:
        return every
    # The store has to be made before it is shown.
    return every[:4] + chance.sample(every[4:], 10)


def write_source(path):
    """The subject's source, with lines that are hostile when they are quoted."""
    source = (e2e.TESTDATA / hostile_names.SOURCE).read_bytes()
    with open(path, "wb") as out:
        out.write(b"\n".join(line + b" // \t" + EVIL.replace(b"\n", b"") for line in source.split(b"\n")))


class Names(e2e.TestCase):
    """A program all of whose names are hostile."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        old = hostile_names.VARIABLES + hostile_names.MEMBERS + hostile_names.FUNCTIONS + hostile_names.TYPES
        file = EVIL.replace(b"/", b"")
        cls.subject = hostile_names.Subject(
            cls.folder, 1, names={one: one.encode() + EVIL for one in old}, name=b"p" + file, place=file,
            file=os.path.join(os.fsencode(cls.folder), b"s" + file), arguments=[EVIL, b"\x1b[m"], report=file,
            traps=False)
        write_source(cls.subject.file)

    def look(self, *words, **options):
        result = Run(words, self.folder, **options)
        self.assertEqual(result.complaints(), [])
        return result

    @e2e.smoke
    def test_trace(self):
        """The escapes are those that the documentation names, and the line's end is ours alone."""
        result = self.look("trace", "--vars", "all", "--frames", "--limit", "30", self.subject.program)
        self.assertEqual(result.status, 0, result.err)
        for name in (b"main", b"numbers"):
            self.assertTrue(name + SHOWN in result.out, result.out[:2000])
        self.assertFalse(re.search(rb"(?m)^forged", result.out + result.err))

    def test_json_is_exact(self):
        """JSON has the very bytes, by which stops can be compared: those that are no UTF-8 as surrogates."""
        result = self.look("trace", "--vars", "all", "--limit", "30", "--format", "json", self.subject.program)
        names = {one["var"] for line in result.out.splitlines() for one in json.loads(line)["vars"]}
        self.assertIn(os.fsdecode(b"numbers" + EVIL), names)

    def test_store_is_exact(self):
        """What is shown of a store is what was traced, byte for byte."""
        store = os.path.join(self.folder, "exact.db")
        words = ["trace", "--vars", "all", "--frames", "--regs", "--limit", "30"]
        self.look(*words, "-o", store, self.subject.program)
        self.assertEqual(self.look("show", "--format", "json", store).out,
                         self.look(*words, "--format", "json", self.subject.program).out)

    def test_every_command(self):
        for words in commands(self.subject):
            with self.subTest(words[:6]):
                self.look(*words)

    def test_terminal(self):
        """On a terminal there are colours and a line of progress, and nothing else."""
        for words in (["trace", "--vars", "all", "--limit", "30"], ["diff"]):
            primary, side = pty.openpty()
            environment = {**os.environ, "TERM": "xterm"}
            environment.pop("NO_COLOR", None)
            with subprocess.Popen([e2e.XSTEP, *words, self.subject.program], stdout=side, stderr=side, env=environment,
                                  stdin=subprocess.DEVNULL, cwd=self.folder, preexec_fn=e2e.leave_nothing) as process:
                os.close(side)
                said = b""
                try:
                    while part := os.read(primary, 65536):
                        said += part
                except OSError:
                    pass  # nobody writes to it any more
                os.close(primary)
            self.assertIn(b"\x1b[", said)
            self.assertEqual(dirty(OWN.sub(b"", said)), [], words)


@needs_debuggers
class Debuggers(e2e.TestCase):
    """Names that debuggers can be told, for they are UTF-8; those of the variables that gdb and lldb get wrong
    are left alone, so that what they get wrong can be proven, and reported."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        evil = EVIL_TEXT.encode()
        names = {one: one.encode() + evil for one in (*hostile_names.MEMBERS, *hostile_names.TYPES, "total", "sink")}
        # A parenthesis begins the parameters of a function.
        names.update({one: one.encode() + re.sub(b"[()]", b"", evil) for one in ("halves", "scaled", "note")})
        cls.subject = hostile_names.Subject(
            cls.folder, 1, names=names, name=b"program", place=b"place",
            file=os.path.join(os.fsencode(cls.folder), b"s" + evil), report=b"report", traps=False,
            arguments=[re.sub(rb"[^ -~]", b"", evil), "größe".encode()])  # debuggers cannot be told of others
        write_source(cls.subject.file)
        cls.program = [cls.subject.program, *cls.subject.arguments]

    def look(self, *words):
        result = Run(words, self.folder)
        self.assertEqual(result.complaints((0, 1)), [])
        return result

    def test_trace(self):
        for form in ("text", "json"):
            self.look("trace", "--witness", "gdb,lldb", "--vars", "all", "--frames", "--limit", "20", "--format", form,
                      *self.program)

    def test_diff(self):
        store = os.path.join(self.folder, "kept.db")
        self.assertIn(b"gdb:empty-first-entry", self.look("diff", "-o", store, *self.program).out)
        for words in ([], ["--all", "--contested", "--presentation", "--artefacts"]):
            for form in ("text", "json", "sarif", "junit", "html"):
                with self.subTest(words + [form]):
                    self.look("diff", *words, "--format", form, store)

    def test_report(self):
        """What the build says is quoted, too."""
        octal = "".join(f"\\{byte:03o}" for byte in EVIL.replace(b"%", b""))
        self.look("diff", "--report", self.subject.report, "--build", f"printf '{octal}'; false", *self.program)
        pages = [os.path.join(root, one) for root, _, files in os.walk(self.subject.report) for one in files
                 if one == b"report.md"]
        self.assertTrue(pages)
        self.assertEqual(look_at_report(self.subject.report), [])


class Files(e2e.TestCase):
    """What is hostile but for the names in the DWARF."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.evil = os.path.join(os.fsencode(self.folder), b"e" + EVIL.replace(b"/", b""))

    def look(self, *words, **options):
        result = Run(words, self.folder, **options)
        self.assertEqual(result.complaints(), [])
        return result

    def compile(self, text, name="made", flags=("-g", "-O0")):
        source, program = os.path.join(self.folder, f"{name}.c"), os.path.join(self.folder, name)
        with open(source, "wb") as out:
            out.write(text)
        made = e2e.run([e2e.GCC, *flags, "-w", "-o", program, source])
        self.assertEqual(made.returncode, 0, made.stderr)
        return program

    def test_strings(self):
        """A program's own strings are values."""
        string = "".join(f"\\{byte:03o}" for byte in EVIL)
        program = self.compile(
            f'char all[] = "{string}"; struct {{ char *p; char c; signed char d; unsigned char e; }} '
            f's = {{all, 27, -101, 155}};\n'
            f'int main(void)\n{{\n\tchar local[] = "{string}";\n\treturn local[0] & 0;\n}}\n'.encode())
        for form in ("text", "json"):
            self.look("trace", "--vars", "all", "--max-leaves", "200", "--format", form, program)
            self.look("explain", "--at", "main", "--var", "all", "--format", form, program)
            self.look("explain", "--at", "main", "--var", "s", "--format", form, program)

    def test_source_lines(self):
        """A tab is a blank, and a line may end as DOS ends it."""
        program = self.compile(b"int main(void)\r\n{\r\n\tint x\t= 1; /* \x1b[31m " + "größe".encode() + b" \x9b */\r\n"
                               b"\treturn x - 1;\r\n}\r\n")
        result = self.look("trace", program)
        self.assertIn(b"int x = 1; /* \\x1b[31m " + "größe".encode() + b" \\x9b */\n", result.out)
        self.assertNotIn(b"\\r", result.out)

    def test_sources(self):
        """Files that a compiler or libclang reads, and what they say of them."""
        source = self.evil + b".c"
        with open(source, "wb") as out:
            out.write(b"int f(int x) { return x + 1; }\nint main(void) { return f(-1); }\n")
        wrong = os.path.join(os.fsencode(self.folder), b"wrong\x1b[31m.c")
        with open(wrong, "wb") as out:
            out.write(b"#error \x1b[31m\x9b\xe2\x80\xae <b>\nint main(void) { return y\x1b; }\n")
        for form in ("text", "json", "sarif", "junit", "html"):
            result = self.look("ccmd", "--format", form, "--compiler", e2e.GCC, "--levels", "-O1", source, wrong)
            self.assertIn(b"wrong\\x1b[31m.c", result.err)
        out = os.path.join(os.fsencode(self.folder), b"out\x1b")
        self.look("mutate", "-o", out, source)
        self.look("mutate", "--json", "-o", out, source)
        self.look("mutate", "-o", out, wrong)

    def test_compiler(self):
        """One that has much to say, and makes other code with -g; symbols are called as names are."""
        source, compiler = os.path.join(self.folder, "pair.S"), os.path.join(self.folder, "evil-gcc")
        said = os.path.join(self.folder, "said")
        with open(said, "wb") as out:
            out.write(b"warning: " + EVIL)
        with open(source, "w") as out:
            for name in ('"f\\033[31m<b>"', '"g\\233\\n"', '"h\\342\\200\\256"'):
                out.write(f"\t.globl {name}\n\t.type {name}, @function\n{name}:\n#ifdef WITH_G\n\tnop\n#endif\n\tret\n"
                          f"\t.size {name}, .-{name}\n")
        with open(compiler, "w") as out:
            out.write(f'#!/bin/sh\ncase " $* " in\n*" --version "*) exec cat {said} ;;\n*" -g0 "*) with= ;;\n'
                      f'*) with=-DWITH_G ;;\nesac\ncat {said} >&2\nexec {e2e.GCC} $with "$@"\n')
        os.chmod(compiler, 0o700)
        for form in ("text", "json", "sarif", "junit", "html"):
            out = os.path.join(self.folder, form)
            result = self.look("ccmd", "--format", form, "--compiler", compiler, "--levels", "-O0",
                               "--no-compare-debug", "-o", out, source)
            self.assertEqual(result.status, 1, result.err)
            kept = [path for path in pathlib.Path(out).rglob("*.txt")]
            self.assertGreater(len(kept), 3)
            for path in kept:
                self.assertEqual(dirty(path.read_bytes(), "\n\t"), [], path)

    def test_check(self):
        """A violation, with its report."""
        evil = os.fsdecode(self.evil.decode(errors="ignore").encode())
        pathlib.Path(evil + ".c").write_text(e2e.subject("check_line.c").read_text())
        programs = [evil + level for level in ("-O0", "-O2")]
        for program in programs:
            made = e2e.run([e2e.CLANG, "-g", program[-3:], "-w", "-o", program, evil + ".c"])
            self.assertEqual(made.returncode, 0, made.stderr)
        for form in ("text", "json", "sarif", "junit", "html"):
            report = os.path.join(self.folder, form)
            result = self.look("check", "opt", "--format", form, "--report", report, *programs)
            self.assertEqual(result.status, 1, result.err)
            self.assertTrue(os.listdir(report))
            self.assertEqual(look_at_report(report), [])

    def test_serve(self):
        path = self.evil.decode(errors="ignore")[:90]
        words = [e2e.XSTEP, "serve", "--listen", f"unix:{path}", e2e.compile("demo.c")]
        with subprocess.Popen(words, cwd=self.folder, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              preexec_fn=e2e.leave_nothing) as process:
            said = process.stderr.readline()
            e2e.end(process)
        self.assertIn(b"listening on", said)
        self.assertEqual(dirty(said), [])

    def test_errors(self):
        """A message has names in it, too."""
        for words in (["trace", self.evil], ["show", self.evil], ["store", "check", self.evil],
                      ["store", "merge", "x", self.evil],
                      [self.evil], ["trace", b"--" + EVIL], ["trace", b"--limit", EVIL, "true"], ["help", EVIL],
                      ["diff", b"--gdb", self.evil, "true"], ["ccmd", self.evil], ["check", EVIL],
                      ["explain", "--core", self.evil, "true"], ["serve", "--listen", EVIL, "true"],
                      ["trace", "-o", self.evil + b"/x", e2e.compile("demo.c")],
                      ["mutate", "-o", self.evil, self.evil], ["check", "opt", self.evil, self.evil]):
            self.assertEqual(self.look(*words).status, 2, words)
        result = self.look("trace", "true", env={"XSTEP_LOG": EVIL})
        self.assertIn(SHOWN, result.err)

    def test_log(self):
        program = self.compile(b"int main(void) { return 0; }\n", "p\x1b[31m")
        self.look("trace", "--limit", "5", program, env={"XSTEP_LOG": "all:debug"})

    def test_versions(self):
        """The cache of versions is a file that anybody may have written."""
        self.look("witness", env={"XDG_CACHE_HOME": self.folder})
        cache = pathlib.Path(self.folder, "xstep/debuggers.json")
        if not cache.exists():
            self.skipTest("no debugger whose version is kept")
        kept = json.loads(cache.read_text())
        for entry in kept.values():
            entry.update(version=entry["version"] + EVIL_TEXT, python=entry["python"] + EVIL_TEXT)
        cache.write_text(json.dumps(kept))
        env = {"XDG_CACHE_HOME": self.folder}
        program, report = e2e.compile(hostile_names.SOURCE, flags=("-g", "-O2")), os.path.join(self.folder, "report")
        self.assertIn(b"forged", self.look("trace", "--witness", "gdb,lldb", "--limit", "5", program, env=env).out)
        self.look("diff", "--report", report, program, env=env)
        self.assertEqual(look_at_report(report), [])
        self.look("witness", "--json", env=env)  # asks anew


class Stores(e2e.TestCase):
    """A store that somebody sent: every text in it may say anything."""

    def evil_store(self, *words):
        """A store with EVIL behind each of its texts."""
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        store = os.path.join(folder, "evil.db")
        result = e2e.xstep(*words, "-o", store, e2e.compile(hostile_names.SOURCE, flags=("-g", "-O2")))
        self.assertIn(result.returncode, (0, 1), result.stderr)
        base = sqlite3.connect(store)
        base.execute("PRAGMA ignore_check_constraints=ON")
        for table, column in (("text", "text"), ("subject", "path"), ("subject", "producer"), ("subject", "hash"),
                              ("trace", "version"), ("trace", "mode"), ("trace", "sample"), ("trace", "host"),
                              ("trace", "began"), ("trace", "ended"), ("trace", "how"), ("trace", "trouble"),
                              ("value", "text"), ("loaded", "name")):
            columns = [row[1] for row in base.execute(f"PRAGMA table_info({table})")]
            if column in columns:
                base.execute(f"UPDATE {table} SET {column} = coalesce({column}, '') || CAST(? AS TEXT)", (EVIL,))
        base.commit()
        base.close()
        return folder, store

    def test_show(self):
        folder, store = self.evil_store("trace", "--vars", "all", "--frames", "--regs")
        for form in ("text", "json", "csv"):
            for words in ([], ["--frames", "--regs"], ["--list"], ["--stats"], ["--at", "10"], ["--var", b"sum" + EVIL],
                          ["--quote", "10"]):
                with self.subTest([form, *words]):
                    self.assertEqual(Run(["show", *words, "--format", form, store], folder).complaints(), [])
        for words in (["store", "check", store], ["store", "merge", os.path.join(folder, "two.db"), store],
                      ["check", "metrics", store, store], ["diff", store]):
            self.assertEqual(Run(words, folder).complaints(), [], words)

    @needs_debuggers
    def test_diff(self):
        folder, store = self.evil_store("diff")
        for form in ("text", "json", "sarif", "junit", "html"):
            with self.subTest(form):
                self.assertEqual(Run(["diff", "--format", form, store], folder).complaints(), [])
        self.assertEqual(Run(["show", "--trace", "2", store], folder).complaints(), [])


class Markup(e2e.TestCase):
    """The checks themselves."""

    def test_dirty(self):
        for good in (b"plain\n", "größe 名前 €".encode(), rb"\x1b"):
            self.assertEqual(dirty(good), [])
        for bad in (b"\x1b", b"\x9b", b"\xc2\x9b", b"\xe2\x80\xae", b"\x7f", b"\xff", b"\t", b"\r", b"\xe2\x80\xa8"):
            self.assertEqual(len(dirty(b"a" + bad + b"b")), 1, bad)

    def test_markup(self):
        for good in ("# a\n\n`<b>` of ``a`b`` is &lt;\n\n    <b>\n    ```\n\n```\n<i>\n```\n",
                     "| a | b |\n|---|---|\n| a\\|b | `c` |\n", "| [a-1](a-1/report.md) | 1 |\n"):
            self.assertEqual(markup(good), [], good)
        for bad in ("<b>", "a `b` <i>", "[x](y)", "`a", "```\n<b>", "| a | b |\n|---|---|\n| a|b | c |\n", "http://x"):
            self.assertNotEqual(markup(bad), [], bad)


def fuzz(seconds, seed, say=lambda _: None):
    """Random hostile programs, until time is up, but at least one; returns how many there were, how many
    commands, and what was wrong."""
    begin, count, done, bad = time.monotonic(), 0, 0, []
    while not count or time.monotonic() - begin < seconds:
        chance = random.Random(seed + count)
        with tempfile.TemporaryDirectory(prefix="shown") as folder:
            subject = hostile_names.Subject(folder, seed + count, traps=False)
            runs = commands(subject, chance)
            if seconds:
                form = chance.choice(("text", "json", "sarif", "junit"))
                runs.append(["diff", "--all", "--contested", "--report", subject.report, "--format", form,
                             subject.program, *subject.arguments])
            for words in runs:
                complaints = Run(words, folder).complaints()
                if words[0] == "diff":
                    complaints += look_at_report(subject.report)
                done += 1
                for one in complaints:
                    bad.append(f"seed {seed + count}: {one}")
                    say(bad[-1])
        count += 1
        say(f"{count} subjects, {done} commands, {len(bad)} complaints")
    return count, done, bad


class Fuzz(e2e.TestCase):
    """Random names; `shown_test.py fuzz` goes on for longer."""

    def test_names(self):
        for seed in range(1, e2e.some(2, 6)):
            self.assertEqual(fuzz(0, seed)[2], [])


def main():
    if sys.argv[1:2] != ["fuzz"]:
        return e2e.main()
    parser = argparse.ArgumentParser(description="random hostile names through every output")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(sys.argv[2:])
    count, done, bad = fuzz(options.seconds, options.seed, lambda text: print(text, flush=True))
    print(f"{count} hostile programs, {done} commands: {len(bad)} complaints")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
