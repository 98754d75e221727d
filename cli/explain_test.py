#!/usr/bin/python3
"""explain_test.py - xstep explain, and what trace tells of variables, end to end.

The subject is testdata/values/explain_paths.c; a place in it is the line that is marked @NAME.
"""
import json
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e

SOURCE = e2e.subject("explain_paths.c")
LINES = {name: number for number, text in enumerate(SOURCE.read_text().splitlines(), 1)
         for name in re.findall(r"/\* @(\w+) \*/", text)}
BUILDS = e2e.some([(e2e.GCC, "-O0"), (e2e.CLANG, "-O2")],
                  [(compiler, level) for compiler in (e2e.GCC, e2e.CLANG) for level in ("-O0", "-O2")])


def build(compiler=e2e.GCC, level="-O0"):
    return e2e.compile(SOURCE, compiler, ("-g", level))


def everywhere(test):
    """Runs a test with the subject as each compiler makes it, optimised and not."""
    def run(self):
        for compiler, level in BUILDS:
            with self.subTest(f"{compiler} {level}"):
                test(self, level, build(compiler, level))
    return run


class Explain(e2e.TestCase):
    """What all tests of explain need."""

    def run_explain(self, *words):
        return e2e.xstep("explain", *words)

    def json(self, program, *words, status=0):
        """The object that explain prints."""
        result = self.expect(self.run_explain("--format", "json", *words, program), status)
        return json.loads(result.stdout)

    def leaves(self, program, place, *paths, options=(), status=0):
        """The leaves of some paths, by their own path."""
        words = [word for path in paths for word in ("--var", path)]
        told = self.json(program, "--at", LINES[place], *options, *words, status=status)
        return {leaf["path"]: leaf for leaf in told["variables"]}

    def values(self, program, place, *paths, **options):
        return {path: leaf["value"] for path, leaf in
                self.leaves(program, place, *paths, **options).items()}


