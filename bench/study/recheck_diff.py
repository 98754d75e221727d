#!/usr/bin/python3
"""recheck_diff.py - does the DWARF, as others decode it, bear out what xstep diff blames debuggers for?

Takes the trace stores that diff_table.py keeps. Each verdict of `xstep diff` is looked at once more
with what llvm-dwarfdump and objdump print of the program: the entries around the pc, their ranges and
locations, the rows of the line table. Nothing of xstep's own reading goes into that, only its words.

Prints, for each mistake that a witness is blamed for, how many verdicts are borne out, how many are
not, and of how many nothing is known here. --write FILE makes a table of so many (--sample N) of
them, taken in turns from all signatures: build, id, verdict, and the evidence in one line, to be read by a
person: bench/study/checked_verdicts.tsv is such a table. --replay N makes the builds of that table again
until N rows of it have been seen, and has each verdict given once more. Exit status 1 if a verdict is
not borne out, or not given again.
"""
import argparse
import collections
import functools
import itertools
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import diff_table
import e2e
import line_rows
import recheck_calls
import subject_dies

STORE = re.compile(r"(.*?)(-O\w)-(.*)\.db")
BIAS = 0x555555554000  # of a position independent program without randomisation
LIMIT_SECONDS = 600
TABLE = e2e.HERE / "checked_verdicts.tsv"


@functools.lru_cache(maxsize=4)
def read_program(program):
    return subject_dies.read(program), line_rows.read(program)


class Case:
    """A discrepancy, and what there is about its variable."""

    def __init__(self, told, program):
        self.told = told
        self.program = program
        self.dies, self.sequences = read_program(program)
        self.name, self.scope = told["var"], told["scope"]
        self.line = told["decl"]["line"] if told["decl"] else 0
        pc = told["frame_pc"] or told["stop"]["pc"]
        self.pc = int(pc, 16) if pc and "+" not in pc else None

    def says(self, who):
        return self.told["facts"].get(who, {"state": None, "value": None, "message": None})

    def all(self):
        """Every entry of the variable."""
        return [die for (name, line), dies in self.dies.variables.items() for die in dies
                if name == self.name and (not self.line or line == self.line)]

    def holds(self, die):
        return any(lo <= self.pc < hi for lo, hi in die.ranges or ())

    def is_in_scope(self, die):
        """Whether all blocks around an entry have code at the pc."""
        around = [d for d in die.around() if d.tag in subject_dies.CODE]
        return all(map(self.holds, around))

    def concrete(self):
        """The entries in scope, in the right function."""
        found = [die for die in self.all() if self.is_in_scope(die)]
        of_function = [die for die in found
                       if die.function() is None or die.function().name == self.scope]
        return of_function or found

    def functions(self):
        """The functions and inlined calls of that name at the pc."""
        return [die for die in self.dies.by_offset.values()
                if die.tag in subject_dies.FUNCTIONS and self.holds(die) and
                (not self.scope or die.name == self.scope)]

    def abstract(self):
        """The entries that have no code around them."""
        return [die for die in self.all()
                if die.function() is not None and not die.function().ranges]

    def instances(self, abstract):
        """Of an abstract variable, in the functions at the pc."""
        return [die for function in self.functions() for die in deep(function)
                if abstract in die.origins()]

    def location(self, die):
        """The expression that the pc selects; None if there is none."""
        if die.locations:
            return next((text for lo, hi, text in die.locations if lo <= self.pc < hi), None)
        return die.get("DW_AT_location")

    def rows(self):
        """The rows at the greatest address up to the pc."""
        return next((s.at(self.pc) for s in self.sequences if s.lo <= self.pc < s.hi), [])

    def line_by(self, who):
        """The line that a witness says."""
        value = self.says(who)["value"] or ""
        return int(value.rsplit(":", 1)[-1]) if value.rsplit(":", 1)[-1].isdigit() else None


def deep(die):
    """All entries inside of one, those of inlined calls too."""
    for child in die.children:
        yield child
        yield from deep(child)


# --- what would have to be true, by mistake -----------------------------------------------------------
# Each returns the evidence in a line, or None if there is none.

def omitted_block(case):
    for abstract in case.abstract():
        blocks = list(abstract.blocks_around())
        if case.instances(abstract) or not blocks:
            continue
        if not any(function.has_block(blocks[0]) and any(
                blocks[0] in d.origins() and case.holds(d) for d in function.inside())
                for function in case.functions()):
            return f"0x{abstract.offset:x} is in the block 0x{blocks[0].offset:x}, of which no " \
                   f"instance at the pc has code"
    return None


