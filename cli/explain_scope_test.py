#!/usr/bin/python3
"""explain_scope_test.py - which variables names mean: in functions inside of functions, and where a block
declares what is elsewhere. What the subjects print themselves is the truth.
"""
import json
import pathlib
import re
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e

NESTED = e2e.subject("scope_nested.c")
EXTERN = e2e.subject("scope_extern.c")


def lines(source):
    """{name: line} of the marks /* @name */."""
    return {name: number for number, text in enumerate(source.read_text().splitlines(), 1)
            for name in re.findall(r"/\* @(\w+) \*/", text)}


def printed(program, first):
    """What the program prints in lines that begin with a name: [{name: value}]."""
    return [dict(re.findall(r"(\w+)=(-?\d+)", line)) for line in e2e.run([program]).stdout.splitlines()
            if line.startswith(first + "=")]


class Scope(e2e.TestCase):
    def explain(self, program, line, hit, *names):
        words = [word for name in names for word in ("--var", name)]
        result = e2e.xstep("explain", "--stdout", "/dev/null", "--at", line, "--hit", hit, *words,
                           "--format", "json", program)
        return json.loads(self.expect(result, 0).stdout)["variables"]

    def meant(self, program, line, hit, names):
        """What names mean there: {name: value or None}; and how many have no value, with a reason."""
        told = {one["path"]: one for one in self.explain(program, line, hit, *names)}
        for one in told.values():
            if one["state"] != "value":
                self.assertTrue(one["message"], one)
        return {name: told[name]["value"] for name in names}


class Nested(Scope):
    def check(self, level, place, first, complete):
        program = e2e.compile(NESTED, e2e.GCC, ("-g", level))
        expected = printed(program, first)
        self.assertTrue(expected)
        for hit, truth in enumerate(expected, 1):
            with self.subTest(f"{level} {place} {hit}"):
                told = self.meant(program, lines(NESTED)[place], hit, truth)
                known = {name: value for name, value in told.items() if value is not None}
                self.assertEqual(known, {name: truth[name] for name in known})
                for name in complete:
                    self.assertIn(name, known)

    @e2e.smoke
    def test_two_levels_and_recursion(self):
        self.check("-O0", "inner", "k", ("k", "own", "m", "mid", "depth", "seed", "total", "mark", "calls"))

    def test_the_same_optimised(self):
        """The link of `middle` is in a register that its call did not save: what is around that is
        unknown, and not guessed. What is static needs no call."""
        self.check("-O2", "inner", "k", ("k", "own", "mid", "calls"))

    def test_the_call_around_is_not_the_nearest(self):
        for level in ("-O0", "-O1", "-O2"):
            self.check(level, "tell", "n", ("mine", "depth") if level == "-O0" else ("mine",))

    def test_around_is_an_inlined_call(self):
        for level in ("-O0", "-O2"):
            self.check(level, "far", "by", ("by", "before", "total"))

    def test_without_a_link_nothing_is_guessed(self):
        program = e2e.compile(NESTED, e2e.GCC, ("-g", "-O2"))
        one, = self.explain(program, lines(NESTED)["apart"], 1, "total")
        self.assertEqual((one["state"], one["value"], one["scope"]), ("error", None, "alone"))
        self.assertIn("apart has no DW_AT_static_link: nobody knows which call of alone is around it",
                      one["message"])

    def test_what_is_declared_below_is_not_seen(self):
        program = e2e.compile(NESTED, e2e.GCC, ("-g", "-O0"))
        names = {one["var"] for one in self.explain(program, lines(NESTED)["inner"], 1)}
        self.assertLessEqual({"own", "mid", "m", "depth", "seed"}, names)
        self.assertNotIn("got", names)

    def test_the_working(self):
        program = e2e.compile(NESTED, e2e.GCC, ("-g", "-O0"))
        result = self.expect(e2e.xstep("explain", "--stdout", "/dev/null", "--at", lines(NESTED)["tell"],
                                       "--var", "mine", program))
        self.assertRegex(result.stdout, r"static link of tell: 0x\w+, the frame base of chain")
        self.assertIn("note      of chain, the function around this one\n", result.stdout)
        result = self.expect(e2e.xstep("explain", "--stdout", "/dev/null", "--at", lines(NESTED)["inner"],
                                       program))
        self.assertIn("total = 32  (int)  [of outer around it]\n", result.stdout)
        self.assertIn("total = 1000  (int)  [hidden]\n", result.stdout)

    def test_a_trace_lists_what_is_the_functions_own(self):
        """As debuggers do: what is around belongs to another frame."""
        program = e2e.compile(NESTED, e2e.GCC, ("-g", "-O0"))
        result = self.expect(e2e.xstep("trace", "--stdout", "/dev/null", "--vars", "all", "--format", "json",
                                       program))
        inner = [stop for stop in e2e.stops(result) if stop.get("function") == "inner"]
        scopes = {(one["scope"], one["var"]) for stop in inner for one in stop.get("vars", [])
                  if one["frame"] == 0 and one["state"] != "absent"}
        self.assertIn(("inner", "own"), scopes)
        self.assertNotIn("mid", {name for _, name in scopes})

    def test_nobody_is_accused_of_listing_less(self):
        for level in ("-O0", "-O2"):
            program = e2e.compile(NESTED, e2e.GCC, ("-g", level))
            result = e2e.xstep("diff", "--stdout", "/dev/null", "--format", "json", program)
            self.assertIn(result.returncode, (0, 1), result.stderr[-500:])
            for one in json.loads(result.stdout)["discrepancies"]:
                self.assertNotIn("xstep", one["wrong"], one)
                if one.get("aspect") == "lookup":
                    self.assertEqual(one["basis"], "replayed", one)


