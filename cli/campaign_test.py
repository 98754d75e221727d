#!/usr/bin/python3
"""campaign_test.py - xstep campaign: the same findings whoever does the work, however often it is killed; and
bad input of every kind. The oracles, compilers and debuggers are the real ones, on a few tiny programs."""
import contextlib
import csv
import json
import os
import pathlib
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e
from manners_test import Run

NAP = 200000 + os.getpid()  # seconds that nobody waits for, and nobody else's processes do

# A program of a few lines for each seed, as a generator would print it. No real compiler is wrong about it. One that
# defines WITH_G if it gets -g2 writes other code then, for odd seeds, and one that looks for CRASH finds it in 4.
GENERATOR = """#!/bin/sh
case $1 in *4) echo '/* CRASH */' ;; esac
case $1 in *[13579]) echo '#define ODD' ;; esac
cat <<END
static volatile int shown;
static int twice(int n) { return n * 2; }
int main(void)
{
	int sum = 0;
	for (int i = 0; i < $1 % 5 + 2; i++)
		sum += twice(i);
#if defined ODD && defined WITH_G
	shown = sum;
#endif
	return sum > 100;
}
END
"""


def seconds_apart(value):
    """JSON without what depends on the clock."""
    if isinstance(value, dict):
        return {key: seconds_apart(part) for key, part in value.items() if key not in ("seconds", "options")}
    return [seconds_apart(part) for part in value] if isinstance(value, list) else value


class Folder(e2e.TestCase):
    """With a folder to work in, a generator, and a compiler that is a script around the real one."""

    def setUp(self):
        held = tempfile.TemporaryDirectory(prefix="campaign_test-", ignore_cleanup_errors=True)
        self.addCleanup(held.cleanup)
        self.folder = pathlib.Path(held.name)
        (self.folder / "tmp").mkdir()
        self.generator = self.script("generate", GENERATOR)

    def script(self, name, text):
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    def compiler(self, name, cases):
        """A compiler that is gcc, but for what the shell's `cases` do: they match the words of the command."""
        return self.script(name, f'#!/bin/sh\ncase " $* " in\n{cases}\nesac\nexec {e2e.GCC} "$@"\n')

    def campaign(self, *words, **options):
        environment = {**os.environ, "TMPDIR": str(self.folder / "tmp")}
        return e2e.xstep("campaign", *words, env=environment, cwd=self.folder, **options)

    def run_words(self, directory, *more):
        """The words of a quick campaign, without debuggers."""
        return ["run", directory, "--generate", f"{self.generator} {{seed}}", "--seeds", "1-2", "--compilers",
                e2e.GCC, "--oracles", "frames,ccmd", *more]

    def results(self, directory):
        """All that a campaign came to, but for seconds."""
        told = [json.loads(self.campaign(command, directory, "--format", "json").stdout)
                for command in ("status", "findings")]
        for one in told[0]["totals"]:
            self.assertEqual(one["jobs"], one["done"])
        return json.dumps(seconds_apart(told), indent=1)

    def nothing_is_left(self):
        """No process that sleeps for us, and no temporary folder."""
        def sleepers():
            found = subprocess.run(["pgrep", "-f", f"sleep {NAP}"], capture_output=True, text=True, check=False)
            return found.stdout.split()
        self.assertTrue(e2e.wait_until(lambda: not sleepers()), sleepers())
        self.assertEqual(list((self.folder / "tmp").glob("xstep-*")), [])


class Same(Folder):
    """The same findings with the same ids."""

    def setUp(self):
        super().setUp()
        self.wrong = self.script("wrongcc", f"""#!/bin/sh
for word; do
	case $word in
	-g2) more=-DWITH_G ;;
	*.c) grep -q CRASH "$word" && echo "$word:1: internal compiler error: in f, at g.c:7" >&2 && exit 1 ;;
	esac
done
exec {e2e.GCC} "$@" $more
""")

    def words(self, directory, *more, seeds="1-4"):
        return ["run", directory, "--generate", f"{self.generator} {{seed}}", "--seeds", seeds, "--compilers",
                f"{e2e.GCC},{self.wrong}", "--levels=-O1", "--oracles", "frames,ccmd", "--no-sanitize", *more]

    @e2e.smoke
    def test_workers_and_kills_change_nothing(self):
        self.expect(self.campaign(*self.words("one", "--jobs", "1")), status=1)
        one = self.results("one")
        self.assertEqual([(one["oracle"], one["count"]) for one in json.loads(one)[1]["signatures"]],
                         [("build", 1), ("ccmd", 2)])
        self.expect(self.campaign(*self.words("two", "--jobs", "2")), status=1)
        self.expect_same_text([("one worker", one), ("two workers", self.results("two"))])

    def test_killed_and_continued(self):
        self.expect(self.campaign(*self.words("whole", "--jobs", "2")), status=1)
        dice = random.Random(1)
        words = self.words("killed", "--jobs", "2")
        for _ in range(e2e.some(3, 6)):
            process = subprocess.Popen([e2e.XSTEP, "campaign", *map(str, words), "--format", "json"],
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=self.folder,
                                       env={**os.environ, "TMPDIR": str(self.folder / "tmp")},
                                       preexec_fn=e2e.leave_nothing)
            # After some of its lines; where within the next job that is, the machine decides.
            for _ in range(dice.randrange(1, 5)):
                process.stdout.readline()
            process.kill()
            process.communicate()
            words = ["run", "killed"]
        self.expect(self.campaign("run", "killed"), status=1)
        self.expect_same_text([("whole", self.results("whole")), ("killed", self.results("killed"))])
        self.assertEqual(list((self.folder / "killed/builds").iterdir()), [])

    def test_parts_make_a_whole(self):
        """Two campaigns of other seeds, one of them not finished, merged and continued; and more seeds later."""
        self.expect(self.campaign(*self.words("whole")), status=1)
        self.expect(self.campaign(*self.words("low", seeds="1-2")), status=1)
        self.expect(self.campaign(*self.words("high", seeds="2-4")), status=1)
        self.expect(self.campaign("merge", "both", "low", "high"))
        self.expect_same_text([("whole", self.results("whole")), ("merged", self.results("both"))])
        self.expect(self.campaign("run", "both"), status=1)
        self.expect(self.campaign("run", "low", "--seeds", "1-4"), status=1)
        self.expect_same_text([("whole", self.results("whole")), ("extended", self.results("low"))])


