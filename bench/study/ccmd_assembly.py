#!/usr/bin/python3
"""ccmd_assembly.py - is every change of the machine code seen by xstep ccmd, and called by its name?

Compiles C programs to assembly (testdata/ccmd/*.c and small ones of csmith; gcc and clang, many options),
changes one thing in it (a register, a number, the order of two instructions, a nop, a byte of data, an
addend, a target, an alignment, ...) and has xstep compare the two objects: the "compiler" is a script that
assembles what was there with -g0, and what was changed otherwise. With --shift what was changed has one
more function with data in front, so that nothing is where it was. Printed: by change, how many there were
and as what they were told; then each that was missed, or told as something that it cannot be.

A change is left out if the assembler refuses it or makes the same object of both.
"""
import argparse
import collections
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import e2e

BUILDS = [(compiler, flags) for compiler in (e2e.GCC, e2e.CLANG) for flags in (
    "-O0", "-O1 -fno-pic -fcommon", "-O2", "-O2 -fPIC", "-O3 -ffunction-sections -fdata-sections",
    "-O2 -m32 -fno-pic", "-O1 -m32 -fPIC", "-Os -mcmodel=large -fno-pic")]
SMALL = ("--max-funcs", "3", "--max-block-depth", "2", "--max-block-size", "3", "--max-expr-complexity", "5")
PAD = """	.text
	.type	pad_code, @function
pad_code:
	leal	pad_number, %eax
	movl	$pad_text, %ecx
	nop
	ret
	.size	pad_code, .-pad_code
	.data
	.type	pad_number, @object
	.size	pad_number, 4
pad_number:
	.long	99
	.section	.rodata
	.type	pad_table, @object
	.size	pad_table, 12
pad_table:
	.long	7, 8, 9
	.section	.rodata.str1.1,"aMS",@progbits,1
pad_text:
	.string	"padding"
	.local	pad_room
	.comm	pad_room,24,8
	.text
"""

FAMILIES = [f"{a} {b} {c} {d}".split() for a, b, c, d in (
    ("rax", "eax", "ax", "al"), ("rcx", "ecx", "cx", "cl"), ("rdx", "edx", "dx", "dl"),
    ("rbx", "ebx", "bx", "bl"), ("rsi", "esi", "si", "sil"), ("rdi", "edi", "di", "dil"),
    *((f"r{n}", f"r{n}d", f"r{n}w", f"r{n}b") for n in range(8, 16)))]
PLACE = {name: (row, column) for row, names in enumerate(FAMILIES) for column, name in enumerate(names)}
OPERATIONS = {"add": "sub", "sub": "add", "and": "or", "or": "xor", "xor": "and", "shl": "sar", "sar": "shr",
              "mov": "add", "cmp": "test", "inc": "dec", "neg": "not", "cmov": "cmov", "set": "set"}
CONDITIONS = "e ne l le g ge a ae b be s ns".split()


class Program:
    """Assembly, line by line, and what the lines are."""

    def __init__(self, text):
        self.lines = text.splitlines()
        self.section, self.kinds, stack = ".text", [], []
        self.sections = []
        for line in self.lines:
            bare = line.strip()
            word = bare.split()[0] if bare else ""
            if word in (".text", ".data", ".bss"):
                self.section = word
            elif word == ".section":
                self.section = bare.split(None, 1)[1].split(",")[0].strip('"')
            elif word == ".pushsection":
                stack.append(self.section)
                self.section = bare.split(None, 1)[1].split(",")[0]
            elif word == ".popsection":
                self.section = stack.pop()
            self.sections.append(self.section)
        self.code = [i for i, line in enumerate(self.lines)
                     if re.match(r"\t[a-z]", line) and self.sections[i].startswith((".text", ".init"))
                     and not line.strip().startswith(("lock", "rep", ".", "data16", "rex"))]
        self.data = [i for i, line in enumerate(self.lines)
                     if re.match(r"\t\.(byte|value|short|long|quad|ascii|asciz|string|zero|comm)\b", line)
                     and not self.sections[i].startswith((".text", ".note", ".comment", ".debug"))
                     and not self.sections[i].startswith((".llvm", ".gcc", ".eh"))]
        self.directives = [i for i, line in enumerate(self.lines) if re.match(r"\t\.", line)]
        self.functions = {}
        name = None
        for i, line in enumerate(self.lines):
            found = re.match(r"([A-Za-z_][\w.]*):", line)
            name = found[1] if found else name
            self.functions[i] = name