class Places(Explain):
    """Where explain goes, and what it says if it cannot."""

    def refuse(self, says, *words):
        result = self.expect(self.run_explain(*words, build()), 2, says)
        self.assertEqual(result.stdout, "")

    @everywhere
    def test_every_way_to_name_a_place(self, level, program):
        line = LINES["twice"]
        stop = self.json(program, "--at", line)["stop"]
        self.assertEqual((stop["file"], stop["line"], stop["function"], stop["n"]),
                         (str(SOURCE), line, "twice", 1))
        for place in (f"explain_paths.c:{line}", f"testdata/values/explain_paths.c:{line}",
                      f"{SOURCE}:{line}", stop["pc"]):
            self.assertEqual(self.json(program, "--at", place)["stop"], stop)

    def test_the_middle_of_an_instruction_is_no_place(self):
        stops = e2e.stops(self.expect(e2e.xstep("trace", "--format", "json", "--limit", 9,
                                                build())))
        first, second = (int(stop["pc"], 16) for stop in stops[-2:])
        if second == first + 1:
            first, second = (int(stop["pc"], 16) for stop in stops[-3:-1])
        self.refuse(f"{second - 1:#x} is inside of the instruction at {first:#x}", "--at",
                    hex(second - 1))

    @everywhere
    def test_without_a_place_it_is_main(self, level, program):
        stop = self.json(program)["stop"]
        self.assertEqual((stop["function"], stop["n"]), ("main", 1))

    def test_a_function_is_behind_its_prologue(self):
        """Its parameters are there, and main's, if no place is named; arrivals are counted."""
        program = build()
        told = self.json(program, "--at", "twice", "--hit", 2, "--var", "x")
        self.assertEqual((told["stop"]["line"], told["stop"]["n"]), (LINES["opening"] + 1, 2))
        self.assertEqual(told["variables"][0]["value"], "1")
        self.assertEqual(self.json(program, "--var", "argc")["variables"][0]["value"], "1")
        self.assertEqual(self.json(program, "--at", "main"), self.json(program))
        self.refuse("no function 'twize' (nearest: 'twice')", "--at", "twize")
        self.refuse("no function 'a::b'", "--at", "a::b")

    @everywhere
    def test_the_opening_line_is_behind_the_prologue(self, level, program):
        told = self.json(program, "--at", LINES["opening"], "--hit", 2, "--var", "x")
        self.assertEqual(told["stop"]["function"], "twice")
        self.assertEqual(told["variables"][0]["value"], "1")
        if level == "-O0":
            symbols = e2e.run(["nm", program]).stdout
            entry = int(re.search(r"^(\w+) T twice$", symbols, re.M).group(1), 16)
            self.assertGreater(int(told["stop"]["pc"], 16), entry)

    @everywhere
    def test_hits_are_counted(self, level, program):
        for hit in (1, 2, 3):
            told = self.json(program, "--at", LINES["twice"], "--hit", hit, "--var", "y")
            self.assertEqual(told["stop"]["n"], hit)
            self.assertEqual(told["variables"][0]["value"], str(2 * (hit - 1)))

    @everywhere
    def test_inlined_copies_count(self, level, program):
        told = self.json(program, "--at", LINES["plus"], "--var", "sum")
        self.assertEqual(told["stop"]["function"], "plus")
        self.assertEqual(told["variables"][0]["value"], "41")

    @everywhere
    def test_frames(self, level, program):
        told = self.json(program, "--at", LINES["plus"], "--frame", 2, "--var", "first.tag")
        self.assertEqual(told["variables"][0]["frame"], 2)
        self.assertEqual(told["variables"][0]["scope"], "main")
        self.assertEqual(told["variables"][0]["value"], "65")
        text = self.expect(self.run_explain("--at", LINES["plus"], "--frame", 1, program))
        self.assertRegex(text.stdout, rf"^explain_paths.c:{LINES['behind']}:\d+ in outer, pc "
                                      r"0x\w+, arrival 1, frame 1\n")

    def test_refusals(self):
        self.refuse(f"line {LINES['never']}", "--at", LINES["never"])
        self.refuse("arrival", "--at", LINES["paths"], "--hit", 2)
        self.refuse("the next line with code is 20", "--at", 14)
        self.refuse("no code for", "--at", 100000)
        self.refuse("no code comes from a file 'nowhere.c'", "--at", "nowhere.c:1")
        for bad in ("", "0", "12x", "a.c:", "a.c:x", ":", "0x", "-1", "99999999999"):
            self.refuse(f"--at: '{bad}' is not FILE:LINE, LINE, FUNCTION or 0xPC", "--at", bad)
        self.refuse("no code at 0x1", "--at", "0x1")
        self.refuse("--frame 90: there are only", "--frame", 90)
        for bad in ("", "1", "first..f", "first+1", "p->", "first.f[", "first.f[x]", "()"):
            result = self.run_explain("--at", LINES["paths"], "--var", bad, build())
            self.expect(result, 2, f"'{bad}' is not a path to a variable")
        self.expect(self.run_explain("/nowhere/a.out"), 2, "/nowhere/a.out: No such file")
        self.expect(self.run_explain(), 2, "no program given")
        self.refuse("--hit", "--hit", 0)

    def test_code_without_debug_information(self):
        plain = e2e.compile(SOURCE, e2e.GCC, ("-O0",))
        result = self.expect(self.run_explain("--format", "json", plain), 2, "(main) has no debug information")
        told = json.loads(result.stdout)
        self.assertEqual((told["stop"]["function"], told["variables"]), ("main", []))
        self.expect(self.run_explain("--at", LINES["paths"], plain), 2, "no code for line")


