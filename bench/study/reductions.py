#!/usr/bin/python3
"""reductions.py - findings of a campaign, reduced unattended: how small they become, and what that costs.

    bench/study/reductions.py FOLDER [--seeds N-M] [--torture FOLDER] [--tests N] [--findings N] [--minutes M]
                              [--jobs N] [--at-a-time N] [--reducer PATH] [--campaign-only | --as-it-is | --table]

In FOLDER a campaign of csmith's programs is made, and one of gcc's torture tests if their folder is named, with all
oracles. Of their findings some are taken: those that name somebody by a proof, first one of each signature, in the
smallest program, then others by another compiler, oracle or program. Each is reduced by `xstep reduce --seconds`, its
culprit and versions are looked for by `xstep culprit --versions`, and the result is built and asked about from scratch,
by plain commands. What is done is kept in FOLDER, and the same command goes on from there. --as-it-is takes campaigns
that are not done for done. --table only prints what there is.

The limit is by the clock, and so is `minutes`; `processor` is what all processes of the reduction have used together.
Exit status 1 if a result has lost its finding."""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

import e2e

ALL = ("--levels=-O0,-O1,-O2", "--oracles", "diff,opt,levels,avail,frames,probes,twins,ccmd")
RARE = ("--levels=-O0,-O2", "--oracles", "opt,levels,avail,frames,ccmd")  # what csmith's programs hardly show
JSON = ("--format", "json", "--quiet")
PATIENCE = 600  # seconds for one question: on a busy machine all takes longer, and means the same
CSMITH = "-I/usr/include/csmith"
FINDINGS = """
    SELECT s.text, s.oracle, j.compiler, j.level, p.id, p.origin, p.size, p.flags, f.wrong, f.basis
    FROM finding f JOIN job j ON j.id = f.job JOIN program p ON p.id = j.program JOIN signature s ON s.id = f.signature
    WHERE f.wrong <> '' AND s.oracle <> 'build' AND (f.basis IN ('replayed', 'evidence') OR f.basis IS NULL)
    GROUP BY s.id, j.id ORDER BY p.size, p.rank, j.compiler, j.level"""
Finding = collections.namedtuple(
    "Finding", "signature oracle compiler level program origin size flags wrong basis source")


# --- the campaign ----------------------------------------------------------------------------------------------------

def campaign(folder, words):
    """Begins one, or goes on with it."""
    options = [] if folder.exists() else [*words, "--compilers", f"{e2e.GCC},{e2e.CLANG}", "--max-steps", "300000"]
    result = subprocess.run([e2e.XSTEP, "campaign", "run", str(folder), *options, "--timeout", "120", "--quiet"],
                            stdout=subprocess.DEVNULL, check=False)
    if result.returncode not in (0, 1):
        sys.exit(f"{folder}: the campaign failed")


