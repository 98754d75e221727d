#!/usr/bin/python3
"""install_test.py - what cmake --install puts into a folder works from there, by itself: neither the source tree nor
the folder that it was built in is looked at."""
import json
import pathlib
import re
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import e2e
from witness_test import needs_debuggers

BUILD = pathlib.Path(e2e.XSTEP).parent


class Install(e2e.TestCase):
    @classmethod
    def setUpClass(cls):
        if not (BUILD / "cmake_install.cmake").exists() or not shutil.which("cmake"):
            raise e2e.unittest.SkipTest("xstep is not in the folder that it was built in, or there is no cmake")
        cls.prefix = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.prefix)
        e2e.run(["cmake", "--install", BUILD, "--prefix", cls.prefix])
        cls.program = e2e.compile("demo.c")

    def test_every_driver_is_installed(self):
        drivers = e2e.TOP / "oracle/witness/drivers"
        self.assertEqual(sorted(path.name for path in (self.prefix / "share/xstep/drivers").glob("*.py")),
                         sorted(path.name for path in drivers.glob("*.py")))

    @needs_debuggers
    @e2e.smoke
    def test_the_source_tree_is_not_looked_at(self):
        """A driver that is changed where it is installed is the one that is run."""
        told = e2e.run([self.prefix / "bin/xstep", "diff", "--limit", 20, "--format", "json", self.program],
                       cwd=self.prefix)
        self.assertIn(told.returncode, (0, 1), told.stderr)
        self.assertEqual([one["witness"] for one in json.loads(told.stdout)["witnesses"]], ["xstep", "gdb", "lldb"])
        drivers = self.prefix / "share/xstep/drivers"
        for path in drivers.glob("*_driver.py"):
            path.write_text("raise SystemExit('the installed one')\n")
        told = e2e.run([self.prefix / "bin/xstep", "diff", "--limit", 20, self.program], cwd=self.prefix)
        self.assertEqual(told.returncode, 2, "drivers of the source tree were run")

    def test_the_version_is_that_of_the_package(self):
        version = re.search(r"xstep VERSION ([\d.]+)", (e2e.TOP / "CMakeLists.txt").read_text()).group(1)
        self.assertIn(f"xstep {version}\n", e2e.run([self.prefix / "bin/xstep", "--version"]).stdout)
        self.assertTrue((e2e.TOP / "debian/changelog").read_text().startswith(f"xstep ({version}) "))


if __name__ == "__main__":
    e2e.main()
