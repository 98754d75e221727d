# check.py - what the scripts of a report share; check_gdb.py or check_lldb.py follows in the same file,
# and CASE, what was found, stands before. Without XSTEP_CHECK it starts the debugger with itself;
# with it, it is inside.

FIXED, BUG, TROUBLE = 0, 1, 125  # as `git bisect run` wants them
SECONDS = float(os.environ.get("CHECK_SECONDS", "120"))
HERE = os.environ.get("XSTEP_HERE", os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.environ.get("XSTEP_PROGRAM", os.path.join(HERE, CASE["program"]))
AT_ENTRY = 9
STACK = 1 << 23  # an address so near to the stack pointer is the stack's


def bias(pid):
    """What link-time addresses are off by in a process."""
    with open("/proc/%d/auxv" % pid, "rb") as file:
        data = file.read()
    pairs = dict(struct.unpack_from("<QQ", data, at) for at in range(0, len(data) - 15, 16))
    return pairs[AT_ENTRY] - CASE["elf_entry"]


def bare(name):
    """A function's own name: without parameters, and what the compiler calls its clones."""
    return re.split(r"[(.@]", name or "?")[0]


def steps(path):
    """The way from a variable to a leaf: `s.f[2]` is f, 2."""
    return [int(index) if index else name
            for name, index in re.findall(r"\.(\w+)|\[(-?\d+)\]", path)]


def number(text, size):
    value = float(text)
    return struct.unpack("<f", struct.pack("<f", value))[0] if size == 4 else value


def same_value(right, said):
    if right == said["value"] or ("nan" in right and "nan" in said["value"]):
        return True
    try:
        return said.get("float", 0) and \
            number(right, said["float"]) == number(said["value"], said["float"])
    except (ValueError, OverflowError):
        return False


def moved(text, sp):
    """What a value made of a stack address is here: the stack lies elsewhere if the program's path
    has another length. Only the lower half may be left of it."""
    try:
        value = int(text, 0)
    except ValueError:
        return text
    off, mask = sp - CASE["sp"], 0xffffffff
    if text.startswith("0x") and abs(value - CASE["sp"]) < STACK:
        return "0x%x" % (value + off)
    near = abs((value & mask) - (CASE["sp"] & mask)) < STACK
    return str(value + off) if near else text


def is_right(right, said):
    if right.get("undeclared") and said["state"] == "absent":
        return True
    states = right["state"], said["state"]
    if states[0] == "value" or states[1] == "value":
        return states[0] == states[1] and same_value(right["value"], said)
    return (states[0] == "absent") == (states[1] == "absent")


def words(fact):
    if fact["state"] == "value":
        return fact["value"]
    return "<%s>%s" % (fact["state"], "  " + fact["message"] if fact.get("message") else "")


def answer(said, sp=0, version=""):
    """Inside: leaves what the debugger says where the outer half finds it."""
    with open(os.environ["XSTEP_CHECK"], "w") as file:
        json.dump({"said": said, "sp": sp, "version": version}, file)


def same_length(folder):
    """The program under a path as long as the one that it had: then its stack lies where it lay, and
    uninitialised registers hold what they held. Where there is no such path, it stays where it is."""
    fill = CASE["length"] - len(folder) - len(CASE["program"]) - 2
    if not 0 < fill < 256:
        return PROGRAM
    os.mkdir(os.path.join(folder, "_" * fill))
    return shutil.copy(PROGRAM, os.path.join(folder, "_" * fill, CASE["program"]))


def start(command, load, environment, away=False):
    """Outside: runs the debugger, and judges. It loads a copy of this script, which the words of `load` have
    for %s, for debuggers take some paths apart. With `away` it runs where nothing else is."""
    with tempfile.TemporaryDirectory(prefix="", dir="/tmp") as folder:
        path = os.path.join(folder, "answer")
        script = shutil.copy(__file__, os.path.join(folder, "check.py"))
        environment = dict(environment, XSTEP_CHECK=path, PYTHONDONTWRITEBYTECODE="1", TERM="dumb",
                           XSTEP_PROGRAM=same_length(folder), XSTEP_HERE=HERE, XSTEP_FROM=os.getcwd())
        command = command + [word.replace("%s", script) for word in load]
        stdin = os.path.join(HERE, CASE["stdin"]) if CASE["stdin"] else os.devnull
        with open(stdin) as source, open(os.path.join(folder, "log"), "w+") as log:
            try:
                debugger = subprocess.Popen(command, stdin=source, stdout=log, stderr=log, env=environment,
                                            cwd=folder if away else None, start_new_session=True)
            except OSError as error:
                print("trouble: %s" % error)
                return TROUBLE
            try:
                debugger.wait(SECONDS)
            except subprocess.TimeoutExpired:
                print("trouble: no answer after %g s" % SECONDS)
            try:
                os.killpg(debugger.pid, signal.SIGKILL)
            except OSError:
                pass
            debugger.wait()
            try:
                with open(path) as file:
                    told = json.load(file)
            except (OSError, ValueError):
                log.seek(0)
                print("trouble: no answer of %s; it said:\n%s" % (command[0], log.read()[-2000:]))
                return TROUBLE
    said, right = told["said"], dict(CASE["right"])
    fine = is_right(right, said)
    if right["state"] == "value" and CASE["sp"] and not fine:
        right["value"] = moved(right["value"], told["sp"])
        fine = is_right(right, said)
    print("%s\n%s\n  it says      %s\n  should be    %s\n%s" % (
        told["version"], CASE["what"], words(said), words(right),
        "right: the bug is not there" if fine else "wrong: the bug is there"))
    return FIXED if fine else BUG
