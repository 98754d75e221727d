#!/usr/bin/python3
"""compare_vars.py - are xstep's variables those of gdb?

At the first arrival on each line, every leaf of every variable in the inlined calls and the
function at the pc, and of every global: by `xstep trace --vars all` (or, with --explain, by
`xstep explain --at 0xPC`) and by gdb, which runs its own process with the same stack. Every
difference belongs to a class, for which there is evidence (see CLASSES), or is printed as OPEN.
Exit status 1 if any is.

Programs: csmith's (--seeds N) of at most 100,000 instructions at -O0, or the sources named.
"""
import argparse
import collections
import concurrent.futures
import fractions
import functools
import itertools
import json
import os
import pathlib
import re
import struct
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import compare_steps
import e2e
import subject_dies

LEVELS = ("-O0", "-Og", "-O1", "-O2", "-O3")
MOST_INSTRUCTIONS = 100000
# Most of csmith's programs spend their time on the checksum of large arrays, which tell no more
# about variables than small ones.
SMALL_ARRAYS = ("--max-array-dim", 2, "--max-array-len-per-dim", 4)
RANDOM = b"xstep fixed this"        # what xstep puts at AT_RANDOM
OTHER_RANDOM = b"another 16 bytes"  # what depends on these is not initialised by the program
OTHER_FILL = 0xa5


class Trouble(Exception):
    """A program that cannot be compared."""


# --- xstep's side ---------------------------------------------------------------------------------

class Variables:
    """What xstep said of variables, kept up to date from its changes.

    A local one belongs to a call, and that keeps its number from the outermost one while others
    come and go inside of it; `frames` is how many there are at the stop."""

    def __init__(self, dies):
        self.dies, self.frames = dies, 0
        self.entries = {}  # (scope, name, line, call) -> {path: entry}

    def key(self, entry, frames):
        scope, call = entry.get("scope"), 0
        if self.dies.is_function((scope or "").split("/")[-1]):
            call = frames - entry["frame"]
        return scope, entry["var"], line_of(entry), call

    def apply(self, entries, frames):
        before, self.frames = self.frames, frames
        for entry in entries:
            absent, path = entry["state"] == "absent", entry["path"]
            leaves = self.entries.setdefault(self.key(entry, before if absent else frames), {})
            if entry["state"] == "cut":
                pass  # stands beside the leaves that were told
            elif absent or path == entry["var"]:
                # A state of the whole takes the place of its leaves.
                for old in [old for old in leaves if is_part(old, path)]:
                    del leaves[old]
            else:
                leaves.pop(entry["var"], None)  # and leaves take that of the whole
            if not absent:
                leaves[path] = entry

    def copy(self):
        return [{**entry, "frame": self.frames - call} if call else entry
                for (_, _, _, call), leaves in self.entries.items() for entry in leaves.values()]


def line_of(entry):
    return (entry.get("decl") or {}).get("line") or 0


def is_part(path, whole):
    """Whether the leaf at path belongs to the object at the path `whole`."""
    return path == whole or path.startswith(whole) and path[len(whole)] in ".["


def first_arrivals(stops):
    """The stops that are the first on their (file, line), as (index, stop)."""
    seen = set()
    for i, stop in enumerate(stops):
        place = stop["file"], stop["line"]
        if stop["line"] and place not in seen:
            seen.add(place)
            yield i, stop


def xstep_trace(program, dies, limit):
    """[(stop, entries)] at first arrivals, by one trace. The first arrival on a line is that of a
    transition; a program that never ends has shown all of them long before the time is up."""
    result = e2e.xstep("trace", "--mode", "unique", "--vars", "all", "--format", "json", "--limit",
                       limit, "--timeout", 20, program, env=compare_steps.ENVIRONMENT, timeout=600)
    if result.returncode:
        raise Trouble(f"{result.rerun}: {result.stderr[-500:]}")
    stops = e2e.stops(result)
    wanted = dict(first_arrivals(stops))
    variables, told = Variables(dies), []
    for i, stop in enumerate(stops):
        variables.apply(stop.get("vars") or (), dies.inlined_at(int(stop["pc"], 16)) + 1)
        if i in wanted:
            told.append((stop, variables.copy()))
    return told


