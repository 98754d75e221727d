#!/usr/bin/python3
"""campaign_cause_test.py - xstep campaign run --reduce --culprit: stages are done once, whatever kills them, and the
findings are one entry a bug. The compiler and the oracle are real; the reducer is a script that is quick."""
import contextlib
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e

LINE = e2e.TESTDATA / "check/check_line.c"  # clang 15 from -O1 on: a line that is never executed

# What is not needed for the finding, a line each.
MORE = "int first(int n) { return n + 1; }\nint second(int n) { return n + 2; }\n"

# Reducers. They are run as `cvise --n JOBS --timeout SECONDS TEST small.c`, in the folder of small.c.
QUICK = "#!/bin/sh\nsed -i /second/d small.c\n"
SLOW = "#!/bin/sh\nsed -i /first/d small.c\ntouch {mark}\nexec sleep 100000\n"


class Case(e2e.TestCase):
    """A campaign with one signature, which each test has a copy of."""

    @classmethod
    def setUpClass(cls):
        held = tempfile.TemporaryDirectory(prefix="cause_test-", ignore_cleanup_errors=True)
        cls.addClassCleanup(held.cleanup)
        cls.home = pathlib.Path(held.name)
        (cls.home / "sources").mkdir()
        # Names are not cut: without long ones the rest is too small for a reducer to be run.
        (cls.home / "sources/long.c").write_text(MORE + LINE.read_text().replace("zero", "zero_" + "x" * 500))
        done = e2e.xstep("campaign", "run", "dir", "--sources", "sources", "--compilers", e2e.CLANG, "--oracles",
                         "opt", "--levels=-O0,-O2", cwd=cls.home)
        assert done.returncode == 1, done.stderr

    def setUp(self):
        held = tempfile.TemporaryDirectory(prefix="cause_test-", ignore_cleanup_errors=True)
        self.addCleanup(held.cleanup)
        self.folder = pathlib.Path(held.name)
        self.environment = {**os.environ, "TMPDIR": str(self.folder / "tmp"),
                            "PATH": f"{self.folder}/bin:{os.environ['PATH']}"}
        for name in ("tmp", "bin"):
            (self.folder / name).mkdir()
        shutil.copytree(self.home / "dir", self.folder / "dir")
        self.mark = self.folder / "begun"
        self.id, = (path.name for path in (self.folder / "dir/signatures").iterdir())

    def reducer(self, text):
        path = self.folder / "bin/cvise"
        path.write_text(text.format(mark=self.mark))
        path.chmod(0o755)

    def campaign(self, *words, **environment):
        return e2e.xstep("campaign", *words, cwd=self.folder, env={**self.environment, **environment})

    def run_stages(self, *words, status=1, **environment):
        """The events of a run, which ends with a status."""
        told = self.expect(self.campaign("run", "dir", "--format", "json", *words, **environment), status)
        return [json.loads(line) for line in told.stdout.splitlines()]

    def findings(self, directory="dir"):
        return json.loads(self.campaign("findings", directory, "--format", "json").stdout)

    def sql(self, *statements, directory="dir"):
        with contextlib.closing(sqlite3.connect(self.folder / directory / "campaign.db")) as db:
            rows = [db.execute(one).fetchall() for one in statements]
            db.commit()
        return rows[-1]

    def add(self, number, text, wrong="producer", culprit=None, sameness=None):
        """A signature of the campaign's own job, with its causes."""
        name = f"{number:012}"
        self.sql(f"INSERT INTO signature VALUES ('{name}', 'opt', '{text}')",
                 f"INSERT INTO finding SELECT job, 'f{number}', '{name}', basis, '{wrong}', NULL, function, line,"
                 f" variable, report FROM finding LIMIT 1",
                 *(f"INSERT INTO exemplar SELECT '{name}', '{which}', job, id FROM finding WHERE signature = '{name}'"
                   for which in ("first", "smallest")))
        if culprit:
            self.sql(f"INSERT INTO cause (signature, stage, outcome, culprit, vector, seconds) VALUES ('{name}',"
                     f" 'culprit', 'done', '{culprit}', '{{}}', 1)")
        if sameness:
            self.sql(f"INSERT INTO cause (signature, stage, outcome, file, lines, bytes, sameness, seconds) VALUES"
                     f" ('{name}', 'reduce', 'done', 'signatures/{name}/reduced.c', 3, 30, '{sameness}', 1)")
        return name

    def nothing_is_left(self):
        self.assertTrue(e2e.wait_until(lambda: not list((self.folder / "tmp").iterdir())))


