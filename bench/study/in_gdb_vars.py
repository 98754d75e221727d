"""in_gdb_vars.py - runs inside gdb: every variable, leaf by leaf, at chosen stops of a program.

XSTEP_JOB names a JSON file: program, environment, elf_entry and entry (link-time addresses of the
ELF entry and of main), random (hex of the 16 bytes for AT_RANDOM, so that stack protectors and
pointer guards are those of xstep's process), fill (a byte for the unused stack), stops:
[[pc, n], ...] (link-time; the n-th arrival at pc since main, in order of arrival), output.

Written: {stops: [{pc, symbols: [i, ...]}], symbols: [{function, name, line, leaves}]}, where leaves
are [path, state, text] in xstep's canonical text: integers in decimal, floats as `bits:` and the
hex of their bytes, pointers in hex, `implicit` for a synthetic pointer. A symbol whose leaves did
not change since an earlier stop is there once.
"""
import json
import os

import gdb

MAX_LEAVES = 4096
SCALARS = (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_ENUM)
VARIABLE_CLASSES = {getattr(gdb, "SYMBOL_LOC_" + name) for name in (
    "CONST", "CONST_BYTES", "STATIC", "REGISTER", "ARG", "REF_ARG", "REGPARM_ADDR", "LOCAL",
    "COMPUTED", "OPTIMIZED_OUT", "UNRESOLVED")}

job = json.load(open(os.environ["XSTEP_JOB"]))
for command in ("set pagination off", "set confirm off", "set startup-with-shell off",
                "set disable-randomization on", "set auto-load off", "set debuginfod enabled off",
                "set print thread-events off", "set print inferior-events off",
                "set style enabled off", "set width 0", "unset environment",
                "handle all nostop noprint pass", "set max-value-size unlimited",
                "set print frame-arguments none", "set may-call-functions off",
                "set backtrace past-main on"):  # or main's parameters have no entry values
    try:
        gdb.execute(command, to_string=True)
    except gdb.error:
        pass  # a setting of another version
for name, value in job["environment"].items():
    gdb.execute(f"set environment {name}={value}")
gdb.execute(f"file {job['program']}", to_string=True)
gdb.execute("starti", to_string=True)  # no redirection: without a shell it would be arguments
inferior = gdb.selected_inferior()


def auxv(name):
    """One number of the auxiliary vector."""
    for line in gdb.execute("info auxv", to_string=True).splitlines():
        if name in line:
            return int(line.split()[-1], 16)
    raise gdb.GdbError(f"no {name} in the auxiliary vector")


bias = auxv("AT_ENTRY") - job["elf_entry"]
inferior.write_memory(auxv("AT_RANDOM"), bytes.fromhex(job["random"]))
# What the loader leaves in the unused stack is cleared in xstep's process, too.
gdb.Breakpoint(f"*{job['elf_entry'] + bias:#x}", temporary=True)
gdb.execute("continue", to_string=True)
sp = int(gdb.parse_and_eval("$rsp"))
for line in open(f"/proc/{inferior.pid}/maps"):
    lo, hi = (int(word, 16) for word in line.split()[0].split("-"))
    if lo < sp <= hi:
        inferior.write_memory(lo, bytes([job["fill"]]) * (sp - lo))


def scalar(value, kind):
    """State and canonical text of a leaf."""
    try:
        if value.is_optimized_out:
            return "optimized-out", ""
        if kind.code == gdb.TYPE_CODE_PTR or kind.code == gdb.TYPE_CODE_REF:
            if value.address is None and "synthetic pointer" in value.format_string(raw=True):
                return "value", "implicit"
            return "value", hex(int(value) & (1 << 64) - 1)
        if kind.code in SCALARS:
            if kind.sizeof <= 8:
                if value.address is None and "synthetic" in value.format_string(raw=True):
                    return "value", "implicit"
                return "value", str(int(value))
            return "value", value.format_string(format="d")
        if value.address is not None:
            data = bytes(inferior.read_memory(int(value.address), kind.sizeof))
        else:  # reinterpret: the only way to the bytes of what is not in memory
            byte = gdb.lookup_type("unsigned char").array(kind.sizeof - 1)
            view = value.reinterpret_cast(byte) if kind.sizeof not in (4, 8) else None
            if view is not None:
                data = bytes(int(view[i]) for i in range(kind.sizeof))
            else:
                data = int(value.format_string(format="x"), 16).to_bytes(kind.sizeof, "little")
        if kind.code == gdb.TYPE_CODE_FLT and kind.sizeof == 16 and "128" not in str(kind):
            data = data[:10]  # x87: the rest is padding
        return "value", "bits:" + data.hex()
    except gdb.error as error:
        if "optimized out" in str(error):
            return "optimized-out", ""
        if "synthetic pointer" in str(error):
            return "value", "implicit"
        return "error", str(error)


