"""plot.py - the growth curves as SVG, drawn by gnuplot: logarithmic axes, a line for each contestant,
the median with a bar from the least to the most."""
import os
import shutil
import sys
import tempfile

from contestants import e2e

# Colours and names in the key, the same in every plot; told apart by those who see colours differently, too.
CURVES = {"native": ("#333333", "native"),
          "xstep": ("#0072b2", "xstep"),
          "xstep exact, counts": ("#0072b2", "xstep, exact counts"),
          "xstep exact, stored": ("#56b4e9", "xstep, sampled states in a store"),
          "xstep exact, each stop": ("#cc79a7", "xstep, each stop told"),
          "valgrind none": ("#e69f00", "valgrind, no tool"),
          "valgrind lackey": ("#d55e00", "valgrind, lackey counting"),
          "gdb": ("#d55e00", "gdb"), "lldb": ("#009e73", "lldb")}
SCRIPT = """
set terminal svg size 900,600 dynamic enhanced font 'sans-serif,14' background '#ffffff'
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
set key below center horizontal Left reverse samplen 2.5 spacing 1.4 width 2 height 1
set xrange [{lo}:{hi}]
set bars 0.6
"""


def points(groups):
    """x, median, min, max of one contestant, in seconds."""
    return sorted((int(x), row["median"], row["min"], row["max"]) for x, row in groups.items())


def script(table, xlabel, output):
    """What gnuplot is told."""
    scale, unit = (1e6, "µs") if table.unit == "us" else (1, "s")
    xs = [int(x) for groups in table.figures.values() for x in groups]
    title = table.title[0].upper() + table.title[1:]
    ylabel = f"time {table.counted}, {unit}".replace("time of processor time", "processor time")
    lines = [SCRIPT.format(output=output, title=title, xlabel=xlabel, ylabel=ylabel, lo=min(xs) / 1.5,
                           hi=max(xs) * 1.5)]
    curves = []
    for i, (name, groups) in enumerate(table.figures.items()):
        lines.append(f"$c{i} << END")
        lines += [" ".join(f"{value:.9g}" for value in (x, *(scale * y for y in ys)))
                  for x, *ys in points(groups)]
        lines.append("END")
        colour, label = CURVES[name]
        curves.append(f"$c{i} using 1:2:3:4 with yerrorlines title '{label}' linewidth 2 "
                      f"pointtype 7 pointsize 0.6 linecolor '{colour}'")
    lines.append("plot " + ", \\\n  ".join(curves))
    return "\n".join(lines) + "\n"


def draw(folder, table, xlabel):
    """Writes FOLDER/NAME.svg; without gnuplot, says so."""
    if not shutil.which("gnuplot"):
        print(f"bench: no plot of {table.name}, gnuplot not found: apt-get install gnuplot-nox",
              file=sys.stderr)
        return
    folder.mkdir(parents=True, exist_ok=True)
    output = folder / f"{table.name}.svg"
    with tempfile.NamedTemporaryFile("w", suffix=".gnuplot", encoding="utf-8") as file:
        file.write(script(table, xlabel, output))
        file.flush()
        result = e2e.run(["gnuplot", file.name])
    if result.returncode:
        sys.exit(f"bench: gnuplot failed:\n{result.stderr}")
    print(f"plotted: {os.path.relpath(output)}")