def numbers(text, pattern, change):
    """Every way to change one number that the pattern's group 1 is."""
    for found in re.finditer(pattern, text):
        yield text[:found.start(1)] + change(found[1]) + text[found.end(1):]


def flip(text):
    return str(int(text, 0) ^ 1)


def pick(chance, ways):
    ways = list(ways)
    return chance.choice(ways) if ways else None


# Each change gives a line number, how many lines go, and what comes in their place; None: not here.

def nothing(_program, _chance):
    """Nothing but --shift, which is no difference."""
    return 0, 0, []


def register(program, chance):
    i = chance.choice(program.code)
    line = program.lines[i]
    found = [m for m in re.finditer(r"%(\w+)", line) if m[1] in PLACE]
    if not found or re.match(r"\t(push|pop|sh[lr]|sa[lr]|ro[lr]|r?cmpxchg|mul|div|imul|idiv)", line):
        return None
    one = chance.choice(found)
    row, column = PLACE[one[1]]
    other = chance.choice(FAMILIES[:6])[column]
    if other == one[1]:
        return None
    return i, 1, [line[:one.start(1)] + other + line[one.end(1):]]


def immediate(program, chance):
    i = chance.choice(program.code)
    new = pick(chance, numbers(program.lines[i], r"\$(-?\d+)\b", flip))
    return new and (i, 1, [new])


def displacement(program, chance):
    i = chance.choice(program.code)
    new = pick(chance, numbers(program.lines[i], r"[\t ,](-?\d+)\(%", lambda n: str(int(n) + 8)))
    return new and (i, 1, [new])


def swap(program, chance):
    i = chance.choice(program.code)
    a, b = program.lines[i], program.lines[i + 1] if i + 1 < len(program.lines) else ""
    if i + 1 not in program.code or a == b or any(
            re.match(r"\t(j|call|ret|leave|ud2|nop|xchg|jmp)", line) for line in (a, b)):
        return None
    return i, 2, [b, a]


def nop(program, chance):
    return chance.choice(program.code), 0, ["\tnop"]


def delete(program, chance):
    i = chance.choice(program.code)
    return None if re.match(r"\t(nop|ud2)", program.lines[i]) else (i, 1, [])


def repeat(program, chance):
    i = chance.choice(program.code)
    if re.match(r"\t(nop|j|ret|ud2)", program.lines[i]):
        return None
    return i, 0, [program.lines[i]]


def operation(program, chance):
    i = chance.choice(program.code)
    found = re.match(r"\t(add|sub|and|or|xor|shl|sar|mov|inc|dec|neg)([bwlq])?(\t.*)$", program.lines[i])
    if not found or found[1] not in OPERATIONS:
        return None
    return i, 1, [f"\t{OPERATIONS[found[1]]}{found[2] or ''}{found[3]}"]


def condition(program, chance):
    i = chance.choice(program.code)
    found = re.match(r"\t(j|set|cmov)(n?[elgabs]e?)(\t.*)$", program.lines[i])
    if not found:
        return None
    other = chance.choice(CONDITIONS)
    return None if other == found[2] else (i, 1, [f"\t{found[1]}{other}{found[3]}"])


def jump(program, chance):
    i = chance.choice(program.code)
    found = re.match(r"\t(j\w+)\t(\.L\w+)$", program.lines[i])
    labels = [m[1] for k, line in enumerate(program.lines) if program.functions[k] == program.functions[i]
              for m in [re.match(r"(\.L\w+):", line)] if m and k + 1 in program.code]
    if not found or len(labels) < 2:
        return None
    return i, 1, [f"\t{found[1]}\t{chance.choice(labels)}"]


