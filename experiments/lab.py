"""Common parts of the experiments: a cache of runs, a report with a picture, a table and the data, and a common style."""
import csv
import os
import time
from math import pi

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

from validate.binding import Carom  # noqa: E402
from validate.harness import ROOT, Lab, compiler, machine  # noqa: E402,F401

PAPER = "Bannerman, Strobl, Formella, Poeschel, Comput. Part. Mech. 1, 191 (2014)"
COLORS = ["#2b6ca3", "#d9822b", "#3a8f5d", "#b5443c", "#7a5aa6", "#6b6b6b", "#a8842c", "#3aa0a8"]

plt.rcParams.update({
    "figure.dpi": 110, "savefig.dpi": 110, "font.size": 9.5, "axes.titlesize": 10, "axes.labelsize": 9.5,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.color": "#e6e6e6",
    "grid.linewidth": 0.6, "axes.axisbelow": True, "axes.prop_cycle": plt.cycler(color=COLORS), "legend.frameon": False,
    "legend.fontsize": 8.5, "lines.linewidth": 1.4, "lines.markersize": 5})


class Experiment(Lab):
    """A lab whose runs are either full or quick; `only` picks cases by a part of their names."""

    def __init__(self, build, full, out, keep=False, again=False, only="", size=None):
        super().__init__(build, quick=not full, keep=keep, again=again, cache="experiments",
                         log=lambda line: print(line, flush=True))
        self.full, self.out, self.only, self.size = full, out, only, size
        self.carom_library = Carom(self.build)

    def length(self, long, quick):
        """The number for a full run, or that for a quick one; --size replaces either."""
        return self.size if self.size is not None else super().length(long, quick)

    def selects(self, name):
        return self.only in name


class Claim:
    """What the paper says, and what was measured. holds: True, False, or None where the two cannot be compared."""

    def __init__(self, claim, paper, measured, holds):
        self.claim, self.paper, self.measured, self.holds = claim, paper, measured, holds


class Report:
    """One experiment's end: claims, the numbers behind the picture, and the picture."""

    def __init__(self, name, title, source, lab, paper=PAPER):
        self.name, self.title, self.source, self.lab, self.paper = name, title, source, lab, paper
        self.claims, self.notes, self.tables = [], [], []
        self.columns, self.rows, self.figure = [], [], None

    def claim(self, claim, paper, measured, holds):
        self.claims.append(Claim(claim, paper, measured, None if holds is None else bool(holds)))

    def table(self, title, head, rows):
        self.tables.append((title, head, rows))

    def command(self):
        size = "" if self.lab.size is None else " --size %d" % self.lab.size
        return "python3 -m experiments %s%s%s" % (self.name, " --full" if self.lab.full else "", size)

    def text(self):
        used = self.lab.used
        commits = ", ".join(sorted({run["commit"] for run in used})) or self.lab.commit
        date = max([run["date"] for run in used], default=time.strftime("%Y-%m-%d"))
        lines = ["# " + self.title, "", "%s, %s. `%s`: %s, commit %s; %s; %s." % (
            self.paper, self.source, self.command(), date, commits, machine(), compiler(self.lab.build)), ""]
        if self.figure is not None:
            lines += ["![%s](%s.png)" % (self.title, self.name), ""]
        lines += markdown(["claim", "the paper", "measured", "holds"],
                          [[c.claim, c.paper, c.measured, {True: "yes", False: "**no**", None: "-"}[c.holds]] for c in self.claims])
        for title, head, rows in self.tables:
            lines += ["", "## " + title, ""] + markdown(head, rows)
        if self.notes:
            lines += ["", "## Notes", ""] + ["- " + note for note in self.notes]
        return "\n".join(lines) + "\n"

    def write(self):
        os.makedirs(self.lab.out, exist_ok=True)
        at = os.path.join(self.lab.out, self.name)
        with open(at + ".md", "w") as file:
            file.write(self.text())
        with open(at + ".csv", "w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(self.columns)
            writer.writerows(self.rows)
        if self.figure is not None:
            self.figure.savefig(at + ".png")
            plt.close(self.figure)
        for c in self.claims:
            print("%s %s\n      paper    %s\n      measured %s" % (
                {True: "  ok  ", False: "**NO**", None: "  --  "}[c.holds], c.claim, c.paper, c.measured))
        print("%s.md, .csv, .png" % os.path.relpath(at, os.getcwd()), flush=True)
        return sum(c.holds is False for c in self.claims)


def markdown(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows]


GAS = """carom: 1
engine: hard
seed: {seed}
dimension: 3
box: {{packing_fraction: {packing!r}, boundary: periodic}}
species: {{sphere: {{diameter: 1, mass: 1}}}}
particles: [{{species: sphere, count: {count}, {start}, zero_momentum: true}}]
contacts: [{{between: [sphere, sphere], restitution: {e!r}}}]
hard: {{{more}detection: {detection}, precision: {precision}, bias: {bias!r}, collapse: {{{collapse}}}}}
observe:
  - {{what: impact_separation, every: 1e300}}
  - {{what: stabilising, every: 1e300}}
  - {{what: three_body, every: 1e300}}
run: {{until: {until}}}
"""


COMPRESSED = "place: compress, velocity: {maxwell: 1}"


def gas(density, e, count, until, seed=1, detection="stable", precision="double", policy="tc", tc=1e-6, bias=1e-12,
        start=COMPRESSED, more=""):
    """A freely cooling gas of unit spheres of a number density N / V, as the text of a scene. Policy tc: a collision within tc
    of a sphere's last one is elastic, so that inelastic collapse does not end the run. start: keys of the particles' places and
    velocities; more: keys of `hard`."""
    collapse = "policy: tc, tc: %r" % tc if policy == "tc" else "policy: " + policy
    return GAS.format(packing=density * pi / 6, e=e, count=count, until=until, seed=seed, detection=detection,
                      precision=precision, collapse=collapse, bias=bias, start=start, more=more)


def histogram(summary):
    """Impacts by steps from the contact distance: {steps: impacts}."""
    table = summary["observables"]["impact_separation"]["impact_separation"]
    return {int(s): int(n) for s, n in zip(table["separation"], table["impacts"]) if n > 0}


def observed(summary, observable, value):
    return summary["observables"][observable][value]["mean"]


def power(x):
    """3.2 x 10^-9 as text for a table."""
    if x == 0:
        return "0"
    mantissa, exponent = ("%.1e" % x).split("e")
    return "%se%d" % (mantissa, int(exponent))
