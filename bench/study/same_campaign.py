#!/usr/bin/python3
"""same_campaign.py - a campaign has the same findings, with the same ids, however it is done.

    same_campaign.py [--parts NAME,...] [--sources FOLDER] [--programs N] [--kills N] [--shards N] [--seed N]
                     [--keep FOLDER] [-- OPTION...]

The same programs several times: by one worker (one); by two (two); by two that are killed (SIGKILL) at random moments
and continued (killed); as shards, two of which are killed and done again (shards); as shards by a Slurm of its own, two
of which are requeued while they run (slurm, which needs root, and is not done unless --parts names it). The programs
are csmith's, or the first of a folder of sources. OPTIONs are of xstep campaign run. Prints how long each took, and
whether findings and results are the same as by one worker; exit status 1 if they are not.
"""
import argparse
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

import e2e

sys.path.insert(0, str(e2e.TOP / "cli"))
import slurm_test

TABLES = ("totals", "left_out", "programs", "builds", "oracles", "results", "failed", "figures", "signatures")
DEFAULT = ["--compilers", "gcc-12,clang-15", "--levels=-O2", "--oracles", "diff,frames"]


class Campaigns:
    def __init__(self, folder, words, rng):
        self.folder, self.words, self.rng = folder, words, rng

    def start(self, *words):
        return subprocess.Popen([str(e2e.XSTEP), "campaign", *map(str, words)], cwd=self.folder, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=e2e.leave_nothing)

    def end(self, *words, good=(0, 1)):
        process = self.start(*words)
        out, err = process.communicate()
        if process.returncode not in good:
            sys.exit(f"{' '.join(process.args)}: status {process.returncode}: {err}")
        return out

    def kill(self, events, *words):
        """Kills it a moment after so many events. True if it was not done before."""
        process = self.start(*words, "--format", "json")
        for _ in range(events):
            if not process.stdout.readline():
                break
        time.sleep(self.rng.random())
        process.kill()
        process.communicate()
        return process.returncode < 0

    def run_killed(self, name, kills, jobs):
        """The kills are spread over all that there is to do."""
        done = 0
        for _ in range(kills):
            done += self.kill(self.rng.randrange(max(1, 2 * jobs // (kills + 1))), "run", name, *self.words)
        self.end("run", name, *self.words)
        return done

    def run_shards(self, name, count):
        self.end("run", name, *self.words, "--shards", str(count))
        missing = self.end("shard", name, "--missing").split()
        for number in self.rng.sample(missing, 2):
            self.kill(self.rng.randrange(1, 6), "shard", name, number)
        self.end("shard", name, *self.end("shard", name, "--missing").split())
        self.end("merge", name)
        return len(missing)

    def run_slurm(self, name, count):
        """Two tasks are requeued a moment after they began to run."""
        (self.folder / "cluster").mkdir()
        cluster = slurm_test.Cluster(self.folder / "cluster", count + 1)
        reason = cluster.begin()
        if reason:
            sys.exit(reason)
        chosen = set(self.rng.sample(range(1, count + 1), 2))
        told = json.loads(self.end("run", name, *self.words, "--slurm", "--shards", str(count), "--format", "json"))
        array, requeued = told["arrays"][0], 0
        while cluster.queue():
            for task, state in (line.split()[:2] for line in cluster.queue()):
                number = task.removeprefix(f"{array}_")
                if state == "R" and number.isdigit() and int(number) in chosen:
                    time.sleep(10 * self.rng.random())
                    requeued += not e2e.run(["scontrol", "requeue", task]).returncode
                    chosen.remove(int(number))
            time.sleep(1)
        left = self.end("shard", name, "--missing").split()
        cluster.end()
        if left:
            sys.exit(f"shards {', '.join(left)} were not done: see {self.folder / name}/logs")
        return told["shards"], requeued

    def results(self, name):
        """What was found, and what each job came to."""
        found = json.loads(self.end("findings", name, "--format", "json"))
        tables = json.loads(self.end("export", name))
        text = json.dumps([found, without_seconds({key: tables[key] for key in TABLES})], indent=1, sort_keys=True)
        return re.sub(r'"[^"]*/programs/', '"programs/', text)  # wherever that is


def without_seconds(value):
    if isinstance(value, dict):
        return {key: without_seconds(one) for key, one in value.items() if key != "seconds"}
    return list(map(without_seconds, value)) if isinstance(value, list) else value


def processor_seconds():
    """Of all that was run, and has ended."""
    used = os.times()
    return used.children_user + used.children_system


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parts", default="one,two,killed,shards")
    parser.add_argument("--sources", type=pathlib.Path)
    parser.add_argument("--programs", type=int, default=40)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--shards", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("options", nargs="*")
    options = parser.parse_args()
    parts = options.parts.split(",")
    if "slurm" in parts and not os.environ.get(slurm_test.INSIDE):
        slurm_test.enter()
    with tempfile.TemporaryDirectory() as scratch:
        folder = (options.keep or pathlib.Path(scratch)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        if options.sources:
            sources = folder / "sources/execute"
            sources.mkdir(parents=True)
            for path in sorted(options.sources.rglob("*.c"))[:options.programs]:
                shutil.copy(path, sources)
            programs = ["--sources", folder / "sources"]
        else:
            programs = ["--generate", "csmith", "--seeds", f"1-{options.programs}"]
        campaigns = Campaigns(folder, [*programs, *(options.options or DEFAULT)], random.Random(options.seed))
        texts = {}

        def timed(name, what, work):
            began, before = time.monotonic(), processor_seconds()
            told = work()
            print(f"{name:8} {time.monotonic() - began:6.0f} s, {processor_seconds() - before:6.0f} s of processor "
                  f"time: {what.format(told)}", flush=True)
            texts[name] = campaigns.results(name)

        timed("one", "one worker", lambda: campaigns.end("run", "one", *campaigns.words, "--jobs", "1"))
        jobs = sum(one["jobs"] for one in json.loads(campaigns.end("status", "one", "--format", "json"))["oracles"])
        for name, what, work in (
                ("two", "two workers", lambda: campaigns.end("run", "two", *campaigns.words, "--jobs", "2")),
                ("killed", "two workers, killed {} times", lambda: campaigns.run_killed("killed", options.kills, jobs)),
                ("shards", "{} shards, two of them killed", lambda: campaigns.run_shards("shards", options.shards)),
                ("slurm", "Slurm: (shards, requeued) {}", lambda: campaigns.run_slurm("slurm", options.shards))):
            if name in parts:
                timed(name, what, work)
        found = json.loads(texts["one"])[0]["signatures"]
        print(f"{jobs} jobs, {sum(one['count'] for one in found)} findings of {len(found)} signatures")
        different = [name for name, text in texts.items() if text != texts["one"]]
        for name in different:
            print(f"{name} differs:\n{e2e.difference(texts['one'], texts[name])}")
        print("the same findings with the same ids" if not different else "not the same")
        sys.exit(bool(different))


if __name__ == "__main__":
    main()