def into(program, chance):
    """A jump into an instruction."""
    i = chance.choice(program.code)
    found = re.match(r"\t(j\w+)\t(\.L\w+)$", program.lines[i])
    return found and (i, 1, [program.lines[i] + chance.choice(("+1", "-1"))])


def callee(program, chance):
    i = chance.choice(program.code)
    found = re.match(r"\t(call\w*|jmp)\t([A-Za-z_][\w]*)(@PLT)?$", program.lines[i])
    return found and (i, 1, [f"\t{found[1]}\t{found[2]}_other{found[3] or ''}"])


def reference(program, chance):
    """An addend of an instruction's address."""
    i = chance.choice(program.code)
    line = program.lines[i]
    operands = line.find("\t", 1)
    if operands < 0 or re.match(r"\t(j|call)", line):
        return None
    found = [m for m in re.finditer(r"([\t ,$*])([A-Za-z_.][\w.]*)((?:@\w+)?)([+-]\d+)?(?=[(,]|$)", line)
             if m.start() >= operands]
    if not found:
        return None
    one = chance.choice(found)
    return i, 1, [f"{line[:one.end()]}+4{line[one.end():]}"]


def string(program, chance):
    i = chance.choice(program.data or [0])
    found = re.match(r'(\t\.(?:string|ascii|asciz)\t".*?)([a-z])((?<!\\\\.).*)$', program.lines[i])
    if not found or found[1].endswith("\\"):
        return None
    return i, 1, [f"{found[1]}{chr((ord(found[2]) - 96) % 26 + 97)}{found[3]}"]


def byte(program, chance):
    i = chance.choice(program.data or [0])
    line = program.lines[i].split("#")[0].rstrip()
    if not re.match(r"\t\.(byte|value|short|long|quad)\t-?(0x)?[0-9a-f]+$", line):
        return None
    return i, 1, [re.sub(r"-?(0x)?[0-9a-f]+$", lambda m: flip(m[0]), line)]


def pointer(program, chance):
    i = chance.choice(program.data or [0])
    line = program.lines[i].split("#")[0].rstrip()
    return (i, 1, [line + "+1"]) if re.match(r"\t\.(long|quad)\t[A-Za-z_.][\w.]*([+-]\d+)?$", line) else None


def table(program, chance):
    """An entry of a jump table, or of a table of labels."""
    i = chance.choice(program.data or [0])
    line = program.lines[i].split("#")[0].rstrip()
    found = re.match(r"\t\.(long|quad)\t(\.L\w+)((?:-\.L\w+)?)$", line)
    others = [m[2] for one in program.lines for m in [re.match(r"\t\.(long|quad)\t(\.L\w+)((?:-\.L\w+)?)$", one)] if m]
    if not found or found[2] == found[3][1:]:
        return None
    return i, 1, [f"\t.{found[1]}\t{chance.choice(others)}{found[3]}"]


def common(program, chance):
    i = chance.choice(program.data or [0])
    found = re.match(r"(\t\.comm\t\w+,)(\d+)(,\d+)$", program.lines[i])
    return found and (i, 1, [f"{found[1]}{int(found[2]) + 8}{found[3]}"])


def directive(program, chance, pattern, change):
    found = [i for i in program.directives if re.match(pattern, program.lines[i])]
    if not found:
        return None
    i = chance.choice(found)
    return i, 1, change(re.match(pattern, program.lines[i]))


def alignment(program, chance):
    """Of code: more, or none."""
    found = [i for i in program.directives if re.match(r"\t\.p2align", program.lines[i])
             and program.sections[i].startswith(".text")]
    if not found:
        return None
    return chance.choice(found), 1, chance.choice((["\t.p2align 6"], []))


def data_alignment(program, chance):
    found = [i for i in program.directives if re.match(r"\t\.(p2)?align", program.lines[i])
             and program.sections[i] not in (".text", ".note.gnu.property") and ".text" not in program.sections[i]]
    return (chance.choice(found), 1, ["\t.balign 64"]) if found else None


def unwind(program, chance):
    return directive(program, chance, r"(\t\.cfi_def_cfa_offset )(\d+)$", lambda m: [f"{m[1]}{int(m[2]) + 8}"])


