"""gdb_values.py - from a value of gdb's to leaves.

Text is made by gdb's own idea of a type and its own reading of the value; only floats are written out
here, from the bytes that gdb has.
"""
import gdb

import facts
import names
import texts
from facts import Leaf

REFERENCES = (gdb.TYPE_CODE_REF, getattr(gdb, "TYPE_CODE_RVALUE_REF", gdb.TYPE_CODE_REF))
ADDRESSES = (gdb.TYPE_CODE_PTR,) + REFERENCES
INTEGERS = (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_ENUM)
MEMBERS = (gdb.TYPE_CODE_MEMBERPTR, gdb.TYPE_CODE_METHODPTR)  # pointers to members
SYNTHETIC = "synthetic pointer"


class NotAsked(Exception):
    """gdb has it, and there is no way to it."""


def gone(error):
    """Whether gdb's message says that something is optimised out, and not that it failed."""
    return "optimized out" in str(error)


class Values:
    """Leaves of values. Whose it is has a job, the inferior, and the enumerators of the unit that is
    asked about."""

    def ask_all(self, name, value):
        """All leaves, and where each lies: [(its index, path, steps to it, first byte, end)]."""
        leaves, spans, self.varies = facts.Leaves(self.job.max_leaves), [], False
        self.flatten(value, name, (), 0, leaves, spans)
        if not leaves and value.is_optimized_out:  # an array without a length
            leaves.append(Leaf(name, str(value.type), "optimized-out"))
        whole = leaves.close(name, str(value.type))
        # Where another variant may be the next time, there are other leaves.
        return (leaves, None if self.varies else spans) if whole is None else (whole, None)

    def ask_again(self, name, value, last, data):
        """Only the leaves whose bytes changed."""
        if last.spans is None:
            return self.ask_all(name, value)
        leaves, old = list(last.leaves), last.data
        for index, path, steps, lo, hi in last.spans:
            if old[lo:hi] == data[lo:hi]:
                continue
            part = value
            for step in steps:
                part = part[step]
            count = []
            self.leaf(part, path, count)
            leaves[index:index + len(count)] = count
        return leaves, last.spans

    def flatten(self, value, path, steps, bit, leaves, spans):
        """Appends the leaves of a value. What is partly gone is gone leaf by leaf."""
        kind = value.type.strip_typedefs()
        code = kind.code
        if code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
            bases = names.Bases()
            if not kind.fields() and kind.sizeof:
                try:  # an enum of Rust's of which no variant is chosen has no members, and is an error when printed
                    text = value.format_string(raw=True)
                except (gdb.error, RuntimeError) as error:
                    text = "<error reading variable: %s>" % error
                if text.startswith("<error"):
                    self.varies = True
                    leaves.append(self.failure(path, str(value.type), text))
                    return
            variants = self.is_variants(kind)
            self.varies |= variants
            for field in kind.fields():
                if variants and field.artificial:
                    continue  # the discriminant
                if hasattr(field, "bitpos"):  # else a static member
                    name = field.name if not field.is_base_class else bases.name(field.name or str(field.type))
                    self.part(value, field, field.type, "%s.%s" % (path, name) if name else path,
                              steps, bit + (field.bitpos or 0), leaves, spans)
                    if variants and not self.count(field.type) and not leaves.full(1):
                        leaves.append(Leaf("%s.%s" % (path, name), str(field.type), "value", "{}"))
            return
        if code == gdb.TYPE_CODE_ARRAY:
            try:
                low, high = kind.range()
                size = kind.target().sizeof * 8
            except (gdb.error, RuntimeError) as error:
                leaves.append(self.failure(path, str(value.type), error))
                return
            if not size or not kind.sizeof:
                return  # nothing, or flexible
            for i in range(low, high + 1):
                self.part(value, i, kind.target(), "%s[%d]" % (path, i), steps,
                          bit + (i - low) * size, leaves, spans)
                if leaves.missing:  # so it will go on
                    leaves.missing += (high - i) * self.count(kind.target())
                    return
            return
        if code == gdb.TYPE_CODE_FUNC or str(kind) in ("()", "!") or leaves.full(1):
            return
        # A bit-field's bits may lie in any of the bytes of its type: all of them are compared.
        spans.append((len(leaves), path, steps, bit // 8, bit // 8 + kind.sizeof + (bit % 8 != 0)))
        self.leaf(value, path, leaves)

    @staticmethod
    def is_variants(kind):
        """Whether a type is what an enum of Rust's is just now: a discriminant and one of its variants."""
        return any(field.artificial and hasattr(field, "bitpos") and field.type.code in INTEGERS
                   for field in kind.fields())

    def part(self, whole, step, kind, path, steps, bit, leaves, spans):
        """A member or an element. That it cannot be had is said of it, not of the whole."""
        if leaves.full(0):
            leaves.missing += self.count(kind)
            return
        try:
            value = whole[step]
        except (gdb.error, RuntimeError) as error:
            leaves.append(self.failure(path, str(kind), error))
            return
        self.flatten(value, path, steps + (step,), bit, leaves, spans)

    def count(self, kind):
        """How many leaves a type has, about."""
        kind = kind.strip_typedefs()
        try:
            if str(kind) in ("()", "!"):
                return 0
            if kind.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
                return sum(self.count(field.type) for field in kind.fields()
                           if hasattr(field, "bitpos"))
            if kind.code == gdb.TYPE_CODE_ARRAY:
                low, high = kind.range()
                return (high - low + 1) * self.count(kind.target()) if kind.sizeof else 0
        except (gdb.error, RuntimeError):
            pass
        return 2 if kind.code == gdb.TYPE_CODE_COMPLEX else 1

    @staticmethod
    def failure(path, kind, error):
        """What gdb said instead of a value."""
        state = "optimized-out" if gone(error) else "error"
        return Leaf(path, kind, state, message=str(error))

    def leaf(self, value, path, leaves):
        """Appends a scalar's leaf, or the two of a complex number."""
        kind = value.type.strip_typedefs()
        name = str(value.type)
        try:
            if kind.code == gdb.TYPE_CODE_COMPLEX:
                self.complex_leaves(value, kind, path, leaves)
                return
            text, enumerator = self.text(value, kind)
            leaves.append(Leaf(path, name, "value", text, enumerator))
        except (gdb.error, RuntimeError) as error:
            if SYNTHETIC in str(error) and kind.code in ADDRESSES + INTEGERS:
                leaves.append(Leaf(path, name, "value", "implicit"))
            else:
                leaves.append(self.failure(path, name, error))
        except (NotAsked, OverflowError, ValueError, TypeError) as error:
            leaves.append(facts.not_asked(path, name, error))

    def text(self, value, kind):
        """Canonical text and enumerator of a scalar."""
        code = kind.code
        if code in ADDRESSES or code in INTEGERS:
            if value.address is None and SYNTHETIC in value.format_string(raw=True):
                return "implicit", None
            if code in REFERENCES:
                return texts.pointer_text(int(value.referenced_value().address)), None
            if code == gdb.TYPE_CODE_PTR:
                return texts.pointer_text(int(value)), None
            if kind.sizeof <= 8:
                number = int(value)
            else:  # wider than Python's door to gdb
                text = value.format_string(format="d" if self.is_signed(kind) else "u")
                if gone(text):
                    raise gdb.error(text)
                number = int(text)
            return str(number), self.enumerator(kind, number) \
                if code == gdb.TYPE_CODE_ENUM else None
        if code == gdb.TYPE_CODE_FLT:
            how = texts.float_format(kind.sizeof, str(kind))
            if how:
                return texts.float_text(how, self.data(value, kind.sizeof)), None
        if code in MEMBERS:  # the number that it is
            return str(int.from_bytes(self.data(value, kind.sizeof), "little", signed=True)), None
        text = value.format_string(raw=True)
        if code == gdb.TYPE_CODE_ERROR:
            raise gdb.error(text)  # gdb does not know the type, and prints its name for a value
        return text, None

    @staticmethod
    def is_signed(kind):
        return kind.is_signed if hasattr(kind, "is_signed") else "unsigned" not in str(kind)

    def enumerator(self, kind, number):
        name = str(kind)
        if name not in self.enumerators:
            self.enumerators[name] = {}
            for field in kind.fields():
                self.enumerators[name].setdefault(field.enumval, field.name)
        return self.enumerators[name].get(number)

    def data(self, value, size):
        """The bytes of a number, wherever it is."""
        if value.is_optimized_out:
            raise gdb.error("value has been optimized out")
        if value.address is not None:
            return bytes(self.inferior.read_memory(int(value.address), size))
        return self.from_hex(value.format_string(format="x", raw=True), size)

    @staticmethod
    def from_hex(text, size):
        """The bytes of a number as print/x has it: these are a float's, too."""
        try:
            return int(text, 16).to_bytes(size, "little")
        except (ValueError, OverflowError):
            # In angle brackets gdb says why there is no number.
            raise gdb.error(text) if text.startswith("<") else NotAsked("no bytes of it: %s" % text)

    def complex_leaves(self, value, kind, path, leaves):
        part, names = kind.target(), (path + ".real", path + ".imag")
        if value.is_optimized_out:  # one of its parts may be there
            for name, its in zip(names, self.complex_parts(value)):
                self.leaf(its, name, leaves)
            return
        size = kind.sizeof // 2
        if value.address is not None:
            data = self.data(value, 2 * size)
            parts = data[:size], data[size:]
        else:  # `0x1 + 0x2i`
            words = value.format_string(format="x", raw=True).rstrip("i").split(" + ")
            parts = [self.from_hex(word, size) for word in words]
        for name, its in zip(names, parts):
            if part.code == gdb.TYPE_CODE_FLT:
                text = texts.float_text(texts.float_format(part.sizeof, str(part)), its)
            else:
                text = str(int.from_bytes(its, "little", signed=self.is_signed(part)))
            leaves.append(Leaf(name, str(part), "value", text))

    @staticmethod
    def complex_parts(value):
        """What gdb says of the parts of a complex number of which one is gone."""
        try:
            gdb.set_convenience_variable("xstep_complex", value)
            return [gdb.parse_and_eval("$_c%s($xstep_complex)" % part) for part in ("real", "imag")]
        except (AttributeError, gdb.error):  # before gdb 10
            raise gdb.error("value has been optimized out")
