"""End-to-end tests of xstep mutate: mutants compile with gcc and clang and do what their seeds do."""
import json
import os
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e  # noqa: E402

FORMS = e2e.TESTDATA / "mutate" / "forms.c"
CSMITH = "-I/usr/include/csmith"
BUILDS = [(e2e.GCC, "-O0"), (e2e.GCC, "-O2"), (e2e.CLANG, "-O0"), (e2e.CLANG, "-O2")]


class Case(e2e.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def mutate(self, source, *words):
        """The mutants of a source: what is said of each."""
        result = self.expect(e2e.xstep("mutate", source, "-o", self.folder / "out", "--json", *words))
        self.assertEqual(result.stderr, "")
        return [json.loads(line) for line in result.stdout.splitlines()]

    def behaviour(self, source, compiler, level, *flags):
        program = self.folder / "program"
        self.expect(e2e.run([compiler, level, "-g", "-w", *flags, "-o", program, source, "-lm"]))
        result = e2e.run([program], timeout=20)
        return result.returncode, result.stdout

    def expect_same(self, source, mutants, *flags, builds=BUILDS):
        for compiler, level in builds:
            seed = self.behaviour(source, compiler, level, *flags)
            for said in mutants:
                self.assertEqual(said["dropped"], [])
                with self.subTest(mutant=said["file"], compiler=compiler, level=level):
                    self.assertEqual(self.behaviour(said["file"], compiler, level, *flags), seed,
                                     f"\n{pathlib.Path(said['file']).read_text()}")


class Behaviour(Case):
    """What is easily done wrong is in forms.c: order and number of evaluations, jumps, types."""

    def test_rcl(self):
        mutants = self.mutate(FORMS, "--only", "rcl", "-n", 3)
        self.assertGreater(mutants[0]["applied"]["rcl"], 300)
        self.expect_same(FORMS, mutants)

    def test_rcl_here_and_there(self):
        self.expect_same(FORMS, self.mutate(FORMS, "--only", "rcl", "--rcl", 0.4, "-n", 4))

    def test_fco(self):
        mutants = self.mutate(FORMS, "--only", "fco", "--fco", 0.8, "-n", 3)
        self.assertGreater(mutants[0]["applied"]["fco"], 20)
        self.expect_same(FORMS, mutants)

    def test_asm(self):
        mutants = self.mutate(FORMS, "--only", "asm", "--asm", 0.6, "-n", 2)
        self.assertGreater(mutants[0]["applied"]["asm"], 20)
        # Of the second mutant, clang 13 to 15 miscompile the computed goto at -O2; 16 does not.
        self.expect_same(FORMS, mutants, builds=BUILDS[:3])

    def test_ocp(self):
        mutants = self.mutate(FORMS, "--only", "ocp", "--ocp", 0.4, "-n", 2)
        self.assertGreater(mutants[0]["applied"]["ocp"], 300)
        self.expect_same(FORMS, mutants)

    def test_all_of_them(self):
        self.expect_same(FORMS, self.mutate(FORMS, "--asm", 0.2, "--ocp", 0.2, "--fco", 0.5, "-n", 3),
                         builds=BUILDS[:3])

    def test_lifetimes(self):
        """A compound literal lives as long as its block; what a call returned, until its expression ends."""
        self.expect_hard("lifetimes")

    def test_scopes(self):
        self.expect_hard("scopes")

    def test_values(self):
        self.expect_hard("values")

    def test_macros(self):
        self.expect_hard("macros")

    def expect_hard(self, name):
        """Mutants at full chance behave as the program, which says something else when a rule is broken."""
        source = e2e.TESTDATA / "mutate" / f"{name}.c"
        self.expect_same(source, self.mutate(source, "--only", "rcl", "--rcl", 1), builds=BUILDS[1:3])
        self.expect_same(source, self.mutate(source, "--rcl", 0.6, "--fco", 1, "--asm", 0.3, "--ocp", 0.3, "--seed", 2,
                                             "-n", 2), builds=BUILDS[1:3])

    def test_small_programs_are_changed_too(self):
        source = self.folder / "tiny.c"
        source.write_text("int f(int n)\n{\n\treturn n;\n}\n\nint main(void)\n{\n\treturn f(3);\n}\n")
        for mutator in ("rcl", "fco", "asm", "ocp"):
            for said in self.mutate(source, "--only", mutator, "--" + mutator, 0.01, "-n", 5, "--force"):
                self.assertGreater(said["applied"][mutator], 0, mutator)

    def test_a_preprocessed_source(self):
        plain = self.folder / "plain.c"
        plain.write_text('#include <stdio.h>\n#define N 3\nint main(int argc, char **argv)\n{\n'
                         '\tfor (int i = 0; i < N * argc; i++)\n\t\tprintf("%d %s\\n", i, argv[0] + 99999 * 0);\n'
                         '\treturn N;\n}\n')
        source = self.folder / "plain.i"
        self.expect(e2e.run([e2e.CLANG, "-E", plain, "-o", source]))
        mutants = self.mutate(source, "-n", 2, "--ocp", 0.3)
        self.assertTrue(mutants[0]["file"].endswith("/plain.1.c"))
        self.assertGreater(mutants[0]["applied"]["rcl"], 5)
        self.expect_same(source, mutants, builds=BUILDS[2:])

    def test_packed_compiles(self):
        source = self.folder / "packs.c"
        source.write_text("struct s { char c; int i; struct { short x; long y; } in; };\nstruct s g = {1, 2, {3, 4}};\n"
                          "int main(void) { struct s *p = &g; return p->c + p->i + p->in.x; }\n")
        texts = ""
        for said in self.mutate(source, "--only", "fco", "--fco", 1, "--packed", "-n", 8):
            texts += pathlib.Path(said["file"]).read_text()
            for compiler, level in BUILDS:
                self.behaviour(said["file"], compiler, level)
        # Of the whole type, and of members.
        self.assertIn("struct __attribute__((packed)) s", texts)
        self.assertRegex(texts, r"(i|c|x|y) __attribute__\(\(packed\)\);")

    def test_generated_programs(self):
        if not shutil.which("csmith"):
            self.skipTest("csmith is not installed: apt-get install csmith")
        for seed in (2, 3):
            source = self.folder / f"csmith_{seed}.c"
            source.write_text(e2e.run(["csmith", "--seed", seed, "--max-funcs", 4], cwd=self.folder).stdout)
            mutants = self.mutate(source, "--flag", CSMITH, "--asm", 0.1)
            self.assertGreater(mutants[0]["applied"]["rcl"], 100)
            self.expect_same(source, mutants, CSMITH, builds=BUILDS[1:3])


class Command(Case):
    @e2e.smoke
    def test_a_seed_is_a_mutant(self):
        first = self.mutate(FORMS, "--seed", 5, "-n", 2)
        texts = [pathlib.Path(said["file"]).read_text() for said in first]
        self.assertEqual([said["seed"] for said in first], [5, 6])
        self.assertNotEqual(texts[0], texts[1])
        again = self.mutate(FORMS, "--seed", 6, "--force")
        self.assertEqual(pathlib.Path(again[0]["file"]).read_text(), texts[1])

    def test_what_is_not_touched_stays(self):
        said = self.mutate(FORMS, "--rcl", 0, "--fco", 0, "--ocp", 0)
        self.assertEqual(pathlib.Path(said[0]["file"]).read_bytes(), FORMS.read_bytes())

    @e2e.smoke
    def test_says_what_was_done(self):
        out = self.folder / "out"
        result = self.expect(e2e.xstep("mutate", "-o", out, "--only", "ocp,rcl", FORMS))
        self.assertRegex(result.stdout, rf"^{out}/forms\.1\.c: rcl \d+, ocp \d+\n$")

    def test_nothing_is_overwritten(self):
        self.mutate(FORMS)
        before = (self.folder / "out" / "forms.1.c").read_bytes()
        result = e2e.xstep("mutate", FORMS, "-o", self.folder / "out", "--only", "ocp", "--seed", 0, "-n", 2)
        self.expect(result, 2, "forms.1.c: exists already; --force overwrites it")
        self.assertEqual((self.folder / "out" / "forms.1.c").read_bytes(), before)
        self.assertFalse((self.folder / "out" / "forms.0.c").exists())

    def test_bad_input(self):
        out = self.folder / "out"
        broken = self.folder / "broken.c"
        broken.write_text("int main(void) { return missing; }\n")
        nested = self.folder / "nested.c"  # gcc's alone
        nested.write_text("int f(int n)\n{\n\tint g(void) { return n; }\n\treturn g();\n}\n")
        binary = self.folder / "binary.c"
        binary.write_bytes(b"int x;\0\n")
        for words, says in (
                ((), "mutate: no source"),
                ((FORMS,), "name one with -o DIR"),
                (("/nowhere/x.c", "-o", out), "/nowhere/x.c: No such file"),
                ((broken, "-o", out), "broken.c:1:25: error"),
                ((nested, "-o", out), "nested.c:3:14: error: function definition is not allowed here"),
                ((e2e.subject("types_all.cpp"), "-o", out), "types_all.cpp: not a C source"),
                ((binary, "-o", out), "binary.c: not a C source"),
                ((FORMS, "-o", broken), "broken.c: not a folder"),
                ((FORMS, "-o", out, "--rcl", "2"), "--rcl: '2' is not a chance from 0 to 1"),
                ((FORMS, "-o", out, "--rcl", "nan"), "--rcl: 'nan' is not a chance"),
                ((FORMS, "-o", out, "--only", "rcl,x"), "--only: 'x' is none of rcl, fco, asm, ocp"),
                ((FORMS, "-o", out, "-n", "0"), "--count: '0' is not a whole number")):
            with self.subTest(words=words):
                self.expect(e2e.xstep("mutate", *words), 2, says)
        self.assertFalse(out.exists(), "a folder was left behind")

    def test_a_folder_that_cannot_be_written(self):
        if os.geteuid() == 0:
            self.skipTest("root may write anywhere")
        closed = self.folder / "closed"
        closed.mkdir(mode=0o500)
        self.expect(e2e.xstep("mutate", FORMS, "-o", closed), 2, "Permission denied")


if __name__ == "__main__":
    e2e.main()