class Watched(Folder):
    """What is told while it runs, and how far it is, asked at any time."""

    def setUp(self):
        super().setUp()
        self.wrong = self.compiler("wrong", '*" -g2 "*) set -- "$@" -DWITH_G ;;')

    def words(self, directory):
        return ["run", self.folder / directory, "--generate", f"{self.generator} {{seed}}", "--seeds", "1-3",
                "--compilers", self.wrong, "--levels=-O1", "--oracles", "frames,ccmd", "--no-sanitize"]

    def test_terminal(self):
        """How far it is, what workers do, each signature once; all of it on lines that the terminal has room for."""
        run = Run(self, *self.words("dir"), "--jobs", "2", command="campaign", columns=60)
        status, out, left = run.end()
        self.assertEqual((status, left), (1, []), run.seen)
        for pattern in (r"\d of 3 programs, \d+ builds; \d+ jobs done, \d+ to do", r"\d+ findings, [01] new signatures",
                        r"\d+\.\d programs, \d+\.\d jobs a minute; \d+ \w+", r"  making seed [12], \d+ \w+"):
            self.assertRegex(run.seen, pattern)
        news = re.findall(r"new: (\w+): (.*)  \[([0-9a-f]{12})\]  seed (\d)", run.seen)
        found = json.loads(self.campaign("findings", "dir", "--format", "json").stdout)["signatures"]
        self.assertEqual([(oracle, text, name) for oracle, text, name, _ in news],
                         [(one["oracle"], one["signature"], one["id"]) for one in found])
        self.assertIn(news[0][3], "13")
        for line in re.split(r"\r?\n|\r", re.sub(r"\x1b\[\d*[AJ]", "\n", run.seen)):
            self.assertTrue(len(line) < 60 or line.startswith("new: "), line)
        self.assertTrue(run.seen.rstrip().endswith("\x1b[J"), run.seen[-200:])
        self.assertIn("3 programs, 3 of them kept", out)

    def test_silent(self):
        """Where standard error is no terminal, and where that is wanted."""
        self.assertEqual(self.expect(self.campaign(*self.words("dir")), status=1).stderr, "")
        run = Run(self, *self.words("quiet"), "--quiet", command="campaign")
        self.assertEqual((run.end()[0], run.seen), (1, ""))

    def test_events(self):
        """A line for each program, job and signature; a signature comes behind what brought it."""
        lines = [json.loads(line) for line in
                 self.expect(self.campaign(*self.words("dir"), "--format", "json"), 1).stdout.splitlines()]
        events = [one.get("event") for one in lines]
        self.assertEqual({name: events.count(name) for name in set(events)},
                         {"program": 3, "job": 6, "signature": 1, None: 1})
        place = events.index("signature")
        job, one = lines[place - 1], lines[place]
        self.assertEqual((job["event"], job["new_signatures"], job["oracle"]), ("job", 1, "ccmd"))
        self.assertEqual([job[key] for key in ("program", "origin", "compiler", "level")],
                         [one[key] for key in ("program", "origin", "compiler", "level")])
        found = json.loads(self.campaign("findings", "dir", "--format", "json").stdout)["signatures"]
        self.assertEqual([(one["id"], one["signature"])], [(each["id"], each["signature"]) for each in found])
        crashing = self.compiler("crashing", '*" -O2 "*) echo "internal compiler error: in f" >&2; exit 1 ;;')
        told = self.campaign(*self.words("crash"), "--compilers", crashing, "--levels=-O2", "--format", "json")
        lines = [json.loads(line) for line in told.stdout.splitlines()]
        self.assertEqual([one["oracle"] for one in lines if one.get("event") == "signature"], ["build"])

    def test_status_fits_a_screen(self):
        """24 lines of 80, with all oracles, many reasons and many kinds of failures."""
        self.expect(self.campaign(*self.words("dir")), status=1)
        oracles = ["avail", "build", "ccmd", "diff", "frames", "levels", "metrics", "opt", "probes", "twins"]
        with contextlib.closing(sqlite3.connect(self.folder / "dir/campaign.db")) as db:
            program, = db.execute("SELECT id FROM program").fetchone()
            for number in range(12):
                db.execute("INSERT INTO program VALUES (?, ?, ?, '', NULL, NULL, NULL, ?, ?, 1.0)",
                           (f"{number:012}", f"seed {number + 100}", f"{number}", f"reason {number}", 200 * "x"))
                db.execute("INSERT INTO job (program, oracle, compiler, level, outcome, detail, seconds)"
                           " VALUES (?, ?, ?, '-O2', 'trouble', ?, 1e6)",
                           (program, oracles[number % 10], f"gcc-{number}", f"{number} {200 * 'y'}"))
            db.commit()
        lines = self.expect(self.campaign("status", "dir")).stdout.splitlines()
        self.assertLessEqual(len(lines), 23, lines)  # and one to type in
        self.assertLess(max(map(len, lines)), 80, lines)
        self.assertIn("and for 8 more reasons", "\n".join(lines))
        self.assertIn("failed  to do findings signatures seconds", "\n".join(lines))
        self.assertEqual([line.split()[0] for line in lines if line.split()[0] in oracles], oracles)


