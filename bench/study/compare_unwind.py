#!/usr/bin/python3
"""compare_unwind.py - do xstep's unwinder and libunwind agree at every stop?

Runs tool_unwinders (UNWINDERS names it) on csmith's programs (--seeds N), those of
compare_vars.py, or on the sources named. Exit status 1 if the two disagree anywhere.
"""
import argparse
import itertools
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import compare_vars
import e2e

TOOL = os.environ.get("UNWINDERS", str(pathlib.Path(e2e.XSTEP).parent / "bench/tool_unwinders"))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5, help="csmith programs (5)")
    parser.add_argument("--levels", default=",".join(compare_vars.LEVELS), help="(%(default)s)")
    parser.add_argument("--compilers", default=f"{e2e.GCC},{e2e.CLANG}", help="(%(default)s)")
    parser.add_argument("programs", nargs="*", help="C sources to compare instead")
    options = parser.parse_args()
    sources = [pathlib.Path(p).resolve() for p in options.programs] or \
        itertools.islice(compare_vars.short_sources(), options.seeds)
    totals, wrong, troubles, programs = [0, 0, 0, 0], 0, 0, 0
    for source in sources:
        for compiler, level in itertools.product(options.compilers.split(","),
                                                 options.levels.split(",")):
            program = e2e.compile(source, compiler, ("-g", "-" + level.lstrip("-"),
                                                     "-I/usr/include/csmith"))
            result = e2e.run([TOOL, program], timeout=600)
            programs += 1
            wrong += result.returncode == 1
            troubles += result.returncode not in (0, 1)
            if result.returncode:
                print(f"DIFFERENT {source} {compiler} {level}: {result.rerun}\n{result.stdout}"
                      f"{result.stderr}", flush=True)
            counts = re.findall(r"\d+(?= (?:stops|frames|of lib|disag))", result.stdout)[-4:]
            totals = [a + int(b) for a, b in zip(totals, counts)] if len(counts) == 4 else totals
    print("{} programs, {} different, {} not compared: {} stops, {} frames, {} of libunwind's by "
          "CFI, {} disagreements".format(programs, wrong, troubles, *totals))
    sys.exit(2 if troubles else 1 if wrong else 0)


if __name__ == "__main__":
    main()
