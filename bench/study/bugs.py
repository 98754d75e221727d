#!/usr/bin/python3
"""bugs.py - checks the entries of docs/bugs again: builds each source, has xstep find the bug, and asks
the plain debugger or the bytes.

    bench/study/bugs.py [--xstep PATH] [--by-hand] [--keep DIR] [NAME...]    all, or those named
    bench/study/bugs.py --table                            puts the table into docs/bugs/README.md

An entry is a source, NAME.c or NAME.S. Its first comment begins with what is wrong, in one sentence,
and has fields, one a line; a line that is indented further goes on:

    wrong:     gdb, lldb, gcc or clang
    rule:      the signature that xstep must find
    basis:     replayed, or evidence
    build:     a command; may be repeated
    xstep:     the command that finds it
    $ ...      a command without xstep; the lines `> ...` behind it must be in what it prints, in this
               order. `...` in such a line stands for anything
    actual:    what is said
    expected:  what ought to be said, and why
    culprit:   what it depends on, as far as it was asked
    versions:  who was asked, and what they said
    known:     where it was reported; `-` if in none of the papers nor in oracle/judge/known.txt

--by-hand leaves xstep out. Exit status: 0 all are still there, 1 some are not, 2 trouble. An entry whose
compiler or debugger is not here is skipped, and said so.
"""
import argparse
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
BUGS = TOP / "docs/bugs"
README = BUGS / "README.md"
BEGIN, END = "<!-- bugs.py --table -->", "<!-- end -->"  # around the table
FIELDS = ("wrong", "rule", "basis", "build", "xstep", "actual", "expected", "culprit", "versions", "known")
NEEDED = ("wrong", "rule", "basis", "build", "xstep", "actual", "expected", "versions", "known")
PATIENCE = 300  # seconds for one command


class Entry:
    """A source and what its first comment says."""

    def __init__(self, path):
        self.path, self.name = path, path.stem
        text = path.read_text()
        comment = re.match(r"/\*(.*?)\*/", text, re.S)
        if not comment:
            raise ValueError(f"{path}: does not begin with a comment")
        self.lines = text.count("\n") - comment.group().count("\n")
        self.fields = {name: [] for name in FIELDS}
        self.hand = []  # (command, [lines])
        self.title, goes_on = [], None
        for line in comment.group(1).splitlines():
            line = re.sub(r"^ ?\*? ?", "", line).rstrip()
            match = re.match(r"([a-z]+): +(.*)", line)
            if match and match.group(1) in FIELDS:
                goes_on = self.fields[match.group(1)]
                goes_on.append(match.group(2))
            elif line.startswith("$ "):
                self.hand.append((line[2:], []))
                goes_on = None
            elif line.startswith("> "):
                self.hand[-1][1].append(line[2:])
            elif line.startswith(" ") and goes_on:
                goes_on[-1] += " " + line.strip()
            elif line.startswith(" ") and self.hand:
                command, lines = self.hand[-1]
                self.hand[-1] = (command.removesuffix("\\") + line.strip(), lines)
            elif line and not any(self.fields.values()):
                self.title.append(line.strip())
        self.title = " ".join(self.title)
        missing = [name for name in NEEDED if not self.fields[name]]
        if missing or not self.hand or not all(lines for _, lines in self.hand):
            raise ValueError(f"{path}: lacks {', '.join(missing) or 'a command with what it prints'}")

    def one(self, name):
        return self.fields[name][0] if self.fields[name] else ""

    @property
    def by(self):
        """Compiler and level."""
        words = shlex.split(self.fields["build"][-1])
        if self.path.suffix == ".S":
            return "written by hand"
        options = [word for word in words if re.match(r"-(O|m|f|gsplit|Wl)", word)]
        return " ".join([words[0], *options])

    def lacks(self):
        """What is needed and not here."""
        tools = {shlex.split(command)[0] for command in self.fields["build"]}
        tools |= {shlex.split(command)[0] for command, _ in self.hand}
        return sorted(tool for tool in tools if not shutil.which(tool))


def run(command, folder):
    return subprocess.run(["bash", "-c", command], cwd=folder, stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE,
                          check=False, errors="replace")