class Looking(Folder):
    """A finding of diff, by real debuggers; and what can be asked of a campaign."""

    def test_diff(self):
        sources = self.folder / "sources"
        sources.mkdir()
        shutil.copy(e2e.subject("09_constant_data.c"), sources)
        (sources / "larger.c").write_text(e2e.subject("09_constant_data.c").read_text() + "/* larger */\n")
        words = ["run", "dir", "--sources", sources, "--compilers", e2e.GCC, "--levels=-O0,-O2",
                 "--oracles", "diff,opt"]
        told = self.campaign(*words)
        if "apt-get install" in told.stderr:
            self.skipTest(told.stderr.strip())
        self.expect(told, status=1)
        found = json.loads(self.campaign("findings", "dir", "--format", "json").stdout)["signatures"]
        one = next(one for one in found if one["signature"] == "G3 loss lldb:constant-data")
        self.assertEqual((one["oracle"], one["basis"], one["wrong"], one["programs"]), ("diff", "replayed", "lldb", 2))
        self.assertEqual(one["exemplar"]["origin"], "file 09_constant_data.c")
        self.assertIn("lldb does not show", self.expect(self.campaign("show", "dir", one["id"][:6]), 1).stdout)
        case = self.folder / "dir/signatures" / one["id"] / "smallest"
        self.assertEqual((case / "program.c").read_text(), (sources / "09_constant_data.c").read_text())
        self.assertEqual(json.loads((case / "finding.json").read_text())["id"], one["exemplar"]["finding"])
        again = self.expect(self.campaign("rerun", "dir", one["id"]), status=1)
        self.assertIn(f"[{one['exemplar']['finding']}]", again.stdout)
        self.assertIn("xstep diff", again.stdout)
        self.expect(self.campaign("findings", "dir", "--new", "dir"))
        self.expect(self.campaign("show", "dir", "ffff"), status=2, says="no signature has that id")

    def test_what_is_another_by_now(self):
        """Signatures that came, are gone, or are found more often, by build; and what nobody asked about."""
        def compiler(name, define):
            return self.compiler(name, f'*" -g2 "*) set -- "$@" -D{define} ;;')
        sources = self.folder / "sources"
        sources.mkdir()
        body = "int main(void)\n{\n#ifdef %s\n\tvolatile int x = 1;\n#endif\n\treturn 0;\n}\n"
        for name, define in (("a", "BOTH"), ("b", "OLD"), ("c", "BOTH")):
            (sources / f"{name}.c").write_text(body % define)
        wrong = compiler("wrong", "BOTH -DOLD")
        words = ["--sources", sources, "--compilers", wrong, "--levels=-O1", "--no-sanitize"]
        self.expect(self.campaign("run", "old", *words, "--oracles", "ccmd"), status=1)
        compiler("wrong", "BOTH")
        self.expect(self.campaign("run", "new", *words, "--oracles", "ccmd,frames"), status=1)
        told = json.loads(self.expect(self.campaign("findings", "new", "--new", "old", "--format", "json")).stdout)
        self.assertEqual((told["signatures"], told["gone"], told["programs"]), ([], [], {"before": 3, "now": 3}))
        self.assertEqual([(one["change"], one["compiler"], one["level"], one["before"], one["now"])
                          for one in told["changes"]], [("fewer", str(wrong), "-O1", 3, 2)])
        back = json.loads(self.expect(self.campaign("findings", "old", "--new", "new", "--format", "json")).stdout)
        self.assertEqual([(one["change"], one["before"], one["now"]) for one in back["changes"]], [("more", 2, 3)])
        text = self.expect(self.campaign("findings", "new", "--new", "old")).stdout
        self.assertRegex(text, r"fewer +3 +2  \S+wrong -O1  ccmd: ")
        self.assertIn("no signature that the older campaign has not", text)
        # Another version of the compiler, which does nothing wrong; and a build that the older campaign has not.
        self.compiler("wrong", '*" --version "*) echo "wrong 2.0"; exit 0 ;;')
        self.expect(self.campaign("run", "newer", *words, "--oracles", "ccmd"))
        told = json.loads(self.expect(self.campaign("findings", "newer", "--new", "new", "--format", "json")).stdout)
        self.assertEqual([(one["change"], one["before"], one["now"]) for one in told["changes"]], [("gone", 2, 0)])
        self.assertEqual([one["now"] for one in told["versions"]], ["wrong 2.0"])
        self.assertEqual(len(told["gone"]), 1)
        back = self.expect(self.campaign("findings", "new", "--new", "newer", "--format", "json"), status=1)
        self.assertEqual([(one["change"], one["before"], one["now"]) for one in json.loads(back.stdout)["changes"]],
                         [("came", 0, 2)])
        other = compiler("other", "BOTH")
        self.expect(self.campaign("run", "third", *words, "--compilers", other, "--oracles", "ccmd"), status=1)
        told = json.loads(self.campaign("findings", "third", "--new", "old", "--format", "json").stdout)
        self.assertEqual(sorted((one["change"], one["before"], one["now"]) for one in told["changes"]
                                if one["compiler"] == str(other)), [("unasked", None, 2)])

    def test_known(self):
        """A file of reported bugs marks signatures at reading time; without them, what is left decides."""
        wrong = self.compiler("wrong", '*" -g2 "*) set -- "$@" -DWITH_G ;;')
        known = self.folder / "known.txt"
        known.write_text("# ours\n* | bug 12 | with -g there is other code\n")
        words = [*self.run_words("dir", "--no-sanitize", "--levels=-O1"), "--compilers", wrong]
        told = self.expect(self.campaign(*words, "--known", known, "--format", "json"), status=1)
        lines = [json.loads(line) for line in told.stdout.splitlines()]
        self.assertEqual([one["known"] for one in lines if one.get("event") == "signature"], ["bug 12"])
        self.assertIn("known: bug 12", self.campaign("run", "dir", "--known", known).stdout)
        one, = json.loads(self.campaign("findings", "dir", "--format", "json").stdout)["signatures"]
        self.assertEqual((one["oracle"], one["known"]), ("ccmd", None))
        for extra in ((), ("--new", "empty")):
            with self.subTest(extra):
                if extra:
                    self.expect(self.campaign(*self.run_words("empty", "--seeds", "2", "--no-sanitize")))
                marked = self.expect(self.campaign("findings", "dir", "--known", known, *extra), status=1)
                self.assertIn("known: bug 12", marked.stdout)
                self.expect(self.campaign("findings", "dir", "--no-known", *extra), status=1)
                left = self.expect(self.campaign("findings", "dir", "--no-known", "--known", known, *extra))
                self.assertNotIn(one["id"], left.stdout)
        self.assertIn("known: bug 12", self.expect(self.campaign("show", "dir", one["id"], "--known", known), 1).stdout)
        known.write_text("nonsense\n")
        for command in ("findings", "run"):
            self.expect(self.campaign(command, "dir", "--known", known), status=2, says="known.txt:1: expected PATTERN")
        self.expect(self.campaign("findings", "dir", "--known", "no-such-file"), status=2, says="--known no-such-file")

    def test_schema_is_for_everybody(self):
        """Plain SQL on campaign.db, and a trace store is no campaign."""
        self.expect(self.campaign(*self.run_words("dir", "--seeds", "1-1", "--no-sanitize")))
        with contextlib.closing(sqlite3.connect(self.folder / "dir/campaign.db")) as db:
            self.assertEqual(db.execute("SELECT count(*), sum(outcome = 'clean') FROM job").fetchone(), (4, 4))
            self.assertEqual(db.execute("PRAGMA foreign_key_check").fetchall(), [])
        self.assertIn("another application", e2e.xstep("show", self.folder / "dir/campaign.db").stderr)