class Paths(Explain):
    """Paths as C writes them."""

    @everywhere
    def test_values(self, level, program):
        expected = {"p->tag": "65", "first.f[2].b": "-16", "p->next->f[1].b": "24",
                    "first.low": "1", "p->high": "10", "p[0].f[0].a": "11", "*&total": "0",
                    "global": "7", "big[2]": "3"}
        self.assertEqual(self.values(program, "loop", *expected), expected)

    @everywhere
    def test_aggregates_and_addresses(self, level, program):
        told = self.values(program, "loop", "first.f[2]", "*p", "&first", "&*p", "p",
                           "&first.f[2]", "&p->next->tag", "p->next", "*p->next")
        self.assertEqual((told["first.f[2].a"], told["first.f[2].b"]), ("15", "-16"))
        self.assertEqual((told["p->f[1].a"], told["p->tag"]), ("13", "65"))
        self.assertEqual(told["p->next->f[0].b"], "22")
        self.assertEqual(told["&first"], told["p"])
        self.assertEqual(told["&*p"], told["p"])
        self.assertEqual(int(told["&first.f[2]"], 16), int(told["p"], 16) + 24)
        self.assertEqual(int(told["&p->next->tag"], 16), int(told["p->next"], 16) + 32)

    def test_symbols_and_enumerators_have_their_own_keys(self):
        told = self.leaves(build(), "paths", "&big[2]", "colour")
        self.assertEqual(told["&big[2]"]["symbol"], "big+8")
        self.assertEqual((told["colour"]["value"], told["colour"]["enumerator"]), ("5", "GREEN"))

    def test_what_is_not_there_is_absent(self):
        for path, says in (("frist", "no variable 'frist' is visible there; the nearest name is "
                                     "'first'"),
                           ("first.nope", "no member 'nope' in struct node"),
                           ("first.f[3]", "index 3 is outside of struct pair [3]"),
                           ("*total", "int is not a pointer"), ("p.tag", "use ->"),
                           ("y", "no variable 'y'")):
            with self.subTest(path):
                told = self.leaves(build(), "paths", path, "global", status=1)
                self.assertEqual(told[path]["state"], "absent")
                self.assertIsNone(told[path]["value"])
                self.assertIn(says, told[path]["message"])
                self.assertEqual(told["global"]["value"], "7")  # the others are told all the same
                text = self.run_explain("--at", LINES["paths"], "--var", path, build())
                self.assertIn(f"{path}: absent: ", self.expect(text, 1).stdout)

    def test_no_address(self):
        told = self.leaves(build(), "paths", "&first.low")
        self.assertEqual(told["&first.low"]["state"], "error")
        self.assertIn("a bit-field has no address", told["&first.low"]["message"])
        self.expect(self.run_explain("--var", "&&p", build()), 2, "an address has no address")
        told = self.leaves(build(e2e.GCC, "-O2"), "twice", "&y")
        self.assertEqual(told["&y"]["state"], "error")


class States(Explain):
    """What is not a plain value."""

    @e2e.smoke
    @everywhere
    def test_optimised_out(self, level, program):
        gone = self.leaves(program, "states", "gone")["gone"]
        if level == "-O0":
            self.assertEqual((gone["state"], gone["value"]), ("value", "22"))
        else:
            self.assertEqual((gone["state"], gone["value"]), ("optimized-out", None))
            self.assertTrue(gone["message"])

    @everywhere
    def test_partly_optimised_out(self, level, program):
        told = self.leaves(program, "states", "half")
        self.assertEqual((told["half.a"]["state"], told["half.a"]["value"]), ("value", "2"))
        self.assertEqual(told["half.b"]["state"],
                         "value" if level == "-O0" else "optimized-out")

    @everywhere
    def test_shadowed_and_not_yet_declared(self, level, program):
        told = self.json(program, "--at", LINES["inside"])["variables"]
        values = [(one["value"], one["shadowed"]) for one in told if one["path"] == "value"]
        self.assertEqual(values, [("2", False), ("1", True), ("100", True)])
        told = self.json(program, "--at", LINES["before"])["variables"]
        marks = [(one["scope"], one["declared"], one["shadowed"])
                 for one in told if one["path"] == "value"]
        self.assertEqual(marks[0][:2], ("outer", False))
        # Asked for by name it is the one that C means. Lines of optimised code do not tell: nothing is
        # shown instead of what may be meant.
        self.assertEqual(marks[-1][1:], (True, level == "-O2"))
        told = self.leaves(program, "before", "value")["value"]
        self.assertEqual(told["declared"], level == "-O0")
        if level == "-O0":
            self.assertEqual(told["value"], "100")
        self.assertEqual(self.values(program, "inside", "value")["value"], "2")
        result = self.expect(self.run_explain("--at", LINES["before"], program))
        self.assertRegex(result.stdout, r"(?m)^value = .*\[not yet declared\]$")
        result = self.expect(self.run_explain("--at", LINES["inside"], program))
        self.assertRegex(result.stdout, r"(?m)^value = 1  \(int\)  \[hidden\]$")

    def test_the_cut_is_said(self):
        told = self.leaves(build(), "paths", "big", options=("--max-leaves", 3))
        self.assertEqual(list(told), ["big[0]", "big[1]", "big[2]", "big"])
        self.assertEqual((told["big"]["state"], told["big"]["message"]), ("cut",
                                                                          "4997 more leaves"))
        result = self.expect(self.run_explain("--at", LINES["paths"], build()))
        self.assertIn("big = {4096 leaves, and 904 more leaves}  (int [5000])\n", result.stdout)


