"""End-to-end tests of what xstep says about itself: help, man pages and bash's completion."""
import pathlib
import re
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e  # noqa: E402

BUILD = pathlib.Path(e2e.XSTEP).parent
FILE = r"\b((?:testdata|bench|cli|oracle|dwarf|engine|source|base|docs)/[\w./]*\w\.\w+)"


def help_of(words=()):
    return e2e.xstep("help", *words).stdout


def commands():
    """All commands, each as its words: (), ("trace",), ("check", "opt"), ..."""
    def below(words):
        listed = re.search(r"^Commands:\n((?:  .*\n)+)", help_of(words), re.M)
        names = re.findall(r"^  ([a-z]+)  ", listed.group(1), re.M) if listed else []
        if words == ("store",):  # its two words are operands
            names = []
        return [words] + [one for name in names for one in below((*words, name))]
    return below(())


def options(words):
    """The options of a command, by its help: name -> (the short form, what it takes, the text)."""
    found = {}
    pattern = r"^  (?:-(\w),|   ) --([\w-]+)((?: |\[=)\S+)?((?:  +.*|)\n(?: {30}.*\n)*)"
    for letter, name, takes, text in re.findall(pattern, help_of(words), re.M):
        found[name] = (letter, takes.strip(), " ".join(text.split()))
    return found


COMMANDS = commands()


class Help(e2e.TestCase):
    @e2e.smoke
    def test_all_commands_are_found(self):
        self.assertGreaterEqual(len(COMMANDS), 16)
        self.assertIn(("check", "opt"), COMMANDS)
        self.assertIn("against", options(("diff",)))

    def test_fits_80_columns(self):
        for words in COMMANDS:
            for line in help_of(words).splitlines():
                self.assertLessEqual(len(line), 80, f"{words}: {line}")

    def test_texts_of_options_are_aligned(self):
        for words in COMMANDS:
            for name, (_, _, text) in options(words).items():
                self.assertTrue(text, f"{words}: --{name} has no text in the second column")

    def test_an_option_that_takes_a_value_tells_its_default(self):
        """Those without one: what may be repeated, names something optional, or belongs to another option."""
        without = {"trace", "flag", "source", "known", "module", "extra", "core", "report", "build", "against",
                   "at", "var", "quote", "random-starts", "stats", "transitions", "output", "completion", "write",
                   "baseline"}
        for words in COMMANDS:
            for name, (_, takes, text) in options(words).items():
                if takes and name not in without:
                    self.assertIn("default", text, f"{words}: --{name}")

    def test_choices_have_their_default_among_them(self):
        for words in COMMANDS:
            for name, (_, takes, text) in options(words).items():
                default = re.search(r"\(default: (\w+)", text)
                if "|" in takes and name != "completion":  # without it there is none
                    self.assertTrue(default, f"{words}: --{name}")
                    self.assertIn(default.group(1), takes.split("|"), f"{words}: --{name}")

    def test_is_the_same_by_every_way(self):
        for words in COMMANDS:
            result = self.expect(e2e.xstep("help", *words))
            self.assertEqual(result.stdout, self.expect(e2e.xstep(*words, "--help")).stdout)
            self.assertTrue(result.stdout.startswith("Usage: xstep"))

    def test_an_unknown_command_is_refused(self):
        self.expect(e2e.xstep("help", "tracce"), 2, "unknown command 'tracce'; did you mean 'trace'?")
        self.expect(e2e.xstep("help", "check", "optt"), 2, "unknown command 'optt'; did you mean 'opt'?")
        self.expect(e2e.xstep("help", "trace", "opt"), 2, "unknown command 'opt'")
        self.expect(e2e.xstep("help", "--write", "/nowhere/at/all"), 2, "/nowhere/at/all")