def has(output, lines):
    """The first line that is not in it, or None."""
    flat = re.sub(r"\s+", " ", output)
    at = 0
    for line in lines:
        pattern = ".*?".join(re.escape(part) for part in re.sub(r"\s+", " ", line).split("..."))
        match = re.compile(pattern).search(flat, at)
        if not match:
            return line
        at = match.end()
    return None


def ask_xstep(entry, xstep, folder):
    """What is not as the entry says, or None."""
    words = shlex.split(entry.one("xstep"))
    at = 3 if words[1] == "check" else 2
    command = [xstep, *words[1:at], "--format", "json", *words[at:]]
    result = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, timeout=PATIENCE, check=False)
    try:
        told = json.loads(result.stdout)
    except ValueError:
        return f"{shlex.join(command)}: {result.stderr.strip()[-300:]}"
    found = told.get("discrepancies", told.get("violations", []))
    party = entry.one("wrong") if entry.one("wrong") in ("gdb", "lldb") else "producer"
    for one in found:
        if one["signature"] == entry.one("rule") and one["basis"] == entry.one("basis") and \
                party in one["wrong"]:
            return None
    return f"xstep does not find it, but {sorted({(one['signature'], one['basis']) for one in found})}"


def check(entry, xstep, folder):
    """What is not as the entry says, or None."""
    for command in entry.fields["build"]:
        result = run(command, folder)
        if result.returncode:
            return f"{command}: {result.stdout.strip()[-300:]}"
    if xstep:
        problem = ask_xstep(entry, xstep, folder)
        if problem:
            return problem
    for command, lines in entry.hand:
        output = run(command, folder).stdout
        line = has(output, lines)
        if line:
            return f"{command}: no `{line}` in:\n{output.strip()[-1500:]}"
    return None


def prepare(folder):
    """The sources, and what those written by hand include."""
    for path in BUGS.glob("*.[chS]"):
        shutil.copy(path, folder)
    shutil.copy(TOP / "testdata/dwarf/dwarf_asm.h", folder)


def table(entries):
    """The rows of docs/bugs/README.md."""
    yield "| entry | wrong | what | by | rule | basis | known |"
    yield "|---|---|---|---|---|---|---|"
    for entry in entries:
        yield (f"| [{entry.name}]({entry.path.name}) | {entry.one('wrong')} | {entry.title.rstrip('.')} | "
               f"{entry.by} | `{entry.one('rule')}` | {entry.one('basis')} | {entry.one('known')} |")


def with_table(text, entries):
    """The document with the table as the entries have it."""
    between = "\n".join([BEGIN, *table(entries), END])
    return re.sub(f"{BEGIN}.*?{END}", lambda _: between, text, flags=re.S)


def load(names=()):
    order = {"gdb": 0, "lldb": 1, "gcc": 2, "clang": 3}
    entries = [Entry(path) for path in sorted(BUGS.glob("*.[cS]"))]
    unknown = set(names) - {entry.name for entry in entries}
    if unknown:
        raise ValueError(f"no such entry: {', '.join(sorted(unknown))}")
    entries = [entry for entry in entries if not names or entry.name in names]
    return sorted(entries, key=lambda entry: (entry.path.suffix == ".S", order[entry.one("wrong")],
                                              entry.name))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--xstep", default=str(TOP / "build/release/xstep"))
    parser.add_argument("--by-hand", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--keep")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    try:
        entries = load(options.names)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    if options.table:
        README.write_text(with_table(README.read_text(), entries))
        return 0
    status = 0
    wide = max(len(entry.name) for entry in entries)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(options.keep or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        prepare(folder)
        for entry in entries:
            lacks = entry.lacks()
            try:
                problem = None if lacks else \
                    check(entry, None if options.by_hand else options.xstep, folder)
            except subprocess.TimeoutExpired as error:
                problem = str(error)
            there = f"skipped: no {', '.join(lacks)}" if lacks else "GONE" if problem else "yes"
            print(f"{entry.name:{wide}}  {entry.by:28}  {entry.one('wrong'):5}  {entry.one('rule'):42}  "
                  f"{entry.one('basis'):8}  {entry.lines:3}  {there}", flush=True)
            if problem:
                print(f"    {problem}", file=sys.stderr)
                status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
