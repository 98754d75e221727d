"""plot.py - the growth curves as SVG, drawn by gnuplot: logarithmic axes, a line for each contestant,
the median with a bar from the least to the most."""
import os
import shutil
import sys

from contestants import e2e

# The same in every plot; told apart by those who see colours differently, too.
COLOURS = {"xstep": "#0072b2", "xstep unique": "#0072b2", "xstep exact": "#56b4e9", "gdb": "#d55e00",
           "lldb": "#009e73", "native": "#333333"}
SCRIPT = """
set terminal svg size 960,540 dynamic enhanced font 'sans-serif,14' background '#ffffff'
set output '{output}'
set title '{title}' font ',17'
set xlabel '{xlabel}'
set ylabel '{ylabel}'
set logscale xy
set format x '10^{{%L}}'
set format y '10^{{%L}}'
set border 3 linecolor '#555555'
set tics nomirror textcolor '#333333'
set grid xtics ytics linecolor '#dddddd' linetype 1
set key outside right center vertical Left reverse spacing 1.4
set xrange [{lo}:{hi}]
set bars 0.6
"""


def points(groups):
    """x, median, min, max of one contestant, in seconds."""
    return sorted((int(x), row["median"], row["min"], row["max"]) for x, row in groups.items())


def script(table, xlabel, output, limit=None):
    """What gnuplot is told. limit is (label, f(x) in gnuplot's words, the contestant it is of)."""
    scale, unit = (1e6, "µs") if table.unit == "us" else (1, "s")
    xs = [int(x) for groups in table.figures.values() for x in groups]
    lines = [SCRIPT.format(output=output, title=table.title, xlabel=xlabel, lo=min(xs) / 1.5,
                           hi=max(xs) * 1.5, ylabel=f"time {table.counted}, {unit}")]
    curves = []
    for i, (name, groups) in enumerate(table.figures.items()):
        lines.append(f"$c{i} << END")
        lines += [" ".join(f"{value:.9g}" for value in (x, *(scale * y for y in ys)))
                  for x, *ys in points(groups)]
        lines.append("END")
        curves.append(f"$c{i} using 1:2:3:4 with yerrorlines title '{name}' linewidth 2 "
                      f"pointtype 7 pointsize 0.6 linecolor '{COLOURS[name]}'")
        if limit and limit[2] == name:
            curves.append(f"$c{i} using 1:({limit[1]}) with lines title '{limit[0]}' linewidth 1.5 "
                          "dashtype 2 linecolor '#888888'")
    lines.append("plot " + ", \\\n  ".join(curves))
    return "\n".join(lines) + "\n"


def draw(folder, table, *words, **options):
    """Writes FOLDER/NAME.svg; without gnuplot, says so."""
    if not shutil.which("gnuplot"):
        print(f"bench: no plot of {table.name}, gnuplot not found: apt-get install gnuplot-nox",
              file=sys.stderr)
        return
    folder.mkdir(parents=True, exist_ok=True)
    output = folder / f"{table.name}.svg"
    result = e2e.run(["gnuplot"], stdin=None, input=script(table, *words, output, **options).encode())
    if result.returncode:
        sys.exit(f"bench: gnuplot failed:\n{result.stderr}")
    print(f"plotted: {os.path.relpath(output)}")