def flatten(value, path, leaves):
    """Appends the leaves of a value. What is partly gone is gone leaf by leaf."""
    if len(leaves) > MAX_LEAVES:
        return
    kind = value.type.strip_typedefs()
    try:
        if kind.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
            for field in kind.fields():
                if not hasattr(field, "bitpos"):
                    continue  # a static member
                flatten(value[field], f"{path}.{field.name}" if field.name else path, leaves)
            return
        if kind.code == gdb.TYPE_CODE_ARRAY:
            low, high = kind.range()
            for i in range(low, high + 1):
                flatten(value[i], f"{path}[{i}]", leaves)
            return
    except gdb.error as error:
        leaves.append((path, "error", str(error)))
        return
    if kind.code == gdb.TYPE_CODE_FUNC:
        return
    state, text = scalar(value, kind)
    if kind.code == gdb.TYPE_CODE_COMPLEX and state == "value":
        half = len(text[5:]) // 2
        used = 20 if "long double" in str(kind) else half  # x87: the rest is padding
        leaves.append((f"{path}.real", state, text[:5 + used]))
        leaves.append((f"{path}.imag", state, "bits:" + text[5 + half:5 + half + used]))
        return
    leaves.append((path, state, text))


def is_variable(symbol):
    """Whether a symbol is a variable or a parameter, and not an enumerator, type or function."""
    if symbol.addr_class not in VARIABLE_CLASSES or symbol.type is None:
        return False
    if symbol.type.name == "__CORE_ADDR":
        return False  # a label without an address: gdb's own type stands in
    kind = symbol.type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_ENUM and symbol.addr_class == gdb.SYMBOL_LOC_CONST:
        return symbol.name not in {field.name for field in kind.fields()}
    return kind.code != gdb.TYPE_CODE_FUNC


def frames_of_blocks(pc):
    """The frame for each function's block at pc, inner ones first.

    An entry value asked for in an inlined call's frame goes astray: each needs its own. At the
    first pc of an inlined call gdb hides its frame; the next one has to do for it."""
    levels, block = 0, gdb.block_for_pc(pc)
    while block is not None and not block.is_static:
        levels += block.function is not None
        block = block.superblock
    frames = [gdb.newest_frame()]
    while frames[-1].type() == gdb.INLINE_FRAME:
        frames.append(frames[-1].older())
    return [frames[0]] * (levels - len(frames)) + frames


def visible(pc):
    """(function, symbol, frame) of every variable that gdb has at pc, inner ones first."""
    block = gdb.block_for_pc(pc)
    frames = frames_of_blocks(pc)
    while block is not None:
        function, outer = None, block
        while outer is not None and function is None and not outer.is_static:
            function, outer = outer.function, outer.superblock
        for symbol in block:
            if is_variable(symbol):
                yield (function.name if function else ""), symbol, frames[0]
        if block.function is not None and len(frames) > 1:
            frames.pop(0)
        block = block.superblock


symbols, known = [], {}
memory = {}  # (symbol, address) -> (bytes, index): what needs no decoding again


def look(function, symbol, frame):
    """The index in `symbols` of what gdb says of one symbol now."""
    head = (function, symbol.name, symbol.line)
    try:
        value = symbol.value(frame) if symbol.needs_frame else symbol.value()
        where = value.address
        data = bytes(inferior.read_memory(int(where), value.type.sizeof)) \
            if where is not None and value.type.sizeof and not value.is_optimized_out else None
        place = (*head, int(where)) if data is not None else None
        if place and memory.get(place, (None,))[0] == data:
            return memory[place][1]
        leaves = []
        flatten(value, symbol.name, leaves)
    except gdb.error as error:
        place = None
        gone = "optimized out" in str(error)
        leaves = [(symbol.name, "optimized-out" if gone else "error", "" if gone else str(error))]
    fact = (*head, tuple(leaves))
    if fact not in known:
        known[fact] = len(symbols)
        symbols.append({"function": function, "name": symbol.name, "line": symbol.line,
                        "leaves": leaves})
    if place:
        memory[place] = data, known[fact]
    return known[fact]


ended = []
gdb.events.exited.connect(lambda event: ended.append(True))
gdb.Breakpoint(f"*{job['entry'] + bias:#x}", temporary=True)
gdb.execute("continue", to_string=True)
wanted = {}  # pc -> arrivals of interest
for pc, n in job["stops"]:
    wanted.setdefault(pc + bias, set()).add(n)
breakpoints, arrivals = {}, {}
for pc in wanted:
    breakpoints[pc] = gdb.Breakpoint(f"*{pc:#x}")
stops = []
while wanted and not ended:
    pc = int(gdb.newest_frame().pc())
    if pc in wanted:
        arrivals[pc] = n = arrivals.get(pc, 0) + 1
        if n in wanted[pc]:
            wanted[pc].remove(n)
            stops.append({"pc": pc - bias, "n": n,
                          "symbols": [look(*one) for one in visible(pc)]})
            if not wanted[pc]:
                breakpoints.pop(pc).delete()
                del wanted[pc]
    if not wanted:
        break
    gdb.execute("continue", to_string=True)

if not ended and gdb.selected_thread():
    gdb.execute("kill", to_string=True)
json.dump({"stops": stops, "symbols": symbols, "version": gdb.VERSION}, open(job["output"], "w"))
gdb.execute("quit")
