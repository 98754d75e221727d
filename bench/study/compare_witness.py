#!/usr/bin/python3
"""compare_witness.py - do the drivers of gdb and lldb walk as xstep does, and quote in its words?

Each program is traced by xstep and by the debuggers. The transitions and their counts must be equal,
and so must the sampled stops, whatever the debugger thinks of variables and lines. At those stops
every leaf of every variable is compared, and counted by what differs. With --strict each difference
must belong to a named behaviour of that debugger (NAMED). Exit status 1 if anything is left.

With --asks each debugger is compared with itself: what it says when it is asked where bytes changed
must be what it says when it is asked for everything at every stop.

Programs: csmith's (--seeds N) of at most --most instructions at -O0, or the sources named.
"""
import collections
import itertools
import json
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import compare_vars
import e2e
import over_builds

WITNESSES = ("gdb", "lldb")
# (witness, leaf, what xstep's state is, what the witness's is): a name for what it does.
NAMED = (
    ("gdb", r"v_cint", None, "error", "_Complex int is a type that gdb does not know"),
    ("gdb", r"v_packed\.d", "value", "error", "a bit-field that lies in nine bytes is refused"),
    ("gdb", r"v_decimals?\b", "error", "value", "decimal floats, which xstep does not read"),
    ("lldb", r"v_decimals?\b", "error", "value", "decimal floats, which xstep does not read"),
    ("lldb", r"v_float128", "value", "value", "_Float128 is taken for long double"),
    ("lldb", r"v_packed\.[de]", "value", "value", "a bit-field that lies in nine bytes is misread"),
    ("lldb", r"v_union\.bytes", "value", "absent", "19: an array in gcc's union is taken for empty"),
    ("lldb", r"__vla_expr\d", None, "absent", "artificial variables are not listed"),
)


