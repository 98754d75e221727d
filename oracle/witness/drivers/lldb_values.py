"""lldb_values.py - from a value of lldb's to leaves.

Text is made by lldb's own idea of a type and its own reading of the value; only floats are written out
here, from the bytes that lldb has.
"""
import re

import lldb

import facts
import names
import texts
from facts import Leaf

UNSIGNED = {getattr(lldb, "eBasicType" + name) for name in (
    "Bool", "UnsignedChar", "UnsignedWChar", "UnsignedShort", "UnsignedInt", "UnsignedLong",
    "UnsignedLongLong", "UnsignedInt128", "Char16", "Char32")}
UNSIGNED |= {getattr(lldb, "eBasicTypeChar8", lldb.eBasicTypeChar16)}
FLOATS = {getattr(lldb, "eBasicType" + name) for name in ("Half", "Float", "Double", "LongDouble")}
RECORDS = lldb.eTypeClassStruct | lldb.eTypeClassUnion | lldb.eTypeClassClass
LISTS = lldb.eTypeClassArray | lldb.eTypeClassVector
COMPLEX = lldb.eTypeClassComplexFloat | lldb.eTypeClassComplexInteger
INVALID = lldb.LLDB_INVALID_ADDRESS
GONE = ("not available", "optimized out", "no location")


class Refused(Exception):
    """What lldb said instead of a value."""


class NotAsked(Exception):
    """lldb said nothing, or has it and there is no way to it."""


def words(error):
    """lldb's message; of one about an expression the first line, without the expression's number. Where
    something lies in lldb's own memory is another in each run."""
    message = error.GetCString() or ""
    if "<user expression" in message:
        message = re.sub("<user expression [0-9]+>", "<user expression>", message).splitlines()[0]
    return re.sub("host address 0x[0-9a-f]+", "host address 0x...", message).rstrip("\n")


def refuse(error, otherwise):
    if error.GetCString():
        raise Refused(words(error))
    raise NotAsked(otherwise)


def is_gone(message):
    """Whether lldb's message says that something is optimised out, and not that it failed."""
    return any(words in message for words in GONE)


def has_strays(kind):
    """Whether a type has bit-fields that reach beyond the unit of their type, as packed ones may. lldb
    moves the window that it reads them through each time that the value is brought up to date, and
    never back: they are right, if at all, when they are asked for the first time."""
    kind = kind.GetCanonicalType()
    if kind.GetTypeClass() & lldb.eTypeClassArray:
        return has_strays(kind.GetArrayElementType())
    for i in range(kind.GetNumberOfFields() if kind.GetTypeClass() & RECORDS else 0):
        field = kind.GetFieldAtIndex(i)
        bits, unit = field.GetBitfieldSizeInBits(), field.GetType().GetByteSize() * 8
        if bits and field.GetOffsetInBits() % unit + bits > unit if field.IsBitfield() \
                else has_strays(field.GetType()):
            return True
    return False


# Names that nobody can give to another type.
BUILTIN = frozenset(("char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int",
                     "long", "unsigned long", "long long", "unsigned long long", "float", "double", "bool", "_Bool"))


