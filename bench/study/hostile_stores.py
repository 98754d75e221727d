#!/usr/bin/env python3
"""hostile_stores.py - trace stores that are damaged or made to do harm, and a fuzzer that looks what comes of
them.

A store is a sound one in which something was changed: random values in any column, of any type (the schema
is made lax for that, and put back); another schema (views, triggers, indices, generated and missing columns,
virtual tables, statistics); bytes, pages, its end, or the files beside it. Whatever xstep does with a store
is then done with it. Nothing may crash, hang, or take more than 10 seconds of the processor and 500 MB.

    hostile_stores.py [--seconds N] [--stores N] [--kills N] [--seed S] [--keep FOLDER]

tries so many stores, or goes on for so many seconds, and then kills xstep so many times while it writes a
store: what was stored must still be there, and be what a trace that nobody disturbs says. Each number of a
store is a seed of its own: `--seed 17 --stores 1` tries the one that failed.
"""
import argparse
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import e2e  # noqa: E402

SECONDS = 10  # of the processor, for any command
MEGABYTES = 500
HANGS = 120  # seconds of the processor: it has an end, but not a soon one
SANITIZED = bool(os.environ.get("XSTEP_SLOW"))
TABLES = ("text", "subject", "trace", "loaded", "site", "place", "transition", "frame", "stack", "stop",
          "variable", "leaf", "saying", "value", "unstable", "execution", "coverage")


# --- sound stores --------------------------------------------------------------------------------------------

