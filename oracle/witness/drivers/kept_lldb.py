"""kept_lldb.py - an lldb that is kept: what it reads in advance. See kept.py."""
import os

import lldb

import kept
import quoting


def keep(debugger):
    """Waits for questions; returns in a copy, with a debugger. The threads of this one are not in a copy. lldb
    reads symbols with several threads, which would be missed in a copy, unless it finds an index of them in
    a cache: one copy makes the index, and another sees that it is found."""
    def set_cache(on):
        for command in ("settings set symbols.lldb-index-cache-path %s" % quoting.lldb_word(os.environ["TMPDIR"]),
                        "settings set symbols.enable-lldb-index-cache %s" % on):
            debugger.GetCommandInterpreter().HandleCommand(command, lldb.SBCommandReturnObject())

    def read():
        holder = lldb.SBDebugger.Create(False)
        for library in kept.libraries():
            target = holder.CreateTarget(library, None, None, False, lldb.SBError())
            target.GetModuleAtIndex(0).GetNumSymbols()

    others = len(kept.threads())
    set_cache("true")
    kept.tried(read)
    if kept.tried(read):
        read()
    set_cache("false")
    kept.Kept(others).serve()
    return lldb.SBDebugger.Create(False)