class Manual(e2e.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.written = e2e.xstep("help", "--write", cls.folder)
        cls.pages = {words: cls.folder / "man/man1" / ("-".join(("xstep", *words)) + ".1") for words in COMMANDS}

    def test_there_is_a_page_for_every_command(self):
        self.expect(self.written)
        self.assertEqual(sorted(self.pages.values()), sorted((self.folder / "man/man1").iterdir()))
        for words, page in self.pages.items():
            self.assertEqual(self.expect(e2e.xstep("help", "--man", *words)).stdout, page.read_text())

    def test_every_option_is_on_its_page(self):
        for words, page in self.pages.items():
            text = page.read_text().replace("\\-", "-")
            for name, (letter, takes, _) in options(words).items():
                self.assertIn(f"\\fB--{name}\\fR", text, f"{words}")
                if letter:
                    self.assertIn(f"\\fB-{letter}\\fR, \\fB--{name}\\fR", text, f"{words}")
                for word in takes.split("|") if "|" in takes else ():
                    self.assertIn(word, text, f"{words} --{name}")

    def test_pages_have_the_usual_sections(self):
        for words, page in self.pages.items():
            sections = re.findall(r"^\.SH (.*)$", page.read_text(), re.M)
            self.assertEqual(sections[:3], ["NAME", "SYNOPSIS", "DESCRIPTION"], f"{words}")
            for section in ("OPTIONS", "EXIT STATUS", "SEE ALSO"):
                self.assertIn(section, sections, f"{words}")

    def test_groff_has_no_warning(self):
        if not shutil.which("groff"):
            self.skipTest("groff is not installed: apt-get install groff-base")
        for page in self.pages.values():
            result = self.expect(e2e.run(["groff", "-man", "-Tascii", "-wall", "-z", page]))
            self.assertEqual(result.stderr, "", page)

    def test_mandoc_has_no_warning(self):
        if not shutil.which("mandoc"):
            self.skipTest("mandoc is not installed: apt-get install mandoc")
        for page in self.pages.values():
            result = e2e.run(["mandoc", "-man", "-Tlint", "-Wwarning", page])
            # A date would make the page another one each day.
            said = [line for line in result.stdout.splitlines() if "missing date" not in line]
            self.assertEqual(said, [])

    def test_man_shows_what_the_help_says(self):
        if not shutil.which("man"):
            self.skipTest("man is not installed: apt-get install man-db")
        shown = self.expect(e2e.run(["man", "--warnings", "--nh", "-l", self.pages[("trace",)]],
                                    env={"PATH": "/usr/bin:/bin", "MANWIDTH": "80", "LC_ALL": "C"}))
        if not shown.stdout.strip() or "minimized" in shown.stdout:
            self.skipTest("man shows no pages on this machine")
        self.assertEqual(shown.stderr, "")
        text = " ".join(shown.stdout.split())
        for name, (_, _, words) in options(("trace",)).items():
            self.assertIn(f"--{name}", text)
        self.assertIn("PTRACE_SINGLESTEP for each instruction", text)

    def test_the_build_made_them_and_installs_them(self):
        if not (BUILD / "cmake_install.cmake").exists():
            self.skipTest("xstep is not in the folder that it was built in")
        for page in self.pages.values():
            self.assertEqual(page.read_text(), (BUILD / "share/man/man1" / page.name).read_text())
        if not shutil.which("cmake"):
            self.skipTest("cmake is not installed: apt-get install cmake")
        prefix = self.folder / "installed"
        self.expect(e2e.run(["cmake", "--install", BUILD, "--prefix", prefix]))
        self.assertEqual(sorted(path.name for path in (prefix / "share/man/man1").iterdir()),
                         sorted(page.name for page in self.pages.values()))
        for script in ("bash-completion/completions/xstep", "zsh/site-functions/_xstep",
                       "fish/vendor_completions.d/xstep.fish"):
            self.assertEqual((prefix / "share" / script).read_text(), (self.folder / script).read_text())


class Completion(e2e.TestCase):
    @classmethod
    def setUpClass(cls):
        if not shutil.which("bash"):
            raise e2e.unittest.SkipTest("bash is not installed: apt-get install bash")
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.script = cls.folder / "xstep"
        cls.script.write_text(e2e.xstep("help", "--completion", "bash").stdout)

    def complete(self, *words):
        """What is offered for the last word, as bash asks for it."""
        result = self.expect(e2e.run(
            ["bash", "--norc", "-c", 'source "$1"; shift; COMP_WORDS=(xstep "$@"); COMP_CWORD=$#; _xstep; '
             'printf "%s\\n" "${COMPREPLY[@]}"', "bash", self.script, *words], cwd=self.folder))
        self.assertEqual(result.stderr, "", words)
        return result.stdout.split()

    def test_is_valid_bash(self):
        self.expect(e2e.run(["bash", "-n", self.script]))
        self.assertEqual(self.expect(e2e.run(["bash", "--norc", "-c", 'source "$1"; complete -p xstep', "bash",
                                              self.script])).stdout,
                         "complete -o bashdefault -o default -F _xstep xstep\n")

    def test_completes_commands(self):
        for words in COMMANDS:
            below = [one[-1] for one in COMMANDS if one[:-1] == words and one]
            if below:
                self.assertEqual(sorted(self.complete(*words, "")), sorted(below))
                self.assertEqual(sorted(self.complete("help", *words, "")), sorted(below))
        self.assertEqual(self.complete("exp"), ["explain"])
        self.assertEqual(self.complete("store", ""), ["merge", "check"])

    def test_completes_options(self):
        for words in COMMANDS:
            wanted = sorted(f"--{name}" for name in options(words))
            self.assertIn("--help", wanted, words)
            self.assertEqual(sorted(self.complete(*words, "-")), wanted, words)
        self.assertEqual(self.complete("trace", "--quiet", "--keep"), ["--keep-order"])
        self.assertEqual(self.complete("ccmd", "--levels", "-O2", "--comp"), ["--compiler"])

    def test_completes_the_words_of_an_option(self):
        for words in COMMANDS:
            for name, (_, takes, _) in options(words).items():
                if "|" in takes:
                    choices = takes.split("|")
                    self.assertEqual(self.complete(*words, f"--{name}", ""), choices)
                    self.assertEqual(self.complete(*words, f"--{name}", "="), choices)
                    self.assertEqual(self.complete(*words, f"--{name}", "=", choices[0]), [
                        choice for choice in choices if choice.startswith(choices[0])])
        self.assertEqual(self.complete("help", "--completion", ""), ["bash", "zsh", "fish"])

    def test_offers_folders_where_a_folder_is_meant(self):
        (self.folder / "one folder").mkdir()
        (self.folder / "one file").touch()
        self.assertEqual(self.complete("ccmd", "-o", "one"), ["one", "folder"])

    def test_leaves_files_to_bash(self):
        self.assertEqual(self.complete("trace", ""), [])
        self.assertEqual(self.complete("trace", "--stdin", ""), [])
        self.assertEqual(self.complete("trace", "program", "d"), [])


class Zsh(e2e.TestCase):
    """The script for zsh, with functions in the place of zsh's own that print what they are given."""

    @classmethod
    def setUpClass(cls):
        if not shutil.which("zsh"):
            raise e2e.unittest.SkipTest("zsh is not installed: apt-get install zsh")
        cls.text = e2e.xstep("help", "--completion", "zsh").stdout

    def complete(self, *words):
        script = ("compdef() { : }\n_arguments() { shift; print -rl -- $@ }\n" + self.text +
                  "\nwords=(xstep $@); CURRENT=$#words; _xstep; print -rl -- below $_xstep_below")
        result = self.expect(e2e.run(["zsh", "-f", "-c", script.replace("local -a _xstep_below", ""), "zsh",
                                      *words, "x"]))
        self.assertEqual(result.stderr, "", words)
        return result.stdout

    def test_is_complete(self):
        for words in COMMANDS:
            said = self.complete(*words)
            told = set(re.findall(r"^\*?--([\w-]+)(?:=-?)?\[", said, re.M))
            self.assertEqual(told, {*options(words), "help"}, words)
            below = re.findall(r"^([a-z]+):", said.split("\nbelow\n")[-1], re.M)
            self.assertEqual(below, [one[-1] for one in COMMANDS if one and one[:-1] == words], words)
            for name, (_, takes, _) in options(words).items():
                if "|" in takes:
                    self.assertIn(f"({takes.replace('|', ' ')})", said, f"{words} --{name}")


class Fish(e2e.TestCase):
    @classmethod
    def setUpClass(cls):
        if not shutil.which("fish"):
            raise e2e.unittest.SkipTest("fish is not installed: apt-get install fish")
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        (cls.folder / "xstep.fish").write_text(e2e.xstep("help", "--completion", "fish").stdout)

    def complete(self, lines):
        """What fish offers for each line, by one run of it."""
        asked = "\n".join(f"echo == {n}\ncomplete -C '{line}'" for n, line in enumerate(lines))
        result = self.expect(e2e.run(["fish", "--no-config", "-c", f"source xstep.fish\n{asked}"], cwd=self.folder))
        self.assertEqual(result.stderr, "")
        return [[line.split("\t")[0] for line in part.splitlines()[1:]] for part in
                result.stdout.split("== ")[1:]]

    def test_is_complete(self):
        lines = [" ".join(("xstep", *words, "--")) for words in COMMANDS]
        for words, said in zip(COMMANDS, self.complete(lines)):
            self.assertEqual({one.rstrip("=") for one in said}, {f"--{name}" for name in (*options(words), "help")},
                             words)

    def test_commands_and_words(self):
        below, check, words = self.complete(["xstep ", "xstep check o", "xstep diff --format "])
        self.assertEqual(sorted(below), sorted(one[0] for one in COMMANDS if len(one) == 1))
        self.assertEqual(check, ["opt"])
        self.assertEqual(sorted(words), ["html", "json", "junit", "markdown", "sarif", "text"])


class Docs(e2e.TestCase):
    """README, CONTRIBUTING and docs/ name files, options and commands that exist."""

    @classmethod
    def setUpClass(cls):
        cls.texts = {path: path.read_text() for path in (
            *e2e.TOP.glob("*.md"), *e2e.TOP.glob("docs/**/*.md")) if path.name != "NEWS.md"}

    def test_the_readme_is_short(self):
        self.assertLessEqual(len((e2e.TOP / "README.md").read_text().splitlines()), 150)

    def test_links_lead_somewhere(self):
        for path, text in self.texts.items():
            for link in re.findall(r"\]\(([^)#:]+)\)", text):
                self.assertTrue((path.parent / link).exists(), f"{path}: {link}")

    def test_files_exist(self):
        for path, text in self.texts.items():
            for name in re.findall(FILE, text):
                self.assertTrue((e2e.TOP / name).exists() or (path.parent / name).exists(),
                                f"{path}: {name}")

    def test_options_exist(self):
        known = {words: {*options(words), "help", "version"} for words in COMMANDS}
        for path, text in self.texts.items():
            for line in re.findall(r"(?:\$ |`)xstep ([^`\n|]*)", text):
                words = tuple(line.split())
                command = next((words[:n] for n in (2, 1, 0) if words[:n] in known))
                for name in re.findall(r"(?:^|[\s[])--([a-z][\w-]*)", " ".join(words)):
                    self.assertIn(name, known[command], f"{path}: xstep {line}")


if __name__ == "__main__":
    e2e.main()