class Sound:
    """Stores to begin with, in a folder."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.program = shutil.copy(e2e.compile("demo.c", e2e.GCC, ("-g", "-O1")), self.folder / "demo")
        self.files = [self.one_trace(), self.two_witnesses()]
        self.reference = None

    def record(self, name, *words):
        path = self.folder / name
        result = e2e.xstep("trace", "-o", path, *words, self.program)
        if result.returncode:
            raise RuntimeError(f"{result.rerun}\n{result.stderr}")
        return path

    def one_trace(self):
        return self.record("one.db", "--sample", "all", "--keep-order", "--regs", "--frames", "--vars", "all")

    def two_witnesses(self):
        """xstep and somebody who calls itself gdb and says something else now and then."""
        path = self.record("two.db", "--sample", "all")
        self.record("two.db", "--sample", "all")
        connection = sqlite3.connect(path)
        connection.execute("UPDATE trace SET witness = 'gdb', version = 'GNU gdb 13' WHERE id = 2")
        connection.execute("UPDATE value SET text = text || '1' WHERE trace = 2 AND id % 3 = 1")
        connection.execute("INSERT INTO unstable VALUES (2, 1, 0, 1, 20)")
        connection.commit()
        connection.close()
        return path


# --- values --------------------------------------------------------------------------------------------------

def nasty_number(luck):
    return luck.choice((0, 1, -1, 2, 3, 7, 255, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 2 ** 53,
                        2 ** 63 - 1, -2 ** 63, -2 ** 31, luck.getrandbits(63), -luck.getrandbits(63),
                        luck.randrange(100)))


def nasty_json(luck, deep=0):
    """Something that json.dumps() takes."""
    kind = luck.randrange(8 if deep < 4 else 5)
    if kind < 5:
        return (None, luck.choice((0, 1, -1, 2 ** 63, 10 ** 40, 1.5, True)), nasty_number(luck), "x" * luck.choice(
            (0, 1, 5, 5000)), luck.choice(("rip", "\x00", "\ud800", "/bin/sh", "-c", "\x1b[2J")))[kind]
    if kind < 7:
        return [nasty_json(luck, deep + 1) for _ in range(luck.choice((0, 1, 2, 4, 9)))]
    return {str(nasty_json(luck, 9))[:20]: nasty_json(luck, deep + 1) for _ in range(luck.randrange(4))}


def nasty_facts(luck):
    """Facts that nearly make sense."""
    def one():
        value = luck.choice((nasty_number(luck), None, [nasty_number(luck) for _ in range(luck.randrange(6))],
                             list(range(luck.choice((2, 100, 20000))))))
        return [luck.choice((1, 2, 3, nasty_number(luck))), value, *(luck.choice((1, 2, 3, None, nasty_number(luck)))
                                                                    for _ in range(luck.randrange(4)))]
    return json.dumps([one() for _ in range(luck.randrange(1, 6))], separators=(",", ":"))


def nasty_text(luck):
    return luck.choice((
        "", "\x00", "a\x00b", "%s%n%n", "x" * luck.choice((1, 4095, 5000, 100000, 1 << 20, (1 << 20) + 1)), "[*]", "$[*]",
        "$" + "[*]" * 300, "=", "'\"\\", "\x1b[2J\x1b]0;x\x07", "../../etc/passwd", "/etc/passwd", "/dev/zero", "/proc/self/mem",
        "gdb@/bin/false", "lldb", "none", "all", "value", "text", "number", "absent", "instruction", "line", "\ufffd\u202e",
        "[", "[" * 5000, "{" * 3000, "[[", "[[1,", "[[1,[", "[[1,1]", "null", "{}", "[]", "-", "9" * 400, "sha256:0",
        json.dumps(nasty_json(luck)), json.dumps([nasty_json(luck), nasty_json(luck)]), nasty_facts(luck), nasty_facts(luck)))


def nasty_value(luck):
    kind = luck.randrange(6)
    if kind < 2:
        return nasty_number(luck)
    if kind < 4:
        return nasty_text(luck)
    return luck.choice((None, 1.5, float("inf"), b"", bytes(luck.randrange(256) for _ in range(luck.randrange(60))),
                        b"\xff\xfe", b"x\x9c" + bytes(40)))


def lax(connection):
    """Takes out of the schema what keeps values in their columns, and says what it was."""
    was = connection.execute("SELECT rowid, sql FROM sqlite_schema WHERE type = 'table'").fetchall()
    connection.execute("PRAGMA writable_schema = ON")
    for row, sql in was:
        sql = re.sub(r"--[^\n]*", "", sql)
        keyed = re.search(r"PRIMARY KEY \(([^)]*)\)", sql)
        keys = {name.strip() for name in keyed.group(1).split(",")} if keyed else set()
        sql = re.sub(r"\bSTRICT,? ?", "", sql)
        sql = re.sub(r'("?\w+"?)( +)(INTEGER|TEXT|BLOB) NOT NULL', lambda m: m.group(0) if m.group(1) in keys
                     else f"{m.group(1)} {m.group(3)}", sql)
        sql = re.sub(r"CHECK \((?:[^()]|\([^()]*\))*\)", "", sql)
        connection.execute("UPDATE sqlite_schema SET sql = ? WHERE rowid = ?", (sql, row))
    connection.commit()
    return was


def strict(connection, was):
    connection.execute("PRAGMA writable_schema = ON")
    for row, sql in was:
        connection.execute("UPDATE sqlite_schema SET sql = ? WHERE rowid = ?", (sql, row))
    connection.commit()


def change_values(path, luck):
    """Random values in random columns."""
    said = []
    connection = sqlite3.connect(path)
    was = lax(connection)
    connection.close()
    connection = sqlite3.connect(path)  # the schema is read again
    connection.execute("PRAGMA ignore_check_constraints = ON")
    for _ in range(luck.choice((1, 1, 1, 2, 5))):
        table = luck.choice(TABLES)
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        column = luck.choice(columns)
        rows = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        value = nasty_facts(luck) if column == "facts" and luck.random() < 0.5 else nasty_value(luck)
        some = luck.choice(("", f" WHERE rowid = {luck.randrange(rows + 1)}")) if table in (
            "text", "subject", "trace") else luck.choice(("", f' WHERE {columns[1]} = {luck.randrange(1, 12)}'))
        try:
            connection.execute(f'UPDATE OR IGNORE {table} SET "{column}" = ?{some}', (value,))
            said.append(f"{table}.{column} = {str(value)[:60]!r}{some}")
        except (sqlite3.Error, OverflowError, UnicodeEncodeError) as error:
            said.append(str(error))
        if luck.random() < 0.1:
            connection.execute(f"DELETE FROM {table} WHERE rowid % 3 = 1" if table in (
                "text", "subject", "trace") else f"DELETE FROM {table} WHERE {columns[1]} % 5 = 2")
            said.append(f"rows of {table} deleted")
    connection.commit()
    strict(connection, was)
    connection.close()
    return "; ".join(said)


# --- schemas -------------------------------------------------------------------------------------------------

ENDLESS = ("CREATE VIEW {table} AS WITH RECURSIVE n(trace, id) AS (SELECT 1, 1 UNION ALL SELECT 1, id + 1 FROM n) "
           "SELECT {columns} FROM n")
SCHEMAS = (
    ENDLESS,
    "CREATE VIEW {table} AS SELECT {columns} FROM {table}_was",
    "CREATE TABLE {table} AS SELECT * FROM {table}_was",
    "CREATE VIRTUAL TABLE {table} USING fts5({names})",
    "CREATE VIRTUAL TABLE {table} USING dbstat",
    "",
)
STATEMENTS = (
    "CREATE TRIGGER evil AFTER INSERT ON text BEGIN DELETE FROM trace; END",
    "CREATE TRIGGER evil BEFORE INSERT ON trace BEGIN SELECT raise(IGNORE); END",
    "CREATE TRIGGER evil AFTER UPDATE ON trace BEGIN UPDATE trace SET complete = 1; END",
    "CREATE INDEX evil ON stop (zeroblob(1000000000))",
    "CREATE INDEX evil ON {table} (trace) WHERE trace > 7",
    "CREATE INDEX evil ON text (printf('%1000000s', text))",
    "ALTER TABLE {table} ADD COLUMN evil BLOB AS (zeroblob(100000000))",
    "ALTER TABLE {table} ADD COLUMN evil INTEGER",
    "ALTER TABLE stop DROP COLUMN note",
    "ALTER TABLE {table} RENAME TO elsewhere",
    "CREATE VIRTUAL TABLE evil USING fts5(x)",
    "CREATE TABLE evil (x)",
    "ANALYZE",
    "DROP VIEW states",
    "CREATE VIEW evil AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT * FROM n",
)


def change_schema(path, luck):
    """Another schema."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA legacy_alter_table = ON")
    table = luck.choice(TABLES)
    names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    if luck.random() < 0.5:
        sql = luck.choice(SCHEMAS)
        columns = ", ".join(f'{name if name in ("trace", "id") else 1} AS "{name}"' for name in names)
        statements = [f"ALTER TABLE {table} RENAME TO {table}_was", sql.format(
            table=table, columns=columns, names=", ".join(f'"{name}"' for name in names))]
    elif luck.random() < 0.7:
        statements = [luck.choice(STATEMENTS).format(table=table)]
    else:
        old, new = luck.choice((("STRICT", ""), ("INTEGER", "ANY"), ("NOT NULL", ""), ("TEXT", "BLOB"), ("PRIMARY KEY", "UNIQUE"),
                                ("CREATE TABLE", "CREATE VIEW"), ("trace", "tracf"), ("WITHOUT ROWID", ""), ("REFERENCES", "x")))
        connection.execute("PRAGMA writable_schema = ON")
        statements = [f"UPDATE sqlite_schema SET sql = replace(sql, '{old}', '{new}') WHERE name = '{table}'"]
        if luck.random() < 0.3:
            statements = [f"UPDATE sqlite_schema SET rootpage = {luck.randrange(40)} WHERE name = '{table}'"]
    said = []
    for statement in statements:
        try:
            connection.execute(statement)
            said.append(statement)
        except sqlite3.Error as error:
            said.append(f"{statement}: {error}")
    connection.commit()
    connection.close()
    return "; ".join(said)


