#!/usr/bin/python3
"""house_test.py - the house is as its documents say: rooms, names, sizes and format of the source.

It reads the source tree and builds nothing; Tidy needs the build folder that $XSTEP is in, or
build/release. A rule that does not hold yet has its exceptions listed here. An exception that is no
longer needed fails the test, so that the lists only shrink.

    house_test.py [CLASS[.TEST]...]
"""
import collections
import concurrent.futures
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("base", "engine", "dwarf", "source", "oracle", "cli", "bench", "testdata", "docs")
TABLE = ROOT / "docs/ARCHITECTURE.md"

LINES = 800          # of a file
CLI_LINES = 6600     # of cli/ without cli/report/
COLUMNS = {".c": 100, ".h": 100, ".py": 120, ".js": 120, ".css": 120}
CLANG = "15"         # other versions of clang-format format otherwise

# Includes against the table: FILE -> HEADER.
KNOWN_INCLUDES = set()
# Modules that include each other in a circle, a set for each. But for the first, each is a header for
# others and an inner part that knows its types.
KNOWN_CYCLES = [
    {"engine/process", "engine/threads", "engine/trace"},
    {"engine/rsp_answer", "engine/rsp_server"},
    {"oracle/judge/compare", "oracle/judge/walk"},
    {"oracle/store/store", "oracle/store/store_db"},
    {"source/mutate", "source/pass"},
]
# Names that mean the same everywhere: each folder may have one.
COMMON_NAMES = {"CMakeLists.txt", "README", "README.md", "run"}
# Names that two things have.
KNOWN_NAMES = set()
# Where texts of others are made safe, or there are none: only these use stdio's own functions for more than
# literals. Elsewhere in cli/, xs_print() prints.
SHOWERS = {"cli/completion.c", "cli/completion_fish.c", "cli/completion_zsh.c", "cli/help.c", "cli/manual.c",
           "cli/report/prose.c",  # our own texts
           "cli/report/html.c", "cli/report/json.c",
           "cli/report/bundle_again.c", "cli/report/bundle_check.c"}  # scripts of JSON
# What else is written: scripts for debuggers, and JSON that cli/report/json.h made.
KNOWN_WRITES = {"cli/report/bundle_session.c: fputs(text)", "cli/report/bundle_session.c: fputs(commands.vec.data[i])",
                "cli/report/campaign_watch.c: fputs(drawn)",  # of lines that were printed into it
                "cli/report/screen.c: fputs(codes[ink])",  # of a table
                "cli/report/explain_text.c: fwrite", "cli/report/print.c: fwrite_unlocked",
                "cli/report/show_print.c: fwrite"}
# Who else says something to whoever looks at the terminal.
SPEAKERS = {"base/alloc.c", "base/error.c", "base/log.c", "engine/tracee.c", "oracle/session/ccmd_jobs.c",
            "oracle/session/reproduce_tool.c", "oracle/witness/debugger/kept_tool.c"}


ROOT_FILES = {".clang-format", ".clang-tidy", ".gitignore", "CMakeLists.txt", "CMakePresets.json",
              "CONTRIBUTING.md", "LICENSE", "NEWS.md", "README.md", "action.yml", "dev"}


@functools.cache
def files(*suffixes, testdata=False):
    """The files of the tree, as paths relative to its root, in order. Programs that are compiled to be looked
    at are testdata, those of docs/bugs too."""
    found = []
    for folder in FOLDERS:
        if folder != "testdata" or testdata:
            found += [path.relative_to(ROOT) for path in (ROOT / folder).rglob("*") if path.is_file()]
    return sorted(path for path in found if "__pycache__" not in path.parts
                  and (not suffixes or path.suffix in suffixes)
                  and (testdata or path.suffix == ".md" or path.parts[:2] != ("docs", "bugs")))


@functools.cache
def text(path):
    return (ROOT / path).read_text(encoding="utf-8")


def room_of(path):
    return str(pathlib.PurePath(path).parent)


@functools.cache
def table():
    """{room: (prefix, rooms that it may include)}, from the first table whose first column is `room`."""
    rooms, inside = {}, False
    for line in text(TABLE.relative_to(ROOT)).splitlines():
        cells = [cell.strip().replace("`", "") for cell in line.strip().strip("|").split("|")]
        if not line.startswith("|"):
            if rooms:
                break
        elif cells[0].lower() == "room":
            inside = True
        elif inside and not set(line) <= set("|-: "):
            name, prefix, _, may = cells
            rooms[name.rstrip("/")] = (prefix.rstrip("*"), {word.rstrip("/") for word in re.findall(r"[\w/]+", may)})
    return rooms