class Stages(Case):
    """What is done, and that it is done once."""

    def test_both_stages(self):
        """Recorded, told, not repeated; a campaign that they are merged into has them."""
        self.reducer(QUICK)
        *events, status = self.run_stages("--reduce", "--culprit")
        self.assertEqual([(one["event"], one["stage"], one["outcome"]) for one in events],
                         [("cause", "reduce", "done"), ("cause", "culprit", "done")])
        self.assertEqual([(one["stage"], one["done"]) for one in status["causes"]], [("reduce", 1), ("culprit", 1)])
        small = (self.folder / f"dir/signatures/{self.id}/reduced.c").read_text()
        self.assertNotIn("second", small)
        self.assertNotIn("first", small)  # nobody calls it: it goes before a reducer runs
        self.assertIn("main", small)
        told = self.findings()
        one, = told["signatures"]
        self.assertEqual((one["reduced"]["file"], one["reduced"]["lines"], one["reduced"]["bytes"]),
                         (f"signatures/{self.id}/reduced.c", small.count("\n"), len(small)))
        self.assertEqual(one["culprit"]["name"], "pass Control Flow Optimizer")
        self.assertIn("-O1", one["culprit"]["where"]["level"]["found"])
        self.assertIn(e2e.CLANG, one["culprit"]["where"]["compiler"]["found"])
        bug, = told["bugs"]
        self.assertEqual((bug["signatures"], bug["culprit"], bug["lines"], bug["folder"]),
                         ([self.id], one["culprit"]["name"], small.count("\n"), f"signatures/{self.id}"))
        text = self.expect(self.campaign("findings", "dir"), 1).stdout
        for words in ("culprit: pass Control Flow Optimizer", "found with -O1",
                      f"reduced: {one['reduced']['lines']} lines", f"signatures/{self.id}/reduced.c"):
            self.assertIn(words, text)
        self.assertIn("reduce: 1 done; culprit: 1 done", self.campaign("status", "dir").stdout)
        # Once is enough, and the options are kept.
        events = self.run_stages()
        self.assertEqual([one for one in events if "event" in one], [])
        self.assertEqual(self.findings(), told)
        self.expect(self.campaign("merge", "all", "dir"))
        self.assertEqual((self.folder / f"all/signatures/{self.id}/reduced.c").read_text(), small)
        self.assertEqual(self.findings("all"), told)
        self.nothing_is_left()

    @e2e.smoke
    def test_killed_and_out_of_time(self):
        """A reduction goes on with the best so far, whoever ended it; a job is never done again."""
        self.reducer(SLOW)
        process = subprocess.Popen([e2e.XSTEP, "campaign", "run", "dir", "--reduce"], cwd=self.folder,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment,
                                   preexec_fn=e2e.leave_nothing)
        self.assertTrue(e2e.wait_until(self.mark.exists, process))
        process.send_signal(signal.SIGKILL)
        process.wait(e2e.WAIT_SECONDS)
        self.assertEqual(self.sql("SELECT * FROM cause"), [])
        one, _ = self.run_stages("--cause-minutes", "0.05")
        self.assertEqual((one["stage"], one["outcome"], one["reason"]), ("reduce", "unfinished", "it took too long"))
        self.assertIn("reduced: unfinished: it took too long", self.campaign("findings", "dir").stdout)
        self.reducer(QUICK)
        one, _ = self.run_stages("--cause-minutes", "10")
        self.assertEqual((one["stage"], one["outcome"]), ("reduce", "done"))
        small = (self.folder / f"dir/signatures/{self.id}/reduced.c").read_text()
        self.assertNotIn("first", small)  # of what was killed
        self.assertNotIn("second", small)
        # Killed between the file and the row: the file is taken, and no reducer is run.
        self.sql("DELETE FROM cause")
        self.reducer("#!/bin/sh\nexit 1\n")
        one, _ = self.run_stages()
        self.assertEqual((one["outcome"], one["bytes"]), ("done", len(small)))
        e2e.xstep("campaign", "status", "dir", cwd=self.folder, env=self.environment)  # sweeps
        self.nothing_is_left()

    def test_what_failed_stays(self):
        self.reducer("#!/bin/sh\nexit 1\n")
        one, _ = self.run_stages("--reduce")
        self.assertEqual((one["outcome"], one["file"]), ("failed", None))
        self.assertIn("it failed with status 1", one["reason"])
        self.assertEqual(len(self.run_stages()), 1)
        self.assertIn("it failed with status 1", self.campaign("findings", "dir").stdout)

    def test_who_is_looked_into(self):
        """Nobody who is only suspected; no more than --causes, and then the others."""
        self.reducer(QUICK)
        other = self.add(1, "LI extra producer:no-such-thing")
        one, _ = self.run_stages("--reduce", "--causes", "1")
        self.assertEqual((one["id"], one["outcome"]), (other, "failed"))
        self.assertIn("opt finds something else", one["reason"])
        one, _ = self.run_stages("--causes", "1")
        self.assertEqual((one["id"], one["outcome"]), (self.id, "done"))
        self.sql("DELETE FROM cause")
        self.sql("UPDATE finding SET basis = 'suspected'")
        self.assertEqual(len(self.run_stages()), 1)
        self.sql("UPDATE finding SET basis = 'evidence', wrong = ''")
        self.assertEqual(len(self.run_stages()), 1)

    def test_no_reducer(self):
        """xstep cuts by itself: cvise need not be there."""
        for path in pathlib.Path("/usr/bin").iterdir():
            if path.name not in ("cvise", "creduce", "cvise-delta", "clang_delta"):
                (self.folder / "bin" / path.name).symlink_to(path)
        one, _ = self.run_stages("--reduce", PATH=str(self.folder / "bin"))
        self.assertEqual((one["stage"], one["outcome"]), ("reduce", "done"))
        small = (self.folder / f"dir/signatures/{self.id}/reduced.c").read_text()
        self.assertNotIn("second", small)


