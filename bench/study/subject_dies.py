"""subject_dies.py - the DIEs of a program as llvm-dwarfdump prints them: evidence for classes.

Only what a comparison asks: who is around a variable, has it code, what are its locations. Nothing
here is xstep's own reading of the DWARF, so that one cannot hide the other's mistake.
"""
import functools
import re

import e2e

DIE = re.compile(r"^0x([0-9a-f]+):( +)(DW_TAG_\w+)")
ATTRIBUTE = re.compile(r"^ +(DW_AT_\w+)\t\((.*)$")
RANGE = re.compile(r"\[0x([0-9a-f]+), 0x([0-9a-f]+)\)(?:: (.*))?")
CODE = ("DW_TAG_lexical_block", "DW_TAG_inlined_subroutine", "DW_TAG_subprogram",
        "DW_TAG_try_block", "DW_TAG_catch_block")
FUNCTIONS = ("DW_TAG_subprogram", "DW_TAG_inlined_subroutine")


class Die:
    def __init__(self, offset, tag, parent, depth):
        self.offset, self.tag, self.parent, self.depth = offset, tag, parent, depth
        self.attributes = {}
        self.children = []
        self.all = None  # every DIE by its offset

    def get(self, name):
        """An attribute, its own or that of its origin."""
        die = self
        for _ in range(8):
            if name in die.attributes:
                return die.attributes[name]
            origin = die.attributes.get("DW_AT_abstract_origin") or \
                die.attributes.get("DW_AT_specification")
            die = self.all.get(int(origin.split()[0].rstrip(")"), 16)) if origin else None
            if die is None:
                return None
        return None

    def origins(self):
        """What it is an instance of, and what that is, and so on."""
        die = self
        for _ in range(8):
            origin = die.attributes.get("DW_AT_abstract_origin")
            die = self.all.get(int(origin.split()[0].rstrip(")"), 16)) if origin else None
            if die is None:
                return
            yield die

    @property
    def name(self):
        found = self.get("DW_AT_name")
        return found and found.split('"')[1]

    @property
    def line(self):
        found = self.get("DW_AT_decl_line")
        return int(found.rstrip(")"), 0) if found else 0

    @property
    def locations(self):
        """[(lo, hi, expression)] of its location list, in order, empty entries included."""
        return [(int(lo, 16), int(hi, 16), text) for lo, hi, text in
                RANGE.findall(self.attributes.get("DW_AT_location", ""))]

    @property
    def ranges(self):
        """[(lo, hi)] of its code, or None without any pc attribute."""
        own = self.attributes
        if "DW_AT_ranges" in own:
            return [(int(lo, 16), int(hi, 16)) for lo, hi, _ in RANGE.findall(own["DW_AT_ranges"])]
        if "DW_AT_low_pc" in own:
            lo = int(own["DW_AT_low_pc"].split(")")[0], 16)
            return [(lo, int(own["DW_AT_high_pc"].split(")")[0], 16)
                     if "DW_AT_high_pc" in own else lo + 1)]
        return None

    def around(self):
        """Its parents, inner ones first."""
        die = self.parent
        while die is not None:
            yield die
            die = die.parent

    def without_code(self):
        """Whether a block around it (inside of a function that has code) has no pc attribute."""
        blocks = list(self.around())
        function = next((d for d in blocks if d.tag == "DW_TAG_subprogram"), None)
        if function is None or not function.ranges:
            return False
        return any(d.tag in CODE and not d.ranges for d in blocks[:blocks.index(function)])

    def function(self):
        """Itself or the first function or inlined call around it."""
        return next((d for d in (self, *self.around()) if d.tag in FUNCTIONS), None)

    def blocks_around(self):
        """The lexical blocks around it in its function."""
        for die in self.around():
            if die.tag != "DW_TAG_lexical_block":
                return
            yield die

    def inside(self):
        """All DIEs of the function or inlined call, without those of calls inlined into it."""
        for die in self.children:
            yield die
            if die.tag == "DW_TAG_lexical_block":
                yield from die.inside()

    def has_block(self, abstract):
        """Whether it has an instance of that block, with code."""
        return any(d.tag == abstract.tag and d.ranges and abstract in d.origins()
                   for d in self.inside())

    def has_deeper(self, abstract):
        """Whether it has an instance of that, but not right inside of its parent's instance."""
        return any(abstract in d.origins() and abstract.parent not in d.parent.origins()
                   for d in self.inside())

    def in_block(self):
        return any(d.tag in CODE for d in self.around())

    def is_static(self):
        return "DW_OP_addr" in self.attributes.get("DW_AT_location", "") and not self.locations

    def uses(self, operator, pc=None):
        """Whether its location has that operator; with a pc, the entry of its list for that."""
        entries = [text for lo, hi, text in self.locations if pc is None or lo <= pc < hi]
        return operator in (" ".join(entries) if self.locations else
                            self.attributes.get("DW_AT_location", ""))

    def pieces(self, pc):
        """How many bytes the pieces of its location at pc describe; 0 if there are none."""
        texts = [text for lo, hi, text in self.locations if lo <= pc < hi] if self.locations else \
            [self.attributes.get("DW_AT_location", "")]
        return sum(int(size, 16) for text in texts
                   for size in re.findall(r"DW_OP_piece (0x\w+)", text))

    def size(self):
        """Bytes of its type, or of itself if it is one; 0 if that is not simple."""
        if "DW_AT_byte_size" in self.attributes:
            return int(self.attributes["DW_AT_byte_size"].rstrip(")"), 0)
        if self.tag == "DW_TAG_pointer_type":
            return 8  # clang leaves it out
        found = self.get("DW_AT_type")
        kind = self.all.get(int(found.split()[0].rstrip(")"), 16)) if found else None
        count = 1
        for child in self.children:
            if child.tag == "DW_TAG_subrange_type":
                high, number = child.get("DW_AT_upper_bound"), child.get("DW_AT_count")
                count *= int(number.rstrip(")"), 0) if number else \
                    int(high.rstrip(")"), 0) + 1 if high else 0
        return count * kind.size() if kind else 0

    def converts_wide(self):
        """Whether its location converts to a type of more than 64 bits."""
        found = re.findall(r"DW_OP_(?:convert|reinterpret|const_type|regval_type) \((0x\w+)",
                           self.attributes.get("DW_AT_location", "")) + \
            re.findall(r"DW_OP_\w+.*?\((0x\w+)(?: ->|\))",
                       self.attributes.get("DW_AT_location", ""))
        sizes = [self.all[int(o, 16)].attributes.get("DW_AT_byte_size", "0").rstrip(")")
                 for o in found if int(o, 16) in self.all]
        return any(int(size, 0) > 8 for size in sizes)