class Export(Folder):
    """What a user takes away says what status and findings say."""

    def setUp(self):
        super().setUp()
        self.wrong = self.compiler("wrong", '*" -g2 "*) set -- "$@" -DWITH_G ;;')
        sources = self.folder / "sources"
        sources.mkdir()
        text = subprocess.run([self.generator, "1"], capture_output=True, text=True, check=True).stdout
        (sources / "odd.c").write_text(text)
        (sources / "refused.c").write_text("int main(void) { return a, \"b\"; }\n")
        self.expect(self.campaign("run", "dir", "--sources", sources, "--compilers", self.wrong, "--levels=-O1",
                                  "--oracles", "frames,ccmd", "--no-sanitize"), status=1)

    def table(self, name):
        with open(self.folder / "tables" / f"{name}.csv", newline="") as file:
            return list(csv.DictReader(file))

    def test_json(self):
        told = json.loads(self.expect(self.campaign("export", "dir")).stdout)
        status, findings = (json.loads(self.campaign(command, "dir", "--format", "json").stdout)
                            for command in ("status", "findings"))
        for key in ("totals", "left_out", "builds", "oracles", "failed", "figures"):
            self.assertEqual(told[key], status[key])
        self.assertEqual({one["name"]: one["value"] for one in status["options"]},
                         {**{one["option"]: one["value"] for one in told["options"]},
                          **{f"version {one['tool']}": one["version"] for one in told["versions"]}})
        self.assertEqual([one["id"] for one in told["signatures"]], [one["id"] for one in findings["signatures"]])
        one = told["signatures"][0]
        self.assertEqual(sum(cell["findings"] for cell in one["cells"]), one["count"])
        self.assertEqual([(case["which"], case["origin"]) for case in one["exemplars"]],
                         [("first", "file odd.c"), ("smallest", "file odd.c")])
        self.assertEqual([(one["origin"], one["left_out"], one["jobs"], one["findings"]) for one in told["programs"]],
                         [("file odd.c", None, 2, 1), ("file refused.c", "a compiler refuses it", 0, 0)])
        self.assertEqual([(one["stage"], one["count"]) for one in told["stages"]],
                         [("making and filtering", 2), ("building", 2), ("ccmd", 1), ("frames", 1)])
        self.expect(self.campaign("export", "dir", "-o", "all.json"))
        self.assertEqual(json.loads((self.folder / "all.json").read_text()), told)

    def test_tables(self):
        self.expect(self.campaign("export", "dir", "--format", "csv", "-o", "tables"))
        told = json.loads(self.campaign("export", "dir").stdout)
        for name, rows in told.items():
            if name not in ("xstep", "signatures"):
                self.assertEqual([[key for key, _ in row.items()] for row in self.table(name)],
                                 [list(row) for row in rows], name)
        self.assertEqual([row["id"] for row in self.table("signatures")], [one["id"] for one in told["signatures"]])
        self.assertEqual([(row["compiler"], row["findings"]) for row in self.table("cells")], [(str(self.wrong), "1")])
        self.assertEqual(self.table("left_out")[0]["detail"], told["left_out"][0]["detail"])  # it has quotes in it
        self.assertEqual(list((self.folder / "tables").glob("*.part")), [])
        text = self.expect(self.campaign("export", "dir", "--format", "markdown")).stdout
        for words in ("\n## Signatures\n", "\n| frames | 1 | 1 | 0 |", "| a compiler refuses it | 1 |"):
            self.assertIn(words, text)
        for line in text.splitlines():
            self.assertTrue(not line or line[0] in "#|", line)

    def test_texts_of_others(self):
        """They are no formulas, no lines and no cells."""
        with contextlib.closing(sqlite3.connect(self.folder / "dir/campaign.db")) as db:
            db.execute("UPDATE program SET origin = 'file =1+cmd|x\"y\nz.c' WHERE reason IS NULL")
            db.execute("UPDATE program SET reason = '=cmd|\nx', detail = '-cmd|x' WHERE reason IS NOT NULL")
            db.commit()
        self.expect(self.campaign("export", "dir", "--format", "csv", "-o", "tables"))
        one, = self.table("left_out")
        self.assertEqual((one["reason"], one["detail"]), ("'=cmd|\\nx", "'-cmd|x"))
        self.assertEqual(self.table("signatures")[0]["smallest"], "file =1+cmd|x\"y\\nz.c")
        self.assertEqual(self.table("builds")[0]["level"], "-O1")
        text = self.expect(self.campaign("export", "dir", "--format", "markdown")).stdout
        row, = (line for line in text.splitlines() if "=cmd" in line)
        self.assertEqual(len(re.findall(r"(?<!\\)\|", row)), 4, row)

    def test_bad(self):
        (self.folder / "file").write_text("mine")
        for words, says in ((["dir", "--format", "csv"], "name a folder for them with -o"),
                            (["dir", "--format", "csv", "-o", "file"], "file"),
                            (["dir", "-o", "no/such/folder.json"], "no/such/folder.json"),
                            (["nowhere"], "not a campaign"), ([], "expected DIR")):
            with self.subTest(words):
                self.expect(self.campaign("export", *words), status=2, says=says)
        self.assertEqual((self.folder / "file").read_text(), "mine")


