#!/usr/bin/python3
"""bugs_test.py - the entries of docs/bugs: their form, the table, and that some are still there.

Without arguments some of them; `full` checks all.
"""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import bugs
import e2e

FULL = "full" in sys.argv
# One or two of each kind: by xstep's judgement, frames, probes, twins, lines and availability.
SOME = ("gdb_callee_leftover", "lldb_piece_address", "lldb_div", "gcc_second_byte", "clang_one_round",
        "gcc_no_vta_register", "clang_dead_arm", "clang_truth")
# What the entries say is that of these versions.
VERSIONS = {"gdb": "13.1", "lldb-15": "15.0.6", "gcc-12": "12.2", "clang-15": "15.0.6"}


def other_version():
    """Why the entries cannot be checked here, or None."""
    for tool, version in VERSIONS.items():
        try:
            said = subprocess.run([tool, "--version"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                  text=True, check=False).stdout
        except OSError:
            return f"needs {tool}"
        if version not in said:
            return f"needs {tool} {version}"
    return None


class Entries(e2e.TestCase):
    @e2e.smoke
    def test_the_form(self):
        """Every entry has what it must have, and says nothing of this machine."""
        entries = bugs.load()
        self.assertGreaterEqual(len(entries), 40)
        for entry in entries:
            with self.subTest(entry.name):
                self.assertIn(entry.one("basis"), ("replayed", "evidence"))
                self.assertLessEqual(entry.lines, 40)
                self.assertNotRegex(entry.path.read_text(), "/tmp/|/home/")
                name = entry.name.split("_")[0]
                self.assertEqual(name, entry.one("wrong"))

    @e2e.smoke
    def test_the_table(self):
        text = bugs.README.read_text()
        self.assertEqual(text, bugs.with_table(text, bugs.load()), "bench/study/bugs.py --table makes it anew")

    def test_they_are_still_there(self):
        reason = other_version()
        if reason:
            self.skipTest(reason)
        words = [] if FULL else SOME
        result = e2e.run([sys.executable, bugs.__file__, "--xstep", e2e.XSTEP, *words])
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        # ./dev debuggers fetches lldb 19, which is not needed for anything else.
        self.assertNotRegex(result.stdout, "skipped: no (?!lldb-19\n)")


if __name__ == "__main__":
    e2e.main(sys.argv[:1])