def binding(program, chance):
    return directive(program, chance, r"\t\.(globl|weak)\t([\w.]+)", lambda m: [
        f"\t.{'weak' if m[1] == 'globl' else 'globl'}\t{m[2]}"])


def private(program, chance):
    return directive(program, chance, r"\t\.(globl|weak)\t([\w.]+)", lambda m: [])


def visibility(program, chance):
    return directive(program, chance, r"\t\.globl\t([\w.]+)", lambda m: [m[0], f"\t.hidden\t{m[1]}"])


def kind(program, chance):
    """Of a function that others can see, or that is called."""
    seen = "|".join(m[1] for line in program.lines for m in [re.match(r"\t(?:\.globl|call\w*)\t(\w+)", line)] if m)
    return directive(program, chance, rf"\t\.type\t({seen}), ?@(function|gnu_indirect_function)", lambda m: [
        f"\t.type\t{m[1]}, @{'gnu_indirect_function' if m[2] == 'function' else 'function'}"])


def size(program, chance):
    """Of what others can see."""
    seen = "|".join(m[1] for line in program.lines for m in [re.match(r"\t\.globl\t(\w+)", line)] if m)
    return directive(program, chance, rf"\t\.size\t({seen}), (\d+)", lambda m: [f"\t.size\t{m[1]}, {int(m[2]) + 4}"])


def alias(program, chance):
    return directive(program, chance, r"\t\.set\t\w+, ?\w+", lambda m: [m[0] + "+4"])


def another_alias(program, chance):
    return directive(program, chance, r"\t\.globl\t([\w.]+)",
                     lambda m: [m[0], f"\t.globl\tnew_name\n\t.set\tnew_name, {m[1]}"])


# What each may be told as. Neighbours can make one thing look like another: two instructions swapped
# into a sequence that has the same one again are an extra and a missing one, for example.
CODE = {"extra", "missing", "register", "operand", "other", "order", "layout"}
CHANGES = {
    nothing: {None},
    register: {"register", "operand", "other", "order"},
    immediate: {"operand", "other", "extra", "missing", "order"},
    displacement: {"operand", "register", "other", "extra", "missing", "order"},
    swap: CODE,
    nop: {"extra", "padding"},
    delete: CODE | {"target", "function", "data"},
    repeat: {"extra"},
    operation: {"other", "operand", "extra", "missing", "order"},
    condition: {"other"},
    jump: {"target"},
    into: {"target", "operand"},
    callee: {"operand"},
    reference: {"operand", "target", "data", "extra", "missing", "order"},
    string: {"operand", "data"},
    byte: {"data", "operand"},
    pointer: {"data", "target"},
    table: {"target", "data"},
    common: {"data"},
    alignment: {"padding", "encoding", "extra", "missing", "function"},
    data_alignment: {"padding"},
    unwind: {"unwind"},
    binding: {"symbol"},
    private: {"function", "operand", "data", "symbol"},
    visibility: {"symbol"},
    kind: {"symbol", "operand"},
    size: {"data", "symbol"},
    alias: CODE | {"symbol", "function", "data"},
    another_alias: {"symbol", "function", "operand"},
}


def assemble(text, path, bits):
    """Whether the assembler takes it."""
    return subprocess.run(["as", bits, "-o", path, "-"], input=text.encode(), stderr=subprocess.DEVNULL,
                          check=False).returncode == 0


def programs(folder, count):
    """The assembly of all programs: {path: bits}."""
    sources = sorted((e2e.TESTDATA / "ccmd").glob("[mp]*.c"))
    for seed in range(1, count + 1):
        made = e2e.run(["csmith", "--seed", seed, *SMALL], cwd=folder)
        sources.append(folder / f"csmith{seed}.c")
        sources[-1].write_text(made.stdout)
    ret = {}
    for source in sources:
        for compiler, flags in BUILDS:
            path = folder / f"{source.stem}-{compiler}{flags.replace(' ', '')}.s"
            done = e2e.run([compiler, *flags.split(), "-w", "-I/usr/include/csmith", "-S", source, "-o", path,
                            *(["-fno-addrsig"] if compiler == e2e.CLANG else [])])  # gas does not know them
            if not done.returncode:
                ret[path] = "--32" if "-m32" in flags else "--64"
    return ret


