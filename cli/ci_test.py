#!/usr/bin/python3
"""ci_test.py - xstep in somebody's continuous integration, end to end: baselines of an earlier run, tables of
Markdown, and the action of GitHub that runs it."""
import json
import pathlib
import re
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e
from witness_test import needs_debuggers


class Baseline(e2e.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.program = e2e.compile("diff_demo.c", e2e.GCC, ("-g", "-O2"))
        # A comparison of stored traces: quick, and the same each time.
        cls.store = cls.folder / "one.db"
        e2e.xstep("diff", "-o", cls.store, cls.program)

    def diff(self, *words):
        return e2e.xstep("diff", "--no-reproduce", *words, self.store)

    def keep(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    @needs_debuggers
    @e2e.smoke
    def test_what_an_earlier_run_had_is_not_told_again(self):
        before = self.diff("--format", "json")
        self.expect(before, 1)
        count = len(json.loads(before.stdout)["discrepancies"])
        ids = "".join(f"{one['id']}  # reported\n" for one in json.loads(before.stdout)["discrepancies"])
        for path in (self.keep("one.json", before.stdout), self.keep("ids.txt", ids),
                     self.keep("one.sarif", self.diff("--format", "sarif").stdout)):
            told = self.expect(self.diff("--baseline", path), 0)
            self.assertIn(f"  baseline   {count} that {path} has, not listed\n", told.stdout)
            self.assertIn("no discrepancy that is new\n", told.stdout)
            now = json.loads(self.expect(self.diff("--baseline", path, "--format", "json"), 0).stdout)
            self.assertEqual((now["discrepancies"], now["clusters"], now["summary"]["old"]), ([], [], count))
            for format in ("sarif", "junit", "markdown"):
                told = self.expect(self.diff("--baseline", path, "--format", format), 0).stdout
                self.assertNotIn(json.loads(before.stdout)["discrepancies"][0]["id"], told)

    @needs_debuggers
    def test_what_is_new_is_told(self):
        one = json.loads(self.diff("--format", "json").stdout)
        gone = one["clusters"][0]["signature"]
        one["discrepancies"] = [each for each in one["discrepancies"] if each["signature"] != gone]
        path = self.keep("less.json", json.dumps(one))
        now = json.loads(self.expect(self.diff("--baseline", path, "--format", "json"), 1).stdout)
        self.assertEqual({each["signature"] for each in now["discrepancies"]}, {gone})

    @needs_debuggers
    def test_what_is_new_in_a_cluster_is_told(self):
        """The finding that stands for a cluster is in the baseline, another one is not: all formats tell it."""
        one = json.loads(self.diff("--format", "json").stdout)
        firsts = {each["first"] for each in one["clusters"]}
        new = next(each for each in one["discrepancies"] if each["id"] not in firsts)
        path = self.keep("ids.txt", "".join(f"{each['id']}\n" for each in one["discrepancies"] if each is not new))
        for format in ("text", "json", "sarif", "junit", "markdown", "html"):
            told = self.expect(self.diff("--baseline", path, "--format", format), 1).stdout
            self.assertIn(new["id"], told, format)

    def test_a_bad_one_is_refused_before_the_program_runs(self):
        for text, says in (("{", "no JSON"), ('{"x": 1}', "no findings in it")):
            path = self.keep("bad.json", text)
            for words in (("diff",), ("check", "frames"), ("ccmd",)):
                result = self.expect(e2e.xstep(*words, "--baseline", path, self.program), 2, says)
                self.assertEqual((result.stdout, result.stderr.count("\n")), ("", 1))
        self.expect(e2e.xstep("diff", "--baseline", "/nowhere", self.program), 2, "--baseline: /nowhere: No such file")

    def test_checks_have_it_too(self):
        slow, fast = (e2e.compile("check_line.c", e2e.CLANG, ("-g", level)) for level in ("-O0", "-O2"))
        before = e2e.xstep("check", "opt", "--format", "json", slow, fast)
        count = len(json.loads(before.stdout)["violations"])
        self.assertGreater(count, 0)
        path = self.keep("check.json", before.stdout)
        now = json.loads(self.expect(e2e.xstep("check", "opt", "--format", "json", "--baseline", path, slow, fast),
                                     0).stdout)
        self.assertEqual((now["violations"], now["summary"]["old"]), ([], count))


class Markdown(e2e.TestCase):
    def rows(self, text):
        """The cells of the table, and nothing that is not as wide as its head."""
        lines = [line for line in text.splitlines() if line.startswith("|")]
        cells = [re.split(r"(?<!\\)\|", line)[1:-1] for line in lines]
        self.assertTrue(all(len(row) == len(cells[0]) for row in cells), text)
        return [[cell.strip() for cell in row] for row in cells[2:]]

    @needs_debuggers
    @e2e.smoke
    def test_a_row_for_each_cluster(self):
        program = e2e.compile("diff_demo.c", e2e.GCC, ("-g", "-O2"))
        told = json.loads(e2e.xstep("diff", "--format", "json", program).stdout)
        text = self.expect(e2e.xstep("diff", "--format", "markdown", program), 1).stdout
        self.assertTrue(text.startswith("### xstep diff: diff"), text)
        self.assertEqual([(row[0], row[-1]) for row in self.rows(text)],
                         [(f"`{one['signature']}`", f"`{one['first']}`") for one in told["clusters"]])

    def test_nothing_found_is_said(self):
        text = self.expect(e2e.xstep("check", "frames", "--format", "markdown", e2e.compile("demo.c"))).stdout
        self.assertIn("**no violation**", text)
        text = self.expect(e2e.xstep("ccmd", "--format", "markdown", "--compiler", e2e.GCC, "--levels", "-O1",
                                     e2e.subject("plain.c"))).stdout
        self.assertIn("1 cases, 0 findings in 0 clusters.", text)


class Action(e2e.TestCase):
    """action.yml, as far as that can be seen without GitHub: its script, run in a folder of its own."""

    TEXT = (e2e.TOP / "action.yml").read_text()
    SHELL = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c")  # as GitHub calls it

    def step(self, name):
        """The script of a step."""
        found = re.search(rf"    - name: {name}\n(?:      .*\n)*?      run: \|\n((?:        .*\n|\n)+)", self.TEXT)
        self.assertTrue(found, name)
        return re.sub(r"(?m)^        ", "", found.group(1))

    def test_inputs_are_used_and_exist(self):
        declared = set(re.findall(r"(?m)^  ([a-z-]+):\n    description:", self.TEXT.split("\noutputs:")[0]))
        self.assertEqual(set(re.findall(r"inputs\.([a-z-]+)", self.TEXT)), declared)

    @needs_debuggers
    def test_its_script_writes_sarif_summary_and_report(self):
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        program = e2e.compile("diff_demo.c", e2e.GCC, ("-g", "-O2"))
        (folder / "bin").mkdir()
        (folder / "bin/xstep").symlink_to(e2e.XSTEP)
        environment = {"PATH": f"{folder / 'bin'}:{e2e.os.environ['PATH']}", "HOME": str(folder),
                       "GITHUB_STEP_SUMMARY": str(folder / "summary"), "GITHUB_OUTPUT": str(folder / "output"),
                       "COMMAND": "diff", "ARGUMENTS": f"--no-reproduce '{program}'", "BASELINE": "",
                       "RESULTS": str(folder / "results"), "REPORT": "false"}
        script = [*self.SHELL, self.step("Run xstep")]
        result = e2e.run(script, env=environment, cwd=folder)
        self.expect(result, 0)
        self.assertEqual((folder / "output").read_text(), "status=1\n")
        self.assertTrue(json.loads((folder / "results/xstep.sarif").read_text())["runs"][0]["results"])
        self.assertIn("### xstep diff", (folder / "summary").read_text())
        self.assertIn("<title>", (folder / "results/xstep.html").read_text())
        self.assertTrue(json.loads((folder / "results/xstep.json").read_text())["discrepancies"])
        # As the next run's baseline there is nothing new.
        again = {**environment, "BASELINE": str(folder / "results/xstep.json"), "RESULTS": str(folder / "again"),
                 "GITHUB_OUTPUT": str(folder / "other")}
        self.expect(e2e.run(script, env=again, cwd=folder), 0)
        self.assertEqual((folder / "other").read_text(), "status=0\n")
        # Words that no shell would read are refused, and not run as far as they go.
        broken = {**environment, "ARGUMENTS": "--no-reproduce 'it", "RESULTS": str(folder / "broken")}
        self.assertNotEqual(e2e.run(script, env=broken, cwd=folder).returncode, 0)
        self.assertFalse((folder / "broken").exists())


if __name__ == "__main__":
    e2e.main()
