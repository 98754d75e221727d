#!/usr/bin/python3
"""hostile_store_test.py - a store is input: nothing that it says is run, crashes xstep, or keeps it busy for
longer than its size can justify. XSTEP_STORE_FULL=1 tries 400 random stores instead of a few."""
import os
import pathlib
import re
import shutil
import sqlite3
import stat
import struct
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e
import hostile_stores

FULL = bool(os.environ.get("XSTEP_STORE_FULL"))


class HostileCase(e2e.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shared = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.shared)
        cls.sound = hostile_stores.Sound(cls.shared)

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.file = self.folder / "store.db"
        shutil.copy(self.sound.files[0], self.file)

    def sql(self, *statements, many=None):
        connection = sqlite3.connect(self.file)
        connection.execute("PRAGMA legacy_alter_table = ON")
        for statement in statements:
            connection.execute(statement)
        if many:
            connection.executemany(*many)
        connection.commit()
        connection.close()

    def bounded(self, *words, megabytes=hostile_stores.MEGABYTES):
        """That a command ends by itself, soon, and with little memory."""
        problem = hostile_stores.measured(words, self.folder, megabytes)
        self.assertIsNone(problem, f"xstep {' '.join(map(str, words))}")

    def forms(self):
        yield "show", self.file, "--list"
        yield "show", self.file, "--trace", "1"
        yield "show", self.file, "--trace", "1", "--format", "json"
        yield "show", self.file, "--trace", "1", "--at", "7"
        yield "show", self.file, "--trace", "1", "--quote", "7"
        yield "store", "check", self.file
        yield "store", "merge", self.folder / "merged.db", self.file
        yield "diff", "--no-reproduce", self.file


