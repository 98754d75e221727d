#!/usr/bin/python3
"""same_kept.py - are traces of gdb and lldb the same, byte for byte, with kept debuggers and with fresh ones?

    same_kept.py [--seeds N] [--first SEED] [--sample unique|dtd] [--most INSTRUCTIONS]

csmith's programs of default size, by gcc and clang at -O0 and -O2 in turn. Programs that execute more
instructions are left out. Prints each program that differs. Exit status 1 if any does.
"""
import argparse
import itertools
import sys

import e2e
import keeper

BUILDS = ((e2e.GCC, "-O0"), (e2e.CLANG, "-O2"), (e2e.GCC, "-O2"), (e2e.CLANG, "-O0"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--sample", default="unique")
    parser.add_argument("--most", type=int, default=1000000)
    options = parser.parse_args()
    owner = keeper.Keeper()
    if not owner:
        sys.exit(owner.process.stderr.read().strip())
    folder = e2e.CACHE / "csmith_default"
    folder.mkdir(parents=True, exist_ok=True)
    done = different = size = 0
    for seed in itertools.count(options.first):
        if done == options.seeds:
            break
        source = folder / f"csmith_{seed}.c"
        if not source.exists():
            source.write_text(e2e.run(["csmith", "--seed", seed], cwd=folder).stdout)
        compiler, level = BUILDS[seed % len(BUILDS)]
        program = e2e.compile(source, compiler, ("-g", level, "-I/usr/include/csmith"))
        trial = e2e.xstep("trace", "--sample", "none", "--format", "none", "--stdout", "/dev/null", "--limit",
                          options.most, "--timeout", 20, program)
        if trial.returncode or "main returned" not in trial.stderr:
            continue
        fresh = owner.trace(program, "--sample", options.sample, kept=False)
        again = owner.trace(program, "--sample", options.sample)
        done, size = done + 1, size + len(fresh[0])
        if fresh[:2] != again[:2] or again[2] != ["gdb", "lldb"]:
            different += 1
            print(f"seed {seed}, {compiler} {level}: exit status {fresh[1]} and {again[1]}, lent: {again[2]}")
            print(e2e.difference(fresh[0], again[0]), flush=True)
    owner.close()
    print(f"{done} programs, {size} bytes of traces, {different} different")
    sys.exit(bool(different))


if __name__ == "__main__":
    main()
