#!/usr/bin/python3
"""mutated.py - xstep on executables with wrong bytes in their headers and debug information: it may refuse
them, and must not crash, hang or leave anything behind.

    bench/study/mutated.py [--count N] [--seed S] [--jobs N]

XSTEP says which xstep is tried, for instance build/asan/xstep. Each mutant depends on the seed and its number
only, and is kept if something is wrong with it. The machine code is left as it is: the program is executed."""
import argparse
import concurrent.futures
import functools
import os
import pathlib
import random
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile

import e2e

SECONDS = 60  # of the processor, for one command: most need a hundredth of one
MEMORY = 8 << 30  # of addresses, where no sanitizer needs more
# Words of headers that are worth another value, beside any byte.
ODD = (0, 1, 0x7f, 0x80, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 1 << 63, (1 << 64) - 1)
BUILDS = ((e2e.GCC, ("-g", "-O0")), (e2e.GCC, ("-g", "-O2")), (e2e.GCC, ("-g", "-O1", "-gdwarf-4")),
          (e2e.CLANG, ("-g", "-O1")), (e2e.CLANG, ("-g", "-O2", "-gdwarf-4")),
          (e2e.GCC, ("-g3", "-O1", "-gz")), (e2e.GCC, ("-g", "-O1", "-fdebug-types-section")))
SOURCES = ("demo.c", "diff_demo.c", "vars_change.c", "leave_callback.c")
SECTIONS = (".debug", ".eh_frame", ".symtab", ".strtab", ".shstrtab", ".note", ".dynsym", ".dynstr", ".gnu_debug")


def parts(data):
    """[(name, offset, size)] of what is changed: headers, and sections that say something about the program."""
    phoff, shoff = struct.unpack_from("<QQ", data, 32)
    phentsize, phnum, shentsize, shnum, strings = struct.unpack_from("<HHHHH", data, 54)
    found = [("ELF header", 0, 64), ("program headers", phoff, phentsize * phnum),
             ("section headers", shoff, shentsize * shnum)]
    headers = [struct.unpack_from("<IIQQQQ", data, shoff + i * shentsize) for i in range(shnum)]
    for name, kind, _, _, offset, size in headers:
        start = headers[strings][4] + name
        text = bytes(data[start:data.index(b"\0", start)]).decode()
        if kind != 8 and size and text.startswith(SECTIONS):
            found.append((text, offset, size))
    return found


def mutate(data, rng):
    """Changes up to eight places of one or two parts."""
    for name, offset, size in rng.choices(parts(data), k=rng.choice((1, 1, 2))):
        for _ in range(rng.choice((1, 1, 2, 4, 8))):
            at = offset + rng.randrange(size)
            how = rng.randrange(4)
            if how == 0:
                data[at] ^= 1 << rng.randrange(8)
            elif how == 1:
                data[at] = rng.randrange(256)
            elif how == 2:
                width = rng.choice((1, 2, 4, 8))
                word = (rng.choice(ODD) & ((1 << 8 * width) - 1)).to_bytes(width, "little")
                data[at:at + width] = word[:max(0, len(data) - at)]
            else:  # somebody else's bytes
                other = offset + rng.randrange(size)
                some = bytes(data[other:other + rng.randrange(1, 16)])
                data[at:at + len(some)] = some
    if rng.randrange(50) == 0:
        del data[rng.randrange(len(data)):]


def limit_memory():
    e2e.leave_nothing()
    if "asan" not in e2e.XSTEP:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def processes_of(folder):
    """Whoever runs a program of the folder."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(entry / "exe").startswith(f"{folder}/"):
                found.append(entry.name)
        except OSError:
            continue
    return found


def attempt(seed, number, bases, keep):
    """What is wrong with one mutant: [(kind, words)]."""
    rng = random.Random(f"{seed} {number}")
    data = bytearray(rng.choice(bases).read_bytes())
    mutate(data, rng)
    folder = pathlib.Path(tempfile.mkdtemp())
    program, temporary, wrong = folder / "mutant", folder / "tmp", []
    program.write_bytes(data)
    program.chmod(0o755)
    temporary.mkdir()
    for words in (("explain", program, "main"),
                  ("trace", "--sample", "unique", "--vars", "all", "--frames", "--limit", 300, "--timeout", 5,
                   program)):
        try:
            result = e2e.run([e2e.XSTEP, *words], SECONDS, preexec_fn=limit_memory, cwd=folder,
                             env={**os.environ, "TMPDIR": str(temporary)})
        except subprocess.TimeoutExpired:
            wrong.append(("hang", words[0]))
        else:
            if result.returncode not in (0, 1, 2) or "Sanitizer" in result.stderr or \
                    "runtime error" in result.stderr:
                wrong.append(("crash", f"{words[0]}: {result.returncode}: {result.stderr[-300:]!r}"))
        if left := processes_of(folder):
            wrong.append(("stray", f"{words[0]}: processes {left}"))
            for pid in left:
                os.kill(int(pid), signal.SIGKILL)
        if left := os.listdir(temporary):
            wrong.append(("stray", f"{words[0]}: files {left}"))
    if wrong:
        shutil.copy(program, keep / f"mutant-{seed}-{number}")
    shutil.rmtree(folder, ignore_errors=True)
    return number, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first mutant (default: 0)")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, default=e2e.TOP / "build/mutated",
                        help="where those that something is wrong with are kept")
    options = parser.parse_args()
    options.keep.mkdir(parents=True, exist_ok=True)
    bases = [e2e.compile(source, compiler, flags) for source in SOURCES for compiler, flags in BUILDS]
    counts = {"crash": 0, "hang": 0, "stray": 0}
    # Processes: what one thread forks would hold the mutant that another one writes.
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        numbers = range(options.first, options.first + options.count)
        work = functools.partial(attempt, options.seed, bases=bases, keep=options.keep)
        for done, (number, wrong) in enumerate(pool.map(work, numbers, chunksize=10), 1):
            for kind, words in wrong:
                counts[kind] += 1
                print(f"mutant {number}: {kind}: {words}", flush=True)
            if done % 500 == 0:
                print(f"{done} of {options.count}: {counts}", flush=True)
    print(f"{options.count} mutants of seed {options.seed}: " +
          ", ".join(f"{count} {kind}" for kind, count in counts.items()))
    return any(counts.values())


if __name__ == "__main__":
    sys.exit(main())