def xstep_explain(program, dies, limit):
    """The same by one run of explain for each."""
    result = e2e.xstep("trace", "--sample", "none", "--format", "json", "--limit", limit, program,
                       env=compare_steps.ENVIRONMENT, timeout=600)
    told = []
    for _, stop in first_arrivals(e2e.stops(result)):
        result = e2e.xstep("explain", "--at", stop["pc"], "--format", "json", program,
                           env=compare_steps.ENVIRONMENT)
        if result.returncode:
            raise Trouble(f"{result.rerun}: {result.stderr[-500:]}")
        told.append((stop, json.loads(result.stdout)["variables"]))
    return told


# --- gdb's side -----------------------------------------------------------------------------------

def gdb_vars(program, stops, random=RANDOM, fill=0, all_of_them=True):
    """{pc: [symbol]}: what gdb says at each of the stops, which it must all come to; or at those that it
    comes to."""
    header = e2e.run(["readelf", "-h", program]).stdout
    symbols = e2e.run(["nm", program]).stdout
    with tempfile.TemporaryDirectory() as folder:
        job = {"program": str(program), "environment": compare_steps.ENVIRONMENT,
               "random": random.hex(), "fill": fill, "output": f"{folder}/gdb.json",
               "stops": [[int(stop["pc"], 16), 1] for stop in stops],
               "elf_entry": int(re.search(r"Entry point address: +(0x\w+)", header).group(1), 16),
               "entry": int(re.search(r"^(\w+) [Tt] main$", symbols, re.M).group(1), 16)}
        pathlib.Path(f"{folder}/job.json").write_text(json.dumps(job))
        result = e2e.run(["gdb", "-nx", "-nh", "-q", "-batch", "-iex", "set auto-load off", "-x",
                          e2e.HERE / "in_gdb_vars.py"],
                         env={**os.environ, "XSTEP_JOB": f"{folder}/job.json"}, timeout=1800)
        if not os.path.exists(job["output"]):
            raise Trouble(f"gdb did not finish: {result.stderr[-500:]}")
        told = json.load(open(job["output"]))
    missed = {stop for stop, _ in job["stops"]} - {stop["pc"] for stop in told["stops"]}
    if missed and all_of_them:
        raise Trouble(f"gdb never came to {', '.join(map(hex, sorted(missed)))}")
    return {stop["pc"]: [told["symbols"][i] for i in stop["symbols"]] for stop in told["stops"]}


# --- the same thing under two names ---------------------------------------------------------------

def same_float(text, data):
    """Whether xstep's text of a float reads back to these bytes (float, double, x87)."""
    if "nan" in text or "inf" in text:
        value = float(text)  # of the same kind and sign; payloads are not compared
        exponent = {4: 0x7f80, 8: 0x7ff0, 10: 0x7fff}.get(len(data), 0)
        top = int.from_bytes(data[-2:], "little")
        return top & exponent == exponent and (value != value or (value < 0) == bool(top >> 15))
    if len(data) in (4, 8):
        value = float.fromhex(text) if "0x" in text else float(text)
        return struct.pack("<f" if len(data) == 4 else "<d", value) == data
    if len(data) != 10:
        return False
    mantissa, top = int.from_bytes(data[:8], "little"), int.from_bytes(data[8:], "little")
    unit = fractions.Fraction(2) ** (max(top & 0x7fff, 1) - 16383 - 63)
    exact = mantissa * unit * (-1 if top >> 15 else 1)
    if "0x" in text:
        sign, digits, point, power = re.fullmatch(
            r"(-?)0x([0-9a-f]*)(?:\.([0-9a-f]*))?p([-+]?\d+)", text).groups()
        told = fractions.Fraction(int(digits + (point or ""), 16), 16 ** len(point or "")) \
            * fractions.Fraction(2) ** int(power) * (-1 if sign else 1)
    else:
        told = fractions.Fraction(text)
    return abs(told - exact) * 2 < unit


