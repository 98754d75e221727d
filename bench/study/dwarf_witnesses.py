#!/usr/bin/python3
"""dwarf_witnesses.py - what gdb and lldb say of the hand-written DWARF in dwarf_*.S.

Prints for every `expect:` line (see cli/explain_dwarf_test.py) what each debugger shows, and marks
with `!` what is not the expected value. With --check: nothing is printed but lines `gdb:` and
`lldb:` of a subject that are no longer what that debugger says; exit status 1 if there are any.
Such a line is ` * gdb: STOP PATH: TEXT`, the text being all that the debugger shows of a value.
"""
import argparse
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import e2e

MARK = "@@@"
# An internal error of gdb leaves a core of gdb in the working directory: not here.
NO_CORE = ("sh", "-c", 'ulimit -c 0; exec "$@" 2>&1', "sh")


def expectations(source):
    """[(stop, frame, path, state, value)] of a subject's `expect:` lines."""
    found = []
    for words in re.findall(r"^ \* expect: (.*)$", source.read_text(), re.M):
        stop, path, state, *value = words.split(None, 3)
        stop, _, frame = stop.partition(":")
        found.append((stop, int(frame or 0), path, state, value[0] if value else ""))
    return found


def claims(source, witness):
    """{(stop, path): text} of the lines that say what a debugger shows."""
    return {(stop, path): text for stop, path, text in
            re.findall(rf"^ \* {witness}: (\S+) (\S+): (.*)$", source.read_text(), re.M)}


def build(source):
    return e2e.compile(source, e2e.GCC, ())


def run(command, **options):
    """Runs a debugger, for seconds only: some expressions make one hang."""
    try:
        return e2e.run(command, timeout=10, **options)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, -1, "", "hangs")


def last_line(text):
    return (text.strip().splitlines() or ["no answer"])[-1]


def ask_gdb(source, program, stop, frame, paths):
    """What gdb shows of each path; one by one if all together is too much for it."""
    words = ["gdb", "-nx", "-nh", "-q", "-batch", "-iex", "set auto-load off", "-ex",
             "set debuginfod enabled off", "-ex", "set width 0", "-ex", f"break *at_{stop}",
             "-ex", "run", "-ex", f"frame {frame}"]
    for path in paths:
        words += ["-ex", f"echo \\n{MARK}\\n", "-ex", f"print {path}"]
    said = run([*NO_CORE, *words, program])
    parts = said.stdout.split(MARK)[1:]
    if len(paths) == 1 and (len(parts) != 1 or "internal-error" in said.stdout):
        return ["internal error" if "internal-error" in said.stdout else last_line(said.stderr)]
    if len(parts) != len(paths) or "internal-error" in said.stdout:
        return [ask_gdb(source, program, stop, frame, [path])[0] for path in paths]
    return [" ".join(re.sub(r"^(warning: .*\n)?\$\d+ = ", "", part.strip()).split())
            for part in parts]


def ask_lldb(source, program, stop, frame, paths):
    pc = e2e.stop_pc(program, stop)
    words = ["lldb-15", "--no-lldbinit", "--batch", "-o",
             f"breakpoint set -s {program.name} -a {pc:#x}", "-o", "run",
             "-o", f"frame select {frame}"]
    for path in paths:
        words += ["-o", f"frame variable {path}"]
    said = run([*NO_CORE, *words, "-o", "kill", program])
    answers = []
    for path in paths:
        text = said.stdout.split(f"(lldb) frame variable {path}\n")[-1].split("(lldb)")[0].strip()
        text = text if f"(lldb) frame variable {path}\n" in said.stdout else "no answer"
        text = "\n".join(line for line in text.splitlines()
                         if "has an invalid location" not in line)
        answers.append(" ".join(re.sub(r"^\(.*?\) \S+ = ", "", text).split()))
    if len(paths) > 1 and answers[-1] == "no answer":  # an error ends a batch
        return [ask_lldb(source, program, stop, frame, [path])[0] for path in paths]
    return answers


def agrees(text, state, value):
    """Whether what a debugger shows can be read as the expected state and value."""
    if state == "value":
        if value == "implicit":
            return "synthetic pointer" in text
        if re.fullmatch(r"'.*'", text):  # lldb's way to show a char
            byte = text[1:-1].encode().decode("unicode_escape")
            return value in (str(ord(byte)), str(ord(byte) - 256))
        first = re.match(r"(?:\(.*?\) )?([^ ]*)", text).group(1)
        try:
            same = float(first) == float(value)
        except ValueError:
            try:
                same = int(first, 0) == int(value, 0)
            except ValueError:
                same = first == value
        return same
    if state == "optimized-out":
        return bool(re.search(r"optimized out|not available|no location|unavailable", text))
    if state == "absent":
        return bool(re.search(r"No symbol|no variable named|not find", text))
    return state == "error" and not re.match(r"-?\d|internal error|hangs", text)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="only what is no longer true")
    parser.add_argument("sources", nargs="*", help="(all of testdata/dwarf/dwarf_*.S)")
    options = parser.parse_args()
    sources = [pathlib.Path(s).resolve() for s in options.sources] or \
        sorted((e2e.TESTDATA / "dwarf").glob("dwarf_*.S"))
    wrong = 0
    for source in sources:
        program = build(source)
        for witness, ask in (("gdb", ask_gdb), ("lldb", ask_lldb)):
            told, places = claims(source, witness), {}
            for one in expectations(source):
                place = f"{one[0]}:{one[1]}" if one[1] else one[0]
                if not options.check or (place, one[2]) in told:
                    places.setdefault(one[:2], []).append((place, *one[2:]))
            for (stop, frame), wanted in places.items():
                texts = ask(source, program, stop, frame, [one[1] for one in wanted])
                for (place, path, state, value), text in zip(wanted, texts):
                    if options.check:
                        if text != told[place, path]:
                            wrong += 1
                            print(f"{source.name}: {witness}: {place} {path}: says {text!r} now")
                        continue
                    mark = " " if agrees(text, state, value) else "!"
                    print(f"{mark} {source.stem} {witness}: {place} {path}: {text}"
                          + (f"   [{state} {value}]" if mark == "!" else ""), flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
