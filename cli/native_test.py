#!/usr/bin/python3
"""native_test.py - programs that get in the tracer's way run as they do without it: the same output and the same end in
every mode. Their names and what they do are in testdata/tool."""
import pathlib
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench" / "study"))
import e2e  # noqa: E402

ONE = (("--mode", "single"), ("--mode", "exact"), ("--mode", "unique", "--sample", "unique"))
ALL = (("--threads", "all", "--mode", "single"), ("--threads", "all", "--mode", "exact"))


def end_of(status):
    """What xstep says of a program that ends so without it."""
    return f"killed by {signal.Signals(-status).name} " if status < 0 else f"exited with status {status};"


class Native(e2e.TestCase):
    """Each way of each program."""

    def compare(self, name, modes, compiler=e2e.GCC, level="-O0", but=()):
        program = e2e.compile(name, compiler, ("-g", level, "-pthread"))
        for way in e2e.run([program]).stdout.split():
            if way in but:
                continue
            native = e2e.run([program, way])
            for options in modes:
                with self.subTest(f"{way} {' '.join(options)}"):
                    traced = self.expect(e2e.xstep("trace", *options, "-o", "/dev/null", program, way))
                    said = traced.stderr.splitlines(keepends=True)
                    # The sanitizer has something to say of fibers.
                    own = [line for line in said if line.startswith("xstep: ") or "ASan doesn't" in line]
                    self.assertIn(end_of(native.returncode), "".join(own), traced.rerun)
                    # What the program prints goes to stderr, for stdout is the trace's.
                    self.assertEqual("".join(line for line in said if line not in own), native.stdout,
                                     traced.rerun)

    def same_stops(self, name, ways, *options):
        """single and exact see the same, where the fast way has to give way."""
        program = e2e.compile(name, e2e.GCC, ("-g", "-O0", "-pthread"))
        for way in ways:
            with self.subTest(way):
                said = [e2e.xstep("trace", "--mode", mode, "--sample", "none", "--format", "json", *options,
                                  program, way) for mode in ("single", "exact")]
                self.expect_same_text([(one.rerun, one.stdout) for one in said])

    def test_traps_of_its_own(self):
        self.compare("tool_traps.c", ONE + ALL)

    def test_traps_of_its_own_clang(self):
        self.compare("tool_traps.c", ONE, e2e.CLANG, "-O2")

    def test_code_that_goes(self):
        self.compare("tool_text.c", ONE + ALL)

    def test_threads_that_end(self):
        # While others run, one thread alone is stepped through library code: these take long.
        self.compare("tool_thread_ends.c", ONE, but=("scattering", "exiting_busy", "crashing_busy"))

    def test_all_threads_that_end(self):
        self.compare("tool_thread_ends.c", ALL)

    def test_all_modes_see_the_same(self):
        self.same_stops("tool_traps.c", ("deferred", "blocked", "waited", "ignored", "nested", "stepping"))
        self.same_stops("tool_text.c", ("unmap_other", "move", "change", "replace", "give_back"))
        self.same_stops("tool_thread_ends.c", ("exiting", "exiting_busy", "crashing_busy", "inheriting"),
                        "--threads", "all")

    @e2e.smoke
    def test_a_thread_that_ends_the_program(self):
        program = e2e.compile("tool_thread_ends.c", e2e.GCC, ("-g", "-O0", "-pthread"))
        self.expect(e2e.xstep("trace", "--threads", "all", "--sample", "none", program, "exiting_busy"), 0,
                    "thread 1: exited with status 9;")


if __name__ == "__main__":
    e2e.main()
