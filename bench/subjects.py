"""subjects.py - the programs that the contestants run: csmith's, a loop, programs of N variables, branches
or bytes of code."""
import collections
import itertools
import json
import re

import compare_vars
from contestants import HERE, compare_steps, e2e

# What runs, and the group that its figures go to.
Subject = collections.namedtuple("Subject", "group name program arguments stdin",
                                 defaults=((), None))

SHORT = 20000, 60000  # instructions of a csmith program that debuggers step through
LARGE = 150  # globals of a csmith program whose states are read
ROUND, AROUND = 12, 18  # instructions of a round of loop.c, and of all that is around the rounds
PART = 50  # branches of one function in a program of branches
BRANCH = 28  # bytes of code of a branch
BRANCH_ROUNDS = 100  # times that each branch is executed
# The variables of programs() take turns: C before and after the name, and how one is changed.
KINDS = (("int ", "", "{0} += round"), ("unsigned char ", "", "{0}++"), ("double ", "", "{0} += 0.5"),
         ("long ", "[4]", "{0}[round & 3]++"), ("short ", "", "{0} ^= round"),
         ("struct pair ", "", "{0}.b -= {0}.a++"), ("int *", "", "{0} = round & 1 ? &round : 0"),
         ("float ", "", "{0} = round"))


def csmith(count, levels):
    for source in compare_steps.csmith_sources(count, e2e.CACHE / "csmith"):
        for level in levels:
            program = e2e.compile(source, e2e.GCC, ("-g", level, "-I/usr/include/csmith"))
            yield Subject(f"csmith {level}", source.stem, program)


def csmith_twins(count, levels):
    """The same programs; the argument is a build with other debug information, for contestants.twins()."""
    for source in compare_steps.csmith_sources(count, e2e.CACHE / "csmith"):
        for level in levels:
            flags = ("-g", level, "-I/usr/include/csmith")
            other = e2e.compile(source, e2e.GCC, (*flags, "-fno-var-tracking-assignments"))
            yield Subject(f"csmith {level}", source.stem, e2e.compile(source, e2e.GCC, flags), (other,))


def csmith_short(count, levels):
    """Programs that a debugger can step through to their end, at -O0 in some ten thousand steps."""
    for source in compare_vars.short_sources():
        if not SHORT[0] <= int(source.with_suffix(".instructions").read_text()) <= SHORT[1]:
            continue
        for level in levels:
            program = e2e.compile(source, e2e.GCC, ("-g", level, "-I/usr/include/csmith"))
            yield Subject(f"csmith {level}", source.stem, program)
        count -= 1
        if not count:
            return


def csmith_default(sizes):
    """Programs of csmith's default size, one for each (least, most) of instructions at -O0, each a group
    of its own. The table of its checksum alone takes 20,000: shorter ones are without."""
    for least, most in sizes:
        options = ("--no-checksum",) if most < 20000 else ()
        folder = e2e.CACHE / ("csmith_default" + "".join(options))
        folder.mkdir(parents=True, exist_ok=True)
        for seed in itertools.count(1):
            source = folder / f"csmith_{seed}.c"
            if not source.exists():
                source.write_text(e2e.run(["csmith", "--seed", seed, *options], cwd=folder).stdout)
            program = e2e.compile(source, e2e.GCC, ("-g", "-O0", "-I/usr/include/csmith"))
            trial = e2e.xstep("trace", "--sample", "none", "--format", "none", "--stdout", "/dev/null",
                              "--stats", "--limit", most + 1, "--timeout", 20, program)
            if trial.returncode or "main returned" not in trial.stderr:
                continue
            executed = json.loads(trial.stderr.splitlines()[-1])["instructions"]
            if least <= executed <= most:
                yield Subject(f"{source.stem} -O0, {executed} instructions", source.stem, program)
                break