class Named(HostileCase):
    """What a store names."""

    @e2e.smoke
    def test_another_file_is_not_run(self):
        canary = self.folder / "pwned"
        other = self.folder / "other"
        source = self.folder / "other.c"
        source.write_text(f'#include <fcntl.h>\nint main(void) {{ creat("{canary}", 0600); return 0; }}\n')
        self.expect(e2e.run([e2e.GCC, "-g", "-o", other, source]))
        for change in (f"UPDATE trace SET arguments = '[\"{other}\"]'",
                       f"UPDATE subject SET path = '{other}'"):
            shutil.copy(self.sound.files[1], self.file)
            self.sql(change)
            result = e2e.xstep("show", self.file, "--trace", "1", "--quote", 7)
            if "arguments" in change:
                self.expect(result, 2, "is not the file that was traced: it is sha256:")
                self.assertRegex(result.stderr, "and the trace is of sha256:[0-9a-f]{64}")
            e2e.xstep("diff", self.file)
            e2e.xstep("diff", "--no-reproduce", self.file)
            self.assertFalse(canary.exists(), change)

    def test_a_program_that_was_built_again_is_not_run(self):
        program = self.folder / "demo"
        shutil.copy(self.sound.program, program)
        self.expect(e2e.xstep("trace", "-o", self.folder / "own.db", program))
        self.expect(e2e.xstep("show", self.folder / "own.db", "--quote", 7))
        with open(program, "ab") as file:
            file.write(b"more")
        self.expect(e2e.xstep("show", self.folder / "own.db", "--quote", 7), 2, "is not the file that was traced")

    def test_what_everybody_has_is_not_run(self):
        """Its bytes are known to all, and the arguments are the store's: `rm` with a name, say."""
        precious = self.folder / "precious"
        precious.write_text("x")
        program = shutil.which("rm")
        digest = e2e.run(["sha256sum", program]).stdout.split()[0]
        self.sql(f"UPDATE subject SET path = '{program}', hash = 'sha256:{digest}'",
                 f"UPDATE trace SET arguments = '[\"{program}\", \"{precious}\"]'")
        self.expect(e2e.xstep("show", self.file, "--quote", 7), 2, "has no debug information")
        self.assertTrue(precious.exists())

    def test_a_witness_is_no_path(self):
        canary = self.folder / "pwned"
        script = self.folder / "evil"
        script.write_text(f"#!/bin/sh\ntouch {canary}\n")
        script.chmod(0o755)
        shutil.copy(self.sound.files[1], self.file)
        self.sql(f"UPDATE trace SET witness = 'gdb@{script}' WHERE id = 2")
        self.expect(e2e.xstep("diff", self.file), 2, "a witness that cannot be one")
        self.assertFalse(canary.exists())

    @e2e.smoke
    def test_arguments_that_are_no_words(self):
        for arguments in ("[1,null,{}]", "[]", "{}", "[\"x\", 1]", "[[]]", "x", "[" * 100000, "[\"\"]", "null"):
            with self.subTest(arguments[:20]):
                self.sql(f"UPDATE trace SET arguments = '{arguments}'")
                self.expect(e2e.xstep("show", self.file, "--quote", 7), 2, "does not say what was run")

    def test_lines_are_quoted_from_sources_only(self):
        secret = self.folder / "id_rsa"
        secret.write_text("the key\n" * 100)
        self.sql(f"INSERT INTO text VALUES (999999, '{secret}')", "UPDATE site SET file = 999999")
        self.assertNotIn("the key", self.expect(e2e.xstep("show", self.file)).stdout)
        source = self.folder / "some.c"
        source.write_text("some line\n" * 100)
        self.sql(f"UPDATE text SET text = '{source}' WHERE id = 999999")
        self.assertIn("some line", self.expect(e2e.xstep("show", self.file)).stdout)

    def test_a_journal_deletes_nothing(self):
        """A journal may name a file of its own, which SQLite deletes when it has been played back."""
        precious = self.folder / "precious"
        precious.write_text("x")
        content = self.file.read_bytes()
        magic, page = bytes.fromhex("d9d505f920a163d7"), content[:1024]
        start = magic + struct.pack(">5I", 1, 1, len(content) // 1024, 512, 1024)
        check = 1 + sum(page[at] for at in range(1024 - 200, 0, -200))
        name = str(precious).encode()
        pathlib.Path(f"{self.file}-journal").write_bytes(
            start.ljust(512, b"\0") + struct.pack(">I", 1) + page + struct.pack(">I", check) +
            struct.pack(">I", (1 << 30) // 1024 + 1) + name + struct.pack(">2I", len(name), sum(name)) + magic)
        self.expect(e2e.xstep("show", self.file), 2, "its journal names another file")
        self.assertTrue(precious.exists())


class Schemas(HostileCase):
    """Tables that are none, and more than there should be."""

    def refused(self, says):
        for words in (*self.forms(), ("trace", "-o", self.file, self.sound.program)):
            with self.subTest(str(words[:2])):
                self.bounded(*words)
                self.expect(e2e.xstep(*words), 2, says)

    def test_a_view_without_an_end(self):
        for table in ("trace", "stop", "text"):
            with self.subTest(table):
                shutil.copy(self.sound.files[0], self.file)
                connection = sqlite3.connect(self.file)
                names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
                connection.close()
                columns = ", ".join(f'{name if name in ("trace", "id") else 1} AS "{name}"' for name in names)
                self.sql(f"ALTER TABLE {table} RENAME TO was",
                         hostile_stores.ENDLESS.format(table=table, columns=columns))
                self.refused("that no trace store has")

    @e2e.smoke
    def test_others_are_refused(self):
        for statement in hostile_stores.STATEMENTS:
            shutil.copy(self.sound.files[0], self.file)
            statement = statement.format(table="stop")
            if "VIEW" in statement:
                continue
            try:
                self.sql(statement)
            except sqlite3.Error:
                continue
            with self.subTest(statement):
                self.expect(e2e.xstep("show", self.file, "--list"), 2, "that no trace store has")
                self.expect(e2e.xstep("trace", "-o", self.file, self.sound.program), 2, "that no trace store has")

    def test_a_missing_table(self):
        self.sql("PRAGMA foreign_keys = OFF", "DROP TABLE coverage")
        self.refused("tables of a trace store are missing")

    def test_views_are_the_users(self):
        """One more does no harm, and is not asked."""
        self.sql("CREATE VIEW mine AS SELECT * FROM lines")
        self.expect(e2e.xstep("show", self.file))
        self.expect(e2e.xstep("store", "check", self.file))


class Sizes(HostileCase):
    """Bounded by the size of the file."""

    def setUp(self):
        super().setUp()
        shutil.copy(self.sound.files[1], self.file)  # two witnesses, so that they can be compared

    def all(self, megabytes=hostile_stores.MEGABYTES):
        for words in self.forms():
            with self.subTest(str(words[:2])):
                self.bounded(*words, megabytes=megabytes if words[0] == "diff" else hostile_stores.MEGABYTES)

    def test_many_traces(self):
        columns = ("subject, witness, version, mode, level, sample, seed, arguments, vars, frames, regs, "
                   "max_leaves, host, began")
        self.sql(many=(f"INSERT INTO trace (id, {columns}) SELECT ?, {columns} FROM trace WHERE id = 1",
                       [(number,) for number in range(3, 20001)]))
        self.all()

    def test_many_elements(self):
        values = ",".join(str(number % 7) for number in range(500000))
        self.sql(f"UPDATE stop SET facts = '[[1,[{values}]]]' WHERE number = 5")
        self.all(megabytes=1000)  # diff has a million of them

    def test_a_long_name(self):
        for size in (1 << 20, 50 << 20):
            with self.subTest(f"{size} bytes"):
                shutil.copy(self.sound.files[1], self.file)
                self.sql(f"INSERT INTO text VALUES (999999, CAST(replace(hex(zeroblob({size // 2})), '0', 'x') AS TEXT))",
                         "UPDATE variable SET name = 999999", "UPDATE subject SET producer = 'x'")
                self.all()

    def test_a_long_value_again_and_again(self):
        text = "replace(hex(zeroblob(500000)), '0', 'x')"
        facts = ",".join(["1"] * 5000)
        self.sql("DELETE FROM value", f"INSERT INTO value SELECT id, 1, {text} FROM trace",
                 "UPDATE saying SET form = 'text'", f"UPDATE stop SET facts = '[[1,[{facts}]]]'")
        self.all()

    def test_an_execution_that_grows(self):
        piece = zlib.compress(b"\1" * (200 << 20), 9)
        self.sql("DELETE FROM execution")
        connection = sqlite3.connect(self.file)
        connection.execute("INSERT INTO execution VALUES (1, 1, 5, ?)", (piece,))
        connection.execute("INSERT INTO execution VALUES (1, 6, ?, ?)", (1 << 40, piece))
        connection.commit()
        connection.close()
        self.bounded("store", "check", self.file)

    def test_many_registers(self):
        registers = ",".join(f'"r{number}":{number}' for number in range(60000))
        self.sql(f"UPDATE stop SET regs = '{{{registers}}}'")
        self.all()

    def test_a_tree_that_leads_to_one_page_again_and_again(self):
        """Inner pages whose children are all the same: each level has as many rows as the one below, times
        the width of a page."""
        self.sql("DELETE FROM stop", many=("INSERT INTO stop (trace, number, transition, n) VALUES (1, ?, 1, 0)",
                                           [(number,) for number in range(1, 40000)]))
        content = bytearray(self.file.read_bytes())
        for at in range(1024, len(content), 1024):
            if content[at] != 2:  # an inner page of an index
                continue
            cells = struct.unpack_from(">H", content, at + 3)[0]
            pointers = struct.unpack_from(f">{cells}H", content, at + 12)
            child = content[at + 8:at + 12]
            for cell in pointers:
                content[at + cell:at + cell + 4] = child
        self.file.write_bytes(content)
        self.all()


class Modes(HostileCase):
    """What xstep makes is the user's alone."""

    def mode(self, path):
        return stat.S_IMODE(os.stat(path).st_mode)

    def open_to_all(self):
        e2e.leave_nothing()
        os.umask(0)

    def run(self, *words, **options):  # unittest's own has one word more, and no path
        if words and not isinstance(words[0], str):
            return super().run(*words, **options)
        return e2e.xstep(*words, preexec_fn=self.open_to_all)

    @e2e.smoke
    def test_files(self):
        made = {name: self.folder / name for name in ("new.db", "merged.db", "trace.txt", "stats", "transitions", "out")}
        self.expect(self.run("trace", "-o", made["new.db"], self.sound.program))
        self.expect(self.run("trace", "-o", made["trace.txt"], f"--stats={made['stats']}", "--transitions",
                             made["transitions"], "--stdout", made["out"], self.sound.program))
        self.expect(self.run("store", "merge", made["merged.db"], made["new.db"]))
        for name, path in made.items():
            self.assertEqual(oct(self.mode(path)), oct(0o600), name)

    def test_what_is_there_keeps_its_mode(self):
        path = self.folder / "shared.db"
        shutil.copy(self.file, path)
        path.chmod(0o664)
        self.expect(self.run("trace", "-o", path, self.sound.program))
        self.assertEqual(oct(self.mode(path)), oct(0o664))

    def test_a_log_is_as_private_as_its_store(self):
        path = self.folder / "loop.db"
        writer = subprocess.Popen([e2e.XSTEP, "trace", "-o", path, e2e.compile("end_loop.c")], stdin=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, preexec_fn=self.open_to_all)
        try:
            beside = [pathlib.Path(f"{path}{end}") for end in ("-wal", "-shm")]
            e2e.wait_until(lambda: all(one.exists() for one in beside), writer)
            self.assertEqual([oct(self.mode(one)) for one in (path, *beside)], [oct(0o600)] * 3)
        finally:
            writer.kill()
            writer.wait()

    def test_a_bundle(self):
        report = self.folder / "report"
        if not shutil.which("gdb"):
            self.skipTest("no gdb")
        program = e2e.compile("diff_demo.c", e2e.GCC, ("-g", "-O2"))
        result = self.run("diff", "--witness", "xstep,gdb", "--report", str(report), str(program))
        if not report.exists():
            self.skipTest(f"nothing was found to be reported: {result.stderr}")
        for path in (report, *report.rglob("*")):
            self.assertFalse(self.mode(path) & 0o077, f"{path} {oct(self.mode(path))}")


class Luck(HostileCase):
    """Random ones; bench/study/hostile_stores.py goes on for as long as one likes."""

    def test_random_stores(self):
        wrong = []
        for number in range(1, 401 if FULL else e2e.some(15, 30)):
            wrong += hostile_stores.try_store(number, self.sound, few=None if FULL else 6)
        self.assertEqual(wrong, [])

    def test_killed_writers(self):
        kills = hostile_stores.Kills(self.folder, "300")
        wrong = [problem for number in range(1, 21 if FULL else 5) if (problem := kills.kill(number))]
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    e2e.main()
