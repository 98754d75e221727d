# --- lldb -----------------------------------------------------------------------------------------

SETTINGS = ("settings set target.inherit-env false", "settings set target.disable-aslr true",
            "settings set target.enable-synthetic-value false", "type category disable '*'",
            "settings set target.prefer-dynamic-value no-dynamic-values")
GONE = ("not available", "optimized out", "no location")
FLOATS = ("Half", "Float", "Double", "LongDouble")
UNSIGNED = ("Bool", "UnsignedChar", "UnsignedWChar", "UnsignedShort", "UnsignedInt", "UnsignedLong",
            "UnsignedLongLong", "UnsignedInt128", "Char16", "Char32")


def check(error):
    if error.Fail():
        raise RuntimeError(error.GetCString() or "no reason given")


def fact(state, **more):
    return dict(more, state=state)


class Session:
    def __init__(self, debugger):
        debugger.SetAsync(False)
        for command in SETTINGS:
            debugger.GetCommandInterpreter().HandleCommand(command, lldb.SBCommandReturnObject())
        error = lldb.SBError()
        self.target = debugger.CreateTarget(PROGRAM, None, None, False, error)
        check(error)
        info = lldb.SBLaunchInfo(CASE["arguments"])
        info.SetLaunchFlags(lldb.eLaunchFlagStopAtEntry | lldb.eLaunchFlagDisableASLR)
        info.SetEnvironmentEntries(CASE["environment"], False)
        info.SetWorkingDirectory(os.environ["XSTEP_FROM"])
        stdin = os.path.join(HERE, CASE["stdin"]) if CASE["stdin"] else os.devnull
        info.AddOpenFileAction(0, stdin, True, False)
        info.AddOpenFileAction(1, os.devnull, False, True)
        info.AddOpenFileAction(2, os.devnull, False, True)
        self.process = self.target.Launch(info, error)
        check(error)
        signals = self.process.GetUnixSignals()
        for i in range(signals.GetNumSignals()):
            one = signals.GetSignalAtIndex(i)
            if one not in (signal.SIGTRAP, signal.SIGSTOP, signal.SIGINT):  # lldb's own tools
                signals.SetShouldStop(one, False)
        self.thread = self.process.GetThreadAtIndex(0)
        self.bias = bias(self.process.GetProcessID())

    def run_to(self, address, ignore=0):
        mark = self.target.BreakpointCreateByAddress(address)
        mark.SetIgnoreCount(ignore)
        check(self.process.Continue())
        if self.process.GetState() != lldb.eStateStopped or self.frame(0).GetPC() != address:
            raise RuntimeError("0x%x: never reached" % address)
        self.target.BreakpointDelete(mark.GetID())

    def frame(self, number):
        return self.thread.GetFrameAtIndex(number)

    def find(self):
        """The variables of that name and declaration, and the frame; those at file scope too."""
        if not CASE["scope"]:
            found = self.target.FindGlobalVariables(CASE["var"], 1000)
            frame = None
        else:
            frames = [self.frame(i) for i in range(self.thread.GetNumFrames())]
            same = [frame for frame in frames[::-1]
                    if bare(frame.GetFunctionName()) == CASE["scope"]]
            if len(same) < CASE["rank"]:
                return [], None
            frame = same[CASE["rank"] - 1]
            found = frame.GetVariables(True, True, True, True)
        found = [found.GetValueAtIndex(i) for i in range(found.GetSize())]
        return [value for value in found if value.GetName() == CASE["var"]
                and CASE["decl_line"] in (0, value.GetDeclaration().GetLine())], frame

    def variable(self):
        values, _ = self.find()
        if not values:
            return fact("absent")
        value = values[0]
        for step in steps(CASE["path"]):
            if value.GetError().Fail():
                break
            if step in ("real", "imag") and not value.GetNumChildren():
                return self.half(value, step == "imag")
            value = value.GetChildMemberWithName(step) if isinstance(step, str) else \
                value.GetChildAtIndex(step, lldb.eNoDynamicValues, False)
            if not value.IsValid():
                return fact("absent")
        return self.text(value)

    @staticmethod
    def data(value):
        data, error = value.GetData(), lldb.SBError()
        raw = data.ReadRawData(error, 0, data.GetByteSize())
        check(error)
        return raw

    def half(self, value, upper):
        raw = self.data(value)
        size = len(raw) // 2
        part = raw[size:] if upper else raw[:size]
        return fact("value", value=repr(struct.unpack("<f" if size == 4 else "<d", part[:8])[0]),
                    float=size)

    def text(self, value):
        """The fact that a scalar is."""
        error = value.GetError()
        if error.Fail():
            message = error.GetCString() or ""
            gone = any(words in message for words in GONE)
            return fact("optimized-out" if gone else "error", message=message)
        kind = value.GetType().GetCanonicalType().GetUnqualifiedType()
        size, basic = kind.GetByteSize(), kind.GetBasicType()
        if kind.IsPointerType():
            return fact("value", value="0x%x" % value.GetValueAsUnsigned())
        if basic in [getattr(lldb, "eBasicType" + name) for name in FLOATS]:
            if size > 8:
                return fact("value", value=value.GetValue() or "", float=size)
            raw = self.data(value)
            return fact("value", value=repr(struct.unpack("<f" if size == 4 else "<d", raw)[0]),
                        float=size)
        if kind.GetTypeClass() & lldb.eTypeClassEnumeration:
            members = kind.GetEnumMembers()
            signed = any(members.GetTypeEnumMemberAtIndex(i).GetValueAsSigned() < 0
                         for i in range(members.GetSize()))
        else:
            signed = basic not in [getattr(lldb, "eBasicType" + name) for name in UNSIGNED]
        if size > 8:
            value.SetFormat(lldb.eFormatDecimal if signed else lldb.eFormatUnsigned)
            return fact("value", value=value.GetValue() or "")
        error = lldb.SBError()
        bits = value.GetValueAsUnsigned(error) & ((1 << 8 * size) - 1)
        if error.Fail():
            return fact("error", message=error.GetCString() or "")
        return fact("value", value=str(bits - (signed * (bits >> 8 * size - 1) << 8 * size)))

    def lookup(self):
        values, frame = self.find()
        if frame is None:  # at file scope: what hides it is a local
            local = self.frame(0).GetVariables(True, True, False, True)
            visible = not any(local.GetValueAtIndex(i).GetName() == CASE["var"]
                              for i in range(local.GetSize()))
        else:
            line = frame.FindVariable(CASE["var"]).GetDeclaration().GetLine()
            visible = bool(values) and line == CASE["decl_line"]
        return fact("value", value="visible" if visible else "hidden")

    def line(self):
        entry = self.target.ResolveLoadAddress(self.frame(0).GetPC()).GetLineEntry()
        return fact("value", value="%s:%d" % (entry.GetFileSpec().GetFilename(), entry.GetLine())
                    if entry.IsValid() else "no row")

    def frames(self):
        names = [bare(self.frame(i).GetFunctionName()) for i in range(self.thread.GetNumFrames())]
        return fact("value", value=" < ".join(name for name in names if name in CASE["own"]))

    def register(self):
        return fact("value", value="0x%x" % self.frame(0).FindRegister(
            CASE["var"][1:]).GetValueAsUnsigned())

    def ask(self, version):
        self.run_to(CASE["entry"] + self.bias)
        if CASE["place"] is not None:
            self.run_to(CASE["place"] + self.bias, CASE["arrivals"] - 1)
        if CASE["step"]:
            error = lldb.SBError()
            self.thread.StepInstruction(False, error)
            check(error)
        if self.frame(0).GetPC() != CASE["pc"] + self.bias:
            raise RuntimeError("came to 0x%x" % self.frame(0).GetPC())
        said = {"variable": self.variable, "lookup": self.lookup, "line table": self.line,
                "frames": self.frames, "presentation": self.frames,
                "register": self.register}[CASE["aspect"]]()
        answer(said, self.frame(0).GetSP(), version)
        self.process.Kill()


