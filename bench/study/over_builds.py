"""over_builds.py - a comparison over many builds, that can be interrupted and goes on where it was left.

A comparison is a function of a program: it returns how often what was seen, and texts about what it
cannot explain. Each build's result is a line of JSON in the file of --keep.
"""
import argparse
import collections
import itertools
import json
import os
import pathlib
import subprocess
import sys

import e2e


class Trouble(Exception):
    """A program that cannot be compared."""


def parser(description, levels):
    """Options that all of them have."""
    made = argparse.ArgumentParser(description=description,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--seeds", type=int, default=2, help="csmith programs (2)")
    made.add_argument("--levels", default=levels, help="(%(default)s)")
    made.add_argument("--compilers", default=f"{e2e.GCC},{e2e.CLANG}", help="(%(default)s)")
    made.add_argument("--show", type=int, default=5, help="differences shown per program (5)")
    made.add_argument("--keep", metavar="FILE", help="keep each program's result as a line of "
                      "JSON in FILE, and take from there what is known already")
    made.add_argument("programs", nargs="*", help="C sources to compare instead")
    return made


class Kept:
    """Results, {program, counts, open, trouble}, by a key: those of the file, and those made now."""

    def __init__(self, path):
        self.known = {}
        if path and os.path.exists(path):
            with open(path) as file:
                for result in map(json.loads, file):
                    self.known[tuple(result["program"])] = result
        self.file = open(path, "a") if path else None

    def result(self, key, source, compiler, level, compare):
        if key in self.known:
            return self.known[key]
        result = {"program": key, "counts": {}, "open": [], "trouble": None}
        try:
            program = e2e.compile(source, compiler, ("-g", level, "-I/usr/include/csmith"))
            result["counts"], result["open"] = compare(program, level)
        except (Trouble, RuntimeError, subprocess.TimeoutExpired) as trouble:
            result["trouble"] = str(trouble)
        if self.file:
            print(json.dumps(result), file=self.file, flush=True)
        return result


def run(options, sources, how, compare, by_level=False, strict=True):
    """Compares each build and prints what came of it. sources() gives them if none are named; how tells
    one way of comparing from another; compare(program, level) does it. Whatever is open counts as
    different if strict. Returns the exit status."""
    kept = Kept(options.keep)
    total, wrong, programs = collections.Counter(), 0, 0
    named = [pathlib.Path(path).resolve() for path in options.programs]
    levels = ["-" + level.lstrip("-") for level in options.levels.split(",")]
    for source, compiler, level in itertools.product(
            named or list(sources()), options.compilers.split(","), levels):
        key = str(source), compiler, level, *how
        result = kept.result(key, source, compiler, level, compare)
        programs += 1
        wrong += bool(result["trouble"] or (strict and result["open"]))
        if result["trouble"]:
            print(f"TROUBLE {source} {compiler} {level}: {result['trouble']}", flush=True)
        for text in result["open"][:options.show]:
            print(f"{source.stem} {compiler} {level} {text}", flush=True)
        for name, count in result["counts"].items():
            total[name] += count
            if by_level:
                total[f"{level} {name}"] += count
    print(f"{programs} programs, {wrong} different")
    for name, count in sorted(total.items()):
        print(f"{count:10} {name}")
    return 1 if wrong else 0
