#!/usr/bin/python3
"""split_test.py - split DWARF: .dwo files, objects that hold them, packages; two units and more."""
import pathlib
import re
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e

ONE = """#include <stdio.h>
struct pair { int x; long y; };
enum shade { DARK = 3, LIGHT = 9 };
int alpha = 41;
static long hidden = 77;
struct pair both = {5, 6};
int beta_of(int, struct pair *);
__attribute__((noinline)) int twist(int n, int m)
{
	int sum = n * 3 + alpha;
	for (int i = 0; i < m; i++) {
		int part = i * n;
		sum += part + (int)hidden;
		if (sum > 100000)
			__builtin_trap();
	}
	enum shade shade = m > 2 ? LIGHT : DARK;
	printf("n=%d m=%d sum=%d alpha=%d hidden=%ld\\n", n, m, sum, alpha, hidden); /* twist */
	return sum + shade;
}
int main(int argc, char **argv)
{
	struct pair mine = {argc, 9};
	int got = twist(argc + 1, 4);
	got += beta_of(got, &mine);
	return argv[0] == 0 && got == 0;
}
"""

TWO = """#include <stdio.h>
struct pair { int x; long y; };
struct deep { struct pair in; float f; };
int beta = 1000;
static long hidden = 88;
static struct deep deeper = {{11, 12}, 1.5f};
__attribute__((noinline)) int beta_of(int v, struct pair *p)
{
	int local = v ^ beta;
	{
		int inner = local * 2 + p->x;
		deeper.in.x += inner;
		printf("v=%d local=%d inner=%d beta=%d hidden=%ld deeper.in.x=%d deeper.in.y=%ld"
			" deeper.f=%g\\n", v, local, inner, beta, hidden, deeper.in.x, deeper.in.y,
			deeper.f); /* beta_of */
	}
	return local;
}
"""

# Where to look: a line of the source, and what the program prints there.
STOPS = (("one.c", ONE, "n=%d"), ("two.c", TWO, "v=%d"))

# Of what gcc writes for DWARF 5, dwp (binutils) and llvm-dwp make nothing.
PACKAGERS = (("dwp", "binutils", e2e.GCC, 4), ("dwp", "binutils", e2e.CLANG, 4),
             ("llvm-dwp-15", "llvm-15", e2e.GCC, 4), ("llvm-dwp-15", "llvm-15", e2e.CLANG, 4),
             ("llvm-dwp-15", "llvm-15", e2e.CLANG, 5))

EACH = tuple((compiler, version) for compiler in (e2e.GCC, e2e.CLANG) for version in (4, 5))