def __lldb_init_module(debugger, _):
    try:
        Session(debugger).ask(debugger.GetVersionString().splitlines()[0])
    except Exception as error:
        print("trouble: %s: %s" % (type(error).__name__, error), flush=True)
    lldb.SBDebugger.Destroy(debugger)
    os._exit(0)


def module_of(path):
    """The folder of lldb's Python module: where lldb says, or beside it."""
    try:
        said = subprocess.run([path, "-P"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              timeout=SECONDS, cwd="/").stdout.decode().strip()
    except (OSError, subprocess.TimeoutExpired):
        said = ""
    root = os.path.dirname(os.path.dirname(os.path.realpath(shutil.which(path) or path)))
    for folder in [said] + glob.glob(os.path.join(root, "lib*", "python3*", "*-packages")):
        if os.path.exists(os.path.join(folder, "lldb", "__init__.py")):
            return folder
    return ""


if "XSTEP_CHECK" in os.environ:
    import lldb
else:
    words_given = sys.argv[1:] or [os.environ.get("LLDB", CASE["debugger"])]
    if "/" in words_given[0]:
        words_given[0] = os.path.abspath(words_given[0])
    # lldb imports what it does not find elsewhere from where it runs: lldb.py, six.py.
    # Python takes its library from beside the first python3 on PATH: lldb was built for the system's.
    sys.exit(start(words_given + ["--no-lldbinit", "--batch"], ["-o", 'command script import "%s"'],
                   dict(os.environ, PYTHONPATH=module_of(words_given[0]),
                        PATH="/usr/bin:/bin:" + os.environ.get("PATH", "")), away=True))