class Filters(Folder):
    """Programs that are left out, each with its reason."""

    def test_reasons(self):
        sources = self.folder / "sources"
        (sources / "inner").mkdir(parents=True)
        for name, text in {
                "good.c": "int main(void) { return 3; }",
                "inner/good.c": "int main(void) { return 4; }",
                "refused.c": "int main(void) { return x; }",
                "endless.c": "int main(void) { for (;;); }",
                "signal.c": "int main(void) { __builtin_trap(); }",
                "random.c": "#include <stdio.h>\n#include <unistd.h>\n"
                            "int main(void) { printf(\"%d\\n\", getpid()); return 0; }",
                "overflow.c": "int main(void) { volatile int n = 2147483647; n = n + 1; return 0; }",
                "loud.c": "#include <stdio.h>\nint main(void) { for (;;) puts(\"loud\"); }",
                "long.c": "int main(void) { int n = 0; while (n < 100000) n++; return n & 1; }",
                "large.c": "/* " + 5000 * "x" + " */ int main(void) { return 0; }"}.items():
            (sources / name).write_text(text + "\n")
        told = self.campaign("run", "dir", "--sources", sources, "--compilers", e2e.GCC, "--levels=-O0",
                             "--oracles", "frames,avail,probes", "--run-timeout", "10", "--max-steps", "100000",
                             "--max-source", "4000", "--mutate", "1")
        self.expect(told)
        status = json.loads(self.campaign("status", "dir", "--format", "json").stdout)
        self.assertEqual({one["reason"]: one["programs"] for one in status["left_out"]}, {
            "a compiler refuses it": 1, "it does not end in time": 1, "it dies of a signal": 1,
            "two runs of it differ": 1, "its behaviour is undefined": 1, "it prints too much": 1,
            "it executes too many instructions": 1, "its source is too large": 1})
        self.assertEqual({one["oracle"]: (one["jobs"], one["clean"], one["unasked"]) for one in status["oracles"]},
                         {"frames": (4, 4, 0), "avail": (4, 0, 4), "probes": (4, 0, 4)})
        with contextlib.closing(sqlite3.connect(self.folder / "dir/campaign.db")) as db:
            kept = [origin for origin, in db.execute("SELECT origin FROM program WHERE reason IS NULL ORDER BY rank")]
        self.assertEqual(kept, ["file good.c", "file good.c mutant 1", "file inner/good.c",
                                "file inner/good.c mutant 1"])
        self.nothing_is_left()

    def test_builds_that_do_different_things(self):
        """What one build does proves nothing about another then, though no sanitizer complains."""
        sources = self.folder / "sources"
        sources.mkdir()
        for name, text in {"alike.c": "int main(void) { return 3; }",
                           "ends.c": "int main(void) {\n#ifdef __OPTIMIZE__\nreturn 1;\n#endif\nreturn 0; }",
                           "prints.c": "#include <stdio.h>\nint main(void) {\n#ifdef __OPTIMIZE__\nputs(\"\");\n"
                                       "#endif\nreturn 0; }",
                           "dies.c": "int main(void) {\n#ifdef __OPTIMIZE__\n__builtin_trap();\n#endif\nreturn 0; }"
                           }.items():
            (sources / name).write_text(text + "\n")
        self.expect(self.campaign("run", "dir", "--sources", sources, "--compilers", e2e.GCC, "--levels=-O0,-O2",
                                  "--oracles", "metrics", "--no-sanitize"))
        with contextlib.closing(sqlite3.connect(self.folder / "dir/campaign.db")) as db:
            told = {origin: (reason, detail) for origin, reason, detail in
                    db.execute("SELECT origin, reason, detail FROM program")}
        where = f"{pathlib.Path(e2e.GCC).name} -O2"
        self.assertEqual(told, {"file alike.c": (None, None), "file dies.c": ("it dies of a signal", where),
                                "file ends.c": ("its builds do different things", where),
                                "file prints.c": ("its builds do different things", where)})


class Probed(Folder):
    """Programs with probes planted, for all oracles."""

    def test_probes(self):
        sources = self.folder / "sources"
        sources.mkdir()
        (sources / "some.c").write_text("""#include <stdio.h>
int main(int argc, char **argv)
{
	int sum = 0;
	for (int i = 0; i < argc + 8; i++) {
		int twice = 2 * i;
		sum += twice;
		sum ^= i;
		printf("%d %d %d\\n", i, twice, sum);
	}
	printf("%d\\n", sum);
	return argv[argc] != 0;
}
""")
        (sources / "none.c").write_text("int main(void) { return 0; }\n")
        words = ["run", "dir", "--sources", sources, "--compilers", e2e.GCC, "--levels=-O2",
                 "--oracles", "frames,probes", "--no-sanitize"]
        self.campaign(*words)
        self.campaign("run", "dir", "--probes", "2")  # more of them later
        told = json.loads(self.campaign("export", "dir").stdout)
        programs = {one["origin"]: (one["left_out"], one["jobs"]) for one in told["programs"]}
        if any(left and left.startswith("a compiler") for left, _ in programs.values()):
            self.skipTest("no <sys/sdt.h>: apt-get install systemtap-sdt-dev")
        none = ("no probe can be planted in it", 0)
        self.assertEqual(programs, {
            "file none.c": (None, 2), "file none.c probes 1": none, "file none.c probes 2": none,
            "file some.c": (None, 2), "file some.c probes 1": (None, 1), "file some.c probes 2": (None, 1)})
        texts = {one["origin"]: (self.folder / "dir/programs" / f"{one['program']}.c").read_text()
                 for one in told["programs"] if not one["left_out"]}
        for origin, text in texts.items():
            self.assertEqual("DTRACE_PROBE" in text, "probes" in origin, origin)
        self.assertNotEqual(texts["file some.c probes 1"], texts["file some.c probes 2"])
        self.expect(self.campaign("run", "dir", "--probes", "1"), status=2, says="does not extend that")


