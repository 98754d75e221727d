"""kept_gdb.py - a gdb that is kept: what it reads in advance. See kept.py."""
import os

import kept
import quoting
from gdb_commands import apply, quietly


def keep():
    """Waits for questions; returns in a copy. gdb's threads are none while it waits, and in the copy as many
    as gdb would have had from the beginning. Symbols of libraries are shared by all inferiors: those that hold
    them go when the program's own has them."""
    for library in kept.libraries():
        apply(("add-inferior -no-connection -exec %s" % quoting.gdb_word(library),))
    kept.Kept(others=0).serve()
    quietly("maint set worker-threads unlimited")
    quietly("cd %s" % os.getcwd())