class Shape(Explain):
    """What is printed."""

    @e2e.smoke
    def test_json(self):
        told = self.json(build(), "--at", LINES["twice"], "--var", "y")
        self.assertEqual(list(told), ["format", "stop", "variables"])
        self.assertEqual(list(told["stop"]), ["pc", "file", "line", "function", "n"])
        y = told["variables"][0]
        self.assertEqual(list(y), ["path", "var", "decl", "scope", "frame", "shadowed", "declared",
                                   "type", "state", "value", "message", "location", "die",
                                   "entries", "steps", "decoding"])
        self.assertEqual((y["var"], y["scope"], y["type"]), ("y", "twice", "int"))
        self.assertEqual(y["decl"], {"file": str(SOURCE), "line": LINES["opening"] + 1})
        self.assertEqual(y["steps"][0][:11], "DW_OP_fbreg")
        self.assertRegex(y["location"], "^memory 0x")
        self.assertRegex(y["decoding"][0], r"^4 bytes at 0x\w+: 00 00 00 00$")

    def decoding(self, path):
        source = e2e.subject("explain_bits.c")
        line = next(n for n, text in enumerate(source.read_text().splitlines(), 1) if "@here */" in text)
        for compiler in (e2e.GCC, e2e.CLANG):
            told = self.json(e2e.compile(source, compiler), "--at", line, "--var", path)
            yield compiler, "\n".join(told["variables"][0]["decoding"])

    def test_pointers_that_are_followed_and_members_are_told(self):
        for compiler, text in self.decoding("p->next->high"):
            with self.subTest(compiler):
                self.assertEqual(len(re.findall(r"struct node \* is 0x7\w+: followed to struct node", text)), 2)
                self.assertIn("next is at byte 8 of struct node", text)
                self.assertIn("high is 5 bits of struct node, from bit 3 of byte 4 on", text)

    def test_bit_fields_show_their_bits(self):
        for compiler, text in self.decoding("p->next->high"):
            with self.subTest(compiler):  # 5 and, three bits further up, -3
                self.assertRegex(text, r"1 byte at 0x7\w+4: ed\nof these, bits 3 to 7: 11101\nint, a bit-field, "
                                       "is read as signed 5")
        for compiler, text in self.decoding("*p"):
            with self.subTest(compiler):
                self.assertIn("low is 3 bits, from bit 0 of byte 4 on\nhigh is 5 bits, from bit 3 of byte 4 on", text)

    def test_bounds_that_are_worked_out_are_told(self):
        for compiler, text in self.decoding("v"):
            with self.subTest(compiler):
                self.assertRegex(text, r"has 3 elements here, from \[0\] on: (DW_AT_upper_bound of .debug_info\+0x"
                                       r"\w+: DW_OP_|DW_AT_count of .debug_info\+0x\w+: the value of .debug_info)")
                self.assertRegex(text, r"12 bytes at 0x7\w+: 00 00 00 00 0a 00 00 00 14 00 00 00")

    def test_location_lists_show_their_candidates(self):
        for compiler in (e2e.GCC, e2e.CLANG):
            told = self.json(build(compiler, "-O2"), "--at", LINES["states"], "--var", "total")
            total = told["variables"][0]
            self.assertEqual(total["value"], "6")
            chosen = [entry for entry in total["entries"] if entry.endswith("(chosen)")]
            self.assertEqual(len(chosen), 1)
            self.assertGreater(len(total["entries"]), 1)

    @e2e.smoke
    def test_text(self):
        result = self.expect(self.run_explain("--at", LINES["twice"], "--hit", 3, "--var", "y",
                                              "--var", "x", build()))
        first, second = result.stdout.split("\n\n")
        lines = first.splitlines()
        self.assertRegex(lines[0], rf"^explain_paths.c:{LINES['twice']}:\d+ in twice, pc 0x\w+, "
                                   r"arrival 3$")
        self.assertEqual(lines[1], "y = 4  (int)")
        self.assertEqual([line.split()[0] for line in lines if re.match(r"  \w", line)],
                         ["entry", "frame", "steps", "place", "decoding"])
        self.assertTrue(second.startswith("x = 2  (int)\n"))

    def test_the_programs_own_output_stays_out(self):
        program = e2e.compile("demo.c")
        result = self.expect(self.run_explain("--format", "json", program))
        json.loads(result.stdout)

    def test_arguments_and_environment(self):
        program = build()
        words = [word for path in ("argc", "argv[1][0]") for word in ("--var", path)]
        result = self.expect(self.run_explain("--format", "json", "--at", LINES["paths"], *words,
                                              program, "hello"))
        told = json.loads(result.stdout)["variables"]
        self.assertEqual([one["value"] for one in told], ["2", "104"])


