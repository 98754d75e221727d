"""report.py - tables of the figures, and whether they are what they must be."""
import math
import statistics

MEMORY = 100e6       # bytes that xstep may take
MEMORY_LARGE = 200e6  # the same with 10^6 entries of debug information, or 10^7 bytes of code
BEYOND_STOP = 60e-6  # seconds that a state may take beyond the stop
STORING = 2          # times the cost of capturing that storing may take in all
SMALLER = 10         # times that a store is smaller than its states as text
PROBES_FACTOR, PROBES_MORE = 2, 0.3  # check probes: times the native run, and seconds more
# What is so much slower than what: (table, group or None: all of them, slower, faster, at least so many
# times).
RATIOS = (("control", "csmith", "bare PTRACE_SINGLESTEP loop", "xstep exact", 10),
          ("control", "csmith", "gdb stepi", "xstep exact", 150),
          ("counting", "loop, 10^8", "bare PTRACE_SINGLESTEP", "xstep", 1000),
          ("states", "csmith", "gdb", "xstep", 500),
          ("states", "csmith", "lldb", "xstep", 700),
          ("witness", "csmith", "gdb, plain script", "gdb", 5),
          ("witness", "csmith", "lldb, plain script", "lldb", 5),
          ("shared", None, "native, unique", "shared, unique", 10),
          ("shared", None, "native, dtd", "shared, dtd", 4),
          ("shared", None, "the paper's method", "shared, dtd", 50))
TWINS = 2  # times a trace with all variables that check twins may take
THREADS = 3  # times what a library call of one thread takes that one of many may take
COUNTING = 5  # times the native run that a run with all counts may take, the median over real programs
LACKEY = 10   # times that it is faster than valgrind's lackey, likewise
# The loop from so many instructions on, sampled and stored: flat but for ln N and for what counting costs.
# A transition of N arrivals is kept some ln N times, so ln 10 times more for each factor of ten; here at most
# KEPT_FACTOR times that, of the REPEATED ones. A run takes at most FLAT_FACTOR times one that counts, and
# beyond that at most PRICE_FACTOR times what as many kept stops cost in the run of PRICED instructions.
FLAT, PRICED, REPEATED = 10 ** 7, 10 ** 6, 12
KEPT_FACTOR, FLAT_FACTOR, PRICE_FACTOR = 2, 1.1, 1.5
BRANCHES = 2  # times the cost of a transition in the program with the fewest branches, in that with the most
FRAMES = 3  # times a trace in the same mode that a check of frames may take
CORE_SECONDS = 2  # that an executable may take; the DTD paper's took 55
JOB_SECONDS = {"unique": 0.8, "dtd": 1.2}  # that a job of diff in a campaign may take
SCALE = {"us": 1e6, "s": 1}


def number(value):
    """Three digits that mean something, or all before the point."""
    return f"{value:.0f}" if abs(value) >= 999.5 else f"{value:.3g}"


def notes_text(notes):
    return ", ".join(f"{number(value)} {key}" for key, value in notes.items())


def long_lines(table):
    """A table for each group, a row for each contestant."""
    scale, first = SCALE[table.unit], next(iter(table.figures))
    for group in sorted(table.figures[first]):
        if group.startswith("csmith ") and all(
                groups[group] == groups["csmith"] for groups in table.figures.values()):
            continue  # all there is
        yield f"\n{table.title}, {group}, {table.unit} {table.counted}"
        yield (f"  {'':30}{'median':>11}{'min':>11}{'max':>11}{'x ' + first:>16}{'MB':>8}"
               f"{'counted':>12}")
        for name, groups in table.figures.items():
            row = groups[group]
            ratio = row["median"] / table.figures[first][group]["median"]
            yield (f"  {name:30}{row['median'] * scale:11.2f}{row['min'] * scale:11.2f}"
                   f"{row['max'] * scale:11.2f}{ratio:16.2f}{row['memory'] / 1e6:8.0f}"
                   f"{row['count']:12}  {notes_text(row['notes'])}").rstrip()