# --- bytes ---------------------------------------------------------------------------------------------------

def change_bytes(path, luck):
    """Other bytes, pages, or an end too soon."""
    content = bytearray(path.read_bytes())
    kind = luck.randrange(5)
    if kind == 0:
        content = content[:luck.randrange(len(content))]
        said = f"{len(content)} bytes left"
    elif kind == 1:
        page = 1024
        for _ in range(luck.randrange(1, 6)):
            at, other = (page * luck.randrange(len(content) // page) for _ in range(2))
            content[at:at + page] = content[other:other + page]
        said = "pages copied"
    elif kind == 2:
        # Children of inner pages: a tree that leads to one place again and again.
        said = "pointers"
        for at in range(1024, len(content), 1024):
            if content[at] in (2, 5) and luck.random() < 0.5:
                child = luck.randrange(1, len(content) // 1024 + 1)
                content[at + 8:at + 12] = child.to_bytes(4, "big")
    else:
        many = luck.choice((1, 3, 20, 200))
        for _ in range(many):
            content[luck.randrange(0 if luck.random() < 0.1 else 100, len(content))] = luck.choice(
                (0, 1, 127, 128, 255, luck.randrange(256)))
        said = f"{many} bytes"
    path.write_bytes(content)
    if luck.random() < 0.1:
        end = luck.choice(("-wal", "-journal"))
        pathlib.Path(f"{path}{end}").write_bytes(
            luck.choice((b"", luck.randbytes(5000), bytes(600), b"\x37\x7f\x06\x82" + luck.randbytes(3000),
                         b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + luck.randbytes(3000))))
        said += f" and a {end}"
    return said


# --- trying --------------------------------------------------------------------------------------------------

def commands(store, sound, scratch):
    """Whatever xstep does with a store."""
    for words in (("--list",), ("--list", "--format", "json"), ("--list", "--format", "csv"), ("--trace", "1"),
                  ("--trace", "1", "--frames", "--regs"), ("--trace", "1", "--format", "json"),
                  ("--trace", "1", "--format", "csv"), ("--trace", "1", "--at", "7"),
                  ("--trace", "1", "--at", "20", "--format", "json"), ("--trace", "1", "--at", "20", "--format", "csv"),
                  ("--trace", "1", "--at", "demo.c:22"), ("--trace", "1", "--var", "numbers"),
                  ("--trace", "1", "--var", "numbers", "--format", "json"), ("--trace", "1", "--stats"),
                  ("--trace", "1", "--stats", "--format", "json"), ("--trace", "1", "--quote", "20"),
                  ("--trace", "1", "--quote", "20", "--var", "numbers[1]")):
        yield ("show", store, *words)
    yield "store", "check", store
    yield "store", "merge", scratch / "merged.db", store, sound.files[0]
    yield "store", "merge", scratch / "other.db", sound.files[0], store
    yield "diff", "--no-reproduce", store
    yield "diff", "--no-reproduce", "--trace", "1", "--trace", "2", "--format", "json", store
    yield "check", "avail", "--source", e2e.subject("demo.c"), "--trace", "1", store
    yield "trace", "-o", store, sound.program


def measured(words, folder, megabytes=MEGABYTES):
    """What is wrong with how a command ends; None if nothing is."""
    def prepare():
        e2e.leave_nothing()
        resource.setrlimit(resource.RLIMIT_CPU, (HANGS, HANGS))
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 32, 1 << 32))
        if not SANITIZED:
            resource.setrlimit(resource.RLIMIT_AS, (1 << 32, 1 << 32))
    with open(folder / "stderr", "wb") as said:
        process = subprocess.Popen([e2e.XSTEP, *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=said, preexec_fn=prepare)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    text = (folder / "stderr").read_bytes()[-3000:].decode(errors="replace")
    seconds, taken = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
    if process.returncode not in (0, 1, 2) or "Sanitizer" in text or "runtime error" in text:
        return f"status {process.returncode}: {text}"
    if not SANITIZED and (seconds > SECONDS or taken > megabytes):
        return f"{seconds:.1f} seconds and {taken:.0f} MB: {text[-200:]}"
    return None


def make(number, sound, folder):
    """The store of that number, and what was done to it."""
    luck = random.Random(number)
    path = folder / "store.db"
    shutil.copy(luck.choice(sound.files), path)
    how = luck.choice((change_values, change_values, change_values, change_schema, change_bytes))
    try:
        said = how(path, luck)
    except sqlite3.Error as error:  # a value made it unreadable: as good
        said = str(error)
    return path, f"{how.__name__}: {said}"


def try_store(number, sound, few=None, keep=None):
    """What went wrong with the store of a number. few: so many commands, drawn by the number."""
    wrong = []
    with tempfile.TemporaryDirectory(dir=sound.folder) as name:
        folder = pathlib.Path(name)
        path, said = make(number, sound, folder)
        whole = [(entry.name, entry.read_bytes()) for entry in folder.iterdir()]
        words = list(commands(path, sound, folder))
        if few:
            words = random.Random(number + 1000000).sample(words, few)
        for command in words:
            for entry, content in whole:  # each finds the store as it was made
                (folder / entry).write_bytes(content)
            problem = measured(command, folder)
            if problem:
                wrong.append(f"store {number} ({said}): xstep {' '.join(map(str, command))}: {problem}")
        if wrong and keep:
            keep.mkdir(parents=True, exist_ok=True)
            for entry, content in whole:
                (keep / f"{number}-{entry}").write_bytes(content)
    return wrong


# --- kills ---------------------------------------------------------------------------------------------------

class Kills:
    """xstep, killed while it writes a store that has a trace already."""

    def __init__(self, folder, rounds):
        self.folder = pathlib.Path(folder)
        self.words = (e2e.compile(e2e.TOP / "bench/loop.c", e2e.GCC, ("-g", "-O0")), rounds)
        self.base = self.folder / "base.db"
        began = time.monotonic()
        self.expect("trace", "--sample", "all", "-o", self.base, *self.words)
        self.seconds = time.monotonic() - began
        self.lines = self.shown(self.base, 1)
        self.stored = 0

    def expect(self, *words):
        result = e2e.xstep(*words)
        if result.returncode:
            raise RuntimeError(f"{result.rerun}: status {result.returncode}\n{result.stdout[-500:]}{result.stderr[-500:]}")
        return result.stdout

    def shown(self, path, trace):
        return self.expect("show", path, "--trace", trace, "--format", "json").splitlines()

    def seen(self, path):
        """How many stops of the second trace somebody else sees; 0 if that cannot be told now."""
        try:
            connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
            return connection.execute("SELECT count(*) FROM stop WHERE trace = 2").fetchone()[0]
        except sqlite3.Error:
            return 0

    def kill(self, number):
        """What went wrong."""
        luck = random.Random(number)
        path = self.folder / f"killed{number}.db"
        shutil.copy(self.base, path)
        writer = subprocess.Popen([e2e.XSTEP, "trace", "--sample", "all", "-o", path, *map(str, self.words)],
                                  stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  preexec_fn=e2e.leave_nothing)
        time.sleep(luck.uniform(0, 1.1 * self.seconds))
        seen = self.seen(path)
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        try:
            if self.expect("store", "check", path):
                return f"kill {number}: unsound"
            if self.shown(path, 1) != self.lines:
                return f"kill {number}: the first trace is not what it was"
            lines = self.shown(path, 2) if "\n    2 " in "\n" + self.expect("show", path, "--list") else []
        except RuntimeError as error:
            return f"kill {number}: {error}"
        if len(lines) < seen:
            return f"kill {number}: {seen} stops were stored, and {len(lines)} are there"
        if lines != self.lines[:len(lines)]:
            return f"kill {number}: another trace than nobody kills"
        self.stored += len(lines)
        for entry in self.folder.glob(f"killed{number}.db*"):
            entry.unlink()
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=0, help="how long to go on")
    parser.add_argument("--stores", type=int, default=0, help="how many stores to try")
    parser.add_argument("--kills", type=int, default=0, help="how often to kill a writer")
    parser.add_argument("--rounds", type=int, default=1000, help="of the program that is traced when it is killed")
    parser.add_argument("--seed", type=int, default=1, help="number of the first store")
    parser.add_argument("--few", type=int, default=0, help="so many commands a store (default: all)")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the stores that something went wrong with")
    options = parser.parse_args()
    end = time.monotonic() + options.seconds
    wrong, number = [], options.seed
    with tempfile.TemporaryDirectory() as folder:
        sound = Sound(folder)
        while number - options.seed < options.stores or time.monotonic() < end:
            for problem in try_store(number, sound, options.few, options.keep):
                wrong.append(problem)
                print(problem, flush=True)
            number += 1
            if not number % 100:
                print(f"{number - options.seed} stores, {len(wrong)} problems", flush=True)
        print(f"{number - options.seed} stores: {len(wrong)} problems", flush=True)
        if options.kills:
            kills = Kills(folder, str(options.rounds))
            bad = [problem for one in range(options.seed, options.seed + options.kills) if (problem := kills.kill(one))]
            print(*bad, f"{options.kills} kills: {len(bad)} problems; {kills.stored} stops were stored before them",
                  sep="\n", flush=True)
            wrong += bad
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