@functools.cache
def includes():
    """[(file, header)] of the project's own headers, as paths."""
    return [(str(path), name) for path in files(".c", ".h")
            for name in re.findall(r'^#\s*include "([^"]+)"', text(path), re.MULTILINE)]


def circles(edges):
    """The sets of two or more nodes that lead to each other (Tarjan)."""
    graph = collections.defaultdict(set)
    for start, end in edges:
        graph[start].add(end)
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for to in sorted(graph.get(node, ())):
            if to not in index:
                visit(to)
                low[node] = min(low[node], low[to])
            elif to in stack:
                low[node] = min(low[node], index[to])
        if low[node] == index[node]:
            circle = set()
            while not circle or node not in circle:
                circle.add(stack.pop())
            if len(circle) > 1:
                found.append(circle)

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


class House(unittest.TestCase):
    maxDiff = None

    def nothing(self, wrong, rule):
        """Fails with all that breaks a rule, a line each."""
        if wrong:
            self.fail(f"{rule}:\n  " + "\n  ".join(map(str, wrong)))


class Rooms(House):
    """Who includes whom."""

    def test_every_folder_with_code_is_in_the_table(self):
        rooms = {room_of(path) for path in files(".c", ".h")}
        self.nothing(sorted(rooms - set(table())), f"{TABLE.name} has no row for these rooms")

    def test_the_table_has_no_circle(self):
        self.assertTrue(table(), f"{TABLE.name} has no table of rooms")
        edges = [(room, to) for room, (_, may) in table().items() for to in may if to in table()]
        self.nothing(circles(edges), "rooms that may include each other")

    def test_includes_are_those_of_the_table(self):
        wrong = set()
        for path, header in includes():
            room, to = room_of(path), room_of(header)
            # Tests share headers with the programs that they look at.
            is_subject = to.startswith("testdata/") and path.endswith("_test.c")
            if room != to and not is_subject and to not in table().get(room, ("", ()))[1]:
                wrong.add((path, header))
        self.nothing([f"{path} includes {header}" for path, header in sorted(wrong - KNOWN_INCLUDES)],
                     f"not allowed by {TABLE.name}")
        self.nothing(sorted(KNOWN_INCLUDES - wrong), "no longer needed in KNOWN_INCLUDES")

    def test_headers_are_named_from_the_root(self):
        self.nothing([f"{path}: {header}" for path, header in includes() if not (ROOT / header).is_file()],
                     "no such header")

    def test_modules_of_a_room_form_no_circle(self):
        def module(path):
            return str(pathlib.PurePath(path).with_suffix(""))
        edges = [(module(path), module(header)) for path, header in includes()
                 if room_of(path) == room_of(header) and module(path) != module(header)]
        found = circles(edges)
        self.nothing([" ".join(sorted(circle)) for circle in found if circle not in KNOWN_CYCLES],
                     "modules that include each other")
        self.nothing([circle for circle in KNOWN_CYCLES if circle not in found],
                     "no longer as it is in KNOWN_CYCLES")