def torture(tests, folder, count):
    """Some of gcc's tests, evenly spread, in a folder that says that they are to be run."""
    sources = folder / "execute"
    if not sources.exists():
        sources.mkdir(parents=True)
        every = sorted(pathlib.Path(tests).glob("*.c"))
        for path in every[::max(1, len(every) // count)][:count]:
            shutil.copy(path, sources)
    return sources


def findings(folder):
    """All of a campaign that can be looked into."""
    if not (folder / "campaign.db").exists():
        return []
    store = sqlite3.connect(f"file:{folder}/campaign.db?mode=ro", uri=True)
    more, = store.execute("SELECT value FROM option WHERE name = 'flags'").fetchone() or ("",)
    found = []
    for row in store.execute(FINDINGS):
        one = Finding(*row, source=folder / f"programs/{row[4]}.c")
        # In the signatures of ccmd flags have a part: those of the campaign are the ones to ask with.
        words = (more, one.flags, CSMITH if one.origin.startswith("seed") else "")
        found.append(one._replace(flags=" ".join(filter(None, words))))
    return found


def choose(every, count, chosen):
    """Those that are chosen already, one of each signature, then of each signature and compiler, then of other
    programs, then of other levels: the smallest first."""
    taken = set(chosen)
    for key in (lambda one: one.signature, lambda one: (one.signature, one.compiler),
                lambda one: (one.signature, one.compiler, one.program),
                lambda one: (one.signature, one.compiler, one.program, one.level)):
        seen = {key(one) for one in chosen}
        for one in every:
            if len(chosen) < count and one not in taken and key(one) not in seen:
                seen.add(key(one))
                taken.add(one)
                chosen.append(one)
    return chosen


# --- one finding -----------------------------------------------------------------------------------------------------

def run(folder, name, *words):
    """Its output, exit status, minutes by the clock, and seconds of processor time."""
    began = time.monotonic()
    with open(folder / f"{name}.out", "wb") as out, open(folder / f"{name}.err", "wb") as err:
        process = subprocess.Popen([e2e.XSTEP, *map(str, words)], stdout=out, stderr=err, cwd=folder,
                                   stdin=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return {"status": process.returncode, "minutes": (time.monotonic() - began) / 60,
            "processor": used.ru_utime + used.ru_stime}


def words_of(one, source):
    return ("--source", source, "--compiler", one.compiler, f"--level={one.level}", f"--flags={one.flags}", "--oracle",
            one.oracle, "--signature", one.signature)


def is_there(one, small):
    """Whether plain builds of a source have the finding, in a folder of their own."""
    with tempfile.TemporaryDirectory() as folder:
        source = shutil.copy(small, folder)
        flags = one.flags.split()
        for level, name in (("-O0", "plain"), (one.level, "program")):
            subprocess.run([one.compiler, "-g", "-w", *level.split(), *flags, "-o", f"{folder}/{name}", source, "-lm"],
                           check=True, stderr=subprocess.DEVNULL, cwd="/")
        asked = {"diff": ("diff", *JSON, f"{folder}/program"),
                 "opt": ("check", "opt", *JSON, f"{folder}/plain", f"{folder}/program"),
                 "avail": ("check", "avail", *JSON, "--source", source, f"{folder}/program"),
                 "twins": ("check", "twins", *JSON, "--compiler", one.compiler, "--flags",
                           " ".join(["-g", one.level, "-w", *flags]), "--libs", "-lm", "--source", source),
                 "ccmd": ("ccmd", *JSON, "--compiler", one.compiler, "--levels", one.level, source)}.get(
                     one.oracle, ("check", one.oracle, *JSON, f"{folder}/program"))
        told = subprocess.run([e2e.XSTEP, *asked], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=False, cwd=folder).stdout
    return one.signature.encode() in told


def reduce(one, folder, options):
    """Reduces a finding, unless that is done, and looks whether it is there again."""
    folder.mkdir(parents=True, exist_ok=True)
    done = folder / "result.json"
    if done.exists():
        return
    small = folder / "small.c"
    result = {"finding": one._asdict() | {"source": str(one.source)}, "before": lines_of(one.source)}
    result["reduce"] = run(folder, "reduce", "reduce", *words_of(one, one.source), "-o", small, "--seconds",
                           60 * options.minutes, "--timeout", PATIENCE, "--jobs", options.jobs, "--reducer",
                           options.reducer, *JSON)
    if result["reduce"]["status"] == 0:
        told = json.loads((folder / "reduce.out").read_text())
        result |= {"after": lines_of(small), "bytes": small.stat().st_size, "cut_short": told["cut_short"],
                   "asked": told["asked"], "found": told["found"], "there": is_there(one, small)}
    done.write_text(json.dumps(result, indent=1))


def culprit(one, folder, options):
    """Looks for the cause of what was reduced, unless that is done."""
    done = folder / "culprit.json"
    if (folder / "small.c").exists() and not done.exists():
        done.write_text(json.dumps(run(folder, "culprit", "culprit", *words_of(one, folder / "small.c"), "--versions",
                                       "--timeout", PATIENCE, "--jobs", options.jobs, *JSON)))


def lines_of(path):
    return path.read_bytes().count(b"\n")


# --- the table -------------------------------------------------------------------------------------------------------

def told_culprit(folder):
    """Who is to blame, and the versions with the finding and without."""
    try:
        told = json.loads((folder / "culprit.out").read_text())
    except (OSError, ValueError):
        return "-", "-"
    ends = collections.defaultdict(list)
    for row in told["rows"]:
        if row["kind"] in ("compiler", "debugger"):
            ends[row["end"]].append(row["name"])
    names = [one["name"] for one in told["culprits"]]
    return (names[0] if names else "-",
            "; ".join(f"{end}: {', '.join(ends[end])}" for end in ("found", "gone", "unfit") if ends[end]) or "-")


def table(folder):
    rows = []
    for path in sorted(folder.glob("findings/*/result.json")):
        rows.append((path.parent, json.loads(path.read_text())))
    heads = ("signature", "oracle", "build", "lines", "reduced", "minutes", "processor", "questions", "there again",
             "culprit", "versions")
    print(f"| {' | '.join(heads)} |\n{'|---' * len(heads)}|")
    good = []
    for path, row in rows:
        one, cost = row["finding"], row["reduce"]
        first = f"| {one['signature']} | {one['oracle']} | {one['compiler']} {one['level']} | {row['before']} |"
        if cost["status"]:
            why = (path / "reduce.err").read_text().strip().splitlines()
            print(f"{first} failed: {why[-1] if why else cost['status']} | {cost['minutes']:.1f} | "
                  f"{cost['processor']:.0f} s | | | | |")
            continue
        good.append(row)
        culprit, versions = told_culprit(path)
        cut, there = ", cut short" if row["cut_short"] else "", "yes" if row["there"] else "NO"
        print(f"{first} {row['after']}{cut} | {cost['minutes']:.1f} | {cost['processor']:.0f} s | {row['asked']} | "
              f"{there} | {culprit} | {versions} |")
    if good:
        print(f"\n{len(rows)} findings of {len({row['finding']['signature'] for _, row in rows})} signatures, "
              f"{len(good)} reduced; median {statistics.median(row['after'] for row in good):.0f} lines of "
              f"{statistics.median(row['before'] for row in good):.0f}, "
              f"{statistics.median(row['reduce']['minutes'] for row in good):.1f} minutes, "
              f"{statistics.median(row['reduce']['processor'] for row in good):.0f} seconds of processor time, "
              f"{statistics.median(row['asked'] for row in good):.0f} questions; "
              f"{sum(row['there'] for row in good)} still have their finding from scratch")
    return all(row["there"] for row in good)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seeds", default="501-520")
    parser.add_argument("--torture", type=pathlib.Path)
    parser.add_argument("--tests", type=int, default=40)
    parser.add_argument("--findings", type=int, default=30)
    parser.add_argument("--minutes", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--reducer", default="none")
    parser.add_argument("--at-a-time", type=int, default=2)
    parser.add_argument("--campaign-only", action="store_true")
    parser.add_argument("--as-it-is", action="store_true", help="do not go on with the campaigns")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    folder = options.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if not options.table and not options.as_it_is:
        campaign(folder / "csmith", ["--generate", "csmith", "--seeds", options.seeds, *ALL])
        if options.torture:
            tests = torture(options.torture, folder / "sources", options.tests)
            campaign(folder / "torture", ["--sources", str(tests), *RARE])
    if not options.table and not options.campaign_only:
        kept = folder / "chosen.json"
        chosen = [Finding(**one)._replace(source=pathlib.Path(one["source"]))
                  for one in (json.loads(kept.read_text()) if kept.exists() else [])]
        every = [one for path in sorted(folder.glob("*/campaign.db")) for one in findings(path.parent)]
        chosen = choose(every, options.findings, chosen)
        kept.write_text(json.dumps([one._asdict() | {"source": str(one.source)} for one in chosen], indent=1))
        with concurrent.futures.ThreadPoolExecutor(options.at_a_time) as pool:
            jobs = [pool.submit(step, one, folder / f"findings/{number:02}", options)
                    for step in (reduce, culprit) for number, one in enumerate(chosen, 1)]
            for job in jobs:
                job.result()
    return 0 if table(folder) else 1


if __name__ == "__main__":
    sys.exit(main())
