#!/usr/bin/python3
"""everyday_test.py - manners that are seen in daily use, end to end: what is refused before anything runs, and
hints about programs that do not bear being traced."""
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e


class Refused(e2e.TestCase):
    """The program writes a file: it is not there if the program was not run."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(e2e.shutil.rmtree, cls.folder)
        source = cls.folder / "writes.c"
        source.write_text('#include <stdio.h>\nint main(void) { fclose(fopen("ran", "w")); return 0; }\n')
        cls.program = cls.folder / "writes"
        e2e.run([e2e.GCC, "-g", "-o", cls.program, source])

    def refuse(self, says, *words):
        self.expect(e2e.xstep(*words, self.program, cwd=self.folder), 2, says)
        self.assertFalse((self.folder / "ran").exists(), words)

    @e2e.smoke
    def test_an_unknown_witness_is_refused_before_the_program_runs(self):
        for command in (("diff",), ("trace",), ("check", "levels")):
            self.refuse("--witness: 'nobody' is none of xstep, gdb", *command, "--witness", "nobody")

    def test_a_missing_source_is_refused_before_the_program_runs(self):
        self.refuse("--source nowhere.c: No such file", "check", "avail", "--source", "nowhere.c")

    def test_a_port_that_is_none_is_refused_before_the_program_runs(self):
        for port in ("99999", "65536", "1x"):
            self.refuse(f"'{port}' is no port: 0 to 65535", "serve", "--listen", f":{port}")


class Sanitised(e2e.TestCase):
    def test_leaks_cannot_be_looked_for_while_traced(self):
        program = e2e.compile("demo.c", e2e.GCC, ("-g", "-fsanitize=address"))
        hint = "--env ASAN_OPTIONS=detect_leaks=0 switches that off"
        self.assertIn(hint, self.expect(e2e.xstep("trace", "--limit", 1, program)).stderr)
        told = self.expect(e2e.xstep("trace", "--limit", 1, "--env", "ASAN_OPTIONS=detect_leaks=0", program))
        self.assertNotIn(hint, told.stderr)
        plain = e2e.compile("demo.c", e2e.GCC, ("-g", "-fsanitize=undefined"))
        self.assertNotIn(hint, self.expect(e2e.xstep("trace", "--limit", 1, plain)).stderr)


class Doctor(e2e.TestCase):
    """xstep doctor says what will not work, and only that."""

    def states(self, status, **options):
        result = self.expect(e2e.xstep("doctor", "--json", **options), status)
        return {one["what"]: one for one in map(json.loads, result.stdout.splitlines())}

    @e2e.smoke
    def test_the_kernel_lets_us(self):
        told = e2e.xstep("doctor").stdout
        for what in ("ptrace", "layout"):
            self.assertRegex(told, rf"(?m)^ok +{what} ")

    def test_what_is_not_on_path_is_said_with_what_to_do(self):
        with tempfile.TemporaryDirectory() as empty:
            told = self.states(1, env={**e2e.os.environ, "PATH": empty})
        self.assertEqual((told["gdb"]["state"], told["lldb"]["state"]), ("problem", "problem"))
        self.assertIn("apt-get install gdb", told["gdb"]["words"])
        self.assertEqual(told["cvise"]["state"], "missing")
        self.assertEqual(told["ptrace"]["state"], "ok")


if __name__ == "__main__":
    e2e.main()