def same_text(ours, theirs):
    if ours == theirs:
        return True
    try:
        return theirs.startswith("bits:") and same_float(ours, bytes.fromhex(theirs[5:]))
    except (ValueError, AttributeError, OverflowError):
        return False  # not the text of a float


def in_function(entry, function):
    """Whether xstep's scope is that function; a global has none."""
    return not function or (entry.get("scope") or "").split("/")[-1] == function


def pair(entries, symbols, inlined):
    """Yields (symbol or None, entries of the same variable).

    The identity is name and declaration line; where that is not unique, function and order (inner
    first) as well. Entries of callers' frames are not gdb's business here: `inlined` is how many
    frames share the function at the pc."""
    variables = {}
    for entry in entries:
        if (entry.get("frame") or 0) > inlined:
            continue
        key = entry["var"], line_of(entry)
        inner = entry.get("frame") or 0, entry.get("scope") or ""
        variables.setdefault(key, {}).setdefault(inner, []).append(entry)
    for symbol in symbols:
        scopes = variables.get((symbol["name"], symbol["line"]), {})
        found = None
        if len(scopes) == 1:
            found = next(iter(scopes))
        else:
            fitting = [scope for scope, list_ in scopes.items()
                       if in_function(list_[0], symbol["function"])]
            # Of nested ones gdb's inner comes first: the innermost frame, there the longest path.
            found = min(fitting, key=lambda s: (s[0], -len(s[1])), default=None)
        yield symbol, scopes.pop(found) if found in scopes else []
    for scopes in variables.values():
        for left in scopes.values():
            yield None, left


Case = collections.namedtuple(
    "Case", "program dies stop name line nth listed path ours theirs again")
# ours is (state, text, type, message), theirs (state, text, ...); gdb lists `listed` symbols of
# that name and line, of which this is the nth; again is what another run of gdb says of it.


def differences(program, dies, stop, entries, symbols):
    """Yields every leaf on which the two are not of one mind."""
    pc = int(stop["pc"], 16)
    listed = collections.Counter((symbol["name"], symbol["line"]) for symbol in symbols)
    so_far = collections.Counter()
    for symbol, found in pair(entries, symbols, dies.inlined_at(pc)):
        ours = {e["path"]: (e["state"], e.get("value") or "", e.get("type") or "",
                            e.get("message") or "") for e in found}
        name = symbol["name"] if symbol else found[0]["var"]
        line = symbol["line"] if symbol else line_of(found[0])
        so_far[name, line] += symbol is not None
        case = functools.partial(Case, program, dies, stop, name, line, so_far[name, line],
                                 listed[name, line], again=None)
        if not symbol:
            yield case(name, next(iter(ours.values())), None)
            continue
        if not found:
            yield case(name, None, tuple(symbol["leaves"][0][1:]) + ("",)
                       if symbol["leaves"] else ("value", "", ""))
            continue
        theirs = {path: (state, text, "") for path, state, text in symbol["leaves"]}
        for path in {**ours, **theirs}:
            a, b = cover(ours, path), cover(theirs, path)
            if a is None and any(is_part(other, path) for other in ours):
                continue  # the whole, whose leaves are compared
            if b is None and any(is_part(other, path) for other in theirs):
                continue
            if a and b and a[0] == b[0] and (a[0] != "value" or same_text(a[1], b[1])):
                yield None
                continue
            yield case(path, a, b)


def cover(leaves, path):
    """The leaf at path, or the state of a whole that it is a part of."""
    if path in leaves:
        return leaves[path]
    for whole, leaf in leaves.items():
        if leaf[0] != "value" and is_part(path, whole):
            return leaf
    return None


# --- what a difference is -------------------------------------------------------------------------
# Each says whether it can show that a case belongs to it. The first that does gets it.

def block_without_code(case):
    """gdb gives the variables of a block without pc attributes to the block around it; DWARF 5,
    2.17 says that such a DIE has no code."""
    return case.ours is None and \
        any(die.without_code() for die in case.dies.of(case.name, case.line))