class Names(House):
    """What files and functions are called."""

    def test_no_name_is_that_of_two_things(self):
        folders = collections.defaultdict(set)
        for path in files(testdata=True):
            if path.parts[:2] != ("testdata", "fuzz"):
                folders[path.name].add(str(path.parent))
        twice = {name for name, where in folders.items() if len(where) > 1} - COMMON_NAMES
        self.nothing([f"{name}: {', '.join(sorted(folders[name]))}" for name in sorted(twice - KNOWN_NAMES)],
                     "one name, two things")
        self.nothing(sorted(KNOWN_NAMES - twice), "no longer needed in KNOWN_NAMES")

    def test_files_say_what_they_are(self):
        """A header in its first line; whoever else gives a name there, gives the right one."""
        wrong = []
        for path in files(".c", ".h", ".py"):
            first = "\n".join(text(path).split("\n", 2)[:2]).removeprefix("#!/usr/bin/python3\n").split("\n")[0]
            name = re.match(r'(?:/\* |"""|# )(\S+\.(?:c|h|py)) - .', first)
            if name and name[1] != path.name or path.suffix == ".h" and not name:
                wrong.append(f"{path}: {first}")
        self.nothing(wrong, "the first line is to be `/* NAME - what it is`")

    def test_external_symbols_have_the_prefix_of_their_room(self):
        wrong = []
        for path in files(".h"):
            prefix = table().get(room_of(path), ("", ()))[0]
            if prefix and "fake" not in path.stem.split("_"):  # what tests share is in no library
                wrong += [f"{path}: {name}" for name in declared(text(path)) if not name.startswith(prefix)]
        self.nothing(wrong, "symbols without the prefix of their room")

    def test_declarations_are_found(self):
        """The reader of headers that the test of prefixes rests on."""
        self.assertEqual(declared("""
            #define F(x) f(x)
            /* int comment(void); */
            typedef int (*ignored_type)(int);
            struct s { int (*field)(void); int other; };
            static inline int hidden(int x) { return other(x); }
            XS_MUST_CHECK struct xs_error *one(const char *format, ...) __attribute__((format(printf, 1, 2)));
            void two(int (*callback)(int), void *arg);
            XS_DEFINE_CLEANUP(two);
            extern const char *const three[4];
            extern int (*const four[])(struct s *);
            enum { five };
            """), ["one", "two", "three", "four"])

    def test_the_root_holds_what_it_should(self):
        """What somebody built or tried there goes unnoticed into a commit."""
        told = subprocess.run(["git", "-C", ROOT, "ls-files"], capture_output=True, text=True)
        if told.returncode:
            self.skipTest("no clone: " + told.stderr.strip())
        root = {name for name in told.stdout.splitlines() if "/" not in name}
        self.nothing(sorted(root - ROOT_FILES), "files in the root that are not of it")

    def test_testdata_holds_no_scripts(self):
        scripts = [path for path in files(testdata=True) if path.parts[0] == "testdata"
                   and (path.suffix in (".py", ".sh") or (ROOT / path).read_bytes()[:2] == b"#!")]
        self.nothing(scripts, "scripts belong into bench/study/ or beside what they test")


def declared(header):
    """The functions and variables with external linkage that a header declares."""
    header = re.sub(r"/\*.*?\*/", " ", header, flags=re.DOTALL)
    header = re.sub(r"^[ \t]*#(?:.*\\\n)*.*$", "", header, flags=re.MULTILINE)
    header = re.sub(r'"(?:[^"\\]|\\.)*"', '""', header)
    inner = None
    while inner != header:  # bodies, the innermost first
        inner, header = header, re.sub(r"\{[^{}]*\}", ";", header)
    names = []
    for one in header.split(";"):
        one = re.sub(r"__attribute__\s*\(\(.*\)\)", "", " ".join(one.split()))
        one = re.sub(r"^(?:[A-Z][A-Z0-9_]+(?:\([^()]*\))? )+", "", one)  # XS_MUST_CHECK
        if re.match(r"(?:typedef|static)\b", one) or re.match(r"[A-Z0-9_]+\(", one):
            continue
        pointer = re.match(r"extern [^()]*\(\*(?:const )?(\w+)", one)
        function = re.match(r"[^()=]*?(\w+) ?\(", one)
        variable = re.match(r"extern [^()=]*?(\w+)(?:\[[^]]*\])*$", one)
        name = pointer or function or variable
        if name:
            names.append(name[1])
    return names


class Size(House):
    """How long files and lines are."""

    def test_no_file_is_too_long(self):
        wrong = [f"{path}: {lines} lines" for path in files(".c", ".h", ".py", ".js", testdata=True)
                 if (lines := text(path).count("\n")) > LINES]
        self.nothing(wrong, f"files of more than {LINES} lines")

    def test_cli_is_small(self):
        lines = sum(text(path).count("\n") for path in files(".c", ".h")
                    if path.parts[0] == "cli" and path.parts[1] != "report")
        self.assertLess(lines, CLI_LINES, "lines of cli/ without cli/report/: logic belongs into oracle/")

    def test_headings_are_one_line(self):
        wrong = [f"{path}: {line}" for path in files(".c", ".h") for line in text(path).split("\n")
                 if line.startswith("/* --- ") and not line.endswith("- */")]
        self.nothing(wrong, "headings of sections are to be `/* --- what ------- */`")

    def test_no_line_is_too_wide(self):
        wrong = []
        for path in files(*COLUMNS):
            for number, line in enumerate(text(path).split("\n"), 1):
                width = len(line.expandtabs(8))
                # A piece of a longer text in C has that text's own width.
                is_text = path.suffix != ".py" and re.fullmatch(r'\s*"(?:[^"\\]|\\.)*"[,;)]*', line)
                if width > COLUMNS[path.suffix] and not is_text:
                    wrong.append(f"{path}:{number}: {width} columns")
        self.nothing(wrong, "lines that are too wide")


