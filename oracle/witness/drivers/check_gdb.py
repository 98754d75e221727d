# --- gdb ------------------------------------------------------------------------------------------

SETTINGS = ("set pagination off", "set confirm off", "set startup-with-shell off",
            "set disable-randomization on", "set debuginfod enabled off", "set style enabled off",
            "unset environment", "handle all nostop noprint pass", "set backtrace past-main on",
            "set print raw-frame-arguments on", "set max-value-size unlimited")


def go(command):
    gdb.execute(command, to_string=True)


def run_to(address, ignore=0):
    mark = gdb.Breakpoint("*0x%x" % address, internal=True)
    mark.ignore_count = ignore
    go("continue")
    if gdb.newest_frame().pc() != address:
        raise RuntimeError("0x%x: never reached" % address)
    mark.delete()


def calls():
    """(function, its blocks, frame) of every call, inlined ones too, outermost first."""
    found, frame = [], gdb.newest_frame()
    while frame is not None:
        group = [frame]
        while group[-1].type() == gdb.INLINE_FRAME and group[-1].older() is not None:
            group.append(group[-1].older())
        try:
            block = frame.block() if found else gdb.block_for_pc(frame.pc())
        except RuntimeError:
            block = None
        inner, blocks = [], []
        while block is not None and not block.is_static and not block.is_global:
            blocks.append(block)
            if block.function is not None:
                inner.append((bare(block.function.name), blocks))
                blocks = []
            block = block.superblock
        frames = [group[0]] * (len(inner) - len(group)) + group
        found += [(name, its, at) for (name, its), at in zip(inner, frames)] or \
            [(bare(frame.name()), [], frame)]
        frame = group[-1].older()
    return found[::-1]


def named(blocks):
    """The variables of the name that is asked for."""
    others = gdb.SYMBOL_LOC_TYPEDEF, gdb.SYMBOL_LOC_LABEL, gdb.SYMBOL_LOC_BLOCK
    return [symbol for block in blocks for symbol in block
            if symbol.name == CASE["var"] and symbol.addr_class not in others]


def find():
    """The symbols that the name may mean, innermost first, the frame and its blocks; those at file
    scope too."""
    if not CASE["scope"]:
        found = list(gdb.lookup_static_symbols(CASE["var"]))
        outer = gdb.lookup_global_symbol(CASE["var"])
        return found + ([outer] if outer else []), None, []
    same = [call for call in calls() if call[0] == CASE["scope"]]
    if len(same) < CASE["rank"]:
        return [], None, []
    _, blocks, frame = same[CASE["rank"] - 1]
    return named(blocks), frame, blocks


def is_meant(symbol, blocks):
    """Whether gdb takes the name for that one: of two in a block it need not be the first listed."""
    block = next((block for block in blocks if named([block])), None)
    found = block and gdb.lookup_symbol(CASE["var"], block)[0]
    return not found or (found.line, found.addr_class) == (symbol.line, symbol.addr_class)


def is_it(symbol):
    return not CASE["decl_line"] or symbol.line == CASE["decl_line"]


def text(value):
    """The fact that a scalar is."""
    kind = value.type.strip_typedefs()
    if value.is_optimized_out:
        return {"state": "optimized-out"}
    shown = value.format_string(raw=True)
    if "optimized out" in shown:
        return {"state": "optimized-out", "message": shown}
    if "synthetic pointer" in shown:
        return {"state": "value", "value": "implicit"}
    if kind.code == gdb.TYPE_CODE_PTR:
        return {"state": "value", "value": "0x%x" % (int(value) & (1 << 64) - 1)}
    if kind.code == gdb.TYPE_CODE_FLT:
        return {"state": "value", "value": shown if kind.sizeof > 8 else repr(float(value)),
                "float": kind.sizeof}
    if kind.sizeof > 8:
        return {"state": "value", "value": value.format_string(format="d")}
    return {"state": "value", "value": str(int(value))}