def make(folder, bases, options):
    """The changed programs: {path: (change, base, what changed)}."""
    chance = random.Random(options.seed)
    parsed = {path: Program(path.read_text()) for path in bases}
    ret, per = {}, collections.Counter()
    # Alignment and unwind tables are looked at where nothing else differs.
    names = [one for one in CHANGES if one not in ((data_alignment, unwind) if options.shift else (nothing,))
             and (not options.only or one.__name__ in options.only.split(","))]
    wanted = options.count // len(names) + 1
    old, new = folder / "old.o", folder / "new.o"
    for change in names:
        for _ in range(wanted * 20):
            if per[change] == wanted:
                break
            base = chance.choice(list(parsed))
            program = parsed[base]
            made = change(program, chance)
            if not made:
                continue
            at, gone, come = made
            lines = program.lines[:at] + come + program.lines[at + gone:]
            text = "\n".join(lines) + "\n"
            if not assemble(text, new, bases[base]) or not assemble(base.read_text(), old, bases[base]) \
                    or (old.read_bytes() == new.read_bytes() and change is not nothing):
                continue
            per[change] += 1
            path = folder / f"{change.__name__}-{per[change]}.s"
            path.write_text(f"# {base} {bases[base]}\n" + (PAD if options.shift else "") + text)
            ret[str(path)] = (change, base, f"{program.lines[at:at + gone]} -> {come}, line {at + 1}, "
                              f"in {program.functions[at]}")
    return ret


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=2800, help="changes (2800)")
    parser.add_argument("--csmith", type=int, default=3, help="programs of csmith (3)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="these changes, by commas")
    parser.add_argument("--shift", action="store_true", help="one more function in front")
    parser.add_argument("--keep", help="keep the files in this folder")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ccmd_assembly-") as held:
        folder = pathlib.Path(options.keep or held)
        folder.mkdir(parents=True, exist_ok=True)
        bases = programs(folder, options.csmith)
        changed = make(folder, bases, options)
        compiler = folder / "assembler"
        # The last word that is a source; -o is followed by the object.
        compiler.write_text("""#!/bin/sh
case "$1" in --version) echo assembler; exit ;; esac
for word; do case "$word" in *.s) source=$word ;; esac; object=$word; done
read -r _ base bits < "$source"
case " $* " in *" -g0 "*) source=$base ;; esac
exec as $bits -o "$object" "$source"
""")
        compiler.chmod(0o755)
        done = subprocess.run([e2e.XSTEP, "ccmd", "--compiler", compiler, "--levels", "-O0", "--format", "json",
                               "--quiet", *changed], stdout=subprocess.PIPE, check=False)
        told = {}
        for finding in json.loads(done.stdout)["findings"]:
            # With --shift the additional function is told, too.
            kinds = [d["kind"] for d in finding["differences"] if d["where"] not in ("pad_code", "pad_room")]
            told[finding["source"]] = kinds[0] if options.shift and kinds else \
                finding["kind"] if not options.shift else None
        table = collections.defaultdict(collections.Counter)
        odd = []
        for path, (change, base, what) in changed.items():
            seen = told.get(path)
            table[change.__name__][seen or "MISSED"] += 1
            if seen not in CHANGES[change]:
                odd.append(f"{pathlib.Path(path).name}: {seen or 'MISSED'}: {pathlib.Path(base).name}: {what}")
        print(f"{len(bases)} programs, {len(changed)} changes, {sum(c['MISSED'] for c in table.values())} missed, "
              f"{len(odd)} missed or misnamed, status {done.returncode}")
        for name, counts in table.items():
            print(f"  {name:15} {sum(counts.values()):4}  " + ", ".join(f"{k} {n}" for k, n in counts.most_common()))
        print("\n".join(odd))


if __name__ == "__main__":
    main()