def csmith_large(count, stops):
    """Programs with some hundred variables in scope that end by themselves, after that many stops."""
    folder = e2e.CACHE / "csmith-large"
    folder.mkdir(parents=True, exist_ok=True)
    seed = 0
    while count:
        seed += 1
        source = folder / f"large_{seed}.c"
        if not source.exists():
            source.write_text(e2e.run(["csmith", "--seed", seed], cwd=source.parent).stdout)
        if len(re.findall(r"^static .* g_\d+", source.read_text(), re.M)) < LARGE:
            continue
        program = e2e.compile(source, e2e.GCC, ("-g", "-O0", "-I/usr/include/csmith"))
        trial = e2e.xstep("trace", "--from", "func_1", "--format", "json", "-o", "/dev/null",
                          "--stdout", "/dev/null", "--limit", stops, "--timeout", 5, program)
        if "ended by --limit" in trial.stderr:
            count -= 1
            yield Subject("csmith -O0", source.stem, program)


def loop(rounds):
    return Subject(str(rounds), f"loop of {rounds} rounds",
                   e2e.compile(HERE / "loop.c", e2e.GCC, ("-g", "-O1")), (rounds,))


def loop_of(instructions):
    """The loop with as many rounds as make that many instructions, but for a few."""
    subject = loop((instructions - AROUND) // ROUND)
    return subject._replace(group=str(instructions), name=f"loop of {instructions} instructions")


def calls(threads):
    """Library calls by that many threads: 400 each."""
    return Subject(f"{threads} threads", f"calls of {threads} threads",
                   e2e.compile(HERE / "calls.c", e2e.GCC, ("-g", "-O0", "-pthread")), (threads,))


def variables_source(count):
    """C with that many variables, `round` among them, half of them global; each is changed in turn."""
    names = [f"v{i}" for i in range(count - 1)]
    kinds = [KINDS[i % len(KINDS)] for i in range(count - 1)]
    declared = [f"{before}{name}{after} = {{0}};" for name, (before, after, _) in zip(names, kinds)]
    changes = [change.format(name) + ";" for name, (_, _, change) in zip(names, kinds)]
    half = count // 2
    return "\n".join(["struct pair { int a; long b; };", *declared[:half], "int main(void)", "{",
                      "int round;", *declared[half:], "for (round = 0; round < 1000; round++) {",
                      *changes, "}", "return 0;", "}", ""])


def generated(kind, count, text):
    """A generated program of so many of a kind, at -O0."""
    folder = e2e.CACHE / kind
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / f"{kind}_{count}.c"
    source.write_text(text)
    return Subject(str(count), source.stem, e2e.compile(source, e2e.GCC, ("-g", "-O0")))


def variables(count):
    return generated("variables", count, variables_source(count))


def branches_source(count, idle=0):
    """C with that many branches, each of which is executed BRANCH_ROUNDS times and goes either way; and
    with so many others that are never executed. PART of them are a function."""
    parts = [f"static unsigned part_{part}(unsigned x)\n{{\n" + "".join(
        f"if (x >> {i % 31} & 1)\nx += {i};\nelse\nx ^= {i};\n"
        for i in range(part * PART, min((part + 1) * PART, total))) + "return x;\n}\n"
        for total in (count + idle,) for part in range(-(-total // PART))]
    executed = [f"x = part_{part}(x * 1664525 + 1013904223);\n" for part in range(count // PART)]
    never = [f"x = part_{part}(x);\n" for part in range(count // PART, len(parts))]
    return "".join([*parts, "int main(int argc, char **argv)\n{\nunsigned x = 1;\n",
                    f"for (int round = 0; round < {BRANCH_ROUNDS}; round++) {{\n", *executed, "}\n",
                    "if (argc > 1) {\n", *never, "}\nreturn !argv;\n}\n"])


def branches(count):
    return generated("branches", count, branches_source(count))


def code(size):
    """A program of some `size` bytes of code, which executes two functions of it, the same in all sizes."""
    return generated("code", size, branches_source(2 * PART, size // BRANCH - 2 * PART))