class Core(Explain):
    """Post mortem."""

    def core(self, program, line):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name) / "core"
        e2e.run(["gdb", "-nx", "-nh", "-q", "-batch", "-iex", "set auto-load off", "-ex",
                 "set debuginfod enabled off", "-ex", f"break {line}", "-ex", "run", "-ex",
                 f"generate-core-file {path}", program])
        if not path.exists():
            self.skipTest("gdb makes no core file here")
        return path

    @everywhere
    def test_core(self, level, program):
        core = self.core(program, LINES["plus"])
        told = self.json(program, "--core", core, "--var", "sum")
        self.assertEqual((told["stop"]["function"], told["stop"]["n"]), ("plus", 0))
        self.assertEqual(told["variables"][0]["value"], "41")
        told = self.json(program, "--core", core, "--frame", 2, "--var", "first.f[2].b",
                         "--var", "global")
        self.assertEqual([one["value"] for one in told["variables"]], ["-16", "7"])
        self.json(program, "--core", core, "--var", "nobody", status=1)
        self.json(program, "--core", core)

    def test_refusals(self):
        program = build()
        core = self.core(program, LINES["twice"])
        self.expect(self.run_explain("--core", core, "--at", 3, program), 2, "--at does not go with --core")
        self.expect(self.run_explain("--core", "/nowhere/core", program), 2, "/nowhere/core: ")
        self.expect(self.run_explain("--core", program, program), 2, "not a core file")
        self.expect(self.run_explain("--core", core, "--frame", 90, program), 2, "--frame 90")
        short = core.with_name("short")
        short.write_bytes(core.read_bytes()[:3000])
        result = self.run_explain("--core", short, program)
        self.assertIn(result.returncode, (0, 2), result.stderr)


def key_of(fact):
    return fact["path"], fact["scope"], fact["decl"]["line"]


def said_of(fact):
    return tuple(fact[name] for name in ("state", "value", "message", "shadowed", "declared"))


