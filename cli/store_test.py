#!/usr/bin/python3
"""store_test.py - the trace store, end to end: what goes in comes out, whatever happens meanwhile.

XSTEP_STORE_FULL=1 runs the full figures: 1,000 rebuilt states, 200 killed writers, 1,000 traces in a
store."""
import json
import os
import pathlib
import pty
import random
import re
import resource
import select
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import compare_steps
import e2e

FULL = bool(os.environ.get("XSTEP_STORE_FULL"))
DOCS = e2e.TOP / "docs"
WHOLE = ("--vars", "all", "--frames", "--regs", "--format", "json")


def some(few, many):
    return many if FULL else few


class StoreCase(e2e.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.file = self.folder / "trace.db"
        self.demo = e2e.compile("demo.c", e2e.GCC, ("-g", "-O1"))

    def record(self, program, *words, file=None):
        return self.expect(e2e.xstep("trace", "-o", file or self.file, *words, program))

    def show(self, *words, file=None):
        return self.expect(e2e.xstep("show", file or self.file, *words)).stdout

    def check(self, file=None):
        result = self.expect(e2e.xstep("store", "check", file or self.file))
        self.assertEqual(result.stdout, "")

    def sql(self, query, *values, file=None):
        connection = sqlite3.connect(file or self.file)
        try:
            return connection.execute(query, values).fetchall()
        finally:
            connection.close()


def said(fact):
    """What a fact says of its leaf."""
    return [fact[name] for name in ("state", "value", "message", "type", "shadowed", "declared")]


def identity(fact, frames):
    """Which leaf it is of; `frames` is how many there are at the stop that it is seen from."""
    local = fact["scope"] and not fact["scope"].endswith(".c")
    return (fact["scope"], fact["var"], fact["decl"]["line"],
            frames - fact["frame"] if local else 0, fact["path"])


def circumstances(number):
    """Where and among what xstep itself runs, which is nothing to the program: which cores it may use, and
    its environment."""
    cores = sorted(os.sched_getaffinity(0))

    def prepare():
        e2e.leave_nothing()
        os.sched_setaffinity(0, {cores[number % len(cores)]})
    return {"preexec_fn": prepare, "env": {**os.environ, "XSTEP_TEST_PADDING": "x" * 100 * number}}


def programs():
    yield e2e.compile("demo.c", e2e.GCC, ("-g", "-O1"))
    if e2e.some(False, True):
        yield e2e.compile("leave_callback.c", e2e.GCC, ("-g", "-O0"))
    yield e2e.compile("leave_longjmp.c", e2e.CLANG, ("-g", "-O2"))
    yield e2e.compile("types_all.c", e2e.GCC, ("-g", "-O0"))
    yield e2e.compile("leave_free.c", e2e.GCC, ("-g", "-O0"))


class RoundTrip(StoreCase):
    """What is read is what was written."""

    def test_show_prints_what_trace_does(self):
        for number, program in enumerate(programs()):
            for sample in ("dtd", "all", "unique"):
                with self.subTest(f"{program.name} {sample}"):
                    file = self.folder / f"{number}{sample}.db"
                    self.record(program, "--sample", sample, file=file)
                    plain = self.expect(e2e.xstep("trace", "--sample", sample, *WHOLE, program))
                    self.expect_same_text([
                        (f"xstep show {file} --format json", self.show("--format", "json", file=file)),
                        (plain.rerun, plain.stdout)])
                    self.check(file)

    def test_runs_and_modes_give_the_same(self):
        # The last one has variables that nobody gave a value: they are the same, too.
        for program in (*programs(), self.subject()):
            shown = []
            for i, mode in enumerate(("exact", "exact", "single")):
                file = self.folder / f"{program.name}{i}.db"
                words = ("trace", "-o", file, "--mode", mode, "--seed", 3, "--limit", 5000, program)
                recorded = self.expect(e2e.xstep(*words, **circumstances(i)))
                shown.append((recorded.rerun, self.show("--format", "json", file=file)))
            self.expect_same_text(shown)

    def test_seeds_choose_different_stops(self):
        program = e2e.compile("leave_callback.c", e2e.GCC, ("-g", "-O0"))
        said = [self.expect(e2e.xstep("trace", "--seed", seed, "--format", "json", program)).stdout
                for seed in range(4)]
        self.assertGreater(len(set(said)), 1)

    @e2e.smoke
    def test_control_facts_alone(self):
        self.record(self.demo, "--sample", "none")
        plain = self.expect(e2e.xstep("trace", "--sample", "none", "--format", "json", self.demo))
        self.assertEqual(self.show("--format", "json"), plain.stdout)
        self.check()

    def subject(self):
        if not shutil.which("csmith"):
            return e2e.compile("types_all.c", e2e.GCC, ("-g", "-O0"))
        source = next(iter(compare_steps.csmith_sources(1, e2e.CACHE / "csmith")))
        return e2e.compile(source, e2e.GCC, ("-g", some("-O2", "-O0"), "-I/usr/include/csmith"))

    def state(self, file, number):
        """The state at a stop: leaves by identity, registers, frames."""
        shown = json.loads(self.show("--at", number, "--format", "json", file=file))
        frames = len(shown["frames"])
        return ({identity(fact, frames): said(fact) for fact in shown["vars"]}, shown["regs"],
                shown["frames"])

    def test_states_are_rebuilt(self):
        """From the store of a sampled trace, against the states that a trace of all stops tells."""
        program, limit = self.subject(), some(2500, 10**6)
        self.record(program, "--limit", limit)
        kept = [number for number, in self.sql("SELECT number FROM stop WHERE trace = 1")]
        chosen = set(random.Random(5).sample(kept, min(len(kept), some(60, 1000))))
        in_sql = set(random.Random(6).sample(sorted(chosen), 12))
        with subprocess.Popen([e2e.XSTEP, "trace", "--sample", "all", *WHOLE, "--limit",
                               str(limit), program], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, preexec_fn=e2e.leave_nothing) as trace:
            leaves, registers, frames, whole = {}, {}, 0, {}
            for line in trace.stdout:
                stop = json.loads(line)
                before, frames = frames, len(stop["frames"])
                for fact in stop["vars"]:
                    if fact["state"] == "absent":
                        leaves.pop(identity(fact, before), None)
                    else:
                        leaves[identity(fact, frames)] = said(fact)
                registers.update(stop["regs"])
                if stop["stop"] in chosen:
                    whole[stop["stop"]] = dict(leaves), dict(registers), stop["frames"]
        self.assertEqual(set(whole), chosen)
        for number in sorted(chosen):
            ours = self.state(self.file, number)
            self.assertEqual(ours, whole[number], f"stop {number} of {program}")
            if number in in_sql:
                rows = self.sql("SELECT scope, var, decl_line, depth, path, state, value, message, "
                                "type, shadowed, declared FROM states WHERE trace = 1 AND stop = ?",
                                number)
                self.assertEqual({row[:5]: [*row[5:9], bool(row[9]), bool(row[10])]
                                  for row in rows}, ours[0])
        print(f"{len(chosen)} states, {sum(len(state[0]) for state in whole.values())} leaves",
              file=sys.stderr)

    def test_order_of_execution(self):
        self.record(self.demo, "--keep-order")
        places = dict(self.sql("SELECT transition.id, pc FROM transition JOIN places "
                               "ON places.trace = transition.trace AND "
                               "places.place = transition.place"))
        order = []
        for count, data in self.sql("SELECT count, data FROM execution ORDER BY first"):
            number = shift = steps = 0
            for byte in zlib.decompress(data):
                number |= (byte & 0x7f) << shift
                shift += 7
                if not byte & 0x80:
                    order.append(places[number])
                    number = shift = 0
                    steps += 1
            self.assertEqual(steps, count)
        plain = e2e.stops(e2e.xstep("trace", "--sample", "none", "--format", "json", self.demo))
        self.assertEqual(order, [stop["pc"] for stop in plain])
        self.check()

    @e2e.smoke
    def test_transitions_and_coverage(self):
        """WE and D are whole by construction; counted here from the program's own facts."""
        for sample in ("dtd", "unique"):
            file = self.folder / f"{sample}.db"
            pairs = self.folder / "pairs"
            self.record(self.demo, "--sample", sample, "--transitions", pairs, file=file)
            told = [json.loads(line) for line in pairs.read_text().splitlines()]
            stored = self.sql("SELECT prev, pc, count FROM transitions WHERE trace = 1", file=file)
            self.assertEqual(sorted(map(str, stored)),
                             sorted(str((t["prev"], t["pc"], t["count"])) for t in told))
            figures = {row[0]: row[1:] for row in self.sql(
                "SELECT kind, selected, evaluated FROM coverage WHERE name = ''", file=file)}
            plain = e2e.stops(e2e.xstep("trace", "--sample", "none", "--format", "json", self.demo))
            executed = {stop["pc"] for stop in plain}
            kept = self.sql("SELECT count(*), count(DISTINCT pc) FROM lines", file=file)[0]
            self.assertEqual(figures["state"], (len(plain), kept[0]))
            self.assertEqual(figures["instruction"], (len(executed), len(executed)))
            self.assertEqual(kept[1], len(executed))
            for kind in ("row", "scope", "location"):
                self.assertGreater(figures[kind][0], 0)
                self.assertEqual(figures[kind][0], figures[kind][1])
            said = self.show("--stats", file=file)
            self.assertIn(f"E  {100 * kept[0] / len(plain):.2f} % of the executed stops", said)
            self.assertIn("WE 100.00 %", said)
            self.assertIn("D  100.00 %", said)
        few = self.folder / "none.db"
        self.record(self.demo, "--sample", "none", file=few)
        self.assertLess(json.loads(self.show("--stats", "--format", "json", file=few))["D"], 100)

    def test_subject_and_trace_are_described(self):
        self.record(self.demo)
        row = self.sql("SELECT path, hash, producer, flags, dwarf_version, witness, mode, level, "
                       "sample, seed, complete, how, host, began <= ended, cut "
                       "FROM trace JOIN subject ON subject.id = trace.subject")[0]
        self.assertEqual(row[0], str(self.demo))
        digest = e2e.run(["sha256sum", self.demo]).stdout.split()[0]
        self.assertEqual(row[1], f"sha256:{digest}")
        self.assertRegex(row[2], r"^GNU C17 12")
        self.assertIn("-O1", row[3].split())
        self.assertEqual(row[4:12], (5, "xstep", "exact", "instruction", "dtd", 0, 1,
                                     "main returned; exited with status 0"))
        self.assertEqual(row[13:], (1, 0))

    def test_unique_mode_is_a_spelling(self):
        """Of exact with --sample unique; but its limit is one of the stops that are kept."""
        self.record(self.demo, "--mode", "unique")
        self.record(self.demo, "--sample", "unique")
        self.assertEqual(self.sql("SELECT mode, sample FROM trace"), [("exact", "unique")] * 2)
        self.assertEqual(self.show("--trace", 1, "--format", "json"), self.show("--trace", 2, "--format", "json"))
        self.record(self.demo, "--mode", "unique", "--limit", 25)
        self.assertEqual(self.sql("SELECT complete, how, sampled FROM trace WHERE id = 3"),
                         [(0, "ended by --limit 25", 25)])
        self.check()

    def test_a_trace_that_is_cut_is_incomplete(self):
        self.record(self.demo, "--limit", 20)
        self.assertEqual(self.sql("SELECT complete, how FROM trace"), [(0, "ended by --limit 20")])
        self.check()

    def test_states_cost_a_tenth_of_whole_ones(self):
        program = self.subject()
        self.record(program)
        middle = self.sql("SELECT number FROM stop ORDER BY number LIMIT 1 OFFSET 200")[0][0]
        whole = sum(len(path) + len(value or state) + 2 for path, value, state in self.sql(
            "SELECT path, value, state FROM states WHERE trace = 1 AND stop = ?", middle))
        stops = self.sql("SELECT count(*) FROM stop")[0][0]
        self.assertLess(self.file.stat().st_size * 10, whole * stops)


class Showing(StoreCase):
    """xstep show and xstep store."""

    def test_a_variables_life(self):
        self.record(self.demo)
        lines = self.show("--var", "i").splitlines()
        self.assertEqual([re.search(r"i = (\S+)", line).group(1) for line in lines],
                         ["0", "1", "2", "3", "<absent>"])
        facts = [json.loads(line) for line in self.show("--var", "numbers", "--format", "json",
                                                        "--from", 5, "--to", 7).splitlines()]
        self.assertEqual([(fact["stop"], fact["fact"]["path"], fact["fact"]["value"])
                          for fact in facts],
                         [(5, "numbers[0]", "3"), (6, "numbers[1]", "-1"), (7, "numbers[2]", "2")])
        self.expect(e2e.xstep("show", self.file, "--var", "j"), 2, "tells no such variable")

    @e2e.smoke
    def test_at(self):
        self.record(self.demo)
        stop = json.loads(self.show("--format", "json").splitlines()[10])
        identity = f"{stop['prev']},{stop['pc']},{stop['n']}"
        states = [(f"--at {where}", self.show("--at", where))
                  for where in (stop["stop"], identity, stop["pc"], "demo.c:10")]
        self.expect_same_text(states)
        self.assertIn("x = 3", states[0][1])
        missing = next(n for n in range(1, 60) if (n,) not in self.sql("SELECT number FROM stop"))
        self.expect(e2e.xstep("show", self.file, "--at", missing), 2, "was not kept; the nearest")
        self.expect(e2e.xstep("show", self.file, "--at", "0x1"), 2, "no such stop was kept")
        self.expect(e2e.xstep("show", self.file, "--at", "here"), 2, "is none of N, PREV,PC,N")

    def test_formats_and_ranges(self):
        self.record(self.demo)
        self.assertEqual(self.show("--format", "csv").splitlines()[1].split(",")[:5],
                         ["1", "", self.sql("SELECT pc FROM lines WHERE stop = 1")[0][0], "1",
                          "main"])
        self.assertEqual(len(self.show("--from", 3, "--to", 5).splitlines()), 3)
        self.assertIn("  | ", self.show())

    def test_merge(self):
        other = self.folder / "other.db"
        self.record(self.demo)
        self.record(e2e.compile("leave_callback.c"), file=other)
        self.record(self.demo, "--seed", 1, file=other)
        merged = self.folder / "merged.db"
        self.expect(e2e.xstep("store", "merge", merged, self.file, other))
        self.check(merged)
        shown = [self.show("--format", "json"),
                 *(self.show("--trace", n, "--format", "json", file=other) for n in (1, 2))]
        self.assertEqual(shown, [self.show("--trace", n, "--format", "json", file=merged)
                                 for n in (1, 2, 3)])
        self.assertEqual(len(self.show("--list", file=merged).splitlines()), 3)
        self.assertEqual(self.sql("SELECT count(*) FROM subject", file=merged), [(2,)])
        self.expect(e2e.xstep("show", merged), 2, "3 traces: choose one with --trace")
        self.expect(e2e.xstep("show", merged, "--trace", 9), 2, "no trace 9")
        self.expect(e2e.xstep("store", "merge", merged, merged), 2, "into itself")

    def test_check_finds_what_is_wrong(self):
        self.record(self.demo)
        for number, damage in (
                (3, "UPDATE trace SET sampled = 1"),
                (5, "UPDATE stop SET n = 10000 WHERE number = 5"),
                (6, "UPDATE stop SET facts = '[[1]]' WHERE number = 5"),
                (6, "UPDATE stop SET facts = '[[9999,1]]' WHERE number = 5"),
                (7, "UPDATE stop SET facts = '[[1,7],[1,8]]' WHERE number = 6"),
                (8, "UPDATE stop SET regs = '[1,2]' WHERE number = 5"),
                (9, "UPDATE stack SET depth = depth + 1"),
                (10, "UPDATE coverage SET evaluated = selected + 1"),
                (1, "DELETE FROM place WHERE id = 2"),
                (6, "DELETE FROM leaf WHERE id = 1"),
                (2, "DROP VIEW states")):
            with self.subTest(damage):
                broken = self.folder / "broken.db"
                shutil.copy(self.file, broken)
                connection = sqlite3.connect(broken)
                connection.execute(damage)
                connection.commit()
                connection.close()
                result = self.expect(e2e.xstep("store", "check", broken), 1)
                self.assertIn(f"invariant {number}:", result.stdout)

    def test_options(self):
        for words, says in (
                (("--sample", "dtd", "--mode", "unique"), "is --mode exact with --sample unique"),
                (("--sample", "none", "--vars", "all"), "--sample none keeps control facts only"),
                (("--sample", "some",), "is none of none|all|unique|dtd"),
                (("--keep-order",), "only a store keeps it"),
                (("-o", self.file, "--format", "json"), "is a trace store; xstep show")):
            self.expect(e2e.xstep("trace", *words, self.demo), 2, says)
        self.expect(e2e.xstep("show"), 2, "name one trace store")
        self.expect(e2e.xstep("store", "mend", self.file), 2, "merge OUT IN... or check")

    def test_queries_of_the_docs(self):
        if not shutil.which("sqlite3"):
            self.skipTest("no sqlite3: apt-get install sqlite3")
        self.record(self.demo)
        queries = re.findall(r"```sql\n(.*?)```", (DOCS / "facts-and-store.md").read_text(), re.S)
        self.assertGreater(len(queries), 7)
        for query in queries:
            result = self.expect(e2e.run(["sqlite3", "-bail", self.file, query]))
            self.assertEqual(result.stderr, "")
            if "= 'error'" not in query and "coalesce(line, 0)" not in query:
                self.assertNotEqual(result.stdout, "", query)

    @e2e.unittest.skipUnless(FULL, "takes minutes: XSTEP_STORE_FULL=1")
    def test_queries_are_fast_on_many_traces(self):
        program = RoundTrip.subject(self)
        self.record(program)
        while self.sql("SELECT count(*) FROM trace")[0][0] < 1000:
            copy = self.folder / "copy.db"
            shutil.copy(self.file, copy)
            self.expect(e2e.xstep("store", "merge", self.file, copy, timeout=1200))
        for query in re.findall(r"```sql\n(.*?)```", (DOCS / "facts-and-store.md").read_text(), re.S):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            self.expect(e2e.run(["sqlite3", "-bail", self.file,
                                 query.replace("trace = 1", "trace = 700")]))
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            self.assertLess(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1, query)

    def test_progress(self):
        """How far it is, is told on a terminal, also while the program runs for long without a stop
        that is kept; --quiet tells nothing."""
        program = e2e.compile(e2e.TOP / "bench/loop.c", e2e.GCC, ("-g", "-O0"))
        told = re.compile(rb"\d+ steps, \d+ stops kept, \d+ steps/s")
        for quiet, rounds in ((False, "4000000000"), (True, "40000")):
            try:
                pid, terminal = pty.fork()
            except OSError as error:
                self.skipTest(f"no pseudo-terminal: {error}")
            if not pid:
                words = ["--quiet"] if quiet else []
                os.execv(e2e.XSTEP, [e2e.XSTEP, "trace", *words, "-o",
                                     str(self.folder / f"{quiet}.db"), str(program), rounds])
            seen = b""
            deadline = time.monotonic() + e2e.WAIT_SECONDS
            # The second line of it: the first may belong to a stop.
            while time.monotonic() < deadline and len(told.findall(seen)) < 2:
                if select.select([terminal], [], [], 1)[0]:
                    try:
                        data = os.read(terminal, 4096)
                    except OSError:
                        break
                    if not data:
                        break
                    seen += data
            os.kill(pid, signal.SIGINT)
            os.close(terminal)
            os.waitpid(pid, 0)
            self.assertEqual(bool(told.search(seen)), not quiet, seen)


class Faults(StoreCase):
    """Refused with a clear message, or a sound file with what was there before."""

    def setUp(self):
        super().setUp()
        self.record(self.demo)
        self.before = self.show("--trace", 1, "--format", "json")

    def sound(self, traces=None):
        """The file passes, the first trace is intact, the others are there and incomplete."""
        self.check()
        self.assertEqual(self.show("--trace", 1, "--format", "json"), self.before)
        complete = [row[0] for row in self.sql("SELECT complete FROM trace ORDER BY id")]
        self.assertEqual(complete[0], 1)
        if traces is not None:
            self.assertEqual(complete[1:], traces)
        return complete

    def wait_for_stops(self):
        e2e.wait_until(lambda: self.sql(
            "SELECT count(*) FROM stop WHERE trace = (SELECT max(id) FROM trace) AND trace > 1")[0][0])

    def test_killed_writers(self):
        program = e2e.compile(e2e.TOP / "bench/loop.c", e2e.GCC, ("-g", "-O0"))
        luck = random.Random(11)
        rounds, stored = some(8, 200), 0
        base = self.folder / "base.db"
        shutil.copy(self.file, base)
        for i in range(rounds):
            writer = subprocess.Popen([e2e.XSTEP, "trace", "--sample", "all", "-o", self.file,
                                       program, "1000000"], stdin=subprocess.DEVNULL,
                                      stderr=subprocess.DEVNULL, preexec_fn=e2e.leave_nothing)
            if i == rounds - 1:  # one of them must have stored something, however slow the machine
                self.wait_for_stops()
            time.sleep(luck.uniform(0.02, 2.5))
            writer.kill()
            writer.wait()
            if i % 10 == 7 or i == rounds - 1:
                complete = self.sound()
                self.assertEqual(sum(complete), 1)
                stored += self.sql("SELECT count(*) FROM stop WHERE trace > 1")[0][0]
                if i < rounds - 1:  # begin anew: all those stops are a lot to check
                    for end in ("-wal", "-shm", "-journal"):
                        pathlib.Path(f"{self.file}{end}").unlink(missing_ok=True)
                    shutil.copy(base, self.file)
        self.assertGreater(stored, 0)
        self.record(self.demo)
        self.assertEqual(self.sound()[-1], 1)

    def limit(self, size):
        def prepare():
            e2e.leave_nothing()
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        return prepare

    def test_file_too_large(self):
        for more in (0, 30000, 100000):
            result = e2e.xstep("trace", "--sample", "all", "-o", self.file, self.demo, timeout=60,
                               preexec_fn=self.limit(self.file.stat().st_size + more))
            self.assertIn(result.returncode, (0, 2), result.stderr)
            self.sound()

    def test_disk_full(self):
        disk = self.folder / "disk"
        disk.mkdir()
        if os.geteuid() or e2e.run(["mount", "-t", "tmpfs", "-o", "size=400k", "none",
                                    disk]).returncode:
            self.skipTest("cannot mount a tmpfs")
        self.addCleanup(e2e.run, ["umount", "-l", disk])
        program = e2e.compile(e2e.TOP / "bench/loop.c", e2e.GCC, ("-g", "-O0"))
        shutil.copy(self.file, disk / "trace.db")
        self.file = disk / "trace.db"
        result = e2e.xstep("trace", "--sample", "all", "-o", self.file, program, 100000)
        self.expect(result, 2, "trace.db: ")
        self.assertRegex(result.stderr, "full|No space")
        self.sound([0])

    def test_refused(self):
        text = self.folder / "text.db"
        text.write_text("not a database, but long enough to look at\n" * 100)
        other = self.folder / "other.db"
        connection = sqlite3.connect(other)
        connection.execute("CREATE TABLE t (x)")
        connection.execute("PRAGMA application_id = 42")
        connection.commit()
        connection.close()
        newer = self.folder / "newer.db"
        shutil.copy(self.file, newer)
        connection = sqlite3.connect(newer)
        connection.execute("PRAGMA user_version = 7")
        connection.commit()
        connection.close()
        for path, says in ((text, "not a trace store, nor any database"),
                           (other, "another application (id 0x2a)"),
                           (newer, "format 7, and this is an xstep for format 2")):
            content = path.read_bytes()
            for words in (("trace", "-o", path, self.demo), ("show", path),
                          ("store", "check", path), ("store", "merge", self.file, path),
                          ("store", "merge", path, self.file)):
                with self.subTest(f"{path.name} {words[:2]}"):
                    self.expect(e2e.xstep(*words), 2, says)
            self.assertEqual(path.read_bytes(), content)
        self.expect(e2e.xstep("show", self.folder / "nothing.db"), 2, "No such file")
        self.expect(e2e.xstep("trace", "-o", "/nowhere/x.db", self.demo), 2, "No such file")
        self.expect(e2e.xstep("trace", "-o", self.folder / "sub.db" / "x.db", self.demo), 2, "No such")
        self.sound([])

    @e2e.smoke
    def test_read_only(self):
        if not os.geteuid():
            # Root may write everything: an immutable mount would be needed.
            result = e2e.run(["setpriv", "--reuid", "65534", "--clear-groups", "true"])
            if result.returncode:
                self.skipTest("root, and no setpriv")
            as_nobody = ["setpriv", "--reuid", "65534", "--clear-groups"]
        else:
            as_nobody = []
        self.folder.chmod(0o755)
        self.file.chmod(0o444)
        result = e2e.run([*as_nobody, e2e.XSTEP, "trace", "-o", self.file, "/bin/true"])
        self.assertEqual(result.returncode, 2)
        shown = e2e.run([*as_nobody, e2e.XSTEP, "show", self.file, "--format", "json"])
        if "Permission denied" not in shown.stderr:  # xstep itself may be out of nobody's reach
            self.assertEqual(shown.stdout, self.before)
        self.sound([])

    def test_truncated(self):
        whole = self.file.read_bytes()
        for size in sorted(random.Random(3).sample(range(100, len(whole)), some(20, 200))):
            cut = self.folder / "cut.db"
            cut.write_bytes(whole[:size])
            result = e2e.xstep("store", "check", cut)
            self.assertIn(result.returncode, (1, 2), f"{size} {result.stdout}{result.stderr}")
            self.assertIn(e2e.xstep("show", cut).returncode, (0, 2))
            self.assertIn(e2e.xstep("trace", "-o", cut, self.demo).returncode, (0, 2))

    def test_noise(self):
        whole = bytearray(self.file.read_bytes())
        luck = random.Random(4)
        for _ in range(some(15, 200)):
            broken = self.folder / "noise.db"
            content = bytearray(whole)
            for _ in range(20):
                content[luck.randrange(100, len(content))] = luck.randrange(256)
            broken.write_bytes(content)
            for words in (("store", "check"), ("show",), ("show", "--format", "json")):
                result = e2e.xstep(*words, broken)
                self.assertIn(result.returncode, (0, 1, 2), f"{words} {result.stderr}")

    def test_two_writers(self):
        loop = e2e.compile("end_loop.c")
        first = subprocess.Popen([e2e.XSTEP, "trace", "-o", self.file, loop],
                                 stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                 preexec_fn=e2e.leave_nothing)
        try:
            e2e.wait_until(lambda: self.sql("SELECT count(*) FROM trace") == [(2,)], first)
            self.expect(e2e.xstep("trace", "-o", self.file, self.demo), 2,
                        "another xstep is writing to it")
            # Readers are welcome.
            self.assertEqual(self.show("--trace", 1, "--format", "json"), self.before)
        finally:
            first.terminate()
            first.wait()
        self.sound([0])
        self.assertIn("SIGTERM", self.sql("SELECT how FROM trace WHERE id = 2")[0][0])


if __name__ == "__main__":
    e2e.main()
