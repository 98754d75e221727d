#!/usr/bin/python3
"""other_debuggers.py - lldb of several versions beside each other, for tests.

Debian's python3-lldb-N exclude one another. This fetches the packages with apt-get download, without
installing any, unpacks them into a cache (XSTEP_DEBUGGERS, or debuggers/ beside the compiled
subjects), and writes a script lldb-N there that starts each: `xstep trace --witness
lldb@CACHE/lldb-19`, or CACHE first on PATH. What is there already is left alone.

    bench/study/other_debuggers.py [VERSION...]    (14 16 19)
"""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import e2e

VERSIONS = ("14", "16", "19")
CACHE = pathlib.Path(os.environ.get("XSTEP_DEBUGGERS", e2e.CACHE.parent / "debuggers"))
# Python's modules are in dist-packages or site-packages, depending on the version. Without the last
# variable lldb would start another version's server, if one is installed.
START = """#!/bin/sh
own='{folder}'
LD_LIBRARY_PATH="$own/usr/lib/x86_64-linux-gnu:$own/usr/lib/llvm-{version}/lib"
PYTHONPATH='{modules}'
LLDB_DEBUGSERVER_PATH="$own/usr/lib/llvm-{version}/bin/lldb-server"
export LD_LIBRARY_PATH PYTHONPATH LLDB_DEBUGSERVER_PATH
exec "$own/usr/lib/llvm-{version}/bin/lldb" "$@"
"""


def there():
    """{version: path} of those that were fetched."""
    return {path.name.split("-")[1]: path for path in sorted(CACHE.glob("lldb-*")) if path.is_file()}


def fetch(version):
    """Fetches one; raises RuntimeError with what apt-get or dpkg said."""
    packages = [f"{name}{version}" for name in ("lldb-", "liblldb-", "python3-lldb-", "libllvm",
                                                "libclang-cpp")]
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as scratch:
        commands = [["apt-get", "download", "-q", *packages]]
        os.chmod(scratch, 0o755)  # apt-get fetches as another user
        for command in commands:
            result = subprocess.run(command, cwd=scratch, stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT, text=True, check=False)
            if result.returncode:
                raise RuntimeError(f"lldb-{version}: {' '.join(command)}: {result.stdout[-500:]}")
            commands += [["dpkg", "-x", str(package), "own"]
                         for package in sorted(pathlib.Path(scratch).glob("*.deb"))
                         if command[0] == "apt-get"]
        folder = CACHE / f"own-{version}"
        (pathlib.Path(scratch) / "own").rename(folder)
    modules = next(folder.glob("usr/lib/llvm-*/lib/python3*/*-packages/lldb/__init__.py"))
    start = CACHE / f"lldb-{version}"
    start.write_text(START.format(folder=folder, version=version, modules=modules.parent.parent))
    start.chmod(0o755)


def main():
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(__doc__)
        sys.exit(0)
    failed = False
    for version in sys.argv[1:] or VERSIONS:
        try:
            if version not in there():
                fetch(version)
            print(there()[version])
        except RuntimeError as error:
            print(error, file=sys.stderr)
            failed = True
    sys.exit(2 if failed else 0)


if __name__ == "__main__":
    main()