class TraceVariables(e2e.TestCase):
    """xstep trace --vars, --frames, --regs."""

    def trace(self, *words, program=None):
        return e2e.stops(self.expect(e2e.xstep("trace", "--sample", "all", "--format", "json",
                                               *words, program or build())))

    def test_the_first_stop_is_full_and_later_ones_tell_changes(self):
        stops = self.trace("--vars", "locals")
        first = {fact["path"] for fact in stops[0]["vars"]}
        self.assertLessEqual({"argc", "argv", "p", "total", "first.tag", "gone"}, first)
        self.assertNotIn("global", first)
        last = {}
        for stop in stops:
            for fact in stop["vars"]:
                self.assertEqual(list(fact)[:7], ["path", "var", "decl", "scope", "frame",
                                                  "shadowed", "declared"])
                key = fact["path"], fact["scope"], fact["decl"]["line"]
                now = {k: fact[k] for k in ("state", "value", "frame", "shadowed", "declared")}
                self.assertNotEqual(last.get(key), now, f"told twice: {key} at {stop['stop']}")
                last[key] = now
        totals = [fact["value"] for stop in stops for fact in stop["vars"]
                  if fact["path"] == "total" and fact["state"] == "value"]
        self.assertEqual(totals[-1], "6")
        self.assertIn("2", totals)

    def test_the_changes_add_up_to_what_is_there(self):
        """Variables that did not change are not looked at again: nothing may be missed."""
        for compiler, level in BUILDS:
            program = e2e.compile("vars_change.c", compiler, ("-g", level))
            stops = self.trace("--vars", "all", program=program)
            state, hits = {}, {}
            for stop in stops:
                for fact in stop["vars"]:
                    state.pop(key_of(fact), None)
                    if fact["state"] != "absent":
                        state[key_of(fact)] = fact
                hits[stop["pc"]] = hits.get(stop["pc"], 0) + 1
                if stop["stop"] % 43:
                    continue
                result = self.expect(e2e.xstep("explain", "--format", "json", "--at", stop["pc"],
                                               "--hit", hits[stop["pc"]], program))
                there = {key_of(leaf): said_of(leaf)
                         for leaf in json.loads(result.stdout)["variables"]}
                # explain tells of one frame; trace of all that share the function at the pc.
                scopes = {scope for _, scope, _ in there}
                told = {key: said_of(fact) for key, fact in state.items() if key[1] in scopes}
                with self.subTest(f"{compiler} {level} stop {stop['stop']}"):
                    self.assertEqual(set(told.items()) ^ set(there.items()), set())

    def test_what_is_listed_no_more_is_absent(self):
        stops = self.trace("--vars", "locals")
        inside = next(i for i, stop in enumerate(stops) if stop["function"] == "twice")
        gone = {fact["path"] for fact in stops[inside]["vars"] if fact["state"] == "absent"}
        self.assertLessEqual({"argc", "total"}, gone)
        there = {fact["path"] for fact in stops[inside]["vars"] if fact["state"] != "absent"}
        self.assertEqual(there, {"x", "y"})
        back = next(i for i in range(inside, len(stops)) if stops[i]["function"] == "main")
        states = {fact["path"]: fact["state"] for fact in stops[back]["vars"]}
        self.assertEqual((states["x"], states["total"]), ("absent", "value"))

    @everywhere
    def test_globals_too(self, level, program):
        stops = self.trace("--vars", "all", "--max-leaves", 4,
                           program=program)
        first = {fact["path"]: fact for fact in stops[0]["vars"]}
        self.assertEqual(first["global"]["value"], "7")
        self.assertEqual(first["big[0]"]["value"], "1")
        self.assertEqual(first["big"]["state"], "cut")
        later = [fact for stop in stops[1:] for fact in stop["vars"]
                 if fact["var"] in ("global", "big") and fact["state"] != "absent"]
        self.assertEqual([fact for fact in later if not fact["shadowed"]], [])

    @everywhere
    def test_frames(self, level, program):
        stops = self.trace("--frames", "--vars", "locals", program=program)
        inside = [stop for stop in stops if stop["line"] == LINES["plus"]]
        names = [[frame["function"] for frame in stop["frames"][:3]] for stop in inside]
        self.assertIn(["plus", "outer", "main"], names)
        frames = inside[-1]["frames"]
        self.assertEqual(list(frames[0]), ["function", "file", "line", "column",
                                           "inlined"])
        self.assertTrue(frames[0]["inlined"])
        # The variables of main are still there: nothing is absent in a callee.
        first = next(stop for stop in stops if stop["function"] == "twice")
        self.assertNotIn("argc", {fact["path"] for fact in first["vars"]
                                  if fact["state"] == "absent"})

    def test_registers(self):
        stops = self.trace("--regs")
        self.assertEqual(len(stops[0]["regs"]), 17)
        for stop in stops[1:]:
            self.assertIn("rip", stop["regs"])
            self.assertLess(len(stop["regs"]), 17)

    def test_text(self):
        result = self.expect(e2e.xstep("trace", "--sample", "all", "--vars", "locals", "--frames",
                                       "--regs", build()))
        lines = result.stdout.splitlines()
        self.assertRegex(lines[0], r"  \| argc = .* rip=0x\w+$")
        self.assertTrue(any(re.search(r"< outer < main.*\| .*sum = 41", line) for line in lines))
        self.assertFalse(any(line != line.rstrip() for line in lines))
        plain = self.expect(e2e.xstep("trace", "--sample", "none", build())).stdout.splitlines()
        self.assertEqual(len(plain), len(lines))

    def test_same_twice(self):
        words = ("trace", "--vars", "all", "--frames", "--regs", "--format", "json", build())
        first = self.expect(e2e.xstep(*words))
        self.assertEqual(first.stdout, self.expect(e2e.xstep(*words)).stdout)


if __name__ == "__main__":
    e2e.main()