def trace(program, witness, *options):
    """(stops, {(prev, pc): count}) of one witness."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "transitions"
        who = ("--witness", witness) if witness != "xstep" else ()
        result = e2e.xstep("trace", *who, "--format", "json", "--transitions", path, *options,
                           program, timeout=1200)
        if result.returncode:
            raise over_builds.Trouble(f"{result.rerun}: {result.stderr[-500:]}")
        lines = [json.loads(line) for line in path.read_text().splitlines()]
    stops = [stop for stop in e2e.stops(result) if "stop" in stop]
    return stops, {(line["prev"], line["pc"]): line["count"] for line in lines}


class State:
    """What a witness has said up to a stop: {(variable, declaration line): {path: leaf}}."""

    def __init__(self):
        self.leaves = {}

    def apply(self, facts):
        for fact in facts:
            leaves = self.leaves.setdefault((fact["var"], fact["decl"]["line"]), {})
            if fact["state"] == "absent":
                leaves.pop(fact["path"], None)
            else:
                leaves[fact["path"]] = fact["state"], fact["value"], fact.get("enumerator")


def pairs(ours, theirs):
    """Yields (path, our leaf, their leaf) of every leaf on which the two differ; None for each on
    which they agree. A state of the whole holds for every leaf."""
    for name in {**ours.leaves, **theirs.leaves}:
        mine, its = ours.leaves.get(name, {}), theirs.leaves.get(name, {})
        for path in {**mine, **its}:
            a, b = compare_vars.cover(mine, path), compare_vars.cover(its, path)
            if a is None and any(compare_vars.is_part(other, path) for other in mine):
                continue
            if b is None and any(compare_vars.is_part(other, path) for other in its):
                continue
            same = a and b and a[0] == b[0] and (a[0] != "value" or a == b)
            yield None if same else (path, a, b)


def name_of(witness, path, ours, theirs):
    """The named behaviour that a difference belongs to, or None."""
    for who, pattern, mine, its, name in NAMED:
        if who == witness.split("@")[0] and re.match(pattern, path) and mine in (None, (ours or ["absent"])[0]) \
                and its in (None, (theirs or ["absent"])[0]):
            return name
    return None


class Lengths:
    """lldb may take another length for a variable-length array than it has at the moment. What follows
    from that is explained exactly: elements up to that length are shown, and those of later rows are
    looked for where they would then be."""
    NAME = "the length of a variable-length array is not that of the moment"

    def __init__(self, ours, theirs):
        """What both say at a stop."""
        self.ours, self.theirs, self.known = ours, theirs, {}

    @staticmethod
    def indices(path):
        return tuple(map(int, re.findall(r"\[(\d+)\]", path)))

    def elements(self, state, variable):
        """{indices: leaf} of an array, and the length of its last dimension."""
        key = state is self.ours, variable
        if key in self.known:
            return self.known[key]
        found = {}
        for (name, _), leaves in state.leaves.items():
            for path, leaf in leaves.items() if name == variable else ():
                found[self.indices(path)] = leaf
        found.pop((), None)
        self.known[key] = found, max((indices[-1] + 1 for indices in found), default=0)
        return self.known[key]

    def name_of(self, path, our, their):
        match = re.match(r"(rows?)(\[|$)", path)
        if not match:
            return None
        told, right = self.elements(self.ours, match.group(1))
        _, wrong = self.elements(self.theirs, match.group(1))
        indices = self.indices(path)
        if right == wrong:
            return None
        if not indices:  # that there are more leaves than are told
            return self.NAME if our and our[0] == "cut" and their is None and wrong < right else None
        if their is None or our is None:
            shorter, longer = (wrong, right) if their is None else (right, wrong)
            return self.NAME if shorter <= indices[-1] < longer else None
        if our[0] != "value" or their[0] != "value" or len(indices) < 2:
            return None
        flat = indices[0] * wrong + indices[1]
        there = told.get((flat // right, flat % right))
        return self.NAME if there in (None, their) else None


def compare(program, witnesses, variables):
    """Returns (counts, texts of what nothing explains). Raises Trouble if the walks differ."""
    counts, opened = collections.Counter(), []
    ours, transitions = trace(program, "xstep", "--vars", variables)
    counts["stops of xstep"] = len(ours)
    counts["different transitions"] = len(transitions)
    others = {}
    for witness in witnesses:
        stops, theirs = trace(program, witness, "--vars", variables)
        if theirs != transitions:
            odd = sorted(set(theirs.items()) ^ set(transitions.items()), key=str)[:4]
            raise over_builds.Trouble(f"{witness} has other transitions: {odd}")
        counts[f"{witness}: stops told"] = len(stops)
        others[witness] = {(stop["prev"], stop["pc"], stop["n"]): stop for stop in stops}
        if list(others[witness]) != [(stop["prev"], stop["pc"], stop["n"]) for stop in ours]:
            raise over_builds.Trouble(f"{witness} has other stops")
    mine, states = State(), {witness: State() for witness in witnesses}
    seen = set()
    for stop in ours:
        mine.apply(stop.get("vars", ()))
        for witness in witnesses:
            told = others[witness][stop["prev"], stop["pc"], stop["n"]]
            states[witness].apply(told.get("vars", ()))
            counts[f"{witness}: same line"] += told["line"] == stop["line"]
            counts[f"{witness}: other line"] += told["line"] != stop["line"]
            lengths = Lengths(mine, states[witness])
            for pair in pairs(mine, states[witness]):
                if pair is None:
                    counts[f"{witness}: equal leaves"] += 1
                    continue
                name = name_of(witness, *pair)
                if not name and witness.startswith("lldb"):
                    name = lengths.name_of(*pair)
                counts[f"{witness}: {name or 'different leaves'}"] += 1
                if not name and (witness, pair[0]) not in seen:
                    seen.add((witness, pair[0]))
                    opened.append(f"{stop['pc']} line {stop['line']}: {pair[0]}: xstep {pair[1]}, "
                                  f"{witness} {pair[2]}")
    return counts, opened


def compare_asks(program, witnesses, variables):
    """The same for one witness that is asked in two ways."""
    counts, opened = collections.Counter(), []
    for witness in witnesses:
        ways = []
        for ask in ("needed", "all"):
            result = e2e.xstep("trace", "--witness", witness, "--plan", "--vars", variables, "--ask", ask,
                               "--format", "json", program, timeout=1200)
            if result.returncode:
                raise over_builds.Trouble(f"{result.rerun}: {result.stderr[-500:]}")
            ways.append(result.stdout.splitlines())
        counts[f"{witness}: stops compared"] += len(ways[0])
        odd = [pair for pair in itertools.zip_longest(*ways) if pair[0] != pair[1]]
        counts[f"{witness}: stops that differ"] += len(odd)
        if odd:
            opened.append(f"{witness}: {odd[0][0]} if asked where needed, {odd[0][1]} if asked always")
    return counts, opened


def sources(seeds, most):
    """The first short programs."""
    short = (source for source in compare_vars.short_sources()
             if int(source.with_suffix(".instructions").read_text()) <= most)
    return itertools.islice(short, seeds)


def main():
    parser = over_builds.parser(__doc__, "-O0,-O2")
    parser.add_argument("--most", type=int, default=100000, help="instructions at -O0 (100000)")
    parser.add_argument("--witnesses", default="gdb,lldb",
                        help="each as xstep trace --witness names it (%(default)s)")
    parser.add_argument("--vars", default="locals", help="none, locals or all (%(default)s)")
    parser.add_argument("--asks", action="store_true",
                        help="compare --ask needed with --ask all of each debugger")
    parser.add_argument("--strict", action="store_true", help="every difference must have a name")
    options = parser.parse_args()
    how = compare_asks if options.asks else compare
    sys.exit(over_builds.run(
        options, lambda: sources(options.seeds, options.most),
        (options.witnesses, options.vars, *["asks"] * options.asks),
        lambda program, level: how(program, options.witnesses.split(","), options.vars),
        strict=options.strict or options.asks))


if __name__ == "__main__":
    main()