class Bad(Case):
    """Bad input: a message, and nothing is lost."""

    def test_words(self):
        for words, says in ((("--reduce", "--shards", "2"), "shards do not look for causes"),
                            (("--culprit", "--cause-minutes", "0"), "--cause-minutes"),
                            (("--causes", "none"), "--causes")):
            with self.subTest(words):
                self.expect(self.campaign("run", "dir", *words), 2, says)
        self.expect(self.campaign("findings", "dir", "--by", "magic"), 2, "--by")


class Bugs(Case):
    """Which signatures are one bug."""

    def test_one_bug(self):
        sink = self.add(1, "SI lost producer:v [inlined]", culprit="pass Sink")
        more = self.add(2, "SI lost producer:v [entry-value]", culprit="pass Sink", sameness="a")
        self.add(3, "SI lost producer:v [fbreg]", culprit="pass Other")
        self.add(4, "SI extra producer:v", culprit="pass Sink")
        self.add(5, "SI lost lldb:v", wrong="lldb", culprit="pass Sink")
        text = self.add(6, "XI same producer:text", sameness="a")
        self.add(7, "XI same lldb:text", wrong="lldb", sameness="a")
        told = self.findings()
        self.assertEqual(len(told["signatures"]), 8)
        bugs = {tuple(bug["signatures"]) for bug in told["bugs"]}
        self.assertEqual(len(bugs), 6)
        self.assertIn((sink, more, text), bugs)
        by_bug = self.expect(self.campaign("findings", "dir"), 1).stdout
        self.assertIn("6.  ", by_bug)
        self.assertNotIn("7.  ", by_bug)
        self.assertIn(f"     also: SI lost producer:v [entry-value]  [{more}]", by_bug)
        self.assertIn("8.  ", self.campaign("findings", "dir", "--by", "signature").stdout)
        self.assertEqual(self.campaign("findings", "dir", "--by", "bug").stdout, by_bug)
        self.expect(self.campaign("findings", "dir", "--new", "dir"))

    def test_without_causes(self):
        """As ever; and so is a campaign of the format before."""
        told = self.expect(self.campaign("findings", "dir"), 1).stdout
        self.assertNotIn("culprit", told)
        self.sql("DROP TABLE cause", "PRAGMA user_version = 1")
        self.assertEqual(self.expect(self.campaign("findings", "dir"), 1).stdout, told)
        self.expect(self.campaign("run", "dir"), 1)
        self.assertEqual(self.sql("PRAGMA user_version"), [(2,)])


if __name__ == "__main__":
    e2e.main()
