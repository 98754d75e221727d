"""report.py - tables of the figures, and whether they are what they must be."""
MEMORY = 100e6       # bytes that xstep may take
MEMORY_LARGE = 200e6  # the same where it explains one variable of a program with 10^6 entries
BEYOND_STOP = 60e-6  # seconds that a state may take beyond the stop
STORING = 2          # times the cost of capturing that storing may take in all
SMALLER = 10         # times that a store is smaller than its states as text
LONGEST = "1000000000"  # rounds of the longest loop, where these hold:
NATIVE_FACTOR, NATIVE_MORE = 1.1, 0.3
# What is so much slower than what: (table, group or None: all of them, slower, faster, at least so many
# times).
RATIOS = (("control", "csmith", "bare PTRACE_SINGLESTEP loop", "xstep exact", 10),
          ("control", "csmith", "gdb stepi", "xstep exact", 150),
          ("states", "csmith", "gdb", "xstep", 500),
          ("states", "csmith", "lldb", "xstep", 700),
          ("witness", "csmith", "gdb, plain script", "gdb", 5),
          ("witness", "csmith", "lldb, plain script", "lldb", 5),
          ("shared", None, "native, unique", "shared, unique", 10),
          ("shared", None, "native, dtd", "shared, dtd", 4),
          ("shared", None, "the paper's method", "shared, dtd", 50))
THREADS = 3  # times what a library call of one thread takes that one of many may take
CORE_SECONDS = 2  # that an executable may take; the DTD paper's took 55
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
    yield f"  {'':10}" + "".join(f"{name:>26}" + (f"{'x ' + first:>10}" if name != first else "")
                                for name in table.figures) + f"{'xstep MB':>10}"
    for group, base in table.figures[first].items():
        line, memory, notes = f"  {group:10}", 0, {}
        for name, groups in table.figures.items():
            row = groups.get(group)
            shown = row and "{} ({} - {})".format(
                *(number(row[key] * scale) for key in ("median", "min", "max")))
            line += f"{shown or '-':>26}"
            if name != first:
                line += f"{number(row['median'] / base['median']) if row else '-':>10}"
            if row and name.startswith("xstep"):
                memory = max(memory, row["memory"])
                notes = notes or row["notes"]
        yield f"{line}{memory / 1e6:10.0f}  {notes_text(notes)}".rstrip()


def lines(table):
    return wide_lines(table) if table.wide else long_lines(table)


def verdict(what, value, relation, bound, unit):
    holds = value >= bound if relation == "at least" else value <= bound
    return {"what": what, "value": value, "relation": relation, "bound": bound, "unit": unit,
            "holds": holds}


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
    if "threads" in tables:
        alone, among = (tables["threads"].figures[f"xstep exact, {who}"] for who in
                        ("one thread", "all threads"))
        for group in alone:
            found.append(verdict(f"threads: a call of one of {group}",
                                 among[group]["median"] / alone[group]["median"], "at most", THREADS,
                                 "times that of one thread"))
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
    if "rounds" in tables:
        native, unique = (tables["rounds"].figures[name][LONGEST]["median"]
                          for name in ("native", "xstep unique"))
        found.append(verdict(f"rounds: xstep unique, {LONGEST} of them in {native:.3f} s natively",
                             unique, "at most", NATIVE_FACTOR * native + NATIVE_MORE, "s"))
    if "large" in tables and "10^6" in tables["large"].figures["xstep, one variable"]:
        mine, peer = (tables["large"].figures[f"{who}, one variable"]["10^6"] for who in ("xstep", "gdb"))
        found.append(verdict("large: xstep against gdb, one variable of 10^6 entries",
                             peer["median"] / mine["median"], "at least", 1, "times as fast"))
        found.append(verdict("large: xstep, one variable of 10^6 entries", mine["memory"] / 1e6, "at most",
                             MEMORY_LARGE / 1e6, "MB"))
    memory = [row["memory"] for table in tables.values() if table.name != "large"
              for name, groups in table.figures.items() if name.startswith("xstep") for row in groups.values()]
    if memory:
        found.append(verdict("memory: xstep, the most", max(memory) / 1e6, "at most", MEMORY / 1e6,
                             "MB"))
    return found


def verdict_line(found):
    return (f"{'holds ' if found['holds'] else 'MISSED'} {found['what']}: {number(found['value'])} "
            f"{found['unit']}; {found['relation']} {number(found['bound'])}")