def wide_lines(table):
    """One table, a row for each group: median (min - max) of each contestant, and its ratio."""
    scale, first = SCALE[table.unit], next(iter(table.figures))
    yield f"\n{table.title}, {table.unit} {table.counted}: median (min - max)"
    head = ["", first, *(word for name in table.figures if name != first for word in (name, "x " + first)),
            "xstep MB", ""]
    rows = [head, *(wide_row(table, group, scale) for group in table.figures[first])]
    if table.overall:
        rows.append(["median", "", *(word for name in table.figures if name != first
                                     for word in ("", number(median_ratio(table, name, first)))), "", ""])
    widths = [max(map(len, column)) for column in zip(*rows)]
    for name, *cells, notes in rows:
        yield "  ".join([f"  {name:{widths[0]}}", *(f"{cell:>{width}}" for cell, width in
                                                    zip(cells, widths[1:])), notes]).rstrip()


def wide_row(table, group, scale):
    """The cells of a group: its name, time and ratio of each contestant, memory, notes."""
    cells, notes, memory, base = [group], {}, 0, None
    for name, groups in table.figures.items():
        row = groups.get(group)
        cells.append("{} ({} - {})".format(*(number(row[key] * scale) for key in ("median", "min", "max")))
                     if row else "-")
        if base:
            cells.append(number(row["median"] / base) if row else "-")
        base = base or row["median"]
        if row and name.startswith("xstep"):
            memory = max(memory, row["memory"])
            notes.update(row["notes"])
    return [*cells, f"{memory / 1e6:.0f}", notes_text(notes)]


def median_ratio(table, slower, faster):
    """How many times as long the one takes as the other: the median over the groups that both have."""
    one, other = table.figures[slower], table.figures[faster]
    return statistics.median(one[group]["median"] / other[group]["median"] for group in other if group in one)


def lines(table):
    return wide_lines(table) if table.wide else long_lines(table)


def verdict(what, value, relation, bound, unit):
    holds = value >= bound if relation == "at least" else value <= bound
    return {"what": what, "value": value, "relation": relation, "bound": bound, "unit": unit,
            "holds": holds}


def judge_real(table):
    yield verdict("real: xstep exact with all counts against native, the median program",
                  median_ratio(table, "xstep exact, counts", "native"), "at most", COUNTING, "times the time")
    yield verdict("real: xstep exact with all counts against valgrind's lackey, the median program",
                  median_ratio(table, "valgrind lackey", "xstep exact, counts"), "at least", LACKEY,
                  "times as fast")


def judge_counting(table):
    """A code cache must be worth its while on every csmith program."""
    cached, blocks = (table.figures[name] for name in ("xstep", "xstep, block by block"))
    ratio, worst = min((blocks[group]["median"] / cached[group]["median"], group) for group in blocks)
    yield verdict(f"counting: xstep against block by block, {worst}, the worst", ratio, "at least", 1,
                  "times as fast")


def judge_rounds(table):
    """That a store of a long run costs what counting costs, and what the kept stops cost."""
    counts, stored = (table.figures[f"xstep exact, {what}"] for what in ("counts", "stored"))
    kept = {int(group): row["notes"]["kept"] for group, row in stored.items()}
    priced = str(PRICED)
    price = (stored[priced]["median"] - counts[priced]["median"]) / kept[PRICED]
    longer = sorted(length for length in kept if length >= FLAT)
    more = max((kept[b] - kept[a]) / math.log10(b / a) for a, b in zip(longer, longer[1:]))
    yield verdict(f"rounds: kept stops beyond 10^{math.log10(FLAT):.0f} instructions", more, "at most",
                  KEPT_FACTOR * math.log(10) * REPEATED, "more for ten times the instructions")
    for length in longer:
        counted = counts[str(length)]["median"]
        yield verdict(f"rounds: stored, 10^{math.log10(length):.0f} instructions, counted in {counted:.3f} s",
                      stored[str(length)]["median"], "at most",
                      FLAT_FACTOR * counted + PRICE_FACTOR * price * kept[length], "s")


def judge_branches(table):
    """That a transition costs the same, whether there are few of them or many."""
    for what, counted in (("counts", "transitions"), ("stored", "kept")):
        rows = table.figures[f"xstep exact, {what}"]
        few, many = (rows[group]["median"] / rows[group]["notes"][counted]
                     for group in sorted(rows, key=int)[::len(rows) - 1])
        yield verdict(f"branches: xstep exact, {what}, one of {counted}", many / few, "at most", BRANCHES,
                      "times as long in the largest program")


def judge_code(table):
    yield verdict("code: xstep, the most memory", max(
        row["memory"] for name, rows in table.figures.items() if name.startswith("xstep")
        for row in rows.values()) / 1e6, "at most", MEMORY_LARGE / 1e6, "MB")


JUDGES = {"counting": judge_counting, "rounds": judge_rounds, "branches": judge_branches, "code": judge_code,
          "real": judge_real}