class Tests(Folder):
    """Tests of gcc's, by what they say of themselves."""

    def test_options_and_reasons(self):
        sources = self.folder / "sources"
        (sources / "execute").mkdir(parents=True)
        main = "int main(void) { int n = 2147483647; n++; return WANTED; }\n"
        for name, text in {
                "run.c": "/* { dg-do run } */\n/* { dg-options \"-O3 -fwrapv -DWANTED=(n<0) -DWANTED=3\" } */\n",
                "options.c": "/* { dg-do run } */\n"
                             "/* { dg-options \"-fwrapv -DWANTED=0 --param max-unroll-times=3\" } */\n",
                "execute/bare.c": "/* { dg-options \"-std=gnu99 -fwrapv -DWANTED=0\" } */\n",
                "compiled.c": "/* { dg-do compile } */\n",
                "unsaid.c": "/* { dg-options \"-DWANTED=0\" } */\n",
                "evil.c": f"/* {{ dg-do run }} */\n/* {{ dg-options \"-DWANTED=0 -o{self.folder}/evil\" }} */\n",
                "wrapped.c": "/* { dg-do run } */\n/* { dg-options \"-DWANTED=0 -wrapper touch,evil\" } */\n",
                "old.c": "#define WANTED 0\n",
                "near.c": "#include \"wanted.h\"\n",
                "unfit.c": "/* { dg-do run } */\n/* { dg-skip-if \"\" { *-*-* } { \"-O0\" } } */\n#define WANTED 0\n",
                "two.c": "/* { dg-do run } */\n/* { dg-additional-sources \"other.c\" } */\n"}.items():
            (sources / name).write_text(text + main)
        (sources / "old.x").write_text("set options -DX\n")
        (sources / "wanted.h").write_text("#define WANTED (n = 0)\n")
        words = ["run", "dir", "--sources", sources, "--compilers", e2e.GCC, "--levels=-O0,-O2",
                 "--oracles", "frames,twins,ccmd,probes,opt", "--mutate", "1", "--no-sanitize"]
        self.campaign(*words)
        told = json.loads(self.campaign("export", "dir").stdout)
        folder = str(sources.resolve())
        self.assertEqual({one["origin"].removeprefix("file "): one["flags"] for one in told["programs"]
                          if not one["left_out"]}, {
            "execute/bare.c": "-std=gnu99 -fwrapv -DWANTED=0",
            "execute/bare.c mutant 1": "-std=gnu99 -fwrapv -DWANTED=0",
            "options.c": "-fwrapv -DWANTED=0 --param=max-unroll-times=3",
            "options.c mutant 1": "-fwrapv -DWANTED=0 --param=max-unroll-times=3",
            "near.c": "-iquote" + folder, "near.c mutant 1": "-iquote" + folder})
        self.assertEqual({one["origin"].removeprefix("file "): (one["left_out"], one["detail"])
                          for one in told["programs"] if one["left_out"]}, {
            "run.c": ("its test has options that are not passed on", "-DWANTED=(n<0)"),
            "compiled.c": ("its test is not to be run", "dg-do compile"),
            "unsaid.c": ("its test is not to be run", "it has no dg-do run"),
            "evil.c": ("its test has options that are not passed on", f"-o{self.folder}/evil"),
            "wrapped.c": ("its test has options that are not passed on", "-wrapper"),
            "old.c": ("its test needs other files", "old.x"),
            "unfit.c": ("its test is not for all these levels", 'dg-skip-if "" { *-*-* } { "-O0" }'),
            "two.c": ("its test needs other files", 'dg-additional-sources "other.c"')})
        self.assertEqual([one for one in told["failed"] if one["outcome"] != "unasked"], [])
        self.assertEqual(list(self.folder.rglob("evil")), [])

    def test_options_reach_everybody(self):
        """What is found with a test's option is found again with it, by hand and by a script."""
        wrong = self.compiler("wrong", '*" -g2 "*) set -- "$@" -DWITH_G ;;')
        sources = self.folder / "execute"
        sources.mkdir()
        text = subprocess.run([self.generator, "2"], capture_output=True, text=True, check=True).stdout
        (sources / "odd.c").write_text("/* { dg-options \"-DODD\" } */\n" + text)
        self.expect(self.campaign("run", "dir", "--sources", sources, "--compilers", wrong, "--levels=-O1",
                                  "--oracles", "ccmd,frames", "--no-sanitize"), status=1)
        one, = json.loads(self.campaign("findings", "dir", "--format", "json").stdout)["signatures"]
        self.assertIn("-DODD", self.expect(self.campaign("rerun", "dir", one["id"]), status=1).stdout)
        self.assertIn("-DODD", (self.folder / "dir/signatures" / one["id"] / "first/commands.sh").read_text())