def origin_half_way(case):
    """gdb follows origins to their end and takes an abstract DIE half way (a partly inlined
    function has such) for one that nothing stands for: it adds a variable without a place. Shown by
    gdb listing more variables than DIEs are in scope (see dwarf_origin.S), one of which has an
    origin that has one."""
    return case.ours is None and case.theirs[0] == "optimized-out" and case.listed > \
        case.dies.in_scope(case.name, case.line, int(case.stop["pc"], 16)) and \
        any(len(list(die.origins())) > 1 for die in case.dies.of(case.name, case.line))


def empty_first_entry(case):
    """At a function's first pc gdb takes the first entry of a location list though it is empty; the
    one that applies may be another, or none."""
    pc = int(case.stop["pc"], 16)
    return case.theirs and case.ours and case.dies.is_entry(pc) and any(
            die.locations and die.locations[0][0] == die.locations[0][1]
            for die in case.dies.of(case.name, case.line))


def wide_integer(case):
    """gdb has no integers wider than 64 bits in an expression."""
    return case.theirs and case.theirs[0] == "error" and case.ours and case.ours[0] != "error" and \
        any(die.converts_wide() for die in case.dies.of(case.name, case.line))


def beyond_pieces(case):
    """Whether the leaf lies behind the last piece of a location that is shorter than the object."""
    pc = int(case.stop["pc"], 16)
    return case.ours and case.ours[0] == "optimized-out" and \
        "no piece describes" in case.ours[3] and case.theirs and \
        any(0 < die.pieces(pc) < die.size() for die in case.dies.of(case.name, case.line))


def synthetic_value(case):
    """gdb says `<synthetic pointer>` of what no piece describes, be it a pointer or not."""
    return beyond_pieces(case) and case.theirs[1] == "implicit"


def is_abstract_fact(case):
    """Whether gdb tells no more than an abstract instance does: nothing, or a constant."""
    return case.ours is None and (case.theirs[0] == "optimized-out" or any(
        "DW_AT_const_value" in die.attributes for die in case.dies.of(case.name, case.line)
        if not list(die.origins())))


def omitted_block(case):
    """gdb gives what is in a block of the abstract instance that the concrete one omits to the
    function; DWARF 5, 3.3.8.2 (1): what is omitted would have had no attributes, so no code."""
    pc = int(case.stop["pc"], 16)
    return is_abstract_fact(case) and \
        any(not instance.has_block(block)
            for die in case.dies.of(case.name, case.line) for block in die.blocks_around()
            for instance in case.dies.instances_at(pc, block.function()))


def listed_twice(case):
    """gdb looks for the concrete instances of an abstract function's (or block's) children among
    the children of its concrete one only; where a block lies between, the abstract ones are listed too,
    without a location."""
    pc = int(case.stop["pc"], 16)
    return is_abstract_fact(case) and \
        any(instance.has_deeper(child)
            for die in case.dies.of(case.name, case.line) for child in (die, *die.blocks_around())
            for instance in case.dies.instances_at(pc, die.parent.function()))


def bits_beyond_pieces(case):
    """gdb shows bits behind the last piece, which DWARF 5, 2.6.1.2 says nothing of, as 0: a bit-field
    as 0, a leaf that is half described (clang's piece for one member of a union) as its lower half."""
    pc = int(case.stop["pc"], 16)
    if not beyond_pieces(case) or case.theirs[0] != "value" or not case.theirs[1].isdigit():
        return False
    return any(int(case.theirs[1]) < 1 << 8 * die.pieces(pc)
               for die in case.dies.of(case.name, case.line) if die.pieces(pc) < die.size())


def cut(case):
    """xstep tells at most 4096 leaves of a variable, and says so; gdb's side likewise."""
    return case.ours and case.ours[0] == "cut" or case.theirs and \
        int((re.findall(r"\[(\d+)\]", case.path) or ["0"])[0]) >= 4096


def tail_call(case):
    """gdb guesses through tail calls where xstep says that the caller is ambiguous."""
    return case.ours and case.ours[0] != "value" and "tail" in case.ours[3] and \
        any(die.uses("entry_value") for die in case.dies.of(case.name, case.line))