def listed_twice(case):
    found = case.concrete()
    if len(found) == 1 and any(found[0].origins()):
        return f"0x{found[0].offset:x} is the only entry of it in scope"
    return None


def inner_block(case):
    elsewhere = [die for die in case.all() if die.function() is not None and die.function().ranges
                 and not (case.is_in_scope(die) and die.function().name == case.scope)
                 and any(die.origins())]
    if elsewhere and not [d for d in case.concrete() if d.function().name == case.scope]:
        return f"0x{elsewhere[0].offset:x} is in a block or call that is not the function's at the pc"
    return None


def no_location(case):
    for die in case.concrete():
        if case.location(die) is None and die.get("DW_AT_const_value") is None and \
                not die.locations:
            return f"0x{die.offset:x} is in scope and has neither location nor constant"
    for abstract in case.abstract():
        parents = [d for f in case.functions() for d in (f, *f.inside())
                   if abstract.parent in d.origins() and case.holds(d)]
        if parents and not case.instances(abstract):
            return f"0x{abstract.offset:x} belongs to 0x{parents[0].offset:x} at the pc, which " \
                   "leaves it out: it has no location"
    return None


def operator(*names):
    def has(case):
        for die in case.concrete():
            location = case.location(die) or ""
            for name in names:
                if name in location:
                    return f"0x{die.offset:x}: {location.strip().rstrip(')')[:100]}"
        return None
    return has


def constant(case):
    for die in case.concrete():
        if die.get("DW_AT_const_value"):
            return f"0x{die.offset:x}: DW_AT_const_value ({die.get('DW_AT_const_value')}"
    return operator("DW_OP_implicit_value")(case)


def address_value(case):
    for die in case.concrete():
        found = re.search(r"DW_OP_addr (0x\w+)(?:, DW_OP_plus_uconst (0x\w+))?, DW_OP_stack_value",
                          case.location(die) or "")
        if not found:
            continue
        address = int(found.group(1), 16) + int(found.group(2) or "0", 16)
        said = {who: int(case.says(who)["value"], 16) for who in ("xstep", "lldb")}
        if said["xstep"] == address + BIAS and said["lldb"] == address:
            return f"0x{die.offset:x}: {found.group(0)}; it was loaded at 0x{BIAS:x}"
    return None


def short_pieces(case):
    for die in case.concrete():
        size, pieces = die.size(), die.pieces(case.pc)
        if pieces and pieces < size:
            return f"0x{die.offset:x} has {size} bytes, its pieces {pieces}"
    return None


def gap(case):
    found = short_pieces(case)
    if found:
        return found
    for die in case.concrete():
        location = case.location(die)
        if location is None:
            return f"0x{die.offset:x} has no location at the pc"
        if re.search(r"(^|, |\t\()DW_OP_(bit_)?piece", location):
            return f"0x{die.offset:x} has a piece that is nowhere: {location[:80]}"
    return None


def future_scope(case):
    here = case.told["stop"]["line"]
    inner = [die for (name, line), dies in case.dies.variables.items() for die in dies
             if name == case.name and line > here and case.is_in_scope(die)]
    if inner:
        return f"0x{inner[0].offset:x}, declared on line {inner[0].line}, is not yet in scope on " \
               f"line {here}"
    return None


def abstract_hides(case):
    found = case.concrete()
    others = [die for (name, _), dies in case.dies.variables.items() for die in dies
              if name == case.name and die.function() is not None and not die.function().ranges]
    if found and others:
        return f"0x{found[0].offset:x} is in scope; {len(others)} abstract ones have its name"
    return None


def empty_first_entry(case):
    for die in case.concrete():
        if die.locations and die.locations[0][0] == die.locations[0][1] and \
                case.dies.is_entry(case.pc):
            lo, hi, text = die.locations[0]
            return f"0x{die.offset:x}: the first entry is [0x{lo:x}, 0x{hi:x}): {text[:60]}"
    return None


def bit_field(case):
    member = case.told["path"].rsplit(".", 1)[-1]
    if case.dies.is_bit_field(member) and case.says("gdb")["value"] == case.says("xstep")["value"]:
        return f"{member} is a bit-field; gdb agrees with xstep"
    return None


