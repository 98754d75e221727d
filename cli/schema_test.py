#!/usr/bin/python3
"""schema_test.py - what xstep prints as JSON is what docs/schema says, command by command. The formats of reduce
and culprit are held against it in cause_test.py, where there is something to be found."""
import json
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e
import schemas
from witness_test import needs_debuggers

SCHEMAS = e2e.TOP / "docs/schema"


class Schema(e2e.TestCase):
    @classmethod
    def setUpClass(cls):
        if not schemas.jsonschema:
            raise unittest.SkipTest("python3-jsonschema is not installed: apt-get install python3-jsonschema")
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)

    def hold(self, name, *words, status=(0, 1), lines=False):
        """Runs a command, and holds each object that it prints against a schema; returns them."""
        result = e2e.xstep(*words, cwd=self.folder)
        self.assertIn(result.returncode, status, f"{result.rerun}: {result.stderr}")
        told = [json.loads(line) for line in result.stdout.splitlines()] if lines else [json.loads(result.stdout)]
        self.assertTrue(told, result.rerun)
        for one in told:
            schemas.check(self, name, one)
        return told

    def test_schemas_are_valid(self):
        for path in SCHEMAS.iterdir():
            schemas.jsonschema.Draft202012Validator.check_schema(json.loads(path.read_text()))

    def test_another_format_does_not_pass(self):
        """The test of the tests: a schema that lets everything pass would prove nothing."""
        for path in SCHEMAS.iterdir():
            with self.assertRaises(AssertionError, msg=path):
                schemas.check(self, path.name.split(".")[0], {"format": "xstep-nothing/0"})

    @needs_debuggers
    @e2e.smoke
    def test_diff(self):
        program = e2e.compile("diff_demo.c", e2e.GCC, ("-g", "-O2"))
        told, = self.hold("diff", "diff", "--format", "json", "--contested", "--presentation", program)
        self.assertTrue(told["discrepancies"], "nothing was found that could be held against the schema")

    def test_checks(self):
        slow, fast = (e2e.compile("check_line.c", e2e.CLANG, ("-g", level)) for level in ("-O0", "-O2"))
        told, = self.hold("check", "check", "opt", "--format", "json", slow, fast)
        self.assertTrue(told["violations"], "nothing was found that could be held against the schema")
        self.hold("check", "check", "frames", "--format", "json", fast)
        self.hold("check", "check", "avail", "--format", "json", "--source", e2e.subject("check_line.c"), fast)

    def test_explain(self):
        program = e2e.compile("explain_bits.c")
        self.hold("explain", "explain", "--format", "json", program)
        self.hold("explain", "explain", "--format", "json", "--at", "work", "--var", "p->low", "--var", "none", program)

    def test_trace_and_show(self):
        program, store = e2e.compile("demo.c"), self.folder / "one.db"
        self.hold("stop", "trace", "--format", "json", "--vars", "all", "--frames", "--regs", "--limit", 50, program,
                  lines=True)
        self.expect(e2e.xstep("trace", "-o", store, "--vars", "all", program))
        self.hold("stop", "show", "--format", "json", store, lines=True)

    def test_witness(self):
        self.hold("witness", "witness", "--json", "--all", lines=True)

    def test_doctor(self):
        self.hold("doctor", "doctor", "--json", lines=True)

    def test_ccmd(self):
        source = e2e.subject("extra.S")
        self.hold("ccmd", "ccmd", "--format", "json", "--levels", "-O1", "--compiler", e2e.GCC, e2e.subject("plain.c"))
        wrapped = self.folder / "gcc"
        wrapped.write_text(f'#!/bin/sh\ncase " $* " in *" -g2 "*) set -- -DWITH_G "$@" ;; esac\nexec {e2e.GCC} "$@"\n')
        wrapped.chmod(0o755)
        self.hold("ccmd", "ccmd", "--format", "json", "--levels", "-O1", "--compiler", wrapped, source,
                  status=(0, 1, 2))

    def test_mutate(self):
        self.hold("mutate", "mutate", "--json", "-o", "mutants", e2e.subject("demo.c"), lines=True)

    def test_campaign(self):
        (self.folder / "sources").mkdir()
        shutil.copy(e2e.subject("demo.c"), self.folder / "sources")
        e2e.xstep("campaign", "run", "night", "--sources", "sources", "--compilers", e2e.GCC, "--levels=-O2",
                  "--oracles", "frames", cwd=self.folder)
        self.hold("campaign-status", "campaign", "status", "night", "--format", "json")
        self.hold("campaign-findings", "campaign", "findings", "night", "--format", "json")


if __name__ == "__main__":
    e2e.main()