def arguments(call):
    """The arguments of the first call in a piece of C, which begins behind its parenthesis."""
    found, depth = [""], 0
    for token in re.findall(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|.', call, re.DOTALL):
        depth += (token in "([{") - (token in ")]}")
        if depth < 0:
            break
        if token == "," and not depth:
            found.append("")
        else:
            found[-1] += token
    return [" ".join(one.split()) for one in found]


def is_literal(argument):
    """Whether it is a text or a character written out, or one of several by a condition."""
    bare = re.sub(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'', "#", argument)
    values = [one for one in re.split(r"(?<=[?:])", bare) if not one.endswith("?")]
    return all(re.fullmatch(r"(?:#|[A-Z_0-9]+|PRI\w+|\s)+:?", one) for one in values)


class Printing(House):
    """What others wrote goes through base/shown.h."""

    def test_only_literals_are_printed_as_they_are(self):
        wrong = set()
        for path in files(".c"):
            if path.parts[0] != "cli" or str(path) in SHOWERS:
                continue
            code = re.sub(r"/\*.*?\*/", "", text(path), flags=re.DOTALL)
            for call in re.finditer(r"\b([vfd]*printf|perror|f?puts|f?putc|putchar|fwrite\w*|json_dumpf)\(", code):
                name, first = call[1], arguments(code[call.end():])[0]
                if not name.endswith(("puts", "putc", "putchar")):
                    wrong.add(f"{path}: {name}")
                elif not is_literal(first):
                    wrong.add(f"{path}: {name}({first})")
        self.nothing(sorted(wrong - KNOWN_WRITES), "xs_print() prints what others wrote")
        self.nothing(sorted(KNOWN_WRITES - wrong), "no longer needed in KNOWN_WRITES")

    def test_who_speaks(self):
        found = set()
        for path in files(".c"):
            code = re.sub(r'/\*.*?\*/|"(?:[^"\\]|\\.)*"', "", text(path), flags=re.DOTALL)
            if path.parts[0] not in ("cli", "bench") and not path.stem.endswith(("_test", "_fuzz")) \
                    and re.search(r"\bstd(?:err|out)\b", code):
                found.add(str(path))
        self.assertEqual(found, SPEAKERS, "errors and warnings are printed in cli/ and base/log.c")

    def test_literals_are_known(self):
        for good in ('"a"', "'x'", 'i ? "," : ""', 'a ? "x" : b ? "y" : PLAIN', '"a" PRIx64 "b"',
                     '*at == \'?\' ? "x:" : "y"'):
            self.assertTrue(is_literal(good), good)
        for bad in ("text", 'i ? "a" : name', '*name', 'a ? b : "c"', '"a" name'):
            self.assertFalse(is_literal(bad), bad)
        self.assertEqual(arguments('f(a, b) ? "," : ")", out) + g(1)'), ['f(a, b) ? "," : ")"', "out"])


class Tools(House):
    """clang's tools, of exactly one version."""

    def tool(self, name):
        program = shutil.which(f"{name}-{CLANG}")
        if not program:
            self.skipTest(f"{name}-{CLANG} not found: apt-get install {name}-{CLANG}")
        version = subprocess.run([program, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertIn(f"version {CLANG}.", version)
        return program

    @staticmethod
    def run_tool(*command):
        """What it says, if it fails; else nothing."""
        result = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                check=False)
        return result.stdout.strip() if result.returncode else ""


class Format(Tools):
    def test_clang_format_changes_nothing(self):
        said = self.run_tool(self.tool("clang-format"), "--dry-run", "-Werror", *files(".c", ".h"))
        self.assertEqual(said, "", "./dev format puts it right")


class Tidy(Tools):
    def test_clang_tidy_finds_nothing(self):
        """With the set of .clang-tidy, as each file is compiled."""
        program = self.tool("clang-tidy")
        build = pathlib.Path(os.environ.get("XSTEP", ROOT / "build/release/xstep")).parent
        commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
        sources = sorted({one["file"] for one in commands} & {str(ROOT / path) for path in files(".c")})
        self.assertGreater(len(sources), 100)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            said = pool.map(lambda first: self.run_tool(program, "-p", build, "--quiet", *sources[first:first + 8]),
                            range(0, len(sources), 8))
            self.nothing([words for words in said if words], "clang-tidy")


def main():
    result = unittest.main(exit=False, verbosity=0).result
    if not result.wasSuccessful():
        return 1
    return 77 if result.skipped and len(result.skipped) == result.testsRun else 0


if __name__ == "__main__":
    sys.exit(main())
