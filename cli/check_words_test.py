#!/usr/bin/env python3
"""check_words_test.py - what all checks have in common: whom they ask, whom they lose on the way, that the
program's arguments and surroundings are in every command that is printed, and that nothing asked is never
`no violation`."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e  # noqa: E402

HAVE = [json.loads(line) for line in e2e.xstep("witness", "--json").stdout.splitlines()]
WORKING = {who["witness"]: who["path"] for who in reversed(HAVE) if not who["problem"]}
needs_debuggers = e2e.unittest.skipUnless({"gdb", "lldb"} <= set(WORKING), "needs gdb and lldb")


def levels(source, compiler, *flags):
    return [e2e.compile(source, compiler, ("-g", flag)) for flag in flags]


class Case(e2e.TestCase):
    def folder(self):
        return pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="words")))

    def script(self, text):
        """A gdb that answers when it is probed, and then does as it is told."""
        path = self.folder() / "gdb"
        path.write_text('#!/bin/sh\ncase "$*" in\n--version) echo GNU gdb 1.0;;\n'
                        f"*probe*) echo xstep-probe 3.11.2;;\n*) {text};;\nesac\n")
        path.chmod(0o755)
        return path

    def alone(self):
        """An environment in which no debugger is found, and what is known of debuggers is not kept."""
        return {**os.environ, "PATH": str(self.folder()), "HOME": str(self.folder())}


class All(Case):
    """--witness all: xstep, and the gdb and the lldb that are found."""

    @e2e.smoke
    def test_none_found_is_said(self):
        unopt, opt = levels("check_value.c", e2e.GCC, "-O0", "-O2")
        result = e2e.xstep("check", "opt", "--witness", "all", unopt, opt, env=self.alone())
        self.expect(result, 1, "--witness all: that is xstep; gdb, lldb: not found")
        self.assertNotIn("lost", result.stdout)

    @needs_debuggers
    def test_all_is_xstep_gdb_and_lldb(self):
        program = e2e.compile("check_value.c", e2e.GCC, ("-g", "-O2"))
        unopt = e2e.compile("check_value.c")
        for words, want in (("all", ["xstep", "gdb", "lldb"]), ("lldb,all", ["lldb", "xstep", "gdb"])):
            result = e2e.xstep("check", "opt", "--format", "json", "--witness", words, unopt, program)
            told = json.loads(result.stdout)
            self.assertEqual(list(dict.fromkeys(one["witness"] for one in told["witnesses"])), want)
            self.assertEqual(told["summary"]["lost"], [])
        traced = e2e.xstep("trace", "--witness", "all", "--format", "json", program)
        heads = [json.loads(line) for line in traced.stdout.splitlines() if line.startswith('{"witness"')]
        self.assertEqual([one["witness"] for one in heads], ["xstep", "gdb", "lldb"])

    def test_unknown_words(self):
        program = e2e.compile("check_value.c")
        self.expect(e2e.xstep("check", "levels", "--witness", "everybody", program), 2, "none of all, xstep")


class Lost(Case):
    """A witness that could not tell it all is named where the findings are, and the status is 2."""

    def lost(self, *words):
        result = e2e.xstep("check", *words)
        self.assertEqual(result.returncode, 2, result.stderr)
        text = [line for line in result.stdout.splitlines() if " lost: " in line]
        result = e2e.xstep("check", words[0], "--format", "json", *words[1:])
        self.assertEqual(result.returncode, 2, result.stderr)
        told = json.loads(result.stdout)
        return text, told.get("summary", told)["lost"]

    @e2e.smoke
    def test_one_that_crashes(self):
        unopt, opt = levels("check_value.c", e2e.GCC, "-O0", "-O2")
        dying = self.script("kill -SEGV $$")
        source = e2e.subject("check_value.c")
        for words in (("opt", unopt, opt), ("levels", opt), ("avail", "--source", source, opt),
                      ("metrics", unopt, opt)):
            with self.subTest(words[0]):
                text, told = self.lost(words[0], "--witness", f"xstep,gdb@{dying}", *words[1:])
                self.assertRegex(text[0], r"^  gdb        lost: its trace of .* killed by SIGSEGV")
                self.assertEqual({one["witness"] for one in told}, {"gdb"})
                self.assertEqual(len(told), len(text))

    def test_one_that_is_not_there(self):
        program = e2e.compile("check_value.c", e2e.GCC, ("-g", "-O2"))
        text, told = self.lost("levels", "--witness", "xstep,lldb@/nowhere/lldb", program)
        self.assertEqual([one["witness"] for one in told], ["lldb"])
        self.assertIn("/nowhere/lldb", text[0])
        # So does diff.
        result = e2e.xstep("diff", "--witness", "xstep,gdb,lldb", "--lldb", "/nowhere/lldb", program)
        if "gdb" in WORKING:
            self.assertRegex(result.stdout, r"\n  lldb       lost: .*/nowhere/lldb")
        self.assertEqual(result.returncode, 2)

    def test_all_of_them(self):
        unopt, opt = levels("check_value.c", e2e.GCC, "-O0", "-O2")
        dying = self.script("kill -SEGV $$")
        for words in (("opt", unopt, opt), ("levels", opt), ("metrics", unopt, opt)):
            result = e2e.xstep("check", words[0], "--witness", f"gdb@{dying}", *words[1:])
            self.expect(result, 2, "no witness told all that is needed: gdb: its trace of")
            self.assertEqual(result.stdout, "")


if __name__ == "__main__":
    e2e.main()