def variable():
    symbols, frame, _ = find()
    symbols = [symbol for symbol in symbols if is_it(symbol)]
    if not symbols:
        return {"state": "absent"}
    try:
        value = symbols[0].value(frame) if symbols[0].needs_frame else symbols[0].value()
        for step in steps(CASE["path"]):
            if value.type.strip_typedefs().code == gdb.TYPE_CODE_COMPLEX:
                part = value.type.strip_typedefs().target()
                value = value.reinterpret_cast(part.array(1))[step == "imag"]
            else:
                value = value[step]
        return text(value)
    except (gdb.error, RuntimeError, OverflowError, TypeError) as error:
        gone = "optimized out" in str(error)
        return {"state": "optimized-out" if gone else "error", "message": str(error)}


def lookup():
    symbols, _, blocks = find()
    visible = bool(symbols) and is_it(symbols[0]) and is_meant(symbols[0], blocks)
    if not CASE["scope"]:  # what hides it is a local
        visible = not named(calls()[-1][1])
    return {"state": "value", "value": "visible" if visible else "hidden"}


def line():
    sal = gdb.find_pc_line(gdb.newest_frame().pc())
    known = sal.symtab is not None and sal.line
    return {"state": "value", "value": "%s:%d" % (os.path.basename(sal.symtab.filename), sal.line)
            if known else "no row"}


def frames():
    frame, names = gdb.newest_frame(), []
    while frame is not None:
        names.append(bare(frame.name()))
        frame = frame.older()
    return {"state": "value", "value": " < ".join(name for name in names if name in CASE["own"])}


def register():
    value = int(gdb.newest_frame().read_register(CASE["var"][1:])) & (1 << 64) - 1
    return {"state": "value", "value": "0x%x" % value}


def set_words():
    """The environment and the arguments. Without a shell gdb splits words at blanks; a shell has variables
    of its own, which env leaves out."""
    variables, arguments = CASE["environment"], CASE["arguments"]
    if any("\n" in word or "\r" in word for word in [PROGRAM] + variables + arguments):
        raise RuntimeError("gdb cannot be told of a line break")
    for item in variables:
        go("set environment " + item)
    if all(word and not set(word) & set(" \t") for word in arguments):
        go("set args " + " ".join(arguments))
        return
    os.environ["SHELL"] = "/bin/sh"
    go("set startup-with-shell on")
    go("set exec-wrapper env -i " + " ".join(map(shlex.quote, variables)))
    go("set args " + " ".join(map(shlex.quote, arguments)))


def inside():
    for command in SETTINGS:
        try:
            go(command)
        except gdb.error:
            pass  # of another version
    set_words()
    go('file "%s"' % PROGRAM.replace("\\", "\\\\").replace('"', '\\"'))
    go("starti")
    off = bias(gdb.selected_inferior().pid)
    run_to(CASE["entry"] + off)
    if CASE["place"] is not None:
        run_to(CASE["place"] + off, CASE["arrivals"] - 1)
    if CASE["step"]:
        go("stepi")
    if gdb.newest_frame().pc() != CASE["pc"] + off:
        raise RuntimeError("came to 0x%x" % gdb.newest_frame().pc())
    said = {"variable": variable, "lookup": lookup, "line table": line, "frames": frames,
            "presentation": frames, "register": register}[CASE["aspect"]]()
    answer(said, int(gdb.newest_frame().read_register("rsp")), "gdb " + gdb.VERSION)
    go("kill")


if "XSTEP_CHECK" in os.environ:
    import gdb
    try:
        inside()
    except Exception as error:
        print("trouble: %s: %s" % (type(error).__name__, error), flush=True)
    os._exit(0)
words_given = sys.argv[1:] or [os.environ.get("GDB", CASE["debugger"])]
sys.exit(start(words_given + ["-nx", "-nh", "-q", "-batch", "-iex", "set auto-load off"], ["-x", "%s"],
               os.environ))
