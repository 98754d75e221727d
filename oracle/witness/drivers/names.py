"""names.py - what parts of a value are called in a path, the same for every witness: see dwarf/leaf.h."""
import re


def last_name(text):
    """The last component of a qualified name, without the arguments of templates: `Box` of `ns::Box<int>`."""
    kept, depth = [], 0
    for char in text:
        depth += (char == "<") - (char == ">")
        if not depth and char != ">":
            kept.append(char)
    return "".join(kept).rsplit("::", 1)[-1].strip()


def local_name(text):
    """The name of a variable of a function's: lldb has a static of a function that is in several units by its
    linkage name, `ns::f(int) const::here`."""
    found = re.search(r"\)(?: const| volatile| &&?)*::([^:()]+)$", text or "")
    return found[1] if found else text


class Bases:
    """The names of the base classes of one class, in their order: of several alike the second is `Base#2`."""

    def __init__(self):
        self.seen = {}

    def name(self, text):
        last = last_name(text)
        self.seen[last] = self.seen.get(last, 0) + 1
        return last if self.seen[last] == 1 else "%s#%d" % (last, self.seen[last])