class Split(e2e.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="xstep-split-"))
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "one.c").write_text(ONE)
        (self.folder / "two.c").write_text(TWO)
        self.program = self.folder / "program"

    def command(self, *words, cwd=None):
        result = e2e.run(words, cwd=cwd or self.folder)
        self.assertEqual(result.returncode, 0, f"{result.rerun}\n{result.stderr}")
        return result.stdout

    def make(self, compiler, version, *flags, split="-gsplit-dwarf"):
        """Two units, whole first: what is traced there is what must be seen afterwards."""
        flags = (f"-gdwarf-{version}", *(flags or ("-O0",)))
        self.command(compiler, *flags, "-o", "program", "one.c", "two.c")
        self.whole = self.trace()
        self.assertNotIn("warning", self.stderr)
        for unit in ("one", "two"):
            self.command(compiler, *flags, split, "-c", f"{unit}.c")
        self.command(compiler, "-o", "program", "one.o", "two.o")

    def trace(self, program=None):
        """Every variable at every stop."""
        result = self.expect(e2e.xstep("trace", "--vars", "all", program or self.program))
        self.stderr = result.stderr
        return re.sub(r"0x7ff\w+", "STACK", result.stdout)

    def same(self, program=None):
        self.assertMultiLineEqual(self.trace(program), self.whole)
        self.assertNotIn("warning", self.stderr)

    def warned(self, *says):
        """One warning for each of these; what else is there is read all the same."""
        text = self.trace()
        self.assertEqual(self.stderr.count("warning"), len(says), self.stderr)
        for one in says:
            self.assertIn(one, self.stderr)
        return text

    def package(self, tool, package):
        if not shutil.which(tool):
            self.skipTest(f"{tool} is not installed: apt-get install {package}")
        self.command(tool, "-e", "program", "-o", "program.dwp")
        for dwo in self.folder.glob("*.dwo"):
            dwo.unlink()

    def test_two_units(self):
        for compiler, version in EACH:
            with self.subTest(f"{compiler} DWARF {version}"):
                self.make(compiler, version)
                self.same()

    def told_by_gdb(self, place, names):
        words = ["gdb", "-nx", "-batch", "-ex", "set debuginfod enabled off", "-ex", f"break {place}",
                 "-ex", "run"]
        for name in names:
            words += ["-ex", f"echo {name}=", "-ex", f"output {name}", "-ex", "echo \\n"]
        return dict(re.findall(r"^([\w.]+)=(.*)$", self.command(*words, self.program), re.M))

    def check_values(self, gdb_too=True):
        """At both marks: what the program prints is what xstep says; gdb says so, too."""
        printed = self.command("./program").splitlines()
        for (file, source, first), line in zip(STOPS, printed):
            number = source[:source.index(first)].count("\n") + 1
            truth = dict(word.split("=") for word in line.split())
            names = [word for name in truth for word in ("--var", name)]
            result = self.expect(e2e.xstep("explain", "--at", f"{file}:{number}", *names,
                                           self.program))
            told = dict(re.findall(r"^([\w.]+) = (\S+)", result.stdout, re.M))
            gdb = self.told_by_gdb(f"{file}:{number}", truth) if gdb_too else truth
            for name, value in truth.items():
                if gdb.get(name) in ("<optimized out>", "<synthetic pointer>"):
                    continue  # nobody can know
                self.assertEqual(told.get(name), value, f"{name}\n{result.rerun}")
                self.assertEqual(gdb.get(name), value, name)

    @e2e.smoke
    def test_values(self):
        for compiler, version in EACH:
            for level in ("-O0", "-O2"):
                with self.subTest(f"{compiler} DWARF {version} {level}"):
                    self.make(compiler, version, level)
                    self.check_values()

    def test_views(self):
        """gcc may put view numbers into location lists, as entries that DWARF 5 does not have."""
        self.make(e2e.GCC, 5, "-O2", "-gvariable-location-views=incompat5")
        self.same()
        for flags in (("-gsplit-dwarf",), ()):
            with self.subTest(flags):
                self.command(e2e.GCC, "-gdwarf-5", "-O2", *flags, "-o", "program", "one.c", "two.c")
                self.same()

    def test_objects(self):
        """-gsplit-dwarf=single: no .dwo, the objects hold all."""
        for version in (4, 5):
            for level in ("-O0", "-O2"):
                with self.subTest(f"DWARF {version} {level}"):
                    self.make(e2e.CLANG, version, level, split="-gsplit-dwarf=single")
                    self.assertEqual(list(self.folder.glob("*.dwo")), [])
                    self.same()

    def test_type_units(self):
        for compiler, version in EACH:
            with self.subTest(f"{compiler} DWARF {version}"):
                self.make(compiler, version, "-O0", "-fdebug-types-section")
                self.same()

    @e2e.smoke
    def test_packages(self):
        for tool, package, compiler, version in PACKAGERS:
            with self.subTest(f"{tool}, {compiler} DWARF {version}"):
                self.make(compiler, version)
                self.package(tool, package)
                self.same()
                self.check_values(gdb_too=version == 4)  # gdb 13.1 crashes

    def test_type_units_in_packages(self):
        for tool, package, compiler, version in PACKAGERS:
            with self.subTest(f"{tool}, {compiler} DWARF {version}"):
                self.make(compiler, version, "-O0", "-fdebug-types-section")
                self.package(tool, package)
                self.same()

    def test_package_of_debug_file(self):
        """The package may be beside the separate debug file instead."""
        self.make(e2e.CLANG, 5)
        self.package("llvm-dwp-15", "llvm-15")
        self.command("objcopy", "--only-keep-debug", "program", "program.debug")
        self.command("strip", "--strip-debug", "program")
        self.command("objcopy", "--add-gnu-debuglink=program.debug", "program")
        self.command("mv", "program.dwp", "program.debug.dwp")
        self.same()

    def test_moved(self):
        """Everything was moved to another folder."""
        for compiler, version in EACH:
            with self.subTest(f"{compiler} DWARF {version}"):
                self.make(compiler, version)
                new = self.folder / "new"
                new.mkdir()
                for file in ("program", "one.dwo", "two.dwo"):
                    shutil.move(self.folder / file, new / file)
                shutil.copytree(new, self.folder, dirs_exist_ok=True,
                                ignore=lambda *_: ["program", "one.dwo", "two.dwo"])
                self.same(new / "program")
                shutil.rmtree(new)

    def test_missing(self):
        """One .dwo is missing: it is named; the other unit is read."""
        for compiler, version in EACH:
            with self.subTest(f"{compiler} DWARF {version}"):
                self.make(compiler, version)
                (self.folder / "one.dwo").unlink()
                text = self.warned(f"{self.folder}/one.dwo is missing")
                self.assertIn("deeper.in.y = 12", text)
                self.assertNotIn("alpha = 41", text)

    def test_stale(self):
        """One was compiled again, another way."""
        for compiler, version in EACH:
            with self.subTest(f"{compiler} DWARF {version}"):
                self.make(compiler, version)
                (self.folder / "one.c").write_text(ONE.replace("int alpha", "long more; int alpha"))
                self.command(compiler, f"-gdwarf-{version}", "-gsplit-dwarf", "-c", "one.c", "-o",
                             "other.o")
                shutil.copy(self.folder / "other.dwo", self.folder / "one.dwo")
                (self.folder / "one.c").write_text(ONE)
                text = self.warned(f"{self.folder}/one.dwo: has no unit 0x")
                self.assertIn("deeper.in.y = 12", text)
                self.assertNotIn("more = ", text)

    def test_corrupt(self):
        self.make(e2e.GCC, 5)
        dwo = self.folder / "one.dwo"
        whole = dwo.read_bytes()
        for what, content, says in (("cut short", whole[:500], "one.dwo: cut short"),
                                    ("empty", b"", "one.dwo: not an ELF file"),
                                    ("of text", b"int main;\n" * 100, "one.dwo: not an ELF file")):
            with self.subTest(what):
                dwo.write_bytes(content)
                self.assertIn("deeper.in.y = 12", self.warned(says))

    def test_corrupt_package(self):
        self.make(e2e.CLANG, 5)
        kept = {dwo: dwo.read_bytes() for dwo in self.folder.glob("*.dwo")}
        self.package("llvm-dwp-15", "llvm-15")
        package = self.folder / "program.dwp"
        content = package.read_bytes()
        package.write_bytes(content[:-200])
        self.warned("program.dwp cannot be read", "one.dwo is missing", "two.dwo is missing")
        for dwo, its in kept.items():
            dwo.write_bytes(its)
        self.assertMultiLineEqual(self.warned("program.dwp cannot be read"), self.whole)

    def test_package_of_another_program(self):
        """Its index does not have the units: the .dwo files do."""
        self.make(e2e.CLANG, 5)
        kept = {dwo: dwo.read_bytes() for dwo in self.folder.glob("*.dwo")}
        self.make(e2e.CLANG, 5, "-O1")
        self.package("llvm-dwp-15", "llvm-15")
        package = (self.folder / "program.dwp").read_bytes()
        self.make(e2e.CLANG, 5)
        (self.folder / "program.dwp").write_bytes(package)
        for dwo, its in kept.items():
            self.assertEqual(dwo.read_bytes(), its)
        self.same()

    def test_many_units(self):
        """Each has the same names, and values and addresses of its own."""
        units = range(12)
        for number in units:
            (self.folder / f"u{number}.c").write_text(
                f"static int own = {100 + number};\nint step{number}(int n)\n{{\n"
                f"\tint twice = n * 2 + own;\n\treturn twice; /* look */\n}}\n")
        calls = "".join(f"sum += step{number}(sum);" for number in units)
        declarations = "".join(f"int step{number}(int);" for number in units)
        (self.folder / "main.c").write_text(
            f"{declarations}\nint main(void)\n{{\n\tint sum = 0;\n\t{calls}\n\treturn 0;\n}}\n")
        for compiler, version in EACH:
            with self.subTest(f"{compiler} DWARF {version}"):
                names = [f"u{number}" for number in units]
                self.command(compiler, f"-gdwarf-{version}", "-O0", "-gsplit-dwarf", "-c", "main.c",
                             *(f"{name}.c" for name in names))
                self.command(compiler, "-o", "program", "main.o", *(f"{name}.o" for name in names))
                for number in (0, 5, 11):
                    result = self.expect(e2e.xstep(
                        "explain", "--at", f"u{number}.c:5", "--var", "own", "--var", "twice",
                        "--var", "n", self.program))
                    own, twice, n = re.findall(r"^(?:own|twice|n) = (-?\d+)", result.stdout, re.M)
                    self.assertEqual(own, str(100 + number), result.rerun)
                    self.assertEqual(int(twice), 2 * int(n) + int(own), result.rerun)

    def test_one_unit_twice(self):
        """Two skeletons with one dwo_id: the same DIEs at different addresses."""
        (self.folder / "twin.c").write_text("int twin(void)\n{\n\tstatic int calls = 10;\n"
                                            "\tcalls++;\n\treturn calls;\n}\n")
        (self.folder / "main.c").write_text(
            "int twin(void), other(void);\n"
            "int main(void)\n{\n\ttwin();\n\ttwin();\n\tother();\n\treturn 0;\n}\n")
        for compiler, version in EACH:
            with self.subTest(f"{compiler} DWARF {version}"):
                for unit in ("twin", "main"):
                    self.command(compiler, f"-gdwarf-{version}", "-O0", "-gsplit-dwarf", "-c",
                                 f"{unit}.c")
                self.command("objcopy", "--redefine-sym", "twin=other", "twin.o", "other.o")
                self.command(compiler, "-o", "program", "main.o", "twin.o", "other.o")
                told = []
                for hit in ("2", "3"):
                    result = self.expect(e2e.xstep("explain", "--at", "twin.c:5", "--hit", hit,
                                                   "--var", "calls", self.program))
                    told += re.findall(r"^calls = (\d+)", result.stdout, re.M)
                self.assertEqual(told, ["12", "11"])
                # Nor does it matter which of them was asked for before.
                result = self.expect(e2e.xstep("trace", "--sample", "all", "--vars", "locals", self.program))
                self.assertEqual(re.findall(r"calls = (\d+)", result.stdout)[-2:], ["10", "11"], result.rerun)


if __name__ == "__main__":
    e2e.main()