class Extern(Scope):
    def test_the_name_means_the_global(self):
        for level in ("-O0", "-O2"):
            program = e2e.compile(EXTERN, e2e.GCC, ("-g", level))
            for place, line in lines(EXTERN).items():
                truth, = printed(program, place)
                with self.subTest(f"{level} {place}"):
                    told = self.meant(program, line, 1, [truth_name(place)])
                    if level == "-O0" or told[truth_name(place)] is not None:
                        self.assertEqual(told[truth_name(place)], truth[place])


def truth_name(place):
    """The variable that a mark is about: `i_global` prints i."""
    return place.split("_")[0]


class Unit(Scope):
    """What is optimised, and what lines tell there."""

    SOURCE = """\
volatile int sink;
int x = 100;
__attribute__((noinline)) int f(int n)
{
	sink = n; /* @early */
	int x[4] = {n, n, n, n};
	sink = x[2];
	return x[n & 3] + sink;
}
int main(void) { return f(1) != 2; }
"""

    def check(self, compiler, *flags, optimised):
        with tempfile.TemporaryDirectory() as folder:
            source, program = pathlib.Path(folder) / "unit.c", pathlib.Path(folder) / "unit"
            source.write_text(self.SOURCE)
            e2e.run([compiler, "-g", *flags, "-o", program, source])
            told = [one for one in self.explain(program, 5, 1) if one["var"] == "x"]
            hidden = next(one["shadowed"] for one in told if one["scope"] == "")
            self.assertEqual(hidden, optimised, (compiler, flags))

    def test_unoptimised(self):
        for compiler, flags in ((e2e.GCC, ("-O0",)), (e2e.GCC, ("-O0", "-gno-record-gcc-switches")),
                                (e2e.CLANG, ("-O0",)), (e2e.CLANG, ("-O0", "-fomit-frame-pointer")),
                                (e2e.CLANG, ("-O0", "-fsanitize=safe-stack"))):
            self.check(compiler, *flags, optimised=False)

    def test_optimised(self):
        """Whatever the frame is based on, and whatever the producer notes of its options."""
        for compiler, flags in ((e2e.GCC, ("-O1",)), (e2e.GCC, ("-O1", "-gno-record-gcc-switches")),
                                (e2e.CLANG, ("-O1", "-fno-omit-frame-pointer"))):
            self.check(compiler, *flags, optimised=True)


if __name__ == "__main__":
    e2e.main()