class Dies:
    def __init__(self):
        self.by_offset = {}
        self.variables = {}  # (name, line) -> [Die]
        self.inlined = []  # ranges of each inlined call
        self.function_names = set()
        self.bit_fields = set()  # names

    def of(self, name, line):
        return self.variables.get((name, line), [])

    def in_scope(self, name, line, pc):
        """How many DIEs of a variable are there whose blocks all have code at pc."""
        return sum(all(any(lo <= pc < hi for lo, hi in around.ranges or ())
                       for around in die.around() if around.tag in CODE)
                   for die in self.of(name, line))

    def functions(self, pc):
        return [d for d in self.by_offset.values() if d.tag == "DW_TAG_subprogram" and
                any(lo <= pc < hi for lo, hi in d.ranges or ())]

    def instances_at(self, pc, abstract):
        """The functions and inlined calls at pc that are instances of an abstract one."""
        return [d for d in self.by_offset.values() if d.tag in FUNCTIONS and
                any(lo <= pc < hi for lo, hi in d.ranges or ()) and abstract in d.origins()]

    def is_entry(self, pc):
        """Whether pc is the first of a function."""
        return any(d.ranges[0][0] == pc for d in self.functions(pc))

    @functools.cache
    def inlined_at(self, pc):
        """How many inlined calls are at pc."""
        return sum(any(lo <= pc < hi for lo, hi in ranges) for ranges in self.inlined)

    def is_function(self, name):
        return name in self.function_names

    def is_bit_field(self, name):
        """Whether a member of that name is a bit-field."""
        return name in self.bit_fields


def read(program):
    """All DIEs of a program."""
    dump = e2e.run(["llvm-dwarfdump-15", "--debug-info", program]).stdout
    dies, stack, attribute = Dies(), [], None
    for line in dump.splitlines():
        head = DIE.match(line)
        if head:
            depth = len(head.group(2))
            while stack and stack[-1].depth >= depth:
                stack.pop()
            die = Die(int(head.group(1), 16), head.group(3), stack[-1] if stack else None, depth)
            die.all = dies.by_offset
            if stack:
                stack[-1].children.append(die)
            dies.by_offset[die.offset] = die
            stack.append(die)
            attribute = None
            continue
        found = ATTRIBUTE.match(line)
        if found and stack:
            attribute = found.group(1)
            stack[-1].attributes[attribute] = found.group(2)
        elif line.startswith("0x"):
            attribute = None  # the NULL behind the last child
        elif attribute and line.strip():
            stack[-1].attributes[attribute] += "\n" + line
    for die in dies.by_offset.values():
        if die.tag == "DW_TAG_inlined_subroutine":
            dies.inlined.append(die.ranges or [])
        if die.tag == "DW_TAG_member" and "DW_AT_bit_size" in die.attributes:
            dies.bit_fields.add(die.name)
        if die.tag == "DW_TAG_subprogram":
            dies.function_names.add(die.name)
        if die.tag in ("DW_TAG_variable", "DW_TAG_formal_parameter") and die.name:
            dies.variables.setdefault((die.name, die.line), []).append(die)
    return dies