def block_without_code(case):
    for die in case.all():
        if die.without_code():
            return f"0x{die.offset:x} is in a block without any pc attribute"
    return None


def empty_scope_range(case):
    if not case.name:
        return recheck_calls.empty_range_of_frame(case)
    for die in case.concrete():
        root = next((d for d in die.around() if d.tag == "DW_TAG_subprogram"), None)
        for block in deep(root) if root else ():
            empty = [lo for lo, hi in block.ranges or () if lo == hi]
            if block.tag in subject_dies.CODE and empty:
                return f"0x{die.offset:x} is in scope; block 0x{block.offset:x} of its function has " \
                       f"the empty range [0x{empty[0]:x}, 0x{empty[0]:x})"
    return None


def agreed(shows):
    """gdb says the same as xstep, and there is that."""
    def both(case):
        ours, theirs = case.says("xstep"), case.says("gdb")
        found = shows(case)
        same = (ours["state"], ours["value"]) == (theirs["state"], theirs["value"])
        return f"{found}; gdb agrees with xstep" if found and same else None
    return both


def clobbered_register(case):
    for die in case.concrete():
        location = case.location(die) or ""
        if case.told["frame"] and re.search(r"DW_OP_b?reg(?:[01245]|8|9|1[01]) ", location):
            return f"0x{die.offset:x}, of a caller's frame: {location.strip().rstrip(')')[:80]}"
    return None


def line_row(wanted):
    def shows(case):
        rows = case.rows()
        if not rows or rows[-1].line != case.line_by("xstep"):
            return None
        others = [row for row in rows[:-1] if row.line == case.line_by("gdb")]
        if wanted == "is-stmt-row" and any(row.is_stmt for row in others) and not rows[-1].is_stmt \
                or wanted == "other-row-at-address" and others \
                or wanted == "no-stmt-row" and not rows[-1].is_stmt \
                or wanted == "line-0" and rows[-1].line == 0:
            return f"rows at 0x{rows[-1].address:x}: " + ", ".join(
                f"{row.line}{'' if row.is_stmt else ' (not is_stmt)'}" for row in rows)
        return None
    return shows


EVIDENCE = {
    "gdb:omitted-block": omitted_block,
    "gdb:listed-twice": listed_twice,
    "gdb:inner-block": inner_block,
    "gdb:abstract-hides": abstract_hides,
    "gdb:empty-first-entry": empty_first_entry,
    "gdb:behind-pieces": short_pieces,
    "gdb:synthetic-pointer": gap,
    "gdb:future-scope": future_scope,
    "lldb:future-scope": future_scope,
    "lldb:no-location-not-listed": no_location,
    # llvm-dwarfdump 15 does not know the operator: 0xa0 is DW_OP_implicit_pointer.
    "lldb:implicit-pointer": operator("DW_OP_implicit_pointer", "DW_OP_GNU_implicit_pointer",
                                      "<decoding error> a0 "),
    "lldb:entry-value": operator("DW_OP_entry_value", "DW_OP_GNU_entry_value"),
    "lldb:bit-piece": operator("DW_OP_bit_piece"),
    "lldb:div": operator("DW_OP_div"),
    "lldb:deref-size": operator("DW_OP_deref_size"),
    "lldb:typed": operator("DW_OP_convert", "DW_OP_const_type", "DW_OP_regval_type",
                           "DW_OP_deref_type"),
    "lldb:constant-data": constant,
    "lldb:address-value": address_value,
    "lldb:gap-as-0": gap,
    "lldb:bit-field": bit_field,
    "gdb:callee-leftover": clobbered_register,
    # 0xfd is DW_OP_GNU_variable_value, 0xfa DW_OP_GNU_parameter_ref.
    "lldb:gnu-operator": operator("DW_OP_GNU_", "<decoding error> fd ", "<decoding error> fa "),
    "lldb:piece": agreed(operator("DW_OP_piece")),
    "lldb:arithmetic": agreed(operator("DW_OP_sh", "DW_OP_l", "DW_OP_g", "DW_OP_mod")),
    "lldb:empty-scope-range": empty_scope_range,
    "gdb:block-without-code": block_without_code,
    "producer:pieces-short": short_pieces,
    "gdb:is-stmt-row": line_row("is-stmt-row"),
    "gdb:other-row-at-address": line_row("other-row-at-address"),
    "gdb:no-stmt-row": line_row("no-stmt-row"),
    "gdb:line-0": line_row("line-0"),
    **recheck_calls.EVIDENCE,
}