def static_of_block(case):
    """A static of a block: gdb lists it with its function's own block or with the unit, which is
    where it is, xstep where it was declared."""
    dies = case.dies.of(case.name, case.line)
    return (case.ours is None or case.theirs is None) and dies and \
        all(die.is_static() and die.in_block() for die in dies)


def declared_only(case):
    """A declaration of what another object defines, such as stdout: gdb looks the ELF symbol up. The DWARF has
    no place for it."""
    dies = case.dies.of(case.name, case.line)
    return case.ours is None and dies and all("DW_AT_declaration" in die.attributes for die in dies)


def outside_of_units(case):
    """Code that has lines but is in no function of the DWARF: gdb lists nothing there, xstep what is global in
    the unit of the lines."""
    return case.theirs is None and not case.dies.functions(int(case.stop["pc"], 16))


def uninitialised(case):
    """gdb itself says something else when AT_RANDOM and the unused stack hold other bytes: not a
    program's value."""
    return case.again is not None and case.theirs is not None and \
        case.again[0] == case.theirs[0] == "value" and case.again != case.theirs[:2]


CLASSES = (
    ("gdb: variable of a block without code shown", block_without_code),
    ("gdb: variable of an omitted block shown", omitted_block),
    ("gdb: variable of an inner block shown in the outer too", listed_twice),
    ("gdb: abstract variable of an origin half way added", origin_half_way),
    ("gdb: empty first location entry taken at function entry", empty_first_entry),
    ("gdb: no integers wider than 64 bits", wide_integer),
    ("gdb: synthetic pointer behind the last piece", synthetic_value),
    ("gdb: guesses through tail calls", tail_call),
    ("gdb: bits behind the last piece shown as 0", bits_beyond_pieces),
    ("gdb: a declaration, found by its ELF symbol", declared_only),
    ("presentation: code of no function", outside_of_units),
    ("presentation: cut", cut),
    ("presentation: static of a block", static_of_block),
    ("uninitialised", uninitialised),
)


def classify(case):
    for name, shows in CLASSES:
        if shows(case):
            return name
    return "OPEN"


def text(told):
    return "not there" if told is None else " ".join(filter(None, told[:2])) or "?"


def compare(program, limit, explain):
    """Returns (counts by class, texts of what is open)."""
    dies = subject_dies.read(program)
    told = (xstep_explain if explain else xstep_trace)(program, dies, limit)
    return compare_told(program, dies, told, gdb_vars(program, [stop for stop, _ in told]))


def compare_told(program, dies, told, theirs):
    """The same for what was told already: xstep's [(stop, entries)], gdb's {pc: [symbol]}."""
    counts, cases = collections.Counter(), []
    counts["stops"] = len(told)
    for stop, entries in told:
        for case in differences(program, dies, stop, entries, theirs[int(stop["pc"], 16)]):
            if case is None:
                counts["equal leaves"] += 1
            else:
                cases.append(case)
    if any(classify(case) == "OPEN" for case in cases):
        # A second run of the same witness tells apart what the program never wrote.
        again = gdb_vars(program, [stop for stop, _ in told], OTHER_RANDOM, OTHER_FILL)
        second = {}
        for pc, symbols in again.items():
            so_far = collections.Counter()
            for symbol in symbols:
                so_far[symbol["name"], symbol["line"]] += 1
                nth = so_far[symbol["name"], symbol["line"]]
                for path, state, value in symbol["leaves"]:
                    second[pc, symbol["name"], symbol["line"], nth, path] = state, value
        cases = [case._replace(again=second.get(
            (int(case.stop["pc"], 16), case.name, case.line, case.nth, case.path)))
            for case in cases]
    opened = []
    for case in cases:
        name = classify(case)
        counts[name] += 1
        if name == "OPEN":
            opened.append(f"{case.stop['pc']} line {case.stop['line']} {case.stop['function']}: "
                          f"{case.path} (declared at {case.line}): xstep {text(case.ours)}, "
                          f"gdb {text(case.theirs)}")
    return counts, opened