def judge(tables):
    """What must hold of these tables, {name: Table}: a verdict for each."""
    found = []
    for name, group, slower, faster, least in RATIOS:
        if name in tables:
            figures = tables[name].figures
            groups = [group] if group else list(figures[faster])
            ratio = (sum(figures[slower][each]["median"] for each in groups)
                     / sum(figures[faster][each]["median"] for each in groups))
            found.append(verdict(f"{name}: {faster} against {slower}", ratio, "at least", least,
                                 "times as fast"))
    if "shared" in tables:
        for way in ("shared, unique", "shared, dtd"):
            rows = tables["shared"].figures[way].values()
            found.append(verdict(f"shared: {way}", sum(row["median"] for row in rows) / len(rows), "at most",
                                 CORE_SECONDS, "core-seconds an executable"))
    if "campaign" in tables:
        for sample, most in JOB_SECONDS.items():
            rows = tables["campaign"].figures[f"kept, {sample}"].values()
            found.append(verdict(f"campaign: kept, {sample}", sum(row["median"] for row in rows) / len(rows),
                                 "at most", most, "core-seconds an executable"))
    if "threads" in tables:
        alone, among = (tables["threads"].figures[f"xstep exact, {who}"] for who in
                        ("one thread", "all threads"))
        for group in alone:
            found.append(verdict(f"threads: a call of one of {group}",
                                 among[group]["median"] / alone[group]["median"], "at most", THREADS,
                                 "times that of one thread"))
    if "frames" in tables:
        trace, check = (tables["frames"].figures[name]["csmith"]["median"]
                        for name in ("xstep trace", "xstep check frames"))
        found.append(verdict("frames: xstep check frames", check / trace, "at most", FRAMES,
                             "times a trace in the same mode"))
    if "twins" in tables:
        one, both = (tables["twins"].figures[name]["csmith"]["median"]
                     for name in ("xstep trace", "xstep check twins"))
        found.append(verdict("twins: against a trace with all variables", both / one, "at most", TWINS,
                             "times the time"))
    if "states" in tables:
        beyond = tables["states"].figures["xstep, beyond the stop"]["csmith"]["median"]
        found.append(verdict("states: xstep, beyond the stop", beyond * 1e6, "at most",
                             BEYOND_STOP * 1e6, "us a state"))
    if "store" in tables:
        captured, stored = (tables["store"].figures[name] for name in
                            ("xstep, captured", "xstep, stored"))
        found.append(verdict("store: stored against captured",
                             stored["csmith"]["median"] / captured["csmith"]["median"], "at most",
                             STORING, "times the time"))
        notes = stored["csmith -O0"]["notes"]
        found.append(verdict("store: a state as text against a stored one, -O0",
                             notes["bytes whole"] / notes["bytes"], "at least", SMALLER,
                             "times the size"))
    for name, its in JUDGES.items():
        if name in tables:
            found += its(tables[name])
    if "probes" in tables:
        native, checked = (tables["probes"].figures[name] for name in ("native", "xstep check probes"))
        for group in native:
            most = PROBES_FACTOR * native[group]["median"] + PROBES_MORE
            found.append(verdict(f"probes: {group}, {native[group]['median']:.3f} s natively",
                                 checked[group]["median"], "at most", most, "s"))
    if "large" in tables and "10^6" in tables["large"].figures["xstep, one variable"]:
        mine, peer = (tables["large"].figures[f"{who}, one variable"]["10^6"] for who in ("xstep", "gdb"))
        found.append(verdict("large: xstep against gdb, one variable of 10^6 entries",
                             peer["median"] / mine["median"], "at least", 1, "times as fast"))
        found.append(verdict("large: xstep, one variable of 10^6 entries", mine["memory"] / 1e6, "at most",
                             MEMORY_LARGE / 1e6, "MB"))
    memory = [(row["memory"], f"{table.name}, {name}, {group}") for table in tables.values()
              if table.name not in ("large", "code") for name, groups in table.figures.items()
              if name.startswith("xstep") for group, row in groups.items()]
    if memory:
        most, where = max(memory)
        found.append(verdict(f"memory: {where}, the most", most / 1e6, "at most", MEMORY / 1e6, "MB"))
    return found


def verdict_line(found):
    return (f"{'holds ' if found['holds'] else 'MISSED'} {found['what']}: {number(found['value'])} "
            f"{found['unit']}; {found['relation']} {number(found['bound'])}")