def parts(signature):
    """`gdb:why` and so on."""
    return re.findall(r"\b(?:gdb|lldb|xstep|producer):[^ ,]+", signature)


def check(store, counts, open_ones):
    """Yields (signature, row of the table) for what is borne out."""
    result = e2e.xstep("diff", "--format", "json", store, timeout=LIMIT_SECONDS)
    if result.returncode not in (0, 1):
        raise RuntimeError(f"{result.rerun}: {result.stderr}")
    told = json.loads(result.stdout)
    named = STORE.fullmatch(store.name)
    source, level, compiler = named.groups() if named else (store.stem, "", "")
    for one in told["discrepancies"]:
        case, evidence = Case(one, told["subject"]), []
        for part in parts(one["signature"]):
            if part not in EVIDENCE:
                counts[part]["unknown"] += 1
                continue
            found = EVIDENCE[part](case)
            counts[part]["borne out" if found else "not"] += 1
            if found and found not in evidence:
                evidence.append(found)
            if not found:
                open_ones.append(f"{store.name} {one['id']} {part}: {one['path']} at {one['frame_pc']}")
        # What main was called with is known only where libc's own DWARF is installed.
        if evidence and not ("entry-value" in one["signature"] and one["scope"] == "main"):
            yield one["signature"], "\t".join([source, compiler, level, one["id"],
                                               one["signature"], "; ".join(evidence)])


def replay(table, count):
    """The builds with the most rows first: which verdicts are not given again."""
    builds = collections.defaultdict(dict)
    for line in table.read_text().splitlines():
        source, compiler, level, number, signature, _ = line.split("\t")
        builds[source, compiler, level][number] = signature
    seen, lost = 0, []
    for (source, compiler, level), wanted in sorted(builds.items(), key=lambda b: -len(b[1])):
        if seen >= count:
            break
        program = e2e.compile(diff_table.source_of(source), compiler, diff_table.flags(level))
        result = e2e.xstep("diff", "--format", "json", program, timeout=LIMIT_SECONDS)
        if result.returncode != 1:
            lost.append(f"{result.rerun}: {result.stderr[-500:]}")
            continue
        now = {one["id"]: one["signature"] for one in json.loads(result.stdout)["discrepancies"]}
        lost += [f"{result.rerun}: {number} was {signature}, is {now.get(number)}"
                 for number, signature in wanted.items() if now.get(number) != signature]
        seen += len(wanted)
    print(f"{seen} verdicts given again, {len(lost)} not as they were")
    print("\n".join(lost), file=sys.stderr)
    return 1 if lost or seen < count else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keep", type=pathlib.Path, default=e2e.CACHE / "diff-table")
    parser.add_argument("--store", type=pathlib.Path, help="this one alone")
    parser.add_argument("--write", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--replay", type=int, metavar="N")
    options = parser.parse_args()
    if options.replay:
        said = e2e.xstep("witness", "--json").stdout
        if "13.1" not in said or "lldb version 15" not in said:
            print("skipped: the table is of gdb 13.1 and lldb 15")
            return 77
        return replay(TABLE, options.replay)
    counts, open_ones = collections.defaultdict(collections.Counter), []
    by_signature = collections.defaultdict(lambda: collections.defaultdict(list))
    for store in [options.store] if options.store else sorted(options.keep.glob("*.db")):
        if options.store or STORE.fullmatch(store.name) and not store.name.endswith(".new.db"):
            for signature, row in check(store, counts, open_ones):
                by_signature[signature][store.name].append(row)
    for part, how in sorted(counts.items()):
        print(f"{part:36}" + "".join(f"{how[word]:8} {word}" for word in ("borne out", "not", "unknown")))
    print("\n".join(open_ones[:50]), file=sys.stderr)
    if options.write:
        # In turns from the signatures, and for each in turns from the builds.
        queues = [itertools.chain.from_iterable(
            filter(None, row) for row in itertools.zip_longest(*builds.values()))
            for builds in by_signature.values()]
        turns = itertools.chain.from_iterable(itertools.zip_longest(*queues))
        rows = list(itertools.islice(filter(None, turns), options.sample))
        options.write.write_text("".join(row + "\n" for row in sorted(rows)))
    return 1 if open_ones else 0


if __name__ == "__main__":
    sys.exit(main())