class Bad(Folder):
    """A clear message each, and nothing lost."""

    def test_generators(self):
        for name, text, reason in (
                ("failing", "#!/bin/sh\necho no luck >&2\nexit 3\n", "the generator failed: exit status 3: no luck"),
                ("silent", "#!/bin/sh\n", "the generator printed nothing"),
                ("garbage", "#!/bin/sh\nhead -c 300 /dev/zero | tr '\\0' '\\377'\n", "a compiler refuses it"),
                ("dying", "#!/bin/sh\nkill -9 $$\n", "the generator failed: signal 9"),
                ("hanging", f"#!/bin/sh\nsleep {NAP}\n", "the generator failed: it took too long"),
                ("endless", "#!/bin/sh\nexec yes\n", "the generator failed: it printed too much")):
            with self.subTest(name):
                generator = self.script(name, text)
                told = self.campaign("run", f"dir-{name}", "--generate", f"{generator} {{seed}}", "--seeds", "1-2",
                                     "--compilers", e2e.GCC, "--oracles", "frames", "--no-sanitize", "--output", "1",
                                     *(["--compile-timeout", "1"] if name == "hanging" else []))
                self.expect(told, status=2, says=reason)
                self.assertIn("2 programs, 0 of them kept", told.stdout)
        self.nothing_is_left()
        # Told before anything is done: no program is left out for it.
        for name, reason in (("/no/such/generator", "/no/such/generator: No such file or directory"),
                             ("no-such-generator", "no-such-generator: no such program; apt-get install it")):
            self.expect(self.campaign(*self.run_words("missing", "--generate", f"{name} {{seed}}")), status=2,
                        says=f"--generate: {reason}")
        # By a path from here, though it is run elsewhere.
        told = self.campaign(*self.run_words("missing", "--generate", "./silent {seed}"))
        self.expect(told, status=2, says="the generator printed nothing")

    def test_compilers(self):
        """One that crashes is a finding; one that is not there is said at once."""
        crashing = self.compiler("crashing", '*" -O2 "*) echo "x.c:1: internal compiler error: in f, at g.c:7" >&2; '
                                             "exit 1 ;;")
        words = ["run", "dir", "--generate", f"{self.generator} {{seed}}", "--seeds", "1-3", "--compilers", crashing,
                 "--oracles", "frames", "--no-sanitize"]
        self.expect(self.campaign(*words), status=2, says="no program was fit to be asked about: a compiler crashes")
        found = json.loads(self.expect(self.campaign("findings", "dir", "--format", "json"), 1).stdout)["signatures"]
        self.assertEqual([(one["oracle"], one["count"]) for one in found], [("build", 3)])
        self.assertTrue(found[0]["signature"].endswith("internal compiler error: in f, at g.c:7"), found)
        again = self.campaign("rerun", "dir", found[0]["id"])
        self.expect(again, status=1, says="internal compiler error")
        self.expect(self.campaign(*self.run_words("none", "--compilers", "no-such-cc")), status=2,
                    says="--compilers: no-such-cc: no such program")
        lying = self.compiler("lying", '*" -O2 "*) exit 0 ;;')
        self.expect(self.campaign(*self.run_words("lies", "--compilers", lying, "--no-sanitize")), status=2,
                    says="-O2: it says that it built it, and it did not")
        self.assertEqual(self.expect(self.campaign("findings", "lies")).stdout, "no signature\n")
        dying = self.compiler("dying-cc", '*" -O2 "*) kill -SEGV $$ ;;')
        self.expect(self.campaign(*self.run_words("dies", "--compilers", dying, "--no-sanitize")), status=2,
                    says="-O2: signal 11")
        # Limits of the campaign's, and what ends a compiler from outside, are no crashes of it.
        for name, does, says in (("wordy", "exec yes", "it printed too much"),
                                 ("gone", "exit 127", "it could not be run"), ("ended", "kill -9 $$", "signal 9")):
            compiler = self.compiler(name, f'*" -O2 "*) {does} ;;')
            words = self.run_words(f"by-{name}", "--compilers", f"./{compiler.name}", "--no-sanitize", "--output", "1")
            self.expect(self.campaign(*words), status=2, says=f"-O2: {says}")
            self.assertEqual(self.expect(self.campaign("findings", f"by-{name}")).stdout, "no signature\n")

    def test_compilers_that_hang(self):
        """A finding, of one signature; and another run with more time does not do it again."""
        hanging = self.compiler("hanging", f'*" -O2 "*) sleep {NAP} ;;')
        words = ["run", "dir", "--generate", f"{self.generator} {{seed}}", "--seeds", "1-2", "--compilers", hanging,
                 "--levels=-O2", "--oracles", "frames", "--no-sanitize", "--compile-timeout", "1"]
        for _ in range(2):
            self.expect(self.campaign(*words), status=2, says="no program was fit to be asked about: a compiler hangs")
            words = ["run", "dir", "--compile-timeout", "2"]
        found = json.loads(self.expect(self.campaign("findings", "dir", "--format", "json"), 1).stdout)["signatures"]
        self.assertEqual([(one["oracle"], one["signature"], one["count"], one["basis"], one["wrong"]) for one in found],
                         [("build", f"hang {hanging}", 2, "suspected", "")])
        self.nothing_is_left()

    def test_compilers_that_are_stopped(self):
        """Whoever ended it, xstep by a limit or the kernel for want of memory: nobody is named."""
        for name, body, more in (("greedy", "exec tail /dev/zero", ["--memory", "100"]),
                                 ("killed", "kill -KILL $$", []), ("talking", "yes", ["--output", "1"])):
            stopped = self.compiler(name, f'*" -O2 "*) {body} ;;')
            self.expect(self.campaign("run", name + ".dir", "--generate", f"{self.generator} {{seed}}", "--seeds", "1",
                                      "--compilers", stopped, "--levels=-O2", "--oracles", "frames", "--no-sanitize",
                                      *more), status=2,
                        says="no program was fit to be asked about: a compiler was stopped")
            self.assertEqual(self.expect(self.campaign("findings", name + ".dir")).stdout, "no signature\n")
        self.nothing_is_left()

    def test_a_debugger_that_does_not_work(self):
        """One that says which it is and then ends: no program is blamed, and nobody else."""
        broken = self.script("gdb-broken", '#!/bin/sh\ncase " $* " in *version*) exec gdb "$@" ;; esac\nexit 1\n')
        told = self.campaign(*self.run_words("dir", "--oracles", "diff", "--witness", f"xstep,gdb@{broken}",
                                             "--seeds", "2", "--levels=-O0", "--no-sanitize"))
        if "apt-get install" in told.stderr:
            self.skipTest(told.stderr.strip())
        self.expect(told, status=2, says="every job of diff failed, such as that of seed 2: gdb")
        self.expect(self.campaign("findings", "dir"))

    def test_words(self):
        for words, says in (
                (["run"], "name one folder"),
                (["run", "new"], "a campaign needs programs"),
                (["run", "new", "--generate", "csmith"], "for which seeds?"),
                (["run", "new", "--generate", "csmith -s 1", "--seeds", "1"], "no {seed} in it"),
                (["run", "new", "--sources", "no-such-folder"], "no-such-folder"),
                (self.run_words("new", "--seeds", "4-1"), "is not like 1-200"),
                (self.run_words("new", "--oracles", "magic"), "'magic' is none of diff, opt"),
                (self.run_words("new", "--oracles", "opt", "--levels=-O2"), "opt compares with -O0"),
                (self.run_words("new", "--oracles", "diff", "--witness", "gdb@/no/gdb"), "diff asks gdb"),
                (["status", "no-such-folder"], "not a campaign"),
                (self.run_words("generate"), "generate: not a folder"),
                (self.run_words("no/such/folder"), "no/such/folder"),
                (self.run_words("new", "--probes", "0"), "--probes"),
                (self.run_words("new", "--compile-timeout", "soon"), "--compile-timeout"),
                (["merge", "new"], "expected DIR OTHER"),
                (["fly"], "fly")):
            with self.subTest(words=words):
                self.expect(self.campaign(*words), status=2, says=says)

    def test_folders(self):
        """Of somebody else, of another version, of other options; and two at once."""
        (self.folder / "foreign").mkdir()
        (self.folder / "foreign/letter.txt").write_text("mine")
        self.expect(self.campaign(*self.run_words("foreign")), status=2, says="has files in it, and no campaign.db")
        self.expect(self.campaign(*self.run_words("dir", "--seeds", "1-1", "--no-sanitize")))
        self.expect(self.campaign("run", "dir", "--levels=-O0"), status=2,
                    says="was begun with --levels=-O0,-O2, and --levels=-O0 is another campaign")
        self.expect(self.campaign("run", "dir", "--seeds", "2-3"), status=2, says="does not extend that")
        with contextlib.closing(sqlite3.connect(self.folder / "dir/campaign.db")) as db:
            db.execute("UPDATE option SET value = 'an older one' WHERE name LIKE 'version gcc%'")
            db.commit()
        self.expect(self.campaign("run", "dir"), status=2, says="was begun with gcc-12 being `an older one`")
        with contextlib.closing(sqlite3.connect(self.folder / "dir/campaign.db")) as db:
            db.execute("PRAGMA user_version = 7")
        self.expect(self.campaign("run", "dir"), status=2, says="a campaign of format 7")
        (self.folder / "text").mkdir()
        (self.folder / "text/campaign.db").write_text("nothing of SQLite's, and longer than its header is: " * 9)
        self.expect(self.campaign("status", "text"), status=2, says="not a campaign, nor any database")

    def test_full_disk(self):
        """It ends with a message, and no program is blamed for it; with room, it goes on."""
        room = self.folder / "room"
        room.mkdir()
        words = " ".join(f"'{word}'" for word in self.run_words(
            room / "dir", "--seeds", "1-4", "--levels=-O1", "--no-sanitize", "--oracles", "frames"))
        told = e2e.run(["unshare", "--mount", "sh", "-c", f"""
            mount -t tmpfs -o size=100k none {room} || exit 77
            {e2e.XSTEP} campaign {words}; echo first $?
            mount -o remount,size=40m {room}
            {e2e.XSTEP} campaign {words}; echo second $?"""], env={**os.environ, "TMPDIR": str(self.folder / "tmp")})
        if told.returncode == 77 or "unshare" in told.stderr:
            self.skipTest("cannot mount: " + told.stderr.strip())
        self.assertRegex(told.stdout, r"(?s)first 2.*4 programs, 4 of them kept.*second 0", told.stderr)
        self.assertRegex(told.stderr, "no space left|disk is full|No space left")

    def test_interrupted(self):
        """While one runs another is refused; ^C ends it soon, and leaves nothing behind."""
        slow = self.script("slow", f"#!/bin/sh\nsleep {NAP}\n")
        words = ["run", "dir", "--generate", f"{slow} {{seed}}", "--seeds", "1-3", "--compilers", e2e.GCC,
                 "--oracles", "frames", "--no-sanitize", "--jobs", "2"]
        for end in (signal.SIGINT, signal.SIGKILL):
            with self.subTest(end):
                process = subprocess.Popen([e2e.XSTEP, "campaign", *map(str, words)], stdout=subprocess.PIPE,
                                           stderr=subprocess.PIPE, cwd=self.folder,
                                           env={**os.environ, "TMPDIR": str(self.folder / "tmp")},
                                           preexec_fn=e2e.leave_nothing)
                self.assertTrue(e2e.wait_until(lambda: len(e2e.descendants(process.pid)) >= 7, process))
                if end == signal.SIGINT:
                    self.expect(self.campaign("run", "dir"), status=2, says="a campaign is at work in it")
                    self.expect(self.campaign("status", "dir"))
                process.send_signal(end)
                _, said = process.communicate()
                self.assertEqual(process.returncode, -end)
                self.assertEqual(b"goes on" in said, end == signal.SIGINT)
                e2e.xstep("campaign", "status", "dir", cwd=self.folder,
                          env={**os.environ, "TMPDIR": str(self.folder / "tmp")})  # sweeps
                self.nothing_is_left()


if __name__ == "__main__":
    e2e.main()
