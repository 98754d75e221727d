#!/usr/bin/python3
"""drivers_test.py - what the drivers of all debuggers share, without a debugger."""
import pathlib
import random
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "oracle/witness/drivers"))
import e2e
import facts
import job
import outwards
import scopes
import texts
import walk


class Common(e2e.TestCase):
    def test_sampling_is_the_fixed_function(self):
        self.assertEqual(walk.mix(0), 0)
        self.assertEqual(walk.mix(1), 0x5692161d100b05e5)
        for before, prev, pc, seed in ((1, None, 0x1139, 0), (7, 0x1139, 0x113d, 0),
                                       (1000, 0x401000, 0x401005, 2 ** 64 - 1)):
            p = 2 ** 64 - 1 if prev is None else prev
            h = walk.mix(seed ^ walk.mix(p ^ walk.mix(pc ^ walk.mix(before))))
            self.assertEqual(walk.next_sampled(seed, prev, pc, before), before * 2 ** 64 // h + 1)
        self.assertEqual(walk.next_sampled(5, 1, 2, 0), 1)
        kept, before = [], 0
        while before is not None and before < 1000:  # as docs/sampling.md has it
            kept.append(before + 1)
            before = walk.next_sampled(0, 0x117e, 0x1149, before)
        self.assertEqual(kept, [1, 2, 19, 61, 77, 105, 127, 336])

    def test_floats_read_back(self):
        some = random.Random(1)
        for form, kind in (("<f", "single"), ("<d", "double")):
            for _ in range(2000):
                data = some.randbytes(struct.calcsize(form))
                text = texts.float_text(kind, data)
                if "nan" not in text:
                    self.assertEqual(struct.pack(form, float(text)), data, text)
        for kind, data, text in (("double", struct.pack("<d", 0.1), "0.1"),
                                 ("double", struct.pack("<d", 1e22), "1e+22"),
                                 ("double", struct.pack("<d", 5e-324), "5e-324"),
                                 ("double", struct.pack("<d", -0.0), "-0"),
                                 ("single", struct.pack("<f", 16777216), "16777216"),
                                 ("single", bytes.fromhex("0100c07f"), "nan(0x400001)"),
                                 ("half", bytes.fromhex("003e"), "1.5"),
                                 ("x87", bytes.fromhex("cdccccccccccccccfb3f"), "0.1"),
                                 ("quad", bytes(14) + bytes.fromhex("fe3f"), "0.5"),
                                 ("double", struct.pack("<d", float("-inf")), "-inf")):
            self.assertEqual(texts.float_text(kind, data), text)

    def test_only_changes_are_told(self):
        def group(leaves, frame=0):
            return facts.Group([facts.Variable("a.c", "main", "s", "a.c", 3, 1, frame, False, leaves)])

        def told(known, groups):
            """[(path, frame, state, value)]: who a leaf is is told once, and is a number from then on."""
            entries = []
            for entry in known.update(groups):
                if isinstance(entry, dict):
                    known.paths.append(entry["path"])
                    entries.append((entry["path"], entry["frame"], entry["state"], entry["value"]))
                else:
                    number, frame, _, state, *value = entry
                    entries.append((known.paths[number], frame, state, value[0] if value else None))
            return entries

        one = [facts.Leaf("s.a", "int", "value", "1"), facts.Leaf("s.b", "int", "value", "2")]
        two = [one[0], facts.Leaf("s.b", "int", "value", "3")]
        gone = [facts.Leaf("s", "struct", "optimized-out")]
        for moves in (True, False):
            known = facts.Facts(moves)
            known.paths = []
            self.assertEqual(told(known, [group(one)]), [("s.a", 0, "value", "1"), ("s.b", 0, "value", "2")])
            same = group(list(one))
            self.assertEqual(told(known, [same]), [])
            self.assertEqual(told(known, [same]), [])
            self.assertEqual(told(known, [group(two)]), [("s.b", 0, "value", "3")])
            # That only its frame has another number is told to who wants that.
            self.assertEqual(told(known, [group(two, 1)]),
                             [("s.a", 1, "value", "1"), ("s.b", 1, "value", "3")] if moves else [])
            self.assertEqual([(path, state) for path, _, state, _ in told(known, [group(gone)])],
                             [("s.a", "absent"), ("s.b", "absent"), ("s", "optimized-out")])
            self.assertEqual([state for _, _, state, _ in told(known, [])], ["absent"])

    def test_what_a_waiting_frame_depends_on(self):
        """Registers of all entries that hold the return address or the one before it; of what is unknown, nothing."""
        waiting = job.Waiting([["a", 3, [0x10, 0x20, 1 << 3, 0x20, 0x30, -1]], ["b", 4, [0, 1 << 62, 1 << 12]],
                               ["c", 5, []], ["d", 6, [0x18, 0x18, 1 << 15]]])
        self.assertEqual(waiting.needs("a", 3, 0x18), 1 << 3)
        self.assertEqual(waiting.needs("a", 3, 0x10), 1 << 3)
        self.assertIsNone(waiting.needs("a", 3, 0x20))
        self.assertIsNone(waiting.needs("a", 3, 0x30))
        self.assertEqual(waiting.needs("a", 3, 0x31), 0)
        self.assertEqual(waiting.needs("c", 5, 0x18), 0)
        self.assertEqual(waiting.needs("d", 6, 0x18), 1 << 15)
        self.assertIsNone(waiting.needs("a", 4, 0x18))
        needs = waiting.of([("a", 3), ("e", 7), ("b", 4)], 0x18)
        self.assertEqual(needs.names, ["rbx", "r12"])
        self.assertEqual([needs.depends(i, 0, "value") for i in range(3)], [0, None, 0])

    def test_a_register_that_the_callee_may_write(self):
        """Where the debugger has a value of it, that may change: what it said of a variable there does not stay. That
        it said `optimized-out` does: it did not take it from there."""
        rbx, rax, outward = 1 << 3, 1 << 0, job.Waiting.OUTWARD
        needs = job.Needs([rbx, rax, outward, outward | rax])
        has = {"rbx": 7, "rax": 5}
        said, unsteady = needs.read(has.get)
        self.assertEqual((said, unsteady), ((7, None), rax))
        self.assertEqual([needs.depends(i, unsteady, "value") for i in range(4)], [0, None, outward, None])
        self.assertEqual([needs.depends(i, unsteady, "optimized-out") for i in range(4)], [0, 0, outward, outward])
        has["rax"] = "not saved"
        said, unsteady = needs.read(has.get)
        self.assertEqual((said, unsteady), ((7, "not saved"), 0))
        self.assertEqual(needs.depends(1, unsteady, "value"), 0)

    def test_calls_that_wait_are_asked_about_where_something_changed(self):
        """Two calls, a stack of 32 bytes; the nearer one has a variable of which nobody knows what it depends on."""
        memory, registers, asked = bytearray(64), {"rsp": 16, "rbx": 1}, []

        def peek(address, size):
            return bytes(memory[address:address + size])

        def call(name, sp, known):
            def ask():
                asked.append(name)
                scope = scopes.Scope(1, peek)
                scope.look(lambda _: (["leaf"], (sp, 4) if known else None))
                return outwards.Told("%s %d" % (name, len(asked)), scope)
            return name, sp, ask

        def tell(some):
            asked.clear()
            return waiting.tell(some, lambda: 48)

        waiting = outwards.Outwards(peek, lambda sp, name: sp if name == "rsp" else registers.get(name, "none"))
        calls = [call("near", 16, False), call("far", 32, True)]
        self.assertEqual(tell(calls), ["near 1", "far 2"])
        self.assertEqual(tell(calls), ["near 1", "far 2"])
        self.assertEqual(asked, ["near"])  # each time
        memory[20] = 1  # of the nearer one
        tell(calls)
        self.assertEqual(asked, ["near"])
        memory[40] = 1
        tell(calls)
        self.assertEqual(asked, ["near", "far"])
        registers["rbx"] = 2
        tell(calls)
        self.assertEqual(asked, ["near", "far"])
        memory[50] = 1  # behind the stack
        tell(calls)
        self.assertEqual(asked, ["near"])
        tell(calls[1:])  # the nearer one has returned
        self.assertEqual(asked, [])
        tell([call("new", 8, True)] + calls)
        self.assertEqual(asked, ["new", "near"])
        # A stack that does not grow towards the nearer one is none.
        odd = [call("up", 40, True), call("down", 24, True)]
        tell(odd)
        tell(odd)
        self.assertEqual(asked, ["up"])

    def test_a_scope_asks_where_bytes_changed(self):
        memory, asked = bytearray(range(16)), []

        def ask(i):
            asked.append(i)
            # Two in memory, one that is nowhere, one that depends on nobody knows what.
            home = ((0, 4), (8, 4), (), None)[i]
            return [i, bytes(memory[home[0]:home[0] + 4]) if home else None], home

        scope = scopes.Scope(4, lambda address, size: bytes(memory[address:address + size]))
        def group():
            return facts.Group([facts.Variable("a.c", "main", "v%d" % i, "a.c", 1, 1, 0, False, leaves)
                                for i, leaves in enumerate(scope.leaves)])

        first = list(scope.look(ask))
        told = scope.told("by", group)
        self.assertEqual(asked, [0, 1, 2, 3])
        asked.clear()
        memory[9] = 99
        second = scope.look(ask)
        self.assertEqual(asked, [1, 3])
        self.assertIs(second[0], first[0])
        self.assertEqual(second[1], [1, bytes([8, 99, 10, 11])])
        # What is told anew is what changed, and the rest is the same to the object.
        now = scope.told("by", group)
        self.assertEqual([told.known[key] is now.known[key] for key in now.keys],
                         [True, False, True, False])
        self.assertEqual([now.known[key].leaves for key in now.keys], scope.leaves)
        self.assertIs(scope.told("by", group), now)
        self.assertIsNot(scope.told("otherwise", group), now)
        asked.clear()
        scope.look(ask, everything=True)
        self.assertEqual(asked, [0, 1, 2, 3])


if __name__ == "__main__":
    e2e.main()
