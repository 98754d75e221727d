"""figures.py - from what contestants did to figures: runs, their sums, median and spread.

A turn is one run of every contestant on every subject; turns alternate between the contestants, so
that a machine that is slow for a while is slow for all of them.
"""
import collections
import dataclasses
import statistics
import sys

CSMITH = ("csmith -O0", "csmith -O2")  # groups that are also summed up as `csmith`


@dataclasses.dataclass
class Run:
    """What one contestant did in one turn, on one subject or on a group of them."""
    count: int = 0        # instructions, states or runs
    seconds: float = 0.0  # for all of them
    memory: int = 0       # bytes at the peak
    notes: dict = dataclasses.field(default_factory=dict)  # other figures, averages of what is counted

    def add(self, other):
        """Makes this the sum of both; of memory the greater."""
        count = self.count + other.count
        self.notes = {key: (self.notes.get(key, 0) * self.count + value * other.count) / count
                      for key, value in other.notes.items()}
        self.count = count
        self.seconds += other.seconds
        self.memory = max(self.memory, other.memory)

    @property
    def each(self):
        return self.seconds / self.count


@dataclasses.dataclass
class Table:
    """The figures of one question: {contestant: {group: what summary() gives}}, in seconds."""
    name: str
    title: str
    unit: str     # in which seconds are shown: `us` or `s`
    counted: str  # what takes them: `an instruction`
    figures: dict
    wide: bool = False  # a row is a group, not a contestant
    overall: bool = False  # of a wide one: a last row has the median of each contestant's ratios


def progress(text):
    if sys.stderr.isatty():
        print(f"\r{text}\033[K", end="", file=sys.stderr, flush=True)


def measure(subjects, contestants, repeat):
    """All contestants on all subjects, in turns: {contestant: {group: [the sum of each turn]}}. A
    contestant that sits out returns None."""
    runs = {name: collections.defaultdict(list) for name in contestants}
    for turn in range(repeat):
        sums = collections.defaultdict(Run)
        for subject in subjects:
            for name, contestant in contestants.items():
                progress(f"turn {turn + 1} of {repeat}: {subject.name}, {name}")
                run = contestant(subject)
                if run:
                    for group in {subject.group, *(["csmith"] if subject.group in CSMITH else [])}:
                        sums[name, group].add(run)
        for (name, group), total in sums.items():
            runs[name][group].append(total)
    progress("")
    return runs


def minus(whole, part):
    """What a contestant did beyond another that counted the same, turn by turn."""
    return {group: [Run(a.count, a.seconds - b.seconds * a.count / b.count, a.memory)
                    for a, b in zip(whole[group], part[group])] for group in whole}


def summary(runs):
    each = [run.each for run in runs]
    return {"median": statistics.median(each), "min": min(each), "max": max(each),
            "count": runs[0].count, "memory": max(run.memory for run in runs),
            "notes": runs[0].notes}


def summaries(runs):
    return {name: {group: summary(turns) for group, turns in groups.items()}
            for name, groups in runs.items()}
