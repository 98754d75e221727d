"""in_gdb_guality.py - runs inside gdb: what gdb prints where a guality test looks; see guality.py.

XSTEP_JOB names a JSON file: program, environment, elf_entry (link-time), output, and one of
  places: [{place, tests: [[expression, expected], ...]}]: each is a run of its own, `break PLACE` and
      `run`; an expression `type:X` asks for the type of X;
  check: the symbol of guality.h's function. All its calls are stopped at, each says itself what is to be
      looked at in its caller, and with which result;
  link_places and names: at each of these link-time addresses all of these variables (see gdb_tests.py).

Written: a list of {place, pc, hit, function, reason, tests: [{expression, wanted, told, ...}]}. wanted and
told are [state, number, text], and with names [..., leaves]; a state is value, optimized-out, error.
"""
import json
import os

import gdb

MOST_CHECKS = 40
MOST_LEAVES = 200

job = json.load(open(os.environ["XSTEP_JOB"]))
for command in ("set pagination off", "set confirm off", "set startup-with-shell off",
                "set auto-load off", "set debuginfod enabled off", "set style enabled off",
                "set width 0", "set breakpoint pending off", "unset environment",
                # Without a shell a redirection would be a word of the program's.
                "set print thread-events off", "set print inferior-events off"):
    gdb.execute(command, to_string=True)
for name, value in job["environment"].items():
    gdb.execute(f"set environment {name}={value}")
gdb.execute(f"file {job['program']}", to_string=True)


def number_of(value):
    """The number that a value stands for, or None: addresses and characters are numbers, too."""
    kind = value.type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_FLT:
        return float(value)
    if kind.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION, gdb.TYPE_CODE_ARRAY, gdb.TYPE_CODE_FUNC,
                     gdb.TYPE_CODE_COMPLEX):
        return None
    return int(value)


def leaves_of(value):
    """The numbers of a value's leaves, in order: `gone` for what is optimised out, a text for what fails."""
    kind = value.type.strip_typedefs()
    try:
        if kind.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
            return [leaf for field in kind.fields() if hasattr(field, "bitpos")
                    for leaf in leaves_of(value[field])]
        if kind.code == gdb.TYPE_CODE_ARRAY:
            low, high = kind.range()
            return [leaf for i in range(low, min(high, low + MOST_LEAVES) + 1) for leaf in leaves_of(value[i])]
        if value.is_optimized_out:
            return ["gone"]
        return [number_of(value)]
    except gdb.error as error:
        return ["gone" if "optimized out" in str(error) else str(error)]


def shown(text):
    """What `print` says, without the number of the value."""
    head, mark, rest = text.partition(" = ")
    return (rest if mark and head.startswith("$") else text).strip()


def told(expression):
    """[state, number, text] of an expression, as `print` shows it."""
    try:
        text = shown(gdb.execute(f"print {expression}", to_string=True))
        value = gdb.parse_and_eval(expression)
        if value.type.code == gdb.TYPE_CODE_FUNC:
            return ["error", None, f"a function: {text}"]
        leaves = leaves_of(value) if "names" in job else []
        if value.is_optimized_out or "<optimized out>" in text:
            return ["optimized-out", None, text, leaves]
        return ["value", number_of(value), text, leaves]
    except gdb.error as error:
        return ["optimized-out" if "optimized out" in str(error) else "error", None, str(error)]


def type_told(name):
    try:
        text = gdb.execute(f"ptype {name}", to_string=True)
    except gdb.error as error:
        return ["error", None, str(error)]
    return ["value", None, " ".join(text.replace("type = ", "", 1).split())]


def test_told(expression, expected):
    if expression.startswith("type:"):
        return {"expression": expression, "wanted": ["value", None, expected],
                "told": type_told(expression[5:])}
    return {"expression": expression, "wanted": told(expected), "told": told(expression)}


def where():
    """Of the selected frame, which may be a caller's: its own pc, and its function."""
    frame = gdb.selected_frame()
    return {"pc": int(gdb.newest_frame().pc()), "function": frame.name(), "bias": bias()}


def bias():
    """How far the program is from where it was linked to be."""
    for line in gdb.execute("info auxv", to_string=True).splitlines():
        if "AT_ENTRY" in line:
            return int(line.split()[-1], 16) - job["elf_entry"]
    return 0


def running():
    return gdb.selected_inferior().pid != 0


def kill():
    if running():
        gdb.execute("kill", to_string=True)


def at_link_places(pcs, names):
    """What is there at each address that the program comes to, in one run."""
    gdb.execute("starti", to_string=True)
    for pc in pcs:
        gdb.execute(f"tbreak *{pc + bias():#x}", to_string=True)
    gdb.execute("continue", to_string=True)
    while running():
        found = {"place": "", "hit": 1, "reason": None, **where()}
        found["tests"] = [{"expression": name, "told": told(name)} for name in names]
        yield found
        try:
            gdb.execute("continue", to_string=True)
        except gdb.error:
            kill()  # it goes no further: a frame that cannot be unwound


def at_place(place, tests):
    found = {"place": place, "hit": 1, "reason": None, "tests": []}
    gdb.execute("delete")
    try:
        gdb.execute(f"break {place}", to_string=True)
        gdb.execute("run", to_string=True)
    except gdb.error as error:
        found["reason"] = f"no stop: {str(error).split(',')[0]}"
    if not found["reason"] and not running():
        found["reason"] = "no stop: the program never comes there"
    if not found["reason"]:
        found.update(where())
        found["tests"] = [test_told(*test) for test in tests]
    kill()
    return found


def check_wanted(symbol):
    """The expression and its value: the first two parameters of the call, still in their registers. Those of
    a clone are elsewhere."""
    whole = symbol == "guality_check"
    name = gdb.parse_and_eval("(char *) $rdi" if whole else "name").string()
    return name, int(gdb.parse_and_eval("(long) $rsi" if whole else "value"))


def at_checks(symbol):
    """One entry for each call, asked in its caller."""
    gdb.execute(f"break *&'{symbol}'", to_string=True)
    gdb.execute("run --guality-skip", to_string=True)
    hit = 0
    while running() and hit < MOST_CHECKS:
        hit += 1
        found = {"place": f"check {hit}", "hit": hit, "reason": None, "tests": []}
        try:
            name, value = check_wanted(symbol)
            gdb.execute("up", to_string=True)
            found.update(where())
            found["tests"].append({"expression": name, "wanted": ["value", value, str(value)],
                                   "told": told(name)})
        except gdb.error as error:
            if "Cannot access memory at address 0x0" not in str(error):  # the call before the first
                found["reason"] = f"no expectation: {str(error).split(',')[0]}"
        if found["tests"] or found["reason"]:
            yield found
        gdb.execute("continue", to_string=True)
    kill()


if job.get("check"):
    answer = list(at_checks(job["check"]))
elif "link_places" in job:
    answer = list(at_link_places(job["link_places"], job["names"]))
else:
    answer = [at_place(one["place"], one["tests"]) for one in job["places"]]
with open(job["output"], "w") as output:
    json.dump(answer, output)
gdb.execute("quit")
