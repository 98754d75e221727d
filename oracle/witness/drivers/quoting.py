"""quoting.py - texts of a program's in a debugger's commands. See base/quoting.h."""
import re


def gdb_word(text):
    """A word of a command, by gdb's rules."""
    return '"%s"' % text.replace("\\", "\\\\").replace('"', '\\"')


def lldb_word(text):
    """A word of a command, by lldb's rules: backticks are for expressions, in quotes too."""
    return re.sub(r'([\\"`])', r"\\\1", text).join('""')


def is_line(command):
    """Whether a command is one: a line break would begin another."""
    return "\n" not in command


def line(command):
    """A command that is one."""
    if not is_line(command):
        raise RuntimeError("a name with a line break cannot be said in a command: %r" % command)
    return command


def is_name(text):
    """Whether a text is a name, and no other expression: a program may call a variable `system("...")`. One
    with a dollar may be a register's or the debugger's own: to read that does nothing."""
    return re.fullmatch(r"(?!\d)[\w$]+(::(?!\d)[\w$]+)*", text) is not None


class NoName(TypeError):
    """A name that is no name in an expression: nobody is asked what it would evaluate to."""