def is_short(source):
    """Whether the -O0 program has few enough instructions. Counting is slow: remembered."""
    known = source.with_suffix(".instructions")
    if not known.exists():
        program = e2e.compile(source, e2e.GCC, ("-g", "-O0", "-I/usr/include/csmith"))
        result = e2e.xstep("trace", "--sample", "none", "--limit", MOST_INSTRUCTIONS + 1,
                           "--format", "json", program)
        if result.returncode:
            return False
        known.write_text(str(result.stdout.count("\n")))
    return int(known.read_text()) <= MOST_INSTRUCTIONS


def short_sources():
    """csmith's programs that are to be compared, without end."""
    some = compare_steps.csmith_sources(sys.maxsize, e2e.CACHE / "csmith_small", *SMALL_ARRAYS)
    return filter(is_short, some)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5, help="csmith programs (5)")
    parser.add_argument("--levels", default=",".join(LEVELS), help="(all of %(default)s)")
    parser.add_argument("--compilers", default=f"{e2e.GCC},{e2e.CLANG}", help="(%(default)s)")
    parser.add_argument("--limit", type=int, default=MOST_INSTRUCTIONS, help="stops (100000)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="at a time (cores)")
    parser.add_argument("--explain", action="store_true", help="ask explain, stop by stop")
    parser.add_argument("--show", type=int, default=10, help="open ones shown per program (10)")
    parser.add_argument("--keep", metavar="FILE", help="keep each program's result as a line of "
                        "JSON in FILE, and take from there what is known already")
    parser.add_argument("programs", nargs="*", help="C sources to compare instead")
    options = parser.parse_args()
    levels = ["-" + level.lstrip("-") for level in options.levels.split(",")]
    sources = [(pathlib.Path(p).resolve(), ("-I/usr/include/csmith",)) for p in options.programs]
    if not sources:
        sources = [(source, ("-I/usr/include/csmith",))
                   for source in itertools.islice(short_sources(), options.seeds)]

    known = {}
    if options.keep and os.path.exists(options.keep):
        for result in map(json.loads, open(options.keep)):
            known[tuple(result["program"])] = result
    kept = open(options.keep, "a") if options.keep else None

    def one(source, compiler, level, extra):
        result = known.get((str(source), compiler, level))
        if result:
            return source, compiler, level, result["counts"], result["open"], None
        try:
            program = e2e.compile(source, compiler, ("-g", level, *extra))
            return source, compiler, level, *compare(program, options.limit, options.explain), None
        except (Trouble, RuntimeError, OSError, ValueError) as trouble:
            return source, compiler, level, None, (), trouble

    totals, programs, troubles = collections.defaultdict(collections.Counter), 0, 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        waiting = [pool.submit(one, source, compiler, level, extra) for source, extra in sources
                   for compiler in options.compilers.split(",") for level in levels]
        for future in concurrent.futures.as_completed(waiting):
            source, compiler, level, counts, opened, trouble = future.result()
            programs += 1
            if trouble:
                troubles += 1
                print(f"TROUBLE {source} {compiler} {level}: {trouble}", flush=True)
                continue
            totals[level].update(counts)
            if kept and (str(source), compiler, level) not in known:
                print(json.dumps({"program": [str(source), compiler, level], "counts": counts,
                                  "open": opened}), file=kept, flush=True)
            for difference in opened[:options.show]:
                print(f"OPEN {source} {compiler} {level} {difference}", flush=True)
            if len(opened) > options.show:
                print(f"OPEN {source} {compiler} {level}: and {len(opened) - options.show} more")
    print(f"{len(sources)} sources, {programs} programs, {troubles} not compared")
    names = sorted({name for counts in totals.values() for name in counts})
    print(" " * 58 + "".join(f"{level:>10}" for level in levels))
    for name in names:
        print(f"{name:58}" + "".join(f"{totals[level][name]:10}" for level in levels))
    if troubles:
        sys.exit(2)
    sys.exit(1 if any(counts["OPEN"] for counts in totals.values()) else 0)


if __name__ == "__main__":
    main()