class Kind:
    """What is known of a type: how a leaf of it is read."""
    __slots__ = ("name", "how", "size", "signed", "enumerators", "part", "strays")

    def __init__(self, kind):
        canonical = kind.GetCanonicalType().GetUnqualifiedType()
        group = canonical.GetTypeClass()
        basic = canonical.GetBasicType()
        self.name, self.size = kind.GetName(), canonical.GetByteSize()
        self.signed, self.enumerators, self.part = basic not in UNSIGNED, None, None
        self.strays = bool(group & (RECORDS | LISTS)) and has_strays(canonical)
        if group & RECORDS:
            self.how = "record"
        elif group & LISTS:
            self.how, self.size = "list", 1
            if group & lldb.eTypeClassArray:
                element = canonical.GetArrayElementType().GetCanonicalType()
                void = element.GetBasicType() == lldb.eBasicTypeVoid
                self.part = "void" if void else None
                self.size = element.GetByteSize() or int(void)
        elif group & lldb.eTypeClassFunction:
            self.how = "function"
        elif group & lldb.eTypeClassReference:
            self.how = "reference"
        elif group & lldb.eTypeClassMemberPointer:
            self.how = "bytes"
        elif group & (lldb.eTypeClassPointer | lldb.eTypeClassBlockPointer) or basic == lldb.eBasicTypeNullPtr:
            self.how = "pointer"
        elif group & lldb.eTypeClassEnumeration:
            self.how = "integer"
            members = canonical.GetEnumMembers()
            members = [members.GetTypeEnumMemberAtIndex(i) for i in range(members.GetSize())]
            # A type of its own says whether it is signed since lldb 16; before, its members do.
            self.signed = any(member.GetValueAsSigned() < 0 for member in members)
            if hasattr(canonical, "GetEnumerationIntegerType"):
                under = canonical.GetEnumerationIntegerType().GetCanonicalType().GetBasicType()
                self.signed = under not in UNSIGNED
            self.enumerators = {}
            for member in members:
                value = member.GetValueAsSigned() if self.signed else member.GetValueAsUnsigned()
                self.enumerators.setdefault(value, member.GetName())
        elif group & COMPLEX or basic in (lldb.eBasicTypeFloatComplex, lldb.eBasicTypeDoubleComplex,
                                          lldb.eBasicTypeLongDoubleComplex):
            self.how = "complex"
            self.part = None if group & lldb.eTypeClassComplexInteger or "int" in self.name \
                else texts.float_format(self.size // 2, "")
        elif basic in FLOATS:
            self.how = "float"
            self.part = texts.float_format(self.size, canonical.GetName())
        else:
            self.how = "integer"


class Values:
    """Leaves of values. Whose it is has a job, and the kinds of the unit that is asked about."""

    def kind(self, value):
        kind = value.GetType()
        key = kind.GetName(), kind.GetByteSize()
        if "unnamed" in key[0] or "anonymous" in key[0] or "{" in key[0]:
            return Kind(kind)  # many may have that name
        known = self.kinds.get(key)
        # Functions may each have an enum or a typedef of one name: the name alone is not the type.
        if known is None or not (key[0] in BUILTIN or known[0] == kind):
            known = self.kinds[key] = kind, Kind(kind)
        return known[1]

    def ask_all(self, name, value, address):
        leaves, spans = facts.Leaves(self.job.max_leaves), []
        self.flatten(value, name, (), address, (0, value.GetByteSize()), leaves, spans)
        whole = leaves.close(name, value.GetTypeName())
        if whole is None:
            return leaves, spans if address != INVALID else None
        return whole, None

    def ask_again(self, name, value, last, data):
        """Only the leaves whose bytes changed."""
        if last.spans is None:
            return self.ask_all(name, value, last.address)
        leaves, old = list(last.leaves), last.data
        for index, path, steps, lo, hi in last.spans:
            if old[lo:hi] == data[lo:hi]:
                continue
            part = value
            for step in steps:
                part = part.GetChildAtIndex(step, lldb.eNoDynamicValues, False)
            found = []
            self.leaf(part, self.kind(part), path, found)
            leaves[index:index + len(found)] = found
        return leaves, last.spans

    def flatten(self, value, path, steps, base, inside, leaves, spans):
        """Appends the leaves of a value. `inside` are the bytes, from base, of what it is a part of."""
        kind = self.kind(value)
        if kind.how == "function" or (kind.how == "list" and not kind.size):
            return
        if kind.how in ("record", "list"):
            error = value.GetError()
            if error.Fail():
                message = words(error)
                state = "optimized-out" if is_gone(message) else "error"
                leaves.append(Leaf(path, kind.name, state, message=message))
                return
            count = value.GetNumChildren()
            inside = self.span(value, base, inside)
            if not count and kind.part == "void":
                leaves.append(Leaf(path, kind.name, "error"))  # it shows nothing, and says nothing
            bases = self.bases(value)
            for i in range(count):
                if leaves.full(0):
                    leaves.missing += self.count(value)
                    return
                child = value.GetChildAtIndex(i, lldb.eNoDynamicValues, False)
                name = child.GetName()
                inner = path
                if kind.how == "list":
                    inner = "%s[%d]" % (path, i)
                elif name:
                    inner = "%s.%s" % (path, bases.pop(i, name))
                elif self.kind(child).how != "record":
                    continue  # a bit-field without a name is padding
                self.flatten(child, inner, steps + (i,), base, inside, leaves, spans)
                if leaves.missing and kind.how == "list":  # so it will go on
                    leaves.missing += (count - i - 1) * self.count(child)
                    return
            return
        if leaves.full(1):
            return
        if base != INVALID:
            lo, hi = self.span(value, base, inside)
            # A bit-field's bits may reach into the byte behind its type.
            spans.append((len(leaves), path, steps, lo, hi + 1))
        self.leaf(value, kind, path, leaves)

    @staticmethod
    def bases(value):
        """The names of those children that are base classes, by index. lldb leaves out empty ones."""
        kind, found, its = value.GetType().GetCanonicalType(), {}, names.Bases()
        count = kind.GetNumberOfDirectBaseClasses()
        bases = [kind.GetDirectBaseClassAtIndex(i).GetName() for i in range(count)]
        for i in range(min(count, value.GetNumChildren())):
            child = value.GetChildAtIndex(i, lldb.eNoDynamicValues, False).GetName()
            if child not in bases:
                break
            while bases[0] != child:
                its.name(bases.pop(0))
            found[i] = its.name(bases.pop(0))
        return found

    @staticmethod
    def span(value, base, inside):
        """The bytes of a part, from base. lldb has no address for bit-fields at file scope: they are
        somewhere inside."""
        address = value.GetLoadAddress()
        if INVALID in (address, base):
            return inside
        return address - base, address - base + value.GetByteSize()

    def count(self, value):
        """How many leaves a value has, about: all elements are taken to be alike."""
        kind = self.kind(value)
        if kind.how == "list":
            child = value.GetChildAtIndex(0, lldb.eNoDynamicValues, False)
            return value.GetNumChildren() * self.count(child) if child.IsValid() else 0
        if kind.how == "record":
            return sum(self.count(value.GetChildAtIndex(i, lldb.eNoDynamicValues, False))
                       for i in range(value.GetNumChildren()))
        return 2 if kind.how == "complex" else 1

    def leaf(self, value, kind, path, leaves):
        """Appends a scalar's leaf, or the two of a complex number."""
        error = value.GetError()
        try:
            if error.Success():
                if kind.how == "complex":
                    return self.complex_leaves(value, kind, path, leaves)
                text, enumerator = self.text(value, kind)
                leaves.append(Leaf(path, kind.name, "value", text, enumerator))
                return
            message = words(error)
        except Refused as refusal:
            message = str(refusal)
        except (NotAsked, ValueError, TypeError, OverflowError) as failure:
            leaves.append(facts.not_asked(path, kind.name, failure))
            return
        leaves.append(Leaf(path, kind.name, "optimized-out" if is_gone(message) else "error",
                           message=message))

    def text(self, value, kind):
        """Canonical text and enumerator of a scalar."""
        error = lldb.SBError()
        if kind.how == "float" and kind.part:
            return texts.float_text(kind.part, self.data(value)), None
        if kind.how == "bytes":  # a pointer to a member: the number that it is
            return str(int.from_bytes(self.data(value), "little", signed=True)), None
        if kind.how == "reference":
            return texts.pointer_text(int.from_bytes(self.data(value), "little")), None
        if kind.size > 8:
            value.SetFormat(lldb.eFormatDecimal if kind.signed else lldb.eFormatUnsigned)
            text = value.GetValue()
            if text is None:
                refuse(value.GetError(), "no text")
            return text, None
        if kind.how == "integer" and kind.signed and value.GetLoadAddress() == INVALID:
            # A bit-field in a register comes without its sign, which lldb's own text has.
            text = value.GetValue()
            if text and text.lstrip("-").isdigit():
                return str(int(text)), None
        if kind.how == "integer" and kind.signed:
            # One in a register comes with the register's upper half, which the text does not show.
            number = value.GetValueAsSigned(error) & ((1 << 8 * kind.size) - 1)
            number -= (number >> 8 * kind.size - 1) << 8 * kind.size
        else:
            # Narrow ones come sign-extended, which lldb's own text does not show.
            number = value.GetValueAsUnsigned(error) & ((1 << 8 * kind.size) - 1)
        if error.Fail():
            refuse(error, "no value")
        if kind.how == "pointer":
            return texts.pointer_text(number), None
        return str(number), kind.enumerators.get(number) if kind.enumerators else None

    @staticmethod
    def data(value):
        data, error = value.GetData(), lldb.SBError()
        raw = data.ReadRawData(error, 0, data.GetByteSize())
        if error.Fail():
            refuse(value.GetError(), "no data: %s" % error.GetCString())
        return raw

    def complex_leaves(self, value, kind, path, leaves):
        data = self.data(value)
        half = len(data) // 2
        for name, its in ((".real", data[:half]), (".imag", data[half:])):
            text = texts.float_text(kind.part, its) if kind.part \
                else str(int.from_bytes(its, "little", signed=True))
            leaves.append(Leaf(path + name, kind.name, "value", text))
